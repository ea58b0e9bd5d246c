// vstruct.h: the data of loads and stores of structures (LD1 … ST4, LD1R …), between registers and checked host memory. Compiled once.
#ifndef CAPLAB_SIM_VSTRUCT_H
#define CAPLAB_SIM_VSTRUCT_H

#include "isa/isa.h"
#include "sim/cpu.h"

// op->aux: bytes of the access, log2 of an element's, kind, registers, index, Q, first register.
static inline u32 vstruct_aux(IsaVList v, u32 first, u32 q)
{
    return v.bytes | v.log2 << 7 | (u32)v.kind << 9 | v.regs << 11 | v.index << 14 | q << 18 | first << 19;
}
static inline u32 vstruct_bytes(u32 aux) { return aux & 0x7f; }
static inline u32 vstruct_element(u32 aux) { return 1U << (aux >> 7 & 3); } // bytes of one

void vstruct_load(Cpu *cpu, u32 aux, const u8 *from);
void vstruct_store(const Cpu *cpu, u32 aux, u8 *to);

#endif
