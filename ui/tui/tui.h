// tui.h: the terminal surface (ncursesw): shows ui/view's screen and turns keys into steps, runs and looks.
#ifndef CAPLAB_UI_TUI_TUI_H
#define CAPLAB_UI_TUI_TUI_H

#include "ui/view/model.h"

// Takes the terminal until the user quits. Needs standard input and output to be terminals (else *err, usage).
// Returns true when the user quit. Model and session stay the caller's.
bool tui_run(ViewModel *v, Err *err);

#endif
