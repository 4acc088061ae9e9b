/* Writing files: all of them whole, or none. */
#ifndef HALOGEN_OUTPUT_H
#define HALOGEN_OUTPUT_H

#include "base/text.h"

/* The words near the start of all that halogen writes, but for depfiles. */
extern const char output_mark[];

typedef struct hg_output {
    char *path;
    hg_text text;
    /* A file in its place without these words near its start is somebody else's; NULL: of a depfile, which is
     * known by what it says. */
    const char *mark;
    /* What to do where somebody else's file stands: "name another file with --depfile". */
    const char *instead;
    bool only_new;              /* no file is replaced, not even an empty one */
    bool keep_unchanged;        /* a file that already has the content is left alone, with its date */
    char *temporary, *previous; /* used by output_write() alone */
    bool replaces, is_new;      /* the same */
} hg_output;

/* All that one run writes, and the files that it has read. */
typedef struct hg_output_list {
    hg_output *files;
    char *const *inputs;
    size_t count, input_count;
} hg_output_list;

/* Whether a name is a plain one: it can leave neither its directory nor a Make rule or shell word. */
bool output_name_is_plain(const char *name, size_t length);

/* Between an output and the file in its place. */
typedef struct hg_difference {
    bool found;
    int error;    /* why the file cannot be read, an errno; or 0 */
    size_t lines; /* that are the same in both before the first difference */
} hg_difference;

hg_difference output_compare(const hg_output *output);

/* Writes every output to a temporary file beside its place, then renames them all.  Missing directories are
 * made.  If a file cannot be written, all stay or become what they were, the temporary files are removed, and
 * `problem` says which and why; it names those that could not be put back.  place.h says what is replaced at
 * all.  Runs at the same time do not disturb each other. */
bool output_write(const hg_output_list *outputs, hg_text *problem);

#endif
