// engine.c: how fast the engine runs small hand-made loops: MIPS of each dispatcher, A64 and C64. Not a test.
//
//     build/release/bench/bench_engine            one line a loop and engine
//     build/release/bench/bench_engine 50000000   instructions a measurement (default 200 million)
#include "isa/isa.h"
#include "sim/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CODE = 0x10000, DATA = 0x100000, STACK = 0x200000 };

typedef struct Code {
    u32 word[64];
    u32 n;
} Code;
#define W(ROW, ...) (c->word[c->n++] = ISA_WORD(ROW, __VA_ARGS__))
static void branch_back(Code *c, u32 to) { W(B, .imm26 = (to - c->n) & 0x3ffffff); }

// Integer arithmetic only.
static void alu(Code *c)
{
    W(ADD_I, .sf = 1, .Rd = 1, .Rn = 1, .imm12 = 3);
    W(EOR_SR, .sf = 1, .Rd = 2, .Rn = 2, .Rm = 1);
    W(ADD_SR, .sf = 1, .Rd = 3, .Rn = 3, .Rm = 2, .imm6 = 3);
    W(UBFM, .sf = 1, .N = 1, .Rd = 4, .Rn = 3, .immr = 5, .imms = 20);
    W(SUB_SR, .sf = 1, .Rd = 5, .Rn = 4, .Rm = 1);
    W(ORR_SR, .sf = 1, .Rd = 6, .Rn = 5, .Rm = 2);
    W(AND_I, .sf = 1, .Rd = 7, .Rn = 6, .N = 1, .imms = 15);
    W(SUBS_I, .sf = 1, .Rd = 0, .Rn = 0, .imm12 = 1);
    W(B_COND, .cond = 1, .imm19 = (0 - c->n) & 0x7ffff);
    branch_back(c, 0);
}

// Loads and stores of stack slots and of memory behind a pointer.
static void memory(Code *c)
{
    W(LDR_UI, .sf = 1, .Rt = 1, .Rn = 31, .imm12 = 2);
    W(ADD_I, .sf = 1, .Rd = 1, .Rn = 1, .imm12 = 1);
    W(STR_UI, .sf = 1, .Rt = 1, .Rn = 31, .imm12 = 2);
    W(LDRB_UI, .Rt = 2, .Rn = 19, .imm12 = 5);
    W(STRB_UI, .Rt = 2, .Rn = 19, .imm12 = 6);
    W(LDP_OFF, .sf = 1, .Rt = 3, .Rt2 = 4, .Rn = 31, .imm7 = 4);
    W(STP_OFF, .sf = 1, .Rt = 3, .Rt2 = 4, .Rn = 19, .imm7 = 4);
    W(SUBS_I, .sf = 1, .Rd = 0, .Rn = 0, .imm12 = 1);
    W(B_COND, .cond = 1, .imm19 = (0 - c->n) & 0x7ffff);
    branch_back(c, 0);
}

// What an interpreter does: load an operand through a pointer kept in memory, dispatch through a table, call and return.
static void interpreter(Code *c, bool is_c64)
{
    u32 top = c->n;
    if (is_c64) W(LDR_C_RUIB_C, .Rt = 1, .Rn = 31, .imm12 = 2); // the pointer, in a stack slot
    else W(LDR_UI, .sf = 1, .Rt = 1, .Rn = 31, .imm12 = 4);
    W(LDRB_UI, .Rt = 2, .Rn = 1, .imm12 = 5);
    if (is_c64) W(ADD_C_CIS_C, .Rd = 3, .Rn = 1, .imm12 = 8);
    else W(ADD_I, .sf = 1, .Rd = 3, .Rn = 1, .imm12 = 8);
    W(LDR_UI, .sf = 1, .Rt = 4, .Rn = 3, .imm12 = 1);
    W(ADD_SR, .sf = 1, .Rd = 4, .Rn = 4, .Rm = 2);
    W(STR_UI, .sf = 1, .Rt = 4, .Rn = 3, .imm12 = 1);
    if (is_c64) W(STR_C_RUIB_C, .Rt = 3, .Rn = 31, .imm12 = 3);
    else W(STR_UI, .sf = 1, .Rt = 3, .Rn = 31, .imm12 = 6);
    if (is_c64) W(BLR_C_C, .Rn = 20);
    else W(BLR, .Rn = 20);
    W(SUBS_I, .sf = 1, .Rd = 0, .Rn = 0, .imm12 = 1);
    W(B_COND, .cond = 1, .imm19 = (top - c->n) & 0x7ffff);
    branch_back(c, top);
    // callee (x20)
    W(CBZ, .sf = 1, .Rt = 2, .imm19 = 3);
    W(ADD_I, .sf = 1, .Rd = 5, .Rn = 5, .imm12 = 1);
    if (is_c64) W(RET_C_C, .Rn = 30);
    else W(RET, .Rn = 30);
    W(SUB_I, .sf = 1, .Rd = 5, .Rn = 5, .imm12 = 1);
    if (is_c64) W(RET_C_C, .Rn = 30);
    else W(RET, .Rn = 30);
}
static void interpreter_a64(Code *c) { interpreter(c, false); }
static void interpreter_c64(Code *c) { interpreter(c, true); }

