// ops.c: unary and binary operators on any two objects: numbers first, then the left type, then what the right one offers.
#include "vm.h"

static const char *const unary_text[] = {"+", "-", "~", "not", "bool()", "len()", "hash()", "abs()", "int()"};
static const char *const binary_text[BIN_COUNT] = {
    "<", ">", "==", "<=", ">=", "!=", "in", "is", "", "|=", "^=", "&=", "<<=", ">>=", "+=", "-=", "*=", "@=", "//=", "/=",
    "%=", "**=", "|", "^", "&", "<<", ">>", "+", "-", "*", "@", "//", "/", "%", "**", "in"};

Obj obj_unary_op(UnaryOp op, Obj o)
{
    i64 v;
    if (op == UN_NOT) return obj_bool(!obj_is_true(o));
    if (num_get_int(o, &v)) {
        switch (op) {
        case UN_POSITIVE: return obj_small(v);
        case UN_NEGATIVE: return obj_int(-v);
        case UN_INVERT: return obj_small(~v);
        case UN_ABS: return v < 0 ? obj_int(-v) : obj_small(v);
        case UN_INT: return obj_small(v);
        default: break;
        }
    }
    const Type *t = obj_type(o);
    Obj r = t->unary_op ? t->unary_op(op, o) : OBJ_NULL;
    if (r != OBJ_NULL) return r;
    if (op == UN_ABS) raise_msg(&type_TypeError, "bad operand type for abs(): '%t'", o);
    raise_msg(&type_TypeError, "bad operand type for unary %s: '%t'", unary_text[op], o);
}

static Obj contains(Obj container, Obj item)
{
    const Type *t = obj_type(container);
    Obj r = t->binary_op ? t->binary_op(BIN_CONTAINS, container, item) : OBJ_NULL;
    if (r != OBJ_NULL) return r;
    if (!t->getiter && !t->iternext) raise_msg(&type_TypeError, "argument of type '%t' is not iterable", container);
    IterBuf buf;
    Obj it = obj_getiter(container, &buf), o;
    while ((o = obj_iternext(it)) != OBJ_NULL) {
        if (obj_equal(o, item)) return OBJ_TRUE;
    }
    return OBJ_FALSE;
}

static bool is_in_place(BinaryOp op) { return op >= BIN_INPLACE_OR && op <= BIN_INPLACE_POW; }
static bool is_order(BinaryOp op) { return op <= BIN_MORE_EQUAL && op != BIN_EQUAL; }

// What the right operand can do: repeat a sequence, be compared the other way round, __radd__ and the like.
static Obj from_right(BinaryOp op, Obj a, Obj b)
{
    const Type *t = obj_type(b);
    if (is_order(op)) {
        static const u8 mirrored[] = {BIN_MORE, BIN_LESS, BIN_EQUAL, BIN_MORE_EQUAL, BIN_LESS_EQUAL};
        return t->flags & TYPE_USER && t->binary_op ? t->binary_op((BinaryOp)mirrored[op], b, a) : OBJ_NULL;
    }
    if (op < BIN_OR || op > BIN_POW) return OBJ_NULL;
    if (t->flags & TYPE_USER) {
        Obj r = instance_reflected_op(op, a, b);
        if (r != OBJ_NULL) return r;
        Obj native = native_of(b);
        if (native != b && !(t->flags & TYPE_EXCEPTION)) return obj_binary_op(op, a, native);
        return OBJ_NULL;
    }
    bool is_sequence = b != OBJ_NULL && (obj_is_str(b) || t == &type_list || t == &type_tuple);
    return op == BIN_MUL && is_sequence && t->binary_op ? t->binary_op(op, b, a) : OBJ_NULL;
}

static NORETURN void unsupported(BinaryOp op, Obj a, Obj b)
{
    if (is_order(op)) {
        raise_msg(&type_TypeError, "'%s' not supported between instances of '%t' and '%t'", binary_text[op], a, b);
    }
    bool is_sequence = obj_is(a, &type_list) || obj_is(a, &type_tuple);
    if (is_sequence && (op == BIN_ADD || op == BIN_INPLACE_ADD)) {
        raise_msg(&type_TypeError, "can only concatenate %t (not \"%t\") to %t", a, b, a);
    }
    if ((op == BIN_MUL || op == BIN_INPLACE_MUL) && (is_sequence || obj_is_str(a))) {
        raise_msg(&type_TypeError, "can't multiply sequence by non-int of type '%t'", b);
    }
    const char *name = op == BIN_POW ? "** or pow()" : op == BIN_INPLACE_POW ? "** or pow()" : binary_text[op];
    raise_msg(&type_TypeError, "unsupported operand type(s) for %s: '%t' and '%t'", name, a, b);
}

Obj obj_binary_op(BinaryOp op, Obj a, Obj b)
{
    i64 i, j;
    if (obj_are_small(a, b)) {
        if (LIKELY(op != BIN_IN && op != BIN_IS && op != BIN_EXC_MATCH)) {
            Obj r = int_binary_op(op, obj_small_value(a), obj_small_value(b));
            if (r != OBJ_NULL) return r;
        }
    }
    switch (op) {
    case BIN_IS: return obj_bool(a == b);
    case BIN_IN: return contains(b, a);
    case BIN_EQUAL: {
        const Type *t = obj_type(a); // the result of __eq__ may be any object
        if (!(t->flags & TYPE_USER)) return obj_bool(obj_equal(a, b));
        Obj r = t->binary_op(op, a, b);
        return r != OBJ_NULL ? r : obj_bool(obj_equal(a, b));
    }
    case BIN_NOT_EQUAL: {
        const Type *t = obj_type(a);
        Obj r = t->flags & TYPE_USER ? t->binary_op(op, a, b) : OBJ_NULL;
        return r != OBJ_NULL ? r : obj_bool(!obj_equal(a, b));
    }
    case BIN_EXC_MATCH: return obj_bool(exc_matches(a, b));
    default: break;
    }
    double x, y;
    if (num_get_float(a, &x) && num_get_float(b, &y)) {
        Obj r = num_get_int(a, &i) && num_get_int(b, &j) ? int_binary_op(op, i, j) : float_binary_op(op, x, y);
        if (r == OBJ_NULL) unsupported(op, a, b);
        bool both_bool = !obj_is_small(a) && !obj_is_small(b) && !obj_is_ptr(a) && !obj_is_ptr(b);
        bool is_logic = (op >= BIN_OR && op <= BIN_AND) || (op >= BIN_INPLACE_OR && op <= BIN_INPLACE_AND);
        return both_bool && is_logic ? obj_bool(r != obj_small(0)) : r;
    }
    const Type *t = obj_type(a);
    Obj r = t->binary_op ? t->binary_op(op, a, b) : OBJ_NULL;
    if (r == OBJ_NULL && is_in_place(op)) { // a += b is a = a + b where there is no __iadd__
        BinaryOp plain = (BinaryOp)(op + (BIN_OR - BIN_INPLACE_OR));
        r = t->binary_op ? t->binary_op(plain, a, b) : OBJ_NULL;
        if (r == OBJ_NULL) r = from_right(plain, a, b);
    }
    if (r == OBJ_NULL) r = from_right(op, a, b);
    if (r == OBJ_NULL) unsupported(op, a, b);
    return r;
}
