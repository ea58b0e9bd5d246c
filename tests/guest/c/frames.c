// Stack frames: large ones, more alignment than SP has, alloca beside outgoing arguments, many values live over calls.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static int many(int a, int b, int c, int d, int e, int f, int g, int h, int i, long j)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * (int)j;
}

__attribute__((noinline)) static long large(int n)
{
    long a[5000], b[300];
    volatile char edge = 3;
    for (int i = 0; i < 5000; i++) a[i] = i * n;
    for (int i = 0; i < 300; i++) b[i] = a[i * 16] - n;
    return a[4999] + b[299] + edge;
}

__attribute__((noinline)) static int huge(int n)
{
    char a[1 << 20];
    memset(a, n, sizeof a);
    return a[0] + a[sizeof a - 1] + (int)(sizeof a >> 18);
}

__attribute__((noinline)) static int aligned(int n)
{
    _Alignas(64) char a[100];
    _Alignas(256) int b[4] = {n, n + 1, n + 2, n + 3};
    memset(a, n, sizeof a);
    return (int)((uintptr_t)a % 64) + (int)((uintptr_t)b % 256) + a[99] + b[3];
}

__attribute__((noinline)) static int dynamic(int n)
{
    int sum = 0;
    for (int i = 1; i <= n; i++) {
        char *p = __builtin_alloca(i * 10);
        memset(p, i, i * 10);
        sum += p[i * 10 - 1] + many(1, 2, 3, 4, 5, 6, 7, 8, p[0], i);
    }
    return sum;
}

__attribute__((noinline)) static double keep(int n, double x)
{
    int a = n + 1, b = n + 2, c = n + 3, d = n + 4, e = n + 5, f = n + 6, g = n + 7, h = n + 8, i = n + 9, j = n + 10, k = n + 11, l = n + 12;
    double p = x + 1, q = x + 2, r = x + 3, s = x + 4, t = x + 5, u = x + 6, v = x + 7, w = x + 8, y = x + 9, z = x + 10;
    int m = many(a, b, c, d, e, f, g, h, i, j);
    m += many(l, k, j, i, h, g, f, e, d, c);
    return m + p * q + r * s + t * u + v * w + y * z + a + b + c + d + e + f + g + h + i + j + k + l;
}

int main(void)
{
    printf("%ld %d %d\n", large(3), huge(5), aligned(7));
    printf("%d %d\n", dynamic(20), (int)keep(1, 0.5));
    return 0;
}
// expect: 29349 14 17
// expect: 8280 1133
