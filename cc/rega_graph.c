// rega_graph.c: the interference graph: two vregs are neighbours if one is written while the other is live.
//
// Physical registers are no nodes: a vreg only keeps the mask of those that are live, written or clobbered during its life.
#include "cc/rega.h"

#include <stdlib.h>

enum { MAX_MATRIX = 16384 }; // nodes: 16 MiB of bits

u32 rega_find(Rega *r, u32 v)
{
    while (r->nodes[v].alias != v) v = r->nodes[v].alias = r->nodes[r->nodes[v].alias].alias;
    return v;
}

static size_t matrix_bit(u32 a, u32 b)
{
    if (a < b) {
        u32 t = a;
        a = b, b = t;
    }
    return (size_t)a * (a + 1) / 2 + b;
}

bool rega_interfere(const Rega *r, u32 a, u32 b)
{
    if (r->matrix) {
        size_t bit = matrix_bit(a, b);
        return r->matrix[bit / 64] >> (bit % 64) & 1;
    }
    const RegaList *l = r->nodes[a].adj.len < r->nodes[b].adj.len ? &r->nodes[a].adj : &r->nodes[b].adj;
    u32 other = l == &r->nodes[a].adj ? b : a;
    for (u32 k = 0; k < l->len; k++)
        if (l->at[k] == other) return true;
    return false;
}

void rega_add_edge(Rega *r, u32 a, u32 b)
{
    if (a == b || r->nodes[a].is_fpr != r->nodes[b].is_fpr) return;
    if (rega_interfere(r, a, b)) return;
    if (r->matrix) {
        size_t bit = matrix_bit(a, b);
        r->matrix[bit / 64] |= 1ull << (bit % 64);
    }
    vec_push(&r->nodes[a].adj, b);
    vec_push(&r->nodes[b].adj, a);
}

static void add_hint(Rega *r, u32 v, MirReg phys, double freq)
{
    RegaNode *n = &r->nodes[v];
    for (u32 h = n->hints; h; h = r->hint_list.at[h - 1].next)
        if (r->hint_list.at[h - 1].phys == phys) {
            r->hint_list.at[h - 1].freq += freq;
            return;
        }
    vec_push(&r->hint_list, (RegaHint){.phys = phys, .freq = freq, .next = n->hints});
    n->hints = r->hint_list.len;
}

static void define(Rega *r, const MirInsn *i, const MirOpnd *o, u32 except)
{
    if (o->reg < MIR_FIRST_VREG) {
        u64 bit = 1ull << o->reg;
        for (u32 k = 0; k < r->n_live; k++)
            if (r->live[k] != except) r->nodes[r->live[k]].forbid |= bit;
        return;
    }
    u32 v = rega_index(o->reg);
    for (u32 k = 0; k < r->n_live; k++)
        if (r->live[k] != except) rega_add_edge(r, v, r->live[k]);
    u64 phys = r->live_phys;
    if (i->flags & MIR_F_MOVE && i->ops[1].reg < MIR_FIRST_VREG) phys &= ~(1ull << i->ops[1].reg);
    r->nodes[v].forbid |= phys;
    // Other results of the instruction
    for (u32 k = 0; k < i->n_ops; k++) {
        const MirOpnd *other = &i->ops[k];
        if (other == o || !rega_is_strong(other) || !(other->flags & MIR_DEF)) continue;
        if (other->reg >= MIR_FIRST_VREG)
            rega_add_edge(r, v, rega_index(other->reg));
        else
            r->nodes[v].forbid |= 1ull << other->reg;
    }
}

static void kill_def(Rega *r, const MirOpnd *o)
{
    if (o->reg < MIR_FIRST_VREG)
        r->live_phys &= ~(1ull << o->reg);
    else
        rega_live_remove(r, rega_index(o->reg));
}

