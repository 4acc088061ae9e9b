/*
 * What many libraries do: for each neighbor one message, packed and unpacked by the same three loops for
 * every box.
 */
#include "bench.h"

#include <stdlib.h>

typedef struct state {
    const problem *p;
    neighbor to[NEIGHBORS];
    double *out[NEIGHBORS], *in[NEIGHBORS];
    int count[NEIGHBORS]; /* of values in a message */
} state;

static void *create(const problem *p)
{
    state *s = allocate(sizeof *s);
    s->p = p;
    problem_neighbors(p, s->to);
    for (int i = 0; i < NEIGHBORS; ++i) {
        const int *extent = s->to[i].extent;
        s->count[i] = p->fields * extent[0] * extent[1] * extent[2];
        s->out[i] = allocate((size_t)s->count[i] * sizeof(double));
        s->in[i] = allocate((size_t)s->count[i] * sizeof(double));
    }
    return s;
}

static void pack(const double *field, int width, const int first[3], const int extent[3], double *buffer)
{
    for (int i = first[0]; i < first[0] + extent[0]; ++i) {
        for (int j = first[1]; j < first[1] + extent[1]; ++j) {
            for (int k = first[2]; k < first[2] + extent[2]; ++k) {
                *buffer++ = field[((ptrdiff_t)i * width + j) * width + k];
            }
        }
    }
}

static void unpack(double *field, int width, const int first[3], const int extent[3], const double *buffer)
{
    for (int i = first[0]; i < first[0] + extent[0]; ++i) {
        for (int j = first[1]; j < first[1] + extent[1]; ++j) {
            for (int k = first[2]; k < first[2] + extent[2]; ++k) {
                field[((ptrdiff_t)i * width + j) * width + k] = *buffer++;
            }
        }
    }
}

static void exchange(void *opaque)
{
    state *s = opaque;
    const int fields = s->p->fields, width = problem_width(s->p);
    MPI_Request request[2 * NEIGHBORS];
    for (int i = 0; i < NEIGHBORS; ++i) {
        MPI_Irecv(s->in[i], s->count[i], MPI_DOUBLE, s->to[i].rank, s->to[i].reply_tag, MPI_COMM_WORLD,
                  &request[i]);
    }
    for (int i = 0; i < NEIGHBORS; ++i) {
        const neighbor *to = &s->to[i];
        for (int f = 0; f < fields; ++f) {
            pack(s->p->field[f], width, to->interior, to->extent, s->out[i] + f * (s->count[i] / fields));
        }
        MPI_Isend(s->out[i], s->count[i], MPI_DOUBLE, to->rank, to->tag, MPI_COMM_WORLD,
                  &request[NEIGHBORS + i]);
    }
    MPI_Waitall(2 * NEIGHBORS, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < NEIGHBORS; ++i) {
        for (int f = 0; f < fields; ++f) {
            unpack(s->p->field[f], width, s->to[i].halo, s->to[i].extent,
                   s->in[i] + f * (s->count[i] / fields));
        }
    }
}

static void destroy(void *opaque)
{
    state *s = opaque;
    for (int i = 0; i < NEIGHBORS; ++i) {
        free(s->out[i]);
        free(s->in[i]);
    }
    free(s);
}

const variant packing = {"packing", "(c) three generic loops, one message per neighbor", create, exchange,
                         destroy};
