// qstr.h: interned strings. A Qstr is a number; equal text has an equal number, so names compare as integers.
//
// Numbers 1..165 are the static strings of the .mpy format, then come the names that this machine itself needs
// (qstrs.def), then those of the program.
#ifndef CAPLAB_GUEST_QSTR_H
#define CAPLAB_GUEST_QSTR_H

#include "qstrs.def"
#include "vm/py/static_qstrs.def"
#include "vmconfig.h"

typedef u32 Qstr;

enum {
    Q_NULL,
#define X(name, text) Q_##name,
    PY_STATIC_QSTRS(X)
    Q_END_OF_MPY,
    Q_LAST_OF_MPY = Q_END_OF_MPY - 1,
    Q_BEFORE_GUEST = Q_LAST_OF_MPY,
    GUEST_QSTRS(X)
#undef X
    Q_N_STATIC,
};

void qstr_init(void);
Qstr qstr_intern(const u8 *text, size_t n);  // copies the text if it is new
Qstr qstr_intern_borrowed(const u8 *text, size_t n); // does not copy: the text must stay
Qstr qstr_find(const u8 *text, size_t n, u32 hash); // Q_NULL if it is not interned
const u8 *qstr_data(Qstr q, size_t *n);      // NUL behind it
size_t qstr_len(Qstr q);
u32 qstr_hash(Qstr q);
u32 qstr_compute_hash(const u8 *text, size_t n); // never 0
Qstr qstr_of_char(u8 c);                     // ASCII

#endif
