3void f(void) { label: ; goto label; { int x; end: x = 1; } if (0) goto end; out: }
