// ir.h: the middle of the compiler: a typed SSA program between the syntax tree and machine code.
//
//     int add1(int x) { return x + 1; }          fn add1
//                                                b0:  %0 = param.i32 gpr0
//                                                     %1 = const.i32 1
//                                                     %2 = add.i32 %0, %1
//                                                     ret %2 gpr0
//
// The road: lower*.c (AST → IR, locals are slots) → ssa.c (slots → values) → opt_*.c, inline.c (ir_optimize) →
// the target's selection (IR → mir.h) → rega.c (registers) → the target's emission.
//
// An instruction IS its value (an IrInsn *). Pointers of the C program are IR_I64 in hybrid and IR_CAP in purecap
// (IrModule.ptr_type); IR_CAP also exists in hybrid for `T * __capability` and __intcap.
//
// ABI: lowering asks abi.h where each piece of an argument or result travels, so calls, parameters and returns carry final
// locations (IrLoc) and selection only places them. Struct arguments in registers are already loaded piece by piece.
//
// CADDR and CFROMINT need no code where the value stays put: an X view of a C register is its address, and a write of an X register
// makes a null-derived capability. Narrow integers (char, short, _Bool) are kept extended to 32 bits by the signedness of
// their C type everywhere, also in arguments and results (all code is ours).
//
// Probes: the args of IR_PROBE are weak. A pass must never ask about them; whoever removes a value sets the probe args
// that name it to NULL ("lost"), whoever replaces it replaces them too.
#ifndef CAPLAB_CC_IR_H
#define CAPLAB_CC_IR_H

#include "base/arena.h"
#include "cc/cc.h"

// IR_TYPES(X): NAME, text, bytes
#define IR_TYPES(X)                                                                                          \
    X(VOID, "void", 0) X(I32, "i32", 4) X(I64, "i64", 8) X(CAP, "cap", 16) X(F32, "f32", 4) X(F64, "f64", 8)
typedef enum IrType {
#define X(name, ...) IR_##name,
    IR_TYPES(X)
#undef X
        IR_TYPE_COUNT
} IrType;

// What a load or store moves. Loads of M8/M16 (M32 into IR_I64) extend by IrInsn.is_signed; stores truncate.
#define IR_MEMS(X)                                                                                           \
    X(M8, "8", 1) X(M16, "16", 2) X(M32, "32", 4) X(M64, "64", 8) X(MCAP, "cap", 16) X(MF32, "f32", 4) X(MF64, "f64", 8)
typedef enum IrMem {
#define X(name, ...) IR_##name,
    IR_MEMS(X)
#undef X
        IR_MEM_COUNT
} IrMem;

// Conditions of IR_CMP and IR_FCMP. EQ/NE/order of IR_CAP operands compare addresses. The FN* are the exact negations of
// the ordered ones (true when unordered). ir_cond_negate / ir_cond_swap work on all.
#define IR_CONDS(X)                                                                                          \
    X(EQ, "eq") X(NE, "ne") X(SLT, "slt") X(SLE, "sle") X(SGT, "sgt") X(SGE, "sge") X(ULT, "ult") X(ULE, "ule")     \
    X(UGT, "ugt") X(UGE, "uge") X(FEQ, "feq") X(FNE, "fne") X(FLT, "flt") X(FLE, "fle") X(FGT, "fgt") X(FGE, "fge") \
    X(FNLT, "fnlt") X(FNLE, "fnle") X(FNGT, "fngt") X(FNGE, "fnge")
typedef enum IrCond {
#define X(name, ...) IR_##name,
    IR_CONDS(X)
#undef X
        IR_COND_COUNT
} IrCond;

// Kinds of operations: what passes may do with them.
enum {
    IR_K_PURE = 1,   // value depends on args only: may be moved, merged, removed
    IR_K_READ = 2,   // reads memory (removable unless volatile)
    IR_K_WRITE = 4,  // writes memory
    IR_K_EFFECT = 8, // never removed
    IR_K_TERM = 16,  // last instruction of a block
    IR_K_COMM = 32,  // first two args commute
};

