// lines.c: the lines of what is reached by jumps, which the line table of a .mpy file does not tell.
//
// The table's lines only grow, and what the compiler puts behind a body has the line of that body's end in
// it:
//
//     4  while i < n:      18  JUMP to 28
//     5      i += 1        20  …                      (table: line 5)
//                          28  LOAD_FAST, …, BINARY_OP <, POP_JUMP_IF_TRUE to 20     (table: line 5, too)
//
// An arrow that stands on line 5 while the test runs is wrong. So an instruction that does not begin a line
// of the table has the line of the loop or branch that leads to it:
//   - a loop's test behind its body, and what follows the loop: of the loop's head. A jump forward whose
//   target's part jumps back, on a
//     condition, to the instruction right behind the first jump is such a head and nothing else: no other
//     statement jumps back into what was jumped over;
//   - what follows a `for` over an iterator: of its FOR_ITER;
//   - where a condition jumps to that is false: of the condition;
//   - a jump back: of its target.
#include "vm/py/mpy.h"
#include "vm/py/py.h"

#include "vm/py/compile.h"

typedef struct Lines {
    PyInsn *insns;
    u32 n;
    u32 *target;    // index of the instruction that a jump leads to; n = none
    u32 *last_back; // the last instruction that jumps back to this one on a condition; 0 = none
    bool *is_first; // begins a line of the table
    bool *is_mended;
} Lines;

static bool is_conditional(u8 op)
{
    return op == PY_OP_POP_JUMP_IF_TRUE || op == PY_OP_POP_JUMP_IF_FALSE;
}

static u32 index_at(const Lines *l, u32 offset)
{
    u32 lo = 0, hi = l->n;
    while (hi - lo > 1) {
        u32 mid = lo + (hi - lo) / 2;
        if (l->insns[mid].offset <= offset)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static Lines read_lines(MpyFile *f, const MpyCode *c, PyInsn *insns, u32 n)
{
    Arena *a = &f->arena;
    Lines l = {.insns = insns, .n = n};
    l.target = arena_array(a, u32, n);
    l.last_back = arena_array(a, u32, n);
    l.is_first = arena_array(a, bool, n);
    l.is_mended = arena_array(a, bool, n);
    for (u32 i = 0; i < n; i++) {
        MpyInsn jump;
        u8 op = insns[i].opcode;
        bool jumps = (is_conditional(op) || op == PY_OP_JUMP || op == PY_OP_FOR_ITER) &&
                     mpy_decode(c, insns[i].offset, &jump);
        l.target[i] = jumps ? index_at(&l, jump.arg) : n;
        if (is_conditional(op) && l.target[i] < i) l.last_back[l.target[i]] = i;
        l.is_first[i] = !i || insns[i].line != insns[i - 1].line;
    }
    return l;
}

// From `first` up to `must`, and from there to the next line of the table. The loop or branch farthest out
// comes first and has it.
static void give_line(Lines *l, u32 first, u32 must, u32 line)
{
    for (u32 i = first; i < l->n && (i <= must || !(l->is_first[i] || l->is_mended[i])); i++)
        if (!l->is_mended[i]) l->insns[i].line = line, l->is_mended[i] = true;
}

// `for i in range(…)` keeps a counter on the stack and steps it, by a constant, right before the test.
static u32 with_step(const Lines *l, u32 test)
{
    u8 op = l->insns[test].opcode;
    bool counts = (op == PY_OP_DUP_TOP_TWO || op == PY_OP_DUP_TOP) && test >= 2 &&
                  l->insns[test - 1].opcode == PY_OP_BINARY_OP + PY_BINARY_INPLACE_ADD;
    return counts ? test - 2 : test;
}

static void mend_jump(Lines *l, u32 k)
{
    u8 op = l->insns[k].opcode;
    u32 to = l->target[k], line = l->insns[k].line;
    if (to == l->n || to <= k) return;
    if (op == PY_OP_JUMP && l->last_back[k + 1] >= to)
        give_line(l, with_step(l, to), l->last_back[k + 1], line);
    else if (op != PY_OP_JUMP && !l->is_first[to])
        give_line(l, to, to, line);
}

void mpy_mend_lines(MpyFile *f, const MpyCode *c, PyInsn *insns, u32 n)
{
    Lines l = read_lines(f, c, insns, n);
    for (u32 k = 0; k < n; k++)
        mend_jump(&l, k);
    for (u32 k = 0; k < n; k++)
        if (insns[k].opcode == PY_OP_JUMP && l.target[k] < k && !l.is_first[k])
            insns[k].line = insns[l.target[k]].line;
}
