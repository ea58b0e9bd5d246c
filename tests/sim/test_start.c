// test_start.c: registers and first stack of a process, as Linux (hybrid) and PCuABI (purecap) give them.
#include "sim/debug.h"
#include "sim/machine.h"
#include "tests/sim/tiny.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static const char *const argv[] = {"tiny", "one", "two words", NULL}, *const envp[] = {"A=1", NULL};

static Machine *start(bool purecap, u64 seed)
{
    static const u32 words[] = {0xD4000001};
    Buf elf = tiny_elf(purecap, words, 1);
    Machine *m = mac_new(&(MacConfig){.seed = seed});
    Err err = {0};
    cr_assert(mac_load(m, elf.at, elf.len, "tiny", &(MacArgs){argv, envp}, &err), "%s", err.text);
    buf_free(&elf);
    return m;
}

static u64 word(const Machine *m, u64 addr)
{
    u64 v = 0;
    cr_expect(dbg_peek(m, addr, &v, 8), "0x%llx", (unsigned long long)addr);
    return v;
}

static void expect_string(const Machine *m, u64 addr, const char *want)
{
    char got[32] = {0};
    dbg_peek(m, addr, got, strlen(want) + 1);
    cr_expect(eq(str, got, (char *)want));
}

static u64 aux(const Machine *m, u64 at, u64 size, u64 type)
{
    for (;; at += 2 * size) {
        u64 t = word(m, at);
        if (t == type) return at + size;
        cr_assert(t != 0, "type %llu not found", (unsigned long long)type);
    }
}

Test(start, hybrid_stack)
{
    Machine *m = start(false, 1);
    u64 sp = dbg_get_cap(m, DBG_CSP).value;
    cr_expect(eq(u64, sp % 16, 0));
    cr_expect(eq(u64, word(m, sp), 3));
    for (u32 i = 0; i < 3; i++) expect_string(m, word(m, sp + 8 + 8 * i), argv[i]);
    cr_expect(eq(u64, word(m, sp + 32), 0));
    expect_string(m, word(m, sp + 40), "A=1");
    cr_expect(eq(u64, word(m, sp + 48), 0));
    u64 auxv = sp + 56;
    cr_expect(eq(u64, word(m, aux(m, auxv, 8, 6)), 4096));
    cr_expect(eq(u64, word(m, aux(m, auxv, 8, 9)), TINY_CODE));
    cr_expect(eq(u64, word(m, aux(m, auxv, 8, 3)), TINY_TEXT + 64));
    cr_expect(eq(u64, word(m, aux(m, auxv, 8, 5)), 2));
    expect_string(m, word(m, aux(m, auxv, 8, 31)), "tiny");
    u64 random = word(m, word(m, aux(m, auxv, 8, 25)));
    cr_expect(random != 0);
    cr_expect(eq(u64, dbg_get_cap(m, DBG_PCC).value, TINY_CODE));
    cr_expect(not(dbg_get_c64(m)));
    cr_expect(dbg_get_cap(m, DBG_DDC).tag);
    cr_expect(eq(u64, dbg_get_cap(m, DBG_C0).value, 0));
    Machine *same = start(false, 1), *other = start(false, 2);
    cr_expect(eq(u64, word(same, word(same, aux(same, auxv, 8, 25))), random));
    cr_expect(ne(u64, word(other, word(other, aux(other, auxv, 8, 25))), random));
    mac_free(same), mac_free(other), mac_free(m);
}

static Cap cap(const Machine *m, u64 addr)
{
    Cap c = {0};
    cr_expect(dbg_peek_cap(m, addr, &c));
    return c;
}

static void expect_bounds(Cap c, u64 base, u64 len, const char *what)
{
    CapBounds b = cap_bounds(c);
    cr_expect(c.tag, "%s", what);
    cr_expect(eq(u64, b.base, base), "%s", what);
    cr_expect(eq(u64, cap_length_saturated(b), len), "%s", what);
}

Test(start, purecap_registers_and_stack)
{
    Machine *m = start(true, 1);
    Cap csp = dbg_get_cap(m, DBG_CSP), c1 = dbg_get_cap(m, DBG_C0 + 1), c2 = dbg_get_cap(m, DBG_C0 + 2);
    Cap c3 = dbg_get_cap(m, DBG_C0 + 3), pcc = dbg_get_cap(m, DBG_PCC), ddc = dbg_get_cap(m, DBG_DDC);
    u64 sp = csp.value;
    cr_expect(dbg_get_c64(m));
    cr_expect(not(ddc.tag));
    cr_expect(eq(u64, ddc.meta, 0));
    cr_expect(eq(u64, dbg_get_cap(m, DBG_C0).value, 3));
    cr_expect(eq(u64, word(m, sp), 3));
    expect_bounds(csp, 0x7FFFFF000000 - (8 << 20), 8 << 20, "CSP");
    expect_bounds(c1, sp + 16, 4 * 16, "argv");
    expect_bounds(c2, sp + 16 + 4 * 16, 2 * 16, "envp");
    expect_bounds(pcc, TINY_TEXT, TINY_DATA + TINY_DATA_BYTES - TINY_TEXT, "PCC");
    cr_expect(eq(u64, pcc.value, TINY_CODE));
    cr_expect(eq(u32, cap_perms(pcc) & (CAP_PERM_STORE | CAP_PERM_EXECUTE | CAP_PERM_USER0), CAP_PERM_EXECUTE));
    cr_expect(eq(u32, cap_perms(csp) & (CAP_PERM_EXECUTE | CAP_PERM_USER0), 0));
    for (u32 i = 0; i < 3; i++) {
        Cap s = cap(m, c1.value + 16 * i);
        expect_bounds(s, s.value, strlen(argv[i]) + 1, argv[i]);
        expect_string(m, s.value, argv[i]);
    }
    Cap rw = cap(m, aux(m, c3.value, 16, 60)), rx = cap(m, aux(m, c3.value, 16, 61)), stack = cap(m, aux(m, c3.value, 16, 64));
    expect_bounds(rw, TINY_TEXT, TINY_DATA + TINY_DATA_BYTES - TINY_TEXT, "AT_CHERI_EXEC_RW_CAP");
    expect_bounds(rx, TINY_TEXT, TINY_DATA + TINY_DATA_BYTES - TINY_TEXT, "AT_CHERI_EXEC_RX_CAP");
    expect_bounds(stack, 0x7FFFFF000000 - (8 << 20), 8 << 20, "AT_CHERI_STACK_CAP");
    cr_expect(eq(u32, cap_perms(rw) & CAP_PERM_EXECUTE, 0));
    cr_expect(eq(u32, cap_perms(rx) & CAP_PERM_STORE, 0));
    cr_expect(cap_is_sealed(cap(m, aux(m, c3.value, 16, 9))));
    cr_expect(eq(u64, word(m, aux(m, c3.value, 16, 80)), 3));
    expect_bounds(cap(m, aux(m, c3.value, 16, 25)), word(m, aux(m, c3.value, 16, 25)), 16, "AT_RANDOM");
    mac_free(m);
}

Test(start, too_many_arguments)
{
    static const char *many[6000];
    for (u32 i = 0; i < 5999; i++) many[i] = "x";
    static const u32 words[] = {0xD4000001};
    Buf elf = tiny_elf(true, words, 1);
    Machine *m = mac_new(&(MacConfig){.seed = 1});
    Err err = {0};
    cr_expect(not(mac_load(m, elf.at, elf.len, "tiny", &(MacArgs){many, NULL}, &err)));
    cr_expect(eq(int, err.status, CAPLAB_EX_USAGE));
    mac_free(m);
    buf_free(&elf);
}
