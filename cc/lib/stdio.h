// stdio.h: a small part: three streams, formatted output, lines.
//
// Formats: %d i u x X o c s p % with flags - + space 0 #, width, precision, hh h l ll z t j. %p prints the address;
// in purecap %#p prints the capability: 0xADDR [PERMS,0xBASE-0xTOP] (ATTRIBUTES). There is no floating-point format.
#ifndef _STDIO_H
#define _STDIO_H
#include <stdarg.h>
#include <stddef.h>

#define EOF (-1)
#define BUFSIZ 1024

typedef struct _FILE FILE;
extern FILE *const stdin;
extern FILE *const stdout;
extern FILE *const stderr;

int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
int sprintf(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int vprintf(const char *format, va_list ap);
int vfprintf(FILE *f, const char *format, va_list ap);
int vsnprintf(char *to, size_t size, const char *format, va_list ap);
int puts(const char *s);
int fputs(const char *s, FILE *f);
int putchar(int c);
int fputc(int c, FILE *f);
int putc(int c, FILE *f);
int getchar(void);
size_t fwrite(const void *from, size_t size, size_t count, FILE *f);
int fflush(FILE *f);
void perror(const char *what);

#endif
