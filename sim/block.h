// block.h: decoded blocks: from guest words to arrays of Op, kept by (pc, context). Private to the engine.
#ifndef CAPLAB_SIM_BLOCK_H
#define CAPLAB_SIM_BLOCK_H

#include "base/arena.h"
#include "sim/exec.h"

enum { BLOCK_HASH = 1 << 13, CONTEXT_HASH = 256 };

typedef struct ContextNode {
    CpuContext c;
    struct ContextNode *next;
} ContextNode;

typedef struct BlockCache {
    Block *hash[BLOCK_HASH];
    Block *all;
    ContextNode *context[CONTEXT_HASH];
    u32 n_contexts;
    u64 bytes;
    Arena arena;      // blocks, their contexts and constants
    Block *none;      // what empty jump-cache entries point to: matches no address
    Block *scratch;   // one-off block: single steps, ends of budgets, resumption at a breakpoint
    bool is_tail;     // which instances of pseudo-operations to use
} BlockCache;

void block_cache_new(Cpu *cpu, bool is_tail);
void block_cache_free(Cpu *cpu);
void block_cache_flush(Cpu *cpu);
CpuContext *block_intern_context(Cpu *cpu, Cap pcc, u32 mode);
void block_fold(Cpu *cpu, Block *b);  // its executions into cpu->folded

Block *block_find(Cpu *cpu, u64 pc);  // in the current context; decodes if new
// One instruction, for one use: without the breakpoint at it, without its first skip_probes probes.
Block *block_one(Cpu *cpu, u64 pc, bool skip_break, u32 skip_probes);

// New PCC and state: mode word, banks, context, pc.
void cpu_enter_context(Cpu *cpu, Cap pcc, bool c64);

// What a plan may ask and set besides the Op.
typedef struct Plan {
    Cpu *cpu;
    const CpuContext *context;
    u32 mode;
    u64 pc;              // of the instruction
    const IsaInsn *insn;
    const IsaRowInfo *info;
    bool uses_block;     // op->block wanted (GOTO)
    bool force_slow;     // use the slow instance
    u64 target;          // of a direct branch
    Reg lr;              // what a call writes to C30
} Plan;
enum { PLAN_UNDEFINED = -1 }; // the operands are reserved: UNDEFINED
// Fills op (slots, immediates) and returns the variant number.
typedef int PlanFn(Plan *p, Op *op);

// Helpers for plans.
u16 plan_slot_zr_source(u32 n);  // 31 = zero
u16 plan_slot_zr_dest(u32 n);    // 31 = sink
u16 plan_slot_sp(u32 n);         // 31 = SP
u16 plan_slot_v(u32 n);
u32 plan_base(Plan *p, Op *op);  // n, x and the authority; returns AUTH * 4
Cap plan_pcc(const Plan *p);     // PCC with this instruction's address
const Reg *plan_constant(Plan *p, Cap c); // lives as long as the block
void plan_link(Plan *p, bool as_cap);     // fills p->lr

extern PlanFn *const plan_table[ISA_PLAN_COUNT];
// Pseudo-operations of each engine (exec_pseudo.c).
extern ExecFn *const exec_pseudo_loop[], *const exec_pseudo_tail[];
enum { PSEUDO_END, PSEUDO_FETCH_FAULT, PSEUDO_UNDEFINED, PSEUDO_BREAK, PSEUDO_PROBE, PSEUDO_DISPATCH, PSEUDO_SP_WRITTEN, PSEUDO_TRAP };

#endif
