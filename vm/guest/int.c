// int.c: integers, which are all small ints of 63 bits in this build: a larger result raises OverflowError, it is never wrong.
#include "vm.h"

Obj obj_int(i64 v)
{
    if (v > SMALL_MAX || v < SMALL_MIN) raise_int_range();
    return obj_small(v);
}

bool num_get_int(Obj o, i64 *out)
{
    if (obj_is_small(o)) {
        *out = obj_small_value(o);
        return true;
    }
    if (o == OBJ_TRUE || o == OBJ_FALSE) {
        *out = o == OBJ_TRUE;
        return true;
    }
    return false;
}

i64 obj_get_int(Obj o)
{
    i64 v;
    if (num_get_int(o, &v)) return v;
    raise_msg(&type_TypeError, "'%t' object cannot be interpreted as an integer", o);
}

static i64 multiply(i64 a, i64 b)
{
    i64 product;
    if (__builtin_mul_overflow(a, b, &product)) raise_int_range();
    return product;
}

static Obj power(i64 base, i64 exponent)
{
    if (exponent < 0) {
        if (base == 0) raise_msg(&type_ZeroDivisionError, "0.0 cannot be raised to a negative power");
        return obj_float(float_power((double)base, (double)exponent));
    }
    if (base == 0 || base == 1) return obj_small(exponent == 0 ? 1 : base);
    if (base == -1) return obj_small(exponent & 1 ? -1 : 1);
    i64 result = 1;
    for (;;) {
        if (exponent & 1) result = multiply(result, base);
        exponent >>= 1;
        if (exponent == 0) return obj_int(result);
        base = multiply(base, base);
    }
}

// Both are at most 62 bits long: shifting left is multiplying, with a check.
static Obj shift_left(i64 a, i64 n)
{
    if (n < 0) raise_msg(&type_ValueError, "negative shift count");
    if (a == 0) return obj_small(0);
    if (n > 61) raise_int_range();
    return obj_int(multiply(a, (i64)1 << n));
}

static i64 floor_divide(i64 a, i64 b, i64 *rest)
{
    i64 quotient = a / b, remainder = a % b;
    if (remainder != 0 && (remainder < 0) != (b < 0)) {
        quotient--;
        remainder += b;
    }
    *rest = remainder;
    return quotient;
}

static double true_divide(i64 a, i64 b)
{
    if (b == 0) raise_msg(&type_ZeroDivisionError, "division by zero");
    i64 exact = (i64)1 << 53;
    if (a <= exact && a >= -exact && b <= exact && b >= -exact) return (double)a / (double)b;
    // Converting first would round twice.
    double q = float_of_ratio(a < 0 ? 0 - (u64)a : (u64)a, b < 0 ? 0 - (u64)b : (u64)b);
    return (a < 0) != (b < 0) ? -q : q;
}

Obj int_binary_op(BinaryOp op, i64 a, i64 b)
{
    i64 rest;
    switch (op) {
    case BIN_LESS: return obj_bool(a < b);
    case BIN_MORE: return obj_bool(a > b);
    case BIN_EQUAL: return obj_bool(a == b);
    case BIN_LESS_EQUAL: return obj_bool(a <= b);
    case BIN_MORE_EQUAL: return obj_bool(a >= b);
    case BIN_NOT_EQUAL: return obj_bool(a != b);
    case BIN_OR: case BIN_INPLACE_OR: return obj_small(a | b);
    case BIN_XOR: case BIN_INPLACE_XOR: return obj_small(a ^ b);
    case BIN_AND: case BIN_INPLACE_AND: return obj_small(a & b);
    case BIN_SHL: case BIN_INPLACE_SHL: return shift_left(a, b);
    case BIN_SHR: case BIN_INPLACE_SHR:
        if (b < 0) raise_msg(&type_ValueError, "negative shift count");
        return obj_small(a >> (b > 63 ? 63 : b));
    case BIN_ADD: case BIN_INPLACE_ADD: return obj_int(a + b); // 63 + 63 bits: no overflow in 64
    case BIN_SUB: case BIN_INPLACE_SUB: return obj_int(a - b);
    case BIN_MUL: case BIN_INPLACE_MUL: return obj_int(multiply(a, b));
    case BIN_FLOORDIV: case BIN_INPLACE_FLOORDIV:
        if (b == 0) raise_msg(&type_ZeroDivisionError, "integer division or modulo by zero");
        return obj_int(floor_divide(a, b, &rest));
    case BIN_MOD: case BIN_INPLACE_MOD:
        if (b == 0) raise_msg(&type_ZeroDivisionError, "integer modulo by zero");
        floor_divide(a, b, &rest);
        return obj_small(rest);
    case BIN_DIV: case BIN_INPLACE_DIV: return obj_float(true_divide(a, b));
    case BIN_POW: case BIN_INPLACE_POW: return power(a, b);
    default: return OBJ_NULL;
    }
}

