2int f(void) { struct { int a[3]; } s = {{1, 2, 3}}, t = s; return t.a[1] + ((int[]){4, 5})[1]; }
