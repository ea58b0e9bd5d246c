// opt_ifconv.c: small diamonds and triangles become conditional selects.
//
//     b: br c, t, f    t: %1 = add %0, 1; jmp m    f: jmp m    m: phi(%1, %0)     →     b: %1 = add…; select c, %1, %0; jmp m
//
// Only what is cheap and cannot fault is computed on both ways, and nothing where one way is marked as unlikely.
#include "cc/ir.h"

enum { MAX_SPECULATED = 1, MAX_SELECTS = 2 };

static bool is_cheap(const IrInsn *i)
{
    switch (i->op) {
    case IR_ADD: case IR_SUB: case IR_AND: case IR_OR: case IR_XOR: case IR_SHL: case IR_LSHR: case IR_ASHR: case IR_NEG:
    case IR_NOT: case IR_SEXT8: case IR_SEXT16: case IR_SEXT32: case IR_ZEXT8: case IR_ZEXT16: case IR_ZEXT32: case IR_TRUNC:
    case IR_CADD: case IR_CADDR: case IR_CFROMINT: case IR_CMP: return true;
    default: return false;
    }
}

// Instructions to speculate in a way of the diamond, or -1: not simple.
static i32 cost_of_way(const IrBlock *b)
{
    i32 n = 0;
    for (const IrInsn *i = b->first; i != b->last; i = i->next) {
        if (i->op == IR_CONST || i->op == IR_PROBE || i->is_weak) continue;
        if (!is_cheap(i)) return -1;
        n++;
    }
    return n;
}

static bool is_way(const IrBlock *b, const IrBlock *from)
{
    return b->n_preds == 1 && b->preds[0] == from && b->last->op == IR_JMP && !b->address_taken && !b->is_cold &&
           b->first->op != IR_PHI;
}

// The whole way moves in front of the branch; its probes go, they have no place any more.
static void hoist_way(IrBlock *way, IrInsn *before)
{
    for (IrInsn *i = way->first, *next; i != way->last; i = next) {
        next = i->next;
        ir_remove(i);
        if (i->op != IR_PROBE && !i->is_weak) ir_insert_before(before, i);
    }
}

static bool convert(IrFn *fn, IrBlock *b)
{
    IrInsn *br = b->last;
    if (br->op != IR_BR) return false;
    IrBlock *t = b->succs[0], *f = b->succs[1], *m;
    bool has_t = is_way(t, b), has_f = is_way(f, b);
    if (has_t && has_f && t->succs[0] == f->succs[0])
        m = t->succs[0];
    else if (has_t && t->succs[0] == f)
        m = f, has_f = false;
    else if (has_f && f->succs[0] == t)
        m = t, has_t = false;
    else
        return false;
    if (m == b || m->first->op != IR_PHI) return false;
    i32 x = has_t ? cost_of_way(t) : 0, y = has_f ? cost_of_way(f) : 0;
    if (x < 0 || y < 0 || x + y > MAX_SPECULATED) return false;
    u32 from_t = ir_pred_index(m, has_t ? t : b), from_f = ir_pred_index(m, has_f ? f : b), n = 0;
    for (const IrInsn *p = m->first; p && p->op == IR_PHI; p = p->next) n += p->args[from_t] != p->args[from_f];
    if (n > MAX_SELECTS) return false;
    if (has_t) hoist_way(t, br);
    if (has_f) hoist_way(f, br);
    for (IrInsn *p = m->first; p && p->op == IR_PHI; p = p->next) {
        IrInsn *v = p->args[from_t];
        if (v != p->args[from_f]) {
            v = ir_insn_new(fn, IR_SELECT, (IrType)p->type, 3);
            v->line = br->line;
            v->args[0] = br->args[0];
            v->args[1] = p->args[from_t];
            v->args[2] = p->args[from_f];
            ir_insert_before(br, v);
        }
        p->args[from_t] = v;
    }
    // b jumps to m by the edge of the t side; the other edge goes.
    if (has_f) {
        ir_remove_edge(f, 0);
        f->n_preds = 0;
    } else {
        ir_remove_pred(m, ir_pred_index(m, b));
    }
    from_t = ir_pred_index(m, has_t ? t : b);
    m->preds[from_t] = b;
    if (has_t) t->n_succs = t->n_preds = 0;
    b->succs[0] = m;
    b->n_succs = 1;
    ir_remove(br);
    ir_append(b, ir_insn_new(fn, IR_JMP, IR_VOID, 0));
    return true;
}

void ir_convert_ifs(IrFn *fn)
{
    ir_compute_rpo(fn);
    bool changed = false;
    for (u32 k = fn->n_blocks; k-- > 0;) // inner ones first
        changed |= convert(fn, fn->blocks[k]);
    if (changed) ir_compute_rpo(fn);
}
