// exec_sys.c: exceptions, barriers, hints and system registers as EL0 sees them.
//
// A system register is one row of s_regs: its encoding and how it reads and writes. What is not there traps (EV_FAULT_SYSTEM), as
// EL0 accesses to EL1 registers do.
#include "sim/exec.h"
#include "sim/fp.h"

EXEC(UDF) { return exec_trap(cpu, op, EV_FAULT_UNDEFINED); }
EXEC(HVC) { return exec_trap(cpu, op, EV_FAULT_UNDEFINED); }
EXEC(SMC) { return exec_trap(cpu, op, EV_FAULT_UNDEFINED); }
EXEC(HLT) { return exec_trap(cpu, op, EV_FAULT_UNDEFINED); }
EXEC(ERET) { return exec_trap(cpu, op, EV_FAULT_UNDEFINED); }
EXEC(BRK) { return exec_trap(cpu, op, EV_FAULT_BREAK); }
EXEC(SVC) { return exec_svc(cpu, op); }

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

// ---- registers; the key is o0:op1:CRn:CRm:op2

#define KEY(o0, op1, crn, crm, op2) ((o0) << 14 | (op1) << 11 | (crn) << 7 | (crm) << 3 | (op2))

// Executive's bank of SP and DDC is in use, or Restricted's.
static bool is_restricted(const Cpu *cpu) { return cpu->mode & MODE_RESTRICTED; }
static Reg *thread_pointer(Cpu *cpu) { return is_restricted(cpu) ? &cpu->rtpidr : &cpu->tpidr; }

static u64 read_nzcv(Cpu *cpu) { return (u64)flags_get(cpu) << 28; }
static void write_nzcv(Cpu *cpu, u64 v) { flags_set(cpu, v >> 28 & 15); }
static u64 read_fpcr(Cpu *cpu) { return cpu->fpcr; }
static void write_fpcr(Cpu *cpu, u64 v) { cpu_set_fpcr(cpu, (u32)v); }
static u64 read_fpsr(Cpu *cpu) { return fp_fold(cpu), cpu->fpsr; }
static void write_fpsr(Cpu *cpu, u64 v) { fp_forget(), cpu->fpsr = (u32)v & 0x0800009f; }
static u64 read_tpidr(Cpu *cpu) { return thread_pointer(cpu)->value; }
static void write_tpidr(Cpu *cpu, u64 v) { reg_set_x(thread_pointer(cpu), v); }
static u64 read_tpidrro(Cpu *cpu) { return cpu->tpidrro.value; }
static u64 read_rtpidr(Cpu *cpu) { return cpu->rtpidr.value; }
static void write_rtpidr(Cpu *cpu, u64 v) { reg_set_x(&cpu->rtpidr, v); }
static u64 read_rsp(Cpu *cpu) { return cpu->other_sp.value; }
static void write_rsp(Cpu *cpu, u64 v) { reg_set_x(&cpu->other_sp, v); }
static u64 read_cctlr(Cpu *cpu) { return cpu->cctlr; }
static void write_cctlr(Cpu *cpu, u64 v) { cpu_set_cctlr(cpu, v & 0xff); }
static u64 read_cntvct(Cpu *cpu) { return cpu->icount; } // one instruction is one nanosecond
static u64 read_cntfrq(Cpu *cpu) { return (void)cpu, 1000000000; }
static u64 read_ctr(Cpu *cpu) { return (void)cpu, 0x8444c004; } // 64-byte lines
static u64 read_dczid(Cpu *cpu) { return (void)cpu, 4; }        // DC ZVA of 64 bytes
static u64 read_ssbs(Cpu *cpu) { return (u64)cpu->ssbs << 12; }
static void write_ssbs(Cpu *cpu, u64 v) { cpu->ssbs = v >> 12 & 1; }
static u64 read_tco(Cpu *cpu) { return (u64)cpu->tco << 25; }
static void write_tco(Cpu *cpu, u64 v) { cpu->tco = v >> 25 & 1; }

