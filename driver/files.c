// files.c: input files, plain or zstd-compressed.
#include "driver/files.h"
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

enum { MAX_UNPACKED = 1 << 30 };

static u8 *unpack(const char *path, u8 *packed, size_t packed_len, size_t *len, Err *err)
{
    unsigned long long size = ZSTD_getFrameContentSize(packed, packed_len);
    u8 *out = NULL;
    if (size <= MAX_UNPACKED) {
        out = xalloc(size + 1);
        if (ZSTD_decompress(out, size, packed, packed_len) != size) {
            free(out);
            out = NULL;
        }
    }
    free(packed);
    if (!out) err_at(err, CAPLAB_EX_DATA, (SrcPos){path, 0, 0}, NULL, "damaged zstd data");
    *len = size;
    return out;
}

u8 *drv_read_file(const char *path, size_t *len, Err *err)
{
    u8 *bytes = base_read_file(path, len);
    if (!bytes) {
        err_set(err, CAPLAB_EX_NOINPUT, "cannot read %s: %s", path, strerror(errno));
        return NULL;
    }
    if (*len >= 4 && !memcmp(bytes, "\x28\xB5\x2F\xFD", 4)) return unpack(path, bytes, *len, len, err);
    return bytes;
}
