// exec_fp.c: scalar floating point. v is the format (0 S, 1 D), with a general register + 2 * sf.
//
// Fast instances exist only for FPCR = 0 (the mode word says so): the host's FPU computes, its sticky flags are the guest's, and a
// result that the two architectures may disagree about (a NaN; the smallest normal number, before which Arm sees an underflow
// that x86 does not) goes to the slow instance, which asks fp.c.
#include "sim/fp.h"
#include "sim/vreg.h"

#define BITS(r_) (IS_D ? (r_)->lo : (u32)(r_)->lo)
#define IS_D (v & 1)

static ALWAYS_INLINE double as_d(u64 b) { double d; memcpy(&d, &b, 8); return d; }
static ALWAYS_INLINE float as_s(u64 b) { float s; u32 w = (u32)b; memcpy(&s, &w, 4); return s; }
static ALWAYS_INLINE u64 d_bits(double d) { u64 b; memcpy(&b, &d, 8); return b; }
static ALWAYS_INLINE u64 s_bits(float s) { u32 w; memcpy(&w, &s, 4); return w; }

#define EXEC_FP(NAME, n)                                                                                     \
    EXEC_BODY(NAME);                                                                                         \
    EXEC_TIMES_##n(EXEC_BOTH, NAME)                                                                          \
    static ExecFn *const slow_##NAME[] = {EXEC_LIST_##n(sl_##NAME)};                                         \
    EXEC_ROW(NAME, slow_##NAME, EXEC_LIST_##n(ex_##NAME))                                                    \
    EXEC_BODY(NAME)

static ALWAYS_INLINE bool is_doubtful(u64 bits, u32 v)
{
    u64 m = IS_D ? bits << 1 : bits << 33;
    return m > (IS_D ? 0x7ffULL << 53 : 0xffULL << 56) || m == (IS_D ? 1ULL << 53 : 1ULL << 56);
}

#define BINARY(expr_d_, expr_s_, kind_)                                                                      \
    u64 r;                                                                                                   \
    if (!slow) {                                                                                             \
        r = fp_binary(cpu, (FpFormat)IS_D, (kind_), BITS(VN), BITS(VM));                                     \
    } else if (IS_D) {                                                                                       \
        double a = as_d(VN->lo), b = as_d(VM->lo);                                                           \
        r = d_bits(expr_d_);                                                                                 \
    } else {                                                                                                 \
        float a = as_s(VN->lo), b = as_s(VM->lo);                                                            \
        r = s_bits(expr_s_);                                                                                 \
    }                                                                                                        \
    if (slow && UNLIKELY(is_doubtful(r, v))) return slow(cpu, op);                                           \
    set_v(VD, r);                                                                                            \
    NEXT;
EXEC_FP(FADD, 2) { BINARY(a + b, a + b, FP_ADD) }
EXEC_FP(FSUB, 2) { BINARY(a - b, a - b, FP_SUB) }
EXEC_FP(FMUL, 2) { BINARY(a * b, a * b, FP_MUL) }
EXEC_FP(FDIV, 2) { BINARY(a / b, a / b, FP_DIV) }
EXEC_FP(FNMUL, 2) { BINARY(-(a * b), -(a * b), FP_NMUL) }

// Those without a fast form.
#define SLOW_ONLY                                                                                            \
    do {                                                                                                     \
        if (slow) return slow(cpu, op);                                                                      \
    } while (0)
#define SLOW_BINARY(kind_)                                                                                   \
    SLOW_ONLY;                                                                                               \
    set_v(VD, fp_binary(cpu, (FpFormat)IS_D, (kind_), BITS(VN), BITS(VM)));                                  \
    NEXT;
EXEC_FP(FMAX, 2) { SLOW_BINARY(FP_MAX) }
EXEC_FP(FMIN, 2) { SLOW_BINARY(FP_MIN) }
EXEC_FP(FMAXNM, 2) { SLOW_BINARY(FP_MAXNM) }
EXEC_FP(FMINNM, 2) { SLOW_BINARY(FP_MINNM) }
EXEC_FP(FABD_S, 2) { SLOW_BINARY(FP_ABD) }

#define SIGN (IS_D ? 1ULL << 63 : 1ULL << 31)
#define FUSED(negate_a_, negate_n_)                                                                          \
    SLOW_ONLY;                                                                                               \
    set_v(VD, fp_fma(cpu, (FpFormat)IS_D, BITS(VA) ^ ((negate_a_) ? SIGN : 0), BITS(VN) ^ ((negate_n_) ? SIGN : 0), BITS(VM))); \
    NEXT;
EXEC_FP(FMADD, 2) { FUSED(false, false) }
EXEC_FP(FMSUB, 2) { FUSED(false, true) }
EXEC_FP(FNMADD, 2) { FUSED(true, true) }
EXEC_FP(FNMSUB, 2) { FUSED(true, false) }

EXEC_V(FMOV_F, 2) { set_v(VD, BITS(VN)); NEXT; }
EXEC_V(FABS, 2) { set_v(VD, BITS(VN) & ~SIGN); NEXT; }
EXEC_V(FNEG, 2) { set_v(VD, BITS(VN) ^ SIGN); NEXT; }
EXEC(FMOV_I) { set_v(VD, IMM); NEXT; }
EXEC_FP(FSQRT, 2)
{
    u64 r;
    if (!slow) r = fp_sqrt(cpu, (FpFormat)IS_D, BITS(VN));
    else if (IS_D) r = d_bits(__builtin_sqrt(as_d(VN->lo)));
    else r = s_bits(__builtin_sqrtf(as_s(VN->lo)));
    if (slow && UNLIKELY(is_doubtful(r, v))) return slow(cpu, op);
    set_v(VD, r);
    NEXT;
}

#define ROUND_INT(rounding_, tells_)                                                                         \
    SLOW_ONLY;                                                                                               \
    set_v(VD, fp_round_int(cpu, (FpFormat)IS_D, BITS(VN), (rounding_), (tells_)));                           \
    NEXT;
EXEC_FP(FRINTN, 2) { ROUND_INT(FP_NEAREST, false) }
EXEC_FP(FRINTP, 2) { ROUND_INT(FP_UP, false) }
EXEC_FP(FRINTM, 2) { ROUND_INT(FP_DOWN, false) }
EXEC_FP(FRINTZ, 2) { ROUND_INT(FP_ZERO, false) }
EXEC_FP(FRINTA, 2) { ROUND_INT(FP_AWAY, false) }
EXEC_FP(FRINTX, 2) { ROUND_INT(FP_CURRENT, true) }
EXEC_FP(FRINTI, 2) { ROUND_INT(FP_CURRENT, false) }

// Between formats: v = ftype of the source (0, 1, 3), aux = that of the result.
EXEC_FP(FCVT, 4)
{
    u64 r = VN->lo;
    if (slow && v == FP_S && op->aux == FP_D) {
        r = d_bits((double)as_s(r));
        if (UNLIKELY(is_doubtful(r, FP_D))) return slow(cpu, op);
    } else if (slow && v == FP_D && op->aux == FP_S) {
        r = s_bits((float)as_d(r));
        if (UNLIKELY(is_doubtful(r, FP_S))) return slow(cpu, op);
    } else {
        SLOW_ONLY;
        r = fp_convert(cpu, (FpFormat)v, (FpFormat)op->aux, v == FP_D ? r : v == FP_S ? (u32)r : (u16)r);
    }
    set_v(VD, r);
    NEXT;
}

// ---- comparisons

// FCMP of ordinary numbers raises nothing.
#define COMPARE(other_bits_, signals_)                                                                       \
    u64 x = BITS(VN), y = (other_bits_);                                                                     \
    if (!slow) {                                                                                             \
        flags_set(cpu, fp_compare(cpu, (FpFormat)IS_D, x, y, (signals_)));                                   \
        NEXT;                                                                                                \
    }                                                                                                        \
    if (UNLIKELY(is_nan(x, v) || is_nan(y, v))) return slow(cpu, op);                                        \
    if (IS_D) set_order(cpu, as_d(x) < as_d(y), as_d(x) == as_d(y));                                         \
    else set_order(cpu, as_s(x) < as_s(y), as_s(x) == as_s(y));                                              \
    NEXT;
static ALWAYS_INLINE bool is_nan(u64 bits, u32 v)
{
    return IS_D ? bits << 1 > 0x7ffULL << 53 : bits << 33 > 0xffULL << 56;
}
static ALWAYS_INLINE void set_order(Cpu *cpu, bool less, bool equal)
{
    cpu->flag_n = (u64)less << 63;
    cpu->flag_z = !equal;
    cpu->flag_c = !less;
    cpu->flag_v = 0;
}
EXEC_FP(FCMP, 2) { COMPARE(BITS(VM), false) }
EXEC_FP(FCMPE, 2) { COMPARE(BITS(VM), true) }
EXEC_FP(FCMP_Z, 2) { COMPARE(0, false) }
EXEC_FP(FCMPE_Z, 2) { COMPARE(0, true) }

#define CONDITIONAL(signals_)                                                                                \
    SLOW_ONLY;                                                                                               \
    flags_set(cpu, flags_holds(cpu, op->x) ? fp_compare(cpu, (FpFormat)IS_D, BITS(VN), BITS(VM), (signals_)) : op->aux); \
    NEXT;
EXEC_FP(FCCMP, 2) { CONDITIONAL(false) }
EXEC_FP(FCCMPE, 2) { CONDITIONAL(true) }
EXEC_V(FCSEL, 2)
{
    u64 r = flags_holds(cpu, op->x) ? BITS(VN) : BITS(VM);
    set_v(VD, r);
    NEXT;
}

// ---- integers. v = ftype + 2 * sf

#define IS_X (v >> 1 & 1)
#define WIDTH (IS_X ? 64u : 32u)
#define TO_INT(fraction_, rounding_, signed_)                                                                \
    SLOW_ONLY;                                                                                               \
    SET(RD, fp_to_int(cpu, (FpFormat)IS_D, BITS(VN), (fraction_), (rounding_), (signed_), WIDTH));           \
    NEXT;
EXEC_FP(FCVTNS, 4) { TO_INT(0, FP_NEAREST, true) }
EXEC_FP(FCVTNU, 4) { TO_INT(0, FP_NEAREST, false) }
EXEC_FP(FCVTAS, 4) { TO_INT(0, FP_AWAY, true) }
EXEC_FP(FCVTAU, 4) { TO_INT(0, FP_AWAY, false) }
EXEC_FP(FCVTPS, 4) { TO_INT(0, FP_UP, true) }
EXEC_FP(FCVTPU, 4) { TO_INT(0, FP_UP, false) }
EXEC_FP(FCVTMS, 4) { TO_INT(0, FP_DOWN, true) }
EXEC_FP(FCVTMU, 4) { TO_INT(0, FP_DOWN, false) }
EXEC_FP(FCVTZU, 4) { TO_INT(0, FP_ZERO, false) }
EXEC_FP(FCVTZS_FIX, 4) { TO_INT(op->x, FP_ZERO, true) }
EXEC_FP(FCVTZU_FIX, 4) { TO_INT(op->x, FP_ZERO, false) }
EXEC_FP(FCVTZS, 4)
{
    if (!slow) {
        TO_INT(0, FP_ZERO, true)
    }
    // Well inside the range the host's truncation is right, and raises inexact as it should.
    double d = IS_D ? as_d(VN->lo) : (double)as_s(VN->lo), limit = IS_X ? 0x1p62 : 0x1p30;
    if (UNLIKELY(!(d > -limit && d < limit))) return slow(cpu, op);
    SET(RD, IS_X ? (u64)(i64)d : (u32)(i64)d);
    NEXT;
}

// The magnitude and sign of the integer in RN.
#define MAGNITUDE(signed_)                                                                                   \
    u64 x = IS_X ? RN->value : (u32)RN->value;                                                               \
    bool neg = (signed_) && x >> (WIDTH - 1) & 1;                                                            \
    if (neg) x = IS_X ? (u64)0 - x : (u32)0 - (u32)x;
#define FROM_INT(fraction_, signed_)                                                                         \
    SLOW_ONLY;                                                                                               \
    MAGNITUDE(signed_)                                                                                       \
    set_v(VD, fp_from_int(cpu, (FpFormat)IS_D, x, neg, (fraction_)));                                        \
    NEXT;
EXEC_FP(SCVTF_FIX, 4) { FROM_INT(op->x, true) }
EXEC_FP(UCVTF_FIX, 4) { FROM_INT(op->x, false) }
EXEC_FP(SCVTF, 4)
{
    if (!slow) {
        FROM_INT(0, true)
    }
    i64 x = IS_X ? (i64)RN->value : (i32)RN->value;
    set_v(VD, IS_D ? d_bits((double)x) : s_bits((float)x));
    NEXT;
}
EXEC_FP(UCVTF, 4)
{
    if (!slow) {
        FROM_INT(0, false)
    }
    u64 x = IS_X ? RN->value : (u32)RN->value;
    if (UNLIKELY(x >> 63)) return slow(cpu, op);
    set_v(VD, IS_D ? d_bits((double)(i64)x) : s_bits((float)(i64)x));
    NEXT;
}
EXEC_V(FMOV_FG, 4) { SET(RD, IS_X ? VN->lo : (u32)VN->lo); NEXT; }
EXEC_V(FMOV_GF, 4) { set_v(VD, IS_X ? RN->value : (u32)RN->value); NEXT; }
EXEC_V(FMOV_HG, 4) { SET(RD, VN->hi); NEXT; }
EXEC_V(FMOV_GH, 4) { VD->hi = RN->value; NEXT; }

// Scalar vector forms: integer and float of one width.
EXEC_FP(SCVTF_S, 2)
{
    SLOW_ONLY;
    u64 x = BITS(VN);
    bool neg = x >> (IS_D ? 63 : 31) & 1;
    if (neg) x = IS_D ? (u64)0 - x : (u32)0 - (u32)x;
    set_v(VD, fp_from_int(cpu, (FpFormat)IS_D, x, neg, 0));
    NEXT;
}
EXEC_FP(UCVTF_S, 2) { SLOW_ONLY; set_v(VD, fp_from_int(cpu, (FpFormat)IS_D, BITS(VN), false, 0)); NEXT; }
EXEC_FP(FCVTZS_S, 2) { SLOW_ONLY; set_v(VD, fp_to_int(cpu, (FpFormat)IS_D, BITS(VN), 0, FP_ZERO, true, IS_D ? 64 : 32)); NEXT; }
EXEC_FP(FCVTZU_S, 2) { SLOW_ONLY; set_v(VD, fp_to_int(cpu, (FpFormat)IS_D, BITS(VN), 0, FP_ZERO, false, IS_D ? 64 : 32)); NEXT; }
