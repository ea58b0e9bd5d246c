// test_cli.c: the program itself: exit statuses, messages, output and JSON, as docs/cli.md has them.
#include "base/buf.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define DATA CAPLAB_TEST_DATA

typedef struct Result {
    int status;
    Buf out, err;
} Result;

static void read_file(const char *path, Buf *b)
{
    size_t len;
    u8 *bytes = base_read_file(path, &len);
    if (bytes) buf_add(b, bytes, len);
    free(bytes);
    remove(path);
}

// Runs `caplab ARGS` in a shell.
PRINTF_LIKE(1, 2) static Result caplab(const char *fmt, ...)
{
    char args[2048], out[] = "/tmp/caplab-out-XXXXXX", err[] = "/tmp/caplab-err-XXXXXX";
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(args, sizeof args, fmt, ap);
    va_end(ap);
    close(mkstemp(out)), close(mkstemp(err));
    char *command = xasprintf("%s %s >%s 2>%s", CAPLAB_EXE, args, out, err);
    int status = system(command);
    Result r = {.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1};
    read_file(out, &r.out);
    read_file(err, &r.err);
    free(command);
    return r;
}

static void result_free(Result *r)
{
    buf_free(&r->out);
    buf_free(&r->err);
}

Test(cli, statuses_and_messages)
{
    static const struct {
        const char *args;
        int status;
        const char *says; // in stdout or stderr
    } rows[] = {
        {"", 2, "usage"},
        {"--help", 0, "run a guest program"},
        {"run --help", 0, "--max-insns"},
        {"cc --help", 0, "--vm"},
        {"py --help", 0, "--dis"},
        {"dis --help", 0, "--function"},
        {"explain --help", 0, "cap:"},
        {"isa --help", 0, "vectors"},
        {"bench --help", 0, "qemu"},
        {"nonsense", 2, "unknown command 'nonsense'"},
        {"run", 2, "which FILE"},
        {"run --nonsense x", 2, "nonsense"},
        {"run --abi cheri x.c", 2, "abi is hybrid|purecap"},
        {"run --set vm.block_bytes=33 x.py", 2, "power of two"},
        {"run --set vm.nonsense=1 x.py", 2, "unknown option or knob"},
        {"run --set abi x.py", 2, "KEY=VALUE"},
        {"run --machine bare x", 2, "not in this build"},
        {"run --stats json " DATA "/c/hello.c", 2, "--stats-file"},
        {"run --stats xml x.c", 2, "text, json, csv or none"},
        {"run --list-knobs", 0, "vm.heap_bytes"},
        {"run /nonexistent.py", 66, "cannot read /nonexistent.py"},
        {"run /tmp", 66, "cannot read /tmp"},
        {"run " DATA "/bad/truncated.elf", 65, "truncated"},
        {"run " DATA "/bad/syntax.c", 65, "syntax.c:2:"},
        {"run " DATA "/bad/syntax.py", 65, "syntax.py:2:"},
        {"cc -o /dev/null " DATA "/c/hello.c " DATA "/c/cat.c", 65, "/cat.c:4:5: error: 'main' is defined twice"},
        {"cc -o /dev/null " DATA "/c/hello.c " DATA "/c/cat.c", 65, "/hello.c:2:5\n"},
        {"explain cap:xyz", 2, "not a capability"},
        {"explain cap:ffffc00000010005", 2, "is not 128 bits"},
        {"explain cap:1:ffffc00000010005", 2, "is not 128 bits"},
        {"explain cap:ffffc000000100050000000000000000f", 2, "not a capability"},
        {"explain cap:ffffc00000010005000000000000000", 2, "is not 128 bits"},
        {"explain cap:ffffc000000100050000000000001000", 0, "read as     ffffc00000010005:0000000000001000\n  tag         1: valid (assumed"},
        {"explain cap:0:ffffc00000010005:10", 0, "read as     ffffc00000010005:0000000000000010\n  tag         0: just bits, gives no access\n"},
        {"tui --until 10x " DATA "/c/hello.c", 2, "--until: '10x' is not a count (like 1000, 64K"},
        {"tui --until 1K --text - " DATA "/c/endless.c", 0, "1,024"},
        {"run --max-insns 5X " DATA "/c/hello.c", 2, "max-insns: '5X' is not a count"},
        {"run --memory 5X " DATA "/c/hello.c", 2, "memory: '5X'"},
        {"run --set seed=z " DATA "/c/hello.c", 2, "seed: 'z'"},
        {"run --set vm.heap_bytes=1Q x.py", 2, "vm.heap_bytes: '1Q' is not a count"},
        {"run --max-insns 1K --stats none --abi hybrid " DATA "/c/endless.c", 124, "stopped at the limit of 1024 instructions"},
        {"run --abi hybrid " DATA "/bad/c64.s", 65, "hint: this is C64 syntax, for --abi purecap"},
        {"run --abi purecap " DATA "/bad/a64.s", 65, "hint: this is A64 syntax, for --abi hybrid"},
        {"run --abi purecap " CAPLAB_SOURCE_DIR "/examples/own_start_hybrid.s", 139, "an X register as base needs DDC"},
        {"dis --function queens " CAPLAB_SOURCE_DIR "/bench/py/nqueens.py", 2, "caplab py --dis"},
        {"dis --function nosuch " CAPLAB_SOURCE_DIR "/bench/py/nqueens.py", 2, "the Python machine has no function 'nosuch'"},
        {"bench --no-qemu " CAPLAB_SOURCE_DIR "/bench/py/nqueens.py 4", 0, "shorter than 0.5 s are noise"},
        {"explain insn:1234567890", 2, "not a word"},
        {"explain insn:91002020", 0, "add x0, x1, #0x8"},
        {"explain cap:1:ffffc00050101000:1000", 0, "0x1000 to 0x1010, 16 bytes"},
        {"explain cap:ffffc00000010005:0", 0,
         "bounds      0x0 to 0x10000000000000000, 18446744073709551616 bytes; exponent 50, in steps of 9007199254740992 bytes"},
        {"explain cap:dc1040007bc0fbb0:7ffffefffbb0", 0, "bounds      0x7ffffefffbb0 to 0x7ffffefffbc0, 16 bytes; no exponent, in steps of a byte"},
        {"explain cap:0:0:1234", 0, "bounds      0x0 to 0x10000000000000000, 18446744073709551616 bytes\n"},
        {"isa table", 0, "ADD_I"},
        {"isa vectors /nonexistent", 66, "cannot read"},
        {"dis --function nothing --abi hybrid " DATA "/c/hello.c", 2, "no function 'nothing'"},
        {"dis --function main --abi hybrid " DATA "/c/hello.c", 0, "bl 0x"},
    };
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        Result r = caplab("%s", rows[i].args);
        cr_expect(eq(int, r.status, rows[i].status), "caplab %s: %s", rows[i].args, buf_text(&r.err));
        bool said = strstr(buf_text(&r.out), rows[i].says) || strstr(buf_text(&r.err), rows[i].says);
        cr_expect(said, "caplab %s: %s%s", rows[i].args, buf_text(&r.out), buf_text(&r.err));
        result_free(&r);
    }
}

