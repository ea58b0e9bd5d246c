// cpu.c: registers as capabilities, the mode word, and access to the state from outside.
//
// A Reg becomes fast in two steps: reg_from_cap notes value, upper word and tag; reg_decode, at the first use as an
// authority, adds bounds and the access bits that the bodies test.
#include "isa/cap_inline.h"
#include "sim/block.h"
#include "sim/exec.h"
#include <stdlib.h>

// ---- registers

Cap reg_to_cap(const Reg *r) { return (Cap){.value = r->value, .meta = reg_meta(r), .tag = reg_tag(r)}; }

Reg reg_from_cap(Cap c)
{
    return (Reg){.value = c.value, .meta = c.meta, .kind = (u8)(c.tag ? REG_RAW : c.meta ? REG_META : 0)};
}

void reg_decode(Reg *r)
{
    u64 meta = reg_meta(r);
    bool tag = reg_tag(r);
    CapBounds b = cap_inl_bounds(meta, r->value);
    r->meta = meta;
    r->kind = (u8)(REG_META | REG_DECODED | (tag ? REG_TAG : 0));
    r->base = b.base;
    r->top = b.top_hi ? ~0ULL : b.top_lo;
    if (!tag || cap_inl_is_sealed(meta) || !b.is_valid || r->base >= r->top) return;
    // Bounds that hang on the value are only "smooth" if all is on one side of bit 55, without flags; every address inside them is
    // then representable (the mantissas leave an eighth of the space free at both ends), by the fast rule too.
    bool is_one_sided = r->base >> 55 == (r->top - 1) >> 55 && r->base >> 55 == r->value >> 55;
    if (cap_inl_uses_value(b.exponent) && !is_one_sided) return;
    r->kind |= reg_smooth_kind(cap_inl_perms(meta));
}

void reg_add(Reg *d, const Reg *n, u64 increment)
{
    if (reg_add_is_easy(n, increment)) {
        reg_add_easy(d, n, increment);
        return;
    }
    Cap c = reg_to_cap(n);
    bool is_sealed = cap_is_sealed(c);
    c = cap_add(c, increment);
    if (is_sealed) c.tag = false;
    *d = reg_from_cap(c);
}

void cpu_decode(Cpu *cpu, Reg *r)
{
    if (!(r->kind & REG_DECODED)) reg_decode(r);
    if (r == &cpu->sp) cpu_check_sp(cpu);
}

// ---- mode word

static bool is_almighty(const Reg *ddc)
{
    u32 all = REG_LOAD | REG_STORE | REG_LOAD_CAP | REG_STORE_CAP;
    return (ddc->kind & all) == all && ddc->base == 0 && ddc->top == ~0ULL;
}

u64 cpu_sctlr(const Cpu *cpu)
{
    static const u16 by_el[] = {SYS_SCTLR_EL1, SYS_SCTLR_EL1, SYS_SCTLR_EL2, SYS_SCTLR_EL3};
    return cpu->sys[by_el[cpu->pstate.el]];
}
u64 cpu_cctlr(const Cpu *cpu)
{
    static const u16 by_el[] = {SYS_CCTLR_EL0, SYS_CCTLR_EL1, SYS_CCTLR_EL2, SYS_CCTLR_EL3};
    return cpu->sys[by_el[cpu->pstate.el]];
}
bool cpu_may_set_tags(const Cpu *cpu)
{
    Cap pcc = {.meta = cpu->context->meta};
    u32 el = cpu->pstate.el;
    if (!(cap_perms(pcc) & CAP_PERM_SYSTEM) || (el <= 2 && cpu->sys[SYS_CSCR_EL3] & 1)) return false;
    return !(el <= 1 && cpu_is_el2_on(cpu) && cpu->sys[SYS_CHCR_EL2] & 1);
}
bool cpu_is_el2_on(const Cpu *cpu) { return cpu->sys[SYS_SCR_EL3] & SCR_NS; }

// CPACR_EL1's two bits at `lo`: is it off at this level, and where does it trap to?
static u32 cpacr_trap(const Cpu *cpu, u32 el, u32 lo)
{
    u32 enable = cpu->sys[SYS_CPACR_EL1] >> lo & 3;
    if (el > 1 || enable == 3 || (enable == 1 && el == 1)) return 0;
    return cpu_is_el2_on(cpu) && cpu->sys[SYS_HCR_EL2] & HCR_TGE ? 2 : 1;
}
u32 cpu_cap_trap(const Cpu *cpu, u32 el)
{
    u32 to = cpacr_trap(cpu, el, 18);
    if (to) return to;
    if (el <= 2 && cpu_is_el2_on(cpu) && cpu->sys[SYS_CPTR_EL2] & CPTR_CAP) return 2;
    return cpu->sys[SYS_CPTR_EL3] & CPTR_CAP ? 0 : 3;
}
u32 cpu_fp_trap(const Cpu *cpu, u32 el)
{
    u32 to = cpacr_trap(cpu, el, 20);
    if (to) return to;
    if (el <= 2 && cpu_is_el2_on(cpu) && cpu->sys[SYS_CPTR_EL2] & CPTR_TFP) return 2;
    return cpu->sys[SYS_CPTR_EL3] & CPTR_TFP ? 3 : 0;
}

