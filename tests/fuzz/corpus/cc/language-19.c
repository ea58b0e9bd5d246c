3void f(char *p, ...) { __builtin_va_list a, b; __builtin_va_start(a, p); __builtin_va_copy(b, a); __builtin_va_arg(b, int); __builtin_va_end(a); __builtin_va_end(b); }
