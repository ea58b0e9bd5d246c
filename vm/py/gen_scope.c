// gen_scope.c: the passes over the scopes, and everything that makes one: functions, lambdas, classes,
// comprehensions.
#include "vm/py/compile.h"

enum { MAX_PARAMETERS = 255 };

// ---- variables ----

void py_gen_load(Py *py, Atom *name)
{
    if (py->is_naming) {
        py_scope_add(py->scope, py, name, ID_GLOBAL);
        return;
    }
    const Id *id = py_scope_find(py->scope, name);
    if (id->kind == ID_LOCAL)
        py_emit_local(py, PY_OP_LOAD_FAST_MULTI, PY_OP_LOAD_FAST_N, id->local);
    else if (id->kind == ID_CELL || id->kind == ID_FREE)
        py_emit(py, PY_OP_LOAD_DEREF, id->local);
    else
        py_emit_q(py, id->kind == ID_GLOBAL_EXPLICIT ? PY_OP_LOAD_GLOBAL : PY_OP_LOAD_NAME, name);
}

static void check_bindable(Py *py, const Atom *name, u32 at)
{
    if (py->scope->kind == SCOPE_CLASS && !strcmp(name->text, "__class__"))
        py_fail(py, at, NULL, "'__class__' cannot be bound in a class body");
}

void py_gen_store_name(Py *py, Atom *name, u32 at)
{
    check_bindable(py, name, at);
    if (py->is_naming) {
        py_scope_bind(py, py->scope, name);
        return;
    }
    const Id *id = py_scope_find(py->scope, name);
    if (id->kind == ID_LOCAL)
        py_emit_local(py, PY_OP_STORE_FAST_MULTI, PY_OP_STORE_FAST_N, id->local);
    else if (id->kind == ID_CELL || id->kind == ID_FREE)
        py_emit(py, PY_OP_STORE_DEREF, id->local);
    else
        py_emit_q(py, id->kind == ID_GLOBAL_EXPLICIT ? PY_OP_STORE_GLOBAL : PY_OP_STORE_NAME, name);
}

void py_gen_delete_name(Py *py, Atom *name, u32 at)
{
    check_bindable(py, name, at);
    if (py->is_naming) {
        py_scope_bind(py, py->scope, name);
        return;
    }
    const Id *id = py_scope_find(py->scope, name);
    if (id->kind == ID_LOCAL)
        py_emit(py, PY_OP_DELETE_FAST, id->local);
    else if (id->kind == ID_CELL || id->kind == ID_FREE)
        py_emit(py, PY_OP_DELETE_DEREF, id->local);
    else
        py_emit_q(py, id->kind == ID_GLOBAL_EXPLICIT ? PY_OP_DELETE_GLOBAL : PY_OP_DELETE_NAME, name);
}

// ---- making functions ----

// Pushes the cells that the child's free variables are, then makes the function; its defaults are on the
// stack.
static void make_function(Py *py, Scope *child, u32 n_defaults, u32 n_kw_defaults)
{
    if (n_kw_defaults) child->flags |= PY_FLAG_DEF_KW;
    child->n_def_pos = n_defaults;
    u32 n_cells = 0;
    // In pass 2 the free variables have the slots 0, 1, … in the order of this scope's list.
    if (!py->is_naming && py->scope->kind != SCOPE_MODULE) {
        u32 n_ids = child->ids.len;
        Atom **free_names = arena_array(&py->arena, Atom *, n_ids);
        for (u32 i = 0; i < n_ids; i++)
            if (child->ids.at[i].kind == ID_FREE)
                free_names[child->ids.at[i].local] = child->ids.at[i].name, n_cells++;
        if (n_cells > 255) py_fail(py, child->node->at, NULL, "a function with more than 255 free variables");
        for (u32 i = 0; i < n_cells; i++) {
            const Id *own = py_scope_find(py->scope, free_names[i]);
            py_emit_local(py, PY_OP_LOAD_FAST_MULTI, PY_OP_LOAD_FAST_N, own->local);
        }
    }
    py_emit_make(py, child, n_cells, n_defaults || n_kw_defaults);
}

