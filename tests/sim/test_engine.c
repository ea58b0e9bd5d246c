// The engine's promises: exact budgets and counts, faults with the state of before, chaining, self-modifying code,
// breakpoints and probes, in both dispatchers.
#include "isa/isa.h"
#include "sim/cpu.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

enum { CODE = 0x10000, DATA = 0x20000, STACK = 0x30000 };

typedef struct Rig {
    Mem *mem;
    Cpu *cpu;
    u64 next;
} Rig;

static Rig make(CpuEngine engine)
{
    Rig r = {.mem = mem_new(1 << 20), .next = CODE};
    mem_map(r.mem, CODE, 0x2000, MEM_READ | MEM_WRITE | MEM_EXEC | MEM_TAGS);
    mem_map(r.mem, DATA, 0x2000, MEM_READ | MEM_WRITE | MEM_TAGS);
    mem_map(r.mem, STACK, 0x1000, MEM_READ | MEM_WRITE | MEM_TAGS);
    r.cpu = cpu_new(r.mem, engine);
    cpu_jump(r.cpu, (Cap){.value = CODE, .meta = CAP_ALMIGHTY.meta, .tag = true}, false);
    return r;
}
static void unmake(Rig *r)
{
    cpu_free(r->cpu);
    mem_free(r->mem);
}
static void emit(Rig *r, u32 word)
{
    mem_write(r->mem, r->next, &word, 4);
    r->next += 4;
}
static u64 pc_of(const Rig *r) { return cpu_get_cap(r->cpu, CPU_PCC).value; }

#define BOTH for (CpuEngine e = CPU_ENGINE_TAIL; e <= CPU_ENGINE_LOOP; e++)
#define W(ROW, ...) emit(&r, ISA_WORD(ROW, __VA_ARGS__))

// x0 counts down from x0 in a loop of 4 instructions with a store and a load.
static void emit_loop(Rig *rig)
{
    Rig r = *rig;
    W(STR_UI, .sf = 1, .Rt = 0, .Rn = 1);
    W(LDR_UI, .sf = 1, .Rt = 2, .Rn = 1);
    W(SUBS_I, .sf = 1, .Rd = 0, .Rn = 2, .imm12 = 1);
    W(B_COND, .cond = 1, .imm19 = (u32)-3 & 0x7ffff);
    W(B, .imm26 = 0); // for ever
    *rig = r;
}

Test(sim_engine, budget_is_exact_at_every_instruction)
{
    BOTH {
        for (u64 budget = 0; budget < 40; budget++) {
            Rig r = make(e);
            emit_loop(&r);
            cpu_set_x(r.cpu, 0, 5);
            cpu_set_x(r.cpu, 1, DATA);
            cr_expect(cpu_run(r.cpu, budget) == EV_STOP_BUDGET);
            cr_expect(eq(u64, r.cpu->icount, budget));
            u64 in_loop = budget < 20 ? budget : 20;
            u64 pc = budget < 20 ? CODE + 4 * (budget % 4) : CODE + 16;
            cr_expect(eq(u64, pc_of(&r), pc), "budget %d", (int)budget);
            CpuCounts c = cpu_counts(r.cpu);
            cr_expect(eq(u64, c.stores, (in_loop + 3) / 4), "budget %d", (int)budget);
            cr_expect(eq(u64, c.loads, (in_loop + 2) / 4), "budget %d", (int)budget);
            unmake(&r);
        }
    }
}

Test(sim_engine, pieces_add_up)
{
    BOTH {
        Rig r = make(e);
        emit_loop(&r);
        cpu_set_x(r.cpu, 0, 1000);
        cpu_set_x(r.cpu, 1, DATA);
        for (u32 i = 0; i < 100; i++) cpu_run(r.cpu, 1 + i % 7);
        u64 so_far = r.cpu->icount;
        cpu_run(r.cpu, 4000 - so_far);
        cr_expect(eq(u64, r.cpu->icount, 4000));
        cr_expect(eq(u64, cpu_get_x(r.cpu, 0), 0));
        CpuCounts c = cpu_counts(r.cpu);
        cr_expect(eq(u64, c.loads, 1000));
        cr_expect(eq(u64, c.stores, 1000));
        unmake(&r);
    }
}

