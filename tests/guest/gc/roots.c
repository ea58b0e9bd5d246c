// What keeps an object alive: any address inside it on the stack, its first byte alone in another object.
#include "gc.h"
#include <stdio.h>

typedef struct Holder {
    char *volatile object;
} Holder;

static NOINLINE void make(char *volatile *to, size_t offset) { *to = (char *)gc_alloc(1000) + offset; }

// Overwrites what earlier calls left on the stack.
static NOINLINE void clean_stack(void)
{
    volatile char junk[4096];
    for (size_t i = 0; i < sizeof junk; i++) junk[i] = 0;
}

static NOINLINE bool is_kept(size_t free_before)
{
    clean_stack();
    gc_collect();
    return free_before - gc_free_bytes() >= 1000;
}

static NOINLINE void test(void)
{
    size_t n_free = gc_free_bytes();
    for (size_t offset = 0; offset < 1000; offset += 333) {
        char *volatile on_stack;
        make(&on_stack, offset);
        bool while_used = is_kept(n_free);
        on_stack = NULL;
        printf("stack, byte %d: %d %d\n", (int)offset, while_used, is_kept(n_free));
    }
    for (size_t offset = 0; offset < 1000; offset += 333) {
        Holder *volatile holder = gc_alloc(sizeof(Holder));
        make(&holder->object, offset);
        printf("object, byte %d: %d\n", (int)offset, is_kept(n_free));
        holder = NULL;
        printf("nothing left: %d\n", !is_kept(n_free));
    }
}

int main(void)
{
    char here;
    if (!gc_init((ptraddr_t)&here & ~(ptraddr_t)15)) return 1;
    test();
    return 0;
}
