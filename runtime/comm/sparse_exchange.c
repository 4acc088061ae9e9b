#include "comm/sparse_exchange.h"

#include "base/memory.h"
#include "base/status.h"
#include "comm/sparse_announce.h"

#include <limits.h>
#include <stdlib.h>

enum { NUMBERS = sizeof(hxi_note) / sizeof(int64_t), ANNOUNCED = 0, SENT = 1 /* tags */ };

/* Notes in one message, which MPI counts as numbers.  Tests set a smaller one. */
#ifndef HX_SPARSE_MOST
#define HX_SPARSE_MOST (INT_MAX / NUMBERS)
#endif

static const char purpose[] = "messages between ranks";

/* A sparse exchange under way; the first thing that went wrong is kept, and the protocol goes on. */
typedef struct sparse {
    const hxi_topology *topology;
    hxi_sparse_message *out; /* to one rank: how many notes, which lie side by side */
    int outs;
    hxi_sparse_message *in; /* the same, from one */
    int ins;
    int room; /* for messages that come */
    MPI_Request *request;
    MPI_Status *state; /* one each, never read: MPICH's MPI_STATUSES_IGNORE makes gcc warn */
    hxi_first first;
} sparse;

static void note_failure(void *context, int code, const char *call)
{
    sparse *t = context;
    hxi_first_note(&t->first, hxi_fail_mpi(code, "Telling other ranks (%s)", call));
}

static void note(sparse *t, int code, const char *call)
{
    if (code != MPI_SUCCESS) {
        note_failure(t, code, call);
    }
}

static int notes_of(const hxi_sparse_message *message)
{
    return (int)message->word[0];
}

/* ---- messages ------------------------------------------------------------------------------------------ */

/* How many notes from `first` on go to one rank. */
static size_t count_for_peer(const hxi_note *out, size_t outs, size_t first)
{
    size_t end = first + 1;
    while (end < outs && out[end].peer == out[first].peer) {
        ++end;
    }
    return end - first;
}

static hx_status list_messages(sparse *t, const hxi_note *out, size_t outs)
{
    size_t messages = 0;
    for (size_t i = 0; i < outs; i += count_for_peer(out, outs, i)) {
        ++messages;
    }
    t->out = hxi_memory_get(messages, sizeof *t->out, purpose);
    t->request = hxi_memory_get(messages, sizeof(MPI_Request), purpose);
    t->state = hxi_memory_get(messages, sizeof *t->state, purpose);
    if (!t->out || !t->request || !t->state) {
        return HX_ERR_MEMORY;
    }
    for (size_t i = 0; i < outs;) {
        const size_t notes = count_for_peer(out, outs, i);
        if (notes > HX_SPARSE_MOST) {
            return hxi_fail(
                HX_ERR_LIMIT,
                "Rank %d has to tell rank %d of %zu points; MPI counts up to %d.  Use more ranks, or "
                "ids that lie nearer to each other.",
                t->topology->rank, (int)out[i].peer, notes, HX_SPARSE_MOST);
        }
        t->out[t->outs++] = (hxi_sparse_message){(int)out[i].peer, {notes, 0}};
        i += notes;
    }
    return HX_OK;
}

/* ---- who writes to whom -------------------------------------------------------------------------------- */

static void expect(void *context, const hxi_sparse_message *message)
{
    sparse *t = context;
    if (t->ins == t->room) {
        const int room = t->room > 0 ? 2 * t->room : 16;
        hxi_sparse_message *more =
            hxi_memory_grow(t->in, (size_t)t->ins, (size_t)room, sizeof *more, purpose);
        if (!more) {
            hxi_first_note(&t->first, HX_ERR_MEMORY);
            return;
        }
        t->in = more;
        t->room = room;
    }
    t->in[t->ins++] = *message;
}

