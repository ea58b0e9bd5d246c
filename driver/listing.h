// listing.h: programs as text, for `caplab dis` and `caplab explain addr:`.
#ifndef CAPLAB_DRIVER_LISTING_H
#define CAPLAB_DRIVER_LISTING_H

#include "driver/driver.h"

// A Python program as bytecode; others (or the VM, if `function` is given) as machine code. function NULL = all.
bool drv_list(const DrvOptions *o, const char *path, const char *function, Buf *out, Err *err);
// What is at an address when the program at `path` starts.
bool drv_explain_address(const DrvOptions *o, const char *path, u64 addr, Buf *out, Err *err);

#endif
