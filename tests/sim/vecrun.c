// vecrun.c: see vecrun.h. Each case sets up one Cpu in flat memory, runs the given number of steps, and compares everything
// that the format lists: what is not listed must be unchanged.
#include "tests/sim/vecrun.h"

#include "isa/isa.h"
#include <stdlib.h>

enum { MAX_GRANULES = 64 };
typedef struct Granule {
    u64 addr;
    Cap c;
} Granule;

typedef struct State {
    Cap reg[CPU_REG_COUNT];
    u64 v[32][2];
    u64 fpcr, fpsr, cctlr, sctlr;
    u32 nzcv;
    bool c64;
    Granule g[MAX_GRANULES];
    u32 n_granules;
} State;

typedef struct Case {
    State in, want;
    u32 num, el, steps;
    char id[128];
    u64 start, code[8];
    u32 words[8], n_code;
    bool has_start, is_result, has_exception, wants_pcc, needs_feature;
} Case;

static Cap almighty(u64 v)
{
    Cap c = CAP_ALMIGHTY;
    c.value = v;
    return c;
}

static void reset(Case *k)
{
    memset(k, 0, sizeof *k);
    State *s = &k->in;
    for (u32 n = 0; n < 31; n++)
        s->reg[n] = (Cap){.meta = 0xc5000000000000c5ULL | n << 8, .value = 0xa5000000000000a5ULL | n << 8};
    for (u32 n = 0; n < 32; n++) s->v[n][0] = 0x9600000000000096ULL | n << 8, s->v[n][1] = 0xb600000000000069ULL | n << 8;
    s->reg[CPU_DDC] = s->reg[CPU_RDDC] = almighty(0);
    s->reg[CPU_CSP] = almighty(0x7f000);
    s->reg[CPU_RSP] = almighty(0x7e000);
    s->sctlr = 0x34d5d99d;
}

static void set_granule(State *s, u64 addr, Cap c)
{
    for (u32 i = 0; i < s->n_granules; i++)
        if (s->g[i].addr == addr) {
            s->g[i].c = c;
            return;
        }
    if (s->n_granules < MAX_GRANULES) s->g[s->n_granules++] = (Granule){addr, c};
}

static int named(const char *name)
{
    static const struct { const char *name; int reg; } t[] = {{"CSP", CPU_CSP}, {"DDC", CPU_DDC}, {"RSP", CPU_RSP},
        {"RDDC", CPU_RDDC}, {"PCC", CPU_PCC}, {"CTPIDR", CPU_CTPIDR}, {"CID", CPU_CID}};
    for (u32 i = 0; i < ARRAY_LEN(t); i++)
        if (!strcmp(t[i].name, name)) return t[i].reg;
    return -1;
}

static void parse_line(Case *k, const char *l)
{
    State *s = k->is_result ? &k->want : &k->in;
    unsigned long long a, hi, lo;
    unsigned n, tag;
    char name[32];
    int used;
    switch (l[0]) {
    case 'T': reset(k); sscanf(l, "T %u %127s", &k->num, k->id); break;
    case 'M': {
        unsigned c64, nzcv;
        sscanf(l, "M %u %u %x %u", &k->el, &c64, &nzcv, &k->steps);
        s->c64 = c64, s->nzcv = nzcv;
        break;
    }
    case 'W': {
        unsigned w;
        sscanf(l, "W %llx%n", &a, &used);
        if (!k->has_start) {
            k->start = a, k->has_start = true;
            if (!s->reg[CPU_PCC].meta) s->reg[CPU_PCC] = almighty(a);
        }
        for (const char *p = l + used; sscanf(p, " %x%n", &w, &used) == 1 && k->n_code < 8; p += used, a += 4)
            k->code[k->n_code] = a, k->words[k->n_code++] = w;
        break;
    }
    case 'X': sscanf(l, "X %u %llx", &n, &lo); s->reg[n] = (Cap){.value = lo}; break;
    case 'C': sscanf(l, "C %u %u %llx %llx", &n, &tag, &hi, &lo); s->reg[n] = (Cap){lo, hi, tag}; break;
    case 'V': sscanf(l, "V %u %llx %llx", &n, &hi, &lo); s->v[n][0] = lo, s->v[n][1] = hi; break;
    case 'K':
        sscanf(l, "K %15s %u %llx %llx", name, &tag, &hi, &lo);
        if (named(name) >= 0) s->reg[named(name)] = (Cap){lo, hi, tag};
        else k->needs_feature = true;
        if (k->is_result && !strcmp(name, "PCC")) k->wants_pcc = true;
        break;
    case 'S':
        sscanf(l, "S %15s %llx", name, &lo);
        if (!strcmp(name, "FPCR")) s->fpcr = lo;
        else if (!strcmp(name, "FPSR")) s->fpsr = lo;
        else if (!strcmp(name, "CCTLR")) s->cctlr = lo;
        else if (!strcmp(name, "SCTLR")) s->sctlr = lo;
        else k->needs_feature = true;
        break;
    case 'G': sscanf(l, "G %llx %u %llx %llx", &a, &tag, &hi, &lo); set_granule(s, a, (Cap){lo, hi, tag}); break;
    case 'A': k->needs_feature = true; break;
    case '=': k->want = k->in; k->is_result = true; break;
    case 'F': sscanf(l, "F %x", &n); s->nzcv = n; break;
    case 'J': sscanf(l, "J %u", &n); s->c64 = n; break;
    case 'E': case 'L': k->has_exception = true; break;
    default: break;
    }
}

