/*
 * Device kernels on the grids of ../exchange: Cartesian ones and connected tiles, by the oracle there.  What
 * is more than filling halos (sums, shared points, corners) is compared with what the loops of the host make
 * of the same arrays, to the bit.
 *
 * usage: cuda_grids                        all specs of the program
 *        cuda_grids SPEC OBJECT [NUMBER]   one of them, with the kernels of a shared object, as long as no more
 *                                          than NUMBER exchanges have run; it says how many have, time and again
 *
 * With PROPERTY_TRIES below 1 in the environment a sample of what is drawn, and Cartesian grids on every other number of ranks:
 * other ones in each of the two programs.
 */
#include "arrays.h"
#include "cases.h"
#include "check.h"
#include "connected.h"
#include "odd.h"
#include "ranks.h"
#include "shared_grid.h"
#include "shim.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hx_spec *const device_specs[];
extern const hx_cuda_kernels *const device_kernels[];
extern const hx_spec *const host_specs[]; /* the same with all fields on the host */
extern const int device_count;

enum { RANKS = 4 };

static int rank, ranks;
static long runs, most_runs = LONG_MAX;
static const hx_cuda_kernels *other_kernels; /* than those of the program */
static bool sampled;
#ifdef HX_CUDA_LONGEST_SHORT
enum { TURN = 2 };
#else
enum { TURN = 0 };
#endif

/* No MPI runs here: layouts ask for the rank that is being made, failed checks whether MPI is over. */
int MPI_Comm_rank(MPI_Comm comm, int *number)
{
    (void)comm;
    *number = rank;
    return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int *number)
{
    (void)comm;
    *number = ranks;
    return MPI_SUCCESS;
}

int MPI_Finalized(int *flag)
{
    *flag = 1;
    return MPI_SUCCESS;
}

/* One partition on all ranks. */
typedef struct trial {
    const hx_spec *spec;
    layout layout[RANKS];
    arrays arrays[RANKS];
    arrays others[RANKS]; /* for the host */
    device_rank *machine[RANKS];
    device_rank *host[RANKS];
} trial;

static void exchange_all(device_rank *const *machine, const arrays *list, int number)
{
    for (int r = 0; r < ranks; ++r) {
        device_rank_start(machine[r], number, list[r].pointers);
    }
    for (int r = 0; r < ranks; ++r) {
        device_rank_finish(machine[r], machine, number, list[r].pointers);
    }
    ++runs;
}

static void fill(arrays *list)
{
    for (int r = 0; r < ranks; ++r) {
        arrays_fill(&list[r], (int)(runs % 100));
    }
}

static void try_copy(trial *t, int number)
{
    fill(t->arrays);
    for (int r = 0; r < ranks; ++r) {
        arrays_expect(&t->arrays[r], number);
    }
    for (int time = 0; time < 2; ++time) {
        exchange_all(t->machine, t->arrays, number);
        for (int r = 0; r < ranks; ++r) {
            arrays_check(&t->arrays[r], t->spec->exchange[number].name);
        }
    }
}

static void compare(const trial *t, int number, int r)
{
    const layout *l = &t->layout[r];
    for (int b = 0; b < l->blocks.count; ++b) {
        for (int f = 0; f < t->spec->fields; ++f) {
            const size_t i = (size_t)(b * t->spec->fields + f);
            const size_t bytes = layout_elements(l, b, f) * (size_t)t->spec->field[f].size;
            const void *ours = t->arrays[r].actual[i];
            CHECK(memcmp(ours, t->others[r].actual[i], bytes) == 0,
                  "%s: field %s of block %d of rank %d is not what the host makes of it",
                  t->spec->exchange[number].name, t->spec->field[f].name, b, r);
        }
    }
}

/* Among the numbers of floating types zeros with both signs, and several that are no number (NaN). */
static void fill_odd(const trial *t, const arrays *list, int r)
{
    const layout *l = &t->layout[r];
    for (int i = 0; i < l->blocks.count * t->spec->fields; ++i) {
        const hx_field *f = &t->spec->field[i % t->spec->fields];
        const bool wide = strcmp(f->type, "double") == 0;
        const bool half = strcmp(f->type, "hx_half") == 0;
        if (f->components > 0 || (!wide && !half && strcmp(f->type, "float") != 0)) {
            continue;
        }
        const uint64_t none = wide ? UINT64_C(0x7ff8) << 48 : half ? 0x7e00 : 0x7fc00000;
        const uint64_t sign = UINT64_C(1) << (8 * f->size - 1);
        const size_t elements = layout_elements(l, i / t->spec->fields, i % t->spec->fields);
        for (size_t k = 0; k < elements; ++k) {
            const uint64_t odd[] = {0, sign, none | (k % 99), sign | none | (k % 99)};
            if ((k * 7 + (size_t)i) % 5 < 4) { /* the first bytes of a word are its low ones */
                memcpy((unsigned char *)list[r].actual[i] + k * (size_t)f->size, &odd[(k * 5 / 3) % 4],
                       (size_t)f->size);
            }
        }
    }
}

