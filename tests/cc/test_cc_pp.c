// test_cc_pp.c: the preprocessor: text in, tokens out (white space as one space), for both good and bad input.
#include "front_support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

typedef struct Row {
    const char *name, *text, *want;
} Row;

static const Row rows[] = {
    {"object", "#define A 1\nA B A", "1 B 1"},
    {"no space after name", "#define A(x) x\n#define B (x)\nA(1) B", "1 (x)"},
    {"nested calls", "#define ADD(a,b) a+b\nADD(1,ADD(2,3))", "1+2+3"},
    {"call over lines", "#define F(a) [a]\nF(\n1\n)", "[ 1 ]"},
    {"name without call", "#define F(a) [a]\nF F (2)", "F [2]"},
    {"empty argument", "#define F(a) [a]\nF()", "[]"},
    {"two empty arguments", "#define F(a,b) [a|b]\nF(,)", "[|]"},
    {"recursion", "#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2*9*g"},
    {"self", "#define x x+1\nx", "x+1"},
    {"standard 6.10.3.5 ex.3",
     "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n"
     "#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n"
     "#define str(x) # x\nf(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n"
     "p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\nchar c[2][6] = { str(hello), str() };",
     "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1); f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * ( 0,1 ))^m(0,1); "
     "int i[] = { 1, 23, 4, 5, }; char c[2][6] = { \"hello\", \"\" };"},
    {"standard 6.10.3.5 ex.4",
     "#define str(s) # s\n#define xstr(s) str(s)\n#define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", x ## s, x ## t)\n"
     "#define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n#define HIGHLOW \"hello\"\n"
     "#define LOW LOW \", world\"\ndebug(1, 2);\nfputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') == 0) str(: @\\n), s);\n"
     "xstr(INCFILE(2).h)\nglue(HIGH, LOW);\nxglue(HIGH, LOW)",
     "printf(\"x\" \"1\" \"= %d, x\" \"2\" \"= %s\", x1, x2); fputs(\"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \": @\\n\", s); "
     "\"vers2.h\" \"hello\"; \"hello\" \", world\""},
    {"standard 6.10.3.5 ex.5 placemarkers",
     "#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };",
     "int j[] = { 123, 45, 67, 89, 10, 11, 12, };"},
    {"hash_hash", "#define hash_hash # ## #\nx hash_hash", "x ##"},
    {"variadic", "#define D(f, ...) p(f, __VA_ARGS__)\nD(1,2,3)", "p(1, 2,3)"},
    {"GNU comma", "#define D(f, ...) p(f, ## __VA_ARGS__)\nD(1) D(1,2)", "p(1) p(1, 2)"},
    {"GNU named rest", "#define D(f, r...) p(f, ## r)\nD(1) D(1,2,3)", "p(1) p(1, 2,3)"},
    {"__VA_OPT__", "#define D(f, ...) p(f __VA_OPT__(, X) __VA_ARGS__)\nD(1) D(1,2)", "p(1) p(1, X 2)"},
    {"#__VA_OPT__", "#define D(...) #__VA_OPT__(a __VA_ARGS__)\nD() D(b c)", "\"\" \"a b c\""},
    {"stringize spaces", "#define S(x) #x\nS( a   +  \"q\\n\" )", "\"a + \\\"q\\\\n\\\"\""},
    {"X-macro", "#define L(X) X(A,1) \\\n X(B,2)\n#define X(n,v) n=v,\nL(X)", "A=1, B=2,"},
    {"X-macro without space at the splice", "#define L(X) X(A,1)\\\nX(B,2)\n#define X(n,v) n=v,\nL(X)", "A=1,B=2,"},
    {"argument macros expand first", "#define CAT(a,b) a##b\n#define X(a,b) CAT(a,b)\n#define Y 7\nX(Y,Y) CAT(Y,Y)", "77 YY"},
    {"splice in a token", "in\\\nt x\\\n1;", "int x1;"},
    {"splice in a string", "\"ab\\\ncd\"", "\"abcd\""},
    {"comments", "a/* x\n y */b // c \\\n d\ne", "a b e"},
    {"digraphs", "%: define A <: :> <% %>\nA", "<: :> <% %>"},
    {"if", "#if 1 + 2 * 3 == 7 && !defined(X) && defined PLAIN\nyes\n#else\nno\n#endif", "yes"},
    {"elif", "#if 0\n1\n#elif 0\n2\n#elif FROM_OPTIONS == 5\n3\n#elif 1\n4\n#else\n5\n#endif", "3"},
    {"skipped text may be anything", "#if 0\n'it isn't \" closed /* \" */\n#bogus\n#if 1\n#else\n#endif\n#endif\nok", "ok"},
    {"else after taken", "#if 1\na\n#elif 1/0\nb\n#else\nc\n#endif", "a"},
    {"unsigned in if", "#if -1 > 0u\nbig\n#endif\n#if -1 < 0\nneg\n#endif", "big neg"},
    {"ternary and shifts", "#if (1 ? 2 : 3) << 2 == 8 && (~0 >> 70) == -1\ny\n#endif", "y"},
    {"characters in if", "#if 'a' == 97 && '\\n' == 10 && '\\xff' == 255\ny\n#endif", "y"},
    {"short circuit", "#if 1 || 1/0\ny\n#endif\n#if 0 && 1/0\n#else\nz\n#endif", "y z"},
    {"defined from a macro", "#define HAS defined(PLAIN)\n#if HAS\ny\n#endif", "y"},
    {"ifdef", "#ifdef NO\n1\n#endif\n#ifndef NO\n2\n#endif", "2"},
    {"include", "#include \"one.h\"\n#include \"twice.h\"\n#include \"twice.h\"\n#include \"one.h\"\nend", "int one; int twice; int one; end"},
    {"include system", "#include <sys.h>\nSYS", "sys 1"},
    {"include by macro", "#define H \"one.h\"\n#define S <sys.h>\n#include H\n#include S", "int one; sys"},
    {"has_include", "#if __has_include(<sys.h>) && __has_include(\"one.h\") && !__has_include(\"no.h\")\ny\n#endif", "y"},
    {"has_x", "#if __has_builtin(__builtin_memcpy) && !__has_builtin(foo) && __has_attribute(noreturn) && __has_attribute(__packed__) && "
              "!__has_attribute(bogus) && __has_feature(capabilities)\ny\n#endif", "y"},
    {"line", "#define L __LINE__\n\nL __LINE__\n#line 100\n__LINE__", "3 3 100"},
    {"file", "__FILE__\n#line 7 \"other.c\"\n__FILE__", "\"t.c\" \"other.c\""},
    {"counter", "__COUNTER__ __COUNTER__", "0 1"},
    {"pragma", "#pragma foo\na _Pragma(\"x\") b", "a b"},
    {"numbers", "1.5e+3 0x1p-3 .5 1e5 0xe+1", "1.5e+3 0x1p-3 .5 1e5 0xe+1"},
    {"avoids new tokens", "#define M -\n#define P +\n-M -P+ M-", "- - - + + - -"},
    {"undef and again", "#define A 1\n#undef A\n#define A 2\nA", "2"},
    {"call ends outside the macro", "#define F(x) x G\n#define G(y) <y>\nF(1)(2)", "1 <2>"},
    // Errors
    {"error directive", "\n #error  bad thing", "error: 2:3: #error bad thing"},
    {"no file", "#include \"no.h\"", "error: 1:10: cannot find the include file 'no.h'"},
    {"long name made of macros", "#define A aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n#define B A A A A A A A A A\n#define C < B B\n#include C",
     "error: 4:10: this name of a header has more than 1023 characters"},
    {"unclosed if", "#if 1\n#ifdef A\n#endif", "error: 1:2: this #if has no #endif"},
    {"unclosed if in an include", "#include \"open.h\"\n", "error: 1:2: this #if has no #endif"},
    {"stray endif", "a\n#endif", "error: 2:2: #endif without #if"},
    {"else twice", "#if 0\n#else\n#else\n#endif", "error: 3:2: #else after #else"},
    {"elif after else", "#if 1\n#else\n#elif 1\n#endif", "error: 3:2: #elif after #else"},
    {"include loop", "#include \"loop.h\"", "error: 1:10: #include nested too deeply (more than 64 files)"},
    {"unclosed call", "#define F(a) a\nF(1", "error: 2:1: this use of the macro 'F' has no ')'"},
    {"too many arguments", "#define F(a) a\n F(1,2)", "error: 2:2: the macro 'F' has too many arguments here: it takes 1"},
    {"too few arguments", "#define F(a,b) a\nF(1)", "error: 2:1: the macro 'F' has too few arguments here: 1 of 2"},
    {"bad paste", "#define F(a,b) a##b\nF(+,-)", "error: 2:1: '##' makes '+-', which is no token"},
    {"paste at the end", "#define F a ##\n", "error: 1:13: '##' cannot stand at either end of a macro"},
    {"hash without parameter", "#define F(a) # b\n", "error: 1:14: '#' in a macro must stand before a parameter"},
    // A sanitizer build also sees that a wrong parameter list loses no memory.
    {"parameters: number", "#define F(a, 1) a\n", "error: 1:14: the parameter list of the macro 'F' is wrong here"},
    {"parameters: no comma", "#define F(a b) a\n", "error: 1:13: the parameter list of the macro 'F' is wrong here"},
    {"parameters: comma at the end", "#define F(a,) a\n", "error: 1:13: the parameter list of the macro 'F' is wrong here"},
    {"parameters: comma first", "#define F(,a) a\n", "error: 1:11: the parameter list of the macro 'F' is wrong here"},
    {"parameters: line ends", "#define F(a, b\n)", "error: 1:15: the parameter list of the macro 'F' is wrong here"},
    {"parameters: file ends", "#define F(a,", "error: 1:13: the parameter list of the macro 'F' is wrong here"},
    {"parameters: behind the rest", "#define F(..., a) a\n", "error: 1:16: the parameter list of the macro 'F' is wrong here"},
    {"parameters: two rests", "#define F(a, ..., ...) a\n", "error: 1:19: the parameter list of the macro 'F' is wrong here"},
    {"parameters: behind a named rest", "#define F(a..., b) a\n", "error: 1:17: the parameter list of the macro 'F' is wrong here"},
    {"parameters: __VA_ARGS__", "#define F(__VA_ARGS__) 1\n", "error: 1:11: the parameter list of the macro 'F' is wrong here"},
    {"parameters: twice", "#define F(a, b, a) a\n", "error: 1:17: the macro 'F' has two parameters 'a'"},
    {"parameters: unclosed string", "#define F(a, \"b\nx", "error: 1:14: this string is not closed"},
    {"parameters: unclosed character", "#define F(a, 'b\nx", "error: 1:14: this character is not closed"},
    {"parameters: unclosed comment", "#define F(a, /* b\nx", "error: 1:14: this comment is not closed"},
    {"va_args outside", "#define F(a) __VA_ARGS__\n", "error: 1:14: __VA_ARGS__ outside a macro with '...'"},
    {"unclosed comment", "a /* b", "error: 1:3: this comment is not closed"},
    {"unclosed string", "x \"abc\ny", "error: 1:3: this string is not closed"},
    {"division in if", "#if 1/0\n#endif", "error: 1:6: division by zero in this #if"},
    {"bad if", "#if 1 +\n#endif", "error: 1:2: this #if ends too early"},
    {"text behind if", "#if 1 2\n#endif", "error: 1:7: unexpected text at the end of this #if"},
    {"empty if at the very start", "#if ", "error: 1:2: #if without an expression"},
    {"pack", "#pragma pack(1)\n", "error: 1:9: not supported: #pragma pack"},
    {"builtin macro", "#undef __LINE__", "error: 1:2: '__LINE__' is built in and cannot be undefined"},
    {"explosion", "#define A B B B B B B B B\n#define B C C C C C C C C\n#define C D D D D D D D D\n#define D E E E E E E E E\n"
                  "#define E F F F F F F F F\n#define F G G G G G G G G\n#define G H H H H H H H H\n#define H I I I I I I I I\nA",
     "error: 9:1: the macros expand to too much text"},
};

