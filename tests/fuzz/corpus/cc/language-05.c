3int f(void) { for (int i = 0, j = 1; i < 3; i++, j *= 2) if (i == j) continue; else break; return 0; }