// IR_OPS(X): NAME, text, kinds, what it does (aN = args[N]; members of IrInsn by name)
#define IR_OPS(X)                                                                                            \
    X(NOP, "nop", 0, "nothing; left behind by passes, never reaches selection")                              \
    X(UNDEF, "undef", IR_K_PURE, "any value: an uninitialised variable")                                     \
    X(CONST, "const", IR_K_PURE, "imm; of type CAP: the null-derived capability with address imm")           \
    X(FCONST, "fconst", IR_K_PURE, "imm holds the bits of the F64 (also for F32: its own 32 bits)")          \
    X(GADDR, "gaddr", IR_K_PURE, "address of sym + imm (purecap: the bounded data capability or sentry)")    \
    X(LABEL, "label", IR_K_PURE, "address of a block (&&label): target")                                     \
    X(SLOT, "slot", IR_K_PURE, "address of slot + imm; as a capability with the bounds of the whole stack")  \
    X(PARAM, "param", IR_K_PURE, "incoming scalar at loc; only at the start of the entry block")             \
    X(INARG, "inarg", IR_K_PURE, "address of the incoming stack argument area + imm")                        \
    X(PHI, "phi", IR_K_PURE, "args[i] is the value from block->preds[i]; phis come first in a block")        \
    X(COPY, "copy", IR_K_PURE, "a0 (same type)")                                                             \
    X(ADD, "add", IR_K_PURE | IR_K_COMM, "integers only, as all up to ASHR")                                 \
    X(SUB, "sub", IR_K_PURE, "")                                                                             \
    X(MUL, "mul", IR_K_PURE | IR_K_COMM, "")                                                                 \
    X(SDIV, "sdiv", IR_K_PURE, "x/0 = 0 as the machine does")                                                \
    X(UDIV, "udiv", IR_K_PURE, "")                                                                           \
    X(SREM, "srem", IR_K_PURE, "")                                                                           \
    X(UREM, "urem", IR_K_PURE, "")                                                                           \
    X(UMULH, "umulh", IR_K_PURE | IR_K_COMM, "high 64 bits; I64 only")                                       \
    X(SMULH, "smulh", IR_K_PURE | IR_K_COMM, "")                                                             \
    X(AND, "and", IR_K_PURE | IR_K_COMM, "")                                                                 \
    X(OR, "or", IR_K_PURE | IR_K_COMM, "")                                                                   \
    X(XOR, "xor", IR_K_PURE | IR_K_COMM, "")                                                                 \
    X(SHL, "shl", IR_K_PURE, "a1 has the type of a0; taken modulo the width")                                \
    X(LSHR, "lshr", IR_K_PURE, "")                                                                           \
    X(ASHR, "ashr", IR_K_PURE, "")                                                                           \
    X(NEG, "neg", IR_K_PURE, "")                                                                             \
    X(NOT, "not", IR_K_PURE, "bitwise")                                                                      \
    X(CLZ, "clz", IR_K_PURE, "")                                                                             \
    X(CTZ, "ctz", IR_K_PURE, "")                                                                             \
    X(POPCNT, "popcnt", IR_K_PURE, "")                                                                       \
    X(BSWAP, "bswap", IR_K_PURE, "of the whole I32 or I64")                                                  \
    X(RBIT, "rbit", IR_K_PURE, "")                                                                           \
    X(SEXT8, "sext8", IR_K_PURE, "a0 any integer type; result by type")                                      \
    X(SEXT16, "sext16", IR_K_PURE, "")                                                                       \
    X(SEXT32, "sext32", IR_K_PURE, "I32 (or I64) → I64")                                                     \
    X(ZEXT8, "zext8", IR_K_PURE, "")                                                                         \
    X(ZEXT16, "zext16", IR_K_PURE, "")                                                                       \
    X(ZEXT32, "zext32", IR_K_PURE, "I32 (or I64) → I64")                                                     \
    X(TRUNC, "trunc", IR_K_PURE, "I64 → I32")                                                                \
    X(CMP, "cmp", IR_K_PURE, "cond on two integers or capabilities (by address) → I32 0/1")                  \
    X(FCMP, "fcmp", IR_K_PURE, "cond on two floats → I32 0/1")                                               \
    X(SELECT, "select", IR_K_PURE, "a0 (I32/I64) != 0 ? a1 : a2")                                            \
    X(FADD, "fadd", IR_K_PURE | IR_K_COMM, "")                                                               \
    X(FSUB, "fsub", IR_K_PURE, "")                                                                           \
    X(FMUL, "fmul", IR_K_PURE | IR_K_COMM, "")                                                               \
    X(FDIV, "fdiv", IR_K_PURE, "")                                                                           \
    X(FNEG, "fneg", IR_K_PURE, "")                                                                           \
    X(FABS, "fabs", IR_K_PURE, "")                                                                           \
    X(FSQRT, "fsqrt", IR_K_PURE, "")                                                                         \
    X(FFLOOR, "ffloor", IR_K_PURE, "FRINTM")                                                                 \
    X(FCEIL, "fceil", IR_K_PURE, "FRINTP")                                                                   \
    X(FTRUNCI, "ftrunci", IR_K_PURE, "FRINTZ")                                                               \
    X(FRINT, "frint", IR_K_PURE, "FRINTX/N: to nearest even")                                                \
    X(FROUND, "fround", IR_K_PURE, "FRINTA: half away from zero")                                            \
    X(FCVT, "fcvt", IR_K_PURE, "F32 ↔ F64 by type")                                                          \
    X(SITOF, "sitof", IR_K_PURE, "I32/I64 → F32/F64")                                                        \
    X(UITOF, "uitof", IR_K_PURE, "")                                                                         \
    X(FTOSI, "ftosi", IR_K_PURE, "toward zero, saturating")                                                  \
    X(FTOUI, "ftoui", IR_K_PURE, "")                                                                         \
    X(BITS, "bits", IR_K_PURE, "same bits: I32 ↔ F32, I64 ↔ F64")                                            \
    X(CADD, "cadd", IR_K_PURE, "capability a0 with address + a1 (I64)")                                      \
    X(CSETADDR, "csetaddr", IR_K_PURE, "capability a0 with address a1 (I64)")                                \
    X(CADDR, "caddr", IR_K_PURE, "address of capability a0, I64")                                            \
    X(CFROMINT, "cfromint", IR_K_PURE, "null-derived capability with address a0 (I64)")                      \
    X(CBOUNDS, "cbounds", IR_K_PURE, "bounds [address, + a1 (I64)), rounded if not representable")           \
    X(CBOUNDSX, "cboundsx", IR_K_PURE, "same, tag cleared if not exactly representable")                     \
    X(CPERMAND, "cpermand", IR_K_PURE, "permissions &= a1 (I64, bit numbers of the permission word)")        \
    X(CPERMS, "cperms", IR_K_PURE, "permissions, I64")                                                       \
    X(CBASE, "cbase", IR_K_PURE, "I64")                                                                      \
    X(CLENGTH, "clength", IR_K_PURE, "I64")                                                                  \
    X(COFFSET, "coffset", IR_K_PURE, "I64")                                                                  \
    X(CTAG, "ctag", IR_K_PURE, "I64 0/1")                                                                    \
    X(CSEALED, "csealed", IR_K_PURE, "I64 0/1")                                                              \
    X(CTYPE, "ctype", IR_K_PURE, "object type, I64")                                                         \
    X(CFLAGS, "cflags", IR_K_PURE, "address bits 63:56 as flags, I64")                                       \
    X(CSETFLAGS, "csetflags", IR_K_PURE, "a1: I64")                                                          \
    X(CCLRTAG, "cclrtag", IR_K_PURE, "")                                                                     \
    X(CSEAL, "cseal", IR_K_PURE, "a0 sealed with a1 (capability)")                                           \
    X(CUNSEAL, "cunseal", IR_K_PURE, "")                                                                     \
    X(CSENTRY, "csentry", IR_K_PURE, "sealed entry")                                                         \
    X(CEQX, "ceqx", IR_K_PURE, "all bits and tag equal, I64 0/1")                                            \
    X(CSUBSET, "csubset", IR_K_PURE, "a1 is a subset of a0, I64 0/1")                                        \
    X(CBUILD, "cbuild", IR_K_PURE, "BUILD: bits a0 re-tagged by authority a1")                               \
    X(CCPYTYPE, "ccpytype", IR_K_PURE, "")                                                                   \
    X(CSETOFFSET, "csetoffset", IR_K_PURE, "a1: I64")                                                        \
    X(CREPLEN, "creplen", IR_K_PURE, "representable length of a0 (I64 → I64)")                               \
    X(CREPMASK, "crepmask", IR_K_PURE, "representable alignment mask of a0 (I64 → I64)")                     \
    X(CGETDDC, "cgetddc", IR_K_READ, "")                                                                     \
    X(CGETPCC, "cgetpcc", IR_K_READ, "")                                                                     \
    X(CGETSP, "cgetsp", IR_K_READ, "the stack capability")                                                   \
    X(FRAMEADDR, "frameaddr", IR_K_READ, "frame pointer (pointer type); forces one")                         \
    X(RETADDR, "retaddr", IR_K_READ, "return address (pointer type)")                                        \
    X(LOAD, "load", IR_K_READ, "mem at [a0 + imm]; is_signed, is_volatile")                                  \
    X(STORE, "store", IR_K_WRITE, "mem at [a0 + imm] = a1; is_volatile")                                     \
    X(IRG, "irg", IR_K_READ, "MTE: a0 with a random tag, not in mask a1 (I64)")                              \
    X(ADDG, "addg", IR_K_PURE, "MTE: a0 with its tag + imm")                                                 \
    X(GMI, "gmi", IR_K_PURE, "MTE: a1 | 1 << tag of a0")                                                     \
    X(SUBP, "subp", IR_K_PURE, "MTE: a0 - a1 without tags, I64")                                             \
    X(LDG, "ldg", IR_K_READ, "MTE: a0 with the tag of its memory")                                           \
    X(STG, "stg", IR_K_WRITE | IR_K_EFFECT, "MTE: memory at a0 gets a0's tag")                               \
    X(LOADCAPTAGS, "loadcaptags", IR_K_READ, "tags of four capabilities at a0, I64")                         \
    X(MEMCPY, "memcpy", IR_K_READ | IR_K_WRITE, "[a0] = [a1], imm bytes, align; no overlap (or the same); keeps tags") \
    X(MEMZERO, "memzero", IR_K_WRITE, "imm bytes at [a0], align")                                            \
    X(CALL, "call", IR_K_READ | IR_K_WRITE | IR_K_EFFECT, "call->…; args[0] is the callee if call->sym is NULL; value = result 0") \
    X(RESULT, "result", IR_K_PURE, "result number imm of the CALL or ASM a0 (imm ≥ 1 of a call, ≥ 0 of an asm)") \
    X(ALLOCA, "alloca", IR_K_EFFECT, "a0 (I64) bytes of stack, 16-aligned, pointer type (purecap: bounded)") \
    X(ASM, "asm", IR_K_READ | IR_K_WRITE | IR_K_EFFECT, "as->…; args are the inputs")                        \
    X(FENCE, "fence", IR_K_READ | IR_K_WRITE | IR_K_EFFECT, "DMB ISH")                                       \
    X(TRAP, "trap", IR_K_EFFECT, "BRK #1")                                                                   \
    X(PROBE, "probe", IR_K_EFFECT, "probe->…; args are weak, NULL = lost")                                   \
    X(JMP, "jmp", IR_K_TERM, "succs[0]")                                                                     \
    X(BR, "br", IR_K_TERM, "a0 != 0 → succs[0], else succs[1]")                                              \
    X(SWITCH, "switch", IR_K_TERM, "a0 == sw->values[i] → succs[i + 1], none → succs[0]; gone after opt_switch.c") \
    X(JTABLE, "jtable", IR_K_TERM, "succs[a0] (I64, already < n_succs)")                                     \
    X(IBR, "ibr", IR_K_TERM, "goto *a0; succs = every block whose address is taken; at most one per function") \
    X(RET, "ret", IR_K_TERM, "args at ret_locs[i]")                                                          \
    X(UNREACHABLE, "unreachable", IR_K_TERM, "after noreturn")
