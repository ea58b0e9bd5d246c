// exec.h: how an instruction body is written, and what it may use.
//
// A body is one function a row of the ISA table; its file is compiled twice, for the tail-call engine and for the loop.
//
//     EXEC_SF(ADD_SR)                       // two instances, sf = 0 and 1: constants inside the body
//     {
//         SET(RD, SRC(RN) + OPERAND2);      // RD RN RM RA: the slots the operand plan prepared (XZR, SP, sink resolved)
//         NEXT;                             // next operation: tail call or return
//     }
//     EXEC_MEM(LDRB_UI, 1)                  // instances by authority: none (almighty DDC), DDC, base capability; and a slow one each
//     {
//         u64 addr = ADDRESS(IMM);          // may leave for the slow instance: nothing has been changed before
//         const u8 *p = READ(addr, 1);      // checked host pointer; failing, leaves (slow instance, or fault)
//         SET(RD, *p);
//         NEXT;
//     }
//
// Rules. (1) A body's calls are inlined or tail calls; no address of a local escapes. (2) The slow instance is the same text with slow
// == NULL: there READ, WRITE and REG_ADD call complete functions, so anything may happen in them. (3) Everything that can leave
// comes before the first change of state. (4) A variable number `v` tells the instance: SF, AUTH, K are derived from it and
// constant. (5) A body that ends a block uses GOTO, GOTO_X or GOTO_CAP instead of NEXT.
#ifndef CAPLAB_SIM_EXEC_H
#define CAPLAB_SIM_EXEC_H

#include "base/bits.h"
#include "isa/cap_inline.h"
#include "isa/isa.h"
#include "sim/cpu.h"

typedef const Op *ExecFn(Cpu *cpu, const Op *op);

// The two engines: how an operation goes on, and the names of what exists once for each.
#ifdef ENGINE_TAIL
#define NEXT_BEHIND(op_) (op_)[1].fn(cpu, (op_) + 1)
#define ENGINE_NAME(x) exec_tail_##x
#define ENGINE_TABLE exec_table_tail
#define ENGINE_PSEUDO exec_pseudo_tail
#else
#define NEXT_BEHIND(op_) ((op_) + 1)
#define ENGINE_NAME(x) exec_loop_##x
#define ENGINE_TABLE exec_table_loop
#define ENGINE_PSEUDO exec_pseudo_loop
#endif

// One operation of a decoded block.
struct Op {
    ExecFn *fn;
    u16 d, n, m, a; // byte offsets in Cpu: destination (Rd, Rt), first, second, third source (Rn, Rm; Ra, Rt2, Rs)
    union {
        u64 imm;
        Block *block;    // of a branch: its own block, whose links it follows
        const Reg *reg;  // a capability known at decode time (ADR)
        const void *ptr;
    };
    u16 index;      // in block->op
    u8 insn;        // number of its instruction in the block
    u8 x;           // shift amount, bit number, condition …; memory: mask that the base must not have (15 for SP)
    u32 aux;        // second immediate
};
static_assert(sizeof(Op) == 32, "two operations a cache line");

typedef struct BlockInsn {
    u32 word;
    u16 row;
    u8 loads : 4, stores : 4; // accesses
    bool is_cap;              // they are of capabilities
} BlockInsn;

enum { BLOCK_MAX = 64 }; // instructions

struct Block {
    u64 pc;
    CpuContext *context;
    u32 n;             // instructions
    u32 n_ops;
    u64 execs;         // times entered
    Block *link[2];    // where it goes: taken (or fall-through), not taken; NULL until used
    u64 target[2];     // pcs of these
    Reg lr;            // what a call at its end writes to C30
    u16 loads, stores, cap_loads, cap_stores; // of one execution
    bool is_scratch;   // not in the cache; used once
    bool is_c64;
    Block *next_hash, *next_all;
    BlockInsn *insn;
    Op op[];
};

static inline Block *block_of(const Op *op)
{
    return (Block *)(void *)((char *)(op - op->index) - offsetof(Block, op));
}
static inline u64 op_pc(const Op *op) { return block_of(op)->pc + 4ULL * op->insn; }

// The instances of one row's body. fast and slow are indexed by the variant that the plan chose; slow may be NULL.
typedef struct ExecRow {
    ExecFn *const *fast, *const *slow;
    u32 n;
} ExecRow;
// By row.
extern const ExecRow *const exec_table_loop[ISA_ROW_COUNT];
extern const ExecRow *const exec_table_tail[ISA_ROW_COUNT];

// Rows without a row of the table: a compare and the conditional branch behind it.
#define EXEC_FUSED(X) X(SUBS_I) X(SUBS_SR) X(ANDS_I)
#define X(name) extern const ExecRow exec_loop_FUSED_##name, exec_tail_FUSED_##name;
EXEC_FUSED(X)
#undef X

// Two instructions of C64 code as one operation: the first one's row and the second one's. The operation of the second stays: it holds its
// operands, and whatever is not easy is done by the plain operations one after the other. Loads and stores of neighbouring
// pairs: variant 0: the second is behind the first in memory, 1: before it. Jump through a table: variant 1: the offset is W.
#define EXEC_TWO(X) X(LDR_C_RRB_C, BR_C_C) X(LDP_C_RIB_C, LDP_C_RIB_C) X(LDP_C_RIB_C, LDP_CC_RIAW_C) X(STP_C_RIB_C, STP_C_RIB_C)
#define X(first, second) extern const ExecRow exec_loop_TWO_##first##_##second, exec_tail_TWO_##first##_##second;
EXEC_TWO(X)
#undef X

