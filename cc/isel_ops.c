// isel_ops.c: integer operations. Each tries to swallow what computes its operands: constants, shifts, extensions, products.
#include "cc/isel.h"

#include "base/bits.h"
#include "isa/isa.h"

bool isel_is_add_imm(i64 v) { return v >= 0 && ((v >> 12) == 0 || ((v & 0xfff) == 0 && (v >> 24) == 0)); }

static bool is_logical_imm(i64 v, u8 size)
{
    IsaFields f = {0};
    return isa_encode_bitmask(size == 4 ? (u32)v : (u64)v, size == 8, &f);
}

static u32 bit_width(u8 size) { return size * 8u; }

bool isel_is_shl(const IrInsn *v, u32 *amount)
{
    i64 c;
    if ((v->op != IR_SHL && v->op != IR_MUL) || !isel_const(v->args[1], &c)) return false;
    u32 w = bit_width(isel_size(v));
    if (v->op == IR_MUL && !bits_is_pow2((u64)c)) return false;
    *amount = v->op == IR_SHL ? (u32)c & (w - 1) : (u32)__builtin_ctzll((u64)c);
    return *amount < w;
}

// x << k, x >> k by a constant: the kind of shift; T_MOD_NONE if v is something else.
static TMod shift_of(const IrInsn *v, u32 *amount)
{
    i64 k;
    if (isel_is_shl(v, amount)) return T_MOD_LSL;
    if ((v->op != IR_LSHR && v->op != IR_ASHR) || !isel_const(v->args[1], &k)) return T_MOD_NONE;
    *amount = (u32)k & (bit_width(isel_size(v)) - 1);
    return v->op == IR_LSHR ? T_MOD_LSR : T_MOD_ASR;
}

static TMod extension_of(const IrInsn *v)
{
    switch (v->op) {
    case IR_SEXT8: return T_MOD_SXTB;
    case IR_SEXT16: return T_MOD_SXTH;
    case IR_SEXT32: return T_MOD_SXTW;
    case IR_ZEXT8: return T_MOD_UXTB;
    case IR_ZEXT16: return T_MOD_UXTH;
    case IR_ZEXT32: return isel_is_zero_extended(v->args[0]) ? T_MOD_NONE : T_MOD_UXTW;
    default: return T_MOD_NONE;
    }
}

MirOpnd isel_modified(Isel *s, IrInsn *v, u8 size, bool arith)
{
    u32 amount = 0;
    if (isel_size(v) == size && isel_once(v)) {
        TMod shift = shift_of(v, &amount);
        IrInsn *x = shift ? v->args[0] : v;
        TMod ext = arith && (!shift || (shift == T_MOD_LSL && amount <= 4 && isel_once(x))) ? extension_of(x) : T_MOD_NONE;
        if (ext) return isel_mod(isel_use_size(s, x->args[0], 4), ext, amount);
        if (shift) return isel_mod(isel_use_size(s, v->args[0], size), shift, amount);
    }
    return isel_use_size(s, v, size);
}

static bool folds(const IrInsn *v, u8 size)
{
    u32 amount;
    return isel_size(v) == size && isel_once(v) && (shift_of(v, &amount) || extension_of(v));
}

static MirOpnd def_of(Isel *s, IrInsn *v) { return mir_def(isel_reg(s, v), isel_size(v)); }

// a * b + c with a product that nobody else wants.
static bool try_multiply_add(Isel *s, IrInsn *v, IrInsn *product, IrInsn *other, TOp op)
{
    i64 c;
    if (product->op != IR_MUL || !isel_once(product) || isel_const(product->args[1], &c)) return false;
    u8 size = isel_size(v);
    MirOpnd a = isel_use_size(s, product->args[0], size), b = isel_use_size(s, product->args[1], size);
    MirOpnd sum = isel_use_size(s, other, size);
    isel_emit4(s, op, def_of(s, v), a, b, sum);
    return true;
}

