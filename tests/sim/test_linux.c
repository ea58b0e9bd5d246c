// test_linux.c: system calls, one at a time: registers are set, one SVC is executed, the answer is looked at. Hybrid and purecap.
#include "sim/debug.h"
#include "sim/machine.h"
#include "tests/sim/tiny.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ = 63, WRITE = 64, READV = 65, WRITEV = 66, OPENAT = 56, CLOSE = 57, LSEEK = 62, PREAD = 67, READLINKAT = 78, NEWFSTATAT = 79,
       FSTAT = 80, EXIT_GROUP = 94, CLOCK_GETTIME = 113, TGKILL = 131, BRK = 214, MUNMAP = 215, MMAP = 222, MPROTECT = 226, PRLIMIT = 261,
       GETRANDOM = 278 };
enum { EBADF = 9, EFAULT = 14, EINVAL = 22, ENOENT = 2, ENOMEM = 12, EROFS = 30, ENOSYS = 38, ERESERVATION = 192 };
static const u64 SCRATCH = TINY_DATA + 64;

static Machine *start(bool purecap)
{
    static const u32 words[] = {0xD4000001, 0x17FFFFFF}; // svc #0; b .-4
    static const char *const argv[] = {"tiny", "one", NULL}, *const envp[] = {"A=1", NULL};
    Buf elf = tiny_elf(purecap, words, 2);
    Machine *m = mac_new(&(MacConfig){.seed = 1, .ssbs = true, .probes = true});
    Err err = {0};
    cr_assert(mac_load(m, elf.at, elf.len, "tiny", &(MacArgs){argv, envp}, &err), "%s", err.text);
    buf_free(&elf);
    return m;
}

// Executes the SVC with the registers as they are; stops other than BUDGET go to *stop.
static i64 svc(Machine *m, u64 number, EvStop *stop)
{
    Cap pcc = dbg_get_cap(m, DBG_PCC);
    pcc.value = TINY_CODE;
    dbg_set_cap(m, DBG_PCC, pcc);
    dbg_set_x(m, 8, number);
    EvStop s = mac_run(m, 1);
    if (stop) *stop = s;
    else cr_expect(eq(int, (int)s, (int)EV_STOP_BUDGET), "call %llu", (unsigned long long)number);
    return (i64)dbg_get_cap(m, DBG_C0).value;
}

static i64 sys(Machine *m, u64 number, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f)
{
    u64 x[6] = {a, b, c, d, e, f};
    for (u32 i = 0; i < 6; i++) dbg_set_x(m, i, x[i]);
    return svc(m, number, NULL);
}

static Cap bounded(u64 base, u64 len)
{
    bool exact;
    return cap_set_bounds(cap_set_value(CAP_ALMIGHTY, base), len, &exact);
}

static void put(Machine *m, u64 addr, const void *bytes, size_t len) { cr_assert(dbg_poke(m, addr, bytes, len)); }

Test(personality, write_goes_to_its_descriptor_in_order)
{
    Machine *m = start(false);
    put(m, SCRATCH, "hello world", 12);
    cr_expect(eq(i64, sys(m, WRITE, 1, SCRATCH, 5, 0, 0, 0), 5));
    cr_expect(eq(i64, sys(m, WRITE, 2, SCRATCH + 6, 5, 0, 0, 0), 5));
    cr_expect(eq(i64, sys(m, WRITE, 1, SCRATCH, 0, 0, 0, 0), 0));
    cr_expect(eq(i64, sys(m, WRITE, 0, SCRATCH, 1, 0, 0, 0), -EBADF));
    cr_expect(eq(i64, sys(m, WRITE, 77, SCRATCH, 1, 0, 0, 0), -EBADF));
    cr_expect(eq(i64, sys(m, WRITE, ~0ULL, SCRATCH, 1, 0, 0, 0), -EBADF));
    cr_expect(eq(i64, sys(m, WRITE, 1, 0, 1, 0, 0, 0), -EFAULT));
    cr_expect(eq(i64, sys(m, WRITE, 1, TINY_DATA + TINY_DATA_BYTES - 1, 2, 0, 0, 0), -EFAULT));
    cr_expect(eq(i64, sys(m, WRITE, 1, SCRATCH, ~0ULL, 0, 0, 0), -EFAULT));
    Buf out = {0};
    int fd;
    mac_take_output(m, &out, &fd);
    cr_expect(eq(int, fd, 1));
    cr_expect(eq(str, (char *)buf_text(&out), (char *)"hello"));
    out.len = 0;
    mac_take_output(m, &out, &fd);
    cr_expect(eq(int, fd, 2));
    cr_expect(eq(str, (char *)buf_text(&out), (char *)"world"));
    mac_take_output(m, &out, &fd);
    cr_expect(eq(int, fd, 0));
    buf_free(&out);
    mac_free(m);
}