// Who allows a memory access.
enum { AUTH_NONE, AUTH_DDC, AUTH_CAP };

// ---- slots

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define COLD          __attribute__((cold, noinline))

static ALWAYS_INLINE Reg *exec_slot(Cpu *cpu, u16 offset) { return (Reg *)(void *)((char *)cpu + offset); }
static ALWAYS_INLINE void reg_set_x(Reg *r, u64 v) { r->value = v, r->kind = 0; }
static ALWAYS_INLINE u64 reg_meta(const Reg *r) { return r->meta & (u64)(i64)((i8)r->kind >> 7); }
static ALWAYS_INLINE bool reg_tag(const Reg *r) { return r->kind & REG_TAG; }

#define RD exec_slot(cpu, op->d)
#define RN exec_slot(cpu, op->n)
#define RM exec_slot(cpu, op->m)
#define RA exec_slot(cpu, op->a)
#define IMM op->imm

#define SF   (v & 1)  // EXEC_SF
#define K    (v & 7)  // EXEC_MEM: which of its k forms
#define AUTH (v >> 3) // EXEC_MEM
#define SRC(slot)    (SF ? (slot)->value : (u32)(slot)->value)
#define SET(slot, v64) reg_set_x((slot), (v64))                          // an X write
#define SET_SF(slot, r_) reg_set_x((slot), SF ? (u64)(r_) : (u32)(r_))   // an X or W write

// ---- operands the plans prepare

// Extended register (option in x, shift in imm) and register offset of a load or store.
static ALWAYS_INLINE u64 exec_extend(u64 value, u32 option)
{
    u32 drop = 64 - (8u << (option & 3));
    return option & 4 ? (u64)((i64)(value << drop) >> drop) : value << drop >> drop;
}
#define EXTENDED (exec_extend(RM->value, op->x) << op->imm)
// RT_BASE_RM_EXT: K bit 1 = the offset register is W; then aux is 0 (UXTW) or 1 << 31 (SXTW). imm is the shift.
#define OFFSET_W (((((u64)(u32)RM->value) ^ op->aux) - op->aux) << op->imm)
#define OFFSET_X (RM->value << op->imm)
#define OFFSET   (K & 2 ? OFFSET_W : OFFSET_X)

// ---- representable add: the result keeps tag and bounds if it stays inside them (see REG_SMOOTH)

// Where the value is now does not matter: it is inside the window of its bounds, or they would not have been decoded from it.
static ALWAYS_INLINE bool reg_add_is_easy(const Reg *r, u64 increment)
{
    u64 to = r->value + increment;
    return (r->kind & REG_SMOOTH) && to >= r->base && to <= r->top;
}
// Member by member: a block copy would read with one load what two stores have just written, and wait for it.
static ALWAYS_INLINE void reg_copy_but_value(Reg *d, const Reg *n)
{
    u64 meta = n->meta, base = n->base, top = n->top;
    u8 kind = n->kind;
    d->meta = meta, d->base = base, d->top = top;
    d->kind = kind;
}
static ALWAYS_INLINE void reg_copy(Reg *d, const Reg *n)
{
    u64 value = n->value;
    reg_copy_but_value(d, n);
    d->value = value;
}
// As reg_copy, of a capability whose bounds are not decoded (just loaded).
static ALWAYS_INLINE void reg_copy_raw(Reg *d, const Reg *n)
{
    u64 value = n->value, meta = n->meta;
    u8 kind = n->kind;
    d->value = value, d->meta = meta, d->kind = kind;
}
static ALWAYS_INLINE void reg_add_easy(Reg *d, const Reg *n, u64 increment)
{
    u64 value = n->value + increment;
    reg_copy_but_value(d, n);
    d->value = value;
}
// Integers in capability registers: the value changes, the upper word stays.
static ALWAYS_INLINE void reg_add_untagged(Reg *d, const Reg *n, u64 increment)
{
    u64 value = n->value + increment, meta = n->meta;
    u8 kind = n->kind & REG_META;
    d->value = value, d->meta = meta, d->kind = kind;
}
// The access bits that permissions allow to a smooth register.
static ALWAYS_INLINE u8 reg_smooth_kind(u32 perms)
{
    u32 load = perms >> 17 & 1, store = perms >> 16 & 1;
    return (u8)(REG_SMOOTH | load * REG_LOAD | store * REG_STORE | (load & perms >> 14 & perms >> 6) * REG_LOAD_CAP |
                (store & perms >> 13 & perms >> 12) * REG_STORE_CAP);
}
static_assert(CAP_PERM_LOAD == 1 << 17 && CAP_PERM_STORE == 1 << 16 && CAP_PERM_LOAD_CAP == 1 << 14 &&
                  CAP_PERM_MUTABLE_LOAD == 1 << 6 && CAP_PERM_STORE_CAP == 1 << 13 && CAP_PERM_STORE_LOCAL == 1 << 12 &&
                  CAP_META_PERMS_LO + 6 == CPU_SMOOTH_SHIFT,
              "shifts in reg_smooth_kind");
