// cmd_py.c: `caplab py`: Python source to bytecode, and bytecode as text.
#include "driver/files.h"
#include "ui/cli/cli.h"
#include <stdio.h>
#include <stdlib.h>

enum { OPT_DIS = CLI_OWN };
static const struct option options[] = {
    {"dis", no_argument, NULL, OPT_DIS}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};

static const char help[] = "usage: caplab py [--dis] [-o OUT] FILE.py|FILE.mpy\n\n"
                           "Compiles to MicroPython bytecode (.mpy version 6). --dis prints the bytecode instead.\n";

static bool convert(const char *file, bool is_dis, const char *out_path, Err *err)
{
    size_t len;
    Buf mpy = {0}, text = {0};
    u8 *bytes = drv_read_file(file, &len, err);
    if (!bytes) return false;
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    bool ok = true;
    if (py_is_mpy(bytes, len)) buf_add(&mpy, bytes, len);
    else ok = py_compile((const char *)bytes, len, name, &mpy, err);
    ok = ok && py_mpy_check(mpy.at, mpy.len, file, err);
    if (ok && is_dis) {
        ok = py_disassemble(mpy.at, mpy.len, &text, err) && cli_write_file(out_path ? out_path : "-", text.at, text.len, err);
    } else if (ok) {
        const char *dot = strrchr(name, '.');
        char *standard = xasprintf("%.*s.mpy", (int)(dot ? dot - name : (long)strlen(name)), name);
        ok = cli_write_file(out_path ? out_path : standard, mpy.at, mpy.len, err);
        free(standard);
    }
    free(bytes);
    buf_free(&mpy);
    buf_free(&text);
    return ok;
}

int cmd_py(int argc, char **argv)
{
    bool is_dis = false;
    const char *out = NULL;
    Err err = {0};
    for (int c; (c = getopt_long(argc, argv, "ho:", options, NULL)) != -1;) {
        switch (c) {
        case 'h': fputs(help, stdout); return 0;
        case 'o': out = optarg; break;
        case OPT_DIS: is_dis = true; break;
        default: return cli_usage("py", "see the message above");
        }
    }
    if (optind != argc - 1) return cli_usage("py", "one FILE, please");
    return convert(argv[optind], is_dis, out, &err) ? 0 : cli_fail(&err);
}