static void select_add(Isel *s, IrInsn *v, bool is_sub)
{
    u8 size = isel_size(v);
    IrInsn *x = v->args[0], *y = v->args[1];
    i64 c;
    if (!is_sub && isel_const(x, &c)) { x = v->args[1]; y = v->args[0]; }
    if (isel_const(y, &c) && c != INT64_MIN) {
        if (size == 4) c = (i32)c;
        bool negative = !isel_is_add_imm(c) && isel_is_add_imm(-c);
        if (negative || isel_is_add_imm(c)) {
            bool sub = is_sub != negative;
            isel_emit3(s, sub ? T_SUB : T_ADD, def_of(s, v), isel_use_size(s, x, size), mir_imm(negative ? -c : c));
            return;
        }
    }
    if (try_multiply_add(s, v, y, x, is_sub ? T_MSUB : T_MADD)) return;
    if (!is_sub && try_multiply_add(s, v, x, y, T_MADD)) return;
    if (!is_sub && folds(x, size) && !folds(y, size)) { IrInsn *t = x; x = y; y = t; }
    MirOpnd a = isel_use_or_zero(s, x, size);
    MirOpnd b = isel_modified(s, y, size, a.kind == MIR_REG);
    isel_emit3(s, is_sub ? T_SUB : T_ADD, def_of(s, v), a, b);
}

// (x >> k) & mask, (x & mask): a bit field.
static bool try_extract(Isel *s, IrInsn *v, IrInsn *x, i64 mask)
{
    u8 size = isel_size(v);
    u64 m = size == 4 ? (u32)mask : (u64)mask;
    u32 amount;
    if (!bits_is_pow2(m + 1) || x->op != IR_LSHR || !isel_once(x) || shift_of(x, &amount) != T_MOD_LSR) return false;
    u32 width = (u32)__builtin_ctzll(m + 1);
    if (m == ~0ULL || width + amount > bit_width(size)) return false;
    isel_emit4(s, T_UBFM, def_of(s, v), isel_use_size(s, x->args[0], size), mir_imm(amount), mir_imm(amount + width - 1));
    return true;
}

static void select_logic(Isel *s, IrInsn *v, TOp op, TOp inverted)
{
    u8 size = isel_size(v);
    IrInsn *x = v->args[0], *y = v->args[1];
    i64 c;
    if (isel_const(x, &c)) { x = v->args[1]; y = v->args[0]; }
    if (isel_const(y, &c)) {
        if (op == T_AND && try_extract(s, v, x, c)) return;
        if (is_logical_imm(c, size)) {
            isel_emit3(s, op, def_of(s, v), isel_use_size(s, x, size), mir_imm(c));
            return;
        }
    }
    if (x->op == IR_NOT && isel_once(x) && y->op != IR_NOT) { IrInsn *t = x; x = y; y = t; }
    if (y->op == IR_NOT && isel_once(y)) {
        op = inverted;
        y = y->args[0];
    } else if (folds(x, size) && !extension_of(x) && !(folds(y, size) && !extension_of(y))) {
        IrInsn *t = x; x = y; y = t;
    }
    MirOpnd a = isel_use_size(s, x, size);
    isel_emit3(s, op, def_of(s, v), a, isel_modified(s, y, size, false));
}

static void select_shift(Isel *s, IrInsn *v)
{
    u8 size = isel_size(v);
    u32 amount, w = bit_width(size);
    TMod kind = shift_of(v, &amount);
    if (!kind) {
        TOp op = v->op == IR_SHL ? T_LSL : v->op == IR_LSHR ? T_LSR : T_ASR;
        MirOpnd a = isel_use_size(s, v->args[0], size);
        isel_emit3(s, op, def_of(s, v), a, isel_use_size(s, v->args[1], size));
        return;
    }
    IrInsn *x = v->args[0];
    i64 mask;
    u32 inner;
    if (kind == T_MOD_LSL && x->op == IR_AND && isel_once(x) && isel_const(x->args[1], &mask) && amount) {
        u64 m = size == 4 ? (u32)mask : (u64)mask;
        u32 width = m && bits_is_pow2(m + 1) ? (u32)__builtin_ctzll(m + 1) : 0;
        if (width && m != ~0ULL && width + amount <= w) { // UBFIZ
            isel_emit4(s, T_UBFM, def_of(s, v), isel_use_size(s, x->args[0], size), mir_imm(w - amount), mir_imm(width - 1));
            return;
        }
    }
    TMod ext = isel_once(x) ? extension_of(x) : T_MOD_NONE;
    if (kind == T_MOD_LSL && amount && ext) { // an extended value, shifted
        u32 width = ext == T_MOD_UXTB || ext == T_MOD_SXTB ? 8 : ext == T_MOD_UXTH || ext == T_MOD_SXTH ? 16 : 32;
        if (width + amount > w) width = w - amount;
        TOp op = ext >= T_MOD_SXTB ? T_SBFM : T_UBFM;
        isel_emit4(s, op, def_of(s, v), isel_use_size(s, x->args[0], size), mir_imm(w - amount), mir_imm(width - 1));
        return;
    }
    if (kind != T_MOD_LSL && isel_once(x) && shift_of(x, &inner) == T_MOD_LSL && inner <= amount) { // SBFX, UBFX
        TOp op = kind == T_MOD_ASR ? T_SBFM : T_UBFM;
        isel_emit4(s, op, def_of(s, v), isel_use_size(s, x->args[0], size), mir_imm(amount - inner), mir_imm(w - 1 - inner));
        return;
    }
    MirOpnd a = isel_use_size(s, x, size);
    if (kind == T_MOD_LSL)
        isel_emit4(s, T_UBFM, def_of(s, v), a, mir_imm((w - amount) & (w - 1)), mir_imm(w - 1 - amount));
    else
        isel_emit4(s, kind == T_MOD_ASR ? T_SBFM : T_UBFM, def_of(s, v), a, mir_imm(amount), mir_imm(w - 1));
}