void reg_add(Reg *d, const Reg *n, u64 increment); // the whole rule (cap_add)
void reg_decode(Reg *r);                           // fills bounds and the kind bits that depend on them; of CSP, use cpu_decode
void cpu_decode(Cpu *cpu, Reg *r);                 // the same if it is not done yet, of a register that may be CSP
// After CSP was written: a misaligned one allows no quick access.
static inline void cpu_check_sp(Cpu *cpu)
{
    if (cpu->sp.value & 15 && cpu->mode & MODE_CHECK_SP) cpu->sp.kind &= (u8)~REG_ACCESS;
}
// reg_decode in few steps, for the everyday capability of an object below 16 KiB: unsealed, at a low address, exponent 0; false: another.
// Of a tagged register that is not CSP.
//
// With exponent e the bounds lie in a window of 2^16 steps of 2^e that starts at R, 0x2000 below the base mantissa aligned to
// 0x2000: so the base is `step` = (b & 0x1fff) + 0x2000 over R, the address `above` over R, and the length is the difference of
// the mantissas, plus 0x4000 if the exponent is stored (decode_large in exec_pseudo.c).
static ALWAYS_INLINE bool reg_decode_small(const Cpu *cpu, Reg *r, u64 value, u64 meta)
{
    // The window is 2^16 bytes: so far from 0 and 2^55 neither bound wraps.
    if (UNLIKELY((u16)(meta >> CAP_META_FLAG_BIT) != 1 || (value - 0x10000) >> 54)) return false;
    u64 b = meta & 0xffff, step = (b & 0x1fff) + 0x2000, len = ((meta >> CAP_META_LIMIT_LO) - b) & 0x3fff;
    u64 base = value - (u16)(value - b + step) + step;
    r->base = base;
    r->top = base + len;
    r->kind = cpu->smooth_kind[meta >> CPU_SMOOTH_SHIFT];
    return true;
}
static_assert(CAP_META_OTYPE_LO == CAP_META_FLAG_BIT + 1, "one 16-bit test: flag, and not sealed");
// RN is a capability that was loaded but not used yet: decodes it and starts the operation again.
const Op *ENGINE_NAME(decode_base)(Cpu *cpu, const Op *op);
// From a fast instance: nothing has been changed yet.
#define LEAVE_FAST                                                                                           \
    return RN->kind == REG_RAW ? ENGINE_NAME(decode_base)(cpu, op) : slow(cpu, op)

// d := n + increment as a capability. Fast instance: leaves for the slow one unless it is easy.
#define REG_ADD(d_, n_, increment_)                                                                          \
    do {                                                                                                     \
        u64 i_ = (increment_);                                                                               \
        if (!slow) reg_add((d_), (n_), i_);                                                                  \
        else if (LIKELY(reg_add_is_easy((n_), i_))) reg_add_easy((d_), (n_), i_);                            \
        else if (!((n_)->kind & REG_TAG)) reg_add_untagged((d_), (n_), i_);                                  \
        else LEAVE_FAST;                                                                                     \
    } while (0)

// ---- flags

static ALWAYS_INLINE void flags_nz(Cpu *cpu, u64 r, bool sf)
{
    cpu->flag_n = cpu->flag_z = sf ? r : (u64)(i64)(i32)r;
}
static ALWAYS_INLINE void flags_logic(Cpu *cpu, u64 r, bool sf)
{
    flags_nz(cpu, r, sf);
    cpu->flag_c = cpu->flag_v = 0;
}
static ALWAYS_INLINE void flags_add(Cpu *cpu, u64 a, u64 b, u64 r, bool sf)
{
    flags_nz(cpu, r, sf);
    cpu->flag_c = sf ? r < a : (u32)r < (u32)a;
    cpu->flag_v = (((a ^ r) & (b ^ r)) >> (sf ? 63 : 31)) & 1;
}
static ALWAYS_INLINE void flags_sub(Cpu *cpu, u64 a, u64 b, u64 r, bool sf)
{
    flags_nz(cpu, r, sf);
    cpu->flag_c = sf ? a >= b : (u32)a >= (u32)b;
    cpu->flag_v = (((a ^ b) & (a ^ r)) >> (sf ? 63 : 31)) & 1;
}
static ALWAYS_INLINE void flags_set(Cpu *cpu, u32 nzcv)
{
    cpu->flag_n = (u64)(nzcv >> 3 & 1) << 63;
    cpu->flag_z = !(nzcv >> 2 & 1);
    cpu->flag_c = nzcv >> 1 & 1;
    cpu->flag_v = nzcv & 1;
}
static ALWAYS_INLINE u32 flags_get(const Cpu *cpu)
{
    return (u32)(cpu->flag_n >> 63) << 3 | (cpu->flag_z == 0) << 2 | cpu->flag_c << 1 | cpu->flag_v;
}
static ALWAYS_INLINE bool flags_cond(const Cpu *cpu, u32 cond) // meant for a constant cond
{
    bool n = cpu->flag_n >> 63, z = cpu->flag_z == 0, r = true;
    switch (cond >> 1) {
    case 0: r = z; break;
    case 1: r = cpu->flag_c; break;
    case 2: r = n; break;
    case 3: r = cpu->flag_v; break;
    case 4: r = cpu->flag_c && !z; break;
    case 5: r = n == cpu->flag_v; break;
    case 6: r = n == cpu->flag_v && !z; break;
    case 7: return true;
    }
    return cond & 1 ? !r : r;
}
// The same for a condition that is no constant: bit n of its row tells whether flags n satisfy it.
static ALWAYS_INLINE bool flags_holds(const Cpu *cpu, u32 cond)
{
    static const u16 when[16] = {0xf0f0, 0x0f0f, 0xcccc, 0x3333, 0xff00, 0x00ff, 0xaaaa, 0x5555,
                                 0x0c0c, 0xf3f3, 0xaa55, 0x55aa, 0x0a05, 0xf5fa, 0xffff, 0xffff};
    return when[cond] >> flags_get(cpu) & 1;
}

