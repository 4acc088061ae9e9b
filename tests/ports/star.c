/*
 * star [-b]
 *
 * The shape of the Parallel Research Kernel Stencil: a star of radius 2 is added up on a square that ranks
 * have blocks of, and 1 is added to all that it reads.  By hand it goes as there: four sides are packed,
 * sent, received and unpacked.
 */
#include "port.h"
#include "port_star.h"

#include "../../specs/common/check.h"

#include <math.h>
#include <stdlib.h>

enum { RADIUS = 2, SIDES = 4 };

static const int along[SIDES][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

typedef struct star {
    int n; /* of the whole square */
    MPI_Comm comm;
    hx_part mine;
    port_star_shape shape;
    port_star *halo; /* NULL: by hand */
    port_star_fields f;
    double *out;
    double *sent[SIDES], *received[SIDES];
} star;

/* ---- by hand ---- */

/* The rank that has the block at that side, or MPI_PROC_NULL. */
static int beside(const star *s, int side)
{
    const int x = s->mine.index[0] + along[side][0], y = s->mine.index[1] + along[side][1];
    const int *ranks = s->mine.partition.ranks;
    return x < 0 || x >= ranks[0] || y < 0 || y >= ranks[1] ? MPI_PROC_NULL : x * ranks[1] + y;
}

/* The layers at a side: owned ones, or those of the halo. */
static void layers(const star *s, int side, bool owned, int low[2], int high[2])
{
    for (int a = 0; a < 2; ++a) {
        const int n = s->mine.n[a];
        const int inward = owned ? RADIUS : 0;
        low[a] = along[side][a] > 0 ? n - inward : along[side][a] < 0 ? inward - RADIUS : 0;
        high[a] = along[side][a] == 0 ? n : low[a] + RADIUS;
    }
}

static int pack(const star *s, int side, double *message)
{
    int low[2], high[2], count = 0;
    layers(s, side, true, low, high);
    for (int y = low[1]; y < high[1]; ++y) {
        for (int x = low[0]; x < high[0]; ++x) {
            message[count++] = s->f.u[port_star_u_at(&s->shape, x, y)];
        }
    }
    return count;
}

static void unpack(const star *s, int side, const double *message)
{
    int low[2], high[2], count = 0;
    layers(s, side, false, low, high);
    for (int y = low[1]; y < high[1]; ++y) {
        for (int x = low[0]; x < high[0]; ++x) {
            s->f.u[port_star_u_at(&s->shape, x, y)] = message[count++];
        }
    }
}

static void exchange_by_hand(const star *s)
{
    MPI_Request request[2 * SIDES];
    for (int side = 0; side < SIDES; ++side) {
        const int count = RADIUS * s->mine.n[side < 2 ? 1 : 0];
        MPI_Irecv(s->received[side], count, MPI_DOUBLE, beside(s, side), side ^ 1, s->comm, request + side);
    }
    for (int side = 0; side < SIDES; ++side) {
        const int to = beside(s, side);
        const int count = to == MPI_PROC_NULL ? 0 : pack(s, side, s->sent[side]);
        MPI_Isend(s->sent[side], count, MPI_DOUBLE, to, side, s->comm, request + SIDES + side);
    }
    MPI_Waitall(2 * SIDES, request, MPI_STATUSES_IGNORE);
    for (int side = 0; side < SIDES; ++side) {
        if (beside(s, side) != MPI_PROC_NULL) {
            unpack(s, side, s->received[side]);
        }
    }
}

/* ---- the program ---- */

static void *create(MPI_Comm comm, int n, way by)
{
    star *s = allocate(1, sizeof *s);
    s->n = n;
    s->comm = comm;
    const hx_partition square = port_star_partition(n, n);
    check(hx_decompose(comm, &square, &s->mine));
    s->shape = port_star_shape_dense(&s->mine);
    if (by == EMITTED) {
        check(port_star_create(comm, &s->shape, NULL, &s->halo));
        check(port_star_alloc(s->halo, &s->f));
    } else {
        s->f.u = allocate(port_star_points(&s->shape, PORT_STAR_U), sizeof *s->f.u);
    }
    s->out = allocate(port_star_points(&s->shape, PORT_STAR_U), sizeof *s->out);
    for (int side = 0; side < SIDES; ++side) {
        const size_t count = (size_t)RADIUS * (size_t)s->mine.n[side < 2 ? 1 : 0];
        s->sent[side] = allocate(count, sizeof(double));
        s->received[side] = allocate(count, sizeof(double));
    }
    for (int y = 0; y < s->mine.n[1]; ++y) {
        for (int x = 0; x < s->mine.n[0]; ++x) {
            s->f.u[port_star_u_at(&s->shape, x, y)] =
                sin(s->mine.first[0] + x + 3.0 * (s->mine.first[1] + y));
        }
    }
    return s;
}

static void destroy(void *state)
{
    star *s = state;
    if (!s->halo) {
        free(s->f.u);
    }
    check(port_star_destroy(s->halo));
    for (int side = 0; side < SIDES; ++side) {
        free(s->sent[side]);
        free(s->received[side]);
    }
    free(s->out);
    free(s);
}

/* Adds up the star around the points of a row whose star lies in the square. */
static void add_stars(const star *s, int y)
{
    const int first = s->mine.first[0], low = first < RADIUS ? RADIUS - first : 0;
    const int most = s->n - RADIUS - first, high = most < s->mine.n[0] ? most : s->mine.n[0];
    const ptrdiff_t up = port_star_u_at(&s->shape, 0, 1) - port_star_u_at(&s->shape, 0, 0);
    for (int x = low; x < high; ++x) {
        const ptrdiff_t at = port_star_u_at(&s->shape, x, y);
        const double *u = s->f.u + at;
        double sum = 0.0;
        for (int r = 1; r <= RADIUS; ++r) {
            sum += ((u[r] - u[-r]) + (u[r * up] - u[-r * up])) / (2.0 * r * RADIUS);
        }
        s->out[at] += sum;
    }
}

static void step(void *state)
{
    star *s = state;
    port_enter();
    if (s->halo) {
        check(port_star_halo_start(s->halo, &s->f));
        check(port_star_halo_finish(s->halo));
    } else {
        exchange_by_hand(s);
    }
    port_leave();
    for (int y = 0; y < s->mine.n[1]; ++y) {
        const int whole = s->mine.first[1] + y;
        if (whole >= RADIUS && whole < s->n - RADIUS) {
            add_stars(s, y);
        }
    }
    for (int y = 0; y < s->mine.n[1]; ++y) {
        for (int x = 0; x < s->mine.n[0]; ++x) {
            s->f.u[port_star_u_at(&s->shape, x, y)] += 1.0;
        }
    }
}

static double difference(const void *state, const void *serial)
{
    const star *s = state, *whole = serial;
    double worst = 0.0;
    for (int y = 0; y < s->mine.n[1]; ++y) {
        for (int x = 0; x < s->mine.n[0]; ++x) {
            const double own = s->out[port_star_u_at(&s->shape, x, y)];
            const ptrdiff_t at = port_star_u_at(&whole->shape, s->mine.first[0] + x, s->mine.first[1] + y);
            worst = port_larger(fabs(own - whole->out[at]), worst);
        }
    }
    return worst;
}

int main(int argc, char **argv)
{
    const port p = {"star", 37, {32, 256, 2000}, 0.0, create, step, difference, destroy};
    return port_main(&p, argc, argv);
}
