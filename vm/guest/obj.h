// obj.h: objects: how a Python value is one machine word, what a type is, and the layouts of the common objects.
//
// Obj is a uintptr_t, by its low bits (representation A):
//
//     ...xxx1   small integer, 63 bits           ...x010   interned string: qstr number << 3
//     ...xx00   pointer to an object             ...x110   None, False, True, Ellipsis, NotImplemented
//
// In purecap an Obj is a capability: a pointer keeps its bounds and tag, the other kinds are plain addresses without rights.
// Arithmetic on tags therefore happens on obj_bits(), never on the Obj itself. Every object starts with ObjBase.
#ifndef CAPLAB_GUEST_OBJ_H
#define CAPLAB_GUEST_OBJ_H

#include "qstr.h"
#include "vmconfig.h"

typedef uintptr_t Obj;
typedef struct Type Type;
typedef struct Print Print;

#define OBJ_NULL ((Obj)0)      // no object: empty slot, "nothing found", end of an iteration
#define OBJ_SENTINEL ((Obj)4)  // "load" where NULL means "delete"
#define OBJ_IMMEDIATE(n) ((Obj)(((n) << 3) | 6))
#define OBJ_NONE OBJ_IMMEDIATE(0)
#define OBJ_FALSE OBJ_IMMEDIATE(1)
#define OBJ_TRUE OBJ_IMMEDIATE(3)
#define OBJ_ELLIPSIS OBJ_IMMEDIATE(4)
#define OBJ_NOTIMPL OBJ_IMMEDIATE(5)
#define OBJ_QSTR(q) ((Obj)(ptraddr_t)(((ptraddr_t)(q) << 3) | 2))
#define OBJ_PTR(p) ((Obj)(p))

#define SMALL_MAX ((i64)0x3fffffffffffffff)
#define SMALL_MIN (-SMALL_MAX - 1)

INLINE ptraddr_t obj_bits(Obj o) { return (ptraddr_t)o; }
INLINE bool obj_is_small(Obj o) { return obj_bits(o) & 1; }
INLINE bool obj_are_small(Obj a, Obj b) { return obj_bits(a) & obj_bits(b) & 1; }
INLINE bool obj_is_qstr(Obj o) { return (obj_bits(o) & 7) == 2; }
INLINE bool obj_is_ptr(Obj o) { return (obj_bits(o) & 3) == 0; }
INLINE i64 obj_small_value(Obj o) { return (i64)obj_bits(o) >> 1; }
INLINE Obj obj_small(i64 v) { return (Obj)(ptraddr_t)(((u64)v << 1) | 1); } // v must fit
INLINE Qstr obj_qstr(Obj o) { return (Qstr)(obj_bits(o) >> 3); }
INLINE Obj obj_bool(bool b) { return (Obj)(ptraddr_t)(((ptraddr_t)b << 4) | 14); }

typedef struct ObjBase {
    const Type *type;
} ObjBase;

// ---- Types ----------------------------------------------------------------------------------------------------------

// Operators. The first two lists have the order of the bytecode (vm/py/opcodes.def): opcode − 0xd0, − 0xd7.
typedef enum UnaryOp { UN_POSITIVE, UN_NEGATIVE, UN_INVERT, UN_NOT, UN_BOOL, UN_LEN, UN_HASH, UN_ABS, UN_INT } UnaryOp;
typedef enum BinaryOp {
    BIN_LESS, BIN_MORE, BIN_EQUAL, BIN_LESS_EQUAL, BIN_MORE_EQUAL, BIN_NOT_EQUAL, BIN_IN, BIN_IS, BIN_EXC_MATCH,
    BIN_INPLACE_OR, BIN_INPLACE_XOR, BIN_INPLACE_AND, BIN_INPLACE_SHL, BIN_INPLACE_SHR, BIN_INPLACE_ADD,
    BIN_INPLACE_SUB, BIN_INPLACE_MUL, BIN_INPLACE_MATMUL, BIN_INPLACE_FLOORDIV, BIN_INPLACE_DIV, BIN_INPLACE_MOD,
    BIN_INPLACE_POW,
    BIN_OR, BIN_XOR, BIN_AND, BIN_SHL, BIN_SHR, BIN_ADD, BIN_SUB, BIN_MUL, BIN_MATMUL, BIN_FLOORDIV, BIN_DIV, BIN_MOD,
    BIN_POW,
    BIN_CONTAINS, // like IN with the container on the left: what types implement
    BIN_COUNT
} BinaryOp;

// An iterator that needs no allocation is built in four slots of the caller (upstream's iter_buf).
typedef struct IterBuf {
    Obj slot[4];
} IterBuf;

typedef enum PrintKind { PRINT_STR, PRINT_REPR, PRINT_EXC } PrintKind;

typedef Obj (*CallFn)(Obj self, size_t n_args, size_t n_kw, const Obj *args); // keywords: name, value pairs after n_args

enum {
    TYPE_USER = 1,      // made by a class statement: a heap object; instances are ObjInstance
    TYPE_EXCEPTION = 2, // BaseException and below
    TYPE_DICT_VIEWLESS = 4,
};