Test(personality, writev_and_readv)
{
    Machine *m = start(false);
    u64 vec[4] = {SCRATCH + 64, 3, SCRATCH + 67, 2};
    put(m, SCRATCH, vec, sizeof vec);
    put(m, SCRATCH + 64, "abcde", 5);
    cr_expect(eq(i64, sys(m, WRITEV, 1, SCRATCH, 2, 0, 0, 0), 5));
    mac_add_input(m, (const u8 *)"12345678", 8, true);
    cr_expect(eq(i64, sys(m, READV, 0, SCRATCH, 2, 0, 0, 0), 3));
    char got[6] = {0};
    dbg_peek(m, SCRATCH + 64, got, 5);
    cr_expect(eq(str, got, (char *)"123de"));
    mac_free(m);
}

Test(personality, read_waits_for_input_without_counting)
{
    Machine *m = start(false);
    EvStop stop;
    dbg_set_x(m, 0, 0);
    dbg_set_x(m, 1, SCRATCH);
    dbg_set_x(m, 2, 4);
    svc(m, READ, &stop);
    cr_expect(eq(int, (int)stop, (int)EV_STOP_INPUT));
    cr_expect(eq(u64, mac_insns(m), 0));
    cr_expect(eq(u64, dbg_get_cap(m, DBG_PCC).value, TINY_CODE));
    mac_add_input(m, (const u8 *)"abcdef", 6, false);
    cr_expect(eq(int, (int)mac_run(m, 1), (int)EV_STOP_BUDGET));
    cr_expect(eq(u64, dbg_get_cap(m, DBG_C0).value, 4));
    cr_expect(eq(i64, sys(m, READ, 0, SCRATCH, 100, 0, 0, 0), 2));
    mac_add_input(m, NULL, 0, true);
    cr_expect(eq(i64, sys(m, READ, 0, SCRATCH, 100, 0, 0, 0), 0));
    mac_free(m);
}

Test(personality, virtual_files)
{
    Machine *m = start(false);
    mac_add_file(m, "prog.mpy", (const u8 *)"0123456789", 10);
    put(m, SCRATCH, "prog.mpy", 9);
    put(m, SCRATCH + 32, "nothing", 8);
    i64 fd = sys(m, OPENAT, (u64)-100, SCRATCH, 0, 0, 0, 0);
    cr_expect(eq(i64, fd, 3));
    cr_expect(eq(i64, sys(m, OPENAT, (u64)-100, SCRATCH + 32, 0, 0, 0, 0), -ENOENT));
    cr_expect(eq(i64, sys(m, OPENAT, (u64)-100, SCRATCH, 1, 0, 0, 0), -EROFS));
    cr_expect(eq(i64, sys(m, OPENAT, (u64)-100, 4, 0, 0, 0, 0), -EFAULT));
    cr_expect(eq(i64, sys(m, READ, 3, SCRATCH + 64, 4, 0, 0, 0), 4));
    cr_expect(eq(i64, sys(m, LSEEK, 3, (u64)-2, 2, 0, 0, 0), 8));
    cr_expect(eq(i64, sys(m, READ, 3, SCRATCH + 64, 100, 0, 0, 0), 2));
    cr_expect(eq(i64, sys(m, READ, 3, SCRATCH + 64, 100, 0, 0, 0), 0));
    cr_expect(eq(i64, sys(m, LSEEK, 3, (u64)-1, 0, 0, 0, 0), -EINVAL));
    cr_expect(eq(i64, sys(m, PREAD, 3, SCRATCH + 64, 3, 5, 0, 0), 3));
    char got[4] = {0};
    dbg_peek(m, SCRATCH + 64, got, 3);
    cr_expect(eq(str, got, (char *)"567"));
    cr_expect(eq(i64, sys(m, FSTAT, 3, SCRATCH + 128, 0, 0, 0, 0), 0));
    u64 size;
    u32 mode;
    dbg_peek(m, SCRATCH + 128 + 48, &size, 8);
    dbg_peek(m, SCRATCH + 128 + 16, &mode, 4);
    cr_expect(eq(u64, size, 10));
    cr_expect(eq(u32, mode, 0100444));
    cr_expect(eq(i64, sys(m, NEWFSTATAT, (u64)-100, SCRATCH, SCRATCH + 128, 0, 0, 0), 0));
    cr_expect(eq(i64, sys(m, CLOSE, 3, 0, 0, 0, 0, 0), 0));
    cr_expect(eq(i64, sys(m, CLOSE, 3, 0, 0, 0, 0, 0), -EBADF));
    cr_expect(eq(i64, sys(m, READ, 3, SCRATCH, 1, 0, 0, 0), -EBADF));
    mac_free(m);
}

