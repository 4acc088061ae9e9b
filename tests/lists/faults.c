/*
 * Lists of points where something fails on one rank, each in its turn: the n-th piece of memory is refused,
 * or the n-th call of MPI is made and then said to have failed.  Lists by ids and handles are made on all
 * ranks or on none, with nothing left behind, and the next ones work.  Exempt is the agreement of ranks, as
 * in unit/fault_test.c.
 */
#include "../exchange/check.h"
#include "cells.h"

#include <stdbool.h>
#include <string.h>

enum { POINTS = 4 };

static int my_rank;
static int all_ranks;

/* ---- what fails ---------------------------------------------------------------------------------------- */

static long live;       /* pieces of memory */
static long pieces;     /* asked for */
static long refused_at; /* -1: none */

void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *memory);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __wrap_free(void *memory);

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    void *memory = pieces++ == refused_at ? NULL : __real_aligned_alloc(alignment, bytes);
    live += memory != NULL;
    return memory;
}

void __wrap_free(void *memory)
{
    live -= memory != NULL;
    __real_free(memory);
}

static bool counting; /* on this rank, now */
static long calls;
static long fail_at;

static int outcome(int code)
{
    return counting && calls++ == fail_at ? MPI_ERR_OTHER : code;
}

/* Polls that find nothing are as many as they like, and do not count. */
static int outcome_of_poll(int code, int found)
{
    return found ? outcome(code) : code;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    return outcome(PMPI_Comm_dup(comm, copy));
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    return outcome(PMPI_Comm_rank(comm, rank));
}

int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    return outcome(PMPI_Issend(buffer, count, type, to, tag, comm, request));
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *found, MPI_Status *status)
{
    const int code = PMPI_Iprobe(from, tag, comm, found, status);
    return outcome_of_poll(code, *found);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    return outcome(PMPI_Recv(buffer, count, type, from, tag, comm, status));
}

int MPI_Testall(int count, MPI_Request request[], int *done, MPI_Status status[])
{
    const int code = PMPI_Testall(count, request, done, status);
    return outcome_of_poll(code, *done);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    return outcome(PMPI_Ibarrier(comm, request));
}

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    const int code = PMPI_Test(request, done, status);
    return outcome_of_poll(code, *done);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return outcome(PMPI_Irecv(buffer, count, type, from, tag, comm, request));
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return outcome(PMPI_Isend(buffer, count, type, to, tag, comm, request));
}

/* ---- what is tried ------------------------------------------------------------------------------------- */

/* Two points of each rank's own, and two of the next one. */
static hx_status make_list(hx_index_list **list)
{
    const int64_t next = 2 * ((my_rank + 1) % all_ranks);
    const int64_t id[POINTS] = {2 * my_rank, 2 * my_rank + 1, next, next + 1};
    const hx_ids ids = {.points = POINTS, .id = id, .owned = 2};
    return hx_index_list_of_ids(MPI_COMM_WORLD, &ids, list);
}

static hx_status make_handle(const hx_index_list *list, cells **halo)
{
    const hx_part part = cells_part(POINTS, 2);
    const cells_shape shape = cells_shape_dense(&part);
    hx_options options = HX_OPTIONS_INIT;
    options.transport = "persistent";
    return cells_create(MPI_COMM_WORLD, &shape, list, &options, halo);
}

/* Both, one after the other; the second only if there is a first. */
static hx_status make_and_drop(hx_status expected)
{
    hx_index_list *list = NULL;
    cells *halo = NULL;
    hx_status status = make_list(&list);
    CHECK((status == HX_OK) == (list != NULL), "a list with %s", hx_status_name(status));
    if (status == HX_OK) {
        status = make_handle(list, &halo);
        CHECK((status == HX_OK) == (halo != NULL), "a handle with %s", hx_status_name(status));
    }
    CHECK(status == HX_OK || status == expected, "%s: %s", hx_status_name(status), hx_last_error());
    counting = false;
    refused_at = -1;
    CHECK_STATUS(cells_destroy(halo), HX_OK);
    hx_index_list_free(list);
    return status;
}

/* Did all ranks get the same?  Returns whether all went well. */
static bool agree(hx_status status)
{
    int range[2] = {(int)status, -(int)status};
    MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(range[0] == -range[1], "statuses from %d to %d", -range[1], range[0]);
    return range[0] == (int)HX_OK;
}

/* True on all ranks if what was to fail on rank `on` was reached there. */
static bool was_reached(long count, long at, int on)
{
    int reached = count > at;
    MPI_Bcast(&reached, 1, MPI_INT, on, MPI_COMM_WORLD);
    return reached;
}

static void refuse_memory(int on)
{
    const long before = live;
    bool reached = true;
    long n = 0;
    for (; reached; ++n) {
        check_about("rank %d, piece of memory %ld", on, n);
        pieces = 0;
        refused_at = my_rank == on ? n : -1;
        const hx_status status = make_and_drop(HX_ERR_MEMORY);
        reached = was_reached(pieces, n, on);
        CHECK(agree(status) == !reached, "%s", hx_status_name(status));
        CHECK(live == before, "%ld pieces of memory are left", live - before);
    }
    CHECK(n > 60, "%ld pieces of memory", n);
}

static void fail_calls(int on)
{
    const long before = live;
    bool reached = true;
    for (fail_at = 0; reached; ++fail_at) {
        check_about("rank %d, call %ld", on, fail_at);
        calls = 0;
        counting = my_rank == on;
        const hx_status status = make_and_drop(HX_ERR_MPI);
        reached = was_reached(calls, fail_at, on);
        agree(status);
        CHECK(reached || status == HX_OK, "%s", hx_status_name(status));
        CHECK(live == before, "%ld pieces of memory are left", live - before);
    }
    CHECK(fail_at > 20, "%ld calls", fail_at);
}

/*
 * This program's libhx sends eight notes to a rank at most; the ids of all these points are near each other.
 */
static void too_many(void)
{
    const int64_t id[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 1000};
    const hx_ids ids = {.points = my_rank == 0 ? 10 : 0, .id = id, .owned = my_rank == 0 ? 10 : 0};
    hx_index_list *list = NULL;
    const hx_status status = hx_index_list_of_ids(MPI_COMM_WORLD, &ids, &list);
    agree(status);
    CHECK(status == HX_ERR_LIMIT && strstr(hx_last_error(), "points; MPI counts up to 8") != NULL, "%s: %s",
          hx_status_name(status), hx_last_error());
}

int main(int argc, char **argv)
{
    refused_at = -1;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    PMPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all_ranks);
    too_many();
    for (int on = 0; on < all_ranks; ++on) {
        refuse_memory(on);
        fail_calls(on);
    }
    return check_verdict("lists of points where something fails");
}