static Scope *scope_for(Py *py, Node *n, ScopeKind kind, Atom *name)
{
    if (py->is_naming) n->scope = py_scope_new(py, kind, n, name);
    return n->scope;
}

// Defaults: positional ones in a tuple, those of keyword-only parameters in a dict, else NULL.
static void gen_defaults(Py *py, const Node *params, u32 *n_pos, u32 *n_kw)
{
    bool has_star = false;
    for (u32 i = 0; i < params->n; i++) {
        const Node *p = params->kids[i], *value = p->kids[0];
        has_star |= p->number == 1;
        if (p->number) continue;
        if (!value) {
            if (!has_star && *n_pos)
                py_fail(py, p->at, NULL, "a parameter without a default follows one with a default");
        } else if (!has_star) {
            ++*n_pos;
            py_gen_expr(py, value);
        } else {
            if (!*n_kw) {
                if (*n_pos)
                    py_emit(py, PY_OP_BUILD_TUPLE, *n_pos);
                else
                    py_emit(py, PY_OP_LOAD_NULL, 0);
                py_emit(py, PY_OP_BUILD_MAP, 0);
            }
            ++*n_kw;
            py_gen_expr(py, value);
            py_emit_q(py, PY_OP_LOAD_CONST_STRING, p->name);
            py_emit(py, PY_OP_STORE_MAP, 0);
        }
    }
    if (*n_pos && !*n_kw) {
        py_emit(py, PY_OP_BUILD_TUPLE, *n_pos);
        py_emit(py, PY_OP_LOAD_NULL, 0);
    }
}

void py_gen_function(Py *py, Node *n, ScopeKind kind, Atom *name, const Node *params)
{
    Scope *s = scope_for(py, n, kind, name);
    u32 n_pos = 0, n_kw = 0;
    gen_defaults(py, params, &n_pos, &n_kw);
    make_function(py, s, n_pos, n_kw);
}

void py_gen_comprehension(Py *py, Node *n)
{
    static const char *const names[] = {"<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"};
    Atom *name =
        py_atom(py, names[n->scope_kind - SCOPE_LIST_COMP], strlen(names[n->scope_kind - SCOPE_LIST_COMP]));
    make_function(py, scope_for(py, n, (ScopeKind)n->scope_kind, name), 0, 0);
    py_gen_expr(py, n->kids[1]->kids[1]);
    if (n->scope_kind == SCOPE_GENERATOR) py_emit(py, PY_OP_GET_ITER, 0);
    py_emit(py, PY_OP_CALL_FUNCTION, 1);
}

static void gen_class(Py *py, Node *n)
{
    Scope *s = scope_for(py, n, SCOPE_CLASS, n->name);
    py_emit(py, PY_OP_LOAD_BUILD_CLASS, 0);
    make_function(py, s, 0, 0);
    py_emit_q(py, PY_OP_LOAD_CONST_STRING, n->name);
    py_gen_call(py, n->kids[0], false, 2);
}

static void gen_def_or_class(Py *py, Node *n)
{
    if (n->kind == N_DEF)
        py_gen_function(py, n, SCOPE_FUNCTION, n->name, n->kids[0]);
    else
        gen_class(py, n);
}

void py_gen_definition(Py *py, const Node *n)
{
    Node *definition = n->kind == N_DECORATED ? n->kids[n->n - 1] : (Node *)n;
    u32 n_decorators = n->kind == N_DECORATED ? n->n - 1 : 0;
    for (u32 i = 0; i < n_decorators; i++) {
        const Node *d = n->kids[i];
        if (d->kind != N_POSTFIX) {
            py_gen_expr(py, d);
            continue;
        }
        py_gen_expr(py, d->kids[0]);
        for (u32 k = 1; k < d->n; k++) {
            if (d->kids[k]->kind == N_ATTRIBUTE)
                py_emit_q(py, PY_OP_LOAD_ATTR, d->kids[k]->name);
            else
                py_gen_trailer(py, d->kids[k]);
        }
    }
    gen_def_or_class(py, definition);
    for (u32 i = 0; i < n_decorators; i++)
        py_emit(py, PY_OP_CALL_FUNCTION, 1);
    py_gen_store_name(py, definition->name, definition->at);
}

