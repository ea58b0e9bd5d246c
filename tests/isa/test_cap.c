// The capability format: every row of the golden tables in tests/data/isa, and random capabilities against tests/support/cap_model.
#include "isa/cap_inline.h"
#include "tests/support/cap_model.h"
#include "tests/support/data.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

static u128 top_of(CapBounds b) { return (u128)b.top_hi << 64 | b.top_lo; }

Test(isa_cap, decode_table)
{
    char *text = data_read("isa/cap-decode.tsv.zst");
    DataRows r = {.at = text};
    u32 n = 0;
    for (; data_next_row(&r); n++) {
        Cap c = {data_hex(r.col[1]), data_hex(r.col[0]), false};
        CapBounds b = cap_bounds(c);
        cr_expect(eq(u64, b.base, data_hex(r.col[2])), "line %u", r.line);
        cr_expect(top_of(b) == data_hex128(r.col[3]), "line %u: top %u:%llx", r.line, b.top_hi, (unsigned long long)b.top_lo);
        cr_expect(eq(u8, b.exponent, atoi(r.col[4])), "line %u", r.line);
        cr_expect(eq(int, b.is_valid, atoi(r.col[5])), "line %u", r.line);
        cr_expect(eq(u32, cap_perms(c), data_hex(r.col[6])), "line %u", r.line);
        cr_expect(eq(u32, cap_otype(c), data_hex(r.col[7])), "line %u", r.line);
        cr_expect(eq(int, cap_is_sealed(c), atoi(r.col[8])), "line %u", r.line);
    }
    cr_expect(eq(u32, n, 20000));
    free(text);
}

Test(isa_cap, setbounds_table)
{
    char *text = data_read("isa/cap-setbounds.tsv.zst");
    DataRows r = {.at = text};
    u32 n = 0;
    for (; data_next_row(&r); n++) {
        Cap c = {data_hex(r.col[1]), data_hex(r.col[0]), atoi(r.col[2])};
        bool exact;
        Cap out = cap_set_bounds(c, data_hex128(r.col[3]), &exact);
        out.tag &= !cap_is_sealed(c); // the instruction's part of the rule
        cr_expect(eq(u64, out.meta, data_hex(r.col[4])), "line %u", r.line);
        cr_expect(eq(u64, out.value, data_hex(r.col[5])), "line %u", r.line);
        cr_expect(eq(int, out.tag, atoi(r.col[6])), "line %u", r.line);
        cr_expect(eq(int, exact, atoi(r.col[7])), "line %u", r.line);
        cr_expect(eq(int, out.tag && exact, atoi(r.col[8])), "line %u", r.line);
        CapBounds b = cap_bounds(out);
        cr_expect(eq(u64, b.base, data_hex(r.col[9])), "line %u", r.line);
        cr_expect(top_of(b) == data_hex128(r.col[10]), "line %u", r.line);
    }
    cr_expect(eq(u32, n, 20000));
    free(text);
}

Test(isa_cap, setaddr_table)
{
    char *text = data_read("isa/cap-setaddr.tsv.zst");
    DataRows r = {.at = text};
    u32 n = 0;
    for (; data_next_row(&r); n++) {
        Cap c = {data_hex(r.col[1]), data_hex(r.col[0]), true};
        u64 to = data_hex(r.col[2]);
        cr_expect(eq(int, cap_is_representable(c, to), atoi(r.col[5])), "line %u", r.line);
        cr_expect(eq(int, cap_is_representable_fast(c, to - c.value), atoi(r.col[6])), "line %u", r.line);
        Cap set = cap_set_value(c, to), add = cap_add(c, to - c.value);
        cr_expect(eq(int, set.tag, atoi(r.col[7])), "line %u", r.line);
        cr_expect(eq(int, add.tag, atoi(r.col[8])), "line %u", r.line);
        cr_expect(set.value == to && add.value == to && set.meta == c.meta && add.meta == c.meta, "line %u", r.line);
    }
    cr_expect(eq(u32, n, 20000));
    free(text);
}

Test(isa_cap, rrmask_table)
{
    char *text = data_read("isa/cap-rrmask.tsv.zst");
    DataRows r = {.at = text};
    u32 n = 0;
    for (; data_next_row(&r); n++) {
        u64 len = data_hex(r.col[0]);
        cr_expect(eq(u64, cap_representable_mask(len), data_hex(r.col[1])), "line %u", r.line);
        cr_expect(eq(u64, cap_representable_length(len), data_hex(r.col[2])), "line %u", r.line);
    }
    cr_expect(eq(u32, n, 5000));
    free(text);
}

