// compile.h: what the parts of the Python compiler share. One Py is one compilation; everything lives in its arena.
//
//     source ─ lex ─► tokens ─ parse (+ fold) ─► Node tree ─ gen, pass 1: names ─► scopes
//                                                          └ gen, pass 2: instructions ─ emit ─► code ─ write ─► .mpy
//
// gen walks every scope's tree twice with the same functions, because .mpy numbers its strings and objects in the order
// in which a compiler first asks for them, and the first walk asks for some, the second for the rest (docs/bytecode.md).
// An error unwinds with one longjmp to py_compile, which frees the arena.
#ifndef CAPLAB_VM_PY_COMPILE_H
#define CAPLAB_VM_PY_COMPILE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "vm/py/bytecode.h"

#include <setjmp.h>

enum {
    PY_MAX_NESTING = 150,    // of brackets, operators and blocks together: bounds the host's stack
    PY_MAX_INDENTS = 100,
    PY_MAX_SOURCE = 1 << 22, // bytes; offsets are u32
};

typedef struct Node Node;
typedef struct Scope Scope;

// A name or a string, stored once: equal texts are equal pointers.
typedef struct Atom {
    struct Atom *next; // in its bucket
    const char *text;  // NUL behind it
    u32 len, hash;
    bool is_qstr;      // known as a name, or a short string: later literals with this text become qstrs
    u32 static_number; // 0: none
    u32 table_index;   // in the file's qstr table, plus 1; 0: not asked for yet
    Node *constant;    // value of NAME = const(value)
} Atom;

// ---- tokens ----

#define PY_KEYWORDS(X)                                                                                       \
    X(FALSE, "False") X(NONE, "None") X(TRUE, "True") X(AND, "and") X(AS, "as") X(ASSERT, "assert")          \
    X(ASYNC, "async") X(AWAIT, "await") X(BREAK, "break") X(CLASS, "class") X(CONTINUE, "continue")          \
    X(DEF, "def") X(DEL, "del") X(ELIF, "elif") X(ELSE, "else") X(EXCEPT, "except") X(FINALLY, "finally")    \
    X(FOR, "for") X(FROM, "from") X(GLOBAL, "global") X(IF, "if") X(IMPORT, "import") X(IN, "in")            \
    X(IS, "is") X(LAMBDA, "lambda") X(NONLOCAL, "nonlocal") X(NOT, "not") X(OR, "or") X(PASS, "pass")        \
    X(RAISE, "raise") X(RETURN, "return") X(TRY, "try") X(WHILE, "while") X(WITH, "with") X(YIELD, "yield")

// Longer ones before their prefixes: the lexer takes the first that fits.
#define PY_PUNCTUATION(X)                                                                                    \
    X(SHL_ASSIGN, "<<=") X(SHR_ASSIGN, ">>=") X(POW_ASSIGN, "**=") X(FLOORDIV_ASSIGN, "//=")                 \
    X(ELLIPSIS, "...") X(ADD_ASSIGN, "+=") X(SUB_ASSIGN, "-=") X(MUL_ASSIGN, "*=") X(DIV_ASSIGN, "/=")       \
    X(MOD_ASSIGN, "%=") X(MATMUL_ASSIGN, "@=") X(AND_ASSIGN, "&=") X(OR_ASSIGN, "|=") X(XOR_ASSIGN, "^=")    \
    X(SHL, "<<") X(SHR, ">>") X(POW, "**") X(FLOORDIV, "//") X(EQUAL, "==") X(NOT_EQUAL, "!=")               \
    X(LESS_EQUAL, "<=") X(MORE_EQUAL, ">=") X(ARROW, "->") X(WALRUS, ":=") X(LPAREN, "(") X(RPAREN, ")")     \
    X(LBRACKET, "[") X(RBRACKET, "]") X(LBRACE, "{") X(RBRACE, "}") X(COLON, ":") X(COMMA, ",")              \
    X(SEMICOLON, ";") X(DOT, ".") X(ASSIGN, "=") X(PLUS, "+") X(MINUS, "-") X(STAR, "*") X(SLASH, "/")       \
    X(PERCENT, "%") X(AT, "@") X(AMPERSAND, "&") X(PIPE, "|") X(CARET, "^") X(TILDE, "~") X(LESS, "<")       \
    X(MORE, ">")

