// driver.h: from options to a running machine; the one place that does it, for every face. No display code.
//
//     DrvSession *s = drv_open(&opt, "prog.py", args, &err);   // find the kind, build the guest, load it
//     drv_run(s, budget);  drv_report_json(s, &buf);  drv_close(s);
#ifndef CAPLAB_DRIVER_DRIVER_H
#define CAPLAB_DRIVER_DRIVER_H

#include "base/buf.h"
#include "base/err.h"
#include "cc/cc.h"
#include "sim/debug.h"
#include "sim/machine.h"
#include "sim/snapshot.h"
#include "vm/py/py.h"

// Knobs. DRV_KNOBS(X): id, "key", default text, unit, meaning. Every build option of the guest is one; no second list.
#define DRV_KNOBS(X)                                                                                         \
    X(HEAP_BYTES, "vm.heap_bytes", "2M", "bytes", "size of the Python heap")                                   \
    X(BLOCK_RULE, "vm.block_rule", "cap", "word|cap", "GC block = 4 machine words, or 4 pointers")             \
    X(BLOCK_BYTES, "vm.block_bytes", "", "bytes", "GC block size; overrides vm.block_rule")                    \
    X(FRAME_RULE, "vm.frame_rule", "cap", "word|cap", "frame-on-stack limit in words, or in pointers")         \
    X(FRAME_LIMIT, "vm.frame_limit_slots", "11", "slots", "largest frame (state + exception records) kept on the C stack") \
    X(CC_PROFILE, "cc.profile", "ideal", "ideal|llvm-morello", "compiler code habits")
typedef enum DrvKnob {
#define X(id, ...) DRV_KNOB_##id,
    DRV_KNOBS(X)
#undef X
        DRV_KNOB_COUNT
} DrvKnob;

typedef struct DrvKnobInfo {
    const char *key, *standard, *unit, *text; // unit: "bytes", "slots" or the words "a|b"
} DrvKnobInfo;
const DrvKnobInfo *drv_knob_info(DrvKnob k);

typedef enum DrvKind { DRV_PY, DRV_MPY, DRV_C, DRV_S, DRV_ELF } DrvKind;

typedef struct DrvOptions {
    MacAbi abi;
    bool abi_is_set;             // an ELF that says otherwise is a usage error only then
    MacEngine engine;
    bool ssbs;
    u64 seed, memory_bytes, max_insns; // max_insns 0 = none
    bool probes;
    const char *guest_dir;       // --guest-dir, or NULL for the embedded sources
    bool no_guest_probes;        // -fno-probes: build guests without probe notes
    char knob[DRV_KNOB_COUNT][32]; // text; "" = default
    void (*warn)(const Err *warning); // of the compiler about the user's program; NULL = not wanted
} DrvOptions;
void drv_options_init(DrvOptions *o);
bool drv_set(DrvOptions *o, const char *key, const char *value, Err *err); // any option or knob by its --set key

// The Python machine for these knobs as an ELF. *hash (17 bytes) identifies sources + knobs + ABI.
bool drv_build_vm(const DrvOptions *o, Buf *elf, char hash[17], Err *err);

typedef struct DrvSession DrvSession;
DrvSession *drv_open(const DrvOptions *o, const char *path, const char *const *args, Err *err);
void drv_close(DrvSession *s);
Machine *drv_machine(DrvSession *s);
DrvKind drv_kind(const DrvSession *s);
PyModule *drv_module(DrvSession *s);      // the Python program, NULL for other kinds
const char *drv_source(const DrvSession *s, size_t *len); // text of the program, NULL for mpy/elf
const char *drv_path(const DrvSession *s);
const Buf *drv_elf(const DrvSession *s); // what the machine runs
const Buf *drv_mpy(const DrvSession *s); // the Python program as the guest opens it, empty for other kinds
const DrvOptions *drv_options(const DrvSession *s); // abi as the program has it
const char *drv_guest_hash(const DrvSession *s);    // 16 hex digits: identifies the guest program that runs

EvStop drv_run(DrvSession *s, u64 budget); // like mac_run, obeying max_insns

// Where the Python program is: code object, instruction, line. False before the first bytecode and outside.
typedef struct DrvPlace {
    const PyCode *code;
    u32 code_index, insn_index, line;
    u64 frame; // of the interpreter, as its stack pointer at the beginning of a bytecode: a function called from here has a lower one
} DrvPlace;
bool drv_place(DrvSession *s, DrvPlace *out);

// Steps: EV_STOP_PROBE when done, at the beginning of a bytecode; EV_STOP_BUDGET: not yet, call again to go on.
EvStop drv_step_bytecode(DrvSession *s, u64 budget); // to the next vm_dispatch
// To the next bytecode of another Python line than `from` (where the step began; NULL = the next bytecode). is_over: not in what it calls.
EvStop drv_step_line(DrvSession *s, const DrvPlace *from, bool is_over, u64 budget);
bool drv_is_same_line(const DrvPlace *from, const DrvPlace *now, bool is_over); // such a step goes on at `now`

// The same for a C or assembler program, from its line table and of its own file only (a library's lines are none).
bool drv_has_source_lines(DrvSession *s);
bool drv_source_line(DrvSession *s, u64 pc, u32 *line, bool *is_start); // is_start: code of the line begins there
u64 drv_line_address(DrvSession *s, u32 line, u32 *nearest); // where its code begins; 0 = it has none, *nearest has (0: no line has)
bool drv_is_nearer(u32 a, u32 b, u32 line);  // line a is nearer than b (0: none) to a third; the later one of two
bool drv_is_call(const DrvSession *s, u64 pc); // the instruction at pc calls a function

// A fault in words: kind, instruction, register, bounds, symbol, and which object it left. ("card")
void drv_fault_card(DrvSession *s, Buf *out);
// Reports (docs/cli.md), also of a program that has not ended: the counts up to here. command: the words of the command line, for the JSON. seconds: host time of the run.
void drv_report_json(DrvSession *s, EvStop stop, int argc, char **argv, double seconds, Buf *out);
void drv_report_text(DrvSession *s, EvStop stop, double seconds, bool color, Buf *out);
void drv_report_csv(DrvSession *s, EvStop stop, double seconds, Buf *out);

// Golden vectors (tests/data/vectors/FORMAT.md).
typedef struct DrvVectors {
    u64 passed, failed, skipped;
    u64 passed_by_reference; // of the passed ones: where the reference and the architecture differ (docs/decisions/0006)
    u64 skip_no_row, skip_feature;
} DrvVectors;
bool drv_vectors(const char *path, MacEngine engine, DrvVectors *sum, Buf *failures, Err *err);

#endif
