/*
 * An MPI that misbehaves: functions of MPI that libhx calls are replaced by some that call the real ones and
 * then, on one rank, once, report an error or deliver an old message again.  Linked with the static libhx.
 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, setenv */
#include "arrays.h"
#include "check.h"
#include "specs.h"

#include "observe/waits_format.h"

#include <hx/observe.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUILTY = 1, OLD_BYTES = 1 << 16 };

static int rank;
static int ranks;

/* Counts down with every call that can fail; the call that makes it 0 fails. */
static int calls_until_fault;

static int faulty(int code)
{
    const int fails = calls_until_fault > 0 && --calls_until_fault == 0;
    return code == MPI_SUCCESS && fails ? MPI_ERR_OTHER : code;
}

static int isends; /* that did not fail */

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    return faulty(PMPI_Comm_dup(comm, copy));
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return faulty(PMPI_Bcast(buffer, count, type, root, comm));
}

int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    return faulty(PMPI_Issend(buffer, count, type, to, tag, comm, request));
}

int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    return faulty(PMPI_Send_init(buffer, count, type, to, tag, comm, request));
}

int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    return faulty(PMPI_Recv_init(buffer, count, type, from, tag, comm, request));
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return faulty(PMPI_Irecv(buffer, count, type, from, tag, comm, request));
}

int MPI_Ineighbor_alltoallv(const void *out, const int *out_count, const int *out_at, MPI_Datatype out_type,
                            void *in, const int *in_count, const int *in_at, MPI_Datatype in_type,
                            MPI_Comm comm, MPI_Request *request)
{
    return faulty(PMPI_Ineighbor_alltoallv(out, out_count, out_at, out_type, in, in_count, in_at, in_type,
                                           comm, request));
}

int MPI_Testsome(int count, MPI_Request request[], int *done, int which[], MPI_Status status[])
{
    return faulty(PMPI_Testsome(count, request, done, which, status));
}

/* The first message to rank 0 is kept, and sent again instead of the second. */
static int repeats_messages;
static unsigned char old_message[OLD_BYTES];
static int old_bytes;

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (repeats_messages && to == 0 && count <= OLD_BYTES) {
        if (old_bytes == count) {
            memcpy((void *)(uintptr_t)buffer, old_message, (size_t)count);
        } else {
            memcpy(old_message, buffer, (size_t)count);
            old_bytes = count;
        }
    }
    const int code = faulty(PMPI_Isend(buffer, count, type, to, tag, comm, request));
    isends += code == MPI_SUCCESS;
    return code;
}

/* ---- what is told of it ------------------------------------------------------------------------------ */

typedef struct told {
    int failures;
    int sent;
    int copied;
    int unpacked; /* of the guilty rank's messages, in the second start */
} told;

static void count(void *context, const hx_event *e)
{
    told *t = context;
    t->failures += e->kind == HX_EVENT_FAILED;
    t->sent += e->kind == HX_EVENT_SENT;
    t->copied += e->kind == HX_EVENT_COPIED;
    t->unpacked += e->kind == HX_EVENT_UNPACKED && e->start == 1 && e->peer == GUILTY;
    if (e->kind == HX_EVENT_FAILED) {
        CHECK(!strstr(hx_last_error(), "an earlier call"), "not the failure itself: %s", hx_last_error());
    }
}

/* Later calls are refused, and nobody is told that the handle fails again. */
static void call_again(hx_handle *handle, const void *pointers, const told *t)
{
    CHECK(hx_start(handle, 0, pointers) != HX_OK && hx_finish(handle, 0) != HX_OK, "it goes on");
    CHECK(t->failures == 1, "%d failures are told, not one", t->failures);
}

/* ---- grids --------------------------------------------------------------------------------------------- */

typedef struct grid {
    layout layout;
    arrays arrays;
    hx_options options;
    hx_handle *handle;
} grid;

