// opt_licm.c: where values are computed: loop invariants in front of the loop, cheap constants in the block that uses them.
//
// In the loop around the hub of a computed goto (a whole interpreter) only addresses of globals that many handlers name are
// hoisted: there the dispatch table gets its register.
#include "cc/ir.h"

#include <stdlib.h>

enum { MIN_HUB_USERS = 3 };

typedef struct Licm {
    IrFn *fn;
    u32 *in_loop; // by block: stamp of the loop being looked at
    u32 stamp;
    IrBlock **body;
    u32 n_body;
} Licm;

static bool is_latch(const IrBlock *head, const IrBlock *p) { return p->rpo >= head->rpo && ir_dominates(head, p); }

// ---- a block in front of each loop

static bool has_preheader(const IrBlock *h)
{
    u32 outside = 0;
    bool good = false;
    for (u32 k = 0; k < h->n_preds; k++)
        if (!is_latch(h, h->preds[k])) outside++, good = h->preds[k]->n_succs == 1;
    return outside == 1 && good;
}

static void make_preheader(IrFn *fn, IrBlock *h)
{
    IrBlock *pre = ir_block_new(fn, NULL);
    pre->is_cold = h->is_cold;
    bool *outside = xalloc(h->n_preds + 1);
    for (u32 k = 0; k < h->n_preds; k++) outside[k] = !is_latch(h, h->preds[k]);
    for (IrInsn *phi = h->first; phi && phi->op == IR_PHI; phi = phi->next) {
        IrInsn *before = ir_insn_new(fn, IR_PHI, (IrType)phi->type, 0);
        for (u32 k = 0; k < h->n_preds; k++)
            if (outside[k]) ir_phi_append(fn, before, phi->args[k]);
        ir_append(pre, before);
    }
    for (u32 k = 0; k < h->n_preds; k++) {
        if (!outside[k]) continue;
        IrBlock *p = h->preds[k];
        for (u32 s = 0; s < p->n_succs; s++)
            if (p->succs[s] == h) {
                p->succs[s] = pre;
                break;
            }
        ir_add_pred(fn, pre, p);
    }
    u32 n = h->n_preds;
    for (u32 k = n; k-- > 0;)
        if (outside[k]) ir_remove_pred(h, k);
    free(outside);
    IrInsn *in = pre->first;
    for (IrInsn *phi = h->first; phi && phi->op == IR_PHI; phi = phi->next, in = in->next) ir_phi_append(fn, phi, in);
    ir_append(pre, ir_insn_new(fn, IR_JMP, IR_VOID, 0));
    ir_set_succs(fn, pre, 1, &h);
}

static bool is_head(const IrBlock *h)
{
    for (u32 k = 0; k < h->n_preds; k++)
        if (is_latch(h, h->preds[k])) return true;
    return false;
}

// A head that an IBR enters from outside the loop cannot be given one.
static bool can_have_preheader(const IrBlock *h)
{
    if (h->address_taken) return false;
    u32 outside = 0;
    for (u32 k = 0; k < h->n_preds; k++) outside += !is_latch(h, h->preds[k]);
    return outside > 0;
}

// ---- invariants

static bool is_wide(const IrInsn *i)
{
    u64 v = (u64)i->imm, n = ~v;
    if (i->type == IR_I32) v &= 0xffffffff, n &= 0xffffffff;
    for (u32 sh = 0; sh < 64; sh += 16)
        if (!(v & ~(0xffffull << sh)) || !(n & ~(0xffffull << sh))) return false;
    return true;
}

// Worth a register all through the loop: more than what an operand or an address does on the way.
static bool is_worth(const IrInsn *i)
{
    i64 c;
    switch (i->op) {
    case IR_CONST: return is_wide(i);
    case IR_FCONST: return i->imm != 0;
    case IR_GADDR: case IR_MUL: case IR_UMULH: case IR_SMULH: case IR_SDIV: case IR_UDIV: case IR_SREM: case IR_UREM:
    case IR_FADD: case IR_FSUB: case IR_FMUL: case IR_FDIV: case IR_FSQRT: case IR_SITOF: case IR_UITOF: case IR_FCVT:
    case IR_CBOUNDS: case IR_CBOUNDSX: case IR_CPERMAND: case IR_CSETADDR: case IR_CBASE: case IR_CLENGTH: case IR_CSEAL:
    case IR_CUNSEAL: case IR_CSENTRY: case IR_POPCNT: case IR_CTZ: case IR_CLZ: case IR_BSWAP: return true;
    case IR_ADD: case IR_SUB: case IR_CADD: case IR_AND: case IR_OR: case IR_XOR: return !ir_is_const(i->args[1], &c);
    default: return false;
    }
}

