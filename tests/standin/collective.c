/*
 * Calls that all ranks of a communicator make in the same order.
 */
#include "counted.h"
#include "engine.h"

#include <string.h>

/* What one rank brings and has got. */
typedef struct standin_share {
    bool here;
    unsigned char *bytes; /* what it gives */
    size_t count;
    unsigned char *in; /* neighborhoods: where messages go, and whence */
    const unsigned char *out;
    const int *in_count, *in_at, *out_count, *out_at;
} share;

typedef struct standin_collective {
    struct standin_collective *next;
    const char *kind;
    int number;
    int signature[3]; /* what must be equal on all ranks */
    int here;
    share share[STANDIN_RANKS];
    MPI_Comm made;
} collective;

static _Thread_local counted so_far;

counted counted_collectives(void)
{
    return so_far;
}

/* The call that this rank makes now, which others may have made before. */
static collective *enter(MPI_Comm comm, const char *kind, int count, int what, int root)
{
    const int me = standin_here()->number;
    const int number = comm->collectives[me]++;
    const bool counts = strcmp(kind, "MPI_Comm_free") != 0;
    so_far.all += counts && !comm->node;
    so_far.node += counts && comm->node;
    collective *c = comm->collective;
    while (c && c->number != number) {
        c = c->next;
    }
    if (!c) {
        c = standin_get(sizeof *c);
        *c = (collective){
            .next = comm->collective, .kind = kind, .number = number, .signature = {count, what, root}};
        comm->collective = c;
    }
    STANDIN_RULE(strcmp(c->kind, kind) == 0, "call %d of all ranks on communicator %d is %s on others.",
                 number, comm->number, c->kind);
    STANDIN_RULE(c->signature[0] == count && c->signature[1] == what && c->signature[2] == root,
                 "count, type or root %d, %d, %d; others called with %d, %d, %d.", count, what, root,
                 c->signature[0], c->signature[1], c->signature[2]);
    c->share[me].here = true;
    c->here++;
    standin_publish(c);
    standin_moved();
    return c;
}

static bool all_here(const collective *c)
{
    return c->here == standin_settings()->ranks;
}

/* Ranks leave one after the other. */
static void leave_late(collective *c)
{
    const long due = standin_due(standin_here()->number, standin_random(standin_settings()->ranks));
    while (standin_now() < due) {
        standin_wait();
    }
    standin_observe(c);
}

static void wait_for_all(collective *c)
{
    while (!all_here(c)) {
        standin_wait();
    }
    leave_late(c);
}

void standin_collective_barrier(MPI_Comm comm)
{
    wait_for_all(enter(comm, "a barrier", 0, 0, 0));
}

void standin_collective_note(MPI_Comm comm, const char *kind)
{
    enter(comm, kind, 0, 0, 0);
}

int MPI_Barrier(MPI_Comm comm)
{
    standin_begin("MPI_Barrier");
    standin_comm_check(comm);
    standin_collective_barrier(comm);
    return standin_end(comm);
}

static void bring(collective *c, const void *bytes, size_t count)
{
    share *mine = &c->share[standin_here()->number];
    mine->bytes = standin_get(count);
    mine->count = count;
    memcpy(mine->bytes, bytes, count);
    standin_publish(c);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    standin_begin("MPI_Bcast");
    standin_comm_check(comm);
    const size_t bytes = standin_bytes(count, type);
    collective *c = enter(comm, "MPI_Bcast", (int)bytes, type, root);
    if (standin_here()->number == root) {
        bring(c, buffer, bytes);
        const bool lingers = standin_random(2) == 0; /* the root may leave before the others come */
        while (lingers && !all_here(c)) {
            standin_wait();
        }
    } else {
        standin_junk(buffer, bytes);
        while (!c->share[root].bytes) {
            standin_wait();
        }
        leave_late(c);
        memcpy(buffer, c->share[root].bytes, bytes);
    }
    return standin_end(comm);
}

/* ---- reductions --------------------------------------------------------------------------------- */

static int64_t reduce_integer(MPI_Op op, int64_t a, int64_t b)
{
    switch (op) {
    case MPI_MIN:
        return a < b ? a : b;
    case MPI_MAX:
        return a > b ? a : b;
    case MPI_SUM:
        return (int64_t)((uint64_t)a + (uint64_t)b);
    default:
        return a | b;
    }
}

