// link.c: from units to addresses: resolve names, keep what is reachable from the entry, merge strings, lay out.
//
// Reachability is per section, and every function and object has its own, so this is also the removal of unused code:
//     roots (entry, LK_KEEP) → relocations → symbols → their sections → …
#include "cc/link_impl.h"

#include "base/bits.h"
#include "isa/cap.h"

#include <stdarg.h>
// The default hash function falls through in a switch, which clang refuses.
#define HASH_FUNCTION(key, len, hash) HASH_FNV(key, len, hash)
#include <uthash.h>

typedef struct GlobalEntry {
    const char *name;
    LkSymbol *sym;
    const LkUnit *unit;
    UT_hash_handle hh;
} GlobalEntry;

typedef struct GotEntry {
    const LkSymbol *sym;
    u32 slot;
    UT_hash_handle hh;
} GotEntry;

typedef struct MergeEntry {
    LkSection *section;
    UT_hash_handle hh;
} MergeEntry;

// Symbols that the linker defines: name, output section, at its end?
static const struct LinkName {
    const char *name;
    LinkOutKind out;
    bool at_end;
} link_names[] = {
    {"__executable_start", LINK_OUT_TEXT, false},        {"_etext", LINK_OUT_TEXT, true},
    {"__cap_relocs_start", LINK_OUT_CAP_RELOCS, false},  {"__cap_relocs_end", LINK_OUT_CAP_RELOCS, true},
    {"_edata", LINK_OUT_DATA, true},                     {"__bss_start", LINK_OUT_BSS, false},
    {"_end", LINK_OUT_BSS, true},                        {"end", LINK_OUT_BSS, true},
};

bool link_fail(Link *l, const LkUnit *unit, const LkSymbol *sym, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    SrcPos pos = sym ? sym->pos : (SrcPos){0};
    if (!pos.file && unit) pos.file = unit->name;
    return err_at(l->err, CAPLAB_EX_DATA, pos, NULL, "%s", text);
}

LkSymbol *link_find(const Link *l, const char *name)
{
    GlobalEntry *globals = l->globals, *e;
    HASH_FIND_STR(globals, name, e);
    return e ? e->sym : NULL;
}

// Who gets a name that several define: the program before the library (as if that were an archive, searched for what is still
// missing), the library before the linker's own names, and strong before weak.
static u32 precedence(const LkUnit *unit, const LkSymbol *sym)
{
    return !unit ? 0 : (unit->is_library ? 1 : 3) + !sym->is_weak;
}

static bool add_global(Link *l, const LkUnit *unit, LkSymbol *sym)
{
    GlobalEntry *globals = l->globals, *e;
    HASH_FIND_STR(globals, sym->name, e);
    if (!e) {
        e = arena_new(&l->arena, GlobalEntry);
        e->name = sym->name;
        e->sym = sym;
        e->unit = unit;
        HASH_ADD_KEYPTR(hh, globals, e->name, strlen(e->name), e);
        l->globals = globals;
        return true;
    }
    u32 now = precedence(e->unit, e->sym), other = precedence(unit, sym);
    if (other > now) {
        e->sym = sym;
        e->unit = unit;
    }
    if (other != now || sym->is_weak) return true;
    link_fail(l, unit, sym, "'%s' is defined twice", sym->name);
    const SrcPos *first = &e->sym->pos;
    err_hint(l->err, "first at %s:%u:%u", first->file ? first->file : e->unit->name, first->line, first->col);
    return false;
}

static bool collect_globals(Link *l)
{
    for (u32 i = 0; i < ARRAY_LEN(link_names); i++) {
        LkSymbol *s = arena_new(&l->arena, LkSymbol);
        *s = (LkSymbol){.name = link_names[i].name, .is_global = true, .is_weak = true, .is_defined = true};
        add_global(l, NULL, s);
    }
    for (u32 u = 0; u < l->n_units; u++) {
        const LkUnit *o = l->units[u];
        for (u32 i = 0; i < o->symbols.len; i++) {
            LkSymbol *s = o->symbols.at[i];
            if (s->is_global && s->is_defined && !add_global(l, o, s)) return false;
        }
    }
    return true;
}

static void mark(Link *l, LkSection *s)
{
    if (s->is_live) return;
    s->is_live = true;
    vec_push(&l->live, s);
}

static const LkSymbol *find_local(const Link *l, const char *name, const LkUnit **unit)
{
    for (u32 u = 0; u < l->n_units; u++) {
        *unit = l->units[u];
        for (u32 i = 0; i < (*unit)->symbols.len; i++) {
            const LkSymbol *s = (*unit)->symbols.at[i];
            if (s->is_defined && !s->is_global && !strcmp(s->name, name)) return s;
        }
    }
    return NULL;
}

