// Control flow: loops, switch in its forms, goto, computed goto, short circuit, comma.
#include <stdio.h>

static int calls;
static int yes(int x) { calls++; return x; }

static int dense(int x)
{
    switch (x) {
    case 0: return 10;
    case 1:
    case 2: return 20;
    case 3: x += 5; // fall through
    case 4: return x;
    case 5: break;
    case 6 ... 9: return 60;
    case -1: return -10;
    default: return 99;
    }
    return 50;
}

static int sparse(long x)
{
    switch (x) {
    case 1: return 1;
    case 1000: return 2;
    case 1000000: return 3;
    case -1000000000000: return 4;
    case 0x7fffffffffffffff: return 5;
    }
    return 0;
}

static int on_unsigned(unsigned char c)
{
    switch (c) {
    case 'a' ... 'z': return 1;
    case 'A' ... 'Z': return 2;
    case '0' ... '9': return 3;
    case 200 ... 255: return 4;
    default: return 0;
    }
}

static int threaded(const unsigned char *code)
{
    static const void *const labels[] = {&&op_push, &&op_add, &&op_mul, &&op_end};
    int stack[8], sp = 0;
#define NEXT goto *labels[*code++]
    NEXT;
op_push: stack[sp++] = *code++; NEXT;
op_add: sp--; stack[sp - 1] += stack[sp]; NEXT;
op_mul: sp--; stack[sp - 1] *= stack[sp]; NEXT;
op_end: return stack[0];
}

static int duff(const char *from, char *to, int count)
{
    int n = (count + 3) / 4, steps = 0;
    switch (count % 4) {
    case 0: do { *to++ = *from++; steps++;
    case 3:      *to++ = *from++; steps++;
    case 2:      *to++ = *from++; steps++;
    case 1:      *to++ = *from++; steps++;
            } while (--n > 0);
    }
    return steps;
}

int main(void)
{
    for (int i = -2; i < 11; i++) printf("%d ", dense(i));
    printf("\n");
    printf("%d %d %d %d %d %d\n", sparse(1), sparse(1000), sparse(1000000), sparse(-1000000000000), sparse(0x7fffffffffffffff), sparse(7));
    printf("%d %d %d %d %d\n", on_unsigned('q'), on_unsigned('Q'), on_unsigned('7'), on_unsigned(222), on_unsigned(' '));
    printf("%d\n", threaded((const unsigned char[]){0, 6, 0, 7, 2, 0, 8, 1, 3}));
    char to[16] = {0};
    printf("%d %s\n", duff("abcdefghij", to, 10), to);
    int sum = 0;
    for (int i = 0;; i++) {
        if (i % 2) continue;
        if (i > 20) break;
        for (int j = 0; j < i; j++) {
            if (j == 7) goto next;
            sum += j;
        }
    next:;
    }
    printf("%d\n", sum);
    int n = 27, steps = 0;
    while (n != 1) n = n % 2 ? 3 * n + 1 : n / 2, steps++;
    printf("%d\n", steps);
    int k = 0;
    do k += 3; while (k < 10);
    printf("%d\n", k);
    int r = yes(0) && yes(1);
    r += yes(1) || yes(1);
    r += (yes(0), yes(5));
    printf("%d %d\n", r, calls);
    if (!(yes(1) && (yes(0) || yes(1)) && !yes(0))) printf("wrong\n");
    int x = 3;
    x = x > 2 ? x > 5 ? 1 : 2 : 3;
    printf("%d\n", x);
    return 0;
}
// expect: 99 -10 10 20 20 8 4 50 60 60 60 60 99 
// expect: 1 2 3 4 5 0
// expect: 1 2 3 4 0
// expect: 50
// expect: 10 abcdefghij
// expect: 169
// expect: 111
// expect: 12
// expect: 6 4
// expect: 2
