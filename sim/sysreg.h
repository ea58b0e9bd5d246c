// sysreg.h: the system registers: a number each, where they are kept, who may access them.
//
// Most are plain storage (cpu->sys[SYS_TTBR0_EL1]). Those that other state makes (NZCV, CurrentEL), that a write changes more by, or
// that have a name for the register of another level are in s_special of sysreg.c.
#ifndef CAPLAB_SIM_SYSREG_H
#define CAPLAB_SIM_SYSREG_H

#include "base/base.h"
#include "sim/event.h"

typedef struct Cpu Cpu;

typedef enum SysReg {
#define SYSREG(name, ...) SYS_##name,
#include "isa/def/sysregs.def"
#undef SYSREG
    SYS_COUNT
} SysReg;

// Bits that decide elsewhere than in the registers' own access rules.
enum {
    SCTLR_M = 1 << 0, SCTLR_A = 1 << 1, SCTLR_SA = 1 << 3, SCTLR_SA0 = 1 << 4, SCTLR_NTWI = 1 << 16, SCTLR_NTWE = 1 << 18,
    SCTLR_SPAN = 1 << 23, SCTLR_DZE = 1 << 14, SCTLR_UCT = 1 << 15, SCTLR_UCI = 1 << 26,
    CCTLR_DDCBO = 1 << 2, CCTLR_PCCBO = 1 << 3, CCTLR_ADRDPB = 1 << 4, CCTLR_C64E = 1 << 5, CCTLR_PERMVCT = 1 << 6, CCTLR_SBL = 1 << 7,
    SCR_NS = 1 << 0, SCR_SMD = 1 << 7, SCR_HCE = 1 << 8,
    CPTR_CAP = 1 << 9, CPTR_TFP = 1 << 10, // CPTR_EL2: TC, TFP trap; CPTR_EL3: EC = 0 and TFP = 1 trap
    HCR_TGE = 1 << 27, HCR_TSC = 1 << 19, HCR_TIDCP = 1 << 20,
};
#define SCTLR_DSSBS (1ULL << 44)
#define TCR_TBI0    (1ULL << 37) // of TCR_EL1
#define TCR_TBI1    (1ULL << 38)
#define TCR_TBI     (1ULL << 20) // of TCR_EL2, TCR_EL3

enum {
    SYS_OP_COUNT = 0
#define SYSREG(...)
#define SYSOP(...) + 1
#include "isa/def/sysregs.def"
#undef SYSOP
#undef SYSREG
};

// By number (key: o0:op1:CRn:CRm:op2), of MRS and MSR (kind 'X') or of their capability forms ('C'); SYS_COUNT = none.
enum { SYS_KEY_BITS = 15 };
u32 sys_find(char kind, u32 key);
u32 sys_find_op(u32 key); // an operation under SYS; SYS_OP_COUNT = none

// What happens to an access at the current level: EV_FAULT_NONE, or the fault and the level it traps to (0: where this level's faults go).
typedef struct SysDenied {
    EvFaultKind kind;
    u32 el;
} SysDenied;
SysDenied sys_check(const Cpu *cpu, SysReg r, bool is_write);
SysDenied sys_check_op(const Cpu *cpu, u32 op);

u64 sys_read(Cpu *cpu, SysReg r);           // cpu->icount must be right
void sys_write(Cpu *cpu, SysReg r, u64 v);  // cpu->pc must be right: the mode word may change
struct Reg *sys_cap(Cpu *cpu, SysReg r);    // where a capability register is kept; NULL = it is none

// What the operations under SYS do. SYS_ACTIONS(X): NAME
#define SYS_ACTIONS(X)                                                                                       \
    X(NOTHING) X(DC_VA) X(DC_IVAC) X(DC_ZVA) X(DC_GVA) X(DC_GZVA) X(IC_VA) X(IC_ALL) X(TLBI) X(AT)
typedef enum SysAction {
#define X(name) SYS_ACTION_##name,
    SYS_ACTIONS(X)
#undef X
} SysAction;
SysAction sys_action(u32 op);

#endif
