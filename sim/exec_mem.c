// exec_mem.c: integer loads and stores. The instance knows the authority (none to check, DDC, the base capability) and the form K; READ
// and WRITE do check, translation and tags (exec.h), or leave for the slow instance.
#include "sim/exec.h"

// Loads: how the bytes at p become the register. K bit 0 is sf (LDR) or w32 (the sign-extending ones).
#define LD_X(p_)  (K & 1 ? bits_load((p_), 8) : (u64)(u32)bits_load((p_), 4))
#define LD_X_SIZE (K & 1 ? 8u : 4u)
#define LD_B(p_)  ((u64)*(p_))
#define LD_H(p_)  bits_load((p_), 2)
#define LD_SB(p_) (K & 1 ? (u64)(u32)(i8) * (p_) : (u64)(i64)(i8) * (p_))
#define LD_SH(p_) (K & 1 ? (u64)(u32)(i16)bits_load((p_), 2) : (u64)(i64)(i16)bits_load((p_), 2))
#define LD_SW(p_) ((u64)(i64)(i32)bits_load((p_), 4))

#define LOAD_AT(addr_, bytes_, how_)                                                                         \
    u64 addr = (addr_);                                                                                      \
    const u8 *p = READ(addr, (bytes_));                                                                      \
    SET(RD, how_(p));                                                                                        \
    NEXT;
#define LOAD_POST(bytes_, how_)                                                                              \
    u64 addr = BASE;                                                                                         \
    CHECK_WRITE_BACK(BACK_POST, IMM);                                                                        \
    const u8 *p = READ(addr, (bytes_));                                                                      \
    WRITE_BACK(IMM);                                                                                         \
    SET(RD, how_(p));                                                                                        \
    NEXT;
#define LOAD_PRE(bytes_, how_)                                                                               \
    u64 addr = BASE + IMM;                                                                                   \
    CHECK_WRITE_BACK(BACK_PRE, IMM);                                                                         \
    const u8 *p = READ(addr, (bytes_));                                                                      \
    WRITE_BACK(IMM);                                                                                         \
    SET(RD, how_(p));                                                                                        \
    NEXT;
#define STORE_AT(addr_, bytes_)                                                                              \
    u64 addr = (addr_);                                                                                      \
    WRITE(addr, (bytes_), RD->value, 0);                                                                     \
    NEXT;
#define STORE_POST(bytes_)                                                                                   \
    u64 addr = BASE;                                                                                         \
    CHECK_WRITE_BACK(BACK_POST, IMM);                                                                        \
    WRITE(addr, (bytes_), RD->value, 0);                                                                     \
    WRITE_BACK(IMM);                                                                                         \
    NEXT;
#define STORE_PRE(bytes_)                                                                                    \
    u64 addr = BASE + IMM;                                                                                   \
    CHECK_WRITE_BACK(BACK_PRE, IMM);                                                                         \
    WRITE(addr, (bytes_), RD->value, 0);                                                                     \
    WRITE_BACK(IMM);                                                                                         \
    NEXT;

