// isel_cond.c: comparisons and what uses them: branches, selects, values 0 and 1.
#include "cc/isel.h"

#include "base/bits.h"
#include "isa/isa.h"

TCond target_negate(TCond c) { return c ^ 1; }

static TCond machine_cond(IrCond c)
{
    static const u8 map[IR_COND_COUNT] = {
        [IR_EQ] = T_EQ,   [IR_NE] = T_NE,   [IR_SLT] = T_LT,  [IR_SLE] = T_LE,  [IR_SGT] = T_GT,
        [IR_SGE] = T_GE,  [IR_ULT] = T_LO,  [IR_ULE] = T_LS,  [IR_UGT] = T_HI,  [IR_UGE] = T_HS,
        [IR_FEQ] = T_EQ,  [IR_FNE] = T_NE,  [IR_FLT] = T_MI,  [IR_FLE] = T_LS,  [IR_FGT] = T_GT,
        [IR_FGE] = T_GE,  [IR_FNLT] = T_PL, [IR_FNLE] = T_HI, [IR_FNGT] = T_LE, [IR_FNGE] = T_LT};
    return map[c];
}

static MirInsn *emit_flags(Isel *s, TOp op, MirOpnd a, MirOpnd b)
{
    MirInsn *i = isel_emit2(s, op, a, b);
    i->flags = MIR_F_SETS_FLAGS;
    return i;
}

static u8 compare_size(const IrInsn *x) { return x->type == IR_I32 ? 4 : 8; } // capabilities compare addresses

static bool fits_mask(i64 c, u8 size)
{
    IsaFields f = {0};
    return isa_encode_bitmask(size == 4 ? (u32)c : (u64)c, size == 8, &f);
}

// TST for (x & y) compared with 0: eq and ne only, or signed conditions on the sign.
static bool try_test(Isel *s, IrInsn *x, u8 size)
{
    if (x->op != IR_AND || !isel_once(x)) return false;
    IrInsn *a = x->args[0], *b = x->args[1];
    i64 c;
    if (isel_const(a, &c)) { a = x->args[1]; b = x->args[0]; }
    if (isel_const(b, &c) && fits_mask(c, size))
        emit_flags(s, T_TST, isel_use_size(s, a, size), mir_imm(c));
    else {
        MirOpnd left = isel_use_size(s, a, size);
        emit_flags(s, T_TST, left, isel_modified(s, b, size, false));
    }
    return true;
}

// A capability made of the constant first, as clang for Morello does; then an ordinary compare.
static bool habit_compare(Isel *s, IrInsn *x, i64 c)
{
    if (!s->llvm_habits || x->type != IR_CAP || !c) return false;
    MirReg t = isel_new(s, IR_I64), u = isel_new(s, IR_I64);
    isel_movi(s, t, 8, c);
    isel_emit2(s, T_MOV, mir_def(u, 8), mir_use(t, 8));
    emit_flags(s, T_CMP, isel_use_size(s, x, 8), mir_use(u, 8));
    return true;
}

static TCond compare(Isel *s, IrInsn *v)
{
    IrInsn *x = v->args[0], *y = v->args[1];
    IrCond cond = v->cond;
    i64 c;
    if (isel_const(x, &c) && !isel_const(y, &c)) {
        IrInsn *t = x; x = y; y = t;
        cond = ir_cond_swap(cond);
    }
    u8 size = compare_size(x);
    if (isel_const(y, &c)) {
        if (size == 4) c = (i32)c;
        bool sign_or_zero = cond == IR_EQ || cond == IR_NE || cond == IR_SLT || cond == IR_SGE || cond == IR_SGT || cond == IR_SLE;
        if (c == 0 && sign_or_zero && try_test(s, x, size)) return machine_cond(cond);
        if (habit_compare(s, x, c)) return machine_cond(cond);
        if (isel_is_add_imm(c) || (c > INT32_MIN && c < 0 && isel_is_add_imm(-c))) {
            MirOpnd a = isel_use_size(s, x, size);
            emit_flags(s, c < 0 ? T_CMN : T_CMP, a, mir_imm(c < 0 ? -c : c));
            return machine_cond(cond);
        }
    }
    u32 is_shift = x->op == IR_SHL && isel_once(x) && y->op != IR_SHL;
    if (is_shift) {
        IrInsn *t = x; x = y; y = t;
        cond = ir_cond_swap(cond);
    }
    MirOpnd a = isel_use_or_zero(s, x, size);
    emit_flags(s, T_CMP, a, isel_modified(s, y, size, a.kind == MIR_REG));
    return machine_cond(cond);
}

static TCond compare_floats(Isel *s, IrInsn *v)
{
    IrInsn *x = v->args[0], *y = v->args[1];
    MirOpnd a = isel_use(s, x);
    MirOpnd b = y->op == IR_FCONST && y->imm == 0 ? mir_imm(0) : isel_use(s, y);
    emit_flags(s, T_FCMP, a, b);
    return machine_cond(v->cond);
}

