// plan.c: operand plans: from the fields of a decoded word to the slots and immediates of an Op, and which instance of the
// body to use. One function a row of isa/def/plans.def; what an instance number means stands in exec.h (SF, K, AUTH).
#include "sim/block.h"
#include "sim/vstruct.h"

#define F (p->insn->f)

u16 plan_slot_sp(u32 n) { return (u16)(offsetof(Cpu, r) + n * sizeof(Reg)); } // sp follows r[30]
static_assert(offsetof(Cpu, sp) == offsetof(Cpu, r) + 31 * sizeof(Reg), "SP is register 31");
u16 plan_slot_zr_source(u32 n) { return n == 31 ? (u16)offsetof(Cpu, zero) : plan_slot_sp(n); }
u16 plan_slot_zr_dest(u32 n) { return n == 31 ? (u16)offsetof(Cpu, sink) : plan_slot_sp(n); }
u16 plan_slot_v(u32 n) { return (u16)(offsetof(Cpu, v) + n * 16); }

Cap plan_pcc(const Plan *p) { return (Cap){.value = p->pc, .meta = p->context->meta, .tag = p->context->tag}; }

const Reg *plan_constant(Plan *p, Cap c)
{
    Reg *r = arena_new(&p->cpu->blocks->arena, Reg);
    *r = reg_from_cap(c);
    reg_decode(r);
    return r;
}

void plan_link(Plan *p, bool as_cap)
{
    u64 next = p->pc + 4;
    if (!as_cap) {
        p->lr = (Reg){.value = p->mode & MODE_PCCBO ? next - p->context->base : next};
        return;
    }
    Cap c = cap_add(plan_pcc(p), 4);
    if (p->mode & MODE_C64) c.value |= 1;
    if (p->mode & MODE_SBL) c = cap_seal(c, CAP_OTYPE_RB);
    p->lr = reg_from_cap(c);
}

// ---- registers

#define SLOTS_D_N(op, d_, n_) ((op)->d = (d_), (op)->n = (n_))
#define ZD plan_slot_zr_dest
#define ZS plan_slot_zr_source
#define SP plan_slot_sp
#define VR plan_slot_v

static int plan_NO_OPERANDS(Plan *p, Op *op) { return (void)p, (void)op, 0; }

