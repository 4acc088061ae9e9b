/*
 * What a competent user writes today: for each neighbor and field one message, described by MPI subarray
 * datatypes.
 */
#include "bench.h"

#include <stdlib.h>

typedef struct state {
    const problem *p;
    neighbor to[NEIGHBORS];
    MPI_Datatype interior[NEIGHBORS], halo[NEIGHBORS];
    MPI_Request request[2 * NEIGHBORS * MAX_FIELDS];
    int requests;
} state;

static MPI_Datatype box(const problem *p, const int extent[3], const int first[3])
{
    const int width = problem_width(p);
    const int whole[3] = {width, width, width};
    MPI_Datatype type;
    MPI_Type_create_subarray(3, whole, extent, first, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

static state *create(const problem *p)
{
    state *s = allocate(sizeof *s);
    s->p = p;
    s->requests = 0;
    problem_neighbors(p, s->to);
    for (int i = 0; i < NEIGHBORS; ++i) {
        s->interior[i] = box(p, s->to[i].extent, s->to[i].interior);
        s->halo[i] = box(p, s->to[i].extent, s->to[i].halo);
    }
    return s;
}

static int tag(int f, int direction)
{
    return f * (NEIGHBORS + 1) + direction;
}

static void *create_nonblocking(const problem *p)
{
    return create(p);
}

static void exchange_nonblocking(void *opaque)
{
    state *s = opaque;
    int count = 0;
    for (int f = 0; f < s->p->fields; ++f) {
        for (int i = 0; i < NEIGHBORS; ++i) {
            MPI_Irecv(s->p->field[f], 1, s->halo[i], s->to[i].rank, tag(f, s->to[i].reply_tag),
                      MPI_COMM_WORLD, &s->request[count++]);
        }
    }
    for (int f = 0; f < s->p->fields; ++f) {
        for (int i = 0; i < NEIGHBORS; ++i) {
            MPI_Isend(s->p->field[f], 1, s->interior[i], s->to[i].rank, tag(f, s->to[i].tag), MPI_COMM_WORLD,
                      &s->request[count++]);
        }
    }
    MPI_Waitall(count, s->request, MPI_STATUSES_IGNORE);
}

static void *create_persistent(const problem *p)
{
    state *s = create(p);
    for (int f = 0; f < p->fields; ++f) {
        for (int i = 0; i < NEIGHBORS; ++i) {
            MPI_Recv_init(p->field[f], 1, s->halo[i], s->to[i].rank, tag(f, s->to[i].reply_tag),
                          MPI_COMM_WORLD, &s->request[s->requests++]);
        }
    }
    for (int f = 0; f < p->fields; ++f) {
        for (int i = 0; i < NEIGHBORS; ++i) {
            MPI_Send_init(p->field[f], 1, s->interior[i], s->to[i].rank, tag(f, s->to[i].tag), MPI_COMM_WORLD,
                          &s->request[s->requests++]);
        }
    }
    return s;
}

static void exchange_persistent(void *opaque)
{
    state *s = opaque;
    MPI_Startall(s->requests, s->request);
    MPI_Waitall(s->requests, s->request, MPI_STATUSES_IGNORE);
}

static void destroy(void *opaque)
{
    state *s = opaque;
    for (int i = 0; i < s->requests; ++i) {
        MPI_Request_free(&s->request[i]);
    }
    for (int i = 0; i < NEIGHBORS; ++i) {
        MPI_Type_free(&s->interior[i]);
        MPI_Type_free(&s->halo[i]);
    }
    free(s);
}

const variant datatypes_nonblocking = {"datatypes",
                                       "(a) subarray datatypes, Isend and Irecv per neighbor and field",
                                       create_nonblocking, exchange_nonblocking, destroy};
const variant datatypes_persistent = {"datatypes-persistent", "(b) the same as persistent requests",
                                      create_persistent, exchange_persistent, destroy};
