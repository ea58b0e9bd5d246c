// start.c: from crt0 to main, and the end of the program.
//
//     _start → __libc_start(argc, argv, envp) → exit(main(argc, argv, envp)) → atexit functions, flush, exit_group
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv, char **envp);

static char **environment;
static void (*exit_functions[32])(void);
static int n_exit_functions;

void __libc_start(long argc, char **argv, char **envp)
{
    environment = envp;
    exit(main((int)argc, argv, envp));
}

int atexit(void (*function)(void))
{
    if (n_exit_functions == 32) return -1;
    exit_functions[n_exit_functions++] = function;
    return 0;
}

void exit(int status)
{
    while (n_exit_functions > 0) exit_functions[--n_exit_functions]();
    fflush(stdout);
    _exit(status);
}

void abort(void)
{
    fflush(stdout);
    _exit(134); // 128 + SIGABRT, as a shell reports it
}

void __fatal(const char *text)
{
    fflush(stdout);
    write(2, text, strlen(text));
    abort();
}

void __assert_fail(const char *claim, const char *file, int line, const char *function)
{
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s: assertion failed: %s\n", file, line, function, claim);
    abort();
}

char *getenv(const char *name)
{
    size_t n = strlen(name);
    if (!environment) return NULL;
    for (char **e = environment; *e; e++) {
        if (strncmp(*e, name, n) == 0 && (*e)[n] == '=') return *e + n + 1;
    }
    return NULL;
}
