// regs.c: registers as capabilities: value, tag, permissions, and where the value stands inside the bounds.
//
//   c3 *● rw-RW-     41200040 +0/64         offset into the object / its length; one past the end is "+64/64 OUT"
//
// In hybrid a row is the 64-bit value and what it might be (a symbol, a small number). Changed rows are marked with '*'.
#include "ui/view/model.h"

enum { WHERE = 27 }; // column at which a function's name has the most room on the smallest screen

static void put_where(ViewGrid *g, ViewArea a, int x, int y, const ViewModel *v, ViewStyle s, const char *text)
{
    bool is_long = (int)strlen(text) > a.w - x;
    view_put_from(g, a, x, y, s, is_long ? (int)v->shift : 0, "%s", text);
}

// What a plain number might mean: a small one itself, an address its symbol, a larger one itself.
static void put_meaning(ViewGrid *g, ViewArea a, int x, int y, const ViewModel *v, u64 value)
{
    char symbol[96];
    i64 n = (i64)value;
    bool is_small = n > -1000000 && n < 1000000, fits = n > -1000000000 && n < 10000000000;
    if (!is_small && view_symbol_text(v, value, symbol, sizeof symbol))
        put_where(g, a, x, y, v, VIEW_DIM, symbol);
    else if (fits)
        view_put(g, a, x, y, VIEW_DIM, "= %lld", (long long)n);
}

static void draw_cap_row(ViewGrid *g, ViewArea a, int y, const ViewModel *v, int reg, bool changed)
{
    Cap c = view_reg_value(&v->regs, reg);
    char name[16], perms[8], where[96];
    ViewStyle s = changed ? VIEW_NOW : VIEW_PLAIN;
    view_put(g, a, 1, y, s, "%-3s%c", view_reg_name(reg, true, name), changed ? '*' : ' ');
    if (!c.tag && !c.meta) {
        view_put(g, a, 5, y, s, "%21llx", (unsigned long long)c.value);
        put_meaning(g, a, WHERE, y, v, c.value);
        return;
    }
    view_cap_perms(c, perms);
    view_cap_place(v, c, where, sizeof where);
    view_put(g, a, 5, y, c.tag ? VIEW_TAGGED : VIEW_INVALID, "%s %s", c.tag ? "●" : "○", perms);
    int end = view_put(g, a, 14, y, s, "%12llx", (unsigned long long)c.value);
    put_where(g, a, end < WHERE ? WHERE : end + 1, y, v, c.tag ? VIEW_PLAIN : VIEW_INVALID, c.tag ? where : "no tag");
}

static void draw_int_row(ViewGrid *g, ViewArea a, int y, const ViewModel *v, int reg, bool changed)
{
    u64 x = view_reg_value(&v->regs, reg).value;
    char name[16];
    ViewStyle s = changed ? VIEW_NOW : VIEW_PLAIN;
    view_put(g, a, 1, y, s, "%-3s%c %016llx", view_reg_name(reg, false, name), changed ? '*' : ' ', (unsigned long long)x);
    put_meaning(g, a, 24, y, v, x);
}

static bool reg_changed(const ViewModel *v, int reg)
{
    if (!v->has_before) return false;
    Cap now = view_reg_value(&v->regs, reg), then = view_reg_value(&v->regs_before, reg);
    return now.value != then.value || now.meta != then.meta || now.tag != then.tag;
}

static void draw_heading(ViewGrid *g, ViewArea a, bool purecap)
{
    view_put(g, a, 1, 0, VIEW_DIM, "reg");
    if (purecap)
        view_put(g, a, 5, 0, VIEW_DIM, "tag+perms  address  offset/length");
    else
        view_put(g, a, 6, 0, VIEW_DIM, "value (hex)       meaning");
}

// The rows above may cut a function's name: here it is whole.
static void put_selected_symbol(ViewGrid *g, ViewArea a, int y, const ViewModel *v)
{
    char symbol[96];
    Cap c = view_reg_value(&v->regs, v->selected_reg);
    u64 at = cap_perms(c) & CAP_PERM_EXECUTE ? c.value & ~1ULL : c.value; // bit 0 of a jump's target is its state
    if (view_symbol_text(v, at, symbol, sizeof symbol)) view_put(g, a, 1, y, VIEW_DIM, " %s ", symbol);
}

void view_regs(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    enum { HEADING = 1, DETAIL = 4 }; // rows above the list, and below: the selected register in full, the flags
    int rows = a.h - HEADING - DETAIL;
    int first = v->selected_reg >= rows ? v->selected_reg - rows + 1 : 0;
    draw_heading(g, a, v->purecap);
    for (int i = 0; i < rows && first + i < VIEW_REG_COUNT; i++) {
        int reg = first + i;
        // DDC is a capability in hybrid, too: the one that all its loads and stores go through.
        if (v->purecap || reg == VIEW_REG_DDC)
            draw_cap_row(g, a, HEADING + i, v, reg, reg_changed(v, reg));
        else
            draw_int_row(g, a, HEADING + i, v, reg, reg_changed(v, reg));
        if (reg == v->selected_reg) view_put(g, a, 0, HEADING + i, VIEW_PC, "▸");
    }
    char name[16];
    int y = HEADING + rows;
    view_fill_row(g, a, y, VIEW_DIM, 0x2500);
    put_selected_symbol(g, a, y, v);
    view_put_cap(g, a, y + 1, view_reg_name(v->selected_reg, v->purecap, name), view_reg_value(&v->regs, v->selected_reg));
    u8 f = v->regs.nzcv;
    view_put(g, a, 0, y + 3, VIEW_PLAIN, "N%d Z%d C%d V%d  %s state", f >> 3 & 1, f >> 2 & 1, f >> 1 & 1, f & 1,
             v->regs.c64 ? "C64" : "A64");
}
