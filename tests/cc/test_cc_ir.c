// test_cc_ir.c: the middle of the compiler by its dumps: what small C functions become, and what probes must never change.
#include "base/elf.h"
#include "cc/cc.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

static Buf dump(const char *text, const char *what, CcAbi abi, CcProfile profile)
{
    CcSource source = {"t.c", text};
    CcOptions opt = {.abi = abi, .profile = profile, .opt_level = 2};
    Err err = {0};
    Buf out = {0};
    bool ok = cc_dump(&source, &opt, what, &out, &err);
    cr_assert(ok, "%s\n%s", err.text, text);
    return out;
}

static u32 count(const char *text, const char *what)
{
    u32 n = 0;
    for (const char *p = text; (p = strstr(p, what)); p += strlen(what)) n++;
    return n;
}

typedef struct Row {
    const char *name, *text;
    struct { const char *what; u32 times; } expect[5];
} Row;

static void check_rows(const Row *rows, u32 n, const char *what, CcAbi abi, CcProfile profile)
{
    for (u32 k = 0; k < n; k++) {
        Buf b = dump(rows[k].text, what, abi, profile);
        for (u32 e = 0; e < ARRAY_LEN(rows[k].expect) && rows[k].expect[e].what; e++)
            cr_expect(eq(u32, count(buf_text(&b), rows[k].expect[e].what), rows[k].expect[e].times), "%s: '%s' in\n%s", rows[k].name,
                      rows[k].expect[e].what, buf_text(&b));
        buf_free(&b);
    }
}

static const Row ir_rows[] = {
    {"locals become values", "int f(int a, int b) { int t = a; t += b; int *p = &t; return *p; }",
     {{" = slot", 0}, {"load", 0}, {"store", 0}, {"add", 1}}},
    {"loops need phis", "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
     {{"load", 0}, {"store", 0}, {" = phi", 2}}},
    {"structs fall into pieces", "struct S { long a; long b; }; long f(long x) { struct S s = {x, 2}, t = s; return t.a + t.b; }",
     {{"memcpy", 0}, {"load", 0}, {"store", 0}, {"memzero", 0}}},
    {"an escaping local stays", "void g(int *); int f(void) { int x = 1; g(&x); return x; }", {{"store", 1}, {"load", 1}}},
    {"volatile accesses stay", "int f(volatile int *p) { *p; *p; return *p; }", {{"load", 3}}},
    {"constants fold", "int f(void) { return (3 * 7 - 1) / 2 << 1; }", {{"const.i32 20", 1}, {"mul", 0}, {"div", 0}}},
    {"dead branches go", "int g(void); int f(void) { if (sizeof(int) == 8) return g(); return 1; }", {{"call", 0}, {"br ", 0}}},
    {"equal computations are one", "int f(int a, int b) { return (a * b) ^ (a * b + 1); }", {{" = mul", 1}}},
    {"loads are forwarded", "int f(int *p) { *p = 5; return *p; }", {{"load", 0}, {"store", 1}}},
    {"but not over an unknown store", "int f(int *p, int *q) { *p = 5; *q = 6; return *p; }", {{"load", 1}, {"store", 2}}},
    {"other fields do not interfere", "struct S { int a, b; }; int f(struct S *p) { p->a = 1; p->b = 2; return p->a; }", {{"load", 0}}},
    {"a call forgets memory", "void g(void); int f(int *p) { int a = *p; g(); return a + *p; }", {{" = load", 2}}},
    {"small functions are inlined", "static int sq(int x) { return x * x; } int f(int a) { return sq(a) + sq(3); }",
     {{"call", 0}, {"fn sq", 0}, {" = mul", 1}}},
    {"recursion is not", "int f(int n) { return n ? f(n - 1) + 1 : 0; }", {{"call", 1}}},
    {"noinline holds", "__attribute__((noinline)) static int g(int x) { return x + 1; } int f(int a) { return g(a); }", {{"call", 1}}},
    {"a diamond is a select", "int f(int a, int b) { return a > b ? a : b; }", {{"select", 1}, {"br ", 0}}},
    {"a truth value is a compare", "int f(int a) { return a == 3 ? 1 : 0; }", {{"cmp", 1}, {"select", 0}, {"br ", 0}}},
    {"dense switches are tables",
     "int g(int); int f(int a) { switch (a) { case 1: return g(5); case 2: return g(7); case 3: return g(1); case 4: return g(0);"
     " case 5: return g(9); case 6: return g(2); } return 3; }", {{"jtable", 1}, {"switch", 0}}},
    {"sparse ones are searches", "int g(int); int f(int a) { switch (a) { case 1: return g(5); case 1000: return g(7); } return 3; }",
     {{"jtable", 0}, {"cmp", 2}}},
    {"division by a power of two shifts", "unsigned f(unsigned a) { return a / 8 + a % 8; }", {{"div", 0}, {"rem", 0}, {"lshr", 1}, {" = and", 1}}},
    {"computed gotos meet in one hub",
     "int f(unsigned char *p) { static void *const t[] = {&&a, &&b}; int n = 0; goto *t[*p++]; a: n++; goto *t[*p++]; b: return n; }",
     {{"ibr", 1}}},
    {"unused static data and code go", "static int x = 3; static void h(void) { x++; } int f(void) { return 1; }", {{"fn h", 0}, {"data x", 0}}},
};

