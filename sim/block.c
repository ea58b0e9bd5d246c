// block.c: the block cache, and the translation of guest words into operations.
//
//     add x0, x0, #1        op[0] = {ex_ADD_I_1, d = n = slot of r[0], imm = 1}
//     cbnz x1, loop         op[1] = {ex_CBNZ_1, n = slot of r[1], block}
//                           op[2] = {END}: only reached when the last instruction falls through
//
// A block ends at a page's end, at a row with END, at the end of PCC's bounds, or after BLOCK_MAX instructions. What can be known
// at translation is decided here (PCC's tag and bounds, page permission); an instruction that must not be fetched becomes a
// block with one operation that faults.
#include "sim/block.h"
#include <stdlib.h>

enum { MAX_OPS = BLOCK_MAX * 4, MAX_PROBES_HERE = 16, MAX_CACHE_BYTES = 64 << 20, MAX_CONTEXTS = 1 << 14 };

// ---- cache

static void reset_jump_caches(Cpu *cpu)
{
    Block *none = cpu->blocks->none;
    for (u32 i = 0; i < CPU_JUMP_CACHE; i++) {
        cpu->jump_cache[i] = none;
        cpu->cap_jump_cache[i] = (CpuCapJump){.block = none};
    }
    for (u32 i = 0; i < CPU_TABLE_JUMPS; i++) cpu->table_jump_cache[i] = (CpuCapJump){.block = none};
}

static void on_code_change(void *ctx, u64 addr, u64 len)
{
    (void)addr, (void)len;
    ((Cpu *)ctx)->is_flush_pending = true;
}

void block_cache_new(Cpu *cpu, bool is_tail)
{
    BlockCache *c = xalloc(sizeof *c);
    cpu->blocks = c;
    c->is_tail = is_tail;
    c->none = xalloc(sizeof(Block));
    c->none->pc = 1;
    c->scratch = xalloc(sizeof(Block) + MAX_OPS * sizeof(Op));
    c->scratch->insn = xalloc(BLOCK_MAX * sizeof(BlockInsn));
    reset_jump_caches(cpu);
    cpu->mem->on_code_change = on_code_change;
    cpu->mem->code_ctx = cpu;
}

void block_cache_free(Cpu *cpu)
{
    BlockCache *c = cpu->blocks;
    arena_free(&c->arena);
    free(c->scratch->insn);
    free(c->scratch);
    free(c->none);
    free(c);
    cpu->mem->on_code_change = NULL;
}

void block_fold(Cpu *cpu, Block *b)
{
    CpuCounts *f = &cpu->folded;
    f->loads += b->execs * b->loads;
    f->stores += b->execs * b->stores;
    f->cap_loads += b->execs * b->cap_loads;
    f->cap_stores += b->execs * b->cap_stores;
    if (b->is_c64) f->insns_c64 += b->execs * b->n;
    b->execs = 0;
}

void block_cache_flush(Cpu *cpu)
{
    BlockCache *c = cpu->blocks;
    for (Block *b = c->all; b; b = b->next_all) block_fold(cpu, b);
    block_fold(cpu, c->scratch);
    Cap pcc = {.value = cpu->pc, .meta = cpu->context->meta, .tag = cpu->context->tag};
    memset(c->hash, 0, sizeof c->hash);
    memset(c->context, 0, sizeof c->context);
    c->all = NULL;
    c->n_contexts = 0;
    c->bytes = 0;
    arena_free(&c->arena);
    reset_jump_caches(cpu);
    mem_clear_blocks(cpu->mem);
    cpu->is_flush_pending = false;
    cpu->context = block_intern_context(cpu, pcc, cpu->mode);
}

CpuCounts cpu_counts(const Cpu *cpu)
{
    // Adding up must not change the state: fold copies.
    Cpu sum = {.folded = cpu->folded};
    for (const Block *b = cpu->blocks->all; b; b = b->next_all) {
        Block t = *b;
        block_fold(&sum, &t);
    }
    Block t = *cpu->blocks->scratch;
    block_fold(&sum, &t);
    return sum.folded;
}