// ---- running

static bool same_cap(Cap a, Cap b) { return a.value == b.value && a.meta == b.meta && a.tag == b.tag; }

typedef struct Report {
    FILE *say;
    bool failed, is_quiet;
    const Case *k;
} Report;

static void differs(Report *r, const char *what, u32 n, Cap got, Cap want)
{
    if (!r->failed && !r->is_quiet) {
        fprintf(r->say, "case %u %s (%08x, %s)\n", r->k->num, r->k->id, r->k->words[0], r->k->in.c64 ? "C64" : "A64");
    }
    r->failed = true;
    if (!r->is_quiet)
        fprintf(r->say, "  %s%u: got %d %llx %llx, want %d %llx %llx\n", what, n, got.tag, (unsigned long long)got.meta,
                (unsigned long long)got.value, want.tag, (unsigned long long)want.meta, (unsigned long long)want.value);
}
static void differs_int(Report *r, const char *what, u32 n, u64 got, u64 want)
{
    if (got != want) differs(r, what, n, (Cap){.value = got}, (Cap){.value = want});
}

static void load_state(Cpu *cpu, const Case *k)
{
    const State *s = &k->in;
    cpu_reset(cpu);
    cpu_set_tbi(cpu, false);
    for (u32 i = 0; i < k->n_code; i++) mem_write(cpu->mem, k->code[i], &k->words[i], 4);
    for (u32 i = 0; i < s->n_granules; i++) mem_write_cap(cpu->mem, s->g[i].addr, s->g[i].c);
    // The stored words may lie in listed granules.
    cpu_jump(cpu, s->reg[CPU_PCC], s->c64);
    for (u32 r = 0; r < CPU_REG_COUNT; r++)
        if (r != CPU_PCC) cpu_set_cap(cpu, (CpuReg)r, s->reg[r]);
    for (u32 n = 0; n < 32; n++) cpu->v[n].lo = s->v[n][0], cpu->v[n].hi = s->v[n][1];
    cpu_set_nzcv(cpu, (u8)s->nzcv);
    cpu_set_cctlr(cpu, s->cctlr);
    cpu_set_sctlr(cpu, s->sctlr);
    cpu_set_fpcr(cpu, (u32)s->fpcr);
    cpu->fpsr = (u32)s->fpsr;
}

