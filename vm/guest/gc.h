// gc.h: the garbage-collected heap, in MicroPython's design: blocks, an allocation table of two bits a block, mark and sweep.
//
//     0 free   1 head of an object   2 tail (continues the object before)   3 marked head, during a collection
//
// An allocation of n blocks takes the first run of n free blocks at or after the *last-free index* (a byte of the table).
// The index moves forward only after one-block allocations: only then is it sure that nothing free was passed over.
// Objects never move. The C stack, the registers, vm and reachable objects are searched for pointers without knowing types: on
// the stack, in a register and in vm a pointer to any byte of an object keeps it alive, in an object only one to the first byte.
//
// In purecap every pointer given out has bounds of exactly the bytes asked for (padded only if such bounds do not exist),
// derived from the heap's root capability, which stays in this module.
#ifndef CAPLAB_GUEST_GC_H
#define CAPLAB_GUEST_GC_H

#include "vmconfig.h"

bool gc_init(ptraddr_t stack_top);       // false: the system gave no memory
void *gc_alloc(size_t n_bytes);          // zeroed; NULL if there is no room even after a collection, or n_bytes is 0
void *gc_realloc(void *p, size_t n_bytes, bool may_move); // keeps the contents; NULL: no room, the old object is untouched
void gc_free(void *p);                   // NULL is allowed; anything else must be the start of a live object
void gc_collect(void);
size_t gc_free_bytes(void);
size_t gc_total_bytes(void);

// For out-of-memory handling as Python sees it: these raise MemoryError instead of returning NULL (0 bytes give NULL).
void *mem_alloc(size_t n_bytes);
void *mem_realloc(void *p, size_t n_bytes);

#endif
