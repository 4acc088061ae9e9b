/*
 * Two cycles of a spec write the same field in turn.  What one has written the other one's exchange has to bring, however
 * many cycles an exchange may serve.  A third one, of another field, goes between them, and needs no exchange for that.
 * Held against one array of the whole grid.
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

static void step(uint64_t *u, hx_boxes points, int reach)
{
    uint64_t made[CELLS + 2 * MOST];
    const int lo = points.box[0].lo[0], hi = points.box[0].hi[0];
    for (int x = lo; x < hi; ++x) {
        made[x - lo] = next(&u[x], reach);
    }
    for (int x = lo; x < hi; ++x) {
        u[x] = made[x - lo];
    }
}

static void compare(const uint64_t *u, const uint64_t *v, const hx_part *mine)
{
    uint64_t whole_u[CELLS], whole_v[CELLS];
    for (int x = 0; x < CELLS; ++x) {
        whole_u[x] = whole_v[x] = begins(x);
    }
    for (int t = 0; t < TURNS; ++t) {
        step_whole(whole_u, 1);
        step_whole(whole_u, 2);
        step_whole(whole_v, 1);
    }
    long wrong = 0;
    for (int x = 0; x < mine->n[0]; ++x) {
        wrong += u[x] != whole_u[mine->first[0] + x];
        wrong += v[x] != whole_v[mine->first[0] + x];
    }
    CHECK(wrong == 0, "%ld of %d points are wrong", wrong, 2 * mine->n[0]);
}

/* Cycles with a field in common exchange each time, the one of the other field when it must. */
static void count(const relay *halo, int cycles)
{
    hx_traffic state, other;
    CHECK_STATUS(relay_traffic(halo, RELAY_STATE, &state), HX_OK);
    CHECK_STATUS(relay_traffic(halo, RELAY_OTHER, &other), HX_OK);
    CHECK(state.exchanges == 2 * TURNS, "%d exchanges of u", (int)state.exchanges);
    CHECK(cycles == 0 || other.exchanges == (uint64_t)(TURNS / cycles), "%d exchanges of v",
          (int)other.exchanges);
}

/* Each of the three once. */
static void turn(relay *halo, const relay_fields *f, uint64_t *u, uint64_t *v)
{
    CHECK_STATUS(relay_first(halo, f), HX_OK);
    step(u, relay_first_near_points(halo, 0, RELAY_U), 1);
    CHECK_STATUS(relay_third(halo, f), HX_OK);
    step(v, relay_third_apart_points(halo, 0, RELAY_V), 1);
    CHECK_STATUS(relay_second(halo, f), HX_OK);
    step(u, relay_second_far_points(halo, 0, RELAY_U), 2);
}

static void run(int cycles)
{
    const hx_partition grid = relay_partition(CELLS);
    hx_options options = HX_OPTIONS_INIT;
    check_about("option cycles %d", cycles);
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
    uint64_t *u = f.u + relay_u_at(&shape, 0), *v = f.v + relay_v_at(&shape, 0);
    for (int x = 0; x < mine.n[0]; ++x) {
        u[x] = v[x] = begins(mine.first[0] + x);
    }
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int t = 0; t < TURNS; ++t) {
        if (rank == 1 &&
            t % 2 == 1) { /* no try of those that are measured, or ranks would serve different numbers */
            CHECK_STATUS(relay_first(halo, NULL), HX_ERR_ARGUMENT);
        }
        turn(halo, &f, u, v);
    }
    compare(u, v, &mine);
    count(halo, cycles);
    CHECK_STATUS(relay_free(halo, &f), HX_OK);
    CHECK_STATUS(relay_destroy(halo), HX_OK);
}

/* A transport that waits inside MPI: what is finished too early is still under way, and is finished when that may be. */
static void finish_in_order(void)
{
    const hx_partition grid = relay_partition(CELLS);
    hx_options options = HX_OPTIONS_INIT;
    hx_part mine;
    relay *halo = NULL;
    relay_fields f;
    check_about("two cycles under way");
    options.transport = "rma-fence";
    CHECK_STATUS(hx_decompose(MPI_COMM_WORLD, &grid, &mine), HX_OK);
    const relay_shape shape = relay_shape_dense(&mine);
    if (!CHECK_STATUS(relay_create(MPI_COMM_WORLD, &shape, &options, &halo), HX_OK) ||
        !CHECK_STATUS(relay_alloc(halo, &f), HX_OK)) {
        return;
    }
    CHECK_STATUS(relay_first_start(halo, &f), HX_OK);
    CHECK_STATUS(relay_third_start(halo, &f), HX_OK);
    CHECK_REFUSED(MPI_COMM_WORLD, relay_third_finish(halo), HX_ERR_STATE, "cannot be finished on rank");
    CHECK_REFUSED(MPI_COMM_WORLD, relay_third_start(halo, &f), HX_ERR_STATE,
                  "cycle \"third\" was started twice on rank ");
    CHECK(strstr(hx_last_error(), "; finish it in between.") != NULL, "%s", hx_last_error());
    CHECK_STATUS(relay_first_finish(halo), HX_OK);
    CHECK_STATUS(relay_third_finish(halo), HX_OK);
    CHECK_REFUSED(MPI_COMM_WORLD, relay_third_finish(halo), HX_ERR_STATE, "without having been started");
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
    finish_in_order();
    return check_verdict("two cycles of a field");
}
