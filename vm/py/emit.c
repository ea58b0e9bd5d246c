// emit.c: instructions of the scope under construction, as a list with labels; the depth of the operand stack
// along the way. In pass 1 nothing is recorded, but the tables are asked for their strings and objects, in
// order.
#include "vm/py/compile.h"

void py_adjust(Py *py, i32 delta)
{
    if (py->is_naming) return;
    Scope *s = py->scope;
    CHECK(delta >= 0 || s->depth >= (u32)-delta, "operand stack of '%s' goes below its bottom",
          s->name->text);
    s->depth = (u32)((i32)s->depth + delta);
    if (s->depth > s->max_depth) s->max_depth = s->depth;
}

static void add(Py *py, Insn insn)
{
    if (!py->is_naming && !py->is_dead) vec_push(&py->insns, insn);
}

// Net stack effect of an opcode whose row says that it depends on the argument.
static i32 effect_of(PyOp op, i64 arg)
{
    switch ((int)op) {
    case PY_OP_BUILD_TUPLE:
    case PY_OP_BUILD_LIST:
    case PY_OP_BUILD_SET:
    case PY_OP_BUILD_SLICE: return 1 - (i32)arg;
    case PY_OP_STORE_COMP: return (arg & 3) == 1 ? -2 : -1;
    case PY_OP_UNPACK_SEQUENCE: return (i32)arg - 1;
    case PY_OP_UNPACK_EX: return (i32)((arg & 0xff) + (arg >> 8));
    case PY_OP_CALL_FUNCTION: return -(i32)((arg & 0xff) + (arg >> 8) * 2);
    case PY_OP_CALL_FUNCTION_VAR_KW: return -(i32)((arg & 0xff) + (arg >> 8) * 2) - 1;
    case PY_OP_CALL_METHOD: return -(i32)((arg & 0xff) + (arg >> 8) * 2) - 1;
    case PY_OP_CALL_METHOD_VAR_KW: return -(i32)((arg & 0xff) + (arg >> 8) * 2) - 2;
    case PY_OP_WITH_CLEANUP: return 2; // two slots to call __exit__ with
    default: UNREACHABLE("no stack rule for opcode %02x", op);
    }
}

static bool ends_flow(PyOp op)
{
    return op == PY_OP_RETURN_VALUE || op == PY_OP_RAISE_LAST || op == PY_OP_RAISE_OBJ ||
           op == PY_OP_RAISE_FROM || op == PY_OP_JUMP || op == PY_OP_POP_EXCEPT_JUMP ||
           op == PY_OP_UNWIND_JUMP;
}

void py_emit(Py *py, PyOp op, i64 arg)
{
    const PyOpInfo *info = py_op_info((u8)op);
    CHECK(info, "opcode %02x is not assigned", op);
    bool is_variable = info->pops == PY_STACK_ARG || info->pushes == PY_STACK_ARG;
    py_adjust(py, is_variable ? effect_of(op, arg) : info->pushes - info->pops);
    add(py, (Insn){.op = (u8)op, .arg = arg});
    if (op == PY_OP_YIELD_VALUE || op == PY_OP_YIELD_FROM) py->scope->flags |= PY_FLAG_GENERATOR;
    if (ends_flow(op)) py->is_dead = true;
}

void py_emit_q(Py *py, PyOp op, Atom *name)
{
    py_emit(py, op, py_qstr_index(py, name));
}

// vm/guest has no bytes, no complex numbers, and integers of 63 bits: better said here, with the place, than when it loads the file.
static void refuse_missing(Py *py, const Const *c)
{
    static const i64 min = -(1LL << 62), max = (1LL << 62) - 1;
    if (c->kind == PY_OBJ_BYTES)
        py_fail(py, c->at, "use a str, or a list of numbers", "bytes are not in this Python machine");
    if (c->kind == PY_OBJ_COMPLEX)
        py_fail(py, c->at, "use two floats", "complex numbers are not in this Python machine");
    if (c->kind == PY_OBJ_INT && !(c->is_small && c->number >= min && c->number <= max))
        py_fail(py, c->at, "use a float (write a point: 1e30, 5.0)", "%.*s%s is past the range of this Python machine's integers, %lld to %lld",
                (int)(c->len < 40 ? c->len : 40), c->text, c->len > 40 ? "…" : "", (long long)min, (long long)max);
    for (u32 i = 0; c->kind == PY_OBJ_TUPLE && i < c->len; i++) refuse_missing(py, c->items[i]);
}

void py_emit_const(Py *py, const Node *n)
{
    Const *c = py_const_of(py, n);
    if (py->for_machine) refuse_missing(py, c);
    py_emit(py, PY_OP_LOAD_CONST_OBJ, py_object_index(py, c));
}

void py_emit_int(Py *py, i64 v)
{
    if (v >= -16 && v <= 47)
        py_emit(py, (PyOp)(0x80 + v), 0);
    else
        py_emit(py, PY_OP_LOAD_CONST_SMALL_INT, v);
}

void py_emit_local(Py *py, PyOp multi, PyOp n_form, u32 local)
{
    if (local < 16)
        py_emit(py, (PyOp)(multi + local), 0);
    else
        py_emit(py, n_form, local);
}

void py_emit_jump(Py *py, PyOp op, u32 label)
{
    py_emit(py, op, label);
}

void py_emit_unwind(Py *py, u32 label, u32 n_records, bool drops_iterator)
{
    if (n_records == 0) {
        // The stack is no shallower for the code that follows.
        for (u32 i = 0; drops_iterator && i < PY_ITER_SLOTS; i++)
            add(py, (Insn){.op = PY_OP_POP_TOP});
        py_emit(py, PY_OP_JUMP, label);
        return;
    }
    add(py, (Insn){.op = PY_OP_UNWIND_JUMP,
                   .arg = label,
                   .extra = (u8)(n_records | (drops_iterator ? 0x80 : 0))});
    py->is_dead = true;
}

void py_emit_make(Py *py, Scope *child, u32 n_cells, bool has_defaults)
{
    PyOp op = n_cells        ? has_defaults ? PY_OP_MAKE_CLOSURE_DEFARGS : PY_OP_MAKE_CLOSURE
              : has_defaults ? PY_OP_MAKE_FUNCTION_DEFARGS
                             : PY_OP_MAKE_FUNCTION;
    py_adjust(py, 1 - (i32)n_cells - (has_defaults ? 2 : 0));
    add(py, (Insn){.op = (u8)op, .arg = py->scope->children.len, .extra = (u8)n_cells});
    if (!py->is_naming) vec_push(&py->scope->children, child);
}

// Lines only grow: a node on an earlier line than the last one is counted to that.
void py_emit_line(Py *py, u32 line)
{
    if (py->is_naming || line <= py->last_line) return;
    py->last_line = line;
    vec_push(&py->marks, (LineMark){.insn = py->insns.len, .line = line});
}

u32 py_label(Py *py)
{
    if (py->is_naming) return 0;
    vec_push(&py->labels, 0);
    return py->labels.len - 1;
}

void py_place(Py *py, u32 label)
{
    py->is_dead = false;
    if (!py->is_naming) py->labels.at[label] = py->insns.len;
}

void py_emit_start(Py *py, Scope *s)
{
    py->scope = s;
    py->insns.len = py->marks.len = py->labels.len = 0;
    vec_push(&py->labels, 0); // label 0: no loop
    py->last_line = 1;
    py->is_dead = false;
    py->break_label = py->continue_label = 0;
    py->records = py->loop_records = py->n_loops = 0;
}
