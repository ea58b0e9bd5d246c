// mem.h: guest memory: pages of 4 KiB, each with its data, one capability-tag byte and one MTE-tag byte a granule, and
// what the guest may do there. Addresses are virtual; there is no second level yet.
//
//     Mem *m = mem_new(max_bytes);
//     mem_map(m, 0x400000, 0x2000, MEM_READ | MEM_WRITE);
//     mem_write(m, 0x400010, "hi", 2);                          // from outside: no permission check, tags cleared
//     if (mem_write_guest(m, &cap, addr, p, n, &fault)) …        // for a system call: checked as the guest's own store
//
// The fast path is the software TLB (MemTlb): page number to host address, one array a kind of access. Whatever needs
// attention (no permission, a page that holds decoded blocks, first write since the last checkpoint) is simply not in
// it. Every change of mapping, protection or block state empties the entries concerned, so nothing is tested while unused.
#ifndef CAPLAB_MEM_MEM_H
#define CAPLAB_MEM_MEM_H

#include "base/base.h"
#include "isa/cap.h"

enum {
    MEM_PAGE_SHIFT = 12,
    MEM_PAGE = 1 << MEM_PAGE_SHIFT,
    MEM_GRANULE = 16,
    MEM_GRANULES = MEM_PAGE / MEM_GRANULE, // per page
};

// What the guest may do with a page.
enum {
    MEM_READ = 1, MEM_WRITE = 2, MEM_EXEC = 4,
    MEM_LOAD_TAGS = 8,   // capability tags can be loaded (else they read as 0)
    MEM_STORE_TAGS = 16, // a tagged store is allowed (else fault CAP_PAGE)
    MEM_MTE = 32,        // Tagged Normal: allocation tags are checked here
    MEM_TAGS = MEM_LOAD_TAGS | MEM_STORE_TAGS,
};

// data, tags and mte are neighbours on purpose: a TLB hit reaches all three from one pointer.
typedef struct MemPage {
    u8 data[MEM_PAGE];
    u8 tags[MEM_GRANULES]; // 0 or 1
    u8 mte[MEM_GRANULES];  // 0..15
    u64 number;            // address >> MEM_PAGE_SHIFT
    u8 prot;               // MEM_*
    bool has_tags;         // some capability tag may be set; never goes back by itself
    bool is_dirty;         // written since mem_clear_dirty
    u64 block_lines;       // bit i: decoded blocks use bytes of the i-th 64: stores here take the slow way
} MemPage;

// One TLB entry. A hit is entry.page == (addr & mask) with the low bits of an unaligned address kept in the mask.
typedef struct MemTlbEntry {
    u64 page;      // address of the page; ~0 = empty
    u64 addend;    // host address = addr + addend
    u64 tags;      // tag byte at host address tags + (addr >> 4); 0 = the page has no tags to clear (stores only)
    MemPage *info;
} MemTlbEntry;

enum { MEM_TLB_ENTRIES = 512 };
typedef struct MemTlb {
    MemTlbEntry read[MEM_TLB_ENTRIES];
    MemTlbEntry write[MEM_TLB_ENTRIES]; // pages with MEM_WRITE, dirty, without blocks
} MemTlb;
static inline u32 mem_tlb_index(u64 addr) { return (u32)(addr >> MEM_PAGE_SHIFT) & (MEM_TLB_ENTRIES - 1); }

typedef struct MemChunk {
    void *at;
    size_t bytes;
} MemChunk;

typedef struct Mem {
    MemPage **table;     // open addressing by page number
    u32 n_slots, n_pages, max_pages;
    bool is_flat;        // everything unmapped is created on access, read-write-execute (golden vectors)
    VEC(u64) code_pages; // numbers of pages that got block_lines since mem_clear_blocks (may be gone by now)
    MemTlb *tlb;         // the Cpu's, registered with mem_set_tlb; NULL = none
    // Called before bytes that decoded blocks use change, go away or change their protection.
    void (*on_code_change)(void *ctx, u64 addr, u64 len);
    void *code_ctx;
    // Where pages come from (mem.c): chunks of growing size, and pages given back.
    VEC(MemChunk) chunks;
    VEC(MemPage *) spare;
    size_t chunk_used, chunk_bytes; // of the last chunk
} Mem;

