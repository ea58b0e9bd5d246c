// gc.c: the heap. The one idea: all knowledge about an object's place is two bits per block in the table; a free run is found
// by looking at these bits one after the other, which is the loop that cost a purecap MicroPython 99 % of its time.
//
//     blocks   0 1 2 3 4 5 6 7
//     table    1 2 2 0 1 0 0 0      one object of three blocks, one of one; gc_alloc of two blocks answers block 5
//
// Memory: allocation table, one zero byte (ends the last tail run), pool of blocks up to the end of the area.
#include "gc.h"

#include "vm.h"

#include <string.h>
#include <sys/mman.h>
#ifdef __CHERI_PURE_CAPABILITY__
#include <cheriintrin.h>
#endif
#ifdef __has_feature // clang says it this way
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__ // the host build knows the exact size of each object, too
#include <sanitizer/asan_interface.h>
#define POISON(p, n) ASAN_POISON_MEMORY_REGION(p, n)
#define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
#define UNCHECKED __attribute__((no_sanitize_address, noinline))
#else
#define POISON(p, n) ((void)0)
#define UNPOISON(p, n) ((void)0)
#define UNCHECKED
#endif

enum { FREE, HEAD, TAIL, MARKED, MARK_STACK = 64, BLOCK = VM_BLOCK_BYTES, EXACT_BELOW = 4096 };
_Static_assert((BLOCK & (BLOCK - 1)) == 0 && BLOCK >= 16, "VM_BLOCK_BYTES must be a power of two, at least 16");

static struct {
    u8 *table;           // in purecap: the only capability to the table
    u64 table_bytes;
    char *pool;          // the root that objects are derived from
    u64 last_free;       // table byte where a search starts
    u64 n_blocks;
    u64 last_used;       // no used block lies behind this one
    u64 pool_bytes;
    ptraddr_t pool_addr;
    ptraddr_t stack_top;
    bool overflow;       // the mark stack was too small
} gc;

#ifndef VM_HOST
// Tells views where to look (base/notes.h).
static const struct {
    u32 namesz, descsz, type;
    char owner[8], name[16];
    u64 block_bytes, table_ptr, table_bytes_var, pool_ptr, last_free_var;
} __attribute__((packed, aligned(4))) heap_note
    __attribute__((section(".note.caplab.heap"), used)) = {
        7, 56, 2, "caplab", "gc", BLOCK,
        (u64)(uintptr_t)&gc.table, (u64)(uintptr_t)&gc.table_bytes, (u64)(uintptr_t)&gc.pool, (u64)(uintptr_t)&gc.last_free};
#endif

INLINE unsigned state_of(size_t block) { return gc.table[block / 4] >> (2 * (block & 3)) & 3; }
INLINE void add_state(size_t block, unsigned state) { gc.table[block / 4] |= (u8)(state << (2 * (block & 3))); }
INLINE void set_free(size_t block) { gc.table[block / 4] &= (u8)~(3 << (2 * (block & 3))); }
INLINE void mark_to_head(size_t block) { gc.table[block / 4] &= (u8)~(2 << (2 * (block & 3))); }

INLINE char *block_start(size_t block) { return gc.pool + block * BLOCK; }

// A block becomes free. Under STRESS what lay there is gone, so that whoever still looks at it is found out.
INLINE void free_block(size_t block)
{
    set_free(block);
    if (VM_STRESS) {
        UNPOISON(block_start(block), BLOCK);
        memset(block_start(block), 0xa5, BLOCK);
    }
    POISON(block_start(block), BLOCK);
}

// The pointer that the program gets: its own bytes and nothing else.
INLINE void *bounded(char *start, size_t n_bytes)
{
#ifdef __CHERI_PURE_CAPABILITY__
    return cheri_bounds_set(start, n_bytes);
#else
    (void)n_bytes;
    return start;
#endif
}

