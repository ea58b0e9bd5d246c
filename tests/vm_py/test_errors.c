// What the compiler refuses: the message, the place, the hint, as printed. The golden file lists sources and errors;
// limits and hopeless bytes are here.
#include "vm/py/py.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

static const char source_mark[] = "=== source\n", error_mark[] = "=== error\n";

Test(py_errors, golden_file)
{
    size_t len;
    char *text = (char *)base_read_file(CAPLAB_TEST_DATA "/vm_py/errors.txt", &len);
    cr_assert(text != NULL);
    u32 n = 0;
    for (char *at = strstr(text, source_mark); at; n++) {
        char *source = at + sizeof source_mark - 1;
        char *mid = strstr(source, error_mark);
        char *want = mid + sizeof error_mark - 1;
        at = strstr(want, source_mark);
        Buf out = {0};
        Err err = {0};
        bool ok = py_compile(source, (size_t)(mid - source), "prog.py", &out, &err);
        buf_free(&out);
        cr_expect(not(ok), "%.*s", (int)(mid - source), source);
        cr_expect(eq(int, err.status, CAPLAB_EX_DATA));
        char got[2048];
        err_format(&err, got, sizeof got);
        size_t want_len = at ? (size_t)(at - want) : strlen(want);
        cr_expect(strlen(got) == want_len && !memcmp(got, want, want_len), "got\n%s\nwant\n%.*s", got, (int)want_len, want);
    }
    cr_expect(gt(u32, n, 100));
    free(text);
}

static void expect_error(const char *source, size_t len, const char *text, u32 line, u32 col)
{
    Buf out = {0};
    Err err = {0};
    cr_expect(not(py_compile(source, len, "p.py", &out, &err)), "%s", text);
    cr_expect(strstr(err.text, text) != NULL, "got %s, want %s", err.text, text);
    cr_expect(eq(u32, err.line, line), "%s", text);
    cr_expect(eq(u32, err.col, col), "%s", text);
    buf_free(&out);
}

// Constants that vm/guest does not have: an error for it, fine in a .mpy for other machines. Column 0: fine for it, too.
Test(py_errors, constants_past_the_machine)
{
    static const struct {
        const char *source, *text;
        u32 line, col;
    } rows[] = {
        {"x = 1\nx = 4611686018427387904\n", "4611686018427387904 is past the range of this Python machine's integers, "
         "-4611686018427387904 to 4611686018427387903", 2, 5},
        {"x = 4611686018427387903\n", NULL, 0, 0},
        {"x = -4611686018427387904\n", NULL, 0, 0},
        {"x = -4611686018427387905\n", "-4611686018427387905 is past", 1, 5},
        {"x = f(3, 1 << 62)\n", "4611686018427387904 is past", 1, 10}, // folded
        {"x = 2 ** 63 >> 3\n", NULL, 0, 0},                            // folded back into the range
        {"x = 2 ** 200\n", NULL, 0, 0},                                // left to run time
        {"x = y << 62\n", NULL, 0, 0},
        {"x = 1234567890123456789012345678901234567890123456789\n", "1234567890123456789012345678901234567890… is past", 1, 5},
        {"x = (1, 'a',\n     (9223372036854775808, 2))\n", "9223372036854775808 is past", 2, 7},
        {"def f(a=0x4000000000000000): pass\n", "4611686018427387904 is past", 1, 9},
        {"K = const(1 << 62)\nprint(K)\n", "4611686018427387904 is past", 1, 11},
        {"def f():\n    return b'abc'\n", "bytes are not in this Python machine", 2, 12},
        {"print(3 + 2j)\n", "complex numbers are not in this Python machine", 1, 11},
        {"x = 'abcdefghijklmnopqrstuvw', 1e300, 1 << 61\n", NULL, 0, 0},
    };
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        Buf any = {0}, machine = {0};
        Err err = {0};
        size_t len = strlen(rows[i].source);
        cr_expect(py_compile(rows[i].source, len, "p.py", &any, &err), "%s: %s", rows[i].source, err.text);
        bool ok = py_compile_for_machine(rows[i].source, len, "p.py", &machine, &err);
        cr_expect(eq(int, ok, !rows[i].text), "%s: %s", rows[i].source, err.text);
        if (ok) cr_expect(any.len == machine.len && !memcmp(any.at, machine.at, any.len), "%s", rows[i].source);
        if (rows[i].text) cr_expect(strstr(err.text, rows[i].text) != NULL, "%s: %s", rows[i].source, err.text);
        cr_expect(eq(u32, err.line, rows[i].line), "%s", rows[i].source);
        cr_expect(eq(u32, err.col, rows[i].col), "%s", rows[i].source);
        buf_free(&any);
        buf_free(&machine);
    }
}

Test(py_errors, bytes_that_are_no_text)
{
    expect_error("a = 1\nb\0c\n", 10, "NUL", 2, 2);
    expect_error("a = '\xff'\n", 8, "0xff is not valid UTF-8", 1, 6);
    expect_error("x\xc0\x80\n", 4, "0xc0 is not valid UTF-8", 1, 2);
    expect_error("'\xed\xa0\x80'\n", 6, "not valid UTF-8", 1, 2);
    expect_error("'\xf4\x90\x80\x80'\n", 7, "not valid UTF-8", 1, 2);
    expect_error("'\xe2\x82", 3, "not valid UTF-8", 1, 2);
    expect_error("a \x01 b\n", 6, "control character 0x01", 1, 3);
    expect_error("a\xc2\xa0= 1\n", 7, "invalid character", 1, 2);
    expect_error("'\\ud800'", 8, "not a Unicode character", 1, 2);
}