// ---- leaving and branching (run.c, fault.c). Those that return an Op* are to be returned by the body.

// A fault: state stays as before the instruction. auth: the register that gave the authority, or NULL.
enum { FAULT_READ, FAULT_WRITE, FAULT_MAINTENANCE }; // MAINTENANCE: by DC or IC
const Op *exec_fault(Cpu *cpu, const Op *op, EvFaultKind kind, u64 addr, u32 size, u32 access, const Reg *auth);
const Op *exec_trap(Cpu *cpu, const Op *op, EvFaultKind kind); // a fault without an address
const Op *exec_trap_to(Cpu *cpu, const Op *op, EvFaultKind kind, u32 el); // taken to this level, if exceptions are taken; 0 = the usual one
const Op *exec_fetch_fault(Cpu *cpu, const Op *op); // op->imm: the kind
// This instruction is done; continue at pc + 4 by a fresh look-up (mode word or code may have changed).
const Op *exec_leave_after(Cpu *cpu, const Op *op);
const Op *exec_next_slow(Cpu *cpu, const Op *op);  // NEXT of a slow instance
const Op *exec_link(Cpu *cpu, const Op *op, u32 which);
const Op *exec_no_budget(Cpu *cpu, Block *b);
const Op *exec_jump_x(Cpu *cpu, const Op *op, u64 target);           // slow half of GOTO_X
// Slow half of GOTO_CAP and CALL_CAP; *cache is where this branch is kept.
const Op *exec_jump_cap(Cpu *cpu, const Op *op, const Reg *target, CpuCapJump *cache);
const Op *exec_call_cap(Cpu *cpu, const Op *op, const Reg *target, CpuCapJump *cache);
// Branches to a capability: bit 0 of its value chooses the state and is dropped; a target that is still sealed loses its tag.
// exec_jump_to first applies exec_branch_target: the tag goes when Executive is left, an RB seal is opened. The restricted form
// (BRR, BLRR, RETR) takes the target as it is. *found (may be NULL) gets the block.
Cap exec_branch_target(const Cpu *cpu, Cap target);
const Op *exec_jump_to(Cpu *cpu, Cap target, Block **found);
const Op *exec_jump_restricted(Cpu *cpu, Cap target, Block **found);
const Op *exec_svc(Cpu *cpu, const Op *op);
const Op *exec_break_here(Cpu *cpu, const Op *op);
const Op *exec_probe(Cpu *cpu, const Op *op);
// Brings icount, budget and counts to "done instructions of this block are over"; returns the block.
Block *exec_sync(Cpu *cpu, const Op *op, u32 done);

// Instructions retired before this one.
static ALWAYS_INLINE u64 exec_icount(const Cpu *cpu, const Op *op)
{
    return cpu->icount_end - (u64)cpu->budget - block_of(op)->n + op->insn;
}

#define NEXT return slow ? NEXT_BEHIND(op) : exec_next_slow(cpu, op)

static ALWAYS_INLINE const Op *exec_enter(Cpu *cpu, Block *b);

// Follows link 0 or 1 of the block that this op ends.
#define GOTO(which)                                                                                          \
    do {                                                                                                     \
        Block *to_ = op->block->link[which];                                                                 \
        if (UNLIKELY(!to_)) return exec_link(cpu, op, which);                                                \
        return exec_enter(cpu, to_);                                                                         \
    } while (0)

// BR Xn and the like: to an address, PCC otherwise as it is.
#define GOTO_X(target)                                                                                       \
    do {                                                                                                     \
        u64 t_ = (target);                                                                                   \
        Block *to_ = cpu->jump_cache[t_ >> 2 & (CPU_JUMP_CACHE - 1)];                                        \
        if (UNLIKELY(to_->pc != t_ || to_->context != cpu->context)) return exec_jump_x(cpu, op, t_);        \
        return exec_enter(cpu, to_);                                                                         \
    } while (0)

static ALWAYS_INLINE CpuCapJump *exec_cap_jump(Cpu *cpu, u64 target) { return &cpu->cap_jump_cache[target >> 2 & (CPU_JUMP_CACHE - 1)]; }

