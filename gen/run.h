/* One run of the generator: starts the confined child, and collects what it says within the limits. */
#ifndef HALOGEN_RUN_H
#define HALOGEN_RUN_H

#include "child/records.h"
#include "cli/diag.h"
#include "cli/options.h"
#include "cli/output.h"

#include <sys/types.h>

/* The last diagnostics are the host's own: a limit that was reached, and how many were left out. */
enum { RUN_DIAGS_MAX = DIAGS_MAX + 2 };

typedef struct hg_run {
    hg_exit_code code;                  /* EXIT_OK, EXIT_SPEC or EXIT_INTERNAL */
    hg_source sources[SOURCES_MAX + 1]; /* the spec first */
    hg_diag diags[RUN_DIAGS_MAX];       /* in the order in which they were reported */
    hg_output outputs[OUTPUTS_MAX];     /* `path` is the plain name */
    hg_text printed, internal;          /* internal: what to say for EXIT_INTERNAL */
    size_t source_count, diag_count, output_count, output_bytes;
} hg_run;

/* To be given to run_free(). */
hg_run *run_generator(const hg_options *options);
/* The same of a text that stands for the file options->spec. */
hg_run *run_on_text(const hg_options *options, const hg_text *text);

/* Its part that believes nothing: reads records up to the last one.  The result is RECORD_RECEIVED if there
 * was such a one.  child: whose end of the pipe it is; 0: nobody's. */
hg_record_result run_collect(int pipe, pid_t child, hg_run *run);
void run_free(hg_run *run);

/* The files that were read, the spec first, of at most SOURCES_MAX + 1; their paths remain the run's. */
size_t run_inputs(const hg_run *run, char **inputs);

#endif
