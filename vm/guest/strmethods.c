// strmethods.c: the methods of str. Letters are told apart in ASCII; other letters have no case in this build.
#include "vm.h"

#include <string.h>

typedef struct Text {
    const u8 *s;
    size_t n;
} Text;

static Text text_of(Obj o)
{
    Text t;
    t.s = str_data(o, &t.n);
    return t;
}

static Obj text_obj(const u8 *s, size_t n) { return obj_str((const char *)s, n); }

static bool is_blank(u8 c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f); }
static bool is_upper(u8 c) { return c >= 'A' && c <= 'Z'; }
static bool is_lower(u8 c) { return c >= 'a' && c <= 'z'; }
static bool is_digit(u8 c) { return c >= '0' && c <= '9'; }
static bool is_alpha(u8 c) { return is_upper(c) || is_lower(c) || c >= 0x80; }

// First (or last) place of `what` in s[from..to), or -1. Byte offsets.
static i64 search(Text s, Text what, size_t from, size_t to, bool from_right)
{
    if (to > s.n) to = s.n;
    if (from > to || to - from < what.n) return -1;
    size_t last = to - what.n;
    if (from_right) {
        for (size_t i = last + 1; i-- > from;) {
            if (memcmp(s.s + i, what.s, what.n) == 0) return (i64)i;
        }
        return -1;
    }
    if (what.n == 0) return (i64)from;
    for (size_t i = from; i <= last; i++) {
        if (s.s[i] == what.s[0] && memcmp(s.s + i, what.s, what.n) == 0) return (i64)i;
    }
    return -1;
}

// The optional start and end arguments as byte offsets; code points and bytes differ outside ASCII.
static void range_args(Obj self, size_t n_args, const Obj *args, size_t first, size_t *from, size_t *to)
{
    i64 n = (i64)str_n_chars(self);
    i64 a = n_args > first && args[first] != OBJ_NONE ? obj_get_int(args[first]) : 0;
    i64 b = n_args > first + 1 && args[first + 1] != OBJ_NONE ? obj_get_int(args[first + 1]) : n;
    if (a < 0) a = a + n < 0 ? 0 : a + n;
    if (b < 0) b = b + n < 0 ? 0 : b + n;
    if (b > n) b = n;
    Text s = text_of(self);
    if ((size_t)n != s.n && (a != 0 || b != n)) raise_missing("find in a part of a non-ASCII str");
    *from = (size_t)a;
    *to = (size_t)n != s.n ? s.n : (size_t)b;
}

static i64 find(size_t n_args, const Obj *args, bool from_right)
{
    size_t from, to;
    range_args(args[0], n_args, args, 2, &from, &to);
    Text s = text_of(args[0]);
    i64 at = search(s, text_of(args[1]), from, to, from_right);
    if (at > 0 && str_n_chars(args[0]) != s.n) { // bytes to code points
        i64 n_chars = 0;
        for (i64 i = 0; i < at; i++) n_chars += (s.s[i] & 0xc0) != 0x80;
        return n_chars;
    }
    return at;
}

static Obj str_find(size_t n_args, const Obj *args) { return obj_small(find(n_args, args, false)); }
static Obj str_rfind(size_t n_args, const Obj *args) { return obj_small(find(n_args, args, true)); }

static Obj found_or_error(i64 at)
{
    if (at < 0) raise_msg(&type_ValueError, "substring not found");
    return obj_small(at);
}

static Obj str_index(size_t n_args, const Obj *args) { return found_or_error(find(n_args, args, false)); }
static Obj str_rindex(size_t n_args, const Obj *args) { return found_or_error(find(n_args, args, true)); }

static Obj str_count(size_t n_args, const Obj *args)
{
    size_t from, to;
    range_args(args[0], n_args, args, 2, &from, &to);
    Text s = text_of(args[0]), what = text_of(args[1]);
    if (what.n == 0) return obj_small(to >= from ? (i64)(n_args > 2 ? to - from : str_n_chars(args[0])) + 1 : 0);
    i64 count = 0, at;
    while ((at = search(s, what, from, to, false)) >= 0) {
        count++;
        from = (size_t)at + what.n;
    }
    return obj_small(count);
}

static bool has_affix(Text s, Obj affix, bool at_end)
{
    if (obj_is(affix, &type_tuple)) {
        const ObjTuple *t = (const ObjTuple *)affix;
        for (size_t i = 0; i < t->n; i++) {
            if (has_affix(s, t->items[i], at_end)) return true;
        }
        return false;
    }
    Text a = text_of(affix);
    return a.n <= s.n && memcmp(at_end ? s.s + s.n - a.n : s.s, a.s, a.n) == 0;
}

