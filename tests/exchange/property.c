/*
 * The property: after an exchange every allocated point holds what the topology says, for every spec of the
 * program, every transport, and a host of partitions.  See README.md for what each loop covers.
 */
#include "cases.h"
#include "check.h"
#include "specs.h"
#include "trial.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Partitions given down to the cut, one block a rank. */
static void given_partitions(const hx_spec *spec, int ranks, size_t tries)
{
    cases c;
    hx_partition partition;
    cases_make(&c, spec, ranks);
    for (size_t i = 0; cases_get(&c, i, tries, &partition); ++i) {
        layout l;
        layout_make(&l, &(layout_request){spec, MPI_COMM_WORLD, &partition, NULL, NULL, NULL, (int)(i % 3)});
        trial_run(&l, oracle_cartesian);
        layout_free(&l);
    }
}

/*
 * Owners of blocks, by the context: in turn, all on the last rank, scattered with some ranks empty-handed, or
 * in turn with two blocks of five that have none.
 */
typedef struct owners {
    int ranks;
    int style;
} owners;

static int owner_of(void *context, int tile, int block)
{
    const owners *o = context;
    const int number = tile * 7 + block;
    switch (o->style) {
    case 0:
        return number % o->ranks;
    case 1:
        return o->ranks - 1;
    case 2:
        return number * number % o->ranks;
    default:
        return number % 5 == 1 || number % 5 == 4 ? HX_NO_OWNER : number % o->ranks;
    }
}

/* Any number of blocks on each rank. */
static void many_blocks(const hx_spec *spec, int ranks, size_t tries)
{
    enum { MOST_PARTS = 12 };
    static const int parts[] = {1, 2, 4, 6, 9, MOST_PARTS};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; ++p) {
        cases c;
        hx_partition partition;
        cases_make(&c, spec, parts[p]);
        for (size_t i = 0; cases_get(&c, i, tries, &partition); ++i) {
            layout l;
            owners o = {ranks, (int)(i % 4)};
            layout_make(
                &l, &(layout_request){spec, MPI_COMM_WORLD, &partition, owner_of, &o, NULL, (int)(i % 2)});
            int table[MOST_PARTS];
            if (i % 8 < 4) { /* the same, said by a table */
                for (int b = 0; b < parts[p]; ++b) {
                    table[b] = owner_of(&o, 0, b);
                }
                l.blocks.owner = NULL;
                l.blocks.owners = table;
            }
            trial_run(&l, oracle_cartesian);
            layout_free(&l);
        }
    }
}

/*
 * One or two blocks along each axis: where it is periodic a block has the same neighbor on several sides, or
 * itself.
 */
static void few_blocks(const hx_spec *spec, int ranks)
{
    for (unsigned two = 0; spec->axes <= 2 && two < 1u << spec->axes; ++two) {
        hx_partition partition = {.axes = spec->axes};
        for (int a = 0; a < spec->axes; ++a) {
            const bool split = (two >> a & 1u) != 0 && spec->decomposed[a];
            partition.cells[a] = spec->cells[a] > 0 ? spec->cells[a] : split ? 9 : 5;
            partition.ranks[a] = split ? 2 : 1;
            partition.periodic[a] = spec->periodic[a];
        }
        owners o = {ranks, (int)(two % 2)};
        layout l;
        layout_make(&l,
                    &(layout_request){spec, MPI_COMM_WORLD, &partition, owner_of, &o, NULL, (int)(two % 3)});
        trial_run(&l, oracle_cartesian);
        layout_free(&l);
    }
}

