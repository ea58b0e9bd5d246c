// parse_record.c: struct, union and enum specifiers.
#include "cc/front.h"

#include <stdlib.h>

static Type *find_tag(Front *f, Ident *id, TypeKind kind, CcLoc loc, bool is_definition)
{
    Binding *b = id->tag;
    if (b && (!is_definition || b->depth == f->scope->depth)) {
        if (b->type->kind != kind) front_fail(f, loc, "'%s' is another kind of type here", id->name);
        return b->type;
    }
    return NULL;
}

static Type *declare_tag(Front *f, Ident *id, TypeKind kind, CcLoc loc)
{
    Type *t = type_new(f, kind);
    if (!id) return t;
    t->name = id->name;
    scope_bind(f, BIND_TAG, id, loc)->type = t;
    return t;
}

// ---- struct, union ------------------------------------------------------------------------------------------------------------

static void check_member(Front *f, Type *record, const Member *m, bool is_last_flexible)
{
    const Type *t = m->type;
    if (is_last_flexible) front_fail(f, m->loc, "only the last member can be an array without length");
    if (t->kind == TY_FUNC) front_fail(f, m->loc, "a member cannot be a function");
    if (t->kind == TY_VOID || (t->is_incomplete && t->kind != TY_ARRAY))
        front_fail(f, m->loc, "a member cannot have the incomplete type '%s'", type_text(f->arena, t));
    (void)record;
}

static void bitfield(Front *f, Member *m)
{
    CcLoc loc = f->tok[-1].loc;
    i64 width = parse_const_int(f, "a bit-field's width");
    if (!type_is_integer(m->type) || m->type->size > 8)
        front_fail(f, loc, "a bit-field cannot have the type '%s'", type_text(f->arena, m->type));
    i64 max = m->type->kind == TY_BOOL ? 1 : (i64)m->type->size * 8;
    if (width < 0 || width > max || (width == 0 && m->name))
        front_fail(f, loc, "the width of this bit-field must be from %d to %lld", m->name ? 1 : 0, (long long)max);
    m->is_bitfield = true;
    m->bit_width = (u8)width;
}

typedef struct RecordState {
    Type *type;
    Member **tail;
    u32 n;
    bool has_flexible;
} RecordState;

static void add_member(Front *f, RecordState *r, Member *m)
{
    check_member(f, r->type, m, r->has_flexible && r->type->kind == TY_STRUCT);
    if (m->type->kind == TY_ARRAY && m->type->is_incomplete) r->has_flexible = true;
    if (type_is_record(m->type) && m->type->has_flexible) r->has_flexible = true;
    m->index = r->n++;
    *r->tail = m;
    r->tail = &m->next;
}

static void member_declaration(Front *f, RecordState *r)
{
    if (parse_static_assert(f)) return;
    DeclSpec spec;
    while (parse_accept(f, K_EXTENSION)) continue;
    parse_declspec(f, &spec);
    if (spec.is_typedef || spec.is_extern || spec.is_static || spec.is_register)
        front_fail(f, spec.loc, "a member cannot have a storage class");
    if (f->tok->kind == P_SEMI) { // anonymous struct or union
        f->tok++;
        if (!type_is_record(spec.type) || spec.type->is_incomplete) return;
        Member *m = arena_new(f->arena, Member);
        *m = (Member){.type = spec.type, .loc = spec.loc, .align = spec.attrs.align};
        add_member(f, r, m);
        return;
    }
    do {
        Member *m = arena_new(f->arena, Member);
        if (f->tok->kind == P_COLON) {
            *m = (Member){.type = spec.type, .loc = f->tok->loc};
        } else {
            Declarator d;
            parse_declarator(f, spec.type, &d, true);
            u32 align = d.attrs.align > spec.attrs.align ? d.attrs.align : spec.attrs.align;
            bool is_packed = d.attrs.is_packed || spec.attrs.is_packed;
            *m = (Member){.name = d.id->name, .type = d.type, .loc = d.loc, .align = align ? align : is_packed ? 1 : 0};
        }
        if (parse_accept(f, P_COLON)) bitfield(f, m);
        if (f->tok->kind == K_ATTRIBUTE) {
            Attrs a = {0};
            parse_attributes(f, &a);
            if (a.align) m->align = a.align;
            else if (a.is_packed) m->align = 1;
        }
        add_member(f, r, m);
    } while (parse_accept(f, P_COMMA));
    parse_expect(f, P_SEMI, "behind this member");
}

// Members of one name, also through anonymous members, are an error. Names are interned: a set by pointer would do, but
// records are small; sorting keeps large generated ones fast.
static void collect_names(const Type *t, const Member **out, u32 *n, u32 max)
{
    for (const Member *m = t->members; m; m = m->next) {
        if (m->name && *n < max) out[(*n)++] = m;
        else if (!m->name && type_is_record(m->type)) collect_names(m->type, out, n, max);
    }
}

static u32 count_names(const Type *t)
{
    u32 n = 0;
    for (const Member *m = t->members; m; m = m->next) n += m->name ? 1 : type_is_record(m->type) ? count_names(m->type) : 0;
    return n;
}

static int by_name(const void *a, const void *b)
{
    const Member *x = *(const Member *const *)a, *y = *(const Member *const *)b;
    if (x->name != y->name) return (uintptr_t)x->name < (uintptr_t)y->name ? -1 : 1;
    return x->loc.line != y->loc.line ? (x->loc.line < y->loc.line ? -1 : 1) : (int)x->loc.col - (int)y->loc.col;
}

