// fun.c: functions: the compact prelude of a code object, binding arguments to locals, and the frame, which lies on the C stack
// if it is small (VM_FRAME_LIMIT_BYTES) and in the heap otherwise.
#include "bytecode.h"

#include <string.h>

u32 read_varuint(const u8 **p)
{
    u32 v = 0;
    u8 b;
    do {
        b = *(*p)++;
        v = v << 7 | (b & 0x7f);
    } while (b & 0x80);
    return v;
}

void prelude_read(const u8 *p, Prelude *out)
{
    u32 b = *p++; // x SSSS E AA
    u32 s = b >> 3 & 15, e = b >> 2 & 1, a = b & 3, f = 0, k = 0, d = 0;
    for (u32 n = 0; b & 0x80; n++) { // x F SS K A E D
        b = *p++;
        f |= (b & 0x40) >> 6 << n;
        s |= (b & 0x30) << (2 * n);
        k |= (b & 0x08) >> 3 << n;
        a |= (b & 0x04) << n;
        e |= (b & 0x02) << n;
        d |= (b & 0x01) << n;
    }
    u32 n_info = 0, n_cell = 0, n = 0;
    do { // x IIIIII C
        b = *p++;
        n_cell |= (b & 1) << n;
        n_info |= (b >> 1 & 0x3f) << (6 * n);
        n++;
    } while (b & 0x80);
    *out = (Prelude){s + 1, e, f, a, k, d, n_info, n_cell, p, p + n_info, p + n_info + n_cell};
}

Qstr code_name(const ObjFun *f)
{
    Prelude p;
    prelude_read(f->code, &p);
    const u8 *info = p.info;
    return f->context->qstrs[read_varuint(&info)];
}

u32 code_line(const ObjFun *f, const u8 *ip)
{
    Prelude p;
    prelude_read(f->code, &p);
    const u8 *info = p.info;
    for (u32 n = 1 + p.n_pos + p.n_kwonly; n > 0; n--) read_varuint(&info);
    u32 offset = (u32)(ip - p.start), line = 1;
    while (info < p.cells) {
        u32 bytes, lines;
        if (info[0] & 0x80) { // 1LLLBBBB LLLLLLLL
            bytes = info[0] & 15;
            lines = ((u32)info[0] << 4 & 0x700) | info[1];
            info += 2;
        } else { // 0LLBBBBB
            bytes = info[0] & 31;
            lines = info[0] >> 5;
            info++;
        }
        if (offset < bytes) break;
        offset -= bytes;
        line += lines;
    }
    return line;
}

// ---- Arguments ---------------------------------------------------------------------------------------------------------------

static Qstr parameter_name(const ObjFun *f, const Prelude *p, u32 i)
{
    const u8 *info = p->info;
    read_varuint(&info);
    for (; i > 0; i--) read_varuint(&info);
    return f->context->qstrs[read_varuint(&info)];
}

static NORETURN void too_many(const ObjFun *f, const Prelude *p, size_t n_args)
{
    Qstr name = code_name(f);
    i64 n_free = 0; // cells of the enclosing function arrive as arguments, too
    while (n_free < (i64)p->n_pos && parameter_name(f, p, (u32)n_free) == Q_STAR) n_free++;
    i64 n_pos = (i64)p->n_pos - n_free, n_given = (i64)n_args - n_free;
    if (p->n_defpos > 0) {
        raise_msg(&type_TypeError, "%q() takes from %ld to %ld positional arguments but %ld %s given", name,
                  n_pos - (i64)p->n_defpos, n_pos, n_given, n_given == 1 ? "was" : "were");
    }
    raise_msg(&type_TypeError, "%q() takes %ld positional argument%s but %ld %s given", name, n_pos,
              n_pos == 1 ? "" : "s", n_given, n_given == 1 ? "was" : "were");
}

