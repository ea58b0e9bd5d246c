#include <stdio.h>
int main(int argc, char **argv)
{
    printf("hello %d", argc);
    for (int i = 1; i < argc; i++) printf(" %s", argv[i]);
    putchar('\n');
    return 3;
}
