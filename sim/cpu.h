// cpu.h: the core's state, and how the rest of sim/ reaches it. Private to sim/; others look through debug.h and snapshot.h.
//
//     Cpu *c = cpu_new(mem, CPU_ENGINE_TAIL);
//     cpu_set_cap(c, CPU_CSP, sp);  cpu_jump(c, pcc, /*c64*/ true);
//     EvStop why = cpu_run(c, 1000);      // exactly 1000 instructions if why is EV_STOP_BUDGET
//
// A register is its value, its upper word and one *kind byte* that says what is known about it. An X write stores value and
// a zero kind and touches nothing else: then the upper word reads as 0 whatever `meta` holds. Bounds are decoded on first use and
// kept (base, top); they are a cache and enter no hash, checkpoint or snapshot.
//
// While the engine runs, cpu.pc and cpu.icount are stale; they are right in every hook and after cpu_run.
#ifndef CAPLAB_SIM_CPU_H
#define CAPLAB_SIM_CPU_H

#include "base/notes.h"
#include "isa/cap.h"
#include "mem/mem.h"
#include "sim/event.h"
#include "sim/sysreg.h"

// Kind bits. A plain integer is 0. The four access bits imply DECODED: tagged, unsealed, valid bounds below bit 55 (or
// bounds that do not depend on the value), so one bit test and two compares are the whole check.
enum {
    REG_TAG = 1,         // bit 0, as in the tag bytes of memory
    REG_DECODED = 2,     // base and top are right
    REG_SMOOTH = 4,      // decoded, tagged, unsealed: an address change that stays in [base, top] keeps tag and bounds
    REG_LOAD = 8,        // smooth, with Load
    REG_STORE = 16,      // smooth, with Store
    REG_LOAD_CAP = 32,   // REG_LOAD, with LoadCap and MutableLoad: a loaded capability passes unchanged
    REG_STORE_CAP = 64,  // REG_STORE, with StoreCap and StoreLocal: any capability may be stored
    REG_META = 128,      // the sign: `meta` holds bits 127:64 (else they are 0)
    REG_ACCESS = REG_LOAD | REG_STORE | REG_LOAD_CAP | REG_STORE_CAP, // CSP has none while it is misaligned (SCTLR.SA0)
    REG_RAW = REG_META | REG_TAG, // a capability that was loaded, its bounds not asked for yet
};

typedef struct Reg {
    u64 value, meta;
    u64 base, top; // decoded bounds; top saturates at 2^64-1 (a failing fast check asks the exact one)
    u8 kind;       // REG_*
} Reg;
static_assert(sizeof(Reg) == 40, "Op slots are byte offsets of these");

// Mode word: everything a decoder or a body may assume. Blocks are keyed on (pc, mode word, PCC bounds).
enum {
    MODE_EL = 3,             // exception level
    MODE_C64 = 1 << 2,
    MODE_RESTRICTED = 1 << 3,
    MODE_SPSEL = 1 << 4,     // SP_ELn in use (never at EL0)
    MODE_DDCBO = 1 << 5, MODE_PCCBO = 1 << 6, MODE_ADRDPB = 1 << 7, MODE_SBL = 1 << 8, MODE_PERMVCT = 1 << 9,
    MODE_TBI = 1 << 10,          // the top byte of low addresses is ignored
    MODE_DDC_ALMIGHTY = 1 << 11, // integer-based accesses skip the DDC check
    MODE_ALIGN_CHECK = 1 << 12,  // SCTLR.A
    MODE_FP_SPECIAL = 1 << 13,   // FPCR is not 0: floating point takes its slow instances
    MODE_CHECK_SP = 1 << 14,     // SCTLR.SA or SA0: a misaligned SP is no base
    MODE_CAP_TRAP = 1 << 15,     // capability instructions trap (CPACR_EL1, CPTR_ELx)
    MODE_FP_TRAP = 1 << 16,      // floating point and SIMD do
    MODE_TBI_HIGH = 1 << 17,     // the top byte of high addresses (bit 55) is ignored
    MODE_IL = 1 << 18,           // PSTATE.IL: nothing may be executed
    MODE_TRAPS = MODE_CAP_TRAP | MODE_FP_TRAP | MODE_IL,
};

