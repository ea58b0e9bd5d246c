// cap.c: the Morello capability format: bounds, representability, setting bounds, text. The format's map and the hot functions are
// in cap_inline.h.
//
// Example: almighty, value 0x1000, cap_set_bounds(64): length below 2^14, so exponent 0 and both mantissas plain:
// base field 0x1000, limit field 0x1040, flag 1: exact. From 2^14 on the exponent is stored in the low three bits of both
// fields, the mantissas keep 13 and 11 bits, and base and limit are rounded outwards.
#include "isa/cap.h"

#include "isa/cap_inline.h"
#include <stdio.h>

const Cap CAP_NULL = {0, 0, false};
const Cap CAP_ALMIGHTY = {0, 0xffffc00000010005ULL, true};

u32 cap_perms(Cap c) { return cap_inl_perms(c.meta); }
u32 cap_otype(Cap c) { return cap_inl_otype(c.meta); }
bool cap_is_sealed(Cap c) { return cap_inl_is_sealed(c.meta); }
CapBounds cap_bounds(Cap c) { return cap_inl_bounds(c.meta, c.value); }
bool cap_bounds_use_value(Cap c) { return cap_inl_uses_value(cap_inl_exponent(c.meta)); }
bool cap_in_bounds(CapBounds b, u64 addr, u64 size) { return cap_inl_in_bounds(b, addr, size); }

static u128 bounds_top(CapBounds b) { return (u128)b.top_hi << 64 | b.top_lo; }

u128 cap_length(CapBounds b) { return (bounds_top(b) - b.base) & (((u128)1 << 65) - 1); }

u64 cap_length_saturated(CapBounds b)
{
    u128 len = cap_length(b);
    return len >> 64 ? ~0ULL : (u64)len;
}

bool cap_is_representable(Cap c, u64 value)
{
    CapBounds a = cap_inl_bounds(c.meta, c.value), b = cap_inl_bounds(c.meta, value);
    return a.is_valid && b.is_valid && a.base == b.base && a.top_lo == b.top_lo && a.top_hi == b.top_hi;
}

bool cap_is_representable_fast(Cap c, u64 increment)
{
    return cap_inl_is_representable_fast(c.meta, c.value, increment);
}

Cap cap_set_value(Cap c, u64 value)
{
    if (!cap_is_representable(c, value)) c.tag = false;
    if (cap_bounds_use_value(c) && ((c.value ^ value) >> 55 & 1)) c.tag = false;
    c.value = value;
    return c;
}

Cap cap_add(Cap c, u64 increment)
{
    if (!cap_inl_add_keeps_tag(c.meta, c.value, increment)) c.tag = false;
    c.value += increment;
    return c;
}

Cap cap_set_offset(Cap c, u64 offset) { return cap_add(c, cap_bounds(c).base + offset - c.value); }

Cap cap_set_flags(Cap c, u8 flags)
{
    c.value = bits_set(c.value, 63, CAP_FLAGS_LO, flags);
    return c;
}

// The fields that describe [base, base + len): both mantissas at the smallest exponent that holds them.
typedef struct Cut {
    u32 exponent;
    bool is_stored; // the exponent, in the mantissas' low bits
    bool is_exact;
    u32 bottom, top; // 16 bits each
} Cut;

static Cut cut_bounds(u64 base, u128 len)
{
    u64 above = (u64)(len >> 15);
    Cut c = {.exponent = above ? 64 - (u32)__builtin_clzll(above) : 0};
    c.is_stored = c.exponent != 0 || (len >> 14 & 1);
    c.is_exact = true;
    u128 limit = (u128)base + len;
    if (!c.is_stored) {
        c.bottom = (u16)base;
        c.top = (u16)limit;
        return c;
    }
    u32 cut = c.exponent + 3;
    u64 lost = bits_mask(cut);
    bool lost_bottom = base & lost, lost_top = (u64)limit & lost;
    u32 bottom = (u32)(base >> cut) & 0x1fff, top = ((u32)(limit >> cut) + lost_top) & 0x1fff;
    if ((top - bottom) & 0x1000) { // rounding made it one bit too long
        lost_bottom |= bottom & 1;
        lost_top |= top & 1;
        c.exponent++;
        cut++;
        bottom = (u32)((u128)base >> cut) & 0x1fff;
        top = ((u32)(limit >> cut) + lost_top) & 0x1fff;
    }
    c.bottom = bottom << 3;
    c.top = top << 3;
    c.is_exact = !lost_bottom && !lost_top;
    return c;
}

