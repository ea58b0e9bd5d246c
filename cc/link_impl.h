// link_impl.h: what link.c (which sections, where) and link_out.c (relocations, ELF file) share.
#ifndef CAPLAB_CC_LINK_IMPL_H
#define CAPLAB_CC_LINK_IMPL_H

#include "cc/link.h"

// Output sections in address order. LINK_OUTS(X): NAME, name in the file, writable, executable
#define LINK_OUTS(X)                                                                                         \
    X(TEXT, ".text", 0, 1)                                                                                   \
    X(RODATA, ".rodata", 0, 0)                                                                               \
    X(CAP_RELOCS, "__cap_relocs", 0, 0)                                                                      \
    X(GOT, ".got", 1, 0)                                                                                     \
    X(RELRO, ".data.rel.ro", 1, 0)                                                                           \
    X(DATA, ".data", 1, 0)                                                                                   \
    X(BSS, ".bss", 1, 0)
typedef enum LinkOutKind {
#define X(NAME, name, w, x) LINK_OUT_##NAME,
    LINK_OUTS(X)
#undef X
        LINK_OUT_COUNT
} LinkOutKind;

typedef struct LinkOut {
    VEC(LkSection *) parts;
    u64 addr, size, align;
    u64 offset; // in the file
} LinkOut;

typedef struct LinkCapReloc {
    u64 location;
    const LkSymbol *target;
    i64 addend;
} LinkCapReloc;

typedef struct Link {
    LkUnit *const *units;
    u32 n_units;
    CcAbi abi;
    Err *err;
    Arena arena;
    void *globals; // hash: name → definition
    VEC(LkSection *) live; // also the work list
    VEC(LkSection *) notes;
    LinkOut outs[LINK_OUT_COUNT];
    void *got; // hash: symbol → slot
    VEC(const LkSymbol *) got_slots;
    VEC(LinkCapReloc) cap_relocs;
    u64 pcc_bytes; // length of the code capabilities' range, from LINK_BASE
    const LkSymbol *entry;
} Link;

enum { LINK_BASE = 0x400000, LINK_PAGE = 0x10000, LINK_CAP_RELOC_BYTES = 40 };

bool link_fail(Link *l, const LkUnit *unit, const LkSymbol *sym, const char *fmt, ...) PRINTF_LIKE(4, 5);
LkSymbol *link_find(const Link *l, const char *name); // the definition that a global name means, or NULL
u64 link_symbol_addr(const LkSymbol *definition); // bit 0 clear
bool link_is_code(const LkSymbol *definition);
u64 link_got_slot(Link *l, const LkSymbol *definition); // address of its slot
bool link_relocate(Link *l);  // link_reloc.c: patches every live section
void link_write(Link *l, Buf *out); // link_out.c

// link_dwarf.c: which address is from which line, as debuggers read it (DWARF 4).
typedef struct LinkDwarf {
    Buf line, info, abbrev; // sections .debug_line, .debug_info, .debug_abbrev
} LinkDwarf;
void link_dwarf(const Link *l, LinkDwarf *out);
void link_dwarf_free(LinkDwarf *d);

#endif
