// exec_simd.c: the few vector instructions in the table: constants, bitwise operations, element moves, sums and bit counts.
// v = Q where the row has it: without it only the low 64 bits take part and the high ones become 0.
#include "sim/vreg.h"

#define Q_HI(x_) (v ? (x_) : 0)

// ---- constants; imm is the pattern of 64 bits, inverted already for MVNI and BIC

#define SET_IMM { VD->lo = IMM, VD->hi = Q_HI(IMM); NEXT; }
EXEC_V(MOVI_S, 2) SET_IMM
EXEC_V(MOVI_H, 2) SET_IMM
EXEC_V(MOVI_MSL, 2) SET_IMM
EXEC_V(MOVI_B, 2) SET_IMM
EXEC_V(MOVI_D, 2) SET_IMM
EXEC_V(MOVI_2D, 2) SET_IMM
EXEC_V(FMOV_VI_S, 2) SET_IMM
EXEC_V(FMOV_VI_D, 2) SET_IMM
EXEC_V(MVNI_S, 2) SET_IMM
EXEC_V(MVNI_H, 2) SET_IMM
EXEC_V(MVNI_MSL, 2) SET_IMM
EXEC_V(ORR_VI_S, 2) { VD->lo |= IMM, VD->hi = Q_HI(VD->hi | IMM); NEXT; }
EXEC_V(ORR_VI_H, 2) { VD->lo |= IMM, VD->hi = Q_HI(VD->hi | IMM); NEXT; }
EXEC_V(BIC_VI_S, 2) { VD->lo &= IMM, VD->hi = Q_HI(VD->hi & IMM); NEXT; }
EXEC_V(BIC_VI_H, 2) { VD->lo &= IMM, VD->hi = Q_HI(VD->hi & IMM); NEXT; }

// ---- bitwise; the plan leaves Q << 2 | size in x

#define BITWISE(f_)                                                                                          \
    u64 lo = f_(VD->lo, VN->lo, VM->lo), hi = f_(VD->hi, VN->hi, VM->hi);                                    \
    VD->lo = lo, VD->hi = op->x & 4 ? hi : 0;                                                                \
    NEXT;
#define F_AND(d, n, m) ((n) & (m))
#define F_BIC(d, n, m) ((n) & ~(m))
#define F_ORR(d, n, m) ((n) | (m))
#define F_ORN(d, n, m) ((n) | ~(m))
#define F_EOR(d, n, m) ((n) ^ (m))
#define F_BSL(d, n, m) (((d) & (n)) | (~(d) & (m)))
#define F_BIT(d, n, m) (((d) & ~(m)) | ((n) & (m)))
#define F_BIF(d, n, m) (((d) & (m)) | ((n) & ~(m)))
EXEC(AND_V) { BITWISE(F_AND) }
EXEC(BIC_V) { BITWISE(F_BIC) }
EXEC(ORR_V) { BITWISE(F_ORR) }
EXEC(ORN_V) { BITWISE(F_ORN) }
EXEC(EOR_V) { BITWISE(F_EOR) }
EXEC(BSL_V) { BITWISE(F_BSL) }
EXEC(BIT_V) { BITWISE(F_BIT) }
EXEC(BIF_V) { BITWISE(F_BIF) }

// ---- integer lanes

