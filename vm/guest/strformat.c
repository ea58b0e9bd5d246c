// strformat.c: the three ways to format: "…" % values, "…".format(values) with its f-strings, format(value, spec).
#include "vm.h"

#include <string.h>

enum { FLOAT_TEXT = 1120 };

// What a conversion asks for, in either syntax.
typedef struct Spec {
    u32 fill;           // code point
    char align;         // '<' '>' '^' '=' or 0: the type's own
    char sign;          // '-', '+' or ' '
    bool alternate;     // '#'
    char group;         // ',' or '_' or 0
    i64 width;
    i64 precision;      // -1: none
    char kind;          // conversion letter, 0: none
} Spec;

// sign or prefix + body, padded: '=' puts the padding between the two.
static void put_padded(Vstr *v, const Spec *s, char align, const char *prefix, const u8 *body, size_t n)
{
    size_t n_prefix = strlen(prefix), n_chars = n_prefix;
    for (size_t i = 0; i < n; i++) n_chars += (body[i] & 0xc0) != 0x80;
    i64 pad = s->width - (i64)n_chars;
    if (pad > VM_HEAP_BYTES) raise_memory();
    i64 left = align == '>' ? pad : align == '^' ? pad / 2 : 0, middle = align == '=' ? pad : 0;
    for (i64 i = 0; i < left; i++) vstr_add_code_point(v, s->fill);
    vstr_add(v, prefix, n_prefix);
    for (i64 i = 0; i < middle; i++) vstr_add_code_point(v, s->fill);
    vstr_add(v, (const char *)body, n);
    for (i64 i = left + middle; i < pad; i++) vstr_add_code_point(v, s->fill);
}

static const char *sign_text(bool is_negative, char sign) { return is_negative ? "-" : sign == '+' ? "+" : sign == ' ' ? " " : ""; }

// Digits with a separator every `every` places, counted from the point; filled with zeros to the width if asked.
static size_t put_groups(const char *digits, size_t n, size_t n_whole, char group, size_t every, char *out)
{
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        if (group && i > 0 && i < n_whole && (n_whole - i) % every == 0) out[to++] = group;
        out[to++] = digits[i];
    }
    return to;
}

static void put_int(Vstr *v, const Spec *s, i64 value, bool is_percent)
{
    char kind = s->kind;
    u32 base = kind == 'x' || kind == 'X' ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 10;
    const char *letters = kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    char text[72], grouped[160], prefix[8];
    size_t at = sizeof text;
    u64 rest = value < 0 ? 0 - (u64)value : (u64)value;
    do {
        text[--at] = letters[rest % base];
        rest /= base;
    } while (rest != 0);
    strcpy(prefix, sign_text(value < 0, s->sign));
    if (s->alternate && base != 10) {
        size_t n = strlen(prefix);
        prefix[n] = '0';
        prefix[n + 1] = kind;
        prefix[n + 2] = 0;
    }
    size_t n = sizeof text - at;
    if (is_percent && s->precision > (i64)n) { // at least that many digits
        Vstr zeros;
        vstr_init(&zeros, (size_t)s->precision);
        vstr_pad(&zeros, '0', (size_t)s->precision - n);
        vstr_add(&zeros, text + at, n);
        put_padded(v, s, s->align ? s->align : '>', prefix, zeros.data, zeros.n);
        return;
    }
    n = put_groups(text + at, n, n, s->group, base == 10 ? 3 : 4, grouped);
    put_padded(v, s, s->align ? s->align : '>', prefix, (const u8 *)grouped, n);
}

