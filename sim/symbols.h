// symbols.h: the names of an ELF's functions and objects, found by address or by name.
//
// A table is built once at load (sym_add for each, then sym_finish) and does not change afterwards.
#ifndef CAPLAB_SIM_SYMBOLS_H
#define CAPLAB_SIM_SYMBOLS_H

#include "base/arena.h"

typedef struct Sym {
    const char *name; // borrowed from the arena given to sym_add
    u64 start, size;  // start without the C64 bit
    bool is_func, is_c64;
} Sym;

typedef struct SymTable {
    VEC(Sym) by_addr; // ascending start; of one start the larger first
    u64 *reach;       // reach[i] = highest end of entries 0..i, so that a search backwards can stop
} SymTable;           // zero-initialised is empty

void sym_add(SymTable *t, Sym s);
void sym_finish(SymTable *t);
// The smallest symbol that covers addr; else, within 4 KiB, the nearest sizeless one below it (assembler labels). NULL = none.
const Sym *sym_at(const SymTable *t, u64 addr);
const Sym *sym_named(const SymTable *t, const char *name);
void sym_free(SymTable *t);

#endif
