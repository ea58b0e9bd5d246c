// lower_expr.c: expressions: scalar values, struct values, conditions.
#include "cc/lower.h"

static u32 int_bits(IrType t) { return t == IR_I64 ? 64 : 32; }

IrInsn *lower_address(Lower *l, IrInsn *v)
{
    return v->type == IR_CAP ? lower_op1(l, IR_CADDR, IR_I64, v) : v;
}

// ---- conversions

IrInsn *lower_convert_int(Lower *l, IrInsn *v, const Type *to, bool from_signed)
{
    if (to->size == 8) {
        if (v->type == IR_I64) return v;
        return lower_op1(l, from_signed ? IR_SEXT32 : IR_ZEXT32, IR_I64, v);
    }
    if (v->type == IR_I64) v = lower_op1(l, IR_TRUNC, IR_I32, v);
    if (to->size == 4) return v;
    bool is_signed = type_is_signed(to);
    IrOp op = to->size == 1 ? (is_signed ? IR_SEXT8 : IR_ZEXT8) : (is_signed ? IR_SEXT16 : IR_ZEXT16);
    return lower_op1(l, op, IR_I32, v);
}

// v != 0 as I32.
static IrInsn *truth(Lower *l, IrInsn *v)
{
    if (v->op == IR_CMP || v->op == IR_FCMP) return v;
    if (v->type == IR_F32 || v->type == IR_F64) return lower_cmp(l, IR_FNE, v, lower_emit(l, IR_FCONST, (IrType)v->type, 0));
    v = lower_address(l, v);
    return lower_cmp(l, IR_NE, v, lower_const(l, (IrType)v->type, 0));
}

static IrInsn *lower_cast(Lower *l, Node *n)
{
    const Type *from = n->lhs->type, *to = n->type;
    if (n->cast == CAST_VOID) {
        lower_expr(l, n->lhs);
        return NULL;
    }
    IrInsn *v = lower_expr(l, n->lhs);
    if (!v) return NULL;
    switch (n->cast) {
    case CAST_INT:
        if (to->is_cap) return v->type == IR_CAP ? v : lower_op1(l, IR_CFROMINT, IR_CAP, v);
        return lower_convert_int(l, lower_address(l, v), to, type_is_signed(from));
    case CAST_BOOL: return truth(l, v);
    case CAST_INT_FLT: {
        v = lower_address(l, v);
        return lower_op1(l, type_is_signed(from) ? IR_SITOF : IR_UITOF, lower_type(l, to), v);
    }
    case CAST_FLT_INT: {
        bool is_wide = to->size >= 8;
        IrInsn *i = lower_op1(l, type_is_signed(to) ? IR_FTOSI : IR_FTOUI, is_wide ? IR_I64 : IR_I32, v);
        return is_wide ? i : lower_convert_int(l, i, to, true);
    }
    case CAST_FLT: return from->kind == to->kind ? v : lower_op1(l, IR_FCVT, lower_type(l, to), v);
    case CAST_PTR: return v;
    case CAST_PTR_INT: return lower_convert_int(l, lower_address(l, v), to, false);
    case CAST_INT_PTR:
        if (v->type == IR_I32) v = lower_op1(l, type_is_signed(from) ? IR_SEXT32 : IR_ZEXT32, IR_I64, v);
        return to->is_cap && v->type != IR_CAP ? lower_op1(l, IR_CFROMINT, IR_CAP, v) : v;
    default: UNREACHABLE("cast %d", (int)n->cast);
    }
}

// ---- operators

static IrOp int_op(NodeKind kind, bool is_unsigned)
{
    switch (kind) {
    case ND_ADD: return IR_ADD;
    case ND_SUB: return IR_SUB;
    case ND_MUL: return IR_MUL;
    case ND_DIV: return is_unsigned ? IR_UDIV : IR_SDIV;
    case ND_MOD: return is_unsigned ? IR_UREM : IR_SREM;
    case ND_AND: return IR_AND;
    case ND_OR: return IR_OR;
    case ND_XOR: return IR_XOR;
    case ND_SHL: return IR_SHL;
    case ND_SHR: return is_unsigned ? IR_LSHR : IR_ASHR;
    default: UNREACHABLE("operator %d", (int)kind);
    }
}

static IrInsn *int_binary(Lower *l, NodeKind kind, bool is_unsigned, IrType type, IrInsn *a, IrInsn *b)
{
    if ((kind == ND_SHL || kind == ND_SHR) && b->type != type)
        b = lower_op1(l, type == IR_I64 ? IR_ZEXT32 : IR_TRUNC, type, b);
    return lower_op2(l, int_op(kind, is_unsigned), type, a, b);
}

