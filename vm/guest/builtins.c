// builtins.c: the built-in functions, and the table of all built-in names.
#include "bytecode.h"

#include <string.h>

static Obj b_abs(Obj o) { return obj_unary_op(UN_ABS, o); }
static Obj b_callable(Obj o) { return obj_bool(obj_is_callable(o)); }
static Obj b_repr(Obj o) { return obj_repr(o); }
static Obj b_len(Obj o) { return obj_small((i64)obj_len(o)); }
static Obj b_id(Obj o) { return obj_int((i64)(obj_bits(o) & SMALL_MAX)); }
static Obj b_isinstance(Obj o, Obj c) { return obj_bool(obj_isinstance(o, c)); }
static Obj b_globals(void) { return OBJ_PTR(vm.globals); }
static Obj b_locals(void) { return OBJ_PTR(vm.locals); }

static Obj b_hash(Obj o)
{
    i64 v;
    if (num_get_int(o, &v)) return obj_small(v == -1 ? -2 : v);
    return obj_small(obj_hash(o));
}

static Obj b_issubclass(Obj c, Obj of)
{
    if (!obj_is(c, &type_type)) raise_msg(&type_TypeError, "issubclass() arg 1 must be a class");
    if (obj_is(of, &type_tuple)) {
        const ObjTuple *t = (const ObjTuple *)of;
        for (size_t i = 0; i < t->n; i++) {
            if (b_issubclass(c, t->items[i]) == OBJ_TRUE) return OBJ_TRUE;
        }
        return OBJ_FALSE;
    }
    if (!obj_is(of, &type_type)) raise_msg(&type_TypeError, "issubclass() arg 2 must be a class, a tuple of classes, or a union");
    return obj_bool(obj_is_subclass((const Type *)c, (const Type *)of));
}

static Obj any_all(Obj iterable, bool stop_at)
{
    IterBuf buf;
    Obj it = obj_getiter(iterable, &buf), o;
    while ((o = obj_iternext(it)) != OBJ_NULL) {
        if (obj_is_true(o) == stop_at) return obj_bool(stop_at);
    }
    return obj_bool(!stop_at);
}

static Obj b_any(Obj iterable) { return any_all(iterable, true); }
static Obj b_all(Obj iterable) { return any_all(iterable, false); }

static Obj to_base(Obj o, const char *spec)
{
    i64 v = obj_get_int(o);
    (void)v;
    return str_format_one(obj_small(v), (const u8 *)spec, strlen(spec));
}

static Obj b_bin(Obj o) { return to_base(o, "#b"); }
static Obj b_hex(Obj o) { return to_base(o, "#x"); }
static Obj b_oct(Obj o) { return to_base(o, "#o"); }

static Obj b_chr(Obj o)
{
    i64 c = obj_get_int(o);
    if (c < 0 || c > 0x10ffff) raise_msg(&type_ValueError, "chr() arg not in range(0x110000)");
    char bytes[4];
    return obj_str(bytes, utf8_put(bytes, (u32)c));
}

static Obj b_ord(Obj o)
{
    size_t n;
    if (!obj_is_str(o)) raise_msg(&type_TypeError, "ord() expected string of length 1, but %t found", o);
    const u8 *s = str_data(o, &n);
    if (str_n_chars(o) != 1) {
        raise_msg(&type_TypeError, "ord() expected a character, but string of length %ld found", (i64)str_n_chars(o));
    }
    u32 c;
    utf8_next(s, &c);
    return obj_small(c);
}

static Obj b_divmod(Obj a, Obj b)
{
    Obj pair[2] = {obj_binary_op(BIN_FLOORDIV, a, b), OBJ_NULL};
    pair[1] = obj_binary_op(BIN_MOD, a, b);
    return obj_tuple(2, pair);
}

