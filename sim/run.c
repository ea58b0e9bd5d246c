// run.c: the run loop, and every way from one block to the next that is not a followed link.
//
// Inside, operations call each other (tail) or return the next one (loop); both run under `while (op) op = op->fn(cpu, op)`, so a slow path
// may always just return where to go on. NULL leaves to cpu_run, with pc and icount right. cpu_run gives the blocks a slice
// of the budget; what is left when the next block is longer than that is run in blocks of one.
#include "sim/exception.h"
#include "sim/block.h"
#include "sim/fp.h"

enum { SLICE = 1 << 20 };

// What exec_enter does, for slow paths: the first operation, or NULL when the budget is too short.
static const Op *enter(Cpu *cpu, Block *b)
{
    cpu->budget -= b->n;
    if (cpu->budget < 0) return exec_no_budget(cpu, b);
    b->execs++;
    return b->op;
}

// To pc in the current context. A pending flush must come first: leave.
static const Op *go(Cpu *cpu, u64 pc, Block **found)
{
    cpu->pc = pc;
    if (cpu->is_flush_pending) {
        cpu->icount = cpu->icount_end - (u64)cpu->budget;
        return NULL;
    }
    Block *b = block_find(cpu, pc);
    if (found) *found = b;
    return enter(cpu, b);
}

const Op *exec_no_budget(Cpu *cpu, Block *b)
{
    cpu->budget += b->n;
    cpu->pc = b->pc;
    cpu->icount = cpu->icount_end - (u64)cpu->budget;
    return NULL;
}

// A branch out of PCC's bounds: the fetch there faults; far enough away, PCC has lost its tag.
static const Op *link_outside(Cpu *cpu, const Op *op, u64 to)
{
    Cap pcc = {.value = op_pc(op), .meta = cpu->context->meta, .tag = cpu->context->tag};
    pcc = cap_add(pcc, to - pcc.value);
    pcc.value = to;
    cpu_enter_context(cpu, pcc, cpu->mode & MODE_C64);
    return go(cpu, to, NULL);
}

const Op *exec_link(Cpu *cpu, const Op *op, u32 which)
{
    Block *b = block_of(op);
    u64 to = b->target[which];
    const CpuContext *c = cpu->context;
    if (UNLIKELY(to < c->base || to - c->base >= c->top - c->base)) return link_outside(cpu, op, to);
    return go(cpu, to, &b->link[which]);
}

u64 cpu_branch_address(const Cpu *cpu, u64 target)
{
    bool is_one_range = (cpu->mode & MODE_EL) > 1; // EL2 and EL3 have no high addresses
    return is_one_range && cpu->mode & MODE_TBI ? target & bits_mask(56) : cpu_strip(cpu, target);
}

const Op *exec_jump_x(Cpu *cpu, const Op *op, u64 target)
{
    Cap pcc = {.value = op_pc(op), .meta = cpu->context->meta, .tag = cpu->context->tag};
    u64 to = cpu_branch_address(cpu, target);
    pcc = cap_set_value(pcc, to);
    CpuContext *same = block_intern_context(cpu, pcc, cpu->mode);
    bool is_same = same == cpu->context;
    cpu->context = same;
    Block *b = NULL;
    const Op *next = go(cpu, to, &b);
    if (b && is_same && to == target) cpu->jump_cache[target >> 2 & (CPU_JUMP_CACHE - 1)] = b;
    return next;
}

Cap exec_branch_target(const Cpu *cpu, Cap target)
{
    Cap from = {.meta = cpu->context->meta};
    if ((cap_perms(from) & CAP_PERM_EXECUTIVE) && !(cap_perms(target) & CAP_PERM_EXECUTIVE)) target.tag = false;
    if (target.tag && cap_otype(target) == CAP_OTYPE_RB) target = cap_unseal(target);
    return target;
}

const Op *exec_jump_to(Cpu *cpu, Cap target, Block **found)
{
    return exec_jump_restricted(cpu, exec_branch_target(cpu, target), found);
}

const Op *exec_jump_restricted(Cpu *cpu, Cap target, Block **found)
{
    bool c64 = target.value & 1;
    if (cap_is_sealed(target)) target.tag = false;
    target.value = cpu_branch_address(cpu, target.value & ~1ULL);
    cpu_enter_context(cpu, target, c64);
    return go(cpu, target.value, found);
}

const Op *exec_jump_cap(Cpu *cpu, const Op *op, const Reg *target, CpuCapJump *cache)
{
    (void)op;
    Cap c = reg_to_cap(target);
    CpuContext *from = cpu->context;
    Block *b = NULL;
    const Op *next = exec_jump_to(cpu, c, &b);
    // An untagged target, or one with another mode or other bounds, always comes this way.
    if (b && c.tag && cpu->context == from && b->pc == c.value - 1) *cache = (CpuCapJump){c.meta, b};
    return next;
}

