0#define D(f, ...) p(f, __VA_ARGS__)
D(1,2,3)
