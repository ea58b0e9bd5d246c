// heap.c: follows a guest heap through its probes and reads its allocation table (two bits a block, low bits first).
//
//     gc_search(byte 10) … gc_search_end(block 57)   18 entries examined: 40..57
//     gc_alloc(ptr, 2 blocks, 40 bytes)              one more two-block allocation, 24 bytes granted but not asked for
#include "sim/heap.h"
#include <stdlib.h>

static bool read_word(const HeapPeek *p, u64 addr, u64 *v) { return p->read(p->ctx, addr, v, sizeof *v); }

typedef struct Layout {
    u64 table, table_bytes, pool, last_free;
} Layout;

static bool read_layout(const HeapPeek *p, Layout *l)
{
    const NoteHeap *n = p->note;
    return n && read_word(p, n->table_ptr, &l->table) && read_word(p, n->table_bytes_var, &l->table_bytes) &&
           read_word(p, n->pool_ptr, &l->pool) && read_word(p, n->last_free_var, &l->last_free) && l->pool &&
           l->table_bytes && l->table_bytes <= HEAP_MAX_BLOCKS / 4;
}

static HeapObject *object_at(HeapTrack *t, u64 ptr)
{
    u64 block = (ptr - t->pool) / (t->block_bytes ? t->block_bytes : 1);
    return t->objects && ptr >= t->pool && block < t->n_blocks ? &t->objects[block] : NULL;
}

static void forget(HeapTrack *t, HeapObject *o)
{
    t->live_blocks -= o->blocks;
    t->live_granted -= o->blocks * t->block_bytes;
    t->live_requested -= o->requested;
    *o = (HeapObject){0};
}

static void remember(HeapTrack *t, HeapObject *o, u64 n_blocks, u64 n_bytes)
{
    u64 room = t->n_blocks - (u64)(o - t->objects);
    if (n_blocks > room) n_blocks = room;
    if (n_bytes > n_blocks * t->block_bytes) n_bytes = n_blocks * t->block_bytes;
    *o = (HeapObject){(u32)n_blocks, (u32)n_bytes};
    t->live_blocks += n_blocks;
    t->live_granted += n_blocks * t->block_bytes;
    t->live_requested += n_bytes;
    if (t->live_blocks > t->peak_live_blocks) t->peak_live_blocks = t->live_blocks;
}

static void count_size(HeapTrack *t, u64 n_blocks)
{
    if (n_blocks < HEAP_SMALL) {
        t->by_blocks[n_blocks]++;
        return;
    }
    u32 i = 0;
    while (i < t->by_blocks_large.len && t->by_blocks_large.at[i].blocks < n_blocks) i++;
    if (i == t->by_blocks_large.len || t->by_blocks_large.at[i].blocks != n_blocks) {
        if (t->by_blocks_large.len == HEAP_MAX_SIZES) { // a guest gone wild: the largest entry takes the rest
            t->by_blocks_large.at[HEAP_MAX_SIZES - 1].count++;
            return;
        }
        vec_push(&t->by_blocks_large, (HeapSize){0});
        for (u32 k = t->by_blocks_large.len - 1; k > i; k--) t->by_blocks_large.at[k] = t->by_blocks_large.at[k - 1];
        t->by_blocks_large.at[i] = (HeapSize){.blocks = n_blocks};
    }
    t->by_blocks_large.at[i].count++;
}

// Fills in the layout as soon as the guest has made its heap.
static void find_heap(HeapTrack *t, const HeapPeek *peek)
{
    Layout l;
    if (t->objects || !read_layout(peek, &l)) return;
    t->pool = l.pool;
    t->block_bytes = peek->note->block_bytes;
    t->n_blocks = l.table_bytes * 4;
    t->objects = xalloc(t->n_blocks * sizeof(HeapObject));
}

static void fill_lost(const HeapTrack *t, u64 *n_blocks, u64 *n_bytes)
{
    if (*n_bytes == HEAP_LOST) *n_bytes = t->request;
    if (*n_blocks == HEAP_LOST && t->block_bytes) *n_blocks = (*n_bytes + t->block_bytes - 1) / t->block_bytes;
}

void heap_on_request(HeapTrack *t, u64 n_bytes) { t->request = n_bytes; }

void heap_on_search(HeapTrack *t, u64 table_byte, const HeapPeek *peek)
{
    find_heap(t, peek);
    t->search_start = table_byte * 4;
}

void heap_on_search_end(HeapTrack *t, u64 block, bool found)
{
    if (!found) block = t->n_blocks ? t->n_blocks - 1 : 0;
    if (block >= t->search_start) t->search_steps += block - t->search_start + 1;
}

