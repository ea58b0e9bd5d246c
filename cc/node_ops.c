// node_ops.c: operators: their operand conversions, their result types, and which side of an __intcap operation gives
// the capability.
#include "cc/front.h"

// An operation on numbers becomes a number.
static Node *fold(Front *f, Node *n)
{
    ConstVal v;
    if (!type_is_integer(n->type) || n->type->size > 8 || !const_eval(n, &v) || v.sym || v.label) return n;
    return node_num(f, n->loc, n->type, v.ival);
}

static bool is_number(const Node *n) { return n->kind == ND_NUM || n->kind == ND_FLT; }

static const char *op_text(NodeKind op)
{
    static const char *const text[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"};
    return op >= ND_ADD && op <= ND_SHR ? text[op - ND_ADD] : "?";
}

_Noreturn static void bad_operands(Front *f, const char *op, const Node *a, const Node *b, CcLoc loc)
{
    front_fail(f, loc, "'%s' does not work on '%s' and '%s'", op, type_text(f->arena, a->type), type_text(f->arena, b->type));
}

static void refuse_long_double(Front *f, const Type *t, CcLoc loc)
{
    if (t->kind == TY_LDOUBLE) front_fail_hint(f, loc, "use double", "arithmetic on long double is not supported");
}

// ---- __intcap -----------------------------------------------------------------------------------------------------------

// True if the value certainly has no provenance: a constant, or made from an ordinary integer.
static bool lacks_provenance(const Node *n)
{
    if (!type_is_intcap(n->type) || n->kind == ND_NUM) return true;
    if (n->kind == ND_CAST) return n->cast == CAST_INT_PTR || (n->cast == CAST_PTR && lacks_provenance(n->lhs));
    if (n->kind >= ND_ADD && n->kind <= ND_SHR) return lacks_provenance(n->lhs) && lacks_provenance(n->rhs);
    if (n->kind == ND_NEG || n->kind == ND_NOT) return lacks_provenance(n->lhs);
    return n->kind == ND_LOAD && n->lhs->kind == ND_VAR && n->lhs->var->is_no_provenance;
}

// A side of an __intcap operation: itself if it is a capability, else a 64-bit integer.
static Node *intcap_side(Front *f, Node *n, const Type *result, CcLoc loc)
{
    if (type_is_intcap(n->type)) return n->type == result ? n : node_cast(f, n, f->types[result->kind], loc);
    return node_cast(f, n, f->types[result->is_unsigned ? TY_ULONG : TY_LONG], loc);
}

static Node *intcap_binary(Front *f, NodeKind op, Node *a, Node *b, Type *result, CcLoc loc, bool is_compound)
{
    bool from_b = lacks_provenance(a) && !lacks_provenance(b) && !is_compound;
    bool is_commutative = op == ND_ADD || op == ND_MUL || op == ND_AND || op == ND_OR || op == ND_XOR;
    if (is_commutative && !is_compound && !lacks_provenance(a) && !lacks_provenance(b))
        front_warn(f, loc, "cheri-provenance", "both sides of '%s' carry provenance: the left one is used", op_text(op));
    a = intcap_side(f, a, result, loc);
    b = intcap_side(f, b, result, loc);
    if (from_b ? !type_is_intcap(b->type) : !type_is_intcap(a->type)) {
        // Nothing has provenance: the result is null-derived. Keep the rule that `prov` names an __intcap side.
        if (type_is_intcap(b->type)) from_b = true;
        else a = node_cast(f, a, result, loc);
    }
    Node *n = node_new(f, op, loc, result, a, b);
    n->prov = from_b;
    return n;
}

// ---- Arithmetic -----------------------------------------------------------------------------------------------------------

static Node *shift(Front *f, NodeKind op, Node *a, Node *b, CcLoc loc)
{
    if (!type_is_integer(a->type) || !type_is_integer(b->type)) bad_operands(f, op_text(op), a, b, loc);
    a = node_promote(f, a);
    b = node_promote(f, b);
    b = node_cast(f, b, f->types[b->type->size > 4 ? TY_LONG : TY_INT], loc);
    Node *n = node_new(f, op, loc, a->type, a, b);
    return is_number(a) && is_number(b) ? fold(f, n) : n;
}

Node *node_binary(Front *f, NodeKind op, Node *a, Node *b, CcLoc loc, bool is_compound)
{
    if (op == ND_SHL || op == ND_SHR) return shift(f, op, a, b, loc);
    bool needs_int = op == ND_MOD || op == ND_AND || op == ND_OR || op == ND_XOR;
    bool is_ok = needs_int ? type_is_integer(a->type) && type_is_integer(b->type) : type_is_arith(a->type) && type_is_arith(b->type);
    if (!is_ok) bad_operands(f, op_text(op), a, b, loc);
    a = node_promote(f, a);
    b = node_promote(f, b);
    Type *t = type_usual(f, a->type, b->type);
    refuse_long_double(f, t, loc);
    if (type_is_intcap(t)) return intcap_binary(f, op, a, b, t, loc, is_compound);
    a = node_cast(f, a, t, loc);
    b = node_cast(f, b, t, loc);
    Node *n = node_new(f, op, loc, t, a, b);
    return is_number(a) && is_number(b) ? fold(f, n) : n;
}

static u64 step_of(Front *f, const Type *ptr, CcLoc loc)
{
    const Type *base = ptr->base;
    if (base->kind == TY_VOID || base->kind == TY_FUNC) return 1; // GNU
    if (base->is_incomplete) front_fail(f, loc, "arithmetic on a pointer to an incomplete type '%s'", type_text(f->arena, base));
    return base->size;
}

static Node *pointer_add(Front *f, Node *ptr, Node *index, CcLoc loc)
{
    index = node_promote(f, index);
    bool is_wide = index->type->is_unsigned && index->type->size >= 8;
    index = node_cast(f, index, f->types[is_wide ? TY_ULONG : TY_LONG], loc);
    Node *n = node_new(f, ND_PTRADD, loc, ptr->type->unqual, ptr, index);
    n->scale = step_of(f, ptr->type, loc);
    return n;
}

Node *node_add(Front *f, Node *a, Node *b, CcLoc loc, bool is_compound)
{
    if (a->type->kind == TY_PTR && type_is_integer(b->type)) return pointer_add(f, a, b, loc);
    if (b->type->kind == TY_PTR && type_is_integer(a->type) && !is_compound) return pointer_add(f, b, a, loc);
    return node_binary(f, ND_ADD, a, b, loc, is_compound);
}

Node *node_sub(Front *f, Node *a, Node *b, CcLoc loc, bool is_compound)
{
    if (a->type->kind != TY_PTR) return node_binary(f, ND_SUB, a, b, loc, is_compound);
    if (type_is_integer(b->type)) {
        b = node_cast(f, node_promote(f, b), f->types[TY_LONG], loc);
        return pointer_add(f, a, node_unary(f, ND_NEG, b, loc), loc);
    }
    if (b->type->kind != TY_PTR || !type_same(a->type->base, b->type->base)) bad_operands(f, "-", a, b, loc);
    Node *n = node_new(f, ND_PTRDIFF, loc, f->types[TY_LONG], a, b);
    n->scale = step_of(f, a->type, loc);
    if (n->scale == 0) n->scale = 1; // pointers to empty structs
    return n;
}

Node *node_unary(Front *f, NodeKind op, Node *a, CcLoc loc)
{
    if (op == ND_LNOT) {
        Node *n = node_new(f, op, loc, f->types[TY_INT], node_scalar(f, a, loc), NULL);
        return a->kind == ND_NUM ? fold(f, n) : n;
    }
    bool is_ok = op == ND_NOT ? type_is_integer(a->type) : type_is_arith(a->type);
    if (!is_ok) front_fail(f, loc, "'%c' does not work on '%s'", op == ND_NOT ? '~' : '-', type_text(f->arena, a->type));
    a = node_promote(f, a);
    refuse_long_double(f, a->type, loc);
    Node *n = node_new(f, op, loc, a->type, a, NULL);
    if (a->kind == ND_FLT) {
        double v = -a->fval;
        n->kind = ND_FLT;
        n->lhs = NULL;
        n->fval = v;
        return n;
    }
    return a->kind == ND_NUM ? fold(f, n) : n;
}

// ---- Comparisons ------------------------------------------------------------------------------------------------------------

// Brings two pointers (or a pointer and a null constant) to one type.
static void match_pointers(Front *f, const char *what, Node **a, Node **b, CcLoc loc)
{
    if ((*a)->type->kind != TY_PTR) {
        match_pointers(f, what, b, a, loc);
        return;
    }
    Type *t = (*a)->type;
    if (node_is_null_const(*b)) {
        *b = node_num(f, (*b)->loc, t->unqual, 0);
        return;
    }
    if ((*b)->type->kind != TY_PTR) bad_operands(f, what, *a, *b, loc);
    if (node_is_null_const(*a)) {
        *a = node_num(f, (*a)->loc, (*b)->type->unqual, 0);
        return;
    }
    const Type *x = t->base, *y = (*b)->type->base;
    bool is_ok = x->kind == TY_VOID || y->kind == TY_VOID || type_same(x, y);
    if (!is_ok) front_warn(f, loc, "compare-distinct-pointer-types", "'%s' of '%s' and '%s'", what, type_text(f->arena, t),
                           type_text(f->arena, (*b)->type));
    if (x->kind == TY_VOID) *b = node_cast(f, *b, t, loc);
    else *a = node_cast(f, *a, (*b)->type, loc);
}

Node *node_compare(Front *f, TokKind op, Node *a, Node *b, CcLoc loc)
{
    if (type_is_arith(a->type) && type_is_arith(b->type)) {
        a = node_promote(f, a);
        b = node_promote(f, b);
        Type *t = type_usual(f, a->type, b->type);
        refuse_long_double(f, t, loc);
        if (type_is_intcap(t)) t = f->types[t->is_unsigned ? TY_ULONG : TY_LONG]; // addresses only
        a = node_cast(f, a, t, loc);
        b = node_cast(f, b, t, loc);
    } else {
        bool is_ptr = a->type->kind == TY_PTR || b->type->kind == TY_PTR;
        if (!is_ptr || !type_is_scalar(a->type) || !type_is_scalar(b->type)) bad_operands(f, lex_kind_text[op], a, b, loc);
        match_pointers(f, lex_kind_text[op], &a, &b, loc);
    }
    NodeKind kind = op == P_EQ ? ND_EQ : op == P_NE ? ND_NE : op == P_LT || op == P_GT ? ND_LT : ND_LE;
    bool swaps = op == P_GT || op == P_GE;
    Node *n = node_new(f, kind, loc, f->types[TY_INT], swaps ? b : a, swaps ? a : b);
    return is_number(a) && is_number(b) ? fold(f, n) : n;
}

static Type *cond_pointer_type(Front *f, Node **a, Node **b, CcLoc loc)
{
    match_pointers(f, "?:", a, b, loc);
    Type *x = (*a)->type->base, *y = (*b)->type->base;
    Type *base = node_is_null_const(*a) && y->kind != TY_VOID ? y : node_is_null_const(*b) ? x : type_composite(f, x->unqual, y->unqual);
    Type *t = type_ptr(f, type_qualify(f, base, x->is_const || y->is_const, x->is_volatile || y->is_volatile));
    *a = node_cast(f, *a, t, loc);
    *b = node_cast(f, *b, t, loc);
    return t;
}

Node *node_cond(Front *f, Node *cond, Node *a, Node *b, CcLoc loc)
{
    Type *t;
    if (type_is_arith(a->type) && type_is_arith(b->type)) {
        a = node_promote(f, a);
        b = node_promote(f, b);
        t = type_usual(f, a->type, b->type);
        a = node_cast(f, a, t, loc);
        b = node_cast(f, b, t, loc);
    } else if (a->type->kind == TY_VOID || b->type->kind == TY_VOID) {
        t = f->types[TY_VOID];
        a = node_cast(f, a, t, loc);
        b = node_cast(f, b, t, loc);
    } else if (type_is_record(a->type) && type_same(a->type, b->type)) {
        t = a->type;
    } else if (type_is_scalar(a->type) && type_is_scalar(b->type)) {
        t = cond_pointer_type(f, &a, &b, loc);
    } else {
        bad_operands(f, "?:", a, b, loc);
    }
    if (cond->kind == ND_NUM && is_number(a) && is_number(b)) return cond->ival ? a : b;
    Node *n = node_new(f, ND_COND, loc, t, a, b);
    n->cond = cond;
    node_depth(f, n, cond);
    return n;
}

// ---- Assignments --------------------------------------------------------------------------------------------------------------

Node *node_assign(Front *f, Node *place, Node *value, CcLoc loc)
{
    node_check_modifiable(f, place, loc);
    Type *t = place->type->unqual;
    return node_new(f, ND_ASSIGN, loc, t, place, node_convert(f, value, t, loc, "assignment"));
}

static Node *updated_value(Front *f, TokKind op, Node *old, Node *value, CcLoc loc)
{
    switch ((int)op) {
    case P_PLUS_ASSIGN: return node_add(f, old, value, loc, true);
    case P_MINUS_ASSIGN: return node_sub(f, old, value, loc, true);
    case P_STAR_ASSIGN: return node_binary(f, ND_MUL, old, value, loc, true);
    case P_SLASH_ASSIGN: return node_binary(f, ND_DIV, old, value, loc, true);
    case P_PERCENT_ASSIGN: return node_binary(f, ND_MOD, old, value, loc, true);
    case P_AMP_ASSIGN: return node_binary(f, ND_AND, old, value, loc, true);
    case P_PIPE_ASSIGN: return node_binary(f, ND_OR, old, value, loc, true);
    case P_CARET_ASSIGN: return node_binary(f, ND_XOR, old, value, loc, true);
    case P_SHL_ASSIGN: return node_binary(f, ND_SHL, old, value, loc, true);
    default: return node_binary(f, ND_SHR, old, value, loc, true);
    }
}

Node *node_update(Front *f, TokKind op, Node *place, Node *value, CcLoc loc, bool is_post)
{
    node_check_modifiable(f, place, loc);
    Type *t = place->type->unqual;
    Node *n = node_new(f, ND_UPDATE, loc, t, place, NULL);
    n->is_post = is_post;
    Node *old = node_new(f, ND_OLD, loc, t, NULL, NULL);
    old->owner = n;
    n->rhs = node_convert(f, updated_value(f, op, old, value, loc), t, loc, "assignment");
    node_depth(f, n, n->rhs);
    return n;
}