// What the compiler says about a program is said once, whoever asks it to compile.
Test(cli, compiler_warnings_are_shown)
{
    static const char *const commands[] = {"run --stats none", "cc -o /dev/null", "dis", "explain addr:400000"};
    for (u32 i = 0; i < ARRAY_LEN(commands); i++) {
        Result r = caplab("%s " DATA "/c/warning.c", commands[i]);
        cr_expect(eq(int, r.status, i ? 0 : 3), "%s: %s", commands[i], buf_text(&r.err));
        const char *said = strstr(buf_text(&r.err), "warning.c:2:16: warning: unknown attribute");
        cr_expect(said && !strstr(said + 1, "warning.c"), "%s: %s", commands[i], buf_text(&r.err));
        result_free(&r);
    }
}

static const char *const abis[] = {"hybrid", "purecap"};
static const char *const engines[] = {"fast", "loop"};

Test(cli, a_c_program_in_both_abis_and_engines)
{
    for (u32 a = 0; a < 2; a++) {
        char first[16] = "";
        for (u32 e = 0; e < 2; e++) {
            Result r = caplab("run --abi %s --engine %s --stats csv --stats-file /tmp/caplab-stats-%d.csv " DATA "/c/hello.c -- a 'b c'", abis[a],
                              engines[e], getpid());
            cr_expect(eq(int, r.status, 3), "%s %s: %s", abis[a], engines[e], buf_text(&r.err));
            cr_expect(eq(str, (char *)buf_text(&r.out), (char *)"hello 3 a b c\n"));
            cr_expect(eq(str, (char *)buf_text(&r.err), (char *)""));
            char path[64];
            Buf csv = {0};
            snprintf(path, sizeof path, "/tmp/caplab-stats-%d.csv", getpid());
            read_file(path, &csv);
            const char *insns = strstr(buf_text(&csv), "\ninsns,");
            cr_assert(insns != NULL);
            char count[16] = "";
            sscanf(insns, "\ninsns,%15[0-9]", count);
            if (e) cr_expect(eq(str, count, first)); // exact in either engine
            strcpy(first, count);
            buf_free(&csv);
            result_free(&r);
        }
    }
}

