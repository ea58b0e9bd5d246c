// uintptr_t: flags in low bits, alignment, hashing: keeps the provenance in purecap.
#include <stdint.h>
#include <stdio.h>

static int values[4] = {10, 20, 30, 40};
static uintptr_t tag(int *p, unsigned t) { return (uintptr_t)p | t; }
static int *untag(uintptr_t u) { return (int *)(u & ~(uintptr_t)3); }

struct Pair { uintptr_t a; int n; uintptr_t b; };

int main(void)
{
    uintptr_t u = tag(&values[2], 1);
    printf("%d %d\n", (int)(u & 3), *untag(u));
    u += sizeof(int);
    printf("%d\n", *untag(u));
    u -= 2 * sizeof(int);
    u ^= 2;
    printf("%d %d\n", (int)(u & 3), *untag(u));
    intptr_t i = (intptr_t)values;
    int *p = (int *)(i + 4);
    printf("%d %d\n", *p, (int)((intptr_t)p - i));
    char buf[64];
    uintptr_t aligned = ((uintptr_t)buf + 15) & ~(uintptr_t)15;
    *(char *)aligned = 'x';
    printf("%d %c\n", (int)(aligned % 16), *(char *)aligned);
    unsigned long hash = (unsigned long)(uintptr_t)values >> 4;
    printf("%d\n", hash == ((unsigned long)&values[0] >> 4));
    uintptr_t zero = 0, number = 12345;
    printf("%d %d %d\n", zero == 0, number > 12344, (int)number);
    printf("%d %d\n", (uintptr_t)&values[1] > (uintptr_t)&values[0], !(uintptr_t)NULL);
    struct Pair pr = {(uintptr_t)&values[3], 5, 7}, copy = pr;
    printf("%d %d %d\n", *(int *)copy.a, copy.n, (int)copy.b);
    uintptr_t list[3] = {1, (uintptr_t)&values[1], (uintptr_t)-1};
    int s = 0;
    for (int k = 0; k < 3; k++) s += (list[k] & 1) ? 1 : *(int *)list[k];
    printf("%d\n", s);
    switch (u & 3) {
    case 3: printf("three\n"); break;
    default: printf("other\n");
    }
    return 0;
}
// expect: 1 30
// expect: 40
// expect: 3 20
// expect: 20 4
// expect: 0 x
// expect: 1
// expect: 1 1 12345
// expect: 1 1
// expect: 40 5 7
// expect: 22
// expect: three
