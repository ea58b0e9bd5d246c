// vint_mul.c: multiplications: with a vector, with one element, long, doubling and saturating, of polynomials, dot products.
#include "sim/vint.h"

#define E_MLA (d + n * m)
#define E_MLS (d - n * m)
SAME_BHS(MUL_V, n * m)
SAME_BHS(MLA_V, E_MLA)
SAME_BHS(MLS_V, E_MLS)
SAME_ELT(MUL_VE, n * m)
SAME_ELT(MLA_VE, E_MLA)
SAME_ELT(MLS_VE, E_MLS)

// ---- the upper half of twice the product

#define HALF_UP         (BIG(1) << (bits - 1))
#define PRODUCT         (BIG(SX(n)) * SX(m))
#define E_SQDMULH       SAT_S(2 * PRODUCT >> bits)
#define E_SQRDMULH      SAT_S((2 * PRODUCT + HALF_UP) >> bits)
#define E_SQRDMLAH      SAT_S((BIG(SX(d)) * (BIG(1) << bits) + 2 * PRODUCT + HALF_UP) >> bits)
#define E_SQRDMLSH      SAT_S((BIG(SX(d)) * (BIG(1) << bits) - 2 * PRODUCT + HALF_UP) >> bits)
SAME_BHS(SQDMULH_V, E_SQDMULH)
SAME_BHS(SQRDMULH_V, E_SQRDMULH)
SAME_BHS(SQRDMLAH_V, E_SQRDMLAH)
SAME_BHS(SQRDMLSH_V, E_SQRDMLSH)
SAME_ELT(SQDMULH_VE, E_SQDMULH)
SAME_ELT(SQRDMULH_VE, E_SQRDMULH)
SAME_ELT(SQRDMLAH_VE, E_SQRDMLAH)
SAME_ELT(SQRDMLSH_VE, E_SQRDMLSH)

// ---- long

#define E_SMLAL   (d + (u64)(SX(n) * SX(m)))
#define E_SMLSL   (d - (u64)(SX(n) * SX(m)))
LONG(SMULL_V, SX(n) * SX(m))
LONG(UMULL_V, n * m)
LONG(SMLAL_V, E_SMLAL)
LONG(UMLAL_V, E_MLA)
LONG(SMLSL_V, E_SMLSL)
LONG(UMLSL_V, E_MLS)
LONG_ELT(SMULL_VE, SX(n) * SX(m))
LONG_ELT(UMULL_VE, n * m)
LONG_ELT(SMLAL_VE, E_SMLAL)
LONG_ELT(UMLAL_VE, E_MLA)
LONG_ELT(SMLSL_VE, E_SMLSL)
LONG_ELT(UMLSL_VE, E_MLS)

// Saturated twice: the doubled product, then the sum.
#define DOUBLED   SX2(SAT_S2(2 * PRODUCT))
#define E_SQDMLAL SAT_S2(BIG(SX2(d)) + DOUBLED)
#define E_SQDMLSL SAT_S2(BIG(SX2(d)) - DOUBLED)
LONG(SQDMULL_V, SAT_S2(2 * PRODUCT))
LONG(SQDMLAL_V, E_SQDMLAL)
LONG(SQDMLSL_V, E_SQDMLSL)
LONG_ELT(SQDMULL_VE, SAT_S2(2 * PRODUCT))
LONG_ELT(SQDMLAL_VE, E_SQDMLAL)
LONG_ELT(SQDMLSL_VE, E_SQDMLSL)

// ---- polynomials over {0, 1}, of bytes

static ALWAYS_INLINE u64 poly_mul(u64 n, u64 m)
{
    u64 r = 0;
    for (u32 i = 0; i < 8; i++) r ^= (n >> i & 1) * (m << i);
    return r;
}
SAME_BHS(PMUL_V, poly_mul(n, m))
LONG(PMULL_V, poly_mul(n, m))

// ---- dot products: four bytes by four bytes, added to a word; VE: the four bytes of m are the same everywhere

static ALWAYS_INLINE void dot(Cpu *cpu, const Op *op, bool is_signed, Lanes ms)
{
    Lanes ns = {.d = {VN->lo, VN->hi}}, ds = {.d = {VD->lo, VD->hi}};
    for (u32 i = 0; i < 16; i++) {
        u32 product = is_signed ? (u32)((i8)ns.b[i] * (i8)ms.b[i]) : (u32)ns.b[i] * ms.b[i];
        ds.s[i / 4] += product;
    }
    set_result(VD, &ds, op->x, 2);
}
void vint_SDOT_V(Cpu *cpu, const Op *op) { dot(cpu, op, true, (Lanes){.d = {VM->lo, VM->hi}}); }
void vint_UDOT_V(Cpu *cpu, const Op *op) { dot(cpu, op, false, (Lanes){.d = {VM->lo, VM->hi}}); }
void vint_SDOT_VE(Cpu *cpu, const Op *op) { dot(cpu, op, true, source_spread(VM, 2, op->imm)); }
void vint_UDOT_VE(Cpu *cpu, const Op *op) { dot(cpu, op, false, source_spread(VM, 2, op->imm)); }