static int plan_RDSP_RNSP_IMM12(Plan *p, Op *op)
{
    SLOTS_D_N(op, SP(F.Rd), SP(F.Rn));
    op->imm = (u64)F.imm12 << 12 * F.sh;
    return p->info->flags & ISA_F_MORELLO ? op->d == op->n : (int)F.sf;
}
static int plan_RD_RNSP_IMM12(Plan *p, Op *op)
{
    plan_RDSP_RNSP_IMM12(p, op);
    op->d = ZD(F.Rd);
    return (int)F.sf;
}
static int plan_RD_RN(Plan *p, Op *op)
{
    SLOTS_D_N(op, ZD(F.Rd), ZS(F.Rn));
    return (int)F.sf;
}
static int plan_RD_RN_RM(Plan *p, Op *op)
{
    plan_RD_RN(p, op);
    op->m = ZS(F.Rm);
    op->x = (u8)F.sz2;
    return (int)F.sf;
}
static int plan_RD_RN_RM_RA(Plan *p, Op *op)
{
    plan_RD_RN_RM(p, op);
    op->a = ZS(F.Ra);
    return (int)F.sf;
}
// Variant: sf + 2 * (0 no shift, 1 LSL, 2 LSR, 3 ASR, 4 ROR).
static int plan_RD_RN_RM_SHIFT(Plan *p, Op *op)
{
    plan_RD_RN_RM(p, op);
    op->x = (u8)F.imm6;
    return (int)(F.sf + 2 * (F.imm6 ? F.shift + 1 : 0));
}
static int plan_RDSP_RNSP_RM_EXT(Plan *p, Op *op)
{
    SLOTS_D_N(op, SP(F.Rd), SP(F.Rn));
    op->m = ZS(F.Rm);
    op->x = (u8)F.option;
    op->imm = F.imm3;
    return (int)F.sf;
}
static int plan_RD_RNSP_RM_EXT(Plan *p, Op *op)
{
    plan_RDSP_RNSP_RM_EXT(p, op);
    op->d = ZD(F.Rd);
    return (int)F.sf;
}
static int plan_RD_RN_BITMASK(Plan *p, Op *op)
{
    plan_RD_RN(p, op);
    op->imm = isa_decode_bitmask(F.N, F.immr, F.imms, F.sf);
    return (int)F.sf;
}
static int plan_RDSP_RN_BITMASK(Plan *p, Op *op)
{
    plan_RD_RN_BITMASK(p, op);
    op->d = SP(F.Rd);
    return (int)F.sf;
}
// aux: the shift; imm: the shifted immediate.
static int plan_RD_IMM16(Plan *p, Op *op)
{
    op->d = ZD(F.Rd);
    op->aux = 16 * F.hw;
    op->imm = (u64)F.imm16 << op->aux;
    return (int)F.sf;
}
// The field is (Rn << x) >> aux (aux logically or arithmetically), imm the bits of the result that it fills.
static int plan_RD_RN_BITFIELD(Plan *p, Op *op)
{
    plan_RD_RN(p, op);
    u32 width = F.sf ? 64 : 32, r = F.immr, s = F.imms;
    op->x = (u8)(63 - s);
    if (s >= r) {
        op->aux = 63 - s + r;
        op->imm = bits_mask(s - r + 1);
    } else {
        op->aux = 63 - s - (width - r);
        op->imm = bits_mask(s + 1) << (width - r);
    }
    return (int)F.sf;
}
static int plan_RD_RN_RM_LSB(Plan *p, Op *op)
{
    plan_RD_RN_RM(p, op);
    op->x = (u8)F.imms;
    return (int)F.sf;
}
// Variant: sf + 2 * cond.
static int plan_RD_RN_RM_COND(Plan *p, Op *op)
{
    plan_RD_RN_RM(p, op);
    return (int)(F.sf + 2 * F.cond);
}
static int plan_RN_RM_COND_NZCV(Plan *p, Op *op)
{
    op->n = ZS(F.Rn);
    op->m = ZS(F.Rm);
    op->x = (u8)F.cond;
    op->aux = F.nzcv;
    return (int)F.sf;
}
static int plan_RN_IMM5_COND_NZCV(Plan *p, Op *op)
{
    plan_RN_RM_COND_NZCV(p, op);
    op->imm = F.imm5;
    return (int)F.sf;
}
// Capability rows.
static int plan_RDSP_RNSP(Plan *p, Op *op) { return SLOTS_D_N(op, SP(F.Rd), SP(F.Rn)), 0; }
static int plan_RDSP_RNSP_IMM6(Plan *p, Op *op) { return plan_RDSP_RNSP(p, op), op->imm = F.imm6, 0; }
static int plan_RDSP_RNSP_IMM8(Plan *p, Op *op) { return plan_RDSP_RNSP(p, op), op->imm = F.imm8, 0; }
static int plan_RDSP_RNSP_PERM(Plan *p, Op *op) { return plan_RDSP_RNSP(p, op), op->imm = F.perm, 0; }
static int plan_RDSP_RNSP_RM(Plan *p, Op *op) { return plan_RDSP_RNSP(p, op), op->m = ZS(F.Rm), 0; }
static int plan_RDSP_RNSP_RMSP(Plan *p, Op *op) { return plan_RDSP_RNSP(p, op), op->m = SP(F.Rm), 0; }
static int plan_RDSP_RN_RM(Plan *p, Op *op) { return SLOTS_D_N(op, SP(F.Rd), ZS(F.Rn)), op->m = ZS(F.Rm), 0; }
static int plan_RD_RNSP(Plan *p, Op *op) { return SLOTS_D_N(op, ZD(F.Rd), SP(F.Rn)), 0; }
static int plan_RD_RNSP_RM(Plan *p, Op *op) { return plan_RD_RNSP(p, op), op->m = ZS(F.Rm), 0; }
static int plan_RD_RNSP_RMSP(Plan *p, Op *op) { return plan_RD_RNSP(p, op), op->m = SP(F.Rm), 0; }
static int plan_RD_RN_FORM(Plan *p, Op *op) { return plan_RD_RN(p, op), op->imm = F.form, 0; }
static int plan_RNSP(Plan *p, Op *op) { return op->n = SP(F.Rn), 0; }
static int plan_RNSP_RM(Plan *p, Op *op) { return op->n = SP(F.Rn), op->m = ZS(F.Rm), 0; }
static int plan_RNSP_RMSP(Plan *p, Op *op) { return op->n = SP(F.Rn), op->m = SP(F.Rm), 0; }

