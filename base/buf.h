// buf.h: a growable byte buffer: text to print, an image to write. Always NUL-terminated behind len.
#ifndef CAPLAB_BASE_BUF_H
#define CAPLAB_BASE_BUF_H

#include "base/base.h"

typedef struct Buf {
    u8 *at; // owned; NULL while empty
    size_t len, cap;
} Buf; // zero-initialised is empty

void buf_add(Buf *b, const void *bytes, size_t len);
void buf_add_zeros(Buf *b, size_t len);
void buf_add_int(Buf *b, u64 v, u32 bytes); // little-endian
void buf_align(Buf *b, size_t align);       // zeros up to a multiple
void buf_printf(Buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
const char *buf_text(const Buf *b); // "" while empty
void buf_free(Buf *b);

#endif
