// front.h: the front end's own contract: tokens, identifiers, macros, scopes, and what each of its files exports.
//
// The source is preprocessed into one array of tokens, then parsed by recursive descent. Identifiers are interned:
// an Ident holds its keyword, its macro and its visible declarations, so no look-up ever searches by text again.
// An error fills Err and unwinds to cc_parse/cc_preprocess by longjmp (the only one in cc; nothing holds resources
// outside the arena and the two vectors that those functions free).
#ifndef CAPLAB_CC_FRONT_H
#define CAPLAB_CC_FRONT_H

#include "cc/ast.h"

#include <setjmp.h>

typedef struct Front Front;
typedef struct Ident Ident;
typedef struct Macro Macro;
typedef struct Binding Binding;

// ---- Tokens -----------------------------------------------------------------------------------------------------------

// CC_PUNCTS(X): NAME, spelling
#define CC_PUNCTS(X)                                                                                                   \
    X(LPAREN, "(") X(RPAREN, ")") X(LBRACK, "[") X(RBRACK, "]") X(LBRACE, "{") X(RBRACE, "}") X(COMMA, ",")            \
    X(SEMI, ";") X(COLON, ":") X(QUEST, "?") X(DOT, ".") X(ELLIPSIS, "...") X(ARROW, "->") X(TILDE, "~") X(NOT, "!")   \
    X(PLUS, "+") X(MINUS, "-") X(STAR, "*") X(SLASH, "/") X(PERCENT, "%") X(AMP, "&") X(PIPE, "|") X(CARET, "^")       \
    X(SHL, "<<") X(SHR, ">>") X(ANDAND, "&&") X(OROR, "||") X(EQ, "==") X(NE, "!=") X(LT, "<") X(GT, ">")              \
    X(LE, "<=") X(GE, ">=") X(ASSIGN, "=") X(PLUS_ASSIGN, "+=") X(MINUS_ASSIGN, "-=") X(STAR_ASSIGN, "*=")             \
    X(SLASH_ASSIGN, "/=") X(PERCENT_ASSIGN, "%=") X(AMP_ASSIGN, "&=") X(PIPE_ASSIGN, "|=") X(CARET_ASSIGN, "^=")       \
    X(SHL_ASSIGN, "<<=") X(SHR_ASSIGN, ">>=") X(INC, "++") X(DEC, "--") X(HASH, "#") X(HASHHASH, "##")

// CC_KEYWORDS(X): NAME, spelling, other spelling or NULL, third spelling or NULL
#define CC_KEYWORDS(X)                                                                                                 \
    X(VOID, "void", NULL, NULL) X(CHAR, "char", NULL, NULL) X(SHORT, "short", NULL, NULL) X(INT, "int", NULL, NULL)    \
    X(LONG, "long", NULL, NULL) X(FLOAT, "float", NULL, NULL) X(DOUBLE, "double", NULL, NULL)                          \
    X(SIGNED, "signed", "__signed__", "__signed") X(UNSIGNED, "unsigned", NULL, NULL) X(BOOL, "_Bool", NULL, NULL)     \
    X(INT128, "__int128", "__int128_t", NULL) X(UINT128, "__uint128_t", NULL, NULL)                                    \
    X(INTCAP, "__intcap", "__intcap_t", NULL) X(UINTCAP, "__uintcap_t", NULL, NULL)                                    \
    X(COMPLEX, "_Complex", "__complex__", NULL) X(ATOMIC, "_Atomic", NULL, NULL)                                       \
    X(CAPABILITY, "__capability", NULL, NULL)                                                                          \
    X(STRUCT, "struct", NULL, NULL) X(UNION, "union", NULL, NULL) X(ENUM, "enum", NULL, NULL)                          \
    X(TYPEOF, "typeof", "__typeof__", "__typeof") X(AUTO_TYPE, "__auto_type", NULL, NULL)                              \
    X(VA_LIST, "__builtin_va_list", NULL, NULL)                                                                        \
    X(CONST, "const", "__const", "__const__") X(VOLATILE, "volatile", "__volatile__", "__volatile")                    \
    X(RESTRICT, "restrict", "__restrict", "__restrict__")                                                              \
    X(TYPEDEF, "typedef", NULL, NULL) X(EXTERN, "extern", NULL, NULL) X(STATIC, "static", NULL, NULL)                  \
    X(AUTO, "auto", NULL, NULL) X(REGISTER, "register", NULL, NULL) X(THREAD, "_Thread_local", "__thread", NULL)       \
    X(INLINE, "inline", "__inline", "__inline__") X(NORETURN, "_Noreturn", NULL, NULL)                                 \
    X(ALIGNAS, "_Alignas", NULL, NULL) X(ATTRIBUTE, "__attribute__", "__attribute", NULL)                              \
    X(STATIC_ASSERT, "_Static_assert", NULL, NULL) X(EXTENSION, "__extension__", NULL, NULL)                           \
    X(ASM, "asm", "__asm__", "__asm") X(SIZEOF, "sizeof", NULL, NULL)                                                  \
    X(ALIGNOF, "_Alignof", "__alignof__", "__alignof") X(GENERIC, "_Generic", NULL, NULL)                              \
    X(IF, "if", NULL, NULL) X(ELSE, "else", NULL, NULL) X(FOR, "for", NULL, NULL) X(WHILE, "while", NULL, NULL)        \
    X(DO, "do", NULL, NULL) X(SWITCH, "switch", NULL, NULL) X(CASE, "case", NULL, NULL)                                \
    X(DEFAULT, "default", NULL, NULL) X(BREAK, "break", NULL, NULL) X(CONTINUE, "continue", NULL, NULL)                \
    X(GOTO, "goto", NULL, NULL) X(RETURN, "return", NULL, NULL) X(PROBE, "__probe", NULL, NULL)                        \
    X(FUNC, "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__")

