// emit.c: a function's blocks to words in its section; branches patched when all places are known.
#include "cc/emit.h"

#include "base/bits.h"
#include "cc/as.h"

#include <ctype.h>
#include <stdlib.h>

u32 emit_symbol(LkUnit *unit, IrSym *sym)
{
    u32 index = (u32)(uintptr_t)sym->aux;
    if (index) return index - 1;
    index = sym->is_local ? lk_local(unit, sym->name, (SrcPos){unit->name, 0, 0}) : lk_symbol(unit, sym->name, (SrcPos){unit->name, 0, 0});
    if (sym->is_weak) unit->symbols.at[index]->is_weak = true;
    sym->aux = (void *)(uintptr_t)(index + 1);
    return index;
}

void emit_reloc(Emit *e, LkRelocKind kind, IrSym *sym, i64 addend)
{
    lk_reloc(e->out, emit_here(e), kind, emit_symbol(e->unit, sym), addend, e->at);
}

void emit_branch(Emit *e, LkRelocKind kind, const MirBlock *to, MirInsn *insn)
{
    vec_push(&e->fixups, (EmitFixup){.at = emit_here(e), .kind = (u8)kind, .to = to, .insn = insn});
}

void emit_table(Emit *e, const MirInsn *i, u32 first, u32 table, u32 add)
{
    CHECK(emit_here(e) == table, "place of a jump table");
    for (u32 k = first; k < i->n_ops; k++) {
        vec_push(&e->fixups, (EmitFixup){.at = emit_here(e), .kind = LK_R_DIFF32, .base = table, .to = i->ops[k].block});
        emit_word(e, add);
    }
}

// rd = rn + imm for pointers: ADD X or ADD C, in one or two steps, or through X16.
void emit_add_sp(Emit *e, u32 rd, u32 rn, i64 imm)
{
    u64 n = imm < 0 ? 0 - (u64)imm : (u64)imm;
    IsaRow add = e->is_c64 ? ISA_ADD_C_CIS_C : ISA_ADD_I, sub = e->is_c64 ? ISA_SUB_C_CIS_C : ISA_SUB_I;
    if (n >> 24) {
        emit_constant(e, T_SCRATCH, true, (u64)imm);
        IsaFields f = {.sf = !e->is_c64, .Rm = T_SCRATCH, .option = 3, .Rn = rn, .Rd = rd};
        emit_word(e, isa_encode(e->is_c64 ? ISA_ADD_C_CRI_C : ISA_ADD_ER, f));
        return;
    }
    IsaRow row = imm < 0 ? sub : add;
    if (n >> 12) {
        emit_word(e, isa_encode(row, (IsaFields){.sf = !e->is_c64, .sh = 1, .imm12 = (u32)(n >> 12), .Rn = rn, .Rd = rd}));
        rn = rd;
    }
    if (n & 0xfff || !(n >> 12))
        emit_word(e, isa_encode(row, (IsaFields){.sf = !e->is_c64, .imm12 = (u32)n & 0xfff, .Rn = rn, .Rd = rd}));
}

// ---- probes

static void emit_probe(Emit *e, const MirInsn *i)
{
    const IrProbe *p = i->aux;
    if (e->no_probes) return;
    LkProbe out = {.name = arena_strndup(&e->unit->arena, p->name, strlen(p->name)), .section = e->out,
                   .offset = emit_here(e), .n_args = i->n_ops < 8 ? i->n_ops : 8};
    for (u32 k = 0; k < out.n_args; k++) {
        const MirOpnd *o = &i->ops[k];
        NoteProbeArg *a = &out.args[k];
        out.arg_symbol[k] = LK_NO_SYMBOL;
        *a = (NoteProbeArg){.kind = NOTE_ARG_LOST, .size = p->sizes[k], .is_signed = p->is_signed[k]};
        if (o->kind == MIR_REG) {
            a->kind = o->reg >= MIR_V0 ? NOTE_ARG_FPREG : NOTE_ARG_REG;
            a->reg = (u8)(o->reg & 31);
        } else if (o->kind == MIR_IMM || o->kind == MIR_SYM) {
            a->kind = NOTE_ARG_CONST;
            a->value = o->imm;
            if (o->kind == MIR_SYM) out.arg_symbol[k] = emit_symbol(e->unit, o->sym);
        } else if (o->kind == MIR_SLOT && !e->frame.needs_fp) { // beyond an alloca SP is not known
            a->kind = NOTE_ARG_STACK;
            a->value = e->fn->slots.at[o->slot].offset + o->imm;
        }
    }
    vec_push(&e->unit->probes, out);
}

