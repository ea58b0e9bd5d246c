// abi.c: laying out a call (abi.h): the parts that both procedure call standards have in common.
#include "cc/abi_impl.h"

AbiPiece *abi_pieces(AbiState *s, AbiValue *v, u32 n)
{
    v->n_pieces = n;
    v->pieces = arena_array(s->arena, AbiPiece, n ? n : 1);
    return v->pieces;
}

IrType abi_scalar_type(const Type *t)
{
    if (t->is_cap) return IR_CAP;
    if (t->kind == TY_FLOAT) return IR_F32;
    if (t->kind == TY_DOUBLE) return IR_F64;
    return t->size <= 4 ? IR_I32 : IR_I64;
}

enum { MAX_HFA = 4 };

// Adds the floating leaves of t; false if there is any other leaf, two kinds, or too many.
static bool count_floats(const Type *t, u32 *n, TypeKind *kind)
{
    if (t->kind == TY_FLOAT || t->kind == TY_DOUBLE) {
        if (*n && *kind != t->kind) return false;
        *kind = t->kind;
        return ++*n <= MAX_HFA;
    }
    if (t->kind == TY_ARRAY) {
        if (!t->array_len || t->array_len > MAX_HFA) return false;
        for (u64 i = 0; i < t->array_len; i++)
            if (!count_floats(t->base, n, kind)) return false;
        return true;
    }
    if (!type_is_record(t)) return false;
    u32 most = 0, before = *n;
    for (const Member *m = t->members; m; m = m->next) {
        if (m->is_bitfield) return false;
        u32 count = t->kind == TY_UNION ? before : *n;
        if (!count_floats(m->type, &count, kind)) return false;
        *n = count;
        if (count > most) most = count;
    }
    if (t->kind == TY_UNION) *n = most > before ? most : before;
    return true;
}

bool abi_is_hfa(const Type *t, u32 *n, IrType *element)
{
    TypeKind kind = TY_VOID;
    *n = 0;
    if (!type_is_record(t) || !count_floats(t, n, &kind) || !*n) return false;
    *element = kind == TY_FLOAT ? IR_F32 : IR_F64;
    return t->size == (u64)*n * (kind == TY_FLOAT ? 4 : 8);
}

u32 abi_natural_align(const Type *t)
{
    if (t->kind == TY_ARRAY) return abi_natural_align(t->base);
    if (!type_is_record(t)) return t->align;
    u32 most = 1;
    for (const Member *m = t->members; m; m = m->next) {
        u32 a = abi_natural_align(m->type);
        if (a > most) most = a;
    }
    return most;
}

static u32 round_up(u32 n, u32 align) { return (n + align - 1) & ~(align - 1); }

static IrLoc on_stack(AbiState *s, u32 bytes, u32 align)
{
    s->nsaa = round_up(s->nsaa, align);
    IrLoc l = {.kind = IR_LOC_STACK, .bytes = (u8)bytes, .n = s->nsaa};
    s->nsaa += bytes < 8 ? 8 : bytes;
    return l;
}

void abi_put_float(AbiState *s, AbiValue *v, const Type *t)
{
    u32 n = 1;
    IrType element = IR_F64;
    if (!abi_is_hfa(t, &n, &element)) element = abi_scalar_type(t), n = 1;
    AbiPiece *p = abi_pieces(s, v, n);
    u32 bytes = element == IR_F32 ? 4 : 8;
    bool fits = s->nsrn + n <= 8;
    if (!fits) s->nsrn = 8;
    u32 start = round_up(s->nsaa, 8);
    for (u32 i = 0; i < n; i++) {
        p[i] = (AbiPiece){.type = (u8)element, .bytes = (u8)bytes, .offset = (u16)(i * bytes)};
        if (fits)
            p[i].loc = (IrLoc){.kind = IR_LOC_FPR, .bytes = (u8)bytes, .n = s->nsrn++};
        else
            p[i].loc = (IrLoc){.kind = IR_LOC_STACK, .bytes = (u8)bytes, .n = start + i * bytes};
    }
    if (!fits) s->nsaa = start + round_up(n * bytes, 8);
}

void abi_put_integers(AbiState *s, AbiValue *v, const Type *t, u32 align)
{
    u32 n = (u32)((t->size + 7) / 8);
    AbiPiece *p = abi_pieces(s, v, n);
    if (align >= 16) s->ngrn = round_up(s->ngrn, 2);
    bool fits = s->ngrn + n <= 8;
    if (!fits) {
        s->ngrn = 8;
        s->nsaa = round_up(s->nsaa, align < 8 ? 8 : align);
    }
    for (u32 i = 0; i < n; i++) {
        u32 left = (u32)t->size - 8 * i;
        bool is_scalar = !type_is_record(t) && n == 1;
        p[i].type = (u8)(is_scalar ? abi_scalar_type(t) : IR_I64);
        p[i].bytes = (u8)(left < 8 ? left : 8);
        p[i].offset = (u16)(8 * i);
        p[i].loc = fits ? (IrLoc){.kind = IR_LOC_GPR, .bytes = 8, .n = s->ngrn++} : on_stack(s, 8, 8);
    }
}

void abi_put_capability(AbiState *s, AbiValue *v, IrType type)
{
    AbiPiece *p = abi_pieces(s, v, 1);
    u32 bytes = ir_type_bytes(type);
    p->type = (u8)type;
    p->bytes = (u8)bytes;
    p->loc = s->ngrn < 8 ? (IrLoc){.kind = IR_LOC_GPR, .bytes = (u8)bytes, .n = s->ngrn++} : on_stack(s, bytes, bytes);
}

static void result_in_memory(AbiState *s, AbiValue *v, CcAbi abi)
{
    AbiPiece *p = abi_pieces(s, v, 1);
    v->is_indirect = true;
    p->type = (u8)(abi == CC_PURECAP ? IR_CAP : IR_I64);
    p->bytes = abi == CC_PURECAP ? 16 : 8;
    p->loc = (IrLoc){.kind = IR_LOC_GPR, .bytes = p->bytes, .n = 8};
}

void abi_layout(CcAbi abi, const Type *ret, const Type *const *args, u32 n_args, u32 n_named, bool is_variadic,
                Arena *arena, AbiCall *out)
{
    *out = (AbiCall){0};
    AbiState s = {.arena = arena};
    if (ret->kind != TY_VOID) { // as f(T) would take its first argument, or in memory at X8/C8
        if (abi == CC_PURECAP)
            abi_c64_value(&s, ret, false, &out->ret);
        else
            abi_a64_value(&s, ret, &out->ret);
        if (out->ret.is_indirect) result_in_memory(&s, &out->ret, abi);
    }
    s = (AbiState){.arena = arena};
    out->args = arena_array(arena, AbiValue, n_args ? n_args : 1);
    for (u32 i = 0; i < n_args; i++) {
        if (i == n_named) {
            out->named_gprs = s.ngrn;
            out->named_fprs = s.nsrn;
            out->named_stack = s.nsaa;
        }
        if (abi == CC_HYBRID)
            abi_a64_value(&s, args[i], &out->args[i]);
        else if (i < n_named)
            abi_c64_value(&s, args[i], is_variadic, &out->args[i]);
        else
            abi_c64_anonymous(&s, args[i], i - n_named, &out->args[i]);
    }
    if (n_named >= n_args) {
        out->named_gprs = s.ngrn;
        out->named_fprs = s.nsrn;
        out->named_stack = s.nsaa;
    }
    out->stack_bytes = round_up(s.nsaa, 16);
    if (abi == CC_PURECAP && n_args > n_named) out->anon_bytes = 16 * (n_args - n_named);
}