static u32 tbi_mode(const Cpu *cpu)
{
    u32 el = cpu->pstate.el;
    if (el >= 2) return cpu->sys[el == 2 ? SYS_TCR_EL2 : SYS_TCR_EL3] & TCR_TBI ? MODE_TBI | MODE_TBI_HIGH : 0;
    u64 tcr = cpu->sys[SYS_TCR_EL1];
    return (tcr & TCR_TBI0 ? MODE_TBI : 0) | (tcr & TCR_TBI1 ? MODE_TBI_HIGH : 0);
}

// The mode word for this PCC and state, with everything else as it is now.
static u32 make_mode(const Cpu *cpu, Cap pcc, bool c64)
{
    u32 el = cpu->pstate.el, mode = el | tbi_mode(cpu);
    u64 cctlr = cpu_cctlr(cpu), sctlr = cpu_sctlr(cpu);
    if (c64) mode |= MODE_C64;
    if (!(cap_perms(pcc) & CAP_PERM_EXECUTIVE)) mode |= MODE_RESTRICTED;
    if (el && cpu->pstate.sp) mode |= MODE_SPSEL;
    if (cctlr & CCTLR_DDCBO) mode |= MODE_DDCBO;
    if (cctlr & CCTLR_PCCBO) mode |= MODE_PCCBO;
    if (cctlr & CCTLR_ADRDPB) mode |= MODE_ADRDPB;
    if (cpu->sys[SYS_CCTLR_EL0] & CCTLR_PERMVCT) mode |= MODE_PERMVCT;
    if (cctlr & CCTLR_SBL) mode |= MODE_SBL;
    if (sctlr & SCTLR_A) mode |= MODE_ALIGN_CHECK;
    if (sctlr & (el ? SCTLR_SA : SCTLR_SA0)) mode |= MODE_CHECK_SP;
    if (cpu->fpcr) mode |= MODE_FP_SPECIAL;
    if (cpu_cap_trap(cpu, el)) mode |= MODE_CAP_TRAP;
    if (cpu_fp_trap(cpu, el)) mode |= MODE_FP_TRAP;
    if (cpu->pstate.il) mode |= MODE_IL;
    return mode;
}

static u8 bank_of(u32 mode)
{
    if (mode & MODE_RESTRICTED) return CPU_BANK_RESTRICTED;
    return mode & MODE_SPSEL ? (u8)(CPU_BANK_EL0 + (mode & MODE_EL)) : CPU_BANK_EL0;
}

static void enter_bank(Cpu *cpu, u8 bank)
{
    if (bank == cpu->bank) return;
    cpu->sp_bank[cpu->bank] = cpu->sp;
    cpu->ddc_bank[cpu->bank] = cpu->ddc;
    cpu->sp = cpu->sp_bank[bank];
    cpu->ddc = cpu->ddc_bank[bank];
    cpu->bank = bank;
}

void cpu_enter_context(Cpu *cpu, Cap pcc, bool c64)
{
    u32 mode = make_mode(cpu, pcc, c64);
    enter_bank(cpu, bank_of(mode));
    // What a misaligned stack pointer allows depends on the mode.
    if ((mode ^ cpu->mode) & MODE_CHECK_SP && cpu->sp.kind & REG_TAG) cpu->sp.kind = REG_RAW;
    if (!(cpu->ddc.kind & REG_DECODED)) reg_decode(&cpu->ddc);
    if (is_almighty(&cpu->ddc) && !(mode & MODE_DDCBO)) mode |= MODE_DDC_ALMIGHTY;
    if ((mode ^ cpu->mode) & (MODE_TBI | MODE_TBI_HIGH)) mem_tlb_flush(cpu->mem);
    cpu->mode = mode;
    cpu->pc = pcc.value;
    cpu->context = block_intern_context(cpu, pcc, mode);
}

static Cap get_pcc(const Cpu *cpu)
{
    return (Cap){.value = cpu->pc, .meta = cpu->context->meta, .tag = cpu->context->tag};
}

void cpu_refresh_mode(Cpu *cpu) { cpu_enter_context(cpu, get_pcc(cpu), cpu->mode & MODE_C64); }

