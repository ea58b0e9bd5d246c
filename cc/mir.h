// mir.h: machine code with virtual registers: what selection makes, the register allocator (rega.c) fills in, emission reads.
//
//     b0:  mov  v64, x0            isel:  ABI registers appear as themselves, around the call only
//          add  v65, v64, #1
//          mov  x0, v65
//          bl   f                  uses {x0}, clobbers {x0-x17, x30, …}
//
// Registers: 0–31 = X0/C0 … X30, 31 = SP (never allocated); 32–63 = V0 … V31; from 64 on virtual. A GPR vreg with is_cap holds a
// capability: it spills 16 bytes. There are no tied operands: selection writes `mov d, s` and then an operand that is
// both DEF and USE; the allocator coalesces the move away.
//
// Phis: for each IR phi selection makes a fresh vreg t; at the end of each predecessor (before its terminator and the
// compare fused with it) it emits `t = value` (a move, or the constant itself), and at the head of the block `v = t`.
// Since every t is fresh, order does not matter. Coalescing removes nearly all of these.
//
// Rematerialisation: an instruction with MIR_F_REMAT has one DEF and no register USE but SP (constants, addresses of
// globals and slots): the allocator may repeat it instead of spilling.
//
// After mir_allocate: every register operand is physical; MIR_F_MOVE with equal registers are gone; fn->used_regs says which
// callee-saved registers the prologue must save; spill slots are in fn->slots; weak operands (probe args) are MIR_REG
// (physical), MIR_SLOT, MIR_IMM or MIR_NONE (lost).
#ifndef CAPLAB_CC_MIR_H
#define CAPLAB_CC_MIR_H

#include "cc/ir.h"

typedef u32 MirReg;
enum { MIR_SP = 31, MIR_V0 = 32, MIR_N_PHYS = 64, MIR_FIRST_VREG = 64, MIR_NO_REG = 0xffffffff };

typedef enum MirKind {
    MIR_NONE,  // a lost probe argument, an absent index
    MIR_REG,   // reg
    MIR_IMM,   // imm
    MIR_SYM,   // sym + imm
    MIR_BLOCK, // block
    MIR_SLOT,  // slot (index of fn->slots) + imm: emission turns it into SP + offset
    MIR_INARG, // incoming stack argument area + imm
} MirKind;

enum {
    MIR_DEF = 1,
    MIR_USE = 2,
    MIR_EARLY = 4, // a DEF written before the USEs are read: gets a register of its own
    MIR_WEAK = 8,  // probe argument
};

typedef struct MirOpnd {
    u8 kind;  // MirKind
    u8 flags; // MIR_DEF…: of MIR_REG
    u8 size;  // target's own: bytes of the view (4 = W, 8 = X, 16 = C)
    u8 aux;   // target's own: shift, extend
    union {
        MirReg reg;
        u32 slot;
    };
    i64 imm;
    union {
        IrSym *sym;
        struct MirBlock *block;
    };
} MirOpnd;

enum {
    MIR_F_MOVE = 1,   // ops[0] = ops[1], both whole registers of one class
    MIR_F_REMAT = 2,
    MIR_F_CALL = 4,   // clobbers; a point that values in caller-saved registers do not survive
    MIR_F_TERM = 8,   // branch at the end of a block (a block may end in several)
    MIR_F_PROBE = 16, // no code; all operands weak
    MIR_F_TWICE = 32, // a call that may return twice
    MIR_F_LOAD = 64, MIR_F_STORE = 128, MIR_F_VOLATILE = 256, // for the target's peepholes
    MIR_F_SETS_FLAGS = 512, MIR_F_USES_FLAGS = 1024,
};

typedef struct MirInsn {
    u16 op;   // target's opcode
    u16 n_ops;
    u32 flags;
    u64 clobbers;    // physical registers destroyed (not the ones in DEF operands)
    MirOpnd *ops;    // in the arena
    IrLine line;
    u32 id;          // rega's own
    void *aux;       // IrProbe *, IrAsm *, target's own
    struct MirInsn *prev, *next;
} MirInsn;

