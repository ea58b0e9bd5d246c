// opt_gvn.c: equal computations become one (global value numbering over the dominator tree), and loads become the value that
// memory is known to hold.
//
// Pure operations: a hash table of all so far; a hit counts if its block dominates. Loads: a list of known memory contents that
// flows along edges; stores and calls remove what they may change. What a store wrote is known too, so a reload is free.
#include "cc/ir.h"

#include <stdlib.h>

// mem at [base + off] holds value.
typedef struct Known {
    IrInsn *base, *value;
    i64 off;
    u8 mem;
    bool is_signed, is_load; // of a narrow load: how it was extended
} Known;

enum { MAX_KNOWN = 48 };

typedef struct KnownList {
    u32 len;
    Known *at;
} KnownList;

typedef struct Gvn {
    IrFn *fn;
    IrInsn **table;   // open hash of leaders
    u32 mask;
    bool *slot_escapes;
    KnownList *out;   // by block: known at its end; at == NULL: not computed yet
    Known now[MAX_KNOWN];
    u32 n_now;
} Gvn;

// ---- pure values

static u64 mix(u64 h, u64 v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    return h ^ (h >> 29);
}

static u64 payload(const IrInsn *i)
{
    switch (i->op) {
    case IR_GADDR: return (u64)(uintptr_t)i->sym;
    case IR_LABEL: return (u64)(uintptr_t)i->target;
    case IR_SLOT: return i->slot;
    case IR_PHI: return (u64)(uintptr_t)i->block;
    default: return 0;
    }
}

static u64 hash_value(const IrInsn *i)
{
    u64 h = mix((u64)i->op << 16 | (u64)i->type << 8 | i->cond, (u64)i->imm);
    h = mix(h, i->op == IR_SLOT ? i->slot : i->op == IR_PHI ? i->block->id : 0); // no addresses: results must not vary
    for (u32 k = 0; k < i->n_args; k++) h = mix(h, i->args[k]->id);
    return h;
}

static bool is_same(const IrInsn *a, const IrInsn *b)
{
    if (a->op != b->op || a->type != b->type || a->cond != b->cond || a->imm != b->imm || a->n_args != b->n_args) return false;
    for (u32 k = 0; k < a->n_args; k++)
        if (a->args[k] != b->args[k]) return false;
    return payload(a) == payload(b);
}

static bool is_numbered(const IrInsn *i)
{
    if (!(ir_op_kinds((IrOp)i->op) & IR_K_PURE)) return false;
    return i->op != IR_PARAM && i->op != IR_RESULT && i->op != IR_COPY && i->op != IR_UNDEF;
}

enum { MAX_TWINS = 8 }; // equal leaders that do not dominate each other

// The dominating equal value, or NULL; i becomes a leader then (never a weak one).
static IrInsn *find_leader(Gvn *g, IrInsn *i)
{
    u32 at = (u32)hash_value(i) & g->mask, twins = 0;
    for (; g->table[at]; at = (at + 1) & g->mask) {
        IrInsn *l = g->table[at];
        if (!is_same(l, i)) continue;
        if (ir_dominates(l->block, i->block)) return l;
        if (++twins == MAX_TWINS) break; // takes this one's place
    }
    if (!i->is_weak) g->table[at] = i;
    return NULL;
}

// ---- memory

static const IrInsn *root_of(const IrInsn *p)
{
    while (p->op == IR_ADD || p->op == IR_CADD || p->op == IR_COPY || p->op == IR_CBOUNDSX) p = p->args[0];
    return p;
}

static bool is_private(const Gvn *g, const IrInsn *root) { return root->op == IR_SLOT && !g->slot_escapes[root->slot]; }

static bool may_alias(const Gvn *g, const Known *k, const IrInsn *base, i64 off, i64 bytes)
{
    if (k->base == base) return k->off < off + bytes && off < k->off + (i64)ir_mem_bytes((IrMem)k->mem);
    const IrInsn *a = root_of(k->base), *b = root_of(base);
    if (a->op == IR_SLOT && b->op == IR_SLOT) {
        if (a->slot != b->slot) return false;
        if (k->base->op != IR_SLOT || base->op != IR_SLOT) return true;
        i64 x = k->off + k->base->imm, y = off + base->imm;
        return x < y + bytes && y < x + (i64)ir_mem_bytes((IrMem)k->mem);
    }
    if (a->op == IR_GADDR && b->op == IR_GADDR && a->sym != b->sym) return false;
    if ((a->op == IR_SLOT && b->op == IR_GADDR) || (a->op == IR_GADDR && b->op == IR_SLOT)) return false;
    if (a->op == IR_GADDR && a->sym->is_const) return false;
    return !is_private(g, a) && !is_private(g, b);
}

static void forget(Gvn *g, const IrInsn *base, i64 off, i64 bytes)
{
    u32 n = 0;
    for (u32 k = 0; k < g->n_now; k++)
        if (!may_alias(g, &g->now[k], base, off, bytes)) g->now[n++] = g->now[k];
    g->n_now = n;
}

// A call or asm changes all but private slots and constants.
static void forget_shared(Gvn *g)
{
    u32 n = 0;
    for (u32 k = 0; k < g->n_now; k++) {
        const IrInsn *a = root_of(g->now[k].base);
        if (is_private(g, a) || (a->op == IR_GADDR && a->sym->is_const)) g->now[n++] = g->now[k];
    }
    g->n_now = n;
}

static void learn(Gvn *g, Known k)
{
    if (g->n_now == MAX_KNOWN) { // the oldest goes
        memmove(g->now, g->now + 1, (MAX_KNOWN - 1) * sizeof *g->now);
        g->n_now--;
    }
    g->now[g->n_now++] = k;
}

