// test_vectors.c: the golden vectors in tests/data/vectors, in both engines: nothing fails, and no fewer cases are passed than this build
// has the instructions for. Of the sets without most rows yet, an even sample (sample/).
//
// CAPLAB_VECTORS="a.vec b.vec" test_vectors runs other files instead and prints what failed.
#include "driver/driver.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Set {
    const char *name;
    u64 least_passed, by_reference; // by_reference: docs/decisions/0006
} Set;
static const Set s_sets[] = {
    {"a64_int", 15516, 16}, {"a64_fp", 4926, 0}, {"a64_simd", 12407, 0}, {"morello", 18200, 0}, {"sample/a64_crypto", 0, 0}, {"sample/mte", 0, 0},
};

static void run(const char *path, MacEngine engine, const Set *set)
{
    DrvVectors sum = {0};
    Buf failures = {0};
    Err err = {0};
    bool ok = drv_vectors(path, engine, &sum, &failures, &err);
    cr_expect(ok, "%s: %s", path, err.text);
    if (!set) fputs(buf_text(&failures), stderr);
    cr_expect(eq(u64, sum.failed, 0), "%s: %.3000s", path, buf_text(&failures));
    cr_expect(sum.passed + sum.skipped > 0);
    if (set) {
        cr_expect(ge(u64, sum.passed, set->least_passed), "%s", path);
        cr_expect(eq(u64, sum.passed_by_reference, set->by_reference), "%s", path);
    }
    buf_free(&failures);
}

static void run_all(MacEngine engine)
{
    const char *others = getenv("CAPLAB_VECTORS");
    if (others) {
        char *list = xstrdup(others);
        for (char *file = strtok(list, " "); file; file = strtok(NULL, " ")) run(file, engine, NULL);
        free(list);
        return;
    }
    for (u32 i = 0; i < ARRAY_LEN(s_sets); i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/vectors/%s.vec.zst", CAPLAB_TEST_DATA, s_sets[i].name);
        run(path, engine, &s_sets[i]);
    }
}

Test(vectors, fast_engine, .timeout = 600) { run_all(MAC_ENGINE_FAST); }
Test(vectors, loop_engine, .timeout = 600) { run_all(MAC_ENGINE_LOOP); }

Test(vectors, a_wrong_result_is_a_failure)
{
    // ADD X1, X0, #1 with a wrong expected sum, and the same with the right one.
    static const char text[] = "T 0 ok add\nM 0 0 0 1\nW 40400000 91000401\nX 0 1\n=\nX 1 2\n.\n"
                               "T 1 wrong add\nM 0 0 0 1\nW 40400000 91000401\nX 0 1\n=\nX 1 3\n.\n"
                               "T 2 unlisted add\nM 0 0 0 1\nW 40400000 91000401\nX 0 1\n=\n.\n";
    char path[] = "/tmp/caplab-test-XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    fputs(text, f);
    fclose(f);
    DrvVectors sum = {0};
    Buf failures = {0};
    Err err = {0};
    cr_expect(drv_vectors(path, MAC_ENGINE_FAST, &sum, &failures, &err));
    cr_expect(eq(u64, sum.passed, 1));
    cr_expect(eq(u64, sum.failed, 2), "%s", buf_text(&failures));
    cr_expect(strstr(buf_text(&failures), "C1 is") != NULL);
    buf_free(&failures);
    remove(path);
}

Test(vectors, garbage_is_an_error_with_a_line)
{
    char path[] = "/tmp/caplab-test-XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    fputs("# comment\nT 0 a b\nM 0 0 0 1\nQ what\n", f);
    fclose(f);
    DrvVectors sum = {0};
    Buf failures = {0};
    Err err = {0};
    cr_expect(not(drv_vectors(path, MAC_ENGINE_FAST, &sum, &failures, &err)));
    cr_expect(eq(int, err.status, CAPLAB_EX_DATA));
    cr_expect(eq(u32, err.line, 4));
    buf_free(&failures);
    remove(path);
}
