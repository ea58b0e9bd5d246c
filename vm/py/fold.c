// fold.c: constant expressions worked out at compile time, by MicroPython's rules: numeric operators whose
// operands are all literals (a whole run: 1 + 2 folds, 1 + 2 + x does not), not, and, or, tuples of
// constants. Integers fold within 127 bits; a result beyond, or an operation that would raise, is left to run
// time.
#include "vm/py/compile.h"

#include <math.h>

bool py_is_const(const Node *n)
{
    switch (n->kind) {
    case N_INT:
    case N_STR:
    case N_NONE:
    case N_TRUE:
    case N_FALSE:
    case N_ELLIPSIS:
    case N_OBJECT: return true;
    case N_TUPLE: return n->n == 0;
    default: return false;
    }
}

static bool is_true(const Node *n)
{
    switch (n->kind) {
    case N_INT: return n->number != 0;
    case N_STR: return n->name->len != 0;
    case N_TRUE:
    case N_ELLIPSIS: return true;
    case N_OBJECT: break;
    default: return false; // None, False, ()
    }
    const Const *c = n->object;
    if (c->kind == PY_OBJ_FLOAT || c->kind == PY_OBJ_COMPLEX) return c->real != 0;
    if (c->kind == PY_OBJ_INT) return !(c->len == 1 && c->text[0] == '0');
    return c->len != 0;
}

bool py_is_const_bool(const Node *n, bool value)
{
    return py_is_const(n) && is_true(n) == value;
}

// ---- numbers ----

typedef struct Number {
    bool is_float;
    i128 i;
    double f;
} Number;

static bool number_of(const Node *n, Number *v)
{
    if (n->kind == N_INT) {
        *v = (Number){.i = n->number};
        return true;
    }
    if (n->kind != N_OBJECT) return false;
    const Const *c = n->object;
    *v = (Number){.is_float = c->kind == PY_OBJ_FLOAT, .i = c->number, .f = c->real};
    return v->is_float || (c->kind == PY_OBJ_INT && c->is_small);
}

// Line 0: a folded number steps no line, whatever lines its operands stood on.
static Node *number_node(Py *py, Number v, const Node *at)
{
    if (v.is_float) return py_float_node(py, v.f, PY_OBJ_FLOAT, 0, at->at);
    return py_int_node(py, v.i, 0, at->at);
}

static bool int_power(i128 base, i128 exponent, i128 *out)
{
    i128 r = 1;
    if (exponent > 126 && base != 0 && base != 1 && base != -1) return false;
    if (base == -1) exponent &= 1;
    if (base == 0 || base == 1) exponent = exponent != 0;
    for (; exponent; exponent--)
        if (__builtin_mul_overflow(r, base, &r)) return false;
    *out = r;
    return true;
}

static bool int_binary(PyBinary op, i128 a, i128 b, Number *out)
{
    i128 q;
    switch ((int)op) {
    case PY_BINARY_OR: out->i = a | b; return true;
    case PY_BINARY_XOR: out->i = a ^ b; return true;
    case PY_BINARY_AND: out->i = a & b; return true;
    case PY_BINARY_ADD: return !__builtin_add_overflow(a, b, &out->i);
    case PY_BINARY_SUB: return !__builtin_sub_overflow(a, b, &out->i);
    case PY_BINARY_MUL: return !__builtin_mul_overflow(a, b, &out->i);
    case PY_BINARY_SHL:
        if (b < 0 || b > 126) return false;
        return !__builtin_mul_overflow(a, (i128)1 << b, &out->i);
    case PY_BINARY_SHR:
        if (b < 0) return false;
        out->i = a >> (b > 127 ? 127 : b);
        return true;
    case PY_BINARY_FLOORDIV:
    case PY_BINARY_MOD:
        if (b == 0 || b == -1) {
            if (b == 0 || __builtin_sub_overflow((i128)0, a, &q)) return false;
            out->i = op == PY_BINARY_MOD ? 0 : q;
            return true;
        }
        q = a / b - (a % b != 0 && (a < 0) != (b < 0));
        out->i = op == PY_BINARY_MOD ? a - q * b : q;
        return true;
    case PY_BINARY_DIV:
        if (b == 0) return false;
        *out = (Number){.is_float = true, .f = (double)a / (double)b};
        return true;
    case PY_BINARY_POW:
        if (b >= 0) return int_power(a, b, &out->i);
        if (a == 0) return false;
        *out = (Number){.is_float = true, .f = pow((double)a, (double)b)};
        return true;
    default: return false;
    }
}