typedef enum IrOp {
#define X(name, ...) IR_##name,
    IR_OPS(X)
#undef X
        IR_OP_COUNT
} IrOp;

typedef struct IrInsn IrInsn;
typedef struct IrBlock IrBlock;
typedef struct IrFn IrFn;
typedef struct IrSym IrSym;

// Where the ABI puts one scalar.
typedef enum IrLocKind {
    IR_LOC_GPR,    // Xn / Cn
    IR_LOC_FPR,    // Vn
    IR_LOC_STACK,  // outgoing: [SP at the call + n]; incoming: [SP on entry + n]
    IR_LOC_ANON,   // purecap: anonymous-argument area + n; C9 = capability to it (set up by selection)
} IrLocKind;
typedef struct IrLoc {
    u8 kind;
    u8 bytes; // bytes stored on the stack: 1, 2, 4, 8, 16
    u16 pad;
    u32 n;
} IrLoc;

typedef struct IrCall {
    IrSym *sym;        // direct callee, else args[0] is the address
    IrLoc *arg_locs;   // of args (with an indirect callee: of args[1…])
    u32 n_results;     // 0..4; result 0 is the call's own value
    IrLoc ret_locs[4];
    u8 ret_types[4];   // IrType
    u32 stack_bytes;   // outgoing stack arguments
    u32 anon_bytes;    // purecap variadic callee: bytes of the anonymous area, 16 per argument
    bool is_variadic;  // purecap: C9 = area, or NULL when anon_bytes is 0
    bool is_noreturn, returns_twice;
    bool is_pure;      // no writes, no effect (attribute pure/const): not a barrier, removable
    bool is_tail;      // set by opt_tail.c: directly in front of a RET of its result
} IrCall;

