// The checker: accepts what the compiler makes, refuses each kind of fault, and no bytes crash it or the views.
#include "vm/py/bytecode.h"
#include "vm/py/py.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

static void check(const Buf *mpy, const char *part)
{
    Err err = {0};
    bool ok = py_mpy_check(mpy->at, mpy->len, "t.mpy", &err);
    if (!part) cr_expect(ok, "%s", err.text);
    if (part) cr_expect(not(ok), "accepted, want %s", part);
    if (part && !ok) cr_expect(strstr(err.text, part) != NULL, "got %s, want %s", err.text, part);
}

// A file with one code object: `name` strings t.py and f, n_state, n_exc, flags 0, instructions.
static void make(Buf *b, u32 n_state, u32 n_exc, const u8 *insns, size_t n)
{
    static const u8 head[] = {'M', 6, 0, 31, 2, 1, 8, 't', '.', 'p', 'y', 0, 2, 'f', 0, 1};
    b->len = 0;
    buf_add(b, head, sizeof head);
    CHECK(n_state <= 16 && n_exc < 2 && n + 3 < 16, "a one-byte prelude");
    buf_add_int(b, (n + 3) << 3, 1);
    buf_add_int(b, (n_state - 1) << 3 | n_exc << 2, 1);
    buf_add_int(b, 1 << 1, 1); // n_info 1
    buf_add_int(b, 1, 1);      // name f
    buf_add(b, insns, n);
}

static const struct {
    const char *part; // of the message; NULL: valid
    u8 n_state, n_exc, n;
    u8 insns[12];
} rows[] = {
    {NULL, 1, 0, 2, {0x51, 0x63}},
    {"no instructions", 1, 0, 0, {0}},
    {"runs off its end", 1, 0, 1, {0x51}},
    {"opcode 00 is not assigned", 1, 0, 2, {0x00, 0x63}},
    {"opcode fa is not assigned", 1, 0, 3, {0x51, 0xfa, 0x63}},
    {"string 2 of 2", 1, 0, 3, {0x10, 2, 0x63}},
    {NULL, 1, 0, 3, {0x10, 1, 0x63}},
    {"object 1 of 1", 1, 0, 3, {0x23, 1, 0x63}},
    {NULL, 1, 0, 3, {0x23, 0, 0x63}},
    {"child 0 of 0", 1, 0, 3, {0x32, 0, 0x63}},
    {"local 3 in a frame of 3", 3, 0, 2, {0xb3, 0x63}},
    {NULL, 3, 0, 2, {0xb1, 0x63}},
    {"1 values on a stack with room for 0", 2, 0, 2, {0xb1, 0x63}},
    {"2 values on a stack with room for 1", 1, 0, 4, {0x51, 0x51, 0x59, 0x63}},
    {"takes 1 values, but 0 are there", 1, 0, 1, {0x63}},
    {"takes 2 values, but 1 are there", 2, 0, 3, {0x51, 0xd7, 0x63}},
    {"middle of an instruction", 1, 0, 4, {0x42, 0x41, 0x22, 0x51}},
    {"operand is cut off or out of range", 1, 0, 4, {0x42, 0x00, 0x51, 0x63}},
    {"operand is cut off", 1, 0, 2, {0x51, 0x42}},
    {"operand is cut off", 1, 0, 3, {0x51, 0x22, 0x80}},
    {"paths meet", 3, 0, 7, {0x51, 0x51, 0x44, 0x41, 0x51, 0x51, 0x63}},
    {NULL, 2, 0, 6, {0x51, 0x44, 0x40, 0x51, 0x51, 0x63}},
    {"a slice of 4 values", 5, 0, 7, {0x51, 0x51, 0x51, 0x51, 0x2e, 4, 0x63}},
    {"unknown kind of collection", 8, 0, 5, {0x2b, 0, 0x51, 0x2f, 7}},
    {"no collection on the stack", 8, 0, 5, {0x2b, 0, 0x51, 0x2f, 8}},
    {NULL, 8, 0, 6, {0x2b, 0, 0x51, 0x2f, 4, 0x63}},
    {"yield outside a generator", 1, 0, 3, {0x51, 0x67, 0x63}},
    {"1 exception records in a frame for 0", 9, 0, 6, {0x48, 1, 0x51, 0x5d, 0x51, 0x63}},
    {NULL, 9, 1, 10, {0x48, 2, 0x4a, 4, 0x59, 0x4a, 1, 0x5d, 0x51, 0x63}},
    {"no exception record ends here", 9, 1, 4, {0x4a, 0, 0x51, 0x63}},
    {"no exception record ends here", 9, 1, 4, {0x51, 0x5d, 0x51, 0x63}},
    {"no exception record ends here", 9, 1, 7, {0x49, 1, 0x51, 0x51, 0x5d, 0x51, 0x63}},
    {NULL, 3, 1, 6, {0x49, 1, 0x51, 0x5d, 0x51, 0x63}},
    {"no room for a pending return", 1, 1, 6, {0x49, 1, 0x51, 0x5d, 0x51, 0x63}},
    {"out of 1 exception records, but 0 are there", 9, 1, 5, {0x40, 0x41, 1, 0x51, 0x63}},
    {"no iterator on the stack", 9, 0, 4, {0x4b, 0, 0x51, 0x63}},
    {NULL, 9, 0, 9, {0x51, 0x5f, 0x4b, 3, 0x59, 0x42, 0x3b, 0x51, 0x63}},
    {"WITH_CLEANUP outside", 9, 1, 3, {0x51, 0x5c, 0x63}},
};

Test(py_check, instructions)
{
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        Buf b = {0};
        make(&b, rows[i].n_state, rows[i].n_exc, rows[i].insns, rows[i].n);
        check(&b, rows[i].part);
        buf_free(&b);
    }
}

