// heap.h: a guest's garbage-collected heap seen from outside: its table by the heap note, its history by the gc_* probes.
//
// The allocation table in guest memory is the truth about block states; what the table cannot tell (requested bytes,
// counts, search steps, the peak) is tracked from the probes.
#ifndef CAPLAB_SIM_HEAP_H
#define CAPLAB_SIM_HEAP_H

#include "base/notes.h"
#include "sim/snapshot.h"

// How to read guest memory, and the note of the heap that the probes speak about (NULL = the guest has none).
typedef struct HeapPeek {
    bool (*read)(void *ctx, u64 addr, void *out, size_t len);
    void *ctx;
    const NoteHeap *note;
} HeapPeek;

enum { HEAP_MAX_BLOCKS = 1 << 24, HEAP_SMALL = 64, HEAP_MAX_SIZES = 1024 };

typedef struct HeapObject {
    u32 blocks;    // 0 = no object starts at this block
    u32 requested; // bytes
} HeapObject;

typedef struct HeapSize {
    u64 blocks, count;
} HeapSize;

typedef struct HeapTrack {
    u64 pool, n_blocks, block_bytes;
    HeapObject *objects; // by first block; NULL until the first allocation
    u64 allocs, frees, collections, search_steps, search_start;
    u64 request; // bytes that the allocation or resize under way asks for
    u64 live_blocks, peak_live_blocks, live_granted, live_requested; // the last two in bytes
    u64 frames, frames_on_heap;
    u64 by_blocks[HEAP_SMALL]; // allocations of exactly that many blocks
    VEC(HeapSize) by_blocks_large; // ascending
} HeapTrack;               // zero-initialised is empty

// Arguments that the compiler lost are HEAP_LOST; they follow from the last request.
#define HEAP_LOST (~0ULL)
void heap_on_request(HeapTrack *t, u64 n_bytes);
void heap_on_search(HeapTrack *t, u64 table_byte, const HeapPeek *peek);
void heap_on_search_end(HeapTrack *t, u64 block, bool found);
void heap_on_alloc(HeapTrack *t, u64 ptr, u64 n_blocks, u64 n_bytes, const HeapPeek *peek);
void heap_on_free(HeapTrack *t, u64 ptr);
void heap_on_resize(HeapTrack *t, u64 ptr, u64 n_blocks, u64 n_bytes);
void heap_on_collected(HeapTrack *t, const HeapPeek *peek);
void heap_on_frame(HeapTrack *t, bool on_heap);
void heap_track_free(HeapTrack *t);

// Reads the table of the heap in `peek` and adds what t knows (t may be NULL: no probes speak of this heap). False while the
// guest has not made the heap yet, or if its variables make no sense.
bool heap_snapshot(const HeapTrack *t, const HeapPeek *peek, bool want_map, SnapHeap *out);

#endif
