// report.c: collects the figures of a run and writes them as text (the look of perf stat) and CSV. JSON is in report_json.c.
#include "driver/report.h"
#include "driver/options.h"
#include "driver/session.h"
#include <stdio.h>
#include <stdlib.h>

int drv_exit_status(DrvSession *s, EvStop stop)
{
    switch ((int)stop) {
    case EV_STOP_EXIT: return mac_exit_status(s->m);
    case EV_STOP_FAULT: return 139;
    case EV_STOP_LIMIT: return 124;
    default: return 130; // it could have gone on
    }
}

static void add_opcode(Report *r, u32 byte, const SnapOpcode *o)
{
    char name[sizeof r->opcode[0].name];
    const char *known = py_opcode_name((u8)byte);
    if (known) snprintf(name, sizeof name, "%s", known);
    else snprintf(name, sizeof name, "0x%02x", byte);
    u32 i = 0;
    while (i < r->n_opcodes && strcmp(r->opcode[i].name, name) != 0) i++;
    ReportOpcode *to = &r->opcode[i];
    if (i == r->n_opcodes) {
        *to = (ReportOpcode){.first = (u8)byte, .sum = {.insns_min = ~0ULL}};
        memcpy(to->name, name, sizeof name);
        r->n_opcodes++;
    }
    to->sum.count += o->count;
    to->sum.insns += o->insns;
    if (o->insns_min < to->sum.insns_min) to->sum.insns_min = o->insns_min;
    if (o->insns_max > to->sum.insns_max) to->sum.insns_max = o->insns_max;
}

void drv_report_collect(DrvSession *s, EvStop stop, double seconds, Report *r)
{
    *r = (Report){.s = s, .stop = stop, .seconds = seconds};
    r->reason = stop == EV_STOP_EXIT ? "exit" : stop == EV_STOP_FAULT ? "fault" : stop == EV_STOP_LIMIT ? "limit" : "interrupt";
    r->status = drv_exit_status(s, stop);
    snap_counters(s->m, &r->counters);
    snap_opcodes(s->m, &r->opcodes);
    for (u32 i = 0; i < 256; i++)
        if (r->opcodes.op[i].count) add_opcode(r, i, &r->opcodes.op[i]);
    for (u32 i = 0; i < snap_heap_count(s->m) && r->n_heaps < REPORT_MAX_HEAPS; i++)
        if (snap_heap(s->m, i, false, &r->heaps[r->n_heaps])) r->n_heaps++;
    r->mips = seconds > 0 ? (double)r->counters.insns / seconds / 1e6 : 0;
}

double drv_external_fragmentation(const SnapHeap *h)
{
    return h->free_blocks ? 1 - (double)h->largest_free_run / (double)h->free_blocks : -1;
}

double drv_internal_fragmentation(const SnapHeap *h)
{
    return h->granted_bytes ? (double)(h->granted_bytes - h->requested_bytes) / (double)h->granted_bytes : -1;
}

// 1234567 → "1,234,567"
static const char *grouped(u64 v, char out[32])
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)v), k = 0;
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0) out[k++] = ',';
        out[k++] = digits[i];
    }
    out[k] = 0;
    return out;
}

static void put_count(Buf *b, u64 v, const char *name, const char *note)
{
    char text[32];
    buf_printf(b, "  %20s      %-28s%s%s\n", grouped(v, text), name, note[0] ? "#  " : "", note);
}

static const char *percent(u64 part, u64 whole, const char *of, char out[64])
{
    snprintf(out, 64, "%5.1f %% %s", whole ? 100.0 * (double)part / (double)whole : 0.0, of);
    return out;
}

// Why there are no counts that come from probes.
static const char *not_counted(const Report *r) { return r->s->o.probes ? "not counted (the guest has no probes)" : "not counted (--no-probes)"; }

static void write_counters(const Report *r, Buf *b)
{
    const SnapCounters *c = &r->counters;
    char note[64];
    put_count(b, c->insns, "instructions", "exact");
    put_count(b, c->insns_c64, "instructions in C64", percent(c->insns_c64, c->insns, "of instructions", note));
    put_count(b, c->loads, "loads", percent(c->loads, c->insns, "of instructions", note));
    put_count(b, c->stores, "stores", percent(c->stores, c->insns, "of instructions", note));
    put_count(b, c->cap_loads, "capability loads", percent(c->cap_loads, c->loads, "of loads", note));
    put_count(b, c->cap_stores, "capability stores", percent(c->cap_stores, c->stores, "of stores", note));
    if (!r->opcodes.is_present) {
        if (r->s->module) buf_printf(b, "  %20s      %s\n", "bytecodes", not_counted(r));
        return;
    }
    snprintf(note, sizeof note, "%5.1f insns per bytecode",
             r->opcodes.bytecodes ? (double)(c->insns - r->opcodes.insns_gc - r->opcodes.insns_outside) / (double)r->opcodes.bytecodes : 0.0);
    put_count(b, r->opcodes.bytecodes, "bytecodes", note);
    put_count(b, r->opcodes.insns_gc, "instructions in collections", percent(r->opcodes.insns_gc, c->insns, "of instructions", note));
    put_count(b, r->opcodes.insns_outside, "instructions outside bytecodes", percent(r->opcodes.insns_outside, c->insns, "of instructions", note));
}

static int by_insns(const void *a, const void *b, void *report)
{
    const Report *r = report;
    u64 x = r->opcode[*(const u8 *)a].sum.insns, y = r->opcode[*(const u8 *)b].sum.insns;
    return x != y ? (x > y ? -1 : 1) : *(const u8 *)a - *(const u8 *)b;
}

