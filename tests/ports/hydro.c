/*
 * hydro [-b]
 *
 * The shape of LULESH: elements of a cube push their nodes, which blocks share, and nodes strain their
 * elements, whose neighbors need that.  Arrays of elements are dense, with up to six planes of ghosts behind
 * them, and each element knows where the six around it are.  By hand it goes as there: shared planes, edges
 * and corners are packed for up to 26 ranks, and what comes is added; ghosts come through six faces.
 */
#include "port.h"
#include "port_hydro.h"

#include "../../specs/common/check.h"

#include <math.h>
#include <stdlib.h>

enum { AXES = 3, SIDES = 6, CORNERS = 8, AROUND = 27, FORCES = 3, CARRIED = 2, NOWHERE = -1 };

static const double pace = 0.01;

typedef struct hydro {
    MPI_Comm comm;
    hx_part mine;
    port_hydro_shape shape;
    port_hydro *halo; /* NULL: by hand */
    port_hydro_fields f;
    ptrdiff_t ghosts[AXES][2];               /* where those across a side begin; NOWHERE: it is a wall */
    ptrdiff_t *beside;                       /* the six around each element, below and above x, y, z */
    double *speed[FORCES];                   /* of nodes, as dense as the forces */
    double *sent[AROUND], *received[AROUND]; /* by direction; long enough for either exchange */
} hydro;

static ptrdiff_t node(const hydro *h, int x, int y, int z)
{
    return port_hydro_fx_at(&h->shape, x, y, z);
}

/* An owned one. */
static ptrdiff_t element(const hydro *h, int x, int y, int z)
{
    return port_hydro_strain_at(&h->shape, x, y, z);
}

/*
 * Planes lie behind the owned elements: those across z, y and x, below and above, as far as they are there.
 */
static void place_ghosts(hydro *h)
{
    const int *n = h->mine.n;
    ptrdiff_t next = (ptrdiff_t)n[0] * n[1] * n[2];
    for (int a = AXES - 1; a >= 0; --a) {
        for (int above = 0; above < 2; ++above) {
            const int end = above ? h->mine.partition.ranks[a] - 1 : 0;
            h->ghosts[a][above] = h->mine.index[a] == end ? NOWHERE : next;
            next += h->mine.index[a] == end ? 0 : (ptrdiff_t)n[(a + 1) % AXES] * n[(a + 2) % AXES];
            if (port_hydro_plane(&h->shape, PORT_HYDRO_STRAIN, a, above) != h->ghosts[a][above]) {
                fail("the plane across axis %d lies elsewhere", a);
            }
        }
    }
}

/* The same beyond one side, too: rows of a plane along x, or else along y, lie one behind the other. */
static ptrdiff_t element_or_ghost(const hydro *h, int x, int y, int z)
{
    const int *n = h->mine.n, at[AXES] = {x, y, z};
    for (int a = 0; a < AXES; ++a) {
        if (at[a] < 0 || at[a] >= n[a]) {
            const ptrdiff_t first = h->ghosts[a][at[a] >= 0];
            const ptrdiff_t within =
                a == 0 ? y + (ptrdiff_t)n[1] * z : x + (ptrdiff_t)n[0] * (a == 1 ? z : y);
            return first == NOWHERE ? NOWHERE : first + within;
        }
    }
    return element(h, x, y, z);
}

static void find_neighbors(hydro *h)
{
    const int *n = h->mine.n;
    ptrdiff_t *beside = h->beside;
    for (int row = 0; row < n[1] * n[2]; ++row) {
        const int y = row % n[1], z = row / n[1];
        for (int x = 0; x < n[0]; ++x, beside += SIDES) {
            for (int s = 0; s < SIDES; ++s) {
                const int step = s % 2 ? 1 : -1;
                beside[s] = element_or_ghost(h, s / 2 == 0 ? x + step : x, s / 2 == 1 ? y + step : y,
                                             s / 2 == 2 ? z + step : z);
            }
        }
    }
}

/* ---- by hand ---- */

typedef struct box {
    int low[3], high[3];
} box;

