// account.h: which bytecode the guest's instructions belong to, and what its heap did: exact sums from probes.
//
// The rule (docs/cli.md): an instruction belongs to the opcode dispatched last. A collection's instructions go to insns_gc, those before
// the first dispatch and after vm_outside to insns_outside. The account is a cursor `since`: all instructions before it
// are booked; acc_dispatch books the ones up to now.
//
// acc_dispatch is the fast path: the engine's probe operation calls it inline for AccProbe.kind == ACC_vm_dispatch.
#ifndef CAPLAB_SIM_ACCOUNT_H
#define CAPLAB_SIM_ACCOUNT_H

#include "base/notes.h"
#include "sim/heap.h"
#include "sim/snapshot.h"

typedef enum AccKind {
    ACC_OTHER, // a probe only for events
#define X(name, args, text) ACC_##name,
    NOTE_PROBES(X)
#undef X
} AccKind;
AccKind acc_kind(const char *probe_name);

enum { ACC_OUTSIDE = 256 }; // pseudo-opcode of instructions outside all bytecodes

typedef struct AccCode { // a code object placed by vm_code
    u64 start, n_bytes;
    u32 index;
} AccCode;

typedef struct Account {
    u64 since; // instructions before this are booked
    u64 carry; // of the running opcode, before a collection that it caused
    u64 ip;
    u32 current; // opcode, or ACC_OUTSIDE
    bool is_in_gc;
    u64 insns_gc;
    SnapOpcode op[257];
    VEC(AccCode) codes;
    HeapTrack heap; // of the probes gc_*
} Account;

void acc_init(Account *a);
void acc_free(Account *a);

// Books the running opcode and starts another.
static inline void acc_switch(Account *a, u64 now, u32 opcode)
{
    SnapOpcode *o = &a->op[a->current];
    u64 n = now - a->since + a->carry;
    o->insns += n;
    if (n < o->insns_min) o->insns_min = n;
    if (n > o->insns_max) o->insns_max = n;
    a->since = now;
    a->carry = 0;
    a->current = opcode;
    a->op[opcode].count++;
}

static inline void acc_dispatch(Account *a, u64 now, u64 opcode, u64 ip)
{
    acc_switch(a, now, (u8)opcode);
    a->ip = ip;
}

// Any probe. arg[] as in event.h; bit i of lost: argument i is not known. peek reads guest memory (for the table at the end of a collection).
void acc_probe(Account *a, AccKind kind, u64 now, const u64 arg[EV_PROBE_MAX_ARGS], u8 lost, const HeapPeek *peek);
// The sums as of now, as plain data.
void acc_snapshot(const Account *a, u64 now, SnapOpcodes *out);

#endif
