0#ifdef NO
1
#endif
#ifndef NO
2
#endif
