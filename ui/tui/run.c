// run.c: steps and runs. Every one of them is done in slices of a moment, so that the keyboard and the screen stay alive however far away its
// end is; one that ends within its first slice is drawn once.
#include "ui/tui/tui_int.h"

#include <time.h>

enum {
    SLICE_MS = 30,         // between two looks at the keyboard
    SLICE_INSNS = 1000000, // between two looks at the clock
    SLICE_STEPS = 20000,   // the same where every bytecode is looked at
};

static Machine *machine(const Tui *t)
{
    return drv_machine(t->session);
}

static bool has_ended(const Tui *t)
{
    return t->view->has_run && (t->view->stop == EV_STOP_EXIT || t->view->stop == EV_STOP_FAULT);
}

static u64 now_ms(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (u64)at.tv_sec * 1000 + (u64)at.tv_nsec / 1000000;
}

bool tui_has_break(const Tui *t, u64 pc)
{
    u64 list[256];
    u32 n = dbg_break_list(machine(t), list, ARRAY_LEN(list));
    for (u32 i = 0; i < n; i++)
        if (list[i] == pc) return true;
    return false;
}

// ---- beginning

static void start(Tui *t, TuiRun run, u64 until, const char *what)
{
    ViewModel *v = t->view;
    t->running = v->is_running = true;
    v->run_ticks = 0;
    t->run = run;
    t->run_until = until;
    t->has_from = t->has_before = drv_place(t->session, &t->from);
    t->before = t->from;
    t->is_at_line_break = false;
    view_model_mark(v);
    view_message(v, false, "running%s: space stops", what);
}

static bool has_breaks(const Tui *t)
{
    return t->view->n_lines_break > 0;
}

void tui_run_until(Tui *t, u64 insns)
{
    if (has_ended(t))
        view_message(t->view, true, "the program has ended: nothing to run");
    else
        start(t, TUI_RUN_FREE, insns, "");
}

// A call is gone over by a breakpoint behind it.
static void begin_call(Tui *t)
{
    t->return_pc = (dbg_get_cap(machine(t), DBG_PCC).value & ~3ULL) + 4;
    t->return_sp = dbg_get_cap(machine(t), DBG_CSP).value;
    t->in_call = true;
    t->owns_break = !tui_has_break(t, t->return_pc);
    dbg_break_add(machine(t), t->return_pc);
}

static void end_call(Tui *t)
{
    if (t->in_call && t->owns_break) dbg_break_remove(machine(t), t->return_pc);
    t->in_call = false;
}

static void step_over_call(Tui *t)
{
    if (drv_is_call(t->session, t->view->regs.pcc.value & ~3ULL)) {
        start(t, TUI_RUN_CALL, ~0ULL, " to the end of the call");
        begin_call(t);
    } else {
        start(t, TUI_RUN_FREE, mac_insns(machine(t)) + 1, "");
    }
}

static void step_source(Tui *t, bool over)
{
    bool is_start;
    start(t, TUI_RUN_SOURCE, ~0ULL, " to another line");
    t->goes_over = over;
    if (!drv_source_line(t->session, t->view->regs.pcc.value & ~3ULL, &t->from_line, &is_start)) t->from_line = 0;
}

bool tui_is_step_key(int key)
{
    return key == ' ' || key == TUI_KEY_ESC || key == TUI_KEY_CTRL_C || key == 's' || key == 'b' || key == 'y' || key == 'n' || key == 'c';
}

void tui_step(Tui *t, int key)
{
    if (key == ' ' || key == TUI_KEY_ESC) return;
    bool python = drv_module(t->session) != NULL;
    if (key == TUI_KEY_CTRL_C) {
        view_message(t->view, false, "nothing runs; q quits");
    } else if (has_ended(t)) {
        view_message(t->view, true, "the program has ended: nothing to run");
    } else if (!python && key != 'b' && drv_has_source_lines(t->session) && (key == 'y' || key == 'n')) {
        step_source(t, key == 'n');
    } else if (!python && (key == 'b' || key == 'y')) {
        view_message(t->view, true, "%s: s steps one instruction, n goes over a whole call",
                     key == 'b' ? "no Python program, no bytecodes" : "no Python program, no line table");
    } else if (!python && key == 'n') {
        step_over_call(t);
    } else {
        switch (key) {
        case 's': start(t, TUI_RUN_FREE, mac_insns(machine(t)) + 1, ""); break;
        case 'b': start(t, TUI_RUN_BYTECODE, ~0ULL, " to the next bytecode"); break;
        case 'y': start(t, TUI_RUN_LINE, ~0ULL, " to another Python line"); break;
        // In the middle of a bytecode the frame is not known (driver.h): into what this bytecode calls, then.
        case 'n': start(t, t->at_bytecode ? TUI_RUN_OVER : TUI_RUN_LINE, ~0ULL, " to another Python line"); break;
        default: start(t, TUI_RUN_FREE, ~0ULL, ""); break;
        }
    }
}

// ---- ending

static void tell_place(Tui *t, const char *what)
{
    ViewModel *v = t->view;
    char n[32];
    if (t->run == TUI_RUN_CALL)
        view_message(v, false, "%s behind the call", what);
    else if (!drv_module(t->session))
        view_message(v, false, "%s at line %u of %s", what, v->source_line, v->has_symbol ? v->symbol.name : "?");
    else if (!v->has_place)
        view_message(v, false, "%s outside the Python program", what);
    else if (t->run == TUI_RUN_BYTECODE)
        view_message(v, false, "%s at bytecode %s", what, view_thousands(v->ops.bytecodes, n));
    else
        view_message(v, false, "%s at line %u of %s", what, v->place.line, v->place.code->name);
}

