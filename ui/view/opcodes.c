// opcodes.c: what each bytecode cost so far: executions, instructions, average, share. Exact counts.
#include "ui/view/model.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Row {
    const char *name;
    u64 count, insns;
} Row;

static int by_insns(const void *pa, const void *pb)
{
    const Row *a = pa, *b = pb;
    return a->insns != b->insns ? (a->insns < b->insns ? 1 : -1) : strcmp(a->name, b->name);
}

// One row per opcode name: the bytes of a MULTI range share theirs.
static u32 collect(const SnapOpcodes *ops, Row rows[256])
{
    u32 n = 0;
    for (u32 op = 0; op < 256; op++) {
        const char *name = py_opcode_name((u8)op);
        if (!ops->op[op].count || !name) continue;
        u32 i = 0;
        while (i < n && strcmp(rows[i].name, name) != 0) i++;
        if (i == n) rows[n++] = (Row){.name = name};
        rows[i].count += ops->op[op].count;
        rows[i].insns += ops->op[op].insns;
    }
    qsort(rows, n, sizeof *rows, by_insns);
    return n;
}

typedef struct Columns {
    int name, count, insns, avg; // widths, a blank before each but the first
} Columns;

static int wider(int w, size_t len)
{
    return (int)len > w ? (int)len : w;
}

// Wide enough for every name and for counts below a million: so the columns seldom move.
static Columns measure(const SnapOpcodes *ops, const Row *rows, u32 n)
{
    char text[32];
    Columns c = {.count = (int)strlen(" 999,999"), .insns = (int)strlen(" 9,999,999"), .avg = (int)strlen(" 9999.9")};
    for (u32 op = 0; op < 256; op++)
        if (py_opcode_name((u8)op)) c.name = wider(c.name, strlen(py_opcode_name((u8)op)));
    for (u32 i = 0; i < n; i++) {
        c.count = wider(c.count, strlen(view_thousands(rows[i].count, text)) + 1);
        c.insns = wider(c.insns, strlen(view_thousands(rows[i].insns, text)) + 1);
        c.avg = wider(c.avg, (size_t)snprintf(text, sizeof text, " %.1f", (double)rows[i].insns / (double)rows[i].count));
    }
    c.count = wider(c.count, strlen(view_thousands(ops->bytecodes, text)) + 1);
    c.insns = wider(c.insns, strlen(view_thousands(ops->insns_gc, text)) + 1);
    c.insns = wider(c.insns, strlen(view_thousands(ops->insns_outside, text)) + 1);
    return c;
}

u32 view_opcodes_width(const ViewModel *v)
{
    Row rows[256];
    u32 n = collect(&v->ops, rows);
    Columns c = measure(&v->ops, rows, n);
    return n ? (u32)(c.name + c.count + c.insns + c.avg) : 0;
}

// A name that is too long for its column is cut with '…' and scrolls sideways.
static void put_name(ViewGrid *g, ViewArea a, int y, int w, const ViewModel *v, ViewStyle s, const char *name)
{
    ViewArea column = {a.x, a.y, w, a.h};
    view_put_from(g, column, 0, y, s, (int)strlen(name) > w ? (int)v->shift : 0, "%s", name);
}

static void draw_row(ViewGrid *g, ViewArea a, int y, const ViewModel *v, const Columns *c, const Row *r)
{
    char n1[32], n2[32];
    const char *now = v->ops.is_in_bytecode ? py_opcode_name(v->ops.current) : NULL;
    ViewStyle s = now && !strcmp(now, r->name) ? VIEW_PC : VIEW_PLAIN;
    put_name(g, a, y, c->name, v, s, r->name);
    view_put(g, a, c->name, y, s, "%*s%*s%*.1f", c->count, view_thousands(r->count, n1), c->insns, view_thousands(r->insns, n2), c->avg,
             (double)r->insns / (double)r->count);
}

static void draw_sum(ViewGrid *g, ViewArea a, int y, const Columns *c, const char *name, u64 n, bool is_count)
{
    char text[32];
    view_put(g, a, 0, y, VIEW_PLAIN, "%s", name);
    view_put(g, a, c->name, y, VIEW_PLAIN, "%*s", is_count ? c->count : c->count + c->insns, view_thousands(n, text));
}

void view_opcodes(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    const SnapOpcodes *ops = &v->ops;
    if (!ops->bytecodes) {
        view_put(g, a, 0, 0, VIEW_DIM, "%s", drv_module(v->session) ? "no bytecode has run yet" : "no Python program: no bytecodes");
        return;
    }
    Row rows[256];
    u32 n = collect(ops, rows);
    Columns c = measure(ops, rows, n);
    int over = c.name + c.count + c.insns + c.avg - a.w;
    if (over > 0) c.name -= over;
    view_put(g, a, 0, 0, VIEW_TITLE, "%-*s%*s%*s%*s", c.name, "opcode", c.count, "count", c.insns, "insns", c.avg, "avg");
    u32 list = a.h > 5 ? (u32)a.h - 5 : 0;
    u32 first = v->opcode_scroll < n ? v->opcode_scroll : n - 1;
    for (u32 i = 0; i < list && first + i < n; i++) draw_row(g, a, (int)i + 1, v, &c, &rows[first + i]);
    int y = a.h - 4;
    if (first + list < n) view_put(g, a, 0, y, VIEW_DIM, "… %u more (Down)", n - first - list);
    draw_sum(g, a, y + 1, &c, "bytecodes", ops->bytecodes, true);
    draw_sum(g, a, y + 2, &c, "garbage collector", ops->insns_gc, false);
    draw_sum(g, a, y + 3, &c, "outside Python", ops->insns_outside, false);
}
