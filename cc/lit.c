// lit.c: the values of numbers, characters and strings as they are written in the source.
#include "cc/front.h"

#include <stdlib.h>

// ---- Numbers ----------------------------------------------------------------------------------------------------------

static u32 digit_of(char c)
{
    if (c >= '0' && c <= '9') return (u32)(c - '0');
    if (c >= 'a' && c <= 'z') return (u32)(c - 'a') + 10;
    if (c >= 'A' && c <= 'Z') return (u32)(c - 'A') + 10;
    return 99;
}

static bool is_float_text(const Token *t)
{
    bool is_hex = t->len > 1 && t->text[0] == '0' && (t->text[1] | 32) == 'x';
    for (u32 i = 0; i < t->len; i++) {
        char c = t->text[i] | 32;
        if (t->text[i] == '.' || (is_hex ? c == 'p' : c == 'e')) return true;
    }
    return false;
}

// The suffix of an integer: how many l, whether u. False if it is none.
static bool int_suffix(const char *s, u32 n, u32 *n_long, bool *is_unsigned)
{
    *n_long = 0;
    *is_unsigned = false;
    for (u32 i = 0; i < n; i++) {
        char c = s[i];
        if ((c == 'u' || c == 'U') && !*is_unsigned) {
            *is_unsigned = true;
        } else if ((c == 'l' || c == 'L') && !*n_long) {
            *n_long = 1;
            if (i + 1 < n && s[i + 1] == c) {
                *n_long = 2;
                i++;
            }
        } else {
            return false;
        }
    }
    return true;
}

// C11 6.4.4.1: the first type of the list that holds the value.
static TypeKind int_kind(u64 v, u32 n_long, bool is_unsigned, bool is_decimal)
{
    if (!n_long) {
        if (!is_unsigned && v <= INT32_MAX) return TY_INT;
        if ((is_unsigned || !is_decimal) && v <= UINT32_MAX) return TY_UINT;
    }
    bool wide_unsigned = is_unsigned || v > INT64_MAX;
    if (n_long == 2) return wide_unsigned ? TY_ULLONG : TY_LLONG;
    return wide_unsigned ? TY_ULONG : TY_LONG;
}

bool lit_integer(Front *f, const Token *t, u64 *value, TypeKind *kind)
{
    if (is_float_text(t)) return false;
    const char *s = t->text;
    u32 n = t->len, base = 10, i = 0;
    if (n > 2 && s[0] == '0' && (s[1] | 32) == 'x') base = 16, i = 2;
    else if (n > 2 && s[0] == '0' && (s[1] | 32) == 'b') base = 2, i = 2;
    else if (s[0] == '0') base = 8;
    u64 v = 0;
    bool is_too_large = false;
    for (; i < n; i++) {
        u32 d = digit_of(s[i]);
        if (d >= base) break;
        if (v > (UINT64_MAX - d) / base) is_too_large = true;
        v = v * base + d;
    }
    u32 n_long;
    bool is_unsigned;
    if (!int_suffix(s + i, n - i, &n_long, &is_unsigned)) front_fail(f, t->loc, "'%.*s' is not a number", (int)n, s);
    if (is_too_large) front_fail(f, t->loc, "the number %.*s does not fit into 64 bits", (int)n, s);
    *value = v;
    *kind = int_kind(v, n_long, is_unsigned, base == 10);
    return true;
}

double lit_float(Front *f, const Token *t, TypeKind *kind)
{
    char small[64];
    char *text = t->len < sizeof small ? small : arena_alloc(f->arena, t->len + 1);
    memcpy(text, t->text, t->len);
    text[t->len] = 0;
    char *end;
    double v = strtod(text, &end);
    *kind = TY_DOUBLE;
    bool is_float = (*end == 'f' || *end == 'F') && !end[1];
    bool is_long = (*end == 'l' || *end == 'L') && !end[1];
    if (*end && !is_float && !is_long) front_fail(f, t->loc, "'%s' is not a number", text);
    if (is_float) {
        *kind = TY_FLOAT;
        v = (double)strtof(text, NULL); // one rounding, not two
    } else if (is_long) {
        *kind = TY_LDOUBLE;
    }
    return v;
}

