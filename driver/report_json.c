// report_json.c: the report as JSON; field names and their order are the contract of the command line (docs/cli.md). Everything
// outside "host" is the same in every run.
#include "driver/fault.h"
#include "driver/options.h"
#include "driver/report.h"
#include "driver/session.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#define CAPLAB_VERSION "0.1.0"

static json_t *hex(u64 v)
{
    char text[24];
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)v);
    return json_string(text);
}

static json_t *count(u64 v) { return json_integer((json_int_t)v); }
static json_t *count_if(bool is_known, u64 v) { return is_known ? count(v) : json_null(); }

// Bytes that are not UTF-8 (in a path or argument) become '?', as JSON has no other bytes.
static json_t *text_or_null(const char *s)
{
    if (!s || !s[0]) return json_null();
    json_t *j = json_string(s);
    if (j) return j;
    char *copy = xstrdup(s);
    for (char *p = copy; *p; p++)
        if ((u8)*p >= 0x80) *p = '?';
    j = json_string(copy);
    free(copy);
    return j;
}

static json_t *make_command(int argc, char **argv)
{
    json_t *a = json_array();
    for (int i = 0; i < argc; i++) {
        json_t *word = text_or_null(argv[i]);
        json_array_append_new(a, json_is_null(word) ? json_string("") : word);
    }
    return a;
}

// The knobs that this kind of program has: its build options.
static json_t *make_knobs(const DrvSession *s)
{
    json_t *o = json_object();
    if (s->kind == DRV_ELF) return o;
    for (u32 k = 0; k < DRV_KNOB_COUNT; k++) {
        const DrvKnobInfo *info = drv_knob_info((DrvKnob)k);
        if (!s->module && k != DRV_KNOB_CC_PROFILE) continue;
        const char *v = drv_knob_value(&s->o, (DrvKnob)k);
        bool is_number = !strchr(info->unit, '|');
        json_object_set_new(o, info->key, !v[0] ? json_null() : is_number ? count(drv_knob_number(&s->o, (DrvKnob)k)) : json_string(v));
    }
    return o;
}

static void set_place(json_t *o, const FaultPlace *p)
{
    json_object_set_new(o, "pc", hex(p->pc));
    json_object_set_new(o, "symbol", text_or_null(p->symbol));
    json_object_set_new(o, "file", text_or_null(p->line.file));
    json_object_set_new(o, "line", p->line.file[0] ? count(p->line.line) : json_null());
}

static json_t *make_caller(const FaultText *t)
{
    if (!t->has_caller) return json_null();
    json_t *o = json_object();
    set_place(o, &t->caller);
    return o;
}

static json_t *make_fault(const DrvSession *s)
{
    FaultText t;
    drv_fault_text(s, &t);
    const EvFault *f = mac_fault(s->m);
    char text[512];
    snprintf(text, sizeof text, "%s%s%s: %s", t.insn, t.access[0] ? ": " : "", t.access, t.reason);
    json_t *o = json_object();
    json_object_set_new(o, "kind", json_string(t.kind));
    set_place(o, &t.at);
    json_object_set_new(o, "caller", make_caller(&t));
    json_object_set_new(o, "address", t.access[0] ? hex(f->address) : json_null());
    json_object_set_new(o, "register", text_or_null(t.reg));
    json_object_set_new(o, "authority", text_or_null(t.authority));
    json_object_set_new(o, "capability", text_or_null(t.cap));
    json_object_set_new(o, "text", json_string(text));
    return o;
}

static json_t *make_exit(const Report *r)
{
    json_t *o = json_object();
    json_object_set_new(o, "reason", json_string(r->reason));
    json_object_set_new(o, "status", json_integer(r->status));
    json_object_set_new(o, "fault", r->stop == EV_STOP_FAULT ? make_fault(r->s) : json_null());
    return o;
}

static json_t *make_opcodes(const Report *r)
{
    if (!r->opcodes.is_present) return json_null();
    json_t *a = json_array();
    for (u32 i = 0; i < r->n_opcodes; i++) {
        const SnapOpcode *op = &r->opcode[i].sum;
        json_t *o = json_object();
        json_object_set_new(o, "name", json_string(r->opcode[i].name));
        json_object_set_new(o, "count", count(op->count));
        json_object_set_new(o, "insns", count(op->insns));
        json_object_set_new(o, "insns_min", count(op->insns_min));
        json_object_set_new(o, "insns_max", count(op->insns_max));
        json_array_append_new(a, o);
    }
    return a;
}

