// exec_sys.c: exceptions, barriers, hints, system registers and the operations under SYS. Who may access which register, and what it
// holds, is sysreg.c's.
#include "sim/exception.h"
#include "sim/exec.h"
#include "sim/sysreg.h"

EXEC(UDF) { return exec_trap(cpu, op, EV_FAULT_UNDEFINED); }
EXEC(BRK) { return exec_trap(cpu, op, EV_FAULT_BREAK); }
EXEC(HLT) { return exec_trap(cpu, op, EV_FAULT_UNDEFINED); }
EXEC(SVC) { return exec_svc(cpu, op); }

// Calls to EL2 and EL3 return behind the instruction, which has retired.
COLD static const Op *call_level(Cpu *cpu, const Op *op, u32 el, u32 ec)
{
    exec_sync(cpu, op, op->insn + 1u);
    exc_take(cpu, &(Exception){.el = el, .esr = (u64)ec << 26 | 1 << 25 | (op->imm & 0xffff), .back = cpu->pc});
    return NULL;
}
COLD static const Op *hypervisor_call(Cpu *cpu, const Op *op)
{
    u32 el = cpu->pstate.el;
    bool is_secure = el < 3 && !cpu_is_el2_on(cpu);
    if (!cpu->is_bare || !el || is_secure || !(cpu->sys[SYS_SCR_EL3] & SCR_HCE)) return exec_trap(cpu, op, EV_FAULT_UNDEFINED);
    return call_level(cpu, op, el == 3 ? 3 : 2, EC_HVC);
}
COLD static const Op *monitor_call(Cpu *cpu, const Op *op)
{
    u32 el = cpu->pstate.el;
    if (!cpu->is_bare || !el) return exec_trap(cpu, op, EV_FAULT_UNDEFINED);
    if (el == 1 && cpu_is_el2_on(cpu) && cpu->sys[SYS_HCR_EL2] & HCR_TSC) return exec_trap_to(cpu, op, EV_FAULT_SMC_TRAP, 2);
    if (cpu->sys[SYS_SCR_EL3] & SCR_SMD) return exec_trap(cpu, op, EV_FAULT_UNDEFINED);
    return call_level(cpu, op, 3, EC_SMC);
}
EXEC(HVC) { return hypervisor_call(cpu, op); }
EXEC(SMC) { return monitor_call(cpu, op); }
COLD static const Op *exception_return(Cpu *cpu, const Op *op)
{
    if (!cpu->is_bare || !cpu->pstate.el) return exec_trap(cpu, op, EV_FAULT_UNDEFINED);
    exec_sync(cpu, op, op->insn + 1u);
    cpu->pc -= 4;
    exc_return(cpu);
    return NULL;
}

EXEC(ERET) { return exception_return(cpu, op); }

EXEC(HINT) { NEXT; }
EXEC(DSB) { NEXT; }
EXEC(DMB) { NEXT; }
EXEC(ISB) { NEXT; }
EXEC(CLREX)
{
    cpu->monitor_addr = ~0ULL;
    cpu->monitor_size = 0;
    NEXT;
}

// ---- registers; op->aux: which, op->imm: its key

// Numbers that no register has: those of an implementation (CRn 11 and 15) may be trapped, the others are UNDEFINED.
static SysDenied check_unknown(const Cpu *cpu, u64 key)
{
    u32 crn = key >> 7 & 15;
    bool is_own = key >> 14 & 1 && (crn == 11 || crn == 15);
    if (is_own && cpu->pstate.el < 2 && cpu_is_el2_on(cpu) && cpu->sys[SYS_HCR_EL2] & HCR_TIDCP) return (SysDenied){EV_FAULT_SYSTEM, 2};
    return (SysDenied){EV_FAULT_UNDEFINED, 0};
}

COLD static const Op *access_sysreg(Cpu *cpu, const Op *op, bool is_write)
{
    SysDenied no = op->aux == SYS_COUNT ? check_unknown(cpu, op->imm) : sys_check(cpu, (SysReg)op->aux, is_write);
    if (no.kind) return exec_trap_to(cpu, op, no.kind, no.el);
    if (!is_write) {
        cpu->icount = exec_icount(cpu, op);
        reg_set_x(RD, sys_read(cpu, (SysReg)op->aux));
        return op + 1;
    }
    const CpuContext *before = cpu->context;
    cpu->pc = op_pc(op); // a change of the mode word makes a new context from it
    sys_write(cpu, (SysReg)op->aux, RN->value);
    return cpu->context == before ? op + 1 : exec_leave_after(cpu, op);
}
EXEC(MRS) { return access_sysreg(cpu, op, false); }
EXEC(MSR_R) { return access_sysreg(cpu, op, true); }

COLD static const Op *access_cap_reg(Cpu *cpu, const Op *op, bool is_write)
{
    SysDenied no = op->aux == SYS_COUNT ? (SysDenied){EV_FAULT_UNDEFINED, 0} : sys_check(cpu, (SysReg)op->aux, is_write);
    Reg *at = no.kind ? NULL : sys_cap(cpu, (SysReg)op->aux);
    if (!at) return exec_trap_to(cpu, op, no.kind ? no.kind : EV_FAULT_UNDEFINED, no.el);
    if (!is_write) {
        *RD = *at;
        return op + 1;
    }
    *at = *RN;
    if (at != &cpu->ddc) return op + 1;
    cpu->pc = op_pc(op);
    cpu_refresh_mode(cpu);
    return exec_leave_after(cpu, op);
}
EXEC(MRS_C_I_C) { return access_cap_reg(cpu, op, false); }
EXEC(MSR_C_I_C) { return access_cap_reg(cpu, op, true); }

