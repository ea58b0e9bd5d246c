// parse_expr.c: expressions, by recursive descent with precedence climbing for the binary operators.
//
// Functions return a node that may be a place (an lvalue); node_value turns it into a value where one is needed.
#include "cc/front.h"

// ---- Token helpers ------------------------------------------------------------------------------------------------------

bool parse_accept(Front *f, TokKind k)
{
    if (f->tok->kind != k) return false;
    f->tok++;
    return true;
}

void parse_unexpected(Front *f, const char *expected)
{
    const Token *t = f->tok;
    if (t->kind == TK_EOF) front_fail(f, t->loc, "expected %s before the end of the file", expected);
    const char *text;
    u32 len = lex_spelling(t, &text);
    // A missing ';' belongs to the end of the line before.
    bool at_end = t > f->tokens.at && t->flags & TF_BOL && expected[0] == '\'' && expected[1] == ';';
    CcLoc loc = t->loc;
    if (at_end && t[-1].loc.file == loc.file) {
        loc = t[-1].loc;
        const char *before;
        loc.col = (u16)(loc.col + lex_spelling(&t[-1], &before));
    }
    front_fail(f, loc, "expected %s before '%.*s'", expected, (int)(len > 60 ? 60 : len), text);
}

Token *parse_expect(Front *f, TokKind k, const char *where)
{
    if (f->tok->kind == k) return f->tok++;
    parse_unexpected(f, arena_printf(f->arena, "'%s'%s%s", lex_kind_text[k], *where ? " " : "", where));
}

Ident *parse_ident(Front *f, const char *what)
{
    if (f->tok->kind != TK_IDENT) parse_unexpected(f, what);
    return f->tok++->id;
}

// ---- Primary expressions --------------------------------------------------------------------------------------------------

static Node *number(Front *f)
{
    Token *t = f->tok++;
    u64 v;
    TypeKind kind;
    if (lit_integer(f, t, &v, &kind)) return node_num(f, t->loc, f->types[kind], (i64)v);
    Node *n = node_new(f, ND_FLT, t->loc, NULL, NULL, NULL);
    n->fval = lit_float(f, t, &kind);
    n->type = f->types[kind];
    return n;
}

static Node *string(Front *f)
{
    CcLoc loc = f->tok->loc;
    u64 n_units;
    TypeKind kind;
    u8 *bytes = lit_strings(f, &n_units, &kind);
    return node_var(f, loc, lit_string_obj(f, bytes, n_units, kind));
}

static Node *function_name(Front *f)
{
    CcLoc loc = f->tok++->loc;
    if (!f->fn) front_fail(f, loc, "__func__ outside a function");
    const char *name = f->fn->name;
    return node_var(f, loc, lit_string_obj(f, (const u8 *)name, strlen(name) + 1, TY_CHAR));
}

static Node *unknown_name(Front *f, const Token *t)
{
    const char *similar = front_similar_name(f, t->id, false);
    const char *hint = similar ? arena_printf(f->arena, "did you mean '%s'?", similar) : NULL;
    if (t[1].kind == P_LPAREN)
        front_fail_hint(f, t->loc, hint ? hint : "declare it first, or include its header", "the function '%s' is not declared", t->id->name);
    if (hint) front_fail_hint(f, t->loc, hint, "'%s' is not declared", t->id->name);
    front_fail(f, t->loc, "'%s' is not declared", t->id->name);
}

static Node *name(Front *f)
{
    Token *t = f->tok++;
    Binding *b = t->id->binding;
    if (!b && t->id->builtin) return parse_builtin(f, t->id->builtin, t->loc);
    if (!b) return unknown_name(f, t);
    if (b->kind == BIND_ENUM) return node_num(f, t->loc, b->type, b->value);
    if (b->kind != BIND_OBJ) front_fail(f, t->loc, "'%s' is a type, and a value is needed here", t->id->name);
    return node_var(f, t->loc, b->obj);
}