static void try_as_host(trial *t, int number)
{
    const hx_operation operation = t->spec->exchange[number].operation;
    fill(t->arrays);
    fill(t->others);
    for (int r = 0; r < ranks; ++r) {
        odd_fill(&t->arrays[r], number);
        odd_fill(&t->others[r], number);
    }
    for (int r = 0; r < ranks && runs / 2 % 3 != 0 && (operation == HX_MIN || operation == HX_MAX); ++r) {
        fill_odd(t, t->arrays, r);
        fill_odd(t, t->others, r);
    }
    exchange_all(t->machine, t->arrays, number);
    exchange_all(t->host, t->others, number);
    for (int r = 0; r < ranks; ++r) {
        compare(t, number, r);
    }
}

static void try_corners(trial *t, int number)
{
    for (int way = 0; way < t->spec->exchange[number].corner_fills; ++way) {
        fill(t->arrays);
        fill(t->others);
        for (int r = 0; r < ranks; ++r) {
            device_rank_corners(t->machine[r], number, way, t->arrays[r].pointers);
            device_rank_corners(t->host[r], number, way, t->others[r].pointers);
            compare(t, number, r);
        }
        ++runs;
    }
}

static int in_turn(void *context, int tile, int block)
{
    (void)context;
    return (tile + block) % ranks;
}

/* Both faces, as the tables have it: who compares with the host needs no other word on where fields lie. */
static int as_told(const hx_spec *spec, int field, int axis)
{
    return spec->positions[spec->field[field].positions].extra[axis];
}

static void try_partition(int number, const hx_partition *partition, layout_faces *faces,
                          oracle_topology *topology, int padding)
{
    static trial t;
    if (other_kernels) {
        if (check_failures() > 0 || runs > most_runs) {
            return; /* that was the question */
        }
        printf("after %ld exchanges\n", runs);
        fflush(stdout); /* what comes now may be the end */
    }
    t = (trial){.spec = device_specs[number]};
    bool made = true;
    shim_order_of_threads = (shim_order)(runs % SHIM_ORDERS);
    for (rank = 0; rank < ranks; ++rank) {
        layout *l = &t.layout[rank];
        layout_make(l, &(layout_request){t.spec, MPI_COMM_NULL, partition, in_turn, NULL, faces, padding});
        arrays_make(&t.arrays[rank], l, topology);
        arrays_make(&t.others[rank], l, topology);
        char about[300];
        cases_print(partition, about, sizeof about);
        check_about("%s, %d ranks, %s, padding %d, order %d", t.spec->name, ranks, about, padding,
                    (int)shim_order_of_threads);
        const hx_cuda_kernels *k = other_kernels ? other_kernels : device_kernels[number];
        hx_status status = device_rank_make(&(device_place){t.spec, k, rank, ranks}, &l->blocks, l->shapes,
                                            &t.machine[rank]);
        made = CHECK_STATUS(status, HX_OK) && made;
        status = device_rank_make(&(device_place){host_specs[number], NULL, rank, ranks}, &l->blocks,
                                  l->shapes, &t.host[rank]);
        made = CHECK_STATUS(status, HX_OK) && made;
    }
    for (int x = 0; made && x < t.spec->exchanges; ++x) {
        if (t.spec->exchange[x].operation != HX_COPY || faces == as_told ||
            odd_exchange(&t.spec->exchange[x])) {
            try_as_host(&t, x);
            try_corners(&t, x);
        } else {
            try_copy(&t, x);
        }
    }
    for (int r = 0; r < ranks; ++r) {
        device_rank_free(t.machine[r]);
        device_rank_free(t.host[r]);
        arrays_free(&t.arrays[r]);
        arrays_free(&t.others[r]);
        layout_free(&t.layout[r]);
    }
}

/* Grids of the tests of shared points and of corners.  One in five has all numbers of ranks, and all paddings. */
static void try_drawn(int number)
{
    const uint64_t apart = sampled ? 5 : 1;
    for (uint64_t seed = 1 + (uint64_t)(number + TURN) % apart; seed <= 24; seed += apart) {
        grid g;
        ranks = 1 + (int)seed % RANKS;
        grid_make(&g, device_specs[number], seed);
        try_partition(number, g.partition, as_told, oracle_cartesian, (int)(seed % 3));
    }
}

