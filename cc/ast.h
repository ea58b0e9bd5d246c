// ast.h: the typed syntax tree: what the front end (lex, pp, parse, type, init) hands to the IR lowering.
//
// One idea: nothing implicit is left. Every conversion is an ND_CAST, every read of an object is an ND_LOAD, array and
// function decay are ND_ADDR, `a += b` is an ND_UPDATE, break and continue are ND_GOTO. For example, with short s; int *p:
//
//     p[1] += s    UPDATE int  lhs: DEREF int (PTRADD int* (LOAD int* (VAR p), NUM long 1, scale 4))
//                              rhs: ADD int (OLD int, CAST int <CAST_INT> (LOAD short (VAR s)))
//
// A *place* (lvalue) is ND_VAR, ND_DEREF, ND_MEMBER, or an ND_COMMA that ends in a place; it names memory and is not yet
// read. Places occur only under ND_LOAD, ND_ADDR, ND_MEMBER, as lhs of ND_ASSIGN, ND_UPDATE, ND_ZERO, and in ND_ASM
// outputs. All other expression nodes are values; struct and union values are allowed (ND_LOAD, ND_ASSIGN, ND_CALL,
// ND_COND, ND_COMMA, ND_VA_ARG, ND_STMT_EXPR of struct type).
//
// Everything lives in the arena given to cc_parse; the tree is at most CC_MAX_DEPTH deep, so recursion over it is safe.
#ifndef CAPLAB_CC_AST_H
#define CAPLAB_CC_AST_H

#include "base/arena.h"
#include "cc/cc.h"

typedef struct Type Type;
typedef struct Member Member;
typedef struct Obj Obj;
typedef struct Node Node;
typedef struct Label Label;

enum { CC_MAX_DEPTH = 2000 };

// A place in the sources. file indexes CcUnit.files; a macro's expansion has the position of its use.
typedef struct CcLoc {
    u32 line; // from 1; 0 = none
    u16 col;  // from 1
    u16 file;
} CcLoc;

// ---- Types ----------------------------------------------------------------------------------------------------------

// CC_ARITH_TYPES(X): kind, size (0: the ABI decides), is_unsigned, spelling. In order of conversion rank.
#define CC_ARITH_TYPES(X)                                                                                              \
    X(BOOL, 1, true, "_Bool") X(CHAR, 1, true, "char") X(SCHAR, 1, false, "signed char")                               \
    X(UCHAR, 1, true, "unsigned char") X(SHORT, 2, false, "short") X(USHORT, 2, true, "unsigned short")                \
    X(INT, 4, false, "int") X(UINT, 4, true, "unsigned int") X(LONG, 8, false, "long")                                 \
    X(ULONG, 8, true, "unsigned long") X(LLONG, 8, false, "long long") X(ULLONG, 8, true, "unsigned long long")        \
    X(INT128, 16, false, "__int128") X(UINT128, 16, true, "unsigned __int128") X(INTCAP, 16, false, "__intcap")        \
    X(UINTCAP, 16, true, "unsigned __intcap") X(FLOAT, 4, false, "float") X(DOUBLE, 8, false, "double")                \
    X(LDOUBLE, 16, false, "long double")

typedef enum TypeKind {
    TY_VOID,
#define X(kind, size, is_unsigned, text) TY_##kind,
    CC_ARITH_TYPES(X)
#undef X
    TY_ENUM,   // base: the integer type that holds it
    TY_PTR,    // base: what it points to
    TY_ARRAY,  // base: element; array_len
    TY_STRUCT, // members
    TY_UNION,  // members
    TY_FUNC,   // base: result; params
} TypeKind;

struct Type {
    TypeKind kind;
    u64 size;           // bytes; 0 for void, functions, incomplete types
    u32 align;          // bytes, a power of two
    bool is_unsigned;   // integers, enums
    bool is_cap;        // value is a capability: pointers in purecap, __intcap types
    bool is_const, is_volatile;
    bool is_incomplete; // struct/union/enum not defined yet, array without length
    Type *unqual;       // the same type without qualifiers (itself if it has none)
    Type *base;
    const char *name;   // struct, union, enum: tag (NULL = none)

    // TY_ARRAY
    u64 array_len; // elements; 0 of an incomplete array or a flexible member

    // TY_STRUCT, TY_UNION
    Member *members; // in source order, next-linked; anonymous members stay as members without name
    bool is_packed;
    bool has_flexible;   // last member is an array without length
    bool has_caps;       // some leaf is a capability (it must be copied by capability loads)

