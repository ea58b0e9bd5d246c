// parse_stmt.c: statements and function bodies. Each statement is pushed onto f->stmts; a block takes its own from there.
#include "cc/front.h"

#include <stdlib.h>

typedef struct CaseItem {
    struct CaseItem *next;
    Case value;
    CcLoc loc;
} CaseItem;

typedef struct SwitchState {
    struct Loop *loop;
    Type *type; // of the condition
    CaseItem *cases, **tail;
    u32 n;
} SwitchState;

static void push(Front *f, Node *n) { vec_push(&f->stmts, n); }

static Node *statement_node(Front *f, NodeKind kind, CcLoc loc, Node *lhs)
{
    return node_new(f, kind, loc, NULL, lhs, NULL);
}

// ---- Labels -----------------------------------------------------------------------------------------------------------------

Label *parse_new_label(Front *f, const char *name, CcLoc loc)
{
    Label *l = arena_new(f->arena, Label);
    *l = (Label){.name = name, .loc = loc};
    *f->labels_tail = l;
    f->labels_tail = &l->next;
    return l;
}

Label *parse_label_ref(Front *f, Ident *id, CcLoc loc)
{
    if (id->label_fn != f->fn_number) {
        id->label = parse_new_label(f, id->name, loc);
        id->label_fn = f->fn_number;
    }
    return id->label;
}

static void push_label(Front *f, Label *l, CcLoc loc)
{
    Node *n = statement_node(f, ND_LABEL, loc, NULL);
    n->label = l;
    push(f, n);
}

static void push_goto(Front *f, Label *l, CcLoc loc)
{
    Node *n = statement_node(f, ND_GOTO, loc, NULL);
    n->label = l;
    push(f, n);
}

static void define_label(Front *f)
{
    Token *t = f->tok;
    f->tok += 2;
    Label *l = parse_label_ref(f, t->id, t->loc);
    if (l->is_defined) front_fail(f, t->loc, "the label '%s' is defined already (line %u)", l->name, l->loc.line);
    l->is_defined = true;
    l->loc = t->loc;
    Attrs ignored = {0};
    if (f->tok->kind == K_ATTRIBUTE) parse_attributes(f, &ignored);
    push_label(f, l, t->loc);
}

// ---- Parts ------------------------------------------------------------------------------------------------------------------

// A statement as one node, in a scope of its own.
static Node *sub_statement(Front *f)
{
    CcLoc loc = f->tok->loc;
    u32 from = f->stmts.len;
    scope_enter(f);
    parse_statement(f);
    scope_leave(f);
    if (f->stmts.len == from + 1) return f->stmts.at[--f->stmts.len];
    return node_block(f, loc, from);
}

static Node *condition(Front *f)
{
    CcLoc loc = f->tok->loc;
    return node_scalar(f, parse_value(f), loc);
}

static Node *paren_condition(Front *f, const char *behind)
{
    parse_expect(f, P_LPAREN, behind);
    Node *n = condition(f);
    parse_expect(f, P_RPAREN, "behind the condition");
    return n;
}

static struct Loop *new_loop(Front *f, CcLoc loc, bool is_switch)
{
    struct Loop *l = arena_new(f->arena, struct Loop);
    l->brk = parse_new_label(f, NULL, loc);
    if (!is_switch) l->cont = parse_new_label(f, NULL, loc);
    return l;
}

static void loop_body(Front *f, struct Loop *l)
{
    struct Loop *outer = f->loop, *outer_breaks = f->breaks;
    f->loop = f->breaks = l;
    l->body = sub_statement(f);
    f->loop = outer;
    f->breaks = outer_breaks;
}

static void push_loop(Front *f, NodeKind kind, CcLoc loc, struct Loop *l)
{
    Node *n = statement_node(f, kind, loc, NULL);
    n->loop = l;
    node_depth(f, n, l->body);
    node_depth(f, n, l->cond);
    node_depth(f, n, l->step);
    push(f, n);
}

// ---- Statements -------------------------------------------------------------------------------------------------------------

// if … else if … else …: a chain is read by a loop, then linked from its end.
static void if_statement(Front *f)
{
    u32 from = f->stmts.len;
    Node *last_else = NULL;
    for (;;) {
        CcLoc loc = f->tok++->loc;
        Node *n = statement_node(f, ND_IF, loc, NULL);
        n->cond = paren_condition(f, "behind 'if'");
        n->then_ = sub_statement(f);
        push(f, n);
        if (!parse_accept(f, K_ELSE)) break;
        if (f->tok->kind == K_IF) continue;
        last_else = sub_statement(f);
        break;
    }
    while (f->stmts.len > from) {
        Node *n = f->stmts.at[--f->stmts.len];
        n->else_ = last_else;
        node_depth(f, n, n->cond);
        node_depth(f, n, n->then_);
        node_depth(f, n, n->else_);
        last_else = n;
    }
    push(f, last_else);
}

