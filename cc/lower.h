// lower.h: shared by the lower*.c files: syntax tree → IR. Not for anybody else.
//
// One idea: every C object is a slot or a global, every read a LOAD, every write a STORE; ssa.c turns the slots whose
// address stays private into values afterwards. Values of a narrow integer type are kept extended to 32 bits.
#ifndef CAPLAB_CC_LOWER_H
#define CAPLAB_CC_LOWER_H

#include "cc/abi.h"
#include "cc/ast.h"

// A piece of memory: [base + off]. obj_bytes != 0: base is the address of a local object with the bounds of the whole
// stack, which must be narrowed to the object before the address is used as a pointer.
typedef struct Place {
    IrInsn *base;
    i64 off;
    u64 obj_bytes;
    const Member *bitfield;
    bool is_volatile;
} Place;

typedef struct Lower {
    const CcUnit *unit;
    const CcOptions *opt;
    IrModule *m;
    Arena *arena;
    Err *err;
    bool is_weak;   // inside the arguments of a probe

    // the function being lowered
    const Obj *obj;
    IrFn *fn;
    IrBlock *block; // where code goes
    IrLine line;
    AbiCall abi;
    IrInsn *sret;     // the incoming pointer of an indirect result, or NULL
    u32 va_gr_slot, va_vr_slot, va_ap_slot;
    u32 hub_slot;     // goto *p: the target on its way to the hub
    VEC(IrBlock *) labels; // by Label.ir - 1; of the whole unit
    VEC(IrInsn *) olds;    // by Node.ir - 1 of ND_UPDATE
} Lower;

// ---- lower.c: emission
IrInsn *lower_emit(Lower *l, IrOp op, IrType type, u32 n_args);
IrInsn *lower_op1(Lower *l, IrOp op, IrType type, IrInsn *a);
IrInsn *lower_op2(Lower *l, IrOp op, IrType type, IrInsn *a, IrInsn *b);
IrInsn *lower_const(Lower *l, IrType type, i64 v);
IrInsn *lower_cmp(Lower *l, IrCond cond, IrInsn *a, IrInsn *b);
IrInsn *lower_phi(Lower *l, IrType type, u32 n); // in the current, still empty block
void lower_jump(Lower *l, IrBlock *to);      // ends the block
void lower_branch(Lower *l, IrInsn *cond, IrBlock *yes, IrBlock *no);
void lower_terminate(Lower *l, IrOp op);     // RET-like without successors; code behind it goes to a dead block
void lower_start(Lower *l, IrBlock *b);      // jumps there from the open block and goes on in it
IrBlock *lower_block(Lower *l);
IrInsn *lower_slot_addr(Lower *l, u32 slot, i64 off);
IrInsn *lower_global_addr(Lower *l, IrSym *sym, i64 off);
IrSym *lower_sym(Lower *l, Obj *obj);
IrSym *lower_runtime(Lower *l, const char *name); // a function of the libc that code needs ("memcpy")
u32 lower_new_slot(Lower *l, u64 bytes, u32 align, const char *name); // padded where bounds need it
void lower_at(Lower *l, CcLoc loc); // what is emitted from here on is from there
void lower_fail(Lower *l, CcLoc loc, const char *fmt, ...) PRINTF_LIKE(3, 4);
IrType lower_type(Lower *l, const Type *t);  // of a scalar
IrMem lower_mem(const Type *t);
static inline bool type_is_signed(const Type *t) { return type_is_integer(t) && !(t->kind == TY_ENUM ? t->base->is_unsigned : t->is_unsigned); }

// ---- lower_place.c
Place lower_place(Lower *l, Node *n);
Place lower_place_of(Lower *l, IrInsn *pointer);          // *pointer
Place lower_slot_place(Lower *l, u32 slot, u64 obj_bytes);
IrInsn *lower_raw_addr(Lower *l, Place p);                // for accesses inside the object only
IrInsn *lower_pointer(Lower *l, Place p);                 // a C pointer: bounded
IrInsn *lower_load(Lower *l, Place p, const Type *t);
void lower_store(Lower *l, Place p, const Type *t, IrInsn *v);
IrInsn *lower_load_raw(Lower *l, Place p, i64 off, IrMem mem, IrType type, bool is_signed);
void lower_store_raw(Lower *l, Place p, i64 off, IrMem mem, IrInsn *v);
void lower_copy(Lower *l, Place to, Place from, const Type *t);
void lower_zero(Lower *l, Place p, u64 bytes, u32 align);
IrInsn *lower_add_bytes(Lower *l, IrInsn *pointer, IrInsn *bytes);
IrInsn *lower_add_const(Lower *l, IrInsn *pointer, i64 bytes);

// ---- lower_expr.c
IrInsn *lower_expr(Lower *l, Node *n);       // scalar value; NULL of void or struct (evaluated for effect)
Place lower_record(Lower *l, Node *n);       // struct or union value: where it lies, unchanged until the next effect
void lower_cond(Lower *l, Node *n, IrBlock *yes, IrBlock *no);
IrInsn *lower_address(Lower *l, IrInsn *v);  // 64-bit address of a pointer, capability or I64
IrInsn *lower_convert_int(Lower *l, IrInsn *v, const Type *to, bool from_signed);

// ---- lower_call.c
IrInsn *lower_call(Lower *l, Node *n, Place *record); // *record: a struct result
IrInsn *lower_runtime_call(Lower *l, const char *name, const Type *ret, u32 n, IrInsn **args);
void lower_params(Lower *l);
void lower_return(Lower *l, Node *value);
void lower_va_start(Lower *l, IrInsn *ap);
IrInsn *lower_va_arg(Lower *l, IrInsn *ap, const Type *t, Place *record);

// ---- lower_builtin.c
IrInsn *lower_builtin(Lower *l, Node *n);

// ---- lower_stmt.c
void lower_stmt(Lower *l, Node *n);
void lower_finish_hub(Lower *l);
IrBlock *lower_label_block(Lower *l, Label *label);
void lower_probe(Lower *l, Node *n);

// ---- lower_data.c
void lower_data(Lower *l, const Obj *obj, IrSym *sym);

#endif
