// fault.c: how a body leaves its block in the middle: exact counts, and faults with their syndrome.
//
// At block entry the whole block is counted. Whoever leaves earlier calls exec_sync with the number of instructions that are
// really over; the rest is taken back.
#include "sim/exec.h"

Block *exec_sync(Cpu *cpu, const Op *op, u32 done)
{
    Block *b = block_of(op);
    for (u32 i = done; i < b->n; i++) {
        const BlockInsn *in = &b->insn[i];
        cpu->folded.loads -= in->loads;
        cpu->folded.stores -= in->stores;
        if (in->is_cap) cpu->folded.cap_loads -= in->loads, cpu->folded.cap_stores -= in->stores;
    }
    if (b->is_c64) cpu->folded.insns_c64 -= b->n - done;
    cpu->budget += b->n - done;
    cpu->icount = cpu->icount_end - (u64)cpu->budget;
    cpu->pc = b->pc + 4ULL * done;
    return b;
}

// Exception class and syndrome as EL1 would get them (Arm ARM ESR_ELx; Morello codes 0x28-0x2c).
static u64 make_esr(const EvFault *f)
{
    static const int codes[] = {
#define X(name, text, code) code,
        EV_FAULTS(X)
#undef X
    };
    u64 il = 1ULL << 25;
    switch (f->kind) {
    case EV_FAULT_PC_ALIGNMENT: return 0x22ULL << 26 | il;
    case EV_FAULT_SP_ALIGNMENT: return 0x26ULL << 26 | il;
    case EV_FAULT_BREAK: return 0x3cULL << 26 | il | (f->insn >> 5 & 0xffff);
    case EV_FAULT_SYSTEM: return 0x18ULL << 26 | il;
    case EV_FAULT_NONE: case EV_FAULT_UNDEFINED: case EV_FAULT_UNIMPLEMENTED: return il;
    default: break;
    }
    u64 ec = f->is_fetch ? 0x20 : 0x24;
    return ec << 26 | il | (u64)f->is_write << 6 | (u64)codes[f->kind];
}

static i8 register_number(const Cpu *cpu, const Reg *r)
{
    if (!r) return -1;
    if (r >= cpu->r && r <= &cpu->sp) return (i8)(r - cpu->r);
    if (r == &cpu->ddc) return 32;
    if (r == &cpu->pcc_auth) return 33;
    return -1;
}

const Op *exec_fault(Cpu *cpu, const Op *op, EvFaultKind kind, u64 addr, u32 size, bool is_write, const Reg *auth)
{
    Block *b = exec_sync(cpu, op, op->insn);
    EvFault *f = &cpu->fault;
    *f = (EvFault){.kind = kind, .pc = cpu->pc, .address = addr, .size_bytes = size, .is_write = is_write, .insn = b->insn[op->insn].word};
    f->reg = register_number(cpu, auth);
    if (auth) f->cap = reg_to_cap(auth);
    f->esr = make_esr(f);
    f->far = size || kind == EV_FAULT_PC_ALIGNMENT ? addr : 0;
    cpu->stop = EV_STOP_FAULT;
    cpu->is_stopping = true;
    return NULL;
}

const Op *exec_trap(Cpu *cpu, const Op *op, EvFaultKind kind)
{
    return exec_fault(cpu, op, kind, 0, 0, false, NULL);
}

const Op *exec_fetch_fault(Cpu *cpu, const Op *op)
{
    Block *b = block_of(op);
    const CpuContext *c = b->context;
    exec_fault(cpu, op, (EvFaultKind)op->imm, b->pc, 4, false, NULL);
    EvFault *f = &cpu->fault;
    f->is_fetch = true;
    f->insn = 0;
    if (f->kind != EV_FAULT_TRANSLATION && f->kind != EV_FAULT_PERMISSION) f->reg = 33;
    f->cap = (Cap){.value = b->pc, .meta = c->meta, .tag = c->tag};
    f->esr = make_esr(f);
    return NULL;
}

const Op *exec_leave_after(Cpu *cpu, const Op *op)
{
    exec_sync(cpu, op, op->insn + 1u);
    return NULL;
}

const Op *exec_next_slow(Cpu *cpu, const Op *op)
{
    return UNLIKELY(cpu->is_flush_pending) ? exec_leave_after(cpu, op) : op + 1;
}

bool exec_base_is_bad(Cpu *cpu, const Op *op, const Reg *base)
{
    exec_fault(cpu, op, EV_FAULT_SP_ALIGNMENT, base->value, 0, false, base);
    return true;
}