Test(cli, a_program_with_its_own_start)
{
    static const char *const files[] = {"own_start_hybrid.s", "own_start.s"};
    for (u32 a = 0; a < 2; a++) {
        char elf[64];
        snprintf(elf, sizeof elf, "/tmp/caplab-own-%d", getpid());
        Result r[3] = {caplab("run --stats none --abi %s " CAPLAB_SOURCE_DIR "/examples/%s", abis[a], files[a]),
                       caplab("cc --abi %s -o %s " CAPLAB_SOURCE_DIR "/examples/%s", abis[a], elf, files[a]),
                       caplab("run --stats none %s", elf)};
        cr_expect(eq(int, r[0].status, 3), "%s: %s", files[a], buf_text(&r[0].err));
        cr_expect(eq(str, (char *)buf_text(&r[0].out), (char *)"ABCDEFGHIJKLMNO\n"));
        cr_expect(eq(int, r[1].status, 0), "%s: %s", files[a], buf_text(&r[1].err));
        cr_expect(eq(int, r[2].status, 3), "%s: %s", files[a], buf_text(&r[2].err));
        cr_expect(eq(str, (char *)buf_text(&r[2].out), (char *)"ABCDEFGHIJKLMNO\n"));
        remove(elf);
        for (u32 i = 0; i < 3; i++) result_free(&r[i]);
    }
}

