// operand_reg.c: register operands. A token says class, field and how the size is known; printing turns fields into a letter and a
// number, parsing turns the letter back into the field that it implies (x0 as {Rd} sets sf = 1, d0 as {Fd} sets ftype = 1).
#include "isa/syntax.h"

#include <ctype.h>
#include <stdio.h>

static u32 element_log2(u32 imm5) { return imm5 & 15 ? (u32)__builtin_ctz(imm5) : 3; }

// A register of a row that has a vector and a scalar form: log2 of its element's bytes.
static u32 lane_log2(const Operands *o, const Token *t)
{
    u32 by_shift = isa_shift_log2(o->f.immhb);
    switch (t->qual) {
    case QUAL_DOT_WS: case QUAL_DOT_QL: return o->f.size + 1;
    case QUAL_DOT_QH: return by_shift;
    case QUAL_DOT_WH: return by_shift + 1;
    default: return o->f.size;
    }
}
static bool has_scalar_form(const Token *t)
{
    return t->qual == QUAL_DOT_QS || t->qual == QUAL_DOT_WS || t->qual == QUAL_DOT_QH || t->qual == QUAL_DOT_WH;
}

// The letter of the register that t stands for.
static char reg_letter(const Operands *o, const Token *t)
{
    const IsaFields *f = &o->f;
    switch (t->cls) {
    case 'G': return o->c64 ? 'c' : 'x';
    case 'B': return o->c64 ? 'c' : 'x';
    case 'A': return o->c64 ? 'x' : 'c';
    case 'F': return "sd?h"[t->qual == QUAL_OPC ? f->opc : t->qual == QUAL_VSZ ? f->vsz : f->ftype];
    case 'R':
        switch (t->qual) {
        case QUAL_EXT: return (f->option & 3) == 3 ? 'x' : 'w';
        case QUAL_EXTR: return f->sf && (f->option & 3) == 3 ? 'x' : 'w';
        case QUAL_W32: return f->w32 ? 'w' : 'x';
        case QUAL_SIZE: return f->size == 3 ? 'x' : 'w';
        case QUAL_B5: return f->b5 ? 'x' : 'w';
        case QUAL_Q: return f->Q ? 'x' : 'w';
        case QUAL_E5: return element_log2(f->imm5) == 3 ? 'x' : 'w';
        default: return f->sf ? 'x' : 'w';
        }
    case 'V':
        switch (t->qual) {
        case QUAL_SIZE: return f->opq ? 'q' : "bhsd"[f->size];
        case QUAL_VSIZE: return "sdq?"[f->vsize];
        case QUAL_SIZE1: return "bhsd"[f->size];
        case QUAL_SIZE2: return "hsd?"[f->size];
        case QUAL_E5: return "bhsd"[element_log2(f->imm5)];
        default: return f->sc && has_scalar_form(t) ? "bhsdq"[lane_log2(o, t)] : 'v';
        }
    default: return (char)tolower(t->cls);
    }
}

static void print_arrangement(Operands *o, const Token *t)
{
    static const char *const name[5][2] = {{"8b", "16b"}, {"4h", "8h"}, {"2s", "4s"}, {"1d", "2d"}, {"1q", "1q"}};
    const IsaFields *f = &o->f;
    u32 e = element_log2(f->imm5);
    if (f->sc && has_scalar_form(t)) return;
    switch (t->qual) {
    case QUAL_DOT_Q8: out_printf(o, ".%s", name[0][f->Q]); break;
    case QUAL_DOT_Q2: out_printf(o, ".%s", name[1][f->Q]); break;
    case QUAL_DOT_Q4: out_printf(o, ".%s", name[2][f->Q]); break;
    case QUAL_DOT_QS: case QUAL_DOT_QL: case QUAL_DOT_QH: out_printf(o, ".%s", name[lane_log2(o, t)][f->Q]); break;
    case QUAL_DOT_WS: case QUAL_DOT_WH: out_printf(o, ".%s", name[lane_log2(o, t)][1]); break;
    case QUAL_DOT_ES: out_printf(o, ".%c[%u]", "bhsd"[f->size], f->size == 1 ? f->H << 2 | f->L << 1 | f->Rm >> 4 : f->H << 1 | f->L); break;
    case QUAL_DOT_EB: out_printf(o, ".4b[%u]", f->H << 1 | f->L); break;
    case QUAL_DOT_Q5: out_printf(o, ".%s", name[e][f->Q]); break;
    case QUAL_DOT_E5: out_printf(o, ".%c[%u]", "bhsd"[e], f->imm5 >> (e + 1)); break;
    case QUAL_DOT_E4: out_printf(o, ".%c[%u]", "bhsd"[e], f->imm4 >> e); break;
    default: break;
    }
}

