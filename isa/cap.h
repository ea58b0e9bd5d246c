// cap.h: what a capability is: the 128-bit Morello format and its arithmetic. Pure functions; no machine state.
//
// In memory a capability is 16 bytes, little-endian, the value (address) in the low 8, plus one tag bit held out of
// band. Bounds are compressed: an exponent and two mantissas relative to the value. (Arm DDI 0606; the field map and
// every rule with its source are in docs/capabilities.md.)
#ifndef CAPLAB_ISA_CAP_H
#define CAPLAB_ISA_CAP_H

#include "base/base.h"

typedef struct Cap {
    u64 value;  // bits 63:0, the address
    u64 meta;   // bits 127:64: permissions, object type, bounds
    bool tag;
} Cap;

typedef struct CapBounds {
    u64 base;
    u64 top_lo;    // limit is 65 bits: top_hi is bit 64
    u8 top_hi;
    u8 exponent;   // 0..63
    bool is_valid; // exponent 51..62: no access is ever in bounds
} CapBounds;

// Permissions: CAP_PERM(X): bit, NAME, letter in the printed form (0 = not printed)
#define CAP_PERMS(X)                                                                                         \
    X(17, LOAD, 'r') X(16, STORE, 'w') X(15, EXECUTE, 'x') X(14, LOAD_CAP, 'R') X(13, STORE_CAP, 'W')          \
    X(12, STORE_LOCAL, 0) X(11, SEAL, 0) X(10, UNSEAL, 0) X(9, SYSTEM, 0) X(8, BRANCH_SEALED_PAIR, 0)          \
    X(7, SET_CID, 0) X(6, MUTABLE_LOAD, 0) X(5, USER3, 0) X(4, USER2, 0) X(3, USER1, 0) X(2, USER0, 0)         \
    X(1, EXECUTIVE, 'E') X(0, GLOBAL, 0)
enum {
#define X(bit, name, letter) CAP_PERM_##name = 1 << (bit),
    CAP_PERMS(X)
#undef X
};
enum { CAP_OTYPE_UNSEALED = 0, CAP_OTYPE_RB = 1, CAP_OTYPE_LPB = 2, CAP_OTYPE_LB = 3 };

extern const Cap CAP_NULL;     // all zero, untagged
extern const Cap CAP_ALMIGHTY; // tag 1, every permission, the whole address space, value 0

u32 cap_perms(Cap c);      // 18 bits, CAP_PERM_*
u32 cap_otype(Cap c);      // 15 bits
bool cap_is_sealed(Cap c);
CapBounds cap_bounds(Cap c);
u128 cap_length(CapBounds b);
u64 cap_length_saturated(CapBounds b); // GCLEN
bool cap_bounds_use_value(Cap c);      // exponent < 48

// True if [addr, addr+size) lies within b (addr as compared by the access check).
bool cap_in_bounds(CapBounds b, u64 addr, u64 size);

Cap cap_set_value(Cap c, u64 value);     // exact rule: SCVALUE
Cap cap_add(Cap c, u64 increment);       // fast rule: ADD, SCOFF, write-back; does not look at the seal
Cap cap_set_offset(Cap c, u64 offset);
Cap cap_set_flags(Cap c, u8 flags);
bool cap_is_representable(Cap c, u64 value);           // exact rule
bool cap_is_representable_fast(Cap c, u64 increment);
// Bounds [value, value+len): tag cleared if they exceed the old ones; *exact = no bits lost. Length is 65 bits.
// Whether a sealed source clears the tag is the caller's rule, here as everywhere.
Cap cap_set_bounds(Cap c, u128 len, bool *exact);
u64 cap_representable_mask(u64 len);     // RRMASK
u64 cap_representable_length(u64 len);   // RRLEN
Cap cap_clear_perms(Cap c, u32 mask);
Cap cap_seal(Cap c, u32 otype);          // sets the type; tag rules are the caller's
Cap cap_unseal(Cap c);

void cap_to_bytes(Cap c, u8 out[16]);
Cap cap_from_bytes(const u8 in[16], bool tag);

// CheriBSD/GDB shorthand: "0x130b60 [rwRW,0x130b60-0x130b64]", "(sentry)", "(invalid)", …; null-derived: the address.
void cap_format(Cap c, char *out, size_t size);

#endif
