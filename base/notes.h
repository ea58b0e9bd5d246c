// notes.h: what our compiler tells the machine about a guest, as ELF notes (name "caplab"): probes and heaps.
//
// A *probe* is a named place in guest code with some values ("bytecode dispatched: ip, opcode"). It costs the guest
// nothing: no instruction, and its arguments do not keep values alive. Each place in the code makes one note:
//
//     NOTE_PROBE   u64 pc            fires before the instruction at pc (bit 0 clear)
//                  u32 n_args
//                  NoteProbeArg[n_args]
//                  char name[]       NUL-terminated
//
// A *heap* note tells where a guest keeps its allocation table, by addresses of guest variables. Guest C writes it
// itself, into section .note.caplab.heap, as a constant NoteHeap with an ElfNote header (see vm/guest/gc.c).
#ifndef CAPLAB_BASE_NOTES_H
#define CAPLAB_BASE_NOTES_H

#include "base/base.h"

enum { NOTE_PROBE = 1, NOTE_HEAP = 2 };
#define NOTE_OWNER "caplab" // namesz 7

enum NoteArgKind {
    NOTE_ARG_LOST = 0,  // the value was not in any register or stack slot any more
    NOTE_ARG_REG = 1,   // X/C register `reg` (31 = SP)
    NOTE_ARG_FPREG = 2, // V register `reg`
    NOTE_ARG_STACK = 3, // memory at SP + value
    NOTE_ARG_CONST = 4, // value itself (also addresses of globals)
};

typedef struct NoteProbeArg {
    u8 kind, reg;
    u8 size;      // bytes of the C type: 1, 2, 4, 8, 16 (capability)
    u8 is_signed;
    u32 zero;
    i64 value;
} NoteProbeArg;
static_assert(sizeof(NoteProbeArg) == 16, "file layout");

// A GC heap with an allocation table of two bits a block, four blocks a byte, low bits first:
// 0 free, 1 head, 2 tail, 3 marked head. All u64 fields but block_bytes are addresses of guest variables; of a guest
// pointer variable only the low 8 bytes (the address) are read.
typedef struct NoteHeap {
    char name[16];
    u64 block_bytes;
    u64 table_ptr;       // pointer to the first byte of the allocation table
    u64 table_bytes_var; // u64 variable: bytes of the table
    u64 pool_ptr;        // pointer to the first block
    u64 last_free_var;   // u64 variable: table byte at which the next search starts
} NoteHeap;
static_assert(sizeof(NoteHeap) == 56, "file layout");

// The probes that the machine's accounting understands (sim/account.c). Argument meanings are the contract with
// vm/guest; other names are passed on as events.
// NOTE_PROBES(X): name, arguments, meaning
#define NOTE_PROBES(X)                                                                                       \
    X(vm_dispatch, "opcode, ip", "the opcode byte at ip was fetched; its handler runs next")                  \
    X(vm_enter, "", "the interpreter is about to run its first bytecode of this activation")                   \
    X(vm_outside, "", "the program's own bytecodes are over: what follows belongs to no opcode")               \
    X(vm_code, "code, n_bytes, index", "code object number index (order of the .mpy tree, depth first) lies at code") \
    X(vm_frame, "n_bytes, on_heap", "a Python call frame was made")                                            \
    X(gc_request, "n_bytes", "an allocation or a change of size begins, for so many bytes")                      \
    X(gc_search, "table_byte, n_blocks", "an allocation starts to search at this byte of the table")           \
    X(gc_search_end, "block, found", "last table entry looked at; found 0: the table ended (block is not used)") \
    X(gc_alloc, "ptr, n_blocks, n_bytes", "an allocation succeeded (lost arguments follow from gc_request)")      \
    X(gc_free, "ptr", "one object was freed explicitly")                                                       \
    X(gc_resize, "ptr, n_blocks, n_bytes", "an object was resized in place")                                   \
    X(gc_begin, "", "a collection begins")                                                                     \
    X(gc_end, "", "a collection ended: the table holds the survivors")

#endif