Test(cli, one_byte_past_an_object)
{
    static const struct {
        const char *what, *object, *caller;
    } rows[] = {{"global", "global_array (24 bytes)", "/overrun.c:16\n"},
                {"stack", "an object of 24 bytes on the stack", "/overrun.c:17\n"},
                {"heap", "an object of 24 bytes", "/overrun.c:20\n"}};
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        Result r = caplab("run --abi purecap --stats none " DATA "/c/overrun.c %s", rows[i].what);
        cr_expect(eq(int, r.status, 139), "%s: %s", rows[i].what, buf_text(&r.err));
        const char *card = buf_text(&r.err);
        cr_expect(strstr(card, "capability bounds") != NULL, "%s", card);
        cr_expect(strstr(card, "in poke") != NULL, "%s", card);
        cr_expect(strstr(card, "/overrun.c:9: __attribute__((noinline)) static void poke(") != NULL, "%s", card);
        cr_expect(strstr(card, rows[i].caller) != NULL, "%s", card);
        cr_expect(strstr(card, "strb ") != NULL, "%s", card);
        cr_expect(strstr(card, "1-byte store") != NULL, "%s", card);
        cr_expect(strstr(card, "the byte right behind the end of") != NULL, "%s", card);
        cr_expect(strstr(card, rows[i].object) != NULL, "%s", card);
        result_free(&r);
        r = caplab("run --abi hybrid --stats none " DATA "/c/overrun.c %s", rows[i].what);
        cr_expect(eq(int, r.status, 0), "%s: %s", rows[i].what, buf_text(&r.err));
        cr_expect(eq(str, (char *)buf_text(&r.out), (char *)"not seen\n"));
        result_free(&r);
    }
    Result r = caplab("run --abi purecap --stats none " DATA "/c/overrun.c null");
    cr_expect(eq(int, r.status, 139));
    cr_expect(strstr(buf_text(&r.err), "a null pointer") != NULL, "%s", buf_text(&r.err));
    result_free(&r);
    r = caplab("run --abi hybrid --stats none " DATA "/c/overrun.c null");
    cr_expect(eq(int, r.status, 139));
    cr_expect(strstr(buf_text(&r.err), "  with    X0 = 0x0, under DDC = 0x0 [rwx") != NULL, "%s", buf_text(&r.err));
    cr_expect(strstr(buf_text(&r.err), "  called  by main+0x") != NULL, "%s", buf_text(&r.err));
    cr_expect(strstr(buf_text(&r.err), "/overrun.c:22\n") != NULL, "%s", buf_text(&r.err));
    result_free(&r);
}

Test(cli, limits_input_and_files)
{
    Result r = caplab("run --abi hybrid --max-insns 100 --stats none " DATA "/c/hello.c");
    cr_expect(eq(int, r.status, 124));
    result_free(&r);
    r = caplab("run --abi hybrid --stats none " DATA "/c/cat.c < " DATA "/c/hello.c");
    cr_expect(eq(int, r.status, 0), "%s", buf_text(&r.err));
    cr_expect(strstr(buf_text(&r.out), "int main(int argc") != NULL);
    result_free(&r);
    r = caplab("run --abi hybrid --stats none " DATA "/c/cat.c hello.c");
    cr_expect(eq(int, r.status, 1)); // no root, no files
    result_free(&r);
    r = caplab("run --abi hybrid --stats none --root " DATA "/c " DATA "/c/cat.c hello.c");
    cr_expect(eq(int, r.status, 0));
    cr_expect(strstr(buf_text(&r.out), "int main(int argc") != NULL);
    result_free(&r);
}

static json_t *run_json(const char *args)
{
    Result r = caplab("run --stats json --stats-file - %s", args);
    const char *start = strstr(buf_text(&r.out), "{\n");
    json_error_t error;
    json_t *o = start ? json_loads(start, 0, &error) : NULL;
    cr_assert(o != NULL, "%s: %s%s", args, buf_text(&r.out), buf_text(&r.err));
    result_free(&r);
    return o;
}

// Functions, as Criterion's macros do not take macros.
static bool is_null(const json_t *v) { return json_is_null(v); }
static bool is_integer(const json_t *v) { return json_is_integer(v); }
static bool is_array(const json_t *v) { return json_is_array(v); }

static i64 number(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    cr_expect(is_integer(v), "%s", key);
    return json_integer_value(v);
}

