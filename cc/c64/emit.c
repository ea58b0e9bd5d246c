// c64/emit.c: operations that have a form of their own in purecap code: everything that makes or follows a capability.
//
// C64 code addresses have bit 0 set: a label's address is its place + 1, so that BR stays in C64 state.
#include "cc/target_impl.h"

#include "cc/emit.h"

static void emit_table_jump(Emit *e, const MirInsn *i)
{
    const MirOpnd *o = i->ops;
    u32 base = emit_reg(&o[0]), offset = emit_reg(&o[1]);
    u32 table = emit_here(e) + 16;
    EMIT(e, ADR, .immhi = 16 / 4, .Rd = base);
    EMIT(e, LDRSW_R, .Rm = emit_reg(&o[2]), .option = 3, .S = 1, .Rn = base, .Rt = offset);
    EMIT(e, ADD_C_CRI_C, .Rm = offset, .option = 3, .Rn = base, .Rd = base);
    EMIT(e, BR_C_C, .Rn = base);
    emit_table(e, i, 3, table, 1);
}

static void emit_global(Emit *e, const MirOpnd *o)
{
    u32 rd = emit_reg(&o[0]);
    i64 imm = o[1].imm;
    emit_reloc(e, LK_R_GOT_PAGE, o[1].sym, 0);
    EMIT(e, ADRP, .immhi = 1u << 18, .Rd = rd);
    emit_reloc(e, LK_R_GOT_LO12, o[1].sym, 0);
    EMIT(e, LDR_C_RUIB_C, .Rn = rd, .Rt = rd);
    if (imm) emit_add_sp(e, rd, rd, imm);
}

// ADD and SUB of a capability: an immediate or an extended register.
static void emit_increment(Emit *e, const MirInsn *i)
{
    const MirOpnd *o = i->ops, *m = &o[2];
    u32 rd = emit_reg(&o[0]), rn = emit_reg(&o[1]);
    if (m->kind == MIR_IMM) {
        emit_add_sp(e, rd, rn, i->op == T_SUB ? -m->imm : m->imm);
        return;
    }
    u32 option = m->aux >= T_MOD_UXTB ? (u32)(m->aux - T_MOD_UXTB) : 3;
    EMIT(e, ADD_C_CRI_C, .Rm = emit_reg(m), .option = option, .imm3 = m->aux ? (u32)m->imm : 0, .Rn = rn, .Rd = rd);
}

static const struct {
    u16 op, row;
    bool is_compare; // no destination
} cap_rows[] = {
    {T_SCVALUE, ISA_SCVALUE_C_CR_C, 0}, {T_SCOFF, ISA_SCOFF_C_CR_C, 0},   {T_SCFLGS, ISA_SCFLGS_C_CR_C, 0},
    {T_SCBNDSE, ISA_SCBNDSE_C_CR_C, 0}, {T_CLRPERM, ISA_CLRPERM_C_CR_C, 0}, {T_CLRTAG, ISA_CLRTAG_C_C_C, 0},
    {T_SEAL, ISA_SEAL_C_CC_C, 0},       {T_UNSEAL, ISA_UNSEAL_C_CC_C, 0}, {T_BUILD, ISA_BUILD_C_C_C, 0},
    {T_CPYTYPE, ISA_CPYTYPE_C_C_C, 0},  {T_GCPERM, ISA_GCPERM_R_C_C, 0},  {T_GCBASE, ISA_GCBASE_R_C_C, 0},
    {T_GCLEN, ISA_GCLEN_R_C_C, 0},      {T_GCOFF, ISA_GCOFF_R_C_C, 0},    {T_GCTAG, ISA_GCTAG_R_C_C, 0},
    {T_GCSEAL, ISA_GCSEAL_R_C_C, 0},    {T_GCTYPE, ISA_GCTYPE_R_C_C, 0},  {T_GCFLGS, ISA_GCFLGS_R_C_C, 0},
    {T_RRLEN, ISA_RRLEN_R_R_C, 0},      {T_RRMASK, ISA_RRMASK_R_R_C, 0},  {T_CHKEQ, ISA_CHKEQ___CC_C, 1},
    {T_CHKSS, ISA_CHKSS___CC_C, 1},
};