Test(cc_pp, rows)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char *got = front_tokens(rows[i].text, CC_HYBRID);
        cr_expect(eq(str, got, (char *)rows[i].want), "row '%s'", rows[i].name);
        free(got);
    }
}

static const Row abi_rows[] = { // want: hybrid | purecap
    {"LP64", "#ifdef __LP64__\nlp64\n#endif\n__SIZEOF_POINTER__", "lp64 8|16"},
    {"intptr", "__UINTPTR_TYPE__ __INTPTR_TYPE__", "unsigned long long|unsigned __intcap __intcap"},
    {"purecap", "#ifdef __CHERI_PURE_CAPABILITY__\n__CHERI_PURE_CAPABILITY__\n#endif\n__CHERI__", "1|2 1"},
    {"both ends of the table", "_LP64 __AARCH64EL__ __unix__ __UINT64_C(5)", "1 1 1 5UL|_LP64 1 1 5UL"},
    {"undefined again", "#undef __INT_MAX__\n__INT_MAX__", "__INT_MAX__|__INT_MAX__"},
    {"ifdef", "#if defined(__INT_MAX__) && !defined(__INT_MAXI__)\ny\n#endif", "y|y"},
    {"common", "__CAPLAB_CC__ __aarch64__ __SIZEOF_LONG__ __CHAR_UNSIGNED__", "1 1 8 1|1 1 8 1"},
};

