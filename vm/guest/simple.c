// simple.c: the small types: object, None, Ellipsis, NotImplemented, range, slice, cell, bound methods, properties, module.
#include "vm.h"

// ---- object ----------------------------------------------------------------------------------------------------------------

static Obj object_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    (void)args;
    if (n_args || n_kw) raise_msg(&type_TypeError, "object() takes no arguments");
    return OBJ_PTR(obj_alloc(type, sizeof(ObjBase)));
}

static void object_print(Print *p, Obj self, PrintKind kind)
{
    (void)kind;
    print_format(p, "<%t object at 0x", self);
    char text[17];
    size_t n = sizeof text;
    u64 address = obj_bits(self);
    do {
        text[--n] = "0123456789abcdef"[address % 16];
        address /= 16;
    } while (address != 0);
    p->write(p->ctx, text + n, sizeof text - n);
    print_text(p, ">");
}

static Obj object_init(size_t n_args, const Obj *args)
{
    (void)args;
    if (n_args > 1) raise_msg(&type_TypeError, "object.__init__() takes exactly one argument (the instance to initialize)");
    return OBJ_NONE;
}

static Obj object_repr(Obj self)
{
    Vstr v;
    vstr_init(&v, 40);
    Print p = vstr_print(&v);
    object_print(&p, self, PRINT_REPR);
    return vstr_take(&v);
}

static Obj object_new(size_t n_args, const Obj *args)
{
    (void)n_args;
    if (!obj_is(args[0], &type_type)) raise_msg(&type_TypeError, "object.__new__(X): X is not a type object");
    const Type *t = (const Type *)args[0];
    if (!(t->flags & TYPE_USER)) return t->make_new ? t->make_new(t, 0, 0, NULL) : OBJ_NONE;
    if (class_native_base(t)) raise_missing("__new__ of a class derived from a built-in type");
    ObjInstance *o = obj_alloc(t, sizeof(ObjInstance));
    map_init(&o->members, 0);
    return OBJ_PTR(o);
}

static Obj object_setattr(Obj self, Obj name, Obj value)
{
    if (!(obj_type(self)->flags & TYPE_USER)) raise_no_attribute(self, str_attr_name(name));
    map_add(&((ObjInstance *)self)->members, OBJ_QSTR(str_attr_name(name)))->value = value;
    return OBJ_NONE;
}

static const FunBuiltin object_methods[] = {
    BUILTIN_V(__init__, object_init, 1, FUN_UNLIMITED), BUILTIN_1(__repr__, object_repr), BUILTIN_1(__str__, object_repr),
    {{&type_builtin}, Q___new__, FUN_VAR, 1, FUN_UNLIMITED, FUN_IS_STATIC, {.var = object_new}},
    BUILTIN_3(__setattr__, object_setattr),
};
const Type type_object = {.base = {&type_type}, .name = Q_object, .methods = object_methods, .n_methods = 5,
                          .make_new = object_make_new, .print = object_print};

// ---- Constants -----------------------------------------------------------------------------------------------------------

static void none_print(Print *p, Obj self, PrintKind kind)
{
    (void)kind;
    print_text(p, self == OBJ_NONE ? "None" : self == OBJ_ELLIPSIS ? "Ellipsis" : "NotImplemented");
}

const Type type_NoneType = {.base = {&type_type}, .name = Q_NoneType, .parent = &type_object, .print = none_print};
const Type type_ellipsis = {.base = {&type_type}, .name = Q_ellipsis, .parent = &type_object, .print = none_print};
const Type type_NotImplementedType = {.base = {&type_type}, .name = Q_NotImplementedType, .parent = &type_object,
                                      .print = none_print};

// ---- Range -----------------------------------------------------------------------------------------------------------------

static i64 range_len(const ObjRange *r)
{
    if (r->step > 0) return r->stop > r->start ? (r->stop - r->start - 1) / r->step + 1 : 0;
    return r->stop < r->start ? (r->start - r->stop - 1) / -r->step + 1 : 0;
}

