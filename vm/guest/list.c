// list.c: the list: a header and an array of at least four items that doubles when it is full.
#include "vm.h"

#include <string.h>

enum { LIST_MIN = 4 };

static ObjList *list_of(Obj o)
{
    Obj native = native_of(o);
    if (!obj_is(native, &type_list)) raise_msg(&type_TypeError, "a 'list' object is required, not '%t'", o);
    return (ObjList *)native;
}

static ObjList *list_alloc(size_t n)
{
    ObjList *l = obj_alloc(&type_list, sizeof(ObjList));
    size_t n_alloc = n < LIST_MIN ? LIST_MIN : n;
    l->items = mem_alloc(n_alloc * sizeof(Obj));
    l->n_alloc = n_alloc;
    l->n = n;
    return l;
}

Obj obj_list(size_t n, const Obj *items)
{
    ObjList *l = list_alloc(n);
    if (items) {
        Obj *to = l->items;
        for (size_t i = 0; i < n; i++) to[i] = items[i];
    }
    return OBJ_PTR(l);
}

// Room for at least n items.
static void reserve(ObjList *l, size_t n)
{
    if (n <= l->n_alloc) return;
    size_t n_alloc = l->n_alloc * 2 < n ? n : l->n_alloc * 2;
    l->items = mem_realloc(l->items, n_alloc * sizeof(Obj));
    l->n_alloc = n_alloc;
}

// Gives memory back when less than half is used.
static void shrink(ObjList *l)
{
    if (l->n_alloc > LIST_MIN && l->n_alloc > 2 * l->n) {
        size_t n_alloc = l->n_alloc / 2;
        l->items = mem_realloc(l->items, n_alloc * sizeof(Obj));
        l->n_alloc = n_alloc;
    }
}

void list_append(ObjList *l, Obj o)
{
    if (l->n == l->n_alloc) reserve(l, l->n + 1);
    l->items[l->n++] = o;
}

ObjList *list_from_iterable(Obj o)
{
    if (obj_is(o, &type_list)) {
        const ObjList *l = (const ObjList *)o;
        return (ObjList *)obj_list(l->n, l->items);
    }
    if (obj_is(o, &type_tuple)) {
        const ObjTuple *t = (const ObjTuple *)o;
        return (ObjList *)obj_list(t->n, t->items);
    }
    IterBuf buf;
    ObjList *l = list_alloc(0);
    Obj it = obj_getiter(o, &buf), item;
    while ((item = obj_iternext(it)) != OBJ_NULL) list_append(l, item);
    return l;
}

static Obj list_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_args > 1 || n_kw) raise_arg_count(type->name, 0, 1, n_args);
    return n_args == 0 ? obj_list(0, NULL) : OBJ_PTR(list_from_iterable(args[0]));
}

static void list_print(Print *p, Obj self, PrintKind kind)
{
    const ObjList *l = (const ObjList *)self;
    (void)kind;
    print_text(p, "[");
    for (size_t i = 0; i < l->n; i++) {
        if (i > 0) print_text(p, ", ");
        print_obj(p, l->items[i], PRINT_REPR);
    }
    print_text(p, "]");
}

static Obj list_unary_op(UnaryOp op, Obj self)
{
    const ObjList *l = (const ObjList *)self;
    if (op == UN_BOOL) return obj_bool(l->n != 0);
    return op == UN_LEN ? obj_small((i64)l->n) : OBJ_NULL;
}

static void extend(ObjList *l, Obj from)
{
    Obj native = native_of(from);
    if (obj_is(native, &type_list) || obj_is(native, &type_tuple)) {
        size_t n;
        Obj *items;
        seq_items(native, &n, &items);
        reserve(l, l->n + n);
        if (native == OBJ_PTR(l)) items = l->items; // l.extend(l): reserve may have moved them
        memcpy(l->items + l->n, items, n * sizeof(Obj));
        l->n += n;
        return;
    }
    IterBuf buf;
    Obj it = obj_getiter(from, &buf), item;
    while ((item = obj_iternext(it)) != OBJ_NULL) list_append(l, item);
}

static Obj repeat(const ObjList *l, i64 times)
{
    if (times <= 0 || l->n == 0) return obj_list(0, NULL);
    if ((u64)times > VM_HEAP_BYTES / l->n) raise_memory();
    ObjList *all = list_alloc(l->n * (size_t)times);
    for (size_t at = 0; at < all->n; at += l->n) {
        for (size_t i = 0; i < l->n; i++) all->items[at + i] = l->items[i];
    }
    return OBJ_PTR(all);
}

