// init.c: initialisers. A walk over the type and the tokens together (C11 6.7.9); each value found is stored at once:
// for globals as bytes and relocations, for locals as an assignment statement to the place that the path describes.
//
//     struct { int a[3]; char *s; } x = { {1, [2] = 3}, "hi" };
//     global: bytes 01 00 00 00 00 00 00 00 03 00 00 00 …, relocation at 16 to .str.0
//     local:  ZERO x; x.a[0] = 1; x.a[2] = 3; x.s = &.str.0
#include "cc/front.h"

#include "base/bits.h"

enum {
    MAX_PATH = 64,
    MAX_RANGE = 1 << 16,  // of [a ... b] in a local variable
    MIN_IMAGE_STORES = 8, // from so many constant stores on, a local is copied from a constant image
};
static const u64 MAX_DATA = 1ull << 30;

typedef struct Step { // one step from an object to its part
    Member *member;   // NULL: element `index` of an array
    u64 index;
} Step;

typedef struct Init {
    Front *f;
    Obj *obj;
    bool is_global;
    CcLoc loc;     // of the value being stored
    Node *pending; // a value that is read already, for the next scalar
    u64 top_len;   // elements seen of an outermost array without length
    // globals
    u64 data_cap, data_end;
    u32 relocs_cap;
    // locals
    Step path[MAX_PATH];
    u32 n_path;
    u64 n_covered; // bytes assigned so far
    u64 last_end;  // where the last assigned part ended: stores that go back make the sum useless
    u32 n_stores;
    bool all_const, needs_zero;
} Init;

// ---- Global data --------------------------------------------------------------------------------------------------------------

static u8 *bytes_at(Init *in, u64 offset, u64 size)
{
    Obj *o = in->obj;
    u64 end = offset + size;
    if (end > MAX_DATA) front_fail(in->f, in->loc, "this initialiser is too large");
    if (end > in->data_cap || !o->data) {
        u64 cap = in->data_cap ? in->data_cap : 64;
        if (cap < o->type->size && o->type->size <= MAX_DATA) cap = o->type->size;
        while (cap < end) cap *= 2;
        u8 *data = arena_alloc(in->f->arena, cap);
        if (o->data) memcpy(data, o->data, in->data_cap);
        o->data = data;
        in->data_cap = cap;
    }
    if (end > in->data_end) in->data_end = end;
    return o->data + offset;
}

