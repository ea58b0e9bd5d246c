// parse_atom.c: atoms and what follows them: names, literals, brackets, comprehensions, calls, indexes,
// attributes.
#include "vm/py/compile.h"

#include <math.h>

static void expect_closer(Py *py, TokenKind closer, u32 open_at)
{
    if (py_accept(py, closer)) return;
    TokenKind k = py->tok.kind;
    if (k == TOK_END && !py->lex.is_nested)
        py_fail(py, open_at, NULL, "'%c' was never closed", py->src[open_at]);
    if (k == KW_AS)
        py_fail(py, py->tok.at, "write: with a as b, c as d:",
                "parentheses around the items of 'with' are not supported here");
    py_unexpected(py);
}

// ---- comprehensions ----

// "for target in iterable" and "if condition" clauses behind an element that is on the stack at mark.
static Node *parse_comprehension(Py *py, ScopeKind kind, u32 line, u32 at, u32 element_line, u32 mark)
{
    while (py->tok.kind == KW_FOR || py->tok.kind == KW_IF || py->tok.kind == KW_ASYNC) {
        u32 clause_line = py->tok.line, clause_at = py->tok.at;
        if (py->tok.kind == KW_ASYNC)
            py_fail(py, clause_at, NULL, "async comprehensions are not supported here");
        Node *clause;
        if (py_accept(py, KW_FOR)) {
            Node *kids[2];
            kids[0] = py_parse_target_list(py);
            py_expect(py, KW_IN, "the target of 'for'");
            kids[1] = py_parse_or_test(py);
            clause = py_node_kids(py, N_COMP_FOR, clause_line, clause_at, 2, kids);
        } else {
            py_next(py);
            Node *condition = py_parse_or_test(py);
            clause = py_node_kids(py, N_COMP_IF, clause_line, clause_at, 1, &condition);
        }
        if (py->stack.len - mark > PY_MAX_NESTING)
            py_fail(py, clause_at, NULL, "too many clauses in a comprehension");
        vec_push(&py->stack, clause);
    }
    Node *n = py_node_from_stack(py, N_COMPREHENSION, line, at, mark);
    n->scope_kind = (u8)kind;
    n->number = element_line;
    return n;
}

static bool is_clause(Py *py)
{
    return py->tok.kind == KW_FOR || py->tok.kind == KW_ASYNC;
}

static Node *parse_item(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at;
    if (!py_accept(py, TOK_STAR)) return py_parse_named_test(py);
    Node *value = py_parse_binary(py);
    return py_node_kids(py, N_STAR, line, at, 1, &value);
}

// ---- brackets ----

// Pushes the items up to the closer, which is taken. has_comma tells (x,) from (x). Returns the line to which
// a constant tuple counts, as mpy-cross has it: of the second item, if a list follows the first comma; 0: of
// the first item.
static u32 parse_items(Py *py, TokenKind closer, u32 open_at, bool *has_comma)
{
    u32 second_line = 0, n_commas = 0;
    while (py_accept(py, TOK_COMMA)) {
        *has_comma = true;
        n_commas++;
        if (py->tok.kind == closer) break;
        if (!second_line) second_line = py->tok.line;
        Node *item = parse_item(py);
        vec_push(&py->stack, item);
    }
    expect_closer(py, closer, open_at);
    return n_commas > 1 ? second_line : 0;
}

static Node *parse_paren(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at, mark = py->stack.len;
    py_next(py);
    Node *n;
    if (py->tok.kind == TOK_RPAREN) {
        py_next(py);
        n = py_node(py, N_TUPLE, line, at);
        n->is_paren = true;
        return n;
    }
    if (py->tok.kind == KW_YIELD) {
        n = py_parse_yield(py);
        expect_closer(py, TOK_RPAREN, at);
        return n;
    }
    u32 element_line = py->tok.line;
    Node *first = parse_item(py);
    vec_push(&py->stack, first);
    if (is_clause(py)) {
        n = parse_comprehension(py, SCOPE_GENERATOR, line, at, element_line, mark);
        n->is_paren = true;
        expect_closer(py, TOK_RPAREN, at);
        return n;
    }
    bool has_comma = false;
    u32 second_line = parse_items(py, TOK_RPAREN, at, &has_comma);
    if (!has_comma) {
        if (first->kind == N_STAR)
            py_fail(py, first->at, "write (*x,) for a tuple", "cannot use a starred expression here");
        py->stack.len = mark;
        return first;
    }
    n = py_node_from_stack(py, N_TUPLE, line, at, mark);
    n->is_paren = true;
    Node *folded = py_fold(py, n);
    if (folded != n) folded->line = second_line ? second_line : element_line;
    return folded;
}

