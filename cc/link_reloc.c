// link_reloc.c: writes final addresses into section bytes, and lists the capabilities that start-up code must make.
#include "cc/link_impl.h"

#include "base/bits.h"

typedef struct Place {
    Link *l;
    const LkSection *section;
    const LkReloc *reloc;
    u8 *at;   // bytes to patch
    u64 addr; // of them; 0 in a note
} Place;

static const struct {
    const char *name;
    u8 bytes;
} kinds[] = {
#define X(name, bytes, text) [LK_R_##name] = {#name, bytes},
    LK_RELOCS(X)
#undef X
};

static bool fail(const Place *p, const char *what, i64 value)
{
    const LkUnit *unit = p->section->unit;
    const LkSymbol *y = unit->symbols.at[p->reloc->symbol];
    SrcPos pos = {p->reloc->at.file ? p->reloc->at.file : unit->name, p->reloc->at.line, 0};
    return err_at(p->l->err, CAPLAB_EX_DATA, pos, NULL, "%s in %s to '%s' (%s, value %#llx)", what,
                  p->section->name, y->name, kinds[p->reloc->kind].name, (unsigned long long)value);
}

static u32 word_of(const Place *p) { return (u32)bits_load(p->at, 4); }

// Puts a PC-relative distance, scaled by 4, into the `width` bits at `lo` of the instruction.
static bool patch_branch(const Place *p, i64 distance, u32 lo, u32 width)
{
    if (distance & 3) return fail(p, "branch target not 4-aligned", distance);
    i64 words = distance / 4;
    if (bits_sext((u64)words, width) != words) return fail(p, "branch out of range", distance);
    bits_store(p->at, bits_set(word_of(p), lo + width - 1, lo, (u64)words & bits_mask(width)), 4);
    return true;
}

// The immediate of ADR and ADRP lies in bits 23:5 and 30:29. C64's ADRP has one bit less and bit 23 set.
static bool patch_adr(const Place *p, i64 value, bool is_c64_page)
{
    u32 width = is_c64_page ? 20 : 21;
    if (bits_sext((u64)value, width) != value) return fail(p, "address out of range", value);
    u64 w = bits_set(word_of(p), 30, 29, (u64)value & 3);
    w = bits_set(w, 23, 5, ((u64)value >> 2) & bits_mask(width - 2));
    if (is_c64_page) w |= 1u << 23;
    bits_store(p->at, w, 4);
    return true;
}

static u32 lo12_scale(u32 word)
{
    if ((word >> 24 & 0x1f) == 0x11) return 0;          // ADD (immediate), of X or C
    if (word >> 24 == 0xc2) return 4;                   // LDR, STR of a capability
    if ((word & 0x04800000) == 0x04800000) return 4;    // Q register
    return word >> 30;
}

static bool patch_lo12(const Place *p, u64 addr)
{
    u32 scale = lo12_scale(word_of(p));
    u64 low = addr & 0xfff;
    if (low & bits_mask(scale)) return fail(p, "address not aligned for the access", (i64)low);
    bits_store(p->at, bits_set(word_of(p), 21, 10, low >> scale), 4);
    return true;
}

static bool patch_cap(Place *p, const LkSymbol *y)
{
    if (p->l->abi != CC_PURECAP) return fail(p, "capability constant in a hybrid program", 0);
    if (!y || y->is_abs) {
        bits_store(p->at, (y ? y->value : 0) + (u64)p->reloc->addend, 8);
        return true;
    }
    if (p->addr & 15) return fail(p, "capability not 16-aligned", (i64)p->addr);
    vec_push(&p->l->cap_relocs, (LinkCapReloc){p->addr, y, p->reloc->addend});
    return true;
}

static bool patch(Place *p)
{
    const LkReloc *r = p->reloc;
    const LkSymbol *y = p->section->unit->symbols.at[r->symbol]->found;
    bool c64 = p->l->abi == CC_PURECAP;
    u64 s = y ? link_symbol_addr(y) : 0;
    u64 target = s + (u64)r->addend;
    u64 coded = target | (c64 && y && link_is_code(y));
    i64 distance = y ? (i64)(target - p->addr) : 4; // a call of an absent weak function falls through
    switch ((LkRelocKind)r->kind) {
    case LK_R_ABS64: bits_store(p->at, coded, 8); return true;
    case LK_R_ABS32: bits_store(p->at, coded, 4); return target >> 32 ? fail(p, "address needs more than 32 bits", (i64)target) : true;
    case LK_R_PREL32: bits_store(p->at, (u64)(target - p->addr), 4); return true;
    case LK_R_DIFF32:
    case LK_R_DIFF64: {
        const LkSymbol *minus = p->section->unit->symbols.at[r->minus];
        bits_store(p->at, target - link_symbol_addr(minus), kinds[r->kind].bytes);
        return true;
    }
    case LK_R_CALL26: return patch_branch(p, distance, 0, 26);
    case LK_R_BRANCH19: return patch_branch(p, distance, 5, 19);
    case LK_R_BRANCH14: return patch_branch(p, distance, 5, 14);
    case LK_R_ADR21: return patch_adr(p, (i64)(target - p->addr), false);
    case LK_R_ADRP: return patch_adr(p, (i64)(target >> 12) - (i64)(p->addr >> 12), c64);
    case LK_R_LO12: return patch_lo12(p, target);
    case LK_R_GOT_PAGE: return patch_adr(p, (i64)(link_got_slot(p->l, y) >> 12) - (i64)(p->addr >> 12), c64);
    case LK_R_GOT_LO12: return patch_lo12(p, link_got_slot(p->l, y));
    case LK_R_CAP: return patch_cap(p, y);
    case LK_R_COUNT: break;
    }
    UNREACHABLE("relocation kind %u", r->kind);
}

static bool relocate_section(Link *l, LkSection *s)
{
    for (u32 i = 0; i < s->relocs.len; i++) {
        const LkReloc *r = &s->relocs.at[i];
        CHECK(r->offset + kinds[r->kind].bytes <= s->data.len, "relocation beyond %s", s->name);
        Place p = {l, s, r, s->data.at + r->offset, s->addr + r->offset};
        if (!patch(&p)) return false;
    }
    return true;
}

bool link_relocate(Link *l)
{
    for (u32 i = 0; i < l->live.len; i++)
        if (!l->live.at[i]->alias && !relocate_section(l, l->live.at[i])) return false;
    return true;
}
