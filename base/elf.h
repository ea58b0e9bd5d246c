// elf.h: the ELF64 structures that cc writes and the loader reads (little-endian AArch64, static executables and our
// own relocatable objects kept in memory). Names and values as in the ELF and AAELF64 documents.
#ifndef CAPLAB_BASE_ELF_H
#define CAPLAB_BASE_ELF_H

#include "base/base.h"

typedef struct ElfHeader {
    u8 ident[16];
    u16 type, machine;
    u32 version;
    u64 entry, phoff, shoff;
    u32 flags;
    u16 ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
} ElfHeader;
static_assert(sizeof(ElfHeader) == 64, "file layout");

typedef struct ElfProgram {
    u32 type, flags;
    u64 offset, vaddr, paddr, filesz, memsz, align;
} ElfProgram;
static_assert(sizeof(ElfProgram) == 56, "file layout");

typedef struct ElfSection {
    u32 name, type;
    u64 flags, addr, offset, size;
    u32 link, info;
    u64 addralign, entsize;
} ElfSection;
static_assert(sizeof(ElfSection) == 64, "file layout");

typedef struct ElfSymbol {
    u32 name;
    u8 info, other; // info = bind << 4 | type
    u16 shndx;
    u64 value, size; // bit 0 of a function's value = C64 code
} ElfSymbol;
static_assert(sizeof(ElfSymbol) == 24, "file layout");

typedef struct ElfNote {
    u32 namesz, descsz, type; // then the name and the descriptor, each padded to 4
} ElfNote;

enum {
    ELF_CLASS64 = 2, ELF_DATA2LSB = 1,
    ELF_ET_EXEC = 2, ELF_ET_DYN = 3,
    ELF_EM_AARCH64 = 183,
    ELF_EF_AARCH64_CHERI_PURECAP = 0x00010000,
    ELF_PT_LOAD = 1, ELF_PT_DYNAMIC = 2, ELF_PT_INTERP = 3, ELF_PT_NOTE = 4, ELF_PT_TLS = 7,
    ELF_PT_GNU_STACK = 0x6474e551,
    ELF_PF_X = 1, ELF_PF_W = 2, ELF_PF_R = 4,
    ELF_SHT_PROGBITS = 1, ELF_SHT_SYMTAB = 2, ELF_SHT_STRTAB = 3, ELF_SHT_NOTE = 7, ELF_SHT_NOBITS = 8,
    ELF_SHF_WRITE = 1, ELF_SHF_ALLOC = 2, ELF_SHF_EXECINSTR = 4, ELF_SHF_COMPRESSED = 0x800,
    ELF_STB_LOCAL = 0, ELF_STB_GLOBAL = 1, ELF_STB_WEAK = 2,
    ELF_STT_NOTYPE = 0, ELF_STT_OBJECT = 1, ELF_STT_FUNC = 2, ELF_STT_SECTION = 3, ELF_STT_FILE = 4,
    ELF_SHN_UNDEF = 0, ELF_SHN_ABS = 0xfff1,
};

#endif
