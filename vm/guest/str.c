// str.c: strings: interned ones (a word) and objects, UTF-8 inside, indexed by code points. ASCII text, the usual case, is
// recognised by n_chars == n_bytes and indexed directly.
#include "vm.h"

#include <string.h>

static size_t count_chars(const u8 *s, size_t n)
{
    size_t n_chars = 0;
    for (; n > 0; n--, s++) n_chars += (*s & 0xc0) != 0x80;
    return n_chars;
}

static Obj make(const u8 *data, size_t n, size_t n_chars)
{
    ObjStr *s = obj_alloc(&type_str, sizeof(ObjStr));
    s->n_bytes = n;
    s->n_chars = (u32)n_chars;
    s->data = data;
    return OBJ_PTR(s);
}

Obj obj_str(const char *bytes, size_t n)
{
    if (n == 0) return OBJ_QSTR(Q_EMPTY);
    if (n == 1 && (u8)bytes[0] < 0x80) return OBJ_QSTR(qstr_of_char((u8)bytes[0]));
    u8 *data = mem_alloc(n + 1);
    memcpy(data, bytes, n);
    return make(data, n, count_chars(data, n));
}

Obj obj_str_z(const char *text) { return obj_str(text, strlen(text)); }

// A str whose bytes stay where they are (constants of the program).
Obj obj_str_borrowed(const u8 *data, size_t n) { return make(data, n, count_chars(data, n)); }

Obj vstr_take(Vstr *v)
{
    if (v->n <= 1 && (v->n == 0 || v->data[0] < 0x80)) {
        Obj s = obj_str((const char *)v->data, v->n);
        gc_free(v->data);
        return s;
    }
    size_t n = v->n;
    u8 *data = mem_realloc(v->data, n + 1);
    data[n] = 0;
    v->data = NULL;
    return make(data, n, count_chars(data, n));
}

const u8 *str_data(Obj s, size_t *n)
{
    if (obj_is_qstr(s)) return qstr_data(obj_qstr(s), n);
    if (!obj_is(s, &type_str)) {
        Obj native = native_of(s);
        if (native != s) return str_data(native, n);
        raise_msg(&type_TypeError, "expected a str, not '%t'", s);
    }
    *n = ((const ObjStr *)s)->n_bytes;
    return ((const ObjStr *)s)->data;
}

u32 str_hash(Obj s)
{
    if (obj_is_qstr(s)) return qstr_hash(obj_qstr(s));
    ObjStr *str = (ObjStr *)s;
    if (str->hash == 0) str->hash = qstr_compute_hash(str->data, str->n_bytes);
    return str->hash;
}

bool str_equal(Obj a, Obj b)
{
    if (a == b) return true;
    if (obj_is_qstr(a) && obj_is_qstr(b)) return false;
    size_t na, nb;
    const u8 *x = str_data(a, &na), *y = str_data(b, &nb);
    return na == nb && memcmp(x, y, na) == 0;
}

int str_compare(const u8 *a, size_t na, const u8 *b, size_t nb)
{
    int order = memcmp(a, b, na < nb ? na : nb); // UTF-8 sorts as its code points
    return order != 0 ? order : na < nb ? -1 : na > nb;
}

Qstr str_intern(Obj s)
{
    if (obj_is_qstr(s)) return obj_qstr(s);
    size_t n;
    const u8 *text = str_data(s, &n);
    return qstr_intern(text, n);
}

Qstr str_attr_name(Obj s)
{
    if (!obj_is_str(s)) raise_msg(&type_TypeError, "attribute name must be string, not '%t'", s);
    return str_intern(s);
}

size_t str_n_chars(Obj s)
{
    if (obj_is(s, &type_str)) return ((const ObjStr *)s)->n_chars;
    size_t n;
    const u8 *text = str_data(s, &n);
    return count_chars(text, n);
}

size_t utf8_next(const u8 *s, u32 *code_point)
{
    if (s[0] < 0x80) {
        *code_point = s[0];
        return 1;
    }
    size_t n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    u32 c = s[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) c = c << 6 | (s[i] & 0x3f);
    *code_point = c;
    return n;
}

Obj str_char_at(const u8 *s, size_t n) { return obj_str((const char *)s, n); }

// Byte offset of a code point in text that is not ASCII.
static size_t offset_of(const u8 *s, size_t i)
{
    size_t at = 0;
    u32 unused;
    for (; i > 0; i--) at += utf8_next(s + at, &unused);
    return at;
}

static Obj slice(const u8 *s, size_t n_bytes, size_t n_chars, Obj index)
{
    SliceRange r = slice_range(n_chars, index);
    bool is_ascii = n_bytes == n_chars;
    if (r.step == 1) {
        size_t from = is_ascii ? (size_t)r.start : offset_of(s, (size_t)r.start);
        size_t n = is_ascii ? r.n : offset_of(s + from, r.n);
        return obj_str((const char *)s + from, n);
    }
    Vstr v;
    vstr_init(&v, r.n + 1);
    for (size_t i = 0; i < r.n; i++) {
        size_t at = (size_t)(r.start + (i64)i * r.step);
        if (!is_ascii) at = offset_of(s, at);
        u32 c;
        vstr_add(&v, (const char *)s + at, utf8_next(s + at, &c));
    }
    return vstr_take(&v);
}

