// svg.c: runs of equally styled cells become <text> elements on a character grid.
#include "ui/export/svg.h"

enum { CELL_W = 9, CELL_H = 19, BASELINE = 14 };

typedef struct StyleDef {
    int fg;
    bool bold, dim, reverse;
} StyleDef;

enum { // short names for the table of styles
#define X(name, rgb, ansi) name = VIEW_COLOR_##name,
    VIEW_COLORS(X)
#undef X
};
static const StyleDef style_defs[] = {
#define X(name, fg, bg, bold, dim, reverse, text) {fg, bold, dim, reverse},
    VIEW_STYLES(X)
#undef X
};
static const u32 palette[] = {
#define X(name, rgb, ansi) rgb,
    VIEW_COLORS(X)
#undef X
};
enum { PAPER = 0x15181c, INK = 0xe6e6e6, INK_DIM = 0x8a9199 };

static void add_char(Buf *out, u32 ch)
{
    if (ch == '<') buf_printf(out, "&lt;");
    else if (ch == '&') buf_printf(out, "&amp;");
    else if (ch < 0x80 && ch) buf_printf(out, "%c", (int)ch);
    else if (ch) buf_printf(out, "&#%u;", ch);
}

static void add_run(const ViewGrid *g, int x, int y, int len, Buf *out)
{
    const ViewCell *c = &g->cells[y * g->w + x];
    const StyleDef *d = &style_defs[c->style];
    u32 ink = d->fg >= 0 ? palette[d->fg] : d->dim ? INK_DIM : INK;
    if (d->reverse)
        buf_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", x * CELL_W, y * CELL_H,
                   len * CELL_W, CELL_H, ink);
    bool blank = true;
    for (int i = 0; i < len; i++) blank &= c[i].ch == ' ';
    if (blank) return;
    buf_printf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s>", x * CELL_W, y * CELL_H + BASELINE,
               len * CELL_W, d->reverse ? PAPER : ink, d->bold ? " font-weight=\"bold\"" : "");
    for (int i = 0; i < len; i++) add_char(out, c[i].ch);
    buf_printf(out, "</text>\n");
}

void svg_from_grid(const ViewGrid *g, Buf *out)
{
    int w = g->w * CELL_W, h = g->h * CELL_H;
    buf_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
               "font-family=\"DejaVu Sans Mono, monospace\" font-size=\"15\" xml:space=\"preserve\">\n"
               "<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", w, h, w, h, w, h, PAPER);
    for (int y = 0; y < g->h; y++) {
        for (int x = 0; x < g->w;) {
            int end = x + 1;
            while (end < g->w && g->cells[y * g->w + end].style == g->cells[y * g->w + x].style) end++;
            add_run(g, x, y, end - x, out);
            x = end;
        }
    }
    buf_printf(out, "</svg>\n");
}