static Obj b_pow(size_t n_args, const Obj *args)
{
    if (n_args < 3 || args[2] == OBJ_NONE) return obj_binary_op(BIN_POW, args[0], args[1]);
    i64 base = obj_get_int(args[0]), exponent = obj_get_int(args[1]), m = obj_get_int(args[2]);
    if (m == 0) raise_msg(&type_ValueError, "pow() 3rd argument cannot be 0");
    if (exponent < 0) raise_missing("pow() with a negative exponent and a modulus");
    Obj modulus = obj_small(m), result = obj_binary_op(BIN_MOD, obj_small(1), modulus);
    Obj b = obj_binary_op(BIN_MOD, obj_small(base), modulus);
    for (; exponent > 0; exponent >>= 1) { // a product past the small range raises
        if (exponent & 1) result = obj_binary_op(BIN_MOD, obj_binary_op(BIN_MUL, result, b), modulus);
        if (exponent > 1) b = obj_binary_op(BIN_MOD, obj_binary_op(BIN_MUL, b, b), modulus);
    }
    return result;
}

static Obj b_round(size_t n_args, const Obj *args)
{
    Obj o = native_of(args[0]);
    i64 v, n = n_args > 1 && args[1] != OBJ_NONE ? obj_get_int(args[1]) : 0;
    bool has_n = n_args > 1 && args[1] != OBJ_NONE;
    if (num_get_int(o, &v)) {
        if (n >= 0) return obj_small(v);
        i64 unit = 1;
        for (; n < 0 && unit <= SMALL_MAX / 10; n++) unit *= 10;
        if (n < 0) return obj_small(0);
        i64 rest = v % unit, down = v - rest; // half to even
        if (rest < 0) {
            rest += unit;
            down -= unit;
        }
        bool up = rest > unit / 2 || (rest == unit / 2 && unit > 1 && (down / unit & 1));
        return obj_int(up ? down + unit : down);
    }
    if (!obj_is_float(o)) {
        Obj method[3];
        obj_load_method_maybe(args[0], Q___round__, method);
        if (method[0] == OBJ_NULL) raise_msg(&type_TypeError, "type %t doesn't define __round__ method", args[0]);
        method[2] = n_args > 1 ? args[1] : OBJ_NULL;
        return obj_call_method(n_args - 1, 0, method);
    }
    double d = ((const ObjFloat *)o)->value;
    if (d - d != 0) return has_n ? o : int_from_double(d);
    if (d == 0 || n > 330 || (n < -330 && has_n)) return has_n ? obj_float(n < -330 ? 0 * d : d) : int_from_double(d);
    char text[1200];
    size_t used, len = 0;
    if (n < 0) { // through scientific notation, cut at the right digit
        int point;
        char digits[400];
        int count = float_digits(d, 3, (int)n, digits, sizeof digits, &point);
        if (count == 0) return obj_float(0 * d);
        for (int i = 0; i < count; i++) text[len++] = digits[i];
        for (int i = count; i < point; i++) text[len++] = '0';
    } else len = float_format(d, 'f', (int)n, false, text, sizeof text);
    double r = float_from_text((const u8 *)text, len, &used);
    if (d < 0) r = -r;
    return has_n ? obj_float(r) : int_from_double(r);
}

// ---- Iterables -------------------------------------------------------------------------------------------------------------

static Obj min_max(size_t n_args, size_t n_kw, const Obj *args, bool is_max)
{
    static const Qstr allowed[] = {Q_key, Q_default};
    const Obj *pairs = args + n_args;
    kw_check(is_max ? Q_max : Q_min, n_kw, pairs, allowed, 2);
    Obj key = kw_get(n_kw, pairs, Q_key), best = OBJ_NULL, best_key = OBJ_NULL, o;
    if (key == OBJ_NONE) key = OBJ_NULL;
    IterBuf buf;
    Obj it = n_args == 1 ? obj_getiter(args[0], &buf) : OBJ_NULL;
    for (size_t i = 0;; i++) {
        if (n_args == 1) o = obj_iternext(it);
        else o = i < n_args ? args[i] : OBJ_NULL;
        if (o == OBJ_NULL) break;
        Obj k = key == OBJ_NULL ? o : obj_call_1(key, o);
        if (best == OBJ_NULL || obj_is_true(obj_binary_op(is_max ? BIN_MORE : BIN_LESS, k, best_key))) {
            best = o;
            best_key = k;
        }
    }
    if (best == OBJ_NULL) best = kw_get(n_kw, pairs, Q_default);
    if (best == OBJ_NULL) raise_msg(&type_ValueError, "%q() arg is an empty sequence", is_max ? Q_max : Q_min);
    return best;
}

