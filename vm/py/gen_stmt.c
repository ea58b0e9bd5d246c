// gen_stmt.c: statements.
#include "vm/py/compile.h"

enum { MAX_RECORDS = 100 }; // nested try and with; an UNWIND_JUMP has 7 bits for them

// ---- loops ----

typedef struct Loop {
    u32 break_label, continue_label, records;
    bool is_iterator;
} Loop;

// Starts a loop and returns the one around it, for end_loop.
static Loop start_loop(Py *py, bool is_iterator)
{
    Loop outer = {py->break_label, py->continue_label, py->loop_records, py->is_iterator_loop};
    py->break_label = py_label(py);
    py->continue_label = py_label(py);
    py->loop_records = py->records;
    py->is_iterator_loop = is_iterator;
    py->n_loops++;
    return outer;
}

static void end_loop(Py *py, Loop outer)
{
    py->break_label = outer.break_label;
    py->continue_label = outer.continue_label;
    py->loop_records = outer.records;
    py->is_iterator_loop = outer.is_iterator;
    py->n_loops--;
}

static void gen_break_continue(Py *py, const Node *n)
{
    bool is_break = n->kind == N_BREAK;
    if (!py->n_loops) py_fail(py, n->at, NULL, "'%s' outside a loop", is_break ? "break" : "continue");
    py_emit_unwind(py, is_break ? py->break_label : py->continue_label, py->records - py->loop_records,
                   is_break && py->is_iterator_loop);
}

static void gen_while(Py *py, const Node *n)
{
    const Node *condition = n->kids[0];
    Loop outer = start_loop(py, false);
    u32 break_label = py->break_label;
    if (!py_is_const_bool(condition, false)) {
        u32 top = py_label(py);
        if (!py_is_const_bool(condition, true)) py_emit_jump(py, PY_OP_JUMP, py->continue_label);
        py_place(py, top);
        py_gen_stmt(py, n->kids[1]);
        py_place(py, py->continue_label);
        py_gen_condition(py, condition, true, top);
    }
    end_loop(py, outer);
    if (n->kids[2]) py_gen_stmt(py, n->kids[2]);
    py_place(py, break_label);
}

// `for name in range(…)` with plain arguments and a constant step counts in a stack slot: no range object, no
// iterator.
typedef struct Range {
    const Node *start, *stop, *step;
} Range;

static bool is_plain_argument(const Node *a)
{
    return a->kind != N_STAR && a->kind != N_DOUBLE_STAR && a->kind != N_KEYWORD &&
           !(a->kind == N_COMPREHENSION && a->scope_kind == SCOPE_GENERATOR && !a->is_paren);
}

static bool is_counting(Py *py, const Node *n, Range *r)
{
    const Node *it = n->kids[1];
    if (n->kids[0]->kind != N_NAME || it->kind != N_POSTFIX || it->n != 2 || it->kids[0]->kind != N_NAME ||
        it->kids[0]->name != py_static(py, PY_QSTR_range) || it->kids[1]->kind != N_CALL)
        return false;
    const Node *args = it->kids[1];
    if (args->n < 1 || args->n > 3) return false;
    for (u32 i = 0; i < args->n; i++)
        if (!is_plain_argument(args->kids[i])) return false;
    Node *zero = py_int_node(py, 0, n->line, n->at), *one = py_int_node(py, 1, n->line, n->at);
    *r = (Range){args->n > 1 ? args->kids[0] : zero, args->kids[args->n > 1],
                 args->n > 2 ? args->kids[2] : one};
    return r->step->kind == N_INT && r->step->number != 0;
}

