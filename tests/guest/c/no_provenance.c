// purecap-fault: capability tag
// A pointer made of a plain integer works in hybrid and has no tag in purecap.
#include <stdio.h>

static int x = 7;

int main(void)
{
    long address = (long)&x;
    int *p = (int *)address;
    printf("same address %d\n", p == &x);
    fflush(stdout);
    printf("hybrid reads %d\n", *p);
    return 0;
}
// expect: same address 1
// expect-hybrid: hybrid reads 7