static void compile(const char *source, Buf *out)
{
    Err err = {0};
    cr_assert(py_compile(source, strlen(source), "t.py", out, &err), "%s", err.text);
}

Test(py_check, headers_and_tables)
{
    static const struct {
        const char *part;
        u32 at;
        u8 value;
    } changes[] = {
        {"does not begin like one", 0, 'N'}, {"format version 5", 1, 5}, {"native code", 2, 0x08}, {NULL, 2, 3},
        {"integers of 200 bits", 3, 200}, {NULL, 3, 63}, {"cannot fit in the file", 4, 0x7f}, {"strings", 4, 0xff},
        {"no strings", 4, 0}, {"unknown object type 11", 15, 11}, {"native code", 16, 0x2a},
    };
    static const u8 insns[] = {0x51, 0x63};
    for (u32 i = 0; i < ARRAY_LEN(changes); i++) {
        Buf b = {0};
        make(&b, 1, 0, insns, sizeof insns);
        b.at[changes[i].at] = changes[i].value;
        check(&b, changes[i].part);
        buf_free(&b);
    }
}

Test(py_check, deep_tuples_and_functions)
{
    Buf b = {0};
    static const u8 head[] = {'M', 6, 0, 31, 1, 1, 2, 'f', 0};
    buf_add(&b, head, sizeof head);
    for (u32 i = 0; i < 100000; i++) buf_add(&b, "\x0a\x01", 2);
    check(&b, "nested deeper");
    buf_free(&b);
    static const u8 empty_head[] = {'M', 6, 0, 31, 1, 0, 2, 'f', 0}, code[] = {5 << 3 | 4, 0, 2, 0, 0x51, 0x63, 1};
    buf_add(&b, empty_head, sizeof empty_head);
    for (u32 i = 0; i < 100000; i++) buf_add(&b, code, sizeof code);
    check(&b, "nested deeper");
    buf_free(&b);
}

// Each level claims as many items as the file has bytes: memory stays bounded by the file's size.
Test(py_check, claims_add_up)
{
    static const u8 head[] = {'M', 6, 0, 31, 1, 1, 2, 'f', 0};
    Buf b = {0};
    buf_add(&b, head, sizeof head);
    for (u32 i = 0; i < 150; i++) buf_add(&b, "\x0a\x83\xff\x7f", 4); // tuples of 65535 items
    buf_add_zeros(&b, 70000);
    check(&b, "cannot fit");
    buf_free(&b);
}

// Fields of a signature beyond what a frame may have: bit `mask` of every byte set.
Test(py_check, signatures_too_large)
{
    static const struct {
        const char *part;
        u8 mask;
    } fields[] = {{"exception records", 0x02}, {"parameters", 0x04}, {"parameters", 0x08}, {"a frame of", 0x30}, {"flags", 0x40}, {"defaults", 0x01}};
    for (u32 i = 0; i < ARRAY_LEN(fields); i++) {
        static const u8 head[] = {'M', 6, 0, 31, 1, 0, 2, 'f', 0, 15 << 3, 0x80};
        static const u8 tail[] = {2, 0, 0x51, 0x63};
        Buf b = {0};
        buf_add(&b, head, sizeof head);
        for (u32 n = 0; n < 10; n++) buf_add_int(&b, fields[i].mask | (n < 9 ? 0x80 : 0), 1);
        buf_add(&b, tail, sizeof tail);
        check(&b, fields[i].part);
        buf_free(&b);
    }
}

static const char *const samples[] = {
    "x = (1, 2.5, 'a longer string', b'bytes', None, 12345678901234567890)\n",
    "def f(a, *b, c=1, **d):\n for x in a:\n  try:\n   if x: break\n   return g(x)\n  finally:\n   f()\n",
    "def f(cm):\n try:\n  with cm() as v:\n   return v[0]\n except (A, B) as e:\n  raise C(e)\n else:\n  g()\n finally:\n  h()\n",
    "class C(B):\n def m(self, k):\n  y = k\n  def n():\n   nonlocal y\n   y += 1\n   yield y\n  return super().m(lambda: [i for i in n() if i])\n",
    "while x:\n for a, b in range(3):\n  try:\n   continue\n  except E:\n   break\n",
};

// What passes the checker can be listed; nothing crashes either.
static void feed(const u8 *bytes, size_t len)
{
    Err err = {0};
    bool ok = py_mpy_check(bytes, len, "t.mpy", &err);
    cr_assert(ok == !err.is_set);
    Buf out = {0};
    err = (Err){0};
    cr_assert(eq(int, py_disassemble(bytes, len, &out, &err), ok));
    buf_free(&out);
}

Test(py_check, changed_and_cut_files)
{
    u64 seed = 1;
    for (u32 s = 0; s < ARRAY_LEN(samples); s++) {
        Buf mpy = {0};
        compile(samples[s], &mpy);
        check(&mpy, NULL);
        for (size_t len = 0; len <= mpy.len; len++) {
            u8 *cut = xalloc(len + 1); // its own block: reading past it is found
            memcpy(cut, mpy.at, len);
            u8 *exact = realloc(cut, len ? len : 1);
            feed(exact, len);
            free(exact);
        }
        for (u32 round = 0; round < 4000; round++) {
            u8 *copy = malloc(mpy.len);
            memcpy(copy, mpy.at, mpy.len);
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            for (u32 n = 0; n <= (seed >> 40) % 3; n++) {
                seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
                copy[(seed >> 33) % mpy.len] = (u8)(seed >> 20);
            }
            feed(copy, mpy.len);
            free(copy);
        }
        buf_free(&mpy);
    }
}
