// fuzz_cc.c: any text compiles or is refused with a message. Input: one byte of options (bit 0: purecap, bit 1: the whole
// compiler, else only the front end), the rest is C source.
#include "cc/ast.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static const CcSource *find(void *ctx, const char *name, bool is_system, const char *from)
{
    static const CcSource one = {"one.h", "#pragma once\n#define TWICE(x) x x\ntypedef unsigned long size_t;\n"};
    (void)ctx, (void)is_system, (void)from;
    return strcmp(name, "one.h") == 0 ? &one : NULL;
}

static void warn(void *ctx, const Err *w) { CHECK(!ctx && w->is_set, "a warning has a text"); }

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    if (size < 1 || size > 1 << 16) return 0;
    char *text = xstrndup((const char *)data + 1, size - 1);
    CcSource source = {"fuzz.c", text};
    CcOptions opt = {.abi = data[0] & 1 ? CC_PURECAP : CC_HYBRID, .opt_level = 2, .find_include = find, .warn = warn, .entry = "main"};
    Err err = {0};
    bool is_ok;
    if (data[0] & 2) {
        Buf elf = {0};
        is_ok = cc_build(&source, 1, &opt, &elf, &err);
        buf_free(&elf);
    } else {
        Arena arena = {0};
        CcUnit *unit;
        is_ok = cc_parse(&source, &opt, &arena, &unit, &err);
        arena_free(&arena);
    }
    CHECK(is_ok == !err.is_set, "an error has a text, success has none");
    free(text);
    return 0;
}