void cpu_flush_blocks(Cpu *cpu)
{
    if (cpu->is_running) cpu->is_flush_pending = true;
    else block_cache_flush(cpu);
}

// ---- contexts

static EvFaultKind why_no_fetch(Cap pcc)
{
    if (!pcc.tag) return EV_FAULT_CAP_TAG;
    if (cap_is_sealed(pcc)) return EV_FAULT_CAP_SEALED;
    if (!(cap_perms(pcc) & CAP_PERM_EXECUTE)) return EV_FAULT_CAP_PERM;
    return EV_FAULT_NONE;
}

CpuContext *block_intern_context(Cpu *cpu, Cap pcc, u32 mode)
{
    BlockCache *c = cpu->blocks;
    CapBounds b = cap_bounds(pcc);
    CpuContext want = {.mode = mode, .tag = pcc.tag, .meta = pcc.meta, .base = b.base, .top = b.top_hi ? ~0ULL : b.top_lo};
    want.refuse = why_no_fetch(pcc);
    if (!b.is_valid) want.top = want.base = 0;
    u32 h = (u32)((want.meta ^ want.base * 31 ^ want.top * 17 ^ mode * 0x9e3779b9u) % CONTEXT_HASH);
    for (ContextNode *n = c->context[h]; n; n = n->next)
        if (n->c.mode == want.mode && n->c.tag == want.tag && n->c.meta == want.meta && n->c.base == want.base && n->c.top == want.top)
            return &n->c;
    ContextNode *n = arena_new(&c->arena, ContextNode);
    *n = (ContextNode){.c = want, .next = c->context[h]};
    c->context[h] = n;
    if (++c->n_contexts > MAX_CONTEXTS) cpu->is_flush_pending = true;
    return &n->c;
}

// ---- translation

typedef struct Draft {
    Cpu *cpu;
    Plan plan;
    Block *b;       // header and operations under construction (the scratch block)
    u32 n_ops, n_insns;
} Draft;

static Op *add_op(Draft *d, ExecFn *fn, u32 insn)
{
    CHECK(d->n_ops < MAX_OPS, "block of too many operations");
    Op *op = &d->b->op[d->n_ops];
    *op = (Op){.fn = fn, .index = (u16)d->n_ops, .insn = (u8)insn};
    d->n_ops++;
    return op;
}

static ExecFn *pseudo(const Draft *d, u32 which)
{
#if CAPLAB_TAIL_ENGINE
    if (d->cpu->blocks->is_tail) return exec_pseudo_tail[which];
#endif
    (void)d;
    return exec_pseudo_loop[which];
}

static void add_fetch_fault(Draft *d, EvFaultKind kind)
{
    Op *op = add_op(d, pseudo(d, PSEUDO_FETCH_FAULT), d->n_insns);
    op->imm = kind;
    d->b->insn[d->n_insns++] = (BlockInsn){0};
}

// Why the instruction at pc cannot be fetched; sets *word if it can.
static EvFaultKind fetch(Draft *d, u64 pc, u32 *word)
{
    const CpuContext *c = d->plan.context;
    if (pc & 3) return EV_FAULT_PC_ALIGNMENT;
    if (c->refuse) return c->refuse;
    if (pc < c->base || (pc + 4 > c->top && c->top != ~0ULL) || (pc + 4 < pc && c->top != ~0ULL)) return EV_FAULT_CAP_BOUNDS;
    MemPage *p = mem_page_or_flat(d->cpu->mem, pc);
    if (!p) return EV_FAULT_TRANSLATION;
    if (!(p->prot & MEM_EXEC)) return EV_FAULT_PERMISSION;
    *word = (u32)bits_load(p->data + (pc & (MEM_PAGE - 1)), 4);
    return EV_FAULT_NONE;
}