// ---- addresses of labels and branches

// Variant 0: imm is X's value; 1: reg is C's value (C64); 2 (ADRP in C64 with bit 23 = 0, ADRDP): imm added to the page of n.
static int label(Plan *p, Op *op, u64 offset, u64 from)
{
    op->d = ZD(F.Rd);
    if (p->mode & MODE_C64) {
        op->reg = plan_constant(p, cap_add(plan_pcc(p), from + offset - p->pc));
        return 1;
    }
    op->imm = from + offset - (p->mode & MODE_PCCBO ? p->context->base : 0);
    return 0;
}
static int plan_RD_LABEL(Plan *p, Op *op)
{
    return label(p, op, (u64)bits_sext(F.immhi << 2 | F.immlo, 21), p->pc);
}
static int plan_RD_LABEL_PAGE(Plan *p, Op *op)
{
    u64 pages = (u64)bits_sext(F.immhi << 2 | F.immlo, 21), page = p->pc & ~0xfffULL;
    if (!(p->mode & MODE_C64)) {
        if (p->mode & MODE_PCCBO) page = ((p->pc - p->context->base) & ~0xfffULL) + p->context->base; // the page of the offset
        return label(p, op, pages << 12, page);
    }
    u32 is_pcc = F.immhi >> 18 & 1, low20 = (F.immhi << 2 | F.immlo) & 0xfffff;
    if (is_pcc) return label(p, op, (u64)bits_sext(low20, 20) << 12, page);
    op->d = ZD(F.Rd);
    op->n = p->mode & MODE_ADRDPB ? SP(28) : (u16)offsetof(Cpu, ddc);
    op->imm = (u64)low20 << 12;
    return 2;
}

static void branch_to(Plan *p, u32 imm, u32 width)
{
    p->uses_block = true;
    p->target = p->pc + ((u64)bits_sext(imm, width) << 2);
    plan_link(p, p->mode & MODE_C64); // for BL
}
static int plan_LABEL26(Plan *p, Op *op)
{
    (void)op;
    branch_to(p, F.imm26, 26);
    return 0;
}
static int plan_COND_LABEL19(Plan *p, Op *op)
{
    (void)op;
    branch_to(p, F.imm19, 19);
    return (int)F.cond;
}
static int plan_RT_LABEL19(Plan *p, Op *op)
{
    branch_to(p, F.imm19, 19);
    op->n = ZS(F.Rt);
    return (int)F.sf;
}
static int plan_RT_BIT_LABEL14(Plan *p, Op *op)
{
    branch_to(p, F.imm14, 14);
    op->n = ZS(F.Rt);
    op->x = (u8)(F.b5 << 5 | F.b40);
    return 0;
}
// Indirect branches. A call finds its link value in block->lr: a capability for capability calls and in C64 state. Variant 1: PCCBO.
static int plan_RN(Plan *p, Op *op)
{
    p->uses_block = true;
    op->n = ZS(F.Rn);
    plan_link(p, (p->mode & MODE_C64) || (p->info->flags & ISA_F_MORELLO));
    return (p->mode & MODE_PCCBO) && !(p->info->flags & ISA_F_MORELLO);
}
static int plan_RN_RM(Plan *p, Op *op)
{
    plan_RN(p, op);
    op->m = ZS(F.Rm);
    return 0;
}

// ---- loads and stores

// log2 of the bytes of one register's access, from the row's syntax: mnemonic suffix, or register class.
static u32 access_log2(const Plan *p)
{
    const char *m = p->info->mnemonic, *reg = strchr(p->info->syntax, '{');
    size_t n = strlen(m);
    if (m[n - 1] == '}') return F.size; // ldxr{bh}
    if (m[n - 1] == 'b') return 0;
    if (m[n - 1] == 'h') return 1;
    if (m[n - 1] == 'w') return 2;
    if (!strncmp(reg, "{Vt:v", 5)) return F.vsize + 2;
    switch (reg[1]) {
    case 'R': return F.sf ? 3 : 2;
    case 'V': return F.opq ? 4 : F.size;
    case 'B': return 0;
    case 'H': return 1;
    case 'W': case 'S': return 2;
    case 'C': case 'Q': return 4;
    default: return 3; // X, D
    }
}

