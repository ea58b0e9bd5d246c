// symbols.c: sorted symbol table. A look-up by address is a binary search for the last start at or below it, then a
// short walk back; `reach` tells when nothing further back can still cover the address.
//
//     const Sym *s = sym_at(&t, 0x400123);   // "main" + 0x23
#include "sim/symbols.h"
#include <stdlib.h>

enum { LABEL_REACH = 4096 }; // a sizeless label names at most this many bytes

void sym_add(SymTable *t, Sym s) { vec_push(&t->by_addr, s); }

static int compare_syms(const void *a, const void *b)
{
    const Sym *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    return strcmp(x->name, y->name);
}

static u64 sym_end(const Sym *s)
{
    u64 size = s->size ? s->size : LABEL_REACH;
    return s->start + size < s->start ? ~0ULL : s->start + size;
}

void sym_finish(SymTable *t)
{
    if (!t->by_addr.len) return;
    qsort(t->by_addr.at, t->by_addr.len, sizeof(Sym), compare_syms);
    t->reach = xalloc(sizeof(u64) * t->by_addr.len);
    u64 reach = 0;
    for (u32 i = 0; i < t->by_addr.len; i++) {
        u64 end = sym_end(&t->by_addr.at[i]);
        if (end > reach) reach = end;
        t->reach[i] = reach;
    }
}

const Sym *sym_at(const SymTable *t, u64 addr)
{
    u32 lo = 0, hi = t->by_addr.len;
    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;
        if (t->by_addr.at[mid].start <= addr) lo = mid + 1;
        else hi = mid;
    }
    const Sym *best = NULL, *label = NULL;
    for (u32 i = lo; i-- > 0 && t->reach[i] > addr;) {
        const Sym *s = &t->by_addr.at[i];
        if (sym_end(s) <= addr) continue;
        if (!s->size && !label) label = s;
        if (s->size && (!best || s->size < best->size)) best = s;
    }
    return best ? best : label;
}

const Sym *sym_named(const SymTable *t, const char *name)
{
    for (u32 i = 0; i < t->by_addr.len; i++)
        if (!strcmp(t->by_addr.at[i].name, name)) return &t->by_addr.at[i];
    return NULL;
}

void sym_free(SymTable *t)
{
    vec_free(&t->by_addr);
    free(t->reach);
    t->reach = NULL;
}
