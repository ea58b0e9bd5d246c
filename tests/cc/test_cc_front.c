// test_cc_front.c: the parser: messages with position, types and constants in both ABIs, initial data, explicit trees.
#include "front_support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

// ---- Messages ---------------------------------------------------------------------------------------------------------------

typedef struct ErrRow {
    const char *text;
    u32 line, col;
    const char *want; // message, then "; hint" if there is one
} ErrRow;

static const ErrRow err_rows[] = {
    {"int f(void) { return x; }", 1, 22, "'x' is not declared"},
    {"int counter; int f(void) { return countr; }", 1, 35, "'countr' is not declared; did you mean 'counter'?"},
    {"int f(void) { g(1); }", 1, 15, "the function 'g' is not declared; declare it first, or include its header"},
    {"int f(void) { return 1 }", 1, 24, "expected ';' behind 'return' before '}'"},
    {"int x = 1\nint y;", 1, 10, "expected ';' behind this declaration before 'int'"},
    {"int f(void) { if (1) return 0;", 1, 31, "expected '}' before the end of the file"},
    {"int f(void) { int *p; p = 5; }", 1, 25, "assignment: 'int' does not become 'int *' by itself; write a cast if it is meant"},
    {"long f(int *p) { return p; }", 1, 18, "return: 'int *' does not become 'long' by itself; write a cast if it is meant"},
    {"int f(int *p, long **q) { p = q; }", 1, 29, "assignment: 'long **' is not 'int *'; if it is meant, write a cast"},
    {"struct S { int a; }; int f(struct S *s) { return s->b; }", 1, 51, "'struct S' has no member 'b'"},
    {"struct S { int a; }; int f(struct S *s) { return s.a; }", 1, 51, "'.' needs a struct or union, and this is a pointer to one; use '->'"},
    {"struct S { int a; }; int f(struct S s) { return s->a; }", 1, 50, "'->' needs a pointer, and this is 'struct S'; use '.'"},
    {"struct S; struct S x;", 1, 20, "the variable 'x' has the incomplete type 'struct S'"},
    {"struct S { struct S s; };", 1, 21, "a member cannot have the incomplete type 'struct S'"},
    {"struct S { int a, b, a; };", 1, 22, "a second member 'a'"},
    {"struct S { int a; union { int b; struct { int a; }; }; };", 1, 47, "a second member 'a'"},
    {"int f(int a, int b); int g(void) { return f(1); }", 1, 43, "'f' takes 2 arguments, and here is 1"},
    {"int f(int a, ...); int g(void) { return f(); }", 1, 41, "'f' takes at least 1 argument, and here are 0"},
    {"int x; int x(void);", 1, 12, "'x' was declared as 'int' before (line 1), and here it is 'int (void)'"},
    {"void f(void) { int a; int a; }", 1, 27, "'a' is declared already (line 1)"},
    {"int f(void) { return 0; } int f(void) { return 1; }", 1, 31, "'f' is defined already (line 1)"},
    {"enum { A = 1, A };", 1, 15, "'A' is declared already"},
    {"void f(int n) { int a[n]; }", 1, 23, "variable-length arrays are not supported; give the length as a constant, or use malloc or __builtin_alloca"},
    {"int a[-1];", 1, 7, "the length of an array cannot be negative"},
    {"int a[2] = {1, 2, 3};", 1, 19, "too many values for 'int [2]'"},
    {"int a[2] = {[2] = 1};", 1, 13, "this index is outside the array"},
    {"int x; int y = x;", 1, 16, "this initialiser is not a constant"},
    {"void f(void) { break; }", 1, 16, "'break' outside a loop or switch"},
    {"void f(void) { switch (1) { continue; } }", 1, 29, "'continue' outside a loop"},
    {"void f(int x) { switch (x) { case 1: case 2: case 1: ; } }", 1, 46, "a second case for the value 1"},
    {"void f(int x) { switch (x) { case 1 ... 5: case 3: ; } }", 1, 44, "a second case for the value 3"},
    {"void f(void) { goto out; }", 1, 21, "the label 'out' is not defined in 'f'"},
    {"void f(void) { a: a: ; }", 1, 19, "the label 'a' is defined already (line 1)"},
    {"void f(void) { return 1; }", 1, 16, "'f' is void and cannot return a value"},
    {"int f(void) { return; }", 1, 15, "'f' must return a value of type 'int'"},
    {"const int c = 1; void f(void) { c = 2; }", 1, 35, "this is const and cannot be assigned to"},
    {"void f(void) { 1 = 2; }", 1, 18, "this value cannot be assigned to"},
    {"void f(int a[3], int b[3]) { int c[3]; c = a; }", 1, 42, "an array cannot be assigned to"},
    {"struct { int b : 3; } s; int *p = &s.b;", 1, 35, "a bit-field has no address"},
    {"struct { int b : 33; };", 1, 16, "the width of this bit-field must be from 1 to 32"},
    {"int f(double d) { return d % 2; }", 1, 28, "'%' does not work on 'double' and 'int'"},
    {"long double d; int f(void) { return d + 1 > 2; }", 1, 39, "arithmetic on long double is not supported; use double"},
    {"_Atomic int x;", 1, 1, "not supported: _Atomic (there are no threads)"},
    {"_Thread_local int x;", 1, 1, "not supported: thread-local storage"},
    {"double _Complex z;", 1, 8, "not supported: _Complex"},
    {"_Static_assert(sizeof(int) == 8, \"wide int\");", 1, 1, "static assertion failed: wide int"},
    {"int f(a, b) int a, b; { return a; }", 1, 7, "unknown type 'a' (old-style parameter lists are not supported)"},
    {"unsigned float x;", 1, 1, "these type words do not go together"},
    {"uint32 x;", 1, 1, "unknown type 'uint32'"},
    {"int x = 08;", 1, 9, "'08' is not a number"},
    {"int x = 99999999999999999999;", 1, 9, "the number 99999999999999999999 does not fit into 64 bits"},
    {"int x = '\\q';", 1, 9, "unknown escape '\\q'"},
    {"void f(void) { asm(\"nop\" : \"=z\"(1)); }", 1, 28, "the constraint \"=z\" is not supported for an output"},
    {"void f(void) { int x; x(); }", 1, 23, "this is no function but 'int'"},
    {"int f(void) { return __builtin_clz(1, 2); }", 1, 39, "'__builtin_clz' takes 1 arguments"},
    {"int f(int x) { return _Generic(x, char: 1); }", 1, 23, "no association of this _Generic fits 'int'"},
    {"void f(void) { if (1) int x; }", 1, 23, "a declaration cannot stand here; put it into braces"},
    {"#define BAD(x) (x +)\nint f(void) { return BAD(1); }", 2, 22, "expected an expression before ')'"},
    {"#define BAD(x) (x)\nint f(void) { return 2 * BAD(zz); }", 2, 30, "'zz' is not declared"},
    {"#include \"bad.h\"\n", 2, 9, "expected an expression before ';'"},
    {"void f(int *p) { *p->x = 1; }", 1, 20, "'.x' needs a struct or union, and this is 'int'"},
    {"int f(void) { return sizeof(struct Q); }", 1, 22, "the size of an incomplete type 'struct Q' is not known"},
    {"void f(void) { __builtin_va_list ap; __builtin_va_start(ap, ap); }", 1, 38, "va_start in a function without '...'"},
    {"static int (*p)(void) = 1;", 1, 25, "initialiser: 'int' does not become 'int (*)(void)' by itself; write a cast if it is meant"},
};

