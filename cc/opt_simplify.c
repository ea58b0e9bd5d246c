// opt_simplify.c: local rewriting: each rule looks at one instruction and the definitions of its args.
//
//     add (add %1, 4), 8 → add %1, 12        load [cadd %1, 16] → load [%1 + 16]      caddr (csetaddr %1, %2) → %2
//
// Rules return the value that replaces the instruction, or NULL, perhaps after changing it in place.
#include "cc/ir.h"

typedef struct Simplify {
    IrFn *fn;
    bool keeps_masks; // profile llvm-morello: a pointer masked for a test is still derived as a capability
} Simplify;

static u32 width(const IrInsn *i) { return i->type == IR_I32 ? 32 : 64; }

static IrInsn *insert(Simplify *s, IrInsn *at, IrOp op, IrType type, IrInsn *a, IrInsn *b)
{
    IrInsn *i = ir_insn_new(s->fn, op, type, b ? 2 : a ? 1 : 0);
    i->args[0] = a;
    i->args[1] = b;
    i->line = at->line;
    i->is_weak = at->is_weak;
    ir_insert_before(at, i);
    return i;
}

static IrInsn *constant(Simplify *s, IrInsn *at, IrType type, i64 v)
{
    IrInsn *i = insert(s, at, type == IR_F32 || type == IR_F64 ? IR_FCONST : IR_CONST, type, NULL, NULL);
    i->imm = type == IR_I32 ? (i32)v : v;
    return i;
}

static IrInsn *rewrite(IrInsn *i, IrOp op, IrInsn *a, IrInsn *b)
{
    i->op = (u16)op;
    i->n_args = b ? 2 : 1;
    i->args[0] = a;
    i->args[1] = b;
    return NULL;
}

// ---- integers

static IrInsn *add(Simplify *s, IrInsn *i, i64 c)
{
    IrInsn *a = i->args[0];
    i64 d;
    if (!c) return a;
    if (a->op == IR_ADD && ir_is_const(a->args[1], &d))
        return rewrite(i, IR_ADD, a->args[0], constant(s, i, (IrType)i->type, (i64)((u64)c + (u64)d)));
    return NULL;
}

static IrInsn *multiply(Simplify *s, IrInsn *i, i64 c)
{
    u32 log2;
    if (c == 0) return i->args[1];
    if (c == 1) return i->args[0];
    if (c == -1) return rewrite(i, IR_NEG, i->args[0], NULL);
    if (ir_is_power_of_2(c, &log2)) return rewrite(i, IR_SHL, i->args[0], constant(s, i, (IrType)i->type, log2));
    return NULL;
}

static IrInsn *divide(Simplify *s, IrInsn *i, i64 c)
{
    u32 log2;
    IrType t = (IrType)i->type;
    IrInsn *a = i->args[0];
    if (c == 1) return i->op == IR_SDIV || i->op == IR_UDIV ? a : constant(s, i, t, 0);
    if (!ir_is_power_of_2(t == IR_I32 ? (i64)(u32)c : c, &log2)) return NULL;
    bool is_positive = !(ir_possible_bits(a, 3) >> (width(i) - 1) & 1);
    if (i->op == IR_UDIV || (i->op == IR_SDIV && is_positive)) return rewrite(i, IR_LSHR, a, constant(s, i, t, log2));
    if (i->op == IR_UREM || (i->op == IR_SREM && is_positive)) return rewrite(i, IR_AND, a, constant(s, i, t, c - 1));
    if (log2 == width(i) - 1) return NULL;
    // Signed: add 2^k - 1 to negative values first: the sign, spread and shifted down to k bits.
    IrInsn *sign = insert(s, i, IR_ASHR, t, a, constant(s, i, t, width(i) - 1));
    IrInsn *bias = insert(s, i, IR_LSHR, t, sign, constant(s, i, t, width(i) - log2));
    IrInsn *sum = insert(s, i, IR_ADD, t, a, bias);
    if (i->op == IR_SDIV) return rewrite(i, IR_ASHR, sum, constant(s, i, t, log2));
    IrInsn *whole = insert(s, i, IR_AND, t, sum, constant(s, i, t, -c));
    return rewrite(i, IR_SUB, a, whole);
}

