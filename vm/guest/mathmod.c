// mathmod.c: the module math, and the power of floats.
#include "ddmath.h"
#include "vm.h"

#include <math.h>

static NORETURN void domain_error(void) { raise_msg(&type_ValueError, "math domain error"); }

// IEEE's special cases of x ** y; the rest by logarithm, exactly enough to round right.
double float_power(double x, double y)
{
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return x + y;
    bool is_integer = floor(y) == y, is_odd = is_integer && fabs(y) < 9007199254740992.0 && fmod(y, 2) != 0;
    if (isinf(y)) {
        double a = fabs(x);
        if (a == 1) return 1;
        return (a > 1) == (y > 0) ? (double)INFINITY : 0;
    }
    if (x == 0 || isinf(x)) {
        bool is_large = (x != 0) == (y > 0);
        double r = is_large ? (double)INFINITY : 0;
        return is_odd && signbit(x) ? -r : r;
    }
    if (x < 0 && !is_integer) return (double)NAN;
    if (y == 2) return x * x;
    if (y == 0.5) return sqrt(x);
    double r = dd_pow(fabs(x), y);
    return x < 0 && is_odd ? -r : r;
}

static double one_arg(Obj o) { return obj_get_float(o); }

// A finite argument must give a finite result.
static Obj finite_result(double r, double x)
{
    if (isinf(r) && !isinf(x)) raise_msg(&type_OverflowError, "math range error");
    return obj_float(r);
}

static Obj m_sqrt(Obj o)
{
    double x = one_arg(o);
    if (x < 0) domain_error();
    return obj_float(sqrt(x));
}

static Obj round_to_int(Obj o, Qstr special, double (*f)(double))
{
    i64 v;
    if (num_get_int(o, &v)) return obj_small(v);
    if (!obj_is_float(o)) {
        Obj method[2];
        obj_load_method_maybe(o, special, method);
        if (method[0] != OBJ_NULL) return obj_call_method(0, 0, method);
    }
    return int_from_double(f(one_arg(o)));
}

static double do_floor(double x) { return floor(x); }
static double do_ceil(double x) { return ceil(x); }
static double do_trunc(double x) { return trunc(x); }
static Obj m_floor(Obj o) { return round_to_int(o, Q___floor__, do_floor); }
static Obj m_ceil(Obj o) { return round_to_int(o, Q___ceil__, do_ceil); }
static Obj m_trunc(Obj o) { return round_to_int(o, Q___trunc__, do_trunc); }
static Obj m_fabs(Obj o) { return obj_float(fabs(one_arg(o))); }

static Obj m_exp(Obj o)
{
    double x = one_arg(o);
    if (x != x) return o;
    return finite_result(isinf(x) ? (x > 0 ? x : 0) : dd_exp(x), x);
}

static double log_any(Obj o, int base)
{
    double x = one_arg(o);
    if (x <= 0) domain_error();
    if (x != x || isinf(x)) return x;
    return base == 0 ? dd_log(x) : dd_log_base(x, base);
}

static Obj m_log(size_t n_args, const Obj *args)
{
    double r = log_any(args[0], 0);
    if (n_args == 1) return obj_float(r);
    double base = log_any(args[1], 0);
    if (base == 0) raise_msg(&type_ZeroDivisionError, "float division by zero");
    return obj_float(r / base);
}

static Obj m_log2(Obj o) { return obj_float(log_any(o, 2)); }
static Obj m_log10(Obj o) { return obj_float(log_any(o, 10)); }

static double angle(Obj o)
{
    double x = one_arg(o);
    if (isinf(x)) domain_error();
    if (fabs(x) > 1e15) raise_missing("sine and cosine of arguments above 1e15");
    return x;
}

static Obj m_sin(Obj o)
{
    double x = angle(o);
    return obj_float(x != x ? x : dd_sin(x));
}

static Obj m_cos(Obj o)
{
    double x = angle(o);
    return obj_float(x != x ? x : dd_cos(x));
}

static Obj m_tan(Obj o)
{
    double x = angle(o);
    return obj_float(x != x ? x : dd_tan(x));
}

static Obj m_atan(Obj o) { return obj_float(dd_atan2(one_arg(o), 1)); }
static Obj m_atan2(Obj y, Obj x) { return obj_float(dd_atan2(one_arg(y), one_arg(x))); }

static Obj m_asin(Obj o)
{
    double x = one_arg(o);
    if (fabs(x) > 1) domain_error();
    return obj_float(dd_atan2(x, sqrt((1 - x) * (1 + x))));
}

static Obj m_acos(Obj o)
{
    double x = one_arg(o);
    if (fabs(x) > 1) domain_error();
    return obj_float(dd_atan2(sqrt((1 - x) * (1 + x)), x));
}

static Obj m_pow(Obj a, Obj b)
{
    double x = one_arg(a), y = one_arg(b);
    if ((x < 0 && !isinf(x) && !isinf(y) && y != floor(y)) || (x == 0 && y < 0)) domain_error();
    double r = float_power(x, y);
    if (isinf(r) && !isinf(x) && !isinf(y)) raise_msg(&type_OverflowError, "math range error");
    return obj_float(r);
}

static Obj m_fmod(Obj a, Obj b)
{
    double x = one_arg(a), y = one_arg(b);
    if (y == 0 || isinf(x)) domain_error();
    return obj_float(isinf(y) ? x : fmod(x, y));
}