/* Directions are numbered from (-1, -1, -1), x fastest; AROUND - 1 - d is opposite to d, and 13 is none. */
static void direction(int d, int toward[3])
{
    toward[0] = d % 3 - 1;
    toward[1] = d / 3 % 3 - 1;
    toward[2] = d / 9 - 1;
}

static bool is_face(int d)
{
    int toward[3];
    direction(d, toward);
    return abs(toward[0]) + abs(toward[1]) + abs(toward[2]) == 1;
}

static int beside(const hydro *h, int d)
{
    int toward[3], rank = 0;
    direction(d, toward);
    for (int a = 0; a < 3; ++a) {
        const int index = h->mine.index[a] + toward[a], ranks = h->mine.partition.ranks[a];
        if (index < 0 || index >= ranks) {
            return MPI_PROC_NULL;
        }
        rank = rank * ranks + index;
    }
    return d == AROUND / 2 ? MPI_PROC_NULL : rank;
}

static box nodes_at(const hydro *h, int d)
{
    int toward[3];
    box b;
    direction(d, toward);
    for (int a = 0; a < 3; ++a) {
        b.low[a] = toward[a] > 0 ? h->mine.n[a] : 0;
        b.high[a] = toward[a] < 0 ? 1 : h->mine.n[a] + 1;
    }
    return b;
}

static box elements_at(const hydro *h, int d, bool owned)
{
    int toward[3];
    box b;
    direction(d, toward);
    for (int a = 0; a < 3; ++a) {
        const int n = h->mine.n[a], inward = owned ? 1 : 0;
        b.low[a] = toward[a] > 0 ? n - inward : toward[a] < 0 ? inward - 1 : 0;
        b.high[a] = toward[a] == 0 ? n : b.low[a] + 1;
    }
    return b;
}

typedef enum what { PACK, ADD, UNPACK } what;

/* Moves a box between an array and a message, and returns how many values that were. */
static int move(const hydro *h, what w, ptrdiff_t (*at)(const hydro *h, int x, int y, int z), double *array,
                const box *b, double *message)
{
    int count = 0;
    for (int z = b->low[2]; z < b->high[2]; ++z) {
        for (int y = b->low[1]; y < b->high[1]; ++y) {
            double *row = array + at(h, b->low[0], y, z);
            const int n = b->high[0] - b->low[0];
            for (int x = 0; x < n; ++x, ++count) {
                if (w == PACK) {
                    message[count] = row[x];
                } else {
                    row[x] = w == ADD ? row[x] + message[count] : message[count];
                }
            }
        }
    }
    return count;
}

static int move_forces(const hydro *h, what w, int d, double *message)
{
    const box b = nodes_at(h, d);
    double *const force[FORCES] = {h->f.fx, h->f.fy, h->f.fz};
    int count = 0;
    for (int i = 0; i < FORCES; ++i) {
        count += move(h, w, node, force[i], &b, message + count);
    }
    return count;
}

static int move_elements(const hydro *h, what w, int d, double *message)
{
    const box b = elements_at(h, d, w == PACK);
    double *const carried[CARRIED] = {h->f.strain, h->f.stress};
    int count = 0;
    for (int i = 0; i < CARRIED; ++i) {
        count += move(h, w, element_or_ghost, carried[i], &b, message + count);
    }
    return count;
}

static int room(const hydro *h, int d)
{
    const box b = nodes_at(h, d);
    return FORCES * (b.high[0] - b.low[0]) * (b.high[1] - b.low[1]) * (b.high[2] - b.low[2]);
}

static void exchange_by_hand(const hydro *h, bool faces_only,
                             int (*move_all)(const hydro *h, what w, int d, double *message), what arrived)
{
    MPI_Request request[2 * AROUND];
    int requests = 0;
    for (int d = 0; d < AROUND; ++d) {
        if (beside(h, d) != MPI_PROC_NULL && (!faces_only || is_face(d))) {
            MPI_Irecv(h->received[d], room(h, d), MPI_DOUBLE, beside(h, d), AROUND - 1 - d, h->comm,
                      request + requests++);
        }
    }
    for (int d = 0; d < AROUND; ++d) {
        if (beside(h, d) != MPI_PROC_NULL && (!faces_only || is_face(d))) {
            const int count = move_all(h, PACK, d, h->sent[d]);
            MPI_Isend(h->sent[d], count, MPI_DOUBLE, beside(h, d), d, h->comm, request + requests++);
        }
    }
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    for (int d = 0; d < AROUND; ++d) {
        if (beside(h, d) != MPI_PROC_NULL && (!faces_only || is_face(d))) {
            move_all(h, arrived, d, h->received[d]);
        }
    }
}

