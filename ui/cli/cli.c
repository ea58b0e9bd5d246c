// cli.c: the shared half of the sub-commands.
#include "ui/cli/cli.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Options that are the same word as a --set key.
#define KEY_OPTIONS(X)                                                                                       \
    X("machine", OPT_MACHINE) X("abi", OPT_ABI) X("mte", OPT_MTE) X("timing", OPT_TIMING) X("engine", OPT_ENGINE) X("ssbs", OPT_SSBS)  \
    X("seed", OPT_SEED) X("max-insns", OPT_MAX_INSNS) X("memory", OPT_MEMORY)
enum {
    OPT_FIRST = 256,
#define X(name, id) id,
    KEY_OPTIONS(X)
#undef X
        OPT_SET,
    OPT_GUEST_DIR,
};

const struct option cli_machine_options[] = {
#define X(name, id) {name, required_argument, NULL, id},
    KEY_OPTIONS(X)
#undef X
    {"set", required_argument, NULL, OPT_SET},
    {"guest-dir", required_argument, NULL, OPT_GUEST_DIR},
    {NULL, 0, NULL, 0},
};

const char cli_machine_help[] =
    "  --abi hybrid|purecap    ABI the guest is built for (default purecap)\n"
    "  --engine fast|loop      dispatcher; same results\n"
    "  --ssbs 0|1              PSTATE.SSBS at entry (default 1)\n"
    "  --set KEY=VALUE         a knob or any option (caplab run --list-knobs)\n"
    "  --seed N                everything random derives from it (default 1)\n"
    "  --max-insns N           stop after N guest instructions, exit status 124\n"
    "  --memory BYTES          guest memory (default 256M); K, M, G everywhere\n"
    "  --machine user          Linux personality\n"
    "  --mte off, --timing off\n"
    "  --guest-dir DIR         sources of the Python machine, instead of the built-in ones\n";

static bool set_pair(DrvOptions *o, const char *pair, Err *err)
{
    const char *eq = strchr(pair, '=');
    if (!eq) return err_set(err, CAPLAB_EX_USAGE, "--set needs KEY=VALUE, not '%.64s'", pair);
    char *key = xstrndup(pair, (size_t)(eq - pair));
    bool ok = drv_set(o, key, eq + 1, err);
    free(key);
    return ok;
}

bool cli_machine_option(DrvOptions *o, int c, const char *value, Err *err)
{
    if (c == OPT_SET) return set_pair(o, value, err);
    if (c == OPT_GUEST_DIR) return (o->guest_dir = value) != NULL;
    for (const struct option *opt = cli_machine_options; opt->name; opt++)
        if (opt->val == c) return drv_set(o, opt->name, value, err);
    return false;
}

void cli_join_options(const struct option *own, struct option *out, u32 max)
{
    u32 n = 0;
    for (const struct option *o = cli_machine_options; o->name; o++) out[n++] = *o;
    for (; own->name; own++) out[n++] = *own;
    CHECK(n < max, "too many options");
    out[n] = (struct option){0};
}

static void warn(const Err *w) { err_print(w, stderr); }

void cli_options_init(DrvOptions *o)
{
    drv_options_init(o);
    o->warn = warn;
}

int cli_fail(const Err *err)
{
    err_print(err, stderr);
    return err->status ? err->status : CAPLAB_EX_INTERNAL;
}

int cli_usage(const char *command, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "caplab %s: ", command);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fprintf(stderr, "\ncaplab %s --help tells more\n", command);
    return CAPLAB_EX_USAGE;
}

bool cli_write_file(const char *path, const u8 *bytes, size_t len, Err *err)
{
    bool is_stdout = !strcmp(path, "-");
    FILE *f = is_stdout ? stdout : fopen(path, "wb");
    bool ok = f && (!len || fwrite(bytes, 1, len, f) == len) && !fflush(f);
    int error = errno;
    if (f && !is_stdout && fclose(f) != 0) ok = false;
    return ok || err_set(err, CAPLAB_EX_NOINPUT, "cannot write %s: %s", path, strerror(error));
}

bool cli_use_color(int fd)
{
    const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
    return isatty(fd) && !(no && no[0]) && term && strcmp(term, "dumb") != 0;
}
