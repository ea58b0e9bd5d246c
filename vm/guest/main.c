// main.c: vm PROG.mpy [ARGS…]: loads the file, runs the module, and reports what it did not catch.
//
// Exit status: 0; of sys.exit; 1 after an uncaught exception; 65 for a file that is not valid; 66 if it cannot be read; 2 usage.
#include "bytecode.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Its traceback has a place beforehand: then the heap is full.
static TraceEntry memory_trace[32];
static ObjException memory_error = {{&type_MemoryError}, (ObjTuple *)&empty_tuple, 0, sizeof memory_trace / sizeof memory_trace[0], memory_trace};

// The whole file in fresh memory outside the Python heap; NULL: it cannot be read.
static u8 *read_file(const char *path, size_t *n)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0) return NULL;
    size_t room = 1 << 16, used = 0;
    u8 *data = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (;;) {
        if (data == MAP_FAILED) return NULL;
        ssize_t got = read(fd, data + used, room - used);
        if (got < 0) return NULL;
        if (got == 0) break;
        used += (size_t)got;
        if (used < room) continue;
        u8 *larger = mmap(NULL, room * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (larger != MAP_FAILED) {
            memcpy(larger, data, used);
            munmap(data, room);
        }
        data = larger;
        room *= 2;
    }
    close(fd);
    *n = used;
    return data;
}

static int complain(const char *path, const char *what, int status)
{
    print_format(&print_stderr, "vm: %s: %s\n", path, what);
    return status;
}

static void make_argv(Qstr source, int argc, char **argv)
{
    ObjList *l = (ObjList *)obj_list(0, NULL);
    vm.sys_argv = OBJ_PTR(l);
    list_append(l, OBJ_QSTR(source));
    for (int i = 2; i < argc; i++) list_append(l, obj_str_z(argv[i]));
}

// SystemExit ends the program in silence with its code; anything else is shown.
static int report(Obj exc)
{
    Print err = print_stderr;
    if (exc_match(exc, &type_SystemExit)) {
        Obj code = exc_value(exc);
        i64 status;
        if (code == OBJ_NONE) return 0;
        if (num_get_int(code, &status)) return (int)(status & 0xff);
        print_format(&err, "%o\n", code);
        return 1;
    }
    exc_print_traceback(&err, exc);
    return 1;
}

static int run_module(RawCode *module)
{
    Nlr nlr;
    nlr_push(&nlr);
    if (setjmp(nlr.env) == 0) {
        obj_call_0(fun_make(vm.context, module, OBJ_NULL, OBJ_NULL));
        PROBE(vm_outside);
        nlr_pop();
        return 0;
    }
    PROBE(vm_outside);
    Obj exc = nlr.exc;
    nlr_push(&nlr); // printing runs Python code, too
    if (setjmp(nlr.env) == 0) {
        int status = report(exc);
        nlr_pop();
        return status;
    }
    print_text(&print_stderr, "vm: another exception while printing one\n");
    return 1;
}

// Not part of main's frame: the collector sees the frames below that one.
NOINLINE static int run_file(const char *path, const u8 *file, size_t n, int argc, char **argv)
{
    RawCode *module = NULL;
    const char *error;
    Nlr nlr;
    nlr_push(&nlr);
    if (setjmp(nlr.env) != 0) return complain(path, "the heap is too small for this program", 1);
    vm.globals = vm.locals = (ObjDict *)obj_dict(0);
    vm.modules = (ObjDict *)obj_dict(0);
    Context *c = program_load(file, n, &module, &error);
    if (error) return complain(path, error, 65);
    c->globals = vm.globals;
    vm.main_module = obj_alloc(&type_module, sizeof(ObjModule));
    vm.main_module->globals = vm.globals;
    map_set_qstr(&vm.globals->map, Q___name__, OBJ_QSTR(Q___main__));
    make_argv(c->qstrs[0], argc, argv);
    nlr_pop();
    return run_module(module);
}

int main(int argc, char **argv)
{
    char here;
    if (argc < 2) {
        print_text(&print_stderr, "usage: vm PROG.mpy [ARGS...]\n");
        return 2;
    }
    size_t n;
    u8 *file = read_file(argv[1], &n);
    if (!file) return complain(argv[1], "cannot be read", 66);
    ptraddr_t stack = (ptraddr_t)&here;
    vm.stack_limit = stack - VM_STACK_BYTES;
    vm.memory_error = OBJ_PTR(&memory_error);
    // main's own frame holds no references; those of run_file and below are searched
    if (!gc_init(stack & ~(ptraddr_t)(sizeof(uintptr_t) - 1))) return complain(argv[1], "no memory for the heap", 1);
    qstr_init();
    int status = run_file(argv[1], file, n, argc, argv);
    port_flush();
    return status;
}
