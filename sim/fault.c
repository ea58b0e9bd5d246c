// fault.c: how a body leaves its block in the middle: exact counts, and faults with their syndrome.
//
// At block entry the whole block is counted. Whoever leaves earlier calls exec_sync with the number of instructions that are
// really over; the rest is taken back.
#include "sim/exception.h"
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

// The syndrome of an access to a system register: its number, the general register and the direction, from the instruction. (In the
// capability forms the direction is another bit.)
static u64 sysreg_iss(u32 word, bool is_cap)
{
    u64 op0 = is_cap ? 2 | bits_get(word, 19, 19) : bits_get(word, 20, 19), is_read = bits_get(word, is_cap ? 20 : 21, is_cap ? 20 : 21);
    return op0 << 20 | bits_get(word, 7, 5) << 17 | bits_get(word, 18, 16) << 14 | bits_get(word, 15, 12) << 10 | bits_get(word, 4, 0) << 5 |
           bits_get(word, 11, 8) << 1 | is_read;
}

// Exception class and syndrome as a higher level would get them (Arm ARM ESR_ELx; Morello codes 0x28-0x2c).
static u64 make_esr(const EvFault *f)
{
    static const int codes[] = {
#define X(name, text, code) code,
        EV_FAULTS(X)
#undef X
    };
    u64 ec, iss = 0;
    switch (f->kind) {
    case EV_FAULT_PC_ALIGNMENT: ec = EC_PC_ALIGNMENT; break;
    case EV_FAULT_SP_ALIGNMENT: ec = EC_SP_ALIGNMENT; break;
    case EV_FAULT_BREAK: ec = EC_BRK, iss = f->insn >> 5 & 0xffff; break;
    case EV_FAULT_SYSTEM: ec = EC_SYSREG, iss = sysreg_iss(f->insn, false); break;
    case EV_FAULT_CAP_SYSTEM: ec = EC_CAP_SYSREG, iss = sysreg_iss(f->insn, true); break;
    case EV_FAULT_CAP_ACCESS: ec = EC_CAP; break;
    case EV_FAULT_FP_ACCESS: ec = EC_FP, iss = 0x1e00000; break; // no condition: CV, COND = AL
    case EV_FAULT_ILLEGAL: ec = EC_ILLEGAL; break;
    case EV_FAULT_SMC_TRAP: ec = EC_SMC, iss = f->insn >> 5 & 0xffff; break;
    case EV_FAULT_NONE: case EV_FAULT_UNDEFINED: case EV_FAULT_UNIMPLEMENTED: ec = EC_UNKNOWN; break;
    default: ec = f->is_fetch ? EC_FETCH : EC_DATA, iss = (f->is_maintenance ? 0x140 : (u64)f->is_write << 6) | (u64)codes[f->kind]; break;
    }
    return ec << 26 | 1 << 25 | iss;
}

static i8 register_number(const Cpu *cpu, const Reg *r)
{
    if (!r) return -1;
    if (r == &cpu->opened) r = cpu->opened_for;
    if (r >= cpu->r && r <= &cpu->sp) return (i8)(r - cpu->r);
    if (r == &cpu->ddc) return 32;
    if (r == &cpu->pcc_auth) return 33;
    return -1;
}

static void fill_fault(Cpu *cpu, const Op *op, EvFaultKind kind, u64 addr, u32 size, u32 access, const Reg *auth)
{
    Block *b = exec_sync(cpu, op, op->insn);
    EvFault *f = &cpu->fault;
    *f = (EvFault){.kind = kind, .pc = cpu->pc, .address = addr, .size_bytes = size, .insn = b->insn[op->insn].word};
    f->is_write = access == FAULT_WRITE;
    f->is_maintenance = access == FAULT_MAINTENANCE;
    f->reg = register_number(cpu, auth);
    if (auth) f->cap = reg_to_cap(auth);
    f->far = size || kind == EV_FAULT_PC_ALIGNMENT ? addr : 0;
}

// The fault is filled: an exception to `el` (0: where this level's go), or the end of the run.
static const Op *raise(Cpu *cpu, u32 el)
{
    EvFault *f = &cpu->fault;
    f->esr = make_esr(f);
    if (cpu->is_bare && f->kind != EV_FAULT_UNIMPLEMENTED) {
        bool has_far = f->size_bytes || f->kind == EV_FAULT_PC_ALIGNMENT;
        exc_take(cpu, &(Exception){.el = el ? el : exc_default_level(cpu), .esr = f->esr, .has_far = has_far, .far = f->far, .back = f->pc});
        cpu->n_exceptions++;
        return NULL;
    }
    cpu->stop = EV_STOP_FAULT;
    cpu->is_stopping = true;
    return NULL;
}

const Op *exec_fault(Cpu *cpu, const Op *op, EvFaultKind kind, u64 addr, u32 size, u32 access, const Reg *auth)
{
    fill_fault(cpu, op, kind, addr, size, access, auth);
    return raise(cpu, 0);
}

const Op *exec_trap_to(Cpu *cpu, const Op *op, EvFaultKind kind, u32 el)
{
    fill_fault(cpu, op, kind, 0, 0, FAULT_READ, NULL);
    return raise(cpu, el);
}
const Op *exec_trap(Cpu *cpu, const Op *op, EvFaultKind kind) { return exec_trap_to(cpu, op, kind, 0); }

const Op *exec_fetch_fault(Cpu *cpu, const Op *op)
{
    Block *b = block_of(op);
    const CpuContext *c = b->context;
    fill_fault(cpu, op, (EvFaultKind)op->imm, b->pc, 4, FAULT_READ, NULL);
    EvFault *f = &cpu->fault;
    f->is_fetch = true;
    f->insn = 0;
    if (f->kind != EV_FAULT_TRANSLATION && f->kind != EV_FAULT_PERMISSION) f->reg = 33;
    f->cap = (Cap){.value = b->pc, .meta = c->meta, .tag = c->tag};
    return raise(cpu, 0);
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
    exec_fault(cpu, op, EV_FAULT_SP_ALIGNMENT, base->value, 0, FAULT_READ, base);
    return true;
}
