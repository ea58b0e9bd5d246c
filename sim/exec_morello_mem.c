// exec_morello_mem.c: capability loads and stores. READ_CAP and WRITE_CAP do check, tag and (slow) filtering; bounds of what was
// loaded are decoded when it is first used.
#include "sim/exec.h"

EXEC_MEM(LDR_C_RUIB_C, 1)
{
    u64 addr = BASE + IMM;
    READ_CAP(addr, RD);
    NEXT;
}
EXEC_MEM(STR_C_RUIB_C, 1)
{
    u64 addr = BASE + IMM;
    WRITE_CAP(addr, RD);
    NEXT;
}
// With write-back: the base may be the register loaded, which then wins.
EXEC_MEM(LDR_C_RIAW_C, 1)
{
    u64 addr = BASE;
    Reg loaded;
    CHECK_WRITE_BACK(IMM);
    READ_CAP(addr, &loaded);
    WRITE_BACK(IMM);
    reg_copy_raw(RD, &loaded);
    NEXT;
}
