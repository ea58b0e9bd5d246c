// tui.c: the loop: look at the keyboard, run a slice, draw.
#include "ui/tui/tui.h"

#include "ui/tui/tui_int.h"

#include <unistd.h>

static void tell_ready(ViewModel *v)
{
    SnapSymbol main;
    const char *step = drv_module(v->session) ? "y goes to the first Python line"
                       : drv_has_source_lines(v->session) ? "y goes to the first line"
                       : snap_symbol_named(drv_machine(v->session), "main", &main) ? "s steps, :break main and c go to main"
                                                                                   : "s steps";
    view_message(v, false, "ready: %s, c runs, ? helps", step);
}

bool tui_run(ViewModel *v, Err *err)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        err_set(err, CAPLAB_EX_USAGE, "tui needs a terminal");
        err_hint(err, "caplab run prints the same numbers (--stats json --stats-file -)");
        return false;
    }
    Tui t = {.session = v->session, .view = v};
    if (!v->has_run) tell_ready(v);
    tui_surface_open(&t);
    while (!t.quit) {
        tui_draw(&t);
        int key = tui_read_key(t.running ? 0 : 1000);
        if (key != TUI_KEY_NONE) tui_key(&t, key);
        if (t.running && !t.quit) tui_run_slice(&t);
    }
    tui_surface_close();
    view_grid_free(t.grid);
    return true;
}
