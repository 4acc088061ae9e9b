#include "bench.h"

#include <stdlib.h>
#include <string.h>

typedef double _Complex complex128;

size_t problem_size(const problem *p, int f)
{
    static const size_t size[] = {
        [DOUBLE] = sizeof(double),
        [FLOAT] = sizeof(float),
        [INT32] = sizeof(int32_t),
        [COMPLEX128] = sizeof(complex128),
    };
    return size[p->kind->field[f].type];
}

int problem_width(const problem *p, int f)
{
    return p->n + 2 * p->kind->field[f].halo;
}

static int layers(const problem *p, int f)
{
    return p->kind->width ? p->kind->width : p->kind->field[f].halo;
}

static size_t elements(const problem *p, int f)
{
    const size_t width = (size_t)problem_width(p, f);
    return width * width * width * (size_t)p->components;
}

void problem_create(problem *p, const kind *k, int n, const int ranks[3], bool together, size_t shift)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *p = (problem){.kind = k, .n = n, .shift = shift};
    p->alone = ranks[0] * ranks[1] * ranks[2] == 1;
    p->arrays = together ? 1 : k->fields;
    p->components = together ? k->fields : 1;
    for (int a = 2; a >= 0; --a) {
        p->ranks[a] = ranks[a];
        p->index[a] = rank % ranks[a];
        rank /= ranks[a];
        p->split[a] = k->blocks > 1 && ranks[a] == 1 ? 2 : 1;
    }
    for (int f = 0; f < p->arrays; ++f) {
        p->row[f] = (ptrdiff_t)p->components * problem_width(p, f);
        p->plane[f] = p->row[f] * problem_width(p, f);
    }
    for (int b = 0; b < k->blocks; ++b) {
        for (int f = 0; f < p->arrays; ++f) {
            p->array[b][f] = (char *)allocate(elements(p, f) * problem_size(p, f) + shift) + shift;
        }
    }
}

void problem_destroy(problem *p)
{
    for (int b = 0; b < p->kind->blocks; ++b) {
        for (int f = 0; f < p->arrays; ++f) {
            free((char *)p->array[b][f] - p->shift);
        }
    }
}

void problem_block(const problem *p, int block, int at[3])
{
    for (int a = 2; a >= 0; --a) {
        at[a] = p->index[a] * p->split[a] + block % p->split[a];
        block /= p->split[a];
    }
}

/* The rank that owns a block, numbered as MPI_Cart_create does, and the block's number there. */
static int find(const problem *p, const int at[3], int *block)
{
    int rank = 0;
    *block = 0;
    for (int a = 0; a < 3; ++a) {
        const int blocks = p->ranks[a] * p->split[a];
        const int wrapped = (at[a] + blocks) % blocks;
        rank = rank * p->ranks[a] + wrapped / p->split[a];
        *block = *block * p->split[a] + wrapped % p->split[a];
    }
    return rank;
}

int problem_owner(const problem *p, const int at[3])
{
    int block;
    return find(p, at, &block);
}

/* -1, 0 or 1 along axis a of direction number 0 ... 26, of which 13 is none. */
static int step(int direction, int a)
{
    static const int weight[3] = {9, 3, 1};
    return direction / weight[a] % 3 - 1;
}

void problem_neighbors(const problem *p, int block, int f, neighbor list[NEIGHBORS])
{
    const int n = p->n, halo = p->kind->field[f].halo, width = layers(p, f);
    int count = 0;
    for (int direction = 0; direction < 27; ++direction) {
        if (direction == 13) {
            continue;
        }
        neighbor *to = &list[count++];
        int at[3];
        problem_block(p, block, at);
        for (int a = 0; a < 3; ++a) {
            const int side = step(direction, a);
            at[a] += side;
            to->extent[a] = side ? width : n;
            to->interior[a] = side > 0 ? halo + n - width : halo;
            to->halo[a] = side < 0 ? halo - width : side > 0 ? halo + n : halo;
        }
        int theirs;
        to->rank = find(p, at, &theirs);
        to->tag = direction * MAX_BLOCKS + block;
        to->reply_tag = (26 - direction) * MAX_BLOCKS + theirs;
    }
}

/* ---- values ---- */

/* Of the point with this index in the block's array, whichever block owns it; from 0. */
static int64_t point_number(const problem *p, const int block[3], int field, int halo, const int at[3])
{
    int64_t number = field;
    for (int a = 0; a < 3; ++a) {
        const int cells = p->ranks[a] * p->split[a] * p->n;
        number = number * cells + (block[a] * p->n + at[a] - halo + cells) % cells;
    }
    return number;
}

/* Values that a type holds exactly; points far from each other may share one where it cannot hold more. */
static double double_of(int64_t number, int run)
{
    return (double)(number + 1) + run / 16.0;
}

static float float_of(int64_t number, int run)
{
    return (float)(number % (1 << 19) + 1) + (float)run / 16.0F;
}

static int32_t int32_t_of(int64_t number, int run)
{
    return (int32_t)(number % (1 << 27) * 16 + run);
}