// ---- Characters and strings ---------------------------------------------------------------------------------------------

static u32 read_hex(Front *f, const Token *t, const char **p, const char *end, u32 max_digits, bool is_exact)
{
    u64 v = 0;
    u32 n = 0;
    for (; *p < end && n < max_digits && digit_of(**p) < 16; n++) v = (v << 4 | digit_of(*(*p)++)) & UINT32_MAX;
    if (n == 0 || (is_exact && n < max_digits)) front_fail(f, t->loc, "this escape needs more hexadecimal digits");
    return (u32)v;
}

// Behind a backslash at *p. is_code: the result is a Unicode code point, to be encoded.
static u32 read_escape(Front *f, const Token *t, const char **p, const char *end, bool *is_code)
{
    char c = *(*p)++;
    *is_code = false;
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'v': return '\v';
    case 'e': return 27;
    case 'x': return read_hex(f, t, p, end, UINT32_MAX, false);
    case 'u':
    case 'U':
        *is_code = true;
        return read_hex(f, t, p, end, c == 'u' ? 4 : 8, true);
    case '\\': case '\'': case '"': case '?': return (u8)c;
    default: break;
    }
    if (c < '0' || c > '7') front_fail(f, t->loc, "unknown escape '\\%c'", c >= ' ' && c < 127 ? c : '?');
    u32 v = (u32)(c - '0');
    for (u32 n = 1; n < 3 && *p < end && **p >= '0' && **p <= '7'; n++) v = v * 8 + (u32)(*(*p)++ - '0');
    return v;
}

static u32 read_utf8(const char **p, const char *end)
{
    u8 c = (u8) * (*p)++;
    u32 n = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
    u32 v = n == 3 ? c & 7u : n == 2 ? c & 15u : n == 1 ? c & 31u : c;
    for (; n && *p < end && ((u8) * *p & 0xc0) == 0x80; n--) v = v << 6 | ((u8) * (*p)++ & 63u);
    return v;
}

static u32 put_utf8(u8 *out, u32 c)
{
    if (c < 0x80) return out[0] = (u8)c, 1;
    u32 n = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const u8 lead[] = {0, 0xc0, 0xe0, 0xf0};
    out[0] = (u8)(lead[n] | c >> (6 * n));
    for (u32 i = 1; i <= n; i++) out[i] = (u8)(0x80 | (c >> (6 * (n - i)) & 63));
    return n + 1;
}

// The kind of the elements, by prefix; *body is set behind the opening quote.
static TypeKind literal_kind(const Token *t, const char **body)
{
    const char *s = t->text;
    TypeKind k = s[0] == 'L' || s[0] == 'U' ? TY_UINT : s[0] == 'u' && s[1] != '8' ? TY_USHORT : TY_CHAR;
    while (*s != '"' && *s != '\'') s++;
    *body = s + 1;
    return k;
}

i64 lit_char(Front *f, const Token *t, TypeKind *kind)
{
    const char *p, *end = t->text + t->len - 1;
    TypeKind unit = literal_kind(t, &p);
    if (p == end) front_fail(f, t->loc, "empty character constant");
    u32 v = 0, n = 0;
    for (; p < end; n++) {
        bool is_code = false;
        u32 c;
        if (*p == '\\') {
            p++;
            c = read_escape(f, t, &p, end, &is_code);
        } else {
            c = unit == TY_CHAR ? (u8)*p++ : read_utf8(&p, end);
        }
        v = unit == TY_CHAR ? v << 8 | (c & 0xff) : c;
    }
    if (n > (unit == TY_CHAR ? 4 : 1)) front_fail(f, t->loc, "character constant with too many characters");
    *kind = unit == TY_CHAR ? TY_INT : unit;
    if (unit == TY_USHORT) v &= 0xffff;
    return unit == TY_CHAR ? (i32)v : (i64)v; // char is unsigned on AArch64: '\xff' is 255
}

static void put_unit(u8 **out, u32 c, u32 size)
{
    memcpy(*out, &c, size);
    *out += size;
}

