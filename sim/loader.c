// loader.c: reads an ELF file and believes nothing in it. Every offset is checked against the file before use, by one
// function (`range_ok`), so that a wrong file ends in a message and never in a wild read.
//
// Probes and heaps come from the notes of base/notes.h: from SHT_NOTE sections, or from PT_NOTE segments in a file
// without section headers.
#include "sim/loader.h"
#include "base/bits.h"
#include <stdlib.h>

enum {
    MAX_SEGMENTS = 64,
    MAX_SECTIONS = 65280,
    MIN_VADDR = LDR_PAGE,            // page 0 stays unmapped: null pointers must fault
};
static const u64 MAX_VADDR = 0x0000700000000000; // above are the stack and the mappings of mmap

typedef struct Reader {
    const u8 *at;
    size_t len;
    const char *name;
    ElfHeader h;
    LdrImage *out;
    Err *err;
} Reader;

static bool range_ok(const Reader *r, u64 offset, u64 size) { return offset <= r->len && size <= r->len - offset; }

#define FAIL(r, ...) err_at((r)->err, CAPLAB_EX_DATA, (SrcPos){(r)->name, 0, 0}, NULL, __VA_ARGS__)

static bool read_header(Reader *r)
{
    if (r->len < sizeof(ElfHeader) || memcmp(r->at, "\177ELF", 4) != 0)
        return FAIL(r, "%s", r->len >= 4 && !memcmp(r->at, "\177ELF", 4) ? "truncated ELF header" : "not an ELF file");
    memcpy(&r->h, r->at, sizeof r->h);
    const ElfHeader *h = &r->h;
    if (h->ident[4] != ELF_CLASS64) return FAIL(r, "a 32-bit ELF; only 64-bit AArch64 programs run here");
    if (h->ident[5] != ELF_DATA2LSB) return FAIL(r, "a big-endian ELF; only little-endian programs run here");
    if (h->ident[6] != 1 || h->version != 1) return FAIL(r, "unknown ELF version");
    if (h->machine != ELF_EM_AARCH64)
        return FAIL(r, "an ELF for machine %u; only AArch64 (183) runs here", h->machine);
    if (h->type == ELF_ET_DYN) {
        FAIL(r, "a position-independent or shared ELF; only static executables run here");
        err_hint(r->err, "link with -static -no-pie");
        return false;
    }
    if (h->type != ELF_ET_EXEC) return FAIL(r, "ELF type %u is not an executable", h->type);
    if (!h->phnum) return FAIL(r, "an executable without program headers");
    if (h->phentsize != sizeof(ElfProgram)) return FAIL(r, "program headers of %u bytes, not 56", h->phentsize);
    if (!range_ok(r, h->phoff, (u64)h->phnum * sizeof(ElfProgram)))
        return FAIL(r, "truncated: the program headers end behind the file");
    return true;
}

static bool add_segment(Reader *r, const ElfProgram *p)
{
    if (!p->memsz) return true;
    if (p->filesz > p->memsz) return FAIL(r, "a segment is larger in the file than in memory");
    if (p->filesz && !range_ok(r, p->offset, p->filesz)) // only .bss: the offset means nothing
        return FAIL(r, "truncated: the segment at 0x%llx ends behind the file", (unsigned long long)p->vaddr);
    if (p->vaddr < MIN_VADDR || p->vaddr >= MAX_VADDR || p->memsz > MAX_VADDR - p->vaddr)
        return FAIL(r, "segment address 0x%llx (0x%llx bytes) is outside user memory", (unsigned long long)p->vaddr,
                    (unsigned long long)p->memsz);
    LdrImage *o = r->out;
    if (o->segments.len == MAX_SEGMENTS) return FAIL(r, "more than %d segments", MAX_SEGMENTS);
    if (o->segments.len) {
        const LdrSegment *last = &o->segments.at[o->segments.len - 1];
        if (p->vaddr < last->vaddr + last->memsz)
            return FAIL(r, "segments overlap or are out of order at 0x%llx", (unsigned long long)p->vaddr);
    }
    vec_push(&o->segments, (LdrSegment){p->vaddr, p->memsz, p->offset, p->filesz, p->flags});
    u64 low = bits_align_down(p->vaddr, LDR_PAGE), high = bits_align_up(p->vaddr + p->memsz, LDR_PAGE);
    if (o->segments.len == 1) o->low = low;
    o->high = high;
    if ((p->flags & ELF_PF_X) && !o->rx_high) o->rx_low = low, o->rx_high = high;
    if (o->rx_high) o->rx_high = high;
    if (r->h.phoff >= p->offset && r->h.phoff + (u64)r->h.phnum * sizeof(ElfProgram) <= p->offset + p->filesz)
        o->phdr = p->vaddr + (r->h.phoff - p->offset);
    return true;
}

