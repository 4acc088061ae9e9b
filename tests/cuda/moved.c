/*
 * Redistribution of fields in the memory of a device: from blocks to whole tiles on other ranks, and back, of all specs of
 * grids.c, and between random pairs of ways to divide their grids, ghost points included; gathers to arrays of the host, and
 * scatters.  What a device makes of arrays is compared, bit for bit, with what the host makes of the same.
 *
 * usage: cuda_moved [SPEC...], on 2 ranks or more
 */
#include "cases.h"
#include "check.h"
#include "connected.h"
#include "divided.h"
#include "shared_grid.h"
#include "shim.h"
#include "twin.h"

#include <fake.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hx_spec *const device_specs[];
extern const int device_count;

static int rank, ranks;
static long runs;
static cudaStream_t streams[2];

static uint64_t dice; /* the same on all ranks */

static int draw(int first, int last)
{
    dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return first + (int)((dice >> 33) % (uint64_t)(last - first + 1));
}

static int by_chance(void *context, int tile, int block)
{
    const uint64_t number =
        (*(const uint64_t *)context + (uint64_t)(64 * tile + block)) * 11400714819323198485u;
    return (int)((number >> 33) % (uint64_t)ranks);
}

/* In turn by one of two streams. */
static void move(divided *from, divided *to, bool halos)
{
    const int salt = (int)(runs++ % 7);
    divided_move(from, to, halos, salt, streams[runs % 2], streams[0]);
}

/* ---- to arrays of the host ----------------------------------------------------------------------------- */

/* What is scattered to both: the host's becomes what is expected. */
static void scatter(divided *e, const wishes *w, int salt)
{
    arrays twin;
    arrays_make(&twin, &e->layout, e->arrays.topology);
    arrays_fill(&twin, salt);
    arrays_fill(&e->arrays, salt);
    mirror_up(&e->mirror, streams[0]);
    CHECK(cudaStreamSynchronize(streams[0]) == 0, "a stream failed");
    CHECK_STATUS(hx_scatter_selected(e->twin, twin.pointers, w->selection, w->count), HX_OK);
    for (int i = 0; i < e->layout.blocks.count * e->layout.spec->fields; ++i) {
        unsigned char *old = e->arrays.expected[i];
        e->arrays.expected[i] = twin.actual[i];
        twin.actual[i] = old;
    }
    if (CHECK_STATUS(hx_scatter_selected(e->handle, e->mirror.pointers, w->selection, w->count), HX_OK)) {
        mirror_down(&e->mirror, streams[0]);
        arrays_check(&e->arrays, "what was scattered");
    }
    arrays_free(&twin);
}

static void gather_and_scatter(divided *e, int number)
{
    wishes here, there;
    wishes_make(e, number, &here);
    wishes_make(e, number, &there);
    arrays_fill(&e->arrays, number % 7);
    mirror_up(&e->mirror, streams[0]);
    CHECK(cudaStreamSynchronize(streams[0]) == 0, "a stream failed");
    CHECK_STATUS(hx_gather_selected(e->twin, e->arrays.pointers, here.selection, here.count), HX_OK);
    if (CHECK_STATUS(hx_gather_selected(e->handle, e->mirror.pointers, there.selection, there.count),
                     HX_OK)) {
        CHECK(memcmp(here.memory, there.memory, (size_t)here.count * here.bytes) == 0,
              "what was gathered differs");
    }
    scatter(e, &here, number % 7 + 1);
    wishes_free(&here);
    wishes_free(&there);
    ++runs;
}

/* Other cuts of the same cells. */
typedef struct drawn {
    hx_partition partition[LAYOUT_TILES];
    int cuts[LAYOUT_TILES][HX_MAX_AXES][4];
    uint64_t seed; /* of the owners */
} drawn;

static void divide_by_chance(const hx_spec *spec, const hx_partition *given, drawn *d)
{
    enum { THICK = 3, MOST = 3 };
    for (int t = 0; t < spec->tiles; ++t) {
        d->partition[t] = given[t];
        for (int a = 0; a < spec->axes; ++a) {
            int *cut = d->cuts[t][a];
            const int cells = given[t].cells[a];
            const int most = !spec->decomposed[a] || cells < 2 * THICK ? 1 : cells < 3 * THICK ? 2 : MOST;
            const int parts = draw(1, most);
            cut[0] = 0;
            for (int i = 1; i <= parts; ++i) {
                cut[i] = i == parts ? cells : draw(cut[i - 1] + THICK, cells - (parts - i) * THICK);
            }
            d->partition[t].ranks[a] = parts;
            d->partition[t].cuts[a] = cut;
        }
    }
    d->seed = (uint64_t)draw(0, 1 << 20);
}

static long pairs; /* of random ways that create takes: some are too thin for the walls of a grid */

static bool any_behind(const hx_spec *spec)
{
    bool any = false;
    for (int f = 0; f < spec->fields; ++f) {
        any = any || spec->field[f].behind;
    }
    return any;
}

