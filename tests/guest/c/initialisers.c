// Initialisers: designators, ranges, nested braces and their elision, compound literals, strings, addresses, zero filling.
#include <stdio.h>
#include <string.h>

enum { RED, GREEN, BLUE, N_COLOURS };
static const char *const names[N_COLOURS] = {[BLUE] = "blue", [RED] = "red", [GREEN] = "green"};
static const signed char table[256] = {['0' ... '9'] = 1, ['a' ... 'f'] = 2, ['A' ... 'F'] = 2, [255] = -1};
struct P { int x, y; };
static struct { struct P p[2]; const char *s; struct P *q; int (*fn)(const char *); } g = {{{1, 2}, {3}}, "text" "joined", &g.p[1], puts};
static int elided[2][3] = {1, 2, 3, 4};
static struct { int a; int b[3]; struct P p; } mixed[] = {1, 2, 3, 4, 5, 6, {7, {8}, {.y = 9}}};
static char text[][6] = {"ab", {'c', 'd'}, "toolong"};
static int *addresses[] = {&elided[1][0], elided[0] + 2, (int *)&g.p[0].y};
static union { char c[4]; unsigned u; } un = {.u = 0x41424344};
static struct P *literal = &(struct P){5, 6};
static const double reals[] = {1, 2.5, -3e2};
static int (*const fns[])(const char *) = {[1] = puts};

static int total(const int *p, int n) { int s = 0; while (n--) s += *p++; return s; }
static int side(int *n) { return ++*n; }

int main(void)
{
    for (int i = 0; i < N_COLOURS; i++) printf("%s ", names[i]);
    printf("%d %d %d %d %d\n", table['5'], table['b'], table['g'], table['F'], table[255]);
    printf("%d %d %d %s %d\n", g.p[0].y, g.p[1].x, g.p[1].y, g.s, g.q->x);
    printf("%d %d %d\n", elided[0][2], elided[1][0], elided[1][2]);
    printf("%d %d %d %d %d %d\n", (int)(sizeof mixed / sizeof *mixed), mixed[0].b[2], mixed[0].p.y, mixed[1].b[0], mixed[1].b[1], mixed[1].p.y);
    printf("%s %s %.6s\n", text[0], text[1], text[2]);
    printf("%d %d %d\n", *addresses[0], *addresses[1], *addresses[2]);
    printf("%c %d %d\n", un.c[0], literal->y, (int)reals[2]);
    printf("%d %d\n", fns[0] == NULL, fns[1] == puts);
    int local[8] = {1, [4] = 5, 6}, full[3] = {7, 8, 9};
    printf("%d %d\n", total(local, 8), total(full, 3));
    int big[100] = {1, 2, 3, [97 ... 99] = 1000};
    printf("%d\n", total(big, 100));
    int consts[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    consts[0] = 100;
    printf("%d\n", total(consts, 12));
    char s[10] = "hi", u[] = "exact", v[3] = "abc";
    printf("%s %d %d %d %c\n", s, s[9], (int)sizeof u, (int)strlen(u), v[2]);
    int n = 0;
    struct P p = {.y = side(&n), .x = side(&n) * 10};
    printf("%d\n", p.x + p.y == 12 || p.x + p.y == 21);
    for (int i = 0; i < 2; i++) {
        struct P fresh = {.x = i}, *l = &(struct P){i, 1};
        l->y += i;
        printf("%d %d %d ", fresh.x, fresh.y, l->y);
    }
    printf("\n");
    printf("%d\n", total((int[]){4, 5, 6}, 3) + (int){7} + ((struct P){.y = 8}).y);
    struct { char tag; union { int i; char *s; } u; } variants[] = {{'i', {.i = 3}}, {'s', {.s = "str"}}};
    for (int i = 0; i < 2; i++) variants[i].tag == 'i' ? printf("%d ", variants[i].u.i) : printf("%s ", variants[i].u.s);
    printf("\n");
    static int counter = 40;
    static const int *const keep = &counter;
    counter += 2;
    printf("%d\n", *keep);
    return 0;
}
// expect: red green blue 1 2 0 2 -1
// expect: 2 3 0 textjoined 3
// expect: 3 4 0
// expect: 2 4 6 8 0 9
// expect: ab cd toolon
// expect: 4 3 2
// expect: D 6 -300
// expect: 1 1
// expect: 12 24
// expect: 3006
// expect: 177
// expect: hi 0 6 5 c
// expect: 1
// expect: 0 0 1 1 0 2 
// expect: 30
// expect: 3 str 
// expect: 42
