// lower.c: syntax tree → IR: the unit, its symbols and functions, and the small emitters the other lower*.c files use.
//
//     int f(int x) { return x ? g(x) : 1; }
//       b0: store x's slot, param;  br (load x), b1, b2   b1: call g; jmp b3   b2: jmp b3   b3: phi; ret
#include "cc/lower.h"

#include "isa/cap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void lower_fail(Lower *l, CcLoc loc, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (!l->err->is_set) cc_err_at(l->unit, loc, l->err, "%s", text);
}

// ---- types

IrType lower_type(Lower *l, const Type *t)
{
    if (t->is_cap) return IR_CAP;
    switch (t->kind) {
    case TY_VOID: return IR_VOID;
    case TY_FLOAT: return IR_F32;
    case TY_DOUBLE: return IR_F64;
    case TY_PTR: return IR_I64;
    case TY_LDOUBLE: case TY_INT128: case TY_UINT128:
        lower_fail(l, (CcLoc){.file = l->line.file, .line = l->line.no}, "arithmetic on '%s' is not supported", type_text(l->arena, t));
        return IR_I64;
    default: return t->size == 8 ? IR_I64 : IR_I32;
    }
}

IrMem lower_mem(const Type *t)
{
    if (t->is_cap) return IR_MCAP;
    if (t->kind == TY_FLOAT) return IR_MF32;
    if (t->kind == TY_DOUBLE) return IR_MF64;
    return t->size == 1 ? IR_M8 : t->size == 2 ? IR_M16 : t->size == 4 ? IR_M32 : IR_M64;
}

// ---- emission

void lower_at(Lower *l, CcLoc loc)
{
    bool fits = loc.file < 1 << 12 && loc.line < 1 << 20;
    if (loc.line) l->line = fits ? (IrLine){.file = loc.file & 0xfffu, .no = loc.line & 0xfffffu} : (IrLine){0};
}

IrInsn *lower_emit(Lower *l, IrOp op, IrType type, u32 n_args)
{
    IrInsn *i = ir_insn_new(l->fn, op, type, n_args);
    i->line = l->line;
    i->is_weak = l->is_weak;
    ir_append(l->block, i);
    return i;
}

IrInsn *lower_op1(Lower *l, IrOp op, IrType type, IrInsn *a)
{
    IrInsn *i = lower_emit(l, op, type, 1);
    i->args[0] = a;
    return i;
}

IrInsn *lower_op2(Lower *l, IrOp op, IrType type, IrInsn *a, IrInsn *b)
{
    IrInsn *i = lower_emit(l, op, type, 2);
    i->args[0] = a;
    i->args[1] = b;
    return i;
}

IrInsn *lower_const(Lower *l, IrType type, i64 v)
{
    IrInsn *i = lower_emit(l, IR_CONST, type, 0);
    i->imm = type == IR_I32 ? (i32)v : v;
    return i;
}

IrInsn *lower_cmp(Lower *l, IrCond cond, IrInsn *a, IrInsn *b)
{
    IrInsn *i = lower_op2(l, cond >= IR_FEQ ? IR_FCMP : IR_CMP, IR_I32, a, b);
    i->cond = (u8)cond;
    return i;
}

IrInsn *lower_phi(Lower *l, IrType type, u32 n)
{
    CHECK(!l->block->first || l->block->last->op == IR_PHI, "phi behind code");
    return lower_emit(l, IR_PHI, type, n);
}

IrBlock *lower_block(Lower *l) { return ir_block_new(l->fn, NULL); }

void lower_jump(Lower *l, IrBlock *to)
{
    lower_emit(l, IR_JMP, IR_VOID, 0);
    ir_set_succs(l->fn, l->block, 1, &to);
    l->block = lower_block(l); // dead unless somebody starts another one
}

void lower_branch(Lower *l, IrInsn *cond, IrBlock *yes, IrBlock *no)
{
    if (yes == no) {
        lower_jump(l, yes);
        return;
    }
    lower_op1(l, IR_BR, IR_VOID, cond);
    ir_set_succs(l->fn, l->block, 2, (IrBlock *[]){yes, no});
    l->block = lower_block(l);
}

void lower_terminate(Lower *l, IrOp op)
{
    lower_emit(l, op, IR_VOID, 0);
    l->block = lower_block(l);
}

void lower_start(Lower *l, IrBlock *b)
{
    lower_emit(l, IR_JMP, IR_VOID, 0);
    ir_set_succs(l->fn, l->block, 1, &b);
    l->block = b;
}

IrInsn *lower_slot_addr(Lower *l, u32 slot, i64 off)
{
    IrInsn *i = lower_emit(l, IR_SLOT, l->m->ptr_type, 0);
    i->slot = slot;
    i->imm = off;
    return i;
}

IrInsn *lower_global_addr(Lower *l, IrSym *sym, i64 off)
{
    IrInsn *i = lower_emit(l, IR_GADDR, l->m->ptr_type, 0);
    i->sym = sym;
    i->imm = off;
    return i;
}

