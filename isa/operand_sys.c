// operand_sys.c: printing and parsing of system operands: hints, barriers, system registers, cache operations, prefetches.
#include "isa/syntax.h"

#include <ctype.h>
#include <stdio.h>

#define OPERAND(id, name, form)                                                                              \
    void print_##id(Operands *o);                                                                            \
    bool parse_##id(Operands *o);
#include "isa/def/operands.def"
#undef OPERAND

// ---- hints: the whole text, mnemonic included

static const struct {
    u8 n; // CRm:op2
    const char *text;
} s_hints[] = {{0, "nop"},         {1, "yield"},      {2, "wfe"},         {3, "wfi"},        {4, "sev"},         {5, "sevl"},
               {7, "xpaclri"},     {8, "pacia1716"},  {10, "pacib1716"}, {12, "autia1716"},  {14, "autib1716"},
               {16, "esb"},        {17, "psb csync"}, {18, "tsb csync"},  {20, "csdb"},      {24, "paciaz"},     {25, "paciasp"},
               {26, "pacibz"},     {27, "pacibsp"},   {28, "autiaz"},     {29, "autiasp"},   {30, "autibz"},     {31, "autibsp"},
               {32, "bti"},        {34, "bti c"},     {36, "bti j"},      {38, "bti jc"}};

void print_HINT(Operands *o)
{
    u32 n = o->f.CRm << 3 | o->f.op2;
    for (u32 i = 0; i < ARRAY_LEN(s_hints); i++)
        if (s_hints[i].n == n) {
            out_printf(o, "%s", s_hints[i].text);
            return;
        }
    out_printf(o, "hint #0x%x", n);
}

bool parse_HINT(Operands *o)
{
    i64 n = -1;
    for (u32 i = ARRAY_LEN(s_hints); i-- > 0 && n < 0;)
        if (take_word(o, s_hints[i].text)) n = s_hints[i].n;
    if (n < 0 && take_word(o, "hint") && (!parse_int(o, &n) || n < 0 || n > 127)) return fail(o, "0 to 127");
    if (n < 0) return fail(o, "a hint");
    return set_field(o, FIELD_CRm, (u32)n >> 3) && set_field(o, FIELD_op2, n & 7);
}

// ---- barriers

static const char *const s_barriers[16] = {[1] = "oshld", [2] = "oshst", [3] = "osh",  [5] = "nshld", [6] = "nshst", [7] = "nsh",
                                           [9] = "ishld", [10] = "ishst", [11] = "ish", [13] = "ld",   [14] = "st",   [15] = "sy"};

void print_BARRIER(Operands *o)
{
    if (s_barriers[o->f.CRm])
        out_printf(o, "%s", s_barriers[o->f.CRm]);
    else
        out_printf(o, "#0x%02x", o->f.CRm);
}

bool parse_BARRIER(Operands *o)
{
    for (u32 i = 0; i < 16; i++)
        if (s_barriers[i] && take_word(o, s_barriers[i])) return set_field(o, FIELD_CRm, i);
    i64 n;
    if (!parse_int(o, &n) || n < 0 || n > 15) return fail(o, "sy, ish, ishld, …");
    return set_field(o, FIELD_CRm, (u32)n);
}

void print_CRM15(Operands *o)
{
    if (o->f.CRm != 15) out_printf(o, " #0x%x", o->f.CRm);
}
bool parse_CRM15(Operands *o)
{
    skip_blanks(o);
    i64 n = 15;
    if (take_word(o, "sy") || !*o->p) return set_field(o, FIELD_CRm, 15);
    if (!parse_int(o, &n) || n < 0 || n > 15) return fail(o, "0 to 15");
    return set_field(o, FIELD_CRm, (u32)n);
}

// ---- PSTATE fields of MSR immediate

static const struct {
    u8 op1, op2;
    const char *name;
} s_pstates[] = {{0, 3, "uao"}, {0, 4, "pan"}, {0, 5, "spsel"}, {3, 1, "ssbs"}, {3, 2, "dit"}, {3, 4, "tco"}, {3, 6, "daifset"}, {3, 7, "daifclr"}};

