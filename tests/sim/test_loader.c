// test_loader.c: the ELF reader: a right file is read right, and no wrong file gets through or crashes it.
#include "base/buf.h"
#include "sim/loader.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

enum { TEXT = 0x400000, DATA = 0x500000 };

static void add_note(Buf *b, u32 type, const void *desc, u32 size)
{
    buf_add_int(b, 7, 4);
    buf_add_int(b, size, 4);
    buf_add_int(b, type, 4);
    buf_add(b, "caplab\0", 8);
    buf_add(b, desc, size);
    buf_align(b, 4);
}

// Two segments, a symbol table with main and an object, a probe, a heap.
static Buf make_elf(void)
{
    Buf b = {0}, notes = {0}, probe = {0};
    buf_add_int(&probe, TEXT + 0x1000, 8);
    buf_add_int(&probe, 1, 4);
    NoteProbeArg arg = {.kind = NOTE_ARG_REG, .reg = 3, .size = 1};
    buf_add(&probe, &arg, sizeof arg);
    buf_add(&probe, "vm_dispatch", 12);
    add_note(&notes, NOTE_PROBE, probe.at, (u32)probe.len);
    NoteHeap heap = {.name = "gc", .block_bytes = 32, .table_ptr = DATA};
    add_note(&notes, NOTE_HEAP, &heap, sizeof heap);

    ElfHeader h = {.ident = "\177ELF\2\1\1", .type = ELF_ET_EXEC, .machine = ELF_EM_AARCH64, .version = 1, .entry = TEXT + 0x1000,
                   .phoff = 64, .ehsize = 64, .phentsize = 56, .phnum = 2, .shentsize = 64, .shnum = 4};
    ElfProgram text = {.type = ELF_PT_LOAD, .flags = ELF_PF_R | ELF_PF_X, .vaddr = TEXT, .filesz = 0x1010, .memsz = 0x1010};
    ElfProgram data = {.type = ELF_PT_LOAD, .flags = ELF_PF_R | ELF_PF_W, .vaddr = DATA + 8, .offset = 0x1010, .filesz = 8, .memsz = 0x2000};
    static const char strings[] = "\0main\0thing\0$x";
    ElfSymbol symbols[4] = {
        {0},
        {.name = 1, .info = ELF_STB_GLOBAL << 4 | ELF_STT_FUNC, .shndx = 1, .value = TEXT + 0x1000, .size = 8},
        {.name = 6, .info = ELF_STB_GLOBAL << 4 | ELF_STT_OBJECT, .shndx = 2, .value = DATA + 8, .size = 8},
        {.name = 12, .info = 0, .shndx = 1, .value = TEXT + 0x1000},
    };
    buf_add(&b, &h, sizeof h);
    buf_add(&b, &text, sizeof text);
    buf_add(&b, &data, sizeof data);
    buf_add_zeros(&b, 0x1018 - b.len);
    u64 symbols_at = b.len;
    buf_add(&b, symbols, sizeof symbols);
    u64 strings_at = b.len;
    buf_add(&b, strings, sizeof strings);
    buf_align(&b, 4);
    u64 notes_at = b.len;
    buf_add(&b, notes.at, notes.len);
    ElfSection sections[4] = {
        {0},
        {.type = ELF_SHT_SYMTAB, .offset = symbols_at, .size = sizeof symbols, .link = 2, .entsize = 24},
        {.type = ELF_SHT_STRTAB, .offset = strings_at, .size = sizeof strings},
        {.type = ELF_SHT_NOTE, .offset = notes_at, .size = notes.len},
    };
    ((ElfHeader *)(void *)b.at)->shoff = b.len;
    buf_add(&b, sections, sizeof sections);
    buf_free(&notes);
    buf_free(&probe);
    return b;
}

Test(loader, reads_segments_symbols_notes)
{
    Buf b = make_elf();
    LdrImage img;
    Err err = {0};
    cr_assert(ldr_parse(b.at, b.len, "a.elf", &img, &err), "%s", err.text);
    cr_expect(eq(u32, img.segments.len, 2));
    cr_expect(eq(u64, img.entry, TEXT + 0x1000));
    cr_expect(eq(u64, img.low, TEXT));
    cr_expect(eq(u64, img.high, DATA + 0x3000));
    cr_expect(eq(u64, img.rx_low, TEXT));
    cr_expect(eq(u64, img.rx_high, DATA + 0x3000));
    cr_expect(eq(u64, img.phdr, TEXT + 64));
    cr_assert(eq(u32, img.probes.len, 1));
    cr_expect(eq(str, (char *)img.probes.at[0].name, (char *)"vm_dispatch"));
    cr_expect(eq(u32, img.probes.at[0].arg[0].reg, 3));
    cr_assert(eq(u32, img.heaps.len, 1));
    cr_expect(eq(u64, img.heaps.at[0].block_bytes, 32));
    cr_expect(eq(u32, img.symbols.by_addr.len, 2)); // the mapping symbol is not one
    const Sym *s = sym_at(&img.symbols, TEXT + 0x1007);
    cr_assert(s != NULL);
    cr_expect(eq(str, (char *)s->name, (char *)"main"));
    cr_expect(sym_at(&img.symbols, TEXT + 0x1008) == NULL);
    cr_expect(sym_named(&img.symbols, "thing") != NULL);
    ldr_free(&img);
    buf_free(&b);
}

