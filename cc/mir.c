// mir.c: building machine code lists, and their dump.
#include "cc/mir.h"

static MirBlock *block_from_ir(MirFn *fn, IrBlock *b)
{
    MirBlock *m = arena_new(fn->arena, MirBlock);
    m->id = b->id;
    m->ir = b;
    m->loop_depth = b->loop_depth;
    m->freq = b->freq;
    m->is_cold = b->is_cold;
    m->address_taken = b->address_taken;
    m->n_succs = b->n_succs;
    m->n_preds = b->n_preds;
    m->succs = arena_array(fn->arena, MirBlock *, b->n_succs);
    m->preds = arena_array(fn->arena, MirBlock *, b->n_preds);
    return m;
}

MirFn *mir_fn_new(IrFn *ir)
{
    MirFn *fn = arena_new(ir->arena, MirFn);
    fn->ir = ir;
    fn->arena = ir->arena;
    fn->n_blocks = ir->n_blocks;
    fn->blocks = arena_array(ir->arena, MirBlock *, ir->n_blocks);
    for (u32 n = 0; n < ir->n_blocks; n++) {
        CHECK(ir->blocks[n]->id == n, "blocks of %s are not numbered by position", ir->sym->name);
        fn->blocks[n] = block_from_ir(fn, ir->blocks[n]);
    }
    for (u32 n = 0; n < ir->n_blocks; n++) {
        MirBlock *m = fn->blocks[n];
        for (u32 k = 0; k < m->n_succs; k++) m->succs[k] = fn->blocks[m->ir->succs[k]->id];
        for (u32 k = 0; k < m->n_preds; k++) m->preds[k] = fn->blocks[m->ir->preds[k]->id];
    }
    if (ir->hub) fn->hub = fn->blocks[ir->hub->id];
    for (u32 s = 0; s < ir->n_slots; s++)
        vec_push(&fn->slots, (MirSlot){.size = ir->slots[s].size, .align = ir->slots[s].align, .is_used = ir->slots[s].is_used});
    return fn;
}

MirReg mir_vreg(MirFn *fn, bool is_fpr, bool is_cap)
{
    vec_push(&fn->vregs, (MirVreg){.is_fpr = is_fpr, .is_cap = is_cap});
    return MIR_FIRST_VREG + fn->vregs.len - 1;
}

MirInsn *mir_insn(MirFn *fn, u16 op, u32 n_ops)
{
    MirInsn *i = arena_alloc(fn->arena, sizeof *i + n_ops * sizeof(MirOpnd));
    i->op = op;
    i->n_ops = (u16)n_ops;
    i->ops = (MirOpnd *)(i + 1);
    return i;
}

void mir_insert_before(MirBlock *b, MirInsn *at, MirInsn *i)
{
    i->next = at;
    i->prev = at ? at->prev : b->last;
    *(i->prev ? &i->prev->next : &b->first) = i;
    *(at ? &at->prev : &b->last) = i;
}

void mir_insert_after(MirBlock *b, MirInsn *at, MirInsn *i) { mir_insert_before(b, at ? at->next : b->first, i); }

void mir_append(MirBlock *b, MirInsn *i) { mir_insert_before(b, NULL, i); }

void mir_remove(MirBlock *b, MirInsn *i)
{
    *(i->prev ? &i->prev->next : &b->first) = i->next;
    *(i->next ? &i->next->prev : &b->last) = i->prev;
    i->prev = i->next = NULL;
}

static void dump_reg(MirReg r, Buf *out)
{
    if (r == MIR_SP)
        buf_printf(out, "sp");
    else if (r < MIR_V0)
        buf_printf(out, "x%u", r);
    else if (r < MIR_N_PHYS)
        buf_printf(out, "v%u", r - MIR_V0);
    else
        buf_printf(out, "%%%u", r - MIR_FIRST_VREG);
}

static void dump_operand(const MirOpnd *o, Buf *out)
{
    switch (o->kind) {
    case MIR_NONE: buf_printf(out, "-"); break;
    case MIR_REG:
        buf_printf(out, "%s%s%s", o->flags & MIR_DEF ? (o->flags & MIR_USE ? "*" : "=") : "",
                   o->flags & MIR_EARLY ? "&" : "", o->flags & MIR_WEAK ? "?" : "");
        dump_reg(o->reg, out);
        if (o->size) buf_printf(out, ":%u", o->size);
        break;
    case MIR_IMM: buf_printf(out, "#%lld", (long long)o->imm); break;
    case MIR_SYM: buf_printf(out, "%s%+lld", o->sym->name, (long long)o->imm); break;
    case MIR_BLOCK: buf_printf(out, "b%u", o->block->id); break;
    case MIR_SLOT: buf_printf(out, "s%u%+lld", o->slot, (long long)o->imm); break;
    case MIR_INARG: buf_printf(out, "inarg%+lld", (long long)o->imm); break;
    default: UNREACHABLE("operand kind %u", o->kind);
    }
}

void mir_dump(const MirFn *fn, const MirTarget *t, Buf *out)
{
    buf_printf(out, "mfn %s\n", fn->ir->sym->name);
    for (u32 n = 0; n < fn->n_blocks; n++) {
        const MirBlock *b = fn->blocks[n];
        buf_printf(out, "b%u:%s\n", b->id, b == fn->hub ? " hub" : "");
        for (const MirInsn *i = b->first; i; i = i->next) {
            buf_printf(out, "    %s", i->flags & MIR_F_PROBE ? "probe" : t->op_name(i->op));
            for (u32 k = 0; k < i->n_ops; k++) {
                buf_printf(out, "%s", k ? ", " : " ");
                dump_operand(&i->ops[k], out);
            }
            buf_printf(out, "\n");
        }
    }
}
