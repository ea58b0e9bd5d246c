// lower_builtin.c: __builtin_… : one IR operation, a few, or a call of the libc.
#include "cc/lower.h"

// Builtins that are one operation on their arguments as they are. X(builtin, operation, result type; VOID = type of the first argument)
#define SIMPLE_BUILTINS(X)                                                                                   \
    X(BSWAP32, BSWAP, I32) X(BSWAP64, BSWAP, I64) X(FABS, FABS, F64) X(SQRT, FSQRT, F64) X(FLOOR, FFLOOR, F64)      \
    X(CEIL, FCEIL, F64) X(TRUNC, FTRUNCI, F64) X(RINT, FRINT, F64) X(ROUND, FROUND, F64) X(FABSF, FABS, F32)        \
    X(SQRTF, FSQRT, F32) X(CHERI_ADDRESS_SET, CSETADDR, CAP) X(CHERI_BASE_GET, CBASE, I64)                         \
    X(CHERI_LENGTH_GET, CLENGTH, I64) X(CHERI_OFFSET_GET, COFFSET, I64) X(CHERI_OFFSET_SET, CSETOFFSET, CAP)        \
    X(CHERI_OFFSET_INCREMENT, CADD, CAP) X(CHERI_TAG_CLEAR, CCLRTAG, CAP) X(CHERI_ROUND_LENGTH, CREPLEN, I64)       \
    X(CHERI_ALIGN_MASK, CREPMASK, I64) X(CHERI_BOUNDS_SET, CBOUNDS, CAP) X(CHERI_BOUNDS_SET_EXACT, CBOUNDSX, CAP)   \
    X(CHERI_PERMS_GET, CPERMS, I64) X(CHERI_PERMS_AND, CPERMAND, CAP) X(CHERI_TYPE_GET, CTYPE, I64)                 \
    X(CHERI_SEAL_ENTRY, CSENTRY, CAP) X(CHERI_SEAL, CSEAL, CAP) X(CHERI_UNSEAL, CUNSEAL, CAP)                       \
    X(CHERI_CAP_BUILD, CBUILD, CAP) X(CHERI_TYPE_COPY, CCPYTYPE, CAP) X(CHERI_FLAGS_GET, CFLAGS, I64)               \
    X(CHERI_FLAGS_SET, CSETFLAGS, CAP) X(CHERI_TAGS_LOAD, LOADCAPTAGS, I64) X(MTE_IRG, IRG, VOID)                   \
    X(MTE_GMI, GMI, I64) X(MTE_SUBP, SUBP, I64) X(MTE_LDG, LDG, VOID)

// Results of the operation are I64 0/1, of the builtin _Bool.
#define BOOL_BUILTINS(X)                                                                                     \
    X(CHERI_TAG_GET, CTAG) X(CHERI_EQUAL_EXACT, CEQX) X(CHERI_SUBSET_TEST, CSUBSET) X(CHERI_SEALED_GET, CSEALED)

static IrInsn *simple(Lower *l, Node *n, IrOp op, IrType type)
{
    IrInsn *args[2] = {0};
    for (u32 k = 0; k < n->n_args; k++) args[k] = lower_expr(l, n->args[k]);
    if (type == IR_VOID && op != IR_STG) type = (IrType)args[0]->type;
    IrInsn *i = lower_emit(l, op, type, n->n_args);
    for (u32 k = 0; k < n->n_args; k++) i->args[k] = args[k];
    return i;
}

// ---- memory

// What the pointer's type says about alignment, seen through the cast to void *.
static u32 pointee_align(const Node *n)
{
    while (n->kind == ND_CAST && n->cast == CAST_PTR) n = n->lhs;
    if (n->kind == ND_ADDR && n->lhs->type->align) return n->lhs->type->align;
    return n->type->kind == TY_PTR && n->type->base->align ? n->type->base->align : 1;
}

static IrInsn *libc_call(Lower *l, Node *n, const char *name)
{
    IrInsn *args[3];
    for (u32 k = 0; k < n->n_args; k++) args[k] = lower_expr(l, n->args[k]);
    return lower_runtime_call(l, name, n->type->kind == TY_VOID ? NULL : n->type, n->n_args, args);
}

