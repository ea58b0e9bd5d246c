// fault.h: a fault in words, in the pieces that the card and the JSON need.
#ifndef CAPLAB_DRIVER_FAULT_H
#define CAPLAB_DRIVER_FAULT_H

#include "driver/driver.h"

typedef struct FaultText {
    const char *kind;    // "capability bounds"
    char insn[96];       // "strb w1, [c0, x2]"
    char symbol[96];     // "poke+0x14", "" = unknown
    char reg[8];         // "C0", "CSP", "DDC", "PCC", "" = none
    char cap[128];       // its value in shorthand
    char access[96];     // "1-byte store to 0x7ff…"
    char reason[192];    // "1 byte above the end of buf (16 bytes)"
} FaultText;

void drv_fault_text(const DrvSession *s, FaultText *out);

// "main+0x14" for an address; "" if no symbol covers it.
void drv_symbol_text(const Machine *m, u64 addr, char *out, size_t size);

#endif