static bool emit_capability(Emit *e, const MirInsn *i)
{
    for (u32 k = 0; k < ARRAY_LEN(cap_rows); k++) {
        if (cap_rows[k].op != i->op) continue;
        IsaFields f = {0};
        u32 n = 0;
        if (!cap_rows[k].is_compare) f.Rd = emit_reg(&i->ops[n++]);
        f.Rn = emit_reg(&i->ops[n++]);
        if (n < i->n_ops) f.Rm = emit_reg(&i->ops[n]);
        emit_word(e, isa_encode(cap_rows[k].row, f));
        return true;
    }
    return false;
}

static void emit_bounds(Emit *e, const MirOpnd *o)
{
    u32 rd = emit_reg(&o[0]), rn = emit_reg(&o[1]);
    if (o[2].kind != MIR_IMM)
        EMIT(e, SCBNDS_C_CR_C, .Rm = emit_reg(&o[2]), .Rn = rn, .Rd = rd);
    else if (o[2].imm < 64)
        EMIT(e, SCBNDS_C_CI_C, .imm6 = (u32)o[2].imm, .Rn = rn, .Rd = rd);
    else
        EMIT(e, SCBNDS_C_CI_S, .imm6 = (u32)o[2].imm / 16, .Rn = rn, .Rd = rd);
}

bool c64_emit_insn(Emit *e, const MirInsn *i)
{
    const MirOpnd *o = i->ops;
    switch (i->op) {
    case T_MOV:
        if (o[0].size != 16) return false;
        EMIT(e, CPY_C_C_C, .Rn = emit_reg(&o[1]), .Rd = emit_reg(&o[0]));
        return true;
    case T_ADD: case T_SUB:
        if (o[0].size != 16) return false;
        emit_increment(e, i);
        return true;
    case T_CSEL:
        if (o[0].size != 16) return false;
        EMIT(e, CSEL_C_CI_C, .Rm = emit_reg(&o[2]), .cond = (u32)o[3].imm, .Rn = emit_reg(&o[1]), .Rd = emit_reg(&o[0]));
        return true;
    case T_ADDR: emit_global(e, o); return true;
    case T_LABEL:
        emit_branch(e, LK_R_ADR21, o[1].block, NULL);
        EMIT(e, ADR, .immlo = 1, .Rd = emit_reg(&o[0]));
        return true;
    case T_SCBNDS: emit_bounds(e, o); return true;
    case T_SEALRB: EMIT(e, SEAL_C_CI_C, .form = 1, .Rn = emit_reg(&o[1]), .Rd = emit_reg(&o[0])); return true;
    case T_LDCT: EMIT(e, LDCT_R_R__, .Rn = emit_reg(&o[1]), .Rt = emit_reg(&o[0])); return true;
    case T_MRSDDC: EMIT(e, MRS_C_I_C, .o0 = 1, .op1 = 3, .CRn = 4, .CRm = 1, .op2 = 1, .Rt = emit_reg(&o[0])); return true;
    case T_ADRPCC: EMIT(e, ADR, .Rd = emit_reg(&o[0])); return true;
    case T_BR: EMIT(e, BR_C_C, .Rn = emit_reg(&o[0])); return true;
    case T_BLR: EMIT(e, BLR_C_C, .Rn = emit_reg(&o[0])); return true;
    case T_TAILR:
        frame_leave(e);
        EMIT(e, BR_C_C, .Rn = emit_reg(&o[0]));
        return true;
    case T_RET:
        frame_leave(e);
        EMIT(e, RET_C_C, .Rn = T_LR);
        return true;
    case T_JTAB: emit_table_jump(e, i); return true;
    case T_SETSP: {
        u32 rm = emit_reg(&o[0]);
        if (e->frame.out_bytes) {
            emit_constant(e, T_SCRATCH, true, e->frame.out_bytes);
            EMIT(e, SUB_SR, .sf = 1, .Rm = T_SCRATCH, .Rn = rm, .Rd = T_SCRATCH);
            rm = T_SCRATCH;
        }
        EMIT(e, SCVALUE_C_CR_C, .Rm = rm, .Rn = 31, .Rd = 31);
        return true;
    }
    default: return emit_capability(e, i);
    }
}
