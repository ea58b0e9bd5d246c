// emit.h: what the files of emission share: from allocated machine code (mir.h) to words in a section.
//
// Order: frame.c gives every slot its place and rewrites slot operands to SP + offset; peep.c improves the result
// (pairs, branches); emit.c writes blocks and patches branches, again with longer ones if some do not reach.
//
//     SP → outgoing arguments | X29, X30 | saved registers | slots, small ones first | ← SP on entry
//          Frame.out_bytes      ↑ X29 points here
#ifndef CAPLAB_CC_EMIT_H
#define CAPLAB_CC_EMIT_H

#include "cc/target.h"
#include "isa/isa.h"

enum { T_F_LONG = 1 << 20 }; // MirInsn.flags: this conditional branch must jump over a B

typedef struct EmitFrame {
    u32 bytes;              // of the whole frame, multiple of 16
    u32 out_bytes;
    bool has_record;        // X29 and X30 are saved, X29 points at them
    bool needs_fp;          // slots are addressed from X29
    u8 saved[32];           // registers in order of their places, pairs first (32+n = Vn)
    u32 n_saved;
    u32 saved_at[32];       // offset from SP
} EmitFrame;

typedef struct EmitFixup {
    u32 at;            // offset of the word
    u8 kind;           // LkRelocKind of the branch, or LK_R_DIFF32: an entry of a jump table
    u32 base;          // of a table: its offset
    const MirBlock *to;
    MirInsn *insn;     // may be asked to be long
} EmitFixup;

struct Emit {
    const Target *t;
    MirFn *fn;
    LkUnit *unit;
    LkSection *out;
    EmitFrame frame;
    u32 *block_at;     // offset of each block, by id
    VEC(EmitFixup) fixups;
    LkPlace at;        // of the instruction in the C source
    bool no_probes;
    bool is_c64;
    Err *err;
    bool failed;
};

u32 emit_symbol(LkUnit *unit, IrSym *sym); // its index in the unit
u32 emit_label(LkUnit *unit, IrBlock *b);  // of an address-taken block

void frame_layout(Emit *e);                // frame.c
void frame_enter(Emit *e);
void frame_leave(Emit *e);                 // up to, not including, the return
void peep_function(Emit *e);               // peep.c

bool emit_function(const Target *t, MirFn *fn, LkUnit *unit, LkSection *out, const CcOptions *opt, Err *err);

// ---- words
static inline u32 emit_here(const Emit *e) { return (u32)e->out->data.len; }
static inline void emit_word(Emit *e, u32 word) { buf_add_int(&e->out->data, word, 4); }
#define EMIT(e, ROW, ...) emit_word((e), ISA_WORD(ROW, __VA_ARGS__))
static inline u32 emit_reg(const MirOpnd *o) { return o->kind == MIR_IMM ? 31 : o->reg & 31; }
void emit_reloc(Emit *e, LkRelocKind kind, IrSym *sym, i64 addend); // at the next word
void emit_branch(Emit *e, LkRelocKind kind, const MirBlock *to, MirInsn *insn); // a fixup at the next word
void emit_constant(Emit *e, u32 reg, bool is_64, u64 v);            // MOVZ, MOVN, ORR, MOVK
void emit_add_sp(Emit *e, u32 rd, u32 rn, i64 imm); // pointer add: X or C registers, SP allowed; any immediate (uses X16)
void emit_access(Emit *e, bool is_load, IrMem mem, bool is_signed, u32 size, u32 rt, u32 base, i64 imm); // any offset
void emit_pair(Emit *e, bool is_load, IrMem mem, u32 rt, u32 rt2, u32 base, i64 imm); // in range
void emit_table(Emit *e, const MirInsn *i, u32 first, u32 table, u32 add); // words: block - table + add
void emit_one(Emit *e, MirInsn *i);

#endif
