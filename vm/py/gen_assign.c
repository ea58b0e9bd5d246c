// gen_assign.c: assignment in all its forms, and del. The value is on the stack; a store takes it.
#include "vm/py/compile.h"

_Noreturn static void refuse(Py *py, const Node *t, const char *verb)
{
    const char *what = "an expression";
    const char *hint = NULL;
    switch ((int)t->kind) {
    case N_INT:
    case N_STR:
    case N_OBJECT: what = "a literal"; break;
    case N_NONE: what = "None"; break;
    case N_TRUE: what = "True"; break;
    case N_FALSE: what = "False"; break;
    case N_POSTFIX: what = "a function call"; break;
    case N_COMPARE: what = "a comparison"; break;
    case N_LAMBDA: what = "a lambda"; break;
    case N_TUPLE: what = t->n ? "a tuple" : "()"; break;
    case N_LIST: what = "a list"; break;
    case N_COMPREHENSION: what = "a comprehension"; break;
    case N_IF_ELSE: what = "a conditional expression"; break;
    default: break;
    }
    if (t->kind != N_TUPLE && !strcmp(verb, "assign to")) hint = "to compare, write '=='";
    py_fail(py, t->at, hint, "cannot %s %s", verb, what);
}

static const Node *last_kid(const Node *n)
{
    return n->kids[n->n - 1];
}

// Everything of a.b[c] before its last trailer; intermediate calls are plain calls here.
static void gen_owner(Py *py, const Node *t)
{
    py_gen_expr(py, t->kids[0]);
    for (u32 i = 1; i + 1 < t->n; i++)
        py_gen_trailer(py, t->kids[i]);
}

static void unpack(Py *py, const Node *t)
{
    u32 star = UINT32_MAX;
    for (u32 i = 0; i < t->n; i++) {
        if (t->kids[i]->kind != N_STAR) continue;
        if (star != UINT32_MAX) py_fail(py, t->kids[i]->at, NULL, "a second '*' target in an assignment");
        if (i > 255 || t->n - i - 1 > 255)
            py_fail(py, t->kids[i]->at, NULL, "more than 255 targets on one side of a '*' target");
        star = i;
    }
    if (star == UINT32_MAX)
        py_emit(py, PY_OP_UNPACK_SEQUENCE, t->n);
    else
        py_emit(py, PY_OP_UNPACK_EX, star | (t->n - star - 1) << 8);
    for (u32 i = 0; i < t->n; i++)
        py_gen_store(py, i == star ? t->kids[i]->kids[0] : t->kids[i]);
}

void py_gen_store(Py *py, const Node *t)
{
    switch ((int)t->kind) {
    case N_NAME: py_gen_store_name(py, t->name, t->at); return;
    case N_LIST: unpack(py, t); return;
    case N_TUPLE:
        if (t->n == 0) refuse(py, t, "assign to");
        unpack(py, t);
        return;
    case N_STAR: py_fail(py, t->at, "write *name, with a comma", "a '*' target needs a list of targets");
    case N_POSTFIX: break;
    default: refuse(py, t, "assign to");
    }
    const Node *last = last_kid(t);
    if (last->kind == N_CALL) refuse(py, t, "assign to");
    gen_owner(py, t);
    if (last->kind == N_INDEX) {
        py_gen_expr(py, last->kids[0]);
        py_emit(py, PY_OP_STORE_SUBSCR, 0);
    } else {
        py_emit_q(py, PY_OP_STORE_ATTR, last->name);
    }
}

void py_gen_aug_load(Py *py, const Node *t)
{
    if (t->kind == N_NAME) {
        py_gen_load(py, t->name);
        return;
    }
    if (t->kind != N_POSTFIX || last_kid(t)->kind == N_CALL) refuse(py, t, "update");
    const Node *last = last_kid(t);
    gen_owner(py, t);
    if (last->kind == N_INDEX) {
        py_gen_expr(py, last->kids[0]);
        py_emit(py, PY_OP_DUP_TOP_TWO, 0);
        py_emit(py, PY_OP_LOAD_SUBSCR, 0);
    } else {
        py_emit(py, PY_OP_DUP_TOP, 0);
        py_emit_q(py, PY_OP_LOAD_ATTR, last->name);
    }
}

void py_gen_aug_store(Py *py, const Node *t)
{
    if (t->kind == N_NAME) {
        py_gen_store_name(py, t->name, t->at);
    } else if (last_kid(t)->kind == N_INDEX) {
        py_emit(py, PY_OP_ROT_THREE, 0);
        py_emit(py, PY_OP_STORE_SUBSCR, 0);
    } else {
        py_emit(py, PY_OP_ROT_TWO, 0);
        py_emit_q(py, PY_OP_STORE_ATTR, last_kid(t)->name);
    }
}

void py_gen_delete(Py *py, const Node *t)
{
    if (t->kind == N_NAME) {
        py_gen_delete_name(py, t->name, t->at);
        return;
    }
    if (t->kind == N_TUPLE && t->n) {
        for (u32 i = 0; i < t->n; i++)
            py_gen_delete(py, t->kids[i]);
        return;
    }
    if (t->kind == N_LIST) py_fail(py, t->at, "write del a, b", "'del [a, b]' is not supported here");
    if (t->kind != N_POSTFIX || last_kid(t)->kind == N_CALL) refuse(py, t, "delete");
    const Node *last = last_kid(t);
    gen_owner(py, t);
    if (last->kind == N_INDEX) {
        py_gen_expr(py, last->kids[0]);
        py_emit(py, PY_OP_LOAD_NULL, 0);
        py_emit(py, PY_OP_ROT_THREE, 0);
        py_emit(py, PY_OP_STORE_SUBSCR, 0);
    } else {
        py_emit(py, PY_OP_LOAD_NULL, 0);
        py_emit(py, PY_OP_ROT_TWO, 0);
        py_emit_q(py, PY_OP_STORE_ATTR, last->name);
    }
}

static bool is_bare_tuple(const Node *n)
{
    return n->kind == N_TUPLE && !n->is_paren;
}

// a, b = c, d (also of three): the values are put in order on the stack instead of in a tuple.
static bool gen_swap(Py *py, const Node *target, const Node *value)
{
    if (!is_bare_tuple(target) || !is_bare_tuple(value) || target->n != value->n || target->n < 2 ||
        target->n > 3)
        return false;
    for (u32 i = 0; i < target->n; i++)
        if (target->kids[i]->kind == N_STAR) return false;
    for (u32 i = 0; i < value->n; i++)
        py_gen_expr(py, value->kids[i]);
    if (value->n == 3) py_emit(py, PY_OP_ROT_THREE, 0);
    py_emit(py, PY_OP_ROT_TWO, 0);
    for (u32 i = 0; i < target->n; i++)
        py_gen_store(py, target->kids[i]);
    return true;
}

void py_gen_assign(Py *py, const Node *n)
{
    const Node *value = n->kids[n->n - 1];
    u32 n_targets = n->n - 1;
    if (n_targets == 1 && gen_swap(py, n->kids[0], value)) return;
    py_gen_expr(py, value);
    for (u32 i = 0; i < n_targets; i++) {
        if (i + 1 < n_targets) py_emit(py, PY_OP_DUP_TOP, 0);
        py_gen_store(py, n->kids[i]);
    }
}
