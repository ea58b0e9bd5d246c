// exec_morello_branch.c: branches to capabilities. GOTO_CAP looks for value and upper word in a cache of blocks; a branch taken
// before costs two compares, whatever its bounds and seal.
#include "sim/exec.h"

EXEC(BR_C_C) { GOTO_CAP(RN->value, reg_meta(RN), RN); }
EXEC(RET_C_C) { GOTO_CAP(RN->value, reg_meta(RN), RN); }
EXEC(BLR_C_C)
{
    // The target may be C30, which is written.
    reg_copy(&cpu->branch_target, RN);
    reg_copy(&cpu->r[30], &op->block->lr);
    GOTO_CAP(cpu->branch_target.value, reg_meta(&cpu->branch_target), &cpu->branch_target);
}
