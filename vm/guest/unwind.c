// unwind.c: around the interpreter's loop: exceptions are caught here and their handlers found; and the rare cases of the
// handlers, out of the loop's way.
//
// An exception record says where its handler is and how deep the value stack was. Records whose handler lies at or before the
// running instruction are being handled already: they do not catch again.
#include "bytecode.h"

// ---- Rare cases of the handlers --------------------------------------------------------------------------------------------

NORETURN void raise_unbound(CodeState *cs, u32 local)
{
    Prelude p;
    prelude_read(cs->fun->code, &p);
    const u8 *info = p.info;
    read_varuint(&info);
    Qstr name = Q_NULL;
    for (u32 i = 0; i < p.n_pos + p.n_kwonly && i <= local; i++) {
        Qstr q = cs->fun->context->qstrs[read_varuint(&info)];
        if (i == local) name = q;
    }
    if (name != Q_NULL && name != Q_STAR) {
        raise_msg(&type_UnboundLocalError, "cannot access local variable '%q' where it is not associated with a value", name);
    }
    raise_msg(&type_UnboundLocalError, "local variable referenced before assignment");
}

NORETURN void raise_again(CodeState *cs)
{
    for (u32 i = cs->n_exc; i > 0; i--) {
        Obj exc = records(cs)[i - 1].exc;
        if (exc != OBJ_NULL) nlr_raise(exc);
    }
    raise_msg(&type_RuntimeError, "No active exception to reraise");
}

void raise_from(Obj exc, Obj cause)
{
    (void)cause; // shown nowhere in this build
    nlr_raise(exc_make(exc));
}

// The with statement's end: TOS is None, an exception, or a pending (x, int) above (exit function, its self).
Obj *with_cleanup(Obj *sp)
{
    Obj call[5] = {OBJ_NULL, OBJ_NULL, OBJ_NONE, OBJ_NONE, OBJ_NONE};
    if (obj_is_small(sp[0])) {
        call[0] = sp[-3];
        call[1] = sp[-2];
        obj_call_method(3, 0, call);
        sp[-3] = sp[-1];
        sp[-2] = sp[0];
        return sp - 2;
    }
    call[0] = sp[-2];
    call[1] = sp[-1];
    Obj left = sp[0];
    if (left != OBJ_NONE) {
        call[2] = OBJ_PTR(obj_type(left));
        call[3] = left;
    }
    Obj r = obj_call_method(3, 0, call);
    if (left != OBJ_NONE && obj_is_true(r)) left = OBJ_NONE;
    sp[-2] = left;
    return sp - 2;
}

// ---- Around the loop -------------------------------------------------------------------------------------------------------------

// Prepares the frame to go on in the handler of this exception; false: none here.
static bool find_handler(CodeState *cs, Obj exc)
{
    const u8 *ip = cs->ip;
    if (*ip == OP_FOR_ITER && exc_match(exc, &type_StopIteration)) { // an ordinary end of the loop
        i64 offset = *++ip;
        if (offset & 0x80) offset = (offset & 0x7f) | (i64)*++ip << 7;
        cs->ip = ip + offset;
        cs->sp -= 4;
        return true;
    }
    if (*ip != OP_END_FINALLY && *ip != OP_RAISE_LAST) {
        exc_add_trace(exc, cs->fun->context->qstrs[0], code_line(cs->fun, ip), code_name(cs->fun));
    }
    while (cs->n_exc > 0) {
        ExcRecord *r = &records(cs)[cs->n_exc - 1];
        if (r->handler <= ip) { // being handled already
            cs->n_exc--;
            continue;
        }
        r->exc = exc;
        cs->ip = r->handler - 1;
        cs->sp = record_sp(r) + 1;
        *cs->sp = exc;
        return true;
    }
    return false;
}

static Obj recursion_error(void)
{
    return exc_new(&type_RecursionError, 1, (const Obj[]){obj_str_z("maximum recursion depth exceeded")});
}

RunResult interp_run(CodeState *cs, Obj inject, Obj *result)
{
    Nlr nlr;
    u32 depth = vm.depth + 1;
    PROBE(vm_enter);
    if (UNLIKELY(depth > VM_RECURSION_LIMIT || (ptraddr_t)&nlr < vm.stack_limit)) {
        *result = recursion_error();
        return RUN_EXCEPTION;
    }
    if (inject != OBJ_NULL && !find_handler(cs, inject)) {
        *result = inject;
        return RUN_EXCEPTION;
    }
    for (;;) {
        vm.depth = depth;
        nlr_push(&nlr);
        if (setjmp(nlr.env) == 0) {
            RunResult how = interp_loop(cs, result);
            nlr_pop();
            vm.depth = depth - 1;
            return how;
        }
        if (!find_handler(cs, nlr.exc)) {
            vm.depth = depth - 1;
            *result = nlr.exc;
            return RUN_EXCEPTION;
        }
    }
}
