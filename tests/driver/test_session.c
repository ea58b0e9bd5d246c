// test_session.c: from a file to a running machine: kinds, steps, places, limits, probes that arrive whole, and two sessions at once.
#include "driver/session.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char program[] = "def f(n):\n"
                              "    t = 0\n"
                              "    for i in range(n):\n"
                              "        t += i\n"
                              "    return t\n"
                              "print(f(5))\n"
                              "x = [1, 2, 3]\n"
                              "print(x[1:])\n";

static DrvSession *open_with(const char *text, const DrvOptions *o)
{
    // The guest sees the last part of the name, so that is the same in every run.
    char dir[] = "/tmp/caplab-session-XXXXXX", path[64];
    cr_assert(mkdtemp(dir) != NULL);
    snprintf(path, sizeof path, "%s/prog.py", dir);
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    Err err = {0};
    DrvSession *s = drv_open(o, path, NULL, &err);
    remove(path);
    rmdir(dir);
    cr_assert(s != NULL, "%s:%u: %s", err.file, err.line, err.text);
    return s;
}

static DrvSession *open_text(const char *text, MacAbi abi)
{
    DrvOptions o;
    drv_options_init(&o);
    o.abi = abi;
    return open_with(text, &o);
}

static void take_output(DrvSession *s, Buf *out)
{
    for (int fd = 1; fd;) mac_take_output(drv_machine(s), out, &fd);
}

Test(session, kinds_by_content)
{
    static const struct {
        const char *path, *text;
        DrvKind kind;
    } rows[] = {{"a", "\177ELF\2\1\1", DRV_ELF}, {"a.py", "\177ELF\2\1\1", DRV_ELF}, {"a", "#include <stdio.h>\n", DRV_C},
                {"a.c", "x", DRV_C}, {"a.s", "nop", DRV_S}, {"a", "print(1)\n", DRV_PY}, {"a.py", "int main = 3\n", DRV_PY}};
    for (u32 i = 0; i < ARRAY_LEN(rows); i++)
        cr_expect(eq(int, (int)drv_find_kind(rows[i].path, (const u8 *)rows[i].text, strlen(rows[i].text)), (int)rows[i].kind), "%s %s",
                  rows[i].path, rows[i].text);
}

Test(session, steps_by_line_and_bytecode, .timeout = 300)
{
    for (u32 abi = 0; abi < 2; abi++) {
        DrvSession *s = open_text(program, (MacAbi)abi);
        DrvPlace p;
        cr_expect(not(drv_place(s, &p))); // before the first bytecode
        cr_assert(eq(int, (int)drv_step_bytecode(s, ~0ULL >> 1), (int)EV_STOP_PROBE));
        cr_assert(drv_place(s, &p));
        cr_expect(eq(str, (char *)p.code->name, (char *)"<module>"));
        cr_expect(eq(u32, p.line, 1));
        cr_expect(eq(u32, p.insn_index, 0));
        static const struct {
            const char *code;
            u32 line;
        } lines[] = {{"<module>", 6}, {"f", 2}, {"f", 3}, {"f", 4}, {"f", 3}, {"f", 4}};
        for (u32 i = 0; i < ARRAY_LEN(lines); i++) {
            cr_assert(eq(int, (int)drv_step_line(s, &p, false, ~0ULL >> 1), (int)EV_STOP_PROBE));
            cr_assert(drv_place(s, &p));
            cr_expect(eq(str, (char *)p.code->name, (char *)lines[i].code), "step %u", i);
            cr_expect(eq(u32, p.line, lines[i].line), "step %u", i);
        }
        SnapOpcodes before, after;
        snap_opcodes(drv_machine(s), &before);
        cr_assert(eq(int, (int)drv_step_bytecode(s, ~0ULL >> 1), (int)EV_STOP_PROBE));
        snap_opcodes(drv_machine(s), &after);
        cr_expect(eq(u64, after.bytecodes, before.bytecodes + 1));
        cr_expect(eq(int, (int)drv_run(s, ~0ULL), (int)EV_STOP_EXIT));
        Buf out = {0};
        take_output(s, &out);
        cr_expect(eq(str, (char *)buf_text(&out), (char *)"10\n[2, 3]\n"));
        buf_free(&out);
        drv_close(s);
    }
}

// Over: not into what the line calls, recursion included. A step that does not arrive ends with its budget and is gone on with.
Test(session, steps_over_and_in_slices, .timeout = 300)
{
    static const char text[] = "def f(n):\n"
                               "    if n == 0: return 1\n"
                               "    return n * f(n - 1)\n"
                               "x = f(5)\n"
                               "print(x)\n"
                               "while True: pass\n";
    static const u32 lines[] = {4, 5, 6};
    for (u32 abi = 0; abi < 2; abi++) {
        DrvSession *s = open_text(text, (MacAbi)abi);
        DrvPlace p;
        cr_assert(eq(int, (int)drv_step_line(s, NULL, true, ~0ULL >> 1), (int)EV_STOP_PROBE));
        cr_assert(drv_place(s, &p));
        for (u32 i = 0; i < ARRAY_LEN(lines); i++) {
            u32 slices = 0;
            EvStop stop;
            while ((stop = drv_step_line(s, &p, true, 50)) == EV_STOP_BUDGET) slices++;
            cr_assert(eq(int, (int)stop, (int)EV_STOP_PROBE));
            cr_assert(drv_place(s, &p));
            cr_expect(eq(u32, p.line, lines[i]), "step %u", i);
            cr_expect(slices > 0, "step %u", i);
        }
        u64 before = mac_insns(drv_machine(s));
        cr_expect(eq(int, (int)drv_step_line(s, &p, false, 12345), (int)EV_STOP_BUDGET));
        cr_expect(eq(u64, mac_insns(drv_machine(s)) - before, 12345));
        drv_close(s);
    }
}