// "missing 2 required positional arguments: 'a' and 'b'"
static NORETURN void missing(const ObjFun *f, const Prelude *p, Obj *locals, u32 from, u32 to, const char *kind)
{
    u32 n = 0, seen = 0;
    for (u32 i = from; i < to; i++) n += locals[-(i64)i] == OBJ_NULL;
    Vstr v;
    vstr_init(&v, 64);
    Print out = vstr_print(&v);
    print_format(&out, "%q() missing %d required %s argument%s: ", code_name(f), (int)n, kind, n == 1 ? "" : "s");
    for (u32 i = from; i < to; i++) {
        if (locals[-(i64)i] != OBJ_NULL) continue;
        print_text(&out, seen == 0 ? "" : seen + 1 < n ? ", " : n == 2 ? " and " : ", and ");
        print_format(&out, "'%q'", parameter_name(f, p, i));
        seen++;
    }
    raise_obj(&type_TypeError, vstr_take(&v));
}

// Keyword arguments by name; what fits no parameter goes to **kw.
static void bind_keywords(ObjFun *f, const Prelude *p, Obj *locals, size_t n_kw, const Obj *pairs, Obj kwargs)
{
    for (size_t k = 0; k < n_kw; k++) {
        Obj name = pairs[2 * k];
        const u8 *info = p->info;
        read_varuint(&info);
        u32 i = 0, n = p->n_pos + p->n_kwonly;
        while (i < n && OBJ_QSTR(f->context->qstrs[read_varuint(&info)]) != name) i++;
        if (i < n && name != OBJ_QSTR(Q_STAR)) {
            if (locals[-(i64)i] != OBJ_NULL) {
                raise_msg(&type_TypeError, "%q() got multiple values for argument '%o'", code_name(f), name);
            }
            locals[-(i64)i] = pairs[2 * k + 1];
        } else if (kwargs != OBJ_NULL) map_add(&((ObjDict *)kwargs)->map, name)->value = pairs[2 * k + 1];
        else raise_msg(&type_TypeError, "%q() got an unexpected keyword argument '%o'", code_name(f), name);
    }
}

// The uncommon ways: keywords, defaults, *args, **kw, keyword-only parameters.
NOINLINE static void bind_slow(ObjFun *f, const Prelude *p, Obj *locals, size_t n_args, size_t n_kw, const Obj *args)
{
    u32 n_named = p->n_pos + p->n_kwonly;
    size_t n_taken = n_args < p->n_pos ? n_args : p->n_pos;
    u32 next = n_named;
    if (n_args > p->n_pos && !(p->flags & FUN_VARARGS)) too_many(f, p, n_args);
    for (size_t i = 0; i < n_taken; i++) locals[-(i64)i] = args[i];
    if (p->flags & FUN_VARARGS) locals[-(i64)next++] = obj_tuple(n_args - n_taken, args + n_taken);
    Obj kwargs = OBJ_NULL;
    if (p->flags & FUN_VARKW) {
        kwargs = obj_dict(0);
        locals[-(i64)next] = kwargs;
    }
    bind_keywords(f, p, locals, n_kw, args + n_args, kwargs);
    for (u32 i = 0; i < p->n_defpos; i++) {
        Obj *slot = &locals[-(i64)(p->n_pos - p->n_defpos + i)];
        if (*slot == OBJ_NULL) *slot = f->extra[i];
    }
    for (u32 i = 0; i < p->n_pos; i++) {
        if (locals[-(i64)i] == OBJ_NULL) missing(f, p, locals, 0, p->n_pos, "positional");
    }
    for (u32 i = p->n_pos; i < n_named; i++) {
        if (locals[-(i64)i] != OBJ_NULL) continue;
        MapEntry *e = NULL;
        if (p->flags & FUN_DEFKW && f->extra[p->n_defpos] != OBJ_NULL) {
            e = map_find_qstr(&((ObjDict *)f->extra[p->n_defpos])->map, parameter_name(f, p, i));
        }
        if (!e) missing(f, p, locals, p->n_pos, n_named, "keyword-only");
        locals[-(i64)i] = e->value;
    }
}

