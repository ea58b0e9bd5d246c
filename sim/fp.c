// fp.c: see fp.h. A number is unpacked to sign, 128-bit magnitude and exponent (value = mant * 2^exp), computed with at least
// two bits more than any format has, the lowest bit "sticky" (some lost bit was set), and rounded once by round_pack.
#include "sim/fp.h"
#include "base/bits.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#else
#include <fenv.h>
#endif

typedef struct Format {
    u32 bits, fraction; // widths of the whole and of the fraction field
    i32 bias;
} Format;
static const Format s_formats[] = {[FP_S] = {32, 23, 127}, [FP_D] = {64, 52, 1023}, [FP_H] = {16, 10, 15}};

typedef enum Kind { ZERO, FINITE, INFINITE, QUIET, SIGNALING } Kind;
typedef struct Num {
    Kind kind;
    bool neg;
    u128 mant;
    i32 exp;
} Num;

enum { FPCR_AHP = 1 << 26, FPCR_DN = 1 << 25, FPCR_FZ = 1 << 24, FPCR_FZ16 = 1 << 19 };

static void raise(Cpu *cpu, u32 flags) { cpu->fpsr |= flags; }
static bool flushes(const Cpu *cpu, FpFormat f) { return cpu->fpcr & (f == FP_H ? FPCR_FZ16 : FPCR_FZ); }
static FpRounding rounding(const Cpu *cpu) { return (FpRounding)(cpu->fpcr >> 22 & 3); }

static u64 sign_bit(const Format *t) { return 1ULL << (t->bits - 1); }
static u64 exponent_ones(const Format *t) { return bits_mask(t->bits - 1 - t->fraction) << t->fraction; }
static u64 make_zero(const Format *t, bool neg) { return neg ? sign_bit(t) : 0; }
static u64 make_inf(const Format *t, bool neg) { return make_zero(t, neg) | exponent_ones(t); }
static u64 default_nan(const Format *t) { return exponent_ones(t) | 1ULL << (t->fraction - 1); }

static Num unpack(Cpu *cpu, FpFormat f, u64 v)
{
    const Format *t = &s_formats[f];
    u64 fraction = v & bits_mask(t->fraction), e = (v & exponent_ones(t)) >> t->fraction;
    Num n = {.kind = FINITE, .neg = v & sign_bit(t), .mant = fraction};
    n.exp = 1 - t->bias - (i32)t->fraction;
    bool alternative = f == FP_H && cpu->fpcr & FPCR_AHP; // no infinities and NaNs
    if (e == 0) {
        if (!fraction) {
            n.kind = ZERO;
        } else if (flushes(cpu, f)) {
            n.kind = ZERO, n.mant = 0;
            if (f != FP_H) raise(cpu, FPSR_IDC);
        }
    } else if (v & exponent_ones(t) && e == exponent_ones(t) >> t->fraction && !alternative) {
        n.kind = !fraction ? INFINITE : fraction >> (t->fraction - 1) ? QUIET : SIGNALING;
    } else {
        n.mant |= 1ULL << t->fraction;
        n.exp += (i32)e - 1;
    }
    return n;
}

static bool is_nan(Num n) { return n.kind >= QUIET; }

// A NaN operand becomes the result: quiet; or the default one.
static u64 process_nan(Cpu *cpu, FpFormat f, u64 v, Kind kind)
{
    const Format *t = &s_formats[f];
    if (kind == SIGNALING) raise(cpu, FPSR_IOC), v |= 1ULL << (t->fraction - 1);
    return cpu->fpcr & FPCR_DN ? default_nan(t) : v;
}
// The first signaling one, else the first quiet one.
static bool process_nans(Cpu *cpu, FpFormat f, u32 n, const u64 v[], const Num num[], u64 *out)
{
    for (Kind k = SIGNALING; k >= QUIET; k--)
        for (u32 i = 0; i < n; i++)
            if (num[i].kind == k) return *out = process_nan(cpu, f, v[i], k), true;
    return false;
}
static u64 invalid(Cpu *cpu, FpFormat f)
{
    raise(cpu, FPSR_IOC);
    return default_nan(&s_formats[f]);
}

