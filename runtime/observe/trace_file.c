#include "observe/trace_file.h"

#include "base/clock.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Records of 64 bytes: 4 MiB. */
enum { ROOM = 65536, LEAST_ROOM = 64, MOST_ROOM = 1 << 24, PATH = 4200 };

_Static_assert(sizeof(hxi_trace_record) == 64, "one lies in one cache line");

/* What end() shortens. */
static hxi_trace_file made;
static char made_path[PATH];

double hxi_trace_day_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void hxi_trace_name(char *to, size_t size, const char *name)
{
    snprintf(to, size, "%s", name);
}

static hx_status read_room(uint64_t *room)
{
    const char *asked = getenv("HX_TRACE_EVENTS");
    *room = ROOM;
    if (!asked || asked[0] == '\0') {
        return HX_OK;
    }
    char *end = NULL;
    const long number = strtol(asked, &end, 10);
    if (*end != '\0' || number < LEAST_ROOM || number > MOST_ROOM) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "The environment variable HX_TRACE_EVENTS is \"%s\"; it takes a number of events from %d to "
            "%d, 64 bytes each.",
            asked, LEAST_ROOM, MOST_ROOM);
    }
    *room = (uint64_t)number;
    return HX_OK;
}

static hx_status fail(const char *verb, const char *path, int error)
{
    return hxi_fail(HX_ERR_ARGUMENT, "%s cannot be %s: %s.  This rank is not in the trace.", path, verb,
                    strerror(error));
}

/* All of it is there before it is used: where a disk is full, that shows here. */
static hx_status map(const char *path, size_t bytes, hxi_trace_file *file)
{
    const int number = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (number < 0) {
        return fail("written", path, errno);
    }
    const int full = posix_fallocate(number, 0, (off_t)bytes);
    void *at = full == 0 ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0) : MAP_FAILED;
    const int error = full != 0 ? full : errno;
    close(number);
    if (at == MAP_FAILED) {
        unlink(path);
        return fail(full != 0 ? "given its size" : "mapped", path, error);
    }
    file->head = at;
    file->record = (hxi_trace_record *)((char *)at + sizeof *file->head);
    return HX_OK;
}

static void fill_head(hxi_trace_head *head, int process, uint64_t room)
{
    head->order = HX_TRACE_ORDER;
    head->record_bytes = sizeof(hxi_trace_record);
    head->head_bytes = sizeof *head;
    head->room = room;
    head->pid = getpid();
    head->process = process;
    head->seconds = hxi_clock();
    head->day_time = hxi_trace_day_time();
    if (gethostname(head->host, sizeof head->host - 1) != 0) {
        head->host[0] = '\0';
    }
    memcpy(head->magic, HX_TRACE_MAGIC, sizeof HX_TRACE_MAGIC); /* the last thing */
}

hx_status hxi_trace_file_make(const char *directory, int process, hxi_trace_file *file)
{
    uint64_t room = 0;
    hx_status status = read_room(&room);
    if (status != HX_OK) {
        return status;
    }
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        return fail("made", directory, errno);
    }
    char here[PATH / 2] = ""; /* the program may be elsewhere when it ends */
    if (directory[0] != '/' && !getcwd(here, sizeof here)) {
        return fail("used", directory, errno);
    }
    snprintf(made_path, sizeof made_path, "%s%s%s/rank-%05d" HX_TRACE_ENDING, here,
             here[0] != '\0' ? "/" : "", directory, process);
    status = map(made_path, sizeof(hxi_trace_head) + room * sizeof(hxi_trace_record), file);
    if (status == HX_OK) {
        fill_head(file->head, process, room);
        made = *file;
    }
    return status;
}

/* A file whose ring is not full becomes shorter.  Also where libhx is unloaded; not in a child. */
__attribute__((destructor)) static void end(void)
{
    const hxi_trace_head *head = made.head;
    if (head && head->pid == getpid() && head->count < head->room) {
        const off_t bytes = (off_t)(head->head_bytes + head->count * head->record_bytes);
        if (truncate(made_path, bytes) != 0) {
            return; /* it is only longer than it need be */
        }
    }
}
