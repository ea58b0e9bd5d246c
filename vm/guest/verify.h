// verify.h: what the two halves of the check of a code object share: verify.c (fields and operands), flow.c (value stack).
#ifndef CAPLAB_GUEST_VERIFY_H
#define CAPLAB_GUEST_VERIFY_H

#include "bytecode.h"

// What follows an opcode: vm/py/opcodes.def. 0: the opcode is not assigned.
enum { ARG_NONE = 1, ARG_Q, ARG_U, ARG_S, ARG_O, ARG_C, ARG_CB, ARG_J, ARG_JB, ARG_L };

typedef struct OpInfo {
    u8 arg;
    int8_t pops, pushes; // PY_STACK_ARG: by the argument
} OpInfo;
extern const OpInfo verify_ops[256];

enum { NO_TARGET = 0xffffffff };
typedef struct Insn {
    u32 op, arg, extra;
    u32 next, target; // offsets in the code
} Insn;

// Of each byte of code: two bits, and where in Verifier.states the value stack on arrival is described (0: not yet).
enum { PLACE_IS_INSN = 1, PLACE_IS_TARGET = 2, PLACE_STATE_SHIFT = 2 };

typedef struct Verifier {
    const Context *context;
    const RawCode *raw;
    Prelude p;
    const u8 *code;
    u32 n_code;
    u32 n_locals;     // highest local used, + 1
    u32 n_free;       // highest "*" parameter used as a cell, + 1
    u8 *uses;         // by local
    u32 *places;
    const char *error;
    // flow.c: the value stack at the instruction that is looked at
    u32 *stack;
    u32 n;            // entries of stack
    u32 depth, room;  // slots of the frame in use, and at most
    u32 n_records;
    u32 *states;      // all descriptions that were found, one behind the other
    u32 n_states, n_states_alloc;
    u32 queue;        // states to go on from
} Verifier;

bool verify_bad(Verifier *v, const char *why);             // false
bool verify_decode(Verifier *v, u32 at, Insn *in);
bool verify_flow(Verifier *v);

#endif
