// map.c: the hash map under dicts, sets, namespaces and instances: entries in order of insertion, and above eight slots an
// index of entry numbers by open addressing. Small maps are searched in order, which for interned names is one comparison each.
//
// Hashing and comparing keys may run Python code, which may change this very map and free its table. Behind such a call nothing
// is used that was read before it, unless the map is known to be what it was.
#include "vm.h"

#include <string.h>

static u32 index_size(u32 n_alloc)
{
    u32 n = 16;
    while (n < n_alloc * 2) n *= 2;
    return n;
}

INLINE u32 *index_of(const Map *m) { return (u32 *)(m->table + m->n_alloc); }

static MapEntry *table_alloc(u32 n_alloc)
{
    size_t n_bytes = n_alloc * sizeof(MapEntry);
    if (n_alloc > MAP_LINEAR_MAX) n_bytes += index_size(n_alloc) * sizeof(u32);
    return mem_alloc(n_bytes);
}

void map_init(Map *m, size_t n)
{
    m->n_used = m->n_filled = 0;
    m->n_alloc = (u32)n;
    m->flags = MAP_ALL_QSTR;
    m->table = NULL;
    if (n > 0) m->table = table_alloc((u32)n);
}

void map_clear(Map *m)
{
    MapEntry *table = m->table;
    m->n_used = m->n_filled = m->n_alloc = 0;
    m->flags = MAP_ALL_QSTR;
    m->table = NULL;
    gc_free(table);
}

static NORETURN void raise_changed(void) { raise_msg(&type_RuntimeError, "container changed while a key was looked for"); }

// Hash of a key, for a map that must stay as it is.
static u32 hash_for(const Map *m, Obj key)
{
    if (!obj_is_ptr(key)) return obj_hash(key);
    const MapEntry *table = m->table;
    u32 n_alloc = m->n_alloc, n_filled = m->n_filled;
    u32 hash = obj_hash(key);
    if (UNLIKELY(m->table != table || m->n_alloc != n_alloc || m->n_filled != n_filled)) raise_changed();
    return hash;
}

static void index_put(const Map *m, u32 entry, u32 hash)
{
    u32 mask = index_size(m->n_alloc) - 1;
    u32 *index = index_of(m);
    u32 i = hash & mask;
    while (index[i] != 0) i = (i + 1) & mask;
    index[i] = entry + 1;
}

// A larger table, without the deleted entries.
static void grow(Map *m)
{
    u32 n_alloc = m->n_used < m->n_alloc / 2 ? m->n_alloc : m->n_alloc == 0 ? 2 : m->n_alloc * 2;
    Map fresh = {m->n_used, 0, n_alloc, m->flags, table_alloc(n_alloc)};
    for (u32 i = 0; i < m->n_filled; i++) {
        if (m->table[i].key == OBJ_NULL) continue;
        fresh.table[fresh.n_filled] = m->table[i];
        if (n_alloc > MAP_LINEAR_MAX) index_put(&fresh, fresh.n_filled, hash_for(m, m->table[i].key));
        fresh.n_filled++;
    }
    MapEntry *old = m->table;
    *m = fresh;
    gc_free(old);
}

MapEntry *map_find_qstr(const Map *m, Qstr key)
{
    Obj k = OBJ_QSTR(key);
    MapEntry *e = m->table;
    if (!(m->flags & MAP_ALL_QSTR)) return map_find(m, k);
    if (m->n_alloc <= MAP_LINEAR_MAX) {
        for (u32 n = m->n_filled; n > 0; n--, e++) {
            if (e->key == k) return e;
        }
        return NULL;
    }
    u32 mask = index_size(m->n_alloc) - 1;
    const u32 *index = index_of(m);
    for (u32 i = qstr_hash(key) & mask; index[i] != 0; i = (i + 1) & mask) {
        MapEntry *at = e + (index[i] - 1);
        if (at->key == k) return at;
    }
    return NULL;
}