static i32 top_bit(u128 m)
{
    u64 hi = (u64)(m >> 64);
    return hi ? 127 - __builtin_clzll(hi) : 63 - __builtin_clzll((u64)m);
}
// m >> by, lost bits jammed into the lowest.
static u128 shift_right_sticky(u128 m, i32 by)
{
    if (by <= 0) return m;
    if (by > 127) return m != 0;
    return m >> by | ((m & (((u128)1 << by) - 1)) != 0);
}

static u64 overflow(Cpu *cpu, FpFormat f, bool neg, FpRounding r)
{
    const Format *t = &s_formats[f];
    if (f == FP_H && cpu->fpcr & FPCR_AHP) {
        raise(cpu, FPSR_IOC);
        return make_zero(t, neg) | 0x7fff;
    }
    raise(cpu, FPSR_OFC | FPSR_IXC);
    bool to_inf = r == FP_NEAREST || r == FP_AWAY || (r == FP_UP && !neg) || (r == FP_DOWN && neg);
    return to_inf ? make_inf(t, neg) : make_inf(t, neg) - 1;
}

static bool rounds_up(FpRounding r, bool neg, bool is_odd, u128 rest, u128 half)
{
    switch (r) {
    case FP_NEAREST: return rest > half || (rest == half && is_odd);
    case FP_AWAY: return rest >= half;
    case FP_UP: return rest && !neg;
    case FP_DOWN: return rest && neg;
    default: return false;
    }
}

// FPRound: mant is not 0.
static u64 round_pack(Cpu *cpu, FpFormat f, bool neg, u128 mant, i32 exp)
{
    const Format *t = &s_formats[f];
    FpRounding r = rounding(cpu);
    i32 lead = top_bit(mant), e = lead + exp, min = 1 - t->bias; // value is 1.x * 2^e
    if (e < min && flushes(cpu, f)) {
        raise(cpu, FPSR_UFC);
        return make_zero(t, neg);
    }
    i32 biased = e < min ? 0 : e - min + 1;
    // Drop bits so that the lowest kept one weighs 2^(max(e, min) - fraction).
    i32 drop = (e < min ? min : e) - (i32)t->fraction - exp;
    u128 kept, rest = 0, half = 1;
    if (drop <= 0) {
        kept = mant << -drop;
    } else {
        if (drop > 126) mant = shift_right_sticky(mant, drop - 126), drop = 126;
        kept = mant >> drop;
        half = (u128)1 << (drop - 1);
        rest = mant & (((u128)1 << drop) - 1);
    }
    if (biased == 0 && rest) raise(cpu, FPSR_UFC);
    u64 fraction = (u64)kept;
    if (rounds_up(r, neg, fraction & 1, rest, half)) fraction++;
    u64 hidden = 1ULL << t->fraction;
    if (biased == 0) biased = fraction == hidden; // rounded up to the smallest normal number
    else if (fraction == hidden << 1) fraction >>= 1, biased++;
    u64 max = exponent_ones(t) >> t->fraction;
    if (f == FP_H && cpu->fpcr & FPCR_AHP) max++;
    if ((u64)biased >= max) return overflow(cpu, f, neg, r);
    if (rest) raise(cpu, FPSR_IXC);
    return make_zero(t, neg) | (u64)biased << t->fraction | (fraction & (hidden - 1));
}

// ---- arithmetic

static void normalize(Num *n) // top bit at 125: room for a carry and a sticky bit
{
    i32 by = 125 - top_bit(n->mant);
    n->mant = by >= 0 ? n->mant << by : shift_right_sticky(n->mant, -by);
    n->exp -= by;
}

// a + b, both finite or zero.
static u64 add_finite(Cpu *cpu, FpFormat f, Num a, Num b)
{
    const Format *t = &s_formats[f];
    if (a.kind == ZERO && b.kind == ZERO)
        return make_zero(t, a.neg == b.neg ? a.neg : rounding(cpu) == FP_DOWN);
    if (a.kind == ZERO) return round_pack(cpu, f, b.neg, b.mant, b.exp);
    if (b.kind == ZERO) return round_pack(cpu, f, a.neg, a.mant, a.exp);
    normalize(&a);
    normalize(&b);
    if (a.exp < b.exp) {
        Num s = a;
        a = b;
        b = s;
    }
    b.mant = shift_right_sticky(b.mant, a.exp - b.exp);
    if (a.neg == b.neg) return round_pack(cpu, f, a.neg, a.mant + b.mant, a.exp);
    if (a.mant == b.mant) return make_zero(t, rounding(cpu) == FP_DOWN);
    bool a_larger = a.mant > b.mant;
    return round_pack(cpu, f, a_larger ? a.neg : b.neg, a_larger ? a.mant - b.mant : b.mant - a.mant, a.exp);
}