// BR Cn and the like, through the cache of branches by capability. The whole rule (bit 0, seal, Executive) is in exec_jump_cap, where every
// branch goes that changes the mode or PCC's bounds.
#define GOTO_CAP(target_reg) EXEC_GOTO_CAP(target_reg, exec_cap_jump(cpu, t_), , exec_jump_cap(cpu, op, r_, j_))
// BLR Cn: also writes the block's link value to C30 (which may be the target).
#define CALL_CAP(target_reg)                                                                                 \
    EXEC_GOTO_CAP(target_reg, exec_cap_jump(cpu, t_), reg_copy_raw(&cpu->r[30], &op->block->lr), exec_call_cap(cpu, op, r_, j_))
// As GOTO_CAP, of a capability that has just been loaded from addr_: the cache is asked by this address, so that what comes next is
// known before the load is over. (An interpreter's jump to the next bytecode waits for little else.)
#define GOTO_LOADED_CAP(target_reg, addr_)                                                                   \
    EXEC_GOTO_CAP(target_reg, &cpu->table_jump_cache[(addr_) >> 4 & (CPU_TABLE_JUMPS - 1)], , exec_jump_cap(cpu, op, r_, j_))
#define EXEC_GOTO_CAP(target_reg, cache_, on_hit, on_miss)                                                       \
    do {                                                                                                     \
        const Reg *r_ = (target_reg);                                                                        \
        u64 t_ = r_->value, m_ = r_->meta;                                                                   \
        CpuCapJump *j_ = (cache_);                                                                           \
        Block *to_ = j_->block;                                                                              \
        if (UNLIKELY(to_->pc != t_ - 1 || j_->meta != m_ || to_->context != cpu->context || !(r_->kind & REG_TAG))) \
            return on_miss;                                                                                  \
        on_hit;                                                                                              \
        return exec_enter(cpu, to_);                                                                         \
    } while (0)

// ---- memory (access.c has the slow halves)

// A TLB hit's host pointer is never NULL.
 static ALWAYS_INLINE u8 *exec_host(u64 at)
{
    if (!at) __builtin_unreachable(); // spares the callers' test
    return (u8 *)at;
}
// Reading `bytes` at addr through `base` (the capability for AUTH_CAP). A host pointer, or NULL: take the slow way.
static ALWAYS_INLINE u8 *exec_fast_read(Cpu *cpu, const Reg *base, u64 addr, u32 bytes, u32 auth)
{
    if (auth != AUTH_NONE) {
        const Reg *r = auth == AUTH_CAP ? base : &cpu->ddc;
        if (UNLIKELY(!(r->kind & REG_LOAD) || addr < r->base || addr + bytes > r->top)) return NULL;
    }
    const MemTlbEntry *e = &cpu->tlb.read[mem_tlb_index(addr)];
    if (UNLIKELY(e->page != ((addr + bytes - 1) & ~(u64)(MEM_PAGE - 1)))) return NULL;
    return exec_host(addr + e->addend);
}
// For writing; the tags of the granules touched are cleared here.
static ALWAYS_INLINE u8 *exec_fast_write(Cpu *cpu, const Reg *base, u64 addr, u32 bytes, u32 auth)
{
    if (auth != AUTH_NONE) {
        const Reg *r = auth == AUTH_CAP ? base : &cpu->ddc;
        if (UNLIKELY(!(r->kind & REG_STORE) || addr < r->base || addr + bytes > r->top)) return NULL;
    }
    const MemTlbEntry *e = &cpu->tlb.write[mem_tlb_index(addr)];
    if (UNLIKELY(e->page != ((addr + bytes - 1) & ~(u64)(MEM_PAGE - 1)))) return NULL;
    if (e->tags) {
        *(u8 *)(e->tags + (addr >> 4)) = 0;
        if (bytes > 1) *(u8 *)(e->tags + ((addr + bytes - 1) >> 4)) = 0;
        for (u32 at = 16; at < bytes; at += 16) *(u8 *)(e->tags + ((addr + at) >> 4)) = 0;
    }
    return exec_host(addr + e->addend);
}

// flags of accesses: bytes of one element (0: the whole), which must be aligned under SCTLR.A or always.
enum { ACCESS_ELEMENT = 0xff, ACCESS_ALIGNED = 0x100, ACCESS_MAINTENANCE = 0x200 }; // MAINTENANCE: by DC or IC
// Complete accesses. NULL/false: the fault is raised, the body returns NULL.
u8 *exec_slow_read(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 bytes, u32 auth, u32 flags);
bool exec_slow_write(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 bytes, u32 auth, u32 flags, u64 lo, u64 hi);
// Only the checks of a write (for read-modify-write, before anything changes).
bool exec_check_write(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 bytes, u32 auth, u32 flags);
bool exec_slow_read_cap(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 auth, Reg *out);
bool exec_slow_write_cap(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 auth, const Reg *c);
// All checks of an atomic read-modify-write, before anything changes: those of the load, then those of the store (of capability c, or of
// data if c is NULL), alignment, translation.
bool exec_check_atomic(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 bytes, u32 auth, const Reg *c);
// As above with any number of bytes up to 64.
bool exec_slow_write_bytes(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 bytes, u32 auth, u32 flags, const u8 *from);
// Only the checks of storing capability c.
bool exec_check_write_cap(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 auth, const Reg *c);
// What becomes of a capability loaded through `by` without LoadCap or MutableLoad.
Cap exec_filter_loaded(Cap c, Cap by);
// The capability tag of addr's granule, of a mapped page.
// STCT: the tag of one granule, of four from `first` on (which must be aligned to all of them).
bool exec_slow_write_tag(Cpu *cpu, const Op *op, Reg *base, u64 addr, u32 auth, bool tag, u64 first);
bool exec_get_tag(Cpu *cpu, u64 addr, u32 auth);
void exec_set_tag(Cpu *cpu, u64 addr, u32 auth);
void exec_set_pcc_auth(Cpu *cpu, const Op *op); // PCC into cpu->pcc_auth, for a literal load's slow instance
bool exec_base_is_bad(Cpu *cpu, const Op *op, const Reg *base); // SP alignment: fault raised

