// abi.h: where the procedure call standard puts values: AAPCS64 (hybrid) and AAPCS64-cap (purecap).
//
// Lowering asks once per call or function and gets, for each C argument and for the result, the scalar pieces it travels as:
//     struct { int a; void *p; } s, purecap → two pieces {I64 offset 0 in x0}, {CAP offset 16 in c1}
//     struct { char c[40]; } s              → indirect: the caller copies it, one piece: the pointer
// A struct in memory (on the stack by rule C.14) is pieces with IR_LOC_STACK of 8 or 16 bytes each.
// (Purecap anonymous arguments: IR_LOC_ANON, 16 bytes each.)
#ifndef CAPLAB_CC_ABI_H
#define CAPLAB_CC_ABI_H

#include "cc/ir.h"

struct Type;

typedef struct AbiPiece {
    u8 type;    // IrType of the value as it travels
    u8 bytes;   // bytes of the C object it covers: 1..8, 16; an odd tail (3, 5, 6, 7) is zero-filled by lowering
    u16 offset; // in the C object
    IrLoc loc;
} AbiPiece;

typedef struct AbiValue {
    bool is_indirect; // piece[0] is a pointer to the object (for a result: x8/c8, passed by the caller)
    u32 n_pieces;     // 0 = void or an empty struct
    AbiPiece *pieces; // in the arena
} AbiValue;

typedef struct AbiCall {
    AbiValue ret;
    AbiValue *args;
    u32 stack_bytes; // of the arguments on the stack, multiple of 16
    u32 anon_bytes;  // purecap variadic: 16 * anonymous arguments
    u32 named_gprs, named_fprs; // NGRN and NSRN after the named arguments (hybrid va_start)
    u32 named_stack;            // NSAA after them
} AbiCall;

// args[0 .. n_named) are the named parameters; of a function definition n_args == n_named.
void abi_layout(CcAbi abi, const struct Type *ret, const struct Type *const *args, u32 n_args, u32 n_named,
                bool is_variadic, Arena *arena, AbiCall *out);

#endif
