// sanitize.c: linked into every program of a sanitizer build: what ASan, UBSan or LSan finds ends the program with a status that no
// program of ours has (1 would look like an uncaught Python exception to a test).
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
const char *__lsan_default_options(void);

// Local variables stay on the stack, where the collector of the Python machine looks for them.
const char *__asan_default_options(void) { return "exitcode=99:detect_stack_use_after_return=0"; }
const char *__ubsan_default_options(void) { return "exitcode=99:print_stacktrace=1"; }
const char *__lsan_default_options(void) { return "exitcode=99"; }
