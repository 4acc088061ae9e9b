#include "check/tries.h"

#include "check/blocks.h"
#include "check/grid.h"
#include "check/mesh.h"
#include "check/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All that this MPI has, but the one with which applications move messages themselves. */
static const char *const transports[] = {
    "auto",        "shared", "ipc",     "nccl",      "persistent", "p2p",
    "neighbor",    "rma",    "rma-get", "rma-fence", "rma-pscw",   "mixed",
#ifdef HX_MPI_PARTITIONED
    "partitioned",
#endif
};

enum { TRANSPORTS = sizeof transports / sizeof *transports };

/* What is tried once: a grid in one tile, or others of these extents, by a transport. */
typedef struct attempt {
    const int *extents;
    hx_partition partition; /* of a grid in one tile */
    const char *transport;
    bool own; /* arrays of this program, and messages that are verified; else by dimension where that goes */
    unsigned seed; /* of maps with blocks without an owner */
} attempt;

int hxi_check_extents(const check_run *r)
{
    return r->program->tiles ? r->program->tiles->extents : r->spec->axes;
}

static hx_options options_of(const attempt *t)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = t->transport;
    options.check = t->own;
    options.deadline = 60.0;
    options.cycles = t->own ? 64 : 2;        /* as many as there can be, and few */
    if (strcmp(t->transport, "auto") != 0) { /* which is also for these */
        options.schedule = t->own ? "one-phase" : "by-dimension";
        options.device_messages = t->own ? "mapped" : "copied";
    }
    return options;
}

/*
 * Are maps tried that leave blocks out?  One time of three, to stay fast: by default each transport meets some
 * of the grids so.  Which of two blocks at a fold has a face that lies on another one is told by no rule that
 * this program knows.
 */
static bool may_have_land(const check_run *r, const attempt *t)
{
    bool faces = false;
    for (int f = 0; f < r->spec->fields; ++f) {
        for (int a = 0; a < r->spec->axes; ++a) {
            faces = faces || hxi_check_faces(r, f, a);
        }
    }
    return t->seed % 3 == 0 && !(faces && r->program->fold);
}

static hx_status create(check_run *r, const hx_blocks *blocks, const hx_options *options)
{
    return hx_create_for(r->program->model, r->spec, blocks, r->block[0].shape, options, &r->handle);
}

/* Does all exchanges of a handle that create has made.  Returns true if it has made none, the grid being too
 * thin. */
static bool try_created(check_run *r, hx_status status, bool own)
{
    if (hxi_check_may_refuse(r) && status == HX_ERR_PARTITION) {
        return true;
    }
    hxi_check_must(status);
    hxi_check_try_exchanges(r, own);
    hxi_check_must(hx_destroy(r->handle));
    return false;
}

/* ---- a grid in one tile -------------------------------------------------------------------------------- */

static bool try_map(check_run *r, const attempt *t, bool land);

/* Parts for a map: two along each axis that is cut, three along the first of them. */
static void cut_tile(check_run *r, const attempt *t)
{
    int most = 3;
    r->grid[0] = t->partition;
    for (int a = 0; a < r->spec->axes; ++a) {
        const int cells = t->partition.cells[a];
        r->grid[0].ranks[a] = !r->spec->decomposed[a] ? 1 : most < cells ? most : cells;
        most = r->spec->decomposed[a] ? 2 : most;
    }
}

static bool try_partition(check_run *r, const attempt *t)
{
    if (may_have_land(r, t)) {
        cut_tile(r, t);
        try_map(r, t, true);
    }
    const hx_options options = options_of(t);
    hx_part mine;
    hxi_check_must(hx_decompose(MPI_COMM_WORLD, &t->partition, &mine));
    r->grid[0] = mine.partition;
    hxi_check_make_blocks(r, &mine, 1);
    const hx_blocks blocks = {.comm = MPI_COMM_WORLD, .tiles = 1, .partition = r->grid, .count = 1};
    const bool thin = try_created(r, create(r, &blocks, &options), t->own);
    hxi_check_free_blocks(r);
    return thin;
}

/* ---- a list of points ---------------------------------------------------------------------------------- */

static void try_mesh(check_run *r, const attempt *t)
{
    const hx_options options = options_of(t);
    int cells[HX_MAX_AXES] = {0};
    hxi_check_make_mesh(r, t->extents[0]);
    for (int a = 0; a < r->spec->axes; ++a) {
        cells[a] = a == 0 ? r->mesh.points : t->extents[a];
    }
    const hx_part part = r->program->part(cells);
    hxi_check_make_blocks(r, &part, 1);
    const hx_ids ids = {.points = r->mesh.points, .id = r->mesh.id, .owns = r->mesh.owned};
    hx_index_list *list;
    hxi_check_must(hx_index_list_of_ids(MPI_COMM_WORLD, &ids, &list));
    const hx_listed listed = {.comm = MPI_COMM_WORLD, .list = list};
    try_created(
        r, hx_create_listed_for(r->program->model, r->spec, &listed, r->block[0].shape, &options, &r->handle),
        t->own);
    hx_index_list_free(list);
    hxi_check_free_blocks(r);
    hxi_check_free_mesh(r);
}

/* ---- tiles --------------------------------------------------------------------------------------------- */

/* Tiles of some extents, each cut into so many parts along its axes, as far as it can be. */
static void make_tiles(check_run *r, const int extents[], int parts)
{
    for (int tile = 0; tile < r->spec->tiles; ++tile) {
        r->grid[tile] = (hx_partition){.axes = r->spec->axes, .first_fastest = r->spec->first_fastest};
        for (int a = 0; a < r->spec->axes; ++a) {
            const int fixed = r->spec->cells[a];
            const int cells = fixed > 0 ? fixed : extents[r->program->tiles->extent[tile][a]];
            r->grid[tile].cells[a] = cells;
            r->grid[tile].ranks[a] = !r->spec->decomposed[a] ? 1 : (parts < cells ? parts : cells);
        }
    }
}

