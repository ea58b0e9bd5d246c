// cli.h: what the sub-commands share: options of the machine, error messages, writing files. Only here and in main.c does caplab print
// and decide its exit status.
#ifndef CAPLAB_UI_CLI_CLI_H
#define CAPLAB_UI_CLI_CLI_H

#include "driver/driver.h"
#include <getopt.h>

// Sub-commands. CLI_COMMANDS(X): name, what it is for
#define CLI_COMMANDS(X)                                                                                      \
    X(run, "run a guest program to its end")                                                                   \
    X(cc, "compile and link C or assembler for the guest")                                                      \
    X(py, "compile Python to bytecode, or list bytecode")                                                       \
    X(dis, "disassemble a program")                                                                            \
    X(explain, "decode a capability, an instruction or an address")                                             \
    X(isa, "the instruction table; golden vectors")                                                             \
    X(bench, "the speed of the simulator itself")
#define X(name, text) int cmd_##name(int argc, char **argv);
CLI_COMMANDS(X)
#undef X
#ifdef CAPLAB_TUI
int cmd_tui(int argc, char **argv);
#endif

// Options that run, tui, bench and others share. A command's own options are added behind them (values from CLI_OWN on).
enum { CLI_OWN = 512 };
extern const struct option cli_machine_options[];
// Handles one option of cli_machine_options. True if it was one and is fine; false: not one of them, or *err is set.
bool cli_machine_option(DrvOptions *o, int c, const char *value, Err *err);
// Joins cli_machine_options and the command's own (both end with a zero row) into `out`.
void cli_join_options(const struct option *own, struct option *out, u32 max);
extern const char cli_machine_help[];

void cli_options_init(DrvOptions *o);                               // drv_options_init, and compiler warnings on standard error
int cli_fail(const Err *err);                                       // prints it, returns its status
int cli_usage(const char *command, const char *fmt, ...) PRINTF_LIKE(2, 3); // prints, returns 2
bool cli_write_file(const char *path, const u8 *bytes, size_t len, Err *err); // "-" = standard output
bool cli_use_color(int fd);

#endif
