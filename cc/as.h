// as.h: the assembler: .s files and asm() texts into a linkable unit. One line's instruction is isa_assemble's work; here
// are labels, directives, expressions and the operands that need a relocation.
//
//     .section .text.f        1: cbz x0, 2f            adrp c0, :got:table
//     .globl f                   sub x0, x0, #1        ldr  c0, [c0, :got_lo12:table]
//     .type f, %function         b 1b                  add  x1, x1, :lo12:buffer+4
//     f:                      2: ret                   .chericap table+16
//
// Directives: as_directives.def. Comments: //, /* */, and # as first character. Statements end at a newline or ';'.
#ifndef CAPLAB_CC_AS_H
#define CAPLAB_CC_AS_H

#include "cc/cc.h"
#include "cc/lk.h"

// Assembles a whole file into u (initialised by the caller).
bool as_file(const CcSource *source, CcAbi abi, LkUnit *u, Err *err);

// Assembles an asm() text at the end of section s (NULL: .text). pos is where the asm() stands.
bool as_text(const char *text, SrcPos pos, CcAbi abi, LkUnit *u, LkSection *s, Err *err);

#endif
