// fp.h: floating point in full: every FPCR mode, every NaN rule, every cumulative flag (Arm ARM shared/functions/float), in
// integer arithmetic. The bodies use the host's FPU while FPCR is 0 and the result is ordinary, and come here for the rest.
//
// While FPCR is 0, the host's own sticky flags collect what the fast bodies raise; fp_fold moves them to FPSR. Values are
// passed as their bits, by format.
#ifndef CAPLAB_SIM_FP_H
#define CAPLAB_SIM_FP_H

#include "sim/cpu.h"

typedef enum FpFormat { FP_S, FP_D, FP_H = 3 } FpFormat; // as ftype
typedef enum FpOp {
    FP_ADD, FP_SUB, FP_MUL, FP_DIV, FP_NMUL, FP_ABD, FP_MAX, FP_MIN, FP_MAXNM, FP_MINNM,
} FpOp;
// As FPCR.RMode, then the ones only instructions ask for.
typedef enum FpRounding { FP_NEAREST, FP_UP, FP_DOWN, FP_ZERO, FP_AWAY, FP_CURRENT } FpRounding;

enum { FPSR_IOC = 1, FPSR_DZC = 2, FPSR_OFC = 4, FPSR_UFC = 8, FPSR_IXC = 16, FPSR_IDC = 128 };

u64 fp_binary(Cpu *cpu, FpFormat f, FpOp op, u64 a, u64 b);
u64 fp_fma(Cpu *cpu, FpFormat f, u64 addend, u64 n, u64 m); // addend + n * m, rounded once
u64 fp_sqrt(Cpu *cpu, FpFormat f, u64 a);
u64 fp_round_int(Cpu *cpu, FpFormat f, u64 a, FpRounding r, bool tells_inexact);
// x * 2^fraction_bits to an integer of `bits` (32 or 64), saturating.
u64 fp_to_int(Cpu *cpu, FpFormat f, u64 a, u32 fraction_bits, FpRounding r, bool is_signed, u32 bits);
u64 fp_from_int(Cpu *cpu, FpFormat f, u64 magnitude, bool negative, u32 fraction_bits);
u64 fp_convert(Cpu *cpu, FpFormat from, FpFormat to, u64 a);
u32 fp_compare(Cpu *cpu, FpFormat f, u64 a, u64 b, bool signals_quiet); // NZCV

// The host's sticky flags: into FPSR and cleared; and cleared only (after host code that may have raised some).
void fp_fold(Cpu *cpu);
void fp_forget(void);

#endif
