// test_cc_abi.c: where both procedure call standards put arguments. Types are written as text, results as text:
//     "i" int, "l" long, "p" pointer, "d" double, "f" float, "{ip}" a struct of them, "|" ends the named arguments
//     "x0 c1 v0 s0:8 a16:8 *c2"   register, stack offset:bytes, anonymous offset:bytes, * = address of a copy
#include "base/buf.h"
#include "cc/abi.h"
#include "cc/ast.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static Type *scalar(Arena *a, TypeKind kind, u64 size, bool is_cap)
{
    Type *t = arena_new(a, Type);
    *t = (Type){.kind = kind, .size = size, .align = (u32)size, .is_cap = is_cap};
    return t->unqual = t;
}

static Type *parse(Arena *a, CcAbi abi, const char **p)
{
    char c = *(*p)++;
    bool pure = abi == CC_PURECAP;
    switch (c) {
    case 'c': return scalar(a, TY_CHAR, 1, false);
    case 'i': return scalar(a, TY_INT, 4, false);
    case 'l': return scalar(a, TY_LONG, 8, false);
    case 'f': return scalar(a, TY_FLOAT, 4, false);
    case 'd': return scalar(a, TY_DOUBLE, 8, false);
    case 'p': return scalar(a, TY_PTR, pure ? 16 : 8, pure);
    case 'q': return scalar(a, TY_INT128, 16, false);
    default: break;
    }
    cr_assert(c == '{', "bad type '%c'", c);
    Type *t = arena_new(a, Type);
    *t = (Type){.kind = TY_STRUCT, .align = 1};
    Member **last = &t->members;
    while (**p != '}') {
        Member *m = *last = arena_new(a, Member);
        last = &m->next;
        m->type = parse(a, abi, p);
        if (m->type->align > t->align) t->align = m->type->align;
        t->size = (t->size + m->type->align - 1) & ~(u64)(m->type->align - 1);
        m->offset = t->size;
        t->size += m->type->size;
        t->has_caps |= m->type->is_cap || m->type->has_caps;
    }
    (*p)++;
    t->size = (t->size + t->align - 1) & ~(u64)(t->align - 1);
    return t->unqual = t;
}

static void print_value(Buf *out, const AbiValue *v)
{
    for (u32 i = 0; i < v->n_pieces; i++) {
        const AbiPiece *p = &v->pieces[i];
        buf_printf(out, "%s%s", out->len ? " " : "", v->is_indirect ? "*" : "");
        if (p->loc.kind == IR_LOC_GPR)
            buf_printf(out, "%c%u", p->type == IR_CAP ? 'c' : 'x', p->loc.n);
        else if (p->loc.kind == IR_LOC_FPR)
            buf_printf(out, "v%u", p->loc.n);
        else
            buf_printf(out, "%c%u:%u", p->loc.kind == IR_LOC_STACK ? 's' : 'a', p->loc.n, p->loc.bytes);
    }
}

static void check_row(CcAbi abi, const char *args, const char *want)
{
    Arena arena = {0};
    const Type *types[32];
    u32 n = 0, named = 0;
    bool variadic = false;
    for (const char *p = args; *p;) {
        if (*p == '|') {
            variadic = true;
            named = n;
            p++;
            continue;
        }
        types[n++] = parse(&arena, abi, &p);
    }
    AbiCall call;
    abi_layout(abi, scalar(&arena, TY_VOID, 0, false), types, n, variadic ? named : n, variadic, &arena, &call);
    Buf out = {0};
    for (u32 i = 0; i < n; i++) print_value(&out, &call.args[i]);
    cr_expect(eq(str, (char *)buf_text(&out), (char *)want), "%s %s", abi == CC_PURECAP ? "purecap" : "hybrid", args);
    buf_free(&out);
    arena_free(&arena);
}

Test(cc_abi, hybrid_arguments)
{
    static const char *const rows[][2] = {
        {"ilpd", "x0 x1 x2 v0"},
        {"{ii}", "x0"},
        {"{lll}", "*x0"},
        {"{ll}l", "x0 x1 x2"},
        {"{dd}", "v0 v1"},
        {"{ffff}f", "v0 v1 v2 v3 v4"},
        {"{df}", "x0 x1"},
        {"iq", "x0 x2 x3"},
        {"iiiiiiiii", "x0 x1 x2 x3 x4 x5 x6 x7 s0:8"},
        {"lllllll{ll}l", "x0 x1 x2 x3 x4 x5 x6 s0:8 s8:8 s16:8"},
        {"ddddddddd", "v0 v1 v2 v3 v4 v5 v6 v7 s0:8"},
        {"ddddddd{dd}d", "v0 v1 v2 v3 v4 v5 v6 s0:8 s8:8 s16:8"},
        {"p|id", "x0 x1 v0"},
    };
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) check_row(CC_HYBRID, rows[i][0], rows[i][1]);
}

Test(cc_abi, purecap_arguments)
{
    static const char *const rows[][2] = {
        {"ipd", "x0 c1 v0"},
        {"{ip}", "x0 c1"},
        {"{pl}", "c0 x1"},
        {"{pii}", "c0 x1"},
        {"{llp}", "*c0"},
        {"{pll}", "*c0"},
        {"{dp}", "x0 c1"},
        {"{p}", "c0"},
        {"{pp}i", "c0 c1 x2"},
        {"{ppp}", "*c0"},
        {"{lll}", "*c0"},
        {"{ll}", "x0 x1"},
        {"iq", "x0 x2 x3"},
        {"ppppppppp", "c0 c1 c2 c3 c4 c5 c6 c7 s0:16"},
        {"ppppppp{pp}p", "c0 c1 c2 c3 c4 c5 c6 s0:16 s16:16 s32:16"},
        {"iiiiiiiiip", "x0 x1 x2 x3 x4 x5 x6 x7 s0:8 s16:16"},
        {"p|ipd", "c0 a0:4 a16:16 a32:8"},
        {"p|{ll}", "c0 a0:8 a8:8"},
        {"p|{lll}i", "c0 *a0:16 a16:4"},
        {"p|{pp}", "c0 *a0:16"},
        {"p{pp}|", "c0 *c1"},
        {"p{dddd}|d", "c0 *c1 a0:8"},
    };
    for (u32 i = 0; i < ARRAY_LEN(rows); i++) check_row(CC_PURECAP, rows[i][0], rows[i][1]);
}