static json_t *fraction(double v) { return v < 0 ? json_null() : json_real(v); }

static json_t *make_heap(const SnapHeap *h)
{
    json_t *o = json_object(), *sizes = json_object();
    for (u32 i = 0; i < h->n_allocs_by_blocks; i++) {
        char key[24];
        snprintf(key, sizeof key, "%llu", (unsigned long long)h->allocs_by_blocks[i].blocks);
        json_object_set_new(sizes, key, count(h->allocs_by_blocks[i].count));
    }
    json_object_set_new(o, "name", json_string(h->name));
    json_object_set_new(o, "bytes", count(h->bytes));
    json_object_set_new(o, "block_bytes", count(h->block_bytes));
    json_object_set_new(o, "blocks", count(h->blocks));
    json_object_set_new(o, "allocs", count_if(h->is_tracked, h->allocs));
    json_object_set_new(o, "allocs_by_blocks", h->is_tracked ? sizes : json_null());
    json_object_set_new(o, "frees", count_if(h->is_tracked, h->frees));
    json_object_set_new(o, "search_steps", count_if(h->is_tracked, h->search_steps));
    json_object_set_new(o, "collections", count_if(h->is_tracked, h->collections));
    json_object_set_new(o, "live_blocks", count(h->live_blocks));
    json_object_set_new(o, "free_blocks", count(h->free_blocks));
    json_object_set_new(o, "peak_live_blocks", count_if(h->is_tracked, h->peak_live_blocks));
    json_object_set_new(o, "largest_free_run", count(h->largest_free_run));
    json_object_set_new(o, "external_fragmentation", fraction(drv_external_fragmentation(h)));
    json_object_set_new(o, "internal_fragmentation", fraction(drv_internal_fragmentation(h)));
    json_object_set_new(o, "frames_on_heap", count_if(h->is_tracked, h->frames_on_heap));
    json_object_set_new(o, "frames", count_if(h->is_tracked, h->frames_total));
    if (!h->is_tracked) json_decref(sizes);
    return o;
}

static json_t *make_head(const DrvSession *s)
{
    json_t *caplab = json_object();
    json_object_set_new(caplab, "version", json_string(CAPLAB_VERSION));
    json_object_set_new(caplab, "guest_build", json_string(s->hash));
    return caplab;
}

void drv_report_json(DrvSession *s, EvStop stop, int argc, char **argv, double seconds, Buf *out)
{
    Report r;
    drv_report_collect(s, stop, seconds, &r);
    const SnapOpcodes *ops = &r.opcodes;
    json_t *o = json_object(), *heaps = json_array(), *host = json_object();
    for (u32 i = 0; i < r.n_heaps; i++) json_array_append_new(heaps, make_heap(&r.heaps[i]));
    json_object_set_new(o, "schema", json_integer(1));
    json_object_set_new(o, "caplab", make_head(s));
    json_object_set_new(o, "command", make_command(argc, argv));
    json_object_set_new(o, "machine", json_string("user"));
    json_object_set_new(o, "abi", json_string(s->o.abi == MAC_PURECAP ? "purecap" : "hybrid"));
    json_object_set_new(o, "mte", json_string("off"));
    json_object_set_new(o, "timing", json_string("off"));
    json_object_set_new(o, "seed", count(s->o.seed));
    json_object_set_new(o, "ssbs", json_integer(s->o.ssbs));
    json_object_set_new(o, "knobs", make_knobs(s));
    json_object_set_new(o, "exit", make_exit(&r));
#define X(name, text) json_object_set_new(o, #name, count(r.counters.name));
    SNAP_COUNTERS(X)
#undef X
    json_object_set_new(o, "bytecodes", count_if(ops->is_present, ops->bytecodes));
    json_object_set_new(o, "opcodes", make_opcodes(&r));
    json_object_set_new(o, "insns_outside_opcodes", count_if(s->o.probes, ops->insns_outside));
    json_object_set_new(o, "insns_gc", count_if(s->o.probes, ops->insns_gc));
    json_object_set_new(o, "heaps", heaps);
    json_object_set_new(o, "cycles", json_null());
    json_object_set_new(o, "pmu", json_null());
    json_object_set_new(o, "cpi_stack", json_null());
    json_object_set_new(host, "seconds", json_real(seconds));
    json_object_set_new(host, "mips", json_real(r.mips));
    json_object_set_new(o, "host", host);
    char *text = json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    buf_printf(out, "%s\n", text);
    free(text);
    json_decref(o);
}
