// cmd_cc.c: `caplab cc`: the compiler alone, also for the Python machine itself (--vm).
#include "driver/files.h"
#include "driver/guest.h"
#include "ui/cli/cli.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { OPT_VM = CLI_OWN, OPT_DUMP_IR, OPT_NO_LIBRARY, MAX_DEFINES = 64, MAX_SOURCES = 256 };
static const struct option own_options[] = {
    {"vm", no_argument, NULL, OPT_VM}, {"dump-ir", optional_argument, NULL, OPT_DUMP_IR},
    {"nostdlib", no_argument, NULL, OPT_NO_LIBRARY}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};

static const char help[] =
    "usage: caplab cc [--abi hybrid|purecap] [-o OUT] [-O0|-O2] [-DNAME[=VALUE]] [-IDIR] [-fno-probes] [--nostdlib] FILE…\n"
    "       caplab cc --vm [--abi …] [--set KNOB=VALUE] [-o OUT]     the Python machine\n"
    "       caplab cc -E|-S|--dump-ir[=ir0|ir|mir] FILE                          preprocessed text, machine code, IR\n\n"
    "The output is a static AArch64 Linux executable (default a.out; - is standard output).\n";

typedef struct CcJob {
    DrvOptions drv;
    CcOptions cc;
    bool is_vm, no_library;
    const char *dump; // NULL, "E", or what cc_dump takes: "asm", "ir"
    const char *out;
    const char *defines[MAX_DEFINES + 1], *dirs[MAX_DEFINES];
    u32 n_defines, n_dirs;
} CcJob;

static void warn(void *ctx, const Err *w)
{
    (void)ctx;
    err_print(w, stderr);
}

static bool write_elf(const char *path, const Buf *elf, Err *err)
{
    if (!cli_write_file(path, elf->at, elf->len, err)) return false;
    if (strcmp(path, "-") != 0) chmod(path, 0755); // failing leaves a file that still can be read and run by caplab
    return true;
}

static bool dump(const CcJob *job, const CcSource *source, Err *err)
{
    Buf out = {0};
    bool ok = job->dump[0] == 'E' ? cc_preprocess(source, &job->cc, &out, err)
                                  : cc_dump(source, &job->cc, job->dump, &out, err);
    if (ok) ok = cli_write_file(job->out ? job->out : "-", out.at, out.len, err);
    buf_free(&out);
    return ok;
}

static bool compile(CcJob *job, char **files, u32 n, Err *err)
{
    CcSource sources[MAX_SOURCES];
    u32 n_read = 0;
    bool ok = true;
    for (; ok && n_read < n; n_read++) {
        size_t len;
        u8 *text = drv_read_file(files[n_read], &len, err);
        ok = text != NULL;
        sources[n_read] = (CcSource){files[n_read], (const char *)text};
        if (ok && memchr(text, 0, len)) ok = err_set(err, CAPLAB_EX_DATA, "%s: a NUL byte in program text", files[n_read]);
    }
    void *finder = drv_finder_new();
    drv_finder_use(finder, &job->cc);
    for (u32 i = 0; i < job->n_dirs; i++) drv_finder_add_dir(finder, job->dirs[i]);
    Buf elf = {0};
    if (ok && job->dump) {
        for (u32 i = 0; ok && i < n; i++) ok = dump(job, &sources[i], err);
    } else if (ok) {
        ok = (job->no_library ? cc_build(sources, n, &job->cc, &elf, err) : drv_link_c(sources, n, &job->cc, &elf, err)) &&
             write_elf(job->out ? job->out : "a.out", &elf, err);
    }
    for (u32 i = 0; i < n_read; i++) free((void *)(uintptr_t)sources[i].text);
    drv_finder_free(finder);
    buf_free(&elf);
    return ok;
}

static bool build_vm(const CcJob *job, Err *err)
{
    Buf elf = {0};
    char hash[17];
    bool ok = drv_build_vm(&job->drv, &elf, hash, err) && write_elf(job->out ? job->out : "vm.elf", &elf, err);
    buf_free(&elf);
    return ok;
}

static int take_option(CcJob *job, int c, Err *err)
{
    switch (c) {
    case 'h': fputs(help, stdout); return 0;
    case 'o': job->out = optarg; return -1;
    case 'E':
    case 'S': job->dump = c == 'E' ? "E" : "asm"; return -1;
    case OPT_DUMP_IR: job->dump = optarg ? optarg : "ir"; return -1;
    case OPT_NO_LIBRARY: job->no_library = true; return -1;
    case OPT_VM: job->is_vm = true; return -1;
    case 'O':
        job->cc.opt_level = !strcmp(optarg, "0") ? 0 : 2;
        return -1;
    case 'f':
        if (strcmp(optarg, "no-probes") != 0) return cli_usage("cc", "unknown option -f%s", optarg);
        job->drv.no_guest_probes = job->cc.no_probes = true;
        return -1;
    case 'D':
        if (job->n_defines == MAX_DEFINES) return cli_usage("cc", "more than %d -D options", MAX_DEFINES);
        job->defines[job->n_defines++] = optarg;
        return -1;
    case 'I':
        if (job->n_dirs == MAX_DEFINES) return cli_usage("cc", "more than %d -I options", MAX_DEFINES);
        job->dirs[job->n_dirs++] = optarg;
        return -1;
    case '?': return cli_usage("cc", "see the message above");
    default: return cli_machine_option(&job->drv, c, optarg, err) ? -1 : cli_fail(err);
    }
}

int cmd_cc(int argc, char **argv)
{
    struct option options[40];
    CcJob job = {.cc = {.opt_level = 2, .warn = warn}};
    Err err = {0};
    drv_options_init(&job.drv);
    cli_join_options(own_options, options, ARRAY_LEN(options));
    for (int c; (c = getopt_long(argc, argv, "ho:ESO:f:D:I:", options, NULL)) != -1;) {
        int status = take_option(&job, c, &err);
        if (status >= 0) return status;
    }
    u32 n = (u32)(argc - optind);
    if (job.is_vm) {
        if (n) return cli_usage("cc", "--vm takes no FILE");
        return build_vm(&job, &err) ? 0 : cli_fail(&err);
    }
    if (!n) return cli_usage("cc", "which FILE?");
    if (n > MAX_SOURCES) return cli_usage("cc", "more than %d files", MAX_SOURCES);
    job.cc.abi = job.drv.abi == MAC_PURECAP ? CC_PURECAP : CC_HYBRID;
    job.cc.profile = drv_profile(&job.drv);
    job.cc.defines = job.defines;
    return compile(&job, argv + optind, n, &err) ? 0 : cli_fail(&err);
}
