// parse_stmt.c: simple statements, blocks and the file. Compound statements are in parse_def.c.
#include "vm/py/compile.h"

static bool starts_expression(TokenKind k)
{
    return k == TOK_NAME || k == TOK_NUMBER || k == TOK_STRING || k == TOK_FSTRING || k == KW_NONE ||
           k == KW_TRUE || k == KW_FALSE;
}

static bool is_name(const Node *n, const char *text)
{
    return n->kind == N_NAME && !strcmp(n->name->text, text);
}

// Behind a complete expression comes something that cannot follow: name the likely cause.
_Noreturn static void fail_after(Py *py, const Node *e)
{
    const Token *t = &py->tok;
    const Node *base = e->kind == N_POSTFIX ? e->kids[0] : e->kind == N_TUPLE && e->n ? e->kids[0] : e;
    if (is_name(base, "match") &&
        (t->kind == TOK_COLON || t->kind == TOK_NEWLINE || starts_expression(t->kind)))
        py_fail(py, e->at, "use if and elif", "the match statement is not supported here");
    if (starts_expression(t->kind)) {
        if (is_name(e, "print"))
            py_fail(py, e->at, "write print(…)", "missing parentheses in the call of 'print'");
        if (is_name(e, "exec")) py_fail(py, e->at, NULL, "missing parentheses in the call of 'exec'");
        if (is_name(e, "type")) py_fail(py, e->at, NULL, "the type statement is not supported here");
        if (is_name(e, "async")) py_fail(py, e->at, NULL, "async functions are not supported here");
        py_fail(py, t->at, "perhaps an operator, a comma or a parenthesis is missing before it",
                "invalid syntax");
    }
    if (t->kind == TOK_COLON)
        py_fail(py, t->at, NULL, "invalid syntax: only a name or an attribute can be annotated");
    py_unexpected(py);
}

// ---- expression statements ----

static Node *parse_value(Py *py)
{
    return py->tok.kind == KW_YIELD ? py_parse_yield(py) : py_parse_test_list(py, true);
}

static int aug_op(TokenKind k)
{
    static const struct {
        TokenKind token;
        u8 op;
    } ops[] = {
        {TOK_ADD_ASSIGN, PY_BINARY_INPLACE_ADD},           {TOK_SUB_ASSIGN, PY_BINARY_INPLACE_SUB},
        {TOK_MUL_ASSIGN, PY_BINARY_INPLACE_MUL},           {TOK_DIV_ASSIGN, PY_BINARY_INPLACE_DIV},
        {TOK_FLOORDIV_ASSIGN, PY_BINARY_INPLACE_FLOORDIV}, {TOK_MOD_ASSIGN, PY_BINARY_INPLACE_MOD},
        {TOK_POW_ASSIGN, PY_BINARY_INPLACE_POW},           {TOK_MATMUL_ASSIGN, PY_BINARY_INPLACE_MATMUL},
        {TOK_AND_ASSIGN, PY_BINARY_INPLACE_AND},           {TOK_OR_ASSIGN, PY_BINARY_INPLACE_OR},
        {TOK_XOR_ASSIGN, PY_BINARY_INPLACE_XOR},           {TOK_SHL_ASSIGN, PY_BINARY_INPLACE_SHL},
        {TOK_SHR_ASSIGN, PY_BINARY_INPLACE_SHR},
    };
    for (u32 i = 0; i < ARRAY_LEN(ops); i++)
        if (ops[i].token == k) return ops[i].op;
    return -1;
}

// NAME = const(value): later uses of NAME are the value; a NAME that starts with '_' is not even stored.
static Node *record_constant(Py *py, Node *n)
{
    Node **last = &n->kids[n->n - 1];
    const Node *call = *last;
    if (n->n != 2 || n->kids[0]->kind != N_NAME || !call || call->kind != N_POSTFIX || call->n != 2 ||
        !is_name(call->kids[0], "const") || call->kids[1]->kind != N_CALL || call->kids[1]->n != 1)
        return n;
    Node *value = call->kids[1]->kids[0];
    if (!py_is_const(value)) py_fail(py, value->at, NULL, "const() needs a constant");
    Atom *name = n->kids[0]->name;
    name->constant = value;
    *last = value;
    return name->text[0] == '_' ? py_node(py, N_PASS, 0, n->at) : n;
}

static Node *parse_annotation(Py *py, Node *target)
{
    if (target->kind != N_NAME && target->kind != N_POSTFIX) fail_after(py, target);
    py_next(py);
    if (py->tok.kind == TOK_NEWLINE) fail_after(py, target);
    py_parse_test(py); // not evaluated
    Node *kids[2] = {target, NULL};
    if (py_accept(py, TOK_ASSIGN)) kids[1] = parse_value(py);
    return record_constant(py, py_node_kids(py, N_ANNOTATED, target->line, target->at, 2, kids));
}

