// purecap-fault: capability bounds
// One byte past a block of malloc.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    volatile char *p = malloc(21);
    p[20] = 'x';
    printf("%c\n", p[20]);
    fflush(stdout);
    p[21] = 'y';
    printf("hybrid does not see it\n");
    return 0;
}
// expect: x
// expect-hybrid: hybrid does not see it