static IrInsn *and_with(Simplify *s, IrInsn *i, i64 c)
{
    IrInsn *a = i->args[0];
    u64 all = i->type == IR_I32 ? 0xffffffffull : ~0ull, mask = (u64)c & all, can = ir_possible_bits(a, 4);
    i64 d;
    if (!(can & mask)) return constant(s, i, (IrType)i->type, 0);
    if (!(can & ~mask)) return a;
    if (a->op == IR_AND && ir_is_const(a->args[1], &d))
        return rewrite(i, IR_AND, a->args[0], constant(s, i, (IrType)i->type, c & d));
    return NULL;
}

static IrInsn *shift(Simplify *s, IrInsn *i, i64 c)
{
    IrInsn *a = i->args[0];
    IrType t = (IrType)i->type;
    i64 d, w = width(i);
    c &= w - 1;
    if (!c) return a;
    if (i->op == IR_LSHR && !(ir_possible_bits(a, 4) >> c)) return constant(s, i, t, 0);
    if (a->op != i->op || !ir_is_const(a->args[1], &d)) {
        if (i->op != IR_LSHR || a->op != IR_SHL || !ir_is_const(a->args[1], &d) || (d & (w - 1)) > c) return NULL;
        // A bit-field: (x << d) >> c = (x >> (c - d)) & mask
        d &= w - 1;
        IrInsn *down = c == d ? a->args[0] : insert(s, i, IR_LSHR, t, a->args[0], constant(s, i, t, c - d));
        return rewrite(i, IR_AND, down, constant(s, i, t, (i64)(~0ull >> (64 - (w - c)))));
    }
    d = (d & (w - 1)) + c;
    if (d >= w && i->op != IR_ASHR) return constant(s, i, t, 0);
    return rewrite(i, (IrOp)i->op, a->args[0], constant(s, i, t, d >= w ? w - 1 : d));
}

static IrInsn *binary_with_const(Simplify *s, IrInsn *i, i64 c)
{
    switch (i->op) {
    case IR_ADD: return add(s, i, c);
    case IR_SUB: return rewrite(i, IR_ADD, i->args[0], constant(s, i, (IrType)i->type, (i64)(0 - (u64)c)));
    case IR_MUL: return multiply(s, i, c);
    case IR_SDIV: case IR_UDIV: case IR_SREM: case IR_UREM: return divide(s, i, c);
    case IR_AND: return and_with(s, i, c);
    case IR_OR: return c == 0 ? i->args[0] : NULL;
    case IR_XOR: return c == 0 ? i->args[0] : c == -1 ? rewrite(i, IR_NOT, i->args[0], NULL) : NULL;
    case IR_SHL: case IR_LSHR: case IR_ASHR: return shift(s, i, c);
    default: return NULL;
    }
}

static IrInsn *binary(Simplify *s, IrInsn *i)
{
    IrInsn *a = i->args[0], *b = i->args[1];
    i64 c;
    if (ir_op_kinds((IrOp)i->op) & IR_K_COMM && a->op == IR_CONST && b->op != IR_CONST) {
        i->args[0] = b;
        i->args[1] = a;
        a = i->args[0], b = i->args[1];
    }
    if (ir_is_const(b, &c)) return binary_with_const(s, i, c);
    if (a == b) {
        if (i->op == IR_SUB || i->op == IR_XOR) return constant(s, i, (IrType)i->type, 0);
        if (i->op == IR_AND || i->op == IR_OR) return a;
    }
    if (i->op == IR_SUB && a->op == IR_CONST && a->imm == 0) return rewrite(i, IR_NEG, b, NULL);
    if (i->op == IR_ADD && b->op == IR_NEG) return rewrite(i, IR_SUB, a, b->args[0]);
    if (i->op == IR_SUB && a->op == IR_ADD) { // (x + y) - x
        if (a->args[0] == b) return a->args[1];
        if (a->args[1] == b) return a->args[0];
    }
    return NULL;
}

