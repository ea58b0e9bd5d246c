// opt_layout.c: how often each block runs (a guess), the order of blocks in memory, and the splitting of critical edges.
//
// Order after Pettis and Hansen: the heaviest edges become fall-throughs. Then loops that still jump back to a test at their
// top get it at their bottom.
#include "cc/ir.h"

#include <stdlib.h>

// ---- critical edges: phi copies need a place that belongs to the edge alone

void ir_split_critical(IrFn *fn)
{
    u32 n = fn->n_blocks;
    for (u32 k = 0; k < n; k++) {
        IrBlock *b = fn->blocks[k];
        if (b->n_succs < 2 || b->last->op == IR_IBR) continue;
        for (u32 s = 0; s < b->n_succs; s++) {
            IrBlock *to = b->succs[s];
            if (to->n_preds < 2 || !to->first || to->first->op != IR_PHI) continue;
            IrBlock *mid = ir_split_edge(fn, b, s);
            for (u32 t = s + 1; t < b->n_succs; t++) { // the other entries of a table to the same block
                if (b->succs[t] != to) continue;
                ir_remove_pred(to, ir_pred_index(to, b));
                b->succs[t] = mid;
                ir_add_pred(fn, mid, b);
            }
        }
    }
}

// ---- frequencies

enum { LOOP_TRIPS = 8 };

static bool leads_nowhere(const IrBlock *b) { return b->last->op == IR_UNREACHABLE; }

static void find_cold(IrFn *fn)
{
    for (u32 k = fn->n_blocks; k-- > 0;) {
        IrBlock *b = fn->blocks[k];
        bool all = b->n_succs > 0;
        for (u32 s = 0; s < b->n_succs; s++) all &= b->succs[s]->is_cold && b->succs[s]->rpo > k;
        if (all || leads_nowhere(b)) b->is_cold = true;
    }
    fn->blocks[0]->is_cold = false;
}

// Share of b's executions that go to succs[s].
static double edge_prob(const IrBlock *b, u32 s)
{
    if (b->n_succs == 1) return 1;
    if (b->n_succs > 2) return 1.0 / b->n_succs;
    const IrBlock *x = b->succs[s], *y = b->succs[!s];
    if (x->is_cold != y->is_cold) return x->is_cold ? 0.02 : 0.98;
    if (x->loop_depth != y->loop_depth && (x->loop_depth < b->loop_depth || y->loop_depth < b->loop_depth))
        return x->loop_depth > y->loop_depth ? 0.88 : 0.12;
    bool x_back = x->rpo <= b->rpo, y_back = y->rpo <= b->rpo;
    if (x_back != y_back) return x_back ? 0.88 : 0.12;
    return 0.5;
}

static void compute_freq(IrFn *fn)
{
    for (u32 k = 0; k < fn->n_blocks; k++) {
        IrBlock *b = fn->blocks[k];
        double f = k ? 0 : 1;
        bool is_head = false;
        for (u32 p = 0; p < b->n_preds; p++) {
            IrBlock *from = b->preds[p];
            if (from->rpo >= b->rpo) {
                is_head |= ir_dominates(b, from);
                continue;
            }
            for (u32 s = 0; s < from->n_succs; s++)
                if (from->succs[s] == b) {
                    f += from->freq * edge_prob(from, s);
                    if (from->last->op != IR_IBR && from->last->op != IR_JTABLE) break;
                }
        }
        if (is_head) f *= b == fn->hub ? LOOP_TRIPS * (double)b->n_succs : LOOP_TRIPS;
        if (f > 1e12) f = 1e12;
        b->freq = f;
    }
}

// ---- chains of fall-throughs

typedef struct Edge {
    double weight;
    u32 from, to;
} Edge;

