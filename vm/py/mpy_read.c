// mpy_read.c: bytes of a .mpy file → MpyFile. Every length is checked against the bytes that are left before
// it is used.
#include "vm/py/mpy.h"

#include "vm/py/compile.h"
#include "vm/py/py.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Reader {
    MpyFile *f;
    const u8 *bytes;
    u32 at, end;
    u32 n_left; // things with bytes of their own that the rest can hold: bounds all memory by the file's size
    u32 depth;
    VEC(MpyCode *) codes;
    const char *file_name;
    Err *err;
} Reader;

PRINTF_LIKE(2, 3) static bool fail(Reader *r, const char *fmt, ...)
{
    char text[200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return err_at(r->err, CAPLAB_EX_DATA, (SrcPos){.file = r->file_name}, NULL,
                  "not a valid .mpy file: %s (byte %u)", text, r->at);
}

bool mpy_read_varuint(const u8 *bytes, u32 *at, u32 end, u32 *value)
{
    u64 v = 0;
    for (u32 n = 0; n < 5 && *at < end; n++) {
        u8 b = bytes[(*at)++];
        v = v << 7 | (b & 0x7f);
        if (b & 0x80) continue;
        *value = (u32)v;
        return v <= UINT32_MAX;
    }
    return false;
}

static bool read_varuint(Reader *r, const char *what, u32 *v)
{
    return mpy_read_varuint(r->bytes, &r->at, r->end, v) ||
           fail(r, "%s: a number that is cut off or too large", what);
}

// A count of things that take at least one byte each.
static bool read_count(Reader *r, const char *what, u32 *v)
{
    if (!read_varuint(r, what, v)) return false;
    if (*v > r->end - r->at || *v > r->n_left)
        return fail(r, "%s: %u of them cannot fit in the file", what, *v);
    r->n_left -= *v;
    return true;
}

static bool read_text(Reader *r, u32 len, bool has_nul, const char **text)
{
    if (len > r->end - r->at || (has_nul && len == r->end - r->at)) return fail(r, "a string is cut off");
    *text = (const char *)r->bytes + r->at;
    r->at += len;
    if (has_nul && r->bytes[r->at++]) return fail(r, "a string does not end in NUL");
    return true;
}

static bool read_qstr(Reader *r, MpyString *s)
{
    u32 n = 0;
    if (!read_varuint(r, "string", &n)) return false;
    if (n & 1) {
        s->text = py_static_qstr(n >> 1);
        if (!s->text) return fail(r, "no static string has the number %u", n >> 1);
        s->len = (u32)strlen(s->text);
        return true;
    }
    s->len = n >> 1;
    if (!read_text(r, s->len, true, &s->text)) return false;
    size_t bad;
    return py_utf8_check(s->text, s->len, &bad) || fail(r, "a name is not UTF-8");
}

// ---- objects ----

static bool is_int_text(const char *s, u32 n)
{
    u32 i = n && (*s == '-' || *s == '+');
    if (i == n) return false;
    for (; i < n; i++)
        if (s[i] < '0' || s[i] > '9') return false;
    return true;
}

static u32 skip_digits(const char *s, u32 i, u32 n)
{
    while (i < n && s[i] >= '0' && s[i] <= '9')
        i++;
    return i;
}

static bool is_float_text(const char *s, u32 n)
{
    u32 i = n && (*s == '-' || *s == '+');
    if (n - i == 3 && (!memcmp(s + i, "inf", 3) || !memcmp(s + i, "nan", 3))) return true;
    u32 from = i;
    i = skip_digits(s, i, n);
    u32 n_digits = i - from;
    if (i < n && s[i] == '.') {
        from = ++i;
        i = skip_digits(s, i, n);
        n_digits += i - from;
    }
    if (!n_digits) return false;
    if (i < n && (s[i] == 'e' || s[i] == 'E')) {
        i++;
        if (i < n && (s[i] == '-' || s[i] == '+')) i++;
        from = i;
        i = skip_digits(s, i, n);
        if (i == from) return false;
    }
    return i == n;
}

static bool read_object(Reader *r, MpyObject *o);

static bool read_tuple(Reader *r, MpyObject *o)
{
    if (!read_count(r, "items of a tuple", &o->len)) return false;
    if (r->depth == MPY_MAX_NESTING) return fail(r, "tuples nested deeper than %d levels", MPY_MAX_NESTING);
    o->items = arena_array(&r->f->arena, MpyObject, o->len);
    r->depth++;
    for (u32 i = 0; i < o->len; i++)
        if (!read_object(r, &o->items[i])) return false;
    r->depth--;
    return true;
}

static bool read_object(Reader *r, MpyObject *o)
{
    if (r->at == r->end) return fail(r, "the object table is cut off");
    u8 kind = r->bytes[r->at++];
    if (kind < PY_OBJ_NONE || kind > PY_OBJ_TUPLE) return fail(r, "unknown object type %u", kind);
    o->kind = (PyObjKind)kind;
    if (kind <= PY_OBJ_ELLIPSIS) return true;
    if (kind == PY_OBJ_TUPLE) return read_tuple(r, o);
    if (!read_count(r, "length of an object", &o->len)) return false;
    if (!read_text(r, o->len, kind == PY_OBJ_STR || kind == PY_OBJ_BYTES, &o->text)) return false;
    size_t bad;
    switch (o->kind) {
    case PY_OBJ_STR: return py_utf8_check(o->text, o->len, &bad) || fail(r, "a string is not UTF-8");
    case PY_OBJ_INT: return is_int_text(o->text, o->len) || fail(r, "an integer that is not a number");
    case PY_OBJ_FLOAT: return is_float_text(o->text, o->len) || fail(r, "a float that is not a number");
    case PY_OBJ_COMPLEX: {
        bool ok = o->len && o->text[o->len - 1] == 'j' && is_float_text(o->text, o->len - 1);
        return ok || fail(r, "a complex number that is not a number");
    }
    default: return true;
    }
}

// ---- code objects ----

static bool read_signature(const MpyCode *c, u32 *at, u32 v[6])
{
    enum { S, E, F, A, K, D };
    if (*at == c->len) return false;
    u8 z = c->bytes[(*at)++];
    memset(v, 0, 6 * sizeof *v);
    v[S] = (z >> 3) & 15, v[E] = (z >> 2) & 1, v[A] = z & 3;
    for (u32 n = 0; z & 0x80; n++) {
        if (n == 13 || *at == c->len) return false; // 30 bits of n_state, 13 of n_kwonly
        z = c->bytes[(*at)++];
        v[S] |= (u32)((z >> 4) & 3) << (4 + 2 * n);
        v[E] |= (u32)((z >> 1) & 1) << (1 + n);
        v[F] |= (u32)((z >> 6) & 1) << n;
        v[A] |= (u32)((z >> 2) & 1) << (2 + n);
        v[K] |= (u32)((z >> 3) & 1) << n;
        v[D] |= (u32)(z & 1) << n;
    }
    v[S]++;
    return true;
}

static bool read_sizes(const MpyCode *c, u32 *at, u32 *n_info, u32 *n_cells)
{
    u64 info = 0, cells = 0;
    for (u32 n = 0; n < 10; n++) { // 10 bits of n_cells, and of n_info as many as there can be
        if (*at == c->len) return false;
        u8 z = c->bytes[(*at)++];
        info |= (u64)((z >> 1) & 63) << (6 * n);
        cells |= (u64)(z & 1) << n;
        if (z & 0x80) continue;
        *n_info = (u32)info;
        *n_cells = (u32)cells;
        return info <= c->len;
    }
    return false;
}

// The long form of a line step takes two bytes.
static bool is_line_table(const u8 *p, const u8 *end)
{
    while (p < end)
        p += *p & 0x80 ? 2 : 1;
    return p == end;
}

static bool read_info(Reader *r, MpyCode *c)
{
    u32 at = c->prelude_len, end = at + c->n_info, qstr;
    for (u32 i = 0; i < 1 + c->n_pos + c->n_kwonly; i++) {
        if (i == 1) c->names_at = at;
        if (!mpy_read_varuint(c->bytes, &at, end, &qstr))
            return fail(r, "the names of a function are cut off");
        if (qstr >= r->f->n_qstrs) return fail(r, "name %u is not in the string table", qstr);
        if (i == 0) c->name = qstr;
    }
    c->lines_at = at;
    return is_line_table(c->bytes + at, c->bytes + end) || fail(r, "a line table is cut off");
}

static bool read_prelude(Reader *r, MpyCode *c)
{
    u32 v[6], at = 0;
    if (!read_signature(c, &at, v) || !read_sizes(c, &at, &c->n_info, &c->n_cells))
        return fail(r, "a function's prelude is cut off");
    c->n_state = v[0], c->n_exc = v[1], c->flags = v[2], c->n_pos = v[3], c->n_kwonly = v[4], c->n_def = v[5];
    c->prelude_len = at;
    if (c->n_state > MPY_MAX_STATE) return fail(r, "a frame of %u slots", c->n_state);
    if (c->flags & ~15u) return fail(r, "unknown flags %u of a function", c->flags);
    if (c->n_exc > MPY_MAX_RECORDS) return fail(r, "%u exception records", c->n_exc);
    if (c->n_pos + c->n_kwonly > MPY_MAX_ARGS) return fail(r, "%u parameters", c->n_pos + c->n_kwonly);
    if (c->n_def > c->n_pos) return fail(r, "%u defaults for %u parameters", c->n_def, c->n_pos);
    u32 n_params = c->n_pos + c->n_kwonly + !!(c->flags & PY_FLAG_VAR_ARGS) + !!(c->flags & PY_FLAG_VAR_KW);
    if (n_params > c->n_state) return fail(r, "%u parameters in a frame of %u slots", n_params, c->n_state);
    if (c->n_info + c->n_cells > c->len - at) return fail(r, "a function's prelude is longer than its code");
    c->cells_at = at + c->n_info;
    c->code_at = c->cells_at + c->n_cells;
    for (u32 i = c->cells_at; i < c->code_at; i++)
        if (c->bytes[i] >= c->n_state)
            return fail(r, "cell %u in a frame of %u slots", c->bytes[i], c->n_state);
    return read_info(r, c);
}

static MpyCode *read_code(Reader *r)
{
    u32 head = 0;
    if (!read_varuint(r, "code object", &head)) return NULL;
    if (head & 3) return fail(r, "native code, which is not supported here"), NULL;
    MpyCode *c = arena_new(&r->f->arena, MpyCode);
    *c = (MpyCode){.bytes = r->bytes + r->at, .len = head >> 3, .file_offset = r->at};
    if (c->len > r->end - r->at) return fail(r, "a code object of %u bytes is cut off", c->len), NULL;
    if (!read_prelude(r, c)) return NULL;
    r->at += c->len;
    vec_push(&r->codes, c);
    if (!(head & 4)) return c;
    if (!read_count(r, "children of a code object", &c->n_children)) return NULL;
    if (r->depth == MPY_MAX_NESTING)
        return fail(r, "functions nested deeper than %d levels", MPY_MAX_NESTING), NULL;
    c->children = arena_array(&r->f->arena, MpyCode *, c->n_children);
    r->depth++;
    for (u32 i = 0; i < c->n_children; i++)
        if (!(c->children[i] = read_code(r))) return NULL;
    r->depth--;
    return c;
}

static bool read_header(Reader *r)
{
    const u8 *b = r->bytes;
    if (!py_is_mpy(b, r->end)) return fail(r, "it does not begin like one");
    if (b[1] != PY_MPY_VERSION)
        return fail(r, "format version %u, but only version %d is supported", b[1], PY_MPY_VERSION);
    if (b[2] & 0xfc) return fail(r, "it is for native code, which is not supported here");
    if (b[3] > 63) return fail(r, "it needs integers of %u bits", b[3]);
    r->at = 4;
    return true;
}

static bool read_file(Reader *r)
{
    MpyFile *f = r->f;
    if (!read_header(r)) return false;
    if (!read_count(r, "strings", &f->n_qstrs) || !read_count(r, "objects", &f->n_objects)) return false;
    if (!f->n_qstrs) return fail(r, "it has no strings, so no source file name");
    f->qstrs = arena_array(&f->arena, MpyString, f->n_qstrs);
    for (u32 i = 0; i < f->n_qstrs; i++)
        if (!read_qstr(r, &f->qstrs[i])) return false;
    f->objects = arena_array(&f->arena, MpyObject, f->n_objects);
    for (u32 i = 0; i < f->n_objects; i++)
        if (!read_object(r, &f->objects[i])) return false;
    return read_code(r) != NULL;
}

bool mpy_read(MpyFile *f, const u8 *bytes, size_t len, const char *file_name, Err *err)
{
    *f = (MpyFile){0};
    Reader r = {
        .f = f, .bytes = bytes, .end = (u32)len, .n_left = (u32)len, .file_name = file_name, .err = err};
    if (len > PY_MAX_SOURCE) return fail(&r, "it is larger than %d MiB", PY_MAX_SOURCE >> 20);
    bool ok = read_file(&r);
    f->n_codes = r.codes.len;
    if (r.codes.len) {
        f->codes = arena_array(&f->arena, MpyCode *, r.codes.len);
        memcpy(f->codes, r.codes.at, r.codes.len * sizeof *f->codes);
    }
    vec_free(&r.codes);
    return ok;
}

void mpy_free(MpyFile *f)
{
    arena_free(&f->arena);
}

bool py_is_mpy(const u8 *bytes, size_t len)
{
    return len >= 4 && bytes[0] == PY_MPY_MAGIC && bytes[1] < 0x20 && bytes[1] != '\t';
}

// ---- instructions ----

static bool decode_label(const MpyCode *c, u32 *at, bool is_signed, u32 *target)
{
    if (*at >= c->len) return false;
    i64 v = c->bytes[(*at)++];
    i64 bias = 0x40;
    if (v & 0x80) {
        if (*at >= c->len) return false;
        v = (v & 0x7f) | (i64)c->bytes[(*at)++] << 7;
        bias = 0x4000;
    }
    i64 t = *at + v - (is_signed ? bias : 0);
    *target = (u32)t;
    return t >= c->code_at && t < c->len;
}

static bool decode_varint(const MpyCode *c, u32 *at, i32 *number)
{
    if (*at >= c->len) return false;
    i64 v = c->bytes[*at] & 0x40 ? -1 : 0;
    for (u32 n = 0; n < 5 && *at < c->len; n++) {
        u8 b = c->bytes[(*at)++];
        v = (i64)((u64)v << 7) | (b & 0x7f);
        if (b & 0x80) continue;
        *number = (i32)v;
        return v >= INT32_MIN && v <= INT32_MAX;
    }
    return false;
}

bool mpy_decode(const MpyCode *c, u32 offset, MpyInsn *out)
{
    if (offset >= c->len) return false;
    u8 op = c->bytes[offset];
    *out = (MpyInsn){.op = op, .info = py_op_info(op), .offset = offset};
    if (!out->info) return false;
    u32 at = offset + 1;
    bool ok = true;
    switch ((PyArg)out->info->arg) {
    case PY_ARG_NONE: break;
    case PY_ARG_S: ok = decode_varint(c, &at, &out->number); break;
    case PY_ARG_J:
    case PY_ARG_JB: ok = decode_label(c, &at, true, &out->arg); break;
    case PY_ARG_L: ok = decode_label(c, &at, false, &out->arg); break;
    case PY_ARG_Q:
    case PY_ARG_U:
    case PY_ARG_O:
    case PY_ARG_C:
    case PY_ARG_CB: ok = mpy_read_varuint(c->bytes, &at, c->len, &out->arg); break;
    }
    if (out->info->arg == PY_ARG_CB || out->info->arg == PY_ARG_JB) {
        if (at >= c->len) return false;
        out->extra = c->bytes[at++];
    }
    out->len = at - offset;
    return ok;
}

u32 mpy_line_of(const MpyCode *c, u32 offset)
{
    u32 line = 1, left = offset - c->code_at;
    for (u32 i = c->lines_at; i < c->cells_at;) {
        u32 z = c->bytes[i++], n_bytes = z & 31, n_lines = z >> 5;
        if (z & 0x80) n_bytes = z & 15, n_lines = ((z << 4) & 0x700) | c->bytes[i++];
        if (n_bytes > left) break;
        left -= n_bytes;
        line += n_lines;
    }
    return line;
}