static void gen_counting_for(Py *py, const Node *n, const Range *r)
{
    Loop outer = start_loop(py, false);
    u32 break_label = py->break_label, top = py_label(py), entry = py_label(py), end = py_label(py);
    bool is_stop_on_stack = r->stop->kind != N_INT;
    if (is_stop_on_stack) py_gen_expr(py, r->stop);
    py_gen_expr(py, r->start);
    py_emit_jump(py, PY_OP_JUMP, entry);
    py_place(py, top);
    py_emit(py, PY_OP_DUP_TOP, 0);
    py_gen_store(py, n->kids[0]);
    py_gen_stmt(py, n->kids[2]);
    py_place(py, py->continue_label);
    py_gen_expr(py, r->step);
    py_emit(py, (PyOp)(PY_OP_BINARY_OP + PY_BINARY_INPLACE_ADD), 0);
    py_place(py, entry);
    if (is_stop_on_stack) {
        py_emit(py, PY_OP_DUP_TOP_TWO, 0);
        py_emit(py, PY_OP_ROT_TWO, 0);
    } else {
        py_emit(py, PY_OP_DUP_TOP, 0);
        py_gen_expr(py, r->stop);
    }
    py_emit(py, (PyOp)(PY_OP_BINARY_OP + (r->step->number > 0 ? PY_BINARY_LESS : PY_BINARY_MORE)), 0);
    py_emit_jump(py, PY_OP_POP_JUMP_IF_TRUE, top);
    end_loop(py, outer);
    if (n->kids[3]) { // the counters go before the else block, which may leave an outer loop
        py_emit(py, PY_OP_POP_TOP, 0);
        if (is_stop_on_stack) py_emit(py, PY_OP_POP_TOP, 0);
        py_gen_stmt(py, n->kids[3]);
        py_emit_jump(py, PY_OP_JUMP, end);
        py_adjust(py, 1 + is_stop_on_stack);
    }
    py_place(py, break_label);
    py_emit(py, PY_OP_POP_TOP, 0);
    if (is_stop_on_stack) py_emit(py, PY_OP_POP_TOP, 0);
    if (n->kids[3]) py_place(py, end);
}

static void gen_for(Py *py, const Node *n)
{
    Range range;
    if (is_counting(py, n, &range)) {
        gen_counting_for(py, n, &range);
        return;
    }
    Loop outer = start_loop(py, true);
    u32 break_label = py->break_label, end = py_label(py);
    py_gen_expr(py, n->kids[1]);
    py_emit(py, PY_OP_GET_ITER_STACK, 0);
    py_place(py, py->continue_label);
    py_emit_jump(py, PY_OP_FOR_ITER, end);
    py_gen_store(py, n->kids[0]);
    py_gen_stmt(py, n->kids[2]);
    py_emit_jump(py, PY_OP_JUMP, py->continue_label);
    py_place(py, end);
    py_adjust(py, -PY_ITER_SLOTS);
    end_loop(py, outer);
    if (n->kids[3]) py_gen_stmt(py, n->kids[3]);
    py_place(py, break_label);
}

static void gen_if(Py *py, const Node *n)
{
    u32 end = py_label(py);
    for (u32 i = 0; i + 1 < n->n; i += 2) {
        const Node *condition = n->kids[i];
        if (py_is_const_bool(condition, false)) continue;
        u32 fail = py_label(py);
        py_gen_condition(py, condition, false, fail);
        py_gen_stmt(py, n->kids[i + 1]);
        if (py_is_const_bool(condition, true)) {
            py_place(py, end);
            return;
        }
        bool is_alone = i == 0 && n->n == 3 && !n->kids[2];
        if (!is_alone) py_emit_jump(py, PY_OP_JUMP, end);
        py_place(py, fail);
    }
    if (n->kids[n->n - 1]) py_gen_stmt(py, n->kids[n->n - 1]);
    py_place(py, end);
}

// ---- exceptions ----

static void push_record(Py *py, PyOp op, u32 label, u32 at)
{
    py_emit_jump(py, op, label);
    if (++py->records > MAX_RECORDS)
        py_fail(py, at, NULL, "try and with blocks nested deeper than %d levels", MAX_RECORDS);
    if (py->records > py->scope->max_records) py->scope->max_records = py->records;
}

static void pop_record(Py *py)
{
    py->records--;
    py_emit(py, PY_OP_END_FINALLY, 0);
}

