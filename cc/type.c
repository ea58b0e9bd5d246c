// type.c: making, laying out, comparing and printing types. Sizes follow AAPCS64; in purecap pointers take 16 bytes.
#include "cc/front.h"

#include "base/bits.h"

enum { MAX_TYPE_DEPTH = 500 };
static const u64 MAX_TYPE_SIZE = 1ull << 46;

// ---- Making -----------------------------------------------------------------------------------------------------------

static Type *add_type(Front *f, TypeKind kind, u64 size, u32 align)
{
    Type *t = arena_new(f->arena, Type);
    *t = (Type){.kind = kind, .size = size, .align = align};
    t->unqual = t;
    return t;
}

static Type *basic(Front *f, TypeKind kind, u64 size, bool is_unsigned)
{
    Type *t = add_type(f, kind, size, (u32)size);
    t->is_unsigned = is_unsigned;
    t->is_cap = t->has_caps = kind == TY_INTCAP || kind == TY_UINTCAP;
    return f->types[kind] = t;
}

static void add_member(Front *f, Type *record, const char *name, Type *type)
{
    Member **at = &record->members;
    u32 index = 0;
    for (; *at; at = &(*at)->next) index++;
    *at = arena_new(f->arena, Member);
    **at = (Member){.name = lex_intern(f, name, (u32)strlen(name))->name, .type = type, .index = index};
}

// AAPCS64 B.4: the five-field struct of the base standard; in purecap one capability (AAPCS64-cap).
static Type *make_va_list(Front *f)
{
    Type *ptr = type_ptr(f, f->types[TY_VOID]);
    if (f->is_purecap) return ptr;
    Type *t = type_new(f, TY_STRUCT);
    t->name = "__va_list";
    add_member(f, t, "__stack", ptr);
    add_member(f, t, "__gr_top", ptr);
    add_member(f, t, "__vr_top", ptr);
    add_member(f, t, "__gr_offs", f->types[TY_INT]);
    add_member(f, t, "__vr_offs", f->types[TY_INT]);
    type_layout(f, t, (CcLoc){0});
    return t;
}

void type_init(Front *f)
{
    basic(f, TY_VOID, 0, false)->align = 1;
#define X(kind, size, is_unsigned, text) basic(f, TY_##kind, size, is_unsigned);
    CC_ARITH_TYPES(X)
#undef X
    f->va_list_type = make_va_list(f);
}

static void set_depth(Front *f, Type *t, const Type *part)
{
    if (part->depth + 1 > t->depth) t->depth = part->depth + 1;
    if (t->depth > MAX_TYPE_DEPTH) front_fail(f, f->tok ? f->tok->loc : (CcLoc){0}, "this type is nested too deeply");
}

Type *type_ptr(Front *f, Type *base)
{
    if (base->ptr_to) return base->ptr_to;
    u32 size = f->is_purecap ? 16 : 8;
    Type *t = add_type(f, TY_PTR, size, size);
    t->base = base;
    t->is_unsigned = true;
    t->is_cap = t->has_caps = f->is_purecap;
    set_depth(f, t, base);
    return base->ptr_to = t;
}

Type *type_array(Front *f, Type *elem, u64 len, bool is_incomplete)
{
    Type *t = add_type(f, TY_ARRAY, 0, elem->align);
    t->base = elem;
    t->array_len = len;
    t->is_incomplete = is_incomplete;
    t->has_caps = elem->has_caps;
    set_depth(f, t, elem);
    if (elem->size && len > MAX_TYPE_SIZE / elem->size) front_fail(f, f->tok->loc, "this array is too large");
    t->size = elem->size * len;
    return t;
}

Type *type_func(Front *f, Type *result, Type **params, u32 n_params, bool is_variadic, bool is_unprototyped)
{
    Type *t = add_type(f, TY_FUNC, 0, 1);
    t->base = result;
    t->params = params;
    t->n_params = n_params;
    t->is_variadic = is_variadic;
    t->is_unprototyped = is_unprototyped;
    set_depth(f, t, result);
    for (u32 i = 0; i < n_params; i++) set_depth(f, t, params[i]);
    return t;
}

