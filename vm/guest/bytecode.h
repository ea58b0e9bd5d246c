// bytecode.h: programs in memory, functions, frames, and how the interpreter is entered.
//
// A frame (CodeState) is a header and n_state slots, then n_exc exception records. The value stack grows up from slot 0;
// local i is slot n_state − 1 − i, so both ends meet in one array whose size the compiler computed.
#ifndef CAPLAB_GUEST_BYTECODE_H
#define CAPLAB_GUEST_BYTECODE_H

#include "vm.h"
#include "vm/py/opcodes.def"

enum {
#define ROW(first, last, NAME, ARG, pops, pushes, meaning) OP_##NAME = first,
    PY_OPCODES(ROW)
#undef ROW
};

enum { FUN_GENERATOR = 1, FUN_VARKW = 2, FUN_VARARGS = 4, FUN_DEFKW = 8 }; // prelude flags

typedef struct RawCode {
    const u8 *code; // the whole code object
    u32 n_bytes, n_children;
    struct RawCode **children;
    u32 n_free; // so many cells must come with the arguments
} RawCode;

// What the functions of one file share.
typedef struct Context {
    ObjDict *globals;
    u16 *qstrs; // of the file: index -> Qstr; 0 is the file's name
    Obj *objects;
    u32 n_qstrs, n_objects;
} Context;

typedef struct ObjFun {
    ObjBase base;
    Context *context;
    const RawCode *raw;
    const u8 *code;
    Obj extra[]; // defaults of positional parameters, then the dict of keyword-only defaults
} ObjFun;

typedef struct Prelude {
    u32 n_state, n_exc, flags, n_pos, n_kwonly, n_defpos;
    u32 n_info, n_cell;
    const u8 *info;  // name, parameter names, line table
    const u8 *cells; // = end of info
    const u8 *start; // first instruction
} Prelude;

typedef struct ExcRecord {
    const u8 *handler;
    Obj *sp; // value stack to cut back to; + 1 (an address bit) if it is a finally or with record
    Obj exc; // the exception that the handler handles, for a bare raise
} ExcRecord;

typedef struct CodeState {
    ObjFun *fun;
    const u8 *ip; // the running opcode; while suspended: the one before the next
    Obj *sp;      // top of the value stack
    u16 n_exc;    // records in use
    u16 n_state;
    u32 is_delegating; // suspended in a YIELD_FROM, which runs again
    ObjDict *outer_globals;
    Obj state[];
} CodeState;

typedef enum RunResult { RUN_RETURN, RUN_YIELD, RUN_EXCEPTION } RunResult;

INLINE size_t frame_bytes(u32 n_state, u32 n_exc) { return n_state * sizeof(Obj) + n_exc * sizeof(ExcRecord); }

INLINE ExcRecord *records(CodeState *cs) { return (ExcRecord *)(cs->state + cs->n_state); }
INLINE bool is_finally(const ExcRecord *r) { return (ptraddr_t)r->sp & 1; }
INLINE Obj *record_sp(const ExcRecord *r) { return (Obj *)((char *)r->sp - ((ptraddr_t)r->sp & 1)); }

u32 read_varuint(const u8 **p);
void prelude_read(const u8 *code, Prelude *out);
u32 code_line(const ObjFun *f, const u8 *ip); // source line of the instruction
Qstr code_name(const ObjFun *f);

Obj fun_make(Context *context, const RawCode *raw, Obj def_tuple, Obj def_dict);
void frame_setup(CodeState *cs, ObjFun *f, const Prelude *p, size_t n_args, size_t n_kw, const Obj *args);
Obj gen_make(ObjFun *f, const Prelude *p, size_t n_args, size_t n_kw, const Obj *args);
RunResult gen_resume(Obj gen, Obj send, Obj throw, Obj *result); // result: yielded, returned, or the exception
Obj gen_close(Obj gen);
RunResult resume_any(Obj it, Obj send, Obj throw, Obj *result); // also of iterators that are no generators

// Runs until return, yield or an exception leaves the frame. The value is then in *result. `inject`: raise this at once.
RunResult interp_run(CodeState *cs, Obj inject, Obj *result);
// The loop inside, and what its handlers call in rare cases (unwind.c).
RunResult interp_loop(CodeState *cs, Obj *result);
NORETURN void raise_unbound(CodeState *cs, u32 local);
NORETURN void raise_again(CodeState *cs); // bare raise
void raise_from(Obj exc, Obj cause);
Obj *with_cleanup(Obj *sp);               // returns the new top of the value stack

Obj call_var(size_t n_args, size_t n_kw, const Obj *args, bool is_method); // CALL_..._VAR_KW; args: function, [self,] ..., bitmap

Context *program_load(const u8 *file, size_t n, RawCode **module, const char **error); // *error set: not a valid file

bool verify_code(const Context *c, RawCode *r, const char **why); // false: not what the interpreter relies on; children first

#endif
