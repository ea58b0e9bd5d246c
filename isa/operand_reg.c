// operand_reg.c: register operands. A token says class, field and how the size is known; printing turns fields into a letter and a
// number, parsing turns the letter back into the field that it implies (x0 as {Rd} sets sf = 1, d0 as {Fd} sets ftype = 1).
#include "isa/syntax.h"

#include <ctype.h>
#include <stdio.h>

static u32 element_log2(u32 imm5) { return imm5 & 15 ? (u32)__builtin_ctz(imm5) : 3; }

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
        default: return 'v';
        }
    default: return (char)tolower(t->cls);
    }
}

static void print_arrangement(Operands *o, const Token *t)
{
    static const char *const name[4][2] = {{"8b", "16b"}, {"4h", "8h"}, {"2s", "4s"}, {"1d", "2d"}};
    const IsaFields *f = &o->f;
    u32 e = element_log2(f->imm5);
    switch (t->qual) {
    case QUAL_DOT_Q8: out_printf(o, ".%s", name[0][f->Q]); break;
    case QUAL_DOT_Q2: out_printf(o, ".%s", name[1][f->Q]); break;
    case QUAL_DOT_Q4: out_printf(o, ".%s", name[2][f->Q]); break;
    case QUAL_DOT_QS: out_printf(o, ".%s", name[f->size][f->Q]); break;
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
        default: return c == 'v' || fail(o, "a V register");
        }
    }
    default: return reg_letter(o, t) == c || fail(o, "another kind of register");
    }
}

static bool parse_arrangement(Operands *o, const Token *t)
{
    if (*o->p != '.') return fail(o, "an arrangement such as .16b");
    const char *p = o->p + 1;
    u32 lanes = 0;
    while (isdigit((unsigned char)*p) && lanes < 100) lanes = lanes * 10 + (u32)(*p++ - '0');
    static const char letters[] = "bhsd";
    const char *at = *p ? strchr(letters, *p) : NULL;
    if (!at) return fail(o, "an arrangement such as .16b");
    u32 e = (u32)(at - letters), bytes = lanes << e;
    o->p = p + 1;
    if (t->qual == QUAL_DOT_E5 || t->qual == QUAL_DOT_E4) {
        i64 index;
        if (lanes || !set_element(o, e) || !take(o, "[") || !parse_int(o, &index) || !take(o, "]")) return fail(o, "an element such as .d[1]");
        if (index < 0 || index >= 16 >> e) return fail(o, "an index within the register");
        if (t->qual == QUAL_DOT_E4) return set_field(o, FIELD_imm4, (u32)index << e);
        return set_field(o, FIELD_imm5, (u32)index << (e + 1) | 1U << e);
    }
    if ((bytes != 8 && bytes != 16) || !set_field(o, FIELD_Q, bytes == 16)) return fail(o, "an arrangement of the same width");
    switch (t->qual) {
    case QUAL_DOT_Q8: return e == 0 || fail(o, ".8b or .16b");
    case QUAL_DOT_Q2: return e == 1 || fail(o, ".4h or .8h");
    case QUAL_DOT_Q4: return e == 2 || fail(o, ".2s or .4s");
    case QUAL_DOT_QS: return set_field(o, FIELD_size, e);
    default: return set_element(o, e); // QUAL_DOT_Q5
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
    if (ok && t->qual >= QUAL_DOT_Q8 && !parse_arrangement(o, t)) return false;
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