Type *type_new(Front *f, TypeKind kind)
{
    Type *t = add_type(f, kind, 0, 1);
    t->is_incomplete = true;
    return t;
}

static void requalify(Type *qualified, const Type *t)
{
    bool is_const = qualified->is_const, is_volatile = qualified->is_volatile;
    Type *ptr_to = qualified->ptr_to, *unqual = qualified->unqual;
    *qualified = *t;
    qualified->is_const = is_const;
    qualified->is_volatile = is_volatile;
    qualified->ptr_to = ptr_to;
    qualified->unqual = unqual;
    memset(qualified->quals, 0, sizeof qualified->quals);
}

Type *type_qualify(Front *f, Type *t, bool is_const, bool is_volatile)
{
    if (t->kind == TY_ARRAY) { // qualifies the elements
        Type *elem = type_qualify(f, t->base, is_const, is_volatile);
        return elem == t->base ? t : type_array(f, elem, t->array_len, t->is_incomplete);
    }
    if (t->kind == TY_FUNC) return t;
    is_const |= t->is_const;
    is_volatile |= t->is_volatile;
    u32 which = (is_const ? 1u : 0) | (is_volatile ? 2u : 0);
    Type *plain = t->unqual;
    if (which == 0) return plain;
    if (!plain->quals[which]) {
        Type *q = arena_new(f->arena, Type);
        *q = (Type){.is_const = is_const, .is_volatile = is_volatile, .unqual = plain};
        requalify(q, plain);
        plain->quals[which] = q;
    }
    return plain->quals[which];
}

void type_complete(Front *f, Type *t)
{
    (void)f;
    for (u32 i = 1; i < ARRAY_LEN(t->quals); i++)
        if (t->quals[i]) requalify(t->quals[i], t);
}

// ---- Layout -----------------------------------------------------------------------------------------------------------

typedef struct Layout {
    Front *f;
    Type *t;
    u64 bits;  // next free bit of a struct
    u64 size;  // bytes so far
    u32 align;
} Layout;

static void place_bitfield(Layout *l, Member *m)
{
    u64 unit = m->type->size * 8;
    if (l->t->kind == TY_UNION) l->bits = 0;
    u32 align = l->t->is_packed ? 1 : m->type->align;
    if (m->bit_width == 0) { // closes the container
        l->bits = bits_align_up(l->bits, unit);
        if (align > l->align) l->align = align;
        m->offset = l->bits / 8;
        return;
    }
    if (align > l->align) l->align = align;
    if (l->t->is_packed) {
        m->offset = l->bits / 8;
        if (l->bits % 8 + m->bit_width > unit)
            front_fail(l->f, m->loc, "this packed bit-field would cross its container: not supported");
    } else {
        if (l->bits / unit != (l->bits + m->bit_width - 1) / unit) l->bits = bits_align_up(l->bits, unit);
        m->offset = l->bits / unit * (unit / 8);
    }
    m->bit_off = (u8)(l->bits - m->offset * 8);
    l->bits += m->bit_width;
    u64 end = (l->bits + 7) / 8;
    if (end > l->size) l->size = end;
}

static void place_member(Layout *l, Member *m, u32 align)
{
    if (align > l->align) l->align = align;
    u64 at = l->t->kind == TY_UNION ? 0 : bits_align_up((l->bits + 7) / 8, align);
    m->offset = at;
    if (at + m->type->size > MAX_TYPE_SIZE) front_fail(l->f, m->loc, "this type is too large");
    l->bits = (at + m->type->size) * 8;
    if (at + m->type->size > l->size) l->size = at + m->type->size;
    if (l->t->is_packed && m->type->has_caps && at % 16)
        front_warn(l->f, m->loc, "cheri-capability-misuse", "packed: the capability at offset %llu is not aligned: every access to it will trap",
                   (unsigned long long)at);
}

