// vreg.h: the V registers as the bodies see them.
#ifndef CAPLAB_SIM_VREG_H
#define CAPLAB_SIM_VREG_H

#include "sim/exec.h"

typedef struct VReg {
    u64 lo, hi;
} VReg;
static ALWAYS_INLINE VReg *vreg(Cpu *cpu, u16 offset) { return (VReg *)(void *)((char *)cpu + offset); }
#define VD vreg(cpu, op->d)
#define VN vreg(cpu, op->n)
#define VM vreg(cpu, op->m)
#define VA vreg(cpu, op->a)

static ALWAYS_INLINE void set_v(VReg *r, u64 lo) { r->lo = lo, r->hi = 0; } // a scalar result clears the rest

#endif
