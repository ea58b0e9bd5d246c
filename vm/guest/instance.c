// instance.c: instances of Python classes: creation, and the special methods behind operators, indexing, calls and iteration.
#include "vm.h"

// Special method of the instance's class, or OBJ_NULL; those of object itself do not count.
static Obj special(Obj self, Qstr name)
{
    Obj found = type_lookup(obj_type(self), name);
    if (found == OBJ_NULL || obj_is(found, &type_builtin)) return OBJ_NULL;
    Obj dest[2];
    bind_attribute(found, self, obj_type(self), dest);
    return dest[1] == OBJ_NULL ? obj_bound(dest[0], self) : dest[0]; // called with self first
}

static Obj call_special(Obj self, Qstr name, size_t n, const Obj *args)
{
    Obj f = special(self, name);
    if (f == OBJ_NULL) return OBJ_NULL;
    Obj all[4] = {self};
    for (size_t i = 0; i < n; i++) all[i + 1] = args[i];
    if (obj_is(f, &type_bound_method)) return obj_call(((const ObjBound *)f)->function, n, 0, args); // static
    return obj_call(f, n + 1, 0, all);
}

static Obj instance_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    const Type *native = class_native_base(type);
    Obj make = type_lookup(type, Q___new__);
    Obj self;
    Obj init = type_lookup(type, Q___init__);
    bool has_init = init != OBJ_NULL && !obj_is(init, &type_builtin);
    if (make != OBJ_NULL && !obj_is(make, &type_builtin)) {
        if (obj_is(make, &type_staticmethod)) make = ((const ObjCell *)make)->value;
        size_t n = n_args + 2 * n_kw;
        Obj *all = mem_alloc((n + 1) * sizeof(Obj));
        all[0] = OBJ_PTR(type);
        for (size_t i = 0; i < n; i++) all[i + 1] = args[i];
        self = obj_call(make, n_args + 1, n_kw, all);
        if (!obj_is_subclass(obj_type(self), type)) return self;
    } else {
        ObjInstance *o = obj_alloc(type, sizeof(ObjInstance) + (native ? sizeof(Obj) : 0));
        map_init(&o->members, 0);
        self = OBJ_PTR(o);
        if (native && type->flags & TYPE_EXCEPTION) o->native[0] = native->make_new(native, n_args, 0, args);
        else if (native) {
            bool is_fixed = native == &type_int || native == &type_float || native == &type_str || native == &type_tuple;
            o->native[0] = has_init && !is_fixed ? native->make_new(native, 0, 0, NULL)
                                                 : native->make_new(native, n_args, n_kw, args);
        } else if (!has_init && (n_args || n_kw)) raise_msg(&type_TypeError, "%q() takes no arguments", (Qstr)type->name);
    }
    if (!has_init) return self;
    size_t n = n_args + 2 * n_kw;
    Obj few[6];
    Obj *all = n < 6 ? few : mem_alloc((n + 1) * sizeof(Obj));
    all[0] = self;
    for (size_t i = 0; i < n; i++) all[i + 1] = args[i];
    Obj r = obj_call(init, n_args + 1, n_kw, all);
    if (all != few) gc_free(all);
    if (r != OBJ_NONE) raise_msg(&type_TypeError, "__init__() should return None, not '%t'", r);
    return self;
}

static void instance_print(Print *p, Obj self, PrintKind kind)
{
    Obj text = kind == PRINT_STR ? call_special(self, Q___str__, 0, NULL) : OBJ_NULL;
    const Type *native = class_native_base(obj_type(self));
    bool is_plain_str = kind == PRINT_STR && native; // a derived exception's str comes before its __repr__
    if (text == OBJ_NULL && !is_plain_str) text = call_special(self, Q___repr__, 0, NULL);
    if (text != OBJ_NULL) {
        if (!obj_is_str(text)) raise_msg(&type_TypeError, "__%s__ returned non-string (type %t)", kind == PRINT_STR ? "str" : "repr", text);
        print_obj(p, text, PRINT_STR);
    } else if (native && obj_type(self)->flags & TYPE_EXCEPTION) native->print(p, self, kind);
    else if (native) print_obj(p, native_of(self), kind);
    else {
        MapEntry *e = map_find_qstr(&obj_type(self)->dict->map, Q___module__);
        print_text(p, "<");
        if (e) print_format(p, "%o.", e->value);
        print_format(p, "%t object at 0x", self);
        char digits[16];
        size_t n = sizeof digits;
        for (u64 a = obj_bits(self); a != 0; a /= 16) digits[--n] = "0123456789abcdef"[a % 16];
        p->write(p->ctx, digits + n, sizeof digits - n);
        print_text(p, ">");
    }
}