static void put_float(Vstr *v, const Spec *s, double d, bool is_percent)
{
    char text[FLOAT_TEXT], grouped[FLOAT_TEXT * 2];
    char kind = (char)(s->kind ? s->kind | 32 : 0);
    bool is_negative = d < 0 || (d == 0 && 1 / d < 0);
    size_t n;
    if (kind == 0 && s->precision < 0) {
        n = float_repr(is_negative ? -d : d, text);
    } else if (kind == 0) { // like g, but never without a digit behind the point
        n = float_format(d, 'g', (int)s->precision, s->alternate, text, sizeof text);
        if (!memchr(text, '.', n) && !memchr(text, 'e', n) && d - d == 0) {
            memcpy(text + n, ".0", 2);
            n += 2;
        }
    } else {
        double shown = s->kind == '%' ? d * 100 : d;
        n = float_format(shown, s->kind == '%' ? 'f' : kind == 'n' ? 'g' : kind, s->precision < 0 ? 6 : (int)s->precision,
                         s->alternate, text, sizeof text);
        if (s->kind == '%' && !is_percent) text[n++] = '%';
    }
    for (size_t i = 0; i < n && s->kind >= 'A' && s->kind <= 'Z'; i++) {
        if (text[i] >= 'a' && text[i] <= 'z') text[i] = (char)(text[i] - 32);
    }
    size_t n_whole = 0;
    while (n_whole < n && text[n_whole] >= '0' && text[n_whole] <= '9') n_whole++;
    n = put_groups(text, n, n_whole, s->group, 3, grouped);
    char align = s->align ? s->align : '>';
    Spec fixed = *s;
    if (align == '=' && s->fill == '0' && d - d != 0) fixed.fill = is_percent ? ' ' : '0';
    put_padded(v, &fixed, align, sign_text(is_negative && d == d, s->sign), (const u8 *)grouped, n);
}

static void put_text(Vstr *v, const Spec *s, Obj o)
{
    size_t n, n_chars = 0, cut = 0;
    const u8 *text = str_data(o, &n);
    while (cut < n && (s->precision < 0 || n_chars < (size_t)s->precision)) {
        u32 c;
        cut += utf8_next(text + cut, &c);
        n_chars++;
    }
    put_padded(v, s, s->align ? s->align : '<', "", text, cut);
}

// ---- format(value, spec) ---------------------------------------------------------------------------------------------------

static bool is_align(u32 c) { return c == '<' || c == '>' || c == '^' || c == '='; }

static i64 number_at(const u8 *s, size_t n, size_t *i)
{
    i64 value = 0;
    for (; *i < n && s[*i] >= '0' && s[*i] <= '9'; (*i)++) {
        value = value * 10 + (s[*i] - '0');
        if (value > VM_HEAP_BYTES) raise_msg(&type_ValueError, "Too many decimal digits in format string");
    }
    return value;
}

static Spec parse_spec(const u8 *s, size_t n)
{
    Spec r = {.fill = ' ', .sign = '-', .precision = -1};
    size_t i = 0;
    u32 c;
    if (n > 0) {
        size_t n_fill = utf8_next(s, &c);
        if (n_fill < n && is_align(s[n_fill])) {
            r.fill = c;
            r.align = (char)s[n_fill];
            i = n_fill + 1;
        } else if (is_align(s[0])) r.align = (char)s[i++];
    }
    if (i < n && (s[i] == '+' || s[i] == '-' || s[i] == ' ')) r.sign = (char)s[i++];
    if (i < n && s[i] == '#') r.alternate = true, i++;
    if (i < n && s[i] == '0') {
        if (!r.align) {
            r.align = '=';
            r.fill = '0';
        }
        i++;
    }
    r.width = number_at(s, n, &i);
    if (i < n && (s[i] == ',' || s[i] == '_')) r.group = (char)s[i++];
    if (i < n && s[i] == '.') {
        i++;
        if (i == n || s[i] < '0' || s[i] > '9') raise_msg(&type_ValueError, "Format specifier missing precision");
        r.precision = number_at(s, n, &i);
    }
    if (i < n) r.kind = (char)s[i++];
    if (i < n) raise_msg(&type_ValueError, "Invalid format specifier");
    return r;
}

static bool is_one_of(char c, const char *set) { return c == 0 || strchr(set, c); }

