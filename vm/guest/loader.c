// loader.c: reads a .mpy file, version 6. Code objects stay where they are in the file's memory; names and constants become
// tables of the Context. A file is trusted in nothing: every read, count and index is checked here or in verify.c.
#include "bytecode.h"

#include <string.h>

enum { MAX_NESTING = 40 };

typedef struct Reader {
    const u8 *p, *end;
    const char *error; // first one; reads give zeros afterwards
    u32 n_codes;
} Reader;

static void fail(Reader *r, const char *why)
{
    if (!r->error) r->error = why;
    r->p = r->end;
}

static u32 read_byte(Reader *r)
{
    if (r->p == r->end) {
        fail(r, "the file ends too early");
        return 0;
    }
    return *r->p++;
}

static u32 read_number(Reader *r)
{
    u32 v = 0, b;
    do {
        b = read_byte(r);
        if (v >> 25) fail(r, "a number is too large");
        v = v << 7 | (b & 0x7f);
    } while (b & 0x80);
    return v;
}

static const u8 *read_bytes(Reader *r, u32 n)
{
    if ((size_t)(r->end - r->p) < n) {
        fail(r, "the file ends too early");
        return NULL;
    }
    const u8 *at = r->p;
    r->p += n;
    return at;
}

// A count of items of at least one byte each.
static u32 read_count(Reader *r)
{
    u32 n = read_number(r);
    if ((size_t)(r->end - r->p) < n) {
        fail(r, "a count exceeds the file");
        return 0;
    }
    return n;
}

static bool is_utf8(const u8 *s, size_t n)
{
    for (const u8 *end = s + n; s < end;) {
        size_t more = *s < 0x80 ? 0 : *s >= 0xc2 && *s < 0xe0 ? 1 : *s >= 0xe0 && *s < 0xf0 ? 2 : *s >= 0xf0 && *s < 0xf5 ? 3 : 9;
        if (more > (size_t)(end - s) - 1) return false;
        for (size_t i = 1; i <= more; i++) {
            if ((s[i] & 0xc0) != 0x80) return false;
        }
        s += more + 1;
    }
    return true;
}

static Qstr read_qstr(Reader *r)
{
    u32 n = read_number(r);
    if (n & 1) {
        if (n >> 1 == 0 || n >> 1 > Q_LAST_OF_MPY) fail(r, "unknown static string");
        return n >> 1;
    }
    n >>= 1;
    const u8 *text = read_bytes(r, n);
    if (read_byte(r) != 0 || r->error || !is_utf8(text, n)) {
        fail(r, "bad string");
        return Q_EMPTY;
    }
    return qstr_intern_borrowed(text, n);
}

static Obj read_numeral(Reader *r, bool is_int, const u8 *text, u32 n)
{
    i64 i;
    double d;
    if (is_int) {
        Nlr nlr; // a constant past the small range is an error of the program, told when it is loaded
        nlr_push(&nlr);
        if (setjmp(nlr.env) == 0) {
            bool ok = parse_int(text, n, 10, &i);
            nlr_pop();
            if (ok) return obj_small(i);
        } else {
            fail(r, "an integer past the small range is not in this build");
            return OBJ_NONE;
        }
    } else if (parse_float(text, n, &d)) return obj_float(d);
    fail(r, "bad number");
    return OBJ_NONE;
}

static Obj read_object(Reader *r, u32 depth)
{
    u32 type = read_byte(r);
    if (r->error || depth > MAX_NESTING) {
        fail(r, "tuples nested too deep");
        return OBJ_NONE;
    }
    if (type == 1) return OBJ_NONE;
    if (type == 2 || type == 3) return obj_bool(type == 3);
    if (type == 4) return OBJ_ELLIPSIS;
    if (type == 10) {
        u32 n = read_count(r);
        ObjTuple *t = (ObjTuple *)obj_tuple(n, NULL);
        for (u32 i = 0; i < n; i++) t->items[i] = read_object(r, depth + 1);
        return OBJ_PTR(t);
    }
    if (type < 5 || type > 9) {
        fail(r, "unknown type of constant");
        return OBJ_NONE;
    }
    u32 n = read_number(r);
    const u8 *text = read_bytes(r, n);
    if (r->error) return OBJ_NONE;
    if (type == 7 || type == 8) return read_numeral(r, type == 7, text, n);
    if (type == 9) fail(r, "complex numbers are not in this build");
    if (type == 6) fail(r, "bytes are not in this build");
    if (read_byte(r) != 0 || r->error || !is_utf8(text, n)) {
        fail(r, "bad string");
        return OBJ_NONE;
    }
    return obj_str_borrowed(text, n);
}

static RawCode *read_code(Reader *r, const Context *c, u32 depth)
{
    u32 head = read_number(r);
    if (depth > MAX_NESTING) fail(r, "functions nested too deep");
    if ((head & 3) != 0) fail(r, "native code is not in this build");
    u32 n = head >> 3;
    const u8 *code = read_bytes(r, n);
    if (r->error) return NULL;
    RawCode *raw = mem_alloc(sizeof(RawCode));
    raw->code = code;
    raw->n_bytes = n;
    u32 index = r->n_codes;
    PROBE(vm_code, code, n, index);
    r->n_codes = index + 1;
    if (head & 4) {
        u32 n_children = read_count(r);
        raw->children = mem_alloc(n_children * sizeof(RawCode *));
        raw->n_children = n_children;
        for (u32 i = 0; i < n_children && !r->error; i++) raw->children[i] = read_code(r, c, depth + 1);
    }
    const char *why;
    if (!r->error && !verify_code(c, raw, &why)) fail(r, why);
    return raw;
}

Context *program_load(const u8 *file, size_t n, RawCode **module, const char **error)
{
    Reader r = {file, file + n, NULL, 0};
    const u8 *head = read_bytes(&r, 4);
    *error = NULL;
    if (!head || head[0] != 'M') *error = "not a .mpy file";
    else if (head[1] != 6) *error = "wrong version of .mpy: only 6 is read";
    else if ((head[2] & ~3) != 0) *error = "native code is not in this build";
    else if (head[3] > 63) *error = "small integers of more than 63 bits";
    if (*error) return NULL;
    Context *c = mem_alloc(sizeof(Context));
    vm.context = c;
    c->n_qstrs = read_number(&r);
    c->n_objects = read_number(&r);
    if (c->n_qstrs == 0 || c->n_qstrs > n || c->n_objects > n) fail(&r, "a count exceeds the file");
    if (!r.error) {
        c->qstrs = mem_alloc(c->n_qstrs * sizeof(u16));
        c->objects = mem_alloc(c->n_objects * sizeof(Obj));
        for (u32 i = 0; i < c->n_qstrs && !r.error; i++) c->qstrs[i] = (u16)read_qstr(&r);
        for (u32 i = 0; i < c->n_objects && !r.error; i++) c->objects[i] = read_object(&r, 0);
        *module = read_code(&r, c, 0);
    }
    *error = r.error;
    return c;
}
