// opt_tail.c: returns: each block that jumps to a bare return returns itself; a call whose result is returned becomes a jump.
//
//     b1: %3 = call f; jmp r     b2: jmp r     r: phi(%3, 0); ret     →     b1: %3 = call f (tail); ret %3     b2: ret 0
//
// A tail call gives the frame away, so nothing may point into it.
#include "cc/ir.h"

enum { MAX_COPIES = 12 };

// ---- returns

static bool is_bare_return(const IrBlock *b)
{
    if (b->address_taken || b->last->op != IR_RET || b->n_preds < 2 || b->n_preds > MAX_COPIES) return false;
    for (const IrInsn *i = b->first; i != b->last; i = i->next)
        if (i->op != IR_PHI && i->op != IR_CONST && i->op != IR_PROBE) return false;
    return true;
}

static IrInsn *value_from(IrFn *fn, IrBlock *to, IrInsn *v, const IrBlock *ret, u32 pred)
{
    if (v->block != ret) return v;
    if (v->op == IR_PHI) return v->args[pred];
    IrInsn *c = ir_const(fn, (IrType)v->type, v->imm);
    c->is_weak = v->is_weak;
    ir_append(to, c);
    return c;
}

static void copy_probe(IrFn *fn, IrBlock *to, const IrInsn *probe, u32 pred)
{
    IrInsn *i = ir_insn_new(fn, IR_PROBE, IR_VOID, probe->n_args);
    i->line = probe->line;
    i->probe = probe->probe;
    for (u32 k = 0; k < probe->n_args; k++)
        if (probe->args[k]) i->args[k] = value_from(fn, to, probe->args[k], probe->block, pred);
    ir_append(to, i);
}

static void copy_return(IrFn *fn, IrBlock *b)
{
    IrInsn *ret = b->last;
    for (u32 k = b->n_preds; k-- > 0;) {
        IrBlock *p = b->preds[k];
        if (p->last->op != IR_JMP) continue;
        ir_remove(p->last);
        for (const IrInsn *i = b->first; i != ret; i = i->next)
            if (i->op == IR_PROBE) copy_probe(fn, p, i, k);
        IrInsn *copy = ir_insn_new(fn, IR_RET, IR_VOID, ret->n_args);
        copy->line = ret->line;
        copy->ret_locs = ret->ret_locs;
        for (u32 a = 0; a < ret->n_args; a++) copy->args[a] = value_from(fn, p, ret->args[a], b, k);
        ir_append(p, copy);
        p->n_succs = 0;
        ir_remove_pred(b, k);
    }
}

// ---- tail calls

static const IrInsn *base_of(const IrInsn *p)
{
    while (p->op == IR_ADD || p->op == IR_CADD || p->op == IR_CBOUNDSX || p->op == IR_CBOUNDS || p->op == IR_CSETADDR ||
           p->op == IR_CPERMAND)
        p = p->args[0];
    return p;
}

// Somebody may keep an address inside the frame.
static bool frame_escapes(const IrFn *fn)
{
    for (u32 n = 0; n < fn->n_blocks; n++)
        for (const IrInsn *i = fn->blocks[n]->first; i; i = i->next) {
            if (i->op == IR_PROBE || i->op == IR_LOAD || i->op == IR_MEMCPY || i->op == IR_MEMZERO) continue;
            if (i->op == IR_ALLOCA || i->op == IR_FRAMEADDR || i->op == IR_CGETSP || i->op == IR_ASM) return true;
            bool is_sum = i->op == IR_ADD || i->op == IR_CADD || i->op == IR_CBOUNDSX || i->op == IR_CBOUNDS || i->op == IR_CSETADDR ||
                          i->op == IR_CPERMAND;
            for (u32 k = 0; k < i->n_args; k++) {
                if (k == 0 && (is_sum || i->op == IR_STORE)) continue;
                const IrInsn *b = base_of(i->args[k]);
                if (b->op == IR_SLOT || b->op == IR_INARG) return true;
            }
        }
    return false;
}

static bool returns_result(const IrInsn *ret, const IrInsn *call)
{
    if (ret->n_args == 0) return true;
    if (ret->n_args != call->call->n_results) return false;
    for (u32 k = 0; k < ret->n_args; k++) {
        const IrInsn *v = ret->args[k];
        bool is_it = k == 0 ? v == call : v->op == IR_RESULT && v->args[0] == call && v->imm == k;
        IrLoc a = ret->ret_locs[k], b = call->call->ret_locs[k];
        if (!is_it || a.kind != b.kind || a.n != b.n) return false;
    }
    return true;
}

static void try_tail(IrBlock *b)
{
    IrInsn *ret = b->last, *call = ret->prev;
    while (call && (call->op == IR_PROBE || call->op == IR_RESULT)) call = call->prev;
    if (!call || call->op != IR_CALL) return;
    IrCall *c = call->call;
    if (c->stack_bytes || c->anon_bytes || c->returns_twice || !returns_result(ret, call)) return;
    for (IrInsn *i = call->next, *next; i != ret; i = next) { // what is reported behind the call has no place any more
        next = i->next;
        if (i->op == IR_PROBE) ir_remove(i);
    }
    if (call->next != ret) return; // results in several registers stay as they are
    c->is_tail = true;
}

void ir_make_tail_calls(IrFn *fn)
{
    ir_compute_rpo(fn);
    for (u32 n = 0; n < fn->n_blocks; n++)
        if (is_bare_return(fn->blocks[n])) copy_return(fn, fn->blocks[n]);
    ir_compute_rpo(fn);
    if (fn->calls_returns_twice || fn->has_alloca || frame_escapes(fn)) return;
    for (u32 n = 0; n < fn->n_blocks; n++)
        if (fn->blocks[n]->last->op == IR_RET) try_tail(fn->blocks[n]);
}
