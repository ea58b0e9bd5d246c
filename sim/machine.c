// machine.c: puts the parts together: memory and core, loaded image, Linux personality, journal, account; and hands the core's
// probes to the account and to whoever listens.
#include "sim/machine_int.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool read_memory(void *mem, u64 addr, void *out, size_t len) { return mem_read(mem, addr, out, len); }

HeapPeek mac_heap_peek(const Machine *m, const NoteHeap *note) { return (HeapPeek){read_memory, m->mem, note}; }

// ---- probes

// Reads the arguments; returns the mask of lost ones. Whole registers, the usual case, take the short way.
static inline u8 read_args(const Cpu *cpu, const CpuProbe *p, u64 *arg)
{
    u8 lost = 0;
    for (u32 i = 0; i < p->n_args; i++) {
        const NoteProbeArg *a = &p->arg[i];
        if (a->kind == NOTE_ARG_REG && a->size >= 8 && a->reg < 31) arg[i] = cpu->r[a->reg].value;
        else if (!cpu_probe_arg(cpu, a, &arg[i])) lost |= (u8)(1 << i), arg[i] = 0;
    }
    return lost;
}

static bool tell_listener(Machine *m, const Cpu *cpu, const CpuProbe *p, const u64 *arg, u8 lost)
{
    EvProbe e = {.name = m->image.probes.at[p->id].name, .pc = p->pc, .insns = cpu->icount, .n_args = p->n_args, .lost = lost};
    for (u32 i = 0; i < p->n_args; i++) e.arg[i] = arg[i];
    return m->on_probe(m->on_probe_ctx, &e);
}

// The core told that a probe was reached.
static bool on_probe(void *ctx, Cpu *cpu, const CpuProbe *p)
{
    Machine *m = ctx;
    u64 arg[EV_PROBE_MAX_ARGS];
    u8 lost = read_args(cpu, p, arg);
    for (u32 i = p->n_args; i < EV_PROBE_MAX_ARGS; i++) arg[i] = 0;
    if (m->cfg.probes) {
        HeapPeek peek = mac_heap_peek(m, m->image.heaps.len ? &m->image.heaps.at[0] : NULL);
        acc_probe(&m->account, m->probe_kinds[p->id], cpu->icount, arg, lost, &peek);
    }
    return m->on_probe && tell_listener(m, cpu, p, arg, lost);
}

// Gives the core the probes it needs: none, the ones the account understands, or all while somebody listens.
static void set_probes(Machine *m)
{
    const LdrImage *img = &m->image;
    CpuProbe *probes = xalloc(img->probes.len * sizeof *probes);
    u32 n = 0;
    for (u32 i = 0; i < img->probes.len; i++) {
        const LdrProbe *p = &img->probes.at[i];
        bool is_accounted = m->cfg.probes && m->probe_kinds[i] != ACC_OTHER && m->probe_kinds[i] != ACC_vm_enter;
        if (!is_accounted && !m->on_probe) continue;
        CpuProbe c = {.pc = p->pc, .id = i, .n_args = p->n_args};
        memcpy(c.arg, p->arg, sizeof c.arg);
        c.is_dispatch = is_accounted && !m->on_probe && m->probe_kinds[i] == ACC_vm_dispatch && p->n_args >= 2;
        probes[n++] = c;
    }
    m->cpu->account = m->cfg.probes && !m->on_probe ? &m->account : NULL;
    cpu_set_probes(m->cpu, probes, n);
    free(probes);
}

void mac_on_probe(Machine *m, bool (*fn)(void *ctx, const EvProbe *p), void *ctx)
{
    bool is_change = !fn != !m->on_probe;
    m->on_probe = fn;
    m->on_probe_ctx = ctx;
    if (is_change) set_probes(m);
}

// ---- life

Machine *mac_new(const MacConfig *cfg)
{
    Machine *m = xalloc(sizeof *m);
    m->cfg = *cfg;
    if (!m->cfg.memory_bytes) m->cfg.memory_bytes = 256 << 20;
    if (!m->cfg.stack_bytes) m->cfg.stack_bytes = 8 << 20;
    if (!m->cfg.seed) m->cfg.seed = 1;
    m->mem = mem_new(m->cfg.memory_bytes);
    m->cpu = cpu_new(m->mem, m->cfg.engine == MAC_ENGINE_LOOP ? CPU_ENGINE_LOOP : CPU_ENGINE_TAIL);
    cpu_reset(m->cpu);
    m->cpu->ssbs = m->cfg.ssbs;
    m->cpu->hooks = (CpuHooks){.ctx = m, .on_svc = lnx_svc, .on_probe = on_probe};
    acc_init(&m->account);
    lnx_init(m);
    return m;
}

void mac_free(Machine *m)
{
    if (!m) return;
    cpu_free(m->cpu);
    mem_free(m->mem);
    acc_free(&m->account);
    jrn_free(&m->journal);
    lnx_free(&m->linux_);
    ldr_free(&m->image);
    free(m->probe_kinds);
    free(m);
}

bool mac_load(Machine *m, const u8 *elf, size_t len, const char *name, const MacArgs *args, Err *err)
{
    CHECK(!m->image.segments.len, "a machine loads one program");
    if (!ldr_parse(elf, len, name, &m->image, err)) return false;
    m->probe_kinds = xalloc(m->image.probes.len * sizeof *m->probe_kinds);
    for (u32 i = 0; i < m->image.probes.len; i++) m->probe_kinds[i] = acc_kind(m->image.probes.at[i].name);
    if (!start_process(m, elf, name, args, err)) return false;
    set_probes(m);
    return true;
}

MacAbi mac_abi(const Machine *m) { return m->image.abi; }
u64 mac_insns(const Machine *m) { return m->cpu->icount; }
EvStop mac_run(Machine *m, u64 budget) { return cpu_run(m->cpu, budget); }
void mac_request_stop(Machine *m) { cpu_request_stop(m->cpu); }
int mac_exit_status(const Machine *m) { return m->linux_.exit_status; }
const EvFault *mac_fault(const Machine *m) { return &m->cpu->fault; }

void mac_on_warning(Machine *m, void (*fn)(void *ctx, const char *text), void *ctx)
{
    m->on_warning = fn;
    m->on_warning_ctx = ctx;
}

void mac_warn(Machine *m, const char *fmt, ...)
{
    if (!m->on_warning) return;
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    m->on_warning(m->on_warning_ctx, text);
}