Test(cli, json_has_the_fields_of_the_contract)
{
    json_t *o = run_json("--abi hybrid " DATA "/c/hello.c");
    static const char *const integers[] = {"schema", "insns", "insns_c64", "insns_a64", "loads", "stores", "cap_loads", "cap_stores",
                                           "insns_outside_opcodes", "insns_gc"};
    static const char *const nulls[] = {"bytecodes", "opcodes", "cycles", "pmu", "cpi_stack"};
    for (u32 i = 0; i < ARRAY_LEN(integers); i++) number(o, integers[i]);
    for (u32 i = 0; i < ARRAY_LEN(nulls); i++) cr_expect(is_null(json_object_get(o, nulls[i])), "%s", nulls[i]);
    cr_expect(eq(i64, number(o, "insns"), number(o, "insns_c64") + number(o, "insns_a64")));
    cr_expect(eq(i64, number(o, "insns"), number(o, "insns_outside_opcodes") + number(o, "insns_gc")));
    const json_t *end = json_object_get(o, "exit");
    cr_expect(eq(str, (char *)json_string_value(json_object_get(end, "reason")), (char *)"exit"));
    cr_expect(eq(i64, number(end, "status"), 3));
    cr_expect(is_null(json_object_get(end, "fault")));
    cr_expect(eq(str, (char *)json_string_value(json_object_get(o, "abi")), (char *)"hybrid"));
    cr_expect(is_array(json_object_get(o, "heaps")));
    json_t *again = run_json("--abi hybrid " DATA "/c/hello.c");
    json_object_del(o, "host"), json_object_del(again, "host");
    cr_expect(json_equal(o, again)); // everything else is the same in every run
    json_decref(o), json_decref(again);
    o = run_json("--abi purecap " DATA "/c/overrun.c global");
    const json_t *fault = json_object_get(json_object_get(o, "exit"), "fault");
    cr_expect(eq(str, (char *)json_string_value(json_object_get(fault, "kind")), (char *)"capability bounds"));
    cr_expect(strstr(json_string_value(json_object_get(fault, "symbol")), "poke") != NULL);
    cr_expect(strncmp(json_string_value(json_object_get(fault, "address")), "0x", 2) == 0);
    cr_expect(eq(str, (char *)json_string_value(json_object_get(fault, "register")), (char *)"C0"));
    cr_expect(eq(i64, number(fault, "line"), 9));
    cr_expect(strstr(json_string_value(json_object_get(fault, "file")), "/overrun.c") != NULL);
    const json_t *caller = json_object_get(fault, "caller");
    cr_expect(eq(i64, number(caller, "line"), 16));
    cr_expect(strncmp(json_string_value(json_object_get(caller, "symbol")), "main+0x", 7) == 0);
    json_decref(o);
    o = run_json("--abi hybrid " DATA "/c/overrun.c null");
    fault = json_object_get(json_object_get(o, "exit"), "fault");
    cr_expect(eq(str, (char *)json_string_value(json_object_get(fault, "register")), (char *)"X0"));
    cr_expect(eq(str, (char *)json_string_value(json_object_get(fault, "authority")), (char *)"DDC"));
    json_decref(o);
}

// What was not counted is not 0: null in JSON, no row in CSV, words in the text.
Test(cli, without_probes_nothing_is_made_up)
{
    static const char *const nulls[] = {"bytecodes", "opcodes", "insns_outside_opcodes", "insns_gc"};
    static const char *const heap_nulls[] = {"allocs", "allocs_by_blocks", "frees", "search_steps", "collections", "peak_live_blocks",
                                             "internal_fragmentation", "frames_on_heap", "frames"};
    static const char *const heap_counts[] = {"bytes", "blocks", "live_blocks", "free_blocks", "largest_free_run"};
    json_t *o = run_json("--no-probes " CAPLAB_SOURCE_DIR "/bench/py/nqueens.py 4");
    const json_t *heap = json_array_get(json_object_get(o, "heaps"), 0);
    for (u32 i = 0; i < ARRAY_LEN(nulls); i++) cr_expect(is_null(json_object_get(o, nulls[i])), "%s", nulls[i]);
    for (u32 i = 0; i < ARRAY_LEN(heap_nulls); i++) cr_expect(is_null(json_object_get(heap, heap_nulls[i])), "%s", heap_nulls[i]);
    for (u32 i = 0; i < ARRAY_LEN(heap_counts); i++) cr_expect(gt(i64, number(heap, heap_counts[i]), 0), "%s", heap_counts[i]);
    json_decref(o);
    o = run_json(CAPLAB_SOURCE_DIR "/bench/py/nqueens.py 4");
    heap = json_array_get(json_object_get(o, "heaps"), 0);
    cr_expect(ge(i64, number(heap, "frames"), number(heap, "frames_on_heap")));
    cr_expect(gt(i64, number(heap, "frames"), 10));
    json_decref(o);
    Result r = caplab("run --no-probes " CAPLAB_SOURCE_DIR "/bench/py/nqueens.py 4");
    cr_expect(strstr(buf_text(&r.err), "bytecodes      not counted (--no-probes)\n") != NULL, "%s", buf_text(&r.err));
    cr_expect(strstr(buf_text(&r.err), "allocations, collections, frames: not counted (--no-probes)\n") != NULL, "%s", buf_text(&r.err));
    cr_expect(strstr(buf_text(&r.err), " 0 ") == NULL, "%s", buf_text(&r.err));
    result_free(&r);
    r = caplab("run --no-probes --stats csv --stats-file - " CAPLAB_SOURCE_DIR "/bench/py/nqueens.py 4");
    cr_expect(strstr(buf_text(&r.out), "heap.gc.live_blocks,") && !strstr(buf_text(&r.out), "allocs") && !strstr(buf_text(&r.out), "bytecodes"), "%s",
              buf_text(&r.out));
    result_free(&r);
}

