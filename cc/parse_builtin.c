// parse_builtin.c: calls of builtins.def's functions: arguments by signature; those that the parser replaces; __probe.
#include "cc/front.h"

enum { FRONT = 1, PURE = 2, CAP = 4, NORET = 8 };

typedef struct BuiltinRow {
    const char *name, *sig;
    u32 flags;
} BuiltinRow;

static const BuiltinRow rows[BI_COUNT] = {
#define BUILTIN(id, name, sig, flags) [BI_##id] = {name, sig, flags},
#include "cc/builtins.def"
#undef BUILTIN
};

const char *cc_builtin_name(BuiltinId id) { return rows[id].name; }

// ---- Signatures -----------------------------------------------------------------------------------------------------------

static Type *sig_type(Front *f, char c)
{
    switch (c) {
    case 'v': return f->types[TY_VOID];
    case 'b': return f->types[TY_BOOL];
    case 'i': return f->types[TY_INT];
    case 'u': return f->types[TY_UINT];
    case 'h': return f->types[TY_USHORT];
    case 'l': return f->types[TY_LONG];
    case 'z': return f->types[TY_ULONG];
    case 'q': return f->types[TY_LLONG];
    case 'Q': return f->types[TY_ULLONG];
    case 'f': return f->types[TY_FLOAT];
    case 'd': return f->types[TY_DOUBLE];
    case 'p': return type_ptr(f, f->types[TY_VOID]);
    case 'P': return type_ptr(f, type_qualify(f, f->types[TY_VOID], true, false));
    case 's': return type_ptr(f, type_qualify(f, f->types[TY_CHAR], true, false));
    default: return NULL; // c, m: any capability or pointer
    }
}

static Node *sig_arg(Front *f, char c, Node *arg, CcLoc loc, const char *name, u32 number)
{
    Type *want = sig_type(f, c);
    if (want) return node_argument(f, arg, want, loc, name, number);
    bool is_ok = arg->type->kind == TY_PTR || (c == 'c' && type_is_intcap(arg->type));
    if (!is_ok) front_fail(f, loc, "argument %u of '%s' must be a %s, not '%s'", number, name, c == 'c' ? "capability" : "pointer", type_text(f->arena, arg->type));
    return arg;
}

static Node *call_node(Front *f, BuiltinId id, Type *type, CcLoc loc, Node **args, u32 n)
{
    Node *call = node_new(f, ND_BUILTIN, loc, type, NULL, NULL);
    call->builtin = (u16)id;
    call->args = arena_array(f->arena, Node *, n);
    call->n_args = n;
    for (u32 i = 0; i < n; i++) {
        call->args[i] = args[i];
        node_depth(f, call, args[i]);
    }
    return call;
}

static Node *by_signature(Front *f, BuiltinId id, CcLoc loc)
{
    const BuiltinRow *row = &rows[id];
    u32 n_params = (u32)strlen(row->sig) - 1, n = 0;
    Node *args[8];
    for (; f->tok->kind != P_RPAREN; n++) {
        if (n == n_params) front_fail(f, f->tok->loc, "'%s' takes %u arguments", row->name, n_params);
        CcLoc arg_loc = f->tok->loc;
        args[n] = sig_arg(f, row->sig[n + 1], parse_assign_value(f), arg_loc, row->name, n + 1);
        if (f->tok->kind != P_RPAREN) parse_expect(f, P_COMMA, "or ')'");
    }
    f->tok++;
    if (n < n_params) front_fail(f, loc, "'%s' takes %u arguments, and here %s %u", row->name, n_params, n == 1 ? "is" : "are", n);
    Type *type = row->sig[0] == 'C' ? args[0]->type->unqual : sig_type(f, row->sig[0]);
    if (id == BI_ALLOCA && f->fn && !f->is_unevaluated) f->fn->has_vla_stack = true;
    return call_node(f, id, type, loc, args, n);
}

// ---- Replaced by the parser -------------------------------------------------------------------------------------------------

