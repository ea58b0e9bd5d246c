// optimize.c: the order of the passes.
#include "cc/ir.h"

// The verifier runs in the builds with sanitizers.
#if defined(__SANITIZE_ADDRESS__)
enum { VERIFY = 1 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { VERIFY = 1 };
#else
enum { VERIFY = 0 };
#endif
#else
enum { VERIFY = 0 };
#endif

static void check(IrFn *fn, const char *pass)
{
    if (VERIFY) ir_verify(fn, pass);
}

// Slots nobody addresses any more take no room in the frame.
static void drop_unused_slots(IrFn *fn)
{
    for (u32 s = 0; s < fn->n_slots; s++) fn->slots[s].is_used = false;
    for (u32 n = 0; n < fn->n_blocks; n++)
        for (IrInsn *i = fn->blocks[n]->first; i; i = i->next)
            if (i->op == IR_SLOT) fn->slots[i->slot].is_used = true;
}

static void finish(IrFn *fn)
{
    ir_lower_switches(fn);
    ir_remove_dead(fn, true);
    ir_split_critical(fn);
    check(fn, "switches and critical edges");
    ir_layout(fn);
    drop_unused_slots(fn);
}

void ir_optimize(IrModule *m)
{
    for (u32 k = 0; k < m->syms.len; k++) {
        IrFn *fn = m->syms.at[k]->fn;
        if (!fn) continue;
        check(fn, "lowering");
        ir_promote_slots(fn);
        check(fn, "slot promotion");
        ir_remove_dead(fn, false);
        check(fn, "dead code");
        finish(fn);
    }
}
