#include "trade.h"

#include "memory.h"
#include "status.h"

#include <limits.h>
#include <stdlib.h>

enum { NUMBERS = sizeof(hx_note) / sizeof(int64_t), ANNOUNCED = 0, SENT = 1 /* tags */ };

/* Notes in one message, which MPI counts as numbers.  Tests set a smaller one. */
#ifndef HX_TRADE_MOST
#define HX_TRADE_MOST (INT_MAX / NUMBERS)
#endif

static const char purpose[] = "messages between ranks";

/* Notes to one rank, or from one, side by side. */
typedef struct letter {
    int peer;
    int notes;
} letter;

/* A trade under way; the first thing that went wrong is kept, and the protocol goes on. */
typedef struct trade {
    const hx_topology *topology;
    letter *out;
    int outs;
    letter *in;
    int ins;
    int room; /* for letters that come */
    MPI_Request *request;
    MPI_Status *state; /* one each, never read: MPICH's MPI_STATUSES_IGNORE makes gcc warn */
    hx_first first;
} trade;

static void note(trade *t, int code, const char *call)
{
    hx_first_note(&t->first,
                  code == MPI_SUCCESS ? HX_OK : hx_fail_mpi(code, "Telling other ranks (%s)", call));
}

/* ---- letters ------------------------------------------------------------------------------------------- */

/* How many notes from `first` on go to one rank. */
static size_t count_for_peer(const hx_note *out, size_t outs, size_t first)
{
    size_t end = first + 1;
    while (end < outs && out[end].peer == out[first].peer) {
        ++end;
    }
    return end - first;
}

static hx_status list_letters(trade *t, const hx_note *out, size_t outs)
{
    size_t letters = 0;
    for (size_t i = 0; i < outs; i += count_for_peer(out, outs, i)) {
        ++letters;
    }
    t->out = hx_memory_get(letters, sizeof *t->out, purpose);
    t->request = hx_memory_get(letters, sizeof(MPI_Request), purpose);
    t->state = hx_memory_get(letters, sizeof *t->state, purpose);
    if (!t->out || !t->request || !t->state) {
        return HX_ERR_MEMORY;
    }
    for (size_t i = 0; i < outs;) {
        const size_t notes = count_for_peer(out, outs, i);
        if (notes > HX_TRADE_MOST) {
            return hx_fail(
                HX_ERR_LIMIT,
                "Rank %d has to tell rank %d of %zu points; MPI counts up to %d.  Use more ranks, or "
                "ids that lie nearer to each other.",
                t->topology->rank, (int)out[i].peer, notes, HX_TRADE_MOST);
        }
        t->out[t->outs++] = (letter){(int)out[i].peer, (int)notes};
        i += notes;
    }
    return HX_OK;
}

/* ---- who writes to whom -------------------------------------------------------------------------------- */

static void expect(trade *t, int peer, int notes)
{
    if (t->ins == t->room) {
        const int room = t->room > 0 ? 2 * t->room : 16;
        letter *more = hx_memory_grow(t->in, (size_t)t->ins, (size_t)room, sizeof *more, purpose);
        if (!more) {
            hx_first_note(&t->first, HX_ERR_MEMORY);
            return;
        }
        t->in = more;
        t->room = room;
    }
    t->in[t->ins++] = (letter){peer, notes};
}

static void listen(trade *t)
{
    int waiting = 0;
    int notes = 0;
    MPI_Status from;
    MPI_Comm comm = t->topology->comm;
    note(t, MPI_Iprobe(MPI_ANY_SOURCE, ANNOUNCED, comm, &waiting, &from), "MPI_Iprobe");
    if (waiting) {
        note(t, MPI_Recv(&notes, 1, MPI_INT, from.MPI_SOURCE, ANNOUNCED, comm, &from), "MPI_Recv");
        expect(t, from.MPI_SOURCE, notes);
    }
}

