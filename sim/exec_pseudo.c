// exec_pseudo.c: operations that are no instruction: the end of a block, refused fetches, breakpoints and probes.
#include "sim/account.h"
#include "isa/cap_inline.h"
#include "sim/block.h"

EXEC_BODY(END) { GOTO(1); }
EXEC_BODY(FETCH_FAULT) { return exec_fetch_fault(cpu, op); }
EXEC_BODY(UNDEFINED) { return exec_trap(cpu, op, EV_FAULT_UNDEFINED); }
EXEC_BODY(BREAK) { return exec_break_here(cpu, op); }
EXEC_BODY(PROBE) { return exec_probe(cpu, op); }

// vm_dispatch in place (not in a collection that an exception has left early): the opcode and the bytecode's address are in the slots n and m.
EXEC_BODY(DISPATCH)
{
    if (UNLIKELY(cpu->account->is_in_gc)) return exec_probe(cpu, op);
    acc_dispatch(cpu->account, exec_icount(cpu, op), RN->value, RM->value);
    NEXT;
}

// Every pointer that a C64 program loads and follows comes to decode_base, so here is reg_decode once more, in few steps, for everyday
// capabilities: unsealed, at a low address, exponent below 48.
//
// With exponent e the bounds lie in a window of 2^16 steps of 2^e that starts at R, 0x2000 below the base mantissa aligned to
// 0x2000: so the base is `step` = (b & 0x1fff) + 0x2000 over R, the address `above` over R, and the length is the difference of
// the mantissas, plus 0x4000 if the exponent is stored.
#define EVERYDAY_PERMS                                                                                       \
    ((u64)(CAP_PERM_LOAD | CAP_PERM_STORE | CAP_PERM_LOAD_CAP | CAP_PERM_STORE_CAP | CAP_PERM_STORE_LOCAL |  \
           CAP_PERM_MUTABLE_LOAD)                                                                            \
     << CAP_META_PERMS_LO)
enum { ALL_KINDS = REG_META | REG_TAG | REG_DECODED | REG_SMOOTH | REG_LOAD | REG_STORE | REG_LOAD_CAP | REG_STORE_CAP };

__attribute__((noinline)) static const Op *decode_other(Cpu *cpu, const Op *op)
{
    Reg *r = RN;
    u64 meta = r->meta;
    u32 stored = (u32)(meta >> CAP_META_FLAG_BIT & 1) - 1; // all ones: the exponent is stored
    u32 e = ((((u32)(meta >> 13) & 0x38) | ((u32)meta & 7)) ^ 0x3f) & stored, low = stored & 7;
    u64 b = (u32)meta & 0xffff & ~low, t = (u32)(meta >> CAP_META_LIMIT_LO) & ~low, step = (b & 0x1fff) + 0x2000;
    u64 len = ((t - b) & 0x3fff) + (stored & 0x4000), mid = r->value >> (e & 63), above = (u16)(mid - b + step);
    u64 base = (mid - above + step) << (e & 63), top = base + (len << (e & 63));
    if (UNLIKELY(e >= 48 || cap_inl_is_sealed(meta) || base >= top || (base | (top - 1) | r->value) >> 55)) {
        reg_decode(r);
        return op;
    }
    u32 p = cap_inl_perms(meta), load = p >> 17 & 1, store = p >> 16 & 1, kind = ALL_KINDS;
    if ((meta & EVERYDAY_PERMS) != EVERYDAY_PERMS)
        kind = REG_META | REG_TAG | REG_DECODED | REG_SMOOTH | load << 4 | store << 5 | (load & p >> 14 & p >> 6) << 6 |
               (store & p >> 13 & p >> 12) << 7;
    r->base = base;
    r->top = top;
    r->kind = (u8)kind;
    return op;
}

// Exponent 0 (objects of less than 16 KiB) with every load and store permission.
__attribute__((noinline)) const Op *ENGINE_NAME(decode_base)(Cpu *cpu, const Op *op)
{
    Reg *r = RN;
    u64 meta = r->meta, value = r->value, b = meta & 0xffff, step = (b & 0x1fff) + 0x2000;
    u64 len = ((meta >> CAP_META_LIMIT_LO) - b) & 0x3fff, above = (u16)(value - b + step);
    u64 base = value - above + step, top = base + len;
    const u64 want = 1ULL << CAP_META_FLAG_BIT | EVERYDAY_PERMS, mask = want | CAP_META_OTYPE_MASK;
    if (UNLIKELY((meta & mask) != want || !len || (base | (top - 1) | value) >> 55)) return decode_other(cpu, op);
    r->base = base;
    r->top = top;
    r->kind = ALL_KINDS;
#ifdef ENGINE_TAIL
    return op->fn(cpu, op);
#else
    return op;
#endif
}

EXEC_PLAIN(END, 0)
EXEC_PLAIN(FETCH_FAULT, 0)
EXEC_PLAIN(UNDEFINED, 0)
EXEC_PLAIN(BREAK, 0)
EXEC_PLAIN(PROBE, 0)
EXEC_PLAIN(DISPATCH, 0)

ExecFn *const ENGINE_PSEUDO[] = {
    [PSEUDO_END] = ex_END_0,
    [PSEUDO_FETCH_FAULT] = ex_FETCH_FAULT_0,
    [PSEUDO_UNDEFINED] = ex_UNDEFINED_0,
    [PSEUDO_BREAK] = ex_BREAK_0,
    [PSEUDO_PROBE] = ex_PROBE_0,
    [PSEUDO_DISPATCH] = ex_DISPATCH_0,
};
