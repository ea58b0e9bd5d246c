// iters.c: the iterator objects behind enumerate, zip, map, filter, reversed and iter(f, end).
#include "vm.h"

typedef struct ObjIter { // one layout for all
    ObjBase base;
    Obj function; // map, filter, iter
    i64 i;        // enumerate: next number; reversed: items left
    size_t n;     // inputs
    Obj inputs[];
} ObjIter;

static ObjIter *iter_alloc(const Type *type, size_t n)
{
    ObjIter *it = obj_alloc(type, sizeof(ObjIter) + n * sizeof(Obj));
    it->n = n;
    return it;
}

static void add_inputs(ObjIter *it, size_t n, const Obj *iterables)
{
    for (size_t i = 0; i < n; i++) it->inputs[i] = obj_getiter(iterables[i], NULL);
}

static Obj enumerate_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    static const Qstr allowed[] = {Q_start};
    if (n_args < 1 || n_args > 2) raise_arg_count(type->name, 1, 2, n_args);
    kw_check(Q_enumerate, n_kw, args + n_args, allowed, 1);
    ObjIter *it = iter_alloc(type, 1);
    Obj start = n_args > 1 ? args[1] : kw_get(n_kw, args + n_args, Q_start);
    it->i = start == OBJ_NULL ? 0 : obj_get_int(start);
    add_inputs(it, 1, args);
    return OBJ_PTR(it);
}

static Obj enumerate_iternext(Obj self)
{
    ObjIter *it = (ObjIter *)self;
    Obj o = obj_iternext(it->inputs[0]);
    if (o == OBJ_NULL) return OBJ_NULL;
    return obj_tuple(2, (const Obj[]){obj_int(it->i++), o});
}

static Obj zip_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_kw) raise_missing("zip(strict=…)");
    ObjIter *it = iter_alloc(type, n_args);
    add_inputs(it, n_args, args);
    return OBJ_PTR(it);
}

static Obj zip_iternext(Obj self)
{
    ObjIter *it = (ObjIter *)self;
    if (it->n == 0) return OBJ_NULL;
    ObjTuple *t = (ObjTuple *)obj_tuple(it->n, NULL);
    for (size_t i = 0; i < it->n; i++) {
        t->items[i] = obj_iternext(it->inputs[i]);
        if (t->items[i] == OBJ_NULL) return OBJ_NULL;
    }
    return OBJ_PTR(t);
}

static Obj map_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_args < 2 || n_kw) raise_msg(&type_TypeError, "map() must have at least two arguments.");
    ObjIter *it = iter_alloc(type, n_args - 1);
    it->function = args[0];
    add_inputs(it, n_args - 1, args + 1);
    return OBJ_PTR(it);
}

static Obj map_iternext(Obj self)
{
    ObjIter *it = (ObjIter *)self;
    Obj few[4];
    Obj *args = it->n <= 4 ? few : mem_alloc(it->n * sizeof(Obj));
    for (size_t i = 0; i < it->n; i++) {
        args[i] = obj_iternext(it->inputs[i]);
        if (args[i] == OBJ_NULL) return OBJ_NULL;
    }
    return obj_call(it->function, it->n, 0, args);
}

static Obj filter_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_args != 2 || n_kw) raise_arg_count(type->name, 2, 2, n_args);
    ObjIter *it = iter_alloc(type, 1);
    it->function = args[0];
    add_inputs(it, 1, args + 1);
    return OBJ_PTR(it);
}

static Obj filter_iternext(Obj self)
{
    ObjIter *it = (ObjIter *)self;
    Obj o;
    while ((o = obj_iternext(it->inputs[0])) != OBJ_NULL) {
        Obj keep = it->function == OBJ_NONE ? o : obj_call_1(it->function, o);
        if (obj_is_true(keep)) return o;
    }
    return OBJ_NULL;
}

static Obj reversed_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_args != 1 || n_kw) raise_arg_count(type->name, 1, 1, n_args);
    if (obj_type(args[0])->flags & TYPE_USER) {
        Obj method[2];
        obj_load_method_maybe(args[0], Q___reversed__, method);
        if (method[0] != OBJ_NULL) return obj_call_method(0, 0, method);
    }
    ObjIter *it = iter_alloc(type, 1);
    it->inputs[0] = obj_is(args[0], &type_dict) || obj_is(args[0], &type_dict_view) ? OBJ_PTR(list_from_iterable(args[0])) : args[0];
    if (!obj_type(it->inputs[0])->subscr) raise_msg(&type_TypeError, "'%t' object is not reversible", args[0]);
    it->i = (i64)obj_len(it->inputs[0]);
    return OBJ_PTR(it);
}

static Obj reversed_iternext(Obj self)
{
    ObjIter *it = (ObjIter *)self;
    if (it->i <= 0) return OBJ_NULL;
    it->i--;
    return obj_subscr(it->inputs[0], obj_small(it->i), OBJ_SENTINEL);
}

// iter(f, end): calls f until it returns `end`.
Obj call_iterator(Obj f, Obj end)
{
    ObjIter *it = iter_alloc(&type_call_iterator, 1);
    it->function = f;
    it->inputs[0] = end;
    return OBJ_PTR(it);
}

static Obj call_iternext(Obj self)
{
    ObjIter *it = (ObjIter *)self;
    if (it->i) return OBJ_NULL;
    Obj o = obj_call_0(it->function);
    if (!obj_equal(o, it->inputs[0])) return o;
    it->i = 1;
    return OBJ_NULL;
}

#define ITERATOR_TYPE(type_name, make, next)                                                                 \
    const Type type_##type_name = {.base = {&type_type},                                                     \
                                   .name = Q_##type_name,                                                    \
                                   .parent = &type_object,                                                   \
                                   .make_new = make,                                                         \
                                   .print = iterator_print,                                                  \
                                   .getiter = iterator_self,                                                 \
                                   .iternext = next}
ITERATOR_TYPE(enumerate, enumerate_make_new, enumerate_iternext);
ITERATOR_TYPE(zip, zip_make_new, zip_iternext);
ITERATOR_TYPE(map, map_make_new, map_iternext);
ITERATOR_TYPE(filter, filter_make_new, filter_iternext);
ITERATOR_TYPE(reversed, reversed_make_new, reversed_iternext);
ITERATOR_TYPE(call_iterator, NULL, call_iternext);