static Obj list_binary_op(BinaryOp op, Obj left, Obj right)
{
    ObjList *a = (ObjList *)left;
    i64 times;
    switch (op) {
    case BIN_ADD: {
        Obj other = native_of(right);
        if (!obj_is(other, &type_list)) return OBJ_NULL;
        const ObjList *b = (const ObjList *)other;
        ObjList *sum = list_alloc(a->n + b->n);
        memcpy(sum->items, a->items, a->n * sizeof(Obj));
        memcpy(sum->items + a->n, b->items, b->n * sizeof(Obj));
        return OBJ_PTR(sum);
    }
    case BIN_INPLACE_ADD:
        extend(a, right);
        return left;
    case BIN_MUL:
        return num_get_int(right, &times) ? repeat(a, times) : OBJ_NULL;
    case BIN_INPLACE_MUL: {
        if (!num_get_int(right, &times)) return OBJ_NULL;
        ObjList *all = (ObjList *)repeat(a, times);
        a->items = all->items;
        a->n = all->n;
        a->n_alloc = all->n_alloc;
        return left;
    }
    case BIN_CONTAINS:
        for (size_t i = 0; i < a->n; i++) {
            if (obj_equal(a->items[i], right)) return OBJ_TRUE;
        }
        return OBJ_FALSE;
    case BIN_EQUAL: case BIN_LESS: case BIN_MORE: case BIN_LESS_EQUAL: case BIN_MORE_EQUAL: {
        Obj other = native_of(right);
        if (!obj_is(other, &type_list)) return OBJ_NULL;
        return seq_compare(op, left, other);
    }
    default: return OBJ_NULL;
    }
}

// ---- Items and slices ------------------------------------------------------------------------------------------------------

static void remove_range(ObjList *l, size_t start, size_t n)
{
    memmove(l->items + start, l->items + start + n, (l->n - start - n) * sizeof(Obj));
    memset(l->items + l->n - n, 0, n * sizeof(Obj)); // what was removed must not be kept alive
    l->n -= n;
    shrink(l);
}

static Obj slice_delete(ObjList *l, SliceRange r)
{
    if (r.n == 0) return OBJ_NONE;
    if (r.step < 0) r = (SliceRange){r.start + (i64)(r.n - 1) * r.step, r.start + 1, -r.step, r.n};
    if (r.step == 1) {
        remove_range(l, (size_t)r.start, r.n);
        return OBJ_NONE;
    }
    size_t to = (size_t)r.start;
    i64 next = r.start;
    for (size_t from = (size_t)r.start, left = r.n; from < l->n; from++) {
        if (left > 0 && (i64)from == next) {
            next += r.step;
            left--;
        } else l->items[to++] = l->items[from];
    }
    memset(l->items + to, 0, (l->n - to) * sizeof(Obj));
    l->n = to;
    shrink(l);
    return OBJ_NONE;
}

static Obj slice_store(ObjList *l, Obj slice, Obj value)
{
    ObjList *from = NULL;
    size_t n;
    Obj *items;
    Obj native = native_of(value);
    if ((obj_is(native, &type_list) || obj_is(native, &type_tuple)) && native != OBJ_PTR(l)) seq_items(native, &n, &items);
    else {
        from = list_from_iterable(value);
        n = from->n;
        items = from->items;
    }
    SliceRange r = slice_range(l->n, slice); // now: the iterable may have changed the list
    if (r.step != 1) {
        if (n != r.n) {
            raise_msg(&type_ValueError, "attempt to assign sequence of size %ld to extended slice of size %ld", (i64)n,
                      (i64)r.n);
        }
        for (size_t i = 0; i < n; i++) l->items[r.start + (i64)i * r.step] = items[i];
        return OBJ_NONE;
    }
    size_t start = (size_t)r.start;
    if (n > r.n) reserve(l, l->n + n - r.n);
    if (n != r.n) {
        memmove(l->items + start + n, l->items + start + r.n, (l->n - start - r.n) * sizeof(Obj));
        if (n < r.n) memset(l->items + l->n - (r.n - n), 0, (r.n - n) * sizeof(Obj));
        l->n = l->n - r.n + n;
    }
    memcpy(l->items + start, items, n * sizeof(Obj));
    shrink(l);
    return OBJ_NONE;
}

