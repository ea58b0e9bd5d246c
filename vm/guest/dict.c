// dict.c: dict and set, both over a Map; the views keys(), values(), items().
#include "vm.h"

#include <string.h>

static Obj new_of(const Type *type, size_t n)
{
    ObjDict *d = obj_alloc(type, sizeof(ObjDict));
    map_init(&d->map, n);
    return OBJ_PTR(d);
}

Obj obj_dict(size_t n) { return new_of(&type_dict, n); }

Obj obj_set(size_t n, const Obj *items)
{
    Obj s = new_of(&type_set, 0);
    for (size_t i = 0; i < n; i++) map_add(&((ObjDict *)s)->map, items[i])->value = OBJ_TRUE;
    return s;
}

ObjDict *dict_get_map(Obj o)
{
    Obj native = native_of(o);
    if (!obj_is(native, &type_dict)) raise_msg(&type_TypeError, "a 'dict' object is required, not '%t'", o);
    return (ObjDict *)native;
}

static ObjDict *set_of(Obj o)
{
    Obj native = native_of(o);
    if (!obj_is(native, &type_set)) raise_msg(&type_TypeError, "a 'set' object is required, not '%t'", o);
    return (ObjDict *)native;
}

bool dict_equal(const Map *a, const Map *b)
{
    if (a->n_used != b->n_used) return false;
    u32 at = 0;
    for (MapEntry *e; (e = map_next(a, &at));) {
        Obj value = e->value;
        MapEntry *other = map_find(b, e->key);
        if (!other || !obj_equal(value, other->value)) return false;
    }
    return true;
}

void dict_update(ObjDict *d, Obj from)
{
    Obj native = native_of(from);
    if (obj_is(native, &type_dict)) {
        u32 at = 0;
        const Map *m = &((const ObjDict *)native)->map;
        for (MapEntry *e; (e = map_next(m, &at));) map_put(&d->map, e->key, e->value);
        return;
    }
    IterBuf buf;
    Obj it = obj_getiter(from, &buf), item;
    while ((item = obj_iternext(it)) != OBJ_NULL) {
        ObjList *pair = list_from_iterable(item);
        if (pair->n != 2) {
            raise_msg(&type_ValueError, "dictionary update sequence element has length %ld; 2 is required", (i64)pair->n);
        }
        map_add(&d->map, pair->items[0])->value = pair->items[1];
    }
}

static void update_pairs(ObjDict *d, size_t n_kw, const Obj *pairs)
{
    for (size_t i = 0; i < n_kw; i++) map_add(&d->map, pairs[2 * i])->value = pairs[2 * i + 1];
}

static Obj dict_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_args > 1) raise_arg_count(type->name, 0, 1, n_args);
    ObjDict *d = (ObjDict *)obj_dict(0);
    if (n_args == 1) dict_update(d, args[0]);
    update_pairs(d, n_kw, args + n_args);
    return OBJ_PTR(d);
}

static void dict_print(Print *p, Obj self, PrintKind kind)
{
    u32 at = 0;
    bool is_first = true;
    (void)kind;
    print_text(p, "{");
    for (MapEntry *e; (e = map_next(&((const ObjDict *)self)->map, &at)); is_first = false) {
        Obj key = e->key, value = e->value;
        if (!is_first) print_text(p, ", ");
        print_obj(p, key, PRINT_REPR);
        print_text(p, ": ");
        print_obj(p, value, PRINT_REPR);
    }
    print_text(p, "}");
}

static Obj map_unary_op(UnaryOp op, Obj self)
{
    const Map *m = &((const ObjDict *)self)->map;
    if (op == UN_BOOL) return obj_bool(m->n_used != 0);
    return op == UN_LEN ? obj_small(m->n_used) : OBJ_NULL;
}

