// exec_morello_atomic.c: exclusives, swaps and compare-and-swaps of capabilities. As in exec_atomic.c: slow instances only, order is
// program order, the monitor is an address and a size.
#include "sim/exec.h"

static void open_monitor(Cpu *cpu, u64 addr, u32 bytes)
{
    cpu->monitor_addr = addr;
    cpu->monitor_size = bytes;
}
// Closes the monitor; true if it was set for this access.
static bool take_monitor(Cpu *cpu, u64 addr, u32 bytes)
{
    bool is_ours = cpu->monitor_addr == addr && cpu->monitor_size == bytes;
    cpu->monitor_addr = ~0ULL;
    cpu->monitor_size = 0;
    return is_ours;
}

// Registers named in aux: Rs, Rt, Rt2 by bytes.
static const Reg *source(Cpu *cpu, u32 n) { return (n & 31) == 31 ? &cpu->zero : &cpu->r[n & 31]; }
static Reg *dest(Cpu *cpu, u32 n) { return (n & 31) == 31 ? &cpu->sink : &cpu->r[n & 31]; }
#define RS_NUMBER (op->aux)
#define RT_NUMBER (op->aux >> 8)

static bool base_is_bad(Cpu *cpu, const Op *op) { return (RN->value & op->x) && exec_base_is_bad(cpu, op, RN); }

// ---- exclusives

COLD static const Op *load_exclusive(Cpu *cpu, const Op *op, u32 auth)
{
    Reg loaded;
    if (base_is_bad(cpu, op)) return NULL;
    u64 addr = RN->value;
    if (!exec_slow_read_cap(cpu, op, RN, addr, auth, &loaded)) return NULL;
    open_monitor(cpu, addr, 16);
    *RD = loaded;
    return exec_next_slow(cpu, op);
}
EXEC_MEM(LDXR_C_R_C, 1) { return load_exclusive(cpu, op, AUTH); }
EXEC_MEM(LDAXR_C_R_C, 1) { return load_exclusive(cpu, op, AUTH); }

COLD static const Op *store_exclusive(Cpu *cpu, const Op *op, u32 auth)
{
    if (base_is_bad(cpu, op)) return NULL;
    u64 addr = RN->value;
    if (!exec_check_write_cap(cpu, op, RN, addr, auth, RD)) return NULL;
    u64 fails = !take_monitor(cpu, addr, 16);
    if (!fails && !exec_slow_write_cap(cpu, op, RN, addr, auth, RD)) return NULL;
    SET(dest(cpu, RS_NUMBER), fails);
    return exec_next_slow(cpu, op);
}
EXEC_MEM(STXR_R_CR_C, 1) { return store_exclusive(cpu, op, AUTH); }
EXEC_MEM(STLXR_R_CR_C, 1) { return store_exclusive(cpu, op, AUTH); }

// Pairs: aligned to 32.
COLD static const Op *load_exclusive_pair(Cpu *cpu, const Op *op, u32 auth)
{
    Reg first, second;
    if (base_is_bad(cpu, op)) return NULL;
    u64 addr = RN->value;
    if (!exec_slow_read(cpu, op, RN, addr, 32, auth, 32 | ACCESS_ALIGNED) || !exec_slow_read_cap(cpu, op, RN, addr, auth, &first) ||
        !exec_slow_read_cap(cpu, op, RN, addr + 16, auth, &second))
        return NULL;
    open_monitor(cpu, addr, 32);
    *RD = first;
    *RA = second;
    return exec_next_slow(cpu, op);
}
EXEC_MEM(LDXP_C_R_C, 1) { return load_exclusive_pair(cpu, op, AUTH); }
EXEC_MEM(LDAXP_C_R_C, 1) { return load_exclusive_pair(cpu, op, AUTH); }

// Both halves are checked, each with its own needs, before anything is stored.
COLD static const Op *store_exclusive_pair(Cpu *cpu, const Op *op, u32 auth)
{
    if (base_is_bad(cpu, op)) return NULL;
    u64 addr = RN->value;
    if (!exec_check_write_cap(cpu, op, RN, addr, auth, RD) || !exec_check_write_cap(cpu, op, RN, addr + 16, auth, RA) ||
        !exec_check_write(cpu, op, RN, addr, 32, auth, 32 | ACCESS_ALIGNED))
        return NULL;
    u64 fails = !take_monitor(cpu, addr, 32);
    if (!fails && (!exec_slow_write_cap(cpu, op, RN, addr, auth, RD) || !exec_slow_write_cap(cpu, op, RN, addr + 16, auth, RA))) return NULL;
    SET(dest(cpu, RS_NUMBER), fails);
    return exec_next_slow(cpu, op);
}
EXEC_MEM(STXP_R_CR_C, 1) { return store_exclusive_pair(cpu, op, AUTH); }
EXEC_MEM(STLXP_R_CR_C, 1) { return store_exclusive_pair(cpu, op, AUTH); }

// ---- swap and compare-and-swap: the check of the load comes first, then that of the store (made even if nothing is stored)

COLD static const Op *swap(Cpu *cpu, const Op *op, u32 auth)
{
    Reg old;
    if (base_is_bad(cpu, op)) return NULL;
    u64 addr = RN->value;
    const Reg *new = source(cpu, RS_NUMBER);
    if (!exec_check_atomic(cpu, op, RN, addr, 16, auth, new) || !exec_slow_read_cap(cpu, op, RN, addr, auth, &old) ||
        !exec_slow_write_cap(cpu, op, RN, addr, auth, new))
        return NULL;
    *RD = old;
    return exec_next_slow(cpu, op);
}
EXEC_MEM(SWP_CC_R_C, 1) { return swap(cpu, op, AUTH); }
EXEC_MEM(SWPA_CC_R_C, 1) { return swap(cpu, op, AUTH); }
EXEC_MEM(SWPL_CC_R_C, 1) { return swap(cpu, op, AUTH); }
EXEC_MEM(SWPAL_CC_R_C, 1) { return swap(cpu, op, AUTH); }

static bool is_equal(Cap a, Cap b) { return a.value == b.value && a.meta == b.meta && a.tag == b.tag; }

// All 129 bits are compared, of the old value as it would be loaded.
COLD static const Op *compare_and_swap(Cpu *cpu, const Op *op, u32 auth)
{
    Reg old;
    if (base_is_bad(cpu, op)) return NULL;
    u64 addr = RN->value;
    const Reg *new = source(cpu, RT_NUMBER);
    if (!exec_check_atomic(cpu, op, RN, addr, 16, auth, new) || !exec_slow_read_cap(cpu, op, RN, addr, auth, &old)) return NULL;
    if (is_equal(reg_to_cap(&old), reg_to_cap(source(cpu, RS_NUMBER))) && !exec_slow_write_cap(cpu, op, RN, addr, auth, new)) return NULL;
    *dest(cpu, RS_NUMBER) = old;
    return exec_next_slow(cpu, op);
}
EXEC_MEM(CAS_C_R_C, 1) { return compare_and_swap(cpu, op, AUTH); }
EXEC_MEM(CASA_C_R_C, 1) { return compare_and_swap(cpu, op, AUTH); }
EXEC_MEM(CASL_C_R_C, 1) { return compare_and_swap(cpu, op, AUTH); }
EXEC_MEM(CASAL_C_R_C, 1) { return compare_and_swap(cpu, op, AUTH); }
