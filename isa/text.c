// text.c: isa_disassemble and isa_assemble. Both look through the row's aliases and the row itself; the assembler has no table of
// its own: it tries every alias and every row, and the one that got furthest before failing gives the error and the hint.
#include "isa/syntax.h"

#include <ctype.h>
#include <stdio.h>

#define MAX_FIXED 4

typedef struct Form { // a syntax of a row: its own, or an alias
    u16 row;
    bool asm_only, only_a64, only_c64;
    u8 n_tokens, n_fixed;
    const Token *token;
    struct {
        u8 field, value;
        bool is_copy; // of field `value`
    } fixed[MAX_FIXED];
} Form;

static const struct {
    IsaRow row;
    const char *syntax, *fixed, *when;
} s_aliases[] = {
#define ALIAS(row, syntax, fixed, when) {ISA_##row, syntax, fixed, #when},
#include "isa/def/alias.def"
#undef ALIAS
};
#define N_ALIASES ARRAY_LEN(s_aliases)

// The row's forms are [row] and, from first_alias on, its aliases in the order of alias.def.
static struct {
    bool is_compiled;
    Form row[ISA_ROW_COUNT], alias[N_ALIASES];
} s_text;

// A value that MOVZ or MOVN can build, which then is the preferred MOV (Arm ARM, MoveWidePreferred).
static bool is_wide(u64 v, bool is_64)
{
    u64 ones = is_64 ? ~0ULL : 0xffffffff;
    for (u32 shift = 0; shift < (is_64 ? 64 : 32); shift += 16) {
        u64 rest = ones & ~(0xffffULL << shift);
        if ((v & rest) == 0 || (v & rest) == rest) return true;
    }
    return false;
}

static bool is_preferred(u32 index, const IsaFields *f, bool c64)
{
    const bool NEVER = false;
    u32 i = 0;
#define ALIAS(row, syntax, fixed, when)                                                                      \
    if (i++ == index) return (when);
#include "isa/def/alias.def"
#undef ALIAS
    return false;
}

// "Rn=31 shift=0 Rm=Rn", and "a64" or "c64": only in that state
static void compile_fixed(Form *a, const char *p)
{
    while (*p) {
        size_t n = strcspn(p, "= ");
        if (p[n] != '=') {
            *(memcmp(p, "a64", n) == 0 ? &a->only_a64 : &a->only_c64) = true;
            p += n + strspn(p + n, " ");
            continue;
        }
        const char *value = p + n + 1;
        size_t len = strcspn(value, " ");
        CHECK(a->n_fixed < MAX_FIXED, "alias: %s", p);
        bool is_number = isdigit((unsigned char)*value);
        u32 v = 0;
        for (size_t i = 0; is_number && i < len; i++) v = v * 10 + (u32)(value[i] - '0');
        FieldId field = table_find_field(p, n);
        if (!is_number) v = table_find_field(value, len);
        CHECK(field < FIELD_COUNT && (is_number || v < FIELD_COUNT), "alias: %s", p);
        a->fixed[a->n_fixed].field = (u8)field;
        a->fixed[a->n_fixed].value = (u8)v;
        a->fixed[a->n_fixed++].is_copy = !is_number;
        p = value + len;
        p += strspn(p, " ");
    }
}

static void compile_text(void)
{
    if (s_text.is_compiled) return;
    const Table *t = table_get();
    for (u32 i = 1; i < ISA_ROW_COUNT; i++) {
        Form *r = &s_text.row[i];
        r->row = (u16)i;
        r->token = syntax_compile(t->row[i].info.syntax, &r->n_tokens);
    }
    for (u32 i = 0; i < N_ALIASES; i++) {
        Form *a = &s_text.alias[i];
        a->row = (u16)s_aliases[i].row;
        a->asm_only = strcmp(s_aliases[i].when, "NEVER") == 0;
        a->token = syntax_compile(s_aliases[i].syntax, &a->n_tokens);
        compile_fixed(a, s_aliases[i].fixed);
    }
    s_text.is_compiled = true;
}

void isa_disassemble(u32 word, bool c64, u64 pc, char *out, size_t size)
{
    CHECK(size > 0, "no room");
    compile_text();
    IsaInsn in;
    Operands o = {.c64 = c64, .pc = pc, .out = out, .size = size};
    out[0] = 0;
    if (!isa_decode(word, c64, &in)) {
        out_printf(&o, ".inst 0x%08x", word);
        return;
    }
    o.row = &table_get()->row[in.row];
    o.f = in.f;
    const Form *form = &s_text.row[in.row];
    for (u32 i = 0; i < N_ALIASES; i++) {
        if (s_text.alias[i].row != in.row || !is_preferred(i, &in.f, c64)) continue;
        form = &s_text.alias[i];
        break;
    }
    syntax_print(&o, form->token, form->n_tokens);
}

// ---- assembling

typedef struct Attempt {
    const char *line;
    bool c64;
    u64 pc;
    // the failure that got furthest
    const char *at, *why;
    const Form *form;
} Attempt;

