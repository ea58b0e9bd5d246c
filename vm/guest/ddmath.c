// ddmath.c: see ddmath.h. A value is hi + lo with |lo| at most half a unit in the last place of hi. Sums and products keep
// their rounding error exactly (Dekker, Knuth); functions are argument reduction and a Taylor series.
#include "ddmath.h"

#include <math.h>
#include <stdbool.h>

typedef struct Dd {
    double hi, lo;
} Dd;

static Dd quick_sum(double a, double b) // |a| >= |b|
{
    double s = a + b;
    return (Dd){s, b - (s - a)};
}

static Dd two_sum(double a, double b)
{
    double s = a + b, t = s - a;
    return (Dd){s, (a - (s - t)) + (b - t)};
}

static Dd split(double a)
{
    double t = 134217729.0 * a, hi = t - (t - a);
    return (Dd){hi, a - hi};
}

static Dd two_product(double a, double b)
{
    double p = a * b;
    Dd x = split(a), y = split(b);
    return (Dd){p, ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

static Dd add(Dd a, Dd b)
{
    Dd s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
    s = quick_sum(s.hi, s.lo + t.hi);
    return quick_sum(s.hi, s.lo + t.lo);
}

static Dd negate(Dd a) { return (Dd){-a.hi, -a.lo}; }
static Dd subtract(Dd a, Dd b) { return add(a, negate(b)); }

static Dd multiply(Dd a, Dd b)
{
    Dd p = two_product(a.hi, b.hi);
    return quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static Dd scale(Dd a, double b)
{
    Dd p = two_product(a.hi, b);
    return quick_sum(p.hi, p.lo + a.lo * b);
}

static Dd divide(Dd a, Dd b)
{
    double q = a.hi / b.hi;
    Dd r = subtract(a, scale(b, q));
    double q2 = r.hi / b.hi;
    r = subtract(r, scale(b, q2));
    return add(quick_sum(q, q2), (Dd){r.hi / b.hi, 0});
}

static Dd square_root(Dd a)
{
    if (a.hi <= 0) return (Dd){0, 0};
    double x = __builtin_sqrt(a.hi);
    Dd r = subtract(a, two_product(x, x));
    return add((Dd){x, 0}, (Dd){r.hi / (2 * x), 0});
}

static const Dd ln2 = {0.6931471805599453, 2.3190468138462996e-17};
static const Dd ln10 = {2.302585092994046, -2.1707562233822494e-16};
static const Dd half_pi = {1.5707963267948966, 6.123233995736766e-17};
static const Dd half_pi_tail = {-1.4973849048591833e-33, 0};
static const Dd one = {1, 0};

// 2^k x without rounding twice on the way down.
static double scale_by_power(double hi, double lo, int k)
{
    if (k > -1000) return ldexp(hi + lo, k);
    return ldexp(hi, k) + ldexp(lo, k);
}

// exp(x), |x| < 746: reduced by a multiple of ln 2 and by 2^6, then squared back.
static double exp_of(Dd x)
{
    if (x.hi > 710) return HUGE_VAL;
    if (x.hi < -746) return 0;
    int k = (int)(x.hi / ln2.hi + (x.hi < 0 ? -0.5 : 0.5));
    Dd r = subtract(x, scale(ln2, k));
    r = (Dd){r.hi / 64, r.lo / 64};
    Dd sum = r, term = r; // exp(r) − 1
    for (int n = 2; n < 14; n++) {
        term = divide(multiply(term, r), (Dd){n, 0});
        sum = add(sum, term);
    }
    for (int i = 0; i < 6; i++) sum = add(scale(sum, 2), multiply(sum, sum)); // (1 + s)^2 − 1
    sum = add(sum, one);
    return scale_by_power(sum.hi, sum.lo, k);
}

// ln(x) = k ln 2 + 2 artanh((m − 1) / (m + 1)), x = m 2^k
static Dd log_of(double x)
{
    int k = 0;
    for (; x < 0x1p-500; k -= 500) x *= 0x1p500;
    for (; x > 0x1p500; k += 500) x *= 0x1p-500;
    for (; x > 1.4142135623730951 * 65536; k += 16) x *= 0x1p-16;
    for (; x < 0.7071067811865476 / 65536; k -= 16) x *= 0x1p16;
    for (; x > 1.4142135623730951; k++) x *= 0.5;
    for (; x < 0.7071067811865476; k--) x *= 2;
    Dd s = divide((Dd){x - 1, 0}, two_sum(x, 1)); // x − 1 is exact here
    Dd square = multiply(s, s), power = s, sum = s;
    for (int n = 3; n < 45 && power.hi != 0; n += 2) {
        power = multiply(power, square);
        sum = add(sum, divide(power, (Dd){n, 0}));
    }
    return add(scale(ln2, k), scale(sum, 2));
}

double dd_exp(double x) { return exp_of((Dd){x, 0}); }
double dd_log(double x) { return log_of(x).hi; }

double dd_log_base(double x, int base)
{
    Dd q = divide(log_of(x), base == 2 ? ln2 : ln10);
    return q.hi + q.lo;
}

double dd_pow(double x, double y)
{
    if (fabs(y) > 1e20) return (x > 1) == (y > 0) ? HUGE_VAL : 0;
    return exp_of(scale(log_of(x), y));
}

// sin and cos of r, |r| <= pi/4
static void series(Dd r, Dd *sine, Dd *cosine)
{
    Dd square = negate(multiply(r, r)), s = r, c = one, term = r;
    for (int n = 3; n < 30; n += 2) {
        term = divide(multiply(term, square), (Dd){n * (n - 1), 0});
        s = add(s, term);
    }
    term = one;
    for (int n = 2; n < 30; n += 2) {
        term = divide(multiply(term, square), (Dd){n * (n - 1), 0});
        c = add(c, term);
    }
    *sine = s;
    *cosine = c;
}

// Both at once; the quadrant decides which series and sign.
static void sin_cos(double x, Dd *sine, Dd *cosine)
{
    double k = floor(x / half_pi.hi + 0.5);
    Dd r = subtract((Dd){x, 0}, two_product(half_pi.hi, k)); // exact parts first
    r = subtract(r, two_product(half_pi.lo, k));
    r = subtract(r, two_product(half_pi_tail.hi, k));
    Dd s, c;
    series(r, &s, &c);
    int quadrant = (int)(k - 4 * floor(k / 4));
    *sine = quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? negate(s) : negate(c);
    *cosine = quadrant == 0 ? c : quadrant == 1 ? negate(s) : quadrant == 2 ? negate(c) : s;
}

double dd_sin(double x)
{
    Dd s, c;
    if (x == 0) return x;
    sin_cos(x, &s, &c);
    return s.hi + s.lo;
}

double dd_cos(double x)
{
    Dd s, c;
    sin_cos(x, &s, &c);
    return c.hi + c.lo;
}

double dd_tan(double x)
{
    Dd s, c;
    if (x == 0) return x;
    sin_cos(x, &s, &c);
    Dd t = divide(s, c);
    return t.hi + t.lo;
}

// atan(t) for 0 <= t <= 1, halving the angle three times.
static Dd atan_of(Dd t)
{
    for (int i = 0; i < 3; i++) {
        Dd root = square_root(add(one, multiply(t, t)));
        t = divide(t, add(one, root));
    }
    Dd square = negate(multiply(t, t)), power = t, sum = t;
    for (int n = 3; n < 45 && power.hi != 0; n += 2) {
        power = multiply(power, square);
        sum = add(sum, divide(power, (Dd){n, 0}));
    }
    return scale(sum, 8);
}

double dd_atan2(double y, double x)
{
    if (y == 0 || x != x || y != y) return x < 0 || (x == 0 && signbit(x)) ? (signbit(y) ? -3.141592653589793 : 3.141592653589793) : x + y == x + y ? y : x + y;
    double a = fabs(y), b = fabs(x);
    bool is_steep = a > b;
    Dd angle;
    if (isinf(a) && isinf(b)) angle = scale(half_pi, 0.5);
    else {
        double small = is_steep ? b : a, large = is_steep ? a : b;
        angle = isinf(large) || small / large < 1e-290 ? (Dd){small / large, 0} : atan_of(divide((Dd){small, 0}, (Dd){large, 0}));
        if (is_steep) angle = subtract(half_pi, angle);
    }
    if (signbit(x)) angle = subtract(scale(half_pi, 2), angle);
    double r = angle.hi + angle.lo;
    return y < 0 ? -r : r;
}