Test(sim_engine, fault_leaves_the_state_before)
{
    BOTH {
        Rig r = make(e);
        W(ADD_I, .sf = 1, .Rd = 3, .Rn = 3, .imm12 = 1);
        W(LDR_POST, .sf = 1, .Rt = 2, .Rn = 1, .imm9 = 8);
        W(ADD_I, .sf = 1, .Rd = 3, .Rn = 3, .imm12 = 1);
        cpu_set_x(r.cpu, 1, 0x900000);
        cr_expect(cpu_run(r.cpu, 100) == EV_STOP_FAULT);
        const EvFault *f = &r.cpu->fault;
        cr_expect(f->kind == EV_FAULT_TRANSLATION);
        cr_expect(eq(u64, f->pc, CODE + 4));
        cr_expect(eq(u64, pc_of(&r), CODE + 4));
        cr_expect(eq(u64, f->address, 0x900000));
        cr_expect(eq(u32, f->size_bytes, 8));
        cr_expect(eq(u64, f->esr, 0x24ULL << 26 | 1ULL << 25 | 7));
        cr_expect(eq(u64, cpu_get_x(r.cpu, 1), 0x900000));
        cr_expect(eq(u64, cpu_get_x(r.cpu, 3), 1));
        cr_expect(eq(u64, r.cpu->icount, 1));
        cr_expect(eq(u64, cpu_counts(r.cpu).loads, 0));
        unmake(&r);
    }
}

Test(sim_engine, runaway_faults_on_the_fetch)
{
    BOTH {
        Rig r = make(e);
        W(BR, .Rn = 1);
        cpu_set_x(r.cpu, 1, 0x5000000);
        cr_expect(cpu_run(r.cpu, 1) == EV_STOP_BUDGET);
        cr_expect(cpu_run(r.cpu, 10) == EV_STOP_FAULT);
        cr_expect(r.cpu->fault.kind == EV_FAULT_TRANSLATION);
        cr_expect(r.cpu->fault.is_fetch);
        cr_expect(eq(u64, r.cpu->fault.pc, 0x5000000));
        cr_expect(eq(u64, r.cpu->icount, 1));
        unmake(&r);
    }
}

Test(sim_engine, code_that_overwrites_itself_stops_after_the_store)
{
    BOTH {
        Rig r = make(e);
        W(STR_UI, .sf = 0, .Rt = 2, .Rn = 1);            // overwrites the next word
        W(ADD_I, .sf = 1, .Rd = 3, .Rn = 3, .imm12 = 1); // becomes movz x3, #77
        W(B, .imm26 = 0);
        cpu_set_x(r.cpu, 1, CODE + 4);
        cpu_set_x(r.cpu, 2, ISA_WORD(MOVZ, .sf = 1, .Rd = 3, .imm16 = 77));
        cpu_run(r.cpu, 10);
        cr_expect(eq(u64, cpu_get_x(r.cpu, 3), 77));
        cr_expect(eq(u64, r.cpu->icount, 10));
        cr_expect(eq(u64, cpu_counts(r.cpu).stores, 1));
        unmake(&r);
    }
}

Test(sim_engine, outside_write_kills_blocks)
{
    BOTH {
        Rig r = make(e);
        W(ADD_I, .sf = 1, .Rd = 3, .Rn = 3, .imm12 = 1);
        W(B, .imm26 = (u32)-1 & 0x3ffffff);
        cpu_run(r.cpu, 10);
        u32 word = ISA_WORD(ADD_I, .sf = 1, .Rd = 3, .Rn = 3, .imm12 = 100);
        mem_write(r.mem, CODE, &word, 4);
        cpu_run(r.cpu, 10);
        cr_expect(eq(u64, cpu_get_x(r.cpu, 3), 505));
        unmake(&r);
    }
}

