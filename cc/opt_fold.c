// opt_fold.c: what is known of values: the result of an operation on constants, and which bits can be one.
#include "cc/ir.h"

#include <math.h>

bool ir_is_power_of_2(i64 v, u32 *log2)
{
    if (v <= 0 || (v & (v - 1))) return false;
    *log2 = (u32)__builtin_ctzll((u64)v);
    return true;
}

static u64 width_mask(IrType t) { return t == IR_I32 ? 0xffffffffull : ~0ull; }

static u64 zext(i64 v, IrType t) { return (u64)v & width_mask(t); }
static i64 sext(i64 v, IrType t) { return t == IR_I32 ? (i32)v : v; }

static bool compare(IrCond c, i64 a, i64 b, IrType t)
{
    u64 ua = zext(a, t), ub = zext(b, t);
    i64 sa = sext(a, t), sb = sext(b, t);
    switch (c) {
    case IR_EQ: return ua == ub;
    case IR_NE: return ua != ub;
    case IR_SLT: return sa < sb;
    case IR_SLE: return sa <= sb;
    case IR_SGT: return sa > sb;
    case IR_SGE: return sa >= sb;
    case IR_ULT: return ua < ub;
    case IR_ULE: return ua <= ub;
    case IR_UGT: return ua > ub;
    default: return ua >= ub;
    }
}

static i64 divide(IrOp op, i64 a, i64 b, IrType t)
{
    bool is_rem = op == IR_SREM || op == IR_UREM;
    if (op == IR_UDIV || op == IR_UREM) {
        u64 x = zext(a, t), y = zext(b, t);
        u64 q = y ? x / y : 0;
        return (i64)(is_rem ? x - q * y : q);
    }
    i64 x = sext(a, t), y = sext(b, t);
    i64 q = y == 0 ? 0 : y == -1 ? (i64)(0 - (u64)x) : x / y;
    return is_rem ? (i64)((u64)x - (u64)q * (u64)y) : q;
}

static bool fold_binary(const IrInsn *i, i64 a, i64 b, i64 *out)
{
    IrType t = (IrType)i->type;
    u64 x = (u64)a, y = (u64)b;
    u32 by = (u32)(y & (t == IR_I32 ? 31 : 63));
    switch (i->op) {
    case IR_ADD: *out = (i64)(x + y); break;
    case IR_SUB: *out = (i64)(x - y); break;
    case IR_MUL: *out = (i64)(x * y); break;
    case IR_SDIV: case IR_UDIV: case IR_SREM: case IR_UREM: *out = divide((IrOp)i->op, a, b, t); break;
    case IR_UMULH: *out = (i64)(u64)(((u128)x * y) >> 64); break;
    case IR_SMULH: *out = (i64)(((i128)a * b) >> 64); break;
    case IR_AND: *out = (i64)(x & y); break;
    case IR_OR: *out = (i64)(x | y); break;
    case IR_XOR: *out = (i64)(x ^ y); break;
    case IR_SHL: *out = (i64)(x << by); break;
    case IR_LSHR: *out = (i64)(zext(a, t) >> by); break;
    case IR_ASHR: *out = sext(a, t) >> by; break;
    case IR_CMP: *out = compare((IrCond)i->cond, a, b, (IrType)i->args[0]->type); break;
    case IR_CADD: *out = (i64)(x + y); break; // of a null-derived capability
    case IR_CSETADDR: *out = b; break;
    default: return false;
    }
    *out = sext(*out, t);
    return true;
}

static bool fold_unary(const IrInsn *i, i64 a, i64 *out)
{
    IrType t = (IrType)i->type, from = (IrType)i->args[0]->type;
    u64 x = zext(a, from);
    u32 bits = from == IR_I32 ? 32 : 64;
    switch (i->op) {
    case IR_COPY: case IR_CADDR: case IR_CFROMINT: *out = a; break;
    case IR_NEG: *out = (i64)(0 - (u64)a); break;
    case IR_NOT: *out = ~a; break;
    case IR_CLZ: *out = x ? __builtin_clzll(x) - (64 - (int)bits) : (int)bits; break;
    case IR_CTZ: *out = x ? __builtin_ctzll(x) : (int)bits; break;
    case IR_POPCNT: *out = __builtin_popcountll(x); break;
    case IR_BSWAP: *out = (i64)(bits == 32 ? __builtin_bswap32((u32)x) : __builtin_bswap64(x)); break;
    case IR_SEXT8: *out = (i8)a; break;
    case IR_SEXT16: *out = (i16)a; break;
    case IR_SEXT32: case IR_TRUNC: *out = (i32)a; break;
    case IR_ZEXT8: *out = (u8)a; break;
    case IR_ZEXT16: *out = (u16)a; break;
    case IR_ZEXT32: *out = (u32)a; break;
    default: return false;
    }
    *out = sext(*out, t);
    return true;
}

// ---- floating point: the host rounds as the machine does; NaN results are left to the machine

static double float_of(const IrInsn *i)
{
    if (i->type == IR_F32) {
        float f;
        memcpy(&f, &i->imm, sizeof f);
        return (double)f;
    }
    double d;
    memcpy(&d, &i->imm, sizeof d);
    return d;
}

static bool put_float(IrType t, double d, i64 *out)
{
    if (isnan(d)) return false;
    *out = 0;
    if (t == IR_F32) {
        float f = (float)d;
        memcpy(out, &f, sizeof f);
    } else {
        memcpy(out, &d, sizeof d);
    }
    return true;
}

