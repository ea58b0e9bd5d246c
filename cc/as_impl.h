// as_impl.h: what as.c (lines and instructions), as_expr.c (expressions) and as_data.c (directives) share.
#ifndef CAPLAB_CC_AS_IMPL_H
#define CAPLAB_CC_AS_IMPL_H

#include "cc/as.h"

typedef struct As {
    LkUnit *u;
    CcAbi abi;
    Err *err;
    const char *file;
    const char *line_start; // of the current line, for the caret
    u32 line;
    u32 base_line;      // asm(): the line of its first line
    bool is_inline;     // asm(): positions have no column
    const char *p;      // the next character
    const char *stmt;   // where the statement began
    LkSection *section, *previous;
    VEC(LkSection *) stack;              // .pushsection
    u32 numeric[10];                     // last definition of 0: … 9:, LK_NO_SYMBOL
    u32 numeric_next[10];                // symbol that the next one will define
    VEC(struct AsConst { const char *name; i64 value; }) consts; // .set NAME, number
} As;

// symbol + value - minus; LK_NO_SYMBOL where there is none.
typedef struct AsValue {
    u32 symbol, minus;
    i64 value;
} AsValue;

SrcPos as_pos(const As *a, const char *at);
LkPlace as_place(const As *a); // of the statement
bool as_fail(As *a, const char *at, const char *fmt, ...) PRINTF_LIKE(3, 4);
void as_space(As *a);                  // skips blanks and comments within the statement
bool as_at_end(const As *a);           // at the end of the statement
bool as_take(As *a, char c);           // skips c if it comes next
bool as_word(As *a, const char **start, u32 *len); // name: letters, digits, . _ $
bool as_is_name_char(char c);
u32 as_symbol(As *a, const char *name, u32 len, const char *at);
u64 as_here(const As *a);              // offset in the section
u32 as_here_symbol(As *a);             // a local symbol at this place

bool as_expr(As *a, AsValue *out);     // as_expr.c
bool as_const(As *a, i64 *out);        // an expression without symbols
bool as_directive(As *a, const char *name, u32 len, const char *at); // as_data.c
bool as_set(As *a, const char *name, u32 len); // after "NAME =" or ".set NAME,"

#endif
