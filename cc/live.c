// live.c: which virtual registers are live at block borders.
//
// Bit sets cover only vregs seen in more than one block (or read before written in their own): most values die in the
// block that makes them, so the sets are small even in a function of hundreds of blocks.
#include "cc/rega.h"

#include <stdlib.h>

static void find_globals(Rega *r)
{
    u32 *home = xalloc((r->n + 1) * sizeof *home); // block + 1 of the first mention
    r->global = xalloc((r->n + 1) * sizeof *r->global);
    r->global_vreg = xalloc((r->n + 1) * sizeof *r->global_vreg);
    r->n_global = 0;
    for (u32 n = 0; n < r->fn->n_blocks; n++) {
        for (MirInsn *i = r->fn->blocks[n]->first; i; i = i->next) {
            for (u32 k = 0; k < i->n_ops; k++) {
                const MirOpnd *o = &i->ops[k];
                if (!rega_is_vreg(o) || !rega_is_strong(o)) continue;
                u32 v = rega_index(o->reg);
                bool is_first = !home[v];
                if (is_first) home[v] = n + 1;
                bool is_foreign = home[v] != n + 1 || (is_first && (o->flags & MIR_USE));
                if (is_foreign && !r->global[v]) {
                    r->global_vreg[r->n_global] = v;
                    r->global[v] = ++r->n_global;
                }
            }
        }
    }
    free(home);
}

static void set_bit(u64 *set, u32 bit) { set[bit / 64] |= 1ull << (bit % 64); }
static void clear_bit(u64 *set, u32 bit) { set[bit / 64] &= ~(1ull << (bit % 64)); }

// gen = read before written; kill = written.
static void scan_block(const Rega *r, const MirBlock *b, u64 *gen, u64 *kill)
{
    for (const MirInsn *i = b->last; i; i = i->prev) {
        for (u32 k = 0; k < i->n_ops; k++) {
            const MirOpnd *o = &i->ops[k];
            if (!rega_is_vreg(o) || !(o->flags & MIR_DEF) || !rega_is_strong(o)) continue;
            u32 g = r->global[rega_index(o->reg)];
            if (!g) continue;
            set_bit(kill, g - 1);
            clear_bit(gen, g - 1);
        }
        for (u32 k = 0; k < i->n_ops; k++) {
            const MirOpnd *o = &i->ops[k];
            if (!rega_is_vreg(o) || !(o->flags & MIR_USE) || !rega_is_strong(o)) continue;
            u32 g = r->global[rega_index(o->reg)];
            if (g) set_bit(gen, g - 1);
        }
    }
}

static void solve(Rega *r, const u64 *kill)
{
    u32 n = r->fn->n_blocks, words = r->set_words, len = 0;
    MirBlock **work = xalloc((n + 1) * sizeof *work);
    bool *queued = xalloc(n + 1);
    for (u32 k = 0; k < n; k++) { // last block on top: backwards is the quick way
        work[len++] = r->fn->blocks[k];
        queued[k] = true;
    }
    while (len) {
        MirBlock *b = work[--len];
        queued[b->id] = false;
        u64 *out = r->live_out + (size_t)b->id * words, *in = r->live_in + (size_t)b->id * words;
        const u64 *k = kill + (size_t)b->id * words;
        bool changed = false;
        for (u32 s = 0; s < b->n_succs; s++) {
            const u64 *from = r->live_in + (size_t)b->succs[s]->id * words;
            for (u32 w = 0; w < words; w++) out[w] |= from[w];
        }
        for (u32 w = 0; w < words; w++) {
            u64 more = (out[w] & ~k[w]) | in[w];
            changed |= more != in[w];
            in[w] = more;
        }
        for (u32 p = 0; changed && p < b->n_preds; p++) {
            MirBlock *pred = b->preds[p];
            if (queued[pred->id]) continue;
            queued[pred->id] = true;
            work[len++] = pred;
        }
    }
    free(work);
    free(queued);
}