static void put_code(u8 **out, u32 c, TypeKind kind)
{
    if (kind == TY_CHAR) {
        *out += put_utf8(*out, c);
    } else if (kind == TY_USHORT && c > 0xffff) {
        put_unit(out, 0xd800 + ((c - 0x10000) >> 10 & 0x3ff), 2);
        put_unit(out, 0xdc00 + ((c - 0x10000) & 0x3ff), 2);
    } else {
        put_unit(out, c, kind == TY_USHORT ? 2 : 4);
    }
}

static void decode(Front *f, const Token *t, TypeKind kind, u8 **out)
{
    const char *p, *end = t->text + t->len - 1;
    literal_kind(t, &p);
    u32 size = kind == TY_CHAR ? 1 : kind == TY_USHORT ? 2 : 4;
    while (p < end) {
        bool is_code = false;
        if (*p == '\\') {
            p++;
            u32 c = read_escape(f, t, &p, end, &is_code);
            if (is_code) put_code(out, c, kind);
            else put_unit(out, c, size);
        } else if (kind == TY_CHAR) {
            *(*out)++ = (u8)*p++;
        } else {
            put_code(out, read_utf8(&p, end), kind);
        }
    }
}

u8 *lit_strings(Front *f, u64 *n_units, TypeKind *kind)
{
    TypeKind k = TY_CHAR;
    u64 size = 1;
    const char *body;
    Token *first = f->tok;
    for (Token *t = first; t->kind == TK_STR; t++) {
        TypeKind one = literal_kind(t, &body);
        if (one != TY_CHAR && k != TY_CHAR && one != k) front_fail(f, t->loc, "strings of two kinds cannot be joined");
        if (one != TY_CHAR) k = one;
        size += t->len;
    }
    u8 *bytes = arena_alloc(f->arena, size * 4), *out = bytes;
    for (; f->tok->kind == TK_STR; f->tok++) decode(f, f->tok, k, &out);
    put_unit(&out, 0, k == TY_CHAR ? 1 : k == TY_USHORT ? 2 : 4);
    *n_units = (u64)(out - bytes) / (k == TY_CHAR ? 1 : k == TY_USHORT ? 2 : 4);
    *kind = k;
    return bytes;
}

// ---- The objects behind strings -----------------------------------------------------------------------------------------

struct StrSlot {
    Obj *obj;
    u32 hash;
};
typedef struct StrSlot StrSlot;

static u32 hash_bytes(const u8 *bytes, u64 n, TypeKind kind)
{
    u32 h = 0x811c9dc5u ^ (u32)kind;
    for (u64 i = 0; i < n; i++) h = (h ^ bytes[i]) * 0x01000193u;
    return h ^ h >> 15;
}

static void grow_strings(Front *f)
{
    u32 old_cap = f->strings_cap;
    StrSlot *old = f->strings;
    f->strings_cap = old_cap ? old_cap * 2 : 256;
    f->strings = arena_array(f->arena, StrSlot, f->strings_cap);
    for (u32 i = 0; i < old_cap; i++) {
        if (!old[i].obj) continue;
        u32 at = old[i].hash & (f->strings_cap - 1);
        while (f->strings[at].obj) at = (at + 1) & (f->strings_cap - 1);
        f->strings[at] = old[i];
    }
}

Obj *lit_string_obj(Front *f, const u8 *bytes, u64 n_units, TypeKind kind)
{
    if (f->n_strings * 2 >= f->strings_cap) grow_strings(f);
    Type *elem = f->types[kind];
    u64 size = n_units * elem->size;
    u32 hash = hash_bytes(bytes, size, kind), at = hash & (f->strings_cap - 1);
    for (StrSlot *s; (s = &f->strings[at])->obj; at = (at + 1) & (f->strings_cap - 1))
        if (s->hash == hash && s->obj->type->base == elem && s->obj->data_size == size && memcmp(s->obj->data, bytes, size) == 0)
            return s->obj;
    Obj *o = parse_new_obj(f, OBJ_GLOBAL, arena_printf(f->arena, ".str.%u", f->n_strings++), type_array(f, elem, n_units, false),
                           f->tok->loc);
    o->is_static = o->is_defined = o->is_const = o->is_string = true;
    o->data = arena_alloc(f->arena, size);
    memcpy(o->data, bytes, size);
    o->data_size = size;
    f->strings[at] = (StrSlot){o, hash};
    return o;
}
