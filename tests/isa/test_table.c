// The instruction table itself: known words, decode → encode identity, no undeclared overlaps, immediates.
#include "base/bits.h"
#include "isa/table.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <signal.h>

static u64 s_seed = 1;
static u32 random_u32(void)
{
    s_seed ^= s_seed << 13, s_seed ^= s_seed >> 7, s_seed ^= s_seed << 17;
    return (u32)(s_seed >> 16);
}

// A random word of the row that its guard accepts; false if none was found.
static bool random_word(const Row *r, u32 *word)
{
    for (int tries = 0; tries < 1000; tries++) {
        *word = (random_u32() & ~r->mask) | r->value;
        if (table_guard(r->guard, *word)) return true;
    }
    return false;
}

Test(isa_table, known_words)
{
    cr_expect(eq(u32, ISA_WORD(ADD_I, .sf = 1, .Rd = 0, .Rn = 1, .imm12 = 8), 0x91002020));
    cr_expect(eq(u32, ISA_WORD(HINT), 0xd503201f));
    cr_expect(eq(u32, ISA_WORD(RET, .Rn = 30), 0xd65f03c0));
    cr_expect(eq(u32, ISA_WORD(LDR_UI, .sf = 1, .Rt = 0, .Rn = 1, .imm12 = 1), 0xf9400420));
    cr_expect(eq(u32, ISA_WORD(LDRSB_UI, .w32 = 1, .Rt = 2, .Rn = 3), 0x39c00062));
    cr_expect(eq(u32, ISA_WORD(STP_PRE, .sf = 1, .Rt = 29, .Rt2 = 30, .Rn = 31, .imm7 = 0x7e), 0xa9bf7bfd));
    cr_expect(eq(u32, ISA_WORD(LDXR, .size = 3, .Rt = 0, .Rn = 1), 0xc85f7c20));
    cr_expect(eq(u32, ISA_WORD(SVC), 0xd4000001));
    cr_expect(eq(u32, isa_find_row(0, false), ISA_UDF));
    cr_expect(eq(u32, isa_find_row(0xffffffff, false), ISA_NONE));
}

Test(isa_table, decode_encode)
{
    const Table *t = table_get();
    for (u32 row = 1; row < ISA_ROW_COUNT; row++) {
        for (int i = 0; i < 200; i++) {
            u32 w;
            cr_assert(random_word(&t->row[row], &w), "%s: the guard accepts nothing", t->row[row].info.name);
            IsaInsn in;
            cr_assert(isa_decode(w, i & 1, &in), "%s: %08x has no row", t->row[row].info.name, w);
            cr_assert(eq(u32, isa_encode(in.row, in.f), w), "%s", t->row[row].info.name);
        }
    }
}

// Linear search must agree with the tree, for words of rows and for any words.
Test(isa_table, index_equals_linear_search)
{
    const Table *t = table_get();
    for (int i = 0; i < 20000; i++) {
        u32 w = random_u32();
        if (i & 1) random_word(&t->row[1 + random_u32() % (ISA_ROW_COUNT - 1)], &w);
        u32 want = ISA_NONE;
        for (u32 row = 1; row < ISA_ROW_COUNT && want == ISA_NONE; row++)
            if ((w & t->row[row].mask) == t->row[row].value && table_guard(t->row[row].guard, w)) want = row;
        cr_assert(eq(u32, isa_find_row(w, false), want), "%08x", w);
    }
}

// Two rows overlap if one word fits both patterns and both guards; pairs are declared in overlap.def, and none of those is stale.
static bool rows_share_a_word(const Row *a, const Row *b)
{
    if ((a->value ^ b->value) & a->mask & b->mask) return false;
    u32 fixed = a->mask | b->mask, value = a->value | b->value;
    for (int i = 0; i < 4000; i++) {
        u32 w = (random_u32() & ~fixed) | value;
        if (table_guard(a->guard, w) && table_guard(b->guard, w)) return true;
    }
    return false;
}

Test(isa_table, no_undeclared_overlap)
{
    static const struct {
        IsaRow first, second;
    } declared[] = {
        {ISA_NONE, ISA_NONE},
#define OVERLAP(a, b) {ISA_##a, ISA_##b},
#include "isa/def/overlap.def"
#undef OVERLAP
    };
    bool seen[ARRAY_LEN(declared)] = {true};
    const Table *t = table_get();
    for (u32 i = 1; i < ISA_ROW_COUNT; i++)
        for (u32 j = i + 1; j < ISA_ROW_COUNT; j++) {
            if (!rows_share_a_word(&t->row[i], &t->row[j])) continue;
            bool ok = false;
            for (u32 k = 1; k < ARRAY_LEN(declared); k++)
                if (declared[k].first == i && declared[k].second == j) ok = seen[k] = true;
            cr_expect(ok, "%s and %s share words", t->row[i].info.name, t->row[j].info.name);
        }
    for (u32 k = 0; k < ARRAY_LEN(declared); k++) cr_expect(seen[k], "stale declaration %u", k);
}

