// isel.c: the driver of instruction selection: order, values in registers, phis (isel.h has the idea).
#include "cc/isel.h"

// ---- machine instructions

MirInsn *isel_emit(Isel *s, TOp op, u32 n_ops)
{
    MirInsn *i = mir_insn(s->fn, (u16)op, n_ops);
    i->line = s->line;
    mir_insert_before(s->b, s->at, i);
    return i;
}

MirInsn *isel_emit2(Isel *s, TOp op, MirOpnd d, MirOpnd a)
{
    MirInsn *i = isel_emit(s, op, 2);
    i->ops[0] = d;
    i->ops[1] = a;
    return i;
}

MirInsn *isel_emit3(Isel *s, TOp op, MirOpnd d, MirOpnd a, MirOpnd b)
{
    MirInsn *i = isel_emit(s, op, 3);
    i->ops[0] = d;
    i->ops[1] = a;
    i->ops[2] = b;
    return i;
}

MirInsn *isel_emit4(Isel *s, TOp op, MirOpnd d, MirOpnd a, MirOpnd b, MirOpnd c)
{
    MirInsn *i = isel_emit(s, op, 4);
    i->ops[0] = d;
    i->ops[1] = a;
    i->ops[2] = b;
    i->ops[3] = c;
    return i;
}

void isel_move(Isel *s, MirReg dst, MirReg src, bool is_fpr, bool is_cap)
{
    mir_insert_before(s->b, s->at, s->t->mir.make_move(s->fn, dst, src, is_fpr, is_cap));
}

void isel_movi(Isel *s, MirReg dst, u8 size, i64 v)
{
    if (size == 4) v = (u32)v;
    isel_emit2(s, T_MOVI, mir_def(dst, size == 16 ? 8 : size), mir_imm(v))->flags = MIR_F_REMAT;
}

// ---- values

MirReg isel_new(Isel *s, IrType type) { return mir_vreg(s->fn, isel_is_fp(type), type == IR_CAP); }

static MirReg reg_of(Isel *s, const IrInsn *v)
{
    if (!s->vregs[v->id]) s->vregs[v->id] = isel_new(s, v->type);
    return s->vregs[v->id];
}

MirReg isel_reg(Isel *s, IrInsn *v)
{
    s->is_needed[v->id] = true;
    return reg_of(s, v);
}

bool isel_const(const IrInsn *v, i64 *imm)
{
    if (v->op == IR_CADDR && v->args[0]->op == IR_CONST) v = v->args[0];
    if (v->op != IR_CONST) return false;
    *imm = v->type == IR_I32 ? (i32)v->imm : v->imm;
    return true;
}

bool isel_is_plain(const IrInsn *v)
{
    switch (v->op) {
    case IR_PARAM: case IR_CALL: case IR_RESULT: case IR_PHI: case IR_COPY: case IR_TRUNC: case IR_UNDEF:
    case IR_CADDR: case IR_ASM: return false;
    default: return !isel_is_fp(v->type) && v->type != IR_CAP;
    }
}

bool isel_is_zero_extended(const IrInsn *v)
{
    if (v->op == IR_COPY) return isel_is_zero_extended(v->args[0]);
    return v->type == IR_I32 && isel_is_plain(v);
}

// The value whose register holds the bits of v's view: conversions that cost nothing are looked through.
static IrInsn *behind(IrInsn *v)
{
    for (;;) {
        bool is_free = v->op == IR_COPY || v->op == IR_CADDR || v->op == IR_TRUNC ||
                       (v->op == IR_ZEXT32 && v->args[0]->type == IR_I32 && isel_is_zero_extended(v->args[0]));
        if (!is_free) return v;
        v = v->args[0];
    }
}

MirReg isel_weak_reg(const Isel *s, IrInsn *v)
{
    v = behind(v);
    return s->is_needed[v->id] ? s->vregs[v->id] : 0;
}

MirOpnd isel_use_size(Isel *s, IrInsn *v, u8 size) { return mir_use(isel_reg(s, behind(v)), size); }

MirOpnd isel_use(Isel *s, IrInsn *v)
{
    if (v->op == IR_CFROMINT && isel_is_plain(behind(v->args[0])) && !s->llvm_habits)
        return isel_use_size(s, v->args[0], 16);
    return isel_use_size(s, v, isel_size(v));
}

MirOpnd isel_use_or_zero(Isel *s, IrInsn *v, u8 size)
{
    i64 c;
    if (isel_const(v, &c) && c == 0) return mir_imm(0);
    return size == 16 ? isel_use(s, v) : isel_use_size(s, v, size);
}

void isel_value_to(Isel *s, MirReg dst, IrInsn *v)
{
    i64 c;
    if (v->op == IR_UNDEF) {
        isel_movi(s, dst, 8, 0);
        return;
    }
    if (!isel_is_fp(v->type) && isel_const(v, &c)) {
        isel_movi(s, dst, isel_size(v), c);
        return;
    }
    if (v->op == IR_GADDR) {
        s->t->select_global(s, v, dst);
        return;
    }
    MirOpnd from = isel_use(s, v);
    IrInsn *root = behind(v->op == IR_CFROMINT && from.size == 16 ? v->args[0] : v);
    bool is_cap = v->type == IR_CAP, is_fp = isel_is_fp(v->type);
    if (is_fp || is_cap == (root->type == IR_CAP))
        isel_move(s, dst, from.reg, is_fp, is_cap);
    else // between the views of one register: an X move makes a null-derived capability
        isel_emit2(s, T_MOV, mir_def(dst, 8), mir_use(from.reg, 8));
}

// ---- one instruction

