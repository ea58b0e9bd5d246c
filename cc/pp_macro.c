// pp_macro.c: defining and expanding macros.
//
// An expansion is pushed as a context to be read before the rest of the file; its macro is disabled until the context
// has been read to its end, and a disabled macro's name seen meanwhile is never expanded (TF_NOEXPAND). Arguments are
// expanded behind a barrier context, so that they cannot take tokens from what follows. For example
//
//     #define ADD(a, b) a + b
//     ADD(1, ADD(2, 3))    →  1 + [2 + 3 of the expanded argument]
#include "cc/front.h"

#include <stdlib.h>

enum { MAX_EXPANDED = 2 << 20, MAX_EXPAND_DEPTH = 200 };

typedef struct Arg {
    const Token *at; // as written
    u32 n;
    const Token *expanded; // NULL until needed
    u32 n_expanded;
} Arg;

typedef struct Subst { // one substitution under way; its result grows on f->arg_tokens
    Front *f;
    const Macro *m;
    Arg *args;
    CcLoc loc;
    u32 base;
    bool wants_paste;
} Subst;

// ---- #define ----------------------------------------------------------------------------------------------------------

static void add_param(Front *f, const Macro *m, u32 base, const Token *t)
{
    for (u32 i = base; i < f->arg_tokens.len; i++)
        if (f->arg_tokens.at[i].id == t->id) front_fail(f, t->loc, "the macro '%s' has two parameters '%s'", m->name->name, t->id->name);
    vec_push(&f->arg_tokens, *t);
}

// Into f->arg_tokens first: the lexer may fail, and what is in f is freed then.
static void read_params(Front *f, Lexer *lx, Macro *m)
{
    u32 base = f->arg_tokens.len;
    Token t;
    lex_token(f, lx, &t);
    bool is_bad = false;
    while (t.kind != P_RPAREN && !is_bad) {
        if (m->is_variadic || (t.kind != P_ELLIPSIS && t.kind != TK_IDENT) || (t.kind == TK_IDENT && t.id == f->id_va_args)) {
            is_bad = true;
            break;
        }
        if (t.kind == P_ELLIPSIS) {
            m->is_variadic = true;
            t.id = f->id_va_args;
        }
        add_param(f, m, base, &t);
        lex_token(f, lx, &t);
        if (t.kind == P_ELLIPSIS && !m->is_variadic) { // GNU: name...
            m->is_variadic = true;
            lex_token(f, lx, &t);
        }
        if (t.kind == P_COMMA) {
            lex_token(f, lx, &t);
            is_bad = t.kind == P_RPAREN;
        } else if (t.kind != P_RPAREN) {
            is_bad = true;
        }
    }
    if (is_bad) front_fail(f, t.loc, "the parameter list of the macro '%s' is wrong here", m->name->name);
    m->n_params = f->arg_tokens.len - base;
    m->params = arena_array(f->arena, Ident *, m->n_params);
    for (u32 i = 0; i < m->n_params; i++) m->params[i] = f->arg_tokens.at[base + i].id;
    f->arg_tokens.len = base;
}

static void mark_param(const Macro *m, Token *t)
{
    for (u32 i = 0; i < m->n_params; i++) {
        if (t->id != m->params[i]) continue;
        t->kind = TK_PARAM;
        t->len = i;
        return;
    }
}

static void read_body(Front *f, Lexer *lx, Macro *m)
{
    u32 base = f->arg_tokens.len;
    for (;;) {
        Token t;
        lex_token(f, lx, &t);
        if (t.kind == TK_NEWLINE) break;
        if (t.kind == TK_IDENT) {
            if (m->kind == MACRO_FUNCTION) mark_param(m, &t);
            if (t.kind == TK_IDENT && t.id == f->id_va_args)
                front_fail(f, t.loc, "__VA_ARGS__ outside a macro with '...'");
            if (t.id == f->id_va_opt) m->has_paste = true;
        }
        if (t.kind == P_HASHHASH || (t.kind == P_HASH && m->kind == MACRO_FUNCTION)) m->has_paste = true;
        if (f->arg_tokens.len == base) t.flags &= (u8)~TF_SPACE;
        t.flags &= (u8)~TF_BOL;
        vec_push(&f->arg_tokens, t);
    }
    m->n_body = f->arg_tokens.len - base;
    m->body = arena_array(f->arena, Token, m->n_body);
    if (m->n_body) memcpy(m->body, f->arg_tokens.at + base, m->n_body * sizeof *m->body);
    f->arg_tokens.len = base;
}

