// parse_type.c: declaration specifiers, declarators, attributes.
//
// A declarator reads inside out: for `int (*f(long))[3]` the text behind the inner parentheses is parsed first, then
// the inside with that type as its base. The matching ')' is found by counting tokens, so nothing is parsed twice.
#include "cc/front.h"

#include "base/bits.h"

// ---- Attributes -------------------------------------------------------------------------------------------------------------

// ATTRIBUTES(X): name, what to do with it
#define ATTRIBUTES(X)                                                                                                  \
    X(noreturn, a->is_noreturn = true) X(noinline, a->is_noinline = true) X(always_inline, a->is_always_inline = true)  \
    X(returns_twice, a->is_returns_twice = true) X(packed, a->is_packed = true) X(used, a->is_used = true)              \
    X(weak, a->is_weak = true) X(cheri_no_provenance, a->is_no_provenance = true) X(unused, (void)a)                    \
    X(format, (void)a) X(fallthrough, (void)a) X(pure, (void)a) X(const, (void)a) X(malloc, (void)a) X(cold, (void)a)   \
    X(hot, (void)a) X(nonnull, (void)a) X(warn_unused_result, (void)a) X(alloc_size, (void)a) X(may_alias, (void)a)      \
    X(deprecated, (void)a) X(nothrow, (void)a) X(leaf, (void)a) X(visibility, (void)a) X(flatten, (void)a)               \
    X(sentinel, (void)a) X(returns_nonnull, (void)a) X(gnu_inline, (void)a) X(artificial, (void)a) X(noclone, (void)a)   \
    X(optimize, (void)a) X(no_sanitize, (void)a) X(no_sanitize_address, (void)a) X(no_instrument_function, (void)a)      \
    X(designated_init, (void)a) X(assume_aligned, (void)a) X(error, (void)a) X(warning, (void)a)                         \
    X(cheri_no_subobject_bounds, (void)a) X(cheri_subobject_bounds_use_remaining_size, (void)a)                          \
    X(aligned, (void)a) X(section, (void)a)

// noreturn of __noreturn__.
static const char *plain_name(Front *f, const Ident *id)
{
    bool has_bars = id->len > 4 && memcmp(id->name, "__", 2) == 0 && memcmp(id->name + id->len - 2, "__", 2) == 0;
    return has_bars ? arena_strndup(f->arena, id->name + 2, id->len - 4) : id->name;
}

bool parse_attr_known(const char *name)
{
#define X(attr, action) if (strcmp(name, #attr) == 0 || strcmp(name, "__" #attr "__") == 0) return true;
    ATTRIBUTES(X)
#undef X
    return false;
}

static void skip_group(Front *f)
{
    for (u32 depth = 0;;) {
        TokKind k = f->tok->kind;
        if (k == TK_EOF) parse_unexpected(f, "')'");
        if (k == P_LPAREN) depth++;
        f->tok++;
        if (k == P_RPAREN && --depth == 0) return;
    }
}

static u32 check_align(Front *f, i64 v, CcLoc loc)
{
    if (v < 1 || v > 1 << 20 || !bits_is_pow2((u64)v)) front_fail(f, loc, "an alignment must be a power of two up to 1048576");
    return (u32)v;
}