// Operators of __intcap: on the addresses, back into the capability of the side that has provenance.
static IrInsn *intcap_binary(Lower *l, Node *n)
{
    IrInsn *a = lower_expr(l, n->lhs), *b = lower_expr(l, n->rhs);
    if (!a || !b) return NULL;
    IrInsn *from = n->prov ? b : a;
    IrInsn *v = int_binary(l, n->kind, !type_is_signed(n->type), IR_I64, lower_address(l, a), lower_address(l, b));
    if (from->type != IR_CAP) return lower_op1(l, IR_CFROMINT, IR_CAP, v);
    return lower_op2(l, IR_CSETADDR, IR_CAP, from, v);
}

static IrInsn *binary(Lower *l, Node *n)
{
    if (type_is_intcap(n->type)) return intcap_binary(l, n);
    IrInsn *a = lower_expr(l, n->lhs), *b = lower_expr(l, n->rhs);
    if (!a || !b) return NULL;
    IrType type = lower_type(l, n->type);
    if (type_is_float(n->type)) {
        static const u8 ops[] = {[ND_ADD] = IR_FADD, [ND_SUB] = IR_FSUB, [ND_MUL] = IR_FMUL, [ND_DIV] = IR_FDIV};
        return lower_op2(l, (IrOp)ops[n->kind], type, a, b);
    }
    return int_binary(l, n->kind, !type_is_signed(n->type), type, a, b);
}

static IrInsn *unary(Lower *l, Node *n)
{
    IrInsn *v = lower_expr(l, n->lhs);
    if (!v) return NULL;
    if (type_is_float(n->type)) return lower_op1(l, IR_FNEG, (IrType)v->type, v);
    IrInsn *i = lower_address(l, v);
    i = lower_op1(l, n->kind == ND_NEG ? IR_NEG : IR_NOT, (IrType)i->type, i);
    return v->type == IR_CAP ? lower_op2(l, IR_CSETADDR, IR_CAP, v, i) : i;
}

static IrInsn *compare(Lower *l, Node *n)
{
    IrInsn *a = lower_expr(l, n->lhs), *b = lower_expr(l, n->rhs);
    if (!a || !b) return NULL;
    u32 k = n->kind - ND_EQ;
    if (type_is_float(n->lhs->type)) return lower_cmp(l, (IrCond[]){IR_FEQ, IR_FNE, IR_FLT, IR_FLE}[k], a, b);
    bool is_signed = type_is_signed(n->lhs->type);
    return lower_cmp(l, (IrCond[]){IR_EQ, IR_NE, is_signed ? IR_SLT : IR_ULT, is_signed ? IR_SLE : IR_ULE}[k],
                     lower_address(l, a), lower_address(l, b));
}

static IrInsn *widen_index(Lower *l, IrInsn *v)
{
    v = lower_address(l, v);
    return v->type == IR_I32 ? lower_op1(l, IR_SEXT32, IR_I64, v) : v;
}

static IrInsn *pointer_add(Lower *l, Node *n)
{
    IrInsn *p = lower_expr(l, n->lhs), *i = widen_index(l, lower_expr(l, n->rhs));
    i64 c;
    if (ir_is_const(i, &c)) return lower_add_const(l, p, (i64)((u64)c * n->scale));
    if (n->scale != 1) i = lower_op2(l, IR_MUL, IR_I64, i, lower_const(l, IR_I64, (i64)n->scale));
    return lower_add_bytes(l, p, i);
}

static IrInsn *pointer_diff(Lower *l, Node *n)
{
    IrInsn *a = lower_address(l, lower_expr(l, n->lhs)), *b = lower_address(l, lower_expr(l, n->rhs));
    IrInsn *d = lower_op2(l, IR_SUB, IR_I64, a, b);
    return n->scale > 1 ? lower_op2(l, IR_SDIV, IR_I64, d, lower_const(l, IR_I64, (i64)n->scale)) : d;
}

// ---- assignment

// The value as the place holds it afterwards: a bit-field drops the upper bits.
static IrInsn *stored_value(Lower *l, Place p, IrInsn *v)
{
    if (!p.bitfield) return v;
    const Member *m = p.bitfield;
    IrType type = (IrType)v->type;
    IrInsn *by = lower_const(l, type, int_bits(type) - m->bit_width);
    v = lower_op2(l, IR_SHL, type, v, by);
    return lower_op2(l, type_is_signed(m->type) ? IR_ASHR : IR_LSHR, type, v, by);
}

// Long double and __int128 have no arithmetic, but they are copied.
static bool is_blob(const Type *t)
{
    return type_is_record(t) || t->kind == TY_LDOUBLE || t->kind == TY_INT128 || t->kind == TY_UINT128;
}

