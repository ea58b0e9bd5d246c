// fuzz_as.c: any assembler text becomes a unit or is refused with a message; what assembles also links or is refused.
// Input: one byte of options (bit 0: purecap, bit 1: link it), the rest is the text.
#include "cc/as.h"
#include "cc/link.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    if (size < 1 || size > 1 << 14) return 0;
    char *text = xstrndup((const char *)data + 1, size - 1);
    CcAbi abi = data[0] & 1 ? CC_PURECAP : CC_HYBRID;
    Err err = {0};
    LkUnit u;
    lk_init(&u, "fuzz.s");
    bool is_ok = as_file(&(CcSource){"fuzz.s", text}, abi, &u, &err);
    if (is_ok && data[0] & 2) {
        LkUnit *list[] = {&u};
        Buf elf = {0};
        is_ok = link_units(list, 1, abi, "_start", &elf, &err);
        buf_free(&elf);
    }
    CHECK(is_ok == !err.is_set, "an error has a text, success has none");
    lk_free(&u);
    free(text);
    return 0;
}