void print_reg(Operands *o, const Token *t)
{
    char c = reg_letter(o, t);
    u32 n = (field_get(&o->f, t->field) + t->plus) & 31;
    if (t->qual == QUAL_DOT_ES && o->f.size == 1) n &= 15;
    if (n == 31 && strchr("wxc", c)) {
        if (!t->sp)
            out_printf(o, "%czr", c);
        else
            out_printf(o, "%s", c == 'x' ? "sp" : c == 'w' ? "wsp" : "csp");
        return;
    }
    out_printf(o, "%c%u", c, n);
    print_arrangement(o, t);
}

typedef struct RegText {
    char letter; // w x c b h s d q v
    u32 n;
    bool is_sp;
} RegText;

static bool lex_reg(Operands *o, RegText *r)
{
    static const struct {
        const char *name;
        RegText reg;
    } names[] = {{"sp", {'x', 31, true}},   {"wsp", {'w', 31, true}},  {"csp", {'c', 31, true}},  {"xzr", {'x', 31, false}},
                 {"wzr", {'w', 31, false}}, {"czr", {'c', 31, false}}, {"lr", {'x', 30, false}},  {"clr", {'c', 30, false}},
                 {"fp", {'x', 29, false}},  {"cfp", {'c', 29, false}}};
    for (u32 i = 0; i < ARRAY_LEN(names); i++) {
        if (!take_word(o, names[i].name)) continue;
        *r = names[i].reg;
        return true;
    }
    const char *p = o->p;
    if (!*p || !strchr("wxcbhsdqv", *p) || !isdigit((unsigned char)p[1])) return fail(o, "a register");
    r->letter = *p++;
    r->n = (u32)(*p++ - '0');
    if (isdigit((unsigned char)*p)) {
        if (r->n == 0) return fail(o, "a register");
        r->n = r->n * 10 + (u32)(*p++ - '0');
    }
    bool is_vector = strchr("bhsdqv", r->letter);
    if (isalnum((unsigned char)*p) || *p == '_' || r->n > (is_vector ? 31 : 30)) return fail(o, "a register");
    o->p = p;
    r->is_sp = false;
    return true;
}

// Sets an element size, from a letter or an arrangement; -1 agrees with anything.
static bool set_element(Operands *o, u32 e)
{
    if (o->element >= 0 && (u32)o->element != e) return fail(o, "an element of the same size");
    o->element = (i8)e;
    return true;
}

// The size field, or the element size until the shift tells immhb, from log2 of the bytes of a lane of t.
static bool set_lanes(Operands *o, const Token *t, u32 e)
{
    switch (t->qual) {
    case QUAL_DOT_QS: return set_field(o, FIELD_size, e);
    case QUAL_DOT_WS: case QUAL_DOT_QL: return (e > 0 && set_field(o, FIELD_size, e - 1)) || fail(o, "an element of twice the size");
    case QUAL_DOT_WH: return (e > 0 && set_element(o, e - 1)) || fail(o, "an element of twice the size");
    default: return set_element(o, e); // QUAL_DOT_Q5, QUAL_DOT_QH
    }
}

