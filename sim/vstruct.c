// vstruct.c: see vstruct.h.
#include "sim/vstruct.h"

#include "base/bits.h"

typedef struct Shape {
    IsaVListKind kind;
    u32 log2, regs, index, first, bytes; // bytes: of a register
} Shape;
static Shape shape(u32 aux)
{
    return (Shape){.kind = (IsaVListKind)(aux >> 9 & 3), .log2 = aux >> 7 & 3, .regs = aux >> 11 & 7, .index = aux >> 14 & 15,
                   .bytes = 8U << (aux >> 18 & 1), .first = aux >> 19};
}

static inline void copy_element(void *to, const void *from, u32 log2)
{
    switch (log2) {
    case 0: memcpy(to, from, 1); break;
    case 1: memcpy(to, from, 2); break;
    case 2: memcpy(to, from, 4); break;
    default: memcpy(to, from, 8); break;
    }
}

void vstruct_load(Cpu *cpu, u32 aux, const u8 *from)
{
    Shape s = shape(aux);
    for (u32 r = 0; r < s.regs; r++) {
        u8 *v = (u8 *)&cpu->v[(s.first + r) & 31];
        if (s.kind == ISA_VLIST_LANE) {
            copy_element(v + (s.index << s.log2), from + (r << s.log2), s.log2);
            continue;
        }
        memset(v + 8, 0, 8);
        for (u32 i = 0; i < s.bytes >> s.log2; i++) {
            u32 at = s.kind == ISA_VLIST_WHOLE ? r * s.bytes + (i << s.log2) : s.kind == ISA_VLIST_ALL ? r << s.log2 : (i * s.regs + r) << s.log2;
            copy_element(v + (i << s.log2), from + at, s.log2);
        }
    }
}

void vstruct_store(const Cpu *cpu, u32 aux, u8 *to)
{
    Shape s = shape(aux);
    for (u32 r = 0; r < s.regs; r++) {
        const u8 *v = (const u8 *)&cpu->v[(s.first + r) & 31];
        if (s.kind == ISA_VLIST_WHOLE) {
            memcpy(to + r * s.bytes, v, s.bytes);
        } else if (s.kind == ISA_VLIST_LANE) {
            copy_element(to + (r << s.log2), v + (s.index << s.log2), s.log2);
        } else {
            for (u32 i = 0; i < s.bytes >> s.log2; i++) copy_element(to + ((i * s.regs + r) << s.log2), v + (i << s.log2), s.log2);
        }
    }
}
