// lower_call.c: calls, parameters, returns and variable arguments, as abi.h lays them out.
//
// A struct travels as pieces: loaded one by one into scalars before a call, stored one by one behind it. Scalars need
// no conversion (narrow integers are always extended).
#include "cc/lower.h"

#include <stdlib.h>

// ---- pieces of a struct

static IrMem piece_mem(u32 bytes) { return bytes == 1 ? IR_M8 : bytes == 2 ? IR_M16 : bytes == 4 ? IR_M32 : IR_M64; }

// bytes (1..8) at p + off as a zero-extended I64.
static IrInsn *load_bytes(Lower *l, Place p, i64 off, u32 bytes)
{
    IrInsn *all = NULL;
    for (u32 done = 0; done < bytes;) {
        u32 part = bytes - done >= 8 ? 8 : bytes - done >= 4 ? 4 : bytes - done >= 2 ? 2 : 1;
        IrInsn *v = lower_load_raw(l, p, off + done, piece_mem(part), part == 8 ? IR_I64 : IR_I32, false);
        if (part != 8) v = lower_op1(l, IR_ZEXT32, IR_I64, v);
        if (done) v = lower_op2(l, IR_SHL, IR_I64, v, lower_const(l, IR_I64, done * 8));
        all = all ? lower_op2(l, IR_OR, IR_I64, all, v) : v;
        done += part;
    }
    return all;
}

static void store_bytes(Lower *l, Place p, i64 off, u32 bytes, IrInsn *v)
{
    for (u32 done = 0; done < bytes;) {
        u32 part = bytes - done >= 8 ? 8 : bytes - done >= 4 ? 4 : bytes - done >= 2 ? 2 : 1;
        IrInsn *w = v;
        if (done) w = lower_op2(l, IR_LSHR, IR_I64, v, lower_const(l, IR_I64, done * 8));
        if (part != 8) w = lower_op1(l, IR_TRUNC, IR_I32, w);
        lower_store_raw(l, p, off + done, piece_mem(part), w);
        done += part;
    }
}

static IrInsn *load_piece(Lower *l, Place p, const AbiPiece *a)
{
    switch (a->type) {
    case IR_CAP: return lower_load_raw(l, p, a->offset, IR_MCAP, IR_CAP, false);
    case IR_F32: return lower_load_raw(l, p, a->offset, IR_MF32, IR_F32, false);
    case IR_F64: return lower_load_raw(l, p, a->offset, IR_MF64, IR_F64, false);
    default: return load_bytes(l, p, a->offset, a->bytes);
    }
}

static void store_piece(Lower *l, Place p, const AbiPiece *a, IrInsn *v)
{
    switch (a->type) {
    case IR_CAP: lower_store_raw(l, p, a->offset, IR_MCAP, v); break;
    case IR_F32: lower_store_raw(l, p, a->offset, IR_MF32, v); break;
    case IR_F64: lower_store_raw(l, p, a->offset, IR_MF64, v); break;
    default:
        if (v->type == IR_I32) v = lower_op1(l, IR_ZEXT32, IR_I64, v);
        store_bytes(l, p, a->offset, a->bytes, v);
    }
}

static u32 piece_type(const AbiPiece *a) { return a->type == IR_I32 ? IR_I64 : a->type; }

// ---- calls

typedef VEC(IrInsn *) Values;
typedef VEC(IrLoc) Locs;

static void add_arg(Lower *l, Node *arg, const AbiValue *a, Values *values, Locs *locs)
{
    if (!type_is_record(arg->type)) {
        IrInsn *v = lower_expr(l, arg);
        if (!v) return;
        if (!a->n_pieces) return;
        vec_push(values, v);
        vec_push(locs, a->pieces[0].loc);
        return;
    }
    Place p = lower_record(l, arg);
    if (a->is_indirect) {
        Place copy = lower_slot_place(l, lower_new_slot(l, arg->type->size, arg->type->align, NULL), arg->type->size);
        lower_copy(l, copy, p, arg->type);
        vec_push(values, lower_pointer(l, copy));
        vec_push(locs, a->pieces[0].loc);
        return;
    }
    for (u32 k = 0; k < a->n_pieces; k++) {
        vec_push(values, load_piece(l, p, &a->pieces[k]));
        vec_push(locs, a->pieces[k].loc);
    }
}

