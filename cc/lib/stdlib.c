// stdlib.c: numbers from text, random numbers, sorting.
#include <stdlib.h>

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

static int digit_value(int c)
{
    if (isdigit(c)) return c - '0';
    if (isalpha(c)) return tolower(c) - 'a' + 10;
    return 99;
}

// The common part: absolute value, sign, and whether it was too big.
static unsigned long parse(const char *s, char **end, int base, int *negative, int *too_big)
{
    const char *p = s;
    while (isspace((unsigned char)*p)) p++;
    *negative = *p == '-';
    *too_big = 0;
    if (*p == '-' || *p == '+') p++;
    int has_prefix = p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && digit_value((unsigned char)p[2]) < 16;
    if ((base == 0 || base == 16) && has_prefix) {
        p += 2;
        base = 16;
    } else if (base == 0) {
        base = *p == '0' ? 8 : 10;
    }
    unsigned long value = 0;
    const char *first = p;
    for (; digit_value((unsigned char)*p) < base; p++) {
        unsigned long d = (unsigned long)digit_value((unsigned char)*p);
        if (value > (ULONG_MAX - d) / (unsigned long)base) *too_big = 1;
        value = value * (unsigned long)base + d;
    }
    if (end) *end = (char *)(p == first ? s : p);
    return value;
}

unsigned long strtoul(const char *s, char **end, int base)
{
    int negative, too_big;
    unsigned long value = parse(s, end, base, &negative, &too_big);
    if (too_big) {
        errno = ERANGE;
        return ULONG_MAX;
    }
    return negative ? -value : value;
}

long strtol(const char *s, char **end, int base)
{
    int negative, too_big;
    unsigned long value = parse(s, end, base, &negative, &too_big);
    unsigned long limit = negative ? (unsigned long)LONG_MAX + 1 : (unsigned long)LONG_MAX;
    if (too_big || value > limit) {
        errno = ERANGE;
        return negative ? LONG_MIN : LONG_MAX;
    }
    return (long)(negative ? -value : value);
}

long long strtoll(const char *s, char **end, int base) { return strtol(s, end, base); }
unsigned long long strtoull(const char *s, char **end, int base) { return strtoul(s, end, base); }
int atoi(const char *s) { return (int)strtol(s, NULL, 10); }
long atol(const char *s) { return strtol(s, NULL, 10); }
int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }

static uint64_t random_state = 1;

void srand(unsigned seed) { random_state = seed; }

int rand(void)
{
    random_state = random_state * 6364136223846793005UL + 1442695040888963407UL;
    return (int)(random_state >> 33);
}

// Elements that may hold capabilities are swapped in capability units, which keeps the capabilities valid.
static void swap(char *a, char *b, size_t size)
{
    if (size % sizeof(uintptr_t) == 0 && ((ptraddr_t)a | (ptraddr_t)b) % sizeof(uintptr_t) == 0) {
        uintptr_t *x = (uintptr_t *)a, *y = (uintptr_t *)b;
        for (size_t i = 0; i < size / sizeof(uintptr_t); i++) {
            uintptr_t t = x[i];
            x[i] = y[i];
            y[i] = t;
        }
        return;
    }
    for (size_t i = 0; i < size; i++) {
        char t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

static void sift_down(char *base, size_t root, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count) return;
        if (child + 1 < count && compare(base + child * size, base + (child + 1) * size) < 0) child++;
        if (compare(base + root * size, base + child * size) >= 0) return;
        swap(base + root * size, base + child * size, size);
        root = child;
    }
}

// Heap sort: no recursion, no extra memory, never quadratic.
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *b = base;
    for (size_t i = count / 2; i > 0; i--) sift_down(b, i - 1, count, size, compare);
    for (size_t n = count; n > 1; n--) {
        swap(b, b + (n - 1) * size, size);
        sift_down(b, 0, n - 1, size, compare);
    }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *at = (const char *)base + middle * size;
        int order = compare(key, at);
        if (order == 0) return (void *)at;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return NULL;
}