Cap cap_set_bounds(Cap c, u128 len, bool *exact)
{
    bool from_small = cap_bounds_use_value(c);
    u64 base = from_small ? cap_inl_bounds_address(c.value) : c.value;
    Cut cut = cut_bounds(base, len);
    CapBounds old = cap_bounds(c);
    u128 limit = ((u128)base + len) & (((u128)1 << 65) - 1);
    if (base < old.base || limit > bounds_top(old) || !old.is_valid) c.tag = false;
    // A large capability's bounds ignore the flags' sign rule; a small one's do not.
    if (!from_small && cap_inl_uses_value(cut.exponent) && cap_inl_bounds_address(c.value) != c.value) c.tag = false;
    u64 bottom = cut.bottom, top = cut.top & 0x3fff, not_e = ~(u64)cut.exponent;
    if (cut.is_stored) {
        bottom |= not_e & 7;
        top |= not_e >> 3 & 7;
    }
    c.meta = (c.meta & (CAP_META_PERMS_MASK | CAP_META_OTYPE_MASK)) | (u64)!cut.is_stored << CAP_META_FLAG_BIT |
             top << CAP_META_LIMIT_LO | bottom;
    if (exact) *exact = cut.is_exact;
    return c;
}

u64 cap_representable_mask(u64 len)
{
    Cut cut = cut_bounds(~len, len);
    return cut.is_stored ? ~bits_mask(cut.exponent + 3) : ~0ULL;
}

u64 cap_representable_length(u64 len)
{
    u64 mask = cap_representable_mask(len);
    return (len + ~mask) & mask;
}

Cap cap_clear_perms(Cap c, u32 mask)
{
    c.meta &= ~((u64)(mask & 0x3ffff) << CAP_META_PERMS_LO);
    return c;
}

Cap cap_seal(Cap c, u32 otype)
{
    c.meta = (c.meta & ~CAP_META_OTYPE_MASK) | (u64)(otype & 0x7fff) << CAP_META_OTYPE_LO;
    return c;
}

Cap cap_unseal(Cap c) { return cap_seal(c, CAP_OTYPE_UNSEALED); }

void cap_to_bytes(Cap c, u8 out[16])
{
    bits_store(out, c.value, 8);
    bits_store(out + 8, c.meta, 8);
}

Cap cap_from_bytes(const u8 in[16], bool tag) { return (Cap){bits_load(in, 8), bits_load(in + 8, 8), tag}; }

void cap_format(Cap c, char *out, size_t size)
{
    if (!c.tag && c.meta == 0) {
        snprintf(out, size, "0x%llx", (unsigned long long)c.value);
        return;
    }
    char perms[sizeof "rwxRWE"], attrs[32] = "", limit[24];
    u32 n = 0;
#define X(bit, name, letter)                                                                                 \
    if ((letter) && (cap_perms(c) & CAP_PERM_##name)) perms[n++] = (letter);
    CAP_PERMS(X)
#undef X
    perms[n] = 0;
    const char *seal = !cap_is_sealed(c) ? NULL : cap_otype(c) == CAP_OTYPE_RB ? "sentry" : "sealed";
    if (!c.tag || seal)
        snprintf(attrs, sizeof attrs, " (%s%s%s)", c.tag ? "" : "invalid", !c.tag && seal ? "," : "", seal ? seal : "");
    CapBounds b = cap_bounds(c);
    if (b.top_hi)
        snprintf(limit, sizeof limit, "0x1%016llx", (unsigned long long)b.top_lo);
    else
        snprintf(limit, sizeof limit, "0x%llx", (unsigned long long)b.top_lo);
    snprintf(out, size, "0x%llx [%s,0x%llx-%s]%s", (unsigned long long)c.value, perms, (unsigned long long)b.base,
             limit, attrs);
}