// After longjmp the code behind setjmp runs again: what was live at the call must still be in its place, so it stays live
// in every block that can be reached from there.
static void extend_over_second_return(Rega *r, const MirBlock *from, const u64 *live)
{
    u32 n = r->fn->n_blocks, len = 0;
    const MirBlock **work = xalloc((n + 1) * sizeof *work);
    bool *seen = xalloc(n + 1);
    u64 *out = r->live_out + (size_t)from->id * r->set_words;
    for (u32 w = 0; w < r->set_words; w++) out[w] |= live[w];
    work[len++] = from;
    while (len) {
        const MirBlock *b = work[--len];
        for (u32 s = 0; s < b->n_succs; s++) {
            const MirBlock *to = b->succs[s];
            if (seen[to->id]) continue;
            seen[to->id] = true;
            for (u32 w = 0; w < r->set_words; w++) {
                r->live_in[(size_t)to->id * r->set_words + w] |= live[w];
                r->live_out[(size_t)to->id * r->set_words + w] |= live[w];
            }
            work[len++] = to;
        }
    }
    free(work);
    free(seen);
}

static void handle_second_returns(Rega *r)
{
    u64 *live = xalloc((r->set_words + 1) * sizeof *live);
    for (u32 n = 0; n < r->fn->n_blocks; n++) {
        MirBlock *b = r->fn->blocks[n];
        for (MirInsn *call = b->first; call; call = call->next) {
            if (!(call->flags & MIR_F_TWICE)) continue;
            memcpy(live, r->live_out + (size_t)n * r->set_words, r->set_words * sizeof *live);
            for (MirInsn *i = b->last; i != call; i = i->prev)
                for (u32 pass = MIR_DEF; pass <= MIR_USE; pass++)
                    for (u32 k = 0; k < i->n_ops; k++) {
                        const MirOpnd *o = &i->ops[k];
                        if (!rega_is_vreg(o) || !rega_is_strong(o) || !(o->flags & pass)) continue;
                        u32 g = r->global[rega_index(o->reg)];
                        if (g && pass == MIR_DEF) clear_bit(live, g - 1);
                        if (g && pass == MIR_USE) set_bit(live, g - 1);
                    }
            extend_over_second_return(r, b, live);
        }
    }
    free(live);
}

void rega_liveness(Rega *r)
{
    find_globals(r);
    u32 n = r->fn->n_blocks, words = r->set_words = (r->n_global + 63) / 64;
    size_t bytes = ((size_t)n * words + 1) * sizeof(u64);
    u64 *kill = xalloc(bytes);
    r->live_in = xalloc(bytes);
    r->live_out = xalloc(bytes);
    for (u32 k = 0; k < n; k++) {
        CHECK(r->fn->blocks[k]->id == k, "machine blocks are not numbered by position");
        scan_block(r, r->fn->blocks[k], r->live_in + (size_t)k * words, kill + (size_t)k * words);
    }
    solve(r, kill);
    free(kill);
    if (r->fn->ir->calls_returns_twice) handle_second_returns(r);
    r->live = xalloc((r->n + 1) * sizeof *r->live);
    r->live_at = xalloc((r->n + 1) * sizeof *r->live_at);
    r->n_live = 0;
}

void rega_free_liveness(Rega *r)
{
    free(r->global);
    free(r->global_vreg);
    free(r->live_in);
    free(r->live_out);
    free(r->live);
    free(r->live_at);
    r->global = r->global_vreg = r->live = r->live_at = NULL;
    r->live_in = r->live_out = NULL;
}

void rega_live_add(Rega *r, u32 v)
{
    if (rega_is_live(r, v)) return;
    r->live_at[v] = r->n_live;
    r->live[r->n_live++] = v;
}

void rega_live_remove(Rega *r, u32 v)
{
    if (!rega_is_live(r, v)) return;
    u32 last = r->live[--r->n_live];
    r->live[r->live_at[v]] = last;
    r->live_at[last] = r->live_at[v];
}

void rega_live_start(Rega *r, const MirBlock *b)
{
    const u64 *out = r->live_out + (size_t)b->id * r->set_words;
    r->n_live = 0;
    r->live_phys = 0;
    for (u32 w = 0; w < r->set_words; w++)
        for (u64 bits = out[w]; bits; bits &= bits - 1) rega_live_add(r, r->global_vreg[w * 64 + (u32)__builtin_ctzll(bits)]);
}
