// source.c: the lines of a C or assembler program as it runs: which line an instruction serves, and where a line's code begins. Made once from
// the line table, of the program's own file only: the library's lines are not in the text that a view shows.
#include "driver/lines.h"
#include "driver/session.h"
#include <stdlib.h>

static void add_line(void *ctx, u64 start, u64 end, const DrvLine *line)
{
    DrvSession *s = ctx;
    if (!strcmp(line->file, s->path)) vec_push(&s->lines, (DrvLineRange){start, end, line->line});
}

static int by_start(const void *pa, const void *pb)
{
    const DrvLineRange *a = pa, *b = pb;
    return a->start < b->start ? -1 : a->start > b->start;
}

static void load_lines(DrvSession *s)
{
    if (s->has_lines || (s->kind != DRV_C && s->kind != DRV_S)) return;
    s->has_lines = true;
    drv_each_line(&s->elf, add_line, s);
    if (s->lines.len) qsort(s->lines.at, s->lines.len, sizeof *s->lines.at, by_start);
    u32 n = 0;
    for (u32 i = 0; i < s->lines.len; i++) { // rows of one line that touch are one range
        DrvLineRange *last = n ? &s->lines.at[n - 1] : NULL, *r = &s->lines.at[i];
        if (last && last->line == r->line && last->end >= r->start) last->end = r->end > last->end ? r->end : last->end;
        else s->lines.at[n++] = *r;
    }
    s->lines.len = n;
}

bool drv_has_source_lines(DrvSession *s)
{
    load_lines(s);
    return s->lines.len > 0;
}

bool drv_source_line(DrvSession *s, u64 pc, u32 *line, bool *is_start)
{
    load_lines(s);
    u32 lo = 0, hi = (u32)s->lines.len;
    while (lo < hi) { // the first range behind pc
        u32 mid = lo + (hi - lo) / 2;
        if (s->lines.at[mid].start <= pc) lo = mid + 1;
        else hi = mid;
    }
    if (!lo || pc >= s->lines.at[lo - 1].end) return false;
    *line = s->lines.at[lo - 1].line;
    *is_start = s->lines.at[lo - 1].start == pc;
    return true;
}

u64 drv_line_address(DrvSession *s, u32 line, u32 *nearest)
{
    load_lines(s);
    u64 found = 0;
    *nearest = 0;
    for (u32 i = 0; i < s->lines.len; i++) {
        const DrvLineRange *r = &s->lines.at[i];
        if (r->line == line && !found) found = r->start;
        if (drv_is_nearer(r->line, *nearest, line)) *nearest = r->line;
    }
    return found;
}

bool drv_is_nearer(u32 a, u32 b, u32 line)
{
    u32 da = a > line ? a - line : line - a, db = b > line ? b - line : line - b;
    return !b || da < db || (da == db && a > b);
}
