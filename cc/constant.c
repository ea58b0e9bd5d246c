// constant.c: evaluating constant expressions on the tree: integers, floats, and addresses as symbol + offset.
//
//     &table[2].name + 1    →  sym table, ival 2*sizeof(row) + offsetof(name) + 1
#include "cc/front.h"

#include "base/bits.h"

i64 const_wrap(const Type *t, i64 v)
{
    if (t->kind == TY_BOOL) return v != 0;
    if (t->size >= 8 || t->size == 0) return v;
    u64 bits = (u64)v & bits_mask((u32)t->size * 8);
    return t->is_unsigned ? (i64)bits : bits_sext(bits, (u32)t->size * 8);
}

static bool is_plain(const ConstVal *v) { return !v->sym && !v->label; }

static bool eval_place(const Node *n, ConstVal *out)
{
    *out = (ConstVal){0};
    if (n->kind == ND_VAR) {
        if (n->var->kind != OBJ_GLOBAL && n->var->kind != OBJ_FUNC) return false;
        out->sym = n->var;
        return true;
    }
    if (n->kind == ND_DEREF) return const_eval(n->lhs, out);
    if (n->kind != ND_MEMBER || !eval_place(n->lhs, out)) return false;
    out->ival += (i64)n->member->offset;
    return true;
}

static bool eval_float_op(const Node *n, double a, double b, ConstVal *out)
{
    double v;
    switch ((int)n->kind) {
    case ND_ADD: v = a + b; break;
    case ND_SUB: v = a - b; break;
    case ND_MUL: v = a * b; break;
    case ND_DIV: v = a / b; break;
    case ND_NEG: v = -a; break;
    default: return false;
    }
    out->fval = n->type->kind == TY_FLOAT ? (double)(float)v : v;
    return true;
}

static bool divide(const Type *t, i64 a, i64 b, bool wants_rest, i64 *out)
{
    if (b == 0) return false;
    if (t->is_unsigned) *out = (i64)(wants_rest ? (u64)a % (u64)b : (u64)a / (u64)b);
    else if (b == -1) *out = wants_rest ? 0 : (i64)(0 - (u64)a);
    else *out = wants_rest ? a % b : a / b;
    return true;
}

static i64 shift_right(const Type *t, i64 a, u64 n)
{
    u32 bits = t->size >= 8 ? 64 : (u32)t->size * 8;
    if (n >= bits) return t->is_unsigned || a >= 0 ? 0 : -1;
    return t->is_unsigned ? (i64)((u64)a >> n) : a >> n;
}

static bool eval_int_op(const Node *n, i64 a, i64 b, i64 *out)
{
    u64 x = (u64)a, y = (u64)b;
    switch ((int)n->kind) {
    case ND_ADD: *out = (i64)(x + y); break;
    case ND_SUB: *out = (i64)(x - y); break;
    case ND_MUL: *out = (i64)(x * y); break;
    case ND_DIV:
    case ND_MOD:
        if (!divide(n->type, a, b, n->kind == ND_MOD, out)) return false;
        break;
    case ND_AND: *out = (i64)(x & y); break;
    case ND_OR: *out = (i64)(x | y); break;
    case ND_XOR: *out = (i64)(x ^ y); break;
    case ND_SHL: *out = y > 63 ? 0 : (i64)(x << y); break;
    case ND_SHR: *out = shift_right(n->type, a, y); break;
    case ND_NEG: *out = (i64)(0 - x); break;
    case ND_NOT: *out = ~a; break;
    default: return false;
    }
    *out = const_wrap(n->type, *out);
    return true;
}

// Operators on two values of one type. Symbols survive only + and - with a number (an __intcap or address as integer).
static bool eval_operator(const Node *n, ConstVal *out)
{
    ConstVal a, b = {0};
    if (!const_eval(n->lhs, &a) || (n->rhs && !const_eval(n->rhs, &b))) return false;
    if (n->type->kind == TY_INT128 || n->type->kind == TY_UINT128) return false;
    if (type_is_float(n->type)) return eval_float_op(n, a.fval, b.fval, out);
    if (n->kind == ND_SUB && a.label && b.label && !a.label2 && !b.label2) {
        *out = a;
        out->label2 = b.label;
        return true;
    }
    if (n->kind == ND_ADD && is_plain(&a) && !is_plain(&b)) {
        ConstVal swap = a;
        a = b;
        b = swap;
    }
    if (!is_plain(&b) || (!is_plain(&a) && n->kind != ND_ADD && n->kind != ND_SUB)) return false;
    if (!is_plain(&a) && n->type->size < 8) return false;
    *out = a;
    return eval_int_op(n, a.ival, b.ival, &out->ival);
}

static bool compare(const Node *n, const ConstVal *a, const ConstVal *b, i64 *out)
{
    const Type *t = n->lhs->type;
    if (type_is_float(t)) {
        *out = n->kind == ND_EQ ? a->fval == b->fval : n->kind == ND_NE ? a->fval != b->fval
             : n->kind == ND_LT ? a->fval < b->fval : a->fval <= b->fval;
        return true;
    }
    if (a->sym != b->sym || a->label || b->label) return false;
    u64 x = (u64)a->ival, y = (u64)b->ival;
    bool lt = t->is_unsigned ? x < y : a->ival < b->ival;
    *out = n->kind == ND_EQ ? x == y : n->kind == ND_NE ? x != y : n->kind == ND_LT ? lt : lt || x == y;
    return true;
}

