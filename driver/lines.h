// lines.h: the source line of an instruction, from the program's own line table (DWARF 2 to 5: caplab's compiler and assembler, gcc -g, clang -g).
#ifndef CAPLAB_DRIVER_LINES_H
#define CAPLAB_DRIVER_LINES_H

#include "base/buf.h"

typedef struct DrvLine {
    char file[256]; // as the compiler was given it; "" = unknown
    u32 line;
} DrvLine;

// False: the ELF has no line table, or no line for this address. A damaged table is no error: it names no lines from there on.
bool drv_line_at(const Buf *elf, u64 addr, DrvLine *out);
// All rows of the table: the instructions from start up to end are of this line. In the table's order.
typedef void (*DrvLineFn)(void *ctx, u64 start, u64 end, const DrvLine *line);
void drv_each_line(const Buf *elf, DrvLineFn fn, void *ctx);

#endif