/* That the parts of all ranks lie side by side, cover the tile and are numbered as promised. */
static void check_decomposition(const hx_part *mine, int rank, int ranks)
{
    const hx_partition *p = &mine->partition;
    long long cells = 1;
    long long all = 1;
    int number = 0;
    int parts = 1;
    for (int a = 0; a < p->axes; ++a) {
        const int next = p->first_fastest ? p->axes - 1 - a : a;
        number = number * p->ranks[next] + mine->index[next];
        parts *= p->ranks[a];
        cells *= mine->n[a];
        all *= p->cells[a];
        CHECK(mine->n[a] >= 1, "a part has %d cells along axis %d", mine->n[a], a);
    }
    CHECK(parts == ranks && number == rank, "part %d of %d on rank %d of %d", number, parts, rank, ranks);
    MPI_Allreduce(MPI_IN_PLACE, &cells, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(cells == all, "the parts have %lld cells, the tile %lld", cells, all);

    hx_part *part = calloc((size_t)ranks, sizeof *part);
    if (part == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return;
    }
    MPI_Allgather(mine, (int)sizeof *mine, MPI_BYTE, part, (int)sizeof *part, MPI_BYTE, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; ++r) {
        for (int a = 0; a < p->axes; ++a) {
            const int step = part[r].index[a] - mine->index[a];
            CHECK(part[r].partition.ranks[a] == p->ranks[a], "ranks %d and %d chose differently", rank, r);
            CHECK(step != 0 || part[r].first[a] == mine->first[a],
                  "parts of one row begin at different cells");
            CHECK(step != 1 || part[r].first[a] == mine->first[a] + mine->n[a], "a gap between neighbors");
        }
    }
    free(part);
}

/* Of more than 8 ranks: the least multiple of the cells that they can share. */
static hx_status decompose(const hx_spec *spec, const hx_partition *request, int ranks, hx_part *mine)
{
    hx_partition larger = *request;
    hx_status status = hx_decompose(MPI_COMM_WORLD, &larger, mine);
    for (int times = 2; status == HX_ERR_PARTITION && ranks > 8 && times <= ranks; ++times) {
        for (int a = 0; a < larger.axes; ++a) {
            larger.cells[a] = request->cells[a] * (spec->decomposed[a] && spec->cells[a] == 0 ? times : 1);
        }
        status = hx_decompose(MPI_COMM_WORLD, &larger, mine);
    }
    return status;
}

/* Has each rank a cell, where the spec fixes the cells of all axes that are cut? */
static bool can_share(const hx_spec *spec, int ranks)
{
    long cells = 1;
    bool fixed = true;
    for (int a = 0; a < spec->axes; ++a) {
        cells *= spec->decomposed[a] ? spec->cells[a] : 1;
        fixed = fixed && (!spec->decomposed[a] || spec->cells[a] > 0);
    }
    return !fixed || cells >= ranks;
}

/* Partitions that hx_decompose chooses. */
static void chosen_partitions(const hx_spec *spec, int rank, int ranks)
{
    static const int cells[][HX_MAX_AXES] = {{8, 8, 8, 8}, {17, 9, 3, 8}, {1, 11, 8, 2}, {30, 1, 2, 9}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i) {
        hx_partition request = {.axes = spec->axes, .first_fastest = spec->first_fastest};
        for (int a = 0; a < spec->axes; ++a) {
            request.cells[a] = spec->cells[a] > 0 ? spec->cells[a] : cells[i][a];
            request.ranks[a] = spec->decomposed[a] ? 0 : 1;
            request.periodic[a] = spec->periodic[a];
            request.face_bytes[a] = 8.0 * (a + 1);
        }
        hx_part mine;
        check_about("%s, partition %zu chosen for %d ranks", spec->name, i, ranks);
        const hx_status status = decompose(spec, &request, ranks, &mine);
        if (!can_share(spec, ranks)) {
            CHECK_STATUS(status, HX_ERR_PARTITION);
            continue;
        }
        if (status == HX_ERR_PARTITION && i > 1) {
            continue; /* so few cells that the ranks may not come out */
        }
        if (CHECK_STATUS(status, HX_OK)) {
            layout l;
            check_decomposition(&mine, rank, ranks);
            layout_make_single(&l, spec, MPI_COMM_WORLD, &mine, 0);
            trial_run(&l, oracle_cartesian);
            layout_free(&l);
        }
    }
}

/*
 * Strides that caches like: rows of the first field would have 512 bytes, and are padded.  Of many ranks a few have a
 * block: numbers of small types could not tell so many points apart.
 */
static void best_shapes(const hx_spec *spec, int ranks)
{
    const int most = ranks < 8 ? ranks : 8;
    const hx_field *f = &spec->field[0];
    hx_partition partition = {.axes = spec->axes};
    for (int k = 0; k < spec->axes; ++k) {
        const int a = f->order[k];
        const int cells = k == 0 ? 512 / f->size - f->halo_lo[a] - f->halo_hi[a] : 3;
        const int parts = k > 0 && k == spec->axes - 1 && spec->decomposed[a] && !spec->cells[a] ? most : 1;
        partition.cells[a] = spec->cells[a] > 0 ? spec->cells[a] : cells * parts;
        partition.ranks[a] = parts;
    }
    layout l;
    owners o = {ranks, 0};
    layout_make(&l, &(layout_request){spec, MPI_COMM_WORLD, &partition, owner_of, &o, NULL, LAYOUT_BEST});
    trial_run(&l, oracle_cartesian);
    layout_free(&l);
}

/*
 * How many of the given partitions are tried: all of them take too long, and the more ranks, the longer each.
 */
static size_t tries_of(const hx_spec *spec, int ranks)
{
    static const size_t tries[HX_MAX_AXES] = {400, 160, 40, 10};
    const char *times = getenv("PROPERTY_TRIES");
    const size_t most = 1 + (size_t)((double)tries[spec->axes - 1] * (times ? strtod(times, NULL) : 1.0));
    return ranks == 1 ? 2 * most : ranks <= 4 ? most : 1 + most / 3;
}

int main(int argc, char **argv)
{
    int rank = 0;
    int ranks = 0;
    check_init(&argc, &argv, MPI_THREAD_FUNNELED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < specs_count; ++i) {
        const size_t tries = tries_of(specs[i], ranks);
        given_partitions(specs[i], ranks, tries);
        many_blocks(specs[i], ranks, 1 + tries / 8);
        few_blocks(specs[i], ranks);
        chosen_partitions(specs[i], rank, ranks);
        best_shapes(specs[i], ranks);
    }
    char summary[120];
    snprintf(summary, sizeof summary, "%d specs, %ld runs, %ld by dimension, on %d ranks", specs_count,
             trial_count(), trial_count_by_dimension(), ranks);
    return check_verdict(summary);
}
