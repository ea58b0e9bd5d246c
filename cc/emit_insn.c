// emit_insn.c: one machine operation to words: what A64 and C64 have in common.
#include "cc/emit.h"

#include "base/bits.h"

static bool is_64(const MirOpnd *o) { return o->size >= 8; }

// ---- constants

static u32 count_halves(u64 v, u32 halves, u32 value)
{
    u32 n = 0;
    for (u32 i = 0; i < halves; i++) n += (v >> 16 * i & 0xffff) == value;
    return n;
}

void emit_constant(Emit *e, u32 reg, bool wide, u64 v)
{
    u32 halves = wide ? 4 : 2;
    if (!wide) v = (u32)v;
    u32 zeros = count_halves(v, halves, 0), ones = count_halves(v, halves, 0xffff);
    IsaFields f = {.sf = wide, .Rn = 31, .Rd = reg};
    bool is_single = zeros >= halves - 1 || ones >= halves - 1;
    if (!is_single && isa_encode_bitmask(v, wide, &f)) {
        emit_word(e, isa_encode(ISA_ORR_I, f));
        return;
    }
    bool inverted = ones > zeros;
    u32 skip = inverted ? 0xffff : 0;
    bool first = true;
    for (u32 i = 0; i < halves; i++) {
        u32 half = (u32)(v >> 16 * i) & 0xffff;
        bool last_chance = first && i == halves - 1;
        if (half == skip && !last_chance) continue;
        if (!first)
            EMIT(e, MOVK, .sf = wide, .hw = i, .imm16 = half, .Rd = reg);
        else if (inverted)
            EMIT(e, MOVN, .sf = wide, .hw = half == 0xffff ? 0 : i, .imm16 = half ^ 0xffff, .Rd = reg);
        else
            EMIT(e, MOVZ, .sf = wide, .hw = half ? i : 0, .imm16 = half, .Rd = reg);
        first = false;
    }
}

static void emit_float_constant(Emit *e, const MirInsn *i)
{
    u32 rd = emit_reg(&i->ops[0]), type = is_64(&i->ops[0]);
    u64 bits = (u64)i->ops[1].imm;
    if (bits == 0) {
        EMIT(e, FMOV_GF, .sf = type, .ftype = type, .Rn = 31, .Rd = rd);
        return;
    }
    double value;
    float single;
    u32 low = (u32)bits, imm8;
    memcpy(&single, &low, sizeof single);
    memcpy(&value, &bits, sizeof value);
    if (isa_encode_fp_imm(type ? value : (double)single, &imm8)) {
        EMIT(e, FMOV_I, .ftype = type, .imm8 = imm8, .Rd = rd);
        return;
    }
    emit_constant(e, T_SCRATCH, type, bits);
    EMIT(e, FMOV_GF, .sf = type, .ftype = type, .Rn = T_SCRATCH, .Rd = rd);
}

// ---- loads and stores

