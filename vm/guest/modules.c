// modules.c: the built-in modules sys, time, math, and the streams behind print(file=…). A module's dict is filled when it is
// first imported.
#include "vm.h"

#include <string.h>
#include <time.h>

typedef struct ObjStream {
    ObjBase base;
    int fd;
} ObjStream;

static const ObjStream stream_out = {{&type_stream}, 1}, stream_err = {{&type_stream}, 2};

static Obj stream_write_method(Obj self, Obj text)
{
    size_t n;
    if (!obj_is(self, &type_stream)) raise_msg(&type_TypeError, "descriptor 'write' requires a stream, not '%t'", self);
    const u8 *s = str_data(text, &n);
    const Print *p = ((const ObjStream *)self)->fd == 1 ? &print_stdout : &print_stderr;
    p->write(p->ctx, (const char *)s, n);
    return obj_small((i64)str_n_chars(text));
}

static Obj stream_flush(Obj self)
{
    (void)self;
    port_flush();
    return OBJ_NONE;
}

static const FunBuiltin stream_methods[] = {BUILTIN_2(write, stream_write_method), BUILTIN_1(flush, stream_flush)};

static void stream_print(Print *p, Obj self, PrintKind kind)
{
    (void)kind;
    print_text(p, ((const ObjStream *)self)->fd == 1 ? "<sys.stdout>" : "<sys.stderr>");
}

const Type type_stream = {.base = {&type_type}, .name = Q_TextIOWrapper, .parent = &type_object, .methods = stream_methods,
                          .n_methods = 2, .print = stream_print};

// Any object with a write method serves as a file.
void stream_write(Obj stream, const char *text, size_t n)
{
    Obj call[3];
    obj_load_method(stream, Q_write, call);
    call[2] = obj_str(text, n);
    obj_call_method(1, 0, call);
}

// ---- sys -------------------------------------------------------------------------------------------------------------------

static Obj sys_exit(size_t n_args, const Obj *args)
{
    if (n_args == 0) raise_type(&type_SystemExit);
    raise_obj(&type_SystemExit, args[0]);
}

static Obj sys_getrecursionlimit(void) { return obj_small(VM_RECURSION_LIMIT); }

static const FunBuiltin sys_functions[] = {BUILTIN_V(exit, sys_exit, 0, 1),
                                           BUILTIN_0(getrecursionlimit, sys_getrecursionlimit)};

static void fill_sys(Map *m)
{
    map_set_qstr(m, Q_argv, vm.sys_argv);
    map_set_qstr(m, Q_stdout, OBJ_PTR(&stream_out));
    map_set_qstr(m, Q_stderr, OBJ_PTR(&stream_err));
    map_set_qstr(m, Q_modules, OBJ_PTR(vm.modules));
    map_set_qstr(m, Q_platform, OBJ_QSTR(Q_linux));
    map_set_qstr(m, Q_byteorder, OBJ_QSTR(Q_little));
    map_set_qstr(m, Q_path, obj_list(0, NULL));
    map_set_qstr(m, Q_version, obj_str_z("3.11 (caplab)"));
    map_set_qstr(m, Q_version_info, obj_tuple(3, (const Obj[]){obj_small(3), obj_small(11), obj_small(0)}));
}

// ---- time ------------------------------------------------------------------------------------------------------------------

static struct timespec now(int clock)
{
    struct timespec t;
    if (clock_gettime(clock, &t) != 0) raise_type(&type_OSError);
    return t;
}

static Obj seconds(int clock)
{
    struct timespec t = now(clock);
    return obj_float((double)t.tv_sec + (double)t.tv_nsec * 1e-9);
}

static Obj in_units(int clock, i64 per_second)
{
    struct timespec t = now(clock);
    return obj_int((i64)t.tv_sec * per_second + (i64)t.tv_nsec / (1000000000 / per_second));
}

static Obj time_time(void) { return seconds(CLOCK_REALTIME); }
static Obj time_monotonic(void) { return seconds(CLOCK_MONOTONIC); }
static Obj time_time_ns(void) { return in_units(CLOCK_REALTIME, 1000000000); }
static Obj time_monotonic_ns(void) { return in_units(CLOCK_MONOTONIC, 1000000000); }
static Obj time_ticks_us(void) { return in_units(CLOCK_MONOTONIC, 1000000); }
static Obj time_ticks_ms(void) { return in_units(CLOCK_MONOTONIC, 1000); }
static Obj time_ticks_diff(Obj a, Obj b) { return obj_int(obj_get_int(a) - obj_get_int(b)); }

static const FunBuiltin time_functions[] = {
    BUILTIN_0(time, time_time), BUILTIN_0(monotonic, time_monotonic), BUILTIN_0(perf_counter, time_monotonic),
    BUILTIN_0(process_time, time_monotonic), BUILTIN_0(time_ns, time_time_ns),
    BUILTIN_0(monotonic_ns, time_monotonic_ns), BUILTIN_0(perf_counter_ns, time_monotonic_ns),
    BUILTIN_0(ticks_us, time_ticks_us), BUILTIN_0(ticks_ms, time_ticks_ms), BUILTIN_2(ticks_diff, time_ticks_diff),
};

// ---- gc --------------------------------------------------------------------------------------------------------------------

static Obj gc_collect_function(void)
{
    gc_collect();
    return obj_small(0);
}

static Obj gc_mem_free(void) { return obj_small((i64)gc_free_bytes()); }
static Obj gc_mem_alloc(void) { return obj_small((i64)(gc_total_bytes() - gc_free_bytes())); }

static const FunBuiltin gc_functions[] = {BUILTIN_0(collect, gc_collect_function), BUILTIN_0(mem_free, gc_mem_free),
                                          BUILTIN_0(mem_alloc, gc_mem_alloc)};

// ---- Making modules ----------------------------------------------------------------------------------------------------------

static void add_functions(Map *m, const FunBuiltin *f, size_t n)
{
    for (size_t i = 0; i < n; i++) map_set_qstr(m, f[i].name, OBJ_PTR(&f[i]));
}

Obj builtin_module(Qstr name)
{
    if (name != Q_sys && name != Q_time && name != Q_math && name != Q_gc) return OBJ_NULL;
    ObjModule *module = obj_alloc(&type_module, sizeof(ObjModule));
    module->globals = (ObjDict *)obj_dict(0);
    Map *m = &module->globals->map;
    map_set_qstr(m, Q___name__, OBJ_QSTR(name));
    if (name == Q_sys) {
        fill_sys(m);
        add_functions(m, sys_functions, sizeof sys_functions / sizeof sys_functions[0]);
    } else if (name == Q_time) add_functions(m, time_functions, sizeof time_functions / sizeof time_functions[0]);
    else if (name == Q_gc) add_functions(m, gc_functions, sizeof gc_functions / sizeof gc_functions[0]);
    else fill_math(m);
    return OBJ_PTR(module);
}
