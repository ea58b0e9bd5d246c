3void f(void) { __auto_type x = 1.5; typeof(x) *p = &x; *p += 1; }