static u32 plan_authority(Plan *p, bool is_cap)
{
    if (p->mode & MODE_ALIGN_CHECK) p->force_slow = true;
    if (is_cap) return AUTH_CAP * 8;
    if (p->mode & MODE_DDC_ALMIGHTY) return AUTH_NONE * 8;
    if (p->mode & MODE_DDCBO) p->force_slow = true; // the base is added there
    return AUTH_DDC * 8;
}

u32 plan_base(Plan *p, Op *op)
{
    op->n = SP(F.Rn);
    op->x = F.Rn == 31 && p->mode & MODE_CHECK_SP ? 15 : 0;
    bool is_cap = !(p->mode & MODE_C64) == !!(p->info->flags & ISA_F_ALT);
    return plan_authority(p, is_cap);
}

// Rt as source and destination: loads write it, stores read it.
static void set_rt(const Plan *p, Op *op)
{
    bool is_load = p->info->flags & (ISA_F_LD1 | ISA_F_LD2);
    op->d = is_load ? ZD(F.Rt) : ZS(F.Rt);
    op->a = is_load ? ZD(F.Rt2) : ZS(F.Rt2);
}
// K of integer rows: whichever of these fields the row has.
static int rt_base(Plan *p, Op *op, u64 imm)
{
    u32 auth = plan_base(p, op);
    set_rt(p, op);
    op->imm = imm;
    return (int)(auth + F.sf + F.w32 + F.size);
}
static u64 scaled(const Plan *p, u32 field, u32 width, bool is_signed)
{
    return (is_signed ? (u64)bits_sext(field, width) : field) << access_log2(p);
}

static int plan_RT_BASE_UIMM12(Plan *p, Op *op) { return rt_base(p, op, scaled(p, F.imm12, 12, false)); }
static int plan_RT_BASE_UIMM9(Plan *p, Op *op) { return rt_base(p, op, scaled(p, F.imm9, 9, false)); }
static int plan_RT_BASE_SIMM9(Plan *p, Op *op) { return rt_base(p, op, (u64)bits_sext(F.imm9, 9)); }
static int plan_RT_BASE_SIMM9S(Plan *p, Op *op) { return rt_base(p, op, scaled(p, F.imm9, 9, true)); }
static int plan_RT_RT2_BASE_SIMM7(Plan *p, Op *op) { return rt_base(p, op, scaled(p, F.imm7, 7, true)); }
#define plan_RT_BASE_POST9 plan_RT_BASE_SIMM9
#define plan_RT_BASE_PRE9 plan_RT_BASE_SIMM9
#define plan_RT_BASE_POST9S plan_RT_BASE_SIMM9S
#define plan_RT_BASE_PRE9S plan_RT_BASE_SIMM9S
#define plan_RT_RT2_BASE_POST7 plan_RT_RT2_BASE_SIMM7
#define plan_RT_RT2_BASE_PRE7 plan_RT_RT2_BASE_SIMM7

static void set_offset(Plan *p, Op *op)
{
    op->m = ZS(F.Rm);
    op->imm = F.S ? access_log2(p) : 0;
    op->aux = F.option == 6 ? 1U << 31 : 0;
}
// K: bit 0 as above, bit 1: the offset is a W register.
static int plan_RT_BASE_RM_EXT(Plan *p, Op *op)
{
    int v = rt_base(p, op, 0) + (F.option & 1 ? 0 : 2);
    set_offset(p, op);
    return v;
}
static int plan_RT_BASE(Plan *p, Op *op) { return rt_base(p, op, 0); }
#define plan_RT_RT2_BASE plan_RT_BASE
// Atomics and exclusives: d = Rt (the one written if it is a load), m = Rs as source, a = Rt2, aux = the numbers Rs, Rt, Rt2 by bytes.
static int plan_RS_RT_BASE(Plan *p, Op *op)
{
    int v = rt_base(p, op, 0);
    op->m = ZS(F.Rs);
    op->aux = F.Rs | F.Rt << 8 | F.Rt2 << 16;
    return v;
}
#define plan_RS_RT_RT2_BASE plan_RS_RT_BASE

