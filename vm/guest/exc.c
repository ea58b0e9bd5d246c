// exc.c: exceptions: raising, matching, tracebacks, and the built-in exception classes.
//
// Raising is a long jump to the newest Nlr. An exception that a class statement derived from a built-in one is an instance
// with a built-in exception object inside; exc_native() gives that object for both.
#include "vm.h"

#include <string.h>

NORETURN void nlr_raise(Obj exc)
{
    Nlr *top = vm.nlr_top;
    if (!top) __builtin_trap(); // main holds one while Python code runs
    vm.nlr_top = top->prev;
    top->exc = exc;
    longjmp(top->env, 1);
}

static ObjException *exception_alloc(const Type *type, ObjTuple *args)
{
    ObjException *e = obj_alloc(type, sizeof(ObjException));
    e->args = args;
    return e;
}

Obj exc_new(const Type *type, size_t n_args, const Obj *args)
{
    if (type->flags & TYPE_USER) return obj_call(OBJ_PTR(type), n_args, 0, args);
    return OBJ_PTR(exception_alloc(type, (ObjTuple *)obj_tuple(n_args, args)));
}

static Obj exception_make_new(const Type *type, size_t n_args, size_t n_kw, const Obj *args)
{
    if (n_kw) raise_msg(&type_TypeError, "%q() takes no keyword arguments", type->name);
    return OBJ_PTR(exception_alloc(type, (ObjTuple *)obj_tuple(n_args, args)));
}

ObjException *exc_native(Obj o)
{
    if (!obj_is_ptr(o)) return NULL;
    const Type *t = ((const ObjBase *)o)->type;
    if (!(t->flags & TYPE_EXCEPTION)) return NULL;
    return (ObjException *)(t->flags & TYPE_USER ? ((ObjInstance *)o)->native[0] : o);
}

NORETURN void raise_type(const Type *type) { nlr_raise(exc_new(type, 0, NULL)); }
NORETURN void raise_obj(const Type *type, Obj argument) { nlr_raise(exc_new(type, 1, &argument)); }

NORETURN void raise_msg(const Type *type, const char *format, ...)
{
    Vstr v;
    vstr_init(&v, 48);
    Print p = vstr_print(&v);
    va_list ap;
    va_start(ap, format);
    print_vformat(&p, format, ap);
    va_end(ap);
    raise_obj(type, vstr_take(&v));
}

NORETURN void raise_missing(const char *what)
{
    raise_msg(&type_NotImplementedError, "not in this build: %s", what);
}

NORETURN void raise_memory(void)
{
    exc_native(vm.memory_error)->n_trace = 0; // of the last time
    nlr_raise(vm.memory_error);
}

NORETURN void raise_int_range(void)
{
    raise_msg(&type_OverflowError, "integer past the small range is not in this build");
}

NORETURN void raise_key_error(Obj key) { raise_obj(&type_KeyError, key); }

NORETURN void raise_no_attribute(Obj o, Qstr name)
{
    if (obj_is(o, &type_type)) {
        raise_msg(&type_AttributeError, "type object '%q' has no attribute '%q'", ((const Type *)o)->name, name);
    }
    if (obj_is(o, &type_module)) {
        MapEntry *e = map_find_qstr(&((ObjModule *)o)->globals->map, Q___name__);
        raise_msg(&type_AttributeError, "module '%o' has no attribute '%q'", e ? e->value : OBJ_NONE, name);
    }
    raise_msg(&type_AttributeError, "'%t' object has no attribute '%q'", o, name);
}

NORETURN void raise_arg_count(Qstr name, size_t min, size_t max, size_t given)
{
    if (min == max) {
        raise_msg(&type_TypeError, "%q() takes %ld positional argument%s but %ld %s given", name, (i64)min,
                  min == 1 ? "" : "s", (i64)given, given == 1 ? "was" : "were");
    }
    if (given < min) {
        raise_msg(&type_TypeError, "%q expected at least %ld argument%s, got %ld", name, (i64)min, min == 1 ? "" : "s",
                  (i64)given);
    }
    raise_msg(&type_TypeError, "%q expected at most %ld argument%s, got %ld", name, (i64)max, max == 1 ? "" : "s",
              (i64)given);
}

bool exc_match(Obj exc, const Type *type) { return obj_is_subclass(obj_type(exc), type); }

bool exc_matches(Obj exc, Obj class_or_tuple)
{
    if (obj_is(class_or_tuple, &type_tuple)) {
        const ObjTuple *t = (const ObjTuple *)class_or_tuple;
        for (size_t i = 0; i < t->n; i++) {
            if (exc_matches(exc, t->items[i])) return true;
        }
        return false;
    }
    if (!obj_is_exception_type(class_or_tuple)) {
        raise_msg(&type_TypeError, "catching classes that do not inherit from BaseException is not allowed");
    }
    return exc_match(exc, (const Type *)class_or_tuple);
}

Obj exc_make(Obj o)
{
    if (obj_is_exception_type(o)) return obj_call_0(o);
    if (exc_native(o)) return o;
    return exc_new(&type_TypeError, 1, (Obj[]){obj_str_z("exceptions must derive from BaseException")});
}

