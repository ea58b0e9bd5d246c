// code.c: an instruction list → the bytes of a code object: label sizes, line table, prelude.
//
// Every label starts at two bytes and shrinks to one where its distance fits; the pass repeats until nothing
// shrinks.
#include "vm/py/compile.h"

enum {
    MAX_STATE = 0xffff,
    MAX_LINE_STEP = 2047,
    LABEL_ONE_BYTE_MIN = -64,
    LABEL_ONE_BYTE_MAX = 63,
    LABEL_FORWARD_MAX = 127
};

static bool is_label(u8 arg)
{
    return arg == PY_ARG_J || arg == PY_ARG_JB || arg == PY_ARG_L;
}

static void put(Buf *b, u64 byte)
{
    buf_add_int(b, byte & 0xff, 1);
}

static u32 varuint_len(u64 v)
{
    u32 n = 1;
    while (v >>= 7)
        n++;
    return n;
}

// Signed: bit 6 of the first byte is the sign.
static u32 varint_len(i64 v)
{
    u32 n = 1;
    for (; v < -64 || v > 63; v >>= 7)
        n++;
    return n;
}

static void put_varint(Buf *b, i64 v)
{
    for (u32 n = varint_len(v); n-- > 0;)
        put(b, ((u64)(v >> (7 * n)) & 0x7f) | (n ? 0x80 : 0));
}

static u32 size_of(const Insn *i, const PyOpInfo *info)
{
    switch ((PyArg)info->arg) {
    case PY_ARG_NONE: return 1;
    case PY_ARG_Q:
    case PY_ARG_U:
    case PY_ARG_O:
    case PY_ARG_C: return 1 + varuint_len((u64)i->arg);
    case PY_ARG_CB: return 2 + varuint_len((u64)i->arg);
    case PY_ARG_S: return 1 + varint_len(i->arg);
    case PY_ARG_J:
    case PY_ARG_L: return 2 + i->is_long;
    case PY_ARG_JB: return 3 + i->is_long;
    }
    UNREACHABLE("argument form");
}

static u32 place_insns(Py *py)
{
    u32 offset = 0;
    for (u32 i = 0; i < py->insns.len; i++) {
        Insn *insn = &py->insns.at[i];
        insn->offset = offset;
        offset += size_of(insn, py_op_info(insn->op));
    }
    return offset;
}

static u32 target_of(const Py *py, const Insn *i, u32 end)
{
    u32 index = py->labels.at[i->arg];
    return index < py->insns.len ? py->insns.at[index].offset : end;
}

static u32 size_labels(Py *py)
{
    for (u32 i = 0; i < py->insns.len; i++)
        py->insns.at[i].is_long = is_label(py_op_info(py->insns.at[i].op)->arg);
    for (;;) {
        u32 end = place_insns(py);
        bool shrank = false;
        for (u32 i = 0; i < py->insns.len; i++) {
            Insn *insn = &py->insns.at[i];
            if (!insn->is_long) continue;
            i64 distance = (i64)target_of(py, insn, end) - insn->offset - 2;
            bool fits = py_op_info(insn->op)->arg == PY_ARG_L
                            ? distance >= 0 && distance <= LABEL_FORWARD_MAX
                            : distance >= LABEL_ONE_BYTE_MIN && distance <= LABEL_ONE_BYTE_MAX;
            if (fits) insn->is_long = false, shrank = true;
        }
        if (!shrank) return end;
    }
}

static void put_label(Py *py, Buf *b, const Insn *i, u32 end)
{
    bool is_signed = py_op_info(i->op)->arg != PY_ARG_L;
    i64 distance = (i64)target_of(py, i, end) - i->offset - (i->is_long ? 3 : 2);
    i64 biased = is_signed ? distance + (i->is_long ? 0x4000 : 0x40) : distance;
    CHECK(is_signed || distance >= 0, "a forward label goes back");
    if (!i->is_long) {
        put(b, (u64)biased);
        return;
    }
    if (biased < 0 || biased > 0x7fff)
        py_fail(py, py->scope->node->at, "split it into several functions",
                "this code is too long: a jump of %lld bytes", (long long)distance);
    put(b, 0x80 | (biased & 0x7f));
    put(b, (u64)biased >> 7);
}

