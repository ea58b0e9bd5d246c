// Integer arithmetic: promotions, wrap-around, shifts, division, narrowing, comparisons of mixed signs.
#include <stdint.h>
#include <stdio.h>

static volatile int zero; // keeps the compiler from knowing
#define V(type, x) ((type)((x) + (type)zero))

static void shifts(void)
{
    for (int i = 0; i < 64; i += 21)
        printf("shift %d: %llx %llx %llx\n", i, (unsigned long long)(V(uint64_t, 0x8123456789abcdefULL) >> i),
               (unsigned long long)(V(int64_t, (int64_t)0x8123456789abcdefULL) >> i), (unsigned long long)(V(uint64_t, 1) << i));
    for (int i = 0; i < 32; i += 13) printf("shift32 %d: %x %x %x\n", i, V(unsigned, 0x87654321u) >> i, V(int, (int)0x87654321u) >> i, V(unsigned, 3u) << i);
    uint8_t b = V(uint8_t, 0xf0);
    printf("byte %d %d %d\n", b << 4, (uint8_t)(b << 4), ~b);
}

static void division(void)
{
    static const int nums[] = {7, -7, 0, 2147483647, -2147483647 - 1, 1000003};
    static const int dens[] = {1, -1, 2, 3, -3, 7, 10, 16, -16, 1000};
    for (unsigned i = 0; i < sizeof nums / sizeof *nums; i++)
        for (unsigned j = 0; j < sizeof dens / sizeof *dens; j++)
            if (!(nums[i] < -2147483647 && dens[j] == -1)) printf("%d,%d ", nums[i] / dens[j], nums[i] % dens[j]);
    printf("\n");
    int64_t x = V(int64_t, -1234567890123456789);
    printf("by constants %lld %lld %lld %lld %lld\n", (long long)(x / 8), (long long)(x % 8), (long long)(x / 10), (long long)(x % 10),
           (long long)(x / -7));
    uint64_t u = V(uint64_t, 0xfedcba9876543210ULL);
    printf("unsigned %llu %llu %llu %u\n", (unsigned long long)(u / 3), (unsigned long long)(u % 1000), (unsigned long long)(u / 64),
           V(unsigned, 4000000000u) / 7);
}

static void narrowing(void)
{
    int x = V(int, 0x12345678);
    printf("%d %d %d %d %d\n", (signed char)x, (unsigned char)x, (short)x, (unsigned short)x, (_Bool)x);
    signed char c = V(signed char, -1);
    unsigned char u = V(unsigned char, 255);
    short s = V(short, -2);
    printf("%d %u %d %lld %llu\n", c, (unsigned)c, u, (long long)s, (unsigned long long)s);
    printf("%d %d %d\n", c == u, c < u, (unsigned)c == 0xffffffffu);
    char plain = (char)200;
    plain += 100;
    printf("char %d\n", plain);
    uint16_t w = V(uint16_t, 65535);
    w++;
    c -= 127;
    c--;
    printf("%d %d\n", w, c);
}

static void compare(void)
{
    int n = V(int, -1);
    unsigned u = V(unsigned, 1);
    long l = V(long, -1);
    printf("%d %d %d %d\n", n < (int)u, n < u, l < u, l < (long)(unsigned long)u);
    printf("%d %d %d\n", !n, !!n, !(n + 1));
    int a = V(int, 5), b = V(int, 9);
    printf("%d %d %d %d %d %d\n", a < b, a <= b, a > b, a >= b, a == b, a != b);
    printf("%d %d\n", a < b ? a : b, (a & 4) && (b & 8) ? 1 : 2);
}

int main(void)
{
    shifts();
    division();
    narrowing();
    compare();
    printf("%u %u %d\n", V(unsigned, 0xffffffff) * 3u, V(unsigned, 5) - 6u, V(int, 46341) * 46340);
    printf("%llx\n", (unsigned long long)V(uint64_t, 0x123456789abcdefULL) * 0xfedcba987654321ULL);
    printf("%d %d %d\n", 6 & 3, 6 | 3, 6 ^ 3);
    long big = V(long, 0x7fffffffffffffff);
    printf("%lx %lx %lx\n", (unsigned long)big + 1, big & 0xff00ff00ff00ff00, big ^ 0x5555);
    return 0;
}
// expect: shift 0: 8123456789abcdef 8123456789abcdef 1
// expect: shift 21: 4091a2b3c4d fffffc091a2b3c4d 200000
// expect: shift 42: 2048d1 ffffffffffe048d1 40000000000
// expect: shift 63: 1 ffffffffffffffff 8000000000000000
// expect: shift32 0: 87654321 87654321 3
// expect: shift32 13: 43b2a fffc3b2a 6000
// expect: shift32 26: 21 ffffffe1 c000000
// expect: byte 3840 0 -241
// expect: 7,0 -7,0 3,1 2,1 -2,1 1,0 0,7 0,7 0,7 0,7 -7,0 7,0 -3,-1 -2,-1 2,-1 -1,0 0,-7 0,-7 0,-7 0,-7 0,0 0,0 0,0 0,0 0,0 0,0 0,0 0,0 0,0 0,0 2147483647,0 -2147483647,0 1073741823,1 715827882,1 -715827882,1 306783378,1 214748364,7 134217727,15 -134217727,15 2147483,647 -2147483648,0 -1073741824,0 -715827882,-2 715827882,-2 -306783378,-2 -214748364,-8 -134217728,0 134217728,0 -2147483,-648 1000003,0 -1000003,0 500001,1 333334,1 -333334,1 142857,4 100000,3 62500,3 -62500,3 1000,3 
// expect: by constants -154320986265432098 -5 -123456789012345678 -9 176366841446208112
// expect: unsigned 6121586181497688240 720 286949352257704136 571428571
// expect: 120 120 22136 22136 1
// expect: -1 4294967295 255 -2 18446744073709551614
// expect: 0 1 1
// expect: char 44
// expect: 0 127
// expect: 1 0 1 1
// expect: 0 1 1
// expect: 1 1 0 0 0 1
// expect: 5 1
// expect: 4294967293 4294967295 2147441940
// expect: 22236d88fe5618cf
// expect: 2 7 5
// expect: 8000000000000000 7f00ff00ff00ff00 7fffffffffffaaaa
