// names.c: names, imports and unpacking: what the interpreter does that is neither an operator nor a call.
#include "vm.h"

// Built-in names of CPython that this build has not: said by name, not by NameError.
static bool is_known_missing(Qstr q)
{
    return q == Q_bytes || q == Q_bytearray || q == Q_memoryview || q == Q_complex || q == Q_frozenset || q == Q_vars ||
           q == Q_ascii || q == Q_breakpoint || q == Q_help;
}

Obj vm_load_global(Qstr q)
{
    MapEntry *e = map_find_qstr(&vm.globals->map, q);
    if (e) return e->value;
    Obj o = builtin_lookup(q);
    if (o != OBJ_NULL) return o;
    if (is_known_missing(q)) raise_msg(&type_NameError, "name '%q' is not in this build", q);
    raise_msg(&type_NameError, "name '%q' is not defined", q);
}

Obj vm_load_name(Qstr q)
{
    if (vm.locals != vm.globals) {
        MapEntry *e = map_find_qstr(&vm.locals->map, q);
        if (e) return e->value;
    }
    return vm_load_global(q);
}

// items[0] gets the last value, items[n − 1] the first.
void vm_unpack(Obj seq, size_t n, Obj *items)
{
    Obj native = native_of(seq);
    if (obj_is(native, &type_tuple) || obj_is(native, &type_list)) {
        size_t n_seq;
        Obj *from;
        seq_items(native, &n_seq, &from);
        if (n_seq < n) raise_msg(&type_ValueError, "not enough values to unpack (expected %ld, got %ld)", (i64)n, (i64)n_seq);
        if (n_seq > n) raise_msg(&type_ValueError, "too many values to unpack (expected %ld)", (i64)n);
        for (size_t i = 0; i < n; i++) items[n - 1 - i] = from[i];
        return;
    }
    const Type *t = obj_type(seq);
    if (!t->getiter && !t->iternext) raise_msg(&type_TypeError, "cannot unpack non-iterable %t object", seq);
    IterBuf buf;
    Obj it = obj_getiter(seq, &buf);
    for (size_t i = 0; i < n; i++) {
        Obj o = obj_iternext(it);
        if (o == OBJ_NULL) raise_msg(&type_ValueError, "not enough values to unpack (expected %ld, got %ld)", (i64)n, (i64)i);
        items[n - 1 - i] = o;
    }
    if (obj_iternext(it) != OBJ_NULL) raise_msg(&type_ValueError, "too many values to unpack (expected %ld)", (i64)n);
}

// n = left + (right << 8); items from bottom: right targets (last first), the list, left targets (last first).
void vm_unpack_ex(Obj seq, size_t n, Obj *items)
{
    size_t left = n & 0xff, right = n >> 8 & 0xff;
    ObjList *all = list_from_iterable(seq);
    if (all->n < left + right) {
        raise_msg(&type_ValueError, "not enough values to unpack (expected at least %ld, got %ld)", (i64)(left + right),
                  (i64)all->n);
    }
    for (size_t i = 0; i < right; i++) items[i] = all->items[all->n - 1 - i];
    items[right] = obj_list(all->n - left - right, all->items + left);
    for (size_t i = 0; i < left; i++) items[right + 1 + i] = all->items[left - 1 - i];
}

Obj vm_import(Qstr name, Obj fromlist, Obj level)
{
    (void)fromlist;
    if (level != obj_small(0)) raise_missing("relative imports");
    if (name == Q___main__) return OBJ_PTR(vm.main_module);
    MapEntry *e = map_find_qstr(&vm.modules->map, name);
    if (e) return e->value;
    Obj m = builtin_module(name);
    if (m == OBJ_NULL) raise_msg(&type_ModuleNotFoundError, "No module named '%q' in this build", name);
    map_set_qstr(&vm.modules->map, name, m);
    return m;
}

Obj vm_import_from(Obj module, Qstr name)
{
    Obj dest[2];
    obj_load_method_maybe(module, name, dest);
    if (dest[0] != OBJ_NULL) return dest[1] == OBJ_NULL ? dest[0] : obj_bound(dest[0], dest[1]);
    raise_msg(&type_ImportError, "cannot import name '%q' from %r", name, module);
}

void vm_import_star(Obj module)
{
    if (!obj_is(module, &type_module)) raise_msg(&type_ImportError, "not a module: %r", module);
    const Map *m = &((const ObjModule *)module)->globals->map;
    u32 at = 0;
    for (MapEntry *e; (e = map_next(m, &at));) {
        size_t n;
        const u8 *name = str_data(e->key, &n);
        if (n > 0 && name[0] != '_') map_put(&vm.locals->map, e->key, e->value);
    }
}
