// account.c: the slow half of the account: collections, code objects, and the picture of the sums.
//
//     vm_dispatch(LOAD_FAST) … gc_begin … gc_end … vm_dispatch(STORE_FAST)
//     |--- LOAD_FAST -------|--- gc --------|-LOAD_FAST-|
#include "sim/account.h"
#include <stdlib.h>

static const char *const kind_names[] = {
    "",
#define X(name, args, text) #name,
    NOTE_PROBES(X)
#undef X
};

AccKind acc_kind(const char *probe_name)
{
    for (u32 k = 1; k < ARRAY_LEN(kind_names); k++)
        if (!strcmp(kind_names[k], probe_name)) return (AccKind)k;
    return ACC_OTHER;
}

void acc_init(Account *a)
{
    *a = (Account){.current = ACC_OUTSIDE};
    for (u32 i = 0; i < ARRAY_LEN(a->op); i++) a->op[i].insns_min = ~0ULL;
}

void acc_free(Account *a)
{
    vec_free(&a->codes);
    heap_track_free(&a->heap);
}

// A collection cuts the running opcode in two; its two parts are one execution for min and max.
static void begin_gc(Account *a, u64 now)
{
    if (a->is_in_gc) return;
    a->carry += now - a->since;
    a->since = now;
    a->is_in_gc = true;
}

static void end_gc(Account *a, u64 now)
{
    if (!a->is_in_gc) return;
    a->insns_gc += now - a->since;
    a->since = now;
    a->is_in_gc = false;
}

static void add_code(Account *a, u64 start, u64 n_bytes, u64 index)
{
    enum { MAX_CODES = 1 << 16 }; // a guest that goes on for ever must not fill the host
    if (a->codes.len < MAX_CODES) vec_push(&a->codes, (AccCode){start, n_bytes, (u32)index});
}

void acc_probe(Account *a, AccKind kind, u64 now, const u64 arg[EV_PROBE_MAX_ARGS], u8 lost, const HeapPeek *peek)
{
    u64 blocks = lost & 2 ? HEAP_LOST : arg[1], bytes = lost & 4 ? HEAP_LOST : arg[2];
    switch (kind) {
    case ACC_vm_dispatch:
        end_gc(a, now); // a collection that an exception left early
        acc_dispatch(a, now, arg[0], arg[1]);
        break;
    case ACC_vm_outside:
        end_gc(a, now);
        acc_switch(a, now, ACC_OUTSIDE);
        break;
    case ACC_vm_code: add_code(a, arg[0], arg[1], lost & 4 ? a->codes.len : arg[2]); break;
    case ACC_vm_frame: heap_on_frame(&a->heap, arg[1] != 0); break;
    case ACC_gc_request: heap_on_request(&a->heap, arg[0]); break;
    case ACC_gc_search: heap_on_search(&a->heap, arg[0], peek); break;
    case ACC_gc_search_end: heap_on_search_end(&a->heap, arg[0], arg[1] != 0); break;
    case ACC_gc_alloc: heap_on_alloc(&a->heap, arg[0], blocks, bytes, peek); break;
    case ACC_gc_free: heap_on_free(&a->heap, arg[0]); break;
    case ACC_gc_resize: heap_on_resize(&a->heap, arg[0], blocks, bytes); break;
    case ACC_gc_begin: begin_gc(a, now); break;
    case ACC_gc_end:
        end_gc(a, now);
        heap_on_collected(&a->heap, peek);
        break;
    case ACC_OTHER:
    case ACC_vm_enter: break;
    }
}

void acc_snapshot(const Account *a, u64 now, SnapOpcodes *out)
{
    Account t = *a; // book the running opcode in a copy: looking must not change the sums
    if (t.is_in_gc) end_gc(&t, now);
    SnapOpcode *o = &t.op[t.current];
    u64 n = now - t.since + t.carry;
    o->insns += n;
    if (o->count == 1) o->insns_min = n; // an unfinished execution is the shortest only if it is the only one
    if (n > o->insns_max) o->insns_max = n;
    *out = (SnapOpcodes){.insns_gc = t.insns_gc, .insns_outside = t.op[ACC_OUTSIDE].insns, .ip = t.ip};
    out->is_in_bytecode = t.current != ACC_OUTSIDE;
    out->current = out->is_in_bytecode ? (u8)t.current : 0;
    for (u32 i = 0; i < 256; i++) {
        out->op[i] = t.op[i];
        if (!t.op[i].count) out->op[i].insns_min = 0;
        out->bytecodes += t.op[i].count;
    }
    out->is_present = out->bytecodes != 0;
}
