#include "trial.h"

#include "../exchange/check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Ranks may be threads. */
static _Thread_local int my_rank;
static _Thread_local int all_ranks;

static _Thread_local long straight;

static void *get(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

/* ---- trials -------------------------------------------------------------------------------------------- */

static void exchange_here(hx_handle *handle, const trial_way *way, const points *arrays, int number)
{
    CHECK_STATUS(hx_start(handle, number, arrays->pointers), HX_OK);
    CHECK(!way->carry || way->carry(handle, number, MPI_COMM_WORLD) >= 0, "%s", hx_last_error());
    CHECK_STATUS(hx_finish(handle, number), HX_OK);
}

/* Two rounds: also the second slots and sequences are used. */
static void try_exchange(hx_handle *handle, const trial_way *way, const points *got, const points *wanted,
                         int number)
{
    enum { MOST_SUMMED = 2000 }; /* ids: what sums are to be takes the square of their number */
    const hx_exchange *exchange = &got->spec->exchange[number];
    if (HX_RETURNS(exchange->operation) && got->c->ids > MOST_SUMMED) {
        return;
    }
    points_expect(wanted, number);
    for (int round = 0; round < 2; ++round) {
        points_fill(got, HX_RETURNS(exchange->operation));
        (way->exchange ? way->exchange : exchange_here)(handle, way, got, number);
        points_compare(got, wanted);
    }
}

long trial_straight(void)
{
    return straight;
}

static void count_straight(const char *description)
{
    static const char words[] = "straight into its arrays ";
    for (const char *at = strstr(description, words); at; at = strstr(at + 1, words)) {
        straight += strtol(at + sizeof words - 1, NULL, 10);
    }
}

/* Arrays of hx_alloc in place of the test's. */
static void try_allocated(hx_handle *handle, const trial_way *way, const points *s, const points *wanted)
{
    points inside = *s;
    inside.guard = 0;
    inside.array = get((size_t)s->spec->fields, sizeof *inside.array);
    inside.pointers = get(1, s->spec->fields_size);
    if (CHECK_STATUS(hx_alloc(handle, inside.pointers), HX_OK)) {
        for (int f = 0; f < s->spec->fields; ++f) {
            memcpy(&inside.array[f], inside.pointers + s->spec->field[f].pointer, sizeof inside.array[f]);
        }
        for (int e = 0; e < s->spec->exchanges; ++e) {
            try_exchange(handle, way, &inside, wanted, e);
        }
        count_straight(hx_describe(handle));
        CHECK_STATUS(hx_free(handle, inside.pointers), HX_OK);
    }
    free(inside.array);
    free(inside.pointers);
}

/* Are there two ranks of which one sends to the other?  Alone there is one transport only. */
static bool has_choice(const hx_index_list *list)
{
    int pairs = 0;
    for (int p = 0; p < list->peers; ++p) {
        const hx_peer *peer = &list->peer[p];
        pairs += peer->rank != my_rank && (peer->sends > 0 || peer->receives > 0);
    }
    MPI_Allreduce(MPI_IN_PLACE, &pairs, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return pairs > 0;
}

static void try_way(const points *got, const points *wanted, const hx_index_list *list, const trial_way *way,
                    bool allocated, int check)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = way->transport;
    options.check = check;
    options.device_messages = way->messages ? way->messages : options.device_messages;
    options.tune = way->figures != NULL;
    options.tune_file = way->figures;
    options.deadline = 60.0;
    options.threads = check ? 3 : 1;
    options.team = check_team();
    static const char *const origins[] = {"    measured: ", "    measured before: "};
    static const char too_slow[] = "takes longer than the "; /* this machine, for the time that create has */
    bool slow = false;                                       /* then it kept no figures */
    for (int round = 0; round < (way->figures ? 2 : 1); ++round) {
        hx_handle *handle = NULL;
        if (!CHECK_STATUS(hx_create_listed(got->spec, MPI_COMM_WORLD, list, got->shape, &options, &handle),
                          HX_OK)) {
            return;
        }
        CHECK(!strstr(hx_describe(handle), " of any depth") && !strstr(hx_describe(handle), " literal in "),
              "lists have no kernels of boxes\n%s", hx_describe(handle));
        if (way->figures && has_choice(list)) {
            const char *told = hx_describe(handle);
            const char *origin = origins[slow ? 0 : round];
            slow = strstr(told, too_slow) != NULL;
            CHECK(slow || strstr(told, origin), "nothing is%s\n%s", origin, told);
        }
        for (int e = 0; e < got->spec->exchanges; ++e) {
            try_exchange(handle, way, got, wanted, e);
        }
        if (allocated && !way->exchange) {
            try_allocated(handle, way, got, wanted);
        }
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
}

static void expect_indices(const char *what, int peer, int wanted, const int *wanted_points, int got,
                           const int *got_points)
{
    CHECK(got == wanted && memcmp(got_points, wanted_points, (size_t)wanted * sizeof *wanted_points) == 0,
          "%d points to %s rank %d, not %d, or others", got, what, peer, wanted);
}

/* What libhx finds by the ids is what is found by looking at all ranks; there ranks without points are
 * listed, too. */
static void try_ids(const cloud *c, const hx_index_list *wanted)
{
    const cloud_rank *r = &c->rank[my_rank];
    const hx_ids ids = {.points = r->points, .id = r->id, .owns = r->owned};
    hx_index_list *got = NULL;
    if (!CHECK_STATUS(hx_index_list_of_ids(MPI_COMM_WORLD, &ids, &got), HX_OK)) {
        return;
    }
    int p = 0;
    for (int w = wanted->peers - 1; w >= 0; --w) {
        const hx_peer *peer = &wanted->peer[w];
        if (peer->sends + peer->receives > 0 && p < got->peers && got->peer[p].rank == peer->rank) {
            expect_indices("send", peer->rank, peer->sends, peer->send, got->peer[p].sends,
                           got->peer[p].send);
            expect_indices("receive from", peer->rank, peer->receives, peer->receive, got->peer[p].receives,
                           got->peer[p].receive);
            ++p;
        } else {
            CHECK(peer->sends + peer->receives == 0, "no list for rank %d", peer->rank);
        }
    }
    CHECK(p == got->peers, "%d lists too many", got->peers - p);
    hx_index_list_free(got);
}

/* seed: of the cloud, or another number that decides how its points are tried. */
static void try_cloud(const hx_spec *spec, cloud *c, const char *name, uint64_t seed, const trial_way *way,
                      int ways)
{
    points got;
    points wanted;
    hx_index_list list;
    points_make(&got, spec, c, my_rank, (int)(seed % 3));
    points_make(&wanted, spec, c, my_rank, (int)(seed % 3));
    cloud_list(c, my_rank, &list);
    check_about("%s, %s %d, by ids", spec->name, name, (int)seed);
    try_ids(c, &list);
    for (int w = 0; w < ways; ++w) {
        check_about("%s, %s %d, by %s%s", spec->name, name, (int)seed, way[w].transport,
                    way[w].figures ? " as measured" : "");
        try_way(&got, &wanted, &list, &way[w], w % 2 == 1, seed % 4 == 0);
    }
    cloud_drop(&list);
    points_free(&got);
    points_free(&wanted);
    cloud_free(c);
}

void trial_run(const hx_spec *spec, uint64_t seed, int rank, int ranks, const trial_way *way, int ways)
{
    my_rank = rank;
    all_ranks = ranks;
    cloud c;
    cloud_make(&c, seed, ranks);
    try_cloud(spec, &c, "cloud", seed, way, ways);
}

void trial_comb(const hx_spec *spec, int rank, int ranks, const trial_way *way, int ways)
{
    enum { TEETH = 2051 };
    my_rank = rank;
    all_ranks = ranks;
    cloud c;
    cloud_make_comb(&c, TEETH, ranks);
    try_cloud(spec, &c, "comb", 1, way, ways);
}
