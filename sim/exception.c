// exception.c: see exception.h. PSTATE goes to SPSR, PCC to CELR (ELR, if the target level has capabilities off), the run goes on at the
// vector; ERET is the way back. Interrupts are not here: nobody raises any yet.
#include "sim/exception.h"
#include "base/bits.h"
#include "sim/block.h"

enum {
    SPSR_SP = 1 << 0, SPSR_AARCH32 = 1 << 4, SPSR_SSBS = 1 << 12, SPSR_IL = 1 << 20, SPSR_SS = 1 << 21, SPSR_PAN = 1 << 22,
    SPSR_UAO = 1 << 23, SPSR_TCO = 1 << 25, SPSR_C64 = 1 << 26,
};

static const u16 s_spsr[] = {0, SYS_SPSR_EL1, SYS_SPSR_EL2, SYS_SPSR_EL3};
static const u16 s_esr[] = {0, SYS_ESR_EL1, SYS_ESR_EL2, SYS_ESR_EL3};
static const u16 s_far[] = {0, SYS_FAR_EL1, SYS_FAR_EL2, SYS_FAR_EL3};

u32 exc_default_level(const Cpu *cpu)
{
    u32 el = cpu->pstate.el;
    if (el > 1) return el;
    return cpu_is_el2_on(cpu) && cpu->sys[SYS_HCR_EL2] & HCR_TGE ? 2 : 1;
}

u32 exc_spsr(const Cpu *cpu)
{
    const CpuPstate *p = &cpu->pstate;
    return (u32)cpu_get_nzcv(cpu) << 28 | (cpu_get_c64(cpu) ? SPSR_C64 : 0) | (cpu->tco ? SPSR_TCO : 0) | (p->uao ? SPSR_UAO : 0) |
           (p->pan ? SPSR_PAN : 0) | (p->ss ? SPSR_SS : 0) | (p->il ? SPSR_IL : 0) | (cpu->ssbs ? SPSR_SSBS : 0) | (u32)p->daif << 6 |
           (u32)p->el << 2 | (p->sp ? SPSR_SP : 0);
}

static Cap get_pcc(const Cpu *cpu) { return cpu_get_cap(cpu, CPU_PCC); }

// A capability that becomes PCC, as the level's rules see its address (vb: BranchAddr).
static Cap as_branch_target(const Cpu *cpu, Cap c)
{
    if (cap_is_sealed(c)) c.tag = false;
    c.value = cpu_branch_address(cpu, c.value);
    return c;
}

void exc_take(Cpu *cpu, const Exception *e)
{
    u32 offset = e->offset, from = cpu->pstate.el;
    if (e->el > from) offset += 0x400;
    else if (cpu->mode & MODE_SPSEL && !(cpu->mode & MODE_RESTRICTED)) offset += 0x200;
    u32 spsr = exc_spsr(cpu);
    u64 ec = e->esr >> 26;
    if (e->el == from && (ec == EC_FETCH || ec == EC_DATA)) ec++;
    if (e->esr || e->offset == 0) cpu->sys[s_esr[e->el]] = ec << 26 | (e->esr & bits_mask(26));
    if (e->has_far) cpu->sys[s_far[e->el]] = e->far;
    cpu->sys[s_spsr[e->el]] = spsr;

    Cap pcc = get_pcc(cpu), back = cap_set_value(pcc, e->back);
    cpu->pstate = (CpuPstate){.el = (u8)e->el, .sp = 1, .daif = 15, .pan = cpu->pstate.pan};
    u64 sctlr = cpu_sctlr(cpu);
    if (e->el == 1 && !(sctlr & SCTLR_SPAN)) cpu->pstate.pan = true;
    cpu->ssbs = sctlr & SCTLR_DSSBS;
    cpu->tco = true;
    bool has_caps = !cpu_cap_trap(cpu, e->el);
    cpu->elr[e->el] = has_caps ? reg_from_cap(back) : (Reg){.value = e->back};
    Cap vbar = reg_to_cap(&cpu->vbar[e->el]);
    u64 vector = (vbar.value & ~0x7ffULL) | offset;
    Cap to = cap_set_value(has_caps ? vbar : pcc, vector);
    cpu_enter_context(cpu, pcc, false); // the address rules are the new level's
    cpu_enter_context(cpu, as_branch_target(cpu, to), has_caps && cpu_cctlr(cpu) & CCTLR_C64E);
}

static bool is_illegal(const Cpu *cpu, u32 spsr)
{
    u32 el = spsr >> 2 & 3;
    if (spsr & SPSR_AARCH32 || spsr & 2 || (!el && spsr & SPSR_SP)) return true;
    if (el > cpu->pstate.el || (el == 2 && !cpu_is_el2_on(cpu))) return true;
    return el == 1 && cpu_is_el2_on(cpu) && cpu->sys[SYS_HCR_EL2] & HCR_TGE;
}

void exc_return(Cpu *cpu)
{
    u32 from = cpu->pstate.el, spsr = (u32)cpu->sys[s_spsr[from]];
    Cap pcc = get_pcc(cpu), to = reg_to_cap(&cpu->elr[from]);
    if (cpu_cap_trap(cpu, from)) to = cap_set_value(pcc, to.value);
    bool may_system = cap_perms(pcc) & CAP_PERM_SYSTEM;
    CpuPstate p = cpu->pstate;
    bool c64 = cpu_get_c64(cpu);
    p.ss = false;
    if (is_illegal(cpu, spsr)) {
        p.il = true;
    } else {
        p = (CpuPstate){.el = spsr >> 2 & 3, .sp = spsr & SPSR_SP, .il = spsr & SPSR_IL};
        cpu->ssbs = spsr & SPSR_SSBS;
        c64 = spsr & SPSR_C64;
    }
    if (cpu_cap_trap(cpu, p.el)) c64 = false;
    p.pan = spsr & SPSR_PAN, p.uao = spsr & SPSR_UAO, p.daif = spsr >> 6 & 15;
    cpu->tco = spsr & SPSR_TCO;
    cpu_set_nzcv(cpu, (u8)(spsr >> 28));
    cpu->pstate = p;
    cpu->monitor_addr = ~0ULL;
    cpu->monitor_size = 0;
    if (!may_system || !cap_bounds(to).is_valid) to.tag = false;
    cpu_enter_context(cpu, pcc, false); // the address rules are the new level's
    cpu_enter_context(cpu, as_branch_target(cpu, to), c64);
}
