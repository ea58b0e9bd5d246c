// Two instructions in one operation, and the alignment of CSP kept in its kind byte: random C64 code gives the same registers, memory, tags,
// counts and faults whether it runs in whole blocks (where neighbours are joined) or in steps of one (where they are not).
#include "isa/isa.h"
#include "sim/cpu.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

enum { CODE = 0x10000, DATA = 0x20000, DATA_LEN = 0x2000, ROUNDS = 5000, LEN = 14 };

static u64 next_random(u64 *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

// Base 31 is CSP, 1 is C1; data registers are 2..9, so that bases are overwritten now and then by C1 alone.
static u32 random_insn(u64 *seed, const u32 *before)
{
    u64 r = next_random(seed);
    u32 base = r & 1 ? 31 : 1, a = 1 + (r >> 1) % 9, b = 1 + (r >> 5) % 9;
    u32 at = (u32)(r >> 9 & 6), step = r >> 12 & 1 ? 2 : -2U; // of 16 bytes
    if (before && r >> 13 & 1) base = *before >> 5 & 31, at = ((*before >> 15 & 0x7f) + step) & 0x7f; // the neighbour
    u32 small = (u32)(r >> 16 & 3 ? (r >> 18 & 3) * 16 : r >> 18 & 3 ? 32 : r >> 20 & 63);
    switch (r >> 32 & 15) {
    case 0: case 1: case 2: return ISA_WORD(LDP_C_RIB_C, .Rt = a, .Rt2 = b, .Rn = base, .imm7 = at);
    case 3: case 4: case 5: return ISA_WORD(STP_C_RIB_C, .Rt = a, .Rt2 = b, .Rn = base, .imm7 = at);
    case 6: return ISA_WORD(LDP_CC_RIAW_C, .Rt = a, .Rt2 = b == a ? a % 9 + 1 : b, .Rn = base, .imm7 = at);
    case 7: return ISA_WORD(STP_C_RIBW_C, .Rt = a, .Rt2 = b, .Rn = base, .imm7 = step & 0x7f);
    case 8: return ISA_WORD(ADD_C_CIS_C, .Rd = base, .Rn = base, .imm12 = small);
    case 9: return ISA_WORD(SUB_C_CIS_C, .Rd = base, .Rn = base, .imm12 = small);
    case 10: return ISA_WORD(ADD_C_CIS_C, .Rd = base, .Rn = r >> 40 & 1 ? 31 : 1, .imm12 = small);
    case 11: return ISA_WORD(LDR_POST, .sf = 1, .Rt = 10, .Rn = base, .imm9 = small & 31);
    case 12: return ISA_WORD(LDR_C_RUIB_C, .Rt = a, .Rn = base, .imm12 = at);
    case 13: return ISA_WORD(STR_C_RUIB_C, .Rt = a, .Rn = base, .imm12 = at);
    case 14: return ISA_WORD(LDR_C_RRB_C, .Rt = 11, .Rn = 12, .Rm = 13, .option = r >> 40 & 1 ? 3 : 2, .S = 1);
    default: return ISA_WORD(STR_UI, .sf = 1, .Rt = a, .Rn = base, .imm12 = at);
    }
}

static Cap data_cap(u64 value, u64 base, u64 len)
{
    bool exact;
    return cap_set_value(cap_set_bounds(cap_set_value(CAP_ALMIGHTY, base), len, &exact), value);
}

static Cpu *make(Mem **mem, CpuEngine engine, u64 seed)
{
    *mem = mem_new(1 << 20);
    mem_map(*mem, CODE, 0x1000, MEM_READ | MEM_EXEC);
    mem_map(*mem, DATA, DATA_LEN, MEM_READ | MEM_WRITE | MEM_TAGS);
    Cpu *cpu = cpu_new(*mem, engine);
    Cap pcc = cap_set_value(CAP_ALMIGHTY, CODE);
    u32 words[LEN + 2];
    for (u32 i = 0; i < LEN; i++) words[i] = random_insn(&seed, i ? &words[i - 1] : NULL);
    // the end: a jump through a table, whose only entry leads to the loop there
    words[LEN] = ISA_WORD(BR_C_C, .Rn = 11);
    words[LEN + 1] = ISA_WORD(B, .imm26 = 0);
    words[LEN - 1] = ISA_WORD(LDR_C_RRB_C, .Rt = 11, .Rn = 12, .Rm = 13, .option = seed & 1 ? 3 : 2, .S = 1);
    mem_write(*mem, CODE, words, sizeof words);
    for (u32 i = 2; i < 10; i++) cpu_set_cap(cpu, i, i & 1 ? data_cap(DATA + 16 * i, DATA, 0x800) : (Cap){.value = 77 * i});
    u64 at = DATA + 0xf00 + (next_random(&seed) & 0x1f0), len = 0x240 + (next_random(&seed) & 0x7f0);
    cpu_set_cap(cpu, 1, data_cap(at, DATA + 0xe00, len));
    cpu_set_cap(cpu, CPU_CSP, data_cap(at, DATA + 0xe80, len));
    cpu_set_cap(cpu, 12, data_cap(DATA, DATA, 0x100));
    cpu_set_x(cpu, 13, 3);
    Cap loop = pcc;
    loop.value = (CODE + 4 * (LEN + 1)) | 1;
    mem_write_cap(*mem, DATA + 48, loop);
    cpu_jump(cpu, pcc, true);
    return cpu;
}

static void expect_same(Cpu *a, Cpu *b, u64 seed)
{
    for (u32 i = 0; i < CPU_REG_COUNT; i++) {
        Cap x = cpu_get_cap(a, i), y = cpu_get_cap(b, i);
        cr_expect(x.value == y.value && x.meta == y.meta && x.tag == y.tag, "seed %llu: register %u", (unsigned long long)seed, i);
    }
    for (u64 at = DATA; at < DATA + DATA_LEN; at += 16) {
        Cap x, y;
        mem_read_cap(a->mem, at, &x);
        mem_read_cap(b->mem, at, &y);
        cr_expect(x.value == y.value && x.meta == y.meta && x.tag == y.tag, "seed %llu: memory 0x%llx", (unsigned long long)seed,
                  (unsigned long long)at);
    }
    CpuCounts c = cpu_counts(a), d = cpu_counts(b);
    cr_expect(c.cap_loads == d.cap_loads && c.cap_stores == d.cap_stores && a->icount == b->icount, "seed %llu: counts",
              (unsigned long long)seed);
}

Test(sim_two, blocks_do_what_single_steps_do)
{
    u32 faults[64] = {0};
    for (CpuEngine e = CPU_ENGINE_TAIL; e <= CPU_ENGINE_LOOP; e++) {
        for (u64 i = 1; i <= ROUNDS; i++) {
            u64 seed = i * 0x9e3779b97f4a7c15ULL;
            Mem *mem_a, *mem_b;
            Cpu *a = make(&mem_a, e, seed), *b = make(&mem_b, e, seed);
            EvStop x = cpu_run(a, LEN + 4), y = EV_STOP_BUDGET;
            for (u32 n = 0; n < LEN + 4 && y == EV_STOP_BUDGET; n++) y = cpu_run(b, 1);
            cr_expect(x == y, "seed %llu: stop %d and %d", (unsigned long long)seed, x, y);
            if (x == EV_STOP_FAULT) {
                cr_expect(a->fault.kind == b->fault.kind && a->fault.address == b->fault.address, "seed %llu: fault", (unsigned long long)seed);
                faults[a->fault.kind]++;
            } else {
                faults[EV_FAULT_NONE]++;
            }
            expect_same(a, b, seed);
            cpu_free(a), cpu_free(b);
            mem_free(mem_a), mem_free(mem_b);
        }
    }
    // The code must reach the end, and both kinds of fault, often enough to mean something.
    cr_expect(faults[EV_FAULT_NONE] > ROUNDS / 10 && faults[EV_FAULT_SP_ALIGNMENT] > ROUNDS / 20 && faults[EV_FAULT_CAP_BOUNDS] > ROUNDS / 20,
              "%u ends, %u misaligned, %u out of bounds", faults[EV_FAULT_NONE], faults[EV_FAULT_SP_ALIGNMENT], faults[EV_FAULT_CAP_BOUNDS]);
}

// The right fault, by whatever instruction CSP came to be misaligned.
Test(sim_two, misaligned_csp_faults_at_its_use)
{
    const u32 use = ISA_WORD(LDR_C_RUIB_C, .Rt = 2, .Rn = 31), good = ISA_WORD(STR_C_RUIB_C, .Rt = 2, .Rn = 31);
    const u32 by[] = {
        ISA_WORD(ADD_C_CIS_C, .Rd = 31, .Rn = 31, .imm12 = 8), ISA_WORD(SUB_C_CIS_C, .Rd = 31, .Rn = 31, .imm12 = 4),
        ISA_WORD(ADD_C_CIS_C, .Rd = 31, .Rn = 3, .imm12 = 16),  ISA_WORD(CPY_C_C_C, .Rd = 31, .Rn = 3),
        ISA_WORD(LDR_POST, .sf = 1, .Rt = 4, .Rn = 31, .imm9 = 8), ISA_WORD(STR_PRE, .sf = 1, .Rt = 4, .Rn = 31, .imm9 = 0x1f8),
        ISA_WORD(SCVALUE_C_CR_C, .Rd = 31, .Rn = 31, .Rm = 5),  ISA_WORD(SCBNDS_C_CI_C, .Rd = 31, .Rn = 3, .imm6 = 32),
    };
    for (CpuEngine e = CPU_ENGINE_TAIL; e <= CPU_ENGINE_LOOP; e++) {
        for (u32 i = 0; i < ARRAY_LEN(by); i++) {
            Mem *mem;
            Cpu *cpu = make(&mem, e, 1);
            const u32 words[] = {good, by[i], use};
            mem_write(mem, CODE, words, sizeof words);
            cpu_set_cap(cpu, CPU_CSP, data_cap(DATA + 0x800, DATA, DATA_LEN));
            cpu_set_cap(cpu, 3, data_cap(DATA + 0x808, DATA, DATA_LEN));
            cpu_set_x(cpu, 5, DATA + 0x801);
            cr_expect(cpu_run(cpu, 3) == EV_STOP_FAULT && cpu->fault.kind == EV_FAULT_SP_ALIGNMENT && cpu->icount == 2, "case %u", i);
            cpu_free(cpu);
            mem_free(mem);
        }
    }
}
