// front_support.c: see front_support.h.
#include "front_support.h"

#include <ctype.h>
#include <stdlib.h>

static const CcSource includes[] = {
    {"one.h", "int one;\n"},
    {"twice.h", "#pragma once\nint twice;\n"},
    {"sys.h", "#define SYS 1\nsys\n"},
    {"loop.h", "#include \"loop.h\"\n"},
    {"open.h", "#if 1\n"},
    {"bad.h", "int ok;\nint x = ;\n"},
};

static const CcSource *find(void *ctx, const char *name, bool is_system, const char *from)
{
    (void)ctx, (void)from, (void)is_system;
    for (size_t i = 0; i < ARRAY_LEN(includes); i++)
        if (strcmp(includes[i].name, name) == 0) return &includes[i];
    return NULL;
}

static void warn(void *ctx, const Err *w) 
{
    buf_printf(ctx, "%u:%u: %s%s\n", w->line, w->col, w->text, w->status ? " (an error?)" : "");
}

static const char *const defines[] = {"FROM_OPTIONS=5", "PLAIN", NULL};

bool front_parse(FrontTest *t, const char *text, CcAbi abi, bool no_probes)
{
    *t = (FrontTest){0};
    CcOptions opt = {.abi = abi, .no_probes = no_probes, .find_include = find, .warn = warn, .ctx = &t->warnings, .defines = defines};
    CcSource src = {"t.c", text};
    return cc_parse(&src, &opt, &t->arena, &t->unit, &t->err);
}

void front_free(FrontTest *t)
{
    arena_free(&t->arena);
    buf_free(&t->warnings);
}

Obj *front_obj(const FrontTest *t, const char *name)
{
    for (Obj *o = t->unit->objs; o; o = o->next)
        if (strcmp(o->name, name) == 0) return o;
    return NULL;
}

char *front_tokens(const char *text, CcAbi abi)
{
    Buf warnings = {0}, out = {0};
    CcOptions opt = {.abi = abi, .find_include = find, .warn = warn, .ctx = &warnings, .defines = defines};
    CcSource src = {"t.c", text};
    Err err = {0};
    char *result;
    if (!cc_preprocess(&src, &opt, &out, &err)) {
        result = xasprintf("error: %u:%u: %s", err.line, err.col, err.text);
    } else {
        Buf plain = {0};
        for (const char *p = buf_text(&out); *p;) {
            size_t len = strcspn(p, "\n");
            if (*p != '#')
                for (size_t i = 0; i <= len; i++) {
                    bool is_space = i == len || isspace((unsigned char)p[i]);
                    if (!is_space) buf_add(&plain, p + i, 1);
                    else if (plain.len && plain.at[plain.len - 1] != ' ') buf_add(&plain, " ", 1);
                }
            p += len + (p[len] == '\n');
        }
        if (plain.len && plain.at[plain.len - 1] == ' ') plain.len--;
        result = xstrndup(buf_text(&plain), plain.len);
        buf_free(&plain);
    }
    buf_free(&warnings);
    buf_free(&out);
    return result;
}
