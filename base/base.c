// base.c: the abort path of CHECK and the allocation wrappers.
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void base_check_failed(const char *file, int line, const char *cond, const char *fmt, ...)
{
    va_list ap;
    fprintf(stderr, "caplab: internal error at %s:%d: %s: ", file, line, cond);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    abort();
}

void *xalloc(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    CHECK(p, "out of memory (%zu bytes)", bytes);
    return p;
}

void *xrealloc(void *old, size_t bytes)
{
    void *p = realloc(old, bytes ? bytes : 1);
    CHECK(p, "out of memory (%zu bytes)", bytes);
    return p;
}

char *xstrndup(const char *s, size_t n)
{
    size_t len = strnlen(s, n);
    char *copy = xalloc(len + 1);
    memcpy(copy, s, len);
    return copy;
}

char *xstrdup(const char *s)
{
    return xstrndup(s, strlen(s));
}

char *xasprintf(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = NULL;
    int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    CHECK(n >= 0, "out of memory");
    return text;
}

u8 *base_read_file(const char *path, size_t *len_bytes)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    size_t cap = 1 << 16, len = 0;
    u8 *bytes = xrealloc(NULL, cap + 1);
    for (size_t n; (n = fread(bytes + len, 1, cap - len, f)) > 0;) {
        len += n;
        if (len == cap) bytes = xrealloc(bytes, (cap *= 2) + 1);
    }
    bool failed = ferror(f) != 0; // a directory opens but cannot be read
    fclose(f);
    if (failed) {
        free(bytes);
        return NULL;
    }
    bytes[len] = 0;
    *len_bytes = len;
    return bytes;
}
