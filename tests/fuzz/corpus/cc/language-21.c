3char *f(char *p) { return __builtin_align_up(p, 16); } int g(long n) { return __builtin_is_aligned(n, 8); }