enum { INLINE_MEMCPY_BYTES = 64 };

// A short copy of known length is inline if it cannot lose a capability tag.
static IrInsn *lower_memcpy(Lower *l, Node *n)
{
    const Node *size = n->args[2];
    while (size->kind == ND_CAST && size->cast == CAST_INT) size = size->lhs;
    if (size->kind != ND_NUM || size->ival < 0 || size->ival > INLINE_MEMCPY_BYTES) return libc_call(l, n, "memcpy");
    u32 a = pointee_align(n->args[0]), b = pointee_align(n->args[1]), align = a < b ? a : b;
    if (l->m->abi == CC_PURECAP && size->ival >= 16 && align < 16) return libc_call(l, n, "memcpy");
    IrInsn *to = lower_expr(l, n->args[0]), *from = lower_expr(l, n->args[1]);
    if (size->ival) {
        IrInsn *i = lower_op2(l, IR_MEMCPY, IR_VOID, to, from);
        i->imm = size->ival;
        i->align = align;
    }
    return to;
}

static IrInsn *lower_memset(Lower *l, Node *n)
{
    const Node *size = n->args[2], *byte = n->args[1];
    while (size->kind == ND_CAST && size->cast == CAST_INT) size = size->lhs;
    bool is_small = size->kind == ND_NUM && size->ival > 0 && size->ival <= INLINE_MEMCPY_BYTES;
    if (!is_small || byte->kind != ND_NUM || byte->ival) return libc_call(l, n, "memset");
    IrInsn *to = lower_expr(l, n->args[0]);
    IrInsn *i = lower_op1(l, IR_MEMZERO, IR_VOID, to);
    i->imm = size->ival;
    i->align = pointee_align(n->args[0]);
    return to;
}

// ---- bits

static IrInsn *bit_count(Lower *l, Node *n, IrOp op)
{
    IrInsn *v = lower_expr(l, n->args[0]);
    v = lower_op1(l, op, (IrType)v->type, v);
    return v->type == IR_I64 ? lower_op1(l, IR_TRUNC, IR_I32, v) : v;
}

// ffs: 1 + number of trailing zeros, 0 for 0.
static IrInsn *find_first_set(Lower *l, Node *n)
{
    IrInsn *v = lower_expr(l, n->args[0]);
    IrType type = (IrType)v->type;
    IrInsn *at = lower_op2(l, IR_ADD, type, lower_op1(l, IR_CTZ, type, v), lower_const(l, type, 1));
    IrInsn *zero = lower_const(l, type, 0);
    IrInsn *i = lower_emit(l, IR_SELECT, type, 3);
    i->args[0] = v;
    i->args[1] = at;
    i->args[2] = zero;
    return type == IR_I64 ? lower_op1(l, IR_TRUNC, IR_I32, i) : i;
}

static IrInsn *parity(Lower *l, Node *n)
{
    IrInsn *v = bit_count(l, n, IR_POPCNT);
    return lower_op2(l, IR_AND, IR_I32, v, lower_const(l, IR_I32, 1));
}

// ---- arithmetic with an overflow bit

static IrInsn *widen(Lower *l, IrInsn *v, bool is_signed)
{
    v = lower_address(l, v);
    return v->type == IR_I64 ? v : lower_op1(l, is_signed ? IR_SEXT32 : IR_ZEXT32, IR_I64, v);
}