Obj exc_value(Obj exc)
{
    ObjException *e = exc_native(exc);
    return e && e->args->n > 0 ? e->args->items[0] : OBJ_NONE;
}

// ---- Tracebacks ----------------------------------------------------------------------------------------------------------

// Out of memory an entry is dropped rather than another exception raised: so are the outermost of many of the MemoryError.
void exc_add_trace(Obj exc, Qstr file, u32 line, Qstr function)
{
    ObjException *e = exc_native(exc);
    if (!e) return;
    if (e->n_trace == e->n_trace_alloc) {
        if (exc == vm.memory_error) return;
        u32 n = e->n_trace_alloc ? e->n_trace_alloc * 2 : 2;
        TraceEntry *trace = gc_realloc(e->trace, n * sizeof(TraceEntry), true);
        if (!trace) return;
        e->trace = trace;
        e->n_trace_alloc = n;
    }
    e->trace[e->n_trace++] = (TraceEntry){file, function, line};
}

void exc_print_traceback(Print *p, Obj exc)
{
    ObjException *e = exc_native(exc);
    if (e->n_trace > 0) print_text(p, "Traceback (most recent call last):\n");
    u32 n_shown = 0;
    for (u32 i = e->n_trace; i > 0; i--) {
        TraceEntry *t = &e->trace[i - 1];
        u32 n_same = 1; // as CPython: a frame that repeats is shown three times
        while (i - n_same > 0 && memcmp(t, &e->trace[i - 1 - n_same], sizeof *t) == 0) n_same++;
        n_shown = n_same > 3 ? 3 : n_same;
        for (u32 k = 0; k < n_shown; k++) {
            print_format(p, "  File \"%q\", line %d, in %q\n", (Qstr)t->file, (int)t->line, (Qstr)t->function);
        }
        if (n_same > 3) print_format(p, "  [Previous line repeated %d more time%s]\n", (int)(n_same - 3), n_same == 4 ? "" : "s");
        i -= n_same - 1;
    }
    const Type *type = obj_type(exc);
    Obj module = type->flags & TYPE_USER ? type_lookup(type, Q___module__) : OBJ_NULL;
    if (module != OBJ_NULL && module != OBJ_QSTR(Q___main__)) print_format(p, "%o.", module);
    print_format(p, "%q", (Qstr)type->name);
    Obj text = obj_to_str(exc);
    size_t n;
    str_data(text, &n);
    if (n > 0) print_format(p, ": %o", text);
    print_text(p, "\n");
}

// ---- The classes ----------------------------------------------------------------------------------------------------------

static void exception_print(Print *p, Obj self, PrintKind kind)
{
    const ObjException *e = exc_native(self);
    const ObjTuple *args = e->args;
    if (kind == PRINT_REPR) {
        print_format(p, "%q(", (Qstr)obj_type(self)->name);
        for (size_t i = 0; i < args->n; i++) {
            if (i > 0) print_text(p, ", ");
            print_obj(p, args->items[i], PRINT_REPR);
        }
        print_text(p, ")");
    } else if (args->n == 1) {
        bool is_key = exc_match(self, &type_KeyError);
        print_obj(p, args->items[0], is_key ? PRINT_REPR : PRINT_STR);
    } else if (args->n > 1) print_obj(p, OBJ_PTR(args), PRINT_REPR);
}

static void exception_attr(Obj self, Qstr name, Obj *dest)
{
    ObjException *e = exc_native(self);
    if (dest[0] == OBJ_NULL) {
        if (name == Q_args) dest[0] = OBJ_PTR(e->args);
        else if (name == Q_value && exc_match(self, &type_StopIteration)) dest[0] = exc_value(self);
        else if (name == Q_code && exc_match(self, &type_SystemExit)) dest[0] = exc_value(self);
        else if (name == Q___cause__ || name == Q___context__ || name == Q___traceback__) dest[0] = OBJ_NONE;
    } else if (name == Q_args && dest[1] != OBJ_NULL) {
        ObjList *l = list_from_iterable(dest[1]);
        e->args = (ObjTuple *)obj_tuple(l->n, l->items);
        dest[0] = OBJ_NULL;
    }
}

// BaseException.__init__(self, *args), for super().__init__(…) in derived classes
static Obj exception_init(size_t n_args, const Obj *args)
{
    ObjException *e = exc_native(args[0]);
    if (!e) raise_msg(&type_TypeError, "descriptor '__init__' requires a 'BaseException' object");
    e->args = (ObjTuple *)obj_tuple(n_args - 1, args + 1);
    return OBJ_NONE;
}

static const FunBuiltin exception_methods[] = {BUILTIN_V(__init__, exception_init, 1, FUN_UNLIMITED)};

#define X(exc_name, parent_name)                                                                             \
    const Type type_##exc_name = {                                                                           \
        .base = {&type_type},                                                                                \
        .name = Q_##exc_name,                                                                                \
        .flags = TYPE_EXCEPTION,                                                                             \
        .parent = &type_##parent_name,                                                                       \
        .methods = exception_methods,                                                                        \
        .n_methods = 1,                                                                                      \
        .make_new = exception_make_new,                                                                      \
        .print = exception_print,                                                                            \
        .attr = exception_attr,                                                                              \
    };
EXCEPTIONS(X)
#undef X
