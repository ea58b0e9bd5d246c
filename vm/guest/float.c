// float.c: the float type: IEEE doubles in heap objects, with Python's rules for // % ** and printing.
#include "vm.h"

#include <math.h>
#include <string.h>

Obj obj_float(double v)
{
    ObjFloat *f = obj_alloc(&type_float, sizeof(ObjFloat));
    f->value = v;
    return OBJ_PTR(f);
}

bool num_get_float(Obj o, double *out)
{
    i64 i;
    if (obj_is_float(o)) *out = ((const ObjFloat *)o)->value;
    else if (num_get_int(o, &i)) *out = (double)i;
    else return false;
    return true;
}

double obj_get_float(Obj o)
{
    double d;
    if (num_get_float(native_of(o), &d)) return d;
    raise_msg(&type_TypeError, "must be real number, not %t", o);
}

Obj int_from_double(double d)
{
    if (d != d) raise_msg(&type_ValueError, "cannot convert float NaN to integer");
    if (isinf(d)) raise_msg(&type_OverflowError, "cannot convert float infinity to integer");
    if (d >= 4611686018427387904.0 || d < -4611686018427387904.0) raise_int_range();
    return obj_small((i64)d);
}

// An integral float hashes as the int that equals it.
u32 float_hash(double d)
{
    if (d == floor(d) && d < 4.6e18 && d > -4.6e18) return obj_hash(obj_small((i64)d));
    union {
        double d;
        u64 u;
    } v = {.d = d};
    return (u32)v.u ^ (u32)(v.u >> 32) * 31;
}

double math_fmod(double x, double y) { return fmod(x, y); }

// The remainder has the sign of the divisor.
double float_mod(double a, double b)
{
    double r = fmod(a, b);
    if (r != 0) return (r < 0) != (b < 0) ? r + b : r;
    return copysign(0.0, b);
}

static double floor_divide(double a, double b)
{
    double r = fmod(a, b);
    double q = (a - r) / b;
    if (r != 0 && (r < 0) != (b < 0)) q -= 1;
    if (q == 0) return copysign(0.0, a / b);
    double f = floor(q);
    return q - f > 0.5 ? f + 1 : f;
}

static Obj power(double a, double b)
{
    if (a == 0 && b < 0) raise_msg(&type_ZeroDivisionError, "0.0 cannot be raised to a negative power");
    if (a < 0 && !isinf(a) && !isinf(b) && b == b && b != floor(b)) raise_missing("complex numbers");
    double r = float_power(a, b);
    if (isinf(r) && !isinf(a) && !isinf(b)) {
        nlr_raise(exc_new(&type_OverflowError, 2, (Obj[]){obj_small(34), obj_str_z("Numerical result out of range")}));
    }
    return obj_float(r);
}

Obj float_binary_op(BinaryOp op, double a, double b)
{
    switch (op) {
    case BIN_LESS: return obj_bool(a < b);
    case BIN_MORE: return obj_bool(a > b);
    case BIN_EQUAL: return obj_bool(a == b);
    case BIN_LESS_EQUAL: return obj_bool(a <= b);
    case BIN_MORE_EQUAL: return obj_bool(a >= b);
    case BIN_NOT_EQUAL: return obj_bool(a != b);
    case BIN_ADD: case BIN_INPLACE_ADD: return obj_float(a + b);
    case BIN_SUB: case BIN_INPLACE_SUB: return obj_float(a - b);
    case BIN_MUL: case BIN_INPLACE_MUL: return obj_float(a * b);
    case BIN_DIV: case BIN_INPLACE_DIV:
        if (b == 0) raise_msg(&type_ZeroDivisionError, "float division by zero");
        return obj_float(a / b);
    case BIN_FLOORDIV: case BIN_INPLACE_FLOORDIV:
        if (b == 0) raise_msg(&type_ZeroDivisionError, "float floor division by zero");
        return obj_float(floor_divide(a, b));
    case BIN_MOD: case BIN_INPLACE_MOD:
        if (b == 0) raise_msg(&type_ZeroDivisionError, "float modulo");
        return obj_float(float_mod(a, b));
    case BIN_POW: case BIN_INPLACE_POW: return power(a, b);
    default: return OBJ_NULL;
    }
}

static Obj float_unary_op(UnaryOp op, Obj self)
{
    double d = ((const ObjFloat *)self)->value;
    switch (op) {
    case UN_BOOL: return obj_bool(d != 0);
    case UN_POSITIVE: return self;
    case UN_NEGATIVE: return obj_float(-d);
    case UN_ABS: return obj_float(fabs(d));
    case UN_INT: return int_from_double(d);
    default: return OBJ_NULL;
    }
}

static void float_print(Print *p, Obj self, PrintKind kind)
{
    (void)kind;
    char text[32];
    p->write(p->ctx, text, float_repr(((const ObjFloat *)self)->value, text));
}

static bool is_blank(u8 c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static bool is_word(const u8 *s, size_t n, const char *word)
{
    if (n != strlen(word)) return false;
    for (size_t i = 0; i < n; i++) {
        if ((s[i] | 32) != (u8)word[i]) return false;
    }
    return true;
}

bool parse_float(const u8 *s, size_t n, double *out)
{
    while (n > 0 && is_blank(*s)) s++, n--;
    while (n > 0 && is_blank(s[n - 1])) n--;
    bool is_negative = n > 0 && *s == '-';
    const u8 *body = s;
    size_t n_body = n;
    if (n > 0 && (*s == '-' || *s == '+')) body++, n_body--;
    double d;
    if (is_word(body, n_body, "inf") || is_word(body, n_body, "infinity")) d = (double)INFINITY;
    else if (is_word(body, n_body, "nan")) d = (double)NAN;
    else {
        size_t n_used;
        d = float_from_text(body, n_body, &n_used);
        if (n_used != n_body || n_used == 0) return false;
    }
    *out = is_negative ? -d : d;
    return true;
}

static Obj float_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_args > 1 || n_kw) raise_arg_count(type->name, 0, 1, n_args);
    if (n_args == 0) return obj_float(0);
    Obj o = native_of(args[0]);
    double d;
    if (obj_is_float(o)) return o;
    if (num_get_float(o, &d)) return obj_float(d);
    if (obj_is_str(o)) {
        size_t n;
        const u8 *s = str_data(o, &n);
        if (parse_float(s, n, &d)) return obj_float(d);
        raise_msg(&type_ValueError, "could not convert string to float: %r", o);
    }
    Obj method[2];
    obj_load_method_maybe(args[0], Q___float__, method);
    if (method[0] != OBJ_NULL) return obj_call_method(0, 0, method);
    raise_msg(&type_TypeError, "float() argument must be a string or a real number, not '%t'", o);
}

static Obj float_is_integer(Obj self)
{
    double d = obj_get_float(self);
    return obj_bool(d == floor(d) && !isinf(d));
}

static const FunBuiltin float_methods[] = {BUILTIN_1(is_integer, float_is_integer)};

static void float_attr(Obj self, Qstr name, Obj *dest)
{
    if (dest[0] != OBJ_NULL) return;
    if (name == Q_real) dest[0] = self;
    else if (name == Q_imag) dest[0] = obj_float(0);
}

const Type type_float = {
    .base = {&type_type},
    .name = Q_float,
    .parent = &type_object,
    .methods = float_methods,
    .n_methods = 1,
    .make_new = float_make_new,
    .print = float_print,
    .unary_op = float_unary_op,
    .attr = float_attr,
};
