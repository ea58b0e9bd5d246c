// ir.c: building and editing IR: blocks, edges, instructions; reverse post-order, dominators, loops.
//
// Everything is in the module's arena and never freed one by one: a compile is short.
#include "cc/ir.h"

#include <stdlib.h>

IrFn *ir_fn_new(IrModule *m, IrSym *sym)
{
    IrFn *fn = arena_new(m->arena, IrFn);
    fn->arena = m->arena;
    fn->module = m;
    fn->sym = sym;
    sym->fn = fn;
    return fn;
}

// Room for one more entry of a growing pointer array in the arena.
static void *grow(Arena *a, void *old, u32 len, u32 *cap, size_t item_bytes)
{
    if (len < *cap) return old;
    *cap = *cap ? *cap * 2 : 4;
    void *p = arena_alloc(a, *cap * item_bytes);
    if (len) memcpy(p, old, len * item_bytes);
    return p;
}

IrBlock *ir_block_new(IrFn *fn, const char *name)
{
    IrBlock *b = arena_new(fn->arena, IrBlock);
    b->name = name;
    b->id = fn->n_blocks;
    fn->blocks = grow(fn->arena, fn->blocks, fn->n_blocks, &fn->cap_blocks, sizeof *fn->blocks);
    fn->blocks[fn->n_blocks++] = b;
    return b;
}

u32 ir_slot_new(IrFn *fn, u64 size, u32 align, const char *name)
{
    fn->slots = grow(fn->arena, fn->slots, fn->n_slots, &fn->cap_slots, sizeof *fn->slots);
    fn->slots[fn->n_slots] = (IrSlot){.size = size, .align = align, .name = name, .is_used = true};
    return fn->n_slots++;
}

IrInsn *ir_insn_new(IrFn *fn, IrOp op, IrType type, u32 n_args)
{
    IrInsn *i = arena_new(fn->arena, IrInsn);
    i->op = (u16)op;
    i->type = (u8)type;
    i->id = fn->n_ids++;
    i->n_args = n_args;
    i->args = n_args <= ARRAY_LEN(i->a_small) ? i->a_small : arena_array(fn->arena, IrInsn *, (n_args + 7) & ~7u);
    return i;
}

IrInsn *ir_const(IrFn *fn, IrType type, i64 v)
{
    IrInsn *i = ir_insn_new(fn, IR_CONST, type, 0);
    i->imm = type == IR_I32 ? (i32)v : v;
    return i;
}

void ir_append(IrBlock *b, IrInsn *i)
{
    i->block = b;
    i->prev = b->last;
    i->next = NULL;
    *(b->last ? &b->last->next : &b->first) = i;
    b->last = i;
}

void ir_insert_before(IrInsn *at, IrInsn *i)
{
    i->block = at->block;
    i->prev = at->prev;
    i->next = at;
    *(at->prev ? &at->prev->next : &at->block->first) = i;
    at->prev = i;
}

void ir_insert_after(IrInsn *at, IrInsn *i)
{
    if (at->next)
        ir_insert_before(at->next, i);
    else
        ir_append(at->block, i);
}

void ir_replace(IrInsn *i, IrInsn *by)
{
    if (i->op == IR_PHI) {
        IrInsn *at = i;
        while (at && at->op == IR_PHI) at = at->next;
        IrBlock *b = i->block;
        ir_remove(i);
        if (at)
            ir_insert_before(at, i);
        else
            ir_append(b, i);
    }
    i->op = IR_COPY;
    i->n_args = 1;
    i->args = i->a_small;
    i->args[0] = by;
}

void ir_chase_copies(IrFn *fn)
{
    for (u32 n = 0; n < fn->n_blocks; n++)
        for (IrInsn *i = fn->blocks[n]->first; i; i = i->next)
            for (u32 k = 0; k < i->n_args; k++) i->args[k] = ir_chase(i->args[k]);
}

void ir_remove(IrInsn *i)
{
    IrBlock *b = i->block;
    *(i->prev ? &i->prev->next : &b->first) = i->next;
    *(i->next ? &i->next->prev : &b->last) = i->prev;
    i->block = NULL;
    i->prev = i->next = NULL;
}

// ---- edges

void ir_add_pred(IrFn *fn, IrBlock *b, IrBlock *pred)
{
    b->preds = grow(fn->arena, b->preds, b->n_preds, &b->cap_preds, sizeof *b->preds);
    b->preds[b->n_preds++] = pred;
}

