// parse_expr.c: expressions, from the weakest operator to the strongest, by recursive descent. A run of
// operators of one strength is one node (a + b - c has three kids), because folding and line numbers go by
// such runs.
#include "vm/py/compile.h"

bool py_accept(Py *py, TokenKind kind)
{
    if (py->tok.kind != kind) return false;
    py_next(py);
    return true;
}

// A token that cannot be inside the brackets around it and begins a line: the bracket above was forgotten.
static void check_unclosed(Py *py)
{
    const Lexer *lx = &py->lex;
    if (!lx->n_brackets || lx->is_nested) return;
    const Bracket *open = &lx->brackets[lx->n_brackets - 1];
    u32 at = py->tok.at;
    while (at && (py->src[at - 1] == ' ' || py->src[at - 1] == '\t'))
        at--;
    bool is_first = at && (py->src[at - 1] == '\n' || py->src[at - 1] == '\r');
    if (is_first && open->line < py->tok.line)
        py_fail(py, open->at, NULL, "'%c' was never closed", open->open);
}

void py_unexpected(Py *py)
{
    const Token *t = &py->tok;
    check_unclosed(py);
    if (py->lex.is_nested && t->kind == TOK_END)
        py_fail(py, t->at, NULL, "the expression in this f-string is incomplete");
    if (t->kind == TOK_INDENT)
        py_fail(py, t->at, "only a line after ':' starts a deeper block", "unexpected indent");
    if (t->kind == TOK_NEWLINE || t->kind == TOK_END)
        py_fail(py, t->at, NULL, "invalid syntax: the line ends too early");
    if (t->kind == TOK_DEDENT) py_fail(py, t->at, NULL, "invalid syntax: unexpected unindent");
    if (t->kind == KW_ASYNC || t->kind == KW_AWAIT)
        py_fail(py, t->at, NULL, "'%s' is not supported here", py_token_text(t->kind));
    const char *hint = NULL;
    if (t->kind == TOK_ASSIGN) hint = "to compare, write '=='";
    if (t->kind == TOK_WALRUS) hint = "put the ':=' expression in parentheses";
    if (t->kind == TOK_AMPERSAND) hint = "the logical operator is 'and'";
    if (t->kind == TOK_PIPE) hint = "the logical operator is 'or'";
    if (t->kind == TOK_NAME || t->kind == TOK_NUMBER || t->kind == TOK_STRING || t->kind == TOK_FSTRING)
        hint = "perhaps an operator or a comma is missing before it";
    if (t->kind >= KW_FALSE && t->kind <= KW_YIELD)
        py_fail(py, t->at, "a keyword cannot be a name", "invalid syntax at '%s'", py_token_text(t->kind));
    u32 len = t->end - t->at > 40 ? 40 : t->end - t->at;
    py_fail(py, t->at, hint, "invalid syntax at '%.*s'", (int)len, py->src + t->at);
}

void py_expect(Py *py, TokenKind kind, const char *after)
{
    if (py_accept(py, kind)) return;
    const Token *t = &py->tok;
    if (t->kind == TOK_INDENT || t->kind == KW_ASYNC || t->kind == KW_AWAIT) py_unexpected(py);
    py_fail(py, t->at, t->kind == TOK_ASSIGN ? "to compare, write '=='" : NULL, "expected '%s' after %s",
            py_token_text(kind), after);
}

Atom *py_expect_name(Py *py, const char *what)
{
    const Token *t = &py->tok;
    if (t->kind >= KW_FALSE && t->kind <= KW_YIELD)
        py_fail(py, t->at, "choose another name", "'%s' is a keyword: it cannot be %s",
                py_token_text(t->kind), what);
    if (t->kind != TOK_NAME) py_fail(py, t->at, NULL, "expected %s", what);
    Atom *a = t->atom;
    a->is_qstr = true;
    py_next(py);
    return a;
}

// ---- lists of operands ----

// One level of PY binary operators: `tokens` lists token and operator pairs, ended by TOK_END.
typedef struct LevelOp {
    TokenKind token;
    PyBinary op;
} LevelOp;

enum { N_LEVELS = 6 };
static const LevelOp levels[N_LEVELS][6] = {
    {{TOK_PIPE, PY_BINARY_OR}},
    {{TOK_CARET, PY_BINARY_XOR}},
    {{TOK_AMPERSAND, PY_BINARY_AND}},
    {{TOK_SHL, PY_BINARY_SHL}, {TOK_SHR, PY_BINARY_SHR}},
    {{TOK_PLUS, PY_BINARY_ADD}, {TOK_MINUS, PY_BINARY_SUB}},
    {{TOK_STAR, PY_BINARY_MUL},
     {TOK_SLASH, PY_BINARY_DIV},
     {TOK_PERCENT, PY_BINARY_MOD},
     {TOK_FLOORDIV, PY_BINARY_FLOORDIV},
     {TOK_AT, PY_BINARY_MATMUL}},
};

