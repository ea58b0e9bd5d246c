// class.c: classes as objects: the type `type`, class statements, the order of look-up (C3), attributes through instances,
// and super().
#include "vm.h"

enum { TYPE_HAS_SETTERS = 8 }; // some class in the order has a property or __setattr__: storing must look for it

// ---- Look-up -----------------------------------------------------------------------------------------------------------------

static Obj lookup_here(const Type *t, Qstr name)
{
    if (t->flags & TYPE_USER) {
        MapEntry *e = map_find_qstr(&t->dict->map, name);
        return e ? e->value : OBJ_NULL;
    }
    const FunBuiltin *f = t->methods;
    for (size_t n = t->n_methods; n > 0; n--, f++) {
        if (f->name == name) return OBJ_PTR(f);
    }
    return OBJ_NULL;
}

Obj type_lookup(const Type *t, Qstr name)
{
    if (t->flags & TYPE_USER) {
        const ObjTuple *mro = t->mro;
        for (size_t i = 0; i < mro->n; i++) {
            Obj found = lookup_here((const Type *)mro->items[i], name);
            if (found != OBJ_NULL) return found;
        }
        return OBJ_NULL;
    }
    for (; t; t = t->parent) {
        Obj found = lookup_here(t, name);
        if (found != OBJ_NULL) return found;
    }
    return OBJ_NULL;
}

Obj type_lookup_after(const Type *t, const Type *after, Qstr name)
{
    if (!(t->flags & TYPE_USER)) return t == after && t->parent ? type_lookup(t->parent, name) : OBJ_NULL;
    size_t i = 0;
    while (i < t->mro->n && t->mro->items[i] != OBJ_PTR(after)) i++;
    for (i++; i < t->mro->n; i++) {
        Obj found = lookup_here((const Type *)t->mro->items[i], name);
        if (found != OBJ_NULL) return found;
    }
    return OBJ_NULL;
}

bool class_has(const Type *t, Qstr name)
{
    Obj found = type_lookup(t, name);
    return found != OBJ_NULL && !obj_is(found, &type_builtin);
}

const Type *class_native_base(const Type *t) { return t->flags & TYPE_USER && t->parent != &type_object ? t->parent : NULL; }

Obj native_of(Obj o)
{
    if (!obj_is_ptr(o)) return o;
    const Type *t = ((const ObjBase *)o)->type;
    return class_native_base(t) ? ((const ObjInstance *)o)->native[0] : o;
}

bool obj_is_subclass(const Type *t, const Type *of)
{
    if (t->flags & TYPE_USER) {
        for (size_t i = 0; i < t->mro->n; i++) {
            if (t->mro->items[i] == OBJ_PTR(of)) return true;
        }
        return false;
    }
    for (; t; t = t->parent) {
        if (t == of) return true;
    }
    return of == &type_object;
}

bool obj_isinstance(Obj o, Obj class_or_tuple)
{
    if (obj_is(class_or_tuple, &type_tuple)) {
        const ObjTuple *t = (const ObjTuple *)class_or_tuple;
        for (size_t i = 0; i < t->n; i++) {
            if (obj_isinstance(o, t->items[i])) return true;
        }
        return false;
    }
    if (!obj_is(class_or_tuple, &type_type)) {
        raise_msg(&type_TypeError, "isinstance() arg 2 must be a type, a tuple of types, or a union");
    }
    return obj_is_subclass(obj_type(o), (const Type *)class_or_tuple);
}

// ---- Making classes ------------------------------------------------------------------------------------------------------------

// The order of a class that has no mro of its own: its parents one after the other.
static ObjList *order_of(const Type *t)
{
    if (t->flags & TYPE_USER) return (ObjList *)obj_list(t->mro->n, t->mro->items);
    ObjList *l = (ObjList *)obj_list(0, NULL);
    for (; t; t = t->parent) list_append(l, OBJ_PTR(t));
    return l;
}

static bool is_in_a_tail(const ObjList *lists, const size_t *heads, Obj c)
{
    for (size_t i = 0; i < lists->n; i++) {
        const ObjList *l = (const ObjList *)lists->items[i];
        for (size_t k = heads[i] + 1; k < l->n; k++) {
            if (l->items[k] == c) return true;
        }
    }
    return false;
}

