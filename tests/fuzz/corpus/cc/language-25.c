3int a, *p = &a, **q = &p, f(void), (*g)(void) = f;
