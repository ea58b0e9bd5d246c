// operand.c: printing and parsing of operands that are numbers, shifts, extends, labels and conditions. One pair of functions per
// row of def/operands.def; system operands are in operand_sys.c. Number bases are those of GNU objdump, so that texts compare.
#include "base/bits.h"
#include "isa/syntax.h"

#include <stdio.h>
#include <stdlib.h>

// Both functions of a kind are declared by operands.def where they are used (syntax.c).
#define OPERAND(id, name, form)                                                                              \
    void print_##id(Operands *o);                                                                            \
    bool parse_##id(Operands *o);
#include "isa/def/operands.def"
#undef OPERAND

static bool is_morello(const Operands *o) { return o->row->info.flags & ISA_F_MORELLO; }

// ---- plain numbers: PLAIN(KIND, field, format)

#define PLAIN(id, field, fmt)                                                                                \
    void print_##id(Operands *o) { out_printf(o, fmt, o->f.field); }                                          \
    bool parse_##id(Operands *o) { return parse_field(o, FIELD_##field); }

static bool parse_field(Operands *o, FieldId id)
{
    i64 v;
    const char *start = o->p;
    if (!parse_int(o, &v)) return false;
    if (v >= 0 && v >> table_field_width(id) == 0 && set_field(o, id, (u32)v)) return true;
    o->p = start;
    return fail(o, "a number that fits");
}

PLAIN(IMM16, imm16, "#0x%x")
PLAIN(UDF16, imm16, "#%u")
PLAIN(IMMR, immr, "#%u")
PLAIN(IMMS, imms, "#%u")
PLAIN(NZCV, nzcv, "#0x%x")
PLAIN(IMM4, imm4, "#%u")
PLAIN(IMM5, imm5, "#0x%x")
PLAIN(IMM6, imm6, "#%u")
PLAIN(IMM8, imm8, "#%u")
PLAIN(CRM, CRm, "#0x%x")
PLAIN(OP1, op1, "#%u")
PLAIN(OP2, op2, "#%u")

// ---- a number with "lsl"

// ", lsl #n" or nothing (0). False only for a wrong text.
static bool parse_lsl(Operands *o, i64 *n)
{
    *n = 0;
    const char *start = o->p;
    if (!take(o, ",")) return true;
    if (!take_word(o, "lsl")) {
        o->p = start;
        return fail(o, "lsl");
    }
    return parse_int(o, n);
}

void print_IMM12(Operands *o)
{
    out_printf(o, is_morello(o) ? "#%u" : "#0x%x", o->f.imm12);
    if (o->f.sh) out_printf(o, ", lsl #12");
}

bool parse_IMM12(Operands *o)
{
    i64 v, n;
    const char *start = o->p;
    if (!parse_int(o, &v) || !parse_lsl(o, &n)) return false;
    if (n == 0 && v > 4095 && v < 1 << 24 && (v & 4095) == 0) v >>= 12, n = 12;
    if (v >= 0 && v < 4096 && (n == 0 || n == 12) && set_field(o, FIELD_imm12, (u32)v)) return set_field(o, FIELD_sh, n == 12);
    o->p = start;
    return fail(o, "0 to 4095, or that shifted by 12");
}

void print_IMM16HW(Operands *o)
{
    out_printf(o, "#0x%x", o->f.imm16);
    if (o->f.hw) out_printf(o, ", lsl #%u", o->f.hw * 16);
}

bool parse_IMM16HW(Operands *o)
{
    i64 n;
    if (!parse_field(o, FIELD_imm16) || !parse_lsl(o, &n)) return false;
    return (n >= 0 && n <= 48 && n % 16 == 0 && set_field(o, FIELD_hw, (u32)n / 16)) || fail(o, "a shift of 0, 16, 32 or 48");
}

