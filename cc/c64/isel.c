// c64/isel.c: what the purecap target selects its own way: globals come from the capability table, pointer arithmetic is
// capability arithmetic, and the operations of cheriintrin.h.
//
//     &counter      adrp c0, :got:counter ; ldr c0, [c0, :got_lo12:counter]     bounds: exactly the object
//     p + i (long)  add  c0, c1, x2, uxtx #3
#include "cc/target_impl.h"

#include "base/bits.h"

void c64_select_global(Isel *s, IrInsn *v, MirReg dst)
{
    if (isel_is_add_imm(v->imm) || isel_is_add_imm(-v->imm)) {
        isel_emit2(s, T_ADDR, mir_def(dst, 16), mir_sym(v->sym, v->imm))->flags = MIR_F_REMAT;
        return;
    }
    MirReg base = isel_new(s, IR_CAP), offset = isel_new(s, IR_I64);
    isel_emit2(s, T_ADDR, mir_def(base, 16), mir_sym(v->sym, 0))->flags = MIR_F_REMAT;
    isel_movi(s, offset, 8, v->imm);
    isel_emit3(s, T_ADD, mir_def(dst, 16), mir_use(base, 16), mir_use(offset, 8));
}

static MirOpnd def_of(Isel *s, IrInsn *v) { return mir_def(isel_reg(s, v), isel_size(v)); }

// The integer operand of ADD: extended, shifted by at most 4.
static MirOpnd increment(Isel *s, IrInsn *v)
{
    u32 amount = 0, k;
    IrInsn *x = v;
    if (isel_is_shl(x, &k) && isel_once(x) && k <= 4) {
        amount = k;
        x = x->args[0];
    }
    bool may_fold = x == v ? isel_once(v) : true;
    if (x->op == IR_SEXT32 && may_fold && x->args[0]->op != IR_LOAD)
        return isel_mod(isel_use_size(s, x->args[0], 4), T_MOD_SXTW, amount);
    if (x->op == IR_ZEXT32 && may_fold && !isel_is_zero_extended(x->args[0]))
        return isel_mod(isel_use_size(s, x->args[0], 4), T_MOD_UXTW, amount);
    return isel_mod(isel_use_size(s, x, 8), amount ? T_MOD_LSL : T_MOD_NONE, amount);
}

static void select_add(Isel *s, IrInsn *v)
{
    i64 c;
    MirOpnd base = isel_use(s, v->args[0]);
    if (isel_const(v->args[1], &c) && c != INT64_MIN && (isel_is_add_imm(c) || isel_is_add_imm(-c)))
        isel_emit3(s, c < 0 ? T_SUB : T_ADD, def_of(s, v), base, mir_imm(c < 0 ? -c : c));
    else
        isel_emit3(s, T_ADD, def_of(s, v), base, increment(s, v->args[1]));
}

// The immediate forms are exact, as every bound below 4 KiB is anyway.
static void select_bounds(Isel *s, IrInsn *v, TOp op)
{
    MirOpnd base = isel_use(s, v->args[0]);
    i64 c;
    bool fits = isel_const(v->args[1], &c) && c >= 0 && (c < 64 || (c < 1024 && c % 16 == 0));
    isel_emit3(s, fits ? T_SCBNDS : op, def_of(s, v), base, fits ? mir_imm(c) : isel_use_size(s, v->args[1], 8));
}

enum { ALL_PERMISSIONS = 0x3ffff };

// CLRPERM clears what its mask has: the complement of the operand.
static void select_perms(Isel *s, IrInsn *v)
{
    MirOpnd base = isel_use(s, v->args[0]);
    MirReg mask = isel_new(s, IR_I64);
    i64 c;
    if (isel_const(v->args[1], &c))
        isel_movi(s, mask, 8, ~c & ALL_PERMISSIONS);
    else
        isel_emit3(s, T_ORN, mir_def(mask, 8), mir_imm(0), isel_use_size(s, v->args[1], 8));
    isel_emit3(s, T_CLRPERM, def_of(s, v), base, mir_use(mask, 8));
}

// An X move makes a null-derived capability. clang for Morello makes it twice (seed habit: a cast after the write).
static void select_from_int(Isel *s, IrInsn *v)
{
    MirOpnd x = isel_use_size(s, v->args[0], 8);
    if (s->llvm_habits) {
        MirReg t = isel_new(s, IR_I64);
        isel_emit2(s, T_MOV, mir_def(t, 8), x);
        x = mir_use(t, 8);
    }
    isel_emit2(s, T_MOV, mir_def(isel_reg(s, v), 8), x);
}

