// target.c: the tables of the two targets: registers, moves, spills.
#include "cc/target_impl.h"

const char *target_op_name(u16 op)
{
    static const char *const names[T_OP_COUNT] = {
#define X(name, text) [T_##name] = text,
        T_OPS(X)
#undef X
    };
    return op < T_OP_COUNT ? names[op] : "?";
}

// Caller-saved first, arguments last among them. X16: scratch of emission; X17: tail calls; X29, X30: the frame record.
static const u8 order[] = {9,  10, 11, 12, 13, 14, 15, 8,  18, 7,  6,  5,  4,  3,  2,  1,  0,  19, 20, 21, 22,
                           23, 24, 25, 26, 27, 28, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62,
                           63, 39, 38, 37, 36, 35, 34, 33, 32, 40, 41, 42, 43, 44, 45, 46, 47, 0xff};

#define ALLOCATABLE (0x1ffcffffULL | 0xffffffffULL << 32)
#define CALLEE_SAVED (0x1ff80000ULL | 0x0000ff00ULL << 32) // X19–X28, V8–V15

static MirInsn *make_move(MirFn *fn, MirReg dst, MirReg src, bool is_fpr, bool is_cap)
{
    MirInsn *i = mir_insn(fn, is_fpr ? T_FMOV : T_MOV, 2);
    u8 size = is_cap ? 16 : 8;
    i->ops[0] = mir_def(dst, size);
    i->ops[1] = mir_use(src, size);
    i->flags = MIR_F_MOVE;
    return i;
}

static MirInsn *make_access(MirFn *fn, TOp op, MirOpnd value, u32 slot, bool is_fpr, bool is_cap)
{
    MirInsn *i = mir_insn(fn, (u16)op, 3);
    value.size = is_cap ? 16 : 8;
    value.aux = (u8)(is_cap ? IR_MCAP : is_fpr ? IR_MF64 : IR_M64);
    i->ops[0] = value;
    i->ops[1] = mir_slot(slot, 0);
    i->ops[2] = mir_imm(0);
    i->flags = op == T_LDR ? MIR_F_LOAD : MIR_F_STORE;
    return i;
}

static MirInsn *make_reload(MirFn *fn, MirReg dst, u32 slot, bool is_fpr, bool is_cap)
{
    return make_access(fn, T_LDR, mir_def(dst, 8), slot, is_fpr, is_cap);
}

static MirInsn *make_spill(MirFn *fn, MirReg src, u32 slot, bool is_fpr, bool is_cap)
{
    return make_access(fn, T_STR, mir_use(src, 8), slot, is_fpr, is_cap);
}

#define MIR_TABLE                                                                                            \
    {                                                                                                        \
        .allocatable = ALLOCATABLE, .callee_saved = CALLEE_SAVED, .order = order,                             \
        .op_name = target_op_name, .make_move = make_move, .make_reload = make_reload, .make_spill = make_spill \
    }

static const Target a64 = {.mir = MIR_TABLE, .abi = CC_HYBRID, .ptr_bytes = 8, .select_global = a64_select_global,
                           .select_cap = a64_select_cap, .select_anon = a64_select_anon, .select_alloca = a64_select_alloca,
                           .emit_insn = a64_emit_insn};
static const Target c64 = {.mir = MIR_TABLE, .abi = CC_PURECAP, .ptr_bytes = 16, .select_global = c64_select_global,
                           .select_cap = c64_select_cap, .select_anon = c64_select_anon, .select_alloca = c64_select_alloca,
                           .emit_insn = c64_emit_insn};

const Target *target_a64(void) { return &a64; }
const Target *target_c64(void) { return &c64; }
