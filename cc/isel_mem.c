// isel_mem.c: addresses, loads, stores, and copies of a known size.
//
// An address is two operands, base and offset: [register|slot, #imm], [register, register {extended, shifted}] or (hybrid)
// [page, #:lo12:symbol]. Any offset may be asked for; emission splits what the instruction cannot hold.
#include "cc/isel.h"

#include "base/bits.h"

static bool is_add(const IrInsn *v) { return v->op == IR_ADD || v->op == IR_CADD; }

// base + index, with the index shifted by the size of the access and extended from 32 bits for free.
static bool try_index(Isel *s, IrInsn *v, u32 bytes, MirOpnd out[2])
{
    i64 c;
    if (!is_add(v) || isel_const(v->args[1], &c)) return false;
    IrInsn *base = v->args[0], *index = v->args[1];
    u32 k;
    if (v->op == IR_ADD && isel_is_shl(base, &k) && !isel_is_shl(index, &k)) {
        base = v->args[1];
        index = v->args[0];
    }
    u32 amount = 0;
    if (isel_is_shl(index, &k) && k > 0 && 1ULL << k == bytes) {
        amount = k;
        index = index->args[0];
    }
    TMod mod = amount ? T_MOD_LSL : T_MOD_NONE;
    u8 size = 8;
    bool wide = index->op == IR_ZEXT32 && isel_is_zero_extended(index->args[0]);
    if ((index->op == IR_SEXT32 || (index->op == IR_ZEXT32 && !wide)) && index->args[0]->op != IR_LOAD) {
        mod = index->op == IR_SEXT32 ? T_MOD_SXTW : T_MOD_UXTW;
        index = index->args[0];
        size = 4;
    }
    out[0] = isel_use(s, base);
    out[1] = isel_mod(isel_use_size(s, index, size), mod, amount);
    return true;
}

static bool try_symbol(Isel *s, IrInsn *v, i64 imm, u32 bytes, MirOpnd out[2])
{
    if (v->op != IR_GADDR || s->is_c64 || !isel_once(v)) return false;
    IrSym *sym = v->sym;
    i64 add = v->imm + imm;
    if (sym->align < bytes || add % bytes || add < 0 || (u64)add >= (sym->size ? sym->size : 1)) return false;
    MirReg page = isel_new(s, IR_I64);
    isel_emit2(s, T_ADRP, mir_def(page, 8), mir_sym(sym, add))->flags = MIR_F_REMAT;
    out[0] = mir_use(page, 8);
    out[1] = mir_sym(sym, add);
    return true;
}

enum { MAX_FOLDED = 1 << 15 }; // larger offsets are cheaper in a register of their own

void isel_address(Isel *s, IrInsn *v, i64 imm, u32 bytes, MirOpnd out[2])
{
    i64 c;
    while (is_add(v) && isel_once(v) && isel_const(v->args[1], &c) && c > -MAX_FOLDED && c < MAX_FOLDED && imm + c > -MAX_FOLDED &&
           imm + c < MAX_FOLDED) {
        imm += c;
        v = v->args[0];
    }
    if (v->op == IR_SLOT && s->ir->slots[v->slot].align <= 16) {
        out[0] = mir_slot(v->slot, v->imm);
        out[1] = mir_imm(imm);
        return;
    }
    if (v->op == IR_INARG) {
        out[0] = (MirOpnd){.kind = MIR_INARG, .imm = v->imm};
        out[1] = mir_imm(imm);
        return;
    }
    if (try_symbol(s, v, imm, bytes, out)) return;
    if (imm == 0 && try_index(s, v, bytes, out)) return;
    out[0] = isel_use(s, v);
    out[1] = mir_imm(imm);
}

