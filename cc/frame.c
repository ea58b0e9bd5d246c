// frame.c: where everything lies in a stack frame, and the code that makes and removes it.
//
//     stp x29, x30, [sp, #-48]!        a frame of up to 504 (1008) bytes and no outgoing arguments
//     mov x29, sp
//     stp x19, x20, [sp, #16]
//     …
//     ldp x19, x20, [sp, #16]
//     ldp x29, x30, [sp], #48
//     ret
#include "cc/emit.h"

#include "base/bits.h"

static bool is_saved(const MirFn *fn, const Target *t, u32 r) { return (fn->used_regs & t->mir.callee_saved) >> r & 1; }

static void place_saved(Emit *e)
{
    EmitFrame *f = &e->frame;
    u32 at = f->out_bytes, gpr = e->t->ptr_bytes;
    if (f->has_record) {
        f->saved[f->n_saved++] = T_FP;
        f->saved[f->n_saved++] = T_LR;
    }
    for (u32 r = 19; r <= 28; r++)
        if (is_saved(e->fn, e->t, r)) f->saved[f->n_saved++] = (u8)r;
    for (u32 i = 0; i < f->n_saved; i++, at += gpr) f->saved_at[i] = at;
    for (u32 r = MIR_V0 + 8; r < MIR_V0 + 16; r++)
        if (is_saved(e->fn, e->t, r)) {
            f->saved[f->n_saved] = (u8)r;
            f->saved_at[f->n_saved++] = at;
            at += 8;
        }
    f->bytes = at;
}

// Small slots first, so that most offsets fit their instruction: one pass for each size class.
static void place_slots(Emit *e)
{
    static const u64 classes[] = {16, 64, 256, 4096, UINT64_MAX};
    u64 at = e->frame.bytes, low = 0;
    for (u32 c = 0; c < ARRAY_LEN(classes); low = classes[c++]) {
        for (u32 i = 0; i < e->fn->slots.len; i++) {
            MirSlot *s = &e->fn->slots.at[i];
            bool is_here = s->size <= classes[c] && (s->size > low || (c == 0 && s->size == 0));
            if (!s->is_used || !is_here) continue;
            bool is_over = s->align > 16; // T_LEAALIGN aligns inside the room it gets
            at = bits_align_up(at, is_over ? 16 : s->align ? s->align : 1);
            s->offset = (i64)at;
            at += s->size + (is_over ? s->align - 16 : 0);
        }
    }
    at = bits_align_up(at, 16);
    if (at > 1 << 30) {
        err_set(e->err, CAPLAB_EX_DATA, "the stack frame of '%s' is larger than 1 GiB", e->fn->ir->sym->name);
        e->failed = true;
        at = 1 << 30;
    }
    e->frame.bytes = (u32)at;
}

static u32 base_register(const Emit *e) { return e->frame.needs_fp ? T_FP : MIR_SP; }

// [slot + a, #b] → [SP, #offset + a + b], or from X29 where SP moves.
static void resolve_operands(Emit *e, MirInsn *i)
{
    for (u32 k = 0; k < i->n_ops; k++) {
        MirOpnd *o = &i->ops[k];
        if ((o->kind != MIR_SLOT && o->kind != MIR_INARG) || i->flags & MIR_F_PROBE) continue;
        i64 at = o->imm + (o->kind == MIR_SLOT ? e->fn->slots.at[o->slot].offset : (i64)e->frame.bytes);
        if (e->frame.needs_fp) at -= e->frame.out_bytes;
        *o = mir_use(base_register(e), (u8)e->t->ptr_bytes);
        if (i->op == T_LEA) {
            MirOpnd *ops = arena_array(e->fn->arena, MirOpnd, 3);
            ops[0] = i->ops[0];
            ops[1] = *o;
            ops[2] = mir_imm(at);
            i->ops = ops;
            i->n_ops = 3;
        } else if (i->op == T_LEAALIGN) {
            o->imm = at; // a register operand's imm is free
        } else {
            CHECK(k + 1 < i->n_ops && i->ops[k + 1].kind == MIR_IMM, "slot operand of %s", target_op_name(i->op));
            i->ops[k + 1].imm += at;
        }
    }
}

void frame_layout(Emit *e)
{
    const TFrame *tf = e->fn->aux;
    EmitFrame *f = &e->frame;
    *f = (EmitFrame){.out_bytes = tf->out_bytes, .needs_fp = tf->needs_fp};
    f->has_record = e->fn->has_calls || tf->needs_fp || e->fn->used_regs >> T_LR & 1;
    place_saved(e);
    place_slots(e);
    for (u32 n = 0; n < e->fn->n_blocks; n++)
        for (MirInsn *i = e->fn->blocks[n]->first; i; i = i->next) resolve_operands(e, i);
}

