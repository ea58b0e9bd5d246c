// test_cc_link.c: the linker on units built by hand: addresses, relocations, capability relocations, unused code, errors.
#include "base/bits.h"
#include "cc/link.h"
#include "isa/isa.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static const SrcPos nowhere = {"unit.c", 7, 3};

static LkSection *add_code(LkUnit *u, const char *name, u32 n_words)
{
    LkSection *s = lk_section(u, ".text.f", LK_EXEC, 16);
    for (u32 i = 0; i < n_words; i++) buf_add_int(&s->data, ISA_WORD(HINT, .CRm = 0), 4);
    Err err = {0};
    lk_define(u, lk_symbol(u, name, nowhere), s, 0, s->data.len, LK_FUNC, nowhere, &err);
    return s;
}

static LkSection *add_object(LkUnit *u, const char *name, u32 flags, u64 bytes)
{
    LkSection *s = lk_section(u, ".data.x", flags, 8);
    if (flags & LK_BSS)
        s->bss_bytes = bytes;
    else
        buf_add_zeros(&s->data, bytes);
    Err err = {0};
    lk_define(u, lk_symbol(u, name, nowhere), s, 0, bytes, LK_OBJECT, nowhere, &err);
    return s;
}

static bool link_one(LkUnit *u, CcAbi abi, Buf *elf, Err *err)
{
    LkUnit *list[] = {u};
    return link_units(list, 1, abi, "_start", elf, err);
}

// How many symbols have the name; *first is the first one.
static u32 find_symbols(const Buf *elf, const char *name, const ElfSymbol **first)
{
    const ElfHeader *h = (const void *)elf->at;
    const ElfSection *sections = (const void *)(elf->at + h->shoff);
    u32 n = 0;
    for (u32 i = 0; i < h->shnum; i++) {
        if (sections[i].type != ELF_SHT_SYMTAB) continue;
        const char *names = (const char *)elf->at + sections[sections[i].link].offset;
        const ElfSymbol *y = (const void *)(elf->at + sections[i].offset);
        for (u32 k = 0; k < sections[i].size / sizeof *y; k++)
            if (!strcmp(names + y[k].name, name) && !n++) *first = &y[k];
    }
    return n;
}

static const ElfSymbol *find_symbol(const Buf *elf, const char *name)
{
    const ElfSymbol *y = NULL;
    find_symbols(elf, name, &y);
    return y;
}

static u32 count_symbols(const Buf *elf, const char *name)
{
    const ElfSymbol *y;
    return find_symbols(elf, name, &y);
}

static u64 read_at(const Buf *elf, u64 addr, u32 bytes)
{
    const ElfHeader *h = (const void *)elf->at;
    const ElfProgram *p = (const void *)(elf->at + h->phoff);
    for (u32 i = 0; i < h->phnum; i++)
        if (p[i].type == ELF_PT_LOAD && addr >= p[i].vaddr && addr + bytes <= p[i].vaddr + p[i].filesz)
            return bits_load(elf->at + p[i].offset + (addr - p[i].vaddr), bytes);
    cr_expect(false, "address %llx is not in the file", (unsigned long long)addr);
    return 0;
}

