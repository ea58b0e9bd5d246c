// Says that it runs, then computes for ever; with an argument it waits for input instead.
#include <unistd.h>

int main(int argc, char **argv)
{
    char b;
    (void)argv;
    write(1, "up\n", 3);
    if (argc > 1) return (int)read(0, &b, 1);
    for (;;) continue;
}
