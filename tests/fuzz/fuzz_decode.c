// fuzz_decode.c: any word decodes, prints and assembles without a crash, and what prints assembles to the same text; any line of
// text assembles or fails with an error. Input: 4 bytes of word, 1 of state, the rest is a line.
#include "isa/isa.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    if (size < 5) return 0;
    u32 word, back;
    memcpy(&word, data, 4);
    bool c64 = data[4] & 1;
    u64 pc = (u64)(data[4] >> 1) << 10;
    char text[160], again[160], line[300];
    IsaInsn in;
    if (isa_decode(word, c64, &in)) CHECK(isa_encode(in.row, in.f) == word, "%08x", word);
    isa_disassemble(word, c64, pc, text, sizeof text);
    Err err = {0};
    CHECK(isa_assemble(text, c64, pc, &back, &err), "%08x '%s': %s", word, text, err.text);
    isa_disassemble(back, c64, pc, again, sizeof again);
    CHECK(strcmp(text, again) == 0, "%08x '%s' '%s'", word, text, again);

    size_t n = size - 5 < sizeof line - 1 ? size - 5 : sizeof line - 1;
    memcpy(line, data + 5, n);
    line[n] = 0;
    Err err2 = {0};
    if (!isa_assemble(line, c64, pc, &back, &err2)) CHECK(err2.is_set, "no error for '%s'", line);
    return 0;
}