// Both operands and the result have 64 bits of one signedness.
static IrInsn *overflow_64(Lower *l, u32 builtin, IrInsn *a, IrInsn *b, bool is_signed, IrInsn **result)
{
    IrInsn *zero = lower_const(l, IR_I64, 0);
    if (builtin == BI_MUL_OVERFLOW) {
        *result = lower_op2(l, IR_MUL, IR_I64, a, b);
        IrInsn *high = lower_op2(l, is_signed ? IR_SMULH : IR_UMULH, IR_I64, a, b);
        if (!is_signed) return lower_cmp(l, IR_NE, high, zero);
        return lower_cmp(l, IR_NE, high, lower_op2(l, IR_ASHR, IR_I64, *result, lower_const(l, IR_I64, 63)));
    }
    bool is_add = builtin == BI_ADD_OVERFLOW;
    IrInsn *r = *result = lower_op2(l, is_add ? IR_ADD : IR_SUB, IR_I64, a, b);
    if (!is_signed) return is_add ? lower_cmp(l, IR_ULT, r, a) : lower_cmp(l, IR_ULT, a, b);
    IrInsn *x = lower_op2(l, IR_XOR, IR_I64, a, is_add ? r : b);
    IrInsn *y = lower_op2(l, IR_XOR, IR_I64, is_add ? b : a, r);
    return lower_cmp(l, IR_SLT, lower_op2(l, IR_AND, IR_I64, x, y), zero);
}

static IrInsn *overflow(Lower *l, Node *n)
{
    const Type *at = n->args[0]->type, *bt = n->args[1]->type, *rt = n->args[2]->type->base;
    bool sa = type_is_signed(at), sb = type_is_signed(bt), sr = type_is_signed(rt);
    IrInsn *a = widen(l, lower_expr(l, n->args[0]), sa), *b = widen(l, lower_expr(l, n->args[1]), sb);
    IrInsn *p = lower_expr(l, n->args[2]), *r, *lost;
    bool a_wide = at->size > 4, b_wide = bt->size > 4, small = !a_wide && !b_wide;
    if (small && n->builtin != BI_MUL_OVERFLOW) {
        r = lower_op2(l, n->builtin == BI_ADD_OVERFLOW ? IR_ADD : IR_SUB, IR_I64, a, b);
        lost = NULL; // 33 bits, exact as signed
        if (rt->size == 8 && !sr) lost = lower_cmp(l, IR_SLT, r, lower_const(l, IR_I64, 0));
    } else if (small && (sa || sb)) {
        r = lower_op2(l, IR_MUL, IR_I64, a, b); // |product| < 2^63
        lost = rt->size == 8 && !sr ? lower_cmp(l, IR_SLT, r, lower_const(l, IR_I64, 0)) : NULL;
    } else if ((!sa || !a_wide) && (!sb || !b_wide) && !sr && !sa && !sb) {
        lost = overflow_64(l, n->builtin, a, b, false, &r);
    } else if ((sa || !a_wide) && (sb || !b_wide) && (sr || rt->size < 8)) {
        lost = overflow_64(l, n->builtin, a, b, true, &r);
    } else {
        lower_fail(l, n->loc, "%s with these mixed operand types is not supported", cc_builtin_name((BuiltinId)n->builtin));
        return lower_const(l, IR_I32, 0);
    }
    IrInsn *stored = lower_convert_int(l, r, rt, true);
    if (rt->size < 8) {
        IrInsn *back = lower_op1(l, sr ? IR_SEXT32 : IR_ZEXT32, IR_I64, stored);
        IrInsn *cut = lower_cmp(l, IR_NE, back, r);
        lost = lost ? lower_op2(l, IR_OR, IR_I32, lost, cut) : cut;
    }
    lower_store(l, lower_place_of(l, p), rt, stored);
    return lost ? lost : lower_const(l, IR_I32, 0);
}

// ---- capabilities

// Seals a0 with a1 unless a1 is untagged, or its address is -1 or out of bounds: then a0 as it is.
static IrInsn *conditional_seal(Lower *l, Node *n)
{
    IrInsn *c = lower_expr(l, n->args[0]), *with = lower_expr(l, n->args[1]);
    IrInsn *sealed = lower_op2(l, IR_CSEAL, IR_CAP, c, with);
    IrInsn *i = lower_op1(l, IR_CTAG, IR_I64, with);
    IrInsn *pick = lower_emit(l, IR_SELECT, IR_CAP, 3);
    pick->args[0] = i;
    pick->args[1] = sealed;
    pick->args[2] = c;
    return pick;
}

static IrInsn *address_get(Lower *l, Node *n) { return lower_address(l, lower_expr(l, n->args[0])); }

