3static int f(); int g(void) { return f(1, 2); } static int f(int a, int b) { return a + b; }
