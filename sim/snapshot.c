// snapshot.c: copies what views show out of the machine. Nothing here changes the machine.
#include "sim/snapshot.h"
#include "sim/debug.h"
#include "sim/machine_int.h"
#include <stdio.h>
#include <stdlib.h>

void snap_regs(const Machine *m, SnapRegs *out)
{
    for (u32 n = 0; n < 31; n++) out->c[n] = dbg_get_cap(m, (DbgReg)n);
    out->csp = dbg_get_cap(m, DBG_CSP);
    out->pcc = dbg_get_cap(m, DBG_PCC);
    out->ddc = dbg_get_cap(m, DBG_DDC);
    out->ctpidr = dbg_get_cap(m, DBG_CTPIDR);
    out->nzcv = dbg_get_nzcv(m);
    out->c64 = dbg_get_c64(m);
    for (u32 n = 0; n < 32; n++) dbg_get_v(m, n, out->v[n]);
    out->insns = mac_insns(m);
}

void snap_counters(const Machine *m, SnapCounters *out)
{
    CpuCounts c = cpu_counts(m->cpu);
    u64 insns = mac_insns(m);
    *out = (SnapCounters){
        .insns = insns,
        .insns_c64 = c.insns_c64,
        .insns_a64 = insns - c.insns_c64,
        .loads = c.loads,
        .stores = c.stores,
        .cap_loads = c.cap_loads,
        .cap_stores = c.cap_stores,
    };
}

static bool has_probe(const Machine *m, AccKind kind)
{
    for (u32 i = 0; i < m->image.probes.len; i++)
        if (m->probe_kinds[i] == kind) return true;
    return false;
}

void snap_opcodes(const Machine *m, SnapOpcodes *out)
{
    acc_snapshot(&m->account, mac_insns(m), out);
    out->is_present = m->cfg.probes && has_probe(m, ACC_vm_dispatch);
}

u32 snap_heap_count(const Machine *m) { return m->image.heaps.len; }

bool snap_heap(const Machine *m, u32 index, bool want_map, SnapHeap *out)
{
    *out = (SnapHeap){0};
    if (index >= m->image.heaps.len) return false;
    HeapPeek peek = mac_heap_peek(m, &m->image.heaps.at[index]);
    // The gc_* probes speak of the first heap.
    bool is_tracked = !index && m->cfg.probes && has_probe(m, ACC_gc_alloc);
    return heap_snapshot(is_tracked ? &m->account.heap : NULL, &peek, want_map, out);
}

void snap_heap_free(SnapHeap *h)
{
    free(h->state);
    free(h->requested);
    h->state = NULL;
    h->requested = NULL;
}

void snap_memory(const Machine *m, u64 addr, u32 n_granules, SnapGranule *out)
{
    for (u32 i = 0; i < n_granules; i++) {
        u64 a = (addr & ~15ULL) + i * 16ULL;
        out[i] = (SnapGranule){0};
        const MemPage *p = mem_page(m->mem, a);
        if (!p) continue;
        u64 at = a % MEM_PAGE;
        out[i].is_mapped = true;
        out[i].tag = p->tags[at / MEM_GRANULE];
        out[i].mte = p->mte[at / MEM_GRANULE];
        memcpy(out[i].bytes, p->data + at, MEM_GRANULE);
    }
}

static bool copy_symbol(const Sym *s, SnapSymbol *out)
{
    if (!s) return false;
    *out = (SnapSymbol){.start = s->start, .size = s->size, .is_func = s->is_func, .is_c64 = s->is_c64};
    snprintf(out->name, sizeof out->name, "%s", s->name);
    return true;
}

bool snap_symbol_at(const Machine *m, u64 addr, SnapSymbol *out) { return copy_symbol(sym_at(&m->image.symbols, addr), out); }

bool snap_symbol_named(const Machine *m, const char *name, SnapSymbol *out)
{
    return copy_symbol(sym_named(&m->image.symbols, name), out);
}

u32 snap_symbol_count(const Machine *m) { return m->image.symbols.by_addr.len; }
void snap_symbol(const Machine *m, u32 index, SnapSymbol *out) { copy_symbol(&m->image.symbols.by_addr.at[index], out); }

bool snap_code(const Machine *m, u64 ip, u32 *index, u32 *offset)
{
    for (u32 i = m->account.codes.len; i-- > 0;) { // the newest first: memory may be used again
        const AccCode *c = &m->account.codes.at[i];
        if (ip < c->start || ip - c->start >= c->n_bytes) continue;
        *index = c->index;
        *offset = (u32)(ip - c->start);
        return true;
    }
    return false;
}
