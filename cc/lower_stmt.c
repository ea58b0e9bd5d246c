// lower_stmt.c: statements, switch, computed goto, asm and probes.
#include "cc/lower.h"

#include <stdlib.h>

IrBlock *lower_label_block(Lower *l, Label *label)
{
    if (!label->ir) {
        IrBlock *b = ir_block_new(l->fn, label->name);
        b->address_taken = label->is_addr_taken;
        vec_push(&l->labels, b);
        label->ir = l->labels.len;
    }
    return l->labels.at[label->ir - 1];
}

// ---- loops and switch

static void lower_loop(Lower *l, Node *n)
{
    struct Loop *loop = n->loop;
    IrBlock *body = lower_block(l), *brk = lower_label_block(l, loop->brk), *cont = lower_label_block(l, loop->cont);
    if (n->kind == ND_DO) {
        lower_start(l, body);
        lower_stmt(l, loop->body);
        lower_start(l, cont);
        lower_cond(l, loop->cond, body, brk);
    } else {
        IrBlock *head = lower_block(l);
        lower_start(l, head);
        if (loop->cond)
            lower_cond(l, loop->cond, body, brk);
        else
            lower_jump(l, body);
        l->block = body;
        lower_stmt(l, loop->body);
        lower_start(l, cont);
        if (loop->step) lower_expr(l, loop->step);
        lower_jump(l, head);
    }
    l->block = brk;
}

enum { MAX_RANGE_CASES = 16 }; // longer `case a ... b` become two compares

static void lower_switch(Lower *l, Node *n)
{
    struct Loop *sw = n->loop;
    IrInsn *v = lower_address(l, lower_expr(l, sw->cond));
    IrType type = (IrType)v->type;
    IrBlock *other = lower_label_block(l, sw->default_ ? sw->default_ : sw->brk);
    VEC(IrBlock *) succs = {0};
    VEC(i64) values = {0};
    vec_push(&succs, other);
    for (u32 k = 0; k < sw->n_cases; k++) {
        const Case *c = &sw->cases[k];
        IrBlock *to = lower_label_block(l, c->label);
        u64 span = (u64)c->hi - (u64)c->lo;
        if (span >= MAX_RANGE_CASES) {
            IrInsn *d = lower_op2(l, IR_SUB, type, v, lower_const(l, type, c->lo));
            IrBlock *next = lower_block(l);
            lower_branch(l, lower_cmp(l, IR_ULE, d, lower_const(l, type, (i64)span)), to, next);
            l->block = next;
            continue;
        }
        for (u64 d = 0; d <= span; d++) {
            vec_push(&succs, to);
            vec_push(&values, (i64)((u64)c->lo + d));
        }
    }
    if (!values.len) {
        lower_jump(l, other);
    } else {
        IrInsn *i = lower_op1(l, IR_SWITCH, IR_VOID, v);
        i->sw = arena_new(l->arena, IrSwitch);
        i->sw->values = arena_array(l->arena, i64, values.len);
        memcpy(i->sw->values, values.at, values.len * sizeof *values.at);
        ir_set_succs(l->fn, l->block, succs.len, succs.at);
    }
    vec_free(&succs);
    vec_free(&values);
    l->block = lower_block(l); // what stands before the first case is dead
    lower_stmt(l, sw->body);
    lower_start(l, lower_label_block(l, sw->brk));
}

static void lower_if(Lower *l, Node *n)
{
    IrBlock *yes = lower_block(l), *end = lower_block(l), *no = n->else_ ? lower_block(l) : end;
    lower_cond(l, n->cond, yes, no);
    l->block = yes;
    lower_stmt(l, n->then_);
    lower_jump(l, end);
    if (n->else_) {
        l->block = no;
        lower_stmt(l, n->else_);
        lower_jump(l, end);
    }
    l->block = end;
}

// ---- goto *p: every one stores its target and goes to the hub, whose only code is the indirect branch

static void lower_goto_ptr(Lower *l, Node *n)
{
    IrInsn *target = lower_expr(l, n->lhs);
    if (!l->fn->hub) {
        l->fn->hub = lower_block(l);
        l->hub_slot = ir_slot_new(l->fn, ir_type_bytes(l->m->ptr_type), ir_type_bytes(l->m->ptr_type), NULL);
    }
    lower_store_raw(l, lower_slot_place(l, l->hub_slot, 0), 0, l->m->ptr_type == IR_CAP ? IR_MCAP : IR_M64, target);
    lower_jump(l, l->fn->hub);
}

