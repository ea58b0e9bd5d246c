// flow.c: the value stack along every path of a code object: each slot holds what the instruction that uses it relies on, the
// stack stays within the frame, and paths that meet agree. Followed from the start until nothing new is found.
//
// A stack is described by one entry for each slot, what is known of it (Kind), and one for each exception record, at the height
// to which its handler cuts the stack back. Nothing takes or moves what lies below the newest record; compiled Python never does.
//
//     for x in f():            ITERATOR, ITERATOR + 1, + 2, + 3
//         try: …               the same, FINALLY_RECORD
//         finally: …           the same, FINALLY_RECORD, PENDING
#include "verify.h"

#include <string.h>

typedef enum Kind {
    OBJECT,
    ENDING,         // None or an exception: an object, and what END_FINALLY takes
    NOTHING,        // NULL
    MAYBE,          // an object or NULL
    ITERATOR,       // first of the four slots of an iterator
    PENDING = 8,    // why a finally block runs: one slot, or two for a return or jump that is to go on afterwards
    EXCEPT_RECORD,  // records: handler << HANDLER_SHIFT
    FINALLY_RECORD,
    WITH_RECORD,
} Kind;

enum {
    KIND = 15,
    HANDLER_SHIFT = 4,
    N_ITERATOR_SLOTS = 4,
    OBJECTS = 1 << OBJECT | 1 << ENDING,
    SLOTS = OBJECTS | 1 << NOTHING | 1 << MAYBE, // may be moved about
    ENDINGS = 1 << ENDING | 1 << PENDING,
    DROPPED = SLOTS | 15 << ITERATOR,
    // A state: next in the queue, its place in the code, number of entries, entries.
    STATE_NEXT = 0, STATE_AT, STATE_N, STATE_STACK,
};
#define NOT_QUEUED 0xffffffffu

static bool is_one_of(u32 entry, u32 kinds) { return kinds >> (entry & KIND) & 1; }
static bool is_record(u32 entry) { return (entry & KIND) >= EXCEPT_RECORD; }
static u32 handler_of(u32 record) { return record >> HANDLER_SHIFT; }

static bool bad_stack(Verifier *v) { return verify_bad(v, "bad bytecode: the stack does not hold what an instruction takes"); }
static bool bad_depth(Verifier *v) { return verify_bad(v, "bad bytecode: the frame is too small"); }
static bool bad_record(Verifier *v) { return verify_bad(v, "bad bytecode: exception records"); }

static bool push(Verifier *v, u32 kind)
{
    u32 n_slots = kind == PENDING ? 2 : 1;
    if (v->room - v->depth < n_slots) return bad_depth(v);
    v->depth += n_slots;
    v->stack[v->n++] = kind;
    return true;
}

static bool pop(Verifier *v, u32 n, u32 kinds)
{
    for (; n > 0; n--) {
        if (v->n == 0 || !is_one_of(v->stack[v->n - 1], kinds)) return bad_stack(v);
        v->n--;
        v->depth--;
    }
    return true;
}

static bool push_objects(Verifier *v, u32 n)
{
    while (n > 0 && push(v, OBJECT)) n--;
    return n == 0;
}

// ---- Where paths meet ----------------------------------------------------------------------------------------------------------

// What two paths leave in a slot is known only as the common part of both; PENDING if that does not exist.
static bool join(u32 a, u32 b, u32 *both)
{
    u32 kinds = 1u << (a & KIND) | 1u << (b & KIND);
    if ((kinds & ~(u32)OBJECTS) == 0) *both = OBJECT;
    else if ((kinds & ~(u32)SLOTS) == 0) *both = MAYBE;
    else if (kinds == ENDINGS) *both = PENDING;
    else return false;
    return true;
}

static void enqueue(Verifier *v, u32 state)
{
    v->states[state + STATE_NEXT] = v->queue;
    v->queue = state;
}

static void add_state(Verifier *v, u32 at)
{
    u32 n = STATE_STACK + v->n;
    if (v->n_states + n > v->n_states_alloc) {
        u32 n_alloc = v->n_states_alloc * 2 + n + 60;
        v->states = mem_realloc(v->states, n_alloc * sizeof(u32));
        v->n_states_alloc = n_alloc;
    }
    u32 state = v->n_states ? v->n_states : 1; // 0 is none
    v->n_states = state + n;
    v->states[state + STATE_AT] = at;
    v->states[state + STATE_N] = v->n;
    memcpy(&v->states[state + STATE_STACK], v->stack, v->n * sizeof(u32));
    v->places[at] |= state << PLACE_STATE_SHIFT;
    enqueue(v, state);
}

