// sroa.c: which local objects need no memory, and the scalar pieces they fall into.
//
//     struct {int a; char *p;} s = t;   →   two variables, if every access to s is of s.a, s.p or a copy of all of it
//
// A slot stays in memory if its address goes anywhere else, or if accesses overlap in other than equal ranges.
#include "cc/sroa.h"

#include <stdlib.h>

enum { MAX_PIECES = 24 };

bool ir_resolve_slot(const IrInsn *v, u32 *slot, i64 *off)
{
    i64 sum = 0, c;
    for (;;) {
        switch (v->op) {
        case IR_SLOT:
            *slot = v->slot;
            *off = sum + v->imm;
            return true;
        case IR_ADD: case IR_CADD:
            if (!ir_is_const(v->args[1], &c)) return false;
            sum = (i64)((u64)sum + (u64)c);
            v = v->args[0];
            break;
        case IR_CBOUNDSX: case IR_COPY: v = v->args[0]; break;
        default: return false;
        }
    }
}

SlotPiece *sroa_find(SlotInfo *s, i64 off, u32 bytes)
{
    for (u32 k = 0; k < s->n_pieces; k++)
        if (s->pieces[k].off == off && ir_mem_bytes((IrMem)s->pieces[k].mem) == bytes) return &s->pieces[k];
    return NULL;
}

static IrType mem_type(IrMem m)
{
    return m == IR_MCAP ? IR_CAP : m == IR_MF32 ? IR_F32 : m == IR_MF64 ? IR_F64 : m == IR_M64 ? IR_I64 : IR_I32;
}

// Adds the piece if it is new; false = it overlaps others in another way, or there are too many.
static bool add_piece(IrFn *fn, SlotInfo *s, i64 off, IrMem mem)
{
    i64 bytes = ir_mem_bytes(mem);
    for (u32 k = 0; k < s->n_pieces; k++) {
        SlotPiece *p = &s->pieces[k];
        i64 have = ir_mem_bytes((IrMem)p->mem);
        if (p->off == off && have == bytes) return true;
        if (off < p->off + have && p->off < off + bytes) return false;
    }
    if (s->n_pieces == MAX_PIECES) return false;
    if (s->n_pieces == s->cap_pieces) {
        s->cap_pieces = s->cap_pieces ? s->cap_pieces * 2 : 2;
        SlotPiece *bigger = arena_array(fn->arena, SlotPiece, s->cap_pieces);
        if (s->n_pieces) memcpy(bigger, s->pieces, s->n_pieces * sizeof *bigger);
        s->pieces = bigger;
    }
    s->pieces[s->n_pieces++] = (SlotPiece){.off = off, .mem = (u8)mem, .type = (u8)mem_type(mem)};
    return true;
}

// ---- what is done with each slot

static bool in_range(const IrFn *fn, u32 slot, i64 off, i64 bytes)
{
    return off >= 0 && bytes <= (i64)fn->slots[slot].size && off <= (i64)fn->slots[slot].size - bytes;
}

static void see_access(IrFn *fn, SlotInfo *s, u32 slot, i64 off, const IrInsn *i)
{
    IrMem mem = (IrMem)i->mem;
    off += i->imm;
    if (i->is_volatile || !in_range(fn, slot, off, ir_mem_bytes(mem)) || !add_piece(fn, s, off, mem)) {
        s->is_bad = true;
        return;
    }
    if (i->op == IR_LOAD) {
        SlotPiece *p = sroa_find(s, off, ir_mem_bytes(mem));
        if (p->is_loaded && p->is_signed != i->is_signed) p->is_mixed_sign = true;
        p->is_loaded = true;
        p->is_signed = i->is_signed;
    }
}

static void see_use(IrFn *fn, SlotInfo *info, const IrInsn *i, u32 arg)
{
    u32 slot;
    i64 off, c;
    if (!ir_resolve_slot(i->args[arg], &slot, &off)) return;
    SlotInfo *s = &info[slot];
    switch (i->op) {
    case IR_LOAD: see_access(fn, s, slot, off, i); return;
    case IR_STORE:
        if (arg == 1)
            s->is_bad = true;
        else
            see_access(fn, s, slot, off, i);
        return;
    case IR_MEMCPY:
        *(arg ? &s->is_copied_out : &s->is_copied_in) = true;
        if (i->is_volatile || !in_range(fn, slot, off, i->imm)) s->is_bad = true;
        return;
    case IR_MEMZERO:
        s->is_copied_in = true;
        if (!in_range(fn, slot, off, i->imm)) s->is_bad = true;
        return;
    case IR_ADD: case IR_CADD:
        if (arg == 0 && ir_is_const(i->args[1], &c)) return; // its own uses are seen
        break;
    case IR_CBOUNDSX: case IR_COPY: return;
    default: break;
    }
    s->is_bad = true;
}