static void check_body(Front *f, const Macro *m)
{
    for (u32 i = 0; i < m->n_body; i++) {
        const Token *t = &m->body[i];
        if (t->kind == P_HASHHASH && (i == 0 || i + 1 == m->n_body))
            front_fail(f, t->loc, "'##' cannot stand at either end of a macro");
        bool is_operand = i + 1 < m->n_body && (t[1].kind == TK_PARAM || (t[1].kind == TK_IDENT && t[1].id == f->id_va_opt));
        if (t->kind == P_HASH && m->kind == MACRO_FUNCTION && !is_operand)
            front_fail(f, t->loc, "'#' in a macro must stand before a parameter");
    }
}

static bool same_macro(const Macro *a, const Macro *b)
{
    if (a->kind != b->kind || a->n_body != b->n_body || a->n_params != b->n_params || a->is_variadic != b->is_variadic)
        return false;
    for (u32 i = 0; i < a->n_params; i++)
        if (a->params[i] != b->params[i]) return false;
    for (u32 i = 0; i < a->n_body; i++) {
        const char *x, *y;
        u32 n = lex_spelling(&a->body[i], &x);
        if (a->body[i].kind != b->body[i].kind || lex_spelling(&b->body[i], &y) != n || memcmp(x, y, n) != 0) return false;
    }
    return true;
}

void pp_define(Front *f, Lexer *lx)
{
    Token t;
    lex_token(f, lx, &t);
    if (t.kind != TK_IDENT) front_fail(f, t.loc, "#define needs a name");
    if (t.id == f->id_defined || t.id == f->id_va_args || t.id == f->id_va_opt)
        front_fail(f, t.loc, "'%s' cannot be a macro", t.id->name);
    Macro *m = arena_new(f->arena, Macro);
    *m = (Macro){.name = t.id, .loc = t.loc, .kind = MACRO_OBJECT};
    if (*lx->at == '(') {
        m->kind = MACRO_FUNCTION;
        lx->at++;
        read_params(f, lx, m);
    }
    read_body(f, lx, m);
    check_body(f, m);
    Macro *old = t.id->macro;
    if (old && old->kind >= MACRO_LINE) front_fail(f, t.loc, "'%s' is built in and cannot be redefined", t.id->name);
    if (old && !same_macro(old, m)) front_warn(f, t.loc, "macro-redefined", "'%s' was defined differently before", t.id->name);
    t.id->macro = m;
}

void pp_undef(Front *f, Ident *id, CcLoc loc)
{
    if (id->macro && id->macro->kind >= MACRO_LINE) front_fail(f, loc, "'%s' is built in and cannot be undefined", id->name);
    id->macro = NULL;
}

// ---- Arguments --------------------------------------------------------------------------------------------------------

static Token *take_tokens(Front *f, u32 base, u32 *n)
{
    *n = f->arg_tokens.len - base;
    f->n_expanded += *n;
    if (f->n_expanded > MAX_EXPANDED) front_fail(f, *n ? f->arg_tokens.at[base].loc : (CcLoc){0}, "the macros expand to too much text");
    Token *copy = arena_array(f->arena, Token, *n);
    if (*n) memcpy(copy, f->arg_tokens.at + base, *n * sizeof *copy);
    f->arg_tokens.len = base;
    return copy;
}

