// regs.c: registers as capabilities: value, tag, permissions, and where the value stands inside the bounds.
//
//   c3 ● rwRW      41200040  +0/64         offset into the object / its length; one past the end is "+64/64 OUT"
//
// In hybrid a row is the 64-bit value and what it might be (a symbol, a small number). Changed rows are marked with '*'.
#include "ui/view/model.h"

#include <stdio.h>

static void format_perms(Cap c, char out[8])
{
    int n = 0;
    u32 perms = cap_perms(c);
#define X(bit, name, letter)                                                                                 \
    if ((letter) && n < 7) out[n++] = (perms & CAP_PERM_##name) ? (char)(letter) : '-';
    CAP_PERMS(X)
#undef X
    out[n] = 0;
}

// Exact below a million; else rounded down with K, M, G (the selected register is shown in full below).
static const char *short_count(i64 n, char out[24])
{
    static const char unit[] = "KMGT";
    u64 a = n < 0 ? 0 - (u64)n : (u64)n;
    if (a < 1000000) {
        snprintf(out, 24, "%llu", (unsigned long long)a);
        return out;
    }
    int u = 0;
    for (a /= 1024; a >= 10000 && u < 3; u++) a /= 1024;
    snprintf(out, 24, "%llu%c", (unsigned long long)a, unit[u]);
    return out;
}

// "+8/64", "-4/64 OUT", "sentry"
static void format_position(Cap c, char *out, size_t size)
{
    CapBounds b = cap_bounds(c);
    u64 len = cap_length_saturated(b);
    i64 off = (i64)(c.value - b.base);
    if (cap_is_sealed(c)) {
        snprintf(out, size, "%s", cap_otype(c) == CAP_OTYPE_RB ? "sentry" : "sealed");
    } else if (len >= 1ULL << 48) {
        snprintf(out, size, "everywhere");
    } else {
        char n1[24], n2[24];
        snprintf(out, size, "%c%s/%s%s", off < 0 ? '-' : '+', short_count(off, n1), short_count((i64)len, n2),
                 cap_in_bounds(b, c.value, 1) ? "" : " OUT");
    }
}

static void draw_cap_row(ViewGrid *g, ViewArea a, int y, const ViewModel *v, int reg, bool changed)
{
    Cap c = view_reg_value(&v->regs, reg);
    char name[16], perms[8], where[40];
    ViewStyle s = changed ? VIEW_NOW : VIEW_PLAIN;
    view_put(g, a, 1, y, s, "%-3s%c", view_reg_name(reg, true, name), changed ? '*' : ' ');
    if (!c.tag && !c.meta) {
        view_put(g, a, 6, y, changed ? VIEW_NOW : VIEW_DIM, "%22llx", (unsigned long long)c.value);
        if (c.value < 1 << 20) view_put(g, a, 30, y, VIEW_DIM, "= %llu", (unsigned long long)c.value);
        return;
    }
    format_perms(c, perms);
    format_position(c, where, sizeof where);
    view_put(g, a, 6, y, c.tag ? VIEW_TAGGED : VIEW_INVALID, "%s %s", c.tag ? "●" : "○", perms);
    view_put(g, a, 15, y, s, "%13llx", (unsigned long long)c.value);
    view_put(g, a, 30, y, c.tag ? VIEW_PLAIN : VIEW_INVALID, "%s", c.tag ? where : "no tag");
}

static void draw_int_row(ViewGrid *g, ViewArea a, int y, const ViewModel *v, int reg, bool changed)
{
    u64 x = view_reg_value(&v->regs, reg).value;
    char name[16];
    ViewStyle s = changed ? VIEW_NOW : VIEW_PLAIN;
    view_put(g, a, 1, y, s, "%-3s%c %016llx", view_reg_name(reg, false, name), changed ? '*' : ' ', (unsigned long long)x);
    char symbol[96];
    if ((i64)x > -100000000 && (i64)x < 1000000)
        view_put(g, a, 24, y, VIEW_DIM, "= %lld", (long long)x);
    else if (view_symbol_text(v, x, symbol, sizeof symbol))
        view_put(g, a, 24, y, VIEW_DIM, "%s", symbol);
}

static bool reg_changed(const ViewModel *v, int reg)
{
    if (!v->has_before) return false;
    Cap now = view_reg_value(&v->regs, reg), then = view_reg_value(&v->regs_before, reg);
    return now.value != then.value || now.meta != then.meta || now.tag != then.tag;
}

void view_regs(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    bool purecap = v->purecap;
    int detail = 4; // rows below the list: the selected register in full
    int rows = a.h - detail;
    int first = v->selected_reg >= rows ? v->selected_reg - rows + 1 : 0;
    // The last ones (csp, pcc, ddc) are selected at the start: the list begins at its end rather than hiding them.
    for (int i = 0; i < rows && first + i < VIEW_REG_COUNT; i++) {
        int reg = first + i;
        if (purecap)
            draw_cap_row(g, a, i, v, reg, reg_changed(v, reg));
        else
            draw_int_row(g, a, i, v, reg, reg_changed(v, reg));
        if (reg == v->selected_reg) view_put(g, a, 0, i, VIEW_PC, "▸");
    }
    Cap c = view_reg_value(&v->regs, v->selected_reg);
    char text[160], name[16];
    cap_format(c, text, sizeof text);
    view_fill_row(g, a, rows, VIEW_DIM, 0x2500);
    view_put(g, a, 0, rows + 1, VIEW_BOLD, "%s %s", view_reg_name(v->selected_reg, purecap, name), text);
    if ((int)strlen(text) + 4 > a.w) view_put(g, a, 2, rows + 2, VIEW_BOLD, "%s", text + (a.w - 4 > 0 ? a.w - 4 : 0));
    u8 f = v->regs.nzcv;
    view_put(g, a, 0, rows + 3, VIEW_PLAIN, "N%d Z%d C%d V%d  %s state", f >> 3 & 1, f >> 2 & 1, f >> 1 & 1, f & 1,
             v->regs.c64 ? "C64" : "A64");
}