static Node *parse_bracket(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at, mark = py->stack.len;
    py_next(py);
    if (py_accept(py, TOK_RBRACKET)) return py_node(py, N_LIST, line, at);
    u32 element_line = py->tok.line;
    Node *first = parse_item(py);
    vec_push(&py->stack, first);
    if (is_clause(py)) {
        Node *n = parse_comprehension(py, SCOPE_LIST_COMP, line, at, element_line, mark);
        expect_closer(py, TOK_RBRACKET, at);
        return n;
    }
    bool has_comma;
    parse_items(py, TOK_RBRACKET, at, &has_comma);
    return py_node_from_stack(py, N_LIST, line, at, mark);
}

// One item of {…}: a pair or a set's element.
static Node *parse_brace_item(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at;
    if (py->tok.kind == TOK_POW)
        py_fail(py, at, "copy with update() instead", "'**' in a dict display is not supported here");
    Node *key = parse_item(py);
    if (!py_accept(py, TOK_COLON)) return key;
    Node *kids[] = {key, py_parse_test(py)};
    return py_node_kids(py, N_PAIR, line, at, 2, kids);
}

static Node *parse_brace(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at, mark = py->stack.len;
    py_next(py);
    if (py_accept(py, TOK_RBRACE)) return py_node(py, N_DICT, line, at);
    u32 element_line = py->tok.line;
    Node *first = parse_brace_item(py);
    vec_push(&py->stack, first);
    bool is_dict = first->kind == N_PAIR;
    if (is_clause(py)) {
        Node *n =
            parse_comprehension(py, is_dict ? SCOPE_DICT_COMP : SCOPE_SET_COMP, line, at, element_line, mark);
        expect_closer(py, TOK_RBRACE, at);
        return n;
    }
    while (py_accept(py, TOK_COMMA) && py->tok.kind != TOK_RBRACE) {
        u32 item_at = py->tok.at;
        Node *item = parse_brace_item(py);
        if ((item->kind == N_PAIR) != is_dict)
            py_fail(py, item_at, NULL,
                    is_dict ? "expected key: value in a dict" : "a set has values, not key: value pairs");
        vec_push(&py->stack, item);
    }
    expect_closer(py, TOK_RBRACE, at);
    return py_node_from_stack(py, is_dict ? N_DICT : N_SET, line, at, mark);
}

// ---- calls, indexes, attributes ----

static Node *parse_argument(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at, mark = py->stack.len;
    if (py->tok.kind == TOK_STAR || py->tok.kind == TOK_POW) {
        NodeKind kind = py->tok.kind == TOK_STAR ? N_STAR : N_DOUBLE_STAR;
        py_next(py);
        Node *value = py_parse_test(py);
        return py_node_kids(py, kind, line, at, 1, &value);
    }
    bool is_name = py->tok.kind == TOK_NAME;
    Atom *name = py->tok.atom;
    Node *n = py_parse_named_test(py);
    if (py->tok.kind == TOK_ASSIGN) {
        if (!is_name || (n->kind != N_NAME && !name->constant))
            py_fail(py, at, "to compare, write '=='",
                    "the left side of '=' in a call must be a parameter's name");
        py_next(py);
        Node *value = py_parse_test(py);
        Node *k = py_node_kids(py, N_KEYWORD, line, at, 1, &value);
        k->name = name;
        return k;
    }
    if (!is_clause(py)) return n;
    vec_push(&py->stack, n);
    return parse_comprehension(py, SCOPE_GENERATOR, line, at, line, mark);
}

Node *py_parse_call_args(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at, mark = py->stack.len;
    py_next(py);
    while (py->tok.kind != TOK_RPAREN) {
        Node *argument = parse_argument(py);
        vec_push(&py->stack, argument);
        if (!py_accept(py, TOK_COMMA)) break;
    }
    expect_closer(py, TOK_RPAREN, at);
    return py_node_from_stack(py, N_CALL, line, at, mark);
}

