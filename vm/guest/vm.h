// vm.h: the running machine: its state, exceptions by non-local jump, and the operations that the interpreter and the
// built-in types share. Everything that can fail raises: it does not return.
//
//     Nlr n;
//     nlr_push(&n);
//     if (setjmp(n.env) == 0) { risky(); nlr_pop(); } else { handle(n.exc); }
#ifndef CAPLAB_GUEST_VM_H
#define CAPLAB_GUEST_VM_H

#include "gc.h"
#include "obj.h"

#include <setjmp.h>
#include <stdarg.h>

// ---- State -------------------------------------------------------------------------------------------------------------

typedef struct Nlr {
    struct Nlr *prev;
    Obj exc;
    jmp_buf env;
} Nlr;

typedef struct QstrEntry {
    const u8 *text;
    u32 n, hash;
} QstrEntry;

// All roots of the collector are here (gc.c scans the structure word by word).
typedef struct Vm {
    Nlr *nlr_top;
    ObjDict *globals, *locals;  // of the running function
    ObjDict *builtin_overrides;
    ObjModule *main_module;
    Obj sys_argv;
    struct Context *context;    // of the program
    QstrEntry *qstrs;           // from number Q_N_STATIC on
    u16 *qstr_buckets;          // the static table if NULL
    ObjDict *modules;
    Obj memory_error;
    Obj *marks;
    u32 n_qstrs, n_qstrs_alloc, n_buckets;
    u32 depth;                  // Python calls that are running
    ptraddr_t stack_limit;
} Vm;
extern Vm vm;

// ---- Exceptions ----------------------------------------------------------------------------------------------------------

INLINE void nlr_push(Nlr *n)
{
    n->prev = vm.nlr_top;
    vm.nlr_top = n;
}
INLINE void nlr_pop(void) { vm.nlr_top = vm.nlr_top->prev; }
NORETURN void nlr_raise(Obj exc);

NORETURN void raise_type(const Type *type);
// Format: %s text, %d int, %ld i64, %c, %q Qstr, %t type name of an Obj, %r repr of an Obj, %o str of an Obj, %%
NORETURN void raise_msg(const Type *type, const char *format, ...);
NORETURN void raise_obj(const Type *type, Obj argument);
NORETURN void raise_missing(const char *what); // NotImplementedError: what is not in this build
NORETURN void raise_memory(void);              // the one MemoryError, which needs no memory
NORETURN void raise_int_range(void);           // an integer past the small range
NORETURN void raise_key_error(Obj key);
NORETURN void raise_no_attribute(Obj o, Qstr name);
NORETURN void raise_arg_count(Qstr name, size_t min, size_t max, size_t given);

Obj exc_new(const Type *type, size_t n_args, const Obj *args);
ObjException *exc_native(Obj o);                   // of a built-in or derived exception object; NULL for other objects
bool exc_match(Obj exc, const Type *type);
bool exc_matches(Obj exc, Obj class_or_tuple);      // excmatch operator
void exc_add_trace(Obj exc, Qstr file, u32 line, Qstr function);
Obj exc_value(Obj exc);                            // first argument, or None (of StopIteration)
void exc_print_traceback(Print *p, Obj exc);
Obj exc_make(Obj o);                               // operand of raise: class or object -> object

// ---- Printing ------------------------------------------------------------------------------------------------------------

struct Print {
    void *ctx;
    void (*write)(void *ctx, const char *text, size_t n);
};
extern const Print print_stdout, print_stderr;
void print_text(const Print *p, const char *text);
void print_format(const Print *p, const char *format, ...); // as raise_msg
void print_vformat(const Print *p, const char *format, va_list ap);
void print_int(const Print *p, i64 v);
void print_obj(const Print *p, Obj o, PrintKind kind);
void print_quoted(const Print *p, const u8 *s, size_t n);    // as repr shows a str
void port_flush(void);

