// inline.c: a call of a small function becomes a copy of its body.
//
//     b0: …; %5 = call f %1, %2; …      →      b0: …; jmp e     e…: body of f, params replaced     b0': %5 = phi of returns; …
//
// Callees come first (optimize.c), so what is copied is already small. Sizes never count probes.
#include "cc/ir.h"

#include <stdlib.h>

enum {
    SIZE_ANY = 9,        // always worth it: not much more than the call
    SIZE_INLINE = 45,    // declared inline, or static
    SIZE_ONCE = 250,     // static and called from one place only
    SIZE_CALLER = 6000,  // a caller that has grown so large takes no more
};

static u32 insn_size(const IrInsn *i)
{
    switch (i->op) {
    case IR_PROBE: case IR_CONST: case IR_SLOT: case IR_PARAM: case IR_PHI: case IR_JMP: case IR_RET: case IR_COPY:
    case IR_UNDEF: case IR_UNREACHABLE: case IR_RESULT: case IR_NOP: case IR_CADDR: case IR_CFROMINT: return 0;
    case IR_CALL: return 3 + i->n_args;
    case IR_GADDR: return 2;
    case IR_SWITCH: return 2 + i->block->n_succs;
    case IR_MEMCPY: case IR_MEMZERO: return 1 + (u32)(i->imm / 8);
    default: return !i->is_weak;
    }
}

u32 ir_fn_size(const IrFn *fn)
{
    u32 n = 0;
    for (u32 k = 0; k < fn->n_blocks; k++)
        for (const IrInsn *i = fn->blocks[k]->first; i; i = i->next) n += insn_size(i);
    return n;
}

static bool can_copy(const IrFn *fn)
{
    if (fn->is_variadic || fn->hub || fn->calls_returns_twice || fn->has_alloca || fn->no_inline || fn->in_stack_bytes) return false;
    for (u32 k = 0; k < fn->n_blocks; k++) {
        if (fn->blocks[k]->address_taken) return false;
        for (const IrInsn *i = fn->blocks[k]->first; i; i = i->next)
            if (i->op == IR_INARG || i->op == IR_FRAMEADDR || i->op == IR_RETADDR || i->op == IR_LABEL) return false;
    }
    return true;
}

static bool same_loc(IrLoc a, IrLoc b) { return a.kind == b.kind && a.n == b.n; }

// The argument of the call that the callee's PARAM reads; NULL if the call does not pass it so.
static IrInsn *argument(const IrInsn *call, const IrInsn *param)
{
    for (u32 k = 0; k < call->n_args; k++)
        if (same_loc(call->call->arg_locs[k], param->loc)) return call->args[k]->type == param->type ? call->args[k] : NULL;
    return NULL;
}

static bool fits(const IrInsn *call, const IrFn *fn)
{
    for (const IrInsn *i = fn->blocks[0]->first; i && i->op == IR_PARAM; i = i->next)
        if (!argument(call, i)) return false;
    for (u32 k = 0; k < fn->n_blocks; k++) {
        const IrInsn *t = fn->blocks[k]->last;
        if (t->op != IR_RET) continue;
        if (t->n_args < call->call->n_results) return false;
        for (u32 r = 0; r < call->call->n_results; r++)
            if (t->args[r]->type != call->call->ret_types[r]) return false;
    }
    return true;
}

static bool is_worth(const IrFn *caller, const IrInsn *call, u32 caller_size)
{
    const IrSym *s = call->call->sym;
    IrFn *fn = s ? s->fn : NULL;
    if (!fn || fn == caller || !fn->is_ready || call->call->is_noreturn || !can_copy(fn)) return false;
    if (fn->always_inline) return fits(call, fn);
    if (s->is_weak && !fn->is_inline) return false;
    u32 size = fn->size, n_args = call->n_args;
    bool is_once = s->is_local && s->n_refs == 1 && !s->is_used;
    u32 limit = call->block->is_cold ? 4 : is_once ? SIZE_ONCE : fn->is_inline || s->is_local ? SIZE_INLINE : SIZE_ANY;
    if (size > limit + n_args || caller_size > SIZE_CALLER) return false;
    return fits(call, fn);
}

// ---- copying

typedef struct Copy {
    IrFn *to, *from;
    IrInsn *call;
    IrInsn **values;  // by id in from
    IrBlock **blocks; // by index in from
    u32 slot_base;
    IrBlock *after;   // where returns go
} Copy;

static IrInsn *copy_insn(Copy *c, IrBlock *b, const IrInsn *i)
{
    IrInsn *n = ir_insn_new(c->to, (IrOp)i->op, (IrType)i->type, i->n_args);
    IrInsn **args = n->args;
    u32 id = n->id;
    *n = *i;
    n->id = id;
    n->args = args == i->args ? n->a_small : i->n_args <= ARRAY_LEN(n->a_small) ? n->a_small : args;
    if (!n->line.no) n->line = c->call->line;
    for (u32 k = 0; k < i->n_args; k++) n->args[k] = i->op == IR_PHI || !i->args[k] ? NULL : c->values[i->args[k]->id];
    if (i->op == IR_SLOT) n->slot += c->slot_base;
    if (i->op == IR_CALL) {
        n->call = arena_new(c->to->arena, IrCall);
        *n->call = *i->call;
    }
    ir_append(b, n);
    c->values[i->id] = n;
    return n;
}

