// peep.c: improvements of allocated code with final offsets: repeated moves, pairs of loads and stores, write-back,
// jumps to jumps, fall-through.
#include "cc/emit.h"

// ---- pairs: two accesses of neighbouring places become LDP or STP

static bool is_plain_access(const MirInsn *i)
{
    return (i->op == T_LDR || i->op == T_STR) && !(i->flags & MIR_F_VOLATILE) && i->ops[1].kind == MIR_REG &&
           i->ops[2].kind == MIR_IMM && !(i->ops[0].aux & T_SIGNED) && (i->ops[0].aux & 0x7f) >= IR_M32;
}

static bool may_pair(const MirInsn *a, const MirInsn *b, i64 *low)
{
    if (a->op != b->op || !is_plain_access(a) || !is_plain_access(b)) return false;
    if (a->ops[0].aux != b->ops[0].aux || a->ops[1].reg != b->ops[1].reg) return false;
    i64 bytes = ir_mem_bytes(a->ops[0].aux & 0x7f), x = a->ops[2].imm, y = b->ops[2].imm;
    *low = x < y ? x : y;
    if (x - y != bytes && y - x != bytes) return false;
    if (*low % bytes || *low / bytes < -64 || *low / bytes > 63) return false;
    if (a->op == T_STR) return true;
    return a->ops[0].reg != b->ops[0].reg && a->ops[0].reg != b->ops[1].reg; // the first load must not change the base
}

static bool touches(const MirInsn *i, MirReg r, u8 flags)
{
    for (u32 k = 0; k < i->n_ops; k++)
        if (i->ops[k].kind == MIR_REG && i->ops[k].reg == r && i->ops[k].flags & flags) return true;
    return r < MIR_N_PHYS && i->clobbers >> r & 1;
}

enum { LOOK_AHEAD = 6 };

// The partner of `i` further down, if everything in between lets it move up to i.
static MirInsn *find_partner(MirInsn *i, i64 *low)
{
    MirInsn *j = i->next;
    for (u32 n = 0; j && n < LOOK_AHEAD; j = j->next) {
        if (j->flags & MIR_F_PROBE) continue;
        n++;
        if (j->flags & (MIR_F_CALL | MIR_F_TERM) || j->op == T_ASM) return NULL;
        if (may_pair(i, j, low)) {
            MirReg moved = j->ops[0].kind == MIR_REG ? j->ops[0].reg : MIR_NO_REG;
            for (MirInsn *k = i->next; k != j; k = k->next) {
                if (k->flags & MIR_F_PROBE) continue;
                if (moved != MIR_NO_REG && touches(k, moved, i->op == T_LDR ? MIR_DEF | MIR_USE : MIR_DEF)) return NULL;
                if (touches(k, j->ops[1].reg, MIR_DEF)) return NULL;
            }
            return j;
        }
        bool is_memory = j->flags & (MIR_F_LOAD | MIR_F_STORE) || j->op == T_DMB || j->op == T_LDCT;
        if (is_memory && (i->op == T_STR || j->flags & MIR_F_STORE || j->op != T_LDR)) return NULL;
    }
    return NULL;
}

// Probes have no say in what the code becomes: one that would see a register changed early loses it.
static void lose_probes(MirInsn *from, const MirInsn *to, MirReg changed)
{
    for (MirInsn *k = from; k != to; k = k->next)
        for (u32 n = 0; k->flags & MIR_F_PROBE && n < k->n_ops; n++)
            if (k->ops[n].kind == MIR_REG && k->ops[n].reg == changed) k->ops[n].kind = MIR_NONE;
}

static void pair_accesses(Emit *e, MirBlock *b)
{
    // clang for Morello leaves many capability pairs apart
    bool no_caps = e->is_c64 && e->fn->ir->module->profile == CC_LLVM_MORELLO;
    for (MirInsn *i = b->first; i; i = i->next) {
        i64 low;
        if (!is_plain_access(i) || (no_caps && (i->ops[0].aux & 0x7f) == IR_MCAP)) continue;
        MirInsn *j = find_partner(i, &low);
        if (!j) continue;
        if (j->op == T_LDR) lose_probes(i->next, j, j->ops[0].reg);
        MirInsn *p = mir_insn(e->fn, i->op == T_LDR ? T_LDP : T_STP, 4);
        bool i_first = i->ops[2].imm == low;
        p->ops[0] = i_first ? i->ops[0] : j->ops[0];
        p->ops[1] = i_first ? j->ops[0] : i->ops[0];
        p->ops[2] = i->ops[1];
        p->ops[3] = mir_imm(low);
        p->flags = i->flags;
        p->line = i->line;
        mir_insert_before(b, i, p);
        mir_remove(b, i);
        mir_remove(b, j);
        i = p;
    }
}

