// cmd_run.c: `caplab run FILE`: the guest's input and output are the program's own; figures go to standard error or a file.
#include "driver/report.h"
#include "ui/cli/cli.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { SLICE = 1 << 22, PROGRESS_AFTER_SECONDS = 2 };

enum { OPT_STATS = CLI_OWN, OPT_STATS_FILE, OPT_LIST_KNOBS, OPT_ROOT, OPT_TRACE, OPT_NO_PROBES };
static const struct option own_options[] = {
    {"stats", required_argument, NULL, OPT_STATS},   {"stats-file", required_argument, NULL, OPT_STATS_FILE},
    {"list-knobs", no_argument, NULL, OPT_LIST_KNOBS}, {"root", required_argument, NULL, OPT_ROOT},
    {"trace", required_argument, NULL, OPT_TRACE},   {"no-probes", no_argument, NULL, OPT_NO_PROBES},
    {"help", no_argument, NULL, 'h'},                {NULL, 0, NULL, 0},
};

static const char help[] =
    "usage: caplab run [OPTIONS] FILE [-- ARGS]\n\n"
    "FILE is a Python program or its .mpy, a C or assembler program, or a static AArch64 ELF.\n\n"
    "%s"
    "  --stats text|json|csv|none  figures (default text on standard error)\n"
    "  --stats-file FILE       where they go; needed for json and csv; - is standard output, which the program writes to, too\n"
    "  --no-probes             no counts per bytecode, no heap history\n"
    "  --root DIR              the guest may read files below DIR\n"
    "  --list-knobs            print all knobs\n\n"
    "exit status: the guest's own; 139 uncaught guest fault; 124 instruction limit; 130 interrupted (Ctrl-C;\n"
    "the figures up to then are printed); 2 usage; 65 bad input; 66 cannot read input; 70 internal error\n";

typedef enum Stats { STATS_TEXT, STATS_JSON, STATS_CSV, STATS_NONE } Stats;
static const char *const stats_names[] = {"text", "json", "csv", "none"};

typedef struct RunOptions {
    DrvOptions drv;
    Stats stats;
    const char *stats_file, *root;
    char **argv; // the whole command line, for the JSON
    int argc;
} RunOptions;

typedef struct Progress {
    bool is_on, is_shown;
    struct timespec start;
    double next; // seconds
} Progress;

// Ctrl-C ends the run, not the report of what it counted. A second one ends caplab itself, as always.
static volatile sig_atomic_t is_interrupted;

static void on_interrupt(int signal)
{
    (void)signal;
    is_interrupted = 1;
}

static void catch_interrupt(void)
{
    struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND}; // no SA_RESTART: read() returns
    sigaction(SIGINT, &act, NULL);
}

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static void hide_progress(Progress *p)
{
    if (p->is_shown) fputs("\r\033[K", stderr);
    p->is_shown = false;
}

static void show_progress(Progress *p, u64 insns)
{
    if (!p->is_on) return;
    double t = seconds_since(&p->start);
    if (t < p->next) return;
    p->next = t + 0.5;
    p->is_shown = true;
    fprintf(stderr, "\rcaplab: %llu million instructions, %.0f s\033[K", (unsigned long long)(insns / 1000000), t);
}