Test(cc_front, messages)
{
    for (size_t i = 0; i < ARRAY_LEN(err_rows); i++) {
        const ErrRow *r = &err_rows[i];
        FrontTest t;
        cr_expect(not(front_parse(&t, r->text, CC_HYBRID, false)), "'%s' should be refused", r->text);
        char *got = xasprintf("%s%s%s", t.err.text, *t.err.hint ? "; " : "", t.err.hint);
        cr_expect(eq(str, got, (char *)r->want), "'%s'", r->text);
        cr_expect(eq(u32, t.err.line, r->line), "line of '%s'", r->text);
        cr_expect(eq(u32, t.err.col, r->col), "column of '%s'", r->text);
        free(got);
        front_free(&t);
    }
}

Test(cc_front, caret)
{
    FrontTest t;
    front_parse(&t, "int ok;\nint f(void)\n{\n\treturn 1 + yy;\n}\n", CC_HYBRID, false);
    char out[1024];
    err_format(&t.err, out, sizeof out);
    cr_expect(eq(str, out, (char *)"t.c:4:13: error: 'yy' is not declared\n    4 | \treturn 1 + yy;\n      | \t           ^\n"));
    front_free(&t);
}

// Only in one of the ABIs.
Test(cc_front, abi_messages)
{
    static const ErrRow rows[] = {
        {"__intcap x;", 1, 1, "not supported: __capability and __intcap in the hybrid ABI"},
        {"int * __capability p;", 1, 7, "not supported: __capability and __intcap in the hybrid ABI"},
        {"unsigned long f(void *p) { return __builtin_cheri_length_get(p); }", 1, 35, "'__builtin_cheri_length_get' needs the purecap ABI"},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        FrontTest t;
        cr_expect(not(front_parse(&t, rows[i].text, CC_HYBRID, false)));
        cr_expect(eq(str, t.err.text, (char *)rows[i].want));
        front_free(&t);
        cr_expect(front_parse(&t, rows[i].text, CC_PURECAP, false), "'%s': %s", rows[i].text, t.err.text);
        front_free(&t);
    }
}

// ---- Warnings ---------------------------------------------------------------------------------------------------------------

Test(cc_front, warnings)
{
    static const struct {
        const char *text, *purecap;
    } rows[] = {
        {"void *f(long x) { return (void *)x; }",
         "1:26: a pointer made of 'long' has no provenance: using it will trap (convert through uintptr_t) [-Wcheri-capability-misuse]\n"},
        {"void *f(void) { return (void *)0x1000; }", ""},
        {"void *f(__UINTPTR_TYPE__ x) { return (void *)x; }", ""},
        {"__UINTPTR_TYPE__ f(__UINTPTR_TYPE__ x, __UINTPTR_TYPE__ y) { return x + y; }",
         "1:71: both sides of '+' carry provenance: the left one is used [-Wcheri-provenance]\n"},
        {"__UINTPTR_TYPE__ f(__UINTPTR_TYPE__ x, __UINTPTR_TYPE__ y) { return x - y; }", ""},
        {"__UINTPTR_TYPE__ f(__UINTPTR_TYPE__ x, long y) { return (x + y) & ~15; }", ""},
        {"struct __attribute__((packed)) S { char c; void *p; };",
         "1:50: packed: the capability at offset 1 is not aligned: every access to it will trap [-Wcheri-capability-misuse]\n"},
        {"int f(); int g(void) { return f(1); }",
         "1:31: 'f' has no prototype: if it is variadic, it will not find these arguments [-Wcheri-prototypes]\n"},
        {"int x __attribute__((bogus));", "1:22: unknown attribute 'bogus' is ignored [-Wattributes]\n"},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        FrontTest t;
        cr_expect(front_parse(&t, rows[i].text, CC_PURECAP, false), "'%s': %s", rows[i].text, t.err.text);
        cr_expect(eq(str, (char *)buf_text(&t.warnings), (char *)rows[i].purecap), "'%s'", rows[i].text);
        front_free(&t);
    }
}