static void *copy_to_arena(Lower *l, const void *from, size_t bytes)
{
    void *p = arena_alloc(l->arena, bytes ? bytes : 1);
    if (bytes) memcpy(p, from, bytes);
    return p;
}

static IrSym *direct_callee(Lower *l, Node *fn)
{
    while (fn->kind == ND_CAST && fn->cast == CAST_PTR) fn = fn->lhs;
    if (fn->kind == ND_ADDR && fn->lhs->kind == ND_VAR && fn->lhs->var->kind == OBJ_FUNC) return lower_sym(l, fn->lhs->var);
    return NULL;
}

static IrInsn *emit_call(Lower *l, IrCall *call, IrInsn *target, const Values *values, const Locs *locs, IrType type)
{
    u32 extra = target != NULL;
    IrInsn *i = lower_emit(l, IR_CALL, type, values->len + extra);
    i->call = call;
    if (target) i->args[0] = target;
    for (u32 k = 0; k < values->len; k++) i->args[k + extra] = values->at[k];
    call->arg_locs = copy_to_arena(l, locs->at, locs->len * sizeof *locs->at);
    return i;
}

static void set_results(Lower *l, IrCall *call, const AbiValue *ret, const Type *type)
{
    if (ret->is_indirect) return;
    bool is_record = type_is_record(type);
    call->n_results = ret->n_pieces;
    for (u32 k = 0; k < ret->n_pieces; k++) {
        call->ret_locs[k] = ret->pieces[k].loc;
        call->ret_types[k] = (u8)(is_record ? piece_type(&ret->pieces[k]) : (u32)lower_type(l, type));
    }
}

// The pieces of a struct result go to a slot of their own.
static Place take_record(Lower *l, IrInsn *call, const AbiValue *ret, const Type *type)
{
    Place p = lower_slot_place(l, lower_new_slot(l, type->size, type->align, NULL), type->size);
    IrInsn *pieces[4];
    for (u32 k = 0; k < ret->n_pieces; k++) {
        pieces[k] = call;
        if (k) {
            pieces[k] = lower_op1(l, IR_RESULT, (IrType)call->call->ret_types[k], call);
            pieces[k]->imm = k;
        }
    }
    for (u32 k = 0; k < ret->n_pieces; k++) store_piece(l, p, &ret->pieces[k], pieces[k]);
    return p;
}

IrInsn *lower_call(Lower *l, Node *n, Place *record)
{
    const Type *ft = n->fn_type;
    const Type **types = arena_array(l->arena, const Type *, n->n_args);
    for (u32 k = 0; k < n->n_args; k++) types[k] = n->args[k]->type;
    AbiCall abi = {0};
    u32 n_named = ft->is_variadic ? ft->n_params : n->n_args;
    abi_layout(l->m->abi, ft->base, types, n->n_args, n_named, ft->is_variadic, l->arena, &abi);
    IrCall *call = arena_new(l->arena, IrCall);
    call->sym = direct_callee(l, n->lhs);
    IrInsn *target = call->sym ? NULL : lower_expr(l, n->lhs);
    Values values = {0};
    Locs locs = {0};
    for (u32 k = 0; k < n->n_args; k++) add_arg(l, n->args[k], &abi.args[k], &values, &locs);
    Place result = {0};
    if (abi.ret.is_indirect) {
        result = lower_slot_place(l, lower_new_slot(l, ft->base->size, ft->base->align, NULL), ft->base->size);
        vec_push(&values, lower_pointer(l, result));
        vec_push(&locs, abi.ret.pieces[0].loc);
    }
    call->stack_bytes = abi.stack_bytes;
    call->anon_bytes = abi.anon_bytes;
    call->is_variadic = ft->is_variadic;
    call->is_noreturn = call->sym && call->sym->is_noreturn;
    call->returns_twice = call->sym && call->sym->returns_twice;
    l->fn->calls_returns_twice |= call->returns_twice;
    set_results(l, call, &abi.ret, ft->base);
    IrInsn *i = emit_call(l, call, target, &values, &locs, call->n_results ? (IrType)call->ret_types[0] : IR_VOID);
    vec_free(&values);
    vec_free(&locs);
    if (type_is_record(ft->base)) {
        if (!abi.ret.is_indirect) result = take_record(l, i, &abi.ret, ft->base);
        if (record) *record = result;
    }
    if (call->is_noreturn) {
        IrInsn *undef = call->n_results ? lower_emit(l, IR_UNDEF, (IrType)call->ret_types[0], 0) : NULL;
        lower_terminate(l, IR_UNREACHABLE);
        if (undef) return lower_emit(l, IR_UNDEF, (IrType)call->ret_types[0], 0);
    }
    return call->n_results ? i : NULL;
}

