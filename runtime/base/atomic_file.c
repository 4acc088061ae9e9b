#include "base/atomic_file.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST = 1 << 24 };

/* ---- reading ------------------------------------------------------------------------------------------- */

static hx_status read_whole(const char *path, size_t bytes, hxi_atomic_file *lines)
{
    errno = 0;
    FILE *file = fopen(path, "r");
    if (file) {
        lines->rest = (hxi_atomic_file_line){lines->text, fread(lines->text, 1, bytes, file)};
    }
    const bool failed = !file || ferror(file);
    const int error = errno;
    if (file) {
        fclose(file);
    }
    return failed ? hxi_fail(HX_ERR_ARGUMENT, "The file %s cannot be read: %s.", path, strerror(error))
                  : HX_OK;
}

hx_status hxi_atomic_file_load(const char *path, hxi_atomic_file *lines)
{
    *lines = (hxi_atomic_file){0};
    struct stat found = {0};
    if (stat(path, &found) != 0) {
        return errno == ENOENT || errno == ENOTDIR
                   ? HX_OK
                   : hxi_fail(HX_ERR_ARGUMENT, "The file %s cannot be read: %s.", path, strerror(errno));
    }
    if (!S_ISREG(found.st_mode) || found.st_size > LONGEST) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s is no file of at most %d bytes that can be looked at; it is not used.", path,
                        (int)LONGEST);
    }
    lines->text = hxi_memory_get((size_t)found.st_size + 1, 1, "a file of lines");
    const hx_status status = lines->text ? read_whole(path, (size_t)found.st_size, lines) : HX_ERR_MEMORY;
    if (status != HX_OK) {
        hxi_atomic_file_free(lines);
    }
    return status;
}

bool hxi_atomic_file_next(hxi_atomic_file *lines, hxi_atomic_file_line *line)
{
    const hxi_atomic_file_line rest = lines->rest;
    if (rest.length == 0) {
        return false;
    }
    const char *end = memchr(rest.at, '\n', rest.length);
    const size_t taken = end ? (size_t)(end - rest.at) + 1 : rest.length;
    *line = (hxi_atomic_file_line){rest.at, taken - (end != NULL)};
    lines->rest = (hxi_atomic_file_line){rest.at + taken, rest.length - taken};
    return true;
}

void hxi_atomic_file_free(hxi_atomic_file *lines)
{
    hxi_memory_free(lines->text);
    *lines = (hxi_atomic_file){0};
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static bool replace(const char *path, const char *name, hxi_atomic_file_line_fn *write, void *context)
{
    errno = 0;
    FILE *file = fopen(name, "wx");
    if (!file) {
        return false;
    }
    write(file, context);
    const bool failed = ferror(file) != 0;
    const bool whole = fclose(file) == 0 && !failed && rename(name, path) == 0;
    if (!whole) {
        const int error = errno;
        remove(name);
        errno = error;
    }
    return whole;
}

/* By way of a name beside the file that nobody else has. */
hx_status hxi_atomic_file_replace(const char *path, hxi_atomic_file_line_fn *write, void *context)
{
    struct stat found;
    if (lstat(path, &found) == 0 && !S_ISREG(found.st_mode)) {
        return hxi_fail(HX_ERR_ARGUMENT, "%s is %s, which is not replaced; name the file itself.", path,
                        S_ISLNK(found.st_mode) ? "a symbolic link" : "no regular file");
    }
    const size_t size = strlen(path) + 64;
    char *name = hxi_memory_get(size, 1, "the name of a file");
    if (!name) {
        return HX_ERR_MEMORY;
    }
    const uint64_t moment = hxi_hash(HX_HASH_SEED, (int64_t)(1e9 * hxi_clock()));
    snprintf(name, size, "%s.%ld-%016llx", path, (long)getpid(), (unsigned long long)moment);
    const bool whole = replace(path, name, write, context);
    const int error = errno;
    hxi_memory_free(name);
    return whole ? HX_OK
                 : hxi_fail(HX_ERR_ARGUMENT, "The file %s cannot be written: %s.", path, strerror(error));
}
