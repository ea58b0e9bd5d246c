// command.c: what keys and command words do. A key is short for a command; both call the same functions.
#include "ui/tui/tui_int.h"

#include "driver/options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

// The line that has bytecodes and is nearest to `line`. 0 = there is none.
static u32 nearest_code_line(const PyModule *m, u32 line)
{
    u32 best = 0;
    for (u32 i = 0; i < py_module_code_count(m); i++) {
        const PyCode *c = py_module_code(m, i);
        for (u32 k = 0; k < c->n_insns; k++)
            if (drv_is_nearer(c->insns[k].line, best, line)) best = c->insns[k].line;
    }
    return best;
}

static void refuse_line(ViewModel *v, u32 line, u32 nearest)
{
    view_message(v, true, "line %u has no code to stop at; the nearest line with code is %u", line, nearest);
}

static void toggle_line_break(Tui *t, u32 line)
{
    ViewModel *v = t->view;
    for (u32 i = 0; i < v->n_lines_break; i++) {
        if (v->lines_break[i] != line) continue;
        v->lines_break[i] = v->lines_break[--v->n_lines_break];
        view_message(v, false, "breakpoint at line %u removed", line);
        return;
    }
    u32 nearest = nearest_code_line(drv_module(t->session), line);
    if (nearest != line) {
        refuse_line(v, line, nearest);
        return;
    }
    if (v->n_lines_break == ARRAY_LEN(v->lines_break)) {
        view_message(v, true, "all %zu line breakpoints are in use", ARRAY_LEN(v->lines_break));
        return;
    }
    v->lines_break[v->n_lines_break++] = line;
    view_message(v, false, "breakpoint at line %u", line);
}

// Of a line where it was asked for by that: the message calls it so.
static void toggle_pc_break(Tui *t, u64 pc, u32 line)
{
    Machine *m = drv_machine(t->session);
    bool removes = tui_has_break(t, pc);
    (removes ? dbg_break_remove : dbg_break_add)(m, pc);
    if (line)
        view_message(t->view, false, "breakpoint at line %u%s", line, removes ? " removed" : "");
    else
        view_message(t->view, false, "breakpoint at 0x%llx%s", (unsigned long long)pc, removes ? " removed" : "");
}

static void toggle_source_break(Tui *t, u32 line)
{
    u32 nearest;
    u64 pc = drv_line_address(t->session, line, &nearest);
    if (pc) toggle_pc_break(t, pc, line);
    else if (nearest) refuse_line(t->view, line, nearest);
    else view_message(t->view, true, "this program has no line table; give 0xADDR or a symbol");
}

// An address in a command: 0x…, a register, or a symbol.
static bool parse_address(Tui *t, const char *word, u64 *out)
{
    if (!strncasecmp(word, "0x", 2)) {
        char *end;
        *out = strtoull(word, &end, 16);
        return end != word + 2 && !*end;
    }
    for (int r = 0; r < VIEW_REG_COUNT; r++) {
        char a[16], b[16];
        if (!strcasecmp(word, view_reg_name(r, true, a)) || !strcasecmp(word, view_reg_name(r, false, b))) {
            *out = view_reg_value(&t->view->regs, r).value;
            return true;
        }
    }
    SnapSymbol sym;
    if (!snap_symbol_named(drv_machine(t->session), word, &sym)) return false;
    *out = sym.start & ~1ULL;
    return true;
}

static void set_pane(Tui *t, int pane)
{
    t->view->pane = (ViewPane)((pane + VIEW_PANE_COUNT) % VIEW_PANE_COUNT);
}

static void command_pane(Tui *t, const char *word)
{
    for (int i = 0; i < VIEW_PANE_COUNT; i++) {
        if (strncasecmp(view_pane_title((ViewPane)i), word, strlen(word)) != 0) continue;
        set_pane(t, i);
        return;
    }
    view_message(t->view, true, "no pane '%s': registers, memory, heap, opcodes, output", word);
}

static void command_until(Tui *t, const char *word)
{
    u64 n, now = mac_insns(drv_machine(t->session));
    Err err = {0};
    if (!drv_parse_count("until", word, &n, &err))
        view_message(t->view, true, "until needs an instruction count, as in: until 100000, until 5M");
    else if (n <= now)
        view_message(t->view, true, "%llu instructions are executed already", (unsigned long long)now);
    else
        tui_run_until(t, n);
}

