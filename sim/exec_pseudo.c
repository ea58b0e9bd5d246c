// exec_pseudo.c: operations that are no instruction: the end of a block, refused fetches, breakpoints and probes.
#include "sim/account.h"
#include "isa/cap_inline.h"
#include "sim/block.h"

EXEC_BODY(END) { GOTO(1); }
EXEC_BODY(FETCH_FAULT) { return exec_fetch_fault(cpu, op); }
EXEC_BODY(UNDEFINED) { return exec_fault(cpu, op, EV_FAULT_UNDEFINED, 0, 0, false, NULL); }
EXEC_BODY(UNIMPLEMENTED) { return exec_fault(cpu, op, EV_FAULT_UNIMPLEMENTED, 0, 0, false, NULL); }
EXEC_BODY(BREAK) { return exec_break_here(cpu, op); }
EXEC_BODY(PROBE) { return exec_probe(cpu, op); }

// vm_dispatch in place (not in a collection that an exception has left early): the opcode and the bytecode's address are in the slots n and m.
EXEC_BODY(DISPATCH)
{
    if (UNLIKELY(cpu->account->is_in_gc)) return exec_probe(cpu, op);
    acc_dispatch(cpu->account, exec_icount(cpu, op), RN->value, RM->value);
    NEXT;
}

// reg_decode for the kind REG_META | REG_TAG, without a call: every pointer that a C64 program loads and follows comes here.
static ALWAYS_INLINE void reg_decode_loaded(Reg *r)
{
    u64 meta = r->meta;
    u32 p = cap_inl_perms(meta), kind = REG_META | REG_TAG | REG_DECODED;
    CapBounds b = cap_inl_bounds(meta, r->value);
    u64 top = b.top_hi ? ~0ULL : b.top_lo;
    r->base = b.base;
    r->top = top;
    bool is_smooth = !cap_inl_is_sealed(meta) && b.is_valid && b.base < top &&
                     (b.base >> 55 == (top - 1) >> 55 || !cap_inl_uses_value(b.exponent));
    if (LIKELY(is_smooth)) {
        u32 load = p >> 17 & 1, store = p >> 16 & 1;
        kind |= REG_SMOOTH | load << 4 | store << 5 | (load & p >> 14 & p >> 6) << 6 | (store & p >> 13 & p >> 12) << 7;
    }
    r->kind = (u8)kind;
}

__attribute__((noinline)) const Op *ENGINE_NAME(decode_base)(Cpu *cpu, const Op *op)
{
    reg_decode_loaded(RN);
#ifdef ENGINE_TAIL
    return op->fn(cpu, op);
#else
    return op;
#endif
}

EXEC_PLAIN(END, 0)
EXEC_PLAIN(FETCH_FAULT, 0)
EXEC_PLAIN(UNDEFINED, 0)
EXEC_PLAIN(UNIMPLEMENTED, 0)
EXEC_PLAIN(BREAK, 0)
EXEC_PLAIN(PROBE, 0)
EXEC_PLAIN(DISPATCH, 0)

ExecFn *const ENGINE_PSEUDO[] = {
    [PSEUDO_END] = ex_END_0,
    [PSEUDO_FETCH_FAULT] = ex_FETCH_FAULT_0,
    [PSEUDO_UNDEFINED] = ex_UNDEFINED_0,
    [PSEUDO_UNIMPLEMENTED] = ex_UNIMPLEMENTED_0,
    [PSEUDO_BREAK] = ex_BREAK_0,
    [PSEUDO_PROBE] = ex_PROBE_0,
    [PSEUDO_DISPATCH] = ex_DISPATCH_0,
};
