// scope.c: which variable a name means. Pass 1 collects every scope's names with py_scope_add; a name that is
// only used is then looked for in the functions around (py_scope_close_over); py_scope_finish gives each
// local its slot:
//
//     free variables · positional parameters · keyword-only · *args · **kw · other locals · cells
#include "vm/py/compile.h"

#include <stdlib.h>

Scope *py_scope_new(Py *py, ScopeKind kind, Node *node, Atom *name)
{
    Scope *s = arena_new(&py->arena, Scope);
    s->kind = kind;
    s->node = node;
    s->name = name;
    s->parent = py->scope;
    if (py->last_scope)
        py->last_scope->next = s;
    else
        py->first_scope = s;
    py->last_scope = s;
    return s;
}

static u32 slot_of(const Scope *s, const Atom *name)
{
    u32 mask = s->n_id_slots - 1, i = name->hash & mask;
    while (s->id_slots[i] && s->ids.at[s->id_slots[i] - 1].name != name)
        i = (i + 1) & mask;
    return i;
}

Id *py_scope_find(const Scope *s, const Atom *name)
{
    if (!s->n_id_slots) return NULL;
    u32 index = s->id_slots[slot_of(s, name)];
    return index ? &s->ids.at[index - 1] : NULL;
}

static void rehash(Scope *s, Py *py, u32 n)
{
    s->id_slots = arena_array(&py->arena, u32, n);
    s->n_id_slots = n;
    for (u32 i = 0; i < s->ids.len; i++)
        s->id_slots[slot_of(s, s->ids.at[i].name)] = i + 1;
}

Id *py_scope_add(Scope *s, Py *py, Atom *name, IdKind kind)
{
    Id *id = py_scope_find(s, name);
    if (id) return id;
    if ((s->ids.len + 1) * 2 > s->n_id_slots) rehash(s, py, s->n_id_slots ? s->n_id_slots * 2 : 8);
    vec_push(&s->ids, (Id){.name = name, .kind = kind});
    s->id_slots[slot_of(s, name)] = s->ids.len;
    return &s->ids.at[s->ids.len - 1];
}

Id *py_scope_bind(Py *py, Scope *s, Atom *name)
{
    Id *id = py_scope_add(s, py, name, ID_GLOBAL);
    if (id->kind == ID_GLOBAL) id->kind = py_is_function_like(s->kind) ? ID_LOCAL : ID_GLOBAL_ASSIGNED;
    return id;
}

// The first scope outward that mentions the name decides; the module does not count.
bool py_scope_close_over(Py *py, Scope *s, Id *id)
{
    for (Scope *outer = s->parent; outer && outer->parent; outer = outer->parent) {
        const Id *found = py_scope_find(outer, id->name);
        if (!found) continue;
        if (found->kind != ID_LOCAL && found->kind != ID_CELL && found->kind != ID_FREE) return false;
        id->kind = ID_FREE;
        for (Scope *between = s->parent;; between = between->parent) {
            Id *there = py_scope_add(between, py, id->name, ID_UNDECIDED);
            if (there->kind != ID_UNDECIDED) {
                if (there->kind == ID_LOCAL) there->kind = ID_CELL;
                return true;
            }
            there->kind = ID_FREE;
        }
    }
    return false;
}

// A named *args goes behind the keyword-only parameters: it swaps places with the last of them.
static void move_star_parameter(Scope *s)
{
    u32 last = UINT32_MAX;
    for (u32 i = s->ids.len; i-- > 0;) {
        u8 flags = s->ids.at[i].flags;
        if (flags == ID_IS_PARAM && last == UINT32_MAX) last = i;
        if (!(flags & ID_IS_STAR)) continue;
        if (last == UINT32_MAX) return;
        Id star = s->ids.at[i];
        s->ids.at[i] = s->ids.at[last];
        s->ids.at[last] = star; // the caller hashes anew
        return;
    }
}

typedef struct FreeId {
    u32 parent_index;
    Id *id;
} FreeId;

static int by_parent(const void *a, const void *b)
{
    u32 x = ((const FreeId *)a)->parent_index, y = ((const FreeId *)b)->parent_index;
    return x < y ? -1 : x > y;
}

// Free variables come first, in the order of the enclosing scope's list; everything else moves up behind
// them.
static void number_free(Py *py, Scope *s)
{
    u32 n = 0;
    for (u32 i = 0; i < s->ids.len; i++)
        n += s->ids.at[i].kind == ID_FREE;
    if (!n) return;
    FreeId *list = arena_array(&py->arena, FreeId, n);
    n = 0;
    for (u32 i = 0; i < s->ids.len; i++) {
        Id *id = &s->ids.at[i];
        if (id->kind == ID_FREE)
            list[n++] = (FreeId){(u32)(py_scope_find(s->parent, id->name) - s->parent->ids.at), id};
    }
    qsort(list, n, sizeof *list, by_parent);
    for (u32 i = 0; i < s->ids.len; i++)
        if (s->ids.at[i].kind != ID_FREE) s->ids.at[i].local += n;
    for (u32 i = 0; i < n; i++)
        list[i].id->local = i;
    s->n_pos += n;
    s->n_locals += n;
}

void py_scope_finish(Py *py, Scope *s)
{
    if (s->flags & PY_FLAG_VAR_ARGS) move_star_parameter(s);
    if (s->ids.len) rehash(s, py, s->n_id_slots);
    for (u32 i = 0; i < s->ids.len; i++) {
        Id *id = &s->ids.at[i];
        bool is_class_cell = s->kind == SCOPE_CLASS && id->name == py_static(py, PY_QSTR___class__);
        if (py_is_function_like(s->kind) && id->kind == ID_GLOBAL) id->kind = ID_GLOBAL_EXPLICIT;
        if (!is_class_cell && (id->kind == ID_LOCAL || (id->flags & ID_IS_PARAM))) id->local = s->n_locals++;
    }
    for (u32 i = 0; i < s->ids.len; i++) {
        Id *id = &s->ids.at[i];
        if (id->kind == ID_CELL && !(id->flags & ID_IS_PARAM)) id->local = s->n_locals++;
    }
    if (s->parent) number_free(py, s);
    u32 n_args = s->n_pos + s->n_kwonly;
    s->arg_names = arena_array(&py->arena, Atom *, n_args);
    for (u32 i = 0; i < n_args; i++)
        s->arg_names[i] = py_static(py, PY_QSTR_STAR);
    for (u32 i = 0; i < s->ids.len; i++) {
        const Id *id = &s->ids.at[i];
        if ((id->flags & ID_IS_PARAM) && id->local < n_args) s->arg_names[id->local] = id->name;
    }
}