typedef enum TokenKind {
    TOK_END, TOK_NEWLINE, TOK_INDENT, TOK_DEDENT,
    TOK_NAME,   // atom
    TOK_NUMBER, // value
    TOK_STRING, // text; is_bytes
    TOK_FSTRING, // at..end of its contents in the source; is_raw
#define ROW(NAME, text) KW_##NAME,
    PY_KEYWORDS(ROW)
#undef ROW
#define ROW(NAME, text) TOK_##NAME,
    PY_PUNCTUATION(ROW)
#undef ROW
} TokenKind;

typedef struct Token {
    TokenKind kind;
    u32 at, end;  // bytes of the source
    u32 line;     // of `at`
    Atom *atom;   // TOK_NAME
    Node *value;  // TOK_NUMBER
    const char *text; // TOK_STRING: decoded; TOK_FSTRING: raw contents, in the source
    u32 len;
    bool is_bytes, is_raw;
} Token;

typedef struct Bracket {
    char open;
    u32 at, line;
} Bracket;

typedef struct Lexer {
    u32 pos, end, line;           // next byte, end of the text
    bool is_line_start, is_nested; // is_nested: inside an f-string's braces, no lines there
    u32 n_indents, n_dedents_due;
    struct { u32 col8, col1; } indents[PY_MAX_INDENTS + 1]; // columns with tabs of 8 and of 1
    u32 n_brackets;
    Bracket brackets[PY_MAX_NESTING + 1];
    TokenKind last; // of the token before
} Lexer;

// ---- syntax tree ----

typedef enum NodeKind {
    // leaves: they step no line
    N_NAME, N_INT, N_STR, N_NONE, N_TRUE, N_FALSE, N_ELLIPSIS,
    // expressions; kids in brackets
    N_OBJECT,                       // constant
    N_IF_ELSE,                      // [value, condition, other]
    N_OR, N_AND, N_NOT,             // [operands…]
    N_COMPARE, N_BINARY,            // [operands…], ops
    N_UNARY,                        // [operand], op
    N_POSTFIX,                      // [base, trailers…]
    N_CALL, N_INDEX, N_ATTRIBUTE,   // trailers: [arguments…], [index], name
    N_TUPLE, N_LIST, N_SET,         // [items…]
    N_DICT, N_PAIR,                 // [pairs…], [key, value]
    N_COMPREHENSION,                // [element or pair, clauses…], scope_kind
    N_COMP_FOR, N_COMP_IF,          // clauses: [target, iterable], [condition]
    N_SLICE,                        // [start, stop, step], each may be NULL
    N_STAR, N_DOUBLE_STAR,          // [value]
    N_KEYWORD,                      // name, [value]: an argument
    N_WALRUS,                       // name, [value]
    N_LAMBDA,                       // [parameters, body]
    N_YIELD, N_YIELD_FROM,          // [value or NULL]
    // statements
    N_BLOCK,                        // [statements…]
    N_EXPR, N_PASS, N_BREAK, N_CONTINUE,
    N_ASSIGN,                       // [target, …, value]
    N_AUG_ASSIGN,                   // [target, value], op
    N_ANNOTATED,                    // [target, value or NULL]
    N_DEL,                          // [targets…]
    N_RETURN, N_RAISE,              // [value or NULL], [exception or NULL, cause or NULL]
    N_ASSERT,                       // [condition, message or NULL]
    N_GLOBAL, N_NONLOCAL,           // [names…]
    N_IMPORT, N_FROM_IMPORT,        // [modules…]; name = module or NULL, number = level, [names…] (none: star)
    N_IMPORT_ITEM,                  // name (dotted), as_name or NULL
    N_IF,                           // [condition, block, condition, block, …, else block or NULL]
    N_WHILE,                        // [condition, block, else block or NULL]
    N_FOR,                          // [target, iterable, block, else block or NULL]
    N_TRY,                          // [block, else or NULL, finally or NULL, handlers…]
    N_HANDLER,                      // [type or NULL, block], name or NULL
    N_WITH, N_WITH_ITEM,            // [items…, block], [manager, target or NULL]
    N_DEF, N_CLASS,                 // name, [parameters, block], name, [arguments or NULL, block]
    N_DECORATED,                    // [decorators (postfix or name)…, definition]
    N_PARAMETERS, N_PARAMETER,      // [parameters…], name or NULL (bare star), number = stars, [default or NULL]
} NodeKind;

