// vint.h: integer vector operations. Each row of isa/def/a64_vint.def has a function vint_NAME in one of sim/vint_*.c; they are compiled once,
// not once an engine, and may call what they like. The bodies (exec_vint.c) call them and go on.
//
//     SAME(SQADD_V, saturate(sx(n) + sx(m)))
//
// writes the function from what happens to one element. The frames below set: bits (of an element, constant), n, m (the elements,
// zero-extended), d (the old destination's), imm, and sat (set to true: FPSR.QC). A scalar form is a vector of one element:
// the others are read as 0, and all these operations make 0 of zeros, without saturation.
#ifndef CAPLAB_SIM_VINT_H
#define CAPLAB_SIM_VINT_H

#include "sim/vreg.h"

typedef void VintFn(Cpu *cpu, const Op *op);
#define INSN(name, ...) VintFn vint_##name;
#include "isa/def/a64_vint.def"
#undef INSN

enum { FPSR_QC = 1 << 27 };
enum { X_SIZE = 3, X_Q = 4, X_SCALAR = 8 }; // op->x, see plan.c

typedef union Lanes {
    u8 b[16];
    u16 h[8];
    u32 s[4];
    u64 d[2];
} Lanes;

static ALWAYS_INLINE u64 lane(const Lanes *l, u32 size, u32 i)
{
    return size == 0 ? l->b[i] : size == 1 ? l->h[i] : size == 2 ? l->s[i] : l->d[i];
}
static ALWAYS_INLINE void set_lane(Lanes *l, u32 size, u32 i, u64 v)
{
    if (size == 0) l->b[i] = (u8)v;
    else if (size == 1) l->h[i] = (u16)v;
    else if (size == 2) l->s[i] = (u32)v;
    else l->d[i] = v;
}

// A source whose elements have the size (or, wide, twice the size) of op->x: what does not take part is 0.
static ALWAYS_INLINE u64 one_element(u64 lo, u32 x, u32 size) { return x & X_SCALAR ? lo & bits_mask(8U << size) : lo; }
static ALWAYS_INLINE Lanes source(const VReg *r, u32 x, u32 size)
{
    return (Lanes){.d = {one_element(r->lo, x, size), x & X_Q ? r->hi : 0}};
}
static ALWAYS_INLINE Lanes source_wide(const VReg *r, u32 x, u32 size)
{
    return (Lanes){.d = {one_element(r->lo, x, size + 1), x & X_SCALAR ? 0 : r->hi}};
}
// The half that a long instruction reads.
static ALWAYS_INLINE Lanes source_half(const VReg *r, u32 x, u32 size)
{
    return (Lanes){.d = {one_element(x & X_Q ? r->hi : r->lo, x, size), 0}};
}
// One element of r in all places.
static ALWAYS_INLINE Lanes source_spread(const VReg *r, u32 size, u64 index)
{
    Lanes all = {.d = {r->lo, r->hi}}, out;
    u64 v = lane(&all, size, (u32)index & ((16U >> size) - 1));
    for (u32 i = 0; i < 16U >> size; i++) set_lane(&out, size, i, v);
    return out;
}
static ALWAYS_INLINE void set_result(VReg *d, const Lanes *l, u32 x, u32 size)
{
    d->lo = one_element(l->d[0], x, size);
    d->hi = x & X_Q ? l->d[1] : 0;
}
// Result of a narrowing: the lower half, or (2) the upper one, and the lower stays.
static ALWAYS_INLINE void set_half(VReg *d, u64 half, u32 x)
{
    if (x & X_Q) d->hi = half;
    else d->lo = half, d->hi = 0;
}

// The function of a row from a body that has the size as a constant.
#define VINT_SIZED(NAME)                                                                                     \
    static ALWAYS_INLINE void sized_##NAME(Cpu *cpu, const Op *op, const u32 size);                           \
    void vint_##NAME(Cpu *cpu, const Op *op)                                                                 \
    {                                                                                                        \
        switch (op->x & X_SIZE) {                                                                            \
        case 0: sized_##NAME(cpu, op, 0); break;                                                             \
        case 1: sized_##NAME(cpu, op, 1); break;                                                             \
        case 2: sized_##NAME(cpu, op, 2); break;                                                             \
        default: sized_##NAME(cpu, op, 3); break;                                                            \
        }                                                                                                    \
    }                                                                                                        \
    static ALWAYS_INLINE void sized_##NAME(Cpu *cpu, const Op *op, const u32 size)
// As above for rows without doublewords (twice whose size does not exist).
#define VINT_SIZED_BHS(NAME)                                                                                 \
    static ALWAYS_INLINE void sized_##NAME(Cpu *cpu, const Op *op, const u32 size);                           \
    void vint_##NAME(Cpu *cpu, const Op *op)                                                                 \
    {                                                                                                        \
        switch (op->x & X_SIZE) {                                                                            \
        case 0: sized_##NAME(cpu, op, 0); break;                                                             \
        case 1: sized_##NAME(cpu, op, 1); break;                                                             \
        default: sized_##NAME(cpu, op, 2); break;                                                            \
        }                                                                                                    \
    }                                                                                                        \
    static ALWAYS_INLINE void sized_##NAME(Cpu *cpu, const Op *op, const u32 size)