static void select_mul(Isel *s, IrInsn *v)
{
    u8 size = isel_size(v);
    IrInsn *x = v->args[0], *y = v->args[1];
    i64 c;
    if (isel_const(x, &c)) { x = v->args[1]; y = v->args[0]; }
    if (isel_const(y, &c)) {
        u64 n = size == 4 ? (u32)c : (u64)c;
        MirOpnd a = isel_use_size(s, x, size);
        if (n > 2 && bits_is_pow2(n - 1)) {
            isel_emit3(s, T_ADD, def_of(s, v), a, isel_mod(a, T_MOD_LSL, (u32)__builtin_ctzll(n - 1)));
            return;
        }
    }
    bool is_signed = x->op == IR_SEXT32 && y->op == IR_SEXT32, is_unsigned = x->op == IR_ZEXT32 && y->op == IR_ZEXT32;
    if (size == 8 && (is_signed || is_unsigned)) {
        MirOpnd a = isel_use_size(s, x->args[0], 4), b = isel_use_size(s, y->args[0], 4);
        isel_emit4(s, is_signed ? T_SMADDL : T_UMADDL, def_of(s, v), a, b, mir_imm(0));
        return;
    }
    MirOpnd a = isel_use_size(s, x, size), b = isel_use_size(s, y, size);
    isel_emit4(s, T_MADD, def_of(s, v), a, b, mir_imm(0));
}

static void select_div(Isel *s, IrInsn *v)
{
    u8 size = isel_size(v);
    bool is_signed = v->op == IR_SDIV || v->op == IR_SREM;
    MirOpnd a = isel_use_size(s, v->args[0], size), b = isel_use_size(s, v->args[1], size);
    TOp op = is_signed ? T_SDIV : T_UDIV;
    if (v->op == IR_SDIV || v->op == IR_UDIV) {
        isel_emit3(s, op, def_of(s, v), a, b);
        return;
    }
    MirReg q = isel_new(s, v->type);
    isel_emit3(s, op, mir_def(q, size), a, b);
    isel_emit4(s, T_MSUB, def_of(s, v), mir_use(q, size), b, a);
}

static void select_extend(Isel *s, IrInsn *v, u32 width, bool is_signed)
{
    u8 size = isel_size(v);
    IrInsn *x = v->args[0];
    u32 amount;
    if (x->op == IR_LOAD && isel_once(x) && ir_mem_bytes(x->mem) * 8 == width && x->mem <= IR_M64 && (is_signed || !x->is_signed)) {
        s->load_into[x->id] = v; // LDRSB … LDRSW
        isel_reg(s, v);
        s->is_needed[x->id] = true;
        return;
    }
    if (width == 32 && !is_signed) { // a W move clears the upper half
        isel_emit2(s, T_MOV, mir_def(isel_reg(s, v), 4), isel_use_size(s, x, 4));
        return;
    }
    TOp op = is_signed ? T_SBFM : T_UBFM;
    if (!is_signed) size = 4; // W results are zero-extended
    if (isel_once(x) && isel_size(x) == size && shift_of(x, &amount) == T_MOD_LSR && amount + width <= bit_width(size)) {
        isel_emit4(s, op, mir_def(isel_reg(s, v), size), isel_use_size(s, x->args[0], size), mir_imm(amount),
                   mir_imm(amount + width - 1));
        return;
    }
    isel_emit4(s, op, mir_def(isel_reg(s, v), size), isel_use_size(s, x, size), mir_imm(0), mir_imm(width - 1));
}

static void select_ctz(Isel *s, IrInsn *v)
{
    MirReg t = isel_new(s, v->type);
    u8 size = isel_size(v);
    isel_emit2(s, T_RBIT, mir_def(t, size), isel_use_size(s, v->args[0], size));
    isel_emit2(s, T_CLZ, def_of(s, v), mir_use(t, size));
}