static const CpuProbe *first_probe(const Cpu *cpu, u64 pc)
{
    u32 lo = 0, hi = cpu->probes.len;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (cpu->probes.at[mid].pc < pc) lo = mid + 1;
        else hi = mid;
    }
    return lo < cpu->probes.len && cpu->probes.at[lo].pc == pc ? &cpu->probes.at[lo] : NULL;
}

static void add_watchers(Draft *d, u64 pc, bool skip_break, u32 skip_probes)
{
    const Cpu *cpu = d->cpu;
    for (u32 i = 0; i < cpu->n_breaks && !skip_break; i++)
        if (cpu->breaks[i] == pc) {
            add_op(d, pseudo(d, PSEUDO_BREAK), d->n_insns);
            break;
        }
    const CpuProbe *p = first_probe(cpu, pc), *end = p ? cpu->probes.at + cpu->probes.len : NULL;
    for (u32 i = 0; p && p < end && p->pc == pc && i < MAX_PROBES_HERE; i++, p++) {
        if (i < skip_probes) continue;
        bool fast = p->is_dispatch && cpu->account && p->n_args >= 2 && p->arg[0].kind == NOTE_ARG_REG && p->arg[1].kind == NOTE_ARG_REG;
        Op *op = add_op(d, pseudo(d, fast ? PSEUDO_DISPATCH : PSEUDO_PROBE), d->n_insns);
        op->ptr = p;
        op->aux = i + 1; // probes seen once this one has fired
        if (fast) op->n = plan_slot_sp(p->arg[0].reg), op->m = plan_slot_sp(p->arg[1].reg);
    }
}

// The fused body of `row` and B.cond, or NULL.
static const ExecRow *fused_row(const Draft *d, u32 row)
{
#if CAPLAB_TAIL_ENGINE
#define X(name) if (row == ISA_##name) return d->cpu->blocks->is_tail ? &exec_tail_FUSED_##name : &exec_loop_FUSED_##name;
#else
#define X(name) if (row == ISA_##name) return &exec_loop_FUSED_##name;
    (void)d;
#endif
    EXEC_FUSED(X)
#undef X
    return NULL;
}

// If the operation before this B.cond is a compare of the instruction before, lets it branch, too, and drops this one. (The
// single operations stay what a breakpoint or a budget that ends between the two needs: then they are in different blocks.)
static void fuse_branch(Draft *d, u32 cond)
{
    if (d->n_ops < 2 || d->n_insns < 2) return;
    Op *op = &d->b->op[d->n_ops - 2];
    const BlockInsn *before = &d->b->insn[d->n_insns - 2];
    const ExecRow *fused = fused_row(d, before->row);
    if (!fused || op->insn != d->n_insns - 2) return;
    bool is_plain = before->row != ISA_SUBS_SR || !bits_get(before->word, 15, 10); // no shift
    if (!is_plain || (before->row != ISA_SUBS_SR && op->imm >> 32)) return;
    op->fn = fused->fast[(before->word >> 31) + 2 * cond];
    op->aux = (u32)op->imm;
    d->n_ops--;
}

// The body of two neighbouring accesses as one, or NULL.
static const ExecRow *two_row(const Draft *d, u32 first, u32 second)
{
#if CAPLAB_TAIL_ENGINE
#define X(a, b) if (first == ISA_##a && second == ISA_##b) return d->cpu->blocks->is_tail ? &exec_tail_TWO_##a##_##b : &exec_loop_TWO_##a##_##b;
#else
#define X(a, b) if (first == ISA_##a && second == ISA_##b) return &exec_loop_TWO_##a##_##b;
    (void)d;
#endif
    EXEC_TWO(X)
#undef X
    return NULL;
}

