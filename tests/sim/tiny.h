// tiny.h: a tiny ELF for tests: one text segment with given words, one data segment, made in memory.
#ifndef CAPLAB_TESTS_SIM_TINY_H
#define CAPLAB_TESTS_SIM_TINY_H

#include "base/buf.h"
#include "base/elf.h"

enum { TINY_TEXT = 0x400000, TINY_CODE = 0x400100, TINY_DATA = 0x500000, TINY_DATA_BYTES = 0x2000 };

static inline Buf tiny_elf(bool purecap, const u32 *words, u32 n)
{
    Buf b = {0};
    ElfHeader h = {.ident = "\177ELF\2\1\1", .type = ELF_ET_EXEC, .machine = ELF_EM_AARCH64, .version = 1, .entry = TINY_CODE | purecap,
                   .phoff = 64, .flags = purecap ? ELF_EF_AARCH64_CHERI_PURECAP : 0, .ehsize = 64, .phentsize = 56, .phnum = 2};
    ElfProgram text = {.type = ELF_PT_LOAD, .flags = ELF_PF_R | ELF_PF_X, .vaddr = TINY_TEXT, .filesz = 0x100 + n * 4, .memsz = 0x100 + n * 4};
    ElfProgram data = {.type = ELF_PT_LOAD, .flags = ELF_PF_R | ELF_PF_W, .vaddr = TINY_DATA, .memsz = TINY_DATA_BYTES};
    buf_add(&b, &h, sizeof h);
    buf_add(&b, &text, sizeof text);
    buf_add(&b, &data, sizeof data);
    buf_add_zeros(&b, 0x100 - b.len);
    buf_add(&b, words, n * 4);
    return b;
}

#endif