static Obj dict_binary_op(BinaryOp op, Obj left, Obj right)
{
    ObjDict *d = (ObjDict *)left;
    Obj other = native_of(right);
    switch (op) {
    case BIN_CONTAINS: return obj_bool(map_find(&d->map, right) != NULL);
    case BIN_EQUAL: return obj_is(other, &type_dict) ? obj_bool(dict_equal(&d->map, &((ObjDict *)other)->map)) : OBJ_NULL;
    case BIN_OR: {
        if (!obj_is(other, &type_dict)) return OBJ_NULL;
        ObjDict *both = (ObjDict *)obj_dict(0);
        dict_update(both, left);
        dict_update(both, right);
        return OBJ_PTR(both);
    }
    case BIN_INPLACE_OR: dict_update(d, right); return left;
    default: return OBJ_NULL;
    }
}

static Obj dict_subscr(Obj self, Obj index, Obj value)
{
    ObjDict *d = (ObjDict *)self;
    if (value == OBJ_SENTINEL) {
        MapEntry *e = map_find(&d->map, index);
        if (!e) raise_key_error(index);
        return e->value;
    }
    if (value == OBJ_NULL) {
        if (map_remove(&d->map, index) == OBJ_NULL) raise_key_error(index);
    } else map_add(&d->map, index)->value = value;
    return OBJ_NONE;
}

// ---- Iteration -----------------------------------------------------------------------------------------------------------

typedef enum ViewKind { VIEW_KEYS, VIEW_VALUES, VIEW_ITEMS } ViewKind;

typedef struct DictIter {
    ObjBase base;
    Obj dict;
    u32 at, n_used;
    ViewKind kind;
} DictIter;
_Static_assert(sizeof(DictIter) <= sizeof(IterBuf), "built in four slots");

static Obj iter_make(Obj dict, IterBuf *buf, ViewKind kind)
{
    DictIter *it = (DictIter *)buf;
    it->base.type = &type_dict_iterator;
    it->dict = dict;
    it->at = 0;
    it->n_used = ((const ObjDict *)dict)->map.n_used;
    it->kind = kind;
    return OBJ_PTR(it);
}

static Obj entry_view(const MapEntry *e, ViewKind kind)
{
    if (kind == VIEW_KEYS) return e->key;
    if (kind == VIEW_VALUES) return e->value;
    return obj_tuple(2, (const Obj[]){e->key, e->value});
}

static Obj dict_iternext(Obj self)
{
    DictIter *it = (DictIter *)self;
    const ObjDict *d = (const ObjDict *)it->dict;
    if (d->map.n_used != it->n_used) {
        raise_msg(&type_RuntimeError, "%s changed size during iteration", d->base.type == &type_set ? "Set" : "dictionary");
    }
    MapEntry *e = map_next(&d->map, &it->at);
    return e ? entry_view(e, it->kind) : OBJ_NULL;
}

const Type type_dict_iterator = {.base = {&type_type}, .name = Q_dict_iterator, .print = iterator_print,
                                 .getiter = iterator_self, .iternext = dict_iternext};

static Obj map_getiter(Obj self, IterBuf *buf) { return iter_make(self, buf, VIEW_KEYS); }

typedef struct DictView {
    ObjBase base;
    Obj dict;
    ViewKind kind;
} DictView;

static Obj view_make(Obj dict, ViewKind kind)
{
    DictView *v = obj_alloc(&type_dict_view, sizeof(DictView));
    v->dict = OBJ_PTR(dict_get_map(dict));
    v->kind = kind;
    return OBJ_PTR(v);
}

static Obj dict_keys(Obj self) { return view_make(self, VIEW_KEYS); }
static Obj dict_values(Obj self) { return view_make(self, VIEW_VALUES); }
static Obj dict_items(Obj self) { return view_make(self, VIEW_ITEMS); }

static Obj view_getiter(Obj self, IterBuf *buf)
{
    const DictView *v = (const DictView *)self;
    return iter_make(v->dict, buf, v->kind);
}

static void view_print(Print *p, Obj self, PrintKind kind)
{
    const DictView *v = (const DictView *)self;
    (void)kind;
    print_text(p, v->kind == VIEW_KEYS ? "dict_keys([" : v->kind == VIEW_VALUES ? "dict_values([" : "dict_items([");
    u32 at = 0;
    bool is_first = true;
    for (MapEntry *e; (e = map_next(&((const ObjDict *)v->dict)->map, &at)); is_first = false) {
        Obj item = entry_view(e, v->kind);
        if (!is_first) print_text(p, ", ");
        print_obj(p, item, PRINT_REPR);
    }
    print_text(p, "])");
}

