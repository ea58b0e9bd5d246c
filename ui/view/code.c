// code.c: the code column: Python line, bytecode and machine instructions, one above the other, each with its marker at "here".
//
// The three are linked: the line's bytecodes are the ones shown, and the instruction is the one that serves them. A C or assembler program
// has its source and the instructions; one without a line table gives the whole column to instructions.
#include "ui/view/model.h"

#include "isa/isa.h"

#include <stdio.h>
#include <stdlib.h>

static void section_title(ViewGrid *g, ViewArea a, const char *left, const char *right)
{
    view_put(g, a, 0, 0, VIEW_TITLE, "%s", left);
    int x = a.w - (int)strlen(right);
    if (x > (int)strlen(left)) view_put(g, a, x, 0, VIEW_DIM, "%s", right);
}

// The text of line n (from 1), not NUL-terminated: *len characters. NULL beyond the end.
static const char *line_text(const char *text, size_t text_len, u32 n, int *len)
{
    const char *p = text, *end = text + text_len;
    for (u32 at = 1; at < n; at++) {
        p = memchr(p, '\n', (size_t)(end - p));
        if (!p) return NULL;
        p++;
    }
    if (p >= end) return NULL;
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    *len = (int)((stop ? stop : end) - p);
    return p;
}

static int max_of(int a, int b)
{
    return a > b ? a : b;
}

// Sideways, a section moves no farther than its longest line on the screen needs.
static int shift_for(const ViewModel *v, int longest, int w)
{
    int need = longest > w ? longest - w : 0;
    return (int)v->shift < need ? (int)v->shift : need;
}

static bool line_has_break(const ViewModel *v, u32 line)
{
    u64 list[256];
    u32 at, n = dbg_break_list(drv_machine(v->session), list, ARRAY_LEN(list));
    bool is_start;
    for (u32 i = 0; i < n && !drv_module(v->session); i++)
        if (drv_source_line(v->session, list[i], &at, &is_start) && at == line) return true;
    for (u32 i = 0; i < v->n_lines_break; i++)
        if (v->lines_break[i] == line) return true;
    return false;
}

static void draw_source(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    size_t text_len = 0;
    const char *text = drv_source(v->session, &text_len);
    static const char *const kinds[] = {[DRV_PY] = "Python", [DRV_MPY] = "Python", [DRV_C] = "C", [DRV_S] = "assembler", [DRV_ELF] = ""};
    section_title(g, a, kinds[drv_kind(v->session)],
                  v->has_place ? v->place.code->name : v->source_line && v->has_symbol ? v->symbol.name : "");
    if (!text) {
        view_put(g, a, 0, 1, VIEW_DIM, "(no source: a compiled .mpy file)");
        return;
    }
    u32 here = v->has_place ? v->place.line : v->source_line;
    u32 rows = (u32)a.h - 1;
    u32 first = v->text_line > rows / 2 ? v->text_line - rows / 2 : 1;
    int longest = 0, len = 0;
    const char *text_of;
    for (u32 i = 0; i < rows && (text_of = line_text(text, text_len, first + i, &len)); i++) longest = max_of(longest, view_text_width(text_of, len));
    int shift = shift_for(v, longest, a.w - 5);
    for (u32 i = 0; i < rows; i++) {
        const char *p = line_text(text, text_len, first + i, &len);
        if (!p) break;
        bool is_here = first + i == here, is_break = line_has_break(v, first + i);
        ViewStyle s = is_here ? VIEW_PC : VIEW_PLAIN;
        view_put(g, a, 0, (int)i + 1, is_break ? VIEW_BREAK : s, "%s", is_break ? "●" : is_here ? "▸" : " ");
        view_put(g, a, 1, (int)i + 1, is_here ? VIEW_PC : VIEW_DIM, "%3u%s", first + i, is_here && is_break ? "▸" : " ");
        view_put_from(g, a, 5, (int)i + 1, s, shift, "%.*s", len, p);
    }
}