typedef struct MirBlock {
    u32 id;            // index in fn->blocks
    IrBlock *ir;
    MirInsn *first, *last;
    struct MirBlock **succs, **preds;
    u32 n_succs, n_preds;
    u32 loop_depth;
    double freq;       // IrBlock.freq
    bool is_cold;
    bool address_taken;
    void *aux;         // emission: address
} MirBlock;

typedef struct MirVreg {
    u8 is_fpr;
    u8 is_cap;   // spills 16 bytes; else 8
    u8 no_spill; // made by spilling
    u8 is_careful; // a merge of it made a node that found no register: merge only what is surely harmless
} MirVreg;

typedef struct MirSlot {
    u64 size;
    u32 align;
    bool is_used;
    i64 offset;  // emission's: from SP
} MirSlot;

typedef struct MirFn {
    IrFn *ir;
    MirBlock **blocks; // layout order; [0] = entry
    u32 n_blocks;
    VEC(MirVreg) vregs; // of vreg r: vregs.at[r - 64]
    VEC(MirSlot) slots; // first the IR slots with the same index, then spill slots
    MirBlock *hub;      // IR's hub
    u64 used_regs;      // out: physical registers written anywhere
    bool has_calls;
    Arena *arena;
    void *aux;
} MirFn;

// What the allocator asks of a target.
typedef struct MirTarget {
    u64 allocatable;         // physical registers it may hand out (both classes)
    u64 callee_saved;        // preferred across calls only
    const u8 *order;         // physical registers in order of preference, 0xff ends
    const char *(*op_name)(u16 op);
    // New instructions, not yet in a block.
    MirInsn *(*make_move)(MirFn *fn, MirReg dst, MirReg src, bool is_fpr, bool is_cap);
    MirInsn *(*make_reload)(MirFn *fn, MirReg dst, u32 slot, bool is_fpr, bool is_cap);
    MirInsn *(*make_spill)(MirFn *fn, MirReg src, u32 slot, bool is_fpr, bool is_cap);
} MirTarget;

// ---- mir.c: building
MirFn *mir_fn_new(IrFn *ir);         // one MirBlock per IrBlock with the same index, edges and loop depths; IR slots copied
MirReg mir_vreg(MirFn *fn, bool is_fpr, bool is_cap);
MirInsn *mir_insn(MirFn *fn, u16 op, u32 n_ops); // not in a block yet
void mir_append(MirBlock *b, MirInsn *i);
void mir_insert_before(MirBlock *b, MirInsn *at, MirInsn *i); // at NULL = at the end
void mir_insert_after(MirBlock *b, MirInsn *at, MirInsn *i);  // at NULL = at the head
void mir_remove(MirBlock *b, MirInsn *i);
static inline MirOpnd mir_def(MirReg r, u8 size) { return (MirOpnd){.kind = MIR_REG, .flags = MIR_DEF, .size = size, .reg = r}; }
static inline MirOpnd mir_use(MirReg r, u8 size) { return (MirOpnd){.kind = MIR_REG, .flags = MIR_USE, .size = size, .reg = r}; }
static inline MirOpnd mir_imm(i64 v) { return (MirOpnd){.kind = MIR_IMM, .imm = v}; }
static inline MirOpnd mir_block(MirBlock *b) { return (MirOpnd){.kind = MIR_BLOCK, .block = b}; }
static inline MirOpnd mir_sym(IrSym *s, i64 add) { return (MirOpnd){.kind = MIR_SYM, .sym = s, .imm = add}; }
static inline MirOpnd mir_slot(u32 slot, i64 add) { return (MirOpnd){.kind = MIR_SLOT, .slot = slot, .imm = add}; }

// ---- rega*.c
void mir_allocate(MirFn *fn, const MirTarget *t);
// After allocation, before the target's peepholes and its dropping of branches to the next block: copies the hub (its code
// and IBR) over each jump to the hub. Until emission no block falls through: selection writes every jump, the last
// MIR_F_TERM of a block having the target block as its only operand.
void mir_duplicate_hub(MirFn *fn);

void mir_dump(const MirFn *fn, const MirTarget *t, Buf *out);

#endif