static void reduce(MPI_Op op, MPI_Datatype type, unsigned char *all, const unsigned char *one)
{
    if (type == MPI_BYTE) {
        *all = (unsigned char)reduce_integer(op, *all, *one);
    } else if (type == MPI_INT) {
        int a[2];
        memcpy(&a[0], all, sizeof *a);
        memcpy(&a[1], one, sizeof *a);
        a[0] = (int)reduce_integer(op, a[0], a[1]);
        memcpy(all, &a[0], sizeof *a);
    } else {
        int64_t a[2];
        memcpy(&a[0], all, sizeof *a);
        memcpy(&a[1], one, sizeof *a);
        a[0] = reduce_integer(op, a[0], a[1]);
        memcpy(all, &a[0], sizeof *a);
    }
}

int MPI_Allgather(const void *mine, int count, MPI_Datatype type, void *all, int all_count,
                  MPI_Datatype all_type, MPI_Comm comm)
{
    standin_begin("MPI_Allgather");
    standin_comm_check(comm);
    const size_t bytes = standin_bytes(count, type);
    STANDIN_RULE(bytes == standin_bytes(all_count, all_type), "a rank gathers other than it gives.");
    collective *c = enter(comm, "MPI_Allgather", count, type, 0);
    bring(c, mine, bytes);
    wait_for_all(c);
    for (int r = 0; r < standin_settings()->ranks; ++r) {
        memcpy((unsigned char *)all + (size_t)r * bytes, c->share[r].bytes, bytes);
    }
    return standin_end(comm);
}

/* Of what all have brought. */
static void reduce_all(const collective *c, unsigned char *all)
{
    const MPI_Datatype type = (MPI_Datatype)c->signature[1];
    const size_t bytes = standin_bytes(c->signature[0], type);
    const size_t size = standin_bytes(1, type);
    memcpy(all, c->share[0].bytes, bytes);
    for (int r = 1; r < standin_settings()->ranks; ++r) {
        for (size_t at = 0; at < bytes; at += size) {
            reduce((MPI_Op)c->signature[2], type, all + at, c->share[r].bytes + at);
        }
    }
}

int MPI_Allreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    standin_begin("MPI_Allreduce");
    standin_comm_check(comm);
    collective *c = enter(comm, "MPI_Allreduce", count, type, op);
    bring(c, mine == MPI_IN_PLACE ? all : mine, standin_bytes(count, type));
    wait_for_all(c);
    reduce_all(c, all);
    return standin_end(comm);
}

/* ---- communicators ------------------------------------------------------------------------------ */

static const int *copy_of(const int *list, int count)
{
    int *copy = standin_get((size_t)count * sizeof *copy);
    if (count > 0) {
        memcpy(copy, list, (size_t)count * sizeof *copy);
    }
    return copy;
}

static int find(const int *list, int count, int wanted)
{
    int i = 0;
    while (i < count && list[i] != wanted) {
        ++i;
    }
    return i;
}

static void check_edges(MPI_Comm graph)
{
    for (int to = 0; to < standin_settings()->ranks; ++to) {
        const standin_edges *e = &graph->edges[to];
        for (int i = 0; i < e->ins; ++i) {
            const standin_edges *other = &graph->edges[e->from[i]];
            const int back = find(other->to, other->outs, to);
            STANDIN_RULE(back < other->outs && other->out_weight[back] == e->in_weight[i],
                         "ranks %d and %d give different edges, or weights, from the first to the second.",
                         e->from[i], to);
        }
    }
}

MPI_Comm standin_collective_comm(MPI_Comm comm, const char *kind, const standin_edges *mine)
{
    collective *c = enter(comm, kind, 0, 0, 0);
    if (!c->made) {
        c->made = standin_comm_make(comm);
        c->made->graph = mine != NULL;
    }
    if (mine) {
        c->made->edges[standin_here()->number] = (standin_edges){
            mine->ins,
            mine->outs,
            copy_of(mine->from, mine->ins),
            copy_of(mine->to, mine->outs),
            copy_of(mine->in_weight, mine->ins),
            copy_of(mine->out_weight, mine->outs),
        };
    }
    wait_for_all(c);
    check_edges(c->made);
    standin_here()->holds.comms++;
    return c->made;
}

/* ---- collectives with a request ----------------------------------------------------------------- */