// ---- extensions

static IrInsn *extend_narrow(IrInsn *i)
{
    IrInsn *a = i->args[0];
    bool is_signed = i->op == IR_SEXT8 || i->op == IR_SEXT16;
    u64 mask = i->op == IR_SEXT8 || i->op == IR_ZEXT8 ? 0xff : 0xffff;
    if (a->type != i->type) return NULL;
    if (a->op == i->op) return a;
    if (ir_possible_bits(a, 4) <= (is_signed ? mask / 2 : mask)) return a;
    if (is_signed && a->op == IR_LOAD && a->is_signed && (a->mem == IR_M8 || (a->mem == IR_M16 && mask == 0xffff))) return a;
    if (is_signed && a->op == IR_SEXT8) return a;
    // Extending what only changed bits above
    i64 c;
    if (a->op == IR_AND && ir_is_const(a->args[1], &c) && ((u64)c & mask) == mask) i->args[0] = a->args[0];
    return NULL;
}

static IrInsn *extend_word(IrInsn *i)
{
    IrInsn *a = i->args[0];
    u64 can = ir_possible_bits(a, 4);
    if (a->op == IR_TRUNC) { // of an I64 that is already so
        u64 was = ir_possible_bits(a->args[0], 4);
        if (was <= (i->op == IR_SEXT32 ? 0x7fffffffull : 0xffffffffull)) return a->args[0];
        if (a->args[0]->op == i->op) return a->args[0];
    }
    if (i->op == IR_SEXT32 && a->type == IR_I32 && can < 0x80000000u) i->op = IR_ZEXT32;
    return NULL;
}

static IrInsn *truncate(Simplify *s, IrInsn *i)
{
    IrInsn *a = i->args[0];
    if ((a->op == IR_SEXT32 || a->op == IR_ZEXT32) && a->args[0]->type == IR_I32) return a->args[0];
    // trunc (op (ext x), y) = op x, trunc y: the low half needs only low halves
    bool is_low = a->op == IR_ADD || a->op == IR_SUB || a->op == IR_MUL || a->op == IR_AND || a->op == IR_OR || a->op == IR_XOR;
    if (!is_low) return NULL;
    bool x = a->args[0]->op == IR_SEXT32 || a->args[0]->op == IR_ZEXT32;
    bool y = a->args[1]->op == IR_CONST || a->args[1]->op == IR_SEXT32 || a->args[1]->op == IR_ZEXT32;
    if (!x || !y || a->args[0]->args[0]->type != IR_I32) return NULL;
    IrInsn *right = a->args[1]->op == IR_CONST ? constant(s, i, IR_I32, a->args[1]->imm)
                    : a->args[1]->args[0]->type == IR_I32 ? a->args[1]->args[0] : NULL;
    return right ? rewrite(i, (IrOp)a->op, a->args[0]->args[0], right) : NULL;
}

// ---- comparisons

static bool is_unsigned_or_eq(IrCond c) { return c == IR_EQ || c == IR_NE || c >= IR_ULT; }

