#include "bench.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int problem_width(const problem *p)
{
    return p->n + 2 * p->halo;
}

static size_t points(const problem *p)
{
    const size_t width = (size_t)problem_width(p);
    return width * width * width;
}

/* Numbers ranks as MPI_Cart_create does. */
static int rank_at(const problem *p, const int index[3])
{
    int wrapped[3];
    for (int a = 0; a < 3; ++a) {
        wrapped[a] = (index[a] + p->ranks[a]) % p->ranks[a];
    }
    return (wrapped[0] * p->ranks[1] + wrapped[1]) * p->ranks[2] + wrapped[2];
}

void problem_create(problem *p, int n, int halo, int fields, const int ranks[3])
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *p = (problem){.n = n, .halo = halo, .fields = fields};
    for (int a = 2; a >= 0; --a) {
        p->ranks[a] = ranks[a];
        p->index[a] = rank % ranks[a];
        rank /= ranks[a];
    }
    for (int f = 0; f < fields; ++f) {
        p->field[f] = allocate(points(p) * sizeof(double));
    }
}

void problem_destroy(problem *p)
{
    for (int f = 0; f < p->fields; ++f) {
        free(p->field[f]);
    }
}

/* -1, 0 or 1 along axis a of direction number 0 ... 26, of which 13 is none. */
static int step(int direction, int a)
{
    static const int weight[3] = {9, 3, 1};
    return direction / weight[a] % 3 - 1;
}

void problem_neighbors(const problem *p, neighbor list[NEIGHBORS])
{
    int count = 0;
    for (int direction = 0; direction < 27; ++direction) {
        if (direction == 13) {
            continue;
        }
        neighbor *to = &list[count++];
        int index[3];
        for (int a = 0; a < 3; ++a) {
            const int side = step(direction, a);
            index[a] = p->index[a] + side;
            to->extent[a] = side ? p->halo : p->n;
            to->interior[a] = side > 0 ? p->n : p->halo;
            to->halo[a] = side < 0 ? 0 : side > 0 ? p->n + p->halo : p->halo;
        }
        to->rank = rank_at(p, index);
        to->tag = direction;
        to->reply_tag = 26 - direction;
    }
}

/* The value of the point with this index in the block's array, whichever rank owns it. */
static double value_at(const problem *p, int run, int f, const int at[3])
{
    int64_t number = f;
    for (int a = 0; a < 3; ++a) {
        const int cells = p->ranks[a] * p->n;
        const int cell = (p->index[a] * p->n + at[a] - p->halo + cells) % cells;
        number = number * cells + cell;
    }
    return (double)(number + 1) + run / 16.0;
}

static bool owned(const problem *p, const int at[3])
{
    for (int a = 0; a < 3; ++a) {
        if (at[a] < p->halo || at[a] >= p->n + p->halo) {
            return false;
        }
    }
    return true;
}

void problem_fill(problem *p, int run)
{
    const int width = problem_width(p);
    for (int f = 0; f < p->fields; ++f) {
        double *point = p->field[f];
        for (int i = 0; i < width; ++i) {
            for (int j = 0; j < width; ++j) {
                for (int k = 0; k < width; ++k) {
                    const int at[3] = {i, j, k};
                    *point++ = owned(p, at) ? value_at(p, run, f, at) : -1.0;
                }
            }
        }
    }
}

long problem_wrong_points(const problem *p, int run)
{
    const int width = problem_width(p);
    long wrong = 0;
    for (int f = 0; f < p->fields; ++f) {
        const double *point = p->field[f];
        for (int i = 0; i < width; ++i) {
            for (int j = 0; j < width; ++j) {
                for (int k = 0; k < width; ++k) {
                    const int at[3] = {i, j, k};
                    wrong += *point++ != value_at(p, run, f, at);
                }
            }
        }
    }
    long total;
    MPI_Allreduce(&wrong, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return total;
}

/* In place; a row is finished aside first, so that the loop over it has no dependence. */
static void sweep_row(double *restrict row, double *restrict next, int n, ptrdiff_t up, ptrdiff_t plane)
{
    for (int k = 0; k < n; ++k) {
        next[k] = 0.4 * row[k] + 0.1 * (row[k - 1] + row[k + 1] + row[k - up] + row[k + up] + row[k - plane] +
                                        row[k + plane]);
    }
    memcpy(row, next, (size_t)n * sizeof *row);
}

void problem_sweep(problem *p)
{
    const ptrdiff_t up = problem_width(p), plane = up * up;
    const ptrdiff_t first = p->halo, last = p->halo + p->n;
    static double next[LARGEST];
    for (int f = 0; f < p->fields; ++f) {
        for (ptrdiff_t i = first; i < last; ++i) {
            for (ptrdiff_t j = first; j < last; ++j) {
                sweep_row(p->field[f] + i * plane + j * up + first, next, p->n, up, plane);
            }
        }
    }
}
