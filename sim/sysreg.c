// sysreg.c: see sysreg.h. Access rules come from sysrules.def and systraps.def, numbers from isa/def/sysregs.def.
//
// Registers of EL2's host mode (HCR_EL2.E2H: the _EL12 and _EL02 names), of an interrupt controller and of external debug are not in
// this machine: UNDEFINED.
#include "sim/sysreg.h"
#include "sim/block.h"
#include "sim/fp.h"

// ---- numbers

typedef struct Row {
    u16 key;
    char kind;
    u8 rule;
} Row;

typedef enum RuleName {
#define SYSRULE(name, ...) RULE_##name,
#include "sim/sysrules.def"
#undef SYSRULE
} RuleName;

#define KEY(op0, op1, crn, crm, op2) ((op0 & 1) << 14 | (op1) << 11 | (crn) << 7 | (crm) << 3 | (op2))
#define X 'X'
#define C 'C'
static const Row s_rows[] = {
#define SYSREG(name, kind, op0, op1, crn, crm, op2, rule) [SYS_##name] = {KEY(op0, op1, crn, crm, op2), kind, RULE_##rule},
#include "isa/def/sysregs.def"
#undef SYSREG
};
#undef X
#undef C
typedef struct OpRow {
    u16 key;
    u8 rule, action;
} OpRow;
static const OpRow s_ops[] = {
#define SYSREG(...)
#define SYSOP(text, op1, crn, crm, op2, rt, rule, action) {KEY(0, op1, crn, crm, op2), RULE_##rule, SYS_ACTION_##action},
#include "isa/def/sysregs.def"
#undef SYSOP
#undef SYSREG
};

u32 sys_find(char kind, u32 key)
{
    for (u32 i = 0; i < SYS_COUNT; i++)
        if (s_rows[i].key == key && s_rows[i].kind == kind) return i;
    return SYS_COUNT;
}
u32 sys_find_op(u32 key)
{
    u32 i = 0;
    while (i < ARRAY_LEN(s_ops) && s_ops[i].key != key) i++;
    return i;
}
SysAction sys_action(u32 op) { return (SysAction)s_ops[op].action; }

// ---- who may

// What a cell of a rule asks for, as bits.
enum {
    BIT_NO, BIT_SYS, BIT_SYS_VCT, BIT_CAP, BIT_FP, BIT_RU, BIT_SP1,
#define SYSTRAP(name, ...) BIT_##name,
#include "sim/systraps.def"
#undef SYSTRAP
    BIT_COUNT
};
static_assert(BIT_COUNT <= 64, "one word a cell");
enum { // wider than int: both compilers allow it
    OK = 0, NO = 1ULL << BIT_NO, SYS = 1ULL << BIT_SYS, SYS_VCT = 1ULL << BIT_SYS_VCT, CAP = 1ULL << BIT_CAP, FP = 1ULL << BIT_FP,
    RU = 1ULL << BIT_RU, SP1 = 1ULL << BIT_SP1,
#define SYSTRAP(name, ...) name = 1ULL << BIT_##name,
#include "sim/systraps.def"
#undef SYSTRAP
};
static const u64 s_rules[][2][4] = {
#define SYSRULE(name, r0, r1, r2, r3, w0, w1, w2, w3) [RULE_##name] = {{r0, r1, r2, r3}, {w0, w1, w2, w3}},
#include "sim/sysrules.def"
#undef SYSRULE
};

typedef struct Trap {
    u16 reg;
    u8 lo, traps_when, el;
    u64 bit;
} Trap;
static const Trap s_traps[] = {
#define SYSTRAP(name, reg, lo, traps_when, el) {SYS_##reg, lo, traps_when, el, name},
#include "sim/systraps.def"
#undef SYSTRAP
};

static bool has_system(const Cpu *cpu)
{
    Cap pcc = {.meta = cpu->context->meta};
    return cap_perms(pcc) & CAP_PERM_SYSTEM;
}