// A packed record can be shorter than a bit-field's container: then the container moves back or becomes smaller.
static void fit_container(Layout *l, Member *m)
{
    Type **types = l->f->types;
    while (m->type->size > l->size) {
        TypeKind k = m->type->size == 8 ? TY_INT : m->type->size == 4 ? TY_SHORT : TY_SCHAR;
        m->type = types[m->type->is_unsigned ? k + 1 : k];
    }
    if (m->offset + m->type->size <= l->size) return;
    u64 back = m->offset + m->type->size - l->size;
    m->offset -= back;
    m->bit_off = (u8)(m->bit_off + back * 8);
    if (m->bit_off + m->bit_width > m->type->size * 8)
        front_fail(l->f, m->loc, "this packed bit-field would cross its container: not supported");
}

// Member offsets, size and alignment; t->align is what attributes ask for at least.
void type_layout(Front *f, Type *t, CcLoc loc)
{
    Layout l = {.f = f, .t = t, .align = t->align};
    for (Member *m = t->members; m; m = m->next) {
        u32 align = m->align ? m->align : t->is_packed ? 1 : m->type->align;
        if (m->align && !t->is_packed && m->type->align > align) align = m->type->align;
        if (m->is_bitfield) place_bitfield(&l, m);
        else place_member(&l, m, align);
        t->has_caps |= m->type->has_caps;
        if (m->type->kind == TY_ARRAY && m->type->is_incomplete) t->has_flexible = true;
    }
    if (l.size > MAX_TYPE_SIZE) front_fail(f, loc, "this type is too large");
    t->align = l.align;
    t->size = l.size = bits_align_up(l.size, l.align);
    t->is_incomplete = false;
    if (t->is_packed)
        for (Member *m = t->members; m; m = m->next)
            if (m->is_bitfield && m->bit_width) fit_container(&l, m);
    type_complete(f, t);
}

Member *type_find_member(Type *t, const char *name, Member **path, u32 *n_path)
{
    for (Member *m = t->members; m; m = m->next) {
        if (m->name == name) {
            path[(*n_path)++] = m;
            return m;
        }
        if (m->name || !type_is_record(m->type) || *n_path > 30) continue;
        path[(*n_path)++] = m;
        Member *inner = type_find_member(m->type, name, path, n_path);
        if (inner) return inner;
        (*n_path)--;
    }
    return NULL;
}

// ---- Comparing and converting ---------------------------------------------------------------------------------------------

static const Type *as_int(const Type *t) { return t->kind == TY_ENUM && t->base ? t->base : t->unqual; }

// The budget ends the comparison of types that are hugely nested (they count as the same then).
static bool same(const Type *a, const Type *b, u32 *budget)
{
    for (;;) {
        if (*budget == 0) return true;
        --*budget;
        if (a->unqual == b->unqual) return true;
        if (a->kind == TY_ENUM || b->kind == TY_ENUM) {
            if (a->kind == b->kind) return false;
            return as_int(a) == as_int(b);
        }
        if (a->kind != b->kind) return false;
        if (a->kind < TY_ENUM) return true; // a typedef with its own alignment
        if (a->kind == TY_ARRAY) {
            if (!a->is_incomplete && !b->is_incomplete && a->array_len != b->array_len) return false;
        } else if (a->kind == TY_FUNC) {
            bool has_params = !a->is_unprototyped && !b->is_unprototyped;
            if (has_params && (a->n_params != b->n_params || a->is_variadic != b->is_variadic)) return false;
            for (u32 i = 0; has_params && i < a->n_params; i++)
                if (!same(a->params[i], b->params[i], budget)) return false;
        } else if (a->kind != TY_PTR) {
            return false; // two records
        }
        a = a->base;
        b = b->base;
        if (a->is_const != b->is_const || a->is_volatile != b->is_volatile) return false;
    }
}

bool type_same(const Type *a, const Type *b)
{
    u32 budget = 10000;
    return same(a, b, &budget);
}

Type *type_promote(Front *f, Type *t)
{
    if (t->kind == TY_ENUM) t = t->base;
    if (t->kind >= TY_BOOL && t->kind <= TY_USHORT) return f->types[TY_INT];
    return t->unqual;
}