// AHP DN FZ RMode Stride FZ16; there are no trapped exceptions.
void cpu_set_fpcr(Cpu *cpu, u32 v) { cpu->fpcr = v & 0x07f80000, cpu_refresh_mode(cpu); }
void cpu_set_pstate(Cpu *cpu, CpuPstate p) { cpu->pstate = p, cpu_refresh_mode(cpu); }

// ---- making one

Cpu *cpu_new(Mem *mem, CpuEngine engine)
{
    Cpu *cpu = xalloc(sizeof *cpu);
    cpu->mem = mem;
    bool is_tail = CAPLAB_TAIL_ENGINE && engine == CPU_ENGINE_TAIL;
#if CAPLAB_TAIL_ENGINE
    cpu->exec = is_tail ? exec_table_tail : exec_table_loop;
#else
    cpu->exec = exec_table_loop;
#endif
    for (u32 i = 0; i < ARRAY_LEN(cpu->smooth_kind); i++)
        cpu->smooth_kind[i] = REG_RAW | REG_DECODED | reg_smooth_kind(cap_inl_perms((u64)i << CPU_SMOOTH_SHIFT));
    mem_set_tlb(mem, &cpu->tlb);
    block_cache_new(cpu, is_tail);
    cpu_reset(cpu);
    return cpu;
}

void cpu_free(Cpu *cpu)
{
    if (!cpu) return;
    block_cache_free(cpu);
    mem_set_tlb(cpu->mem, NULL);
    vec_free(&cpu->probes);
    free(cpu);
}

static void clear_registers(Cpu *cpu)
{
    for (u32 i = 0; i < 31; i++) cpu->r[i] = (Reg){0};
    memset(cpu->v, 0, sizeof cpu->v);
    memset(cpu->sys, 0, sizeof cpu->sys);
    for (u32 i = 0; i < CPU_BANKS; i++) cpu->sp_bank[i] = (Reg){0}, cpu->ddc_bank[i] = reg_from_cap(CAP_ALMIGHTY);
    for (u32 i = 0; i < 4; i++) cpu->tpidr[i] = cpu->elr[i] = cpu->vbar[i] = (Reg){0};
    cpu->sp = cpu->rtpidr = cpu->tpidrro = cpu->cid = cpu->zero = (Reg){0};
    cpu->ddc = reg_from_cap(CAP_ALMIGHTY);
    cpu->fpcr = cpu->fpsr = 0;
    cpu->monitor_addr = ~0ULL;
    flags_set(cpu, 0);
    cpu->pstate = (CpuPstate){0};
    cpu->tco = cpu->ssbs = false;
    cpu->bank = CPU_BANK_EL0;
    cpu->n_exceptions = 0;
}

void cpu_reset(Cpu *cpu)
{
    clear_registers(cpu);
    cpu->is_bare = false;
    cpu->sys[SYS_SCTLR_EL1] = SCTLR_SA0 | SCTLR_NTWI | SCTLR_NTWE | SCTLR_UCI | SCTLR_UCT | SCTLR_DZE;
    cpu->sys[SYS_CNTKCTL_EL1] = 3; // both counters
    cpu->sys[SYS_CCTLR_EL0] = 0;
    cpu->sys[SYS_TCR_EL1] = TCR_TBI0 | TCR_TBI1;
    cpu->sys[SYS_CPACR_EL1] = 15 << 18;
    cpu->sys[SYS_CPTR_EL3] = CPTR_CAP;
    cpu_enter_context(cpu, CAP_ALMIGHTY, false);
}

void cpu_reset_bare(Cpu *cpu)
{
    clear_registers(cpu);
    cpu->is_bare = true;
    cpu->sys[SYS_SCTLR_EL1] = cpu->sys[SYS_SCTLR_EL2] = cpu->sys[SYS_SCTLR_EL3] = 0x30c50838; // the RES1 bits, SA, SA0
    cpu->pstate = (CpuPstate){.el = 3, .sp = 1, .daif = 15};
    cpu_enter_context(cpu, CAP_ALMIGHTY, false);
}

// ---- access from outside

// A register of a bank, wherever it is now.
static Reg *banked(const Cpu *cpu, u32 bank, bool is_ddc)
{
    const Reg *r = bank == cpu->bank ? (is_ddc ? &cpu->ddc : &cpu->sp) : is_ddc ? &cpu->ddc_bank[bank] : &cpu->sp_bank[bank];
    return (Reg *)r;
}