static Obj range_make(i64 start, i64 stop, i64 step)
{
    ObjRange *r = obj_alloc(&type_range, sizeof(ObjRange));
    r->start = start;
    r->stop = stop;
    r->step = step;
    return OBJ_PTR(r);
}

static Obj range_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_args < 1 || n_args > 3 || n_kw) raise_arg_count(type->name, 1, 3, n_args);
    i64 start = 0, step = 1, stop = obj_get_int(args[n_args > 1]);
    if (n_args > 1) start = obj_get_int(args[0]);
    if (n_args > 2) step = obj_get_int(args[2]);
    if (step == 0) raise_msg(&type_ValueError, "range() arg 3 must not be zero");
    return range_make(start, stop, step);
}

static void range_print(Print *p, Obj self, PrintKind kind)
{
    const ObjRange *r = (const ObjRange *)self;
    (void)kind;
    print_format(p, "range(%ld, %ld", r->start, r->stop);
    if (r->step != 1) print_format(p, ", %ld", r->step);
    print_text(p, ")");
}

static Obj range_unary_op(UnaryOp op, Obj self)
{
    i64 n = range_len((const ObjRange *)self);
    if (op == UN_BOOL) return obj_bool(n != 0);
    return op == UN_LEN ? obj_int(n) : OBJ_NULL;
}

static Obj range_binary_op(BinaryOp op, Obj left, Obj right)
{
    const ObjRange *a = (const ObjRange *)left;
    if (op == BIN_EQUAL && obj_is(right, &type_range)) {
        const ObjRange *b = (const ObjRange *)right;
        i64 n = range_len(a);
        return obj_bool(n == range_len(b) && (n == 0 || (a->start == b->start && (n == 1 || a->step == b->step))));
    }
    i64 v;
    if (op != BIN_CONTAINS) return OBJ_NULL;
    if (!num_get_int(right, &v)) {
        double d;
        if (!num_get_float(right, &d) || d != (double)(i64)d) return OBJ_FALSE;
        v = (i64)d;
    }
    if (a->step > 0 ? v < a->start || v >= a->stop : v > a->start || v <= a->stop) return OBJ_FALSE;
    return obj_bool((v - a->start) % a->step == 0);
}

static Obj range_subscr(Obj self, Obj index, Obj value)
{
    const ObjRange *r = (const ObjRange *)self;
    if (value != OBJ_SENTINEL) return OBJ_NULL;
    size_t n = (size_t)range_len(r);
    if (obj_is(index, &type_slice)) {
        SliceRange s = slice_range(n, index);
        return range_make(r->start + s.start * r->step, r->start + s.stop * r->step, r->step * s.step);
    }
    return obj_int(r->start + (i64)index_in(&type_range, n, index) * r->step);
}

typedef struct RangeIter {
    ObjBase base;
    i64 next, n_left, step;
} RangeIter;
_Static_assert(sizeof(RangeIter) <= sizeof(IterBuf), "built in four slots");

static Obj range_getiter(Obj self, IterBuf *buf)
{
    const ObjRange *r = (const ObjRange *)self;
    RangeIter *it = (RangeIter *)buf;
    it->base.type = &type_range_iterator;
    it->next = r->start;
    it->n_left = range_len(r);
    it->step = r->step;
    return OBJ_PTR(it);
}

static Obj range_iternext(Obj self)
{
    RangeIter *it = (RangeIter *)self;
    if (it->n_left <= 0) return OBJ_NULL;
    i64 v = it->next;
    it->n_left--;
    it->next = v + it->step;
    return obj_int(v);
}

const Type type_range_iterator = {.base = {&type_type}, .name = Q_range_iterator, .print = iterator_print,
                                  .getiter = iterator_self, .iternext = range_iternext};

static void range_attr(Obj self, Qstr name, Obj *dest)
{
    const ObjRange *r = (const ObjRange *)self;
    if (dest[0] != OBJ_NULL) return;
    if (name == Q_start) dest[0] = obj_int(r->start);
    else if (name == Q_stop) dest[0] = obj_int(r->stop);
    else if (name == Q_step) dest[0] = obj_int(r->step);
}

