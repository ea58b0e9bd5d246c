// linux_mem.c: system calls about the address space. Hybrid programs get Linux's brk and mmap. Purecap programs get PCuABI: mmap
// returns an *owning* capability (with SW_VMEM) to a reservation, and only the owner can change what lies in it.
#include "base/bits.h"
#include "sim/linux.h"
#include "sim/machine_int.h"

// mmap searches downwards from below the stack.
static const u64 MMAP_LOW = 0x100000000, MMAP_HIGH = 0x7F0000000000;
static const u64 MAX_ADDR = 0x800000000000;

u8 lnx_mem_prot(u64 prot)
{
    u8 p = 0;
    if (prot & LNX_PROT_READ) p |= MEM_READ | MEM_LOAD_TAGS;
    if (prot & LNX_PROT_WRITE) p |= MEM_READ | MEM_LOAD_TAGS | MEM_WRITE | MEM_STORE_TAGS; // no write-only pages on AArch64
    if (prot & LNX_PROT_EXEC) p |= MEM_EXEC;
    return p;
}

static u64 page_up(u64 v) { return bits_align_up(v, LNX_PAGE); }

// ---- brk: only hybrid

i64 lnx_sys_brk(LnxCall *c)
{
    Linux *l = c->l;
    if (l->is_purecap) return -LNX_ENOSYS;
    u64 want = c->x[0];
    if (want < l->brk_start || want > MMAP_HIGH) return (i64)l->brk;
    u64 old_end = page_up(l->brk), new_end = page_up(want);
    if (new_end > old_end) {
        MemPage *next = mem_next_page(c->m->mem, old_end / LNX_PAGE);
        bool is_free = !next || next->number * LNX_PAGE >= new_end;
        if (!is_free || !mem_map(c->m->mem, old_end, new_end - old_end, lnx_mem_prot(LNX_PROT_READ | LNX_PROT_WRITE)))
            return (i64)l->brk; // Linux answers the old break
    } else if (new_end < old_end) {
        mem_unmap(c->m->mem, new_end, old_end - new_end);
    }
    return (i64)(l->brk = want);
}

// ---- reservations (purecap)

static LnxRange *reservation_of(const Linux *l, u64 addr, u64 len)
{
    for (u32 i = 0; i < l->reservations.len; i++) {
        LnxRange *r = &l->reservations.at[i];
        if (addr >= r->base && addr - r->base < r->len && len <= r->len - (addr - r->base)) return r;
    }
    return NULL;
}

static bool touches_reservation(const Linux *l, u64 addr, u64 len)
{
    for (u32 i = 0; i < l->reservations.len; i++) {
        const LnxRange *r = &l->reservations.at[i];
        if (addr < r->base + r->len && r->base < addr + len) return true;
    }
    return false;
}

static void drop_reservation(Linux *l, LnxRange *r) { *r = l->reservations.at[--l->reservations.len]; }

// An owning capability: may change the mappings of [addr, addr+len).
static bool is_owning(Cap c, u64 addr, u64 len)
{
    u32 need = CAP_PERM_GLOBAL | LNX_CAP_VMEM;
    return c.tag && !cap_is_sealed(c) && (cap_perms(c) & need) == need && cap_in_bounds(cap_bounds(c), addr, len);
}

static u32 perms_for(const LnxCall *c, u64 prot)
{
    u32 p = LNX_CAP_ROOT;
    if (prot & LNX_PROT_READ) p |= LNX_CAP_READ;
    if (prot & LNX_PROT_WRITE) p |= LNX_CAP_WRITE;
    if (prot & LNX_PROT_EXEC) p |= CAP_PERM_EXECUTE | (cap_perms(cpu_get_cap(c->cpu, CPU_PCC)) & LNX_CAP_EXEC);
    if (prot & LNX_PROT_CAP_INVOKE) p |= CAP_PERM_BRANCH_SEALED_PAIR;
    return p;
}