static void floating(Code *c)
{
    W(FMUL, .ftype = 1, .Rd = 0, .Rn = 1, .Rm = 2);
    W(FADD, .ftype = 1, .Rd = 3, .Rn = 0, .Rm = 1);
    W(SCVTF, .sf = 1, .ftype = 1, .Rd = 4, .Rn = 0);
    W(FCMP, .ftype = 1, .Rn = 3, .Rm = 4);
    W(SUBS_I, .sf = 1, .Rd = 0, .Rn = 0, .imm12 = 1);
    W(B_COND, .cond = 1, .imm19 = (0 - c->n) & 0x7ffff);
    branch_back(c, 0);
}

typedef struct Loop {
    const char *name;
    void (*make)(Code *c);
    bool is_c64;
    u32 callee; // index of the function in C20
} Loop;
static const Loop s_loops[] = {
    {"alu A64", alu, false, 0},
    {"alu C64", alu, true, 0},
    {"load/store A64", memory, false, 0},
    {"load/store C64", memory, true, 0},
    {"interpreter-like A64", interpreter_a64, false, 11},
    {"interpreter-like C64", interpreter_c64, true, 11},
    {"double A64", floating, false, 0},
};

static Cap bounded(u64 base, u64 len)
{
    bool exact;
    return cap_set_bounds(cap_set_value(CAP_ALMIGHTY, base), len, &exact);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); // other work on the machine must not count
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double run(const Loop *l, CpuEngine engine, u64 insns)
{
    Mem *mem = mem_new(1 << 22);
    mem_map(mem, CODE, 0x1000, MEM_READ | MEM_EXEC);
    mem_map(mem, DATA, 0x10000, MEM_READ | MEM_WRITE | MEM_TAGS);
    mem_map(mem, STACK, 0x10000, MEM_READ | MEM_WRITE | MEM_TAGS);
    Cpu *cpu = cpu_new(mem, engine);
    Code c = {0};
    l->make(&c);
    mem_write(mem, CODE, c.word, 4 * c.n);
    Cap object = bounded(DATA + 64, 128), stack = bounded(STACK, 0x10000);
    mem_write_cap(mem, STACK + 0x8000 + 32, object);
    stack.value += 0x8000;
    cpu_set_cap(cpu, CPU_CSP, stack);
    cpu_set_cap(cpu, 19, object);
    Cap f = cap_set_value(CAP_ALMIGHTY, CODE + 4 * l->callee + l->is_c64);
    cpu_set_cap(cpu, 20, f);
    cpu_set_x(cpu, 0, ~0ULL);
    cpu_jump(cpu, cap_set_value(CAP_ALMIGHTY, CODE), l->is_c64);
    cpu_run(cpu, 100000);
    double start = seconds();
    EvStop why = cpu_run(cpu, insns);
    double mips = (double)insns / (seconds() - start) / 1e6;
    if (why != EV_STOP_BUDGET) printf("%s: stopped with fault %d at %llx\n", l->name, cpu->fault.kind, (unsigned long long)cpu->fault.pc);
    cpu_free(cpu);
    mem_free(mem);
    return mips;
}

int main(int argc, char **argv)
{
    u64 insns = argc > 1 ? strtoull(argv[1], NULL, 0) : 200000000;
    printf("%-24s %10s %10s   MIPS\n", "loop", "tail", "loop");
    for (u32 i = 0; i < ARRAY_LEN(s_loops); i++)
        printf("%-24s %10.0f %10.0f\n", s_loops[i].name, run(&s_loops[i], CPU_ENGINE_TAIL, insns), run(&s_loops[i], CPU_ENGINE_LOOP, insns));
    return 0;
}
