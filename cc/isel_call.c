// isel_call.c: calls, parameters, returns, asm() and probes: everything that names physical registers.
//
//     mov x0, v1 ; mov x1, v2 ; bl f  uses x0 x1, defines x0, clobbers the rest ; mov v3, x0
#include "cc/isel.h"

#include <stdlib.h>

// Registers a call may change: X0–X18, X30, V0–V7, V16–V31.
#define CALL_CLOBBERS (0x4007ffffULL | 0xffff00ffULL << 32)

static MirOpnd phys(u32 n, bool is_fpr, u8 size, u8 flag)
{
    return (MirOpnd){.kind = MIR_REG, .flags = flag, .size = size, .reg = is_fpr ? MIR_V0 + n : n};
}

static IrMem mem_of_bytes(u8 type, u8 bytes)
{
    if (type == IR_CAP) return IR_MCAP;
    if (type == IR_F32) return IR_MF32;
    if (type == IR_F64) return IR_MF64;
    return bytes == 1 ? IR_M8 : bytes == 2 ? IR_M16 : bytes == 4 ? IR_M32 : IR_M64;
}

static void store_arg(Isel *s, IrInsn *x, IrLoc loc, u32 at)
{
    MirOpnd value = x->op == IR_FCONST ? isel_use(s, x) : isel_use_or_zero(s, x, isel_size(x));
    value.aux = (u8)mem_of_bytes(x->type, x->type == IR_I32 && loc.bytes > 4 ? 4 : loc.bytes);
    MirInsn *i = isel_emit3(s, T_STR, value, mir_use(MIR_SP, (u8)s->t->ptr_bytes), mir_imm(at + loc.n));
    i->flags = MIR_F_STORE;
}

static void need_out_bytes(Isel *s, u32 bytes)
{
    TFrame *f = s->fn->aux;
    bytes = (bytes + 15) & ~15u;
    if (bytes > f->out_bytes) f->out_bytes = bytes;
}

static bool is_fpr_loc(IrLoc l) { return l.kind == IR_LOC_FPR; }

// RESULTs of a call or asm come behind it; the block is selected backwards, so they know already whether they are wanted.
static void take_results(Isel *s, IrInsn *v, MirReg (*where)(Isel *, IrInsn *, u32))
{
    for (IrInsn *r = v->next; r; r = r->next)
        if (r->op == IR_RESULT && r->args[0] == v && s->is_needed[r->id])
            isel_move(s, isel_reg(s, r), where(s, v, (u32)r->imm), isel_is_fp(r->type), r->type == IR_CAP);
}

static MirReg call_result(Isel *s, IrInsn *v, u32 n)
{
    (void)s;
    IrLoc l = v->call->ret_locs[n];
    return is_fpr_loc(l) ? MIR_V0 + l.n : l.n;
}

static void select_call(Isel *s, IrInsn *v)
{
    IrCall *c = v->call;
    u32 first = c->sym ? 0 : 1, n = v->n_args - first, extra = s->is_c64 && c->is_variadic;
    u32 anon_at = (c->stack_bytes + 15) & ~15u;
    need_out_bytes(s, anon_at + c->anon_bytes);
    for (u32 i = 0; i < n; i++) {
        IrLoc l = c->arg_locs[i];
        if (l.kind == IR_LOC_STACK) store_arg(s, v->args[first + i], l, 0);
        if (l.kind == IR_LOC_ANON) store_arg(s, v->args[first + i], l, anon_at);
    }
    MirOpnd callee = {0};
    if (first) {
        callee = isel_use(s, v->args[0]);
        if (c->is_tail) { // the epilogue restores the registers it might be in
            isel_move(s, 17, callee.reg, false, s->is_c64);
            callee.reg = 17;
        }
    }
    MirOpnd uses[32];
    u32 n_uses = 0;
    for (u32 i = 0; i < n; i++) {
        IrLoc l = c->arg_locs[i];
        if (l.kind == IR_LOC_STACK || l.kind == IR_LOC_ANON) continue;
        IrInsn *x = v->args[first + i];
        CHECK(n_uses < ARRAY_LEN(uses), "too many register arguments");
        uses[n_uses] = phys(l.n, is_fpr_loc(l), isel_size(x), MIR_USE);
        isel_value_to(s, uses[n_uses++].reg, x);
    }
    if (extra) {
        s->t->select_anon(s, c);
        uses[n_uses++] = phys(9, false, 16, MIR_USE);
    }
    u32 n_defs = c->is_tail ? 0 : c->n_results;
    MirInsn *i = isel_emit(s, c->is_tail ? (first ? T_TAILR : T_TAIL) : first ? T_BLR : T_BL, 1 + n_uses + n_defs);
    i->ops[0] = first ? callee : mir_sym(c->sym, 0);
    for (u32 k = 0; k < n_uses; k++) i->ops[1 + k] = uses[k];
    if (c->is_tail) {
        i->flags = MIR_F_TERM;
        return;
    }
    i->flags = MIR_F_CALL | (c->returns_twice ? MIR_F_TWICE : 0);
    i->clobbers = CALL_CLOBBERS;
    for (u32 k = 0; k < n_defs; k++) {
        MirOpnd d = phys(c->ret_locs[k].n, is_fpr_loc(c->ret_locs[k]), (u8)ir_type_bytes(c->ret_types[k]), MIR_DEF);
        i->ops[1 + n_uses + k] = d;
        i->clobbers &= ~(1ULL << d.reg);
    }
    s->fn->has_calls = true;
    if (n_defs && s->is_needed[v->id])
        isel_move(s, isel_reg(s, v), call_result(s, v, 0), isel_is_fp(v->type), v->type == IR_CAP);
    if (n_defs > 1) take_results(s, v, call_result);
}

