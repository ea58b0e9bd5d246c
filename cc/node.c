// node.c: making nodes: places, values, addresses, and the conversions that C does by itself (as explicit casts).
#include "cc/front.h"

Node *node_new(Front *f, NodeKind kind, CcLoc loc, Type *type, Node *lhs, Node *rhs)
{
    Node *n = arena_new(f->arena, Node);
    n->kind = kind;
    n->loc = loc;
    n->type = type;
    n->lhs = lhs;
    n->rhs = rhs;
    node_depth(f, n, lhs);
    node_depth(f, n, rhs);
    return n;
}

void node_depth(Front *f, Node *n, const Node *child)
{
    if (!child || child->depth < n->depth) return;
    n->depth = (u16)(child->depth + 1);
    if (n->depth >= CC_MAX_DEPTH) front_fail(f, n->loc, "this is nested too deeply (more than %d levels)", CC_MAX_DEPTH);
}

Node *node_num(Front *f, CcLoc loc, Type *type, i64 value)
{
    Node *n = node_new(f, ND_NUM, loc, type, NULL, NULL);
    n->ival = value;
    return n;
}

static Node *node_flt(Front *f, CcLoc loc, Type *type, double value)
{
    Node *n = node_new(f, ND_FLT, loc, type, NULL, NULL);
    n->fval = value;
    return n;
}

Node *node_var(Front *f, CcLoc loc, Obj *var)
{
    Node *n = node_new(f, ND_VAR, loc, var->type, NULL, NULL);
    n->var = var;
    bool is_global = var->kind == OBJ_FUNC || var->kind == OBJ_GLOBAL;
    if (is_global && f->fn && !f->is_unevaluated && var->seen_by != f->fn_number) {
        var->seen_by = f->fn_number;
        vec_push(&f->refs, var);
    }
    return n;
}

Node *node_block(Front *f, CcLoc loc, u32 from)
{
    Node *n = node_new(f, ND_BLOCK, loc, NULL, NULL, NULL);
    n->n_stmts = f->stmts.len - from;
    n->stmts = arena_array(f->arena, Node *, n->n_stmts);
    for (u32 i = 0; i < n->n_stmts; i++) {
        n->stmts[i] = f->stmts.at[from + i];
        node_depth(f, n, n->stmts[i]);
    }
    f->stmts.len = from;
    return n;
}

// ---- Places -----------------------------------------------------------------------------------------------------------

bool node_is_place(const Node *n)
{
    while (n->kind == ND_COMMA) n = n->rhs;
    return n->kind == ND_VAR || n->kind == ND_DEREF || n->kind == ND_MEMBER;
}

// The variable whose memory the place is a part of; NULL behind a pointer.
static Obj *root_var(const Node *n)
{
    for (;;) {
        if (n->kind == ND_COMMA) n = n->rhs;
        else if (n->kind == ND_MEMBER) n = n->lhs;
        else return n->kind == ND_VAR ? n->var : NULL;
    }
}

static const Member *bitfield_of(const Node *place)
{
    while (place->kind == ND_COMMA) place = place->rhs;
    return place->kind == ND_MEMBER && place->member->is_bitfield ? place->member : NULL;
}

static Node *take_address(Front *f, Node *place, Type *type, CcLoc loc)
{
    Obj *var = root_var(place);
    if (var && !f->is_unevaluated) {
        if (var->asm_reg) front_fail(f, loc, "'%s' is in register %s and has no address", var->name, var->asm_reg);
        var->is_addr_taken = true;
    }
    return node_new(f, ND_ADDR, loc, type, place, NULL);
}

Node *node_addr(Front *f, Node *place, CcLoc loc)
{
    if (bitfield_of(place)) front_fail(f, loc, "a bit-field has no address");
    Type *type = type_ptr(f, place->type);
    if (place->kind != ND_DEREF) return take_address(f, place, type, loc);
    if (place->lhs->type->unqual == type) return place->lhs;
    Node *n = node_new(f, ND_CAST, loc, type, place->lhs, NULL);
    n->cast = CAST_PTR;
    return n;
}

