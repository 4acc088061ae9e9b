/*
 * What a competent user writes today: for each block, neighbor and field one message, described by MPI
 * subarray datatypes.
 */
#include "bench.h"

#include <stdlib.h>

/* The message to and the message from one neighbor of one block, of one field. */
typedef struct pair {
    void *array;
    MPI_Datatype interior, halo;
    int rank, tag, reply_tag;
} pair;

typedef struct state {
    int pairs;
    pair *pair;
    MPI_Request *request;
    bool persistent;
} state;

static MPI_Datatype box(const problem *p, int f, const int extent[3], const int first[3])
{
    const MPI_Datatype element[] = {
        [DOUBLE] = MPI_DOUBLE,
        [FLOAT] = MPI_FLOAT,
        [INT32] = MPI_INT32_T,
        [COMPLEX128] = MPI_C_DOUBLE_COMPLEX,
    };
    const int width = problem_width(p, f);
    const int whole[3] = {width, width, width};
    MPI_Datatype made;
    MPI_Type_create_subarray(3, whole, extent, first, MPI_ORDER_C, element[p->kind->field[f].type], &made);
    MPI_Type_commit(&made);
    return made;
}

static state *create(const problem *p)
{
    state *s = allocate(sizeof *s);
    const int count = p->kind->blocks * p->arrays * NEIGHBORS;
    *s = (state){.pair = allocate((size_t)count * sizeof *s->pair),
                 .request = allocate(2 * (size_t)count * sizeof *s->request)};
    for (int b = 0; b < p->kind->blocks; ++b) {
        for (int f = 0; f < p->arrays; ++f) {
            neighbor to[NEIGHBORS];
            problem_neighbors(p, b, f, to);
            for (int i = 0; i < NEIGHBORS; ++i) {
                s->pair[s->pairs++] = (pair){
                    .array = p->array[b][f],
                    .interior = box(p, f, to[i].extent, to[i].interior),
                    .halo = box(p, f, to[i].extent, to[i].halo),
                    .rank = to[i].rank,
                    .tag = f * TAGS + to[i].tag,
                    .reply_tag = f * TAGS + to[i].reply_tag,
                };
            }
        }
    }
    return s;
}

static void *create_nonblocking(const problem *p)
{
    return create(p);
}

static void exchange_nonblocking(void *opaque)
{
    state *s = opaque;
    for (int i = 0; i < s->pairs; ++i) {
        const pair *x = &s->pair[i];
        MPI_Irecv(x->array, 1, x->halo, x->rank, x->reply_tag, MPI_COMM_WORLD, &s->request[i]);
    }
    for (int i = 0; i < s->pairs; ++i) {
        const pair *x = &s->pair[i];
        MPI_Isend(x->array, 1, x->interior, x->rank, x->tag, MPI_COMM_WORLD, &s->request[s->pairs + i]);
    }
    MPI_Waitall(2 * s->pairs, s->request, MPI_STATUSES_IGNORE);
}

static void *create_persistent(const problem *p)
{
    state *s = create(p);
    s->persistent = true;
    for (int i = 0; i < s->pairs; ++i) {
        const pair *x = &s->pair[i];
        MPI_Recv_init(x->array, 1, x->halo, x->rank, x->reply_tag, MPI_COMM_WORLD, &s->request[i]);
        MPI_Send_init(x->array, 1, x->interior, x->rank, x->tag, MPI_COMM_WORLD, &s->request[s->pairs + i]);
    }
    return s;
}

static void exchange_persistent(void *opaque)
{
    state *s = opaque;
    MPI_Startall(2 * s->pairs, s->request);
    MPI_Waitall(2 * s->pairs, s->request, MPI_STATUSES_IGNORE);
}

static void destroy(void *opaque)
{
    state *s = opaque;
    for (int i = 0; i < s->pairs; ++i) {
        if (s->persistent) {
            MPI_Request_free(&s->request[i]);
            MPI_Request_free(&s->request[s->pairs + i]);
        }
        MPI_Type_free(&s->pair[i].interior);
        MPI_Type_free(&s->pair[i].halo);
    }
    free(s->pair);
    free(s->request);
    free(s);
}

const variant datatypes_nonblocking = {"datatypes",
                                       "(a) subarray datatypes, Isend and Irecv per neighbor and field",
                                       false,
                                       create_nonblocking,
                                       exchange_nonblocking,
                                       destroy,
                                       NULL};
const variant datatypes_persistent = {"datatypes-persistent",
                                      "(b) the same as persistent requests",
                                      false,
                                      create_persistent,
                                      exchange_persistent,
                                      destroy,
                                      NULL};
