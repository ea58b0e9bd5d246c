// py.h: Python source → MicroPython bytecode (.mpy version 6), and back to text. Host side; prints nothing.
#ifndef CAPLAB_VM_PY_PY_H
#define CAPLAB_VM_PY_PY_H

#include "base/buf.h"
#include "base/err.h"

// Compiles source (len bytes, need not end in NUL) to a .mpy file. file_name becomes the file's entry 0 (tracebacks) and stands in errors.
bool py_compile(const char *source, size_t len, const char *file_name, Buf *mpy, Err *err);
// The same for caplab's own machine: constants that it does not have (bytes, complex numbers, integers past its range) are errors.
bool py_compile_for_machine(const char *source, size_t len, const char *file_name, Buf *mpy, Err *err);

// Checks everything a loader may rely on (indices, jumps, depths, sizes; docs/bytecode.md). False: not a valid file, *err says where.
bool py_mpy_check(const u8 *mpy, size_t len, const char *file_name, Err *err);
bool py_is_mpy(const u8 *bytes, size_t len); // by its header

// Opcodes: PY_OPCODES in opcodes.def; name of a byte ("LOAD_FAST_MULTI"), NULL if unassigned.
const char *py_opcode_name(u8 op);

// A loaded file for views: code objects depth first (the order of the vm_code probe), their instructions and lines.
typedef struct PyModule PyModule;
typedef struct PyInsn {
    u32 offset;      // from the start of the code object's bytes (prelude included)
    u8 opcode, len;
    u32 line;        // 1-based source line; what is reached by a jump: as lines.c says
    char text[48];   // "LOAD_FAST 0 (n)"
} PyInsn;
typedef struct PyCode {
    const char *name;      // "fannkuch", "<module>"
    u32 n_bytes;           // whole code object, as in vm_code
    u32 n_state, n_exc;    // frame slots, exception records
    u32 n_insns;
    const PyInsn *insns;
} PyCode;
PyModule *py_module_open(const u8 *mpy, size_t len, Err *err); // owned; NULL on error
u32 py_module_code_count(const PyModule *m);
const PyCode *py_module_code(const PyModule *m, u32 index);
void py_module_free(PyModule *m);

bool py_disassemble(const u8 *mpy, size_t len, Buf *out, Err *err); // the listing of `caplab py --dis`

#endif
