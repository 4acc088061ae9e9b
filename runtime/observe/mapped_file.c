#include "observe/mapped_file.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 100 };

double hxi_mapped_file_day_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void hxi_mapped_file_name(char *to, size_t size, const char *name)
{
    snprintf(to, size, "%s", name);
}

static hx_status fail(const char *verb, const char *path, int error)
{
    return hxi_fail(HX_ERR_ARGUMENT, "%s cannot be %s: %s.  This rank is left out.", path, verb,
                    strerror(error));
}

/*
 * Another process may have mapped a file of this name, and still write there: that one loses its name only, as it would
 * die of a file that becomes shorter.  Two may come to this at a time.  -1: none could be made; errno says why.
 */
static int replace(const char *path)
{
    int number = -1;
    for (int i = 0; i < TRIES && number < 0; ++i) {
        if (unlink(path) != 0 && errno != ENOENT) {
            return -1;
        }
        number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (number < 0 && errno != EEXIST) {
            return -1;
        }
    }
    return number;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* All of it is there before it is used: where a disk is full, that shows here. */
static hx_status map(hxi_mapped_file *file)
{
    const int number = replace(file->path);
    if (number < 0) {
        return fail("written", file->path, errno);
    }
    const int full = posix_fallocate(number, 0, (off_t)file->bytes);
    void *at =
        full == 0 ? mmap(NULL, file->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0) : MAP_FAILED;
    const int error = full != 0 ? full : errno;
    file->known = fstat(number, &file->stat) == 0;
    close(number);
    if (at == MAP_FAILED) {
        unlink(file->path);
        return fail(full != 0 ? "given its size" : "mapped", file->path, error);
    }
    file->at = at;
    return HX_OK;
}

hx_status hxi_mapped_file_make(const char *directory, int process, hxi_mapped_file *file)
{
    char here[HX_MAPPED_PATH / 2] = ""; /* the program may be elsewhere when it ends */
    file->at = NULL;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        return fail("made", directory, errno);
    }
    if (directory[0] != '/' && !getcwd(here, sizeof here)) {
        return fail("used", directory, errno);
    }
    snprintf(file->path, sizeof file->path, "%s%s%s/rank-%05d%s", here, here[0] != '\0' ? "/" : "", directory,
             process, file->ending);
    return map(file);
}

/* By its name, as the program may have closed all descriptors; what is mapped keeps its inode. */
bool hxi_mapped_file_shorten(const hxi_mapped_file *file, size_t bytes)
{
    struct stat found;
    const int number = open(file->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (number < 0) {
        return false;
    }
    const bool is_shorter = file->known && fstat(number, &found) == 0 && is_same(&found, &file->stat) &&
                            ftruncate(number, (off_t)bytes) == 0;
    close(number);
    return is_shorter;
}
