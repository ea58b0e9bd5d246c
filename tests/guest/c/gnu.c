// GNU extensions: statement expressions, typeof, a ?: b, label values in tables, alloca, attributes, builtins of constants.
#include <stdio.h>
#include <string.h>

#define MAX(a, b) ({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define OPS(X) X(NOP, 0) X(LOAD, 1) X(ADD, 2) X(HALT, 3)
enum Op {
#define X(name, n) OP_##name,
    OPS(X)
#undef X
    N_OPS
};
static const char *const op_names[] = {
#define X(name, n) [OP_##name] = #name,
    OPS(X)
#undef X
};

static int interpret(const signed char *pc)
{
    static const void *const dispatch[N_OPS] = {
#define X(name, n) [OP_##name] = &&do_##name,
        OPS(X)
#undef X
    };
    int acc = 0;
    goto *dispatch[(int)*pc++];
do_NOP: goto *dispatch[(int)*pc++];
do_LOAD: acc = *pc++; goto *dispatch[(int)*pc++];
do_ADD: acc += *pc++; goto *dispatch[(int)*pc++];
do_HALT: return acc;
}

static int n_calls;
static int count(void) { return ++n_calls; }

static int reverse_sum(int n)
{
    char *p = __builtin_alloca(n);
    for (int i = 0; i < n; i++) p[i] = (char)i;
    char *q = __builtin_alloca(n);
    memcpy(q, p, n);
    int s = 0;
    for (int i = n - 1; i >= 0; i--) s = s * 2 % 1009 + q[i];
    return s;
}

struct __attribute__((packed)) Packed { char c; int i; short s; };
struct Flexible { int n; int data[]; };
static int global __attribute__((aligned(64))) = 3;

int main(void)
{
    printf("%d\n", MAX(3, count()));
    printf("%d\n", MAX(count(), 1));
    printf("%d %d\n", count() ?: 5, 0 ?: 6);
    for (int i = 0; i < N_OPS; i++) printf("%s ", op_names[i]);
    printf("%d\n", interpret((const signed char[]){OP_NOP, OP_LOAD, 5, OP_ADD, -7, OP_NOP, OP_ADD, 100, OP_HALT}));
    printf("%d\n", reverse_sum(37));
    struct Packed p[2] = {{1, 0x12345678, -1}, {2, 3, 4}};
    p[0].i++;
    printf("%d %x %d %d\n", (int)sizeof p, p[0].i, p[0].s, p[1].i);
    static struct Flexible fl = {3, {1, 2, 3}};
    printf("%d %d\n", (int)sizeof fl, fl.data[fl.n - 1]);
    printf("%d\n", (int)((unsigned long)&global % 64));
    int x = 5;
    typeof(x) y = ({ int t = x; for (int i = 0; i < 3; i++) t *= 2; t; });
    __typeof__(&x) px = &x;
    *px += y;
    printf("%d %d\n", x, y);
    printf("%d %d\n", __builtin_types_compatible_p(typeof(*px), int), __builtin_constant_p(3 + 4));
    printf("%d %d %d\n", _Generic(x, int: 1, long: 2, default: 3), _Generic(1.0f, float: 1, default: 2), _Generic(px, int *: 7, default: 8));
    printf("%d\n", (int)ARRAY_LEN(op_names));
    printf("%d\n", __builtin_expect(x > 3, 1) ? 1 : 2);
    if (x < 0) __builtin_unreachable();
    __auto_type z = 2.5;
    printf("%d\n", (int)(z * 2));
    switch (x) {
    case 0 ... 44: printf("low\n"); break;
    case 45 ... 100: printf("mid\n"); __attribute__((fallthrough));
    default: printf("end\n");
    }
    return 0;
}
// expect: 3
// expect: 2
// expect: 3 6
// expect: NOP LOAD ADD HALT 98
// expect: 137
// expect: 14 12345679 -1 3
// expect: 4 3
// expect: 0
// expect: 45 40
// expect: 1 1
// expect: 1 1 7
// expect: 4
// expect: 1
// expect: 5
// expect: mid
// expect: end
