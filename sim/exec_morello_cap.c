// exec_morello_cap.c: capability arithmetic: address, bounds, permissions, seals, flags, comparisons and conversions.
//
// The instances here do what compiled code does all the time on REG_SMOOTH registers (tagged, unsealed, bounds decoded); all the
// rest is a cold function over Cap values that ends the instruction. Rules of the tag: docs/capabilities.md.
#include "sim/exec.h"

#include "isa/cap_inline.h"

// ---- results of cold functions

static const Op *set_cap(const Op *op, Reg *d, Cap c)
{
    *d = reg_from_cap(c);
    return op + 1;
}
// A sealed source loses its tag, whatever was done to it.
static const Op *set_derived(const Op *op, Reg *d, Cap from, Cap c)
{
    if (cap_is_sealed(from)) c.tag = false;
    return set_cap(op, d, c);
}

// ---- address

COLD static const Op *add_slowly(Cpu *cpu, const Op *op, u64 increment)
{
    Reg *n = RN;
    if (reg_tag(n)) cpu_decode(cpu, n);
    if (reg_add_is_easy(n, increment)) {
        reg_add_easy(RD, n, increment);
        return op + 1;
    }
    Cap c = reg_to_cap(n);
    return set_derived(op, RD, c, cap_add(c, increment));
}
#define ADD_CAP(increment_)                                                                                  \
    do {                                                                                                     \
        u64 i_ = (increment_);                                                                               \
        if (!slow) return add_slowly(cpu, op, i_);                                                           \
        if (UNLIKELY(!reg_add_is_easy(RN, i_))) LEAVE_FAST;                                                  \
        if (v == 1) RN->value += i_;                                                                         \
        else reg_add_easy(RD, RN, i_);                                                                       \
        NEXT;                                                                                                \
    } while (0)

EXEC_SLOW_IN_PLACE(ADD_C_CIS_C) { ADD_CAP(IMM); }
EXEC_SLOW_IN_PLACE(SUB_C_CIS_C) { ADD_CAP(-IMM); }
EXEC_SLOW(ADD_C_CRI_C) { ADD_CAP(EXTENDED); }

// To an address. In smooth bounds every address is representable, by the exact rule as by the fast one.
COLD static const Op *set_value_slowly(Cpu *cpu, const Op *op, u64 value)
{
    Reg *n = RN;
    if (reg_tag(n)) cpu_decode(cpu, n);
    if (reg_add_is_easy(n, value - n->value)) {
        reg_add_easy(RD, n, value - n->value);
        return op + 1;
    }
    Cap c = reg_to_cap(RN);
    return set_derived(op, RD, c, cap_set_value(c, value));
}
static ALWAYS_INLINE bool set_is_easy(const Reg *r, u64 to)
{
    return (r->kind & REG_SMOOTH) && to >= r->base && to <= r->top && r->value >= r->base && r->value <= r->top;
}
#define SET_VALUE(value_)                                                                                    \
    do {                                                                                                     \
        u64 v_ = (value_);                                                                                   \
        if (!slow) return set_value_slowly(cpu, op, v_);                                                     \
        if (UNLIKELY(!set_is_easy(RN, v_))) LEAVE_FAST;                                                      \
        reg_copy_but_value(RD, RN);                                                                          \
        RD->value = v_;                                                                                      \
        NEXT;                                                                                                \
    } while (0)

EXEC_SLOW(SCVALUE_C_CR_C) { SET_VALUE(RM->value); }
EXEC_SLOW(CPYVALUE_C_C_C) { SET_VALUE(RM->value); }
COLD static const Op *align(Cpu *cpu, const Op *op, u64 by)
{
    u64 mask = ~0ULL << (IMM & 63);
    return set_value_slowly(cpu, op, (RN->value + (by & ~mask)) & mask);
}
EXEC(ALIGND_C_CI_C) { return align(cpu, op, 0); }
EXEC(ALIGNU_C_CI_C) { return align(cpu, op, ~0ULL); }

COLD static const Op *set_offset(Cpu *cpu, const Op *op)
{
    Cap c = reg_to_cap(RN);
    return set_derived(op, RD, c, cap_set_offset(c, RM->value));
}
EXEC(SCOFF_C_CR_C) { return set_offset(cpu, op); }

