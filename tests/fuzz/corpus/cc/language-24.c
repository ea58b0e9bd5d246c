2const char *f(void) { return __func__; }