static void while_statement(Front *f, CcLoc loc)
{
    struct Loop *l = new_loop(f, loc, false);
    l->cond = paren_condition(f, "behind 'while'");
    loop_body(f, l);
    push_loop(f, ND_LOOP, loc, l);
}

static void do_statement(Front *f, CcLoc loc)
{
    struct Loop *l = new_loop(f, loc, false);
    loop_body(f, l);
    parse_expect(f, K_WHILE, "behind the body of 'do'");
    l->cond = paren_condition(f, "behind 'while'");
    parse_expect(f, P_SEMI, "behind 'do … while (…)'");
    push_loop(f, ND_DO, loc, l);
}

static void push_expr(Front *f, Node *n, CcLoc loc)
{
    push(f, statement_node(f, ND_EXPR, loc, n));
}

static void for_statement(Front *f, CcLoc loc)
{
    u32 from = f->stmts.len;
    struct Loop *l = new_loop(f, loc, false);
    parse_expect(f, P_LPAREN, "behind 'for'");
    scope_enter(f);
    if (parse_is_type(f, f->tok)) {
        parse_declaration(f);
    } else {
        CcLoc at = f->tok->loc;
        if (f->tok->kind != P_SEMI) push_expr(f, parse_value(f), at);
        parse_expect(f, P_SEMI, "behind the first part of 'for'");
    }
    if (f->tok->kind != P_SEMI) l->cond = condition(f);
    parse_expect(f, P_SEMI, "behind the condition of 'for'");
    if (f->tok->kind != P_RPAREN) l->step = parse_value(f);
    parse_expect(f, P_RPAREN, "behind the last part of 'for'");
    loop_body(f, l);
    scope_leave(f);
    push_loop(f, ND_LOOP, loc, l);
    if (f->stmts.len > from + 1) push(f, node_block(f, loc, from));
}

// ---- switch -----------------------------------------------------------------------------------------------------------------

static int by_value(const void *a, const void *b)
{
    const CaseItem *x = *(const CaseItem *const *)a, *y = *(const CaseItem *const *)b;
    return x->value.lo < y->value.lo ? -1 : x->value.lo > y->value.lo;
}

static int by_unsigned_value(const void *a, const void *b)
{
    const CaseItem *x = *(const CaseItem *const *)a, *y = *(const CaseItem *const *)b;
    return (u64)x->value.lo < (u64)y->value.lo ? -1 : (u64)x->value.lo > (u64)y->value.lo;
}

static void finish_cases(Front *f, SwitchState *s)
{
    struct Loop *l = s->loop;
    l->cases = arena_array(f->arena, Case, s->n);
    CaseItem **sorted = arena_array(f->arena, CaseItem *, s->n);
    for (CaseItem *c = s->cases; c; c = c->next) {
        sorted[l->n_cases] = c;
        l->cases[l->n_cases++] = c->value;
    }
    bool is_unsigned = s->type->is_unsigned;
    qsort(sorted, s->n, sizeof *sorted, is_unsigned ? by_unsigned_value : by_value);
    for (u32 i = 1; i < s->n; i++) {
        i64 hi = sorted[i - 1]->value.hi, lo = sorted[i]->value.lo;
        if (is_unsigned ? (u64)hi < (u64)lo : hi < lo) continue;
        CcLoc a = sorted[i - 1]->loc, b = sorted[i]->loc;
        bool b_is_later = b.line > a.line || (b.line == a.line && b.col > a.col);
        front_fail(f, b_is_later ? b : a, "a second case for the value %lld", (long long)lo);
    }
}

static void switch_statement(Front *f, CcLoc loc)
{
    struct Loop *l = new_loop(f, loc, true);
    parse_expect(f, P_LPAREN, "behind 'switch'");
    Node *cond = parse_value(f);
    if (!type_is_integer(cond->type)) front_fail(f, loc, "switch needs an integer, not '%s'", type_text(f->arena, cond->type));
    cond = node_promote(f, cond);
    if (type_is_intcap(cond->type)) cond = node_cast(f, cond, f->types[cond->type->is_unsigned ? TY_ULONG : TY_LONG], loc);
    l->cond = cond;
    parse_expect(f, P_RPAREN, "behind the value of 'switch'");
    SwitchState s = {.loop = l, .type = cond->type}, *outer = f->switch_;
    struct Loop *outer_breaks = f->breaks;
    s.tail = &s.cases;
    f->switch_ = &s;
    f->breaks = l;
    l->body = sub_statement(f);
    f->switch_ = outer;
    f->breaks = outer_breaks;
    finish_cases(f, &s);
    push_loop(f, ND_SWITCH, loc, l);
}

