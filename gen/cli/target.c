#include "cli/target.h"

#include "cli/depfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_same_file(const char *one, const char *two)
{
    struct stat first, second;
    return stat(one, &first) == 0 && stat(two, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* Whether two paths name one entry of one directory, be there a file or not. */
static bool is_same_place(const char *one, const char *two)
{
    size_t first = path_directory(one), second = path_directory(two);
    if (strcmp(one + first, two + second) != 0) {
        return false;
    }
    hg_text a = {0}, b = {0};
    text_add(&a, first ? one : ".", first ? first : 1);
    text_add(&b, second ? two : ".", second ? second : 1);
    bool same = is_same_file(a.bytes, b.bytes);
    text_free(&a);
    text_free(&b);
    return same;
}

enum { START = 8192 };

/* The mark of emitted code comes after a path, and so within a few thousand bytes. */
static bool has_mark(const char *path, const char *mark)
{
    char start[START] = "";
    FILE *file = fopen(path, "rb");
    if (!file) {
        return false;
    }
    start[fread(start, 1, sizeof start - 1, file)] = '\0';
    fclose(file);
    return strstr(start, mark) != NULL;
}

/* Whether a file that halogen wrote, or one of the name of such as it writes now. */
static bool is_emitted(const char *path, const hg_output_list *outputs)
{
    const char *name = path + path_directory(path);
    for (size_t i = 0; i < outputs->count; ++i) {
        const char *other = outputs->files[i].path;
        const char *mark = outputs->files[i].mark;
        if (mark && (strcmp(name, other + path_directory(other)) == 0 || has_mark(path, mark))) {
            return true;
        }
    }
    return false;
}

static bool is_rule_of_outputs(const char *path, const hg_output_list *outputs)
{
    hg_text rule = {0};
    FILE *file = fopen(path, "rb");
    char block[4096];
    for (size_t count; file && (count = fread(block, 1, sizeof block, file)) > 0;) {
        text_add(&rule, block, count);
    }
    if (file) {
        fclose(file);
    }
    char *target = rule.length > 0 ? depfile_target(&rule) : NULL;
    bool found = target && is_emitted(target, outputs);
    free(target);
    text_free(&rule);
    return found;
}

static bool is_ours(const hg_output *output, const hg_output_list *outputs)
{
    return output->mark ? has_mark(output->path, output->mark) : is_rule_of_outputs(output->path, outputs);
}

bool target_is_free(const hg_output_list *outputs, size_t index, hg_text *problem)
{
    const hg_output *output = &outputs->files[index];
    for (size_t i = 0; i < index; ++i) {
        if (is_same_place(outputs->files[i].path, output->path)) {
            text_format(problem, "'%s' would be two files at once; name another one", output->path);
        }
    }
    struct stat status;
    if (problem->length > 0 || lstat(output->path, &status) != 0) {
        return problem->length == 0;
    }
    for (size_t i = 0; i < outputs->input_count; ++i) {
        if (is_same_file(outputs->inputs[i], output->path)) {
            text_format(problem, "'%s' was read by this run; write to another place", output->path);
            return false;
        }
    }
    if (output->only_new) {
        text_format(problem, "'%s' exists already; %s, or move it away", output->path, output->instead);
    } else if (!S_ISREG(status.st_mode)) {
        text_format(problem, "'%s' is %s; halogen replaces only files that it wrote", output->path,
                    S_ISLNK(status.st_mode)   ? "a symbolic link"
                    : S_ISDIR(status.st_mode) ? "a directory"
                                              : "no regular file");
    } else if (status.st_size > 0 && !is_ours(output, outputs)) {
        text_format(problem, "'%s' was not written by halogen; %s, or delete the file", output->path,
                    output->instead);
    }
    return problem->length == 0;
}
