2void f(void) { int x; { int x = 1; (void)x; } struct S { int a; } s; { struct S { long b; } t; t.b = 1; } s.a = 1; (void)x; }
