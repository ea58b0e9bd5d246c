// vint_shift.c: shifts by a constant and by the elements of a vector: truncating, rounding, saturating, inserting, narrowing, long.
#include "sim/vint.h"

// v * 2^by, exact or rounded towards minus infinity (round: to the nearest, ties up). A result that would not fit 128 bits is as
// far outside every element.
static ALWAYS_INLINE i128 shifted(i128 v, i32 by, bool round)
{
    if (by >= 64) return v > 0 ? (i128)1 << 100 : v < 0 ? -((i128)1 << 100) : 0;
    if (by >= 0) return v * ((i128)1 << by); // |v| < 2^64
    if (by < -65) return round || v >= 0 ? 0 : -1;
    return (v + (round ? (i128)1 << (-by - 1) : 0)) >> -by;
}
// The same cut to 64 bits (what does not fit is gone: 0).
static ALWAYS_INLINE u64 shifted_cut(i128 v, i32 by, bool round) { return by >= 64 ? 0 : (u64)shifted(v, by, round); }

#define BY (i8)m // a signed byte of each element of m
SAME(SSHL_V, shifted_cut(SX(n), BY, false))
SAME(USHL_V, shifted_cut(n, BY, false))
SAME(SRSHL_V, shifted_cut(SX(n), BY, true))
SAME(URSHL_V, shifted_cut(n, BY, true))
SAME(SQSHL_V, SAT_S(shifted(SX(n), BY, false)))
SAME(UQSHL_V, SAT_U(shifted(n, BY, false)))
SAME(SQRSHL_V, SAT_S(shifted(SX(n), BY, true)))
SAME(UQRSHL_V, SAT_U(shifted(n, BY, true)))

// ---- by a constant: right 1 to bits, left 0 to bits - 1

#define SHR_S       (SX(n) >> (imm < 64 ? imm : 63))
#define SHR_U       (imm < 64 ? n >> imm : 0)
#define ROUND_S     ((BIG(SX(n)) + (BIG(1) << (imm - 1))) >> imm)
#define ROUND_U     ((BIG(n) + (BIG(1) << (imm - 1))) >> imm)
UNARY(SSHR_VI, SHR_S)
UNARY(USHR_VI, SHR_U)
UNARY(SSRA_VI, d + (u64)SHR_S)
UNARY(USRA_VI, d + SHR_U)
UNARY(SRSHR_VI, ROUND_S)
UNARY(URSHR_VI, ROUND_U)
UNARY(SRSRA_VI, d + (u64)ROUND_S)
UNARY(URSRA_VI, d + (u64)ROUND_U)
UNARY(SRI_VI, imm < 64 ? (d & ~(bits_mask(bits) >> imm)) | n >> imm : d)
UNARY(SHL_VI, n << imm)
UNARY(SLI_VI, (d & bits_mask((u32)imm)) | n << imm)
UNARY(SQSHL_VI, SAT_S(BIG(SX(n)) * (BIG(1) << imm)))
UNARY(UQSHL_VI, SAT_U(BIG(n) << imm))
UNARY(SQSHLU_VI, SAT_U(BIG(SX(n)) * (BIG(1) << imm)))

// ---- to half the size: n has twice the bits

#define N_ROUND     (1ULL << (imm - 1))
#define NARROW_S    (BIG(SX2(n)) >> imm)
#define NARROW_RS   ((BIG(SX2(n)) + N_ROUND) >> imm)
#define NARROW_RU   ((BIG(n) + N_ROUND) >> imm)
NARROW(SHRN_VI, n >> imm)
NARROW(RSHRN_VI, NARROW_RU)
NARROW(SQSHRN_VI, SAT_S(NARROW_S))
NARROW(SQRSHRN_VI, SAT_S(NARROW_RS))
NARROW(UQSHRN_VI, SAT_U(BIG(n) >> imm))
NARROW(UQRSHRN_VI, SAT_U(NARROW_RU))
NARROW(SQSHRUN_VI, SAT_U(NARROW_S))
NARROW(SQRSHRUN_VI, SAT_U(NARROW_RS))
NARROW(XTN_V, n)
NARROW(SQXTN_V, SAT_S(SX2(n)))
NARROW(UQXTN_V, SAT_U(n))
NARROW(SQXTUN_V, SAT_U(SX2(n)))

// ---- to twice the size

LONG_UNARY(SSHLL_VI, (u64)SX(n) << imm)
LONG_UNARY(USHLL_VI, n << imm)
LONG_UNARY(SHLL_V, n << bits)
