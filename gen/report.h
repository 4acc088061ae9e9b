/* What the program says: texts on standard output, diagnostics on standard error. */
#ifndef HALOGEN_REPORT_H
#define HALOGEN_REPORT_H

#include "run.h"

/* EXIT_OK, or a code after it said why not. */
hg_exit_code report_text(const hg_text *text, const hg_options *options);

/* The diagnostics of a run; of one that ended by an internal error that one, too. */
void report_run(const hg_run *run, const hg_options *options);

/* A failure that is not about a place in the spec, with its number as "HG0008".  Returns the code. */
hg_exit_code report_failure(hg_exit_code code, const hg_options *options, const char *number,
                            const char *sentence, const char *help);

#endif