void isel_call_helper(Isel *s, const char *name, u32 n, IrInsn *const *args, i64 imm)
{
    IrSym *sym = NULL;
    for (u32 i = 0; i < s->module->syms.len && !sym; i++)
        if (!s->module->syms.at[i]->is_local && !strcmp(s->module->syms.at[i]->name, name)) sym = s->module->syms.at[i];
    if (!sym) {
        sym = arena_new(s->module->arena, IrSym);
        sym->name = name;
        sym->is_fn = true;
        vec_push(&s->module->syms, sym);
    }
    bool is_memset = n == 1;
    MirInsn *i;
    for (u32 k = 0; k < n; k++) isel_value_to(s, k, args[k]);
    if (is_memset) isel_movi(s, 1, 4, 0);
    isel_movi(s, 2, 8, imm);
    i = isel_emit(s, T_BL, 4);
    i->ops[0] = mir_sym(sym, 0);
    for (u32 k = 0; k < 3; k++) i->ops[1 + k] = phys(k, false, k < n ? (u8)s->t->ptr_bytes : 8, MIR_USE);
    i->flags = MIR_F_CALL;
    i->clobbers = CALL_CLOBBERS;
    s->fn->has_calls = true;
}

static void select_ret(Isel *s, IrInsn *v)
{
    if (v->prev && v->prev->op == IR_CALL && v->prev->call->is_tail) return; // the call is the end
    for (u32 i = 0; i < v->n_args; i++) isel_value_to(s, is_fpr_loc(v->ret_locs[i]) ? MIR_V0 + v->ret_locs[i].n : v->ret_locs[i].n, v->args[i]);
    MirInsn *r = isel_emit(s, T_RET, v->n_args);
    r->flags = MIR_F_TERM;
    for (u32 i = 0; i < v->n_args; i++)
        r->ops[i] = phys(v->ret_locs[i].n, is_fpr_loc(v->ret_locs[i]), isel_size(v->args[i]), MIR_USE);
}

static void select_param(Isel *s, IrInsn *v)
{
    if (v->loc.kind == IR_LOC_STACK) {
        u8 size = isel_size(v);
        MirOpnd d = mir_def(isel_reg(s, v), size);
        d.aux = (u8)mem_of_bytes(v->type, size);
        isel_emit3(s, T_LDR, d, (MirOpnd){.kind = MIR_INARG, .imm = v->loc.n}, mir_imm(0))->flags = MIR_F_LOAD;
        return;
    }
    bool is_fpr = is_fpr_loc(v->loc);
    isel_move(s, isel_reg(s, v), is_fpr ? MIR_V0 + v->loc.n : v->loc.n, is_fpr, v->type == IR_CAP);
}

// ---- asm()

// The register an operand must be in, or a new one.
static MirReg asm_register(Isel *s, const IrAsmOpnd *o)
{
    const char *r = o->reg;
    if (r && r[0] && r[1] >= '0' && r[1] <= '9') {
        u32 n = (u32)atoi(r + 1);
        bool is_fpr = *r != 'x' && *r != 'w' && *r != 'c' && *r != 'r';
        if (n < 31 || (is_fpr && n < 32)) return is_fpr ? MIR_V0 + n : n;
    }
    if (strchr(o->constraint, 'w')) return isel_new(s, isel_is_fp(o->type) ? o->type : IR_F64);
    return isel_new(s, o->type);
}

