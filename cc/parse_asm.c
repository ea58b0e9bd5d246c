// parse_asm.c: asm statements: text, operands with constraints, clobbers.
//
//     register long x8 asm("x8") = 64;
//     asm volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1) : "memory");
#include "cc/front.h"

enum { MAX_OPERANDS = 32 };

static void check_constraint(Front *f, const char *c, bool is_output, CcLoc loc)
{
    bool is_ok = is_output ? c[0] == '=' || c[0] == '+' : c[0] != '=' && c[0] != '+';
    const char *rest = c;
    while (*rest == '=' || *rest == '+' || *rest == '&' || *rest == '%') rest++;
    if (!*rest) is_ok = false;
    for (; *rest; rest++) is_ok &= strchr("rimwCQUIJKLMNSXgn0123456789", *rest) != NULL;
    if (!is_ok) front_fail(f, loc, "the constraint \"%s\" is not supported for an %s", c, is_output ? "output" : "input");
}

static AsmOperand operand(Front *f, bool is_output)
{
    AsmOperand o = {0};
    if (parse_accept(f, P_LBRACK)) {
        o.name = parse_ident(f, "an operand's name")->name;
        parse_expect(f, P_RBRACK, "");
    }
    CcLoc loc = f->tok->loc;
    o.constraint = parse_string_text(f, "a constraint");
    check_constraint(f, o.constraint, is_output, loc);
    parse_expect(f, P_LPAREN, "behind the constraint");
    loc = f->tok->loc;
    Node *n = parse_expr(f);
    if (n->kind == ND_VAR && n->var->kind == OBJ_LOCAL) o.reg = n->var->asm_reg;
    bool in_memory = strpbrk(o.constraint, "mQU") != NULL;
    if (is_output) node_check_modifiable(f, n, loc);
    if (in_memory) {
        if (!node_is_place(n)) front_fail(f, loc, "a memory operand must have an address");
        node_addr(f, n, loc); // it has to live in memory
        o.node = n;
    } else {
        o.node = is_output ? n : node_scalar(f, node_value(f, n), loc);
    }
    parse_expect(f, P_RPAREN, "behind the operand");
    return o;
}

static AsmOperand *operands(Front *f, bool is_output, u32 *n)
{
    AsmOperand list[MAX_OPERANDS];
    *n = 0;
    while (f->tok->kind == TK_STR || f->tok->kind == P_LBRACK) {
        if (*n == MAX_OPERANDS) front_fail(f, f->tok->loc, "too many operands");
        list[(*n)++] = operand(f, is_output);
        if (!parse_accept(f, P_COMMA)) break;
    }
    AsmOperand *copy = arena_array(f->arena, AsmOperand, *n);
    if (*n) memcpy(copy, list, *n * sizeof *copy);
    return copy;
}

static void clobbers(Front *f, AsmStmt *a)
{
    const char *list[64];
    while (f->tok->kind == TK_STR) {
        if (a->n_clobbers == ARRAY_LEN(list)) front_fail(f, f->tok->loc, "too many clobbers");
        list[a->n_clobbers++] = parse_string_text(f, "a clobber");
        if (!parse_accept(f, P_COMMA)) break;
    }
    a->clobbers = arena_array(f->arena, const char *, a->n_clobbers);
    if (a->n_clobbers) memcpy(a->clobbers, list, a->n_clobbers * sizeof *list);
}

// Behind the word asm.
AsmStmt *parse_asm(Front *f)
{
    AsmStmt *a = arena_new(f->arena, AsmStmt);
    while (f->tok->kind == K_VOLATILE || f->tok->kind == K_INLINE) {
        a->is_volatile |= f->tok->kind == K_VOLATILE;
        f->tok++;
    }
    if (f->tok->kind == K_GOTO) front_fail(f, f->tok->loc, "asm goto is not supported");
    parse_expect(f, P_LPAREN, "behind asm");
    a->text = parse_string_text(f, "assembler text");
    a->is_basic = f->tok->kind == P_RPAREN;
    if (parse_accept(f, P_COLON)) a->outputs = operands(f, true, &a->n_outputs);
    if (parse_accept(f, P_COLON)) a->inputs = operands(f, false, &a->n_inputs);
    if (parse_accept(f, P_COLON)) clobbers(f, a);
    parse_expect(f, P_RPAREN, "at the end of asm");
    parse_expect(f, P_SEMI, "behind asm");
    if (a->n_outputs == 0) a->is_volatile = true;
    return a;
}