static u64 s_seed = 88172645463325252ULL;
static u64 random_u64(void)
{
    s_seed ^= s_seed << 13, s_seed ^= s_seed >> 7, s_seed ^= s_seed << 17;
    return s_seed;
}
// Sparse and dense numbers of every length, positive and negative.
static u64 random_number(void)
{
    u64 v = random_u64() >> (random_u64() & 63);
    if (random_u64() & 1) v &= random_u64();
    return random_u64() & 1 ? v : ~v + (random_u64() & 1);
}

// Either any word, or what set_bounds made from something (so that bounds make sense).
static Cap random_cap(void)
{
    Cap c = {random_number(), random_u64(), random_u64() & 1};
    if (random_u64() % 4 == 0) return c;
    bool exact;
    c = model_set_bounds((Cap){c.value, CAP_ALMIGHTY.meta, true}, random_number(), &exact);
    c.value += random_number() >> 40;
    return c;
}

Test(isa_cap, equals_the_slow_model)
{
    for (int i = 0; i < 200000; i++) {
        Cap c = random_cap();
        u64 v = random_number();
        CapBounds b = cap_bounds(c);
        ModelBounds m = model_bounds(c);
        cr_assert(b.base == m.base && top_of(b) == m.limit && b.is_valid == m.is_valid, "bounds of %016llx %016llx",
                  (unsigned long long)c.meta, (unsigned long long)c.value);
        bool exact, model_exact;
        Cap x[3] = {cap_set_value(c, v), cap_add(c, v), cap_set_bounds(c, v, &exact)};
        Cap y[3] = {model_set_value(c, v), model_add(c, v), model_set_bounds(c, v, &model_exact)};
        for (int k = 0; k < 3; k++)
            cr_assert(x[k].value == y[k].value && x[k].meta == y[k].meta && x[k].tag == y[k].tag,
                      "operation %d on %016llx %016llx with %016llx", k, (unsigned long long)c.meta,
                      (unsigned long long)c.value, (unsigned long long)v);
        cr_assert(exact == model_exact);
        cr_assert(eq(u64, cap_representable_mask(v), model_mask(v)));
    }
}

Test(isa_cap, in_bounds_at_the_edges)
{
    bool exact;
    Cap c = cap_set_bounds((Cap){0x1000, CAP_ALMIGHTY.meta, true}, 64, &exact);
    CapBounds b = cap_bounds(c);
    cr_expect(c.tag && exact);
    cr_expect(cap_in_bounds(b, 0x1000, 64));
    cr_expect(not(cap_in_bounds(b, 0x1000, 65)));
    cr_expect(not(cap_in_bounds(b, 0xfff, 1)));
    cr_expect(cap_in_bounds(b, 0x1040, 0));
    cr_expect(not(cap_in_bounds(b, 0x1041, 0)));
    b = cap_bounds(CAP_ALMIGHTY);
    cr_expect(cap_in_bounds(b, ~0ULL, 1));
    cr_expect(not(cap_in_bounds(b, ~0ULL, 2)));
    cr_expect(eq(u64, cap_length_saturated(b), ~0ULL));
}

Test(isa_cap, text)
{
    char s[128];
    bool exact;
    Cap c = cap_set_bounds((Cap){0x130b60, CAP_ALMIGHTY.meta, true}, 4, &exact);
    cap_format(cap_clear_perms(c, CAP_PERM_EXECUTE | CAP_PERM_EXECUTIVE), s, sizeof s);
    cr_expect(eq(str, s, (char *)"0x130b60 [rwRW,0x130b60-0x130b64]"));
    cap_format(cap_seal(c, CAP_OTYPE_RB), s, sizeof s);
    cr_expect(eq(str, s, (char *)"0x130b60 [rwxRWE,0x130b60-0x130b64] (sentry)"));
    c.tag = false;
    cap_format(cap_seal(c, 5), s, sizeof s);
    cr_expect(eq(str, s, (char *)"0x130b60 [rwxRWE,0x130b60-0x130b64] (invalid,sealed)"));
    cap_format((Cap){42, 0, false}, s, sizeof s);
    cr_expect(eq(str, s, (char *)"0x2a"));
    cap_format(CAP_ALMIGHTY, s, sizeof s);
    cr_expect(eq(str, s, (char *)"0x0 [rwxRWE,0x0-0x10000000000000000]"));
}

Test(isa_cap, bytes)
{
    u8 b[16];
    Cap c = {0x0102030405060708ULL, 0x1112131415161718ULL, true};
    cap_to_bytes(c, b);
    cr_expect(eq(u8, b[0], 8));
    cr_expect(eq(u8, b[15], 0x11));
    Cap d = cap_from_bytes(b, false);
    cr_expect(d.value == c.value && d.meta == c.meta && !d.tag);
}
