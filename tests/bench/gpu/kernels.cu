/*
 * In the words of <hx/cuda.h>, as emitted device code is, so that it can be tried without a GPU, too.
 */
#include "kernels.h"

/* ---- values ---------------------------------------------------------------------------------- */

typedef struct cell {
    int at[3]; /* x, y, z; below 0 or from n on: ghost cells */
} cell;

HX_DEVICE cell cell_of(const values *v, uint32_t number)
{
    const uint32_t wide = (uint32_t)(v->n + 2 * v->h);
    const uint32_t row = number / wide;
    const cell c = {{(int)(row / wide) - v->h, (int)(row % wide) - v->h, (int)(number % wide) - v->h}};
    return c;
}

HX_DEVICE bool is_owned(const values *v, const cell *c)
{
    bool owned = true;
    HX_UNROLL
    for (int a = 0; a < 3; ++a) {
        owned = owned && c->at[a] >= 0 && c->at[a] < v->n;
    }
    return owned;
}

/* What belongs into a cell of a periodic box: numbers below 2^53, so each is one of its own. */
HX_DEVICE double value_of(const values *v, const cell *c)
{
    double number = 0.0;
    HX_UNROLL
    for (int a = 0; a < 3; ++a) {
        number = number * v->n + (c->at[a] + v->n) % v->n;
    }
    return v->first + number;
}

HX_DEVICE uint32_t cells_of(const values *v)
{
    const uint32_t wide = (uint32_t)(v->n + 2 * v->h);
    return wide * wide * wide;
}

HX_KERNEL(fill, values)
{
    const uint32_t cells = cells_of(a);
    for (uint32_t i = blockIdx.x * HX_CUDA_THREADS + threadIdx.x; i < cells;
         i += a->blocks * HX_CUDA_THREADS) {
        const cell c = cell_of(a, i);
        a->field[i] = is_owned(a, &c) ? value_of(a, &c) : -1.0 - a->first;
    }
}

HX_KERNEL(check, values)
{
    const uint32_t cells = cells_of(a);
    const uint32_t thread = blockIdx.x * HX_CUDA_THREADS + threadIdx.x;
    uint32_t wrong = 0;
    for (uint32_t i = thread; i < cells; i += a->blocks * HX_CUDA_THREADS) {
        const cell c = cell_of(a, i);
        wrong += !(a->field[i] == value_of(a, &c));
    }
    a->wrong[thread] = wrong;
}

int values_fill(const values *v, void *stream)
{
    return HX_LAUNCH(fill, v, v->blocks, stream);
}

int values_check(const values *v, void *stream)
{
    return HX_LAUNCH(check, v, v->blocks, stream);
}

/* ---- index arrays: an element a thread ------------------------------------------------------- */

HX_KERNEL(pack_one, indexed)
{
    const uint32_t i = blockIdx.x * HX_CUDA_THREADS + threadIdx.x;
    if (i < a->count) {
        a->message[i] = a->field[a->index[i]];
    }
}

HX_KERNEL(unpack_one, indexed)
{
    const uint32_t i = blockIdx.x * HX_CUDA_THREADS + threadIdx.x;
    if (i < a->count) {
        a->field[a->index[i]] = a->message[i];
    }
}

static unsigned blocks_for(uint32_t count)
{
    return (count + HX_CUDA_THREADS - 1) / HX_CUDA_THREADS;
}

int index_pack(const indexed *x, void *stream)
{
    return HX_LAUNCH(pack_one, x, blocks_for(x->count), stream);
}

int index_unpack(const indexed *x, void *stream)
{
    return HX_LAUNCH(unpack_one, x, blocks_for(x->count), stream);
}

/* ---- all in one launch: a block of threads has a piece of one direction and field --------------------- */

typedef struct piece {
    double *field;
    double *message;
    const int32_t *index;
    uint32_t first, count;
} piece;

