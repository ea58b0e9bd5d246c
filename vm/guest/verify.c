// verify.c: what the interpreter relies on in a code object, first part: fields that fit, and, instruction by instruction in
// order, operands in range. Second part, in flow.c: what lies on the value stack along every path.
#include "verify.h"

#include <string.h>

enum { MAX_CODE = 1 << 20, USED_AS_CELL = 1, STORED = 2 };

bool verify_bad(Verifier *v, const char *why)
{
    if (!v->error) v->error = why;
    return false;
}

static bool number_at(Verifier *v, const u8 **p, const u8 *end, u32 *out)
{
    u32 n = 0;
    for (;;) {
        if (*p >= end || n >> 25) return verify_bad(v, "bad bytecode: number");
        u8 b = *(*p)++;
        n = n << 7 | (b & 0x7f);
        if (!(b & 0x80)) break;
    }
    *out = n;
    return true;
}

// The prelude may be read with prelude_read only after this.
static bool check_prelude(Verifier *v)
{
    const u8 *p = v->raw->code, *end = p + v->raw->n_bytes;
    u32 n = 0;
    while (p < end && *p & 0x80 && n++ < 5) p++;
    if (p >= end || *p & 0x80) return verify_bad(v, "bad bytecode: prelude");
    p++;
    for (n = 0; p < end && *p & 0x80 && n++ < 4;) p++;
    if (p >= end || *p & 0x80) return verify_bad(v, "bad bytecode: prelude");
    prelude_read(v->raw->code, &v->p);
    const Prelude *q = &v->p;
    if (q->n_info + q->n_cell >= (size_t)(end - q->info)) return verify_bad(v, "bad bytecode: sizes");
    if (q->n_state > 4000 || q->n_exc > 200 || q->n_defpos > q->n_pos) return verify_bad(v, "bad bytecode: frame");
    v->n_locals = q->n_pos + q->n_kwonly + (q->flags & FUN_VARARGS ? 1 : 0) + (q->flags & FUN_VARKW ? 1 : 0);
    if (v->n_locals > q->n_state) return verify_bad(v, "bad bytecode: parameters");
    const u8 *info = q->info; // names lie within the info part
    for (u32 i = 0; i <= q->n_pos + q->n_kwonly; i++) {
        u32 name;
        if (!number_at(v, &info, q->cells, &name)) return false;
        if (name >= v->context->n_qstrs) return verify_bad(v, "bad bytecode: name");
    }
    while (info < q->cells) info += *info & 0x80 ? 2 : 1;
    if (info != q->cells) return verify_bad(v, "bad bytecode: line table");
    for (u32 i = 0; i < q->n_cell; i++) {
        if (q->cells[i] >= q->n_state) return verify_bad(v, "bad bytecode: cell");
        if (q->cells[i] >= v->n_locals) v->n_locals = q->cells[i] + 1u;
    }
    v->code = q->start;
    v->n_code = (u32)(end - q->start);
    return v->n_code <= MAX_CODE || verify_bad(v, "bad bytecode: size");
}

// ---- Instructions ------------------------------------------------------------------------------------------------------------

#define ROW(first, last, NAME, ARG, n_pops, n_pushes, meaning) [first ... last] = {ARG_##ARG, n_pops, n_pushes},
const OpInfo verify_ops[256] = {PY_OPCODES(ROW)};
#undef ROW

static bool label_at(Verifier *v, const u8 **p, bool is_signed, i64 *offset)
{
    const u8 *end = v->code + v->n_code;
    if (*p >= end || (**p & 0x80 && *p + 1 >= end)) return verify_bad(v, "bad bytecode: label");
    if (**p & 0x80) *offset = ((**p & 0x7f) | (i64)(*p)[1] << 7) - (is_signed ? 0x4000 : 0);
    else *offset = **p - (is_signed ? 0x40 : 0);
    *p += **p & 0x80 ? 2 : 1;
    return true;
}

bool verify_decode(Verifier *v, u32 at, Insn *in)
{
    const u8 *p = v->code + at, *end = v->code + v->n_code;
    i64 offset = 0;
    *in = (Insn){.op = *p++, .target = NO_TARGET};
    u32 arg = verify_ops[in->op].arg;
    switch (arg) {
    case ARG_NONE: break;
    case ARG_S: {
        u32 n = 0;
        while (p < end && *p & 0x80 && n < 9) p++, n++;
        if (p >= end || *p & 0x80) return verify_bad(v, "bad bytecode: number");
        p++;
        break;
    }
    case ARG_J: case ARG_JB: case ARG_L:
        if (!label_at(v, &p, arg != ARG_L, &offset)) return false;
        in->target = (u32)((i64)(p - v->code) + offset);
        if (in->target >= v->n_code) return verify_bad(v, "bad bytecode: jump out of the code");
        break;
    case ARG_Q: case ARG_U: case ARG_O: case ARG_C: case ARG_CB:
        if (!number_at(v, &p, end, &in->arg)) return false;
        break;
    default: return verify_bad(v, "bad bytecode: opcode");
    }
    if (arg == ARG_CB || arg == ARG_JB) {
        if (p >= end) return verify_bad(v, "bad bytecode: end");
        in->extra = *p++;
    }
    in->next = (u32)(p - v->code);
    return true;
}