static void write_opcodes(const Report *r, Buf *b)
{
    if (!r->opcodes.is_present) return;
    u8 order[256];
    for (u32 i = 0; i < r->n_opcodes; i++) order[i] = (u8)i;
    qsort_r(order, r->n_opcodes, 1, by_insns, (void *)(uintptr_t)r);
    buf_printf(b, "\n  %-32s %14s %16s %8s %6s %10s\n", "bytecode", "count", "instructions", "each", "min", "max");
    for (u32 i = 0; i < r->n_opcodes; i++) {
        const SnapOpcode *o = &r->opcode[order[i]].sum;
        char count[32], insns[32], max[32];
        buf_printf(b, "  %-32s %14s %16s %8.1f %6llu %10s\n", r->opcode[order[i]].name, grouped(o->count, count),
                   grouped(o->insns, insns), (double)o->insns / (double)o->count, (unsigned long long)o->insns_min,
                   grouped(o->insns_max, max));
    }
}

static void write_heap(const Report *r, const SnapHeap *h, Buf *b)
{
    char x[32], y[32], z[32];
    buf_printf(b, "\n  heap %s: %s bytes in %s blocks of %llu\n", h->name, grouped(h->bytes, x), grouped(h->blocks, y),
               (unsigned long long)h->block_bytes);
    buf_printf(b, "    %s live, %s free, largest free run %s", grouped(h->live_blocks, x), grouped(h->free_blocks, y),
               grouped(h->largest_free_run, z));
    double ext = drv_external_fragmentation(h), in = drv_internal_fragmentation(h);
    if (!h->is_tracked) {
        if (ext >= 0) buf_printf(b, "\n    fragmentation: external %.1f %%", 100 * ext);
        buf_printf(b, "\n    allocations, collections, frames: %s\n", not_counted(r));
        return;
    }
    buf_printf(b, ", peak %s live\n", grouped(h->peak_live_blocks, x));
    buf_printf(b, "    %s allocations, %s frees, %s collections", grouped(h->allocs, x), grouped(h->frees, y),
               grouped(h->collections, z));
    buf_printf(b, ", %s table entries searched (%.1f each)\n", grouped(h->search_steps, x),
               h->allocs ? (double)h->search_steps / (double)h->allocs : 0.0);
    if (ext >= 0) buf_printf(b, "    fragmentation: external %.1f %%", 100 * ext);
    if (in >= 0) buf_printf(b, ", internal %.1f %%", 100 * in);
    buf_printf(b, "\n    frames: %s, of these on the heap %s\n", grouped(h->frames_total, x), grouped(h->frames_on_heap, y));
    buf_printf(b, "    allocations by blocks:");
    for (u32 i = 0; i < h->n_allocs_by_blocks && i < 12; i++)
        buf_printf(b, " %llu:%s", (unsigned long long)h->allocs_by_blocks[i].blocks, grouped(h->allocs_by_blocks[i].count, x));
    buf_printf(b, "%s\n", h->n_allocs_by_blocks > 12 ? " …" : "");
}

void drv_report_text(DrvSession *s, EvStop stop, double seconds, bool color, Buf *out)
{
    Report r;
    drv_report_collect(s, stop, seconds, &r);
    const char *bold = color ? "\033[1m" : "", *plain = color ? "\033[0m" : "";
    buf_printf(out, "\n %sExact counts for '%s' (%s)%s:\n\n", bold, s->path, s->o.abi == MAC_PURECAP ? "purecap" : "hybrid", plain);
    write_counters(&r, out);
    write_opcodes(&r, out);
    for (u32 i = 0; i < r.n_heaps; i++) write_heap(&r, &r.heaps[i], out);
    buf_printf(out, "\n  %.3f seconds of host time, %.0f million instructions per second\n", seconds, r.mips);
    if (stop != EV_STOP_EXIT) buf_printf(out, "  ended by: %s\n", r.reason);
    buf_printf(out, "\n");
}

void drv_report_csv(DrvSession *s, EvStop stop, double seconds, Buf *out)
{
    Report r;
    drv_report_collect(s, stop, seconds, &r);
    buf_printf(out, "metric,value\nexit.reason,%s\nexit.status,%d\n", r.reason, r.status);
#define X(name, text) buf_printf(out, "%s,%llu\n", #name, (unsigned long long)r.counters.name);
    SNAP_COUNTERS(X)
#undef X
    if (r.opcodes.is_present) {
        buf_printf(out, "bytecodes,%llu\ninsns_gc,%llu\ninsns_outside_opcodes,%llu\n", (unsigned long long)r.opcodes.bytecodes,
                   (unsigned long long)r.opcodes.insns_gc, (unsigned long long)r.opcodes.insns_outside);
        for (u32 i = 0; i < r.n_opcodes; i++) {
            const ReportOpcode *o = &r.opcode[i];
            buf_printf(out, "opcode.%s.count,%llu\nopcode.%s.insns,%llu\n", o->name, (unsigned long long)o->sum.count, o->name,
                       (unsigned long long)o->sum.insns);
        }
    }
    for (u32 i = 0; i < r.n_heaps; i++) {
        const SnapHeap *h = &r.heaps[i];
#define ROW(field) buf_printf(out, "heap.%s." #field ",%llu\n", h->name, (unsigned long long)h->field)
        ROW(bytes), ROW(block_bytes), ROW(blocks), ROW(live_blocks), ROW(free_blocks), ROW(largest_free_run);
        if (h->is_tracked)
            ROW(allocs), ROW(frees), ROW(search_steps), ROW(collections), ROW(peak_live_blocks), ROW(frames_on_heap),
                ROW(frames_total);
#undef ROW
    }
}
