#include "check/device.h"

#include <limits.h>
#include <stdio.h>

static void must_do(const check_device *d, int status)
{
    if (status != 0) {
        fprintf(stderr, "the device: %s\n", d->calls->text(status));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* The number of this rank among those of its machine. */
static int number_here(void)
{
    MPI_Comm machine;
    int number = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &number);
    MPI_Comm_free(&machine);
    return number;
}

bool hxi_check_open_device(check_run *r)
{
    check_device *d = &r->device;
    int found = 0, first = 0;
    if (!r->spec->cuda) {
        return true;
    }
    d->calls = r->spec->cuda->device;
    const int number = number_here();
    const int status = d->calls->count(&found);
    const int without = status == 0 && found > 0 ? INT_MAX : r->rank;
    MPI_Allreduce(&without, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == r->rank) {
        printf("skipped: rank %d finds no GPU: %s\n", r->rank,
               status != 0 ? d->calls->text(status) : "there is none");
    }
    if (first < INT_MAX) {
        return false;
    }
    must_do(d, d->calls->use(number % found));
    must_do(d, d->calls->stream_open(false, &d->stream));
    must_do(d, d->calls->event_open(&d->event));
    return true;
}

void hxi_check_close_device(check_device *d)
{
    if (d->calls) {
        must_do(d, d->calls->event_close(d->event));
        must_do(d, d->calls->stream_close(d->stream));
    }
}

void *hxi_check_get(const check_device *d, size_t bytes)
{
    void *memory = NULL;
    must_do(d, d->calls->get(HX_MEMORY_DEVICE, bytes, &memory));
    return memory;
}

void hxi_check_release(const check_device *d, void *memory)
{
    must_do(d, d->calls->free(HX_MEMORY_DEVICE, memory));
}

void hxi_check_copy(const check_device *d, void *to, const void *from, size_t bytes, hx_stream stream)
{
    must_do(d, d->calls->copy(to, from, bytes, stream));
}

void hxi_check_follow(const check_device *d)
{
    bool done = false;
    must_do(d, d->calls->event_record(d->event, d->stream));
    while (!done) {
        must_do(d, d->calls->event_done(d->event, &done));
    }
}
