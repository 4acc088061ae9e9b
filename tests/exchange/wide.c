/*
 * Handles for more ranks than have blocks: two groups of ranks, apart or with a rank in common, make handles of their own,
 * and fields move between them.  Mistakes are refused in words, on all ranks alike.  Runs on any number of ranks from 2 on.
 */
#include "arrays.h"
#include "check.h"
#include "specs.h"

#include <string.h>

static int rank;
static int ranks;

/* specs[0] is the spec of all tests (two axes, both periodic); specs[1] differs from it in topology alone. */

/* What a group of ranks has; the others have no handle, and no block. */
typedef struct grid {
    MPI_Comm comm; /* MPI_COMM_NULL: this rank is not in the group */
    layout layout;
    arrays arrays;
    hx_handle *narrow;
    hx_handle *wide;
} grid;

static bool has(const grid *g)
{
    return g->comm != MPI_COMM_NULL;
}

static const void *fields_of(const grid *g)
{
    return has(g) ? g->arrays.pointers : NULL;
}

/* For ranks first to last; cut along an axis. */
static void grid_open(grid *g, int first, int last, int axis)
{
    *g = (grid){.comm = MPI_COMM_NULL};
    MPI_Comm_split(MPI_COMM_WORLD, rank >= first && rank <= last ? 0 : MPI_UNDEFINED, -rank, &g->comm);
    if (!has(g)) {
        return;
    }
    hx_partition p = {.axes = 2, .cells = {2 * ranks + 1, 2 * ranks}, .ranks = {1, 1}, .periodic = {1, 1}};
    p.ranks[axis] = last - first + 1;
    layout_make(&g->layout, &(layout_request){specs[0], g->comm, &p, NULL, NULL, NULL, axis});
    arrays_make(&g->arrays, &g->layout, oracle_cartesian);
    CHECK_STATUS(hx_create(specs[0], &g->layout.blocks, g->layout.shapes, NULL, &g->narrow), HX_OK);
}

static void grid_close(grid *g)
{
    CHECK_STATUS(hx_destroy(g->wide), HX_OK);
    CHECK_STATUS(hx_destroy(g->narrow), HX_OK);
    if (has(g)) {
        arrays_free(&g->arrays);
        layout_free(&g->layout);
        MPI_Comm_free(&g->comm);
    }
}

static void fill(grid *g, int salt)
{
    if (has(g)) {
        arrays_fill(&g->arrays, salt);
    }
}

/* What owned points of a block are to hold: values are those of places in the grid, whatever blocks there are. */
static void expect_block(const arrays *to, const arrays *values, int block)
{
    const layout *l = to->layout;
    for (int f = 0; f < l->spec->fields; ++f) {
        const int number = block * l->spec->fields + f;
        const size_t size = (size_t)l->spec->field[f].size;
        const box owned = layout_owned(l, block, f);
        int point[HX_MAX_AXES];
        memcpy(point, owned.lo, sizeof point);
        do {
            const size_t at = (to->guard + (size_t)layout_at(l, block, f, point)) * size;
            memcpy(to->expected[number] + at, values->expected[number] + at, size);
        } while (box_next(&owned, l->spec->axes, point));
    }
}

static void expect(const grid *to, int salt)
{
    arrays values;
    arrays_make(&values, &to->layout, oracle_cartesian);
    arrays_fill(&values, salt);
    for (int b = 0; b < to->layout.blocks.count; ++b) {
        expect_block(&to->arrays, &values, b);
    }
    arrays_free(&values);
}

static void move(grid *from, grid *to, int salt)
{
    fill(from, salt);
    fill(to, salt + 1);
    CHECK_STATUS(hx_redistribute(from->wide, fields_of(from), to->wide, fields_of(to)), HX_OK);
    if (has(from)) {
        arrays_check(&from->arrays, "the source");
    }
    if (has(to)) {
        expect(to, salt);
        arrays_check(&to->arrays, "the target");
    }
}

/* Narrow handles exchange meanwhile, and wide ones work without them. */
static void exchange(grid *g)
{
    if (has(g)) {
        arrays_fill(&g->arrays, 5);
        arrays_expect(&g->arrays, 0);
        CHECK_STATUS(hx_start(g->narrow, 0, g->arrays.pointers), HX_OK);
        CHECK_STATUS(hx_finish(g->narrow, 0), HX_OK);
        arrays_check(&g->arrays, "the narrow handle");
    }
}

static hx_status widen(grid *g, MPI_Comm comm)
{
    return hx_create_wide(specs[0], g->narrow, comm, NULL, &g->wide);
}

/* Ranks 0 to last, and those from first on. */
static void between(int last, int first)
{
    grid a;
    grid b;
    check_about("ranks 0 to %d and %d to %d", last, first, ranks - 1);
    grid_open(&a, 0, last, 0);
    grid_open(&b, first, ranks - 1, 1);
    CHECK_STATUS(widen(&a, MPI_COMM_WORLD), HX_OK);
    CHECK_STATUS(widen(&b, MPI_COMM_WORLD), HX_OK);
    move(&a, &b, 1);
    exchange(&a);
    exchange(&b);
    move(&b, &a, 2);
    move(&a, &b, 3);
    CHECK_STATUS(hx_destroy(a.narrow), HX_OK);
    a.narrow = NULL;
    move(&a, &b, 4);
    grid_close(&a);
    grid_close(&b);
}