bool gc_init(ptraddr_t stack_top)
{
    char *area = mmap(NULL, VM_HEAP_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED) return false;
#ifdef __CHERI_PURE_CAPABILITY__
    area = cheri_perms_clear(area, CHERI_PERM_SW_VMEM);
#endif
    gc.table_bytes = (VM_HEAP_BYTES - 1) / (4 * BLOCK + 1);
    gc.n_blocks = gc.table_bytes * 4;
    gc.pool_bytes = gc.n_blocks * BLOCK;
    size_t offset = (VM_HEAP_BYTES - gc.pool_bytes) & ~(size_t)(BLOCK - 1);
    while (offset < gc.table_bytes + 1) { // rounding down may need one more block for the table
        gc.table_bytes--;
        gc.n_blocks -= 4;
        gc.pool_bytes -= 4 * BLOCK;
        offset = (VM_HEAP_BYTES - gc.pool_bytes) & ~(size_t)(BLOCK - 1);
    }
    gc.table = bounded(area, gc.table_bytes + 1);
    gc.pool = area + offset;
    gc.pool_addr = (ptraddr_t)gc.pool;
    gc.stack_top = stack_top;
    POISON(gc.pool, gc.pool_bytes);
    return true;
}

// ---- Marking -------------------------------------------------------------------------------------------------------------

// The block whose object starts at this address and is not marked yet, or -1.
INLINE i64 unmarked_at(ptraddr_t address)
{
    u64 offset = address - gc.pool_addr;
    if (offset >= gc.pool_bytes || (offset & (BLOCK - 1)) != 0) return -1;
    size_t block = offset / BLOCK;
    return state_of(block) == HEAD ? (i64)block : -1;
}

// The block whose object has this address somewhere in it and is not marked yet, or -1. For registers and stack: of an object
// that is still used an optimising compiler may keep nothing but a pointer to a member.
INLINE i64 unmarked_around(ptraddr_t address)
{
    u64 offset = address - gc.pool_addr;
    if (offset >= gc.pool_bytes) return -1;
    size_t block = offset / BLOCK;
    while (state_of(block) == TAIL) block--;
    return state_of(block) == HEAD ? (i64)block : -1;
}

// Marks everything that can be reached from a marked object.
UNCHECKED static void mark_children(size_t block)
{
    u32 stack[MARK_STACK];
    size_t n_stack = 0;
    for (;;) {
        size_t n_blocks = 1;
        while (state_of(block + n_blocks) == TAIL) n_blocks++;
        const uintptr_t *word = (const uintptr_t *)block_start(block);
        for (size_t n = n_blocks * (BLOCK / sizeof(uintptr_t)); n > 0; n--, word++) {
            i64 child = unmarked_at((ptraddr_t)*word);
            if (child < 0) continue;
            add_state((size_t)child, MARKED);
            if (n_stack < MARK_STACK) stack[n_stack++] = (u32)child;
            else gc.overflow = true;
        }
        if (n_stack == 0) return;
        block = stack[--n_stack];
    }
}

UNCHECKED static void mark_words(const uintptr_t *from, ptraddr_t end)
{
    for (; (ptraddr_t)from + sizeof(uintptr_t) <= end; from++) {
        i64 block = unmarked_around((ptraddr_t)*from);
        if (block < 0) continue;
        add_state((size_t)block, MARKED);
        mark_children((size_t)block);
    }
}

// Registers that calls preserve hold roots, too; no pointer waits in a floating-point register (no build of the machine spills there).
#ifdef VM_HOST
UNCHECKED NOINLINE static void mark_stack(void)
{
    __builtin_unwind_init(); // these registers to the stack, beside the frame's address
    mark_words((const uintptr_t *)__builtin_frame_address(0) - 16, gc.stack_top);
}
#else
void *__save_registers(void *out[12]);

NOINLINE static void mark_stack(void)
{
    void *registers[12];
    const uintptr_t *sp = __save_registers(registers); // the array lies on the stack itself
    mark_words(sp, gc.stack_top);
}
#endif

static void sweep(void)
{
    bool is_freeing = false;
    u64 last_used = 0;
    for (size_t block = 0; block <= gc.last_used; block++) {
        switch (state_of(block)) {
        case HEAD:
            is_freeing = true;
            free_block(block);
            break;
        case TAIL:
            if (is_freeing) free_block(block);
            else last_used = block;
            break;
        case MARKED:
            mark_to_head(block);
            is_freeing = false;
            last_used = block;
            break;
        default: break;
        }
    }
    gc.last_used = last_used;
}