typedef enum TokKind {
    TK_EOF,
    TK_IDENT,
    TK_NUM,     // preprocessing number, as written
    TK_CHAR,    // 'x', with prefix and quotes
    TK_STR,     // "x", with prefix and quotes
    TK_OTHER,   // a stray character
    TK_NEWLINE, // end of a directive's line
    TK_PARAM,   // in a macro's body: parameter number len
    TK_EMPTY,   // placemarker of ##
#define X(name, text) P_##name,
    CC_PUNCTS(X)
#undef X
#define X(name, a, b, c) K_##name,
    CC_KEYWORDS(X)
#undef X
    TK_COUNT
} TokKind;
static_assert(TK_COUNT <= 256, "Token.kind is a byte");

enum {
    TF_BOL = 1,      // first of its line
    TF_SPACE = 2,    // white space before it
    TF_NOEXPAND = 4, // a macro's name inside its own expansion
    TF_OWNED = 8,    // keeps its own position (a macro argument)
};

typedef struct Token {
    CcLoc loc;
    u8 kind, flags;
    u32 len; // bytes of text
    union {
        Ident *id;        // TK_IDENT, keywords, TK_PARAM
        const char *text; // others
    };
} Token;
static_assert(sizeof(Token) == 24, "tokens are compact");

struct Ident {
    const char *name; // NUL-terminated
    u32 len, hash;
    u8 keyword;   // TokKind K_…, 0 = none
    u8 directive; // DirectiveKind of pp.c, 0 = none
    u16 builtin;  // BuiltinId
    Macro *macro;
    Binding *binding; // innermost visible variable, function, typedef, enumerator
    Binding *tag;     // innermost visible struct, union, enum
    Obj *linked;      // the object or function with linkage of this name
    Label *label;     // of the current function
    u32 label_fn;     // number of the function that `label` belongs to
};

typedef struct IdentTable {
    Ident **slots; // open addressing, a power of two
    u32 cap, len;
} IdentTable;

typedef enum MacroKind {
    MACRO_OBJECT, MACRO_FUNCTION,
    // computed at the use
    MACRO_LINE, MACRO_FILE, MACRO_COUNTER, MACRO_INCLUDE_LEVEL, MACRO_BASE_FILE,
    MACRO_HAS_ATTRIBUTE, MACRO_HAS_BUILTIN, MACRO_HAS_FEATURE, MACRO_HAS_INCLUDE,
} MacroKind;

struct Macro {
    Ident *name;
    MacroKind kind;
    CcLoc loc;
    bool is_variadic;   // the last parameter takes the rest
    bool is_disabled;   // being expanded
    bool has_paste;     // body contains # or ## or __VA_OPT__: needs substitution even without parameters
    bool is_predefined;
    Token *body;
    u32 n_body, n_params;
    Ident **params;
};

typedef VEC(Token) TokenVec;

typedef struct Lexer {
    const char *at, *line_start;
    u32 line;
    u16 file;
    bool is_bol;       // nothing but white space so far on this line
    bool in_directive; // a newline is a token
} Lexer;

typedef struct PpFile { // one file being read
    struct PpFile *outer;
    Lexer lx;
    u32 n_conds_before; // open #if of the files around it
    i32 line_delta;     // of #line, for __LINE__ only
    const char *shown;  // of #line, for __FILE__ only
} PpFile;