// ---- Types and constants ------------------------------------------------------------------------------------------------------

// Each row is a condition that must be true: with `pre` before it. want: h hybrid, p purecap, b both; the other must be false.
static const struct {
    char abi;
    const char *pre, *cond;
} facts[] = {
    {'h', "", "sizeof(void *) == 8 && _Alignof(void *) == 8"},
    {'p', "", "sizeof(void *) == 16 && _Alignof(void *) == 16"},
    {'h', "", "sizeof(__UINTPTR_TYPE__) == 8"},
    {'p', "", "sizeof(__UINTPTR_TYPE__) == 16 && sizeof(int (*)(void)) == 16"},
    {'b', "", "sizeof(char) == 1 && sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long) == 8 && sizeof(long long) == 8"},
    {'b', "", "sizeof(float) == 4 && sizeof(double) == 8 && sizeof(long double) == 16 && sizeof(_Bool) == 1 && sizeof(__int128) == 16"},
    {'b', "", "(char)-1 > 0 && (signed char)-1 < 0"}, // char is unsigned
    {'h', "", "sizeof(__builtin_va_list) == 32"},
    {'p', "", "sizeof(__builtin_va_list) == 16"},
    {'h', "struct S { char c; void *p; int i; };", "sizeof(struct S) == 24 && __builtin_offsetof(struct S, i) == 16"},
    {'p', "struct S { char c; void *p; int i; };", "sizeof(struct S) == 48 && __builtin_offsetof(struct S, i) == 32"},
    {'b', "struct S { int a; char b; short c; long d; };", "sizeof(struct S) == 16 && __builtin_offsetof(struct S, c) == 6"},
    {'b', "struct S { char c; int a : 3; int b : 7; };", "sizeof(struct S) == 4"},
    {'b', "struct S { int a : 20; int b : 20; };", "sizeof(struct S) == 8"},
    {'b', "struct S { char a : 4; char b : 5; };", "sizeof(struct S) == 2"},
    {'b', "struct S { char a; int : 0; char b; };", "sizeof(struct S) == 8 && _Alignof(struct S) == 4"}, // AAPCS64: unnamed ones align too
    {'b', "struct S { char a; int : 3; };", "sizeof(struct S) == 4 && _Alignof(struct S) == 4"},
    {'b', "struct S { short a : 9; char b; };", "sizeof(struct S) == 4 && __builtin_offsetof(struct S, b) == 2"},
    {'b', "struct S { unsigned long a : 40; int b : 20; };", "sizeof(struct S) == 8"},
    {'b', "struct __attribute__((packed)) S { char c; int i; short s; };", "sizeof(struct S) == 7 && _Alignof(struct S) == 1"},
    {'b', "struct __attribute__((packed)) S { char c; int a : 3; };", "sizeof(struct S) == 2"},
    {'b', "struct S { char c; } __attribute__((aligned(32)));", "sizeof(struct S) == 32 && _Alignof(struct S) == 32"},
    {'b', "struct S { char c; int i __attribute__((aligned(16))); };", "sizeof(struct S) == 32"},
    {'b', "struct S { char a; _Alignas(8) char b; };", "sizeof(struct S) == 16"},
    {'b', "union U { char c[5]; int i; };", "sizeof(union U) == 8"},
    {'b', "struct S { int n; char data[]; };", "sizeof(struct S) == 4"},
    {'b', "struct S { int a; union { struct { int b, c; }; long d; }; };", "__builtin_offsetof(struct S, c) == 12"},
    {'b', "struct S { struct { int x[3]; } a[4]; };", "__builtin_offsetof(struct S, a[2].x[1]) == 28"},
    {'b', "struct E {};", "sizeof(struct E) == 0"},
    {'b', "enum A { X }; enum B { Y = -1 }; enum C { Z = 1L << 40 };", "sizeof(enum A) == 4 && (enum A)-1 > 0 && (enum B)-1 < 0 && sizeof(enum C) == 8"},
    {'b', "enum { A, B = 5, C, D = C * 2 };", "A == 0 && C == 6 && D == 12"},
    {'b', "int a[] = {1, 2, [7] = 3, 4};", "sizeof(a) == 36"},
    {'b', "char s[] = \"abc\" \"de\";", "sizeof(s) == 6"},
    {'b', "", "sizeof(\"ab\") == 3 && sizeof(L\"ab\") == 12 && sizeof(u\"ab\") == 6 && sizeof(u8\"\\u00e4\") == 3"},
    {'b', "", "sizeof(int[3][4]) == 48 && sizeof(int (*[3])[4]) == 3 * sizeof(void *)"},
    {'b', "", "1 ? 1 : 1 / 0"},
    {'b', "", "-1 > 0u && -1 < 0L && 0xffffffff == -1u && 2147483648 > 0 && sizeof(2147483648) == 8 && sizeof(0x80000000) == 4"},
    {'b', "", "(unsigned char)300 == 44 && (signed char)200 == -56 && (_Bool)0.5 == 1 && (int)-3.9 == -3"},
    {'b', "", "-7 / 2 == -3 && -7 % 2 == -1 && -7 >> 1 == -4 && (1u << 31) >> 31 == 1 && ~0u == 4294967295"},
    {'b', "", "(1 << 3 | 1) == 9 && (6 & 3 ^ 1) == 3 && !0"},
    {'b', "", "0x1p4 == 16.0 && 1e3 == 1000 && .5f + .5f == 1"},
    {'b', "", "0b1011 == 11 && 017 == 15 && 'a' == 97 && '\\x41' == 65 && 'ab' == 24930 && L'\\u20ac' == 0x20ac"},
    {'b', "", "__builtin_types_compatible_p(int, signed) && !__builtin_types_compatible_p(int, long) && !__builtin_types_compatible_p(char, signed char)"},
    {'b', "int f(int);", "__builtin_types_compatible_p(__typeof__(f), int (int)) && __builtin_types_compatible_p(__typeof__(&f), int (*)(int))"},
    {'b', "", "_Generic(1, long: 0, int: 1) && _Generic((char)1, int: 0, default: 1) && _Generic(\"a\", char *: 1, default: 0)"},
    {'b', "", "_Generic('a' + 1u, unsigned: 1) && _Generic(1L + 1u, long: 1) && _Generic(1 ? (void *)0 : (int *)0, int *: 1)"},
    {'b', "struct { unsigned a : 3; } s;", "_Generic(s.a + 1, int: 1, default: 0)"}, // narrow bit-fields become int
    {'b', "", "__builtin_constant_p(3 * 4) && __builtin_choose_expr(1, 5, 1 / 0) == 5"},
    {'b', "char *p;", "!__builtin_constant_p(p)"},
    {'b', "typedef int T; typedef T T;", "sizeof(T) == 4"},
    {'b', "typedef int T; struct T { char c[3]; };", "sizeof(struct T) == 3 && sizeof(T) == 4"},
    {'b', "typedef int A16 __attribute__((aligned(16))); struct S { char c; A16 a; };", "sizeof(struct S) == 32"},
    {'b', "int x = 1; typeof(x) y; __typeof__(int *) p;", "sizeof(y) == 4 && sizeof(p) == sizeof(void *)"},
    {'b', "extern int arr[]; int arr[5];", "sizeof(arr) == 20"},
    {'b', "int (*f(int a, int (*b)(int)))[3];", "sizeof(*f(1, 0)) == 12"},
    {'b', "", "__INT_MAX__ == 2147483647 && __SIZEOF_SIZE_T__ == sizeof(__SIZE_TYPE__)"},
};