void ir_set_succs(IrFn *fn, IrBlock *b, u32 n, IrBlock *const *succs)
{
    b->succs = arena_array(fn->arena, IrBlock *, n);
    b->n_succs = n;
    for (u32 i = 0; i < n; i++) {
        b->succs[i] = succs[i];
        ir_add_pred(fn, succs[i], b);
    }
}

void ir_remove_pred(IrBlock *b, u32 index)
{
    for (u32 k = index; k + 1 < b->n_preds; k++) b->preds[k] = b->preds[k + 1];
    b->n_preds--;
    for (IrInsn *p = b->first; p && p->op == IR_PHI; p = p->next) {
        for (u32 k = index; k + 1 < p->n_args; k++) p->args[k] = p->args[k + 1];
        p->n_args--;
    }
}

// Arrays of more than three args have room up to a multiple of eight.
void ir_phi_append(IrFn *fn, IrInsn *phi, IrInsn *v)
{
    u32 n = phi->n_args;
    if (n == ARRAY_LEN(phi->a_small) || (n > ARRAY_LEN(phi->a_small) && n % 8 == 0)) {
        IrInsn **args = arena_array(fn->arena, IrInsn *, (n + 8) & ~7u);
        memcpy(args, phi->args, n * sizeof *args);
        phi->args = args;
    }
    phi->args[phi->n_args++] = v;
}

u32 ir_pred_index(const IrBlock *b, const IrBlock *pred)
{
    for (u32 k = 0; k < b->n_preds; k++)
        if (b->preds[k] == pred) return k;
    UNREACHABLE("block %u is not a predecessor of block %u", pred->id, b->id);
}

void ir_remove_edge(IrBlock *from, u32 succ_index)
{
    IrBlock *to = from->succs[succ_index];
    ir_remove_pred(to, ir_pred_index(to, from));
    for (u32 k = succ_index; k + 1 < from->n_succs; k++) from->succs[k] = from->succs[k + 1];
    from->n_succs--;
}

IrBlock *ir_split_edge(IrFn *fn, IrBlock *from, u32 succ_index)
{
    IrBlock *to = from->succs[succ_index];
    IrBlock *mid = ir_block_new(fn, NULL);
    from->succs[succ_index] = mid;
    ir_add_pred(fn, mid, from);
    to->preds[ir_pred_index(to, from)] = mid;
    mid->succs = arena_array(fn->arena, IrBlock *, 1);
    mid->succs[0] = to;
    mid->n_succs = 1;
    mid->loop_depth = from->loop_depth < to->loop_depth ? from->loop_depth : to->loop_depth;
    mid->is_cold = from->is_cold || to->is_cold;
    ir_append(mid, ir_insn_new(fn, IR_JMP, IR_VOID, 0));
    return mid;
}

// ---- order

void ir_renumber(IrFn *fn)
{
    u32 id = 0;
    for (u32 n = 0; n < fn->n_blocks; n++) {
        fn->blocks[n]->id = n;
        for (IrInsn *i = fn->blocks[n]->first; i; i = i->next) i->id = id++;
    }
    fn->n_ids = id;
}

void ir_count_uses(IrFn *fn)
{
    for (u32 n = 0; n < fn->n_blocks; n++)
        for (IrInsn *i = fn->blocks[n]->first; i; i = i->next) i->n_uses = 0;
    for (u32 n = 0; n < fn->n_blocks; n++)
        for (IrInsn *i = fn->blocks[n]->first; i; i = i->next)
            if (i->op != IR_PROBE && !i->is_weak)
                for (u32 k = 0; k < i->n_args; k++) i->args[k]->n_uses++;
}

// Values of dropped blocks may still be named by probes elsewhere, and by phis through edges that go with the block.
static void drop_block(IrBlock *b)
{
    b->is_removed = true;
    while (b->n_succs) ir_remove_edge(b, b->n_succs - 1);
    for (IrInsn *i = b->first; i; i = i->next) i->block = NULL;
}

static void forget_lost_probe_args(IrFn *fn)
{
    for (u32 n = 0; n < fn->n_blocks; n++)
        for (IrInsn *i = fn->blocks[n]->first; i; i = i->next)
            if (i->op == IR_PROBE)
                for (u32 k = 0; k < i->n_args; k++)
                    if (i->args[k] && !i->args[k]->block) i->args[k] = NULL;
}

