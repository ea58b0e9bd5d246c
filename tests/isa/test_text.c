// Instruction text: equals GNU objdump's for A64 words and the golden list for capability instructions; print → parse identity;
// errors with column and hint.
#include "isa/table.h"
#include "tests/support/data.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

// Reserved bits that a row ignores do not survive printing: the text must.
static void expect_same_text_back(const char *text, u32 word, bool c64, u64 pc)
{
    u32 back = 0;
    char again[160];
    Err err = {0};
    cr_expect(isa_assemble(text, c64, pc, &back, &err), "%08x '%s': %s", word, text, err.text);
    isa_disassemble(back, c64, pc, again, sizeof again);
    cr_expect(eq(str, again, (char *)text), "%08x → %08x", word, back);
}

Test(isa_text, equals_objdump)
{
    char *data = data_read("isa/objdump.tsv.zst");
    DataRows r = {.at = data};
    u32 n = 0;
    for (; data_next_row(&r); n++) {
        u64 pc = data_hex(r.col[0]);
        u32 word = (u32)data_hex(r.col[1]);
        char text[160];
        isa_disassemble(word, false, pc, text, sizeof text);
        cr_expect(eq(str, text, r.col[2]), "%08x", word);
        expect_same_text_back(text, word, false, pc);
    }
    cr_expect(n > 16000, "%u rows", n);
    free(data);
}

Test(isa_text, capability_instructions)
{
    char *data = data_read("isa/morello-asm.tsv.zst");
    DataRows r = {.at = data};
    u32 n = 0;
    for (; data_next_row(&r); n++) {
        u32 word = (u32)data_hex(r.col[0]);
        for (int c64 = 0; c64 < 2; c64++) {
            char text[160];
            isa_disassemble(word, c64, 0, text, sizeof text);
            cr_expect(eq(str, text, r.col[2 + c64]), "%08x", word);
            u32 back = 0;
            Err err = {0};
            cr_expect(isa_assemble(text, c64, 0, &back, &err), "'%s': %s", text, err.text);
            cr_expect(eq(u32, back, word), "'%s'", text);
        }
        IsaRow row = isa_find_row(word, false);
        cr_assert(row != ISA_NONE);
        cr_expect(eq(str, (char *)isa_row_info(row)->name, r.col[1]), "%08x", word);
    }
    cr_expect(eq(u32, n, 1057));
    free(data);
}

static u64 s_seed = 7;
static u32 random_u32(void)
{
    s_seed ^= s_seed << 13, s_seed ^= s_seed >> 7, s_seed ^= s_seed << 17;
    return (u32)(s_seed >> 16);
}

// A word of the row whose fields are often all zeros, all ones, or (registers) the same: what aliases ask for.
static u32 special_word(const Row *r)
{
    u32 w = r->value, rn = random_u32() & 31;
    for (u32 i = 0; i < r->n_fields; i++) {
        u32 mask = (1U << r->field[i].width) - 1, v = random_u32() & mask, kind = random_u32() % 8;
        if (kind < 2) v = 0;
        if (kind == 2) v = mask;
        if (kind > 5 && r->field[i].width == 5) v = rn;
        w |= v << r->field[i].lo;
    }
    return w;
}

// Every row, both states, any pc.
Test(isa_text, print_parse)
{
    const Table *t = table_get();
    for (u32 row = 1; row < ISA_ROW_COUNT; row++)
        for (int i = 0; i < 200; i++) {
            const Row *r = &t->row[row];
            u32 w = special_word(r);
            if (!table_guard(r->guard, w)) continue;
            u64 pc = (u64)random_u32() << 2;
            char text[160];
            isa_disassemble(w, i & 1, pc, text, sizeof text);
            expect_same_text_back(text, w, i & 1, pc);
        }
}

Test(isa_text, undefined_words)
{
    char text[32];
    isa_disassemble(0xffffffff, false, 0, text, sizeof text);
    cr_expect(eq(str, text, (char *)".inst 0xffffffff"));
    u32 w = 0;
    cr_expect(isa_assemble(text, false, 0, &w, NULL));
    cr_expect(eq(u32, w, 0xffffffff));
}