Test(personality, host_files_only_below_the_root)
{
    char dir[] = "/tmp/caplab-root-XXXXXX";
    cr_assert(mkdtemp(dir) != NULL);
    char *inside = xasprintf("%s/inside", dir), *way_out = xasprintf("%s/out", dir);
    FILE *f = fopen(inside, "w");
    fputs("data", f);
    fclose(f);
    cr_assert(symlink("/etc/passwd", way_out) == 0);
    Machine *m = start(false);
    static const struct {
        const char *path;
        i64 answer;
        bool with_root;
    } rows[] = {{"inside", -ENOENT, false}, {"inside", 3, true}, {"out", -ENOENT, true}, {"../../etc/passwd", -ENOENT, true},
                {"/etc/passwd", -ENOENT, true}, {".", -ENOENT, true}};
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        mac_set_root(m, rows[i].with_root ? dir : NULL);
        put(m, SCRATCH, rows[i].path, strlen(rows[i].path) + 1);
        i64 got = sys(m, OPENAT, (u64)-100, SCRATCH, 0, 0, 0, 0);
        cr_expect(eq(i64, got, rows[i].answer), "%s", rows[i].path);
        if (got >= 0) {
            f = fopen(inside, "w"); // an open file does not change
            fputs("other text", f);
            fclose(f);
            cr_expect(eq(i64, sys(m, READ, (u64)got, SCRATCH, 100, 0, 0, 0), 4));
            sys(m, CLOSE, (u64)got, 0, 0, 0, 0, 0);
        }
    }
    mac_free(m);
    remove(inside), remove(way_out), rmdir(dir);
    free(inside), free(way_out);
}

Test(personality, memory_of_a_hybrid_program)
{
    Machine *m = start(false);
    u64 b = (u64)sys(m, BRK, 0, 0, 0, 0, 0, 0);
    cr_expect(eq(u64, b, TINY_DATA + TINY_DATA_BYTES));
    cr_expect(eq(u64, (u64)sys(m, BRK, b + 5000, 0, 0, 0, 0, 0), b + 5000));
    cr_expect(dbg_poke(m, b + 4999, "x", 1));
    cr_expect(eq(u64, (u64)sys(m, BRK, b, 0, 0, 0, 0, 0), b));
    cr_expect(not(dbg_poke(m, b, "x", 1)));
    cr_expect(eq(u64, (u64)sys(m, BRK, 1ULL << 46, 0, 0, 0, 0, 0), b));
    u64 a = (u64)sys(m, MMAP, 0, 8000, 3, 0x22, (u64)-1, 0);
    cr_expect(a % 4096 == 0 && a > b);
    cr_expect(dbg_poke(m, a + 8191, "x", 1));
    cr_expect(not(dbg_poke(m, a + 8192, "x", 1)));
    cr_expect(eq(i64, sys(m, MPROTECT, a, 4096, 1, 0, 0, 0), 0));
    cr_expect(eq(i64, sys(m, MUNMAP, a, 4096, 0, 0, 0, 0), 0));
    cr_expect(not(dbg_poke(m, a, "x", 1)));
    cr_expect(dbg_poke(m, a + 4096, "x", 1));
    cr_expect(eq(i64, sys(m, MPROTECT, a, 4096, 1, 0, 0, 0), -ENOMEM));
    cr_expect(eq(i64, sys(m, MUNMAP, a + 1, 4096, 0, 0, 0, 0), -EINVAL));
    // Sizes that would take the host for ever or more than all.
    cr_expect(eq(i64, sys(m, MMAP, 0, 1ULL << 40, 3, 0x22, (u64)-1, 0), -ENOMEM));
    cr_expect(eq(i64, sys(m, MMAP, 0, ~0ULL, 3, 0x22, (u64)-1, 0), -ENOMEM));
    cr_expect(eq(i64, sys(m, MUNMAP, 0x10000000, 1ULL << 46, 0, 0, 0, 0), 0));
    cr_expect(eq(i64, sys(m, MMAP, 0, 0, 3, 0x22, (u64)-1, 0), -EINVAL));
    cr_expect(eq(i64, sys(m, MMAP, 0, 4096, 3, 2, 7, 0), -EBADF));
    mac_add_file(m, "f", (const u8 *)"file bytes", 10);
    put(m, SCRATCH, "f", 2);
    u64 fd = (u64)sys(m, OPENAT, (u64)-100, SCRATCH, 0, 0, 0, 0);
    u64 p = (u64)sys(m, MMAP, 0, 100, 1, 2, fd, 0);
    char got[11] = {0};
    cr_expect(dbg_peek(m, p, got, 10));
    cr_expect(eq(str, got, (char *)"file bytes"));
    mac_free(m);
}

