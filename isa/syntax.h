// syntax.h: instruction text, for the files of isa/ only. A row's or alias's syntax string is cut into tokens once; printing and
// parsing walk the same tokens, and each operand kind (def/operands.def) has one print and one parse function over IsaFields.
//
//     "add {Rd|SP}, {Rn|SP}, {imm12<<sh}"   text "add ", register, text ", ", register, text ", ", kind IMM12
#ifndef CAPLAB_ISA_SYNTAX_H
#define CAPLAB_ISA_SYNTAX_H

#include "isa/table.h"

typedef enum OperandKind {
    OPERAND_TEXT,
    OPERAND_REG,
#define OPERAND(id, ...) OPERAND_##id,
#include "isa/def/operands.def"
#undef OPERAND
    OPERAND_COUNT
} OperandKind;

// How the register's letter (w, x, d …) or arrangement (16b) is found; see operand_reg.c.
typedef enum RegQual {
    QUAL_NONE, QUAL_EXT, QUAL_EXTR, QUAL_W32, QUAL_SIZE, QUAL_B5, QUAL_Q, QUAL_E5, QUAL_OPC, QUAL_VSZ, QUAL_VSIZE, QUAL_SIZE1, QUAL_SIZE2,
    QUAL_DOT_Q8, QUAL_DOT_QS, QUAL_DOT_Q5, QUAL_DOT_Q4, QUAL_DOT_Q2, QUAL_DOT_E5, QUAL_DOT_E4,
    QUAL_DOT_WS, QUAL_DOT_QL, QUAL_DOT_QH, QUAL_DOT_WH, QUAL_DOT_ES, QUAL_DOT_EB,
} RegQual;

typedef struct Token {
    const char *text; // borrowed from the syntax string
    u8 len, kind;
    // OPERAND_REG
    char cls;         // R by sf, G by state, B and A base registers, F by ftype, V vector, or the letter itself
    u8 field, qual, plus; // plus: 1 = the register after it
    bool sp;          // 31 is the stack pointer
} Token;

// Printing into out, or parsing from p; the fields so far.
typedef struct Operands {
    const Row *row;
    IsaFields f;
    bool c64;
    u64 pc;
    // printing
    char *out;
    size_t size, len;
    // parsing
    const char *p;
    u128 known;       // bit per FieldId: already given by an earlier operand or an alias
    bool rm_is_x;     // Rm of an extended operand was written as X
    i8 element;       // log2 of the element size that earlier operands imply; -1 none
    const char *why;  // what was expected where p stands, when parsing fails
} Operands;

const Token *syntax_compile(const char *syntax, u8 *n); // lives as long as the program
void syntax_print(Operands *o, const Token *t, u32 n);
bool syntax_parse(Operands *o, const Token *t, u32 n);
// The syntax as a person reads it: "add <Xd|SP>, <Xn|SP>, #<imm12>{, lsl #12}".
void syntax_describe(const Token *t, u32 n, char *out, size_t size);

// For operands.
void out_printf(Operands *o, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool set_field(Operands *o, FieldId id, u32 v);  // false if it does not fit or an earlier operand said otherwise
bool fail(Operands *o, const char *why);         // returns false
void skip_blanks(Operands *o);
bool take(Operands *o, const char *text);        // text comes next (blanks ignored): consume it
bool take_word(Operands *o, const char *word);   // likewise, not followed by a letter or digit
bool parse_int(Operands *o, i64 *v);             // [#][-]decimal or 0x…
void print_reg(Operands *o, const Token *t);
bool parse_reg(Operands *o, const Token *t);
bool parse_x_reg(Operands *o, FieldId id);       // Xn
bool parse_vector_reg(Operands *o, u32 *n, u32 *e, u32 *lanes); // Vn.16b (e = log2 of an element's bytes); lanes 0: Vn.b
IsaVList vlist_of(const Row *r, const IsaFields *f);
u32 sysop_find(const IsaFields *f);              // the SYS operation that has a name: index + 1, or 0

#endif