COLD static const Op *set_flags(Cpu *cpu, const Op *op, u64 flags)
{
    Cap c = reg_to_cap(RN);
    return set_derived(op, RD, c, cap_set_flags(c, (u8)flags));
}
#define FLAGS (RN->value >> CAP_FLAGS_LO)
#define FLAGS_OF_RM (RM->value >> CAP_FLAGS_LO)
EXEC(SCFLGS_C_CR_C) { return set_flags(cpu, op, FLAGS_OF_RM); }
EXEC(BICFLGS_C_CR_C) { return set_flags(cpu, op, FLAGS & ~FLAGS_OF_RM); }
EXEC(BICFLGS_C_CI_C) { return set_flags(cpu, op, FLAGS & ~IMM); }
EXEC(EORFLGS_C_CR_C) { return set_flags(cpu, op, FLAGS ^ FLAGS_OF_RM); }
EXEC(EORFLGS_C_CI_C) { return set_flags(cpu, op, FLAGS ^ IMM); }
EXEC(ORRFLGS_C_CR_C) { return set_flags(cpu, op, FLAGS | FLAGS_OF_RM); }
EXEC(ORRFLGS_C_CI_C) { return set_flags(cpu, op, FLAGS | IMM); }

// ---- bounds

COLD static const Op *set_bounds_slowly(Cpu *cpu, const Op *op, u64 len, bool must_be_exact)
{
    Reg *n = RN, *d = RD;
    if (reg_tag(n)) cpu_decode(cpu, n);
    bool is_exact;
    Cap from = reg_to_cap(n), c = cap_set_bounds(from, len, &is_exact);
    if (must_be_exact && !is_exact) c.tag = false;
    set_derived(op, d, from, c);
    if (reg_tag(d)) cpu_decode(cpu, d); // it will be used as an authority
    return op + 1;
}

// Lengths below 2^14 need no exponent: both mantissas are plain address bits, and the result is exact.
static ALWAYS_INLINE bool bounds_are_easy(const Reg *n, u64 len)
{
    u64 value = n->value, last = value + len - 1;
    return (n->kind & REG_SMOOTH) && len - 1 < (1 << 14) - 1 && value >= n->base && last >= value && last < n->top &&
           value == cap_inl_bounds_address(value) && !((value ^ last) >> 55);
}
#define SET_BOUNDS(len_, exact_)                                                                             \
    do {                                                                                                     \
        u64 l_ = (len_), b_ = RN->value;                                                                     \
        if (UNLIKELY(RN->kind == REG_RAW)) return ENGINE_NAME(decode_base)(cpu, op);                         \
        if (UNLIKELY(!bounds_are_easy(RN, l_))) return set_bounds_slowly(cpu, op, l_, (exact_));             \
        Reg *d_ = RD;                                                                                        \
        d_->meta = (RN->meta & CAP_META_PERMS_MASK) | 1ULL << CAP_META_FLAG_BIT |                            \
                   ((b_ + l_) & 0x3fff) << CAP_META_LIMIT_LO | (b_ & 0xffff);                                \
        d_->kind = RN->kind;                                                                                 \
        d_->value = d_->base = b_;                                                                           \
        d_->top = b_ + l_;                                                                                   \
        NEXT;                                                                                                \
    } while (0)

EXEC(SCBNDS_C_CR_C) { SET_BOUNDS(RM->value, false); }
EXEC(SCBNDSE_C_CR_C) { SET_BOUNDS(RM->value, true); }
EXEC(SCBNDS_C_CI_C) { SET_BOUNDS(IMM, true); }
EXEC(SCBNDS_C_CI_S) { SET_BOUNDS(IMM << 4, true); }

COLD static const Op *representable(Cpu *cpu, const Op *op, u64 (*f)(u64 len))
{
    SET(RD, f(RN->value));
    return op + 1;
}
EXEC(RRLEN_R_R_C) { return representable(cpu, op, cap_representable_length); }
EXEC(RRMASK_R_R_C) { return representable(cpu, op, cap_representable_mask); }