static bool merge_state(Verifier *v, u32 state)
{
    u32 *known = &v->states[state + STATE_STACK];
    bool is_new = false;
    if (v->states[state + STATE_N] != v->n) return verify_bad(v, "bad bytecode: paths meet with different stacks");
    for (u32 i = 0; i < v->n; i++) {
        u32 both;
        if (known[i] == v->stack[i]) continue;
        if (!join(known[i], v->stack[i], &both)) return verify_bad(v, "bad bytecode: paths meet with different stacks");
        is_new |= both != known[i];
        known[i] = both;
    }
    if (is_new && v->states[state + STATE_NEXT] == NOT_QUEUED) enqueue(v, state);
    return true;
}

// The machine takes a finally record for one whose block is running when its handler does not lie ahead. It is right if the stack
// says the same: such a record, and no other, has what its block was entered with above it. (The newest one may have None there:
// the block is about to be entered.)
static bool records_fit(Verifier *v, u32 at)
{
    u32 newest = v->n;
    while (!is_record(v->stack[newest - 1])) newest--;
    for (u32 i = 0; i < newest; i++) {
        u32 record = v->stack[i];
        if (!is_one_of(record, 1 << FINALLY_RECORD | 1 << WITH_RECORD)) continue;
        u32 kinds = i + 1 < newest ? ENDINGS : 1 << PENDING;
        bool is_running = handler_of(record) <= at, has_reason = i + 1 < v->n && is_one_of(v->stack[i + 1], ENDINGS);
        if (is_running ? !has_reason : has_reason && is_one_of(v->stack[i + 1], kinds)) return bad_record(v);
    }
    return true;
}

// Control may get there with the present stack.
static bool flow_to(Verifier *v, u32 at)
{
    if (at >= v->n_code) return verify_bad(v, "bad bytecode: runs off its end");
    if (!(v->places[at] & PLACE_IS_INSN)) return verify_bad(v, "bad bytecode: jump into an instruction");
    if (v->n_records > 0 && !records_fit(v, at)) return false;
    u32 state = v->places[at] >> PLACE_STATE_SHIFT;
    if (state != 0) return merge_state(v, state);
    add_state(v, at);
    return true;
}

// ---- Exception records ---------------------------------------------------------------------------------------------------------

static bool push_record(Verifier *v, u32 kind, u32 handler)
{
    if (v->n_records == v->p.n_exc) return bad_record(v);
    v->n_records++;
    v->stack[v->n++] = kind | handler << HANDLER_SHIFT;
    u32 reason = kind == EXCEPT_RECORD ? ENDING : PENDING, depth = v->depth;
    if (!push(v, reason) || !flow_to(v, handler)) return false;
    v->n--;
    v->depth = depth;
    return true;
}

static bool pop_record(Verifier *v)
{
    if (v->n == 0 || !is_record(v->stack[v->n - 1])) return bad_record(v);
    v->n--;
    v->n_records--;
    return true;
}

static bool setup_with(Verifier *v, const Insn *in)
{
    return pop(v, 1, OBJECTS) && push(v, OBJECT) && push(v, MAYBE) && push_record(v, WITH_RECORD, in->target) && push(v, OBJECT);
}

// The stack of a running block: its record and what it was entered with. Takes the latter off.
static bool pop_reason(Verifier *v, u32 records, u32 at)
{
    if (v->n < 2) return bad_record(v);
    u32 record = v->stack[v->n - 2], reason = v->stack[v->n - 1];
    if (!is_one_of(record, records) || handler_of(record) > at || !is_one_of(reason, ENDINGS)) return bad_record(v);
    v->n--;
    v->depth -= reason == PENDING ? 2 : 1;
    return true;
}

// Calls __exit__ with it; what is left is a finally block at its end.
static bool call_exit(Verifier *v, u32 at)
{
    u32 reason = v->n > 0 ? v->stack[v->n - 1] : OBJECT;
    if (!pop_reason(v, 1 << WITH_RECORD, at)) return false;
    u32 handler = handler_of(v->stack[v->n - 1]);
    if (!pop_record(v) || !pop(v, 1, SLOTS) || !pop(v, 1, OBJECTS)) return false;
    v->stack[v->n++] = FINALLY_RECORD | handler << HANDLER_SHIFT;
    v->n_records++;
    return push(v, reason);
}

static bool is_iterator(const Verifier *v)
{
    if (v->n < N_ITERATOR_SLOTS) return false;
    const u32 *top = &v->stack[v->n - N_ITERATOR_SLOTS];
    bool is_own = true; // that of a generator expression's argument comes as NULL, iterator, NULL, NULL
    for (u32 i = 0; i < N_ITERATOR_SLOTS; i++) is_own &= top[i] == ITERATOR + i;
    return is_own || (top[0] == NOTHING && is_one_of(top[1], OBJECTS) && top[2] == NOTHING && top[3] == NOTHING);
}

