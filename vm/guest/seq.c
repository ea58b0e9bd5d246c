// seq.c: what lists, tuples, strings and ranges share: indices, slices, comparison, the iterator; and the tuple type.
#include "vm.h"

#include <string.h>

size_t index_in(const Type *what, size_t n, Obj index)
{
    i64 i;
    if (!num_get_int(index, &i)) {
        raise_msg(&type_TypeError, "%q indices must be integers%s, not '%t'", what->name,
                  what == &type_str || what == &type_tuple || what == &type_list ? " or slices" : "", index);
    }
    if (i < 0) i += (i64)n;
    if (i < 0 || (u64)i >= n) {
        raise_msg(&type_IndexError, what == &type_str ? "string index out of range"
                                    : what == &type_range ? "range object index out of range"
                                                          : "%q index out of range", what->name);
    }
    return (size_t)i;
}

static i64 clip(i64 i, i64 low, i64 high) { return i < low ? low : i > high ? high : i; }

static i64 slice_part(Obj o, i64 missing)
{
    if (o == OBJ_NONE) return missing;
    i64 i;
    if (!num_get_int(o, &i)) raise_msg(&type_TypeError, "slice indices must be integers or None");
    return i;
}

SliceRange slice_range(size_t n_items, Obj slice)
{
    const ObjSlice *s = (const ObjSlice *)slice;
    i64 n = (i64)n_items;
    SliceRange r;
    r.step = slice_part(s->step, 1);
    if (r.step == 0) raise_msg(&type_ValueError, "slice step cannot be zero");
    // With a negative step -1 stands for "before the first item".
    i64 low = r.step > 0 ? 0 : -1, high = r.step > 0 ? n : n - 1;
    r.start = slice_part(s->start, r.step > 0 ? low : high);
    r.stop = slice_part(s->stop, r.step > 0 ? high : low);
    if (s->start != OBJ_NONE) r.start = clip(r.start < 0 ? r.start + n : r.start, low, high);
    if (s->stop != OBJ_NONE) r.stop = clip(r.stop < 0 ? r.stop + n : r.stop, low, high);
    r.n = 0;
    if (r.step > 0 && r.stop > r.start) r.n = (size_t)((r.stop - r.start - 1) / r.step + 1);
    if (r.step < 0 && r.stop < r.start) r.n = (size_t)((r.start - r.stop - 1) / -r.step + 1);
    return r;
}

void seq_items(Obj o, size_t *n, Obj **items)
{
    Obj native = native_of(o);
    if (obj_is(native, &type_list)) {
        *n = ((ObjList *)native)->n;
        *items = ((ObjList *)native)->items;
    } else if (obj_is(native, &type_tuple)) {
        *n = ((ObjTuple *)native)->n;
        *items = ((ObjTuple *)native)->items;
    } else raise_msg(&type_TypeError, "'%t' object is neither a list nor a tuple", o);
}

// Item i of a list or tuple, or OBJ_NULL behind the last one.
static Obj item_at(Obj seq, size_t i)
{
    if (((const ObjBase *)seq)->type == &type_list) return i < ((const ObjList *)seq)->n ? ((const ObjList *)seq)->items[i] : OBJ_NULL;
    return i < ((const ObjTuple *)seq)->n ? ((const ObjTuple *)seq)->items[i] : OBJ_NULL;
}

static size_t length(Obj seq)
{
    return ((const ObjBase *)seq)->type == &type_list ? ((const ObjList *)seq)->n : ((const ObjTuple *)seq)->n;
}

