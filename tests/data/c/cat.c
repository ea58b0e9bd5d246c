// Copies standard input, or a file, to standard output.
#include <fcntl.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char b[64];
    int fd = argc > 1 ? open(argv[1], O_RDONLY) : 0;
    if (fd < 0) return 1;
    for (long n; (n = read(fd, b, sizeof b)) > 0;) write(1, b, (unsigned long)n);
    return 0;
}
