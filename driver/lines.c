// lines.c: runs the line programs of an ELF until a row covers the address. Nothing is kept: a fault asks twice, then the run is over.
//
// A line program is a small machine with registers address, file and line; "copy" and the special opcodes make a row of them,
// which holds up to the next row's address. Every read goes through the Cursor, so a damaged file ends a program early.
#include "driver/lines.h"
#include "base/bits.h"
#include "base/dwarf.h"
#include "base/elf.h"
#include <stdio.h>

typedef struct Cursor {
    const u8 *at, *end;
    bool failed;
} Cursor;

typedef struct Sections {
    Cursor line, line_str, str;
} Sections;

typedef struct Unit {
    Cursor c;                    // the rest of the unit
    const Sections *s;
    u32 version, offset_bytes, address_bytes;
    u32 min_insn, range, opcode_base;
    i32 base;
    const u8 *n_operands;        // of opcodes 1 … opcode_base - 1
    Cursor dirs, files;          // tables of versions 2 to 4
} Unit;

// ---- reading

static u64 take(Cursor *c, u64 bytes)
{
    if (bytes > 8 || (u64)(c->end - c->at) < bytes) {
        c->failed = true;
        c->at = c->end;
        return 0;
    }
    u64 v = bits_load(c->at, (u32)bytes);
    c->at += bytes;
    return v;
}

static Cursor take_part(Cursor *c, u64 bytes)
{
    if (bytes > (u64)(c->end - c->at)) {
        c->failed = true;
        bytes = (u64)(c->end - c->at);
    }
    Cursor part = {c->at, bytes ? c->at + bytes : c->at, c->failed}; // no sum: at may be NULL
    c->at = part.end;
    return part;
}

static u64 take_uleb(Cursor *c)
{
    u64 v = 0;
    for (u32 shift = 0;; shift += 7) {
        u64 byte = take(c, 1);
        if (shift < 64) v |= (byte & 0x7f) << shift;
        if (!(byte & 0x80) || c->failed) return v;
    }
}

static i64 take_sleb(Cursor *c)
{
    u64 v = 0;
    for (u32 shift = 0;;) {
        u64 byte = take(c, 1);
        if (shift < 64) v |= (byte & 0x7f) << shift;
        shift += 7;
        if (byte & 0x80 && !c->failed) continue;
        return shift < 64 ? bits_sext(v, shift) : (i64)v;
    }
}

static const char *take_text(Cursor *c)
{
    const u8 *start = c->at, *nul = c->at < c->end ? memchr(c->at, 0, (size_t)(c->end - c->at)) : NULL;
    if (!nul) {
        c->failed = true;
        c->at = c->end;
        return "";
    }
    c->at = nul + 1;
    return (const char *)start;
}

static const char *text_at(Cursor section, u64 offset)
{
    take_part(&section, offset);
    return section.failed ? "" : take_text(&section);
}

static u64 take_offset(Unit *u) { return take(&u->c, u->offset_bytes); }

// ---- sections

static Cursor file_part(const Buf *elf, u64 offset, u64 bytes)
{
    Cursor c = {elf->at, elf->at + elf->len, false};
    take_part(&c, offset);
    Cursor part = take_part(&c, bytes);
    return part.failed ? (Cursor){0} : part;
}

static bool read_header(const Buf *elf, const ElfHeader *h, u32 i, ElfSection *s)
{
    if (h->shentsize != sizeof *s || i >= h->shnum) return false;
    Cursor c = file_part(elf, h->shoff + i * sizeof *s, sizeof *s);
    if (!c.at) return false;
    memcpy(s, c.at, sizeof *s);
    return true;
}

static bool find_sections(const Buf *elf, Sections *out)
{
    ElfHeader h;
    ElfSection names, s;
    *out = (Sections){0};
    if (elf->len < sizeof h) return false;
    memcpy(&h, elf->at, sizeof h);
    if (!read_header(elf, &h, h.shstrndx, &names)) return false;
    Cursor text = file_part(elf, names.offset, names.size);
    for (u32 i = 0; i < h.shnum && read_header(elf, &h, i, &s); i++) {
        const char *name = text_at(text, s.name);
        bool is_plain = s.type == ELF_SHT_PROGBITS && !(s.flags & ELF_SHF_COMPRESSED);
        Cursor *to = !strcmp(name, ".debug_line")       ? &out->line
                     : !strcmp(name, ".debug_line_str") ? &out->line_str
                     : !strcmp(name, ".debug_str")      ? &out->str
                                                        : NULL;
        if (to && is_plain) *to = file_part(elf, s.offset, s.size);
    }
    return out->line.at != out->line.end;
}