static const u16 unary_names[] = {[UN_POSITIVE] = Q___pos__, [UN_NEGATIVE] = Q___neg__, [UN_INVERT] = Q___invert__,
                                  [UN_NOT] = 0, [UN_BOOL] = Q___bool__, [UN_LEN] = Q___len__, [UN_HASH] = Q___hash__,
                                  [UN_ABS] = Q___abs__, [UN_INT] = Q___int__};

static Obj instance_unary_op(UnaryOp op, Obj self)
{
    Obj r = unary_names[op] ? call_special(self, unary_names[op], 0, NULL) : OBJ_NULL;
    if (r != OBJ_NULL) {
        if (op == UN_BOOL && r != OBJ_TRUE && r != OBJ_FALSE) {
            raise_msg(&type_TypeError, "__bool__ should return bool, returned %t", r);
        }
        if (op == UN_LEN && obj_get_int(r) < 0) raise_msg(&type_ValueError, "__len__() should return >= 0");
        return op == UN_LEN || op == UN_HASH ? obj_small(obj_get_int(r)) : r; // True counts as 1
    }
    if (op == UN_HASH) {
        if (class_has(obj_type(self), Q___eq__)) return OBJ_NULL;
        if (class_native_base(obj_type(self)) && !(obj_type(self)->flags & TYPE_EXCEPTION)) return obj_small(obj_hash(native_of(self)));
        return obj_small((i64)(obj_bits(self) >> 4));
    }
    Obj native = native_of(self);
    const Type *t = obj_type(native);
    if (native == self || obj_type(self)->flags & TYPE_EXCEPTION) return OBJ_NULL;
    if (op == UN_LEN) return obj_len_maybe(native);
    if (op == UN_BOOL) return obj_bool(obj_is_true(native));
    if (obj_is_small(native)) return obj_unary_op(op, native);
    return t->unary_op ? t->unary_op(op, native) : OBJ_NULL;
}

static const u16 binary_names[BIN_COUNT] = {
    [BIN_LESS] = Q___lt__, [BIN_MORE] = Q___gt__, [BIN_EQUAL] = Q___eq__, [BIN_LESS_EQUAL] = Q___le__,
    [BIN_MORE_EQUAL] = Q___ge__, [BIN_NOT_EQUAL] = Q___ne__, [BIN_CONTAINS] = Q___contains__,
    [BIN_INPLACE_OR] = Q___ior__, [BIN_INPLACE_XOR] = Q___ixor__, [BIN_INPLACE_AND] = Q___iand__,
    [BIN_INPLACE_SHL] = Q___ilshift__, [BIN_INPLACE_SHR] = Q___irshift__, [BIN_INPLACE_ADD] = Q___iadd__,
    [BIN_INPLACE_SUB] = Q___isub__, [BIN_INPLACE_MUL] = Q___imul__, [BIN_INPLACE_MATMUL] = Q___imatmul__,
    [BIN_INPLACE_FLOORDIV] = Q___ifloordiv__, [BIN_INPLACE_DIV] = Q___itruediv__, [BIN_INPLACE_MOD] = Q___imod__,
    [BIN_INPLACE_POW] = Q___ipow__,
    [BIN_OR] = Q___or__, [BIN_XOR] = Q___xor__, [BIN_AND] = Q___and__, [BIN_SHL] = Q___lshift__,
    [BIN_SHR] = Q___rshift__, [BIN_ADD] = Q___add__, [BIN_SUB] = Q___sub__, [BIN_MUL] = Q___mul__,
    [BIN_MATMUL] = Q___matmul__, [BIN_FLOORDIV] = Q___floordiv__, [BIN_DIV] = Q___truediv__, [BIN_MOD] = Q___mod__,
    [BIN_POW] = Q___pow__,
};

// The same operators seen from the right operand, in the order BIN_OR .. BIN_POW.
static const u16 reflected_names[] = {Q___ror__, Q___rxor__, Q___rand__, Q___rlshift__, Q___rrshift__, Q___radd__,
                                      Q___rsub__, Q___rmul__, Q___rmatmul__, Q___rfloordiv__, Q___rtruediv__,
                                      Q___rmod__, Q___rpow__};

static Obj implemented(Obj r) { return r == OBJ_NOTIMPL ? OBJ_NULL : r; }

static Obj contains_by_iteration(Obj self, Obj item)
{
    IterBuf buf;
    Obj it = obj_getiter(self, &buf), o;
    while ((o = obj_iternext(it)) != OBJ_NULL) {
        if (obj_equal(o, item)) return OBJ_TRUE;
    }
    return OBJ_FALSE;
}

