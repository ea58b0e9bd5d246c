// exec_atomic.c: exclusives, ordered accesses, and the atomic read-modify-writes. One thread and one core: order is program order,
// and the exclusive monitor is an address and a size. All alignment is natural and required. The read-modify-writes run in
// their slow instance only: rare, and then the code is short.
#include "sim/exec.h"

#define SLOW_ONLY                                                                                            \
    do {                                                                                                     \
        if (slow) return slow(cpu, op);                                                                      \
    } while (0)
#define SIZE (1u << K) // rows with a size field

// ---- ordered

EXEC_MEM(LDAR, 4) { SLOW_ONLY; u64 addr = BASE; SET(RD, bits_load(READ_FLAGS(addr, SIZE, ACCESS_ALIGNED), SIZE)); NEXT; }
EXEC_MEM(LDLAR, 4) { SLOW_ONLY; u64 addr = BASE; SET(RD, bits_load(READ_FLAGS(addr, SIZE, ACCESS_ALIGNED), SIZE)); NEXT; }
EXEC_MEM(LDAPR, 4) { SLOW_ONLY; u64 addr = BASE; SET(RD, bits_load(READ_FLAGS(addr, SIZE, ACCESS_ALIGNED), SIZE)); NEXT; }
EXEC_MEM(STLR, 4) { SLOW_ONLY; u64 addr = BASE; WRITE_FLAGS(addr, SIZE, RD->value, 0, ACCESS_ALIGNED); NEXT; }
EXEC_MEM(STLLR, 4) { SLOW_ONLY; u64 addr = BASE; WRITE_FLAGS(addr, SIZE, RD->value, 0, ACCESS_ALIGNED); NEXT; }

// ---- exclusives

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

#define LOAD_EXCLUSIVE                                                                                       \
    SLOW_ONLY;                                                                                               \
    u64 addr = BASE;                                                                                         \
    u64 value = bits_load(READ_FLAGS(addr, SIZE, ACCESS_ALIGNED), SIZE);                                     \
    open_monitor(cpu, addr, SIZE);                                                                           \
    SET(RD, value);                                                                                          \
    NEXT;
EXEC_MEM(LDXR, 4) { LOAD_EXCLUSIVE }
EXEC_MEM(LDAXR, 4) { LOAD_EXCLUSIVE }

// The status register Rs is a destination here; its number is in aux.
#define STATUS(aux_) (((aux_) & 31) == 31 ? &cpu->sink : &cpu->r[(aux_) & 31])
#define STORE_EXCLUSIVE                                                                                      \
    SLOW_ONLY;                                                                                               \
    u64 addr = BASE;                                                                                         \
    if (!exec_check_write(cpu, op, RN, addr, SIZE, AUTH, ACCESS_ALIGNED)) return NULL;                       \
    u64 fails = !take_monitor(cpu, addr, SIZE);                                                              \
    if (!fails) WRITE_FLAGS(addr, SIZE, RD->value, 0, ACCESS_ALIGNED);                                       \
    SET(STATUS(op->aux), fails);                                                                             \
    NEXT;
EXEC_MEM(STXR, 4) { STORE_EXCLUSIVE }
EXEC_MEM(STLXR, 4) { STORE_EXCLUSIVE }

// Pairs; K = sf. Alignment is that of the whole.
#define LOAD_PAIR_EXCLUSIVE                                                                                  \
    SLOW_ONLY;                                                                                               \
    u64 addr = BASE;                                                                                         \
    const u32 half = K ? 8 : 4;                                                                              \
    const u8 *p = READ_FLAGS(addr, 2 * half, ACCESS_ALIGNED);                                                \
    u64 lo = bits_load(p, half), hi = bits_load(p + half, half);                                             \
    open_monitor(cpu, addr, 2 * half);                                                                       \
    SET(RD, lo);                                                                                             \
    SET(RA, hi);                                                                                             \
    NEXT;
EXEC_MEM(LDXP, 2) { LOAD_PAIR_EXCLUSIVE }
EXEC_MEM(LDAXP, 2) { LOAD_PAIR_EXCLUSIVE }
#define STORE_PAIR_EXCLUSIVE                                                                                 \
    SLOW_ONLY;                                                                                               \
    u64 addr = BASE;                                                                                         \
    const u32 bytes = K ? 16 : 8;                                                                            \
    u64 lo = K ? RD->value : (u32)RD->value | RA->value << 32, hi = RA->value;                               \
    if (!exec_check_write(cpu, op, RN, addr, bytes, AUTH, ACCESS_ALIGNED)) return NULL;                      \
    u64 fails = !take_monitor(cpu, addr, bytes);                                                             \
    if (!fails) {                                                                                            \
        bool keeps_tag = K && cpu->stxp_keeps_tag && exec_get_tag(cpu, addr, AUTH);                          \
        WRITE_FLAGS(addr, bytes, lo, hi, ACCESS_ALIGNED);                                                    \
        if (keeps_tag) exec_set_tag(cpu, addr, AUTH);                                                        \
    }                                                                                                        \
    SET(STATUS(op->aux), fails);                                                                             \
    NEXT;