static bool holds(const char *pre, const char *cond, CcAbi abi, Err *err)
{
    char *text = xasprintf("%s\n_Static_assert(%s, \"no\");", pre, cond);
    FrontTest t;
    bool ok = front_parse(&t, text, abi, false);
    *err = t.err;
    front_free(&t);
    free(text);
    return ok;
}

Test(cc_front, layout_and_constants)
{
    for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
        for (int abi = CC_HYBRID; abi <= CC_PURECAP; abi++) {
            Err err;
            bool ok = holds(facts[i].pre, facts[i].cond, (CcAbi)abi, &err);
            bool want = facts[i].abi == 'b' || (facts[i].abi == 'p') == (abi == CC_PURECAP);
            cr_expect(ok == want, "%s %s (%s): %s", facts[i].pre, facts[i].cond, abi ? "purecap" : "hybrid", err.text);
            if (!want) cr_expect(eq(str, err.text, (char *)"static assertion failed: no"), "%s", facts[i].cond);
        }
    }
}

// ---- Initial data -------------------------------------------------------------------------------------------------------------

static const struct {
    const char *text, *hybrid, *purecap; // of x: bytes in hex without trailing zeros / size, then relocations; NULL = as hybrid
} data_rows[] = {
    {"int x = 0x1234;", "3412/4", NULL},
    {"int x;", "/4", NULL},
    {"char x[0] = {\"abc\"};", "/0", NULL},
    {"short x[] = {1, [3] = 4, 5};", "010000000000040005/10", NULL},
    {"int x[6] = {[1 ... 3] = 7, [2] = 1};", "00000000070000000100000007/24", NULL},
    {"char x[] = \"hi\";", "6869/3", NULL},
    {"char x[2] = \"hi\";", "6869/2", NULL},
    {"char x[5] = {\"hi\"};", "6869/5", NULL},
    {"char x[2][3] = {\"ab\", {'c'}};", "61620063/6", NULL},
    {"double x = 1.5;", "000000000000f83f/8", NULL},
    {"float x[] = {1, -2};", "0000803f000000c0/8", NULL},
    {"struct { int a : 3, b : 5; unsigned c : 20; } x = {1, -1, 0xabcde};", "f9debc0a/4", NULL},
    {"struct { char a; struct { short b[2]; } c; int d; } x = {1, 2, 3, 4};", "010002000300000004/12", NULL},
    {"struct { char a; struct { short b[2]; } c; int d; } x = {1, {{2, 3}}, 4};", "010002000300000004/12", NULL},
    {"struct { int a, b, c; } x = {.b = 2, 3, .a = 1};", "010000000200000003/12", NULL},
    {"struct { int a; struct { int b, c; } d; } x = {.d.c = 3, .d.b = 2};", "000000000200000003/12", NULL},
    {"struct { int a; union { char b; long c; }; } x = {1, .c = 2};", "010000000000000002/16", NULL},
    {"union { int a; char b[8]; } x = {.b = {1, 2, 3}};", "010203/8", NULL},
    {"struct { int n; char s[]; } x = {1, \"abc\"};", "01000000616263/8", NULL},
    {"int y; int *x = &y;", "/8 0:y+0", "/16 0:y+0"},
    {"int y[4]; int *x = y + 2;", "/8 0:y+8", "/16 0:y+8"},
    {"struct { int a; int b[3]; } y; int *x[] = {0, &y.b[1]};", "/16 8:y+8", "/32 16:y+8"},
    {"int f(void); int (*x)(void) = f;", "/8 0:f+0", "/16 0:f+0"},
    {"char *x = \"abc\" + 1;", "/8 0:.str.0+1", "/16 0:.str.0+1"},
    {"char *x[2] = {\"a\", \"a\"};", "/16 0:.str.0+0 8:.str.0+0", "/32 0:.str.0+0 16:.str.0+0"},
    {"int y; unsigned long x = (unsigned long)&y;", "/8 0:y+0 address", NULL},
    {"int y; __UINTPTR_TYPE__ x = (__UINTPTR_TYPE__)&y + 4;", "/8 0:y+4 address", "/16 0:y+4"},
    {"void *x = (void *)0x10;", "10/8", "10/16"},
    {"struct { int a; char *s; } x[] = {[1] = {1, \"b\"}, [0] = {2}};", "0200000000000000000000000000000001/32 24:.str.0+0",
     "020000000000000000000000000000000000000000000000000000000000000001/64 48:.str.0+0"},
    {"char *x[] = {[0 ... 2] = \"z\"};", "/24 0:.str.0+0 8:.str.0+0 16:.str.0+0", "/48 0:.str.0+0 16:.str.0+0 32:.str.0+0"},
    {"char *x[] = {\"a\", [0] = 0};", "/8", "/16"}, // the later one wins
    {"struct P { int a, b; }; struct P *x = &(struct P){1, 2};", "/8 0:.compound.0+0", "/16 0:.compound.0+0"},
    {"struct P { int a, b; }; struct P x = (struct P){1, 2};", "0100000002/8", NULL},
    {"int x = sizeof(int) == 4 ? 2 + 3 * 4 : 0;", "0e/4", NULL},
    {"enum { A, B, C }; const char x[] = {[B] = 'b', [C] = 'c', [A] = 'a'};", "616263/3", NULL},
    {"_Bool x[] = {2, 0, 0.1};", "010001/3", NULL},
    {"__int128 x = -2;", "feffffffffffffffffffffffffffffff/16", NULL},
};