static Obj list_subscr(Obj self, Obj index, Obj value)
{
    ObjList *l = (ObjList *)self;
    if (!obj_is_small(index) && obj_is(index, &type_slice)) {
        if (value != OBJ_NULL && value != OBJ_SENTINEL) return slice_store(l, index, value);
        SliceRange r = slice_range(l->n, index);
        if (value == OBJ_NULL) return slice_delete(l, r);
        if (r.step == 1) return obj_list(r.n, l->items + r.start);
        ObjList *part = list_alloc(r.n);
        for (size_t i = 0; i < r.n; i++) part->items[i] = l->items[r.start + (i64)i * r.step];
        return OBJ_PTR(part);
    }
    if (value == OBJ_SENTINEL) return l->items[index_in(&type_list, l->n, index)];
    i64 i;
    if (value != OBJ_NULL && num_get_int(index, &i)) {
        if (i < 0) i += (i64)l->n;
        if (i < 0 || (u64)i >= l->n) raise_msg(&type_IndexError, "list assignment index out of range");
        l->items[i] = value;
        return OBJ_NONE;
    }
    size_t at = index_in(&type_list, l->n, index);
    if (value == OBJ_NULL) remove_range(l, at, 1);
    return OBJ_NONE;
}

// ---- Sorting: merge sort, stable ---------------------------------------------------------------------------------------------

static bool less(Obj a, Obj b)
{
    if (obj_are_small(a, b)) return (i64)obj_bits(a) < (i64)obj_bits(b);
    return obj_is_true(obj_binary_op(BIN_LESS, a, b));
}

// Sorts keys[0..n) and moves values (NULL: none) along; the room holds n keys and n values.
static void merge_sort(Obj *keys, Obj *values, size_t n, Obj *room)
{
    if (n <= 6) {
        for (size_t i = 1; i < n; i++) {
            Obj k = keys[i], v = values ? values[i] : OBJ_NULL;
            size_t j = i;
            for (; j > 0 && less(k, keys[j - 1]); j--) {
                keys[j] = keys[j - 1];
                if (values) values[j] = values[j - 1];
            }
            keys[j] = k;
            if (values) values[j] = v;
        }
        return;
    }
    size_t half = n / 2;
    merge_sort(keys, values, half, room);
    merge_sort(keys + half, values ? values + half : NULL, n - half, room);
    memcpy(room, keys, half * sizeof(Obj));
    if (values) memcpy(room + half, values, half * sizeof(Obj));
    size_t i = 0, j = half, to = 0;
    while (i < half) {
        bool take_right = j < n && less(keys[j], room[i]);
        keys[to] = take_right ? keys[j] : room[i];
        if (values) values[to] = take_right ? values[j] : room[half + i];
        if (take_right) j++;
        else i++;
        to++;
    }
}

static void reverse_items(Obj *items, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        Obj t = items[i];
        items[i] = items[n - 1 - i];
        items[n - 1 - i] = t;
    }
}

void list_sort(ObjList *l, Obj key, bool reverse)
{
    size_t n = l->n;
    if (n < 2) return;
    // Work on a copy: comparing may run Python code that looks at the list.
    Obj *items = mem_alloc(n * sizeof(Obj));
    memcpy(items, l->items, n * sizeof(Obj));
    Obj *keys = NULL, *room = mem_alloc(n * 2 * sizeof(Obj));
    if (reverse) reverse_items(items, n); // stable in this direction, too
    if (key != OBJ_NONE) {
        keys = mem_alloc(n * sizeof(Obj));
        for (size_t i = 0; i < n; i++) keys[i] = obj_call_1(key, items[i]);
        merge_sort(keys, items, n, room);
    } else merge_sort(items, NULL, n, room);
    if (reverse) reverse_items(items, n);
    if (l->n != n) raise_msg(&type_ValueError, "list modified during sort");
    memcpy(l->items, items, n * sizeof(Obj));
    gc_free(room);
    gc_free(keys);
    gc_free(items);
}

// ---- Methods -----------------------------------------------------------------------------------------------------------------

static Obj method_append(Obj self, Obj item)
{
    list_append(list_of(self), item);
    return OBJ_NONE;
}

static Obj method_extend(Obj self, Obj from)
{
    extend(list_of(self), from);
    return OBJ_NONE;
}

