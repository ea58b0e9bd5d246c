// main.c: `caplab COMMAND …`: finds the command and gives it the rest of the line.
#include "ui/cli/cli.h"
#include <stdio.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text;
} commands[] = {
#define X(name, text) {#name, cmd_##name, text},
    CLI_COMMANDS(X)
#undef X
#ifdef CAPLAB_TUI
        {"tui", cmd_tui, "the same machine, interactively"},
#endif
};

static void print_help(FILE *to)
{
    fprintf(to, "caplab: a simulated AArch64 core with Morello capabilities, and a Python machine inside it\n\n"
                "usage: caplab COMMAND [OPTIONS] …\n\n");
    for (u32 i = 0; i < ARRAY_LEN(commands); i++) fprintf(to, "  %-9s %s\n", commands[i].name, commands[i].text);
    fprintf(to, "\ncaplab COMMAND --help tells more. Try: caplab run bench/py/nqueens.py\n");
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return CAPLAB_EX_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help") || !strcmp(argv[1], "-h")) {
        print_help(stdout);
        return 0;
    }
    if (!strcmp(argv[1], "--version")) {
        puts("caplab 0.1.0");
        return 0;
    }
    for (u32 i = 0; i < ARRAY_LEN(commands); i++)
        if (!strcmp(argv[1], commands[i].name)) return commands[i].run(argc - 1, argv + 1);
    fprintf(stderr, "caplab: unknown command '%s'\n\n", argv[1]);
    print_help(stderr);
    return CAPLAB_EX_USAGE;
}
