// exec_table.c: from a row of the ISA table to its body, for one engine. A row without a body does not link.
#include "sim/exec.h"

#define INSN(name, ...) extern const ExecRow ENGINE_NAME(name);
#include "isa/def/all.def"
#undef INSN

const ExecRow *const ENGINE_TABLE[ISA_ROW_COUNT] = {
#define INSN(name, ...) [ISA_##name] = &ENGINE_NAME(name),
#include "isa/def/all.def"
#undef INSN
};
