// as_expr.c: expressions of the assembler: numbers, characters, symbols, '.', + - * / % << >> & ^ | ~ and brackets.
// A value is symbol + number - symbol; two symbols of one section cancel.
#include "cc/as_impl.h"

#include <ctype.h>
#include <stdlib.h>

static bool parse_binary(As *a, int min_level, AsValue *out, u32 depth);

enum { MAX_DEPTH = 100 };

static bool is_number(AsValue v) { return v.symbol == LK_NO_SYMBOL && v.minus == LK_NO_SYMBOL; }

static bool parse_char(As *a, AsValue *out)
{
    static const char escapes[] = "n\nt\tr\r0\0\\\\''\"\"";
    a->p++;
    char c = *a->p;
    if (c == '\\') {
        a->p++;
        const char *e = NULL;
        for (u32 i = 0; i + 1 < sizeof escapes; i += 2)
            if (escapes[i] == *a->p) e = &escapes[i + 1];
        if (!e) return as_fail(a, a->p, "unknown escape");
        c = *e;
    }
    if (!*a->p || *a->p == '\n') return as_fail(a, a->p, "unfinished character");
    a->p++;
    as_take(a, '\'');
    out->value = (u8)c;
    return true;
}

static bool parse_local_label(As *a, AsValue *out)
{
    u32 digit = (u32)(a->p[0] - '0');
    bool is_back = a->p[1] == 'b';
    u32 sym = is_back ? a->numeric[digit] : a->numeric_next[digit];
    if (is_back && sym == LK_NO_SYMBOL) return as_fail(a, a->p, "no label '%u:' before this", digit);
    if (!is_back && sym == LK_NO_SYMBOL) {
        sym = a->numeric_next[digit] = lk_local(a->u, arena_printf(&a->u->arena, ".L%u", digit), as_pos(a, a->p));
    }
    a->p += 2;
    out->symbol = sym;
    return true;
}

static bool parse_primary(As *a, AsValue *out, u32 depth)
{
    *out = (AsValue){LK_NO_SYMBOL, LK_NO_SYMBOL, 0};
    if (depth > MAX_DEPTH) return as_fail(a, a->p, "expression too deep");
    as_space(a);
    const char *at = a->p;
    if (as_take(a, '(')) {
        if (!parse_binary(a, 0, out, depth + 1)) return false;
        return as_take(a, ')') || as_fail(a, a->p, "')' expected");
    }
    if (*at == '-' || *at == '~' || *at == '+') {
        a->p++;
        if (!parse_primary(a, out, depth + 1)) return false;
        if (*at != '+' && !is_number(*out)) return as_fail(a, at, "'%c' of an address", *at);
        if (*at == '-') out->value = (i64)(0 - (u64)out->value);
        if (*at == '~') out->value = ~out->value;
        return true;
    }
    if (*at == '\'') return parse_char(a, out);
    if (isdigit((u8)*at) && (at[1] == 'b' || at[1] == 'f') && !as_is_name_char(at[2])) return parse_local_label(a, out);
    if (isdigit((u8)*at)) {
        char *end;
        bool is_binary = at[0] == '0' && (at[1] == 'b' || at[1] == 'B');
        out->value = (i64)strtoull(is_binary ? at + 2 : at, &end, is_binary ? 2 : 0);
        a->p = end;
        return !as_is_name_char(*end) || as_fail(a, at, "bad number");
    }
    const char *name;
    u32 len;
    if (!as_word(a, &name, &len)) return as_fail(a, at, "expression expected");
    if (len == 1 && *name == '.') {
        out->symbol = as_here_symbol(a);
        return true;
    }
    for (u32 i = 0; i < a->consts.len; i++)
        if (strlen(a->consts.at[i].name) == len && !memcmp(a->consts.at[i].name, name, len)) {
            out->value = a->consts.at[i].value;
            return true;
        }
    out->symbol = as_symbol(a, name, len, at);
    return true;
}

typedef struct Op {
    const char *text;
    int level;
} Op;
static const Op ops[] = {{"<<", 4}, {">>", 4}, {"|", 1}, {"^", 2}, {"&", 3}, {"+", 5}, {"-", 5}, {"*", 6}, {"/", 6}, {"%", 6}};

static const Op *next_op(As *a)
{
    as_space(a);
    if (as_at_end(a)) return NULL; // "//" is no division
    for (u32 i = 0; i < ARRAY_LEN(ops); i++)
        if (!strncmp(a->p, ops[i].text, strlen(ops[i].text))) return &ops[i];
    return NULL;
}

// Symbols of one section have a known distance now.
static void cancel(As *a, AsValue *v)
{
    if (v->symbol == LK_NO_SYMBOL || v->minus == LK_NO_SYMBOL) return;
    const LkSymbol *x = a->u->symbols.at[v->symbol], *y = a->u->symbols.at[v->minus];
    if (!x->is_defined || !y->is_defined || x->section != y->section) return;
    v->value += (i64)(x->value - y->value);
    v->symbol = v->minus = LK_NO_SYMBOL;
}

static bool apply(As *a, const char *at, const Op *op, AsValue *x, AsValue y)
{
    u64 m = (u64)x->value, n = (u64)y.value;
    if (op->text[0] == '+' && (x->symbol == LK_NO_SYMBOL || y.symbol == LK_NO_SYMBOL) && y.minus == LK_NO_SYMBOL) {
        if (x->symbol == LK_NO_SYMBOL) x->symbol = y.symbol;
        x->value = (i64)(m + n);
        return true;
    }
    if (op->text[0] == '-' && y.minus == LK_NO_SYMBOL && (y.symbol == LK_NO_SYMBOL || x->minus == LK_NO_SYMBOL)) {
        if (y.symbol != LK_NO_SYMBOL) x->minus = y.symbol;
        x->value = (i64)(m - n);
        cancel(a, x);
        return true;
    }
    if (!is_number(*x) || !is_number(y)) return as_fail(a, at, "'%s' of addresses", op->text);
    switch (op->text[0]) {
    case '<': x->value = n < 64 ? (i64)(m << n) : 0; return true;
    case '>': x->value = n < 64 ? (i64)(m >> n) : 0; return true;
    case '|': x->value = (i64)(m | n); return true;
    case '^': x->value = (i64)(m ^ n); return true;
    case '&': x->value = (i64)(m & n); return true;
    case '*': x->value = (i64)(m * n); return true;
    default: break;
    }
    if (!n || (x->value == INT64_MIN && y.value == -1)) return as_fail(a, at, "division by zero or overflow");
    x->value = op->text[0] == '/' ? x->value / y.value : x->value % y.value;
    return true;
}

static bool parse_binary(As *a, int min_level, AsValue *out, u32 depth)
{
    if (!parse_primary(a, out, depth)) return false;
    const Op *op;
    while ((op = next_op(a)) && op->level > min_level) {
        const char *at = a->p;
        a->p += strlen(op->text);
        AsValue right;
        if (!parse_binary(a, op->level, &right, depth + 1)) return false;
        if (!apply(a, at, op, out, right)) return false;
    }
    return true;
}

bool as_expr(As *a, AsValue *out) { return parse_binary(a, 0, out, 0); }

bool as_const(As *a, i64 *out)
{
    const char *at = a->p;
    AsValue v;
    if (!as_expr(a, &v)) return false;
    if (!is_number(v)) return as_fail(a, at, "a number is needed here, not an address");
    *out = v.value;
    return true;
}
