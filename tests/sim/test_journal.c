// test_journal.c: what was recorded comes back in the same order at the same instruction counts, and a machine that goes another way is noticed.
#include "sim/journal.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

Test(journal, replays_what_it_recorded)
{
    Journal j = {0};
    JrnAnswer a;
    cr_expect(not(jrn_take(&j, JRN_INPUT, 10, &a)));
    a = jrn_add(&j, JRN_INPUT, 10, 3, "abc", 3);
    cr_expect(eq(i64, a.result, 3));
    jrn_add(&j, JRN_OPEN, 20, -2, NULL, 0);
    a = jrn_add(&j, JRN_INPUT, 30, 2, "de", 2);
    cr_expect(memcmp(a.bytes, "de", 2) == 0);
    cr_expect(not(jrn_is_replaying(&j)));

    jrn_replay_from(&j, 0);
    cr_assert(jrn_take(&j, JRN_INPUT, 10, &a));
    cr_expect(eq(u32, a.len, 3));
    cr_expect(memcmp(a.bytes, "abc", 3) == 0);
    cr_assert(jrn_take(&j, JRN_OPEN, 20, &a));
    cr_expect(eq(i64, a.result, -2));
    jrn_replay_from(&j, 21); // from a checkpoint in the middle
    cr_assert(jrn_take(&j, JRN_INPUT, 30, &a));
    cr_expect(not(jrn_take(&j, JRN_INPUT, 40, &a))); // past the end: recording again
    jrn_add(&j, JRN_INPUT, 40, 0, NULL, 0);
    cr_expect(eq(u32, j.entries.len, 4));
    cr_expect(not(j.is_diverged));
    jrn_free(&j);
}

Test(journal, another_way_drops_the_old_future)
{
    Journal j = {0};
    JrnAnswer a;
    for (u64 i = 1; i <= 3; i++) jrn_add(&j, JRN_INPUT, i * 10, 1, "x", 1);
    jrn_replay_from(&j, 0);
    cr_expect(jrn_take(&j, JRN_INPUT, 10, &a));
    cr_expect(not(jrn_take(&j, JRN_OPEN, 15, &a)));
    cr_expect(j.is_diverged);
    cr_expect(eq(u32, j.entries.len, 1));
    jrn_add(&j, JRN_OPEN, 15, 0, "new", 3);
    cr_expect(not(jrn_is_replaying(&j)));
    jrn_free(&j);
}