typedef struct Const {
    PyObjKind kind;
    const char *text; // STR, BYTES: contents; INT: decimal digits, '-' before them
    u32 len;          // of text, or number of items
    bool is_small;    // INT: value fits number below
    i128 number;
    double real;      // FLOAT; COMPLEX: the imaginary part
    u32 at;           // byte of the source
    struct Const **items; // TUPLE
} Const;

struct Node {
    NodeKind kind;
    u8 op;
    bool is_paren;  // a tuple or generator in brackets of its own
    u8 scope_kind;  // N_COMPREHENSION
    u32 line, at;   // of its first token
    u32 n;
    Node **kids;
    u8 *ops;        // N_COMPARE: n - 1 of enum CompareOp; N_BINARY: n - 1 of PyBinary
    Atom *name, *as_name;
    i64 number;     // N_INT
    Const *object;  // N_OBJECT
    Scope *scope;   // of a definition, lambda, comprehension: made in pass 1
};

// Operators of N_COMPARE: PyBinary numbers, and the two that a NOT follows.
enum { COMPARE_NOT_IN = 0x80 | PY_BINARY_IN, COMPARE_IS_NOT = 0x80 | PY_BINARY_IS };

// ---- scopes and code ----

typedef enum ScopeKind {
    SCOPE_MODULE, SCOPE_CLASS,
    SCOPE_FUNCTION, SCOPE_LAMBDA, SCOPE_LIST_COMP, SCOPE_DICT_COMP, SCOPE_SET_COMP, SCOPE_GENERATOR, // function-like
} ScopeKind;

typedef enum IdKind {
    ID_UNDECIDED,
    ID_GLOBAL,          // used, never bound here: may turn out to be a free variable
    ID_GLOBAL_ASSIGNED, // bound in a module or class body
    ID_GLOBAL_EXPLICIT, // by a global statement, or what is left of ID_GLOBAL in a function
    ID_LOCAL, ID_CELL, ID_FREE,
} IdKind;

enum { ID_IS_PARAM = 1, ID_IS_STAR = 2, ID_IS_DOUBLE_STAR = 4 };

typedef struct Id {
    Atom *name;
    IdKind kind;
    u8 flags;
    u32 local; // slot number
} Id;

struct Scope {
    ScopeKind kind;
    Scope *parent, *next; // next in the order of passes
    Node *node;
    Atom *name;
    VEC(Id) ids;
    u32 *id_slots, n_id_slots; // hash table over ids: index + 1
    u32 n_pos, n_kwonly, n_def_pos, n_locals; // n_pos: with the free variables, once finished
    Atom **arg_names; // of the slots 0..n_pos + n_kwonly - 1, "*" where no parameter is
    u8 flags;                  // PY_FLAG_*
    u32 depth, max_depth;      // operand stack in pass 2
    u32 max_records;           // exception records
    VEC(Scope *) children;     // of pass 2, in order of their MAKE_*
    u8 *code;                  // finished code object, arena
    u32 code_len;
};

typedef struct Insn {
    u8 op, extra;
    bool is_long; // label takes two bytes
    i64 arg;      // operand; for labels the label's number
    u32 offset;
} Insn;

typedef struct LineMark {
    u32 insn, line;
} LineMark;