// One clause; the exception is on the stack. `as name` is deleted at the end, however the clause ends.
static void gen_handler(Py *py, const Node *h, u32 end)
{
    u32 next = py_label(py);
    if (h->kids[0]) {
        py_emit(py, PY_OP_DUP_TOP, 0);
        py_gen_expr(py, h->kids[0]);
        py_emit(py, (PyOp)(PY_OP_BINARY_OP + PY_BINARY_EXCEPTION_MATCH), 0);
        py_emit_jump(py, PY_OP_POP_JUMP_IF_FALSE, next);
    }
    if (h->name)
        py_gen_store_name(py, h->name, h->at);
    else
        py_emit(py, PY_OP_POP_TOP, 0);
    u32 cleanup = py_label(py);
    if (h->name) push_record(py, PY_OP_SETUP_FINALLY, cleanup, h->at);
    py_gen_stmt(py, h->kids[1]);
    if (h->name) {
        py_emit(py, PY_OP_LOAD_CONST_NONE, 0);
        py_place(py, cleanup);
        py_emit(py, PY_OP_LOAD_CONST_NONE, 0);
        py_gen_store_name(py, h->name, h->at);
        py_gen_delete_name(py, h->name, h->at);
        pop_record(py);
    }
    py_emit_jump(py, PY_OP_POP_EXCEPT_JUMP, end);
    py_place(py, next);
    py_adjust(py, 1);
}

static void gen_try_except(Py *py, const Node *n)
{
    u32 handlers = py_label(py), success = py_label(py), end = py_label(py);
    push_record(py, PY_OP_SETUP_EXCEPT, handlers, n->at);
    py_gen_stmt(py, n->kids[0]);
    py_emit_jump(py, PY_OP_POP_EXCEPT_JUMP, success);
    py_place(py, handlers);
    py_adjust(py, 4); // the exception, and room for a pending jump
    for (u32 i = 3; i < n->n; i++)
        gen_handler(py, n->kids[i], end);
    pop_record(py);
    py_adjust(py, -3);
    py_place(py, success);
    if (n->kids[1]) py_gen_stmt(py, n->kids[1]);
    py_place(py, end);
}

void py_gen_try(Py *py, const Node *n)
{
    if (!n->kids[2]) {
        gen_try_except(py, n);
        return;
    }
    u32 finally = py_label(py);
    push_record(py, PY_OP_SETUP_FINALLY, finally, n->at);
    if (n->n > 3) {
        gen_try_except(py, n);
    } else {
        py_adjust(py, 3); // room for a pending jump
        py_gen_stmt(py, n->kids[0]);
        py_adjust(py, -3);
    }
    py_emit(py, PY_OP_LOAD_CONST_NONE, 0);
    py_place(py, finally);
    py_adjust(py, 1); // a return value may be below
    py_gen_stmt(py, n->kids[2]);
    py_adjust(py, -1);
    pop_record(py);
}

static void gen_with_from(Py *py, const Node *n, u32 index)
{
    if (index + 1 == n->n) {
        py_gen_stmt(py, n->kids[index]);
        return;
    }
    const Node *item = n->kids[index];
    u32 end = py_label(py);
    py_gen_expr(py, item->kids[0]);
    push_record(py, PY_OP_SETUP_WITH, end, item->at);
    if (item->kids[1])
        py_gen_store(py, item->kids[1]);
    else
        py_emit(py, PY_OP_POP_TOP, 0);
    gen_with_from(py, n, index + 1);
    py_emit(py, PY_OP_LOAD_CONST_NONE, 0);
    py_place(py, end);
    py_emit(py, PY_OP_WITH_CLEANUP, 0);
    py_adjust(py, -4); // the two slots of the call, __exit__ and its self
    pop_record(py);
}

void py_gen_with(Py *py, const Node *n)
{
    gen_with_from(py, n, 0);
}

// ---- imports ----