Test(sim_engine, breakpoint_stops_before_and_goes_on)
{
    BOTH {
        Rig r = make(e);
        emit_loop(&r);
        cpu_set_x(r.cpu, 0, 3);
        cpu_set_x(r.cpu, 1, DATA);
        cpu_break_add(r.cpu, CODE + 8);
        for (u32 i = 0; i < 3; i++) {
            cr_expect(cpu_run(r.cpu, 1000) == EV_STOP_BREAKPOINT);
            cr_expect(eq(u64, pc_of(&r), CODE + 8));
            cr_expect(eq(u64, r.cpu->icount, 2 + 4 * i));
        }
        cpu_break_remove(r.cpu, CODE + 8);
        cr_expect(cpu_run(r.cpu, 1000) == EV_STOP_BUDGET);
        unmake(&r);
    }
}

typedef struct Seen {
    u32 n;
    u64 icount[8], pc[8], value[8];
    u32 stop_at; // return true at this one (from 1)
} Seen;
static bool on_probe(void *ctx, Cpu *cpu, const CpuProbe *p)
{
    Seen *s = ctx;
    if (s->n < 8) {
        s->icount[s->n] = cpu->icount;
        s->pc[s->n] = cpu_get_cap(cpu, CPU_PCC).value;
        cpu_probe_arg(cpu, &p->arg[0], &s->value[s->n]);
    }
    return ++s->n == s->stop_at;
}

Test(sim_engine, probes_fire_once_with_exact_counts)
{
    BOTH {
        Rig r = make(e);
        emit_loop(&r);
        cpu_set_x(r.cpu, 0, 3);
        cpu_set_x(r.cpu, 1, DATA);
        Seen seen = {.stop_at = 2};
        r.cpu->hooks = (CpuHooks){.ctx = &seen, .on_probe = on_probe};
        CpuProbe p = {.pc = CODE + 4, .n_args = 1, .arg = {{.kind = NOTE_ARG_REG, .reg = 0, .size = 8}}};
        cpu_set_probes(r.cpu, &p, 1);
        cr_expect(cpu_run(r.cpu, 100) == EV_STOP_PROBE);
        cr_expect(eq(u64, pc_of(&r), CODE + 4));
        cr_expect(eq(u64, r.cpu->icount, 5));
        cr_expect(cpu_run(r.cpu, 100) == EV_STOP_BUDGET);
        cr_expect(eq(u32, seen.n, 3));
        for (u32 i = 0; i < 3; i++) {
            cr_expect(eq(u64, seen.icount[i], 1 + 4 * i));
            cr_expect(eq(u64, seen.pc[i], CODE + 4));
            cr_expect(eq(u64, seen.value[i], 3 - i));
        }
        unmake(&r);
    }
}

Test(sim_engine, access_over_a_page_end)
{
    BOTH {
        Rig r = make(e);
        W(STR_UI, .sf = 1, .Rt = 0, .Rn = 1);
        W(LDR_UI, .sf = 1, .Rt = 2, .Rn = 1);
        W(B, .imm26 = 0);
        cpu_set_x(r.cpu, 0, 0x1122334455667788);
        cpu_set_x(r.cpu, 1, DATA + 0xffd);
        cpu_run(r.cpu, 3);
        cr_expect(eq(u64, cpu_get_x(r.cpu, 2), 0x1122334455667788));
        // The second page is missing: nothing may be stored.
        cpu_jump(r.cpu, (Cap){.value = CODE, .meta = CAP_ALMIGHTY.meta, .tag = true}, false);
        cpu_set_x(r.cpu, 1, DATA + 0x1ffd);
        cr_expect(cpu_run(r.cpu, 3) == EV_STOP_FAULT);
        cr_expect(eq(u64, r.cpu->fault.address, DATA + 0x2000));
        u8 byte;
        mem_read(r.mem, DATA + 0x1ffd, &byte, 1);
        cr_expect(eq(u8, byte, 0));
        unmake(&r);
    }
}