static bool read_segments(Reader *r)
{
    for (u32 i = 0; i < r->h.phnum; i++) {
        ElfProgram p;
        memcpy(&p, r->at + r->h.phoff + i * sizeof p, sizeof p);
        if (p.type == ELF_PT_INTERP || p.type == ELF_PT_DYNAMIC) {
            FAIL(r, "a dynamically linked ELF; only static executables run here");
            err_hint(r->err, "link with -static");
            return false;
        }
        if (p.type == ELF_PT_LOAD && !add_segment(r, &p)) return false;
    }
    LdrImage *o = r->out;
    if (!o->segments.len) return FAIL(r, "nothing to load");
    bool found = false;
    for (u32 i = 0; i < o->segments.len; i++) {
        const LdrSegment *s = &o->segments.at[i];
        if ((s->flags & ELF_PF_X) && o->entry >= s->vaddr && o->entry - s->vaddr < s->memsz) found = true;
    }
    if (!found || o->entry % 4)
        return FAIL(r, "entry point 0x%llx is not in executable memory", (unsigned long long)r->h.entry);
    return true;
}

static bool add_probe(Reader *r, const u8 *desc, u64 size)
{
    if (size < 13 || desc[size - 1]) return FAIL(r, "damaged probe note");
    u64 n = bits_load(desc + 8, 4), names = 12 + n * sizeof(NoteProbeArg);
    if (n > 64 || names >= size) return FAIL(r, "damaged probe note (%llu arguments)", (unsigned long long)n);
    LdrProbe p = {.pc = bits_load(desc, 8) & ~1ULL,
                  .order = r->out->probes.len,
                  .n_args = n < EV_PROBE_MAX_ARGS ? (u32)n : EV_PROBE_MAX_ARGS};
    p.name = arena_strndup(&r->out->arena, (const char *)desc + names, size - names);
    for (u32 i = 0; i < p.n_args; i++) {
        memcpy(&p.arg[i], desc + 12 + i * sizeof p.arg[i], sizeof p.arg[i]);
        NoteProbeArg *a = &p.arg[i];
        bool size_ok = a->size <= 16 && bits_is_pow2(a->size);
        if (a->kind > NOTE_ARG_CONST || a->reg > 31 || (a->kind != NOTE_ARG_LOST && !size_ok))
            return FAIL(r, "damaged argument %u of probe %s", i, p.name);
    }
    vec_push(&r->out->probes, p);
    return true;
}

static bool add_heap(Reader *r, const u8 *desc, u64 size)
{
    if (size < sizeof(NoteHeap)) return FAIL(r, "damaged heap note");
    NoteHeap h;
    memcpy(&h, desc, sizeof h);
    h.name[sizeof h.name - 1] = 0;
    if (!bits_is_pow2(h.block_bytes) || h.block_bytes > 4096)
        return FAIL(r, "heap note with blocks of %llu bytes", (unsigned long long)h.block_bytes);
    vec_push(&r->out->heaps, h);
    return true;
}

// The notes of other owners are skipped; a damaged note of ours is an error.
static bool read_notes(Reader *r, u64 offset, u64 size)
{
    u64 at = offset, end = offset + size;
    while (end - at >= sizeof(ElfNote)) {
        ElfNote n;
        memcpy(&n, r->at + at, sizeof n);
        at += sizeof n;
        u64 name_space = bits_align_up(n.namesz, 4), desc_space = bits_align_up(n.descsz, 4);
        if (name_space > end - at || n.descsz > end - at - name_space) return FAIL(r, "damaged note section");
        const u8 *name = r->at + at, *desc = name + name_space;
        bool ours = n.namesz == sizeof NOTE_OWNER && !memcmp(name, NOTE_OWNER, sizeof NOTE_OWNER);
        if (ours && n.type == NOTE_PROBE && !add_probe(r, desc, n.descsz)) return false;
        if (ours && n.type == NOTE_HEAP && !add_heap(r, desc, n.descsz)) return false;
        if (desc_space > end - at - name_space) break; // the padding of the last note may be missing
        at += name_space + desc_space;
    }
    return true;
}

