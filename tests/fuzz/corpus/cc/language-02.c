2int f(int x) { switch (x) { case 1: case 2 ... 4: x = 1; __attribute__((fallthrough)); default: break; case 9: return 0; } return x; }