// ({ statements; value; })
static Node *statement_expr(Front *f, CcLoc loc)
{
    if (!f->fn) front_fail(f, loc, "a statement expression outside a function");
    Node *body = parse_compound(f);
    parse_expect(f, P_RPAREN, "");
    Node *value = NULL;
    Node *last = body->n_stmts ? body->stmts[body->n_stmts - 1] : NULL;
    if (last && last->kind == ND_EXPR && last->lhs->type->kind != TY_VOID) {
        value = last->lhs;
        if (value->kind == ND_CAST && value->cast == CAST_VOID) value = NULL;
        else body->n_stmts--;
    }
    Node *n = node_new(f, ND_STMT_EXPR, loc, value ? value->type : f->types[TY_VOID], value, NULL);
    n->body = body;
    node_depth(f, n, body);
    return n;
}

// _Generic(value, type: expr, …, default: expr). Only the chosen expression counts; the others are parsed unevaluated.
static Node *generic(Front *f)
{
    CcLoc loc = f->tok++->loc;
    parse_expect(f, P_LPAREN, "behind _Generic");
    bool was = f->is_unevaluated;
    f->is_unevaluated = true;
    Type *type = parse_assign_value(f)->type->unqual;
    f->is_unevaluated = was;
    Token *chosen = NULL, *fallback = NULL, *end;
    while (parse_accept(f, P_COMMA)) {
        bool matches = false;
        if (parse_accept(f, K_DEFAULT)) {
            parse_expect(f, P_COLON, "");
            fallback = f->tok;
        } else {
            matches = type_same(parse_type_name(f), type) && !chosen;
            parse_expect(f, P_COLON, "");
            if (matches) chosen = f->tok;
        }
        f->is_unevaluated = true;
        parse_assign(f);
        f->is_unevaluated = was;
    }
    parse_expect(f, P_RPAREN, "");
    end = f->tok;
    if (!chosen) chosen = fallback;
    if (!chosen) front_fail(f, loc, "no association of this _Generic fits '%s'", type_text(f->arena, type));
    f->tok = chosen;
    Node *n = parse_assign(f);
    f->tok = end;
    return n;
}

static Node *primary(Front *f)
{
    Token *t = f->tok;
    switch ((int)t->kind) {
    case TK_IDENT: return name(f);
    case TK_NUM: return number(f);
    case TK_STR: return string(f);
    case TK_CHAR: {
        TypeKind kind;
        f->tok++;
        i64 v = lit_char(f, t, &kind);
        return node_num(f, t->loc, f->types[kind], v);
    }
    case P_LPAREN: {
        f->tok++;
        if (f->tok->kind == P_LBRACE) return statement_expr(f, t->loc);
        Node *n = parse_expr(f);
        parse_expect(f, P_RPAREN, "");
        return n;
    }
    case K_GENERIC: return generic(f);
    case K_PROBE: return parse_probe(f);
    case K_FUNC: return function_name(f);
    default: break;
    }
    parse_unexpected(f, "an expression");
}

// ---- Postfix ----------------------------------------------------------------------------------------------------------------

static const char *callee_name(const Node *fn)
{
    return fn->kind == ND_ADDR && fn->lhs->kind == ND_VAR ? fn->lhs->var->name : "the function";
}

static Node *default_promote(Front *f, Node *n)
{
    if (n->type->kind == TY_FLOAT) return node_cast(f, n, f->types[TY_DOUBLE], n->loc);
    if (n->type->kind == TY_VOID) front_fail(f, n->loc, "this has no value (type void) and cannot be an argument");
    return node_promote(f, n);
}

static void check_count(Front *f, const Node *fn, const Type *type, u32 n_args, CcLoc loc)
{
    if (type->is_unprototyped || n_args == type->n_params || (type->is_variadic && n_args > type->n_params)) return;
    front_fail(f, loc, "'%s' takes %s%u argument%s, and here %s %u", callee_name(fn), type->is_variadic ? "at least " : "", type->n_params,
               type->n_params == 1 ? "" : "s", n_args == 1 ? "is" : "are", n_args);
}