// The authority is PCC: known now. If it allows the access nothing is checked at run time; else the slow instance asks pcc_auth.
static int literal(Plan *p, Op *op, u64 addr, u32 k)
{
    const CpuContext *c = p->context;
    u32 bytes = 1U << access_log2(p);
    op->imm = addr;
    op->n = (u16)offsetof(Cpu, pcc_auth);
    bool is_allowed = !c->refuse && cap_perms(plan_pcc(p)) & CAP_PERM_LOAD && addr >= c->base && addr <= ~0ULL - bytes &&
                      addr + bytes <= c->top;
    if (p->info->flags & ISA_F_CAP)
        is_allowed = is_allowed && (cap_perms(plan_pcc(p)) & (CAP_PERM_LOAD_CAP | CAP_PERM_MUTABLE_LOAD)) ==
                                       (CAP_PERM_LOAD_CAP | CAP_PERM_MUTABLE_LOAD);
    if (!is_allowed || p->mode & MODE_ALIGN_CHECK) p->force_slow = true;
    return (int)((is_allowed ? AUTH_NONE : AUTH_CAP) * 8 + k);
}
static int plan_RT_LITERAL(Plan *p, Op *op)
{
    op->d = ZD(F.Rt);
    return literal(p, op, p->pc + ((u64)bits_sext(F.imm19, 19) << 2), F.sf);
}
static int plan_RT_LITERAL17(Plan *p, Op *op)
{
    op->d = ZD(F.Rt);
    return literal(p, op, (p->pc & ~15ULL) + ((u64)bits_sext(F.imm17, 17) << 4), 0);
}

// Vector registers; K = log2 bytes, or 0 for the alternate-base rows, which have one size each.
static int vt_base(Plan *p, Op *op, u64 imm)
{
    u32 auth = plan_base(p, op), log2 = access_log2(p);
    op->d = VR(F.Rt);
    op->a = VR(F.Rt2);
    op->imm = imm;
    return (int)(auth + (p->info->flags & ISA_F_ALT ? 0 : log2));
}
static int plan_VT_BASE_UIMM12(Plan *p, Op *op) { return vt_base(p, op, scaled(p, F.imm12, 12, false)); }
static int plan_VT_BASE_SIMM9(Plan *p, Op *op) { return vt_base(p, op, (u64)bits_sext(F.imm9, 9)); }
static int plan_VT_VT2_BASE_SIMM7(Plan *p, Op *op) { return vt_base(p, op, scaled(p, F.imm7, 7, true)); }
#define plan_VT_BASE_POST9 plan_VT_BASE_SIMM9
#define plan_VT_BASE_PRE9 plan_VT_BASE_SIMM9
#define plan_VT_VT2_BASE_POST7 plan_VT_VT2_BASE_SIMM7
#define plan_VT_VT2_BASE_PRE7 plan_VT_VT2_BASE_SIMM7
// As RT_BASE_RM_EXT, but X or W offset is told at run time: aux 2 = X, 0 = UXTW, 1 << 31 = SXTW.
static int plan_VT_BASE_RM_EXT(Plan *p, Op *op)
{
    int v = vt_base(p, op, 0);
    set_offset(p, op);
    if (F.option & 1) op->aux = 2;
    return v;
}
static int plan_VT_LITERAL(Plan *p, Op *op)
{
    op->d = VR(F.Rt);
    return literal(p, op, p->pc + ((u64)bits_sext(F.imm19, 19) << 2), access_log2(p));
}
// Structures: aux is what vstruct.h says, m and imm what the base moves on by (m the zero register, or imm 0).
static int plan_VLIST_BASE(Plan *p, Op *op)
{
    IsaVList v = isa_vlist(p->insn);
    op->aux = vstruct_aux(v, F.Rt, F.Q);
    op->m = ZS(F.Rm);
    op->imm = F.Rm == 31 ? v.bytes : 0;
    return (int)plan_base(p, op);
}
#define plan_VLIST_BASE_POST plan_VLIST_BASE
// Memory-indirect capability branches: always Cn|CSP.
static int plan_CBASE_SIMM7(Plan *p, Op *op)
{
    plan_RN(p, op);
    plan_base(p, op);
    op->aux = (u32)bits_sext(F.imm7, 7) << 4;
    return AUTH_CAP * 8;
}
static int plan_RT_CBASE(Plan *p, Op *op)
{
    plan_RN(p, op);
    plan_base(p, op);
    op->d = ZD(F.Rt);
    return AUTH_CAP * 8;
}