// ---- reading fields; the slow twins decode the bounds first

#define DECODED                                                                                              \
    do {                                                                                                     \
        if (UNLIKELY(!(RN->kind & REG_DECODED))) {                                                           \
            if (slow) LEAVE_FAST;                                                                            \
            cpu_decode(cpu, RN);                                                                             \
        }                                                                                                    \
    } while (0)
EXEC_SLOW(GCBASE_R_C_C) { DECODED; SET(RD, RN->base); NEXT; }
EXEC_SLOW(GCOFF_R_C_C) { DECODED; SET(RD, RN->value - RN->base); NEXT; }
EXEC_SLOW(GCLIM_R_C_C) { DECODED; SET(RD, RN->top); NEXT; }
// A top of 2^64-1 may stand for 2^64.
EXEC_SLOW(GCLEN_R_C_C)
{
    DECODED;
    if (RN->top == ~0ULL && slow) return slow(cpu, op);
    SET(RD, slow ? RN->top - RN->base : cap_length_saturated(cap_bounds(reg_to_cap(RN))));
    NEXT;
}
EXEC(GCVALUE_R_C_C) { SET(RD, RN->value); NEXT; }
EXEC(GCTAG_R_C_C) { SET(RD, reg_tag(RN)); NEXT; }
EXEC(GCPERM_R_C_C) { SET(RD, cap_inl_perms(reg_meta(RN))); NEXT; }
EXEC(GCTYPE_R_C_C) { SET(RD, cap_inl_otype(reg_meta(RN))); NEXT; }
EXEC(GCSEAL_R_C_C) { SET(RD, cap_inl_is_sealed(reg_meta(RN))); NEXT; }
EXEC(GCFLGS_R_C_C) { SET(RD, RN->value & 0xffULL << CAP_FLAGS_LO); NEXT; }
EXEC(CFHI_R_C_C) { SET(RD, reg_meta(RN)); NEXT; }

// ---- whole capabilities

EXEC(CPY_C_C_C) { reg_copy(RD, RN); NEXT; }
static ALWAYS_INLINE void set_untagged(Reg *d, u64 value, u64 meta)
{
    d->value = value;
    d->meta = meta;
    d->kind = REG_META;
}
EXEC(CLRTAG_C_C_C) { set_untagged(RD, RN->value, reg_meta(RN)); NEXT; }
EXEC(CTHI_C_CR_C) { set_untagged(RD, RN->value, RM->value); NEXT; }
EXEC_V(CSEL_C_CI_C, 32)
{
    const Reg *from = flags_cond(cpu, v >> 1) ? RN : RM;
    reg_copy(RD, from);
    NEXT;
}
COLD static const Op *set_tag(Cpu *cpu, const Op *op)
{
    if (!cpu->pstate.el) return exec_trap(cpu, op, EV_FAULT_UNDEFINED);
    Cap c = reg_to_cap(RN);
    c.tag = RM->value & 1 && cpu_may_set_tags(cpu);
    *RD = reg_from_cap(c);
    return exec_next_slow(cpu, op);
}
EXEC(SCTAG_C_CR_C) { return set_tag(cpu, op); }

COLD static const Op *clear_perms(Cpu *cpu, const Op *op, u64 mask)
{
    Cap c = reg_to_cap(RN);
    return set_derived(op, RD, c, cap_clear_perms(c, (u32)mask));
}
EXEC(CLRPERM_C_CR_C) { return clear_perms(cpu, op, RM->value & 0x3ffff); }
EXEC(CLRPERM_C_CI_C)
{
    return clear_perms(cpu, op, (IMM & 1 ? CAP_PERM_EXECUTE : 0) | (IMM & 2 ? CAP_PERM_STORE : 0) | (IMM & 4 ? CAP_PERM_LOAD : 0));
}

// ---- seals

// The value of `auth` is an object type that it may use.
static bool may_use_type(Cap auth, u32 perm)
{
    return auth.tag && !cap_is_sealed(auth) && (cap_perms(auth) & perm) && cap_in_bounds(cap_bounds(auth), auth.value, 1);
}
static bool may_seal(Cap c, Cap auth)
{
    return c.tag && !cap_is_sealed(c) && may_use_type(auth, CAP_PERM_SEAL) && auth.value <= 0x7fff;
}