static Cap make_owner(u64 addr, u64 len, u32 perms)
{
    bool exact;
    Cap c = cap_set_bounds(cap_set_value(CAP_ALMIGHTY, addr), len, &exact);
    return cap_clear_perms(c, ~perms & 0x3FFFF);
}

// ---- mmap

static int map_range(LnxCall *c, u64 addr, u64 len, u64 prot)
{
    if (!mem_map(c->m->mem, addr, len, lnx_mem_prot(prot))) return LNX_ENOMEM;
    if (c->x[3] & LNX_MAP_ANONYMOUS) return 0;
    const LnxFd *f = &c->l->fds[c->x[4]];
    const LnxNode *n = &c->l->nodes.at[f->node];
    u64 offset = c->x[5], have = offset < n->len ? n->len - offset : 0;
    mem_write(c->m->mem, addr, n->bytes + offset, have < len ? have : len);
    return 0;
}

static int check_mmap(const LnxCall *c, u64 *len, u64 *prot, u64 *max_prot)
{
    u64 flags = c->x[3];
    *prot = c->x[2] & 0xFFFF;
    *max_prot = c->x[2] >> 16 & 0xFFFF;
    if (!*max_prot) *max_prot = *prot;
    if (*prot & ~*max_prot) return LNX_EINVAL;
    if (!c->x[1]) return LNX_EINVAL;
    if (c->x[1] > MAX_ADDR) return LNX_ENOMEM;
    *len = page_up(c->x[1]);
    if (flags & LNX_MAP_GROWSDOWN) return LNX_EOPNOTSUPP;
    if (!(flags & (LNX_MAP_PRIVATE | LNX_MAP_SHARED))) return LNX_EINVAL;
    if (!(flags & LNX_MAP_ANONYMOUS)) {
        if (c->x[4] >= LNX_MAX_FDS || c->l->fds[c->x[4]].kind != LNX_FD_FILE) return LNX_EBADF;
        if (c->x[5] % LNX_PAGE) return LNX_EINVAL;
        if ((flags & LNX_MAP_SHARED) && (*prot & LNX_PROT_WRITE)) return LNX_EACCES;
    }
    return 0;
}

static bool is_fixed(const LnxCall *c) { return c->x[3] & (LNX_MAP_FIXED | LNX_MAP_FIXED_NOREPLACE); }

static int fixed_place_ok(u64 addr, u64 len)
{
    if (addr % LNX_PAGE || addr < LNX_PAGE || addr > MAX_ADDR - len) return LNX_EINVAL;
    return 0;
}

static i64 mmap_hybrid(LnxCall *c, u64 len, u64 prot)
{
    u64 addr = c->x[0];
    if (is_fixed(c)) {
        int error = fixed_place_ok(addr, len);
        if (error) return -error;
        if (c->x[3] & LNX_MAP_FIXED_NOREPLACE) {
            MemPage *next = mem_next_page(c->m->mem, addr / LNX_PAGE);
            enum { LNX_EEXIST = 17 };
            if (next && next->number * LNX_PAGE < addr + len) return -LNX_EEXIST;
        }
    } else {
        addr = mem_find_free(c->m->mem, MMAP_LOW, MMAP_HIGH, len);
        if (!addr) return -LNX_ENOMEM;
    }
    int error = map_range(c, addr, len, prot);
    return error ? -error : (i64)addr;
}

// Into a range that the caller owns: the reservation stays, the passed capability comes back.
static i64 mmap_owned(LnxCall *c, u64 len, u64 prot)
{
    u64 addr = c->x[0];
    if (!is_fixed(c)) return -LNX_EINVAL;
    if (!is_owning(c->c[0], addr, len)) return -LNX_EINVAL;
    if (!reservation_of(c->l, addr, len)) return -LNX_ERESERVATION;
    int error = fixed_place_ok(addr, len);
    if (!error) error = map_range(c, addr, len, prot);
    if (error) return -error;
    c->is_cap_result = true;
    c->cap_result = c->c[0];
    return 0;
}