static complex128 complex128_of(int64_t number, int run)
{
    complex128 value;
    const double parts[2] = {double_of(number, run), -double_of(number, run)};
    memcpy(&value, parts, sizeof value);
    return value;
}

/* Does a coordinate lie in a block with so many layers around? */
static bool inside(const problem *p, int halo, int around, const int at[3])
{
    for (int a = 0; a < 3; ++a) {
        if (at[a] < halo - around || at[a] >= p->n + halo + around) {
            return false;
        }
    }
    return true;
}

/*
 * Writes an array, or else counts what is not as it would write it; `around` layers have values, others -1.
 */
#define DEFINE_VISIT(T)                                                                                      \
    static long visit_##T(const problem *p, int run, int block, int f, int around, bool write)               \
    {                                                                                                        \
        const int width = problem_width(p, f), halo = p->kind->field[f].halo;                                \
        T *first = p->array[block][f];                                                                       \
        int place[3];                                                                                        \
        problem_block(p, block, place);                                                                      \
        long wrong = 0;                                                                                      \
        for (int i = 0; i < width; ++i) {                                                                    \
            for (int j = 0; j < width; ++j) {                                                                \
                T *point = first + i * p->plane[f] + j * p->row[f];                                          \
                for (int k = 0; k < width; ++k) {                                                            \
                    const int at[3] = {i, j, k};                                                             \
                    const bool valued = inside(p, halo, around, at);                                         \
                    for (int c = 0; c < p->components; ++c, ++point) {                                       \
                        const T value =                                                                      \
                            valued ? T##_of(point_number(p, place, f + c, halo, at), run) : (T)-1;           \
                        if (write) {                                                                         \
                            *point = value;                                                                  \
                        } else {                                                                             \
                            wrong += *point != value;                                                        \
                        }                                                                                    \
                    }                                                                                        \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        return wrong;                                                                                        \
    }

DEFINE_VISIT(double)
DEFINE_VISIT(float)
DEFINE_VISIT(int32_t)
DEFINE_VISIT(complex128)

static long visit(const problem *p, int run, bool write)
{
    static long (*const visit_type[])(const problem *, int, int, int, int, bool) = {
        [DOUBLE] = visit_double,
        [FLOAT] = visit_float,
        [INT32] = visit_int32_t,
        [COMPLEX128] = visit_complex128,
    };
    long wrong = 0;
    for (int b = 0; b < p->kind->blocks; ++b) {
        for (int f = 0; f < p->arrays; ++f) {
            const int around = write ? 0 : layers(p, f);
            wrong += visit_type[p->kind->field[f].type](p, run, b, f, around, write);
        }
    }
    return wrong;
}

void problem_fill(problem *p, int run)
{
    visit(p, run, true);
}

long problem_wrong_points(const problem *p, int run)
{
    const long wrong = visit(p, run, false);
    long total;
    MPI_Allreduce(&wrong, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return total;
}

/* ---- the sweep ---- */

/* In place; a row is finished aside first, so that the loop over it has no dependence. */
#define DEFINE_SWEEP(T, centre, side)                                                                        \
    static void sweep_row_##T(T *restrict row, T *restrict next, ptrdiff_t n, ptrdiff_t across,              \
                              ptrdiff_t up, ptrdiff_t plane)                                                 \
    {                                                                                                        \
        for (ptrdiff_t k = 0; k < n; ++k) {                                                                  \
            next[k] = row[k] centre + (row[k - across] side + row[k + across] side + row[k - up] side +      \
                                       row[k + up] side + row[k - plane] side + row[k + plane] side);        \
        }                                                                                                    \
        memcpy(row, next, (size_t)n * sizeof *row);                                                          \
    }                                                                                                        \
    static void sweep_##T(const problem *p, int block, int f)                                                \
    {                                                                                                        \
        static T next[LARGEST * MAX_FIELDS];                                                                 \
        const ptrdiff_t across = p->components, up = p->row[f], plane = p->plane[f];                         \
        const ptrdiff_t first = p->kind->field[f].halo, last = first + p->n;                                 \
        for (ptrdiff_t i = first; i < last; ++i) {                                                           \
            for (ptrdiff_t j = first; j < last; ++j) {                                                       \
                sweep_row_##T((T *)p->array[block][f] + i * plane + j * up + first * across, next,           \
                              p->n * across, across, up, plane);                                             \
            }                                                                                                \
        }                                                                                                    \
    }

DEFINE_SWEEP(double, *0.4, *0.1)
DEFINE_SWEEP(float, *0.4F, *0.1F)
DEFINE_SWEEP(int32_t, / 4, / 8)
DEFINE_SWEEP(complex128, *0.4, *0.1)

void problem_sweep(void *opaque)
{
    const problem *p = opaque;
    static void (*const sweep_type[])(const problem *, int, int) = {
        [DOUBLE] = sweep_double,
        [FLOAT] = sweep_float,
        [INT32] = sweep_int32_t,
        [COMPLEX128] = sweep_complex128,
    };
    for (int b = 0; b < p->kind->blocks; ++b) {
        for (int f = 0; f < p->arrays; ++f) {
            sweep_type[p->kind->field[f].type](p, b, f);
        }
    }
}
