// machine_int.h: what a Machine is made of. Private to sim/.
#ifndef CAPLAB_SIM_MACHINE_INT_H
#define CAPLAB_SIM_MACHINE_INT_H

#include "mem/mem.h"
#include "sim/cpu.h"
#include "sim/machine.h"

struct Machine {
    MacConfig cfg;
    Mem *mem;  // owned
    Cpu *cpu;  // owned
};

#endif
