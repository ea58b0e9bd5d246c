// model.c: fills the ViewModel from snapshots.
#include "ui/view/model.h"

#include "driver/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *view_pane_title(ViewPane p)
{
    static const char *const titles[] = {
#define X(name, title, brief, meaning) title,
        VIEW_PANES(X)
#undef X
    };
    return titles[p];
}

void view_model_init(ViewModel *v, DrvSession *s)
{
    *v = (ViewModel){.session = s, .memory_follows = true, .heap_follows = true, .output_follows = true};
    v->purecap = mac_abi(drv_machine(s)) == MAC_PURECAP;
    view_model_refresh(v, EV_STOP_BUDGET);
    v->has_run = false;
}

void view_model_free(ViewModel *v)
{
    snap_heap_free(&v->heap);
    buf_free(&v->output);
}

void view_message(ViewModel *v, bool is_error, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(v->message, sizeof v->message, fmt, ap);
    va_end(ap);
    v->message_is_error = is_error;
}

Cap view_reg_value(const SnapRegs *r, int reg)
{
    if (reg >= VIEW_REG_0) return r->c[reg - VIEW_REG_0];
    return reg == VIEW_REG_SP ? r->csp : reg == VIEW_REG_PC ? r->pcc : r->ddc;
}

const char *view_reg_name(int reg, bool purecap, char out[16])
{
    if (reg >= VIEW_REG_0)
        snprintf(out, 16, "%c%d", purecap ? 'c' : 'x', reg - VIEW_REG_0);
    else
        snprintf(out, 16, "%s", reg == VIEW_REG_SP ? (purecap ? "csp" : "sp") : reg == VIEW_REG_PC ? (purecap ? "pcc" : "pc") : "ddc");
    return out;
}

bool view_symbol_text(const ViewModel *v, u64 addr, char *out, size_t size)
{
    drv_symbol_text(drv_machine(v->session), addr, out, size);
    return out[0] != 0;
}

bool view_label_at(const ViewModel *v, u64 addr, char *out, size_t size)
{
    const Machine *m = drv_machine(v->session);
    SnapSymbol sym;
    u32 lo = 0, hi = snap_symbol_count(m);
    out[0] = 0;
    while (lo < hi) { // the first symbol at or behind addr
        u32 mid = lo + (hi - lo) / 2;
        snap_symbol(m, mid, &sym);
        if ((sym.start & ~1ULL) < addr) lo = mid + 1;
        else hi = mid;
    }
    if (lo == snap_symbol_count(m)) return false;
    snap_symbol(m, lo, &sym);
    if ((sym.start & ~1ULL) != addr) return false;
    snprintf(out, size, "%s", sym.name);
    return true;
}

// Behind the last function lie zeros, or constants: not code.
static bool is_beyond(const ViewModel *v, const ViewCode *c)
{
    SnapSymbol sym;
    return !c->is_mapped || !c->word || (v->has_symbol && !snap_symbol_at(drv_machine(v->session), c->pc, &sym));
}

// Rows of code before and after the pc, within its function where there is a symbol.
static void load_code(ViewModel *v)
{
    Machine *m = drv_machine(v->session);
    u64 first = v->code_pc >= 4 * (VIEW_CODE_ROWS / 2) ? v->code_pc - 4 * (VIEW_CODE_ROWS / 2) : 0;
    if (v->has_symbol && v->symbol.start > first) first = v->symbol.start & ~3ULL;
    u64 breaks[256];
    u32 n_breaks = dbg_break_list(m, breaks, ARRAY_LEN(breaks));
    v->n_code = 0;
    for (u32 i = 0; i < VIEW_CODE_ROWS; i++) {
        ViewCode *c = &v->code[v->n_code++];
        *c = (ViewCode){.pc = first + 4ULL * i};
        c->is_mapped = dbg_peek(m, c->pc, &c->word, 4);
        view_label_at(v, c->pc, c->label, sizeof c->label);
        for (u32 b = 0; b < n_breaks; b++) c->is_break |= breaks[b] == c->pc;
        if (c->pc == v->code_pc) v->code_here = i;
    }
    while (v->n_code > v->code_here + 1 && is_beyond(v, &v->code[v->n_code - 1])) v->n_code--;
}