// ---- write-back: the step of a pointer done by a neighbouring access
//
//     add x1, x1, #1 ; ldrb w0, [x1]     →  ldrb w0, [x1, #1]!
//     ldr x0, [x1]   ; sub x1, x1, #8    →  ldr  x0, [x1], #-8     also with the step first and ldr x0, [x1, #8]

static bool is_step(const MirInsn *i, MirReg *r, i64 *by)
{
    if ((i->op != T_ADD && i->op != T_SUB) || i->ops[2].kind != MIR_IMM || i->ops[1].kind != MIR_REG) return false;
    if (i->ops[0].reg != i->ops[1].reg || i->ops[0].size < 8 || i->ops[0].reg == MIR_SP) return false;
    *r = i->ops[0].reg;
    *by = i->op == T_ADD ? i->ops[2].imm : -i->ops[2].imm;
    return true;
}

static bool may_write_back(const Emit *e, const MirInsn *i, MirReg r, i64 by)
{
    if ((i->op != T_LDR && i->op != T_STR) || i->flags & MIR_F_VOLATILE) return false;
    const MirOpnd *base = &i->ops[1];
    if (base->kind != MIR_REG || base->reg != r || base->size != e->t->ptr_bytes || i->ops[2].kind != MIR_IMM) return false;
    if (i->ops[0].kind == MIR_REG && i->ops[0].reg == r) return false;
    bool is_cap = (i->ops[0].aux & 0x7f) == IR_MCAP;
    return is_cap ? by % 16 == 0 && by >= -4096 && by < 4096 : by >= -256 && by < 256;
}

static void write_back(MirInsn *access, i64 by, bool is_pre)
{
    bool is_load = access->op == T_LDR;
    access->op = is_pre ? (is_load ? T_LDRPRE : T_STRPRE) : is_load ? T_LDRPOST : T_STRPOST;
    access->ops[1].flags = MIR_DEF | MIR_USE;
    access->ops[2] = mir_imm(by);
}

// The access or step that goes with i, if nothing in between names the register.
static MirInsn *find_other(const Emit *e, MirInsn *i, MirReg r, i64 by, bool is_access)
{
    MirInsn *j = i->next;
    for (u32 n = 0; j && n < LOOK_AHEAD; j = j->next) {
        if (j->flags & MIR_F_PROBE) continue;
        n++;
        MirReg other;
        i64 step;
        if (is_access && is_step(j, &other, &step) && other == r) {
            i64 at = i->ops[2].imm;
            return may_write_back(e, i, r, step) && (at == 0 || at == step) ? j : NULL;
        }
        if (!is_access && may_write_back(e, j, r, by) && (j->ops[2].imm == 0 || j->ops[2].imm == -by)) return j;
        if (j->flags & (MIR_F_CALL | MIR_F_TERM) || j->op == T_ASM || touches(j, r, MIR_DEF | MIR_USE)) return NULL;
    }
    return NULL;
}

static void fold_steps(Emit *e, MirBlock *b)
{
    for (MirInsn *i = b->first, *next; i; i = next) {
        MirReg r;
        i64 by;
        next = i->next;
        bool is_access = i->op == T_LDR || i->op == T_STR;
        if (is_access && i->ops[1].kind == MIR_REG && i->ops[1].reg != MIR_SP) {
            MirInsn *step = find_other(e, i, i->ops[1].reg, 0, true);
            if (!step || !is_step(step, &r, &by)) continue;
            lose_probes(i->next, step, r);
            if (next == step) next = step->next;
            write_back(i, by, i->ops[2].imm != 0);
            mir_remove(b, step);
        } else if (is_step(i, &r, &by)) {
            MirInsn *access = find_other(e, i, r, by, false);
            if (!access) continue;
            lose_probes(i->next, access, r);
            write_back(access, by, access->ops[2].imm == 0);
            mir_remove(b, i);
        }
    }
}

// ---- moves between registers that already hold the same value

typedef struct Copies {
    u8 of[MIR_N_PHYS]; // register that the value was copied from
    u64 known;         // bit r: of[r] is known
} Copies;

static void forget(Copies *c, u32 r)
{
    if (r >= MIR_N_PHYS) return;
    c->known &= ~(1ULL << r);
    for (u64 m = c->known; m; m &= m - 1) {
        u32 k = (u32)__builtin_ctzll(m);
        if (c->of[k] == r) c->known &= ~(1ULL << k);
    }
}

static bool is_copy(const Copies *c, u32 d, u32 s) { return c->known >> d & 1 && c->of[d] == s; }