// ---- floating point and vector. Variant of scalar rows: ftype (0 S, 1 D); with a general register: + 2 * sf.

// x of vector rows: log2 of an element's bytes, + 4: 16 bytes of it, + 8: one element only (then not + 4).
static u8 lanes(const Plan *p, u32 log2) { return (u8)(log2 | (F.Q && !F.sc) << 2 | F.sc << 3); }
static int plan_VD_VN(Plan *p, Op *op)
{
    SLOTS_D_N(op, VR(F.Rd), VR(F.Rn));
    op->x = lanes(p, F.size);
    op->aux = F.opc;
    return (int)(F.ftype + F.vsz);
}
static int plan_VD_VN_IMM6(Plan *p, Op *op)
{
    SLOTS_D_N(op, VR(F.Rd), VR(F.Rn));
    op->imm = F.imm6;
    return 0;
}
static int plan_VD_VN_VM(Plan *p, Op *op)
{
    int v = plan_VD_VN(p, op);
    op->m = VR(F.Rm);
    return v;
}
static int plan_VD_VN_VM_VA(Plan *p, Op *op)
{
    int v = plan_VD_VN_VM(p, op);
    op->a = VR(F.Ra);
    return v;
}
static int plan_VD_VN_VM_INDEX(Plan *p, Op *op)
{
    int v = plan_VD_VN_VM(p, op);
    bool is_half = F.size == 1;
    op->imm = is_half ? F.H << 2 | F.L << 1 | F.Rm >> 4 : F.H << 1 | F.L;
    op->m = VR(is_half ? F.Rm & 15 : F.Rm);
    return v;
}
static int plan_VD_VN_VM_IMM4(Plan *p, Op *op) { return op->imm = F.imm4, plan_VD_VN_VM(p, op); }
// imm: number of the first register of the table, aux: how many.
static int plan_VD_VN_VM_LEN(Plan *p, Op *op)
{
    int v = plan_VD_VN_VM(p, op);
    op->imm = F.Rn;
    op->aux = F.len + 1;
    return v;
}
static int plan_VD_VN_SHL(Plan *p, Op *op)
{
    SLOTS_D_N(op, VR(F.Rd), VR(F.Rn));
    op->x = lanes(p, isa_shift_log2(F.immhb));
    op->imm = F.immhb - (8U << (op->x & 3));
    return 0;
}
static int plan_VD_VN_SHR(Plan *p, Op *op)
{
    plan_VD_VN_SHL(p, op);
    op->imm = (8U << (op->x & 3)) - op->imm;
    return 0;
}
static int plan_VN(Plan *p, Op *op) { return op->n = VR(F.Rn), (int)F.ftype; }
static int plan_VN_VM(Plan *p, Op *op) { return op->n = VR(F.Rn), op->m = VR(F.Rm), (int)F.ftype; }
static int plan_VN_VM_COND_NZCV(Plan *p, Op *op)
{
    op->x = (u8)F.cond;
    op->aux = F.nzcv;
    return plan_VN_VM(p, op);
}
static int plan_VD_VN_VM_COND(Plan *p, Op *op)
{
    int v = plan_VD_VN_VM(p, op);
    op->x = (u8)F.cond;
    return v;
}
// imm: the value's bits in its own width.
static int plan_VD_FPIMM(Plan *p, Op *op)
{
    op->d = VR(F.Rd);
    double d = isa_decode_fp_imm(F.imm8);
    float s = (float)d;
    if (F.ftype == 1) memcpy(&op->imm, &d, 8);
    else memcpy(&op->imm, &s, 4);
    return 0;
}
static int plan_RD_VN(Plan *p, Op *op)
{
    SLOTS_D_N(op, ZD(F.Rd), VR(F.Rn));
    return (int)(F.ftype + 2 * F.sf);
}
static int plan_VD_RN(Plan *p, Op *op)
{
    SLOTS_D_N(op, VR(F.Rd), ZS(F.Rn));
    return (int)(F.ftype + 2 * F.sf);
}
static int plan_RD_VN_FBITS(Plan *p, Op *op) { return op->x = (u8)(64 - F.scale), plan_RD_VN(p, op); }
static int plan_VD_RN_FBITS(Plan *p, Op *op) { return op->x = (u8)(64 - F.scale), plan_VD_RN(p, op); }
// Elements: x = log2 of the element's bytes, imm = its index (Vd's for INS_E, whose source index is aux), variant Q.
static void element(const Plan *p, Op *op)
{
    op->x = (u8)__builtin_ctz(F.imm5 | 32);
    op->imm = F.imm5 >> (op->x + 1);
    op->aux = F.imm4 >> op->x;
}
static int plan_VD_VN_ELEM(Plan *p, Op *op) { return SLOTS_D_N(op, VR(F.Rd), VR(F.Rn)), element(p, op), (int)F.Q; }
static int plan_VD_RN_ELEM(Plan *p, Op *op) { return SLOTS_D_N(op, VR(F.Rd), ZS(F.Rn)), element(p, op), (int)F.Q; }
static int plan_RD_VN_ELEM(Plan *p, Op *op) { return SLOTS_D_N(op, ZD(F.Rd), VR(F.Rn)), element(p, op), (int)F.Q; }

