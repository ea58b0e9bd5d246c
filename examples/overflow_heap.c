// One byte past an object of the Python machine's garbage-collected heap. "gc.h" is that heap's own header.
#include "gc.h"
#include <stdio.h>

static void fill(char *buf, int n)
{
    for (int i = 0; i <= n; i++) // <= : one too many
        buf[i] = 'A';
}

int main(void)
{
    if (!gc_init((ptraddr_t)__builtin_frame_address(0))) return 1;
    char *object = gc_alloc(20); // granted in whole blocks, but only 20 bytes were asked for
    fill(object, 20);
    printf("the end was reached: nobody noticed\n");
    return 0;
}