static void drop_repeated_moves(MirBlock *b)
{
    Copies c = {.known = 0};
    for (MirInsn *i = b->first, *next; i; i = next) {
        next = i->next;
        if (i->flags & MIR_F_PROBE) continue;
        if (i->flags & MIR_F_MOVE) {
            u32 d = i->ops[0].reg, s = i->ops[1].reg;
            if (is_copy(&c, d, s) || is_copy(&c, s, d)) {
                mir_remove(b, i);
                continue;
            }
            forget(&c, d);
            c.of[d] = (u8)s;
            c.known |= 1ULL << d;
            continue;
        }
        for (u32 k = 0; k < i->n_ops; k++)
            if (i->ops[k].kind == MIR_REG && i->ops[k].flags & MIR_DEF) forget(&c, i->ops[k].reg);
        if (i->flags & MIR_F_CALL)
            c.known = 0; // nearly everything
        else
            for (u64 m = i->clobbers; m; m &= m - 1) forget(&c, (u32)__builtin_ctzll(m));
    }
}

// ---- branches

static MirOpnd *target_of(MirInsn *i)
{
    MirOpnd *o = i->n_ops ? &i->ops[i->n_ops - 1] : NULL;
    return o && o->kind == MIR_BLOCK && i->op != T_JTAB && i->op != T_LABEL ? o : NULL;
}

// The block that a jump to b really reaches.
static MirBlock *final_target(MirBlock *b)
{
    for (u32 n = 0; n < 8; n++) {
        MirInsn *i = b->first;
        while (i && i->flags & MIR_F_PROBE) i = i->next;
        if (!i || i->op != T_B || i->ops[0].block == b) break;
        b = i->ops[0].block;
    }
    return b;
}

static void thread_jumps(Emit *e)
{
    for (u32 n = 0; n < e->fn->n_blocks; n++)
        for (MirInsn *i = e->fn->blocks[n]->first; i; i = i->next) {
            if (!(i->flags & MIR_F_TERM)) continue;
            for (u32 k = 0; k < i->n_ops; k++)
                if (i->ops[k].kind == MIR_BLOCK) i->ops[k].block = final_target(i->ops[k].block);
        }
}

// Drops blocks that nothing reaches any more.
static void drop_unreached(Emit *e)
{
    MirFn *fn = e->fn;
    bool *reached = arena_array(fn->arena, bool, fn->n_blocks);
    MirBlock **work = arena_array(fn->arena, MirBlock *, fn->n_blocks);
    u32 n_work = 0;
    for (u32 n = 0; n < fn->n_blocks; n++) {
        MirBlock *b = fn->blocks[n];
        b->id = n;
        if (n == 0 || b->address_taken) {
            reached[n] = true;
            work[n_work++] = b;
        }
    }
    while (n_work) {
        MirBlock *b = work[--n_work];
        for (MirInsn *i = b->first; i; i = i->next)
            for (u32 k = 0; k < i->n_ops; k++) {
                MirBlock *to = i->ops[k].kind == MIR_BLOCK ? i->ops[k].block : NULL;
                if (!to || reached[to->id]) continue;
                reached[to->id] = true;
                work[n_work++] = to;
            }
    }
    u32 kept = 0;
    for (u32 n = 0; n < fn->n_blocks; n++)
        if (reached[n]) fn->blocks[kept++] = fn->blocks[n];
    fn->n_blocks = kept;
}

static bool invert(MirInsn *i)
{
    switch (i->op) {
    case T_BCOND: i->ops[0].imm = target_negate((TCond)i->ops[0].imm); return true;
    case T_CBZ: i->op = T_CBNZ; return true;
    case T_CBNZ: i->op = T_CBZ; return true;
    case T_TBZ: i->op = T_TBNZ; return true;
    case T_TBNZ: i->op = T_TBZ; return true;
    default: return false;
    }
}

static void fall_through(Emit *e)
{
    for (u32 n = 0; n < e->fn->n_blocks; n++) {
        MirBlock *b = e->fn->blocks[n], *next = n + 1 < e->fn->n_blocks ? e->fn->blocks[n + 1] : NULL;
        MirInsn *last = b->last;
        if (!last || last->op != T_B) continue;
        MirInsn *before = last->prev;
        MirOpnd *to = before && before->flags & MIR_F_TERM ? target_of(before) : NULL;
        if (to && to->block == last->ops[0].block) { // both ways lead there
            mir_remove(b, before);
            to = NULL;
        }
        if (last->ops[0].block == next) {
            mir_remove(b, last);
        } else if (to && to->block == next && invert(before)) {
            to->block = last->ops[0].block;
            mir_remove(b, last);
        }
    }
}

void peep_function(Emit *e)
{
    thread_jumps(e);
    drop_unreached(e);
    for (u32 n = 0; n < e->fn->n_blocks; n++) {
        drop_repeated_moves(e->fn->blocks[n]);
        pair_accesses(e, e->fn->blocks[n]);
        fold_steps(e, e->fn->blocks[n]);
    }
    fall_through(e);
}