static Obj method_pop(size_t n_args, const Obj *args)
{
    ObjList *l = list_of(args[0]);
    if (l->n == 0) raise_msg(&type_IndexError, "pop from empty list");
    size_t i = l->n - 1;
    if (n_args > 1) {
        i64 at = obj_get_int(args[1]);
        if (at < 0) at += (i64)l->n;
        if (at < 0 || (u64)at >= l->n) raise_msg(&type_IndexError, "pop index out of range");
        i = (size_t)at;
    }
    Obj item = l->items[i];
    remove_range(l, i, 1);
    return item;
}

static Obj method_insert(Obj self, Obj index, Obj item)
{
    ObjList *l = list_of(self);
    i64 at = obj_get_int(index);
    if (at < 0) at += (i64)l->n;
    if (at < 0) at = 0;
    if (at > (i64)l->n) at = (i64)l->n;
    reserve(l, l->n + 1);
    memmove(l->items + at + 1, l->items + at, (l->n - (size_t)at) * sizeof(Obj));
    l->items[at] = item;
    l->n++;
    return OBJ_NONE;
}

static Obj method_index(size_t n_args, const Obj *args)
{
    const ObjList *l = list_of(args[0]);
    i64 start = n_args > 2 ? obj_get_int(args[2]) : 0, stop = n_args > 3 ? obj_get_int(args[3]) : (i64)l->n;
    if (start < 0) start += (i64)l->n;
    if (stop < 0) stop += (i64)l->n;
    for (i64 i = start < 0 ? 0 : start; i < stop && i < (i64)l->n; i++) {
        if (obj_equal(l->items[i], args[1])) return obj_small(i);
    }
    raise_msg(&type_ValueError, "%r is not in list", args[1]);
}

static Obj method_remove(Obj self, Obj item)
{
    ObjList *l = list_of(self);
    for (size_t i = 0; i < l->n; i++) {
        if (!obj_equal(l->items[i], item)) continue;
        if (i < l->n) remove_range(l, i, 1); // the comparison may have shortened the list
        return OBJ_NONE;
    }
    raise_msg(&type_ValueError, "list.remove(x): x not in list");
}

static Obj method_count(Obj self, Obj item)
{
    const ObjList *l = list_of(self);
    i64 n = 0;
    for (size_t i = 0; i < l->n; i++) n += obj_equal(l->items[i], item);
    return obj_small(n);
}

static Obj method_clear(Obj self)
{
    ObjList *l = list_of(self);
    l->n = 0;
    l->items = mem_realloc(l->items, LIST_MIN * sizeof(Obj));
    l->n_alloc = LIST_MIN;
    memset(l->items, 0, LIST_MIN * sizeof(Obj));
    return OBJ_NONE;
}

static Obj method_copy(Obj self)
{
    const ObjList *l = list_of(self);
    return obj_list(l->n, l->items);
}

static Obj method_reverse(Obj self)
{
    ObjList *l = list_of(self);
    reverse_items(l->items, l->n);
    return OBJ_NONE;
}

static Obj method_sort(size_t n_args, size_t n_kw, const Obj *args)
{
    static const Qstr allowed[] = {Q_key, Q_reverse};
    const Obj *pairs = args + n_args;
    kw_check(Q_sort, n_kw, pairs, allowed, 2);
    Obj key = kw_get(n_kw, pairs, Q_key), reverse = kw_get(n_kw, pairs, Q_reverse);
    list_sort(list_of(args[0]), key == OBJ_NULL ? OBJ_NONE : key, reverse != OBJ_NULL && obj_is_true(reverse));
    return OBJ_NONE;
}

static const FunBuiltin list_methods[] = {
    BUILTIN_2(append, method_append), BUILTIN_V(pop, method_pop, 1, 2),
    BUILTIN_3(insert, method_insert), BUILTIN_2(extend, method_extend),
    BUILTIN_2(remove, method_remove), BUILTIN_1(reverse, method_reverse),
    BUILTIN_K(sort, method_sort, 1, 1), BUILTIN_V(index, method_index, 2, 4),
    BUILTIN_2(count, method_count), BUILTIN_1(copy, method_copy),
    BUILTIN_1(clear, method_clear),
};

const Type type_list = {
    .base = {&type_type},
    .name = Q_list,
    .parent = &type_object,
    .methods = list_methods,
    .n_methods = sizeof list_methods / sizeof list_methods[0],
    .make_new = list_make_new,
    .print = list_print,
    .unary_op = list_unary_op,
    .binary_op = list_binary_op,
    .subscr = list_subscr,
    .getiter = seq_getiter,
};
