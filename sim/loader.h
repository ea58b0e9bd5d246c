// loader.h: from the bytes of an ELF file to a checked description: segments, symbols, probes, heaps. No machine here;
// start.c maps the segments and makes the first stack.
//
//     LdrImage img;
//     if (!ldr_parse(bytes, len, "a.elf", &img, &err)) …;   ldr_free(&img);
#ifndef CAPLAB_SIM_LOADER_H
#define CAPLAB_SIM_LOADER_H

#include "base/elf.h"
#include "base/err.h"
#include "base/notes.h"
#include "sim/event.h"
#include "sim/machine.h"
#include "sim/symbols.h"

enum { LDR_PAGE = 4096 };

typedef struct LdrSegment {
    u64 vaddr, memsz;
    u64 offset, filesz; // within the file, checked
    u32 flags;          // ELF_PF_*
} LdrSegment;

typedef struct LdrProbe {
    const char *name;
    u64 pc;
    u32 order;  // as in the file; decides between probes of one pc
    u32 n_args; // at most EV_PROBE_MAX_ARGS; more in the note are dropped
    NoteProbeArg arg[EV_PROBE_MAX_ARGS];
} LdrProbe;

typedef struct LdrImage {
    MacAbi abi;
    u64 entry;            // bit 0 clear
    bool entry_c64;
    u64 low, high;        // page-rounded span of all segments
    u64 rx_low, rx_high;  // what PCC covers: page-rounded, from the first segment with X to the end (the GOT lies behind the code)
    u64 phdr;             // address of the program headers in memory, 0 if they are not loaded
    u32 phnum;
    VEC(LdrSegment) segments; // ascending, not overlapping
    VEC(LdrProbe) probes;     // ascending pc
    VEC(NoteHeap) heaps;
    SymTable symbols;
    Arena arena;          // names
} LdrImage;

// Fills *out from a static little-endian AArch64 executable. Every field is checked; false and *err (status 65) if the
// file is truncated, foreign, dynamic or contradicts itself. Borrows nothing of `elf`.
bool ldr_parse(const u8 *elf, size_t len, const char *name, LdrImage *out, Err *err);
void ldr_free(LdrImage *img);

#endif
