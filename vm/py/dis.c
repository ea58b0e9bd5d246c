// dis.c: .mpy files for people: PyModule for the views, and the listing of `caplab py --dis`.
#include "vm/py/mpy.h"
#include "vm/py/py.h"

#include "vm/py/compile.h"

#include <stdio.h>
#include <stdlib.h>

struct PyModule {
    MpyFile file;
    u8 *bytes; // own copy
    PyCode *codes;
};

// Text of an object as Python would write it, cut short.
static void format_object(const MpyObject *o, char *out, size_t size)
{
    static const char *const plain[] = {"", "None", "False", "True", "..."};
    switch (o->kind) {
    case PY_OBJ_INT:
    case PY_OBJ_FLOAT:
    case PY_OBJ_COMPLEX:
        snprintf(out, size, "%.*s%s", o->len > 24 ? 24 : (int)o->len, o->text, o->len > 24 ? "…" : "");
        return;
    case PY_OBJ_STR:
    case PY_OBJ_BYTES: {
        char text[40];
        u32 n = 0;
        for (; n < o->len && n < 20; n++)
            text[n] = (u8)o->text[n] < 0x20 || (u8)o->text[n] >= 0x7f ? '.' : o->text[n];
        text[n] = 0;
        snprintf(out, size, "%s'%s'%s", o->kind == PY_OBJ_BYTES ? "b" : "", text, n < o->len ? "…" : "");
        return;
    }
    case PY_OBJ_TUPLE: snprintf(out, size, "tuple of %u", o->len); return;
    default: snprintf(out, size, "%s", plain[o->kind]); return;
    }
}

// A name for a listing: control characters and what is not ASCII would break its columns.
static void format_name(const MpyString *s, char *out, size_t size)
{
    size_t n = 0;
    for (; n < s->len && n + 1 < size; n++)
        out[n] = (u8)s->text[n] < 0x20 || s->text[n] == 0x7f ? '.' : s->text[n];
    out[n] = 0;
}

// What an instruction's text needs to know.
typedef struct Context {
    const MpyFile *f;
    const MpyCode *c;
    u32 *arg_names; // qstrs of the slots 0..n_pos + n_kwonly - 1
} Context;

static u32 *read_arg_names(MpyFile *f, const MpyCode *c)
{
    u32 n = c->n_pos + c->n_kwonly, at = c->names_at;
    u32 *names = arena_array(&f->arena, u32, n);
    for (u32 i = 0; i < n; i++)
        CHECK(mpy_read_varuint(c->bytes, &at, c->lines_at, &names[i]), "read before");
    return names;
}

// The file names parameters only.
static void format_local(const Context *x, const char *op, u32 local, char *out, size_t size)
{
    char name[32];
    if (local < x->c->n_pos + x->c->n_kwonly) {
        format_name(&x->f->qstrs[x->arg_names[local]], name, sizeof name);
        snprintf(out, size, "%s %u (%s)", op, local, name);
    } else {
        snprintf(out, size, "%s %u", op, local);
    }
}

static void format_insn(const Context *x, const MpyInsn *i, char *out, size_t size)
{
    const MpyFile *f = x->f;
    const MpyCode *c = x->c;
    const char *op = i->info->name;
    char text[64];
    switch (i->info->first) {
    case PY_OP_LOAD_FAST_MULTI:
        format_local(x, "LOAD_FAST", i->op - PY_OP_LOAD_FAST_MULTI, out, size);
        return;
    case PY_OP_STORE_FAST_MULTI:
        format_local(x, "STORE_FAST", i->op - PY_OP_STORE_FAST_MULTI, out, size);
        return;
    case PY_OP_LOAD_FAST_N: format_local(x, "LOAD_FAST", i->arg, out, size); return;
    case PY_OP_STORE_FAST_N: format_local(x, "STORE_FAST", i->arg, out, size); return;
    case PY_OP_LOAD_DEREF:
    case PY_OP_STORE_DEREF:
    case PY_OP_DELETE_FAST:
    case PY_OP_DELETE_DEREF: format_local(x, op, i->arg, out, size); return;
    case PY_OP_LOAD_CONST_SMALL_INT_MULTI:
        snprintf(out, size, "LOAD_CONST_SMALL_INT %d", i->op - 0x80);
        return;
    case PY_OP_UNARY_OP:
    case PY_OP_BINARY_OP: snprintf(out, size, "%s", py_opcode_name(i->op)); return;
    case PY_OP_CALL_FUNCTION:
    case PY_OP_CALL_METHOD:
    case PY_OP_CALL_FUNCTION_VAR_KW:
    case PY_OP_CALL_METHOD_VAR_KW:
        if (i->arg >> 8)
            snprintf(out, size, "%s %u + %u keywords", op, i->arg & 0xff, i->arg >> 8);
        else
            snprintf(out, size, "%s %u", op, i->arg);
        return;
    default: break;
    }
    switch ((PyArg)i->info->arg) {
    case PY_ARG_NONE: snprintf(out, size, "%s", op); break;
    case PY_ARG_Q:
        format_name(&f->qstrs[i->arg], text, sizeof text);
        snprintf(out, size, "%s %s", op, text);
        break;
    case PY_ARG_O:
        format_object(&f->objects[i->arg], text, sizeof text);
        snprintf(out, size, "%s %s", op, text);
        break;
    case PY_ARG_U: snprintf(out, size, "%s %u", op, i->arg); break;
    case PY_ARG_S: snprintf(out, size, "%s %d", op, i->number); break;
    case PY_ARG_J:
    case PY_ARG_L: snprintf(out, size, "%s to %u", op, i->arg); break;
    case PY_ARG_JB: snprintf(out, size, "%s to %u, records 0x%02x", op, i->arg, i->extra); break;
    case PY_ARG_C:
    case PY_ARG_CB:
        format_name(&f->qstrs[c->children[i->arg]->name], text, 32);
        if (i->info->arg == PY_ARG_C)
            snprintf(out, size, "%s %u (%s)", op, i->arg, text);
        else
            snprintf(out, size, "%s %u (%s), cells %u", op, i->arg, text, i->extra);
        break;
    }
}