Node *node_value(Front *f, Node *n)
{
    if (!node_is_place(n)) return n;
    Type *t = n->type;
    if (t->kind == TY_FUNC) return n->kind == ND_DEREF ? n->lhs : node_new(f, ND_ADDR, n->loc, type_ptr(f, t), n, NULL);
    if (t->kind == TY_ARRAY) {
        Type *ptr = type_ptr(f, t->base);
        if (n->kind != ND_DEREF) return take_address(f, n, ptr, n->loc);
        Node *cast = node_new(f, ND_CAST, n->loc, ptr, n->lhs, NULL);
        cast->cast = CAST_PTR;
        return cast;
    }
    if (t->is_incomplete) front_fail(f, n->loc, "the value of an incomplete type '%s' is needed here", type_text(f->arena, t));
    return node_new(f, ND_LOAD, n->loc, t->unqual, n, NULL);
}

Node *node_deref(Front *f, Node *ptr, CcLoc loc)
{
    if (ptr->type->kind != TY_PTR)
        front_fail(f, loc, "'*' needs a pointer, and this is '%s'", type_text(f->arena, ptr->type));
    Type *base = ptr->type->base;
    if (ptr->kind == ND_ADDR && ptr->lhs->type == base) return ptr->lhs;
    return node_new(f, ND_DEREF, loc, base, ptr, NULL);
}

Node *node_member(Front *f, Node *place, Member *m, CcLoc loc)
{
    if (!node_is_place(place)) { // a member of a struct value: through a temporary
        if (!f->fn) front_fail(f, loc, "a struct value cannot be used here");
        Obj *tmp = parse_new_local(f, NULL, place->type->unqual, loc);
        Node *set = node_new(f, ND_ASSIGN, loc, tmp->type, node_var(f, loc, tmp), place);
        place = node_new(f, ND_COMMA, loc, tmp->type, set, node_var(f, loc, tmp));
    }
    const Type *outer = place->type;
    Type *t = m->type;
    if (outer->is_const || outer->is_volatile) t = type_qualify(f, t, outer->is_const, outer->is_volatile);
    Node *n = node_new(f, ND_MEMBER, loc, t, place, NULL);
    n->member = m;
    return n;
}

Node *node_field(Front *f, Node *base, Ident *id, CcLoc loc)
{
    Type *t = base->type;
    if (!type_is_record(t))
        front_fail(f, loc, "'.%s' needs a struct or union, and this is '%s'", id->name, type_text(f->arena, t));
    if (t->is_incomplete) front_fail(f, loc, "'%s' is not defined yet", type_text(f->arena, t));
    Member *path[40];
    u32 n = 0;
    if (!type_find_member(t->unqual, id->name, path, &n))
        front_fail(f, loc, "'%s' has no member '%s'", type_text(f->arena, t->unqual), id->name);
    for (u32 i = 0; i < n; i++) base = node_member(f, base, path[i], loc);
    return base;
}

void node_check_modifiable(Front *f, const Node *place, CcLoc loc)
{
    if (!node_is_place(place)) front_fail(f, loc, "this value cannot be assigned to");
    const Type *t = place->type;
    if (t->kind == TY_FUNC || t->kind == TY_ARRAY)
        front_fail(f, loc, "%s cannot be assigned to", t->kind == TY_FUNC ? "a function" : "an array");
    if (t->is_const) front_fail(f, loc, "this is const and cannot be assigned to");
    if (t->is_incomplete || t->kind == TY_VOID)
        front_fail(f, loc, "a place of type '%s' cannot be assigned to", type_text(f->arena, t));
}

// ---- Conversions ------------------------------------------------------------------------------------------------------

bool node_is_null_const(const Node *n)
{
    i64 v;
    if (n->type->kind == TY_PTR) return n->kind == ND_NUM && n->ival == 0 && n->type->base->unqual->kind == TY_VOID;
    return type_is_integer(n->type) && !type_is_intcap(n->type) && const_int(n, &v) && v == 0;
}

static bool holds_address(const Type *t) { return t->kind == TY_PTR || type_is_intcap(t); }