// ---- bodies ----

static void declare_parameters(Py *py, const Node *params)
{
    Scope *s = py->scope;
    bool has_star = false;
    if (params->n > MAX_PARAMETERS) py_fail(py, params->at, NULL, "more than %d parameters", MAX_PARAMETERS);
    for (u32 i = 0; i < params->n; i++) {
        const Node *p = params->kids[i];
        if (s->flags & PY_FLAG_VAR_KW) py_fail(py, p->at, NULL, "a parameter follows the '**' parameter");
        u8 flags = ID_IS_PARAM;
        if (p->number == 1) {
            if (has_star) py_fail(py, p->at, NULL, "a second '*' among the parameters");
            has_star = true;
            flags |= ID_IS_STAR;
            if (!p->name) {
                if (i + 1 == params->n || params->kids[i + 1]->number == 2)
                    py_fail(py, p->at, NULL, "named parameters must follow a bare '*'");
                continue;
            }
            s->flags |= PY_FLAG_VAR_ARGS;
        } else if (p->number == 2) {
            flags |= ID_IS_DOUBLE_STAR;
            s->flags |= PY_FLAG_VAR_KW;
        } else if (has_star) {
            s->n_kwonly++;
        } else {
            s->n_pos++;
        }
        Id *id = py_scope_add(s, py, p->name, ID_UNDECIDED);
        if (id->kind != ID_UNDECIDED) py_fail(py, p->at, NULL, "duplicate parameter '%s'", p->name->text);
        id->kind = ID_LOCAL;
        id->flags = flags;
    }
}

static void gen_function_body(Py *py, const Node *n)
{
    if (py->is_naming) declare_parameters(py, n->kids[0]);
    if (n->kind == N_DEF) {
        py_gen_stmt(py, n->kids[1]);
        py_emit(py, PY_OP_LOAD_CONST_NONE, 0);
    } else {
        py_emit_line(py, n->line);
        py_gen_expr(py, n->kids[1]);
        if (py->scope->flags & PY_FLAG_GENERATOR) {
            py_emit(py, PY_OP_POP_TOP, 0);
            py_emit(py, PY_OP_LOAD_CONST_NONE, 0);
        }
    }
    py_emit(py, PY_OP_RETURN_VALUE, 0);
}

static void gen_class_body(Py *py, const Node *n)
{
    Atom *cell = py_static(py, PY_QSTR___class__);
    if (py->is_naming) py_scope_add(py->scope, py, cell, ID_LOCAL);
    py_gen_load(py, py_static(py, PY_QSTR___name__));
    py_gen_store_name(py, py_static(py, PY_QSTR___module__), n->at);
    py_emit_q(py, PY_OP_LOAD_CONST_STRING, n->name);
    py_gen_store_name(py, py_static(py, PY_QSTR___qualname__), n->at);
    py_gen_stmt(py, n->kids[1]);
    const Id *id = py_scope_find(py->scope, cell);
    if (id->kind == ID_LOCAL)
        py_emit(py, PY_OP_LOAD_CONST_NONE, 0);
    else
        py_emit_local(py, PY_OP_LOAD_FAST_MULTI, PY_OP_LOAD_FAST_N, id->local);
    py_emit(py, PY_OP_RETURN_VALUE, 0);
}