static void hint_undefined(Link *l, const LkUnit *user, const char *name)
{
    const LkUnit *unit;
    // A local _start leaves the library's in place, which then asks for main.
    const char *wanted = !strcmp(name, "main") && !find_local(l, name, &unit) ? "_start" : name;
    const LkSymbol *local = find_local(l, wanted, &unit);
    if (local)
        err_hint(l->err, "the '%s' of %s, line %u, is local there (.globl makes it visible; in C: no static)", wanted, unit->name,
                 local->pos.line);
    else
        err_hint(l->err, "used in %s; nothing linked defines it", user->name);
}

// The definition behind a reference. NULL with no error: weak and undefined, its address is 0.
static bool resolve(Link *l, const LkUnit *unit, LkSymbol *s, LkPlace at)
{
    if (s->found) return true;
    if (s->is_defined && !s->is_global) s->found = s;
    if (!s->found) s->found = link_find(l, s->name);
    if (s->found || s->is_weak) return true;
    if (!s->pos.line && at.line) s->pos = (SrcPos){at.file, at.line, 0};
    link_fail(l, unit, s, "undefined symbol '%s'", s->name);
    hint_undefined(l, unit, s->name);
    return false;
}

static bool mark_section(Link *l, const LkUnit *unit, const LkSection *s)
{
    for (u32 i = 0; i < s->relocs.len; i++) {
        LkSymbol *y = unit->symbols.at[s->relocs.at[i].symbol];
        if (!resolve(l, unit, y, s->relocs.at[i].at)) return false;
        if (y->found && y->found->section) mark(l, y->found->section);
    }
    return true;
}

static bool mark_live(Link *l, const char *entry)
{
    LkSymbol *start = link_find(l, entry);
    if (!start || !start->section) {
        err_set(l->err, CAPLAB_EX_DATA, "no entry: nothing linked defines '%s'", entry);
        err_hint(l->err, "the start-up code of cc/lib defines _start");
        return false;
    }
    l->entry = start;
    mark(l, start->section);
    for (u32 u = 0; u < l->n_units; u++)
        for (u32 i = 0; i < l->units[u]->sections.len; i++)
            if (l->units[u]->sections.at[i]->flags & LK_KEEP) mark(l, l->units[u]->sections.at[i]);
    for (u32 done = 0; done < l->live.len; done++) {
        LkSection *s = l->live.at[done];
        if (!mark_section(l, s->unit, s)) return false;
    }
    return true;
}

static void merge_equal(Link *l)
{
    MergeEntry *table = NULL, *e;
    for (u32 i = 0; i < l->live.len; i++) {
        LkSection *s = l->live.at[i];
        if (!(s->flags & LK_MERGE) || s->relocs.len || !s->data.len) continue;
        HASH_FIND(hh, table, s->data.at, s->data.len, e);
        if (e && e->section->align >= s->align) {
            s->alias = e->section;
        } else if (!e) {
            e = arena_new(&l->arena, MergeEntry);
            e->section = s;
            HASH_ADD_KEYPTR(hh, table, s->data.at, s->data.len, e);
        }
    }
    HASH_CLEAR(hh, table);
}

static LinkOutKind out_of(const LkSection *s)
{
    if (s->flags & LK_EXEC) return LINK_OUT_TEXT;
    if (s->flags & LK_BSS) return LINK_OUT_BSS;
    if (s->flags & LK_RELRO) return LINK_OUT_RELRO;
    return s->flags & LK_WRITE ? LINK_OUT_DATA : LINK_OUT_RODATA;
}

// Constant data that start-up code must write capabilities into cannot lie in the read-only segment.
static void sort_sections(Link *l)
{
    for (u32 u = 0; u < l->n_units; u++) {
        for (u32 i = 0; i < l->units[u]->sections.len; i++) {
            LkSection *s = l->units[u]->sections.at[i];
            if (!s->is_live || s->alias) continue;
            for (u32 r = 0; l->abi == CC_PURECAP && !(s->flags & (LK_WRITE | LK_NOTE)) && r < s->relocs.len; r++)
                if (s->relocs.at[r].kind == LK_R_CAP) s->flags |= LK_WRITE | LK_RELRO;
            if (s->flags & LK_NOTE)
                vec_push(&l->notes, s);
            else
                vec_push(&l->outs[out_of(s)].parts, s);
        }
    }
}

bool link_is_code(const LkSymbol *y)
{
    return y->section && (y->section->flags & LK_EXEC) && (y->type == LK_FUNC || y->is_label);
}

u64 link_symbol_addr(const LkSymbol *y)
{
    if (!y->section) return y->value;
    const LkSection *s = y->section->alias ? y->section->alias : y->section;
    return s->addr + y->value;
}

u64 link_got_slot(Link *l, const LkSymbol *y)
{
    GotEntry *got = l->got, *e;
    HASH_FIND_PTR(got, &y, e);
    if (!e) {
        e = arena_new(&l->arena, GotEntry);
        e->sym = y;
        e->slot = l->got_slots.len;
        HASH_ADD_PTR(got, sym, e);
        l->got = got;
        vec_push(&l->got_slots, y);
    }
    return l->outs[LINK_OUT_GOT].addr + 16 * (u64)e->slot;
}

