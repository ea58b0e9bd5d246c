// machine.h: the machine as its users see it: make one, load a guest, run it, ask what happened.
//
//     Machine *m = mac_new(&cfg);
//     mac_load(m, elf, len, &args, &err);  mac_run(m, ~0ULL);  mac_exit_status(m);  mac_free(m);
//
// One thread. Nothing here blocks: guest input and output are buffers, and waiting for input is a stop reason. Two machines
// may live in one process. The registers and the block cache are private (cpu.h); looking inside goes through debug.h.
#ifndef CAPLAB_SIM_MACHINE_H
#define CAPLAB_SIM_MACHINE_H

#include "base/buf.h"
#include "base/err.h"
#include "sim/event.h"

typedef struct Machine Machine;

typedef enum MacEngine { MAC_ENGINE_FAST, MAC_ENGINE_LOOP } MacEngine;
typedef enum MacAbi { MAC_HYBRID, MAC_PURECAP } MacAbi;

typedef struct MacConfig {
    u64 memory_bytes; // most guest memory that may be mapped; 0 = 256 MiB
    u64 stack_bytes;  // a power of two from 64 KiB to 16 MiB, all of it mapped at the start; 0 = 8 MiB
    u64 seed;         // 0 = 1
    MacEngine engine;
    bool ssbs;        // PSTATE.SSBS at entry
    bool probes;      // account opcodes and heaps, deliver probe events
} MacConfig;

typedef struct MacArgs {
    const char *const *argv; // NULL-terminated, argv[0] the program
    const char *const *envp; // NULL = empty
} MacArgs;

Machine *mac_new(const MacConfig *cfg);
void mac_free(Machine *m);

// A file the guest can open by this name, served from memory (copied). The host's files are visible only below mac_set_root.
void mac_add_file(Machine *m, const char *name, const u8 *bytes, size_t len);
void mac_set_root(Machine *m, const char *host_dir); // read-only host directory for openat; NULL = none (default)

// Loads a static AArch64 ELF (hybrid or purecap by its flag) and prepares process start (Linux; PCuABI for purecap).
bool mac_load(Machine *m, const u8 *elf, size_t len, const char *name, const MacArgs *args, Err *err);
MacAbi mac_abi(const Machine *m);

// Runs at most budget instructions. Exact: after EV_STOP_BUDGET exactly budget more are counted.
EvStop mac_run(Machine *m, u64 budget);
void mac_request_stop(Machine *m); // takes effect at the next block
u64 mac_insns(const Machine *m);

int mac_exit_status(const Machine *m);       // after EV_STOP_EXIT
const EvFault *mac_fault(const Machine *m);  // after EV_STOP_FAULT

// Guest output so far on fd 1 and 2, in order; take empties it. Input is appended; eof tells that no more comes.
void mac_take_output(Machine *m, Buf *out, int *fd); // one chunk of one descriptor; *fd = 0 when there is none
void mac_add_input(Machine *m, const u8 *bytes, size_t len, bool eof);

// Called at every probe while set (slow; for stepping and tools). Return true to stop right there.
void mac_on_probe(Machine *m, bool (*fn)(void *ctx, const EvProbe *p), void *ctx);
// Called for warnings meant for a person ("unknown system call 99"), once per kind.
void mac_on_warning(Machine *m, void (*fn)(void *ctx, const char *text), void *ctx);

#endif