static bool compare_floats(IrCond c, double a, double b)
{
    switch (c) {
    case IR_FEQ: return a == b;
    case IR_FNE: return !(a == b);
    case IR_FLT: return a < b;
    case IR_FLE: return a <= b;
    case IR_FGT: return a > b;
    case IR_FGE: return a >= b;
    case IR_FNLT: return !(a < b);
    case IR_FNLE: return !(a <= b);
    case IR_FNGT: return !(a > b);
    default: return !(a >= b);
    }
}

static bool fold_float(const IrInsn *i, i64 *out)
{
    IrType t = (IrType)i->type;
    double a = float_of(i->args[0]), b = i->n_args > 1 ? float_of(i->args[1]) : 0;
    if (t == IR_F32 && i->op != IR_FNEG && i->op != IR_FABS && i->op != IR_FCVT) return false; // would round twice
    switch (i->op) {
    case IR_FADD: return put_float(t, a + b, out);
    case IR_FSUB: return put_float(t, a - b, out);
    case IR_FMUL: return put_float(t, a * b, out);
    case IR_FDIV: return b != 0 && put_float(t, a / b, out);
    case IR_FNEG: return put_float(t, -a, out);
    case IR_FABS: return put_float(t, fabs(a), out);
    case IR_FCVT: return put_float(t, a, out);
    case IR_FCMP: *out = compare_floats((IrCond)i->cond, a, b); return true;
    case IR_BITS: *out = t == IR_I32 ? (i32)i->args[0]->imm : i->args[0]->imm; return true;
    default: return false;
    }
}

bool ir_fold(const IrInsn *i, i64 *out)
{
    if (!i->n_args || i->n_args > 2) return false;
    const IrInsn *a = i->args[0], *b = i->n_args > 1 ? i->args[1] : NULL;
    if (a->op == IR_FCONST && (!b || b->op == IR_FCONST)) return fold_float(i, out);
    if (a->op != IR_CONST || (b && b->op != IR_CONST)) return false;
    if (i->op == IR_SITOF && i->type == IR_F64) return put_float(IR_F64, (double)a->imm, out);
    if (i->op == IR_UITOF && i->type == IR_F64) return put_float(IR_F64, (double)zext(a->imm, (IrType)a->type), out);
    if (i->op == IR_BITS) {
        *out = i->type == IR_F32 ? (i64)(u32)a->imm : a->imm;
        return true;
    }
    return b ? fold_binary(i, a->imm, b->imm, out) : fold_unary(i, a->imm, out);
}

// ---- bits that may be one

static u64 mask_below(u64 m) { return m ? ~0ull >> __builtin_clzll(m) : 0; }

u64 ir_possible_bits(const IrInsn *v, u32 depth)
{
    u64 all = width_mask((IrType)v->type);
    i64 c;
    if (v->op == IR_CONST) return (u64)v->imm & all;
    if (!depth) return all;
#define BITS_OF(k) ir_possible_bits(v->args[k], depth - 1)
    switch (v->op) {
    case IR_COPY: return BITS_OF(0);
    case IR_AND: return BITS_OF(0) & BITS_OF(1);
    case IR_OR: case IR_XOR: return BITS_OF(0) | BITS_OF(1);
    case IR_ADD: {
        u64 m = mask_below(BITS_OF(0) | BITS_OF(1));
        return m > all / 2 ? all : m * 2 + 1;
    }
    case IR_SHL: return ir_is_const(v->args[1], &c) ? BITS_OF(0) << (c & (v->type == IR_I32 ? 31 : 63)) & all : all;
    case IR_LSHR: return ir_is_const(v->args[1], &c) ? BITS_OF(0) >> (c & (v->type == IR_I32 ? 31 : 63)) : mask_below(BITS_OF(0));
    case IR_UDIV: return mask_below(BITS_OF(0));
    case IR_UREM: return mask_below(BITS_OF(1)) & mask_below(BITS_OF(0));
    case IR_ZEXT8: return 0xff & BITS_OF(0);
    case IR_ZEXT16: return 0xffff & BITS_OF(0);
    case IR_ZEXT32: case IR_TRUNC: return 0xffffffff & BITS_OF(0);
    case IR_SEXT8: case IR_SEXT16: case IR_SEXT32: {
        u64 m = BITS_OF(0), sign = v->op == IR_SEXT8 ? 0x80 : v->op == IR_SEXT16 ? 0x8000 : 0x80000000u;
        return m < sign ? m : all;
    }
    case IR_LOAD:
        if (v->is_signed) return all;
        return v->mem == IR_M8 ? 0xff : v->mem == IR_M16 ? 0xffff : v->mem == IR_M32 ? 0xffffffff : all;
    case IR_CMP: case IR_FCMP: case IR_CTAG: case IR_CSEALED: case IR_CEQX: case IR_CSUBSET: return 1;
    case IR_CLZ: case IR_CTZ: case IR_POPCNT: return 0x7f;
    case IR_SELECT: return BITS_OF(1) | BITS_OF(2);
    case IR_PHI: {
        u64 m = 0;
        if (depth < 2 || v->n_args > 4) return all;
        for (u32 k = 0; k < v->n_args && m != all; k++) m |= v->args[k] == v ? 0 : ir_possible_bits(v->args[k], 1);
        return m;
    }
    default: return all;
    }
#undef BITS_OF
}
