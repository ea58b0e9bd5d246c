// qstr.c: the table of interned strings.
//
// The static texts lie one behind the other in one constant structure: a string's place is its member's offset, so the
// table costs no pointers (and in purecap no capability relocations). Look-up is by open addressing on the hash.
#include "qstr.h"

#include "vm.h"

#include <string.h>

static const struct QstrTexts {
#define X(name, text) char name##_[sizeof(text)];
    PY_STATIC_QSTRS(X)
    GUEST_QSTRS(X)
#undef X
} texts = {
#define X(name, text) text,
    PY_STATIC_QSTRS(X)
    GUEST_QSTRS(X)
#undef X
};

static const u16 offsets[Q_N_STATIC + 1] = {
    0,
#define X(name, text) offsetof(struct QstrTexts, name##_),
    PY_STATIC_QSTRS(X)
    GUEST_QSTRS(X)
#undef X
    sizeof(struct QstrTexts),
};

enum { FIRST_BUCKETS = 1024, MAX_QSTRS = 60000 };
_Static_assert(Q_N_STATIC * 2 < FIRST_BUCKETS * 3 / 2, "the first bucket table is too small");
static u32 static_hashes[Q_N_STATIC];
static u16 static_buckets[FIRST_BUCKETS];
static u16 char_qstrs[128];

u32 qstr_compute_hash(const u8 *text, size_t n)
{
    u32 hash = 5381;
    for (; n > 0; n--, text++) hash = hash * 33 ^ *text;
    return hash ? hash : 1;
}

const u8 *qstr_data(Qstr q, size_t *n)
{
    if (q < Q_N_STATIC) {
        *n = (size_t)(offsets[q + 1] - offsets[q] - 1);
        return (const u8 *)&texts + offsets[q];
    }
    const QstrEntry *e = &vm.qstrs[q - Q_N_STATIC];
    *n = e->n;
    return e->text;
}

size_t qstr_len(Qstr q)
{
    size_t n;
    qstr_data(q, &n);
    return n;
}

u32 qstr_hash(Qstr q) { return q < Q_N_STATIC ? static_hashes[q] : vm.qstrs[q - Q_N_STATIC].hash; }

INLINE u16 *buckets(void) { return vm.qstr_buckets ? vm.qstr_buckets : static_buckets; }

static void put_in_bucket(Qstr q)
{
    u32 i = qstr_hash(q) & (vm.n_buckets - 1);
    u16 *table = buckets();
    while (table[i] != 0) i = (i + 1) & (vm.n_buckets - 1);
    table[i] = (u16)q;
}

void qstr_init(void)
{
    vm.n_buckets = FIRST_BUCKETS;
    for (Qstr q = 1; q < Q_N_STATIC; q++) {
        size_t n;
        const u8 *text = qstr_data(q, &n);
        static_hashes[q] = qstr_compute_hash(text, n);
        put_in_bucket(q);
    }
}

Qstr qstr_find(const u8 *text, size_t n, u32 hash)
{
    const u16 *table = buckets();
    for (u32 i = hash & (vm.n_buckets - 1); table[i] != 0; i = (i + 1) & (vm.n_buckets - 1)) {
        Qstr q = table[i];
        if (qstr_hash(q) != hash) continue;
        size_t n_other;
        const u8 *other = qstr_data(q, &n_other);
        if (n_other == n && memcmp(other, text, n) == 0) return q;
    }
    return Q_NULL;
}

static void grow_buckets(void)
{
    u32 n = vm.n_buckets * 2;
    u16 *table = mem_alloc(n * sizeof(u16));
    vm.qstr_buckets = table;
    vm.n_buckets = n;
    for (Qstr q = 1; q < Q_N_STATIC + vm.n_qstrs; q++) put_in_bucket(q);
}

static Qstr add(const u8 *text, size_t n, u32 hash)
{
    if (vm.n_qstrs == MAX_QSTRS) raise_missing("more than 60000 different names");
    if ((Q_N_STATIC + vm.n_qstrs) * 4 >= vm.n_buckets * 3) grow_buckets();
    if (vm.n_qstrs == vm.n_qstrs_alloc) {
        u32 n_alloc = vm.n_qstrs_alloc ? vm.n_qstrs_alloc * 2 : 32;
        vm.qstrs = mem_realloc(vm.qstrs, n_alloc * sizeof(QstrEntry));
        vm.n_qstrs_alloc = n_alloc;
    }
    vm.qstrs[vm.n_qstrs] = (QstrEntry){text, (u32)n, hash};
    Qstr q = Q_N_STATIC + vm.n_qstrs++;
    put_in_bucket(q);
    return q;
}

Qstr qstr_intern_borrowed(const u8 *text, size_t n)
{
    u32 hash = qstr_compute_hash(text, n);
    Qstr q = qstr_find(text, n, hash);
    return q != Q_NULL ? q : add(text, n, hash);
}

Qstr qstr_intern(const u8 *text, size_t n)
{
    u32 hash = qstr_compute_hash(text, n);
    Qstr q = qstr_find(text, n, hash);
    if (q != Q_NULL) return q;
    u8 *copy = mem_alloc(n + 1);
    memcpy(copy, text, n);
    return add(copy, n, hash);
}

Qstr qstr_of_char(u8 c)
{
    if (char_qstrs[c] == 0) char_qstrs[c] = (u16)qstr_intern(&c, 1);
    return char_qstrs[c];
}
