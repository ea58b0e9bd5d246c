// test_cc_back.c: the assembler's words and messages, and the shape of emitted code.
#include "cc/as.h"
#include "cc/cc.h"
#include "isa/isa.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

static bool assemble(const char *text, CcAbi abi, LkUnit *u, Err *err)
{
    lk_init(u, "t.s");
    return as_file(&(CcSource){"t.s", text}, abi, u, err);
}

Test(cc_as, words_and_relocations)
{
    static const struct {
        CcAbi abi;
        const char *text;
        u32 word;        // of the last instruction
        i32 reloc;       // LkRelocKind, -1 = none
        const char *symbol;
        i64 addend;
    } rows[] = {
        {CC_HYBRID, "add x0, x1, #8 // text / 2", 0x91002020, -1, 0, 0},
        {CC_HYBRID, ".equ N, 3*2+1\n mov x8, #N", 0xd28000e8, -1, 0, 0},
        {CC_HYBRID, "N = 1 << 4 ; mov x8, #(N | 2)", 0xd2800248, -1, 0, 0},
        {CC_HYBRID, "bl f+8", 0x94000000, LK_R_CALL26, "f", 8},
        {CC_HYBRID, "1: cbz w3, 1b", 0x34000003, LK_R_BRANCH19, ".L1", 0},
        {CC_HYBRID, "b.ne out", 0x54000001, LK_R_BRANCH19, "out", 0},
        {CC_HYBRID, "tbnz x4, #33, out", 0xb7080004, LK_R_BRANCH14, "out", 0},
        {CC_HYBRID, "adrp x0, table", 0x90000000, LK_R_ADRP, "table", 0},
        {CC_HYBRID, "add x0, x0, :lo12:table+4", 0x91000000, LK_R_LO12, "table", 4},
        {CC_HYBRID, "ldr x1, [x0, #:lo12:table]", 0xf9400001, LK_R_LO12, "table", 0},
        {CC_HYBRID, "adr x2, f", 0x10000002, LK_R_ADR21, "f", 0},
        {CC_HYBRID, ".inst 0xd503201f", 0xd503201f, -1, 0, 0},
        {CC_HYBRID, "fmov d0, #1.5", 0x1e6f1000, -1, 0, 0},
        {CC_PURECAP, "adrp c0, :got:table", 0x90800000, LK_R_GOT_PAGE, "table", 0},
        {CC_PURECAP, "ldr c0, [c0, :got_lo12:table]", 0xc2400000, LK_R_GOT_LO12, "table", 0},
        {CC_PURECAP, "ret c30", 0xc2c253c0, -1, 0, 0},
        {CC_PURECAP, "ldr x1, [c0, #:lo12:table]", 0xf9400001, LK_R_LO12, "table", 0},
    };
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        LkUnit u;
        Err err = {0};
        bool ok = assemble(rows[i].text, rows[i].abi, &u, &err);
        cr_expect(ok, "%s: %s", rows[i].text, err.text);
        const LkSection *s = u.sections.at[0];
        u32 word = 0;
        if (s->data.len >= 4) memcpy(&word, s->data.at + s->data.len - 4, 4);
        // bit 23 of C64's ADRP is the linker's
        cr_expect(eq(u32, word | (rows[i].reloc == LK_R_GOT_PAGE ? 1u << 23 : 0), rows[i].word), "%s", rows[i].text);
        cr_expect(eq(u32, s->relocs.len, rows[i].reloc >= 0), "%s", rows[i].text);
        if (s->relocs.len) {
            cr_expect(eq(i32, s->relocs.at[0].kind, rows[i].reloc), "%s", rows[i].text);
            cr_expect(eq(str, (char *)u.symbols.at[s->relocs.at[0].symbol]->name, (char *)rows[i].symbol), "%s", rows[i].text);
            cr_expect(eq(i64, s->relocs.at[0].addend, rows[i].addend), "%s", rows[i].text);
        }
        lk_free(&u);
    }
}

