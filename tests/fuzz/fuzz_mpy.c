// fuzz_mpy: any bytes as a .mpy file. What the checker accepts can be opened and listed; the rest is an error.
#include "vm/py/py.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    Err err = {0};
    bool ok = py_mpy_check(data, size, "fuzz.mpy", &err);
    Err list_err = {0};
    Buf out = {0};
    bool is_listed = py_disassemble(data, size, &out, &list_err);
    CHECK(ok == is_listed, "the checker and the views disagree: %s %s", err.text, list_err.text);
    buf_free(&out);
    return 0;
}
