// The library's number functions: text to integer, sorting, searching, random, and the exact parts of math.h.
// only: guest
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

static int by_text(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    while (*x && *x == *y) x++, y++;
    return *x - *y;
}

int main(void)
{
    char *end;
    printf("%ld %ld %ld %ld\n", strtol("  -42x", &end, 10), strtol("0x1F", NULL, 0), strtol("017", NULL, 0), strtol("zz", NULL, 36));
    printf("%c\n", *end);
    errno = 0;
    printf("%d %d\n", strtol("9223372036854775808", NULL, 10) == LONG_MAX, errno == ERANGE);
    printf("%d %ld\n", strtol("-9223372036854775808", NULL, 10) == LONG_MIN, strtol("none", &end, 10));
    printf("%d %s\n", strtoul("18446744073709551615", NULL, 10) == ULONG_MAX, end);
    int v[50];
    unsigned sum = 0;
    for (int i = 0; i < 50; i++) v[i] = i * 37 % 50;
    qsort(v, 50, sizeof v[0], ascending);
    for (int i = 0; i < 50; i++) sum += v[i] == i;
    int key = 31, absent = 99;
    printf("%u %d %d\n", sum, *(int *)bsearch(&key, v, 50, sizeof v[0], ascending), bsearch(&absent, v, 50, sizeof v[0], ascending) == NULL);
    const char *words[] = {"pear", "fig", "apple", "date"};
    qsort(words, 4, sizeof words[0], by_text);
    printf("%s %s %s %s\n", words[0], words[1], words[2], words[3]);
    srand(1);
    int first = rand();
    srand(1);
    printf("%d %d\n", first == rand(), first != rand());
    printf("%d %d %d %d\n", (int)sqrt(1e4), (int)floor(-2.5), (int)ceil(-2.5), (int)trunc(-2.9));
    printf("%d %d %d\n", (int)fmod(17, 5), (int)fmod(-17, 5), fmod(1e300, 3e-5) < 3e-5);
    printf("%d %d\n", fmod(0x1.fffffffffffffp1023, 0x1p-1074) == 0, fmod(5e-324 * 7, 5e-324 * 4) == 5e-324 * 3);
    printf("%d %d %d\n", ldexp(1, -1074) == 5e-324, ldexp(1, -1075) == 0, ldexp(5e-324, 2000) == 0x1p926);
    printf("%d %d %d\n", ldexp(0x1.8p0, -1074) == 1e-323, ldexp(3, 1022) == 0x1.8p1023, isinf(ldexp(1, 1024)));
    printf("%d %d %d\n", signbit(-0.0), signbit(0.0), copysign(3, -1) == -3);
    printf("%d %d\n", isnan(NAN), isinf(-INFINITY));
    return 0;
}
// expect: -42 31 15 1295
// expect: x
// expect: 1 1
// expect: 1 0
// expect: 1 none
// expect: 50 31 1
// expect: apple date fig pear
// expect: 1 1
// expect: 100 -3 -2 -2
// expect: 2 -2 1
// expect: 1 1
// expect: 1 1 1
// expect: 1 1 1
// expect: 1 0 1
// expect: 1 1