// The base register's value; a misaligned SP leaves (op->x is 15 for SP, else 0). Slow: raises the fault. Fast instances of AUTH_CAP need
// not ask: such a CSP has no access bits.
#define BASE                                                                                                 \
    ({                                                                                                       \
        if (!(slow && AUTH == AUTH_CAP) && UNLIKELY(RN->value & op->x)) {                                                            \
            if (slow) return slow(cpu, op);                                                                  \
            exec_base_is_bad(cpu, op, RN);                                                                   \
            return NULL;                                                                                     \
        }                                                                                                    \
        RN->value;                                                                                           \
    })
#define EXEC_FAIL                                                                                            \
    do {                                                                                                     \
        if (!slow) return NULL;                                                                              \
        if (AUTH == AUTH_CAP) LEAVE_FAST;                                                                    \
        return slow(cpu, op);                                                                                \
    } while (0)
#define READ_FLAGS(addr_, bytes_, flags_)                                                                    \
    ({                                                                                                       \
        u8 *h_ = slow ? exec_fast_read(cpu, RN, (addr_), (bytes_), AUTH)                                     \
                      : exec_slow_read(cpu, op, RN, (addr_), (bytes_), AUTH, (flags_));                      \
        if (UNLIKELY(!h_)) EXEC_FAIL;                                                                        \
        h_;                                                                                                  \
    })
#define READ(addr_, bytes_) READ_FLAGS(addr_, bytes_, 0)
#define READ_INT(addr_, bytes_) bits_load(READ(addr_, bytes_), bytes_)
// Stores the low bytes_ of lo (and hi, when bytes_ > 8: half each).
#define WRITE_FLAGS(addr_, bytes_, lo_, hi_, flags_)                                                         \
    do {                                                                                                     \
        u64 l_ = (lo_), g_ = (hi_);                                                                          \
        (void)g_;                                                                                            \
        if (slow) {                                                                                          \
            u8 *h_ = exec_fast_write(cpu, RN, (addr_), (bytes_), AUTH);                                      \
            if (UNLIKELY(!h_)) EXEC_FAIL;                                                                    \
            bits_store(h_, l_, (bytes_) > 8 ? 8 : (bytes_));                                                 \
            if ((bytes_) > 8) bits_store(h_ + 8, g_, 8);                                                     \
        } else if (!exec_slow_write(cpu, op, RN, (addr_), (bytes_), AUTH, (flags_), l_, g_)) {               \
            return NULL;                                                                                     \
        }                                                                                                    \
    } while (0)
#define WRITE(addr_, bytes_, lo_, hi_) WRITE_FLAGS(addr_, bytes_, lo_, hi_, 0)

// Loads the capability at addr into slot d_ (which may be the base).
static ALWAYS_INLINE bool exec_fast_read_cap(Cpu *cpu, const Reg *base, u64 addr, u32 auth, Reg *d)
{
    if (auth != AUTH_NONE) {
        const Reg *r = auth == AUTH_CAP ? base : &cpu->ddc;
        if (UNLIKELY(!(r->kind & REG_LOAD_CAP) || addr < r->base || addr + 16 > r->top)) return false;
    }
    const MemTlbEntry *e = &cpu->tlb.read[mem_tlb_index(addr)];
    if (UNLIKELY(e->page != (addr & (~(u64)(MEM_PAGE - 1) | 15)))) return false;
    const u8 *h = (const u8 *)(addr + e->addend);
    u8 tag = *(const u8 *)(e->tags + (addr >> 4));
    d->value = bits_load(h, 8);
    d->meta = bits_load(h + 8, 8);
    d->kind = (u8)(REG_META | tag);
    return true;
}
#define READ_CAP(addr_, d_)                                                                                  \
    do {                                                                                                     \
        if (UNLIKELY(!(slow ? exec_fast_read_cap(cpu, RN, (addr_), AUTH, (d_))                               \
                            : exec_slow_read_cap(cpu, op, RN, (addr_), AUTH, (d_)))))                        \
            EXEC_FAIL;                                                                                       \
    } while (0)