// Reads the arguments behind the '(' into args[0..n_params).
static Arg *read_args(Front *f, const Macro *m, CcLoc loc)
{
    Arg *args = arena_array(f->arena, Arg, m->n_params + 1);
    u32 n_args = 0, depth = 0, base = f->arg_tokens.len;
    for (;;) {
        Token t;
        pp_raw(f, &t);
        if (t.kind == TK_EOF) front_fail(f, loc, "this use of the macro '%s' has no ')'", m->name->name);
        bool ends = depth == 0 && t.kind == P_RPAREN;
        bool rest = m->is_variadic && n_args + 1 >= m->n_params;
        if (ends || (depth == 0 && t.kind == P_COMMA && !rest)) {
            if (n_args >= m->n_params && !(ends && n_args == 0 && f->arg_tokens.len == base))
                front_fail(f, loc, "the macro '%s' has too many arguments here: it takes %u", m->name->name, m->n_params);
            Arg *a = &args[n_args++];
            a->at = take_tokens(f, base, &a->n);
            if (ends) break;
            continue;
        }
        if (t.kind == P_LPAREN) depth++;
        if (t.kind == P_RPAREN) depth--;
        if (t.flags & TF_BOL) t.flags = (u8)((t.flags & ~TF_BOL) | TF_SPACE);
        vec_push(&f->arg_tokens, t);
    }
    if (m->is_variadic && n_args + 1 == m->n_params) {
        Arg *a = &args[n_args++];
        a->at = take_tokens(f, base, &a->n);
    }
    if (n_args < m->n_params)
        front_fail(f, loc, "the macro '%s' has too few arguments here: %u of %u", m->name->name, n_args, m->n_params);
    return args;
}

Token *pp_expand_list(Front *f, const Token *at, u32 n, u32 *n_out)
{
    u32 base = f->arg_tokens.len;
    CcLoc loc = n ? at[0].loc : (CcLoc){0};
    if (++f->expand_depth > MAX_EXPAND_DEPTH) front_fail(f, loc, "macro uses nested too deeply");
    pp_push(f, (PpContext){.at = at, .end = at + n, .is_barrier = true, .loc = loc});
    u32 level = f->contexts.len;
    for (;;) {
        Token t;
        pp_next(f, &t);
        if (t.kind == TK_EOF) break;
        vec_push(&f->arg_tokens, t);
    }
    CHECK(f->contexts.len == level, "macro contexts out of step");
    f->contexts.len--;
    f->expand_depth--;
    return take_tokens(f, base, n_out);
}

// ---- Substitution -----------------------------------------------------------------------------------------------------

static Token stringize(Front *f, const Token *at, u32 n, CcLoc loc)
{
    size_t size = 3;
    const char *text;
    for (u32 i = 0; i < n; i++) size += 1 + 2 * (size_t)lex_spelling(&at[i], &text);
    char *out = arena_alloc(f->arena, size), *p = out;
    *p++ = '"';
    for (u32 i = 0; i < n; i++) {
        u32 len = lex_spelling(&at[i], &text);
        if (i && at[i].flags & TF_SPACE) *p++ = ' ';
        bool is_literal = at[i].kind == TK_STR || at[i].kind == TK_CHAR;
        for (u32 k = 0; k < len; k++) {
            if (is_literal && (text[k] == '"' || text[k] == '\\')) *p++ = '\\';
            *p++ = text[k];
        }
    }
    *p++ = '"';
    f->n_expanded += (u32)(size / 16);
    if (f->n_expanded > MAX_EXPANDED) front_fail(f, loc, "the macros expand to too much text");
    return (Token){.kind = TK_STR, .text = out, .len = (u32)(p - out), .loc = loc};
}