// One operand of an asm, in the order of the C text (outputs, then inputs): what %0, %1… name. An input tied to an output
// by a digit is folded into that output (in >= 0 and out >= 0), and both numbers name it.
typedef struct IrAsmOpnd {
    const char *constraint; // letters only, without = + & and digits: "r", "w", "i", "m"
    const char *name;       // of %[name], or NULL
    const char *reg;        // the register it must be in ("x8"), or NULL
    i32 out;                // RESULT index, -1 = not a register output
    i32 in;                 // index of args, -1 = none; of an "m" operand (output or input): the address
    bool is_early;          // &
    u8 type;                // IrType
    u8 bytes;               // of the C type: default view of %0
} IrAsmOpnd;

typedef struct IrAsm {
    const char *text;
    bool is_basic;  // '%' is an ordinary character
    IrAsmOpnd *opnds;
    u32 n_opnds, n_outs;
    u64 clobbers;   // registers: bit n = GPR n, bit 32+n = V n
    bool clobbers_memory, is_volatile;
} IrAsm;

typedef struct IrProbe {
    const char *name;
    u8 *sizes;     // bytes of the C type of each arg
    u8 *is_signed;
} IrProbe;

typedef struct IrSwitch {
    i64 *values; // n_succs - 1 of them
} IrSwitch;