typedef struct Py {
    Arena arena;
    const char *src; // source, NUL behind it
    u32 src_len;
    const char *file_name;
    bool for_machine; // refuse the constants that vm/guest does not have
    Err *err;
    jmp_buf on_error;

    Atom **buckets;
    u32 n_buckets, n_atoms;

    Lexer lex;
    Token tok;      // the current token
    u32 depth;      // nesting of the parser
    VEC(Node *) stack; // kids of the nodes under construction
    VEC(u8) op_stack;

    // gen
    Scope *first_scope, *last_scope, *scope;
    bool is_naming;     // pass 1
    u32 break_label, continue_label, loop_records; // of the innermost loop (0: none); loop_records: records around it
    bool is_iterator_loop;
    u32 n_loops; // around the current statement
    u32 records;        // exception records around the current statement
    u32 last_line;
    bool is_dead;       // code after a jump: counted, not written
    VEC(u32) labels;    // instruction index of each
    VEC(Insn) insns;
    VEC(LineMark) marks;
    Buf info, cells, code; // of code.c

    // output tables
    VEC(Atom *) qstrs;
    VEC(Const *) objects; // text/len: the entry as it stands in the file
    u32 *object_slots, n_object_slots;
} Py;

// py.c
_Noreturn void py_fail(Py *py, u32 at, const char *hint, const char *fmt, ...) PRINTF_LIKE(4, 5); // hint may be NULL
u32 py_hash(const char *s, size_t len);
Atom *py_atom(Py *py, const char *text, size_t len);
Atom *py_name(Py *py, const char *text); // a name of the compiler's own
Atom *py_static(Py *py, u32 number);
void py_enter(Py *py, u32 at);           // one level of nesting deeper, within the limit
static inline void py_leave(Py *py) { py->depth--; }

// lex.c, lex_text.c
void py_lex_start(Py *py);
void py_next(Py *py); // advances py->tok
const char *py_token_text(TokenKind kind);
bool py_utf8_check(const char *s, size_t len, size_t *bad_at);
void py_lex_number(Py *py, Token *t);
void py_lex_string(Py *py, Token *t, u32 prefix_len);
// Decodes the escape at src[*pos] == '\\', staying before limit; returns the bytes written to out: never more than read.
u32 py_decode_escape(Py *py, u32 *pos, u32 limit, bool is_bytes, char *out);

// node.c, fold.c
Node *py_node(Py *py, NodeKind kind, u32 line, u32 at);
Node *py_node_kids(Py *py, NodeKind kind, u32 line, u32 at, u32 n, Node *const *kids);
Node *py_node_from_stack(Py *py, NodeKind kind, u32 line, u32 at, u32 mark); // takes py->stack from mark on
Node *py_name_node(Py *py, Atom *name, u32 line, u32 at);
Node *py_string_node(Py *py, const char *text, u32 len, bool is_bytes, u32 line, u32 at);
Node *py_int_node(Py *py, i128 value, u32 line, u32 at);
Node *py_float_node(Py *py, double value, PyObjKind kind, u32 line, u32 at);
Node *py_big_int_node(Py *py, const char *digits, u32 len, u32 line, u32 at);
bool py_is_const(const Node *n);
bool py_is_const_bool(const Node *n, bool value); // a constant whose truth is value
Node *py_fold(Py *py, Node *n);                   // an operator, and, or, not, tuple node; itself if nothing folds
Const *py_const_of(Py *py, const Node *n);
void py_format_float(double v, char out[40]);