// A DEREF needs a cell there: a cell of this function, or one that the enclosing function passes in (named "*").
static bool is_cell(const Verifier *v, u32 local)
{
    if (memchr(v->p.cells, (int)local, v->p.n_cell)) return true;
    const u8 *info = v->p.info;
    read_varuint(&info);
    for (u32 i = 0; i < v->p.n_pos; i++) {
        Qstr name = v->context->qstrs[read_varuint(&info)];
        if (i == local) return name == Q_STAR;
    }
    return false;
}

static bool use_local(Verifier *v, u32 local, u8 how)
{
    if (local >= v->p.n_state || (how == USED_AS_CELL && !is_cell(v, local))) return verify_bad(v, "bad bytecode: local");
    if (local >= v->n_locals) v->n_locals = local + 1;
    v->uses[local] |= how;
    return true;
}

static bool check_child(Verifier *v, const Insn *in)
{
    if (in->arg >= v->raw->n_children) return verify_bad(v, "bad bytecode: child");
    const RawCode *raw = v->raw->children[in->arg];
    Prelude child;
    prelude_read(raw->code, &child); // verified before its parent
    return (in->extra <= child.n_pos && in->extra >= raw->n_free) || verify_bad(v, "bad bytecode: cells");
}

static bool check_operand(Verifier *v, const Insn *in)
{
    u32 limit = 0xffffffff;
    switch (verify_ops[in->op].arg) {
    case ARG_Q: limit = v->context->n_qstrs; break;
    case ARG_O: limit = v->context->n_objects; break;
    case ARG_C: case ARG_CB: return check_child(v, in);
    default: break;
    }
    switch (in->op) {
    case OP_LOAD_FAST_N: return use_local(v, in->arg, 0);
    case OP_STORE_FAST_N: case OP_DELETE_FAST: return use_local(v, in->arg, STORED);
    case OP_LOAD_DEREF: case OP_STORE_DEREF: case OP_DELETE_DEREF: return use_local(v, in->arg, USED_AS_CELL);
    case OP_BUILD_TUPLE: case OP_BUILD_LIST: case OP_BUILD_SET: case OP_UNPACK_SEQUENCE: limit = v->p.n_state + 1; break;
    case OP_BUILD_SLICE: return in->arg == 2 || in->arg == 3 || verify_bad(v, "bad bytecode: slice");
    case OP_STORE_COMP: return (in->arg & 3) != 3 || verify_bad(v, "bad bytecode: collection");
    case OP_UNPACK_EX: case OP_CALL_FUNCTION: case OP_CALL_FUNCTION_VAR_KW: case OP_CALL_METHOD: case OP_CALL_METHOD_VAR_KW:
        limit = 0x10000;
        break;
    case OP_YIELD_VALUE: case OP_YIELD_FROM:
        return v->p.flags & FUN_GENERATOR || verify_bad(v, "bad bytecode: a yield outside a generator");
    default: break;
    }
    if (in->op >= OP_LOAD_FAST_MULTI && in->op < OP_LOAD_FAST_MULTI + 16) return use_local(v, in->op & 15, 0);
    if (in->op >= OP_STORE_FAST_MULTI && in->op < OP_STORE_FAST_MULTI + 16) return use_local(v, in->op & 15, STORED);
    return in->arg < limit || verify_bad(v, "bad bytecode: index");
}

static bool walk_in_order(Verifier *v)
{
    v->places[0] = PLACE_IS_TARGET;
    for (u32 at = 0; at < v->n_code;) {
        Insn in;
        if (!verify_decode(v, at, &in) || !check_operand(v, &in)) return false;
        v->places[at] |= PLACE_IS_INSN;
        if (in.target != NO_TARGET) v->places[in.target] |= PLACE_IS_TARGET;
        at = in.next;
    }
    return true;
}

// ---- Locals --------------------------------------------------------------------------------------------------------------------

// Locals and value stack meet in one array; a local that is used as a cell holds nothing but cells.
static bool check_locals(Verifier *v)
{
    const Prelude *p = &v->p;
    for (u32 i = 0; i < v->n_locals; i++) {
        bool is_own = memchr(p->cells, (int)i, p->n_cell) != NULL;
        if (v->uses[i] & STORED && (is_own || v->uses[i] & USED_AS_CELL)) return verify_bad(v, "bad bytecode: a cell is overwritten");
        if (v->uses[i] & USED_AS_CELL && !is_own) v->n_free = i + 1;
    }
    v->room = p->n_state - v->n_locals;
    return true;
}

static bool check_code(Verifier *v)
{
    if (!check_prelude(v)) return false;
    v->places = mem_alloc(v->n_code * sizeof(u32));
    v->uses = mem_alloc(v->p.n_state);
    v->stack = mem_alloc((v->p.n_state + v->p.n_exc + 1) * sizeof(u32));
    return walk_in_order(v) && check_locals(v) && verify_flow(v);
}

bool verify_code(const Context *c, RawCode *r, const char **why)
{
    Verifier v = {.context = c, .raw = r};
    bool ok = check_code(&v);
    gc_free(v.places);
    gc_free(v.uses);
    gc_free(v.stack);
    gc_free(v.states);
    r->n_free = v.n_free;
    *why = v.error;
    return ok;
}