static Token paste(Front *f, const Token *a, const Token *b, CcLoc loc)
{
    const char *x, *y;
    u32 n = lex_spelling(a, &x), m = lex_spelling(b, &y);
    char *text = arena_alloc(f->arena, (size_t)n + m + 1);
    memcpy(text, x, n);
    memcpy(text + n, y, m);
    f->n_expanded += (n + m) / 16;
    if (f->n_expanded > MAX_EXPANDED) front_fail(f, loc, "the macros expand to too much text");
    Lexer lx;
    lex_start(&lx, text, loc.file);
    lx.in_directive = true;
    Token t;
    bool is_comment = text[0] == '/' && (text[1] == '/' || text[1] == '*');
    if (!is_comment) lex_token(f, &lx, &t);
    if (is_comment || *lx.at) front_fail(f, loc, "'##' makes '%s', which is no token", text);
    t.loc = loc;
    t.flags = a->flags & (TF_SPACE | TF_BOL);
    return t;
}

static void append(Subst *s, Token t)
{
    Front *f = s->f;
    if (s->wants_paste) {
        s->wants_paste = false;
        Token *last = &f->arg_tokens.at[f->arg_tokens.len - 1];
        if (t.kind == TK_EMPTY) return;
        if (last->kind != TK_EMPTY) t = paste(f, last, &t, s->loc);
        f->arg_tokens.at[f->arg_tokens.len - 1] = t;
        return;
    }
    vec_push(&f->arg_tokens, t);
}

static void append_all(Subst *s, const Token *at, u32 n, const Token *param)
{
    if (n == 0) append(s, (Token){.kind = TK_EMPTY, .text = "", .loc = s->loc});
    for (u32 i = 0; i < n; i++) {
        Token t = at[i];
        if (i == 0) t.flags = (u8)((t.flags & ~TF_SPACE) | (param->flags & TF_SPACE));
        append(s, t);
    }
}

static void append_param(Subst *s, const Token *t, bool is_operand)
{
    Front *f = s->f;
    Arg *a = &s->args[t->len];
    bool is_rest = s->m->is_variadic && t->len + 1 == s->m->n_params;
    if (s->wants_paste && is_rest && f->arg_tokens.len > s->base && f->arg_tokens.at[f->arg_tokens.len - 1].kind == P_COMMA) {
        s->wants_paste = false; // GNU: `, ## __VA_ARGS__` drops the comma if there is nothing behind it
        if (a->n == 0) {
            f->arg_tokens.len--;
            append(s, (Token){.kind = TK_EMPTY, .text = "", .loc = s->loc});
            return;
        }
    } else if (s->wants_paste || is_operand) {
        append_all(s, a->at, a->n, t);
        return;
    }
    if (!a->expanded) a->expanded = pp_expand_list(f, a->at, a->n, &a->n_expanded);
    append_all(s, a->expanded, a->n_expanded, t);
}

// The index behind the parenthesised text that starts at body[i] (the '(' of __VA_OPT__).
static u32 group_end(Subst *s, const Token *body, u32 i, u32 n)
{
    u32 depth = 0;
    CcLoc loc = s->loc;
    if (i >= n || body[i].kind != P_LPAREN) front_fail(s->f, loc, "__VA_OPT__ needs '('");
    for (; i < n; i++) {
        if (body[i].kind == P_LPAREN) depth++;
        if (body[i].kind == P_RPAREN && --depth == 0) return i + 1;
    }
    front_fail(s->f, loc, "__VA_OPT__ has no ')'");
}

static void substitute(Subst *s, const Token *body, u32 n);

static void append_va_opt(Subst *s, const Token *body, u32 n)
{
    Arg *rest = &s->args[s->m->n_params - 1];
    if (!rest->expanded) rest->expanded = pp_expand_list(s->f, rest->at, rest->n, &rest->n_expanded);
    if (rest->n_expanded) substitute(s, body, n);
    else append(s, (Token){.kind = TK_EMPTY, .text = "", .loc = s->loc});
}

