// cap_model.c: see cap_model.h. Numbers are u128; field(x, hi, lo) is x<hi:lo>; nothing is shared with isa/cap*.
#include "tests/support/cap_model.h"

static u128 ones(int n) { return n <= 0 ? 0 : ((u128)1 << n) - 1; }
static u128 field(u128 x, int hi, int lo) { return hi < lo ? 0 : (x >> lo) & ones(hi - lo + 1); }
static u128 put(u128 x, int hi, int lo, u128 v) { return (x & ~(ones(hi - lo + 1) << lo)) | ((v & ones(hi - lo + 1)) << lo); }

static u128 word_of(Cap c) { return (u128)c.meta << 64 | c.value; }
static Cap cap_of(u128 w, bool tag) { return (Cap){(u64)w, (u64)(w >> 64), tag}; }

static bool has_internal_exponent(u128 w) { return field(w, 94, 94) == 0; }
static int exponent(u128 w)
{
    if (!has_internal_exponent(w)) return 0;
    return (int)(63 - (field(w, 82, 80) * 8 + field(w, 66, 64)));
}
static u64 bounds_address(u64 v) { return v >> 55 & 1 ? v | 0xff00000000000000ULL : v & 0x00ffffffffffffffULL; }
static bool uses_value(int e) { return e + 16 < 64; }
static bool is_bad(int e) { return e > 50 && e < 63; }

static u128 bottom(u128 w) { return has_internal_exponent(w) ? field(w, 79, 67) << 3 : field(w, 79, 64); }
static u128 top(u128 w)
{
    u128 b = bottom(w), t = has_internal_exponent(w) ? field(w, 93, 83) << 3 : field(w, 93, 80);
    u128 carry = field(t, 13, 0) < field(b, 13, 0), msb = has_internal_exponent(w);
    return put(t, 15, 14, field(b, 15, 14) + carry + msb);
}

ModelBounds model_bounds(Cap c)
{
    u128 w = word_of(c);
    int e = exponent(w);
    if (e == 63) return (ModelBounds){0, (u128)1 << 64, true};
    if (is_bad(e)) return (ModelBounds){0, (u128)1 << 64, false};
    u128 b = bottom(w), t = top(w), a = bounds_address(c.value);
    u128 base = put(0, e + 15, e, b), limit = put(0, e + 15, e, t);
    u128 a3 = field(a, e + 15, e + 13), b3 = field(b, 15, 13), t3 = field(t, 15, 13), r3 = (b3 - 1) & 7;
    int a_hi = a3 < r3, b_hi = b3 < r3, t_hi = t3 < r3;
    if (e < 50) {
        u128 a_top = field(a, 65, e + 16);
        base = put(base, 65, e + 16, a_top + (u128)(i128)(b_hi - a_hi));
        limit = put(limit, 65, e + 16, a_top + (u128)(i128)(t_hi - a_hi));
    }
    u128 l2 = field(limit, 64, 63), b2 = field(base, 63, 63);
    if (e < 49 && field(l2 - b2, 1, 0) > 1) limit ^= (u128)1 << 64;
    return (ModelBounds){field(base, 63, 0), field(limit, 64, 0), true};
}

Cap model_set_value(Cap c, u64 v)
{
    Cap n = {v, c.meta, c.tag};
    ModelBounds x = model_bounds(c), y = model_bounds(n);
    if (!x.is_valid || !y.is_valid || x.base != y.base || x.limit != y.limit) n.tag = false;
    if (uses_value(exponent(word_of(c))) && (v >> 55 & 1) != (c.value >> 55 & 1)) n.tag = false;
    return n;
}

static bool is_fast(Cap c, u64 increment)
{
    u128 w = word_of(c);
    int e = exponent(w);
    if (e >= 48) return true;
    u64 a = bounds_address(c.value), inc = bounds_address(increment);
    u128 wide = inc | (inc >> 63 ? ones(64) << 64 : 0); // 128-bit sign extension
    u128 i_top = field(wide, 127, e + 16), i_mid = field(inc, e + 15, e), a_mid = field(a, e + 15, e);
    u128 r = ((field(bottom(w), 15, 13) - 1) & 7) << 13, diff = (r - a_mid) & 0xffff;
    if (i_top == 0) return i_mid < ((diff - 1) & 0xffff);
    if (i_top == ones(127 - (e + 16) + 1)) return i_mid >= diff && r != a_mid;
    return false;
}

Cap model_add(Cap c, u64 increment)
{
    int e = exponent(word_of(c));
    Cap n = {c.value + increment, c.meta, c.tag};
    if (!is_fast(c, increment) || is_bad(e)) n.tag = false;
    if (uses_value(e) && (n.value >> 55 & 1) != (c.value >> 55 & 1)) n.tag = false;
    return n;
}

Cap model_set_bounds(Cap c, u128 len, bool *exact)
{
    u128 w = word_of(c);
    int e = 50;
    for (int bit = 64; bit >= 15 && !field(len, bit, bit); bit--) e--;
    bool ie = e != 0 || field(len, 14, 14);
    bool from_large = !uses_value(exponent(w));
    u128 base = from_large ? c.value : bounds_address(c.value), limit = base + len;
    u128 b = field(base, 15, 0), t = field(limit, 15, 0);
    bool lost_b = false, lost_t = false;
    if (ie) {
        u128 bi = field(base, e + 15, e + 3), ti = field(limit, e + 15, e + 3);
        lost_b = field(base, e + 2, 0) != 0;
        lost_t = field(limit, e + 2, 0) != 0;
        ti = field(ti + lost_t, 12, 0);
        if (field(ti - bi, 12, 12)) {
            lost_b = lost_b || (bi & 1);
            lost_t = lost_t || (ti & 1);
            bi = field(base, e + 16, e + 4);
            ti = field(field(limit, e + 16, e + 4) + lost_t, 12, 0);
            e++;
        }
        b = bi << 3;
        t = ti << 3;
    }
    ModelBounds old = model_bounds(c);
    bool tag = c.tag && base >= old.base && field(limit, 64, 0) <= old.limit && old.is_valid;
    u128 n = put(w, 94, 94, !ie);
    n = put(n, 66, 64, ie ? ~(u128)(e & 7) : field(b, 2, 0));
    n = put(n, 82, 80, ie ? ~(u128)(e >> 3) : field(t, 2, 0));
    n = put(n, 79, 67, field(b, 15, 3));
    n = put(n, 93, 83, field(t, 13, 3));
    if (from_large && uses_value(e) && bounds_address(c.value) != c.value) tag = false;
    *exact = !lost_b && !lost_t;
    return cap_of(n, tag);
}

u64 model_mask(u64 len)
{
    bool exact;
    u128 w = word_of(model_set_bounds((Cap){~len, 0, false}, len, &exact));
    return has_internal_exponent(w) ? ~(u64)ones(exponent(w) + 3) : ~0ULL;
}