// Stepping must not change what is counted.
Test(session, stepping_equals_running, .timeout = 300)
{
    DrvSession *a = open_text(program, MAC_PURECAP), *b = open_text(program, MAC_PURECAP);
    cr_expect(eq(int, (int)drv_run(a, ~0ULL), (int)EV_STOP_EXIT));
    EvStop stop;
    do stop = drv_step_bytecode(b, ~0ULL >> 1);
    while (stop == EV_STOP_PROBE);
    cr_expect(eq(int, (int)stop, (int)EV_STOP_EXIT));
    SnapOpcodes x, y;
    snap_opcodes(drv_machine(a), &x);
    snap_opcodes(drv_machine(b), &y);
    cr_expect(eq(u64, mac_insns(drv_machine(a)), mac_insns(drv_machine(b))));
    cr_expect(memcmp(x.op, y.op, sizeof x.op) == 0);
    cr_expect(eq(u64, x.insns_outside, y.insns_outside));
    u64 sum = x.insns_outside + x.insns_gc;
    for (u32 i = 0; i < 256; i++) sum += x.op[i].insns;
    cr_expect(eq(u64, sum, mac_insns(drv_machine(a))));
    SnapHeap h, k;
    cr_assert(snap_heap(drv_machine(a), 0, false, &h) && snap_heap(drv_machine(b), 0, false, &k));
    cr_expect(memcmp(&h, &k, sizeof h) == 0);
    drv_close(a);
    drv_close(b);
}

// The heap's history is only right if these probes exist and their values arrive.
static u32 seen_search, seen_end, seen_alloc, seen_request, seen_code, wrong;
static bool look(void *ctx, const EvProbe *p)
{
    (void)ctx;
    if (!strcmp(p->name, "gc_request")) seen_request++, wrong += p->lost & 1;
    if (!strcmp(p->name, "gc_search")) seen_search++, wrong += p->lost & 1;
    if (!strcmp(p->name, "gc_search_end")) seen_end++, wrong += p->lost & 1;
    if (!strcmp(p->name, "gc_alloc")) seen_alloc++, wrong += p->lost & 1;
    if (!strcmp(p->name, "vm_code")) seen_code++, wrong += (p->lost & 3) != 0;
    if (!strcmp(p->name, "vm_dispatch")) wrong += p->lost != 0;
    return false;
}

Test(session, probes_arrive_with_their_values, .timeout = 300)
{
    for (u32 abi = 0; abi < 2; abi++) {
        DrvSession *s = open_text(program, (MacAbi)abi);
        seen_search = seen_end = seen_alloc = seen_request = seen_code = wrong = 0;
        mac_on_probe(drv_machine(s), look, NULL);
        cr_expect(eq(int, (int)drv_run(s, ~0ULL), (int)EV_STOP_EXIT));
        cr_expect(eq(u32, wrong, 0));
        cr_expect(eq(u32, seen_code, 2));
        cr_expect(gt(u32, seen_alloc, 10));
        cr_expect(eq(u32, seen_search, seen_end));
        cr_expect(eq(u32, seen_alloc, seen_search)); // nothing was collected
        cr_expect(ge(u32, seen_request, seen_alloc));
        drv_close(s);
    }
}

Test(session, max_insns_is_exact, .timeout = 300)
{
    DrvOptions o;
    Err err = {0};
    drv_options_init(&o);
    o.max_insns = 12345;
    DrvSession *s = drv_open(&o, CAPLAB_TEST_DATA "/c/endless.c", NULL, &err);
    cr_assert(s != NULL, "%s", err.text);
    cr_expect(eq(int, (int)drv_run(s, 10000), (int)EV_STOP_BUDGET));
    cr_expect(eq(int, (int)drv_run(s, ~0ULL), (int)EV_STOP_LIMIT));
    cr_expect(eq(u64, mac_insns(drv_machine(s)), 12345));
    cr_expect(eq(int, (int)drv_run(s, ~0ULL), (int)EV_STOP_LIMIT));
    drv_close(s);
}

Test(session, knobs_reach_the_guest, .timeout = 300)
{
    static const struct {
        const char *key, *value;
        u64 block_bytes;
    } rows[] = {{"vm.block_rule", "cap", 64}, {"vm.block_rule", "word", 32}, {"vm.block_bytes", "128", 128}};
    char hash[3][17];
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        DrvOptions o;
        Err err = {0};
        drv_options_init(&o);
        cr_assert(drv_set(&o, rows[i].key, rows[i].value, &err));
        DrvSession *s = open_with("print(1)\n", &o);
        cr_expect(eq(int, (int)drv_run(s, ~0ULL), (int)EV_STOP_EXIT));
        SnapHeap h;
        cr_expect(snap_heap(drv_machine(s), 0, false, &h));
        cr_expect(eq(u64, h.block_bytes, rows[i].block_bytes), "%s=%s", rows[i].key, rows[i].value);
        strcpy(hash[i], drv_guest_hash(s));
        drv_close(s);
    }
    cr_expect(strcmp(hash[0], hash[1]) != 0 && strcmp(hash[1], hash[2]) != 0);
}
