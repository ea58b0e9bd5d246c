// irdump.c: IR as text, for `caplab cc --dump-ir` and for tests; and the tables of names behind it.
#include "cc/ir.h"

static const struct { const char *name; u32 kinds; } ops[IR_OP_COUNT] = {
#define X(name, text, kinds, what) {text, kinds},
    IR_OPS(X)
#undef X
};
static const struct { const char *name; u32 bytes; } types[] = {
#define X(name, text, bytes) {text, bytes},
    IR_TYPES(X)
#undef X
};
static const struct { const char *name; u32 bytes; } mems[] = {
#define X(name, text, bytes) {text, bytes},
    IR_MEMS(X)
#undef X
};
static const char *const conds[] = {
#define X(name, text) text,
    IR_CONDS(X)
#undef X
};

const char *ir_op_name(IrOp op) { return ops[op].name; }
u32 ir_op_kinds(IrOp op) { return ops[op].kinds; }
const char *ir_type_name(IrType t) { return types[t].name; }
u32 ir_type_bytes(IrType t) { return types[t].bytes; }
u32 ir_mem_bytes(IrMem m) { return mems[m].bytes; }
const char *ir_cond_name(IrCond c) { return conds[c]; }

IrCond ir_cond_negate(IrCond c)
{
    static const u8 to[IR_COND_COUNT] = {
        [IR_EQ] = IR_NE, [IR_NE] = IR_EQ, [IR_SLT] = IR_SGE, [IR_SGE] = IR_SLT, [IR_SLE] = IR_SGT, [IR_SGT] = IR_SLE,
        [IR_ULT] = IR_UGE, [IR_UGE] = IR_ULT, [IR_ULE] = IR_UGT, [IR_UGT] = IR_ULE, [IR_FEQ] = IR_FNE, [IR_FNE] = IR_FEQ,
        [IR_FLT] = IR_FNLT, [IR_FNLT] = IR_FLT, [IR_FLE] = IR_FNLE, [IR_FNLE] = IR_FLE, [IR_FGT] = IR_FNGT,
        [IR_FNGT] = IR_FGT, [IR_FGE] = IR_FNGE, [IR_FNGE] = IR_FGE,
    };
    return (IrCond)to[c];
}

IrCond ir_cond_swap(IrCond c)
{
    static const u8 to[IR_COND_COUNT] = {
        [IR_EQ] = IR_EQ, [IR_NE] = IR_NE, [IR_SLT] = IR_SGT, [IR_SGT] = IR_SLT, [IR_SLE] = IR_SGE, [IR_SGE] = IR_SLE,
        [IR_ULT] = IR_UGT, [IR_UGT] = IR_ULT, [IR_ULE] = IR_UGE, [IR_UGE] = IR_ULE, [IR_FEQ] = IR_FEQ, [IR_FNE] = IR_FNE,
        [IR_FLT] = IR_FGT, [IR_FGT] = IR_FLT, [IR_FLE] = IR_FGE, [IR_FGE] = IR_FLE, [IR_FNLT] = IR_FNGT,
        [IR_FNGT] = IR_FNLT, [IR_FNLE] = IR_FNGE, [IR_FNGE] = IR_FNLE,
    };
    return (IrCond)to[c];
}

static void dump_loc(IrLoc l, Buf *out)
{
    static const char *const kinds[] = {"gpr", "fpr", "stack+", "anon+"};
    buf_printf(out, " %s%u", kinds[l.kind], l.n);
}