static void append_stringized_va_opt(Subst *s, const Token *body, u32 n)
{
    Front *f = s->f;
    Subst inner = *s;
    inner.base = f->arg_tokens.len;
    inner.wants_paste = false;
    append_va_opt(&inner, body, n);
    u32 len = 0;
    for (u32 i = inner.base; i < f->arg_tokens.len; i++)
        if (f->arg_tokens.at[i].kind != TK_EMPTY) f->arg_tokens.at[inner.base + len++] = f->arg_tokens.at[i];
    Token t = stringize(f, f->arg_tokens.at + inner.base, len, s->loc);
    f->arg_tokens.len = inner.base;
    append(s, t);
}

static void substitute(Subst *s, const Token *body, u32 n)
{
    Front *f = s->f;
    for (u32 i = 0; i < n; i++) {
        const Token *t = &body[i];
        bool is_call = s->m->kind == MACRO_FUNCTION;
        bool is_opt = i + 1 < n && s->m->is_variadic;
        if (t->kind == P_HASHHASH && i > 0) {
            s->wants_paste = f->arg_tokens.len > s->base;
        } else if (t->kind == P_HASH && is_call && i + 1 < n && t[1].kind == TK_PARAM) {
            Arg *a = &s->args[t[1].len];
            Token str = stringize(f, a->at, a->n, s->loc);
            str.flags = t->flags & TF_SPACE;
            append(s, str);
            i++;
        } else if (t->kind == P_HASH && is_opt && t[1].kind == TK_IDENT && t[1].id == f->id_va_opt) {
            u32 end = group_end(s, body, i + 2, n);
            append_stringized_va_opt(s, body + i + 3, end - i - 4);
            i = end - 1;
        } else if (t->kind == TK_IDENT && is_opt && t->id == f->id_va_opt) {
            u32 end = group_end(s, body, i + 1, n);
            append_va_opt(s, body + i + 2, end - i - 3);
            i = end - 1;
        } else if (t->kind == TK_PARAM) {
            append_param(s, t, i + 1 < n && t[1].kind == P_HASHHASH);
        } else {
            Token copy = *t;
            copy.loc = s->loc;
            append(s, copy);
        }
    }
}

static void push_substituted(Front *f, Macro *m, Arg *args, const Token *use)
{
    Subst s = {.f = f, .m = m, .args = args, .loc = use->loc, .base = f->arg_tokens.len};
    substitute(&s, m->body, m->n_body);
    u32 len = s.base;
    for (u32 i = s.base; i < f->arg_tokens.len; i++)
        if (f->arg_tokens.at[i].kind != TK_EMPTY) f->arg_tokens.at[len++] = f->arg_tokens.at[i];
    f->arg_tokens.len = len;
    u32 n;
    Token *out = take_tokens(f, s.base, &n);
    if (n) out[0].flags = (u8)((out[0].flags & ~(TF_SPACE | TF_BOL)) | (use->flags & (TF_SPACE | TF_BOL)));
    pp_push(f, (PpContext){.at = out, .end = out + n, .macro = m});
}

// ---- Uses -------------------------------------------------------------------------------------------------------------

static Token number_token(Front *f, const Token *use, u64 value)
{
    Token t = *use;
    t.kind = TK_NUM;
    t.text = arena_printf(f->arena, "%llu", (unsigned long long)value);
    t.len = (u32)strlen(t.text);
    return t;
}

static bool ask_feature(MacroKind kind, const Ident *id)
{
    if (kind == MACRO_HAS_BUILTIN) return id->builtin != BI_NONE;
    if (kind == MACRO_HAS_ATTRIBUTE) return parse_attr_known(id->name);
    return strcmp(id->name, "capabilities") == 0 || strcmp(id->name, "c_generic_selections") == 0 ||
           strcmp(id->name, "c_static_assert") == 0 || strcmp(id->name, "c_alignas") == 0;
}