COLD static const Op *seal_form(Cpu *cpu, const Op *op)
{
    Cap c = reg_to_cap(RN), r = cap_seal(c, (u32)IMM);
    return set_derived(op, RD, c, r);
}
COLD static const Op *seal(Cpu *cpu, const Op *op)
{
    Cap c = reg_to_cap(RN), auth = reg_to_cap(RM), r = cap_seal(c, (u32)auth.value);
    r.tag = may_seal(c, auth);
    return set_cap(op, RD, r);
}
COLD static const Op *unseal(Cpu *cpu, const Op *op)
{
    Cap c = reg_to_cap(RN), auth = reg_to_cap(RM), r = cap_unseal(c);
    if (!(cap_perms(auth) & CAP_PERM_GLOBAL)) r = cap_clear_perms(r, CAP_PERM_GLOBAL);
    r.tag = c.tag && cap_is_sealed(c) && may_use_type(auth, CAP_PERM_UNSEAL) && cap_otype(c) == auth.value;
    return set_cap(op, RD, r);
}
// Conditional seal: V says that it was done (or not asked for: value all ones); a failure leaves the source as it is.
COLD static const Op *seal_conditionally(Cpu *cpu, const Op *op)
{
    Cap c = reg_to_cap(RN), auth = reg_to_cap(RM);
    bool is_off = auth.value == ~0ULL, ok = is_off || may_seal(c, auth);
    flags_set(cpu, ok);
    return set_cap(op, RD, ok && !is_off ? cap_seal(c, (u32)auth.value) : c);
}
EXEC(SEAL_C_CI_C) { return seal_form(cpu, op); }
EXEC(SEAL_C_CC_C) { return seal(cpu, op); }
EXEC(UNSEAL_C_CC_C) { return unseal(cpu, op); }
EXEC(CSEAL_C_C_C) { return seal_conditionally(cpu, op); }

// Value := object type of Cm, or all ones for "unsealed"; what CSEAL takes.
COLD static const Op *copy_type(Cpu *cpu, const Op *op)
{
    Cap key = reg_to_cap(RN), data = reg_to_cap(RM);
    return set_derived(op, RD, key, cap_set_value(key, cap_is_sealed(data) ? cap_otype(data) : ~0ULL));
}
EXEC(CPYTYPE_C_C_C) { return copy_type(cpu, op); }

// ---- comparisons

static bool is_subset(Cap a, Cap b)
{
    CapBounds x = cap_bounds(a), y = cap_bounds(b);
    u128 x_top = (u128)x.top_hi << 64 | x.top_lo, y_top = (u128)y.top_hi << 64 | y.top_lo;
    return x.is_valid && y.is_valid && x.base >= y.base && x_top <= y_top && !(cap_perms(a) & ~cap_perms(b));
}

// Rebuilds a tag: if the bit pattern's bounds and permissions lie within the key's.
COLD static const Op *build(Cpu *cpu, const Op *op)
{
    Cap c = reg_to_cap(RN), key = reg_to_cap(RM), r = cap_unseal(c);
    CapBounds b = cap_bounds(r);
    bool is_range = b.top_hi || b.base <= b.top_lo;
    if (key.tag && !cap_is_sealed(key) && is_subset(r, key) && is_range) r.tag = true;
    else if (cap_is_sealed(c)) r.tag = false;
    return set_cap(op, RD, r);
}
EXEC(BUILD_C_C_C) { return build(cpu, op); }