// Imports `dotted` and gives the name to bind: as_name, or the first part.
static Atom *gen_import_name(Py *py, Atom *dotted, Atom *as_name)
{
    py_emit_q(py, PY_OP_IMPORT_NAME, dotted);
    const char *dot = strchr(dotted->text, '.');
    if (!as_name) return dot ? py_atom(py, dotted->text, (size_t)(dot - dotted->text)) : dotted;
    while (dot) {
        const char *next = strchr(dot + 1, '.');
        py_emit_q(py, PY_OP_LOAD_ATTR,
                  py_atom(py, dot + 1, next ? (size_t)(next - dot - 1) : strlen(dot + 1)));
        dot = next;
    }
    return as_name;
}

static void gen_import(Py *py, const Node *n)
{
    for (u32 i = 0; i < n->n; i++) {
        py_emit_int(py, 0);
        py_emit(py, PY_OP_LOAD_CONST_NONE, 0);
        py_gen_store_name(py, gen_import_name(py, n->kids[i]->name, n->kids[i]->as_name), n->kids[i]->at);
    }
}

static void gen_from_import(Py *py, const Node *n)
{
    if (!n->n && py->scope->kind != SCOPE_MODULE)
        py_fail(py, n->at, NULL, "'import *' is only allowed at the top level");
    py_emit_int(py, n->number);
    if (!n->n) py_emit_q(py, PY_OP_LOAD_CONST_STRING, py_static(py, PY_QSTR_STAR));
    for (u32 i = 0; i < n->n; i++)
        py_emit_q(py, PY_OP_LOAD_CONST_STRING, n->kids[i]->name);
    py_emit(py, PY_OP_BUILD_TUPLE, n->n ? n->n : 1);
    py_emit_q(py, PY_OP_IMPORT_NAME, n->name ? n->name : py_static(py, PY_QSTR_EMPTY));
    if (!n->n) {
        py_emit(py, PY_OP_IMPORT_STAR, 0);
        return;
    }
    for (u32 i = 0; i < n->n; i++) {
        const Node *item = n->kids[i];
        py_emit_q(py, PY_OP_IMPORT_FROM, item->name);
        py_gen_store_name(py, item->as_name ? item->as_name : item->name, item->at);
    }
    py_emit(py, PY_OP_POP_TOP, 0);
}

// ---- the rest ----

static void gen_return(Py *py, const Node *n)
{
    if (py->scope->kind != SCOPE_FUNCTION) py_fail(py, n->at, NULL, "'return' outside a function");
    const Node *value = n->kids[0];
    if (!value) {
        py_emit(py, PY_OP_LOAD_CONST_NONE, 0);
    } else if (value->kind == N_IF_ELSE) { // each branch returns at once
        u32 other = py_label(py);
        py_gen_condition(py, value->kids[1], false, other);
        py_gen_expr(py, value->kids[0]);
        py_emit(py, PY_OP_RETURN_VALUE, 0);
        py_place(py, other);
        py_gen_expr(py, value->kids[2]);
    } else {
        py_gen_expr(py, value);
    }
    py_emit(py, PY_OP_RETURN_VALUE, 0);
}

static void gen_assert(Py *py, const Node *n)
{
    u32 end = py_label(py);
    py_gen_condition(py, n->kids[0], true, end);
    py_emit_q(py, PY_OP_LOAD_GLOBAL, py_static(py, PY_QSTR_AssertionError));
    if (n->kids[1]) {
        py_gen_expr(py, n->kids[1]);
        py_emit(py, PY_OP_CALL_FUNCTION, 1);
    }
    py_emit(py, PY_OP_RAISE_OBJ, 0);
    py_place(py, end);
}

static void declare_global(Py *py, const Node *name)
{
    Id *id = py_scope_add(py->scope, py, name->name, ID_UNDECIDED);
    if (id->kind != ID_UNDECIDED && id->kind != ID_GLOBAL_EXPLICIT)
        py_fail(py, name->at, "put the global statement at the top of the function",
                "'%s' is used before 'global'", name->name->text);
    id->kind = ID_GLOBAL_EXPLICIT;
    Id *outer = py_scope_find(py->first_scope, name->name);
    if (outer) outer->kind = ID_GLOBAL_EXPLICIT;
}