// A line of the C sources: file indexes IrModule.files; no 0 = unknown.
typedef struct IrLine {
    u32 file : 12, no : 20;
} IrLine;

struct IrInsn {
    u16 op;  // IrOp
    u8 type; // IrType of the value, IR_VOID if none
    u8 cond; // IrCond: CMP, FCMP
    u8 mem;  // IrMem: LOAD, STORE
    bool is_signed, is_volatile;
    bool is_extended; // STORE of M8, M16: a1 is already extended to 32 bits as is_signed says
    bool is_weak;  // made only for a probe: no use by it counts, and it must not be selected
    u8 mark;       // scratch of a pass; 0 between passes
    u32 id;        // dense in the function: index of side tables (< fn->n_ids)
    u32 n_args;
    u32 n_uses;    // strong uses; kept by ir_count_uses(), stale otherwise
    u32 align;     // MEMCPY, MEMZERO
    u32 slot;      // SLOT: index in fn->slots
    IrLine line;
    IrInsn **args; // a_small or in the arena
    IrInsn *a_small[3];
    i64 imm;
    union {
        IrSym *sym;        // GADDR
        IrBlock *target;   // LABEL
        IrLoc loc;         // PARAM
        IrCall *call;      // CALL
        IrAsm *as;         // ASM
        IrProbe *probe;    // PROBE
        IrSwitch *sw;      // SWITCH
        IrLoc *ret_locs;   // RET
    };
    IrBlock *block;
    IrInsn *prev, *next; // in the block
};

struct IrBlock {
    u32 id;           // dense: index of fn->blocks while they are in layout order (ir_renumber)
    IrInsn *first, *last; // phis, instructions, one terminator
    IrBlock **preds;  // order is that of phi args; one entry per edge
    u32 n_preds, cap_preds;
    IrBlock **succs;  // by the terminator; no two edges to the same block from one BR
    u32 n_succs;
    bool address_taken; // a LABEL or data names it: must survive
    bool is_removed;  // not in the function any more
    bool is_cold;     // leads to noreturn only, or __builtin_expect says so
    u32 loop_depth;
    double freq;      // expected executions per call of the function (opt_layout.c)
    u32 rpo;          // position in reverse post-order
    IrBlock *idom;
    u32 dom_in, dom_out; // numbering of the dominator tree: a dominates b if a's interval holds b's
    const char *name; // C label, or NULL
    void *aux;        // selection's own
};

