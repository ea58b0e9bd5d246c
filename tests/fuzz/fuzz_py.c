// fuzz_py: any bytes as Python source. The compiler answers with an error or with a file that its own checker accepts.
#include "vm/py/py.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
    Buf mpy = {0};
    Err err = {0};
    bool ok = py_compile((const char *)data, size, "fuzz.py", &mpy, &err);
    CHECK(ok == !err.is_set, "an error without a message, or the other way round");
    if (ok) {
        bool is_valid = py_mpy_check(mpy.at, mpy.len, "fuzz.mpy", &err);
        CHECK(is_valid, "%s", err.text);
    }
    buf_free(&mpy);
    return 0;
}
