// bits.h: bit fields of words, as the Arm manual writes them: bits(w, hi, lo) is w<hi:lo>.
#ifndef CAPLAB_BASE_BITS_H
#define CAPLAB_BASE_BITS_H

#include "base/base.h"

static inline u64 bits_mask(u32 width) { return width >= 64 ? ~0ULL : (1ULL << width) - 1; }

static inline u64 bits_get(u64 w, u32 hi, u32 lo) { return (w >> lo) & bits_mask(hi - lo + 1); }

static inline u64 bits_set(u64 w, u32 hi, u32 lo, u64 v)
{
    u64 m = bits_mask(hi - lo + 1) << lo;
    return (w & ~m) | ((v << lo) & m);
}

// The low `width` bits of v, sign-extended (width 1..64).
static inline i64 bits_sext(u64 v, u32 width) { return (i64)(v << (64 - width)) >> (64 - width); }

static inline u64 bits_align_down(u64 v, u64 a) { return v & ~(a - 1); }
static inline u64 bits_align_up(u64 v, u64 a) { return (v + a - 1) & ~(a - 1); }
static inline bool bits_is_pow2(u64 v) { return v && !(v & (v - 1)); }

// Unaligned little-endian access to host memory.
static inline u64 bits_load(const void *p, u32 bytes)
{
    u64 v = 0;
    memcpy(&v, p, bytes);
    return v;
}
static inline void bits_store(void *p, u64 v, u32 bytes) { memcpy(p, &v, bytes); }

#endif