// __has_attribute(name) and its like, and the macros whose value depends on the place.
static Token computed_macro(Front *f, const Macro *m, const Token *use)
{
    switch (m->kind) {
    case MACRO_LINE: return number_token(f, use, (u64)((i64)use->loc.line + f->file->line_delta));
    case MACRO_COUNTER: return number_token(f, use, f->counter++);
    case MACRO_INCLUDE_LEVEL: return number_token(f, use, f->include_depth - 1);
    case MACRO_HAS_INCLUDE: return number_token(f, use, pp_has_include(f, use));
    case MACRO_FILE:
    case MACRO_BASE_FILE: {
        const char *name = m->kind == MACRO_FILE ? f->file->shown : f->unit->files[0]->name;
        Token raw = {.kind = TK_OTHER, .text = name, .len = (u32)strlen(name)};
        raw.kind = TK_STR; // escapes quotes and backslashes
        Token t = stringize(f, &raw, 1, use->loc);
        t.flags = use->flags;
        return t;
    }
    default: break;
    }
    Token t, name;
    pp_raw(f, &t);
    if (t.kind != P_LPAREN) front_fail(f, use->loc, "%s needs (name)", m->name->name);
    pp_raw(f, &name);
    pp_raw(f, &t);
    if (name.kind != TK_IDENT || t.kind != P_RPAREN) front_fail(f, use->loc, "%s needs (name)", m->name->name);
    return number_token(f, use, ask_feature(m->kind, name.id));
}

// `defined X`, `defined(X)` of #if.
static Token defined_operator(Front *f, const Token *use)
{
    Token t;
    pp_raw(f, &t);
    bool has_paren = t.kind == P_LPAREN;
    if (has_paren) pp_raw(f, &t);
    if (t.kind != TK_IDENT) front_fail(f, use->loc, "'defined' needs a name");
    bool is_defined = t.id->macro != NULL;
    if (has_paren) pp_raw(f, &t);
    if (has_paren && t.kind != P_RPAREN) front_fail(f, use->loc, "'defined' has no ')'");
    return number_token(f, use, is_defined);
}

static void skip_pragma_operator(Front *f, const Token *use)
{
    Token t[3];
    for (u32 i = 0; i < 3; i++) pp_raw(f, &t[i]);
    if (t[0].kind != P_LPAREN || t[1].kind != TK_STR || t[2].kind != P_RPAREN)
        front_fail(f, use->loc, "_Pragma needs (\"text\")");
}

static void push_back(Front *f, const Token *t)
{
    Token *copy = arena_new(f->arena, Token);
    *copy = *t;
    pp_push(f, (PpContext){.at = copy, .end = copy + 1});
}

// True if the name was a use of the macro and its expansion is now to be read.
static bool expand(Front *f, Token *use)
{
    Macro *m = use->id->macro;
    if (m->kind >= MACRO_LINE) {
        Token t = computed_macro(f, m, use);
        push_back(f, &t);
        return true;
    }
    if (m->kind == MACRO_OBJECT) {
        if (m->has_paste) {
            push_substituted(f, m, NULL, use);
            return true;
        }
        f->n_expanded += m->n_body;
        if (f->n_expanded > MAX_EXPANDED) front_fail(f, use->loc, "the macros expand to too much text");
        pp_push(f, (PpContext){.at = m->body, .start = m->body, .end = m->body + m->n_body, .macro = m, .loc = use->loc, .relocates = true,
                               .first_flags = use->flags & (TF_SPACE | TF_BOL)});
        return true;
    }
    Token t;
    pp_raw(f, &t);
    if (t.kind != P_LPAREN) {
        if (t.kind != TK_EOF || !f->contexts.len) push_back(f, &t);
        return false;
    }
    push_substituted(f, m, read_args(f, m, use->loc), use);
    return true;
}

void pp_next(Front *f, Token *t)
{
    for (;;) {
        pp_raw(f, t);
        if (t->kind != TK_IDENT) return;
        if (f->in_if && t->id == f->id_defined) {
            *t = defined_operator(f, t);
            return;
        }
        if (t->id == f->id_pragma) {
            skip_pragma_operator(f, t);
            continue;
        }
        if (!t->id->macro || t->flags & TF_NOEXPAND) return;
        if (!expand(f, t)) return;
    }
}