// If the operation before is of the instruction before, plain, and EXEC_TWO has them: it does both.
static void fuse_two(Draft *d)
{
    if (d->n_ops < 2 || d->n_insns < 2) return;
    Op *op = &d->b->op[d->n_ops - 2], *next = op + 1;
    u32 first = d->b->insn[d->n_insns - 2].row, second = d->b->insn[d->n_insns - 1].row;
    const ExecRow *two = two_row(d, first, second);
    if (!two || op->insn != d->n_insns - 2) return;
    enum { PLAIN = AUTH_CAP * 8 };
    ExecFn *const *plain = d->cpu->exec[first]->fast;
    if (second == ISA_BR_C_C) {
        if (op->d == next->n && op->fn == plain[PLAIN]) op->fn = two->fast[0];
        if (op->d == next->n && op->fn == plain[PLAIN + 2]) op->fn = two->fast[1];
        return;
    }
    if (op->n != next->n || op->fn != plain[PLAIN] || next->fn != d->cpu->exec[second]->fast[PLAIN]) return;
    bool is_load = isa_row_info(first)->flags & ISA_F_LD2;
    if (is_load && (op->d == op->n || op->a == op->n)) return; // the base changes between
    u64 at = next->imm;
    if (second == ISA_LDP_CC_RIAW_C) {
        if (next->d == next->n || next->a == next->n) return;
        at = 0;
    }
    if (at == op->imm + 32) op->fn = two->fast[0];
    if (at == op->imm - 32) op->fn = two->fast[1];
}

// A base that an operation before in this block has loaded: that one decodes its bounds at once. (Whether something else has written
// the register since is not looked at: then the work was for nothing, but not wrong.)
static void decode_at_load(Draft *d, const Op *op)
{
    enum { PLAIN = AUTH_CAP * 8, AS_BASE = 1 };
    static const u16 rows[] = {ISA_LDR_C_RUIB_C, ISA_LDUR_C_RI_C, ISA_LDR_C_RRB_C};
    if (op->n < plan_slot_sp(0) || op->n > plan_slot_sp(30)) return;
    Op *load = &d->b->op[d->n_ops];
    while (load-- > d->b->op)
        if (load != op && load->d == op->n) break;
    if (load < d->b->op) return;
    u32 row = d->b->insn[load->insn].row;
    for (u32 i = 0; i < ARRAY_LEN(rows); i++)
        for (u32 k = 0; k < 4 && row == rows[i]; k += 2) {
            ExecFn *const *fast = d->cpu->exec[row]->fast + PLAIN;
            if (k < d->cpu->exec[row]->n - PLAIN && load->fn == fast[k]) load->fn = fast[k + AS_BASE];
        }
}

static bool writes_base(IsaPlan plan)
{
    switch (plan) {
    case ISA_PLAN_RT_BASE_POST9: case ISA_PLAN_RT_BASE_PRE9: case ISA_PLAN_RT_BASE_POST9S: case ISA_PLAN_RT_BASE_PRE9S:
    case ISA_PLAN_RT_RT2_BASE_POST7: case ISA_PLAN_RT_RT2_BASE_PRE7: case ISA_PLAN_VT_BASE_POST9: case ISA_PLAN_VT_BASE_PRE9:
    case ISA_PLAN_VT_VT2_BASE_POST7: case ISA_PLAN_VT_VT2_BASE_PRE7: return true;
    default: return false;
    }
}

// May this instruction leave a capability in CSP that is misaligned although it was not before?
static bool may_misalign_sp(const Op *op, u32 row, const IsaRowInfo *info)
{
    u16 sp = plan_slot_sp(31);
    bool is_cap = info->flags & ISA_F_MORELLO;
    bool by_16 = op->n == sp && !(op->imm & 15);
    if (row == ISA_ADD_C_CIS_C || row == ISA_SUB_C_CIS_C) return op->d == sp && !by_16;
    return writes_base(info->plan) ? op->n == sp && !by_16 : is_cap && op->d == sp;
}

