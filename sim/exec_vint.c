// exec_vint.c: the bodies of a64_vint.def: they call what stands in vint_*.c and go on. (They have a frame, so they are not named ex_.)
#include "sim/vint.h"

#define INSN(NAME, ...)                                                                                      \
    static const Op *call_##NAME(Cpu *cpu, const Op *op)                                                     \
    {                                                                                                        \
        ExecFn *const slow = call_##NAME;                                                                    \
        vint_##NAME(cpu, op);                                                                                \
        NEXT;                                                                                                \
    }                                                                                                        \
    EXEC_ROW(NAME, NULL, call_##NAME)
#include "isa/def/a64_vint.def"
#undef INSN