// One result from the elements in the same place of n and m.
#define VINT_SAME(SIZED, NAME, m_source_, ...)                                                               \
    SIZED(NAME)                                                                                              \
    {                                                                                                        \
        const u32 x = op->x, bits EXEC_UNUSED = 8U << size;                                                  \
        const u64 imm EXEC_UNUSED = op->imm;                                                                 \
        bool sat = false;                                                                                    \
        Lanes ns = source(VN, x, size), ms = m_source_, ds = source(VD, x, size), out;                       \
        for (u32 i = 0; i < 16U >> size; i++) {                                                              \
            u64 n EXEC_UNUSED = lane(&ns, size, i), m EXEC_UNUSED = lane(&ms, size, i);                      \
            u64 d EXEC_UNUSED = lane(&ds, size, i);                                                          \
            set_lane(&out, size, i, (u64)(__VA_ARGS__));                                                     \
        }                                                                                                    \
        set_result(VD, &out, x, size);                                                                       \
        if (sat) cpu->fpsr |= FPSR_QC;                                                                       \
    }
#define SAME(NAME, ...)     VINT_SAME(VINT_SIZED, NAME, source(VM, x, size), __VA_ARGS__)
#define SAME_BHS(NAME, ...) VINT_SAME(VINT_SIZED_BHS, NAME, source(VM, x, size), __VA_ARGS__)
#define SAME_ELT(NAME, ...) VINT_SAME(VINT_SIZED_BHS, NAME, source_spread(VM, size, imm), __VA_ARGS__)
#define UNARY(NAME, ...)    VINT_SAME(VINT_SIZED, NAME, ns, __VA_ARGS__)

// Results of twice the size; d is of that size, and n with WIDE.
#define VINT_LONG(NAME, n_source_, n_size_, m_source_, ...)                                                  \
    VINT_SIZED_BHS(NAME)                                                                                     \
    {                                                                                                        \
        const u32 x = op->x, bits EXEC_UNUSED = 8U << size;                                                  \
        const u64 imm EXEC_UNUSED = op->imm;                                                                 \
        bool sat = false;                                                                                    \
        Lanes ns = n_source_, ms = m_source_, ds = source_wide(VD, x, size), out;                            \
        for (u32 i = 0; i < 8U >> size; i++) {                                                               \
            u64 n EXEC_UNUSED = lane(&ns, n_size_, i), m EXEC_UNUSED = lane(&ms, size, i);                   \
            u64 d EXEC_UNUSED = lane(&ds, size + 1, i);                                                      \
            set_lane(&out, size + 1, i, (u64)(__VA_ARGS__));                                                 \
        }                                                                                                    \
        VD->lo = out.d[0], VD->hi = out.d[1];                                                                \
        if (sat) cpu->fpsr |= FPSR_QC;                                                                       \
    }
#define LONG(NAME, ...)       VINT_LONG(NAME, source_half(VN, x, size), size, source_half(VM, x, size), __VA_ARGS__)
#define LONG_ELT(NAME, ...)   VINT_LONG(NAME, source_half(VN, x, size), size, source_spread(VM, size, imm), __VA_ARGS__)
#define LONG_UNARY(NAME, ...) VINT_LONG(NAME, source_half(VN, x, size), size, ns, __VA_ARGS__)
#define WIDE(NAME, ...)       VINT_LONG(NAME, source_wide(VN, x, size), size + 1, source_half(VM, x, size), __VA_ARGS__)

// Results of half the size of n and m.
#define NARROW(NAME, ...)                                                                                    \
    VINT_SIZED_BHS(NAME)                                                                                     \
    {                                                                                                        \
        const u32 x = op->x, bits EXEC_UNUSED = 8U << size;                                                  \
        const u64 imm EXEC_UNUSED = op->imm;                                                                 \
        bool sat = false;                                                                                    \
        Lanes ns = source_wide(VN, x, size), ms = source_wide(VM, x, size), out;                             \
        for (u32 i = 0; i < 8U >> size; i++) {                                                               \
            u64 n EXEC_UNUSED = lane(&ns, size + 1, i), m EXEC_UNUSED = lane(&ms, size + 1, i);              \
            set_lane(&out, size, i, (u64)(__VA_ARGS__));                                                     \
        }                                                                                                    \
        set_half(VD, out.d[0], x);                                                                           \
        if (sat) cpu->fpsr |= FPSR_QC;                                                                       \
    }

// ---- arithmetic on one element. Sums and products are exact in 128 bits.

#define SX(v_)  ((i64)((v_) << (64 - bits)) >> (64 - bits))          // the element as a signed number
#define SX2(v_) ((i64)((v_) << (64 - 2 * bits)) >> (64 - 2 * bits))  // one of twice the size
#define BIG(v_) ((i128)(v_))

static ALWAYS_INLINE u64 saturate_signed(i128 v, u32 bits, bool *sat)
{
    i128 max = ((i128)1 << (bits - 1)) - 1, min = -max - 1;
    if (v > max) return *sat = true, (u64)max;
    if (v < min) return *sat = true, (u64)min;
    return (u64)v;
}
static ALWAYS_INLINE u64 saturate_unsigned(i128 v, u32 bits, bool *sat)
{
    i128 max = ((i128)1 << bits) - 1;
    if (v > max) return *sat = true, (u64)max;
    if (v < 0) return *sat = true, 0;
    return (u64)v;
}
#define SAT_S(v_)  saturate_signed((v_), bits, &sat)
#define SAT_U(v_)  saturate_unsigned((v_), bits, &sat)
#define SAT_S2(v_) saturate_signed((v_), 2 * bits, &sat)

#endif
