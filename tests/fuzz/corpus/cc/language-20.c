2int f(int a, int b, long *r) { return __builtin_add_overflow(a, b, r) + __builtin_expect(a > 0, 1); }