static void announce(sparse *t)
{
    hxi_sparse_announce(&(hxi_sparse_announcing){.comm = t->topology->comm,
                                                 .tag = ANNOUNCED,
                                                 .message = t->out,
                                                 .messages = t->outs,
                                                 .request = t->request,
                                                 .status = t->state,
                                                 .hear = expect,
                                                 .fail = note_failure,
                                                 .context = t});
}

/* ---- what they write ----------------------------------------------------------------------------------- */

static int compare_messages(const void *left, const void *right)
{
    const hxi_sparse_message *a = left;
    const hxi_sparse_message *b = right;
    return (a->peer > b->peer) - (a->peer < b->peer);
}

static hx_status make_room(sparse *t, hxi_note **in, size_t *ins)
{
    if (t->ins > 0) {
        qsort(t->in, (size_t)t->ins, sizeof *t->in, compare_messages);
    }
    *ins = 0;
    for (int i = 0; i < t->ins; ++i) {
        *ins += (size_t)notes_of(&t->in[i]);
    }
    const size_t messages = (size_t)t->outs + (size_t)t->ins;
    hxi_memory_free(t->request);
    hxi_memory_free(t->state);
    t->request = hxi_memory_get(messages, sizeof(MPI_Request), purpose);
    t->state = hxi_memory_get(messages, sizeof *t->state, purpose);
    *in = hxi_memory_get(*ins, sizeof **in, purpose);
    return t->request && t->state && *in ? HX_OK : HX_ERR_MEMORY;
}

static void move(sparse *t, const hxi_note *out, hxi_note *in)
{
    MPI_Comm comm = t->topology->comm;
    int requests = 0;
    hxi_note *into = in;
    for (int i = 0; i < t->ins; into += notes_of(&t->in[i++])) {
        t->request[requests] = MPI_REQUEST_NULL;
        note(t,
             MPI_Irecv(into, notes_of(&t->in[i]) * NUMBERS, MPI_UINT64_T, t->in[i].peer, SENT, comm,
                       &t->request[requests++]),
             "MPI_Irecv");
    }
    for (int i = 0; i < t->outs; out += notes_of(&t->out[i++])) {
        t->request[requests] = MPI_REQUEST_NULL;
        note(t,
             MPI_Isend(out, notes_of(&t->out[i]) * NUMBERS, MPI_UINT64_T, t->out[i].peer, SENT, comm,
                       &t->request[requests++]),
             "MPI_Isend");
    }
    int done = 0;
    while (!done) {
        note(t, MPI_Testall(requests, t->request, &done, t->state), "MPI_Testall");
    }
    for (int i = 0; i < t->ins; in += notes_of(&t->in[i++])) {
        for (int n = 0; n < notes_of(&t->in[i]); ++n) {
            in[n].peer = t->in[i].peer;
        }
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static hx_status run(sparse *t, hx_status ready, const hxi_note *out, size_t outs, hxi_note **in, size_t *ins)
{
    MPI_Comm comm = t->topology->comm;
    hx_status status = hxi_topology_agree(comm, ready == HX_OK ? list_messages(t, out, outs) : ready);
    if (status != HX_OK) {
        return status;
    }
    announce(t);
    hxi_first_note(&t->first, make_room(t, in, ins));
    status = hxi_topology_agree(comm, hxi_first_tell(&t->first));
    if (status != HX_OK) {
        return status;
    }
    move(t, out, *in);
    return hxi_topology_agree(comm, hxi_first_tell(&t->first));
}

hx_status hxi_sparse_exchange(const hxi_topology *topology, hx_status ready, const hxi_note *out, size_t outs,
                              hxi_note **in, size_t *ins)
{
    sparse t = {.topology = topology};
    *in = NULL;
    *ins = 0;
    const hx_status status = run(&t, ready, out, outs, in, ins);
    hxi_memory_free(t.out);
    hxi_memory_free(t.in);
    hxi_memory_free(t.request);
    hxi_memory_free(t.state);
    if (status != HX_OK) {
        hxi_memory_free(*in);
        *in = NULL;
        *ins = 0;
    }
    return status;
}