static const LevelOp *level_op(u32 level, TokenKind t)
{
    for (const LevelOp *o = levels[level]; o < levels[level] + 6 && o->token != TOK_END; o++)
        if (o->token == t) return o;
    return NULL;
}

// Takes the kids from mark on and the operators from op_mark on; a single operand stays what it is.
static Node *finish_run(Py *py, NodeKind kind, u32 line, u32 at, u32 mark, u32 op_mark)
{
    if (py->stack.len == mark + 1) return py->stack.at[--py->stack.len];
    Node *n = py_node_from_stack(py, kind, line, at, mark);
    u32 n_ops = py->op_stack.len - op_mark;
    if (n_ops) {
        n->ops = arena_array(&py->arena, u8, n_ops);
        memcpy(n->ops, py->op_stack.at + op_mark, n_ops);
        py->op_stack.len = op_mark;
    }
    return py_fold(py, n);
}

static Node *parse_factor(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at;
    TokenKind k = py->tok.kind;
    if (k == TOK_PLUS || k == TOK_MINUS || k == TOK_TILDE) {
        py_enter(py, at);
        py_next(py);
        if (py->tok.kind == TOK_NEWLINE && at && py->src[at - 1] == py->src[at])
            py_fail(py, at - 1, k == TOK_PLUS ? "write += 1" : "write -= 1", "Python has no '%c%c' operator",
                    py->src[at], py->src[at]);
        Node *operand = parse_factor(py);
        py_leave(py);
        Node *n = py_node_kids(py, N_UNARY, line, at, 1, &operand);
        n->op = k == TOK_PLUS ? PY_UNARY_POSITIVE : k == TOK_MINUS ? PY_UNARY_NEGATIVE : PY_UNARY_INVERT;
        return py_fold(py, n);
    }
    Node *base = py_parse_atom_expr(py);
    if (py->tok.kind != TOK_POW) return base;
    py_enter(py, py->tok.at);
    py_next(py);
    Node *kids[] = {base, parse_factor(py)};
    py_leave(py);
    Node *n = py_node_kids(py, N_BINARY, line, at, 2, kids);
    n->ops = arena_array(&py->arena, u8, 1);
    n->ops[0] = PY_BINARY_POW;
    return py_fold(py, n);
}

static Node *parse_level(Py *py, u32 level)
{
    if (level == N_LEVELS) return parse_factor(py);
    u32 line = py->tok.line, at = py->tok.at, mark = py->stack.len, op_mark = py->op_stack.len;
    Node *first = parse_level(py, level + 1);
    if (!level_op(level, py->tok.kind)) return first;
    vec_push(&py->stack, first);
    for (const LevelOp *o; (o = level_op(level, py->tok.kind));) {
        u32 op_at = py->tok.at;
        py_next(py);
        if ((o->token == TOK_AMPERSAND || o->token == TOK_PIPE) && py->tok.kind == o->token)
            py_fail(py, op_at, o->token == TOK_PIPE ? "write 'or'" : "write 'and'",
                    "Python has no '%s%s' operator", py_token_text(o->token), py_token_text(o->token));
        vec_push(&py->op_stack, (u8)o->op);
        Node *next = parse_level(py, level + 1);
        vec_push(&py->stack, next);
    }
    return finish_run(py, N_BINARY, line, at, mark, op_mark);
}

Node *py_parse_binary(Py *py)
{
    return parse_level(py, 0);
}

// The comparison operator at the current token, taken; -1: none.
static int parse_compare_op(Py *py)
{
    static const struct {
        TokenKind token;
        u8 op;
    } simple[] = {
        {TOK_LESS, PY_BINARY_LESS},
        {TOK_MORE, PY_BINARY_MORE},
        {TOK_EQUAL, PY_BINARY_EQUAL},
        {TOK_LESS_EQUAL, PY_BINARY_LESS_EQUAL},
        {TOK_MORE_EQUAL, PY_BINARY_MORE_EQUAL},
        {TOK_NOT_EQUAL, PY_BINARY_NOT_EQUAL},
        {KW_IN, PY_BINARY_IN},
    };
    for (u32 i = 0; i < ARRAY_LEN(simple); i++)
        if (py_accept(py, simple[i].token)) return simple[i].op;
    if (py_accept(py, KW_IS)) return py_accept(py, KW_NOT) ? COMPARE_IS_NOT : PY_BINARY_IS;
    if (py_accept(py, KW_NOT)) {
        py_expect(py, KW_IN, "'not' in a comparison");
        return COMPARE_NOT_IN;
    }
    return -1;
}

static Node *parse_comparison(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at, mark = py->stack.len, op_mark = py->op_stack.len;
    Node *operand = py_parse_binary(py);
    vec_push(&py->stack, operand);
    for (int op; (op = parse_compare_op(py)) >= 0;) {
        vec_push(&py->op_stack, (u8)op);
        operand = py_parse_binary(py);
        vec_push(&py->stack, operand);
    }
    return finish_run(py, N_COMPARE, line, at, mark, op_mark);
}