Test(cc_link, calls_and_addresses)
{
    LkUnit u;
    lk_init(&u, "unit.c");
    LkSection *start = add_code(&u, "_start", 4);
    add_code(&u, "callee", 2);
    LkSection *table = add_object(&u, "table", LK_WRITE, 16);
    bits_store(start->data.at, ISA_WORD(BL, .imm26 = 0), 4);
    bits_store(start->data.at + 4, ISA_WORD(ADRP, .Rd = 3), 4);
    bits_store(start->data.at + 8, ISA_WORD(LDR_UI, .sf = 1, .Rn = 3, .Rt = 3), 4);
    u32 callee = lk_symbol(&u, "callee", nowhere), object = lk_symbol(&u, "table", nowhere);
    lk_reloc(start, 0, LK_R_CALL26, callee, 0, (LkPlace){0});
    lk_reloc(start, 4, LK_R_ADRP, object, 8, (LkPlace){0});
    lk_reloc(start, 8, LK_R_LO12, object, 8, (LkPlace){0});
    lk_reloc(table, 0, LK_R_ABS64, callee, 4, (LkPlace){0});
    Buf elf = {0};
    Err err = {0};
    cr_assert(link_one(&u, CC_HYBRID, &elf, &err), "%s", err.text);
    u64 s = find_symbol(&elf, "_start")->value, f = find_symbol(&elf, "callee")->value, t = find_symbol(&elf, "table")->value;
    cr_expect(eq(u64, ((const ElfHeader *)(const void *)elf.at)->entry, s));
    cr_expect(eq(u64, s + 4 * (u64)bits_sext(read_at(&elf, s, 4), 26), f));
    cr_expect(eq(u64, read_at(&elf, t, 8), f + 4));
    u32 adrp = (u32)read_at(&elf, s + 4, 4), ldr = (u32)read_at(&elf, s + 8, 4);
    u64 pages = (u64)bits_sext((bits_get(adrp, 23, 5) << 2) | bits_get(adrp, 30, 29), 21);
    cr_expect(eq(u64, ((s + 4) & ~0xfffULL) + (pages << 12) + 8 * bits_get(ldr, 21, 10), t + 8));
    buf_free(&elf);
    lk_free(&u);
}

static const u64 *find_cap_relocs(const Buf *elf, u64 *n, u64 *got)
{
    const ElfHeader *h = (const void *)elf->at;
    const ElfSection *sections = (const void *)(elf->at + h->shoff);
    const u64 *found = NULL;
    for (u32 i = 0; i < h->shnum; i++) {
        const char *name = (const char *)elf->at + sections[h->shstrndx].offset + sections[i].name;
        if (!strcmp(name, ".got")) *got = sections[i].addr;
        if (strcmp(name, "__cap_relocs")) continue;
        found = (const void *)(elf->at + sections[i].offset);
        *n = sections[i].size / 40;
    }
    return found;
}

Test(cc_link, purecap_table_gives_each_object_its_bounds)
{
    LkUnit u;
    lk_init(&u, "unit.c");
    LkSection *start = add_code(&u, "_start", 2);
    add_object(&u, "big", LK_WRITE | LK_BSS, 100001);
    LkSection *pointers = add_object(&u, "pointers", LK_WRITE | LK_RELRO, 32);
    pointers->align = 16;
    bits_store(start->data.at, ISA_WORD(ADRP, .immhi = 1 << 18, .Rd = 0), 4);
    bits_store(start->data.at + 4, ISA_WORD(LDR_C_RUIB_C, .Rn = 0, .Rt = 0), 4);
    u32 object = lk_symbol(&u, "pointers", nowhere);
    lk_reloc(start, 0, LK_R_GOT_PAGE, object, 0, (LkPlace){0});
    lk_reloc(start, 4, LK_R_GOT_LO12, object, 0, (LkPlace){0});
    lk_reloc(pointers, 0, LK_R_CAP, lk_symbol(&u, "big", nowhere), 12, (LkPlace){0});
    lk_reloc(pointers, 16, LK_R_CAP, lk_symbol(&u, "_start", nowhere), 0, (LkPlace){0});
    Buf elf = {0};
    Err err = {0};
    cr_assert(link_one(&u, CC_PURECAP, &elf, &err), "%s", err.text);
    const ElfHeader *h = (const void *)elf.at;
    u64 s = find_symbol(&elf, "_start")->value, p = find_symbol(&elf, "pointers")->value, b = find_symbol(&elf, "big")->value;
    cr_expect(eq(u64, h->flags, ELF_EF_AARCH64_CHERI_PURECAP));
    cr_expect(eq(u64, s & 1, 1), "C64 code has bit 0 set");
    cr_expect(eq(u64, h->entry, s));
    u64 n = 0, got = 0;
    const u64 *e = find_cap_relocs(&elf, &n, &got);
    cr_assert(eq(u64, n, 3));
    // {location, base, offset, size, permissions to clear}, sorted: the slot, then the two words of `pointers`
    cr_expect(eq(u64, e[0], got));
    cr_expect(eq(u64, e[1], p));
    cr_expect(eq(u64, e[3], 32));
    cr_expect(eq(u64, e[4], 0x1bfbe), "read-only data");
    cr_expect(eq(u64, e[5], p));
    cr_expect(eq(u64, e[6], b));
    cr_expect(eq(u64, e[7], 12));
    cr_expect(e[8] >= 100001 && e[8] < 100001 + 64, "size %llu", (unsigned long long)e[8]);
    cr_expect(eq(u64, e[6] & 31, 0), "a long object is aligned for its bounds");
    cr_expect(eq(u64, e[9], 0x08fbe), "writable data");
    cr_expect(eq(u64, e[10], p + 16));
    cr_expect(eq(u64, e[11] + e[12], s), "base + offset is the C64 address");
    cr_expect(eq(u64, e[14], 0x8000000000013dbcULL));
    cr_expect(e[11] + e[13] >= got + 16, "code can reach its table");
    buf_free(&elf);
    lk_free(&u);
}