static char *describe(const Obj *o)
{
    Buf b = {0};
    u64 len = o->data ? o->data_size : 0;
    while (len && !o->data[len - 1]) len--;
    for (u64 i = 0; i < len; i++) buf_printf(&b, "%02x", o->data[i]);
    buf_printf(&b, "/%llu", (unsigned long long)o->data_size);
    for (u32 i = 0; i < o->n_relocs; i++)
        buf_printf(&b, " %llu:%s+%lld%s", (unsigned long long)o->relocs[i].offset, o->relocs[i].sym->name, (long long)o->relocs[i].addend,
                   o->relocs[i].kind == RELOC_ADDR ? " address" : "");
    char *text = xstrndup(buf_text(&b), b.len);
    buf_free(&b);
    return text;
}

Test(cc_front, initial_data)
{
    for (size_t i = 0; i < ARRAY_LEN(data_rows); i++) {
        for (int abi = CC_HYBRID; abi <= CC_PURECAP; abi++) {
            FrontTest t;
            cr_assert(front_parse(&t, data_rows[i].text, (CcAbi)abi, false), "'%s': %s", data_rows[i].text, t.err.text);
            const char *want = abi == CC_PURECAP && data_rows[i].purecap ? data_rows[i].purecap : data_rows[i].hybrid;
            char *got = describe(front_obj(&t, "x"));
            cr_expect(eq(str, got, (char *)want), "'%s' in %s", data_rows[i].text, abi ? "purecap" : "hybrid");
            free(got);
            front_free(&t);
        }
    }
}

// ---- Trees ----------------------------------------------------------------------------------------------------------------------

static const char *const kind_names[] = {
    [ND_NUM] = "num", [ND_FLT] = "flt", [ND_ADDR] = "addr", [ND_LABEL_ADDR] = "labeladdr", [ND_LOAD] = "load", [ND_OLD] = "old",
    [ND_VAR] = "var", [ND_DEREF] = "deref", [ND_MEMBER] = "member", [ND_ADD] = "add", [ND_SUB] = "sub", [ND_MUL] = "mul",
    [ND_DIV] = "div", [ND_MOD] = "mod", [ND_AND] = "and", [ND_OR] = "or", [ND_XOR] = "xor", [ND_SHL] = "shl", [ND_SHR] = "shr",
    [ND_NEG] = "neg", [ND_NOT] = "not", [ND_EQ] = "eq", [ND_NE] = "ne", [ND_LT] = "lt", [ND_LE] = "le", [ND_LNOT] = "lnot",
    [ND_LAND] = "land", [ND_LOR] = "lor", [ND_COND] = "cond", [ND_COMMA] = "comma", [ND_PTRADD] = "ptradd", [ND_PTRDIFF] = "ptrdiff",
    [ND_CAST] = "cast", [ND_ASSIGN] = "assign", [ND_UPDATE] = "update", [ND_CALL] = "call", [ND_BUILTIN] = "builtin",
    [ND_STMT_EXPR] = "stmtexpr", [ND_PROBE] = "probe",
};
static const char *const cast_names[] = {"int", "bool", "intflt", "fltint", "flt", "ptr", "ptrint", "intptr", "void"};

