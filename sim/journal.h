// journal.h: the one record of everything that came from outside the machine. While recording, each outside result is
// appended; while replaying, the same calls are answered from the record, and nothing outside is touched.
//
//     JrnAnswer a;
//     if (!jrn_take(j, JRN_INPUT, insns, &a)) a = jrn_add(j, JRN_INPUT, insns, result, bytes, n);
//     … write a.bytes to the guest, return a.result
//
// Entries are in the order of execution; each knows the instruction count at which it happened, so that a replay from a
// checkpoint starts at the right one (jrn_replay_from).
#ifndef CAPLAB_SIM_JOURNAL_H
#define CAPLAB_SIM_JOURNAL_H

#include "base/buf.h"

typedef enum JrnKind { JRN_INPUT, JRN_OPEN, JRN_HOST_CALL } JrnKind;

typedef struct JrnEntry {
    u64 insns;
    i64 result;
    JrnKind kind;
    u32 len;       // bytes that went into guest memory
    size_t offset; // of them in the payload
} JrnEntry;

typedef struct Journal {
    VEC(JrnEntry) entries;
    Buf payload;
    u32 next;         // next entry to replay; entries.len = recording
    bool is_diverged; // a replay asked for something else than was recorded: the machine is not the same
} Journal;            // zero-initialised is empty and records

typedef struct JrnAnswer {
    i64 result;
    const u8 *bytes; // borrowed until the next jrn_add
    u32 len;
} JrnAnswer;

static inline bool jrn_is_replaying(const Journal *j) { return j->next < j->entries.len; }
// Replaying: fills *a from the next entry and returns true. Recording: false.
bool jrn_take(Journal *j, JrnKind kind, u64 insns, JrnAnswer *a);
// Appends an entry and returns it as an answer.
JrnAnswer jrn_add(Journal *j, JrnKind kind, u64 insns, i64 result, const void *bytes, size_t len);
// Replay everything recorded at or after this instruction count.
void jrn_replay_from(Journal *j, u64 insns);
void jrn_free(Journal *j);

#endif