IrInsn *lower_runtime_call(Lower *l, const char *name, const Type *ret, u32 n, IrInsn **args)
{
    IrCall *call = arena_new(l->arena, IrCall);
    call->sym = lower_runtime(l, name);
    Values values = {0};
    Locs locs = {0};
    for (u32 k = 0; k < n; k++) {
        vec_push(&values, args[k]);
        vec_push(&locs, (IrLoc){.kind = IR_LOC_GPR, .bytes = (u8)ir_type_bytes((IrType)args[k]->type), .n = k});
    }
    IrType type = ret ? lower_type(l, ret) : IR_VOID;
    if (ret) {
        call->n_results = 1;
        call->ret_locs[0] = (IrLoc){.kind = IR_LOC_GPR, .bytes = (u8)ir_type_bytes(type)};
        call->ret_types[0] = (u8)type;
    }
    IrInsn *i = emit_call(l, call, NULL, &values, &locs, type);
    vec_free(&values);
    vec_free(&locs);
    return i;
}

// ---- the callee's side

static IrInsn *param(Lower *l, IrType type, IrLoc loc)
{
    IrInsn *i = lower_emit(l, IR_PARAM, type, 0);
    i->loc = loc;
    return i;
}

// Incoming registers that va_start needs: hybrid saves the unused argument registers, purecap the area in C9.
static void save_variadic(Lower *l)
{
    if (l->m->abi == CC_PURECAP) {
        l->va_ap_slot = ir_slot_new(l->fn, 16, 16, NULL);
        lower_store_raw(l, lower_slot_place(l, l->va_ap_slot, 0), 0, IR_MCAP,
                        param(l, IR_CAP, (IrLoc){.kind = IR_LOC_GPR, .bytes = 16, .n = 9}));
        return;
    }
    l->va_gr_slot = ir_slot_new(l->fn, 64, 16, NULL);
    l->va_vr_slot = ir_slot_new(l->fn, 128, 16, NULL);
    IrInsn *regs[16] = {0};
    for (u32 k = l->abi.named_gprs; k < 8; k++) regs[k] = param(l, IR_I64, (IrLoc){.kind = IR_LOC_GPR, .bytes = 8, .n = k});
    for (u32 k = l->abi.named_fprs; k < 8; k++)
        regs[8 + k] = param(l, IR_F64, (IrLoc){.kind = IR_LOC_FPR, .bytes = 8, .n = k});
    for (u32 k = 0; k < 16; k++) {
        if (!regs[k]) continue;
        Place p = lower_slot_place(l, k < 8 ? l->va_gr_slot : l->va_vr_slot, 0);
        lower_store_raw(l, p, k < 8 ? k * 8 : (k - 8) * 16, k < 8 ? IR_M64 : IR_MF64, regs[k]);
    }
}

typedef struct Incoming {
    IrInsn *pieces[4];
} Incoming;

// All PARAMs come first, before any code could take their registers.
static void take_pieces(Lower *l, const AbiValue *a, const Type *t, Incoming *in)
{
    CHECK(a->n_pieces <= 4, "%u pieces", a->n_pieces);
    for (u32 k = 0; k < a->n_pieces; k++) {
        IrType type = a->is_indirect ? l->m->ptr_type : type_is_record(t) ? (IrType)piece_type(&a->pieces[k]) : lower_type(l, t);
        in->pieces[k] = param(l, type, a->pieces[k].loc);
    }
}

static void store_param(Lower *l, Obj *v, const AbiValue *a, const Incoming *in)
{
    v->ir = lower_new_slot(l, v->type->size, v->align > v->type->align ? v->align : v->type->align, v->name) + 1;
    Place p = lower_slot_place(l, v->ir - 1, v->type->size);
    if (a->is_indirect)
        lower_copy(l, p, lower_place_of(l, in->pieces[0]), v->type);
    else if (type_is_record(v->type))
        for (u32 k = 0; k < a->n_pieces; k++) store_piece(l, p, &a->pieces[k], in->pieces[k]);
    else if (a->n_pieces)
        lower_store(l, p, v->type, in->pieces[0]);
}