static void show(Buf *b, Arena *a, const Node *n)
{
    buf_printf(b, "(%s", kind_names[n->kind]);
    if (n->kind == ND_CAST) buf_printf(b, ":%s", cast_names[n->cast]);
    buf_printf(b, " %s", type_text(a, n->type));
    if (n->kind == ND_NUM) buf_printf(b, " %lld", (long long)n->ival);
    if (n->kind == ND_VAR) buf_printf(b, " %s", n->var->name);
    if (n->kind == ND_MEMBER) buf_printf(b, " .%s", n->member->name);
    if (n->kind == ND_PTRADD || n->kind == ND_PTRDIFF) buf_printf(b, " *%llu", (unsigned long long)n->scale);
    if (n->kind == ND_UPDATE && n->is_post) buf_printf(b, " post");
    if (n->kind >= ND_ADD && n->kind <= ND_NOT && type_is_intcap(n->type)) buf_printf(b, " %s", n->prov ? "right" : "left");
    if (n->kind == ND_BUILTIN) buf_printf(b, " %s", cc_builtin_name((BuiltinId)n->builtin));
    if (n->lhs) buf_printf(b, " "), show(b, a, n->lhs);
    if (n->rhs) buf_printf(b, " "), show(b, a, n->rhs);
    if (n->kind == ND_CALL || n->kind == ND_BUILTIN || n->kind == ND_PROBE)
        for (u32 i = 0; i < n->n_args; i++) buf_printf(b, " "), show(b, a, n->args[i]);
    buf_printf(b, ")");
}

static const struct {
    const char *pre, *expr, *want; // the expression statement in void f(params) as a tree
} tree_rows[] = {
    {"int a, short s", "a += s", "(update int (var int a) (add int (old int) (cast:int int (load short (var short s)))))"},
    {"char c", "c++", "(update char post (var char c) (cast:int char (add int (cast:int int (old char)) (num int 1))))"},
    {"int *p", "p[2]", "(load int (deref int (ptradd int * *4 (load int * (var int * p)) (num long 2))))"},
    {"int *p", "--p", "(update int * (var int * p) (ptradd int * *4 (old int *) (num long -1)))"},
    {"int *p, int *q", "p - q", "(ptrdiff long *4 (load int * (var int * p)) (load int * (var int * q)))"},
    {"int *p", "&*p", "(load int * (var int * p))"},
    {"unsigned u, int i", "u > i", "(lt int (cast:int unsigned int (load int (var int i))) (load unsigned int (var unsigned int u)))"},
    {"double d, int i", "d = i", "(assign double (var double d) (cast:intflt double (load int (var int i))))"},
    {"_Bool b, int *p", "b = p", "(assign _Bool (var _Bool b) (cast:bool _Bool (load int * (var int * p))))"},
    {"long l, int i", "l << i", "(shl long (load long (var long l)) (load int (var int i)))"},
    {"struct { unsigned b : 3; } *s", "s->b + 1",
     "(add int (cast:int int (load unsigned int (member unsigned int .b (deref struct (without name) (load struct (without name) * "
     "(var struct (without name) * s)))))) (num int 1))"},
    {"int (*fp)(int)", "(*fp)('a')", "(call int (load int (*)(int) (var int (*)(int) fp)) (num int 97))"},
    {"int v(const char *, ...), float x, char c", "v(\"\", x, c)",
     "(call int (load int (*)(const char *, ...) (var int (*)(const char *, ...) v)) (cast:ptr const char * (addr char * (var char [1] .str.0))) "
     "(cast:flt double (load float (var float x))) (cast:int int (load char (var char c))))"},
    // __intcap: the side that gives the capability
    {"__UINTPTR_TYPE__ u", "u + 1", "(add unsigned __intcap left (load unsigned __intcap (var unsigned __intcap u)) (num unsigned long 1))"},
    {"__UINTPTR_TYPE__ u", "1 + u", "(add unsigned __intcap right (num unsigned long 1) (load unsigned __intcap (var unsigned __intcap u)))"},
    {"__UINTPTR_TYPE__ u, long l", "l | u",
     "(or unsigned __intcap right (cast:int unsigned long (load long (var long l))) (load unsigned __intcap (var unsigned __intcap u)))"},
    {"__UINTPTR_TYPE__ u, long l", "(__UINTPTR_TYPE__)l + u",
     "(add unsigned __intcap right (cast:intptr unsigned __intcap (load long (var long l))) (load unsigned __intcap (var unsigned __intcap u)))"},
    {"__UINTPTR_TYPE__ u, __UINTPTR_TYPE__ w", "u - w",
     "(sub unsigned __intcap left (load unsigned __intcap (var unsigned __intcap u)) (load unsigned __intcap (var unsigned __intcap w)))"},
    {"long l, __UINTPTR_TYPE__ u", "u &= ~15", "(update unsigned __intcap (var unsigned __intcap u) (and unsigned __intcap left (old unsigned __intcap) "
                                               "(num unsigned long -16)))"},
    {"__UINTPTR_TYPE__ u", "~u", "(not unsigned __intcap left (load unsigned __intcap (var unsigned __intcap u)))"},
    {"__UINTPTR_TYPE__ u", "u == 4", "(eq int (cast:ptrint unsigned long (load unsigned __intcap (var unsigned __intcap u))) (num unsigned long 4))"},
    {"void *p", "(__UINTPTR_TYPE__)p", "(cast:ptr unsigned __intcap (load void * (var void * p)))"},
    {"void *p", "(long)p", "(cast:ptrint long (load void * (var void * p)))"},
    {"long l", "(char *)l", "(cast:intptr char * (load long (var long l)))"},
    {"char *p", "__builtin_cheri_bounds_set(p, 4)", "(builtin char * __builtin_cheri_bounds_set (load char * (var char * p)) (num unsigned long 4))"},
    {"int a", "__probe(here, a, &a)", "(probe void (load int (var int a)) (addr int * (var int a)))"},
};