static void select_const(Isel *s, IrInsn *v)
{
    if (v->op == IR_FCONST) {
        u8 size = isel_size(v);
        isel_emit2(s, T_FMOVI, mir_def(isel_reg(s, v), size), mir_imm(v->imm))->flags = v->imm ? 0 : MIR_F_REMAT;
    } else {
        isel_movi(s, isel_reg(s, v), v->op == IR_UNDEF ? 8 : isel_size(v), v->op == IR_UNDEF ? 0 : v->imm);
    }
}

static void select_free(Isel *s, IrInsn *v)
{
    IrInsn *root = behind(v);
    MirOpnd from = isel_use_size(s, root, 8);
    bool is_cap = v->type == IR_CAP;
    if ((root->type == IR_CAP) != is_cap)
        isel_emit2(s, T_MOV, mir_def(isel_reg(s, v), 8), mir_use(from.reg, 8));
    else
        isel_move(s, isel_reg(s, v), from.reg, isel_is_fp(v->type), is_cap);
}

static void select_insn(Isel *s, IrInsn *v)
{
    bool has_effect = ir_op_kinds(v->op) & (IR_K_WRITE | IR_K_EFFECT | IR_K_TERM) || v->is_volatile;
    if (v->is_weak || (!has_effect && !s->is_needed[v->id])) return;
    s->line = v->line;
    switch (v->op) {
    case IR_NOP: case IR_PHI: case IR_RESULT: return; // phis: with their block; results: with their call
    case IR_CONST: case IR_FCONST: case IR_UNDEF: select_const(s, v); return;
    case IR_COPY: case IR_CADDR: case IR_TRUNC: select_free(s, v); return;
    case IR_GADDR: s->t->select_global(s, v, isel_reg(s, v)); return;
    default: break;
    }
    bool ok = isel_arith(s, v) || isel_memory(s, v) || isel_float(s, v) || isel_control(s, v) || isel_call(s, v) ||
              s->t->select_cap(s, v);
    CHECK(ok, "no machine instruction for %s", ir_op_name(v->op));
}

// ---- phis: t = value in each predecessor, v = t in the block (mir.h)

static MirReg phi_register(Isel *s, IrInsn *phi)
{
    if (!s->phi_in[phi->id]) s->phi_in[phi->id] = isel_new(s, phi->type);
    return s->phi_in[phi->id];
}

static void feed_phis(Isel *s, IrBlock *b)
{
    for (u32 n = 0; n < b->n_succs; n++) {
        IrBlock *succ = b->succs[n];
        for (IrInsn *phi = succ->first; phi && phi->op == IR_PHI; phi = phi->next)
            for (u32 k = 0; k < succ->n_preds; k++)
                if (succ->preds[k] == b && phi->args[k]->op != IR_UNDEF) {
                    isel_value_to(s, phi_register(s, phi), phi->args[k]);
                    break;
                }
    }
}

static void select_block(Isel *s, IrBlock *b)
{
    s->ir_block = b;
    s->b = s->fn->blocks[b->id];
    s->at = NULL;
    IrInsn *v = b->last;
    CHECK(v && ir_op_kinds(v->op) & IR_K_TERM, "block %u has no terminator", b->id);
    select_insn(s, v);
    s->at = s->b->first;
    feed_phis(s, b);
    s->at = s->b->first;
    for (v = v->prev; v && v->op != IR_PHI; v = v->prev) {
        select_insn(s, v);
        s->at = s->b->first;
    }
    for (; v; v = v->prev) {
        isel_move(s, reg_of(s, v), phi_register(s, v), isel_is_fp(v->type), v->type == IR_CAP);
        s->at = s->b->first;
    }
}

typedef struct Walk {
    IrBlock **order;
    u32 n;
    u8 *seen;
} Walk;

// Post-order without recursion: a block is written when all its successors were entered.
static void post_order(IrFn *fn, Walk *w)
{
    u32 depth = 0;
    struct {
        IrBlock *b;
        u32 next;
    } *stack = arena_alloc(fn->arena, (fn->n_blocks + 1) * sizeof *stack);
    stack[depth].b = fn->blocks[0];
    stack[depth++].next = 0;
    w->seen[fn->blocks[0]->id] = 1;
    while (depth) {
        IrBlock *b = stack[depth - 1].b;
        if (stack[depth - 1].next == b->n_succs) {
            w->order[w->n++] = b;
            depth--;
            continue;
        }
        IrBlock *to = b->succs[stack[depth - 1].next++];
        if (w->seen[to->id]) continue;
        w->seen[to->id] = 1;
        stack[depth].b = to;
        stack[depth++].next = 0;
    }
}

MirFn *isel_function(const Target *t, IrModule *m, IrFn *ir)
{
    ir_renumber(ir);
    ir_count_uses(ir);
    Isel s = {.t = t, .module = m, .ir = ir, .fn = mir_fn_new(ir), .is_c64 = t->abi == CC_PURECAP,
              .llvm_habits = t->abi == CC_PURECAP && m->profile == CC_LLVM_MORELLO};
    s.vregs = arena_array(ir->arena, MirReg, ir->n_ids);
    s.phi_in = arena_array(ir->arena, MirReg, ir->n_ids);
    s.load_into = arena_array(ir->arena, IrInsn *, ir->n_ids);
    s.fn->aux = arena_new(ir->arena, TFrame);
    s.is_needed = arena_array(ir->arena, bool, ir->n_ids);
    Walk w = {.order = arena_array(ir->arena, IrBlock *, ir->n_blocks), .seen = arena_array(ir->arena, u8, ir->n_blocks)};
    post_order(ir, &w);
    for (u32 n = 0; n < w.n; n++) select_block(&s, w.order[n]);
    isel_patch_probes(&s);
    return s.fn;
}
