// verify.c: the invariants of the IR as CHECKs, run after each pass in debug builds.
//
// A broken pass then stops at once, with its name, instead of making wrong code.
#include "cc/ir.h"

typedef struct Ctx {
    IrFn *fn;
    const char *when;
} Ctx;

#define REQUIRE(cond, i, fmt, ...)                                                                           \
    CHECK(cond, "after %s, in %s: %%%u %s: " fmt, c->when, c->fn->sym->name, (i)->id,                        \
          ir_op_name((IrOp)(i)->op), ##__VA_ARGS__)

static u32 expected_args(const IrInsn *i)
{
    switch (i->op) {
    case IR_NOP: case IR_UNDEF: case IR_CONST: case IR_FCONST: case IR_GADDR: case IR_LABEL: case IR_SLOT:
    case IR_PARAM: case IR_INARG: case IR_CGETDDC: case IR_CGETPCC: case IR_CGETSP: case IR_FRAMEADDR:
    case IR_RETADDR: case IR_FENCE: case IR_TRAP: case IR_JMP: case IR_UNREACHABLE: return 0;
    case IR_PHI: return i->block->n_preds;
    case IR_SELECT: return 3;
    case IR_CALL: case IR_ASM: case IR_PROBE: case IR_RET: return i->n_args;
    default: break;
    }
    bool unary = (i->op >= IR_NEG && i->op <= IR_TRUNC) || (i->op >= IR_FNEG && i->op <= IR_BITS) || i->op == IR_COPY ||
                 i->op == IR_CADDR || i->op == IR_CFROMINT || (i->op >= IR_CPERMS && i->op <= IR_CFLAGS) ||
                 i->op == IR_CCLRTAG || i->op == IR_CSENTRY || i->op == IR_CREPLEN || i->op == IR_CREPMASK ||
                 i->op == IR_ADDG || i->op == IR_LDG || i->op == IR_STG || i->op == IR_LOAD || i->op == IR_LOADCAPTAGS ||
                 i->op == IR_MEMZERO || i->op == IR_RESULT || i->op == IR_ALLOCA || i->op == IR_BR || i->op == IR_SWITCH ||
                 i->op == IR_JTABLE || i->op == IR_IBR;
    return unary ? 1 : 2;
}

static void check_types(const Ctx *c, const IrInsn *i)
{
    switch (i->op) {
    case IR_ADD: case IR_SUB: case IR_MUL: case IR_SDIV: case IR_UDIV: case IR_SREM: case IR_UREM: case IR_AND:
    case IR_OR: case IR_XOR: case IR_SHL: case IR_LSHR: case IR_ASHR:
        REQUIRE(i->type == IR_I32 || i->type == IR_I64, i, "not an integer");
        REQUIRE(i->args[0]->type == i->type && i->args[1]->type == i->type, i, "mixed types %s %s",
                ir_type_name((IrType)i->args[0]->type), ir_type_name((IrType)i->args[1]->type));
        break;
    case IR_CMP: case IR_FCMP:
        REQUIRE(i->args[0]->type == i->args[1]->type && i->type == IR_I32, i, "mixed types");
        break;
    case IR_SELECT:
        REQUIRE(i->args[1]->type == i->type && i->args[2]->type == i->type, i, "mixed types");
        break;
    case IR_PHI:
        for (u32 k = 0; k < i->n_args; k++) REQUIRE(i->args[k]->type == i->type, i, "arg %u has another type", k);
        break;
    case IR_COPY: case IR_NEG: case IR_NOT: REQUIRE(i->args[0]->type == i->type, i, "another type"); break;
    case IR_CADD: case IR_CSETADDR:
        REQUIRE(i->type == IR_CAP && i->args[0]->type == IR_CAP && i->args[1]->type == IR_I64, i, "wrong types");
        break;
    case IR_CADDR: REQUIRE(i->type == IR_I64 && i->args[0]->type == IR_CAP, i, "wrong types"); break;
    case IR_TRUNC: REQUIRE(i->type == IR_I32 && i->args[0]->type == IR_I64, i, "wrong types"); break;
    case IR_LOAD: case IR_STORE: case IR_MEMCPY: case IR_MEMZERO:
        REQUIRE(i->args[0]->type == IR_I64 || i->args[0]->type == IR_CAP, i, "base is not an address");
        break;
    default: break;
    }
}

static void check_insn(const Ctx *c, const IrInsn *i)
{
    REQUIRE(i->op < IR_OP_COUNT, i, "no such operation");
    REQUIRE(i->id < c->fn->n_ids, i, "id beyond n_ids");
    REQUIRE(i->n_args == expected_args(i), i, "has %u args", i->n_args);
    for (u32 k = 0; k < i->n_args; k++) {
        const IrInsn *a = i->args[k];
        if (i->op == IR_PROBE && !a) continue;
        REQUIRE(a, i, "arg %u is NULL", k);
        REQUIRE(a->block && !a->block->is_removed, i, "arg %u (%%%u %s) is not in the function", k, a->id, ir_op_name((IrOp)a->op));
        REQUIRE(a->type != IR_VOID || i->op == IR_RESULT, i, "arg %u has no value", k);
        if (i->op == IR_PHI)
            REQUIRE(ir_dominates(a->block, i->block->preds[k]), i, "arg %u (%%%u) does not reach from b%u", k, a->id,
                    i->block->preds[k]->id);
        else if (a->block != i->block)
            REQUIRE(ir_dominates(a->block, i->block), i, "arg %u (%%%u) does not dominate", k, a->id);
        else
            REQUIRE(a->mark == 1, i, "arg %u (%%%u) comes later", k, a->id);
    }
    check_types(c, i);
}

static void check_edges(const Ctx *c, const IrBlock *b)
{
    const IrInsn *t = b->last;
    CHECK(t && (ir_op_kinds((IrOp)t->op) & IR_K_TERM), "after %s, in %s: b%u has no terminator", c->when,
          c->fn->sym->name, b->id);
    u32 want = t->op == IR_JMP ? 1 : t->op == IR_BR ? 2 : t->op == IR_RET || t->op == IR_UNREACHABLE ? 0 : b->n_succs;
    REQUIRE(b->n_succs == want, t, "has %u successors", b->n_succs);
    REQUIRE(t->op != IR_BR || b->succs[0] != b->succs[1], t, "both ways to one block");
    for (u32 k = 0; k < b->n_succs; k++) {
        u32 there = 0, here = 0;
        for (u32 p = 0; p < b->succs[k]->n_preds; p++) there += b->succs[k]->preds[p] == b;
        for (u32 s = 0; s < b->n_succs; s++) here += b->succs[s] == b->succs[k];
        REQUIRE(there == here, t, "edge to b%u is one-sided", b->succs[k]->id);
    }
    for (u32 k = 0; k < b->n_preds; k++)
        REQUIRE(!b->preds[k]->is_removed, t, "a predecessor is gone");
}

void ir_verify(IrFn *fn, const char *when)
{
    Ctx ctx = {fn, when}, *c = &ctx;
    ir_compute_dom(fn);
    for (u32 n = 0; n < fn->n_blocks; n++) {
        IrBlock *b = fn->blocks[n];
        check_edges(c, b);
        bool phis_over = false;
        for (IrInsn *i = b->first; i; i = i->next) {
            if (i->op != IR_PHI)
                phis_over = true;
            else
                REQUIRE(!phis_over, i, "behind other instructions");
            REQUIRE(i->block == b, i, "thinks it is elsewhere");
            REQUIRE(!(ir_op_kinds((IrOp)i->op) & IR_K_TERM) || !i->next, i, "is not last");
            check_insn(c, i);
            i->mark = 1;
        }
        for (IrInsn *i = b->first; i; i = i->next) i->mark = 0;
    }
}
