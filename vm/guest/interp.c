// interp.c: the bytecode interpreter: the hot loop. One handler per opcode, each ending in its own indirect jump to the next.
// unwind.c holds what surrounds it: catching exceptions and finding their handlers, and the rare cases of the handlers.
//
//     ip     the running opcode; arguments follow it      sp      top of the value stack
//     locals slot of local 0; local i is locals[-i]       cs->ip  copy of ip, for line numbers and handlers
//
// How many machine instructions the simplest handlers take is what the exhibits of caplab show: keep them lean. Nothing is checked
// here that verify.c and flow.c found out when the code was loaded; of an object on the stack they do not know the type.
#include "bytecode.h"

enum { SMALL_INT_ZERO = 0x80 }; // the byte of LOAD_CONST_SMALL_INT_MULTI that stands for 0

// ---- Parts of handlers -----------------------------------------------------------------------------------------------------

// A finally block is left by return, break or continue while it runs: what it was to do afterwards is dropped from under TOS.
static Obj *cancel_finally(Obj *sp)
{
    Obj top = sp[0];
    sp -= obj_is_small(sp[-1]) ? 2 : 1;
    sp[0] = top;
    return sp;
}

static Obj make_closure(CodeState *cs, u32 child, u32 n_cells, const Obj *cells, Obj def_tuple, Obj def_dict)
{
    Obj f = fun_make(cs->fun->context, cs->fun->raw->children[child], def_tuple, def_dict);
    return obj_closure(f, n_cells, cells);
}

static void store_comp(Obj *sp, u32 arg)
{
    Obj collection = sp[-(i64)(arg >> 2)];
    const Type *type = (arg & 3) == 0 ? &type_list : (arg & 3) == 1 ? &type_dict : &type_set;
    if (!obj_is(collection, type)) raise_msg(&type_RuntimeError, "bad bytecode: no collection");
    if ((arg & 3) == 0) list_append((ObjList *)collection, sp[0]);
    else if ((arg & 3) == 1) map_add(&((ObjDict *)collection)->map, sp[0])->value = sp[-1];
    else map_add(&((ObjDict *)collection)->map, sp[0])->value = OBJ_TRUE;
}

// x[a:b] on the built-in sequences needs no slice object in the heap.
static bool takes_temporary_slice(Obj o)
{
    return obj_is_str(o) || obj_is(o, &type_list) || obj_is(o, &type_tuple);
}

static void delete_name(ObjDict *d, Qstr q)
{
    if (map_remove(&d->map, OBJ_QSTR(q)) == OBJ_NULL) raise_msg(&type_NameError, "name '%q' is not defined", q);
}

static void load_super_method(Obj *sp, Qstr name) // super, class, self -> function, self or NULL
{
    Obj dest[2], self = sp[2];
    super_lookup(sp[1], self, name, dest);
    if (dest[0] == OBJ_NULL) raise_msg(&type_AttributeError, "'super' object has no attribute '%q'", name);
    sp[0] = dest[0];
    sp[1] = dest[1];
}

// ---- The loop ------------------------------------------------------------------------------------------------------------------

#define PUSH(v) (*++sp = (v))
#define POP() (*sp--)
#define TOP (*sp)
#define NEXT()                                                                                               \
    do {                                                                                                     \
        u32 op_ = *++ip;                                                                                     \
        cs->ip = ip;                                                                                         \
        PROBE(vm_dispatch, op_, ip);                                                                         \
        goto *handlers[op_];                                                                                 \
    } while (0)
#define VARUINT(v)                                                                                           \
    u32 v = *++ip;                                                                                           \
    if (UNLIKELY(v & 0x80)) {                                                                                \
        v &= 0x7f;                                                                                           \
        do v = v << 7 | (*++ip & 0x7f);                                                                      \
        while (*ip & 0x80);                                                                                  \
    }