static Obj instance_binary_op(BinaryOp op, Obj self, Obj other)
{
    Obj r = binary_names[op] ? implemented(call_special(self, binary_names[op], 1, &other)) : OBJ_NULL;
    if (r != OBJ_NULL) return op == BIN_CONTAINS ? obj_bool(obj_is_true(r)) : r;
    if (op == BIN_NOT_EQUAL && class_has(obj_type(self), Q___eq__)) return obj_bool(!obj_equal(self, other));
    Obj native = native_of(self);
    if (native != self && !(obj_type(self)->flags & TYPE_EXCEPTION)) {
        if (op == BIN_EQUAL) return obj_bool(obj_equal(native, native_of(other)));
        if (op == BIN_CONTAINS) return obj_binary_op(BIN_IN, other, native);
        const Type *t = obj_type(native);
        i64 i, j;
        double x, y;
        Obj right = native_of(other);
        if (num_get_int(native, &i) && num_get_int(right, &j)) return int_binary_op(op, i, j);
        if (num_get_float(native, &x) && num_get_float(right, &y)) return float_binary_op(op, x, y);
        return t->binary_op ? t->binary_op(op, native, right) : OBJ_NULL;
    }
    if (op == BIN_CONTAINS && (class_has(obj_type(self), Q___iter__) || class_has(obj_type(self), Q___getitem__))) {
        return contains_by_iteration(self, other);
    }
    return OBJ_NULL;
}

// right `op` left, asked of an instance on the right.
Obj instance_reflected_op(BinaryOp op, Obj left, Obj right)
{
    return implemented(call_special(right, reflected_names[op - BIN_OR], 1, &left));
}

static Obj instance_subscr(Obj self, Obj index, Obj value)
{
    Obj r;
    if (value == OBJ_SENTINEL) r = call_special(self, Q___getitem__, 1, &index);
    else if (value == OBJ_NULL) r = call_special(self, Q___delitem__, 1, &index);
    else r = call_special(self, Q___setitem__, 2, (const Obj[]){index, value});
    if (r != OBJ_NULL) return r;
    Obj native = native_of(self);
    return native != self && !(obj_type(self)->flags & TYPE_EXCEPTION) ? obj_subscr(native, index, value) : OBJ_NULL;
}

static Obj instance_call(Obj self, size_t n_args, size_t n_kw, const Obj *args)
{
    Obj found = type_lookup(obj_type(self), Q___call__);
    if (found == OBJ_NULL) raise_msg(&type_TypeError, "'%t' object is not callable", self);
    size_t n = n_args + 2 * n_kw;
    Obj few[6];
    Obj *all = n < 6 ? few : mem_alloc((n + 1) * sizeof(Obj));
    all[0] = self;
    for (size_t i = 0; i < n; i++) all[i + 1] = args[i];
    Obj r = obj_call(found, n_args + 1, n_kw, all);
    if (all != few) gc_free(all);
    return r;
}

// ---- Iteration -------------------------------------------------------------------------------------------------------------

typedef struct ItemIter { // over __getitem__(0), (1), …
    ObjBase base;
    Obj self;
    i64 i;
} ItemIter;

// Calls a special method; OBJ_NULL if it raises an exception of that type.
static Obj call_until(Obj self, Qstr name, size_t n, const Obj *args, const Type *end)
{
    Nlr nlr;
    nlr_push(&nlr);
    if (setjmp(nlr.env) == 0) {
        Obj r = call_special(self, name, n, args);
        nlr_pop();
        return r;
    }
    if (!exc_match(nlr.exc, end)) nlr_raise(nlr.exc);
    return OBJ_NULL;
}

static Obj item_iternext(Obj self)
{
    ItemIter *it = (ItemIter *)self;
    Obj index = obj_small(it->i++);
    return call_until(it->self, Q___getitem__, 1, &index, &type_IndexError);
}

const Type type_iterator = {.base = {&type_type}, .name = Q_iterator, .print = iterator_print,
                            .getiter = iterator_self, .iternext = item_iternext};

static Obj instance_getiter(Obj self, IterBuf *buf)
{
    Obj r = call_special(self, Q___iter__, 0, NULL);
    if (r != OBJ_NULL) {
        if (!obj_type(r)->iternext) raise_msg(&type_TypeError, "iter() returned non-iterator of type '%t'", r);
        return r;
    }
    Obj native = native_of(self);
    if (native != self && !(obj_type(self)->flags & TYPE_EXCEPTION)) return obj_getiter(native, buf);
    if (!class_has(obj_type(self), Q___getitem__)) return OBJ_NULL;
    ItemIter *it = obj_alloc(&type_iterator, sizeof(ItemIter));
    it->self = self;
    return OBJ_PTR(it);
}

static Obj instance_iternext(Obj self)
{
    if (!class_has(obj_type(self), Q___next__)) raise_msg(&type_TypeError, "'%t' object is not an iterator", self);
    return call_until(self, Q___next__, 0, NULL, &type_StopIteration);
}

const Type instance_type = {
    .base = {&type_type},
    .make_new = instance_make_new,
    .print = instance_print,
    .unary_op = instance_unary_op,
    .binary_op = instance_binary_op,
    .attr = instance_attr,
    .subscr = instance_subscr,
    .call = instance_call,
    .getiter = instance_getiter,
    .iternext = instance_iternext,
};