// MOV as MOVZ or MOVN: the value itself.
static u64 wide_value(const Operands *o, bool invert)
{
    u64 v = (u64)o->f.imm16 << (16 * o->f.hw);
    if (invert) v = ~v;
    return o->f.sf ? v : (u32)v;
}
static bool parse_wide(Operands *o, bool invert)
{
    i64 n;
    const char *start = o->p;
    if (!parse_int(o, &n)) return false;
    u64 v = (u64)n;
    if (!o->f.sf) {
        if (n < -(1LL << 31) || n >= 1LL << 32) return o->p = start, fail(o, "a 32-bit number");
        v = (u32)v;
    }
    if (invert) v = o->f.sf ? ~v : (u32)~v;
    for (u32 hw = 0; hw < 4; hw++)
        if ((v & ~(0xffffULL << 16 * hw)) == 0 && (o->f.sf || hw < 2))
            return set_field(o, FIELD_imm16, (u32)(v >> 16 * hw)) && set_field(o, FIELD_hw, hw);
    o->p = start;
    return fail(o, "an immediate that one MOV can build");
}
void print_MOVZIMM(Operands *o) { out_printf(o, "#0x%llx", (unsigned long long)wide_value(o, false)); }
bool parse_MOVZIMM(Operands *o) { return parse_wide(o, false); }
void print_MOVNIMM(Operands *o) { out_printf(o, "#0x%llx", (unsigned long long)wide_value(o, true)); }
bool parse_MOVNIMM(Operands *o) { return parse_wide(o, true); }

void print_BITMASK(Operands *o)
{
    out_printf(o, "#0x%llx", (unsigned long long)isa_decode_bitmask(o->f.N, o->f.immr, o->f.imms, o->f.sf));
}
bool parse_BITMASK(Operands *o)
{
    i64 v;
    IsaFields f = {0};
    const char *start = o->p;
    if (!parse_int(o, &v)) return false;
    if (!o->f.sf && v < 0 && v >= -(1LL << 31)) v = (u32)v;
    if (!isa_encode_bitmask((u64)v, o->f.sf, &f)) return o->p = start, fail(o, "a bitmask immediate (a repeated, rotated run of ones)");
    return set_field(o, FIELD_N, f.N) && set_field(o, FIELD_immr, f.immr) && set_field(o, FIELD_imms, f.imms);
}

// ---- bit fields as shifts and as position and width

static u32 width_of(const Operands *o) { return o->f.sf ? 64 : 32; }

static bool parse_below(Operands *o, i64 *v, i64 lo, i64 hi)
{
    const char *start = o->p;
    if (!parse_int(o, v)) return false;
    if (*v >= lo && *v <= hi) return true;
    o->p = start;
    return fail(o, "a number within the register's width");
}

void print_SHLIMM(Operands *o) { out_printf(o, "#%u", width_of(o) - 1 - o->f.imms); }
bool parse_SHLIMM(Operands *o)
{
    i64 n;
    u32 w = width_of(o);
    return parse_below(o, &n, 0, w - 1) && set_field(o, FIELD_immr, (u32)(w - n) % w) && set_field(o, FIELD_imms, w - 1 - (u32)n);
}
void print_SHRIMM(Operands *o) { out_printf(o, "#%u", o->f.immr); }
bool parse_SHRIMM(Operands *o)
{
    i64 n;
    return parse_below(o, &n, 0, width_of(o) - 1) && set_field(o, FIELD_immr, (u32)n) && set_field(o, FIELD_imms, width_of(o) - 1);
}
void print_LSBIZ(Operands *o) { out_printf(o, "#%u", (width_of(o) - o->f.immr) % width_of(o)); }
bool parse_LSBIZ(Operands *o)
{
    i64 n;
    return parse_below(o, &n, 0, width_of(o) - 1) && set_field(o, FIELD_immr, (u32)(width_of(o) - n) % width_of(o));
}
void print_WIDTHIZ(Operands *o) { out_printf(o, "#%u", o->f.imms + 1); }
bool parse_WIDTHIZ(Operands *o)
{
    i64 n;
    u32 lsb = (width_of(o) - o->f.immr) % width_of(o);
    return parse_below(o, &n, 1, width_of(o) - lsb) && set_field(o, FIELD_imms, (u32)n - 1);
}
void print_WIDTHX(Operands *o) { out_printf(o, "#%u", o->f.imms - o->f.immr + 1); }
bool parse_WIDTHX(Operands *o)
{
    i64 n;
    return parse_below(o, &n, 1, width_of(o) - o->f.immr) && set_field(o, FIELD_imms, o->f.immr + (u32)n - 1);
}

void print_BITNO(Operands *o) { out_printf(o, "#%u", o->f.b5 << 5 | o->f.b40); }
bool parse_BITNO(Operands *o)
{
    i64 n;
    return parse_below(o, &n, 0, o->rm_is_x ? 63 : 31) && set_field(o, FIELD_b5, (u32)n >> 5) && set_field(o, FIELD_b40, n & 31);
}

// ---- shifts and extends

static const char *const s_shifts[] = {"lsl", "lsr", "asr", "ror"};
static const char *const s_extends[] = {"uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx"};

