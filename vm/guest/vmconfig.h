// vmconfig.h: build knobs of the Python machine, the small integer types, and the probe macro.
//
// Every knob is a -D define with a default here. "word" rules count 8-byte machine words, as upstream MicroPython does;
// "cap" rules count pointers, which are 16 bytes in a purecap build. The difference is the first lesson of the lab.
//
//     -DVM_BLOCK_BYTES=32 -DVM_FRAME_LIMIT_BYTES=88      // word rules
//     -DVM_BLOCK_RULE_WORD -DVM_FRAME_RULE_WORD          // the same, by rule
#ifndef CAPLAB_GUEST_VMCONFIG_H
#define CAPLAB_GUEST_VMCONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Size of the Python heap, allocation table included.
#ifndef VM_HEAP_BYTES
#define VM_HEAP_BYTES 2097152
#endif

// Size of a GC block: four words or four pointers; a power of two, at least 16.
#ifndef VM_BLOCK_BYTES
#ifdef VM_BLOCK_RULE_WORD
#define VM_BLOCK_BYTES (4 * 8)
#else
#define VM_BLOCK_BYTES (4 * sizeof(void *))
#endif
#endif

// Largest frame (value slots + exception records) that is kept on the C stack, in bytes: slots of 8 bytes, or of a pointer.
#ifndef VM_FRAME_LIMIT_SLOTS
#define VM_FRAME_LIMIT_SLOTS 11
#endif
#ifndef VM_FRAME_LIMIT_BYTES
#ifdef VM_FRAME_RULE_WORD
#define VM_FRAME_LIMIT_BYTES (VM_FRAME_LIMIT_SLOTS * 8)
#else
#define VM_FRAME_LIMIT_BYTES (VM_FRAME_LIMIT_SLOTS * sizeof(void *))
#endif
#endif

// Python calls may nest this deep (CPython's default), and may use this much of the C stack.
#ifndef VM_RECURSION_LIMIT
#define VM_RECURSION_LIMIT 1000
#endif
#ifndef VM_STACK_BYTES
#define VM_STACK_BYTES 6291456
#endif

// STRESS: collect at every allocation. For tests of the collector's roots.
#ifdef STRESS
#define VM_STRESS 1
#else
#define VM_STRESS 0
#endif

// A probe costs no instruction: caplab's compiler turns it into a note (base/notes.h has names and arguments).
#ifdef __CAPLAB_CC__
#define PROBE(...) __probe(__VA_ARGS__)
#else
#define PROBE(...) ((void)0)
#endif

#define NORETURN __attribute__((noreturn))
#define NOINLINE __attribute__((noinline))
#define INLINE static inline __attribute__((always_inline))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;
#ifdef VM_HOST
typedef uintptr_t ptraddr_t; // guest headers have it in stddef.h
#endif

#endif
