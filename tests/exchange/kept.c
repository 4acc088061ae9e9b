/*
 * The checkpoints of specs/checkpoint beside a block without an owner: six blocks of two cells by two, of which
 * number 3, the upper one in the middle, is land.  Block 2 below it then writes its corners in two boxes.
 */
#include "../../specs/checkpoint/store.h"
#include "check.h"
#include "isle.h"

#include <stdbool.h>
#include <stdio.h>

enum { BLOCKS = 6, LAND = 3 };

typedef struct world {
    hx_partition partition;
    hx_blocks blocks;
    int owner[BLOCKS];
    isle_shape shape[BLOCKS];
} world;

static void make_blocks(world *w, int rank, int ranks)
{
    w->partition = isle_partition(6, 4);
    w->partition.ranks[ISLE_AXIS_X] = 3;
    w->partition.ranks[ISLE_AXIS_Y] = 2;
    w->blocks = (hx_blocks){.comm = MPI_COMM_WORLD, .tiles = 1, .partition = &w->partition};
    w->blocks.owners = w->owner;
    for (int b = 0; b < BLOCKS; ++b) {
        w->owner[b] = b == LAND ? HX_NO_OWNER : b % ranks;
        if (w->owner[b] == rank) {
            hx_part part;
            CHECK_STATUS(hx_part_of(&w->partition, 0, b, &part), HX_OK);
            w->shape[w->blocks.count++] = isle_shape_dense(&part);
        }
    }
}

/* What a point of a field should hold: its indices in the grid say it. */
static void visit_point(double *point, double value, bool compare)
{
    if (compare) {
        CHECK(*point == value, "a point holds %g; expected %g", *point, value);
    } else {
        *point = value;
    }
}

/* Every point that a block has, those that it shares included. */
static void visit(const world *w, const isle_fields fields[], bool compare)
{
    for (int b = 0; b < w->blocks.count; ++b) {
        const isle_shape *s = &w->shape[b];
        for (int i = 0; i < 9; ++i) {
            const int x = i / 3, y = i % 3;
            const double value = 10 * (s->part.first[0] + x) + s->part.first[1] + y;
            if (x < 2 && y < 2) {
                visit_point(&fields[b].t[isle_t_at(s, x, y)], value, compare);
            }
            if (y < 2) {
                visit_point(&fields[b].v[isle_v_at(s, x, y)], 100 + value, compare);
            }
            visit_point(&fields[b].w[isle_w_at(s, x, y)], 200 + value, compare);
        }
    }
}

static void write_and_read(const world *w, isle *halo, store_move *write, store_move *read, const char *path)
{
    isle_fields written[BLOCKS], back[BLOCKS];
    CHECK_STATUS(isle_alloc(halo, written), HX_OK);
    CHECK_STATUS(isle_alloc(halo, back), HX_OK);
    visit(w, written, false);
    store s = {MPI_COMM_WORLD, (hx_handle *)halo, w->blocks.count, (void **)written};
    write(&s, path);
    s.fields = (void **)back;
    read(&s, path);
    visit(w, back, true);
}

/* kept DIRECTORY */
int main(int argc, char **argv)
{
    world w = {.owner = {0}};
    int rank, ranks;
    char path[4096] = "";
    isle *halo;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(path, sizeof path, "%s/kept.%d", argc > 1 ? argv[1] : ".", ranks);
    make_blocks(&w, rank, ranks);
    CHECK_STATUS(isle_create_blocks(&w.blocks, w.shape, NULL, &halo), HX_OK);
    check_about("MPI-IO");
    write_and_read(&w, halo, mpi_io_write, mpi_io_read, path);
#ifdef WITH_NETCDF
    check_about("parallel netCDF");
    write_and_read(&w, halo, netcdf_write, netcdf_read, path);
#endif
    CHECK_STATUS(isle_destroy(halo), HX_OK);
    if (rank == 0) {
        remove(path);
    }
    return check_verdict("checkpoints beside a block without an owner");
}
