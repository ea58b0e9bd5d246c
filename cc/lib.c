// lib.c: the guest's headers and C library (cc/lib), built into the program: found by name, and listed for linking.
//
//     cc_lib_find("string.h")                   the text of a header
//     n = cc_lib_sources(CC_PURECAP, src, max)  crt0_c64.s, setjmp_c64.s, start.c, …
#include "base/embed.h"
#include "cc/cc.h"

typedef enum When { BOTH, HYBRID, PURECAP } When;

typedef struct LibFile {
    const char *name;
    bool is_source;
    When when;
} LibFile;

static const LibFile lib_files[] = {
#define LIB_SOURCE(when, name) {name, true, when},
#define LIB_HEADER(name)       {name, false, BOTH},
#include "cc/lib/lib.def"
#undef LIB_SOURCE
#undef LIB_HEADER
};

extern const EmbedFile cc_lib_texts[]; // generated (cmake/embed.cmake)
extern const u32 cc_lib_texts_count;
static_assert(sizeof(EmbedFile) == sizeof(CcSource) && offsetof(EmbedFile, name) == offsetof(CcSource, name) &&
                  offsetof(EmbedFile, text) == offsetof(CcSource, text),
              "an embedded file is a source");

const CcSource *cc_lib_find(const char *name)
{
    for (u32 i = 0; i < cc_lib_texts_count; i++)
        if (!strcmp(cc_lib_texts[i].name, name)) return (const CcSource *)(const void *)&cc_lib_texts[i];
    return NULL;
}

bool cc_lib_has(const CcSource *source)
{
    const CcSource *own = cc_lib_find(source->name);
    return own && own->text == source->text; // the user's own start.c is another text
}

u32 cc_lib_sources(CcAbi abi, CcSource *out, u32 max)
{
    u32 n = 0;
    for (u32 i = 0; i < ARRAY_LEN(lib_files); i++) {
        const LibFile *f = &lib_files[i];
        if (!f->is_source || (f->when != BOTH && (f->when == PURECAP) != (abi == CC_PURECAP))) continue;
        CHECK(n < max, "room for the guest library");
        out[n++] = *cc_lib_find(f->name);
    }
    return n;
}