typedef struct IrSlot {
    u64 size;
    u32 align;
    const char *name; // of the C variable, or NULL
    bool is_used;     // else it takes no room
} IrSlot;

struct IrFn {
    IrSym *sym;
    IrBlock **blocks; // [0] is the entry; order = layout order after ir_optimize
    u32 n_blocks, cap_blocks;
    IrSlot *slots;
    u32 n_slots, cap_slots;
    u32 n_ids;
    IrBlock *hub;          // the block with the IBR, or NULL
    bool calls_returns_twice; // everything live at such a call stays in its own place (rega.c)
    bool is_variadic, is_noreturn, has_alloca, has_asm;
    bool is_inline, always_inline, no_inline;
    bool is_visited;       // by the walk over callees
    bool is_ready;         // optimised: may be copied into callers
    u32 size;              // then: instructions that count (inline.c)
    u32 in_stack_bytes;    // incoming named stack arguments
    IrLine line;           // where it is defined
    Arena *arena;
    struct IrModule *module;
};

// A pointer or an address inside initialised data.
typedef struct IrReloc {
    u64 offset;
    IrSym *sym;
    i64 addend;
    IrBlock *label; // &&label: then sym is its function
    bool is_cap;    // 16 bytes capability (purecap pointers, uintptr_t), else 8 bytes address
} IrReloc;

// A function or data object, defined here or only named.
struct IrSym {
    const char *name; // assembler name; unique among locals of the unit
    SrcPos pos;       // of the definition
    bool is_fn, is_local, is_weak, is_defined;
    bool is_const;    // read-only data
    bool is_used;     // keep though unreferenced
    bool is_noreturn, returns_twice;
    bool is_tls;      // always false: no threads
    u64 size;
    u32 align;
    const char *section; // NULL = by kind
    IrFn *fn;            // a defined function
    u8 *bytes;           // defined data: size bytes, or NULL = zero
    IrReloc *relocs;     // sorted by offset
    u32 n_relocs;
    u32 n_refs;          // from code and data that is kept; a local with none is dropped
    void *aux;           // the target's and linker's own
};

typedef struct IrModule {
    Arena *arena;
    CcAbi abi;
    CcProfile profile;
    int opt_level;
    IrType ptr_type; // IR_I64 or IR_CAP
    VEC(IrSym *) syms;
    VEC(const char *) file_asm; // asm("…"); at file scope
    const CcSource *const *files; // by IrLine.file
    u32 n_files;
} IrModule;

static inline SrcPos ir_src_pos(const IrModule *m, IrLine at)
{
    return at.no && at.file < m->n_files ? (SrcPos){m->files[at.file]->name, at.no, 0} : (SrcPos){0};
}

// ---- names (irdump.c)
const char *ir_op_name(IrOp op);
const char *ir_type_name(IrType t);
const char *ir_cond_name(IrCond c);
u32 ir_op_kinds(IrOp op); // IR_K_*
u32 ir_type_bytes(IrType t);
u32 ir_mem_bytes(IrMem m);
IrCond ir_cond_negate(IrCond c);
IrCond ir_cond_swap(IrCond c); // of exchanged operands
void ir_dump_fn(const IrFn *fn, Buf *out);
void ir_dump(const IrModule *m, Buf *out);

// ---- building and editing (ir.c)
IrFn *ir_fn_new(IrModule *m, IrSym *sym);
IrBlock *ir_block_new(IrFn *fn, const char *name);
u32 ir_slot_new(IrFn *fn, u64 size, u32 align, const char *name);
IrInsn *ir_insn_new(IrFn *fn, IrOp op, IrType type, u32 n_args); // not in a block yet
void ir_append(IrBlock *b, IrInsn *i);
void ir_insert_before(IrInsn *at, IrInsn *i);
void ir_insert_after(IrInsn *at, IrInsn *i);
void ir_remove(IrInsn *i); // out of its block; the value must have no strong use left
IrInsn *ir_const(IrFn *fn, IrType type, i64 v); // not in a block yet
// Edges. Phi args of a new edge are the caller's care; a removed edge takes its phi args along.
void ir_set_succs(IrFn *fn, IrBlock *b, u32 n, IrBlock *const *succs); // also adds to their preds
void ir_add_pred(IrFn *fn, IrBlock *b, IrBlock *pred);
void ir_remove_edge(IrBlock *from, u32 succ_index);
void ir_remove_pred(IrBlock *b, u32 index); // leaves the predecessor's succs alone
void ir_phi_append(IrFn *fn, IrInsn *phi, IrInsn *v); // an arg for the pred just added
u32 ir_pred_index(const IrBlock *b, const IrBlock *pred);
IrBlock *ir_split_edge(IrFn *fn, IrBlock *from, u32 succ_index); // the new block in between
static inline IrInsn *ir_term(const IrBlock *b) { return b->last; }
static inline bool ir_is(const IrInsn *i, IrOp op) { return i->op == op; }
static inline bool ir_is_const(const IrInsn *i, i64 *v)
{
    if (i->op != IR_CONST) return false;
    *v = i->imm;
    return true;
}