static IrInsn *assign(Lower *l, Node *n)
{
    if (is_blob(n->type) && (type_is_record(n->type) || n->rhs->kind == ND_LOAD)) {
        Place from = lower_record(l, n->rhs);
        lower_copy(l, lower_place(l, n->lhs), from, n->type);
        return NULL;
    }
    IrInsn *v = lower_expr(l, n->rhs);
    if (!v) return NULL;
    Place p = lower_place(l, n->lhs);
    lower_store(l, p, n->lhs->type, v);
    return stored_value(l, p, v);
}

static IrInsn *update(Lower *l, Node *n)
{
    Place p = lower_place(l, n->lhs);
    IrInsn *old = lower_load(l, p, n->lhs->type);
    vec_push(&l->olds, old);
    n->ir = l->olds.len;
    IrInsn *v = lower_expr(l, n->rhs);
    lower_store(l, p, n->lhs->type, v);
    return n->is_post ? old : stored_value(l, p, v);
}

// ---- control flow in expressions

void lower_cond(Lower *l, Node *n, IrBlock *yes, IrBlock *no)
{
    lower_at(l, n->loc);
    if (n->kind == ND_LAND || n->kind == ND_LOR) {
        IrBlock *mid = lower_block(l);
        lower_cond(l, n->lhs, n->kind == ND_LAND ? mid : yes, n->kind == ND_LAND ? no : mid);
        l->block = mid;
        lower_cond(l, n->rhs, yes, no);
    } else if (n->kind == ND_LNOT) {
        lower_cond(l, n->lhs, no, yes);
    } else if (n->kind == ND_CAST && n->cast == CAST_BOOL) {
        lower_cond(l, n->lhs, yes, no);
    } else if (n->kind == ND_COMMA) {
        lower_expr(l, n->lhs);
        lower_cond(l, n->rhs, yes, no);
    } else if (n->kind == ND_BUILTIN && n->builtin == BI_EXPECT) {
        Node *want = n->args[1];
        while (want->kind == ND_CAST) want = want->lhs;
        if (want->kind == ND_NUM) (want->ival ? no : yes)->is_cold = true;
        lower_cond(l, n->args[0], yes, no);
    } else if (n->kind == ND_CAST && n->cast == CAST_INT && type_is_integer(n->type) && type_is_integer(n->lhs->type) &&
               n->type->size >= n->lhs->type->size) {
        lower_cond(l, n->lhs, yes, no); // a widening cast does not change the truth: finds && and ! behind (long)
    } else {
        IrInsn *v = lower_expr(l, n);
        if (v) lower_branch(l, truth(l, v), yes, no);
    }
}

static IrInsn *logical(Lower *l, Node *n)
{
    IrBlock *yes = lower_block(l), *no = lower_block(l), *end = lower_block(l);
    lower_cond(l, n, yes, no);
    l->block = yes;
    IrInsn *one = lower_const(l, IR_I32, 1);
    lower_jump(l, end);
    l->block = no;
    IrInsn *zero = lower_const(l, IR_I32, 0);
    lower_jump(l, end);
    l->block = end;
    IrInsn *phi = lower_phi(l, IR_I32, 2);
    phi->args[0] = one;
    phi->args[1] = zero;
    return phi;
}

static IrInsn *conditional(Lower *l, Node *n)
{
    IrBlock *yes = lower_block(l), *no = lower_block(l), *end = lower_block(l);
    lower_cond(l, n->cond, yes, no);
    l->block = yes;
    IrInsn *a = lower_expr(l, n->lhs);
    lower_jump(l, end);
    l->block = no;
    IrInsn *b = lower_expr(l, n->rhs);
    lower_jump(l, end);
    l->block = end;
    if (!a || !b || n->type->kind == TY_VOID) return NULL;
    IrInsn *phi = lower_phi(l, (IrType)a->type, 2);
    phi->args[0] = a;
    phi->args[1] = b;
    return phi;
}

static Place conditional_record(Lower *l, Node *n)
{
    IrBlock *yes = lower_block(l), *no = lower_block(l), *end = lower_block(l);
    u32 slot = lower_new_slot(l, n->type->size, n->type->align, NULL);
    lower_cond(l, n->cond, yes, no);
    for (u32 k = 0; k < 2; k++) {
        l->block = k ? no : yes;
        Place from = lower_record(l, k ? n->rhs : n->lhs);
        lower_copy(l, lower_slot_place(l, slot, n->type->size), from, n->type);
        lower_jump(l, end);
    }
    l->block = end;
    return lower_slot_place(l, slot, n->type->size);
}

// ---- the two entry points

