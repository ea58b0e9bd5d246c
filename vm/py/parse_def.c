// parse_def.c: compound statements: if, while, for, try, with, def, class, decorators; parameters.
#include "vm/py/compile.h"

static Node *optional_else(Py *py)
{
    u32 line = py->tok.line;
    if (!py_accept(py, KW_ELSE)) return NULL;
    if (py->tok.kind == KW_IF) py_fail(py, py->tok.at, "write 'elif'", "expected ':' after 'else'");
    return py_parse_block(py, "else", line);
}

static Node *parse_if(Py *py, u32 line, u32 at)
{
    u32 mark = py->stack.len;
    const char *owner = "if";
    u32 owner_line = line;
    do {
        Node *condition = py_parse_named_test(py);
        vec_push(&py->stack, condition);
        Node *block = py_parse_block(py, owner, owner_line);
        vec_push(&py->stack, block);
        owner = "elif";
        owner_line = py->tok.line;
    } while (py_accept(py, KW_ELIF));
    Node *other = optional_else(py);
    vec_push(&py->stack, other);
    return py_node_from_stack(py, N_IF, line, at, mark);
}

static Node *parse_while(Py *py, u32 line, u32 at)
{
    Node *kids[3];
    kids[0] = py_parse_named_test(py);
    kids[1] = py_parse_block(py, "while", line);
    kids[2] = optional_else(py);
    return py_node_kids(py, N_WHILE, line, at, 3, kids);
}

static Node *parse_for(Py *py, u32 line, u32 at)
{
    Node *kids[4];
    kids[0] = py_parse_target_list(py);
    py_expect(py, KW_IN, "the target of 'for'");
    kids[1] = py_parse_test_list(py, true);
    kids[2] = py_parse_block(py, "for", line);
    kids[3] = optional_else(py);
    return py_node_kids(py, N_FOR, line, at, 4, kids);
}

static Node *parse_handler(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at;
    py_next(py);
    if (py->tok.kind == TOK_STAR) py_fail(py, py->tok.at, NULL, "'except*' is not supported here");
    Node *kids[2] = {0};
    Atom *name = NULL;
    if (py->tok.kind != TOK_COLON) {
        kids[0] = py_parse_test(py);
        if (py->tok.kind == TOK_COMMA)
            py_fail(py, py->tok.at, "write except (A, B):", "several exception types need parentheses");
        if (py_accept(py, KW_AS)) name = py_expect_name(py, "a name after 'as'");
    }
    kids[1] = py_parse_block(py, "except", line);
    Node *n = py_node_kids(py, N_HANDLER, line, at, 2, kids);
    n->name = name;
    return n;
}

static Node *parse_try(Py *py, u32 line, u32 at)
{
    u32 mark = py->stack.len;
    for (u32 i = 0; i < 3; i++)
        vec_push(&py->stack, NULL);
    Node *block = py_parse_block(py, "try", line);
    py->stack.at[mark] = block;
    u32 n_handlers = 0;
    while (py->tok.kind == KW_EXCEPT) {
        Node *h = parse_handler(py);
        if (n_handlers++ && !py->stack.at[py->stack.len - 1]->kids[0])
            py_fail(py, py->stack.at[py->stack.len - 1]->at, NULL,
                    "the 'except:' for everything must be the last one");
        vec_push(&py->stack, h);
    }
    if (n_handlers) {
        Node *other = optional_else(py);
        py->stack.at[mark + 1] = other;
    }
    u32 finally_line = py->tok.line;
    if (py_accept(py, KW_FINALLY)) {
        Node *last = py_parse_block(py, "finally", finally_line);
        py->stack.at[mark + 2] = last;
    } else if (!n_handlers) {
        py_fail(py, py->tok.at, NULL, "'try' on line %u needs 'except' or 'finally'", line);
    }
    return py_node_from_stack(py, N_TRY, line, at, mark);
}

static Node *parse_with(Py *py, u32 line, u32 at)
{
    u32 mark = py->stack.len;
    do {
        u32 item_line = py->tok.line, item_at = py->tok.at;
        Node *kids[2] = {py_parse_test(py), NULL};
        if (py_accept(py, KW_AS)) kids[1] = py_parse_binary(py);
        Node *item = py_node_kids(py, N_WITH_ITEM, item_line, item_at, 2, kids);
        if (py->stack.len - mark > PY_MAX_NESTING / 2)
            py_fail(py, item_at, NULL, "too many items in a with statement");
        vec_push(&py->stack, item);
    } while (py_accept(py, TOK_COMMA));
    Node *block = py_parse_block(py, "with", line);
    vec_push(&py->stack, block);
    return py_node_from_stack(py, N_WITH, line, at, mark);
}

// ---- definitions ----

static Node *parse_parameter(Py *py, TokenKind closer)
{
    Node *n = py_node(py, N_PARAMETER, py->tok.line, py->tok.at);
    if (py->tok.kind == TOK_SLASH)
        py_fail(py, py->tok.at, NULL, "positional-only parameters ('/') are not supported here");
    if (py_accept(py, TOK_STAR))
        n->number = 1;
    else if (py_accept(py, TOK_POW))
        n->number = 2;
    bool is_bare = n->number == 1 && (py->tok.kind == TOK_COMMA || py->tok.kind == closer);
    if (!is_bare) {
        if (py->tok.kind == TOK_LPAREN)
            py_fail(py, py->tok.at, "take one parameter and unpack it", "a parameter cannot be a tuple");
        n->at = py->tok.at;
        n->name = py_expect_name(py, "a parameter's name");
        if (closer == TOK_RPAREN && py_accept(py, TOK_COLON)) py_parse_test(py); // annotation, not evaluated
    }
    Node *value = NULL;
    if (py->tok.kind == TOK_ASSIGN && n->number)
        py_fail(py, py->tok.at, NULL, "a starred parameter cannot have a default");
    if (py_accept(py, TOK_ASSIGN)) value = py_parse_test(py);
    n->n = 1;
    n->kids = arena_array(&py->arena, Node *, 1);
    n->kids[0] = value;
    return n;
}

