// access.c: the slow half of memory accesses: everything that the fast checks of exec.h cannot decide. Order of checks
// (Arm DDI 0606; facts in docs/capabilities.md): tag, seal, permission, bounds; alignment; translation and page permission.
#include "sim/exec.h"

static const u8 s_no_tags[MEM_GRANULES]; // what pages without MEM_LOAD_TAGS show

typedef struct Access {
    Cpu *cpu;
    const Op *op;
    Reg *auth;    // capability that must allow it
    u64 addr;     // as formed (DDCBO included)
    u32 bytes;
    u32 perms;    // CAP_PERM_* needed
    bool is_write, is_maintenance;
} Access;

static Access make_access(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 bytes, u32 auth, bool is_write)
{
    Access a = {.cpu = cpu, .op = op, .auth = auth == AUTH_CAP ? base : &cpu->ddc, .addr = addr, .bytes = bytes};
    a.is_write = is_write;
    a.perms = is_write ? CAP_PERM_STORE : CAP_PERM_LOAD;
    cpu_decode(cpu, a.auth);
    if (auth != AUTH_CAP && cpu->mode & MODE_DDCBO) a.addr += a.auth->base;
    return a;
}

static bool refuse(const Access *a, EvFaultKind kind, u64 addr)
{
    exec_fault(a->cpu, a->op, kind, addr, a->bytes, a->is_maintenance ? FAULT_MAINTENANCE : a->is_write, a->auth);
    return false;
}

static bool check_cap(const Access *a)
{
    u64 addr = cpu_strip(a->cpu, a->addr);
    const Reg *r = a->auth;
    u32 quick = a->is_write ? REG_STORE : REG_LOAD;
    // Not at the very end of the address space: there addr + bytes wraps.
    if ((r->kind & quick) && !(a->perms & ~(CAP_PERM_LOAD | CAP_PERM_STORE)) && addr >= r->base && addr < addr + a->bytes
        && addr + a->bytes <= r->top)
        return true;
    Cap c = reg_to_cap(r);
    if (!c.tag) return refuse(a, EV_FAULT_CAP_TAG, a->addr);
    if (cap_is_sealed(c)) return refuse(a, EV_FAULT_CAP_SEALED, a->addr);
    if ((cap_perms(c) & a->perms) != a->perms) return refuse(a, EV_FAULT_CAP_PERM, a->addr);
    if (!cap_in_bounds(cap_bounds(c), addr, a->bytes)) return refuse(a, EV_FAULT_CAP_BOUNDS, a->addr);
    return true;
}

static bool check_alignment(const Access *a, u32 flags)
{
    u32 element = flags & ACCESS_ELEMENT ? flags & ACCESS_ELEMENT : a->bytes;
    if (!(a->addr & (element - 1))) return true;
    if (!(flags & ACCESS_ALIGNED) && !(a->cpu->mode & MODE_ALIGN_CHECK)) return true;
    return refuse(a, EV_FAULT_ALIGNMENT, a->addr);
}

// The page of the i-th byte (0 or the last), present and permitted; NULL = faulted.
static MemPage *get_page(const Access *a, u64 i)
{
    u64 at = cpu_strip(a->cpu, a->addr + i), fault_at = a->addr + i;
    if (i) fault_at &= ~(u64)(MEM_PAGE - 1); // first byte of the second page
    MemPage *p = mem_page_or_flat(a->cpu->mem, at);
    if (!p) return refuse(a, EV_FAULT_TRANSLATION, fault_at), NULL;
    if (!(p->prot & (a->is_write ? MEM_WRITE : MEM_READ))) return refuse(a, EV_FAULT_PERMISSION, fault_at), NULL;
    return p;
}

static void fill_tlb(const Access *a, MemPage *p)
{
    Cpu *cpu = a->cpu;
    u64 page = p->number << MEM_PAGE_SHIFT;
    if (cpu_strip(cpu, a->addr) != a->addr) return; // flags in the address: every such access is slow
    MemTlbEntry e = {.page = page, .addend = (u64)p->data - page, .info = p};
    if (!a->is_write) {
        e.tags = (u64)(p->prot & MEM_LOAD_TAGS ? p->tags : s_no_tags) - (page >> 4);
        cpu->tlb.read[mem_tlb_index(page)] = e;
    } else if (!p->block_lines && p->is_dirty && (!p->has_tags || p->prot & MEM_STORE_TAGS)) {
        e.tags = p->has_tags ? (u64)p->tags - (page >> 4) : 0;
        cpu->tlb.write[mem_tlb_index(page)] = e;
    }
}

