// session.h: what a session is made of, for the driver's own files.
#ifndef CAPLAB_DRIVER_SESSION_H
#define CAPLAB_DRIVER_SESSION_H

#include "driver/driver.h"

typedef struct DrvLineRange { // instructions of one line of the program's own file
    u64 start, end;
    u32 line;
} DrvLineRange;

struct DrvSession {
    DrvOptions o;      // abi as the program has it
    char *path;        // owned
    DrvKind kind;
    u8 *source;        // owned: the file as it was read
    size_t source_len;
    Buf mpy;           // of a Python program
    PyModule *module;  // owned
    Buf elf;           // what the machine runs
    char hash[17];
    Machine *m;        // owned
    VEC(DrvLineRange) lines; // ascending (source.c)
    bool has_lines;          // looked for
};

// What a program is, from its content; the name decides only between kinds of text.
DrvKind drv_find_kind(const char *path, const u8 *bytes, size_t len);

#endif
