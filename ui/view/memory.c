// memory.c: memory as 16-byte granules: address, capability tag, sixteen bytes; a granule that holds a capability is also decoded
// where the pane is wide enough.
#include "ui/view/model.h"

static bool byte_changed(const ViewModel *v, u32 row, int i)
{
    u64 addr = v->memory_at + 16ULL * row;
    u64 old_row = (addr - v->memory_before_at) / 16;
    if (!v->has_before || addr < v->memory_before_at || old_row >= VIEW_MEMORY_ROWS) return false;
    const SnapGranule *old = &v->memory_before[old_row];
    return old->is_mapped && old->bytes[i] != v->memory[row].bytes[i];
}

static void draw_granule(ViewGrid *g, ViewArea a, int y, const ViewModel *v, u32 row, u64 here)
{
    const SnapGranule *m = &v->memory[row];
    u64 addr = v->memory_at + 16ULL * row;
    bool is_here = addr == (here & ~15ULL);
    view_put(g, a, 0, y, is_here ? VIEW_PC : VIEW_DIM, "%s%8llx", is_here ? "▸" : " ", (unsigned long long)addr & 0xffffffff);
    if (!m->is_mapped) {
        view_put(g, a, 12, y, VIEW_DIM, "not mapped");
        return;
    }
    view_put(g, a, 10, y, m->tag ? VIEW_TAGGED : VIEW_DIM, "%s", m->tag ? "●" : "·");
    for (int i = 0; i < 16; i++) {
        ViewStyle s = byte_changed(v, row, i) ? VIEW_NOW : m->bytes[i] ? VIEW_PLAIN : VIEW_DIM;
        view_put(g, a, 12 + 2 * i, y, addr + (u64)i == here ? VIEW_PC : s, "%02x", m->bytes[i]);
    }
    int x = 46;
    if (m->tag && a.w > 70) {
        char text[160];
        cap_format(cap_from_bytes(m->bytes, true), text, sizeof text);
        view_put(g, a, x, y, VIEW_TAGGED, "%s", text);
    } else if (a.w >= 62) {
        for (int i = 0; i < 16; i++)
            view_put_char(g, a, x + i, y, VIEW_DIM, m->bytes[i] >= 0x20 && m->bytes[i] < 0x7f ? m->bytes[i] : 0xb7);
    }
}

void view_memory(ViewGrid *g, ViewArea a, const ViewModel *v)
{
    char name[16];
    u64 here = v->memory_follows ? view_reg_value(&v->regs, v->selected_reg).value : v->memory_want;
    if (v->memory_follows)
        view_put(g, a, 0, 0, VIEW_DIM, "following %s = %llx", view_reg_name(v->selected_reg, v->purecap, name),
                 (unsigned long long)here);
    else
        view_put(g, a, 0, 0, VIEW_NOW, "at %llx (f: follow a register again)", (unsigned long long)here);
    for (int y = 1; y < a.h && y <= VIEW_MEMORY_ROWS; y++) draw_granule(g, a, y, v, (u32)y - 1, here);
}