static CastKind cast_kind(const Type *from, const Type *to)
{
    if (to->kind == TY_VOID) return CAST_VOID;
    if (to->kind == TY_BOOL) return CAST_BOOL;
    if (holds_address(from)) return holds_address(to) ? CAST_PTR : CAST_PTR_INT;
    if (type_is_float(from)) return type_is_float(to) ? CAST_FLT : CAST_FLT_INT;
    return holds_address(to) ? CAST_INT_PTR : type_is_float(to) ? CAST_INT_FLT : CAST_INT;
}

static Node *fold_cast(Front *f, Node *n, Type *to, CcLoc loc)
{
    if (n->kind == ND_NUM && type_is_float(to)) {
        if (n->type->size > 8 || holds_address(n->type)) return NULL;
        double v = n->type->is_unsigned ? (double)(u64)n->ival : (double)n->ival;
        if (to->kind == TY_FLOAT) v = n->type->is_unsigned ? (double)(float)(u64)n->ival : (double)(float)n->ival;
        return node_flt(f, loc, to, v);
    }
    if (n->kind == ND_NUM && to->kind != TY_VOID) {
        if (n->type->size > 8 && !holds_address(n->type)) return NULL;
        if (to->size > 8 && !holds_address(to) && n->ival < 0 && n->type->is_unsigned) return NULL;
        return node_num(f, loc, to, const_wrap(to, n->ival));
    }
    if (n->kind == ND_FLT && type_is_float(to)) return node_flt(f, loc, to, to->kind == TY_FLOAT ? (double)(float)n->fval : n->fval);
    return NULL;
}

// A conversion between scalars (or to void) that is known to be allowed.
static Node *make_cast(Front *f, Node *n, Type *to, CcLoc loc)
{
    to = to->unqual;
    if (n->type == to) return n;
    Node *folded = fold_cast(f, n, to, loc);
    if (folded) return folded;
    bool is_long_double = n->type->kind == TY_LDOUBLE || to->kind == TY_LDOUBLE;
    if (is_long_double && to->kind != TY_VOID)
        front_fail_hint(f, loc, "use double", "arithmetic on long double is not supported");
    if ((type_is_intcap(to) && type_is_float(n->type)) || (type_is_float(to) && type_is_intcap(n->type)))
        n = make_cast(f, n, f->types[TY_LONG], loc);
    Node *cast = node_new(f, ND_CAST, loc, to, n, NULL);
    cast->cast = cast_kind(n->type, to);
    return cast;
}

// The bit-field a value was just read from or written to; NULL if none.
static const Member *value_bitfield(const Node *n)
{
    if (n->kind == ND_LOAD || n->kind == ND_ASSIGN || n->kind == ND_UPDATE) return bitfield_of(n->lhs);
    if (n->kind == ND_OLD) return bitfield_of(n->owner->lhs);
    return NULL;
}

static void warn_no_provenance(Front *f, const Node *n, const Type *to, CcLoc loc)
{
    i64 v;
    if (!f->is_purecap || to->kind != TY_PTR || !type_is_integer(n->type) || type_is_intcap(n->type) || const_int(n, &v)) return;
    front_warn(f, loc, "cheri-capability-misuse",
               "a pointer made of '%s' has no provenance: using it will trap (convert through uintptr_t)",
               type_text(f->arena, n->type));
}

Node *node_cast(Front *f, Node *n, Type *to, CcLoc loc)
{
    if (to->kind == TY_VOID) return make_cast(f, n, to, loc);
    if (type_is_record(to) && type_same(n->type, to)) return n;
    if (!type_is_scalar(to) || !type_is_scalar(n->type))
        front_fail(f, loc, "'%s' cannot be cast to '%s'", type_text(f->arena, n->type), type_text(f->arena, to));
    if ((to->kind == TY_PTR && type_is_float(n->type)) || (n->type->kind == TY_PTR && type_is_float(to)))
        front_fail(f, loc, "'%s' cannot be cast to '%s'", type_text(f->arena, n->type), type_text(f->arena, to));
    warn_no_provenance(f, n, to, loc);
    if (value_bitfield(n) && n->type == to->unqual) { // no promotion as a bit-field any more
        Node *cast = node_new(f, ND_CAST, loc, to->unqual, n, NULL);
        cast->cast = to->kind == TY_BOOL ? CAST_BOOL : CAST_INT;
        return cast;
    }
    return make_cast(f, n, to, loc);
}