// Clauses of a comprehension from the index-th on, inside n_loops loops.
static void gen_clauses(Py *py, const Node *n, u32 index, u32 n_loops)
{
    const Node *clause = n->kids[index];
    u32 top = py_label(py), end = py_label(py);
    py_place(py, top);
    py_emit_jump(py, PY_OP_FOR_ITER, end);
    py_gen_store(py, clause->kids[0]);
    for (index++; index < n->n && n->kids[index]->kind == N_COMP_IF; index++)
        py_gen_condition(py, n->kids[index]->kids[0], false, top);
    if (index < n->n) {
        py_gen_expr(py, n->kids[index]->kids[1]);
        py_emit(py, PY_OP_GET_ITER_STACK, 0);
        gen_clauses(py, n, index, n_loops + 1);
    } else {
        py_gen_expr(py, n->kids[0]);
        if (n->scope_kind == SCOPE_GENERATOR) {
            py_emit(py, PY_OP_YIELD_VALUE, 0);
            py_emit(py, PY_OP_POP_TOP, 0);
        } else {
            u32 kind = n->scope_kind - SCOPE_LIST_COMP, slot = PY_ITER_SLOTS * n_loops + 1 + (kind == 1);
            py_emit(py, PY_OP_STORE_COMP, slot << 2 | kind);
        }
    }
    py_emit_jump(py, PY_OP_JUMP, top);
    py_place(py, end);
    py_adjust(py, -PY_ITER_SLOTS);
}

static void gen_comprehension_body(Py *py, const Node *n)
{
    static const PyOp builders[] = {PY_OP_BUILD_LIST, PY_OP_BUILD_MAP, PY_OP_BUILD_SET};
    Atom *arg = py_static(py, PY_QSTR_EMPTY);
    if (py->is_naming) {
        py_scope_add(py->scope, py, arg, ID_LOCAL);
        py->scope->n_pos = 1;
    }
    py_emit_line(py, (u32)n->number);
    if (n->scope_kind == SCOPE_GENERATOR) {
        // The iterator's four slots: no object, the iterator, unused, unused.
        py_emit(py, PY_OP_LOAD_NULL, 0);
        py_gen_load(py, arg);
        py_emit(py, PY_OP_LOAD_NULL, 0);
        py_emit(py, PY_OP_LOAD_NULL, 0);
    } else {
        py_emit(py, builders[n->scope_kind - SCOPE_LIST_COMP], 0);
        py_gen_load(py, arg);
        py_emit(py, PY_OP_GET_ITER_STACK, 0);
    }
    gen_clauses(py, n, 1, 1);
    if (n->scope_kind == SCOPE_GENERATOR) py_emit(py, PY_OP_LOAD_CONST_NONE, 0);
    py_emit(py, PY_OP_RETURN_VALUE, 0);
}

static void gen_scope(Py *py, Scope *s)
{
    py_emit_start(py, s);
    py_qstr_index(py, s->name);
    for (u32 i = 0; s->arg_names && i < s->n_pos + s->n_kwonly; i++)
        py_qstr_index(py, s->arg_names[i]);
    switch (s->kind) {
    case SCOPE_MODULE:
        py_gen_stmt(py, s->node);
        py_emit(py, PY_OP_LOAD_CONST_NONE, 0);
        py_emit(py, PY_OP_RETURN_VALUE, 0);
        break;
    case SCOPE_CLASS: gen_class_body(py, s->node); break;
    case SCOPE_FUNCTION:
    case SCOPE_LAMBDA: gen_function_body(py, s->node); break;
    default: gen_comprehension_body(py, s->node); break;
    }
}

void py_gen_all(Py *py, Node *module)
{
    py_scope_new(py, SCOPE_MODULE, module, py_static(py, PY_QSTR_MODULE));
    py->is_naming = true;
    for (Scope *s = py->first_scope; s; s = s->next) {
        gen_scope(py, s);
        for (u32 i = 0; i < s->ids.len; i++)
            if (s->ids.at[i].kind == ID_GLOBAL) py_scope_close_over(py, s, &s->ids.at[i]);
    }
    for (Scope *s = py->first_scope; s; s = s->next)
        py_scope_finish(py, s);
    py->is_naming = false;
    for (Scope *s = py->first_scope; s; s = s->next) {
        gen_scope(py, s);
        py_code_finish(py, s);
    }
}
