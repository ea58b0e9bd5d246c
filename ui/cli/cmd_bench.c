// cmd_bench.c: `caplab bench`: how fast the simulator itself is, on the programs of bench/py: both ABIs, with and without
// accounting, and the very same hybrid guest under qemu-aarch64 (a JIT) if that is installed.
#include "ui/cli/cli.h"
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { OPT_NO_QEMU = CLI_OWN, SLICE = 1 << 24 };
static const struct option own_options[] = {
    {"no-qemu", no_argument, NULL, OPT_NO_QEMU}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};

static const char help[] =
    "usage: caplab bench [--no-qemu] [OPTIONS] [FILE [ARG…]]\n\n"
    "Without FILE: the programs of ./bench/py with sizes that take more than a billion instructions. One line a program:\n"
    "million instructions per second of processor time (MIPS) hybrid and purecap, both without probes; purecap/hybrid; the cost of counting\n"
    "bytecodes; qemu-aarch64 on the same hybrid program; hybrid/qemu.\n";

static const struct {
    const char *file, *arg;
} programs[] = {
    {"bench/py/fannkuch.py", "9"}, {"bench/py/nqueens.py", "9"}, {"bench/py/pystone.py", "60000"},
    {"bench/py/pi.py", "800"},     {"bench/py/slices.py", "5000"},
};

// Processor time, so that a busy computer does not falsify the figures.
static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

typedef struct Measured {
    u64 insns;
    double seconds;
    Buf elf, mpy; // of the hybrid run, for qemu
} Measured;

static double mips(const Measured *m) { return m->seconds > 0 ? (double)m->insns / m->seconds / 1e6 : 0; }

static bool measure(const DrvOptions *base, const char *file, char **args, MacAbi abi, bool probes, Measured *out, Err *err)
{
    DrvOptions o = *base;
    o.abi = abi;
    o.probes = probes;
    DrvSession *s = drv_open(&o, file, (const char *const *)args, err);
    if (!s) return false;
    Machine *m = drv_machine(s);
    mac_add_input(m, NULL, 0, true);
    double start = now_seconds();
    EvStop stop;
    do {
        stop = drv_run(s, SLICE);
        Buf ignored = {0};
        int fd;
        do mac_take_output(m, &ignored, &fd);
        while (fd);
        buf_free(&ignored);
    } while (stop == EV_STOP_BUDGET || stop == EV_STOP_OUTPUT);
    *out = (Measured){.insns = mac_insns(m), .seconds = now_seconds() - start};
    if (abi == MAC_HYBRID) {
        buf_add(&out->elf, drv_elf(s)->at, drv_elf(s)->len);
        buf_add(&out->mpy, drv_mpy(s)->at, drv_mpy(s)->len);
    }
    bool ok = stop == EV_STOP_EXIT || stop == EV_STOP_LIMIT;
    if (!ok) err_set(err, 139, "%s: a guest fault", file);
    drv_close(s);
    return ok;
}

static bool write_temp(const char *dir, const char *name, const Buf *b, Err *err)
{
    char *path = xasprintf("%s/%s", dir, name);
    bool ok = cli_write_file(path, b->at, b->len, err) && !chmod(path, 0755);
    free(path);
    return ok;
}

// A run of milliseconds measures the host's caches and clock, not the simulator.
static const double seconds_that_count = 0.5;

static void warn_if_short(const char *file, const Measured *h, const Measured *p)
{
    double shortest = h->seconds < p->seconds ? h->seconds : p->seconds;
    if (shortest >= seconds_that_count) return;
    fflush(stdout);
    fprintf(stderr, "caplab: warning: %s ran for %.0f ms only: ratios of runs shorter than %.1f s are noise; give it a larger size\n", file,
            1000 * shortest, seconds_that_count);
}

