/* The Lua modules and templates that are part of the program: a table sorted by name, written by bake.c. */
#ifndef HALOGEN_BAKED_H
#define HALOGEN_BAKED_H

#include <stddef.h>

typedef struct hg_baked {
    const char *name; /* "lua/language/spec.lua", "header.h.tmpl" */
    const char *text; /* as in the source tree, comments and all */
    size_t length;
} hg_baked;

extern const hg_baked baked_files[];
extern const size_t baked_count;

#endif