// Counts the slots and the capability relocations, which decide the sizes of .got and __cap_relocs.
static void count_capabilities(Link *l)
{
    u64 n = 0;
    for (u32 i = 0; i < l->live.len; i++) {
        const LkSection *s = l->live.at[i];
        for (u32 r = 0; !s->alias && r < s->relocs.len; r++) {
            const LkReloc *rel = &s->relocs.at[r];
            const LkSymbol *y = s->unit->symbols.at[rel->symbol]->found;
            if (rel->kind == LK_R_CAP && y && !y->is_abs) n++;
            if (rel->kind == LK_R_GOT_PAGE || rel->kind == LK_R_GOT_LO12) link_got_slot(l, y);
        }
    }
    for (u32 i = 0; i < l->got_slots.len; i++) n += l->got_slots.at[i] != NULL;
    if (l->abi == CC_PURECAP) l->outs[LINK_OUT_CAP_RELOCS].size = LINK_CAP_RELOC_BYTES * n;
    l->outs[LINK_OUT_GOT].size = 16 * (u64)l->got_slots.len;
    l->outs[LINK_OUT_CAP_RELOCS].align = 8;
    l->outs[LINK_OUT_GOT].align = 16;
}

// Bounds can express every length below 4 KiB exactly; a longer object is aligned and padded so that its bounds are its own.
static u64 place_part(const Link *l, LkSection *s, u64 addr)
{
    u64 align = s->align, bytes = lk_section_bytes(s);
    if (l->abi == CC_PURECAP && !(s->flags & LK_EXEC)) {
        u64 need = ~cap_representable_mask(bytes) + 1;
        if (need > align) align = need;
        bytes = cap_representable_length(bytes);
    }
    s->addr = bits_align_up(addr, align);
    return s->addr + bytes;
}

static u64 place_out(Link *l, LinkOutKind kind, u64 addr)
{
    LinkOut *out = &l->outs[kind];
    addr = bits_align_up(addr, out->align ? out->align : 16);
    out->addr = addr;
    if (!out->parts.len) return addr + out->size;
    u64 end = addr;
    for (u32 i = 0; i < out->parts.len; i++) {
        end = place_part(l, out->parts.at[i], end);
        if (i == 0) out->addr = out->parts.at[0]->addr;
    }
    out->size = end - out->addr;
    return end;
}

static bool lay_out(Link *l)
{
    u64 addr = LINK_BASE + sizeof(ElfHeader) + 4 * sizeof(ElfProgram);
    for (u32 k = 0; k <= LINK_OUT_CAP_RELOCS; k++) addr = place_out(l, k, addr);
    addr = bits_align_up(addr, LINK_PAGE) + (addr & (LINK_PAGE - 1)); // file offsets stay dense
    addr = place_out(l, LINK_OUT_GOT, addr);
    if (l->abi == CC_PURECAP) {
        l->pcc_bytes = cap_representable_length(addr - LINK_BASE);
        addr = LINK_BASE + l->pcc_bytes;
    }
    for (u32 k = LINK_OUT_RELRO; k < LINK_OUT_COUNT; k++) addr = place_out(l, k, addr);
    if (addr - LINK_BASE > 1ULL << 31)
        return err_set(l->err, CAPLAB_EX_DATA, "the program is larger than 2 GiB");
    return true;
}

static void place_link_names(Link *l)
{
    for (u32 i = 0; i < ARRAY_LEN(link_names); i++) {
        LkSymbol *s = link_find(l, link_names[i].name);
        const LinkOut *out = &l->outs[link_names[i].out];
        if (s->section || s->is_abs) continue; // the program defines its own
        s->value = i == 0 ? LINK_BASE : out->addr + (link_names[i].at_end ? out->size : 0);
    }
}

static void free_link(Link *l)
{
    GlobalEntry *globals = l->globals;
    GotEntry *got = l->got;
    HASH_CLEAR(hh, globals);
    HASH_CLEAR(hh, got);
    for (u32 k = 0; k < LINK_OUT_COUNT; k++) vec_free(&l->outs[k].parts);
    vec_free(&l->live);
    vec_free(&l->notes);
    vec_free(&l->got_slots);
    vec_free(&l->cap_relocs);
    arena_free(&l->arena);
}

bool link_units(LkUnit *const *units, u32 n_units, CcAbi abi, const char *entry, Buf *elf_out, Err *err)
{
    Link l = {.units = units, .n_units = n_units, .abi = abi, .err = err};
    bool ok = collect_globals(&l) && mark_live(&l, entry);
    if (ok) {
        merge_equal(&l);
        sort_sections(&l);
        count_capabilities(&l);
        ok = lay_out(&l);
    }
    if (ok) {
        place_link_names(&l);
        ok = link_relocate(&l);
    }
    if (ok) link_write(&l, elf_out);
    free_link(&l);
    return ok;
}
