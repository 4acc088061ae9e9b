/*
 * lakes NX NY STEPS
 *
 * Heat spreads through lakes in NX x NY places, land left out, and through ice more slowly.  Cells have
 * numbers along a curve, each rank owns a range of them, and libhx finds out who has what lies beside them.
 * No heat may be lost.
 */
#include "lakes.h"
#include "mesh.h"

#include "../common/check.h"
#include "../common/checksum.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: lakes NX NY STEPS";

enum { LAYERS = 8 };

static const double tolerance = 1e-12; /* of what rounding may do to a sum */

typedef struct solver {
    mesh mesh;
    lakes *halo;
    lakes_fields now, next;
    lakes_shape shape;
    int *inner, *rim; /* owned cells beside owned ones only, and the others */
    int inners, rims;
} solver;

/* ---- the lakes ---- */

/*
 * The lists come from the numbers of the cells: who owns what lies in this rank's halo is found out by libhx.
 */
static void create(solver *s)
{
    const hx_ids ids = {.points = s->mesh.points, .id = s->mesh.id, .owned = s->mesh.owned};
    const hx_part mine = lakes_part(s->mesh.points);
    hx_index_list *list;
    check(hx_index_list_of_ids(MPI_COMM_WORLD, &ids, &list));
    s->shape = lakes_shape_dense(&mine);
    check(lakes_create(MPI_COMM_WORLD, &s->shape, list, NULL, &s->halo));
    hx_index_list_free(list);
    check(lakes_alloc(s->halo, &s->now));
    check(lakes_alloc(s->halo, &s->next));
}

static void divide(solver *s)
{
    s->inner = allocate((size_t)s->mesh.owned + 1, sizeof *s->inner);
    s->rim = allocate((size_t)s->mesh.owned + 1, sizeof *s->rim);
    for (int p = 0; p < s->mesh.owned; ++p) {
        int outside = 0;
        for (int d = 0; d < BESIDE; ++d) {
            outside += s->mesh.beside[p][d] >= s->mesh.owned;
        }
        if (outside > 0) {
            s->rim[s->rims++] = p;
        } else {
            s->inner[s->inners++] = p;
        }
    }
}

static void start(solver *s)
{
    for (int p = 0; p < s->mesh.owned; ++p) {
        for (int k = 0; k < LAYERS; ++k) {
            s->now.t[lakes_t_at(&s->shape, p, k)] = 4.0 + 12.0 * sin((double)s->mesh.id[p]) / (1.0 + k);
        }
        s->now.ice[p] = s->now.t[lakes_t_at(&s->shape, p, 0)] < 0.0 ? 1.0F : 0.0F;
    }
}

/* ---- one step ---- */

static void update(solver *s, const int *cell, int cells)
{
    for (int c = 0; c < cells; ++c) {
        const int p = cell[c];
        const double *here = s->now.t + lakes_t_at(&s->shape, p, 0);
        double *next = s->next.t + lakes_t_at(&s->shape, p, 0);
        memcpy(next, here, LAYERS * sizeof *next);
        for (int d = 0; d < BESIDE; ++d) {
            const int q = s->mesh.beside[p][d];
            if (q < 0) {
                continue;
            }
            const double *there = s->now.t + lakes_t_at(&s->shape, q, 0);
            const double open = 1.0 - 0.4 * ((double)s->now.ice[p] + (double)s->now.ice[q]);
            for (int k = 0; k < LAYERS; ++k) {
                next[k] += s->mesh.weight[p][d] * (k == 0 ? open : 1.0) * (there[k] - here[k]);
            }
        }
        s->next.ice[p] = 0.99F * s->now.ice[p] + (next[0] < 0.0 ? 0.01F : 0.0F);
    }
}

/* While the state of the halo travels, cells that need none of it are updated. */
static void time_step(solver *s)
{
    check(lakes_state_start(s->halo, &s->now));
    update(s, s->inner, s->inners);
    check(lakes_state_finish(s->halo));
    update(s, s->rim, s->rims);
    const lakes_fields before = s->now;
    s->now = s->next;
    s->next = before;
}

/* ---- what must hold ---- */

/* Each pair of cells is counted by who owns that of the lower number, at both: maybe in its halo. */
static int count_neighbors(solver *s)
{
    int *count = s->now.neighbors;
    for (int p = 0; p < s->mesh.owned; ++p) {
        for (int d = 0; d < BESIDE; ++d) {
            const int q = s->mesh.beside[p][d];
            if (q >= 0 && s->mesh.id[p] < s->mesh.id[q]) {
                ++count[p];
                ++count[q];
            }
        }
    }
    check(lakes_count(s->halo, &s->now));
    int wrong = 0;
    for (int p = 0; p < s->mesh.owned; ++p) {
        for (int d = 0; d < BESIDE; ++d) {
            count[p] -= s->mesh.beside[p][d] >= 0;
        }
        wrong += count[p] != 0;
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return wrong;
}

static double heat_of(const solver *s)
{
    double heat = 0.0;
    for (int p = 0; p < s->mesh.owned * LAYERS; ++p) {
        heat += s->now.t[p];
    }
    MPI_Allreduce(MPI_IN_PLACE, &heat, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return heat;
}

/* Of all cells; depends on every bit and its cell, and not on the ranks. */
static uint64_t checksum(const solver *s)
{
    uint64_t sum = 0;
    for (int p = 0; p < s->mesh.owned; ++p) {
        for (int k = 0; k < LAYERS; ++k) {
            sum += checksum_of(s->now.t[lakes_t_at(&s->shape, p, k)], (uint64_t)(s->mesh.id[p] * LAYERS + k));
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 4) {
        fail("%s", usage);
    }
    water all;
    solver s = {0};
    water_make(&all, whole_number(argv[1], 1, 10000, usage), whole_number(argv[2], 1, 10000, usage));
    mesh_make(&s.mesh, &all, rank, ranks);
    create(&s);
    divide(&s);
    start(&s);
    const int miscounted = count_neighbors(&s);
    const double before = heat_of(&s);
    for (int step = whole_number(argv[3], 1, 10000, usage); step > 0; --step) {
        time_step(&s);
    }
    const double change = fabs(heat_of(&s) / before - 1.0);
    const uint64_t sum = checksum(&s);
    const int good = change < tolerance && miscounted == 0;
    if (rank == 0) {
        printf("lakes      %d cells of %d layers in %d x %d places, %d of them, and a halo of %d, on rank 0 "
               "of %d\n",
               all.cells, LAYERS, all.nx, all.ny, s.mesh.owned, s.mesh.points - s.mesh.owned, ranks);
        printf("neighbors  %d cells miscounted\n", miscounted);
        printf("heat       changed by %.1e of itself; at most %.0e: %s\n", change, tolerance,
               good ? "good" : "TOO MUCH");
        printf("checksum   %016" PRIx64 "\n", sum);
        printf("\n%s", lakes_describe(s.halo));
    }
    check(lakes_destroy(s.halo));
    free(s.inner);
    free(s.rim);
    mesh_free(&s.mesh);
    water_free(&all);
    MPI_Finalize();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