static void dump_details(const IrFn *fn, const IrInsn *i, Buf *out)
{
    switch (i->op) {
    case IR_CONST: case IR_FCONST: buf_printf(out, " %lld", (long long)i->imm); break;
    case IR_GADDR: buf_printf(out, " %s%+lld", i->sym->name, (long long)i->imm); break;
    case IR_LABEL: buf_printf(out, " b%u", i->target->id); break;
    case IR_SLOT:
        buf_printf(out, " s%u", i->slot);
        if (fn->slots[i->slot].name) buf_printf(out, " (%s)", fn->slots[i->slot].name);
        buf_printf(out, "%+lld", (long long)i->imm);
        break;
    case IR_PARAM: dump_loc(i->loc, out); break;
    case IR_LOAD: case IR_STORE:
        buf_printf(out, " %s%s%s%+lld", mems[i->mem].name, i->is_signed ? " signed" : "", i->is_volatile ? " volatile" : "",
                   (long long)i->imm);
        break;
    case IR_INARG: case IR_MEMCPY: case IR_MEMZERO: case IR_RESULT: case IR_ADDG:
        buf_printf(out, " %lld", (long long)i->imm);
        break;
    case IR_CALL: buf_printf(out, " %s", i->call->sym ? i->call->sym->name : "*"); break;
    case IR_ASM: buf_printf(out, " \"%s\"", i->as->text); break;
    case IR_PROBE: buf_printf(out, " %s", i->probe->name); break;
    default: break;
    }
}

static void dump_insn(const IrFn *fn, const IrInsn *i, Buf *out)
{
    buf_printf(out, "    ");
    if (i->type != IR_VOID) buf_printf(out, "%%%u = ", i->id);
    buf_printf(out, "%s", ops[i->op].name);
    if (i->type != IR_VOID) buf_printf(out, ".%s", types[i->type].name);
    if (i->op == IR_CMP || i->op == IR_FCMP) buf_printf(out, " %s.%s", conds[i->cond], types[i->args[0]->type].name);
    dump_details(fn, i, out);
    for (u32 k = 0; k < i->n_args; k++) {
        if (i->args[k])
            buf_printf(out, "%s %%%u", k ? "," : "", i->args[k]->id);
        else
            buf_printf(out, "%s lost", k ? "," : "");
        if (i->op == IR_PHI) buf_printf(out, " b%u", i->block->preds[k]->id);
        if (i->op == IR_RET) dump_loc(i->ret_locs[k], out);
        if (i->op == IR_CALL && (k || i->call->sym)) dump_loc(i->call->arg_locs[k - !i->call->sym], out);
    }
    for (u32 k = 0; i == i->block->last && k < i->block->n_succs; k++) {
        buf_printf(out, "%s b%u", k || i->n_args ? "," : "", i->block->succs[k]->id);
        if (i->op == IR_SWITCH && k) buf_printf(out, " (%lld)", (long long)i->sw->values[k - 1]);
    }
    buf_printf(out, "\n");
}

void ir_dump_fn(const IrFn *fn, Buf *out)
{
    buf_printf(out, "fn %s\n", fn->sym->name);
    for (u32 s = 0; s < fn->n_slots; s++)
        if (fn->slots[s].is_used)
            buf_printf(out, "    s%u: %llu bytes, align %u %s\n", s, (unsigned long long)fn->slots[s].size,
                       fn->slots[s].align, fn->slots[s].name ? fn->slots[s].name : "");
    for (u32 n = 0; n < fn->n_blocks; n++) {
        const IrBlock *b = fn->blocks[n];
        buf_printf(out, "b%u:", b->id);
        if (b->loop_depth) buf_printf(out, " depth %u", b->loop_depth);
        if (b->is_cold) buf_printf(out, " cold");
        if (b->name) buf_printf(out, " (%s)", b->name);
        buf_printf(out, "\n");
        for (const IrInsn *i = b->first; i; i = i->next) dump_insn(fn, i, out);
    }
}

void ir_dump(const IrModule *m, Buf *out)
{
    for (u32 n = 0; n < m->syms.len; n++) {
        const IrSym *s = m->syms.at[n];
        if (s->fn)
            ir_dump_fn(s->fn, out);
        else if (s->is_defined && !s->is_fn)
            buf_printf(out, "data %s: %llu bytes, align %u%s%s\n", s->name, (unsigned long long)s->size, s->align,
                       s->is_const ? ", const" : "", s->bytes ? "" : ", zero");
    }
}
