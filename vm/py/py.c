// py.c: the compiler's front door: checks the bytes of the source, runs the parts in order, turns an error
// into an Err.
#include "vm/py/py.h"
#include "vm/py/compile.h"

#include <stdarg.h>
#include <stdlib.h>

// The line that holds byte `at`, counted from 1, and where it starts.
static u32 line_of(const Py *py, u32 at, u32 *start)
{
    u32 line = 1;
    *start = 0;
    for (u32 i = 0; i < at; i++) {
        bool is_end = py->src[i] == '\n' || (py->src[i] == '\r' && py->src[i + 1] != '\n');
        if (is_end) line++, *start = i + 1;
    }
    return line;
}

void py_fail(Py *py, u32 at, const char *hint, const char *fmt, ...)
{
    if (at > py->src_len) at = py->src_len;
    u32 start;
    u32 line = line_of(py, at, &start);
    char text[sizeof py->err->text];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    err_at(py->err, CAPLAB_EX_DATA, (SrcPos){py->file_name, line, at - start + 1}, py->src + start, "%s",
           text);
    if (hint) err_hint(py->err, "%s", hint);
    longjmp(py->on_error, 1);
}

void py_enter(Py *py, u32 at)
{
    if (++py->depth > PY_MAX_NESTING)
        py_fail(py, at, "split it: name a part, or move it into a function", "nested deeper than %d levels",
                PY_MAX_NESTING);
}

u32 py_hash(const char *s, size_t len)
{
    u32 h = 2166136261u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (u8)s[i]) * 16777619u;
    return h;
}

static void grow_buckets(Py *py)
{
    u32 n = py->n_buckets ? py->n_buckets * 2 : 1024;
    Atom **buckets = arena_array(&py->arena, Atom *, n);
    for (u32 i = 0; i < py->n_buckets; i++) {
        for (Atom *a = py->buckets[i], *next; a; a = next) {
            next = a->next;
            a->next = buckets[a->hash & (n - 1)];
            buckets[a->hash & (n - 1)] = a;
        }
    }
    py->buckets = buckets;
    py->n_buckets = n;
}

Atom *py_atom(Py *py, const char *text, size_t len)
{
    u32 h = py_hash(text, len);
    for (Atom *a = py->buckets[h & (py->n_buckets - 1)]; a; a = a->next)
        if (a->hash == h && a->len == len && !memcmp(a->text, text, len)) return a;
    if (py->n_atoms >= py->n_buckets) grow_buckets(py);
    char *copy = arena_alloc(&py->arena, len + 1);
    memcpy(copy, text, len);
    Atom *a = arena_new(&py->arena, Atom);
    *a = (Atom){.next = py->buckets[h & (py->n_buckets - 1)], .text = copy, .len = (u32)len, .hash = h};
    py->buckets[h & (py->n_buckets - 1)] = a;
    py->n_atoms++;
    return a;
}

Atom *py_name(Py *py, const char *text)
{
    Atom *a = py_atom(py, text, strlen(text));
    a->is_qstr = true;
    return a;
}

Atom *py_static(Py *py, u32 number)
{
    return py_name(py, py_static_qstr(number));
}

static void check_source(Py *py)
{
    const char *nul = memchr(py->src, 0, py->src_len);
    if (nul)
        py_fail(py, (u32)(nul - py->src), "is this really Python source text?",
                "the source contains a NUL byte");
    size_t bad;
    if (!py_utf8_check(py->src, py->src_len, &bad))
        py_fail(py, (u32)bad, "Python source is UTF-8: save the file in that encoding",
                "byte 0x%02x is not valid UTF-8", (u8)py->src[bad]);
}

static void run(Py *py, Buf *mpy)
{
    grow_buckets(py);
    for (u32 i = 1; i <= PY_STATIC_QSTR_COUNT; i++)
        py_static(py, i)->static_number = i;
    check_source(py);
    py_qstr_index(py, py_name(py, py->file_name));
    Node *module = py_parse_file(py);
    py_gen_all(py, module);
    py_write_mpy(py, py->first_scope, mpy);
}

static void free_all(Py *py)
{
    for (Scope *s = py->first_scope; s; s = s->next) {
        vec_free(&s->ids);
        vec_free(&s->children);
    }
    vec_free(&py->stack);
    vec_free(&py->op_stack);
    vec_free(&py->labels);
    vec_free(&py->insns);
    vec_free(&py->marks);
    buf_free(&py->info);
    buf_free(&py->cells);
    buf_free(&py->code);
    vec_free(&py->qstrs);
    vec_free(&py->objects);
    arena_free(&py->arena);
    free(py);
}

static bool compile(const char *source, size_t len, const char *file_name, bool for_machine, Buf *mpy, Err *err)
{
    if (len > PY_MAX_SOURCE)
        return err_at(err, CAPLAB_EX_DATA, (SrcPos){.file = file_name}, NULL,
                      "the source is larger than %d MiB", PY_MAX_SOURCE >> 20);
    Py *py = xalloc(sizeof *py);
    py->file_name = file_name;
    py->for_machine = for_machine;
    py->err = err;
    char *copy = arena_alloc(&py->arena, len + 1);
    if (len) memcpy(copy, source, len);
    py->src = copy;
    py->src_len = (u32)len;
    if (setjmp(py->on_error)) {
        free_all(py);
        return false;
    }
    run(py, mpy);
    free_all(py);
    return true;
}

bool py_compile(const char *source, size_t len, const char *file_name, Buf *mpy, Err *err)
{
    return compile(source, len, file_name, false, mpy, err);
}

bool py_compile_for_machine(const char *source, size_t len, const char *file_name, Buf *mpy, Err *err)
{
    return compile(source, len, file_name, true, mpy, err);
}