Test(cc_link, unused_code_and_equal_strings)
{
    LkUnit u;
    lk_init(&u, "unit.c");
    add_code(&u, "_start", 1);
    add_code(&u, "unused", 1000);
    LkSection *two = add_object(&u, "two", LK_WRITE | LK_KEEP, 16);
    for (u32 i = 0; i < 2; i++) {
        LkSection *s = lk_section(&u, ".rodata.str", LK_MERGE, 1);
        buf_add(&s->data, "same", 5);
        Err err = {0};
        u32 string = lk_local(&u, ".str", nowhere);
        lk_define(&u, string, s, 0, 5, LK_OBJECT, nowhere, &err);
        lk_reloc(two, 8 * i, LK_R_ABS64, string, 0, (LkPlace){0});
    }
    Buf elf = {0};
    Err err = {0};
    cr_assert(link_one(&u, CC_HYBRID, &elf, &err), "%s", err.text);
    cr_expect(find_symbol(&elf, "unused") == NULL);
    u64 t = find_symbol(&elf, "two")->value;
    cr_expect(eq(u64, read_at(&elf, t, 8), read_at(&elf, t + 8, 8)));
    cr_expect(eq(u64, read_at(&elf, read_at(&elf, t, 8), 4), 0x656d6173));
    buf_free(&elf);
    lk_free(&u);
}

Test(cc_link, errors_name_both_places)
{
    Buf elf = {0};
    Err err = {0};
    LkUnit u, v;
    lk_init(&u, "a.c");
    lk_init(&v, "b.c");
    LkSection *start = add_code(&u, "_start", 1);
    add_code(&v, "_start", 1);
    LkUnit *list[] = {&u, &v};
    cr_expect(not(link_units(list, 2, CC_HYBRID, "_start", &elf, &err)));
    cr_expect(strstr(err.text, "'_start' is defined twice") && strstr(err.hint, "first at unit.c:7:3"), "%s / %s", err.text, err.hint);
    cr_expect(eq(u64, err.line, 7));
    err = (Err){0};
    lk_reloc(start, 0, LK_R_CALL26, lk_symbol(&u, "nobody", nowhere), 0, (LkPlace){0});
    cr_expect(not(link_one(&u, CC_HYBRID, &elf, &err)));
    cr_expect(strstr(err.text, "undefined symbol 'nobody'") && strstr(err.hint, "a.c"), "%s / %s", err.text, err.hint);
    err = (Err){0};
    lk_free(&v);
    lk_init(&v, "b.c");
    list[0] = &v;
    cr_expect(not(link_units(list, 1, CC_PURECAP, "_start", &elf, &err)));
    cr_expect(strstr(err.text, "no entry") != NULL, "%s", err.text);
    lk_free(&u);
    lk_free(&v);
    buf_free(&elf);
}

// A library of _start (which calls main), and of `used`, which calls `helper` behind it in the same section.
static void add_library(LkUnit *lib)
{
    lk_init(lib, "crt0.s");
    lib->is_library = true;
    LkSection *start = add_code(lib, "_start", 4), *used = add_code(lib, "used", 8);
    Err err = {0};
    lk_define(lib, lk_symbol(lib, "helper", nowhere), used, 16, 16, LK_FUNC, nowhere, &err);
    lk_reloc(start, 0, LK_R_CALL26, lk_symbol(lib, "main", nowhere), 0, (LkPlace){0});
    bits_store(used->data.at, ISA_WORD(BL, .imm26 = 0), 4);
    lk_reloc(used, 0, LK_R_CALL26, lk_symbol(lib, "helper", nowhere), 0, (LkPlace){0});
}