TCond isel_flags(Isel *s, IrInsn *cond)
{
    switch (cond->op) {
    case IR_CMP: return compare(s, cond);
    case IR_FCMP: return compare_floats(s, cond);
    case IR_CEQX: {
        MirOpnd a = isel_use(s, cond->args[0]);
        emit_flags(s, T_CHKEQ, a, isel_use(s, cond->args[1]));
        return T_EQ;
    }
    case IR_CSUBSET: { // CHKSS Cn, Cm: is Cn a subset of Cm?
        MirOpnd a = isel_use(s, cond->args[1]);
        emit_flags(s, T_CHKSS, a, isel_use(s, cond->args[0]));
        return T_MI;
    }
    default: break;
    }
    u8 size = compare_size(cond);
    if (!try_test(s, cond, size)) emit_flags(s, T_CMP, isel_use_size(s, cond, size), mir_imm(0));
    return T_NE;
}

static MirInsn *emit_term(Isel *s, TOp op, u32 n)
{
    MirInsn *i = isel_emit(s, op, n);
    i->flags = MIR_F_TERM;
    return i;
}

static void emit_jump(Isel *s, IrBlock *to) { emit_term(s, T_B, 1)->ops[0] = mir_block(s->fn->blocks[to->id]); }

static void branch_zero(Isel *s, IrInsn *x, u8 size, bool if_zero, IrBlock *to)
{
    MirOpnd a = isel_use_size(s, x, size);
    MirInsn *i = emit_term(s, if_zero ? T_CBZ : T_CBNZ, 2);
    i->ops[0] = a;
    i->ops[1] = mir_block(s->fn->blocks[to->id]);
}

static void branch_bit(Isel *s, IrInsn *x, u32 bit, bool if_zero, IrBlock *to)
{
    MirOpnd a = isel_use_size(s, x, bit < 32 ? 4 : 8);
    MirInsn *i = emit_term(s, if_zero ? T_TBZ : T_TBNZ, 3);
    i->ops[0] = a;
    i->ops[1] = mir_imm(bit);
    i->ops[2] = mir_block(s->fn->blocks[to->id]);
}

// Masking a pointer to test a bit, clang for Morello derives a capability with the masked address first.
static bool habit_mask(Isel *s, IrInsn *x, i64 mask, bool if_zero, IrBlock *to)
{
    IrInsn *p = x->args[0];
    if (!s->llvm_habits || p->op != IR_CADDR) return false;
    MirReg t = isel_new(s, IR_I64), u = isel_new(s, IR_CAP);
    MirOpnd a = isel_use(s, p->args[0]);
    isel_emit3(s, T_AND, mir_def(t, 8), isel_use_size(s, p, 8), mir_imm(mask));
    isel_emit3(s, T_SCVALUE, mir_def(u, 16), a, mir_use(t, 8));
    MirInsn *i = emit_term(s, if_zero ? T_CBZ : T_CBNZ, 2);
    i->ops[0] = mir_use(u, 8);
    i->ops[1] = mir_block(s->fn->blocks[to->id]);
    return true;
}

// Branches that need no flags: CBZ, TBZ.
static bool try_direct(Isel *s, IrInsn *c, IrBlock *to)
{
    i64 imm;
    bool if_zero = false;
    if (c->op == IR_CMP) {
        if (!isel_const(c->args[1], &imm)) return false;
        IrInsn *x = c->args[0];
        u8 size = compare_size(x);
        if ((c->cond == IR_SLT || c->cond == IR_SGE) && imm == 0) {
            branch_bit(s, x, size * 8u - 1, c->cond == IR_SGE, to);
            return true;
        }
        bool is_zero = imm == 0 && (c->cond == IR_EQ || c->cond == IR_NE || c->cond == IR_UGT || c->cond == IR_ULE);
        if (!is_zero) return false;
        if_zero = c->cond == IR_EQ || c->cond == IR_ULE;
        c = x;
    }
    if (c->op == IR_CMP || c->op == IR_FCMP || c->op == IR_CEQX || c->op == IR_CSUBSET) return false;
    if (c->op == IR_AND && isel_once(c) && isel_const(c->args[1], &imm)) {
        u64 m = c->type == IR_I32 ? (u32)imm : (u64)imm;
        if (!bits_is_pow2(m)) return false; // TST
        if (!habit_mask(s, c, imm, if_zero, to)) branch_bit(s, c->args[0], (u32)__builtin_ctzll(m), if_zero, to);
        return true;
    }
    if (c->op == IR_AND && isel_once(c)) return false;
    branch_zero(s, c, compare_size(c), if_zero, to);
    return true;
}

