3struct S { int a; } g(void); int f(void) { return g().a; }