// A named *args followed by keyword-only names has its slot before theirs: the compiler swapped it with the last of them.
void frame_setup(CodeState *cs, ObjFun *f, const Prelude *p, size_t n_args, size_t n_kw, const Obj *args)
{
    cs->fun = f;
    cs->ip = p->start - 1;
    cs->sp = cs->state - 1;
    cs->n_exc = 0;
    cs->n_state = (u16)p->n_state;
    Obj *locals = &cs->state[p->n_state - 1];
    for (Obj *slot = cs->state; slot <= locals; slot++) *slot = OBJ_NULL;
    u32 simple = FUN_VARARGS | FUN_VARKW | FUN_DEFKW;
    if (LIKELY(n_kw == 0 && n_args == p->n_pos && p->n_kwonly == 0 && !(p->flags & simple))) {
        for (Obj *slot = locals; n_args > 0; n_args--) *slot-- = *args++;
    } else bind_slow(f, p, locals, n_args, n_kw, args);
    const u8 *cell = p->cells;
    for (u32 n = p->n_cell; n > 0; n--, cell++) locals[-(i64)*cell] = obj_cell(locals[-(i64)*cell]);
}

// ---- Calls -----------------------------------------------------------------------------------------------------------------

static RunResult run(CodeState *cs, Obj *result)
{
    cs->outer_globals = vm.globals;
    vm.globals = cs->fun->context->globals;
    RunResult how = interp_run(cs, OBJ_NULL, result);
    vm.globals = cs->outer_globals;
    return how;
}

// The frame is part of this function's own frame: nothing to free.
NOINLINE static Obj call_on_stack(ObjFun *f, const Prelude *p, size_t n_args, size_t n_kw, const Obj *args)
{
    Obj frame[(sizeof(CodeState) + VM_FRAME_LIMIT_BYTES) / sizeof(Obj) + 1];
    CodeState *cs = (CodeState *)frame;
    Obj result;
    PROBE(vm_frame, sizeof(CodeState) + frame_bytes(p->n_state, p->n_exc), 0);
    frame_setup(cs, f, p, n_args, n_kw, args);
    if (UNLIKELY(run(cs, &result) == RUN_EXCEPTION)) nlr_raise(result);
    return result;
}

NOINLINE static Obj call_in_heap(ObjFun *f, const Prelude *p, size_t n_args, size_t n_kw, const Obj *args)
{
    CodeState *cs = mem_alloc(sizeof(CodeState) + frame_bytes(p->n_state, p->n_exc));
    Obj result;
    PROBE(vm_frame, sizeof(CodeState) + frame_bytes(p->n_state, p->n_exc), 1);
    frame_setup(cs, f, p, n_args, n_kw, args);
    RunResult how = run(cs, &result);
    gc_free(cs);
    if (UNLIKELY(how == RUN_EXCEPTION)) nlr_raise(result);
    return result;
}

static Obj fun_call(Obj self, size_t n_args, size_t n_kw, const Obj *args)
{
    ObjFun *f = (ObjFun *)self;
    Prelude p;
    prelude_read(f->code, &p);
    if (frame_bytes(p.n_state, p.n_exc) > VM_FRAME_LIMIT_BYTES) return call_in_heap(f, &p, n_args, n_kw, args);
    return call_on_stack(f, &p, n_args, n_kw, args);
}

static Obj gen_wrap_call(Obj self, size_t n_args, size_t n_kw, const Obj *args)
{
    ObjFun *f = (ObjFun *)self;
    Prelude p;
    prelude_read(f->code, &p);
    return gen_make(f, &p, n_args, n_kw, args);
}