static void select_branch(Isel *s, IrInsn *v)
{
    IrBlock *yes = s->ir_block->succs[0], *no = s->ir_block->succs[1];
    IrInsn *c = v->args[0];
    if (!try_direct(s, c, yes)) {
        TCond cond = isel_flags(s, c);
        MirInsn *i = emit_term(s, T_BCOND, 2);
        i->flags |= MIR_F_USES_FLAGS;
        i->ops[0] = mir_imm(cond);
        i->ops[1] = mir_block(s->fn->blocks[yes->id]);
    }
    emit_jump(s, no);
}

// d = cond ? a : b (+1, inverted, negated by op).
static void emit_select(Isel *s, TOp op, MirOpnd d, MirOpnd a, MirOpnd b, TCond cond)
{
    isel_emit4(s, op, d, a, b, mir_imm(cond))->flags = MIR_F_USES_FLAGS;
}

static void select_value_of_flags(Isel *s, IrInsn *v)
{
    MirReg d = isel_reg(s, v);
    TCond cond = isel_flags(s, v);
    emit_select(s, T_CSINC, mir_def(d, 4), mir_imm(0), mir_imm(0), target_negate(cond)); // CSET
}

// x != 0 ? a : b. The values are asked for before the flags are made: computing one may need no instruction in between.
static void select_select(Isel *s, IrInsn *v)
{
    IrInsn *a = v->args[1], *b = v->args[2];
    MirReg d = isel_reg(s, v);
    u8 size = isel_size(v);
    i64 m, n;
    if (isel_is_fp(v->type)) {
        MirOpnd x = isel_use(s, a), y = isel_use(s, b);
        emit_select(s, T_FCSEL, mir_def(d, size), x, y, isel_flags(s, v->args[0]));
        return;
    }
    if (v->type != IR_CAP && isel_const(a, &m) && isel_const(b, &n) && n == 0 && (m == 1 || m == -1)) {
        TCond cond = isel_flags(s, v->args[0]);
        emit_select(s, m == 1 ? T_CSINC : T_CSINV, mir_def(d, size), mir_imm(0), mir_imm(0), target_negate(cond));
        return;
    }
    bool b_is_succ = v->type != IR_CAP && b->op == IR_ADD && isel_once(b) && isel_const(b->args[1], &n) && n == 1;
    bool a_is_succ = !b_is_succ && v->type != IR_CAP && a->op == IR_ADD && isel_once(a) && isel_const(a->args[1], &n) && n == 1;
    if (a_is_succ) a = a->args[0];
    if (b_is_succ) b = b->args[0];
    MirOpnd x = isel_use_or_zero(s, a, size), y = isel_use_or_zero(s, b, size);
    TCond cond = isel_flags(s, v->args[0]);
    TOp op = a_is_succ || b_is_succ ? T_CSINC : T_CSEL;
    if (a_is_succ)
        emit_select(s, op, mir_def(d, size), y, x, target_negate(cond));
    else
        emit_select(s, op, mir_def(d, size), x, y, cond);
}

static void select_jump_table(Isel *s, IrInsn *v)
{
    u32 n = s->ir_block->n_succs;
    MirOpnd index = isel_use_size(s, v->args[0], 8);
    MirReg base = isel_new(s, s->module->ptr_type), offset = isel_new(s, IR_I64);
    MirInsn *i = emit_term(s, T_JTAB, 3 + n);
    i->ops[0] = mir_def(base, (u8)s->t->ptr_bytes);
    i->ops[0].flags |= MIR_EARLY;
    i->ops[1] = mir_def(offset, 8);
    i->ops[1].flags |= MIR_EARLY;
    i->ops[2] = index;
    for (u32 k = 0; k < n; k++) i->ops[3 + k] = mir_block(s->fn->blocks[s->ir_block->succs[k]->id]);
}

bool isel_control(Isel *s, IrInsn *v)
{
    switch (v->op) {
    case IR_CMP: case IR_FCMP: case IR_CEQX: case IR_CSUBSET: select_value_of_flags(s, v); return true;
    case IR_SELECT: select_select(s, v); return true;
    case IR_JMP: emit_jump(s, s->ir_block->succs[0]); return true;
    case IR_BR: select_branch(s, v); return true;
    case IR_JTABLE: select_jump_table(s, v); return true;
    case IR_IBR: {
        MirOpnd to = isel_use_size(s, v->args[0], (u8)s->t->ptr_bytes);
        emit_term(s, T_BR, 1)->ops[0] = to;
        return true;
    }
    case IR_UNREACHABLE: emit_term(s, T_BRK, 1)->ops[0] = mir_imm(1); return true;
    case IR_TRAP: isel_emit(s, T_BRK, 1)->ops[0] = mir_imm(1); return true;
    case IR_LABEL:
        isel_emit2(s, T_LABEL, mir_def(isel_reg(s, v), (u8)s->t->ptr_bytes), mir_block(s->fn->blocks[v->target->id]))->flags =
            MIR_F_REMAT;
        return true;
    default: return false;
    }
}
