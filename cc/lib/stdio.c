// stdio.c: three streams. stdout is collected and written at each line's end; stderr at once.
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct _FILE {
    int fd;
    size_t n_used;
    char *buffer; // NULL: written at once
};
static char stdout_buffer[BUFSIZ];
static struct _FILE files[3] = {{0, 0, NULL}, {1, 0, stdout_buffer}, {2, 0, NULL}};
FILE *const stdin = &files[0];
FILE *const stdout = &files[1];
FILE *const stderr = &files[2];

static int write_all(int fd, const char *from, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, from, n);
        if (done <= 0) return EOF;
        from += done;
        n -= (size_t)done;
    }
    return 0;
}

int fflush(FILE *f)
{
    if (!f) f = stdout;
    size_t n = f->n_used;
    f->n_used = 0;
    return n == 0 ? 0 : write_all(f->fd, f->buffer, n);
}

size_t fwrite(const void *from, size_t size, size_t count, FILE *f)
{
    const char *s = from;
    size_t n = size * count;
    if (n == 0) return 0;
    if (!f->buffer) return write_all(f->fd, s, n) == 0 ? count : 0;
    int has_line_end = 0;
    for (size_t i = 0; i < n; i++) {
        if (f->n_used == BUFSIZ && fflush(f) != 0) return 0;
        f->buffer[f->n_used++] = s[i];
        has_line_end |= s[i] == '\n';
    }
    if (has_line_end && fflush(f) != 0) return 0;
    return count;
}

int fputs(const char *s, FILE *f)
{
    size_t n = strlen(s);
    return fwrite(s, 1, n, f) == n ? 0 : EOF;
}

int puts(const char *s)
{
    return fputs(s, stdout) == 0 ? fputc('\n', stdout) : EOF;
}

int fputc(int c, FILE *f)
{
    char byte = (char)c;
    return fwrite(&byte, 1, 1, f) == 1 ? c & 0xff : EOF;
}

int putc(int c, FILE *f) { return fputc(c, f); }
int putchar(int c) { return fputc(c, stdout); }

int getchar(void)
{
    unsigned char byte;
    return read(0, &byte, 1) == 1 ? byte : EOF;
}

void perror(const char *what)
{
    int error = errno;
    fprintf(stderr, "%s: %s\n", what, strerror(error));
}