static Node *parse_expr_stmt(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at, mark = py->stack.len;
    Node *first = parse_value(py);
    if (py->tok.kind == TOK_COLON) return parse_annotation(py, first);
    int op = aug_op(py->tok.kind);
    if (op >= 0) {
        py_next(py);
        Node *kids[] = {first, parse_value(py)};
        Node *n = py_node_kids(py, N_AUG_ASSIGN, line, at, 2, kids);
        n->op = (u8)op;
        return n;
    }
    if (py->tok.kind != TOK_ASSIGN) {
        if (py->tok.kind != TOK_NEWLINE && py->tok.kind != TOK_SEMICOLON) fail_after(py, first);
        return py_node_kids(py, N_EXPR, line, at, 1, &first);
    }
    vec_push(&py->stack, first);
    while (py_accept(py, TOK_ASSIGN)) {
        Node *value = parse_value(py);
        vec_push(&py->stack, value);
    }
    return record_constant(py, py_node_from_stack(py, N_ASSIGN, line, at, mark));
}

// ---- statements with a keyword ----

static Node *optional_value(Py *py, Node *(*parse)(Py *))
{
    TokenKind k = py->tok.kind;
    return k == TOK_NEWLINE || k == TOK_SEMICOLON || k == TOK_END ? NULL : parse(py);
}

static Node *parse_raise(Py *py, u32 line, u32 at)
{
    Node *kids[2] = {optional_value(py, py_parse_test), NULL};
    if (kids[0] && py_accept(py, KW_FROM)) kids[1] = py_parse_test(py);
    return py_node_kids(py, N_RAISE, line, at, 2, kids);
}

static Node *parse_assert(Py *py, u32 line, u32 at)
{
    Node *kids[2] = {py_parse_test(py), NULL};
    if (py_accept(py, TOK_COMMA)) kids[1] = py_parse_test(py);
    return py_node_kids(py, N_ASSERT, line, at, 2, kids);
}

static Node *parse_del(Py *py, u32 line, u32 at)
{
    Node *list = py_parse_target_list(py);
    if (list->kind == N_TUPLE && !list->is_paren) {
        list->kind = N_DEL;
        list->line = line;
        list->at = at;
        return list;
    }
    return py_node_kids(py, N_DEL, line, at, 1, &list);
}

static Node *parse_names(Py *py, NodeKind kind, u32 line, u32 at)
{
    u32 mark = py->stack.len;
    do {
        Node *n = py_node(py, N_NAME, py->tok.line, py->tok.at);
        n->name = py_expect_name(py, "a variable's name");
        vec_push(&py->stack, n);
    } while (py_accept(py, TOK_COMMA));
    return py_node_from_stack(py, kind, line, at, mark);
}

// a.b.c as one atom; the parts become known names.
static Atom *parse_dotted(Py *py)
{
    Atom *a = py_expect_name(py, "a module's name");
    while (py_accept(py, TOK_DOT)) {
        Atom *part = py_expect_name(py, "a module's name");
        char *joined = arena_printf(&py->arena, "%s.%s", a->text, part->text);
        if (strlen(joined) > 250) py_fail(py, py->tok.at, NULL, "this module name is too long");
        a = py_atom(py, joined, strlen(joined)); // not a known name to string literals
    }
    return a;
}

static Node *parse_import_item(Py *py, bool is_dotted)
{
    Node *n = py_node(py, N_IMPORT_ITEM, py->tok.line, py->tok.at);
    n->name = is_dotted ? parse_dotted(py) : py_expect_name(py, "the name to import");
    if (py_accept(py, KW_AS)) n->as_name = py_expect_name(py, "a name after 'as'");
    return n;
}

static Node *parse_import(Py *py, u32 line, u32 at)
{
    u32 mark = py->stack.len;
    do {
        Node *item = parse_import_item(py, true);
        vec_push(&py->stack, item);
    } while (py_accept(py, TOK_COMMA));
    return py_node_from_stack(py, N_IMPORT, line, at, mark);
}

static Node *parse_from(Py *py, u32 line, u32 at)
{
    u32 mark = py->stack.len;
    i64 level = 0;
    for (;; py_next(py)) {
        if (py->tok.kind == TOK_DOT)
            level++;
        else if (py->tok.kind == TOK_ELLIPSIS)
            level += 3;
        else
            break;
    }
    Atom *module = level && py->tok.kind == KW_IMPORT ? NULL : parse_dotted(py);
    py_expect(py, KW_IMPORT, "the module's name");
    if (!py_accept(py, TOK_STAR)) {
        u32 open_at = py->tok.at;
        bool is_paren = py_accept(py, TOK_LPAREN);
        do {
            if (is_paren && py->tok.kind == TOK_RPAREN) break;
            Node *item = parse_import_item(py, false);
            vec_push(&py->stack, item);
        } while (py_accept(py, TOK_COMMA));
        if (is_paren && !py_accept(py, TOK_RPAREN)) py_fail(py, open_at, NULL, "'(' was never closed");
        if (py->stack.len == mark) py_fail(py, open_at, NULL, "nothing to import is named");
    }
    Node *n = py_node_from_stack(py, N_FROM_IMPORT, line, at, mark);
    n->name = module;
    n->number = level;
    return n;
}

