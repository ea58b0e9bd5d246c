// ssa.c: slots whose pieces are only loaded and stored (sroa.c) become SSA values.
//
//     store s0, %1;  …  %5 = load s0;  add %5, …     →     add %1, …       (phis where several stores meet)
//
// Phis go to the iterated dominance frontier of the stores, for variables that are live into some block (Cytron et al.,
// semi-pruned); opt_dce.c removes the useless rest. Loads for probes never make a phi: they see what is there or nothing.
#include "cc/sroa.h"

#include <stdlib.h>

typedef VEC(u32) U32s;

typedef struct Var {
    u8 type;
    bool is_signed;
    u8 mem;
    bool is_live_in;   // loaded somewhere before a store in the same block
    U32s def_blocks;
} Var;

typedef struct Undo {
    u32 var;
    IrInsn *old;
} Undo;

typedef struct Ssa {
    IrFn *fn;
    SlotInfo *info;
    Var *vars;
    u32 n_vars;
    IrInsn **now;     // by variable: value at the current point
    u32 *now_block;   // by variable: id + 1 of the block that gave it, for probes
    IrInsn **undef;   // by IrType
    IrInsn *lost;     // what a probe's load gets when the variable is not there
    IrInsn **repl;    // by id: what stands for a removed load
    u32 n_repl;
    IrInsn **phis;    // by (phi order): its variable is phi->slot
    U32s *frontier;   // by block
    U32s *children;   // dominator tree
    VEC(Undo) undo;
} Ssa;

static Var *var_of(Ssa *s, const IrInsn *i)
{
    const IrInsn *base = i->args[0];
    if (base->op != IR_SLOT || base->imm) return NULL;
    SlotInfo *info = &s->info[base->slot];
    if (info->is_bad) return NULL;
    SlotPiece *p = sroa_find(info, i->imm, ir_mem_bytes((IrMem)i->mem));
    return p ? &s->vars[p->var] : NULL;
}

// ---- where variables are defined and used

static void set_var_types(Ssa *s)
{
    for (u32 k = 0; k < s->fn->n_slots; k++)
        for (u32 p = 0; !s->info[k].is_bad && p < s->info[k].n_pieces; p++) {
            const SlotPiece *piece = &s->info[k].pieces[p];
            s->vars[piece->var] = (Var){.type = piece->type, .mem = piece->mem, .is_signed = piece->is_signed};
        }
}

static void find_defs(Ssa *s)
{
    for (u32 n = 0; n < s->fn->n_blocks; n++) {
        for (IrInsn *i = s->fn->blocks[n]->first; i; i = i->next) {
            if ((i->op != IR_LOAD && i->op != IR_STORE) || i->is_weak) continue;
            Var *v = var_of(s, i);
            if (!v) continue;
            bool defined_here = v->def_blocks.len && v->def_blocks.at[v->def_blocks.len - 1] == n;
            if (i->op == IR_LOAD)
                v->is_live_in |= !defined_here;
            else if (!defined_here)
                vec_push(&v->def_blocks, n);
        }
    }
}

static void find_frontiers(Ssa *s)
{
    for (u32 n = 0; n < s->fn->n_blocks; n++) {
        IrBlock *b = s->fn->blocks[n];
        if (n) vec_push(&s->children[b->idom->id], n);
        if (b->n_preds < 2) continue;
        for (u32 k = 0; k < b->n_preds; k++)
            for (IrBlock *r = b->preds[k]; r != b->idom; r = r->idom) {
                U32s *f = &s->frontier[r->id];
                if (f->len && f->at[f->len - 1] == n) break; // the rest of the way is already marked
                vec_push(f, n);
            }
    }
}

static void place_phis(Ssa *s)
{
    u32 *seen = xalloc((s->fn->n_blocks + 1) * sizeof *seen);
    U32s work = {0};
    for (u32 v = 0; v < s->n_vars; v++) {
        Var *var = &s->vars[v];
        if (!var->is_live_in) continue;
        work.len = 0;
        for (u32 k = 0; k < var->def_blocks.len; k++) vec_push(&work, var->def_blocks.at[k]);
        while (work.len) {
            U32s *f = &s->frontier[work.at[--work.len]];
            for (u32 k = 0; k < f->len; k++) {
                IrBlock *b = s->fn->blocks[f->at[k]];
                if (seen[b->id] == v + 1) continue;
                seen[b->id] = v + 1;
                IrInsn *phi = ir_insn_new(s->fn, IR_PHI, (IrType)var->type, b->n_preds);
                phi->slot = v;
                phi->mark = 1; // ours
                if (b->first)
                    ir_insert_before(b->first, phi);
                else
                    ir_append(b, phi);
                vec_push(&work, b->id);
            }
        }
    }
    vec_free(&work);
    free(seen);
}