Test(personality, time_random_and_exit)
{
    Machine *m = start(false), *same = start(false);
    u64 t[2];
    cr_expect(eq(i64, sys(m, CLOCK_GETTIME, 1, SCRATCH, 0, 0, 0, 0), 0));
    dbg_peek(m, SCRATCH, t, 16);
    cr_expect(eq(u64, t[0], 0));
    cr_expect(eq(u64, t[1], 1)); // one instruction, one nanosecond
    cr_expect(eq(i64, sys(m, CLOCK_GETTIME, 1, 3, 0, 0, 0, 0), -EFAULT));
    u8 one[16], two[16];
    cr_expect(eq(i64, sys(m, GETRANDOM, SCRATCH, 16, 0, 0, 0, 0), 16));
    cr_expect(eq(i64, sys(same, GETRANDOM, SCRATCH, 16, 0, 0, 0, 0), 16));
    dbg_peek(m, SCRATCH, one, 16);
    dbg_peek(same, SCRATCH, two, 16);
    cr_expect(memcmp(one, two, 16) == 0); // same seed, also with another machine in the process
    cr_expect(eq(i64, sys(m, PRLIMIT, 0, 3, 0, SCRATCH, 0, 0), 0));
    dbg_peek(m, SCRATCH, t, 16);
    cr_expect(eq(u64, t[0], 8 << 20));
    EvStop stop;
    dbg_set_x(m, 0, 300);
    svc(m, EXIT_GROUP, &stop);
    cr_expect(eq(int, (int)stop, (int)EV_STOP_EXIT));
    cr_expect(eq(int, mac_exit_status(m), 300 & 255));
    dbg_set_x(same, 2, 6);
    svc(same, TGKILL, &stop);
    cr_expect(eq(int, (int)stop, (int)EV_STOP_EXIT));
    cr_expect(eq(int, mac_exit_status(same), 134));
    mac_free(m);
    mac_free(same);
}

static u32 warnings;
static void count_warning(void *ctx, const char *text)
{
    (void)ctx;
    cr_expect(strstr(text, "system call") != NULL, "%s", text);
    warnings++;
}

Test(personality, unknown_calls_warn_once)
{
    Machine *m = start(false);
    mac_on_warning(m, count_warning, NULL);
    for (u32 i = 0; i < 3; i++) {
        cr_expect(eq(i64, sys(m, 500, 0, 0, 0, 0, 0, 0), -ENOSYS));
        cr_expect(eq(i64, sys(m, ~0ULL, 0, 0, 0, 0, 0, 0), -ENOSYS));
    }
    cr_expect(eq(u32, warnings, 2));
    mac_free(m);
}

Test(personality, too_much_output_stops_the_run)
{
    Machine *m = start(false);
    u64 a = (u64)sys(m, MMAP, 0, 1 << 20, 3, 0x22, (u64)-1, 0);
    dbg_set_x(m, 0, 1), dbg_set_x(m, 1, a), dbg_set_x(m, 2, 1 << 20);
    EvStop stop;
    cr_expect(eq(i64, svc(m, WRITE, &stop), 1 << 20));
    cr_expect(eq(int, (int)stop, (int)EV_STOP_OUTPUT));
    mac_free(m);
}

// ---- purecap

