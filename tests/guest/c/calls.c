// Calls: recursion, many arguments, mutual recursion, inline functions, static locals, results of small types, register pressure.
#include <stdio.h>

static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static long twelve(char a, short b, int c, long d, unsigned char e, unsigned short f, unsigned g, unsigned long h, char i, short j, int k, long l)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7L * g + 8 * (long)h + 9 * i + 10 * j + 11 * k + 12 * l;
}
static inline int square(int x) { return x * x; }
static __attribute__((always_inline)) inline int cube(int x) { return x * square(x); }
static __attribute__((noinline)) int apart(int x) { return x + 1; }
static int next_id(void) { static int id = 100; return id++; }
static signed char sc(int x) { return (signed char)x; }
static unsigned char uc(int x) { return (unsigned char)x; }
static short sh(int x) { return (short)x; }
static _Bool bo(int x) { return x; }
static void fill(int *p, int n, int (*gen)(int)) { for (int i = 0; i < n; i++) p[i] = gen(i); }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static __attribute__((noinline)) long pressure(const long *p)
{
    long a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], f = p[5], g = p[6], h = p[7], i = p[8], j = p[9], k = p[10], l = p[11], m = p[12], n = p[13],
         o = p[14], q = p[15], r = p[16], s = p[17], t = p[18], u = p[19], v = p[20], w = p[21], x = p[22], y = p[23], z = p[24];
    for (int it = 0; it < 10; it++) {
        a += z; b ^= a; c += b; d ^= c; e += d; f ^= e; g += f; h ^= g; i += h; j ^= i; k += j; l ^= k; m += l;
        n ^= m; o += n; q ^= o; r += q; s ^= r; t += s; u ^= t; v += u; w ^= v; x += w; y ^= x; z += y + apart(it);
    }
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l ^ m ^ n ^ o ^ q ^ r ^ s ^ t ^ u ^ v ^ w ^ x ^ y ^ z;
}

static __attribute__((noinline)) double fpressure(double x)
{
    double v[20], s = 0;
    for (int i = 0; i < 20; i++) v[i] = x * i;
    double a = v[1], b = v[2], c = v[3], d = v[4], e = v[5], f = v[6], g = v[7], h = v[8], i = v[9], j = v[10], k = v[11];
    for (int n = 0; n < 5; n++) {
        a += k; b += a; c += b; d += c; e += d; f += e; g += f; h += g; i += h; j += i; k += j;
        s += apart(n) * a;
    }
    return s + b + c + d + e + f + g + h + i + j + k;
}

int main(void)
{
    printf("%d\n", ack(2, 9));
    printf("%d %d\n", even(1000), odd(77));
    printf("%ld\n", twelve(1, -2, 3, -4, 5, 6, 7, 8, 9, -10, 11, -12));
    printf("%d %d\n", cube(3), apart(square(5)));
    next_id();
    printf("%d", next_id());
    printf(" %d\n", next_id());
    printf("%d %d %d %d\n", sc(200), uc(-1), sh(40000), bo(256));
    int a[5];
    fill(a, 5, fib);
    printf("%d %d %d\n", a[2], a[3], a[4]);
    printf("%d\n", fib(20));
    long p[25];
    for (int i = 0; i < 25; i++) p[i] = i * 7919 + 1;
    printf("%lx\n", (unsigned long)pressure(p));
    printf("%ld\n", (long)fpressure(1.25));
    return 0;
}
// expect: 21
// expect: 1 1
// expect: 122
// expect: 27 26
// expect: 101 102
// expect: -56 255 -25536 1
// expect: 1 2 3
// expect: 6765
// expect: 31769dbe41db
// expect: 993702