Test(cc_ir, small_functions) { check_rows(ir_rows, ARRAY_LEN(ir_rows), "ir", CC_HYBRID, CC_IDEAL); }

static const Row cap_rows[] = {
    {"direct accesses need no new bounds", "int f(int i) { int a[4] = {1, 2, 3, 4}; return a[1] + a[2]; }", {{"cboundsx", 0}}},
    {"an indexed array gets its bounds", "int f(int i) { volatile int a[4]; a[i] = 1; return a[0]; }", {{"cboundsx", 1}}},
    {"a test of a bit needs no capability", "int f(void *p) { return ((unsigned __intcap)p & 1) != 0; }",
     {{"csetaddr", 0}, {" = and.i64", 1}}},
    {"tagging a pointer derives", "void *f(void *p) { return (void *)((unsigned __intcap)p | 2); }", {{"csetaddr", 1}, {" = or.i64", 1}}},
    {"address arithmetic is an add", "void *f(void *p) { return (void *)((unsigned __intcap)p + 16); }", {{"csetaddr", 0}, {"cadd", 1}}},
    {"integers make null-derived pointers", "void *f(long x) { return (void *)x; }", {{"cfromint", 1}}},
};

Test(cc_ir, capabilities) { check_rows(cap_rows, ARRAY_LEN(cap_rows), "ir", CC_PURECAP, CC_IDEAL); }

static const Row habit_rows[] = {
    {"llvm-morello: a test of a bit derives first", "int f(void *p) { return ((unsigned __intcap)p & 1) != 0; }", {{"csetaddr", 1}}},
};

Test(cc_ir, code_habits) { check_rows(habit_rows, ARRAY_LEN(habit_rows), "ir", CC_PURECAP, CC_LLVM_MORELLO); }

// ---- probes

static const char probed[] =
    "static inline int half(int x) { __probe(half, x); return x / 2; }\n"
    "int g(int); struct P { int a; struct P *next; };\n"
    "int f(int n, struct P *p) {\n"
    "    int sum = 0; unsigned char small = 7;\n"
    "    for (int i = 0; i < n; i++) { __probe(loop, i, sum * 3, p->a); sum += half(i); if (sum > 100) __probe(big, sum); }\n"
    "    __probe(list, p->next->a, small, n + 1, &sum);\n"
    "    while (p) { __probe(node, p, p->a); sum += g(p->a); p = p->next; }\n"
    "    __probe(end, sum, n);\n"
    "    return sum;\n"
    "}\n"
    "static int pick(int n) { int r = 0; if (n > 5) r = g(n); else if (n > 3) r = g(-n); __probe(picked, r, n, 3); return r; }\n"
    "int h(int n) { return pick(n) + pick(n + 1); } int k(int n) { int r = g(n); __probe(k, r); return r; }\n"
    "void _start(void) { f(1, 0); } int g(int x) { __probe(g, x); return x; }\n";