/* There and back, with ghost points and without. */
static void try_pair(const plan *p, const hx_partition *partition)
{
    static drawn d[2];
    divided e[2];
    bool made[2] = {false, false};
    for (int i = 0; i < 2; ++i) {
        divide_by_chance(p->spec, partition, &d[i]);
        const division by = {d[i].partition, by_chance, &d[i].seed, draw(0, 2)};
        made[i] = divided_open(p, &by, &e[i]);
    }
    if (made[0] && made[1]) {
        check_about("%s, a random pair, number %d", p->spec->name, p->number);
        move(&e[0], &e[1], !any_behind(p->spec));
        move(&e[1], &e[0], false);
        ++pairs;
    }
    for (int i = 0; i < 2; ++i) {
        if (made[i]) {
            divided_close(&e[i]);
        }
    }
}

/* To whole tiles and back, with plans that are new and kept. */
static void try_partition(const hx_spec *spec, const hx_partition *partition, layout_faces *faces,
                          oracle_topology *topology)
{
    static const char *const ways[] = {"mapped", "copied", "aware"};
    static int number;
    divided e[2];
    hx_partition whole[LAYOUT_TILES];
    const char *messages = ways[number % 3];
    const bool aware = strcmp(messages, "aware") == 0;
    messages = fake_set_host_access(aware) == aware ? messages : "copied";
    const plan p = {spec, faces, topology, messages, number++, false};
    const division blocks = {partition, divided_in_turn, NULL, p.number % 3};
    const division tiles = {whole, divided_backwards, NULL, 2};
    fake_set_order((fake_order)(number % 3), (unsigned)number);
    shim_order_of_threads = (shim_order)(number / 3 % SHIM_ORDERS);
    divided_whole(spec, partition, whole);
    check_about("%s, messages %s, number %d", spec->name, messages, number);
    if (!divided_open(&p, &blocks, &e[0])) {
        CHECK(false, "%s", hx_last_error());
        return;
    }
    if (divided_open(&p, &tiles, &e[1])) { /* a grid whose walls need thicker blocks has none */
        move(&e[0], &e[1], false);
        move(&e[1], &e[0], false);
        move(&e[0], &e[1], false);
        if (number % 4 < 2) {
            gather_and_scatter(&e[0], number);
        }
        divided_close(&e[1]);
    } else {
        CHECK(false, "%s", hx_last_error());
    }
    divided_close(&e[0]);
    if (p.number % 3 == 0) {
        try_pair(&p, partition);
    }
}

/* ---- grids --------------------------------------------------------------------------------------------- */

static void try_connected(const hx_spec *spec, const connected *found)
{
    hx_partition partition[LAYOUT_TILES];
    int fits = 0;
    for (int i = ranks; (fits = found->partitions(spec, i, partition)) >= 0; i += 83) {
        if (fits) {
            try_partition(spec, partition, found->faces, found->topology);
            return;
        }
    }
}

static void try_cartesian(const hx_spec *spec)
{
    cases c;
    hx_partition partition;
    cases_make(&c, spec, 2 * ranks);
    for (size_t i = 0; cases_get(&c, i, 2, &partition); ++i) {
        try_partition(spec, &partition, NULL, oracle_cartesian);
    }
}

static void try_walls(const hx_spec *spec)
{
    hx_partition partition = {.axes = spec->axes, .cells = {4, 5, 6}, .ranks = {1, 1, 1}};
    partition.ranks[2] = ranks;
    partition.cells[2] *= ranks;
    try_partition(spec, &partition, twin_faces, oracle_cartesian);
}

static void try_spec(const hx_spec *spec)
{
    const connected *found = connected_find(spec);
    if (strcmp(spec->name, "walled") == 0) {
        try_walls(spec);
    } else if (strncmp(spec->name, "corners_", 8) == 0 || strncmp(spec->name, "shared_", 7) == 0) {
        for (uint64_t seed = 1; seed <= 2; ++seed) {
            grid g;
            grid_make(&g, spec, seed);
            try_partition(spec, g.partition, twin_faces, oracle_cartesian);
        }
    } else if (found) {
        try_connected(spec, found);
    } else {
        try_cartesian(spec);
    }
}

static bool is_wanted(const hx_spec *spec, char *const *name)
{
    bool wanted = !*name;
    for (; *name; ++name) {
        wanted = wanted || strcmp(*name, spec->name) == 0;
    }
    return wanted;
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    mirror_need_device();
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking) == 0, "no stream");
    }
    for (int i = 0; i < device_count; ++i) {
        if (is_wanted(device_specs[i], argv + 1)) {
            try_spec(device_specs[i]);
        }
    }
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaStreamDestroy(streams[i]) == 0, "a stream failed");
    }
    /* 20 of all grids; builds with sanitizers have half of them. */
    CHECK(argc > 1 || pairs > 5, "only %ld random pairs were tried", pairs);
    char summary[120];
    snprintf(summary, sizeof summary, "redistribution on devices, moved %ld times, %ld random pairs", runs,
             pairs);
    return check_verdict(summary);
}
