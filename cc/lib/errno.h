// errno.h
#ifndef _ERRNO_H
#define _ERRNO_H

extern int errno;

#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EBADF 9
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENOSYS 38
#define ERANGE 34
#define ERESERVATION 192

#endif
