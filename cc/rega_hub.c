// rega_hub.c: every `goto *p` of a function met in one hub block, for SSA's sake; now each gets its own indirect branch back.
//
// The same is done with a small block that only leads there (a shared "fetch and dispatch"): each bytecode handler then ends
// in its own fetch and `br`, which is what threaded code is about.
#include "cc/mir.h"

enum { MAX_TAIL_INSNS = 14, MAX_GROWTH = 6000 };

static u32 count_insns(const MirBlock *b)
{
    u32 n = 0;
    for (const MirInsn *i = b->first; i; i = i->next) n += !(i->flags & MIR_F_PROBE);
    return n;
}

// The block's only way out is a jump to `to`.
static MirInsn *jump_to(MirBlock *b, const MirBlock *to)
{
    MirInsn *i = b->last;
    while (i && i->flags & MIR_F_PROBE) i = i->prev;
    bool is_jump = i && i->flags & MIR_F_TERM && b->n_succs == 1 && b->succs[0] == to && i->n_ops == 1 &&
                   i->ops[0].kind == MIR_BLOCK;
    return is_jump ? i : NULL;
}

static MirInsn *clone(MirFn *fn, const MirInsn *from)
{
    MirInsn *i = mir_insn(fn, from->op, from->n_ops);
    MirOpnd *ops = i->ops;
    *i = *from;
    i->ops = ops;
    memcpy(ops, from->ops, from->n_ops * sizeof *ops);
    i->prev = i->next = NULL;
    return i;
}

static void drop_pred(MirBlock *b, const MirBlock *pred)
{
    u32 n = 0;
    for (u32 k = 0; k < b->n_preds; k++)
        if (b->preds[k] != pred) b->preds[n++] = b->preds[k];
    b->n_preds = n;
}

// b ends in a jump to tail: the jump becomes a copy of tail. Preds of tail's successors are not extended: nobody after
// allocation asks for them, only whether a block has any.
static void append_copy(MirFn *fn, MirBlock *b, MirInsn *jump, MirBlock *tail)
{
    mir_remove(b, jump);
    for (const MirInsn *i = tail->first; i; i = i->next) mir_append(b, clone(fn, i));
    b->succs = tail->succs;
    b->n_succs = tail->n_succs;
    drop_pred(tail, b);
}

static u32 copy_tail(MirFn *fn, MirBlock *tail)
{
    u32 size = count_insns(tail), grown = 0;
    if (size > MAX_TAIL_INSNS) return 0;
    for (u32 n = 0; n < fn->n_blocks; n++) {
        MirBlock *b = fn->blocks[n];
        MirInsn *jump = b == tail ? NULL : jump_to(b, tail);
        if (!jump || grown > MAX_GROWTH) continue;
        append_copy(fn, b, jump, tail);
        grown += size;
    }
    return grown;
}

static void drop_block(MirFn *fn, MirBlock *b)
{
    u32 n = 0;
    for (u32 k = 0; k < fn->n_blocks; k++) {
        if (fn->blocks[k] == b) continue;
        fn->blocks[n] = fn->blocks[k];
        fn->blocks[n]->id = n;
        n++;
    }
    fn->n_blocks = n;
}

void mir_duplicate_hub(MirFn *fn)
{
    MirBlock *hub = fn->hub;
    if (!hub) return;
    u32 n_before = hub->n_preds;
    MirBlock **preds = arena_array(fn->arena, MirBlock *, n_before);
    memcpy(preds, hub->preds, n_before * sizeof *preds);
    copy_tail(fn, hub);
    if (!hub->n_preds && !hub->address_taken) {
        drop_block(fn, hub);
        fn->hub = NULL;
    }
    u32 grown = 0;
    for (u32 k = 0; k < n_before && grown <= MAX_GROWTH; k++) // shared fetches: several blocks jump there
        if (preds[k]->n_preds > 1 && preds[k]->n_succs > 1) {
            grown += copy_tail(fn, preds[k]);
            if (!preds[k]->n_preds && !preds[k]->address_taken) drop_block(fn, preds[k]);
        }
}
