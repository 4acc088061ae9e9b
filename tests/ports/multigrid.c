/*
 * multigrid [-b]
 *
 * The shape of HPCG: cycles of a multigrid for seven points of Laplace's operator on a cube that is cut
 * across x, whose cells are numbered along x first.  The halo of a vector lies at its end.  By hand it goes
 * as there: values are gathered by an index array, received into the vector, and sent.
 */
#include "port.h"
#include "port_multigrid.h"

#include "../../specs/common/check.h"

#include <math.h>
#include <stdlib.h>

enum { LEVELS = 3, SIDES = 6, COARSEST_SWEEPS = 3 };

static const double damping = 0.125; /* of a sweep of Jacobi's, with the 6 of the operator in it */

typedef struct level {
    int n, first, nx; /* cells along y and z; along x, of this rank */
    int owned, points;
    int (*beside)[SIDES]; /* of each owned cell, or -1 */
    int peers;
    hx_peer peer[2];
    double *sent[2];
    port_multigrid *halo; /* NULL: by hand */
    port_multigrid_fields f;
    double *b, *r;
} level;

typedef struct multigrid {
    MPI_Comm comm;
    level level[LEVELS];
} multigrid;

/* ---- levels ---- */

static int cell(const level *l, int i, int j, int k)
{
    return i + l->nx * (j + l->n * k);
}

/* Cells at one end along x go to the rank there, and as many come from it, to the end of the vector. */
static void add_peer(level *l, int rank, int i)
{
    const int count = l->n * l->n;
    int *send = allocate((size_t)count, sizeof *send), *receive = allocate((size_t)count, sizeof *receive);
    for (int p = 0; p < count; ++p) {
        send[p] = cell(l, i, p % l->n, p / l->n);
        receive[p] = l->points + p;
    }
    l->points += count;
    l->sent[l->peers] = allocate((size_t)count, sizeof(double));
    l->peer[l->peers++] = (hx_peer){rank, count, send, count, receive};
}

static void find_neighbors(level *l, bool has_low, bool has_high)
{
    const int face = l->n * l->n;
    for (int p = 0; p < l->owned; ++p) {
        const int i = p % l->nx, j = p / l->nx % l->n, k = p / l->nx / l->n;
        int *to = l->beside[p];
        to[0] = i > 0 ? p - 1 : has_low ? l->owned + j + l->n * k : -1;
        to[1] = i < l->nx - 1 ? p + 1 : has_high ? l->owned + (has_low ? face : 0) + j + l->n * k : -1;
        to[2] = j > 0 ? p - l->nx : -1;
        to[3] = j < l->n - 1 ? p + l->nx : -1;
        to[4] = k > 0 ? p - l->nx * l->n : -1;
        to[5] = k < l->n - 1 ? p + l->nx * l->n : -1;
    }
}

static void make_vectors(level *l, MPI_Comm comm, way by)
{
    const hx_part part = port_multigrid_part(l->points);
    const port_multigrid_shape shape = port_multigrid_shape_dense(&part);
    const hx_index_list list = {l->peers, l->peer};
    if (by == EMITTED) {
        check(port_multigrid_create(comm, &shape, &list, NULL, &l->halo));
        check(port_multigrid_alloc(l->halo, &l->f));
    } else {
        l->f.x = allocate((size_t)l->points, sizeof *l->f.x);
    }
    l->b = allocate((size_t)l->owned, sizeof *l->b);
    l->r = allocate((size_t)l->owned, sizeof *l->r);
}

/* Cuts are between cells of the coarsest level, so that no child has its parent elsewhere. */
static void make_level(level *l, MPI_Comm comm, int n, int shift, way by)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int coarse = n >> (LEVELS - 1), fine = LEVELS - 1 - shift;
    l->n = n >> shift;
    l->first = (coarse * rank / ranks) << fine;
    l->nx = ((coarse * (rank + 1) / ranks) << fine) - l->first;
    if (l->nx == 0) {
        fail("%d cells of the coarsest level are too few for %d ranks", coarse, ranks);
    }
    l->owned = l->points = l->nx * l->n * l->n;
    l->beside = allocate((size_t)l->owned, sizeof *l->beside);
    if (rank > 0) {
        add_peer(l, rank - 1, 0);
    }
    if (rank < ranks - 1) {
        add_peer(l, rank + 1, l->nx - 1);
    }
    find_neighbors(l, rank > 0, rank < ranks - 1);
    make_vectors(l, comm, by);
}