// Each pattern, by its own text: digits and field widths add up to 32 (the table compiler checks it too, but aborts).
Test(isa_table, width_of_every_row)
{
    const Table *t = table_get();
    for (u32 row = 1; row < ISA_ROW_COUNT; row++) {
        const Row *r = &t->row[row];
        u32 bits = (u32)__builtin_popcount(r->mask), covered = r->mask;
        for (u32 i = 0; i < r->n_fields; i++) {
            bits += r->field[i].width;
            covered |= (u32)bits_mask(r->field[i].width) << r->field[i].lo;
        }
        cr_expect(eq(u32, bits, 32), "%s", r->info.name);
        cr_expect(eq(u32, covered, ~0u), "%s", r->info.name);
    }
}

// Flags that the simulator counts by follow from the class.
Test(isa_table, flags_fit_the_class)
{
    const u32 loads = ISA_F_LD1 | ISA_F_LD2, stores = ISA_F_ST1 | ISA_F_ST2;
    for (u32 row = 1; row < ISA_ROW_COUNT; row++) {
        const IsaRowInfo *r = isa_row_info(row);
        bool is_load = r->cls == ISA_CLS_LOAD || r->cls == ISA_CLS_CAPLOAD, is_store = r->cls == ISA_CLS_STORE || r->cls == ISA_CLS_CAPSTORE;
        bool loads_some = r->flags & loads, stores_some = r->flags & stores, ends = r->flags & ISA_F_END;
        bool one_kind = (r->flags & loads) != loads && (r->flags & stores) != stores;
        if (is_load && !strstr(r->name, "PRF")) cr_expect(loads_some && !stores_some, "%s", r->name);
        if (is_store) cr_expect(stores_some && !loads_some, "%s", r->name);
        if (r->cls == ISA_CLS_BRANCH) cr_expect(ends, "%s", r->name);
        cr_expect(one_kind, "%s", r->name);
        if (r->flags & ISA_F_CALL) cr_expect(r->cls == ISA_CLS_BRANCH, "%s", r->name);
    }
}

Test(isa_table, field_that_does_not_fit_is_a_bug, .signal = SIGABRT) { ISA_WORD(ADD_I, .imm12 = 4096); }
Test(isa_table, field_of_another_row_is_a_bug, .signal = SIGABRT) { ISA_WORD(ADD_I, .imm9 = 1); }

Test(isa_imm, bitmasks)
{
    // Every encodable value decodes to itself: all element sizes, lengths and rotations.
    for (u32 bits = 0; bits < 1 << 13; bits++) {
        u32 N = bits >> 12, immr = bits >> 6 & 63, imms = bits & 63;
        for (u32 sf = 0; sf < 2; sf++) {
            u32 word = sf << 31 | N << 22 | immr << 16 | imms << 10; // the guard looks at these only
            IsaFields f = {0};
            if (!table_guard(ISA_GUARD_BITMASK, word)) continue;
            u64 v = isa_decode_bitmask(N, immr, imms, sf);
            cr_assert(isa_encode_bitmask(v, sf, &f), "%llx", (unsigned long long)v);
            cr_assert(eq(u64, isa_decode_bitmask(f.N, f.immr, f.imms, sf), v));
        }
    }
    IsaFields f = {0};
    cr_expect(not(isa_encode_bitmask(0, true, &f)));
    cr_expect(not(isa_encode_bitmask(~0ULL, true, &f)));
    cr_expect(not(isa_encode_bitmask(0xffffffff, false, &f)));
    cr_expect(not(isa_encode_bitmask(5, true, &f)));
    cr_expect(isa_encode_bitmask(0x00ff00ff00ff00ffULL, true, &f));
    cr_expect(eq(u32, f.N << 12 | f.immr << 6 | f.imms, 0x27));
}

Test(isa_imm, floating_point)
{
    u32 imm8;
    cr_expect(isa_encode_fp_imm(1.0, &imm8));
    cr_expect(eq(u32, imm8, 0x70));
    cr_expect(isa_encode_fp_imm(-31.0, &imm8));
    cr_expect(eq(dbl, isa_decode_fp_imm(imm8), -31.0));
    cr_expect(not(isa_encode_fp_imm(0.0, &imm8)));
    cr_expect(not(isa_encode_fp_imm(0.1, &imm8)));
}
