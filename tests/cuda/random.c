/*
 * Random specs in the memory of a device: every allocated element after every exchange, compared with what
 * the oracle of ../random says, for several partitions, numbers of ranks and orders of threads.
 */
#include "check.h"
#include "ranks.h"
#include "session.h"
#include "shim.h"

#include <stdio.h>

extern const hx_spec *const device_specs[];
extern const hx_cuda_kernels *const device_kernels[];

enum { RANKS = 6 };

/* Sentences of failed checks ask for a rank only while MPI runs. */
int MPI_Finalized(int *flag)
{
    *flag = 1;
    return MPI_SUCCESS;
}

/* What the functions below, which stand for the emitted ones, are about. */
static struct {
    int spec;
    int rank, ranks;
} now;

static hx_status make(const hx_blocks *blocks, const void *shapes, const hx_options *options, void **handle)
{
    (void)options;
    device_rank *rank = NULL;
    const hx_status status = device_rank_make(
        &(device_place){device_specs[now.spec], device_kernels[now.spec], now.rank, now.ranks}, blocks,
        shapes, &rank);
    *handle = rank;
    return status;
}

static hx_status end(void *handle)
{
    device_rank_free(handle);
    return HX_OK;
}

static hx_status set_hook(void *handle, hx_wall_fn *write, void *context)
{
    device_rank_set_hook(handle, write, context);
    return HX_OK;
}

static long runs;
static long refusals;

static void exchange_all(const session s[], int ranks, int number, const char *when)
{
    device_rank *all[RANKS];
    for (int r = 0; r < ranks; ++r) {
        all[r] = s[r].handle;
        device_rank_start(all[r], number, s[r].pointers);
    }
    for (int r = 0; r < ranks; ++r) {
        device_rank_finish(all[r], all, number, s[r].pointers);
    }
    for (int r = 0; r < ranks; ++r) {
        session_check(&s[r], when);
    }
    ++runs;
}

/* An exchange, and once more: what copies changes nothing then, what adds finds zeros unless it keeps. */
static void try_exchange(session s[], int ranks, int number)
{
    const random_exchange *x = &s[0].world->spec->exchange[number];
    /* The mean of rounded means may be another; the sum of sums is. */
    const bool combines = x->agree == AGREE_MEAN || x->agree == AGREE_SUM;
    for (int r = 0; r < ranks; ++r) {
        arrays_fill(s[r].arrays, (unsigned)runs, x->add || combines);
        oracle_expect(s[r].arrays, number);
    }
    exchange_all(s, ranks, number, x->name);
    if (!combines && !x->keeps) {
        exchange_all(s, ranks, number, "again");
    }
}

/* Makes a rank of it; false if that is refused, which it may be on some ranks only. */
static bool make_rank(session *s, const session_plan *plan, arrays *all, bool accepts)
{
    const hx_status status = session_make(s, plan, all);
    if (accepts) {
        return CHECK_STATUS(status, HX_OK);
    }
    CHECK(status == HX_OK || status == HX_ERR_PARTITION, "%s", hx_last_error());
    return status == HX_OK;
}

static void try_world(const random_spec *spec, int way, int ranks)
{
    static world w[RANKS];
    static arrays all[RANKS];
    static session s[RANKS];
    bool made = true;
    bool accepts = true;
    for (int r = 0; r < ranks; ++r) {
        now.rank = r;
        now.ranks = ranks;
        world_make(&w[r], spec, way, r, ranks);
        check_about("seed %lld, spec %d, %d ranks, %s, order %d", spec->seed, spec->number, ranks, w[r].about,
                    (int)shim_order_of_threads);
        const session_plan plan = {
            &w[r], MPI_COMM_NULL, session_options(0), way % 2 == 0 ? 0 : 3, 0, false, NULL, 0};
        made = arrays_make(&all[r], &w[r], plan.padding, (unsigned)way) && made;
        char why[200] = "";
        accepts = oracle_accepts(&w[r], why, sizeof why) != 0;
        made = make_rank(&s[r], &plan, &all[r], accepts) && made;
    }
    CHECK(accepts || !made, "a partition too thin for its walls is accepted");
    refusals += !accepts;
    for (int x = 0; made && x < spec->exchanges; ++x) {
        try_exchange(s, ranks, x);
    }
    for (int r = 0; r < ranks; ++r) {
        session_free(&s[r]);
        arrays_free(&all[r]);
    }
}

int main(void)
{
    for (int i = 0; i < random_specs_count; ++i) {
        random_spec spec = *random_specs[i];
        spec.make = make;
        spec.end = end;
        spec.hook = spec.hook ? set_hook : NULL;
        now.spec = i;
        for (int way = 0; way < 10; ++way) {
            shim_order_of_threads = (shim_order)((i + way) % SHIM_ORDERS);
            try_world(&spec, way, 1 + (i + way) % RANKS);
        }
    }
    printf("%d random specs, %ld exchanges, %ld partitions refused, %ld failures\n", random_specs_count, runs,
           refusals, check_failures());
    return check_failures() > 0;
}
