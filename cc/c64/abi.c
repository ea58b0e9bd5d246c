// c64/abi.c: AAPCS64-cap: arguments and results of the purecap ABI, as clang for Morello places them.
//
//     { int a; void *p; }       x0, c1          one register for each 16 bytes, a capability or an integer
//     { void *p; long a; }      c0, x1
//     { long a, b; void *p; }   indirect        an integer lies in bytes 8–15, where a capability's bounds would be
// Anonymous arguments: 16 bytes each in the area that C9 points to.
#include "cc/abi_impl.h"

// Does a leaf that is no capability reach into bytes 8–15 of its 16? is_cap[i]: a capability starts at 16 * i.
static bool has_conflict(const Type *t, u64 at, bool is_cap[2])
{
    if (t->is_cap) {
        if (at % 16 == 0 && at < 32) is_cap[at / 16] = true;
        return false;
    }
    if (t->kind == TY_ARRAY) {
        if (!t->array_len) return true; // flexible
        for (u64 i = 0; i < t->array_len && i < 32; i++)
            if (has_conflict(t->base, at + i * t->base->size, is_cap)) return true;
        return false;
    }
    if (!type_is_record(t)) return at % 16 + t->size > 8;
    for (const Member *m = t->members; m; m = m->next) {
        if (m->is_bitfield) {
            u64 first = at + m->offset + m->bit_off / 8;
            if (m->bit_width && first % 16 + (m->bit_width + 7u) / 8 > 8) return true;
        } else if (has_conflict(m->type, at + m->offset, is_cap)) {
            return true;
        }
    }
    return false;
}

static void indirect(AbiState *s, AbiValue *v)
{
    abi_put_capability(s, v, IR_CAP);
    v->is_indirect = true;
}

static void put_with_capabilities(AbiState *s, const Type *t, AbiValue *v)
{
    bool is_cap[2] = {false, false};
    if (t->size > 32 || t->has_flexible || has_conflict(t, 0, is_cap)) {
        indirect(s, v);
        return;
    }
    u32 n = t->size > 16 ? 2 : 1;
    bool fits = s->ngrn + n <= 8;
    if (!fits) {
        s->ngrn = 8;
        s->nsaa = (s->nsaa + 15) & ~15u;
    }
    AbiPiece *p = abi_pieces(s, v, n);
    for (u32 i = 0; i < n; i++) {
        u32 bytes = is_cap[i] ? 16 : 8;
        p[i] = (AbiPiece){.type = (u8)(is_cap[i] ? IR_CAP : IR_I64), .bytes = (u8)bytes, .offset = (u16)(16 * i)};
        p[i].loc = fits ? (IrLoc){.kind = IR_LOC_GPR, .bytes = (u8)bytes, .n = s->ngrn++}
                        : (IrLoc){.kind = IR_LOC_STACK, .bytes = (u8)bytes, .n = s->nsaa + 16 * i};
    }
    if (!fits) s->nsaa += 16 * n;
}

void abi_c64_value(AbiState *s, const Type *t, bool is_variadic_callee, AbiValue *v)
{
    u32 n;
    IrType element;
    bool is_record = type_is_record(t);
    if (is_record && is_variadic_callee && (t->size > 16 || t->align > 16)) {
        indirect(s, v); // clang does this to named arguments too, and before it looks for an HFA
    } else if (t->is_cap) {
        abi_put_capability(s, v, IR_CAP);
    } else if (t->kind == TY_FLOAT || t->kind == TY_DOUBLE || abi_is_hfa(t, &n, &element)) {
        abi_put_float(s, v, t);
    } else if (is_record && t->has_caps) {
        put_with_capabilities(s, t, v);
    } else if (is_record && t->size > 16) {
        indirect(s, v);
    } else if (t->size) {
        abi_put_integers(s, v, t, is_record ? abi_natural_align(t) : t->align);
    }
}

void abi_c64_anonymous(AbiState *s, const Type *t, u32 index, AbiValue *v)
{
    AbiState apart = {.arena = s->arena}; // pieces as registers would take them, then moved to the slot
    bool is_record = type_is_record(t);
    abi_c64_value(&apart, t, is_record, v);
    for (u32 i = 0; i < v->n_pieces; i++) {
        IrLoc *l = &v->pieces[i].loc;
        u32 bytes = v->pieces[i].bytes > 8 ? 16 : v->pieces[i].type == IR_I32 || v->pieces[i].type == IR_F32 ? 4 : 8;
        *l = (IrLoc){.kind = IR_LOC_ANON, .bytes = (u8)bytes, .n = 16 * index + v->pieces[i].offset};
    }
}