static Obj b_max(size_t n_args, size_t n_kw, const Obj *args) { return min_max(n_args, n_kw, args, true); }
static Obj b_min(size_t n_args, size_t n_kw, const Obj *args) { return min_max(n_args, n_kw, args, false); }

static Obj b_sum(size_t n_args, size_t n_kw, const Obj *args)
{
    static const Qstr allowed[] = {Q_start};
    kw_check(Q_sum, n_kw, args + n_args, allowed, 1);
    Obj total = n_args > 1 ? args[1] : kw_get(n_kw, args + n_args, Q_start);
    if (total == OBJ_NULL) total = obj_small(0);
    if (obj_is_str(total)) raise_msg(&type_TypeError, "sum() can't sum strings [use ''.join(seq) instead]");
    IterBuf buf;
    Obj it = obj_getiter(args[0], &buf), o;
    while ((o = obj_iternext(it)) != OBJ_NULL) total = obj_binary_op(BIN_ADD, total, o);
    return total;
}

static Obj b_sorted(size_t n_args, size_t n_kw, const Obj *args)
{
    static const Qstr allowed[] = {Q_key, Q_reverse};
    kw_check(Q_sorted, n_kw, args + n_args, allowed, 2);
    ObjList *l = list_from_iterable(args[0]);
    Obj key = kw_get(n_kw, args + n_args, Q_key), reverse = kw_get(n_kw, args + n_args, Q_reverse);
    list_sort(l, key == OBJ_NULL ? OBJ_NONE : key, reverse != OBJ_NULL && obj_is_true(reverse));
    return OBJ_PTR(l);
}

static Obj b_iter(size_t n_args, const Obj *args)
{
    return n_args == 1 ? obj_getiter(args[0], NULL) : call_iterator(args[0], args[1]);
}

static Obj b_next(size_t n_args, const Obj *args)
{
    const Type *t = obj_type(args[0]);
    if (!t->iternext) raise_msg(&type_TypeError, "'%t' object is not an iterator", args[0]);
    if (n_args == 1) { // the value of a generator's return must not be lost
        Obj result;
        RunResult how = resume_any(args[0], OBJ_NONE, OBJ_NULL, &result);
        if (how == RUN_YIELD) return result;
        if (how == RUN_EXCEPTION) nlr_raise(result);
        if (result == OBJ_NONE) raise_type(&type_StopIteration);
        raise_obj(&type_StopIteration, result);
    }
    Obj o = obj_iternext(args[0]);
    return o != OBJ_NULL ? o : args[1];
}

// ---- Attributes -------------------------------------------------------------------------------------------------------------

static Obj load_caught(Obj o, Qstr name)
{
    Nlr nlr;
    nlr_push(&nlr);
    if (setjmp(nlr.env) == 0) {
        Obj v = obj_load_attr(o, name);
        nlr_pop();
        return v;
    }
    if (!exc_match(nlr.exc, &type_AttributeError)) nlr_raise(nlr.exc);
    return OBJ_NULL;
}

static Obj b_getattr(size_t n_args, const Obj *args)
{
    Qstr name = str_attr_name(args[1]);
    if (n_args < 3) return obj_load_attr(args[0], name);
    Obj v = load_caught(args[0], name);
    return v == OBJ_NULL ? args[2] : v;
}

static Obj b_hasattr(Obj o, Obj name) { return obj_bool(load_caught(o, str_attr_name(name)) != OBJ_NULL); }

static Obj b_setattr(Obj o, Obj name, Obj value)
{
    obj_store_attr(o, str_attr_name(name), value);
    return OBJ_NONE;
}

