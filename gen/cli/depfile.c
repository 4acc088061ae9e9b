#include "cli/depfile.h"

#include <string.h>

void depfile_add_path(hg_text *rule, const char *path)
{
    size_t backslashes = 0;
    for (; *path; ++path) {
        /* Backslashes are plain characters, except in front of a space. */
        if (*path == ' ' || *path == '\t') {
            text_fill(rule, '\\', backslashes + 1);
        } else if (*path == '#') {
            text_puts(rule, "\\");
        } else if (*path == '$') {
            text_puts(rule, "$");
        }
        text_add(rule, path, 1);
        backslashes = *path == '\\' ? backslashes + 1 : 0;
    }
}

void depfile_add_rule(hg_text *rule, char *const *targets, size_t target_count, char *const *prerequisites,
                      size_t prerequisite_count, size_t needed)
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
    for (size_t i = needed; i < prerequisite_count; ++i) {
        depfile_add_path(rule, prerequisites[i]);
        text_puts(rule, ":\n");
    }
}

/* Whether each line but the first is a target alone: no recipe, no variable, no other rule. */
static bool has_one_rule(const char *text)
{
    const char *line = strchr(text, '\n');
    for (const char *end; line && line[1]; line = end) {
        end = strchr(++line, '\n');
        if (!end || end == line || end[-1] != ':' || *line == '\t') {
            return false;
        }
    }
    return line != NULL;
}

char *depfile_target(const hg_text *rule)
{
    hg_text target = {0};
    const char *at = rule->bytes;
    if (strlen(at) != rule->length || !has_one_rule(at)) {
        return NULL;
    }
    for (; *at && !strchr(" \t\n:", *at); ++at) {
        size_t backslashes = strspn(at, "\\");
        if (backslashes > 0 && strchr(" \t", at[backslashes])) {
            text_fill(&target, '\\', (backslashes - 1) / 2);
            at += backslashes;
        } else if ((at[0] == '$' && at[1] == '$') || (at[0] == '\\' && at[1] == '#')) {
            ++at;
        }
        text_add(&target, at, 1);
    }
    const char *end = at + strcspn(at, ":\n");
    if (*end == ':' && target.length > 0) {
        return target.bytes;
    }
    text_free(&target);
    return NULL;
}