static u64 add(Cpu *cpu, FpFormat f, Num a, Num b)
{
    if (a.kind == INFINITE && b.kind == INFINITE && a.neg != b.neg) return invalid(cpu, f);
    if (a.kind == INFINITE) return make_inf(&s_formats[f], a.neg);
    if (b.kind == INFINITE) return make_inf(&s_formats[f], b.neg);
    return add_finite(cpu, f, a, b);
}

static u64 multiply(Cpu *cpu, FpFormat f, Num a, Num b)
{
    bool neg = a.neg != b.neg;
    if ((a.kind == INFINITE && b.kind == ZERO) || (a.kind == ZERO && b.kind == INFINITE)) return invalid(cpu, f);
    if (a.kind == INFINITE || b.kind == INFINITE) return make_inf(&s_formats[f], neg);
    if (a.kind == ZERO || b.kind == ZERO) return make_zero(&s_formats[f], neg);
    return round_pack(cpu, f, neg, a.mant * b.mant, a.exp + b.exp);
}

static u64 divide(Cpu *cpu, FpFormat f, Num a, Num b)
{
    bool neg = a.neg != b.neg;
    if (a.kind == b.kind && (a.kind == INFINITE || a.kind == ZERO)) return invalid(cpu, f);
    if (a.kind == INFINITE || b.kind == ZERO) {
        if (a.kind != INFINITE) raise(cpu, FPSR_DZC);
        return make_inf(&s_formats[f], neg);
    }
    if (a.kind == ZERO || b.kind == INFINITE) return make_zero(&s_formats[f], neg);
    normalize(&a);
    u128 q = a.mant / b.mant;
    if (q * b.mant != a.mant) q |= 1;
    return round_pack(cpu, f, neg, q, a.exp - b.exp);
}

// Larger (or smaller) of two numbers that are not NaN.
static u64 pick(FpFormat f, u64 a, u64 b, Num x, Num y, bool larger)
{
    const Format *t = &s_formats[f];
    if (x.kind == ZERO) a = make_zero(t, x.neg); // a flushed one
    if (y.kind == ZERO) b = make_zero(t, y.neg);
    // Bits as ordered integers: negative numbers run backwards. -0 < +0.
    i64 i = (a & sign_bit(t)) ? -(i64)(a & ~sign_bit(t)) - 1 : (i64)a;
    i64 j = (b & sign_bit(t)) ? -(i64)(b & ~sign_bit(t)) - 1 : (i64)b;
    return (i > j) == larger ? a : b;
}

u64 fp_binary(Cpu *cpu, FpFormat f, FpOp op, u64 a, u64 b)
{
    const Format *t = &s_formats[f];
    u64 v[2] = {a, b}, r;
    Num n[2] = {unpack(cpu, f, a), unpack(cpu, f, b)};
    if (op == FP_MAXNM || op == FP_MINNM) { // one quiet NaN loses against a number
        if (n[0].kind == QUIET && !is_nan(n[1])) return pick(f, b, b, n[1], n[1], true);
        if (n[1].kind == QUIET && !is_nan(n[0])) return pick(f, a, a, n[0], n[0], true);
    }
    if (!process_nans(cpu, f, 2, v, n, &r)) {
        switch (op) {
        case FP_ADD: r = add(cpu, f, n[0], n[1]); break;
        case FP_SUB: case FP_ABD: n[1].neg = !n[1].neg, r = add(cpu, f, n[0], n[1]); break;
        case FP_MUL: case FP_NMUL: r = multiply(cpu, f, n[0], n[1]); break;
        case FP_DIV: r = divide(cpu, f, n[0], n[1]); break;
        case FP_MAX: case FP_MAXNM: r = pick(f, a, b, n[0], n[1], true); break;
        default: r = pick(f, a, b, n[0], n[1], false); break;
        }
    }
    if (op == FP_NMUL) r ^= sign_bit(t);
    if (op == FP_ABD) r &= ~sign_bit(t);
    return r;
}

