// rega_spill.c: nodes without a register live in a stack slot, or are computed again at each use (constants, addresses).
//
// Each use gets a reload into a short new vreg, each definition a store behind it. Uses close together share one reload.
#include "cc/rega.h"

#include <stdlib.h>

enum { SHARE_DISTANCE = 8 }; // instructions

typedef struct Cached {
    u32 block, call_count; // valid only in this block (+ 1) and before the next call
    u32 position;
    MirReg reg;
} Cached;

typedef struct Spill {
    Rega *r;
    MirBlock *b;
    Cached *cache; // by node
    u32 position, call_count;
} Spill;

static u32 spilled_node(Spill *s, const MirOpnd *o)
{
    if (!rega_is_vreg(o) || rega_index(o->reg) >= s->r->n) return ~0u;
    u32 v = rega_find(s->r, rega_index(o->reg));
    return s->r->nodes[v].is_spilled ? v : ~0u;
}

static u32 slot_of(Spill *s, u32 node)
{
    RegaNode *n = &s->r->nodes[node];
    if (!n->slot) {
        u32 bytes = n->is_cap ? 16 : 8;
        vec_push(&s->r->fn->slots, (MirSlot){.size = bytes, .align = bytes, .is_used = true});
        n->slot = s->r->fn->slots.len;
    }
    return n->slot - 1;
}

static MirReg new_vreg(Spill *s, u32 node)
{
    const RegaNode *n = &s->r->nodes[node];
    MirReg v = mir_vreg(s->r->fn, n->is_fpr, n->is_cap);
    s->r->fn->vregs.at[rega_index(v)].no_spill = 1;
    return v;
}

static void remember(Spill *s, u32 node, MirReg reg)
{
    s->cache[node] = (Cached){s->b->id + 1, s->call_count, s->position, reg};
}

static void load_into(Spill *s, MirInsn *at, MirReg dst, u32 node)
{
    RegaNode *n = &s->r->nodes[node];
    MirInsn *i;
    if (n->remat) {
        i = mir_insn(s->r->fn, n->remat->op, n->remat->n_ops);
        MirOpnd *ops = i->ops;
        *i = *n->remat;
        i->ops = ops;
        i->prev = i->next = NULL;
        memcpy(ops, n->remat->ops, i->n_ops * sizeof *ops);
        for (u32 k = 0; k < i->n_ops; k++)
            if (rega_is_vreg(&ops[k])) ops[k].reg = dst;
    } else {
        i = s->r->t->make_reload(s->r->fn, dst, slot_of(s, node), n->is_fpr, n->is_cap);
    }
    i->line = at->line;
    mir_insert_before(s->b, at, i);
}

static MirReg reload(Spill *s, MirInsn *at, u32 node)
{
    Cached *c = &s->cache[node];
    if (c->block == s->b->id + 1 && c->call_count == s->call_count && s->position - c->position <= SHARE_DISTANCE) {
        c->position = s->position;
        return c->reg;
    }
    MirReg v = new_vreg(s, node);
    load_into(s, at, v, node);
    remember(s, node, v);
    return v;
}

static void store_after(Spill *s, MirInsn *at, MirReg src, u32 node)
{
    const RegaNode *n = &s->r->nodes[node];
    MirInsn *i = s->r->t->make_spill(s->r->fn, src, slot_of(s, node), n->is_fpr, n->is_cap);
    i->line = at->line;
    mir_insert_after(s->b, at, i);
}

// A move from or to memory is just the load or the store. True if i is gone.
static bool spill_move(Spill *s, MirInsn *i)
{
    if (!(i->flags & MIR_F_MOVE)) return false;
    u32 d = spilled_node(s, &i->ops[0]), src = spilled_node(s, &i->ops[1]);
    if (d == ~0u && src == ~0u) return false;
    if (d == src) {
        mir_remove(s->b, i);
        return true;
    }
    if (d != ~0u && s->r->nodes[d].remat) return false;
    if (src != ~0u && d == ~0u) {
        load_into(s, i, i->ops[0].reg, src);
    } else {
        MirReg from = src == ~0u ? i->ops[1].reg : reload(s, i, src);
        store_after(s, i, from, d);
        s->cache[d].block = 0;
    }
    mir_remove(s->b, i);
    return true;
}

static void spill_insn(Spill *s, MirInsn *i)
{
    for (u32 k = 0; k < i->n_ops; k++) { // all uses before any definition changes the cache
        u32 node = spilled_node(s, &i->ops[k]);
        if (node == ~0u || !(i->ops[k].flags & MIR_USE)) continue;
        MirReg old = i->ops[k].reg, v = reload(s, i, node);
        if (i->ops[k].flags & MIR_DEF) { // written too: not a copy that others share
            s->cache[node].block = 0;
            store_after(s, i, v, node);
        }
        for (u32 j = k; j < i->n_ops; j++)
            if (i->ops[j].kind == MIR_REG && i->ops[j].reg == old && i->ops[j].flags & MIR_USE) i->ops[j].reg = v;
    }
    if (i->flags & MIR_F_CALL) s->call_count++;
    for (u32 k = 0; k < i->n_ops; k++) {
        u32 node = spilled_node(s, &i->ops[k]);
        if (node == ~0u || !(i->ops[k].flags & MIR_DEF)) continue;
        if (s->r->nodes[node].remat == i) {
            mir_remove(s->b, i);
            return;
        }
        MirReg v = new_vreg(s, node);
        i->ops[k].reg = v;
        store_after(s, i, v, node);
        remember(s, node, v);
    }
}

// A probe argument in a spilled node is in its slot, if it is still alive there.
static void spill_probe(Spill *s, MirInsn *i)
{
    for (u32 k = 0; k < i->n_ops; k++) {
        u32 node = spilled_node(s, &i->ops[k]);
        if (node == ~0u) continue;
        bool is_lost = s->r->nodes[node].remat || i->ops[k].aux;
        i->ops[k] = is_lost ? (MirOpnd){.kind = MIR_NONE} : mir_slot(slot_of(s, node), 0);
    }
}

void rega_spill(Rega *r)
{
    Spill s = {.r = r, .cache = xalloc((r->n + 1) * sizeof *s.cache)};
    for (u32 n = 0; n < r->fn->n_blocks; n++) {
        s.b = r->fn->blocks[n];
        for (MirInsn *i = s.b->first, *next; i; i = next) {
            next = i->next;
            s.position++;
            if (i->flags & MIR_F_PROBE)
                spill_probe(&s, i);
            else if (!spill_move(&s, i))
                spill_insn(&s, i);
        }
    }
    free(s.cache);
}