Obj str_format_one(Obj value, const u8 *spec, size_t n)
{
    Vstr v;
    if (obj_type(value)->flags & TYPE_USER) {
        Obj method[3];
        obj_load_method_maybe(value, Q___format__, method);
        if (method[0] != OBJ_NULL) {
            method[2] = obj_str((const char *)spec, n);
            return obj_call_method(1, 0, method);
        }
        value = obj_to_str(value);
    }
    if (n == 0) return obj_to_str(value);
    Spec s = parse_spec(spec, n);
    vstr_init(&v, (size_t)s.width + 16);
    i64 i;
    if (obj_is_str(value)) {
        if (!is_one_of(s.kind, "s") || s.align == '=') {
            if (s.kind == 0 && s.fill == '0') s.align = '<';
            else if (s.align == '=') raise_msg(&type_ValueError, "'=' alignment not allowed in string format specifier");
            else raise_msg(&type_ValueError, "Unknown format code '%c' for object of type 'str'", s.kind);
        }
        put_text(&v, &s, value);
    } else if (num_get_int(value, &i) && is_one_of(s.kind, "dxXobnc")) {
        if (s.precision >= 0) raise_msg(&type_ValueError, "Precision not allowed in integer format specifier");
        if (!obj_is_small(value) && s.kind == 0) put_text(&v, &s, obj_to_str(value));
        else if (s.kind == 'c') {
            char bytes[4];
            put_padded(&v, &s, s.align ? s.align : '<', "", (u8 *)bytes, utf8_put(bytes, (u32)i));
        } else put_int(&v, &s, i, false);
    } else if (obj_is_float(value) || num_get_int(value, &i)) {
        if (!is_one_of(s.kind, "eEfFgGn%")) {
            raise_msg(&type_ValueError, "Unknown format code '%c' for object of type '%t'", s.kind, value);
        }
        put_float(&v, &s, obj_get_float(value), false);
    } else raise_msg(&type_TypeError, "unsupported format string passed to %t.__format__", value);
    return vstr_take(&v);
}

// ---- str.format -------------------------------------------------------------------------------------------------------------

typedef struct Fields {
    size_t n_args, n_kw;
    const Obj *args, *pairs; // args[0] is field 0
    i64 next;                // automatic number; -1 after a manual one
} Fields;

static Obj first_value(Fields *f, const u8 *s, size_t n)
{
    i64 number = 0;
    if (n == 0) {
        if (f->next < 0) {
            raise_msg(&type_ValueError, "cannot switch from manual field specification to automatic field numbering");
        }
        number = f->next++;
    } else if (s[0] >= '0' && s[0] <= '9') {
        size_t i = 0;
        if (f->next > 0) {
            raise_msg(&type_ValueError, "cannot switch from automatic field numbering to manual field specification");
        }
        f->next = -1;
        number = number_at(s, n, &i);
    } else {
        Qstr name = qstr_intern(s, n);
        Obj value = kw_get(f->n_kw, f->pairs, name);
        if (value == OBJ_NULL) raise_key_error(OBJ_QSTR(name));
        return value;
    }
    if ((size_t)number >= f->n_args) {
        raise_msg(&type_IndexError, "Replacement index %ld out of range for positional args tuple", number);
    }
    return f->args[number];
}

static Obj field_value(Fields *f, const u8 *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i] != '.' && s[i] != '[') i++;
    Obj value = first_value(f, s, i);
    while (i < n) {
        bool is_item = s[i++] == '[';
        size_t from = i;
        while (i < n && (is_item ? s[i] != ']' : s[i] != '.' && s[i] != '[')) i++;
        if (is_item) {
            i64 number;
            Obj key = parse_int(s + from, i - from, 10, &number) ? obj_small(number)
                                                                  : obj_str((const char *)s + from, i - from);
            value = obj_subscr(value, key, OBJ_SENTINEL);
            i++;
        } else value = obj_load_attr(value, qstr_intern(s + from, i - from));
    }
    return value;
}

// End of the field that starts behind a '{': the matching '}'.
static size_t field_end(const u8 *s, size_t n, size_t i)
{
    for (size_t depth = 1; i < n; i++) {
        if (s[i] == '{') depth++;
        else if (s[i] == '}' && --depth == 0) return i;
    }
    raise_msg(&type_ValueError, "expected '}' before end of string");
}

static Obj format_fields(Fields *f, const u8 *s, size_t n, int depth);