// ---- renaming

static IrInsn *at_entry(Ssa *s, IrOp op, IrType type)
{
    IrInsn *i = ir_insn_new(s->fn, op, type, 0), *at = s->fn->blocks[0]->first;
    while (at->op == IR_PARAM) at = at->next;
    ir_insert_before(at, i);
    return i;
}

static IrInsn *undef_of(Ssa *s, IrType type)
{
    if (!s->undef[type]) s->undef[type] = at_entry(s, IR_UNDEF, type);
    return s->undef[type];
}

static IrInsn *resolve(Ssa *s, IrInsn *v)
{
    while (v && v->id < s->n_repl && s->repl[v->id]) v = s->repl[v->id];
    return v;
}

static void set_now(Ssa *s, u32 var, IrInsn *value, u32 block)
{
    vec_push(&s->undo, (Undo){var, s->now[var]});
    s->now[var] = value;
    s->now_block[var] = block + 1;
}

static IrInsn *unary_before(Ssa *s, IrInsn *at, IrOp op, IrType type, IrInsn *a)
{
    IrInsn *i = ir_insn_new(s->fn, op, type, 1);
    i->args[0] = a;
    i->line = at->line;
    i->is_weak = at->is_weak;
    ir_insert_before(at, i);
    return i;
}

static IrOp extend_op(IrMem mem, bool is_signed)
{
    if (mem == IR_M8) return is_signed ? IR_SEXT8 : IR_ZEXT8;
    if (mem == IR_M16) return is_signed ? IR_SEXT16 : IR_ZEXT16;
    return is_signed ? IR_SEXT32 : IR_ZEXT32;
}

// v as a value of type (same bytes, or the halves of an integer).
static IrInsn *fit(Ssa *s, IrInsn *at, IrInsn *v, IrType type, bool is_signed)
{
    if (v->type == type) return v;
    bool is_float = type == IR_F32 || type == IR_F64, was_float = v->type == IR_F32 || v->type == IR_F64;
    if (is_float != was_float) {
        IrType half = was_float ? (v->type == IR_F32 ? IR_I32 : IR_I64) : (IrType)v->type;
        IrType want = is_float ? (type == IR_F32 ? IR_I32 : IR_I64) : type;
        if (was_float) v = unary_before(s, at, IR_BITS, half, v);
        v = fit(s, at, v, want, is_signed);
        return is_float ? unary_before(s, at, IR_BITS, type, v) : v;
    }
    CHECK(type != IR_CAP && v->type != IR_CAP && !is_float, "a piece changes its type");
    return type == IR_I32 ? unary_before(s, at, IR_TRUNC, type, v) : unary_before(s, at, is_signed ? IR_SEXT32 : IR_ZEXT32, type, v);
}

static void rename_load(Ssa *s, IrInsn *i, Var *var, u32 block)
{
    u32 v = (u32)(var - s->vars);
    IrInsn *value = s->now[v];
    if (i->is_weak && (!value || (!var->is_live_in && s->now_block[v] != block + 1))) {
        if (!s->lost) {
            s->lost = at_entry(s, IR_UNDEF, IR_I64);
            s->lost->is_weak = true;
        }
        IrInsn *lost = s->lost;
        if (i->type != IR_I64) {
            lost = ir_insn_new(s->fn, IR_UNDEF, (IrType)i->type, 0);
            lost->is_weak = true;
            ir_insert_before(i, lost);
        }
        s->repl[i->id] = lost;
        ir_remove(i);
        return;
    }
    if (!value) value = undef_of(s, (IrType)var->type);
    bool narrow = i->mem == IR_M8 || i->mem == IR_M16;
    if (narrow && (i->is_signed != var->is_signed)) {
        value = unary_before(s, i, extend_op((IrMem)i->mem, i->is_signed), (IrType)i->type, value);
    } else {
        value = fit(s, i, value, (IrType)i->type, i->is_signed);
    }
    s->repl[i->id] = value;
    ir_remove(i);
}

