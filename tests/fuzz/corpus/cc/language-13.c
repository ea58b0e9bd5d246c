3int f(int n) { return n ?: 5; }