Node *parse_call(Front *f, Node *fn, CcLoc loc)
{
    if (!type_is_func_ptr(fn->type)) front_fail(f, loc, "this is no function but '%s'", type_text(f->arena, fn->type));
    Type *type = fn->type->base;
    Node *call = node_new(f, ND_CALL, loc, type->base->unqual, fn, NULL);
    call->fn_type = type;
    u32 base = f->stmts.len;
    while (f->tok->kind != P_RPAREN) {
        u32 i = f->stmts.len - base;
        CcLoc arg_loc = f->tok->loc;
        Node *arg = parse_assign_value(f);
        if (!type->is_unprototyped && i < type->n_params)
            arg = node_argument(f, arg, type->params[i], arg_loc, callee_name(fn), i + 1);
        else
            arg = default_promote(f, arg);
        node_depth(f, call, arg);
        vec_push(&f->stmts, arg);
        if (f->tok->kind != P_RPAREN) parse_expect(f, P_COMMA, "or ')'");
    }
    f->tok++;
    call->n_args = f->stmts.len - base;
    call->args = arena_array(f->arena, Node *, call->n_args);
    if (call->n_args) memcpy(call->args, f->stmts.at + base, call->n_args * sizeof *call->args);
    f->stmts.len = base;
    check_count(f, fn, type, call->n_args, loc);
    if (type->is_unprototyped && f->is_purecap && call->n_args && !(fn->kind == ND_ADDR && fn->lhs->kind == ND_VAR && fn->lhs->var->is_defined))
        front_warn(f, loc, "cheri-prototypes", "'%s' has no prototype: if it is variadic, it will not find these arguments", callee_name(fn));
    if (type->base->is_incomplete && type->base->kind != TY_VOID)
        front_fail(f, loc, "'%s' returns an incomplete type '%s'", callee_name(fn), type_text(f->arena, type->base));
    return call;
}

static Node *subscript(Front *f, Node *a, CcLoc loc)
{
    a = node_value(f, a);
    Node *b = parse_value(f);
    parse_expect(f, P_RBRACK, "");
    if (a->type->kind != TY_PTR && b->type->kind != TY_PTR)
        front_fail(f, loc, "only arrays and pointers have elements, and this is '%s'", type_text(f->arena, a->type));
    return node_deref(f, node_add(f, a, b, loc, false), loc);
}

static Node *arrow(Front *f, Node *n, CcLoc loc)
{
    n = node_value(f, n);
    if (n->type->kind != TY_PTR) {
        if (type_is_record(n->type))
            front_fail_hint(f, loc, "use '.'", "'->' needs a pointer, and this is '%s'", type_text(f->arena, n->type));
        front_fail(f, loc, "'->' needs a pointer, and this is '%s'", type_text(f->arena, n->type));
    }
    return node_field(f, node_deref(f, n, loc), parse_ident(f, "the name of a member"), loc);
}

static Node *postfix(Front *f, Node *n)
{
    for (;;) {
        Token *t = f->tok;
        switch ((int)t->kind) {
        case P_LBRACK:
            f->tok++;
            n = subscript(f, n, t->loc);
            break;
        case P_LPAREN:
            f->tok++;
            n = parse_call(f, node_value(f, n), n->loc);
            break;
        case P_DOT:
            f->tok++;
            if (n->type->kind == TY_PTR && type_is_record(n->type->base))
                front_fail_hint(f, t->loc, "use '->'", "'.' needs a struct or union, and this is a pointer to one");
            n = node_field(f, n, parse_ident(f, "the name of a member"), t->loc);
            break;
        case P_ARROW:
            f->tok++;
            n = arrow(f, n, t->loc);
            break;
        case P_INC:
        case P_DEC:
            f->tok++;
            n = node_update(f, t->kind == P_INC ? P_PLUS_ASSIGN : P_MINUS_ASSIGN, n, node_num(f, t->loc, f->types[TY_INT], 1), t->loc, true);
            break;
        default: return n;
        }
    }
}

// ---- Unary ------------------------------------------------------------------------------------------------------------------

static Node *cast_expr(Front *f);

