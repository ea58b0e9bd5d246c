// rega_color.c: gives every node a register its neighbours do not have.
//
// Nodes with fewer neighbours than registers are taken out first (they can always be coloured afterwards); when none is left, the
// cheapest to spill goes, hoping that its neighbours share colours. Then they come back in reverse order and choose: the
// register a move would like, a caller-saved one, a callee-saved one in use, and only then a new callee-saved one, if
// saving it costs less than spilling the value.
#include "cc/rega.h"

#include <stdlib.h>

typedef struct Order {
    double key;
    u32 node;
} Order;

static int by_key(const void *x, const void *y)
{
    const Order *a = x, *b = y;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

static double spill_key(const RegaNode *n)
{
    if (n->cost < 0) return 1e30;
    double cost = n->remat ? n->cost * 0.5 : n->cost;
    return cost / (n->degree + 1);
}

static bool is_low(const RegaNode *n) { return n->degree < (u32)__builtin_popcountll(n->allowed); }

typedef struct Stack {
    u32 *at;
    u32 len;
} Stack;

static void take_out(Rega *r, Stack *stack, Stack *low, u32 v)
{
    RegaNode *n = &r->nodes[v];
    n->is_removed = true;
    stack->at[stack->len++] = v;
    for (u32 k = 0; k < n->adj.len; k++) {
        RegaNode *t = &r->nodes[n->adj.at[k]];
        if (t->is_removed) continue;
        bool was_low = is_low(t);
        t->degree--;
        if (!was_low && is_low(t)) low->at[low->len++] = n->adj.at[k];
    }
}

static void simplify(Rega *r, Stack *stack)
{
    Stack low = {.at = xalloc((r->n + 1) * sizeof(u32))};
    Order *order = xalloc((r->n + 1) * sizeof *order);
    u32 n_order = 0, next = 0;
    for (u32 v = r->n; v-- > 0;) {
        RegaNode *n = &r->nodes[v];
        if (n->is_removed || !n->is_referenced) continue;
        if (is_low(n))
            low.at[low.len++] = v;
        else
            order[n_order++] = (Order){spill_key(n), v};
    }
    qsort(order, n_order, sizeof *order, by_key);
    for (;;) {
        while (low.len) {
            u32 v = low.at[--low.len];
            if (!r->nodes[v].is_removed) take_out(r, stack, &low, v);
        }
        while (next < n_order && r->nodes[order[next].node].is_removed) next++;
        if (next == n_order) break;
        take_out(r, stack, &low, order[next++].node);
    }
    free(order);
    free(low.at);
}

// ---- choice

typedef struct Choice {
    Rega *r;
    u64 used;            // callee-saved registers in use so far
    RegaList *partners;  // by node: nodes at the other end of moves that stayed
} Choice;

static u64 taken_by_neighbours(Rega *r, const RegaNode *n)
{
    u64 taken = 0;
    for (u32 k = 0; k < n->adj.len; k++) {
        u32 t = n->adj.at[k];
        if (r->nodes[t].alias != t) continue;
        u8 c = r->nodes[t].color;
        if (c != 0xff) taken |= 1ull << c;
    }
    return taken;
}

// Registers that uncoloured neighbours would like more than we do: better left to them.
static u64 wanted_by_neighbours(Rega *r, const RegaNode *n)
{
    u64 wanted = 0;
    u32 most = n->adj.len < 64 ? n->adj.len : 64;
    for (u32 k = 0; k < most; k++) {
        const RegaNode *t = &r->nodes[n->adj.at[k]];
        if (t->color != 0xff || t->is_spilled || t->alias != n->adj.at[k]) continue;
        for (u32 h = t->hints; h; h = r->hint_list.at[h - 1].next) wanted |= 1ull << r->hint_list.at[h - 1].phys;
    }
    return wanted;
}

static u8 by_hint(const Choice *c, u32 v, u64 free_regs)
{
    Rega *r = c->r;
    double gain[MIR_N_PHYS] = {0}, best = 0;
    u8 color = 0xff;
    for (u32 h = r->nodes[v].hints; h; h = r->hint_list.at[h - 1].next)
        gain[r->hint_list.at[h - 1].phys] += r->hint_list.at[h - 1].freq;
    const RegaList *p = &c->partners[v];
    for (u32 k = 0; k < p->len; k++) {
        const RegaMove *m = &r->moves.at[p->at[k]];
        u32 a = rega_find(r, m->dst), b = rega_find(r, m->src), other = a == v ? b : a;
        if (r->nodes[other].color != 0xff) {
            gain[r->nodes[other].color] += m->freq;
        } else {
            for (u32 h = r->nodes[other].hints; h; h = r->hint_list.at[h - 1].next)
                gain[r->hint_list.at[h - 1].phys] += m->freq * 0.5;
        }
    }
    for (u64 bits = free_regs; bits; bits &= bits - 1) {
        u32 reg = (u32)__builtin_ctzll(bits);
        if (gain[reg] > best) best = gain[reg], color = (u8)reg;
    }
    return color;
}

static u8 first_of(const Rega *r, u64 set)
{
    for (const u8 *p = r->t->order; *p != 0xff; p++)
        if (set >> *p & 1) return *p;
    return set ? (u8)__builtin_ctzll(set) : 0xff;
}

// Memory operations a callee-saved register costs per call of the function (they are saved in pairs).
static const double SAVE_RESTORE = 1.2;

static u8 choose(Choice *c, u32 v)
{
    Rega *r = c->r;
    RegaNode *n = &r->nodes[v];
    u64 free_regs = n->allowed & ~taken_by_neighbours(r, n);
    u64 cheap = free_regs & (~r->t->callee_saved | c->used);
    u8 color = by_hint(c, v, cheap);
    if (color != 0xff) return color;
    if (cheap) {
        u64 polite = cheap & ~wanted_by_neighbours(r, n);
        u64 caller = (polite ? polite : cheap) & ~r->t->callee_saved;
        return first_of(r, caller ? caller : polite ? polite : cheap);
    }
    if (!free_regs) return 0xff;
    double spill = n->remat ? n->cost * 0.5 : n->cost;
    if (n->cost >= 0 && spill < SAVE_RESTORE) {
        n->is_cheap = true;
        return 0xff;
    }
    color = by_hint(c, v, free_regs);
    return color != 0xff ? color : first_of(r, free_regs);
}

// Parts of a merged node that found no register: next round they are merged more carefully.
static bool take_apart(Rega *r, u32 v)
{
    if (r->fn->vregs.at[v].is_careful) return false;
    u32 n_parts = 0;
    for (u32 k = 0; k < r->n; k++)
        if (rega_find(r, k) == v) {
            n_parts++;
            r->fn->vregs.at[k].is_careful = 1;
        }
    return n_parts > 1;
}

// A value made by spilling found no register: the cheapest neighbour has to go.
static void evict_neighbour(Rega *r, u32 v)
{
    u32 best = ~0u;
    for (u32 k = 0; k < r->nodes[v].adj.len; k++) {
        u32 t = r->nodes[v].adj.at[k];
        const RegaNode *n = &r->nodes[t];
        if (n->alias != t || n->cost < 0 || n->is_spilled) continue;
        if (best == ~0u || n->cost < r->nodes[best].cost) best = t;
    }
    CHECK(best != ~0u, "no register for a short value in %s", r->fn->ir->sym->name);
    r->nodes[best].is_spilled = true;
}

static void find_partners(Rega *r, RegaList *partners)
{
    for (u32 k = 0; k < r->moves.len; k++) {
        u32 a = rega_find(r, r->moves.at[k].dst), b = rega_find(r, r->moves.at[k].src);
        if (a == b || r->nodes[a].is_fpr != r->nodes[b].is_fpr) continue;
        vec_push(&partners[a], k);
        vec_push(&partners[b], k);
    }
}

static bool select_colors(Rega *r, const Stack *stack)
{
    Choice c = {.r = r, .partners = xalloc((r->n + 1) * sizeof(RegaList))};
    find_partners(r, c.partners);
    bool all = true;
    for (u32 k = stack->len; k-- > 0;) {
        u32 v = stack->at[k];
        RegaNode *n = &r->nodes[v];
        if (n->is_spilled) continue;
        n->color = choose(&c, v);
        if (n->color != 0xff) {
            c.used |= 1ull << n->color;
            continue;
        }
        all = false;
        if (n->cost < 0)
            evict_neighbour(r, v);
        else
            n->is_spilled = true;
    }
    for (u32 v = 0; v < r->n; v++) vec_free(&c.partners[v]);
    free(c.partners);
    return all;
}

bool rega_color(Rega *r)
{
    Stack stack = {.at = xalloc((r->n + 1) * sizeof(u32))};
    simplify(r, &stack);
    bool all = select_colors(r, &stack), apart = false;
    free(stack.at);
    for (u32 v = 0; !all && v < r->n; v++)
        if (r->nodes[v].alias == v && r->nodes[v].is_spilled && !r->nodes[v].is_cheap) apart |= take_apart(r, v);
    for (u32 v = 0; apart && v < r->n; v++) r->nodes[v].is_spilled = false; // first once more with smaller nodes
    return all;
}
