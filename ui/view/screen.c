// screen.c: the layout: a bar of truth, code on the left, one exhibit on the right, output, keys.
#include "ui/view/model.h"

#include <stdio.h>

static void draw_top(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    char n[32];
    view_fill_row(g, a, 0, VIEW_BAR, ' ');
    int x = view_put(g, a, 0, 0, VIEW_BAR, " %s  insn %s  pc %llx", v->purecap ? "purecap" : "hybrid",
                     view_thousands(v->counters.insns, n), (unsigned long long)v->regs.pcc.value);
    if (v->has_place) {
        x = view_put(g, a, x, 0, VIEW_BAR, "  bytecode %s", view_thousands(v->ops.bytecodes, n));
        x = view_put(g, a, x, 0, VIEW_BAR, "  line %u", v->place.line);
    }
    if (!v->has_run) return;
    static const char *const what[] = {
#define X(name, text) [EV_STOP_##name] = #name,
        EV_STOPS(X)
#undef X
    };
    char stop[24];
    snprintf(stop, sizeof stop, "%s ", v->stop == EV_STOP_BUDGET ? "stepped" : what[v->stop]);
    view_put(g, a, a.w - (int)strlen(stop), 0, VIEW_BAR, "%s", stop);
}

static void draw_tabs(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    int x = 0;
    for (int i = 0; i < VIEW_PANE_COUNT; i++)
        x = view_put(g, a, x, 0, i == (int)v->pane ? VIEW_FOCUS : VIEW_DIM, " %d %s ", i + 1, view_pane_title((ViewPane)i));
}

// The last lines of the guest's output that fit.
static void draw_output(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    view_fill_row(g, a, 0, VIEW_DIM, 0x2500);
    view_put(g, a, 1, 0, v->message[0] ? (v->message_is_error ? VIEW_ERROR : VIEW_NOW) : VIEW_DIM, " %s ",
             v->message[0] ? v->message : "output");
    const char *text = buf_text(&v->output);
    size_t end = v->output.len;
    if (end && text[end - 1] == '\n') end--;
    size_t starts[8];
    int n = 0, rows = a.h - 1 > 8 ? 8 : a.h - 1;
    size_t at = end;
    while (n < rows && end) {
        while (at > 0 && text[at - 1] != '\n') at--;
        starts[n++] = at;
        if (!at) break;
        at--;
    }
    for (int i = 0; i < n; i++) {
        size_t from = starts[n - 1 - i];
        size_t to = from;
        while (to < end && text[to] != '\n') to++;
        view_put(g, a, 0, i + 1, VIEW_PLAIN, "%.*s", (int)(to - from), text + from);
    }
}

static void draw_keys(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    bool python = drv_module(v->session) != NULL;
    bool ended = v->has_run && (v->stop == EV_STOP_EXIT || v->stop == EV_STOP_FAULT);
    view_fill_row(g, a, 0, VIEW_BAR, ' ');
    if (ended)
        view_put(g, a, 0, 0, VIEW_BAR, " the program has ended:  Tab pane  arrows look around  : command  ? help  q quit");
    else if (python)
        view_put(g, a, 0, 0, VIEW_BAR, " s insn  b bytecode  y line  c run  t break  Tab pane  : command  ? help  q quit");
    else
        view_put(g, a, 0, 0, VIEW_BAR, " s insn  c run  t break  Tab pane  : command  ? help  q quit");
}

void view_help(ViewGrid *g, ViewArea a)
{
    static const char *const lines[] = {
        "s        one instruction            b   one bytecode       y   one Python line",
        "c        run (space stops)          t   breakpoint here    n   to the first bytecode",
        "Tab 1-4  pane                       arrows  select a register, scroll",
        "m        memory at the selected register's target          f   follow again",
        "z Z      zoom the heap map in, out (whole heap)",
        ": until N      run until N instructions are executed in total",
        ": break N      stop at Python line N (again: remove)    : break 0xADDR | SYMBOL",
        ": memory 0xADDR | REGISTER | SYMBOL      : pane NAME     : quit",
        "",
        "● valid capability   ○ no tag   · plain data    rwxRWE: Load Store eXecute, capabilities",
        "■ first block  = more of it  M marked  · free   reverse: where the next search starts",
        "░▒▓█ how full several blocks are      * changed by this step",
        "",
        "All counts are exact; this build models no time.                        any key: back",
    };
    view_put(g, a, 2, 0, VIEW_TITLE, "caplab: keys and signs");
    for (int i = 0; i < (int)ARRAY_LEN(lines); i++) view_put(g, a, 2, i + 2, VIEW_PLAIN, "%s", lines[i]);
}

void view_screen(ViewGrid *g, ViewModel *v)
{
    view_clear(g);
    ViewArea all = view_area(g);
    if (g->w < VIEW_MIN_W || g->h < VIEW_MIN_H) {
        view_put(g, all, 0, 0, VIEW_ERROR, "terminal %dx%d:", g->w, g->h);
        view_put(g, all, 0, 1, VIEW_PLAIN, "needs %dx%d", VIEW_MIN_W, VIEW_MIN_H);
        view_put(g, all, 0, 2, VIEW_DIM, "(q quits)");
        return;
    }
    int out_rows = g->h >= 36 ? 6 : 3;
    ViewArea body = {0, 1, g->w, g->h - 2 - out_rows};
    int code_w = g->w * 35 / 80;
    ViewArea code = {0, body.y, code_w, body.h};
    ViewArea right = {code_w + 1, body.y, g->w - code_w - 1, body.h};
    ViewArea pane = {right.x, right.y + 1, right.w, right.h - 1};
    v->pane_rows = (u32)pane.h;
    draw_top(g, all, v);
    if (v->help) {
        view_help(g, body);
    } else {
        view_code(g, code, v);
        for (int y = 0; y < body.h; y++) view_put_char(g, body, code_w, y, VIEW_DIM, 0x2502);
        draw_tabs(g, right, v);
        static void (*const draw[])(ViewGrid *, ViewArea, const ViewModel *) = {
            [VIEW_PANE_REGS] = view_regs, [VIEW_PANE_MEMORY] = view_memory, [VIEW_PANE_HEAP] = view_heap,
            [VIEW_PANE_OPCODES] = view_opcodes};
        draw[v->pane](g, pane, v);
    }
    draw_output(g, (ViewArea){0, g->h - 1 - out_rows, g->w, out_rows}, v);
    draw_keys(g, (ViewArea){0, g->h - 1, g->w, 1}, v);
}