// Both sides extended from 32 bits the same way: compare the 32 bits.
static void narrow_compare(Simplify *s, IrInsn *i)
{
    IrInsn *a = i->args[0], *b = i->args[1];
    IrCond c = (IrCond)i->cond;
    if (a->type != IR_I64 || (a->op != IR_ZEXT32 && a->op != IR_SEXT32) || a->args[0]->type != IR_I32) return;
    bool is_zext = a->op == IR_ZEXT32;
    if (is_zext && !is_unsigned_or_eq(c)) {
        bool fits = b->op == IR_CONST && b->imm >= 0 && b->imm <= 0xffffffffll;
        if (!fits && b->op != IR_ZEXT32) return;
        static const u8 as_unsigned[] = {[IR_SLT] = IR_ULT, [IR_SLE] = IR_ULE, [IR_SGT] = IR_UGT, [IR_SGE] = IR_UGE};
        c = (IrCond)as_unsigned[c];
    }
    if (b->op == a->op && b->args[0]->type == IR_I32) {
        i->args[1] = b->args[0];
    } else if (b->op == IR_CONST && (is_zext ? (b->imm >= 0 && b->imm <= 0xffffffffll) : b->imm == (i32)b->imm)) {
        i->args[1] = constant(s, i, IR_I32, b->imm);
    } else {
        return;
    }
    i->args[0] = a->args[0];
    i->cond = (u8)c;
}

static IrInsn *compare_with_const(Simplify *s, IrInsn *i, i64 c)
{
    IrInsn *a = i->args[0];
    bool is_eq = i->cond == IR_EQ || i->cond == IR_NE;
    i64 d;
    if ((a->op == IR_CMP || a->op == IR_FCMP) && is_eq && (c == 0 || c == 1)) {
        if ((i->cond == IR_NE) == (c == 0)) return a;
        i->op = a->op;
        i->cond = (u8)ir_cond_negate((IrCond)a->cond);
        i->args[1] = a->args[1];
        i->args[0] = a->args[0];
        return NULL;
    }
    u64 can = ir_possible_bits(a, 4);
    if (is_eq && (u64)c & ~can & (a->type == IR_I32 ? 0xffffffffull : ~0ull)) return constant(s, i, IR_I32, i->cond == IR_NE);
    if (is_eq && c && can == (u64)c && !(can & (can - 1))) { // only one bit can be set: test against zero
        i->cond = (u8)ir_cond_negate((IrCond)i->cond);
        i->args[1] = constant(s, i, (IrType)a->type, 0);
        return NULL;
    }
    if (is_eq && a->op == IR_ADD && ir_is_const(a->args[1], &d)) {
        i->args[0] = a->args[0];
        i->args[1] = constant(s, i, (IrType)a->type, (i64)((u64)c - (u64)d));
        return NULL;
    }
    if (is_eq && c == 0 && a->op == IR_SUB) {
        i->args[0] = a->args[0];
        i->args[1] = a->args[1];
        return NULL;
    }
    if (c == 0 && (i->cond == IR_ULT || i->cond == IR_UGE)) return constant(s, i, IR_I32, i->cond == IR_UGE);
    if (c == 1 && (i->cond == IR_ULT || i->cond == IR_UGE)) {
        i->cond = i->cond == IR_ULT ? IR_EQ : IR_NE;
        i->args[1] = constant(s, i, (IrType)a->type, 0);
    } else if (c == 0 && (i->cond == IR_ULE || i->cond == IR_UGT)) {
        i->cond = i->cond == IR_ULE ? IR_EQ : IR_NE;
    }
    return NULL;
}

static IrInsn *compare(Simplify *s, IrInsn *i)
{
    if (i->args[0]->op == IR_CONST && i->args[1]->op != IR_CONST) {
        IrInsn *t = i->args[0];
        i->args[0] = i->args[1];
        i->args[1] = t;
        i->cond = (u8)ir_cond_swap((IrCond)i->cond);
    }
    narrow_compare(s, i);
    i64 c;
    if (ir_is_const(i->args[1], &c)) return compare_with_const(s, i, c);
    if (i->args[0] != i->args[1]) return NULL;
    bool holds = i->cond == IR_EQ || i->cond == IR_SLE || i->cond == IR_SGE || i->cond == IR_ULE || i->cond == IR_UGE;
    return constant(s, i, IR_I32, holds);
}