// ---- files

// One value of a version 5 table, as text or number.
static void take_form(Unit *u, u64 form, const char **text, u64 *number)
{
    *text = "";
    *number = 0;
    switch (form) {
    case DW_FORM_STRING: *text = take_text(&u->c); break;
    case DW_FORM_LINE_STRP: *text = text_at(u->s->line_str, take_offset(u)); break;
    case DW_FORM_STRP: *text = text_at(u->s->str, take_offset(u)); break;
    case DW_FORM_UDATA: *number = take_uleb(&u->c); break;
    case DW_FORM_DATA1: *number = take(&u->c, 1); break;
    case DW_FORM_DATA2: *number = take(&u->c, 2); break;
    case DW_FORM_DATA4: *number = take(&u->c, 4); break;
    case DW_FORM_DATA8: *number = take(&u->c, 8); break;
    case DW_FORM_DATA16: take_part(&u->c, 16); break;
    case DW_FORM_BLOCK: take_part(&u->c, take_uleb(&u->c)); break;
    default: u->c.failed = true; break;
    }
}

// Entry `wanted` of a version 5 table; the cursor ends behind the table.
static void take_table(Unit *u, u64 wanted, const char **path, u64 *dir)
{
    u64 types[16], forms[16];
    u32 n = (u32)take(&u->c, 1);
    if (n > ARRAY_LEN(types)) u->c.failed = true;
    for (u32 i = 0; i < n && !u->c.failed; i++) {
        types[i] = take_uleb(&u->c);
        forms[i] = take_uleb(&u->c);
    }
    u64 count = take_uleb(&u->c);
    for (u64 k = 0; n && k < count && !u->c.failed; k++) {
        for (u32 i = 0; i < n && !u->c.failed; i++) {
            const char *text;
            u64 number;
            take_form(u, forms[i], &text, &number);
            if (k != wanted) continue;
            if (types[i] == DW_LNCT_PATH) *path = text;
            if (types[i] == DW_LNCT_DIRECTORY) *dir = number;
        }
    }
}

// Directory 0 is where the compiler ran: of no use to name a file.
static void join(const char *dir, const char *path, DrvLine *out)
{
    bool plain = !dir[0] || path[0] == '/';
    snprintf(out->file, sizeof out->file, "%s%s%s", plain ? "" : dir, plain ? "" : "/", path);
}

static void name_file_5(Unit u, u64 file, DrvLine *out)
{
    const char *path = "", *dir_path = "";
    u64 dir = 0, ignored = 0;
    Unit dirs = u;
    take_table(&u, ~0ULL, &dir_path, &ignored); // past the directories
    take_table(&u, file, &path, &dir);
    if (dir) take_table(&dirs, dir, &dir_path, &ignored);
    join(dir_path, path, out);
}

static void name_file_4(const Unit *u, u64 file, DrvLine *out)
{
    Cursor files = u->files, dirs = u->dirs;
    const char *path = "", *dir_path = "";
    for (u64 i = 1; i <= file && !files.failed; i++) {
        path = take_text(&files);
        u64 dir = take_uleb(&files);
        take_uleb(&files);
        take_uleb(&files);
        if (!path[0]) return; // the table's end
        if (i < file) continue;
        for (u64 k = 1; k <= dir && !dirs.failed; k++) dir_path = take_text(&dirs);
        join(dir_path, path, out);
    }
}

static void name_file(const Unit *u, u64 file, DrvLine *out)
{
    out->file[0] = 0;
    if (u->version >= 5) name_file_5(*u, file, out);
    else name_file_4(u, file, out);
}

// ---- programs

// Takes the next unit off the section. False: the section ends, or is of no known kind.
static bool take_unit(Cursor *section, const Sections *s, Unit *u, Cursor *program)
{
    *u = (Unit){.s = s, .offset_bytes = 4, .address_bytes = 8};
    u64 length = take(section, 4);
    if (length == 0xFFFFFFFF) {
        u->offset_bytes = 8;
        length = take(section, 8);
    }
    u->c = take_part(section, length);
    if (section->failed || !length) return false;
    u->version = (u32)take(&u->c, 2);
    if (u->version >= 5) {
        u->address_bytes = (u32)take(&u->c, 1);
        take(&u->c, 1);
    }
    u64 header = take_offset(u);
    *program = u->c;
    take_part(program, header);
    u->min_insn = (u32)take(&u->c, 1);
    if (u->version >= 4) take(&u->c, 1); // operations in an instruction: 1
    take(&u->c, 1);                      // is_stmt
    u->base = (i32)bits_sext(take(&u->c, 1), 8);
    u->range = (u32)take(&u->c, 1);
    u->opcode_base = (u32)take(&u->c, 1);
    u->n_operands = u->c.at;
    take_part(&u->c, u->opcode_base ? u->opcode_base - 1 : 0);
    if (u->version < 5) {
        u->dirs = u->files = u->c;
        while (!u->files.failed && take_text(&u->files)[0]) continue;
    }
    return true;
}