Node *py_parse_parameters(Py *py, TokenKind closer)
{
    u32 line = py->tok.line, at = py->tok.at, mark = py->stack.len;
    while (py->tok.kind != closer) {
        Node *p = parse_parameter(py, closer);
        vec_push(&py->stack, p);
        if (!py_accept(py, TOK_COMMA)) break;
    }
    return py_node_from_stack(py, N_PARAMETERS, line, at, mark);
}

static void refuse_type_parameters(Py *py)
{
    if (py->tok.kind == TOK_LBRACKET) py_fail(py, py->tok.at, NULL, "type parameters are not supported here");
}

static Node *parse_def(Py *py, u32 line, u32 at)
{
    Atom *name = py_expect_name(py, "a function's name");
    refuse_type_parameters(py);
    py_expect(py, TOK_LPAREN, "the function's name");
    Node *kids[2];
    kids[0] = py_parse_parameters(py, TOK_RPAREN);
    py_expect(py, TOK_RPAREN, "the parameters");
    if (py_accept(py, TOK_ARROW)) py_parse_test(py); // annotation, not evaluated
    kids[1] = py_parse_block(py, "def", line);
    Node *n = py_node_kids(py, N_DEF, line, at, 2, kids);
    n->name = name;
    return n;
}

static Node *parse_class(Py *py, u32 line, u32 at)
{
    Atom *name = py_expect_name(py, "a class's name");
    refuse_type_parameters(py);
    Node *kids[2] = {py->tok.kind == TOK_LPAREN ? py_parse_call_args(py) : NULL, NULL};
    kids[1] = py_parse_block(py, "class", line);
    Node *n = py_node_kids(py, N_CLASS, line, at, 2, kids);
    n->name = name;
    return n;
}

// @name.name(…), the only form; @micropython.bytecode is the default and vanishes.
static Node *parse_decorator(Py *py)
{
    u32 at = py->tok.at;
    if (py->tok.kind != TOK_NAME) py_fail(py, at, NULL, "a decorator is a name here, dotted or called");
    Node *n = py_parse_atom_expr(py);
    for (u32 i = 1; n->kind == N_POSTFIX && i < n->n; i++) {
        bool ok = n->kids[i]->kind == N_ATTRIBUTE || (n->kids[i]->kind == N_CALL && i + 1 == n->n);
        if (!ok)
            py_fail(py, n->kids[i]->at, "give the result a name first",
                    "a decorator is a dotted name with at most one call here");
    }
    bool is_option = n->kind == N_POSTFIX && n->kids[0]->kind == N_NAME &&
                     !strcmp(n->kids[0]->name->text, "micropython") && n->n == 2 &&
                     n->kids[1]->kind == N_ATTRIBUTE;
    if (!is_option) return n;
    const char *option = n->kids[1]->name->text;
    if (!strcmp(option, "native") || !strcmp(option, "viper") || !strncmp(option, "asm_", 4))
        py_fail(py, at, NULL, "@micropython.%s is not supported here", option);
    return strcmp(option, "bytecode") ? n : NULL;
}

static Node *parse_decorated(Py *py, u32 line, u32 at)
{
    u32 mark = py->stack.len;
    do {
        Node *d = parse_decorator(py);
        if (d) vec_push(&py->stack, d);
        if (!py_accept(py, TOK_NEWLINE)) py_unexpected(py);
    } while (py_accept(py, TOK_AT));
    u32 def_line = py->tok.line, def_at = py->tok.at;
    Node *definition;
    if (py_accept(py, KW_DEF))
        definition = parse_def(py, def_line, def_at);
    else if (py_accept(py, KW_CLASS))
        definition = parse_class(py, def_line, def_at);
    else if (py->tok.kind == KW_ASYNC)
        py_fail(py, def_at, NULL, "async functions are not supported here");
    else
        py_fail(py, def_at, NULL, "expected 'def' or 'class' after a decorator");
    vec_push(&py->stack, definition);
    return py_node_from_stack(py, N_DECORATED, line, at, mark);
}

Node *py_parse_compound(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at;
    Node *(*parse)(Py *, u32, u32);
    switch ((int)py->tok.kind) {
    case KW_IF: parse = parse_if; break;
    case KW_WHILE: parse = parse_while; break;
    case KW_FOR: parse = parse_for; break;
    case KW_TRY: parse = parse_try; break;
    case KW_WITH: parse = parse_with; break;
    case KW_DEF: parse = parse_def; break;
    case KW_CLASS: parse = parse_class; break;
    case TOK_AT: parse = parse_decorated; break;
    case KW_ASYNC: py_fail(py, at, NULL, "async functions, loops and with blocks are not supported here");
    default: return NULL;
    }
    py_next(py);
    return parse(py, line, at);
}