void lower_params(Lower *l)
{
    const Type *ft = l->obj->type;
    const Type **types = arena_array(l->arena, const Type *, ft->n_params);
    for (u32 k = 0; k < ft->n_params; k++) types[k] = l->obj->params[k]->type;
    l->abi = (AbiCall){0};
    abi_layout(l->m->abi, ft->base, types, ft->n_params, ft->n_params, ft->is_variadic, l->arena, &l->abi);
    l->fn->in_stack_bytes = l->abi.stack_bytes;
    Incoming *in = arena_array(l->arena, Incoming, ft->n_params);
    for (u32 k = 0; k < ft->n_params; k++) take_pieces(l, &l->abi.args[k], types[k], &in[k]);
    if (l->abi.ret.is_indirect) l->sret = param(l, l->m->ptr_type, l->abi.ret.pieces[0].loc);
    if (ft->is_variadic) save_variadic(l);
    for (u32 k = 0; k < ft->n_params; k++) store_param(l, l->obj->params[k], &l->abi.args[k], &in[k]);
}

void lower_return(Lower *l, Node *value)
{
    const AbiValue *a = &l->abi.ret;
    const Type *t = l->obj->type->base;
    IrInsn *v[4] = {0};
    u32 n = 0;
    if (value && type_is_record(t)) {
        Place p = lower_record(l, value);
        if (a->is_indirect)
            lower_copy(l, lower_place_of(l, l->sret), p, t);
        else
            for (; n < a->n_pieces; n++) v[n] = load_piece(l, p, &a->pieces[n]);
    } else if (value) {
        v[0] = lower_expr(l, value);
        n = v[0] && a->n_pieces;
    }
    IrInsn *ret = lower_emit(l, IR_RET, IR_VOID, n);
    ret->ret_locs = arena_array(l->arena, IrLoc, n);
    for (u32 k = 0; k < n; k++) {
        ret->args[k] = v[k];
        ret->ret_locs[k] = a->pieces[k].loc;
    }
    l->block = lower_block(l);
}

// ---- va_list: purecap a pointer; hybrid {stack, gr_top, vr_top, gr_offs, vr_offs}

enum { VA_STACK = 0, VA_GR_TOP = 8, VA_VR_TOP = 16, VA_GR_OFFS = 24, VA_VR_OFFS = 28 };

void lower_va_start(Lower *l, IrInsn *ap)
{
    Place p = lower_place_of(l, ap);
    if (l->m->abi == CC_PURECAP) {
        IrInsn *area = lower_load_raw(l, lower_slot_place(l, l->va_ap_slot, 0), 0, IR_MCAP, IR_CAP, false);
        lower_store_raw(l, p, 0, IR_MCAP, area);
        return;
    }
    IrInsn *stack = lower_emit(l, IR_INARG, IR_I64, 0);
    stack->imm = (i64)l->abi.named_stack;
    lower_store_raw(l, p, VA_STACK, IR_M64, stack);
    lower_store_raw(l, p, VA_GR_TOP, IR_M64, lower_slot_addr(l, l->va_gr_slot, 64));
    lower_store_raw(l, p, VA_VR_TOP, IR_M64, lower_slot_addr(l, l->va_vr_slot, 128));
    lower_store_raw(l, p, VA_GR_OFFS, IR_M32, lower_const(l, IR_I32, -8 * (i64)(8 - l->abi.named_gprs)));
    lower_store_raw(l, p, VA_VR_OFFS, IR_M32, lower_const(l, IR_I32, -16 * (i64)(8 - l->abi.named_fprs)));
}

static IrInsn *align_up(Lower *l, IrInsn *v, u32 align)
{
    v = lower_op2(l, IR_ADD, (IrType)v->type, v, lower_const(l, (IrType)v->type, align - 1));
    return lower_op2(l, IR_AND, (IrType)v->type, v, lower_const(l, (IrType)v->type, -(i64)align));
}

