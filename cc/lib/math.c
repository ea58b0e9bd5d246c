// math.c: what needs no series. The compiler turns sqrt, fabs, floor, ceil and trunc into one instruction each.
#include <math.h>

#include <stdint.h>
#include <string.h>

double sqrt(double x) { return __builtin_sqrt(x); }
double fabs(double x) { return __builtin_fabs(x); }
float fabsf(float x) { return __builtin_fabsf(x); }
double floor(double x) { return __builtin_floor(x); }
double ceil(double x) { return __builtin_ceil(x); }
double trunc(double x) { return __builtin_trunc(x); }

static uint64_t bits_of(double x)
{
    union {
        double d;
        uint64_t u;
    } v = {.d = x};
    return v.u;
}

static double double_of(uint64_t bits)
{
    union {
        uint64_t u;
        double d;
    } v = {.u = bits};
    return v.d;
}

int __math_signbit(double x) { return (int)(bits_of(x) >> 63); }

double copysign(double x, double sign)
{
    return double_of((bits_of(x) & INT64_MAX) | (bits_of(sign) & ~(uint64_t)INT64_MAX));
}

double ldexp(double x, int exponent)
{
    double up = 0x1p1000, down = 0x1p-900;
    for (; exponent > 1000; exponent -= 1000) {
        x *= up;
        if (x == 0 || isinf(x) || isnan(x)) return x;
    }
    // The last step rounds once: above it no step may leave the normal range.
    for (; exponent < -1000; exponent += 900) {
        if (fabs(x) < 0x1p-100) {
            exponent = exponent < -1000 ? -1000 : exponent;
            break;
        }
        x *= down;
    }
    if (exponent < -1000) exponent = -1000;
    return exponent >= -1000 ? x * double_of((uint64_t)(exponent + 1023) << 52) : 0;
}

// Mantissa with bit 52 set and its exponent, which goes below 1 for subnormals.
static uint64_t normalized(uint64_t bits, int *exponent)
{
    uint64_t m = bits & 0xfffffffffffffUL;
    *exponent = (int)(bits >> 52);
    if (*exponent > 0) return m | 1UL << 52;
    for (*exponent = 1; !(m >> 52); (*exponent)--) m <<= 1;
    return m;
}

// Long division in binary, one bit of the quotient a step: exact, as the standard asks.
double fmod(double x, double y)
{
    uint64_t a = bits_of(x) & INT64_MAX, b = bits_of(y) & INT64_MAX, sign = bits_of(x) & ~(uint64_t)INT64_MAX;
    if (b == 0 || a >= 0x7ff0000000000000UL || b > 0x7ff0000000000000UL) return (x * y) / (x * y);
    if (a < b) return x;
    int ea, eb;
    uint64_t ma = normalized(a, &ea), mb = normalized(b, &eb);
    for (; ea > eb; ea--) {
        if (ma >= mb) ma -= mb;
        ma <<= 1;
    }
    if (ma >= mb) ma -= mb;
    if (ma == 0) return double_of(sign);
    for (; !(ma >> 52); eb--) ma <<= 1;
    if (eb < 1) return double_of(sign | ma >> (1 - eb)); // a multiple of the smallest subnormal
    return double_of(sign | (ma & 0xfffffffffffffUL) | (uint64_t)eb << 52);
}
