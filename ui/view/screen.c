// screen.c: the layout: a bar of truth, code on the left, one exhibit on the right, output, keys.
#include "ui/view/model.h"

#include <stdio.h>

// The reason of the last stop, in a word or two; the message row has more.
static const char *stop_word(EvStop stop)
{
    switch (stop) {
    case EV_STOP_EXIT: return "ended";
    case EV_STOP_FAULT: return "fault";
    case EV_STOP_LIMIT: return "limit reached";
    case EV_STOP_BREAKPOINT: return "breakpoint";
    case EV_STOP_WATCHPOINT: return "watchpoint";
    case EV_STOP_INPUT: return "waits for input";
    case EV_STOP_REQUEST: return "stopped by key";
    case EV_STOP_PROBE: return "step done";
    case EV_STOP_BUDGET:
    case EV_STOP_OUTPUT: break;
    }
    return "stepped";
}

static const char *brief_title(ViewPane p)
{
    static const char *const titles[] = {
#define X(name, title, brief, meaning) brief,
        VIEW_PANES(X)
#undef X
    };
    return titles[p];
}

// What there is to say of the moment; without the pc, which the code shows as well, where it would run into the reason of the stop.
static void draw_top(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    char n[32], stop[32] = "", count[48], pc[32], place[80] = "";
    u32 line = v->has_place ? v->place.line : v->source_line;
    snprintf(count, sizeof count, " %s  insn %s", v->purecap ? "purecap" : "hybrid", view_thousands(v->counters.insns, n));
    snprintf(pc, sizeof pc, "  pc %llx", (unsigned long long)v->regs.pcc.value);
    if (v->has_place) snprintf(place, sizeof place, "  bytecode %s  line %u", view_thousands(v->ops.bytecodes, n), line);
    else if (line) snprintf(place, sizeof place, "  line %u", line);
    if (v->is_running) snprintf(stop, sizeof stop, " RUNNING %c ", "|/-\\"[v->run_ticks % 4]);
    else if (v->has_run) snprintf(stop, sizeof stop, " %s ", stop_word(v->stop));
    bool fits = (int)(strlen(count) + strlen(pc) + strlen(place) + strlen(stop)) <= a.w;
    view_fill_row(g, a, 0, VIEW_BAR, ' ');
    view_put(g, a, 0, 0, VIEW_BAR, "%s%s%s", count, fits ? pc : "", place);
    view_put(g, a, a.w - (int)strlen(stop), 0, VIEW_BAR, "%s", stop);
}

static void draw_tabs(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    bool wide = a.w >= 56;
    int x = 0;
    for (int i = 0; i < VIEW_PANE_COUNT; i++)
        x = view_put(g, a, x, 0, i == (int)v->pane ? VIEW_FOCUS : VIEW_DIM, wide ? " %d %s " : "%d %s", i + 1,
                     wide ? view_pane_title((ViewPane)i) : brief_title((ViewPane)i)) + !wide;
}

// The end of the guest's output, below what there is to say.
static void draw_output(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    view_fill_row(g, a, 0, VIEW_DIM, 0x2500);
    view_put(g, a, 1, 0, v->message[0] ? (v->message_is_error ? VIEW_ERROR : VIEW_NOW) : VIEW_DIM, " %s ",
             v->message[0] ? v->message : "output");
    view_output_tail(g, (ViewArea){a.x, a.y + 1, a.w, a.h - 1}, v);
}

static void draw_keys(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    bool python = drv_module(v->session) != NULL;
    bool ended = v->has_run && (v->stop == EV_STOP_EXIT || v->stop == EV_STOP_FAULT);
    view_fill_row(g, a, 0, VIEW_BAR, ' ');
    const char *keys = drv_has_source_lines(v->session)
                           ? " s insn  y line  n over  c run  t break  1-5 pane  : command  ? help  q quit"
                           : " s insn  n over call  c run  t break  Tab pane  : command  ? help  q quit";
    if (v->is_running)
        keys = " the program runs:  space stops  Tab pane  q quit";
    else if (ended)
        keys = " the program has ended:  Tab pane  arrows look around  : command  ? help  q quit";
    else if (python)
        keys = " s insn  b bytecode  y line  n over  c run  t break  1-5 pane  ? help  q quit";
    view_put(g, a, 0, 0, VIEW_BAR, "%s", keys);
}

// Columns of the code on the left. The panes get what their long rows need where that leaves enough for code.
static int code_width(const ViewModel *v, int w)
{
    enum { CODE_MIN = 24, CODE_GOOD = 35 };
    int code = w * 35 / 80, rest = w - 1;
    if (rest - code < VIEW_MEMORY_WIDE && rest - VIEW_MEMORY_WIDE >= CODE_GOOD) code = rest - VIEW_MEMORY_WIDE;
    int want = v->pane == VIEW_PANE_OPCODES ? (int)view_opcodes_width(v) : 0;
    if (rest - code < want) code = rest - want > CODE_MIN ? rest - want : CODE_MIN;
    return code;
}

void view_screen(ViewGrid *g, ViewModel *v)
{
    view_clear(g);
    ViewArea all = view_area(g);
    if (g->w < VIEW_MIN_W || g->h < VIEW_MIN_H) {
        view_put(g, all, 0, 0, VIEW_ERROR, "terminal %dx%d:", g->w, g->h);
        view_put(g, all, 0, 1, VIEW_PLAIN, "needs %dx%d", VIEW_MIN_W, VIEW_MIN_H);
        view_put(g, all, 0, 2, VIEW_DIM, "(q quits)");
        return;
    }
    int out_rows = g->h >= 36 ? 6 : 3;
    ViewArea body = {0, 1, g->w, g->h - 2 - out_rows};
    int code_w = code_width(v, g->w);
    ViewArea code = {0, body.y, code_w, body.h};
    ViewArea right = {code_w + 1, body.y, g->w - code_w - 1, body.h};
    ViewArea pane = {right.x, right.y + 1, right.w, right.h - 1};
    v->pane_rows = (u32)pane.h;
    v->pane_columns = (u32)pane.w;
    draw_top(g, all, v);
    if (v->help) {
        view_help(g, (ViewArea){0, 1, g->w, g->h - 2}, v);
    } else {
        view_code(g, code, v);
        for (int y = 0; y < body.h; y++) view_put_char(g, body, code_w, y, VIEW_DIM, 0x2502);
        draw_tabs(g, right, v);
        static void (*const draw[])(ViewGrid *, ViewArea, const ViewModel *) = {
            [VIEW_PANE_REGS] = view_regs, [VIEW_PANE_MEMORY] = view_memory, [VIEW_PANE_HEAP] = view_heap,
            [VIEW_PANE_OPCODES] = view_opcodes,
            [VIEW_PANE_OUTPUT] = view_output};
        draw[v->pane](g, pane, v);
        draw_output(g, (ViewArea){0, g->h - 1 - out_rows, g->w, out_rows}, v);
    }
    draw_keys(g, (ViewArea){0, g->h - 1, g->w, 1}, v);
}
