// cmd_dis.c: `caplab dis FILE`: machine code of an ELF or a C program, bytecode of a Python program.
#include "driver/listing.h"
#include "ui/cli/cli.h"
#include <stdio.h>

enum { OPT_FUNCTION = CLI_OWN };
static const struct option own_options[] = {
    {"function", required_argument, NULL, OPT_FUNCTION}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};

static const char help[] =
    "usage: caplab dis [--abi hybrid|purecap] [--function NAME] FILE\n\n"
    "FILE is an ELF, a C or assembler program (compiled first), or a Python program (its bytecode; with --function\n"
    "a function of the Python machine).\n";

int cmd_dis(int argc, char **argv)
{
    struct option options[40];
    DrvOptions o;
    Err err = {0};
    const char *function = NULL;
    cli_options_init(&o);
    cli_join_options(own_options, options, ARRAY_LEN(options));
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (c == 'h') {
            fputs(help, stdout);
            return 0;
        }
        if (c == '?') return cli_usage("dis", "see the message above");
        if (c == OPT_FUNCTION) function = optarg;
        else if (!cli_machine_option(&o, c, optarg, &err)) return cli_fail(&err);
    }
    if (optind != argc - 1) return cli_usage("dis", "one FILE, please");
    Buf text = {0};
    bool ok = drv_list(&o, argv[optind], function, &text, &err) && cli_write_file("-", text.at, text.len, &err);
    buf_free(&text);
    return ok ? 0 : cli_fail(&err);
}
