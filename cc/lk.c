// lk.c: building one unit's sections, symbols and relocations (lk.h). Plain containers: the linker has the ideas.
#include "cc/lk.h"
// The default hash function falls through in a switch, which clang refuses.
#define HASH_FUNCTION(key, len, hash) HASH_FNV(key, len, hash)
#include <uthash.h>

typedef struct NameEntry {
    const char *name;
    u32 symbol;
    UT_hash_handle hh;
} NameEntry;

void lk_init(LkUnit *o, const char *name)
{
    *o = (LkUnit){.name = name};
}

void lk_free(LkUnit *o)
{
    NameEntry *names = o->by_name, *e, *next;
    HASH_ITER(hh, names, e, next)
    {
        HASH_DEL(names, e);
        free(e);
    }
    for (u32 i = 0; i < o->sections.len; i++) {
        buf_free(&o->sections.at[i]->data);
        vec_free(&o->sections.at[i]->relocs);
        vec_free(&o->sections.at[i]->lines);
    }
    vec_free(&o->sections);
    vec_free(&o->symbols);
    vec_free(&o->probes);
    arena_free(&o->arena);
    *o = (LkUnit){0};
}

LkSection *lk_section(LkUnit *o, const char *name, u32 flags, u32 align)
{
    CHECK(align && !(align & (align - 1)), "alignment %u of %s", align, name);
    LkSection *s = arena_new(&o->arena, LkSection);
    s->name = arena_strndup(&o->arena, name, strlen(name));
    s->index = o->sections.len;
    s->flags = flags;
    s->align = align;
    s->unit = o;
    vec_push(&o->sections, s);
    return s;
}

u64 lk_section_bytes(const LkSection *s)
{
    return s->flags & LK_BSS ? s->bss_bytes : s->data.len;
}

static bool is_named(const char *name, const char *group)
{
    size_t n = strlen(group);
    return !strncmp(name, group, n) && (!name[n] || name[n] == '.');
}

u32 lk_flags_of_name(const char *name)
{
    if (is_named(name, ".text") || is_named(name, ".init") || is_named(name, ".fini")) return LK_EXEC;
    if (is_named(name, ".data.rel.ro")) return LK_WRITE | LK_RELRO;
    if (is_named(name, ".data") || is_named(name, ".init_array")) return LK_WRITE;
    if (is_named(name, ".bss")) return LK_WRITE | LK_BSS;
    if (is_named(name, ".note")) return LK_NOTE | LK_KEEP;
    return 0;
}

static LkSymbol *add_symbol(LkUnit *o, const char *name, SrcPos pos)
{
    LkSymbol *s = arena_new(&o->arena, LkSymbol);
    s->name = arena_strndup(&o->arena, name, strlen(name));
    s->pos = pos;
    vec_push(&o->symbols, s);
    return s;
}

u32 lk_symbol(LkUnit *o, const char *name, SrcPos pos)
{
    NameEntry *names = o->by_name, *e;
    HASH_FIND_STR(names, name, e);
    if (e) return e->symbol;
    LkSymbol *s = add_symbol(o, name, pos);
    s->is_global = true;
    e = xalloc(sizeof *e);
    e->name = s->name;
    e->symbol = o->symbols.len - 1;
    HASH_ADD_KEYPTR(hh, names, e->name, strlen(e->name), e);
    o->by_name = names;
    return e->symbol;
}

u32 lk_local(LkUnit *o, const char *name, SrcPos pos)
{
    add_symbol(o, name, pos);
    return o->symbols.len - 1;
}

bool lk_define(LkUnit *o, u32 symbol, LkSection *s, u64 value, u64 size, LkSymbolType type, SrcPos pos, Err *err)
{
    LkSymbol *y = o->symbols.at[symbol];
    if (y->is_defined) {
        err_at(err, CAPLAB_EX_DATA, pos, NULL, "'%s' is defined twice", y->name);
        err_hint(err, "first at %s:%u:%u", y->pos.file ? y->pos.file : o->name, y->pos.line, y->pos.col);
        return false;
    }
    y->section = s;
    y->is_defined = true;
    y->is_abs = !s;
    y->value = value;
    y->size = size;
    y->type = (u8)type;
    y->pos = pos;
    return true;
}

void lk_reloc(LkSection *s, u64 offset, LkRelocKind kind, u32 symbol, i64 addend, LkPlace at)
{
    vec_push(&s->relocs, (LkReloc){.offset = (u32)offset, .symbol = symbol, .kind = (u16)kind, .at = at, .addend = addend});
}

void lk_line(LkSection *s, u64 offset, LkPlace at)
{
    LkLine *last = s->lines.len ? &s->lines.at[s->lines.len - 1] : NULL;
    if (last && last->offset == offset) last->at = at; // nothing was emitted for it
    else if (!last || last->at.line != at.line || last->at.file != at.file) vec_push(&s->lines, (LkLine){(u32)offset, at});
}
