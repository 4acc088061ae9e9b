/*
 * One-sided messages: puts into the receiver's window, or gets from the sender's, and flags that tell.
 *
 * Each binding has a window, locked for all targets from bind to unbind.  Each message has a flag at either
 * end, a line of its own in the window there, into which the other end puts the number of the start:
 *
 *     rma       The receiver, in start, tells that its buffer may be written.  The sender puts the message,
 *               flushes, and tells that it came.
 *     rma-get   The sender tells that the message is packed.  The receiver gets it, and tells that it has it.
 *
 * Nothing is flushed by start and send, since a flush may wait for a peer.  Not all libraries of MPI progress
 * while a rank looks at its own memory, so whoever looks calls MPI, too.
 *
 * No library is trusted with this before it has delivered known bytes.
 */
#include "requests.h"

#include "../clock.h"
#include "../memory.h"
#include "../status.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 64 };

/* How long the probe may take; tests are less patient. */
#ifndef HX_PROBE_SECONDS
#define HX_PROBE_SECONDS 30
#endif

typedef struct flag {
    _Alignas(LINE) _Atomic(uint64_t) start; /* the last one that it was set for; they count from 1 */
} flag;

/* Where the other end of a message has its flag and, if its buffer is in a window, that; from its base. */
typedef struct place {
    int64_t flag;
    int64_t buffer;
} place;

typedef enum step {
    WAITING, /* for the buffer to be packed, or for the other end */
    PACKED,
    MOVING, /* not flushed */
    OVER,
} step;

/* One end of a message. */
typedef struct end {
    int peer;
    hx_message *message;
    flag *flag; /* set by the other end */
    place there;
    place here;
    MPI_Request request[2]; /* while places are told */
    step step;
} end;

typedef struct rma {
    bool pulls; /* rma-get */
    MPI_Win win;
    unsigned char *base; /* of the window */
    end *end;            /* of messages received, then of those sent */
    int ends;
    int receives;
    uint64_t start;   /* which one it is; read by MPI until flushed */
    int abandoned[2]; /* by this rank; by any */
    bool unflushed;   /* what start told */
} rma;

/* ---- the local stage ----------------------------------------------------------------------------------- */

static size_t whole_lines(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

/* Is the buffer of an end in the window? */
static bool is_exposed(const rma *r, int number)
{
    return r->pulls == (number >= r->receives);
}

static hx_status prepare(hx_binding *binding, bool pulls)
{
    rma *r = hx_memory_get(1, sizeof *r, "the window of an exchange");
    if (!r) {
        return HX_ERR_MEMORY;
    }
    binding->state = r;
    *r = (rma){.pulls = pulls, .win = MPI_WIN_NULL, .receives = binding->receives};
    binding->arrived =
        hx_memory_get((size_t)binding->receives, sizeof *binding->arrived, "the messages of an exchange");
    r->end = hx_memory_get((size_t)binding->receives + (size_t)binding->sends, sizeof *r->end,
                           "the window of an exchange");
    if (!r->end || !binding->arrived) {
        return HX_ERR_MEMORY;
    }
    for (int i = 0; i < binding->receives + binding->sends; ++i) {
        end *e = &r->end[r->ends++];
        e->message = i < r->receives ? &binding->receive[i] : &binding->send[i - r->receives];
        e->peer = e->message->peer;
        e->request[0] = e->request[1] = MPI_REQUEST_NULL;
        if (e->message->bytes > HX_REQUESTS_MOST) {
            return hx_fail(HX_ERR_LIMIT,
                           "One message has %zu bytes; transport \"%s\" can count %d.  Choose another one.",
                           e->message->bytes, binding->transport->name, HX_REQUESTS_MOST);
        }
        if (!is_exposed(r, i)) {
            void *buffer = NULL;
            const hx_status status = hx_buffers_take(binding->buffers, e->message->bytes, &buffer);
            e->message->buffer = buffer;
            if (status != HX_OK) {
                return status;
            }
        }
    }
    return HX_OK;
}

/* ---- what all ranks do together ------------------------------------------------------------------------ */

/*
 * Flags, then buffers, on lines of their own.  Ranks that share a machine share the memory: then nobody has
 * to call MPI so that others' messages come, and windows of Open MPI 4.1 over disjoint communicators, which
 * else may get hold of each other's files, are kept apart.
 */
static hx_status make_window(hx_binding *binding)
{
    rma *r = binding->state;
    MPI_Comm comm = binding->topology->comm;
    size_t bytes = LINE + (size_t)r->ends * sizeof(flag);
    for (int i = 0; i < r->ends; ++i) {
        bytes += is_exposed(r, i) ? whole_lines(r->end[i].message->bytes) : 0;
    }
    int code = binding->topology->one_machine
                   ? MPI_Win_allocate_shared((MPI_Aint)bytes, 1, MPI_INFO_NULL, comm, &r->base, &r->win)
                   : MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, comm, &r->base, &r->win);
    if (code != MPI_SUCCESS) {
        return hx_fail_mpi(code, "Making a window of %zu bytes (MPI_Win_allocate)", bytes);
    }
    MPI_Win_set_errhandler(r->win, MPI_ERRORS_RETURN);
    unsigned char *at = r->base + (LINE - (uintptr_t)r->base % LINE) % LINE;
    for (int i = 0; i < r->ends; ++i, at += sizeof(flag)) {
        r->end[i].flag = (flag *)(void *)at;
        r->end[i].here.flag = at - r->base;
        atomic_init(&r->end[i].flag->start, 0);
    }
    for (int i = 0; i < r->ends; ++i) {
        if (is_exposed(r, i)) {
            r->end[i].message->buffer = at;
            r->end[i].here.buffer = at - r->base;
            at += whole_lines(r->end[i].message->bytes);
        }
    }
    int *model = NULL;
    int known = 0;
    code = MPI_Win_get_attr(r->win, MPI_WIN_MODEL, &model, &known);
    if (code == MPI_SUCCESS && (!known || *model != MPI_WIN_UNIFIED)) {
        return hx_fail(HX_ERR_MPI, "MPI's windows have a copy of memory of their own (MPI_WIN_SEPARATE).");
    }
    code = code == MPI_SUCCESS ? MPI_Win_lock_all(0, r->win) : code;
    return code == MPI_SUCCESS ? HX_OK : hx_fail_mpi(code, "MPI_Win_lock_all");
}