struct Type {
    ObjBase base;
    u32 name;  // Qstr
    u32 flags;
    const Type *parent; // the type this one refines, or NULL for object
    const struct FunBuiltin *methods;
    size_t n_methods;
    Obj (*make_new)(const Type *type, size_t n_args, size_t n_kw, const Obj *args);
    void (*print)(Print *p, Obj self, PrintKind kind);
    Obj (*unary_op)(UnaryOp op, Obj self);               // OBJ_NULL: not supported
    Obj (*binary_op)(BinaryOp op, Obj left, Obj right);  // OBJ_NULL: not supported
    // dest[0] NULL: load into dest[0] (and dest[1] = self for a method); SENTINEL: store dest[1], or delete if that is NULL;
    // success is told by dest[0] = NULL then.
    void (*attr)(Obj self, Qstr name, Obj *dest);
    Obj (*subscr)(Obj self, Obj index, Obj value); // value SENTINEL load, NULL delete
    CallFn call;
    Obj (*getiter)(Obj self, IterBuf *buf);
    Obj (*iternext)(Obj self); // OBJ_NULL at the end
    struct ObjDict *dict;      // class attributes (TYPE_USER)
    struct ObjTuple *mro;      // all classes in order of look-up (TYPE_USER)
    struct ObjTuple *bases;
};

// TYPES(X): every static type, X(symbol, Python name)
#define TYPES(X)                                                                                             \
    X(object) X(type) X(NoneType) X(bool) X(int) X(float) X(str) X(list) X(tuple) X(dict) X(set) X(range) X(slice)     \
    X(function) X(builtin) X(bound_method) X(closure) X(cell) X(generator) X(gen_wrap) X(module) X(property)           \
    X(staticmethod) X(classmethod) X(super) X(enumerate) X(zip) X(map) X(filter) X(reversed) X(iterator)               \
    X(dict_view) X(ellipsis) X(stream) X(str_iterator) X(range_iterator) X(dict_iterator) X(seq_iterator)              \
    X(call_iterator) X(NotImplementedType)
#define X(name) extern const Type type_##name;
TYPES(X)
#undef X

// Exceptions with their parents. EXCEPTIONS(X): X(name, parent)
#define EXCEPTIONS(X)                                                                                        \
    X(BaseException, object) X(SystemExit, BaseException) X(KeyboardInterrupt, BaseException)                          \
    X(GeneratorExit, BaseException) X(Exception, BaseException) X(StopIteration, Exception)                            \
    X(ArithmeticError, Exception) X(OverflowError, ArithmeticError) X(ZeroDivisionError, ArithmeticError)              \
    X(AssertionError, Exception) X(AttributeError, Exception) X(EOFError, Exception) X(ImportError, Exception)         \
    X(ModuleNotFoundError, ImportError) X(LookupError, Exception) X(IndexError, LookupError)                           \
    X(KeyError, LookupError) X(MemoryError, Exception) X(NameError, Exception) X(UnboundLocalError, NameError)         \
    X(OSError, Exception) X(RuntimeError, Exception) X(NotImplementedError, RuntimeError)                              \
    X(RecursionError, RuntimeError) X(SyntaxError, Exception) X(IndentationError, SyntaxError)                         \
    X(TypeError, Exception) X(ValueError, Exception) X(UnicodeError, ValueError)
#define X(name, parent) extern const Type type_##name;
EXCEPTIONS(X)
#undef X

const Type *obj_type_of_word(Obj o); // of the words that are no pointers
INLINE const Type *obj_type(Obj o) { return obj_is_ptr(o) ? ((const ObjBase *)o)->type : obj_type_of_word(o); }
INLINE bool obj_is(Obj o, const Type *t) { return obj_is_ptr(o) && ((const ObjBase *)o)->type == t; } // t: a type of pointers
INLINE bool obj_is_str(Obj o) { return obj_is_qstr(o) || obj_is(o, &type_str); }
INLINE bool obj_is_float(Obj o) { return obj_is(o, &type_float); }
INLINE bool obj_is_exception_type(Obj o)
{
    return obj_is(o, &type_type) && (((const Type *)o)->flags & TYPE_EXCEPTION);
}

// ---- Maps: open addressing that remembers the order of insertion -----------------------------------------------------

typedef struct MapEntry {
    Obj key, value; // key NULL: deleted
} MapEntry;

enum { MAP_LINEAR_MAX = 8, MAP_ALL_QSTR = 1 };

// Entries stand in order of insertion; above MAP_LINEAR_MAX slots a hash index (u32: entry + 1, 0 empty) follows them.
typedef struct Map {
    u32 n_used, n_filled; // live entries; entries including deleted ones
    u32 n_alloc, flags;
    MapEntry *table;
} Map;