static bool read_symbols(Reader *r, const ElfSection *s, const ElfSection *strings)
{
    if (s->entsize != sizeof(ElfSymbol) || !range_ok(r, s->offset, s->size) ||
        !range_ok(r, strings->offset, strings->size))
        return FAIL(r, "damaged symbol table");
    for (u64 i = 0; i < s->size / sizeof(ElfSymbol); i++) {
        ElfSymbol y;
        memcpy(&y, r->at + s->offset + i * sizeof y, sizeof y);
        u32 type = y.info & 15;
        if (y.shndx == ELF_SHN_UNDEF || y.shndx == ELF_SHN_ABS || type > ELF_STT_FUNC) continue;
        if (y.name >= strings->size) return FAIL(r, "a symbol's name lies outside the string table");
        const char *name = (const char *)r->at + strings->offset + y.name;
        size_t n = strnlen(name, strings->size - y.name);
        if (!n || name[0] == '$') continue; // mapping symbols
        bool is_func = type == ELF_STT_FUNC;
        sym_add(&r->out->symbols, (Sym){.name = arena_strndup(&r->out->arena, name, n),
                                        .start = is_func ? y.value & ~1ULL : y.value,
                                        .size = y.size, .is_func = is_func, .is_c64 = is_func && (y.value & 1)});
    }
    return true;
}

static bool read_sections(Reader *r)
{
    const ElfHeader *h = &r->h;
    if (!h->shnum) return true;
    if (h->shentsize != sizeof(ElfSection) || h->shnum > MAX_SECTIONS ||
        !range_ok(r, h->shoff, (u64)h->shnum * sizeof(ElfSection)))
        return FAIL(r, "truncated or damaged section headers");
    for (u32 i = 0; i < h->shnum; i++) {
        ElfSection s, strings;
        memcpy(&s, r->at + h->shoff + i * sizeof s, sizeof s);
        if (s.type == ELF_SHT_SYMTAB) {
            if (s.link >= h->shnum) return FAIL(r, "damaged symbol table");
            memcpy(&strings, r->at + h->shoff + s.link * sizeof s, sizeof s);
            if (!read_symbols(r, &s, &strings)) return false;
        } else if (s.type == ELF_SHT_NOTE) {
            if (!range_ok(r, s.offset, s.size)) return FAIL(r, "a note section ends behind the file");
            if (!read_notes(r, s.offset, s.size)) return false;
        }
    }
    return true;
}

static bool read_note_segments(Reader *r)
{
    for (u32 i = 0; i < r->h.phnum; i++) {
        ElfProgram p;
        memcpy(&p, r->at + r->h.phoff + i * sizeof p, sizeof p);
        if (p.type != ELF_PT_NOTE) continue;
        if (!range_ok(r, p.offset, p.filesz)) return FAIL(r, "a note segment ends behind the file");
        if (!read_notes(r, p.offset, p.filesz)) return false;
    }
    return true;
}

static int compare_probes(const void *a, const void *b)
{
    const LdrProbe *x = a, *y = b;
    if (x->pc != y->pc) return x->pc < y->pc ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

bool ldr_parse(const u8 *elf, size_t len, const char *name, LdrImage *out, Err *err)
{
    *out = (LdrImage){0};
    Reader r = {.at = elf, .len = len, .name = name, .out = out, .err = err};
    bool ok = read_header(&r);
    if (ok) {
        out->abi = r.h.flags & ELF_EF_AARCH64_CHERI_PURECAP ? MAC_PURECAP : MAC_HYBRID;
        out->entry = r.h.entry & ~1ULL;
        out->entry_c64 = r.h.entry & 1;
        out->phnum = r.h.phnum;
        ok = read_segments(&r) && read_sections(&r) && (r.h.shnum || read_note_segments(&r));
    }
    if (ok && out->abi == MAC_HYBRID && out->entry_c64)
        ok = FAIL(&r, "entry point 0x%llx is odd in a program that is not purecap", (unsigned long long)r.h.entry);
    if (!ok) {
        ldr_free(out);
        return false;
    }
    sym_finish(&out->symbols);
    if (out->probes.len) qsort(out->probes.at, out->probes.len, sizeof(LdrProbe), compare_probes);
    return true;
}

void ldr_free(LdrImage *img)
{
    vec_free(&img->segments);
    vec_free(&img->probes);
    vec_free(&img->heaps);
    sym_free(&img->symbols);
    arena_free(&img->arena);
    *img = (LdrImage){0};
}