void ir_compute_rpo(IrFn *fn)
{
    enum { NEW = 0, OPEN = 1, DONE = 2 };
    u32 n = fn->n_blocks, n_post = 0, depth = 0;
    for (u32 k = 0; k < n; k++) fn->blocks[k]->id = k;
    struct { IrBlock *b; u32 next; } *stack = xalloc((n + 1) * sizeof *stack);
    u8 *state = xalloc(n + 1);
    IrBlock **post = arena_array(fn->arena, IrBlock *, n);
    stack[depth++].b = fn->blocks[0];
    state[0] = OPEN;
    while (depth) {
        IrBlock *b = stack[depth - 1].b;
        // Last successor first, so that the first one (the likely one) comes right behind its block.
        if (stack[depth - 1].next < b->n_succs) {
            IrBlock *s = b->succs[b->n_succs - 1 - stack[depth - 1].next++];
            if (state[s->id] == NEW) {
                state[s->id] = OPEN;
                stack[depth].b = s;
                stack[depth++].next = 0;
            }
        } else {
            state[b->id] = DONE;
            post[n_post++] = b;
            depth--;
        }
    }
    bool dropped = false;
    for (u32 k = 0; k < n; k++)
        if (state[k] == NEW) drop_block(fn->blocks[k]), dropped = true;
    for (u32 k = 0; k < n_post; k++) {
        IrBlock *b = post[n_post - 1 - k];
        fn->blocks[k] = b;
        b->id = b->rpo = k;
    }
    fn->n_blocks = n_post;
    if (fn->hub && fn->hub->is_removed) fn->hub = NULL;
    free(stack);
    free(state);
    if (dropped) forget_lost_probe_args(fn);
}

// Intervals: children get consecutive parts of their parent's, by subtree size (blocks are in reverse post-order).
static void number_dom_tree(IrFn *fn)
{
    u32 n = fn->n_blocks;
    u32 *size = xalloc((n + 1) * sizeof *size), *used = xalloc((n + 1) * sizeof *used);
    for (u32 k = n; k-- > 0;) {
        size[k]++;
        if (k) size[fn->blocks[k]->idom->rpo] += size[k];
    }
    for (u32 k = 0; k < n; k++) {
        IrBlock *b = fn->blocks[k];
        if (!k) {
            b->dom_in = 0;
        } else {
            IrBlock *d = b->idom;
            b->dom_in = d->dom_in + 1 + used[d->rpo];
            used[d->rpo] += size[k];
        }
        b->dom_out = b->dom_in + size[k] - 1;
    }
    free(size);
    free(used);
}

// Dominators after Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm".
void ir_compute_dom(IrFn *fn)
{
    ir_compute_rpo(fn);
    for (u32 n = 0; n < fn->n_blocks; n++) fn->blocks[n]->idom = NULL;
    fn->blocks[0]->idom = fn->blocks[0];
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 n = 1; n < fn->n_blocks; n++) {
            IrBlock *b = fn->blocks[n], *dom = NULL;
            for (u32 k = 0; k < b->n_preds; k++) {
                IrBlock *p = b->preds[k];
                if (!p->idom) continue;
                if (!dom) {
                    dom = p;
                    continue;
                }
                while (dom != p) {
                    while (dom->rpo > p->rpo) dom = dom->idom;
                    while (p->rpo > dom->rpo) p = p->idom;
                }
            }
            if (b->idom != dom) b->idom = dom, changed = true;
        }
    }
    number_dom_tree(fn);
}

bool ir_dominates(const IrBlock *a, const IrBlock *b) { return a->dom_in <= b->dom_in && b->dom_out <= a->dom_out; }

// Natural loops: for each header, the blocks that reach one of its back edges without passing it.
void ir_compute_loops(IrFn *fn)
{
    u32 n = fn->n_blocks;
    u32 *seen = xalloc((n + 1) * sizeof *seen);
    IrBlock **work = xalloc((n + 1) * sizeof *work);
    for (u32 k = 0; k < n; k++) fn->blocks[k]->loop_depth = 0;
    for (u32 k = 0; k < n; k++) {
        IrBlock *head = fn->blocks[k];
        u32 len = 0;
        for (u32 p = 0; p < head->n_preds; p++) {
            IrBlock *b = head->preds[p];
            if (b->rpo < k || !ir_dominates(head, b) || seen[b->id] == k + 1) continue;
            seen[b->id] = k + 1;
            work[len++] = b;
        }
        if (!len) continue;
        if (seen[k] != k + 1) head->loop_depth++;
        seen[k] = k + 1;
        while (len) {
            IrBlock *b = work[--len];
            b->loop_depth++;
            if (b == head) continue;
            for (u32 p = 0; p < b->n_preds; p++)
                if (seen[b->preds[p]->id] != k + 1) {
                    seen[b->preds[p]->id] = k + 1;
                    work[len++] = b->preds[p];
                }
        }
    }
    free(seen);
    free(work);
}