static Node *skip_args(Front *f, Node *value)
{
    bool was = f->is_unevaluated;
    f->is_unevaluated = true;
    while (parse_accept(f, P_COMMA)) parse_assign(f);
    f->is_unevaluated = was;
    return value;
}

static Node *constant_p(Front *f, CcLoc loc)
{
    bool was = f->is_unevaluated;
    f->is_unevaluated = true;
    Node *n = node_value(f, parse_assign(f));
    f->is_unevaluated = was;
    ConstVal v;
    bool is_string = n->kind == ND_ADDR && n->lhs->kind == ND_VAR && n->lhs->var->is_string;
    return node_num(f, loc, f->types[TY_INT], is_string || (const_eval(n, &v) && !v.sym && !v.label));
}

static Node *types_compatible(Front *f, CcLoc loc)
{
    Type *a = parse_type_name(f);
    parse_expect(f, P_COMMA, "");
    Type *b = parse_type_name(f);
    return node_num(f, loc, f->types[TY_INT], type_same(a, b));
}

static Node *choose_expr(Front *f)
{
    bool wants_first = parse_const_int(f, "__builtin_choose_expr") != 0, was = f->is_unevaluated;
    parse_expect(f, P_COMMA, "");
    f->is_unevaluated = was || !wants_first;
    Node *a = parse_assign(f);
    parse_expect(f, P_COMMA, "");
    f->is_unevaluated = was || wants_first;
    Node *b = parse_assign(f);
    f->is_unevaluated = was;
    return wants_first ? a : b;
}

static Node *offset_of(Front *f, CcLoc loc)
{
    Type *t = parse_type_name(f);
    parse_expect(f, P_COMMA, "");
    i64 offset = 0;
    for (bool is_first = true; is_first || f->tok->kind == P_DOT || f->tok->kind == P_LBRACK; is_first = false) {
        CcLoc at = f->tok->loc;
        if (!is_first && parse_accept(f, P_LBRACK)) {
            if (t->kind != TY_ARRAY) front_fail(f, at, "offsetof: this is no array");
            offset = (i64)((u64)offset + (u64)parse_const_int(f, "offsetof") * t->base->size);
            parse_expect(f, P_RBRACK, "");
            t = t->base;
            continue;
        }
        if (!is_first) f->tok++;
        Ident *id = parse_ident(f, "the name of a member");
        if (!type_is_record(t) || t->is_incomplete) front_fail(f, at, "offsetof needs a struct or union, not '%s'", type_text(f->arena, t));
        Member *path[40];
        u32 n = 0;
        Member *m = type_find_member(t->unqual, id->name, path, &n);
        if (!m) front_fail(f, at, "'%s' has no member '%s'", type_text(f->arena, t), id->name);
        if (m->is_bitfield) front_fail(f, at, "offsetof does not work on a bit-field");
        for (u32 i = 0; i < n; i++) offset += (i64)path[i]->offset;
        t = m->type;
    }
    return node_num(f, loc, f->types[TY_ULONG], offset);
}

// Stores value in a temporary (the statement goes to *set) so that it can be used several times.
static Node *once(Front *f, Node *value, Node **set)
{
    if (value->kind == ND_NUM) return value;
    if (!f->fn) front_fail(f, value->loc, "this is not a constant");
    Obj *tmp = parse_new_local(f, NULL, value->type->unqual, value->loc);
    Node *assign = node_new(f, ND_ASSIGN, value->loc, tmp->type, node_var(f, value->loc, tmp), value);
    *set = *set ? node_new(f, ND_COMMA, value->loc, tmp->type, *set, assign) : assign;
    return node_value(f, node_var(f, value->loc, tmp));
}

// A second node for the same number or variable: nodes are never shared.
static Node *again(Front *f, const Node *n)
{
    Node *copy = arena_new(f->arena, Node);
    *copy = *n;
    if (n->lhs) copy->lhs = again(f, n->lhs);
    return copy;
}

static Node *behind(Front *f, Node *set, Node *value)
{
    return set ? node_new(f, ND_COMMA, value->loc, value->type, set, value) : value;
}

