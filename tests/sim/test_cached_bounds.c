// The engine keeps decoded bounds beside capabilities, decodes them by short cuts, and carries them along in additions. Here every
// short cut meets the plain rules of isa/cap.c on random capabilities: what is loaded and followed, and what is added to.
#include "isa/isa.h"
#include "sim/cpu.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

enum { CODE = 0x10000, SLOT = 0x20000, N = 20000 };

static u64 next_random(u64 *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

// Lengths and addresses of all sizes, values in, at the edges of and outside the bounds, some permissions missing, some sealed.
static Cap random_cap(u64 *seed)
{
    u64 r = next_random(seed), base = next_random(seed) >> (8 + r % 50), len = next_random(seed) >> (1 + (r >> 8) % 63);
    bool exact;
    Cap c = CAP_ALMIGHTY;
    if (r >> 20 & 15) c = cap_set_bounds(cap_set_value(c, base), len, &exact);
    u64 where = r >> 24 & 7, b = cap_bounds(c).base;
    u64 to = where == 0 ? b + len : where == 1 ? b - 1 : where == 2 ? b + len / 2 : where == 3 ? b - len / 8 : b + len % 97;
    c = cap_set_value(c, to);
    if (!(r >> 28 & 3)) c = cap_clear_perms(c, 1U << ((r >> 32) % 18));
    if (!(r >> 40 & 15)) c = cap_seal(c, (r >> 44 & 7) + 1);
    if (!(r >> 50 & 15)) c.value ^= 1ULL << (56 + (r >> 54 & 7)); // flags
    if (!(r >> 58 & 15)) c.tag = false;
    return c;
}

static Cpu *make(Mem **mem, CpuEngine engine, const u32 *words, u32 n)
{
    *mem = mem_new(1 << 20);
    mem_map(*mem, CODE, 0x1000, MEM_READ | MEM_EXEC);
    mem_map(*mem, SLOT, 0x1000, MEM_READ | MEM_WRITE | MEM_TAGS);
    mem_write(*mem, CODE, words, 4 * n);
    return cpu_new(*mem, engine);
}
static void start(Cpu *cpu)
{
    Cap pcc = CAP_ALMIGHTY;
    pcc.value = CODE;
    cpu_jump(cpu, pcc, true);
}

// Both in one block: the load decodes; one at a time: the access through it does.
static void load_and_follow(CpuEngine e, bool one_at_a_time)
{
    const u32 words[] = {ISA_WORD(LDR_C_RUIB_C, .Rt = 1, .Rn = 0), ISA_WORD(LDRB_UI, .Rt = 2, .Rn = 1), ISA_WORD(B, .imm26 = 0)};
    Mem *mem;
    Cpu *cpu = make(&mem, e, words, ARRAY_LEN(words));
    Cap slot = CAP_ALMIGHTY;
    slot.value = SLOT;
    u64 seed = 4711;
    for (u32 i = 0; i < N; i++) {
        Cap c = random_cap(&seed);
        mem_write_cap(mem, SLOT, c);
        cpu_set_cap(cpu, 0, slot);
        start(cpu);
        EvStop why = cpu_run(cpu, one_at_a_time ? 1 : 3); // 3: the whole block
        if (one_at_a_time && why == EV_STOP_BUDGET) why = cpu_run(cpu, 1);
        u64 address = (u64)((i64)(c.value << 8) >> 8); // top byte ignored
        EvFaultKind want = !c.tag ? EV_FAULT_CAP_TAG : cap_is_sealed(c) ? EV_FAULT_CAP_SEALED
                           : !(cap_perms(c) & CAP_PERM_LOAD) ? EV_FAULT_CAP_PERM
                           : !cap_in_bounds(cap_bounds(c), address, 1) ? EV_FAULT_CAP_BOUNDS : EV_FAULT_NONE;
        if (want == EV_FAULT_NONE && !mem_is_mapped(mem, address, 1)) want = EV_FAULT_TRANSLATION;
        EvFaultKind got = why == EV_STOP_FAULT ? cpu->fault.kind : EV_FAULT_NONE;
        cr_expect(got == want, "%u: %d %llx %llx: fault %d, want %d", i, c.tag, (unsigned long long)c.meta,
                  (unsigned long long)c.value, got, want);
        const Reg *r = &cpu->r[1];
        CapBounds b = cap_bounds(c);
        if (r->kind & REG_DECODED) {
            cr_expect(r->base == b.base && r->top == (b.top_hi ? ~0ULL : b.top_lo), "%u: bounds of %llx %llx", i,
                      (unsigned long long)c.meta, (unsigned long long)c.value);
            u32 p = cap_perms(c);
            bool stores = r->kind & REG_STORE, any_load = r->kind & REG_LOAD_CAP, any_store = r->kind & REG_STORE_CAP;
            cr_expect(stores <= ((p & CAP_PERM_STORE) != 0), "%u: store", i);
            cr_expect(any_load <= ((p & CAP_PERM_LOAD_CAP) && (p & CAP_PERM_MUTABLE_LOAD)), "%u: load of capabilities", i);
            cr_expect(any_store <= ((p & CAP_PERM_STORE_CAP) && (p & CAP_PERM_STORE_LOCAL)), "%u: store of capabilities", i);
        }
    }
    cpu_free(cpu);
    mem_free(mem);
}

Test(sim_cached_bounds, loading_through_a_loaded_capability)
{
    for (CpuEngine e = CPU_ENGINE_TAIL; e <= CPU_ENGINE_LOOP; e++)
        for (int one_at_a_time = 0; one_at_a_time < 2; one_at_a_time++) load_and_follow(e, one_at_a_time);
}

Test(sim_cached_bounds, adding_to_a_decoded_capability)
{
    // ldrb first: c1 is decoded if it can be
    const u32 words[] = {ISA_WORD(LDRB_UI, .Rt = 4, .Rn = 1), ISA_WORD(ADD_C_CRI_C, .Rd = 2, .Rn = 1, .Rm = 3, .option = 3),
                         ISA_WORD(ADD_C_CRI_C, .Rd = 5, .Rn = 2, .Rm = 6, .option = 3), ISA_WORD(B, .imm26 = 0)};
    for (CpuEngine e = CPU_ENGINE_TAIL; e <= CPU_ENGINE_LOOP; e++) {
        Mem *mem;
        Cpu *cpu = make(&mem, e, words, ARRAY_LEN(words));
        u64 seed = 815;
        for (u32 i = 0; i < N; i++) {
            Cap c = random_cap(&seed);
            u64 len = cap_length_saturated(cap_bounds(c)), r = next_random(&seed);
            u64 a = next_random(&seed) >> (r % 64), b = r >> 8 & 1 ? -a + (r >> 16 & 63) : next_random(&seed) >> (r >> 32 & 63);
            if (r >> 9 & 1) a %= len | 1;
            cpu_set_cap(cpu, 1, c);
            cpu_set_x(cpu, 3, a);
            cpu_set_x(cpu, 6, b);
            start(cpu);
            if (cpu_run(cpu, 1) == EV_STOP_FAULT) cpu_jump(cpu, (Cap){.value = CODE + 4, .meta = CAP_ALMIGHTY.meta, .tag = true}, true);
            cpu_run(cpu, 2);
            Cap first = cap_add(c, a), got1 = cpu_get_cap(cpu, 2);
            if (cap_is_sealed(c)) first.tag = false;
            Cap second = cap_add(first, b), got2 = cpu_get_cap(cpu, 5);
            if (cap_is_sealed(first)) second.tag = false;
            cr_expect(got1.value == first.value && got1.meta == first.meta && got1.tag == first.tag, "%u: %llx %llx + %llx", i,
                      (unsigned long long)c.meta, (unsigned long long)c.value, (unsigned long long)a);
            cr_expect(got2.value == second.value && got2.meta == second.meta && got2.tag == second.tag, "%u: … + %llx", i,
                      (unsigned long long)b);
            for (u32 n = 2; n <= 5; n += 3) {
                const Reg *reg = &cpu->r[n];
                CapBounds want = cap_bounds(reg_to_cap(reg));
                if (reg->kind & REG_DECODED)
                    cr_expect(reg->base == want.base && reg->top == (want.top_hi ? ~0ULL : want.top_lo), "%u: c%u", i, n);
            }
        }
        cpu_free(cpu);
        mem_free(mem);
    }
}
