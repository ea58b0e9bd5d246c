// memory.c: memory as 16-byte granules: address, capability tag, sixteen bytes; below, what the granule at the address in question holds.
//
//   ▸…fbd0*● b0fbfffe ff7f0000 b0fbc07b 004010dc      '*': changed by this step; ●: a valid capability
//
// A wide pane shows whole addresses, and the text, or the capability in short, beside the bytes.
#include "ui/view/model.h"

static const SnapGranule *granule_before(const ViewModel *v, u64 addr)
{
    if (!v->has_before || addr < v->memory_before_at) return NULL;
    u64 row = (addr - v->memory_before_at) / 16;
    return row < VIEW_MEMORY_ROWS && v->memory_before[row].is_mapped ? &v->memory_before[row] : NULL;
}

static void put_text(ViewGrid *g, ViewArea a, int x, int y, const SnapGranule *m)
{
    for (int i = 0; i < 16; i++)
        view_put_char(g, a, x + i, y, VIEW_DIM, m->bytes[i] >= 0x20 && m->bytes[i] < 0x7f ? m->bytes[i] : 0xb7);
}

static void draw_bytes(ViewGrid *g, ViewArea a, int x, int y, const SnapGranule *m, const SnapGranule *old, int here)
{
    for (int i = 0; i < 16; i++) {
        bool changed = old && old->bytes[i] != m->bytes[i];
        ViewStyle s = changed ? VIEW_NOW : m->bytes[i] ? VIEW_PLAIN : VIEW_DIM;
        view_put(g, a, x + 2 * i + i / 4, y, i == here ? VIEW_PC : s, "%02x", m->bytes[i]);
    }
}

static void draw_granule(ViewGrid *g, ViewArea a, int y, const ViewModel *v, u32 row, u64 here)
{
    const SnapGranule *m = &v->memory[row];
    u64 addr = v->memory_at + 16ULL * row;
    bool is_here = addr == (here & ~15ULL), wide = a.w >= VIEW_MEMORY_WIDE;
    ViewStyle s = is_here ? VIEW_PC : VIEW_DIM;
    if (is_here) view_put(g, a, 0, y, s, "▸");
    int x = wide ? view_put(g, a, 1, y, s, "%12llx", (unsigned long long)addr)
                 : view_put(g, a, 1, y, s, "…%04llx", (unsigned long long)addr & 0xffff);
    if (!m->is_mapped) {
        view_put(g, a, x + 3, y, VIEW_DIM, "not mapped");
        return;
    }
    const SnapGranule *old = granule_before(v, addr);
    if (old && (old->tag != m->tag || memcmp(old->bytes, m->bytes, 16) != 0)) view_put(g, a, x, y, VIEW_NOW, "*");
    view_put(g, a, x + 1, y, m->tag ? VIEW_TAGGED : VIEW_DIM, "%s", m->tag ? "●" : "·");
    draw_bytes(g, a, x + 3, y, m, old, is_here ? (int)(here & 15) : -1);
    if (!wide) return;
    if (m->tag) {
        char perms[8], where[96];
        Cap c = cap_from_bytes(m->bytes, true);
        view_cap_perms(c, perms);
        view_cap_place(v, c, where, sizeof where);
        view_put(g, a, x + 40, y, VIEW_TAGGED, "%s %s", perms, where);
    } else {
        put_text(g, a, x + 40, y, m);
    }
}

// The granule at `here` in full: its capability, or its bytes as text and as two numbers.
static void draw_detail(ViewGrid *g, ViewArea a, int y, const ViewModel *v, u64 here)
{
    u64 granule = here & ~15ULL, row = (granule - v->memory_at) / 16, words[2];
    char symbol[96];
    view_fill_row(g, a, y, VIEW_DIM, 0x2500);
    bool has_symbol = view_symbol_text(v, here, symbol, sizeof symbol);
    view_put(g, a, 1, y, VIEW_DIM, " %llx%s%s ", (unsigned long long)granule, has_symbol ? " " : "", has_symbol ? symbol : "");
    if (granule < v->memory_at || row >= VIEW_MEMORY_ROWS) return;
    const SnapGranule *m = &v->memory[row];
    if (!m->is_mapped) {
        view_put(g, a, 0, y + 1, VIEW_DIM, "not mapped");
    } else if (m->tag) {
        view_put_cap(g, a, y + 1, "●", cap_from_bytes(m->bytes, true));
    } else {
        memcpy(words, m->bytes, sizeof words);
        view_put(g, a, 0, y + 1, VIEW_PLAIN, "text");
        put_text(g, a, 6, y + 1, m);
        view_put(g, a, 0, y + 2, VIEW_PLAIN, "words %016llx %016llx", (unsigned long long)words[0], (unsigned long long)words[1]);
    }
}

void view_memory(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    enum { HEADING = 1, DETAIL = 3 };
    char name[16];
    u64 here = v->memory_follows ? view_reg_value(&v->regs, v->selected_reg).value : v->memory_want;
    if (v->memory_follows)
        view_put(g, a, 0, 0, VIEW_DIM, "following %s = %llx", view_reg_name(v->selected_reg, v->purecap, name),
                 (unsigned long long)here);
    else
        view_put(g, a, 0, 0, VIEW_NOW, "at %llx (f: follow a register again)", (unsigned long long)here);
    for (int y = 0; y < a.h - HEADING - DETAIL && y < VIEW_MEMORY_ROWS; y++) draw_granule(g, a, HEADING + y, v, (u32)y, here);
    draw_detail(g, a, a.h - DETAIL, v, here);
}