static void command_break(Tui *t, const char *word)
{
    u64 addr;
    char *end;
    unsigned long line = strtoul(word, &end, 10);
    if (*word && !*end && line > 0 && line < 1u << 24) {
        if (drv_module(t->session))
            toggle_line_break(t, (u32)line);
        else
            toggle_source_break(t, (u32)line);
    } else if (parse_address(t, word, &addr)) {
        toggle_pc_break(t, addr & ~3ULL, 0);
    } else {
        view_message(t->view, true, "no line, address or symbol '%s'", word);
    }
    view_model_look(t->view);
}

static void command_memory(Tui *t, const char *word)
{
    u64 addr;
    if (!parse_address(t, word, &addr)) {
        view_message(t->view, true, "no address, register or symbol '%s'", word);
        return;
    }
    t->view->memory_want = addr;
    t->view->memory_follows = false;
    set_pane(t, VIEW_PANE_MEMORY);
    view_model_look(t->view);
}

static void command_input(Tui *t, const char *text)
{
    Buf line = {0};
    buf_printf(&line, "%s\n", text);
    mac_add_input(drv_machine(t->session), line.at, line.len, false);
    buf_free(&line);
    view_message(t->view, false, "input given; c runs on");
}

static void command_eof(Tui *t, const char *text)
{
    (void)text;
    mac_add_input(drv_machine(t->session), NULL, 0, true);
    view_message(t->view, false, "the input ends here; c runs on");
}

void tui_do_command(Tui *t, const char *line)
{
    char word[96] = "", rest[96] = "";
    while (*line == ' ' || *line == ':') line++;
    if (sscanf(line, "%95s %95[^\n]", word, rest) < 1) return;
    t->view->message[0] = 0;
    static const struct {
        const char *name;
        void (*fn)(Tui *, const char *);
        bool needs_word;
    } commands[] = {{"until", command_until, true}, {"break", command_break, true}, {"memory", command_memory, true},
                    {"pane", command_pane, true}, {"input", command_input, false}, {"eof", command_eof, false}};
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (strcasecmp(word, commands[i].name) != 0) continue;
        if (commands[i].needs_word && !rest[0])
            view_message(t->view, true, "'%s' needs a word behind it (? explains)", word);
        else
            commands[i].fn(t, rest);
        return;
    }
    static const struct {
        const char *name;
        int key;
    } keys[] = {{"step", 's'}, {"bytecode", 'b'}, {"line", 'y'}, {"over", 'n'}, {"run", 'c'}, {"continue", 'c'}, {"help", '?'}, {"quit", 'q'}};
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if (strcasecmp(word, keys[i].name) != 0) continue;
        tui_key(t, keys[i].key);
        return;
    }
    view_message(t->view, true, "no command '%s' (? lists them)", word);
}

static void type_key(Tui *t, int key)
{
    size_t n = strlen(t->command);
    if (key == '\n') {
        t->typing = false;
        tui_do_command(t, t->command);
    } else if (key == TUI_KEY_ESC || key == TUI_KEY_CTRL_C) {
        t->typing = false;
    } else if (key == TUI_KEY_ERASE) {
        if (n)
            t->command[n - 1] = 0;
        else
            t->typing = false;
    } else if (key >= 0x20 && key < 0x7f && n + 1 < sizeof t->command) {
        t->command[n] = (char)key;
        t->command[n + 1] = 0;
    }
}

// Arrows and pages: select a register, move through memory or the heap map, scroll the opcodes.
static void move(Tui *t, int rows)
{
    ViewModel *v = t->view;
    if (v->pane == VIEW_PANE_REGS) {
        int r = v->selected_reg + rows;
        v->selected_reg = r < 0 ? 0 : r >= VIEW_REG_COUNT ? VIEW_REG_COUNT - 1 : r;
    } else if (v->pane == VIEW_PANE_MEMORY) {
        if (v->memory_follows) v->memory_want = v->memory_at;
        v->memory_follows = false; // the badge in the pane says so
        v->memory_want += (u64)(16LL * rows);
    } else if (v->pane == VIEW_PANE_HEAP && v->has_heap) {
        i64 step = 32LL * (v->heap_zoom ? v->heap_zoom : 1);
        if (v->heap_follows) v->heap_first = v->heap.next_search_block;
        v->heap_follows = false;
        i64 first = (i64)v->heap_first + rows * step;
        v->heap_first = first < 0 ? 0 : (u64)first >= v->heap.blocks ? v->heap.blocks - 1 : (u64)first;
    } else if (v->pane == VIEW_PANE_OPCODES) {
        i64 first = (i64)v->opcode_scroll + rows;
        v->opcode_scroll = first < 0 ? 0 : (u32)first;
    } else if (v->pane == VIEW_PANE_OUTPUT) {
        view_output_move(v, rows);
    }
    view_model_look(v);
}

