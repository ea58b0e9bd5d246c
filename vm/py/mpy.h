// mpy.h: a .mpy file taken apart: the reader's tree, which the checker, the views and the disassembler share.
#ifndef CAPLAB_VM_PY_MPY_H
#define CAPLAB_VM_PY_MPY_H

#include "base/arena.h"
#include "base/err.h"
#include "vm/py/bytecode.h"

enum {
    MPY_MAX_NESTING = 200,  // of code objects, and of tuples
    MPY_MAX_STATE = 0xffff, // slots of a frame
    MPY_MAX_RECORDS = 255,  // exception records of a frame
    MPY_MAX_ARGS = 1023,    // parameters and free variables
};

typedef struct MpyString {
    const char *text; // NUL behind it
    u32 len;
} MpyString;

typedef struct MpyObject {
    PyObjKind kind;
    const char *text; // STR, BYTES, INT, FLOAT, COMPLEX; not terminated
    u32 len;          // of text, or number of items
    struct MpyObject *items;
} MpyObject;

typedef struct MpyCode {
    const u8 *bytes; // the code object, in the file
    u32 len;
    u32 file_offset;
    u32 n_state, n_exc, flags, n_pos, n_kwonly, n_def; // of the signature
    u32 prelude_len, n_info, n_cells;                  // signature and sizes; then info, cells, instructions
    u32 name;                                          // qstr
    u32 names_at, lines_at, cells_at, code_at;         // offsets in bytes
    u32 n_children;
    struct MpyCode **children;
} MpyCode;

typedef struct MpyFile {
    Arena arena; // the qstrs' and objects' texts stay in the file's bytes
    u32 n_qstrs, n_objects, n_codes;
    MpyString *qstrs;
    MpyObject *objects;
    MpyCode **codes; // depth first; codes[0] is the module
} MpyFile;

// One decoded instruction.
typedef struct MpyInsn {
    u8 op;
    const PyOpInfo *info;
    u32 offset, len; // offset from the start of the code object
    u32 arg;         // unsigned operand; of a label the target's offset
    i32 number;      // signed operand
    u8 extra;
} MpyInsn;

// Takes a file apart and checks its structure; false fills *err. mpy_free afterwards in any case.
bool mpy_read(MpyFile *f, const u8 *bytes, size_t len, const char *file_name, Err *err);
void mpy_free(MpyFile *f);

// Decodes the instruction at offset; false: unassigned, cut off, or a label out of the code object.
bool mpy_decode(const MpyCode *c, u32 offset, MpyInsn *out);
u32 mpy_line_of(const MpyCode *c, u32 offset); // source line of an instruction
bool mpy_read_varuint(const u8 *bytes, u32 *at, u32 end, u32 *value);

// lines.c: gives what is reached by jumps, as the test of a loop behind its body, the line of the loop or condition.
struct PyInsn;
void mpy_mend_lines(MpyFile *f, const MpyCode *c, struct PyInsn *insns, u32 n);

// check.c: the instructions of every code object.
bool mpy_check_codes(const MpyFile *f, const char *file_name, Err *err);

#endif