/* Tiles that are connected: every so many of their partitions. */
static void try_connected(int number, const connected *found)
{
    const int fewest = sampled ? 2 : 4;
    const int most_apart = sampled ? 83 : 41;
    hx_partition partition[LAYOUT_TILES];
    int fits = 0;
    const long before = runs;
    int count = 0;
    while (found->partitions(device_specs[number], count, partition) >= 0) {
        ++count;
    }
    const int apart = count / fewest < most_apart ? count / fewest + 1 : most_apart;
    for (int i = number % apart; (fits = found->partitions(device_specs[number], i, partition)) >= 0;
         i += apart) {
        ranks = 1 + i % RANKS;
        if (fits) {
            try_partition(number, partition, found->faces, found->topology, i % 3);
        }
    }
    CHECK(runs > before, "%s: nothing was tried", device_specs[number]->name);
}

/* Rows of many lengths, of which some take several warps: on one rank, and cut in two along each axis. */
static void try_rows(int number)
{
    static const int lengths[] = {1, 31, 70, 257, 520, 1100};
    const hx_spec *spec = device_specs[number];
    for (int i = 0; i < (int)(sizeof lengths / sizeof *lengths); ++i) {
        for (int cut = -1; cut < spec->axes; ++cut) {
            hx_partition partition = {.axes = spec->axes};
            ranks = 1;
            for (int a = 0; a < spec->axes; ++a) {
                const int cells = a == spec->field[0].order[0] ? lengths[i] : 1;
                partition.ranks[a] = a == cut && spec->decomposed[a] && !spec->cells[a] ? 2 : 1;
                partition.cells[a] = spec->cells[a] > 0 ? spec->cells[a] : cells * partition.ranks[a] + i % 2;
                ranks *= partition.ranks[a];
            }
            try_partition(number, &partition, NULL, oracle_cartesian, i % 3);
        }
    }
}

/* More arrays than one launch takes. */
static void try_blocks(int number)
{
    const hx_spec *spec = device_specs[number];
    const hx_partition partition = {.axes = spec->axes, .cells = {13, 12, 1}, .ranks = {10, 10, 1}};
    ranks = 1;
    if (strcmp(spec->name, "wide") == 0) {
        try_partition(number, &partition, NULL, oracle_cartesian, 0);
    }
}

/* Rows come first: most of what can be wrong is wrong in them, and the test of mutants ends there. */
static void try_cartesian(int number)
{
    hx_partition partition;
    try_rows(number);
    try_blocks(number);
    /* Bugs may show on any number. */
    const bool few = sampled && !other_kernels;
    for (ranks = few ? 1 + TURN / 2 : 1; ranks <= RANKS; ranks += few ? 2 : 1) {
        cases c;
        cases_make(&c, device_specs[number], ranks);
        for (size_t i = 0; cases_get(&c, i, sampled ? 2 : 6, &partition); ++i) {
            try_partition(number, &partition, NULL, oracle_cartesian, (int)(i + (size_t)ranks) % 3);
        }
    }
}

/* Where rows count as long from 16 bytes on, these specs reach no line or branch that they do not reach in the
 * other program, whose rows are of all lengths. */
static bool is_seen_elsewhere(const char *name)
{
#ifdef HX_CUDA_LONGEST_SHORT
    static const char *const names[] = {"wide", "alike", "halves", "quarter_turn_deep", "shorter"};
    for (int i = 0; i < (int)(sizeof names / sizeof *names); ++i) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
#endif
    (void)name;
    return false;
}

/* Those of a shared object, NULL: it has none. */
static const hx_cuda_kernels *kernels_of(const char *spec, const char *object)
{
    char name[100];
    snprintf(name, sizeof name, "%s_cuda", spec);
    void *library = dlopen(object, RTLD_NOW);
    return library ? dlsym(library, name) : NULL;
}

int main(int argc, char **argv)
{
    const char *only = argc >= 3 ? argv[1] : NULL;
    other_kernels = only ? kernels_of(only, argv[2]) : NULL;
    most_runs = argc == 4 ? strtol(argv[3], NULL, 10) : LONG_MAX;
    if (only && !other_kernels) {
        fprintf(stderr, "%s: no kernels of %s: %s\n", argv[2], only, dlerror());
        return 2;
    }
    const char *tries = getenv("PROPERTY_TRIES");
    sampled = tries && strtod(tries, NULL) < 1.0;
    int tried = 0;
    for (int i = 0; i < device_count; ++i) {
        if (only && strcmp(only, device_specs[i]->name) != 0) {
            continue;
        }
        const connected *found = connected_find(device_specs[i]);
        const char *name = device_specs[i]->name;
        if (strcmp(name, "walled") == 0 || is_seen_elsewhere(name)) {
            continue; /* walled has hooks: see exchange.c */
        }
        ++tried;
        if (strncmp(name, "corners_", 8) == 0 || strncmp(name, "shared_", 7) == 0) {
            try_drawn(i);
        } else if (found) {
            try_connected(i, found);
        } else {
            try_cartesian(i);
        }
    }
    printf("%d specs, %ld exchanges, %ld failures\n", tried, runs, check_failures());
    return check_failures() > 0;
}
