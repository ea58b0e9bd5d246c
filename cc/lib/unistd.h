// unistd.h: system calls of the Linux personality.
#ifndef _UNISTD_H
#define _UNISTD_H
#include <stddef.h>
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2

ssize_t read(int fd, void *to, size_t n);
ssize_t write(int fd, const void *from, size_t n);
off_t lseek(int fd, off_t offset, int whence);
int close(int fd);
int getpid(void);
void _exit(int status) __attribute__((noreturn));

#endif