u64 fp_fma(Cpu *cpu, FpFormat f, u64 addend, u64 x, u64 y)
{
    u64 v[3] = {addend, x, y}, r;
    Num n[3] = {unpack(cpu, f, addend), unpack(cpu, f, x), unpack(cpu, f, y)}, a = n[0], b = n[1], c = n[2];
    bool inf_times_zero = (b.kind == INFINITE && c.kind == ZERO) || (b.kind == ZERO && c.kind == INFINITE);
    if (a.kind == QUIET && inf_times_zero) return invalid(cpu, f);
    if (process_nans(cpu, f, 3, v, n, &r)) return r;
    if (inf_times_zero) return invalid(cpu, f);
    Num p = {.neg = b.neg != c.neg, .kind = FINITE, .mant = b.mant * c.mant, .exp = b.exp + c.exp};
    if (b.kind == INFINITE || c.kind == INFINITE) p.kind = INFINITE;
    else if (b.kind == ZERO || c.kind == ZERO) p.kind = ZERO;
    return add(cpu, f, a, p);
}

u64 fp_sqrt(Cpu *cpu, FpFormat f, u64 a)
{
    u64 r;
    Num n = unpack(cpu, f, a);
    if (process_nans(cpu, f, 1, &a, &n, &r)) return r;
    if (n.kind == ZERO) return make_zero(&s_formats[f], n.neg);
    if (n.neg) return invalid(cpu, f);
    if (n.kind == INFINITE) return a;
    normalize(&n);
    if (n.exp & 1) n.mant <<= 1, n.exp--;
    u128 root = 0, rest = n.mant;
    for (u128 bit = (u128)1 << 126; bit; bit >>= 2) {
        if (rest >= root + bit) rest -= root + bit, root = (root >> 1) + bit;
        else root >>= 1;
    }
    return round_pack(cpu, f, false, root << 1 | (rest != 0), n.exp / 2 - 1);
}

// ---- integers

// |n| * 2^fraction_bits as an integer under r; *lost = not exact. Saturates at 2^127.
static u128 to_integer(Num n, u32 fraction_bits, FpRounding r, bool *lost)
{
    i32 exp = n.exp + (i32)fraction_bits;
    *lost = false;
    if (exp >= 0) return top_bit(n.mant) + exp > 126 ? (u128)1 << 127 : n.mant << exp;
    u128 m = n.mant, rest, half;
    i32 drop = -exp;
    if (drop > 126) m = shift_right_sticky(m, drop - 126), drop = 126;
    half = (u128)1 << (drop - 1);
    rest = m & (((u128)1 << drop) - 1);
    m >>= drop;
    *lost = rest != 0;
    return m + rounds_up(r, n.neg, m & 1, rest, half);
}

u64 fp_round_int(Cpu *cpu, FpFormat f, u64 a, FpRounding r, bool tells_inexact)
{
    u64 out;
    Num n = unpack(cpu, f, a);
    if (process_nans(cpu, f, 1, &a, &n, &out)) return out;
    if (n.kind == ZERO) return make_zero(&s_formats[f], n.neg);
    if (n.kind == INFINITE || n.exp >= 0) return a;
    bool lost;
    u128 m = to_integer(n, 0, r == FP_CURRENT ? rounding(cpu) : r, &lost);
    if (lost && tells_inexact) raise(cpu, FPSR_IXC);
    return m ? round_pack(cpu, f, n.neg, m, 0) : make_zero(&s_formats[f], n.neg);
}

u64 fp_to_int(Cpu *cpu, FpFormat f, u64 a, u32 fraction_bits, FpRounding r, bool is_signed, u32 bits)
{
    Num n = unpack(cpu, f, a);
    if (is_nan(n)) return raise(cpu, FPSR_IOC), 0;
    bool lost = false;
    u128 m = n.kind == ZERO ? 0 : n.kind == INFINITE ? (u128)1 << 127 : to_integer(n, fraction_bits, r, &lost);
    u128 limit = n.neg ? (is_signed ? (u128)1 << (bits - 1) : 0) : ((u128)1 << (bits - is_signed)) - 1;
    if (m > limit) raise(cpu, FPSR_IOC), m = limit;
    else if (lost) raise(cpu, FPSR_IXC);
    u64 v = n.neg ? (u64)0 - (u64)m : (u64)m;
    return bits == 32 ? (u32)v : v;
}

