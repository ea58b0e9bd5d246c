// pp_expr.c: the constant expressions of #if and #elif, on 64-bit integers, by precedence climbing.
#include "cc/front.h"

typedef struct Value {
    i64 v;
    bool is_unsigned;
} Value;

typedef struct IfParser {
    Front *f;
    const Token *at, *end;
    CcLoc loc;       // of the directive
    u32 n_skipped;   // > 0: inside an operand that does not count: no errors for division by zero
} IfParser;

static TokKind peek(const IfParser *p) { return p->at < p->end ? p->at->kind : TK_EOF; }
static CcLoc where(const IfParser *p) { return p->at < p->end ? p->at->loc : p->loc; }

static bool take(IfParser *p, TokKind k)
{
    if (peek(p) != k) return false;
    p->at++;
    return true;
}

static Value conditional(IfParser *p);

static Value primary(IfParser *p)
{
    Front *f = p->f;
    const Token *t = p->at;
    TypeKind kind;
    u64 v;
    if (take(p, P_LPAREN)) {
        Value inner = conditional(p);
        if (!take(p, P_RPAREN)) front_fail(f, where(p), "expected ')' in this #if");
        return inner;
    }
    if (take(p, TK_CHAR)) return (Value){lit_char(f, t, &kind), false};
    if (take(p, TK_IDENT)) return (Value){0, false};
    if (!take(p, TK_NUM)) front_fail(f, where(p), p->at < p->end ? "this cannot stand in an #if" : "this #if ends too early");
    if (!lit_integer(f, t, &v, &kind)) front_fail(f, t->loc, "#if needs integers");
    bool has_u = memchr(t->text, 'u', t->len) || memchr(t->text, 'U', t->len);
    return (Value){(i64)v, has_u || (i64)v < 0}; // every type is intmax_t or uintmax_t here
}

static Value unary(IfParser *p)
{
    front_enter(p->f, where(p));
    Value v;
    if (take(p, P_MINUS)) {
        v = unary(p);
        v.v = (i64)(0 - (u64)v.v);
    } else if (take(p, P_PLUS)) {
        v = unary(p);
    } else if (take(p, P_TILDE)) {
        v = unary(p);
        v.v = ~v.v;
    } else if (take(p, P_NOT)) {
        v = (Value){!unary(p).v, false};
    } else {
        v = primary(p);
    }
    front_leave(p->f);
    return v;
}

static u32 precedence(TokKind k)
{
    switch ((int)k) {
    case P_STAR: case P_SLASH: case P_PERCENT: return 10;
    case P_PLUS: case P_MINUS: return 9;
    case P_SHL: case P_SHR: return 8;
    case P_LT: case P_GT: case P_LE: case P_GE: return 7;
    case P_EQ: case P_NE: return 6;
    case P_AMP: return 5;
    case P_CARET: return 4;
    case P_PIPE: return 3;
    case P_ANDAND: return 2;
    case P_OROR: return 1;
    default: return 0;
    }
}

static i64 divide(IfParser *p, TokKind op, Value a, Value b, bool is_unsigned, CcLoc loc)
{
    if (b.v == 0) {
        if (!p->n_skipped) front_fail(p->f, loc, "division by zero in this #if");
        return 0;
    }
    if (is_unsigned) return (i64)(op == P_SLASH ? (u64)a.v / (u64)b.v : (u64)a.v % (u64)b.v);
    if (b.v == -1) return op == P_SLASH ? (i64)(0 - (u64)a.v) : 0;
    return op == P_SLASH ? a.v / b.v : a.v % b.v;
}

static Value shift(TokKind op, Value a, Value b)
{
    u64 n = (u64)b.v;
    if (n > 63) return (Value){op == P_SHR && a.v < 0 && !a.is_unsigned ? -1 : 0, a.is_unsigned};
    if (op == P_SHL) return (Value){(i64)((u64)a.v << n), a.is_unsigned};
    return (Value){a.is_unsigned ? (i64)((u64)a.v >> n) : a.v >> n, a.is_unsigned};
}

static Value apply(IfParser *p, TokKind op, Value a, Value b, CcLoc loc)
{
    bool u = a.is_unsigned || b.is_unsigned;
    u64 x = (u64)a.v, y = (u64)b.v;
    switch ((int)op) {
    case P_STAR: return (Value){(i64)(x * y), u};
    case P_SLASH:
    case P_PERCENT: return (Value){divide(p, op, a, b, u, loc), u};
    case P_PLUS: return (Value){(i64)(x + y), u};
    case P_MINUS: return (Value){(i64)(x - y), u};
    case P_SHL:
    case P_SHR: return shift(op, a, b);
    case P_LT: return (Value){u ? x < y : a.v < b.v, false};
    case P_GT: return (Value){u ? x > y : a.v > b.v, false};
    case P_LE: return (Value){u ? x <= y : a.v <= b.v, false};
    case P_GE: return (Value){u ? x >= y : a.v >= b.v, false};
    case P_EQ: return (Value){x == y, false};
    case P_NE: return (Value){x != y, false};
    case P_AMP: return (Value){(i64)(x & y), u};
    case P_CARET: return (Value){(i64)(x ^ y), u};
    case P_PIPE: return (Value){(i64)(x | y), u};
    case P_ANDAND: return (Value){x && y, false};
    default: return (Value){x || y, false};
    }
}

static Value binary(IfParser *p, u32 min_precedence)
{
    Value a = unary(p);
    for (;;) {
        TokKind op = peek(p);
        CcLoc loc = where(p);
        u32 level = precedence(op);
        if (!level || level < min_precedence) return a;
        p->at++;
        bool is_decided = (op == P_ANDAND && !a.v) || (op == P_OROR && a.v);
        p->n_skipped += is_decided;
        Value b = binary(p, level + 1);
        a = apply(p, op, a, b, loc);
        p->n_skipped -= is_decided;
    }
}

static Value conditional(IfParser *p)
{
    front_enter(p->f, where(p));
    Value c = binary(p, 1);
    if (take(p, P_QUEST)) {
        p->n_skipped += !c.v;
        Value a = conditional(p);
        p->n_skipped -= !c.v;
        if (!take(p, P_COLON)) front_fail(p->f, where(p), "expected ':' in this #if");
        p->n_skipped += !!c.v;
        Value b = conditional(p);
        p->n_skipped -= !!c.v;
        bool u = a.is_unsigned || b.is_unsigned;
        c = (Value){c.v ? a.v : b.v, u};
    }
    front_leave(p->f);
    return c;
}

bool pp_eval_if(Front *f, const Token *at, u32 n, CcLoc loc)
{
    if (n == 0) front_fail(f, loc, "#if without an expression");
    f->in_if = true;
    Token *line = pp_expand_list(f, at, n, &n);
    f->in_if = false;
    IfParser p = {.f = f, .at = line, .end = line + n, .loc = loc};
    Value v = conditional(&p);
    if (p.at < p.end) front_fail(f, p.at->loc, "unexpected text at the end of this #if");
    return v.v != 0;
}