// Vector or scalar form, by the register's letter; k: log2 of the scalar register's bytes.
static bool set_form(Operands *o, const Token *t, char c, u32 k)
{
    bool is_scalar = c != 'v';
    if (!strstr(o->row->info.pattern, " sc ") || !has_scalar_form(t)) return !is_scalar || fail(o, "a V register");
    if (is_scalar && k > 3) return fail(o, "a V, B, H, S or D register");
    if (!set_field(o, FIELD_sc, is_scalar)) return false;
    if (!is_scalar) return true;
    return set_field(o, FIELD_Q, 1) && set_lanes(o, t, k);
}

// The field that a register's letter implies; false if this class has no such letter.
static bool set_letter(Operands *o, const Token *t, char c)
{
    bool is_x = c == 'x';
    switch (t->cls) {
    case 'R':
        if (c != 'w' && c != 'x') return fail(o, "an X or W register");
        switch (t->qual) {
        case QUAL_EXT: case QUAL_EXTR: o->rm_is_x = is_x; return true;
        case QUAL_W32: return set_field(o, FIELD_w32, !is_x);
        case QUAL_SIZE:
            if (o->known >> FIELD_size & 1) return (o->f.size == 3) == is_x || fail(o, "a register of the other width");
            return is_x ? set_field(o, FIELD_size, 3) : set_field(o, FIELD_size, 2);
        case QUAL_B5: o->rm_is_x = is_x; return true; // the bit number checks it
        case QUAL_Q: return set_field(o, FIELD_Q, is_x);
        case QUAL_E5: return is_x ? set_element(o, 3) : o->element != 3 || fail(o, "an X register");
        default: return set_field(o, FIELD_sf, is_x);
        }
    case 'F':
        if (c != 's' && c != 'd') return fail(o, "an S or D register");
        return set_field(o, t->qual == QUAL_OPC ? FIELD_opc : t->qual == QUAL_VSZ ? FIELD_vsz : FIELD_ftype, c == 'd');
    case 'V': {
        static const char letters[] = "bhsdq";
        const char *at = strchr(letters, c);
        u32 k = at ? (u32)(at - letters) : 9;
        switch (t->qual) {
        case QUAL_SIZE: return (k <= 4 && set_field(o, FIELD_size, k & 3) && set_field(o, FIELD_opq, k == 4)) || fail(o, "a B, H, S, D or Q register");
        case QUAL_VSIZE: return (k >= 2 && k <= 4 && set_field(o, FIELD_vsize, k - 2)) || fail(o, "an S, D or Q register");
        case QUAL_SIZE1: return (k <= 2 && set_field(o, FIELD_size, k)) || fail(o, "a B, H or S register");
        case QUAL_SIZE2: return (k >= 1 && k <= 3 && set_field(o, FIELD_size, k - 1)) || fail(o, "an H, S or D register");
        case QUAL_E5: return (k <= 3 && set_element(o, k)) || fail(o, "a B, H, S or D register");
        default: return set_form(o, t, c, k);
        }
    }
    default: return reg_letter(o, t) == c || fail(o, "another kind of register");
    }
}

// ".16b" (lanes 16), ".b" (lanes 0)
static bool lex_arrangement(Operands *o, u32 *e, u32 *lanes)
{
    const char *p = o->p + 1;
    if (*o->p != '.') return fail(o, "an arrangement such as .16b");
    for (*lanes = 0; isdigit((unsigned char)*p) && *lanes < 100; p++) *lanes = *lanes * 10 + (u32)(*p - '0');
    static const char letters[] = "bhsdq";
    const char *at = *p ? strchr(letters, *p) : NULL;
    if (!at) return fail(o, "an arrangement such as .16b");
    *e = (u32)(at - letters);
    o->p = p + 1;
    return true;
}

bool parse_vector_reg(Operands *o, u32 *n, u32 *e, u32 *lanes)
{
    RegText r;
    if (!lex_reg(o, &r)) return false;
    *n = r.n;
    return (r.letter == 'v' || fail(o, "a V register")) && lex_arrangement(o, e, lanes);
}

