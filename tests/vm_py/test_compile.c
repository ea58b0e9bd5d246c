// The compiler's output: byte for byte what mpy-cross makes of the same text.
#include "vm/py/bytecode.h"
#include "vm/py/py.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

static u32 crc32_of(const u8 *s, size_t n)
{
    u32 crc = ~0u;
    for (size_t i = 0; i < n; i++) {
        crc ^= s[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static bool compile(const char *source, const char *name, Buf *out)
{
    Err err = {0};
    bool ok = py_compile(source, strlen(source), name, out, &err);
    if (!ok) err_print(&err, stderr);
    return ok;
}

// Size and CRC-32 of the whole file, as mpy-cross made it with -s ex.py.
static const struct {
    const char *source;
    u32 size, crc;
} references[] = {
    {"def ex1(n):\n i = 0\n while i < n:\n  if i == 5: break\n  i += 1\n else:\n  i = -1\n return i\n", 69, 0xb7981bb5},
    {"def ex2(n):\n s = 0\n for k in range(1, n, 2):\n  s += k\n return s\n", 66, 0xa162ab72},
    {"def ex3(seq):\n for a, b in seq:\n  if a: break\n  if b: continue\n  seq = None\n return seq\n", 74, 0x75b61fe7},
    {"def ex4(f):\n for x in f:\n  try:\n   if x: break\n   return f(x)\n  finally:\n   f()\n", 71, 0x1a0af661},
    {"def ex5(cm):\n try:\n  with cm() as v:\n   return v[0]\n except (OSError, KeyError) as e:\n  raise ValueError(e)\n", 94,
     0xf7ef2578},
    {"def ex6(a, *, step=1):\n n = a\n def inc(k=2):\n  nonlocal n\n  n += k * step\n  return n\n return inc\n", 110, 0x88db655d},
    {"def ex7(it):\n r = yield\n t = yield from it\n return r, t\n", 57, 0x78aa63d3},
    {"class Ex8(Base):\n lim = 3\n def go(self, x):\n  return super().go(x + 1) or self.lim[:x]\n", 124, 0x96cd6837},
    {"def ex9(rows, k):\n return [v * k for r in rows if r for v in r]\n", 103, 0x7842d82e},
    {"def ex9b(rows):\n return {q: 1 for q in rows}, sum(z for z in rows)\n", 132, 0x1fde08fa},
    {"def ex10(f, a, *rest, key=None, **opt):\n f(a, *rest, 3, key=key, **opt)\n return a.run(*rest)\n", 88, 0x12cc5327},
};

Test(py_compile, reference_texts)
{
    for (u32 i = 0; i < ARRAY_LEN(references); i++) {
        Buf out = {0};
        cr_assert(compile(references[i].source, "ex.py", &out), "row %u", i);
        cr_expect(eq(u32, (u32)out.len, references[i].size), "row %u", i);
        cr_expect(eq(u32, crc32_of(out.at, out.len), references[i].crc), "row %u", i);
        buf_free(&out);
    }
}

Test(py_compile, whole_file)
{
    static const u8 want[] =
        "\x4d\x06\x00\x1f\x05\x01\x08m.py\0\x0f\x02"
        "f\0\x02v\0\x02"
        "a\0\x07\x0b"
        "12345678901\x74\x00\x04\x01\x24\x23\x00\x16\x03\x32\x00\x16\x02\x51\x63\x01\x50\x11\x06\x02\x04\x40\x12\x03\xb0\xf2\x63";
    Buf out = {0};
    cr_assert(compile("v = 12345678901\ndef f(a):\n  return v + a\n", "m.py", &out));
    cr_assert(eq(sz, out.len, sizeof want - 1));
    cr_expect(memcmp(out.at, want, out.len) == 0);
    buf_free(&out);
}

// Larger texts with every construct; the figures were compared with mpy-cross v1.19 (whose dead code differs).
static const struct {
    const char *name;
    u32 size, crc;
} files[] = {
    {"expressions.py", 2093, 0x1824520c},
    {"layout.py", 1217, 0x88099022},
    {"statements.py", 2087, 0x7475f7e8},
};

Test(py_compile, whole_language)
{
    for (u32 i = 0; i < ARRAY_LEN(files); i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/vm_py/%s", CAPLAB_TEST_DATA, files[i].name);
        size_t len;
        u8 *source = base_read_file(path, &len);
        cr_assert(source != NULL, "%s", path);
        Buf out = {0};
        Err err = {0};
        bool ok = py_compile((char *)source, len, files[i].name, &out, &err);
        if (!ok) err_print(&err, stderr);
        cr_assert(ok, "%s", files[i].name);
        cr_expect(eq(u32, (u32)out.len, files[i].size), "%s", files[i].name);
        cr_expect(eq(u32, crc32_of(out.at, out.len), files[i].crc), "%s", files[i].name);
        cr_expect(py_mpy_check(out.at, out.len, files[i].name, &err), "%s: %s", files[i].name, err.text);
        buf_free(&out);
        free(source);
    }
}

static bool contains(const Buf *b, const char *text) { return strstr(buf_text(b), text) != NULL; }

static void disassemble(const char *source, Buf *listing)
{
    Buf out = {0};
    Err err = {0};
    cr_assert(compile(source, "t.py", &out), "%s", source);
    cr_assert(py_disassemble(out.at, out.len, listing, &err), "%s: %s", source, err.text);
    buf_free(&out);
}

// What the listing of a source must contain: folding, f-strings, constants.
static const struct {
    const char *source, *text;
} listings[] = {
    {"x = 1.0 / 4\n", "object 0 0.25\n"},
    {"x = 2.0 ** 3 + 1\n", "object 0 9.0\n"},
    {"x = 7 / 2, -7 // 2, 7 % -3\n", "object 0 tuple of 3\n"},
    {"x = 1 / 0\n", "BINARY_OP /\n"},
    {"x = 1e308 * 10\n", "object 0 inf\n"},
    {"x = 3 * 7\n", "LOAD_CONST_SMALL_INT 21\n"},
    {"x = -9 % 4\n", "LOAD_CONST_SMALL_INT 3\n"},
    {"x = -9 // 4\n", "LOAD_CONST_SMALL_INT -3\n"},
    {"x = 1 << 126\n", "object 0 850705917302346158658436…\n"},
    {"x = 1 << 400\n", "BINARY_OP <<\n"},
    {"x = 10 ** 30\n", "object 0 100000000000000000000000…\n"},
    {"x = 0xffffffffffffffffffffffffffffffff\n", "object 0 340282366920938463463374…\n"},
    {"x = -2.5\n", "object 0 -2.5\n"},
    {"x = 1e22, 1e-5\n", "object 0 tuple of 2\n"},
    {"x = 1e22\n", "object 0 1e+22\n"},
    {"x = 0.1\n", "object 0 0.1\n"},
    {"x = 123456789.125\n", "object 0 123456789.125\n"},
    {"x = math.pi\n", "object 0 3.141592653589793\n"},
    {"x = f'{a}-{b:>{w}} {c!r} {d=}'\n", "CALL_METHOD 5\n"},
    {"x = f'{{}}' '{}'\n", "LOAD_CONST_STRING {{}}{{}}\n"},
    {"N = const(5)\ny = N + 1\n", "LOAD_CONST_SMALL_INT 6\n"},
    {"_N = const(5)\ny = _N\n", "strings <module> y\n"},
    {"x = not ''\n", "LOAD_CONST_TRUE\n"},
    {"x = 'a' 'b' \"c\"\n", "LOAD_CONST_STRING abc\n"},
    {"def f(a, b): return b\n", "LOAD_FAST 1 (b)\n"},
    {"x = y if __debug__ else z\n", "LOAD_NAME y\n"},
};

Test(py_compile, listings)
{
    for (u32 i = 0; i < ARRAY_LEN(listings); i++) {
        Buf out = {0};
        disassemble(listings[i].source, &out);
        cr_expect(contains(&out, listings[i].text), "%s\n%s", listings[i].source, buf_text(&out));
        buf_free(&out);
    }
}

// Any end of line, with or without the last one, with or without a byte order mark: the same code.
Test(py_compile, line_ends)
{
    static const char *const same[] = {
        "if x:\n  y = '''a\nb'''\nz = (1,\n 2)\n",
        "if x:\r\n  y = '''a\r\nb'''\r\nz = (1,\r\n 2)\r\n",
        "if x:\r  y = '''a\rb'''\rz = (1,\r 2)\r",
        "if x:\n  y = '''a\nb'''\nz = (1,\n 2)",
        "\xef\xbb\xbfif x:\n  y = '''a\nb'''\nz = (1,\n 2)\n  ",
        "if x:\n  y = '''a\nb'''\nz = (1,\n 2)\n    # comment",
    };
    Buf first = {0};
    cr_assert(compile(same[0], "t.py", &first));
    for (u32 i = 1; i < ARRAY_LEN(same); i++) {
        Buf out = {0};
        cr_assert(compile(same[i], "t.py", &out), "row %u", i);
        cr_expect(out.len == first.len && !memcmp(out.at, first.at, out.len), "row %u", i);
        buf_free(&out);
    }
    buf_free(&first);
}

Test(py_compile, opcode_names)
{
    u32 n = 0;
    for (u32 op = 0; op < 256; op++) n += py_opcode_name((u8)op) != NULL;
    cr_expect(eq(u32, n, 207));
    cr_expect(eq(str, (char *)py_opcode_name(0xb3), "LOAD_FAST_MULTI"));
    cr_expect(eq(str, (char *)py_opcode_name(0x70), "LOAD_CONST_SMALL_INT_MULTI"));
    cr_expect(eq(str, (char *)py_opcode_name(0xd7), "BINARY_OP <"));
    cr_expect(eq(str, (char *)py_opcode_name(0xf9), "BINARY_OP **"));
    cr_expect(eq(str, (char *)py_opcode_name(0xd3), "UNARY_OP not"));
    cr_expect(py_opcode_name(0xd4) == NULL && py_opcode_name(0xfa) == NULL && py_opcode_name(0) == NULL);
    cr_expect(eq(str, (char *)py_static_qstr(165), "zip"));
    cr_expect(eq(str, (char *)py_static_qstr(6), "/"));
    cr_expect(py_static_qstr(0) == NULL && py_static_qstr(166) == NULL);
}

// The length of an instruction follows from its byte alone: high nibbles 1 to 3 take a number, 4 a label.
Test(py_compile, argument_forms_follow_the_byte)
{
    for (u32 op = 0; op < 256; op++) {
        const PyOpInfo *info = py_op_info((u8)op);
        if (!info) continue;
        bool has_byte = info->arg == PY_ARG_CB || info->arg == PY_ARG_JB;
        bool has_label = info->arg == PY_ARG_J || info->arg == PY_ARG_JB || info->arg == PY_ARG_L;
        bool has_number = info->arg != PY_ARG_NONE && !has_label;
        cr_expect(eq(int, has_number, op >= 0x10 && op < 0x40), "%02x", op);
        cr_expect(eq(int, has_label, op >> 4 == 4), "%02x", op);
        cr_expect(eq(int, has_byte, (op & 0x9e) == 0), "%02x", op);
    }
}

Test(py_compile, views)
{
    Buf out = {0};
    Err err = {0};
    cr_assert(compile(references[0].source, "ex.py", &out));
    PyModule *m = py_module_open(out.at, out.len, &err);
    cr_assert(m != NULL, "%s", err.text);
    cr_expect(eq(u32, py_module_code_count(m), 2));
    const PyCode *code = py_module_code(m, 1);
    cr_expect(eq(str, (char *)code->name, "ex1"));
    cr_expect(eq(u32, code->n_state, 4));
    cr_expect(eq(u32, code->n_exc, 0));
    cr_expect(eq(u32, code->n_bytes, 34));
    cr_expect(eq(u32, code->n_insns, 20));
    static const u32 lines[] = {2, 2, 3, 4, 4, 4, 4, 4, 5, 5, 5, 5, 3, 3, 3, 3, 7, 7, 8, 8}; // the loop's test behind its body is line 3
    for (u32 i = 0; i < code->n_insns; i++) cr_expect(eq(u32, code->insns[i].line, lines[i]), "instruction %u", i);
    cr_expect(eq(u32, code->insns[0].offset, 10));
    cr_expect(eq(str, (char *)code->insns[13].text, "LOAD_FAST 0 (n)"));
    cr_expect(py_module_code(m, 2) == NULL);
    py_module_free(m);
    buf_free(&out);
}

// The lines of the module's instructions, without repetitions.
static void expect_lines(const char *source, const char *want)
{
    Buf out = {0}, got = {0};
    Err err = {0};
    cr_assert(compile(source, "lines.py", &out));
    PyModule *m = py_module_open(out.at, out.len, &err);
    cr_assert(m != NULL, "%s", err.text);
    const PyCode *code = py_module_code(m, 0);
    for (u32 i = 0; i < code->n_insns; i++)
        if (!i || code->insns[i].line != code->insns[i - 1].line) buf_printf(&got, "%u ", code->insns[i].line);
    cr_expect(eq(str, (char *)buf_text(&got), (char *)want), "%s", source);
    py_module_free(m);
    buf_free(&out);
    buf_free(&got);
}

// In the order of the bytecodes: the head of a loop that is tested behind its body comes twice.
Test(py_compile, lines_behind_bodies)
{
    static const struct {
        const char *source, *lines;
    } rows[] = {
        {"i = 0\nwhile i < 3:\n  i += 1\n  print(i)\nprint(9)\n", "1 2 3 4 2 5 "},
        {"i = 0\nwhile not (i > 3 and\n  i > 5):\n  i += 1\nprint(9)\n", "1 2 4 2 5 "},
        {"i = 0\nwhile i < 3:\n  i += 1\n  if i == 2: continue\n  print(i)\nelse:\n  print(7)\n", "1 2 3 4 5 2 7 "},
        {"for i in range(3):\n  print(i)\n  print(2)\nprint(9)\n", "1 2 3 1 4 "},
        {"n = 4\nfor i in range(1, n, 2):\n  for k in range(i):\n    print(i)\n    print(k)\nprint(9)\n", "1 2 3 4 5 3 2 6 "},
        {"for i in [1]:\n  print(i)\nprint(9)\n", "1 2 1 3 "},
        {"while True:\n  print(1)\n  while x:\n    x()\n", "2 3 4 3 2 3 "},
        {"if x:\n  y()\nelse:\n  while True:\n    y()\n", "1 2 5 "},
        {"for x in y:\n  if x:\n    x()\n", "1 2 3 1 "},
        {"for x in y:\n  if x:\n    continue\n  x()\n", "1 2 3 4 1 "},
        {"if x:\n  if y:\n    x()\n", "1 2 3 1 "},
        {"if x:\n  x()\nelif y:\n  y()\n", "1 2 1 4 1 "}, // a name alone has no line of its own in the table
        {"while True: pass\n", "1 "},
    };
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) expect_lines(rows[i].source, rows[i].lines);
}