    // TY_FUNC
    Type **params; // adjusted types, n_params of them
    u32 n_params;
    bool is_variadic;
    bool is_unprototyped; // T f(): any arguments, default promotions

    // Front end only
    Type *ptr_to;   // the pointer type to this type, once made
    Type *quals[4]; // of an unqualified type: its const, volatile, const volatile forms, once made
    u32 depth;      // nesting of pointers, arrays and functions
};

struct Member {
    Member *next;
    const char *name; // interned; NULL for an anonymous struct/union member or an unnamed bit-field
    Type *type;
    u64 offset;       // bytes; of a bit-field: of its container, which has type->size bytes and lies inside the record
    bool is_bitfield;
    u8 bit_off, bit_width; // bit-field: from the container's least significant bit
    u32 index;
    u32 align; // asked for by an attribute, 0 = none
    CcLoc loc;
};

// ---- Objects: variables and functions ---------------------------------------------------------------------------------

typedef enum ObjKind {
    OBJ_FUNC,
    OBJ_GLOBAL, // also static locals, string literals and file-scope compound literals
    OBJ_LOCAL,
    OBJ_PARAM,
} ObjKind;

// One word of initial data that needs an address. The size bytes at offset are zero in Obj.data.
typedef enum RelocKind {
    RELOC_PTR,        // a pointer or __intcap: 8 bytes in hybrid, a bounded capability (16 bytes) in purecap
    RELOC_ADDR,       // an 8-byte integer holding the address: no provenance
    RELOC_LABEL_DIFF, // an integer of `size` bytes: address of label - address of label2
} RelocKind;

typedef struct Reloc {
    u64 offset;
    RelocKind kind;
    u8 size;
    Obj *sym;             // function, global or string; of labels: the function they are in
    Label *label, *label2; // NULL unless the value is &&label
    i64 addend;
} Reloc;

struct Obj {
    ObjKind kind;
    const char *name; // interned; static locals and literals get a unique one (".str.3", "f.count.1")
    Type *type;
    CcLoc loc;
    u32 ir;           // scratch of the lowering, 0 at first

    // OBJ_FUNC, OBJ_GLOBAL
    Obj *next;           // list of the unit, in order of appearance
    bool is_static;      // internal linkage
    bool is_defined;     // has a body, or is a variable of this unit (a tentative definition counts)
    bool is_weak, is_used;
    bool is_referenced;  // named by code or data that is kept; an unreferenced static function need not be compiled
    const char *section; // NULL = the usual one

    // OBJ_GLOBAL, OBJ_LOCAL
    u32 align;        // at least type->align
    bool is_const;    // goes to read-only data
    bool is_string;   // a string literal (equal ones of a unit are one object)
    u8 *data;         // type->size bytes (data_size with a flexible member), NULL = all zero
    u64 data_size;    // bytes the object occupies
    Reloc *relocs;    // sorted by offset
    u32 n_relocs;

    // OBJ_LOCAL, OBJ_PARAM
    bool is_addr_taken; // false: never under ND_ADDR or as a base of such a place: may live in registers
    const char *asm_reg; // register x asm("x8"): the register's name, else NULL
    u32 param_index;

    // OBJ_FUNC
    bool is_inline, is_always_inline, is_noinline, is_noreturn, is_returns_twice;
    bool has_vla_stack; // calls __builtin_alloca
    Obj **params;        // type->n_params of them, in order
    Obj **locals;        // every OBJ_LOCAL of the body
    u32 n_locals;
    Node *body;          // ND_BLOCK; NULL = only declared
    Label *labels;       // every label of the body, next-linked
    Obj **refs;          // what the body names, each object once
    u32 n_refs;

    // Front end only
    u32 seen_by;           // last function whose refs it was added to
    bool is_no_provenance; // attribute cheri_no_provenance
    bool is_extern_inline; // some declaration says extern or not inline: an external definition
};

struct Label {
    Label *next;
    const char *name;   // NULL: case, default, loop exit
    bool is_addr_taken; // &&label: a target of every ND_GOTO_PTR of the function
    bool is_defined;    // front end only
    u32 ir;             // scratch of the lowering, 0 at first
    CcLoc loc;
};

// ---- Nodes ------------------------------------------------------------------------------------------------------------

