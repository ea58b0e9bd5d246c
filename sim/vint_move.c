// vint_move.c: elements and bits moved about: reversals, counts of leading bits, extraction, interleaving, table look-up.
#include "sim/vint.h"

// ---- bits and bytes of an element

static ALWAYS_INLINE u64 leading_zeros(u64 n, u32 bits) { return n ? (u64)__builtin_clzll(n) - (64 - bits) : bits; }
UNARY(CLZ_V, leading_zeros(n, bits))
// Bits after the first that equal it.
UNARY(CLS_V, leading_zeros((n ^ (u64)SX(n) >> 1) & bits_mask(bits - 1), bits) - 1)

void vint_NOT_V(Cpu *cpu, const Op *op)
{
    u64 lo = ~VN->lo, hi = ~VN->hi;
    VD->lo = lo, VD->hi = op->x & X_Q ? hi : 0;
}
static u64 reverse_bits_of_bytes(u64 x)
{
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    return (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
}
void vint_RBIT_V(Cpu *cpu, const Op *op)
{
    u64 lo = reverse_bits_of_bytes(VN->lo), hi = reverse_bits_of_bytes(VN->hi);
    VD->lo = lo, VD->hi = op->x & X_Q ? hi : 0;
}

// Elements in the opposite order inside each group of bytes: element i changes places with i ^ (elements of a group - 1).
static ALWAYS_INLINE void reverse(Cpu *cpu, const Op *op, const u32 size, const u32 group_bytes)
{
    Lanes ns = source(VN, op->x, size), out;
    for (u32 i = 0; i < 16U >> size; i++) set_lane(&out, size, i, lane(&ns, size, i ^ ((group_bytes >> size) - 1)));
    set_result(VD, &out, op->x, size);
}
VINT_SIZED_BHS(REV64_V) { reverse(cpu, op, size, 8); }
VINT_SIZED_BHS(REV32_V) { reverse(cpu, op, size, 4); }
void vint_REV16_V(Cpu *cpu, const Op *op) { reverse(cpu, op, 0, 2); }

// ---- two registers

// 8 or 16 bytes from byte imm of Vm:Vn on.
void vint_EXT_V(Cpu *cpu, const Op *op)
{
    u8 both[32];
    u32 bytes = op->x & X_Q ? 16 : 8;
    memcpy(both, VN, bytes);
    memcpy(both + bytes, VM, bytes);
    Lanes out = {.d = {0, 0}};
    memcpy(out.b, both + op->imm, bytes);
    set_result(VD, &out, op->x, 0);
}

// Result i is element `at` of n (from_m: of m); `half` is half of the number of elements.
#define PERMUTE(NAME, from_m_, at_)                                                                          \
    VINT_SIZED(NAME)                                                                                         \
    {                                                                                                        \
        const u32 half = (op->x & X_Q ? 8U : 4U) >> size;                                                    \
        Lanes ns = source(VN, op->x, size), ms = source(VM, op->x, size), out = {.d = {0, 0}};               \
        for (u32 i = 0; i < 2 * half; i++) set_lane(&out, size, i, lane((from_m_) ? &ms : &ns, size, (at_))); \
        set_result(VD, &out, op->x, size);                                                                   \
    }
PERMUTE(ZIP1_V, i & 1, i >> 1)
PERMUTE(ZIP2_V, i & 1, half + (i >> 1))
PERMUTE(UZP1_V, i >= half, 2 * (i < half ? i : i - half))
PERMUTE(UZP2_V, i >= half, 2 * (i < half ? i : i - half) + 1)
PERMUTE(TRN1_V, i & 1, i & ~1U)
PERMUTE(TRN2_V, i & 1, i | 1)

// ---- bytes of a table of aux registers from number imm on; an index outside gives 0 (TBL) or leaves the byte (TBX)

static void look_up(Cpu *cpu, const Op *op, Lanes out)
{
    u8 table[64];
    for (u32 i = 0; i < op->aux; i++) memcpy(table + 16 * i, &cpu->v[(op->imm + i) & 31], 16);
    Lanes index = source(VM, op->x, 0);
    for (u32 i = 0; i < 16; i++)
        if (index.b[i] < 16 * op->aux) out.b[i] = table[index.b[i]];
    set_result(VD, &out, op->x, 0);
}
void vint_TBL_V(Cpu *cpu, const Op *op) { look_up(cpu, op, (Lanes){.d = {0, 0}}); }
void vint_TBX_V(Cpu *cpu, const Op *op) { look_up(cpu, op, (Lanes){.d = {VD->lo, VD->hi}}); }
