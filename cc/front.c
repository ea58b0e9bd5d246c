// front.c: the entry points of the front end: cc_parse (source to typed tree) and cc_preprocess (source to text).
#include "cc/front.h"

#include <stdlib.h>

static void start(Front *f, const CcOptions *opt, Arena *arena, Err *err)
{
    *f = (Front){.opt = opt, .arena = arena, .err = err, .is_purecap = opt->abi == CC_PURECAP};
    f->unit = arena_new(arena, CcUnit);
    f->unit->opt = opt;
    f->objs_tail = &f->unit->objs;
    f->arg_tokens.cap = 256; // never NULL: slices of it are taken while it is empty
    f->arg_tokens.at = xalloc(f->arg_tokens.cap * sizeof *f->arg_tokens.at);
    f->id_defined = lex_intern(f, "defined", 7);
    f->id_va_args = lex_intern(f, "__VA_ARGS__", 11);
    f->id_va_opt = lex_intern(f, "__VA_OPT__", 10);
    f->id_pragma = lex_intern(f, "_Pragma", 7);
    lex_init(f);
}

static void finish(Front *f)
{
    vec_free(&f->conds);
    vec_free(&f->contexts);
    vec_free(&f->arg_tokens);
    vec_free(&f->tokens);
    vec_free(&f->locals);
    vec_free(&f->refs);
    vec_free(&f->stmts);
}

// Runs the stages; false after front_fail. A function of its own so that nothing lives in registers across setjmp.
static bool run(Front *f, const CcSource *source, bool parses)
{
    if (setjmp(f->unwind)) return false;
    pp_run(f, source);
    if (parses) {
        type_init(f);
        parse_unit(f);
    }
    return true;
}

bool cc_parse(const CcSource *source, const CcOptions *opt, Arena *arena, CcUnit **out, Err *err)
{
    Front *f = xalloc(sizeof *f);
    start(f, opt, arena, err);
    bool is_ok = run(f, source, true);
    *out = f->unit;
    finish(f);
    free(f);
    return is_ok;
}

// ---- -E -----------------------------------------------------------------------------------------------------------------------

// True if the two tokens would read as something else without a space between them.
static bool needs_space(const Token *a, const Token *b)
{
    const char *x, *y;
    u32 n = lex_spelling(a, &x);
    if (!lex_spelling(b, &y) || !n) return false;
    bool is_word_a = a->kind == TK_IDENT || a->kind == TK_NUM || a->kind > P_HASHHASH;
    bool is_word_b = b->kind == TK_IDENT || b->kind == TK_NUM || b->kind > P_HASHHASH || b->kind == TK_STR || b->kind == TK_CHAR;
    if (is_word_a && is_word_b) return true;
    if (a->kind == TK_NUM && (*y == '.' || ((*y == '+' || *y == '-') && strchr("eEpP", x[n - 1])))) return true;
    return strchr("+-*/%&|^<>=!#:.", x[n - 1]) && strchr("+-*/%&|^<>=#:.", *y);
}

static void write_tokens(const Front *f, Buf *out)
{
    u32 line = 0;
    u16 file = UINT16_MAX;
    for (u32 i = 0; i < f->tokens.len; i++) {
        const Token *t = &f->tokens.at[i];
        if (t->kind == TK_EOF) break;
        if (t->loc.file != file || t->loc.line < line || t->loc.line > line + 8) {
            buf_printf(out, "%s# %u \"%s\"\n", i ? "\n" : "", t->loc.line, f->unit->files[t->loc.file]->name);
            file = t->loc.file;
            line = t->loc.line;
        } else if (t->loc.line > line) {
            for (; line < t->loc.line; line++) buf_add(out, "\n", 1);
        } else if (i && (t->flags & TF_SPACE || needs_space(t - 1, t))) {
            buf_add(out, " ", 1);
        }
        const char *text;
        u32 len = lex_spelling(t, &text);
        buf_add(out, text, len);
    }
    buf_add(out, "\n", 1);
}

bool cc_preprocess(const CcSource *source, const CcOptions *opt, Buf *out, Err *err)
{
    Arena arena = {0};
    Front *f = xalloc(sizeof *f);
    start(f, opt, &arena, err);
    bool is_ok = run(f, source, false);
    if (is_ok) write_tokens(f, out);
    finish(f);
    free(f);
    arena_free(&arena);
    return is_ok;
}