Test(cc_as, data)
{
    LkUnit u;
    Err err = {0};
    bool ok = assemble(".data\n"
                       "a: .byte 1, 'b', -1, 0x7f ; .hword 258\n"
                       " .balign 4\n"
                       " .word end - a, 5 ; .asciz \"x\\n\\101\"\n"
                       "end: .p2align 3\n"
                       " .xword a + 2\n"
                       " .size a, . - a\n"
                       ".bss\nb: .zero 100\n",
                       CC_HYBRID, &u, &err);
    cr_assert(ok, "%s", err.text);
    static const u8 want[] = {1, 'b', 255, 0x7f, 2, 1, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 'x', '\n', 'A', 0, 0, 0, 0, 0};
    const LkSection *s = u.sections.at[1];
    cr_assert(eq(sz, s->data.len, sizeof want + 8));
    cr_expect(memcmp(s->data.at, want, sizeof want) == 0);
    cr_expect(eq(u32, s->relocs.len, 2));
    cr_expect(eq(i32, s->relocs.at[0].kind, LK_R_DIFF32), "a distance that was not known yet");
    cr_expect(eq(u64, u.sections.at[2]->bss_bytes, 100));
    cr_expect(eq(u64, u.symbols.at[0]->size, sizeof want + 8));
    lk_free(&u);
}

Test(cc_as, messages)
{
    static const struct {
        const char *text, *message;
        u32 line, col;
    } rows[] = {
        {"  nop\n  frob x0", "frob", 2, 3},
        {"\n.worm 3", "unknown directive '.worm'", 2, 1},
        {" b 1f\n nop\n", "no label '1:'", 3, 1},
        {"x: nop\nx: nop", "'x' is defined twice", 2, 1},
        {".data\n.byte 300", "300 does not fit 1 bytes", 2, 7},
        {".data\n nop", "not code", 2, 2},
        {" mov x0, #(1", "')' expected", 1, 13},
        {" .word 1/0", "division by zero", 1, 9},
        {" .ascii \"abc", "unfinished string", 1, 9},
        {" .balign 3", "powers of two", 1, 10},
        {" .chericap x", "purecap", 1, 2},
        {" add x0, x0, :hi12:x", "unknown operator ':hi12:'", 1, 15},
    };
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        LkUnit u;
        Err err = {0};
        bool ok = assemble(rows[i].text, CC_HYBRID, &u, &err);
        cr_expect(not(ok), "%s", rows[i].text);
        cr_expect(strstr(err.text, rows[i].message) != NULL, "%s: %s", rows[i].text, err.text);
        cr_expect(eq(u32, err.line, rows[i].line), "%s", rows[i].text);
        cr_expect(eq(u32, err.col, rows[i].col), "%s", rows[i].text);
        lk_free(&u);
    }
}

static char *dump(const char *text, CcAbi abi, CcProfile profile)
{
    CcOptions opt = {.abi = abi, .opt_level = 2, .profile = profile};
    Buf out = {0};
    Err err = {0};
    cr_expect(cc_dump(&(CcSource){"t.c", text}, &opt, "asm", &out, &err), "%s: %s", text, err.text);
    char *copy = xstrndup(buf_text(&out), out.len);
    buf_free(&out);
    return copy;
}

static u32 count(const char *text, const char *what)
{
    u32 n = 0;
    for (const char *p = text; (p = strstr(p, what)); p += strlen(what)) n++;
    return n;
}

