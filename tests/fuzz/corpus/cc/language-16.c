2void f(unsigned char *p) { *p |= 1; *p <<= 2; p += 1; (*p)--; }
