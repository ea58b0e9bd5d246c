// opcodes.c: names and argument forms of the opcode bytes, all from opcodes.def. Statistics group bytes by
// these names: the five ranges count as one each, but every operator on its own ("BINARY_OP +"), since their
// costs differ.
#include "vm/py/bytecode.h"
#include "vm/py/py.h"

static const PyOpInfo op_table[] = {
#define ROW(first_, last_, NAME, ARG, pops_, pushes_, meaning_)                                              \
    {.first = first_, .last = last_, .arg = PY_ARG_##ARG, .pops = pops_, .pushes = pushes_, .name = #NAME},
    PY_OPCODES(ROW)
#undef ROW
};

#define OPERATOR(NAME, text) text,
static const char *const unary_text[] = {PY_UNARY_OPS(OPERATOR)};
static const char *const binary_text[] = {PY_BINARY_OPS(OPERATOR)};
#undef OPERATOR
#define OPERATOR(NAME, text) "UNARY_OP " text,
static const char *const unary_names[] = {PY_UNARY_OPS(OPERATOR)};
#undef OPERATOR
#define OPERATOR(NAME, text) "BINARY_OP " text,
static const char *const binary_names[] = {PY_BINARY_OPS(OPERATOR)};
#undef OPERATOR

static_assert(PY_OP_UNARY_OP + ARRAY_LEN(unary_text) - 1 == 0xd3, "range of UNARY_OP in opcodes.def");
static_assert(PY_OP_BINARY_OP + ARRAY_LEN(binary_text) - 1 == 0xf9, "range of BINARY_OP in opcodes.def");

// 77 rows sorted by byte: a binary search needs no table built at run time.
const PyOpInfo *py_op_info(u8 op)
{
    u32 lo = 0, hi = ARRAY_LEN(op_table);
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (op > op_table[mid].last)
            lo = mid + 1;
        else if (op < op_table[mid].first)
            hi = mid;
        else
            return &op_table[mid];
    }
    return NULL;
}

const char *py_unary_text(u32 index)
{
    return unary_text[index];
}
const char *py_binary_text(u32 index)
{
    return binary_text[index];
}

const char *py_opcode_name(u8 op)
{
    const PyOpInfo *info = py_op_info(op);
    if (!info) return NULL;
    if (info->first == PY_OP_UNARY_OP) return unary_names[op - PY_OP_UNARY_OP];
    if (info->first == PY_OP_BINARY_OP) return binary_names[op - PY_OP_BINARY_OP];
    return info->name;
}

static const char *const static_texts[] = {
#define TEXT(NAME, text) text,
    PY_STATIC_QSTRS(TEXT)
#undef TEXT
};
static_assert(ARRAY_LEN(static_texts) == PY_STATIC_QSTR_COUNT, "one list");

const char *py_static_qstr(u32 number)
{
    return number >= 1 && number <= ARRAY_LEN(static_texts) ? static_texts[number - 1] : NULL;
}