typedef enum NodeKind {
    // Constants and addresses: values
    ND_NUM,        // integer constant: ival, sign- or zero-extended from type (also null pointers; of capability type: null-derived)
    ND_FLT,        // floating constant: fval
    ND_ADDR,       // address of place lhs: &x, array and function decay (lhs is then the VAR of the function)
    ND_LABEL_ADDR, // &&label
    ND_LOAD,       // value of place lhs (volatile if lhs->type is)
    ND_OLD,        // value before the change, inside the rhs of ND_UPDATE `owner`
    // Places
    ND_VAR,    // var
    ND_DEREF,  // *lhs
    ND_MEMBER, // lhs.member (lhs is a place; a bit-field is loaded and assigned, never addressed)
    // Operators: lhs, rhs. Both sides already have the type of the result (shifts: rhs is int or long of any value).
    // Of an __intcap type: see below.
    ND_ADD, ND_SUB, ND_MUL, ND_DIV, ND_MOD, ND_AND, ND_OR, ND_XOR, ND_SHL, ND_SHR,
    ND_NEG, ND_NOT, // -lhs, ~lhs
    // Comparisons: result int; both sides have one type (integers, floats, pointers: capabilities compare addresses).
    // Signedness is that of lhs->type; pointers are unsigned. FP: LT LE are false on NaN, NE is true.
    ND_EQ, ND_NE, ND_LT, ND_LE, // a > b is LT with sides swapped (evaluation order stays unspecified)
    ND_LNOT,                    // !lhs: int; lhs scalar
    ND_LAND, ND_LOR,            // int, short-circuit; both sides scalar, compared with zero
    ND_COND,                    // cond ? lhs : rhs (type void allowed)
    ND_COMMA,                   // lhs, then rhs
    ND_PTRADD,                  // lhs + rhs * scale bytes; rhs is long (any sign) or unsigned long
    ND_PTRDIFF,                 // (lhs - rhs) / scale: long
    ND_CAST,                    // cast: one of CastKind
    ND_ASSIGN,                  // lhs place = rhs (same type; struct too); value: what was stored
    ND_UPDATE,                  // place lhs is evaluated once; rhs is its new value, built on ND_OLD. Value: new, or old if is_post
    ND_CALL,                    // lhs: function pointer value; args; fn_type
    ND_BUILTIN,                 // builtin; args
    ND_VA_START, ND_VA_COPY, ND_VA_END, // lhs (and rhs): addresses of va_list objects
    ND_VA_ARG,                  // lhs: address of the va_list; type: what is fetched
    ND_STMT_EXPR,               // ({ body; lhs }): body is ND_BLOCK; lhs is the value, NULL if type is void
    ND_PROBE,                   // __probe(name, args): weak uses, no code; type void. Its &x do not count as is_addr_taken
    // Statements
    ND_EXPR,     // lhs for its effects
    ND_BLOCK,    // stmts
    ND_DECL,     // the life of local var begins (uninitialised)
    ND_ZERO,     // all bytes of place lhs become 0 (of an object just declared)
    ND_IF,       // cond, then_, else_ (may be NULL)
    ND_LOOP,     // for/while: cond (NULL = forever), body, step (may be NULL); cont is the label before step, brk the one behind
    ND_DO,       // do body while (cond); cont is the label before cond
    ND_SWITCH,   // cond, cases, default_ (NULL = brk), body, brk
    ND_LABEL,    // label stands here (also of cases and defaults)
    ND_GOTO,     // label (also break, continue)
    ND_GOTO_PTR, // goto *lhs
    ND_RETURN,   // lhs or NULL
    ND_ASM,      // asm_
} NodeKind;

// __intcap arithmetic. A node of kind ADD…SHR, NEG, NOT whose type is TY_INTCAP/TY_UINTCAP works on addresses: take the
// 64-bit address of each side (a side may also be a plain 64-bit integer: it has no provenance then), do the operation
// signed or unsigned as the type says, and put the result as address into the capability of the side that `prov` names.

typedef enum CastKind {
    CAST_INT,     // integer to integer: truncate, or extend by the signedness of the source
    CAST_BOOL,    // any scalar to _Bool: != 0
    CAST_INT_FLT, // integer to float/double
    CAST_FLT_INT, // float/double to integer, toward zero
    CAST_FLT,     // float <-> double
    CAST_PTR,     // pointer to pointer, pointer <-> __intcap of the same representation: no code
    CAST_PTR_INT, // pointer or __intcap to integer: its address, truncated to the size of type
    CAST_INT_PTR, // integer to pointer or __intcap: extended to 64 bits by the source's sign; in purecap null-derived
    CAST_VOID,    // drop the value
} CastKind;