static MirInsn *emit_access(Isel *s, TOp op, MirOpnd value, IrMem mem, bool is_signed, const MirOpnd address[2])
{
    value.aux = (u8)(mem | (is_signed ? T_SIGNED : 0));
    MirInsn *i = isel_emit3(s, op, value, address[0], address[1]);
    i->flags = op == T_LDR ? MIR_F_LOAD : MIR_F_STORE;
    return i;
}

static void select_load(Isel *s, IrInsn *v)
{
    MirOpnd address[2];
    u32 bytes = ir_mem_bytes(v->mem);
    IrInsn *to = s->load_into[v->id] ? s->load_into[v->id] : v; // an extension of the value, done by the load
    bool is_signed = to == v ? v->is_signed : to->op != IR_ZEXT32 && to->op != IR_ZEXT16 && to->op != IR_ZEXT8;
    isel_address(s, v->args[0], v->imm, bytes, address);
    u8 size = isel_size(to);
    if (!is_signed && bytes <= 4 && !isel_is_fp(v->type)) size = 4;
    if (is_signed && bytes == size) is_signed = false;
    MirInsn *i = emit_access(s, T_LDR, mir_def(isel_reg(s, to), size), v->mem, is_signed, address);
    if (v->is_volatile) i->flags |= MIR_F_VOLATILE;
}

// Stores truncate, so an extension of at least their width is not needed.
static IrInsn *stored_value(IrInsn *x, u32 bytes)
{
    while (isel_once(x) && x->n_args == 1 &&
           (((x->op == IR_SEXT8 || x->op == IR_ZEXT8) && bytes == 1) || ((x->op == IR_SEXT16 || x->op == IR_ZEXT16) && bytes <= 2) ||
            ((x->op == IR_SEXT32 || x->op == IR_ZEXT32) && bytes <= 4)))
        x = x->args[0];
    return x;
}

static void select_store(Isel *s, IrInsn *v)
{
    MirOpnd address[2], value;
    u32 bytes = ir_mem_bytes(v->mem);
    IrMem mem = v->mem;
    IrInsn *x = mem <= IR_M64 ? stored_value(v->args[1], bytes) : v->args[1];
    isel_address(s, v->args[0], v->imm, bytes, address);
    if ((mem == IR_MF32 || mem == IR_MF64) && x->op == IR_FCONST && x->imm == 0) {
        mem = mem == IR_MF32 ? IR_M32 : IR_M64;
        value = mir_imm(0);
    } else {
        value = isel_use_or_zero(s, x, (u8)(bytes < 4 ? 4 : bytes));
    }
    MirInsn *i = emit_access(s, T_STR, value, mem, false, address);
    if (v->is_volatile) i->flags |= MIR_F_VOLATILE;
}

// ---- copies

static IrMem chunk_of(const Isel *s, u64 left, u32 align)
{
    if (s->is_c64 && left >= 16 && align >= 16) return IR_MCAP;
    return left >= 8 ? IR_M64 : left >= 4 ? IR_M32 : left >= 2 ? IR_M16 : IR_M8;
}

static MirOpnd offset_address(const MirOpnd *base, i64 imm, MirOpnd out[2])
{
    out[0] = base[0];
    out[1] = mir_imm(base[1].imm + imm);
    return out[0];
}

// Inline up to eight instructions of each kind; beyond that the library's loop is shorter.
static u64 inline_limit(const Isel *s, u32 align) { return s->is_c64 && align >= 16 ? 256 : 128; }

static void plain_address(Isel *s, IrInsn *v, MirOpnd out[2])
{
    bool is_slot = v->op == IR_SLOT && s->ir->slots[v->slot].align <= 16;
    if (is_slot || v->op == IR_INARG || (is_add(v) && v->args[1]->op == IR_CONST)) {
        isel_address(s, v, 0, 1, out);
        if (out[1].kind == MIR_IMM) return;
    }
    out[0] = isel_use(s, v);
    out[1] = mir_imm(0);
}

