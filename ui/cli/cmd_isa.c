// cmd_isa.c: `caplab isa table` prints the instruction table; `caplab isa vectors` runs golden vectors.
#include "isa/isa.h"
#include "ui/cli/cli.h"
#include <stdio.h>

static const struct option options[] = {
    {"engine", required_argument, NULL, 'e'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};

static const char help[] = "usage: caplab isa table\n"
                           "       caplab isa vectors [--engine fast|loop] FILE…     (plain or .zst)\n\n"
                           "vectors prints every kind of failure and why cases were skipped; its last line is\n"
                           "`N passed, M failed, K skipped`, its exit status 1 if any failed.\n";

static int print_table(void)
{
    static const char *const classes[] = {
#define X(name, text) #name,
        ISA_CLASSES(X)
#undef X
    };
    for (u32 row = 1; row < ISA_ROW_COUNT; row++) {
        const IsaRowInfo *i = isa_row_info((IsaRow)row);
        printf("%-20s %-8s %-52s %s\n", i->name, classes[i->cls], i->pattern, i->syntax);
    }
    return 0;
}

static int run_vectors(char **files, u32 n, MacEngine engine)
{
    DrvVectors sum = {0};
    for (u32 i = 0; i < n; i++) {
        Err err = {0};
        Buf failures = {0};
        bool ok = drv_vectors(files[i], engine, &sum, &failures, &err);
        fputs(buf_text(&failures), stdout);
        buf_free(&failures);
        if (!ok) return cli_fail(&err);
    }
    printf("skipped: %llu without a row in this build, %llu use a feature not in this build\n", (unsigned long long)sum.skip_no_row,
           (unsigned long long)sum.skip_feature);
    if (sum.passed_by_reference)
        printf("%llu of the passed cases show STXP as the reference has it, not the architecture (docs/decisions/0006)\n",
               (unsigned long long)sum.passed_by_reference);
    printf("%llu passed, %llu failed, %llu skipped\n", (unsigned long long)sum.passed, (unsigned long long)sum.failed,
           (unsigned long long)sum.skipped);
    return sum.failed ? 1 : 0;
}

int cmd_isa(int argc, char **argv)
{
    MacEngine engine = MAC_ENGINE_FAST;
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (c == 'h') {
            fputs(help, stdout);
            return 0;
        }
        if (c != 'e') return cli_usage("isa", "see the message above");
        if (strcmp(optarg, "fast") != 0 && strcmp(optarg, "loop") != 0)
            return cli_usage("isa", "--engine is fast or loop, not '%s'", optarg);
        engine = optarg[0] == 'l' ? MAC_ENGINE_LOOP : MAC_ENGINE_FAST;
    }
    const char *what = optind < argc ? argv[optind] : "";
    u32 n = (u32)(argc - optind - 1);
    if (!strcmp(what, "table") && !n) return print_table();
    if (!strcmp(what, "vectors") && n) return run_vectors(argv + optind + 1, n, engine);
    return cli_usage("isa", "table, or vectors FILE…");
}
