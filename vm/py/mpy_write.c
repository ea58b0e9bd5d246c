// mpy_write.c: the tables of strings and objects, and the file: header · qstrs · objects · tree of code
// objects.
#include "vm/py/compile.h"

static void put(Buf *b, u32 byte)
{
    buf_add_int(b, byte, 1);
}

void py_put_varuint(Buf *b, u64 v)
{
    u32 shift = 0;
    while (v >> shift >= 128)
        shift += 7;
    for (; shift; shift -= 7)
        put(b, 0x80 | ((v >> shift) & 0x7f));
    put(b, v & 0x7f);
}

u32 py_qstr_index(Py *py, Atom *a)
{
    if (!a->table_index) {
        vec_push(&py->qstrs, a);
        a->table_index = py->qstrs.len;
    }
    return a->table_index - 1;
}

static void put_counted(Buf *b, u32 kind, const char *text, u32 len)
{
    put(b, kind);
    py_put_varuint(b, len);
    buf_add(b, text, len);
    if (kind == PY_OBJ_STR || kind == PY_OBJ_BYTES) put(b, 0);
}

static void put_object(Buf *b, const Const *c)
{
    char text[48];
    switch (c->kind) {
    case PY_OBJ_STR:
    case PY_OBJ_BYTES:
    case PY_OBJ_INT: put_counted(b, c->kind, c->text, c->len); break;
    case PY_OBJ_FLOAT:
    case PY_OBJ_COMPLEX:
        py_format_float(c->real, text);
        if (c->kind == PY_OBJ_COMPLEX) {
            size_t n = strlen(text);
            if (n > 2 && !strcmp(text + n - 2, ".0")) n -= 2;
            strcpy(text + n, "j");
        }
        put_counted(b, c->kind, text, (u32)strlen(text));
        break;
    case PY_OBJ_TUPLE:
        put(b, PY_OBJ_TUPLE);
        py_put_varuint(b, c->len);
        for (u32 i = 0; i < c->len; i++)
            put_object(b, c->items[i]);
        break;
    default: put(b, c->kind); break;
    }
}

// The slot of an equal entry, or the empty one where it belongs.
static u32 object_slot(const Py *py, const char *bytes, u32 len)
{
    u32 mask = py->n_object_slots - 1, i = py_hash(bytes, len) & mask;
    for (; py->object_slots[i]; i = (i + 1) & mask) {
        const Const *c = py->objects.at[py->object_slots[i] - 1];
        if (c->len == len && !memcmp(c->text, bytes, len)) break;
    }
    return i;
}

static void grow_objects(Py *py)
{
    py->n_object_slots = py->n_object_slots ? py->n_object_slots * 2 : 64;
    py->object_slots = arena_array(&py->arena, u32, py->n_object_slots);
    for (u32 i = 0; i < py->objects.len; i++)
        py->object_slots[object_slot(py, py->objects.at[i]->text, py->objects.at[i]->len)] = i + 1;
}

// Objects of the same type and value share an entry: they have the same bytes in the file.
u32 py_object_index(Py *py, const Const *c)
{
    Buf *b = &py->code;
    b->len = 0;
    put_object(b, c);
    if ((py->objects.len + 1) * 2 > py->n_object_slots) grow_objects(py);
    u32 slot = object_slot(py, (const char *)b->at, (u32)b->len);
    if (!py->object_slots[slot]) {
        char *copy = arena_alloc(&py->arena, b->len);
        memcpy(copy, b->at, b->len);
        Const *entry = arena_new(&py->arena, Const);
        *entry = (Const){.kind = c->kind, .text = copy, .len = (u32)b->len};
        vec_push(&py->objects, entry);
        py->object_slots[slot] = py->objects.len;
    }
    return py->object_slots[slot] - 1;
}

static void put_qstr(Buf *b, const Atom *a)
{
    if (a->static_number) {
        py_put_varuint(b, (u64)a->static_number << 1 | 1);
        return;
    }
    py_put_varuint(b, (u64)a->len << 1);
    buf_add(b, a->text, a->len);
    put(b, 0);
}

static void put_code(Buf *b, const Scope *s)
{
    bool has_children = s->children.len != 0;
    py_put_varuint(b, (u64)s->code_len << 3 | (u64)has_children << 2);
    buf_add(b, s->code, s->code_len);
    if (!has_children) return;
    py_put_varuint(b, s->children.len);
    for (u32 i = 0; i < s->children.len; i++)
        put_code(b, s->children.at[i]);
}

void py_write_mpy(Py *py, Scope *module, Buf *out)
{
    put(out, PY_MPY_MAGIC);
    put(out, PY_MPY_VERSION);
    put(out, 0); // bytecode only
    put(out, PY_MPY_SMALL_INT_BITS);
    py_put_varuint(out, py->qstrs.len);
    py_put_varuint(out, py->objects.len);
    for (u32 i = 0; i < py->qstrs.len; i++)
        put_qstr(out, py->qstrs.at[i]);
    for (u32 i = 0; i < py->objects.len; i++)
        buf_add(out, py->objects.at[i]->text, py->objects.at[i]->len);
    put_code(out, module);
}
