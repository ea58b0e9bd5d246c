// as.c: lines, labels and instructions of the assembler (as.h).
//
// The one idea: an operand that names a symbol is replaced by a number that assembles (0, or the place itself), the line
// goes to isa_assemble, and a relocation patches the word later. Local labels too: the linker resolves them all.
#include "cc/as_impl.h"

#include "base/bits.h"
#include "isa/isa.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>

enum { MAX_INSN = 250 };

SrcPos as_pos(const As *a, const char *at)
{
    u32 col = a->is_inline ? 0 : (u32)(at - a->line_start) + 1;
    return (SrcPos){a->file, a->is_inline ? a->base_line : a->line, col};
}

LkPlace as_place(const As *a) { return (LkPlace){a->file, a->is_inline ? a->base_line : a->line}; }

bool as_fail(As *a, const char *at, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    err_at(a->err, CAPLAB_EX_DATA, as_pos(a, at), a->line_start, "%s", text);
    if (a->is_inline) err_hint(a->err, "in asm(): %.*s", (int)strcspn(a->stmt, "\n;"), a->stmt);
    return false;
}

bool as_is_name_char(char c) { return isalnum((u8)c) || c == '_' || c == '.' || c == '$'; }

void as_space(As *a)
{
    for (;;) {
        if (*a->p == ' ' || *a->p == '\t' || *a->p == '\r') {
            a->p++;
        } else if (a->p[0] == '/' && a->p[1] == '*') {
            const char *end = strstr(a->p + 2, "*/");
            if (!end) end = a->p + strlen(a->p) - 2;
            for (; a->p < end + 2; a->p++)
                if (*a->p == '\n') {
                    a->line++;
                    a->line_start = a->p + 1;
                }
        } else {
            return;
        }
    }
}

bool as_at_end(const As *a)
{
    return !*a->p || *a->p == '\n' || *a->p == ';' || (a->p[0] == '/' && a->p[1] == '/');
}

bool as_take(As *a, char c)
{
    as_space(a);
    if (*a->p != c) return false;
    a->p++;
    return true;
}

bool as_word(As *a, const char **start, u32 *len)
{
    if (!as_is_name_char(*a->p) || isdigit((u8)*a->p)) return false;
    *start = a->p;
    while (as_is_name_char(*a->p)) a->p++;
    *len = (u32)(a->p - *start);
    return true;
}

u32 as_symbol(As *a, const char *name, u32 len, const char *at)
{
    return lk_symbol(a->u, arena_strndup(&a->u->arena, name, len), as_pos(a, at));
}

u64 as_here(const As *a) { return lk_section_bytes(a->section); }

u32 as_here_symbol(As *a)
{
    u32 sym = lk_local(a->u, ".Lhere", as_pos(a, a->p));
    lk_define(a->u, sym, a->section, as_here(a), 0, LK_NOTYPE, as_pos(a, a->p), a->err);
    return sym;
}

static bool define_label(As *a, const char *name, u32 len, const char *at)
{
    u32 sym;
    if (isdigit((u8)*name)) {
        u32 digit = (u32)(*name - '0');
        if (len != 1) return as_fail(a, at, "local labels are 0: to 9:");
        sym = a->numeric_next[digit];
        if (sym == LK_NO_SYMBOL) sym = lk_local(a->u, arena_printf(&a->u->arena, ".L%u", digit), as_pos(a, at));
        a->numeric[digit] = sym;
        a->numeric_next[digit] = LK_NO_SYMBOL;
    } else {
        sym = as_symbol(a, name, len, at);
    }
    LkSymbol *y = a->u->symbols.at[sym];
    y->is_asm = true;
    return lk_define(a->u, sym, a->section, as_here(a), y->size, y->type, as_pos(a, at), a->err);
}

// An operand ":lo12:sym", "sym" of a branch: what the instruction gets instead, and the relocation.
typedef struct SymOperand {
    bool is_used;
    LkRelocKind kind;
    AsValue value;
    const char *at;
} SymOperand;

static bool parse_operator(As *a, const char *mnemonic, u32 len, SymOperand *out)
{
    static const struct {
        const char *name;
        LkRelocKind page, low;
    } table[] = {
        {"lo12", LK_R_COUNT, LK_R_LO12},          {"got_lo12", LK_R_COUNT, LK_R_GOT_LO12},
        {"got", LK_R_GOT_PAGE, LK_R_COUNT},       {"pg_hi21", LK_R_ADRP, LK_R_COUNT},
    };
    const char *at = ++a->p, *name;
    u32 n;
    bool is_page = len == 4 && !memcmp(mnemonic, "adrp", 4);
    if (!as_word(a, &name, &n) || !as_take(a, ':')) return as_fail(a, at, ":lo12:, :got: or :got_lo12: expected");
    for (u32 i = 0; i < ARRAY_LEN(table); i++) {
        if (strlen(table[i].name) != n || memcmp(table[i].name, name, n)) continue;
        out->kind = is_page ? table[i].page : table[i].low;
        if (out->kind == LK_R_COUNT) return as_fail(a, at, ":%s: does not fit this instruction", table[i].name);
        return as_expr(a, &out->value);
    }
    return as_fail(a, at, "unknown operator ':%.*s:'", (int)n, name);
}