HX_DEVICE piece piece_of(const indexed_all *a)
{
    uint32_t d = 0;
    while (blockIdx.x >= a->first_block[d + 1]) {
        ++d;
    }
    const uint32_t count = a->first[d + 1] - a->first[d];
    const uint32_t pieces = (count + PIECE - 1) / PIECE;
    const uint32_t field = (blockIdx.x - a->first_block[d]) / pieces;
    const piece p = {a->field[field], a->message + a->message_at[d] + field * count, a->index + a->first[d],
                     (blockIdx.x - a->first_block[d]) % pieces * PIECE + threadIdx.x, count};
    return p;
}

HX_KERNEL(pack_all, indexed_all)
{
    const piece p = piece_of(a);
    double value[HX_CUDA_LOADS];
    HX_UNROLL
    for (uint32_t l = 0; l < HX_CUDA_LOADS; ++l) {
        if (p.first + l * HX_CUDA_THREADS < p.count) {
            value[l] = p.field[p.index[p.first + l * HX_CUDA_THREADS]];
        }
    }
    HX_UNROLL
    for (uint32_t l = 0; l < HX_CUDA_LOADS; ++l) {
        if (p.first + l * HX_CUDA_THREADS < p.count) {
            p.message[p.first + l * HX_CUDA_THREADS] = value[l];
        }
    }
}

HX_KERNEL(unpack_all, indexed_all)
{
    const piece p = piece_of(a);
    double value[HX_CUDA_LOADS];
    int32_t at[HX_CUDA_LOADS];
    HX_UNROLL
    for (uint32_t l = 0; l < HX_CUDA_LOADS; ++l) {
        if (p.first + l * HX_CUDA_THREADS < p.count) {
            value[l] = p.message[p.first + l * HX_CUDA_THREADS];
            at[l] = p.index[p.first + l * HX_CUDA_THREADS];
        }
    }
    HX_UNROLL
    for (uint32_t l = 0; l < HX_CUDA_LOADS; ++l) {
        if (p.first + l * HX_CUDA_THREADS < p.count) {
            p.field[at[l]] = value[l];
        }
    }
}

int index_pack_all(const indexed_all *x, void *stream)
{
    return HX_LAUNCH(pack_all, x, x->first_block[DIRECTIONS], stream);
}

int index_unpack_all(const indexed_all *x, void *stream)
{
    return HX_LAUNCH(unpack_all, x, x->first_block[DIRECTIONS], stream);
}

/* ---- ghost cells at the ends of rows, as fast as memory takes them ---------------------------------- */

HX_DEVICE uint32_t cells_at_ends(const ends *a)
{
    return (a->rows - 1) * 2 * a->h;
}

HX_DEVICE uint32_t pieces_of_ends(const ends *a)
{
    return (cells_at_ends(a) + PIECE - 1) / PIECE;
}

HX_KERNEL(write_ends, ends)
{
    const uint32_t pieces = pieces_of_ends(a);
    const uint32_t field = blockIdx.x / pieces;
    const uint32_t first = blockIdx.x % pieces * PIECE + threadIdx.x;
    const double *message = a->message + field * cells_at_ends(a);
    double value[HX_CUDA_LOADS];
    HX_UNROLL
    for (uint32_t l = 0; l < HX_CUDA_LOADS; ++l) {
        if (first + l * HX_CUDA_THREADS < cells_at_ends(a)) {
            value[l] = message[first + l * HX_CUDA_THREADS];
        }
    }
    HX_UNROLL
    for (uint32_t l = 0; l < HX_CUDA_LOADS; ++l) {
        const uint32_t i = first + l * HX_CUDA_THREADS;
        if (i < cells_at_ends(a)) {
            a->field[field][(size_t)(i / (2 * a->h) + 1) * a->wide - a->h + i % (2 * a->h)] = value[l];
        }
    }
}

int ends_write(const ends *e, void *stream)
{
    const uint32_t pieces = ((e->rows - 1) * 2 * e->h + PIECE - 1) / PIECE;
    return HX_LAUNCH(write_ends, e, pieces * e->fields, stream);
}

/* ---- what a launch costs --------------------------------------------------------------------- */

typedef struct unused {
    int number;
} unused;

HX_KERNEL(do_nothing, unused)
{
    (void)a;
}

int nothing(void *stream)
{
    const unused none = {0};
    return HX_LAUNCH(do_nothing, &none, 1, stream);
}
