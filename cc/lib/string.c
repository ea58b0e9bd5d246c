// string.c: memory and strings.
//
// The unit of copying is uintptr_t: a capability in purecap, so pointers inside the copied memory stay valid as long as
// source and destination have the same place within 16 bytes. Otherwise bytes are copied (pointers could not survive anyway).
#include <string.h>

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#define WORD sizeof(uintptr_t)

static inline int congruent(const void *a, const void *b) { return (((ptraddr_t)a ^ (ptraddr_t)b) & (WORD - 1)) == 0; }

void *memcpy(void *to, const void *from, size_t n)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    if (n >= WORD && congruent(d, s)) {
        while ((ptraddr_t)d & (WORD - 1)) {
            *d++ = *s++;
            n--;
        }
        uintptr_t *dw = (uintptr_t *)d;
        const uintptr_t *sw = (const uintptr_t *)s;
        for (; n >= 4 * WORD; n -= 4 * WORD, dw += 4, sw += 4) {
            uintptr_t a = sw[0], b = sw[1], c = sw[2], e = sw[3];
            dw[0] = a;
            dw[1] = b;
            dw[2] = c;
            dw[3] = e;
        }
        for (; n >= WORD; n -= WORD) *dw++ = *sw++;
        d = (unsigned char *)dw;
        s = (const unsigned char *)sw;
    }
    for (; n > 0; n--) *d++ = *s++;
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    ptraddr_t distance = (ptraddr_t)to - (ptraddr_t)from;
    if (distance >= n) return memcpy(to, from, n); // also when `to` lies before `from`
    unsigned char *d = (unsigned char *)to + n;
    const unsigned char *s = (const unsigned char *)from + n;
    if (n >= WORD && congruent(d, s)) {
        while ((ptraddr_t)d & (WORD - 1)) {
            *--d = *--s;
            n--;
        }
        uintptr_t *dw = (uintptr_t *)d;
        const uintptr_t *sw = (const uintptr_t *)s;
        for (; n >= WORD; n -= WORD) *--dw = *--sw;
        d = (unsigned char *)dw;
        s = (const unsigned char *)sw;
    }
    for (; n > 0; n--) *--d = *--s;
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    unsigned char *d = to;
    unsigned char b = (unsigned char)byte;
    if (n >= 2 * WORD) {
        while ((ptraddr_t)d & (WORD - 1)) {
            *d++ = b;
            n--;
        }
        if (b == 0) {
            uintptr_t *dw = (uintptr_t *)d;
            for (; n >= 4 * WORD; n -= 4 * WORD, dw += 4) dw[0] = dw[1] = dw[2] = dw[3] = 0;
            for (; n >= WORD; n -= WORD) *dw++ = 0;
            d = (unsigned char *)dw;
        } else {
            uint64_t *dw = (uint64_t *)d;
            uint64_t pattern = b * 0x0101010101010101UL;
            for (; n >= 8; n -= 8) *dw++ = pattern;
            d = (unsigned char *)dw;
        }
    }
    for (; n > 0; n--) *d++ = b;
    return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    for (; n > 0; n--, x++, y++) {
        if (*x != *y) return *x < *y ? -1 : 1;
    }
    return 0;
}

void *memchr(const void *s, int byte, size_t n)
{
    const unsigned char *p = s;
    for (; n > 0; n--, p++) {
        if (*p == (unsigned char)byte) return (void *)p;
    }
    return NULL;
}

size_t strlen(const char *s)
{
    const char *p = s;
    while (*p) p++;
    return (size_t)(p - s);
}

size_t strnlen(const char *s, size_t max)
{
    size_t n = 0;
    while (n < max && s[n]) n++;
    return n;
}

int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b) a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t n)
{
    while (n > 0 && *a && *a == *b) a++, b++, n--;
    return n == 0 ? 0 : (unsigned char)*a - (unsigned char)*b;
}

char *strcpy(char *to, const char *from)
{
    char *d = to;
    while ((*d++ = *from++)) continue;
    return to;
}

char *strncpy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    for (; i < n && from[i]; i++) to[i] = from[i];
    for (; i < n; i++) to[i] = 0;
    return to;
}

char *strcat(char *to, const char *from)
{
    strcpy(to + strlen(to), from);
    return to;
}

char *strchr(const char *s, int c)
{
    for (;; s++) {
        if (*s == (char)c) return (char *)s;
        if (!*s) return NULL;
    }
}

char *strrchr(const char *s, int c)
{
    const char *found = NULL;
    for (;; s++) {
        if (*s == (char)c) found = s;
        if (!*s) return (char *)found;
    }
}

char *strstr(const char *s, const char *what)
{
    size_t n = strlen(what);
    for (;; s++) {
        if (strncmp(s, what, n) == 0) return (char *)s;
        if (!*s) return NULL;
    }
}

char *strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    char *copy = malloc(n);
    return copy ? memcpy(copy, s, n) : NULL;
}

char *strerror(int error)
{
    switch (error) {
    case 0: return "success";
    case EPERM: return "operation not permitted";
    case ENOENT: return "no such file or directory";
    case EIO: return "input/output error";
    case EBADF: return "bad file descriptor";
    case ENOMEM: return "out of memory";
    case EACCES: return "permission denied";
    case EFAULT: return "bad address";
    case EISDIR: return "is a directory";
    case EINVAL: return "invalid argument";
    case ENOSYS: return "no such system call";
    case ERESERVATION: return "outside the reservation";
    default: return "unknown error";
    }
}