typedef struct Block Block;
typedef struct Op Op;
typedef struct Cpu Cpu;
typedef struct CpuContext CpuContext;
typedef struct Account Account;

// What a system call answers the engine.
typedef enum CpuSvc {
    CPU_SVC_DONE,  // go on behind the SVC
    CPU_SVC_STOP,  // the SVC is done; return from cpu_run with cpu->stop
    CPU_SVC_RETRY, // not done (it waits): pc back on the SVC, not counted, return with cpu->stop
} CpuSvc;

// A probe pc. cpu_set_probes copies the array; several probes may share a pc (they fire in array order).
typedef struct CpuProbe {
    u64 pc;
    u32 id;        // the owner's number for it
    bool is_dispatch; // vm_dispatch with account set: acc_dispatch is done in place (arg 0 opcode, arg 1 ip)
    u32 n_args;
    NoteProbeArg arg[EV_PROBE_MAX_ARGS];
} CpuProbe;

typedef struct CpuHooks {
    void *ctx;
    // SVC: registers and memory may be changed freely; cpu->pc is behind the SVC, cpu->icount counts it. Blocks may be flushed.
    CpuSvc (*on_svc)(void *ctx, Cpu *cpu, u32 imm);
    // A probe fired: pc and icount are those before the instruction. Arguments are read with cpu_probe_arg. Must not
    // change registers. Returning true stops cpu_run right there with EV_STOP_PROBE (the probe has fired, it does
    // not fire again when the run goes on).
    bool (*on_probe)(void *ctx, Cpu *cpu, const CpuProbe *p);
} CpuHooks;

// Counters of SnapCounters, in the same units.
typedef struct CpuCounts {
    u64 insns_c64, loads, stores, cap_loads, cap_stores;
} CpuCounts;

// CPU_SMOOTH_SHIFT: the upper word from here on holds all permissions that the kind depends on.
enum { CPU_JUMP_CACHE = 2048, CPU_TABLE_JUMPS = 1024, CPU_MAX_BREAKS = 64, CPU_SMOOTH_SHIFT = 52 };

// What decoded code may depend on besides pc. Equal contents are the same object, so pointers are compared.
struct CpuContext {
    u32 mode;
    bool tag;        // PCC's
    u64 meta;        // PCC's upper word
    u64 base, top;   // its bounds; top saturates
    EvFaultKind refuse; // why no fetch is allowed at all, or EV_FAULT_NONE
};

// A branch to the capability (block's pc + 1, meta) from the block's own context goes to the block.
typedef struct CpuCapJump {
    u64 meta;
    Block *block;
} CpuCapJump;

// Stack pointers and DDCs: of the levels, and Restricted's.
enum { CPU_BANK_EL0, CPU_BANK_EL1, CPU_BANK_EL2, CPU_BANK_EL3, CPU_BANK_RESTRICTED, CPU_BANKS };

// PSTATE without NZCV, C64 (mode word) and SSBS, TCO.
typedef struct CpuPstate {
    u8 el, sp; // sp: SPSel
    u8 daif;   // D = 8, A = 4, I = 2, F = 1
    bool pan, uao, il, ss;
} CpuPstate;

