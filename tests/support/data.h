// data.h: reading tests/data: plain or compressed (.zst) files, and tables of tab-separated hexadecimal columns.
#ifndef CAPLAB_TESTS_SUPPORT_DATA_H
#define CAPLAB_TESTS_SUPPORT_DATA_H

#include "base/base.h"

// The text of tests/data/NAME, NUL-terminated, owned. A missing file fails the test (CHECK).
char *data_read(const char *name);

// Steps through a table: skips lines that start with '#' and the header line. Columns are split at tabs in place.
typedef struct DataRows {
    char *at;
    bool header_done;
    char *col[16];
    u32 n_cols, line;
} DataRows;
bool data_next_row(DataRows *r);
u64 data_hex(const char *s);
u128 data_hex128(const char *s);

#endif
