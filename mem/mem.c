// mem.c: the page table and everything that is not a TLB hit. The table is a hash by page number with linear probing:
// only misses come here, and guest addresses may be anywhere in 64 bits.
#include "mem/mem.h"
#include "base/bits.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MIN_SLOTS = 64, MIN_CHUNK = 64 << 10, HUGE_PAGE = 2 << 20 };

static u32 slot_of(const Mem *m, u64 number)
{
    u64 h = number * 0x9e3779b97f4a7c15ULL;
    return (u32)(h >> 32) & (m->n_slots - 1);
}

static void insert_page(Mem *m, MemPage *p)
{
    u32 s = slot_of(m, p->number);
    while (m->table[s]) s = (s + 1) & (m->n_slots - 1);
    m->table[s] = p;
}

static void resize_table(Mem *m, u32 n_slots)
{
    MemPage **old = m->table;
    u32 n_old = m->n_slots;
    m->table = xalloc(n_slots * sizeof *m->table);
    m->n_slots = n_slots;
    for (u32 i = 0; i < n_old; i++)
        if (old[i]) insert_page(m, old[i]);
    free(old);
}

// ---- where pages come from

// A huge page of the host saves it address translations and zeroing; no matter if that is refused.
static void *new_huge_page(void)
{
    char *at = mmap(NULL, 2 * HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(at != MAP_FAILED, "out of memory");
    size_t before = -(uintptr_t)at & (HUGE_PAGE - 1);
    if (before) munmap(at, before);
    munmap(at + before + HUGE_PAGE, HUGE_PAGE - before);
    madvise(at + before, HUGE_PAGE, MADV_HUGEPAGE);
    return at + before;
}

// Small ones first: most guests of tests and fuzzers need no more.
static void add_chunk(Mem *m)
{
    size_t bytes = m->chunks.len ? m->chunk_bytes * 2 : MIN_CHUNK;
    m->chunk_bytes = bytes < HUGE_PAGE ? bytes : HUGE_PAGE;
    vec_push(&m->chunks, ((MemChunk){bytes < HUGE_PAGE ? xalloc(bytes) : new_huge_page(), m->chunk_bytes}));
    m->chunk_used = 0;
}

static void free_chunk(MemChunk c)
{
    if (c.bytes < HUGE_PAGE) free(c.at);
    else munmap(c.at, c.bytes);
}

// ----

Mem *mem_new(u64 max_bytes)
{
    Mem *m = xalloc(sizeof *m);
    u64 pages = max_bytes / MEM_PAGE;
    m->max_pages = pages > 1u << 28 ? 1u << 28 : (u32)pages;
    resize_table(m, MIN_SLOTS);
    return m;
}

void mem_free(Mem *m)
{
    if (!m) return;
    for (u32 i = 0; i < m->chunks.len; i++) free_chunk(m->chunks.at[i]);
    vec_free(&m->chunks);
    vec_free(&m->spare);
    vec_free(&m->code_pages);
    free(m->table);
    free(m);
}

MemPage *mem_page(const Mem *m, u64 addr)
{
    u64 number = addr >> MEM_PAGE_SHIFT;
    for (u32 s = slot_of(m, number); m->table[s]; s = (s + 1) & (m->n_slots - 1))
        if (m->table[s]->number == number) return m->table[s];
    return NULL;
}

// A zeroed page.
static MemPage *new_page(Mem *m)
{
    if (m->spare.len) {
        MemPage *p = m->spare.at[--m->spare.len];
        memset(p, 0, sizeof *p);
        return p;
    }
    if (m->chunk_used + sizeof(MemPage) > m->chunk_bytes) add_chunk(m);
    MemPage *p = (MemPage *)(void *)((char *)m->chunks.at[m->chunks.len - 1].at + m->chunk_used);
    m->chunk_used += sizeof(MemPage);
    return p;
}

static MemPage *add_page(Mem *m, u64 addr, u8 prot)
{
    if (m->n_pages + m->n_pages / 2 >= m->n_slots) resize_table(m, m->n_slots * 2);
    MemPage *p = new_page(m);
    p->number = addr >> MEM_PAGE_SHIFT;
    p->prot = prot;
    insert_page(m, p);
    m->n_pages++;
    return p;
}

MemPage *mem_page_or_flat(Mem *m, u64 addr)
{
    MemPage *p = mem_page(m, addr);
    if (!p && m->is_flat && m->n_pages < m->max_pages)
        p = add_page(m, addr, MEM_READ | MEM_WRITE | MEM_EXEC | MEM_TAGS);
    return p;
}

MemPage *mem_next_page(const Mem *m, u64 number)
{
    MemPage *best = NULL;
    for (u32 i = 0; i < m->n_slots; i++) {
        MemPage *p = m->table[i];
        if (p && p->number >= number && (!best || p->number < best->number)) best = p;
    }
    return best;
}

// ---- mapping

// The lines of 64 bytes that [addr, addr+len) touches within its page, as bits.
static u64 lines_of(u64 addr, u64 len)
{
    u32 first = (u32)(addr >> 6) & 63, last = (u32)((addr + len - 1) >> 6) & 63;
    return bits_mask(last - first + 1) << first;
}

static void tell_code_change(Mem *m, const MemPage *p, u64 addr, u64 len)
{
    if (UNLIKELY(p->block_lines & lines_of(addr, len)) && m->on_code_change) m->on_code_change(m->code_ctx, addr, len);
}

static void remove_page(Mem *m, MemPage *p)
{
    tell_code_change(m, p, p->number << MEM_PAGE_SHIFT, MEM_PAGE);
    mem_tlb_forget(m, p->number << MEM_PAGE_SHIFT);
    u32 hole = slot_of(m, p->number);
    while (m->table[hole] != p) hole = (hole + 1) & (m->n_slots - 1);
    // Close the gap: move back every later member of the run whose home is not behind the hole.
    for (u32 s = (hole + 1) & (m->n_slots - 1); m->table[s]; s = (s + 1) & (m->n_slots - 1)) {
        u32 home = slot_of(m, m->table[s]->number);
        if (((s - home) & (m->n_slots - 1)) >= ((s - hole) & (m->n_slots - 1))) {
            m->table[hole] = m->table[s];
            hole = s;
        }
    }
    m->table[hole] = NULL;
    m->n_pages--;
    vec_push(&m->spare, p);
}

static u64 page_count(u64 len) { return len >> MEM_PAGE_SHIFT; }

bool mem_map(Mem *m, u64 addr, u64 len, u8 prot)
{
    CHECK(!(addr & (MEM_PAGE - 1)) && !(len & (MEM_PAGE - 1)), "mem_map of part of a page");
    u64 n = page_count(len), n_old = 0;
    if (n > m->max_pages) return false;
    for (u64 i = 0; i < n; i++)
        if (mem_page(m, addr + i * MEM_PAGE)) n_old++;
    if (m->n_pages + n - n_old > m->max_pages) return false;
    for (u64 i = 0; i < n; i++) {
        MemPage *p = mem_page(m, addr + i * MEM_PAGE);
        if (p) remove_page(m, p);
        add_page(m, addr + i * MEM_PAGE, prot);
    }
    return true;
}

void mem_unmap(Mem *m, u64 addr, u64 len)
{
    u64 first = addr >> MEM_PAGE_SHIFT, n = page_count(len + MEM_PAGE - 1);
    if (n <= m->n_pages) {
        for (u64 i = 0; i < n; i++) {
            MemPage *p = mem_page(m, addr + i * MEM_PAGE);
            if (p) remove_page(m, p);
        }
        return;
    }
    // A range larger than all there is: walk the table instead. Removal moves entries, so look again from the start.
    for (u32 i = 0; i < m->n_slots;) {
        MemPage *p = m->table[i];
        if (p && p->number - first < n) remove_page(m, p), i = 0;
        else i++;
    }
}

bool mem_is_mapped(const Mem *m, u64 addr, u64 len)
{
    if (!len) return true;
    u64 first = addr >> MEM_PAGE_SHIFT, last = (addr + len - 1) >> MEM_PAGE_SHIFT;
    if (last < first || last - first >= m->n_pages) return false;
    for (u64 n = first; n <= last; n++)
        if (!mem_page(m, n << MEM_PAGE_SHIFT)) return false;
    return true;
}

bool mem_protect(Mem *m, u64 addr, u64 len, u8 prot)
{
    if (!mem_is_mapped(m, addr, len)) return false;
    for (u64 a = bits_align_down(addr, MEM_PAGE); a - addr < len || a < addr; a += MEM_PAGE) {
        MemPage *p = mem_page(m, a);
        tell_code_change(m, p, a, MEM_PAGE);
        mem_tlb_forget(m, a);
        p->prot = prot;
    }
    return true;
}

u64 mem_mapped_bytes(const Mem *m) { return (u64)m->n_pages * MEM_PAGE; }

u64 mem_find_free(const Mem *m, u64 low, u64 high, u64 len)
{
    len = bits_align_up(len, MEM_PAGE);
    u64 end = bits_align_down(high, MEM_PAGE);
    low = bits_align_up(low, MEM_PAGE);
    // Each step goes below the highest page that is in the way.
    while (len && end >= len && end - len >= low) {
        u64 a = end;
        while (a > end - len && !mem_page(m, a - MEM_PAGE)) a -= MEM_PAGE;
        if (a == end - len) return a;
        end = a - MEM_PAGE;
    }
    return 0;
}

// ---- TLB and states of pages

void mem_tlb_flush(Mem *m)
{
    if (!m->tlb) return;
    for (u32 i = 0; i < MEM_TLB_ENTRIES; i++) m->tlb->read[i].page = m->tlb->write[i].page = ~0ULL;
}

void mem_tlb_forget(Mem *m, u64 addr)
{
    if (!m->tlb) return;
    u32 i = mem_tlb_index(addr);
    m->tlb->read[i].page = m->tlb->write[i].page = ~0ULL;
}

void mem_set_tlb(Mem *m, MemTlb *tlb)
{
    m->tlb = tlb;
    mem_tlb_flush(m);
}

void mem_mark_blocks(Mem *m, MemPage *p, u64 addr, u64 len)
{
    if (!p->block_lines) {
        mem_tlb_forget(m, addr);
        vec_push(&m->code_pages, p->number);
    }
    p->block_lines |= lines_of(addr, len);
}

void mem_clear_blocks(Mem *m)
{
    for (u32 i = 0; i < m->code_pages.len; i++) {
        MemPage *p = mem_page(m, m->code_pages.at[i] << MEM_PAGE_SHIFT);
        if (p) p->block_lines = 0;
    }
    m->code_pages.len = 0;
}

void mem_prepare_write(Mem *m, MemPage *p, u64 addr, u64 len)
{
    p->is_dirty = true;
    tell_code_change(m, p, addr, len);
}

void mem_note_tag(Mem *m, MemPage *p)
{
    if (p->has_tags) return;
    p->has_tags = true;
    mem_tlb_forget(m, p->number << MEM_PAGE_SHIFT); // write entries so far skip the clearing of tags
}

void mem_clear_dirty(Mem *m)
{
    for (u32 i = 0; i < m->n_slots; i++)
        if (m->table[i]) m->table[i]->is_dirty = false;
    mem_tlb_flush(m);
}

// ---- access from outside

// Bytes of [addr, addr+len) that lie in the page of addr.
static u64 part_in_page(u64 addr, u64 len)
{
    u64 room = MEM_PAGE - (addr & (MEM_PAGE - 1));
    return len < room ? len : room;
}

static bool is_there(const Mem *m, u64 addr, u64 len) { return m->is_flat || mem_is_mapped(m, addr, len); }

bool mem_read(const Mem *m, u64 addr, void *out, size_t len)
{
    if (!is_there(m, addr, len)) return false;
    u8 *to = out;
    while (len) {
        u64 n = part_in_page(addr, len);
        const MemPage *p = mem_page(m, addr);
        if (p) memcpy(to, p->data + (addr & (MEM_PAGE - 1)), n);
        else memset(to, 0, n);
        addr += n, to += n, len -= n;
    }
    return true;
}

// Writes bytes (or, if they are NULL, copies of `fill`) and clears the tags of all granules touched.
static bool write_bytes(Mem *m, u64 addr, const u8 *bytes, u8 fill, size_t len)
{
    if (!is_there(m, addr, len)) return false;
    while (len) {
        u64 n = part_in_page(addr, len), at = addr & (MEM_PAGE - 1);
        MemPage *p = mem_page_or_flat(m, addr);
        if (!p) return false; // flat memory that has reached its limit
        mem_prepare_write(m, p, addr, n);
        if (bytes) memcpy(p->data + at, bytes, n), bytes += n;
        else memset(p->data + at, fill, n);
        if (p->has_tags) memset(p->tags + at / MEM_GRANULE, 0, (at + n - 1) / MEM_GRANULE - at / MEM_GRANULE + 1);
        addr += n, len -= n;
    }
    return true;
}

bool mem_write(Mem *m, u64 addr, const void *bytes, size_t len) { return write_bytes(m, addr, bytes, 0, len); }
bool mem_fill(Mem *m, u64 addr, u8 byte, size_t len) { return write_bytes(m, addr, NULL, byte, len); }

bool mem_read_cap(const Mem *m, u64 addr, Cap *out)
{
    u8 raw[16];
    CHECK(!(addr & 15), "capability at an unaligned address");
    if (!mem_read(m, addr, raw, sizeof raw)) return false;
    const MemPage *p = mem_page(m, addr);
    *out = cap_from_bytes(raw, p && p->tags[(addr & (MEM_PAGE - 1)) / MEM_GRANULE]);
    return true;
}

bool mem_write_cap(Mem *m, u64 addr, Cap c)
{
    u8 raw[16];
    CHECK(!(addr & 15), "capability at an unaligned address");
    cap_to_bytes(c, raw);
    if (!mem_write(m, addr, raw, sizeof raw)) return false;
    if (c.tag) {
        MemPage *p = mem_page(m, addr);
        mem_note_tag(m, p);
        p->tags[(addr & (MEM_PAGE - 1)) / MEM_GRANULE] = 1;
    }
    return true;
}

bool mem_set_mte(Mem *m, u64 addr, u64 len, u8 tag)
{
    CHECK(!((addr | len) & (MEM_GRANULE - 1)), "part of a granule");
    if (!is_there(m, addr, len)) return false;
    for (u64 a = addr; a - addr < len; a += MEM_GRANULE) {
        MemPage *p = mem_page_or_flat(m, a);
        if (!p) return false;
        p->is_dirty = true;
        p->mte[(a & (MEM_PAGE - 1)) / MEM_GRANULE] = tag & 15;
    }
    return true;
}

// ---- access for the guest

MemDenied mem_check_guest(const Mem *m, const Cap *auth, u64 addr, u64 len, bool is_write)
{
    addr = (u64)bits_sext(addr, 56);
    if (auth) {
        if (!auth->tag) return MEM_DENIED_CAP_TAG;
        if (cap_is_sealed(*auth)) return MEM_DENIED_CAP_SEALED;
        if (!(cap_perms(*auth) & (is_write ? CAP_PERM_STORE : CAP_PERM_LOAD))) return MEM_DENIED_CAP_PERM;
        if (!cap_in_bounds(cap_bounds(*auth), addr, len)) return MEM_DENIED_CAP_BOUNDS;
    }
    if (!is_there(m, addr, len)) return MEM_DENIED_UNMAPPED;
    for (u64 done = 0; done < len; done += part_in_page(addr + done, len - done)) {
        const MemPage *p = mem_page(m, addr + done);
        if (p && !(p->prot & (is_write ? MEM_WRITE : MEM_READ))) return MEM_DENIED_PROT;
    }
    return MEM_OK;
}

MemDenied mem_read_guest(const Mem *m, const Cap *auth, u64 addr, void *out, size_t len)
{
    MemDenied d = mem_check_guest(m, auth, addr, len, false);
    if (d == MEM_OK) mem_read(m, (u64)bits_sext(addr, 56), out, len);
    return d;
}

MemDenied mem_write_guest(Mem *m, const Cap *auth, u64 addr, const void *bytes, size_t len)
{
    MemDenied d = mem_check_guest(m, auth, addr, len, true);
    if (d == MEM_OK && !mem_write(m, (u64)bits_sext(addr, 56), bytes, len)) d = MEM_DENIED_UNMAPPED;
    return d;
}