static void select_memcpy(Isel *s, IrInsn *v)
{
    u64 bytes = (u64)v->imm;
    if (bytes > inline_limit(s, v->align)) {
        isel_call_helper(s, "memcpy", 2, v->args, v->imm);
        return;
    }
    MirOpnd to[2], from[2], a[2];
    plain_address(s, v->args[0], to);
    plain_address(s, v->args[1], from);
    // Two chunks at a time: loads and stores pair up in the peephole.
    for (u64 done = 0; done < bytes;) {
        MirReg t[2];
        IrMem mem[2];
        u64 at[2];
        u32 n = 0;
        for (; n < 2 && done < bytes; n++) {
            mem[n] = chunk_of(s, bytes - done, v->align);
            at[n] = done;
            done += ir_mem_bytes(mem[n]);
            t[n] = isel_new(s, mem[n] == IR_MCAP ? IR_CAP : IR_I64);
            offset_address(from, (i64)at[n], a);
            emit_access(s, T_LDR, mir_def(t[n], (u8)(ir_mem_bytes(mem[n]) < 4 ? 4 : ir_mem_bytes(mem[n]))), mem[n], false, a);
        }
        for (u32 k = 0; k < n; k++) {
            offset_address(to, (i64)at[k], a);
            emit_access(s, T_STR, mir_use(t[k], (u8)(ir_mem_bytes(mem[k]) < 4 ? 4 : ir_mem_bytes(mem[k]))), mem[k], false, a);
        }
    }
}

static void select_memzero(Isel *s, IrInsn *v)
{
    u64 bytes = (u64)v->imm;
    if (bytes > inline_limit(s, v->align)) {
        isel_call_helper(s, "memset", 1, v->args, v->imm);
        return;
    }
    MirOpnd to[2], a[2];
    plain_address(s, v->args[0], to);
    for (u64 done = 0; done < bytes;) {
        IrMem mem = chunk_of(s, bytes - done, v->align);
        offset_address(to, (i64)done, a);
        emit_access(s, T_STR, mir_imm(0), mem, false, a);
        done += ir_mem_bytes(mem);
    }
}

// SP is 16-aligned; the address in a slot with more alignment is computed (frame.c leaves room for it).
static void select_slot(Isel *s, IrInsn *v)
{
    u8 ptr = (u8)s->t->ptr_bytes;
    u32 align = s->ir->slots[v->slot].align;
    MirReg d = isel_reg(s, v);
    if (align <= 16) {
        isel_emit2(s, T_LEA, mir_def(d, ptr), mir_slot(v->slot, v->imm))->flags = MIR_F_REMAT;
        return;
    }
    MirReg t = v->imm ? isel_new(s, s->module->ptr_type) : d;
    isel_emit3(s, T_LEAALIGN, mir_def(t, ptr), mir_slot(v->slot, 0), mir_imm(align))->flags = MIR_F_REMAT;
    if (!v->imm) return;
    MirReg offset = isel_new(s, IR_I64);
    isel_movi(s, offset, 8, v->imm);
    isel_emit3(s, T_ADD, mir_def(d, ptr), mir_use(t, ptr), mir_use(offset, 8));
}

bool isel_memory(Isel *s, IrInsn *v)
{
    u8 ptr = (u8)s->t->ptr_bytes;
    switch (v->op) {
    case IR_LOAD: select_load(s, v); return true;
    case IR_STORE: select_store(s, v); return true;
    case IR_MEMCPY: select_memcpy(s, v); return true;
    case IR_MEMZERO: select_memzero(s, v); return true;
    case IR_SLOT: select_slot(s, v); return true;
    case IR_INARG:
        isel_emit2(s, T_LEA, mir_def(isel_reg(s, v), ptr), (MirOpnd){.kind = MIR_INARG, .imm = v->imm})->flags = MIR_F_REMAT;
        return true;
    case IR_FENCE: isel_emit(s, T_DMB, 0); return true;
    default: return false;
    }
}