void gc_collect(void)
{
    PROBE(gc_begin);
    gc.overflow = false;
    mark_words((const uintptr_t *)&vm, (ptraddr_t)&vm + sizeof vm);
    mark_stack();
    while (gc.overflow) {
        gc.overflow = false;
        for (size_t block = 0; block <= gc.last_used; block++) {
            if (state_of(block) == MARKED) mark_children(block);
        }
    }
    sweep();
    gc.last_free = 0;
    PROBE(gc_end);
}

// ---- Allocation ------------------------------------------------------------------------------------------------------------

// Last block of the first run of n_blocks free blocks at or after the last-free index; -1: none.
static i64 find_run(size_t n_blocks)
{
    const u8 *table = gc.table;
    u64 n_bytes = gc.table_bytes, i = gc.last_free;
    size_t n_free = 0;
    PROBE(gc_search, i, n_blocks);
    for (; i < n_bytes; i++) {
        u8 states = table[i];
        size_t block = i * 4;
        if ((states & 0x03) != 0) n_free = 0;
        else if (++n_free >= n_blocks) goto found;
        block++;
        if ((states & 0x0c) != 0) n_free = 0;
        else if (++n_free >= n_blocks) goto found;
        block++;
        if ((states & 0x30) != 0) n_free = 0;
        else if (++n_free >= n_blocks) goto found;
        block++;
        if ((states & 0xc0) != 0) n_free = 0;
        else if (++n_free >= n_blocks) goto found;
        continue;
    found:
        return (i64)block;
    }
    return -1;
}

INLINE void zero_blocks(char *start, size_t n_blocks)
{
    uintptr_t *word = (uintptr_t *)start;
    for (size_t n = n_blocks * (BLOCK / 16); n > 0; n--) {
#ifdef __CHERI_PURE_CAPABILITY__
        *word++ = 0;
#else
        word[0] = 0;
        word[1] = 0;
        word += 2;
#endif
    }
}

// Probes stand where their arguments are still in registers: a probe keeps nothing alive.
void *gc_alloc(size_t n_bytes)
{
    PROBE(gc_request, n_bytes);
    if (n_bytes == 0 || n_bytes > VM_HEAP_BYTES) return NULL;
    size_t n_asked = n_bytes, n_extra = 0;
#ifdef __CHERI_PURE_CAPABILITY__
    if (n_bytes >= EXACT_BELOW) { // large bounds exist only for some lengths and alignments
        n_bytes = cheri_representable_length(n_bytes);
        size_t alignment = ~cheri_representable_alignment_mask(n_bytes) + 1;
        if (alignment > BLOCK) n_extra = alignment / BLOCK - 1;
    }
#endif
    size_t n_blocks = (n_bytes + BLOCK - 1) / BLOCK;
    if (VM_STRESS) gc_collect();
    i64 end = find_run(n_blocks + n_extra);
    if (end < 0) {
        PROBE(gc_search_end, 0, 0);
        gc_collect();
        end = find_run(n_blocks + n_extra);
        if (end < 0) {
            PROBE(gc_search_end, 0, 0);
            return NULL;
        }
    }
    PROBE(gc_search_end, end, 1);
    size_t start = (size_t)end + 1 - n_blocks - n_extra;
#ifdef __CHERI_PURE_CAPABILITY__
    if (n_extra) {
        ptraddr_t at = gc.pool_addr + start * BLOCK, alignment = (n_extra + 1) * BLOCK;
        start = (((at + alignment - 1) & ~(alignment - 1)) - gc.pool_addr) / BLOCK;
        end = (i64)(start + n_blocks - 1);
    }
#endif
    // Only a run of one proves that nothing free was passed over.
    if (n_blocks + n_extra == 1) gc.last_free = (u64)(end + 1) / 4;
    if ((u64)end > gc.last_used) gc.last_used = (u64)end;
    add_state(start, HEAD);
    for (size_t block = start + 1; block <= (size_t)end; block++) add_state(block, TAIL);
    char *p = block_start(start);
    UNPOISON(p, n_blocks * BLOCK);
    PROBE(gc_alloc, p, n_blocks, n_asked);
    zero_blocks(p, n_blocks);
    POISON(p + n_asked, n_blocks * BLOCK - n_asked);
    (void)n_asked;
    return bounded(p, n_bytes);
}

