/* Diagnostics and how they look, in text for people and in JSON for programs. */
#ifndef HALOGEN_DIAG_H
#define HALOGEN_DIAG_H

#include "base/limits.h"
#include "base/source.h"

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE, SEVERITIES };

/* One sentence about one place.  Texts are never NULL; an empty one, or a line or column 0, is absent. */
struct remark {
    enum severity severity;
    uint32_t line, column, length; /* from 1; columns and length in bytes */
    struct text code, file, message, help;
};

/* What to write in place of some text on one line; without `line`, none is known. */
struct fix {
    uint32_t line, column, length; /* from 1 and in bytes; length 0: put before the column */
    struct text file, text;
};

struct diag {
    struct remark head, notes[NOTES_MAX];
    struct fix fix;
    size_t note_count;
};

/* Appends "file:line:col: error: message [code]", the line of the source with the place marked, the notes in
 * the same way and the help.  A file that is not among the sources is named but not shown. */
void diag_text(struct text *out, const struct diag *diag, const struct source *sources, size_t source_count,
               bool color);
/* Appends one line with one JSON object; docs/diagnosing.md describes it. */
void diag_json(struct text *out, const struct diag *diag);

void diag_free(struct diag *diag);

#endif