static Buf build(CcAbi abi, bool no_probes, int opt_level)
{
    CcSource source = {"probed.c", probed};
    CcOptions opt = {.abi = abi, .no_probes = no_probes, .opt_level = opt_level};
    Err err = {0};
    Buf elf = {0};
    cr_assert(cc_build(&source, 1, &opt, &elf, &err), "%s", err.text);
    return elf;
}

static const u8 *section(const Buf *elf, const char *name, u64 *size)
{
    const ElfHeader *h = (const void *)elf->at;
    const ElfSection *s = (const void *)(elf->at + h->shoff);
    const char *names = (const char *)elf->at + s[h->shstrndx].offset;
    for (u32 k = 0; k < h->shnum; k++)
        if (!strcmp(names + s[k].name, name)) {
            *size = s[k].size;
            return elf->at + s[k].offset;
        }
    *size = 0;
    return NULL;
}

Test(cc_ir, probes_change_no_code)
{
    for (int abi = CC_HYBRID; abi <= CC_PURECAP; abi++)
        for (int opt = 0; opt <= 2; opt += 2) {
            Buf with = build((CcAbi)abi, false, opt), without = build((CcAbi)abi, true, opt);
            u64 a, b, notes, none;
            const u8 *x = section(&with, ".text", &a), *y = section(&without, ".text", &b);
            bool both = x && y, same = both && a == b && memcmp(x, y, a) == 0;
            cr_assert(both);
            cr_expect(eq(u64, a, b), "size of .text, abi %d, -O%d", abi, opt);
            cr_expect(same, ".text differs, abi %d, -O%d", abi, opt);
            section(&with, ".note.caplab", &notes);
            section(&without, ".note.caplab", &none);
            bool more = notes > none;
            cr_expect(more, "no probe notes");
            buf_free(&with);
            buf_free(&without);
        }
}

// In the machine code a probe's live argument names a register.
Test(cc_ir, probe_arguments)
{
    Buf b = dump("int g(int); int f(int n) { int m = n * 5; __probe(here, m, 7, n); g(m); return g(m); }", "mir", CC_HYBRID, CC_IDEAL);
    const char *p = strstr(buf_text(&b), "probe");
    bool has_probe = p != NULL;
    cr_assert(has_probe, "%s", buf_text(&b));
    bool is_register = strncmp(p, "probe ?%", 8) == 0;
    const char *seven = strstr(p, "#7");
    bool has_seven = seven && seven < strchr(p, '\n');
    cr_expect(is_register, "%.60s", p);
    cr_expect(has_seven, "%.60s", p);
    buf_free(&b);
}


Test(cc_ir, computed_goto_dispatch_is_short)
{
    Buf b = dump("long run(const unsigned char *ip, long *sp) {\n"
                 "    static const void *const t[] = {&&inc, &&dup, &&add, &&end};\n"
                 "    goto *t[*ip++];\n"
                 "inc: sp[0]++; goto *t[*ip++];\n"
                 "dup: sp[1] = sp[0]; sp++; goto *t[*ip++];\n"
                 "add: sp[-1] += sp[0]; sp--; goto *t[*ip++];\n"
                 "end: return *sp;\n"
                 "}\n", "asm", CC_HYBRID, CC_IDEAL);
    cr_expect(eq(u32, count(buf_text(&b), "br      x") + count(buf_text(&b), "br x") + count(buf_text(&b), "br\tx"), 4), "%s",
              buf_text(&b)); // one in front, one per handler that goes on
    u32 lines = count(buf_text(&b), "\n");
    cr_expect(lines <= 38, "%u lines:\n%s", lines, buf_text(&b));
    buf_free(&b);
}