// start:stop:step, each optional, or a plain index.
static Node *parse_subscript(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at;
    if (py->tok.kind == TOK_STAR) py_fail(py, at, NULL, "'*' in an index is not supported here");
    Node *parts[3] = {0};
    if (py->tok.kind != TOK_COLON) {
        parts[0] = py_parse_named_test(py);
        if (py->tok.kind != TOK_COLON) return parts[0];
    }
    for (u32 i = 1; i < 3 && py_accept(py, TOK_COLON); i++) {
        TokenKind k = py->tok.kind;
        if (k != TOK_COLON && k != TOK_COMMA && k != TOK_RBRACKET) parts[i] = py_parse_test(py);
    }
    return py_node_kids(py, N_SLICE, line, at, 3, parts);
}

static Node *parse_index(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at, mark = py->stack.len;
    py_next(py);
    u32 index_line = py->tok.line, index_at = py->tok.at;
    if (py->tok.kind == TOK_RBRACKET) py_fail(py, py->tok.at, NULL, "an index is missing");
    Node *index = parse_subscript(py);
    if (py->tok.kind == TOK_COMMA) {
        vec_push(&py->stack, index);
        while (py_accept(py, TOK_COMMA) && py->tok.kind != TOK_RBRACKET) {
            index = parse_subscript(py);
            vec_push(&py->stack, index);
        }
        index = py_fold(py, py_node_from_stack(py, N_TUPLE, index_line, index_at, mark));
    }
    expect_closer(py, TOK_RBRACKET, at);
    return py_node_kids(py, N_INDEX, line, at, 1, &index);
}

static Node *parse_attribute(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at;
    py_next(py);
    Node *n = py_node(py, N_ATTRIBUTE, line, at);
    n->name = py_expect_name(py, "an attribute's name");
    return n;
}

static Node *parse_name(Py *py)
{
    Token t = py->tok;
    py_next(py);
    if (t.atom->len == 9 && !memcmp(t.atom->text, "__debug__", 9)) return py_node(py, N_TRUE, t.line, t.at);
    return py_name_node(py, t.atom, t.line, t.at);
}

static Node *parse_atom(Py *py)
{
    Token t = py->tok;
    NodeKind kind;
    switch ((int)t.kind) {
    case TOK_NAME: return parse_name(py);
    case TOK_NUMBER: py_next(py); return t.value;
    case TOK_STRING:
    case TOK_FSTRING: return py_parse_strings(py);
    case TOK_LPAREN: return parse_paren(py);
    case TOK_LBRACKET: return parse_bracket(py);
    case TOK_LBRACE: return parse_brace(py);
    case KW_NONE: kind = N_NONE; break;
    case KW_TRUE: kind = N_TRUE; break;
    case KW_FALSE: kind = N_FALSE; break;
    case TOK_ELLIPSIS: kind = N_ELLIPSIS; break;
    case KW_AWAIT: py_fail(py, t.at, NULL, "'await' is not supported here");
    default: py_unexpected(py);
    }
    py_next(py);
    return py_node(py, kind, t.line, t.at);
}

// math.pi and math.e are constants of the language here, import or not.
static Node *fold_math(Py *py, Node *n)
{
    if (n->n != 2 || n->kids[0]->kind != N_NAME || n->kids[1]->kind != N_ATTRIBUTE) return n;
    if (strcmp(n->kids[0]->name->text, "math")) return n;
    const char *name = n->kids[1]->name->text;
    if (!strcmp(name, "pi")) return py_float_node(py, M_PI, PY_OBJ_FLOAT, 0, n->at);
    if (!strcmp(name, "e")) return py_float_node(py, M_E, PY_OBJ_FLOAT, 0, n->at);
    return n;
}

Node *py_parse_atom_expr(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at, mark = py->stack.len;
    Node *base = parse_atom(py);
    vec_push(&py->stack, base);
    for (;;) {
        Node *trailer;
        if (py->tok.kind == TOK_LPAREN)
            trailer = py_parse_call_args(py);
        else if (py->tok.kind == TOK_LBRACKET)
            trailer = parse_index(py);
        else if (py->tok.kind == TOK_DOT)
            trailer = parse_attribute(py);
        else
            break;
        vec_push(&py->stack, trailer);
    }
    if (py->stack.len == mark + 1) {
        py->stack.len = mark;
        return base;
    }
    return fold_math(py, py_node_from_stack(py, N_POSTFIX, line, at, mark));
}