static bool pop_iterator(Verifier *v) { return is_iterator(v) ? pop(v, N_ITERATOR_SLOTS, DROPPED) : bad_stack(v); }

// A jump out of records: the finally blocks on the way run first, as long as they are not running already.
static bool unwind_jump(Verifier *v, const Insn *in, u32 at)
{
    u32 n = in->extra & 0x7f;
    if (n == 0) return bad_record(v);
    if (v->room - v->depth < 2) return bad_depth(v); // destination and count are pushed
    for (; n > 0; n--) {
        if (v->n == 0) return bad_record(v);
        u32 top = v->stack[v->n - 1];
        bool is_with = (top & KIND) == WITH_RECORD;
        if (!is_record(top)) {
            if (!pop_reason(v, 1 << FINALLY_RECORD, at)) return false;
        } else if ((top & KIND) != EXCEPT_RECORD && handler_of(top) <= at) return bad_record(v);
        if (!pop_record(v) || (is_with && !pop(v, 2, SLOTS))) return false;
    }
    if (in->extra & 0x80 && !pop_iterator(v)) return false;
    return flow_to(v, in->target);
}

// ---- Instructions --------------------------------------------------------------------------------------------------------------

static bool call(Verifier *v, const Insn *in)
{
    bool is_var = in->op == OP_CALL_FUNCTION_VAR_KW || in->op == OP_CALL_METHOD_VAR_KW;
    bool is_method = in->op == OP_CALL_METHOD || in->op == OP_CALL_METHOD_VAR_KW;
    if (is_var && !pop(v, 1, OBJECTS)) return false; // the bitmap
    for (u32 n_kw = in->arg >> 8; n_kw > 0; n_kw--) {
        if (!pop(v, 1, OBJECTS) || !pop(v, 1, is_var ? SLOTS : OBJECTS)) return false; // key NULL: ** argument
    }
    return pop(v, in->arg & 0xff, OBJECTS) && (!is_method || pop(v, 1, SLOTS)) && pop(v, 1, OBJECTS) && push(v, OBJECT);
}

static bool store_comp(Verifier *v, const Insn *in)
{
    u32 index = in->arg >> 2;
    for (u32 i = 0; i <= index; i++) { // every entry is one slot down to the collection
        if (i >= v->n || !is_one_of(v->stack[v->n - 1 - i], i == index ? OBJECTS : DROPPED)) return bad_stack(v);
    }
    return pop(v, (in->arg & 3) == 1 ? 2 : 1, OBJECTS);
}

// Copies or moves the newest n slots.
static bool move_slots(Verifier *v, u32 op)
{
    u32 n = op == OP_DUP_TOP ? 1 : op == OP_ROT_THREE ? 3 : 2, slots[3];
    if (v->n < n) return bad_stack(v);
    memcpy(slots, &v->stack[v->n - n], n * sizeof(u32));
    if (!pop(v, n, SLOTS)) return false;
    if (op == OP_ROT_TWO) return push(v, slots[1]) && push(v, slots[0]);
    if (op == OP_ROT_THREE) return push(v, slots[2]) && push(v, slots[0]) && push(v, slots[1]);
    for (u32 i = 0; i < 2 * n; i++) {
        if (!push(v, slots[i % n])) return false;
    }
    return true;
}

static bool get_iter_stack(Verifier *v)
{
    if (!pop(v, 1, OBJECTS)) return false;
    for (u32 i = 0; i < N_ITERATOR_SLOTS; i++) {
        if (!push(v, ITERATOR + i)) return false;
    }
    return true;
}

static bool for_iter(Verifier *v, const Insn *in)
{
    u32 n = v->n, depth = v->depth;
    if (!pop_iterator(v) || !flow_to(v, in->target)) return false;
    v->n = n;
    v->depth = depth;
    return push(v, OBJECT);
}

static bool jump_or_pop(Verifier *v, const Insn *in)
{
    u32 top = v->n > 0 ? v->stack[v->n - 1] : NOTHING;
    return is_one_of(top, OBJECTS) ? flow_to(v, in->target) && pop(v, 1, OBJECTS) : bad_stack(v);
}

