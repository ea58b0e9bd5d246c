// opt_dce.c: dead code: instructions whose value nobody needs, including cycles of phis.
//
// Marks from what has an effect, sweeps the rest. Probes need nothing: their args do not mark, and are lost when the
// value goes; instructions made for a probe stay while everything they read stays, and go in the last run.
#include "cc/ir.h"

#include <stdlib.h>

static bool is_root(const IrInsn *i)
{
    u32 kinds = ir_op_kinds((IrOp)i->op);
    if (i->is_weak) return false;
    if (i->op == IR_PROBE || i->op == IR_PARAM) return false;
    if (i->op == IR_CALL) return !i->call->is_pure;
    if (i->op == IR_ASM) return i->as->is_volatile || !i->as->n_outs || i->as->clobbers_memory;
    return (kinds & (IR_K_WRITE | IR_K_EFFECT | IR_K_TERM)) || i->is_volatile;
}

typedef VEC(IrInsn *) Work;

static void mark(Work *work, IrInsn *i)
{
    if (i->mark) return;
    i->mark = 1;
    vec_push(work, i);
}

// A weak instruction survives if all it reads does. In block order definitions come first (phis are never weak).
static void keep_weak(IrFn *fn)
{
    for (u32 n = 0; n < fn->n_blocks; n++)
        for (IrInsn *i = fn->blocks[n]->first; i; i = i->next) {
            if (!i->is_weak || i->mark || i->op == IR_UNDEF) continue;
            bool keep = true;
            for (u32 k = 0; k < i->n_args; k++) keep &= i->args[k]->mark;
            i->mark = keep;
        }
}

// Narrowing and address-taking keep the value in the same register: the probe can name the source, whose size it knows.
static IrInsn *peel(IrInsn *v)
{
    while (v && v->is_weak &&
           (v->op == IR_TRUNC || v->op == IR_COPY || v->op == IR_CADDR || v->op == IR_CFROMINT || v->op == IR_ZEXT32 ||
            v->op == IR_ZEXT8 || v->op == IR_SEXT8 || v->op == IR_ZEXT16 || v->op == IR_SEXT16))
        v = v->args[0];
    return v;
}

// A constant needs no register to be reported.
static bool is_only_weak(const IrInsn *i) { return i->is_weak && i->op != IR_CONST; }

static void sweep(IrBlock *b, bool is_last)
{
    for (IrInsn *i = b->first, *next; i; i = next) {
        next = i->next;
        if (i->op == IR_PROBE) {
            for (u32 k = 0; k < i->n_args; k++) {
                if (is_last) i->args[k] = peel(i->args[k]);
                if (i->args[k] && (!i->args[k]->mark || (is_last && is_only_weak(i->args[k])))) i->args[k] = NULL;
            }
        } else if (!i->mark || (is_last && is_only_weak(i))) {
            ir_remove(i);
        }
    }
}

void ir_remove_dead(IrFn *fn, bool is_last)
{
    ir_compute_rpo(fn);
    Work work = {0};
    for (u32 n = 0; n < fn->n_blocks; n++)
        for (IrInsn *i = fn->blocks[n]->first; i; i = i->next)
            if (is_root(i)) mark(&work, i);
    while (work.len) {
        IrInsn *i = work.at[--work.len];
        for (u32 k = 0; k < i->n_args; k++) mark(&work, i->args[k]);
    }
    vec_free(&work);
    keep_weak(fn);
    for (u32 n = 0; n < fn->n_blocks; n++) sweep(fn->blocks[n], is_last);
    for (u32 n = 0; n < fn->n_blocks; n++)
        for (IrInsn *i = fn->blocks[n]->first; i; i = i->next) i->mark = 0;
}