static void case_label(Front *f, CcLoc loc)
{
    SwitchState *s = f->switch_;
    if (!s) front_fail(f, loc, "'case' outside a switch");
    CaseItem *c = arena_new(f->arena, CaseItem);
    i64 lo = const_wrap(s->type, parse_const_int(f, "'case'")), hi = lo;
    if (parse_accept(f, P_ELLIPSIS)) hi = const_wrap(s->type, parse_const_int(f, "'case'"));
    parse_expect(f, P_COLON, "behind 'case'");
    if (s->type->is_unsigned ? (u64)hi < (u64)lo : hi < lo) front_fail(f, loc, "this range of values is empty");
    *c = (CaseItem){.value = {lo, hi, parse_new_label(f, NULL, loc)}, .loc = loc};
    *s->tail = c;
    s->tail = &c->next;
    s->n++;
    push_label(f, c->value.label, loc);
}

static void default_label(Front *f, CcLoc loc)
{
    SwitchState *s = f->switch_;
    parse_expect(f, P_COLON, "behind 'default'");
    if (!s) front_fail(f, loc, "'default' outside a switch");
    if (s->loop->default_) front_fail(f, loc, "a second 'default' in one switch");
    s->loop->default_ = parse_new_label(f, NULL, loc);
    push_label(f, s->loop->default_, loc);
}

// ---- Jumps ------------------------------------------------------------------------------------------------------------------

static void goto_statement(Front *f, CcLoc loc)
{
    if (parse_accept(f, P_STAR)) {
        Type *any = type_ptr(f, type_qualify(f, f->types[TY_VOID], true, false));
        Node *target = node_convert(f, parse_value(f), any, loc, "goto *");
        push(f, statement_node(f, ND_GOTO_PTR, loc, target));
    } else {
        CcLoc name_loc = f->tok->loc;
        push_goto(f, parse_label_ref(f, parse_ident(f, "a label"), name_loc), loc);
    }
    parse_expect(f, P_SEMI, "behind 'goto'");
}

static void return_statement(Front *f, CcLoc loc)
{
    Type *type = f->fn->type->base;
    Node *value = NULL;
    if (f->tok->kind != P_SEMI) {
        value = parse_value(f);
        if (type->kind == TY_VOID) {
            if (value->type->kind != TY_VOID) front_fail(f, loc, "'%s' is void and cannot return a value", f->fn->name);
            push_expr(f, value, loc);
            value = NULL;
        } else {
            value = node_convert(f, value, type->unqual, loc, "return");
        }
    } else if (type->kind != TY_VOID) {
        front_fail(f, loc, "'%s' must return a value of type '%s'", f->fn->name, type_text(f->arena, type));
    }
    parse_expect(f, P_SEMI, "behind 'return'");
    push(f, statement_node(f, ND_RETURN, loc, value));
}

static void jump_out(Front *f, const struct Loop *l, bool is_break, CcLoc loc)
{
    if (!l) front_fail(f, loc, is_break ? "'break' outside a loop or switch" : "'continue' outside a loop");
    parse_expect(f, P_SEMI, is_break ? "behind 'break'" : "behind 'continue'");
    push_goto(f, is_break ? l->brk : l->cont, loc);
}

// ---- Dispatch ---------------------------------------------------------------------------------------------------------------

// Labels before a statement (or, since C23, at the end of a block).
static bool labels(Front *f)
{
    Token *t = f->tok;
    if (t->kind == TK_IDENT && t[1].kind == P_COLON) {
        define_label(f);
    } else if (t->kind == K_CASE) {
        f->tok++;
        case_label(f, t->loc);
    } else if (t->kind == K_DEFAULT) {
        f->tok++;
        default_label(f, t->loc);
    } else {
        return false;
    }
    return true;
}

static void asm_statement(Front *f, CcLoc loc)
{
    AsmStmt *a = parse_asm(f);
    Node *n = statement_node(f, ND_ASM, loc, NULL);
    n->asm_ = a;
    for (u32 i = 0; i < a->n_outputs; i++) node_depth(f, n, a->outputs[i].node);
    for (u32 i = 0; i < a->n_inputs; i++) node_depth(f, n, a->inputs[i].node);
    push(f, n);
}

static void expression_statement(Front *f)
{
    CcLoc loc = f->tok->loc;
    Node *n = parse_value(f);
    parse_expect(f, P_SEMI, "behind this expression");
    push_expr(f, n, loc);
}

