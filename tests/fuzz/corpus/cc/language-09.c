3int f(int a[static 3], const char *restrict s, int n, int m[n][3]) { return a[0] + s[0] + m[1][2]; }
