// gen_expr.c: expressions. A value ends up on the stack; a condition ends up as jumps.
#include "vm/py/compile.h"

static void gen_all(Py *py, Node *const *kids, u32 n)
{
    for (u32 i = 0; i < n; i++)
        py_gen_expr(py, kids[i]);
}

// ---- conditions ----

// Jumps to label if the truth of n is jump_if, else goes on. Constants decide here; and, or, not become
// jumps.
void py_gen_condition(Py *py, const Node *n, bool jump_if, u32 label)
{
    bool is_tuple = n->kind == N_TUPLE && n->is_paren;
    bool is_generator = n->kind == N_COMPREHENSION && n->scope_kind == SCOPE_GENERATOR;
    if (py_is_const(n) || is_tuple || is_generator) {
        bool truth = py_is_const(n) ? py_is_const_bool(n, true) : true;
        if (truth == jump_if) py_emit_jump(py, PY_OP_JUMP, label);
        return;
    }
    if (n->kind == N_NOT) {
        py_gen_condition(py, n->kids[0], !jump_if, label);
        return;
    }
    if (n->kind != N_OR && n->kind != N_AND) {
        py_gen_expr(py, n);
        py_emit_jump(py, jump_if ? PY_OP_POP_JUMP_IF_TRUE : PY_OP_POP_JUMP_IF_FALSE, label);
        return;
    }
    if ((n->kind == N_OR) == jump_if) { // each operand alone decides
        for (u32 i = 0; i < n->n; i++)
            py_gen_condition(py, n->kids[i], jump_if, label);
        return;
    }
    u32 decided = py_label(py);
    for (u32 i = 0; i + 1 < n->n; i++)
        py_gen_condition(py, n->kids[i], !jump_if, decided);
    py_gen_condition(py, n->kids[n->n - 1], jump_if, label);
    py_place(py, decided);
}

static void gen_if_else(Py *py, const Node *n)
{
    u32 other = py_label(py), end = py_label(py);
    py_gen_condition(py, n->kids[1], false, other);
    py_gen_expr(py, n->kids[0]);
    py_emit_jump(py, PY_OP_JUMP, end);
    py_place(py, other);
    py_adjust(py, -1);
    py_gen_expr(py, n->kids[2]);
    py_place(py, end);
}

static void gen_and_or(Py *py, const Node *n)
{
    u32 end = py_label(py);
    for (u32 i = 0; i < n->n; i++) {
        py_gen_expr(py, n->kids[i]);
        if (i + 1 < n->n)
            py_emit_jump(py, n->kind == N_OR ? PY_OP_JUMP_IF_TRUE_OR_POP : PY_OP_JUMP_IF_FALSE_OR_POP, end);
    }
    py_place(py, end);
}

static void emit_binary(Py *py, u8 op)
{
    py_emit(py, (PyOp)(PY_OP_BINARY_OP + op), 0);
}

static void emit_compare(Py *py, u8 op)
{
    emit_binary(py, op & 0x7f);
    if (op & 0x80) py_emit(py, (PyOp)(PY_OP_UNARY_OP + PY_UNARY_NOT), 0);
}

// a < b < c: b is kept for the second test; the first false result is the value.
static void gen_compare(Py *py, const Node *n)
{
    py_gen_expr(py, n->kids[0]);
    bool is_chain = n->n > 2;
    u32 failed = is_chain ? py_label(py) : 0;
    for (u32 i = 1; i < n->n; i++) {
        bool is_last = i + 1 == n->n;
        py_gen_expr(py, n->kids[i]);
        if (!is_last) {
            py_emit(py, PY_OP_DUP_TOP, 0);
            py_emit(py, PY_OP_ROT_THREE, 0);
        }
        emit_compare(py, n->ops[i - 1]);
        if (!is_last) py_emit_jump(py, PY_OP_JUMP_IF_FALSE_OR_POP, failed);
    }
    if (!is_chain) return;
    u32 end = py_label(py);
    py_emit_jump(py, PY_OP_JUMP, end);
    py_place(py, failed);
    py_adjust(py, 1);
    py_emit(py, PY_OP_ROT_TWO, 0);
    py_emit(py, PY_OP_POP_TOP, 0);
    py_place(py, end);
}

