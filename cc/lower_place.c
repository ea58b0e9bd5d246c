// lower_place.c: places: where an object is, how it is read, written, copied, zeroed and pointed to.
//
// An access to a local goes straight through the frame (SLOT + offset, known to be in range); only when its address
// becomes a pointer does purecap narrow the bounds to the object (CBOUNDSX).
#include "cc/lower.h"

#include "isa/cap.h"

enum { INLINE_COPY_BYTES = 128 }; // larger copies call memcpy

Place lower_place_of(Lower *l, IrInsn *pointer)
{
    (void)l;
    return (Place){.base = pointer};
}

Place lower_slot_place(Lower *l, u32 slot, u64 obj_bytes)
{
    return (Place){.base = lower_slot_addr(l, slot, 0), .obj_bytes = l->m->abi == CC_PURECAP ? obj_bytes : 0};
}

static Place variable(Lower *l, Node *n)
{
    Obj *v = n->var;
    if (v->kind == OBJ_FUNC || v->kind == OBJ_GLOBAL)
        return (Place){.base = lower_global_addr(l, lower_sym(l, v), 0)};
    CHECK(v->ir, "'%s' has no slot", v->name);
    return lower_slot_place(l, v->ir - 1, v->type->size);
}

Place lower_place(Lower *l, Node *n)
{
    Place p;
    lower_at(l, n->loc);
    switch (n->kind) {
    case ND_VAR: p = variable(l, n); break;
    case ND_DEREF: p = lower_place_of(l, lower_expr(l, n->lhs)); break;
    case ND_MEMBER:
        p = lower_place(l, n->lhs);
        p.off += (i64)n->member->offset;
        if (n->member->is_bitfield) p.bitfield = n->member;
        break;
    case ND_COMMA:
        lower_expr(l, n->lhs);
        p = lower_place(l, n->rhs);
        break;
    default: p = lower_record(l, n); // member of a struct value
    }
    if (n->type && n->type->is_volatile) p.is_volatile = true;
    return p;
}

IrInsn *lower_add_bytes(Lower *l, IrInsn *pointer, IrInsn *bytes)
{
    return lower_op2(l, pointer->type == IR_CAP ? IR_CADD : IR_ADD, (IrType)pointer->type, pointer, bytes);
}

IrInsn *lower_add_const(Lower *l, IrInsn *pointer, i64 bytes)
{
    if (!bytes) return pointer;
    if (pointer->op == IR_SLOT) return lower_slot_addr(l, pointer->slot, pointer->imm + bytes);
    return lower_add_bytes(l, pointer, lower_const(l, IR_I64, bytes));
}

IrInsn *lower_raw_addr(Lower *l, Place p) { return lower_add_const(l, p.base, p.off); }

IrInsn *lower_pointer(Lower *l, Place p)
{
    IrInsn *base = p.base;
    if (p.obj_bytes) base = lower_op2(l, IR_CBOUNDSX, IR_CAP, base, lower_const(l, IR_I64, (i64)cap_representable_length(p.obj_bytes)));
    if (base->op == IR_SLOT && l->m->abi == CC_PURECAP) { // an object without bytes
        CHECK(!p.obj_bytes, "unbounded local");
        base = lower_op2(l, IR_CBOUNDSX, IR_CAP, base, lower_const(l, IR_I64, 0));
    }
    return lower_add_const(l, base, p.off);
}

IrInsn *lower_load_raw(Lower *l, Place p, i64 off, IrMem mem, IrType type, bool is_signed)
{
    IrInsn *i = lower_op1(l, IR_LOAD, type, p.base);
    i->imm = p.off + off;
    i->mem = (u8)mem;
    i->is_signed = is_signed;
    i->is_volatile = p.is_volatile;
    return i;
}

void lower_store_raw(Lower *l, Place p, i64 off, IrMem mem, IrInsn *v)
{
    IrInsn *i = lower_op2(l, IR_STORE, IR_VOID, p.base, v);
    i->imm = p.off + off;
    i->mem = (u8)mem;
    i->is_volatile = p.is_volatile;
}

// ---- bit-fields: load the container, shift the field to the top and back down

static IrInsn *load_bitfield(Lower *l, Place p, const Type *t)
{
    const Member *m = p.bitfield;
    IrType type = t->size == 8 ? IR_I64 : IR_I32;
    u32 bits = type == IR_I64 ? 64 : 32;
    IrInsn *v = lower_load_raw(l, p, 0, lower_mem(m->type), type, false);
    v = lower_op2(l, IR_SHL, type, v, lower_const(l, type, bits - m->bit_width - m->bit_off));
    return lower_op2(l, type_is_signed(m->type) ? IR_ASHR : IR_LSHR, type, v, lower_const(l, type, bits - m->bit_width));
}

static void store_bitfield(Lower *l, Place p, IrInsn *v)
{
    const Member *m = p.bitfield;
    IrType type = m->type->size == 8 ? IR_I64 : IR_I32;
    u64 mask = (m->bit_width == 64 ? ~0ull : (1ull << m->bit_width) - 1) << m->bit_off;
    IrMem mem = lower_mem(m->type);
    IrInsn *old = lower_load_raw(l, p, 0, mem, type, false);
    old = lower_op2(l, IR_AND, type, old, lower_const(l, type, (i64)~mask));
    v = lower_op2(l, IR_SHL, type, v, lower_const(l, type, m->bit_off));
    v = lower_op2(l, IR_AND, type, v, lower_const(l, type, (i64)mask));
    lower_store_raw(l, p, 0, mem, lower_op2(l, IR_OR, type, old, v));
}

// ---- whole objects

IrInsn *lower_load(Lower *l, Place p, const Type *t)
{
    if (p.bitfield) return load_bitfield(l, p, t);
    return lower_load_raw(l, p, 0, lower_mem(t), lower_type(l, t), type_is_signed(t));
}

void lower_store(Lower *l, Place p, const Type *t, IrInsn *v)
{
    if (p.bitfield) {
        store_bitfield(l, p, v);
        return;
    }
    lower_store_raw(l, p, 0, lower_mem(t), v);
    l->block->last->is_signed = type_is_signed(t);
    l->block->last->is_extended = true;
}

void lower_copy(Lower *l, Place to, Place from, const Type *t)
{
    if (!t->size) return;
    if (t->size > INLINE_COPY_BYTES) {
        IrInsn *args[] = {lower_pointer(l, to), lower_pointer(l, from), lower_const(l, IR_I64, (i64)t->size)};
        lower_runtime_call(l, "memcpy", NULL, 3, args);
        return;
    }
    IrInsn *i = lower_op2(l, IR_MEMCPY, IR_VOID, lower_raw_addr(l, to), lower_raw_addr(l, from));
    i->imm = (i64)t->size;
    i->align = t->align;
    i->is_volatile = to.is_volatile || from.is_volatile;
}

void lower_zero(Lower *l, Place p, u64 bytes, u32 align)
{
    if (!bytes) return;
    if (bytes > INLINE_COPY_BYTES) {
        IrInsn *args[] = {lower_pointer(l, p), lower_const(l, IR_I32, 0), lower_const(l, IR_I64, (i64)bytes)};
        lower_runtime_call(l, "memset", NULL, 3, args);
        return;
    }
    IrInsn *i = lower_op1(l, IR_MEMZERO, IR_VOID, lower_raw_addr(l, p));
    i->imm = (i64)bytes;
    i->align = align;
}
