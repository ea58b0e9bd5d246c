// purecap-fault: capability bounds
// One element past a global array.
#include <stdio.h>

static int a[5] = {1, 2, 3, 4, 5};
int spare[4];
static __attribute__((noinline)) int sum(const int *p, int n) { int s = 0; while (n--) s += *p++; return s; }

int main(void)
{
    printf("%d\n", sum(a, 5));
    fflush(stdout);
    int s = sum(a, 6);
    printf("hybrid does not see it%s\n", s < 0 ? "!" : "");
    return 0;
}
// expect: 15
// expect-hybrid: hybrid does not see it
