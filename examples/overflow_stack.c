// One byte past an array on the stack. Try: caplab run --abi hybrid …, then --abi purecap.
#include <stdio.h>

static void fill(char *buf, int n)
{
    for (int i = 0; i <= n; i++) // <= : one too many
        buf[i] = 'A';
}

int main(void)
{
    char name[16];
    fill(name, sizeof name);
    printf("the end was reached: nobody noticed\n");
    return 0;
}