// C3: merges the orders of the bases: always the first head that stands in no other list's tail.
static ObjTuple *linearize(const Type *self, const ObjTuple *bases)
{
    ObjList *lists = (ObjList *)obj_list(0, NULL), *order = (ObjList *)obj_list(0, NULL);
    list_append(order, OBJ_PTR(self));
    for (size_t i = 0; i < bases->n; i++) list_append(lists, OBJ_PTR(order_of((const Type *)bases->items[i])));
    list_append(lists, obj_list(bases->n, bases->items));
    size_t *heads = mem_alloc(lists->n * sizeof(size_t));
    for (;;) {
        Obj next = OBJ_NULL;
        bool is_done = true;
        for (size_t i = 0; i < lists->n && next == OBJ_NULL; i++) {
            const ObjList *l = (const ObjList *)lists->items[i];
            if (heads[i] >= l->n) continue;
            is_done = false;
            if (!is_in_a_tail(lists, heads, l->items[heads[i]])) next = l->items[heads[i]];
        }
        if (is_done) break;
        if (next == OBJ_NULL) {
            raise_msg(&type_TypeError, "Cannot create a consistent method resolution order (MRO) for bases");
        }
        list_append(order, next);
        for (size_t i = 0; i < lists->n; i++) {
            const ObjList *l = (const ObjList *)lists->items[i];
            if (heads[i] < l->n && l->items[heads[i]] == next) heads[i]++;
        }
    }
    return (ObjTuple *)obj_tuple(order->n, order->items);
}

static bool has_setters(const ObjDict *dict)
{
    if (map_find_qstr(&dict->map, Q___setattr__) || map_find_qstr(&dict->map, Q___delattr__)) return true;
    u32 at = 0;
    for (MapEntry *e; (e = map_next(&dict->map, &at));) {
        if (obj_is(e->value, &type_property)) return true;
    }
    return false;
}

Obj class_new(Qstr name, Obj bases_in, ObjDict *dict)
{
    const ObjTuple *bases = (const ObjTuple *)bases_in;
    if (bases->n == 0) bases = (const ObjTuple *)obj_tuple(1, (const Obj[]){OBJ_PTR(&type_object)});
    u32 flags = TYPE_USER | (has_setters(dict) ? TYPE_HAS_SETTERS : 0);
    const Type *native = &type_object;
    for (size_t i = 0; i < bases->n; i++) {
        if (!obj_is(bases->items[i], &type_type)) raise_msg(&type_TypeError, "bases must be types");
        const Type *b = (const Type *)bases->items[i];
        flags |= b->flags & (TYPE_EXCEPTION | TYPE_HAS_SETTERS);
        const Type *its_native = b->flags & TYPE_USER ? b->parent : b;
        if (its_native == &type_bool || its_native == &type_function || its_native == &type_range) {
            raise_msg(&type_TypeError, "type '%q' is not an acceptable base type", its_native->name);
        }
        if (its_native == &type_object || obj_is_subclass(native, its_native)) continue;
        if (native != &type_object && !obj_is_subclass(its_native, native)) {
            raise_msg(&type_TypeError, "multiple bases have instance lay-out conflict");
        }
        native = its_native;
    }
    if (native != &type_object && !native->make_new) {
        raise_msg(&type_TypeError, "type '%q' is not an acceptable base type", native->name);
    }
    Type *t = obj_alloc(&type_type, sizeof(Type));
    *t = instance_type;
    t->name = name;
    t->flags = flags;
    t->parent = native;
    t->dict = dict;
    t->bases = (ObjTuple *)bases;
    t->mro = linearize(t, bases);
    if (class_has(t, Q___init_subclass__)) raise_missing("__init_subclass__");
    return OBJ_PTR(t);
}

// The function behind a class statement: (body, name, bases…).
static Obj build(size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_kw) raise_missing("keyword arguments of a class statement (metaclass)");
    ObjDict *outer = vm.locals, *dict = (ObjDict *)obj_dict(0);
    Nlr n;
    nlr_push(&n);
    if (setjmp(n.env) != 0) {
        vm.locals = outer;
        nlr_raise(n.exc);
    }
    vm.locals = dict;
    Obj cell = obj_call_0(args[0]);
    nlr_pop();
    vm.locals = outer;
    Obj c = class_new(str_intern(args[1]), obj_tuple(n_args - 2, args + 2), dict);
    if (obj_is(cell, &type_cell)) ((ObjCell *)cell)->value = c; // __class__, for super()
    return c;
}

