// operand_vec.c: operands of vector instructions that are neither one register nor a constant: lists of registers, shifts that
// the element's size is part of, the 2 of a mnemonic that works on the upper half.
#include "isa/syntax.h"

#include <stdio.h>

#define OPERAND(id, name, form)                                                                              \
    void print_##id(Operands *o);                                                                            \
    bool parse_##id(Operands *o);
#include "isa/def/operands.def"
#undef OPERAND

static bool row_has(const Row *r, const char *field) { return strstr(r->info.pattern, field) != NULL; }

// "saddl2": Q. A scalar form has none, and Q = 1; it is told by the first register.
void print_Q2(Operands *o)
{
    if (o->f.Q && !o->f.sc) out_printf(o, "2");
}
bool parse_Q2(Operands *o)
{
    if (*o->p == '2') return o->p++, set_field(o, FIELD_Q, 1) && set_field(o, FIELD_sc, 0);
    const char *p = o->p + strspn(o->p, " \t");
    return *p != 'v' || set_field(o, FIELD_Q, 0);
}

// ---- shifts: left ones hold size + shift, right ones 2 * size - shift

static u32 element_bits(const Operands *o) { return 8U << isa_shift_log2(o->f.immhb); }
void print_VSHL(Operands *o) { out_printf(o, "#%u", o->f.immhb - element_bits(o)); }
void print_VSHR(Operands *o) { out_printf(o, "#%u", 2 * element_bits(o) - o->f.immhb); }

static bool parse_shift(Operands *o, bool is_right)
{
    i64 n;
    u32 bits = 8U << (o->element < 0 ? 0 : o->element);
    const char *start = o->p;
    if (!parse_int(o, &n)) return false;
    if (n < is_right || n >= bits + is_right) return o->p = start, fail(o, "a shift within the element");
    return set_field(o, FIELD_immhb, (u32)(is_right ? 2 * bits - n : bits + n));
}
bool parse_VSHL(Operands *o) { return parse_shift(o, false); }
bool parse_VSHR(Operands *o) { return parse_shift(o, true); }

void print_SHLL(Operands *o) { out_printf(o, "#%u", 8U << o->f.size); }
bool parse_SHLL(Operands *o)
{
    i64 n;
    return parse_int(o, &n) && (n == 8U << o->f.size || fail(o, "the size of the element"));
}

// ---- lists

// "{v0.16b, v1.16b}" and "{v0.16b-v2.16b}" (more than two, unless they go round)
static void print_list(Operands *o, u32 first, u32 n, const char *arrangement)
{
    bool is_range = n > 2 && first + n <= 32;
    out_printf(o, "{v%u.%s", first, arrangement);
    if (is_range) out_printf(o, "-v%u.%s", first + n - 1, arrangement);
    for (u32 i = 1; i < n && !is_range; i++) out_printf(o, ", v%u.%s", (first + i) & 31, arrangement);
    out_printf(o, "}");
}

typedef struct List {
    u32 first, n, e, lanes;
} List;

static bool parse_list(Operands *o, List *l)
{
    if (!take(o, "{")) return fail(o, "'{'");
    if (!parse_vector_reg(o, &l->first, &l->e, &l->lanes)) return false;
    l->n = 1;
    bool is_range = take(o, "-");
    while (is_range || take(o, ",")) {
        u32 n, e, lanes;
        if (!parse_vector_reg(o, &n, &e, &lanes)) return false;
        if (e != l->e || lanes != l->lanes) return fail(o, "the same arrangement");
        if (is_range) l->n = ((n - l->first) & 31) + 1;
        else if (n != ((l->first + l->n++) & 31)) return fail(o, "the next register");
        if (is_range || l->n > 4) break;
    }
    return (l->n <= 4 && take(o, "}")) || fail(o, "'}' after at most four registers");
}

void print_TBLLIST(Operands *o) { print_list(o, o->f.Rn, o->f.len + 1, "16b"); }
bool parse_TBLLIST(Operands *o)
{
    List l;
    if (!parse_list(o, &l)) return false;
    return ((l.e == 0 && l.lanes == 16) || fail(o, "registers of 16b")) && set_field(o, FIELD_Rn, l.first) && set_field(o, FIELD_len, l.n - 1);
}

