// opcodes.c: what each bytecode cost so far: executions, instructions, average, share. Exact counts.
#include "ui/view/model.h"

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

void view_opcodes(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    const SnapOpcodes *ops = &v->ops;
    if (!ops->bytecodes) {
        view_put(g, a, 0, 0, VIEW_DIM, "%s", drv_module(v->session) ? "no bytecode has run yet" : "no Python program: no bytecodes");
        return;
    }
    Row rows[256];
    u32 n = collect(ops, rows);
    char n1[32], n2[32];
    int name_w = a.w - 26;
    view_put(g, a, 0, 0, VIEW_TITLE, "%-*s%8s%11s%7s", name_w, "opcode", "count", "insns", "avg");
    u32 list = a.h > 5 ? (u32)a.h - 5 : 0;
    u32 first = v->opcode_scroll < n ? v->opcode_scroll : n - 1;
    const char *now = py_opcode_name(ops->current);
    for (u32 i = 0; i < list && first + i < n; i++) {
        const Row *r = &rows[first + i];
        bool is_now = now && !strcmp(now, r->name);
        view_put(g, a, 0, (int)i + 1, is_now ? VIEW_PC : VIEW_PLAIN, "%-*.*s%8s%11s%7.1f", name_w, name_w - 1, r->name,
                 view_thousands(r->count, n1), view_thousands(r->insns, n2), (double)r->insns / (double)r->count);
    }
    int y = a.h - 4;
    if (first + list < n) view_put(g, a, 0, y, VIEW_DIM, "… %u more (arrows)", n - first - list);
    view_put(g, a, 0, y + 1, VIEW_PLAIN, "%-*s%8s", name_w, "bytecodes", view_thousands(ops->bytecodes, n1));
    view_put(g, a, 0, y + 2, VIEW_PLAIN, "%-*s%8s%11s", name_w, "garbage collector", "", view_thousands(ops->insns_gc, n1));
    view_put(g, a, 0, y + 3, VIEW_PLAIN, "%-*s%8s%11s", name_w, "outside", "", view_thousands(ops->insns_outside, n1));
}