static void take_output(ViewModel *v)
{
    size_t from = v->output.len;
    for (;;) {
        int fd = 0;
        mac_take_output(drv_machine(v->session), &v->output, &fd);
        if (!fd) break;
    }
    for (size_t i = from; i < v->output.len; i++) v->output_lines += v->output.at[i] == '\n';
    enum { KEEP = 64 << 20 }; // of a program that prints without end, the last part
    if (v->output.len <= KEEP) return;
    size_t lost = v->output.len - KEEP / 2;
    memmove(v->output.at, v->output.at + lost, KEEP / 2 + 1);
    v->output.len = KEEP / 2;
    v->output_lost += lost;
    v->output_top = v->output_top > lost ? v->output_top - lost : 0;
}

void view_model_look(ViewModel *v)
{
    Cap c = view_reg_value(&v->regs, v->selected_reg);
    u64 want = v->memory_follows ? c.value : v->memory_want;
    u64 at = want & ~15ULL;
    // A little of what lies below the address, so that it is not glued to the upper edge.
    v->memory_at = at >= 64 && v->memory_follows ? at - 64 : at;
    snap_memory(drv_machine(v->session), v->memory_at, VIEW_MEMORY_ROWS, v->memory);
    load_code(v);
}

void view_model_mark(ViewModel *v)
{
    v->regs_before = v->regs;
    memcpy(v->memory_before, v->memory, sizeof v->memory);
    v->memory_before_at = v->memory_at;
    v->has_before = true;
}

void view_model_refresh(ViewModel *v, EvStop stop)
{
    Machine *m = drv_machine(v->session);
    v->has_run = true;
    v->stop = stop;
    snap_regs(m, &v->regs);
    snap_counters(m, &v->counters);
    snap_opcodes(m, &v->ops);
    snap_heap_free(&v->heap);
    v->will_have_heap = snap_heap_count(m) > 0;
    v->has_heap = v->will_have_heap && snap_heap(m, 0, true, &v->heap);
    v->has_place = drv_place(v->session, &v->place);
    // A program ends in a system call: behind it nothing runs next.
    v->code_pc = (v->regs.pcc.value & ~3ULL) - (stop == EV_STOP_EXIT ? 4 : 0);
    v->has_symbol = snap_symbol_at(m, v->code_pc, &v->symbol);
    bool is_start;
    if (!drv_source_line(v->session, v->code_pc, &v->source_line, &is_start)) v->source_line = 0;
    if (v->has_place) v->text_line = v->place.line;
    else if (v->source_line) v->text_line = v->source_line;
    take_output(v);
    view_model_look(v);
}

// The register that a purecap program faulted with is the one to look at.
static void select_culprit(ViewModel *v)
{
    static const int special[] = {VIEW_REG_SP, VIEW_REG_DDC, VIEW_REG_PC}; // as EvFault counts from 31 on
    int reg = mac_fault(drv_machine(v->session))->reg;
    if (!v->purecap || reg < 0) return;
    v->selected_reg = reg < 31 ? VIEW_REG_0 + reg : special[reg - 31];
    view_model_look(v);
}

static void tell_fault(ViewModel *v)
{
    Buf card = {0};
    drv_fault_card(v->session, &card);
    const char *text = buf_text(&card);
    view_message(v, true, "%.*s", (int)strcspn(text, "\n"), text);
    for (size_t i = 0; i < card.len; i++) v->output_lines += text[i] == '\n';
    buf_add(&v->output, text, card.len);
    buf_free(&card);
    select_culprit(v);
}

void view_model_tell_stop(ViewModel *v)
{
    int status = mac_exit_status(drv_machine(v->session));
    char n[32];
    switch (v->stop) {
    case EV_STOP_EXIT: view_message(v, status != 0, "the program ended with status %d", status); break;
    case EV_STOP_FAULT: tell_fault(v); break;
    case EV_STOP_BREAKPOINT: view_message(v, false, "stopped at a breakpoint"); break;
    case EV_STOP_WATCHPOINT: view_message(v, false, "stopped at a watchpoint"); break;
    case EV_STOP_LIMIT: view_message(v, true, "stopped: the instruction limit (--max-insns) is reached"); break;
    case EV_STOP_INPUT: view_message(v, false, "the program waits for input: type :input TEXT, or :eof to end it"); break;
    case EV_STOP_PROBE: view_message(v, false, "stopped at bytecode %s", view_thousands(v->ops.bytecodes, n)); break;
    case EV_STOP_REQUEST: view_message(v, false, "stopped by a key"); break;
    case EV_STOP_BUDGET:
    case EV_STOP_OUTPUT: break;
    }
}