// "[i]" of a by-element operand: of halfwords the lowest index bit is the top bit of Rm, of .4b (dot product) it counts words.
static bool parse_index(Operands *o, const Token *t, u32 e, u32 lanes, u32 *n)
{
    i64 i;
    bool is_bytes = t->qual == QUAL_DOT_EB;
    if (is_bytes ? e != 0 || lanes != 4 : lanes || !set_field(o, FIELD_size, e)) return fail(o, is_bytes ? "a group such as .4b[1]" : "an element such as .s[1]");
    if (!take(o, "[") || !parse_int(o, &i) || !take(o, "]")) return fail(o, "an index");
    if (i < 0 || i >= (e == 1 ? 8 : 4)) return fail(o, "an index within the register");
    if (e == 1) {
        if (*n > 15) return fail(o, "a register below 16 (of halfwords)");
        *n |= ((u32)i & 1) << 4;
        i >>= 1;
    }
    return set_field(o, FIELD_H, (u32)i >> 1) && set_field(o, FIELD_L, (u32)i & 1);
}

// *n: the register's number, which takes in an index bit.
static bool parse_arrangement(Operands *o, const Token *t, u32 *n)
{
    u32 e, lanes;
    if (!lex_arrangement(o, &e, &lanes)) return false;
    u32 bytes = lanes << e;
    if (t->qual == QUAL_DOT_ES || t->qual == QUAL_DOT_EB) return parse_index(o, t, e, lanes, n);
    if (t->qual == QUAL_DOT_E5 || t->qual == QUAL_DOT_E4) {
        i64 index;
        if (lanes || !set_element(o, e) || !take(o, "[") || !parse_int(o, &index) || !take(o, "]")) return fail(o, "an element such as .d[1]");
        if (index < 0 || index >= 16 >> e) return fail(o, "an index within the register");
        if (t->qual == QUAL_DOT_E4) return set_field(o, FIELD_imm4, (u32)index << e);
        return set_field(o, FIELD_imm5, (u32)index << (e + 1) | 1U << e);
    }
    if (t->qual == QUAL_DOT_WS || t->qual == QUAL_DOT_WH) return (bytes == 16 && set_lanes(o, t, e)) || fail(o, "an arrangement of 16 bytes");
    if ((bytes != 8 && bytes != 16) || !set_field(o, FIELD_Q, bytes == 16)) return fail(o, "an arrangement of the same width");
    switch (t->qual) {
    case QUAL_DOT_Q8: return e == 0 || fail(o, ".8b or .16b");
    case QUAL_DOT_Q2: return e == 1 || fail(o, ".4h or .8h");
    case QUAL_DOT_Q4: return e == 2 || fail(o, ".2s or .4s");
    default: return set_lanes(o, t, e);
    }
}

bool parse_reg(Operands *o, const Token *t)
{
    const char *start = o->p;
    RegText r;
    if (!lex_reg(o, &r)) return false;
    bool ok = set_letter(o, t, r.letter);
    if (ok && r.n == 31 && strchr("wxc", r.letter) && r.is_sp != t->sp)
        ok = fail(o, t->sp ? "the stack pointer or a register below 31" : "a register other than the stack pointer");
    if (ok && t->qual >= QUAL_DOT_Q8 && r.letter == 'v' && !parse_arrangement(o, t, &r.n)) return false;
    if (ok) {
        if (t->plus)
            ok = r.n == ((field_get(&o->f, t->field) + 1) & 31) || fail(o, "the register after the first");
        else
            ok = set_field(o, t->field, r.n);
    }
    if (!ok) o->p = start;
    return ok;
}

bool parse_x_reg(Operands *o, FieldId id)
{
    RegText r;
    if (!lex_reg(o, &r)) return false;
    return ((r.letter == 'x' || r.letter == 'c') && !r.is_sp && set_field(o, id, r.n)) || fail(o, "an X register");
}
