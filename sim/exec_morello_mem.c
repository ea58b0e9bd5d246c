// exec_morello_mem.c: capability loads and stores, and plain ones through the alternate base. READ_CAP and WRITE_CAP do check, tag
// and (slow) filtering; bounds of what was loaded are decoded when it is first used.
#include "sim/exec.h"

// ---- one capability

#define LOAD_CAP(addr_)                                                                                      \
    u64 addr = (addr_);                                                                                      \
    READ_CAP(addr, RD);                                                                                      \
    NEXT;
// K bit 0: the block uses the register as a base, so it is decoded here (decode_at_load in block.c).
#define LOAD_CAP_BASE(addr_)                                                                                 \
    u64 addr = (addr_);                                                                                      \
    Reg *d = RD;                                                                                             \
    READ_CAP(addr, d);                                                                                       \
    if (K & 1 && slow && LIKELY(d->kind == REG_RAW)) (void)reg_decode_small(cpu, d, d->value, d->meta);      \
    NEXT;
#define STORE_CAP(addr_)                                                                                     \
    u64 addr = (addr_);                                                                                      \
    WRITE_CAP(addr, RD);                                                                                     \
    NEXT;
EXEC_MEM(LDR_C_RUIB_C, 2) { LOAD_CAP_BASE(BASE + IMM) }
EXEC_MEM(LDUR_C_RI_C, 2) { LOAD_CAP_BASE(BASE + IMM) }
EXEC_MEM(LDTR_C_RIB_C, 1) { LOAD_CAP(BASE + IMM) }
EXEC_MEM(ALDR_C_RUI_C, 1) { LOAD_CAP(BASE + IMM) }
EXEC_MEM(ALDUR_C_RI_C, 1) { LOAD_CAP(BASE + IMM) }
EXEC_MEM(LDR_C_RRB_C, 4) { LOAD_CAP_BASE(BASE + OFFSET) }
EXEC_MEM(ALDR_C_RRB_C, 3) { LOAD_CAP(BASE + OFFSET) }
EXEC_MEM(LDAR_C_R_C, 1) { LOAD_CAP(BASE) }
EXEC_MEM(LDAPR_C_R_C, 1) { LOAD_CAP(BASE) }
EXEC_MEM(ALDAR_C_R_C, 1) { LOAD_CAP(BASE) }
EXEC_MEM(STR_C_RUIB_C, 1) { STORE_CAP(BASE + IMM) }
EXEC_MEM(STUR_C_RI_C, 1) { STORE_CAP(BASE + IMM) }
EXEC_MEM(STTR_C_RIB_C, 1) { STORE_CAP(BASE + IMM) }
EXEC_MEM(ASTR_C_RUI_C, 1) { STORE_CAP(BASE + IMM) }
EXEC_MEM(ASTUR_C_RI_C, 1) { STORE_CAP(BASE + IMM) }
EXEC_MEM(STR_C_RRB_C, 3) { STORE_CAP(BASE + OFFSET) }
EXEC_MEM(ASTR_C_RRB_C, 3) { STORE_CAP(BASE + OFFSET) }
EXEC_MEM(STLR_C_R_C, 1) { STORE_CAP(BASE) }
EXEC_MEM(ASTLR_C_R_C, 1) { STORE_CAP(BASE) }
EXEC_MEM(LDR_C_I_C, 1)
{
    if (!slow) exec_set_pcc_auth(cpu, op);
    LOAD_CAP(IMM)
}

// With write-back: the base may be the register loaded, which then wins.
#define LOAD_CAP_BACK(offset_, when_)                                                                        \
    u64 addr = BASE + (offset_);                                                                             \
    Reg loaded;                                                                                              \
    CHECK_WRITE_BACK(when_, IMM);                                                                            \
    READ_CAP(addr, &loaded);                                                                                 \
    WRITE_BACK(IMM);                                                                                         \
    reg_copy_raw(RD, &loaded);                                                                                 \
    NEXT;
#define STORE_CAP_BACK(offset_, when_)                                                                       \
    u64 addr = BASE + (offset_);                                                                             \
    CHECK_WRITE_BACK(when_, IMM);                                                                            \
    WRITE_CAP(addr, RD);                                                                                     \
    WRITE_BACK(IMM);                                                                                         \
    NEXT;
