// A program that compiles with a warning and runs.
__attribute__((sparkling)) int main(void) { return 3; }