void map_init(Map *m, size_t n);
MapEntry *map_find(const Map *m, Obj key);      // NULL if absent
MapEntry *map_find_qstr(const Map *m, Qstr key);
MapEntry *map_add(Map *m, Obj key);             // finds or inserts (value NULL then)
void map_put(Map *m, Obj key, Obj value);       // the same with a value that must be read before (from an entry of a map)
Obj map_remove(Map *m, Obj key);                // the value, or OBJ_NULL
void map_clear(Map *m);
void map_copy(Map *to, const Map *from);
INLINE void map_set_qstr(Map *m, Qstr key, Obj value) { map_add(m, OBJ_QSTR(key))->value = value; }
MapEntry *map_next(const Map *m, u32 *position); // iteration; position starts at 0; NULL at the end
// An entry is valid until the map changes, which any call that may run Python code may do: comparing, hashing, printing.

// ---- Layouts ---------------------------------------------------------------------------------------------------------

typedef struct ObjFloat {
    ObjBase base;
    double value;
} ObjFloat;

typedef struct ObjStr {
    ObjBase base;
    u32 hash;    // 0: not computed yet
    u32 n_chars; // code points; equal to n_bytes for ASCII
    size_t n_bytes;
    const u8 *data; // UTF-8, NUL behind it
} ObjStr;

typedef struct ObjTuple {
    ObjBase base;
    size_t n;
    Obj items[];
} ObjTuple;

typedef struct ObjList {
    ObjBase base;
    size_t n_alloc, n;
    Obj *items;
} ObjList;

typedef struct ObjDict { // also sets: values are True
    ObjBase base;
    Map map;
} ObjDict;

typedef struct ObjSlice {
    ObjBase base;
    Obj start, stop, step;
} ObjSlice;

typedef struct ObjRange {
    ObjBase base;
    i64 start, stop, step;
} ObjRange;

typedef struct ObjCell {
    ObjBase base;
    Obj value;
} ObjCell;

typedef struct ObjBound {
    ObjBase base;
    Obj function, self;
} ObjBound;

typedef struct ObjClosure {
    ObjBase base;
    Obj function;
    size_t n;
    Obj cells[];
} ObjClosure;

typedef struct ObjInstance {
    ObjBase base;
    Map members;
    Obj native[]; // one item if a built-in type other than object is among the bases: the object that it would be
} ObjInstance;

typedef struct ObjModule {
    ObjBase base;
    ObjDict *globals;
} ObjModule;

typedef struct TraceEntry {
    u32 file, function; // Qstr
    u32 line;
} TraceEntry;

typedef struct ObjException {
    ObjBase base;
    ObjTuple *args;
    u32 n_trace, n_trace_alloc;
    TraceEntry *trace; // innermost first
} ObjException;

// A function in C. n_min..n_max positional arguments; kind tells which member of fn is called.
typedef enum BuiltinKind { FUN_0, FUN_1, FUN_2, FUN_3, FUN_VAR, FUN_KW } BuiltinKind;
enum { FUN_UNLIMITED = 255, FUN_IS_STATIC = 1, FUN_IS_CLASS = 2 };
typedef struct FunBuiltin {
    ObjBase base;
    u16 name; // Qstr
    u8 kind, n_min, n_max, flags;
    union {
        Obj (*f0)(void);
        Obj (*f1)(Obj);
        Obj (*f2)(Obj, Obj);
        Obj (*f3)(Obj, Obj, Obj);
        Obj (*var)(size_t n_args, const Obj *args);
        Obj (*kw)(size_t n_args, size_t n_kw, const Obj *args);
    } fn;
} FunBuiltin;
#define BUILTIN_0(name, f) {{&type_builtin}, Q_##name, FUN_0, 0, 0, 0, {.f0 = f}}
#define BUILTIN_1(name, f) {{&type_builtin}, Q_##name, FUN_1, 1, 1, 0, {.f1 = f}}
#define BUILTIN_2(name, f) {{&type_builtin}, Q_##name, FUN_2, 2, 2, 0, {.f2 = f}}
#define BUILTIN_3(name, f) {{&type_builtin}, Q_##name, FUN_3, 3, 3, 0, {.f3 = f}}
#define BUILTIN_V(name, f, min, max) {{&type_builtin}, Q_##name, FUN_VAR, min, max, 0, {.var = f}}
#define BUILTIN_K(name, f, min, max) {{&type_builtin}, Q_##name, FUN_KW, min, max, 0, {.kw = f}}

// ---- Making objects ----------------------------------------------------------------------------------------------------

void *obj_alloc(const Type *type, size_t n_bytes);     // zeroed behind the header
Obj obj_float(double v);
Obj obj_int(i64 v);                                    // OverflowError past the small range
Obj obj_str(const char *bytes, size_t n);              // copies; UTF-8 must be valid
Obj obj_str_z(const char *text);
Obj obj_tuple(size_t n, const Obj *items);             // items NULL: all OBJ_NULL
Obj obj_list(size_t n, const Obj *items);
Obj obj_dict(size_t n);
Obj obj_set(size_t n, const Obj *items);
Obj obj_slice(Obj start, Obj stop, Obj step);
Obj obj_cell(Obj value);
Obj obj_bound(Obj function, Obj self);
Obj obj_closure(Obj function, size_t n, const Obj *cells);

extern const ObjTuple empty_tuple;

#endif