EXEC_MEM(LDR_C_RIAW_C, 1) { LOAD_CAP_BACK(0, BACK_POST) }
EXEC_MEM(LDR_C_RIBW_C, 1) { LOAD_CAP_BACK(IMM, BACK_PRE) }
EXEC_MEM(STR_C_RIAW_C, 1) { STORE_CAP_BACK(0, BACK_POST) }
EXEC_MEM(STR_C_RIBW_C, 1) { STORE_CAP_BACK(IMM, BACK_PRE) }

// ---- pairs. A load checks all 32 bytes first; a store is two stores, of which the first may be done when the second faults.

// One check for all capabilities of `bytes` at addr: the TLB entry of their page, or NULL. (Neighbouring pages never share an index.)
static ALWAYS_INLINE const MemTlbEntry *fast_range(Cpu *cpu, const Reg *base, u64 addr, u32 bytes, u32 auth, const MemTlbEntry *tlb,
                                                   u32 need)
{
    if (auth != AUTH_NONE) {
        const Reg *r = auth == AUTH_CAP ? base : &cpu->ddc;
        if (UNLIKELY(!(r->kind & need) || addr < r->base || addr + bytes > r->top)) return NULL;
    }
    const MemTlbEntry *e = &tlb[mem_tlb_index(addr)];
    return LIKELY(e->page == ((addr + bytes - 16) & (~(u64)(MEM_PAGE - 1) | 15))) ? e : NULL;
}
static ALWAYS_INLINE void load_half(Reg *d, const u8 *h, const u8 *tag)
{
    d->kind = (u8)(REG_META | *tag);
    d->value = bits_load(h, 8);
    d->meta = bits_load(h + 8, 8);
}
static ALWAYS_INLINE void store_half(const Reg *c, u8 *h, u8 *tag)
{
    u64 value = c->value, meta = reg_meta(c);
    u8 kind = c->kind;
    *tag = kind & REG_TAG;
    bits_store(h, value, 8);
    bits_store(h + 8, meta, 8);
}
COLD static const Op *load_pair_slowly(Cpu *cpu, const Op *op, u64 addr, u32 auth, bool back)
{
    Reg first, second;
    if (!exec_slow_read(cpu, op, RN, addr, 32, auth, 16 | ACCESS_ALIGNED) || !exec_slow_read_cap(cpu, op, RN, addr, auth, &first) ||
        !exec_slow_read_cap(cpu, op, RN, addr + 16, auth, &second))
        return NULL;
    if (back && auth == AUTH_CAP) reg_add(RN, RN, IMM);
    else if (back) SET(RN, RN->value + IMM);
    reg_copy_raw(RD, &first);
    reg_copy_raw(RA, &second);
    return exec_next_slow(cpu, op);
}
#define LOAD_CAP_PAIR(addr_, back_)                                                                          \
    u64 addr = (addr_);                                                                                      \
    if (!slow) return load_pair_slowly(cpu, op, addr, AUTH, (back_));                                        \
    CHECK_WRITE_BACK(back_, IMM);                                                                            \
    const MemTlbEntry *e = fast_range(cpu, RN, addr, 32, AUTH, cpu->tlb.read, REG_LOAD_CAP);                 \
    if (UNLIKELY(!e)) EXEC_FAIL;                                                                             \
    const u8 *h = (const u8 *)(addr + e->addend), *tag = (const u8 *)(e->tags + (addr >> 4));                \
    if (back_) WRITE_BACK(IMM);                                                                              \
    load_half(RD, h, tag);                                                                                   \
    load_half(RA, h + 16, tag + 1);                                                                          \
    NEXT;
