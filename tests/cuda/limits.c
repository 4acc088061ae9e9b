/*
 * Tables of device kernels that cannot be made: every request of libhx for memory refused in turn, and blocks
 * that are larger than kernels count.
 */
#include "../exchange/layout.h"
#include "check.h"
#include "memory.h"
#include "ranks.h"

#include <stdio.h>
#include <string.h>

extern const hx_spec wide_spec;
extern const hx_cuda_kernels wide_cuda;

/* No MPI runs here. */
int MPI_Comm_rank(MPI_Comm comm, int *number)
{
    (void)comm;
    *number = 0;
    return MPI_SUCCESS;
}

int MPI_Finalized(int *flag)
{
    *flag = 1;
    return MPI_SUCCESS;
}

static long requests;
static long refused; /* which of them; 0: none */

void *__real_hx_memory_get(size_t count, size_t size, const char *purpose);
void *__wrap_hx_memory_get(size_t count, size_t size, const char *purpose);
void *__real_hx_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);
void *__wrap_hx_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);

void *__wrap_hx_memory_get(size_t count, size_t size, const char *purpose)
{
    return ++requests == refused ? NULL : __real_hx_memory_get(count, size, purpose);
}

void *__wrap_hx_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose)
{
    return ++requests == refused ? NULL : __real_hx_memory_grow(old, used, count, size, purpose);
}

/* What making the tables of one block gives, of so many cells along the axes. */
static hx_status make(const int cells[3])
{
    hx_partition partition = {.axes = 3, .ranks = {1, 1, 1}};
    memcpy(partition.cells, cells, 3 * sizeof *cells);
    layout l;
    device_rank *rank = NULL;
    layout_make(&l, &wide_spec, MPI_COMM_NULL, &partition, NULL, NULL, NULL, 0);
    requests = 0;
    const hx_status status = device_rank_make(&wide_spec, &wide_cuda, &l.blocks, l.shapes, 0, 1, &rank);
    device_rank_free(rank);
    layout_free(&l);
    return status;
}

int main(void)
{
    static const int small[] = {5, 4, 3};
    /* More points of a side, planes further apart, and more sums than 31 bits count. */
    static const int large[][3] = {{40000, 30000, 2}, {1 << 30, 3, 2}, {1 << 30, 4, 1}};
    for (refused = 1; make(small) != HX_OK; ++refused) {
        check_about("request %ld", refused);
        CHECK(requests >= refused, "a failure without a refusal: %s", hx_last_error());
    }
    CHECK(refused > 50, "only %ld requests for memory", refused);
    const long all = refused - 1;
    refused = 0;
    for (size_t i = 0; i < sizeof large / sizeof *large; ++i) {
        check_about("blocks of %d x %d x %d", large[i][0], large[i][1], large[i][2]);
        CHECK_STATUS(make(large[i]), HX_ERR_LIMIT);
        CHECK(strstr(hx_last_error(), "wide.lua:") != NULL, "no place: %s", hx_last_error());
    }
    printf("%ld requests refused, %ld failures\n", all, check_failures());
    return check_failures() > 0;
}