static void draw_bytecode(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    char right[32] = "";
    if (v->has_place) snprintf(right, sizeof right, "%u slots", v->place.code->n_state);
    section_title(g, a, "bytecode", right);
    if (!v->has_place) {
        view_put(g, a, 0, 1, VIEW_DIM, "%s", v->ops.bytecodes ? "(outside the program)" : "(the interpreter starts up)");
        return;
    }
    const PyCode *code = v->place.code;
    u32 rows = (u32)a.h - 1, here = v->place.insn_index;
    u32 first = here > rows / 2 ? here - rows / 2 : 0;
    int longest = 0;
    for (u32 i = first; i < first + rows && i < code->n_insns; i++) longest = max_of(longest, (int)strlen(code->insns[i].text));
    for (u32 i = 0; i < rows && first + i < code->n_insns; i++) {
        const PyInsn *in = &code->insns[first + i];
        bool is_here = first + i == here;
        ViewStyle s = is_here ? VIEW_PC : in->line == v->place.line ? VIEW_PLAIN : VIEW_DIM;
        view_put(g, a, 0, (int)i + 1, s, "%s%4u ", is_here ? "▸" : " ", in->offset);
        view_put_from(g, a, 6, (int)i + 1, s, shift_for(v, longest, a.w - 6), "%s", in->text);
    }
}

// "bl 0x400158" → "bl 0x400158 <fill>": addresses stand without '#'. A page (ADRP) is no place in the code.
static void add_target(const ViewModel *v, char *text, size_t size)
{
    const char *at = strstr(text, " 0x");
    char name[96];
    if (!at || !strncmp(text, "adrp", 4)) return;
    u64 addr = strtoull(at + 1, NULL, 16);
    bool is_near = v->has_symbol && addr > v->symbol.start && addr < v->symbol.start + v->symbol.size; // its address says enough
    if (!view_label_at(v, addr, name, sizeof name) && (is_near || !view_symbol_text(v, addr, name, sizeof name))) return;
    size_t n = strlen(text);
    snprintf(text + n, size - n, " <%s>", name);
}

static void instruction_text(const ViewModel *v, const ViewCode *c, char *text, size_t size)
{
    snprintf(text, size, "(not mapped)");
    if (!c->is_mapped) return;
    isa_disassemble(c->word, v->regs.c64, c->pc, text, 96);
    add_target(v, text, size);
}

static void draw_instruction(ViewGrid *g, ViewArea a, int y, const ViewModel *v, const ViewCode *c, int shift)
{
    bool is_here = c->pc == v->code_pc;
    char text[192];
    instruction_text(v, c, text, sizeof text);
    view_put(g, a, 0, y, c->is_break ? VIEW_BREAK : is_here ? VIEW_PC : VIEW_DIM, "%s%6llx%s", c->is_break ? "●" : is_here ? "▸" : " ",
             (unsigned long long)c->pc, is_here && c->is_break ? "▸" : " ");
    view_put_from(g, a, 8, y, is_here ? VIEW_PC : VIEW_PLAIN, shift, "%s", text);
}

static void draw_instructions(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    char title[80] = "instructions", text[192];
    if (v->has_symbol)
        snprintf(title, sizeof title, "%s+0x%llx", v->symbol.name, (unsigned long long)(v->code_pc - (v->symbol.start & ~3ULL)));
    section_title(g, a, title, v->regs.c64 ? "C64" : "A64");
    int rows = a.h - 1, y = 1, longest = 0;
    // The pc stays in the middle third; what comes next matters more than what was.
    u32 first = v->code_here > (u32)rows / 3 ? v->code_here - (u32)rows / 3 : 0;
    for (u32 i = first; i < v->n_code && i < first + (u32)rows; i++) {
        instruction_text(v, &v->code[i], text, sizeof text);
        longest = max_of(longest, (int)strlen(text));
    }
    for (u32 i = first; i < v->n_code && y <= rows; i++) {
        const ViewCode *c = &v->code[i];
        bool is_in_title = v->has_symbol && c->pc == (v->symbol.start & ~3ULL);
        if (c->label[0] && !is_in_title && y < rows) view_put(g, a, 1, y++, VIEW_TITLE, "%s:", c->label);
        draw_instruction(g, a, y++, v, c, shift_for(v, longest, a.w - 8));
    }
}

static ViewArea rows_of(ViewArea a, int from, int rows)
{
    return (ViewArea){a.x, a.y + from, a.w, rows};
}

void view_code(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    if (!drv_module(v->session)) {
        int text = drv_has_source_lines(v->session) ? a.h * 45 / 100 : 0;
        if (text) draw_source(g, rows_of(a, 0, text), v);
        draw_instructions(g, rows_of(a, text, a.h - text), v);
        return;
    }
    int source = a.h * 38 / 100, bytes = a.h * 3 / 10; // the program itself has the most
    draw_source(g, rows_of(a, 0, source), v);
    draw_bytecode(g, rows_of(a, source, bytes), v);
    draw_instructions(g, rows_of(a, source + bytes, a.h - source - bytes), v);
}
