// syscall.c: one C function per system call. Pointers go to the kernel as they are: in purecap it checks them.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int errno;

// -4095..-1 is an error number
static long check(uintptr_t result)
{
    long value = (long)result;
    if (value < 0 && value >= -4095) {
        errno = (int)-value;
        return -1;
    }
    return value;
}

ssize_t read(int fd, void *to, size_t n)
{
    return check(__syscall(SYS_read, (uintptr_t)fd, (uintptr_t)to, (uintptr_t)n, 0, 0, 0));
}

ssize_t write(int fd, const void *from, size_t n)
{
    return check(__syscall(SYS_write, (uintptr_t)fd, (uintptr_t)from, (uintptr_t)n, 0, 0, 0));
}

int open(const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    unsigned mode = flags & O_CREAT ? va_arg(ap, unsigned) : 0;
    va_end(ap);
    return (int)check(__syscall(SYS_openat, (uintptr_t)AT_FDCWD, (uintptr_t)path, (uintptr_t)flags, (uintptr_t)mode, 0, 0));
}

int close(int fd)
{
    return (int)check(__syscall(SYS_close, (uintptr_t)fd, 0, 0, 0, 0, 0));
}

off_t lseek(int fd, off_t offset, int whence)
{
    return check(__syscall(SYS_lseek, (uintptr_t)fd, (uintptr_t)offset, (uintptr_t)whence, 0, 0, 0));
}

int getpid(void)
{
    return (int)check(__syscall(SYS_getpid, 0, 0, 0, 0, 0, 0));
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    return (int)check(__syscall(SYS_clock_gettime, (uintptr_t)clock, (uintptr_t)out, 0, 0, 0, 0));
}

int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
    return (int)check(__syscall(SYS_prctl, (uintptr_t)option, (uintptr_t)a, (uintptr_t)b, (uintptr_t)c, (uintptr_t)d, 0));
}

void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
    uintptr_t p = __syscall(SYS_mmap, (uintptr_t)addr, (uintptr_t)length, (uintptr_t)prot, (uintptr_t)flags,
                            (uintptr_t)fd, (uintptr_t)offset);
    return check(p) == -1 ? MAP_FAILED : (void *)p;
}

int munmap(void *addr, size_t length)
{
    return (int)check(__syscall(SYS_munmap, (uintptr_t)addr, (uintptr_t)length, 0, 0, 0, 0));
}

int mprotect(void *addr, size_t length, int prot)
{
    return (int)check(__syscall(SYS_mprotect, (uintptr_t)addr, (uintptr_t)length, (uintptr_t)prot, 0, 0, 0));
}

void _exit(int status)
{
    for (;;) __syscall(SYS_exit_group, (uintptr_t)status, 0, 0, 0, 0, 0);
}
