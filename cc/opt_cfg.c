// opt_cfg.c: the graph: branches on constants, chains of blocks, blocks that only jump on, branches that repeat one just taken.
#include "cc/ir.h"

#include <stdlib.h>

static void become_jump(IrFn *fn, IrBlock *b)
{
    IrInsn *t = b->last;
    IrInsn *j = ir_insn_new(fn, IR_JMP, IR_VOID, 0);
    j->line = t->line;
    ir_remove(t);
    ir_append(b, j);
}

// ---- branches on constants

static bool fold_branch(IrFn *fn, IrBlock *b)
{
    IrInsn *t = b->last;
    i64 c;
    if (t->op == IR_BR && ir_is_const(ir_chase(t->args[0]), &c)) {
        ir_remove_edge(b, c ? 1 : 0);
        become_jump(fn, b);
        return true;
    }
    if (t->op == IR_BR && ir_chase(t->args[0])->op == IR_UNDEF) {
        ir_remove_edge(b, 1);
        become_jump(fn, b);
        return true;
    }
    if (t->op == IR_SWITCH && ir_is_const(ir_chase(t->args[0]), &c)) {
        u32 keep = 0;
        bool is_32 = t->args[0]->type == IR_I32;
        for (u32 k = 1; k < b->n_succs; k++)
            if (is_32 ? (i32)t->sw->values[k - 1] == (i32)c : t->sw->values[k - 1] == c) keep = k;
        for (u32 k = b->n_succs; k-- > 0;)
            if (k != keep) ir_remove_edge(b, k);
        become_jump(fn, b);
        return true;
    }
    return false;
}

// ---- a block and its only successor, whose only predecessor it is

static bool has_weak_only(const IrInsn *i) { return i->op == IR_PROBE || i->is_weak; }

static bool merge_with_next(IrFn *fn, IrBlock *b)
{
    if (b->last->op != IR_JMP) return false;
    IrBlock *next = b->succs[0];
    if (next == b || next->n_preds != 1 || next->address_taken || next == fn->hub || next == fn->blocks[0]) return false;
    while (next->first && next->first->op == IR_PHI) ir_replace(next->first, ir_chase(next->first->args[0]));
    ir_remove(b->last);
    for (IrInsn *i = next->first, *after; i; i = after) {
        after = i->next;
        ir_append(b, i);
    }
    next->first = next->last = NULL;
    b->succs = next->succs;
    b->n_succs = next->n_succs;
    for (u32 s = 0; s < b->n_succs; s++)
        for (u32 p = 0; p < b->succs[s]->n_preds; p++)
            if (b->succs[s]->preds[p] == next) b->succs[s]->preds[p] = b;
    next->n_succs = next->n_preds = 0;
    next->is_removed = true;
    b->is_cold |= next->is_cold;
    return true;
}

// ---- blocks that only jump on

static bool is_empty(const IrBlock *b)
{
    const IrInsn *i = b->first;
    while (i && has_weak_only(i)) i = i->next;
    return i && i->op == IR_JMP;
}

static bool is_pred(const IrBlock *b, const IrBlock *p)
{
    for (u32 k = 0; k < b->n_preds; k++)
        if (b->preds[k] == p) return true;
    return false;
}

// Predecessors of the empty b go to its successor directly. With phis there a predecessor must not be one of the successor already.
static bool skip_empty(IrFn *fn, IrBlock *b)
{
    if (b == fn->blocks[0] || b->address_taken || !is_empty(b) || b->succs[0] == b || !b->n_preds) return false;
    IrBlock *to = b->succs[0];
    bool has_phi = to->first->op == IR_PHI, changed = false;
    if (to == fn->hub) return false;
    u32 at = ir_pred_index(to, b);
    for (u32 k = 0; k < b->n_preds;) {
        IrBlock *p = b->preds[k];
        bool is_multi = p->last->op == IR_SWITCH || p->last->op == IR_JTABLE;
        if (p->last->op == IR_IBR || (is_pred(to, p) && (has_phi || !is_multi))) {
            k++;
            continue;
        }
        if (b->is_cold && p->n_succs > 1 && !to->is_cold) { // keeps the hint of __builtin_expect
            k++;
            continue;
        }
        for (u32 s = 0; s < p->n_succs; s++) {
            if (p->succs[s] != b) continue;
            p->succs[s] = to;
            ir_add_pred(fn, to, p);
            for (IrInsn *phi = to->first; phi && phi->op == IR_PHI; phi = phi->next) ir_phi_append(fn, phi, phi->args[at]);
        }
        for (u32 j = 0; j < b->n_preds;)
            if (b->preds[j] == p)
                ir_remove_pred(b, j);
            else
                j++;
        changed = true;
    }
    if (b->n_preds) return changed;
    ir_remove_pred(to, at);
    b->n_succs = 0;
    b->is_removed = true;
    b->first = b->last = NULL;
    return true;
}

