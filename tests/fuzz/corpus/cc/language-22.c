2struct S { int x; }; void f(struct S *p) { *p = (struct S){1}; struct S a = *p, *q = &a; (*q).x = p->x; }