static void gen_binary(Py *py, const Node *n)
{
    py_gen_expr(py, n->kids[0]);
    for (u32 i = 1; i < n->n; i++) {
        py_gen_expr(py, n->kids[i]);
        emit_binary(py, n->ops[i - 1]);
    }
}

// ---- calls ----

enum { MAX_ARGS = 255, MAX_STAR_POSITION = 29 }; // a bit number of a small int

typedef struct Args {
    u32 n_pos, n_kw, stars; // stars: bit i = argument i is starred
    bool has_star, has_double_star;
} Args;

static void gen_argument(Py *py, Node *a, u32 index, Args *args)
{
    if (a->kind == N_STAR) {
        if (args->has_double_star) py_fail(py, a->at, NULL, "a '*' argument follows a '**' argument");
        if (args->n_kw)
            py_fail(py, a->at, NULL, "a '*' argument after a keyword argument is not supported here");
        if (index > MAX_STAR_POSITION) py_fail(py, a->at, NULL, "too many arguments before a '*' argument");
        args->has_star = true;
        args->stars |= 1u << index;
        py_gen_expr(py, a->kids[0]);
        args->n_pos++;
    } else if (a->kind == N_DOUBLE_STAR) {
        args->has_double_star = true;
        py_emit(py, PY_OP_LOAD_NULL, 0);
        py_gen_expr(py, a->kids[0]);
        args->n_kw++;
    } else if (a->kind == N_KEYWORD) {
        py_emit_q(py, PY_OP_LOAD_CONST_STRING, a->name);
        py_gen_expr(py, a->kids[0]);
        args->n_kw++;
    } else {
        if (args->has_double_star) py_fail(py, a->at, NULL, "a positional argument follows a '**' argument");
        if (args->n_kw) py_fail(py, a->at, NULL, "a positional argument follows a keyword argument");
        if (a->kind == N_COMPREHENSION && a->scope_kind == SCOPE_GENERATOR && !a->is_paren)
            py_gen_comprehension(py, a);
        else
            py_gen_expr(py, a);
        args->n_pos++;
    }
}

static void check_duplicate_keywords(Py *py, const Node *args)
{
    for (u32 i = 0; i < args->n && i < 64; i++)
        for (u32 k = 0; k < i; k++)
            if (args->kids[i]->kind == N_KEYWORD && args->kids[k]->kind == N_KEYWORD &&
                args->kids[i]->name == args->kids[k]->name)
                py_fail(py, args->kids[i]->at, NULL, "keyword argument repeated: %s",
                        args->kids[i]->name->text);
}

// Arguments (args may be NULL) and the call; n_before positional ones are on the stack already.
void py_gen_call(Py *py, const Node *args, bool is_method, u32 n_before)
{
    Args a = {.n_pos = n_before};
    if (args) check_duplicate_keywords(py, args);
    for (u32 i = 0; args && i < args->n; i++)
        gen_argument(py, args->kids[i], i, &a);
    if (a.n_pos > MAX_ARGS || a.n_kw > MAX_ARGS)
        py_fail(py, args ? args->at : 0, NULL, "more than %d arguments", MAX_ARGS);
    bool is_starred = a.has_star || a.has_double_star;
    if (is_starred) py_emit_int(py, a.stars);
    PyOp op = is_method    ? is_starred ? PY_OP_CALL_METHOD_VAR_KW : PY_OP_CALL_METHOD
              : is_starred ? PY_OP_CALL_FUNCTION_VAR_KW
                           : PY_OP_CALL_FUNCTION;
    py_emit(py, op, a.n_pos | a.n_kw << 8);
}

static bool is_kind(const Node *n, u32 index, NodeKind kind)
{
    return index < n->n && n->kids[index]->kind == kind;
}

