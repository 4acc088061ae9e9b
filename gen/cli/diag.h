/* Diagnostics and how they look, in text for people and in JSON for programs. */
#ifndef HALOGEN_DIAG_H
#define HALOGEN_DIAG_H

#include "base/limits.h"
#include "base/source.h"

typedef enum hg_severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE, SEVERITIES } hg_severity;

/* One sentence about one place.  Texts are never NULL; an empty one, or a line or column 0, is absent. */
typedef struct hg_remark {
    hg_severity severity;
    uint32_t line, column, length; /* from 1; columns and length in bytes */
    hg_text code, file, message, help;
} hg_remark;

/* What to write in place of some text on one line; without `line`, none is known. */
typedef struct hg_fix {
    uint32_t line, column, length; /* from 1 and in bytes; length 0: put before the column */
    hg_text file, text;
} hg_fix;

typedef struct hg_diag {
    hg_remark head, notes[NOTES_MAX];
    hg_fix fix;
    size_t note_count;
} hg_diag;

/* Appends "file:line:col: error: message [code]", the line of the source with the place marked, the notes in
 * the same way and the help.  A file that is not among the sources is named but not shown. */
void diag_text(hg_text *out, const hg_diag *diag, const hg_source *sources, size_t source_count, bool color);
/* Appends one line with one JSON object; docs/diagnosing.md describes it. */
void diag_json(hg_text *out, const hg_diag *diag);

void diag_free(hg_diag *diag);

#endif
