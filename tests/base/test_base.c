// Buffers, arenas, bit fields and the shape of an error message.
#include "base/arena.h"
#include "base/bits.h"
#include "base/buf.h"
#include "base/err.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <signal.h>

Test(base_bits, fields)
{
    cr_expect(eq(u64, bits_get(0xabcd1234, 15, 8), 0x12));
    cr_expect(eq(u64, bits_set(0xffffffff, 15, 8, 0), 0xffff00ff));
    cr_expect(eq(i64, bits_sext(0x1ff, 9), -1));
    cr_expect(eq(i64, bits_sext(0x0ff, 9), 255));
    cr_expect(eq(u64, bits_get(~0ULL, 63, 0), ~0ULL));
    cr_expect(eq(u64, bits_align_up(17, 16), 32));
    cr_expect(eq(u64, bits_align_down(31, 16), 16));
}

Test(base_buf, grows_and_stays_terminated)
{
    Buf b = {0};
    cr_expect(eq(str, (char *)buf_text(&b), ""));
    for (int i = 0; i < 1000; i++) buf_printf(&b, "%d,", i);
    cr_expect(eq(sz, b.len, 10 * 2 + 90 * 3 + 900 * 4));
    cr_expect(eq(sz, strlen(buf_text(&b)), b.len));
    buf_align(&b, 64);
    cr_expect(eq(sz, b.len % 64, 0));
    buf_add_int(&b, 0x0102, 2);
    cr_expect(eq(u8, b.at[b.len - 1], 1));
    buf_free(&b);
}

Test(base_arena, memory_of_a_reset_arena_is_zeroed_again)
{
    Arena a = {0};
    u8 *first = arena_alloc(&a, 100);
    memset(first, 0xff, 100);
    memset(arena_alloc(&a, 1 << 20), 0xff, 1 << 20);
    arena_reset(&a);
    u8 *big = arena_alloc(&a, 1 << 20);
    bool is_zero = true;
    for (u32 i = 0; i < 1 << 20; i++) is_zero &= big[i] == 0;
    cr_expect(is_zero);
    u8 *small = arena_alloc(&a, 100);
    for (u32 i = 0; i < 100; i++) cr_expect(eq(u8, small[i], 0));
    arena_free(&a);
    cr_expect(a.chunks == NULL && a.spare == NULL);
}

Test(base_arena, no_bytes_are_a_pointer_too)
{
    Arena a = {0};
    for (u32 round = 0; round < 2; round++) {
        u8 *none = arena_alloc(&a, 0), *some = arena_alloc(&a, 16);
        cr_expect(none != NULL);
        cr_expect(some != NULL && some == none, "no bytes take no room");
        arena_reset(&a);
    }
    arena_free(&a);
    const u64 *numbers = arena_array(&a, u64, 0);
    cr_expect(numbers != NULL);
    arena_free(&a);
}

Test(base_arena, zeroed_and_aligned)
{
    Arena a = {0};
    for (size_t n = 1; n < 100000; n = n * 3 + 1) {
        u8 *p = arena_alloc(&a, n);
        cr_expect(eq(u64, (uintptr_t)p % 16, 0));
        for (size_t i = 0; i < n; i++) cr_assert(p[i] == 0);
        memset(p, 0xff, n);
    }
    cr_expect(eq(str, arena_printf(&a, "%s-%d", "x", 7), "x-7"));
    arena_free(&a);
}

Test(base_err, caret_lines_up_and_first_error_wins)
{
    Err e = {0};
    cr_expect(not(err_at(&e, CAPLAB_EX_DATA, (SrcPos){"p.py", 3, 8}, "\tprint(x\x01)\nnext", "unknown name '%s'", "x")));
    err_hint(&e, "did you mean 'y'?");
    err_set(&e, CAPLAB_EX_USAGE, "later");
    char out[1024];
    err_format(&e, out, sizeof out);
    cr_expect(eq(str, out,
                 (char *)"p.py:3:8: error: unknown name 'x'\n    3 | \tprint(x?)\n      | \t      ^\n  hint: did you mean 'y'?\n"));
    cr_expect(eq(int, e.status, 65));
}

Test(base_check, aborts, .signal = SIGABRT)
{
    int one = 1;
    CHECK(one == 2, "a bug");
}

Test(err, warning_has_status_0)
{
    Err e = {0};
    char out[256];
    err_at(&e, 0, (SrcPos){"a.c", 1, 2}, NULL, "careful");
    err_format(&e, out, sizeof out);
    cr_expect(eq(str, out, (char *)"a.c:1:2: warning: careful\n"));
}
