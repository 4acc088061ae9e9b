#include "trace/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MAX = 1 << 20, BYTES_MAX = 2000000000 };

static bool fail(const char *path, const char *why, hg_text *problem)
{
    text_format(problem, "%s: %s", path, why);
    return false;
}

static bool ends_in(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static int compare_paths(const void *left, const void *right)
{
    char *const *a = left, *const *b = right;
    return strcmp(*a, *b);
}

bool files_list(const char *directory, const char *ending, hg_files *files, hg_text *problem)
{
    *files = (hg_files){0};
    DIR *listing = opendir(directory);
    if (!listing) {
        return fail(directory, strerror(errno), problem);
    }
    for (struct dirent *entry = readdir(listing); entry && files->count < FILES_MAX;
         entry = readdir(listing)) {
        if (ends_in(entry->d_name, ending)) {
            files->path = memory_resize(files->path, (files->count + 1) * sizeof *files->path);
            files->path[files->count++] = path_join(directory, entry->d_name);
        }
    }
    closedir(listing);
    if (files->count > 0) {
        qsort(files->path, files->count, sizeof *files->path, compare_paths);
    }
    return true;
}

void files_free(hg_files *files)
{
    for (size_t i = 0; i < files->count; ++i) {
        free(files->path[i]);
    }
    free(files->path);
    *files = (hg_files){0};
}

bool files_load(const char *path, char **bytes, size_t *size, hg_text *problem)
{
    struct stat status;
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe must not keep us */
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (!stream || fstat(descriptor, &status) != 0) {
        if (stream) {
            fclose(stream);
        }
        return fail(path, strerror(errno), problem);
    }
    const bool fits = S_ISREG(status.st_mode) && status.st_size < BYTES_MAX;
    *bytes = memory_resize(NULL, fits ? (size_t)status.st_size + 1 : 1);
    *size = fits ? fread(*bytes, 1, (size_t)status.st_size, stream) : 0;
    const bool is_read = fits && !ferror(stream);
    fclose(stream);
    if (!is_read) {
        free(*bytes);
        *bytes = NULL;
        return fail(path, "cannot be read", problem);
    }
    return true;
}
