// test_account.c: sums of the account and the history of a heap, from hand-made probe sequences.
#include "sim/account.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

// A guest memory of one page at address 0x1000: four heap variables, then a table of 4 bytes (16 blocks).
typedef struct Guest {
    u8 bytes[4096];
} Guest;

static bool peek(void *ctx, u64 addr, void *out, size_t len)
{
    const Guest *g = ctx;
    if (addr < 0x1000 || addr > 0x2000 || len > 0x2000 - addr) return false;
    memcpy(out, g->bytes + (addr - 0x1000), len);
    return true;
}

static const NoteHeap note = {.name = "gc", .block_bytes = 32, .table_ptr = 0x1000, .table_bytes_var = 0x1008, .pool_ptr = 0x1010,
                              .last_free_var = 0x1018};

static void make_heap(Guest *g)
{
    static const u64 vars[4] = {0x1100, 4, 0x1200, 1};
    *g = (Guest){0};
    memcpy(g->bytes, vars, sizeof vars);
}

static void fire(Account *a, const HeapPeek *p, AccKind kind, u64 now, u64 x, u64 y, u64 z)
{
    u64 arg[EV_PROBE_MAX_ARGS] = {x, y, z};
    acc_probe(a, kind, now, arg, 0, p);
}

static const HeapPeek no_heap = {peek, NULL, NULL};

Test(account, every_instruction_belongs_to_the_opcode_dispatched_last)
{
    Account a;
    SnapOpcodes s;
    acc_init(&a);
    acc_dispatch(&a, 100, 7, 0x5000);  // 100 before: outside
    acc_dispatch(&a, 110, 9, 0x5001);  // 10 for opcode 7
    acc_dispatch(&a, 125, 7, 0x5002);  // 15 for opcode 9
    acc_dispatch(&a, 128, 7, 0x5003);  // 3 for opcode 7
    fire(&a, &no_heap, ACC_vm_outside, 150, 0, 0, 0); // 22 for opcode 7
    acc_snapshot(&a, 1150, &s);
    cr_expect(eq(u64, s.op[7].count, 3));
    cr_expect(eq(u64, s.op[7].insns, 35));
    cr_expect(eq(u64, s.op[7].insns_min, 3));
    cr_expect(eq(u64, s.op[7].insns_max, 22));
    cr_expect(eq(u64, s.op[9].insns, 15));
    cr_expect(eq(u64, s.insns_outside, 1100));
    cr_expect(eq(u64, s.bytecodes, 4));
    cr_expect(not(s.is_in_bytecode));
    acc_free(&a);
}

Test(account, collections_are_not_the_opcodes)
{
    Account a;
    SnapOpcodes s;
    acc_init(&a);
    acc_dispatch(&a, 0, 1, 0);
    fire(&a, &no_heap, ACC_gc_begin, 10, 0, 0, 0);
    acc_snapshot(&a, 15, &s); // in the middle of it
    cr_expect(eq(u64, s.insns_gc, 5));
    cr_expect(eq(u64, s.op[1].insns, 10));
    fire(&a, &no_heap, ACC_gc_end, 60, 0, 0, 0);
    acc_dispatch(&a, 64, 2, 0); // opcode 1: 10 before and 4 after
    acc_snapshot(&a, 70, &s);
    cr_expect(eq(u64, s.insns_gc, 50));
    cr_expect(eq(u64, s.op[1].insns, 14));
    cr_expect(eq(u64, s.op[1].insns_max, 14));
    cr_expect(eq(u64, s.op[2].insns, 6));
    cr_expect(eq(u64, s.op[1].insns + s.op[2].insns + s.insns_gc + s.insns_outside, 70));
    acc_snapshot(&a, 70, &s); // looking twice changes nothing
    cr_expect(eq(u64, s.op[2].insns, 6));
    acc_free(&a);
}

Test(account, an_exception_out_of_a_collection_ends_it)
{
    Account a;
    SnapOpcodes s;
    acc_init(&a);
    acc_dispatch(&a, 0, 1, 0);
    fire(&a, &no_heap, ACC_gc_begin, 10, 0, 0, 0);
    fire(&a, &no_heap, ACC_vm_dispatch, 30, 2, 0, 0);
    acc_snapshot(&a, 31, &s);
    cr_expect(eq(u64, s.insns_gc, 20));
    cr_expect(eq(u64, s.op[1].insns, 10));
    cr_expect(eq(u64, s.op[2].insns, 1));
    acc_free(&a);
}