static Node *size_of(Front *f, CcLoc loc, bool is_align)
{
    bool was = f->is_unevaluated;
    f->is_unevaluated = true;
    Type *type;
    if (f->tok->kind == P_LPAREN && parse_is_type(f, f->tok + 1)) {
        Token *open = f->tok++;
        type = parse_type_name(f);
        parse_expect(f, P_RPAREN, "");
        if (f->tok->kind == P_LBRACE && !is_align) { // sizeof (T){…}
            f->tok = open;
            type = cast_expr(f)->type;
        }
    } else {
        Node *n = cast_expr(f);
        if (!is_align && n->kind == ND_MEMBER && n->member->is_bitfield) front_fail(f, loc, "sizeof does not work on a bit-field");
        type = n->type;
    }
    f->is_unevaluated = was;
    if (type->is_incomplete)
        front_fail(f, loc, "the size of an incomplete type '%s' is not known", type_text(f->arena, type));
    bool is_odd = type->kind == TY_VOID || type->kind == TY_FUNC; // GNU: 1
    return node_num(f, loc, f->types[TY_ULONG], is_align ? (i64)type->align : is_odd ? 1 : (i64)type->size);
}

static Node *address_of(Front *f, CcLoc loc)
{
    Node *n = cast_expr(f);
    if (!node_is_place(n)) front_fail(f, loc, "'&' needs something that has an address");
    return node_addr(f, n, loc);
}

static Node *label_address(Front *f, CcLoc loc)
{
    if (!f->fn) front_fail(f, loc, "a label's address outside a function");
    Label *l = parse_label_ref(f, parse_ident(f, "a label"), loc);
    l->is_addr_taken = true;
    Node *n = node_new(f, ND_LABEL_ADDR, loc, type_ptr(f, f->types[TY_VOID]), NULL, NULL);
    n->label = l;
    return n;
}

static Node *unary(Front *f)
{
    Token *t = f->tok;
    switch ((int)t->kind) {
    case P_PLUS: {
        f->tok++;
        Node *n = node_value(f, cast_expr(f));
        if (!type_is_arith(n->type)) front_fail(f, t->loc, "'+' does not work on '%s'", type_text(f->arena, n->type));
        return node_promote(f, n);
    }
    case P_MINUS:
    case P_TILDE:
    case P_NOT:
        f->tok++;
        return node_unary(f, t->kind == P_MINUS ? ND_NEG : t->kind == P_TILDE ? ND_NOT : ND_LNOT, node_value(f, cast_expr(f)), t->loc);
    case P_AMP: f->tok++; return address_of(f, t->loc);
    case P_ANDAND: f->tok++; return label_address(f, t->loc);
    case P_STAR: f->tok++; return node_deref(f, node_value(f, cast_expr(f)), t->loc);
    case P_INC:
    case P_DEC: {
        f->tok++;
        Node *place = cast_expr(f);
        return node_update(f, t->kind == P_INC ? P_PLUS_ASSIGN : P_MINUS_ASSIGN, place, node_num(f, t->loc, f->types[TY_INT], 1), t->loc, false);
    }
    case K_SIZEOF: f->tok++; return size_of(f, t->loc, false);
    case K_ALIGNOF: f->tok++; return size_of(f, t->loc, true);
    case K_EXTENSION: f->tok++; return cast_expr(f);
    default: return postfix(f, primary(f));
    }
}

static Node *cast_expr(Front *f)
{
    CcLoc loc = f->tok->loc;
    front_enter(f, loc);
    Node *n;
    if (f->tok->kind == P_LPAREN && parse_is_type(f, f->tok + 1)) {
        f->tok++;
        Type *type = parse_type_name(f);
        parse_expect(f, P_RPAREN, "");
        if (f->tok->kind == P_LBRACE) n = postfix(f, init_compound_literal(f, type, loc));
        else n = node_cast(f, node_value(f, cast_expr(f)), type, loc);
    } else {
        n = unary(f);
    }
    front_leave(f);
    return n;
}

// ---- Binary -----------------------------------------------------------------------------------------------------------------

typedef struct BinaryOp {
    u8 precedence; // 0: no binary operator
    u8 kind;       // NodeKind; comparisons by token
} BinaryOp;

