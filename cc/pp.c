// pp.c: the preprocessor's directives, includes and main loop. Macros are in pp_macro.c, #if expressions in pp_expr.c.
//
// pp_run reads everything into f->tokens, which ends with TK_EOF. Keywords become their own token kinds only there:
// to the preprocessor they are names.
#include "cc/front.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_INCLUDE_DEPTH = 64, MAX_HEADER_NAME = 1023 };

// DIRECTIVES(X): NAME, spelling
#define DIRECTIVES(X)                                                                                                  \
    X(DEFINE, "define") X(UNDEF, "undef") X(INCLUDE, "include") X(IF, "if") X(IFDEF, "ifdef") X(IFNDEF, "ifndef")      \
    X(ELIF, "elif") X(ELSE, "else") X(ENDIF, "endif") X(ERROR, "error") X(WARNING, "warning") X(PRAGMA, "pragma")      \
    X(LINE, "line") X(IDENT_, "ident")
enum DirectiveKind {
    DIR_NONE,
#define X(name, text) DIR_##name,
    DIRECTIVES(X)
#undef X
};

// ---- Files ------------------------------------------------------------------------------------------------------------

static u16 add_file(Front *f, const CcSource *src)
{
    CcUnit *u = f->unit;
    for (u32 i = 0; i < u->n_files; i++)
        if (u->files[i]->text == src->text || strcmp(u->files[i]->name, src->name) == 0) return (u16)i;
    if (u->n_files == f->files_cap) {
        u32 cap = f->files_cap ? f->files_cap * 2 : 32;
        const CcSource **files = arena_array(f->arena, const CcSource *, cap);
        bool *is_once = arena_array(f->arena, bool, cap);
        if (u->n_files) {
            memcpy(files, u->files, u->n_files * sizeof *files);
            memcpy(is_once, f->is_once, u->n_files);
        }
        u->files = files;
        f->is_once = is_once;
        f->files_cap = cap;
    }
    if (u->n_files == UINT16_MAX) front_fail(f, (CcLoc){0}, "too many files");
    CcSource *copy = arena_new(f->arena, CcSource);
    *copy = *src;
    u->files[u->n_files] = copy;
    return (u16)u->n_files++;
}

static void push_file(Front *f, const CcSource *src, CcLoc loc)
{
    u16 number = add_file(f, src);
    if (f->is_once[number]) return;
    if (++f->include_depth > MAX_INCLUDE_DEPTH)
        front_fail(f, loc, "#include nested too deeply (more than %d files)", MAX_INCLUDE_DEPTH);
    PpFile *file = arena_new(f->arena, PpFile);
    *file = (PpFile){.outer = f->file, .n_conds_before = f->conds.len, .shown = src->name};
    lex_start(&file->lx, lex_clean_text(f, src->text), number);
    f->file = file;
}

static void pop_file(Front *f)
{
    if (f->conds.len > f->file->n_conds_before)
        front_fail(f, f->conds.at[f->conds.len - 1].loc, "this #if has no #endif");
    f->file = f->file->outer;
    f->include_depth--;
}

// ---- Reading ----------------------------------------------------------------------------------------------------------

void pp_push(Front *f, PpContext c)
{
    if (c.macro) c.macro->is_disabled = true;
    vec_push(&f->contexts, c);
}

void pp_raw(Front *f, Token *t)
{
    for (;;) {
        if (f->contexts.len) {
            PpContext *c = &f->contexts.at[f->contexts.len - 1];
            if (c->at == c->end) {
                if (c->is_barrier) {
                    *t = (Token){.kind = TK_EOF, .text = "", .loc = c->loc};
                    return;
                }
                if (c->macro) c->macro->is_disabled = false;
                f->contexts.len--;
                continue;
            }
            *t = *c->at++;
            if (c->relocates) {
                t->loc = c->loc;
                if (c->at == c->start + 1) t->flags |= c->first_flags;
            }
        } else {
            lex_token(f, &f->file->lx, t);
            if (t->kind == P_HASH && t->flags & TF_BOL) {
                pp_directive(f, t);
                continue;
            }
            if (t->kind == TK_EOF && f->file->outer) {
                pop_file(f);
                continue;
            }
        }
        if (t->kind == TK_IDENT && t->id->macro && t->id->macro->is_disabled) t->flags |= TF_NOEXPAND;
        return;
    }
}

