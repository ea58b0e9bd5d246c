// internal.h: what the library's files tell each other.
#ifndef CAPLAB_LIB_INTERNAL_H
#define CAPLAB_LIB_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

void __libc_start(long argc, char **argv, char **envp); // called by crt0
void __fatal(const char *text) __attribute__((noreturn)); // prints to descriptor 2 and aborts

static inline ptraddr_t address_of(const void *p) { return (ptraddr_t)p; }

#endif
