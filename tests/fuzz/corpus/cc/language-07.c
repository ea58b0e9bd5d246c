3void f(void) { asm("nop"); asm volatile("" ::: "memory"); }
