0#if 1 + 2 * 3 == 7 && !defined(X) && defined PLAIN
yes
#else
no
#endif
