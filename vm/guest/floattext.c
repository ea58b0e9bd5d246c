// floattext.c: doubles to text and back, exactly, with whole-number arithmetic on arrays of 32-bit digits.
//
// A double is f · 2^e. To print it, r / s = f · 2^e / 10^k is kept as two big integers, and each step r = 10 r takes one decimal
// digit off. The shortest text stops as soon as what is left lies within half the gap to the neighbours (after Steele and
// White). To read, the decimal number is one fraction of two big integers, divided to 64 bits and rounded once.
#include "vm.h"

#include <math.h>
#include <string.h>

enum { BIG_WORDS = 140, MAX_DIGITS = 780 }; // 10^1100 has 3,655 bits; more than 770 digits never change the result

typedef struct Big {
    u32 n; // words in use; the top one is not 0
    u32 d[BIG_WORDS];
} Big;

static void big_set(Big *b, u64 v)
{
    b->d[0] = (u32)v;
    b->d[1] = (u32)(v >> 32);
    b->n = b->d[1] ? 2 : b->d[0] ? 1 : 0;
}

static void big_copy(Big *to, const Big *from)
{
    to->n = from->n;
    for (u32 i = 0; i < from->n; i++) to->d[i] = from->d[i];
}

static void big_mul_add(Big *b, u32 factor, u32 add)
{
    u64 carry = add;
    for (u32 i = 0; i < b->n; i++) {
        carry += (u64)b->d[i] * factor;
        b->d[i] = (u32)carry;
        carry >>= 32;
    }
    if (carry) b->d[b->n++] = (u32)carry;
}