static u64 offset_in_page(u64 addr) { return addr & (MEM_PAGE - 1); }

u8 *exec_slow_read(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 bytes, u32 auth, u32 flags)
{
    Access a = make_access(cpu, op, base, addr, bytes, auth, false);
    a.is_maintenance = flags & ACCESS_MAINTENANCE;
    if (!check_cap(&a) || !check_alignment(&a, flags)) return NULL;
    MemPage *p = get_page(&a, 0);
    if (!p) return NULL;
    u64 at = offset_in_page(a.addr);
    if (at + bytes <= MEM_PAGE) {
        fill_tlb(&a, p);
        return p->data + at;
    }
    MemPage *q = get_page(&a, bytes - 1);
    if (!q) return NULL;
    u64 first = MEM_PAGE - at;
    memcpy(cpu->bounce, p->data + at, first);
    memcpy(cpu->bounce + first, q->data, bytes - first);
    return cpu->bounce;
}

// All checks of a write; fills the one or two pages.
static bool check_write(Access *a, u32 flags, MemPage *page[2])
{
    if (!check_cap(a) || !check_alignment(a, flags)) return false;
    page[0] = get_page(a, 0);
    if (!page[0]) return false;
    page[1] = offset_in_page(a->addr) + a->bytes > MEM_PAGE ? get_page(a, a->bytes - 1) : page[0];
    return page[1] != NULL;
}

static void write_part(Cpu *cpu, MemPage *p, u64 at, const u8 *bytes, u64 n)
{
    mem_prepare_write(cpu->mem, p, (p->number << MEM_PAGE_SHIFT) + at, n);
    memcpy(p->data + at, bytes, n);
    if (p->has_tags)
        for (u64 g = at / MEM_GRANULE; g <= (at + n - 1) / MEM_GRANULE; g++) p->tags[g] = 0;
}

bool exec_slow_write_bytes(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 bytes, u32 auth, u32 flags, const u8 *from)
{
    Access a = make_access(cpu, op, base, addr, bytes, auth, true);
    MemPage *page[2];
    if (!check_write(&a, flags, page)) return false;
    u64 at = offset_in_page(a.addr), first = MEM_PAGE - at < bytes ? MEM_PAGE - at : bytes;
    write_part(cpu, page[0], at, from, first);
    if (first < bytes) write_part(cpu, page[1], 0, from + first, bytes - first);
    else fill_tlb(&a, page[0]);
    return true;
}

bool exec_slow_write(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 bytes, u32 auth, u32 flags, u64 lo, u64 hi)
{
    u64 raw[2] = {lo, hi};
    return exec_slow_write_bytes(cpu, op, base, addr, bytes, auth, flags, (const u8 *)raw);
}

bool exec_check_write(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 bytes, u32 auth, u32 flags)
{
    Access a = make_access(cpu, op, base, addr, bytes, auth, true);
    a.is_maintenance = flags & ACCESS_MAINTENANCE;
    MemPage *page[2];
    return check_write(&a, flags, page);
}

// ---- capabilities

bool exec_slow_read_cap(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 auth, Reg *out)
{
    Cap by = reg_to_cap(auth == AUTH_CAP ? base : &cpu->ddc); // `out` may be the base
    u8 *p = exec_slow_read(cpu, op, base, addr, 16, auth, ACCESS_ALIGNED);
    if (!p) return false;
    Access a = make_access(cpu, op, base, addr, 16, auth, false);
    MemPage *page = mem_page(cpu->mem, cpu_strip(cpu, a.addr));
    bool tag = page->tags[offset_in_page(a.addr) / MEM_GRANULE] && page->prot & MEM_LOAD_TAGS;
    *out = reg_from_cap(exec_filter_loaded(cap_from_bytes(p, tag), by));
    return true;
}