// Hybrid: address of the next argument of n registers (offs names the class) or `bytes` bytes of stack.
static IrInsn *va_next(Lower *l, Place ap, bool is_fpr, u32 n, u64 bytes, u32 align)
{
    i64 offs_at = is_fpr ? VA_VR_OFFS : VA_GR_OFFS, top_at = is_fpr ? VA_VR_TOP : VA_GR_TOP;
    IrBlock *try = lower_block(l), *regs = lower_block(l), *stack = lower_block(l), *end = lower_block(l);
    IrInsn *zero = lower_const(l, IR_I32, 0);
    IrInsn *offs = lower_load_raw(l, ap, offs_at, IR_M32, IR_I32, true);
    lower_branch(l, lower_cmp(l, IR_SLT, offs, zero), try, stack);
    l->block = try;
    if (align == 16 && !is_fpr) offs = align_up(l, offs, 16);
    IrInsn *next = lower_op2(l, IR_ADD, IR_I32, offs, lower_const(l, IR_I32, n * (is_fpr ? 16 : 8)));
    lower_store_raw(l, ap, offs_at, IR_M32, next);
    lower_branch(l, lower_cmp(l, IR_SLE, next, zero), regs, stack);
    l->block = regs;
    IrInsn *top = lower_load_raw(l, ap, top_at, IR_M64, IR_I64, false);
    IrInsn *in_regs = lower_op2(l, IR_ADD, IR_I64, top, lower_op1(l, IR_SEXT32, IR_I64, offs));
    lower_jump(l, end);
    l->block = stack;
    IrInsn *on_stack = lower_load_raw(l, ap, VA_STACK, IR_M64, IR_I64, false);
    if (align == 16) on_stack = align_up(l, on_stack, 16);
    lower_store_raw(l, ap, VA_STACK, IR_M64, lower_add_const(l, on_stack, (i64)((bytes + 7) & ~7ull)));
    lower_jump(l, end);
    l->block = end;
    IrInsn *phi = lower_phi(l, IR_I64, 2);
    phi->args[0] = in_regs;
    phi->args[1] = on_stack;
    return phi;
}

// A homogeneous float struct lies in registers 16 bytes apart but together on the stack: gathered into a slot.
static Place gather_hfa(Lower *l, Place ap, const AbiValue *a, const Type *t)
{
    Place to = lower_slot_place(l, lower_new_slot(l, t->size, t->align, NULL), t->size);
    IrInsn *old = lower_load_raw(l, ap, VA_VR_OFFS, IR_M32, IR_I32, true);
    Place from = lower_place_of(l, va_next(l, ap, true, a->n_pieces, t->size, t->align));
    IrInsn *fits = lower_cmp(l, IR_SLE, old, lower_const(l, IR_I32, -16 * (i64)a->n_pieces));
    IrBlock *regs = lower_block(l), *stack = lower_block(l), *end = lower_block(l);
    lower_branch(l, fits, regs, stack);
    l->block = regs;
    for (u32 k = 0; k < a->n_pieces; k++) {
        Place one = from;
        one.off += 16 * (i64)k - a->pieces[k].offset;
        store_piece(l, to, &a->pieces[k], load_piece(l, one, &a->pieces[k]));
    }
    lower_jump(l, end);
    l->block = stack;
    lower_copy(l, to, from, t);
    lower_jump(l, end);
    l->block = end;
    return to;
}

IrInsn *lower_va_arg(Lower *l, IrInsn *ap, const Type *t, Place *record)
{
    bool is_pure = l->m->abi == CC_PURECAP;
    Place list = lower_place_of(l, ap), p;
    AbiCall abi = {0};
    abi_layout(l->m->abi, t, &t, 1, is_pure ? 0 : 1, is_pure, l->arena, &abi);
    const AbiValue *a = &abi.args[0];
    bool is_fpr = a->n_pieces && a->pieces[0].loc.kind == IR_LOC_FPR;
    if (is_pure) {
        IrInsn *at = lower_load_raw(l, list, 0, IR_MCAP, IR_CAP, false);
        lower_store_raw(l, list, 0, IR_MCAP, lower_add_const(l, at, 16));
        p = lower_place_of(l, at);
    } else if (is_fpr && a->n_pieces > 1) {
        p = gather_hfa(l, list, a, t);
    } else if (a->is_indirect) {
        p = lower_place_of(l, va_next(l, list, false, 1, 8, 8));
    } else {
        p = lower_place_of(l, va_next(l, list, is_fpr, a->n_pieces ? a->n_pieces : 1, t->size, t->align));
    }
    if (a->is_indirect) p = lower_place_of(l, lower_load_raw(l, p, 0, is_pure ? IR_MCAP : IR_M64, l->m->ptr_type, false));
    if (record) *record = p;
    return type_is_record(t) ? NULL : lower_load(l, p, t);
}
