// One byte past a global array. In hybrid the neighbour changes in silence.
#include <stdio.h>

char name[16] = "caplab";
char neighbour[16] = "untouched";

static void fill(char *buf, int n)
{
    for (int i = 0; i <= n; i++) // <= : one too many
        buf[i] = 'A';
}

int main(void)
{
    fill(name, sizeof name);
    printf("the end was reached: neighbour is \"%s\"\n", neighbour);
    return 0;
}
