// opt_rebase.c: addresses relative to the value that lives on.
//
//     %2 = add %1, 8            %2 = add %1, 8         so %1 ends here, and in a loop both can be one register:
//     store [%1 + 8], %3   →    store [%2], %3         the mov at its end is gone
//     phi … %2                  phi … %2
//
// Simplification makes all addresses relative to the oldest base, which shows what is equal; this is undone last, where the old
// base dies in the block and the sum does not.
#include "cc/ir.h"

#include <stdlib.h>

enum { MAX_ADDS = 32, MIN_SHORT = -256, MAX_SHORT = 255, MAX_SCALED = 4095 };

typedef struct Rebase {
    IrFn *fn;
    u32 *number;    // by id: dense number + 1 of the bases and sums in question
    u32 n, words;
    u64 *live_out;  // by block × words
} Rebase;

static bool is_sum(const IrInsn *i)
{
    i64 c;
    return (i->op == IR_ADD || i->op == IR_CADD) && !i->is_weak && ir_is_const(i->args[1], &c);
}

static void number_values(Rebase *r)
{
    for (u32 b = 0; b < r->fn->n_blocks; b++)
        for (IrInsn *i = r->fn->blocks[b]->first; i; i = i->next) {
            if (!is_sum(i)) continue;
            if (!r->number[i->id]) r->number[i->id] = ++r->n;
            if (!r->number[i->args[0]->id]) r->number[i->args[0]->id] = ++r->n;
        }
    r->words = (r->n + 63) / 64;
}

// live_in of b from its live_out, by a scan backwards.
static void live_before(const Rebase *r, const IrBlock *b, const u64 *out, u64 *in)
{
    memcpy(in, out, r->words * sizeof *in);
    for (const IrInsn *i = b->last; i; i = i->prev) {
        u32 d = r->number[i->id];
        if (d) in[(d - 1) / 64] &= ~(1ull << ((d - 1) % 64));
        if (i->op == IR_PHI || i->op == IR_PROBE || i->is_weak) continue;
        for (u32 k = 0; k < i->n_args; k++) {
            u32 u = r->number[i->args[k]->id];
            if (u) in[(u - 1) / 64] |= 1ull << ((u - 1) % 64);
        }
    }
}

static void add_phi_uses(const Rebase *r, const IrBlock *b, u64 *out)
{
    for (u32 s = 0; s < b->n_succs; s++) {
        const IrBlock *to = b->succs[s];
        if (to->first->op != IR_PHI) continue;
        u32 p = ir_pred_index(to, b);
        for (const IrInsn *phi = to->first; phi && phi->op == IR_PHI; phi = phi->next) {
            u32 u = r->number[phi->args[p]->id];
            if (u) out[(u - 1) / 64] |= 1ull << ((u - 1) % 64);
        }
    }
}

static void find_live_out(Rebase *r)
{
    u32 n = r->fn->n_blocks;
    r->live_out = xalloc(((size_t)n * r->words + 1) * sizeof(u64));
    u64 *live_in = xalloc(((size_t)n * r->words + 1) * sizeof(u64)), *in = xalloc((r->words + 1) * sizeof *in);
    for (u32 b = 0; b < n; b++) add_phi_uses(r, r->fn->blocks[b], r->live_out + (size_t)b * r->words);
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 b = n; b-- > 0;) {
            IrBlock *block = r->fn->blocks[b];
            u64 *out = r->live_out + (size_t)b * r->words;
            for (u32 s = 0; s < block->n_succs; s++)
                for (u32 w = 0; w < r->words; w++) out[w] |= live_in[(size_t)block->succs[s]->id * r->words + w];
            live_before(r, block, out, in);
            u64 *old = live_in + (size_t)b * r->words;
            if (!memcmp(old, in, r->words * sizeof *in)) continue;
            memcpy(old, in, r->words * sizeof *in);
            changed = true;
        }
    }
    free(live_in);
    free(in);
}

static bool is_live_out(const Rebase *r, const IrBlock *b, const IrInsn *v)
{
    u32 n = r->number[v->id] - 1;
    return r->live_out[(size_t)b->id * r->words + n / 64] >> (n % 64) & 1;
}

static bool fits(i64 off, i64 bytes)
{
    return (off >= MIN_SHORT && off <= MAX_SHORT) || (off >= 0 && off % bytes == 0 && off / bytes <= MAX_SCALED);
}

static void rebase(IrInsn *i, IrInsn *const *sums, u32 n)
{
    while (n-- > 0) {
        if (sums[n]->args[0] != i->args[0]) continue;
        i64 off = i->imm - sums[n]->args[1]->imm;
        if (!fits(off, ir_mem_bytes((IrMem)i->mem))) continue;
        i->args[0] = sums[n];
        i->imm = off;
        return;
    }
}

void ir_rebase_addresses(IrFn *fn)
{
    ir_compute_rpo(fn);
    Rebase r = {.fn = fn, .number = xalloc((fn->n_ids + 1) * sizeof(u32))};
    number_values(&r);
    if (r.n) find_live_out(&r);
    for (u32 b = 0; r.n && b < fn->n_blocks; b++) {
        IrBlock *block = fn->blocks[b];
        IrInsn *sums[MAX_ADDS];
        u32 n = 0;
        for (IrInsn *i = block->first; i; i = i->next) {
            if (is_sum(i) && n < MAX_ADDS && is_live_out(&r, block, i) && !is_live_out(&r, block, i->args[0])) sums[n++] = i;
            if ((i->op == IR_LOAD || i->op == IR_STORE) && !i->is_weak) rebase(i, sums, n);
        }
    }
    free(r.live_out);
    free(r.number);
}