static void end_run(Tui *t, EvStop stop)
{
    ViewModel *v = t->view;
    t->running = v->is_running = false;
    end_call(t);
    v->message[0] = 0;
    view_model_refresh(v, stop);
    view_model_tell_stop(v);
    t->at_bytecode = stop == EV_STOP_PROBE || t->is_at_line_break;
    if (stop == EV_STOP_PROBE) tell_place(t, "stopped");
    if (stop == EV_STOP_BREAKPOINT && (v->has_place || v->source_line)) tell_place(t, "stopped by a breakpoint");
    bool is_line = t->run == TUI_RUN_LINE || t->run == TUI_RUN_OVER || t->run == TUI_RUN_SOURCE;
    u32 line = v->has_place ? v->place.line : v->source_line;
    if (stop == EV_STOP_REQUEST && is_line && line) view_message(v, false, "stopped by a key, still at line %u: no other line came", line);
}

void tui_interrupt(Tui *t)
{
    end_run(t, EV_STOP_REQUEST);
}

// ---- going on

static bool is_break_line(const Tui *t, u32 line)
{
    for (u32 i = 0; i < t->view->n_lines_break; i++)
        if (t->view->lines_break[i] == line) return true;
    return false;
}

// A line begins where the one before was another, or where a function begins; not where a call comes back into the middle of a line.
static bool begins_line(const DrvPlace *before, const DrvPlace *now)
{
    if (now->frame > before->frame) return false;
    return now->code == before->code && now->frame == before->frame ? now->line != before->line : now->insn_index == 0;
}

// One bytecode, looking for a line breakpoint.
static EvStop run_to_line_break(Tui *t, u64 budget)
{
    DrvPlace now, before = t->before;
    bool had_before = t->has_before;
    EvStop stop = drv_step_bytecode(t->session, budget);
    if (stop != EV_STOP_PROBE || !drv_place(t->session, &now)) return stop == EV_STOP_PROBE ? EV_STOP_BUDGET : stop;
    t->before = now;
    t->has_before = true;
    t->is_at_line_break = is_break_line(t, now.line) && (!had_before || begins_line(&before, &now));
    if (t->is_at_line_break) return EV_STOP_BREAKPOINT;
    bool is_over = t->run == TUI_RUN_OVER && (!t->has_from || !drv_is_same_line(&t->from, &now, true));
    return is_over ? EV_STOP_PROBE : EV_STOP_BUDGET;
}

static EvStop run_call(Tui *t, u64 budget)
{
    EvStop stop = drv_run(t->session, budget);
    if (stop != EV_STOP_BREAKPOINT) return stop;
    SnapRegs r;
    snap_regs(machine(t), &r);
    if ((r.pcc.value & ~3ULL) != t->return_pc) return stop;
    if (r.csp.value < t->return_sp && t->owns_break) return EV_STOP_BUDGET; // of a deeper call of the same function
    return t->owns_break ? EV_STOP_PROBE : stop;
}

// One instruction, or a part of a call that is gone over; then: does another line begin here?
static EvStop run_source(Tui *t, u64 budget)
{
    if (!t->in_call && t->goes_over && drv_is_call(t->session, dbg_get_cap(machine(t), DBG_PCC).value & ~3ULL)) begin_call(t);
    EvStop stop = t->in_call ? run_call(t, budget) : drv_run(t->session, 1);
    if (stop != (t->in_call ? EV_STOP_PROBE : EV_STOP_BUDGET)) return stop;
    end_call(t);
    u32 line;
    bool is_start;
    u64 pc = dbg_get_cap(machine(t), DBG_PCC).value & ~3ULL;
    if (tui_has_break(t, pc)) return EV_STOP_BREAKPOINT;
    bool arrived = drv_source_line(t->session, pc, &line, &is_start) && is_start && line != t->from_line;
    return arrived ? EV_STOP_PROBE : EV_STOP_BUDGET;
}

static EvStop run_a_little(Tui *t, u64 budget)
{
    u64 little = budget < SLICE_STEPS ? budget : SLICE_STEPS;
    const DrvPlace *from = t->has_from ? &t->from : NULL;
    switch (t->run) {
    case TUI_RUN_BYTECODE: return drv_step_bytecode(t->session, little);
    case TUI_RUN_LINE: return drv_step_line(t->session, from, false, little);
    case TUI_RUN_CALL: return run_call(t, budget);
    case TUI_RUN_SOURCE: return run_source(t, budget);
    case TUI_RUN_OVER:
        return has_breaks(t) ? run_to_line_break(t, little) : drv_step_line(t->session, from, true, little);
    case TUI_RUN_FREE: break;
    }
    return has_breaks(t) ? run_to_line_break(t, little) : drv_run(t->session, budget);
}

void tui_run_slice(Tui *t)
{
    u64 begin = now_ms();
    EvStop stop = EV_STOP_BUDGET;
    while (stop == EV_STOP_BUDGET && now_ms() - begin < SLICE_MS) {
        u64 at = mac_insns(machine(t)), left = t->run_until > at ? t->run_until - at : 0;
        if (!left) break;
        stop = run_a_little(t, left < SLICE_INSNS ? left : SLICE_INSNS);
    }
    bool is_over = mac_insns(machine(t)) >= t->run_until || (stop != EV_STOP_BUDGET && stop != EV_STOP_OUTPUT);
    t->view->run_ticks++;
    if (is_over) end_run(t, stop);
    else view_model_refresh(t->view, stop); // takes the output, too
}
