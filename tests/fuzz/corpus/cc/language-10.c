2__extension__ typedef long long ll; __attribute__((noreturn)) void die(const char *, ...) __attribute__((format(printf, 1, 2)));
