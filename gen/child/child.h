/* The confined process in which all Lua runs.  It reads files and computes; all that it has to say goes to
 * the parent as records. */
#ifndef HALOGEN_CHILD_H
#define HALOGEN_CHILD_H

#include "base/source.h"
#include "child/confine.h"
#include "cli/options.h"

#include <lua.h>

typedef struct hg_child {
    int pipe;
    const hg_options *options;
    const hg_source *spec;         /* read by the parent, before any limit was set */
    const hg_text *spec_problem;   /* why it could not be read, or empty */
    lua_State *state;              /* NULL before there is one */
    char *files[SOURCES_MAX];      /* the spec and every other file read so far */
    size_t file_count, file_bytes; /* used up of the limits in confine.h, as are those below */
    size_t memory, instructions, print_bytes, output_bytes;
    uint32_t outputs, diags, left_out; /* left_out: diagnostics beyond DIAGS_MAX */
    bool failed, is_own_process;       /* the latter: nothing but this child runs in it */
    char *proved;                      /* the file and the line of what is being proved; NULL: nothing */
    uint32_t proved_line;
} hg_child;

/* Confines the calling process, runs "lua/main.lua" and ends the process. */
_Noreturn void child_main(hg_child *child);

/* Its parts: runs "lua/main.lua" under the limits that Lua can keep, and sends the last record; frees what
 * the run has left.  The fuzzer has them in its own process. */
void child_run(hg_child *child);
void child_free(hg_child *child);

/* The child that a Lua state belongs to. */
hg_child *child_of(lua_State *L);

/* Tells the parent that a limit was reached, and at which line of the spec, the innermost that is running or
 * the one whose proof is; ends the process: no Lua code can catch that. */
_Noreturn void child_stop(hg_child *child, hg_limit limit);

/* As source_read(), within the limits; tells the parent when a file is read for the first time. */
bool child_read(hg_child *child, const char *path, hg_text *text, hg_text *problem);

#endif