static void rename_store(Ssa *s, IrInsn *i, Var *var, u32 block)
{
    IrInsn *value = fit(s, i, i->args[1], (IrType)var->type, i->is_signed);
    bool narrow = i->mem == IR_M8 || i->mem == IR_M16;
    if (narrow && !(i->is_extended && i->is_signed == var->is_signed))
        value = unary_before(s, i, extend_op((IrMem)i->mem, var->is_signed), IR_I32, value);
    set_now(s, (u32)(var - s->vars), value, block);
    ir_remove(i);
}

static void rename_block(Ssa *s, IrBlock *b)
{
    for (IrInsn *i = b->first, *next; i; i = next) {
        next = i->next;
        if (i->op == IR_PHI) {
            if (i->mark) set_now(s, i->slot, i, b->id);
            continue; // others' args are resolved at the end
        }
        for (u32 k = 0; k < i->n_args; k++) i->args[k] = resolve(s, i->args[k]);
        if (i->op != IR_LOAD && i->op != IR_STORE) continue;
        Var *var = var_of(s, i);
        if (var && i->op == IR_LOAD)
            rename_load(s, i, var, b->id);
        else if (var)
            rename_store(s, i, var, b->id);
    }
    for (u32 k = 0; k < b->n_succs; k++) {
        IrBlock *to = b->succs[k];
        for (u32 p = 0; p < to->n_preds; p++) {
            if (to->preds[p] != b) continue;
            for (IrInsn *phi = to->first; phi && phi->op == IR_PHI && phi->mark; phi = phi->next) {
                IrInsn *v = s->now[phi->slot];
                phi->args[p] = v ? v : undef_of(s, (IrType)phi->type);
            }
        }
    }
}

// Walks the dominator tree without recursion: it can be as deep as the function is long.
static void rename_all(Ssa *s)
{
    typedef struct Frame {
        u32 block, next_child, undo_len;
    } Frame;
    VEC(Frame) stack = {0};
    vec_push(&stack, (Frame){0});
    rename_block(s, s->fn->blocks[0]);
    while (stack.len) {
        Frame *f = &stack.at[stack.len - 1];
        U32s *kids = &s->children[f->block];
        if (f->next_child < kids->len) {
            u32 b = kids->at[f->next_child++];
            vec_push(&stack, (Frame){.block = b, .undo_len = s->undo.len});
            rename_block(s, s->fn->blocks[b]);
            continue;
        }
        while (s->undo.len > f->undo_len) {
            Undo *u = &s->undo.at[--s->undo.len];
            s->now[u->var] = u->old;
        }
        stack.len--;
    }
    vec_free(&stack);
}

static void finish_phis(Ssa *s)
{
    for (u32 n = 0; n < s->fn->n_blocks; n++) {
        for (IrInsn *i = s->fn->blocks[n]->first; i && i->op == IR_PHI; i = i->next) {
            for (u32 k = 0; k < i->n_args; k++) i->args[k] = resolve(s, i->args[k]);
            i->mark = 0;
            i->slot = 0;
        }
    }
}

bool ir_promote_slots(IrFn *fn)
{
    if (!fn->n_slots) return false;
    ir_compute_dom(fn);
    Ssa s = {.fn = fn, .info = arena_array(fn->arena, SlotInfo, fn->n_slots)};
    s.n_vars = sroa_split(fn, s.info);
    if (!s.n_vars) return false;
    IrInsn *undef[IR_TYPE_COUNT] = {0};
    s.undef = undef;
    s.vars = xalloc(s.n_vars * sizeof *s.vars);
    s.now = xalloc(s.n_vars * sizeof *s.now);
    s.now_block = xalloc(s.n_vars * sizeof *s.now_block);
    s.frontier = xalloc(fn->n_blocks * sizeof *s.frontier);
    s.children = xalloc(fn->n_blocks * sizeof *s.children);
    set_var_types(&s);
    find_defs(&s);
    find_frontiers(&s);
    place_phis(&s);
    s.n_repl = fn->n_ids;
    s.repl = xalloc(s.n_repl * sizeof(IrInsn *));
    rename_all(&s);
    finish_phis(&s);
    for (u32 v = 0; v < s.n_vars; v++) vec_free(&s.vars[v].def_blocks);
    for (u32 n = 0; n < fn->n_blocks; n++) {
        vec_free(&s.frontier[n]);
        vec_free(&s.children[n]);
    }
    free(s.vars);
    free(s.now);
    free(s.now_block);
    free(s.frontier);
    free(s.children);
    free(s.repl);
    vec_free(&s.undo);
    return true;
}