// Fields that no operand writes because they follow from others.
static void derive_fields(Operands *o)
{
    u8 guard = o->row->guard;
    if (guard == ISA_GUARD_BITFIELD || guard == ISA_GUARD_EXTR) o->f.N = o->f.sf;
    if (guard == ISA_GUARD_DUP && !(o->known >> FIELD_imm5 & 1) && o->element >= 0) o->f.imm5 = 1U << o->element; // DUP from X or W
    if (guard == ISA_GUARD_SHIFT_VN && !(o->known >> FIELD_immhb & 1) && o->element >= 0) o->f.immhb = 8U << o->element; // SXTL, UXTL
    if (guard == ISA_GUARD_CRC) o->f.sf = o->f.sz2 == 3;
}

static bool try_form(Attempt *a, const Form *form, u32 *word)
{
    if (a->c64 ? form->only_a64 : form->only_c64) return false;
    const Token *first = form->token;
    if (first->kind == OPERAND_TEXT) { // nearly all others end here
        size_t n = 0;
        while (n < first->len && first->text[n] != ' ') n++;
        if (strncmp(a->line, first->text, n) != 0) return false;
    }
    Operands o = {.row = &table_get()->row[form->row], .c64 = a->c64, .pc = a->pc, .p = a->line, .element = -1};
    for (u32 i = 0; i < form->n_fixed; i++)
        if (!form->fixed[i].is_copy) set_field(&o, form->fixed[i].field, form->fixed[i].value);
    bool ok = syntax_parse(&o, form->token, form->n_tokens);
    if (ok) {
        for (u32 i = 0; i < form->n_fixed; i++)
            if (form->fixed[i].is_copy) *field_ref(&o.f, form->fixed[i].field) = field_get(&o.f, form->fixed[i].value);
        derive_fields(&o);
        u32 w = table_word(o.row, &o.f);
        ok = table_guard(o.row->guard, w);
        if (ok) {
            *word = w;
            return true;
        }
        o.p = a->line + strcspn(a->line, " \t");
        o.why = "operands that are not reserved";
    }
    // Only forms of this mnemonic count: they have got past it.
    if ((!a->at || o.p > a->at) && o.p > a->line) {
        a->at = o.p;
        a->why = o.why;
        a->form = form;
    }
    return false;
}

static bool assemble(Attempt *a, u32 *word)
{
    for (u32 i = 0; i < N_ALIASES; i++)
        if (!s_text.alias[i].asm_only && try_form(a, &s_text.alias[i], word)) return true;
    for (u32 i = 1; i < ISA_ROW_COUNT; i++)
        if (try_form(a, &s_text.row[i], word)) return true;
    for (u32 i = 0; i < N_ALIASES; i++)
        if (s_text.alias[i].asm_only && try_form(a, &s_text.alias[i], word)) return true;
    // ".inst 0x…" is what UNDEFINED words print as
    Operands o = {.p = a->line};
    i64 v;
    if (take_word(&o, ".inst") && parse_int(&o, &v) && (skip_blanks(&o), *o.p == 0) && v >= 0 && v >> 32 == 0) {
        *word = (u32)v;
        return true;
    }
    return false;
}

// How many letters two mnemonics share from the start, less what is left over: for "did you mean".
static int likeness(const char *a, size_t n, const char *b)
{
    size_t i = 0, m = strcspn(b, " {");
    while (i < n && i < m && a[i] == b[i]) i++;
    return (int)(2 * i) - (int)(n > m ? n - m : m - n);
}

static const char *nearest_mnemonic(const char *line, size_t n)
{
    const char *best = NULL;
    int score = 2;
    for (u32 i = 0; i < N_ALIASES + ISA_ROW_COUNT - 1; i++) {
        const char *s = i < N_ALIASES ? s_aliases[i].syntax : table_get()->row[i - N_ALIASES + 1].info.syntax;
        int k = likeness(line, n, s);
        if (*s != '{' && k > score) score = k, best = s;
    }
    return best;
}

bool isa_assemble(const char *line, bool c64, u64 pc, u32 *word, Err *err)
{
    compile_text();
    char text[256];
    size_t skip = strspn(line, " \t"), n = strlen(line + skip);
    if (n >= sizeof text) return err_at(err, CAPLAB_EX_DATA, (SrcPos){0}, line, "line of more than %zu characters", sizeof text - 1);
    for (size_t i = 0; i <= n; i++) text[i] = (char)tolower((unsigned char)line[skip + i]);
    while (n > 0 && isspace((unsigned char)text[n - 1])) text[--n] = 0;

    Attempt a = {.line = text, .c64 = c64, .pc = pc};
    if (assemble(&a, word)) return true;

    size_t mnemonic = strcspn(text, " \t");
    if (!a.at || (size_t)(a.at - text) < mnemonic) {
        const char *near = nearest_mnemonic(text, mnemonic);
        err_at(err, CAPLAB_EX_DATA, (SrcPos){NULL, 1, (u32)skip + 1}, line, "unknown instruction '%.*s'", (int)(mnemonic > 40 ? 40 : mnemonic), text);
        if (near) err_hint(err, "nearest: %.*s", (int)strcspn(near, " "), near);
        return false;
    }
    char form[128];
    syntax_describe(a.form->token, a.form->n_tokens, form, sizeof form);
    err_at(err, CAPLAB_EX_DATA, (SrcPos){NULL, 1, (u32)(skip + (size_t)(a.at - text)) + 1}, line, "expected %s", a.why ? a.why : "something else");
    err_hint(err, "nearest valid form: %s", form);
    return false;
}
