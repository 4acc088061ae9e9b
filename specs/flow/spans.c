#include "spans.h"

#include "../common/check.h"

#include <cuda_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 4096 };

typedef struct span {
    const char *name;
    cudaEvent_t begin, end;
} span;

static const char *directory; /* NULL: nobody asks */
static cudaEvent_t zero;      /* when this happened was zero_seconds */
static double zero_seconds;
static span list[MOST];
static int spans;

static void need(cudaError_t error)
{
    if (error != cudaSuccess) {
        fail("times of the device: %s", cudaGetErrorString(error));
    }
}

static cudaEvent_t record(hx_stream stream)
{
    cudaEvent_t event;
    need(cudaEventCreate(&event));
    need(cudaEventRecord(event, stream));
    return event;
}

void spans_open(hx_stream stream)
{
    struct timespec now;
    directory = getenv("HX_TRACE");
    if (directory) {
        zero = record(stream);
        need(cudaEventSynchronize(zero));
        clock_gettime(CLOCK_MONOTONIC, &now);
        zero_seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
}

void spans_begin(const char *name, hx_stream stream)
{
    if (directory && spans < MOST) {
        list[spans] = (span){.name = name, .begin = record(stream)};
    }
}

void spans_end(hx_stream stream)
{
    if (directory && spans < MOST) {
        list[spans++].end = record(stream);
    }
}

/* By the clock of the host. */
static double seconds_of(cudaEvent_t event)
{
    float milliseconds;
    need(cudaEventElapsedTime(&milliseconds, zero, event));
    return zero_seconds + 1e-3 * (double)milliseconds;
}

static void write_file(const char *path)
{
    FILE *file = fopen(path, "w");
    for (int i = 0; file && i < spans; ++i) {
        fprintf(file, "%.9f %.9f %s\n", seconds_of(list[i].begin), seconds_of(list[i].end), list[i].name);
    }
    if (!file || fclose(file) != 0) {
        fail("%s cannot be written", path);
    }
}

void spans_write(hx_stream stream)
{
    char path[4096];
    int rank;
    if (!directory) {
        return;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "%s/rank-%05d.spans", directory, rank);
    need(cudaStreamSynchronize(stream));
    write_file(path);
    for (int i = 0; i < spans; ++i) {
        need(cudaEventDestroy(list[i].begin));
        need(cudaEventDestroy(list[i].end));
    }
    need(cudaEventDestroy(zero));
}
