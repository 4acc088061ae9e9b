/*
 * A run to be traced, and what an observer of its own saw of it, as lines of FOLDER/facts-RANK.
 *
 * Each rank has a clock of its own, a thousand seconds ahead of the rank before: the program is linked with
 * -Wl,--wrap=clock_gettime.  Rank 1 takes longest between exchanges.
 *
 * usage: traced FOLDER [kill]      kill: rank 1 ends by SIGKILL in the middle of an exchange
 */
#include "check.h"
#include "layout.h"
#include "specs.h"

#include <hx/observe.h>

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CALLS = 8, KILLED_AT = 4, APART = 1000 };

static int rank;
static FILE *facts;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    const int code = __real_clock_gettime(clock, now);
    now->tv_sec += clock == CLOCK_MONOTONIC ? APART * rank : 0;
    return code;
}

static void see(void *context, const hx_event *e)
{
    static const char *const kinds[] = {
        [HX_EVENT_CREATED] = "create",  [HX_EVENT_PACKED] = "pack",           [HX_EVENT_SENT] = "send",
        [HX_EVENT_COPIED] = "copy",     [HX_EVENT_STARTED] = "start",         [HX_EVENT_WAITED] = "wait",
        [HX_EVENT_UNPACKED] = "unpack", [HX_EVENT_FILLED] = "sums and walls", [HX_EVENT_FINISHED] = "finish",
    };
    (void)context;
    const bool is_span = (size_t)e->kind < sizeof kinds / sizeof kinds[0] && kinds[e->kind];
    fprintf(facts, "%s|%d|%llu|%d|%d|%zu\n", is_span ? kinds[e->kind] : "moment", e->exchange,
            (unsigned long long)e->start, e->phase + 1, e->peer, e->bytes);
}

/* Work takes a rank as long as it takes, however many share a processor. */
static void work(double seconds)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}

static void run(hx_handle *handle, const hx_spec *spec, const void *pointers, bool kill_one)
{
    for (int i = 0; i < CALLS; ++i) {
        work(rank == 1 ? 25e-3 : 1e-4);
        for (int e = 0; e < spec->exchanges; ++e) {
            CHECK_STATUS(hx_start(handle, e, pointers), HX_OK);
            if (kill_one && rank == 1 && i == KILLED_AT) {
                fflush(facts);
                kill(getpid(), SIGKILL);
            }
            CHECK_STATUS(hx_finish(handle, e), HX_OK);
        }
    }
}

int main(int argc, char **argv)
{
    char path[512];
    int ranks = 0;
    static layout l;
    hx_partition partition[LAYOUT_TILES];
    hx_handle *handle = NULL;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(path, sizeof path, "%s/facts-%d", argc > 1 ? argv[1] : ".", rank);
    facts = fopen(path, "w");
    if (!facts) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    hx_observe(see, NULL);
    partition[0] = (hx_partition){.axes = 3, .cells = {20, 20 * ranks, 20}, .ranks = {1, ranks, 1}};
    layout_make(&l, &(layout_request){.spec = specs[0], .comm = MPI_COMM_WORLD, .partition = partition});
    CHECK_STATUS(hx_create(l.spec, &l.blocks, l.shapes, NULL, &handle), HX_OK);
    void *pointers = calloc((size_t)l.blocks.count, l.spec->fields_size);
    CHECK_STATUS(hx_alloc(handle, pointers), HX_OK);
    run(handle, l.spec, pointers, argc > 2 && strcmp(argv[2], "kill") == 0);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    free(pointers);
    layout_free(&l);
    fclose(facts);
    return check_verdict("traced");
}
