// buf.c: growth by doubling.
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void reserve(Buf *b, size_t more)
{
    if (b->len + more + 1 <= b->cap) return;
    size_t cap = b->cap ? b->cap * 2 : 64;
    while (cap < b->len + more + 1) cap *= 2;
    b->at = xrealloc(b->at, cap);
    b->cap = cap;
}

void buf_add(Buf *b, const void *bytes, size_t len)
{
    reserve(b, len);
    if (len) memcpy(b->at + b->len, bytes, len);
    b->len += len;
    b->at[b->len] = 0;
}

void buf_add_zeros(Buf *b, size_t len)
{
    reserve(b, len);
    memset(b->at + b->len, 0, len + 1);
    b->len += len;
}

void buf_add_int(Buf *b, u64 v, u32 bytes)
{
    buf_add(b, &v, bytes);
}

void buf_align(Buf *b, size_t align)
{
    size_t over = b->len % align;
    if (over) buf_add_zeros(b, align - over);
}

void buf_printf(Buf *b, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    CHECK(n >= 0, "bad format");
    reserve(b, (size_t)n);
    vsnprintf((char *)b->at + b->len, (size_t)n + 1, fmt, again);
    va_end(again);
    b->len += (size_t)n;
}

const char *buf_text(const Buf *b)
{
    return b->at ? (const char *)b->at : "";
}

void buf_free(Buf *b)
{
    free(b->at);
    *b = (Buf){0};
}