// Starts caplab with pipes, waits for the program's first words, sends SIGINT. The program's input stays open.
static Result interrupt(const char *program, const char *arg)
{
    int in[2], out[2], err[2];
    Result r = {0};
    cr_assert(pipe(in) == 0 && pipe(out) == 0 && pipe(err) == 0);
    pid_t pid = fork();
    if (!pid) {
        dup2(in[0], 0), dup2(out[1], 1), dup2(err[1], 2);
        close(in[1]), close(out[0]), close(err[0]);
        execl(CAPLAB_EXE, "caplab", "run", "--abi", "hybrid", program, arg, (char *)NULL);
        _exit(99);
    }
    close(out[1]), close(err[1]), close(in[0]);
    char bytes[4096];
    ssize_t n = read(out[0], bytes, sizeof bytes);
    kill(pid, SIGINT);
    if (n > 0) buf_add(&r.out, bytes, (size_t)n);
    while ((n = read(err[0], bytes, sizeof bytes)) > 0) buf_add(&r.err, bytes, (size_t)n);
    int status = 0;
    waitpid(pid, &status, 0);
    r.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    close(in[1]), close(out[0]), close(err[0]);
    return r;
}

// Ctrl-C: while it computes, and while it waits for input.
Test(cli, an_interrupt_keeps_the_figures, .timeout = 120)
{
    static const char *const args[] = {NULL, "wait"};
    for (u32 i = 0; i < ARRAY_LEN(args); i++) {
        Result r = interrupt(DATA "/c/busy.c", args[i]);
        cr_expect(eq(int, r.status, 130), "%s", buf_text(&r.err));
        cr_expect(eq(str, (char *)buf_text(&r.out), (char *)"up\n"));
        cr_expect(strstr(buf_text(&r.err), "caplab: interrupted; ") && strstr(buf_text(&r.err), "      instructions  "), "%s", buf_text(&r.err));
        cr_expect(strstr(buf_text(&r.err), "ended by: interrupt") != NULL, "%s", buf_text(&r.err));
        result_free(&r);
    }
}

Test(cli, an_elf_of_the_other_abi_is_a_usage_error)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/caplab-cli-%d.elf", getpid());
    Result r = caplab("cc --abi hybrid -o %s " DATA "/c/hello.c", path);
    cr_expect(eq(int, r.status, 0), "%s", buf_text(&r.err));
    result_free(&r);
    r = caplab("run --abi purecap %s", path);
    cr_expect(eq(int, r.status, 2));
    cr_expect(strstr(buf_text(&r.err), "built for hybrid") != NULL, "%s", buf_text(&r.err));
    result_free(&r);
    r = caplab("run --stats none %s", path); // no --abi: as the file says
    cr_expect(eq(int, r.status, 3), "%s", buf_text(&r.err));
    result_free(&r);
    remove(path);
}