static Node *only_expr(const FrontTest *t)
{
    Node *body = front_obj(t, "f")->body;
    return body->n_stmts == 1 && body->stmts[0]->kind == ND_EXPR ? body->stmts[0]->lhs : NULL;
}

Test(cc_front, trees)
{
    for (size_t i = 0; i < ARRAY_LEN(tree_rows); i++) {
        char *text = xasprintf("void f(%s) { %s; }", tree_rows[i].pre, tree_rows[i].expr);
        FrontTest t;
        cr_assert(front_parse(&t, text, CC_PURECAP, false), "'%s': %s", text, t.err.text);
        Buf b = {0};
        show(&b, &t.arena, only_expr(&t));
        cr_expect(eq(str, (char *)buf_text(&b), (char *)tree_rows[i].want), "'%s'", text);
        buf_free(&b);
        front_free(&t);
        free(text);
    }
}

// A probe takes no address and keeps nothing alive; without probes it is nothing at all.
Test(cc_front, probes_are_weak)
{
    const char *text = "static int g; void f(int a) { __probe(x, &a, &g); }";
    for (int no_probes = 0; no_probes <= 1; no_probes++) {
        FrontTest t;
        cr_assert(front_parse(&t, text, CC_HYBRID, no_probes));
        Obj *f = front_obj(&t, "f");
        cr_expect(not(f->params[0]->is_addr_taken));
        cr_expect(not(front_obj(&t, "g")->is_referenced));
        cr_expect(only_expr(&t)->kind == (no_probes ? ND_CAST : ND_PROBE));
        front_free(&t);
    }
}

Test(cc_front, references)
{
    FrontTest t;
    cr_assert(front_parse(&t,
                          "static int a, b, c; static int *pb = &b; static void dead(void) { c = 1; }\n"
                          "static int used(void) { return *pb; } int f(void) { return a + used() + (int)sizeof(c); }",
                          CC_HYBRID, false));
    static const struct {
        const char *name;
        bool want;
    } rows[] = {{"a", true}, {"b", true}, {"pb", true}, {"c", false}, {"dead", false}, {"used", true}, {"f", true}};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) cr_expect(front_obj(&t, rows[i].name)->is_referenced == rows[i].want, "%s", rows[i].name);
    front_free(&t);
}

Test(cc_front, linkage)
{
    FrontTest t;
    cr_assert(front_parse(&t,
                          "inline int i1(void) { return 1; } static inline int i2(void) { return 1; } inline int i3(void) { return 1; }\n"
                          "extern inline int i3(void); extern int e; int tent; int tent; const int k = 1; __attribute__((weak)) int w;\n"
                          "int s __attribute__((section(\".data.s\"), aligned(64)));",
                          CC_HYBRID, false));
    cr_expect(front_obj(&t, "i1")->is_static);
    cr_expect(front_obj(&t, "i2")->is_static);
    cr_expect(not(front_obj(&t, "i3")->is_static));
    cr_expect(not(front_obj(&t, "e")->is_defined));
    cr_expect(front_obj(&t, "tent")->is_defined);
    cr_expect(front_obj(&t, "k")->is_const);
    cr_expect(front_obj(&t, "w")->is_weak);
    cr_expect(eq(str, (char *)front_obj(&t, "s")->section, (char *)".data.s"));
    cr_expect(eq(u32, front_obj(&t, "s")->align, 64));
    front_free(&t);
}

