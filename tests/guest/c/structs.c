// Structs by value: copies, arguments and results of many sizes and kinds, nested members, arrays of structs.
#include <stdio.h>
#include <string.h>

typedef struct { char c; } S1;
typedef struct { int a, b; } S8;
typedef struct { long a; int b; char c; } S16;
typedef struct { long a, b, c; } S24;
typedef struct { long v[5]; } S40;
typedef struct { float x, y; } F2;
typedef struct { double x, y, z; } D3;
typedef struct { int *p; long n; } Ptr;
typedef struct { char name[12]; struct { short x, y; } pos; union { int i; float f; } u; S8 sub[2]; } Mix;

static S1 f1(S1 s) { s.c++; return s; }
static S8 f8(S8 s, int k) { s.a += k; s.b *= k; return s; }
static S16 f16(S16 s) { s.a = -s.a; s.b++; s.c ^= 32; return s; }
static S24 f24(S24 s, S8 t) { s.a += t.a; s.b += t.b; s.c = s.a * s.b; return s; }
static S40 f40(int k) { S40 s; for (int i = 0; i < 5; i++) s.v[i] = i * k; return s; }
static F2 ff(F2 a, F2 b) { return (F2){a.x + b.y, a.y * b.x}; }
static D3 fd(D3 a, double k) { a.x *= k; a.y += k; a.z = a.x - a.y; return a; }
static Ptr fp(Ptr a) { a.p += a.n; a.n = *a.p; return a; }
static long many(int a, S24 b, long c, S16 d, S8 e, char f, S40 g, int h) { return a + b.c * 2 + c * 3 + d.b * 5 + e.b * 7 + f * 11 + g.v[4] * 13 + h * 17; }

int main(void)
{
    printf("%d\n", f1((S1){'a'}).c);
    S8 s8 = f8((S8){3, 4}, 5);
    printf("%d %d\n", s8.a, s8.b);
    S16 s16 = f16((S16){1L << 40, 7, 'x'});
    printf("%ld %d %c\n", s16.a, s16.b, s16.c);
    S24 s24 = f24((S24){1, 2, 3}, s8);
    printf("%ld %ld %ld\n", s24.a, s24.b, s24.c);
    S40 s40 = f40(7), copy = s40;
    s40.v[2] = 1;
    printf("%ld %ld %ld\n", s40.v[2], copy.v[2], copy.v[4]);
    F2 f = ff((F2){1.5f, 2}, (F2){3, 4});
    printf("%d %d\n", (int)(f.x * 10), (int)(f.y * 10));
    D3 d = fd((D3){1, 2, 3}, 2.5);
    printf("%d %d %d\n", (int)(d.x * 10), (int)(d.y * 10), (int)(d.z * 10));
    int arr[] = {10, 20, 30, 40};
    Ptr p = fp((Ptr){arr, 2});
    printf("%ld %d\n", p.n, p.p[1]);
    printf("%ld\n", many(1, s24, 2, s16, s8, 3, copy, 4));
    Mix m = {"caplab", {3, 4}, {.i = 5}, {{1, 2}, {3, 4}}}, *q = &m, t;
    q->pos.y += 10;
    q->sub[1].a = q->sub[0].b + q->u.i;
    t = *q;
    strcpy(q->name, "changed");
    printf("%s %d %d %d %s\n", t.name, t.pos.y, t.sub[1].a, t.sub[1].b, m.name);
    Mix list[3] = {[1] = m, [2] = {.pos.x = 9}};
    list[0] = list[2];
    printf("%d %s %d\n", list[0].pos.x, list[1].name, (int)list[2].name[0]);
    S8 (*fn)(S8, int) = f8;
    printf("%d\n", fn(fn((S8){1, 1}, 2), 3).b);
    S24 *ps = &s24;
    *ps = (S24){ps->c, ps->b, ps->a}; // reads before it writes
    printf("%ld %ld %ld\n", ps->a, ps->b, ps->c);
    struct { int a; struct { char b; long c[2]; } in; } deep = {1, {2, {3, 4}}}, *dp = &deep;
    dp->in.c[1] += dp->in.c[0] += dp->a;
    printf("%ld %ld %d\n", deep.in.c[0], deep.in.c[1], deep.in.b);
    return 0;
}
// expect: 98
// expect: 8 20
// expect: -1099511627776 8 X
// expect: 9 22 198
// expect: 1 14 28
// expect: 55 60
// expect: 25 45 -20
// expect: 30 40
// expect: 1048
// expect: caplab 14 7 4 changed
// expect: 9 changed 0
// expect: 6
// expect: 198 22 9
// expect: 4 8 2
