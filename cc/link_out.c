// link_out.c: the ELF file: headers, the two segments, capability relocations, notes, symbols for the debugger.
#include "cc/link_impl.h"

#include "base/bits.h"
#include "isa/cap.h"

#include <stdlib.h>

enum {
    SEGMENTS = 4, // RX, RW, NOTE, GNU_STACK
    // Permissions that a capability loses (legacy Morello form of the table).
    PERMS_CLEAR_RO = 0x1bfbe,
    PERMS_CLEAR_RW = 0x08fbe,
};
#define PERMS_CLEAR_EXEC 0x8000000000013dbcull // bit 63: derive from PCC

typedef struct Writer {
    Link *l;
    Buf *out;
    Buf names, symbols, section_names;
    VEC(ElfSection) sections;
    u32 local_symbols;
    u64 rw_delta; // address minus file offset of the writable segment
    u64 note_offset, note_bytes;
} Writer;

static const struct {
    const char *name;
    bool write, exec;
} outs[] = {
#define X(NAME, name, w, x) [LINK_OUT_##NAME] = {name, w, x},
    LINK_OUTS(X)
#undef X
};

static void pad_to(Buf *b, u64 offset)
{
    CHECK(b->len <= offset, "file offset went back");
    buf_add_zeros(b, offset - b->len);
}

static void add_section_header(Writer *w, const char *name, ElfSection s)
{
    s.name = (u32)w->section_names.len;
    buf_add(&w->section_names, name, strlen(name) + 1);
    vec_push(&w->sections, s);
}

// {location, base, offset, size, permissions to clear}: the object, or for code the one range of the program.
static void add_cap_reloc(Buf *b, const Link *l, u64 location, const LkSymbol *y, i64 addend)
{
    u64 addr = link_symbol_addr(y), base = addr, offset = (u64)addend, size = y->size, perms = PERMS_CLEAR_RW;
    if (link_is_code(y)) {
        base = LINK_BASE;
        size = l->pcc_bytes;
        offset = ((addr + (u64)addend) | 1) - LINK_BASE;
        perms = PERMS_CLEAR_EXEC;
    } else if (!y->section) {
        base = LINK_BASE; // a name of the linker: a place in the image, not an object
        size = l->outs[LINK_OUT_BSS].addr + l->outs[LINK_OUT_BSS].size - base;
        offset = addr + (u64)addend - base;
    } else {
        const LkSection *s = y->section;
        if (!size) { // a label: all of its section
            base = addr - y->value;
            offset += y->value;
            size = lk_section_bytes(s);
        }
        if (!(s->flags & LK_WRITE) || s->flags & LK_RELRO) perms = PERMS_CLEAR_RO;
    }
    u64 entry[5] = {location, base, offset, cap_representable_length(size), perms};
    for (u32 i = 0; i < 5; i++) buf_add_int(b, entry[i], 8);
}

static int by_location(const void *a, const void *b)
{
    u64 x = ((const LinkCapReloc *)a)->location, y = ((const LinkCapReloc *)b)->location;
    return x < y ? -1 : x > y;
}

static void add_cap_relocs(Writer *w)
{
    Link *l = w->l;
    size_t start = w->out->len;
    for (u32 i = 0; i < l->got_slots.len; i++)
        if (l->got_slots.at[i]) {
            u64 slot = l->outs[LINK_OUT_GOT].addr + 16 * (u64)i;
            vec_push(&l->cap_relocs, (LinkCapReloc){slot, l->got_slots.at[i], 0});
        }
    if (l->cap_relocs.len) qsort(l->cap_relocs.at, l->cap_relocs.len, sizeof(LinkCapReloc), by_location);
    for (u32 i = 0; i < l->cap_relocs.len; i++) {
        const LinkCapReloc *r = &l->cap_relocs.at[i];
        add_cap_reloc(w->out, l, r->location, r->target, r->addend);
    }
    CHECK(w->out->len - start == l->outs[LINK_OUT_CAP_RELOCS].size, "size of __cap_relocs");
}

static void add_got(Writer *w)
{
    for (u32 i = 0; i < w->l->got_slots.len; i++) {
        const LkSymbol *y = w->l->got_slots.at[i];
        buf_add_int(w->out, y && w->l->abi == CC_HYBRID ? link_symbol_addr(y) : 0, 8);
        buf_add_int(w->out, 0, 8);
    }
}

static void add_out(Writer *w, LinkOutKind kind)
{
    Link *l = w->l;
    LinkOut *out = &l->outs[kind];
    bool is_bss = kind == LINK_OUT_BSS;
    out->offset = out->addr - (outs[kind].write ? w->rw_delta : LINK_BASE);
    if (!is_bss && out->size) pad_to(w->out, out->offset);
    if (kind == LINK_OUT_CAP_RELOCS && l->abi == CC_PURECAP) add_cap_relocs(w);
    if (kind == LINK_OUT_GOT) add_got(w);
    for (u32 i = 0; !is_bss && i < out->parts.len; i++) {
        const LkSection *s = out->parts.at[i];
        pad_to(w->out, out->offset + (s->addr - out->addr));
        buf_add(w->out, s->data.at, s->data.len);
    }
    ElfSection h = {.type = is_bss ? ELF_SHT_NOBITS : ELF_SHT_PROGBITS, .addr = out->addr, .offset = out->offset,
                    .size = out->size, .addralign = 16,
                    .flags = ELF_SHF_ALLOC | (outs[kind].write ? ELF_SHF_WRITE : 0u) |
                             (outs[kind].exec ? ELF_SHF_EXECINSTR : 0u)};
    add_section_header(w, outs[kind].name, h);
}

