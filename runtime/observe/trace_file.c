#include "observe/trace_file.h"

#include "base/clock.h"
#include "base/status.h"
#include "observe/mapped_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Records of 64 bytes: 4 MiB. */
enum { ROOM = 65536, LEAST_ROOM = 64, MOST_ROOM = 1 << 24 };

_Static_assert(sizeof(hxi_trace_record) == 64, "one lies in one cache line");

static hxi_mapped_file made = {.ending = HX_TRACE_ENDING}; /* what end() shortens */

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

static void fill_head(hxi_trace_head *head, int process, uint64_t room)
{
    head->order = HX_TRACE_ORDER;
    head->record_bytes = sizeof(hxi_trace_record);
    head->head_bytes = sizeof *head;
    head->room = room;
    head->pid = getpid();
    head->process = process;
    head->seconds = hxi_clock();
    head->day_time = hxi_mapped_file_day_time();
    if (gethostname(head->host, sizeof head->host - 1) != 0) {
        head->host[0] = '\0';
    }
    memcpy(head->magic, HX_TRACE_MAGIC, sizeof HX_TRACE_MAGIC); /* the last thing */
}

hx_status hxi_trace_file_make(const char *directory, int process, hxi_trace_file *file)
{
    uint64_t room = 0;
    hx_status status = read_room(&room);
    made.bytes = sizeof(hxi_trace_head) + room * sizeof(hxi_trace_record);
    status = status == HX_OK ? hxi_mapped_file_make(directory, process, &made) : status;
    if (status == HX_OK) {
        file->head = made.at;
        file->record = (hxi_trace_record *)((char *)made.at + sizeof *file->head);
        fill_head(file->head, process, room);
    }
    return status;
}

/* A file whose ring is not full becomes shorter.  Also where libhx is unloaded; not in a child. */
__attribute__((destructor)) static void end(void)
{
    const hxi_trace_head *head = made.at;
    if (head && head->pid == getpid() && head->count < head->room) {
        (void)hxi_mapped_file_shorten(&made, head->head_bytes + head->count * head->record_bytes);
    }
}