static IrInsn *addg(Lower *l, Node *n)
{
    const Node *by = n->args[1];
    while (by->kind == ND_CAST) by = by->lhs;
    IrInsn *p = lower_expr(l, n->args[0]);
    if (by->kind != ND_NUM || by->ival < 0 || by->ival > 15) {
        lower_fail(l, n->loc, "the tag offset must be a constant from 0 to 15");
        return p;
    }
    IrInsn *i = lower_op1(l, IR_ADDG, (IrType)p->type, p);
    i->imm = by->ival;
    return i;
}

static IrInsn *lower_bswap16(Lower *l, Node *n)
{
    IrInsn *v = lower_op1(l, IR_BSWAP, IR_I32, lower_expr(l, n->args[0]));
    return lower_op2(l, IR_LSHR, IR_I32, v, lower_const(l, IR_I32, 16));
}

IrInsn *lower_builtin(Lower *l, Node *n)
{
    switch (n->builtin) {
#define X(name, op, type) case BI_##name: return simple(l, n, IR_##op, IR_##type);
        SIMPLE_BUILTINS(X)
#undef X
#define X(name, op) case BI_##name: return lower_op1(l, IR_TRUNC, IR_I32, simple(l, n, IR_##op, IR_I64));
        BOOL_BUILTINS(X)
#undef X
    case BI_EXPECT: return lower_expr(l, n->args[0]);
    case BI_UNREACHABLE: lower_terminate(l, IR_UNREACHABLE); return NULL;
    case BI_TRAP:
        lower_emit(l, IR_TRAP, IR_VOID, 0);
        lower_terminate(l, IR_UNREACHABLE);
        return NULL;
    case BI_MEMCPY: return lower_memcpy(l, n);
    case BI_MEMMOVE: return libc_call(l, n, "memmove");
    case BI_MEMSET: return lower_memset(l, n);
    case BI_MEMCMP: return libc_call(l, n, "memcmp");
    case BI_STRLEN: return libc_call(l, n, "strlen");
    case BI_ALLOCA: return lower_op1(l, IR_ALLOCA, l->m->ptr_type, lower_expr(l, n->args[0]));
    case BI_FRAME_ADDRESS: return lower_emit(l, IR_FRAMEADDR, l->m->ptr_type, 0);
    case BI_RETURN_ADDRESS: return lower_emit(l, IR_RETADDR, l->m->ptr_type, 0);
    case BI_CLZ: case BI_CLZL: case BI_CLZLL: return bit_count(l, n, IR_CLZ);
    case BI_CTZ: case BI_CTZL: case BI_CTZLL: return bit_count(l, n, IR_CTZ);
    case BI_POPCOUNT: case BI_POPCOUNTL: case BI_POPCOUNTLL: return bit_count(l, n, IR_POPCNT);
    case BI_FFS: case BI_FFSL: case BI_FFSLL: return find_first_set(l, n);
    case BI_PARITY: case BI_PARITYL: case BI_PARITYLL: return parity(l, n);
    case BI_BSWAP16: return lower_bswap16(l, n);
    case BI_ADD_OVERFLOW: case BI_SUB_OVERFLOW: case BI_MUL_OVERFLOW: return overflow(l, n);
    case BI_CHERI_ADDRESS_GET: return address_get(l, n);
    case BI_CHERI_CONDITIONAL_SEAL: return conditional_seal(l, n);
    case BI_CHERI_DDC_GET: return lower_emit(l, IR_CGETDDC, IR_CAP, 0);
    case BI_CHERI_PCC_GET: return lower_emit(l, IR_CGETPCC, IR_CAP, 0);
    case BI_CHERI_STACK_GET: return lower_emit(l, IR_CGETSP, IR_CAP, 0);
    case BI_MTE_ADDG: return addg(l, n);
    case BI_MTE_STG: simple(l, n, IR_STG, IR_VOID); return NULL;
    default:
        lower_fail(l, n->loc, "%s is not supported here", cc_builtin_name((BuiltinId)n->builtin));
        return n->type->kind == TY_VOID ? NULL : lower_emit(l, IR_UNDEF, lower_type(l, n->type), 0);
    }
}
