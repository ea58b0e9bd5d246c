// link_dwarf.c: the line table of a program, so that a fault, a debugger or addr2line can name the line of an instruction.
//
// One compile unit a source that has code in the program, each with a line program: a sequence a section, of rows "from this
// address on, this line". A row is mostly one byte: an opcode that advances address and line together.
#include "base/bits.h"
#include "base/dwarf.h"
#include "cc/link_impl.h"

#include <stdlib.h>

enum { LINE_BASE = -5, LINE_RANGE = 14, OPCODE_BASE = 13, INSN_BYTES = 4, ADDRESS_BYTES = 8 };

static void add_uleb(Buf *b, u64 v)
{
    do {
        u64 more = v >> 7 ? 0x80 : 0;
        buf_add_int(b, (v & 0x7f) | more, 1);
        v >>= 7;
    } while (v);
}

static void add_sleb(Buf *b, i64 v)
{
    for (;;) {
        u64 low = (u64)v & 0x7f;
        v >>= 7;
        if ((v == 0 && !(low & 0x40)) || (v == -1 && low & 0x40)) {
            buf_add_int(b, low, 1);
            return;
        }
        buf_add_int(b, low | 0x80, 1);
    }
}

static void add_text(Buf *b, const char *text) { buf_add(b, text, strlen(text) + 1); }

static bool has_lines(const LkSection *s) { return s->is_live && !s->alias && s->flags & LK_EXEC && s->lines.len; }

typedef struct Program {
    Buf *b;
    VEC(const char *) files;
    u64 addr;
    i64 line;
    u32 file;
} Program;

// Its number in the file table, from 1.
static u32 file_number(Program *p, const char *name)
{
    for (u32 i = p->files.len; i-- > 0;) // the last one is the likely one
        if (p->files.at[i] == name || !strcmp(p->files.at[i], name)) return i + 1;
    vec_push(&p->files, name);
    return p->files.len;
}

static void add_row(Program *p, u64 addr, u32 file, i64 line)
{
    u64 by = (addr - p->addr) / INSN_BYTES;
    i64 lines = line - p->line;
    if (file != p->file) {
        buf_add_int(p->b, DW_LNS_SET_FILE, 1);
        add_uleb(p->b, file);
    }
    u64 special = (u64)(lines - LINE_BASE) + LINE_RANGE * by + OPCODE_BASE;
    if (lines >= LINE_BASE && lines < LINE_BASE + LINE_RANGE && by < 256 / LINE_RANGE && special < 256) {
        buf_add_int(p->b, special, 1);
    } else {
        buf_add_int(p->b, DW_LNS_ADVANCE_PC, 1);
        add_uleb(p->b, by);
        buf_add_int(p->b, DW_LNS_ADVANCE_LINE, 1);
        add_sleb(p->b, lines);
        buf_add_int(p->b, DW_LNS_COPY, 1);
    }
    p->addr = addr;
    p->file = file;
    p->line = line;
}

static void add_extended(Buf *b, u32 op, u64 operand, u32 bytes)
{
    buf_add_int(b, DW_LNS_EXTENDED, 1);
    add_uleb(b, 1 + bytes);
    buf_add_int(b, op, 1);
    buf_add_int(b, operand, bytes);
}

static void add_sequence(Program *p, const LkSection *s)
{
    u64 end = s->addr + s->data.len;
    add_extended(p->b, DW_LNE_SET_ADDRESS, s->addr, ADDRESS_BYTES);
    p->addr = s->addr;
    p->file = 1;
    p->line = 1;
    for (u32 i = 0; i < s->lines.len; i++) {
        const LkLine *l = &s->lines.at[i];
        if (l->offset < s->data.len) add_row(p, s->addr + l->offset, file_number(p, l->at.file), l->at.line);
    }
    buf_add_int(p->b, DW_LNS_ADVANCE_PC, 1);
    add_uleb(p->b, (end - p->addr) / INSN_BYTES);
    add_extended(p->b, DW_LNE_END_SEQUENCE, 0, 0);
}

// unit length, version, header length, …, file table, program. The program comes first, as it finds the files.
static void add_line_program(Buf *out, const LkUnit *u)
{
    static const u8 n_operands[OPCODE_BASE - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    Buf rows = {0}, head = {0};
    Program p = {.b = &rows};
    file_number(&p, u->name);
    for (u32 i = 0; i < u->sections.len; i++)
        if (has_lines(u->sections.at[i])) add_sequence(&p, u->sections.at[i]);
    const u8 fixed[] = {INSN_BYTES, 1, 1, (u8)LINE_BASE, LINE_RANGE, OPCODE_BASE};
    buf_add(&head, fixed, sizeof fixed);
    buf_add(&head, n_operands, sizeof n_operands);
    buf_add_int(&head, 0, 1); // no directories
    for (u32 i = 0; i < p.files.len; i++) {
        add_text(&head, p.files.at[i]);
        buf_add_zeros(&head, 3); // directory, time, size
    }
    buf_add_int(&head, 0, 1);
    buf_add_int(out, 2 + 4 + head.len + rows.len, 4);
    buf_add_int(out, 4, 2);
    buf_add_int(out, head.len, 4);
    buf_add(out, head.at, head.len);
    buf_add(out, rows.at, rows.len);
    buf_free(&head);
    buf_free(&rows);
    vec_free(&p.files);
}

static void add_compile_unit(Buf *b, const LkUnit *u, u64 line_offset, u64 low, u64 high)
{
    size_t start = b->len;
    buf_add_int(b, 0, 4); // the length, below
    buf_add_int(b, 4, 2);
    buf_add_int(b, 0, 4); // its abbreviations
    buf_add_int(b, ADDRESS_BYTES, 1);
    add_uleb(b, 1);
    add_text(b, u->name);
    buf_add_int(b, line_offset, 4);
    buf_add_int(b, low, 8);
    buf_add_int(b, high - low, 8);
    bits_store(b->at + start, b->len - start - 4, 4);
}

void link_dwarf(const Link *l, LinkDwarf *out)
{
    static const u8 abbrev[] = {1, DW_TAG_COMPILE_UNIT, 0, DW_AT_NAME, DW_FORM_STRING, DW_AT_STMT_LIST, DW_FORM_SEC_OFFSET,
                                DW_AT_LOW_PC, DW_FORM_ADDR, DW_AT_HIGH_PC, DW_FORM_DATA8, 0, 0, 0};
    *out = (LinkDwarf){0};
    buf_add(&out->abbrev, abbrev, sizeof abbrev);
    for (u32 n = 0; n < l->n_units; n++) {
        const LkUnit *u = l->units[n];
        u64 low = ~0ULL, high = 0;
        for (u32 i = 0; i < u->sections.len; i++) {
            const LkSection *s = u->sections.at[i];
            if (!has_lines(s)) continue;
            if (s->addr < low) low = s->addr;
            if (s->addr + s->data.len > high) high = s->addr + s->data.len;
        }
        if (low > high) continue;
        add_compile_unit(&out->info, u, out->line.len, low, high);
        add_line_program(&out->line, u);
    }
}

void link_dwarf_free(LinkDwarf *d)
{
    buf_free(&d->line);
    buf_free(&d->info);
    buf_free(&d->abbrev);
}