Place lower_record(Lower *l, Node *n)
{
    Place p = {0};
    switch (n->kind) {
    case ND_LOAD: return lower_place(l, n->lhs);
    case ND_CALL: lower_call(l, n, &p); return p;
    case ND_COND: return conditional_record(l, n);
    case ND_COMMA:
        lower_expr(l, n->lhs);
        return lower_record(l, n->rhs);
    case ND_STMT_EXPR:
        lower_stmt(l, n->body);
        return lower_record(l, n->lhs);
    case ND_ASSIGN: {
        Place from = lower_record(l, n->rhs);
        p = lower_place(l, n->lhs);
        lower_copy(l, p, from, n->type);
        return p;
    }
    case ND_VA_ARG: lower_va_arg(l, lower_expr(l, n->lhs), n->type, &p); return p;
    case ND_CAST: return lower_record(l, n->lhs);
    case ND_VAR: case ND_DEREF: case ND_MEMBER: return lower_place(l, n);
    default: UNREACHABLE("struct value of node kind %d", (int)n->kind);
    }
}

static IrInsn *float_const(Lower *l, Node *n)
{
    IrType type = lower_type(l, n->type);
    IrInsn *i = lower_emit(l, IR_FCONST, type, 0);
    if (type == IR_F32) {
        float f = (float)n->fval;
        memcpy(&i->imm, &f, sizeof f);
    } else {
        memcpy(&i->imm, &n->fval, sizeof n->fval);
    }
    return i;
}

static IrInsn *label_addr(Lower *l, Node *n)
{
    IrInsn *i = lower_emit(l, IR_LABEL, l->m->ptr_type, 0);
    i->target = lower_label_block(l, n->label);
    return i;
}

static IrInsn *va_operation(Lower *l, Node *n)
{
    IrInsn *ap = lower_expr(l, n->lhs);
    if (n->kind == ND_VA_START) lower_va_start(l, ap);
    if (n->kind == ND_VA_ARG) return lower_va_arg(l, ap, n->type, NULL);
    if (n->kind == ND_VA_COPY) {
        bool is_pure = l->m->abi == CC_PURECAP;
        IrInsn *i = lower_op2(l, IR_MEMCPY, IR_VOID, ap, lower_expr(l, n->rhs));
        i->imm = is_pure ? 16 : 32;
        i->align = is_pure ? 16 : 8;
    }
    return NULL;
}

IrInsn *lower_expr(Lower *l, Node *n)
{
    lower_at(l, n->loc);
    if (n->type && type_is_record(n->type) && n->kind != ND_ASSIGN) {
        lower_record(l, n); // for its effects
        return NULL;
    }
    switch (n->kind) {
    case ND_NUM: return lower_const(l, lower_type(l, n->type), n->ival);
    case ND_FLT: return float_const(l, n);
    case ND_ADDR: return lower_pointer(l, lower_place(l, n->lhs));
    case ND_LABEL_ADDR: return label_addr(l, n);
    case ND_LOAD: return lower_load(l, lower_place(l, n->lhs), n->type);
    case ND_OLD: return l->olds.at[n->owner->ir - 1];
    case ND_ADD: case ND_SUB: case ND_MUL: case ND_DIV: case ND_MOD: case ND_AND: case ND_OR: case ND_XOR:
    case ND_SHL: case ND_SHR: return binary(l, n);
    case ND_NEG: case ND_NOT: return unary(l, n);
    case ND_EQ: case ND_NE: case ND_LT: case ND_LE: return compare(l, n);
    case ND_LNOT: {
        IrInsn *v = truth(l, lower_expr(l, n->lhs));
        return lower_cmp(l, IR_EQ, v, lower_const(l, IR_I32, 0));
    }
    case ND_LAND: case ND_LOR: return logical(l, n);
    case ND_COND: return conditional(l, n);
    case ND_COMMA:
        lower_expr(l, n->lhs);
        return lower_expr(l, n->rhs);
    case ND_PTRADD: return pointer_add(l, n);
    case ND_PTRDIFF: return pointer_diff(l, n);
    case ND_CAST: return lower_cast(l, n);
    case ND_ASSIGN: return assign(l, n);
    case ND_UPDATE: return update(l, n);
    case ND_CALL: return lower_call(l, n, NULL);
    case ND_BUILTIN: return lower_builtin(l, n);
    case ND_VA_START: case ND_VA_COPY: case ND_VA_END: case ND_VA_ARG: return va_operation(l, n);
    case ND_STMT_EXPR:
        lower_stmt(l, n->body);
        return n->lhs ? lower_expr(l, n->lhs) : NULL;
    case ND_PROBE: lower_probe(l, n); return NULL;
    default: UNREACHABLE("node kind %d as a value", (int)n->kind);
    }
}