static void add_note(Buf *b, u32 type, const void *desc, size_t len)
{
    ElfNote n = {sizeof NOTE_OWNER, (u32)len, type};
    buf_add(b, &n, sizeof n);
    buf_add(b, NOTE_OWNER, sizeof NOTE_OWNER);
    buf_align(b, 4);
    buf_add(b, desc, len);
    buf_align(b, 4);
}

static void add_probe(Buf *b, const LkUnit *unit, const LkProbe *p)
{
    Buf d = {0};
    buf_add_int(&d, p->section->addr + p->offset, 8);
    buf_add_int(&d, p->n_args, 4);
    for (u32 i = 0; i < p->n_args; i++) {
        NoteProbeArg a = p->args[i];
        if (a.kind == NOTE_ARG_CONST && p->arg_symbol[i] != LK_NO_SYMBOL) {
            const LkSymbol *y = unit->symbols.at[p->arg_symbol[i]]->found;
            if (y && (!y->section || y->section->is_live))
                a.value += (i64)link_symbol_addr(y);
            else
                a = (NoteProbeArg){.kind = NOTE_ARG_LOST, .size = a.size};
        }
        buf_add(&d, &a, sizeof a);
    }
    buf_add(&d, p->name, strlen(p->name) + 1);
    add_note(b, NOTE_PROBE, d.at, d.len);
    buf_free(&d);
}

// Notes lie behind everything that is loaded, so a program with probes has the same memory image as one without.
static void add_notes(Writer *w)
{
    Link *l = w->l;
    buf_align(w->out, 8);
    w->note_offset = w->out->len;
    for (u32 i = 0; i < l->notes.len; i++) {
        buf_align(w->out, 4);
        buf_add(w->out, l->notes.at[i]->data.at, l->notes.at[i]->data.len);
        buf_align(w->out, 4);
    }
    for (u32 u = 0; u < l->n_units; u++) {
        const LkUnit *o = l->units[u];
        for (u32 i = 0; i < o->probes.len; i++)
            if (o->probes.at[i].section->is_live) add_probe(w->out, o, &o->probes.at[i]);
    }
    w->note_bytes = w->out->len - w->note_offset;
    add_section_header(w, ".note.caplab", (ElfSection){.type = ELF_SHT_NOTE, .offset = w->note_offset,
                                                       .size = w->note_bytes, .addralign = 4});
}

// Not loaded either: a program with line numbers has the same memory image.
static void add_dwarf(Writer *w)
{
    LinkDwarf d;
    link_dwarf(w->l, &d);
    struct {
        const char *name;
        const Buf *b;
    } rows[] = {{".debug_line", &d.line}, {".debug_info", &d.info}, {".debug_abbrev", &d.abbrev}};
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        add_section_header(w, rows[i].name, (ElfSection){.type = ELF_SHT_PROGBITS, .offset = w->out->len, .size = rows[i].b->len,
                                                         .addralign = 1});
        buf_add(w->out, rows[i].b->at, rows[i].b->len);
    }
    link_dwarf_free(&d);
}

static u16 header_index(const Link *l, const LkSymbol *y)
{
    if (!y->section) return ELF_SHN_ABS;
    for (u32 k = 0; k < LINK_OUT_COUNT; k++) {
        const LinkOut *o = &l->outs[k];
        u64 addr = link_symbol_addr(y);
        if (o->size && addr >= o->addr && addr <= o->addr + o->size) return (u16)(k + 1);
    }
    return ELF_SHN_ABS;
}

static void add_symbols_bound(Writer *w, bool global)
{
    for (u32 u = 0; u < w->l->n_units; u++) {
        const LkUnit *o = w->l->units[u];
        for (u32 i = 0; i < o->symbols.len; i++) {
            const LkSymbol *y = o->symbols.at[i];
            bool hidden = !strncmp(y->name, ".L", 2);
            if (!y->is_defined || y->is_global != global || hidden || (y->section && !y->section->is_live)) continue;
            if (y->section && y->section->flags & LK_NOTE) continue;
            if (global && link_find(w->l, y->name) != y) continue; // another definition has the name
            u8 bind = !global ? ELF_STB_LOCAL : y->is_weak ? ELF_STB_WEAK : ELF_STB_GLOBAL;
            u8 type = y->type == LK_FUNC ? ELF_STT_FUNC : y->type == LK_OBJECT ? ELF_STT_OBJECT : ELF_STT_NOTYPE;
            u64 c64 = w->l->abi == CC_PURECAP && y->type == LK_FUNC;
            ElfSymbol s = {.name = (u32)w->names.len, .info = (u8)(bind << 4 | type),
                           .shndx = header_index(w->l, y), .value = link_symbol_addr(y) | c64, .size = y->size};
            buf_add(&w->names, y->name, strlen(y->name) + 1);
            buf_add(&w->symbols, &s, sizeof s);
        }
    }
}

