// fuzz_elf.c: the ELF reader on arbitrary bytes, and (for one accepted file in 64, as it is slow) a short run.
#include "sim/loader.h"
#include "sim/machine.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t len);

static void run(const u8 *data, size_t len)
{
    Machine *m = mac_new(&(MacConfig){.memory_bytes = 16 << 20, .stack_bytes = 64 << 10, .probes = true});
    const char *argv[] = {"a.elf", NULL};
    Err err = {0};
    if (mac_load(m, data, len, "a.elf", &(MacArgs){argv, NULL}, &err)) {
        Buf out = {0};
        int fd;
        mac_run(m, 2000);
        mac_take_output(m, &out, &fd);
        buf_free(&out);
    }
    mac_free(m);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
    LdrImage img;
    Err err = {0};
    if (!ldr_parse(data, len, "a.elf", &img, &err)) return 0;
    ldr_free(&img);
    if (data[len - 1] % 64 == 0) run(data, len);
    return 0;
}
