// debug.c: registers, memory, breakpoints and steps for tools. Every change goes the same way as a system call's, so the core
// never keeps decoded blocks or tags of bytes that a tool has changed.
#include "sim/debug.h"
#include "sim/machine_int.h"

// DbgReg and CpuReg are the same list, once for users and once for the core.
static_assert((int)DBG_CSP == (int)CPU_CSP && (int)DBG_PCC == (int)CPU_PCC && (int)DBG_DDC == (int)CPU_DDC &&
                  (int)DBG_RSP == (int)CPU_RSP && (int)DBG_RDDC == (int)CPU_RDDC && (int)DBG_CTPIDR == (int)CPU_CTPIDR &&
                  (int)DBG_CID == (int)CPU_CID && (int)DBG_CSP_EL0 == (int)CPU_CSP_EL0 && (int)DBG_DDC_EL0 == (int)CPU_DDC_EL0 &&
                  (int)DBG_CELR_EL1 == (int)CPU_CELR_EL1 && (int)DBG_CVBAR_EL3 == (int)CPU_CVBAR_EL3,
              "register numbers");

Cap dbg_get_cap(const Machine *m, DbgReg r) { return cpu_get_cap(m->cpu, (CpuReg)r); }
void dbg_set_cap(Machine *m, DbgReg r, Cap c) { cpu_set_cap(m->cpu, (CpuReg)r, c); }
void dbg_set_x(Machine *m, u32 n, u64 v) { cpu_set_x(m->cpu, n, v); }

void dbg_get_v(const Machine *m, u32 n, u64 out[2])
{
    out[0] = m->cpu->v[n].lo;
    out[1] = m->cpu->v[n].hi;
}

void dbg_set_v(Machine *m, u32 n, const u64 v[2])
{
    m->cpu->v[n].lo = v[0];
    m->cpu->v[n].hi = v[1];
}

u8 dbg_get_nzcv(const Machine *m) { return cpu_get_nzcv(m->cpu); }
void dbg_set_nzcv(Machine *m, u8 nzcv) { cpu_set_nzcv(m->cpu, nzcv); }
bool dbg_get_c64(const Machine *m) { return cpu_get_c64(m->cpu); }
void dbg_set_c64(Machine *m, bool c64) { cpu_jump(m->cpu, cpu_get_cap(m->cpu, CPU_PCC), c64); }

static u32 find_sys(const char *name)
{
    static const char *const names[] = {
#define SYSREG(name, ...) #name,
#include "isa/def/sysregs.def"
#undef SYSREG
    };
    u32 i = 0;
    while (i < SYS_COUNT && strcmp(names[i], name) != 0) i++;
    return i;
}
bool dbg_get_sys(const Machine *m, const char *name, u64 *v)
{
    u32 r = find_sys(name);
    if (r == SYS_COUNT) return false;
    *v = sys_read(m->cpu, (SysReg)r);
    return true;
}
bool dbg_set_sys(Machine *m, const char *name, u64 v)
{
    u32 r = find_sys(name);
    if (r == SYS_COUNT) return false;
    sys_write(m->cpu, (SysReg)r, v);
    return true;
}

void dbg_reset_bare(Machine *m) { cpu_reset_bare(m->cpu); }
u32 dbg_get_level(const Machine *m) { return m->cpu->pstate.el; }
void dbg_set_level(Machine *m, u32 el, bool sp)
{
    CpuPstate p = m->cpu->pstate;
    p.el = (u8)el, p.sp = sp;
    cpu_set_pstate(m->cpu, p);
}

bool dbg_peek(const Machine *m, u64 addr, void *out, size_t len) { return mem_read(m->mem, addr, out, len); }
bool dbg_poke(Machine *m, u64 addr, const void *bytes, size_t len) { return mem_write(m->mem, addr, bytes, len); }
bool dbg_poke_cap(Machine *m, u64 addr, Cap c) { return mem_write_cap(m->mem, addr, c); }
bool dbg_peek_cap(const Machine *m, u64 addr, Cap *c) { return mem_read_cap(m->mem, addr, c); }

bool dbg_map(Machine *m, u64 addr, u64 len)
{
    u64 low = addr & ~(u64)(MEM_PAGE - 1), high = (addr + len + MEM_PAGE - 1) & ~(u64)(MEM_PAGE - 1);
    return mem_map(m->mem, low, high - low, MEM_READ | MEM_WRITE | MEM_EXEC | MEM_TAGS);
}

void dbg_set_flat_memory(Machine *m, bool on)
{
    for (MemPage *p; (p = mem_next_page(m->mem, 0));) mem_unmap(m->mem, p->number << MEM_PAGE_SHIFT, MEM_PAGE);
    m->mem->is_flat = on;
    cpu_flush_blocks(m->cpu);
    m->cpu->monitor_addr = ~0ULL;
}

void dbg_set_stxp_keeps_tag(Machine *m, bool on) { m->cpu->stxp_keeps_tag = on; }

bool dbg_next_page(const Machine *m, u64 from, u64 *page)
{
    const MemPage *p = mem_next_page(m->mem, from >> MEM_PAGE_SHIFT);
    if (p) *page = p->number << MEM_PAGE_SHIFT;
    return p != NULL;
}

void dbg_break_add(Machine *m, u64 pc) { cpu_break_add(m->cpu, pc); }
void dbg_break_remove(Machine *m, u64 pc) { cpu_break_remove(m->cpu, pc); }

u32 dbg_break_list(const Machine *m, u64 *out, u32 max)
{
    u32 n = m->cpu->n_breaks < max ? m->cpu->n_breaks : max;
    memcpy(out, m->cpu->breaks, n * sizeof *out);
    return m->cpu->n_breaks;
}

EvStop dbg_step(Machine *m) { return cpu_run(m->cpu, 1); }
