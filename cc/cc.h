// cc.h: caplab's C compiler as a library: C sources in, a static ELF out. No file is written, nothing is printed.
//
//     preprocess → parse → types → SSA IR → passes → registers → A64 or C64 words (isa_encode) → link → ELF
//
// The dialect (docs/compiler.md): C11 without _Complex, VLAs, threads and long double arithmetic; with the GNU extensions the guest
// uses (computed goto, statement expressions, typeof, __attribute__((noreturn, noinline, always_inline, returns_twice,
// section, aligned, packed, used, weak)), __builtin_*), CHERI C (__intcap, cheriintrin.h), asm() and .s input.
#ifndef CAPLAB_CC_CC_H
#define CAPLAB_CC_CC_H

#include "base/buf.h"
#include "base/err.h"

typedef enum CcAbi { CC_HYBRID, CC_PURECAP } CcAbi;
typedef enum CcProfile { CC_IDEAL, CC_LLVM_MORELLO } CcProfile; // knob cc.profile: code habits of seed 000, listing 2

typedef struct CcSource {
    const char *name;  // shown in errors; a .s suffix means assembler
    const char *text;  // NUL-terminated, borrowed
} CcSource;

typedef struct CcOptions {
    CcAbi abi;
    CcProfile profile;
    bool no_probes;              // -fno-probes: __probe() disappears; .text must not change by it
    int opt_level;               // 0 or 2 (default 2)
    const char *const *defines;  // "NAME=VALUE", NULL-terminated, or NULL
    // Finds an #include by name ("gc.h"); is_system for <...>; `from` is the including file. NULL = not found.
    const CcSource *(*find_include)(void *ctx, const char *name, bool is_system, const char *from);
    void *ctx;
    void (*warn)(void *ctx, const Err *warning); // may be NULL
    const char *entry;           // default "_start"
} CcOptions;

// Compiles and links the sources into one static, non-PIE ELF. False and *err on the first error. Owns nothing afterwards.
bool cc_build(const CcSource *sources, u32 n_sources, const CcOptions *opt, Buf *elf_out, Err *err);

// -E and a readable dump of the IR and the machine code, for `caplab cc -E | --dump-ir | -S`.
bool cc_preprocess(const CcSource *source, const CcOptions *opt, Buf *out, Err *err);
bool cc_dump(const CcSource *source, const CcOptions *opt, const char *what, Buf *out, Err *err);

// The guest headers and libc (cc/lib) that are built into caplab: name → text, NULL if there is none.
const CcSource *cc_lib_find(const char *name);
// The guest library's own sources for an ABI (crt0, libc), to be passed to cc_build before the program's. Returns how many.
// They are linked as an archive is: a name that the program defines, too (_start, malloc), is the program's.
enum { CC_LIB_MAX = 32 };
u32 cc_lib_sources(CcAbi abi, CcSource *out, u32 max);
bool cc_lib_has(const CcSource *source); // is it one of these?

#endif
