// Bit-fields: layout, signs, writing beside neighbours, arithmetic on them.
#include <stdio.h>
#include <string.h>

struct A { unsigned a : 3; int b : 5; unsigned c : 20; int d : 4; };
struct B { unsigned char x : 1, y : 7; unsigned long z : 40; long w : 24; };
struct C { int a : 9; int : 0; int b : 9; short c; _Bool t : 1; unsigned e : 31; };

static void bytes(const void *p, unsigned n)
{
    for (unsigned i = 0; i < n; i++) printf("%02x", ((const unsigned char *)p)[i]);
    printf("\n");
}

int main(void)
{
    struct A a;
    memset(&a, 0, sizeof a);
    a.a = 5;
    a.b = -3;
    a.c = 0xabcde;
    a.d = 7;
    bytes(&a, sizeof a);
    printf("%d %d %x %d\n", a.a, a.b, a.c, a.d);
    a.a += 4;
    a.b <<= 1;
    a.c++;
    a.d = 9;
    printf("%d %d %x %d\n", a.a, a.b, a.c, a.d);
    int old = a.a++, new = ++a.a;
    printf("%d %d\n", old, new);
    printf("%d\n", (a.b = 17));
    struct B b = {1, 100, 0x123456789aUL, -5};
    b.z ^= 0xffffUL;
    b.w *= 1000;
    printf("%d %d %lx %ld\n", b.x, b.y, (unsigned long)b.z, (long)b.w);
    bytes(&b, sizeof b);
    struct C c = {-256, 255, -1, 1, 0x7fffffff};
    printf("%d %d %d %d %d\n", c.a, c.b, c.c, c.t, c.e);
    c.t = 0;
    c.e = 5;
    c.t = c.e;
    printf("%d %d %d\n", c.t, c.e - 6 < 0, (int)sizeof c);
    struct C copy = c;
    copy.a = c.a = 7;
    printf("%d %d %d\n", copy.a, c.a, copy.b);
    struct A arr[3] = {[1] = {.c = 3, .d = -1}};
    arr[2] = arr[1];
    arr[2].c += arr[1].d;
    printf("%d %d %d\n", arr[0].c, arr[1].d, arr[2].c);
    return 0;
}
// expect: eddebc7a
// expect: 5 -3 abcde 7
// expect: 1 -6 abcdf -7
// expect: 1 3
// expect: -15
// expect: 1 100 1234568765 -5000
// expect: c96587563412000078ecff0000000000
// expect: -256 255 -1 1 2147483647
// expect: 1 1 12
// expect: 7 7 255
// expect: 0 -1 2