static void put_insn(Py *py, Buf *b, const Insn *i, u32 end)
{
    const PyOpInfo *info = py_op_info(i->op);
    put(b, i->op);
    if (is_label(info->arg))
        put_label(py, b, i, end);
    else if (info->arg == PY_ARG_S)
        put_varint(b, i->arg);
    else if (info->arg != PY_ARG_NONE)
        py_put_varuint(b, (u64)i->arg);
    if (info->arg == PY_ARG_CB || info->arg == PY_ARG_JB) put(b, i->extra);
}

// ---- prelude ----

static void put_line_step(Buf *b, u32 bytes, u32 lines)
{
    while (bytes || lines) {
        u32 n_bytes, n_lines;
        if (lines <= 6 || bytes > 15) {
            n_bytes = bytes < 31 ? bytes : 31;
            n_lines = n_bytes < bytes ? 0
                      : lines < 3     ? lines
                                      : 3; // lines go into the piece that completes the bytes
            put(b, n_bytes | n_lines << 5);
        } else {
            n_bytes = bytes;
            n_lines = lines < MAX_LINE_STEP ? lines : MAX_LINE_STEP;
            put(b, 0x80 | (n_lines >> 8) << 4 | n_bytes);
            put(b, n_lines);
        }
        bytes -= n_bytes;
        lines -= n_lines;
    }
}

// Simple name, names of the parameters by slot, line table.
static void put_info(Py *py, Scope *s, Buf *b, u32 end)
{
    py_put_varuint(b, py_qstr_index(py, s->name));
    for (u32 i = 0; i < s->n_pos + s->n_kwonly; i++)
        py_put_varuint(b, py_qstr_index(py, s->arg_names[i]));
    u32 offset = 0, line = 1;
    for (u32 i = 0; i < py->marks.len; i++) {
        const LineMark *m = &py->marks.at[i];
        u32 at = m->insn < py->insns.len ? py->insns.at[m->insn].offset : end;
        put_line_step(b, at - offset, m->line - line);
        offset = at;
        line = m->line;
    }
}

static void put_cells(Py *py, const Scope *s, Buf *b)
{
    for (u32 i = 0; i < s->ids.len; i++) {
        if (s->ids.at[i].kind != ID_CELL) continue;
        if (s->ids.at[i].local > 255)
            py_fail(py, s->node->at, "split it into several functions",
                    "more than 256 local variables with closures over them");
        put(b, s->ids.at[i].local);
    }
}

static void put_signature(const Scope *s, Buf *b, u32 n_state, u32 n_exc)
{
    u32 S = n_state - 1, E = n_exc, F = s->flags, A = s->n_pos, K = s->n_kwonly, D = s->n_def_pos;
    u32 byte = (S & 15) << 3 | (E & 1) << 2 | (A & 3);
    S >>= 4, E >>= 1, A >>= 2;
    while (S | E | F | A | K | D) {
        put(b, 0x80 | byte);
        byte = (F & 1) << 6 | (S & 3) << 4 | (K & 1) << 3 | (A & 1) << 2 | (E & 1) << 1 | (D & 1);
        S >>= 2, E >>= 1, F >>= 1, A >>= 1, K >>= 1, D >>= 1;
    }
    put(b, byte);
}

static void put_sizes(Buf *b, u32 n_info, u32 n_cells)
{
    for (;;) {
        u32 byte = (n_info & 63) << 1 | (n_cells & 1);
        n_info >>= 6;
        n_cells >>= 1;
        put(b, byte | (n_info | n_cells ? 0x80 : 0));
        if (!(n_info | n_cells)) return;
    }
}

void py_code_finish(Py *py, Scope *s)
{
    u32 end = size_labels(py);
    Buf *info = &py->info, *cells = &py->cells, *code = &py->code;
    info->len = cells->len = code->len = 0;
    put_info(py, s, info, end);
    put_cells(py, s, cells);
    u32 n_state = s->n_locals + s->max_depth;
    if (n_state > MAX_STATE)
        py_fail(py, s->node->at, "split it into several functions",
                "this code needs more than %d stack slots", MAX_STATE);
    put_signature(s, code, n_state ? n_state : 1, s->max_records);
    put_sizes(code, (u32)info->len, (u32)cells->len);
    buf_add(code, info->at, info->len);
    buf_add(code, cells->at, cells->len);
    for (u32 i = 0; i < py->insns.len; i++)
        put_insn(py, code, &py->insns.at[i], end);
    s->code = arena_alloc(&py->arena, code->len);
    memcpy(s->code, code->at, code->len);
    s->code_len = (u32)code->len;
}