static void put_field(Vstr *v, Fields *f, const u8 *s, size_t n, int depth)
{
    size_t name = 0, spec = n;
    while (name < n && s[name] != ':' && s[name] != '!') name++;
    char conversion = 0;
    if (name < n && s[name] == '!') {
        if (name + 1 >= n) raise_msg(&type_ValueError, "end of string while looking for conversion specifier");
        conversion = (char)s[name + 1];
        spec = name + 2;
    } else spec = name;
    if (spec < n && s[spec] != ':') raise_msg(&type_ValueError, "expected ':' after conversion specifier");
    if (spec < n) spec++;
    Obj value = field_value(f, s, name);
    if (conversion == 'r' || conversion == 'a') value = obj_repr(value);
    else if (conversion == 's') value = obj_to_str(value);
    else if (conversion) raise_msg(&type_ValueError, "Unknown conversion specifier '%c'", conversion);
    Obj inner = format_fields(f, s + spec, n - spec, depth + 1);
    size_t n_spec, n_text;
    const u8 *spec_text = str_data(inner, &n_spec);
    Obj text = str_format_one(value, spec_text, n_spec);
    const u8 *bytes = str_data(text, &n_text);
    vstr_add(v, (const char *)bytes, n_text);
}

static Obj format_fields(Fields *f, const u8 *s, size_t n, int depth)
{
    if (depth > 2) raise_msg(&type_ValueError, "Max string recursion exceeded");
    if (depth > 0 && !memchr(s, '{', n)) return obj_str((const char *)s, n);
    Vstr v;
    vstr_init(&v, n + 16);
    for (size_t i = 0; i < n; i++) {
        if (s[i] != '{' && s[i] != '}') {
            vstr_add_char(&v, (char)s[i]);
            continue;
        }
        if (i + 1 < n && s[i + 1] == s[i]) {
            vstr_add_char(&v, (char)s[i++]);
            continue;
        }
        if (s[i] == '}') raise_msg(&type_ValueError, "Single '}' encountered in format string");
        if (i + 1 == n) raise_msg(&type_ValueError, "Single '{' encountered in format string");
        size_t end = field_end(s, n, i + 1);
        put_field(&v, f, s + i + 1, end - i - 1, depth);
        i = end;
    }
    return vstr_take(&v);
}

Obj str_format_method(size_t n_args, size_t n_kw, const Obj *args)
{
    Fields f = {n_args - 1, n_kw, args + 1, args + n_args, 0};
    size_t n;
    const u8 *s = str_data(args[0], &n);
    return format_fields(&f, s, n, 0);
}

// ---- The % operator ------------------------------------------------------------------------------------------------------------

typedef struct Values {
    const Obj *items;
    size_t n, next;
    Obj mapping; // OBJ_NULL: none
} Values;

static Obj next_value(Values *vals)
{
    if (vals->next >= vals->n) raise_msg(&type_TypeError, "not enough arguments for format string");
    return vals->items[vals->next++];
}

static i64 star_or_number(const u8 *s, size_t n, size_t *i, Values *vals)
{
    if (*i < n && s[*i] == '*') {
        (*i)++;
        i64 value;
        if (!num_get_int(next_value(vals), &value)) raise_msg(&type_TypeError, "* wants int");
        return value;
    }
    return number_at(s, n, i);
}

static void put_char(Vstr *v, Spec *s, Obj value)
{
    i64 c;
    char bytes[4];
    if (num_get_int(value, &c)) {
        if (c < 0 || c > 0x10ffff) raise_msg(&type_OverflowError, "%%c arg not in range(0x110000)");
        put_padded(v, s, s->align ? s->align : '>', "", (u8 *)bytes, utf8_put(bytes, (u32)c));
        return;
    }
    if (!obj_is_str(value) || str_n_chars(value) != 1) raise_msg(&type_TypeError, "%%c requires int or char");
    s->precision = -1;
    s->align = s->align ? s->align : '>';
    put_text(v, s, value);
}

