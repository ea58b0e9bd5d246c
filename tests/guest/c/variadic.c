// Variadic functions: integers, doubles, pointers, structs, many arguments, va_copy, a va_list handed on.
#include <stdarg.h>
#include <stdio.h>

struct Small { int a, b; };
struct Big { long v[4]; };

static long sum(int n, ...)
{
    va_list ap;
    long s = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++) s = s * 3 + va_arg(ap, int);
    va_end(ap);
    return s;
}

static double mix(const char *kinds, ...)
{
    va_list ap;
    double r = 0;
    va_start(ap, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': r += va_arg(ap, int); break;
        case 'l': r += (double)va_arg(ap, long); break;
        case 'u': r += va_arg(ap, unsigned); break;
        case 'd': r += va_arg(ap, double); break;
        case 's': r += va_arg(ap, const char *)[0]; break;
        case 'p': r += *va_arg(ap, int *); break;
        case 'S': { struct Small s = va_arg(ap, struct Small); r += s.a * 10 + s.b; break; }
        case 'B': { struct Big b = va_arg(ap, struct Big); r += (double)(b.v[0] + b.v[3]); break; }
        }
    va_end(ap);
    return r;
}

static int twice(int n, ...)
{
    va_list a, b;
    int s = 0;
    va_start(a, n);
    va_copy(b, a);
    for (int i = 0; i < n; i++) s += va_arg(a, int);
    for (int i = 0; i < n; i++) s += 100 * va_arg(b, int);
    va_end(a);
    va_end(b);
    return s;
}

static int inner(int n, va_list ap) { int s = 0; while (n--) s += va_arg(ap, int); return s; }
static int outer(int n, ...) { va_list ap; va_start(ap, n); int s = inner(n, ap); va_end(ap); return s; }

static long late(int a, int b, int c, int d, int e, int f, int g, int h, int i, ...)
{
    va_list ap;
    va_start(ap, i);
    long x = va_arg(ap, long);
    double y = va_arg(ap, double);
    va_end(ap);
    return a + b + c + d + e + f + g + h + i + x + (long)y;
}

int main(void)
{
    int x = 5;
    printf("%ld %ld\n", sum(0), sum(3, 1, 2, 3));
    printf("%ld\n", sum(14, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, -14));
    printf("%ld\n", (long)mix("iludsp", -1, 1L << 40, 4000000000u, 2.5, "A", &x));
    printf("%d\n", (int)mix("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.));
    printf("%d\n", (int)mix("SBiSd", (struct Small){1, 2}, (struct Big){{100, 0, 0, 1000}}, 7, (struct Small){3, 4}, 0.5));
    printf("%d\n", (int)mix("idididididididid", 1, 2., 3, 4., 5, 6., 7, 8., 9, 10., 11, 12., 13, 14., 15, 16.));
    printf("%d %d\n", twice(3, 1, 2, 3), outer(4, 10, 20, 30, 40));
    printf("%ld\n", late(1, 2, 3, 4, 5, 6, 7, 8, 9, 1000L, 2000.75));
    float f = 1.5f;
    char c = 'c';
    short s = -3;
    printf("%d\n", (int)(mix("dii", f, c, s) * 2));
    printf("%s %5d|%-5d|%05d %x %c %ld %llu %%\n", "str", 42, 42, 42, 255u, 'z', -7L, 18446744073709551615ULL);
    return 0;
}
// expect: 0 18
// expect: 3587191
// expect: 1103511627847
// expect: 55
// expect: 1153
// expect: 136
// expect: 606 100
// expect: 3045
// expect: 195
// expect: str    42|42   |00042 ff z -7 18446744073709551615 %