static MPI_Request start(MPI_Comm comm, collective *c)
{
    MPI_Request r = standin_request_make(comm);
    r->kind = STANDIN_COLLECTIVE;
    r->active = true;
    r->collective = c;
    r->share = &c->share[r->rank->number];
    r->due = standin_due(r->rank->number, standin_random(standin_settings()->ranks));
    return r;
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    standin_begin("MPI_Ibarrier");
    standin_comm_check(comm);
    *request = start(comm, enter(comm, "MPI_Ibarrier", 0, 0, 0));
    return standin_end(comm);
}

int MPI_Iallreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request)
{
    standin_begin("MPI_Iallreduce");
    standin_comm_check(comm);
    collective *c = enter(comm, "MPI_Iallreduce", count, type, op);
    bring(c, mine, standin_bytes(count, type));
    *request = start(comm, c);
    (*request)->share->in = all;
    return standin_end(comm);
}

static size_t end_of(const int count[], const int at[], int messages)
{
    size_t end = 0;
    for (int i = 0; i < messages; ++i) {
        const size_t its = (size_t)at[i] + (size_t)count[i];
        end = its > end ? its : end;
    }
    return end;
}

int MPI_Ineighbor_alltoallv(const void *out, const int out_count[], const int out_at[], MPI_Datatype out_type,
                            void *in, const int in_count[], const int in_at[], MPI_Datatype in_type,
                            MPI_Comm comm, MPI_Request *request)
{
    standin_begin("MPI_Ineighbor_alltoallv");
    standin_comm_check(comm);
    STANDIN_RULE(comm->graph && out_type == MPI_BYTE && in_type == MPI_BYTE, "bytes along a graph only.");
    collective *c = enter(comm, "MPI_Ineighbor_alltoallv", 0, 0, 0);
    const standin_edges *e = &comm->edges[standin_here()->number];
    bring(c, out, end_of(out_count, out_at, e->outs));
    *request = start(comm, c);
    share *s = (*request)->share;
    s->in = in;
    s->in_count = copy_of(in_count, e->ins);
    s->in_at = copy_of(in_at, e->ins);
    s->out = out;
    s->out_count = copy_of(out_count, e->outs);
    s->out_at = copy_of(out_at, e->outs);
    for (int i = 0; i < e->ins; ++i) {
        standin_junk(s->in + in_at[i], (size_t)in_count[i]);
    }
    return standin_end(comm);
}

/* Have those come that this rank gets messages from? */
static bool neighbors_here(MPI_Request r)
{
    const standin_edges *e = &r->comm->edges[r->rank->number];
    bool here = true;
    for (int i = 0; i < e->ins; ++i) {
        here = here && r->collective->share[e->from[i]].here;
    }
    return here;
}

bool standin_collective_done(MPI_Request r)
{
    const bool here = r->share->out_count ? neighbors_here(r) : all_here(r->collective);
    return here && standin_now() >= r->due;
}

static void take_messages(MPI_Request r)
{
    const standin_edges *e = &r->comm->edges[r->rank->number];
    const share *s = r->share;
    for (int i = 0; i < e->outs; ++i) {
        STANDIN_RULE(memcmp(s->out + s->out_at[i], s->bytes + s->out_at[i], (size_t)s->out_count[i]) == 0,
                     "the message to rank %d was written while it was under way.", e->to[i]);
    }
    for (int i = 0; i < e->ins; ++i) {
        const standin_edges *other = &r->comm->edges[e->from[i]];
        const share *theirs = &r->collective->share[e->from[i]];
        const int k = find(other->to, other->outs, r->rank->number);
        STANDIN_RULE(theirs->out_count[k] == s->in_count[i], "%d bytes from rank %d; rank %d receives %d.",
                     theirs->out_count[k], e->from[i], r->rank->number, s->in_count[i]);
        standin_junk_check(s->in + s->in_at[i], (size_t)s->in_count[i], "a neighbor's message");
        memcpy(s->in + s->in_at[i], theirs->bytes + theirs->out_at[k], (size_t)s->in_count[i]);
    }
}

void standin_collective_take(MPI_Request r)
{
    standin_observe(r->collective);
    if (r->share->out_count) {
        take_messages(r);
    } else if (r->share->in) {
        reduce_all(r->collective, r->share->in);
    }
}