static SysDenied check_rule(const Cpu *cpu, u64 cell, EvFaultKind trap)
{
    if (cell & NO || (cell & RU && cpu->mode & MODE_RESTRICTED) || (cell & SP1 && !(cpu->mode & MODE_SPSEL)))
        return (SysDenied){EV_FAULT_UNDEFINED, 0};
    u32 el;
    if (cell & CAP && (el = cpu_cap_trap(cpu, cpu->pstate.el))) return (SysDenied){EV_FAULT_CAP_ACCESS, el};
    if (cell & SYS && !has_system(cpu)) return (SysDenied){trap, 0};
    if (cell & SYS_VCT && !has_system(cpu) && !(cpu->mode & MODE_PERMVCT)) return (SysDenied){trap, 0};
    if (cell & FP && (el = cpu_fp_trap(cpu, cpu->pstate.el))) return (SysDenied){EV_FAULT_FP_ACCESS, el};
    for (u32 i = 0; i < ARRAY_LEN(s_traps); i++) {
        const Trap *t = &s_traps[i];
        if (!(cell & t->bit) || (cpu->sys[t->reg] >> t->lo & 1) != t->traps_when || (t->el == 2 && !cpu_is_el2_on(cpu))) continue;
        return (SysDenied){trap, t->el == 1 ? 0 : t->el};
    }
    return (SysDenied){EV_FAULT_NONE, 0};
}
SysDenied sys_check(const Cpu *cpu, SysReg r, bool is_write)
{
    EvFaultKind trap = s_rows[r].kind == 'C' ? EV_FAULT_CAP_SYSTEM : EV_FAULT_SYSTEM;
    return check_rule(cpu, s_rules[s_rows[r].rule][is_write][cpu->pstate.el], trap);
}
SysDenied sys_check_op(const Cpu *cpu, u32 op) { return check_rule(cpu, s_rules[s_ops[op].rule][1][cpu->pstate.el], EV_FAULT_SYSTEM); }

// ---- capability registers

static Reg *bank(Cpu *cpu, u32 n, bool is_ddc)
{
    if (n == cpu->bank) return is_ddc ? &cpu->ddc : &cpu->sp;
    return is_ddc ? &cpu->ddc_bank[n] : &cpu->sp_bank[n];
}
// Restricted sees its own thread pointer under the name of the current level's.
static Reg *thread_pointer(Cpu *cpu, u32 el)
{
    return cpu->mode & MODE_RESTRICTED && el == cpu->pstate.el ? &cpu->rtpidr : &cpu->tpidr[el];
}

Reg *sys_cap(Cpu *cpu, SysReg r)
{
    switch (r) {
    case SYS_DDC: return &cpu->ddc;
    case SYS_DDC_EL0: return bank(cpu, 0, true);
    case SYS_DDC_EL1: return bank(cpu, 1, true);
    case SYS_DDC_EL2: return bank(cpu, 2, true);
    case SYS_RDDC_EL0: return bank(cpu, CPU_BANK_RESTRICTED, true);
    case SYS_CSP_EL0: case SYS_SP_EL0: return bank(cpu, 0, false);
    case SYS_CSP_EL1: case SYS_SP_EL1: return bank(cpu, 1, false);
    case SYS_CSP_EL2: case SYS_SP_EL2: return bank(cpu, 2, false);
    case SYS_RCSP_EL0: case SYS_RSP_EL0: return bank(cpu, CPU_BANK_RESTRICTED, false);
    case SYS_CELR_EL1: case SYS_ELR_EL1: return &cpu->elr[1];
    case SYS_CELR_EL2: case SYS_ELR_EL2: return &cpu->elr[2];
    case SYS_CELR_EL3: case SYS_ELR_EL3: return &cpu->elr[3];
    case SYS_CVBAR_EL1: case SYS_VBAR_EL1: return &cpu->vbar[1];
    case SYS_CVBAR_EL2: case SYS_VBAR_EL2: return &cpu->vbar[2];
    case SYS_CVBAR_EL3: case SYS_VBAR_EL3: return &cpu->vbar[3];
    case SYS_CTPIDR_EL0: case SYS_TPIDR_EL0: return thread_pointer(cpu, 0);
    case SYS_CTPIDR_EL1: case SYS_TPIDR_EL1: return thread_pointer(cpu, 1);
    case SYS_CTPIDR_EL2: case SYS_TPIDR_EL2: return thread_pointer(cpu, 2);
    case SYS_CTPIDR_EL3: case SYS_TPIDR_EL3: return thread_pointer(cpu, 3);
    case SYS_CTPIDRRO_EL0: case SYS_TPIDRRO_EL0: return &cpu->tpidrro;
    case SYS_RCTPIDR_EL0: case SYS_RTPIDR_EL0: return &cpu->rtpidr;
    case SYS_CID_EL0: return &cpu->cid;
    default: return NULL;
    }
}

// ---- integer registers