// What the instruction does to the stack; where it jumps; *goes_on: whether the next one follows.
static bool step(Verifier *v, u32 at, const Insn *in, bool *goes_on)
{
    const OpInfo *info = &verify_ops[in->op];
    u32 n = in->arg;
    switch (in->op) {
    case OP_LOAD_CONST_NONE: return push(v, ENDING);
    case OP_LOAD_NULL: return push(v, NOTHING);
    case OP_LOAD_METHOD: case OP_LOAD_SUPER_METHOD:
        return pop(v, (u32)info->pops, OBJECTS) && push(v, OBJECT) && push(v, MAYBE);
    case OP_STORE_ATTR: case OP_STORE_SUBSCR: // the value NULL deletes
        return pop(v, (u32)info->pops - 1, OBJECTS) && pop(v, 1, SLOTS);
    case OP_MAKE_CLOSURE: return pop(v, in->extra, OBJECTS) && push(v, OBJECT);
    case OP_MAKE_CLOSURE_DEFARGS: return pop(v, in->extra, OBJECTS) && pop(v, 2, SLOTS) && push(v, OBJECT);
    case OP_MAKE_FUNCTION_DEFARGS: return pop(v, 2, SLOTS) && push(v, OBJECT);
    case OP_BUILD_TUPLE: case OP_BUILD_LIST: case OP_BUILD_SET: case OP_BUILD_SLICE:
        return pop(v, n, OBJECTS) && push(v, OBJECT);
    case OP_STORE_COMP: return store_comp(v, in);
    case OP_UNPACK_SEQUENCE: return pop(v, 1, OBJECTS) && push_objects(v, n);
    case OP_UNPACK_EX: return pop(v, 1, OBJECTS) && push_objects(v, (n & 0xff) + (n >> 8) + 1);
    case OP_CALL_FUNCTION: case OP_CALL_FUNCTION_VAR_KW: case OP_CALL_METHOD: case OP_CALL_METHOD_VAR_KW: return call(v, in);
    case OP_DUP_TOP: case OP_DUP_TOP_TWO: case OP_ROT_TWO: case OP_ROT_THREE: return move_slots(v, in->op);
    case OP_POP_TOP: return pop(v, 1, DROPPED);
    case OP_GET_ITER_STACK: return get_iter_stack(v);
    case OP_FOR_ITER: return for_iter(v, in);
    case OP_JUMP: *goes_on = false; return flow_to(v, in->target);
    case OP_POP_JUMP_IF_TRUE: case OP_POP_JUMP_IF_FALSE: return pop(v, 1, OBJECTS) && flow_to(v, in->target);
    case OP_JUMP_IF_TRUE_OR_POP: case OP_JUMP_IF_FALSE_OR_POP: return jump_or_pop(v, in);
    case OP_SETUP_EXCEPT: return push_record(v, EXCEPT_RECORD, in->target);
    case OP_SETUP_FINALLY: return push_record(v, FINALLY_RECORD, in->target);
    case OP_SETUP_WITH: return setup_with(v, in);
    case OP_WITH_CLEANUP: return call_exit(v, at);
    case OP_END_FINALLY: return pop_reason(v, 1 << EXCEPT_RECORD | 1 << FINALLY_RECORD, at) && pop_record(v);
    case OP_POP_EXCEPT_JUMP: *goes_on = false; return pop_record(v) && flow_to(v, in->target);
    case OP_UNWIND_JUMP: *goes_on = false; return unwind_jump(v, in, at);
    case OP_RETURN_VALUE: case OP_RAISE_LAST: case OP_RAISE_OBJ: case OP_RAISE_FROM:
        *goes_on = false;
        return pop(v, (u32)info->pops, OBJECTS);
    default: return pop(v, (u32)info->pops, OBJECTS) && push_objects(v, (u32)info->pushes);
    }
}

// The place that is to be looked at next, and the stack there.
static bool next_place(Verifier *v, u32 *at)
{
    u32 *state = &v->states[v->queue];
    v->queue = state[STATE_NEXT];
    state[STATE_NEXT] = NOT_QUEUED;
    v->n = state[STATE_N];
    v->depth = v->n_records = 0;
    for (u32 i = 0; i < v->n; i++) {
        u32 entry = v->stack[i] = state[STATE_STACK + i];
        if (is_record(entry)) v->n_records++;
        else v->depth += entry == PENDING ? 2 : 1;
    }
    *at = state[STATE_AT];
    return v->depth <= v->room || bad_depth(v); // joined from two that fit
}

bool verify_flow(Verifier *v)
{
    if (!flow_to(v, 0)) return false;
    while (v->queue != 0) {
        u32 at;
        if (!next_place(v, &at)) return false;
        for (bool goes_on = true; goes_on;) {
            Insn in;
            if (!verify_decode(v, at, &in) || !step(v, at, &in, &goes_on)) return false;
            at = in.next;
            if (goes_on && (at >= v->n_code || v->places[at] & PLACE_IS_TARGET)) { // others come here, too, or nobody can
                if (!flow_to(v, at)) return false;
                goes_on = false;
            }
        }
    }
    return true;
}