static ALWAYS_INLINE bool exec_fast_write_cap(Cpu *cpu, const Reg *base, u64 addr, u32 auth, const Reg *c)
{
    if (auth != AUTH_NONE) {
        const Reg *r = auth == AUTH_CAP ? base : &cpu->ddc;
        if (UNLIKELY(!(r->kind & REG_STORE_CAP) || addr < r->base || addr + 16 > r->top)) return false;
    }
    const MemTlbEntry *e = &cpu->tlb.write[mem_tlb_index(addr)];
    if (UNLIKELY(e->page != (addr & (~(u64)(MEM_PAGE - 1) | 15)) || !e->tags)) return false;
    u8 *h = (u8 *)(addr + e->addend);
    u64 value = c->value, meta = reg_meta(c); // read before the writes: those might be of c, as far as the compiler knows
    u8 kind = c->kind;
    *(u8 *)(e->tags + (addr >> 4)) = kind & REG_TAG;
    bits_store(h, value, 8);
    bits_store(h + 8, meta, 8);
    return true;
}
#define WRITE_CAP(addr_, c_)                                                                                 \
    do {                                                                                                     \
        if (UNLIKELY(!(slow ? exec_fast_write_cap(cpu, RN, (addr_), AUTH, (c_))                              \
                            : exec_slow_write_cap(cpu, op, RN, (addr_), AUTH, (c_)))))                       \
            EXEC_FAIL;                                                                                       \
    } while (0)

// Base write-back: an X write in A64 state, a capability add in C64. Fast instances call CHECK_WRITE_BACK before any change. It
// asks only what the check of the access, which comes next, does not: a base that gives access is smooth, and a new value (PRE)
// that is itself the address is inside its bounds.
enum { BACK_NONE, BACK_POST, BACK_PRE };
#define CHECK_WRITE_BACK(when_, inc_)                                                                        \
    do {                                                                                                     \
        if (AUTH != AUTH_CAP || !slow || (when_) != BACK_POST) break;                                        \
        u64 to_ = RN->value + (inc_);                                                                        \
        if (UNLIKELY(to_ < RN->base || to_ > RN->top)) LEAVE_FAST;                                           \
    } while (0)
#define WRITE_BACK(inc_)                                                                                     \
    do {                                                                                                     \
        if (AUTH != AUTH_CAP) SET(RN, RN->value + (inc_));                                                   \
        else if (slow) RN->value += (inc_);                                                                  \
        else reg_add(RN, RN, (inc_));                                                                        \
    } while (0)

// ---- instances

#ifdef ENGINE_TAIL
static ALWAYS_INLINE const Op *exec_enter(Cpu *cpu, Block *b)
{
    if (UNLIKELY((cpu->budget -= b->n) < 0)) return exec_no_budget(cpu, b);
    b->execs++;
    return b->op[0].fn(cpu, b->op);
}
#else
static ALWAYS_INLINE const Op *exec_enter(Cpu *cpu, Block *b)
{
    if (UNLIKELY((cpu->budget -= b->n) < 0)) return exec_no_budget(cpu, b);
    b->execs++;
    return b->op;
}
#endif

#define EXEC_UNUSED __attribute__((unused))
#define EXEC_BODY(NAME)                                                                                      \
    static ALWAYS_INLINE const Op *body_##NAME(Cpu *cpu EXEC_UNUSED, const Op *op EXEC_UNUSED,               \
                                               const u32 v EXEC_UNUSED, ExecFn *const slow EXEC_UNUSED)
// An instance without a slow one; its own address only says "fast".
#define EXEC_PLAIN(NAME, i)                                                                                  \
    static const Op *ex_##NAME##_##i(Cpu *cpu, const Op *op) { return body_##NAME(cpu, op, i, ex_##NAME##_##i); }
#define EXEC_BOTH(NAME, i)                                                                                   \
    COLD static const Op *sl_##NAME##_##i(Cpu *cpu, const Op *op) { return body_##NAME(cpu, op, i, NULL); }   \
    static const Op *ex_##NAME##_##i(Cpu *cpu, const Op *op) { return body_##NAME(cpu, op, i, sl_##NAME##_##i); }