static void big_mul_pow10(Big *b, int k)
{
    for (; k >= 9; k -= 9) big_mul_add(b, 1000000000, 0);
    static const u32 small[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    if (k > 0) big_mul_add(b, small[k], 0);
}

static void big_shift(Big *b, u32 bits)
{
    u32 words = bits / 32, rest = bits % 32;
    if (b->n == 0) return;
    u32 n = b->n;
    b->d[n] = 0;
    for (u32 i = n + 1; i-- > 0;) {
        u32 low = i > 0 && rest ? b->d[i - 1] >> (32 - rest) : 0;
        b->d[i + words] = (i < n ? b->d[i] << rest : 0) | low;
    }
    for (u32 i = 0; i < words; i++) b->d[i] = 0;
    b->n = n + words + (b->d[n + words] != 0);
}

static int big_compare(const Big *a, const Big *b)
{
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    for (u32 i = a->n; i-- > 0;) {
        if (a->d[i] != b->d[i]) return a->d[i] < b->d[i] ? -1 : 1;
    }
    return 0;
}

static void big_subtract(Big *a, const Big *b) // a >= b
{
    u64 borrow = 0;
    for (u32 i = 0; i < a->n; i++) {
        u64 d = (u64)a->d[i] - (i < b->n ? b->d[i] : 0) - borrow;
        a->d[i] = (u32)d;
        borrow = d >> 63;
    }
    while (a->n > 0 && a->d[a->n - 1] == 0) a->n--;
}

static void big_add(Big *a, const Big *b)
{
    u64 carry = 0;
    u32 n = a->n > b->n ? a->n : b->n;
    for (u32 i = 0; i < n; i++) {
        carry += (u64)(i < a->n ? a->d[i] : 0) + (i < b->n ? b->d[i] : 0);
        a->d[i] = (u32)carry;
        carry >>= 32;
    }
    a->n = n;
    if (carry) a->d[a->n++] = (u32)carry;
}

static int compare_sum(const Big *a, const Big *b, const Big *with) // a + b against `with`
{
    Big sum;
    big_copy(&sum, a);
    big_add(&sum, b);
    return big_compare(&sum, with);
}

// Quotient digit: r = r mod s; r < 10 s.
static u32 big_digit(Big *r, const Big *s)
{
    u32 digit = 0;
    while (big_compare(r, s) >= 0) {
        big_subtract(r, s);
        digit++;
    }
    return digit;
}

static u32 big_bits(const Big *b) { return b->n == 0 ? 0 : b->n * 32 - (u32)__builtin_clz(b->d[b->n - 1]); }

// ---- Printing --------------------------------------------------------------------------------------------------------------

typedef struct Parts {
    u64 f;
    int e; // value f · 2^e
    bool is_boundary; // a power of two: the gap below is half the gap above
} Parts;

static Parts parts_of(double d)
{
    union {
        double d;
        u64 u;
    } v = {.d = d};
    int exponent = (int)(v.u >> 52 & 0x7ff);
    u64 f = v.u & 0xfffffffffffff;
    if (exponent == 0) return (Parts){f, -1074, false};
    return (Parts){f | (u64)1 << 52, exponent - 1075, f == 0 && exponent > 1};
}

// r / s = value / 10^k < 1 with the smallest such k, which is returned; m: half the upper gap, in the same scale.
static int scale(const Parts *p, Big *r, Big *s, Big *m)
{
    int bits = 64 - __builtin_clzll(p->f) + p->e;
    double estimate = (bits - 1) * 0.30102999566398120 - 1e-9;
    int k = (int)estimate;
    if (estimate > k) k++; // ceil
    big_set(r, p->f);
    big_set(s, 1);
    big_set(m, 1);
    big_shift(r, 2); // 4 r / 4 s leaves room for half of a half gap
    big_shift(s, 2);
    big_shift(m, 1);
    if (p->e >= 0) {
        big_shift(r, (u32)p->e);
        big_shift(m, (u32)p->e);
    } else big_shift(s, (u32)-p->e);
    if (k >= 0) big_mul_pow10(s, k);
    else {
        big_mul_pow10(r, -k);
        big_mul_pow10(m, -k);
    }
    return k;
}

static int shortest_digits(const Parts *p, char *out, int *point)
{
    Big r, s, high, low;
    int k = scale(p, &r, &s, &high);
    bool is_even = (p->f & 1) == 0; // then the ends of the interval read back as this value, too
    int order = compare_sum(&r, &high, &s);
    if (is_even ? order >= 0 : order > 0) k++;
    else {
        big_mul_add(&r, 10, 0);
        big_mul_add(&high, 10, 0);
    }
    big_copy(&low, &high);
    if (p->is_boundary) { // half of it: high is even in every word's sense, since 4 was multiplied in
        for (u32 i = 0; i < low.n; i++) low.d[i] = low.d[i] >> 1 | (i + 1 < low.n ? low.d[i + 1] << 31 : 0);
        while (low.n > 0 && low.d[low.n - 1] == 0) low.n--;
    }
    *point = k;
    for (int n = 0;; n++) {
        u32 digit = big_digit(&r, &s);
        int below = big_compare(&r, &low), above = compare_sum(&r, &high, &s);
        bool may_stop_low = is_even ? below <= 0 : below < 0, may_stop_high = is_even ? above >= 0 : above > 0;
        if (!may_stop_low && !may_stop_high) {
            out[n] = (char)('0' + digit);
            big_mul_add(&r, 10, 0);
            big_mul_add(&high, 10, 0);
            big_mul_add(&low, 10, 0);
            continue;
        }
        if (may_stop_high && (!may_stop_low || compare_sum(&r, &r, &s) >= 0)) digit++;
        out[n] = (char)('0' + digit); // 10 cannot happen: a shorter text would have stopped before
        return n + 1;
    }
}

// Rounds the digits up by one in the last place; true if that made one digit more ("999" -> "1000").
static bool round_up(char *out, int n)
{
    for (int i = n; i-- > 0;) {
        if (out[i] != '9') {
            out[i]++;
            return false;
        }
        out[i] = '0';
    }
    memmove(out + 1, out, (size_t)n);
    out[0] = '1';
    return true;
}

static int fixed_digits(const Parts *p, int mode, int n, char *out, size_t n_out, int *point)
{
    Big r, s, unused;
    int k = scale(p, &r, &s, &unused);
    if (big_compare(&r, &s) >= 0) k++;
    else big_mul_add(&r, 10, 0);
    *point = k;
    int n_digits = mode == 2 ? n : k + n;
    if (n_digits > (int)n_out - 1) n_digits = (int)n_out - 1;
    if (n_digits < 0) return 0;
    for (int i = 0; i < n_digits; i++) {
        out[i] = (char)('0' + big_digit(&r, &s));
        big_mul_add(&r, 10, 0);
    }
    // r / 10 s is what is left of a unit of the last place
    big_mul_add(&s, 5, 0);
    int order = big_compare(&r, &s);
    bool is_odd = n_digits > 0 && (out[n_digits - 1] & 1);
    if (order > 0 || (order == 0 && is_odd)) {
        if (n_digits == 0) {
            out[0] = '1';
            *point = k + 1;
            return 1;
        }
        if (round_up(out, n_digits)) {
            (*point)++;
            if (mode == 3) n_digits++;
        }
    }
    return n_digits;
}

int float_digits(double d, int mode, int n, char *out, size_t n_out, int *point)
{
    Parts p = parts_of(d);
    return mode == 0 ? shortest_digits(&p, out, point) : fixed_digits(&p, mode, n, out, n_out, point);
}

static size_t exponent_text(int exponent, char *out)
{
    size_t n = 0;
    out[n++] = 'e';
    out[n++] = exponent < 0 ? '-' : '+';
    if (exponent < 0) exponent = -exponent;
    if (exponent >= 100) out[n++] = (char)('0' + exponent / 100);
    out[n++] = (char)('0' + exponent / 10 % 10);
    out[n++] = (char)('0' + exponent % 10);
    return n;
}

static size_t copy_text(char *out, const char *text)
{
    size_t n = strlen(text);
    memcpy(out, text, n);
    return n;
}

// Digits of an integral value below 2^53, which are also the shortest; trailing zeros go.
static int integer_digits(u64 v, char *out, int *point)
{
    char text[20];
    int n = 0;
    for (; v > 0; v /= 10) text[n++] = (char)('0' + v % 10);
    *point = n;
    for (int i = 0; i < n; i++) out[i] = text[n - 1 - i];
    while (n > 1 && out[n - 1] == '0') n--;
    return n;
}

size_t float_repr(double d, char out[32])
{
    size_t n = 0;
    if (d != d) return copy_text(out, "nan");
    if (signbit(d)) {
        out[n++] = '-';
        d = -d;
    }
    if (isinf(d)) return n + copy_text(out + n, "inf");
    if (d == 0) return n + copy_text(out + n, "0.0");
    char digits[32];
    int point, n_digits;
    if (d < 9007199254740992.0 && d == floor(d)) n_digits = integer_digits((u64)d, digits, &point);
    else n_digits = float_digits(d, 0, 0, digits, sizeof digits, &point);
    if (point > 16 || point < -3) {
        out[n++] = digits[0];
        if (n_digits > 1) out[n++] = '.';
        for (int i = 1; i < n_digits; i++) out[n++] = digits[i];
        return n + exponent_text(point - 1, out + n);
    }
    if (point <= 0) {
        n += copy_text(out + n, "0.");
        for (int i = point; i < 0; i++) out[n++] = '0';
    }
    for (int i = 0; i < n_digits || i < point; i++) {
        if (i == point && i > 0) out[n++] = '.';
        out[n++] = i < n_digits ? digits[i] : '0';
    }
    if (n_digits <= point) n += copy_text(out + n, ".0");
    return n;
}

// Digits with a point, from digit number `from` (negative: zeros before the first digit) to the end of the precision.
static size_t plain_text(const char *digits, int n_digits, int point, int precision, bool alternate, char *out)
{
    size_t n = 0;
    if (point <= 0) out[n++] = '0';
    for (int i = 0; i < point; i++) out[n++] = i < n_digits ? digits[i] : '0';
    if (precision > 0 || alternate) out[n++] = '.';
    for (int i = 0; i < precision; i++) {
        int at = point + i;
        out[n++] = at >= 0 && at < n_digits ? digits[at] : '0';
    }
    return n;
}

static size_t scientific_text(const char *digits, int n_digits, int point, int precision, bool alternate, char *out)
{
    size_t n = 0;
    out[n++] = digits[0];
    if (precision > 0 || alternate) out[n++] = '.';
    for (int i = 1; i <= precision; i++) out[n++] = i < n_digits ? digits[i] : '0';
    return n + exponent_text(point - 1, out + n);
}

size_t float_format(double d, char kind, int precision, bool alternate, char *out, size_t n_out)
{
    char digits[1100]; // 309 before the point, 700 behind it
    int point = 1, n_digits;
    if (d < 0) d = -d;
    if (d != d) return copy_text(out, "nan");
    if (isinf(d)) return copy_text(out, "inf");
    if (precision > 700 || n_out < 400 + (size_t)precision) raise_missing("a float format with a precision above 700");
    if (kind == 'f') {
        n_digits = d == 0 ? 0 : float_digits(d, 3, precision, digits, sizeof digits, &point);
        if (n_digits == 0) point = 0;
        return plain_text(digits, n_digits, point, precision, alternate, out);
    }
    if (kind == 'g' && precision == 0) precision = 1;
    int n_wanted = kind == 'e' ? precision + 1 : precision;
    n_digits = d == 0 ? 0 : float_digits(d, 2, n_wanted, digits, sizeof digits, &point);
    if (n_digits == 0) digits[n_digits++] = '0';
    if (kind == 'e') return scientific_text(digits, n_digits, point, precision, alternate, out);
    if (!alternate) {
        while (n_digits > 1 && digits[n_digits - 1] == '0') n_digits--;
    } else n_digits = precision;
    if (point > precision || point < -3) {
        return scientific_text(digits, n_digits, point, n_digits - 1, alternate, out);
    }
    int n_fraction = n_digits - point;
    return plain_text(digits, n_digits, point, n_fraction > 0 ? n_fraction : 0, alternate, out);
}

// ---- Reading -----------------------------------------------------------------------------------------------------------------

static double double_of(u64 bits)
{
    union {
        u64 u;
        double d;
    } v = {.u = bits};
    return v.d;
}

// num / den rounded to nearest even; both are positive; num is destroyed.
static double ratio(Big *num, const Big *den_in)
{
    Big den;
    big_copy(&den, den_in);
    int shift = (int)big_bits(num) - (int)big_bits(&den); // the quotient lies in (2^(shift-1), 2^(shift+1))
    if (shift > 1025) return (double)INFINITY;
    if (shift < -1080) return 0;
    if (shift >= 0) big_shift(&den, (u32)shift);
    else big_shift(num, (u32)-shift);
    if (big_compare(num, &den) < 0) {
        big_shift(num, 1);
        shift--;
    }
    // Now 1 <= num / den < 2: take as many bits as the result has, one by one.
    int n_bits = shift >= -1022 ? 53 : 53 - (-1022 - shift);
    if (n_bits < 0) return 0;
    u64 f = 0;
    for (int i = 0; i < n_bits; i++) {
        f <<= 1;
        if (big_compare(num, &den) >= 0) {
            big_subtract(num, &den);
            f |= 1;
        }
        big_shift(num, 1);
    }
    int order = big_compare(num, &den); // the next bit and everything behind it
    if (order > 0 || (order == 0 && (f & 1))) f++;
    if (shift < -1022) return double_of(f); // subnormal; rounding up into the normal range works out
    if (f == (u64)1 << 53) {
        f >>= 1;
        shift++;
    }
    if (shift > 1023) return (double)INFINITY;
    return double_of((u64)(shift + 1023) << 52 | (f & 0xfffffffffffff));
}

double float_of_ratio(u64 numerator, u64 denominator)
{
    Big num, den;
    if (numerator == 0) return 0;
    big_set(&num, numerator);
    big_set(&den, denominator);
    return ratio(&num, &den);
}

// The decimal number in s: digits without leading zeros, and its power of ten.
typedef struct Decimal {
    char digits[MAX_DIGITS];
    int n, exponent; // value = digits · 10^exponent
} Decimal;

static bool is_digit(u8 c) { return c >= '0' && c <= '9'; }

static size_t scan(const u8 *s, size_t n, Decimal *dec)
{
    size_t i = 0;
    bool any = false, is_fraction = false, is_cut = false;
    dec->n = dec->exponent = 0;
    for (; i < n; i++) {
        if (s[i] == '.' && !is_fraction) {
            is_fraction = true;
            continue;
        }
        if (s[i] == '_' && any && i + 1 < n && is_digit(s[i + 1]) && is_digit(s[i - 1])) continue;
        if (!is_digit(s[i])) break;
        any = true;
        if (is_fraction) dec->exponent--;
        if (dec->n == 0 && s[i] == '0') continue;
        if (dec->n < MAX_DIGITS - 1) dec->digits[dec->n++] = (char)s[i];
        else {
            dec->exponent++;
            is_cut |= s[i] != '0';
        }
    }
    if (is_cut) dec->digits[dec->n - 1] |= 1; // something non-zero was cut: keep the value off a tie
    if (!any) return 0;
    if (i < n && (s[i] | 32) == 'e') {
        size_t at = i + 1;
        bool is_negative = at < n && s[at] == '-';
        if (at < n && (s[at] == '-' || s[at] == '+')) at++;
        if (at < n && is_digit(s[at])) {
            int e = 0;
            for (; at < n && is_digit(s[at]); at++) e = e < 100000 ? e * 10 + (s[at] - '0') : e;
            dec->exponent += is_negative ? -e : e;
            i = at;
        }
    }
    return i;
}

double float_from_text(const u8 *s, size_t n, size_t *n_used)
{
    Decimal dec;
    *n_used = scan(s, n, &dec);
    while (dec.n > 0 && dec.digits[dec.n - 1] == '0') {
        dec.n--;
        dec.exponent++;
    }
    if (dec.n == 0) return 0;
    if (dec.n + dec.exponent > 310) return (double)INFINITY;
    if (dec.n + dec.exponent < -326) return 0;
    static const double exact[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (dec.n <= 15 && dec.exponent >= -22 && dec.exponent <= 22) { // both exact: one operation rounds once
        u64 v = 0;
        for (int i = 0; i < dec.n; i++) v = v * 10 + (u64)(dec.digits[i] - '0');
        return dec.exponent < 0 ? (double)v / exact[-dec.exponent] : (double)v * exact[dec.exponent];
    }
    Big num, den;
    big_set(&num, 0);
    big_set(&den, 1);
    for (int i = 0; i < dec.n; i++) big_mul_add(&num, 10, (u32)(dec.digits[i] - '0'));
    if (dec.exponent >= 0) big_mul_pow10(&num, dec.exponent);
    else big_mul_pow10(&den, -dec.exponent);
    return ratio(&num, &den);
}