// What must be in the code of a small function, and what must not.
Test(cc_emit, shapes)
{
    static const struct {
        CcAbi abi;
        const char *text, *has, *has_not;
    } rows[] = {
        {CC_HYBRID, "struct P { long a, b; }; long f(struct P *p) { return p->a + p->b; }", "ldp", "ldr"},
        {CC_HYBRID, "struct P { long a, b; }; void f(struct P *p) { p->a = 0; p->b = 0; }", "stp xzr, xzr, [x0]", "mov"},
        {CC_HYBRID, "long f(long *p, int i) { return p[i]; }", "ldr x0, [x0, w1, sxtw #3]", "lsl"},
        {CC_HYBRID, "int f(int a, int b, int c) { return a * b + c; }", "madd w0, w0, w1, w2", "  add"},
        {CC_HYBRID, "unsigned f(unsigned x) { return (x >> 5) & 63; }", "ubfx w0, w0, #5, #6", "and"},
        {CC_HYBRID, "int g(void); int f(long x) { if (x & 16) return g(); return 3; }", "tb", "tst"},
        {CC_HYBRID, "int f(int a, int b) { return a < b; }", "cset w0, lt", "b."},
        {CC_HYBRID, "int f(unsigned long x) { return x == 0xff00ff00ff00ff00; }", "#0xff00ff00ff00ff00", "movk"},
        {CC_HYBRID, "int x; int f(void) { return x; }", ":lo12:", "add"},
        {CC_HYBRID, "void f(char *p, int n) { while (n--) *p++ = 3; }", "], #1", "add x"},
        {CC_PURECAP, "void f(void **p, int n) { while (n--) *p++ = 0; }", "str czr, [c0], #16", "add c"},
        {CC_PURECAP, "char *f(char *p, long i) { return p + i; }", "add c0, c0, x1", "scvalue"},
        {CC_PURECAP, "long *f(long *p, int i) { return p + i; }", "add c0, c0, w1, sxtw #3", "lsl"},
        {CC_PURECAP, "void *f(void **p) { return p[3]; }", "ldr c0, [c0, #48]", "add"},
        {CC_PURECAP, "int g(char *); int f(void) { char a[20]; return g(a); }", "scbnds c0, c9, #20", "alignd"},
        {CC_PURECAP, "struct P { void *a, *b; }; void f(struct P *x, struct P *y) { *x = *y; }", "ldp c", "ldr"},
        {CC_PURECAP, "int f(char *a, char *b) { return a < b; }", "cmp x0, x1", "chk"},
        {CC_PURECAP, "void f(void) { }", "ret c30", "ret x30"},
    };
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        char *code = dump(rows[i].text, rows[i].abi, CC_IDEAL);
        if (strcmp(rows[i].has, ":lo12:") != 0) cr_expect(strstr(code, rows[i].has) != NULL, "%s: %s\n%s", rows[i].text, rows[i].has, code);
        cr_expect(strstr(code, rows[i].has_not) == NULL, "%s: %s\n%s", rows[i].text, rows[i].has_not, code);
        free(code);
    }
}

Test(cc_emit, frames_by_pairs)
{
    char *code = dump("int g(int); int f(int a, int b) { return g(a) + g(b); }", CC_HYBRID, CC_IDEAL);
    cr_expect(strstr(code, "stp x29, x30, [sp, #-32]!") != NULL, "%s", code);
    cr_expect(eq(u32, count(code, "stp"), 2), "%s", code);
    cr_expect(eq(u32, count(code, "ldp"), 2), "%s", code);
    cr_expect(strstr(code, "mov x0, x") == NULL || strstr(code, "mov x0, x19") != NULL, "the first argument is still in place\n%s", code);
    free(code);
}

// The habits of clang for Morello (cc.profile) cost instructions in purecap and nothing in hybrid.
Test(cc_emit, code_habits)
{
    static const char text[] = "struct P { void *a, *b; }; void f(struct P *x, struct P *y) { *x = *y; }\n"
                               "int g(char *p) { return p == (char *)3; }\n"
                               "int h(void *p) { return ((unsigned long)p & 1) ? 5 : 6; }\n";
    char *ideal = dump(text, CC_PURECAP, CC_IDEAL), *habits = dump(text, CC_PURECAP, CC_LLVM_MORELLO);
    cr_expect(count(habits, "\n") > count(ideal, "\n"), "%s\n%s", ideal, habits);
    cr_expect(eq(u32, count(ideal, "ldp c"), 1), "%s", ideal);
    cr_expect(eq(u32, count(habits, "ldp c"), 0), "%s", habits);
    free(ideal), free(habits);
    ideal = dump(text, CC_HYBRID, CC_IDEAL), habits = dump(text, CC_HYBRID, CC_LLVM_MORELLO);
    cr_expect(eq(str, ideal, habits));
    free(ideal), free(habits);
}

Test(cc_emit, errors_in_asm)
{
    CcOptions opt = {.abi = CC_HYBRID, .opt_level = 2};
    Buf out = {0};
    Err err = {0};
    CcSource s = {"t.c", "int x;\nvoid f(void) {\n  __asm__ volatile(\"nop\\n frob x0\");\n}\n"};
    cr_expect(not(cc_dump(&s, &opt, "asm", &out, &err)));
    cr_expect(eq(str, err.file, (char *)"t.c"));
    cr_expect(eq(u32, err.line, 3), "%s", err.text);
    cr_expect(strstr(err.hint, "frob x0") != NULL, "%s / %s", err.text, err.hint);
    buf_free(&out);
}