// Pieces of `from` inside [off, off + bytes) also exist in `to`, moved by delta.
static bool share_pieces(IrFn *fn, SlotInfo *to, SlotInfo *from, i64 off, i64 bytes, i64 delta)
{
    bool changed = false;
    for (u32 k = 0; k < from->n_pieces; k++) {
        SlotPiece *p = &from->pieces[k];
        i64 size = ir_mem_bytes((IrMem)p->mem);
        if (p->off + size <= off || p->off >= off + bytes) continue;
        if (p->off < off || p->off + size > off + bytes) { // sticks out of the copy
            from->is_bad = true;
            return true;
        }
        u32 before = to->n_pieces;
        if (to->is_bad) continue;
        if (!add_piece(fn, to, p->off + delta, (IrMem)p->mem))
            to->is_bad = changed = true;
        else
            changed |= to->n_pieces != before;
    }
    return changed;
}

// align: of the copy that needs the gaps filled; only aligned memory can be moved as capabilities.
static void fill_gaps(IrFn *fn, SlotInfo *s, i64 off, i64 end, u32 align)
{
    bool is_cap = fn->module->ptr_type == IR_CAP && align >= 16;
    while (off < end && !s->is_bad) {
        i64 free_to = end;
        bool is_covered = false;
        for (u32 k = 0; k < s->n_pieces; k++) {
            SlotPiece *p = &s->pieces[k];
            i64 to = p->off + ir_mem_bytes((IrMem)p->mem);
            if (p->off <= off && off < to) off = to, is_covered = true;
            if (p->off > off && p->off < free_to) free_to = p->off;
        }
        if (is_covered) continue;
        static const u8 by_size[] = {IR_MCAP, IR_M64, IR_M32, IR_M16, IR_M8};
        for (u32 k = is_cap ? 0 : 1; k < ARRAY_LEN(by_size); k++) {
            i64 bytes = ir_mem_bytes((IrMem)by_size[k]);
            if (off % bytes || off + bytes > free_to) continue;
            if (!add_piece(fn, s, off, (IrMem)by_size[k])) s->is_bad = true;
            off += bytes;
            break;
        }
    }
}

typedef struct Copy {
    IrInsn *i; // MEMCPY or MEMZERO
    bool has_to, has_from;
    u32 to, from;
    i64 to_off, from_off;
} Copy;
typedef VEC(Copy) Copies;

static void share_all(IrFn *fn, SlotInfo *info, const Copies *copies)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 k = 0; k < copies->len; k++) {
            const Copy *c = &copies->at[k];
            if (c->has_to && c->has_from) {
                SlotInfo *to = &info[c->to], *from = &info[c->from];
                if (!from->is_bad) changed |= share_pieces(fn, to, from, c->from_off, c->i->imm, c->to_off - c->from_off);
                if (!to->is_bad) changed |= share_pieces(fn, from, to, c->to_off, c->i->imm, c->from_off - c->to_off);
            }
        }
    }
    SlotInfo none = {.is_bad = true};
    for (u32 k = 0; k < copies->len; k++) { // pieces that stick out of a copy with other memory
        const Copy *c = &copies->at[k];
        if (c->has_to) share_pieces(fn, &none, &info[c->to], c->to_off, c->i->imm, 0);
        if (c->has_from) share_pieces(fn, &none, &info[c->from], c->from_off, c->i->imm, 0);
    }
}

// ---- rewriting

static IrInsn *new_before(IrFn *fn, IrInsn *at, IrOp op, IrType type, u32 n_args)
{
    IrInsn *i = ir_insn_new(fn, op, type, n_args);
    i->line = at->line;
    ir_insert_before(at, i);
    return i;
}

static IrInsn *slot_base(IrFn *fn, IrInsn *at, u32 slot)
{
    IrInsn *i = new_before(fn, at, IR_SLOT, fn->module->ptr_type, 0);
    i->slot = slot;
    return i;
}