const FunBuiltin build_class = BUILTIN_K(__build_class__, build, 2, FUN_UNLIMITED);

// ---- The type `type` -----------------------------------------------------------------------------------------------------------

static Obj type_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    (void)type;
    if (n_kw || (n_args != 1 && n_args != 3)) raise_msg(&type_TypeError, "type() takes 1 or 3 arguments");
    if (n_args == 1) return OBJ_PTR(obj_type(args[0]));
    if (!obj_is(args[1], &type_tuple)) raise_msg(&type_TypeError, "type.__new__() argument 2 must be tuple, not %t", args[1]);
    ObjDict *d = (ObjDict *)obj_dict(0);
    map_copy(&d->map, &dict_get_map(args[2])->map);
    if (!map_find_qstr(&d->map, Q___module__)) map_set_qstr(&d->map, Q___module__, OBJ_QSTR(Q___main__));
    return class_new(str_intern(args[0]), args[1], d);
}

static Obj type_call(Obj self, size_t n_args, size_t n_kw, const Obj *args)
{
    const Type *t = (const Type *)self;
    if (!t->make_new) raise_msg(&type_TypeError, "cannot create '%q' instances", t->name);
    return t->make_new(t, n_args, n_kw, args);
}

static void type_print(Print *p, Obj self, PrintKind kind)
{
    const Type *t = (const Type *)self;
    (void)kind;
    print_text(p, "<class '");
    MapEntry *e = t->flags & TYPE_USER ? map_find_qstr(&t->dict->map, Q___module__) : NULL;
    if (e) print_format(p, "%o.", e->value);
    print_format(p, "%q'>", (Qstr)t->name);
}

static void type_attr(Obj self, Qstr name, Obj *dest)
{
    Type *t = (Type *)self;
    if (dest[0] == OBJ_NULL) {
        if (name == Q___name__ || name == Q___qualname__) dest[0] = OBJ_QSTR(t->name);
        else if (name == Q___bases__) dest[0] = t->bases ? OBJ_PTR(t->bases) : t->parent ? obj_tuple(1, (const Obj[]){OBJ_PTR(t->parent)}) : obj_tuple(0, NULL);
        else if (name == Q___mro__) {
            ObjList *order = order_of(t);
            dest[0] = obj_tuple(order->n, order->items);
        } else if (name == Q___dict__ && t->dict) dest[0] = OBJ_PTR(t->dict);
        else if (name == Q___doc__) dest[0] = OBJ_NONE;
        else {
            Obj found = type_lookup(t, name);
            if (found != OBJ_NULL) bind_attribute(found, OBJ_NULL, t, dest);
            else if (name == Q___module__) dest[0] = OBJ_QSTR(Q_builtins);
        }
        return;
    }
    if (!(t->flags & TYPE_USER)) {
        raise_msg(&type_TypeError, "cannot set '%q' attribute of immutable type '%q'", name, (Qstr)t->name);
    }
    if (dest[1] == OBJ_NULL) {
        if (map_remove(&t->dict->map, OBJ_QSTR(name)) == OBJ_NULL) return;
    } else {
        map_set_qstr(&t->dict->map, name, dest[1]);
        if (has_setters(t->dict)) t->flags |= TYPE_HAS_SETTERS;
    }
    dest[0] = OBJ_NULL;
}

const Type type_type = {.base = {&type_type}, .name = Q_type, .parent = &type_object, .make_new = type_make_new,
                        .print = type_print, .attr = type_attr, .call = type_call};

// ---- super() -----------------------------------------------------------------------------------------------------------------------

typedef struct ObjSuper {
    ObjBase base;
    Obj type, self;
} ObjSuper;

static Obj super_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    (void)type;
    if (n_args != 2 || n_kw) raise_msg(&type_RuntimeError, "super(): no arguments");
    ObjSuper *s = obj_alloc(&type_super, sizeof(ObjSuper));
    s->type = args[0];
    s->self = args[1];
    return OBJ_PTR(s);
}

