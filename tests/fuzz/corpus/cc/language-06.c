2long sys(long n, long a) { register long x8 asm("x8") = n; register long x0 asm("x0") = a; asm volatile("svc #0" : "+r"(x0) : "r"(x8) : "memory", "cc"); return x0; }