enum { NEEDS_SYSTEM = 1, NOT_RESTRICTED = 2 }; // PCC must have System; UNDEFINED in Restricted
typedef struct SysReg {
    u32 key, rules;
    u64 (*read)(Cpu *cpu);          // NULL = write-only
    void (*write)(Cpu *cpu, u64 v); // NULL = read-only
} SysReg;

static const SysReg s_regs[] = {
    {KEY(1, 3, 4, 2, 0), 0, read_nzcv, write_nzcv},
    {KEY(1, 3, 4, 4, 0), 0, read_fpcr, write_fpcr},
    {KEY(1, 3, 4, 4, 1), 0, read_fpsr, write_fpsr},
    {KEY(1, 3, 13, 0, 2), 0, read_tpidr, write_tpidr},
    {KEY(1, 3, 13, 0, 3), 0, read_tpidrro, NULL},
    {KEY(1, 3, 13, 0, 4), NOT_RESTRICTED, read_rtpidr, write_rtpidr},
    {KEY(1, 7, 4, 1, 3), NOT_RESTRICTED, read_rsp, write_rsp}, // RSP_EL0
    {KEY(1, 3, 1, 2, 2), NEEDS_SYSTEM, read_cctlr, write_cctlr},
    {KEY(1, 3, 14, 0, 2), 0, read_cntvct, NULL},
    {KEY(1, 3, 14, 0, 1), 0, read_cntvct, NULL}, // CNTPCT
    {KEY(1, 3, 14, 0, 0), 0, read_cntfrq, NULL},
    {KEY(1, 3, 0, 0, 1), 0, read_ctr, NULL},
    {KEY(1, 3, 0, 0, 7), 0, read_dczid, NULL},
    {KEY(1, 3, 4, 2, 6), 0, read_ssbs, write_ssbs},
    {KEY(1, 3, 4, 2, 7), 0, read_tco, write_tco},
};

// Why the access is refused, or EV_FAULT_NONE.
static EvFaultKind check_rules(const Cpu *cpu, u32 rules)
{
    Cap pcc = {.meta = cpu->context->meta};
    if (rules & NOT_RESTRICTED && is_restricted(cpu)) return EV_FAULT_UNDEFINED;
    if (rules & NEEDS_SYSTEM && !(cap_perms(pcc) & CAP_PERM_SYSTEM)) return EV_FAULT_SYSTEM;
    return EV_FAULT_NONE;
}

static const SysReg *find(u64 key)
{
    for (u32 i = 0; i < ARRAY_LEN(s_regs); i++)
        if (s_regs[i].key == key) return &s_regs[i];
    return NULL;
}

COLD static const Op *read_sysreg(Cpu *cpu, const Op *op)
{
    const SysReg *r = find(op->imm);
    EvFaultKind no = r && r->read ? check_rules(cpu, r->rules) : EV_FAULT_SYSTEM;
    if (no) return exec_trap(cpu, op, no);
    cpu->icount = exec_icount(cpu, op);
    reg_set_x(RD, r->read(cpu));
    return op + 1;
}
COLD static const Op *write_sysreg(Cpu *cpu, const Op *op)
{
    const SysReg *r = find(op->imm);
    EvFaultKind no = r && r->write ? check_rules(cpu, r->rules) : EV_FAULT_SYSTEM;
    if (no) return exec_trap(cpu, op, no);
    const CpuContext *before = cpu->context;
    cpu->pc = op_pc(op); // a change of the mode word makes a new context from it
    r->write(cpu, RN->value);
    return cpu->context == before ? op + 1 : exec_leave_after(cpu, op);
}
EXEC(MRS) { return read_sysreg(cpu, op); }
EXEC(MSR_R) { return write_sysreg(cpu, op); }

// ---- capability registers

