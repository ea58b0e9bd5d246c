// exec_morello_cap.c: capability arithmetic.
#include "sim/exec.h"

// Cd|CSP := Cn|CSP + imm; a sealed source loses its tag (it is never REG_SMOOTH, so the slow instance sees to it).
EXEC_SLOW(ADD_C_CIS_C) { REG_ADD(RD, RN, IMM); NEXT; }
EXEC_SLOW(SUB_C_CIS_C) { REG_ADD(RD, RN, -IMM); NEXT; }
EXEC_SLOW(ADD_C_CRI_C) { REG_ADD(RD, RN, EXTENDED); NEXT; }
EXEC(CPY_C_C_C) { reg_copy(RD, RN); NEXT; }