/* As promises are made in topology.c: a barrier that ends when nothing can come any more. */
static void announce(trade *t)
{
    MPI_Comm comm = t->topology->comm;
    for (int i = 0; i < t->outs; ++i) {
        t->request[i] = MPI_REQUEST_NULL;
        note(t, MPI_Issend(&t->out[i].notes, 1, MPI_INT, t->out[i].peer, ANNOUNCED, comm, &t->request[i]),
             "MPI_Issend");
    }
    int heard = 0;
    while (!heard) {
        listen(t);
        note(t, MPI_Testall(t->outs, t->request, &heard, t->state), "MPI_Testall");
    }
    MPI_Request barrier = MPI_REQUEST_NULL;
    note(t, MPI_Ibarrier(comm, &barrier), "MPI_Ibarrier");
    int over = 0;
    while (!over) {
        listen(t);
        note(t, MPI_Test(&barrier, &over, MPI_STATUS_IGNORE), "MPI_Test");
    }
}

/* ---- what they write ----------------------------------------------------------------------------------- */

static int compare_letters(const void *left, const void *right)
{
    const letter *a = left;
    const letter *b = right;
    return (a->peer > b->peer) - (a->peer < b->peer);
}

static hx_status make_room(trade *t, hx_note **in, size_t *ins)
{
    if (t->ins > 0) {
        qsort(t->in, (size_t)t->ins, sizeof *t->in, compare_letters);
    }
    *ins = 0;
    for (int i = 0; i < t->ins; ++i) {
        *ins += (size_t)t->in[i].notes;
    }
    const size_t messages = (size_t)t->outs + (size_t)t->ins;
    hx_memory_free(t->request);
    hx_memory_free(t->state);
    t->request = hx_memory_get(messages, sizeof(MPI_Request), purpose);
    t->state = hx_memory_get(messages, sizeof *t->state, purpose);
    *in = hx_memory_get(*ins, sizeof **in, purpose);
    return t->request && t->state && *in ? HX_OK : HX_ERR_MEMORY;
}

static void move(trade *t, const hx_note *out, hx_note *in)
{
    MPI_Comm comm = t->topology->comm;
    int requests = 0;
    hx_note *into = in;
    for (int i = 0; i < t->ins; into += t->in[i++].notes) {
        t->request[requests] = MPI_REQUEST_NULL;
        note(t,
             MPI_Irecv(into, t->in[i].notes * NUMBERS, MPI_UINT64_T, t->in[i].peer, SENT, comm,
                       &t->request[requests++]),
             "MPI_Irecv");
    }
    for (int i = 0; i < t->outs; out += t->out[i++].notes) {
        t->request[requests] = MPI_REQUEST_NULL;
        note(t,
             MPI_Isend(out, t->out[i].notes * NUMBERS, MPI_UINT64_T, t->out[i].peer, SENT, comm,
                       &t->request[requests++]),
             "MPI_Isend");
    }
    int done = 0;
    while (!done) {
        note(t, MPI_Testall(requests, t->request, &done, t->state), "MPI_Testall");
    }
    for (int i = 0; i < t->ins; in += t->in[i++].notes) {
        for (int n = 0; n < t->in[i].notes; ++n) {
            in[n].peer = t->in[i].peer;
        }
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static hx_status run(trade *t, hx_status ready, const hx_note *out, size_t outs, hx_note **in, size_t *ins)
{
    MPI_Comm comm = t->topology->comm;
    hx_status status = hx_topology_agree(comm, ready == HX_OK ? list_letters(t, out, outs) : ready);
    if (status != HX_OK) {
        return status;
    }
    announce(t);
    hx_first_note(&t->first, make_room(t, in, ins));
    status = hx_topology_agree(comm, hx_first_tell(&t->first));
    if (status != HX_OK) {
        return status;
    }
    move(t, out, *in);
    return hx_topology_agree(comm, hx_first_tell(&t->first));
}

hx_status hx_trade(const hx_topology *topology, hx_status ready, const hx_note *out, size_t outs,
                   hx_note **in, size_t *ins)
{
    trade t = {.topology = topology};
    *in = NULL;
    *ins = 0;
    const hx_status status = run(&t, ready, out, outs, in, ins);
    hx_memory_free(t.out);
    hx_memory_free(t.in);
    hx_memory_free(t.request);
    hx_memory_free(t.state);
    if (status != HX_OK) {
        hx_memory_free(*in);
        *in = NULL;
        *ins = 0;
    }
    return status;
}