static void declare_nonlocal(Py *py, const Node *name)
{
    Id *id = py_scope_add(py->scope, py, name->name, ID_UNDECIDED);
    if (id->kind == ID_FREE) return;
    if (id->kind != ID_UNDECIDED)
        py_fail(py, name->at, "put the nonlocal statement at the top of the function",
                "'%s' is used before 'nonlocal'", name->name->text);
    if (!py_scope_close_over(py, py->scope, id))
        py_fail(py, name->at, "only a variable of an enclosing function can be nonlocal",
                "no binding for nonlocal '%s' found", name->name->text);
}

static void gen_declaration(Py *py, const Node *n)
{
    if (!py->is_naming) return;
    if (n->kind == N_NONLOCAL && py->scope->kind == SCOPE_MODULE)
        py_fail(py, n->at, NULL, "'nonlocal' at the top level: there is no enclosing function");
    for (u32 i = 0; i < n->n; i++) {
        if (n->kind == N_GLOBAL)
            declare_global(py, n->kids[i]);
        else
            declare_nonlocal(py, n->kids[i]);
    }
}

static void gen_expr_stmt(Py *py, const Node *n)
{
    const Node *e = n->kids[0];
    if (py_is_const(e) && e->kind != N_TUPLE) return; // a lone constant, such as a documentation string
    py_gen_expr(py, e);
    py_emit(py, PY_OP_POP_TOP, 0);
}

static void gen_annotated(Py *py, const Node *n)
{
    if (n->kids[1]) {
        py_gen_expr(py, n->kids[1]);
        py_gen_store(py, n->kids[0]);
    } else if (py->is_naming && n->kids[0]->kind == N_NAME) {
        py_scope_bind(py, py->scope, n->kids[0]->name);
    }
}

void py_gen_stmt(Py *py, const Node *n)
{
    if (n->kind != N_BLOCK) py_emit_line(py, n->line);
    switch ((int)n->kind) {
    case N_BLOCK:
        for (u32 i = 0; i < n->n; i++)
            py_gen_stmt(py, n->kids[i]);
        break;
    case N_EXPR: gen_expr_stmt(py, n); break;
    case N_PASS: break;
    case N_BREAK:
    case N_CONTINUE: gen_break_continue(py, n); break;
    case N_ASSIGN: py_gen_assign(py, n); break;
    case N_AUG_ASSIGN:
        py_gen_aug_load(py, n->kids[0]);
        py_gen_expr(py, n->kids[1]);
        py_emit(py, (PyOp)(PY_OP_BINARY_OP + n->op), 0);
        py_gen_aug_store(py, n->kids[0]);
        break;
    case N_ANNOTATED: gen_annotated(py, n); break;
    case N_DEL:
        for (u32 i = 0; i < n->n; i++)
            py_gen_delete(py, n->kids[i]);
        break;
    case N_RETURN: gen_return(py, n); break;
    case N_RAISE:
        for (u32 i = 0; i < 2 && n->kids[i]; i++)
            py_gen_expr(py, n->kids[i]);
        py_emit(py, n->kids[1] ? PY_OP_RAISE_FROM : n->kids[0] ? PY_OP_RAISE_OBJ : PY_OP_RAISE_LAST, 0);
        break;
    case N_ASSERT: gen_assert(py, n); break;
    case N_GLOBAL:
    case N_NONLOCAL: gen_declaration(py, n); break;
    case N_IMPORT: gen_import(py, n); break;
    case N_FROM_IMPORT: gen_from_import(py, n); break;
    case N_IF: gen_if(py, n); break;
    case N_WHILE: gen_while(py, n); break;
    case N_FOR: gen_for(py, n); break;
    case N_TRY: py_gen_try(py, n); break;
    case N_WITH: py_gen_with(py, n); break;
    case N_DEF:
    case N_CLASS:
    case N_DECORATED: py_gen_definition(py, n); break;
    default: UNREACHABLE("node %d is no statement", (int)n->kind);
    }
}