Cap exec_filter_loaded(Cap c, Cap by)
{
    u32 perms = cap_perms(by);
    if (!(perms & CAP_PERM_LOAD_CAP)) c.tag = false;
    if (c.tag && !(perms & CAP_PERM_MUTABLE_LOAD) && !cap_is_sealed(c))
        c = cap_clear_perms(c, CAP_PERM_STORE | CAP_PERM_STORE_CAP | CAP_PERM_STORE_LOCAL | CAP_PERM_MUTABLE_LOAD);
    return c;
}

// Permissions a store of c needs besides Store.
static u32 perms_to_store(const Reg *c)
{
    if (!reg_tag(c)) return 0;
    return CAP_PERM_STORE_CAP | (cap_perms(reg_to_cap(c)) & CAP_PERM_GLOBAL ? 0 : CAP_PERM_STORE_LOCAL);
}

bool exec_check_atomic(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 bytes, u32 auth, const Reg *c)
{
    Access load = make_access(cpu, op, base, addr, bytes, auth, false), store = make_access(cpu, op, base, addr, bytes, auth, true);
    if (c) store.perms |= perms_to_store(c);
    if (!check_cap(&load) || !check_cap(&store) || !check_alignment(&load, ACCESS_ALIGNED)) return false;
    MemPage *page = get_page(&load, 0);
    if (!page || !get_page(&store, 0)) return false;
    if (c && reg_tag(c) && !(page->prot & MEM_STORE_TAGS)) return refuse(&store, EV_FAULT_CAP_PAGE, store.addr);
    return true;
}

bool exec_check_write_cap(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 auth, const Reg *c)
{
    Access a = make_access(cpu, op, base, addr, 16, auth, true);
    a.perms |= perms_to_store(c);
    MemPage *page[2];
    if (!check_write(&a, ACCESS_ALIGNED, page)) return false;
    if (reg_tag(c) && !(page[0]->prot & MEM_STORE_TAGS)) return refuse(&a, EV_FAULT_CAP_PAGE, a.addr);
    return true;
}

bool exec_slow_write_cap(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 auth, const Reg *c)
{
    if (!exec_check_write_cap(cpu, op, base, addr, auth, c)) return false;
    Access a = make_access(cpu, op, base, addr, 16, auth, true);
    MemPage *p = mem_page(cpu->mem, cpu_strip(cpu, a.addr));
    u64 at = offset_in_page(a.addr), raw[2] = {c->value, reg_meta(c)};
    if (reg_tag(c)) mem_note_tag(cpu->mem, p);
    write_part(cpu, p, at, (const u8 *)raw, 16);
    p->tags[at / MEM_GRANULE] = reg_tag(c);
    fill_tlb(&a, p);
    return true;
}

bool exec_slow_write_tag(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 auth, bool tag, u64 first)
{
    Access a = make_access(cpu, op, base, addr, 16, auth, true);
    if (tag) a.perms |= CAP_PERM_STORE_CAP;
    if (!check_cap(&a)) return false;
    if (first & 63) return refuse(&a, EV_FAULT_ALIGNMENT, a.addr);
    MemPage *p = get_page(&a, 0);
    if (!p) return false;
    if (tag && !(p->prot & MEM_STORE_TAGS)) return refuse(&a, EV_FAULT_CAP_PAGE, a.addr);
    if (tag) mem_note_tag(cpu->mem, p);
    mem_prepare_write(cpu->mem, p, cpu_strip(cpu, a.addr), 16);
    p->tags[offset_in_page(a.addr) / MEM_GRANULE] = tag;
    return true;
}

void exec_set_pcc_auth(Cpu *cpu, const Op *op)
{
    cpu->pcc_auth = reg_from_cap((Cap){.value = op_pc(op), .meta = cpu->context->meta, .tag = cpu->context->tag});
}

static u8 *tag_at(Cpu *cpu, u64 addr, u32 auth)
{
    if (auth != AUTH_CAP && cpu->mode & MODE_DDCBO) addr += cpu->ddc.base;
    addr = cpu_strip(cpu, addr);
    return &mem_page(cpu->mem, addr)->tags[offset_in_page(addr) / MEM_GRANULE];
}
bool exec_get_tag(Cpu *cpu, u64 addr, u32 auth) { return *tag_at(cpu, addr, auth); }
void exec_set_tag(Cpu *cpu, u64 addr, u32 auth) { *tag_at(cpu, addr, auth) = 1; }
