// predef.c: the predefined macros, by ABI, and the -D definitions (as text that is read before the source).
#include "cc/front.h"

#include <stdlib.h>

enum { BOTH, HYBRID, PURECAP };

typedef struct PredefRow {
    const char *name, *rest;
    u8 abi;
} PredefRow;

static const PredefRow rows[] = {
#define PREDEF(abi, name, rest) {name, rest, abi},
#include "cc/predef.def"
#undef PREDEF
};

static int by_name(const void *key, const void *row) { return strcmp(key, ((const PredefRow *)row)->name); }

// Called when a name that begins with '_' is new: defines it if it is a predefined macro. The definition is read only then, because
// few of the many are used.
void predef_meet(Front *f, const Ident *id)
{
    const PredefRow *row = bsearch(id->name, rows, ARRAY_LEN(rows), sizeof *rows, by_name);
    if (!row) return;
    for (; row > rows && strcmp(row[-1].name, id->name) == 0; row--) continue; // one row an ABI
    for (; row < rows + ARRAY_LEN(rows) && strcmp(row->name, id->name) == 0; row++) {
        if (row->abi != BOTH && (row->abi == PURECAP) != f->is_purecap) continue;
        Lexer lx;
        lex_start(&lx, arena_printf(f->arena, "%s%s", row->name, row->rest), 0);
        lx.in_directive = true;
        pp_define(f, &lx);
    }
}

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

void predef_start(Front *f)
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
}

CcSource predef_command_line(Front *f) { return (CcSource){"<command line>", defines_text(f)}; }
