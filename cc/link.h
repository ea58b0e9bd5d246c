// link.h: units in, one static ELF out: which sections are needed, where they lie, what the relocations become.
//
//     0x400000  ELF header, .text, .rodata, __cap_relocs          read, execute
//               .got (16-byte slots), .data.rel.ro, .data, .bss   read, write
//
// Purecap: every code capability has one range, the image up to the end of .got (so that code can load its slots); every
// data capability is exactly its object. Start-up code (crt0) makes them from the table between __cap_relocs_start and
// __cap_relocs_end: entries of five u64: location, base, offset, size, permissions to clear; bit 63 of the last: derive
// from PCC and seal as sentry. Symbols the linker defines: link_names in link.c.
#ifndef CAPLAB_CC_LINK_H
#define CAPLAB_CC_LINK_H

#include "cc/cc.h"
#include "base/elf.h"
#include "cc/lk.h"

// entry: name of the first function. On false *err names the symbol and where it was used or defined.
bool link_units(LkUnit *const *units, u32 n_units, CcAbi abi, const char *entry, Buf *elf_out, Err *err);

#endif
