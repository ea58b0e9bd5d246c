// exec_morello_branch.c: branches to capabilities. GOTO_CAP looks for value and upper word in a cache of blocks; a branch taken
// before costs a few compares, whatever its bounds and seal. The sealed-pair, Restricted and memory-indirect ones are rare: cold.
//
// A bad target does not fault here: it loses its tag, and the fetch faults.
#include "sim/exec.h"

EXEC(BR_C_C) { GOTO_CAP(RN); }
EXEC(RET_C_C) { GOTO_CAP(RN); }
EXEC(BLR_C_C) { CALL_CAP(RN); }

static bool is_restricted(const Cpu *cpu) { return cpu->mode & MODE_RESTRICTED; }

// From Executive only BRR, BLRR and RETR get to Restricted.
static Cap keep_executive(const Cpu *cpu, Cap target)
{
    if (!is_restricted(cpu) && !(cap_perms(target) & CAP_PERM_EXECUTIVE)) target.tag = false;
    return target;
}
// An RB seal is opened; with CCTLR.SBL anything else is refused.
static Cap open_return(const Cpu *cpu, Cap target)
{
    if (target.tag && cap_otype(target) == CAP_OTYPE_RB) return cap_unseal(target);
    if (cpu->mode & MODE_SBL) target.tag = false;
    return target;
}

// ---- to Restricted

COLD static const Op *branch_to_restricted(Cpu *cpu, const Op *op, bool links)
{
    if (is_restricted(cpu)) return exec_trap(cpu, op, EV_FAULT_UNDEFINED);
    Cap target = open_return(cpu, reg_to_cap(RN));
    if (links) cpu->r[30] = op->block->lr;
    return exec_jump_restricted(cpu, target, NULL);
}
EXEC(BRR_C_C) { return branch_to_restricted(cpu, op, false); }
EXEC(RETR_C_C) { return branch_to_restricted(cpu, op, false); }
EXEC(BLRR_C_C) { return branch_to_restricted(cpu, op, true); }

// ---- with a check of the seal

COLD static const Op *branch_sealed(Cpu *cpu, const Op *op, bool links)
{
    Cap target = open_return(cpu, keep_executive(cpu, reg_to_cap(RN)));
    if (links) cpu->r[30] = op->block->lr;
    return exec_jump_restricted(cpu, target, NULL);
}
EXEC(BRS_C_C) { return branch_sealed(cpu, op, false); }
EXEC(RETS_C_C) { return branch_sealed(cpu, op, false); }
EXEC(BLRS_C_C) { return branch_sealed(cpu, op, true); }

// Code and data sealed with the same type: both are opened, the data goes to C29.
static bool is_sealed_pair(Cap code, Cap data)
{
    u32 pair = CAP_PERM_BRANCH_SEALED_PAIR;
    return code.tag && data.tag && cap_otype(code) > CAP_OTYPE_LB && cap_otype(code) == cap_otype(data) &&
           (cap_perms(code) & pair) && (cap_perms(data) & pair) && (cap_perms(code) & CAP_PERM_EXECUTE) &&
           !(cap_perms(data) & CAP_PERM_EXECUTE);
}
COLD static const Op *branch_sealed_pair(Cpu *cpu, const Op *op, bool links)
{
    Cap code = keep_executive(cpu, reg_to_cap(RN)), data = reg_to_cap(RM);
    if (is_sealed_pair(code, data)) {
        code = cap_unseal(code);
        data = cap_unseal(data);
    } else {
        code.tag = false;
    }
    cpu->r[29] = reg_from_cap(data);
    if (links) cpu->r[30] = op->block->lr;
    return exec_jump_restricted(cpu, code, NULL);
}
EXEC(BRS_C_C_C) { return branch_sealed_pair(cpu, op, false); }
EXEC(RETS_C_C_C) { return branch_sealed_pair(cpu, op, false); }
EXEC(BLRS_C_C_C) { return branch_sealed_pair(cpu, op, true); }

// ---- through memory

// The base, in a register of its own: opened, if C29 is sealed for this use. (A fault may change the banks of registers, so nothing is
// put back afterwards.)
static Reg *open_base(Cpu *cpu, const Op *op, bool is_for_this, u32 otype)
{
    Cap base = reg_to_cap(RN);
    if (is_for_this && base.tag && cap_otype(base) == otype) base = cap_unseal(base);
    cpu->opened = reg_from_cap(base);
    cpu->opened_for = RN;
    return &cpu->opened;
}

// The target at [Cn + imm]; C29 as base ends up opened if it was sealed LB.
COLD static const Op *branch_indirect(Cpu *cpu, const Op *op, bool links)
{
    if (RN->value & op->x) return exec_base_is_bad(cpu, op, RN), NULL;
    bool is_c29 = RN == &cpu->r[29];
    Reg *base = open_base(cpu, op, is_c29, CAP_OTYPE_LB);
    if (is_c29) cpu->r[29] = *base; // even if the load faults
    if (!exec_slow_read_cap(cpu, op, base, base->value + (u64)(i64)(i32)op->aux, AUTH_CAP, &cpu->branch_target)) return NULL;
    if (links) cpu->r[30] = op->block->lr;
    return exec_jump_to(cpu, reg_to_cap(&cpu->branch_target), NULL);
}
EXEC_MEM(BR_CI_C, 1) { return branch_indirect(cpu, op, false); }
EXEC_MEM(BLR_CI_C, 1) { return branch_indirect(cpu, op, true); }

// Data and target at [Cn]; with C29 as the data register a base sealed LPB is opened for the loads.
COLD static const Op *branch_loaded_pair(Cpu *cpu, const Op *op, bool links)
{
    if (RN->value & op->x) return exec_base_is_bad(cpu, op, RN), NULL;
    Reg *base = open_base(cpu, op, RD == &cpu->r[29], CAP_OTYPE_LPB), data;
    u64 at = base->value;
    if (!exec_slow_read(cpu, op, base, at, 32, AUTH_CAP, 16 | ACCESS_ALIGNED) || !exec_slow_read_cap(cpu, op, base, at, AUTH_CAP, &data) ||
        !exec_slow_read_cap(cpu, op, base, at + 16, AUTH_CAP, &cpu->branch_target))
        return NULL;
    if (links) cpu->r[30] = op->block->lr;
    *RD = data;
    return exec_jump_to(cpu, reg_to_cap(&cpu->branch_target), NULL);
}
EXEC_MEM(LDPBR_C_C_C, 1) { return branch_loaded_pair(cpu, op, false); }
EXEC_MEM(LDPBLR_C_C_C, 1) { return branch_loaded_pair(cpu, op, true); }

// ---- the other state

COLD static const Op *exchange(Cpu *cpu, const Op *op)
{
    Cap pcc = {.value = op_pc(op), .meta = cpu->context->meta, .tag = cpu->context->tag};
    pcc = cap_add(pcc, 4);
    pcc.value |= !(cpu->mode & MODE_C64);
    return exec_jump_restricted(cpu, pcc, NULL);
}
EXEC(BX___C) { return exchange(cpu, op); }