static u64 repeat(u64 v, u32 width)
{
    for (; width < 64; width *= 2) v |= v << width;
    return v;
}
// imm: the 64 bits; the inverted rows (MVNI, BIC) have them inverted already. Variant Q.
static int plan_VD_VIMM(Plan *p, Op *op)
{
    u64 imm8 = F.abc << 5 | F.defgh, v = 0;
    op->d = VR(F.Rd);
    switch (p->insn->row) {
    case ISA_MOVI_S: case ISA_ORR_VI_S: case ISA_MVNI_S: case ISA_BIC_VI_S: v = repeat(imm8 << 8 * F.sh2, 32); break;
    case ISA_MOVI_H: case ISA_ORR_VI_H: case ISA_MVNI_H: case ISA_BIC_VI_H: v = repeat(imm8 << 8 * F.sh, 16); break;
    case ISA_MOVI_MSL: case ISA_MVNI_MSL: v = repeat(imm8 << 8 * (F.sh + 1) | bits_mask(8 * (F.sh + 1)), 32); break;
    case ISA_MOVI_B: v = repeat(imm8, 8); break;
    case ISA_MOVI_D: case ISA_MOVI_2D:
        for (u32 i = 0; i < 8; i++) v |= imm8 >> i & 1 ? 0xffULL << 8 * i : 0;
        break;
    case ISA_FMOV_VI_S: {
        float s = (float)isa_decode_fp_imm((u32)imm8);
        u32 w;
        memcpy(&w, &s, 4);
        v = repeat(w, 32);
        break;
    }
    default: {
        double d = isa_decode_fp_imm((u32)imm8);
        memcpy(&v, &d, 8);
    }
    }
    switch (p->insn->row) {
    case ISA_MVNI_S: case ISA_BIC_VI_S: case ISA_MVNI_H: case ISA_BIC_VI_H: case ISA_MVNI_MSL: v = ~v; break;
    default: break;
    }
    op->imm = v;
    // The two whole-register rows have no Q field.
    return p->insn->row == ISA_MOVI_2D || p->insn->row == ISA_FMOV_VI_D ? 1 : (int)F.Q;
}

// ---- system

static int plan_IMM16(Plan *p, Op *op) { return op->imm = F.imm16, 0; }
static int plan_HINT(Plan *p, Op *op) { return op->imm = F.CRm << 3 | F.op2, 0; }
static int plan_BARRIER(Plan *p, Op *op) { return op->imm = F.CRm, 0; }
// imm: o0:op1:CRn:CRm:op2 (15 bits), d and n: Rt as destination and source.
// imm: the key; aux: the register's number (SYS_COUNT: none), or the operation's.
static int plan_SYSREG(Plan *p, Op *op)
{
    SLOTS_D_N(op, ZD(F.Rt), ZS(F.Rt));
    op->imm = F.o0 << 14 | F.op1 << 11 | F.CRn << 7 | F.CRm << 3 | F.op2;
    u32 row = p->insn->row;
    if (row == ISA_SYS || row == ISA_SYSL) op->aux = sys_find_op((u32)op->imm);
    else op->aux = sys_find(p->info->flags & ISA_F_MORELLO ? 'C' : 'X', (u32)op->imm);
    return 0;
}

PlanFn *const plan_table[ISA_PLAN_COUNT] = {
#define PLAN(name, ...) [ISA_PLAN_##name] = plan_##name,
#include "isa/def/plans.def"
#undef PLAN
};
