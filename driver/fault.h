// fault.h: a fault in words, in the pieces that the card and the JSON need.
#ifndef CAPLAB_DRIVER_FAULT_H
#define CAPLAB_DRIVER_FAULT_H

#include "driver/driver.h"
#include "driver/lines.h"

// Where code is, in the words of its symbols and line table.
typedef struct FaultPlace {
    u64 pc;
    char symbol[96]; // "poke+0x14", "" = unknown
    DrvLine line;    // of the source; file "" = unknown
} FaultPlace;

typedef struct FaultText {
    const char *kind;    // "capability bounds"
    char insn[96];       // "strb w1, [c0, x2]"
    FaultPlace at;
    bool has_caller;
    FaultPlace caller;   // the call that led to the function
    char reg[8];         // that the address came from: "C0", "CSP", "PCC"; under DDC "X0", "SP"; "" = none
    u64 base;            // its value, if it is an X register
    char authority[8];   // that allows the access: the same register, or "DDC"; "" = none
    char cap[128];       // the authority's value in shorthand
    char access[96];     // "1-byte store to 0x7ff…"
    char reason[192];    // "1 byte above the end of buf (16 bytes)"
} FaultText;

void drv_fault_text(const DrvSession *s, FaultText *out);

// "main+0x14" for an address; "" if no symbol covers it.
void drv_symbol_text(const Machine *m, u64 addr, char *out, size_t size);

#endif