static Node *is_nan(Front *f, CcLoc loc)
{
    Node *set = NULL, *x = node_convert(f, parse_assign_value(f), f->types[TY_DOUBLE], loc, "__builtin_isnan");
    x = once(f, x, &set);
    return behind(f, set, node_compare(f, P_NE, x, again(f, x), loc));
}

// __builtin_align_up/down(v, a) and is_aligned for integers, pointers and __intcap values; a is a power of two.
static Node *align(Front *f, BuiltinId id, CcLoc loc)
{
    Node *v = parse_assign_value(f), *set = NULL;
    parse_expect(f, P_COMMA, "");
    Type *ulong = f->types[TY_ULONG];
    Node *a = node_convert(f, parse_assign_value(f), ulong, loc, "the alignment");
    if (!type_is_scalar(v->type) || type_is_float(v->type)) front_fail(f, loc, "'%s' needs an integer or a pointer", rows[id].name);
    v = once(f, v, &set);
    a = once(f, a, &set);
    Node *mask = node_sub(f, again(f, a), node_num(f, loc, ulong, 1), loc, false);
    Node *addr = node_cast(f, again(f, v), ulong, loc);
    if (id == BI_IS_ALIGNED) {
        Node *rest = node_binary(f, ND_AND, addr, mask, loc, false);
        return behind(f, set, node_compare(f, P_EQ, rest, node_num(f, loc, ulong, 0), loc));
    }
    Node *again_mask = node_sub(f, again(f, a), node_num(f, loc, ulong, 1), loc, false);
    if (id == BI_ALIGN_UP) addr = node_add(f, addr, again_mask, loc, false);
    addr = node_binary(f, ND_AND, addr, node_unary(f, ND_NOT, mask, loc), loc, false);
    Node *args[] = {v, addr};
    Node *result = v->type->is_cap ? call_node(f, BI_CHERI_ADDRESS_SET, v->type, loc, args, 2) : node_cast(f, addr, v->type, loc);
    return behind(f, set, result);
}

static Node *va_list_address(Front *f, const char *name)
{
    CcLoc loc = f->tok->loc;
    Node *ap = parse_assign(f);
    if (!node_is_place(ap) || !type_same(ap->type, f->va_list_type)) front_fail(f, loc, "'%s' needs a va_list variable", name);
    return node_addr(f, ap, loc);
}

static Node *variadic(Front *f, BuiltinId id, CcLoc loc)
{
    Type *type = f->types[TY_VOID];
    Node *ap = va_list_address(f, rows[id].name);
    Node *n = node_new(f, id == BI_VA_START ? ND_VA_START : id == BI_VA_END ? ND_VA_END : id == BI_VA_COPY ? ND_VA_COPY : ND_VA_ARG, loc,
                       type, ap, NULL);
    if (id == BI_VA_START) {
        if (!f->fn || !f->fn->type->is_variadic) front_fail(f, loc, "va_start in a function without '...'");
        if (parse_accept(f, P_COMMA)) parse_assign(f);
    } else if (id == BI_VA_COPY) {
        parse_expect(f, P_COMMA, "");
        n->rhs = va_list_address(f, "va_copy");
        node_depth(f, n, n->rhs);
    } else if (id == BI_VA_ARG) {
        parse_expect(f, P_COMMA, "");
        n->type = parse_type_name(f)->unqual;
        bool is_bad = n->type->is_incomplete || n->type->kind == TY_FUNC || n->type->kind == TY_ARRAY || n->type->kind == TY_VOID;
        bool is_narrow = n->type->kind == TY_FLOAT || (type_is_integer(n->type) && n->type->size < 4);
        if (is_bad || is_narrow) front_fail(f, loc, "va_arg cannot fetch a '%s'", type_text(f->arena, n->type));
    }
    return n;
}

static Node *overflow(Front *f, BuiltinId id, CcLoc loc)
{
    Node *args[3];
    for (u32 i = 0; i < 3; i++) {
        CcLoc at = f->tok->loc;
        args[i] = parse_assign_value(f);
        const Type *t = i < 2 ? args[i]->type : args[i]->type->kind == TY_PTR ? args[i]->type->base : NULL;
        if (!t || !type_is_integer(t) || type_is_intcap(t)) front_fail(f, at, "'%s' needs two integers and a pointer to one", rows[id].name);
        if (i < 2) parse_expect(f, P_COMMA, "");
    }
    return call_node(f, id, f->types[TY_BOOL], loc, args, 3);
}

