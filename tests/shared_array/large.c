/*
 * An array of more than 2^31 bytes and elements is shared, and broadcast.  It needs 5 GiB of memory, half of
 * it where MPI keeps memory that processes share; so only where LARGE_ARRAYS=1 is in the environment.
 */
#include "../exchange/check.h"

#include <hx/shared_array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Marks around the places where counts of 31 and 32 bits, and pieces, end. */
static const size_t length = ((size_t)1 << 31) + 12345;
static const size_t marked[] = {0,
                                ((size_t)1 << 30) - 1,
                                (size_t)1 << 30,
                                ((size_t)1 << 31) - 1,
                                (size_t)1 << 31,
                                ((size_t)1 << 31) + 12344};

enum { MARKS = sizeof marked / sizeof marked[0] };

static void check_marks(const hx_array *array, const char *what)
{
    CHECK(array->extent[0] == length && array->size == 1, "%s: %zu elements", what, array->extent[0]);
    const unsigned char *data = array->data;
    for (int i = 0; data && i < MARKS; ++i) {
        CHECK(data[marked[i]] == i + 1, "%s: byte %zu is %d", what, marked[i], data[marked[i]]);
    }
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("LARGE_ARRAYS");
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!wanted || strcmp(wanted, "1") != 0) {
        if (rank == 0) {
            printf("skipped: needs 5 GiB of memory, half of it shared; LARGE_ARRAYS=1 runs it\n");
        }
        MPI_Finalize();
        return 77;
    }
    hx_array given = {.size = 1, .axes = 1, .extent = {length}};
    unsigned char *data = rank == 0 ? calloc(length, 1) : NULL;
    for (int i = 0; data && i < MARKS; ++i) {
        data[marked[i]] = (unsigned char)(i + 1);
    }
    given.data = data;
    hx_array got = {0};
    hx_shared_arrays *group = NULL;
    CHECK_STATUS(hx_shared_arrays_create(MPI_COMM_WORLD, &group), HX_OK);
    CHECK_STATUS(hx_shared_array(group, 0, &given, &got, NULL), HX_OK);
    check_marks(&got, "shared");
    CHECK_STATUS(hx_shared_arrays_destroy(group), HX_OK);
    CHECK_STATUS(hx_broadcast(MPI_COMM_WORLD, 0, &given, &got), HX_OK);
    check_marks(&got, "broadcast");
    hx_array_free(&got);
    free(data);
    return check_verdict("arrays of more than 2^31 bytes");
}
