// Branches over more than 32 KiB (TBZ) in one function, jump tables, labels as values in tables.
#include <stdio.h>

static unsigned g[64];

#define S(a) x = x * (a) + (x >> 3); g[x & 63] += a; g[(x + a) & 63] ^= x;
#define S4(a) S(a) S(a + 2) S(a + 4) S(a + 6)
#define S16(a) S4(a) S4(a + 8) S4(a + 16) S4(a + 24)
#define S64(a) S16(a) S16(a + 32) S16(a + 64) S16(a + 96)
#define S256(a) S64(a) S64(a + 128) S64(a + 256) S64(a + 384)
#define S1024(a) S256(a) S256(a + 512) S256(a + 1024) S256(a + 1536)

__attribute__((noinline)) static unsigned far_branches(unsigned x, unsigned flags)
{
    if (flags & 4) {
        S1024(3)
        if (!(flags & 8)) goto out;
        S256(5)
    }
    x++;
out:
    return x ^ g[5] ^ g[63];
}

__attribute__((noinline)) static int jump_table(int n)
{
    switch (n) {
    case 3: return 30;
    case 4: return 41;
    case 5: return 52;
    case 6: return 63;
    case 7: case 8: return 7;
    case 9: return 94;
    case 10: return 105;
    default: return -n;
    }
}

__attribute__((noinline)) static int threaded(const char *code)
{
    static const void *const ops[] = {&&stop, &&add, &&twice, &&back};
    int acc = 1, rounds = 3;
    goto *ops[(int)*code++];
add:
    acc += 5;
    goto *ops[(int)*code++];
twice:
    acc *= 2;
    goto *ops[(int)*code++];
back:
    if (--rounds) code -= 3;
    goto *ops[(int)*code++];
stop:
    return acc;
}

int main(void)
{
    for (unsigned flags = 0; flags <= 12; flags += 4) printf("%u ", far_branches(7, flags));
    printf("\n");
    for (int i = 1; i < 13; i++) printf("%d ", jump_table(i));
    printf("\n%d\n", threaded("\1\2\3\0"));
    return 0;
}
// expect: 8 1245512613 203586111 1587345291 
// expect: -1 -2 30 41 52 63 7 7 94 105 -11 -12 
// expect: 78
