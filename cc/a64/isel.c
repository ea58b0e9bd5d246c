// a64/isel.c: what the hybrid target selects its own way: addresses are integers, globals are reached by ADRP + ADD.
#include "cc/target_impl.h"

void a64_select_global(Isel *s, IrInsn *v, MirReg dst)
{
    isel_emit2(s, T_ADDR, mir_def(dst, 8), mir_sym(v->sym, v->imm))->flags = MIR_F_REMAT;
}

// target_compile refuses capability values before selection (they would not survive calls: only 64 bits are callee-saved).
bool a64_select_cap(Isel *s, IrInsn *v)
{
    (void)s, (void)v;
    return false;
}

void a64_select_anon(Isel *s, const IrCall *call)
{
    (void)s, (void)call; // anonymous arguments travel like named ones
}

// SP -= size rounded up; the result lies above the area for outgoing arguments.
void a64_select_alloca(Isel *s, IrInsn *v, MirReg dst)
{
    MirReg rounded = isel_new(s, IR_I64), masked = isel_new(s, IR_I64);
    isel_emit3(s, T_ADD, mir_def(rounded, 8), isel_use_size(s, v->args[0], 8), mir_imm(15));
    isel_emit3(s, T_AND, mir_def(masked, 8), mir_use(rounded, 8), mir_imm(~15LL));
    isel_emit(s, T_SUBSP, 1)->ops[0] = mir_use(masked, 8);
    isel_emit(s, T_OUTAREA, 1)->ops[0] = mir_def(dst, 8);
}