Test(sim_engine, data_store_clears_the_tag)
{
    BOTH {
        Rig r = make(e);
        mem_write_cap(r.mem, DATA + 16, CAP_ALMIGHTY);
        W(STRB_UI, .Rt = 0, .Rn = 1);
        W(B, .imm26 = 0);
        cpu_set_x(r.cpu, 1, DATA + 31);
        cpu_run(r.cpu, 2);
        Cap c;
        mem_read_cap(r.mem, DATA + 16, &c);
        cr_expect(c.tag == false);
        // And through a TLB entry that was made while the page had no tags.
        mem_write_cap(r.mem, DATA + 16, CAP_ALMIGHTY);
        cpu_jump(r.cpu, (Cap){.value = CODE, .meta = CAP_ALMIGHTY.meta, .tag = true}, false);
        cpu_run(r.cpu, 2);
        mem_read_cap(r.mem, DATA + 16, &c);
        cr_expect(c.tag == false);
        unmake(&r);
    }
}

// LDXP, STXP of X registers over a capability: the numbers must not become one.
Test(sim_engine, exclusive_pair_clears_the_tag)
{
    BOTH {
        for (u32 release = 0; release < 2; release++) {
            for (u32 sf = 0; sf < 2; sf++) {
                Rig r = make(e);
                mem_write_cap(r.mem, DATA, CAP_ALMIGHTY);
                W(LDXP, .sf = sf, .Rn = 1, .Rt = 2, .Rt2 = 3);
                if (release) W(STLXP, .sf = sf, .Rn = 1, .Rt = 2, .Rt2 = 3, .Rs = 4);
                else W(STXP, .sf = sf, .Rn = 1, .Rt = 2, .Rt2 = 3, .Rs = 4);
                W(LDR_C_RUIB_C, .Rn = 1, .Rt = 5);
                cpu_set_x(r.cpu, 1, DATA);
                cpu_set_x(r.cpu, 4, 7);
                cr_expect(eq(int, cpu_run(r.cpu, 3), EV_STOP_BUDGET));
                cr_expect(eq(u64, cpu_get_cap(r.cpu, 4).value, 0), "the store was made");
                Cap c = cpu_get_cap(r.cpu, 5);
                cr_expect(c.value == CAP_ALMIGHTY.value && c.meta == CAP_ALMIGHTY.meta && !c.tag, "sf %u", sf);
                unmake(&r);
            }
        }
    }
}

Test(sim_engine, two_machines_in_one_process)
{
    Rig a = make(CPU_ENGINE_TAIL), b = make(CPU_ENGINE_TAIL);
    emit_loop(&a);
    emit_loop(&b);
    cpu_set_x(a.cpu, 0, 10), cpu_set_x(a.cpu, 1, DATA);
    cpu_set_x(b.cpu, 0, 20), cpu_set_x(b.cpu, 1, DATA);
    for (u32 i = 0; i < 10; i++) cpu_run(a.cpu, 3), cpu_run(b.cpu, 5);
    cr_expect(eq(u64, a.cpu->icount, 30));
    cr_expect(eq(u64, b.cpu->icount, 50));
    cr_expect(eq(u64, cpu_get_x(a.cpu, 0), 3));
    cr_expect(eq(u64, cpu_get_x(b.cpu, 0), 8));
    unmake(&a);
    unmake(&b);
}

Test(sim_engine, pstate_immediates_at_el0)
{
    BOTH {
        Rig r = make(e);
        W(MSR_I, .op1 = 3, .CRm = 1, .op2 = 1); // ssbs := 1
        W(MSR_I, .op1 = 3, .CRm = 1, .op2 = 4); // tco := 1
        W(MSR_I, .op1 = 3, .CRm = 0, .op2 = 4);
        W(MSR_I, .op1 = 3, .CRm = 2, .op2 = 6); // daifset is not EL0's
        cr_expect(eq(int, cpu_run(r.cpu, 2), EV_STOP_BUDGET));
        cr_expect(r.cpu->ssbs && r.cpu->tco);
        cr_expect(eq(int, cpu_run(r.cpu, 1), EV_STOP_BUDGET));
        cr_expect(not(r.cpu->tco));
        cr_expect(eq(int, cpu_run(r.cpu, 1), EV_STOP_FAULT));
        unmake(&r);
    }
}