/* ---- the program ---- */

static void start_values(hydro *h)
{
    for (int z = 0; z < h->mine.n[2]; ++z) {
        for (int y = 0; y < h->mine.n[1]; ++y) {
            for (int x = 0; x < h->mine.n[0]; ++x) {
                const int *first = h->mine.first;
                h->f.stress[element(h, x, y, z)] =
                    sin(first[0] + x + 2.0 * (first[1] + y) + 3.0 * (first[2] + z));
            }
        }
    }
}

static void *create(MPI_Comm comm, int n, way by)
{
    hydro *h = allocate(1, sizeof *h);
    h->comm = comm;
    const hx_partition cube = port_hydro_partition(n, n, n);
    check(hx_decompose(comm, &cube, &h->mine));
    h->shape = port_hydro_shape_dense(&h->mine);
    const size_t nodes = port_hydro_points(&h->shape, PORT_HYDRO_FX);
    const size_t elements = port_hydro_points(&h->shape, PORT_HYDRO_STRAIN);
    h->beside = allocate((size_t)h->mine.n[0] * (size_t)h->mine.n[1] * (size_t)h->mine.n[2],
                         SIDES * sizeof *h->beside);
    place_ghosts(h);
    find_neighbors(h);
    if (by == EMITTED) {
        check(port_hydro_create(comm, &h->shape, NULL, &h->halo));
        check(port_hydro_alloc(h->halo, &h->f));
    } else {
        h->f = (port_hydro_fields){allocate(nodes, sizeof(double)), allocate(nodes, sizeof(double)),
                                   allocate(nodes, sizeof(double)), allocate(elements, sizeof(double)),
                                   allocate(elements, sizeof(double))};
    }
    for (int i = 0; i < FORCES; ++i) {
        h->speed[i] = allocate(nodes, sizeof(double));
    }
    for (int d = 0; d < AROUND; ++d) {
        h->sent[d] = allocate((size_t)room(h, d), sizeof(double));
        h->received[d] = allocate((size_t)room(h, d), sizeof(double));
    }
    start_values(h);
    return h;
}

static void destroy(void *state)
{
    hydro *h = state;
    if (!h->halo) {
        double *const array[] = {h->f.fx, h->f.fy, h->f.fz, h->f.strain, h->f.stress};
        for (size_t i = 0; i < sizeof array / sizeof *array; ++i) {
            free(array[i]);
        }
    }
    check(port_hydro_destroy(h->halo));
    for (int i = 0; i < FORCES; ++i) {
        free(h->speed[i]);
    }
    free(h->beside);
    for (int d = 0; d < AROUND; ++d) {
        free(h->sent[d]);
        free(h->received[d]);
    }
    free(h);
}

/* Where the eight nodes of an element are behind its first one. */
static void corners(const hydro *h, ptrdiff_t at[CORNERS])
{
    for (int c = 0; c < CORNERS; ++c) {
        at[c] = node(h, c % 2, c / 2 % 2, c / 4) - node(h, 0, 0, 0);
    }
}

static void push_nodes(const hydro *h, int y, int z, const ptrdiff_t corner[CORNERS])
{
    for (int x = 0; x < h->mine.n[0]; ++x) {
        const double stress = h->f.stress[element(h, x, y, z)];
        const ptrdiff_t first = node(h, x, y, z);
        for (int c = 0; c < CORNERS; ++c) {
            h->f.fx[first + corner[c]] += c % 2 ? stress : -stress;
            h->f.fy[first + corner[c]] += c / 2 % 2 ? stress : -stress;
            h->f.fz[first + corner[c]] += c / 4 ? stress : -stress;
        }
    }
}