static Node *parse_not_test(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at;
    if (py->tok.kind != KW_NOT) return parse_comparison(py);
    py_enter(py, at);
    py_next(py);
    Node *operand = parse_not_test(py);
    py_leave(py);
    return py_fold(py, py_node_kids(py, N_NOT, line, at, 1, &operand));
}

static Node *parse_and_test(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at, mark = py->stack.len;
    Node *operand;
    do {
        operand = parse_not_test(py);
        vec_push(&py->stack, operand);
    } while (py_accept(py, KW_AND));
    return finish_run(py, N_AND, line, at, mark, py->op_stack.len);
}

Node *py_parse_or_test(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at, mark = py->stack.len;
    Node *operand;
    do {
        operand = parse_and_test(py);
        vec_push(&py->stack, operand);
    } while (py_accept(py, KW_OR));
    return finish_run(py, N_OR, line, at, mark, py->op_stack.len);
}

static Node *parse_lambda(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at;
    py_next(py);
    Node *kids[2];
    kids[0] = py_parse_parameters(py, TOK_COLON);
    py_expect(py, TOK_COLON, "the parameters of lambda");
    kids[1] = py_parse_test(py);
    return py_node_kids(py, N_LAMBDA, line, at, 2, kids);
}

Node *py_parse_test(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at;
    py_enter(py, at);
    Node *n = py->tok.kind == KW_LAMBDA ? parse_lambda(py) : py_parse_or_test(py);
    if (n->kind != N_LAMBDA && py_accept(py, KW_IF)) {
        Node *kids[3] = {n};
        kids[1] = py_parse_or_test(py);
        if (py->tok.kind != KW_ELSE)
            py_fail(py, py->tok.at, "a conditional expression is: value if condition else other",
                    "expected 'else'");
        py_next(py);
        kids[2] = py_parse_test(py);
        n = py_node_kids(py, N_IF_ELSE, line, at, 3, kids);
    }
    py_leave(py);
    return n;
}

Node *py_parse_named_test(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at;
    Node *n = py_parse_test(py);
    if (py->tok.kind != TOK_WALRUS) return n;
    if (n->kind != N_NAME) py_fail(py, at, NULL, "':=' needs a name on its left");
    py_next(py);
    Node *value = py_parse_test(py);
    Node *w = py_node_kids(py, N_WALRUS, line, at, 1, &value);
    w->name = n->name;
    return w;
}

// ---- lists without brackets ----

static Node *parse_star(Py *py, Node *(*parse)(Py *))
{
    u32 line = py->tok.line, at = py->tok.at;
    if (!py_accept(py, TOK_STAR)) return parse(py);
    Node *value = py_parse_binary(py);
    return py_node_kids(py, N_STAR, line, at, 1, &value);
}

static bool ends_list(TokenKind k)
{
    return k == TOK_NEWLINE || k == TOK_END || k == TOK_ASSIGN || k == TOK_RPAREN || k == TOK_RBRACKET ||
           k == TOK_RBRACE || k == TOK_SEMICOLON || k == TOK_COLON || k == KW_IN ||
           (k >= TOK_ADD_ASSIGN && k <= TOK_XOR_ASSIGN) || (k >= TOK_SHL_ASSIGN && k <= TOK_FLOORDIV_ASSIGN);
}

static Node *parse_list(Py *py, Node *(*parse)(Py *), bool allow_star)
{
    u32 line = py->tok.line, at = py->tok.at, mark = py->stack.len;
    Node *first = allow_star ? parse_star(py, parse) : parse(py);
    if (py->tok.kind != TOK_COMMA) return first;
    vec_push(&py->stack, first);
    while (py_accept(py, TOK_COMMA) && !ends_list(py->tok.kind)) {
        Node *item = allow_star ? parse_star(py, parse) : parse(py);
        vec_push(&py->stack, item);
    }
    return py_node_from_stack(py, N_TUPLE, line, at, mark);
}

Node *py_parse_test_list(Py *py, bool allow_star)
{
    return py_fold(py, parse_list(py, py_parse_test, allow_star));
}

Node *py_parse_target_list(Py *py)
{
    return parse_list(py, py_parse_binary, true);
}

Node *py_parse_yield(Py *py)
{
    u32 line = py->tok.line, at = py->tok.at;
    py_next(py);
    if (py_accept(py, KW_FROM)) {
        Node *value = py_parse_test(py);
        return py_node_kids(py, N_YIELD_FROM, line, at, 1, &value);
    }
    Node *value = ends_list(py->tok.kind) ? NULL : py_parse_test_list(py, false);
    return py_node_kids(py, N_YIELD, line, at, 1, &value);
}