// Processor seconds of `qemu-aarch64 vm.elf prog.mpy ARGS`, 0 if it cannot be run.
static double run_qemu(const Measured *h, char **args)
{
    char dir[] = "/tmp/caplab-bench-XXXXXX";
    Err err = {0};
    if (!mkdtemp(dir)) return 0;
    double seconds = 0;
    if (write_temp(dir, "vm.elf", &h->elf, &err) && write_temp(dir, "prog.mpy", &h->mpy, &err)) {
        char *elf = xasprintf("%s/vm.elf", dir), *mpy = xasprintf("%s/prog.mpy", dir);
        char qemu[] = "qemu-aarch64";
        char *argv[64] = {qemu, elf, mpy};
        for (u32 i = 0; args[i] && i < 60; i++) argv[3 + i] = args[i];
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
        pid_t pid;
        int status = 1;
        struct rusage use;
        if (!posix_spawnp(&pid, qemu, &actions, NULL, argv, environ) && wait4(pid, &status, 0, &use) == pid && !status)
            seconds = (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                      (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
        posix_spawn_file_actions_destroy(&actions);
        unlink(elf);
        unlink(mpy);
        free(elf);
        free(mpy);
    }
    rmdir(dir);
    return seconds;
}

static bool bench_one(const DrvOptions *o, const char *file, char **args, bool want_qemu, Err *err)
{
    Measured hybrid = {0}, purecap = {0}, counted = {0};
    bool ok = measure(o, file, args, MAC_HYBRID, false, &hybrid, err) && measure(o, file, args, MAC_PURECAP, false, &purecap, err);
    if (ok) {
        Buf elf = hybrid.elf, mpy = hybrid.mpy;
        ok = measure(o, file, args, MAC_HYBRID, true, &counted, err);
        buf_free(&counted.elf);
        buf_free(&counted.mpy);
        double qemu = ok && want_qemu && mpy.len ? run_qemu(&hybrid, args) : 0;
        if (ok) {
            const char *slash = strrchr(file, '/');
            printf("%-14s %10.1f M %8.0f %8.0f %10.2f %10.1f %%", slash ? slash + 1 : file, (double)hybrid.insns / 1e6, mips(&hybrid),
                   mips(&purecap), mips(&purecap) / mips(&hybrid), 100 * (counted.seconds / hybrid.seconds - 1));
            if (qemu > 0) printf(" %9.0f %9.2f\n", (double)hybrid.insns / qemu / 1e6, qemu / hybrid.seconds);
            else printf(" %9s %9s\n", "-", "-");
            fflush(stdout);
            warn_if_short(file, &hybrid, &purecap);
        }
        buf_free(&elf);
        buf_free(&mpy);
    }
    return ok;
}

int cmd_bench(int argc, char **argv)
{
    struct option options[40];
    DrvOptions o;
    Err err = {0};
    bool want_qemu = true;
    drv_options_init(&o);
    cli_join_options(own_options, options, ARRAY_LEN(options));
    for (int c; (c = getopt_long(argc, argv, "+h", options, NULL)) != -1;) {
        if (c == 'h') {
            fputs(help, stdout);
            return 0;
        }
        if (c == '?') return cli_usage("bench", "see the message above");
        if (c == OPT_NO_QEMU) want_qemu = false;
        else if (!cli_machine_option(&o, c, optarg, &err)) return cli_fail(&err);
    }
    printf("%-14s %12s %8s %8s %10s %12s %9s %9s\n", "program", "hybrid insns", "hybrid", "purecap", "pure/hyb", "counting", "qemu",
           "hyb/qemu");
    if (optind < argc) return bench_one(&o, argv[optind], argv + optind + 1, want_qemu, &err) ? 0 : cli_fail(&err);
    for (u32 i = 0; i < ARRAY_LEN(programs); i++) {
        char *arg = xstrdup(programs[i].arg);
        char *args[] = {arg, NULL};
        bool ok = bench_one(&o, programs[i].file, args, want_qemu, &err);
        free(arg);
        if (!ok) return cli_fail(&err);
    }
    return 0;
}
