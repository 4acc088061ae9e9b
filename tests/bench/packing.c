/*
 * What many libraries do: for each block and neighbor one message, packed and unpacked by the same three
 * loops for every box.
 */
#include "bench.h"

#include <stdlib.h>

typedef double _Complex complex128;

/* The message to and the message from one neighbor of one block, of all fields. */
typedef struct pair {
    int block, rank, tag, reply_tag, bytes;
    char *out, *in;
    struct {
        int extent[3], interior[3], halo[3], at; /* at: of its part of a message */
    } field[MAX_FIELDS];
} pair;

typedef struct state {
    const problem *p;
    int pairs;
    pair *pair;
    MPI_Request *request;
} state;

static void describe(const problem *p, int block, pair *list)
{
    for (int i = 0; i < NEIGHBORS; ++i) {
        list[i] = (pair){.block = block};
    }
    for (int f = 0; f < p->arrays; ++f) {
        neighbor to[NEIGHBORS];
        problem_neighbors(p, block, f, to);
        for (int i = 0; i < NEIGHBORS; ++i) {
            pair *x = &list[i];
            x->rank = to[i].rank;
            x->tag = to[i].tag;
            x->reply_tag = to[i].reply_tag;
            x->bytes = (x->bytes + 15) / 16 * 16;
            x->field[f].at = x->bytes;
            int points = 1;
            for (int a = 0; a < 3; ++a) {
                x->field[f].extent[a] = to[i].extent[a];
                x->field[f].interior[a] = to[i].interior[a];
                x->field[f].halo[a] = to[i].halo[a];
                points *= to[i].extent[a];
            }
            x->bytes += points * (int)problem_size(p, f);
        }
    }
}

static void *create(const problem *p)
{
    state *s = allocate(sizeof *s);
    s->p = p;
    s->pairs = p->kind->blocks * NEIGHBORS;
    s->pair = allocate((size_t)s->pairs * sizeof *s->pair);
    s->request = allocate(2 * (size_t)s->pairs * sizeof *s->request);
    for (int b = 0; b < p->kind->blocks; ++b) {
        describe(p, b, s->pair + b * NEIGHBORS);
    }
    for (int i = 0; i < s->pairs; ++i) {
        s->pair[i].out = allocate((size_t)s->pair[i].bytes);
        s->pair[i].in = allocate((size_t)s->pair[i].bytes);
    }
    return s;
}

#define DEFINE_LOOPS(T)                                                                                      \
    static void pack_##T(const void *field, int width, const int first[3], const int extent[3], void *to)    \
    {                                                                                                        \
        T *buffer = to;                                                                                      \
        for (int i = first[0]; i < first[0] + extent[0]; ++i) {                                              \
            for (int j = first[1]; j < first[1] + extent[1]; ++j) {                                          \
                for (int k = first[2]; k < first[2] + extent[2]; ++k) {                                      \
                    *buffer++ = ((const T *)field)[((ptrdiff_t)i * width + j) * width + k];                  \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void unpack_##T(void *field, int width, const int first[3], const int extent[3],                  \
                           const void *from)                                                                 \
    {                                                                                                        \
        const T *buffer = from;                                                                              \
        for (int i = first[0]; i < first[0] + extent[0]; ++i) {                                              \
            for (int j = first[1]; j < first[1] + extent[1]; ++j) {                                          \
                for (int k = first[2]; k < first[2] + extent[2]; ++k) {                                      \
                    ((T *)field)[((ptrdiff_t)i * width + j) * width + k] = *buffer++;                        \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
    }

DEFINE_LOOPS(double)
DEFINE_LOOPS(float)
DEFINE_LOOPS(int32_t)
DEFINE_LOOPS(complex128)

static const struct {
    void (*pack)(const void *, int, const int[3], const int[3], void *);
    void (*unpack)(void *, int, const int[3], const int[3], const void *);
} loops[] = {
    [DOUBLE] = {pack_double, unpack_double},
    [FLOAT] = {pack_float, unpack_float},
    [INT32] = {pack_int32_t, unpack_int32_t},
    [COMPLEX128] = {pack_complex128, unpack_complex128},
};

static void exchange(void *opaque)
{
    state *s = opaque;
    const problem *p = s->p;
    for (int i = 0; i < s->pairs; ++i) {
        pair *x = &s->pair[i];
        MPI_Irecv(x->in, x->bytes, MPI_BYTE, x->rank, x->reply_tag, MPI_COMM_WORLD, &s->request[i]);
    }
    for (int i = 0; i < s->pairs; ++i) {
        pair *x = &s->pair[i];
        for (int f = 0; f < p->arrays; ++f) {
            loops[p->kind->field[f].type].pack(p->array[x->block][f], problem_width(p, f),
                                               x->field[f].interior, x->field[f].extent,
                                               x->out + x->field[f].at);
        }
        MPI_Isend(x->out, x->bytes, MPI_BYTE, x->rank, x->tag, MPI_COMM_WORLD, &s->request[s->pairs + i]);
    }
    MPI_Waitall(2 * s->pairs, s->request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < s->pairs; ++i) {
        pair *x = &s->pair[i];
        for (int f = 0; f < p->arrays; ++f) {
            loops[p->kind->field[f].type].unpack(p->array[x->block][f], problem_width(p, f), x->field[f].halo,
                                                 x->field[f].extent, x->in + x->field[f].at);
        }
    }
}

static void destroy(void *opaque)
{
    state *s = opaque;
    for (int i = 0; i < s->pairs; ++i) {
        free(s->pair[i].out);
        free(s->pair[i].in);
    }
    free(s->pair);
    free(s->request);
    free(s);
}

const variant packing = {
    "packing", "(c) three generic loops, one message per neighbor", false, create, exchange, destroy, NULL};