// ---- MSR of a PSTATE field; the key is 0 op1 0 CRm op2 (CRn is part of the pattern)

#define KEY(o0, op1, crn, crm, op2) ((o0) << 14 | (op1) << 11 | (crn) << 7 | (crm) << 3 | (op2))

typedef struct PstateField {
    u32 key;
    SysReg same_rule; // the register whose write has the same access rule
} PstateField;
enum { FIELD_UAO = KEY(0, 0, 0, 0, 3), FIELD_PAN = KEY(0, 0, 0, 0, 4), FIELD_SPSEL = KEY(0, 0, 0, 0, 5), FIELD_SSBS = KEY(0, 3, 0, 0, 1),
       FIELD_DIT = KEY(0, 3, 0, 0, 2), FIELD_TCO = KEY(0, 3, 0, 0, 4), FIELD_DAIFSET = KEY(0, 3, 0, 0, 6), FIELD_DAIFCLR = KEY(0, 3, 0, 0, 7) };
static const PstateField s_fields[] = {
    {FIELD_UAO, SYS_UAO}, {FIELD_PAN, SYS_PAN}, {FIELD_SPSEL, SYS_SPSEL}, {FIELD_SSBS, SYS_SSBS},
    {FIELD_TCO, SYS_TCO}, {FIELD_DAIFSET, SYS_DAIF}, {FIELD_DAIFCLR, SYS_DAIF},
};

COLD static const Op *write_field(Cpu *cpu, const Op *op)
{
    u32 which = (u32)op->imm & ~(15U << 3), v = op->imm >> 3 & 15;
    const PstateField *f = NULL;
    for (u32 i = 0; i < ARRAY_LEN(s_fields); i++)
        if (s_fields[i].key == which) f = &s_fields[i];
    SysDenied no = f ? sys_check(cpu, f->same_rule, true) : (SysDenied){EV_FAULT_UNDEFINED, 0};
    if (no.kind) return exec_trap_to(cpu, op, no.kind, no.el);
    CpuPstate p = cpu->pstate;
    switch (which) {
    case FIELD_UAO: p.uao = v & 1; break;
    case FIELD_PAN: p.pan = v & 1; break;
    case FIELD_SPSEL: p.sp = v & 1; break;
    case FIELD_SSBS: cpu->ssbs = v & 1; break;
    case FIELD_TCO: cpu->tco = v & 1; break;
    case FIELD_DAIFSET: p.daif |= (u8)v; break;
    default: p.daif &= (u8)~v; break;
    }
    cpu->pc = op_pc(op);
    cpu_set_pstate(cpu, p);
    return exec_leave_after(cpu, op);
}
EXEC(MSR_I) { return write_field(cpu, op); }

// ---- SYS: maintenance of caches and translations, zeroing

enum { ZVA_BYTES = 64 };

// Checks [addr, addr + 64) for a maintenance operation by one read or (for ZVA, IVAC) write.
COLD static const Op *maintain(Cpu *cpu, const Op *op, SysAction what)
{
    static const u8 zeros[ZVA_BYTES];
    bool is_cap = cpu->mode & MODE_C64;
    Reg *base = RN;
    u64 addr = base->value & ~(u64)(ZVA_BYTES - 1);
    u32 auth = is_cap ? AUTH_CAP : AUTH_DDC;
    if (what == SYS_ACTION_DC_ZVA) {
        if (!exec_slow_write_bytes(cpu, op, base, addr, ZVA_BYTES, auth, 1, zeros)) return NULL;
        cpu->folded.stores++;
    } else if (what == SYS_ACTION_DC_IVAC) {
        if (!exec_check_write(cpu, op, base, addr, ZVA_BYTES, auth, 1 | ACCESS_MAINTENANCE)) return NULL;
    } else if (!exec_slow_read(cpu, op, base, addr, ZVA_BYTES, auth, 1 | ACCESS_MAINTENANCE)) {
        return NULL;
    }
    return exec_next_slow(cpu, op);
}

COLD static const Op *operate(Cpu *cpu, const Op *op)
{
    SysDenied no = op->aux == SYS_OP_COUNT ? check_unknown(cpu, op->imm) : sys_check_op(cpu, op->aux);
    if (no.kind) return exec_trap_to(cpu, op, no.kind, no.el);
    SysAction what = sys_action(op->aux);
    switch (what) {
    case SYS_ACTION_NOTHING: break;
    case SYS_ACTION_IC_ALL: cpu_flush_blocks(cpu); break;
    case SYS_ACTION_TLBI: mem_tlb_flush(cpu->mem), cpu_flush_blocks(cpu); break;
    case SYS_ACTION_DC_VA: case SYS_ACTION_IC_VA: case SYS_ACTION_DC_IVAC: case SYS_ACTION_DC_ZVA: return maintain(cpu, op, what);
    case SYS_ACTION_DC_GVA: case SYS_ACTION_DC_GZVA: case SYS_ACTION_AT: return exec_trap(cpu, op, EV_FAULT_UNIMPLEMENTED);
    }
    return exec_next_slow(cpu, op);
}
EXEC(SYS) { return operate(cpu, op); }
EXEC(SYSL) { return exec_trap(cpu, op, EV_FAULT_UNDEFINED); }
