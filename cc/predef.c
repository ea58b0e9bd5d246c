// predef.c: the predefined macros, by ABI, as text that is read before the source; and the -D definitions.
#include "cc/front.h"

static const char common[] =
    "#define __CAPLAB_CC__ 1\n"
    "#define __STDC__ 1\n#define __STDC_VERSION__ 201112L\n#define __STDC_HOSTED__ 1\n#define __STDC_UTF_16__ 1\n"
    "#define __STDC_UTF_32__ 1\n#define __STDC_NO_ATOMICS__ 1\n#define __STDC_NO_COMPLEX__ 1\n#define __STDC_NO_THREADS__ 1\n"
    "#define __STDC_NO_VLA__ 1\n#define __ELF__ 1\n#define __aarch64__ 1\n#define __AARCH64EL__ 1\n#define __ARM_ARCH 8\n"
    "#define __ARM_ARCH_8A 1\n#define __ARM_64BIT_STATE 1\n#define __ARM_ARCH_ISA_A64 1\n#define __ARM_FEATURE_MEMORY_TAGGING 1\n"
    "#define __ARM_FP 14\n#define __ARM_SIZEOF_WCHAR_T 4\n#define __ARM_SIZEOF_MINIMAL_ENUM 4\n"
    "#define __linux__ 1\n#define __unix__ 1\n#define __DATE__ \"Jan  1 1970\"\n#define __TIME__ \"00:00:00\"\n"
    "#define __ORDER_LITTLE_ENDIAN__ 1234\n#define __ORDER_BIG_ENDIAN__ 4321\n#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__\n"
    "#define __FLOAT_WORD_ORDER__ __ORDER_LITTLE_ENDIAN__\n#define __LITTLE_ENDIAN__ 1\n"
    "#define __CHAR_BIT__ 8\n#define __CHAR_UNSIGNED__ 1\n#define __SIZEOF_SHORT__ 2\n#define __SIZEOF_INT__ 4\n"
    "#define __SIZEOF_LONG__ 8\n#define __SIZEOF_LONG_LONG__ 8\n#define __SIZEOF_INT128__ 16\n#define __SIZEOF_FLOAT__ 4\n"
    "#define __SIZEOF_DOUBLE__ 8\n#define __SIZEOF_LONG_DOUBLE__ 16\n#define __SIZEOF_SIZE_T__ 8\n#define __SIZEOF_PTRDIFF_T__ 8\n"
    "#define __SIZEOF_WCHAR_T__ 4\n#define __SIZEOF_WINT_T__ 4\n#define __BIGGEST_ALIGNMENT__ 16\n"
    "#define __SCHAR_MAX__ 127\n#define __SHRT_MAX__ 32767\n#define __INT_MAX__ 2147483647\n"
    "#define __LONG_MAX__ 9223372036854775807L\n#define __LONG_LONG_MAX__ 9223372036854775807LL\n"
    "#define __WCHAR_MAX__ 4294967295U\n#define __WCHAR_MIN__ 0U\n#define __WINT_MAX__ 4294967295U\n#define __WINT_MIN__ 0U\n"
    "#define __SIZE_MAX__ 18446744073709551615UL\n#define __PTRDIFF_MAX__ 9223372036854775807L\n"
    "#define __INTMAX_MAX__ 9223372036854775807L\n#define __UINTMAX_MAX__ 18446744073709551615UL\n"
    "#define __INTPTR_MAX__ 9223372036854775807L\n#define __UINTPTR_MAX__ 18446744073709551615UL\n"
    "#define __SHRT_WIDTH__ 16\n#define __INT_WIDTH__ 32\n#define __LONG_WIDTH__ 64\n#define __LONG_LONG_WIDTH__ 64\n"
    "#define __SIZE_TYPE__ unsigned long\n#define __PTRDIFF_TYPE__ long\n#define __WCHAR_TYPE__ unsigned int\n"
    "#define __WINT_TYPE__ unsigned int\n#define __INTMAX_TYPE__ long\n#define __UINTMAX_TYPE__ unsigned long\n"
    "#define __CHAR16_TYPE__ unsigned short\n#define __CHAR32_TYPE__ unsigned int\n"
    "#define __INT8_TYPE__ signed char\n#define __INT16_TYPE__ short\n#define __INT32_TYPE__ int\n#define __INT64_TYPE__ long\n"
    "#define __UINT8_TYPE__ unsigned char\n#define __UINT16_TYPE__ unsigned short\n#define __UINT32_TYPE__ unsigned int\n"
    "#define __UINT64_TYPE__ unsigned long\n#define __INT8_MAX__ 127\n#define __INT16_MAX__ 32767\n#define __INT32_MAX__ 2147483647\n"
    "#define __INT64_MAX__ 9223372036854775807L\n#define __UINT8_MAX__ 255\n#define __UINT16_MAX__ 65535\n"
    "#define __UINT32_MAX__ 4294967295U\n#define __UINT64_MAX__ 18446744073709551615UL\n#define __INT64_C_SUFFIX__ L\n"
    "#define __UINT64_C_SUFFIX__ UL\n#define __INT64_C(c) c##L\n#define __UINT64_C(c) c##UL\n"
    "#define __INT_LEAST8_TYPE__ signed char\n#define __INT_LEAST16_TYPE__ short\n#define __INT_LEAST32_TYPE__ int\n"
    "#define __INT_LEAST64_TYPE__ long\n#define __INT_FAST8_TYPE__ signed char\n#define __INT_FAST16_TYPE__ long\n"
    "#define __INT_FAST32_TYPE__ long\n#define __INT_FAST64_TYPE__ long\n"
    "#define __FLT_RADIX__ 2\n#define __FLT_EVAL_METHOD__ 0\n#define __DECIMAL_DIG__ 17\n"
    "#define __FLT_MANT_DIG__ 24\n#define __FLT_DIG__ 6\n#define __FLT_MIN_EXP__ (-125)\n#define __FLT_MAX_EXP__ 128\n"
    "#define __FLT_MIN_10_EXP__ (-37)\n#define __FLT_MAX_10_EXP__ 38\n#define __FLT_MAX__ 3.40282346638528859812e+38F\n"
    "#define __FLT_MIN__ 1.17549435082228750797e-38F\n#define __FLT_EPSILON__ 1.19209289550781250000e-7F\n"
    "#define __DBL_MANT_DIG__ 53\n#define __DBL_DIG__ 15\n#define __DBL_MIN_EXP__ (-1021)\n#define __DBL_MAX_EXP__ 1024\n"
    "#define __DBL_MIN_10_EXP__ (-307)\n#define __DBL_MAX_10_EXP__ 308\n#define __DBL_MAX__ 1.79769313486231570815e+308\n"
    "#define __DBL_MIN__ 2.22507385850720138309e-308\n#define __DBL_EPSILON__ 2.22044604925031308085e-16\n"
    "#define __DBL_DENORM_MIN__ 4.94065645841246544177e-324\n#define __FLT_DENORM_MIN__ 1.40129846432481707092e-45F\n"
    "#define __GNUC__ 4\n#define __GNUC_MINOR__ 2\n#define __GNUC_PATCHLEVEL__ 1\n#define __GNUC_STDC_INLINE__ 1\n"
    "#define __CHERI__ 1\n#define __CHERI_CAPABILITY_WIDTH__ 128\n#define __SIZEOF_CHERI_CAPABILITY__ 16\n"
    "#define __CHERI_ADDRESS_BITS__ 64\n#define __SIZEOF_INTCAP__ 16\n#define __SIZEOF_UINTCAP__ 16\n"
    "#define __INTCAP_MAX__ 9223372036854775807L\n#define __UINTCAP_MAX__ 18446744073709551615UL\n"
    "#define __PTRADDR_TYPE__ unsigned long\n#define __PTRADDR_MAX__ 18446744073709551615UL\n"
    "#define __CHERI_CAP_PERMISSION_GLOBAL__ 1\n#define __CHERI_CAP_PERMISSION_PERMIT_EXECUTE__ 32768\n"
    "#define __CHERI_CAP_PERMISSION_PERMIT_LOAD__ 131072\n#define __CHERI_CAP_PERMISSION_PERMIT_STORE__ 65536\n"
    "#define __CHERI_CAP_PERMISSION_PERMIT_LOAD_CAPABILITY__ 16384\n#define __CHERI_CAP_PERMISSION_PERMIT_STORE_CAPABILITY__ 8192\n"
    "#define __CHERI_CAP_PERMISSION_PERMIT_STORE_LOCAL__ 4096\n#define __CHERI_CAP_PERMISSION_PERMIT_SEAL__ 2048\n"
    "#define __CHERI_CAP_PERMISSION_PERMIT_UNSEAL__ 1024\n#define __CHERI_CAP_PERMISSION_ACCESS_SYSTEM_REGISTERS__ 512\n"
    "#define __ARM_CAP_PERMISSION_EXECUTIVE__ 2\n#define __ARM_CAP_PERMISSION_MUTABLE_LOAD__ 64\n"
    "#define __ARM_CAP_PERMISSION_COMPARTMENT_ID__ 128\n#define __ARM_CAP_PERMISSION_BRANCH_SEALED_PAIR__ 256\n";

