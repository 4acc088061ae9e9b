#include "observe/mapped_file.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

/* All of it is there before it is used: where a disk is full, that shows here. */
static hx_status map(hxi_mapped_file *file)
{
    const int number = open(file->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (number < 0) {
        return fail("written", file->path, errno);
    }
    const int full = posix_fallocate(number, 0, (off_t)file->bytes);
    void *at =
        full == 0 ? mmap(NULL, file->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0) : MAP_FAILED;
    const int error = full != 0 ? full : errno;
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
