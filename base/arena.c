// arena.c: bump allocation in chunks that double up to 1 MiB.
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct ArenaChunk {
    ArenaChunk *older;
    size_t size; // usable bytes behind this header
};
static_assert(sizeof(ArenaChunk) == 16, "objects behind the header stay 16-aligned");

static void use_chunk(Arena *a, ArenaChunk *c, bool is_reused)
{
    c->older = a->chunks;
    a->chunks = c;
    a->next = (u8 *)(c + 1);
    a->end = a->next + c->size;
    a->is_reused = is_reused;
}

static void add_chunk(Arena *a, size_t at_least)
{
    for (ArenaChunk **link = &a->spare; *link; link = &(*link)->older) {
        ArenaChunk *c = *link;
        if (c->size < at_least) continue;
        *link = c->older;
        use_chunk(a, c, true);
        return;
    }
    size_t size = a->chunks ? a->chunks->size * 2 : 1 << 14;
    if (size > 1 << 20) size = 1 << 20;
    if (size < at_least) size = at_least;
    ArenaChunk *c = xalloc(sizeof *c + size);
    c->size = size;
    use_chunk(a, c, false);
}

void *arena_alloc(Arena *a, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if (!a->next || (size_t)(a->end - a->next) < bytes) add_chunk(a, bytes); // no bytes are a pointer, too
    void *p = a->next;
    a->next += bytes;
    if (a->is_reused) memset(p, 0, bytes);
    return p;
}

char *arena_strndup(Arena *a, const char *s, size_t n)
{
    size_t len = strnlen(s, n);
    char *copy = arena_alloc(a, len + 1);
    memcpy(copy, s, len);
    return copy;
}

char *arena_printf(Arena *a, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    CHECK(n >= 0, "bad format");
    char *text = arena_alloc(a, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    return text;
}

void arena_reset(Arena *a)
{
    while (a->chunks) {
        ArenaChunk *c = a->chunks;
        a->chunks = c->older;
        c->older = a->spare;
        a->spare = c;
    }
    a->next = a->end = NULL;
    a->is_reused = false;
}

void arena_free(Arena *a)
{
    arena_reset(a);
    while (a->spare) {
        ArenaChunk *older = a->spare->older;
        free(a->spare);
        a->spare = older;
    }
    *a = (Arena){0};
}