// If the mode lets this instruction trap: adds that.
static bool add_trap(Draft *d, u32 row, const IsaRowInfo *info)
{
    const Plan *p = &d->plan;
    u32 el = p->mode & MODE_EL, fault = EV_FAULT_NONE, to = 0;
    bool is_cap = info->flags & ISA_F_MORELLO;
    bool asks_itself = row == ISA_MRS_C_I_C || row == ISA_MSR_C_I_C; // by its register's rule
    bool is_to_restricted = row == ISA_BRR_C_C || row == ISA_BLRR_C_C || row == ISA_RETR_C_C;
    bool is_undefined = ((row == ISA_STCT_R_R__ || row == ISA_SCTAG_C_CR_C) && !el) || (is_to_restricted && p->mode & MODE_RESTRICTED);
    if (p->mode & MODE_IL) fault = EV_FAULT_ILLEGAL;
    else if (p->mode & MODE_CAP_TRAP && is_cap && !asks_itself && !is_undefined) fault = EV_FAULT_CAP_ACCESS, to = cpu_cap_trap(d->cpu, el);
    else if (p->mode & MODE_FP_TRAP && info->flags & ISA_F_FP) fault = EV_FAULT_FP_ACCESS, to = cpu_fp_trap(d->cpu, el);
    if (!fault) return false;
    Op *op = add_op(d, pseudo(d, PSEUDO_TRAP), d->n_insns++);
    op->imm = fault;
    op->aux = to;
    return true;
}

// Adds the operation of one decoded instruction; true = it ends the block.
static bool add_insn(Draft *d, u64 pc, u32 word)
{
    Plan *p = &d->plan;
    IsaInsn insn;
    BlockInsn *bi = &d->b->insn[d->n_insns];
    *bi = (BlockInsn){.word = word};
    if (!isa_decode(word, p->mode & MODE_C64, &insn)) {
        add_op(d, pseudo(d, PSEUDO_UNDEFINED), d->n_insns++);
        return true;
    }
    const IsaRowInfo *info = isa_row_info(insn.row);
    if (UNLIKELY(p->mode & MODE_TRAPS) && add_trap(d, insn.row, info)) return true;
    const ExecRow *row = d->cpu->exec[insn.row];
    PlanFn *plan = plan_table[info->plan];
    Op *op = add_op(d, NULL, d->n_insns++);
    p->pc = pc, p->insn = &insn, p->info = info;
    p->uses_block = p->force_slow = false;
    if (info->cls == ISA_CLS_FP && p->mode & MODE_FP_SPECIAL) p->force_slow = true;
    int v = plan(p, op);
    if (v == PLAN_UNDEFINED) {
        op->fn = pseudo(d, PSEUDO_UNDEFINED);
        return true;
    }
    CHECK((u32)v < row->n && row->fast[v], "%s: variant %d", info->name, v);
    op->fn = p->force_slow && row->slow ? row->slow[v] : row->fast[v];
    if (p->uses_block) d->b->target[0] = p->target, d->b->lr = p->lr;
    bi->row = insn.row;
    bi->loads = info->flags & ISA_F_LD1 ? 1 : info->flags & ISA_F_LD2 ? 2 : 0;
    bi->stores = info->flags & ISA_F_ST1 ? 1 : info->flags & ISA_F_ST2 ? 2 : 0;
    bi->is_cap = info->flags & ISA_F_CAP;
    if (bi->loads || bi->stores) decode_at_load(d, op);
    if (insn.row == ISA_B_COND) fuse_branch(d, insn.f.cond);
    else fuse_two(d);
    if (may_misalign_sp(op, insn.row, info)) add_op(d, pseudo(d, PSEUDO_SP_WRITTEN), d->n_insns - 1);
    return info->flags & ISA_F_END;
}

