// sroa.h: between sroa.c (which slots, cut into which pieces, can live in registers) and ssa.c (puts them there).
#ifndef CAPLAB_CC_SROA_H
#define CAPLAB_CC_SROA_H

#include "cc/ir.h"

typedef struct SlotPiece {
    i64 off;
    u8 mem;  // IrMem
    u8 type; // IrType of the variable
    bool is_signed, is_mixed_sign; // of the loads of M8, M16
    bool is_loaded;
    u32 var; // dense number
} SlotPiece;

typedef struct SlotInfo {
    bool is_bad;  // escapes, is volatile, or is accessed in overlapping ways: stays in memory
    bool is_copied_in, is_copied_out;
    SlotPiece *pieces;
    u32 n_pieces, cap_pieces;
} SlotInfo;

// Analyses all slots, replaces copies and zeroing of promotable ones by loads and stores of their pieces, and
// rewrites every access with a known slot to base SLOT + constant. Returns the number of variables; info has fn->n_slots entries.
u32 sroa_split(IrFn *fn, SlotInfo *info);
SlotPiece *sroa_find(SlotInfo *s, i64 off, u32 bytes);

#endif
