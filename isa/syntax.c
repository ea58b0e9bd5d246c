// syntax.c: cuts syntax strings into tokens, and walks them to print or to parse. See syntax.h.
#include "isa/syntax.h"

#include "base/arena.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct Kind {
    const char *name, *form;
    void (*print)(Operands *o);
    bool (*parse)(Operands *o);
} Kind;

#define OPERAND(id, name, form)                                                                              \
    void print_##id(Operands *o);                                                                            \
    bool parse_##id(Operands *o);
#include "isa/def/operands.def"
#undef OPERAND

static const Kind s_kinds[OPERAND_COUNT] = {
#define OPERAND(id, name, form) [OPERAND_##id] = {name, form, print_##id, parse_##id},
#include "isa/def/operands.def"
#undef OPERAND
};

// Role letters of registers: {Rt2} is register class R in field Rt2.
static const struct {
    const char *role;
    FieldId field;
} s_roles[] = {{"t2", FIELD_Rt2}, {"d", FIELD_Rd}, {"n", FIELD_Rn}, {"m", FIELD_Rm},
               {"t", FIELD_Rt},   {"a", FIELD_Ra}, {"s", FIELD_Rs}};

static const struct {
    const char *text;
    RegQual qual;
} s_quals[] = {
    {"", QUAL_NONE},         {":ext", QUAL_EXT}, {":extr", QUAL_EXTR},     {":w32", QUAL_W32},     {":size", QUAL_SIZE},   {":b5", QUAL_B5},
    {":Q", QUAL_Q},          {":e5", QUAL_E5},       {":opc", QUAL_OPC},     {":vsz", QUAL_VSZ},     {":vsize", QUAL_VSIZE},
    {":size1", QUAL_SIZE1},  {":size2", QUAL_SIZE2}, {".q8", QUAL_DOT_Q8},   {".qs", QUAL_DOT_QS},   {".q5", QUAL_DOT_Q5},
    {".q4", QUAL_DOT_Q4},    {".q2", QUAL_DOT_Q2},   {".e5", QUAL_DOT_E5},   {".e4", QUAL_DOT_E4},   {".ws", QUAL_DOT_WS},
    {".ql", QUAL_DOT_QL},    {".qh", QUAL_DOT_QH},    {".wh", QUAL_DOT_WH},   {".es", QUAL_DOT_ES},   {".eb", QUAL_DOT_EB},
};

static bool is_span(const char *s, size_t n, const char *text) { return strlen(text) == n && memcmp(s, text, n) == 0; }

// "Rd|SP", "Cm|CSP", "Rs+1", "Vd.q8", "Rm:ext"
static bool compile_reg(const char *s, size_t n, Token *t)
{
    *t = (Token){.text = s, .len = (u8)n, .kind = OPERAND_REG, .cls = s[0]};
    const char *p = s + 1, *end = s + n;
    for (size_t i = 0;; i++) {
        if (i == ARRAY_LEN(s_roles)) return false;
        size_t k = strlen(s_roles[i].role);
        if ((size_t)(end - p) < k || memcmp(p, s_roles[i].role, k) != 0) continue;
        t->field = (u8)s_roles[i].field;
        p += k;
        break;
    }
    if (t->cls == 'B' && t->field == FIELD_Rt) t->cls = 'b'; // {Bt} is the byte register, {Bn} a base
    t->sp = (t->cls == 'B' || t->cls == 'A');
    if (is_span(p, (size_t)(end - p), "|SP") || is_span(p, (size_t)(end - p), "|CSP")) {
        t->sp = true;
        return true;
    }
    if (is_span(p, (size_t)(end - p), "+1")) {
        t->plus = 1;
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(s_quals); i++) {
        if (!is_span(p, (size_t)(end - p), s_quals[i].text)) continue;
        t->qual = (u8)s_quals[i].qual;
        return true;
    }
    return false;
}

static Token compile_operand(const char *s, size_t n)
{
    Token t = {.text = s, .len = (u8)n};
    for (u32 k = OPERAND_REG + 1; k < OPERAND_COUNT; k++) {
        if (!is_span(s, n, s_kinds[k].name)) continue;
        t.kind = (u8)k;
        return t;
    }
    CHECK(compile_reg(s, n, &t), "unknown operand {%.*s}", (int)n, s);
    return t;
}

const Token *syntax_compile(const char *syntax, u8 *n)
{
    static Arena arena; // for the table's life, which is the program's
    Token t[24];
    u32 count = 0;
    for (const char *p = syntax; *p;) {
        CHECK(count < ARRAY_LEN(t), "long syntax \"%s\"", syntax);
        if (*p == '{') {
            size_t len = strcspn(p, "}");
            t[count++] = compile_operand(p + 1, len - 1);
            p += len + 1;
        } else {
            size_t len = strcspn(p, "{");
            t[count++] = (Token){.text = p, .len = (u8)len, .kind = OPERAND_TEXT};
            p += len;
        }
    }
    Token *copy = arena_alloc(&arena, count * sizeof *copy);
    memcpy(copy, t, count * sizeof *copy);
    *n = (u8)count;
    return copy;
}