// A growing buffer of bytes.
typedef struct Vstr {
    u8 *data;
    size_t n, n_alloc;
} Vstr;
void vstr_init(Vstr *v, size_t n_alloc);
void vstr_add(Vstr *v, const char *text, size_t n);
void vstr_add_char(Vstr *v, char c);
void vstr_add_code_point(Vstr *v, u32 c);
void vstr_pad(Vstr *v, char c, size_t n);
Print vstr_print(Vstr *v);
Obj vstr_take(Vstr *v);                            // a str; the buffer becomes its data

// ---- Strings -------------------------------------------------------------------------------------------------------------

const u8 *str_data(Obj s, size_t *n);              // any str; raises TypeError for others
u32 str_hash(Obj s);
bool str_equal(Obj a, Obj b);
int str_compare(const u8 *a, size_t na, const u8 *b, size_t nb);
Qstr str_intern(Obj s);
Qstr str_attr_name(Obj s);                         // for getattr & co: TypeError if it is no str
size_t str_n_chars(Obj s);
size_t utf8_next(const u8 *s, u32 *code_point);      // bytes of the code point at s
size_t utf8_put(char *to, u32 code_point);
Obj str_char_at(const u8 *s, size_t n);            // one character as a str
Obj str_format_percent(Obj format, Obj args);
Obj str_format_method(size_t n_args, size_t n_kw, const Obj *args); // args[0] is the format
Obj str_format_one(Obj value, const u8 *spec, size_t n); // format(value, spec)
enum { N_STR_METHODS = 39 };
extern const FunBuiltin str_methods[];
Obj obj_str_borrowed(const u8 *data, size_t n);   // the bytes must stay

// ---- Numbers -------------------------------------------------------------------------------------------------------------

bool num_get_int(Obj o, i64 *out);                 // int or bool
bool num_get_float(Obj o, double *out);            // int, bool or float
i64 obj_get_int(Obj o);                            // raises TypeError; accepts __index__ types: int and bool
double obj_get_float(Obj o);
Obj int_from_double(double d);                     // truncates; OverflowError, ValueError
Obj int_binary_op(BinaryOp op, i64 a, i64 b);
Obj float_binary_op(BinaryOp op, double a, double b);
u32 float_hash(double d);
bool parse_int(const u8 *s, size_t n, int base, i64 *out); // false: not a number; raises past the small range
bool parse_float(const u8 *s, size_t n, double *out);      // the whole text, blanks around allowed
double float_from_text(const u8 *s, size_t n, size_t *n_used); // correctly rounded; n_used 0: no number there
size_t float_repr(double d, char out[32]);
// Digits of |d|, d finite and not 0. mode 0: shortest that reads back; 2: n significant; 3: n after the point.
// *point: place of the decimal point relative to the first digit. No trailing zeros in mode 0. Returns the count.
int float_digits(double d, int mode, int n, char *out, size_t n_out, int *point);
size_t float_format(double d, char kind, int precision, bool alternate, char *out, size_t n_out); // e f g %; without sign
double float_power(double x, double y);
double float_mod(double a, double b);
double math_fmod(double x, double y);

// ---- Operations on any object ----------------------------------------------------------------------------------------------

bool obj_is_true(Obj o);
bool obj_equal(Obj a, Obj b);
u32 obj_hash(Obj o);                               // TypeError: unhashable
Obj obj_len_maybe(Obj o);                          // OBJ_NULL: has no length
size_t obj_len(Obj o);
Obj obj_unary_op(UnaryOp op, Obj o);
Obj obj_binary_op(BinaryOp op, Obj a, Obj b);
Obj obj_subscr(Obj o, Obj index, Obj value);       // value SENTINEL load, NULL delete
Obj obj_call(Obj f, size_t n_args, size_t n_kw, const Obj *args);
INLINE Obj obj_call_0(Obj f) { return obj_call(f, 0, 0, NULL); }
INLINE Obj obj_call_1(Obj f, Obj a) { return obj_call(f, 1, 0, &a); }
Obj obj_call_method(size_t n_args, size_t n_kw, const Obj *args); // args: function, self or NULL, arguments
Obj obj_getiter(Obj o, IterBuf *buf);              // buf NULL: always on the heap
Obj obj_iternext(Obj it);                          // OBJ_NULL at the end
Obj obj_repr(Obj o);
Obj obj_to_str(Obj o);
bool obj_is_callable(Obj o);
void obj_load_method(Obj o, Qstr name, Obj dest[2]);       // AttributeError
void obj_load_method_maybe(Obj o, Qstr name, Obj dest[2]); // dest[0] NULL: none
Obj obj_load_attr(Obj o, Qstr name);
void obj_store_attr(Obj o, Qstr name, Obj value);  // value NULL deletes
Obj obj_str_kind(Obj o, PrintKind kind);
void stack_check(void);                            // RecursionError if the C stack is nearly used up
bool obj_is_subclass(const Type *t, const Type *of);
bool obj_isinstance(Obj o, Obj class_or_tuple);