static Obj b_delattr(Obj o, Obj name)
{
    obj_store_attr(o, str_attr_name(name), OBJ_NULL);
    return OBJ_NONE;
}

static void add_names(ObjDict *to, const Type *t)
{
    for (; t; t = t->parent) {
        for (size_t i = 0; i < t->n_methods; i++) map_set_qstr(&to->map, t->methods[i].name, OBJ_TRUE);
        if (t->flags & TYPE_USER) {
            for (size_t i = 0; i < t->mro->n; i++) {
                const Type *c = (const Type *)t->mro->items[i];
                if (c->flags & TYPE_USER) dict_update(to, OBJ_PTR(c->dict));
            }
        }
    }
}

static Obj b_dir(size_t n_args, const Obj *args)
{
    ObjDict *names = (ObjDict *)obj_dict(0);
    if (n_args == 0) dict_update(names, OBJ_PTR(vm.locals));
    else if (obj_is(args[0], &type_module)) dict_update(names, OBJ_PTR(((const ObjModule *)args[0])->globals));
    else if (obj_is(args[0], &type_type)) add_names(names, (const Type *)args[0]);
    else {
        if (obj_type(args[0])->flags & TYPE_USER) {
            const Map *m = &((const ObjInstance *)args[0])->members;
            u32 at = 0;
            for (MapEntry *e; (e = map_next(m, &at));) map_add(&names->map, e->key)->value = OBJ_TRUE;
        }
        add_names(names, obj_type(args[0]));
    }
    ObjList *l = list_from_iterable(OBJ_PTR(names));
    list_sort(l, OBJ_NONE, false);
    return OBJ_PTR(l);
}

// ---- print and format ------------------------------------------------------------------------------------------------------------

static void write_stream(void *ctx, const char *text, size_t n) { stream_write(*(Obj *)ctx, text, n); }

static Obj b_print(size_t n_args, size_t n_kw, const Obj *args)
{
    static const Qstr allowed[] = {Q_sep, Q_end, Q_file, Q_flush};
    const Obj *pairs = args + n_args;
    kw_check(Q_print, n_kw, pairs, allowed, 4);
    Obj sep = kw_get(n_kw, pairs, Q_sep), end = kw_get(n_kw, pairs, Q_end), file = kw_get(n_kw, pairs, Q_file);
    Print p = print_stdout;
    if (file != OBJ_NULL && file != OBJ_NONE) p = (Print){&file, write_stream};
    for (size_t i = 0; i < n_args; i++) {
        if (i > 0) {
            if (sep == OBJ_NULL || sep == OBJ_NONE) p.write(p.ctx, " ", 1);
            else print_obj(&p, sep, PRINT_STR);
        }
        print_obj(&p, args[i], PRINT_STR);
    }
    if (end == OBJ_NULL || end == OBJ_NONE) p.write(p.ctx, "\n", 1);
    else print_obj(&p, end, PRINT_STR);
    Obj flush = kw_get(n_kw, pairs, Q_flush);
    if (flush != OBJ_NULL && obj_is_true(flush)) port_flush();
    return OBJ_NONE;
}

static Obj b_format(size_t n_args, const Obj *args)
{
    size_t n = 0;
    const u8 *spec = n_args > 1 ? str_data(args[1], &n) : (const u8 *)"";
    return str_format_one(args[0], spec, n);
}

static Obj b_input(size_t n_args, const Obj *args)
{
    (void)n_args, (void)args;
    raise_missing("input()");
}

static Obj b_missing(size_t n_args, const Obj *args)
{
    (void)n_args, (void)args;
    raise_missing("open(), eval(), exec(), compile(), __import__()");
}

