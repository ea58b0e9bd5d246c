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

// The mode word for this PCC and state, with everything else as it is now.
static u32 make_mode(const Cpu *cpu, Cap pcc, bool c64)
{
    u32 mode = cpu->mode & MODE_TBI;
    if (c64) mode |= MODE_C64;
    if (!(cap_perms(pcc) & CAP_PERM_EXECUTIVE)) mode |= MODE_RESTRICTED;
    if (cpu->cctlr & 4) mode |= MODE_DDCBO;
    if (cpu->cctlr & 8) mode |= MODE_PCCBO;
    if (cpu->cctlr & 16) mode |= MODE_ADRDPB;
    if (cpu->cctlr & 64) mode |= MODE_PERMVCT;
    if (cpu->cctlr & 128) mode |= MODE_SBL;
    if (cpu->sctlr & 2) mode |= MODE_ALIGN_CHECK;
    if (cpu->fpcr) mode |= MODE_FP_SPECIAL;
    return mode;
}

static void swap_regs(Reg *a, Reg *b)
{
    Reg t = *a;
    *a = *b;
    *b = t;
}

void cpu_enter_context(Cpu *cpu, Cap pcc, bool c64)
{
    u32 mode = make_mode(cpu, pcc, c64);
    if ((mode ^ cpu->mode) & MODE_RESTRICTED) {
        swap_regs(&cpu->sp, &cpu->other_sp);
        swap_regs(&cpu->ddc, &cpu->other_ddc);
    }
    if (!(cpu->ddc.kind & REG_DECODED)) reg_decode(&cpu->ddc);
    if (is_almighty(&cpu->ddc) && !(mode & MODE_DDCBO)) mode |= MODE_DDC_ALMIGHTY;
    cpu->mode = mode;
    cpu->pc = pcc.value;
    cpu->context = block_intern_context(cpu, pcc, mode);
}

static Cap get_pcc(const Cpu *cpu)
{
    return (Cap){.value = cpu->pc, .meta = cpu->context->meta, .tag = cpu->context->tag};
}

static void refresh_mode(Cpu *cpu) { cpu_enter_context(cpu, get_pcc(cpu), cpu->mode & MODE_C64); }

void cpu_ddc_changed(Cpu *cpu) { refresh_mode(cpu); }
void cpu_set_cctlr(Cpu *cpu, u64 v) { cpu->cctlr = v, refresh_mode(cpu); }
void cpu_set_sctlr(Cpu *cpu, u64 v)
{
    if (v != cpu->sctlr) cpu_flush_blocks(cpu);
    cpu->sctlr = v;
    if (cpu->sp.kind & REG_TAG) cpu->sp.kind = REG_RAW;
    if (cpu->other_sp.kind & REG_TAG) cpu->other_sp.kind = REG_RAW;
    refresh_mode(cpu);
}
// AHP DN FZ RMode Stride FZ16; there are no trapped exceptions.
void cpu_set_fpcr(Cpu *cpu, u32 v) { cpu->fpcr = v & 0x07f80000, refresh_mode(cpu); }
void cpu_set_tbi(Cpu *cpu, bool on)
{
    cpu->mode = on ? cpu->mode | MODE_TBI : cpu->mode & ~(u32)MODE_TBI;
    refresh_mode(cpu);
    mem_tlb_flush(cpu->mem);
}

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

void cpu_reset(Cpu *cpu)
{
    for (u32 i = 0; i < 31; i++) cpu->r[i] = (Reg){0};
    memset(cpu->v, 0, sizeof cpu->v);
    cpu->sp = cpu->other_sp = cpu->tpidr = cpu->rtpidr = cpu->tpidrro = cpu->cid = cpu->zero = (Reg){0};
    cpu->ddc = cpu->other_ddc = reg_from_cap(CAP_ALMIGHTY);
    cpu->fpcr = cpu->fpsr = 0;
    cpu->cctlr = 0;
    cpu->sctlr = CPU_SCTLR_SA0;
    cpu->monitor_addr = ~0ULL;
    flags_set(cpu, 0);
    cpu->mode = MODE_TBI;
    cpu_enter_context(cpu, CAP_ALMIGHTY, false);
}

// ---- access from outside

// The register of the Executive (or Restricted) bank, wherever it is now.
static Reg *banked(const Cpu *cpu, const Reg *now, const Reg *other, bool restricted)
{
    return (Reg *)(!(cpu->mode & MODE_RESTRICTED) == !restricted ? now : other);
}

static Reg *find_reg(const Cpu *cpu, CpuReg r)
{
    switch (r) {
    case CPU_CSP: return banked(cpu, &cpu->sp, &cpu->other_sp, false);
    case CPU_RSP: return banked(cpu, &cpu->sp, &cpu->other_sp, true);
    case CPU_DDC: return banked(cpu, &cpu->ddc, &cpu->other_ddc, false);
    case CPU_RDDC: return banked(cpu, &cpu->ddc, &cpu->other_ddc, true);
    case CPU_CTPIDR: return (Reg *)&cpu->tpidr;
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
    *find_reg(cpu, r) = reg_from_cap(c);
    if (r == CPU_DDC || r == CPU_RDDC) refresh_mode(cpu);
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
