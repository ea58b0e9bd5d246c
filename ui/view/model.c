// model.c: fills the ViewModel from snapshots.
#include "ui/view/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *view_pane_title(ViewPane p)
{
    static const char *const titles[] = {
#define X(name, title, meaning) title,
        VIEW_PANES(X)
#undef X
    };
    return titles[p];
}

void view_model_init(ViewModel *v, DrvSession *s)
{
    *v = (ViewModel){.session = s, .memory_follows = true, .heap_follows = true, .selected_reg = 31};
    v->purecap = mac_abi(drv_machine(s)) == MAC_PURECAP;
    view_model_refresh(v, EV_STOP_BUDGET);
    v->has_before = v->has_run = false;
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
    if (reg < 31) return r->c[reg];
    return reg == 31 ? r->csp : reg == 32 ? r->pcc : r->ddc;
}

const char *view_reg_name(int reg, bool purecap, char out[16])
{
    if (reg < 31)
        snprintf(out, 16, "%c%d", purecap ? 'c' : 'x', reg);
    else
        snprintf(out, 16, "%s", reg == 31 ? (purecap ? "csp" : "sp") : reg == 32 ? (purecap ? "pcc" : "pc") : "ddc");
    return out;
}

bool view_symbol_text(const ViewModel *v, u64 addr, char *out, size_t size)
{
    SnapSymbol sym;
    if (!snap_symbol_at(drv_machine(v->session), addr, &sym)) return false;
    snprintf(out, size, "%s+%llu", sym.name, (unsigned long long)(addr - (sym.start & ~1ULL)));
    return true;
}

// Rows of code before and after the pc, within its function where there is a symbol.
static void load_code(ViewModel *v)
{
    Machine *m = drv_machine(v->session);
    u64 pc = v->regs.pcc.value & ~3ULL;
    u64 first = pc >= 4 * (VIEW_CODE_ROWS / 2) ? pc - 4 * (VIEW_CODE_ROWS / 2) : 0;
    if (v->has_symbol && v->symbol.start > first) first = v->symbol.start & ~3ULL;
    u64 breaks[256];
    u32 n_breaks = dbg_break_list(m, breaks, ARRAY_LEN(breaks));
    v->n_code = 0;
    for (u32 i = 0; i < VIEW_CODE_ROWS; i++) {
        ViewCode *c = &v->code[v->n_code++];
        *c = (ViewCode){.pc = first + 4ULL * i};
        c->is_mapped = dbg_peek(m, c->pc, &c->word, 4);
        for (u32 b = 0; b < n_breaks; b++) c->is_break |= breaks[b] == c->pc;
        if (c->pc == pc) v->code_here = i;
    }
}

static void take_output(ViewModel *v)
{
    for (;;) {
        int fd = 0;
        mac_take_output(drv_machine(v->session), &v->output, &fd);
        if (!fd) break;
    }
    enum { KEEP = 1 << 20 }; // the screen shows the tail only
    if (v->output.len > 2 * KEEP) {
        memmove(v->output.at, v->output.at + v->output.len - KEEP, KEEP + 1);
        v->output.len = KEEP;
    }
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

void view_model_refresh(ViewModel *v, EvStop stop)
{
    Machine *m = drv_machine(v->session);
    v->regs_before = v->regs;
    memcpy(v->memory_before, v->memory, sizeof v->memory);
    v->memory_before_at = v->memory_at;
    v->has_before = v->has_run = true;
    v->stop = stop;
    snap_regs(m, &v->regs);
    snap_counters(m, &v->counters);
    snap_opcodes(m, &v->ops);
    snap_heap_free(&v->heap);
    v->has_heap = snap_heap_count(m) > 0 && snap_heap(m, 0, true, &v->heap);
    v->has_place = drv_place(v->session, &v->place);
    v->has_symbol = snap_symbol_at(m, v->regs.pcc.value, &v->symbol);
    take_output(v);
    view_model_look(v);
}
