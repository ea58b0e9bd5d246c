// isel.h: what the files of instruction selection share.
//
// Blocks are taken in post-order and their instructions backwards, so every use is seen before its definition: a value is
// computed only if some use asked for it (isel_use), and a use that swallowed it (a shift in an add, a compare in a branch,
// an address in a load) does not ask. New instructions go before Isel.at: the first instruction selected so far.
//
//     IR   %2 = shl %1, 3      selected backwards: ldr wants [base, x, lsl #3], uses base and %1;
//          %3 = cadd %0, %2    cadd and shl are not asked for any more and make nothing
//          %4 = load 64 %3
#ifndef CAPLAB_CC_ISEL_H
#define CAPLAB_CC_ISEL_H

#include "cc/target.h"

struct Isel {
    const Target *t;
    IrModule *module;
    IrFn *ir;
    MirFn *fn;
    IrBlock *ir_block;
    MirBlock *b;
    MirInsn *at;     // new instructions go before it; NULL = at the end of the block
    MirReg *vregs;   // by value id; 0 = none yet
    MirReg *phi_in;  // by id of the phi: the register its predecessors write
    IrInsn **load_into; // by id of a load: the extension of its value that the load does
    MirInsn *asm_insn;  // the asm whose results are being taken
    bool *is_needed; // by id: some use wants the value in a register
    bool is_c64, llvm_habits;
    IrLine line;
};

MirFn *isel_function(const Target *t, IrModule *m, IrFn *ir);

// ---- values
MirReg isel_reg(Isel *s, IrInsn *v);                 // the register of v; asks for v
MirOpnd isel_use(Isel *s, IrInsn *v);                // as operand of its own size; looks through free conversions
MirOpnd isel_use_size(Isel *s, IrInsn *v, u8 size);  // as a view of `size` bytes
MirOpnd isel_use_or_zero(Isel *s, IrInsn *v, u8 size); // the zero register if v is constant 0
MirReg isel_weak_reg(const Isel *s, IrInsn *v);       // the register v has anyway, 0 = none
MirReg isel_new(Isel *s, IrType type);
bool isel_is_shl(const IrInsn *v, u32 *amount);      // x << constant, or x * power of two
bool isel_const(const IrInsn *v, i64 *imm);          // CONST (of any type), or the address of a constant capability
bool isel_is_zero_extended(const IrInsn *v);         // an I32 whose register has zeros above
bool isel_is_plain(const IrInsn *v);                 // its register was written by an X or W operation of its own
static inline u8 isel_size(const IrInsn *v) { return (u8)ir_type_bytes(v->type); }
static inline bool isel_is_fp(IrType t) { return t == IR_F32 || t == IR_F64; }
static inline bool isel_once(const IrInsn *v) { return v->n_uses == 1; }

// ---- emission of machine instructions before s->at
MirInsn *isel_emit(Isel *s, TOp op, u32 n_ops);
MirInsn *isel_emit2(Isel *s, TOp op, MirOpnd d, MirOpnd a);
MirInsn *isel_emit3(Isel *s, TOp op, MirOpnd d, MirOpnd a, MirOpnd b);
MirInsn *isel_emit4(Isel *s, TOp op, MirOpnd d, MirOpnd a, MirOpnd b, MirOpnd c);
void isel_move(Isel *s, MirReg dst, MirReg src, bool is_fpr, bool is_cap);
void isel_movi(Isel *s, MirReg dst, u8 size, i64 v);
void isel_value_to(Isel *s, MirReg dst, IrInsn *v);  // dst = v, by a move, a constant or an address
static inline MirOpnd isel_mod(MirOpnd o, TMod mod, u32 amount)
{
    o.aux = (u8)mod;
    o.imm = amount;
    return o;
}

// ---- parts
bool isel_is_add_imm(i64 v);                         // ADD/SUB immediate: 12 bits, or 12 bits << 12
bool isel_arith(Isel *s, IrInsn *v);                 // isel_ops.c: integers
bool isel_float(Isel *s, IrInsn *v);                 // isel_fp.c
bool isel_memory(Isel *s, IrInsn *v);                // isel_mem.c
bool isel_call(Isel *s, IrInsn *v);                  // isel_call.c: CALL, RET, PARAM, ASM, PROBE …
bool isel_control(Isel *s, IrInsn *v);               // isel_cond.c: branches, CMP, SELECT
TCond isel_flags(Isel *s, IrInsn *cond);             // emits a compare for cond (any I32/I64 value): the condition "true"
MirOpnd isel_modified(Isel *s, IrInsn *v, u8 size, bool arith); // v as last operand of ADD … or AND …: folds shift, extension
void isel_address(Isel *s, IrInsn *base, i64 imm, u32 bytes, MirOpnd out[2]); // base and offset operands of an access
void isel_patch_probes(Isel *s);
void isel_call_helper(Isel *s, const char *name, u32 n, IrInsn *const *args, i64 imm); // name(args …, imm)

#endif
