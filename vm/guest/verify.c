// verify.c: what the interpreter relies on in a code object: fields that fit, indices in range, jumps that land on instructions,
// an end that is not run over, and a value stack that stays within the frame. One pass over the instructions, which are in
// order of address: forward jumps leave the depth at their target, backward jumps must find it there.
#include "bytecode.h"

#include <string.h>

enum { UNKNOWN = 0xffff, MAX_CODE = 1 << 20, USED_AS_CELL = 1, STORED = 2 };

typedef struct Verifier {
    const Context *context;
    const RawCode *raw;
    Prelude p;
    const u8 *end;
    u32 n_locals;     // highest local used, + 1
    i32 deepest;      // value stack
    u8 *uses;         // by local: USED_AS_CELL, STORED
    u32 n_free;       // highest "*" parameter used as a cell, + 1
    u16 *depth;       // at each code byte: stack depth on arrival; UNKNOWN: nobody came yet
    u8 *records;      // the same for exception records
    u8 *is_start;     // an instruction starts here
    const char *error;
} Verifier;

static bool bad(Verifier *v, const char *why)
{
    if (!v->error) v->error = why;
    return false;
}

static bool number_at(Verifier *v, const u8 **p, u32 *out)
{
    u32 n = 0;
    for (;;) {
        if (*p >= v->end || n >> 25) return bad(v, "bad bytecode: number");
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
    const u8 *p = v->raw->code;
    u32 n = 0;
    while (p < v->end && *p & 0x80 && n++ < 5) p++;
    if (p >= v->end || *p & 0x80) return bad(v, "bad bytecode: prelude");
    p++;
    for (n = 0; p < v->end && *p & 0x80 && n++ < 4;) p++;
    if (p >= v->end || *p & 0x80) return bad(v, "bad bytecode: prelude");
    prelude_read(v->raw->code, &v->p);
    const Prelude *q = &v->p;
    if (q->n_info + q->n_cell >= (size_t)(v->end - q->info)) return bad(v, "bad bytecode: sizes");
    if (q->n_state > 4000 || q->n_exc > 200 || q->n_defpos > q->n_pos) return bad(v, "bad bytecode: frame");
    u32 n_params = q->n_pos + q->n_kwonly + (q->flags & FUN_VARARGS ? 1 : 0) + (q->flags & FUN_VARKW ? 1 : 0);
    if (n_params > q->n_state) return bad(v, "bad bytecode: parameters");
    const u8 *info = q->info, *end = v->end;
    v->end = q->cells; // names lie within the info part
    for (u32 i = 0; i <= q->n_pos + q->n_kwonly; i++) {
        u32 name;
        if (!number_at(v, &info, &name)) return false;
        if (name >= v->context->n_qstrs) return bad(v, "bad bytecode: name");
    }
    while (info < q->cells) info += *info & 0x80 ? 2 : 1;
    v->end = end;
    if (info != q->cells) return bad(v, "bad bytecode: line table");
    for (u32 i = 0; i < q->n_cell; i++) {
        if (q->cells[i] >= q->n_state) return bad(v, "bad bytecode: cell");
    }
    return true;
}

// A DEREF needs a cell there: a cell of this function, or one that the enclosing function passes in (named "*").
static bool is_cell(const Verifier *v, u32 local)
{
    for (u32 i = 0; i < v->p.n_cell; i++) {
        if (v->p.cells[i] == local) return true;
    }
    const u8 *info = v->p.info;
    read_varuint(&info);
    for (u32 i = 0; i < v->p.n_pos; i++) {
        Qstr name = v->context->qstrs[read_varuint(&info)];
        if (i == local) return name == Q_STAR;
    }
    return false;
}

// One decoded instruction: its argument, stack effect, and jump.
typedef struct Insn {
    u32 op, arg, extra;
    const u8 *next;
    const u8 *target; // NULL: no jump
    i32 pops, pushes; // on the way to next
    bool falls_through;
} Insn;

static bool decode(Verifier *v, const u8 *p, Insn *in)
{
    u32 op = *p++;
    *in = (Insn){.op = op, .falls_through = true};
    u32 high = op >> 4;
    if (op == 0x22) { // signed
        u32 n = 0;
        while (p < v->end && *p & 0x80 && n < 9) p++, n++;
        if (p >= v->end || *p & 0x80) return bad(v, "bad bytecode: number");
        p++;
    } else if (high >= 1 && high <= 3) {
        if (!number_at(v, &p, &in->arg)) return false;
    } else if (high == 4) {
        bool is_signed = op <= 0x44;
        if (p >= v->end || (*p & 0x80 && p + 1 >= v->end)) return bad(v, "bad bytecode: label");
        i64 offset = *p & 0x80 ? ((*p & 0x7f) | (i64)p[1] << 7) - (is_signed ? 0x4000 : 0) : *p - (is_signed ? 0x40 : 0);
        p += *p & 0x80 ? 2 : 1;
        if (offset >= v->end - p || offset < v->p.start - p) return bad(v, "bad bytecode: jump out of the code");
        in->target = p + offset;
    }
    if (op == 0x20 || op == 0x21 || op == 0x40) {
        if (p >= v->end) return bad(v, "bad bytecode: end");
        in->extra = *p++;
    }
    in->next = p;
    return true;
}

static bool check_child(Verifier *v, const Insn *in, u32 n_cells)
{
    if (in->arg >= v->raw->n_children) return bad(v, "bad bytecode: child");
    Prelude child;
    prelude_read(v->raw->children[in->arg]->code, &child); // verified before its parent
    if (n_cells > child.n_pos || n_cells < v->raw->children[in->arg]->n_free) return bad(v, "bad bytecode: cells");
    return true;
}

// Stack effects of the opcodes with fixed ones, from 0x50: pops << 4 | pushes; 0xff: not an opcode or special.
static const u8 effects[] = {
    /* 50 */ 0x01, 0x01, 0x01, 0x01, 0x01, 0x21, 0x30, 0x12, 0x24, 0x10, 0x22, 0x33, 0xff, 0xff, 0x11, 0x14,
    /* 60 */ 0xff, 0xff, 0x31, 0x10, 0x00, 0x10, 0x20, 0x11, 0x21, 0x10,
};

static void use_local(Verifier *v, u32 local, u8 how)
{
    if (local + 1 > v->n_locals) v->n_locals = local + 1;
    v->uses[local] |= how;
}

static bool effect(Verifier *v, Insn *in)
{
    u32 op = in->op, n = in->arg;
    const char *index = "bad bytecode: index";
    if (op >= 0x10 && op <= 0x1c) { // names
        static const u8 name_effects[] = {0x01, 0x01, 0x01, 0x11, 0x12, 0x32, 0x10, 0x10, 0x20, 0x00, 0x00, 0x21, 0x12};
        if (n >= v->context->n_qstrs) return bad(v, index);
        in->pops = name_effects[op - 0x10] >> 4;
        in->pushes = name_effects[op - 0x10] & 15;
        return true;
    }
    if (op >= 0x24 && op <= 0x29) { // locals
        bool is_deref = op == 0x25 || op == 0x27 || op == 0x29;
        if (n >= v->p.n_state || (is_deref && !is_cell(v, n))) return bad(v, "bad bytecode: local");
        use_local(v, n, is_deref ? USED_AS_CELL : op == 0x26 || op == 0x28 ? STORED : 0);
        in->pushes = op == 0x24 || op == 0x25;
        in->pops = op == 0x26 || op == 0x27;
        return true;
    }
    u32 n_args = n & 0xff, n_kw = n >> 8;
    switch (op) {
    case 0x22: in->pushes = 1; return true;
    case 0x23:
        if (n >= v->context->n_objects) return bad(v, index);
        in->pushes = 1;
        return true;
    case 0x20: case 0x21:
        in->pops = (i32)in->extra + (op == 0x21 ? 2 : 0);
        in->pushes = 1;
        return check_child(v, in, in->extra);
    case 0x32: case 0x33:
        in->pops = op == 0x33 ? 2 : 0;
        in->pushes = 1;
        return check_child(v, in, 0);
    case 0x2a: case 0x2b: case 0x2d:
        if (n > v->p.n_state) return bad(v, index);
        in->pops = (i32)n;
        in->pushes = 1;
        return true;
    case 0x2c: in->pushes = 1; return true;
    case 0x2e:
        if (n != 2 && n != 3) return bad(v, index);
        in->pops = (i32)n;
        in->pushes = 1;
        return true;
    case 0x2f:
        if ((n & 3) == 3 || n >> 2 > v->p.n_state) return bad(v, index);
        in->pops = (n & 3) == 1 ? 2 : 1;
        return true;
    case 0x30:
        if (n > v->p.n_state) return bad(v, index);
        in->pops = 1;
        in->pushes = (i32)n;
        return true;
    case 0x31:
        if (n >> 16) return bad(v, index);
        in->pops = 1;
        in->pushes = (i32)(n_args + (n >> 8 & 0xff) + 1);
        return true;
    case 0x34: case 0x35: case 0x36: case 0x37:
        if (n_kw > 0xff) return bad(v, index);
        in->pops = (i32)(1 + n_args + 2 * n_kw + (op & 1) + (op >= 0x36));
        in->pushes = 1;
        return true;
    case 0x40: case 0x42: in->falls_through = false; return true;
    case 0x43: case 0x44: in->pops = 1; return true;
    case 0x45: case 0x46: in->pops = 1; return true; // the jump keeps it
    case 0x47: in->pops = 1; in->pushes = 3; return true;
    case 0x48: case 0x49: return true;
    case 0x4a: in->falls_through = false; return true;
    case 0x4b: in->pushes = 1; return true;
    case 0x5c: case 0x5d: return true; // by what lies on the stack: see step()
    default: break;
    }
    if (op >= 0x50 && op - 0x50 < sizeof effects && effects[op - 0x50] != 0xff) {
        in->pops = effects[op - 0x50] >> 4;
        in->pushes = effects[op - 0x50] & 15;
        in->falls_through = op != 0x63 && op != 0x64 && op != 0x65;
        return true;
    }
    if (op >= 0x70 && op <= 0xcf) {
        u32 local = op & 15;
        if (op >= 0xb0) {
            if (local >= v->p.n_state) return bad(v, "bad bytecode: local");
            use_local(v, local, op >= 0xc0 ? STORED : 0);
        }
        in->pushes = op < 0xc0;
        in->pops = op >= 0xc0;
        return true;
    }
    if (op >= 0xd0 && op <= 0xd3) {
        in->pops = in->pushes = 1;
        return true;
    }
    if (op >= 0xd7 && op <= 0xf9) {
        in->pops = 2;
        in->pushes = 1;
        return true;
    }
    return bad(v, "bad bytecode: opcode");
}

// Notes that control can reach `to` with this depth; a place behind us must have been reached with the same.
static bool reach(Verifier *v, const u8 *from, const u8 *to, i32 depth, i32 records)
{
    size_t at = (size_t)(to - v->p.start);
    if (to >= v->end) return bad(v, "bad bytecode: runs off its end");
    if (depth < 0 || depth > (i32)v->p.n_state) return bad(v, "bad bytecode: stack");
    if (depth > v->deepest) v->deepest = depth;
    if (records < 0 || records > (i32)v->p.n_exc) return bad(v, "bad bytecode: exception records");
    if (to <= from && !v->is_start[at]) return bad(v, "bad bytecode: jump into an instruction");
    if (v->depth[at] == UNKNOWN) {
        v->depth[at] = (u16)depth;
        v->records[at] = (u8)records;
    } else if (v->depth[at] < depth && to > from) v->depth[at] = (u16)depth; // async with: the larger one is checked on
    else if (v->depth[at] != depth && to <= from) return bad(v, "bad bytecode: stack differs at a loop");
    return true;
}

static bool step(Verifier *v, const u8 *p, Insn *in)
{
    size_t at = (size_t)(p - v->p.start);
    i32 depth = v->depth[at], records = v->records[at];
    if (depth < in->pops) return bad(v, "bad bytecode: stack");
    i32 after = depth - in->pops + in->pushes;
    if (after > (i32)v->p.n_state) return bad(v, "bad bytecode: stack");
    i32 records_after = records, jump_depth = after, jump_records = records;
    switch (in->op) {
    case 0x15: if (depth < 3) return bad(v, "bad bytecode: stack"); break;
    case 0x2f: if ((i32)(in->arg >> 2) >= depth) return bad(v, "bad bytecode: stack"); break;
    case 0x40:
        jump_depth = depth - (in->extra & 0x80 ? 4 : 0), jump_records = records - (i32)(in->extra & 0x7f);
        if (depth + 2 > v->deepest) v->deepest = depth + 2; // destination and count
        break;
    case 0x45: case 0x46: jump_depth = depth; break;
    case 0x47: // handler: exception above (exit, self)
        records_after++;
        jump_depth = depth + 2, jump_records = records + 1;
        if (depth + 3 > v->deepest) v->deepest = depth + 3;
        break;
    case 0x48: case 0x49:
        if (depth + 2 > v->deepest) v->deepest = depth + 2; // a pending return
        records_after++, jump_depth = depth + 1, jump_records = records + 1;
        break;
    case 0x4a: jump_records = records - 1; break;
    case 0x4b: jump_depth = depth - 4; break;
    case 0x5c: after = depth - 2; break;
    case 0x5d: after = depth - 1, records_after--; break;
    default: break;
    }
    if (in->op == 0x4b && depth < 4) return bad(v, "bad bytecode: stack");
    if (in->target && !reach(v, p, in->target, jump_depth, jump_records)) return false;
    return !in->falls_through || reach(v, p, in->next, after, records_after);
}

// Locals and value stack meet in one array; a local that is used as a cell holds nothing but cells.
static bool check_locals(Verifier *v)
{
    const Prelude *p = &v->p;
    u32 n_params = p->n_pos + p->n_kwonly + (p->flags & FUN_VARARGS ? 1 : 0) + (p->flags & FUN_VARKW ? 1 : 0);
    u32 n_locals = n_params > v->n_locals ? n_params : v->n_locals;
    for (u32 i = 0; i < p->n_cell; i++) {
        v->uses[p->cells[i]] |= USED_AS_CELL;
        if (p->cells[i] >= n_locals) n_locals = p->cells[i] + 1u;
    }
    if (n_locals + (u32)v->deepest > p->n_state) return bad(v, "bad bytecode: the frame is too small");
    for (u32 i = 0; i < n_locals; i++) {
        if (v->uses[i] == (USED_AS_CELL | STORED)) return bad(v, "bad bytecode: a cell is overwritten");
        bool is_own = memchr(p->cells, (int)i, p->n_cell) != NULL;
        if (v->uses[i] & USED_AS_CELL && !is_own) v->n_free = i + 1;
    }
    return true;
}

static bool check_code(Verifier *v)
{
    if (!check_prelude(v)) return false;
    u32 n = (u32)(v->end - v->p.start);
    if (n == 0 || n > MAX_CODE) return bad(v, "bad bytecode: size");
    v->depth = mem_alloc(n * sizeof(u16));
    v->records = mem_alloc(n);
    v->is_start = mem_alloc(n);
    v->uses = mem_alloc(v->p.n_state);
    memset(v->depth, 0xff, n * sizeof(u16));
    v->depth[0] = 0;
    for (const u8 *p = v->p.start; p < v->end;) {
        Insn in;
        size_t at = (size_t)(p - v->p.start);
        if (!decode(v, p, &in) || !effect(v, &in)) return false;
        v->is_start[at] = 1;
        if (v->depth[at] != UNKNOWN && !step(v, p, &in)) return false; // otherwise dead code
        for (size_t i = at + 1; i < (size_t)(in.next - v->p.start) && i < n; i++) {
            if (v->depth[i] != UNKNOWN) return bad(v, "bad bytecode: jump into an instruction");
        }
        p = in.next;
    }
    return check_locals(v);
}

bool verify_code(const Context *c, RawCode *r, const char **why)
{
    Verifier v = {.context = c, .raw = r, .end = r->code + r->n_bytes};
    bool ok = check_code(&v);
    gc_free(v.depth);
    gc_free(v.records);
    gc_free(v.is_start);
    gc_free(v.uses);
    r->n_free = v.n_free;
    *why = v.error;
    return ok;
}