struct Cpu {
    // ---- hot: bodies reach these by small offsets
    i64 budget;     // instructions that may still be started, counted down at block entry
    u64 icount_end; // instruction count when budget is 0 (so icount = icount_end - budget - rest of the block)
    u64 flag_n;     // N is its top bit
    u64 flag_z;     // Z is flag_z == 0
    u8 flag_c, flag_v;
    u32 mode;       // MODE_*
    Reg r[31];      // X/C 0..30
    Reg sp;         // SP/CSP of the current bank; slot 31 of r
    Reg zero;       // XZR/CZR as a source; never written
    Reg sink;       // XZR/CZR as a destination; never read
    Reg ddc;        // of the current bank
    struct { u64 lo, hi; } v[32];
    Reg branch_target; // loaded by a memory-indirect branch
    Reg pcc_auth;   // PCC as the authority of a literal load, while one is on the slow way
    CpuContext *context; // mode word and PCC without its value, interned: one pointer compare is the whole block key
    u64 pc;         // stale inside a block
    Block *jump_cache[CPU_JUMP_CACHE];         // by pc
    CpuCapJump cap_jump_cache[CPU_JUMP_CACHE]; // by capability
    CpuCapJump table_jump_cache[CPU_TABLE_JUMPS]; // by the address that the capability came from
    u8 smooth_kind[1 << (64 - CPU_SMOOTH_SHIFT)]; // kind of a smooth register, by its upper word >> CPU_SMOOTH_SHIFT
    u8 bounce[64];  // an access that crosses a page is gathered here
    MemTlb tlb;

    // ---- other architectural state
    CpuPstate pstate;
    u8 bank;                 // whose registers sp and ddc are: CPU_BANK_*
    Reg sp_bank[CPU_BANKS], ddc_bank[CPU_BANKS]; // of the others
    Reg opened;              // base of a memory-indirect branch while it is used, unsealed; really register opened_for
    const Reg *opened_for;
    Reg tpidr[4], rtpidr, tpidrro, cid; // CTPIDR_ELn, RCTPIDR_EL0, CTPIDRRO_EL0, CID_EL0
    Reg elr[4], vbar[4];     // CELR_ELn, CVBAR_ELn; 1 to 3
    u64 sys[SYS_COUNT];      // what is not kept elsewhere
    u32 fpcr, fpsr;
    bool ssbs, tco;
    u64 monitor_addr;        // exclusive monitor; ~0 = open
    u32 monitor_size;
    u64 icount;              // instructions retired
    u64 n_exceptions;        // taken by instructions that did not retire
    EvFault fault;           // after EV_STOP_FAULT
    EvStop stop;             // set by whoever ends the run

    // ---- not architectural
    bool is_bare;            // exceptions are taken (to EL1 to EL3); else they stop the run, as a process under Linux
    bool stxp_keeps_tag;     // as the golden vectors' reference does (docs/decisions/0006)
    Mem *mem;
    CpuHooks hooks;
    Account *account;        // for is_dispatch probes; NULL = they go to on_probe
    const struct ExecRow *const *exec; // body table of the engine in use
    volatile bool is_stop_requested;
    bool is_flush_pending, is_running;
    bool is_stopping;        // the body that left the blocks ends the run with `stop`
    struct { bool skip_break; u32 n_probes; u64 pc; } resume; // the instruction at pc: breakpoint and so many probes were seen
    CpuCounts folded;        // of blocks that are gone, and corrections of early exits
    u32 n_breaks;
    u64 breaks[CPU_MAX_BREAKS];
    struct BlockCache *blocks;
    VEC(CpuProbe) probes;    // sorted by pc
};

// An address as it is compared with bounds and translated: without the top byte where that is ignored.
static inline u64 cpu_strip(const Cpu *cpu, u64 addr)
{
    return cpu->mode & (addr >> 55 & 1 ? MODE_TBI_HIGH : MODE_TBI) ? (u64)((i64)(addr << 8) >> 8) : addr;
}

static_assert(offsetof(Cpu, tlb) % sizeof(MemTlbEntry) == 0, "else gcc finds a longer way to an entry");

typedef enum CpuEngine { CPU_ENGINE_TAIL, CPU_ENGINE_LOOP } CpuEngine; // TAIL is LOOP in debug and sanitizer builds
Cpu *cpu_new(Mem *mem, CpuEngine engine);
void cpu_free(Cpu *cpu);
// Process state of Linux/AArch64 at EL0: registers null, PCC and DDC almighty, A64 state, flags 0.
void cpu_reset(Cpu *cpu);
// Reset of the architecture: EL3, everything masked, capability access off until CPTR_EL3.EC is set. PCC is 0 and almighty.
void cpu_reset_bare(Cpu *cpu);