Test(account, heap_history_and_table)
{
    Guest g;
    Account a;
    SnapHeap h;
    make_heap(&g);
    HeapPeek p = {peek, &g, &note};
    acc_init(&a);
    fire(&a, &p, ACC_gc_search, 1, 0, 1, 0);
    fire(&a, &p, ACC_gc_search_end, 2, 0, 1, 0);            // 1 entry
    fire(&a, &p, ACC_gc_alloc, 3, 0x1200, 1, 20);           // block 0
    fire(&a, &p, ACC_gc_search, 4, 0, 3, 0);
    fire(&a, &p, ACC_gc_search_end, 5, 3, 1, 0);            // blocks 0..3: 4 entries
    fire(&a, &p, ACC_gc_alloc, 6, 0x1200 + 32, 3, 96);      // blocks 1..3
    fire(&a, &p, ACC_gc_search, 7, 1, 1, 0);
    fire(&a, &p, ACC_gc_search_end, 8, 15, 0, 0);           // not found: 4..15: 12 entries
    fire(&a, &p, ACC_vm_frame, 9, 100, 1, 0);
    fire(&a, &p, ACC_vm_frame, 9, 40, 0, 0);
    g.bytes[0x100] = 1 | 1 << 2 | 2 << 4 | 2 << 6; // head, head, tail, tail
    cr_assert(heap_snapshot(&a.heap, &p, true, &h));
    cr_expect(eq(u64, h.blocks, 16));
    cr_expect(eq(u64, h.bytes, 512));
    cr_expect(eq(u64, h.live_blocks, 4));
    cr_expect(eq(u64, h.free_blocks, 12));
    cr_expect(eq(u64, h.largest_free_run, 12));
    cr_expect(eq(u64, h.search_steps, 17));
    cr_expect(eq(u64, h.granted_bytes, 128));
    cr_expect(eq(u64, h.requested_bytes, 116));
    cr_expect(eq(u64, h.next_search_block, 4));
    cr_expect(eq(u64, h.frames_on_heap, 1));
    cr_expect(eq(u64, h.frames_total, 2));
    cr_assert(eq(u32, h.n_allocs_by_blocks, 2));
    cr_expect(eq(u64, h.allocs_by_blocks[1].blocks, 3));
    cr_expect(eq(u64, h.allocs_by_blocks[1].count, 1));
    cr_expect(eq(u32, h.requested[1], 96));
    cr_expect(eq(u8, h.state[2], 2));
    free(h.state), free(h.requested);

    g.bytes[0x100] = 1; // a collection swept the second object
    fire(&a, &p, ACC_gc_begin, 10, 0, 0, 0);
    fire(&a, &p, ACC_gc_end, 20, 0, 0, 0);
    fire(&a, &p, ACC_gc_resize, 21, 0x1200, 2, 64);
    cr_assert(heap_snapshot(&a.heap, &p, false, &h));
    cr_expect(eq(u64, h.collections, 1));
    cr_expect(eq(u64, h.granted_bytes, 64));
    cr_expect(eq(u64, h.requested_bytes, 64));
    cr_expect(eq(u64, h.peak_live_blocks, 4));
    fire(&a, &p, ACC_gc_free, 22, 0x1200, 0, 0);
    cr_assert(heap_snapshot(&a.heap, &p, false, &h));
    cr_expect(eq(u64, h.granted_bytes, 0));
    cr_expect(eq(u64, h.frees, 1));
    acc_free(&a);
}

Test(account, lost_arguments_follow_from_the_request)
{
    Guest g;
    SnapHeap h;
    Account a;
    make_heap(&g);
    HeapPeek p = {peek, &g, &note};
    acc_init(&a);
    u64 request[EV_PROBE_MAX_ARGS] = {70}, alloc[EV_PROBE_MAX_ARGS] = {0x1200};
    acc_probe(&a, ACC_gc_request, 1, request, 0, &p);
    acc_probe(&a, ACC_gc_alloc, 2, alloc, 2 | 4, &p); // 70 bytes are 3 blocks of 32
    cr_assert(heap_snapshot(&a.heap, &p, false, &h));
    cr_expect(eq(u64, h.granted_bytes, 96));
    cr_expect(eq(u64, h.requested_bytes, 70));
    cr_expect(eq(u64, h.allocs_by_blocks[0].blocks, 3));
    request[0] = 10;
    acc_probe(&a, ACC_gc_request, 3, request, 0, &p);
    acc_probe(&a, ACC_gc_resize, 4, alloc, 2 | 4, &p);
    cr_assert(heap_snapshot(&a.heap, &p, false, &h));
    cr_expect(eq(u64, h.granted_bytes, 32));
    cr_expect(eq(u64, h.requested_bytes, 10));
    acc_free(&a);
}

Test(account, a_heap_with_nonsense_variables_is_none)
{
    static const u64 nonsense[][4] = {{0, 0, 0, 0}, {0x1100, 1ULL << 40, 0x1200, 0}, {0x999999, 4, 0x1200, 0}};
    for (u32 i = 0; i < ARRAY_LEN(nonsense); i++) {
        Guest g;
        SnapHeap h;
        Account a;
        make_heap(&g);
        memcpy(g.bytes, nonsense[i], sizeof nonsense[i]);
        HeapPeek p = {peek, &g, &note};
        acc_init(&a);
        fire(&a, &p, ACC_gc_alloc, 1, 0x1200, 1ULL << 60, 1ULL << 60);
        fire(&a, &p, ACC_gc_alloc, 1, ~0ULL, 1, 1);
        fire(&a, &p, ACC_gc_end, 2, 0, 0, 0);
        cr_expect(not(heap_snapshot(&a.heap, &p, true, &h)), "row %u", i);
        acc_free(&a);
    }
}