static void expand_copy(IrFn *fn, SlotInfo *info, const Copy *c)
{
    bool to_good = c->has_to && !info[c->to].is_bad, from_good = c->has_from && !info[c->from].is_bad;
    if (!to_good && !from_good) return;
    SlotInfo *s = to_good ? &info[c->to] : &info[c->from];
    i64 off = to_good ? c->to_off : c->from_off;
    IrInsn *to = c->has_to ? slot_base(fn, c->i, c->to) : c->i->args[0];
    IrInsn *from = c->i->op == IR_MEMZERO ? NULL : c->has_from ? slot_base(fn, c->i, c->from) : c->i->args[1];
    for (u32 k = 0; k < s->n_pieces; k++) {
        SlotPiece *p = &s->pieces[k];
        if (p->off < off || p->off >= off + c->i->imm) continue;
        IrInsn *v;
        if (from) {
            v = new_before(fn, c->i, IR_LOAD, (IrType)p->type, 1);
            v->args[0] = from;
            v->mem = p->mem;
            v->is_signed = p->is_signed;
            v->imm = p->off - off + (c->has_from ? c->from_off : 0);
        } else {
            v = new_before(fn, c->i, p->type == IR_F32 || p->type == IR_F64 ? IR_FCONST : IR_CONST, (IrType)p->type, 0);
        }
        IrInsn *st = new_before(fn, c->i, IR_STORE, IR_VOID, 2);
        st->args[0] = to;
        st->args[1] = v;
        st->mem = p->mem;
        st->is_signed = p->is_signed;
        st->is_extended = true;
        st->imm = p->off - off + (c->has_to ? c->to_off : 0);
    }
    ir_remove(c->i);
}

// Known slot and range: straight through the frame.
static void simplify_base(IrFn *fn, IrInsn *i)
{
    u32 slot;
    i64 off;
    if (i->args[0]->op == IR_SLOT && i->args[0]->imm == 0) return;
    if (!ir_resolve_slot(i->args[0], &slot, &off) || !in_range(fn, slot, off + i->imm, ir_mem_bytes((IrMem)i->mem))) return;
    IrInsn *base = slot_base(fn, i, slot);
    base->is_weak = i->is_weak;
    i->args[0] = base;
    i->imm += off;
}

static void collect(IrFn *fn, SlotInfo *info, Copies *copies)
{
    for (u32 n = 0; n < fn->n_blocks; n++) {
        for (IrInsn *i = fn->blocks[n]->first; i; i = i->next) {
            if (i->op == IR_LOAD || i->op == IR_STORE) simplify_base(fn, i);
            if (i->op == IR_PROBE || i->is_weak) continue;
            for (u32 k = 0; k < i->n_args; k++) see_use(fn, info, i, k);
            if (i->op != IR_MEMCPY && i->op != IR_MEMZERO) continue;
            Copy c = {.i = i};
            c.has_to = ir_resolve_slot(i->args[0], &c.to, &c.to_off);
            c.has_from = i->op == IR_MEMCPY && ir_resolve_slot(i->args[1], &c.from, &c.from_off);
            if (c.has_to || c.has_from) vec_push(copies, c);
        }
    }
}

static bool has_caps_in(const SlotInfo *s, i64 off, i64 bytes)
{
    for (u32 k = 0; k < s->n_pieces; k++)
        if (s->pieces[k].mem == IR_MCAP && s->pieces[k].off >= off && s->pieces[k].off < off + bytes) return true;
    return false;
}

// A copy of less aligned memory cannot be split into capability moves.
static void refuse_unaligned(SlotInfo *info, const Copies *copies)
{
    for (u32 k = 0; k < copies->len; k++) {
        const Copy *c = &copies->at[k];
        if (c->i->align >= 16) continue;
        bool is_bad = (c->has_to && has_caps_in(&info[c->to], c->to_off, c->i->imm)) ||
                      (c->has_from && has_caps_in(&info[c->from], c->from_off, c->i->imm));
        if (is_bad && c->has_to) info[c->to].is_bad = true;
        if (is_bad && c->has_from) info[c->from].is_bad = true;
    }
}

u32 sroa_split(IrFn *fn, SlotInfo *info)
{
    Copies copies = {0};
    collect(fn, info, &copies);
    share_all(fn, info, &copies);
    for (u32 k = 0; k < copies.len; k++) {
        const Copy *c = &copies.at[k];
        if (c->has_to && info[c->to].is_copied_in && info[c->to].is_copied_out)
            fill_gaps(fn, &info[c->to], c->to_off, c->to_off + c->i->imm, c->i->align);
        if (c->has_from && info[c->from].is_copied_in && info[c->from].is_copied_out)
            fill_gaps(fn, &info[c->from], c->from_off, c->from_off + c->i->imm, c->i->align);
    }
    share_all(fn, info, &copies);
    refuse_unaligned(info, &copies);
    for (u32 k = 0; k < copies.len; k++) expand_copy(fn, info, &copies.at[k]);
    vec_free(&copies);
    u32 n_vars = 0;
    for (u32 s = 0; s < fn->n_slots; s++)
        for (u32 k = 0; !info[s].is_bad && k < info[s].n_pieces; k++) info[s].pieces[k].var = n_vars++;
    return n_vars;
}