// Types that differ only in signedness or in inner qualifiers: the conversion is a warning, else an error.
static bool nearly_same(const Type *a, const Type *b)
{
    for (; a->kind == TY_PTR && b->kind == TY_PTR; a = a->base, b = b->base) continue;
    return type_same(a, b) || (type_is_integer(a) && type_is_integer(b) && a->size == b->size && a->is_cap == b->is_cap);
}

// What a failed conversion was for. NULL: the argument that node_argument noted.
static const char *purpose(Front *f, const char *what)
{
    return what ? what : arena_printf(f->arena, "argument %u of '%s'", f->arg_number, f->arg_callee);
}

static Node *convert_pointer(Front *f, Node *n, Type *to, CcLoc loc, const char *what)
{
    const Type *from = n->type->base, *base = to->base;
    bool is_void = from->kind == TY_VOID || base->kind == TY_VOID;
    if (!is_void && !type_same(from, base)) {
        if (!nearly_same(from, base))
            front_fail_hint(f, loc, "if it is meant, write a cast", "%s: '%s' is not '%s'", purpose(f, what), type_text(f->arena, n->type),
                            type_text(f->arena, to));
        front_warn(f, loc, "pointer-sign", "%s: '%s' is not '%s'", purpose(f, what), type_text(f->arena, n->type), type_text(f->arena, to));
    }
    if ((from->is_const && !base->is_const) || (from->is_volatile && !base->is_volatile))
        front_warn(f, loc, "discarded-qualifiers", "%s: '%s' loses a qualifier as '%s'", purpose(f, what), type_text(f->arena, n->type),
                   type_text(f->arena, to));
    return make_cast(f, n, to, loc);
}

Node *node_convert(Front *f, Node *n, Type *to, CcLoc loc, const char *what)
{
    const Type *from = n->type;
    if (from->unqual == to->unqual && to->kind != TY_VOID) return n;
    if (type_is_arith(from) && type_is_arith(to)) return make_cast(f, n, to, loc);
    if (to->kind == TY_PTR && node_is_null_const(n)) return node_num(f, loc, to->unqual, 0);
    if (to->kind == TY_PTR && from->kind == TY_PTR) return convert_pointer(f, n, to, loc, what);
    if (to->kind == TY_BOOL && from->kind == TY_PTR) return make_cast(f, n, to, loc);
    if (from->kind == TY_VOID) front_fail(f, loc, "%s: this has no value (type void)", purpose(f, what));
    const char *hint = "write a cast if it is meant";
    bool is_mix = (to->kind == TY_PTR && type_is_integer(from)) || (from->kind == TY_PTR && type_is_integer(to));
    if (is_mix)
        front_fail_hint(f, loc, hint, "%s: '%s' does not become '%s' by itself", purpose(f, what), type_text(f->arena, from), type_text(f->arena, to));
    front_fail(f, loc, "%s: '%s' cannot become '%s'", purpose(f, what), type_text(f->arena, from), type_text(f->arena, to));
}

Node *node_argument(Front *f, Node *n, Type *to, CcLoc loc, const char *callee, u32 number)
{
    f->arg_callee = callee;
    f->arg_number = number;
    return node_convert(f, n, to, loc, NULL);
}

Node *node_promote(Front *f, Node *n)
{
    const Member *m = value_bitfield(n);
    if (m && m->bit_width < 32 + !n->type->is_unsigned && !type_is_intcap(n->type)) return make_cast(f, n, f->types[TY_INT], n->loc);
    return type_is_integer(n->type) ? make_cast(f, n, type_promote(f, n->type), n->loc) : n;
}

Node *node_scalar(Front *f, Node *n, CcLoc loc)
{
    if (!type_is_scalar(n->type)) front_fail(f, loc, "a number or pointer is needed here, not '%s'", type_text(f->arena, n->type));
    return n;
}
