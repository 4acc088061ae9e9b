/*
 * Two cycles of a spec write the same field in turn.  What one has written the other one's exchange has to bring, however
 * many cycles an exchange may serve.  Held against one array of the whole grid.
 *
 * usage: relay, on 1 to 8 ranks
 */
#include "relay.h"
#include "check.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 64, TURNS = 12, MOST = 4 };

static uint64_t next(const uint64_t *u, int reach)
{
    uint64_t value = 0;
    for (int d = -reach; d <= reach; ++d) {
        value = value * UINT64_C(0x100000001b3) + u[d];
    }
    return value;
}

static uint64_t begins(int x)
{
    return (uint64_t)x * 7919 % 101;
}

static void step_whole(uint64_t whole[CELLS], int reach)
{
    uint64_t wide[CELLS + 2 * MOST];
    for (int x = 0; x < CELLS + 2 * MOST; ++x) {
        wide[x] = whole[(x - MOST + CELLS) % CELLS];
    }
    for (int x = 0; x < CELLS; ++x) {
        whole[x] = next(&wide[x + MOST], reach);
    }
}

static void step(const relay_shape *s, const relay_fields *f, hx_boxes points, int reach)
{
    uint64_t made[CELLS + 2 * MOST];
    const int lo = points.box[0].lo[0], hi = points.box[0].hi[0];
    for (int x = lo; x < hi; ++x) {
        made[x - lo] = next(&f->u[relay_u_at(s, x)], reach);
    }
    for (int x = lo; x < hi; ++x) {
        f->u[relay_u_at(s, x)] = made[x - lo];
    }
}

static void compare(const relay_shape *s, const relay_fields *f, const hx_part *mine, int cycles)
{
    uint64_t whole[CELLS];
    for (int x = 0; x < CELLS; ++x) {
        whole[x] = begins(x);
    }
    for (int t = 0; t < TURNS; ++t) {
        step_whole(whole, 1);
        step_whole(whole, 2);
    }
    long wrong = 0;
    for (int x = 0; x < mine->n[0]; ++x) {
        wrong += f->u[relay_u_at(s, x)] != whole[mine->first[0] + x];
    }
    CHECK(wrong == 0, "%ld points of %d are wrong with option cycles %d", wrong, mine->n[0], cycles);
}

static void run(int cycles)
{
    const hx_partition grid = relay_partition(CELLS);
    hx_options options = HX_OPTIONS_INIT;
    hx_part mine;
    relay *halo = NULL;
    relay_fields f;
    options.cycles = cycles;
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &grid, &mine), HX_OK);
    const relay_shape shape = relay_shape_dense(&mine);
    if (!CHECK_STATUS(relay_create(MPI_COMM_WORLD, &shape, &options, &halo), HX_OK) ||
        !CHECK_STATUS(relay_alloc(halo, &f), HX_OK)) {
        return;
    }
    for (int x = 0; x < mine.n[0]; ++x) {
        f.u[relay_u_at(&shape, x)] = begins(mine.first[0] + x);
    }
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int t = 0; t < TURNS; ++t) {
        if (rank == 1 &&
            t % 2 == 1) { /* no try of those that are measured, or ranks would serve different numbers */
            CHECK_STATUS(relay_first(halo, NULL), HX_ERR_ARGUMENT);
        }
        CHECK_STATUS(relay_first(halo, &f), HX_OK);
        step(&shape, &f, relay_first_near_points(halo, 0, RELAY_U), 1);
        CHECK_STATUS(relay_second(halo, &f), HX_OK);
        step(&shape, &f, relay_second_far_points(halo, 0, RELAY_U), 2);
    }
    compare(&shape, &f, &mine, cycles);
    CHECK_STATUS(relay_free(halo, &f), HX_OK);
    CHECK_STATUS(relay_destroy(halo), HX_OK);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    unsetenv("HX_CYCLES");
    for (int cycles = 0; cycles <= 2; ++cycles) {
        run(cycles);
    }
    return check_verdict("two cycles of a field");
}
