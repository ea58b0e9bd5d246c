// exec_branch.c: branches and addresses of labels. Direct branches follow the links of their block; indirect ones look in the
// jump cache.
#include "sim/exec.h"

EXEC(B) { GOTO(0); }
EXEC(BL)
{
    reg_copy_raw(&cpu->r[30], &op->block->lr);
    GOTO(0);
}
EXEC_V(B_COND, 16)
{
    if (flags_cond(cpu, v)) GOTO(0);
    GOTO(1);
}

// A compare with the branch behind it as one operation (block.c puts them together). v = sf + 2 * cond; the immediate is in aux.
static ALWAYS_INLINE const Op *branch_if(Cpu *cpu, const Op *op, bool holds)
{
    if (holds) GOTO(0);
    GOTO(1);
}
#define FUSED_SUB(b_)                                                                                        \
    u64 a = SRC(RN), b = (b_), r = a - b;                                                                    \
    flags_sub(cpu, a, b, r, SF);                                                                             \
    SET_SF(RD, r);                                                                                           \
    return branch_if(cpu, op, flags_cond(cpu, v >> 1));
EXEC_V(FUSED_SUBS_I, 32) { FUSED_SUB(op->aux) }
EXEC_V(FUSED_SUBS_SR, 32) { FUSED_SUB(SRC(RM)) }
EXEC_V(FUSED_ANDS_I, 32)
{
    u64 r = SRC(RN) & op->aux;
    flags_logic(cpu, r, SF);
    SET(RD, r);
    return branch_if(cpu, op, flags_cond(cpu, v >> 1));
}

EXEC_SF(CBZ)
{
    if (SRC(RN) == 0) GOTO(0);
    GOTO(1);
}
EXEC_SF(CBNZ)
{
    if (SRC(RN) != 0) GOTO(0);
    GOTO(1);
}
EXEC(TBZ)
{
    if (!(RN->value >> op->x & 1)) GOTO(0);
    GOTO(1);
}
EXEC(TBNZ)
{
    if (RN->value >> op->x & 1) GOTO(0);
    GOTO(1);
}
// v = 1: CCTLR.PCCBO: addresses are relative to PCC's base
EXEC_V(BR, 2) { GOTO_X(RN->value + (v ? cpu->context->base : 0)); }
EXEC_V(RET, 2) { GOTO_X(RN->value + (v ? cpu->context->base : 0)); }
EXEC_V(BLR, 2)
{
    u64 target = RN->value + (v ? cpu->context->base : 0);
    reg_copy(&cpu->r[30], &op->block->lr);
    GOTO_X(target);
}

// v = 0: an address; 1: a capability made at decode time; 2: ADRDP
EXEC_V(ADR, 2)
{
    if (v) reg_copy(RD, op->reg);
    else SET(RD, IMM);
    NEXT;
}
COLD static const Op *add_data_page(Cpu *cpu, const Op *op)
{
    reg_add(RD, RN, (RN->value & ~0xfffULL) + IMM - RN->value);
    return op + 1;
}
EXEC_V(ADRP, 4)
{
    if (v == 0) SET(RD, IMM);
    else if (v == 1) reg_copy(RD, op->reg);
    else return add_data_page(cpu, op);
    NEXT;
}
