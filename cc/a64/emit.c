// a64/emit.c: operations that have a form of their own in hybrid code: addresses and indirect branches with X registers.
#include "cc/target_impl.h"

#include "cc/emit.h"

static void emit_table_jump(Emit *e, const MirInsn *i)
{
    const MirOpnd *o = i->ops;
    u32 base = emit_reg(&o[0]), offset = emit_reg(&o[1]);
    u32 table = emit_here(e) + 16;
    EMIT(e, ADR, .immhi = 16 / 4, .Rd = base);
    EMIT(e, LDRSW_R, .Rm = emit_reg(&o[2]), .option = 3, .S = 1, .Rn = base, .Rt = offset);
    EMIT(e, ADD_SR, .sf = 1, .Rm = offset, .Rn = base, .Rd = base);
    EMIT(e, BR, .Rn = base);
    emit_table(e, i, 3, table, 0);
}

bool a64_emit_insn(Emit *e, const MirInsn *i)
{
    const MirOpnd *o = i->ops;
    switch (i->op) {
    case T_ADDR:
        emit_reloc(e, LK_R_ADRP, o[1].sym, o[1].imm);
        EMIT(e, ADRP, .Rd = emit_reg(&o[0]));
        emit_reloc(e, LK_R_LO12, o[1].sym, o[1].imm);
        EMIT(e, ADD_I, .sf = 1, .Rn = emit_reg(&o[0]), .Rd = emit_reg(&o[0]));
        return true;
    case T_ADRP:
        emit_reloc(e, LK_R_ADRP, o[1].sym, o[1].imm);
        EMIT(e, ADRP, .Rd = emit_reg(&o[0]));
        return true;
    case T_LABEL:
        emit_branch(e, LK_R_ADR21, o[1].block, NULL);
        EMIT(e, ADR, .Rd = emit_reg(&o[0]));
        return true;
    case T_BR: EMIT(e, BR, .Rn = emit_reg(&o[0])); return true;
    case T_BLR: EMIT(e, BLR, .Rn = emit_reg(&o[0])); return true;
    case T_TAILR:
        frame_leave(e);
        EMIT(e, BR, .Rn = emit_reg(&o[0]));
        return true;
    case T_RET:
        frame_leave(e);
        EMIT(e, RET, .Rn = T_LR);
        return true;
    case T_JTAB: emit_table_jump(e, i); return true;
    case T_SUBSP: EMIT(e, SUB_ER, .sf = 1, .Rm = emit_reg(&o[0]), .option = 3, .Rn = 31, .Rd = 31); return true;
    default: return false;
    }
}
