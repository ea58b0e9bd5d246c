// gen.c: generators: a frame that lives in its object and is resumed; and the protocol of yield from.
#include "bytecode.h"

typedef struct ObjGen {
    ObjBase base;
    u32 is_running, is_started;
    CodeState cs; // ip NULL: finished
} ObjGen;

Obj gen_make(ObjFun *f, const Prelude *p, size_t n_args, size_t n_kw, const Obj *args)
{
    ObjGen *g = obj_alloc(&type_generator, sizeof(ObjGen) + frame_bytes(p->n_state, p->n_exc));
    frame_setup(&g->cs, f, p, n_args, n_kw, args);
    return OBJ_PTR(g);
}

// A throw while the generator waits in a yield from goes to the inner iterator first. True: that yielded *result.
static bool throw_to_inner(CodeState *cs, Obj *throw, Obj *result)
{
    Obj v;
    RunResult how = resume_any(cs->sp[-1], OBJ_NONE, *throw, &v);
    if (how == RUN_YIELD) {
        *cs->sp = v;
        *result = v;
        return true;
    }
    cs->is_delegating = 0;
    cs->ip++; // onto the YIELD_FROM, which is over
    cs->sp--;
    *throw = how == RUN_EXCEPTION ? v : OBJ_NULL;
    *cs->sp = v;
    return false;
}

static RunResult run(ObjGen *g, Obj send, Obj throw, Obj *result)
{
    CodeState *cs = &g->cs;
    if (!g->is_started) {
        if (throw != OBJ_NULL) {
            exc_add_trace(throw, cs->fun->context->qstrs[0], code_line(cs->fun, cs->ip + 1), code_name(cs->fun));
            *result = throw;
            return RUN_EXCEPTION;
        }
        if (send != OBJ_NONE) raise_msg(&type_TypeError, "can't send non-None value to a just-started generator");
        g->is_started = 1;
        return interp_run(cs, OBJ_NULL, result);
    }
    if (throw != OBJ_NULL && cs->is_delegating) {
        if (throw_to_inner(cs, &throw, result)) return RUN_YIELD;
    } else if (throw == OBJ_NULL) *cs->sp = send;
    cs->is_delegating = 0;
    return interp_run(cs, throw, result);
}

RunResult gen_resume(Obj gen, Obj send, Obj throw, Obj *result)
{
    ObjGen *g = (ObjGen *)gen;
    if (g->is_running) raise_msg(&type_ValueError, "generator already executing");
    if (g->cs.ip == NULL) {
        *result = throw != OBJ_NULL ? throw : OBJ_NONE;
        return throw != OBJ_NULL ? RUN_EXCEPTION : RUN_RETURN;
    }
    ObjDict *outer = vm.globals;
    vm.globals = g->cs.fun->context->globals;
    g->is_running = 1;
    RunResult how = run(g, send, throw, result);
    g->is_running = 0;
    vm.globals = outer;
    if (how != RUN_YIELD) g->cs.ip = NULL;
    if (how == RUN_EXCEPTION && exc_match(*result, &type_StopIteration)) {
        *result = exc_new(&type_RuntimeError, 1, (const Obj[]){obj_str_z("generator raised StopIteration")});
    }
    return how;
}

// Calls a method of an iterator; an exception becomes a result.
static RunResult call_caught(Obj f, Obj self, size_t n, const Obj *args, Obj *result)
{
    Nlr nlr;
    nlr_push(&nlr);
    if (setjmp(nlr.env) == 0) {
        Obj all[4] = {f, self};
        for (size_t i = 0; i < n; i++) all[2 + i] = args[i];
        *result = obj_call_method(n, 0, all);
        nlr_pop();
        return RUN_YIELD;
    }
    *result = nlr.exc;
    if (!exc_match(nlr.exc, &type_StopIteration)) return RUN_EXCEPTION;
    *result = exc_value(nlr.exc);
    return RUN_RETURN;
}

static RunResult next_caught(Obj it, Obj *result)
{
    if (obj_type(it)->flags & TYPE_USER) {
        Obj next[2];
        obj_load_method(it, Q___next__, next);
        return call_caught(next[0], next[1], 0, NULL, result);
    }
    Nlr nlr;
    nlr_push(&nlr);
    if (setjmp(nlr.env) == 0) {
        Obj v = obj_iternext(it);
        nlr_pop();
        *result = v == OBJ_NULL ? OBJ_NONE : v;
        return v == OBJ_NULL ? RUN_RETURN : RUN_YIELD;
    }
    *result = nlr.exc;
    return RUN_EXCEPTION;
}