// All of memory is zero but what the case lists; compare the granules of every page there is.
static void compare_memory(Report *r, Cpu *cpu, const Case *k)
{
    State all = k->want;
    for (u32 i = 0; i < k->n_code; i++) {
        u64 at = k->code[i] & ~15ULL;
        Cap c = {0};
        for (u32 g = 0; g < all.n_granules; g++)
            if (all.g[g].addr == at) c = all.g[g].c;
        u64 part[2] = {c.value, c.meta};
        memcpy((u8 *)part + (k->code[i] & 15), &k->words[i], 4);
        set_granule(&all, at, (Cap){part[0], part[1], c.tag});
    }
    for (MemPage *p = mem_next_page(cpu->mem, 0); p; p = mem_next_page(cpu->mem, p->number + 1))
        for (u32 g = 0; g < MEM_GRANULES; g++) {
            u64 at = (p->number << MEM_PAGE_SHIFT) + g * 16;
            Cap want = {0}, got = cap_from_bytes(p->data + g * 16, p->tags[g]);
            for (u32 i = 0; i < all.n_granules; i++)
                if (all.g[i].addr == at) want = all.g[i].c;
            if (!same_cap(got, want)) differs(r, "memory, low word ", (u32)at, got, want);
        }
}

static void compare(Report *r, Cpu *cpu, const Case *k)
{
    const State *w = &k->want;
    for (u32 i = 0; i < CPU_REG_COUNT; i++) {
        Cap got = cpu_get_cap(cpu, (CpuReg)i), want = w->reg[i];
        if (i == CPU_PCC && !k->wants_pcc) want.value = k->start + 4 * k->steps;
        if (!same_cap(got, want)) differs(r, "register ", i, got, want);
    }
    for (u32 i = 0; i < 32; i++) {
        differs_int(r, "V.lo ", i, cpu->v[i].lo, w->v[i][0]);
        differs_int(r, "V.hi ", i, cpu->v[i].hi, w->v[i][1]);
    }
    differs_int(r, "NZCV ", 0, cpu_get_nzcv(cpu), w->nzcv);
    differs_int(r, "C64 ", 0, cpu_get_c64(cpu), w->c64);
    differs_int(r, "FPCR ", 0, cpu->fpcr, w->fpcr);
    differs_int(r, "FPSR ", 0, cpu->fpsr, w->fpsr);
    compare_memory(r, cpu, k);
}

typedef enum Outcome { PASSED, FAILED, NO_ROW } Outcome;

static Outcome try_case(const Case *k, CpuEngine engine, bool stxp_keeps_tag, FILE *say)
{
    Mem *mem = mem_new(1 << 24);
    mem->is_flat = true;
    Cpu *cpu = cpu_new(mem, engine);
    cpu->stxp_keeps_tag = stxp_keeps_tag;
    load_state(cpu, k);
    EvStop why = cpu_run(cpu, k->steps);
    Outcome result = NO_ROW;
    bool is_undefined = why == EV_STOP_FAULT && cpu->fault.kind == EV_FAULT_UNDEFINED;
    if (!(why == EV_STOP_FAULT && cpu->fault.kind == EV_FAULT_UNIMPLEMENTED) &&
        !(is_undefined && isa_find_row(cpu->fault.insn, k->in.c64) == ISA_NONE)) {
        Report r = {.say = say, .k = k, .is_quiet = !say};
        if (why != EV_STOP_BUDGET) differs_int(&r, "stop, fault kind ", why, cpu->fault.kind, 0);
        compare(&r, cpu, k);
        result = r.failed ? FAILED : PASSED;
    }
    cpu_free(cpu);
    mem_free(mem);
    return result;
}

static void run_case(const Case *k, CpuEngine engine, VecSum *sum, FILE *say, u32 max_said)
{
    if (k->el) { sum->level++; return; }
    if (k->has_exception) { sum->exception++; return; }
    if (k->needs_feature) { sum->feature++; return; }
    Outcome plain = try_case(k, engine, false, NULL);
    if (plain == NO_ROW) {
        sum->no_row++;
    } else if (plain == PASSED) {
        sum->passed++;
    } else if (try_case(k, engine, true, sum->failed < max_said ? say : NULL) == PASSED) {
        sum->passed++;
        sum->by_reference++;
    } else {
        sum->failed++;
    }
}

void vec_run(char *text, CpuEngine engine, VecSum *sum, FILE *say, u32 max_said)
{
    Case *k = xalloc(sizeof *k);
    for (char *l = strtok(text, "\n"); l; l = strtok(NULL, "\n")) {
        parse_line(k, l);
        if (l[0] == '.') run_case(k, engine, sum, say, max_said);
    }
    free(k);
}