// The block behind the call takes the rest of the call's block.
static IrBlock *split_after(IrFn *fn, IrInsn *call)
{
    IrBlock *b = call->block, *rest = ir_block_new(fn, NULL);
    for (IrInsn *i = call->next, *next; i; i = next) {
        next = i->next;
        ir_remove(i);
        ir_append(rest, i);
    }
    rest->succs = b->succs;
    rest->n_succs = b->n_succs;
    rest->is_cold = b->is_cold;
    for (u32 s = 0; s < rest->n_succs; s++)
        for (u32 p = 0; p < rest->succs[s]->n_preds; p++)
            if (rest->succs[s]->preds[p] == b) rest->succs[s]->preds[p] = rest;
    b->succs = NULL;
    b->n_succs = 0;
    if (fn->hub == b) fn->hub = rest;
    return rest;
}

static void copy_block(Copy *c, const IrBlock *from)
{
    IrBlock *to = c->blocks[from->id];
    for (const IrInsn *i = from->first; i; i = i->next) {
        if (i->op == IR_PARAM) {
            c->values[i->id] = argument(c->call, i);
        } else if (i->op == IR_RET) {
            IrInsn *j = ir_insn_new(c->to, IR_JMP, IR_VOID, 0);
            ir_append(to, j);
            ir_set_succs(c->to, to, 1, &c->after);
        } else {
            copy_insn(c, to, i)->mark = i->op == IR_CALL; // was judged in the callee already, and may be recursive
        }
    }
    if (from->n_succs) {
        IrBlock **succs = xalloc(from->n_succs * sizeof *succs);
        for (u32 s = 0; s < from->n_succs; s++) succs[s] = c->blocks[from->succs[s]->id];
        ir_set_succs(c->to, to, from->n_succs, succs);
        free(succs);
    }
}

// Phi args and the order of preds as in the original.
static void fix_phis(Copy *c, const IrBlock *from)
{
    IrBlock *to = c->blocks[from->id];
    for (u32 p = 0; p < from->n_preds; p++) to->preds[p] = c->blocks[from->preds[p]->id];
    for (const IrInsn *i = from->first; i && i->op == IR_PHI; i = i->next)
        for (u32 k = 0; k < i->n_args; k++) c->values[i->id]->args[k] = c->values[i->args[k]->id];
}

// Result r of the call: a phi over the returns.
static IrInsn *result(Copy *c, u32 r)
{
    IrInsn *phi = ir_insn_new(c->to, IR_PHI, (IrType)c->call->call->ret_types[r], 0);
    for (u32 k = 0; k < c->from->n_blocks; k++) {
        const IrInsn *t = c->from->blocks[k]->last;
        if (t->op == IR_RET) ir_phi_append(c->to, phi, c->values[t->args[r]->id]);
    }
    if (c->after->first)
        ir_insert_before(c->after->first, phi);
    else
        ir_append(c->after, phi);
    return phi;
}

static void replace_results(Copy *c)
{
    IrInsn *call = c->call, *values[4] = {0};
    bool returns = c->after->n_preds > 0;
    for (u32 r = call->call->n_results; r-- > 0 && returns;) values[r] = result(c, r);
    for (IrInsn *i = c->after->first; i; i = i->next)
        if (i->op == IR_RESULT && i->args[0] == call) ir_replace(i, values[i->imm]);
    if (!returns) return; // the rest is unreachable and goes
    ir_remove(call);
    if (call->type == IR_VOID) return;
    IrInsn *at = c->after->first;
    while (at->op == IR_PHI) at = at->next;
    ir_insert_before(at, call);
    ir_replace(call, values[0]);
}

static void splice(IrFn *to, IrInsn *call)
{
    IrFn *from = call->call->sym->fn;
    ir_renumber(from);
    Copy c = {.to = to, .from = from, .call = call, .slot_base = to->n_slots};
    c.values = xalloc((from->n_ids + 1) * sizeof(IrInsn *));
    c.blocks = xalloc((from->n_blocks + 1) * sizeof(IrBlock *));
    for (u32 s = 0; s < from->n_slots; s++) ir_slot_new(to, from->slots[s].size, from->slots[s].align, from->slots[s].name);
    IrBlock *before = call->block;
    c.after = split_after(to, call);
    for (u32 k = 0; k < from->n_blocks; k++) {
        c.blocks[k] = ir_block_new(to, NULL);
        c.blocks[k]->is_cold = from->blocks[k]->is_cold || before->is_cold;
    }
    for (u32 k = 0; k < from->n_blocks; k++) copy_block(&c, from->blocks[k]);
    for (u32 k = 0; k < from->n_blocks; k++) fix_phis(&c, from->blocks[k]);
    replace_results(&c);
    if (call->op == IR_CALL && call->block) ir_remove(call);
    ir_append(before, ir_insn_new(to, IR_JMP, IR_VOID, 0));
    ir_set_succs(to, before, 1, &c.blocks[0]);
    to->has_asm |= from->has_asm;
    free(c.values);
    free(c.blocks);
}

bool ir_inline_calls(IrFn *fn)
{
    bool changed = false;
    u32 size = ir_fn_size(fn);
    for (u32 k = 0; k < fn->n_blocks; k++) {
        for (IrInsn *i = fn->blocks[k]->first; i; i = i->next) {
            if (i->op != IR_CALL || i->mark || !is_worth(fn, i, size)) continue;
            size += i->call->sym->fn->size;
            splice(fn, i);
            changed = true;
            break; // the rest of the block is now a block further on
        }
    }
    if (!changed) return false;
    for (u32 k = 0; k < fn->n_blocks; k++)
        for (IrInsn *i = fn->blocks[k]->first; i; i = i->next) i->mark = 0;
    ir_compute_rpo(fn);
    ir_chase_copies(fn);
    return true;
}