Test(isa_text, a_small_buffer_is_cut)
{
    char text[8];
    isa_disassemble(0x91002020, false, 0, text, sizeof text);
    cr_expect(eq(str, text, (char *)"add x0,"));
}

// text → word, by hand: what people write rather than what we print
Test(isa_text, spellings)
{
    static const struct {
        const char *line;
        bool c64;
        u32 word;
    } cases[] = {
        {"  MOV X0, #5", false, 0xd28000a0},       {"mov w1,#-1", false, 0x12800001},
        {"mov x0, x1", false, 0xaa0103e0},         {"mov sp, x0", false, 0x9100001f},
        {"mov x2, sp", false, 0x910003e2},         {"mov w3, wzr", false, 0x2a1f03e3},
        {"mov x0, #0x5555555555555555", false, 0xb200f3e0},
        {"add x0, x1, x2", false, 0x8b020020},     {"add sp, sp, x1", false, 0x8b2163ff},
        {"add x0, x1, #0x5000", false, 0x91401420}, {"ldr x0, [x1, #-8]", false, 0xf85f8020},
        {"ldr x0, [sp]", false, 0xf94003e0},       {"ldr x0, [csp]", true, 0xf94003e0},
        {"ldr c0, [csp, #16]", true, 0xc24007e0},  {"ldr c0, [c1, #-16]", true, 0xa25f0020},
        {"ret", false, 0xd65f03c0},                {"ret", true, 0xc2c253c0},
        {"ret c30", true, 0xc2c253c0},             {"cmp c0, c1", true, 0xc2e1981f},
        {"b.hs 0x10", false, 0x54000082},          {"str x30, [sp, #-16]!", false, 0xf81f0ffe},
        {"tbz x3, #3, 8", false, 0x36180043},      {"dc zva, x3", false, 0xd50b7423},
        {"mrs c1, ddc", true, 0xc29b4121},         {"mrs x0, S3_3_C13_C0_2", false, 0xd53bd040},
        {"fmov d0, #1.0", false, 0x1e6e1000},      {"ins v0.d[1], x3", false, 0x4e181c60},
        {"lsl x0, x1, #3", false, 0xd37df020},     {"add c0, c1, x2", true, 0xc2a26020},
        {"ldr x0, [c1]", false, 0x82600c20},       {"bfi x0, x1, #0, #8", false, 0xb3401c20},
        {"lsl x0, x1, #0", false, 0xd340fc20},
    };
    for (u32 i = 0; i < ARRAY_LEN(cases); i++) {
        u32 w = 0;
        Err err = {0};
        cr_expect(isa_assemble(cases[i].line, cases[i].c64, 0, &w, &err), "%s: %s", cases[i].line, err.text);
        cr_expect(eq(u32, w, cases[i].word), "%s", cases[i].line);
    }
}

Test(isa_text, errors)
{
    static const struct {
        const char *line;
        u32 col;
        const char *text, *hint;
    } cases[] = {
        {"frob x0, x1", 1, "unknown instruction 'frob'", ""},
        {"addd x0, x1, x2", 1, "unknown instruction 'addd'", "nearest: adds"},
        {"add x0, x1, #0x1001", 13, "expected 0 to 4095, or that shifted by 12", "nearest valid form: add <Rd|SP>, <Rn|SP>, #<imm12>{, lsl #12}"},
        {"ldr x0, [x1, #8", 16, "expected ']'", "nearest valid form: ldr <Rt>, [<Bn|SP>{, #<offset>}]"},
        {"ldr x0, [d1]", 10, "expected another kind of register", NULL},
        {"svc #70000", 5, "expected a number that fits", "nearest valid form: svc #<imm16>"},
        {"nop nop", 5, "expected the end of the line", NULL},
    };
    for (u32 i = 0; i < ARRAY_LEN(cases); i++) {
        u32 w = 0;
        Err err = {0};
        cr_expect(not(isa_assemble(cases[i].line, false, 0, &w, &err)), "%s", cases[i].line);
        cr_expect(eq(str, err.text, (char *)cases[i].text), "%s", cases[i].line);
        cr_expect(eq(u32, err.col, cases[i].col), "%s", cases[i].line);
        if (cases[i].hint) cr_expect(eq(str, err.hint, (char *)cases[i].hint), "%s", cases[i].line);
    }
}