static void *create(MPI_Comm comm, int n, way by)
{
    multigrid *m = allocate(1, sizeof *m);
    m->comm = comm;
    for (int i = 0; i < LEVELS; ++i) {
        make_level(&m->level[i], comm, n, i, by);
    }
    level *finest = &m->level[0];
    for (int p = 0; p < finest->owned; ++p) {
        finest->b[p] = sin(finest->first + p % finest->nx + 0.7 * (p / finest->nx));
    }
    return m;
}

static void destroy(void *state)
{
    multigrid *m = state;
    for (int i = 0; i < LEVELS; ++i) {
        level *l = &m->level[i];
        if (!l->halo) {
            free(l->f.x);
        }
        check(port_multigrid_destroy(l->halo));
        for (int p = 0; p < l->peers; ++p) {
            free((void *)l->peer[p].send);
            free((void *)l->peer[p].receive);
            free(l->sent[p]);
        }
        free(l->beside);
        free(l->b);
        free(l->r);
    }
    free(m);
}

/* ---- exchanges ---- */

static void exchange_by_hand(const multigrid *m, const level *l)
{
    MPI_Request request[2];
    for (int p = 0; p < l->peers; ++p) {
        const hx_peer *peer = &l->peer[p];
        MPI_Irecv(l->f.x + peer->receive[0], peer->receives, MPI_DOUBLE, peer->rank, 99, m->comm,
                  request + p);
    }
    for (int p = 0; p < l->peers; ++p) {
        const hx_peer *peer = &l->peer[p];
        for (int i = 0; i < peer->sends; ++i) {
            l->sent[p][i] = l->f.x[peer->send[i]];
        }
        MPI_Send(l->sent[p], peer->sends, MPI_DOUBLE, peer->rank, 99, m->comm);
    }
    MPI_Waitall(l->peers, request, MPI_STATUSES_IGNORE);
}

static void exchange(const multigrid *m, const level *l)
{
    port_enter();
    if (l->halo) {
        check(port_multigrid_halo_start(l->halo, &l->f));
        check(port_multigrid_halo_finish(l->halo));
    } else {
        exchange_by_hand(m, l);
    }
    port_leave();
}

/* ---- the program ---- */

static void find_residual(const multigrid *m, const level *l)
{
    exchange(m, l);
    const double *x = l->f.x;
    for (int p = 0; p < l->owned; ++p) {
        double sum = 6.0 * x[p];
        for (int d = 0; d < SIDES; ++d) {
            sum -= l->beside[p][d] < 0 ? 0.0 : x[l->beside[p][d]];
        }
        l->r[p] = l->b[p] - sum;
    }
}

static void smooth(const multigrid *m, const level *l)
{
    find_residual(m, l);
    for (int p = 0; p < l->owned; ++p) {
        l->f.x[p] += damping * l->r[p];
    }
}

/* The cell of the coarser level that a cell is part of. */
static int parent(const level *l, const level *coarse, int p)
{
    return cell(coarse, p % l->nx / 2, p / l->nx % l->n / 2, p / l->nx / l->n / 2);
}

static void cycle(const multigrid *m, int number)
{
    const level *l = &m->level[number];
    if (number == LEVELS - 1) {
        for (int i = 0; i < COARSEST_SWEEPS; ++i) {
            smooth(m, l);
        }
        return;
    }
    const level *coarse = l + 1;
    smooth(m, l);
    find_residual(m, l);
    for (int p = 0; p < coarse->owned; ++p) {
        coarse->b[p] = coarse->f.x[p] = 0.0;
    }
    for (int p = 0; p < l->owned; ++p) {
        coarse->b[parent(l, coarse, p)] += 0.5 * l->r[p]; /* 4 times the mean of 8 children */
    }
    cycle(m, number + 1);
    for (int p = 0; p < l->owned; ++p) {
        l->f.x[p] += coarse->f.x[parent(l, coarse, p)];
    }
    smooth(m, l);
}

static void step(void *state)
{
    cycle(state, 0);
}

static double difference(const void *state, const void *serial)
{
    const level *l = &((const multigrid *)state)->level[0], *whole = &((const multigrid *)serial)->level[0];
    double worst = 0.0;
    for (int p = 0; p < l->owned; ++p) {
        const int at = cell(whole, l->first + p % l->nx, p / l->nx % l->n, p / l->nx / l->n);
        worst = port_larger(fabs(l->f.x[p] - whole->f.x[at]), worst);
    }
    return worst;
}

int main(int argc, char **argv)
{
    const port p = {"multigrid", 16, {8, 16, 32, 64}, 0.0, create, step, difference, destroy};
    return port_main(&p, argc, argv);
}