#define QSTR(q)                                                                                              \
    VARUINT(q##_index)                                                                                       \
    Qstr q = qstrs[q##_index]
#define SIGNED_LABEL(offset)                                                                                 \
    i64 offset = *++ip;                                                                                      \
    if (offset & 0x80) offset = ((offset & 0x7f) | (i64)*++ip << 7) - 0x4000;                                \
    else offset -= 0x40
#define UNSIGNED_LABEL(offset)                                                                               \
    i64 offset = *++ip;                                                                                      \
    if (offset & 0x80) offset = (offset & 0x7f) | (i64)*++ip << 7
#define PUSH_RECORD(offset, tag)                                                                             \
    do {                                                                                                     \
        ExcRecord *r_ = &records(cs)[cs->n_exc++];                                                           \
        r_->handler = ip + 1 + (offset);                                                                     \
        r_->sp = (Obj *)((char *)sp + (tag));                                                                \
        r_->exc = OBJ_NULL;                                                                                  \
    } while (0)
// Small ints compare like their words; their sum is the sum of the words less one tag.
#define COMPARE(name, number, operator)                                                                      \
    name:                                                                                                    \
    {                                                                                                        \
        Obj right = sp[0], left = sp[-1];                                                                    \
        sp--;                                                                                                \
        if (LIKELY(obj_are_small(left, right))) TOP = obj_bool((i64)obj_bits(left) operator(i64) obj_bits(right)); \
        else TOP = obj_binary_op(number, left, right);                                                       \
        NEXT();                                                                                              \
    }

#define BAD2 &&op_bad, &&op_bad
#define BAD4 BAD2, BAD2
#define X4(label) &&label, &&label, &&label, &&label
#define X16(label) X4(label), X4(label), X4(label), X4(label)

NOINLINE RunResult interp_loop(CodeState *cs, Obj *result)
{
    // clang-format off
    static const void *const handlers[256] = {
        /* 00 */ BAD4, BAD4, BAD4, BAD4,
        /* 10 */ &&op_LOAD_CONST_STRING, &&op_LOAD_NAME, &&op_LOAD_GLOBAL, &&op_LOAD_ATTR,
        /* 14 */ &&op_LOAD_METHOD, &&op_LOAD_SUPER_METHOD, &&op_STORE_NAME, &&op_STORE_GLOBAL,
        /* 18 */ &&op_STORE_ATTR, &&op_DELETE_NAME, &&op_DELETE_GLOBAL, &&op_IMPORT_NAME,
        /* 1c */ &&op_IMPORT_FROM, &&op_bad, BAD2,
        /* 20 */ &&op_MAKE_CLOSURE, &&op_MAKE_CLOSURE_DEFARGS, &&op_LOAD_CONST_SMALL_INT, &&op_LOAD_CONST_OBJ,
        /* 24 */ &&op_LOAD_FAST_N, &&op_LOAD_DEREF, &&op_STORE_FAST_N, &&op_STORE_DEREF,
        /* 28 */ &&op_DELETE_FAST, &&op_DELETE_DEREF, &&op_BUILD_TUPLE, &&op_BUILD_LIST,
        /* 2c */ &&op_BUILD_MAP, &&op_BUILD_SET, &&op_BUILD_SLICE, &&op_STORE_COMP,
        /* 30 */ &&op_UNPACK_SEQUENCE, &&op_UNPACK_EX, &&op_MAKE_FUNCTION, &&op_MAKE_FUNCTION_DEFARGS,
        /* 34 */ &&op_CALL_FUNCTION, &&op_CALL_FUNCTION_VAR_KW, &&op_CALL_METHOD, &&op_CALL_METHOD_VAR_KW,
        /* 38 */ BAD4, BAD4,
        /* 40 */ &&op_UNWIND_JUMP, &&op_bad, &&op_JUMP, &&op_POP_JUMP_IF_TRUE,
        /* 44 */ &&op_POP_JUMP_IF_FALSE, &&op_JUMP_IF_TRUE_OR_POP, &&op_JUMP_IF_FALSE_OR_POP, &&op_SETUP_WITH,
        /* 48 */ &&op_SETUP_EXCEPT, &&op_SETUP_FINALLY, &&op_POP_EXCEPT_JUMP, &&op_FOR_ITER,
        /* 4c */ BAD4,
        /* 50 */ &&op_LOAD_CONST_FALSE, &&op_LOAD_CONST_NONE, &&op_LOAD_CONST_TRUE, &&op_LOAD_NULL,
        /* 54 */ &&op_LOAD_BUILD_CLASS, &&op_LOAD_SUBSCR, &&op_STORE_SUBSCR, &&op_DUP_TOP,
        /* 58 */ &&op_DUP_TOP_TWO, &&op_POP_TOP, &&op_ROT_TWO, &&op_ROT_THREE,
        /* 5c */ &&op_WITH_CLEANUP, &&op_END_FINALLY, &&op_GET_ITER, &&op_GET_ITER_STACK,
        /* 60 */ BAD2, &&op_STORE_MAP, &&op_RETURN_VALUE,
        /* 64 */ &&op_RAISE_LAST, &&op_RAISE_OBJ, &&op_RAISE_FROM, &&op_YIELD_VALUE,
        /* 68 */ &&op_YIELD_FROM, &&op_IMPORT_STAR, BAD2, BAD4,
        /* 70 */ X16(op_LOAD_CONST_SMALL_INT_MULTI), X16(op_LOAD_CONST_SMALL_INT_MULTI),
        /* 90 */ X16(op_LOAD_CONST_SMALL_INT_MULTI), X16(op_LOAD_CONST_SMALL_INT_MULTI),
        /* b0 */ X16(op_LOAD_FAST_MULTI),
        /* c0 */ X16(op_STORE_FAST_MULTI),
        /* d0 */ X4(op_UNARY_OP), BAD2, &&op_bad,
        /* d7 */ &&op_LESS, &&op_MORE, &&op_EQUAL, &&op_LESS_EQUAL, &&op_MORE_EQUAL, &&op_NOT_EQUAL,
        /* dd */ &&op_BINARY_OP, &&op_IS, &&op_BINARY_OP,
        /* e0 */ &&op_OR, &&op_BINARY_OP, &&op_AND, &&op_BINARY_OP, &&op_BINARY_OP,
        /* e5 */ &&op_ADD, &&op_SUBTRACT, &&op_MULTIPLY, X4(op_BINARY_OP), &&op_BINARY_OP,
        /* ed */ &&op_OR, &&op_BINARY_OP, &&op_AND, &&op_BINARY_OP, &&op_BINARY_OP,
        /* f2 */ &&op_ADD, &&op_SUBTRACT, &&op_MULTIPLY, X4(op_BINARY_OP), &&op_BINARY_OP,
        /* fa */ BAD4, BAD2,
    };
    // clang-format on
    const u8 *ip = cs->ip;
    Obj *sp = cs->sp;
    Obj *const locals = &cs->state[cs->n_state - 1];
    const u16 *const qstrs = cs->fun->context->qstrs;
    NEXT();

    // Constants
op_LOAD_CONST_FALSE:
    PUSH(OBJ_FALSE);
    NEXT();
op_LOAD_CONST_NONE:
    PUSH(OBJ_NONE);
    NEXT();
op_LOAD_CONST_TRUE:
    PUSH(OBJ_TRUE);
    NEXT();
op_LOAD_NULL:
    PUSH(OBJ_NULL);
    NEXT();
op_LOAD_CONST_SMALL_INT_MULTI:
    PUSH(obj_small((i64)*ip - SMALL_INT_ZERO));
    NEXT();
op_LOAD_CONST_SMALL_INT : {
    u64 v = ip[1] & 0x40 ? ~(u64)0 : 0; // two's complement, most significant group first
    do v = v << 7 | (*++ip & 0x7f);
    while (*ip & 0x80);
    PUSH(obj_small((i64)v));
    NEXT();
}
op_LOAD_CONST_STRING : {
    QSTR(q);
    PUSH(OBJ_QSTR(q));
    NEXT();
}
op_LOAD_CONST_OBJ : {
    VARUINT(i);
    PUSH(cs->fun->context->objects[i]);
    NEXT();
}

    // Variables
op_LOAD_FAST_MULTI : {
    Obj v = locals[(i64)OP_LOAD_FAST_MULTI - (i64)*ip];
    if (UNLIKELY(v == OBJ_NULL)) raise_unbound(cs, *ip - OP_LOAD_FAST_MULTI);
    PUSH(v);
    NEXT();
}
op_STORE_FAST_MULTI:
    locals[(i64)OP_STORE_FAST_MULTI - (i64)*ip] = POP();
    NEXT();
op_LOAD_FAST_N : {
    VARUINT(i);
    Obj v = locals[-(i64)i];
    if (UNLIKELY(v == OBJ_NULL)) raise_unbound(cs, i);
    PUSH(v);
    NEXT();
}
op_STORE_FAST_N : {
    VARUINT(i);
    locals[-(i64)i] = POP();
    NEXT();
}
op_LOAD_DEREF : {
    VARUINT(i);
    Obj v = ((const ObjCell *)locals[-(i64)i])->value;
    if (UNLIKELY(v == OBJ_NULL)) raise_msg(&type_NameError, "cannot access free variable where it is not associated with a value in enclosing scope");
    PUSH(v);
    NEXT();
}
op_STORE_DEREF : {
    VARUINT(i);
    ((ObjCell *)locals[-(i64)i])->value = POP();
    NEXT();
}
op_DELETE_FAST : {
    VARUINT(i);
    if (locals[-(i64)i] == OBJ_NULL) raise_unbound(cs, i);
    locals[-(i64)i] = OBJ_NULL;
    NEXT();
}
op_DELETE_DEREF : {
    VARUINT(i);
    ObjCell *cell = (ObjCell *)locals[-(i64)i];
    if (cell->value == OBJ_NULL) raise_unbound(cs, i);
    cell->value = OBJ_NULL;
    NEXT();
}
op_LOAD_NAME : {
    QSTR(q);
    PUSH(vm_load_name(q));
    NEXT();
}
op_LOAD_GLOBAL : {
    QSTR(q);
    MapEntry *e = map_find_qstr(&vm.globals->map, q);
    PUSH(LIKELY(e != NULL) ? e->value : vm_load_global(q));
    NEXT();
}
op_STORE_NAME : {
    QSTR(q);
    map_set_qstr(&vm.locals->map, q, POP());
    NEXT();
}
op_STORE_GLOBAL : {
    QSTR(q);
    map_set_qstr(&vm.globals->map, q, POP());
    NEXT();
}
op_DELETE_NAME : {
    QSTR(q);
    delete_name(vm.locals, q);
    NEXT();
}
op_DELETE_GLOBAL : {
    QSTR(q);
    delete_name(vm.globals, q);
    NEXT();
}

    // Attributes and items
op_LOAD_ATTR : {
    QSTR(q);
    Obj o = TOP;
    if (obj_is_ptr(o) && ((const ObjBase *)o)->type->flags & TYPE_USER) {
        MapEntry *e = map_find_qstr(&((ObjInstance *)o)->members, q);
        if (LIKELY(e != NULL)) {
            TOP = e->value;
            NEXT();
        }
    }
    TOP = obj_load_attr(o, q);
    NEXT();
}
op_LOAD_METHOD : {
    QSTR(q);
    obj_load_method(TOP, q, sp);
    sp++;
    NEXT();
}
op_LOAD_SUPER_METHOD : {
    QSTR(q);
    sp -= 2;
    load_super_method(sp, q);
    sp++;
    NEXT();
}
op_STORE_ATTR : {
    QSTR(q);
    obj_store_attr(sp[0], q, sp[-1]);
    sp -= 2;
    NEXT();
}
op_LOAD_SUBSCR : {
    Obj index = sp[0], o = sp[-1];
    sp--;
    if (LIKELY(obj_is(o, &type_list) && obj_is_small(index))) {
        const ObjList *l = (const ObjList *)o;
        i64 i = obj_small_value(index);
        if (i < 0) i += (i64)l->n;
        if (LIKELY((u64)i < l->n)) {
            TOP = l->items[i];
            NEXT();
        }
    }
    TOP = obj_subscr(o, index, OBJ_SENTINEL);
    NEXT();
}
op_STORE_SUBSCR : {
    Obj index = sp[0], o = sp[-1], value = sp[-2];
    if (LIKELY(obj_is(o, &type_list) && obj_is_small(index) && value != OBJ_NULL)) {
        ObjList *l = (ObjList *)o;
        i64 i = obj_small_value(index);
        if (i < 0) i += (i64)l->n;
        if (LIKELY((u64)i < l->n)) {
            l->items[i] = value;
            sp -= 3;
            NEXT();
        }
    }
    obj_subscr(o, index, value);
    sp -= 3;
    NEXT();
}

    // The value stack
op_DUP_TOP : {
    Obj v = TOP;
    PUSH(v);
    NEXT();
}
op_DUP_TOP_TWO:
    sp += 2;
    sp[0] = sp[-2];
    sp[-1] = sp[-3];
    NEXT();
op_POP_TOP:
    sp--;
    NEXT();
op_ROT_TWO : {
    Obj v = sp[0];
    sp[0] = sp[-1];
    sp[-1] = v;
    NEXT();
}
op_ROT_THREE : {
    Obj v = sp[0];
    sp[0] = sp[-1];
    sp[-1] = sp[-2];
    sp[-2] = v;
    NEXT();
}

    // Jumps
op_JUMP : {
    SIGNED_LABEL(offset);
    ip += offset;
    NEXT();
}
op_POP_JUMP_IF_TRUE : {
    SIGNED_LABEL(offset);
    Obj v = POP();
    if (v == OBJ_TRUE || (v != OBJ_FALSE && obj_is_true(v))) ip += offset;
    NEXT();
}
op_POP_JUMP_IF_FALSE : {
    SIGNED_LABEL(offset);
    Obj v = POP();
    if (v == OBJ_FALSE || (v != OBJ_TRUE && !obj_is_true(v))) ip += offset;
    NEXT();
}
op_JUMP_IF_TRUE_OR_POP : {
    UNSIGNED_LABEL(offset);
    if (obj_is_true(TOP)) ip += offset;
    else sp--;
    NEXT();
}
op_JUMP_IF_FALSE_OR_POP : {
    UNSIGNED_LABEL(offset);
    if (obj_is_true(TOP)) sp--;
    else ip += offset;
    NEXT();
}

    // Operators
    COMPARE(op_LESS, BIN_LESS, <)
    COMPARE(op_MORE, BIN_MORE, >)
    COMPARE(op_EQUAL, BIN_EQUAL, ==)
    COMPARE(op_LESS_EQUAL, BIN_LESS_EQUAL, <=)
    COMPARE(op_MORE_EQUAL, BIN_MORE_EQUAL, >=)
    COMPARE(op_NOT_EQUAL, BIN_NOT_EQUAL, !=)
op_ADD : {
    Obj right = sp[0], left = sp[-1];
    i64 sum;
    sp--;
    if (LIKELY(obj_are_small(left, right)) &&
        LIKELY(!__builtin_add_overflow((i64)obj_bits(left), (i64)(obj_bits(right) - 1), &sum))) {
        TOP = (Obj)(ptraddr_t)sum;
        NEXT();
    }
    TOP = obj_binary_op((BinaryOp)(*ip - OP_BINARY_OP), left, right);
    NEXT();
}
op_SUBTRACT : {
    Obj right = sp[0], left = sp[-1];
    i64 difference;
    sp--;
    if (LIKELY(obj_are_small(left, right)) &&
        LIKELY(!__builtin_sub_overflow((i64)obj_bits(left), (i64)(obj_bits(right) - 1), &difference))) {
        TOP = (Obj)(ptraddr_t)difference;
        NEXT();
    }
    TOP = obj_binary_op((BinaryOp)(*ip - OP_BINARY_OP), left, right);
    NEXT();
}
op_MULTIPLY : {
    Obj right = sp[0], left = sp[-1];
    i64 product;
    sp--;
    if (LIKELY(obj_are_small(left, right)) &&
        LIKELY(!__builtin_mul_overflow((i64)(obj_bits(left) - 1), obj_small_value(right), &product))) {
        TOP = (Obj)((ptraddr_t)product + 1);
        NEXT();
    }
    TOP = obj_binary_op((BinaryOp)(*ip - OP_BINARY_OP), left, right);
    NEXT();
}
op_AND : {
    Obj right = sp[0], left = sp[-1];
    sp--;
    if (LIKELY(obj_are_small(left, right))) TOP = (Obj)(obj_bits(left) & obj_bits(right));
    else TOP = obj_binary_op((BinaryOp)(*ip - OP_BINARY_OP), left, right);
    NEXT();
}
op_OR : {
    Obj right = sp[0], left = sp[-1];
    sp--;
    if (LIKELY(obj_are_small(left, right))) TOP = (Obj)(obj_bits(left) | obj_bits(right));
    else TOP = obj_binary_op((BinaryOp)(*ip - OP_BINARY_OP), left, right);
    NEXT();
}
op_IS:
    sp--;
    TOP = obj_bool(sp[0] == sp[1]);
    NEXT();
op_BINARY_OP : {
    Obj right = sp[0], left = sp[-1];
    sp--;
    TOP = obj_binary_op((BinaryOp)(*ip - OP_BINARY_OP), left, right);
    NEXT();
}
op_UNARY_OP:
    TOP = obj_unary_op((UnaryOp)(*ip - OP_UNARY_OP), TOP);
    NEXT();

    // Building containers
op_BUILD_TUPLE : {
    VARUINT(n);
    sp -= (i64)n - 1;
    TOP = obj_tuple(n, sp);
    NEXT();
}
op_BUILD_LIST : {
    VARUINT(n);
    sp -= (i64)n - 1;
    TOP = obj_list(n, sp);
    NEXT();
}
op_BUILD_MAP : {
    VARUINT(n);
    PUSH(obj_dict(n > 16 ? 16 : n)); // a hint only
    NEXT();
}
op_BUILD_SET : {
    VARUINT(n);
    sp -= (i64)n - 1;
    TOP = obj_set(n, sp);
    NEXT();
}
op_BUILD_SLICE : {
    VARUINT(n);
    Obj step = OBJ_NONE;
    if (n == 3) step = POP();
    Obj stop = POP(), start = TOP;
    u32 next = ip[1];
    if ((next == OP_LOAD_SUBSCR || next == OP_STORE_SUBSCR) && takes_temporary_slice(sp[-1])) {
        ObjSlice slice = {{&type_slice}, start, stop, step};
        ip++; // the two opcodes are one here, but each is dispatched and counted
        cs->ip = ip;
        PROBE(vm_dispatch, next, ip);
        sp--;
        if (next == OP_LOAD_SUBSCR) TOP = obj_subscr(TOP, OBJ_PTR(&slice), OBJ_SENTINEL);
        else {
            obj_subscr(TOP, OBJ_PTR(&slice), sp[-1]);
            sp -= 2;
        }
        NEXT();
    }
    TOP = obj_slice(start, stop, step);
    NEXT();
}
op_STORE_COMP : {
    VARUINT(arg);
    store_comp(sp, arg);
    sp -= (arg & 3) == 1 ? 2 : 1;
    NEXT();
}
op_STORE_MAP:
    map_add(&dict_get_map(sp[-2])->map, sp[0])->value = sp[-1];
    sp -= 2;
    NEXT();
op_UNPACK_SEQUENCE : {
    VARUINT(n);
    vm_unpack(TOP, n, sp);
    sp += (i64)n - 1;
    NEXT();
}
op_UNPACK_EX : {
    VARUINT(n);
    vm_unpack_ex(TOP, n, sp);
    sp += (n & 0xff) + (n >> 8 & 0xff);
    NEXT();
}

    // Functions and calls
op_MAKE_FUNCTION : {
    VARUINT(child);
    PUSH(fun_make(cs->fun->context, cs->fun->raw->children[child], OBJ_NULL, OBJ_NULL));
    NEXT();
}
op_MAKE_FUNCTION_DEFARGS : {
    VARUINT(child);
    sp--;
    TOP = fun_make(cs->fun->context, cs->fun->raw->children[child], sp[0], sp[1]);
    NEXT();
}
op_MAKE_CLOSURE : {
    VARUINT(child);
    u32 n = *++ip;
    sp -= (i64)n - 1;
    TOP = make_closure(cs, child, n, sp, OBJ_NULL, OBJ_NULL);
    NEXT();
}
op_MAKE_CLOSURE_DEFARGS : {
    VARUINT(child);
    u32 n = *++ip;
    sp -= (i64)n + 1;
    TOP = make_closure(cs, child, n, sp + 2, sp[0], sp[1]);
    NEXT();
}
op_CALL_FUNCTION : {
    VARUINT(n);
    u32 n_args = n & 0xff, n_kw = n >> 8;
    sp -= n_args + 2 * n_kw;
    TOP = obj_call(TOP, n_args, n_kw, sp + 1);
    NEXT();
}
op_CALL_FUNCTION_VAR_KW : {
    VARUINT(n);
    u32 n_args = n & 0xff, n_kw = n >> 8;
    sp -= n_args + 2 * n_kw + 1;
    TOP = call_var(n_args, n_kw, sp, false);
    NEXT();
}
op_CALL_METHOD : {
    VARUINT(n);
    u32 n_args = n & 0xff, n_kw = n >> 8;
    sp -= n_args + 2 * n_kw + 1;
    if (sp[1] != OBJ_NULL) TOP = obj_call(TOP, n_args + 1, n_kw, sp + 1);
    else TOP = obj_call(TOP, n_args, n_kw, sp + 2);
    NEXT();
}
op_CALL_METHOD_VAR_KW : {
    VARUINT(n);
    u32 n_args = n & 0xff, n_kw = n >> 8;
    sp -= n_args + 2 * n_kw + 2;
    TOP = call_var(n_args, n_kw, sp, true);
    NEXT();
}
op_LOAD_BUILD_CLASS:
    PUSH(OBJ_PTR(&build_class));
    NEXT();

    // Iteration
op_GET_ITER:
    TOP = obj_getiter(TOP, NULL);
    NEXT();
op_GET_ITER_STACK : {
    Obj it = obj_getiter(TOP, (IterBuf *)sp);
    if (it != (Obj)sp) {
        sp[0] = OBJ_NULL;
        sp[1] = it;
        sp[2] = sp[3] = OBJ_NULL;
    }
    sp += 3;
    NEXT();
}
op_FOR_ITER : {
    UNSIGNED_LABEL(offset);
    cs->sp = sp;
    Obj it = sp[-3] == OBJ_NULL ? sp[-2] : (Obj)(sp - 3);
    Obj v = obj_iternext(it);
    if (LIKELY(v != OBJ_NULL)) PUSH(v);
    else {
        sp -= 4;
        ip += offset;
    }
    NEXT();
}

    // Exceptions
op_SETUP_EXCEPT : {
    UNSIGNED_LABEL(offset);
    PUSH_RECORD(offset, 0);
    NEXT();
}
op_SETUP_FINALLY : {
    UNSIGNED_LABEL(offset);
    PUSH_RECORD(offset, 1);
    NEXT();
}
op_SETUP_WITH : {
    UNSIGNED_LABEL(offset);
    Obj call[2], manager = TOP;
    obj_load_method(manager, Q___exit__, sp);
    obj_load_method(manager, Q___enter__, call);
    Obj v = obj_call_method(0, 0, call);
    sp++;
    PUSH_RECORD(offset, 1);
    PUSH(v);
    NEXT();
}
op_POP_EXCEPT_JUMP : {
    UNSIGNED_LABEL(offset);
    cs->n_exc--;
    ip += offset;
    NEXT();
}
op_WITH_CLEANUP:
    sp = with_cleanup(sp);
    NEXT();
op_END_FINALLY : {
    cs->n_exc--;
    Obj v = POP();
    if (v == OBJ_NONE) NEXT();
    if (!obj_is_small(v)) nlr_raise(v);
    if (obj_small_value(v) < 0) goto unwind_return;
    PUSH(v);
    goto unwind_jump;
}
op_UNWIND_JUMP : {
    SIGNED_LABEL(offset);
    u32 n = *++ip;
    PUSH((Obj)(ip + offset - 1));
    PUSH(obj_small(n));
}
unwind_jump : { // destination (the byte before it), n: records left to undo, + 80 hex to drop an iterator
    i64 n = obj_small_value(POP());
    while ((n & 0x7f) > 0) {
        n--;
        const ExcRecord *r = &records(cs)[cs->n_exc - 1];
        if (is_finally(r)) {
            if (r->handler > ip) {
                PUSH(obj_small(n));
                ip = r->handler - 1;
                NEXT();
            }
            sp = cancel_finally(sp);
        }
        cs->n_exc--;
    }
    ip = (const u8 *)POP();
    if (n & 0x80) sp -= 4;
    NEXT();
}
op_RAISE_LAST:
    raise_again(cs);
op_RAISE_OBJ:
    nlr_raise(exc_make(TOP));
op_RAISE_FROM:
    raise_from(sp[-1], sp[0]);
    NEXT();

    // Leaving
op_RETURN_VALUE:
unwind_return:
    while (cs->n_exc > 0) {
        const ExcRecord *r = &records(cs)[cs->n_exc - 1];
        if (is_finally(r)) {
            if (r->handler > ip) {
                Obj *to = record_sp(r) + 1;
                to[0] = TOP;
                sp = to;
                PUSH(obj_small(-1));
                ip = r->handler - 1;
                NEXT();
            }
            sp = cancel_finally(sp);
        }
        cs->n_exc--;
    }
    *result = TOP;
    return RUN_RETURN;
op_YIELD_VALUE:
    cs->sp = sp;
    *result = TOP;
    return RUN_YIELD;
op_YIELD_FROM : { // it, sent
    Obj v;
    RunResult how = resume_any(sp[-1], sp[0], OBJ_NULL, &v);
    if (how == RUN_YIELD) {
        cs->ip = ip - 1;
        cs->is_delegating = 1;
        TOP = v;
        cs->sp = sp;
        *result = v;
        return RUN_YIELD;
    }
    if (how == RUN_EXCEPTION) nlr_raise(v);
    sp--;
    TOP = v;
    NEXT();
}

    // Modules
op_IMPORT_NAME : {
    QSTR(q);
    sp--;
    TOP = vm_import(q, sp[1], sp[0]);
    NEXT();
}
op_IMPORT_FROM : {
    QSTR(q);
    Obj v = vm_import_from(TOP, q);
    PUSH(v);
    NEXT();
}
op_IMPORT_STAR:
    vm_import_star(POP());
    NEXT();
op_bad:
    raise_msg(&type_RuntimeError, "bad bytecode: opcode %d", (int)*ip);
}