static const u8 s_vopc[5] = {0, 7, 10, 6, 2}; // of LD1 and ST1, by the number of registers

IsaVList vlist_of(const Row *r, const IsaFields *f)
{
    IsaVList v = {.kind = ISA_VLIST_WOVEN, .regs = (u32)(r->mnemonic[2] - '0'), .log2 = f->size};
    if (row_has(r, "vscale")) {
        v.kind = ISA_VLIST_LANE;
        v.log2 = f->vscale == 2 ? 2 + (f->size & 1) : f->vscale;
        v.index = (f->Q << 3 | f->S << 2 | f->size) >> v.log2;
    } else if (r->mnemonic[3] == 'r') {
        v.kind = ISA_VLIST_ALL;
    } else if (row_has(r, "vopc")) {
        v.kind = ISA_VLIST_WHOLE;
        for (v.regs = 1; v.regs < 4 && s_vopc[v.regs] != f->vopc;) v.regs++;
    }
    v.bytes = v.kind >= ISA_VLIST_LANE ? v.regs << v.log2 : v.regs * (8U << f->Q);
    return v;
}
IsaVList isa_vlist(const IsaInsn *in) { return vlist_of(&table_get()->row[in->row], &in->f); }

void print_VLIST(Operands *o)
{
    IsaVList v = vlist_of(o->row, &o->f);
    char arrangement[8] = {"bhsd"[v.log2], 0};
    if (v.kind != ISA_VLIST_LANE) snprintf(arrangement, sizeof arrangement, "%u%c", (8U << o->f.Q) >> v.log2, "bhsd"[v.log2]);
    print_list(o, o->f.Rt, v.regs, arrangement);
    if (v.kind == ISA_VLIST_LANE) out_printf(o, "[%u]", v.index);
}

static bool parse_lane(Operands *o, u32 e)
{
    i64 i;
    if (!take(o, "[") || !parse_int(o, &i) || !take(o, "]")) return fail(o, "an index");
    if (i < 0 || i >= 16 >> e) return fail(o, "an index within the register");
    u32 at = (u32)i << e | (e == 3);
    return set_field(o, FIELD_Q, at >> 3) && set_field(o, FIELD_S, at >> 2 & 1) && set_field(o, FIELD_size, at & 3) &&
           set_field(o, FIELD_vscale, e < 3 ? e : 2);
}

bool parse_VLIST(Operands *o)
{
    List l;
    const char *start = o->p;
    if (!parse_list(o, &l)) return false;
    bool is_lane = row_has(o->row, "vscale"), is_whole = row_has(o->row, "vopc");
    u32 bytes = l.lanes << l.e;
    if (!is_whole && l.n != (u32)(o->row->mnemonic[2] - '0')) return o->p = start, fail(o, "as many registers as the mnemonic says");
    if (l.e > 3 || is_lane ? l.lanes != 0 : bytes != 8 && bytes != 16) return o->p = start, fail(o, is_lane ? "elements such as .b" : "whole registers such as .16b");
    if (!set_field(o, FIELD_Rt, l.first)) return false;
    if (is_lane) return parse_lane(o, l.e);
    if (is_whole && !set_field(o, FIELD_vopc, s_vopc[l.n])) return false;
    return set_field(o, FIELD_size, l.e) && set_field(o, FIELD_Q, bytes == 16);
}

// Post-index: by the bytes of the access (Rm = 31), or by a register.
void print_VPOST(Operands *o)
{
    if (o->f.Rm == 31) out_printf(o, "#%u", vlist_of(o->row, &o->f).bytes);
    else out_printf(o, "x%u", o->f.Rm);
}
bool parse_VPOST(Operands *o)
{
    i64 n;
    skip_blanks(o);
    if (*o->p == 'x') return parse_x_reg(o, FIELD_Rm) && (o->f.Rm != 31 || fail(o, "a register below 31"));
    const char *start = o->p;
    if (!parse_int(o, &n)) return false;
    if (n != vlist_of(o->row, &o->f).bytes) return o->p = start, fail(o, "the bytes of the access");
    return set_field(o, FIELD_Rm, 31);
}