// FUNCTIONS: name, and how it is called
static const FunBuiltin functions[] = {
    BUILTIN_1(abs, b_abs), BUILTIN_1(all, b_all), BUILTIN_1(any, b_any), BUILTIN_1(bin, b_bin), BUILTIN_1(callable, b_callable),
    BUILTIN_1(chr, b_chr), BUILTIN_2(delattr, b_delattr), BUILTIN_V(dir, b_dir, 0, 1), BUILTIN_2(divmod, b_divmod),
    BUILTIN_V(format, b_format, 1, 2), BUILTIN_V(getattr, b_getattr, 2, 3), BUILTIN_0(globals, b_globals),
    BUILTIN_2(hasattr, b_hasattr), BUILTIN_1(hash, b_hash), BUILTIN_1(hex, b_hex), BUILTIN_1(id, b_id),
    BUILTIN_V(input, b_input, 0, 1), BUILTIN_2(isinstance, b_isinstance), BUILTIN_2(issubclass, b_issubclass),
    BUILTIN_V(iter, b_iter, 1, 2), BUILTIN_1(len, b_len), BUILTIN_0(locals, b_locals),
    BUILTIN_K(max, b_max, 1, FUN_UNLIMITED), BUILTIN_K(min, b_min, 1, FUN_UNLIMITED), BUILTIN_V(next, b_next, 1, 2),
    BUILTIN_1(oct, b_oct), BUILTIN_1(ord, b_ord), BUILTIN_V(pow, b_pow, 2, 3), BUILTIN_K(print, b_print, 0, FUN_UNLIMITED),
    BUILTIN_1(repr, b_repr), BUILTIN_V(round, b_round, 1, 2), BUILTIN_3(setattr, b_setattr),
    BUILTIN_K(sorted, b_sorted, 1, 1), BUILTIN_K(sum, b_sum, 1, 2), BUILTIN_V(open, b_missing, 0, FUN_UNLIMITED),
    BUILTIN_V(eval, b_missing, 0, FUN_UNLIMITED), BUILTIN_V(exec, b_missing, 0, FUN_UNLIMITED),
    BUILTIN_V(compile, b_missing, 0, FUN_UNLIMITED), BUILTIN_V(__import__, b_missing, 0, FUN_UNLIMITED),
};

// Types that are visible by name.
#define VISIBLE_TYPES(X)                                                                                     \
    X(object) X(type) X(bool) X(int) X(float) X(str) X(list) X(tuple) X(dict) X(set) X(range) X(slice) X(property)     \
    X(staticmethod) X(classmethod) X(super) X(enumerate) X(zip) X(map) X(filter) X(reversed)

typedef struct NamedType {
    u32 name;
    const Type *type;
} NamedType;

static const NamedType types[] = {
#define X(name) {Q_##name, &type_##name},
    VISIBLE_TYPES(X)
#undef X
#define X(name, parent) {Q_##name, &type_##name},
    EXCEPTIONS(X)
#undef X
};

enum { N_FUNCTIONS = sizeof functions / sizeof functions[0], N_TYPES = sizeof types / sizeof types[0] };

// Place of a name in the two tables, found the first time: 0 not looked up yet, 255 no built-in name, else 1 + place.
static u8 places[Q_N_STATIC];

static u8 find_place(Qstr q)
{
    for (size_t i = 0; i < N_FUNCTIONS; i++) {
        if (functions[i].name == q) return (u8)(1 + i);
    }
    for (size_t i = 0; i < N_TYPES; i++) {
        if (types[i].name == q) return (u8)(1 + N_FUNCTIONS + i);
    }
    return 255;
}

Obj builtin_lookup(Qstr q)
{
    if (q >= Q_N_STATIC) return OBJ_NULL;
    u8 place = places[q];
    if (place == 0) place = places[q] = find_place(q);
    if (place == 255) {
        if (q == Q_Ellipsis) return OBJ_ELLIPSIS;
        if (q == Q_NotImplemented) return OBJ_NOTIMPL;
        if (q == Q___build_class__) return OBJ_PTR(&build_class);
        if (q == Q_EnvironmentError || q == Q_IOError) return OBJ_PTR(&type_OSError);
        return OBJ_NULL;
    }
    return place <= N_FUNCTIONS ? OBJ_PTR(&functions[place - 1]) : OBJ_PTR(types[place - 1 - N_FUNCTIONS].type);
}
_Static_assert(N_FUNCTIONS + N_TYPES < 254, "places are bytes");
