// rega_merge.c: coalescing: the two sides of a move become one node if they are never live with different values.
//
// Heaviest moves first, all that is possible at first; nodes that then find no register are taken apart, and their parts are only
// merged in the next round if Briggs' or George's test shows that it cannot make colouring harder.
#include "cc/rega.h"

#include <stdlib.h>

static u32 n_colors(const RegaNode *n) { return (u32)__builtin_popcountll(n->allowed); }

static bool is_significant(const RegaNode *n) { return n->degree >= n_colors(n); }

// George: every neighbour of b is a's already or always colourable.
static bool is_safe_george(Rega *r, u32 a, u32 b)
{
    const RegaNode *nb = &r->nodes[b];
    if (nb->forbid & r->nodes[a].allowed) return false;
    for (u32 k = 0; k < nb->adj.len; k++) {
        u32 t = nb->adj.at[k];
        if (r->nodes[t].is_removed) continue;
        if (is_significant(&r->nodes[t]) && !rega_interfere(r, a, t)) return false;
    }
    return true;
}

// Briggs: the merged node has fewer significant neighbours than colours.
static bool is_safe_briggs(Rega *r, u32 a, u32 b)
{
    u32 k = (u32)__builtin_popcountll(r->nodes[a].allowed & r->nodes[b].allowed), n = 0;
    for (u32 side = 0; side < 2; side++) {
        const RegaNode *node = &r->nodes[side ? b : a];
        for (u32 j = 0; j < node->adj.len && n < k; j++) {
            u32 t = node->adj.at[j];
            if (r->nodes[t].is_removed || (side && rega_interfere(r, a, t))) continue;
            n += is_significant(&r->nodes[t]);
        }
    }
    return n < k;
}

static void merge_into(Rega *r, u32 a, u32 b)
{
    RegaNode *na = &r->nodes[a], *nb = &r->nodes[b];
    nb->alias = a;
    nb->is_removed = true;
    for (u32 k = 0; k < nb->adj.len; k++) {
        u32 t = nb->adj.at[k];
        if (r->nodes[t].is_removed) continue;
        if (rega_interfere(r, a, t)) {
            r->nodes[t].degree--;
            continue;
        }
        rega_add_edge(r, a, t);
        na->degree++;
    }
    na->forbid |= nb->forbid;
    na->allowed &= nb->allowed;
    if (nb->cost < 0 || na->cost < 0)
        na->cost = na->cost < nb->cost ? na->cost : nb->cost;
    else
        na->cost += nb->cost;
    na->n_defs += nb->n_defs;
    na->remat = NULL;
    na->is_cap |= nb->is_cap;
    for (u32 h = nb->hints, next; h; h = next) { // hints of both
        RegaHint *hint = &r->hint_list.at[h - 1];
        next = hint->next;
        hint->next = na->hints;
        na->hints = h;
    }
    r->fn->vregs.at[a].is_careful |= r->fn->vregs.at[b].is_careful;
}

static int by_freq(const void *x, const void *y)
{
    const RegaMove *a = x, *b = y;
    if (a->freq != b->freq) return a->freq > b->freq ? -1 : 1;
    if (a->dst != b->dst) return a->dst < b->dst ? -1 : 1;
    return a->src < b->src ? -1 : a->src > b->src;
}

static void try_merge(Rega *r, const RegaMove *m)
{
    u32 a = rega_find(r, m->dst), b = rega_find(r, m->src);
    if (a == b || r->nodes[a].is_fpr != r->nodes[b].is_fpr || rega_interfere(r, a, b)) return;
    if (!(r->nodes[a].allowed & r->nodes[b].allowed)) return;
    if (r->nodes[a].adj.len < r->nodes[b].adj.len) {
        u32 t = a;
        a = b, b = t;
    }
    bool is_careful = r->fn->vregs.at[a].is_careful || r->fn->vregs.at[b].is_careful;
    if (is_careful && !is_safe_george(r, a, b) && !is_safe_george(r, b, a) && !is_safe_briggs(r, a, b)) return;
    // A value made by spilling has a short life; merged into a long one it would be unspillable all along.
    if ((r->nodes[a].cost < 0) != (r->nodes[b].cost < 0) && !is_safe_george(r, a, b) && !is_safe_briggs(r, a, b)) return;
    merge_into(r, a, b);
}

void rega_merge(Rega *r)
{
    u64 fprs = 0xffffffff00000000ull;
    for (u32 v = 0; v < r->n; v++) {
        RegaNode *n = &r->nodes[v];
        n->allowed = r->t->allocatable & (n->is_fpr ? fprs : ~fprs) & ~n->forbid;
        n->degree = n->adj.len;
    }
    if (r->moves.len) qsort(r->moves.at, r->moves.len, sizeof *r->moves.at, by_freq);
    for (u32 k = 0; k < r->moves.len; k++) try_merge(r, &r->moves.at[k]);
}