/*
 * Both ends of each message.  Those of two ranks are told apart by their order: first a rank tells where it
 * receives, then from where it sends.
 */
static hx_status tell_places(hx_binding *binding)
{
    rma *r = binding->state;
    MPI_Comm comm = binding->topology->comm;
    const int size = (int)sizeof(place);
    int code = MPI_SUCCESS;
    for (int i = 0; i < r->ends && code == MPI_SUCCESS; ++i) {
        end *e = &r->end[i];
        code = MPI_Isend(&e->here, size, MPI_BYTE, e->peer, binding->tag, comm, &e->request[0]);
    }
    for (int i = 0; i < r->ends && code == MPI_SUCCESS; ++i) {
        end *e = &r->end[(i + r->receives) % r->ends]; /* what I send to, the peer receives */
        code = MPI_Irecv(&e->there, size, MPI_BYTE, e->peer, binding->tag, comm, &e->request[1]);
    }
    const double deadline = hx_clock() + HX_PROBE_SECONDS;
    for (int i = 0; i < r->ends && code == MPI_SUCCESS; ++i) {
        MPI_Status status[2];
        int done = 0;
        while (!done && code == MPI_SUCCESS) {
            code = MPI_Testall(2, r->end[i].request, &done, status);
            if (!done && hx_clock() > deadline) {
                return hx_fail(HX_ERR_MPI,
                               "Rank %d did not tell within %d seconds where its window has what.",
                               r->end[i].peer, HX_PROBE_SECONDS);
            }
            hx_clock_yield();
        }
    }
    return code == MPI_SUCCESS ? HX_OK : hx_fail_mpi(code, "Telling peers where windows have what");
}

/* ---- an exchange --------------------------------------------------------------------------------------- */

static int put(const rma *r, const void *from, size_t bytes, int peer, int64_t at)
{
    return MPI_Put(from, (int)bytes, MPI_BYTE, peer, (MPI_Aint)at, (int)bytes, MPI_BYTE, r->win);
}

/* Sets the flag of the other end. */
static int tell(const rma *r, const end *e)
{
    return put(r, &r->start, sizeof r->start, e->peer, e->there.flag);
}

static hx_status checked(const hx_binding *binding, int code, const char *what)
{
    return code == MPI_SUCCESS ? HX_OK : hx_fail_mpi(code, "%s, on rank %d", what, binding->topology->rank);
}

static bool is_told(const rma *r, const end *e)
{
    return atomic_load_explicit(&e->flag->start, memory_order_acquire) >= r->start;
}

static hx_status start(hx_binding *binding)
{
    rma *r = binding->state;
    binding->arrivals = 0;
    binding->under_way = r->ends;
    r->start++;
    int code = MPI_SUCCESS;
    for (int i = 0; i < r->ends && code == MPI_SUCCESS; ++i) {
        r->end[i].step = WAITING;
        if (!r->pulls && i < r->receives) {
            code = tell(r, &r->end[i]);
            r->unflushed = true;
        }
    }
    return checked(binding, code, "Telling that a message may come (MPI_Put)");
}

static hx_status send(hx_binding *binding, int number)
{
    rma *r = binding->state;
    r->end[r->receives + number].step = PACKED;
    return HX_OK;
}