static void zoom(Tui *t, bool in)
{
    ViewModel *v = t->view;
    if (in)
        v->heap_zoom = v->heap_zoom == 0 ? 16 : v->heap_zoom > 1 ? v->heap_zoom / 2 : 1;
    else
        v->heap_zoom = v->heap_zoom == 0 || v->heap_zoom >= 64 ? 0 : v->heap_zoom * 2;
}

static void shift(ViewModel *v, int columns)
{
    enum { MOST = 400 };
    int to = (int)v->shift + columns;
    v->shift = to < 0 ? 0 : to > MOST ? MOST : (u32)to;
}

static void look_key(Tui *t, int key)
{
    ViewModel *v = t->view;
    int page = v->pane_rows > 2 ? (int)v->pane_rows - 2 : 1;
    switch (key) {
    case '\t': set_pane(t, (int)v->pane + 1); break;
    case '1': case '2': case '3': case '4': case '5': set_pane(t, key - '1'); break;
    case TUI_KEY_UP: move(t, -1); break;
    case TUI_KEY_DOWN: move(t, 1); break;
    case TUI_KEY_LEFT: shift(v, -8); break;
    case TUI_KEY_RIGHT: shift(v, 8); break;
    case TUI_KEY_PAGE_UP: move(t, -page); break;
    case TUI_KEY_PAGE_DOWN: move(t, page); break;
    case 'z': zoom(t, true); break;
    case 'Z': zoom(t, false); break;
    case 'm':
        v->memory_follows = true;
        set_pane(t, VIEW_PANE_MEMORY);
        view_model_look(v);
        break;
    case 'f':
        v->memory_follows = v->heap_follows = v->output_follows = true;
        view_model_look(v);
        break;
    default: view_message(v, true, "no such key (? lists them)"); break;
    }
}

// True: the key was for the help.
static bool help_key(ViewModel *v, int key)
{
    if (key == TUI_KEY_RESIZE) return true;
    int rows = key == TUI_KEY_UP ? -1 : key == TUI_KEY_DOWN ? 1 : key == TUI_KEY_PAGE_UP ? -(int)v->help_rows : (int)v->help_rows;
    if (key == TUI_KEY_UP || key == TUI_KEY_DOWN || key == TUI_KEY_PAGE_UP || key == TUI_KEY_PAGE_DOWN) {
        int top = (int)v->help_top + rows;
        v->help_top = top < 0 ? 0 : (u32)top; // the view knows how far it goes
        return true;
    }
    v->help = false;
    v->help_top = 0;
    return key != 'q';
}

static void break_here(Tui *t)
{
    if (t->view->has_place)
        toggle_line_break(t, t->view->place.line);
    else
        toggle_pc_break(t, t->view->regs.pcc.value & ~3ULL, 0);
    view_model_look(t->view);
}

void tui_key(Tui *t, int key)
{
    if (t->typing) {
        type_key(t, key);
        return;
    }
    if (t->view->help && help_key(t->view, key)) return;
    if (key == TUI_KEY_RESIZE) return;
    if (t->running && tui_is_step_key(key)) {
        tui_interrupt(t);
        return;
    }
    if (!t->running) t->view->message[0] = 0;
    switch (key) {
    case 'q': t->quit = true; break;
    case ' ': break;
    case ':':
        if (t->running) tui_interrupt(t);
        t->typing = true;
        t->command[0] = 0;
        break;
    case '?': t->view->help = true; break;
    case 't': break_here(t); break;
    default:
        if (tui_is_step_key(key)) tui_step(t, key);
        else look_key(t, key);
        break;
    }
}
