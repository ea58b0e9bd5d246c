// err.h: user errors (a bad option, source, ELF, knob) as values: position, text, hint, and the line for the caret.
//
//     return err_at(err, CAPLAB_EX_DATA, (SrcPos){file, line, col}, source_line, "unknown name '%s'", s);
//
// prints as
//     prog.py:3:7: error: unknown name 'x'
//       3 | print(x)
//         |       ^
//       hint: …
// A function that can fail returns bool (or NULL) and fills *err; the first error wins. Nothing below ui/cli prints or exits.
#ifndef CAPLAB_BASE_ERR_H
#define CAPLAB_BASE_ERR_H

#include "base/base.h"
#include <stdio.h>

// Exit statuses of docs/cli.md that an Err can carry.
enum {
    CAPLAB_EX_USAGE = 2,     // options, knobs, an ELF of the other ABI
    CAPLAB_EX_DATA = 65,     // bad input text or bytes
    CAPLAB_EX_NOINPUT = 66,  // cannot read the input
    CAPLAB_EX_INTERNAL = 70, // a bug
};

typedef struct SrcPos {
    const char *file; // borrowed; NULL = no file
    u32 line, col;    // from 1; 0 = unknown
} SrcPos;

typedef struct Err {
    bool is_set;
    int status;         // exit status for the command line; 0 = a warning
    char file[256];     // copied, so an Err outlives its source
    u32 line, col;
    char text[512];
    char hint[256];     // empty = none
    char source[256];   // the source line, for the caret; empty = none
} Err;

// Fill *err (if it is not set yet) and return false. source_line may be NULL; it ends at NUL or newline.
bool err_at(Err *err, int status, SrcPos pos, const char *source_line, const char *fmt, ...) PRINTF_LIKE(5, 6);
bool err_set(Err *err, int status, const char *fmt, ...) PRINTF_LIKE(3, 4); // no position
void err_hint(Err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);             // add a hint to the error just set

// "file:line:col: error: text" with caret and hint, as above. Never prints control characters of the source raw.
void err_format(const Err *err, char *out, size_t size);
void err_print(const Err *err, FILE *to);

#endif