static void find_body(Licm *l, IrBlock *h)
{
    u32 len = 0, at = 0;
    l->stamp++;
    l->in_loop[h->id] = l->stamp;
    l->body[len++] = h;
    for (u32 k = 0; k < h->n_preds; k++) {
        IrBlock *p = h->preds[k];
        if (!is_latch(h, p) || l->in_loop[p->id] == l->stamp) continue;
        l->in_loop[p->id] = l->stamp;
        l->body[len++] = p;
    }
    for (at = 1; at < len; at++) {
        IrBlock *b = l->body[at];
        for (u32 k = 0; k < b->n_preds; k++) {
            IrBlock *p = b->preds[k];
            if (l->in_loop[p->id] == l->stamp) continue;
            l->in_loop[p->id] = l->stamp;
            l->body[len++] = p;
        }
    }
    l->n_body = len;
}

static int by_rpo(const void *a, const void *b)
{
    u32 x = (*(IrBlock *const *)a)->rpo, y = (*(IrBlock *const *)b)->rpo;
    return x < y ? -1 : x > y;
}

// In the interpreter's loop: is this address named often enough?
static bool is_popular(const Licm *l, const IrInsn *g)
{
    u32 n = 0;
    for (u32 k = 0; k < l->n_body && n < MIN_HUB_USERS; k++)
        for (const IrInsn *i = l->body[k]->first; i; i = i->next)
            if (i->op == IR_GADDR && i->sym == g->sym && i->imm == g->imm) {
                n++;
                break;
            }
    return n >= MIN_HUB_USERS;
}

static void hoist_from(Licm *l, IrBlock *h)
{
    IrBlock *pre = NULL;
    for (u32 k = 0; k < h->n_preds; k++)
        if (!is_latch(h, h->preds[k])) pre = h->preds[k];
    find_body(l, h);
    qsort(l->body, l->n_body, sizeof *l->body, by_rpo);
    bool is_hub = l->fn->hub && l->in_loop[l->fn->hub->id] == l->stamp;
    IrSym *done[16] = {0};
    u32 n_done = 0;
    for (u32 k = 0; k < l->n_body; k++) {
        for (IrInsn *i = l->body[k]->first, *next; i; i = next) {
            next = i->next;
            if (i->is_weak || !is_worth(i) || (is_hub && i->op != IR_GADDR) || (l->body[k]->is_cold && !h->is_cold)) continue;
            bool is_invariant = true;
            for (u32 a = 0; a < i->n_args; a++) is_invariant &= l->in_loop[i->args[a]->block->id] != l->stamp;
            if (!is_invariant) continue;
            if (is_hub) {
                bool seen = false;
                for (u32 d = 0; d < n_done; d++) seen |= done[d] == i->sym;
                if (!seen && (n_done == ARRAY_LEN(done) || !is_popular(l, i))) continue;
                if (!seen) done[n_done++] = i->sym;
            }
            ir_remove(i);
            ir_insert_before(pre->last, i);
        }
    }
}

void ir_hoist_invariants(IrFn *fn)
{
    ir_compute_dom(fn);
    u32 n = fn->n_blocks;
    bool any = false;
    for (u32 k = 0; k < n; k++) {
        IrBlock *h = fn->blocks[k];
        if (!is_head(h) || !can_have_preheader(h)) continue;
        any = true;
        if (!has_preheader(h)) make_preheader(fn, h);
    }
    if (!any) return;
    ir_compute_dom(fn);
    Licm l = {.fn = fn, .in_loop = xalloc((fn->n_blocks + 1) * sizeof(u32)), .body = xalloc((fn->n_blocks + 1) * sizeof(IrBlock *))};
    for (u32 k = fn->n_blocks; k-- > 0;) { // inner loops come later in the order
        IrBlock *h = fn->blocks[k];
        if (is_head(h) && can_have_preheader(h) && has_preheader(h)) hoist_from(&l, h);
    }
    free(l.in_loop);
    free(l.body);
}

// ---- constants near their uses

typedef struct Near {
    IrInsn *of, *copy;
} Near;

enum { MAX_NEAR = 16 }; // constants remembered in a block

static IrInsn *near_copy(IrFn *fn, IrInsn *use, IrInsn *c, Near *near, u32 *n)
{
    for (u32 k = 0; k < *n; k++)
        if (near[k].of->imm == c->imm && near[k].of->type == c->type) return near[k].copy;
    IrInsn *copy = ir_insn_new(fn, IR_CONST, (IrType)c->type, 0);
    copy->imm = c->imm;
    copy->line = use->line;
    ir_insert_before(use, copy);
    if (*n < MAX_NEAR) near[(*n)++] = (Near){c, copy};
    return copy;
}

void ir_sink_constants(IrFn *fn)
{
    for (u32 b = 0; b < fn->n_blocks; b++) {
        Near near[MAX_NEAR];
        u32 n = 0;
        for (IrInsn *i = fn->blocks[b]->first; i; i = i->next) {
            if (i->op == IR_PHI || i->op == IR_PROBE || i->is_weak) continue;
            for (u32 k = 0; k < i->n_args; k++) {
                IrInsn *c = i->args[k];
                if (c->op == IR_CONST && c->block != i->block && !is_wide(c)) i->args[k] = near_copy(fn, i, c, near, &n);
            }
        }
    }
}
