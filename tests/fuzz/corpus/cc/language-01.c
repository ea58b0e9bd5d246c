3int f(int x) { return ({ int y = x; while (y > 9) y /= 10; y; }); }