const Op *exec_call_cap(Cpu *cpu, const Op *op, const Reg *target, CpuCapJump *cache)
{
    Reg to = *target;
    cpu->r[30] = block_of(op)->lr;
    return exec_jump_cap(cpu, op, &to, cache);
}

// ---- the loop

void cpu_request_stop(Cpu *cpu) { cpu->is_stop_requested = true; }

// The block to run next, or NULL when it must wait for a larger budget (never: then one instruction).
static Block *next_block(Cpu *cpu)
{
    bool resumes = cpu->resume.pc == cpu->pc;
    bool skip_break = resumes && cpu->resume.skip_break;
    u32 skip_probes = resumes ? cpu->resume.n_probes : 0;
    cpu->resume.skip_break = false;
    cpu->resume.n_probes = 0;
    if (skip_break || skip_probes) return block_one(cpu, cpu->pc, skip_break, skip_probes);
    Block *b = block_find(cpu, cpu->pc);
    return cpu->budget >= b->n ? b : block_one(cpu, cpu->pc, false, 0);
}

static void run_slice(Cpu *cpu, u64 budget)
{
    cpu->budget = budget < SLICE ? (i64)budget : SLICE;
    cpu->icount_end = cpu->icount + (u64)cpu->budget;
    const Op *op = enter(cpu, next_block(cpu));
    while (op) op = op->fn(cpu, op);
}

static EvStop run(Cpu *cpu, u64 budget)
{
    // An exception of an instruction that did not retire counts as one, too: so a guest that does nothing else has an end.
    u64 end = cpu->icount + cpu->n_exceptions + (budget < 1ULL << 62 ? budget : 1ULL << 62);
    for (;;) {
        if (cpu->is_flush_pending) block_cache_flush(cpu);
        if (cpu->is_stop_requested) {
            cpu->is_stop_requested = false;
            return EV_STOP_REQUEST;
        }
        u64 done = cpu->icount + cpu->n_exceptions;
        if (done == end) return EV_STOP_BUDGET;
        run_slice(cpu, end - done);
        if (cpu->is_stopping) return cpu->stop;
    }
}

EvStop cpu_run(Cpu *cpu, u64 budget)
{
    CHECK(!cpu->is_running, "cpu_run inside itself");
    cpu->is_running = true;
    cpu->is_stopping = false;
    if (!cpu->fpcr == !!(cpu->mode & MODE_FP_SPECIAL)) cpu_set_fpcr(cpu, cpu->fpcr); // set from outside
    fp_forget();
    EvStop why = run(cpu, budget);
    fp_fold(cpu);
    cpu->is_running = false;
    if (budget == 1 && why == EV_STOP_BUDGET) { // a single step onto a breakpoint: going on must not stop there again
        cpu->resume.pc = cpu->pc;
        cpu->resume.skip_break = true;
    }
    if (cpu->is_flush_pending) block_cache_flush(cpu);
    return why;
}

// ---- leaving for a hook

const Op *exec_svc(Cpu *cpu, const Op *op)
{
    if (cpu->is_bare) {
        exec_sync(cpu, op, op->insn + 1u);
        u64 esr = (u64)EC_SVC << 26 | 1 << 25 | (op->imm & 0xffff);
        exc_take(cpu, &(Exception){.el = exc_default_level(cpu), .esr = esr, .back = cpu->pc});
        return NULL;
    }
    if (!cpu->hooks.on_svc) return exec_trap(cpu, op, EV_FAULT_UNIMPLEMENTED);
    exec_sync(cpu, op, op->insn + 1u);
    u64 behind = cpu->pc;
    fp_fold(cpu);
    CpuSvc answer = cpu->hooks.on_svc(cpu->hooks.ctx, cpu, (u32)op->imm);
    fp_forget();
    if (answer == CPU_SVC_DONE) return NULL;
    if (answer == CPU_SVC_RETRY && cpu->pc == behind) cpu->pc -= 4, cpu->icount--;
    cpu->is_stopping = true;
    return NULL;
}

const Op *exec_break_here(Cpu *cpu, const Op *op)
{
    exec_sync(cpu, op, op->insn);
    cpu->stop = EV_STOP_BREAKPOINT;
    cpu->is_stopping = true;
    cpu->resume.pc = cpu->pc;
    cpu->resume.skip_break = true;
    return NULL;
}

const Op *exec_probe(Cpu *cpu, const Op *op)
{
    const Block *b = block_of(op);
    cpu->icount = exec_icount(cpu, op);
    cpu->pc = b->pc + 4ULL * op->insn;
    if (!cpu->hooks.on_probe) return op + 1;
    fp_fold(cpu);
    bool stops = cpu->hooks.on_probe(cpu->hooks.ctx, cpu, op->ptr);
    fp_forget();
    if (!stops && !cpu->is_flush_pending) return op + 1;
    exec_sync(cpu, op, op->insn);
    cpu->resume.pc = cpu->pc;
    cpu->resume.skip_break = true;
    cpu->resume.n_probes = op->aux;
    if (stops) cpu->stop = EV_STOP_PROBE, cpu->is_stopping = true;
    return NULL;
}
