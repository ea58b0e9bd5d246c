// imm.c: immediates with an encoding of their own: bitmasks of the logical instructions, and FMOV's eight bits.
//
// A bitmask is an element of 2, 4 … 64 bits, repeated; an element is a run of ones, rotated. N:~imms gives the element's size
// by its highest set bit, the rest of imms the run's length - 1, immr the rotation to the right. 0x00ff00ff00ff00ff: an element
// of 16 bits with a run of 8: N=0 imms=100111 immr=0.
#include "base/bits.h"
#include "isa/isa.h"

static u64 rotate_right(u64 v, u32 n, u32 width)
{
    n %= width;
    v &= bits_mask(width);
    return n ? ((v >> n) | (v << (width - n))) & bits_mask(width) : v;
}

bool isa_encode_bitmask(u64 value, bool is_64, IsaFields *f)
{
    if (!is_64) {
        if (value >> 32) return false;
        value |= value << 32;
    }
    if (value == 0 || value == ~0ULL) return false;
    u32 size = 64;
    while (size > 2) {
        u64 half = bits_mask(size / 2);
        if ((value & half) != ((value >> (size / 2)) & half)) break;
        size /= 2;
    }
    u64 element = value & bits_mask(size);
    u32 ones = (u32)__builtin_popcountll(element);
    // The rotation that brings the run down to bit 0: the start of the run is a one whose lower neighbour (cyclically) is a zero.
    u64 starts = element & ~rotate_right(element, size - 1, size);
    if (starts & (starts - 1)) return false;
    u32 start = (u32)__builtin_ctzll(starts);
    f->N = size == 64;
    f->immr = (size - start) % size;
    f->imms = ((~(size * 2 - 1)) & 0x3f) | (ones - 1);
    return true;
}

u64 isa_decode_bitmask(u32 N, u32 immr, u32 imms, bool is_64)
{
    u32 key = N << 6 | (~imms & 0x3f);
    CHECK(key > 1, "reserved bitmask");
    u32 size = 1U << (31 - __builtin_clz(key));
    u32 ones = (imms & (size - 1)) + 1;
    u64 v = rotate_right(bits_mask(ones), immr & (size - 1), size);
    for (; size < 64; size *= 2) v |= v << size;
    return is_64 ? v : (u32)v;
}

double isa_decode_fp_imm(u32 imm8)
{
    u64 sign = imm8 >> 7 & 1, exponent = (imm8 >> 6 & 1 ? 0x3fcULL : 0x400ULL) | (imm8 >> 4 & 3);
    u64 bits = sign << 63 | exponent << 52 | (u64)(imm8 & 15) << 48;
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

bool isa_encode_fp_imm(double value, u32 *imm8)
{
    for (u32 i = 0; i < 256; i++) {
        double d = isa_decode_fp_imm(i);
        if (memcmp(&d, &value, sizeof d) == 0) {
            *imm8 = i;
            return true;
        }
    }
    return false;
}
