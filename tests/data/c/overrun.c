// Writes one byte past an object: argv[1] says which. Purecap stops it; hybrid does not see it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char global_array[24];
static volatile int past = 1;

__attribute__((noinline)) static void poke(char *p, int at) { p[at] = 1; }

int main(int argc, char **argv)
{
    char stack_array[24];
    memset(stack_array, 0, sizeof stack_array);
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "global")) poke(global_array, 23 + past);
    if (!strcmp(what, "stack")) poke(stack_array, 23 + past);
    if (!strcmp(what, "heap")) {
        char *p = malloc(24);
        poke(p, 23 + past);
    }
    if (!strcmp(what, "null")) poke(NULL, 0);
    puts("not seen");
    return stack_array[0] + global_array[0];
}
