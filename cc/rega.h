// rega.h: shared by the files of the register allocator (live.c, rega*.c). Not for anybody else.
//
// Graph colouring after Chaitin, Briggs and George/Appel:
//     live.c        liveness by block, over the vregs that cross block borders only
//     rega_graph.c  who is live at the same time; physical registers as masks, not as nodes
//     rega_merge.c  coalescing: both sides of a move become one node
//     rega_color.c  simplify, optimistic colouring, preferences
//     rega_spill.c  what found no colour goes to a slot or is computed again; then everything once more
//     rega_probe.c  where the arguments of probes are (weak: nothing above ever asks)
//     rega_hub.c    after allocation: the hub of computed gotos is copied into its predecessors
// A vreg's index is its number - MIR_FIRST_VREG. A node is a vreg that represents all vregs coalesced with it.
#ifndef CAPLAB_CC_REGA_H
#define CAPLAB_CC_REGA_H

#include "cc/mir.h"

typedef VEC(u32) RegaList;

typedef struct RegaMove {
    u32 dst, src; // vreg indexes
    double freq;
} RegaMove;

typedef struct RegaHint {
    MirReg phys;
    double freq;
    u32 next; // + 1
} RegaHint;

typedef struct RegaNode {
    u32 alias;        // union-find: representative (itself)
    u64 forbid;       // physical registers live or clobbered while this is live
    u64 allowed;
    double cost;      // frequency of its definitions and uses; < 0: must not be spilled
    RegaList adj;     // neighbours; may hold merged ones
    u32 degree;
    u32 hints;        // first RegaHint + 1
    MirInsn *remat;   // its only definition, repeatable
    u32 n_defs;
    u8 color;         // physical register, 0xff = none
    bool is_fpr, is_cap;
    bool is_referenced;
    bool is_spilled, is_removed;
    bool is_cheap;    // spilled although a register was free: saving that register would cost more
    u32 slot;         // when spilled, + 1
} RegaNode;

// Places of probe arguments whose value was dead already at the probe.
typedef struct RegaStale {
    MirInsn *probe, *anchor; // anchor: the last instruction in the block that names the vreg
    u32 opnd;
} RegaStale;

typedef struct Rega {
    MirFn *fn;
    const MirTarget *t;
    u32 n;            // vregs
    RegaNode *nodes;
    VEC(RegaMove) moves;
    VEC(RegaHint) hint_list;
    VEC(RegaStale) stale;
    u64 *matrix;      // triangular: bit (a, b), a > b; NULL when too many nodes: then the lists are searched
    // liveness
    u32 *global;      // by vreg: dense number + 1 of those live across blocks, 0 = local
    u32 *global_vreg; // back
    u32 n_global, set_words;
    u64 *live_in, *live_out; // by block × set_words
    // live set of a scan: dense array with positions
    u32 *live, *live_at;
    u32 n_live;
    u64 live_phys;
} Rega;

static inline bool rega_is_vreg(const MirOpnd *o) { return o->kind == MIR_REG && o->reg >= MIR_FIRST_VREG; }
static inline bool rega_is_strong(const MirOpnd *o) { return o->kind == MIR_REG && !(o->flags & MIR_WEAK); }
static inline u32 rega_index(MirReg r) { return r - MIR_FIRST_VREG; }

// live.c
void rega_liveness(Rega *r);
void rega_free_liveness(Rega *r);
void rega_live_start(Rega *r, const MirBlock *b); // the live set at the end of b
void rega_live_add(Rega *r, u32 v);
void rega_live_remove(Rega *r, u32 v);
static inline bool rega_is_live(const Rega *r, u32 v) { return r->live_at[v] < r->n_live && r->live[r->live_at[v]] == v; }

// rega_graph.c
void rega_build(Rega *r);
bool rega_interfere(const Rega *r, u32 a, u32 b);
void rega_add_edge(Rega *r, u32 a, u32 b);
u32 rega_find(Rega *r, u32 v);

// rega_merge.c, rega_color.c
void rega_merge(Rega *r);
bool rega_color(Rega *r); // false: some nodes are spilled

// rega_spill.c
void rega_spill(Rega *r);

// rega_probe.c
void rega_probe_before(Rega *r);  // first round: which arguments are live
void rega_probe_after(Rega *r);   // registers are known, moves still there

#endif