static bool write_all(int fd, const u8 *bytes, size_t len)
{
    while (len) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

static bool pass_output(Machine *m, Progress *p)
{
    for (;;) {
        Buf out = {0};
        int fd;
        mac_take_output(m, &out, &fd);
        if (!fd) return true;
        hide_progress(p);
        bool ok = write_all(fd, out.at, out.len);
        buf_free(&out);
        if (!ok) return false;
    }
}

// Waits for input or an interrupt. SIGINT comes only while ppoll waits: before, it would be missed between the question and the wait.
static bool wait_for_input(void)
{
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    struct pollfd in = {.fd = 0, .events = POLLIN};
    while (!is_interrupted && ppoll(&in, 1, NULL, &before) < 0 && errno == EINTR) continue;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return !is_interrupted;
}

static void pass_input(Machine *m)
{
    u8 bytes[4096];
    ssize_t n;
    if (!wait_for_input()) return;
    do n = read(0, bytes, sizeof bytes);
    while (n < 0 && errno == EINTR && !is_interrupted);
    if (n < 0 && is_interrupted) return;
    mac_add_input(m, bytes, n > 0 ? (size_t)n : 0, n <= 0);
}

// Runs to the end, or to an interrupt: *stop is then EV_STOP_BUDGET. False: the reader of our output is gone.
static bool run_to_end(DrvSession *s, Progress *p, EvStop *stop)
{
    for (;;) {
        *stop = drv_run(s, SLICE);
        if (!pass_output(drv_machine(s), p)) return false;
        if (*stop == EV_STOP_EXIT || *stop == EV_STOP_FAULT || *stop == EV_STOP_LIMIT) return true;
        if (*stop == EV_STOP_INPUT) pass_input(drv_machine(s));
        if (is_interrupted) return *stop = EV_STOP_BUDGET, true;
        show_progress(p, mac_insns(drv_machine(s)));
    }
}

static int write_stats(const RunOptions *o, DrvSession *s, EvStop stop, double seconds)
{
    Buf text = {0};
    Err err = {0};
    switch (o->stats) {
    case STATS_TEXT: drv_report_text(s, stop, seconds, !o->stats_file && cli_use_color(2), &text); break;
    case STATS_JSON: drv_report_json(s, stop, o->argc, o->argv, seconds, &text); break;
    case STATS_CSV: drv_report_csv(s, stop, seconds, &text); break;
    case STATS_NONE: return 0;
    }
    bool ok = true;
    if (o->stats_file) ok = cli_write_file(o->stats_file, text.at, text.len, &err);
    else fputs(buf_text(&text), stderr);
    buf_free(&text);
    return ok ? 0 : cli_fail(&err);
}

static void list_knobs(void)
{
    printf("%-22s %-10s %-20s %s\n", "knob", "default", "unit", "meaning");
    for (u32 k = 0; k < DRV_KNOB_COUNT; k++) {
        const DrvKnobInfo *i = drv_knob_info((DrvKnob)k);
        printf("%-22s %-10s %-20s %s\n", i->key, i->standard[0] ? i->standard : "-", i->unit, i->text);
    }
}

static void warn(void *ctx, const char *text)
{
    (void)ctx;
    fprintf(stderr, "caplab: warning: %s\n", text);
}

static int run(const RunOptions *o, const char *file, char **args)
{
    Err err = {0};
    DrvSession *s = drv_open(&o->drv, file, (const char *const *)args, &err);
    if (!s) return cli_fail(&err);
    Machine *m = drv_machine(s);
    mac_on_warning(m, warn, NULL);
    mac_set_root(m, o->root);
    Progress p = {.is_on = isatty(2), .next = PROGRESS_AFTER_SECONDS};
    clock_gettime(CLOCK_MONOTONIC, &p.start);
    EvStop stop;
    catch_interrupt();
    bool ok = run_to_end(s, &p, &stop);
    double seconds = seconds_since(&p.start);
    hide_progress(&p);
    int status = CAPLAB_EX_INTERNAL;
    if (ok) {
        if (stop == EV_STOP_FAULT) {
            Buf card = {0};
            drv_fault_card(s, &card);
            fputs(buf_text(&card), stderr);
            buf_free(&card);
        }
        if (stop == EV_STOP_LIMIT)
            fprintf(stderr, "caplab: stopped at the limit of %llu instructions\n", (unsigned long long)o->drv.max_insns);
        if (stop == EV_STOP_BUDGET) fprintf(stderr, "caplab: interrupted; the figures are those up to here\n");
        int failed = write_stats(o, s, stop, seconds);
        status = failed ? failed : drv_exit_status(s, stop);
    }
    drv_close(s);
    return status;
}

// -1 = go on; else the exit status.
static int take_option(RunOptions *o, int c, Err *err)
{
    switch (c) {
    case 'h': printf(help, cli_machine_help); return 0;
    case OPT_LIST_KNOBS: list_knobs(); return 0;
    case OPT_STATS:
        for (u32 i = 0; i < ARRAY_LEN(stats_names); i++)
            if (!strcmp(optarg, stats_names[i])) {
                o->stats = (Stats)i;
                return -1;
            }
        return cli_usage("run", "--stats is text, json, csv or none, not '%s'", optarg);
    case OPT_STATS_FILE: o->stats_file = optarg; return -1;
    case OPT_ROOT: o->root = optarg; return -1;
    case OPT_TRACE: return cli_usage("run", "--trace is not in this build");
    case OPT_NO_PROBES: o->drv.probes = false; return -1;
    case '?': return cli_usage("run", "see the message above");
    default: return cli_machine_option(&o->drv, c, optarg, err) ? -1 : cli_fail(err);
    }
}

int cmd_run(int argc, char **argv)
{
    struct option options[40];
    RunOptions o = {.argv = argv - 1, .argc = argc + 1};
    Err err = {0};
    cli_options_init(&o.drv);
    cli_join_options(own_options, options, ARRAY_LEN(options));
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        int status = take_option(&o, c, &err);
        if (status >= 0) return status;
    }
    if (optind >= argc) return cli_usage("run", "which FILE?");
    if ((o.stats == STATS_JSON || o.stats == STATS_CSV) && !o.stats_file)
        return cli_usage("run", "--stats %s needs --stats-file FILE (- is standard output)", stats_names[o.stats]);
    return run(&o, argv[optind], argv + optind + 1);
}