void lower_finish_hub(Lower *l)
{
    if (!l->fn->hub) return;
    VEC(IrBlock *) succs = {0};
    for (Label *b = l->obj->labels; b; b = b->next)
        if (b->is_addr_taken) vec_push(&succs, lower_label_block(l, b));
    l->block = l->fn->hub;
    bool is_cap = l->m->ptr_type == IR_CAP;
    IrInsn *target = lower_load_raw(l, lower_slot_place(l, l->hub_slot, 0), 0, is_cap ? IR_MCAP : IR_M64, l->m->ptr_type, false);
    lower_op1(l, IR_IBR, IR_VOID, target);
    ir_set_succs(l->fn, l->block, succs.len, succs.at);
    vec_free(&succs);
}

// ---- asm

// "x19", "c3", "w0", "d8", "v8", "memory", "cc" → what is destroyed.
static void add_clobber(Lower *l, IrAsm *as, const char *name, CcLoc loc)
{
    if (!strcmp(name, "memory")) {
        as->clobbers_memory = true;
    } else if (strcmp(name, "cc") != 0) {
        char *stop;
        long n = strtol(name + 1, &stop, 10);
        const char *end = stop;
        bool is_gpr = strchr("xwc", name[0]) != NULL, is_fpr = strchr("vdsqb", name[0]) != NULL;
        if (!strcmp(name, "lr") || !strcmp(name, "clr")) n = 30, is_gpr = true, end = "";
        if ((!is_gpr && !is_fpr) || *end || n < 0 || n > 31)
            lower_fail(l, loc, "unknown register '%s' in the clobber list", name);
        else
            as->clobbers |= 1ull << (n + (is_gpr ? 0 : 32));
    }
}

static const char *constraint_letters(Lower *l, const char *c)
{
    while (*c == '=' || *c == '+' || *c == '&' || *c == '%' || *c == '*') c++;
    return arena_strndup(l->arena, c, strlen(c));
}

typedef struct AsmBuild {
    IrAsm *as;
    VEC(IrInsn *) inputs;
    Place places[32]; // of register outputs, by RESULT number
    const Type *types[32];
} AsmBuild;

static void asm_output(Lower *l, AsmBuild *b, const AsmOperand *o)
{
    IrAsmOpnd *to = &b->as->opnds[b->as->n_opnds++];
    *to = (IrAsmOpnd){.name = o->name, .reg = o->reg, .out = -1, .in = -1, .constraint = constraint_letters(l, o->constraint),
                      .is_early = strchr(o->constraint, '&') != NULL, .bytes = (u8)o->node->type->size};
    Place p = lower_place(l, o->node);
    if (to->constraint[0] == 'm' || to->constraint[0] == 'Q') {
        to->type = (u8)l->m->ptr_type;
        to->in = (i32)b->inputs.len;
        vec_push(&b->inputs, lower_pointer(l, p));
        return;
    }
    to->type = (u8)lower_type(l, o->node->type);
    if (o->constraint[0] == '+') {
        to->in = (i32)b->inputs.len;
        vec_push(&b->inputs, lower_load(l, p, o->node->type));
    }
    to->out = (i32)b->as->n_outs++;
    b->places[to->out] = p;
    b->types[to->out] = o->node->type;
}

static void asm_input(Lower *l, AsmBuild *b, const AsmOperand *o)
{
    IrAsmOpnd *to = &b->as->opnds[b->as->n_opnds++];
    *to = (IrAsmOpnd){.name = o->name, .reg = o->reg, .out = -1, .in = (i32)b->inputs.len,
                      .constraint = constraint_letters(l, o->constraint), .bytes = (u8)o->node->type->size};
    char c = to->constraint[0];
    if (c == 'm' || c == 'Q') {
        to->type = (u8)l->m->ptr_type;
        vec_push(&b->inputs, lower_pointer(l, lower_place(l, o->node)));
        return;
    }
    IrInsn *v = lower_expr(l, o->node);
    if (!v) {
        lower_fail(l, o->node->loc, "a struct cannot be an asm operand");
        return;
    }
    to->type = v->type;
    vec_push(&b->inputs, v);
    if (c >= '0' && c <= '9') {
        u32 tied = (u32)atoi(to->constraint);
        if (tied >= b->as->n_opnds - 1 || b->as->opnds[tied].out < 0) {
            lower_fail(l, o->node->loc, "asm operand is tied to operand %u, which is no register output", tied);
            return;
        }
        b->as->opnds[tied].in = to->in;
        to->out = b->as->opnds[tied].out;
        to->constraint = b->as->opnds[tied].constraint;
    }
}