// n copies of open, then middle, then n of close.
static char *nest(u32 n, const char *open, const char *middle, const char *close)
{
    Buf b = {0};
    for (u32 i = 0; i < n; i++) buf_printf(&b, "%s", open);
    buf_printf(&b, "%s", middle);
    for (u32 i = 0; i < n; i++) buf_printf(&b, "%s", close);
    buf_printf(&b, "\n");
    return (char *)b.at;
}

Test(py_errors, depth_is_limited)
{
    static const struct {
        const char *open, *middle, *close;
    } rows[] = {
        {"(", "1", ")"}, {"[", "1", "]"}, {"{", "1", "}"}, {"f(", "1", ")"}, {"a[", "1", "]"}, {"-", "x", ""},
        {"not ", "x", ""}, {"x ** ", "x", ""}, {"lambda: ", "x", ""}, {"1 if x else ", "x", ""},
        {"[x for x in ", "x", "]"}, {"~", "x", ""}, {"{1: ", "x", "}"}, {"(1, ", "2", ")"}, {"(1, ", "x", ")"},
    };
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        static const u32 depths[] = {20, 140, 10000};
        for (u32 d = 0; d < ARRAY_LEN(depths); d++) {
            u32 n = depths[d];
            char *source = nest(n, rows[i].open, rows[i].middle, rows[i].close);
            Buf out = {0};
            Err err = {0};
            bool ok = py_compile(source, strlen(source), "p.py", &out, &err);
            cr_expect(eq(int, ok, n < 150), "%s x %u: %s", rows[i].open, n, err.text);
            if (!ok) cr_expect(strstr(err.text, "nested deeper") != NULL, "%s: %s", rows[i].open, err.text);
            if (ok) cr_expect(py_mpy_check(out.at, out.len, "p.mpy", &err), "%s x %u: %s", rows[i].open, n, err.text);
            buf_free(&out);
            free(source);
        }
    }
}

Test(py_errors, blocks_are_limited)
{
    Buf b = {0};
    for (u32 i = 0; i < 300; i++) {
        for (u32 k = 0; k < i; k++) buf_printf(&b, " ");
        buf_printf(&b, "while x:\n");
    }
    expect_error((char *)b.at, b.len, "levels of indentation", 102, 102);
    buf_free(&b);
}

Test(py_errors, long_jumps)
{
    Buf b = {0};
    buf_printf(&b, "while x:\n");
    for (u32 i = 0; i < 5000; i++) buf_printf(&b, " f(x)\n");
    expect_error((char *)b.at, b.len, "this code is too long", 1, 1);
    buf_free(&b);
}

Test(py_errors, too_many_of_something)
{
    static const struct {
        const char *before, *item, *after, *text;
        u32 n;
    } rows[] = {
        {"def f(", "p%u, ", "): pass\n", "more than 255 parameters", 256},
        {"f(", "%u, ", ")\n", "more than 255 arguments", 256},
        {"f(", "k%u=1, ", ")\n", "more than 255 arguments", 256},
        {"[", "x%u, ", "]\n", "more than 65535 stack slots", 70000},
        {"f(", "a%u, ", "*b)\n", "too many arguments before a '*' argument", 30},
        {"*a, ", "b%u, ", "c = x\n", "more than 255 targets", 300},
        {"", "try: x%u\nfinally: y\n", "", NULL, 300},
        {"def f(", "p%u, ", "): pass\n", NULL, 255},
        {"def f(*, ", "p%u=1, ", "): pass\n", NULL, 254},
        {"f(", "k%u=1, ", ")\n", NULL, 255},
    };
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        Buf b = {0}, out = {0};
        buf_printf(&b, "%s", rows[i].before);
        for (u32 n = 0; n < rows[i].n; n++) {
            const char *mark = strstr(rows[i].item, "%u");
            buf_printf(&b, "%.*s%u%s", (int)(mark - rows[i].item), rows[i].item, n, mark + 2);
        }
        buf_printf(&b, "%s", rows[i].after);
        Err err = {0};
        bool ok = py_compile((char *)b.at, b.len, "p.py", &out, &err);
        cr_expect(eq(int, ok, rows[i].text == NULL), "row %u: %s", i, err.text);
        if (rows[i].text) cr_expect(strstr(err.text, rows[i].text) != NULL, "row %u: %s", i, err.text);
        if (ok) cr_expect(py_mpy_check(out.at, out.len, "p.mpy", &err), "row %u: %s", i, err.text);
        buf_free(&b);
        buf_free(&out);
    }
}

// Wide instead of deep: long runs need no host stack.
Test(py_errors, wide_is_fine)
{
    static const char *const parts[] = {"x + ", "x and ", "x < ", "f(x).y[0].", "x, ", "'a' ", "x if x and "};
    for (u32 i = 0; i < ARRAY_LEN(parts); i++) {
        Buf b = {0}, out = {0};
        buf_printf(&b, "y = ");
        for (u32 n = 0; n < (i == 6 ? 1 : 3000); n++) buf_printf(&b, "%s", parts[i]);
        buf_printf(&b, i == 5 ? "''\n" : i == 6 ? "x else x\n" : "x\n");
        Err err = {0};
        cr_expect(py_compile((char *)b.at, b.len, "p.py", &out, &err), "%s: %s", parts[i], err.text);
        cr_expect(py_mpy_check(out.at, out.len, "p.mpy", &err), "%s: %s", parts[i], err.text);
        buf_free(&b);
        buf_free(&out);
    }
}
