// lk.h: a linkable unit: one translation unit between code generation (or the assembler) and the linker: sections, symbols, relocations.
//
// Every function and every object has a section of its own, so that the linker can leave out what nothing refers to and
// can give each object exact bounds. It never becomes a file; the linker takes an array of them.
//
//     LkSection *s = lk_section(o, ".data.counter", LK_WRITE, 8);
//     u32 sym = lk_symbol(o, "counter", pos);                 // finds or makes it
//     lk_define(o, sym, s, 0, 8, LK_OBJECT, err);
//     lk_reloc(s, 0, LK_R_ABS64, other, 0);
#ifndef CAPLAB_CC_LK_H
#define CAPLAB_CC_LK_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/notes.h"

// Section flags; the output section follows from them and from the name (.note.* leaves the address space).
enum {
    LK_WRITE = 1,  // in the writable segment
    LK_EXEC = 2,   // code
    LK_BSS = 4,    // no bytes in the file
    LK_RELRO = 8,  // constant but for start-up relocation: writable memory, read-only capabilities
    LK_MERGE = 16, // equal contents may share one address (string literals)
    LK_KEEP = 32,  // a root: never left out
    LK_NOTE = 64,  // not loaded; found through PT_NOTE
};

// Relocations: LK_RELOCS(X): name, bytes patched, what goes where (S symbol, A addend, P place)
#define LK_RELOCS(X)                                                                                        \
    X(ABS64, 8, "S+A (code: with the C64 bit)")                                                              \
    X(ABS32, 4, "S+A, 32 bits")                                                                              \
    X(PREL32, 4, "S+A-P, 32 bits")                                                                           \
    X(DIFF32, 4, "S+A-minus, 32 bits: distance of two labels")                                               \
    X(DIFF64, 8, "S+A-minus")                                                                           \
    X(CALL26, 4, "BL or B")                                                                                  \
    X(BRANCH19, 4, "B.cond, CBZ, CBNZ, LDR (literal)")                                                        \
    X(BRANCH14, 4, "TBZ, TBNZ")                                                                              \
    X(ADR21, 4, "ADR")                                                                                       \
    X(ADRP, 4, "ADRP: page of S+A")                                                                          \
    X(LO12, 4, "ADD, or load/store offset scaled by the access: low 12 bits of S+A")                         \
    X(GOT_PAGE, 4, "ADRP: page of the capability table slot of S")                                           \
    X(GOT_LO12, 4, "LDR C: low 12 bits of the slot")                                                         \
    X(CAP, 16, "a capability to S, at offset A; start-up code writes it")
typedef enum LkRelocKind {
#define X(name, bytes, text) LK_R_##name,
    LK_RELOCS(X)
#undef X
        LK_R_COUNT
} LkRelocKind;

// A line of the sources. line 0 = unknown.
typedef struct LkPlace {
    const char *file; // borrowed for as long as the unit lives
    u32 line;
} LkPlace;

// The code from `offset` on is from this line.
typedef struct LkLine {
    u32 offset;
    LkPlace at;
} LkLine;

typedef struct LkReloc {
    u32 offset; // in the section
    u32 symbol; // index into LkUnit.symbols
    u32 minus;  // DIFF: the other symbol
    u16 kind;   // LkRelocKind
    LkPlace at; // for errors
    i64 addend;
} LkReloc;

typedef struct LkSection {
    const char *name;
    u32 index; // in LkUnit.sections
    u32 flags;
    u32 align;     // power of two
    Buf data;      // empty if LK_BSS
    u64 bss_bytes; // size if LK_BSS
    VEC(LkReloc) relocs;
    VEC(LkLine) lines; // of code, ascending offsets
    const struct LkUnit *unit; // it belongs to
    // the linker's
    bool is_live;
    u64 addr;                 // address, or file offset of a note
    struct LkSection *alias; // the equal section that stands for this one
} LkSection;

typedef enum LkSymbolType { LK_NOTYPE, LK_OBJECT, LK_FUNC } LkSymbolType;

typedef struct LkSymbol {
    const char *name;
    LkSection *section; // NULL: undefined (or absolute)
    u64 value, size;     // offset in the section
    u8 type;             // LkSymbolType
    bool is_global, is_weak, is_abs, is_defined;
    bool is_asm, bind_said;  // a label of the assembler; .globl, .weak or .local was given
    bool is_label;           // a place inside a function (&&label): code, but not a function
    SrcPos pos;              // definition, or first use
    struct LkSymbol *found; // the linker's: the definition this reference means
} LkSymbol;

// One place of one probe (base/notes.h). The linker writes its note if the function is in the program.
typedef struct LkProbe {
    const char *name;
    LkSection *section;
    u64 offset; // of the instruction it fires before
    u32 n_args;
    NoteProbeArg args[8];
    u32 arg_symbol[8]; // NOTE_ARG_CONST: symbol whose address is added to the value, or LK_NO_SYMBOL
} LkProbe;
enum { LK_NO_SYMBOL = UINT32_MAX };

typedef struct LkUnit {
    const char *name; // of the source
    bool is_library;  // what it defines yields to the program's definitions
    Arena arena;
    VEC(LkSection *) sections;
    VEC(LkSymbol *) symbols;
    VEC(LkProbe) probes;
    void *by_name; // hash of names
} LkUnit;

void lk_init(LkUnit *o, const char *name); // name borrowed until lk_free
void lk_free(LkUnit *o);

// A new section. Names need not be unique; align is a power of two.
LkSection *lk_section(LkUnit *o, const char *name, u32 flags, u32 align);
u64 lk_section_bytes(const LkSection *s);
// The flags that a section name implies: ".text.x" is code, ".data", ".bss", ".note.", the rest read-only data.
u32 lk_flags_of_name(const char *name);

// The symbol called `name`, made undefined and global if it is new. Local names (static, .L) are the caller's to make
// unique (lk_local).
u32 lk_symbol(LkUnit *o, const char *name, SrcPos pos);
u32 lk_local(LkUnit *o, const char *name, SrcPos pos); // always a new one
// Places a symbol. Error if it has a place already.
bool lk_define(LkUnit *o, u32 symbol, LkSection *s, u64 value, u64 size, LkSymbolType type, SrcPos pos, Err *err);
void lk_reloc(LkSection *s, u64 offset, LkRelocKind kind, u32 symbol, i64 addend, LkPlace at);
void lk_line(LkSection *s, u64 offset, LkPlace at); // offsets do not fall

#endif