u64 fp_from_int(Cpu *cpu, FpFormat f, u64 magnitude, bool negative, u32 fraction_bits)
{
    return magnitude ? round_pack(cpu, f, negative, magnitude, -(i32)fraction_bits) : 0;
}

// ---- formats

u64 fp_convert(Cpu *cpu, FpFormat from, FpFormat to, u64 a)
{
    const Format *s = &s_formats[from], *t = &s_formats[to];
    // FPConvert unpacks half precision without FZ16.
    u32 fpcr = cpu->fpcr;
    cpu->fpcr &= ~(u32)FPCR_FZ16;
    Num n = unpack(cpu, from, a);
    bool alternative = to == FP_H && fpcr & FPCR_AHP;
    u64 r;
    if (is_nan(n)) {
        // The payload's top bits stay; the alternative half format has no NaN.
        u64 payload = a & bits_mask(s->fraction - 1);
        payload = t->fraction > s->fraction ? payload << (t->fraction - s->fraction) : payload >> (s->fraction - t->fraction);
        r = default_nan(t) | (fpcr & FPCR_DN ? 0 : make_zero(t, n.neg) | payload);
        if (alternative) r = make_zero(t, n.neg);
        if (n.kind == SIGNALING || alternative) raise(cpu, FPSR_IOC);
    } else if (n.kind == INFINITE) {
        r = alternative ? make_zero(t, n.neg) | 0x7fff : make_inf(t, n.neg);
        if (alternative) raise(cpu, FPSR_IOC);
    } else {
        r = n.kind == ZERO ? make_zero(t, n.neg) : round_pack(cpu, to, n.neg, n.mant, n.exp);
    }
    cpu->fpcr = fpcr;
    return r;
}

u32 fp_compare(Cpu *cpu, FpFormat f, u64 a, u64 b, bool signals_quiet)
{
    Num x = unpack(cpu, f, a), y = unpack(cpu, f, b);
    if (is_nan(x) || is_nan(y)) {
        if (signals_quiet || x.kind == SIGNALING || y.kind == SIGNALING) raise(cpu, FPSR_IOC);
        return 3;
    }
    if (x.kind == ZERO && y.kind == ZERO) return 6;
    u64 larger = pick(f, a, b, x, y, true);
    if (x.kind == ZERO) a = make_zero(&s_formats[f], x.neg);
    if (y.kind == ZERO) b = make_zero(&s_formats[f], y.neg);
    return a == b ? 6 : larger == a ? 2 : 8;
}

// ---- the host's flags

void fp_fold(Cpu *cpu)
{
#if defined(__SSE2__)
    u32 csr = _mm_getcsr();
    if (csr & _MM_EXCEPT_INVALID) raise(cpu, FPSR_IOC);
    if (csr & _MM_EXCEPT_DIV_ZERO) raise(cpu, FPSR_DZC);
    if (csr & _MM_EXCEPT_OVERFLOW) raise(cpu, FPSR_OFC);
    if (csr & _MM_EXCEPT_UNDERFLOW) raise(cpu, FPSR_UFC);
    if (csr & _MM_EXCEPT_INEXACT) raise(cpu, FPSR_IXC);
#else
    if (fetestexcept(FE_INVALID)) raise(cpu, FPSR_IOC);
    if (fetestexcept(FE_DIVBYZERO)) raise(cpu, FPSR_DZC);
    if (fetestexcept(FE_OVERFLOW)) raise(cpu, FPSR_OFC);
    if (fetestexcept(FE_UNDERFLOW)) raise(cpu, FPSR_UFC);
    if (fetestexcept(FE_INEXACT)) raise(cpu, FPSR_IXC);
#endif
    fp_forget();
}

void fp_forget(void)
{
#if defined(__SSE2__)
    u32 csr = _mm_getcsr();
    if (csr & _MM_EXCEPT_MASK) _mm_setcsr(csr & ~(u32)_MM_EXCEPT_MASK);
#else
    feclearexcept(FE_ALL_EXCEPT);
#endif
}