// ---- Text to integer -----------------------------------------------------------------------------------------------------

static bool is_blank(u8 c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int digit_of(u8 c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}

bool parse_int(const u8 *s, size_t n, int base, i64 *out)
{
    const u8 *end = s + n;
    while (s < end && is_blank(*s)) s++;
    while (s < end && is_blank(end[-1])) end--;
    bool is_negative = s < end && *s == '-';
    if (s < end && (*s == '-' || *s == '+')) s++;
    if (end - s > 2 && s[0] == '0') { // a prefix may precede, and says the base if that is 0
        int prefix = s[1] == 'x' || s[1] == 'X' ? 16 : s[1] == 'o' || s[1] == 'O' ? 8 : s[1] == 'b' || s[1] == 'B' ? 2 : 0;
        if (prefix && (base == 0 || base == prefix)) {
            base = prefix;
            s += 2;
        }
    }
    if (base == 0) base = 10;
    if (s == end) return false;
    u64 value = 0;
    bool is_big = false, was_digit = false;
    for (; s < end; s++) {
        if (*s == '_' && was_digit && s + 1 < end) {
            was_digit = false;
            continue;
        }
        int d = digit_of(*s);
        if (d >= base) return false;
        if (value > (u64)SMALL_MAX) is_big = true; // digits are checked to the end all the same
        else value = value * (u64)base + (u64)d;
        was_digit = true;
    }
    if (!was_digit) return false;
    if (is_big || value > (u64)SMALL_MAX + is_negative) raise_int_range();
    *out = is_negative ? -(i64)value : (i64)value;
    return true;
}

// ---- The types int and bool ------------------------------------------------------------------------------------------------

static Obj int_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_args > 2 || n_kw) raise_arg_count(type->name, 0, 2, n_args);
    if (n_args == 0) return obj_small(0);
    Obj o = native_of(args[0]);
    i64 v;
    if (n_args == 1 && num_get_int(o, &v)) return obj_small(v);
    if (n_args == 1 && obj_is_float(o)) return int_from_double(((const ObjFloat *)o)->value);
    if (obj_is_str(o)) {
        i64 base = n_args > 1 ? obj_get_int(args[1]) : 10;
        if (base != 0 && (base < 2 || base > 36)) raise_msg(&type_ValueError, "int() base must be >= 2 and <= 36, or 0");
        size_t n;
        const u8 *s = str_data(o, &n);
        if (parse_int(s, n, (int)base, &v)) return obj_small(v);
        raise_msg(&type_ValueError, "invalid literal for int() with base %ld: %r", base, o);
    }
    if (n_args > 1) raise_msg(&type_TypeError, "int() can't convert non-string with explicit base");
    const Type *t = obj_type(o);
    Obj r = t->unary_op ? t->unary_op(UN_INT, o) : OBJ_NULL;
    if (r != OBJ_NULL) return r;
    raise_msg(&type_TypeError, "int() argument must be a string, a bytes-like object or a real number, not '%t'", o);
}

static void int_print(Print *p, Obj self, PrintKind kind)
{
    (void)kind;
    print_int(p, obj_small_value(self));
}

static Obj int_bit_length(Obj self)
{
    i64 v = obj_get_int(self);
    u64 magnitude = v < 0 ? 0 - (u64)v : (u64)v;
    return obj_small(magnitude ? 64 - __builtin_clzll(magnitude) : 0);
}

static const FunBuiltin int_methods[] = {BUILTIN_1(bit_length, int_bit_length)};

static void int_attr(Obj self, Qstr name, Obj *dest)
{
    if (dest[0] != OBJ_NULL) return;
    if (name == Q_real || name == Q_numerator) dest[0] = obj_small(obj_get_int(self));
    else if (name == Q_imag) dest[0] = obj_small(0);
    else if (name == Q_denominator) dest[0] = obj_small(1);
}

const Type type_int = {
    .base = {&type_type},
    .name = Q_int,
    .parent = &type_object,
    .methods = int_methods,
    .n_methods = 1,
    .make_new = int_make_new,
    .print = int_print,
    .attr = int_attr,
};

static Obj bool_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_args > 1 || n_kw) raise_arg_count(type->name, 0, 1, n_args);
    return obj_bool(n_args == 1 && obj_is_true(args[0]));
}

static void bool_print(Print *p, Obj self, PrintKind kind)
{
    (void)kind;
    print_text(p, self == OBJ_TRUE ? "True" : "False");
}

const Type type_bool = {
    .base = {&type_type},
    .name = Q_bool,
    .parent = &type_int,
    .make_new = bool_make_new,
    .print = bool_print,
    .attr = int_attr,
};