// Truth of a scalar. The address of an object is never null.
static bool truth(const Node *n, bool *out)
{
    ConstVal v;
    if (!const_eval(n, &v)) return false;
    if (v.sym && v.sym->is_weak) return false;
    *out = type_is_float(n->type) ? v.fval != 0 : v.sym || v.label || v.ival != 0;
    return true;
}

static bool eval_logic(const Node *n, ConstVal *out)
{
    bool a, b;
    if (n->kind == ND_LNOT) {
        if (!truth(n->lhs, &a)) return false;
        out->ival = !a;
        return true;
    }
    if (n->kind == ND_COND) return truth(n->cond, &a) && const_eval(a ? n->lhs : n->rhs, out);
    if (!truth(n->lhs, &a)) return false;
    out->ival = a;
    if (a == (n->kind == ND_LOR)) return true;
    if (!truth(n->rhs, &b)) return false;
    out->ival = b;
    return true;
}

static bool float_to_int(const Type *to, double v, i64 *out)
{
    bool is_unsigned = to->is_unsigned && to->size == 8;
    bool fits = is_unsigned ? v > -1.0 && v < 18446744073709551616.0 : v >= -9223372036854775808.0 && v < 9223372036854775808.0;
    if (!fits) return false;
    *out = const_wrap(to, is_unsigned ? (i64)(u64)v : (i64)v);
    return true;
}

static bool eval_cast(const Node *n, ConstVal *out)
{
    bool is_true;
    if (n->cast == CAST_BOOL) {
        if (!truth(n->lhs, &is_true)) return false;
        out->ival = is_true;
        return true;
    }
    if (!const_eval(n->lhs, out)) return false;
    const Type *from = n->lhs->type;
    if (n->type->kind == TY_INT128 || n->type->kind == TY_UINT128) return false;
    switch (n->cast) {
    case CAST_INT_FLT:
        if (from->size > 8) return false;
        out->fval = from->is_unsigned ? (double)(u64)out->ival : (double)out->ival;
        if (n->type->kind == TY_FLOAT) out->fval = from->is_unsigned ? (double)(float)(u64)out->ival : (double)(float)out->ival;
        return true;
    case CAST_FLT_INT: return float_to_int(n->type, out->fval, &out->ival);
    case CAST_FLT:
        if (n->type->kind == TY_FLOAT) out->fval = (double)(float)out->fval;
        return true;
    case CAST_PTR: return true;
    case CAST_INT:
    case CAST_PTR_INT:
    case CAST_INT_PTR:
        if (!is_plain(out) && !out->label2) return n->type->size >= 8;
        if (!out->label2) out->ival = const_wrap(n->type, out->ival);
        return true;
    default: return false;
    }
}

static bool eval_pointer(const Node *n, ConstVal *out)
{
    ConstVal b;
    if (!const_eval(n->lhs, out) || !const_eval(n->rhs, &b)) return false;
    if (n->kind == ND_PTRADD) {
        if (!is_plain(&b)) return false;
        out->ival = (i64)((u64)out->ival + (u64)b.ival * n->scale);
        return true;
    }
    if (out->label && b.label && n->scale == 1) { // &&a - &&b on void pointers
        out->label2 = b.label;
        return true;
    }
    if (out->sym != b.sym || out->label || b.label) return false;
    i64 bytes = (i64)((u64)out->ival - (u64)b.ival);
    *out = (ConstVal){.ival = bytes / (i64)n->scale};
    return true;
}

bool const_eval(const Node *n, ConstVal *out)
{
    *out = (ConstVal){0};
    switch ((int)n->kind) {
    case ND_NUM: out->ival = n->ival; return true;
    case ND_FLT: out->fval = n->fval; return true;
    case ND_ADDR: return eval_place(n->lhs, out);
    case ND_LABEL_ADDR: out->label = n->label; return true;
    case ND_CAST: return eval_cast(n, out);
    case ND_PTRADD:
    case ND_PTRDIFF: return eval_pointer(n, out);
    case ND_LAND:
    case ND_LOR:
    case ND_LNOT:
    case ND_COND: return eval_logic(n, out);
    case ND_EQ:
    case ND_NE:
    case ND_LT:
    case ND_LE: {
        ConstVal a, b;
        if (!const_eval(n->lhs, &a) || !const_eval(n->rhs, &b)) return false;
        return compare(n, &a, &b, &out->ival);
    }
    case ND_BUILTIN:
        if (n->builtin == BI_EXPECT) return const_eval(n->args[0], out);
        return false;
    default: break;
    }
    bool is_operator = n->kind >= ND_ADD && n->kind <= ND_NOT;
    return is_operator && eval_operator(n, out);
}

bool const_int(const Node *n, i64 *out)
{
    ConstVal v;
    if (!type_is_integer(n->type) || !const_eval(n, &v) || !is_plain(&v)) return false;
    *out = v.ival;
    return true;
}

i64 const_need_int(Front *f, const Node *n, CcLoc loc, const char *what)
{
    i64 v;
    if (!type_is_integer(n->type)) front_fail(f, loc, "%s needs an integer, not '%s'", what, type_text(f->arena, n->type));
    if (!const_int(n, &v)) front_fail(f, loc, "%s needs a constant", what);
    return v;
}
