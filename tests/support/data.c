// data.c: see data.h.
#include "tests/support/data.h"

#include <stdlib.h>
#include <stdio.h>
#include <zstd.h>

char *data_read(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", CAPLAB_TEST_DATA, name);
    size_t len = 0;
    u8 *raw = base_read_file(path, &len);
    CHECK(raw, "cannot read %s", path);
    size_t n = strlen(name);
    if (n < 4 || strcmp(name + n - 4, ".zst") != 0) return (char *)raw;
    unsigned long long size = ZSTD_getFrameContentSize(raw, len);
    CHECK(size != ZSTD_CONTENTSIZE_ERROR && size != ZSTD_CONTENTSIZE_UNKNOWN, "%s: not a zstd frame", path);
    char *text = xalloc(size + 1);
    CHECK(ZSTD_decompress(text, size, raw, len) == size, "%s: damaged", path);
    free(raw);
    return text;
}

bool data_next_row(DataRows *r)
{
    for (;;) {
        char *line = r->at;
        if (!*line) return false;
        size_t len = strcspn(line, "\n");
        r->at = line + len + (line[len] != 0);
        line[len] = 0;
        r->line++;
        if (*line == '#' || !*line) continue;
        if (!r->header_done) {
            r->header_done = true;
            continue;
        }
        r->n_cols = 0;
        while (r->n_cols < ARRAY_LEN(r->col)) {
            r->col[r->n_cols++] = line;
            char *tab = strchr(line, '\t');
            if (!tab) break;
            *tab = 0;
            line = tab + 1;
        }
        return true;
    }
}

u64 data_hex(const char *s) { return strtoull(s, NULL, 16); }

u128 data_hex128(const char *s)
{
    u128 v = 0;
    for (; *s; s++) v = v << 4 | (u128)(*s <= '9' ? *s - '0' : (*s | 32) - 'a' + 10);
    return v;
}