/* Completes what start, or a step of progress, has begun with some of the ends. */
static int flush(const rma *r, int first, int last, step which)
{
    int code = MPI_SUCCESS;
    for (int i = first; i < last && code == MPI_SUCCESS; ++i) {
        code = r->end[i].step == which ? MPI_Win_flush(r->end[i].peer, r->win) : MPI_SUCCESS;
    }
    return code;
}

/* Tells the other end of all messages that were moving, and is through with them. */
static int conclude(hx_binding *binding, int first, int last)
{
    rma *r = binding->state;
    int code = flush(r, first, last, MOVING);
    for (int i = first; i < last && code == MPI_SUCCESS; ++i) {
        code = r->end[i].step == MOVING ? tell(r, &r->end[i]) : MPI_SUCCESS;
    }
    code = code == MPI_SUCCESS ? flush(r, first, last, MOVING) : code;
    for (int i = first; i < last && code == MPI_SUCCESS; ++i) {
        if (r->end[i].step == MOVING) {
            r->end[i].step = OVER;
            binding->under_way--;
            if (i < r->receives) {
                binding->arrived[binding->arrivals++] = i;
            }
        }
    }
    return code;
}

/* rma: what is packed and may go is put; what came is noted. */
static int push(hx_binding *binding)
{
    rma *r = binding->state;
    int code = r->unflushed ? flush(r, 0, r->receives, WAITING) : MPI_SUCCESS;
    r->unflushed = r->unflushed && code != MPI_SUCCESS;
    for (int i = r->receives; i < r->ends && code == MPI_SUCCESS; ++i) {
        end *e = &r->end[i];
        if (e->step == PACKED && is_told(r, e)) {
            e->step = MOVING;
            code = put(r, e->message->buffer, e->message->bytes, e->peer, e->there.buffer);
        }
    }
    code = code == MPI_SUCCESS ? conclude(binding, r->receives, r->ends) : code;
    for (int i = 0; i < r->receives && code == MPI_SUCCESS; ++i) {
        end *e = &r->end[i];
        if (e->step == WAITING && is_told(r, e)) {
            e->step = OVER;
            binding->under_way--;
            binding->arrived[binding->arrivals++] = i;
        }
    }
    return code;
}

/* rma-get: receivers of what is packed are told; what they are told of here is got. */
static int pull(hx_binding *binding)
{
    rma *r = binding->state;
    int code = MPI_SUCCESS;
    for (int i = r->receives; i < r->ends && code == MPI_SUCCESS; ++i) {
        code = r->end[i].step == PACKED ? tell(r, &r->end[i]) : MPI_SUCCESS;
    }
    code = code == MPI_SUCCESS ? flush(r, r->receives, r->ends, PACKED) : code;
    for (int i = r->receives; i < r->ends && code == MPI_SUCCESS; ++i) {
        end *e = &r->end[i];
        e->step = e->step == PACKED ? MOVING : e->step;
        if (e->step == MOVING && is_told(r, e)) {
            e->step = OVER;
            binding->under_way--;
        }
    }
    for (int i = 0; i < r->receives && code == MPI_SUCCESS; ++i) {
        end *e = &r->end[i];
        if (e->step == WAITING && is_told(r, e)) {
            e->step = MOVING;
            const int bytes = (int)e->message->bytes;
            code = MPI_Get(e->message->buffer, bytes, MPI_BYTE, e->peer, (MPI_Aint)e->there.buffer, bytes,
                           MPI_BYTE, r->win);
        }
    }
    return code == MPI_SUCCESS ? conclude(binding, 0, r->receives) : code;
}

static hx_status progress(hx_binding *binding)
{
    const rma *r = binding->state;
    if (r->win == MPI_WIN_NULL) {
        return HX_OK;
    }
    const int before = binding->under_way;
    int code = r->pulls ? pull(binding) : push(binding);
    if (code == MPI_SUCCESS && binding->under_way == before) {
        int waiting = 0;
        MPI_Comm comm = binding->topology->comm;
        code = MPI_Iprobe(MPI_ANY_SOURCE, binding->tag, comm, &waiting, MPI_STATUS_IGNORE);
    }
    return checked(binding, code, "Moving messages through windows");
}

/* ---- the probe ----------------------------------------------------------------------------------------- */

/* Byte `at` of the message from one rank to another; never 0. */
static unsigned char known_byte(int from, int to, size_t at)
{
    return (unsigned char)(1 + ((uint64_t)from * 31 + (uint64_t)to * 7 + at) % 251);
}