// ---- code

static IrMem mem_of(const Emit *e, u32 r) { return r >= MIR_V0 ? IR_MF64 : e->is_c64 ? IR_MCAP : IR_M64; }

static bool pairs_up(const Emit *e, u32 i)
{
    const EmitFrame *f = &e->frame;
    u32 bytes = ir_mem_bytes(mem_of(e, f->saved[i]));
    return i + 1 < f->n_saved && (f->saved[i] >= MIR_V0) == (f->saved[i + 1] >= MIR_V0) && f->saved_at[i] / bytes < 63 &&
           f->saved_at[i] % bytes == 0;
}

// The frame can be made by the first store itself.
static bool is_small(const Emit *e)
{
    const EmitFrame *f = &e->frame;
    return f->n_saved && !f->out_bytes && f->bytes <= (pairs_up(e, 0) ? 63 * ir_mem_bytes(mem_of(e, f->saved[0])) : 255);
}

static void move_saved(Emit *e, bool is_load, u32 i)
{
    const EmitFrame *f = &e->frame;
    u32 r = f->saved[i] & 31;
    IrMem mem = mem_of(e, f->saved[i]);
    if (pairs_up(e, i))
        emit_pair(e, is_load, mem, r, f->saved[i + 1] & 31, MIR_SP, f->saved_at[i]);
    else
        emit_access(e, is_load, mem, false, 8, r, MIR_SP, f->saved_at[i]);
}

// The first pair (or register), moving SP by the whole frame.
static void move_first(Emit *e, bool is_load)
{
    const EmitFrame *f = &e->frame;
    IrMem mem = mem_of(e, f->saved[0]);
    u32 bytes = ir_mem_bytes(mem);
    i32 by = is_load ? (i32)f->bytes : -(i32)f->bytes;
    IsaFields x = {.sf = 1, .Rt = f->saved[0] & 31, .Rn = 31};
    IsaRow row;
    if (pairs_up(e, 0)) {
        x.Rt2 = f->saved[1] & 31;
        x.imm7 = (u32)(by / (i32)bytes) & 0x7f;
        x.vsize = 1;
        row = mem == IR_MCAP  ? (is_load ? ISA_LDP_CC_RIAW_C : ISA_STP_C_RIBW_C)
              : mem == IR_M64 ? (is_load ? ISA_LDP_POST : ISA_STP_PRE)
                              : (is_load ? ISA_LDP_V_POST : ISA_STP_V_PRE);
        if (mem != IR_MF64) x.vsize = 0;
        if (mem != IR_M64) x.sf = 0;
    } else {
        if (mem == IR_MF64) x.size = 3;
        if (mem != IR_M64) x.sf = 0;
        x.imm9 = (u32)(mem == IR_MCAP ? by / 16 : by) & 0x1ff;
        row = mem == IR_MCAP  ? (is_load ? ISA_LDR_C_RIAW_C : ISA_STR_C_RIBW_C)
              : mem == IR_M64 ? (is_load ? ISA_LDR_POST : ISA_STR_PRE)
                              : (is_load ? ISA_LDR_V_POST : ISA_STR_V_PRE);
    }
    emit_word(e, isa_encode(row, x));
}

void frame_enter(Emit *e)
{
    const EmitFrame *f = &e->frame;
    if (!f->bytes) return;
    bool small = is_small(e);
    if (small)
        move_first(e, false);
    else
        emit_add_sp(e, 31, 31, -(i64)f->bytes);
    for (u32 i = 0; i < f->n_saved; i += pairs_up(e, i) ? 2 : 1) {
        if (i > 0 || !small) move_saved(e, false, i);
        if (i == 0 && f->has_record) emit_add_sp(e, T_FP, 31, f->out_bytes);
    }
}

void frame_leave(Emit *e)
{
    const EmitFrame *f = &e->frame;
    if (!f->bytes) return;
    if (f->needs_fp) emit_add_sp(e, 31, T_FP, -(i64)f->out_bytes);
    bool small = is_small(e);
    u32 starts[32], n = 0;
    for (u32 i = 0; i < f->n_saved; i += pairs_up(e, i) ? 2 : 1) starts[n++] = i;
    while (n-- > (small ? 1u : 0u)) move_saved(e, true, starts[n]);
    if (small)
        move_first(e, true);
    else
        emit_add_sp(e, 31, 31, f->bytes);
}
