/*
 * Tables of device kernels that cannot be made: every request of libhx for memory refused in turn, blocks and
 * lists of points that are larger than kernels count, and kernels that are not there.
 *
 * With PROPERTY_TRIES below 1 in the environment every third request is refused.
 */
#include "../exchange/layout.h"
#include "base/memory.h"
#include "check.h"
#include "ranks.h"

#include <cells.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hx_spec wide_spec;
extern const hx_cuda_kernels wide_cuda;
extern const hx_cuda_kernels cells_cuda;

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

enum { LEVELS = 3, RANKS = 600 };

static long requests;
static long refused; /* which of them; 0: none */
static long apart;   /* those that are refused */

void *__real_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__real_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);

void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose)
{
    return ++requests == refused ? NULL : __real_hxi_memory_get(count, size, purpose);
}

void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose)
{
    return ++requests == refused ? NULL : __real_hxi_memory_grow(old, used, count, size, purpose);
}

/* What making the tables of one block gives, of so many cells along the axes. */
static hx_status make(const int extent[3])
{
    hx_partition partition = {.axes = 3, .ranks = {1, 1, 1}};
    memcpy(partition.cells, extent, 3 * sizeof *extent);
    layout l;
    device_rank *rank = NULL;
    layout_make(&l, &(layout_request){&wide_spec, MPI_COMM_NULL, &partition, NULL, NULL, NULL, 0});
    requests = 0;
    const hx_status status =
        device_rank_make(&(device_place){&wide_spec, &wide_cuda, 0, 1}, &l.blocks, l.shapes, &rank);
    device_rank_free(rank);
    layout_free(&l);
    return status;
}

/* The same for a list. */
static hx_status make_of(const hx_spec *spec, const hx_cuda_kernels *kernels, int levels,
                         const hx_index_list *list)
{
    const hx_part part = cells_part(9, levels);
    const cells_shape shape = cells_shape_dense(&part);
    device_rank *rank = NULL;
    requests = 0;
    const hx_status status =
        device_rank_make_listed(&(device_place){spec, kernels, 0, RANKS}, list, &shape, &rank);
    device_rank_free(rank);
    return status;
}

/* Two points get what two others of this rank have, and as many come from another rank. */
static hx_status make_list(const hx_spec *spec, const hx_cuda_kernels *kernels, int levels)
{
    static const int points[] = {0, 2, 3, 4, 6, 7, 8};
    const hx_peer peer[] = {{.rank = 0, .sends = 2, .send = points, .receives = 2, .receive = points + 2},
                            {.rank = 1, .sends = 1, .send = points, .receives = 3, .receive = points + 4}};
    const hx_index_list list = {.peers = levels > LEVELS ? 1 : 2, .peer = peer};
    return make_of(spec, kernels, levels, &list);
}

/* So many ranks add something to a point of this one. */
static hx_status make_star(const hx_spec *spec, int peers)
{
    static const int point = 4;
    static hx_peer peer[RANKS];
    for (int p = 0; p < peers; ++p) {
        peer[p] = (hx_peer){.rank = p + 1, .sends = 1, .send = &point};
    }
    const hx_index_list list = {.peers = peers, .peer = peer};
    return make_of(spec, &cells_cuda, LEVELS, &list);
}

static void try_lists(void)
{
    hx_spec sums = cells_spec;
    sums.exchange = &cells_spec.exchange[CELLS_FLUXES];
    sums.exchanges = 1;
    for (refused = 1; make_list(&cells_spec, &cells_cuda, LEVELS) != HX_OK; refused += apart) {
        check_about("lists, request %ld", refused);
        CHECK(requests >= refused, "a failure without a refusal: %s", hx_last_error());
    }
    CHECK(refused > 50, "only %ld requests for memory", refused);
    refused = 0;
    check_about("lists with 2^30 levels");
    CHECK_STATUS(make_list(&cells_spec, &cells_cuda, 1 << 30), HX_ERR_LIMIT);
    CHECK(strstr(hx_last_error(), "cells.lua:") != NULL, "no place: %s", hx_last_error());
    CHECK_STATUS(make_list(&sums, &cells_cuda, 1 << 30), HX_ERR_LIMIT);
    check_about("many ranks that add");
    CHECK_STATUS(make_star(&sums, HX_CUDA_BASES - 1), HX_OK);
    CHECK_STATUS(make_star(&sums, HX_CUDA_BASES), HX_ERR_LIMIT);
    CHECK(strstr(hx_last_error(), "\"fluxes\" adds") != NULL, "%s", hx_last_error());
    hx_cuda_kernels less = cells_cuda;
    check_about("lists without kernels");
    less.kinds = 0;
    CHECK_STATUS(make_list(&cells_spec, &less, LEVELS), HX_ERR_INTERNAL);
    hx_cuda_field field[CELLS_FIELDS];
    memcpy(field, cells_cuda.field, sizeof field);
    field[CELLS_T].sum = -1;
    less = cells_cuda;
    less.field = field;
    CHECK_STATUS(make_list(&cells_spec, &less, LEVELS), HX_ERR_INTERNAL);
}

int main(void)
{
    static const int small[] = {5, 4, 3};
    /* More points of a side, planes further apart, and more sums than 31 bits count. */
    static const int large[][3] = {{40000, 30000, 2}, {HX_MAX_CELLS, 3, 2}, {HX_MAX_CELLS, 6, 1}};
    const char *tries = getenv("PROPERTY_TRIES");
    apart = tries && strtod(tries, NULL) < 1.0 ? 3 : 1;
    for (refused = 1; make(small) != HX_OK; refused += apart) {
        check_about("request %ld", refused);
        CHECK(requests >= refused, "a failure without a refusal: %s", hx_last_error());
    }
    CHECK(refused > 50, "only %ld requests for memory", refused);
    const long all = (refused - 1) / apart;
    refused = 0;
    for (size_t i = 0; i < sizeof large / sizeof *large; ++i) {
        check_about("blocks of %d x %d x %d", large[i][0], large[i][1], large[i][2]);
        CHECK_STATUS(make(large[i]), HX_ERR_LIMIT);
        CHECK(strstr(hx_last_error(), "wide.lua:") != NULL, "no place: %s", hx_last_error());
    }
    try_lists();
    printf("%ld requests refused, %ld failures\n", all, check_failures());
    return check_failures() > 0;
}