static int by_weight(const void *a, const void *b)
{
    const Edge *x = a, *y = b;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

typedef struct Chains {
    u32 *next, *prev; // by block + 1; 0 = none
    u32 *chain;       // union-find: representative
} Chains;

static u32 find(Chains *c, u32 b)
{
    while (c->chain[b] != b) b = c->chain[b] = c->chain[c->chain[b]];
    return b;
}

static void join_edges(IrFn *fn, Chains *c)
{
    VEC(Edge) edges = {0};
    for (u32 k = 0; k < fn->n_blocks; k++) {
        IrBlock *b = fn->blocks[k];
        if (b->n_succs > 2 || b->last->op == IR_IBR || b->last->op == IR_JTABLE) continue;
        for (u32 s = 0; s < b->n_succs; s++)
            if (b->succs[s]->id && b->succs[s]->is_cold == b->is_cold)
                vec_push(&edges, (Edge){b->freq * edge_prob(b, s), k, b->succs[s]->id});
    }
    if (edges.len) qsort(edges.at, edges.len, sizeof *edges.at, by_weight);
    for (u32 k = 0; k < edges.len; k++) {
        Edge *e = &edges.at[k];
        if (c->next[e->from] || c->prev[e->to] || find(c, e->from) == find(c, e->to)) continue;
        c->next[e->from] = e->to + 1;
        c->prev[e->to] = e->from + 1;
        c->chain[find(c, e->to)] = find(c, e->from);
    }
    vec_free(&edges);
}

// Chains in the order of their first block in reverse post-order, the cold ones last.
static void order_chains(IrFn *fn, Chains *c)
{
    u32 n = fn->n_blocks, len = 0;
    IrBlock **order = arena_array(fn->arena, IrBlock *, n);
    bool *done = xalloc(n + 1);
    for (u32 pass = 0; pass < 2; pass++)
        for (u32 k = 0; k < n; k++) {
            if (done[k] || (pass == 0 && fn->blocks[k]->is_cold)) continue;
            u32 b = k;
            while (c->prev[b]) b = c->prev[b] - 1;
            for (u32 at = b + 1; at; at = c->next[at - 1]) {
                done[at - 1] = true;
                order[len++] = fn->blocks[at - 1];
            }
        }
    CHECK(len == n, "layout lost blocks: %u of %u", len, n);
    memcpy(fn->blocks, order, n * sizeof *order);
    free(done);
}

// ---- loops with the test at the top and a jump at the bottom: the test moves behind the jump

// h …body… l, where l jumps to h, and h leaves the loop or goes on to the next block: h goes behind l. One jump less each time
// round, one more on the way in.
static void rotate(IrFn *fn, u32 at)
{
    IrBlock *h = fn->blocks[at];
    if (!at || h->n_succs != 2 || h->last->op != IR_BR || at + 1 >= fn->n_blocks) return;
    IrBlock *body = fn->blocks[at + 1];
    if (h->succs[0] != body && h->succs[1] != body) return;
    const IrBlock *exit = h->succs[h->succs[0] == body];
    if (exit->loop_depth >= h->loop_depth) return;
    u32 last = at;
    for (u32 p = 0; p < h->n_preds; p++) {
        u32 pos = h->preds[p]->id;
        if (pos > at && h->preds[p]->last->op == IR_JMP && pos > last && h->preds[p]->is_cold == h->is_cold) last = pos;
    }
    if (last == at) return;
    for (u32 k = at; k < last; k++) {
        fn->blocks[k] = fn->blocks[k + 1];
        fn->blocks[k]->id = k;
    }
    fn->blocks[last] = h;
    h->id = last;
}

static void rotate_loops(IrFn *fn)
{
    for (u32 k = 0; k < fn->n_blocks; k++) fn->blocks[k]->id = k;
    for (u32 k = fn->n_blocks; k-- > 0;) rotate(fn, k); // inner loops first
}

void ir_layout(IrFn *fn)
{
    ir_compute_dom(fn);
    ir_compute_loops(fn);
    find_cold(fn);
    compute_freq(fn);
    u32 n = fn->n_blocks;
    Chains c = {xalloc(n * 4 + 4), xalloc(n * 4 + 4), xalloc(n * 4 + 4)};
    for (u32 k = 0; k < n; k++) c.chain[k] = k;
    join_edges(fn, &c);
    order_chains(fn, &c);
    rotate_loops(fn);
    free(c.next);
    free(c.prev);
    free(c.chain);
    ir_renumber(fn);
}
