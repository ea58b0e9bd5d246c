// optimize.c: the order of functions and passes.
//
// Callees come before callers, so that what is inlined is small already. Every pass works on one function.
#include "cc/ir.h"

#include <stdlib.h>

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

#define RUN(pass, fn)                                                                                        \
    do {                                                                                                     \
        pass(fn);                                                                                            \
        check(fn, #pass);                                                                                    \
    } while (0)

// Slots nobody addresses any more take no room in the frame.
static void drop_unused_slots(IrFn *fn)
{
    for (u32 s = 0; s < fn->n_slots; s++) fn->slots[s].is_used = false;
    for (u32 n = 0; n < fn->n_blocks; n++)
        for (IrInsn *i = fn->blocks[n]->first; i; i = i->next)
            if (i->op == IR_SLOT) fn->slots[i->slot].is_used = true;
}

static void clean(IrFn *fn)
{
    RUN(ir_simplify, fn);
    RUN(ir_simplify_cfg, fn);
    RUN(ir_number_values, fn);
    RUN(ir_simplify, fn);
    ir_remove_dead(fn, false);
    check(fn, "dead code");
}

static void optimize_fn(IrFn *fn)
{
    check(fn, "lowering");
    RUN(ir_promote_slots, fn);
    if (fn->module->opt_level > 0) {
        clean(fn);
        bool changed = ir_inline_calls(fn);
        check(fn, "inlining");
        changed |= ir_promote_slots(fn); // also what pointers in locals pointed to
        check(fn, "slot promotion");
        if (changed) clean(fn);
        RUN(ir_convert_ifs, fn);
        RUN(ir_simplify_cfg, fn);
        RUN(ir_hoist_invariants, fn);
        clean(fn);
    }
    fn->is_ready = true;
    fn->size = ir_fn_size(fn);
}

static void finish_fn(IrFn *fn)
{
    RUN(ir_lower_switches, fn);
    if (fn->module->opt_level > 0) {
        RUN(ir_simplify_cfg, fn);
        RUN(ir_sink_constants, fn);
    }
    ir_remove_dead(fn, true);
    if (fn->module->opt_level > 0) {
        RUN(ir_make_tail_calls, fn);
        ir_rebase_addresses(fn);
    }
    ir_split_critical(fn);
    check(fn, "the last passes");
    ir_layout(fn);
    drop_unused_slots(fn);
}

// ---- references between symbols

static void count_code_refs(const IrFn *fn)
{
    for (u32 n = 0; n < fn->n_blocks; n++)
        for (IrInsn *i = fn->blocks[n]->first; i; i = i->next) {
            if (i->op == IR_GADDR && !i->is_weak) i->sym->n_refs++;
            if (i->op == IR_CALL && i->call->sym) i->call->sym->n_refs++;
        }
}

static void count_refs(IrModule *m)
{
    for (u32 k = 0; k < m->syms.len; k++) m->syms.at[k]->n_refs = 0;
    for (u32 k = 0; k < m->syms.len; k++) {
        IrSym *s = m->syms.at[k];
        if (s->fn) count_code_refs(s->fn);
        for (u32 r = 0; r < s->n_relocs; r++) s->relocs[r].sym->n_refs += s->relocs[r].label ? 0 : 1;
    }
}

// A local function or object that only dropped ones name is dropped too.
static void drop_unreferenced(IrModule *m)
{
    VEC(IrSym *) work = {0};
    for (u32 k = 0; k < m->syms.len; k++) {
        IrSym *s = m->syms.at[k];
        s->n_refs = 0;
        if (s->is_defined && (!s->is_local || s->is_used || s->section)) {
            vec_push(&work, s);
            s->n_refs = 1;
        }
    }
#define REACH(sym)                                                                                           \
    do {                                                                                                     \
        if (!(sym)->n_refs++) vec_push(&work, (sym));                                                        \
    } while (0)
    while (work.len) {
        IrSym *s = work.at[--work.len];
        for (u32 r = 0; r < s->n_relocs; r++) REACH(s->relocs[r].sym);
        for (u32 n = 0; s->fn && n < s->fn->n_blocks; n++)
            for (IrInsn *i = s->fn->blocks[n]->first; i; i = i->next) {
                if (i->op == IR_GADDR) REACH(i->sym);
                if (i->op == IR_CALL && i->call->sym) REACH(i->call->sym);
            }
    }
#undef REACH
    vec_free(&work);
    for (u32 k = 0; k < m->syms.len; k++) {
        IrSym *s = m->syms.at[k];
        if (s->n_refs || !s->is_defined) continue;
        s->fn = NULL;
        s->is_defined = false;
    }
}

// Labels whose block is gone (no goto * can reach it) mean the function's start.
static void fix_dead_labels(IrModule *m)
{
    for (u32 k = 0; k < m->syms.len; k++) {
        IrSym *s = m->syms.at[k];
        for (u32 r = 0; r < s->n_relocs; r++)
            if (s->relocs[r].label && s->relocs[r].label->is_removed) s->relocs[r].label = s->relocs[r].sym->fn->blocks[0];
        for (u32 n = 0; s->fn && n < s->fn->n_blocks; n++)
            for (IrInsn *i = s->fn->blocks[n]->first; i; i = i->next)
                if (i->op == IR_LABEL && i->target->is_removed) i->target = s->fn->blocks[0];
    }
}

// ---- callees first

static void visit(IrSym *sym, u32 depth)
{
    enum { MAX_DEPTH = 400 };
    if (!sym->fn || sym->fn->is_visited || depth > MAX_DEPTH) return;
    sym->fn->is_visited = true;
    for (u32 n = 0; n < sym->fn->n_blocks; n++)
        for (IrInsn *i = sym->fn->blocks[n]->first; i; i = i->next)
            if (i->op == IR_CALL && i->call->sym) visit(i->call->sym, depth + 1);
    optimize_fn(sym->fn);
}

void ir_optimize(IrModule *m)
{
    count_refs(m);
    for (u32 k = 0; k < m->syms.len; k++) visit(m->syms.at[k], 0);
    drop_unreferenced(m);
    for (u32 k = 0; k < m->syms.len; k++)
        if (m->syms.at[k]->fn) finish_fn(m->syms.at[k]->fn);
    fix_dead_labels(m);
}
