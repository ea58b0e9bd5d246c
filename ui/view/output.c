// output.c: what the program printed: long lines go on in the next row, so that nothing is cut. A place in it is the offset at which a row
// begins: it stays where it is while more is printed.
#include "ui/view/model.h"

enum { TAB = 4 };

// Where the row behind the one at `at` begins: behind the last blank within w columns (else w columns on), or behind the end of the line.
static size_t next_row(const Buf *text, size_t at, u32 w)
{
    size_t blank = 0;
    for (u32 column = 0; at < text->len;) {
        const u8 *p = text->at + at;
        u32 c = view_next_char(&p), wide = c == '\t' ? TAB - column % TAB : (u32)view_char_width(c);
        size_t next = (size_t)(p - text->at);
        if (c == '\n') return next;
        if (column + wide > w && column && c != ' ') return blank ? blank : at;
        column += wide;
        at = next;
        if (c == ' ' && column > w / 2) blank = at;
    }
    return text->len;
}

static size_t prev_row(const Buf *text, size_t at, u32 w)
{
    if (!at) return 0;
    size_t row = at - 1;
    while (row > 0 && text->at[row - 1] != '\n') row--;
    for (size_t next; (next = next_row(text, row, w)) < at;) row = next;
    return row;
}

static size_t last_rows(const Buf *text, u32 rows, u32 w)
{
    size_t at = text->len;
    for (u32 i = 0; i < rows; i++) at = prev_row(text, at, w);
    return at;
}

// Draws rows from `at` on and returns where the one behind the last begins.
static size_t draw_rows(ViewGrid *g, ViewArea a, int y, const Buf *text, size_t at)
{
    for (; y < a.h && at < text->len; y++) {
        size_t next = next_row(text, at, (u32)a.w), end = next;
        while (end > at && (text->at[end - 1] == '\n' || text->at[end - 1] == '\r' || text->at[end - 1] == ' ')) end--;
        view_put(g, a, 0, y, VIEW_PLAIN, "%.*s", (int)(end - at), (const char *)text->at + at);
        at = next;
    }
    return at;
}

static u64 lines_before(const ViewModel *v, size_t at)
{
    u64 n = 0;
    for (size_t i = at; i < v->output.len; i++) n += v->output.at[i] == '\n';
    return v->output_lines - n;
}

void view_output(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    char n1[32], n2[32], n3[32];
    if (!v->output.len) {
        view_put(g, a, 0, 0, VIEW_DIM, "the program has printed nothing yet");
        return;
    }
    size_t top = v->output_follows ? last_rows(&v->output, (u32)a.h - 1, (u32)a.w) : v->output_top;
    size_t end = draw_rows(g, a, 1, &v->output, top);
    u64 first = lines_before(v, top), last = lines_before(v, end) + (v->output.at[end - 1] != '\n');
    u64 all = v->output_lines + (v->output.at[v->output.len - 1] != '\n');
    view_put(g, a, 0, 0, v->output_follows ? VIEW_DIM : VIEW_NOW, "lines %s-%s of %s%s", view_thousands(first + 1, n1),
             view_thousands(last, n2), view_thousands(all, n3), v->output_follows ? "" : "  (f: to the end)");
}

void view_output_tail(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    if (v->output.len) draw_rows(g, a, 0, &v->output, last_rows(&v->output, (u32)a.h, (u32)a.w));
}

void view_output_move(ViewModel *v, int rows)
{
    u32 w = v->pane_columns, h = v->pane_rows > 1 ? v->pane_rows - 1 : 1;
    size_t end = last_rows(&v->output, h, w);
    size_t at = v->output_follows ? end : v->output_top;
    for (; rows < 0 && at > 0; rows++) at = prev_row(&v->output, at, w);
    for (; rows > 0 && at < end; rows--) at = next_row(&v->output, at, w);
    v->output_follows = at >= end;
    v->output_top = at;
}
