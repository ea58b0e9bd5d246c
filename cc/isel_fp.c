// isel_fp.c: scalar floating point, and the ways between the two register files.
#include "cc/isel.h"

static const struct {
    u16 ir;
    u16 op;
    u8 n_args;
} simple[] = {
    {IR_FADD, T_FADD, 2},      {IR_FSUB, T_FSUB, 2},    {IR_FMUL, T_FMUL, 2},    {IR_FDIV, T_FDIV, 2},
    {IR_FNEG, T_FNEG, 1},      {IR_FABS, T_FABS, 1},    {IR_FSQRT, T_FSQRT, 1},  {IR_FFLOOR, T_FRINTM, 1},
    {IR_FCEIL, T_FRINTP, 1},   {IR_FTRUNCI, T_FRINTZ, 1}, {IR_FRINT, T_FRINTX, 1}, {IR_FROUND, T_FRINTA, 1},
    {IR_FCVT, T_FCVT, 1},      {IR_SITOF, T_SCVTF, 1},  {IR_UITOF, T_UCVTF, 1},  {IR_FTOSI, T_FCVTZS, 1},
    {IR_FTOUI, T_FCVTZU, 1},   {IR_BITS, T_FBITS, 1},
};

bool isel_float(Isel *s, IrInsn *v)
{
    for (u32 i = 0; i < ARRAY_LEN(simple); i++) {
        if (simple[i].ir != v->op) continue;
        MirOpnd a = isel_use(s, v->args[0]), d = mir_def(isel_reg(s, v), isel_size(v));
        if (simple[i].n_args == 2)
            isel_emit3(s, simple[i].op, d, a, isel_use(s, v->args[1]));
        else
            isel_emit2(s, simple[i].op, d, a);
        return true;
    }
    return false;
}
