// obj.c: the operations on any object: truth, equality, hash, length, indexing, calling, iterating, attributes. Each tries the
// fast cases first, then asks the object's type.
#include "vm.h"

#include <string.h>

Vm vm;

void *obj_alloc(const Type *type, size_t n_bytes)
{
    ObjBase *o = mem_alloc(n_bytes);
    o->type = type;
    return o;
}

const Type *obj_type_of_word(Obj o)
{
    if (obj_is_small(o)) return &type_int;
    if (obj_is_qstr(o)) return &type_str;
    if (o == OBJ_NONE) return &type_NoneType;
    if (o == OBJ_ELLIPSIS) return &type_ellipsis;
    if (o == OBJ_NOTIMPL) return &type_NotImplementedType;
    return &type_bool;
}

void stack_check(void)
{
    char here;
    if (UNLIKELY((ptraddr_t)&here < vm.stack_limit)) {
        raise_msg(&type_RecursionError, "maximum recursion depth exceeded");
    }
}

bool obj_is_true(Obj o)
{
    if (o == OBJ_TRUE) return true;
    if (o == OBJ_FALSE || o == OBJ_NONE) return false;
    if (obj_is_small(o)) return obj_small_value(o) != 0;
    if (obj_is_qstr(o)) return o != OBJ_QSTR(Q_EMPTY);
    const Type *t = obj_type(o);
    if (t->unary_op) {
        Obj r = t->unary_op(UN_BOOL, o);
        if (r != OBJ_NULL) return r == OBJ_TRUE;
        r = t->unary_op(UN_LEN, o);
        if (r != OBJ_NULL) return obj_small_value(r) != 0;
    }
    return true;
}

bool obj_equal(Obj a, Obj b)
{
    if (a == b) return !obj_is_float(a) || ((const ObjFloat *)a)->value == ((const ObjFloat *)a)->value;
    if (obj_are_small(a, b)) return false;
    if (obj_is_str(a) || obj_is_str(b)) {
        if (obj_is_str(a) && obj_is_str(b)) return str_equal(a, b);
    }
    double x, y;
    if (num_get_float(a, &x) && num_get_float(b, &y)) {
        i64 i, j;
        if (num_get_int(a, &i) && num_get_int(b, &j)) return i == j;
        // an int and a float are equal only if the float is exactly that integer
        if (x != y) return false;
        if (num_get_int(a, &i)) return y < 9.2e18 && y > -9.2e18 && (i64)y == i;
        if (num_get_int(b, &i)) return x < 9.2e18 && x > -9.2e18 && (i64)x == i;
        return true;
    }
    stack_check();
    const Type *t = obj_type(a), *u = obj_type(b);
    if (t->binary_op) {
        Obj r = t->binary_op(BIN_EQUAL, a, b);
        if (r != OBJ_NULL) return obj_is_true(r);
    }
    if (u->binary_op) {
        Obj r = u->binary_op(BIN_EQUAL, b, a);
        if (r != OBJ_NULL) return obj_is_true(r);
    }
    return false;
}

u32 obj_hash(Obj o)
{
    if (obj_is_small(o)) return (u32)obj_small_value(o) ^ (u32)(obj_small_value(o) >> 32);
    if (obj_is_qstr(o)) return qstr_hash(obj_qstr(o));
    if (obj_is(o, &type_str)) return str_hash(o);
    if (o == OBJ_TRUE || o == OBJ_FALSE) return o == OBJ_TRUE;
    if (!obj_is_ptr(o)) return (u32)obj_bits(o);
    if (obj_is_float(o)) return float_hash(((const ObjFloat *)o)->value);
    const Type *t = obj_type(o);
    if (t->unary_op) {
        Obj r = t->unary_op(UN_HASH, o);
        if (r != OBJ_NULL) return (u32)obj_small_value(r) ^ (u32)(obj_small_value(r) >> 32);
    }
    if (t->binary_op && !(t->flags & TYPE_EXCEPTION)) raise_msg(&type_TypeError, "unhashable type: '%t'", o);
    return (u32)(obj_bits(o) >> 4) ^ (u32)(obj_bits(o) >> 32); // objects never move
}

Obj obj_len_maybe(Obj o)
{
    if (obj_is_str(o)) return obj_small((i64)str_n_chars(o));
    const Type *t = obj_type(o);
    return t->unary_op ? t->unary_op(UN_LEN, o) : OBJ_NULL;
}

size_t obj_len(Obj o)
{
    Obj n = obj_len_maybe(o);
    if (n == OBJ_NULL) raise_msg(&type_TypeError, "object of type '%t' has no len()", o);
    return (size_t)obj_small_value(n);
}

Obj obj_subscr(Obj o, Obj index, Obj value)
{
    const Type *t = obj_type(o);
    if (t->subscr) {
        Obj r = t->subscr(o, index, value);
        if (r != OBJ_NULL) return r;
    }
    const char *what = value == OBJ_NULL       ? "'%t' object doesn't support item deletion"
                       : value == OBJ_SENTINEL ? "'%t' object is not subscriptable"
                                               : "'%t' object does not support item assignment";
    if (obj_is(o, &type_type) && value == OBJ_SENTINEL) {
        raise_msg(&type_TypeError, "type '%q' is not subscriptable", ((const Type *)o)->name);
    }
    raise_msg(&type_TypeError, what, o);
}