// The rest of the directive's line, in the arena.
static Token *read_line(Front *f, Lexer *lx, u32 *n)
{
    u32 base = f->arg_tokens.len;
    for (;;) {
        Token t;
        lex_token(f, lx, &t);
        if (t.kind == TK_NEWLINE) break;
        vec_push(&f->arg_tokens, t);
    }
    *n = f->arg_tokens.len - base;
    Token *line = arena_array(f->arena, Token, *n + 1);
    memcpy(line, f->arg_tokens.at + base, *n * sizeof *line);
    f->arg_tokens.len = base;
    return line;
}

static Ident *read_name(Front *f, Lexer *lx, const char *directive)
{
    Token t;
    lex_token(f, lx, &t);
    if (t.kind != TK_IDENT) front_fail(f, t.loc, "#%s needs a name", directive);
    return t.id;
}

// ---- Conditions -------------------------------------------------------------------------------------------------------

static bool eval_condition(Front *f, Lexer *lx, u8 kind, CcLoc loc)
{
    if (kind == DIR_IFDEF) return read_name(f, lx, "ifdef")->macro != NULL;
    if (kind == DIR_IFNDEF) return read_name(f, lx, "ifndef")->macro == NULL;
    u32 n;
    Token *line = read_line(f, lx, &n);
    return pp_eval_if(f, line, n, loc);
}

static PpCond *innermost(Front *f, CcLoc loc, const char *directive)
{
    if (f->conds.len == f->file->n_conds_before) front_fail(f, loc, "#%s without #if", directive);
    return &f->conds.at[f->conds.len - 1];
}

// Skips the lines of a group that is not taken, up to the #elif, #else or #endif that ends it; handles that directive.
static void skip_group(Front *f, Lexer *lx)
{
    u32 depth = 0;
    for (;;) {
        lex_skip_line(lx);
        lx->in_directive = false;
        lx->is_bol = false;
        lex_skip_space(f, lx);
        if (!*lx->at) return; // pop_file reports the open #if
        if (!lx->is_bol || *lx->at != '#') continue;
        Token t;
        lex_token(f, lx, &t);
        lx->in_directive = true;
        // Text of the skipped group may be anything: only a name matters here.
        lex_skip_space(f, lx);
        if (!((*lx->at >= 'a' && *lx->at <= 'z') || *lx->at == '\n')) continue;
        lex_token(f, lx, &t);
        u8 kind = t.kind == TK_IDENT ? t.id->directive : DIR_NONE;
        if (kind == DIR_IF || kind == DIR_IFDEF || kind == DIR_IFNDEF) depth++;
        if (kind == DIR_ENDIF && depth-- == 0) {
            f->conds.len--;
            return;
        }
        if (depth || (kind != DIR_ELSE && kind != DIR_ELIF)) continue;
        PpCond *c = innermost(f, t.loc, t.id->name);
        if (c->has_else) front_fail(f, t.loc, "#%s after #else", t.id->name);
        c->has_else = kind == DIR_ELSE;
        if (!c->was_taken && (kind == DIR_ELSE || eval_condition(f, lx, DIR_IF, t.loc))) {
            f->conds.at[f->conds.len - 1].was_taken = true;
            return;
        }
    }
}

static void do_if(Front *f, Lexer *lx, u8 kind, CcLoc loc)
{
    bool is_taken = eval_condition(f, lx, kind, loc);
    vec_push(&f->conds, (PpCond){.loc = loc, .was_taken = is_taken});
    if (!is_taken) skip_group(f, lx);
}

// #elif or #else behind a group that was taken.
static void do_else(Front *f, Lexer *lx, const Token *t)
{
    PpCond *c = innermost(f, t->loc, t->id->name);
    if (c->has_else) front_fail(f, t->loc, "#%s after #else", t->id->name);
    c->has_else = t->id->directive == DIR_ELSE;
    skip_group(f, lx);
}