Test(cc_link, a_library_yields_to_the_program)
{
    for (u32 order = 0; order < 2; order++) {
        LkUnit lib, u;
        Buf elf = {0};
        Err err = {0};
        add_library(&lib);
        lk_init(&u, "a.c");
        LkSection *own = add_code(&u, "_start", 2);
        add_code(&u, "helper", 1);
        u.symbols.at[lk_symbol(&u, "helper", nowhere)]->is_weak = true; // weak, and yet before the library's
        lk_reloc(own, 0, LK_R_CALL26, lk_symbol(&u, "used", nowhere), 0, (LkPlace){0});
        LkUnit *list[] = {order ? &u : &lib, order ? &lib : &u};
        cr_assert(link_units(list, 2, CC_HYBRID, "_start", &elf, &err), "%s", err.text); // nothing needs main
        const ElfSymbol *entry = find_symbol(&elf, "_start"), *helper = find_symbol(&elf, "helper");
        cr_expect(eq(u64, entry->size, 8));
        cr_expect(eq(u64, ((const ElfHeader *)(const void *)elf.at)->entry, entry->value));
        cr_expect(eq(u64, helper->size, 4));
        u64 at = find_symbol(&elf, "used")->value;
        cr_expect(eq(u64, at + 4 * (u64)bits_sext(read_at(&elf, at, 4), 26), helper->value), "the library calls it, too");
        cr_expect(eq(u32, count_symbols(&elf, "helper"), 1), "the other one is in the program, without its name");
        buf_free(&elf);
        lk_free(&lib);
        lk_free(&u);
    }
}

Test(cc_link, a_local_start_is_told)
{
    LkUnit lib, u;
    Buf elf = {0};
    Err err = {0};
    add_library(&lib);
    lk_init(&u, "a.s");
    LkSection *s = lk_section(&u, ".text", LK_EXEC, 4);
    lk_define(&u, lk_local(&u, "_start", nowhere), s, 0, 0, LK_NOTYPE, nowhere, &err);
    LkUnit *list[] = {&lib, &u};
    cr_expect(not(link_units(list, 2, CC_HYBRID, "_start", &elf, &err)));
    cr_expect(strstr(err.text, "undefined symbol 'main'") && strstr(err.hint, "'_start' of a.s, line 7, is local"), "%s / %s",
              err.text, err.hint);
    buf_free(&elf);
    lk_free(&lib);
    lk_free(&u);
}

Test(cc_link, weak_symbols)
{
    LkUnit u, v;
    lk_init(&u, "a.c");
    lk_init(&v, "b.c");
    LkSection *start = add_code(&u, "_start", 2);
    add_code(&u, "hook", 1);
    u.symbols.at[lk_symbol(&u, "hook", nowhere)]->is_weak = true;
    add_code(&v, "hook", 8);
    u32 absent = lk_symbol(&u, "absent", nowhere);
    u.symbols.at[absent]->is_weak = true;
    bits_store(start->data.at, ISA_WORD(BL, .imm26 = 0), 4);
    bits_store(start->data.at + 4, ISA_WORD(BL, .imm26 = 0), 4);
    lk_reloc(start, 0, LK_R_CALL26, lk_symbol(&u, "hook", nowhere), 0, (LkPlace){0});
    lk_reloc(start, 4, LK_R_CALL26, absent, 0, (LkPlace){0});
    LkUnit *list[] = {&u, &v};
    Buf elf = {0};
    Err err = {0};
    cr_assert(link_units(list, 2, CC_HYBRID, "_start", &elf, &err), "%s", err.text);
    cr_expect(eq(u64, find_symbol(&elf, "hook")->size, 32), "the strong definition wins");
    u64 s = find_symbol(&elf, "_start")->value;
    cr_expect(eq(u64, read_at(&elf, s + 4, 4) & 0x3ffffff, 1), "a call of nothing goes on behind it");
    buf_free(&elf);
    lk_free(&u);
    lk_free(&v);
}