// The relocation of a plain label operand, by mnemonic; LK_R_COUNT: this instruction takes none.
static LkRelocKind label_kind(const char *m, u32 len)
{
    static const struct {
        const char *name;
        LkRelocKind kind;
    } table[] = {{"b", LK_R_CALL26},     {"bl", LK_R_CALL26},    {"cbz", LK_R_BRANCH19}, {"cbnz", LK_R_BRANCH19},
                 {"tbz", LK_R_BRANCH14}, {"tbnz", LK_R_BRANCH14}, {"adr", LK_R_ADR21},   {"adrp", LK_R_ADRP},
                 {"ldr", LK_R_BRANCH19}, {"ldrsw", LK_R_BRANCH19}};
    for (u32 i = 0; i < ARRAY_LEN(table); i++)
        if (strlen(table[i].name) == len && !memcmp(table[i].name, m, len)) return table[i].kind;
    static const char conds[][3] = {"eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl", "vs",
                                    "vc", "hi", "ls", "ge", "lt", "gt", "le", "al"};
    const char *cond = len == 4 && m[1] == '.' ? m + 2 : len == 3 ? m + 1 : NULL;
    for (u32 i = 0; cond && *m == 'b' && i < ARRAY_LEN(conds); i++)
        if (!memcmp(cond, conds[i], 2)) return LK_R_BRANCH19;
    return LK_R_COUNT;
}

static bool is_register(const char *s, u32 len)
{
    static const char *const names[] = {"sp", "wsp", "csp", "xzr", "wzr", "czr", "lr", "fp", "clr", "cfp", "ddc"};
    for (u32 i = 0; i < ARRAY_LEN(names); i++)
        if (strlen(names[i]) == len && !memcmp(names[i], s, len)) return true;
    if (len < 2 || len > 3 || !strchr("xwcbhsdqv", *s)) return false;
    return isdigit((u8)s[1]) && (len == 2 || isdigit((u8)s[2]));
}

// A last operand that is a label: everything but registers, immediates and brackets.
static bool looks_like_label(const As *a, u32 index)
{
    const char *p = a->p;
    if (*p == '[' || *p == '#' || *p == '=' || *p == '{') return false;
    u32 len = 0;
    while (as_is_name_char(p[len])) len++;
    if (isdigit((u8)*p)) return len == 2 && (p[1] == 'b' || p[1] == 'f'); // 1f
    return len && !(index == 0 && is_register(p, len)) && !is_register(p, len);
}

// Copies one operand to `out`, replacing what needs a symbol.
static bool copy_operand(As *a, const char *m, u32 m_len, u32 index, Buf *out, SymOperand *sym)
{
    LkRelocKind label = label_kind(m, m_len);
    as_space(a);
    if (label != LK_R_COUNT && looks_like_label(a, index)) {
        sym->at = a->p;
        sym->is_used = true;
        sym->kind = label;
        buf_printf(out, "0x0");
        return as_expr(a, &sym->value);
    }
    u32 depth = 0;
    while (!as_at_end(a) && (depth || *a->p != ',')) {
        if (*a->p == '[' || *a->p == '{') depth++;
        if ((*a->p == ']' || *a->p == '}') && depth) depth--;
        bool has_hash = *a->p == '#';
        if (*a->p == ':' || (has_hash && a->p[1] == ':')) {
            a->p += has_hash;
            sym->at = a->p;
            sym->is_used = true;
            buf_printf(out, label == LK_R_ADRP ? "0x0" : "#0");
            if (!parse_operator(a, m, m_len, sym)) return false;
        } else if (has_hash && (as_is_name_char(a->p[1]) || strchr("(-~'+", a->p[1])) && !strchr(".", a->p[1])) {
            // "#1.5" is the floating immediates' business; everything else is an expression.
            const char *q = a->p + 1;
            while (isdigit((u8)*q) || *q == '-') q++;
            if (*q == '.') {
                buf_add(out, a->p++, 1);
                continue;
            }
            i64 v;
            a->p++;
            if (!as_const(a, &v)) return false;
            buf_printf(out, "#%lld", (long long)v);
        } else if (a->p[0] == '/' && a->p[1] == '*') {
            as_space(a);
        } else {
            buf_add(out, a->p++, 1);
        }
    }
    return true;
}

// Errors of isa_assemble have columns of the rewritten line; the statement's own start is always right.
static bool assemble_word(As *a, const Buf *line, bool rewritten, const char *at, u32 *word)
{
    Err e = {0};
    if (isa_assemble(buf_text(line), a->abi == CC_PURECAP, 0, word, &e)) return true;
    if (!rewritten && e.col) at += e.col - 1;
    as_fail(a, at, "%s", e.text);
    Err ignored = {0};
    bool is_purecap = a->abi == CC_PURECAP;
    if (!a->is_inline && isa_assemble(buf_text(line), !is_purecap, 0, word, &ignored))
        err_hint(a->err, is_purecap ? "this is A64 syntax, for --abi hybrid" : "this is C64 syntax, for --abi purecap");
    else if (e.hint[0] && !a->is_inline) err_hint(a->err, "%s", e.hint);
    return false;
}

