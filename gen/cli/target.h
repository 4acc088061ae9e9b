/* What may be replaced: files that halogen wrote, and nothing else. */
#ifndef HALOGEN_TARGET_H
#define HALOGEN_TARGET_H

#include "cli/output.h"

/* Whether outputs[index] may be put at its path.  There may be nothing; an empty file; a file with
 * the output's mark near its start; or, for a depfile, a rule for files that halogen wrote or is about to.
 * Of one that is only_new there may be nothing at all.
 * Never replaced are what is no regular file, one of the files that were read, and another of the outputs.
 * Directories of all outputs exist already.  If not, `problem` says why, and how to go on. */
bool target_is_free(const hg_output_list *outputs, size_t index, hg_text *problem);

#endif
