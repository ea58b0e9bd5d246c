// exec_alu.c: integer data processing. One body a row; SF and the shift kind are constants of the instance.
#include "sim/exec.h"

// ---- add and subtract

EXEC_SF(ADD_I) { SET_SF(RD, RN->value + IMM); NEXT; }
EXEC_SF(SUB_I) { SET_SF(RD, RN->value - IMM); NEXT; }
EXEC_SF(ADDS_I)
{
    u64 a = SRC(RN), r = a + IMM;
    flags_add(cpu, a, IMM, r, SF);
    SET_SF(RD, r);
    NEXT;
}
EXEC_SF(SUBS_I)
{
    u64 a = SRC(RN), r = a - IMM;
    flags_sub(cpu, a, IMM, r, SF);
    SET_SF(RD, r);
    NEXT;
}

// The shifted operand; its kind is v >> 1: 0 none, LSL, LSR, ASR, ROR.
static ALWAYS_INLINE u64 shifted(u64 value, u32 v, u32 by)
{
    u64 x = SF ? value : (u32)value;
    switch (v >> 1) {
    case 1: return x << by;
    case 2: return x >> by;
    case 3: return SF ? (u64)((i64)x >> by) : (u32)((i32)x >> by);
    case 4: return SF ? x >> by | x << (64 - by) : (u32)((u32)x >> by | (u32)x << (32 - by));
    default: return x;
    }
}
#define OPERAND2 shifted(RM->value, v, op->x)

EXEC_V(ADD_SR, 10) { SET_SF(RD, RN->value + OPERAND2); NEXT; }
EXEC_V(SUB_SR, 10) { SET_SF(RD, RN->value - OPERAND2); NEXT; }
EXEC_V(ADDS_SR, 10)
{
    u64 a = SRC(RN), b = OPERAND2, r = a + b;
    flags_add(cpu, a, b, r, SF);
    SET_SF(RD, r);
    NEXT;
}
EXEC_V(SUBS_SR, 10)
{
    u64 a = SRC(RN), b = OPERAND2, r = a - b;
    flags_sub(cpu, a, b, r, SF);
    SET_SF(RD, r);
    NEXT;
}

EXEC_SF(ADD_ER) { SET_SF(RD, RN->value + EXTENDED); NEXT; }
EXEC_SF(SUB_ER) { SET_SF(RD, RN->value - EXTENDED); NEXT; }
EXEC_SF(ADDS_ER)
{
    u64 a = SRC(RN), b = EXTENDED, r = a + b;
    flags_add(cpu, a, b, r, SF);
    SET_SF(RD, r);
    NEXT;
}
EXEC_SF(SUBS_ER)
{
    u64 a = SRC(RN), b = EXTENDED, r = a - b;
    flags_sub(cpu, a, b, r, SF);
    SET_SF(RD, r);
    NEXT;
}

// a + b + carry, with flags when asked for (SBC adds the complement).
static ALWAYS_INLINE void add_carry(Cpu *cpu, const Op *op, u32 v, u64 b, bool sets)
{
    u64 a = SRC(RN), c = cpu->flag_c;
    if (!SF) b = (u32)b;
    u64 r = a + b + c;
    if (sets) {
        bool carry = SF ? r < a || (c && r == a) : r >> 32;
        flags_nz(cpu, r, SF);
        cpu->flag_v = ((a ^ r) & (b ^ r)) >> (SF ? 63 : 31) & 1;
        cpu->flag_c = carry;
    }
    SET_SF(RD, r);
}
EXEC_SF(ADC) { add_carry(cpu, op, v, RM->value, false); NEXT; }
EXEC_SF(ADCS) { add_carry(cpu, op, v, RM->value, true); NEXT; }
EXEC_SF(SBC) { add_carry(cpu, op, v, ~RM->value, false); NEXT; }
EXEC_SF(SBCS) { add_carry(cpu, op, v, ~RM->value, true); NEXT; }

// ---- logic