static Obj m_hypot(size_t n_args, const Obj *args)
{
    double largest = 0, sum = 0;
    for (size_t i = 0; i < n_args; i++) {
        double x = fabs(one_arg(args[i]));
        if (x > largest) largest = x;
    }
    if (largest == 0 || isinf(largest)) return obj_float(largest);
    double scale = largest > 1e150 ? 0x1p-600 : largest < 1e-150 ? 0x1p600 : 1;
    for (size_t i = 0; i < n_args; i++) {
        double x = one_arg(args[i]) * scale;
        sum += x * x;
    }
    return obj_float(sqrt(sum) / scale);
}

static Obj m_copysign(Obj a, Obj b) { return obj_float(copysign(one_arg(a), one_arg(b))); }
static Obj m_radians(Obj o) { return obj_float(one_arg(o) * (3.141592653589793 / 180)); }
static Obj m_degrees(Obj o) { return obj_float(one_arg(o) * (180 / 3.141592653589793)); }

static Obj m_isnan(Obj o)
{
    double x = one_arg(o);
    return obj_bool(x != x);
}

static Obj m_isinf(Obj o)
{
    double x = one_arg(o);
    return obj_bool(isinf(x));
}

static Obj m_isfinite(Obj o)
{
    double x = one_arg(o);
    return obj_bool(x - x == 0);
}

static Obj m_isclose(size_t n_args, size_t n_kw, const Obj *args)
{
    static const Qstr allowed[] = {Q_rel_tol, Q_abs_tol};
    const Obj *pairs = args + n_args;
    kw_check(Q_isclose, n_kw, pairs, allowed, 2);
    Obj rel = kw_get(n_kw, pairs, Q_rel_tol), abs_ = kw_get(n_kw, pairs, Q_abs_tol);
    double a = one_arg(args[0]), b = one_arg(args[1]);
    double relative = rel == OBJ_NULL ? 1e-9 : one_arg(rel), absolute = abs_ == OBJ_NULL ? 0 : one_arg(abs_);
    if (a == b) return OBJ_TRUE;
    if (isinf(a) || isinf(b)) return OBJ_FALSE;
    double d = fabs(a - b);
    return obj_bool(d <= relative * fabs(a) || d <= relative * fabs(b) || d <= absolute);
}

static Obj m_gcd(size_t n_args, const Obj *args)
{
    i64 a = 0;
    for (size_t i = 0; i < n_args; i++) {
        i64 b = obj_get_int(args[i]);
        while (b != 0) {
            i64 r = a % b;
            a = b;
            b = r;
        }
    }
    return obj_int(a < 0 ? -a : a);
}

static Obj m_factorial(Obj o)
{
    i64 n = obj_get_int(o);
    if (n < 0) raise_msg(&type_ValueError, "factorial() not defined for negative values");
    Obj r = obj_small(1);
    for (i64 i = 2; i <= n; i++) r = obj_binary_op(BIN_MUL, r, obj_small(i));
    return r;
}

static Obj m_isqrt(Obj o)
{
    i64 n = obj_get_int(o);
    if (n < 0) raise_msg(&type_ValueError, "isqrt() argument must be nonnegative");
    i64 r = (i64)sqrt((double)n);
    while (r > 0 && r > n / r) r--;
    while (r + 1 <= n / (r + 1)) r++;
    return obj_small(r);
}

static Obj m_ldexp(Obj a, Obj b)
{
    i64 e = obj_get_int(b);
    double x = one_arg(a);
    return finite_result(ldexp(x, e > 5000 ? 5000 : e < -5000 ? -5000 : (int)e), x);
}

static const FunBuiltin math_functions[] = {
    BUILTIN_1(sqrt, m_sqrt), BUILTIN_1(floor, m_floor), BUILTIN_1(ceil, m_ceil), BUILTIN_1(trunc, m_trunc),
    BUILTIN_1(fabs, m_fabs), BUILTIN_1(exp, m_exp), BUILTIN_V(log, m_log, 1, 2), BUILTIN_1(log2, m_log2),
    BUILTIN_1(log10, m_log10), BUILTIN_1(sin, m_sin), BUILTIN_1(cos, m_cos), BUILTIN_1(tan, m_tan),
    BUILTIN_1(asin, m_asin), BUILTIN_1(acos, m_acos), BUILTIN_1(atan, m_atan), BUILTIN_2(atan2, m_atan2),
    BUILTIN_2(pow, m_pow), BUILTIN_2(fmod, m_fmod), BUILTIN_V(hypot, m_hypot, 0, FUN_UNLIMITED),
    BUILTIN_2(copysign, m_copysign), BUILTIN_1(radians, m_radians), BUILTIN_1(degrees, m_degrees),
    BUILTIN_1(isnan, m_isnan), BUILTIN_1(isinf, m_isinf), BUILTIN_1(isfinite, m_isfinite),
    BUILTIN_K(isclose, m_isclose, 2, 2), BUILTIN_V(gcd, m_gcd, 0, FUN_UNLIMITED), BUILTIN_1(factorial, m_factorial),
    BUILTIN_1(isqrt, m_isqrt), BUILTIN_2(ldexp, m_ldexp),
};

void fill_math(Map *m)
{
    for (size_t i = 0; i < sizeof math_functions / sizeof math_functions[0]; i++) {
        map_set_qstr(m, math_functions[i].name, OBJ_PTR(&math_functions[i]));
    }
    map_set_qstr(m, Q_pi, obj_float(3.141592653589793));
    map_set_qstr(m, Q_e, obj_float(2.718281828459045));
    map_set_qstr(m, Q_tau, obj_float(6.283185307179586));
    map_set_qstr(m, Q_inf, obj_float((double)INFINITY));
    map_set_qstr(m, Q_nan, obj_float((double)NAN));
}