Test(personality, purecap_arguments_are_checked_through_their_capabilities)
{
    Machine *m = start(true);
    put(m, SCRATCH, "hello", 5);
    struct {
        const char *what;
        Cap c;
        u64 len;
        i64 answer;
    } rows[] = {
        {"exact", bounded(SCRATCH, 5), 5, 5},
        {"one byte too many", bounded(SCRATCH, 5), 6, -EFAULT},
        {"an integer", (Cap){.value = SCRATCH}, 5, -EFAULT},
        {"no load", cap_clear_perms(bounded(SCRATCH, 5), CAP_PERM_LOAD), 5, -EFAULT},
        {"sealed", cap_seal(bounded(SCRATCH, 5), CAP_OTYPE_RB), 5, -EFAULT},
        {"nothing", CAP_NULL, 0, 0},
    };
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        dbg_set_x(m, 0, 1);
        dbg_set_cap(m, DBG_C0 + 1, rows[i].c);
        dbg_set_x(m, 2, rows[i].len);
        cr_expect(eq(i64, svc(m, WRITE, NULL), rows[i].answer), "%s", rows[i].what);
        cr_expect(not(dbg_get_cap(m, DBG_C0).tag));
    }
    cr_expect(eq(i64, sys(m, BRK, 0, 0, 0, 0, 0, 0), -ENOSYS));
    // writev: elements of 32 bytes with a capability
    dbg_poke_cap(m, SCRATCH + 64, bounded(SCRATCH, 5));
    u64 len = 5;
    put(m, SCRATCH + 80, &len, 8);
    dbg_set_x(m, 0, 1);
    dbg_set_cap(m, DBG_C0 + 1, bounded(SCRATCH + 64, 32));
    dbg_set_x(m, 2, 1);
    cr_expect(eq(i64, svc(m, WRITEV, NULL), 5));
    mac_free(m);
}

static Cap mmap_cap(Machine *m, Cap where, u64 len, u64 prot, u64 flags)
{
    dbg_set_cap(m, DBG_C0, where);
    u64 rest[5] = {len, prot, flags, (u64)-1, 0};
    for (u32 i = 0; i < 5; i++) dbg_set_x(m, i + 1, rest[i]);
    svc(m, MMAP, NULL);
    return dbg_get_cap(m, DBG_C0);
}

static i64 with_cap(Machine *m, u64 number, Cap c, u64 len, u64 arg)
{
    dbg_set_cap(m, DBG_C0, c);
    dbg_set_x(m, 1, len);
    dbg_set_x(m, 2, arg);
    return svc(m, number, NULL);
}

Test(personality, purecap_mmap_gives_owning_capabilities)
{
    Machine *m = start(true);
    Cap c = mmap_cap(m, CAP_NULL, 5000, 3, 0x22);
    cr_expect(c.tag);
    cr_expect(eq(u64, cap_length_saturated(cap_bounds(c)), 8192));
    cr_expect(eq(u32, cap_perms(c) & (CAP_PERM_LOAD | CAP_PERM_STORE | CAP_PERM_EXECUTE | CAP_PERM_USER0),
                 CAP_PERM_LOAD | CAP_PERM_STORE | CAP_PERM_USER0));
    Cap large = mmap_cap(m, CAP_NULL, (5 << 20) + 4096, 3, 0x22);
    CapBounds b = cap_bounds(large);
    cr_expect(large.tag && b.base == large.value);
    cr_expect(eq(u64, cap_length_saturated(b) % 4096, 0));
    Cap plain = cap_clear_perms(c, CAP_PERM_USER0);
    cr_expect(eq(i64, with_cap(m, MPROTECT, plain, 4096, 1), -EINVAL));
    cr_expect(eq(i64, with_cap(m, MUNMAP, plain, 4096, 0), -EINVAL));
    cr_expect(eq(i64, with_cap(m, MUNMAP, (Cap){.value = c.value}, 4096, 0), -EINVAL));
    cr_expect(eq(i64, with_cap(m, MPROTECT, c, 4096, 1), 0));
    cr_expect(eq(i64, with_cap(m, MPROTECT, c, 4096, 7), -EINVAL)); // no Execute to give
    Cap again = mmap_cap(m, c, 4096, 3, 0x32);
    cr_expect(again.tag && again.value == c.value && again.meta == c.meta);
    cr_expect(eq(i64, (i64)mmap_cap(m, c, 4096, 3, 0x22).value, -EINVAL));   // owning, not fixed
    cr_expect(eq(i64, (i64)mmap_cap(m, plain, 4096, 3, 0x32).value, -EINVAL)); // tagged, not owning
    cr_expect(eq(i64, (i64)mmap_cap(m, (Cap){.value = c.value}, 4096, 3, 0x32).value, -ERESERVATION));
    cr_expect(eq(i64, with_cap(m, MUNMAP, c, 8192, 0), 0));
    cr_expect(eq(i64, with_cap(m, MUNMAP, c, 8192, 0), -ERESERVATION));
    cr_expect(not(dbg_poke(m, c.value, "x", 1)));
    cr_expect(eq(i64, (i64)mmap_cap(m, CAP_NULL, 4096, 1 | 3 << 16, 0x22).value > 0, 1)); // PROT_MAX
    cr_expect(eq(i64, (i64)mmap_cap(m, CAP_NULL, 4096, 3 | 1 << 16, 0x22).value, -EINVAL));
    mac_free(m);
}