// parse_expr.c, parse_atom.c, parse_fstring.c, parse_stmt.c, parse_def.c
Node *py_parse_file(Py *py);
Node *py_parse_test(Py *py);
Node *py_parse_named_test(Py *py);          // with :=
Node *py_parse_test_list(Py *py, bool allow_star); // a, b, c without brackets
Node *py_parse_target_list(Py *py);         // of for and del
Node *py_parse_binary(Py *py);              // from | down
Node *py_parse_or_test(Py *py);
Node *py_parse_atom_expr(Py *py);
Node *py_parse_call_args(Py *py);           // after '(' up to and with ')'
Node *py_parse_yield(Py *py);
Node *py_parse_strings(Py *py);
Node *py_parse_parameters(Py *py, TokenKind closer);
Node *py_parse_block(Py *py, const char *owner, u32 owner_line);
Node *py_parse_definition(Py *py); // def, class, @
Node *py_parse_compound(Py *py);   // NULL: no compound statement here
bool py_accept(Py *py, TokenKind kind);
void py_expect(Py *py, TokenKind kind, const char *after);
Atom *py_expect_name(Py *py, const char *what);
_Noreturn void py_unexpected(Py *py);

// scope.c
Scope *py_scope_new(Py *py, ScopeKind kind, Node *node, Atom *name);
static inline bool py_is_function_like(ScopeKind k) { return k >= SCOPE_FUNCTION; }
static inline bool py_is_comprehension(ScopeKind k) { return k >= SCOPE_LIST_COMP; }
Id *py_scope_find(const Scope *s, const Atom *name);
Id *py_scope_add(Scope *s, Py *py, Atom *name, IdKind kind); // found, or added with this kind
Id *py_scope_bind(Py *py, Scope *s, Atom *name);             // a binding of name in s
bool py_scope_close_over(Py *py, Scope *s, Id *id);          // makes id free if an outer function has it
void py_scope_finish(Py *py, Scope *s);                      // numbers the locals

// gen_scope.c, gen_stmt.c, gen_expr.c, gen_assign.c
void py_gen_all(Py *py, Node *module);
void py_gen(Py *py, const Node *n);        // any node, NULL: nothing
void py_gen_expr(Py *py, const Node *n);
void py_gen_stmt(Py *py, const Node *n);
void py_gen_condition(Py *py, const Node *n, bool jump_if, u32 label);
void py_gen_call(Py *py, const Node *args, bool is_method, u32 n_before);
void py_gen_trailer(Py *py, const Node *t);
void py_gen_store(Py *py, const Node *target);
void py_gen_aug_load(Py *py, const Node *target);
void py_gen_aug_store(Py *py, const Node *target);
void py_gen_delete(Py *py, const Node *target);
void py_gen_assign(Py *py, const Node *n);
void py_gen_try(Py *py, const Node *n);
void py_gen_with(Py *py, const Node *n);
void py_gen_definition(Py *py, const Node *n); // N_DEF, N_CLASS, N_DECORATED
void py_gen_function(Py *py, Node *n, ScopeKind kind, Atom *name, const Node *params); // leaves it on the stack
void py_gen_comprehension(Py *py, Node *n);
void py_gen_load(Py *py, Atom *name);
void py_gen_store_name(Py *py, Atom *name, u32 at);
void py_gen_delete_name(Py *py, Atom *name, u32 at);

// emit.c, code.c
void py_emit(Py *py, PyOp op, i64 arg);               // adjusts the depth by the opcode's own rule
void py_emit_q(Py *py, PyOp op, Atom *name);
void py_emit_const(Py *py, const Node *object);
void py_emit_jump(Py *py, PyOp op, u32 label);
void py_emit_unwind(Py *py, u32 label, u32 n_records, bool drops_iterator);
void py_emit_make(Py *py, Scope *child, u32 n_cells, bool has_defaults);
void py_emit_int(Py *py, i64 value);
void py_emit_local(Py *py, PyOp multi, PyOp n_form, u32 local);
void py_emit_line(Py *py, u32 line);
void py_adjust(Py *py, i32 delta);                    // the stack is deeper than instructions tell
u32 py_label(Py *py);
void py_place(Py *py, u32 label);
void py_emit_start(Py *py, Scope *s);
void py_code_finish(Py *py, Scope *s); // after pass 2: fills s->code

// mpy_write.c
void py_put_varuint(Buf *b, u64 v); // most significant group first
u32 py_qstr_index(Py *py, Atom *a);
u32 py_object_index(Py *py, const Const *c);
void py_write_mpy(Py *py, Scope *module, Buf *out);

#endif