static i64 mmap_purecap(LnxCall *c, u64 len, u64 prot, u64 max_prot)
{
    if (c->c[0].tag) return mmap_owned(c, len, prot);
    u64 addr = c->x[0];
    u64 padded = page_up(cap_representable_length(len));
    if (is_fixed(c)) {
        int error = fixed_place_ok(addr, len);
        if (error) return -error;
        if (touches_reservation(c->l, addr, len)) return -LNX_ERESERVATION;
        padded = len;
    } else {
        u64 align = ~cap_representable_mask(padded) + 1;
        if (align < LNX_PAGE) align = LNX_PAGE;
        u64 room = mem_find_free(c->m->mem, MMAP_LOW, MMAP_HIGH, padded + align - LNX_PAGE);
        if (!room) return -LNX_ENOMEM;
        addr = bits_align_up(room, align);
    }
    int error = map_range(c, addr, len, prot);
    if (error) return -error;
    vec_push(&c->l->reservations, (LnxRange){addr, padded});
    c->is_cap_result = true;
    c->cap_result = make_owner(addr, padded, perms_for(c, max_prot));
    return 0;
}

i64 lnx_sys_mmap(LnxCall *c)
{
    u64 len, prot, max_prot;
    int error = check_mmap(c, &len, &prot, &max_prot);
    if (error) return -error;
    return c->l->is_purecap ? mmap_purecap(c, len, prot, max_prot) : mmap_hybrid(c, len, prot);
}

// Common to munmap and mprotect: the range, and in purecap the right to it.
static int check_range(const LnxCall *c, u64 *len)
{
    u64 addr = c->x[0];
    if (addr % LNX_PAGE || c->x[1] > MAX_ADDR || addr > MAX_ADDR - page_up(c->x[1])) return LNX_EINVAL;
    *len = page_up(c->x[1]);
    if (!c->l->is_purecap || !*len) return 0;
    if (!is_owning(c->c[0], addr, *len)) return LNX_EINVAL;
    // The image and the stack are owned by the capabilities of the auxiliary vector, without a reservation of their own.
    bool is_mmap_area = addr >= MMAP_LOW && addr < MMAP_HIGH;
    return is_mmap_area && !reservation_of(c->l, addr, *len) ? LNX_ERESERVATION : 0;
}

i64 lnx_sys_munmap(LnxCall *c)
{
    u64 len;
    int error = check_range(c, &len);
    if (error) return -error;
    if (!len) return -LNX_EINVAL;
    mem_unmap(c->m->mem, c->x[0], len);
    // A reservation ends when nothing is mapped in it any more.
    LnxRange *r = c->l->is_purecap ? reservation_of(c->l, c->x[0], len) : NULL;
    if (r) {
        MemPage *next = mem_next_page(c->m->mem, r->base / LNX_PAGE);
        if (!next || next->number * LNX_PAGE >= r->base + r->len) drop_reservation(c->l, r);
    }
    return 0;
}

i64 lnx_sys_mprotect(LnxCall *c)
{
    u64 len, prot = c->x[2] & 0xFFFF;
    int error = check_range(c, &len);
    if (error) return -error;
    if (!len) return 0;
    if (c->l->is_purecap) {
        u32 need = perms_for(c, prot & 7) & (CAP_PERM_LOAD | CAP_PERM_STORE | CAP_PERM_EXECUTE);
        if (need & ~cap_perms(c->c[0])) return -LNX_EINVAL;
    }
    return mem_protect(c->m->mem, c->x[0], len, lnx_mem_prot(prot)) ? 0 : -LNX_ENOMEM;
}

i64 lnx_sys_madvise(LnxCall *c)
{
    enum { DONTNEED = 4 };
    u64 len;
    int error = check_range(c, &len);
    if (error) return -error;
    if (c->x[2] == DONTNEED && mem_is_mapped(c->m->mem, c->x[0], len)) mem_fill(c->m->mem, c->x[0], 0, len);
    return 0;
}
