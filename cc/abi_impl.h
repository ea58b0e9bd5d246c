// abi_impl.h: the counters of the procedure call standards, shared by a64/abi.c and c64/abi.c. Names of the rules as in
// AAPCS64: NGRN, NSRN: next general and SIMD register number; NSAA: next stacked argument address.
#ifndef CAPLAB_CC_ABI_IMPL_H
#define CAPLAB_CC_ABI_IMPL_H

#include "cc/abi.h"
#include "cc/ast.h"

typedef struct AbiState {
    Arena *arena;
    u32 ngrn, nsrn, nsaa;
} AbiState;

AbiPiece *abi_pieces(AbiState *s, AbiValue *v, u32 n);      // n zeroed pieces
bool abi_is_hfa(const Type *t, u32 *n, IrType *element);    // 1 to 4 floats or doubles and nothing else
IrType abi_scalar_type(const Type *t);
void abi_put_float(AbiState *s, AbiValue *v, const Type *t);                // rules C.1–C.8
void abi_put_integers(AbiState *s, AbiValue *v, const Type *t, u32 align);  // ≤ 16 bytes without capabilities, in X registers
void abi_put_capability(AbiState *s, AbiValue *v, IrType type);             // one register, or its room on the stack
u32 abi_natural_align(const Type *t); // of a record: of its members, whatever the attribute says

void abi_a64_value(AbiState *s, const Type *t, AbiValue *v);
void abi_c64_value(AbiState *s, const Type *t, bool is_variadic_callee, AbiValue *v);
void abi_c64_anonymous(AbiState *s, const Type *t, u32 index, AbiValue *v);

#endif