static Text part_of(size_t n_args, const Obj *args)
{
    size_t from, to;
    range_args(args[0], n_args, args, 2, &from, &to);
    Text s = text_of(args[0]);
    if (from > to) return (Text){s.s, 0};
    return (Text){s.s + from, to - from};
}

static Obj str_startswith(size_t n_args, const Obj *args)
{
    return obj_bool(has_affix(part_of(n_args, args), args[1], false));
}

static Obj str_endswith(size_t n_args, const Obj *args)
{
    return obj_bool(has_affix(part_of(n_args, args), args[1], true));
}

static Obj str_removeprefix(Obj self, Obj affix)
{
    Text s = text_of(self), a = text_of(affix);
    return has_affix(s, affix, false) ? text_obj(s.s + a.n, s.n - a.n) : self;
}

static Obj str_removesuffix(Obj self, Obj affix)
{
    Text s = text_of(self), a = text_of(affix);
    return a.n > 0 && has_affix(s, affix, true) ? text_obj(s.s, s.n - a.n) : self;
}

// ---- Case and kinds of letters -----------------------------------------------------------------------------------------------

typedef enum CaseKind { CASE_UPPER, CASE_LOWER, CASE_SWAP, CASE_CAPITAL, CASE_TITLE } CaseKind;

static Obj change_case(Obj self, CaseKind kind)
{
    Text s = text_of(self);
    Vstr v;
    vstr_init(&v, s.n + 1);
    bool in_word = false;
    for (size_t i = 0; i < s.n; i++) {
        u8 c = s.s[i];
        bool to_upper = kind == CASE_UPPER || (kind == CASE_SWAP && is_lower(c)) || (kind == CASE_CAPITAL && i == 0) ||
                        (kind == CASE_TITLE && !in_word);
        if (c >= 0x80 && kind != CASE_LOWER) raise_missing("changing the case of non-ASCII letters");
        if (to_upper && is_lower(c)) c = (u8)(c - 32);
        else if (!to_upper && is_upper(c)) c = (u8)(c + 32);
        in_word = is_alpha(c);
        vstr_add_char(&v, (char)c);
    }
    return vstr_take(&v);
}

static Obj str_upper(Obj self) { return change_case(self, CASE_UPPER); }
static Obj str_lower(Obj self) { return change_case(self, CASE_LOWER); }
static Obj str_swapcase(Obj self) { return change_case(self, CASE_SWAP); }
static Obj str_capitalize(Obj self) { return change_case(self, CASE_CAPITAL); }
static Obj str_title(Obj self) { return change_case(self, CASE_TITLE); }

typedef enum TextKind { IS_SPACE, IS_DIGIT, IS_ALPHA, IS_ALNUM, IS_UPPER, IS_LOWER, IS_IDENTIFIER } TextKind;

static Obj all_are(Obj self, TextKind kind)
{
    Text s = text_of(self);
    bool any_case = false;
    for (size_t i = 0; i < s.n; i++) {
        u8 c = s.s[i];
        bool fits = true;
        switch (kind) {
        case IS_SPACE: fits = is_blank(c); break;
        case IS_DIGIT: fits = is_digit(c); break;
        case IS_ALPHA: fits = is_alpha(c); break;
        case IS_ALNUM: fits = is_alpha(c) || is_digit(c); break;
        case IS_UPPER: fits = !is_lower(c); break;
        case IS_LOWER: fits = !is_upper(c); break;
        case IS_IDENTIFIER: fits = is_alpha(c) || c == '_' || (i > 0 && is_digit(c)); break;
        }
        if (!fits) return OBJ_FALSE;
        any_case |= is_upper(c) || is_lower(c);
    }
    return obj_bool(kind == IS_UPPER || kind == IS_LOWER ? any_case : s.n > 0);
}

static Obj str_isspace(Obj self) { return all_are(self, IS_SPACE); }
static Obj str_isdigit(Obj self) { return all_are(self, IS_DIGIT); }
static Obj str_isalpha(Obj self) { return all_are(self, IS_ALPHA); }
static Obj str_isalnum(Obj self) { return all_are(self, IS_ALNUM); }
static Obj str_isupper(Obj self) { return all_are(self, IS_UPPER); }
static Obj str_islower(Obj self) { return all_are(self, IS_LOWER); }
static Obj str_isidentifier(Obj self) { return all_are(self, IS_IDENTIFIER); }

// ---- Cutting and filling -------------------------------------------------------------------------------------------------------