const Type type_range = {.base = {&type_type}, .name = Q_range, .parent = &type_object, .make_new = range_make_new,
                         .print = range_print, .unary_op = range_unary_op, .binary_op = range_binary_op,
                         .attr = range_attr, .subscr = range_subscr, .getiter = range_getiter};

// ---- Slice and cell ----------------------------------------------------------------------------------------------------------

Obj obj_slice(Obj start, Obj stop, Obj step)
{
    ObjSlice *s = obj_alloc(&type_slice, sizeof(ObjSlice));
    s->start = start;
    s->stop = stop;
    s->step = step;
    return OBJ_PTR(s);
}

static Obj slice_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_args < 1 || n_args > 3 || n_kw) raise_arg_count(type->name, 1, 3, n_args);
    if (n_args == 1) return obj_slice(OBJ_NONE, args[0], OBJ_NONE);
    return obj_slice(args[0], args[1], n_args > 2 ? args[2] : OBJ_NONE);
}

static void slice_print(Print *p, Obj self, PrintKind kind)
{
    const ObjSlice *s = (const ObjSlice *)self;
    (void)kind;
    print_format(p, "slice(%r, %r, %r)", s->start, s->stop, s->step);
}

static void slice_attr(Obj self, Qstr name, Obj *dest)
{
    const ObjSlice *s = (const ObjSlice *)self;
    if (dest[0] != OBJ_NULL) return;
    if (name == Q_start) dest[0] = s->start;
    else if (name == Q_stop) dest[0] = s->stop;
    else if (name == Q_step) dest[0] = s->step;
}

const Type type_slice = {.base = {&type_type}, .name = Q_slice, .parent = &type_object, .make_new = slice_make_new,
                         .print = slice_print, .attr = slice_attr};

Obj obj_cell(Obj value)
{
    ObjCell *c = obj_alloc(&type_cell, sizeof(ObjCell));
    c->value = value;
    return OBJ_PTR(c);
}

const Type type_cell = {.base = {&type_type}, .name = Q_cell, .parent = &type_object, .print = object_print};

// ---- Bound methods, and what decorators make -----------------------------------------------------------------------------------

Obj obj_bound(Obj function, Obj self)
{
    ObjBound *b = obj_alloc(&type_bound_method, sizeof(ObjBound));
    b->function = function;
    b->self = self;
    return OBJ_PTR(b);
}

// Prepends self; the array lies on the C stack while it is small.
static Obj bound_call(Obj self, size_t n_args, size_t n_kw, const Obj *args)
{
    const ObjBound *b = (const ObjBound *)self;
    size_t n = n_args + 2 * n_kw;
    Obj few[5];
    Obj *all = n <= 4 ? few : mem_alloc((n + 1) * sizeof(Obj));
    all[0] = b->self;
    for (size_t i = 0; i < n; i++) all[i + 1] = args[i];
    Obj r = obj_call(b->function, n_args + 1, n_kw, all);
    if (all != few) gc_free(all);
    return r;
}

static void bound_print(Print *p, Obj self, PrintKind kind)
{
    const ObjBound *b = (const ObjBound *)self;
    (void)kind;
    print_format(p, "<bound method %r of %r>", b->function, b->self);
}

static Obj bound_binary_op(BinaryOp op, Obj left, Obj right)
{
    const ObjBound *a = (const ObjBound *)left;
    if (op != BIN_EQUAL || !obj_is(right, &type_bound_method)) return OBJ_NULL;
    const ObjBound *b = (const ObjBound *)right;
    return obj_bool(a->function == b->function && a->self == b->self);
}

static Obj bound_unary_op(UnaryOp op, Obj self)
{
    const ObjBound *b = (const ObjBound *)self;
    return op == UN_HASH ? obj_small((i64)(obj_bits(b->function) >> 3 ^ obj_bits(b->self) >> 4) & 0xffffffff) : OBJ_NULL;
}