Test(cc_front, accepts)
{
    static const char *const rows[] = {
        "int f(int x) { static const void *const t[] = {&&a, &&b}; goto *t[x]; a: return 1; b: return 2; }",
        "int f(int x) { return ({ int y = x; while (y > 9) y /= 10; y; }); }",
        "int f(int x) { switch (x) { case 1: case 2 ... 4: x = 1; __attribute__((fallthrough)); default: break; case 9: return 0; } return x; }",
        "struct S { int a; } g(void); int f(void) { return g().a; }",
        "int f(void) { struct { int a[3]; } s = {{1, 2, 3}}, t = s; return t.a[1] + ((int[]){4, 5})[1]; }",
        "int f(void) { for (int i = 0, j = 1; i < 3; i++, j *= 2) if (i == j) continue; else break; return 0; }",
        "long sys(long n, long a) { register long x8 asm(\"x8\") = n; register long x0 asm(\"x0\") = a;"
        " asm volatile(\"svc #0\" : \"+r\"(x0) : \"r\"(x8) : \"memory\", \"cc\"); return x0; }",
        "void f(void) { asm(\"nop\"); asm volatile(\"\" ::: \"memory\"); }",
        "typedef struct N N; struct N { N *next; int (*cmp)(const N *, const N *); }; int f(N *a) { return a->next->cmp(a, a->next); }",
        "int f(int a[static 3], const char *restrict s, int n, int m[n][3]) { return a[0] + s[0] + m[1][2]; }",
        "__extension__ typedef long long ll; __attribute__((noreturn)) void die(const char *, ...) __attribute__((format(printf, 1, 2)));",
        "void f(void) { __auto_type x = 1.5; typeof(x) *p = &x; *p += 1; }",
        "int f(void) { extern int other; { extern int other; } return other; } int other = 3;",
        "int f(int n) { return n ?: 5; }",
        "void f(void) { int x; { int x = 1; (void)x; } struct S { int a; } s; { struct S { long b; } t; t.b = 1; } s.a = 1; (void)x; }",
        "int f(int T) { typedef int U; { U U = 1; return T + U; } }",
        "void f(unsigned char *p) { *p |= 1; *p <<= 2; p += 1; (*p)--; }",
        "enum E { A, B }; int f(enum E e) { switch (e) { case A: return 1; case B: return 2; } return 0; }",
        "int f(double d) { return d != d || !d || -d < +d; }",
        "void f(char *p, ...) { __builtin_va_list a, b; __builtin_va_start(a, p); __builtin_va_copy(b, a); __builtin_va_arg(b, int);"
        " __builtin_va_end(a); __builtin_va_end(b); }",
        "int f(int a, int b, long *r) { return __builtin_add_overflow(a, b, r) + __builtin_expect(a > 0, 1); }",
        "char *f(char *p) { return __builtin_align_up(p, 16); } int g(long n) { return __builtin_is_aligned(n, 8); }",
        "struct S { int x; }; void f(struct S *p) { *p = (struct S){1}; struct S a = *p, *q = &a; (*q).x = p->x; }",
        "static int f(); int g(void) { return f(1, 2); } static int f(int a, int b) { return a + b; }",
        "const char *f(void) { return __func__; }",
        "int a, *p = &a, **q = &p, f(void), (*g)(void) = f;",
        "int x[2][3] = {1, 2, 3, 4}; struct { int a; int b[2]; } y[] = {1, 2, 3, 4, {5, {6}}};",
        "void f(void) { label: ; goto label; { int x; end: x = 1; } if (0) goto end; out: }",
        "asm(\".globl x\"); int main(void) {}",
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        for (int abi = CC_HYBRID; abi <= CC_PURECAP; abi++) {
            FrontTest t;
            cr_expect(front_parse(&t, rows[i], (CcAbi)abi, false), "'%s': %u: %s", rows[i], t.err.col, t.err.text);
            front_free(&t);
        }
}

// ---- Limits -----------------------------------------------------------------------------------------------------------------------

static void repeat(Buf *b, const char *s, u32 n)
{
    for (u32 i = 0; i < n; i++) buf_printf(b, "%s", s);
}

// Nesting that would overflow the host's stack is refused; long flat things are fine.
Test(cc_front, deep_nesting)
{
    static const struct {
        const char *head, *open, *mid, *close, *tail;
        u32 n;
        bool is_ok;
    } rows[] = {
        {"int x = ", "(", "1", ")", ";", 100, true},
        {"int x = ", "(", "1", ")", ";", 100000, false},
        {"int f(int x) { return ", "-", "x", "", ";}", 100000, false},
        {"int f(int x) { ", "{", "", "}", "}", 100000, false},
        {"int f(int x) { ", "if (x) ", ";", "", "}", 100000, false},
        {"int f(int x) { ", "if (x) ; else ", ";", "", "}", 1000, true},
        {"int f(int x) { ", "if (x) ; else ", ";", "", "}", 100000, false},
        {"int f(int x) { return x", " + x", "", "", ";}", 1500, true},
        {"int f(int x) { return x", " + x", "", "", ";}", 100000, false},
        {"int f(int x) { return ", "x = ", "x", "", ";}", 100000, false},
        {"int f(int x) { return ", "x ? x : ", "x", "", ";}", 100000, false},
        {"int ", "*", "p", "", ";", 100000, false},
        {"int ", "(", "p", ")", ";", 100000, false},
        {"int p", "[1]", "", "", ";", 100000, false},
        {"int x[] = ", "{", "1", "}", ";", 100000, false},
        {"int x[] = {", "1,", "", "", "};", 100000, true},
        {"", "struct {", "int a;", "} b;", "", 100000, false},
        {"int f(int x) {", "x++;", "", "", "}", 100000, true},
        {"int f(int x) { l: goto l; ", "a: ", "", "", "}", 2, false},
        {"typedef int T0; ", "typedef int T0;", "", "", "", 1000, true},
        {"int x = 0 ", "|| 0", "", "", ";", 1500, true},
        {"#if 1 ", "|| 0", "", "", "\n#endif\n", 100000, true},
        {"#if ", "(", "1", ")", "\n#endif\n", 100000, false},
        {"char *s = ", "\"a\"", "", "", ";", 100000, true},
        {"void f(void (*p)(", "void (*)(", "int", ")", "));", 100000, false},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        Buf b = {0};
        repeat(&b, rows[i].head, 1);
        repeat(&b, rows[i].open, rows[i].n);
        repeat(&b, rows[i].mid, 1);
        repeat(&b, rows[i].close, rows[i].n);
        repeat(&b, rows[i].tail, 1);
        FrontTest t;
        bool ok = front_parse(&t, buf_text(&b), CC_PURECAP, false);
        cr_expect(ok == rows[i].is_ok, "%s%s…: %s", rows[i].head, rows[i].open, t.err.text);
        front_free(&t);
        buf_free(&b);
    }
}