static void plain_statement(Front *f)
{
    Token *t = f->tok;
    switch ((int)t->kind) {
    case P_SEMI: f->tok++; return;
    case P_LBRACE: push(f, parse_compound(f)); return;
    case K_IF: if_statement(f); return;
    case K_WHILE: f->tok++; while_statement(f, t->loc); return;
    case K_DO: f->tok++; do_statement(f, t->loc); return;
    case K_FOR: f->tok++; for_statement(f, t->loc); return;
    case K_SWITCH: f->tok++; switch_statement(f, t->loc); return;
    case K_GOTO: f->tok++; goto_statement(f, t->loc); return;
    case K_RETURN: f->tok++; return_statement(f, t->loc); return;
    case K_BREAK: f->tok++; jump_out(f, f->breaks, true, t->loc); return;
    case K_CONTINUE: f->tok++; jump_out(f, f->loop, false, t->loc); return;
    case K_ASM: f->tok++; asm_statement(f, t->loc); return;
    default: expression_statement(f); return;
    }
}

static bool starts_declaration(const Front *f)
{
    const Token *t = f->tok;
    while (t->kind == K_EXTENSION) t++;
    if (t->kind == K_ATTRIBUTE) { // __attribute__((fallthrough));
        const Token *p = t + 1;
        u32 depth = 0;
        for (; p->kind != TK_EOF; p++) {
            if (p->kind == P_LPAREN) depth++;
            if (p->kind == P_RPAREN && --depth == 0) break;
        }
        if (p->kind == P_RPAREN && p[1].kind == P_SEMI) return false;
    }
    return parse_is_type(f, t) && !(t->kind == TK_IDENT && t[1].kind == P_COLON);
}

void parse_statement(Front *f)
{
    front_enter(f, f->tok->loc);
    while (labels(f)) continue;
    if (f->tok->kind == K_ATTRIBUTE && !starts_declaration(f)) {
        Attrs ignored = {0};
        parse_attributes(f, &ignored);
    }
    if (f->tok->kind == P_RBRACE) { /* a label at the end of a block */
    } else if (starts_declaration(f)) {
        front_fail(f, f->tok->loc, "a declaration cannot stand here; put it into braces");
    } else {
        plain_statement(f);
    }
    front_leave(f);
}

static void block_items(Front *f)
{
    while (f->tok->kind != P_RBRACE) {
        if (f->tok->kind == TK_EOF) parse_unexpected(f, "'}'");
        if (starts_declaration(f)) parse_declaration(f);
        else if (labels(f)) continue;
        else parse_statement(f);
    }
    f->tok++;
}

Node *parse_compound(Front *f)
{
    CcLoc loc = f->tok->loc;
    parse_expect(f, P_LBRACE, "");
    front_enter(f, loc);
    u32 from = f->stmts.len;
    scope_enter(f);
    block_items(f);
    scope_leave(f);
    front_leave(f);
    return node_block(f, loc, from);
}

// ---- Function bodies ----------------------------------------------------------------------------------------------------------

static void bind_params(Front *f, Obj *fn, Declarator *d)
{
    fn->params = d->params;
    for (u32 i = 0; i < d->n_params; i++) {
        Obj *p = d->params[i];
        if (!p->name) {
            p->name = arena_printf(f->arena, ".p%u", i);
        } else {
            Ident *id = lex_intern(f, p->name, (u32)strlen(p->name));
            scope_bind(f, BIND_OBJ, id, p->loc)->obj = p;
        }
        if (p->type->is_incomplete || p->type->kind == TY_VOID)
            front_fail(f, p->loc, "the parameter '%s' has the incomplete type '%s'", p->name, type_text(f->arena, p->type));
    }
}

static void check_labels(Front *f, const Obj *fn)
{
    for (const Label *l = fn->labels; l; l = l->next)
        if (l->name && !l->is_defined) front_fail(f, l->loc, "the label '%s' is not defined in '%s'", l->name, fn->name);
}

static Obj **copy_objs(Front *f, Obj *const *at, u32 n)
{
    Obj **copy = arena_array(f->arena, Obj *, n);
    if (n) memcpy(copy, at, n * sizeof *copy);
    return copy;
}

void parse_function_body(Front *f, Obj *fn, Declarator *d)
{
    f->fn = fn;
    f->fn_number++;
    f->locals.len = f->refs.len = 0;
    f->labels_tail = &fn->labels;
    CcLoc loc = f->tok->loc;
    u32 from = f->stmts.len;
    parse_expect(f, P_LBRACE, "");
    scope_enter(f);
    bind_params(f, fn, d);
    block_items(f);
    scope_leave(f);
    if (strcmp(fn->name, "main") == 0 && type_is_integer(fn->type->base)) {
        Node *zero = node_num(f, f->tok[-1].loc, fn->type->base->unqual, 0);
        push(f, statement_node(f, ND_RETURN, zero->loc, zero));
    }
    fn->body = node_block(f, loc, from);
    check_labels(f, fn);
    fn->locals = copy_objs(f, f->locals.at, f->locals.len);
    fn->n_locals = f->locals.len;
    fn->refs = copy_objs(f, f->refs.at, f->refs.len);
    fn->n_refs = f->refs.len;
    f->fn = NULL;
}