// Index of the first relocation at or behind offset.
static u32 reloc_index(const Obj *o, u64 offset)
{
    u32 lo = 0, hi = o->n_relocs;
    if (hi && o->relocs[hi - 1].offset < offset) return hi;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (o->relocs[mid].offset < offset) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

// A later initialiser of the same bytes wins.
static void forget_relocs(Obj *o, u64 offset, u64 size)
{
    u32 from = reloc_index(o, offset), to = from;
    while (to < o->n_relocs && o->relocs[to].offset < offset + size) to++;
    if (to == from) return;
    memmove(o->relocs + from, o->relocs + to, (o->n_relocs - to) * sizeof *o->relocs);
    o->n_relocs -= to - from;
}

static void add_reloc(Init *in, Reloc r)
{
    Obj *o = in->obj;
    if (o->n_relocs == in->relocs_cap) {
        u32 cap = in->relocs_cap ? in->relocs_cap * 2 : 8;
        Reloc *relocs = arena_array(in->f->arena, Reloc, cap);
        if (o->n_relocs) memcpy(relocs, o->relocs, o->n_relocs * sizeof *relocs);
        o->relocs = relocs;
        in->relocs_cap = cap;
    }
    u32 at = reloc_index(o, r.offset);
    memmove(o->relocs + at + 1, o->relocs + at, (o->n_relocs - at) * sizeof *o->relocs);
    o->relocs[at] = r;
    o->n_relocs++;
}

static void store_address(Init *in, const Type *t, u64 offset, const ConstVal *v)
{
    Reloc r = {.offset = offset, .sym = v->label ? in->f->fn : v->sym, .label = v->label, .label2 = v->label2, .addend = v->ival};
    r.size = (u8)t->size;
    r.kind = v->label2 ? RELOC_LABEL_DIFF : t->kind == TY_PTR || type_is_intcap(t) ? RELOC_PTR : RELOC_ADDR;
    if (r.kind == RELOC_ADDR && t->size != 8) front_fail(in->f, in->loc, "an address does not fit into '%s'", type_text(in->f->arena, t));
    bytes_at(in, offset, t->size);
    add_reloc(in, r);
}

static void store_bits(Init *in, const Member *m, u64 offset, u64 v)
{
    u32 bytes = (u32)m->type->size;
    u8 *at = bytes_at(in, offset, bytes);
    u64 old = bits_load(at, bytes);
    bits_store(at, bits_set(old, m->bit_off + m->bit_width - 1u, m->bit_off, v), bytes);
}

// A struct value can only be the (constant) compound literal at file scope.
static void store_record(Init *in, u64 offset, const Node *value)
{
    const Obj *from = value->kind == ND_LOAD && value->lhs->kind == ND_VAR ? value->lhs->var : NULL;
    if (!from || from->kind != OBJ_GLOBAL || !from->is_static || from->name[0] != '.')
        front_fail(in->f, in->loc, "this initialiser is not a constant");
    u8 *at = bytes_at(in, offset, from->type->size);
    if (from->data) memcpy(at, from->data, from->type->size);
    for (u32 i = 0; i < from->n_relocs; i++) {
        Reloc r = from->relocs[i];
        r.offset += offset;
        add_reloc(in, r);
    }
}

static void store_global(Init *in, Type *t, const Member *bits, u64 offset, Node *value)
{
    forget_relocs(in->obj, offset, t->size);
    if (type_is_record(t)) {
        store_record(in, offset, value);
        return;
    }
    ConstVal v;
    if (!const_eval(value, &v)) front_fail(in->f, in->loc, "this initialiser is not a constant");
    if (bits) {
        if (v.sym || v.label) front_fail(in->f, in->loc, "an address does not fit into a bit-field");
        store_bits(in, bits, offset, (u64)v.ival);
    } else if (t->kind == TY_FLOAT) {
        float x = (float)v.fval;
        memcpy(bytes_at(in, offset, 4), &x, 4);
    } else if (t->kind == TY_DOUBLE) {
        memcpy(bytes_at(in, offset, 8), &v.fval, 8);
    } else if (t->kind == TY_LDOUBLE) {
        front_fail_hint(in->f, in->loc, "use double", "long double values are not supported");
    } else if (v.sym || v.label) {
        store_address(in, t, offset, &v);
    } else {
        u8 *at = bytes_at(in, offset, t->size);
        u32 low = t->size < 8 ? (u32)t->size : 8;
        bits_store(at, (u64)v.ival, low);
        if (t->size == 16) memset(at + 8, t->is_cap || v.ival >= 0 || value->type->is_unsigned ? 0 : 0xff, 8);
    }
}

// ---- Local stores ---------------------------------------------------------------------------------------------------------------

static Node *path_place(Init *in)
{
    Front *f = in->f;
    Node *n = node_var(f, in->loc, in->obj);
    for (u32 i = 0; i < in->n_path; i++) {
        const Step *s = &in->path[i];
        if (s->member) {
            n = node_member(f, n, s->member, in->loc);
        } else {
            Node *index = node_num(f, in->loc, f->types[TY_LONG], (i64)s->index);
            n = node_deref(f, node_add(f, node_value(f, n), index, in->loc, false), in->loc);
        }
    }
    return n;
}

static void push_expr(Front *f, Node *n)
{
    vec_push(&f->stmts, node_new(f, ND_EXPR, n->loc, NULL, n, NULL));
}

static void cover(Init *in, u64 offset, u64 size)
{
    in->needs_zero |= offset < in->last_end;
    in->last_end = offset + size;
    in->n_covered += size;
}

static void store_local(Init *in, Type *t, const Member *bits, u64 offset, Node *value)
{
    Front *f = in->f;
    ConstVal v;
    in->all_const &= !type_is_record(t) && const_eval(value, &v);
    in->needs_zero |= bits != NULL;
    in->n_stores++;
    cover(in, offset, t->size);
    push_expr(f, node_new(f, ND_ASSIGN, in->loc, t->unqual, path_place(in), value));
}

static void store(Init *in, Type *t, const Member *bits, u64 offset, Node *value)
{
    value = node_convert(in->f, value, t, in->loc, "initialiser");
    if (in->is_global) store_global(in, t, bits, offset, value);
    else store_local(in, t, bits, offset, value);
}

// ---- Strings --------------------------------------------------------------------------------------------------------------------

static bool is_string_for(const Init *in, const Type *t, const Token *tok)
{
    if (in->pending || t->kind != TY_ARRAY || !type_is_integer(t->base)) return false;
    while (tok->kind == P_LPAREN) tok++;
    return tok->kind == TK_STR && t->base->size <= 4;
}

static Node *copy_call(Init *in, Node *to, Obj *from, u64 size)
{
    Front *f = in->f;
    Node *n = node_new(f, ND_BUILTIN, in->loc, type_ptr(f, f->types[TY_VOID]), NULL, NULL);
    n->builtin = BI_MEMCPY;
    n->n_args = 3;
    n->args = arena_array(f->arena, Node *, 3);
    n->args[0] = node_addr(f, to, in->loc);
    n->args[1] = node_addr(f, node_var(f, in->loc, from), in->loc);
    n->args[2] = node_num(f, in->loc, f->types[TY_ULONG], (i64)size);
    for (u32 i = 0; i < 3; i++) node_depth(f, n, n->args[i]);
    return n;
}

// Returns the number of elements of the string with its final zero.
static u64 string_init(Init *in, Type *t, u64 offset)
{
    Front *f = in->f;
    u32 n_parens = 0;
    in->loc = f->tok->loc;
    for (; parse_accept(f, P_LPAREN); n_parens++) continue;
    u64 n_units;
    TypeKind kind;
    u8 *bytes = lit_strings(f, &n_units, &kind);
    while (n_parens--) parse_expect(f, P_RPAREN, "");
    u64 size = f->types[kind]->size;
    if (size != t->base->size)
        front_fail(f, in->loc, "this string has elements of another size than '%s'", type_text(f->arena, t));
    u64 len = n_units;
    if (!t->is_incomplete && len > t->array_len) {
        if (len > t->array_len + 1) front_warn(f, in->loc, "excess-initializers", "this string is longer than its array");
        len = t->array_len;
    }
    if (in->is_global) {
        forget_relocs(in->obj, offset, len * size);
        u8 *at = bytes_at(in, offset, len * size);
        memcpy(at, bytes, len * size);
        return n_units;
    }
    in->all_const = false;
    cover(in, offset, len * size);
    if (t->is_incomplete) in->obj->type = type_array(f, t->base, n_units, false);
    push_expr(f, copy_call(in, path_place(in), lit_string_obj(f, bytes, n_units, kind), len * size));
    return n_units;
}

// ---- The walk -------------------------------------------------------------------------------------------------------------------

static void init_any(Init *in, Type *t, const Member *bits, u64 offset);

static bool is_designator(const Token *t)
{
    return t->kind == P_DOT || t->kind == P_LBRACK || (t->kind == TK_IDENT && t[1].kind == P_COLON);
}

static void step_in(Init *in, Step s)
{
    if (in->n_path == MAX_PATH) front_fail(in->f, in->f->tok->loc, "this initialiser is nested too deeply");
    in->path[in->n_path++] = s;
}

static Member *skip_unnamed(Member *m)
{
    while (m && m->is_bitfield && !m->name) m = m->next;
    return m;
}

typedef struct Cursor { // where the next value of an array, struct or union goes
    Type *type;
    u64 offset, index;
    Member *member;
} Cursor;

static bool at_end(const Cursor *c)
{
    if (c->type->kind == TY_ARRAY) return !c->type->is_incomplete && c->index >= c->type->array_len;
    return !c->member;
}

static void advance(Cursor *c)
{
    if (c->type->kind == TY_ARRAY) c->index++;
    else c->member = c->type->kind == TY_UNION ? NULL : skip_unnamed(c->member->next);
}

static void note_length(Init *in, const Cursor *c)
{
    if (c->type->kind == TY_ARRAY && c->type->is_incomplete && in->n_path == 0 && c->index + 1 > in->top_len) in->top_len = c->index + 1;
}

static void items(Init *in, Type *t, u64 offset, bool is_braced, bool has_designator);

// The element at the cursor. `goes_on`: further designators follow (.a.b, [1][2]).
static void element(Init *in, const Cursor *c, bool goes_on)
{
    Type *t;
    u64 offset = c->offset;
    const Member *bits = NULL;
    note_length(in, c);
    if (c->type->kind == TY_ARRAY) {
        t = c->type->base;
        if (t->size && c->index > MAX_DATA * 1024 / t->size) front_fail(in->f, in->f->tok->loc, "this initialiser is too large");
        offset += c->index * t->size;
        step_in(in, (Step){NULL, c->index});
    } else {
        t = c->member->type;
        offset += c->member->offset;
        if (c->member->is_bitfield) bits = c->member;
        step_in(in, (Step){c->member, 0});
    }
    if (t->kind == TY_ARRAY && t->is_incomplete && !in->is_global)
        front_fail(in->f, in->f->tok->loc, "a flexible array member of a local variable cannot be initialised");
    if (goes_on) items(in, t, offset, false, true);
    else init_any(in, t, bits, offset);
    in->n_path--;
}

// Copies the bytes and relocations of element `first` to the elements behind it, to `last`.
static void repeat_global(Init *in, const Cursor *c, u64 first, u64 last)
{
    u64 size = c->type->base->size, from = c->offset + first * size;
    u32 at = reloc_index(in->obj, from), n = reloc_index(in->obj, from + size) - at;
    if ((last - first) > MAX_DATA / (size ? size : 1)) front_fail(in->f, in->loc, "this initialiser is too large");
    bytes_at(in, from, size); // may be all zero and not there yet
    for (u64 i = first + 1; i <= last; i++) {
        u64 to = c->offset + i * size;
        forget_relocs(in->obj, to, size);
        u8 *bytes = bytes_at(in, to, size);
        memcpy(bytes, in->obj->data + from, size);
        for (u32 k = 0; k < n; k++) {
            Reloc r = in->obj->relocs[at + k];
            r.offset += to - from;
            add_reloc(in, r);
        }
    }
}

static void array_designator(Init *in, Cursor *c)
{
    Front *f = in->f;
    CcLoc loc = f->tok++->loc;
    if (c->type->kind != TY_ARRAY) front_fail(f, loc, "'[' in an initialiser of '%s', which is no array", type_text(f->arena, c->type));
    i64 first = parse_const_int(f, "an index"), last = first;
    if (parse_accept(f, P_ELLIPSIS)) last = parse_const_int(f, "an index");
    parse_expect(f, P_RBRACK, "");
    bool is_outside = !c->type->is_incomplete && (u64)last >= c->type->array_len;
    if (first < 0 || last < first || is_outside) front_fail(f, loc, "this index is outside the array");
    c->index = (u64)first;
    bool goes_on = is_designator(f->tok);
    if (!goes_on) parse_accept(f, P_ASSIGN); // GNU: may be left out
    Token *start = f->tok;
    element(in, c, goes_on);
    if (last == first) return;
    if (in->is_global && !goes_on) {
        repeat_global(in, c, (u64)first, (u64)last);
        c->index = (u64)last;
        note_length(in, c);
        return;
    }
    if (last - first > MAX_RANGE) front_fail(f, loc, "this range is too large for a local variable");
    while (c->index < (u64)last) {
        c->index++;
        f->tok = start;
        element(in, c, goes_on);
    }
}

static void member_designator(Init *in, Cursor *c)
{
    Front *f = in->f;
    bool is_old = f->tok->kind == TK_IDENT; // GNU: name: value
    CcLoc loc = f->tok->loc;
    if (!is_old) f->tok++;
    Ident *id = parse_ident(f, "the name of a member");
    if (is_old) parse_expect(f, P_COLON, "");
    if (!type_is_record(c->type)) front_fail(f, loc, "'.%s' in an initialiser of '%s'", id->name, type_text(f->arena, c->type));
    Member *path[40];
    u32 n = 0;
    if (!type_find_member(c->type->unqual, id->name, path, &n))
        front_fail(f, loc, "'%s' has no member '%s'", type_text(f->arena, c->type), id->name);
    c->member = path[0];
    if (n > 1) { // inside an anonymous member: read the name again there
        f->tok -= 2;
        element(in, c, true);
        return;
    }
    bool goes_on = is_designator(f->tok) && !is_old;
    if (!goes_on && !is_old) parse_accept(f, P_ASSIGN);
    element(in, c, goes_on);
}

static bool next_item(Front *f, const Cursor *c, bool is_braced)
{
    if (is_braced) return parse_accept(f, P_COMMA);
    if (at_end(c) || f->tok->kind != P_COMMA) return false;
    if (f->tok[1].kind == P_RBRACE || is_designator(f->tok + 1)) return false;
    f->tok++;
    return true;
}

// The values of an array, struct or union: up to '}' if braced, else as many as it takes.
static void items(Init *in, Type *t, u64 offset, bool is_braced, bool has_designator)
{
    Front *f = in->f;
    front_enter(f, f->tok->loc);
    Cursor c = {.type = t, .offset = offset, .member = type_is_record(t) ? skip_unnamed(t->members) : NULL};
    if (!is_braced && !has_designator && at_end(&c) && !in->pending) front_fail(f, f->tok->loc, "nothing can be initialised here");
    do {
        if (is_braced && f->tok->kind == P_RBRACE) break;
        bool designates = !in->pending && is_designator(f->tok) && (is_braced || has_designator);
        has_designator = false;
        if (designates) {
            if (f->tok->kind == P_LBRACK) array_designator(in, &c);
            else member_designator(in, &c);
        } else {
            if (at_end(&c)) front_fail(f, f->tok->loc, "too many values for '%s'", type_text(f->arena, t));
            element(in, &c, false);
        }
        advance(&c);
    } while (next_item(f, &c, is_braced));
    front_leave(f);
}

static void braced(Init *in, Type *t, const Member *bits, u64 offset)
{
    Front *f = in->f;
    f->tok++;
    if (is_string_for(in, t, f->tok)) {
        u64 n = string_init(in, t, offset);
        if (t->is_incomplete && in->n_path == 0) in->top_len = n;
        parse_accept(f, P_COMMA);
    } else if (t->kind == TY_ARRAY || type_is_record(t)) {
        in->needs_zero |= f->tok->kind == P_RBRACE;
        items(in, t, offset, true, false);
    } else if (f->tok->kind == P_RBRACE) {
        in->pending = node_num(f, f->tok->loc, f->types[TY_INT], 0);
        init_any(in, t, bits, offset);
    } else {
        front_enter(f, f->tok->loc);
        init_any(in, t, bits, offset);
        front_leave(f);
        parse_accept(f, P_COMMA);
    }
    parse_expect(f, P_RBRACE, "at the end of this initialiser");
}

static void init_any(Init *in, Type *t, const Member *bits, u64 offset)
{
    Front *f = in->f;
    if (!in->pending && f->tok->kind == P_LBRACE) {
        braced(in, t, bits, offset);
        return;
    }
    if (is_string_for(in, t, f->tok)) {
        u64 n = string_init(in, t, offset);
        if (t->is_incomplete && in->n_path == 0) in->top_len = n;
        return;
    }
    if (!in->pending) {
        in->loc = f->tok->loc;
        in->pending = parse_assign_value(f);
    }
    bool takes_whole = type_is_scalar(t) || (type_is_record(t) && type_same(in->pending->type, t));
    if (takes_whole) {
        Node *value = in->pending;
        in->pending = NULL;
        store(in, t, bits, offset, value);
        return;
    }
    if (in->n_path == 0) // an initialiser without braces for a whole array or struct
        front_fail(f, in->loc, "'%s' cannot be initialised with '%s'", type_text(f->arena, t), type_text(f->arena, in->pending->type));
    items(in, t, offset, false, false);
}

// ---- Entry points ---------------------------------------------------------------------------------------------------------------

static Type *complete(Init *in, Type *t)
{
    if (t->kind != TY_ARRAY || !t->is_incomplete) return t;
    return type_array(in->f, t->base, in->top_len, false);
}

void init_global(Front *f, Obj *obj)
{
    Init in = {.f = f, .obj = obj, .is_global = true};
    if (obj->type->kind == TY_FUNC || (obj->type->is_incomplete && obj->type->kind != TY_ARRAY))
        front_fail(f, f->tok->loc, "'%s' cannot be initialised", type_text(f->arena, obj->type));
    init_any(&in, obj->type, NULL, 0);
    obj->type = complete(&in, obj->type);
    obj->data_size = in.data_end > obj->type->size ? in.data_end : obj->type->size;
    if (obj->data_size > MAX_DATA && obj->data) front_fail(f, in.loc, "this initialiser is too large");
    if (obj->data) bytes_at(&in, 0, obj->data_size);
}

// Replaces the stores of a large constant initialiser by a copy of a constant object.
static void use_image(Init *in, Token *start, u32 first_stmt)
{
    Front *f = in->f;
    Token *end = f->tok;
    Obj *o = in->obj;
    Obj *image = parse_new_obj(f, OBJ_GLOBAL, arena_printf(f->arena, ".init.%u", f->n_anon++), o->type, o->loc);
    image->is_static = image->is_defined = image->is_const = true;
    f->tok = start;
    init_global(f, image);
    f->tok = end;
    f->stmts.len = first_stmt;
    in->n_path = 0;
    push_expr(f, copy_call(in, node_var(f, o->loc, o), image, o->type->size));
}

void init_local(Front *f, Obj *obj)
{
    if (obj->type->is_incomplete && obj->type->kind != TY_ARRAY)
        front_fail(f, f->tok->loc, "'%s' cannot be initialised", type_text(f->arena, obj->type));
    Init in = {.f = f, .obj = obj, .all_const = true, .loc = f->tok->loc};
    bool is_aggregate = obj->type->kind == TY_ARRAY || (type_is_record(obj->type) && f->tok->kind == P_LBRACE);
    bool was_incomplete = obj->type->is_incomplete;
    Token *start = f->tok;
    u32 first = f->stmts.len;
    if (is_aggregate) {
        Node *zero = node_new(f, ND_ZERO, in.loc, NULL, node_var(f, in.loc, obj), NULL);
        vec_push(&f->stmts, zero);
    }
    init_any(&in, obj->type, NULL, 0);
    obj->type = was_incomplete && !obj->type->is_incomplete ? obj->type : complete(&in, obj->type);
    if (!is_aggregate) return;
    if (obj->type->kind == TY_ARRAY) obj->is_addr_taken = true;
    f->stmts.at[first]->lhs->type = obj->type;
    if (in.all_const && in.n_stores >= MIN_IMAGE_STORES && !f->is_unevaluated) {
        use_image(&in, start, first);
    } else if (in.n_covered >= obj->type->size && !in.needs_zero) {
        memmove(f->stmts.at + first, f->stmts.at + first + 1, (f->stmts.len - first - 1) * sizeof *f->stmts.at);
        f->stmts.len--;
    }
}

Node *init_compound_literal(Front *f, Type *type, CcLoc loc)
{
    if (type->kind == TY_FUNC || type->kind == TY_VOID) front_fail(f, loc, "a value of type '%s' cannot be made", type_text(f->arena, type));
    if (!f->fn) {
        Obj *o = parse_new_obj(f, OBJ_GLOBAL, arena_printf(f->arena, ".compound.%u", f->n_anon++), type, loc);
        o->is_static = o->is_defined = true;
        init_global(f, o);
        o->is_const = type->is_const;
        return node_var(f, loc, o);
    }
    Obj *o = parse_new_local(f, NULL, type, loc);
    u32 base = f->stmts.len;
    Node *decl = node_new(f, ND_DECL, loc, NULL, NULL, NULL);
    decl->var = o;
    vec_push(&f->stmts, decl);
    init_local(f, o);
    Node *set = node_new(f, ND_STMT_EXPR, loc, f->types[TY_VOID], NULL, NULL);
    set->body = node_block(f, loc, base);
    node_depth(f, set, set->body);
    return node_new(f, ND_COMMA, loc, o->type, set, node_var(f, loc, o));
}
