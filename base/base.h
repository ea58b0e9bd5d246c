// base.h: integer types, the bug check and allocation that cannot fail. Included by everything.
//
// CHECK is for bugs of caplab itself and is on in every build; what a user or a guest can cause is never a CHECK
// (see err.h and sim's Fault).
#ifndef CAPLAB_BASE_BASE_H
#define CAPLAB_BASE_BASE_H

#include <stdbool.h>
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef unsigned __int128 u128;
typedef __int128 i128;

#define ARRAY_LEN(a)   (sizeof(a) / sizeof((a)[0]))
#define LIKELY(x)      __builtin_expect(!!(x), 1)
#define UNLIKELY(x)    __builtin_expect(!!(x), 0)
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

// Aborts with file, line and a message if cond is false.
#define CHECK(cond, ...)                                                                                     \
    do {                                                                                                     \
        if (UNLIKELY(!(cond))) base_check_failed(__FILE__, __LINE__, #cond, __VA_ARGS__);                    \
    } while (0)
#define UNREACHABLE(...) base_check_failed(__FILE__, __LINE__, "unreachable", __VA_ARGS__)

_Noreturn void base_check_failed(const char *file, int line, const char *cond, const char *fmt, ...)
    PRINTF_LIKE(4, 5);

// Zeroed memory, freed with free(). Abort when the host is out of memory.
void *xalloc(size_t bytes);
void *xrealloc(void *old, size_t bytes); // contents beyond the old size are undefined
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);

// Reads a whole file. Returns NULL if it cannot be read (errno says why); else owned bytes, one extra NUL behind them.
u8 *base_read_file(const char *path, size_t *len_bytes);

// VEC(T): a growable array in three words; zero-initialised is empty. Usage: VEC(Insn) v = {0}; vec_push(&v, x).
#define VEC(T)                                                                                               \
    struct {                                                                                                 \
        T *at;                                                                                               \
        u32 len, cap;                                                                                        \
    }
#define vec_push(v, ...)                                                                                     \
    do {                                                                                                     \
        if ((v)->len == (v)->cap) {                                                                          \
            (v)->cap = (v)->cap ? (v)->cap * 2 : 8;                                                          \
            (v)->at = xrealloc((v)->at, (size_t)(v)->cap * sizeof *(v)->at);                                 \
        }                                                                                                    \
        (v)->at[(v)->len++] = (__VA_ARGS__);                                                                 \
    } while (0)
#define vec_free(v) (free((v)->at), (v)->at = NULL, (v)->len = (v)->cap = 0)

#endif