// Block number of an object's start; anything else is a fault of this machine, never of the Python program.
static size_t block_of(const void *p)
{
    u64 offset = (ptraddr_t)p - gc.pool_addr;
    if (offset >= gc.pool_bytes || (offset & (BLOCK - 1)) != 0 || state_of(offset / BLOCK) != HEAD) __builtin_trap();
    return offset / BLOCK;
}

static void free_from(size_t block)
{
    do {
        free_block(block);
        block++;
    } while (state_of(block) == TAIL);
}

void gc_free(void *p)
{
    if (!p) return;
    PROBE(gc_free, p);
    size_t block = block_of(p);
    if (block / 4 < gc.last_free) gc.last_free = block / 4;
    free_from(block);
}

static void *move(void *p, size_t n_old, size_t n_bytes)
{
    void *fresh = gc_alloc(n_bytes);
    if (!fresh) return NULL;
    size_t block = block_of(p);
    UNPOISON(block_start(block), n_old);
    memcpy(fresh, block_start(block), n_old < n_bytes ? n_old : n_bytes);
    gc_free(p);
    return fresh;
}

void *gc_realloc(void *p, size_t n_bytes, bool may_move)
{
    if (!p) return gc_alloc(n_bytes);
    if (n_bytes == 0) {
        gc_free(p);
        return NULL;
    }
    PROBE(gc_request, n_bytes);
    size_t block = block_of(p), n_old = 1, n_free = 0;
    size_t n_new = (n_bytes + BLOCK - 1) / BLOCK;
    while (state_of(block + n_old) == TAIL) n_old++;
#ifdef __CHERI_PURE_CAPABILITY__
    if (n_bytes >= EXACT_BELOW) return may_move ? move(p, n_old * BLOCK, n_bytes) : NULL;
#endif
    if (n_new > n_old) {
        while (n_free < n_new - n_old && block + n_old + n_free < gc.n_blocks &&
               state_of(block + n_old + n_free) == FREE) n_free++;
        if (n_old + n_free < n_new) return may_move ? move(p, n_old * BLOCK, n_bytes) : NULL;
        for (size_t i = n_old; i < n_new; i++) add_state(block + i, TAIL);
        if (block + n_new - 1 > gc.last_used) gc.last_used = block + n_new - 1;
        UNPOISON(block_start(block + n_old), (n_new - n_old) * BLOCK);
        zero_blocks(block_start(block + n_old), n_new - n_old);
    } else if (n_new < n_old) {
        free_from(block + n_new);
        if ((block + n_new) / 4 < gc.last_free) gc.last_free = (block + n_new) / 4;
    }
    UNPOISON(block_start(block), n_bytes);
    POISON(block_start(block) + n_bytes, n_new * BLOCK - n_bytes);
    void *object = bounded(block_start(block), n_bytes);
    PROBE(gc_resize, object, n_new, n_bytes);
    return object;
}

size_t gc_free_bytes(void)
{
    size_t n = 0;
    for (size_t block = 0; block < gc.n_blocks; block++) n += state_of(block) == FREE;
    return n * BLOCK;
}

size_t gc_total_bytes(void) { return gc.pool_bytes; }

// ---- As Python sees it -------------------------------------------------------------------------------------------------------

void *mem_alloc(size_t n_bytes)
{
    void *p = gc_alloc(n_bytes);
    if (UNLIKELY(!p) && n_bytes != 0) raise_memory();
    return p;
}

void *mem_realloc(void *p, size_t n_bytes)
{
    void *fresh = gc_realloc(p, n_bytes, true);
    if (UNLIKELY(!fresh) && n_bytes != 0) raise_memory();
    return fresh;
}