// ---- asm()

static const IrAsmOpnd *find_operand(const IrAsm *a, const char **p, u32 *index)
{
    if (**p == '[') {
        size_t len = strcspn(*p + 1, "]");
        for (u32 k = 0; k < a->n_opnds; k++)
            if (a->opnds[k].name && strlen(a->opnds[k].name) == len && !memcmp(a->opnds[k].name, *p + 1, len)) {
                *p += len + 2;
                *index = k;
                return &a->opnds[k];
            }
        return NULL;
    }
    if (!isdigit((u8)**p)) return NULL;
    char *end;
    unsigned long k = strtoul(*p, &end, 10);
    *p = end;
    *index = (u32)k;
    return k < a->n_opnds ? &a->opnds[k] : NULL;
}

static void print_operand(const MirOpnd *o, const IrAsmOpnd *a, char modifier, Buf *out)
{
    if (o->kind == MIR_IMM) {
        buf_printf(out, modifier ? "%lld" : "#%lld", (long long)o->imm);
        return;
    }
    u32 r = o->reg & 31;
    if (a->constraint && strchr(a->constraint, 'm')) {
        buf_printf(out, o->size == 16 ? "[c%u]" : "[x%u]", r);
    } else if (o->reg >= MIR_V0) {
        buf_printf(out, "%c%u", modifier ? modifier : o->size == 4 ? 's' : 'd', r);
    } else {
        char view = modifier ? modifier : o->size == 16 ? 'c' : a->bytes && a->bytes <= 4 ? 'x' : 'x';
        buf_printf(out, "%c%u", view, r);
    }
}

static bool expand_asm(Emit *e, const MirInsn *i, Buf *out)
{
    const IrAsm *a = i->aux;
    for (const char *p = a->text; *p;) {
        if (*p != '%' || a->is_basic) {
            buf_add(out, p++, 1);
            continue;
        }
        p++;
        if (*p == '%') {
            buf_add(out, p++, 1);
            continue;
        }
        if (*p == '=') {
            p++;
            buf_printf(out, "%u", emit_here(e));
            continue;
        }
        char modifier = strchr("wxcdsbhq", *p) && *p ? *p++ : 0;
        u32 k = 0;
        const IrAsmOpnd *o = find_operand(a, &p, &k);
        if (!o) return false;
        print_operand(&i->ops[k], o, modifier, out);
    }
    return true;
}

static void emit_asm(Emit *e, const MirInsn *i)
{
    Buf text = {0};
    SrcPos pos = ir_src_pos(e->fn->ir->module, i->line);
    if (!expand_asm(e, i, &text)) {
        err_at(e->err, CAPLAB_EX_DATA, pos, NULL, "asm(): no such operand in '%s'", ((const IrAsm *)i->aux)->text);
        e->failed = true;
    } else if (text.len && !as_text(buf_text(&text), pos, e->t->abi, e->unit, e->out, e->err)) {
        e->failed = true;
    } else {
        buf_align(&e->out->data, 4);
    }
    buf_free(&text);
}

// ---- blocks

// What is emitted from here on is from that line.
static void start_line(Emit *e, IrLine line)
{
    SrcPos pos = ir_src_pos(e->fn->ir->module, line);
    if (!pos.line) return;
    e->at = (LkPlace){pos.file, pos.line};
    lk_line(e->out, emit_here(e), e->at);
}