// Items are read anew in each round: comparing may run Python code that changes the lists.
Obj seq_compare(BinaryOp op, Obj a, Obj b)
{
    if (op == BIN_EQUAL && length(a) != length(b)) return OBJ_FALSE;
    for (size_t i = 0;; i++) {
        Obj x = item_at(a, i), y = item_at(b, i);
        if (x == OBJ_NULL || y == OBJ_NULL) break;
        if (!obj_equal(x, y)) return op == BIN_EQUAL ? OBJ_FALSE : obj_binary_op(op, x, y);
    }
    size_t na = length(a), nb = length(b);
    switch (op) {
    case BIN_EQUAL: return obj_bool(na == nb);
    case BIN_LESS: return obj_bool(na < nb);
    case BIN_MORE: return obj_bool(na > nb);
    case BIN_LESS_EQUAL: return obj_bool(na <= nb);
    default: return obj_bool(na >= nb);
    }
}

// ---- Iterator over a list or tuple --------------------------------------------------------------------------------------

typedef struct SeqIter {
    ObjBase base;
    Obj seq;
    size_t i;
} SeqIter;

Obj seq_getiter(Obj self, IterBuf *buf)
{
    SeqIter *it = (SeqIter *)buf;
    it->base.type = &type_seq_iterator;
    it->seq = self;
    it->i = 0;
    return OBJ_PTR(it);
}

static Obj seq_iternext(Obj self)
{
    SeqIter *it = (SeqIter *)self;
    if (((const ObjBase *)it->seq)->type == &type_list) {
        const ObjList *l = (const ObjList *)it->seq;
        return it->i < l->n ? l->items[it->i++] : OBJ_NULL;
    }
    const ObjTuple *t = (const ObjTuple *)it->seq;
    return it->i < t->n ? t->items[it->i++] : OBJ_NULL;
}

Obj iterator_self(Obj self, IterBuf *buf)
{
    (void)buf;
    return self;
}

void iterator_print(Print *p, Obj self, PrintKind kind)
{
    (void)kind;
    print_format(p, "<%t object>", self);
}

const Type type_seq_iterator = {.base = {&type_type}, .name = Q_iterator, .print = iterator_print,
                                .getiter = iterator_self, .iternext = seq_iternext};

// ---- Tuple -----------------------------------------------------------------------------------------------------------------

const ObjTuple empty_tuple = {{&type_tuple}, 0};

Obj obj_tuple(size_t n, const Obj *items)
{
    if (n == 0) return OBJ_PTR(&empty_tuple);
    ObjTuple *t = obj_alloc(&type_tuple, sizeof(ObjTuple) + n * sizeof(Obj));
    t->n = n;
    if (items) {
        for (size_t i = 0; i < n; i++) t->items[i] = items[i];
    }
    return OBJ_PTR(t);
}

static Obj tuple_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_args > 1 || n_kw) raise_arg_count(type->name, 0, 1, n_args);
    if (n_args == 0) return OBJ_PTR(&empty_tuple);
    if (obj_is(args[0], &type_tuple)) return args[0];
    ObjList *l = list_from_iterable(args[0]);
    Obj t = obj_tuple(l->n, l->items);
    gc_free(l->items);
    gc_free(l);
    return t;
}

static void tuple_print(Print *p, Obj self, PrintKind kind)
{
    const ObjTuple *t = (const ObjTuple *)self;
    (void)kind;
    print_text(p, "(");
    for (size_t i = 0; i < t->n; i++) {
        if (i > 0) print_text(p, ", ");
        print_obj(p, t->items[i], PRINT_REPR);
    }
    print_text(p, t->n == 1 ? ",)" : ")");
}

static Obj tuple_unary_op(UnaryOp op, Obj self)
{
    const ObjTuple *t = (const ObjTuple *)self;
    switch (op) {
    case UN_BOOL: return obj_bool(t->n != 0);
    case UN_LEN: return obj_small((i64)t->n);
    case UN_HASH: {
        u32 hash = 3430008;
        for (size_t i = 0; i < t->n; i++) hash = hash * 1000003 ^ obj_hash(t->items[i]);
        return obj_small(hash);
    }
    default: return OBJ_NULL;
    }
}