static Obj str_subscr(Obj self, Obj index, Obj value)
{
    if (value != OBJ_SENTINEL) return OBJ_NULL;
    size_t n;
    const u8 *s = str_data(self, &n);
    size_t n_chars = str_n_chars(self);
    if (!obj_is_small(index) && obj_is(index, &type_slice)) return slice(s, n, n_chars, index);
    size_t i = index_in(&type_str, n_chars, index);
    if (n == n_chars) return OBJ_QSTR(qstr_of_char(s[i]));
    u32 c;
    s += offset_of(s, i);
    return str_char_at(s, utf8_next(s, &c));
}

static Obj repeat(const u8 *s, size_t n, i64 times)
{
    if (times <= 0 || n == 0) return OBJ_QSTR(Q_EMPTY);
    if ((u64)times > VM_HEAP_BYTES / n) raise_memory();
    Vstr v;
    vstr_init(&v, n * (size_t)times + 1);
    for (; times > 0; times--) vstr_add(&v, (const char *)s, n);
    return vstr_take(&v);
}

static bool contains(const u8 *s, size_t n, const u8 *what, size_t n_what)
{
    for (; n >= n_what; n--, s++) {
        if (memcmp(s, what, n_what) == 0) return true;
    }
    return false;
}

static Obj str_binary_op(BinaryOp op, Obj left, Obj right)
{
    size_t n, m;
    const u8 *a = str_data(left, &n);
    if (op == BIN_MOD || op == BIN_INPLACE_MOD) return str_format_percent(left, right);
    if (op == BIN_MUL || op == BIN_INPLACE_MUL) {
        i64 times;
        return num_get_int(right, &times) ? repeat(a, n, times) : OBJ_NULL;
    }
    Obj other = native_of(right);
    if (!obj_is_str(other)) {
        if (op == BIN_CONTAINS) raise_msg(&type_TypeError, "'in <string>' requires string as left operand, not %t", right);
        if (op == BIN_ADD || op == BIN_INPLACE_ADD) {
            raise_msg(&type_TypeError, "can only concatenate str (not \"%t\") to str", right);
        }
        return OBJ_NULL;
    }
    const u8 *b = str_data(other, &m);
    switch (op) {
    case BIN_ADD: case BIN_INPLACE_ADD: {
        if (n == 0) return other;
        if (m == 0) return native_of(left);
        u8 *sum = mem_alloc(n + m + 1);
        memcpy(sum, a, n);
        memcpy(sum + n, b, m);
        return make(sum, n + m, str_n_chars(left) + str_n_chars(other));
    }
    case BIN_CONTAINS: return obj_bool(contains(a, n, b, m));
    case BIN_EQUAL: return obj_bool(n == m && memcmp(a, b, n) == 0);
    case BIN_LESS: return obj_bool(str_compare(a, n, b, m) < 0);
    case BIN_MORE: return obj_bool(str_compare(a, n, b, m) > 0);
    case BIN_LESS_EQUAL: return obj_bool(str_compare(a, n, b, m) <= 0);
    case BIN_MORE_EQUAL: return obj_bool(str_compare(a, n, b, m) >= 0);
    default: return OBJ_NULL;
    }
}

static Obj str_unary_op(UnaryOp op, Obj self)
{
    if (op == UN_LEN) return obj_small((i64)str_n_chars(self));
    if (op == UN_HASH) return obj_small(str_hash(self));
    if (op == UN_BOOL) {
        size_t n;
        str_data(self, &n);
        return obj_bool(n != 0);
    }
    return OBJ_NULL;
}

static Obj str_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_args > 1 || n_kw) {
        if (n_args > 1) raise_missing("str() of bytes with an encoding");
        raise_arg_count(type->name, 0, 1, n_args);
    }
    return n_args == 0 ? OBJ_QSTR(Q_EMPTY) : obj_to_str(args[0]);
}

static void str_print(Print *p, Obj self, PrintKind kind)
{
    size_t n;
    const u8 *s = str_data(self, &n);
    if (kind == PRINT_STR) p->write(p->ctx, (const char *)s, n);
    else print_quoted(p, s, n);
}

// ---- Iterator --------------------------------------------------------------------------------------------------------------

typedef struct StrIter {
    ObjBase base;
    Obj str;
    size_t at; // byte offset
} StrIter;

static Obj str_getiter(Obj self, IterBuf *buf)
{
    StrIter *it = (StrIter *)buf;
    it->base.type = &type_str_iterator;
    it->str = self;
    it->at = 0;
    return OBJ_PTR(it);
}

static Obj str_iternext(Obj self)
{
    StrIter *it = (StrIter *)self;
    size_t n;
    const u8 *s = str_data(it->str, &n);
    if (it->at >= n) return OBJ_NULL;
    u32 c;
    s += it->at;
    size_t n_char = utf8_next(s, &c);
    it->at += n_char;
    return str_char_at(s, n_char);
}

const Type type_str_iterator = {.base = {&type_type}, .name = Q_str_iterator, .print = iterator_print,
                                .getiter = iterator_self, .iternext = str_iternext};

const Type type_str = {
    .base = {&type_type},
    .name = Q_str,
    .parent = &type_object,
    .methods = str_methods,
    .n_methods = N_STR_METHODS,
    .make_new = str_make_new,
    .print = str_print,
    .unary_op = str_unary_op,
    .binary_op = str_binary_op,
    .subscr = str_subscr,
    .getiter = str_getiter,
};
