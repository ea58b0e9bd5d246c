// cap_inline.h: the hot half of cap.h as inline functions, for the simulator's bodies: field access, bounds, the access check,
// and address change under the fast rule. Same results as cap.h (which calls these); no function here branches on data that
// varies from capability to capability, except for the two special exponents.
//
// High word of a capability ("meta"), bit numbers within it:
//   63:46 permissions   45:31 object type   30 exponent flag (0 = stored)   29:16 limit field   15:0 base field
// With the flag 0, bits 18:16 and 2:0 hold the exponent, inverted, and the mantissas have three zero bits there instead.
#ifndef CAPLAB_ISA_CAP_INLINE_H
#define CAPLAB_ISA_CAP_INLINE_H

#include "base/bits.h"
#include "isa/cap.h"

enum {
    CAP_META_PERMS_LO = 46,
    CAP_META_OTYPE_LO = 31,
    CAP_META_FLAG_BIT = 30, // 1 = exponent 0
    CAP_META_LIMIT_LO = 16,
    CAP_FLAGS_LO = 56,      // the flags are value<63:56>
    CAP_EXP_MAX = 50,       // largest exponent of a real range
    CAP_EXP_WHOLE = 63,     // the whole address space
};
#define CAP_META_OTYPE_MASK (0x7fffULL << CAP_META_OTYPE_LO)
#define CAP_META_PERMS_MASK (0x3ffffULL << CAP_META_PERMS_LO)

static inline u32 cap_inl_perms(u64 meta) { return (u32)(meta >> CAP_META_PERMS_LO); }
static inline u32 cap_inl_otype(u64 meta) { return (u32)(meta >> CAP_META_OTYPE_LO) & 0x7fff; }
static inline bool cap_inl_is_sealed(u64 meta) { return (meta & CAP_META_OTYPE_MASK) != 0; }

static inline u32 cap_inl_exponent(u64 meta)
{
    u32 stored = ((u32)(meta >> 13) & 0x38) | ((u32)meta & 7);
    return (meta >> CAP_META_FLAG_BIT & 1) ? 0 : stored ^ 0x3f;
}
static inline bool cap_inl_exponent_is_bad(u32 e) { return e > CAP_EXP_MAX && e < CAP_EXP_WHOLE; }
static inline bool cap_inl_uses_value(u32 e) { return e < 48; }

// The address as far as bounds see it: without flags, bit 55 copied up.
static inline u64 cap_inl_bounds_address(u64 value) { return (u64)((i64)(value << 8) >> 8); }

// The base mantissa with zeros where the exponent is stored.
static inline u32 cap_inl_bottom(u64 meta)
{
    u32 low_is_exp = ~(u32)(meta >> CAP_META_FLAG_BIT) & 1;
    return (u32)meta & 0xffff & ~(low_is_exp * 7);
}

static inline CapBounds cap_inl_bounds(u64 meta, u64 value)
{
    u32 e = cap_inl_exponent(meta);
    if (UNLIKELY(e > CAP_EXP_MAX)) return (CapBounds){0, 0, 1, (u8)e, e == CAP_EXP_WHOLE};
    u32 stored = ~(u32)(meta >> CAP_META_FLAG_BIT) & 1;
    u32 bottom = cap_inl_bottom(meta);
    u32 top = (u32)(meta >> CAP_META_LIMIT_LO) & 0x3fff & ~(stored * 7);
    top |= (((bottom >> 14) + stored + (top < (bottom & 0x3fff))) & 3) << 14;

    u64 a = cap_inl_bounds_address(value), a_mid = a >> e;
    u32 r3 = ((bottom >> 13) - 1) & 7;
    i32 a_hi = (a_mid >> 13 & 7) < r3, b_hi = (bottom >> 13) < r3, t_hi = (top >> 13) < r3;
    u64 a_top = a_mid >> 16;
    // base = (a_top + b_hi - a_hi) : bottom << e, and the limit likewise with one bit more
    u64 base = ((a_top + (u64)(i64)(b_hi - a_hi)) << 16 | bottom) << e;
    u64 limit_top = a_top + (u64)(i64)(t_hi - a_hi);
    u64 limit = (limit_top << 16 | top) << e;
    u32 limit_hi = (u32)(e <= 48 ? limit_top >> (48 - e) : top >> (64 - e)) & 1;
    // The limit may be off by 2^64 from the base's half of the address space.
    if (e < 49 && (((limit_hi << 1 | (u32)(limit >> 63)) - (u32)(base >> 63)) & 3) > 1) limit_hi ^= 1;
    return (CapBounds){base, limit, (u8)limit_hi, (u8)e, true};
}

static inline bool cap_inl_in_bounds(CapBounds b, u64 addr, u64 size)
{
    u128 top = (u128)b.top_hi << 64 | b.top_lo;
    return b.is_valid && addr >= b.base && (u128)addr + size <= top;
}

// Fast rule alone (no exponent or bit-55 test): would the bounds surely survive this increment?
static inline bool cap_inl_is_representable_fast(u64 meta, u64 value, u64 increment)
{
    u32 e = cap_inl_exponent(meta);
    if (e >= 48) return true;
    u64 a = cap_inl_bounds_address(value);
    i64 inc = (i64)cap_inl_bounds_address(increment);
    i64 i_top = inc >> e >> 16;
    u16 i_mid = (u16)(inc >> e), a_mid = (u16)(a >> e);
    u16 r = (u16)((cap_inl_bottom(meta) >> 13 << 13) - 0x2000);
    u16 room = (u16)(r - a_mid);
    if (i_top == 0) return i_mid < (u16)(room - 1);
    return i_top == -1 && i_mid >= room && room != 0;
}

// Whether cap_add keeps the tag.
static inline bool cap_inl_add_keeps_tag(u64 meta, u64 value, u64 increment)
{
    u32 e = cap_inl_exponent(meta);
    if (cap_inl_exponent_is_bad(e)) return false;
    if (cap_inl_uses_value(e) && ((value ^ (value + increment)) >> 55 & 1)) return false;
    return cap_inl_is_representable_fast(meta, value, increment);
}

#endif