static const BinaryOp binary_ops[TK_COUNT] = {
    [P_STAR] = {10, ND_MUL}, [P_SLASH] = {10, ND_DIV}, [P_PERCENT] = {10, ND_MOD}, [P_PLUS] = {9, ND_ADD}, [P_MINUS] = {9, ND_SUB},
    [P_SHL] = {8, ND_SHL}, [P_SHR] = {8, ND_SHR}, [P_LT] = {7, ND_LT}, [P_GT] = {7, ND_LT}, [P_LE] = {7, ND_LE}, [P_GE] = {7, ND_LE},
    [P_EQ] = {6, ND_EQ}, [P_NE] = {6, ND_NE}, [P_AMP] = {5, ND_AND}, [P_CARET] = {4, ND_XOR}, [P_PIPE] = {3, ND_OR},
    [P_ANDAND] = {2, ND_LAND}, [P_OROR] = {1, ND_LOR},
};

static Node *make_binary(Front *f, TokKind op, Node *a, Node *b, CcLoc loc)
{
    NodeKind kind = binary_ops[op].kind;
    switch ((int)kind) {
    case ND_ADD: return node_add(f, a, b, loc, false);
    case ND_SUB: return node_sub(f, a, b, loc, false);
    case ND_LT:
    case ND_LE:
    case ND_EQ:
    case ND_NE: return node_compare(f, op, a, b, loc);
    case ND_LAND:
    case ND_LOR: return node_new(f, kind, loc, f->types[TY_INT], node_scalar(f, a, loc), node_scalar(f, b, loc));
    default: return node_binary(f, kind, a, b, loc, false);
    }
}

static Node *binary(Front *f, u32 min_precedence)
{
    Node *a = cast_expr(f);
    for (;;) {
        TokKind op = f->tok->kind;
        u32 precedence = binary_ops[op].precedence;
        if (!precedence || precedence < min_precedence) return a;
        CcLoc loc = f->tok++->loc;
        a = node_value(f, a);
        Node *b = node_value(f, binary(f, precedence + 1));
        a = make_binary(f, op, a, b, loc);
    }
}

Node *parse_cond(Front *f)
{
    Node *c = binary(f, 1);
    if (f->tok->kind != P_QUEST) return c;
    CcLoc loc = f->tok++->loc;
    c = node_scalar(f, node_value(f, c), loc);
    Node *a;
    if (parse_accept(f, P_COLON)) { // GNU: c ?: b evaluates c once
        if (!f->fn) front_fail(f, loc, "'?:' without a middle operand outside a function");
        Obj *tmp = parse_new_local(f, NULL, c->type, loc);
        Node *set = node_new(f, ND_ASSIGN, loc, c->type, node_var(f, loc, tmp), c);
        a = node_value(f, node_var(f, loc, tmp));
        c = set;
    } else {
        a = parse_value(f);
        parse_expect(f, P_COLON, "of '?'");
    }
    front_enter(f, loc);
    Node *b = node_value(f, parse_cond(f));
    front_leave(f);
    return node_cond(f, c, a, b, loc);
}

Node *parse_assign(Front *f)
{
    front_enter(f, f->tok->loc);
    Node *n = parse_cond(f);
    Token *t = f->tok;
    if (t->kind == P_ASSIGN) {
        f->tok++;
        n = node_assign(f, n, parse_assign_value(f), t->loc);
    } else if (t->kind >= P_PLUS_ASSIGN && t->kind <= P_SHR_ASSIGN) {
        f->tok++;
        n = node_update(f, t->kind, n, parse_assign_value(f), t->loc, false);
    }
    front_leave(f);
    return n;
}

Node *parse_expr(Front *f)
{
    Node *n = parse_assign(f);
    while (f->tok->kind == P_COMMA) {
        CcLoc loc = f->tok++->loc;
        Node *b = node_value(f, parse_assign(f));
        n = node_new(f, ND_COMMA, loc, b->type, node_value(f, n), b);
    }
    return n;
}

Node *parse_value(Front *f) { return node_value(f, parse_expr(f)); }
Node *parse_assign_value(Front *f) { return node_value(f, parse_assign(f)); }

i64 parse_const_int(Front *f, const char *what)
{
    CcLoc loc = f->tok->loc;
    return const_need_int(f, node_value(f, parse_cond(f)), loc, what);
}
