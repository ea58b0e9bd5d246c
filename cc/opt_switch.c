// opt_switch.c: SWITCH becomes a binary search over ranges, with jump tables for the dense ones.
//
//     case 1: case 2: case 3: → A; case 7: → B; case 100…140: → many
//     →  v < 100 ?  (v - 1 <=u 2 → A, v == 7 → B)  :  (v - 100 <=u 40 → table)
#include "cc/ir.h"

#include <stdlib.h>

typedef struct Range {
    i64 lo, hi;
    IrBlock *to;
} Range;

typedef struct Ctx {
    IrFn *fn;
    IrInsn *value;
    IrType type;
    IrBlock *from;  // the block of the SWITCH
    IrBlock *other; // default
    IrLine line;
} Ctx;

enum { MIN_TABLE = 5, MAX_TABLE = 2048 };

static IrInsn *emit(Ctx *c, IrBlock *b, IrOp op, IrType type, u32 n_args)
{
    IrInsn *i = ir_insn_new(c->fn, op, type, n_args);
    i->line = c->line;
    ir_append(b, i);
    return i;
}

static IrInsn *emit_const(Ctx *c, IrBlock *b, IrType type, i64 v)
{
    IrInsn *i = emit(c, b, IR_CONST, type, 0);
    i->imm = type == IR_I32 ? (i32)v : v;
    return i;
}

// New edges get the phi args that the edge from the SWITCH has (it stays until the end).
static void add_edges(Ctx *c, IrBlock *b, u32 n, IrBlock **to)
{
    ir_set_succs(c->fn, b, n, to);
    for (u32 k = 0; k < n; k++) {
        IrInsn *phi = to[k]->first;
        if (!phi || phi->op != IR_PHI || b == c->from) continue;
        u32 old = ir_pred_index(to[k], c->from);
        for (; phi && phi->op == IR_PHI; phi = phi->next) ir_phi_append(c->fn, phi, phi->args[old]);
    }
}

static void branch(Ctx *c, IrBlock *b, IrCond cond, IrInsn *x, i64 y, IrBlock *yes, IrBlock *no)
{
    IrInsn *k = emit_const(c, b, (IrType)x->type, y);
    IrInsn *cmp = emit(c, b, IR_CMP, IR_I32, 2);
    cmp->cond = (u8)cond;
    cmp->args[0] = x;
    cmp->args[1] = k;
    emit(c, b, IR_BR, IR_VOID, 1)->args[0] = cmp;
    add_edges(c, b, 2, (IrBlock *[]){yes, no});
}

static IrInsn *rebase(Ctx *c, IrBlock *b, i64 lo)
{
    if (!lo) return c->value;
    IrInsn *k = emit_const(c, b, c->type, lo);
    IrInsn *d = emit(c, b, IR_SUB, c->type, 2);
    d->args[0] = c->value;
    d->args[1] = k;
    return d;
}

static void emit_table(Ctx *c, IrBlock *b, const Range *r, u32 n)
{
    i64 lo = r[0].lo;
    u32 count = (u32)(r[n - 1].hi - lo + 1);
    IrInsn *index = rebase(c, b, lo);
    IrBlock *jump = ir_block_new(c->fn, NULL);
    branch(c, b, IR_ULT, index, count, jump, c->other);
    if (c->type == IR_I32) {
        IrInsn *wide = emit(c, jump, IR_ZEXT32, IR_I64, 1);
        wide->args[0] = index;
        index = wide;
    }
    emit(c, jump, IR_JTABLE, IR_VOID, 1)->args[0] = index;
    IrBlock **to = xalloc(count * sizeof *to);
    for (u32 k = 0, at = 0; k < count; k++) {
        while (r[at].hi < lo + k) at++;
        to[k] = lo + k >= r[at].lo ? r[at].to : c->other;
    }
    add_edges(c, jump, count, to);
    free(to);
}

static bool is_dense(const Range *r, u32 n)
{
    u64 span = (u64)r[n - 1].hi - (u64)r[0].lo, covered = 0;
    if (n < MIN_TABLE || span >= MAX_TABLE) return false;
    for (u32 k = 0; k < n; k++) covered += (u64)(r[k].hi - r[k].lo) + 1;
    return covered * 5 >= (span + 1) * 2;
}

static void emit_tests(Ctx *c, IrBlock *b, const Range *r, u32 n)
{
    if (is_dense(r, n)) {
        emit_table(c, b, r, n);
        return;
    }
    if (n <= 3) {
        for (u32 k = 0; k < n; k++) {
            IrBlock *next = k + 1 < n ? ir_block_new(c->fn, NULL) : c->other;
            if (r[k].to == next) {
                emit(c, b, IR_JMP, IR_VOID, 0);
                add_edges(c, b, 1, &next);
            } else if (r[k].lo == r[k].hi) {
                branch(c, b, IR_EQ, c->value, r[k].lo, r[k].to, next);
            } else {
                branch(c, b, IR_ULE, rebase(c, b, r[k].lo), (i64)((u64)r[k].hi - (u64)r[k].lo), r[k].to, next);
            }
            b = next;
        }
        return;
    }
    u32 half = n / 2;
    IrBlock *low = ir_block_new(c->fn, NULL), *high = ir_block_new(c->fn, NULL);
    branch(c, b, IR_SLT, c->value, r[half].lo, low, high);
    emit_tests(c, low, r, half);
    emit_tests(c, high, r + half, n - half);
}

static int by_value(const void *a, const void *b)
{
    const Range *x = a, *y = b;
    return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static void lower_switch(IrFn *fn, IrBlock *b)
{
    IrInsn *sw = b->last;
    Ctx c = {.fn = fn, .value = sw->args[0], .type = (IrType)sw->args[0]->type, .from = b, .other = b->succs[0], .line = sw->line};
    u32 n = b->n_succs - 1, n_old = b->n_succs, len = 0;
    IrBlock **old = b->succs;
    Range *r = xalloc((n + 1) * sizeof *r);
    for (u32 k = 0; k < n; k++) {
        i64 v = c.type == IR_I32 ? (i32)sw->sw->values[k] : sw->sw->values[k];
        r[k] = (Range){v, v, b->succs[k + 1]};
    }
    qsort(r, n, sizeof *r, by_value);
    for (u32 k = 0; k < n; k++) { // neighbours with one target become one range
        if (r[k].to == c.other) continue;
        if (len && r[len - 1].to == r[k].to && r[len - 1].hi + 1 == r[k].lo)
            r[len - 1].hi = r[k].hi;
        else
            r[len++] = r[k];
    }
    ir_remove(sw);
    IrBlock *first = ir_block_new(fn, NULL); // the tests start in a block of their own, so that all new edges are alike
    if (len)
        emit_tests(&c, first, r, len);
    else {
        emit(&c, first, IR_JMP, IR_VOID, 0);
        add_edges(&c, first, 1, &c.other);
    }
    for (u32 k = 0; k < n_old; k++) ir_remove_pred(old[k], ir_pred_index(old[k], b));
    emit(&c, b, IR_JMP, IR_VOID, 0);
    ir_set_succs(fn, b, 1, &first);
    free(r);
}

void ir_lower_switches(IrFn *fn)
{
    u32 n = fn->n_blocks;
    for (u32 k = 0; k < n; k++)
        if (fn->blocks[k]->last->op == IR_SWITCH) lower_switch(fn, fn->blocks[k]);
}
