// exec_pseudo.c: operations that are no instruction: the end of a block, refused fetches, breakpoints and probes.
#include "sim/account.h"
#include "isa/cap_inline.h"
#include "sim/block.h"

EXEC_BODY(END) { GOTO(1); }
EXEC_BODY(FETCH_FAULT) { return exec_fetch_fault(cpu, op); }
EXEC_BODY(UNDEFINED) { return exec_trap(cpu, op, EV_FAULT_UNDEFINED); }
// imm: the fault; aux: the level it goes to.
EXEC_BODY(TRAP) { return exec_trap_to(cpu, op, (EvFaultKind)op->imm, op->aux); }
EXEC_BODY(BREAK) { return exec_break_here(cpu, op); }
EXEC_BODY(PROBE) { return exec_probe(cpu, op); }

// Behind an instruction that may have misaligned CSP.
EXEC_BODY(SP_WRITTEN)
{
    cpu_check_sp(cpu);
    NEXT;
}

// vm_dispatch in place (not in a collection that an exception has left early): the opcode and the bytecode's address are in the slots n and m.
EXEC_BODY(DISPATCH)
{
    if (UNLIKELY(cpu->account->is_in_gc)) return exec_probe(cpu, op);
    acc_dispatch(cpu->account, exec_icount(cpu, op), RN->value, RM->value);
    NEXT;
}

// Every pointer that a C64 program loads and follows comes to decode_base (unless the load has done it: see decode_at_load in block.c).
COLD static const Op *decode_rare(Cpu *cpu, const Op *op)
{
    cpu_decode(cpu, RN);
    return op;
}

// The exponent is stored.
__attribute__((noinline)) static const Op *decode_large(Cpu *cpu, const Op *op)
{
    Reg *r = RN;
    u64 meta = r->meta, value = r->value;
    u32 e = (((u32)(meta >> 13) & 0x38) | ((u32)meta & 7)) ^ 0x3f;
    if (UNLIKELY((u16)(meta >> CAP_META_FLAG_BIT) || e >= 48 || r == &cpu->sp)) return decode_rare(cpu, op);
    u64 b = meta & 0xfff8, mid = value >> e, step = (b & 0x1fff) + 0x2000, from = mid - (u16)(mid - b + step) + step;
    u64 len = (((meta >> CAP_META_LIMIT_LO & ~7ULL) - b) & 0x3fff) + 0x4000, base = from << e, top = (from + len) << e;
    if (UNLIKELY(base >= top || (base | (top - 1) | value) >> 55)) return decode_rare(cpu, op);
    r->base = base;
    r->top = top;
    r->kind = cpu->smooth_kind[meta >> CPU_SMOOTH_SHIFT];
#ifdef ENGINE_TAIL
    return op->fn(cpu, op);
#else
    return op;
#endif
}

__attribute__((noinline)) const Op *ENGINE_NAME(decode_base)(Cpu *cpu, const Op *op)
{
    Reg *r = RN;
    if (UNLIKELY(r == &cpu->sp)) return decode_rare(cpu, op);
    if (UNLIKELY(!reg_decode_small(cpu, r, r->value, r->meta))) return decode_large(cpu, op);
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
EXEC_PLAIN(SP_WRITTEN, 0)
EXEC_PLAIN(TRAP, 0)

ExecFn *const ENGINE_PSEUDO[] = {
    [PSEUDO_END] = ex_END_0,
    [PSEUDO_FETCH_FAULT] = ex_FETCH_FAULT_0,
    [PSEUDO_UNDEFINED] = ex_UNDEFINED_0,
    [PSEUDO_BREAK] = ex_BREAK_0,
    [PSEUDO_PROBE] = ex_PROBE_0,
    [PSEUDO_DISPATCH] = ex_DISPATCH_0,
    [PSEUDO_SP_WRITTEN] = ex_SP_WRITTEN_0,
    [PSEUDO_TRAP] = ex_TRAP_0,
};
