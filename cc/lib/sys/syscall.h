// sys/syscall.h: numbers of the system calls that the library uses, and the call itself.
#ifndef _SYS_SYSCALL_H
#define _SYS_SYSCALL_H
#include <stdint.h>

#define SYS_openat 56
#define SYS_close 57
#define SYS_lseek 62
#define SYS_read 63
#define SYS_write 64
#define SYS_exit 93
#define SYS_exit_group 94
#define SYS_clock_gettime 113
#define SYS_prctl 167
#define SYS_getpid 172
#define SYS_munmap 215
#define SYS_mmap 222
#define SYS_mprotect 226

// Raw call: the result or a negative error number; errno is left alone.
uintptr_t __syscall(long number, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f);

#endif