static MirReg asm_result(Isel *s, IrInsn *v, u32 n)
{
    for (u32 k = 0; k < v->as->n_opnds; k++)
        if (v->as->opnds[k].out == (i32)n) return s->asm_insn->ops[k].reg;
    UNREACHABLE("asm result %u", n);
}

static MirOpnd asm_operand(Isel *s, IrInsn *v, const IrAsmOpnd *o)
{
    IrInsn *x = o->in >= 0 ? v->args[o->in] : NULL;
    i64 c;
    if (x && o->out < 0) {
        if (strchr(o->constraint, 'i') && isel_const(x, &c)) return mir_imm(c);
        if (strchr(o->constraint, 'm')) {
            MirReg base = isel_new(s, s->module->ptr_type);
            isel_value_to(s, base, x);
            return mir_use(base, (u8)s->t->ptr_bytes);
        }
    }
    MirOpnd r = mir_use(asm_register(s, o), o->type == IR_I32 ? 4 : (u8)ir_type_bytes(o->type));
    r.flags = (u8)((x ? MIR_USE : 0) | (o->out >= 0 ? MIR_DEF : 0) | (o->out >= 0 && !x ? MIR_EARLY : 0));
    if (x) isel_value_to(s, r.reg, x);
    return r;
}

static void select_asm(Isel *s, IrInsn *v)
{
    IrAsm *a = v->as;
    MirInsn *i = mir_insn(s->fn, T_ASM, a->n_opnds);
    i->aux = a;
    i->line = v->line;
    i->clobbers = a->clobbers;
    i->flags = MIR_F_VOLATILE | (a->clobbers_memory ? MIR_F_LOAD | MIR_F_STORE : 0) | MIR_F_SETS_FLAGS;
    for (u32 k = 0; k < a->n_opnds; k++) {
        i->ops[k] = asm_operand(s, v, &a->opnds[k]);
        if (i->ops[k].kind == MIR_REG && i->ops[k].reg < MIR_N_PHYS) i->clobbers &= ~(1ULL << i->ops[k].reg);
    }
    mir_insert_before(s->b, s->at, i);
    s->asm_insn = i;
    take_results(s, v, asm_result);
}

// ---- probes

static void select_probe(Isel *s, IrInsn *v)
{
    MirInsn *i = isel_emit(s, T_PROBE, v->n_args);
    i->flags = MIR_F_PROBE;
    i->aux = v->probe;
    for (u32 k = 0; k < v->n_args; k++) i->ops[k].sym = (IrSym *)(void *)v->args[k]; // the value, until isel_patch_probes
}

// Only now is it known which values have registers; asking for one here would change the code.
static void patch_probe(Isel *s, MirInsn *i)
{
    for (u32 k = 0; k < i->n_ops; k++) {
        IrInsn *x = (IrInsn *)(void *)i->ops[k].sym;
        i->ops[k] = (MirOpnd){.kind = MIR_NONE};
        i64 c;
        if (!x) continue;
        if (!isel_is_fp(x->type) && isel_const(x, &c))
            i->ops[k] = mir_imm(c);
        else if (x->op == IR_GADDR)
            i->ops[k] = mir_sym(x->sym, x->imm);
        else {
            MirReg r = isel_weak_reg(s, x);
            if (r) i->ops[k] = (MirOpnd){.kind = MIR_REG, .flags = MIR_WEAK, .size = isel_size(x), .reg = r};
        }
    }
}

void isel_patch_probes(Isel *s)
{
    for (u32 n = 0; n < s->fn->n_blocks; n++)
        for (MirInsn *i = s->fn->blocks[n]->first; i; i = i->next)
            if (i->flags & MIR_F_PROBE) patch_probe(s, i);
}

bool isel_call(Isel *s, IrInsn *v)
{
    u8 ptr = (u8)s->t->ptr_bytes;
    TFrame *f = s->fn->aux;
    switch (v->op) {
    case IR_CALL: select_call(s, v); return true;
    case IR_RET: select_ret(s, v); return true;
    case IR_PARAM: select_param(s, v); return true;
    case IR_ASM: select_asm(s, v); return true;
    case IR_PROBE: select_probe(s, v); return true;
    case IR_ALLOCA:
        f->needs_fp = true;
        s->t->select_alloca(s, v, isel_reg(s, v));
        return true;
    case IR_FRAMEADDR:
        f->needs_fp = true;
        isel_emit2(s, T_FRAME, mir_def(isel_reg(s, v), ptr), mir_imm(0));
        return true;
    case IR_RETADDR:
        f->needs_fp = true;
        isel_emit2(s, T_RETADDR, mir_def(isel_reg(s, v), ptr), mir_imm(0));
        return true;
    default: return false;
    }
}
