// bytecode.h: what every part of vm/py shares about .mpy version 6: opcode numbers, argument forms, constants
// of the file format. The list itself is opcodes.def; docs/bytecode.md explains the format.
#ifndef CAPLAB_VM_PY_BYTECODE_H
#define CAPLAB_VM_PY_BYTECODE_H

#include "base/base.h"
#include "vm/py/opcodes.def"
#include "vm/py/static_qstrs.def"

typedef enum PyOp {
#define ROW(first, last, NAME, ARG, pops, pushes, meaning) PY_OP_##NAME = first,
    PY_OPCODES(ROW)
#undef ROW
} PyOp;

typedef enum PyUnary {
#define ROW(NAME, text) PY_UNARY_##NAME,
    PY_UNARY_OPS(ROW)
#undef ROW
} PyUnary;

typedef enum PyBinary {
#define ROW(NAME, text) PY_BINARY_##NAME,
    PY_BINARY_OPS(ROW)
#undef ROW
} PyBinary;

// Numbers of the static strings; 0 is none.
enum {
    PY_QSTR_NONE,
#define ROW(NAME, text) PY_QSTR_##NAME,
    PY_STATIC_QSTRS(ROW)
#undef ROW
        PY_STATIC_QSTR_END,
    PY_STATIC_QSTR_COUNT = PY_STATIC_QSTR_END - 1,
};

typedef enum PyArg {
    PY_ARG_NONE,
    PY_ARG_Q,  // qstr table index
    PY_ARG_U,  // unsigned number
    PY_ARG_S,  // signed number
    PY_ARG_O,  // object table index
    PY_ARG_C,  // child index
    PY_ARG_CB, // child index and a byte
    PY_ARG_J,  // signed label
    PY_ARG_JB, // signed label and a byte
    PY_ARG_L,  // forward label
} PyArg;

typedef struct PyOpInfo {
    u8 first, last; // bytes
    u8 arg;         // PyArg
    i8 pops, pushes;
    const char *name; // of the row; py_opcode_name() tells operators apart
} PyOpInfo;

const PyOpInfo *py_op_info(u8 op); // NULL: unassigned
const char *py_unary_text(u32 index);
const char *py_binary_text(u32 index);
const char *py_static_qstr(u32 number); // 1..PY_STATIC_QSTR_COUNT, else NULL

enum {
    PY_MPY_MAGIC = 'M',
    PY_MPY_VERSION = 6,
    PY_MPY_SMALL_INT_BITS =
        31, // integers beyond are objects, whatever the machine that runs them holds in a word
    PY_SMALL_INT_MAX = (1 << 30) - 1,
    PY_SMALL_INT_MIN = -(1 << 30),
    PY_ITER_SLOTS = 4, // stack slots of a `for` iterator
};

// Kinds of entries of the object table.
typedef enum PyObjKind {
    PY_OBJ_NONE = 1,
    PY_OBJ_FALSE,
    PY_OBJ_TRUE,
    PY_OBJ_ELLIPSIS,
    PY_OBJ_STR,
    PY_OBJ_BYTES,
    PY_OBJ_INT,
    PY_OBJ_FLOAT,
    PY_OBJ_COMPLEX,
    PY_OBJ_TUPLE,
} PyObjKind;

// Bits of the flags field of a code object's signature.
enum { PY_FLAG_GENERATOR = 1, PY_FLAG_VAR_KW = 2, PY_FLAG_VAR_ARGS = 4, PY_FLAG_DEF_KW = 8 };

#endif