Type *type_usual(Front *f, Type *a, Type *b)
{
    if (type_is_float(a) || type_is_float(b)) {
        TypeKind k = type_is_float(a) ? a->kind : TY_FLOAT, l = type_is_float(b) ? b->kind : TY_FLOAT;
        return f->types[k > l ? k : l];
    }
    a = type_promote(f, a);
    b = type_promote(f, b);
    if (a->kind == b->kind) return a;
    Type *hi = a->kind > b->kind ? a : b, *lo = hi == a ? b : a;
    // Kinds are in order of rank, the unsigned one directly behind its signed one.
    if (lo->is_unsigned && !hi->is_unsigned && lo->size == hi->size) return f->types[hi->kind + 1];
    return hi;
}

// C11 6.2.7: of two compatible types, the one that knows more.
Type *type_composite(Front *f, Type *a, Type *b)
{
    if (a->unqual == b->unqual) return a;
    if (a->kind == TY_ARRAY && b->kind == TY_ARRAY) return a->is_incomplete ? b : a;
    if (a->kind == TY_FUNC && b->kind == TY_FUNC) return a->is_unprototyped ? b : a;
    if (a->kind == TY_PTR && b->kind == TY_PTR) {
        Type *base = type_composite(f, a->base, b->base);
        return base == a->base ? a : base == b->base ? b : type_ptr(f, base);
    }
    return a;
}

// ---- Text -------------------------------------------------------------------------------------------------------------

static const char *const arith_text[TY_ENUM] = {
    [TY_VOID] = "void",
#define X(kind, size, is_unsigned, text) [TY_##kind] = text,
    CC_ARITH_TYPES(X)
#undef X
};

static const char *text_of(Arena *arena, const Type *t, u32 *budget);

static const char *param_text(Arena *arena, const Type *t, u32 *budget)
{
    if (t->is_unprototyped) return "()";
    const char *text = "(";
    for (u32 i = 0; i < t->n_params; i++)
        text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", text_of(arena, t->params[i], budget));
    if (t->is_variadic) return arena_printf(arena, "%s, ...)", text);
    return arena_printf(arena, t->n_params ? "%s)" : "%svoid)", text);
}

static const char *text_of(Arena *arena, const Type *t, u32 *budget)
{
    if (*budget == 0) return "…";
    --*budget;
    const char *inner = ""; // the declarator, built from the inside out
    bool was_ptr = false;
    for (; t->kind == TY_PTR || t->kind == TY_ARRAY || t->kind == TY_FUNC; t = t->base) {
        if (t->kind == TY_PTR) {
            inner = arena_printf(arena, "*%s%s%s%s", t->is_const ? "const" : "", t->is_volatile ? "volatile" : "",
                                 (t->is_const || t->is_volatile) && *inner ? " " : "", inner);
        } else {
            if (was_ptr) inner = arena_printf(arena, "(%s)", inner);
            if (t->kind == TY_FUNC) inner = arena_printf(arena, "%s%s", inner, param_text(arena, t, budget));
            else if (t->is_incomplete) inner = arena_printf(arena, "%s[]", inner);
            else inner = arena_printf(arena, "%s[%llu]", inner, (unsigned long long)t->array_len);
        }
        was_ptr = t->kind == TY_PTR;
        if (strlen(inner) > 400) return "(a long type)";
    }
    const char *quals = t->is_const ? t->is_volatile ? "const volatile " : "const " : t->is_volatile ? "volatile " : "";
    const char *base;
    if (t->kind < TY_ENUM) {
        base = arith_text[t->kind];
    } else {
        const char *word = t->kind == TY_ENUM ? "enum" : t->kind == TY_STRUCT ? "struct" : "union";
        base = arena_printf(arena, "%s %s", word, t->name ? t->name : "(without name)");
    }
    return arena_printf(arena, "%s%s%s%s", quals, base, *inner ? " " : "", inner);
}

const char *type_text(Arena *arena, const Type *t)
{
    u32 budget = 20;
    return text_of(arena, t, &budget);
}