/* The blocks of all tiles, dealt to the ranks in turn; a map may leave some out. */
typedef struct dealt {
    int *owner;    /* of all */
    hx_part *part; /* of this rank */
    int parts;
} dealt;

/* Leaves out about a third of the blocks, and never all. */
static bool is_left_out(unsigned seed, int block)
{
    unsigned mixed = (seed + 1) * 2654435761u + (unsigned)block * 2246822519u;
    mixed ^= mixed >> 15;
    mixed *= 2246822519u;
    return (mixed >> 20) % 3 == 0;
}

static dealt deal_blocks(check_run *r, const attempt *t, bool land)
{
    int all = 0;
    for (int tile = 0; tile < r->spec->tiles; ++tile) {
        all += hxi_check_blocks_of(r, tile);
    }
    dealt d = {.owner = hxi_check_allocate((size_t)all, sizeof *d.owner),
               .part = hxi_check_allocate((size_t)all, sizeof *d.part)};
    r->land = hxi_check_allocate((size_t)all, sizeof *r->land);
    const int kept = (int)(t->seed % (unsigned)all);
    all = 0;
    for (int tile = 0; tile < r->spec->tiles; ++tile) {
        for (int block = 0; block < hxi_check_blocks_of(r, tile); ++block, ++all) {
            d.owner[all] = land && all != kept && is_left_out(t->seed, all) ? HX_NO_OWNER : all % r->ranks;
            if (d.owner[all] == HX_NO_OWNER) {
                hxi_check_must(hx_part_of(&r->grid[tile], tile, block, &r->land[r->lands++]));
            } else if (d.owner[all] == r->rank) {
                hxi_check_must(hx_part_of(&r->grid[tile], tile, block, &d.part[d.parts++]));
            }
        }
    }
    return d;
}

static bool try_map(check_run *r, const attempt *t, bool land)
{
    const hx_options options = options_of(t);
    const dealt d = deal_blocks(r, t, land);
    hxi_check_make_blocks(r, d.part, d.parts);
    const hx_blocks blocks = {.comm = MPI_COMM_WORLD,
                              .tiles = r->spec->tiles,
                              .partition = r->grid,
                              .count = d.parts,
                              .owners = d.owner};
    const bool thin = try_created(r, create(r, &blocks, &options), t->own);
    hxi_check_free_blocks(r);
    free(d.owner);
    free(d.part);
    free(r->land);
    r->land = NULL;
    r->lands = 0;
    return thin;
}

/* In whole tiles and in parts, some of them without an owner. */
static bool try_tiles(check_run *r, const attempt *t)
{
    make_tiles(r, t->extents, 1);
    const bool thin = try_map(r, t, false);
    make_tiles(r, t->extents, 2);
    if (may_have_land(r, t)) {
        try_map(r, t, true);
    }
    return try_map(r, t, false) && thin;
}

/* ---- all of them --------------------------------------------------------------------------------------- */

static bool try_once(check_run *r, const attempt *t)
{
    if (r->program->tiles) {
        return try_tiles(r, t);
    }
    if (r->spec->list) {
        try_mesh(r, t);
        return false;
    }
    return try_partition(r, t);
}

static void say(const check_run *r, const attempt *t, const char *outcome)
{
    printf("%s", outcome);
    for (int e = 0; e < hxi_check_extents(r) && r->program->tiles; ++e) {
        printf(" %d", t->extents[e]);
    }
    for (int a = 0; a < r->spec->axes && r->program->partition; ++a) {
        printf(" %s=%d", r->spec->axis[a], t->partition.cells[a]);
    }
    if (r->spec->list) {
        printf(" %d points", t->extents[0]);
    }
    printf(" by %s", t->transport);
    if (!t->own) {
        printf(", arrays of %s_alloc", r->spec->name);
    }
    printf("\n");
}

static void try_transport(check_run *r, const attempt *t, check_tally *tally)
{
    int all = 0;
    r->failures = 0;
    const bool thin = try_once(r, t);
    MPI_Allreduce(&r->failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (r->rank == 0) {
        say(r, t, all > 0 ? "FAIL" : thin ? "thin" : "ok  ");
    }
    tally->failed += all > 0;
    tally->thin += all == 0 && thin;
    tally->passed += all == 0 && !thin;
}

static void try_transports(check_run *r, attempt *t, int turn, check_tally *tally)
{
    for (int number = 0; number < TRANSPORTS; ++number) {
        t->transport = transports[number];
        const bool for_devices = strcmp(t->transport, "ipc") == 0 || strcmp(t->transport, "nccl") == 0;
        if (r->device.calls || !for_devices) {
            t->own = turn++ % 2 != 0;
            t->seed = (unsigned)turn;
            try_transport(r, t, tally);
        }
    }
}

void hxi_check_try_extents(check_run *r, const int extents[], int turn, check_tally *tally)
{
    attempt t = {.extents = extents};
    if (r->program->partition) {
        t.partition = r->program->partition(extents);
    }
    try_transports(r, &t, turn, tally);
}

void hxi_check_try_rows(check_run *r, check_tally *tally)
{
    int cells[HX_MAX_AXES];
    const int cut = hxi_check_long_rows(r, cells);
    if (cut >= 0) {
        attempt t = {.extents = cells, .partition = r->program->partition(cells)};
        for (int a = 0; a < r->spec->axes; ++a) {
            t.partition.ranks[a] = a == cut ? r->ranks : 1;
        }
        try_transports(r, &t, 0, tally);
    }
}