bool obj_is_callable(Obj o)
{
    const Type *t = obj_type(o);
    return t->flags & TYPE_USER ? type_lookup(t, Q___call__) != OBJ_NULL : t->call != NULL;
}

Obj obj_call(Obj f, size_t n_args, size_t n_kw, const Obj *args)
{
    const Type *t = obj_type(f);
    if (LIKELY(t->call != NULL)) return t->call(f, n_args, n_kw, args);
    raise_msg(&type_TypeError, "'%t' object is not callable", f);
}

Obj obj_call_method(size_t n_args, size_t n_kw, const Obj *args)
{
    if (args[1] == OBJ_NULL) return obj_call(args[0], n_args, n_kw, args + 2);
    return obj_call(args[0], n_args + 1, n_kw, args + 1);
}

// ---- Iteration -------------------------------------------------------------------------------------------------------------

Obj obj_getiter(Obj o, IterBuf *buf)
{
    const Type *t = obj_type(o);
    if (t->getiter) {
        if (!buf) buf = mem_alloc(sizeof(IterBuf));
        Obj it = t->getiter(o, buf);
        if (it != OBJ_NULL) return it;
    } else if (t->iternext) return o;
    raise_msg(&type_TypeError, "'%t' object is not iterable", o);
}

Obj obj_iternext(Obj it)
{
    const Type *t = obj_type(it);
    if (t->iternext) return t->iternext(it);
    raise_msg(&type_TypeError, "'%t' object is not an iterator", it);
}

// ---- Attributes ------------------------------------------------------------------------------------------------------------

// What a class attribute becomes when it is reached through an instance (self) or, with self NULL, through the class.
void bind_attribute(Obj found, Obj self, const Type *type, Obj dest[2])
{
    dest[0] = found;
    dest[1] = OBJ_NULL;
    if (!obj_is_ptr(found)) return;
    const Type *t = ((const ObjBase *)found)->type;
    if (t == &type_function || t == &type_closure || t == &type_builtin || t == &type_gen_wrap) {
        if (t == &type_builtin && ((const FunBuiltin *)found)->flags & FUN_IS_STATIC) return;
        if (t == &type_builtin && ((const FunBuiltin *)found)->flags & FUN_IS_CLASS) dest[1] = OBJ_PTR(type);
        else if (self != OBJ_NULL) dest[1] = self;
    } else if (t == &type_staticmethod) {
        dest[0] = ((const ObjCell *)found)->value;
    } else if (t == &type_classmethod) {
        dest[0] = ((const ObjCell *)found)->value;
        dest[1] = OBJ_PTR(type);
    } else if (t == &type_property && self != OBJ_NULL) {
        Obj getter = ((const ObjSlice *)found)->start;
        if (getter == OBJ_NONE) raise_msg(&type_AttributeError, "property has no getter");
        dest[0] = obj_call_1(getter, self);
    }
}

void obj_load_method_maybe(Obj o, Qstr name, Obj dest[2])
{
    dest[0] = dest[1] = OBJ_NULL;
    const Type *t = obj_type(o);
    if (t->attr) {
        t->attr(o, name, dest);
        if (dest[0] != OBJ_NULL) return;
    }
    if (!(t->flags & TYPE_USER)) {
        Obj found = type_lookup(t, name);
        if (found != OBJ_NULL) {
            bind_attribute(found, o, t, dest);
            return;
        }
    }
    if (name == Q___class__) dest[0] = OBJ_PTR(t);
}

void obj_load_method(Obj o, Qstr name, Obj dest[2])
{
    obj_load_method_maybe(o, name, dest);
    if (dest[0] == OBJ_NULL) raise_no_attribute(o, name);
}

Obj obj_load_attr(Obj o, Qstr name)
{
    Obj dest[2];
    obj_load_method(o, name, dest);
    return dest[1] == OBJ_NULL ? dest[0] : obj_bound(dest[0], dest[1]);
}

void obj_store_attr(Obj o, Qstr name, Obj value)
{
    const Type *t = obj_type(o);
    if (t->attr) {
        Obj dest[2] = {OBJ_SENTINEL, value};
        t->attr(o, name, dest);
        if (dest[0] == OBJ_NULL) return;
    }
    raise_no_attribute(o, name);
}

// ---- Keyword arguments of C functions ----------------------------------------------------------------------------------------

Obj kw_get(size_t n_kw, const Obj *pairs, Qstr name)
{
    for (size_t i = 0; i < n_kw; i++) {
        if (pairs[2 * i] == OBJ_QSTR(name)) return pairs[2 * i + 1];
    }
    return OBJ_NULL;
}

void kw_check(Qstr function, size_t n_kw, const Obj *pairs, const Qstr *allowed, size_t n_allowed)
{
    for (size_t i = 0; i < n_kw; i++) {
        size_t k = 0;
        while (k < n_allowed && pairs[2 * i] != OBJ_QSTR(allowed[k])) k++;
        if (k == n_allowed) {
            raise_msg(&type_TypeError, "%q() got an unexpected keyword argument '%o'", function, pairs[2 * i]);
        }
    }
}
