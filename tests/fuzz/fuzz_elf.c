// fuzz_elf.c: the ELF reader on arbitrary bytes, and a short run of what it accepts.
#include "sim/debug.h"
#include "sim/machine.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t len);
int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
    Machine *m = mac_new(&(MacConfig){.memory_bytes = 16 << 20, .probes = true});
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
    return 0;
}