// Index of a sequence: negative counts from the end; IndexError "`what` index out of range", TypeError.
size_t index_in(const Type *what, size_t n, Obj index);
typedef struct SliceRange {
    i64 start, stop, step;
    size_t n; // items
} SliceRange;
SliceRange slice_range(size_t n, Obj slice);

// ---- Names and modules -----------------------------------------------------------------------------------------------------

Obj vm_load_name(Qstr q);
Obj vm_load_global(Qstr q);
Obj builtin_lookup(Qstr q);                        // OBJ_NULL if there is none
Obj vm_import(Qstr name, Obj fromlist, Obj level);
Obj vm_import_from(Obj module, Qstr name);
void vm_import_star(Obj module);
void vm_unpack(Obj seq, size_t n, Obj *items);      // items[0] = last ... as UNPACK_SEQUENCE leaves them
void vm_unpack_ex(Obj seq, size_t n, Obj *items);

// ---- Types and classes -----------------------------------------------------------------------------------------------------

Obj type_lookup(const Type *t, Qstr name);         // OBJ_NULL; searches the classes in order
Obj type_lookup_after(const Type *t, const Type *after, Qstr name); // super(): classes behind `after`
void bind_attribute(Obj found, Obj self, const Type *type, Obj dest[2]);
Obj class_new(Qstr name, Obj bases, ObjDict *dict);
extern const FunBuiltin build_class;
const Type *class_native_base(const Type *t);       // first built-in class in the order, other than object; or NULL
Obj native_of(Obj o);                              // the built-in object inside an instance, or o itself
bool class_has(const Type *t, Qstr name);          // a user class defines it

// ---- Containers ------------------------------------------------------------------------------------------------------------

void list_append(ObjList *l, Obj o);
ObjList *list_from_iterable(Obj o);
void list_sort(ObjList *l, Obj key, bool reverse);
void seq_items(Obj o, size_t *n, Obj **items);     // of a list or tuple; TypeError
Obj seq_compare(BinaryOp op, Obj a, Obj b);       // both lists or both tuples
void dict_update(ObjDict *d, Obj from);
ObjDict *dict_get_map(Obj o);                      // TypeError if it is no dict
bool dict_equal(const Map *a, const Map *b);

// ---- Between the files of types ----------------------------------------------------------------------------------------------

Obj seq_getiter(Obj self, IterBuf *buf);            // of lists and tuples
Obj iterator_self(Obj self, IterBuf *buf);         // an iterator is its own iterator
void iterator_print(Print *p, Obj self, PrintKind kind);
Obj call_iterator(Obj f, Obj end);                 // iter(f, end)
extern const Type instance_type;                   // the functions of all types that class statements make
void instance_attr(Obj self, Qstr name, Obj *dest);
Obj instance_reflected_op(BinaryOp op, Obj left, Obj right); // __radd__ and the like of the right operand
void super_lookup(Obj class, Obj self, Qstr name, Obj dest[2]);
double float_of_ratio(u64 numerator, u64 denominator); // correctly rounded
void stream_write(Obj stream, const char *text, size_t n); // any object with a write method
Obj builtin_module(Qstr name);                     // OBJ_NULL: there is none
void fill_math(Map *m);

// Keyword arguments of a C function: value of `name` among the pairs, or OBJ_NULL; kw_check complains about others.
Obj kw_get(size_t n_kw, const Obj *pairs, Qstr name);
void kw_check(Qstr function, size_t n_kw, const Obj *pairs, const Qstr *allowed, size_t n_allowed);

#endif
