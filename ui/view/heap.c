// heap.c: the heap as a map of blocks, with the numbers of fragmentation above it.
//
// Zoomed out, a cell stands for several blocks and its glyph says how full they are (· empty … █ full); at one block a cell it says what
// the block is: ■ first block of an object, = further block, M marked, · free. Where the next search starts is shown in reverse: that
// this point stays behind while the heap fills is the story of seed 000.
#include "ui/view/model.h"

#include <stdio.h>

typedef struct CellFill {
    u32 used, total;
    bool has_search;
    u8 state; // of a single block
} CellFill;

static CellFill measure(const SnapHeap *h, u64 first, u64 blocks)
{
    CellFill c = {0};
    for (u64 b = first; b < first + blocks && b < h->blocks; b++) {
        c.total++;
        c.used += h->state[b] != 0;
        c.state = h->state[b];
        c.has_search |= b == h->next_search_block;
    }
    return c;
}

static void draw_cell(ViewGrid *g, ViewArea a, int x, int y, CellFill c, bool single)
{
    static const u32 full_glyph[] = {0xb7, 0x2591, 0x2592, 0x2593, 0x2588};
    static const u32 block_glyph[] = {0xb7, 0x25a0, '=', 'M'};
    static const ViewStyle block_style[] = {VIEW_FREE, VIEW_HEAD, VIEW_TAIL, VIEW_MARK};
    if (!c.total) return;
    u32 ch;
    ViewStyle s;
    if (single) {
        ch = block_glyph[c.state & 3];
        s = block_style[c.state & 3];
    } else {
        u32 level = c.used == 0 ? 0 : c.used == c.total ? 4 : 1 + c.used * 3 / (c.total + 1);
        ch = full_glyph[level];
        s = level ? VIEW_HEAD : VIEW_FREE;
    }
    view_put_char(g, a, x, y, c.has_search ? VIEW_SEARCH : s, ch);
}

static void draw_numbers(ViewGrid *g, ViewArea a, const SnapHeap *h)
{
    char n1[32], n2[32];
    double external = h->free_blocks ? 1.0 - (double)h->largest_free_run / (double)h->free_blocks : 0.0;
    double internal = h->granted_bytes ? 1.0 - (double)h->requested_bytes / (double)h->granted_bytes : 0.0;
    u64 ones = h->n_allocs_by_blocks && h->allocs_by_blocks[0].blocks == 1 ? h->allocs_by_blocks[0].count : 0;
    view_put(g, a, 0, 0, VIEW_PLAIN, "live %s of %s blocks of %llu B", view_thousands(h->live_blocks, n1),
             view_thousands(h->blocks, n2), (unsigned long long)h->block_bytes);
    view_put(g, a, 0, 1, VIEW_PLAIN, "free %s, largest run %s", view_thousands(h->free_blocks, n1),
             view_thousands(h->largest_free_run, n2));
    view_put(g, a, 0, 2, VIEW_PLAIN, "fragmentation: external %.1f%%, internal %.1f%%", external * 100, internal * 100);
    view_put(g, a, 0, 3, VIEW_PLAIN, "allocs %s (%.0f%% of 1 block)", view_thousands(h->allocs, n1),
             h->allocs ? 100.0 * (double)ones / (double)h->allocs : 0.0);
    view_put(g, a, 0, 4, VIEW_PLAIN, "search steps %s (%.1f per alloc)", view_thousands(h->search_steps, n1),
             h->allocs ? (double)h->search_steps / (double)h->allocs : 0.0);
    view_put(g, a, 0, 5, VIEW_PLAIN, "collections %s, peak %s blocks", view_thousands(h->collections, n1),
             view_thousands(h->peak_live_blocks, n2));
}

void view_heap(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    const SnapHeap *h = &v->heap;
    if (!v->has_heap) {
        view_put(g, a, 0, 0, VIEW_DIM, "%s",
                 !v->will_have_heap          ? "this program has no garbage-collected heap"
                 : drv_module(v->session) ? "no heap yet (n: run to the first bytecode)"
                                          : "no heap yet");
        return;
    }
    draw_numbers(g, a, h);
    ViewArea map = {a.x, a.y + 7, a.w, a.h - 7};
    if (map.h <= 0) return;
    u64 cells = (u64)map.w * (u64)map.h, per_cell = v->heap_zoom;
    if (!per_cell)
        for (per_cell = 1; per_cell * cells < h->blocks;) per_cell *= 2;
    u64 first = v->heap_first;
    if (v->heap_follows) first = h->next_search_block > cells * per_cell / 2 ? h->next_search_block - cells * per_cell / 2 : 0;
    if (per_cell * cells >= h->blocks) first = 0;
    first -= first % (per_cell * (u64)map.w);
    view_put(g, a, 0, 6, VIEW_DIM, "%llu block%s a cell, from block %llu%s", (unsigned long long)per_cell,
             per_cell == 1 ? "" : "s", (unsigned long long)first, v->heap_follows ? "" : " (f: follow)");
    for (u64 i = 0; i < cells; i++)
        draw_cell(g, map, (int)(i % (u64)map.w), (int)(i / (u64)map.w), measure(h, first + i * per_cell, per_cell),
                  per_cell == 1);
}