// Bits are summed in fields of 2, 4, 8 bits; a multiplication adds the bytes up.
static void select_popcount(Isel *s, IrInsn *v)
{
    u8 size = isel_size(v);
    u32 w = bit_width(size);
    MirReg x[8];
    for (u32 i = 0; i < 8; i++) x[i] = isel_new(s, v->type);
    MirOpnd a = isel_use_size(s, v->args[0], size);
#define D(n) mir_def(x[n], size)
#define U(n) mir_use(x[n], size)
    isel_emit3(s, T_AND, D(0), isel_mod(a, 0, 0), mir_imm(0xaaaaaaaaaaaaaaaa));
    isel_emit3(s, T_SUB, D(1), a, isel_mod(U(0), T_MOD_LSR, 1));
    isel_emit3(s, T_AND, D(2), U(1), mir_imm(0x3333333333333333));
    isel_emit3(s, T_AND, D(3), U(1), mir_imm((i64)0xcccccccccccccccc));
    isel_emit3(s, T_ADD, D(4), U(2), isel_mod(U(3), T_MOD_LSR, 2));
    isel_emit3(s, T_ADD, D(5), U(4), isel_mod(U(4), T_MOD_LSR, 4));
    isel_emit3(s, T_AND, D(6), U(5), mir_imm(0x0f0f0f0f0f0f0f0f));
    isel_movi(s, x[7], size, 0x0101010101010101);
    MirReg sum = isel_new(s, v->type);
    isel_emit4(s, T_MADD, mir_def(sum, size), U(6), U(7), mir_imm(0));
    isel_emit4(s, T_UBFM, def_of(s, v), mir_use(sum, size), mir_imm(w - 8), mir_imm(w - 1));
#undef D
#undef U
}

static void select_unary(Isel *s, IrInsn *v, TOp op)
{
    u8 size = isel_size(v);
    isel_emit2(s, op, def_of(s, v), isel_use_size(s, v->args[0], size));
}

static void select_high(Isel *s, IrInsn *v, TOp op)
{
    MirOpnd a = isel_use_size(s, v->args[0], 8), b = isel_use_size(s, v->args[1], 8);
    isel_emit3(s, op, def_of(s, v), a, b);
}

bool isel_arith(Isel *s, IrInsn *v)
{
    u8 size = isel_size(v);
    u32 amount;
    switch (v->op) {
    case IR_ADD: select_add(s, v, false); return true;
    case IR_SUB: select_add(s, v, true); return true;
    case IR_MUL:
        if (shift_of(v, &amount))
            select_shift(s, v);
        else
            select_mul(s, v);
        return true;
    case IR_SDIV: case IR_UDIV: case IR_SREM: case IR_UREM: select_div(s, v); return true;
    case IR_UMULH: select_high(s, v, T_UMULH); return true;
    case IR_SMULH: select_high(s, v, T_SMULH); return true;
    case IR_AND: select_logic(s, v, T_AND, T_BIC); return true;
    case IR_OR: select_logic(s, v, T_ORR, T_ORN); return true;
    case IR_XOR: select_logic(s, v, T_EOR, T_EON); return true;
    case IR_SHL: case IR_LSHR: case IR_ASHR: select_shift(s, v); return true;
    case IR_NEG: isel_emit3(s, T_SUB, def_of(s, v), mir_imm(0), isel_modified(s, v->args[0], size, false)); return true;
    case IR_NOT: isel_emit3(s, T_ORN, def_of(s, v), mir_imm(0), isel_modified(s, v->args[0], size, false)); return true;
    case IR_CLZ: select_unary(s, v, T_CLZ); return true;
    case IR_CTZ: select_ctz(s, v); return true;
    case IR_POPCNT: select_popcount(s, v); return true;
    case IR_BSWAP: select_unary(s, v, T_REV); return true;
    case IR_RBIT: select_unary(s, v, T_RBIT); return true;
    case IR_SEXT8: select_extend(s, v, 8, true); return true;
    case IR_SEXT16: select_extend(s, v, 16, true); return true;
    case IR_SEXT32: select_extend(s, v, 32, true); return true;
    case IR_ZEXT8: select_extend(s, v, 8, false); return true;
    case IR_ZEXT16: select_extend(s, v, 16, false); return true;
    case IR_ZEXT32: select_extend(s, v, 32, false); return true;
    default: return false;
    }
}