#define REFUSED(comm, call, status, words) CHECK_REFUSED(comm, call, status, words)

static void mistakes(void)
{
    grid a;
    grid b;
    hx_handle *none = NULL;
    check_about("mistakes");
    grid_open(&a, 0, 0, 0);
    grid_open(&b, ranks - 1, ranks - 1, 1);
    REFUSED(MPI_COMM_WORLD, hx_create_wide(specs[0], NULL, MPI_COMM_WORLD, NULL, &none), HX_ERR_ARGUMENT,
            "no rank gave a handle");
    REFUSED(MPI_COMM_WORLD,
            hx_create_wide(specs[0], a.narrow, MPI_COMM_WORLD, NULL, rank == 1 ? NULL : &none),
            HX_ERR_ARGUMENT, "give the address of one");
    hx_handle *both = rank == 0 ? a.narrow : b.narrow;
    REFUSED(MPI_COMM_WORLD, hx_create_wide(specs[0], both, MPI_COMM_WORLD, NULL, &none), HX_ERR_MISMATCH,
            "one handle at a time");
    REFUSED(MPI_COMM_WORLD, hx_create_wide(specs[rank == 1], a.narrow, MPI_COMM_WORLD, NULL, &none),
            HX_ERR_MISMATCH, "");
    REFUSED(MPI_COMM_WORLD, hx_create_wide(specs[1], a.narrow, MPI_COMM_WORLD, NULL, &none), HX_ERR_MISMATCH,
            "the handle is of spec");
    CHECK(hx_create_wide(specs[0], a.narrow, MPI_COMM_NULL, NULL, &none) == HX_ERR_ARGUMENT, "%s",
          hx_last_error());
    hx_options wrong = HX_OPTIONS_INIT;
    wrong.transport = rank == 0 ? "sharde" : "auto";
    REFUSED(MPI_COMM_WORLD, hx_create_wide(specs[0], a.narrow, MPI_COMM_WORLD, &wrong, &none),
            HX_ERR_ARGUMENT, "sharde");
    CHECK(!none, "there is a handle");
    grid_close(&a);
    grid_close(&b);
    grid_open(&a, 0, 1, 0);
    MPI_Comm less;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &less);
    REFUSED(less, hx_create_wide(specs[0], a.narrow, less, NULL, &none), HX_ERR_ARGUMENT,
            "ranks that are not in the communicator");
    MPI_Comm_free(&less);
    grid_close(&a);
}

/* Of rank 1 the first array of the target is another one; then it is as it was. */
static void refuse_array(const grid *from, const grid *to, ptrdiff_t bytes_on, const char *words)
{
    const hx_field *field = &specs[0]->field[0];
    unsigned char *pointer = to->arrays.pointers + field->pointer;
    char *good, *wrong;
    memcpy(&good, pointer, sizeof good);
    memcpy(&wrong, from->arrays.pointers + field->pointer, sizeof wrong);
    wrong += bytes_on;
    if (rank == 1) {
        memcpy(pointer, &wrong, sizeof wrong);
    }
    REFUSED(MPI_COMM_WORLD, hx_redistribute(from->wide, fields_of(from), to->wide, fields_of(to)),
            HX_ERR_ARGUMENT, words);
    memcpy(pointer, &good, sizeof good);
}

/* Between groups: rank 1 is in both, and its arrays meet, or are out of place.  Nothing is written. */
static void arrays_that_meet(void)
{
    grid a, b;
    check_about("arrays that meet");
    grid_open(&a, 0, ranks - 1, 0);
    grid_open(&b, 0, ranks - 1, 1);
    CHECK_STATUS(widen(&a, MPI_COMM_WORLD), HX_OK);
    CHECK_STATUS(widen(&b, MPI_COMM_WORLD), HX_OK);
    fill(&a, 1);
    fill(&b, 2);
    const int size = specs[0]->field[0].size;
    refuse_array(&a, &b, 0, "one array");
    refuse_array(&a, &b, size, "have points in common");
    refuse_array(&a, &b, -size, "have points in common");
    refuse_array(&a, &b, 1, "aligned");
    REFUSED(MPI_COMM_WORLD, hx_redistribute(a.wide, fields_of(&a), b.wide, rank == 1 ? NULL : fields_of(&b)),
            HX_ERR_ARGUMENT, "null pointer");
    REFUSED(MPI_COMM_WORLD,
            hx_redistribute(rank == 1 ? b.wide : a.wide, rank == 1 ? fields_of(&b) : fields_of(&a), b.wide,
                            fields_of(&b)),
            HX_ERR_ARGUMENT, "");
    arrays_check(&a.arrays, "after refusals");
    arrays_check(&b.arrays, "after refusals");
    grid_close(&a);
    grid_close(&b);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    between((ranks - 1) / 2, (ranks - 1) / 2 + 1);
    between(ranks - 2 > 0 ? ranks - 2 : 0, ranks > 2 ? 1 : 0);
    between(ranks - 1, 0);
    mistakes();
    arrays_that_meet();
    return check_verdict("handles for more ranks");
}
