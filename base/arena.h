// arena.h: memory that lives until one moment (a compile, a load, a frame) and is then freed at once.
#ifndef CAPLAB_BASE_ARENA_H
#define CAPLAB_BASE_ARENA_H

#include "base/base.h"

typedef struct ArenaChunk ArenaChunk;
typedef struct Arena {
    ArenaChunk *chunks; // newest first
    u8 *next, *end;     // free part of the newest chunk
    ArenaChunk *spare;  // kept by arena_reset
    bool is_reused;     // the newest chunk held other things before: clear what is taken from it
} Arena;                // zero-initialised is empty

void *arena_alloc(Arena *a, size_t bytes); // zeroed, 16-aligned; never NULL, also for 0 bytes
char *arena_strndup(Arena *a, const char *s, size_t n);
char *arena_printf(Arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
void arena_reset(Arena *a); // all of it is free again, and the memory is kept for what comes next
void arena_free(Arena *a);

#define arena_new(a, T)           ((T *)arena_alloc((a), sizeof(T)))
#define arena_array(a, T, count)  ((T *)arena_alloc((a), sizeof(T) * (size_t)(count)))

#endif