void print_SHIFT(Operands *o)
{
    if (o->f.shift || o->f.imm6) out_printf(o, ", %s #%u", s_shifts[o->f.shift], o->f.imm6);
}
bool parse_SHIFT(Operands *o)
{
    if (!take(o, ",")) return set_field(o, FIELD_shift, 0) && set_field(o, FIELD_imm6, 0);
    for (u32 i = 0; i < 4; i++) {
        i64 n;
        if (take_word(o, s_shifts[i])) return parse_below(o, &n, 0, width_of(o) - 1) && set_field(o, FIELD_shift, i) && set_field(o, FIELD_imm6, (u32)n);
    }
    return fail(o, "lsl, lsr, asr or ror");
}

// Whether UXTX (W: UXTW) is written as LSL: with a stack pointer it is a plain move of bits.
static bool is_plain_extend(const Operands *o, bool is_64)
{
    const IsaFields *f = &o->f;
    bool rd_is_sp = strstr(o->row->info.syntax, "d|") && f->Rd == 31;
    return (rd_is_sp || f->Rn == 31) && f->option == (is_64 ? 3u : 2u);
}

static void print_extend(Operands *o, bool is_64)
{
    const IsaFields *f = &o->f;
    bool plain = is_plain_extend(o, is_64);
    if (plain && f->imm3 == 0) return;
    out_printf(o, ", %s", plain ? "lsl" : s_extends[f->option]);
    if (f->imm3) out_printf(o, " #%u", f->imm3);
}

static bool parse_extend(Operands *o, bool is_64)
{
    u32 option = is_64 ? 3 : 2;
    i64 n = 0;
    if (take(o, ",")) {
        bool is_lsl = take_word(o, "lsl");
        if (!is_lsl) {
            for (option = 0; option < 8 && !take_word(o, s_extends[option]); option++) {}
            if (option == 8) return fail(o, "an extend: uxtb … sxtx, or lsl");
        }
        skip_blanks(o);
        if ((is_lsl || *o->p == '#') && !parse_below(o, &n, 0, 4)) return false;
    }
    if ((is_64 && (option & 3) == 3) != o->rm_is_x) return fail(o, "an extend that fits the register (X: uxtx, sxtx, lsl; W: the others)");
    return set_field(o, FIELD_option, option) && set_field(o, FIELD_imm3, (u32)n);
}

void print_EXT(Operands *o) { print_extend(o, o->f.sf); }
bool parse_EXT(Operands *o) { return parse_extend(o, o->f.sf); }
void print_EXTC(Operands *o) { print_extend(o, true); }
bool parse_EXTC(Operands *o) { return parse_extend(o, true); }

// Register offset: amount is 0 or the access size; S says which, even when both are 0.
void print_EXTS(Operands *o)
{
    const IsaFields *f = &o->f;
    bool is_lsl = f->option == 3;
    if (is_lsl && !f->S) return;
    out_printf(o, ", %s", is_lsl ? "lsl" : s_extends[f->option]);
    if (f->S) out_printf(o, " #%u", access_log2(o->row, f));
}
bool parse_EXTS(Operands *o)
{
    u32 option = 3, S = 0, scale = access_log2(o->row, &o->f);
    if (take(o, ",")) {
        bool is_lsl = take_word(o, "lsl");
        if (!is_lsl) {
            for (option = 2; option < 8 && !((option & 2) && take_word(o, s_extends[option])); option++) {}
            if (option == 8 || option == 3) return fail(o, "lsl, uxtw, sxtw or sxtx");
        }
        skip_blanks(o);
        if (is_lsl || *o->p == '#') {
            i64 n;
            const char *start = o->p;
            if (!parse_int(o, &n)) return false;
            if (n != 0 && n != scale) return o->p = start, fail(o, "a shift of 0 or the size of the access");
            S = n != 0 || scale == 0;
        }
    }
    if (((option & 3) == 3) != o->rm_is_x) return fail(o, "an extend that fits the register (X: lsl, sxtx; W: uxtw, sxtw)");
    return set_field(o, FIELD_option, option) && set_field(o, FIELD_S, S);
}

void print_CRCSZ(Operands *o) { out_printf(o, "%c", "bhwx"[o->f.sz2]); }
bool parse_CRCSZ(Operands *o)
{
    const char *at = *o->p ? strchr("bhwx", *o->p) : NULL;
    if (!at) return fail(o, "b, h, w or x");
    u32 n = (u32)(strlen("bhwx") - strlen(at));
    o->p++;
    return set_field(o, FIELD_sz2, n);
}