COLD static const Op *check_subset(Cpu *cpu, const Op *op, bool unseals)
{
    Cap c = reg_to_cap(RN), test = reg_to_cap(RM);
    bool ok = is_subset(c, test) && c.tag == test.tag;
    flags_set(cpu, ok ? 8 : 0);
    if (!unseals) return op + 1;
    if (ok && test.tag && !cap_is_sealed(test)) c = cap_unseal(c);
    return set_cap(op, RD, c);
}
EXEC(CHKSS___CC_C) { return check_subset(cpu, op, false); }
EXEC(CHKSSU_C_CC_C) { return check_subset(cpu, op, true); }
EXEC(CHKSLD_C_C) { flags_set(cpu, cap_inl_is_sealed(reg_meta(RN))); NEXT; }
EXEC(CHKTGD_C_C) { flags_set(cpu, reg_tag(RN) ? 2 : 0); NEXT; }
EXEC(CHKEQ___CC_C)
{
    bool same = RN->value == RM->value && reg_meta(RN) == reg_meta(RM) && reg_tag(RN) == reg_tag(RM);
    flags_set(cpu, same ? 4 : 0);
    NEXT;
}
// Tags first: a tagged capability is greater than an untagged one. They compare as two-bit numbers.
COLD static const Op *subtract_tags(Cpu *cpu, const Op *op)
{
    bool first = reg_tag(RN);
    flags_set(cpu, first ? 2 : 8);
    SET(RD, first ? 1 : 3);
    return op + 1;
}
EXEC(SUBS_R_CC_C)
{
    u64 a = RN->value, b = RM->value, r = a - b;
    if (UNLIKELY(reg_tag(RN) != reg_tag(RM))) return subtract_tags(cpu, op);
    flags_sub(cpu, a, b, r, true);
    SET(RD, r);
    NEXT;
}

// ---- conversions; with CCTLR.DDCBO or PCCBO integers are offsets from the authority's base

typedef enum ConvertBy { BY_RN, BY_RM, BY_DDC, BY_PCC } ConvertBy;
static Cap get_authority(const Cpu *cpu, const Op *op, ConvertBy by)
{
    switch (by) {
    case BY_RN: return reg_to_cap((const Reg *)(const void *)((const char *)cpu + op->n));
    case BY_RM: return reg_to_cap((const Reg *)(const void *)((const char *)cpu + op->m));
    case BY_DDC: return reg_to_cap(&cpu->ddc);
    default: return (Cap){.value = op_pc(op), .meta = cpu->context->meta, .tag = cpu->context->tag};
    }
}
static bool is_base_mode(const Cpu *cpu, ConvertBy by) { return cpu->mode & (by == BY_PCC ? MODE_PCCBO : MODE_DDCBO); }

// To an integer: 0 without a tag; C says that there was one, Z that the result is 0.
COLD static const Op *to_integer(Cpu *cpu, const Op *op, ConvertBy by)
{
    Cap c = reg_to_cap(RN);
    u64 r = !c.tag ? 0 : is_base_mode(cpu, by) ? c.value - cap_bounds(get_authority(cpu, op, by)).base : c.value;
    flags_set(cpu, !c.tag ? 0 : r ? 2 : 6);
    SET(RD, r);
    return op + 1;
}
EXEC(CVT_R_CC_C) { return to_integer(cpu, op, BY_RM); }
EXEC(CVTD_R_C_C) { return to_integer(cpu, op, BY_DDC); }
EXEC(CVTP_R_C_C) { return to_integer(cpu, op, BY_PCC); }

// From an integer; the Z forms make 0 the null capability.
COLD static const Op *to_cap(Cpu *cpu, const Op *op, ConvertBy by, bool keeps_null)
{
    u64 v = by == BY_RN ? RM->value : RN->value;
    if (keeps_null && v == 0) return set_cap(op, RD, CAP_NULL);
    Cap c = get_authority(cpu, op, by);
    return set_derived(op, RD, c, is_base_mode(cpu, by) ? cap_set_offset(c, v) : cap_set_value(c, v));
}
EXEC(CVT_C_CR_C) { return to_cap(cpu, op, BY_RN, false); }
EXEC(CVTZ_C_CR_C) { return to_cap(cpu, op, BY_RN, true); }
EXEC(CVTD_C_R_C) { return to_cap(cpu, op, BY_DDC, false); }
EXEC(CVTDZ_C_R_C) { return to_cap(cpu, op, BY_DDC, true); }
EXEC(CVTP_C_R_C) { return to_cap(cpu, op, BY_PCC, false); }
EXEC(CVTPZ_C_R_C) { return to_cap(cpu, op, BY_PCC, true); }