static IrInsn *known_value(const Gvn *g, const IrInsn *i)
{
    for (u32 n = g->n_now; n-- > 0;) {
        const Known *k = &g->now[n];
        if (k->base != i->args[0] || k->off != i->imm || k->mem != i->mem || k->value->type != i->type) continue;
        bool is_narrow = i->mem == IR_M8 || i->mem == IR_M16 || (i->mem == IR_M32 && i->type == IR_I64);
        if (is_narrow && k->is_signed != i->is_signed) continue;
        return k->value;
    }
    return NULL;
}

static void load(Gvn *g, IrInsn *i)
{
    if (i->is_volatile) return;
    IrInsn *v = known_value(g, i);
    if (v) {
        ir_replace(i, v);
    } else if (!i->is_weak) {
        learn(g, (Known){.base = i->args[0], .off = i->imm, .mem = i->mem, .value = i, .is_signed = i->is_signed});
    }
}

static void store(Gvn *g, IrInsn *i)
{
    forget(g, i->args[0], i->imm, ir_mem_bytes((IrMem)i->mem));
    IrInsn *v = i->args[1];
    bool is_narrow = i->mem == IR_M8 || i->mem == IR_M16 || (i->mem == IR_M32 && v->type == IR_I64);
    if (i->is_volatile || (is_narrow && !i->is_extended)) return;
    if (i->mem == IR_M32 && v->type == IR_I64) return;
    learn(g, (Known){.base = i->args[0], .off = i->imm, .mem = i->mem, .value = v, .is_signed = i->is_signed});
}

static void touch_memory(Gvn *g, IrInsn *i)
{
    switch (i->op) {
    case IR_LOAD: load(g, i); return;
    case IR_STORE: store(g, i); return;
    case IR_MEMCPY: case IR_MEMZERO: forget(g, i->args[0], 0, i->imm); return;
    case IR_CALL:
        if (i->call->is_pure) return;
        if (i->call->returns_twice)
            g->n_now = 0;
        else
            forget_shared(g);
        return;
    case IR_ASM:
        if (i->as->clobbers_memory || i->as->is_volatile || i->as->is_basic) forget_shared(g);
        return;
    default:
        if (ir_op_kinds((IrOp)i->op) & IR_K_WRITE) forget_shared(g);
    }
}

// ---- flow

// At a block's start: what all predecessors know. A loop's head knows nothing (its latch is not seen yet).
static void enter(Gvn *g, const IrBlock *b)
{
    g->n_now = 0;
    if (!b->n_preds || b->n_preds > 4) return;
    for (u32 p = 0; p < b->n_preds; p++)
        if (!g->out[b->preds[p]->id].at) return;
    const KnownList *first = &g->out[b->preds[0]->id];
    for (u32 k = 0; k < first->len; k++) {
        const Known *x = &first->at[k];
        bool everywhere = true;
        for (u32 p = 1; p < b->n_preds && everywhere; p++) {
            const KnownList *other = &g->out[b->preds[p]->id];
            everywhere = false;
            for (u32 j = 0; j < other->len && !everywhere; j++) {
                const Known *y = &other->at[j];
                everywhere = y->base == x->base && y->off == x->off && y->mem == x->mem && y->value == x->value &&
                             y->is_signed == x->is_signed;
            }
        }
        if (everywhere && ir_dominates(x->value->block, b)) g->now[g->n_now++] = *x;
    }
}

static void leave(Gvn *g, const IrBlock *b)
{
    KnownList *l = &g->out[b->id];
    l->len = g->n_now;
    l->at = arena_array(g->fn->arena, Known, g->n_now + 1);
    if (g->n_now) memcpy(l->at, g->now, g->n_now * sizeof *g->now);
}

static void find_escapes(Gvn *g)
{
    for (u32 n = 0; n < g->fn->n_blocks; n++)
        for (IrInsn *i = g->fn->blocks[n]->first; i; i = i->next) {
            if (i->is_weak || i->op == IR_PROBE) continue;
            bool is_access = i->op == IR_LOAD || i->op == IR_MEMZERO || i->op == IR_MEMCPY || i->op == IR_CBOUNDSX || i->op == IR_COPY;
            bool is_base = i->op == IR_STORE || i->op == IR_ADD || i->op == IR_CADD; // a0 only
            for (u32 k = 0; k < i->n_args; k++) {
                if (is_access || (is_base && k == 0)) continue;
                const IrInsn *root = root_of(i->args[k]);
                if (root->op == IR_SLOT) g->slot_escapes[root->slot] = true;
            }
        }
}

void ir_number_values(IrFn *fn)
{
    ir_compute_dom(fn);
    Gvn *g = xalloc(sizeof *g);
    u32 size = 64;
    while (size < fn->n_ids * 2) size *= 2;
    g->fn = fn;
    g->mask = size - 1;
    g->table = xalloc(size * sizeof *g->table);
    g->slot_escapes = xalloc(fn->n_slots + 1);
    g->out = xalloc((fn->n_blocks + 1) * sizeof *g->out);
    find_escapes(g);
    for (u32 n = 0; n < fn->n_blocks; n++) {
        IrBlock *b = fn->blocks[n];
        enter(g, b);
        for (IrInsn *i = b->first, *next; i; i = next) {
            next = i->next;
            for (u32 k = 0; k < i->n_args; k++) i->args[k] = ir_chase(i->args[k]);
            if (is_numbered(i)) {
                IrInsn *l = find_leader(g, i);
                if (l) ir_replace(i, l);
            } else {
                touch_memory(g, i);
            }
        }
        leave(g, b);
    }
    ir_chase_copies(fn);
    free(g->table);
    free(g->slot_escapes);
    free(g->out);
    free(g);
}