static bool float_binary(PyBinary op, double a, double b, Number *out)
{
    out->is_float = true;
    switch ((int)op) {
    case PY_BINARY_ADD: out->f = a + b; return true;
    case PY_BINARY_SUB: out->f = a - b; return true;
    case PY_BINARY_MUL: out->f = a * b; return true;
    case PY_BINARY_DIV: out->f = a / b; return b != 0;
    case PY_BINARY_FLOORDIV:
    case PY_BINARY_MOD: {
        if (b == 0) return false;
        double mod = fmod(a, b), div = (a - mod) / b;
        if (mod == 0)
            mod = copysign(0.0, b);
        else if ((b < 0) != (mod < 0))
            mod += b, div -= 1.0;
        double floor_div = floor(div);
        if (div - floor_div > 0.5) floor_div += 1.0;
        if (div == 0) floor_div = copysign(0.0, a / b);
        out->f = op == PY_BINARY_MOD ? mod : floor_div;
        return true;
    }
    case PY_BINARY_POW:
        if ((a == 0 && b < 0) || (a < 0 && b != floor(b))) return false; // raises; is complex
        out->f = pow(a, b);
        return isfinite(out->f) || !isfinite(a) || !isfinite(b);
    default: return false;
    }
}

static double as_float(Number n)
{
    return n.is_float ? n.f : (double)n.i;
}

static Node *fold_binary(Py *py, Node *n)
{
    Number left, right;
    if (!number_of(n->kids[0], &left)) return n;
    for (u32 i = 1; i < n->n; i++) {
        if (!number_of(n->kids[i], &right)) return n;
        Number out = {0};
        PyBinary op = (PyBinary)n->ops[i - 1];
        bool ok = left.is_float || right.is_float ? float_binary(op, as_float(left), as_float(right), &out)
                                                  : int_binary(op, left.i, right.i, &out);
        if (!ok) return n;
        left = out;
    }
    return number_node(py, left, n);
}

static Node *fold_unary(Py *py, Node *n)
{
    Number v;
    if (!number_of(n->kids[0], &v)) return n;
    if (n->op == PY_UNARY_NEGATIVE) {
        v.f = -v.f;
        if (__builtin_sub_overflow((i128)0, v.i, &v.i)) return n;
    } else if (n->op == PY_UNARY_INVERT) {
        if (v.is_float) return n;
        v.i = ~v.i;
    }
    return number_node(py, v, n);
}

// ---- logic and tuples ----

static Node *fold_logic(Node *n)
{
    bool stops_at = n->kind == N_OR; // or: a true constant decides, a false one matters not
    u32 kept = 0;
    for (u32 i = 0; i < n->n; i++) {
        Node *k = n->kids[i];
        bool is_last = i + 1 == n->n || py_is_const_bool(k, stops_at);
        if (is_last || !py_is_const_bool(k, !stops_at)) n->kids[kept++] = k;
        if (is_last) break;
    }
    n->n = kept;
    return kept == 1 ? n->kids[0] : n;
}

static Node *fold_not(Py *py, Node *n)
{
    if (!py_is_const(n->kids[0])) return n;
    return py_node(py, is_true(n->kids[0]) ? N_FALSE : N_TRUE, n->line, n->at);
}

static Node *fold_tuple(Py *py, Node *n)
{
    if (n->n == 0) return n;
    for (u32 i = 0; i < n->n; i++)
        if (!py_is_const(n->kids[i])) return n;
    Const *c = arena_new(&py->arena, Const);
    *c = (Const){.kind = PY_OBJ_TUPLE, .len = n->n, .items = arena_array(&py->arena, Const *, n->n)};
    for (u32 i = 0; i < n->n; i++)
        c->items[i] = py_const_of(py, n->kids[i]);
    Node *object = py_node(py, N_OBJECT, n->line, n->at);
    object->object = c;
    return object;
}

Node *py_fold(Py *py, Node *n)
{
    switch (n->kind) {
    case N_BINARY: return fold_binary(py, n);
    case N_UNARY: return fold_unary(py, n);
    case N_AND:
    case N_OR: return fold_logic(n);
    case N_NOT: return fold_not(py, n);
    case N_TUPLE: return fold_tuple(py, n);
    default: return n;
    }
}