void super_lookup(Obj class, Obj self, Qstr name, Obj dest[2])
{
    dest[0] = dest[1] = OBJ_NULL;
    if (!obj_is(class, &type_type)) raise_msg(&type_TypeError, "super() argument 1 must be a type");
    bool in_class = obj_is(self, &type_type); // a class method
    const Type *t = in_class ? (const Type *)self : obj_type(self);
    Obj found = type_lookup_after(t, (const Type *)class, name);
    if (found != OBJ_NULL) bind_attribute(found, in_class ? OBJ_NULL : self, t, dest);
}

static void super_attr(Obj self, Qstr name, Obj *dest)
{
    const ObjSuper *s = (const ObjSuper *)self;
    if (dest[0] == OBJ_NULL) super_lookup(s->type, s->self, name, dest);
}

static void super_print(Print *p, Obj self, PrintKind kind)
{
    (void)kind;
    print_format(p, "<super: %r>", ((const ObjSuper *)self)->type);
}

const Type type_super = {.base = {&type_type}, .name = Q_super, .parent = &type_object, .make_new = super_make_new,
                         .print = super_print, .attr = super_attr};

// ---- Attributes of instances ------------------------------------------------------------------------------------------------------

static void instance_load(ObjInstance *o, Qstr name, Obj *dest)
{
    MapEntry *e = map_find_qstr(&o->members, name);
    if (e) {
        dest[0] = e->value;
        return;
    }
    const Type *t = o->base.type;
    Obj found = type_lookup(t, name);
    if (found != OBJ_NULL) {
        bind_attribute(found, OBJ_PTR(o), t, dest);
        return;
    }
    const Type *native = class_native_base(t);
    if (native && native->attr) {
        native->attr(t->flags & TYPE_EXCEPTION ? OBJ_PTR(o) : o->native[0], name, dest);
        if (dest[0] != OBJ_NULL) return;
    }
    if (name == Q___class__) dest[0] = OBJ_PTR(t);
    else if (name == Q___dict__) {
        ObjDict *d = (ObjDict *)obj_dict(0);
        map_copy(&d->map, &o->members);
        dest[0] = OBJ_PTR(d);
    } else if ((found = type_lookup(t, Q___getattr__)) != OBJ_NULL) {
        dest[0] = obj_call(found, 2, 0, (const Obj[]){OBJ_PTR(o), OBJ_QSTR(name)});
    }
}

// A property's setter or a __setattr__ of the class; true if one was there.
static bool store_by_class(ObjInstance *o, Qstr name, Obj value)
{
    const Type *t = o->base.type;
    Obj found = type_lookup(t, name);
    if (obj_is_ptr(found) && found != OBJ_NULL && obj_is(found, &type_property)) {
        const ObjSlice *p = (const ObjSlice *)found;
        Obj f = value == OBJ_NULL ? p->step : p->stop;
        if (f == OBJ_NONE) {
            raise_msg(&type_AttributeError, "property '%q' of '%q' object has no %s", name, (Qstr)t->name,
                      value == OBJ_NULL ? "deleter" : "setter");
        }
        obj_call(f, value == OBJ_NULL ? 1 : 2, 0, (const Obj[]){OBJ_PTR(o), value});
        return true;
    }
    Obj hook = type_lookup(t, value == OBJ_NULL ? Q___delattr__ : Q___setattr__);
    if (hook == OBJ_NULL || obj_is(hook, &type_builtin)) return false;
    obj_call(hook, value == OBJ_NULL ? 2 : 3, 0, (const Obj[]){OBJ_PTR(o), OBJ_QSTR(name), value});
    return true;
}

void instance_attr(Obj self, Qstr name, Obj *dest)
{
    ObjInstance *o = (ObjInstance *)self;
    if (dest[0] == OBJ_NULL) {
        instance_load(o, name, dest);
        return;
    }
    if (o->base.type->flags & TYPE_HAS_SETTERS && store_by_class(o, name, dest[1])) {
        dest[0] = OBJ_NULL;
        return;
    }
    if (o->base.type->flags & TYPE_EXCEPTION && name == Q_args) {
        class_native_base(o->base.type)->attr(self, name, dest);
        return;
    }
    if (dest[1] == OBJ_NULL) {
        if (map_remove(&o->members, OBJ_QSTR(name)) == OBJ_NULL) return;
    } else map_set_qstr(&o->members, name, dest[1]);
    dest[0] = OBJ_NULL;
}