// All address forms of one access. f: forms of K; fr: with a register offset (K bit 1 = W offset).
#define LOADS(NAME, SHORT, f, bytes_, how_)                                                                  \
    EXEC_MEM(LD##NAME##_UI, f) { LOAD_AT(BASE + IMM, bytes_, how_) }                                         \
    EXEC_MEM(LDU##SHORT, f) { LOAD_AT(BASE + IMM, bytes_, how_) }                                            \
    EXEC_MEM(LDT##SHORT, f) { LOAD_AT(BASE + IMM, bytes_, how_) }                                            \
    EXEC_MEM(LD##NAME##_R, 4) { LOAD_AT(BASE + OFFSET, bytes_, how_) }                                       \
    EXEC_MEM(LD##NAME##_POST, f) { LOAD_POST(bytes_, how_) }                                                 \
    EXEC_MEM(LD##NAME##_PRE, f) { LOAD_PRE(bytes_, how_) }
#define STORES(NAME, SHORT, f, bytes_)                                                                       \
    EXEC_MEM(ST##NAME##_UI, f) { STORE_AT(BASE + IMM, bytes_) }                                              \
    EXEC_MEM(STU##SHORT, f) { STORE_AT(BASE + IMM, bytes_) }                                                 \
    EXEC_MEM(STT##SHORT, f) { STORE_AT(BASE + IMM, bytes_) }                                                 \
    EXEC_MEM(ST##NAME##_R, 4) { STORE_AT(BASE + OFFSET, bytes_) }                                            \
    EXEC_MEM(ST##NAME##_POST, f) { STORE_POST(bytes_) }                                                      \
    EXEC_MEM(ST##NAME##_PRE, f) { STORE_PRE(bytes_) }

LOADS(R, R, 2, LD_X_SIZE, LD_X)
LOADS(RB, RB, 1, 1, LD_B)
LOADS(RH, RH, 1, 2, LD_H)
LOADS(RSB, RSB, 2, 1, LD_SB)
LOADS(RSH, RSH, 2, 2, LD_SH)
LOADS(RSW, RSW, 1, 4, LD_SW)
STORES(R, R, 2, LD_X_SIZE)
STORES(RB, RB, 1, 1)
STORES(RH, RH, 1, 2)

// ---- literals: imm is the address; see `literal` in plan.c

#define PCC_AUTHORITY                                                                                        \
    do {                                                                                                     \
        if (!slow) exec_set_pcc_auth(cpu, op);                                                               \
    } while (0)
EXEC_MEM(LDR_L, 2)
{
    PCC_AUTHORITY;
    LOAD_AT(IMM, LD_X_SIZE, LD_X)
}
EXEC_MEM(LDRSW_L, 1)
{
    PCC_AUTHORITY;
    LOAD_AT(IMM, 4, LD_SW)
}

// ---- pairs

#define PAIR_SIZE (2 * LD_X_SIZE)
#define LOAD_PAIR(addr_, back_, how_, bytes_)                                                                \
    u64 addr = (addr_);                                                                                      \
    CHECK_WRITE_BACK(back_, IMM);                                                                            \
    const u8 *p = READ_FLAGS(addr, 2 * (bytes_), (bytes_));                                                  \
    u64 first = how_(p), second = how_(p + (bytes_));                                                        \
    if (back_) WRITE_BACK(IMM);                                                                              \
    SET(RD, first);                                                                                          \
    SET(RA, second);                                                                                         \
    NEXT;
#define STORE_PAIR(addr_, back_)                                                                             \
    u64 addr = (addr_);                                                                                      \
    CHECK_WRITE_BACK(back_, IMM);                                                                            \
    if (K & 1) WRITE_FLAGS(addr, 16, RD->value, RA->value, 8);                                               \
    else WRITE_FLAGS(addr, 8, (u32)RD->value | RA->value << 32, 0, 4);                                       \
    if (back_) WRITE_BACK(IMM);                                                                              \
    NEXT;

EXEC_MEM(LDP_OFF, 2) { LOAD_PAIR(BASE + IMM, BACK_NONE, LD_X, LD_X_SIZE) }
EXEC_MEM(LDNP, 2) { LOAD_PAIR(BASE + IMM, BACK_NONE, LD_X, LD_X_SIZE) }
EXEC_MEM(LDP_POST, 2) { LOAD_PAIR(BASE, BACK_POST, LD_X, LD_X_SIZE) }
EXEC_MEM(LDP_PRE, 2) { LOAD_PAIR(BASE + IMM, BACK_PRE, LD_X, LD_X_SIZE) }
EXEC_MEM(LDPSW_OFF, 1) { LOAD_PAIR(BASE + IMM, BACK_NONE, LD_SW, 4u) }
EXEC_MEM(LDPSW_POST, 1) { LOAD_PAIR(BASE, BACK_POST, LD_SW, 4u) }
EXEC_MEM(LDPSW_PRE, 1) { LOAD_PAIR(BASE + IMM, BACK_PRE, LD_SW, 4u) }
EXEC_MEM(STP_OFF, 2) { STORE_PAIR(BASE + IMM, BACK_NONE) }
EXEC_MEM(STNP, 2) { STORE_PAIR(BASE + IMM, BACK_NONE) }
EXEC_MEM(STP_POST, 2) { STORE_PAIR(BASE, BACK_POST) }
EXEC_MEM(STP_PRE, 2) { STORE_PAIR(BASE + IMM, BACK_PRE) }

// ---- prefetches do nothing (not even fault)

EXEC_MEM(PRFM_UI, 1) { NEXT; }
EXEC_MEM(PRFUM, 1) { NEXT; }
EXEC_MEM(PRFM_R, 4) { NEXT; }
EXEC_MEM(PRFM_L, 2) { NEXT; }
