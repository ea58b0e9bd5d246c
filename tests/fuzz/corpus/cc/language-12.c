2int f(void) { extern int other; { extern int other; } return other; } int other = 3;