static void put_conversion(Vstr *v, Spec *s, Obj value)
{
    i64 i;
    double d;
    switch (s->kind) {
    case 's': case 'r': case 'a':
        if (s->fill == '0') s->fill = ' ';
        if (s->align != '<') s->align = '>';
        put_text(v, s, s->kind == 's' ? obj_to_str(value) : obj_repr(value));
        return;
    case 'c':
        if (s->align != '<') s->align = '>';
        s->fill = ' ';
        put_char(v, s, value);
        return;
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': {
        Obj native = native_of(value);
        if (obj_is_float(native) && (s->kind == 'd' || s->kind == 'i' || s->kind == 'u')) native = int_from_double(obj_get_float(native));
        if (!num_get_int(native, &i)) {
            const char *what = s->kind == 'd' || s->kind == 'i' || s->kind == 'u' ? "a real number is required" : "an integer is required";
            raise_msg(&type_TypeError, "%%%c format: %s, not %t", s->kind, what, value);
        }
        put_int(v, s, i, true);
        return;
    }
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        if (!num_get_float(native_of(value), &d)) raise_msg(&type_TypeError, "must be real number, not %t", value);
        put_float(v, s, d, true);
        return;
    default: raise_msg(&type_ValueError, "unsupported format character '%c'", s->kind);
    }
}

static Spec parse_conversion(const u8 *s, size_t n, size_t *at, Values *vals)
{
    Spec r = {.fill = ' ', .sign = '-', .precision = -1};
    size_t i = *at;
    bool is_left = false;
    for (; i < n; i++) {
        if (s[i] == '-') is_left = true;
        else if (s[i] == '+') r.sign = '+';
        else if (s[i] == ' ') r.sign = r.sign == '+' ? '+' : ' ';
        else if (s[i] == '0') r.fill = '0';
        else if (s[i] == '#') r.alternate = true;
        else break;
    }
    r.width = star_or_number(s, n, &i, vals);
    if (r.width < 0) {
        is_left = true;
        r.width = -r.width;
    }
    if (i < n && s[i] == '.') {
        i++;
        r.precision = star_or_number(s, n, &i, vals);
        if (r.precision < 0) r.precision = 0;
    }
    while (i < n && (s[i] == 'l' || s[i] == 'h' || s[i] == 'L')) i++;
    if (i == n) raise_msg(&type_ValueError, "incomplete format");
    r.align = is_left ? '<' : r.fill == '0' ? '=' : '>';
    if (is_left) r.fill = ' ';
    r.kind = (char)s[i];
    *at = i + 1;
    return r;
}

Obj str_format_percent(Obj format, Obj args)
{
    size_t n;
    const u8 *s = str_data(format, &n);
    Values vals = {&args, 1, 0, OBJ_NULL};
    if (obj_is(native_of(args), &type_tuple)) {
        const ObjTuple *t = (const ObjTuple *)native_of(args);
        vals.items = t->items;
        vals.n = t->n;
    } else if (obj_is(native_of(args), &type_dict)) vals.mapping = args;
    Vstr v;
    vstr_init(&v, n + 16);
    for (size_t i = 0; i < n;) {
        size_t plain = i;
        while (i < n && s[i] != '%') i++;
        vstr_add(&v, (const char *)s + plain, i - plain);
        if (i++ == n) break;
        if (i < n && s[i] == '%') {
            vstr_add_char(&v, '%');
            i++;
            continue;
        }
        Obj named = OBJ_NULL;
        if (i < n && s[i] == '(') {
            size_t from = ++i;
            while (i < n && s[i] != ')') i++;
            if (i == n) raise_msg(&type_ValueError, "incomplete format key");
            if (vals.mapping == OBJ_NULL) raise_msg(&type_TypeError, "format requires a mapping");
            named = obj_subscr(vals.mapping, obj_str((const char *)s + from, i - from), OBJ_SENTINEL);
            i++;
        }
        Spec spec = parse_conversion(s, n, &i, &vals);
        if (spec.kind == '%') {
            vstr_add_char(&v, '%');
            continue;
        }
        put_conversion(&v, &spec, named != OBJ_NULL ? named : next_value(&vals));
    }
    if (vals.mapping == OBJ_NULL && vals.next < vals.n) {
        raise_msg(&type_TypeError, "not all arguments converted during string formatting");
    }
    return vstr_take(&v);
}