// ---- registers from outside (not while a block runs, except in the hooks)
typedef enum CpuReg {
    CPU_C0 = 0, CPU_CSP = 31, CPU_PCC, CPU_DDC, CPU_RSP, CPU_RDDC, CPU_CTPIDR, CPU_CID, // CSP, DDC: of the bank that Executive has now
    CPU_CSP_EL0, CPU_CSP_EL1, CPU_CSP_EL2, CPU_CSP_EL3, CPU_DDC_EL0, CPU_DDC_EL1, CPU_DDC_EL2, CPU_DDC_EL3,
    CPU_CELR_EL1, CPU_CELR_EL2, CPU_CELR_EL3, CPU_CVBAR_EL1, CPU_CVBAR_EL2, CPU_CVBAR_EL3, CPU_REG_COUNT
} CpuReg;
Cap cpu_get_cap(const Cpu *cpu, CpuReg r);
void cpu_set_cap(Cpu *cpu, CpuReg r, Cap c); // CPU_PCC: the C64 state stays
static inline u64 cpu_get_x(const Cpu *cpu, u32 n) { return cpu->r[n].value; } // n 0..30
static inline void cpu_set_x(Cpu *cpu, u32 n, u64 v) { cpu->r[n].value = v, cpu->r[n].kind = 0; }
void cpu_jump(Cpu *cpu, Cap pcc, bool c64);  // next instruction
bool cpu_get_c64(const Cpu *cpu);
u8 cpu_get_nzcv(const Cpu *cpu);             // N=8 Z=4 C=2 V=1
void cpu_set_nzcv(Cpu *cpu, u8 nzcv);
void cpu_set_fpcr(Cpu *cpu, u32 v);
void cpu_set_pstate(Cpu *cpu, CpuPstate p);
u64 cpu_sctlr(const Cpu *cpu);       // SCTLR and CCTLR of the current level
u64 cpu_cctlr(const Cpu *cpu);
// The value of a branch target as PCC gets it (vb: BranchAddr): where the top byte is ignored, it becomes the extension of bit 55.
u64 cpu_branch_address(const Cpu *cpu, u64 target);
void cpu_refresh_mode(Cpu *cpu);     // after a change of what the mode word says (DDC, PSTATE, controls)
bool cpu_may_set_tags(const Cpu *cpu); // SCTAG, STCT: PCC has System, and no higher level forbids it
bool cpu_is_el2_on(const Cpu *cpu);  // SCR_EL3.NS: there is no secure EL2
// Which level a capability (or floating point) instruction at `el` traps to; 0 = it does not.
u32 cpu_cap_trap(const Cpu *cpu, u32 el);
u32 cpu_fp_trap(const Cpu *cpu, u32 el);
Cap reg_to_cap(const Reg *r);
Reg reg_from_cap(Cap c);

// ---- running
// Runs at most budget instructions. EV_STOP_BUDGET: exactly budget were executed. EV_STOP_FAULT: cpu->fault is filled, pc and registers
// are as before the faulting instruction. Others: as hooks, breakpoints and cpu_request_stop ask.
EvStop cpu_run(Cpu *cpu, u64 budget);
void cpu_request_stop(Cpu *cpu); // EV_STOP_REQUEST at the next slice (≤ 2^20 instructions); safe in a signal handler
CpuCounts cpu_counts(const Cpu *cpu);
void cpu_flush_blocks(Cpu *cpu); // all decoded blocks; at once if idle, else before the next block
void cpu_break_add(Cpu *cpu, u64 pc); // stops before the instruction at pc; a run that starts there first executes it
void cpu_break_remove(Cpu *cpu, u64 pc);
void cpu_set_probes(Cpu *cpu, const CpuProbe *probes, u32 n);
// The value of an argument now; false = lost.
bool cpu_probe_arg(const Cpu *cpu, const NoteProbeArg *arg, u64 *value);

#endif
