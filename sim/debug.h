// debug.h: looking into a machine and changing it from outside: single steps, breakpoints, peek and poke. Peeks have no side effects.
// Pokes go the way of every outside write: tags are cleared, blocks over the bytes are killed.
#ifndef CAPLAB_SIM_DEBUG_H
#define CAPLAB_SIM_DEBUG_H

#include "sim/machine.h"

// Registers by number: 0..30 Cn, then the special ones.
typedef enum DbgReg {
    DBG_C0 = 0, DBG_CSP = 31, DBG_PCC, DBG_DDC, DBG_RSP, DBG_RDDC, DBG_CTPIDR, DBG_CID, // CSP, DDC: as Executive has them now
    DBG_CSP_EL0, DBG_CSP_EL1, DBG_CSP_EL2, DBG_CSP_EL3, DBG_DDC_EL0, DBG_DDC_EL1, DBG_DDC_EL2, DBG_DDC_EL3,
    DBG_CELR_EL1, DBG_CELR_EL2, DBG_CELR_EL3, DBG_CVBAR_EL1, DBG_CVBAR_EL2, DBG_CVBAR_EL3, DBG_REG_COUNT
} DbgReg;
Cap dbg_get_cap(const Machine *m, DbgReg r);
void dbg_set_cap(Machine *m, DbgReg r, Cap c); // PCC: the next instruction to run
void dbg_set_x(Machine *m, u32 n, u64 v);      // as an X write: upper half and tag go
void dbg_get_v(const Machine *m, u32 n, u64 out[2]);
void dbg_set_v(Machine *m, u32 n, const u64 v[2]);
u8 dbg_get_nzcv(const Machine *m);
void dbg_set_nzcv(Machine *m, u8 nzcv);
bool dbg_get_c64(const Machine *m);
void dbg_set_c64(Machine *m, bool c64);
// System registers by their names ("FPCR", "SCTLR_EL1"). False = there is no such register.
bool dbg_get_sys(const Machine *m, const char *name, u64 *v);
bool dbg_set_sys(Machine *m, const char *name, u64 v);
// A bare machine as after reset (EL3; exceptions are taken, not reported), and its exception level.
void dbg_reset_bare(Machine *m);
u32 dbg_get_level(const Machine *m);
void dbg_set_level(Machine *m, u32 el, bool sp); // sp: SPSel

bool dbg_peek(const Machine *m, u64 addr, void *out, size_t len); // false if any byte is not mapped
bool dbg_poke(Machine *m, u64 addr, const void *bytes, size_t len);
bool dbg_poke_cap(Machine *m, u64 addr, Cap c);                   // 16-aligned
bool dbg_peek_cap(const Machine *m, u64 addr, Cap *c);
// A bare machine for test cases: maps [addr, addr+len) read-write-execute; unmapped memory elsewhere stays unmapped.
bool dbg_map(Machine *m, u64 addr, u64 len); // false: the memory limit
// Forgets all memory. On: everything unmapped reads as zero and is created on access (the golden vectors' flat memory).
void dbg_set_flat_memory(Machine *m, bool on);
// On: STXP of X registers keeps the granule's tag, as the golden vectors' reference does and the architecture does not.
void dbg_set_stxp_keeps_tag(Machine *m, bool on);
bool dbg_next_page(const Machine *m, u64 from, u64 *page); // first mapped page at or above from; false = none

void dbg_break_add(Machine *m, u64 pc);
void dbg_break_remove(Machine *m, u64 pc);
u32 dbg_break_list(const Machine *m, u64 *out, u32 max);

EvStop dbg_step(Machine *m); // one instruction: EV_STOP_BUDGET when it retired

#endif