static void add_symbols(Writer *w)
{
    ElfSymbol none = {0};
    buf_add(&w->symbols, &none, sizeof none);
    buf_add_int(&w->names, 0, 1);
    add_symbols_bound(w, false);
    w->local_symbols = (u32)(w->symbols.len / sizeof none);
    add_symbols_bound(w, true);
    buf_align(w->out, 8);
    u32 index = w->sections.len;
    add_section_header(w, ".symtab", (ElfSection){.type = ELF_SHT_SYMTAB, .offset = w->out->len,
                       .size = w->symbols.len, .link = index + 1, .info = w->local_symbols, .addralign = 8,
                       .entsize = sizeof none});
    buf_add(w->out, w->symbols.at, w->symbols.len);
    add_section_header(w, ".strtab", (ElfSection){.type = ELF_SHT_STRTAB, .offset = w->out->len,
                                                  .size = w->names.len, .addralign = 1});
    buf_add(w->out, w->names.at, w->names.len);
}

static void fill_programs(const Writer *w, ElfProgram p[SEGMENTS])
{
    const LinkOut *rx_last = &w->l->outs[LINK_OUT_CAP_RELOCS], *got = &w->l->outs[LINK_OUT_GOT];
    const LinkOut *data = &w->l->outs[LINK_OUT_DATA], *bss = &w->l->outs[LINK_OUT_BSS];
    u64 rx_bytes = rx_last->addr + rx_last->size - LINK_BASE;
    p[0] = (ElfProgram){ELF_PT_LOAD, ELF_PF_R | ELF_PF_X, 0, LINK_BASE, LINK_BASE, rx_bytes, rx_bytes, LINK_PAGE};
    p[1] = (ElfProgram){ELF_PT_LOAD, ELF_PF_R | ELF_PF_W, got->addr - w->rw_delta, got->addr, got->addr,
                        data->addr + data->size - got->addr, bss->addr + bss->size - got->addr, LINK_PAGE};
    p[2] = (ElfProgram){ELF_PT_NOTE, ELF_PF_R, w->note_offset, 0, 0, w->note_bytes, w->note_bytes, 4};
    p[3] = (ElfProgram){ELF_PT_GNU_STACK, ELF_PF_R | ELF_PF_W, 0, 0, 0, 0, 0, 16};
}

void link_write(Link *l, Buf *out)
{
    Writer w = {.l = l, .out = out};
    const LinkOut *rx_last = &l->outs[LINK_OUT_CAP_RELOCS];
    w.rw_delta = LINK_BASE + bits_align_up(rx_last->addr + rx_last->size, LINK_PAGE) -
                 bits_align_down(rx_last->addr + rx_last->size, LINK_PAGE);
    out->len = 0;
    buf_add_zeros(out, sizeof(ElfHeader) + SEGMENTS * sizeof(ElfProgram));
    buf_add_int(&w.section_names, 0, 1);
    vec_push(&w.sections, (ElfSection){0});
    for (u32 k = 0; k < LINK_OUT_COUNT; k++) add_out(&w, k);
    const LinkOut *data = &l->outs[LINK_OUT_DATA];
    pad_to(out, data->addr + data->size - w.rw_delta);
    add_notes(&w);
    add_dwarf(&w);
    add_symbols(&w);
    u64 names_offset = out->len;
    add_section_header(&w, ".shstrtab", (ElfSection){.type = ELF_SHT_STRTAB, .offset = names_offset, .addralign = 1});
    w.sections.at[w.sections.len - 1].size = w.section_names.len;
    buf_add(out, w.section_names.at, w.section_names.len);
    buf_align(out, 8);
    u64 entry = link_symbol_addr(l->entry) | (l->abi == CC_PURECAP);
    ElfHeader h = {.ident = {0x7f, 'E', 'L', 'F', ELF_CLASS64, ELF_DATA2LSB, 1}, .type = ELF_ET_EXEC,
                   .machine = ELF_EM_AARCH64, .version = 1, .entry = entry, .phoff = sizeof h, .shoff = out->len,
                   .flags = l->abi == CC_PURECAP ? ELF_EF_AARCH64_CHERI_PURECAP : 0, .ehsize = sizeof h,
                   .phentsize = sizeof(ElfProgram), .phnum = SEGMENTS, .shentsize = sizeof(ElfSection),
                   .shnum = (u16)w.sections.len, .shstrndx = (u16)(w.sections.len - 1)};
    buf_add(out, w.sections.at, w.sections.len * sizeof(ElfSection));
    ElfProgram programs[SEGMENTS];
    fill_programs(&w, programs);
    memcpy(out->at, &h, sizeof h);
    memcpy(out->at + sizeof h, programs, sizeof programs);
    vec_free(&w.sections);
    buf_free(&w.names);
    buf_free(&w.symbols);
    buf_free(&w.section_names);
}