static IrInsn *select_value(Simplify *s, IrInsn *i)
{
    IrInsn *c = i->args[0], *a = i->args[1], *b = i->args[2];
    i64 x, y;
    if (a == b) return a;
    if (ir_is_const(c, &x)) return x ? a : b;
    bool is_bool = c->op == IR_CMP || c->op == IR_FCMP;
    if (c->op == IR_CMP && ir_is_const(c->args[1], &x) && x == 0 && (c->cond == IR_EQ || c->cond == IR_NE) &&
        ir_possible_bits(c->args[0], 3) <= 1 && c->args[0]->type == IR_I32)
        is_bool = true;
    if (is_bool && i->type == IR_I32 && ir_is_const(a, &x) && ir_is_const(b, &y)) {
        if (x == 1 && y == 0) return c;
        if (x == 0 && y == 1) {
            IrInsn *zero = constant(s, i, IR_I32, 0);
            rewrite(i, IR_CMP, c, zero);
            i->cond = IR_EQ;
        }
    }
    return NULL;
}

// ---- capabilities

static IrInsn *cap_address(Simplify *s, IrInsn *i)
{
    IrInsn *c = i->args[0];
    switch (c->op) {
    case IR_CSETADDR:
        if (s->keeps_masks && c->args[1]->op == IR_AND) return NULL;
        return c->args[1];
    case IR_CFROMINT: return c->args[0];
    case IR_CADD: {
        IrInsn *base = insert(s, i, IR_CADDR, IR_I64, c->args[0], NULL);
        return rewrite(i, IR_ADD, base, c->args[1]);
    }
    case IR_CBOUNDS: case IR_CBOUNDSX: case IR_CPERMAND: case IR_CCLRTAG: return rewrite(i, IR_CADDR, c->args[0], NULL);
    default: return NULL;
    }
}

static IrInsn *cap_set_address(Simplify *s, IrInsn *i)
{
    IrInsn *c = i->args[0], *v = i->args[1];
    if (c->op == IR_CSETADDR || c->op == IR_CADD) i->args[0] = c = c->args[0];
    if (c->op == IR_CFROMINT || c->op == IR_CONST) return rewrite(i, IR_CFROMINT, v, NULL);
    if (v->op == IR_CADDR && v->args[0] == c) return c;
    if (v->op == IR_ADD && v->args[0]->op == IR_CADDR && v->args[0]->args[0] == c) return rewrite(i, IR_CADD, c, v->args[1]);
    if (v->op == IR_SUB && v->args[0]->op == IR_CADDR && v->args[0]->args[0] == c)
        return rewrite(i, IR_CADD, c, insert(s, i, IR_NEG, IR_I64, v->args[1], NULL));
    return NULL;
}

static IrInsn *cap_add(Simplify *s, IrInsn *i)
{
    IrInsn *c = i->args[0];
    i64 x, y;
    if (!ir_is_const(i->args[1], &x)) return NULL;
    if (!x) return c;
    if (c->op == IR_CADD && ir_is_const(c->args[1], &y))
        return rewrite(i, IR_CADD, c->args[0], constant(s, i, IR_I64, (i64)((u64)x + (u64)y)));
    if (c->op == IR_CFROMINT) return rewrite(i, IR_CFROMINT, insert(s, i, IR_ADD, IR_I64, c->args[0], i->args[1]), NULL);
    return NULL;
}

// ---- memory

enum { MIN_OFFSET = -256, MAX_OFFSET = 4095 };

static void fold_address(IrInsn *i)
{
    IrInsn *p = i->args[0];
    i64 c;
    if ((p->op != IR_ADD && p->op != IR_CADD) || !ir_is_const(p->args[1], &c)) return;
    i64 off = (i64)((u64)i->imm + (u64)c), bytes = ir_mem_bytes((IrMem)i->mem);
    if (off < MIN_OFFSET || off > MAX_OFFSET * bytes) return;
    if (off > 255 && off % bytes) return;
    i->imm = off;
    i->args[0] = p->args[0];
}

