// rega.c: register allocation: rounds of liveness, graph, coalescing and colouring until nothing needs to be spilled.
#include "cc/rega.h"

#include <stdlib.h>

enum { MAX_ROUNDS = 40 };

static void free_graph(Rega *r)
{
    for (u32 v = 0; v < r->n; v++) vec_free(&r->nodes[v].adj);
    free(r->nodes);
    free(r->matrix);
    r->nodes = NULL;
    r->matrix = NULL;
}

static void rewrite_insn(Rega *r, MirInsn *i)
{
    for (u32 k = 0; k < i->n_ops; k++) {
        MirOpnd *o = &i->ops[k];
        if (!rega_is_vreg(o)) continue;
        u8 color = r->nodes[rega_find(r, rega_index(o->reg))].color;
        if (color == 0xff) { // only a probe knows it
            CHECK(o->flags & MIR_WEAK, "%%%u of %s has no register", rega_index(o->reg), r->fn->ir->sym->name);
            *o = (MirOpnd){.kind = MIR_NONE};
            continue;
        }
        o->reg = color;
        if (o->flags & MIR_DEF) r->fn->used_regs |= 1ull << color;
    }
}

static void rewrite(Rega *r)
{
    for (u32 n = 0; n < r->fn->n_blocks; n++)
        for (MirInsn *i = r->fn->blocks[n]->first; i; i = i->next) {
            rewrite_insn(r, i);
            r->fn->used_regs |= i->clobbers;
            r->fn->has_calls |= (i->flags & MIR_F_CALL) != 0;
        }
    rega_probe_after(r);
    for (u32 n = 0; n < r->fn->n_blocks; n++)
        for (MirInsn *i = r->fn->blocks[n]->first, *next; i; i = next) {
            next = i->next;
            if (i->flags & MIR_F_MOVE && i->ops[0].reg == i->ops[1].reg) mir_remove(r->fn->blocks[n], i);
        }
}

void mir_allocate(MirFn *fn, const MirTarget *t)
{
    Rega rega = {.fn = fn, .t = t}, *r = &rega;
    for (u32 round = 0;; round++) {
        CHECK(round < MAX_ROUNDS, "register allocation of %s does not end", fn->ir->sym->name);
        r->n = fn->vregs.len;
        rega_liveness(r);
        if (round == 0) rega_probe_before(r);
        rega_build(r);
        rega_free_liveness(r);
        rega_merge(r);
        if (rega_color(r)) break;
        rega_spill(r);
        free_graph(r);
    }
    rewrite(r);
    free_graph(r);
    vec_free(&r->moves);
    vec_free(&r->hint_list);
    vec_free(&r->stale);
}