void out_printf(Operands *o, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(o->out + o->len, o->size - o->len, fmt, ap);
    va_end(ap);
    o->len += (size_t)n;
    if (o->len >= o->size) o->len = o->size - 1;
}

void syntax_print(Operands *o, const Token *t, u32 n)
{
    for (u32 i = 0; i < n; i++, t++) {
        if (t->kind == OPERAND_TEXT)
            out_printf(o, "%.*s", t->len, t->text);
        else if (t->kind == OPERAND_REG)
            print_reg(o, t);
        else
            s_kinds[t->kind].print(o);
    }
}

// "Rt" of "Rt:w32}, …"
static size_t role_len(const Token *t)
{
    size_t n = strcspn(t->text + 1, ":.+|}");
    return n < t->len ? n : t->len;
}

void syntax_describe(const Token *t, u32 n, char *out, size_t size)
{
    Operands o = {.out = out, .size = size};
    out[0] = 0;
    for (u32 i = 0; i < n; i++, t++) {
        if (t->kind == OPERAND_TEXT)
            out_printf(&o, "%.*s", t->len, t->text);
        else if (t->kind == OPERAND_REG)
            out_printf(&o, "<%c%.*s%s>", toupper(t->cls), (int)role_len(t), t->text + 1, t->sp ? "|SP" : "");
        else
            out_printf(&o, "%s", s_kinds[t->kind].form);
    }
}

bool fail(Operands *o, const char *why)
{
    if (!o->why) o->why = why;
    return false;
}

bool set_field(Operands *o, FieldId id, u32 v)
{
    if (v >> table_field_width(id)) return fail(o, "a smaller number");
    u32 *f = field_ref(&o->f, id);
    if (o->known >> id & 1 && *f != v) return fail(o, "an operand that agrees with the others");
    *f = v;
    o->known |= (u128)1 << id;
    return true;
}

void skip_blanks(Operands *o)
{
    while (*o->p == ' ' || *o->p == '\t') o->p++;
}

bool take(Operands *o, const char *text)
{
    const char *p = o->p;
    for (; *text; text++) {
        while (*p == ' ' || *p == '\t') p++;
        if (*p != *text) return false;
        p++;
    }
    o->p = p;
    return true;
}

static bool is_word_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

bool take_word(Operands *o, const char *word)
{
    skip_blanks(o);
    size_t n = strlen(word);
    if (strncmp(o->p, word, n) != 0 || is_word_char(o->p[n])) return false;
    o->p += n;
    return true;
}

bool parse_int(Operands *o, i64 *v)
{
    skip_blanks(o);
    const char *p = o->p;
    if (*p == '#') p++;
    bool minus = *p == '-';
    if (*p == '-' || *p == '+') p++;
    if (!isdigit((unsigned char)*p)) return fail(o, "a number");
    u64 n = 0, base = 10;
    if (p[0] == '0' && p[1] == 'x') base = 16, p += 2;
    for (; isxdigit((unsigned char)*p); p++) {
        u64 d = (u64)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
        if (d >= base) break;
        if (n > (~0ULL - d) / base) return fail(o, "a smaller number");
        n = n * base + d;
    }
    if (is_word_char(*p)) return fail(o, "a number");
    o->p = p;
    *v = (i64)(minus ? 0 - n : n);
    return true;
}

// Text of the syntax: blanks in it match any blanks, but the one after the mnemonic must be there.
static bool parse_text(Operands *o, const Token *t, bool *in_mnemonic)
{
    for (u32 i = 0; i < t->len; i++) {
        char c = t->text[i];
        if (c == ' ') {
            if (*in_mnemonic && *o->p != ' ' && *o->p != '\t') return fail(o, "the end of the mnemonic");
            *in_mnemonic = false;
            skip_blanks(o);
            continue;
        }
        if (!*in_mnemonic) skip_blanks(o);
        if (*o->p != c) return fail(o, c == ',' ? "','" : c == ']' ? "']'" : c == '[' ? "'['" : "another form");
        o->p++;
    }
    return true;
}

bool syntax_parse(Operands *o, const Token *t, u32 n)
{
    bool in_mnemonic = true;
    for (u32 i = 0; i < n; i++, t++) {
        bool ok;
        if (t->kind == OPERAND_TEXT) {
            ok = parse_text(o, t, &in_mnemonic);
        } else {
            if (!in_mnemonic) skip_blanks(o);
            ok = t->kind == OPERAND_REG ? parse_reg(o, t) : s_kinds[t->kind].parse(o);
        }
        if (!ok) return false;
    }
    if (in_mnemonic && is_word_char(*o->p)) return fail(o, "the end of the mnemonic");
    skip_blanks(o);
    return *o->p ? fail(o, "the end of the line") : true;
}
