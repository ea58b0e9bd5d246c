// node.c: building syntax tree nodes and constants.
#include "vm/py/compile.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_SHORT_STRING = 10 }; // a string literal up to here is a qstr

Node *py_node(Py *py, NodeKind kind, u32 line, u32 at)
{
    Node *n = arena_new(&py->arena, Node);
    n->kind = kind;
    n->line = line;
    n->at = at;
    return n;
}

Node *py_node_kids(Py *py, NodeKind kind, u32 line, u32 at, u32 n_kids, Node *const *kids)
{
    Node *n = py_node(py, kind, line, at);
    n->n = n_kids;
    n->kids = arena_array(&py->arena, Node *, n_kids);
    if (n_kids) memcpy(n->kids, kids, n_kids * sizeof *kids);
    return n;
}

Node *py_node_from_stack(Py *py, NodeKind kind, u32 line, u32 at, u32 mark)
{
    Node *n =
        py_node_kids(py, kind, line, at, py->stack.len - mark, py->stack.at ? py->stack.at + mark : NULL);
    py->stack.len = mark;
    return n;
}

static Node *object_node(Py *py, Const c, u32 line, u32 at)
{
    Node *n = py_node(py, N_OBJECT, line, at);
    n->object = arena_new(&py->arena, Const);
    *n->object = c;
    n->object->at = at;
    return n;
}

// The value of const(): a small int, None, True and False stay leaves, anything else is an object.
static Node *constant_node(Py *py, const Node *value, u32 line, u32 at)
{
    if (value->kind == N_STR || value->kind == N_TUPLE || value->kind == N_OBJECT)
        return object_node(py, *py_const_of(py, value), line, at);
    Node *copy = py_node(py, value->kind, line, at);
    copy->number = value->number;
    return copy;
}

// A use of a name: a NAME = const(value) seen before stands for its value.
Node *py_name_node(Py *py, Atom *name, u32 line, u32 at)
{
    name->is_qstr = true;
    if (name->constant) return constant_node(py, name->constant, line, at);
    Node *n = py_node(py, N_NAME, line, at);
    n->name = name;
    return n;
}

// A str that is short or known as a name becomes a qstr, any other an object.
Node *py_string_node(Py *py, const char *text, u32 len, bool is_bytes, u32 line, u32 at)
{
    if (is_bytes) return object_node(py, (Const){.kind = PY_OBJ_BYTES, .text = text, .len = len}, line, at);
    Atom *a = py_atom(py, text, len);
    if (len <= MAX_SHORT_STRING) a->is_qstr = true;
    if (!a->is_qstr)
        return object_node(py, (Const){.kind = PY_OBJ_STR, .text = a->text, .len = len}, line, at);
    Node *n = py_node(py, N_STR, line, at);
    n->name = a;
    return n;
}

static char *format_int(Py *py, i128 v)
{
    char digits[48];
    u32 n = sizeof digits;
    digits[--n] = 0;
    u128 left = v < 0 ? -(u128)v : (u128)v;
    do {
        digits[--n] = (char)('0' + (u32)(left % 10));
        left /= 10;
    } while (left);
    if (v < 0) digits[--n] = '-';
    return arena_strndup(&py->arena, digits + n, sizeof digits);
}

Node *py_int_node(Py *py, i128 v, u32 line, u32 at)
{
    if (v >= PY_SMALL_INT_MIN && v <= PY_SMALL_INT_MAX) {
        Node *n = py_node(py, N_INT, line, at);
        n->number = (i64)v;
        return n;
    }
    char *text = format_int(py, v);
    return object_node(
        py,
        (Const){.kind = PY_OBJ_INT, .text = text, .len = (u32)strlen(text), .is_small = true, .number = v},
        line, at);
}

Node *py_big_int_node(Py *py, const char *digits, u32 len, u32 line, u32 at)
{
    if (len > 38) return object_node(py, (Const){.kind = PY_OBJ_INT, .text = digits, .len = len}, line, at);
    i128 v = 0;
    for (u32 i = 0; i < len; i++)
        v = v * 10 + (digits[i] - '0');
    return py_int_node(py, v, line, at);
}

Node *py_float_node(Py *py, double v, PyObjKind kind, u32 line, u32 at)
{
    return object_node(py, (Const){.kind = kind, .real = v}, line, at);
}

Const *py_const_of(Py *py, const Node *n)
{
    if (n->kind == N_OBJECT) return n->object;
    Const *c = arena_new(&py->arena, Const);
    switch (n->kind) {
    case N_INT: {
        char *text = format_int(py, n->number);
        *c = (Const){.kind = PY_OBJ_INT,
                     .text = text,
                     .len = (u32)strlen(text),
                     .is_small = true,
                     .number = n->number};
        break;
    }
    case N_STR: *c = (Const){.kind = PY_OBJ_STR, .text = n->name->text, .len = n->name->len}; break;
    case N_TUPLE: *c = (Const){.kind = PY_OBJ_TUPLE}; break; // the empty one
    case N_NONE: *c = (Const){.kind = PY_OBJ_NONE}; break;
    case N_TRUE: *c = (Const){.kind = PY_OBJ_TRUE}; break;
    case N_FALSE: *c = (Const){.kind = PY_OBJ_FALSE}; break;
    case N_ELLIPSIS: *c = (Const){.kind = PY_OBJ_ELLIPSIS}; break;
    default: UNREACHABLE("not a constant");
    }
    return c;
}

// Python's repr: the fewest digits that read back as the same value, exponents below 1e-4 and from 1e16.
void py_format_float(double v, char out[40])
{
    if (v != v || v - v != 0) {
        strcpy(out, v != v ? "nan" : v < 0 ? "-inf" : "inf");
        return;
    }
    char digits[40];
    int precision = 0;
    do
        snprintf(digits, sizeof digits, "%.*e", precision++, v);
    while (strtod(digits, NULL) != v);
    int exponent = atoi(strchr(digits, 'e') + 1);
    if (exponent < -4 || exponent >= 16) {
        *strchr(digits, 'e') = 0;
        snprintf(out, 40, "%.24se%c%02d", digits, exponent < 0 ? '-' : '+', abs(exponent));
        return;
    }
    int decimals = precision - 1 - exponent;
    snprintf(out, 40, "%.*f", decimals < 1 ? 1 : decimals, v);
}
