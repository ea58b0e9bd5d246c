3enum E { A, B }; int f(enum E e) { switch (e) { case A: return 1; case B: return 2; } return 0; }