typedef struct PpCond { // one open #if
    CcLoc loc;
    bool was_taken, has_else;
} PpCond;

typedef struct PpContext { // tokens to read before going on with the file
    const Token *at, *end;
    Macro *macro;      // enabled again at the end
    CcLoc loc;         // replaces the tokens' position
    bool relocates, is_barrier;
    u8 first_flags;    // relocates: white space before the first token
    const Token *start;
} PpContext;

// ---- Scopes -----------------------------------------------------------------------------------------------------------

typedef enum BindingKind { BIND_OBJ, BIND_TYPEDEF, BIND_ENUM, BIND_TAG } BindingKind;

struct Binding {
    BindingKind kind;
    u32 depth;        // scope it is in; 0 = file
    Ident *id;
    Binding *outer;   // what it hides
    Binding *in_scope; // next one of the same scope
    Obj *obj;         // BIND_OBJ
    Type *type;       // BIND_TYPEDEF, BIND_TAG, BIND_ENUM
    i64 value;        // BIND_ENUM
    CcLoc loc;
};

typedef struct Scope {
    struct Scope *outer;
    u32 depth;
    Binding *bindings;
} Scope;

// ---- The state of one compilation ---------------------------------------------------------------------------------------

struct Front {
    const CcOptions *opt;
    Arena *arena;
    Err *err;
    jmp_buf unwind;
    bool is_purecap;
    CcUnit *unit;
    u32 files_cap;

    // identifiers
    IdentTable idents;
    Ident *id_defined, *id_va_args, *id_va_opt, *id_pragma;

    // preprocessor
    PpFile *file;
    VEC(PpCond) conds;
    VEC(PpContext) contexts;
    TokenVec arg_tokens; // stack of arguments being collected
    TokenVec tokens;     // the result
    bool *is_once;       // by file number
    bool in_if;          // `defined` is an operator
    u32 include_depth, expand_depth, n_expanded, counter;

    // parser
    Token *tok; // the current token
    Scope *scope;
    u32 nesting;          // of recursive descent
    Type *types[TY_ENUM]; // void and the arithmetic types
    Type *va_list_type, *str_type;
    Obj **objs_tail;
    u32 n_strings, n_anon;
    struct StrSlot *strings; // table of equal literals
    u32 strings_cap;
    u32 in_params;        // > 0: inside a parameter list: the outermost array length does not matter
    const char *arg_callee; // node_argument: for messages
    u32 arg_number;
    bool is_unevaluated;  // inside sizeof, typeof, __probe: names are not references

    // the current function
    Obj *fn;
    u32 fn_number;
    VEC(Obj *) locals;
    VEC(Obj *) refs;
    Label **labels_tail;
    VEC(Ident *) gotos;   // labels used before they are defined
    struct Loop *loop;    // innermost loop, for continue
    struct Loop *breaks;  // innermost loop or switch, for break
    struct SwitchState *switch_;
    VEC(Node *) stmts;    // stack of statements of the open blocks
};

// ---- diag.c -----------------------------------------------------------------------------------------------------------
_Noreturn void front_fail(Front *f, CcLoc loc, const char *fmt, ...) PRINTF_LIKE(3, 4);
_Noreturn void front_fail_hint(Front *f, CcLoc loc, const char *hint, const char *fmt, ...) PRINTF_LIKE(4, 5);
void front_warn(Front *f, CcLoc loc, const char *flag, const char *fmt, ...) PRINTF_LIKE(4, 5);
const char *front_similar_name(Front *f, const Ident *id, bool is_tag); // of what is visible; NULL = none
void front_enter(Front *f, CcLoc loc);                                  // one level of nesting deeper, or fail
static inline void front_leave(Front *f) { f->nesting--; }

// ---- lex.c ------------------------------------------------------------------------------------------------------------
Ident *lex_intern(Front *f, const char *s, u32 len);
void lex_init(Front *f); // keywords
const char *lex_clean_text(Front *f, const char *text);
void lex_start(Lexer *lx, const char *text, u16 file);
void lex_token(Front *f, Lexer *lx, Token *t);
void lex_skip_line(Lexer *lx); // to the newline that ends a directive
bool lex_skip_space(Front *f, Lexer *lx); // true if there was any
u32 lex_spelling(const Token *t, const char **text);
extern const char *const lex_kind_text[TK_COUNT];