typedef enum BuiltinId {
    BI_NONE,
#define BUILTIN(id, name, sig, flags) BI_##id,
#include "cc/builtins.def"
#undef BUILTIN
    BI_COUNT
} BuiltinId;

typedef struct Case {
    i64 lo, hi; // inclusive, in the type of the switch's condition
    Label *label;
} Case;

typedef struct AsmOperand {
    const char *constraint; // as written: "=r", "+r", "r", "i", "m", "0"
    const char *name;       // [name] or NULL
    Node *node;             // outputs: place; inputs: value ("m": place)
    const char *reg;        // the register of a register variable operand, else NULL
} AsmOperand;

typedef struct AsmStmt {
    const char *text;
    bool is_volatile, is_basic; // basic: no operands, '%' is an ordinary character
    AsmOperand *outputs, *inputs;
    const char **clobbers;
    u32 n_outputs, n_inputs, n_clobbers;
} AsmStmt;

struct Node {
    NodeKind kind;
    u16 depth;  // of the tree below
    bool is_post;  // ND_UPDATE
    u8 prov;       // __intcap operators: 0 = lhs, 1 = rhs gives the capability
    CastKind cast; // ND_CAST
    Type *type;    // of the value or place; NULL for statements
    CcLoc loc;

    Node *lhs, *rhs;

    union { // by kind
        i64 ival;   // ND_NUM
        double fval; // ND_FLT
        Obj *var;   // ND_VAR, ND_DECL
        Member *member;
        Node *owner; // ND_OLD
        Label *label; // ND_LABEL_ADDR, ND_LABEL, ND_GOTO
        u64 scale;  // ND_PTRADD, ND_PTRDIFF
        AsmStmt *asm_;
        struct { // ND_COND, ND_IF
            Node *cond, *then_, *else_; // ND_COND: only cond; its branches are lhs and rhs
        };
        struct { // ND_CALL, ND_BUILTIN, ND_PROBE
            Node **args;
            u32 n_args;
            u16 builtin;      // BuiltinId
            Type *fn_type;    // ND_CALL: TY_FUNC
            const char *name; // ND_PROBE
        };
        struct { // ND_BLOCK
            Node **stmts;
            u32 n_stmts;
        };
        struct Loop { // ND_LOOP, ND_DO, ND_SWITCH
            Node *cond, *step, *body;
            Label *brk, *cont;
            Case *cases; // in source order, no overlaps
            u32 n_cases;
            Label *default_;
        } *loop;
    };
    Node *body;  // ND_STMT_EXPR
    u32 ir;      // scratch of the lowering, 0 at first
};

// ---- A translation unit -----------------------------------------------------------------------------------------------

typedef struct CcUnit {
    const CcOptions *opt;
    Obj *objs;               // functions and globals, in order of appearance
    const CcSource **files;  // by CcLoc.file
    u32 n_files;
    const char **asms;       // file-scope asm("…") texts
    u32 n_asms;
} CcUnit;

// Preprocesses and parses one source. Everything is allocated from arena. False and *err on the first error.
bool cc_parse(const CcSource *source, const CcOptions *opt, Arena *arena, CcUnit **out, Err *err);

// Fills *err for a place of the unit, with its source line; returns false. For "cannot do this" of later stages.
bool cc_err_at(const CcUnit *unit, CcLoc loc, Err *err, const char *fmt, ...) PRINTF_LIKE(4, 5);
SrcPos cc_src_pos(const CcUnit *unit, CcLoc loc);

static inline bool type_is_integer(const Type *t) { return (t->kind >= TY_BOOL && t->kind <= TY_UINTCAP) || t->kind == TY_ENUM; }
static inline bool type_is_intcap(const Type *t) { return t->kind == TY_INTCAP || t->kind == TY_UINTCAP; }
static inline bool type_is_float(const Type *t) { return t->kind >= TY_FLOAT && t->kind <= TY_LDOUBLE; }
static inline bool type_is_arith(const Type *t) { return (t->kind >= TY_BOOL && t->kind <= TY_LDOUBLE) || t->kind == TY_ENUM; }
static inline bool type_is_scalar(const Type *t) { return type_is_arith(t) || t->kind == TY_PTR; }
static inline bool type_is_record(const Type *t) { return t->kind == TY_STRUCT || t->kind == TY_UNION; }

// "int *", "struct S [3]" … for messages; from the arena.
const char *type_text(Arena *arena, const Type *t);

// The name of a builtin, and whether it is pure etc.: one row of builtins.def.
const char *cc_builtin_name(BuiltinId id);

#endif