RunResult resume_any(Obj it, Obj send, Obj throw, Obj *result)
{
    Obj method[2];
    if (obj_is(it, &type_generator)) {
        if (throw != OBJ_NULL && exc_match(throw, &type_GeneratorExit)) {
            gen_close(it);
            *result = throw;
            return RUN_EXCEPTION;
        }
        return gen_resume(it, send, throw, result);
    }
    if (throw != OBJ_NULL) {
        bool is_exit = exc_match(throw, &type_GeneratorExit);
        obj_load_method_maybe(it, is_exit ? Q_close : Q_throw, method);
        if (method[0] != OBJ_NULL && !is_exit) return call_caught(method[0], method[1], 1, &throw, result);
        if (method[0] != OBJ_NULL && call_caught(method[0], method[1], 0, NULL, result) == RUN_EXCEPTION) return RUN_EXCEPTION;
        *result = throw;
        return RUN_EXCEPTION;
    }
    if (send == OBJ_NONE) return next_caught(it, result);
    obj_load_method(it, Q_send, method);
    return call_caught(method[0], method[1], 1, &send, result);
}

static Obj gen_iternext(Obj self)
{
    Obj result;
    RunResult how = gen_resume(self, OBJ_NONE, OBJ_NULL, &result);
    if (how == RUN_YIELD) return result;
    if (how == RUN_EXCEPTION) nlr_raise(result);
    return OBJ_NULL;
}

// The result for a caller who asked by method.
static Obj to_caller(RunResult how, Obj result)
{
    if (how == RUN_YIELD) return result;
    if (how == RUN_EXCEPTION) nlr_raise(result);
    if (result == OBJ_NONE) raise_type(&type_StopIteration);
    raise_obj(&type_StopIteration, result);
}

Obj gen_close(Obj gen)
{
    ObjGen *g = (ObjGen *)gen;
    Obj result;
    if (!g->is_started) {
        g->cs.ip = NULL;
        return OBJ_NONE;
    }
    RunResult how = gen_resume(gen, OBJ_NONE, exc_new(&type_GeneratorExit, 0, NULL), &result);
    if (how == RUN_YIELD) raise_msg(&type_RuntimeError, "generator ignored GeneratorExit");
    if (how == RUN_EXCEPTION && !exc_match(result, &type_GeneratorExit)) nlr_raise(result);
    return OBJ_NONE;
}

static Obj gen_of(Obj o)
{
    if (!obj_is(o, &type_generator)) raise_msg(&type_TypeError, "a 'generator' object is required");
    return o;
}

static Obj method_send(Obj self, Obj value)
{
    Obj result;
    RunResult how = gen_resume(gen_of(self), value, OBJ_NULL, &result);
    return to_caller(how, result);
}

static Obj method_throw(size_t n_args, const Obj *args)
{
    Obj exc = args[1], result;
    if (n_args > 2 && args[2] != OBJ_NONE) exc = exc_native(args[2]) ? args[2] : obj_call_1(exc, args[2]);
    RunResult how = gen_resume(gen_of(args[0]), OBJ_NONE, exc_make(exc), &result);
    return to_caller(how, result);
}

static Obj method_close(Obj self) { return gen_close(gen_of(self)); }

static Obj method_next(Obj self)
{
    Obj result;
    RunResult how = gen_resume(gen_of(self), OBJ_NONE, OBJ_NULL, &result);
    return to_caller(how, result);
}

static const FunBuiltin gen_methods[] = {BUILTIN_2(send, method_send), BUILTIN_V(throw, method_throw, 2, 4),
                                         BUILTIN_1(close, method_close), BUILTIN_1(__next__, method_next)};

static void gen_print(Print *p, Obj self, PrintKind kind)
{
    (void)kind;
    print_format(p, "<generator object %q>", code_name(((const ObjGen *)self)->cs.fun));
}

const Type type_generator = {.base = {&type_type}, .name = Q_generator, .parent = &type_object, .methods = gen_methods,
                             .n_methods = 4, .print = gen_print, .iternext = gen_iternext};