// ---- analyses (ir.c, live.c): recomputed on demand, cheap
void ir_renumber(IrFn *fn);     // dense block ids (by position) and value ids (in block order)
void ir_count_uses(IrFn *fn);   // n_uses
void ir_compute_rpo(IrFn *fn);  // drops unreachable blocks, sorts fn->blocks in reverse post-order and renumbers them
void ir_compute_dom(IrFn *fn);  // rpo and idom
bool ir_dominates(const IrBlock *a, const IrBlock *b); // after ir_compute_dom
void ir_compute_loops(IrFn *fn); // loop_depth, needs idom

// A value that is replaced becomes a COPY in place; whoever reads an arg looks through copies.
static inline IrInsn *ir_chase(IrInsn *v)
{
    while (v && v->op == IR_COPY) v = v->args[0];
    return v;
}
void ir_replace(IrInsn *i, IrInsn *by); // i becomes COPY by (a phi moves behind the phis)
void ir_chase_copies(IrFn *fn);         // all args look through; copies are then dead
bool ir_fold(const IrInsn *i, i64 *out); // value of an operation on constants, as CONST/FCONST imm of i's type
u64 ir_possible_bits(const IrInsn *v, u32 depth); // bits that may be one
bool ir_is_power_of_2(i64 v, u32 *log2);

// ---- passes (each file says what it does); they keep the CFG's edges right but not ids, orders or n_uses
bool ir_resolve_slot(const IrInsn *v, u32 *slot, i64 *off); // v = slot + off, seen through constant adds and bounds
bool ir_promote_slots(IrFn *fn);   // sroa.c, ssa.c: locals become values; true if any did
void ir_simplify(IrFn *fn);        // opt_simplify.c, opt_fold.c: constants, algebra, addresses, capabilities
void ir_number_values(IrFn *fn);   // opt_gvn.c: equal computations and loads become one
void ir_simplify_cfg(IrFn *fn);    // opt_cfg.c: constant and needless branches, blocks
void ir_convert_ifs(IrFn *fn);     // opt_ifconv.c: small diamonds become SELECTs
void ir_hoist_invariants(IrFn *fn); // opt_licm.c
void ir_sink_constants(IrFn *fn);  // opt_licm.c: cheap constants are made where they are used
void ir_make_tail_calls(IrFn *fn);  // opt_tail.c
void ir_rebase_addresses(IrFn *fn); // opt_rebase.c
u32 ir_fn_size(const IrFn *fn);   // inline.c: probes and what is free do not count
bool ir_inline_calls(IrFn *fn);    // inline.c: true if any was
void ir_remove_dead(IrFn *fn, bool is_last); // opt_dce.c: is_last also takes what only probes want
void ir_lower_switches(IrFn *fn);  // opt_switch.c: SWITCH → compares and jump tables
void ir_split_critical(IrFn *fn);  // opt_layout.c
void ir_layout(IrFn *fn);          // opt_layout.c: frequencies, final block order

// ---- verify.c: CHECKs the invariants above; `when` names the pass for the message
void ir_verify(IrFn *fn, const char *when);

// ---- the whole middle
struct CcUnit;
// AST → IR of a unit. False and *err on what the dialect does not have.
bool ir_lower(const struct CcUnit *unit, const CcOptions *opt, Arena *arena, IrModule *out, Err *err);
// All passes over all functions; afterwards: no SWITCH, NOP, COPY; critical edges into blocks with phis are split
// (except from the hub's IBR); blocks in layout order.
void ir_optimize(IrModule *m);

#endif
