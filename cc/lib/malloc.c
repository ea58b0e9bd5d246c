// malloc.c: a heap of size classes, with exact bounds in purecap.
//
// A block = 16-byte header + payload. Payload sizes are classes: multiples of 16 up to 512, then four steps per power of two up
// to 16 KiB; each class has a list of free blocks; fresh blocks are cut off the newest chunk (from mmap, 64 KiB and growing).
// Larger requests get a mapping of their own. A user's pointer reaches its own bytes only, so free() finds the header
// through the chunk that holds the address, whose capability never leaves this file.
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __CHERI_PURE_CAPABILITY__
#include <cheriintrin.h>
#endif

enum { N_CLASSES = 32 + 20, FIRST_CHUNK = 65536, LARGEST_CHUNK = 4194304, BIG = 16384 };
enum { USED = 0x75736564, FREED = 0x66726565 }; // "used", "free"

typedef struct Header {
    unsigned state, class; // class N_CLASSES: a mapping of its own
    size_t n_bytes;        // as requested
} Header;

typedef struct FreeBlock {
    Header header;
    struct FreeBlock *next;
} FreeBlock;

typedef struct Chunk {
    struct Chunk *next;
    size_t n_bytes; // mapped
    size_t n_cut;   // handed out so far, this structure included
} Chunk;

static Chunk *chunks;
static FreeBlock *free_blocks[N_CLASSES];

static unsigned class_of(size_t n)
{
    if (n <= 512) return n == 0 ? 0 : (unsigned)((n - 1) / 16);
    unsigned shift = 0; // n lies in (512 << shift, 1024 << shift]
    while ((1024UL << shift) < n) shift++;
    return 32 + shift * 4 + (unsigned)((n - 1 - (512UL << shift)) / (128UL << shift));
}

static size_t class_bytes(unsigned class)
{
    if (class < 32) return (class + 1) * 16UL;
    unsigned shift = (class - 32) / 4;
    return (512UL << shift) + ((class - 32) % 4 + 1) * (128UL << shift);
}

static size_t round_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

static Chunk *new_chunk(size_t n_bytes)
{
    Chunk *c = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (c == MAP_FAILED) return NULL;
    c->n_bytes = n_bytes;
    c->n_cut = round_up(sizeof(Chunk), 16);
    c->next = chunks;
    chunks = c;
    return c;
}

// The pointer for the user: from the header, bounded to the payload.
static void *payload_of(Header *h)
{
    char *p = (char *)h + sizeof(Header);
#ifdef __CHERI_PURE_CAPABILITY__
    p = cheri_bounds_set(p, h->n_bytes);
    return cheri_perms_clear(p, CHERI_PERM_SW_VMEM);
#else
    return p;
#endif
}

static void *big_malloc(size_t n)
{
    size_t alignment = 16;
#ifdef __CHERI_PURE_CAPABILITY__
    size_t mask = cheri_representable_alignment_mask(n);
    alignment = ~mask + 1 > 16 ? ~mask + 1 : 16;
    size_t padded = cheri_representable_length(n);
#else
    size_t padded = n;
#endif
    size_t first = round_up(sizeof(Chunk), 16) + sizeof(Header);
    size_t total = round_up(first + alignment + padded, 4096);
    if (total < n) return NULL;
    Chunk *newest = chunks;
    Chunk *c = new_chunk(total);
    if (!c) return NULL;
    c->n_cut = total;
    if (newest) { // keep the chunk that small blocks are cut from in front
        chunks = newest;
        c->next = newest->next;
        newest->next = c;
    }
    ptraddr_t payload = ((ptraddr_t)c + first + alignment - 1) & ~(alignment - 1);
    Header *h = (Header *)((char *)c + (payload - (ptraddr_t)c) - sizeof(Header));
    h->state = USED;
    h->class = N_CLASSES;
    h->n_bytes = n;
    return payload_of(h);
}

void *malloc(size_t n)
{
    if (n > BIG) return big_malloc(n);
    unsigned class = class_of(n);
    FreeBlock *b = free_blocks[class];
    if (b) {
        free_blocks[class] = b->next;
        b->next = NULL;
    } else {
        size_t total = sizeof(Header) + class_bytes(class);
        Chunk *c = chunks;
        if (!c || c->n_bytes - c->n_cut < total) {
            size_t n_bytes = !c ? FIRST_CHUNK : c->n_bytes * 2;
            c = new_chunk(n_bytes > LARGEST_CHUNK ? LARGEST_CHUNK : n_bytes);
            if (!c) return NULL;
        }
        b = (FreeBlock *)((char *)c + c->n_cut);
        c->n_cut += total;
    }
    b->header.state = USED;
    b->header.class = class;
    b->header.n_bytes = n;
    return payload_of(&b->header);
}

// The header of a live block, with authority over header and payload; anything else ends the program.
static Header *header_of(void *p, const char *caller, Chunk **in_chunk)
{
#ifdef __CHERI_PURE_CAPABILITY__
    if (!cheri_tag_get(p) || cheri_is_sealed(p) || cheri_base_get(p) != cheri_address_get(p)) __fatal(caller);
#endif
    ptraddr_t a = (ptraddr_t)p;
    for (Chunk *c = chunks; c; c = c->next) {
        ptraddr_t offset = a - (ptraddr_t)c;
        if (offset >= c->n_bytes) continue;
        if (offset < sizeof(Chunk) + sizeof(Header) || a % 16 != 0) break;
        Header *h = (Header *)((char *)c + offset - sizeof(Header));
        if (h->state != USED) break;
        *in_chunk = c;
        return h;
    }
    __fatal(caller);
}

void free(void *p)
{
    if (!p) return;
    Chunk *c;
    Header *h = header_of(p, "free(): not a live pointer from malloc\n", &c);
    h->state = FREED;
    if (h->class == N_CLASSES) {
        Chunk **link = &chunks;
        while (*link != c) link = &(*link)->next;
        *link = c->next;
        munmap(c, c->n_bytes);
        return;
    }
    FreeBlock *b = (FreeBlock *)h;
    b->next = free_blocks[h->class];
    free_blocks[h->class] = b;
}

void *calloc(size_t count, size_t n)
{
    if (n != 0 && count > SIZE_MAX / n) return NULL;
    void *p = malloc(count * n);
    return p ? memset(p, 0, count * n) : NULL;
}

void *realloc(void *p, size_t n)
{
    if (!p) return malloc(n);
    Chunk *c;
    Header *h = header_of(p, "realloc(): not a live pointer from malloc\n", &c);
    if (h->class < N_CLASSES && n <= BIG && class_of(n) == h->class) {
        h->n_bytes = n;
        return payload_of(h);
    }
    void *fresh = malloc(n);
    if (!fresh) return NULL;
    memcpy(fresh, p, h->n_bytes < n ? h->n_bytes : n);
    free(p);
    return fresh;
}

size_t malloc_usable_size(void *p)
{
    Chunk *c;
    return p ? header_of(p, "malloc_usable_size(): not a live pointer from malloc\n", &c)->n_bytes : 0;
}
