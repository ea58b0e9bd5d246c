// machine_int.h: what a Machine is made of. Private to sim/.
#ifndef CAPLAB_SIM_MACHINE_INT_H
#define CAPLAB_SIM_MACHINE_INT_H

#include "mem/mem.h"
#include "sim/account.h"
#include "sim/cpu.h"
#include "sim/journal.h"
#include "sim/linux.h"
#include "sim/loader.h"
#include "sim/machine.h"

struct Machine {
    MacConfig cfg;
    Mem *mem; // owned
    Cpu *cpu; // owned
    LdrImage image;
    AccKind *probe_kinds; // owned: of image.probes, same index
    Account account;
    Journal journal;
    Linux linux_; // `linux` alone is a macro of the compiler

    bool (*on_probe)(void *ctx, const EvProbe *p);
    void *on_probe_ctx;
    void (*on_warning)(void *ctx, const char *text);
    void *on_warning_ctx;
};

// Says something to the person who runs the machine.
void mac_warn(Machine *m, const char *fmt, ...) PRINTF_LIKE(2, 3);
// How the heap code reads memory; note NULL = no heap there.
HeapPeek mac_heap_peek(const Machine *m, const NoteHeap *note);

// start.c: maps the image and makes the first stack and registers.
bool start_process(Machine *m, const u8 *elf, const char *name, const MacArgs *args, Err *err);

#endif