void print_PSTATE(Operands *o)
{
    for (u32 i = 0; i < ARRAY_LEN(s_pstates); i++)
        if (s_pstates[i].op1 == o->f.op1 && s_pstates[i].op2 == o->f.op2) out_printf(o, "%s", s_pstates[i].name);
}
bool parse_PSTATE(Operands *o)
{
    for (u32 i = 0; i < ARRAY_LEN(s_pstates); i++)
        if (take_word(o, s_pstates[i].name)) return set_field(o, FIELD_op1, s_pstates[i].op1) && set_field(o, FIELD_op2, s_pstates[i].op2);
    return fail(o, "a PSTATE field (spsel, daifset, …)");
}

// ---- SYS

void print_CRN_C(Operands *o) { out_printf(o, "C%u", o->f.CRn); }
void print_CRM_C(Operands *o) { out_printf(o, "C%u", o->f.CRm); }
static bool parse_c(Operands *o, FieldId id)
{
    i64 n;
    skip_blanks(o);
    if (*o->p != 'c') return fail(o, "C0 to C15");
    o->p++;
    return (parse_int(o, &n) && n >= 0 && n < 16 && set_field(o, id, (u32)n)) || fail(o, "C0 to C15");
}
bool parse_CRN_C(Operands *o) { return parse_c(o, FIELD_CRn); }
bool parse_CRM_C(Operands *o) { return parse_c(o, FIELD_CRm); }

void print_OPT_RT(Operands *o)
{
    if (o->f.Rt != 31) out_printf(o, ", x%u", o->f.Rt);
}
bool parse_OPT_RT(Operands *o)
{
    if (!take(o, ",")) return set_field(o, FIELD_Rt, 31);
    return parse_x_reg(o, FIELD_Rt);
}

static const struct {
    const char *text;
    u8 op1, CRn, CRm, op2;
    bool has_rt;
} s_sysops[] = {
#define SYSREG(...)
#define SYSOP(text, op1, CRn, CRm, op2, rt, ...) {text, op1, CRn, CRm, op2, rt},
#include "isa/def/sysregs.def"
#undef SYSOP
#undef SYSREG
};

u32 sysop_find(const IsaFields *f)
{
    for (u32 i = 0; i < ARRAY_LEN(s_sysops); i++)
        if (s_sysops[i].op1 == f->op1 && s_sysops[i].CRn == f->CRn && s_sysops[i].CRm == f->CRm && s_sysops[i].op2 == f->op2)
            return s_sysops[i].has_rt || f->Rt == 31 ? i + 1 : 0;
    return 0;
}

// By-address cache operations take a capability in C64 state.
static bool takes_address(const char *text) { return text[0] != 't' && text[0] != 'a' && strstr(text, "va"); }

void print_SYSOP(Operands *o)
{
    u32 i = sysop_find(&o->f);
    if (!i) return;
    const char *text = s_sysops[i - 1].text;
    out_printf(o, "%s", text);
    if (!s_sysops[i - 1].has_rt) return;
    char c = o->c64 && takes_address(text) ? 'c' : 'x';
    if (o->f.Rt == 31)
        out_printf(o, ", %czr", c);
    else
        out_printf(o, ", %c%u", c, o->f.Rt);
}

// "dc zva, x0": two words with any blanks between them
bool parse_SYSOP(Operands *o)
{
    const char *start = o->p;
    for (u32 i = 0; i < ARRAY_LEN(s_sysops); i++) {
        const char *space = strchr(s_sysops[i].text, ' ');
        char first[8] = {0};
        memcpy(first, s_sysops[i].text, (size_t)(space - s_sysops[i].text));
        o->p = start;
        if (!take_word(o, first)) continue;
        if (!take_word(o, space + 1)) continue;
        if (!set_field(o, FIELD_op1, s_sysops[i].op1) || !set_field(o, FIELD_CRn, s_sysops[i].CRn) ||
            !set_field(o, FIELD_CRm, s_sysops[i].CRm) || !set_field(o, FIELD_op2, s_sysops[i].op2))
            return false;
        if (!s_sysops[i].has_rt) return set_field(o, FIELD_Rt, 31);
        return take(o, ",") ? parse_x_reg(o, FIELD_Rt) : fail(o, "','");
    }
    o->p = start;
    return fail(o, "a cache, address or TLB operation");
}

