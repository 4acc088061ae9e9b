/*
 * Device kernels for lists of points, on clouds of ../lists and by the oracle there: small ones and large
 * ones, whose runs are of any length, in arrays that begin at multiples of 16 bytes or elsewhere.  Every byte
 * of every array is compared, and of messages those between segments.
 *
 * usage: cuda_lists                   all specs of the program
 *        cuda_lists SPEC OBJECT       one of them, with the kernels of a shared object
 */
#include "check.h"
#include "points.h"
#include "ranks.h"
#include "shim.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

extern const hx_spec *const device_specs[];
extern const hx_cuda_kernels *const device_kernels[];
extern const int device_count;

enum { RANKS = 4, CLOUDS = 36, SMALL = 60, LARGE = 700 };

static long runs;

/* Sentences of failed checks ask for a rank only while MPI runs. */
int MPI_Finalized(int *flag)
{
    *flag = 1;
    return MPI_SUCCESS;
}

/* One cloud on all ranks. */
typedef struct trial {
    const hx_spec *spec;
    int ranks;
    cloud cloud;
    points got[RANKS];
    points wanted[RANKS];
    device_rank *rank[RANKS];
} trial;

static void try_exchange(trial *t, int number)
{
    const bool returns = HX_RETURNS(t->spec->exchange[number].operation);
    for (int r = 0; r < t->ranks; ++r) {
        points_fill(&t->got[r], returns);
        points_expect(&t->wanted[r], number);
    }
    for (int time = 0; time < (returns ? 1 : 2); ++time) {
        for (int r = 0; r < t->ranks; ++r) {
            device_rank_start(t->rank[r], number, t->got[r].pointers);
        }
        for (int r = 0; r < t->ranks; ++r) {
            device_rank_finish(t->rank[r], t->rank, number, t->got[r].pointers);
            points_compare(&t->got[r], &t->wanted[r]);
        }
        ++runs;
    }
}

static bool make_rank(trial *t, const hx_cuda_kernels *kernels, int rank, int padding)
{
    hx_index_list list;
    points_make(&t->got[rank], t->spec, &t->cloud, rank, padding);
    points_make(&t->wanted[rank], t->spec, &t->cloud, rank, padding);
    cloud_list(&t->cloud, rank, &list);
    const hx_status status = device_rank_make_listed(&(device_place){t->spec, kernels, rank, t->ranks}, &list,
                                                     t->got[rank].shape, &t->rank[rank]);
    cloud_drop(&list);
    return CHECK_STATUS(status, HX_OK);
}

static void try_cloud(const hx_spec *spec, const hx_cuda_kernels *kernels, int seed)
{
    trial t = {.spec = spec, .ranks = 1 + seed % RANKS};
    bool made = true;
    shim_order_of_threads = (shim_order)(seed / RANKS % SHIM_ORDERS);
    check_about("%s, cloud %d, %d ranks, order %d", spec->name, seed, t.ranks, (int)shim_order_of_threads);
    cloud_make_large(&t.cloud, (uint64_t)seed, t.ranks, seed % 3 == 0 ? LARGE : SMALL);
    for (int r = 0; r < t.ranks; ++r) {
        made = make_rank(&t, kernels, r, seed / 2 % 3) && made;
    }
    for (int x = 0; made && x < spec->exchanges; ++x) {
        try_exchange(&t, x);
    }
    for (int r = 0; r < t.ranks; ++r) {
        device_rank_free(t.rank[r]);
        points_free(&t.got[r]);
        points_free(&t.wanted[r]);
    }
    cloud_free(&t.cloud);
}

/* Those of a shared object, NULL: it has none. */
static const hx_cuda_kernels *kernels_of(const char *spec, const char *object)
{
    char name[100];
    snprintf(name, sizeof name, "%s_cuda", spec);
    void *library = dlopen(object, RTLD_NOW);
    return library ? dlsym(library, name) : NULL;
}

/* A spec with fields of the host is for lists_exchange.c. */
static bool is_all_there(const hx_spec *spec)
{
    bool there = true;
    for (int f = 0; f < spec->fields; ++f) {
        there = there && spec->field[f].on_device;
    }
    return there;
}

int main(int argc, char **argv)
{
    const char *only = argc == 3 ? argv[1] : NULL;
    const hx_cuda_kernels *others = only ? kernels_of(only, argv[2]) : NULL;
    if (only && !others) {
        fprintf(stderr, "%s: no kernels of %s: %s\n", argv[2], only, dlerror());
        return 2;
    }
    for (int i = 0; i < device_count; ++i) {
        if ((only && strcmp(only, device_specs[i]->name) != 0) || !is_all_there(device_specs[i])) {
            continue;
        }
        for (int seed = 0; seed < CLOUDS && !(only && check_failures() > 0); ++seed) {
            try_cloud(device_specs[i], others ? others : device_kernels[i], seed);
        }
    }
    printf("%d specs, %ld exchanges, %ld failures\n", only ? 1 : device_count, runs, check_failures());
    return check_failures() > 0;
}