// super() in a method: the class comes from the __class__ cell, the object is the first parameter. Returns
// the next kid.
static u32 gen_super(Py *py, const Node *n)
{
    py_gen_load(py, py_static(py, PY_QSTR___class__));
    const Id *self = NULL;
    for (u32 i = 0; i < py->scope->ids.len && !self; i++)
        if (py->scope->ids.at[i].flags & ID_IS_PARAM) self = &py->scope->ids.at[i];
    if (!self) py_fail(py, n->at, NULL, "super() needs a method with a first parameter");
    py_gen_load(py, self->name);
    if (is_kind(n, 2, N_ATTRIBUTE) && is_kind(n, 3, N_CALL)) {
        py_emit_q(py, PY_OP_LOAD_SUPER_METHOD, n->kids[2]->name);
        py_gen_call(py, n->kids[3], true, 0);
        return 4;
    }
    py_emit(py, PY_OP_CALL_FUNCTION, 2);
    return 2;
}

void py_gen_trailer(Py *py, const Node *t)
{
    py_emit_line(py, t->line);
    if (t->kind == N_CALL) {
        py_gen_call(py, t, false, 0);
    } else if (t->kind == N_INDEX) {
        py_gen_expr(py, t->kids[0]);
        py_emit(py, PY_OP_LOAD_SUBSCR, 0);
    } else {
        py_emit_q(py, PY_OP_LOAD_ATTR, t->name);
    }
}

static void gen_postfix(Py *py, const Node *n)
{
    const Node *base = n->kids[0];
    py_gen_expr(py, base);
    bool is_super = py->scope->kind == SCOPE_FUNCTION && base->kind == N_NAME &&
                    base->name == py_static(py, PY_QSTR_super) && n->kids[1]->kind == N_CALL &&
                    n->kids[1]->n == 0;
    for (u32 i = is_super ? gen_super(py, n) : 1; i < n->n; i++) {
        if (n->kids[i]->kind == N_ATTRIBUTE && is_kind(n, i + 1, N_CALL)) {
            py_emit_q(py, PY_OP_LOAD_METHOD, n->kids[i]->name);
            py_gen_call(py, n->kids[++i], true, 0);
        } else {
            py_gen_trailer(py, n->kids[i]);
        }
    }
}

// ---- displays ----

static void gen_pair(Py *py, const Node *pair)
{
    py_emit_line(py, pair->line);
    py_gen_expr(py, pair->kids[1]);
    py_gen_expr(py, pair->kids[0]);
}

static void gen_dict(Py *py, const Node *n)
{
    py_emit(py, PY_OP_BUILD_MAP, n->n);
    for (u32 i = 0; i < n->n; i++) {
        gen_pair(py, n->kids[i]);
        py_emit(py, PY_OP_STORE_MAP, 0);
    }
}

static void gen_slice(Py *py, const Node *n)
{
    for (u32 i = 0; i < 2; i++) {
        if (n->kids[i])
            py_gen_expr(py, n->kids[i]);
        else
            py_emit(py, PY_OP_LOAD_CONST_NONE, 0);
    }
    if (n->kids[2]) py_gen_expr(py, n->kids[2]);
    py_emit(py, PY_OP_BUILD_SLICE, n->kids[2] ? 3 : 2);
}

static void gen_yield(Py *py, const Node *n)
{
    if (py->scope->kind != SCOPE_FUNCTION && py->scope->kind != SCOPE_LAMBDA)
        py_fail(py, n->at, NULL,
                py_is_comprehension(py->scope->kind) ? "'yield' inside a comprehension"
                                                     : "'yield' outside a function");
    if (n->kids[0])
        py_gen_expr(py, n->kids[0]);
    else
        py_emit(py, PY_OP_LOAD_CONST_NONE, 0);
    if (n->kind == N_YIELD_FROM) {
        py_emit(py, PY_OP_GET_ITER, 0);
        py_emit(py, PY_OP_LOAD_CONST_NONE, 0);
    }
    py_emit(py, n->kind == N_YIELD ? PY_OP_YIELD_VALUE : PY_OP_YIELD_FROM, 0);
}