// ---- conditions

static const char *const s_conds[] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al", "nv"};

static bool parse_cond(Operands *o, u32 *cond)
{
    for (u32 i = 0; i < 16; i++) {
        *cond = i;
        if (take_word(o, s_conds[i])) return true;
    }
    *cond = 2;
    if (take_word(o, "hs")) return true;
    *cond = 3;
    return take_word(o, "lo") || fail(o, "a condition (eq, ne, hs, lo, …)");
}
void print_COND(Operands *o) { out_printf(o, "%s", s_conds[o->f.cond]); }
bool parse_COND(Operands *o)
{
    u32 c;
    return parse_cond(o, &c) && set_field(o, FIELD_cond, c);
}
void print_INVCOND(Operands *o) { out_printf(o, "%s", s_conds[o->f.cond ^ 1]); }
bool parse_INVCOND(Operands *o)
{
    u32 c;
    return parse_cond(o, &c) && (c < 14 || fail(o, "a condition other than al and nv")) && set_field(o, FIELD_cond, c ^ 1);
}

// ---- labels: absolute in the text, relative in the field

static void print_label(Operands *o, u64 base, u32 field, u32 width, u32 shift)
{
    out_printf(o, "0x%llx", (unsigned long long)(base + ((u64)bits_sext(field, width) << shift)));
}
static bool parse_label(Operands *o, u64 base, FieldId id, u32 width, u32 shift)
{
    i64 v;
    const char *start = o->p;
    if (!parse_int(o, &v)) return false;
    i64 delta = (i64)((u64)v - base);
    if (delta & ((1LL << shift) - 1) || bits_sext((u64)(delta >> shift), width) != delta >> shift)
        return o->p = start, fail(o, "an aligned address within reach");
    return set_field(o, id, (u32)((u64)(delta >> shift) & bits_mask(width)));
}
#define LABEL(id, field, width, shift, base)                                                                 \
    void print_##id(Operands *o) { print_label(o, base, o->f.field, width, shift); }                          \
    bool parse_##id(Operands *o) { return parse_label(o, base, FIELD_##field, width, shift); }
LABEL(LABEL26, imm26, 26, 2, o->pc)
LABEL(LABEL19, imm19, 19, 2, o->pc)
LABEL(LABEL14, imm14, 14, 2, o->pc)
LABEL(LABEL17, imm17, 17, 4, o->pc & ~15ULL)

void print_LABEL21(Operands *o) { print_label(o, o->pc, o->f.immhi << 2 | o->f.immlo, 21, 0); }
static bool parse_split(Operands *o, u64 base, u32 shift, u32 width)
{
    IsaFields saved = o->f;
    u128 known = o->known;
    if (!parse_label(o, base, FIELD_imm26, width, shift)) return false;
    u32 v = o->f.imm26;
    o->f = saved;
    o->known = known;
    return set_field(o, FIELD_immlo, v & 3) && set_field(o, FIELD_immhi, v >> 2);
}
bool parse_LABEL21(Operands *o) { return parse_split(o, o->pc, 0, 21); }

// In C64 state the top bit of immhi chooses PCC (1) or data (0: an unsigned offset, relative to DDC or C28).
void print_ADRP(Operands *o) { out_printf(o, o->c64 && !(o->f.immhi >> 18) ? "adrdp" : "adrp"); }
bool parse_ADRP(Operands *o)
{
    if (o->c64 && strncmp(o->p, "adrdp", 5) == 0) {
        o->p += 5;
        o->rm_is_x = true; // remembered for the label
        return true;
    }
    if (strncmp(o->p, "adrp", 4) != 0) return fail(o, "adrp");
    o->p += 4;
    return true;
}
void print_LABEL33(Operands *o)
{
    u32 imm = o->f.immhi << 2 | o->f.immlo;
    if (!o->c64)
        print_label(o, o->pc & ~4095ULL, imm, 21, 12);
    else if (o->f.immhi >> 18)
        print_label(o, o->pc & ~4095ULL, imm & 0xfffff, 20, 12);
    else
        out_printf(o, "0x%llx", (unsigned long long)imm << 12);
}
bool parse_LABEL33(Operands *o)
{
    if (!o->c64) return parse_split(o, o->pc & ~4095ULL, 12, 21);
    if (!o->rm_is_x) return parse_split(o, o->pc & ~4095ULL, 12, 20) && ((o->f.immhi |= 1U << 18), true);
    i64 v;
    if (!parse_int(o, &v)) return false;
    if (v < 0 || v >> 32 || v & 4095) return fail(o, "a multiple of 4096 below 2^32");
    return set_field(o, FIELD_immlo, v >> 12 & 3) && set_field(o, FIELD_immhi, (u32)(v >> 14));
}