// What identifies the machine: Armv8.2-A with the features of Morello's core, and what is modelled of MTE and SSBS.
static const u64 s_constants[SYS_COUNT] = {
    [SYS_MIDR_EL1] = 0x3f0fd0c0,              // no implementer's number is ours: one reserved for software use
    [SYS_MPIDR_EL1] = 1ULL << 31 | 1 << 30,   // one core
    [SYS_CTR_EL0] = 0x8444c004,               // 64-byte lines
    [SYS_DCZID_EL0] = 4,                      // DC ZVA of 64 bytes
    [SYS_CLIDR_EL1] = 0x0a200023,
    [SYS_ID_AA64PFR0_EL1] = 0x1111 | 1ULL << 16 | 1ULL << 20, // EL0 to EL3, FP and SIMD with half precision
    [SYS_ID_AA64PFR1_EL1] = 2 << 4 | 1 << 20, // SSBS with MSR, capabilities
    [SYS_ID_AA64DFR0_EL1] = 0x6,
    [SYS_ID_AA64ISAR0_EL1] = 0x0000100010211120, // AES PMULL SHA1 SHA2(512) CRC32 LSE RDM DotProd
    [SYS_ID_AA64ISAR1_EL1] = 0x0000000000100001, // DC CVAP, LRCPC
    [SYS_ID_AA64MMFR0_EL1] = 0x0000000000101122, // 40-bit addresses; granules of 4, 16 and 64 KiB
    [SYS_ID_AA64MMFR1_EL1] = 0x0000000000200022, // hardware access and dirty flags, PAN with AT
    [SYS_ID_AA64MMFR2_EL1] = 0x0000000000000011, // CnP, UAO
    [SYS_GMID_EL1] = 6,
};

// The registers that other state makes.
static bool read_special(Cpu *cpu, SysReg r, u64 *v)
{
    const CpuPstate *p = &cpu->pstate;
    switch (r) {
    case SYS_NZCV: *v = (u64)flags_get(cpu) << 28; return true;
    case SYS_FPCR: *v = cpu->fpcr; return true;
    case SYS_FPSR: fp_fold(cpu), *v = cpu->fpsr; return true;
    case SYS_DAIF: *v = (u64)p->daif << 6; return true;
    case SYS_CURRENTEL: *v = (u64)p->el << 2; return true;
    case SYS_SPSEL: *v = p->sp; return true;
    case SYS_PAN: *v = (u64)p->pan << 22; return true;
    case SYS_UAO: *v = (u64)p->uao << 23; return true;
    case SYS_SSBS: *v = (u64)cpu->ssbs << 12; return true;
    case SYS_TCO: *v = (u64)cpu->tco << 25; return true;
    case SYS_CNTPCT_EL0: *v = cpu->icount; return true; // one instruction is one nanosecond
    case SYS_CNTVCT_EL0: *v = cpu->icount - cpu->sys[SYS_CNTVOFF_EL2]; return true;
    default: return false;
    }
}

u64 sys_read(Cpu *cpu, SysReg r)
{
    u64 v;
    const Reg *at = sys_cap(cpu, r);
    if (at) return at->value;
    if (read_special(cpu, r, &v)) return v;
    return s_constants[r] ? s_constants[r] : cpu->sys[r];
}

static bool write_special(Cpu *cpu, SysReg r, u64 v)
{
    CpuPstate p = cpu->pstate;
    switch (r) {
    case SYS_NZCV: flags_set(cpu, v >> 28 & 15); return true;
    case SYS_FPCR: cpu_set_fpcr(cpu, (u32)v); return true;
    case SYS_FPSR: fp_forget(), cpu->fpsr = (u32)v & 0x0800009f; return true;
    case SYS_DAIF: p.daif = v >> 6 & 15; break;
    case SYS_SPSEL: p.sp = v & 1; break;
    case SYS_PAN: p.pan = v >> 22 & 1; break;
    case SYS_UAO: p.uao = v >> 23 & 1; break;
    case SYS_SSBS: cpu->ssbs = v >> 12 & 1; return true;
    case SYS_TCO: cpu->tco = v >> 25 & 1; return true;
    default: return false;
    }
    cpu_set_pstate(cpu, p);
    return true;
}

// Bits that a register keeps, where it does not keep all.
static u64 mask_of(SysReg r)
{
    switch (r) {
    case SYS_CCTLR_EL0: return 0xff;
    case SYS_CCTLR_EL1: case SYS_CCTLR_EL2: case SYS_CCTLR_EL3: return 0xbf;
    case SYS_HCR_EL2: return ~(1ULL << 34); // no E2H
    case SYS_SPSR_EL1: case SYS_SPSR_EL2: case SYS_SPSR_EL3: case SYS_ESR_EL1: case SYS_ESR_EL2: case SYS_ESR_EL3: return 0xffffffff;
    default: return ~0ULL;
    }
}

void sys_write(Cpu *cpu, SysReg r, u64 v)
{
    Reg *at = sys_cap(cpu, r);
    if (at) {
        reg_set_x(at, v);
        return;
    }
    if (write_special(cpu, r, v) || s_constants[r]) return;
    cpu->sys[r] = v & mask_of(r);
    cpu_refresh_mode(cpu);
}
