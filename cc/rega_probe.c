// rega_probe.c: where the values are that probes report. Nothing here changes what the code does.
//
// An argument that is live at the probe is wherever its register or slot is. One that died before is still in its register if
// nothing wrote that register since the last instruction that named it, in the same block; else it is lost.
#include "cc/rega.h"

// The last instruction before the probe in its block that reads or writes v.
static MirInsn *find_anchor(MirInsn *probe, MirReg v)
{
    for (MirInsn *i = probe->prev; i; i = i->prev)
        for (u32 k = 0; k < i->n_ops; k++)
            if (i->ops[k].kind == MIR_REG && i->ops[k].reg == v && rega_is_strong(&i->ops[k])) return i;
    return NULL;
}

static void look_at_probe(Rega *r, MirInsn *probe)
{
    for (u32 k = 0; k < probe->n_ops; k++) {
        MirOpnd *o = &probe->ops[k];
        if (!rega_is_vreg(o) || rega_is_live(r, rega_index(o->reg))) continue;
        MirInsn *anchor = find_anchor(probe, o->reg);
        if (!anchor) {
            *o = (MirOpnd){.kind = MIR_NONE};
            continue;
        }
        o->aux = 1; // dead: only rega_probe_after can tell
        vec_push(&r->stale, (RegaStale){probe, anchor, k});
    }
}

void rega_probe_before(Rega *r)
{
    for (u32 n = 0; n < r->fn->n_blocks; n++) {
        MirBlock *b = r->fn->blocks[n];
        bool has_probe = false;
        for (MirInsn *i = b->first; i && !has_probe; i = i->next) has_probe = i->flags & MIR_F_PROBE;
        if (!has_probe) continue;
        rega_live_start(r, b);
        for (MirInsn *i = b->last; i; i = i->prev) {
            if (i->flags & MIR_F_PROBE) {
                look_at_probe(r, i);
                continue;
            }
            for (u32 k = 0; k < i->n_ops; k++)
                if (rega_is_vreg(&i->ops[k]) && i->ops[k].flags & MIR_DEF) rega_live_remove(r, rega_index(i->ops[k].reg));
            for (u32 k = 0; k < i->n_ops; k++)
                if (rega_is_vreg(&i->ops[k]) && i->ops[k].flags & MIR_USE) rega_live_add(r, rega_index(i->ops[k].reg));
        }
    }
}

static bool writes(const MirInsn *i, MirReg phys)
{
    if (i->clobbers >> phys & 1) return true;
    if (i->flags & MIR_F_MOVE && i->ops[0].reg == i->ops[1].reg) return false;
    for (u32 k = 0; k < i->n_ops; k++)
        if (rega_is_strong(&i->ops[k]) && i->ops[k].flags & MIR_DEF && i->ops[k].reg == phys) return true;
    return false;
}

// Is the register of the value's last mention untouched up to the probe?
static bool is_still_there(const RegaStale *s, MirReg phys)
{
    bool is_def = false;
    for (u32 k = 0; k < s->anchor->n_ops; k++) {
        const MirOpnd *o = &s->anchor->ops[k];
        is_def |= o->kind == MIR_REG && o->reg == phys && (o->flags & (MIR_DEF | MIR_USE)) == MIR_DEF;
    }
    bool is_read = false;
    for (u32 k = 0; k < s->anchor->n_ops; k++) {
        const MirOpnd *o = &s->anchor->ops[k];
        is_read |= o->kind == MIR_REG && o->reg == phys && o->flags & MIR_USE;
    }
    if (is_read && writes(s->anchor, phys)) return false; // read v, wrote another value over it
    if (!is_read && !is_def) return false;
    for (const MirInsn *i = s->anchor->next; i != s->probe; i = i->next)
        if (!i || writes(i, phys)) return false;
    return true;
}

void rega_probe_after(Rega *r)
{
    for (u32 k = 0; k < r->stale.len; k++) {
        RegaStale *s = &r->stale.at[k];
        MirOpnd *o = &s->probe->ops[s->opnd];
        if (o->kind == MIR_REG && !is_still_there(s, o->reg)) *o = (MirOpnd){.kind = MIR_NONE};
    }
}