// ---- pp.c, pp_macro.c, pp_expr.c, predef.c ------------------------------------------------------------------------------
void pp_run(Front *f, const CcSource *source); // fills f->tokens
void pp_raw(Front *f, Token *t);               // next token, directives done, macros not expanded
void pp_next(Front *f, Token *t);              // next token, macros expanded
void pp_directive(Front *f, const Token *hash);
void pp_push(Front *f, PpContext c);
void pp_define(Front *f, Lexer *lx);
void pp_undef(Front *f, Ident *id, CcLoc loc);
Token *pp_expand_list(Front *f, const Token *at, u32 n, u32 *n_out); // all macros expanded; in the arena
bool pp_eval_if(Front *f, const Token *at, u32 n, CcLoc loc);
bool pp_has_include(Front *f, const Token *first); // reads the parenthesised name
void predef_start(Front *f);                   // the computed macros (__LINE__ …)
void predef_meet(Front *f, const Ident *id);
CcSource predef_command_line(Front *f);        // opt->defines, as text

// ---- lit.c: numbers, characters, strings --------------------------------------------------------------------------------
bool lit_integer(Front *f, const Token *t, u64 *value, TypeKind *kind); // false: it is a floating constant
double lit_float(Front *f, const Token *t, TypeKind *kind);
i64 lit_char(Front *f, const Token *t, TypeKind *kind);
u8 *lit_strings(Front *f, u64 *n_units, TypeKind *kind); // adjacent literals at f->tok, with the final zero
Obj *lit_string_obj(Front *f, const u8 *bytes, u64 n_units, TypeKind kind);

// ---- type.c -----------------------------------------------------------------------------------------------------------
void type_init(Front *f);
Type *type_ptr(Front *f, Type *base);
Type *type_array(Front *f, Type *elem, u64 len, bool is_incomplete);
Type *type_func(Front *f, Type *result, Type **params, u32 n_params, bool is_variadic, bool is_unprototyped);
Type *type_new(Front *f, TypeKind kind); // struct, union, enum: incomplete
Type *type_qualify(Front *f, Type *t, bool is_const, bool is_volatile); // adds
void type_complete(Front *f, Type *t);   // a record or enum got its size: its qualified forms too
void type_layout(Front *f, Type *t, CcLoc loc);
bool type_same(const Type *a, const Type *b); // compatible, qualifiers of the outermost level ignored
Type *type_promote(Front *f, Type *t);
Type *type_usual(Front *f, Type *a, Type *b); // usual arithmetic conversions
Type *type_composite(Front *f, Type *a, Type *b);
Member *type_find_member(Type *t, const char *name, Member **path, u32 *n_path); // path through anonymous members
static inline bool type_is_void(const Type *t) { return t->kind == TY_VOID; }
static inline bool type_is_func_ptr(const Type *t) { return t->kind == TY_PTR && t->base->kind == TY_FUNC; }
static inline TypeKind type_int_kind(const Type *t) { return t->kind == TY_ENUM ? t->base->kind : t->kind; }

// ---- node.c, node_ops.c: nodes with their types and conversions ---------------------------------------------------------
Node *node_new(Front *f, NodeKind kind, CcLoc loc, Type *type, Node *lhs, Node *rhs);
Node *node_num(Front *f, CcLoc loc, Type *type, i64 value);
Node *node_var(Front *f, CcLoc loc, Obj *var);
Node *node_block(Front *f, CcLoc loc, u32 from); // of the statements pushed since f->stmts.len was `from`
void node_depth(Front *f, Node *n, const Node *child);
bool node_is_place(const Node *n);
Node *node_value(Front *f, Node *n);  // load, decay
Node *node_addr(Front *f, Node *place, CcLoc loc);
Node *node_deref(Front *f, Node *ptr, CcLoc loc);
Node *node_member(Front *f, Node *place, Member *m, CcLoc loc);
Node *node_field(Front *f, Node *base, Ident *id, CcLoc loc); // base.id
Node *node_cast(Front *f, Node *value, Type *to, CcLoc loc);  // an allowed conversion, or fail
Node *node_convert(Front *f, Node *value, Type *to, CcLoc loc, const char *what); // as if by assignment
Node *node_argument(Front *f, Node *value, Type *to, CcLoc loc, const char *callee, u32 number); // the same
Node *node_promote(Front *f, Node *value);
Node *node_scalar(Front *f, Node *value, CcLoc loc);          // checks that it can be compared with zero
Node *node_binary(Front *f, NodeKind op, Node *lhs, Node *rhs, CcLoc loc, bool is_compound);
Node *node_compare(Front *f, TokKind op, Node *lhs, Node *rhs, CcLoc loc);
Node *node_add(Front *f, Node *lhs, Node *rhs, CcLoc loc, bool is_compound);
Node *node_sub(Front *f, Node *lhs, Node *rhs, CcLoc loc, bool is_compound);
Node *node_unary(Front *f, NodeKind op, Node *value, CcLoc loc);
Node *node_cond(Front *f, Node *cond, Node *a, Node *b, CcLoc loc);
Node *node_assign(Front *f, Node *place, Node *value, CcLoc loc);
Node *node_update(Front *f, TokKind op, Node *place, Node *value, CcLoc loc, bool is_post);
bool node_is_null_const(const Node *n);
void node_check_modifiable(Front *f, const Node *place, CcLoc loc);

