// purecap-fault: capability bounds
// One byte past an array on the stack.
#include <stdio.h>
#include <string.h>

static void clear(char *p, int n) { for (int i = 0; i < n; i++) p[i] = 0; }

int main(void)
{
    char before[16] = "before", a[13], after[16] = "after";
    clear(a, 13);
    printf("in bounds %d %s %s\n", a[12], before, after);
    fflush(stdout);
    clear(a, 14);
    printf("hybrid does not see it\n");
    return 0;
}
// expect: in bounds 0 before after
// expect-hybrid: hybrid does not see it