static Obj view_unary_op(UnaryOp op, Obj self) { return map_unary_op(op, ((const DictView *)self)->dict); }

static Obj view_binary_op(BinaryOp op, Obj left, Obj right)
{
    const DictView *v = (const DictView *)left;
    if (op != BIN_CONTAINS) return OBJ_NULL;
    if (v->kind == VIEW_KEYS) return obj_bool(map_find(&((const ObjDict *)v->dict)->map, right) != NULL);
    u32 at = 0;
    for (MapEntry *e; (e = map_next(&((const ObjDict *)v->dict)->map, &at));) {
        if (obj_equal(entry_view(e, v->kind), right)) return OBJ_TRUE;
    }
    return OBJ_FALSE;
}

const Type type_dict_view = {.base = {&type_type}, .name = Q_dict_view, .parent = &type_object, .print = view_print,
                             .unary_op = view_unary_op, .binary_op = view_binary_op, .getiter = view_getiter};

// ---- Methods of dict -------------------------------------------------------------------------------------------------------

static Obj dict_get(size_t n_args, const Obj *args)
{
    MapEntry *e = map_find(&dict_get_map(args[0])->map, args[1]);
    return e ? e->value : n_args > 2 ? args[2] : OBJ_NONE;
}

static Obj dict_setdefault(size_t n_args, const Obj *args)
{
    MapEntry *e = map_add(&dict_get_map(args[0])->map, args[1]);
    if (e->value == OBJ_NULL) e->value = n_args > 2 ? args[2] : OBJ_NONE;
    return e->value;
}

static Obj dict_pop(size_t n_args, const Obj *args)
{
    Obj value = map_remove(&dict_get_map(args[0])->map, args[1]);
    if (value != OBJ_NULL) return value;
    if (n_args < 3) raise_key_error(args[1]);
    return args[2];
}

static Obj dict_popitem(Obj self)
{
    Map *m = &dict_get_map(self)->map;
    for (u32 i = m->n_filled; i-- > 0;) {
        MapEntry *e = &m->table[i];
        if (e->key == OBJ_NULL) continue;
        Obj item = entry_view(e, VIEW_ITEMS);
        map_remove(m, ((const ObjTuple *)item)->items[0]);
        return item;
    }
    raise_msg(&type_KeyError, "popitem(): dictionary is empty");
}

static Obj dict_update_method(size_t n_args, size_t n_kw, const Obj *args)
{
    ObjDict *d = dict_get_map(args[0]);
    if (n_args > 1) dict_update(d, args[1]);
    update_pairs(d, n_kw, args + n_args);
    return OBJ_NONE;
}

static Obj map_clear_method(Obj self)
{
    map_clear(&((ObjDict *)native_of(self))->map);
    return OBJ_NONE;
}

static Obj dict_clear(Obj self) { return map_clear_method(OBJ_PTR(dict_get_map(self))); }

static Obj dict_copy(Obj self)
{
    ObjDict *d = (ObjDict *)obj_dict(0);
    map_copy(&d->map, &dict_get_map(self)->map);
    return OBJ_PTR(d);
}

static Obj dict_fromkeys(size_t n_args, const Obj *args)
{
    ObjDict *d = (ObjDict *)obj_dict(0);
    IterBuf buf;
    Obj it = obj_getiter(args[1], &buf), key;
    while ((key = obj_iternext(it)) != OBJ_NULL) map_add(&d->map, key)->value = n_args > 2 ? args[2] : OBJ_NONE;
    return OBJ_PTR(d);
}