static void strain_elements(const hydro *h, int y, int z, const ptrdiff_t corner[CORNERS])
{
    for (int x = 0; x < h->mine.n[0]; ++x) {
        const ptrdiff_t first = node(h, x, y, z);
        double sum = 0.0;
        for (int c = 0; c < CORNERS; ++c) {
            sum += c % 2 ? h->speed[0][first + corner[c]] : -h->speed[0][first + corner[c]];
            sum += c / 2 % 2 ? h->speed[1][first + corner[c]] : -h->speed[1][first + corner[c]];
            sum += c / 4 ? h->speed[2][first + corner[c]] : -h->speed[2][first + corner[c]];
        }
        h->f.strain[element(h, x, y, z)] = 0.25 * sum;
    }
}

/* Stress follows the strain around; beyond walls there is none. */
static void stress_elements(const hydro *h, int y, int z)
{
    const ptrdiff_t *beside = h->beside + SIDES * element(h, 0, y, z);
    for (int x = 0; x < h->mine.n[0]; ++x, beside += SIDES) {
        double around = 0.0;
        for (int s = 0; s < SIDES; ++s) {
            around += beside[s] == NOWHERE ? 0.0 : h->f.strain[beside[s]];
        }
        h->f.stress[element(h, x, y, z)] -= pace * (h->f.strain[element(h, x, y, z)] + 0.1 * around);
    }
}

static void sum_forces(const hydro *h)
{
    port_enter();
    if (h->halo) {
        check(port_hydro_forces_start(h->halo, &h->f));
        check(port_hydro_forces_finish(h->halo));
    } else {
        exchange_by_hand(h, false, move_forces, ADD);
    }
    port_leave();
}

static void exchange_elements(const hydro *h)
{
    port_enter();
    if (h->halo) {
        check(port_hydro_elements_start(h->halo, &h->f));
        check(port_hydro_elements_finish(h->halo));
    } else {
        exchange_by_hand(h, true, move_elements, UNPACK);
    }
    port_leave();
}

static void speed_up(const hydro *h)
{
    const size_t nodes = port_hydro_points(&h->shape, PORT_HYDRO_FX);
    double *const force[FORCES] = {h->f.fx, h->f.fy, h->f.fz};
    for (int i = 0; i < FORCES; ++i) {
        for (size_t p = 0; p < nodes; ++p) {
            h->speed[i][p] += pace * force[i][p];
            force[i][p] = 0.0;
        }
    }
}

static void step(void *state)
{
    hydro *h = state;
    const int ny = h->mine.n[1], nz = h->mine.n[2];
    ptrdiff_t corner[CORNERS];
    corners(h, corner);
    for (int row = 0; row < ny * nz; ++row) {
        push_nodes(h, row % ny, row / ny, corner);
    }
    sum_forces(h);
    speed_up(h);
    for (int row = 0; row < ny * nz; ++row) {
        strain_elements(h, row % ny, row / ny, corner);
    }
    exchange_elements(h);
    for (int row = 0; row < ny * nz; ++row) {
        stress_elements(h, row % ny, row / ny);
    }
}

static double difference(const void *state, const void *serial)
{
    const hydro *h = state, *whole = serial;
    const int *first = h->mine.first;
    double worst = 0.0, largest = 0.0;
    for (int z = 0; z < h->mine.n[2]; ++z) {
        for (int y = 0; y < h->mine.n[1]; ++y) {
            for (int x = 0; x < h->mine.n[0]; ++x) {
                const double own = h->f.stress[element(h, x, y, z)];
                const double right =
                    whole->f.stress[element(whole, first[0] + x, first[1] + y, first[2] + z)];
                worst = port_larger(fabs(own - right), worst);
                largest = port_larger(fabs(right), largest);
            }
        }
    }
    return worst / largest;
}

int main(int argc, char **argv)
{
    /* Sums of the same numbers in another order: bits differ from those of the serial program. */
    const port p = {"hydro", 9, {8, 30, 64}, 1e-13, create, step, difference, destroy};
    return port_main(&p, argc, argv);
}
