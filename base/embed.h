// embed.h: files that are built into the program as text. cmake/embed.cmake makes the tables.
#ifndef CAPLAB_BASE_EMBED_H
#define CAPLAB_BASE_EMBED_H

#include "base/base.h"

typedef struct EmbedFile {
    const char *name;
    const char *text; // NUL-terminated
} EmbedFile;

#endif
