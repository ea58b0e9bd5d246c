// stddef.h: sizes and addresses. ptraddr_t holds an address and never the right to use it.
#ifndef _STDDEF_H
#define _STDDEF_H

typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef unsigned long ptraddr_t;
typedef unsigned int wchar_t;
typedef struct {
    long long __ll __attribute__((aligned(16)));
} max_align_t;

#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
