// Floating point: arithmetic, conversions to and from every integer type, comparisons with NaN, float rounding.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static volatile double zero;
static uint64_t bits(double d) { uint64_t u; memcpy(&u, &d, 8); return u; }
static uint32_t bitsf(float d) { uint32_t u; memcpy(&u, &d, 4); return u; }

static double poly(double x) { return ((1.5 * x - 2.25) * x + 3) * x - 0.125; }
static float halves(float x, int n) { return n ? halves(x / 2, n - 1) : x; }
static double args(double a, float b, int c, double d, long e, float f, double g, double h, double i, double j, double k, float l)
{
    return a + b * 2 + c * 3 + d * 4 + (double)e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j * 10 + k * 11 + l * 12;
}

int main(void)
{
    double a = 1.1 + zero, b = 2.7 + zero;
    printf("%016llx %016llx %016llx %016llx\n", (unsigned long long)bits(a + b), (unsigned long long)bits(a - b), (unsigned long long)bits(a * b),
           (unsigned long long)bits(a / b));
    float f = (float)a, g = (float)b;
    printf("%08x %08x %08x %08x\n", bitsf(f + g), bitsf(f - g), bitsf(f * g), bitsf(f / g));
    printf("%016llx %08x\n", (unsigned long long)bits(f), bitsf((float)(a * 1e-40)));
    printf("%016llx\n", (unsigned long long)bits(poly(a)));
    printf("%d %d %ld %lu %d %u\n", (int)-3.99, (int)(b * 100), (long)(a * 1e15), (unsigned long)(b * 1e18), (signed char)(b * 10), (unsigned char)(a * 100));
    int i = -7;
    unsigned u = 4000000000u;
    long l = -(1L << 53) - 1;
    unsigned long ul = 0xfffffffffffff800UL;
    printf("%016llx %016llx %016llx %016llx\n", (unsigned long long)bits(i), (unsigned long long)bits(u), (unsigned long long)bits((double)l),
           (unsigned long long)bits((double)ul));
    printf("%08x %08x %08x\n", bitsf((float)i), bitsf((float)u), bitsf((float)l));
    double nan = zero / zero, inf = 1 / zero;
    printf("%d %d %d %d %d %d\n", nan == nan, nan != nan, nan < 1, nan > 1, nan <= 1, !(nan >= 1));
    printf("%d %d %d\n", inf > 1e308, -inf < inf, inf == inf);
    printf("%d %d %d %d\n", a < b, a > b, a <= a, f == a);
    printf("%d %d %d\n", !zero, !a, zero ? 1 : 2);
    if (nan < 0 || nan >= 0) printf("wrong\n");
    printf("%d %d\n", a && zero, (zero || b) + (_Bool)0.25);
    printf("%016llx %016llx\n", (unsigned long long)bits(-zero), (unsigned long long)bits(-a));
    printf("%08x\n", bitsf(halves(3, 20)));
    printf("%d\n", (int)(args(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) * 8));
    double sum = 0;
    for (int k = 1; k <= 1000; k++) sum += 1.0 / k;
    printf("%016llx\n", (unsigned long long)bits(sum));
    float acc = 0;
    for (int k = 0; k < 100; k++) acc += 0.1f;
    printf("%08x\n", bitsf(acc));
    double arr[4] = {1, 2, 3, 4}, *p = arr;
    *p++ += 10;
    p[1] *= *p - 0.5;
    arr[3]++;
    printf("%d %d %d\n", (int)(arr[0] * 10), (int)(arr[2] * 10), (int)arr[3]);
    int n = 10;
    n *= 1.55;
    n -= 0.5f;
    printf("%d\n", n);
    printf("%016llx %016llx\n", (unsigned long long)bits(a > b ? a : b), (unsigned long long)bits(1 ? 1 : 2.0));
    return 0;
}
// expect: 400e666666666667 bff999999999999a 4007c28f5c28f5c4 3fda12f684bda130
// expect: 40733334 bfcccccd 403e147b 3ed097b4
// expect: 3ff19999a0000000 000132a3
// expect: 4003978d4fdf3b64
// expect: -3 270 1100000000000000 2700000000000000000 27 110
// expect: c01c000000000000 41edcd6500000000 c340000000000000 43efffffffffffff
// expect: c0e00000 4f6e6b28 da000000
// expect: 0 1 0 0 0 1
// expect: 1 1 1
// expect: 1 0 1 0
// expect: 1 0 2
// expect: 0 2
// expect: 8000000000000000 bff199999999999a
// expect: 36400000
// expect: 5200
// expect: 401df11f45f4e618
// expect: 41200002
// expect: 110 45 5
// expect: 14
// expect: 400599999999999a 3ff0000000000000
