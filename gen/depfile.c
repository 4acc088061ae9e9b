#include "depfile.h"

void depfile_add_path(struct text *rule, const char *path)
{
    size_t backslashes = 0;
    for (; *path; ++path) {
        /* Backslashes are plain characters, except in front of a space. */
        if (*path == ' ' || *path == '\t')
            text_fill(rule, '\\', backslashes + 1);
        else if (*path == '#')
            text_puts(rule, "\\");
        else if (*path == '$')
            text_puts(rule, "$");
        text_add(rule, path, 1);
        backslashes = *path == '\\' ? backslashes + 1 : 0;
    }
}

void depfile_add_rule(struct text *rule, char *const *targets, size_t target_count,
                      char *const *prerequisites, size_t prerequisite_count)
{
    for (size_t i = 0; i < target_count; ++i) {
        text_puts(rule, i == 0 ? "" : " ");
        depfile_add_path(rule, targets[i]);
    }
    text_puts(rule, ":");
    for (size_t i = 0; i < prerequisite_count; ++i) {
        text_puts(rule, " ");
        depfile_add_path(rule, prerequisites[i]);
    }
    text_puts(rule, "\n");
}
