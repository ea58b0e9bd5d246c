// setjmp and longjmp: through frames, with values, nested; variables that keep their values.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf top;
static int depth(int n)
{
    if (n == 0) longjmp(top, 42);
    return depth(n - 1) + 1;
}

static int guarded(int fail)
{
    jmp_buf here;
    volatile int stage = 0;
    int r = setjmp(here);
    if (r) return stage * 100 + r;
    stage = 1;
    if (fail == 1) longjmp(here, 7);
    stage = 2;
    if (fail == 2) longjmp(here, 0); // becomes 1
    return stage;
}

int main(void)
{
    volatile int tries = 0;
    int r = setjmp(top);
    if (tries < 3) {
        tries++;
        printf("r %d\n", r);
        depth(tries * 5);
    }
    printf("%d %d\n", r, tries);
    printf("%d %d %d\n", guarded(0), guarded(1), guarded(2));
    double keep = 2.5;
    jmp_buf b;
    if (!setjmp(b)) {
        printf("first\n");
        longjmp(b, 1);
    }
    printf("%d\n", (int)(keep * 2));
    return 0;
}
// expect: r 0
// expect: r 42
// expect: r 42
// expect: 42 3
// expect: 2 107 201
// expect: first
// expect: 5
