// check.c: may an interpreter run these instructions without looking again? Each code object is walked twice:
// once in order (opcodes, operands, labels on instruction starts), once along every path with the depth of
// the operand stack and the list of exception records, which must agree where paths meet.
//
// Not checked, and so the interpreter's own business: what kind of value a slot holds.
//
// Room: a `finally` block may run above one slot more than its code shows (a pending return: value and marker
// instead of one None), so while such a record is active one slot is kept free for it.
#include "vm/py/mpy.h"

#include "vm/py/py.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum RecordKind { RECORD_EXCEPT, RECORD_FINALLY, RECORD_WITH } RecordKind;

typedef struct Record {
    const struct Record *outer;
    RecordKind kind;
    u32 handler, depth; // stack depth that the handler cuts back to
    u32 n;              // records from here outward
} Record;

typedef struct State {
    bool is_insn, is_reached;
    u32 depth;
    const Record *records;
} State;

typedef struct Checker {
    const MpyFile *f;
    const MpyCode *c;
    State *states; // by offset in the code object
    u32 *work;     // offsets to visit
    u32 n_work;
    u32 room;    // operand slots of the frame
    Arena arena; // records
    const char *file_name;
    Err *err;
} Checker;

PRINTF_LIKE(3, 4) static bool fail(Checker *k, u32 offset, const char *fmt, ...)
{
    char text[200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return err_at(k->err, CAPLAB_EX_DATA, (SrcPos){.file = k->file_name}, NULL,
                  "bad bytecode in '%.80s' at offset %u: %s", k->f->qstrs[k->c->name].text, offset, text);
}

// ---- in order ----

static u32 local_of(const MpyInsn *i)
{
    switch (i->info->first) {
    case PY_OP_LOAD_FAST_MULTI: return i->op - PY_OP_LOAD_FAST_MULTI;
    case PY_OP_STORE_FAST_MULTI: return i->op - PY_OP_STORE_FAST_MULTI;
    case PY_OP_LOAD_FAST_N:
    case PY_OP_STORE_FAST_N:
    case PY_OP_LOAD_DEREF:
    case PY_OP_STORE_DEREF:
    case PY_OP_DELETE_FAST:
    case PY_OP_DELETE_DEREF: return i->arg;
    default: return UINT32_MAX;
    }
}

static bool check_operand(Checker *k, const MpyInsn *i)
{
    const MpyCode *c = k->c;
    u8 arg = i->info->arg;
    u32 local = local_of(i);
    if (local != UINT32_MAX && local >= c->n_state)
        return fail(k, i->offset, "local %u in a frame of %u slots", local, c->n_state);
    if (arg == PY_ARG_Q && i->arg >= k->f->n_qstrs)
        return fail(k, i->offset, "string %u of %u", i->arg, k->f->n_qstrs);
    if (arg == PY_ARG_O && i->arg >= k->f->n_objects)
        return fail(k, i->offset, "object %u of %u", i->arg, k->f->n_objects);
    if ((arg == PY_ARG_C || arg == PY_ARG_CB) && i->arg >= c->n_children)
        return fail(k, i->offset, "child %u of %u", i->arg, c->n_children);
    if (arg == PY_ARG_CB && i->extra > c->children[i->arg]->n_pos)
        return fail(k, i->offset, "%u cells for a function with %u parameters", i->extra,
                    c->children[i->arg]->n_pos);
    switch (i->info->first) {
    case PY_OP_BUILD_SLICE:
        return i->arg == 2 || i->arg == 3 || fail(k, i->offset, "a slice of %u values", i->arg);
    case PY_OP_STORE_COMP: return (i->arg & 3) < 3 || fail(k, i->offset, "unknown kind of collection");
    case PY_OP_CALL_FUNCTION:
    case PY_OP_CALL_FUNCTION_VAR_KW:
    case PY_OP_CALL_METHOD:
    case PY_OP_CALL_METHOD_VAR_KW:
    case PY_OP_UNPACK_EX: return i->arg <= 0xffff || fail(k, i->offset, "an operand beyond 16 bits");
    case PY_OP_YIELD_VALUE:
    case PY_OP_YIELD_FROM:
        return (c->flags & PY_FLAG_GENERATOR) || fail(k, i->offset, "a yield outside a generator");
    default: return true;
    }
}

static bool walk_in_order(Checker *k)
{
    const MpyCode *c = k->c;
    u32 n_locals = c->n_pos + c->n_kwonly + !!(c->flags & PY_FLAG_VAR_ARGS) + !!(c->flags & PY_FLAG_VAR_KW);
    for (u32 i = c->cells_at; i < c->code_at; i++)
        if (c->bytes[i] >= n_locals) n_locals = c->bytes[i] + 1u;
    MpyInsn insn;
    for (u32 at = c->code_at; at < c->len; at += insn.len) {
        if (!py_op_info(c->bytes[at])) return fail(k, at, "opcode %02x is not assigned", c->bytes[at]);
        if (!mpy_decode(c, at, &insn)) return fail(k, at, "its operand is cut off or out of range");
        if (!check_operand(k, &insn)) return false;
        u32 local = local_of(&insn);
        if (local != UINT32_MAX && local >= n_locals) n_locals = local + 1;
        k->states[at].is_insn = true;
    }
    k->room = c->n_state - n_locals;
    return true;
}

// ---- along the paths ----

// Slots that finally blocks under way may hold beyond what their code shows.
static u32 slack_at(const Record *r, u32 offset)
{
    u32 n = 0;
    for (; r; r = r->outer)
        n += r->kind == RECORD_FINALLY && offset >= r->handler;
    return n;
}

static bool flow_to(Checker *k, u32 from, u32 to, u32 depth, const Record *records)
{
    if (to >= k->c->len) return fail(k, from, "the code runs off its end");
    State *s = &k->states[to];
    if (!s->is_insn) return fail(k, from, "a jump into the middle of an instruction, to %u", to);
    if (depth + slack_at(records, to) > k->room)
        return fail(k, from, "%u values on a stack with room for %u", depth + slack_at(records, to), k->room);
    if (s->is_reached)
        return (s->depth == depth && s->records == records) ||
               fail(k, from, "paths meet at %u with %u and %u values or other exception records", to,
                    s->depth, depth);
    *s = (State){.is_insn = true, .is_reached = true, .depth = depth, .records = records};
    k->work[k->n_work++] = to;
    return true;
}

// Stack slots that an instruction takes and leaves.
static void effect_of(const MpyInsn *i, u32 *pops, u32 *pushes)
{
    u32 n_pos = i->arg & 0xff, n_kw = i->arg >> 8, n_args = n_pos + 2 * n_kw;
    *pops = (u32)i->info->pops;
    *pushes = (u32)i->info->pushes;
    switch (i->info->first) {
    case PY_OP_MAKE_CLOSURE: *pops = i->extra; break;
    case PY_OP_MAKE_CLOSURE_DEFARGS: *pops = i->extra + 2u; break;
    case PY_OP_BUILD_TUPLE:
    case PY_OP_BUILD_LIST:
    case PY_OP_BUILD_SET:
    case PY_OP_BUILD_SLICE: *pops = i->arg; break;
    case PY_OP_STORE_COMP: *pops = (i->arg & 3) == 1 ? 2 : 1; break;
    case PY_OP_UNPACK_SEQUENCE: *pushes = i->arg; break;
    case PY_OP_UNPACK_EX: *pushes = n_pos + n_kw + 1; break;
    case PY_OP_CALL_FUNCTION: *pops = 1 + n_args; break;
    case PY_OP_CALL_FUNCTION_VAR_KW:
    case PY_OP_CALL_METHOD: *pops = 2 + n_args; break;
    case PY_OP_CALL_METHOD_VAR_KW: *pops = 3 + n_args; break;
    default: break;
    }
}

static bool start_record(Checker *k, const MpyInsn *i, const State *s, u32 depth)
{
    RecordKind kind = i->op == PY_OP_SETUP_WITH      ? RECORD_WITH
                      : i->op == PY_OP_SETUP_FINALLY ? RECORD_FINALLY
                                                     : RECORD_EXCEPT;
    u32 n = s->records ? s->records->n + 1 : 1;
    if (n > k->c->n_exc) return fail(k, i->offset, "%u exception records in a frame for %u", n, k->c->n_exc);
    Record *r = arena_new(&k->arena, Record);
    *r = (Record){.outer = s->records, .kind = kind, .handler = i->arg, .n = n};
    r->depth = kind == RECORD_WITH ? depth - 1 : depth;
    if (kind != RECORD_EXCEPT && r->depth + 2 > k->room)
        return fail(k, i->offset, "no room for a pending return");
    return flow_to(k, i->offset, i->arg, r->depth + 1, r) &&
           flow_to(k, i->offset, i->offset + i->len, depth, r);
}

static bool unwind(Checker *k, const MpyInsn *i, const State *s)
{
    u32 n = i->extra & 0x7f;
    const Record *r = s->records;
    if (!n || !r || n > r->n)
        return fail(k, i->offset, "a jump out of %u exception records, but %u are there", n, r ? r->n : 0);
    if (s->depth + 1 + slack_at(r, i->offset) > k->room)
        return fail(k, i->offset, "no room for a pending jump");
    u32 depth = s->depth;
    for (; n; n--, r = r->outer)
        depth = r->depth - (r->kind == RECORD_WITH ? 2 : 0);
    u32 dropped = i->extra & 0x80 ? PY_ITER_SLOTS : 0;
    if (depth < dropped) return fail(k, i->offset, "no iterator on the stack");
    return flow_to(k, i->offset, i->arg, depth - dropped, r);
}

static bool end_with(Checker *k, const MpyInsn *i, const State *s)
{
    const Record *r = s->records;
    if (!r || r->kind != RECORD_WITH || i->offset < r->handler || s->depth != r->depth + 1 || s->depth < 3)
        return fail(k, i->offset, "WITH_CLEANUP outside the end of a with block");
    if (s->depth + 2 > k->room) return fail(k, i->offset, "no room to call __exit__");
    return flow_to(k, i->offset, i->offset + i->len, s->depth - 2, r);
}

// END_FINALLY finds what its handler was started with: one value above the record's depth (after a with's two
// are gone).
static bool ends_record(const State *s, u32 offset)
{
    const Record *r = s->records;
    return r && offset >= r->handler && s->depth == r->depth + 1 - (r->kind == RECORD_WITH ? 2 : 0);
}

static bool visit(Checker *k, u32 offset)
{
    State s = k->states[offset];
    MpyInsn i;
    CHECK(mpy_decode(k->c, offset, &i), "decoded before");
    u32 next = offset + i.len, pops, pushes;
    if (i.op == PY_OP_WITH_CLEANUP) return end_with(k, &i, &s);
    effect_of(&i, &pops, &pushes);
    if (s.depth < pops) return fail(k, offset, "it takes %u values, but %u are there", pops, s.depth);
    u32 depth = s.depth - pops + pushes;
    switch (i.info->first) {
    case PY_OP_STORE_COMP:
        if ((i.arg >> 2) >= s.depth) return fail(k, offset, "no collection on the stack");
        break;
    case PY_OP_RETURN_VALUE:
    case PY_OP_RAISE_LAST:
    case PY_OP_RAISE_OBJ:
    case PY_OP_RAISE_FROM: return true;
    case PY_OP_JUMP: return flow_to(k, offset, i.arg, depth, s.records);
    case PY_OP_POP_JUMP_IF_TRUE:
    case PY_OP_POP_JUMP_IF_FALSE:
        if (!flow_to(k, offset, i.arg, depth, s.records)) return false;
        break;
    case PY_OP_JUMP_IF_TRUE_OR_POP:
    case PY_OP_JUMP_IF_FALSE_OR_POP:
        if (!flow_to(k, offset, i.arg, depth + 1, s.records)) return false;
        break;
    case PY_OP_FOR_ITER:
        if (s.depth < PY_ITER_SLOTS) return fail(k, offset, "no iterator on the stack");
        if (!flow_to(k, offset, i.arg, s.depth - PY_ITER_SLOTS, s.records)) return false;
        break;
    case PY_OP_SETUP_WITH:
    case PY_OP_SETUP_EXCEPT:
    case PY_OP_SETUP_FINALLY: return start_record(k, &i, &s, depth);
    case PY_OP_POP_EXCEPT_JUMP:
        if (!s.records || depth != s.records->depth) return fail(k, offset, "no exception record ends here");
        return flow_to(k, offset, i.arg, depth, s.records->outer);
    case PY_OP_END_FINALLY:
        if (!ends_record(&s, offset)) return fail(k, offset, "no exception record ends here");
        return flow_to(k, offset, next, depth, s.records->outer);
    case PY_OP_UNWIND_JUMP: return unwind(k, &i, &s);
    default: break;
    }
    return flow_to(k, offset, next, depth, s.records);
}

static bool check_code(Checker *k)
{
    if (k->c->code_at == k->c->len) return fail(k, k->c->code_at, "it has no instructions");
    if (!walk_in_order(k) || !flow_to(k, k->c->code_at, k->c->code_at, 0, NULL)) return false;
    while (k->n_work)
        if (!visit(k, k->work[--k->n_work])) return false;
    return true;
}

bool mpy_check_codes(const MpyFile *f, const char *file_name, Err *err)
{
    for (u32 i = 0; i < f->n_codes; i++) {
        const MpyCode *c = f->codes[i];
        Checker k = {.f = f, .c = c, .file_name = file_name, .err = err};
        k.states = xalloc((c->len + 1) * sizeof *k.states);
        k.work = xalloc((c->len + 1) * sizeof *k.work);
        bool ok = check_code(&k);
        free(k.states);
        free(k.work);
        arena_free(&k.arena);
        if (!ok) return false;
    }
    return true;
}

bool py_mpy_check(const u8 *mpy, size_t len, const char *file_name, Err *err)
{
    MpyFile f;
    bool ok = mpy_read(&f, mpy, len, file_name, err) && mpy_check_codes(&f, file_name, err);
    mpy_free(&f);
    return ok;
}
