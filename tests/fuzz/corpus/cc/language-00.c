2int f(int x) { static const void *const t[] = {&&a, &&b}; goto *t[x]; a: return 1; b: return 2; }
