// cell.c: drawing text into cells, and cells as plain text.
#include "ui/view/cell.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

ViewGrid *view_grid_new(int w, int h)
{
    CHECK(w > 0 && h > 0, "grid %dx%d", w, h);
    ViewGrid *g = xalloc(sizeof *g);
    *g = (ViewGrid){.w = w, .h = h, .cells = xalloc(sizeof(ViewCell) * (size_t)w * (size_t)h)};
    view_clear(g);
    return g;
}

void view_grid_free(ViewGrid *g)
{
    if (!g) return;
    free(g->cells);
    free(g);
}

void view_clear(ViewGrid *g)
{
    for (int i = 0; i < g->w * g->h; i++) g->cells[i] = (ViewCell){' ', VIEW_PLAIN};
}

// Glyphs of the views and what stands for them where only ASCII can be shown.
static u32 ascii_of(u32 ch)
{
    static const struct {
        u32 ch;
        char ascii;
    } table[] = {{0x25b8, '>'}, {0x25cf, '*'}, {0x25cb, 'o'}, {0x00b7, '.'}, {0x2588, '#'}, {0x2593, '%'},
                 {0x2592, '+'}, {0x2591, '-'}, {0x2502, '|'}, {0x2500, '-'}, {0x2550, '='}, {0x25a0, 'H'},
                 {0x2026, '~'}};
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        if (table[i].ch == ch) return (u32)table[i].ascii;
    return ch < 0x80 ? ch : '?';
}

void view_put_char(ViewGrid *g, ViewArea a, int x, int y, ViewStyle s, u32 ch)
{
    int gx = a.x + x, gy = a.y + y;
    if (x < 0 || y < 0 || x >= a.w || y >= a.h || gx < 0 || gy < 0 || gx >= g->w || gy >= g->h) return;
    if (ch < 0x20 || (ch >= 0x7f && ch < 0xa0)) ch = '?';
    if (!g->ascii && view_char_width(ch) == 2 && (x + 1 >= a.w || gx + 1 >= g->w)) ch = '?'; // half of it would be outside
    ViewCell *c = &g->cells[gy * g->w + gx];
    if (!c->ch && gx > 0) c[-1].ch = ' '; // the rest of a wide character is no character
    if (gx + 1 < g->w && !c[1].ch) c[1].ch = ' ';
    *c = (ViewCell){g->ascii ? ascii_of(ch) : ch, (u8)s};
    if (view_char_width(c->ch) == 2) c[1] = (ViewCell){0, (u8)s};
}

// Terminals give East Asian characters and pictures two columns, and put combining marks over the character before. Not the whole of
// Unicode's table, but the blocks that a student's program prints.
int view_char_width(u32 ch)
{
    static const struct {
        u32 first, last;
        int width;
    } blocks[] = {{0x300, 0x36f, 0}, {0x1100, 0x115f, 2}, {0x200b, 0x200f, 0}, {0x20d0, 0x20ff, 0}, {0x2e80, 0x303e, 2},
                  {0x3041, 0xa4cf, 2}, {0xac00, 0xd7a3, 2}, {0xf900, 0xfaff, 2}, {0xfe00, 0xfe0f, 0}, {0xfe30, 0xfe6f, 2},
                  {0xff00, 0xff60, 2}, {0xffe0, 0xffe6, 2}, {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2}, {0x1f900, 0x1faff, 2},
                  {0x20000, 0x3fffd, 2}};
    for (size_t i = 0; i < ARRAY_LEN(blocks) && ch >= blocks[i].first; i++)
        if (ch <= blocks[i].last) return blocks[i].width;
    return 1;
}

u32 view_next_char(const u8 **p)
{
    u32 c = *(*p)++;
    if (c < 0x80) return c;
    u32 more = c >= 0xf0 && c < 0xf8 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
    if (!more || c >= 0xf8) return '?';
    u32 ch = c & (0x3fu >> more);
    for (u32 i = 0; i < more; i++) {
        if ((**p & 0xc0) != 0x80) return '?';
        ch = ch << 6 | (*(*p)++ & 0x3f);
    }
    return ch;
}

enum { TAB = 4, ELLIPSIS = 0x2026 };

static int advance(int column, u32 ch)
{
    return ch == '\t' ? TAB - column % TAB : view_char_width(ch);
}

int view_text_width(const char *text, int len)
{
    int column = 0;
    for (const u8 *p = (const u8 *)text, *end = p + len; p < end;) column += advance(column, view_next_char(&p));
    return column;
}

static int put_text(ViewGrid *g, ViewArea a, int x, int y, ViewStyle s, int skip, const char *text)
{
    int column = 0;
    u32 last = ' ';
    for (const u8 *p = (const u8 *)text; *p;) {
        u32 ch = view_next_char(&p);
        int wide = advance(column, ch);
        if (g->ascii && ch != '\t' && wide == 2) wide = 1;
        for (int i = 0; i < (ch == '\t' ? wide : wide > 0); i++)
            if (column + i >= skip) view_put_char(g, a, x + column + i - skip, y, s, ch == '\t' ? ' ' : ch);
        column += wide;
        last = ch;
    }
    if (skip > 0 && column > 0) view_put_char(g, a, x, y, s, ELLIPSIS);
    int end = x + (column > skip ? column - skip : 0);
    if (end > a.w && (end > a.w + 1 || last != ' ')) view_put_char(g, a, a.w - 1, y, s, ELLIPSIS);
    return end;
}

int view_put(ViewGrid *g, ViewArea a, int x, int y, ViewStyle s, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return put_text(g, a, x, y, s, 0, text);
}

int view_put_from(ViewGrid *g, ViewArea a, int x, int y, ViewStyle s, int skip, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return put_text(g, a, x, y, s, skip, text);
}

void view_fill_row(ViewGrid *g, ViewArea a, int y, ViewStyle s, u32 ch)
{
    for (int x = 0; x < a.w; x++) view_put_char(g, a, x, y, s, ch);
}

void view_restyle_row(ViewGrid *g, ViewArea a, int y, ViewStyle s)
{
    for (int x = 0; x < a.w && y < a.h; x++) g->cells[(a.y + y) * g->w + a.x + x].style = (u8)s;
}

static void add_utf8(Buf *out, u32 ch)
{
    if (ch < 0x80) {
        buf_add_int(out, ch, 1);
    } else if (ch < 0x800) {
        buf_add_int(out, (0xc0 | ch >> 6) | (0x80 | (ch & 0x3f)) << 8, 2);
    } else if (ch < 0x10000) {
        buf_add_int(out, (0xe0 | ch >> 12) | (0x80 | (ch >> 6 & 0x3f)) << 8 | (0x80 | (ch & 0x3f)) << 16, 3);
    } else {
        buf_add_int(out, (0xf0 | ch >> 18) | (0x80 | (ch >> 12 & 0x3f)) << 8 | (0x80 | (ch >> 6 & 0x3f)) << 16 |
                             (u64)(0x80 | (ch & 0x3f)) << 24, 4);
    }
}

void view_to_text(const ViewGrid *g, Buf *out)
{
    for (int y = 0; y < g->h; y++) {
        int end = g->w;
        while (end > 0 && g->cells[y * g->w + end - 1].ch == ' ') end--;
        for (int x = 0; x < end; x++)
            if (g->cells[y * g->w + x].ch) add_utf8(out, g->cells[y * g->w + x].ch);
        buf_add(out, "\n", 1);
    }
}

char *view_thousands(u64 n, char out[32])
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    int to = 0;
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0) out[to++] = ',';
        out[to++] = digits[i];
    }
    out[to] = 0;
    return out;
}