// ---- Other directives -------------------------------------------------------------------------------------------------

// A name in <> that comes as tokens.
typedef struct HeaderName {
    char text[MAX_HEADER_NAME + 1];
    u32 len;
} HeaderName;

static void add_piece(Front *f, HeaderName *h, const Token *t)
{
    const char *text;
    u32 len = lex_spelling(t, &text);
    if (len > MAX_HEADER_NAME - h->len) front_fail(f, t->loc, "this name of a header has more than %d characters", MAX_HEADER_NAME);
    memcpy(h->text + h->len, text, len);
    h->len += len;
}

// <name> or "name" at the lexer, or through macros. Returns the name, in the arena.
static const char *read_header_name(Front *f, Lexer *lx, bool *is_system, CcLoc loc)
{
    lex_skip_space(f, lx);
    char open = *lx->at;
    if (open == '<' || open == '"') {
        const char *start = ++lx->at;
        size_t len = strcspn(start, open == '<' ? ">\n" : "\"\n");
        if (!start[len] || start[len] == '\n') front_fail(f, loc, "this #include has no closing %c", open == '<' ? '>' : '"');
        lx->at += len + 1;
        *is_system = open == '<';
        return arena_strndup(f->arena, start, len);
    }
    u32 n;
    Token *line = read_line(f, lx, &n);
    line = pp_expand_list(f, line, n, &n);
    const char *name = NULL;
    if (n && line[0].kind == TK_STR && line[0].text[0] == '"') {
        *is_system = false;
        name = arena_strndup(f->arena, line[0].text + 1, line[0].len - 2);
    } else if (n && line[0].kind == P_LT) {
        *is_system = true;
        HeaderName h = {.len = 0};
        for (u32 i = 1; i < n && line[i].kind != P_GT; i++) add_piece(f, &h, &line[i]);
        name = arena_strndup(f->arena, h.text, h.len);
    }
    if (!name) front_fail(f, loc, "#include needs \"name\" or <name>");
    return name;
}

static const CcSource *find_include(Front *f, const char *name, bool is_system)
{
    if (!f->opt->find_include) return NULL;
    return f->opt->find_include(f->opt->ctx, name, is_system, f->unit->files[f->file->lx.file]->name);
}

static void do_include(Front *f, Lexer *lx, CcLoc loc)
{
    bool is_system = false;
    lex_skip_space(f, lx);
    CcLoc name_loc = {lx->line, (u16)(lx->at - lx->line_start + 1), lx->file};
    const char *name = read_header_name(f, lx, &is_system, loc);
    const CcSource *src = find_include(f, name, is_system);
    if (!src) front_fail(f, name_loc, "cannot find the include file '%s'", name);
    lex_skip_line(lx);
    lx->in_directive = false;
    push_file(f, src, name_loc);
}

// __has_include at *first: the tokens behind it are read as they come (a name in <> is joined from its pieces).
bool pp_has_include(Front *f, const Token *first)
{
    Token t;
    pp_raw(f, &t);
    if (t.kind != P_LPAREN) front_fail(f, first->loc, "__has_include needs (\"name\") or (<name>)");
    pp_raw(f, &t);
    const char *name;
    bool is_system = t.kind == P_LT;
    if (t.kind == TK_STR) {
        name = arena_strndup(f->arena, t.text + 1, t.len - 2);
    } else {
        HeaderName h = {.len = 0};
        for (pp_raw(f, &t); t.kind != P_GT && t.kind != TK_EOF; pp_raw(f, &t)) add_piece(f, &h, &t);
        name = arena_strndup(f->arena, h.text, h.len);
    }
    pp_raw(f, &t);
    if (t.kind != P_RPAREN) front_fail(f, first->loc, "__has_include needs (\"name\") or (<name>)");
    return find_include(f, name, is_system) != NULL;
}

