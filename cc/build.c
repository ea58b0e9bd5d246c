// build.c: the driver: sources → units → one ELF; and the dumps of what lies in between (cc.h).
#include "cc/cc.h"

#include "cc/as.h"
#include "cc/ast.h"
#include "cc/codegen.h"
#include "cc/link.h"
#include "isa/isa.h"

#include <stdlib.h>

static bool is_assembler(const char *name)
{
    size_t n = strlen(name);
    return n > 2 && (!strcmp(name + n - 2, ".s") || !strcmp(name + n - 2, ".S"));
}

// arena: everything between the text and the linkable unit; empty again afterwards.
static bool compile(const CcSource *source, const CcOptions *opt, Arena *arena, LkUnit *out, Err *err)
{
    if (is_assembler(source->name)) return as_file(source, opt->abi, out, err);
    CcUnit *unit = NULL;
    IrModule m = {0};
    bool ok = cc_parse(source, opt, arena, &unit, err) && ir_lower(unit, opt, arena, &m, err);
    if (ok) {
        ir_optimize(&m);
        ok = codegen_module(&m, opt, source->name, out, err);
    }
    vec_free(&m.syms);
    vec_free(&m.file_asm);
    arena_reset(arena);
    return ok;
}

bool cc_build(const CcSource *sources, u32 n_sources, const CcOptions *opt, Buf *elf_out, Err *err)
{
    LkUnit *units = xalloc((n_sources ? n_sources : 1) * sizeof *units);
    LkUnit **list = xalloc((n_sources ? n_sources : 1) * sizeof *list);
    Arena arena = {0};
    bool ok = true;
    u32 n = 0;
    for (; ok && n < n_sources; n++) {
        lk_init(&units[n], sources[n].name);
        units[n].is_library = cc_lib_has(&sources[n]);
        list[n] = &units[n];
        ok = compile(&sources[n], opt, &arena, &units[n], err);
    }
    arena_free(&arena);
    ok = ok && link_units(list, n, opt->abi, opt->entry ? opt->entry : "_start", elf_out, err);
    for (u32 i = 0; i < n; i++) lk_free(&units[i]);
    free(units);
    free(list);
    return ok;
}

// ---- dumps

static void dump_code(const LkUnit *u, bool c64, Buf *out)
{
    for (u32 i = 0; i < u->symbols.len; i++) {
        const LkSymbol *y = u->symbols.at[i];
        if (y->type != LK_FUNC || !y->section) continue;
        buf_printf(out, "%s:\n", y->name);
        const LkSection *s = y->section;
        u32 next_reloc = 0;
        for (u64 at = y->value; at + 4 <= y->value + y->size && at + 4 <= s->data.len; at += 4) {
            u32 word;
            char text[128];
            memcpy(&word, s->data.at + at, 4);
            isa_disassemble(word, c64, at, text, sizeof text);
            buf_printf(out, "%6llx:  %08x  %s", (unsigned long long)at, word, text);
            while (next_reloc < s->relocs.len && s->relocs.at[next_reloc].offset < at) next_reloc++;
            if (next_reloc < s->relocs.len && s->relocs.at[next_reloc].offset == at)
                buf_printf(out, "    ; %s%+lld", u->symbols.at[s->relocs.at[next_reloc].symbol]->name,
                           (long long)s->relocs.at[next_reloc].addend);
            buf_printf(out, "\n");
        }
    }
}

static bool dump_source(const CcSource *source, const CcOptions *opt, const char *what, Buf *out, Err *err)
{
    Arena arena = {0};
    CcUnit *unit = NULL;
    IrModule m = {0};
    bool ok = cc_parse(source, opt, &arena, &unit, err) && ir_lower(unit, opt, &arena, &m, err);
    if (ok && !strcmp(what, "ir0")) {
        ir_dump(&m, out);
    } else if (ok) {
        ir_optimize(&m);
        if (!strcmp(what, "ir"))
            ir_dump(&m, out);
        else
            codegen_dump(&m, out);
    }
    vec_free(&m.syms);
    vec_free(&m.file_asm);
    arena_free(&arena);
    return ok;
}

bool cc_dump(const CcSource *source, const CcOptions *opt, const char *what, Buf *out, Err *err)
{
    if (!strcmp(what, "ir") || !strcmp(what, "ir0") || !strcmp(what, "mir")) return dump_source(source, opt, what, out, err);
    if (strcmp(what, "asm"))
        return err_set(err, CAPLAB_EX_USAGE, "nothing to dump is called '%s'; there are ir0, ir, mir and asm", what);
    LkUnit u;
    Arena arena = {0};
    lk_init(&u, source->name);
    bool ok = compile(source, opt, &arena, &u, err);
    arena_free(&arena);
    if (ok) dump_code(&u, opt->abi == CC_PURECAP, out);
    lk_free(&u);
    return ok;
}