// A branch whose two ways end in the same block: p → {b, to}, b empty, no phis that tell them apart.
static bool drop_diamond(IrFn *fn, IrBlock *p)
{
    if (p->last->op != IR_BR) return false;
    for (u32 s = 0; s < 2; s++) {
        IrBlock *b = p->succs[s], *other = p->succs[!s];
        IrBlock *to = is_empty(b) && b->n_preds == 1 && !b->address_taken ? b->succs[0] : NULL;
        if (!to || to == b) continue;
        IrBlock *end = to == other ? other : is_empty(other) && other->n_preds == 1 && !other->address_taken ? other->succs[0] : NULL;
        if (end != to) continue;
        u32 x = ir_pred_index(to, b), y = ir_pred_index(to, to == other ? p : other);
        bool same = true;
        for (IrInsn *phi = to->first; phi && phi->op == IR_PHI; phi = phi->next)
            same &= ir_chase(phi->args[x]) == ir_chase(phi->args[y]);
        if (!same) continue;
        ir_remove_edge(p, s);
        become_jump(fn, p);
        return true;
    }
    return false;
}

// ---- jump threading: a phi of constants that is only branched on

// b: { phi(c0, c1, x…) ; [cmp phi, const] ; br } – a predecessor with a known outcome goes there directly.
static bool thread_jumps(IrFn *fn, IrBlock *b)
{
    IrInsn *t = b->last, *cond = t->op == IR_BR ? ir_chase(t->args[0]) : NULL;
    if (!cond || b->address_taken || b == fn->hub) return false;
    IrInsn *phi = cond, *cmp = NULL;
    i64 rhs = 0, c;
    if (cond->op == IR_CMP && cond->block == b && ir_is_const(cond->args[1], &rhs)) {
        cmp = cond;
        phi = ir_chase(cond->args[0]);
    }
    if (phi->op != IR_PHI || phi->block != b) return false;
    for (IrInsn *i = b->first; i; i = i->next) // nothing else happens here, and nothing made here is used elsewhere
        if (i != phi && i != cmp && i != t && i->op != IR_CONST && !has_weak_only(i)) return false;
    if (phi->n_uses != 1 || (cmp && cmp->n_uses != 1)) return false;
    for (IrInsn *i = b->first; i; i = i->next)
        if (i->op == IR_CONST && i->n_uses > (cmp && cmp->args[1] == i)) return false;
    bool changed = false;
    for (u32 k = 0; k < b->n_preds;) {
        IrBlock *p = b->preds[k];
        if (!ir_is_const(ir_chase(phi->args[k]), &c) || p->last->op == IR_IBR || p == b) {
            k++;
            continue;
        }
        i64 outcome = c;
        if (cmp) {
            IrInsn lhs = {.op = IR_CONST, .type = phi->type, .imm = c}, test = *cmp;
            test.args = test.a_small;
            test.args[0] = &lhs;
            test.args[1] = cmp->args[1];
            if (!ir_fold(&test, &outcome)) return changed;
        }
        IrBlock *to = b->succs[outcome ? 0 : 1];
        if (to == b || is_pred(to, p)) { // a second edge from p is only possible through a block of its own
            k++;
            continue;
        }
        u32 from = ir_pred_index(to, b);
        for (u32 s = 0; s < p->n_succs; s++) {
            if (p->succs[s] != b) continue;
            p->succs[s] = to;
            break;
        }
        ir_add_pred(fn, to, p);
        for (IrInsn *q = to->first; q && q->op == IR_PHI; q = q->next) ir_phi_append(fn, q, q->args[from]);
        ir_remove_pred(b, k);
        changed = true;
    }
    return changed;
}

void ir_simplify_cfg(IrFn *fn)
{
    for (u32 round = 0; round < 6; round++) {
        bool changed = false;
        ir_compute_rpo(fn);
        ir_count_uses(fn);
        for (u32 k = 0; k < fn->n_blocks; k++) {
            IrBlock *b = fn->blocks[k];
            if (b->is_removed || !b->last) continue;
            changed |= fold_branch(fn, b);
            changed |= drop_diamond(fn, b);
            while (merge_with_next(fn, b)) changed = true;
        }
        for (u32 k = 0; k < fn->n_blocks; k++) {
            IrBlock *b = fn->blocks[k];
            if (b->is_removed || !b->last || !b->n_preds) continue;
            changed |= thread_jumps(fn, b);
            if (b->n_preds) changed |= skip_empty(fn, b);
        }
        u32 n = 0;
        for (u32 k = 0; k < fn->n_blocks; k++)
            if (!fn->blocks[k]->is_removed) fn->blocks[n++] = fn->blocks[k];
        fn->n_blocks = n;
        if (!changed) break;
    }
    ir_compute_rpo(fn);
    ir_chase_copies(fn);
}