static void early_defs(Rega *r, const MirInsn *i)
{
    for (u32 k = 0; k < i->n_ops; k++) {
        const MirOpnd *d = &i->ops[k];
        if (!rega_is_vreg(d) || !(d->flags & MIR_EARLY)) continue;
        for (u32 u = 0; u < i->n_ops; u++) {
            const MirOpnd *o = &i->ops[u];
            if (!rega_is_strong(o) || !(o->flags & MIR_USE) || o->reg == d->reg) continue;
            if (o->reg >= MIR_FIRST_VREG)
                rega_add_edge(r, rega_index(d->reg), rega_index(o->reg));
            else
                r->nodes[rega_index(d->reg)].forbid |= 1ull << o->reg;
        }
    }
}

static void note_move(Rega *r, const MirInsn *i, double freq)
{
    MirReg d = i->ops[0].reg, s = i->ops[1].reg;
    if (d >= MIR_FIRST_VREG && s >= MIR_FIRST_VREG)
        vec_push(&r->moves, (RegaMove){rega_index(d), rega_index(s), freq});
    else if (d >= MIR_FIRST_VREG)
        add_hint(r, rega_index(d), s, freq);
    else if (s >= MIR_FIRST_VREG)
        add_hint(r, rega_index(s), d, freq);
}

static void count(Rega *r, MirInsn *i, double freq)
{
    for (u32 k = 0; k < i->n_ops; k++) {
        const MirOpnd *o = &i->ops[k];
        if (!rega_is_vreg(o) || !rega_is_strong(o)) continue;
        RegaNode *n = &r->nodes[rega_index(o->reg)];
        n->is_referenced = true;
        n->cost += freq;
        if (!(o->flags & MIR_DEF)) continue;
        n->remat = ++n->n_defs == 1 && i->flags & MIR_F_REMAT && !(o->flags & MIR_USE) ? i : NULL;
    }
}

static void scan_block(Rega *r, MirBlock *b)
{
    double freq = b->freq > 1e-3 ? b->freq : 1e-3;
    rega_live_start(r, b);
    for (MirInsn *i = b->last; i; i = i->prev) {
        if (i->flags & MIR_F_PROBE) continue;
        count(r, i, freq);
        u32 except = ~0u;
        if (i->flags & MIR_F_MOVE) {
            note_move(r, i, freq);
            if (i->ops[1].reg >= MIR_FIRST_VREG) except = rega_index(i->ops[1].reg);
        }
        for (u32 k = 0; k < i->n_ops; k++)
            if (rega_is_strong(&i->ops[k]) && i->ops[k].flags & MIR_DEF) define(r, i, &i->ops[k], except);
        for (u32 k = 0; k < i->n_ops; k++)
            if (rega_is_strong(&i->ops[k]) && i->ops[k].flags & MIR_DEF) kill_def(r, &i->ops[k]);
        if (i->clobbers)
            for (u32 k = 0; k < r->n_live; k++) r->nodes[r->live[k]].forbid |= i->clobbers;
        early_defs(r, i);
        for (u32 k = 0; k < i->n_ops; k++) {
            const MirOpnd *o = &i->ops[k];
            if (!rega_is_strong(o) || !(o->flags & MIR_USE)) continue;
            if (o->reg < MIR_FIRST_VREG)
                r->live_phys |= 1ull << o->reg;
            else
                rega_live_add(r, rega_index(o->reg));
        }
    }
}

void rega_build(Rega *r)
{
    r->nodes = xalloc((r->n + 1) * sizeof *r->nodes);
    r->moves.len = r->hint_list.len = 0;
    r->matrix = r->n <= MAX_MATRIX ? xalloc(matrix_bit(r->n, r->n) / 8 + 16) : NULL;
    for (u32 v = 0; v < r->n; v++) {
        const MirVreg *from = &r->fn->vregs.at[v];
        r->nodes[v] = (RegaNode){.alias = v, .color = 0xff, .is_fpr = from->is_fpr, .is_cap = from->is_cap};
    }
    for (u32 n = 0; n < r->fn->n_blocks; n++) scan_block(r, r->fn->blocks[n]);
    for (u32 v = 0; v < r->n; v++)
        if (r->fn->vregs.at[v].no_spill) r->nodes[v].cost = -1;
}
