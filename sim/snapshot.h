// snapshot.h: plain-data pictures of the machine for views and reports. Filling one has no side effects on the guest.
#ifndef CAPLAB_SIM_SNAPSHOT_H
#define CAPLAB_SIM_SNAPSHOT_H

#include "isa/cap.h"
#include "sim/event.h"
#include "sim/machine.h"

typedef struct SnapRegs {
    Cap c[31], csp, pcc, ddc, ctpidr;
    u8 nzcv;   // N=8 Z=4 C=2 V=1
    bool c64;
    u64 v[32][2];
    u64 insns;
} SnapRegs;
void snap_regs(const Machine *m, SnapRegs *out);

// Counters. SNAP_COUNTERS(X): name in JSON, meaning
#define SNAP_COUNTERS(X)                                                                                     \
    X(insns, "instructions executed") X(insns_c64, "of these in C64 state") X(insns_a64, "of these in A64 state") \
    X(loads, "load accesses (a pair is two)") X(stores, "store accesses") X(cap_loads, "capability load accesses") \
    X(cap_stores, "capability store accesses")
typedef struct SnapCounters {
#define X(name, text) u64 name;
    SNAP_COUNTERS(X)
#undef X
} SnapCounters;
void snap_counters(const Machine *m, SnapCounters *out);

// Per-bytecode accounting (exact). Σ opcode insns + insns_gc + insns_outside = insns.
typedef struct SnapOpcode {
    u64 count, insns, insns_min, insns_max; // min/max over single executions
} SnapOpcode;
typedef struct SnapOpcodes {
    bool is_present;     // the guest has vm_dispatch probes
    u64 bytecodes;
    SnapOpcode op[256];
    u64 insns_gc, insns_outside;
    bool is_in_bytecode; // false before the first dispatch and after vm_outside
    u8 current;          // opcode running now (if is_in_bytecode)
    u64 ip;              // guest address of it
} SnapOpcodes;
void snap_opcodes(const Machine *m, SnapOpcodes *out);
// The code object (number of the vm_code probe) that holds this bytecode address, and the offset in it.
bool snap_code(const Machine *m, u64 ip, u32 *index, u32 *offset);

// A heap found through its note, with the statistics from its probes. Block states as in the table: 0 free 1 head 2 tail 3 marked.
typedef struct SnapHeap {
    char name[16];
    u64 bytes, block_bytes, blocks;
    u64 pool;              // guest address of block 0
    bool is_tracked;       // false: nothing is known of its past: the counts of events, the peak and the requests are 0
    u64 allocs, frees, search_steps, collections;
    u64 live_blocks, free_blocks, peak_live_blocks, largest_free_run;
    u64 granted_bytes, requested_bytes; // of live objects
    u64 frames_on_heap, frames_total;
    u64 next_search_block; // where the next search starts (last-free index)
    struct { u64 blocks, count; } allocs_by_blocks[64]; // ascending; the last entry collects all larger ones
    u32 n_allocs_by_blocks;
    u8 *state;             // owned: blocks entries; NULL unless asked for
    u32 *requested;        // owned: requested bytes at head blocks, 0 elsewhere/unknown; NULL unless asked for
} SnapHeap;
u32 snap_heap_count(const Machine *m);
bool snap_heap(const Machine *m, u32 index, bool want_map, SnapHeap *out); // false while the guest has not made it yet
void snap_heap_free(SnapHeap *h);

// Memory as the guest would read it. Returns false where nothing is mapped.
typedef struct SnapGranule {
    bool is_mapped;
    bool tag;       // capability tag
    u8 mte;         // allocation tag
    u8 bytes[16];
} SnapGranule;
void snap_memory(const Machine *m, u64 addr, u32 n_granules, SnapGranule *out); // addr 16-aligned

// Symbols of the loaded ELF.
typedef struct SnapSymbol {
    char name[64];
    u64 start, size;
    bool is_func, is_c64;
} SnapSymbol;
bool snap_symbol_at(const Machine *m, u64 addr, SnapSymbol *out);     // the one that covers addr
bool snap_symbol_named(const Machine *m, const char *name, SnapSymbol *out);
u32 snap_symbol_count(const Machine *m);
void snap_symbol(const Machine *m, u32 index, SnapSymbol *out); // ascending addresses

#endif