#define STORE_CAP_PAIR(addr_, back_)                                                                         \
    u64 addr = (addr_);                                                                                      \
    CHECK_WRITE_BACK(back_, IMM);                                                                            \
    if (slow) {                                                                                              \
        const MemTlbEntry *e = fast_range(cpu, RN, addr, 32, AUTH, cpu->tlb.write, REG_STORE_CAP);           \
        if (UNLIKELY(!e || !e->tags)) EXEC_FAIL;                                                             \
        u8 *h = (u8 *)(addr + e->addend), *tag = (u8 *)(e->tags + (addr >> 4));                              \
        store_half(RD, h, tag);                                                                              \
        store_half(RA, h + 16, tag + 1);                                                                     \
    } else if (!exec_slow_write_cap(cpu, op, RN, addr, AUTH, RD) || !exec_slow_write_cap(cpu, op, RN, addr + 16, AUTH, RA)) { \
        return NULL;                                                                                         \
    }                                                                                                        \
    if (back_) WRITE_BACK(IMM);                                                                              \
    NEXT;
EXEC_MEM(LDP_C_RIB_C, 1) { LOAD_CAP_PAIR(BASE + IMM, BACK_NONE) }
EXEC_MEM(LDNP_C_RIB_C, 1) { LOAD_CAP_PAIR(BASE + IMM, BACK_NONE) }
EXEC_MEM(LDP_C_RIBW_C, 1) { LOAD_CAP_PAIR(BASE + IMM, BACK_PRE) }
EXEC_MEM(LDP_CC_RIAW_C, 1) { LOAD_CAP_PAIR(BASE, BACK_POST) }
EXEC_MEM(STP_C_RIB_C, 1) { STORE_CAP_PAIR(BASE + IMM, BACK_NONE) }
EXEC_MEM(STNP_C_RIB_C, 1) { STORE_CAP_PAIR(BASE + IMM, BACK_NONE) }
EXEC_MEM(STP_C_RIBW_C, 1) { STORE_CAP_PAIR(BASE + IMM, BACK_PRE) }
EXEC_MEM(STP_CC_RIAW_C, 1) { STORE_CAP_PAIR(BASE, BACK_POST) }

