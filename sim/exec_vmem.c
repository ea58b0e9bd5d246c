// exec_vmem.c: loads and stores of B, H, S, D and Q registers. K = log2 of the bytes.
#include "sim/vreg.h"

#define BYTES (1u << K)

static ALWAYS_INLINE void load_v(VReg *r, const u8 *p, u32 k)
{
    u64 lo = bits_load(p, k >= 3 ? 8 : 1u << k), hi = k == 4 ? bits_load(p + 8, 8) : 0;
    r->lo = lo, r->hi = hi;
}

#define LOAD_AT(addr_)                                                                                       \
    u64 addr = (addr_);                                                                                      \
    const u8 *p = READ(addr, BYTES);                                                                         \
    load_v(VD, p, K);                                                                                        \
    NEXT;
#define LOAD_BACK(addr_, when_)                                                                              \
    u64 addr = (addr_);                                                                                      \
    CHECK_WRITE_BACK(when_, IMM);                                                                            \
    const u8 *p = READ(addr, BYTES);                                                                         \
    load_v(VD, p, K);                                                                                        \
    WRITE_BACK(IMM);                                                                                         \
    NEXT;
#define STORE_AT(addr_)                                                                                      \
    u64 addr = (addr_);                                                                                      \
    WRITE(addr, BYTES, VD->lo, VD->hi);                                                                      \
    NEXT;
#define STORE_BACK(addr_, when_)                                                                             \
    u64 addr = (addr_);                                                                                      \
    CHECK_WRITE_BACK(when_, IMM);                                                                            \
    WRITE(addr, BYTES, VD->lo, VD->hi);                                                                      \
    WRITE_BACK(IMM);                                                                                         \
    NEXT;
// aux: 2 = X offset, 0 = UXTW, 1 << 31 = SXTW
#define V_OFFSET (op->aux == 2 ? OFFSET_X : OFFSET_W)

EXEC_MEM(LDR_V_UI, 5) { LOAD_AT(BASE + IMM) }
EXEC_MEM(LDUR_V, 5) { LOAD_AT(BASE + IMM) }
EXEC_MEM(LDR_V_R, 5) { LOAD_AT(BASE + V_OFFSET) }
EXEC_MEM(LDR_V_POST, 5) { LOAD_BACK(BASE, BACK_POST) }
EXEC_MEM(LDR_V_PRE, 5) { LOAD_BACK(BASE + IMM, BACK_PRE) }
EXEC_MEM(STR_V_UI, 5) { STORE_AT(BASE + IMM) }
EXEC_MEM(STUR_V, 5) { STORE_AT(BASE + IMM) }
EXEC_MEM(STR_V_R, 5) { STORE_AT(BASE + V_OFFSET) }
EXEC_MEM(STR_V_POST, 5) { STORE_BACK(BASE, BACK_POST) }
EXEC_MEM(STR_V_PRE, 5) { STORE_BACK(BASE + IMM, BACK_PRE) }
EXEC_MEM(LDR_V_L, 5)
{
    if (!slow) exec_set_pcc_auth(cpu, op);
    LOAD_AT(IMM)
}

// ---- pairs (S, D, Q)

#define LOAD_PAIR(addr_, back_)                                                                              \
    u64 addr = (addr_);                                                                                      \
    CHECK_WRITE_BACK(back_, IMM);                                                                            \
    const u8 *p = READ_FLAGS(addr, 2 * BYTES, BYTES);                                                        \
    load_v(VD, p, K);                                                                                        \
    load_v(VA, p + BYTES, K);                                                                                \
    if (back_) WRITE_BACK(IMM);                                                                              \
    NEXT;
EXEC_MEM(LDP_V_OFF, 5) { LOAD_PAIR(BASE + IMM, BACK_NONE) }
EXEC_MEM(LDNP_V, 5) { LOAD_PAIR(BASE + IMM, BACK_NONE) }
EXEC_MEM(LDP_V_POST, 5) { LOAD_PAIR(BASE, BACK_POST) }
EXEC_MEM(LDP_V_PRE, 5) { LOAD_PAIR(BASE + IMM, BACK_PRE) }

// Two Q registers are 32 bytes, more than WRITE takes.
static ALWAYS_INLINE void store_q_pair(u8 *h, const VReg *a, const VReg *b)
{
    bits_store(h, a->lo, 8);
    bits_store(h + 8, a->hi, 8);
    bits_store(h + 16, b->lo, 8);
    bits_store(h + 24, b->hi, 8);
}
static bool slow_store_q_pair(Cpu *cpu, const Op *op, u64 addr, u32 auth)
{
    u8 raw[32];
    store_q_pair(raw, VD, VA);
    return exec_slow_write_bytes(cpu, op, RN, addr, 32, auth, 16, raw);
}
#define STORE_PAIR(addr_, back_)                                                                             \
    u64 addr = (addr_);                                                                                      \
    CHECK_WRITE_BACK(back_, IMM);                                                                            \
    if (K == 4) {                                                                                            \
        if (slow) {                                                                                          \
            u8 *h = exec_fast_write(cpu, RN, addr, 32, AUTH);                                                \
            if (UNLIKELY(!h)) return slow(cpu, op);                                                          \
            store_q_pair(h, VD, VA);                                                                         \
        } else if (!slow_store_q_pair(cpu, op, addr, AUTH)) {                                                \
            return NULL;                                                                                     \
        }                                                                                                    \
    } else if (K == 3) {                                                                                     \
        WRITE_FLAGS(addr, 16, VD->lo, VA->lo, 8);                                                            \
    } else {                                                                                                 \
        WRITE_FLAGS(addr, 8, (u32)VD->lo | VA->lo << 32, 0, 4);                                              \
    }                                                                                                        \
    if (back_) WRITE_BACK(IMM);                                                                              \
    NEXT;
EXEC_MEM(STP_V_OFF, 5) { STORE_PAIR(BASE + IMM, BACK_NONE) }
EXEC_MEM(STNP_V, 5) { STORE_PAIR(BASE + IMM, BACK_NONE) }
EXEC_MEM(STP_V_POST, 5) { STORE_PAIR(BASE, BACK_POST) }
EXEC_MEM(STP_V_PRE, 5) { STORE_PAIR(BASE + IMM, BACK_PRE) }