NOINLINE static bool equals_key(const Map *m, u32 entry, Obj key)
{
    const MapEntry *table = m->table;
    u32 n_alloc = m->n_alloc;
    Obj k = table[entry].key;
    bool is_equal = obj_equal(k, key);
    if (UNLIKELY(m->table != table || m->n_alloc != n_alloc || table[entry].key != k)) raise_changed();
    return is_equal;
}

INLINE bool is_key(const Map *m, u32 entry, Obj key)
{
    Obj k = m->table[entry].key;
    if (k == key) return true;
    return k != OBJ_NULL && !obj_are_small(k, key) && equals_key(m, entry, key);
}

MapEntry *map_find(const Map *m, Obj key)
{
    if (m->flags & MAP_ALL_QSTR) {
        if (obj_is_qstr(key)) return map_find_qstr(m, obj_qstr(key));
        if (obj_is(key, &type_str)) { // not interned: then it is no key here
            size_t n;
            const u8 *text = str_data(key, &n);
            Qstr q = qstr_find(text, n, str_hash(key));
            return q == Q_NULL ? NULL : map_find_qstr(m, q);
        }
    }
    u32 hash = obj_hash(key); // also complains about unhashable keys
    if (m->n_alloc <= MAP_LINEAR_MAX) {
        for (u32 i = 0; i < m->n_filled; i++) {
            if (is_key(m, i, key)) return &m->table[i];
        }
        return NULL;
    }
    u32 mask = index_size(m->n_alloc) - 1;
    for (u32 i = hash & mask; index_of(m)[i] != 0; i = (i + 1) & mask) {
        u32 entry = index_of(m)[i] - 1;
        if (is_key(m, entry, key)) return &m->table[entry];
    }
    return NULL;
}

MapEntry *map_add(Map *m, Obj key)
{
    MapEntry *e = map_find(m, key);
    if (e) return e;
    if (obj_is(key, &type_str)) { // a name that is interned anyway keeps the map fast
        size_t n;
        const u8 *text = str_data(key, &n);
        Qstr q = qstr_find(text, n, str_hash(key));
        if (q != Q_NULL) key = OBJ_QSTR(q);
    }
    if (m->n_filled == m->n_alloc) grow(m);
    u32 hash = m->n_alloc > MAP_LINEAR_MAX ? hash_for(m, key) : 0;
    if (!obj_is_qstr(key)) m->flags &= ~(u32)MAP_ALL_QSTR;
    e = &m->table[m->n_filled];
    e->key = key;
    e->value = OBJ_NULL;
    if (m->n_alloc > MAP_LINEAR_MAX) index_put(m, m->n_filled, hash);
    m->n_filled++;
    m->n_used++;
    return e;
}

void map_put(Map *m, Obj key, Obj value) { map_add(m, key)->value = value; }

Obj map_remove(Map *m, Obj key)
{
    MapEntry *e = map_find(m, key);
    if (!e) return OBJ_NULL;
    Obj value = e->value;
    e->key = e->value = OBJ_NULL;
    m->n_used--;
    if (m->n_used == 0) { // a queue that runs empty starts afresh
        m->n_filled = 0;
        if (m->n_alloc > MAP_LINEAR_MAX) memset(index_of(m), 0, index_size(m->n_alloc) * sizeof(u32));
    } else if (e == &m->table[m->n_filled - 1] && m->n_alloc <= MAP_LINEAR_MAX) m->n_filled--;
    return value;
}

void map_copy(Map *to, const Map *from)
{
    map_init(to, from->n_used);
    u32 at = 0;
    for (MapEntry *e; (e = map_next(from, &at));) map_put(to, e->key, e->value);
}

MapEntry *map_next(const Map *m, u32 *position)
{
    while (*position < m->n_filled) {
        MapEntry *e = &m->table[(*position)++];
        if (e->key != OBJ_NULL) return e;
    }
    return NULL;
}