// A narrow store drops the bits that an extension or a mask made.
static void narrow_store(IrInsn *i)
{
    u64 mask = i->mem == IR_M8 ? 0xff : 0xffff;
    while (i->mem == IR_M8 || i->mem == IR_M16) {
        IrInsn *v = i->args[1];
        i64 c;
        bool is_8 = v->op == IR_ZEXT8 || v->op == IR_SEXT8, is_16 = v->op == IR_ZEXT16 || v->op == IR_SEXT16;
        bool is_and = v->op == IR_AND && ir_is_const(v->args[1], &c) && ((u64)c & mask) == mask;
        if (!(is_and || (is_8 && mask == 0xff) || is_16) || v->args[0]->type != v->type) return;
        i->args[1] = v->args[0];
        i->is_extended = false;
    }
}

static IrInsn *phi(IrInsn *i)
{
    IrInsn *only = NULL;
    for (u32 k = 0; k < i->n_args; k++) {
        IrInsn *a = ir_chase(i->args[k]);
        if (a == i || a == only) continue;
        if (only) return NULL;
        only = a;
    }
    return only;
}

static IrInsn *simplify_insn(Simplify *s, IrInsn *i)
{
    i64 c;
    if (i->op == IR_PHI) return phi(i);
    if (ir_op_kinds((IrOp)i->op) & IR_K_PURE && i->op != IR_COPY && ir_fold(i, &c)) return constant(s, i, (IrType)i->type, c);
    if (i->op >= IR_ADD && i->op <= IR_ASHR) return binary(s, i);
    switch (i->op) {
    case IR_NEG: return i->args[0]->op == IR_NEG ? i->args[0]->args[0] : NULL;
    case IR_NOT: return i->args[0]->op == IR_NOT ? i->args[0]->args[0] : NULL;
    case IR_SEXT8: case IR_SEXT16: case IR_ZEXT8: case IR_ZEXT16: return extend_narrow(i);
    case IR_SEXT32: case IR_ZEXT32: return extend_word(i);
    case IR_TRUNC: return truncate(s, i);
    case IR_CMP: return compare(s, i);
    case IR_SELECT: return select_value(s, i);
    case IR_BITS: return i->args[0]->op == IR_BITS && i->args[0]->args[0]->type == i->type ? i->args[0]->args[0] : NULL;
    case IR_CADDR: return cap_address(s, i);
    case IR_CSETADDR: return cap_set_address(s, i);
    case IR_CADD: return cap_add(s, i);
    case IR_CFROMINT: return i->args[0]->op == IR_CADDR && i->args[0]->args[0]->op == IR_CFROMINT ? i->args[0]->args[0] : NULL;
    case IR_LOAD: fold_address(i); return NULL;
    case IR_STORE: fold_address(i); narrow_store(i); return NULL;
    case IR_BR: // the truth of x != 0 is x itself
        if (i->args[0]->op == IR_CMP && i->args[0]->cond == IR_NE && ir_is_const(i->args[0]->args[1], &c) && c == 0 &&
            i->args[0]->args[0]->op == IR_CMP)
            i->args[0] = i->args[0]->args[0];
        return NULL;
    default: return NULL;
    }
}

void ir_simplify(IrFn *fn)
{
    Simplify s = {.fn = fn, .keeps_masks = fn->module->profile == CC_LLVM_MORELLO};
    for (u32 n = 0; n < fn->n_blocks; n++) {
        for (IrInsn *i = fn->blocks[n]->first, *next; i; i = next) {
            next = i->next;
            for (u32 k = 0; k < i->n_args; k++) i->args[k] = ir_chase(i->args[k]);
            for (u32 again = 0; again < 4; again++) { // a changed instruction may match another rule
                u16 op = i->op;
                IrInsn *a = i->n_args ? i->args[0] : NULL;
                IrInsn *by = i->op == IR_COPY ? NULL : simplify_insn(&s, i);
                if (by && by != i) ir_replace(i, by);
                if (by || (i->op == op && (!i->n_args || i->args[0] == a))) break;
            }
        }
    }
    ir_chase_copies(fn);
}