static bool is_in(u8 c, const Text *set) { return set ? memchr(set->s, c, set->n) != NULL : is_blank(c); }

static Obj strip(size_t n_args, const Obj *args, bool left, bool right)
{
    Text s = text_of(args[0]), chars;
    const Text *set = NULL;
    if (n_args > 1 && args[1] != OBJ_NONE) {
        chars = text_of(args[1]);
        set = &chars;
        for (size_t i = 0; i < chars.n; i++) {
            if (chars.s[i] >= 0x80) raise_missing("stripping non-ASCII characters");
        }
    }
    size_t from = 0, to = s.n;
    if (left) {
        while (from < to && is_in(s.s[from], set)) from++;
    }
    if (right) {
        while (to > from && is_in(s.s[to - 1], set)) to--;
    }
    return from == 0 && to == s.n ? args[0] : text_obj(s.s + from, to - from);
}

static Obj str_strip(size_t n_args, const Obj *args) { return strip(n_args, args, true, true); }
static Obj str_lstrip(size_t n_args, const Obj *args) { return strip(n_args, args, true, false); }
static Obj str_rstrip(size_t n_args, const Obj *args) { return strip(n_args, args, false, true); }

static Obj fill(size_t n_args, const Obj *args, int where) // -1: text left, 0: centre, 1: text right
{
    Text s = text_of(args[0]), c = {(const u8 *)" ", 1};
    if (n_args > 2) c = text_of(args[2]);
    i64 width = obj_get_int(args[1]), n = (i64)str_n_chars(args[0]);
    if (n_args > 2 && str_n_chars(args[2]) != 1) {
        raise_msg(&type_TypeError, "The fill character must be exactly one character long");
    }
    if (width <= n) return args[0];
    i64 pad = width - n, left = where < 0 ? 0 : where > 0 ? pad : pad / 2 + (pad & width & 1);
    Vstr v;
    vstr_init(&v, s.n + 16);
    for (i64 i = 0; i < left; i++) vstr_add(&v, (const char *)c.s, c.n);
    vstr_add(&v, (const char *)s.s, s.n);
    for (i64 i = left; i < pad; i++) vstr_add(&v, (const char *)c.s, c.n);
    return vstr_take(&v);
}

static Obj str_ljust(size_t n_args, const Obj *args) { return fill(n_args, args, -1); }
static Obj str_rjust(size_t n_args, const Obj *args) { return fill(n_args, args, 1); }
static Obj str_center(size_t n_args, const Obj *args) { return fill(n_args, args, 0); }

static Obj str_zfill(Obj self, Obj width)
{
    Text s = text_of(self);
    i64 pad = obj_get_int(width) - (i64)str_n_chars(self);
    if (pad <= 0) return self;
    size_t sign = s.n > 0 && (s.s[0] == '-' || s.s[0] == '+');
    Vstr v;
    vstr_init(&v, s.n + 16);
    vstr_add(&v, (const char *)s.s, sign);
    vstr_pad(&v, '0', (size_t)pad);
    vstr_add(&v, (const char *)s.s + sign, s.n - sign);
    return vstr_take(&v);
}

// ---- Splitting and joining -------------------------------------------------------------------------------------------------------

static void split_blanks(ObjList *l, Text s, i64 max)
{
    size_t i = 0;
    for (;;) {
        while (i < s.n && is_blank(s.s[i])) i++;
        if (i == s.n) return;
        size_t end = i;
        bool is_rest = max-- == 0;
        if (is_rest) {
            end = s.n; // trailing blanks stay
        } else {
            while (end < s.n && !is_blank(s.s[end])) end++;
        }
        list_append(l, text_obj(s.s + i, end - i));
        if (is_rest) return;
        i = end;
    }
}

static void rsplit_blanks(ObjList *l, Text s, i64 max)
{
    size_t end = s.n;
    for (;;) {
        while (end > 0 && is_blank(s.s[end - 1])) end--;
        if (end == 0) return;
        size_t from = end;
        bool is_rest = max-- == 0;
        if (is_rest) {
            from = 0; // leading blanks stay
        } else {
            while (from > 0 && !is_blank(s.s[from - 1])) from--;
        }
        list_append(l, text_obj(s.s + from, end - from));
        if (is_rest) return;
        end = from;
    }
}

