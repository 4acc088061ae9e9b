/* The Make rule that tells a build what the outputs depend on. */
#ifndef HALOGEN_DEPFILE_H
#define HALOGEN_DEPFILE_H

#include "base/text.h"

/* Appends one path as Make and Ninja read it. */
void depfile_add_path(hg_text *rule, const char *path);

/* Appends "target target: prerequisite prerequisite" and a line end; then "prerequisite:" for all but the
 * first `needed`, so that one that is gone is no reason for Make to stop, but to run halogen again. */
void depfile_add_rule(hg_text *rule, char *const *targets, size_t target_count, char *const *prerequisites,
                      size_t prerequisite_count, size_t needed);

/* The first target of a text that looks like such a rule, to be freed; or NULL. */
char *depfile_target(const hg_text *rule);

#endif