static hx_status check_known(const hx_binding *binding)
{
    const int rank = binding->topology->rank;
    for (int m = 0; m < binding->receives; ++m) {
        const hx_message *message = &binding->receive[m];
        for (size_t i = 0; i < message->bytes; ++i) {
            const unsigned char known = known_byte(message->peer, rank, i);
            if (message->buffer[i] != known) {
                return hx_fail(
                    HX_ERR_MPI,
                    "The probe of windows got %d for byte %zu of the %zu from rank %d, which sent %d.",
                    message->buffer[i], i, message->bytes, message->peer, known);
            }
        }
    }
    return HX_OK;
}

/* Messages as long as the real ones, in their buffers. */
static hx_status probe(hx_binding *binding)
{
    hx_status status = start(binding);
    for (int m = 0; m < binding->sends && status == HX_OK; ++m) {
        const hx_message *message = &binding->send[m];
        for (size_t i = 0; i < message->bytes; ++i) {
            message->buffer[i] = known_byte(binding->topology->rank, message->peer, i);
        }
        status = send(binding, m);
    }
    const double deadline = hx_clock() + HX_PROBE_SECONDS;
    while (status == HX_OK && binding->under_way > 0) {
        status = progress(binding);
        if (status == HX_OK && binding->under_way > 0 && hx_clock() > deadline) {
            status = hx_fail(HX_ERR_MPI, "The probe of windows took more than %d seconds.", HX_PROBE_SECONDS);
        }
        hx_clock_yield();
    }
    return status == HX_OK ? check_known(binding) : status;
}

/* ---- the transports ------------------------------------------------------------------------------------ */

/* What this rank has for itself. */
static void release(hx_binding *binding, bool abandon)
{
    rma *r = binding->state;
    for (int i = 0; r && i < r->ends; ++i) {
        if (!is_exposed(r, i)) {
            hx_buffers_give(binding->buffers, r->end[i].message->buffer, abandon);
        }
    }
    if (r && !abandon) { /* else MPI may still read from it */
        hx_memory_free(r->end);
        hx_memory_free(r);
    }
    hx_memory_free(binding->arrived);
    binding->arrived = NULL;
    binding->state = NULL;
}

/*
 * MPI_Win_free waits for all ranks, so they first tell each other whether one abandons the window.  That one
 * tells, and goes its way.
 */
static void unbind(hx_binding *binding, int abandon)
{
    rma *r = binding->state;
    bool leaves = abandon;
    if (r && r->win != MPI_WIN_NULL && hx_topology_alive()) {
        MPI_Request request = MPI_REQUEST_NULL;
        r->abandoned[0] = abandon;
        const int code = MPI_Iallreduce(&r->abandoned[0], &r->abandoned[1], 1, MPI_INT, MPI_MAX,
                                        binding->topology->comm, &request);
        if (!abandon && code == MPI_SUCCESS) {
            leaves = MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS || r->abandoned[1];
        }
        if (!leaves) {
            MPI_Win_unlock_all(r->win);
            MPI_Win_free(&r->win);
        }
    }
    release(binding, leaves);
}

/* All ranks together.  abandon: nothing is known about what MPI still does with the window. */
static hx_status fall_back(hx_binding *binding, bool abandon)
{
    snprintf(binding->why, sizeof binding->why, "%s", hx_last_error());
    release(binding, abandon);
    binding->under_way = 0;
    binding->transport = &hx_transport_persistent;
    return binding->transport->bind(binding);
}

static hx_status bind_as(hx_binding *binding, bool pulls)
{
    MPI_Comm comm = binding->topology->comm;
    hx_status status = hx_topology_agree(comm, prepare(binding, pulls));
    int64_t ends = 0;
    const rma *r = binding->state;
    status = status == HX_OK
                 ? hx_topology_agree(comm, hx_topology_sum(comm, r->ends, "Counting the messages", &ends))
                 : status;
    if (status != HX_OK || ends == 0) { /* nobody has messages: a window would only cost */
        return status;
    }
    status = hx_topology_agree(comm, make_window(binding));
    if (status != HX_OK) {
        return fall_back(binding, r->win != MPI_WIN_NULL);
    }
    status = hx_topology_agree(comm, tell_places(binding));
    status = status == HX_OK ? hx_topology_agree(comm, probe(binding)) : status;
    return status == HX_OK ? HX_OK : fall_back(binding, true);
}

static hx_status bind_push(hx_binding *binding)
{
    return bind_as(binding, false);
}

static hx_status bind_pull(hx_binding *binding)
{
    return bind_as(binding, true);
}

const hx_transport hx_transport_rma = {
    .name = "rma",
    .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_STEPS,
    .about = "one message put into its window",
    .bind = bind_push,
    .start = start,
    .send = send,
    .progress = progress,
    .unbind = unbind,
};

const hx_transport hx_transport_rma_get = {
    .name = "rma-get",
    .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_STEPS,
    .about = "one message that it gets from here",
    .bind = bind_pull,
    .start = start,
    .send = send,
    .progress = progress,
    .unbind = unbind,
};