// Defaults: the tuple's items, then the dict if there are keyword-only parameters with defaults (flag 8).
Obj fun_make(Context *context, const RawCode *raw, Obj def_tuple, Obj def_dict)
{
    Prelude p;
    prelude_read(raw->code, &p);
    size_t n_extra = p.n_defpos + (p.flags & FUN_DEFKW ? 1 : 0);
    bool has_tuple = p.n_defpos > 0, is_tuple = def_tuple != OBJ_NULL && obj_is(def_tuple, &type_tuple);
    bool is_dict = def_dict == OBJ_NULL || obj_is(def_dict, &type_dict);
    if ((has_tuple && (!is_tuple || ((const ObjTuple *)def_tuple)->n != p.n_defpos)) || !is_dict) {
        raise_msg(&type_RuntimeError, "bad bytecode: defaults do not fit the function");
    }
    const Type *type = p.flags & FUN_GENERATOR ? &type_gen_wrap : &type_function;
    ObjFun *f = obj_alloc(type, sizeof(ObjFun) + n_extra * sizeof(Obj));
    f->context = context;
    f->raw = raw;
    f->code = raw->code;
    for (u32 i = 0; i < p.n_defpos; i++) f->extra[i] = ((const ObjTuple *)def_tuple)->items[i];
    if (p.flags & FUN_DEFKW) f->extra[p.n_defpos] = def_dict;
    return OBJ_PTR(f);
}

// CALL_FUNCTION_VAR_KW and CALL_METHOD_VAR_KW: bit i of the bitmap, which lies on top: argument i is to be spread; a pair with
// the key NULL is a ** argument.
Obj call_var(size_t n_args, size_t n_kw, const Obj *args, bool is_method)
{
    Obj f = args[0];
    const Obj *rest = args + 1;
    ObjList *all = (ObjList *)obj_list(0, NULL);
    if (is_method) {
        if (rest[0] != OBJ_NULL) list_append(all, rest[0]);
        rest++;
    }
    u64 bitmap = (u64)obj_small_value(rest[n_args + 2 * n_kw]);
    for (size_t i = 0; i < n_args; i++) {
        if (i < 63 && bitmap >> i & 1) {
            IterBuf buf;
            Obj it = obj_getiter(rest[i], &buf), o;
            while ((o = obj_iternext(it)) != OBJ_NULL) list_append(all, o);
        } else list_append(all, rest[i]);
    }
    size_t n_pos = all->n, n_pairs = 0;
    const Obj *pairs = rest + n_args;
    for (size_t i = 0; i < n_kw; i++) {
        if (pairs[2 * i] != OBJ_NULL) {
            list_append(all, pairs[2 * i]);
            list_append(all, pairs[2 * i + 1]);
            n_pairs++;
            continue;
        }
        const Map *m = &dict_get_map(pairs[2 * i + 1])->map;
        u32 at = 0;
        for (MapEntry *e; (e = map_next(m, &at)); n_pairs++) {
            if (!obj_is_str(e->key)) raise_msg(&type_TypeError, "keywords must be strings");
            list_append(all, OBJ_QSTR(str_intern(e->key)));
            list_append(all, e->value);
        }
    }
    Obj r = obj_call(f, n_pos, n_pairs, all->items);
    gc_free(all->items);
    gc_free(all);
    return r;
}

static void fun_print(Print *p, Obj self, PrintKind kind)
{
    (void)kind;
    print_format(p, "<function %q at 0x0>", code_name((const ObjFun *)self));
}

static void fun_attr(Obj self, Qstr name, Obj *dest)
{
    const ObjFun *f = (const ObjFun *)self;
    if (dest[0] != OBJ_NULL) {
        if (dest[1] != OBJ_NULL) raise_missing("setting attributes of functions");
        return;
    }
    if (name == Q___name__ || name == Q___qualname__) dest[0] = OBJ_QSTR(code_name(f));
    else if (name == Q___globals__) dest[0] = OBJ_PTR(f->context->globals);
    else if (name == Q___module__) dest[0] = OBJ_QSTR(Q___main__);
    else if (name == Q___doc__) dest[0] = OBJ_NONE;
}