static const char hybrid[] =
    "#define __LP64__ 1\n#define _LP64 1\n#define __SIZEOF_POINTER__ 8\n#define __INTPTR_TYPE__ long\n"
    "#define __UINTPTR_TYPE__ unsigned long\n#define __INTPTR_WIDTH__ 64\n";

static const char purecap[] =
    "#define __CHERI_PURE_CAPABILITY__ 2\n#define __CHERI_SANDBOX__ 4\n#define __CHERI_CAPABILITY_TABLE__ 3\n"
    "#define __CHERI_CAPABILITY_TLS__ 1\n#define __ARM_FEATURE_C64 1\n#define __SIZEOF_POINTER__ 16\n"
    "#define __INTPTR_TYPE__ __intcap\n#define __UINTPTR_TYPE__ unsigned __intcap\n";

static void add_computed(Front *f, const char *name, MacroKind kind)
{
    Ident *id = lex_intern(f, name, (u32)strlen(name));
    Macro *m = arena_new(f->arena, Macro);
    *m = (Macro){.name = id, .kind = kind, .is_predefined = true};
    id->macro = m;
}

// "NAME=VALUE" and "NAME" (1) as #define lines.
static const char *defines_text(Front *f)
{
    Buf b = {0};
    for (const char *const *d = f->opt->defines; d && *d; d++) {
        size_t len = strcspn(*d, "=");
        buf_printf(&b, "#define %.*s %s\n", (int)len, *d, (*d)[len] ? *d + len + 1 : "1");
    }
    const char *text = arena_strndup(f->arena, buf_text(&b), b.len);
    buf_free(&b);
    return text;
}

u32 predef_sources(Front *f, CcSource sets[2])
{
    add_computed(f, "__LINE__", MACRO_LINE);
    add_computed(f, "__FILE__", MACRO_FILE);
    add_computed(f, "__COUNTER__", MACRO_COUNTER);
    add_computed(f, "__INCLUDE_LEVEL__", MACRO_INCLUDE_LEVEL);
    add_computed(f, "__BASE_FILE__", MACRO_BASE_FILE);
    add_computed(f, "__has_attribute", MACRO_HAS_ATTRIBUTE);
    add_computed(f, "__has_builtin", MACRO_HAS_BUILTIN);
    add_computed(f, "__has_feature", MACRO_HAS_FEATURE);
    add_computed(f, "__has_extension", MACRO_HAS_FEATURE);
    add_computed(f, "__has_include", MACRO_HAS_INCLUDE);
    sets[0] = (CcSource){"<built-in>", arena_printf(f->arena, "%s%s", common, f->is_purecap ? purecap : hybrid)};
    sets[1] = (CcSource){"<command line>", defines_text(f)};
    return 2;
}