EXEC_SF(AND_I) { SET_SF(RD, RN->value & IMM); NEXT; }
EXEC_SF(ORR_I) { SET_SF(RD, RN->value | IMM); NEXT; }
EXEC_SF(EOR_I) { SET_SF(RD, RN->value ^ IMM); NEXT; }
EXEC_SF(ANDS_I)
{
    u64 r = SRC(RN) & IMM;
    flags_logic(cpu, r, SF);
    SET(RD, r);
    NEXT;
}
EXEC_V(AND_SR, 10) { SET_SF(RD, RN->value & OPERAND2); NEXT; }
EXEC_V(BIC_SR, 10) { SET_SF(RD, RN->value & ~OPERAND2); NEXT; }
EXEC_V(ORR_SR, 10) { SET_SF(RD, RN->value | OPERAND2); NEXT; }
EXEC_V(ORN_SR, 10) { SET_SF(RD, RN->value | ~OPERAND2); NEXT; }
EXEC_V(EOR_SR, 10) { SET_SF(RD, RN->value ^ OPERAND2); NEXT; }
EXEC_V(EON_SR, 10) { SET_SF(RD, RN->value ^ ~OPERAND2); NEXT; }
EXEC_V(ANDS_SR, 10)
{
    u64 r = SRC(RN) & OPERAND2;
    flags_logic(cpu, r, SF);
    SET(RD, r);
    NEXT;
}
EXEC_V(BICS_SR, 10)
{
    u64 r = SRC(RN) & ~OPERAND2;
    flags_logic(cpu, r, SF);
    SET(RD, r);
    NEXT;
}

// ---- moves and fields

EXEC_SF(MOVZ) { SET(RD, IMM); NEXT; }
EXEC_SF(MOVN) { SET_SF(RD, ~IMM); NEXT; }
EXEC_SF(MOVK) { SET_SF(RD, (RD->value & ~(0xffffULL << op->aux)) | IMM); NEXT; }

EXEC_SF(UBFM) { SET(RD, SRC(RN) << op->x >> op->aux); NEXT; }
EXEC_SF(SBFM) { SET_SF(RD, (i64)(RN->value << op->x) >> op->aux); NEXT; }
EXEC_SF(BFM) { SET_SF(RD, (RD->value & ~IMM) | (RN->value << op->x >> op->aux & IMM)); NEXT; }
EXEC_SF(EXTR)
{
    u32 lsb = op->x;
    if (SF) SET(RD, lsb ? RN->value << (64 - lsb) | RM->value >> lsb : RM->value);
    else SET(RD, (u32)((RN->value << 32 | (u32)RM->value) >> lsb));
    NEXT;
}

// ---- multiply, divide, variable shifts

EXEC_SF(MADD) { SET_SF(RD, RA->value + RN->value * RM->value); NEXT; }
EXEC_SF(MSUB) { SET_SF(RD, RA->value - RN->value * RM->value); NEXT; }
EXEC_SF(SMADDL) { SET(RD, RA->value + (u64)((i64)(i32)RN->value * (i32)RM->value)); NEXT; }
EXEC_SF(SMSUBL) { SET(RD, RA->value - (u64)((i64)(i32)RN->value * (i32)RM->value)); NEXT; }
EXEC_SF(UMADDL) { SET(RD, RA->value + (u64)(u32)RN->value * (u32)RM->value); NEXT; }
EXEC_SF(UMSUBL) { SET(RD, RA->value - (u64)(u32)RN->value * (u32)RM->value); NEXT; }
EXEC_SF(SMULH) { SET(RD, (u64)((i128)(i64)RN->value * (i64)RM->value >> 64)); NEXT; }
EXEC_SF(UMULH) { SET(RD, (u64)((u128)RN->value * RM->value >> 64)); NEXT; }

EXEC_SF(UDIV)
{
    u64 b = SRC(RM);
    SET(RD, b ? SRC(RN) / b : 0);
    NEXT;
}
EXEC_SF(SDIV)
{
    // The one overflow, minimum / -1, gives the minimum: negate instead of dividing.
    i64 a = SF ? (i64)RN->value : (i32)RN->value, b = SF ? (i64)RM->value : (i32)RM->value;
    SET_SF(RD, b == 0 ? 0 : b == -1 ? -(u64)a : (u64)(a / b));
    NEXT;
}
EXEC_SF(LSLV) { SET_SF(RD, RN->value << (RM->value & (SF ? 63 : 31))); NEXT; }
EXEC_SF(LSRV) { SET(RD, SRC(RN) >> (RM->value & (SF ? 63 : 31))); NEXT; }
EXEC_SF(ASRV)
{
    u32 by = (u32)RM->value & (SF ? 63 : 31);
    SET_SF(RD, SF ? (u64)((i64)RN->value >> by) : (u64)(i64)((i32)RN->value >> by));
    NEXT;
}
EXEC_SF(RORV)
{
    u32 by = (u32)RM->value & (SF ? 63 : 31), w = (u32)RN->value;
    SET_SF(RD, SF ? RN->value >> by | RN->value << (-by & 63) : (u64)(w >> by | w << (-by & 31)));
    NEXT;
}