static Node *parse_simple(Py *py)
{
    TokenKind k = py->tok.kind;
    u32 line = py->tok.line, at = py->tok.at;
    if (k < KW_FALSE || k > KW_YIELD || k == KW_YIELD || k == KW_NONE || k == KW_TRUE || k == KW_FALSE ||
        k == KW_NOT || k == KW_LAMBDA || k == KW_AWAIT)
        return parse_expr_stmt(py);
    py_next(py);
    Node *value;
    switch ((int)k) {
    case KW_PASS: return py_node(py, N_PASS, line, at);
    case KW_BREAK: return py_node(py, N_BREAK, line, at);
    case KW_CONTINUE: return py_node(py, N_CONTINUE, line, at);
    case KW_RETURN:
        value = optional_value(py, parse_value);
        return py_node_kids(py, N_RETURN, line, at, 1, &value);
    case KW_RAISE: return parse_raise(py, line, at);
    case KW_ASSERT: return parse_assert(py, line, at);
    case KW_DEL: return parse_del(py, line, at);
    case KW_GLOBAL: return parse_names(py, N_GLOBAL, line, at);
    case KW_NONLOCAL: return parse_names(py, N_NONLOCAL, line, at);
    case KW_IMPORT: return parse_import(py, line, at);
    case KW_FROM: return parse_from(py, line, at);
    case KW_ELIF:
    case KW_ELSE:
    case KW_EXCEPT:
    case KW_FINALLY:
        py_fail(py, at, "is it indented like the statement it belongs to?",
                "'%s' without a statement before it", py_token_text(k));
    default: py_fail(py, at, NULL, "invalid syntax at '%s'", py_token_text(k));
    }
}

// One line of simple statements, pushed on the stack.
static void parse_simple_line(Py *py)
{
    do {
        if (py->tok.kind == TOK_NEWLINE) break;
        Node *n = parse_simple(py);
        vec_push(&py->stack, n);
    } while (py_accept(py, TOK_SEMICOLON));
    if (!py_accept(py, TOK_NEWLINE)) {
        if (py->stack.len) {
            const Node *last = py->stack.at[py->stack.len - 1];
            if (last->kind == N_EXPR || last->kind == N_RETURN)
                fail_after(py, last->kids[0] ? last->kids[0] : last);
        }
        py_unexpected(py);
    }
}

static void parse_statement(Py *py)
{
    Node *n = py_parse_compound(py);
    if (n)
        vec_push(&py->stack, n);
    else
        parse_simple_line(py);
}

Node *py_parse_block(Py *py, const char *owner, u32 owner_line)
{
    u32 mark = py->stack.len;
    if (py->tok.kind != TOK_COLON) {
        if (py->tok.kind == TOK_NEWLINE)
            py_fail(py, py->tok.at, NULL, "expected ':' at the end of the line of '%s'", owner);
        if (py->tok.kind == TOK_ASSIGN)
            py_fail(py, py->tok.at, "to compare, write '=='", "invalid syntax: '=' inside an expression");
        if (starts_expression(py->tok.kind))
            py_fail(py, py->tok.at, "perhaps an operator or ':' is missing before it", "invalid syntax");
        py_unexpected(py);
    }
    py_next(py);
    u32 line = py->tok.line, at = py->tok.at;
    if (!py_accept(py, TOK_NEWLINE)) {
        parse_simple_line(py);
        return py_node_from_stack(py, N_BLOCK, line, at, mark);
    }
    if (py->tok.kind != TOK_INDENT)
        py_fail(py, py->tok.at, "write pass for an empty block",
                "expected an indented block after '%s' on line %u", owner, owner_line);
    line = py->tok.line;
    at = py->tok.at;
    py_enter(py, at);
    py_next(py);
    while (py->tok.kind != TOK_DEDENT && py->tok.kind != TOK_END)
        parse_statement(py);
    py_leave(py);
    py_accept(py, TOK_DEDENT);
    return py_node_from_stack(py, N_BLOCK, line, at, mark);
}

Node *py_parse_file(Py *py)
{
    py_lex_start(py);
    py->tok.kind = TOK_NEWLINE;
    py_next(py);
    u32 line = py->tok.line, at = py->tok.at;
    while (py->tok.kind != TOK_END) {
        if (py->tok.kind == TOK_INDENT) py_unexpected(py);
        parse_statement(py);
    }
    return py_node_from_stack(py, N_BLOCK, line, at, 0);
}
