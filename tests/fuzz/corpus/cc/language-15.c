3int f(int T) { typedef int U; { U U = 1; return T + U; } }