// Lane-wise a + b (or a - b) in 64 bits: the top bit of each lane is added apart, so that no carry leaves it.
static ALWAYS_INLINE u64 add_lanes(u64 a, u64 b, u32 size)
{
    static const u64 tops[4] = {0x8080808080808080, 0x8000800080008000, 0x8000000080000000, 0x8000000000000000};
    u64 t = tops[size];
    return ((a & ~t) + (b & ~t)) ^ ((a ^ b) & t);
}
static ALWAYS_INLINE u64 sub_lanes(u64 a, u64 b, u32 size)
{
    static const u64 tops[4] = {0x8080808080808080, 0x8000800080008000, 0x8000000080000000, 0x8000000000000000};
    u64 t = tops[size];
    return ((a | t) - (b & ~t)) ^ ((a ^ ~b) & t);
}
EXEC(ADD_V)
{
    u64 lo = add_lanes(VN->lo, VM->lo, op->x & 3), hi = add_lanes(VN->hi, VM->hi, op->x & 3);
    VD->lo = lo, VD->hi = op->x & 4 ? hi : 0;
    NEXT;
}
EXEC(SUB_V)
{
    u64 lo = sub_lanes(VN->lo, VM->lo, op->x & 3), hi = sub_lanes(VN->hi, VM->hi, op->x & 3);
    VD->lo = lo, VD->hi = op->x & 4 ? hi : 0;
    NEXT;
}
static ALWAYS_INLINE u64 count_bytes(u64 x)
{
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
}
EXEC(CNT_V)
{
    u64 lo = count_bytes(VN->lo), hi = count_bytes(VN->hi);
    VD->lo = lo, VD->hi = op->x & 4 ? hi : 0;
    NEXT;
}
static ALWAYS_INLINE u64 sum_lanes(const VReg *n, u32 x)
{
    u64 sum = 0, width = 8u << (x & 3), mask = bits_mask((u32)width);
    for (u32 at = 0; at < 64; at += (u32)width) {
        sum += n->lo >> at & mask;
        if (x & 4) sum += n->hi >> at & mask;
    }
    return sum;
}
EXEC(ADDV_V) { set_v(VD, sum_lanes(VN, op->x) & bits_mask(8u << (op->x & 3))); NEXT; }
EXEC(UADDLV_V) { set_v(VD, sum_lanes(VN, op->x) & bits_mask(16u << (op->x & 3))); NEXT; }

// ---- shifts of one doubleword; right ones hold 64 - shift (1 to 64)

EXEC(SHL_D) { set_v(VD, VN->lo << IMM); NEXT; }
EXEC(USHR_D) { set_v(VD, IMM ? VN->lo >> (64 - IMM) : 0); NEXT; }
EXEC(SSHR_D) { set_v(VD, (u64)((i64)VN->lo >> (IMM ? 64 - IMM : 63))); NEXT; }

// ---- elements; x = log2 of the bytes, imm = index (of the destination in INS), aux = the source's index in INS_E

static ALWAYS_INLINE u64 get_element(const VReg *r, u32 log2, u64 index)
{
    u64 at = index << (log2 + 3);
    return (at & 64 ? r->hi : r->lo) >> (at & 63) & bits_mask(8u << log2);
}
static ALWAYS_INLINE void set_element(VReg *r, u32 log2, u64 index, u64 value)
{
    u64 at = index << (log2 + 3), mask = bits_mask(8u << log2) << (at & 63);
    u64 *half = at & 64 ? &r->hi : &r->lo;
    *half = (*half & ~mask) | (value << (at & 63) & mask);
}
static ALWAYS_INLINE u64 spread(u64 value, u32 log2)
{
    value &= bits_mask(8u << log2);
    for (u32 width = 8u << log2; width < 64; width *= 2) value |= value << width;
    return value;
}
EXEC_V(DUP_S, 2) { set_v(VD, get_element(VN, op->x, IMM)); NEXT; }
EXEC_V(DUP_E, 2)
{
    u64 all = spread(get_element(VN, op->x, IMM), op->x);
    VD->lo = all, VD->hi = Q_HI(all);
    NEXT;
}
EXEC_V(DUP_G, 2)
{
    u64 all = spread(RN->value, op->x);
    VD->lo = all, VD->hi = Q_HI(all);
    NEXT;
}
EXEC_V(INS_G, 2) { set_element(VD, op->x, IMM, RN->value); NEXT; }
EXEC_V(INS_E, 2) { set_element(VD, op->x, IMM, get_element(VN, op->x, op->aux)); NEXT; }
EXEC_V(UMOV, 2) { SET(RD, get_element(VN, op->x, IMM)); NEXT; }
EXEC_V(SMOV, 2)
{
    u64 x = (u64)bits_sext(get_element(VN, op->x, IMM), 8u << op->x);
    SET(RD, v ? x : (u32)x);
    NEXT;
}