static void emit_blocks(Emit *e)
{
    start_line(e, e->fn->ir->line);
    frame_enter(e);
    for (u32 n = 0; n < e->fn->n_blocks && !e->failed; n++) {
        MirBlock *b = e->fn->blocks[n];
        e->block_at[b->id] = emit_here(e);
        for (MirInsn *i = b->first; i && !e->failed; i = i->next) {
            start_line(e, i->line);
            if (i->flags & MIR_F_PROBE)
                emit_probe(e, i);
            else if (i->op == T_ASM)
                emit_asm(e, i);
            else
                emit_one(e, i);
        }
    }
}

static void patch(Emit *e, const EmitFixup *f)
{
    u8 *at = e->out->data.at + f->at;
    u64 w = bits_load(at, 4);
    i64 distance = (i64)e->block_at[f->to->id] - f->at;
    if (f->kind == LK_R_DIFF32)
        w += e->block_at[f->to->id] - f->base;
    else if (f->kind == LK_R_ADR21) // its low bits may hold the C64 bit
        w = bits_set(w, 23, 5, (u64)(distance >> 2) & bits_mask(19));
    else if (f->kind == LK_R_CALL26)
        w = bits_set(w, 25, 0, (u64)(distance >> 2) & bits_mask(26));
    else
        w = bits_set(w, f->kind == LK_R_BRANCH14 ? 18 : 23, 5, (u64)(distance >> 2) & bits_mask(f->kind == LK_R_BRANCH14 ? 14 : 19));
    bits_store(at, w, 4);
}

// Marks the conditional branches that do not reach; true if there are any.
static bool mark_long(Emit *e)
{
    bool any = false;
    for (u32 i = 0; i < e->fixups.len; i++) {
        const EmitFixup *f = &e->fixups.at[i];
        if (f->kind != LK_R_BRANCH14 && f->kind != LK_R_BRANCH19) continue;
        i64 words = ((i64)e->block_at[f->to->id] - f->at) / 4;
        if (bits_sext((u64)words, f->kind == LK_R_BRANCH14 ? 14 : 19) == words) continue;
        f->insn->flags |= T_F_LONG;
        any = true;
    }
    return any;
}

static void define_labels(Emit *e)
{
    for (u32 n = 0; n < e->fn->n_blocks; n++) {
        MirBlock *b = e->fn->blocks[n];
        if (!b->ir || !b->ir->address_taken) continue;
        u32 sym = emit_label(e->unit, b->ir);
        LkSymbol *y = e->unit->symbols.at[sym];
        if (y->is_defined) continue; // the hub's copies have no address
        lk_define(e->unit, sym, e->out, e->block_at[b->id], 0, LK_NOTYPE, y->pos, e->err);
        y->is_label = true;
    }
}

u32 emit_label(LkUnit *unit, IrBlock *b)
{
    u32 index = (u32)(uintptr_t)b->aux;
    if (index) return index - 1;
    index = lk_local(unit, ".Llabel", (SrcPos){unit->name, 0, 0});
    b->aux = (void *)(uintptr_t)(index + 1);
    return index;
}

bool emit_function(const Target *t, MirFn *fn, LkUnit *unit, LkSection *out, const CcOptions *opt, Err *err)
{
    Emit e = {.t = t, .fn = fn, .unit = unit, .out = out, .no_probes = opt->no_probes,
              .is_c64 = t->abi == CC_PURECAP, .err = err};
    frame_layout(&e);
    if (opt->opt_level) peep_function(&e);
    for (u32 n = 0; n < fn->n_blocks; n++) fn->blocks[n]->id = n;
    e.block_at = arena_array(fn->arena, u32, fn->n_blocks);
    u32 first_probe = unit->probes.len;
    do {
        out->data.len = 0;
        out->relocs.len = out->lines.len = e.fixups.len = 0;
        unit->probes.len = first_probe;
        emit_blocks(&e);
    } while (!e.failed && mark_long(&e));
    if (!e.failed) {
        for (u32 i = 0; i < e.fixups.len; i++) patch(&e, &e.fixups.at[i]);
        define_labels(&e);
    }
    vec_free(&e.fixups);
    return !e.failed;
}