static void do_line(Front *f, Lexer *lx, CcLoc loc)
{
    u32 n;
    Token *line = read_line(f, lx, &n);
    line = pp_expand_list(f, line, n, &n);
    u64 number = 0;
    bool is_ok = n && line[0].kind == TK_NUM;
    for (u32 i = 0; is_ok && i < line[0].len; i++) {
        char c = line[0].text[i];
        is_ok = c >= '0' && c <= '9' && number < 1u << 30;
        number = number * 10 + (u32)(c - '0');
    }
    if (is_ok) f->file->line_delta = (i32)((i64)number - lx->line - 1);
    if (is_ok && n > 1 && line[1].kind == TK_STR)
        f->file->shown = arena_strndup(f->arena, line[1].text + 1, line[1].len - 2);
    if (!is_ok) front_fail(f, loc, "#line needs a line number");
}

static void do_message(Front *f, Lexer *lx, const Token *t)
{
    lex_skip_space(f, lx);
    int len = (int)strcspn(lx->at, "\r\n");
    if (t->id->directive == DIR_ERROR) front_fail(f, t->loc, "#error %.*s", len, lx->at);
    front_warn(f, t->loc, "warnings", "#warning %.*s", len, lx->at);
}

static void do_pragma(Front *f, Lexer *lx)
{
    Token t;
    lex_token(f, lx, &t);
    if (t.kind == TK_IDENT && strcmp(t.id->name, "once") == 0) f->is_once[lx->file] = true;
    if (t.kind == TK_IDENT && strcmp(t.id->name, "pack") == 0)
        front_fail_hint(f, t.loc, "use __attribute__((packed))", "not supported: #pragma pack"); // ignoring it would change layouts
}

void pp_directive(Front *f, const Token *hash)
{
    PpFile *file = f->file;
    Lexer *lx = &file->lx;
    lx->in_directive = true;
    Token t;
    lex_token(f, lx, &t);
    u8 kind = t.kind == TK_IDENT ? t.id->directive : DIR_NONE;
    switch (kind) {
    case DIR_DEFINE: pp_define(f, lx); break;
    case DIR_UNDEF: pp_undef(f, read_name(f, lx, "undef"), t.loc); break;
    case DIR_INCLUDE: do_include(f, lx, hash->loc); break;
    case DIR_IF:
    case DIR_IFDEF:
    case DIR_IFNDEF: do_if(f, lx, kind, t.loc); break;
    case DIR_ELIF:
    case DIR_ELSE: do_else(f, lx, &t); break;
    case DIR_ENDIF:
        innermost(f, t.loc, "endif");
        f->conds.len--;
        break;
    case DIR_ERROR:
    case DIR_WARNING: do_message(f, lx, &t); break;
    case DIR_PRAGMA: do_pragma(f, lx); break;
    case DIR_LINE: do_line(f, lx, t.loc); break;
    case DIR_IDENT_: break;
    default:
        if (t.kind == TK_IDENT) front_fail(f, t.loc, "unknown directive #%s", t.id->name);
        if (t.kind != TK_NEWLINE && t.kind != TK_NUM) front_fail(f, t.loc, "this is no directive");
    }
    if (file->lx.in_directive) lex_skip_line(lx);
    lx->in_directive = false;
}

// ---- The whole --------------------------------------------------------------------------------------------------------

static void add_directive(Front *f, u8 kind, const char *text)
{
    lex_intern(f, text, (u32)strlen(text))->directive = kind;
}

static void read_all(Front *f)
{
    for (;;) {
        Token t;
        pp_next(f, &t);
        if (t.kind == TK_IDENT && t.id->keyword) t.kind = t.id->keyword;
        vec_push(&f->tokens, t);
        if (t.kind == TK_EOF) break;
    }
}

void pp_run(Front *f, const CcSource *source)
{
#define X(name, text) add_directive(f, DIR_##name, text);
    DIRECTIVES(X)
#undef X
    predef_start(f);
    push_file(f, source, (CcLoc){0}); // file number 0
    CcSource command_line = predef_command_line(f);
    push_file(f, &command_line, (CcLoc){0}); // read first
    read_all(f);
    pop_file(f);
}
