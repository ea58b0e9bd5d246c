// help.c: the keys and signs, in a list that scrolls. A line is at most 76 columns wide: all of it is seen on the smallest screen.
#include "ui/view/model.h"

static const char *const lines[] = {
    "STEP   s  one machine instruction           b  one bytecode (Python)",
    "       y  to another line                   n  the same, over calls",
    "       c  run; space stops it               t  breakpoint here, or remove it",
    "       Where a program has no line table, n is one instruction or a call.",
    "",
    "LOOK   Tab, 1-5   another pane        Up Down PgUp PgDn   select, scroll",
    "       Left Right shift the code, to read a line that ends in …",
    "       m  memory where the selected register points      f  follow it again",
    "       z Z  the heap map nearer, farther",
    "",
    "TYPE   :break 12          stop before line 12 (the same again: remove)",
    "       :break NAME        stop at a function or label; also 0xADDRESS",
    "       :until N           run until N instructions are executed in all",
    "       :memory c3         memory there; also a name or 0xADDRESS",
    "       :pane heap         a pane by its name",
    "       :input TEXT        a line of input for the program; :eof ends it",
    "",
    "SIGNS  ▸ runs next        ● breakpoint, left of the code",
    "       * changed by the last step            … something is cut here",
    "       ● valid capability   ○ its tag is gone   · no capability",
    "       rwxRWE  may r load, w store, x execute; R load, W store capabilities;",
    "               E access system state (executive)",
    "       +16/64  16 bytes into an object of 64 bytes; OUT: outside its bounds",
    "       heap, one block a cell: ■ first block of an object  = more of it",
    "               M marked by the collector  · free",
    "       heap, several blocks a cell: · empty ░▒▓ partly █ full",
    "               reverse colours: the next search for room starts here",
    "",
    "All counts are exact. This build models no time: there are no cycles.",
};

void view_help(ViewGrid *g, ViewArea a, ViewModel *v)
{
    enum { HEAD = 2, FOOT = 1 };
    u32 rows = a.h > HEAD + FOOT ? (u32)(a.h - HEAD - FOOT) : 1, n = ARRAY_LEN(lines);
    u32 last_top = n > rows ? n - rows : 0;
    v->help_rows = rows;
    if (v->help_top > last_top) v->help_top = last_top;
    view_put(g, a, 2, 0, VIEW_TITLE, "caplab: keys and signs");
    for (u32 i = 0; i < rows && v->help_top + i < n; i++) view_put(g, a, 2, (int)i + HEAD, VIEW_PLAIN, "%s", lines[v->help_top + i]);
    if (last_top)
        view_put(g, a, 2, a.h - 1, VIEW_NOW, "%s   any other key: back",
                 v->help_top < last_top ? "Down: more" : "Up: the beginning");
    else
        view_put(g, a, 2, a.h - 1, VIEW_NOW, "any key: back");
}
