// tui_int.h: what the files of the terminal surface share.
#ifndef CAPLAB_UI_TUI_TUI_INT_H
#define CAPLAB_UI_TUI_TUI_INT_H

#include "ui/view/model.h"

typedef enum TuiKey {
    TUI_KEY_NONE = -1, TUI_KEY_UP = 256, TUI_KEY_DOWN, TUI_KEY_LEFT, TUI_KEY_RIGHT, TUI_KEY_PAGE_UP, TUI_KEY_PAGE_DOWN,
    TUI_KEY_ERASE, TUI_KEY_RESIZE,
} TuiKey;
enum { TUI_KEY_CTRL_C = 3, TUI_KEY_ESC = 27 };

typedef enum TuiRun { TUI_RUN_FREE, TUI_RUN_BYTECODE, TUI_RUN_LINE, TUI_RUN_OVER, TUI_RUN_CALL, TUI_RUN_SOURCE } TuiRun;

typedef struct Tui {
    DrvSession *session;
    ViewModel *view;
    ViewGrid *grid;
    bool running;      // a run is going on, in slices between two looks at the keyboard
    TuiRun run;        // where it ends
    u64 run_until;     // total instruction count at which it ends at the latest; ~0 = none
    bool at_bytecode;  // the last one ended at the beginning of a bytecode
    bool has_from, has_before, is_at_line_break;
    DrvPlace from, before; // where the step began; for breakpoints: the bytecode before
    u32 from_line;            // TUI_RUN_SOURCE: of C or assembler; 0 = none
    bool goes_over;           // …: calls are done in one go
    bool in_call;             // such a call, or TUI_RUN_CALL, goes on: until it is back at
    u64 return_pc, return_sp;
    bool owns_break;          // of return_pc: it is not the user's
    bool quit;
    bool typing;       // the command line is open
    char command[96];
    bool no_color;
} Tui;

// surface.c: the ncurses part.
void tui_surface_open(Tui *t);
void tui_surface_close(void);
void tui_draw(Tui *t);
int tui_read_key(int wait_ms); // a character or a TuiKey

// command.c: keys and command words; both end in the same functions.
void tui_key(Tui *t, int key);
void tui_do_command(Tui *t, const char *line);

// run.c: steps and runs.
bool tui_is_step_key(int key);
bool tui_has_break(const Tui *t, u64 pc);
void tui_step(Tui *t, int key);
void tui_run_until(Tui *t, u64 insns);
void tui_interrupt(Tui *t);
void tui_run_slice(Tui *t); // for a moment, while running

#endif
