// a64/abi.c: AAPCS64: arguments and results of the hybrid ABI. Anonymous arguments travel like named ones.
#include "cc/abi_impl.h"

void abi_a64_value(AbiState *s, const Type *t, AbiValue *v)
{
    u32 n;
    IrType element;
    if (t->is_cap) {
        abi_put_capability(s, v, IR_CAP);
    } else if (t->kind == TY_FLOAT || t->kind == TY_DOUBLE || abi_is_hfa(t, &n, &element)) {
        abi_put_float(s, v, t);
    } else if (type_is_record(t) && (t->size > 16 || t->has_caps)) {
        abi_put_capability(s, v, IR_I64); // the address of a copy
        v->is_indirect = true;
    } else if (t->size) {
        u32 align = type_is_record(t) ? abi_natural_align(t) : t->align;
        abi_put_integers(s, v, t, align);
    }
}