// NOTE: 16 bytes stored by STXP clear the granule's capability tag, as every store of data does. The golden vectors' reference keeps
// it, so that two integers become a capability; only the runner of those vectors asks for that (docs/decisions/0006).
EXEC_MEM(STXP, 2) { STORE_PAIR_EXCLUSIVE }
EXEC_MEM(STLXP, 2) { STORE_PAIR_EXCLUSIVE }

// ---- read-modify-write: Rt := old; [base] := f(old, Rs). Both checks come before the change.

#define MODIFY(new_)                                                                                         \
    SLOW_ONLY;                                                                                               \
    u64 addr = BASE;                                                                                         \
    if (!exec_check_atomic(cpu, op, RN, addr, SIZE, AUTH, NULL)) return NULL;                       \
    u64 old = bits_load(READ_FLAGS(addr, SIZE, ACCESS_ALIGNED), SIZE), rs = RM->value;                       \
    (void)rs;                                                                                                \
    WRITE_FLAGS(addr, SIZE, (new_), 0, ACCESS_ALIGNED);                                                      \
    SET(RD, old);                                                                                            \
    NEXT;
#define SIGNED(x_) bits_sext((x_), 8 * SIZE)
#define UNSIGNED(x_) ((x_) & bits_mask(8 * SIZE))
EXEC_MEM(LDADD, 4) { MODIFY(old + rs) }
EXEC_MEM(LDCLR, 4) { MODIFY(old & ~rs) }
EXEC_MEM(LDEOR, 4) { MODIFY(old ^ rs) }
EXEC_MEM(LDSET, 4) { MODIFY(old | rs) }
EXEC_MEM(LDSMAX, 4) { MODIFY(SIGNED(old) > SIGNED(rs) ? old : rs) }
EXEC_MEM(LDSMIN, 4) { MODIFY(SIGNED(old) < SIGNED(rs) ? old : rs) }
EXEC_MEM(LDUMAX, 4) { MODIFY(old > UNSIGNED(rs) ? old : rs) }
EXEC_MEM(LDUMIN, 4) { MODIFY(old < UNSIGNED(rs) ? old : rs) }
EXEC_MEM(SWP, 4) { MODIFY(rs) }

// Compare and swap: Rs := old; written only if equal (the check for writing is made anyway).
EXEC_MEM(CAS, 4)
{
    SLOW_ONLY;
    u64 addr = BASE;
    u32 rs = op->aux & 31, rt = op->aux >> 8 & 31;
    if (!exec_check_atomic(cpu, op, RN, addr, SIZE, AUTH, NULL)) return NULL;
    u64 old = bits_load(READ_FLAGS(addr, SIZE, ACCESS_ALIGNED), SIZE);
    u64 want = UNSIGNED(rs == 31 ? 0 : cpu->r[rs].value), new = rt == 31 ? 0 : cpu->r[rt].value;
    if (old == want) WRITE_FLAGS(addr, SIZE, new, 0, ACCESS_ALIGNED);
    SET(STATUS(rs), old);
    NEXT;
}
static u64 read_x(const Cpu *cpu, u32 n) { return n == 31 ? 0 : cpu->r[n].value; }
EXEC_MEM(CASP, 2)
{
    SLOW_ONLY;
    u64 addr = BASE;
    const u32 half = K ? 8 : 4;
    u32 rs = op->aux & 31, rt = op->aux >> 8 & 31;
    if (!exec_check_atomic(cpu, op, RN, addr, 2 * half, AUTH, NULL)) return NULL;
    const u8 *p = READ_FLAGS(addr, 2 * half, ACCESS_ALIGNED);
    u64 lo = bits_load(p, half), hi = bits_load(p + half, half), mask = bits_mask(8 * half);
    if (lo == (read_x(cpu, rs) & mask) && hi == (read_x(cpu, rs + 1) & mask)) {
        u64 a = read_x(cpu, rt), b = read_x(cpu, rt + 1);
        WRITE_FLAGS(addr, 2 * half, K ? a : (u32)a | b << 32, b, ACCESS_ALIGNED);
    }
    SET(STATUS(rs), lo);
    SET(STATUS(rs + 1), hi);
    NEXT;
}
