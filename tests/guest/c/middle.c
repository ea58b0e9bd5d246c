// What optimisation could break: tail calls of inlined recursion, values over setjmp without registers to spare, loops whose
// test moves, phis that swap, copies of structs in pieces, switches of all shapes, computed goto.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static unsigned down(unsigned a, int n) { return n ? down(a * 3 + 1, n - 1) : a; }
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }

static int use_local(int *p) { return *p + 1; }
static int not_a_tail(int x)
{
    int local = x * 2;
    return use_local(&local);
}

static jmp_buf env;
static int calls;
__attribute__((noinline)) static void jump(int v)
{
    calls++;
    longjmp(env, v);
}

// Twenty values live over setjmp: more than there are registers that survive.
__attribute__((noinline)) static long crowded(long a, long b, long c)
{
    long v[20], d = a + b, e = b + c, f = c + a, g = a * b, h = b * c, i = c * a, j = a - b, k = b - c, m = c - a, n = a ^ b, o = b ^ c,
                p = c ^ a;
    int r = setjmp(env);
    if (r == 0) {
        long x = d * 3, y = e * 5, z = f * 7, w = g * 11, u = h * 13, t = i * 17;
        for (int q = 0; q < 20; q++) v[q] = x + y * q + z - w + u * t;
        calls += (int)(v[7] & 1);
        jump(5);
    }
    return a + b * 2 + c * 3 + d * 5 + e * 7 + f * 11 + g * 13 + h * 17 + i * 19 + j * 23 + k * 29 + m * 31 + n * 37 + o * 41 + p * 43 + r;
}

static int gcd(int a, int b)
{
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static void swap_loop(int n, int *out)
{
    int a = 1, b = 2, c = 3;
    for (int i = 0; i < n; i++) {
        int t = a;
        a = b, b = c, c = t;
    }
    out[0] = a, out[1] = b, out[2] = c;
}

struct Pair { char tag; double d; char text[6]; };
static struct Pair change(struct Pair p, int by)
{
    struct Pair q = p;
    q.d += by;
    q.text[by]++;
    if (by > 2) q = p;
    return q;
}

static int sw(int x)
{
    switch (x) {
    case -5: return 1;
    case 0: case 1: case 2: return 2;
    case 3: x += 4; // falls
    case 4: return x;
    case 10: return 3;
    case 11: return 4;
    case 12: return 5;
    case 13: return 6;
    case 15: return 7;
    case 1000 ... 5000: return 8;
    case 2147483647: return 9;
    default: return -1;
    }
}
static int sw_unsigned(unsigned x)
{
    switch (x) {
    case 4294967295u: return 1;
    case 2147483648u: return 2;
    case 7: return 3;
    }
    return 0;
}

static long run(const unsigned char *ip)
{
    static const void *const table[] = {&&push, &&add, &&dup, &&dec, &&jnz, &&halt};
    long stack[16], *sp = stack;
#define NEXT goto *table[*ip++]
    NEXT;
push: *sp++ = *ip++; NEXT;
add: sp--; sp[-1] += *sp; NEXT;
dup: *sp = sp[-1]; sp++; NEXT;
dec: sp[-1]--; NEXT;
jnz: if (sp[-1]) ip -= *ip + 1; else ip++;
    NEXT;
halt: return sp[-1] + sp[-2];
}

static unsigned mix(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f, unsigned g, unsigned h, unsigned i, unsigned j)
{
    for (unsigned k = 0; k < 50; k++) {
        a += b ^ c; b += c ^ d; c += d ^ e; d += e ^ f; e += f ^ g; f += g ^ h; g += h ^ i; h += i ^ j; i += j ^ a; j += a ^ b;
        unsigned t = a + h, u = b + i, v = c + j, w = d + k;
        a = t ^ (u >> 3); b = v ^ (w << 2); h ^= t + v; i -= u * w;
    }
    return a + b + c + d + e + f + g + h + i + j;
}

// A narrow store and another use share one extension.
static unsigned char wide = 0xa4;
static signed char narrow;
__attribute__((noinline)) static unsigned shared_extension(signed char *to, int than) { return ~((*to = wide) >= than); }

int main(void)
{
    printf("%u %d %d %d\n", down(1, 25), even(10), odd(1000), not_a_tail(20));
    long over = crowded(3, 5, 7);
    printf("%ld %d\n", over, calls);
    int out[3];
    swap_loop(4, out);
    printf("%d %d %d %d\n", gcd(84, 36), out[0], out[1], out[2]);
    struct Pair p = {'x', 1.5, "abcde"};
    struct Pair q = change(p, 1), r = change(p, 3);
    printf("%c %d %s %d %s\n", q.tag, (int)(q.d * 10), q.text, (int)(r.d * 10), r.text);
    static const int xs[] = {-5, 0, 2, 3, 4, 9, 10, 13, 14, 15, 999, 1000, 5000, 5001, 2147483647, -2147483647 - 1};
    for (unsigned k = 0; k < sizeof xs / sizeof xs[0]; k++) printf("%d ", sw(xs[k]));
    printf("%d %d %d %d\n", sw_unsigned(4294967295u), sw_unsigned(2147483648u), sw_unsigned(7), sw_unsigned(8));
    static const unsigned char code[] = {0, 10, 0, 5, 3, 4, 1, 0, 7, 1, 5};
    printf("%ld\n", run(code));
    printf("%08x\n", mix(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    unsigned shared = shared_extension(&narrow, 100);
    printf("%u %d\n", shared, narrow);
    return 0;
}
// expect: 3917561844 1 0 41
// expect: 1958 1
// expect: 12 2 3 1
// expect: x 25 accde 15 abcde
// expect: 1 2 2 7 4 -1 3 6 -1 7 -1 8 8 -1 9 -1 1 2 3 0
// expect: 17
// expect: def4ed8a
// expect: 4294967295 -92
