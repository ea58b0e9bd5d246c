// journal.c: an append-only list of answers from outside. One idea: a system call asks the journal first, so that a
// replay cannot reach the outside by mistake.
#include "sim/journal.h"
#include <stdlib.h>

bool jrn_take(Journal *j, JrnKind kind, u64 insns, JrnAnswer *a)
{
    if (!jrn_is_replaying(j)) return false;
    const JrnEntry *e = &j->entries.at[j->next];
    if (e->kind != kind || e->insns != insns) {
        // The guest took another way than when it was recorded; what follows in the record is not its future.
        j->is_diverged = true;
        j->payload.len = e->offset;
        j->entries.len = j->next;
        return false;
    }
    j->next++;
    *a = (JrnAnswer){e->result, j->payload.at + e->offset, e->len};
    return true;
}

JrnAnswer jrn_add(Journal *j, JrnKind kind, u64 insns, i64 result, const void *bytes, size_t len)
{
    CHECK(!jrn_is_replaying(j), "recording into the middle of a journal");
    JrnEntry e = {.insns = insns, .result = result, .kind = kind, .len = (u32)len, .offset = j->payload.len};
    buf_add(&j->payload, bytes, len);
    vec_push(&j->entries, e);
    j->next = j->entries.len;
    return (JrnAnswer){result, j->payload.at + e.offset, e.len};
}

void jrn_replay_from(Journal *j, u64 insns)
{
    u32 lo = 0, hi = j->entries.len;
    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;
        if (j->entries.at[mid].insns < insns) lo = mid + 1;
        else hi = mid;
    }
    j->next = lo;
}

void jrn_free(Journal *j)
{
    vec_free(&j->entries);
    buf_free(&j->payload);
    *j = (Journal){0};
}
