// event.h: what happened in the machine, as plain data: faults, probes that fired, system calls, output, stops.
#ifndef CAPLAB_SIM_EVENT_H
#define CAPLAB_SIM_EVENT_H

#include "isa/cap.h"

// Why mac_run returned. STOPS(X): NAME, text
#define EV_STOPS(X)                                                                                          \
    X(BUDGET, "the given number of instructions was executed") X(EXIT, "the guest ended")                      \
    X(FAULT, "uncaught guest fault") X(LIMIT, "instruction limit (--max-insns)")                               \
    X(BREAKPOINT, "breakpoint") X(WATCHPOINT, "watchpoint") X(PROBE, "stop requested at a probe")              \
    X(INPUT, "the guest waits for input") X(OUTPUT, "much output waits to be taken") X(REQUEST, "stop requested")
typedef enum EvStop {
#define X(name, text) EV_STOP_##name,
    EV_STOPS(X)
#undef X
} EvStop;

// Fault kinds, in the words of the Arm manual. EV_FAULTS(X): NAME, "kind" in JSON, DFSC/IFSC or -1
#define EV_FAULTS(X)                                                                                         \
    X(NONE, "none", -1) X(CAP_TAG, "capability tag", 0x28) X(CAP_SEALED, "capability sealed", 0x29)            \
    X(CAP_BOUNDS, "capability bounds", 0x2a) X(CAP_PERM, "capability permission", 0x2b)                        \
    X(CAP_PAGE, "capability page permission", 0x2c) X(TRANSLATION, "translation", 0x07)                        \
    X(PERMISSION, "permission", 0x0f) X(ALIGNMENT, "alignment", 0x21) X(MTE_TAG, "MTE tag check", 0x11)        \
    X(UNDEFINED, "undefined instruction", -1) X(PC_ALIGNMENT, "PC alignment", -1)                              \
    X(SP_ALIGNMENT, "SP alignment", -1) X(SYSTEM, "system register trap", -1) X(BREAK, "breakpoint instruction", -1) \
    X(UNIMPLEMENTED, "instruction not in this build", -1) X(CAP_ACCESS, "capability access trap", -1)           \
    X(FP_ACCESS, "floating-point access trap", -1) X(CAP_SYSTEM, "capability system register trap", -1)         \
    X(ILLEGAL, "illegal execution state", -1) X(SMC_TRAP, "trapped SMC", -1)
typedef enum EvFaultKind {
#define X(name, text, code) EV_FAULT_##name,
    EV_FAULTS(X)
#undef X
} EvFaultKind;

typedef struct EvFault {
    EvFaultKind kind;
    u64 pc;            // of the instruction (state is as before it)
    u64 address;       // accessed or fetched address
    u32 size_bytes;    // of the access
    bool is_write, is_fetch;
    bool is_maintenance; // by DC or IC
    i8 reg;            // register that gave the authority: 0..30 Cn, 31 CSP, 32 DDC, 33 PCC; -1 none
    Cap cap;           // its value
    u32 insn;          // the word
    u64 esr, far;      // syndrome as an EL1 would see it
} EvFault;

#define EV_PROBE_MAX_ARGS 4
typedef struct EvProbe {
    const char *name;  // borrowed from the machine
    u64 pc, insns;     // instruction count when it fired
    u32 n_args;
    u64 arg[EV_PROBE_MAX_ARGS];
    u8 lost;           // bit i: argument i was lost
} EvProbe;

#endif