static void attribute(Front *f, Attrs *a)
{
    Token *t = f->tok++;
    if (t->kind != TK_IDENT && t->kind < K_VOID) front_fail(f, t->loc, "expected an attribute's name");
    const char *name = plain_name(f, t->id);
    bool has_args = f->tok->kind == P_LPAREN;
    if (strcmp(name, "aligned") == 0) {
        u32 align = 16;
        if (has_args) {
            f->tok++;
            align = check_align(f, parse_const_int(f, "aligned"), t->loc);
            parse_expect(f, P_RPAREN, "");
        }
        if (align > a->align) a->align = align;
        return;
    }
    if (strcmp(name, "section") == 0) {
        parse_expect(f, P_LPAREN, "");
        a->section = parse_string_text(f, "a section's name");
        parse_expect(f, P_RPAREN, "");
        return;
    }
    if (has_args) skip_group(f);
#define X(attr, action)                                                                                                \
    if (strcmp(name, #attr) == 0) {                                                                                    \
        action;                                                                                                        \
        return;                                                                                                        \
    }
    ATTRIBUTES(X)
#undef X
    front_warn(f, t->loc, "attributes", "unknown attribute '%s' is ignored", name);
}

void parse_attributes(Front *f, Attrs *a)
{
    while (parse_accept(f, K_ATTRIBUTE)) {
        parse_expect(f, P_LPAREN, "");
        parse_expect(f, P_LPAREN, "");
        while (f->tok->kind != P_RPAREN) {
            if (parse_accept(f, P_COMMA)) continue;
            attribute(f, a);
        }
        parse_expect(f, P_RPAREN, "");
        parse_expect(f, P_RPAREN, "");
    }
}

void parse_merge_attrs(Attrs *to, const Attrs *from)
{
    if (from->align > to->align) to->align = from->align;
    if (from->section) to->section = from->section;
    if (from->asm_name) to->asm_name = from->asm_name;
    to->is_packed |= from->is_packed;
    to->is_noreturn |= from->is_noreturn;
    to->is_noinline |= from->is_noinline;
    to->is_always_inline |= from->is_always_inline;
    to->is_returns_twice |= from->is_returns_twice;
    to->is_used |= from->is_used;
    to->is_weak |= from->is_weak;
    to->is_no_provenance |= from->is_no_provenance;
}

const char *parse_string_text(Front *f, const char *what)
{
    if (f->tok->kind != TK_STR) parse_unexpected(f, what);
    u64 n;
    TypeKind kind;
    const u8 *bytes = lit_strings(f, &n, &kind);
    if (kind != TY_CHAR) front_fail(f, f->tok[-1].loc, "an ordinary string is needed here");
    return (const char *)bytes;
}

// ---- Specifiers -------------------------------------------------------------------------------------------------------------

bool parse_is_type(const Front *f, const Token *t)
{
    (void)f;
    if (t->kind == TK_IDENT) return t->id->binding && t->id->binding->kind == BIND_TYPEDEF;
    return t->kind >= K_VOID && t->kind <= K_ATTRIBUTE;
}

typedef struct SpecState {
    u32 n_void, n_char, n_short, n_int, n_long, n_float, n_double, n_signed, n_unsigned, n_bool, n_int128, n_intcap;
    Type *other; // struct, union, enum, typedef, typeof
    bool is_const, is_volatile;
} SpecState;

static bool has_words(const SpecState *s)
{
    return s->n_void | s->n_char | s->n_short | s->n_int | s->n_long | s->n_float | s->n_double | s->n_signed | s->n_unsigned |
           s->n_bool | s->n_int128 | s->n_intcap;
}

// The type that the words name; NULL if they do not go together.
static Type *words_type(Front *f, const SpecState *s)
{
    u32 n_sign = s->n_signed + s->n_unsigned;
    u32 n_base = s->n_void + s->n_char + s->n_float + s->n_double + s->n_bool + s->n_int128 + s->n_intcap;
    bool is_unsigned = s->n_unsigned;
    if (n_sign > 1 || n_base > 1 || s->n_int > 1 || s->n_short > 1 || s->n_long > 2) return NULL;
    if (n_base && s->n_int) return NULL;
    if (n_base && (s->n_short || (s->n_long && !(s->n_double && s->n_long == 1)))) return NULL;
    if (s->n_short && s->n_long) return NULL;
    if (n_sign && (s->n_void || s->n_float || s->n_double || s->n_bool)) return NULL;
    TypeKind k = TY_INT;
    if (s->n_void) return f->types[TY_VOID];
    if (s->n_bool) return f->types[TY_BOOL];
    if (s->n_float) return f->types[TY_FLOAT];
    if (s->n_double) return f->types[s->n_long ? TY_LDOUBLE : TY_DOUBLE];
    if (s->n_char) return f->types[is_unsigned ? TY_UCHAR : s->n_signed ? TY_SCHAR : TY_CHAR];
    if (s->n_int128) k = TY_INT128;
    else if (s->n_intcap) k = TY_INTCAP;
    else if (s->n_short) k = TY_SHORT;
    else if (s->n_long) k = s->n_long == 2 ? TY_LLONG : TY_LONG;
    return f->types[is_unsigned ? k + 1 : k];
}

static void refuse_keyword(Front *f, const Token *t)
{
    const char *what = t->kind == K_ATOMIC    ? "_Atomic (there are no threads)"
                       : t->kind == K_COMPLEX ? "_Complex"
                       : t->kind == K_THREAD  ? "thread-local storage"
                                              : "__capability and __intcap in the hybrid ABI";
    front_fail(f, t->loc, "not supported: %s", what);
}

static void alignas_specifier(Front *f, Attrs *a)
{
    CcLoc loc = f->tok++->loc;
    parse_expect(f, P_LPAREN, "behind _Alignas");
    i64 v = parse_is_type(f, f->tok) ? (i64)parse_type_name(f)->align : parse_const_int(f, "_Alignas");
    parse_expect(f, P_RPAREN, "");
    u32 align = v == 0 ? 0 : check_align(f, v, loc);
    if (align > a->align) a->align = align;
}

// One word of a base type. False if t is none.
static bool type_word(Front *f, const Token *t, SpecState *s)
{
    switch ((int)t->kind) {
    case K_VOID: s->n_void++; break;
    case K_CHAR: s->n_char++; break;
    case K_SHORT: s->n_short++; break;
    case K_INT: s->n_int++; break;
    case K_LONG: s->n_long++; break;
    case K_FLOAT: s->n_float++; break;
    case K_DOUBLE: s->n_double++; break;
    case K_SIGNED: s->n_signed++; break;
    case K_UNSIGNED: s->n_unsigned++; break;
    case K_BOOL: s->n_bool++; break;
    case K_UINT128: s->n_unsigned++; s->n_int128++; break;
    case K_INT128: s->n_int128++; break;
    case K_UINTCAP: s->n_unsigned++; __attribute__((fallthrough));
    case K_INTCAP:
        if (!f->is_purecap) refuse_keyword(f, t);
        s->n_intcap++;
        break;
    default: return false;
    }
    f->tok++;
    return true;
}

// Storage classes, qualifiers, function specifiers, attributes. False if t is none.
static bool other_word(Front *f, const Token *t, DeclSpec *out, SpecState *s)
{
    switch ((int)t->kind) {
    case K_TYPEDEF: out->is_typedef = true; break;
    case K_EXTERN: out->is_extern = true; break;
    case K_STATIC: out->is_static = true; break;
    case K_REGISTER: out->is_register = true; break;
    case K_AUTO:
    case K_RESTRICT: break;
    case K_INLINE: out->is_inline = true; break;
    case K_NORETURN: out->attrs.is_noreturn = true; break;
    case K_CONST: s->is_const = true; break;
    case K_VOLATILE: s->is_volatile = true; break;
    case K_AUTO_TYPE: out->is_auto_type = true; break;
    case K_CAPABILITY:
        if (!f->is_purecap) refuse_keyword(f, t);
        break;
    case K_ATOMIC:
    case K_COMPLEX:
    case K_THREAD: refuse_keyword(f, t); break;
    case K_ALIGNAS: alignas_specifier(f, &out->attrs); return true;
    case K_ATTRIBUTE: parse_attributes(f, &out->attrs); return true;
    default: return false;
    }
    f->tok++;
    return true;
}

static Type *other_type(Front *f, const Token *t)
{
    switch ((int)t->kind) {
    case K_STRUCT:
    case K_UNION: f->tok++; return parse_record(f, t->kind == K_STRUCT ? TY_STRUCT : TY_UNION, t->loc);
    case K_ENUM: f->tok++; return parse_enum(f, t->loc);
    case K_TYPEOF: f->tok++; return parse_typeof(f);
    case K_VA_LIST: f->tok++; return f->va_list_type;
    default: f->tok++; return t->id->binding->type;
    }
}

void parse_declspec(Front *f, DeclSpec *out)
{
    *out = (DeclSpec){.loc = f->tok->loc};
    SpecState s = {0};
    for (;;) {
        const Token *t = f->tok;
        if (type_word(f, t, &s) || other_word(f, t, out, &s)) continue;
        bool is_other = t->kind == TK_IDENT ? parse_is_type(f, t) && !s.other && !has_words(&s) && !out->is_auto_type
                                            : parse_is_type(f, t);
        if (!is_other) break;
        if (s.other || has_words(&s)) front_fail(f, t->loc, "two types in one declaration");
        s.other = other_type(f, t);
    }
    if (out->is_typedef + out->is_extern + out->is_static + out->is_register > 1)
        front_fail(f, out->loc, "more than one storage class");
    Type *type = s.other;
    if (out->is_auto_type) {
        type = f->types[TY_INT];
    } else if (type && has_words(&s)) {
        front_fail(f, out->loc, "two types in one declaration");
    } else if (!type) {
        if (!has_words(&s)) {
            if (f->tok->kind == TK_IDENT && !f->tok->id->binding) {
                const char *similar = front_similar_name(f, f->tok->id, false);
                if (similar) front_fail_hint(f, f->tok->loc, arena_printf(f->arena, "did you mean '%s'?", similar), "unknown type '%s'", f->tok->id->name);
                front_fail(f, f->tok->loc, "unknown type '%s'", f->tok->id->name);
            }
            parse_unexpected(f, "a type");
        }
        type = words_type(f, &s);
        if (!type) front_fail(f, out->loc, "these type words do not go together");
    }
    out->type = type_qualify(f, type, s.is_const, s.is_volatile);
}

Type *parse_typeof(Front *f)
{
    parse_expect(f, P_LPAREN, "behind typeof");
    Type *t;
    if (parse_is_type(f, f->tok)) {
        t = parse_type_name(f);
    } else {
        bool was = f->is_unevaluated;
        f->is_unevaluated = true;
        t = parse_expr(f)->type;
        f->is_unevaluated = was;
    }
    parse_expect(f, P_RPAREN, "");
    return t;
}

// ---- Declarators ------------------------------------------------------------------------------------------------------------

static Type *pointers(Front *f, Type *base, Attrs *attrs)
{
    while (parse_accept(f, P_STAR)) {
        base = type_ptr(f, base);
        for (;;) {
            if (parse_accept(f, K_CONST)) base = type_qualify(f, base, true, false);
            else if (parse_accept(f, K_VOLATILE)) base = type_qualify(f, base, false, true);
            else if (f->tok->kind == K_CAPABILITY && !f->is_purecap) refuse_keyword(f, f->tok);
            else if (parse_accept(f, K_RESTRICT) || parse_accept(f, K_CAPABILITY)) continue;
            else if (f->tok->kind == K_ATTRIBUTE) parse_attributes(f, attrs);
            else break;
        }
    }
    return base;
}

static Type *adjust_param(Front *f, Type *t)
{
    if (t->kind == TY_ARRAY) return type_ptr(f, t->base);
    return t->kind == TY_FUNC ? type_ptr(f, t) : t;
}

static Obj *parameter(Front *f, u32 index)
{
    DeclSpec spec;
    parse_declspec(f, &spec);
    Declarator d;
    parse_declarator(f, spec.type, &d, false);
    if (spec.is_typedef || spec.is_extern || spec.is_static) front_fail(f, spec.loc, "a parameter cannot have this storage class");
    if (d.type->kind == TY_VOID) front_fail(f, spec.loc, "a parameter cannot be void");
    Type *type = adjust_param(f, d.type);
    Obj *p = arena_new(f->arena, Obj);
    *p = (Obj){.kind = OBJ_PARAM, .name = d.id ? d.id->name : NULL, .type = type, .loc = d.loc, .align = type->align, .param_index = index,
               .is_no_provenance = spec.attrs.is_no_provenance || d.attrs.is_no_provenance};
    if (d.id) scope_bind(f, BIND_OBJ, d.id, d.loc)->obj = p;
    return p;
}

static void param_list(Front *f, Declarator *out, Type *result, Type **type)
{
    u32 base = f->stmts.len; // the statement stack holds the parameters meanwhile
    bool is_variadic = false;
    scope_enter(f);
    f->in_params++;
    while (f->tok->kind != P_RPAREN) {
        if (parse_accept(f, P_ELLIPSIS)) {
            is_variadic = true;
            break;
        }
        if (f->tok->kind == TK_IDENT && !parse_is_type(f, f->tok) && !f->tok->id->binding && (f->tok[1].kind == P_COMMA || f->tok[1].kind == P_RPAREN))
            front_fail(f, f->tok->loc, "unknown type '%s' (old-style parameter lists are not supported)", f->tok->id->name);
        Obj *p = parameter(f, f->stmts.len - base);
        vec_push(&f->stmts, (Node *)p);
        if (f->tok->kind != P_RPAREN) parse_expect(f, P_COMMA, "or ')'");
    }
    parse_expect(f, P_RPAREN, "");
    f->in_params--;
    scope_leave(f);
    out->n_params = f->stmts.len - base;
    out->params = arena_array(f->arena, Obj *, out->n_params);
    Type **types = arena_array(f->arena, Type *, out->n_params);
    for (u32 i = 0; i < out->n_params; i++) {
        out->params[i] = (Obj *)f->stmts.at[base + i];
        types[i] = out->params[i]->type->unqual;
    }
    f->stmts.len = base;
    *type = type_func(f, result, types, out->n_params, is_variadic, false);
}

static Type *suffix(Front *f, Type *base, Declarator *out);

static Type *function_suffix(Front *f, Type *base, Declarator *out)
{
    CcLoc loc = f->tok++->loc;
    Type *type;
    if (f->tok->kind == P_RPAREN || (f->tok->kind == K_VOID && f->tok[1].kind == P_RPAREN)) {
        bool is_void = f->tok->kind == K_VOID;
        f->tok += is_void ? 2 : 1;
        out->params = NULL;
        out->n_params = 0;
        type = type_func(f, base, NULL, 0, false, !is_void);
    } else {
        param_list(f, out, base, &type);
    }
    Declarator ignored = {0};
    Type *result = suffix(f, base, &ignored); // f()() and f()[] are errors below
    if (result->kind == TY_FUNC || result->kind == TY_ARRAY)
        front_fail(f, loc, "a function cannot return %s", result->kind == TY_FUNC ? "a function" : "an array");
    return type;
}

static Type *array_suffix(Front *f, Type *base, Declarator *out)
{
    CcLoc loc = f->tok++->loc;
    bool has_len = false;
    i64 len = 0;
    while (parse_accept(f, K_STATIC) || parse_accept(f, K_CONST) || parse_accept(f, K_RESTRICT) || parse_accept(f, K_VOLATILE)) continue;
    if (f->in_params && f->tok->kind == P_STAR && f->tok[1].kind == P_RBRACK) f->tok++;
    if (f->tok->kind != P_RBRACK) {
        CcLoc at = f->tok->loc;
        Node *n = node_value(f, parse_assign(f));
        has_len = const_int(n, &len);
        if (!has_len && !f->in_params)
            front_fail_hint(f, at, "give the length as a constant, or use malloc or __builtin_alloca", "variable-length arrays are not supported");
        if (has_len && len < 0) front_fail(f, at, "the length of an array cannot be negative");
    }
    parse_expect(f, P_RBRACK, "");
    Type *elem = suffix(f, base, out);
    if (elem->kind == TY_FUNC || elem->kind == TY_VOID || elem->is_incomplete)
        front_fail(f, loc, "an array cannot have elements of type '%s'", type_text(f->arena, elem));
    return type_array(f, elem, (u64)len, !has_len);
}

static Type *suffix(Front *f, Type *base, Declarator *out)
{
    front_enter(f, f->tok->loc);
    if (f->tok->kind == P_LPAREN) base = function_suffix(f, base, out);
    else if (f->tok->kind == P_LBRACK) base = array_suffix(f, base, out);
    front_leave(f);
    return base;
}

// True if the '(' at f->tok begins a nested declarator, not a parameter list.
static bool is_nested(const Front *f, bool wants_name)
{
    const Token *t = f->tok;
    if (t->kind != P_LPAREN) return false;
    if (wants_name) return true;
    t++;
    return t->kind == P_STAR || t->kind == P_LPAREN || t->kind == P_LBRACK || (t->kind == TK_IDENT && !parse_is_type(f, t)) ||
           (t->kind == K_ATTRIBUTE);
}

static Token *matching_paren(Front *f)
{
    u32 depth = 0;
    for (Token *t = f->tok; t->kind != TK_EOF; t++) {
        if (t->kind == P_LPAREN) depth++;
        if (t->kind == P_RPAREN && --depth == 0) return t;
    }
    front_fail(f, f->tok->loc, "this '(' is not closed");
}

static void declarator(Front *f, Type *base, Declarator *out, bool wants_name)
{
    front_enter(f, f->tok->loc);
    base = pointers(f, base, &out->attrs);
    parse_attributes(f, &out->attrs);
    if (is_nested(f, wants_name)) {
        Token *open = f->tok, *close = matching_paren(f);
        f->tok = close + 1;
        base = suffix(f, base, out);
        Token *end = f->tok;
        f->tok = open + 1;
        declarator(f, base, out, wants_name);
        if (f->tok != close) parse_unexpected(f, "')'");
        f->tok = end;
        front_leave(f);
        return;
    }
    out->loc = f->tok->loc;
    if (f->tok->kind == TK_IDENT) out->id = f->tok++->id;
    else if (wants_name) parse_unexpected(f, "a name");
    out->type = suffix(f, base, out);
    front_leave(f);
}

void parse_declarator(Front *f, Type *base, Declarator *out, bool wants_name)
{
    *out = (Declarator){.loc = f->tok->loc};
    declarator(f, base, out, wants_name);
    if (parse_accept(f, K_ASM)) {
        parse_expect(f, P_LPAREN, "behind asm");
        out->attrs.asm_name = parse_string_text(f, "a name");
        parse_expect(f, P_RPAREN, "");
    }
    parse_attributes(f, &out->attrs);
}

Type *parse_type_name(Front *f)
{
    if (!parse_is_type(f, f->tok)) parse_unexpected(f, "a type");
    DeclSpec spec;
    Declarator d;
    parse_declspec(f, &spec);
    parse_declarator(f, spec.type, &d, false);
    if (d.id) front_fail(f, d.loc, "a type without a name is needed here");
    return d.type;
}