Test(cc_pp, predefined)
{
    for (size_t i = 0; i < ARRAY_LEN(abi_rows); i++) {
        char *hybrid = front_tokens(abi_rows[i].text, CC_HYBRID), *purecap = front_tokens(abi_rows[i].text, CC_PURECAP);
        char *both = xasprintf("%s|%s", hybrid, purecap);
        cr_expect(eq(str, both, (char *)abi_rows[i].want), "row '%s'", abi_rows[i].name);
        free(hybrid), free(purecap), free(both);
    }
}

// The table is searched by halves.
Test(cc_pp, predefined_in_order)
{
    static const char *const names[] = {
#define PREDEF(abi, name, rest) name,
#include "cc/predef.def"
#undef PREDEF
    };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        cr_expect(names[i][0] == '_', "%s", names[i]);
        cr_expect(i == 0 || strcmp(names[i - 1], names[i]) <= 0, "%s", names[i]);
    }
}

// Nested uses in arguments go through the host's stack: a limit, not a crash.
Test(cc_pp, deep_arguments)
{
    Buf b = {0};
    buf_printf(&b, "#define F(x) x\n");
    for (int i = 0; i < 1000; i++) buf_printf(&b, "F(");
    buf_printf(&b, "1");
    for (int i = 0; i < 1000; i++) buf_printf(&b, ")");
    char *got = front_tokens(buf_text(&b), CC_HYBRID);
    cr_expect(eq(str, got, (char *)"error: 2:403: macro uses nested too deeply"));
    free(got);
    buf_free(&b);
}
