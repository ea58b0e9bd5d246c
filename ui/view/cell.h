// cell.h: a rectangle of styled characters: what every view draws into and every surface (terminal, window, text) shows.
//
//     ViewGrid *g = view_grid_new(80, 24);
//     view_put(g, view_area(g), 2, 0, VIEW_TITLE, "heap %s", name);   // column 2, row 0 of the area; clipped to it
//
// A meaning is never carried by colour alone: views choose a glyph as well, so plain text loses nothing.
#ifndef CAPLAB_UI_VIEW_CELL_H
#define CAPLAB_UI_VIEW_CELL_H

#include "base/buf.h"

// VIEW_STYLES(X): NAME, foreground, background (indices of VIEW_COLORS, -1 default), bold, dim, reverse, meaning
#define VIEW_STYLES(X)                                                                                       \
    X(PLAIN, -1, -1, 0, 0, 0, "text") X(DIM, -1, -1, 0, 1, 0, "less important")                                \
    X(BOLD, -1, -1, 1, 0, 0, "important") X(TITLE, SKY, -1, 1, 0, 0, "title of a pane")                        \
    X(FOCUS, -1, -1, 1, 0, 1, "title of the pane that has the keys") X(BAR, -1, -1, 0, 0, 1, "status and key bars") \
    X(PC, ORANGE, -1, 1, 0, 0, "what runs next") X(NOW, YELLOW, -1, 1, 0, 0, "changed by this step")           \
    X(BREAK, VERMILION, -1, 1, 0, 0, "breakpoint") X(TAGGED, GREEN, -1, 1, 0, 0, "a valid capability")         \
    X(INVALID, VERMILION, -1, 0, 0, 0, "capability without tag") X(FREE, -1, -1, 0, 1, 0, "free block")         \
    X(HEAD, SKY, -1, 1, 0, 0, "first block of an object") X(TAIL, BLUE, -1, 0, 0, 0, "further block of an object") \
    X(MARK, PURPLE, -1, 1, 0, 0, "object marked by the collector") X(SEARCH, ORANGE, -1, 1, 0, 1, "where the next search starts") \
    X(ERROR, VERMILION, -1, 1, 0, 0, "fault or error")
typedef enum ViewStyle {
#define X(name, ...) VIEW_##name,
    VIEW_STYLES(X)
#undef X
        VIEW_STYLE_COUNT
} ViewStyle;

// The Okabe–Ito palette, told apart by colour-blind readers too. VIEW_COLORS(X): NAME, rgb, nearest of the 8 terminal colours
#define VIEW_COLORS(X)                                                                                       \
    X(ORANGE, 0xe69f00, 3) X(SKY, 0x56b4e9, 6) X(GREEN, 0x009e73, 2) X(YELLOW, 0xf0e442, 3)                    \
    X(BLUE, 0x0072b2, 4) X(VERMILION, 0xd55e00, 1) X(PURPLE, 0xcc79a7, 5)
enum {
#define X(name, rgb, ansi) VIEW_COLOR_##name,
    VIEW_COLORS(X)
#undef X
        VIEW_COLOR_COUNT
};

typedef struct ViewCell {
    u32 ch; // Unicode; 0: the right half of the wide character before
    u8 style;
} ViewCell;

typedef struct ViewGrid {
    int w, h;
    bool ascii;      // replace line-drawing and block glyphs by ASCII ones
    ViewCell *cells; // h rows of w
} ViewGrid;

typedef struct ViewArea {
    int x, y, w, h;
} ViewArea;

ViewGrid *view_grid_new(int w, int h); // blank
void view_grid_free(ViewGrid *g);
void view_clear(ViewGrid *g);
static inline ViewArea view_area(const ViewGrid *g) { return (ViewArea){0, 0, g->w, g->h}; }

// Text at column x, row y of the area, clipped to it and then marked with '…'; UTF-8 in; control characters become '?'. Returns the column
// behind the text.
int view_put(ViewGrid *g, ViewArea a, int x, int y, ViewStyle s, const char *fmt, ...) PRINTF_LIKE(6, 7);
// The same without its first `skip` columns ('…' in their place), for text that is scrolled sideways.
int view_put_from(ViewGrid *g, ViewArea a, int x, int y, ViewStyle s, int skip, const char *fmt, ...) PRINTF_LIKE(7, 8);
void view_put_char(ViewGrid *g, ViewArea a, int x, int y, ViewStyle s, u32 ch);
// The next character of NUL-terminated UTF-8 (a malformed byte is a '?'), and the columns that it takes: 0, 1 or 2.
u32 view_next_char(const u8 **p);
int view_char_width(u32 ch);
int view_text_width(const char *text, int len); // columns of a line
void view_fill_row(ViewGrid *g, ViewArea a, int y, ViewStyle s, u32 ch); // the whole row of the area
void view_restyle_row(ViewGrid *g, ViewArea a, int y, ViewStyle s);

// The grid as lines of UTF-8 text, trailing blanks cut.
void view_to_text(const ViewGrid *g, Buf *out);
// 1234567 → "1,234,567" (out at least 32 bytes; returns out).
char *view_thousands(u64 n, char out[32]);

#endif
