/* What the program says: texts on standard output, diagnostics on standard error. */
#ifndef HALOGEN_REPORT_H
#define HALOGEN_REPORT_H

#include "run.h"

/* EXIT_OK, or a code after it said why not. */
enum exit_code report_text(const struct text *text, const struct options *options);

/* The diagnostics of a run; of one that ended by an internal error that one, too. */
void report_run(const struct run *run, const struct options *options);

/* A failure that is not about a place in the spec, with its number as "HG0008".  Returns the code. */
enum exit_code report_failure(enum exit_code code, const struct options *options, const char *number,
                              const char *sentence, const char *help);

#endif
