// isa.h: what an instruction is. One table (isa/def/*.def), and from it: decode, encode, assemble, disassemble.
//
// A row:
//     INSN(ADD_I, "sf 0 0 100010 sh imm12 Rn Rd", "add {Rd|SP}, {Rn|SP}, {imm12<<sh}", ALU, PLAN, GUARD, FLAGS)
// pattern: msb first; a word that is not 0/1 is a field of fields.def, and the widths add up to 32.
// The index over all rows is built once and then immutable (isa_init is idempotent, called by every entry point that needs it).
//
// The same word can mean other registers by PSTATE.C64 (base Xn or Cn), so everything takes the state.
#ifndef CAPLAB_ISA_ISA_H
#define CAPLAB_ISA_ISA_H

#include "base/base.h"
#include "base/err.h"

typedef enum IsaRow {
    ISA_NONE, // no row: UNDEFINED, or an instruction this build does not have
#define INSN(name, ...) ISA_##name,
#include "isa/def/all.def"
#undef INSN
    ISA_ROW_COUNT
} IsaRow;

// Field values by name, one member per row of fields.def: (IsaFields){.sf = 1, .Rd = 0, .Rn = 1, .imm12 = 8}.
typedef struct IsaFields {
#define FIELD(name, width, ...) u32 name;
#include "isa/def/fields.def"
#undef FIELD
} IsaFields;

typedef struct IsaInsn {
    u16 row; // IsaRow
    bool c64;
    u32 word;
    IsaFields f;
} IsaInsn;

// Encodes; a field that does not fit its width is a CHECK. cc builds every instruction with it.
u32 isa_encode(IsaRow row, IsaFields f);
#define ISA_WORD(ROW, ...) isa_encode(ISA_##ROW, (IsaFields){__VA_ARGS__})

// Decodes a word; false = no row (or reserved pattern), *out then has row ISA_NONE.
bool isa_decode(u32 word, bool c64, IsaInsn *out);
// Loads and stores: log2 of the bytes of one access (a pair has two of them): what scaled offsets count in.
u32 isa_access_log2(const IsaInsn *in);
IsaRow isa_find_row(u32 word, bool c64); // without the fields; the fast way
// Vector shifts: log2 of the bytes of the element that immh:immb names.
static inline u32 isa_shift_log2(u32 immhb) { return immhb >> 3 ? 31U - (u32)__builtin_clz(immhb >> 3) : 0; }
// Loads and stores of structures (LD1 … ST4, LD1R …): what goes where.
typedef enum IsaVListKind {
    ISA_VLIST_WHOLE, // registers one after the other
    ISA_VLIST_WOVEN, // element 0 of all registers, then element 1 …
    ISA_VLIST_LANE,  // one element of each register
    ISA_VLIST_ALL,   // one element to all lanes of each register
} IsaVListKind;
typedef struct IsaVList {
    IsaVListKind kind;
    u32 regs, log2, index, bytes; // log2 of an element's bytes; its index (LANE); of the whole access
} IsaVList;
IsaVList isa_vlist(const IsaInsn *in);

// "add x0, x1, #8": the manual's preferred form; pc makes branch targets absolute. UNDEFINED prints ".inst 0x…".
void isa_disassemble(u32 word, bool c64, u64 pc, char *out, size_t size);
// One line of assembler text to a word. Errors carry the column and the nearest valid form.
bool isa_assemble(const char *line, bool c64, u64 pc, u32 *word, Err *err);

// What a row says besides its bits.
typedef struct IsaRowInfo {
    const char *name, *pattern, *syntax;
    const char *mnemonic; // of the syntax, up to the first blank
    u8 cls;               // IsaClass
    u8 plan;              // IsaPlan
    u8 guard;             // IsaGuard: which words of the pattern are reserved
    u32 flags;            // ISA_F_*
} IsaRowInfo;
const IsaRowInfo *isa_row_info(IsaRow row);

// Classes: what the timing model, the statistics and the colours ask for. ISA_CLASSES(X): NAME, meaning
#define ISA_CLASSES(X)                                                                                       \
    X(ALU, "integer arithmetic and logic") X(MUL, "multiply") X(DIV, "divide") X(BRANCH, "branches")           \
    X(LOAD, "loads") X(STORE, "stores") X(CAPLOAD, "capability loads") X(CAPSTORE, "capability stores")        \
    X(ATOMIC, "atomics and exclusives") X(CAP, "capability arithmetic") X(FP, "scalar floating point")        \
    X(SIMD, "vector") X(TAG, "memory tagging") X(SYS, "system")
typedef enum IsaClass {
#define X(name, text) ISA_CLS_##name,
    ISA_CLASSES(X)
#undef X
        ISA_CLS_COUNT
} IsaClass;

// Flags: ISA_FLAGS(X): bit, NAME, meaning
#define ISA_FLAGS(X)                                                                                         \
    X(0, LD1, "one load access") X(1, LD2, "two load accesses") X(2, ST1, "one store access")                  \
    X(3, ST2, "two store accesses") X(4, CAP, "the accesses are of capabilities")                              \
    X(5, END, "ends a block: what follows may not be the next instruction") X(6, CALL, "writes a link register") \
    X(7, RETURN, "returns from a call") X(8, SETS_NZCV, "writes NZCV") X(9, READS_NZCV, "depends on NZCV")     \
    X(10, MORELLO, "capability instruction (CPACR.CEN)") X(11, FP, "floating point or vector (CPACR.FPEN)")    \
    X(12, ALT, "alternate base: Cn|CSP in A64 state, Xn|SP in C64 state")
enum {
#define X(bit, name, text) ISA_F_##name = 1 << (bit),
    ISA_FLAGS(X)
#undef X
};

// Operand plans (def/plans.def) and guards (def/guards.def).
typedef enum IsaPlan {
#define PLAN(name, ...) ISA_PLAN_##name,
#include "isa/def/plans.def"
#undef PLAN
    ISA_PLAN_COUNT
} IsaPlan;
typedef enum IsaGuard {
#define GUARD(name, ...) ISA_GUARD_##name,
#include "isa/def/guards.def"
#undef GUARD
} IsaGuard;

// Immediates that are not plain numbers.
// Bitmask immediate of AND, ORR, EOR: false if the value is not one; else sets N, immr, imms.
bool isa_encode_bitmask(u64 value, bool is_64, IsaFields *f);
u64 isa_decode_bitmask(u32 N, u32 immr, u32 imms, bool is_64);
// FMOV's 8-bit floating-point immediate.
bool isa_encode_fp_imm(double value, u32 *imm8);
double isa_decode_fp_imm(u32 imm8);

#endif