typedef struct CapReg {
    u32 key, rules;
    bool is_read_only;
    size_t offset; // in Cpu; 0 = the thread pointer of the bank
} CapReg;
static const CapReg s_cap_regs[] = {
    {KEY(1, 3, 4, 1, 1), 0, false, offsetof(Cpu, ddc)},                    // DDC
    {KEY(1, 3, 4, 3, 1), NOT_RESTRICTED, false, offsetof(Cpu, other_ddc)}, // RDDC_EL0
    {KEY(1, 7, 4, 1, 3), NOT_RESTRICTED, false, offsetof(Cpu, other_sp)},  // RCSP_EL0
    {KEY(1, 3, 13, 0, 2), 0, false, 0},                                    // CTPIDR_EL0
    {KEY(1, 3, 13, 0, 3), 0, true, offsetof(Cpu, tpidrro)},                // CTPIDRRO_EL0
    {KEY(1, 3, 13, 0, 4), NOT_RESTRICTED, false, offsetof(Cpu, rtpidr)},   // RCTPIDR_EL0
    {KEY(1, 3, 13, 0, 7), 0, false, offsetof(Cpu, cid)},                   // CID_EL0
};

COLD static const Op *access_cap_reg(Cpu *cpu, const Op *op, bool is_write)
{
    const CapReg *r = NULL;
    for (u32 i = 0; i < ARRAY_LEN(s_cap_regs); i++)
        if (s_cap_regs[i].key == op->imm) r = &s_cap_regs[i];
    EvFaultKind no = r && !(is_write && r->is_read_only) ? check_rules(cpu, r->rules) : EV_FAULT_UNDEFINED;
    if (no) return exec_trap(cpu, op, no);
    Reg *at = r->offset ? (Reg *)(void *)((char *)cpu + r->offset) : thread_pointer(cpu);
    if (!is_write) {
        *RD = *at;
        return op + 1;
    }
    *at = *RN;
    if (at != &cpu->ddc) return op + 1;
    cpu->pc = op_pc(op);
    cpu_ddc_changed(cpu);
    return exec_leave_after(cpu, op);
}
EXEC(MRS_C_I_C) { return access_cap_reg(cpu, op, false); }
EXEC(MSR_C_I_C) { return access_cap_reg(cpu, op, true); }

// MSR of a PSTATE field (key: 0 op1 0 CRm op2; CRn is part of the pattern): at EL0 only SSBS and TCO.
EXEC(MSR_I)
{
    u64 which = op->imm & ~(15ULL << 3);
    if (which == KEY(0, 3, 0, 0, 1)) cpu->ssbs = op->imm >> 3 & 1;
    else if (which == KEY(0, 3, 0, 0, 4)) cpu->tco = op->imm >> 3 & 1;
    else return exec_trap(cpu, op, EV_FAULT_UNDEFINED);
    NEXT;
}

// ---- SYS: cache maintenance, and zeroing

enum { ZVA_BYTES = 64 };

// Checks [addr, addr + 64) for a maintenance operation by one read or (for ZVA) write.
COLD static const Op *maintain(Cpu *cpu, const Op *op, bool zeroes)
{
    static const u8 zeros[ZVA_BYTES];
    bool is_cap = cpu->mode & MODE_C64;
    Reg *base = RN;
    u64 addr = base->value & ~(u64)(ZVA_BYTES - 1);
    u32 auth = is_cap ? AUTH_CAP : AUTH_DDC;
    if (zeroes) {
        if (!exec_slow_write_bytes(cpu, op, base, addr, ZVA_BYTES, auth, 1, zeros)) return NULL;
        cpu->folded.stores++;
    } else if (!exec_slow_read(cpu, op, base, addr, ZVA_BYTES, auth, 1)) {
        return NULL;
    }
    return exec_next_slow(cpu, op);
}
EXEC(SYS)
{
    switch (op->imm) {
    case KEY(0, 3, 7, 4, 1): return maintain(cpu, op, true);    // DC ZVA
    case KEY(0, 3, 7, 5, 1):                                    // IC IVAU
    case KEY(0, 3, 7, 10, 1): case KEY(0, 3, 7, 11, 1):         // DC CVAC, CVAU
    case KEY(0, 3, 7, 12, 1): case KEY(0, 3, 7, 13, 1):         // DC CVAP, CVADP
    case KEY(0, 3, 7, 14, 1): return maintain(cpu, op, false);  // DC CIVAC
    default: return exec_trap(cpu, op, EV_FAULT_SYSTEM);
    }
}
EXEC(SYSL) { return exec_trap(cpu, op, EV_FAULT_SYSTEM); }