Mem *mem_new(u64 max_bytes);
void mem_free(Mem *m);
void mem_set_tlb(Mem *m, MemTlb *tlb); // and empties it

// Maps zeroed pages over [addr, addr+len) (both page-aligned; the end may be 2^64); older ones there are replaced. False:
// the limit of max_bytes would be passed, and nothing changed.
bool mem_map(Mem *m, u64 addr, u64 len, u8 prot);
void mem_unmap(Mem *m, u64 addr, u64 len);
bool mem_protect(Mem *m, u64 addr, u64 len, u8 prot); // false if part of it is not mapped; nothing changed then
bool mem_is_mapped(const Mem *m, u64 addr, u64 len);   // all of it
u64 mem_mapped_bytes(const Mem *m);
// Lowest free page-aligned address in [low, high) with len bytes free behind it, searching down from high; 0 = none.
u64 mem_find_free(const Mem *m, u64 low, u64 high, u64 len);

MemPage *mem_page(const Mem *m, u64 addr);       // NULL if not mapped
MemPage *mem_page_or_flat(Mem *m, u64 addr);     // creates it in flat memory
MemPage *mem_next_page(const Mem *m, u64 number); // the mapped page with the smallest number >= number; NULL = none (slow)

// Outside access without a permission check; false if any byte is not mapped (then nothing was done). A write clears
// tags, marks pages dirty and tells the code hook. Reads have no side effects.
bool mem_read(const Mem *m, u64 addr, void *out, size_t len);
bool mem_write(Mem *m, u64 addr, const void *bytes, size_t len);
bool mem_fill(Mem *m, u64 addr, u8 byte, size_t len);
bool mem_read_cap(const Mem *m, u64 addr, Cap *out);  // addr 16-aligned
bool mem_write_cap(Mem *m, u64 addr, Cap c);
bool mem_set_mte(Mem *m, u64 addr, u64 len, u8 tag);  // granule-aligned

// Why an access is refused, in the words of EV_FAULTS.
typedef enum MemDenied {
    MEM_OK, MEM_DENIED_CAP_TAG, MEM_DENIED_CAP_SEALED, MEM_DENIED_CAP_PERM, MEM_DENIED_CAP_BOUNDS, MEM_DENIED_UNMAPPED,
    MEM_DENIED_PROT,
} MemDenied;

// Access on the guest's behalf (system calls): auth (NULL = none needed) must be a tagged, unsealed capability with Load
// or Store over the whole range, and the pages must allow it. All or nothing. Flags of the address (63:56) are ignored.
MemDenied mem_check_guest(const Mem *m, const Cap *auth, u64 addr, u64 len, bool is_write);
MemDenied mem_read_guest(const Mem *m, const Cap *auth, u64 addr, void *out, size_t len);
MemDenied mem_write_guest(Mem *m, const Cap *auth, u64 addr, const void *bytes, size_t len);

// For the engine: TLB maintenance and the slow half of a store.
void mem_tlb_flush(Mem *m);
void mem_tlb_forget(Mem *m, u64 addr); // the page of addr
void mem_mark_blocks(Mem *m, MemPage *p, u64 addr, u64 len); // decoded blocks use these bytes of p
void mem_clear_blocks(Mem *m);                               // none anywhere any more
// Before the engine (or an outside writer) changes bytes in p: dirty mark and code hook.
void mem_prepare_write(Mem *m, MemPage *p, u64 addr, u64 len);
void mem_note_tag(Mem *m, MemPage *p); // before the first tag is set in p

void mem_clear_dirty(Mem *m); // a checkpoint was taken: every page's next write is a first write again

#endif
