// Guest memory: mapping, limits, outside access with tags, the checked access of system calls, and the TLB's promises.
#include "mem/mem.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

enum { RW = MEM_READ | MEM_WRITE | MEM_TAGS };

static Cap bounded(u64 base, u64 len)
{
    bool exact;
    return cap_set_bounds(cap_set_value(CAP_ALMIGHTY, base), len, &exact);
}

Test(mem, mapping_and_limit)
{
    Mem *m = mem_new(4 * MEM_PAGE);
    cr_expect(mem_map(m, 0x10000, 2 * MEM_PAGE, RW));
    cr_expect(eq(u64, mem_mapped_bytes(m), 2 * MEM_PAGE));
    cr_expect(mem_map(m, 0x20000, 3 * MEM_PAGE, RW) == false, "over the limit");
    cr_expect(eq(u64, mem_mapped_bytes(m), 2 * MEM_PAGE));
    cr_expect(mem_map(m, 0x11000, 3 * MEM_PAGE, RW), "one page is replaced");
    cr_expect(mem_is_mapped(m, 0x10000, 4 * MEM_PAGE));
    cr_expect(mem_is_mapped(m, 0x10000, 4 * MEM_PAGE + 1) == false);
    mem_unmap(m, 0x11000, MEM_PAGE);
    cr_expect(mem_is_mapped(m, 0x10fff, 1));
    cr_expect(mem_is_mapped(m, 0x10fff, 2) == false);
    mem_unmap(m, 0, ~0ULL << MEM_PAGE_SHIFT);
    cr_expect(eq(u64, mem_mapped_bytes(m), 0));
    mem_free(m);
}

// Random mapping and unmapping against a plain array of what should be there.
Test(mem, table_survives_removals)
{
    enum { N = 300 };
    bool there[N] = {0};
    Mem *m = mem_new(N * MEM_PAGE);
    u64 seed = 12345;
    for (u32 step = 0; step < 20000; step++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        u32 i = (u32)(seed >> 33) % N;
        u64 addr = ((u64)i * 0x10001) << 20; // spread widely
        if (seed >> 63) mem_map(m, addr, MEM_PAGE, RW), there[i] = true;
        else mem_unmap(m, addr, MEM_PAGE), there[i] = false;
        if (step % 500 == 0)
            for (u32 k = 0; k < N; k++) {
                u64 at = ((u64)k * 0x10001) << 20;
                cr_expect(mem_is_mapped(m, at, 1) == there[k], "step %u page %u", step, k);
            }
    }
    mem_free(m);
}

Test(mem, outside_write_clears_tags_across_pages)
{
    Mem *m = mem_new(1 << 20);
    mem_map(m, 0x10000, 2 * MEM_PAGE, RW);
    for (u64 a = 0x10fe0; a < 0x11020; a += 16) mem_write_cap(m, a, CAP_ALMIGHTY);
    u8 bytes[17] = {0};
    cr_expect(mem_write(m, 0x10fff, bytes, 17)); // last byte of one page, first granule of the next
    Cap c;
    static const struct { u64 addr; bool tag; } t[] = {{0x10fe0, true}, {0x10ff0, false}, {0x11000, false}, {0x11010, true}};
    for (u32 i = 0; i < ARRAY_LEN(t); i++) {
        mem_read_cap(m, t[i].addr, &c);
        cr_expect(c.tag == t[i].tag, "granule %u", i);
    }
    cr_expect(mem_write(m, 0x11ff0, bytes, 17) == false, "past the end");
    mem_free(m);
}

Test(mem, a_write_that_cannot_be_whole_is_not_begun)
{
    Mem *m = mem_new(1 << 20);
    mem_map(m, 0x10000, MEM_PAGE, RW);
    u8 ones[32], got = 0;
    memset(ones, 0xff, sizeof ones);
    cr_expect(mem_write(m, 0x10ff0, ones, 32) == false);
    mem_read(m, 0x10ff0, &got, 1);
    cr_expect(eq(u8, got, 0));
    mem_free(m);
}

Test(mem, system_calls_are_checked)
{
    Mem *m = mem_new(1 << 20);
    mem_map(m, 0x10000, MEM_PAGE, RW);
    mem_map(m, 0x11000, MEM_PAGE, MEM_READ);
    Cap good = bounded(0x10000, 64), untagged = good, sealed = cap_seal(good, 77), no_store = cap_clear_perms(good, CAP_PERM_STORE);
    untagged.tag = false;
    u8 b[128] = {0};
    cr_expect(mem_write_guest(m, &good, 0x10000, b, 64) == MEM_OK);
    cr_expect(mem_write_guest(m, &good, 0x10000 | 5ULL << 56, b, 64) == MEM_OK, "flags of the address do not count");
    cr_expect(mem_write_guest(m, &good, 0x10001, b, 64) == MEM_DENIED_CAP_BOUNDS);
    cr_expect(mem_write_guest(m, &untagged, 0x10000, b, 1) == MEM_DENIED_CAP_TAG);
    cr_expect(mem_write_guest(m, &sealed, 0x10000, b, 1) == MEM_DENIED_CAP_SEALED);
    cr_expect(mem_write_guest(m, &no_store, 0x10000, b, 1) == MEM_DENIED_CAP_PERM);
    cr_expect(mem_read_guest(m, &no_store, 0x10000, b, 1) == MEM_OK);
    cr_expect(mem_write_guest(m, NULL, 0x10fff, b, 2) == MEM_DENIED_PROT);
    cr_expect(mem_read_guest(m, NULL, 0x10fff, b, 2) == MEM_OK);
    cr_expect(mem_read_guest(m, NULL, 0x11fff, b, 2) == MEM_DENIED_UNMAPPED);
    cr_expect(mem_read_guest(m, NULL, ~0ULL, b, 2) == MEM_DENIED_UNMAPPED);
    mem_free(m);
}

Test(mem, find_free_looks_down)
{
    Mem *m = mem_new(1 << 20);
    cr_expect(eq(u64, mem_find_free(m, 0x10000, 0x20000, 0x1000), 0x1f000));
    mem_map(m, 0x1e000, MEM_PAGE, RW);
    cr_expect(eq(u64, mem_find_free(m, 0x10000, 0x20000, 0x1000), 0x1f000));
    cr_expect(eq(u64, mem_find_free(m, 0x10000, 0x20000, 0x2000), 0x1c000));
    cr_expect(eq(u64, mem_find_free(m, 0x1d000, 0x20000, 0x2000), 0));
    mem_free(m);
}

static u32 s_changes; // of the one test below
static void on_change(void *ctx, u64 addr, u64 len)
{
    (void)ctx, (void)addr, (void)len;
    s_changes++;
}

Test(mem, code_hook_only_for_lines_with_code)
{
    Mem *m = mem_new(1 << 20);
    m->on_code_change = on_change;
    mem_map(m, 0x10000, MEM_PAGE, RW | MEM_EXEC);
    mem_mark_blocks(m, mem_page(m, 0x10000), 0x10100, 16);
    mem_write(m, 0x10000, "x", 1);
    mem_write(m, 0x10140, "x", 1);
    cr_expect(eq(u32, s_changes, 0));
    mem_write(m, 0x10100, "x", 1);
    mem_fill(m, 0x100f0, 0, 64);
    cr_expect(eq(u32, s_changes, 2));
    mem_clear_blocks(m);
    mem_write(m, 0x10100, "x", 1);
    cr_expect(eq(u32, s_changes, 2));
    mem_free(m);
}