// Two of them at neighbouring addresses. `slow` is the plain operation of the first; the second's operation follows.
#define EXEC_TWO_BODY(FIRST, SECOND, plain_1)                                                                \
    EXEC_BODY(TWO_##FIRST##_##SECOND);                                                                       \
    EXEC_TWO_INSTANCE(FIRST, SECOND, 0, ex_##FIRST##_16)                                                     \
    EXEC_TWO_INSTANCE(FIRST, SECOND, 1, plain_1)                                                             \
    EXEC_ROW(TWO_##FIRST##_##SECOND, NULL, ex_TWO_##FIRST##_##SECOND##_0, ex_TWO_##FIRST##_##SECOND##_1)     \
    EXEC_BODY(TWO_##FIRST##_##SECOND)
#define EXEC_TWO_INSTANCE(FIRST, SECOND, i, plain)                                                                  \
    static const Op *ex_TWO_##FIRST##_##SECOND##_##i(Cpu *cpu, const Op *op)                                 \
    {                                                                                                        \
        return body_TWO_##FIRST##_##SECOND(cpu, op, i, plain);                                    \
    }
#define TWO_RANGE(offset_, tlb_, need_)                                                                      \
    u64 addr = RN->value + (offset_);                                                                        \
    const MemTlbEntry *e = fast_range(cpu, RN, addr, 64, AUTH_CAP, (tlb_), (need_));                         \
    if (UNLIKELY(!e)) return slow(cpu, op);                                                                  \
    u32 first = v ? 32 : 0, second = 32 - first;
EXEC_TWO_BODY(LDP_C_RIB_C, LDP_C_RIB_C, ex_LDP_C_RIB_C_16)
{
    const Op *next = op + 1;
    TWO_RANGE((v ? next : op)->imm, cpu->tlb.read, REG_LOAD_CAP)
    const u8 *h = (const u8 *)(addr + e->addend), *tag = (const u8 *)(e->tags + (addr >> 4));
    load_half(RD, h + first, tag + first / 16);
    load_half(RA, h + first + 16, tag + first / 16 + 1);
    load_half(exec_slot(cpu, next->d), h + second, tag + second / 16);
    load_half(exec_slot(cpu, next->a), h + second + 16, tag + second / 16 + 1);
    return NEXT_BEHIND(next);
}
// A function's end: the last registers, then frame and link with the stack pointer going back.
EXEC_TWO_BODY(LDP_C_RIB_C, LDP_CC_RIAW_C, ex_LDP_C_RIB_C_16)
{
    const Op *next = op + 1;
    TWO_RANGE(v ? 0 : op->imm, cpu->tlb.read, REG_LOAD_CAP)
    if (UNLIKELY(!reg_add_is_easy(RN, next->imm))) return slow(cpu, op);
    const u8 *h = (const u8 *)(addr + e->addend), *tag = (const u8 *)(e->tags + (addr >> 4));
    load_half(RD, h + first, tag + first / 16);
    load_half(RA, h + first + 16, tag + first / 16 + 1);
    RN->value += next->imm;
    load_half(exec_slot(cpu, next->d), h + second, tag + second / 16);
    load_half(exec_slot(cpu, next->a), h + second + 16, tag + second / 16 + 1);
    return NEXT_BEHIND(next);
}
EXEC_TWO_BODY(STP_C_RIB_C, STP_C_RIB_C, ex_STP_C_RIB_C_16)
{
    const Op *next = op + 1;
    TWO_RANGE((v ? next : op)->imm, cpu->tlb.write, REG_STORE_CAP)
    if (UNLIKELY(!e->tags)) return slow(cpu, op);
    u8 *h = (u8 *)(addr + e->addend), *tag = (u8 *)(e->tags + (addr >> 4));
    store_half(RD, h + first, tag + first / 16);
    store_half(RA, h + first + 16, tag + first / 16 + 1);
    store_half(exec_slot(cpu, next->d), h + second, tag + second / 16);
    store_half(exec_slot(cpu, next->a), h + second + 16, tag + second / 16 + 1);
    return NEXT_BEHIND(next);
}

// A jump through a table of code capabilities: what an interpreter does for each bytecode.
EXEC_TWO_BODY(LDR_C_RRB_C, BR_C_C, ex_LDR_C_RRB_C_18)
{
    u64 addr = RN->value + (v ? OFFSET_W : OFFSET_X);
    Reg *to = RD;
    if (UNLIKELY(!exec_fast_read_cap(cpu, RN, addr, AUTH_CAP, to))) return slow(cpu, op);
    op++;
    GOTO_LOADED_CAP(to, addr);
}

// ---- tags of four granules; writing them needs EL1

COLD static const Op *load_tags(Cpu *cpu, const Op *op, u32 auth)
{
    if (RN->value & op->x) return exec_base_is_bad(cpu, op, RN), NULL;
    u64 addr = RN->value, tags = 0;
    if (!exec_slow_read(cpu, op, RN, addr, 64, auth, ACCESS_ALIGNED)) return NULL;
    Cap by = reg_to_cap(auth == AUTH_CAP ? RN : &cpu->ddc);
    if (cap_perms(by) & CAP_PERM_LOAD_CAP)
        for (u32 i = 0; i < 4; i++) tags |= (u64)exec_get_tag(cpu, addr + 16 * i, auth) << i;
    SET(RD, tags);
    return exec_next_slow(cpu, op);
}
EXEC_MEM(LDCT_R_R__, 1) { return load_tags(cpu, op, AUTH); }
// One granule after the other: those before a fault are changed. Data stays.
COLD static const Op *store_tags(Cpu *cpu, const Op *op, u32 auth)
{
    if (!cpu->pstate.el) return exec_trap(cpu, op, EV_FAULT_UNDEFINED);
    if (RN->value & op->x) return exec_base_is_bad(cpu, op, RN), NULL;
    u64 addr = RN->value, tags = cpu_may_set_tags(cpu) ? RD->value : 0;
    for (u32 i = 0; i < 4; i++)
        if (!exec_slow_write_tag(cpu, op, RN, addr + 16 * i, auth, tags >> i & 1, addr)) return NULL;
    return exec_next_slow(cpu, op);
}
EXEC_MEM(STCT_R_R__, 1) { return store_tags(cpu, op, AUTH); }

// ---- integers through the alternate base

#define AS_IS(v_)    (v_)
#define SXT_W(t_, v_) ((u64)(u32)(i32)(t_)(v_))
#define SXT_X(t_, v_) ((u64)(i64)(t_)(v_))
#define B_TO_W(v_)   SXT_W(i8, v_)
#define H_TO_W(v_)   SXT_W(i16, v_)
#define B_TO_X(v_)   SXT_X(i8, v_)
#define H_TO_X(v_)   SXT_X(i16, v_)
#define W_TO_X(v_)   SXT_X(i32, v_)
#define LOAD(addr_, bytes_, how_)                                                                            \
    u64 addr = (addr_);                                                                                      \
    const u8 *p = READ(addr, (bytes_));                                                                      \
    u64 value = bits_load(p, (bytes_));                                                                      \
    SET(RD, how_(value));                                                                                    \
    NEXT;
#define STORE(addr_, bytes_)                                                                                 \
    u64 addr = (addr_);                                                                                      \
    WRITE(addr, (bytes_), RD->value, 0);                                                                     \
    NEXT;
EXEC_MEM(ALDR_R_RUI_64, 1) { LOAD(BASE + IMM, 8, AS_IS) }
EXEC_MEM(ALDR_R_RUI_32, 1) { LOAD(BASE + IMM, 4, AS_IS) }
EXEC_MEM(ALDRB_R_RUI_B, 1) { LOAD(BASE + IMM, 1, AS_IS) }
EXEC_MEM(ALDUR_R_RI_64, 1) { LOAD(BASE + IMM, 8, AS_IS) }
EXEC_MEM(ALDUR_R_RI_32, 1) { LOAD(BASE + IMM, 4, AS_IS) }
EXEC_MEM(ALDURB_R_RI_32, 1) { LOAD(BASE + IMM, 1, AS_IS) }
EXEC_MEM(ALDURH_R_RI_32, 1) { LOAD(BASE + IMM, 2, AS_IS) }
EXEC_MEM(ALDURSB_R_RI_32, 1) { LOAD(BASE + IMM, 1, B_TO_W) }
EXEC_MEM(ALDURSB_R_RI_64, 1) { LOAD(BASE + IMM, 1, B_TO_X) }
EXEC_MEM(ALDURSH_R_RI_32, 1) { LOAD(BASE + IMM, 2, H_TO_W) }
EXEC_MEM(ALDURSH_R_RI_64, 1) { LOAD(BASE + IMM, 2, H_TO_X) }
EXEC_MEM(ALDURSW_R_RI_64, 1) { LOAD(BASE + IMM, 4, W_TO_X) }
EXEC_MEM(ALDR_R_RRB_64, 3) { LOAD(BASE + OFFSET, 8, AS_IS) }
EXEC_MEM(ALDR_R_RRB_32, 3) { LOAD(BASE + OFFSET, 4, AS_IS) }
EXEC_MEM(ALDRB_R_RRB_B, 3) { LOAD(BASE + OFFSET, 1, AS_IS) }
EXEC_MEM(ALDRH_R_RRB_32, 3) { LOAD(BASE + OFFSET, 2, AS_IS) }
EXEC_MEM(ALDRSB_R_RRB_32, 3) { LOAD(BASE + OFFSET, 1, B_TO_W) }
EXEC_MEM(ALDRSB_R_RRB_64, 3) { LOAD(BASE + OFFSET, 1, B_TO_X) }
EXEC_MEM(ALDRSH_R_RRB_32, 3) { LOAD(BASE + OFFSET, 2, H_TO_W) }
EXEC_MEM(ALDRSH_R_RRB_64, 3) { LOAD(BASE + OFFSET, 2, H_TO_X) }
EXEC_MEM(ASTR_R_RUI_64, 1) { STORE(BASE + IMM, 8) }
EXEC_MEM(ASTR_R_RUI_32, 1) { STORE(BASE + IMM, 4) }
EXEC_MEM(ASTRB_R_RUI_B, 1) { STORE(BASE + IMM, 1) }
EXEC_MEM(ASTUR_R_RI_64, 1) { STORE(BASE + IMM, 8) }
EXEC_MEM(ASTUR_R_RI_32, 1) { STORE(BASE + IMM, 4) }
EXEC_MEM(ASTURB_R_RI_32, 1) { STORE(BASE + IMM, 1) }
EXEC_MEM(ASTURH_R_RI_32, 1) { STORE(BASE + IMM, 2) }
EXEC_MEM(ASTR_R_RRB_64, 3) { STORE(BASE + OFFSET, 8) }
EXEC_MEM(ASTR_R_RRB_32, 3) { STORE(BASE + OFFSET, 4) }
EXEC_MEM(ASTRB_R_RRB_B, 3) { STORE(BASE + OFFSET, 1) }
EXEC_MEM(ASTRH_R_RRB_32, 3) { STORE(BASE + OFFSET, 2) }
// Ordered ones are always aligned.
EXEC_MEM(ALDAR_R_R_32, 1)
{
    if (slow) return slow(cpu, op);
    u64 addr = BASE;
    SET(RD, bits_load(READ_FLAGS(addr, 4, ACCESS_ALIGNED), 4));
    NEXT;
}
EXEC_MEM(ALDARB_R_R_B, 1) { LOAD(BASE, 1, AS_IS) }
EXEC_MEM(ASTLR_R_R_32, 1)
{
    if (slow) return slow(cpu, op);
    u64 addr = BASE;
    WRITE_FLAGS(addr, 4, RD->value, 0, ACCESS_ALIGNED);
    NEXT;
}
EXEC_MEM(ASTLRB_R_R_B, 1) { STORE(BASE, 1) }

// ---- vector registers through the alternate base: a row has one size, and K is 0

#define V_OFFSET ((op->aux & 2 ? RM->value : (((u64)(u32)RM->value) ^ op->aux) - op->aux) << op->imm)
#define V_LOAD(addr_, bytes_)                                                                                \
    u64 addr = (addr_), *d = (u64 *)(void *)((char *)cpu + op->d);                                                   \
    const u8 *p = READ(addr, (bytes_));                                                                      \
    d[0] = bits_load(p, (bytes_) > 8 ? 8 : (bytes_));                                                        \
    d[1] = (bytes_) > 8 ? bits_load(p + 8, 8) : 0;                                                           \
    NEXT;
#define V_STORE(addr_, bytes_)                                                                               \
    u64 addr = (addr_);                                                                                      \
    const u64 *d = (const u64 *)(const void *)((const char *)cpu + op->d);                                                 \
    WRITE(addr, (bytes_), d[0], d[1]);                                                                       \
    NEXT;
EXEC_MEM(ALDUR_V_RI_B, 1) { V_LOAD(BASE + IMM, 1) }
EXEC_MEM(ALDUR_V_RI_H, 1) { V_LOAD(BASE + IMM, 2) }
EXEC_MEM(ALDUR_V_RI_S, 1) { V_LOAD(BASE + IMM, 4) }
EXEC_MEM(ALDUR_V_RI_D, 1) { V_LOAD(BASE + IMM, 8) }
EXEC_MEM(ALDUR_V_RI_Q, 1) { V_LOAD(BASE + IMM, 16) }
EXEC_MEM(ALDR_V_RRB_S, 1) { V_LOAD(BASE + V_OFFSET, 4) }
EXEC_MEM(ALDR_V_RRB_D, 1) { V_LOAD(BASE + V_OFFSET, 8) }
EXEC_MEM(ASTUR_V_RI_B, 1) { V_STORE(BASE + IMM, 1) }
EXEC_MEM(ASTUR_V_RI_H, 1) { V_STORE(BASE + IMM, 2) }
EXEC_MEM(ASTUR_V_RI_S, 1) { V_STORE(BASE + IMM, 4) }
EXEC_MEM(ASTUR_V_RI_D, 1) { V_STORE(BASE + IMM, 8) }
EXEC_MEM(ASTUR_V_RI_Q, 1) { V_STORE(BASE + IMM, 16) }
EXEC_MEM(ASTR_V_RRB_S, 1) { V_STORE(BASE + V_OFFSET, 4) }
EXEC_MEM(ASTR_V_RRB_D, 1) { V_STORE(BASE + V_OFFSET, 8) }
