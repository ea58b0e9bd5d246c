0#if defined(__INT_MAX__) && !defined(__INT_MAXI__)
y
#endif