static Node *floating(Front *f, BuiltinId id, CcLoc loc)
{
    Node *n = node_new(f, ND_FLT, loc, f->types[id == BI_INFF ? TY_FLOAT : TY_DOUBLE], NULL, NULL);
    n->fval = id == BI_NAN ? __builtin_nan("") : __builtin_inf();
    if (id == BI_NAN) parse_assign(f);
    return n;
}

static Node *replaced(Front *f, BuiltinId id, CcLoc loc)
{
    switch ((int)id) {
    case BI_CONSTANT_P: return constant_p(f, loc);
    case BI_TYPES_COMPATIBLE: return types_compatible(f, loc);
    case BI_CHOOSE_EXPR: return choose_expr(f);
    case BI_OFFSETOF: return offset_of(f, loc);
    case BI_PREFETCH: return skip_args(f, node_cast(f, parse_assign_value(f), f->types[TY_VOID], loc));
    case BI_ASSUME_ALIGNED: return skip_args(f, node_convert(f, parse_assign_value(f), sig_type(f, 'p'), loc, rows[id].name));
    case BI_ISNAN: return is_nan(f, loc);
    case BI_ALIGN_UP:
    case BI_ALIGN_DOWN:
    case BI_IS_ALIGNED: return align(f, id, loc);
    case BI_VA_START:
    case BI_VA_END:
    case BI_VA_COPY:
    case BI_VA_ARG: return variadic(f, id, loc);
    case BI_ADD_OVERFLOW:
    case BI_SUB_OVERFLOW:
    case BI_MUL_OVERFLOW: return overflow(f, id, loc);
    default: return floating(f, id, loc);
    }
}

Node *parse_builtin(Front *f, BuiltinId id, CcLoc loc)
{
    const BuiltinRow *row = &rows[id];
    if (f->tok->kind != P_LPAREN) front_fail(f, loc, "'%s' can only be called", row->name);
    if (row->flags & CAP && !f->is_purecap) front_fail(f, loc, "'%s' needs the purecap ABI", row->name);
    f->tok++;
    if (!(row->flags & FRONT) && row->sig[0] != '*') return by_signature(f, id, loc);
    Node *n = replaced(f, id, loc);
    parse_expect(f, P_RPAREN, "");
    return n;
}

// ---- Probes -----------------------------------------------------------------------------------------------------------------

// __probe(name, value, …): the values are weak uses: nothing in them counts as a reference or as taking an address.
Node *parse_probe(Front *f)
{
    CcLoc loc = f->tok++->loc;
    parse_expect(f, P_LPAREN, "behind __probe");
    const char *name = f->tok->kind == TK_STR ? parse_string_text(f, "the probe's name") : parse_ident(f, "the probe's name")->name;
    Node *args[16];
    u32 n = 0;
    bool was = f->is_unevaluated;
    f->is_unevaluated = true;
    while (parse_accept(f, P_COMMA)) {
        if (n == ARRAY_LEN(args)) front_fail(f, f->tok->loc, "a probe has at most %u values", (u32)ARRAY_LEN(args));
        CcLoc at = f->tok->loc;
        args[n++] = node_scalar(f, parse_assign_value(f), at);
    }
    f->is_unevaluated = was;
    parse_expect(f, P_RPAREN, "");
    Type *type = f->types[TY_VOID];
    if (f->opt->no_probes || was) return node_cast(f, node_num(f, loc, f->types[TY_INT], 0), type, loc);
    Node *probe = node_new(f, ND_PROBE, loc, type, NULL, NULL);
    probe->name = name;
    probe->n_args = n;
    probe->args = arena_array(f->arena, Node *, n);
    for (u32 i = 0; i < n; i++) {
        probe->args[i] = args[i];
        node_depth(f, probe, args[i]);
    }
    return probe;
}
