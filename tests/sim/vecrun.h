// vecrun.h: runs golden vectors (tests/data/vectors/FORMAT.md) directly on a Cpu, for the engine's own tests.
#ifndef TESTS_SIM_VECRUN_H
#define TESTS_SIM_VECRUN_H

#include "sim/cpu.h"
#include <stdio.h>

typedef struct VecSum {
    u32 passed, by_reference, failed, no_row, level, exception, feature;
} VecSum; // by_reference: of the passed ones, those that need the reference's STXP (docs/decisions/0006)

// Runs every case of the text (NUL-terminated, is modified). Failures are told to `say` (first max_said of them).
void vec_run(char *text, CpuEngine engine, VecSum *sum, FILE *say, u32 max_said);

#endif
