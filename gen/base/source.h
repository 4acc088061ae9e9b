/* The files that a spec is made of: reading and checking them. */
#ifndef HALOGEN_SOURCE_H
#define HALOGEN_SOURCE_H

#include "base/text.h"

typedef struct hg_source {
    char *path; /* as the user would write it; "-" is standard input */
    hg_text text;
} hg_source;

/* Reads a whole file ("-": standard input) into `text`: UTF-8 without NUL bytes, at most `limit` bytes.  A
 * byte order mark is dropped and line ends become "\n".  On failure says in `problem` what is wrong. */
bool source_read(const char *path, size_t limit, hg_text *text, hg_text *problem);

/* Whether the file lies, all symbolic links followed, below the directory that holds the spec.  A path that
 * does not begin with the spec's own directory as the user wrote it is refused too: what a build finds
 * must not depend on where the tree stands. */
bool source_is_inside(const char *spec, const char *path, hg_text *problem);

#endif