static bool insn(As *a, const char *m, u32 m_len)
{
    if (!(a->section->flags & LK_EXEC)) return as_fail(a, m, "instruction in %s, which is not code", a->section->name);
    if (as_here(a) & 3) return as_fail(a, m, "instruction not 4-aligned");
    Buf line = {0};
    SymOperand sym = {0};
    buf_add(&line, m, m_len);
    bool ok = true;
    for (u32 i = 0; ok && (as_space(a), !as_at_end(a)); i++) {
        if (i && !as_take(a, ',')) {
            ok = as_fail(a, a->p, "',' expected");
            break;
        }
        buf_printf(&line, i ? ", " : " ");
        ok = copy_operand(a, m, m_len, i, &line, &sym);
    }
    if (ok && line.len > MAX_INSN) ok = as_fail(a, m, "line too long");
    u32 word = 0;
    ok = ok && assemble_word(a, &line, sym.is_used, m, &word);
    if (ok && sym.is_used) {
        if (sym.value.symbol == LK_NO_SYMBOL || sym.value.minus != LK_NO_SYMBOL)
            ok = as_fail(a, sym.at, "a symbol is needed here");
        else
            lk_reloc(a->section, as_here(a), sym.kind, sym.value.symbol, sym.value.value, as_place(a));
    }
    if (ok) {
        lk_line(a->section, as_here(a), as_place(a));
        buf_add_int(&a->section->data, word, 4);
    }
    buf_free(&line);
    return ok;
}

static bool statement(As *a)
{
    for (;;) { // labels
        as_space(a);
        if (as_at_end(a)) return true;
        const char *at = a->p, *q = at;
        while (as_is_name_char(*q)) q++;
        u32 len = (u32)(q - at);
        if (len && *q == ':') {
            a->p = q + 1;
            if (!define_label(a, at, len, at)) return false;
            continue;
        }
        if (!len || isdigit((u8)*at)) return as_fail(a, at, "label, directive or instruction expected");
        a->stmt = at;
        a->p = q;
        as_space(a);
        if (*a->p == '=' && a->p[1] != '=') {
            a->p++;
            return as_set(a, at, len);
        }
        return *at == '.' ? as_directive(a, at, len, at) : insn(a, at, len);
    }
}

static bool end_statement(As *a)
{
    as_space(a);
    if (!as_at_end(a)) return as_fail(a, a->p, "unexpected text after the statement");
    if (*a->p == '/') a->p += strcspn(a->p, "\n");
    if (*a->p == ';') a->p++;
    else if (*a->p == '\n') {
        a->p++;
        a->line++;
        a->line_start = a->p;
        if (*a->p == '#') a->p += strcspn(a->p, "\n");
    }
    return true;
}

static bool run(As *a, const char *text)
{
    a->p = a->line_start = a->stmt = text;
    a->line = a->base_line;
    for (u32 i = 0; i < 10; i++) a->numeric[i] = a->numeric_next[i] = LK_NO_SYMBOL;
    if (*a->p == '#') a->p += strcspn(a->p, "\n");
    bool ok = true;
    while (ok && *a->p) ok = statement(a) && end_statement(a);
    for (u32 i = 0; ok && i < 10; i++)
        if (a->numeric_next[i] != LK_NO_SYMBOL) ok = as_fail(a, a->line_start, "a branch to '%uf' has no label '%u:' behind it", i, i);
    vec_free(&a->stack);
    vec_free(&a->consts);
    return ok;
}

// Labels are local unless .globl was said; a place in code without a type is code all the same.
static void finish_symbols(LkUnit *u)
{
    for (u32 i = 0; i < u->symbols.len; i++) {
        LkSymbol *y = u->symbols.at[i];
        if (!y->is_asm) continue;
        if (!y->bind_said) y->is_global = false;
        if (y->section && !y->size && y->section->flags & LK_EXEC && y->type == LK_NOTYPE) y->is_label = true;
    }
}

bool as_file(const CcSource *source, CcAbi abi, LkUnit *u, Err *err)
{
    As a = {.u = u, .abi = abi, .err = err, .file = source->name, .base_line = 1};
    a.section = lk_section(u, ".text", LK_EXEC, 4);
    if (!run(&a, source->text)) return false;
    finish_symbols(u);
    return true;
}

bool as_text(const char *text, SrcPos pos, CcAbi abi, LkUnit *u, LkSection *s, Err *err)
{
    As a = {.u = u, .abi = abi, .err = err, .file = pos.file, .base_line = pos.line, .is_inline = true};
    a.section = s ? s : lk_section(u, ".text.asm", LK_EXEC, 4);
    if (!run(&a, text)) return false;
    finish_symbols(u);
    return true;
}