static Reg *find_reg(const Cpu *cpu, CpuReg r)
{
    u32 executive = cpu->pstate.sp ? cpu->pstate.el : 0;
    if (r >= CPU_CSP_EL0 && r <= CPU_CSP_EL3) return banked(cpu, r - CPU_CSP_EL0, false);
    if (r >= CPU_DDC_EL0 && r <= CPU_DDC_EL3) return banked(cpu, r - CPU_DDC_EL0, true);
    if (r >= CPU_CELR_EL1 && r <= CPU_CELR_EL3) return (Reg *)&cpu->elr[1 + r - CPU_CELR_EL1];
    if (r >= CPU_CVBAR_EL1 && r <= CPU_CVBAR_EL3) return (Reg *)&cpu->vbar[1 + r - CPU_CVBAR_EL1];
    switch (r) {
    case CPU_CSP: return banked(cpu, executive, false);
    case CPU_RSP: return banked(cpu, CPU_BANK_RESTRICTED, false);
    case CPU_DDC: return banked(cpu, executive, true);
    case CPU_RDDC: return banked(cpu, CPU_BANK_RESTRICTED, true);
    case CPU_CTPIDR: return (Reg *)&cpu->tpidr[0];
    case CPU_CID: return (Reg *)&cpu->cid;
    default: CHECK(r < 31, "register %d", (int)r); return (Reg *)&cpu->r[r];
    }
}

Cap cpu_get_cap(const Cpu *cpu, CpuReg r) { return r == CPU_PCC ? get_pcc(cpu) : reg_to_cap(find_reg(cpu, r)); }

void cpu_set_cap(Cpu *cpu, CpuReg r, Cap c)
{
    if (r == CPU_PCC) {
        cpu_jump(cpu, c, cpu_get_c64(cpu));
        return;
    }
    Reg *at = find_reg(cpu, r);
    *at = reg_from_cap(c);
    if (at == &cpu->ddc) cpu_refresh_mode(cpu);
}

void cpu_jump(Cpu *cpu, Cap pcc, bool c64)
{
    cpu->resume.skip_break = false;
    cpu->resume.n_probes = 0;
    cpu_enter_context(cpu, pcc, c64);
}

bool cpu_get_c64(const Cpu *cpu) { return cpu->mode & MODE_C64; }
u8 cpu_get_nzcv(const Cpu *cpu) { return (u8)flags_get(cpu); }
void cpu_set_nzcv(Cpu *cpu, u8 nzcv) { flags_set(cpu, nzcv); }

bool cpu_probe_arg(const Cpu *cpu, const NoteProbeArg *arg, u64 *value)
{
    u64 v = 0;
    switch (arg->kind) {
    case NOTE_ARG_REG: v = arg->reg == 31 ? cpu->sp.value : cpu->r[arg->reg & 31].value; break;
    case NOTE_ARG_FPREG: v = cpu->v[arg->reg & 31].lo; break;
    case NOTE_ARG_CONST: *value = (u64)arg->value; return true;
    case NOTE_ARG_STACK: {
        u32 n = arg->size > 8 ? 8 : arg->size;
        if (!mem_read(cpu->mem, cpu->sp.value + (u64)arg->value, &v, n)) return false;
        break;
    }
    default: return false;
    }
    u32 bits = arg->size == 0 || arg->size > 8 ? 64 : arg->size * 8u;
    *value = arg->is_signed ? (u64)bits_sext(v, bits) : v & bits_mask(bits);
    return true;
}

void cpu_break_add(Cpu *cpu, u64 pc)
{
    for (u32 i = 0; i < cpu->n_breaks; i++)
        if (cpu->breaks[i] == pc) return;
    if (cpu->n_breaks == CPU_MAX_BREAKS) return;
    cpu->breaks[cpu->n_breaks++] = pc;
    cpu_flush_blocks(cpu);
}

void cpu_break_remove(Cpu *cpu, u64 pc)
{
    for (u32 i = 0; i < cpu->n_breaks; i++)
        if (cpu->breaks[i] == pc) {
            cpu->breaks[i] = cpu->breaks[--cpu->n_breaks];
            cpu_flush_blocks(cpu);
            return;
        }
}

static int compare_probes(const void *a, const void *b)
{
    u64 x = ((const CpuProbe *)a)->pc, y = ((const CpuProbe *)b)->pc;
    return x < y ? -1 : x > y;
}

void cpu_set_probes(Cpu *cpu, const CpuProbe *probes, u32 n)
{
    cpu->probes.len = 0;
    for (u32 i = 0; i < n; i++) vec_push(&cpu->probes, probes[i]);
    // Stable for equal pcs: the array is nearly always sorted already, so check before sorting.
    for (u32 i = 1; i < n; i++)
        if (probes[i].pc < probes[i - 1].pc) {
            qsort(cpu->probes.at, n, sizeof *probes, compare_probes);
            break;
        }
    cpu_flush_blocks(cpu);
}