// ---- offsets of loads and stores

static bool parse_scaled(Operands *o, FieldId id, u32 width, bool is_signed, u32 scale)
{
    i64 v;
    const char *start = o->p;
    if (!parse_int(o, &v)) return false;
    i64 n = v >> scale, max = is_signed ? 1LL << (width - 1) : 1LL << width, min = is_signed ? -max : 0;
    if (v & ((1LL << scale) - 1) || n < min || n >= max) return o->p = start, fail(o, "an offset in range (a multiple of the access size where scaled)");
    return set_field(o, id, (u32)n & (u32)bits_mask(width));
}
static void print_offset(Operands *o, i64 v, bool optional)
{
    if (!optional)
        out_printf(o, "#%lld", (long long)v);
    else if (v)
        out_printf(o, ", #%lld", (long long)v);
}
#define SCALE access_log2(o->row, &o->f)
#define OFFSET(id, optional, field, width, is_signed, scale)                                                 \
    void print_##id(Operands *o)                                                                             \
    {                                                                                                        \
        i64 v = (is_signed) ? bits_sext(o->f.field, width) : (i64)o->f.field;                                 \
        print_offset(o, (i64)((u64)v << (scale)), optional);                                                 \
    }                                                                                                        \
    bool parse_##id(Operands *o)                                                                             \
    {                                                                                                        \
        if ((optional) && !take(o, ",")) return set_field(o, FIELD_##field, 0);                               \
        return parse_scaled(o, FIELD_##field, width, is_signed, scale);                                      \
    }
OFFSET(UIMM12, true, imm12, 12, false, SCALE)
OFFSET(UIMM9, true, imm9, 9, false, SCALE)
OFFSET(SIMM9, false, imm9, 9, true, 0)
OFFSET(SIMM9O, true, imm9, 9, true, 0)
OFFSET(SIMM9S, false, imm9, 9, true, SCALE)
OFFSET(SIMM9SO, true, imm9, 9, true, SCALE)
OFFSET(SIMM7, false, imm7, 7, true, SCALE)
OFFSET(SIMM7O, true, imm7, 7, true, SCALE)

// ---- suffixes of mnemonics

void print_BH(Operands *o) { out_printf(o, "%s", o->f.size == 0 ? "b" : o->f.size == 1 ? "h" : ""); }
bool parse_BH(Operands *o)
{
    if (*o->p == 'b' || *o->p == 'h') return set_field(o, FIELD_size, *o->p++ == 'h');
    return true;
}
void print_AL(Operands *o) { out_printf(o, "%s%s", o->f.A ? "a" : "", o->f.R ? "l" : ""); }
bool parse_AL(Operands *o)
{
    bool a = *o->p == 'a', l = o->p[a] == 'l';
    o->p += a + l;
    return set_field(o, FIELD_A, a) && set_field(o, FIELD_R, l);
}
void print_LBH(Operands *o)
{
    out_printf(o, "%s", o->f.R ? "l" : "");
    print_BH(o);
}
bool parse_LBH(Operands *o)
{
    bool l = *o->p == 'l';
    o->p += l;
    return set_field(o, FIELD_R, l) && parse_BH(o);
}

// ---- floating point and vector immediates

static u32 vector_imm8(const Operands *o) { return o->f.abc << 5 | o->f.defgh; }
static bool set_vector_imm8(Operands *o, u32 v) { return set_field(o, FIELD_abc, v >> 5) && set_field(o, FIELD_defgh, v & 31); }

static bool parse_fp(Operands *o, u32 *imm8)
{
    skip_blanks(o);
    const char *start = o->p;
    if (*o->p == '#') o->p++;
    char *end;
    double d = strtod(o->p, &end);
    bool ok = end != o->p && isa_encode_fp_imm(d, imm8);
    o->p = ok ? end : start;
    return ok || fail(o, "±n/16 × 2^r with n 16 to 31 and r -3 to 4");
}
void print_FPIMM(Operands *o) { out_printf(o, "#%.18e", isa_decode_fp_imm(o->f.imm8)); }
bool parse_FPIMM(Operands *o)
{
    u32 v;
    return parse_fp(o, &v) && set_field(o, FIELD_imm8, v);
}
void print_VFPIMM(Operands *o) { out_printf(o, "#%.18e", isa_decode_fp_imm(vector_imm8(o))); }
bool parse_VFPIMM(Operands *o)
{
    u32 v;
    return parse_fp(o, &v) && set_vector_imm8(o, v);
}
void print_FBITS(Operands *o) { out_printf(o, "#%u", 64 - o->f.scale); }
bool parse_FBITS(Operands *o)
{
    i64 n;
    return parse_below(o, &n, 1, width_of(o)) && set_field(o, FIELD_scale, (u32)(64 - n));
}
// Right shifts of 1 to 64 are held as 64 - shift.
void print_RSHIFT(Operands *o) { out_printf(o, "#%u", 64 - o->f.imm6); }
bool parse_RSHIFT(Operands *o)
{
    i64 n;
    return parse_below(o, &n, 1, 64) && set_field(o, FIELD_imm6, (u32)(64 - n));
}
void print_VIMM8(Operands *o) { out_printf(o, "#0x%x", vector_imm8(o)); }
bool parse_VIMM8(Operands *o)
{
    i64 v;
    return parse_below(o, &v, 0, 255) && set_vector_imm8(o, (u32)v);
}
void print_VIMM64(Operands *o)
{
    u64 v = 0;
    for (u32 i = 0; i < 8; i++)
        if (vector_imm8(o) >> i & 1) v |= 0xffULL << 8 * i;
    out_printf(o, "#0x%llx", (unsigned long long)v);
}
bool parse_VIMM64(Operands *o)
{
    i64 n;
    u32 imm8 = 0;
    if (!parse_int(o, &n)) return false;
    for (u32 i = 0; i < 8; i++) {
        u32 byte = (u32)((u64)n >> 8 * i) & 255;
        if (byte != 0 && byte != 255) return fail(o, "a mask of whole bytes");
        imm8 |= (byte & 1) << i;
    }
    return set_vector_imm8(o, imm8);
}
static bool parse_byte_shift(Operands *o, FieldId id, i64 max)
{
    i64 n;
    if (!parse_lsl(o, &n)) return false;
    return (n >= 0 && n <= max && n % 8 == 0 && set_field(o, id, (u32)n / 8)) || fail(o, "a shift by whole bytes");
}
void print_LSLV(Operands *o)
{
    if (o->f.sh2) out_printf(o, ", lsl #%u", o->f.sh2 * 8);
}
bool parse_LSLV(Operands *o) { return parse_byte_shift(o, FIELD_sh2, 24); }
void print_LSLH(Operands *o)
{
    if (o->f.sh) out_printf(o, ", lsl #8");
}
bool parse_LSLH(Operands *o) { return parse_byte_shift(o, FIELD_sh, 8); }
void print_MSL(Operands *o) { out_printf(o, "msl #%u", o->f.sh ? 16 : 8); }
bool parse_MSL(Operands *o)
{
    i64 n;
    if (!take_word(o, "msl") || !parse_int(o, &n) || (n != 8 && n != 16)) return fail(o, "msl #8 or msl #16");
    return set_field(o, FIELD_sh, n == 16);
}

// ---- Morello

static const char *const s_forms[] = {"?", "rb", "lpb", "lb"};
void print_FORM(Operands *o) { out_printf(o, "%s", s_forms[o->f.form]); }
bool parse_FORM(Operands *o)
{
    for (u32 i = 1; i < 4; i++)
        if (take_word(o, s_forms[i])) return set_field(o, FIELD_form, i);
    return fail(o, "rb, lpb or lb");
}

// Letters of the permissions to clear; none is written as the number 0.
void print_PERM(Operands *o)
{
    if (!o->f.perm) {
        out_printf(o, "#0");
        return;
    }
    for (u32 i = 0; i < 3; i++)
        if (o->f.perm >> (2 - i) & 1) out_printf(o, "%c", "rwx"[i]);
}
bool parse_PERM(Operands *o)
{
    skip_blanks(o);
    if (*o->p == '#') return parse_field(o, FIELD_perm);
    u32 v = 0;
    const char *start = o->p;
    for (const char *at; *o->p && (at = strchr("rwx", *o->p)); o->p++) {
        u32 bit = 4U >> (u32)(3 - strlen(at));
        if (v >= bit && v & (bit | (bit - 1))) break; // letters stand in this order, each once
        v |= bit;
    }
    if (!v) o->p = start;
    return v ? set_field(o, FIELD_perm, v) : fail(o, "some of r, w, x, or #0");
}