typedef struct AccessRows {
    u16 scaled, unscaled, index, pre, post;
} AccessRows;
#define ROWS(name, un) {ISA_##name##_UI, ISA_##un, ISA_##name##_R, ISA_##name##_PRE, ISA_##name##_POST}
#define ROWS_V(name, un) {ISA_##name##_V_UI, ISA_##un##_V, ISA_##name##_V_R, ISA_##name##_V_PRE, ISA_##name##_V_POST}
#define ROWS_C(name, un)                                                                                     \
    {ISA_##name##_C_RUIB_C, ISA_##un##_C_RI_C, ISA_##name##_C_RRB_C, ISA_##name##_C_RIBW_C, ISA_##name##_C_RIAW_C}
static const AccessRows load_rows[IR_MEM_COUNT] = {
    [IR_M8] = ROWS(LDRB, LDURB),       [IR_M16] = ROWS(LDRH, LDURH),    [IR_M32] = ROWS(LDR, LDUR),
    [IR_M64] = ROWS(LDR, LDUR),        [IR_MCAP] = ROWS_C(LDR, LDUR),   [IR_MF32] = ROWS_V(LDR, LDUR),
    [IR_MF64] = ROWS_V(LDR, LDUR),
};
static const AccessRows signed_rows[3] = {ROWS(LDRSB, LDURSB), ROWS(LDRSH, LDURSH), ROWS(LDRSW, LDURSW)};
static const AccessRows store_rows[IR_MEM_COUNT] = {
    [IR_M8] = ROWS(STRB, STURB),       [IR_M16] = ROWS(STRH, STURH),    [IR_M32] = ROWS(STR, STUR),
    [IR_M64] = ROWS(STR, STUR),        [IR_MCAP] = ROWS_C(STR, STUR),   [IR_MF32] = ROWS_V(STR, STUR),
    [IR_MF64] = ROWS_V(STR, STUR),
};

static const AccessRows *rows_of(bool is_load, IrMem mem, bool is_signed)
{
    if (is_load && is_signed && mem <= IR_M32) return &signed_rows[mem];
    return is_load ? &load_rows[mem] : &store_rows[mem];
}

static IsaFields access_fields(bool is_load, IrMem mem, bool is_signed, u32 size, u32 rt, u32 base)
{
    IsaFields f = {.Rt = rt, .Rn = base};
    if (mem == IR_MF32 || mem == IR_MF64) {
        f.size = mem == IR_MF64 ? 3 : 2;
    } else if (is_load && is_signed) {
        if (mem != IR_M32) f.w32 = size == 4;
    } else if (mem == IR_M32 || mem == IR_M64) {
        f.sf = mem == IR_M64;
    }
    return f;
}

void emit_access(Emit *e, bool is_load, IrMem mem, bool is_signed, u32 size, u32 rt, u32 base, i64 imm)
{
    const AccessRows *rows = rows_of(is_load, mem, is_signed);
    IsaFields f = access_fields(is_load, mem, is_signed, size, rt, base);
    u32 bytes = ir_mem_bytes(mem);
    if (imm >= 0 && imm % bytes == 0 && imm / bytes < 4096) {
        f.imm12 = (u32)(imm / bytes);
        emit_word(e, isa_encode(rows->scaled, f));
    } else if (imm >= -256 && imm < 256) {
        f.imm9 = (u32)imm & 0x1ff;
        emit_word(e, isa_encode(rows->unscaled, f));
    } else {
        emit_constant(e, T_SCRATCH, true, (u64)imm);
        f.Rm = T_SCRATCH;
        f.option = 3;
        emit_word(e, isa_encode(rows->index, f));
    }
}

static void emit_load_store(Emit *e, const MirInsn *i)
{
    const MirOpnd *v = &i->ops[0], *base = &i->ops[1], *off = &i->ops[2];
    IrMem mem = v->aux & 0x7f;
    bool is_signed = v->aux & T_SIGNED, is_load = i->op == T_LDR;
    u32 rt = emit_reg(v), rn = base->reg;
    CHECK(base->kind == MIR_REG && rn < 32, "base of an access");
    if (off->kind == MIR_IMM) {
        emit_access(e, is_load, mem, is_signed, v->size, rt, rn, off->imm);
        return;
    }
    const AccessRows *rows = rows_of(is_load, mem, is_signed);
    IsaFields f = access_fields(is_load, mem, is_signed, v->size, rt, rn);
    if (off->kind == MIR_SYM) {
        emit_reloc(e, LK_R_LO12, off->sym, off->imm);
        emit_word(e, isa_encode(rows->scaled, f));
        return;
    }
    f.Rm = emit_reg(off);
    f.option = off->aux == T_MOD_SXTW ? 6 : off->aux == T_MOD_UXTW ? 2 : 3;
    f.S = off->imm != 0;
    emit_word(e, isa_encode(rows->index, f));
}

// [base, #imm]! and [base], #imm
static void emit_write_back(Emit *e, const MirInsn *i)
{
    const MirOpnd *v = &i->ops[0], *base = &i->ops[1];
    IrMem mem = v->aux & 0x7f;
    bool is_signed = v->aux & T_SIGNED, is_load = i->op == T_LDRPRE || i->op == T_LDRPOST;
    const AccessRows *rows = rows_of(is_load, mem, is_signed);
    IsaFields f = access_fields(is_load, mem, is_signed, v->size, emit_reg(v), base->reg);
    i64 imm = i->ops[2].imm;
    f.imm9 = (u32)(mem == IR_MCAP ? imm / 16 : imm) & 0x1ff;
    emit_word(e, isa_encode(i->op == T_LDRPRE || i->op == T_STRPRE ? rows->pre : rows->post, f));
}

void emit_pair(Emit *e, bool is_load, IrMem mem, u32 rt, u32 rt2, u32 base, i64 imm)
{
    u32 bytes = ir_mem_bytes(mem);
    IsaFields f = {.Rt = rt, .Rt2 = rt2, .Rn = base, .imm7 = (u32)(imm / bytes) & 0x7f};
    IsaRow row;
    if (mem == IR_MCAP) {
        row = is_load ? ISA_LDP_C_RIB_C : ISA_STP_C_RIB_C;
    } else if (mem == IR_MF32 || mem == IR_MF64) {
        f.vsize = mem == IR_MF64;
        row = is_load ? ISA_LDP_V_OFF : ISA_STP_V_OFF;
    } else {
        f.sf = mem == IR_M64;
        row = is_load ? ISA_LDP_OFF : ISA_STP_OFF;
    }
    emit_word(e, isa_encode(row, f));
}

// ---- arithmetic

typedef struct AluRows {
    u16 op, imm, shifted, extended; // 0 = none
} AluRows;
static const AluRows alu_rows[] = {
    {T_ADD, ISA_ADD_I, ISA_ADD_SR, ISA_ADD_ER}, {T_SUB, ISA_SUB_I, ISA_SUB_SR, ISA_SUB_ER},
    {T_AND, ISA_AND_I, ISA_AND_SR, 0},          {T_ORR, ISA_ORR_I, ISA_ORR_SR, 0},
    {T_EOR, ISA_EOR_I, ISA_EOR_SR, 0},          {T_BIC, 0, ISA_BIC_SR, 0},
    {T_ORN, 0, ISA_ORN_SR, 0},                  {T_EON, 0, ISA_EON_SR, 0},
    {T_CMP, ISA_SUBS_I, ISA_SUBS_SR, ISA_SUBS_ER}, {T_CMN, ISA_ADDS_I, ISA_ADDS_SR, ISA_ADDS_ER},
    {T_TST, ISA_ANDS_I, ISA_ANDS_SR, 0},
};

static bool emit_alu(Emit *e, const MirInsn *i)
{
    const AluRows *rows = NULL;
    for (u32 k = 0; k < ARRAY_LEN(alu_rows); k++)
        if (alu_rows[k].op == i->op) rows = &alu_rows[k];
    if (!rows) return false;
    bool sets_flags = i->op == T_CMP || i->op == T_CMN || i->op == T_TST;
    const MirOpnd *d = sets_flags ? NULL : &i->ops[0], *n = &i->ops[sets_flags ? 0 : 1], *m = n + 1;
    bool wide = is_64(d ? d : n->kind == MIR_REG ? n : m);
    IsaFields f = {.sf = wide, .Rd = d ? emit_reg(d) : 31, .Rn = emit_reg(n)};
    if (m->kind == MIR_IMM) {
        bool is_logic = i->op == T_AND || i->op == T_ORR || i->op == T_EOR || i->op == T_TST;
        if (is_logic) {
            bool ok = isa_encode_bitmask(wide ? (u64)m->imm : (u32)m->imm, wide, &f);
            CHECK(ok, "logical immediate %llx", (unsigned long long)m->imm);
        } else {
            f.sh = m->imm > 4095;
            f.imm12 = (u32)(f.sh ? m->imm >> 12 : m->imm);
        }
        emit_word(e, isa_encode(rows->imm, f));
        return true;
    }
    f.Rm = emit_reg(m);
    if (m->aux >= T_MOD_UXTB || (rows->extended && (f.Rn == 31) && n->kind == MIR_REG)) { // SP only in the extended form
        f.option = m->aux >= T_MOD_UXTB ? (u32)(m->aux - T_MOD_UXTB) : wide ? 3u : 2u;
        f.imm3 = (u32)m->imm;
        emit_word(e, isa_encode(rows->extended, f));
        return true;
    }
    f.shift = m->aux == T_MOD_NONE ? 0 : (u32)(m->aux - T_MOD_LSL);
    f.imm6 = m->aux == T_MOD_NONE ? 0 : (u32)m->imm;
    emit_word(e, isa_encode(rows->shifted, f));
    return true;
}

// Operations with up to four register operands in the order Rd, Rn, Rm, Ra.
static const struct {
    u16 op, row;
} plain_rows[] = {
    {T_MADD, ISA_MADD}, {T_MSUB, ISA_MSUB}, {T_SMADDL, ISA_SMADDL}, {T_UMADDL, ISA_UMADDL}, {T_SMULH, ISA_SMULH},
    {T_UMULH, ISA_UMULH}, {T_SDIV, ISA_SDIV}, {T_UDIV, ISA_UDIV}, {T_LSL, ISA_LSLV}, {T_LSR, ISA_LSRV},
    {T_ASR, ISA_ASRV}, {T_ROR, ISA_RORV}, {T_CLZ, ISA_CLZ}, {T_RBIT, ISA_RBIT}, {T_CSEL, ISA_CSEL},
    {T_CSINC, ISA_CSINC}, {T_CSINV, ISA_CSINV}, {T_CSNEG, ISA_CSNEG},
};

static bool emit_plain(Emit *e, const MirInsn *i)
{
    u32 row = 0;
    for (u32 k = 0; k < ARRAY_LEN(plain_rows); k++)
        if (plain_rows[k].op == i->op) row = plain_rows[k].row;
    if (i->op == T_REV) row = is_64(&i->ops[0]) ? ISA_REV_X : ISA_REV_W;
    if (!row) return false;
    bool has_sf = i->op != T_SMADDL && i->op != T_UMADDL && i->op != T_SMULH && i->op != T_UMULH && i->op != T_REV;
    IsaFields f = {.sf = has_sf && is_64(&i->ops[0]), .Rd = emit_reg(&i->ops[0]), .Rn = emit_reg(&i->ops[1])};
    if (i->n_ops > 2) f.Rm = emit_reg(&i->ops[2]);
    bool has_cond = i->op >= T_CSEL && i->op <= T_CSNEG;
    if (has_cond)
        f.cond = (u32)i->ops[3].imm;
    else if (i->n_ops > 3)
        f.Ra = emit_reg(&i->ops[3]);
    emit_word(e, isa_encode(row, f));
    return true;
}

static void emit_bitfield(Emit *e, const MirInsn *i)
{
    u32 wide = is_64(&i->ops[0]);
    IsaRow row = i->op == T_UBFM ? ISA_UBFM : i->op == T_SBFM ? ISA_SBFM : ISA_BFM;
    IsaFields f = {.sf = wide, .N = wide, .Rd = emit_reg(&i->ops[0]), .Rn = emit_reg(&i->ops[1]),
                   .immr = (u32)i->ops[2].imm, .imms = (u32)i->ops[3].imm};
    emit_word(e, isa_encode(row, f));
}

static void emit_extract(Emit *e, const MirInsn *i)
{
    u32 wide = is_64(&i->ops[0]);
    EMIT(e, EXTR, .sf = wide, .N = wide, .Rd = emit_reg(&i->ops[0]), .Rn = emit_reg(&i->ops[1]), .Rm = emit_reg(&i->ops[2]),
         .imms = (u32)i->ops[3].imm);
}

// ---- floating point

static const struct {
    u16 op, row;
} float_rows[] = {
    {T_FADD, ISA_FADD}, {T_FSUB, ISA_FSUB}, {T_FMUL, ISA_FMUL}, {T_FDIV, ISA_FDIV}, {T_FNEG, ISA_FNEG}, {T_FABS, ISA_FABS},
    {T_FSQRT, ISA_FSQRT}, {T_FRINTM, ISA_FRINTM}, {T_FRINTP, ISA_FRINTP}, {T_FRINTZ, ISA_FRINTZ}, {T_FRINTX, ISA_FRINTX},
    {T_FRINTA, ISA_FRINTA}, {T_FMOV, ISA_FMOV_F}, {T_FCSEL, ISA_FCSEL},
    {T_SCVTF, ISA_SCVTF}, {T_UCVTF, ISA_UCVTF}, {T_FCVTZS, ISA_FCVTZS}, {T_FCVTZU, ISA_FCVTZU},
};

static bool emit_float(Emit *e, const MirInsn *i)
{
    const MirOpnd *o = i->ops;
    if (i->op == T_FMOVI) {
        emit_float_constant(e, i);
        return true;
    }
    if (i->op == T_FCMP) {
        IsaFields f = {.ftype = is_64(&o[0]), .Rn = emit_reg(&o[0])};
        if (o[1].kind == MIR_REG) f.Rm = emit_reg(&o[1]);
        emit_word(e, isa_encode(o[1].kind == MIR_REG ? ISA_FCMP : ISA_FCMP_Z, f));
        return true;
    }
    if (i->op == T_FCVT) {
        EMIT(e, FCVT, .ftype = is_64(&o[1]), .opc = is_64(&o[0]), .Rd = emit_reg(&o[0]), .Rn = emit_reg(&o[1]));
        return true;
    }
    if (i->op == T_FBITS) {
        u32 wide = is_64(&o[0]);
        if (o[0].reg >= MIR_V0)
            EMIT(e, FMOV_GF, .sf = wide, .ftype = wide, .Rd = emit_reg(&o[0]), .Rn = emit_reg(&o[1]));
        else
            EMIT(e, FMOV_FG, .sf = wide, .ftype = wide, .Rd = emit_reg(&o[0]), .Rn = emit_reg(&o[1]));
        return true;
    }
    u32 row = 0;
    for (u32 k = 0; k < ARRAY_LEN(float_rows); k++)
        if (float_rows[k].op == i->op) row = float_rows[k].row;
    if (!row) return false;
    IsaFields f = {.Rd = emit_reg(&o[0]), .Rn = emit_reg(&o[1]), .ftype = is_64(&o[0])};
    if (i->op == T_SCVTF || i->op == T_UCVTF) f.sf = is_64(&o[1]);
    if (i->op == T_FCVTZS || i->op == T_FCVTZU) {
        f.sf = is_64(&o[0]);
        f.ftype = is_64(&o[1]);
    }
    if (i->n_ops > 2) f.Rm = emit_reg(&o[2]);
    if (i->op == T_FCSEL) f.cond = (u32)o[3].imm;
    emit_word(e, isa_encode(row, f));
    return true;
}

// ---- branches within the function

static void emit_conditional(Emit *e, MirInsn *i)
{
    const MirOpnd *o = i->ops, *to = &o[i->n_ops - 1];
    bool is_long = i->flags & T_F_LONG, is_bit = i->op == T_TBZ || i->op == T_TBNZ;
    TOp op = i->op;
    u32 cond = op == T_BCOND ? (u32)o[0].imm : 0;
    if (is_long) { // the opposite condition jumps over a B
        op = op == T_CBZ ? T_CBNZ : op == T_CBNZ ? T_CBZ : op == T_TBZ ? T_TBNZ : op == T_TBNZ ? T_TBZ : op;
        cond ^= 1;
    } else {
        emit_branch(e, is_bit ? LK_R_BRANCH14 : LK_R_BRANCH19, to->block, i);
    }
    u32 skip = is_long ? 2 : 0; // words
    IsaFields f = {.Rt = op == T_BCOND ? 0 : emit_reg(&o[0])};
    if (op == T_BCOND) {
        f = (IsaFields){.cond = cond, .imm19 = skip};
    } else if (is_bit) {
        f.b5 = (u32)o[1].imm >> 5;
        f.b40 = (u32)o[1].imm & 31;
        f.imm14 = skip;
    } else {
        f.sf = is_64(&o[0]);
        f.imm19 = skip;
    }
    IsaRow row = op == T_BCOND ? ISA_B_COND : op == T_CBZ ? ISA_CBZ : op == T_CBNZ ? ISA_CBNZ : op == T_TBZ ? ISA_TBZ : ISA_TBNZ;
    emit_word(e, isa_encode(row, f));
    if (is_long) {
        emit_branch(e, LK_R_CALL26, to->block, i);
        EMIT(e, B, .imm26 = 0);
    }
}

void emit_one(Emit *e, MirInsn *i)
{
    const MirOpnd *o = i->ops;
    if (e->t->emit_insn(e, i)) return;
    switch (i->op) {
    case T_MOV:
        if (o[1].reg == MIR_SP || o[0].reg == MIR_SP)
            EMIT(e, ADD_I, .sf = 1, .Rd = o[0].reg, .Rn = o[1].reg);
        else
            EMIT(e, ORR_SR, .sf = is_64(&o[0]), .Rn = 31, .Rm = emit_reg(&o[1]), .Rd = emit_reg(&o[0]));
        return;
    case T_MOVI: emit_constant(e, emit_reg(&o[0]), is_64(&o[0]), (u64)o[1].imm); return;
    case T_LDR: case T_STR: emit_load_store(e, i); return;
    case T_LDP: case T_STP: emit_pair(e, i->op == T_LDP, o[0].aux & 0x7f, emit_reg(&o[0]), emit_reg(&o[1]), o[2].reg, o[3].imm); return;
    case T_LDRPRE: case T_STRPRE: case T_LDRPOST: case T_STRPOST: emit_write_back(e, i); return;
    case T_UBFM: case T_SBFM: case T_BFM: emit_bitfield(e, i); return;
    case T_EXTR: emit_extract(e, i); return;
    case T_B:
        emit_branch(e, LK_R_CALL26, o[0].block, i);
        EMIT(e, B, .imm26 = 0);
        return;
    case T_BCOND: case T_CBZ: case T_CBNZ: case T_TBZ: case T_TBNZ: emit_conditional(e, i); return;
    case T_BL:
        emit_reloc(e, LK_R_CALL26, o[0].sym, 0);
        EMIT(e, BL, .imm26 = 0);
        return;
    case T_TAIL:
        frame_leave(e);
        emit_reloc(e, LK_R_CALL26, o[0].sym, 0);
        EMIT(e, B, .imm26 = 0);
        return;
    case T_LEA: emit_add_sp(e, emit_reg(&o[0]), o[1].reg, o[2].imm); return;
    case T_LEAALIGN: {
        u32 rd = emit_reg(&o[0]), align = (u32)o[2].imm, log2 = (u32)__builtin_ctz(align);
        emit_add_sp(e, rd, o[1].reg, o[1].imm + align - 16);
        IsaFields f = {.Rn = rd, .Rd = rd};
        f.sf = !e->is_c64;
        if (e->is_c64)
            f.imm6 = log2;
        else
            isa_encode_bitmask(~(u64)(align - 1), true, &f);
        emit_word(e, isa_encode(e->is_c64 ? ISA_ALIGND_C_CI_C : ISA_AND_I, f));
        return;
    }
    case T_OUTAREA: emit_add_sp(e, emit_reg(&o[0]), 31, e->frame.out_bytes); return;
    case T_FRAME: emit_add_sp(e, emit_reg(&o[0]), T_FP, 0); return;
    case T_RETADDR:
        emit_access(e, true, e->is_c64 ? IR_MCAP : IR_M64, false, 8, emit_reg(&o[0]), T_FP, e->t->ptr_bytes);
        return;
    case T_DMB: EMIT(e, DMB, .CRm = 11); return;
    case T_BRK: EMIT(e, BRK, .imm16 = (u32)o[0].imm); return;
    default: break;
    }
    bool ok = emit_alu(e, i) || emit_plain(e, i) || emit_float(e, i);
    CHECK(ok, "no encoding for %s", target_op_name(i->op));
}
