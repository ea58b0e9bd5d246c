// exec_vstruct.c: loads and stores of structures. Four bodies for all rows of a64_simdmem.def: the plan leaves the shape in aux
// (vstruct.h). They call what moves the data, so they have a frame and are not named ex_.
#include "sim/vreg.h"
#include "sim/vstruct.h"

#define VLIST_INSTANCE(NAME, i)                                                                              \
    COLD static const Op *slow_##NAME##_##i(Cpu *cpu, const Op *op) { return body_##NAME(cpu, op, i, NULL); } \
    static const Op *call_##NAME##_##i(Cpu *cpu, const Op *op) { return body_##NAME(cpu, op, i, slow_##NAME##_##i); }
#define EXEC_VLIST(NAME)                                                                                     \
    EXEC_BODY(NAME);                                                                                         \
    VLIST_INSTANCE(NAME, 0) VLIST_INSTANCE(NAME, 8) VLIST_INSTANCE(NAME, 16)                                 \
    static ExecFn *const fast_##NAME[] = {EXEC_MEM_LIST_1(call_##NAME)}, *const slow_##NAME[] = {EXEC_MEM_LIST_1(slow_##NAME)}; \
    EXEC_BODY(NAME)

#define BYTES vstruct_bytes(op->aux)
#define BACK_BY (RM->value + IMM)

EXEC_VLIST(LOAD_VLIST_BASE)
{
    u64 addr = BASE;
    const u8 *p = READ_FLAGS(addr, BYTES, vstruct_element(op->aux));
    vstruct_load(cpu, op->aux, p);
    NEXT;
}
EXEC_VLIST(LOAD_VLIST_BASE_POST)
{
    u64 addr = BASE, by = BACK_BY;
    CHECK_WRITE_BACK(BACK_POST, by);
    const u8 *p = READ_FLAGS(addr, BYTES, vstruct_element(op->aux));
    vstruct_load(cpu, op->aux, p);
    WRITE_BACK(by);
    NEXT;
}

static bool slow_store(Cpu *cpu, const Op *op, u64 addr, u32 auth)
{
    u8 raw[64];
    vstruct_store(cpu, op->aux, raw);
    return exec_slow_write_bytes(cpu, op, RN, addr, BYTES, auth, vstruct_element(op->aux), raw);
}
#define STORE(addr_)                                                                                         \
    do {                                                                                                     \
        if (slow) {                                                                                          \
            u8 *h_ = exec_fast_write(cpu, RN, (addr_), BYTES, AUTH);                                         \
            if (UNLIKELY(!h_)) EXEC_FAIL;                                                                    \
            vstruct_store(cpu, op->aux, h_);                                                                 \
        } else if (!slow_store(cpu, op, (addr_), AUTH)) {                                                    \
            return NULL;                                                                                     \
        }                                                                                                    \
    } while (0)
EXEC_VLIST(STORE_VLIST_BASE)
{
    u64 addr = BASE;
    STORE(addr);
    NEXT;
}
EXEC_VLIST(STORE_VLIST_BASE_POST)
{
    u64 addr = BASE, by = BACK_BY;
    CHECK_WRITE_BACK(BACK_POST, by);
    STORE(addr);
    WRITE_BACK(by);
    NEXT;
}

#define INSN(NAME, pattern, syntax, cls, plan, guard, flags)                                                 \
    extern const ExecRow ENGINE_NAME(NAME);                                                                  \
    const ExecRow ENGINE_NAME(NAME) = {fast_##cls##_##plan, slow_##cls##_##plan, ARRAY_LEN(fast_##cls##_##plan)};
#include "isa/def/a64_simdmem.def"
#undef INSN
