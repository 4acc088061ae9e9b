/* The Make rule that tells a build what the outputs depend on. */
#ifndef HALOGEN_DEPFILE_H
#define HALOGEN_DEPFILE_H

#include "text.h"

/* Appends one path as Make and Ninja read it. */
void depfile_add_path(struct text *rule, const char *path);

/* Appends "target target: prerequisite prerequisite" and a line end. */
void depfile_add_rule(struct text *rule, char *const *targets, size_t target_count,
                      char *const *prerequisites, size_t prerequisite_count);

#endif