// ---- bits

EXEC_SF(CLZ)
{
    u64 x = SRC(RN);
    SET(RD, x ? (u64)__builtin_clzll(x) - (SF ? 0 : 32) : (SF ? 64u : 32u));
    NEXT;
}
EXEC_SF(CLS)
{
    i64 x = SF ? (i64)RN->value : (i32)RN->value;
    u64 differs = (u64)(x ^ x >> 63);
    u32 same = differs ? (u32)__builtin_clzll(differs) - 1 : 63;
    SET(RD, SF ? same : same - 32);
    NEXT;
}
static ALWAYS_INLINE u64 reverse_bits_in_bytes(u64 x)
{
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    return (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
}
EXEC_SF(RBIT)
{
    u64 x = __builtin_bswap64(reverse_bits_in_bytes(RN->value));
    SET(RD, SF ? x : x >> 32);
    NEXT;
}
EXEC_SF(REV16)
{
    u64 x = RN->value;
    SET_SF(RD, (x >> 8 & 0x00ff00ff00ff00ff) | (x & 0x00ff00ff00ff00ff) << 8);
    NEXT;
}
EXEC_SF(REV_W) { SET(RD, __builtin_bswap32((u32)RN->value)); NEXT; }
EXEC_SF(REV32)
{
    u64 x = __builtin_bswap64(RN->value);
    SET(RD, x >> 32 | x << 32);
    NEXT;
}
EXEC_SF(REV_X) { SET(RD, __builtin_bswap64(RN->value)); NEXT; }

// Bitwise, reflected; the polynomials are those of the manual with their bits reversed.
static ALWAYS_INLINE u32 crc(u32 sum, u64 data, u32 bytes, u32 polynomial)
{
    for (u32 i = 0; i < bytes; i++) {
        sum ^= (u32)(data >> 8 * i) & 0xff;
        for (u32 bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? polynomial : 0);
    }
    return sum;
}
EXEC_SF(CRC32) { SET(RD, crc((u32)RN->value, RM->value, 1U << op->x, 0xedb88320)); NEXT; }
EXEC_SF(CRC32C) { SET(RD, crc((u32)RN->value, RM->value, 1U << op->x, 0x82f63b78)); NEXT; }

// ---- conditional; v = sf + 2 * cond

#define HOLDS flags_cond(cpu, v >> 1)
EXEC_V(CSEL, 32) { SET_SF(RD, HOLDS ? RN->value : RM->value); NEXT; }
EXEC_V(CSINC, 32) { SET_SF(RD, HOLDS ? RN->value : RM->value + 1); NEXT; }
EXEC_V(CSINV, 32) { SET_SF(RD, HOLDS ? RN->value : ~RM->value); NEXT; }
EXEC_V(CSNEG, 32) { SET_SF(RD, HOLDS ? RN->value : -RM->value); NEXT; }

static ALWAYS_INLINE void compare_if(Cpu *cpu, const Op *op, u32 v, u64 b, bool is_minus)
{
    if (!flags_holds(cpu, op->x)) {
        flags_set(cpu, op->aux);
        return;
    }
    u64 a = SRC(RN);
    if (is_minus) flags_sub(cpu, a, b, a - b, SF);
    else flags_add(cpu, a, b, a + b, SF);
}
EXEC_SF(CCMP_R) { compare_if(cpu, op, v, SRC(RM), true); NEXT; }
EXEC_SF(CCMN_R) { compare_if(cpu, op, v, SRC(RM), false); NEXT; }
EXEC_SF(CCMP_I) { compare_if(cpu, op, v, IMM, true); NEXT; }
EXEC_SF(CCMN_I) { compare_if(cpu, op, v, IMM, false); NEXT; }
