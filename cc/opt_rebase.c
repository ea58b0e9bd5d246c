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

static void set_bit(u64 *set, u32 bit) { set[bit / 64] |= 1ull << (bit % 64); }

// gen: read before defined; kill: defined here.
static void scan_block(const Rebase *r, const IrBlock *b, u64 *gen, u64 *kill)
{
    for (const IrInsn *i = b->first; i; i = i->next) {
        u32 d = r->number[i->id];
        if (i->op != IR_PHI && i->op != IR_PROBE && !i->is_weak)
            for (u32 k = 0; k < i->n_args; k++) {
                u32 u = r->number[i->args[k]->id];
                if (u && i->args[k]->block != b) set_bit(gen, u - 1);
            }
        if (d) set_bit(kill, d - 1);
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
            if (u) set_bit(out, u - 1);
        }
    }
}

static void find_live_out(Rebase *r)
{
    u32 n = r->fn->n_blocks, words = r->words;
    size_t bytes = ((size_t)n * words + 1) * sizeof(u64);
    u64 *live_in = xalloc(bytes), *kill = xalloc(bytes);
    r->live_out = xalloc(bytes);
    for (u32 b = 0; b < n; b++) {
        add_phi_uses(r, r->fn->blocks[b], r->live_out + (size_t)b * words);
        scan_block(r, r->fn->blocks[b], live_in + (size_t)b * words, kill + (size_t)b * words);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 b = n; b-- > 0;) {
            IrBlock *block = r->fn->blocks[b];
            for (u32 w = 0; w < words; w++) {
                u64 *out = &r->live_out[(size_t)b * words + w], *in = &live_in[(size_t)b * words + w];
                for (u32 s = 0; s < block->n_succs; s++) *out |= live_in[(size_t)block->succs[s]->id * words + w];
                u64 more = *in | (*out & ~kill[(size_t)b * words + w]);
                changed |= more != *in;
                *in = more;
            }
        }
    }
    free(live_in);
    free(kill);
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