/* deadline: seconds; short where others wait for what never comes. */
static void grid_make(grid *g, const char *transport, double deadline)
{
    const hx_partition p = {.axes = 2, .cells = {2 * ranks, 3}, .ranks = {ranks, 1}, .periodic = {1, 1}};
    *g = (grid){.options = HX_OPTIONS_INIT};
    g->options.transport = transport;
    g->options.deadline = deadline;
    layout_make(&g->layout, &(layout_request){specs[0], MPI_COMM_WORLD, &p, NULL, NULL, NULL, 0});
    arrays_make(&g->arrays, &g->layout, oracle_cartesian);
    arrays_fill(&g->arrays, 1);
}

static hx_status grid_create(grid *g)
{
    return hx_create(specs[0], &g->layout.blocks, g->layout.shapes, &g->options, &g->handle);
}

static void grid_create_observed(grid *g, told *t)
{
    *t = (told){0};
    CHECK_STATUS(hx_observe(count, t), HX_OK);
    CHECK_STATUS(grid_create(g), HX_OK);
    CHECK_STATUS(hx_unobserve(count, t), HX_OK);
}

static void grid_free(grid *g)
{
    CHECK_STATUS(hx_destroy(g->handle), HX_OK);
    arrays_free(&g->arrays);
    layout_free(&g->layout);
}

/* The first, second, ... call of MPI in create fails on one rank: create fails on all, or the fault came too
 * late. */
static void faults_in_create(const char *transport)
{
    int late = 0;
    for (int n = 1; !late; ++n) {
        grid g;
        grid_make(&g, transport, 60.0);
        check_about("call %d of create fails, %s", n, transport);
        calls_until_fault = rank == GUILTY ? n : 0;
        const hx_status status = grid_create(&g);
        late = rank == GUILTY && calls_until_fault > 0;
        calls_until_fault = 0;
        PMPI_Bcast(&late, 1, MPI_INT, GUILTY, MPI_COMM_WORLD);
        CHECK_REFUSED(MPI_COMM_WORLD, status, late ? HX_OK : HX_ERR_MPI, "");
        CHECK((g.handle != NULL) == late, "a handle or none, whatever became of create");
        CHECK(late || strstr(hx_last_error(), "MPI_") != NULL, "no word about MPI: %s", hx_last_error());
        grid_free(&g);
        CHECK(n > 1 || !late, "no call of create can fail");
    }
}

/* A call of MPI in start or finish fails: told in words by the one rank, and all can destroy and go on. */
static void faults_in_exchange(const char *transport)
{
    for (int n = 1; n <= 6; ++n) {
        grid g;
        grid_make(&g, transport, 1.0);
        check_about("call %d of an exchange fails, %s", n, transport);
        told t;
        grid_create_observed(&g, &t);
        calls_until_fault = rank == GUILTY ? n : 0;
        isends = 0;
        hx_status status = hx_start(g.handle, 0, g.arrays.pointers);
        status = status == HX_OK ? hx_finish(g.handle, 0) : status;
        const int hit = rank == GUILTY && calls_until_fault == 0;
        calls_until_fault = 0;
        if (hit && CHECK_STATUS(status, HX_ERR_MPI)) {
            CHECK(strstr(hx_last_error(), "MPI_") != NULL, "no word about MPI: %s", hx_last_error());
            CHECK(strcmp(transport, "p2p") != 0 || t.sent == isends, "%d messages were sent, %d told", isends,
                  t.sent);
            call_again(g.handle, g.arrays.pointers, &t);
        }
        CHECK(hit || status == HX_OK || status == HX_ERR_DEADLINE, "an innocent rank got %s: %s",
              hx_status_name(status), hx_last_error());
        PMPI_Barrier(MPI_COMM_WORLD);
        grid_free(&g);
    }
}

