// The golden vectors, run directly on the engine in both dispatchers. tests/data/vectors holds them compressed.
#include "tests/sim/vecrun.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <zstd.h>

static char *read_compressed(const char *path)
{
    size_t len;
    u8 *packed = base_read_file(path, &len);
    if (!packed) return NULL;
    u64 size = ZSTD_getFrameContentSize(packed, len);
    char *text = xalloc(size + 1);
    if (ZSTD_isError(ZSTD_decompress(text, size, packed, len))) text[0] = 0;
    free(packed);
    return text;
}

static void run_file(const char *name, u32 least_passed, u32 by_reference)
{
    char *path = xasprintf("%s/vectors/%s.vec.zst", CAPLAB_TEST_DATA, name);
    for (int engine = CPU_ENGINE_TAIL; engine <= CPU_ENGINE_LOOP; engine++) {
        char *text = read_compressed(path);
        cr_assert(text != NULL, "%s is missing", path);
        VecSum sum = {0};
        vec_run(text, (CpuEngine)engine, &sum, stderr, 5);
        cr_expect(sum.failed == 0, "%s: %u of %u failed", name, sum.failed, sum.failed + sum.passed);
        cr_expect(sum.passed >= least_passed, "%s: only %u passed (no row: %u)", name, sum.passed, sum.no_row);
        cr_expect(eq(u32, sum.by_reference, by_reference), "%s", name);
        free(text);
    }
    free(path);
}

Test(sim_vectors, integer) { run_file("a64_int", 7530, 10); }
Test(sim_vectors, floating_point) { run_file("a64_fp", 3093, 0); }
Test(sim_vectors, vector_instructions) { run_file("a64_simd", 8627, 0); }
Test(sim_vectors, capabilities) { run_file("morello", 7811, 0); }