const Type type_function = {.base = {&type_type}, .name = Q_function, .parent = &type_object, .print = fun_print,
                            .attr = fun_attr, .call = fun_call};
const Type type_gen_wrap = {.base = {&type_type}, .name = Q_function, .parent = &type_object, .print = fun_print,
                            .attr = fun_attr, .call = gen_wrap_call};

// ---- Closures: the cells go before the arguments ---------------------------------------------------------------------------------

Obj obj_closure(Obj function, size_t n, const Obj *cells)
{
    ObjClosure *c = obj_alloc(&type_closure, sizeof(ObjClosure) + n * sizeof(Obj));
    c->function = function;
    c->n = n;
    for (size_t i = 0; i < n; i++) {
        if (cells[i] == OBJ_NULL || !obj_is(cells[i], &type_cell)) raise_msg(&type_RuntimeError, "bad bytecode: no cell");
        c->cells[i] = cells[i];
    }
    return OBJ_PTR(c);
}

static Obj closure_call(Obj self, size_t n_args, size_t n_kw, const Obj *args)
{
    const ObjClosure *c = (const ObjClosure *)self;
    size_t n = n_args + 2 * n_kw;
    Obj few[5];
    Obj *all = c->n + n <= 5 ? few : mem_alloc((c->n + n) * sizeof(Obj));
    for (size_t i = 0; i < c->n; i++) all[i] = c->cells[i];
    for (size_t i = 0; i < n; i++) all[c->n + i] = args[i];
    Obj r = obj_call(c->function, c->n + n_args, n_kw, all);
    if (all != few) gc_free(all);
    return r;
}

static void closure_print(Print *p, Obj self, PrintKind kind) { print_obj(p, ((const ObjClosure *)self)->function, kind); }

static void closure_attr(Obj self, Qstr name, Obj *dest) { fun_attr(((const ObjClosure *)self)->function, name, dest); }

const Type type_closure = {.base = {&type_type}, .name = Q_function, .parent = &type_object, .print = closure_print,
                           .attr = closure_attr, .call = closure_call};

// ---- Functions in C --------------------------------------------------------------------------------------------------------------

static Obj builtin_call(Obj self, size_t n_args, size_t n_kw, const Obj *args)
{
    const FunBuiltin *f = (const FunBuiltin *)self;
    if (UNLIKELY(n_args < f->n_min || (n_args > f->n_max && f->n_max != FUN_UNLIMITED))) {
        raise_arg_count(f->name, f->n_min, f->n_max, n_args);
    }
    if (f->kind == FUN_KW) return f->fn.kw(n_args, n_kw, args);
    if (UNLIKELY(n_kw != 0)) raise_msg(&type_TypeError, "%q() takes no keyword arguments", (Qstr)f->name);
    switch (f->kind) {
    case FUN_0: return f->fn.f0();
    case FUN_1: return f->fn.f1(args[0]);
    case FUN_2: return f->fn.f2(args[0], args[1]);
    case FUN_3: return f->fn.f3(args[0], args[1], args[2]);
    default: return f->fn.var(n_args, args);
    }
}

static void builtin_print(Print *p, Obj self, PrintKind kind)
{
    (void)kind;
    print_format(p, "<built-in function %q>", (Qstr)((const FunBuiltin *)self)->name);
}

static void builtin_attr(Obj self, Qstr name, Obj *dest)
{
    if (dest[0] == OBJ_NULL && (name == Q___name__ || name == Q___qualname__)) {
        dest[0] = OBJ_QSTR(((const FunBuiltin *)self)->name);
    }
}

const Type type_builtin = {.base = {&type_type}, .name = Q_builtin_function_or_method, .parent = &type_object,
                           .print = builtin_print, .attr = builtin_attr, .call = builtin_call};