// ---- system registers

typedef struct SysregName {
    const char *name; // upper case
    char kind;
    u8 op0, op1, CRn, CRm, op2;
} SysregName;

static const SysregName s_sysregs[] = {
#define X 'X'
#define C 'C'
#define SYSREG(name, kind, op0, op1, CRn, CRm, op2, ...) {#name, kind, op0, op1, CRn, CRm, op2},
#include "isa/def/sysregs.def"
#undef SYSREG
#undef X
#undef C
};

static void print_sysreg(Operands *o, char kind)
{
    const IsaFields *f = &o->f;
    for (u32 i = 0; i < ARRAY_LEN(s_sysregs); i++) {
        const SysregName *s = &s_sysregs[i];
        if (s->kind != kind || s->op0 != 2 + f->o0 || s->op1 != f->op1 || s->CRn != f->CRn || s->CRm != f->CRm || s->op2 != f->op2)
            continue;
        for (const char *p = s->name; *p; p++) out_printf(o, "%c", tolower((unsigned char)*p));
        return;
    }
    out_printf(o, "s%u_%u_c%u_c%u_%u", 2 + f->o0, f->op1, f->CRn, f->CRm, f->op2);
}

static bool set_sysreg(Operands *o, u32 op0, u32 op1, u32 CRn, u32 CRm, u32 op2)
{
    if (op0 < 2 || op0 > 3) return fail(o, "op0 of 2 or 3");
    return set_field(o, FIELD_o0, op0 - 2) && set_field(o, FIELD_op1, op1) && set_field(o, FIELD_CRn, CRn) &&
           set_field(o, FIELD_CRm, CRm) && set_field(o, FIELD_op2, op2);
}

static bool parse_sysreg(Operands *o, char kind)
{
    skip_blanks(o);
    char name[32];
    size_t n = 0;
    while ((isalnum((unsigned char)o->p[n]) || o->p[n] == '_') && n < sizeof name - 1) {
        name[n] = (char)toupper((unsigned char)o->p[n]);
        n++;
    }
    name[n] = 0;
    for (u32 i = 0; i < ARRAY_LEN(s_sysregs); i++) {
        const SysregName *s = &s_sysregs[i];
        if (s->kind != kind || strcmp(s->name, name) != 0) continue;
        o->p += n;
        return set_sysreg(o, s->op0, s->op1, s->CRn, s->CRm, s->op2);
    }
    u32 op0, op1, CRn, CRm, op2;
    int used = 0;
    if (sscanf(name, "S%1u_%1u_C%2u_C%2u_%1u%n", &op0, &op1, &CRn, &CRm, &op2, &used) == 5 && (size_t)used == n) {
        o->p += n;
        return set_sysreg(o, op0, op1, CRn, CRm, op2);
    }
    return fail(o, kind == 'C' ? "a capability system register" : "a system register");
}

void print_SYSREG(Operands *o) { print_sysreg(o, 'X'); }
bool parse_SYSREG(Operands *o) { return parse_sysreg(o, 'X'); }
void print_CAPREG(Operands *o) { print_sysreg(o, 'C'); }
bool parse_CAPREG(Operands *o) { return parse_sysreg(o, 'C'); }

// ---- prefetch: pld|pli|pst, level, keep|strm

void print_PRFOP(Operands *o)
{
    u32 n = o->f.Rt, type = n >> 3, level = n >> 1 & 3;
    if (type == 3 || level == 3)
        out_printf(o, "#0x%02x", n);
    else
        out_printf(o, "%sl%u%s", type == 0 ? "pld" : type == 1 ? "pli" : "pst", level + 1, n & 1 ? "strm" : "keep");
}
bool parse_PRFOP(Operands *o)
{
    for (u32 n = 0; n < 24; n++) {
        char name[16];
        Operands t = {.out = name, .size = sizeof name, .f.Rt = n};
        print_PRFOP(&t);
        if (name[0] != '#' && take_word(o, name)) return set_field(o, FIELD_Rt, n);
    }
    i64 n;
    if (!parse_int(o, &n) || n < 0 || n > 31) return fail(o, "a prefetch operation such as pldl1keep");
    return set_field(o, FIELD_Rt, (u32)n);
}