/* Rank 0 gets the first message a second time: only check mode can tell. */
static void old_messages(void)
{
    grid g;
    grid_make(&g, "p2p", 60.0);
    g.options.check = 1;
    check_about("an old message");
    old_bytes = 0;
    told t;
    grid_create_observed(&g, &t);
    repeats_messages = rank == GUILTY;
    CHECK_STATUS(hx_start(g.handle, 0, g.arrays.pointers), HX_OK);
    CHECK_STATUS(hx_finish(g.handle, 0), HX_OK);
    CHECK_STATUS(hx_start(g.handle, 0, g.arrays.pointers), HX_OK);
    const hx_status status = hx_finish(g.handle, 0);
    repeats_messages = 0;
    if (CHECK_STATUS(status, rank == 0 ? HX_ERR_MISMATCH : HX_OK) && rank == 0) {
        CHECK(strstr(hx_last_error(), "rank 1") != NULL, "the sender is not named: %s", hx_last_error());
        CHECK(strstr(hx_last_error(), specs[0]->exchange[0].name) != NULL, "the exchange is not named: %s",
              hx_last_error());
        CHECK(t.unpacked == 0, "%d messages that were refused are told as unpacked", t.unpacked);
        call_again(g.handle, g.arrays.pointers, &t);
    }
    grid_free(&g);
}

/* ---- what is there when the run hangs -------------------------------------------------------------------- */

enum { FIRST_SEND = 3 }; /* of the calls that can fail: behind the receives of two messages */

static hxi_waits_head waits; /* the file of the guilty rank */

static void read_waits(const char *path)
{
    FILE *file = fopen(path, "rb");
    CHECK(file && fread(&waits, sizeof waits, 1, file) == 1, "%s cannot be read", path);
    if (file) {
        fclose(file);
    }
}

/* A start that fails is no idle exchange; nor does it become one when the program calls on. */
static void failed_start_in_report(void)
{
    char directory[] = "/tmp/hx-faults-XXXXXX";
    char path[64];
    grid g;
    check_about("a start fails, with HX_DEADLINE_REPORT");
    CHECK(rank != 0 || mkdtemp(directory), "no folder");
    PMPI_Bcast(directory, sizeof directory, MPI_CHAR, 0, MPI_COMM_WORLD);
    CHECK(setenv("HX_DEADLINE_REPORT", directory, 1) == 0, "no environment");
    grid_make(&g, "p2p", 1.0);
    g.options.schedule = "one-phase";
    told t;
    grid_create_observed(&g, &t);
    snprintf(path, sizeof path, "%s/rank-%05d" HX_WAITS_ENDING, directory, rank);
    calls_until_fault = rank == GUILTY ? FIRST_SEND : 0;
    isends = 0;
    if (rank == GUILTY) {
        CHECK_STATUS(hx_start(g.handle, 0, g.arrays.pointers), HX_ERR_MPI);
        CHECK(isends == 0 && t.sent == 0, "%d messages were sent, %d told", isends, t.sent);
        CHECK(t.copied == 0, "what was not copied within the rank is told");
        for (int i = 0; i < 2; ++i) {
            const hxi_waits_handle *handle = &waits.handle[0];
            read_waits(path);
            CHECK(handle->exchange[0].state == HX_WAITS_FAILED, "it is in state %d",
                  handle->exchange[0].state);
            CHECK(strstr(handle->sentence, "MPI_") != NULL, "of the failure: %s", handle->sentence);
            CHECK(hx_start(g.handle, 0, g.arrays.pointers) != HX_OK, "it goes on");
        }
    }
    calls_until_fault = 0;
    CHECK(remove(path) == 0, "%s is not there", path);
    PMPI_Barrier(MPI_COMM_WORLD);
    CHECK(rank != 0 || remove(directory) == 0, "%s stays", directory);
    grid_free(&g);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    faults_in_create("p2p");
    faults_in_create("persistent");
    faults_in_exchange("p2p");
    faults_in_exchange("persistent");
    faults_in_exchange("neighbor");
    faults_in_exchange("rma");
    faults_in_exchange("rma-get");
    old_messages();
    failed_start_in_report();
    return check_verdict("faults of MPI");
}