u32 lower_new_slot(Lower *l, u64 bytes, u32 align, const char *name)
{
    if (l->m->abi == CC_PURECAP && bytes > 0) {
        u64 need = ~cap_representable_mask(bytes) + 1;
        bytes = cap_representable_length(bytes);
        if (need > align && need <= 1u << 20) align = (u32)need;
    }
    return ir_slot_new(l->fn, bytes, align, name);
}

// ---- symbols

static IrSym *new_sym(Lower *l, const char *name)
{
    IrSym *s = arena_new(l->arena, IrSym);
    s->name = name;
    s->align = 1;
    vec_push(&l->m->syms, s);
    return s;
}

IrSym *lower_sym(Lower *l, Obj *obj)
{
    if (obj->ir) return l->m->syms.at[obj->ir - 1];
    IrSym *s = new_sym(l, obj->name);
    obj->ir = l->m->syms.len;
    s->is_fn = obj->kind == OBJ_FUNC;
    s->is_local = obj->is_static;
    s->is_weak = obj->is_weak || (obj->is_inline && !obj->is_static);
    s->is_defined = obj->is_defined;
    if (s->is_defined) s->pos = cc_src_pos(l->unit, obj->loc);
    s->is_used = obj->is_used;
    s->section = obj->section;
    s->is_const = obj->is_const;
    s->is_noreturn = obj->is_noreturn;
    s->returns_twice = obj->is_returns_twice;
    return s;
}

IrSym *lower_runtime(Lower *l, const char *name)
{
    for (Obj *o = l->unit->objs; o; o = o->next)
        if (o->kind == OBJ_FUNC && !strcmp(o->name, name)) return lower_sym(l, o);
    for (u32 k = 0; k < l->m->syms.len; k++)
        if (!strcmp(l->m->syms.at[k]->name, name)) return l->m->syms.at[k];
    IrSym *s = new_sym(l, name);
    s->is_fn = true;
    return s;
}

// ---- functions

static void make_local_slots(Lower *l)
{
    for (u32 k = 0; k < l->obj->n_locals; k++) {
        Obj *v = l->obj->locals[k];
        v->ir = 0;
        if (v->kind == OBJ_LOCAL) v->ir = lower_new_slot(l, v->type->size, v->align ? v->align : v->type->align, v->name) + 1;
    }
}

static void lower_function(Lower *l, Obj *obj)
{
    IrSym *sym = lower_sym(l, obj);
    l->obj = obj;
    l->fn = ir_fn_new(l->m, sym);
    lower_at(l, obj->loc);
    l->fn->line = l->line;
    l->sret = NULL;
    l->hub_slot = 0;
    l->olds.len = 0;
    l->fn->is_inline = obj->is_inline;
    l->fn->always_inline = obj->is_always_inline;
    l->fn->no_inline = obj->is_noinline;
    l->fn->is_noreturn = obj->is_noreturn;
    l->fn->is_variadic = obj->type->is_variadic;
    l->fn->has_alloca = obj->has_vla_stack;
    l->block = lower_block(l);
    make_local_slots(l);
    lower_params(l);
    lower_stmt(l, obj->body);
    if (!strcmp(obj->name, "main")) { // C11 5.1.2.2.3: main returns 0
        IrInsn *zero = lower_const(l, IR_I32, 0);
        IrInsn *ret = lower_op1(l, IR_RET, IR_VOID, zero);
        ret->ret_locs = arena_new(l->arena, IrLoc);
        *ret->ret_locs = (IrLoc){.kind = IR_LOC_GPR, .bytes = 4};
    } else {
        lower_return(l, NULL);
    }
    lower_finish_hub(l);
    for (u32 k = 0; k < l->fn->n_blocks; k++)
        if (!l->fn->blocks[k]->last) { // the dead block behind the last terminator
            l->block = l->fn->blocks[k];
            lower_emit(l, IR_UNREACHABLE, IR_VOID, 0);
        }
    ir_compute_rpo(l->fn);
}

bool ir_lower(const CcUnit *unit, const CcOptions *opt, Arena *arena, IrModule *out, Err *err)
{
    *out = (IrModule){.arena = arena, .abi = opt->abi, .profile = opt->profile, .opt_level = opt->opt_level,
                      .ptr_type = opt->abi == CC_PURECAP ? IR_CAP : IR_I64, .files = unit->files, .n_files = unit->n_files};
    Lower *l = &(Lower){.unit = unit, .opt = opt, .m = out, .arena = arena, .err = err};
    for (Obj *o = unit->objs; o && !err->is_set; o = o->next) {
        bool is_kept = o->is_referenced || o->is_used || !o->is_static;
        if (o->kind == OBJ_FUNC && o->body && is_kept)
            lower_function(l, o);
        else if (o->kind == OBJ_GLOBAL && o->is_defined && is_kept)
            lower_sym(l, o);
    }
    for (Obj *o = unit->objs; o && !err->is_set; o = o->next) // last: the blocks of labels are known
        if (o->kind == OBJ_GLOBAL && o->is_defined && o->ir) lower_data(l, o, out->syms.at[o->ir - 1]);
    for (u32 k = 0; k < unit->n_asms; k++) vec_push(&out->file_asm, unit->asms[k]);
    vec_free(&l->labels);
    vec_free(&l->olds);
    return !err->is_set;
}