static void lower_asm(Lower *l, Node *n)
{
    const AsmStmt *s = n->asm_;
    AsmBuild b = {.as = arena_new(l->arena, IrAsm)};
    if (s->n_outputs + s->n_inputs > ARRAY_LEN(b.places)) {
        lower_fail(l, n->loc, "more than %zu asm operands", ARRAY_LEN(b.places));
        return;
    }
    b.as->text = s->text;
    b.as->is_basic = s->is_basic;
    b.as->is_volatile = s->is_volatile;
    b.as->opnds = arena_array(l->arena, IrAsmOpnd, s->n_outputs + s->n_inputs);
    for (u32 k = 0; k < s->n_clobbers; k++) add_clobber(l, b.as, s->clobbers[k], n->loc);
    for (u32 k = 0; k < s->n_outputs; k++) asm_output(l, &b, &s->outputs[k]);
    for (u32 k = 0; k < s->n_inputs; k++) asm_input(l, &b, &s->inputs[k]);
    IrInsn *i = lower_emit(l, IR_ASM, IR_VOID, b.inputs.len);
    i->as = b.as;
    for (u32 k = 0; k < b.inputs.len; k++) i->args[k] = b.inputs.at[k];
    vec_free(&b.inputs);
    l->fn->has_asm = true;
    IrInsn *results[ARRAY_LEN(b.places)];
    for (u32 k = 0; k < b.as->n_outs; k++) {
        results[k] = lower_op1(l, IR_RESULT, lower_type(l, b.types[k]), i);
        results[k]->imm = k;
    }
    for (u32 k = 0; k < b.as->n_outs; k++) lower_store(l, b.places[k], b.types[k], results[k]);
}

// ---- probes

// Only what needs no control flow and has no effect; the rest is reported as lost.
static bool is_simple(const Node *n)
{
    if (!n) return true;
    switch (n->kind) {
    case ND_NUM: return true;
    case ND_VAR: return n->var->kind == OBJ_LOCAL || n->var->kind == OBJ_PARAM || n->var->kind == OBJ_GLOBAL;
    case ND_LOAD: case ND_DEREF: case ND_MEMBER: case ND_ADDR: case ND_NEG: case ND_NOT: return is_simple(n->lhs);
    case ND_CAST: return n->cast != CAST_VOID && n->cast != CAST_BOOL && is_simple(n->lhs);
    case ND_ADD: case ND_SUB: case ND_MUL: case ND_AND: case ND_OR: case ND_XOR: case ND_SHL: case ND_SHR: case ND_PTRADD:
        return is_simple(n->lhs) && is_simple(n->rhs);
    default: return false;
    }
}

void lower_probe(Lower *l, Node *n)
{
    if (l->opt->no_probes) return;
    IrInsn **args = arena_array(l->arena, IrInsn *, n->n_args);
    l->is_weak = true;
    for (u32 k = 0; k < n->n_args; k++)
        args[k] = is_simple(n->args[k]) && n->args[k]->type && type_is_scalar(n->args[k]->type) ? lower_expr(l, n->args[k]) : NULL;
    l->is_weak = false;
    IrInsn *i = lower_emit(l, IR_PROBE, IR_VOID, n->n_args);
    i->probe = arena_new(l->arena, IrProbe);
    i->probe->name = n->name;
    i->probe->sizes = arena_array(l->arena, u8, n->n_args);
    i->probe->is_signed = arena_array(l->arena, u8, n->n_args);
    for (u32 k = 0; k < n->n_args; k++) {
        i->args[k] = args[k];
        i->probe->sizes[k] = (u8)(n->args[k]->type ? n->args[k]->type->size : 0);
        i->probe->is_signed[k] = n->args[k]->type && type_is_signed(n->args[k]->type);
    }
}

// ---- statements

void lower_stmt(Lower *l, Node *n)
{
    if (!n) return;
    lower_at(l, n->loc);
    switch (n->kind) {
    case ND_EXPR: lower_expr(l, n->lhs); break;
    case ND_BLOCK:
        for (u32 k = 0; k < n->n_stmts; k++) lower_stmt(l, n->stmts[k]);
        break;
    case ND_DECL: break;
    case ND_ZERO: lower_zero(l, lower_place(l, n->lhs), n->lhs->type->size, n->lhs->type->align); break;
    case ND_IF: lower_if(l, n); break;
    case ND_LOOP: case ND_DO: lower_loop(l, n); break;
    case ND_SWITCH: lower_switch(l, n); break;
    case ND_LABEL: lower_start(l, lower_label_block(l, n->label)); break;
    case ND_GOTO: lower_jump(l, lower_label_block(l, n->label)); break;
    case ND_GOTO_PTR: lower_goto_ptr(l, n); break;
    case ND_RETURN: lower_return(l, n->lhs); break;
    case ND_ASM: lower_asm(l, n); break;
    default: lower_expr(l, n); // an expression standing as a statement
    }
}