// Fills the scratch block with up to max instructions from pc on; returns the number of operations.
static void draft_block(Draft *d, u64 pc, u32 max, bool skip_break, u32 skip_probes)
{
    Block *b = d->b;
    BlockInsn *insn = b->insn;
    *b = (Block){.pc = pc, .context = (CpuContext *)d->plan.context, .insn = insn};
    b->is_c64 = d->plan.mode & MODE_C64;
    u32 word = 0;
    EvFaultKind refused = fetch(d, pc, &word);
    if (refused) {
        add_fetch_fault(d, refused);
    } else {
        u64 at = pc;
        bool ends = false;
        do {
            add_watchers(d, at, skip_break && at == pc, at == pc ? skip_probes : 0);
            ends = add_insn(d, at, word);
            at += 4;
        } while (!ends && d->n_insns < max && d->n_ops < MAX_OPS - MAX_PROBES_HERE - 4 && (at & (MEM_PAGE - 1)) && !fetch(d, at, &word));
        b->target[1] = at;
        add_op(d, pseudo(d, PSEUDO_END), d->n_insns - 1);
    }
    b->n = d->n_insns;
    b->n_ops = d->n_ops;
    for (u32 i = 0; i < b->n; i++) {
        b->loads += insn[i].loads;
        b->stores += insn[i].stores;
        if (insn[i].is_cap) b->cap_loads += insn[i].loads, b->cap_stores += insn[i].stores;
    }
}

// Operations that follow links, or find their block's lr, hold a pointer to it.
static void set_block_pointers(Block *b, bool branch_uses_block)
{
    Op *end = &b->op[b->n_ops - 1];
    if (b->n_ops > 1 || branch_uses_block) end->block = b;
    if (branch_uses_block) end[-1].block = b;
}

static Draft start_draft(Cpu *cpu)
{
    block_fold(cpu, cpu->blocks->scratch);
    return (Draft){.cpu = cpu, .b = cpu->blocks->scratch, .plan = {.cpu = cpu, .context = cpu->context, .mode = cpu->mode}};
}

Block *block_one(Cpu *cpu, u64 pc, bool skip_break, u32 skip_probes)
{
    Draft d = start_draft(cpu);
    draft_block(&d, pc, 1, skip_break, skip_probes);
    set_block_pointers(d.b, d.plan.uses_block);
    d.b->is_scratch = true;
    return d.b;
}

static Block *translate(Cpu *cpu, u64 pc)
{
    BlockCache *c = cpu->blocks;
    Draft d = start_draft(cpu);
    draft_block(&d, pc, BLOCK_MAX, false, 0);
    size_t ops = d.n_ops * sizeof(Op), insns = d.n_insns * sizeof(BlockInsn);
    Block *b = arena_alloc(&c->arena, sizeof *b + ops + insns);
    memcpy(b, d.b, sizeof *b + ops);
    b->insn = (BlockInsn *)(void *)((char *)b + sizeof *b + ops);
    memcpy(b->insn, d.b->insn, insns);
    set_block_pointers(b, d.plan.uses_block);
    MemPage *page = mem_page(cpu->mem, pc);
    if (page) mem_mark_blocks(cpu->mem, page, pc, 4ULL * b->n);
    c->bytes += sizeof *b + ops + insns;
    if (c->bytes > MAX_CACHE_BYTES) cpu->is_flush_pending = true;
    return b;
}

Block *block_find(Cpu *cpu, u64 pc)
{
    BlockCache *c = cpu->blocks;
    u32 h = (u32)((pc >> 2) ^ (pc >> 15) ^ (u32)((u64)cpu->context >> 4)) % BLOCK_HASH;
    for (Block *b = c->hash[h]; b; b = b->next_hash)
        if (b->pc == pc && b->context == cpu->context) return b;
    Block *b = translate(cpu, pc);
    b->next_hash = c->hash[h];
    c->hash[h] = b;
    b->next_all = c->all;
    c->all = b;
    return b;
}
