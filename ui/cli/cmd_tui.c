// cmd_tui.c: `caplab tui FILE`: the interactive screen; or one screen at one moment as text or picture, for a report or a lesson sheet.
#include "driver/options.h"
#include "ui/cli/cli.h"
#include "ui/export/svg.h"
#include "ui/tui/tui.h"
#include "ui/view/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { OPT_UNTIL = CLI_OWN, OPT_PANE, OPT_SVG, OPT_TEXT, OPT_SIZE };
static const struct option own_options[] = {
    {"until", required_argument, NULL, OPT_UNTIL}, {"pane", required_argument, NULL, OPT_PANE},
    {"svg", required_argument, NULL, OPT_SVG},     {"text", required_argument, NULL, OPT_TEXT},
    {"size", required_argument, NULL, OPT_SIZE},   {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static const char help[] =
    "usage: caplab tui [OPTIONS] FILE [-- ARGS]\n\n"
    "%s"
    "  --until N               run N instructions first (K, M, G as everywhere)\n"
    "  --pane NAME             registers, memory, heap, opcodes or output\n"
    "  --svg FILE, --text FILE write the screen at that moment instead of opening it; - is standard output\n"
    "  --size WxH              of that screen (default 80x24)\n\n"
    "? in the screen lists the keys.\n";

typedef struct TuiOptions {
    DrvOptions drv;
    u64 until;
    ViewPane pane;
    const char *svg, *text;
    int w, h;
} TuiOptions;

static bool parse_pane(const char *word, ViewPane *out)
{
    for (u32 i = 0; i < VIEW_PANE_COUNT; i++)
        if (*word && !strncasecmp(view_pane_title((ViewPane)i), word, strlen(word))) return *out = (ViewPane)i, true;
    return false;
}

static bool write_screen(const TuiOptions *o, ViewModel *v, Err *err)
{
    ViewGrid *g = view_grid_new(o->w, o->h);
    view_screen(g, v);
    Buf out = {0};
    if (o->svg) svg_from_grid(g, &out);
    else view_to_text(g, &out);
    bool ok = cli_write_file(o->svg ? o->svg : o->text, out.at, out.len, err);
    buf_free(&out);
    view_grid_free(g);
    return ok;
}

static void run_until(ViewModel *v, u64 insns)
{
    EvStop stop;
    view_model_mark(v);
    do {
        stop = drv_run(v->session, insns - mac_insns(drv_machine(v->session)));
        view_model_refresh(v, stop); // a program that prints much stops to have it taken
    } while (stop == EV_STOP_OUTPUT);
    view_model_tell_stop(v);
}

// The screen goes when the user quits; what the program printed stays.
static void print_output(const ViewModel *v)
{
    if (!v->output.len) return;
    printf("---- output of %s", drv_path(v->session));
    if (v->output_lost) printf(" (without its first %llu bytes)", (unsigned long long)v->output_lost);
    printf(" ----\n");
    fwrite(v->output.at, 1, v->output.len, stdout);
    if (v->output.at[v->output.len - 1] != '\n') printf("\n");
}

static int open_and_show(const TuiOptions *o, const char *file, char **args)
{
    Err err = {0};
    DrvSession *s = drv_open(&o->drv, file, (const char *const *)args, &err);
    if (!s) return cli_fail(&err);
    ViewModel v;
    view_model_init(&v, s);
    v.pane = o->pane;
    if (o->until) run_until(&v, o->until);
    bool interactive = !o->svg && !o->text, ok = interactive ? tui_run(&v, &err) : write_screen(o, &v, &err);
    if (ok && interactive) print_output(&v);
    view_model_free(&v);
    drv_close(s);
    return ok ? 0 : cli_fail(&err);
}

// -1 = go on; else the exit status.
static int take_option(TuiOptions *o, int c, Err *err)
{
    char dummy;
    switch (c) {
    case 'h': printf(help, cli_machine_help); return 0;
    case OPT_UNTIL: return drv_parse_count("--until", optarg, &o->until, err) ? -1 : cli_fail(err);
    case OPT_PANE:
        if (!parse_pane(optarg, &o->pane)) return cli_usage("tui", "no pane '%s': registers, memory, heap, opcodes, output", optarg);
        return -1;
    case OPT_SVG: o->svg = optarg; return -1;
    case OPT_TEXT: o->text = optarg; return -1;
    case OPT_SIZE:
        if (sscanf(optarg, "%dx%d%c", &o->w, &o->h, &dummy) != 2 || o->w < 1 || o->h < 1 || o->w > 1000 || o->h > 1000)
            return cli_usage("tui", "--size is WIDTHxHEIGHT, as in 120x40, not '%s'", optarg);
        return -1;
    case '?': return cli_usage("tui", "see the message above");
    default: return cli_machine_option(&o->drv, c, optarg, err) ? -1 : cli_fail(err);
    }
}

int cmd_tui(int argc, char **argv)
{
    struct option options[40];
    TuiOptions o = {.w = VIEW_MIN_W, .h = VIEW_MIN_H};
    Err err = {0};
    cli_options_init(&o.drv);
    cli_join_options(own_options, options, ARRAY_LEN(options));
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        int status = take_option(&o, c, &err);
        if (status >= 0) return status;
    }
    if (optind >= argc) return cli_usage("tui", "which FILE?");
    return open_and_show(&o, argv[optind], argv + optind + 1);
}
