// surface.c: cells to ncurses. The only file that knows curses.
#include "ui/tui/tui_int.h"

#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <stdlib.h>
#include <wchar.h>

typedef struct StyleDef {
    int fg, bg; // VIEW_COLOR_*, -1 = default
    bool bold, dim, reverse;
} StyleDef;

enum { // short names for the table of styles
#define X(name, rgb, ansi) name = VIEW_COLOR_##name,
    VIEW_COLORS(X)
#undef X
};
static const StyleDef style_defs[] = {
#define X(name, fg, bg, bold, dim, reverse, text) {fg, bg, bold, dim, reverse},
    VIEW_STYLES(X)
#undef X
};

static const struct {
    u32 rgb;
    short ansi;
} palette[] = {
#define X(name, rgb, ansi) {rgb, ansi},
    VIEW_COLORS(X)
#undef X
};

// The nearest entry of the 6x6x6 cube that 256-colour terminals have at 16..231.
static short cube_color(u32 rgb)
{
    u32 r = rgb >> 16 & 255, g = rgb >> 8 & 255, b = rgb & 255;
    return (short)(16 + 36 * ((r * 5 + 127) / 255) + 6 * ((g * 5 + 127) / 255) + (b * 5 + 127) / 255);
}

void tui_surface_open(Tui *t)
{
    setlocale(LC_CTYPE, "");
    initscr();
    raw(); // Ctrl-C is a key: it stops a run, not the screen
    noecho();
    keypad(stdscr, TRUE);
    set_escdelay(25);
    curs_set(0);
    const char *no_color = getenv("NO_COLOR");
    t->no_color = (no_color && *no_color) || !has_colors();
    if (t->no_color) return;
    start_color();
    use_default_colors();
    for (u32 i = 0; i < VIEW_COLOR_COUNT; i++)
        init_pair((short)(i + 1), COLORS >= 256 ? cube_color(palette[i].rgb) : palette[i].ansi, -1);
}

void tui_surface_close(void)
{
    endwin();
}

static attr_t style_attr(const StyleDef *d)
{
    attr_t a = A_NORMAL;
    if (d->bold) a |= A_BOLD;
    if (d->dim) a |= A_DIM;
    if (d->reverse) a |= A_REVERSE;
    return a;
}

static void draw_cells(const Tui *t)
{
    const ViewGrid *g = t->grid;
    for (int y = 0; y < g->h; y++) {
        for (int x = 0; x < g->w; x++) {
            const ViewCell *c = &g->cells[y * g->w + x];
            if (!c->ch) continue; // curses has it with the wide character before
            const StyleDef *d = &style_defs[c->style];
            wchar_t text[2] = {(wchar_t)c->ch, 0};
            cchar_t out;
            short pair = t->no_color || d->fg < 0 ? 0 : (short)(d->fg + 1);
            setcchar(&out, text, style_attr(d), pair, NULL);
            mvadd_wch(y, x, &out);
        }
    }
}

void tui_draw(Tui *t)
{
    int w = COLS > 0 ? COLS : 1, h = LINES > 0 ? LINES : 1;
    if (!t->grid || t->grid->w != w || t->grid->h != h) {
        view_grid_free(t->grid);
        t->grid = view_grid_new(w, h);
        t->grid->ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
        erase();
    }
    view_screen(t->grid, t->view);
    if (t->typing) {
        ViewArea all = view_area(t->grid);
        view_fill_row(t->grid, all, h - 1, VIEW_PLAIN, ' ');
        int x = view_put(t->grid, all, 0, h - 1, VIEW_BOLD, ":%s", t->command);
        view_put_char(t->grid, all, x, h - 1, VIEW_BAR, ' ');
    }
    draw_cells(t);
    refresh();
}

// Keys the terminal surface passes on, as the names command.c knows.
int tui_read_key(int wait_ms)
{
    timeout(wait_ms);
    int c = getch();
    switch (c) {
    case ERR: return TUI_KEY_NONE;
    case KEY_UP: return TUI_KEY_UP;
    case KEY_DOWN: return TUI_KEY_DOWN;
    case KEY_LEFT: return TUI_KEY_LEFT;
    case KEY_RIGHT: return TUI_KEY_RIGHT;
    case KEY_PPAGE: return TUI_KEY_PAGE_UP;
    case KEY_NPAGE: return TUI_KEY_PAGE_DOWN;
    case KEY_BACKSPACE: return TUI_KEY_ERASE;
    case KEY_RESIZE: return TUI_KEY_RESIZE;
    case KEY_ENTER: return '\n';
    default: return c == 127 || c == 8 ? TUI_KEY_ERASE : c == '\r' ? '\n' : c < 256 ? c : TUI_KEY_NONE;
    }
}