static Obj tuple_binary_op(BinaryOp op, Obj left, Obj right)
{
    const ObjTuple *a = (const ObjTuple *)left;
    switch (op) {
    case BIN_ADD: {
        Obj other = native_of(right);
        if (!obj_is(other, &type_tuple)) return OBJ_NULL;
        const ObjTuple *b = (const ObjTuple *)other;
        ObjTuple *sum = (ObjTuple *)obj_tuple(a->n + b->n, NULL);
        if (a->n + b->n > 0) {
            memcpy(sum->items, a->items, a->n * sizeof(Obj));
            memcpy(sum->items + a->n, b->items, b->n * sizeof(Obj));
        }
        return OBJ_PTR(sum);
    }
    case BIN_MUL: {
        i64 times;
        if (!num_get_int(right, &times)) return OBJ_NULL;
        if (times <= 0 || a->n == 0) return OBJ_PTR(&empty_tuple);
        if ((u64)times > VM_HEAP_BYTES / a->n) raise_memory();
        ObjTuple *t = (ObjTuple *)obj_tuple(a->n * (size_t)times, NULL);
        for (size_t i = 0; i < t->n; i++) t->items[i] = a->items[i % a->n];
        return OBJ_PTR(t);
    }
    case BIN_CONTAINS:
        for (size_t i = 0; i < a->n; i++) {
            if (obj_equal(a->items[i], right)) return OBJ_TRUE;
        }
        return OBJ_FALSE;
    case BIN_EQUAL: case BIN_LESS: case BIN_MORE: case BIN_LESS_EQUAL: case BIN_MORE_EQUAL: {
        Obj other = native_of(right);
        if (!obj_is(other, &type_tuple)) return OBJ_NULL;
        return seq_compare(op, left, other);
    }
    default: return OBJ_NULL;
    }
}

static Obj tuple_subscr(Obj self, Obj index, Obj value)
{
    const ObjTuple *t = (const ObjTuple *)self;
    if (value != OBJ_SENTINEL) return OBJ_NULL;
    if (obj_is(index, &type_slice)) {
        SliceRange r = slice_range(t->n, index);
        if (r.n == t->n && r.step == 1) return self;
        ObjTuple *part = (ObjTuple *)obj_tuple(r.n, NULL);
        for (size_t i = 0; i < r.n; i++) part->items[i] = t->items[r.start + (i64)i * r.step];
        return OBJ_PTR(part);
    }
    return t->items[index_in(&type_tuple, t->n, index)];
}

static Obj tuple_count(Obj self, Obj item)
{
    Obj native = native_of(self);
    if (!obj_is(native, &type_tuple)) raise_msg(&type_TypeError, "descriptor 'count' requires a 'tuple' object");
    const ObjTuple *t = (const ObjTuple *)native;
    i64 n = 0;
    for (size_t i = 0; i < t->n; i++) n += obj_equal(t->items[i], item);
    return obj_small(n);
}

static Obj tuple_index(Obj self, Obj item)
{
    Obj native = native_of(self);
    if (!obj_is(native, &type_tuple)) raise_msg(&type_TypeError, "descriptor 'index' requires a 'tuple' object");
    const ObjTuple *t = (const ObjTuple *)native;
    for (size_t i = 0; i < t->n; i++) {
        if (obj_equal(t->items[i], item)) return obj_small((i64)i);
    }
    raise_msg(&type_ValueError, "tuple.index(x): x not in tuple");
}

static const FunBuiltin tuple_methods[] = {BUILTIN_2(count, tuple_count), BUILTIN_2(index, tuple_index)};

const Type type_tuple = {
    .base = {&type_type},
    .name = Q_tuple,
    .parent = &type_object,
    .methods = tuple_methods,
    .n_methods = sizeof tuple_methods / sizeof tuple_methods[0],
    .make_new = tuple_make_new,
    .print = tuple_print,
    .unary_op = tuple_unary_op,
    .binary_op = tuple_binary_op,
    .subscr = tuple_subscr,
    .getiter = seq_getiter,
};
