// codegen.h: the back end's entry: an optimised module in, sections, symbols and relocations out.
#ifndef CAPLAB_CC_CODEGEN_H
#define CAPLAB_CC_CODEGEN_H

#include "cc/ir.h"
#include "cc/lk.h"

// out is initialised by the caller. Errors: asm() texts, a frame that is too large, symbols defined twice.
bool codegen_module(IrModule *m, const CcOptions *opt, const char *file, LkUnit *out, Err *err);
// The machine code of every function, before and after register allocation, as text.
bool codegen_dump(IrModule *m, Buf *out);

#endif