#define EXEC_ROW(NAME, slow_table, ...)                                                                      \
    static ExecFn *const fast_##NAME[] = {__VA_ARGS__};                                                      \
    extern const ExecRow ENGINE_NAME(NAME);                                                                  \
    const ExecRow ENGINE_NAME(NAME) = {fast_##NAME, slow_table, ARRAY_LEN(fast_##NAME)};

#define EXEC(NAME)                                                                                           \
    EXEC_BODY(NAME);                                                                                         \
    EXEC_PLAIN(NAME, 0)                                                                                      \
    EXEC_ROW(NAME, NULL, ex_##NAME##_0)                                                                      \
    EXEC_BODY(NAME)
#define EXEC_SF(NAME)                                                                                        \
    EXEC_BODY(NAME);                                                                                         \
    EXEC_PLAIN(NAME, 0) EXEC_PLAIN(NAME, 1)                                                                  \
    EXEC_ROW(NAME, NULL, ex_##NAME##_0, ex_##NAME##_1)                                                       \
    EXEC_BODY(NAME)
// n instances chosen by the plan (n = 2, 4, 10, 16, 32): `v` is the number.
#define EXEC_V(NAME, n)                                                                                      \
    EXEC_BODY(NAME);                                                                                         \
    EXEC_TIMES_##n(EXEC_PLAIN, NAME)                                                                         \
    EXEC_ROW(NAME, NULL, EXEC_LIST_##n(ex_##NAME))                                                           \
    EXEC_BODY(NAME)
// One instance with a slow twin (capability arithmetic: REG_ADD).
#define EXEC_SLOW(NAME)                                                                                      \
    EXEC_BODY(NAME);                                                                                         \
    EXEC_BOTH(NAME, 0)                                                                                       \
    static ExecFn *const slow_##NAME[] = {sl_##NAME##_0};                                                    \
    EXEC_ROW(NAME, slow_##NAME, ex_##NAME##_0)                                                               \
    EXEC_BODY(NAME)
// Two of them: 1 = Rd is Rn, so that only its value changes.
#define EXEC_SLOW_IN_PLACE(NAME)                                                                             \
    EXEC_BODY(NAME);                                                                                         \
    EXEC_BOTH(NAME, 0) EXEC_BOTH(NAME, 1)                                                                    \
    static ExecFn *const slow_##NAME[] = {sl_##NAME##_0, sl_##NAME##_1};                                     \
    EXEC_ROW(NAME, slow_##NAME, ex_##NAME##_0, ex_##NAME##_1)                                                \
    EXEC_BODY(NAME)
// Memory: variant = auth * 8 + K; k = how many forms K takes (1, 2, 3, 4 or 5).
#define EXEC_MEM(NAME, k)                                                                                    \
    EXEC_BODY(NAME);                                                                                         \
    EXEC_MEM_BOTH_##k(NAME)                                                                                  \
    static ExecFn *const slow_##NAME[] = {EXEC_MEM_LIST_##k(sl_##NAME)};                                     \
    EXEC_ROW(NAME, slow_##NAME, EXEC_MEM_LIST_##k(ex_##NAME))                                                \
    EXEC_BODY(NAME)
#define EXEC_MEM_BOTH_1(N) EXEC_BOTH(N, 0) EXEC_BOTH(N, 8) EXEC_BOTH(N, 16)
#define EXEC_MEM_BOTH_2(N) EXEC_MEM_BOTH_1(N) EXEC_BOTH(N, 1) EXEC_BOTH(N, 9) EXEC_BOTH(N, 17)
#define EXEC_MEM_BOTH_3(N) EXEC_MEM_BOTH_2(N) EXEC_BOTH(N, 2) EXEC_BOTH(N, 10) EXEC_BOTH(N, 18)
#define EXEC_MEM_BOTH_4(N) EXEC_MEM_BOTH_3(N) EXEC_BOTH(N, 3) EXEC_BOTH(N, 11) EXEC_BOTH(N, 19)
#define EXEC_MEM_BOTH_5(N) EXEC_MEM_BOTH_4(N) EXEC_BOTH(N, 4) EXEC_BOTH(N, 12) EXEC_BOTH(N, 20)
#define EXEC_MEM_LIST_1(N) [0] = N##_0, [8] = N##_8, [16] = N##_16
#define EXEC_MEM_LIST_2(N) EXEC_MEM_LIST_1(N), [1] = N##_1, [9] = N##_9, [17] = N##_17
#define EXEC_MEM_LIST_3(N) EXEC_MEM_LIST_2(N), [2] = N##_2, [10] = N##_10, [18] = N##_18
#define EXEC_MEM_LIST_4(N) EXEC_MEM_LIST_3(N), [3] = N##_3, [11] = N##_11, [19] = N##_19
#define EXEC_MEM_LIST_5(N) EXEC_MEM_LIST_4(N), [4] = N##_4, [12] = N##_12, [20] = N##_20

#define EXEC_TIMES_2(M, N)  M(N, 0) M(N, 1)
#define EXEC_TIMES_4(M, N)  EXEC_TIMES_2(M, N) M(N, 2) M(N, 3)
#define EXEC_TIMES_10(M, N) EXEC_TIMES_4(M, N) M(N, 4) M(N, 5) M(N, 6) M(N, 7) M(N, 8) M(N, 9)
#define EXEC_TIMES_16(M, N)                                                                                  \
    EXEC_TIMES_4(M, N) M(N, 4) M(N, 5) M(N, 6) M(N, 7) M(N, 8) M(N, 9) M(N, 10) M(N, 11) M(N, 12) M(N, 13) M(N, 14) M(N, 15)
#define EXEC_TIMES_32(M, N)                                                                                  \
    EXEC_TIMES_16(M, N) M(N, 16) M(N, 17) M(N, 18) M(N, 19) M(N, 20) M(N, 21) M(N, 22) M(N, 23) M(N, 24)     \
    M(N, 25) M(N, 26) M(N, 27) M(N, 28) M(N, 29) M(N, 30) M(N, 31)
#define EXEC_LIST_2(N)  N##_0, N##_1
#define EXEC_LIST_4(N)  EXEC_LIST_2(N), N##_2, N##_3
#define EXEC_LIST_10(N) EXEC_LIST_4(N), N##_4, N##_5, N##_6, N##_7, N##_8, N##_9
#define EXEC_LIST_16(N)                                                                                      \
    EXEC_LIST_4(N), N##_4, N##_5, N##_6, N##_7, N##_8, N##_9, N##_10, N##_11, N##_12, N##_13, N##_14, N##_15
#define EXEC_LIST_32(N)                                                                                      \
    EXEC_LIST_16(N), N##_16, N##_17, N##_18, N##_19, N##_20, N##_21, N##_22, N##_23, N##_24, N##_25, N##_26,  \
    N##_27, N##_28, N##_29, N##_30, N##_31

#endif