static void split_by(ObjList *l, Text s, Text sep, i64 max, bool from_right)
{
    size_t from = 0, to = s.n;
    for (;;) {
        i64 at = max-- == 0 ? -1 : search(s, sep, from, to, from_right);
        if (at < 0) {
            list_append(l, text_obj(s.s + from, to - from));
            return;
        }
        if (from_right) {
            list_append(l, text_obj(s.s + at + sep.n, to - (size_t)at - sep.n));
            to = (size_t)at;
        } else {
            list_append(l, text_obj(s.s + from, (size_t)at - from));
            from = (size_t)at + sep.n;
        }
    }
}

static Obj split(size_t n_args, size_t n_kw, const Obj *args, bool from_right)
{
    static const Qstr allowed[] = {Q_sep, Q_maxsplit};
    const Obj *pairs = args + n_args;
    kw_check(Q_split, n_kw, pairs, allowed, 2);
    Obj sep = n_args > 1 ? args[1] : kw_get(n_kw, pairs, Q_sep);
    Obj limit = n_args > 2 ? args[2] : kw_get(n_kw, pairs, Q_maxsplit);
    i64 max = limit == OBJ_NULL ? -1 : obj_get_int(limit);
    if (max < 0) max = SMALL_MAX;
    ObjList *l = (ObjList *)obj_list(0, NULL);
    Text s = text_of(args[0]);
    if (sep == OBJ_NULL || sep == OBJ_NONE) {
        if (from_right) rsplit_blanks(l, s, max);
        else split_blanks(l, s, max);
    } else {
        Text by = text_of(sep);
        if (by.n == 0) raise_msg(&type_ValueError, "empty separator");
        split_by(l, s, by, max, from_right);
    }
    for (size_t i = 0; from_right && i < l->n / 2; i++) {
        Obj t = l->items[i];
        l->items[i] = l->items[l->n - 1 - i];
        l->items[l->n - 1 - i] = t;
    }
    return OBJ_PTR(l);
}

static Obj str_split(size_t n_args, size_t n_kw, const Obj *args) { return split(n_args, n_kw, args, false); }
static Obj str_rsplit(size_t n_args, size_t n_kw, const Obj *args) { return split(n_args, n_kw, args, true); }

static Obj str_splitlines(size_t n_args, const Obj *args)
{
    Text s = text_of(args[0]);
    bool keep = n_args > 1 && obj_is_true(args[1]);
    ObjList *l = (ObjList *)obj_list(0, NULL);
    for (size_t i = 0; i < s.n;) {
        size_t end = i;
        while (end < s.n && s.s[end] != '\n' && s.s[end] != '\r') end++;
        size_t next = end;
        if (next < s.n) next += s.s[next] == '\r' && next + 1 < s.n && s.s[next + 1] == '\n' ? 2 : 1;
        list_append(l, text_obj(s.s + i, (keep ? next : end) - i));
        i = next;
    }
    return OBJ_PTR(l);
}

static Obj partition(Obj self, Obj sep, bool from_right)
{
    Text s = text_of(self), by = text_of(sep);
    if (by.n == 0) raise_msg(&type_ValueError, "empty separator");
    i64 at = search(s, by, 0, s.n, from_right);
    Obj parts[3] = {self, OBJ_QSTR(Q_EMPTY), OBJ_QSTR(Q_EMPTY)};
    if (at < 0 && from_right) {
        parts[0] = OBJ_QSTR(Q_EMPTY);
        parts[2] = self;
    } else if (at >= 0) {
        parts[0] = text_obj(s.s, (size_t)at);
        parts[1] = sep;
        parts[2] = text_obj(s.s + at + by.n, s.n - (size_t)at - by.n);
    }
    return obj_tuple(3, parts);
}

static Obj str_partition(Obj self, Obj sep) { return partition(self, sep, false); }
static Obj str_rpartition(Obj self, Obj sep) { return partition(self, sep, true); }

static Obj str_join(Obj self, Obj parts)
{
    size_t n;
    Obj *items;
    Obj native = native_of(parts);
    if (!obj_is(native, &type_list) && !obj_is(native, &type_tuple)) native = OBJ_PTR(list_from_iterable(parts));
    seq_items(native, &n, &items);
    Text by = text_of(self);
    if (n == 1 && obj_is_str(items[0])) return items[0];
    size_t n_bytes = 0;
    for (size_t i = 0; i < n; i++) {
        if (!obj_is_str(items[i])) {
            raise_msg(&type_TypeError, "sequence item %ld: expected str instance, %t found", (i64)i, items[i]);
        }
        n_bytes += text_of(items[i]).n + by.n;
    }
    Vstr v;
    vstr_init(&v, n_bytes + 1);
    for (size_t i = 0; i < n; i++) {
        Text t = text_of(items[i]);
        if (i > 0) vstr_add(&v, (const char *)by.s, by.n);
        vstr_add(&v, (const char *)t.s, t.n);
    }
    return vstr_take(&v);
}