// A segment of nothing but .bss may have an offset behind the file: linkers write where it would have been.
Test(loader, takes_a_bss_segment_behind_the_file)
{
    Buf b = make_elf();
    LdrImage img;
    Err err = {0};
    ElfProgram *data = (ElfProgram *)(void *)(b.at + sizeof(ElfHeader)) + 1;
    data->offset = b.len + 0x10000;
    data->filesz = 0;
    cr_assert(ldr_parse(b.at, b.len, "a.elf", &img, &err), "%s", err.text);
    cr_expect(eq(u64, img.segments.at[1].memsz, 0x2000));
    ldr_free(&img);
    data->filesz = 1;
    cr_expect(not(ldr_parse(b.at, b.len, "a.elf", &img, &err)));
    ldr_free(&img);
    buf_free(&b);
}

Test(loader, refuses_what_is_not_a_static_aarch64_program)
{
    static const struct {
        const char *what;
        u32 offset, bytes;
        u64 value;
    } rows[] = {
        {"magic", 0, 1, 0},           {"32-bit", 4, 1, 1},           {"big-endian", 5, 1, 2},
        {"version", 20, 4, 2},        {"x86-64", 18, 2, 62},         {"shared", 16, 2, ELF_ET_DYN},
        {"relocatable", 16, 2, 1},    {"no headers", 56, 2, 0},      {"headers outside", 32, 8, 1 << 20},
        {"entry unmapped", 24, 8, 8}, {"entry in data", 24, 8, DATA + 8}, {"odd entry in hybrid", 24, 8, TEXT + 0x1001},
        {"entry unaligned", 24, 8, TEXT + 0x1002}, {"interpreter", 64, 4, ELF_PT_INTERP},
        {"dynamic", 64, 4, ELF_PT_DYNAMIC}, {"segment behind the file", 64 + 8, 8, 1 << 20},
        {"more in file than memory", 64 + 40, 8, 4}, {"kernel address", 64 + 16, 8, 0xFFFF000000000000},
        {"null page", 64 + 16, 8, 0}, {"overlap", 64 + 56 + 16, 8, TEXT + 8}, {"huge", 64 + 40, 8, ~0ULL - 8},
        {"sections outside", 40, 8, ~0ULL - 8}, {"section size", 58, 2, 40},
    };
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
        Buf b = make_elf();
        LdrImage img;
        Err err = {0};
        memcpy(b.at + rows[i].offset, &rows[i].value, rows[i].bytes);
        bool ok = ldr_parse(b.at, b.len, "a.elf", &img, &err);
        cr_expect(not(ok), "%s", rows[i].what);
        cr_expect(eq(int, err.status, CAPLAB_EX_DATA), "%s", rows[i].what);
        cr_expect(err.text[0] != 0, "%s", rows[i].what);
        if (ok) ldr_free(&img);
        buf_free(&b);
    }
}

Test(loader, survives_truncation_and_noise)
{
    Buf b = make_elf();
    u32 refused = 0;
    u64 rng = 1;
    for (size_t len = 0; len < b.len; len++) {
        u8 *exact = malloc(len ? len : 1); // so that the sanitizer sees a byte too far
        memcpy(exact, b.at, len);
        LdrImage img;
        Err err = {0};
        if (ldr_parse(exact, len, "a.elf", &img, &err)) ldr_free(&img);
        else refused++;
        free(exact);
    }
    cr_expect(eq(u64, refused, b.len));
    for (u32 round = 0; round < 20000; round++) {
        u8 *copy = malloc(b.len);
        memcpy(copy, b.at, b.len);
        for (u32 k = 0; k < 3; k++) {
            rng = rng * 6364136223846793005 + 1442695040888963407;
            copy[(rng >> 33) % (round % 2 ? b.len : 240)] = (u8)(rng >> 24);
        }
        LdrImage img;
        Err err = {0};
        if (ldr_parse(copy, b.len, "a.elf", &img, &err)) ldr_free(&img);
        free(copy);
    }
    buf_free(&b);
}