static bool is_readable(const Unit *u, const Cursor *program)
{
    return u->version >= 2 && u->version <= 5 && u->range && u->opcode_base && !u->c.failed && !program->failed;
}

typedef struct Row {
    u64 addr, file, line;
    bool is_on; // there is a row that the next one ends
} Row;

typedef struct Search {
    const Unit *u;
    u64 addr;
    Row now, last;
    bool found;
    DrvLineFn each; // not a search: wants all rows
    void *ctx;
} Search;

static void pass_row(const Search *s)
{
    DrvLine line = {.line = (u32)s->last.line};
    name_file(s->u, s->last.file, &line);
    if (line.line && line.file[0]) s->each(s->ctx, s->last.addr, s->now.addr, &line);
}

static void add_row(Search *s, bool is_end)
{
    if (s->each && s->last.is_on && s->now.addr > s->last.addr) pass_row(s);
    if (s->last.is_on && s->addr >= s->last.addr && s->addr < s->now.addr) s->found = true;
    else s->last = s->now;
    s->last.is_on = s->found || !is_end;
}

static void run_extended(Search *s, Cursor *c)
{
    Cursor part = take_part(c, take_uleb(c));
    u64 op = take(&part, 1);
    if (op == DW_LNE_END_SEQUENCE) {
        add_row(s, true);
        s->now = (Row){.file = 1, .line = 1};
    } else if (op == DW_LNE_SET_ADDRESS) {
        s->now.addr = take(&part, s->u->address_bytes) & ~1ULL;
    }
}

static void run_standard(Search *s, u64 op, Cursor *c)
{
    const Unit *u = s->u;
    switch (op) {
    case DW_LNS_COPY: add_row(s, false); break;
    case DW_LNS_ADVANCE_PC: s->now.addr += u->min_insn * take_uleb(c); break;
    case DW_LNS_ADVANCE_LINE: s->now.line += (u64)take_sleb(c); break;
    case DW_LNS_SET_FILE: s->now.file = take_uleb(c); break;
    case DW_LNS_CONST_ADD_PC: s->now.addr += (u64)u->min_insn * ((255 - u->opcode_base) / u->range); break;
    case DW_LNS_FIXED_ADVANCE_PC: s->now.addr += take(c, 2); break;
    default:
        for (u32 i = 0; i < u->n_operands[op - 1]; i++) take_uleb(c);
    }
}

static void run_program(Search *s, Cursor c)
{
    const Unit *u = s->u;
    while (c.at < c.end && !c.failed && !s->found) {
        u64 op = take(&c, 1);
        if (op == DW_LNS_EXTENDED) {
            run_extended(s, &c);
        } else if (op < u->opcode_base) {
            run_standard(s, op, &c);
        } else {
            s->now.addr += (u64)u->min_insn * ((op - u->opcode_base) / u->range);
            s->now.line += (u64)(i64)(u->base + (i32)((op - u->opcode_base) % u->range));
            add_row(s, false);
        }
    }
}

static bool search_unit(const Unit *u, Cursor c, u64 addr, DrvLine *out)
{
    Search s = {.u = u, .addr = addr, .now = {.file = 1, .line = 1}};
    run_program(&s, c);
    if (!s.found || !s.last.line) return false;
    out->line = (u32)s.last.line;
    name_file(u, s.last.file, out);
    return out->file[0] != 0;
}

bool drv_line_at(const Buf *elf, u64 addr, DrvLine *out)
{
    Sections s;
    Unit u;
    Cursor program;
    *out = (DrvLine){0};
    if (!find_sections(elf, &s)) return false;
    Cursor section = s.line;
    while (take_unit(&section, &s, &u, &program))
        if (is_readable(&u, &program) && search_unit(&u, program, addr, out)) return true;
    *out = (DrvLine){0};
    return false;
}

void drv_each_line(const Buf *elf, DrvLineFn fn, void *ctx)
{
    Sections s;
    Unit u;
    Cursor program;
    if (!find_sections(elf, &s)) return;
    Cursor section = s.line;
    while (take_unit(&section, &s, &u, &program)) {
        Search all = {.u = &u, .addr = ~0ULL, .now = {.file = 1, .line = 1}, .each = fn, .ctx = ctx};
        if (is_readable(&u, &program)) run_program(&all, program);
    }
}