static const FunBuiltin dict_methods[] = {
    BUILTIN_V(get, dict_get, 2, 3), BUILTIN_1(keys, dict_keys), BUILTIN_1(values, dict_values),
    BUILTIN_1(items, dict_items), BUILTIN_V(setdefault, dict_setdefault, 2, 3), BUILTIN_V(pop, dict_pop, 2, 3),
    BUILTIN_1(popitem, dict_popitem), BUILTIN_K(update, dict_update_method, 1, 2), BUILTIN_1(clear, dict_clear),
    BUILTIN_1(copy, dict_copy),
    {{&type_builtin}, Q_fromkeys, FUN_VAR, 2, 3, FUN_IS_CLASS, {.var = dict_fromkeys}},
};

const Type type_dict = {
    .base = {&type_type},
    .name = Q_dict,
    .parent = &type_object,
    .methods = dict_methods,
    .n_methods = sizeof dict_methods / sizeof dict_methods[0],
    .make_new = dict_make_new,
    .print = dict_print,
    .unary_op = map_unary_op,
    .binary_op = dict_binary_op,
    .subscr = dict_subscr,
    .getiter = map_getiter,
};

// ---- Set ---------------------------------------------------------------------------------------------------------------------

static void set_add_all(ObjDict *s, Obj from)
{
    IterBuf buf;
    Obj it = obj_getiter(from, &buf), item;
    while ((item = obj_iternext(it)) != OBJ_NULL) map_add(&s->map, item)->value = OBJ_TRUE;
}

// The argument of a set method: a set, or one made of an iterable.
static ObjDict *as_set(Obj o)
{
    Obj native = native_of(o);
    if (obj_is(native, &type_set)) return (ObjDict *)native;
    ObjDict *s = (ObjDict *)obj_set(0, NULL);
    set_add_all(s, o);
    return s;
}

static Obj set_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_args > 1 || n_kw) raise_arg_count(type->name, 0, 1, n_args);
    ObjDict *s = (ObjDict *)obj_set(0, NULL);
    if (n_args == 1) set_add_all(s, args[0]);
    return OBJ_PTR(s);
}

static void set_print(Print *p, Obj self, PrintKind kind)
{
    const ObjDict *s = (const ObjDict *)self;
    u32 at = 0;
    bool is_first = true;
    (void)kind;
    if (s->map.n_used == 0) {
        print_text(p, "set()");
        return;
    }
    print_text(p, "{");
    for (MapEntry *e; (e = map_next(&s->map, &at)); is_first = false) {
        Obj key = e->key;
        if (!is_first) print_text(p, ", ");
        print_obj(p, key, PRINT_REPR);
    }
    print_text(p, "}");
}

// Items of a that are (or are not) in b.
static Obj select_items(const ObjDict *a, const ObjDict *b, bool is_in)
{
    ObjDict *r = (ObjDict *)obj_set(0, NULL);
    u32 at = 0;
    for (MapEntry *e; (e = map_next(&a->map, &at));) {
        Obj key = e->key;
        if ((map_find(&b->map, key) != NULL) == is_in) map_add(&r->map, key)->value = OBJ_TRUE;
    }
    return OBJ_PTR(r);
}

static Obj set_join(const ObjDict *a, const ObjDict *b)
{
    ObjDict *r = (ObjDict *)obj_set(0, NULL);
    map_copy(&r->map, &a->map);
    u32 at = 0;
    for (MapEntry *e; (e = map_next(&b->map, &at));) map_add(&r->map, e->key)->value = OBJ_TRUE;
    return OBJ_PTR(r);
}

static bool is_subset(const ObjDict *a, const ObjDict *b)
{
    u32 at = 0;
    for (MapEntry *e; (e = map_next(&a->map, &at));) {
        if (!map_find(&b->map, e->key)) return false;
    }
    return true;
}

