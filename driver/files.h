// files.h: reading input files for the driver.
#ifndef CAPLAB_DRIVER_FILES_H
#define CAPLAB_DRIVER_FILES_H

#include "base/err.h"

// The whole file, zstd-decompressed if it is compressed; owned, with a NUL behind it. NULL and *err (status 66) if it cannot be read.
u8 *drv_read_file(const char *path, size_t *len, Err *err);

#endif
