// Builtins: bit counting, byte order, overflow, memory.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static volatile unsigned long words[] = {1, 2, 0x80, 0x8000000000000000, 0xffffffff, 0x123456789abcdef0, 0x100000000};

int main(void)
{
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        unsigned long w = words[i];
        unsigned u = (unsigned)w | 1;
        printf("%d %d %d %d %d %d %d\n", __builtin_clzl(w), __builtin_ctzl(w), __builtin_popcountl(w), __builtin_clz(u), __builtin_ctz(u << 3 | 8),
               __builtin_popcount(u), __builtin_ffsll((long long)w));
        printf("%lx %x %x\n", (unsigned long)__builtin_bswap64(w), __builtin_bswap32((uint32_t)w), __builtin_bswap16((uint16_t)w));
    }
    volatile int a = INT_MAX, b = 1;
    volatile long la = LONG_MIN;
    int r;
    long lr;
    unsigned ur;
    unsigned char cr;
    printf("%d", __builtin_add_overflow(a, b, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_sub_overflow(b, a, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_mul_overflow(a, 2, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_mul_overflow(la, -1L, &lr));
    printf(" %ld\n", lr);
    printf("%d", __builtin_mul_overflow(1L << 31, 1L << 31, &lr));
    printf(" %ld\n", lr);
    printf("%d", __builtin_sub_overflow(1u, 2u, &ur));
    printf(" %u\n", ur);
    printf("%d", __builtin_add_overflow(200, 55, &cr));
    printf(" %d\n", cr);
    printf("%d", __builtin_add_overflow(a, b, &lr)); // exact in the wider result
    printf(" %ld\n", lr);
    char buf[40], big[300];
    __builtin_memset(buf, 'x', 39);
    buf[39] = 0;
    __builtin_memcpy(buf + 3, "hello", 5);
    __builtin_memmove(buf + 1, buf + 3, 20);
    printf("%s %d %d\n", buf, (int)__builtin_strlen(buf), __builtin_memcmp(buf, "xhello", 6));
    memset(big, 7, sizeof big);
    memmove(big + 10, big, 200);
    memcpy(big + 256, buf, 8);
    int s = 0;
    for (int i = 0; i < 300; i++) s += (unsigned char)big[i];
    printf("%d %d\n", s, memcmp(big, big + 100, 100));
    printf("%d\n", (int)(__builtin_fabs(-2.5) * 10 + __builtin_sqrt(16)));
    return 0;
}
// expect: 63 0 1 31 3 1 1
// expect: 100000000000000 1000000 100
// expect: 62 1 1 30 3 2 2
// expect: 200000000000000 2000000 200
// expect: 56 7 1 24 3 2 8
// expect: 8000000000000000 80000000 8000
// expect: 0 63 1 31 3 1 64
// expect: 80 0 0
// expect: 32 0 32 0 3 32 1
// expect: ffffffff00000000 ffffffff ffff
// expect: 3 4 32 0 3 20 5
// expect: f0debc9a78563412 f0debc9a f0de
// expect: 31 32 1 31 3 1 33
// expect: 1000000 0 0
// expect: 1 -2147483648
// expect: 0 -2147483646
// expect: 1 -2
// expect: 1 -9223372036854775808
// expect: 0 4611686018427387904
// expect: 1 4294967295
// expect: 0 255
// expect: 0 2147483648
// expect: xhelloxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx 39 0
// expect: 2936 0
// expect: 29