static void check_names(Front *f, const Type *t)
{
    u32 n = 0, max = count_names(t);
    const Member **names = arena_array(f->arena, const Member *, max);
    collect_names(t, names, &n, max);
    qsort(names, n, sizeof *names, by_name);
    for (u32 i = 1; i < n; i++)
        if (names[i]->name == names[i - 1]->name) front_fail(f, names[i]->loc, "a second member '%s'", names[i]->name);
}

Type *parse_record(Front *f, TypeKind kind, CcLoc loc)
{
    Attrs attrs = {0};
    parse_attributes(f, &attrs);
    Ident *id = NULL;
    CcLoc id_loc = f->tok->loc;
    if (f->tok->kind == TK_IDENT) id = f->tok++->id;
    parse_attributes(f, &attrs);
    bool is_definition = f->tok->kind == P_LBRACE;
    if (!id && !is_definition) parse_unexpected(f, "a tag or '{'");
    bool declares_only = f->tok->kind == P_SEMI; // struct S; hides an outer S
    Type *t = id ? find_tag(f, id, kind, id_loc, is_definition || declares_only) : NULL;
    if (!t) t = declare_tag(f, id, kind, id_loc);
    if (!is_definition) return t;
    if (!t->is_incomplete || t->members) front_fail(f, id_loc, "'%s' is defined already", type_text(f->arena, t));
    f->tok++;
    front_enter(f, loc);
    RecordState r = {.type = t, .tail = &t->members};
    while (f->tok->kind != P_RBRACE) {
        if (parse_accept(f, P_SEMI)) continue;
        member_declaration(f, &r);
    }
    f->tok++;
    front_leave(f);
    parse_attributes(f, &attrs);
    t->is_packed = attrs.is_packed;
    if (attrs.align) t->align = attrs.align;
    if (!t->is_incomplete) front_fail(f, loc, "'%s' is defined inside itself", type_text(f->arena, t));
    check_names(f, t);
    type_layout(f, t, loc);
    return t;
}

// ---- enum -----------------------------------------------------------------------------------------------------------------------

typedef struct EnumState {
    i64 next;
    bool next_is_unsigned; // next is above INT64_MAX
    bool has_negative, has_wide, has_unsigned64;
} EnumState;

static void note_value(EnumState *e, i64 v, bool is_unsigned)
{
    if (v < 0 && !is_unsigned) e->has_negative = true;
    if (v < 0 && is_unsigned) e->has_unsigned64 = true;
    if (v > UINT32_MAX || v < INT32_MIN) e->has_wide = true;
    if (e->has_negative && v > INT32_MAX) e->has_wide = true;
}

static void enumerator(Front *f, EnumState *e)
{
    CcLoc loc = f->tok->loc;
    Ident *id = parse_ident(f, "an enumerator");
    Attrs ignored = {0};
    parse_attributes(f, &ignored);
    i64 v = e->next;
    bool is_unsigned = e->next_is_unsigned;
    if (parse_accept(f, P_ASSIGN)) {
        CcLoc at = f->tok->loc;
        Node *n = node_value(f, parse_cond(f));
        v = const_need_int(f, n, at, "an enumerator");
        is_unsigned = n->type->is_unsigned && v < 0;
    }
    if (id->binding && id->binding->depth == f->scope->depth) front_fail(f, loc, "'%s' is declared already", id->name);
    Binding *b = scope_bind(f, BIND_ENUM, id, loc);
    b->value = v;
    bool is_int = v >= INT32_MIN && v <= INT32_MAX && !is_unsigned;
    b->type = f->types[is_int ? TY_INT : is_unsigned ? TY_ULONG : v > 0 && v <= UINT32_MAX ? TY_UINT : TY_LONG];
    note_value(e, v, is_unsigned);
    e->next = (i64)((u64)v + 1);
    e->next_is_unsigned = is_unsigned || v == INT64_MAX;
}

Type *parse_enum(Front *f, CcLoc loc)
{
    Attrs attrs = {0};
    parse_attributes(f, &attrs);
    Ident *id = NULL;
    CcLoc id_loc = f->tok->loc;
    if (f->tok->kind == TK_IDENT) id = f->tok++->id;
    bool is_definition = f->tok->kind == P_LBRACE;
    if (!id && !is_definition) parse_unexpected(f, "a tag or '{'");
    Type *t = id ? find_tag(f, id, TY_ENUM, id_loc, is_definition) : NULL;
    if (!is_definition) {
        if (!t) front_fail(f, id_loc, "'enum %s' is not defined", id->name);
        return t;
    }
    if (t) front_fail(f, id_loc, "'enum %s' is defined already", id->name);
    f->tok++;
    t = declare_tag(f, id, TY_ENUM, id_loc);
    t->base = f->types[TY_INT]; // while the enumerators are read
    EnumState e = {0};
    while (f->tok->kind != P_RBRACE) {
        enumerator(f, &e);
        if (f->tok->kind != P_RBRACE) parse_expect(f, P_COMMA, "or '}'");
    }
    f->tok++;
    parse_attributes(f, &attrs);
    if (e.has_unsigned64 && e.has_negative) front_fail(f, loc, "no integer type holds all values of this enum");
    t->base = f->types[e.has_unsigned64 ? TY_ULONG : e.has_wide ? (e.has_negative ? TY_LONG : TY_ULONG) : e.has_negative ? TY_INT : TY_UINT];
    t->size = t->base->size;
    t->align = t->base->align;
    t->is_unsigned = t->base->is_unsigned;
    t->is_incomplete = false;
    type_complete(f, t);
    return t;
}
