/*
 * What a header says under "How to use it", as a program: recipe.sh makes a file of these lines, with ok() around each
 * call.  Whatever else a program has to say beside them stands here.
 */
#include HEADER

#include <stdio.h>
#include <stdlib.h>

static void ok(hx_status status)
{
    if (status != HX_OK) {
        printf("FAIL %s\n", hx_last_error());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void fill(void *context, const hx_wall *wall)
{
    (void)wall;
    ++*(int *)context;
}

static void fill_on(void *context, const hx_wall *wall, hx_stream stream)
{
    (void)stream;
    fill(context, wall);
}

/* "loop over" these points. */
static void loop_over(hx_boxes boxes)
{
    if (boxes.points == 0) {
        printf("FAIL a step has no points\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* What the lines use: a rank of a tile of its own, or points of a list of which the last is the next rank's first. */
int main(int argc, char **argv)
{
    enum { nx = 6, ny = nx, nz = 4, n_cell = 5, n_level = 2, b = 0, m = n_cell - 1, steps = 2 };
    int ranks, t, filled = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &t);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int64_t id[n_cell];
    for (int i = 0; i < n_cell; ++i) {
        id[i] = (t * m + i) % (ranks * m);
    }
    void *context = &filled;
    hx_stream stream = NULL;
    (void)id, (void)context, (void)stream, (void)fill, (void)fill_on, (void)loop_over;
#include "recipe.inc"
    if ((filled > 0) != HOOKS) {
        printf("FAIL the hook was called %d times\n", filled);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
