// exception.h: taking exceptions and coming back, on the bare machine (Arm ARM AArch64.TakeException, AArch64.ExceptionReturn; Morello's form).
#ifndef CAPLAB_SIM_EXCEPTION_H
#define CAPLAB_SIM_EXCEPTION_H

#include "sim/cpu.h"

// Exception classes (ESR_ELx.EC), as seen from a lower level.
enum {
    EC_UNKNOWN = 0x00, EC_WFX = 0x01, EC_FP = 0x07, EC_ILLEGAL = 0x0e, EC_SVC = 0x15, EC_HVC = 0x16, EC_SMC = 0x17, EC_SYSREG = 0x18,
    EC_FETCH = 0x20, EC_PC_ALIGNMENT = 0x22, EC_DATA = 0x24, EC_SP_ALIGNMENT = 0x26, EC_CAP = 0x29, EC_CAP_SYSREG = 0x2a, EC_BRK = 0x3c,
};

typedef struct Exception {
    u32 el;      // taken to
    u64 esr;     // 0 for an interrupt: no syndrome
    bool has_far;
    u64 far;
    u64 back;    // preferred return address
    u32 offset;  // 0x000 synchronous, 0x080 IRQ, 0x100 FIQ, 0x180 SError
} Exception;

// The level that an exception of the current one goes to when nothing routes it elsewhere.
u32 exc_default_level(const Cpu *cpu);
// Does it. cpu->pc and icount are in step; the run goes on at the vector.
void exc_take(Cpu *cpu, const Exception *e);
// ERET from the current level.
void exc_return(Cpu *cpu);
u32 exc_spsr(const Cpu *cpu); // PSTATE in SPSR's form

#endif