void heap_on_alloc(HeapTrack *t, u64 ptr, u64 n_blocks, u64 n_bytes, const HeapPeek *peek)
{
    find_heap(t, peek);
    fill_lost(t, &n_blocks, &n_bytes);
    t->allocs++;
    count_size(t, n_blocks);
    HeapObject *o = object_at(t, ptr);
    if (!o) return;
    if (o->blocks) forget(t, o);
    remember(t, o, n_blocks, n_bytes);
}

void heap_on_free(HeapTrack *t, u64 ptr)
{
    if (!ptr) return;
    t->frees++;
    HeapObject *o = object_at(t, ptr);
    if (o) forget(t, o);
}

void heap_on_resize(HeapTrack *t, u64 ptr, u64 n_blocks, u64 n_bytes)
{
    HeapObject *o = object_at(t, ptr);
    if (!o || !o->blocks) return;
    fill_lost(t, &n_blocks, &n_bytes);
    forget(t, o);
    remember(t, o, n_blocks, n_bytes);
}

static u32 state_of(const u8 *table, u64 block) { return table[block / 4] >> (block % 4 * 2) & 3; }

void heap_on_collected(HeapTrack *t, const HeapPeek *peek)
{
    t->collections++;
    Layout l;
    if (!t->objects || !read_layout(peek, &l)) return;
    u8 *table = xalloc(l.table_bytes);
    if (peek->read(peek->ctx, l.table, table, l.table_bytes)) {
        for (u64 b = 0; b < t->n_blocks; b++)
            if (t->objects[b].blocks && (b >= l.table_bytes * 4 || !(state_of(table, b) & 1))) forget(t, &t->objects[b]);
    }
    free(table);
}

void heap_on_frame(HeapTrack *t, bool on_heap)
{
    t->frames++;
    t->frames_on_heap += on_heap;
}

void heap_track_free(HeapTrack *t)
{
    free(t->objects);
    vec_free(&t->by_blocks_large);
    *t = (HeapTrack){0};
}

static void add_size(SnapHeap *out, u64 blocks, u64 count)
{
    u32 n = out->n_allocs_by_blocks;
    if (n == ARRAY_LEN(out->allocs_by_blocks)) {
        out->allocs_by_blocks[n - 1].count += count;
        return;
    }
    out->allocs_by_blocks[n].blocks = blocks;
    out->allocs_by_blocks[n].count = count;
    out->n_allocs_by_blocks++;
}

static void copy_history(const HeapTrack *t, SnapHeap *out)
{
    out->allocs = t->allocs;
    out->frees = t->frees;
    out->collections = t->collections;
    out->search_steps = t->search_steps;
    out->peak_live_blocks = t->peak_live_blocks;
    out->granted_bytes = t->live_granted;
    out->requested_bytes = t->live_requested;
    out->frames_on_heap = t->frames_on_heap;
    out->frames_total = t->frames;
    for (u32 n = 0; n < HEAP_SMALL; n++)
        if (t->by_blocks[n]) add_size(out, n, t->by_blocks[n]);
    for (u32 i = 0; i < t->by_blocks_large.len; i++)
        add_size(out, t->by_blocks_large.at[i].blocks, t->by_blocks_large.at[i].count);
}

static void count_blocks(SnapHeap *out, const u8 *table)
{
    u64 run = 0;
    for (u64 b = 0; b < out->blocks; b++) {
        bool is_free = state_of(table, b) == 0;
        out->free_blocks += is_free;
        run = is_free ? run + 1 : 0;
        if (run > out->largest_free_run) out->largest_free_run = run;
    }
    out->live_blocks = out->blocks - out->free_blocks;
}

bool heap_snapshot(const HeapTrack *t, const HeapPeek *peek, bool want_map, SnapHeap *out)
{
    *out = (SnapHeap){0};
    Layout l;
    if (!read_layout(peek, &l)) return false;
    u8 *table = xalloc(l.table_bytes);
    if (!peek->read(peek->ctx, l.table, table, l.table_bytes)) {
        free(table);
        return false;
    }
    memcpy(out->name, peek->note->name, sizeof out->name);
    out->block_bytes = peek->note->block_bytes;
    out->blocks = l.table_bytes * 4;
    out->bytes = out->blocks * out->block_bytes;
    out->pool = l.pool;
    out->next_search_block = l.last_free * 4;
    out->is_tracked = t != NULL;
    if (t) copy_history(t, out);
    count_blocks(out, table);
    if (out->live_blocks > out->peak_live_blocks) out->peak_live_blocks = out->live_blocks;
    if (want_map) {
        out->state = xalloc(out->blocks);
        out->requested = xalloc(out->blocks * sizeof(u32));
        for (u64 b = 0; b < out->blocks; b++) {
            out->state[b] = (u8)state_of(table, b);
            if (t && t->objects && b < t->n_blocks) out->requested[b] = t->objects[b].requested;
        }
    }
    free(table);
    return true;
}