// A := in a comprehension binds in the scope around it.
static void gen_walrus(Py *py, const Node *n)
{
    py_gen_expr(py, n->kids[0]);
    py_emit(py, PY_OP_DUP_TOP, 0);
    if (py->is_naming && py_is_comprehension(py->scope->kind)) {
        Scope *owner = py->scope->parent;
        while (py_is_comprehension(owner->kind))
            owner = owner->parent;
        if (owner->kind == SCOPE_CLASS)
            py_fail(py, n->at, NULL, "':=' inside a comprehension in a class body");
        Id *outer = py_scope_bind(py, owner, n->name);
        if (owner->kind == SCOPE_MODULE) outer->kind = ID_GLOBAL_EXPLICIT;
        bool is_global = outer->kind == ID_GLOBAL_EXPLICIT;
        Id *id = py_scope_add(py->scope, py, n->name, ID_UNDECIDED);
        if (id->kind == ID_LOCAL)
            py_fail(py, n->at, NULL, "':=' cannot rebind the comprehension's variable '%s'", n->name->text);
        if (is_global)
            id->kind = ID_GLOBAL_EXPLICIT;
        else if (id->kind != ID_FREE && id->kind != ID_CELL)
            py_scope_close_over(py, py->scope, id);
        return;
    }
    py_gen_store_name(py, n->name, n->at);
}

static void gen_leaf(Py *py, const Node *n)
{
    switch ((int)n->kind) {
    case N_NAME: py_gen_load(py, n->name); break;
    case N_INT: py_emit_int(py, n->number); break;
    case N_STR: py_emit_q(py, PY_OP_LOAD_CONST_STRING, n->name); break;
    case N_NONE: py_emit(py, PY_OP_LOAD_CONST_NONE, 0); break;
    case N_TRUE: py_emit(py, PY_OP_LOAD_CONST_TRUE, 0); break;
    case N_FALSE: py_emit(py, PY_OP_LOAD_CONST_FALSE, 0); break;
    default: py_emit_const(py, n); break;
    }
}

void py_gen_expr(Py *py, const Node *n)
{
    if (n->kind <= N_ELLIPSIS) {
        gen_leaf(py, n);
        return;
    }
    py_emit_line(py, n->line);
    switch ((int)n->kind) {
    case N_OBJECT: py_emit_const(py, n); break;
    case N_IF_ELSE: gen_if_else(py, n); break;
    case N_OR:
    case N_AND: gen_and_or(py, n); break;
    case N_NOT:
        py_gen_expr(py, n->kids[0]);
        py_emit(py, (PyOp)(PY_OP_UNARY_OP + PY_UNARY_NOT), 0);
        break;
    case N_COMPARE: gen_compare(py, n); break;
    case N_BINARY: gen_binary(py, n); break;
    case N_UNARY:
        py_gen_expr(py, n->kids[0]);
        py_emit(py, (PyOp)(PY_OP_UNARY_OP + n->op), 0);
        break;
    case N_POSTFIX: gen_postfix(py, n); break;
    case N_TUPLE: gen_all(py, n->kids, n->n), py_emit(py, PY_OP_BUILD_TUPLE, n->n); break;
    case N_LIST: gen_all(py, n->kids, n->n), py_emit(py, PY_OP_BUILD_LIST, n->n); break;
    case N_SET: gen_all(py, n->kids, n->n), py_emit(py, PY_OP_BUILD_SET, n->n); break;
    case N_DICT: gen_dict(py, n); break;
    case N_PAIR: gen_pair(py, n); break;
    case N_COMPREHENSION: py_gen_comprehension(py, (Node *)n); break;
    case N_SLICE: gen_slice(py, n); break;
    case N_STAR:
        py_fail(py, n->at, "build the list with + or extend()", "'*' in an expression is not supported here");
    case N_WALRUS: gen_walrus(py, n); break;
    case N_LAMBDA: {
        static const char name[] = "<lambda>";
        py_gen_function(py, (Node *)n, SCOPE_LAMBDA, py_atom(py, name, sizeof name - 1), n->kids[0]);
        break;
    }
    case N_YIELD:
    case N_YIELD_FROM: gen_yield(py, n); break;
    default: UNREACHABLE("node %d is no expression", (int)n->kind);
    }
}