// Lines of all instructions in one walk over the table; mpy_line_of starts anew each time. lines.c mends them.
static PyInsn *decode_all(MpyFile *f, const MpyCode *c, u32 *n)
{
    MpyInsn i;
    *n = 0;
    for (u32 at = c->code_at; at < c->len && mpy_decode(c, at, &i); at += i.len)
        ++*n;
    PyInsn *insns = arena_array(&f->arena, PyInsn, *n);
    Context context = {f, c, read_arg_names(f, c)};
    u32 at = c->code_at, step_at = c->code_at, line = 1, table = c->lines_at;
    for (u32 k = 0; k < *n; k++, at += i.len) {
        mpy_decode(c, at, &i);
        while (table < c->cells_at) {
            u32 z = c->bytes[table], n_bytes = z & 0x80 ? z & 15 : z & 31;
            if (step_at + n_bytes > at) break;
            step_at += n_bytes;
            line += z & 0x80 ? ((z << 4) & 0x700) | c->bytes[table + 1] : z >> 5;
            table += z & 0x80 ? 2 : 1;
        }
        insns[k] = (PyInsn){.offset = at, .opcode = i.op, .len = (u8)i.len, .line = line};
        char text[160];
        format_insn(&context, &i, text, sizeof text);
        snprintf(insns[k].text, sizeof insns[k].text, "%.47s", text); // long names are cut
    }
    mpy_mend_lines(f, c, insns, *n);
    return insns;
}

PyModule *py_module_open(const u8 *mpy, size_t len, Err *err)
{
    PyModule *m = xalloc(sizeof *m);
    m->bytes = xalloc(len + 1);
    if (len) memcpy(m->bytes, mpy, len);
    if (!mpy_read(&m->file, m->bytes, len, NULL, err) || !mpy_check_codes(&m->file, NULL, err)) {
        py_module_free(m);
        return NULL;
    }
    MpyFile *f = &m->file;
    m->codes = arena_array(&f->arena, PyCode, f->n_codes);
    for (u32 i = 0; i < f->n_codes; i++) {
        const MpyCode *c = f->codes[i];
        PyCode *out = &m->codes[i];
        *out = (PyCode){
            .name = f->qstrs[c->name].text, .n_bytes = c->len, .n_state = c->n_state, .n_exc = c->n_exc};
        out->insns = decode_all(f, c, &out->n_insns);
    }
    return m;
}

u32 py_module_code_count(const PyModule *m)
{
    return m->file.n_codes;
}
const PyCode *py_module_code(const PyModule *m, u32 index)
{
    return index < m->file.n_codes ? &m->codes[index] : NULL;
}

void py_module_free(PyModule *m)
{
    if (!m) return;
    mpy_free(&m->file);
    free(m->bytes);
    free(m);
}

static void list_code(const PyModule *m, u32 index, Buf *out)
{
    const MpyCode *c = m->file.codes[index];
    const PyCode *code = &m->codes[index];
    char name[64];
    format_name(&m->file.qstrs[c->name], name, sizeof name);
    buf_printf(
        out,
        "\ncode %u %s: %u bytes, n_state %u, n_exc %u, flags %u, parameters %u + %u keyword-only, defaults %u\n",
        index, name, c->len, c->n_state, c->n_exc, c->flags, c->n_pos, c->n_kwonly, c->n_def);
    buf_printf(out, "  prelude");
    for (u32 i = 0; i < c->prelude_len; i++)
        buf_printf(out, " %02x", c->bytes[i]);
    if (c->n_cells) buf_printf(out, ", cells");
    for (u32 i = c->cells_at; i < c->code_at; i++)
        buf_printf(out, " %u", c->bytes[i]);
    buf_printf(out, "\n");
    u32 line = 0;
    for (u32 i = 0; i < code->n_insns; i++) {
        const PyInsn *insn = &code->insns[i];
        char bytes[24] = "", line_text[16] = "";
        for (u32 b = 0; b < insn->len && b < 7; b++)
            snprintf(bytes + 3 * b, 4, "%02x ", c->bytes[insn->offset + b]);
        if (insn->line != line) snprintf(line_text, sizeof line_text, "%u", insn->line);
        line = insn->line;
        buf_printf(out, "%6s %6u  %-12s %s\n", line_text, insn->offset, bytes, insn->text);
    }
}

bool py_disassemble(const u8 *mpy, size_t len, Buf *out, Err *err)
{
    PyModule *m = py_module_open(mpy, len, err);
    if (!m) return false;
    const MpyFile *f = &m->file;
    char text[64];
    format_name(&f->qstrs[0], text, sizeof text);
    buf_printf(out, "%s: %zu bytes, %u code objects, %u strings, %u objects\nstrings", text, len, f->n_codes,
               f->n_qstrs, f->n_objects);
    for (u32 i = 1; i < f->n_qstrs; i++) {
        format_name(&f->qstrs[i], text, sizeof text);
        buf_printf(out, " %s", text[0] ? text : "\"\"");
    }
    buf_printf(out, "\n");
    for (u32 i = 0; i < f->n_objects; i++) {
        format_object(&f->objects[i], text, sizeof text);
        buf_printf(out, "object %u %s\n", i, text);
    }
    for (u32 i = 0; i < f->n_codes; i++)
        list_code(m, i, out);
    py_module_free(m);
    return true;
}