// ---- constant.c -------------------------------------------------------------------------------------------------------
typedef struct ConstVal { // base + ival, or fval
    i64 ival;
    double fval;
    Obj *sym;
    Label *label, *label2;
} ConstVal;
bool const_eval(const Node *n, ConstVal *out);      // false: not a constant
bool const_int(const Node *n, i64 *out);            // an integer constant expression (lenient)
i64 const_need_int(Front *f, const Node *n, CcLoc loc, const char *what);
i64 const_wrap(const Type *t, i64 v);               // as a value of integer type t

// ---- parse_*.c --------------------------------------------------------------------------------------------------------
bool parse_accept(Front *f, TokKind k);
Token *parse_expect(Front *f, TokKind k, const char *where);
Ident *parse_ident(Front *f, const char *what);
_Noreturn void parse_unexpected(Front *f, const char *expected);
void scope_enter(Front *f);
void scope_leave(Front *f);
Binding *scope_bind(Front *f, BindingKind kind, Ident *id, CcLoc loc);

Node *parse_expr(Front *f);         // with commas; may be a place
Node *parse_assign(Front *f);       // without
Node *parse_value(Front *f);        // parse_expr as a value
Node *parse_assign_value(Front *f);
Node *parse_cond(Front *f);
i64 parse_const_int(Front *f, const char *what);
Node *parse_builtin(Front *f, BuiltinId id, CcLoc loc);
bool parse_builtin_sig_ok(void);
Node *parse_probe(Front *f);
Node *parse_call(Front *f, Node *fn, CcLoc loc);

typedef struct Attrs { // what attributes and specifiers said about one declaration
    u32 align;
    const char *section, *asm_name;
    bool is_packed, is_noreturn, is_noinline, is_always_inline, is_returns_twice, is_used, is_weak, is_no_provenance;
    const char *vector_or_mode; // an attribute that would change meaning: refused by name
} Attrs;

typedef struct DeclSpec {
    Type *type;
    bool is_typedef, is_extern, is_static, is_register, is_inline, is_auto_type;
    Attrs attrs;
    CcLoc loc;
} DeclSpec;

typedef struct Declarator {
    Ident *id; // NULL = abstract
    CcLoc loc;
    Type *type;
    // parameters of the outermost function declarator, for a definition
    Obj **params;
    u32 n_params;
    Attrs attrs;
} Declarator;

bool parse_is_type(const Front *f, const Token *t); // starts a declaration or type name
void parse_declspec(Front *f, DeclSpec *out);
void parse_declarator(Front *f, Type *base, Declarator *out, bool wants_name);
Type *parse_type_name(Front *f);
Type *parse_record(Front *f, TypeKind kind, CcLoc loc);
Type *parse_enum(Front *f, CcLoc loc);
Type *parse_typeof(Front *f);
void parse_merge_attrs(Attrs *to, const Attrs *from);
void parse_attributes(Front *f, Attrs *a);
bool parse_attr_known(const char *name);
bool parse_static_assert(Front *f);
void parse_declaration(Front *f); // at file scope or in a block: pushes initialisation statements
void parse_unit(Front *f);
Obj *parse_new_obj(Front *f, ObjKind kind, const char *name, Type *type, CcLoc loc);
Obj *parse_new_local(Front *f, const char *name, Type *type, CcLoc loc);
void parse_statement(Front *f); // pushes onto f->stmts
Node *parse_compound(Front *f); // { … }
void parse_function_body(Front *f, Obj *fn, Declarator *d);
Label *parse_label_ref(Front *f, Ident *id, CcLoc loc);
Label *parse_new_label(Front *f, const char *name, CcLoc loc);
AsmStmt *parse_asm(Front *f);
const char *parse_string_text(Front *f, const char *what); // NUL-terminated

// ---- init.c -----------------------------------------------------------------------------------------------------------
void init_global(Front *f, Obj *obj); // `= …` at f->tok (behind the =); completes obj->type
void init_local(Front *f, Obj *obj);  // pushes statements
Node *init_compound_literal(Front *f, Type *type, CcLoc loc);

#endif