typedef struct Simple {
    u16 ir, op;
    u8 n_args;
} Simple;
static const Simple simple[] = {
    {IR_CSETADDR, T_SCVALUE, 2}, {IR_CSETOFFSET, T_SCOFF, 2}, {IR_CSETFLAGS, T_SCFLGS, 2}, {IR_CSEAL, T_SEAL, 2},
    {IR_CUNSEAL, T_UNSEAL, 2},   {IR_CBUILD, T_BUILD, 2},     {IR_CCPYTYPE, T_CPYTYPE, 2}, {IR_CCLRTAG, T_CLRTAG, 1},
    {IR_CSENTRY, T_SEALRB, 1},   {IR_CPERMS, T_GCPERM, 1},    {IR_CBASE, T_GCBASE, 1},     {IR_CLENGTH, T_GCLEN, 1},
    {IR_COFFSET, T_GCOFF, 1},    {IR_CTAG, T_GCTAG, 1},       {IR_CSEALED, T_GCSEAL, 1},   {IR_CTYPE, T_GCTYPE, 1},
    {IR_CFLAGS, T_GCFLGS, 1},    {IR_CREPLEN, T_RRLEN, 1},    {IR_CREPMASK, T_RRMASK, 1},  {IR_LOADCAPTAGS, T_LDCT, 1},
    {IR_CGETDDC, T_MRSDDC, 0},   {IR_CGETPCC, T_ADRPCC, 0},
};

static bool select_simple(Isel *s, IrInsn *v)
{
    for (u32 i = 0; i < ARRAY_LEN(simple); i++) {
        if (simple[i].ir != v->op) continue;
        u32 n = simple[i].n_args;
        MirOpnd a = {0}, b = {0};
        if (n > 0) a = isel_use(s, v->args[0]);
        if (n > 1) b = isel_use(s, v->args[1]);
        MirInsn *insn = isel_emit(s, simple[i].op, 1 + n);
        insn->ops[0] = def_of(s, v);
        if (n > 0) insn->ops[1] = a;
        if (n > 1) insn->ops[2] = b;
        return true;
    }
    return false;
}

bool c64_select_cap(Isel *s, IrInsn *v)
{
    switch (v->op) {
    case IR_CADD: select_add(s, v); return true;
    case IR_CFROMINT: select_from_int(s, v); return true;
    case IR_CBOUNDS: select_bounds(s, v, T_SCBNDS); return true;
    case IR_CBOUNDSX: select_bounds(s, v, T_SCBNDSE); return true;
    case IR_CPERMAND: select_perms(s, v); return true;
    case IR_CGETSP: isel_emit2(s, T_MOV, def_of(s, v), mir_use(MIR_SP, 16)); return true;
    default: return select_simple(s, v);
    }
}

// C9 = capability to exactly the anonymous arguments, or null.
void c64_select_anon(Isel *s, const IrCall *call)
{
    if (!call->anon_bytes) {
        isel_movi(s, 9, 8, 0);
        return;
    }
    u32 at = (call->stack_bytes + 15) & ~15u;
    isel_emit3(s, T_ADD, mir_def(9, 16), mir_use(MIR_SP, 16), mir_imm(at));
    if (call->anon_bytes < 1024) {
        isel_emit3(s, T_SCBNDS, mir_def(9, 16), mir_use(9, 16), mir_imm(call->anon_bytes));
    } else {
        MirReg length = isel_new(s, IR_I64);
        isel_movi(s, length, 8, call->anon_bytes);
        isel_emit3(s, T_SCBNDS, mir_def(9, 16), mir_use(9, 16), mir_use(length, 8));
    }
}

// Room of a representable length at a representable address, above the area for outgoing arguments; exactly its bounds.
void c64_select_alloca(Isel *s, IrInsn *v, MirReg dst)
{
    MirReg length = isel_new(s, IR_I64), mask = isel_new(s, IR_I64), below = isel_new(s, IR_I64);
    MirReg aligned = isel_new(s, IR_I64), address = isel_new(s, IR_I64), old = isel_new(s, IR_CAP), area = isel_new(s, IR_CAP);
    MirOpnd bytes = isel_use_size(s, v->args[0], 8);
    isel_emit2(s, T_RRLEN, mir_def(length, 8), bytes);
    isel_emit2(s, T_RRMASK, mir_def(mask, 8), bytes);
    isel_emit(s, T_OUTAREA, 1)->ops[0] = mir_def(old, 16);
    isel_emit3(s, T_SUB, mir_def(below, 8), mir_use(old, 8), mir_use(length, 8));
    isel_emit3(s, T_AND, mir_def(aligned, 8), mir_use(below, 8), mir_use(mask, 8));
    isel_emit3(s, T_AND, mir_def(address, 8), mir_use(aligned, 8), mir_imm(~15LL));
    isel_emit(s, T_SETSP, 1)->ops[0] = mir_use(address, 8);
    isel_emit(s, T_OUTAREA, 1)->ops[0] = mir_def(area, 16);
    isel_emit3(s, T_SCBNDS, mir_def(dst, 16), mir_use(area, 16), mir_use(length, 8));
}