static Obj str_replace(size_t n_args, const Obj *args)
{
    Text s = text_of(args[0]), from = text_of(args[1]), to = text_of(args[2]);
    i64 max = n_args > 3 ? obj_get_int(args[3]) : -1;
    if (max < 0) max = SMALL_MAX;
    Vstr v;
    vstr_init(&v, s.n + 1);
    size_t i = 0;
    if (from.n == 0) { // between all characters
        u32 c;
        while (max > 0) {
            vstr_add(&v, (const char *)to.s, to.n);
            max--;
            if (i >= s.n) break;
            size_t n_char = utf8_next(s.s + i, &c);
            vstr_add(&v, (const char *)s.s + i, n_char);
            i += n_char;
        }
        vstr_add(&v, (const char *)s.s + i, s.n - i);
        return vstr_take(&v);
    }
    for (;;) {
        i64 at = max-- > 0 ? search(s, from, i, s.n, false) : -1;
        if (at < 0) break;
        vstr_add(&v, (const char *)s.s + i, (size_t)at - i);
        vstr_add(&v, (const char *)to.s, to.n);
        i = (size_t)at + from.n;
    }
    if (i == 0) return args[0];
    vstr_add(&v, (const char *)s.s + i, s.n - i);
    return vstr_take(&v);
}

static Obj str_expandtabs(size_t n_args, const Obj *args)
{
    Text s = text_of(args[0]);
    i64 size = n_args > 1 ? obj_get_int(args[1]) : 8;
    Vstr v;
    vstr_init(&v, s.n + 16);
    i64 column = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.s[i] == '\t') {
            i64 n = size > 0 ? size - column % size : 0;
            vstr_pad(&v, ' ', (size_t)n);
            column += n;
            continue;
        }
        vstr_add_char(&v, (char)s.s[i]);
        column = s.s[i] == '\n' || s.s[i] == '\r' ? 0 : column + ((s.s[i] & 0xc0) != 0x80);
    }
    return vstr_take(&v);
}

const FunBuiltin str_methods[] = {
    BUILTIN_V(find, str_find, 2, 4), BUILTIN_V(rfind, str_rfind, 2, 4), BUILTIN_V(index, str_index, 2, 4),
    BUILTIN_V(rindex, str_rindex, 2, 4), BUILTIN_V(count, str_count, 2, 4), BUILTIN_2(join, str_join),
    BUILTIN_K(split, str_split, 1, 3), BUILTIN_K(rsplit, str_rsplit, 1, 3), BUILTIN_K(format, str_format_method, 1, FUN_UNLIMITED),
    BUILTIN_V(startswith, str_startswith, 2, 4), BUILTIN_V(endswith, str_endswith, 2, 4),
    BUILTIN_V(strip, str_strip, 1, 2), BUILTIN_V(lstrip, str_lstrip, 1, 2), BUILTIN_V(rstrip, str_rstrip, 1, 2),
    BUILTIN_V(replace, str_replace, 3, 4), BUILTIN_1(upper, str_upper), BUILTIN_1(lower, str_lower),
    BUILTIN_1(swapcase, str_swapcase), BUILTIN_1(capitalize, str_capitalize), BUILTIN_1(title, str_title),
    BUILTIN_1(isspace, str_isspace), BUILTIN_1(isdigit, str_isdigit), BUILTIN_1(isdecimal, str_isdigit),
    BUILTIN_1(isnumeric, str_isdigit), BUILTIN_1(isalpha, str_isalpha), BUILTIN_1(isalnum, str_isalnum),
    BUILTIN_1(isupper, str_isupper), BUILTIN_1(islower, str_islower), BUILTIN_1(isidentifier, str_isidentifier),
    BUILTIN_V(splitlines, str_splitlines, 1, 2), BUILTIN_2(partition, str_partition),
    BUILTIN_2(rpartition, str_rpartition), BUILTIN_V(ljust, str_ljust, 2, 3), BUILTIN_V(rjust, str_rjust, 2, 3),
    BUILTIN_V(center, str_center, 2, 3), BUILTIN_2(zfill, str_zfill), BUILTIN_2(removeprefix, str_removeprefix),
    BUILTIN_2(removesuffix, str_removesuffix), BUILTIN_V(expandtabs, str_expandtabs, 1, 2),
};
_Static_assert(sizeof str_methods / sizeof str_methods[0] == N_STR_METHODS, "vm.h counts the methods of str");