static void bound_attr(Obj self, Qstr name, Obj *dest)
{
    const ObjBound *b = (const ObjBound *)self;
    if (dest[0] != OBJ_NULL) return;
    if (name == Q___self__) dest[0] = b->self;
    else if (name == Q___func__) dest[0] = b->function;
    else if (name == Q___name__) dest[0] = obj_load_attr(b->function, name);
}

const Type type_bound_method = {.base = {&type_type}, .name = Q_method, .parent = &type_object, .print = bound_print,
                                .unary_op = bound_unary_op, .binary_op = bound_binary_op, .attr = bound_attr,
                                .call = bound_call};

static Obj wrapper_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_args != 1 || n_kw) raise_arg_count(type->name, 1, 1, n_args);
    ObjCell *c = obj_alloc(type, sizeof(ObjCell));
    c->value = args[0];
    return OBJ_PTR(c);
}

const Type type_staticmethod = {.base = {&type_type}, .name = Q_staticmethod, .parent = &type_object,
                                .make_new = wrapper_make_new, .print = object_print};
const Type type_classmethod = {.base = {&type_type}, .name = Q_classmethod, .parent = &type_object,
                               .make_new = wrapper_make_new, .print = object_print};

// A property is laid out as a slice: getter, setter, deleter.
static Obj property_make(Obj get, Obj set, Obj del)
{
    Obj o = obj_slice(get, set, del);
    ((ObjSlice *)o)->base.type = &type_property;
    return o;
}

static Obj property_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_args > 3 || n_kw) raise_arg_count(type->name, 0, 3, n_args);
    return property_make(n_args > 0 ? args[0] : OBJ_NONE, n_args > 1 ? args[1] : OBJ_NONE, n_args > 2 ? args[2] : OBJ_NONE);
}

static const ObjSlice *property_of(Obj o)
{
    if (!obj_is(o, &type_property)) raise_msg(&type_TypeError, "a 'property' object is required");
    return (const ObjSlice *)o;
}

static Obj property_getter(Obj o, Obj f) { return property_make(f, property_of(o)->stop, property_of(o)->step); }
static Obj property_setter(Obj o, Obj f) { return property_make(property_of(o)->start, f, property_of(o)->step); }
static Obj property_deleter(Obj o, Obj f) { return property_make(property_of(o)->start, property_of(o)->stop, f); }

static const FunBuiltin property_methods[] = {BUILTIN_2(getter, property_getter), BUILTIN_2(setter, property_setter),
                                              BUILTIN_2(deleter, property_deleter)};
const Type type_property = {.base = {&type_type}, .name = Q_property, .parent = &type_object,
                            .methods = property_methods, .n_methods = 3, .make_new = property_make_new,
                            .print = object_print};

// ---- Module ------------------------------------------------------------------------------------------------------------------

static void module_print(Print *p, Obj self, PrintKind kind)
{
    MapEntry *e = map_find_qstr(&((const ObjModule *)self)->globals->map, Q___name__);
    (void)kind;
    print_format(p, "<module '%o'>", e ? e->value : OBJ_NONE);
}

static void module_attr(Obj self, Qstr name, Obj *dest)
{
    ObjDict *d = ((ObjModule *)self)->globals;
    if (dest[0] == OBJ_NULL) {
        MapEntry *e = map_find_qstr(&d->map, name);
        if (e) dest[0] = e->value;
        else if (name == Q___dict__) dest[0] = OBJ_PTR(d);
        return;
    }
    if (dest[1] == OBJ_NULL) {
        if (map_remove(&d->map, OBJ_QSTR(name)) == OBJ_NULL) return;
    } else map_set_qstr(&d->map, name, dest[1]);
    dest[0] = OBJ_NULL;
}

const Type type_module = {.base = {&type_type}, .name = Q_module, .parent = &type_object, .print = module_print,
                          .attr = module_attr};