static Obj set_binary_op(BinaryOp op, Obj left, Obj right)
{
    ObjDict *a = (ObjDict *)left;
    if (op == BIN_CONTAINS) return obj_bool(map_find(&a->map, right) != NULL);
    Obj other = native_of(right);
    if (!obj_is(other, &type_set)) return OBJ_NULL;
    const ObjDict *b = (const ObjDict *)other;
    u32 na = a->map.n_used, nb = b->map.n_used;
    switch (op) {
    case BIN_OR: return set_join(a, b);
    case BIN_AND: return select_items(a, b, true);
    case BIN_SUB: return select_items(a, b, false);
    case BIN_XOR: return set_join((ObjDict *)select_items(a, b, false), (ObjDict *)select_items(b, a, false));
    case BIN_INPLACE_OR: set_add_all(a, right); return left;
    case BIN_INPLACE_AND: case BIN_INPLACE_SUB: {
        ObjDict *r = (ObjDict *)select_items(a, b, op == BIN_INPLACE_AND);
        a->map = r->map;
        return left;
    }
    case BIN_EQUAL: return obj_bool(na == nb && is_subset(a, b));
    case BIN_LESS_EQUAL: return obj_bool(is_subset(a, b));
    case BIN_LESS: return obj_bool(na < nb && is_subset(a, b));
    case BIN_MORE_EQUAL: return obj_bool(is_subset(b, a));
    case BIN_MORE: return obj_bool(nb < na && is_subset(b, a));
    default: return OBJ_NULL;
    }
}

static Obj set_add(Obj self, Obj item)
{
    map_add(&set_of(self)->map, item)->value = OBJ_TRUE;
    return OBJ_NONE;
}

static Obj set_discard(Obj self, Obj item)
{
    map_remove(&set_of(self)->map, item);
    return OBJ_NONE;
}

static Obj set_remove(Obj self, Obj item)
{
    if (map_remove(&set_of(self)->map, item) == OBJ_NULL) raise_key_error(item);
    return OBJ_NONE;
}

static Obj set_pop(Obj self)
{
    Map *m = &set_of(self)->map;
    u32 at = 0;
    MapEntry *e = map_next(m, &at);
    if (!e) raise_msg(&type_KeyError, "pop from an empty set");
    Obj item = e->key;
    map_remove(m, item);
    return item;
}

static Obj set_update(Obj self, Obj from)
{
    set_add_all(set_of(self), from);
    return OBJ_NONE;
}

static Obj set_copy(Obj self)
{
    ObjDict *s = (ObjDict *)obj_set(0, NULL);
    map_copy(&s->map, &set_of(self)->map);
    return OBJ_PTR(s);
}

static Obj set_clear(Obj self) { return map_clear_method(OBJ_PTR(set_of(self))); }
static Obj set_union(Obj self, Obj o) { return set_join(set_of(self), as_set(o)); }
static Obj set_intersection(Obj self, Obj o) { return select_items(set_of(self), as_set(o), true); }
static Obj set_difference(Obj self, Obj o) { return select_items(set_of(self), as_set(o), false); }
static Obj set_issubset(Obj self, Obj o) { return obj_bool(is_subset(set_of(self), as_set(o))); }
static Obj set_issuperset(Obj self, Obj o) { return obj_bool(is_subset(as_set(o), set_of(self))); }

static Obj set_isdisjoint(Obj self, Obj o)
{
    return obj_bool(((ObjDict *)select_items(set_of(self), as_set(o), true))->map.n_used == 0);
}

static const FunBuiltin set_methods[] = {
    BUILTIN_2(add, set_add), BUILTIN_2(discard, set_discard), BUILTIN_2(remove, set_remove), BUILTIN_1(pop, set_pop),
    BUILTIN_2(update, set_update), BUILTIN_1(copy, set_copy), BUILTIN_1(clear, set_clear),
    BUILTIN_2(union, set_union), BUILTIN_2(intersection, set_intersection), BUILTIN_2(difference, set_difference),
    BUILTIN_2(issubset, set_issubset), BUILTIN_2(issuperset, set_issuperset), BUILTIN_2(isdisjoint, set_isdisjoint),
};

const Type type_set = {
    .base = {&type_type},
    .name = Q_set,
    .parent = &type_object,
    .methods = set_methods,
    .n_methods = sizeof set_methods / sizeof set_methods[0],
    .make_new = set_make_new,
    .print = set_print,
    .unary_op = map_unary_op,
    .binary_op = set_binary_op,
    .getiter = map_getiter,
};
