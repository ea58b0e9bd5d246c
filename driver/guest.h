// guest.h: compiling guest programs, for the driver's other files and for `caplab cc`.
#ifndef CAPLAB_DRIVER_GUEST_H
#define CAPLAB_DRIVER_GUEST_H

#include "driver/driver.h"

// Compiles and links with the guest library.
bool drv_link_c(const CcSource *sources, u32 n, const CcOptions *opt, Buf *elf, Err *err);
bool drv_build_c(const DrvOptions *o, const CcSource *sources, u32 n, Buf *elf, Err *err);
void drv_hash_elf(const u8 *elf, size_t len, char hash[17]);
CcProfile drv_profile(const DrvOptions *o);

// Finds #include "…" beside the including file, then like <…> in the -I folders and the guest library; put into CcOptions by drv_finder_use.
void *drv_finder_new(void);
void drv_finder_use(void *finder, CcOptions *opt);
void drv_finder_add_dir(void *finder, const char *dir); // -I; borrowed
void drv_finder_free(void *finder);

#endif
