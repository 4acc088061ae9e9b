/*
 * Windows of transports: made, probed, and freed.
 */
#include "transport/rma.h"

#include "transport/probe.h"
#include "transport/requests.h"

#include "base/clock.h"
#include "base/status.h"
#include "base/text.h"
#include "comm/node_space.h"

#include <stdio.h>

/* ---- the local stage ----------------------------------------------------------------------------------- */

/* Is the buffer of an end in the window? */
static bool is_exposed(const hxi_rma *r, int number)
{
    return r->manner->pulls == (number >= r->receives);
}

static hx_status prepare(hxi_binding *binding, const hxi_rma_manner *manner)
{
    hxi_rma *r = hxi_memory_get(1, sizeof *r, "the window of an exchange");
    if (!r) {
        return HX_ERR_MEMORY;
    }
    binding->state = r;
    *r = (hxi_rma){.manner = manner,
                   .win = MPI_WIN_NULL,
                   .receives = binding->receives,
                   .origins = MPI_GROUP_NULL,
                   .targets = MPI_GROUP_NULL};
    binding->arrived =
        hxi_memory_get((size_t)binding->receives, sizeof *binding->arrived, "the messages of an exchange");
    r->end = hxi_memory_get((size_t)binding->receives + (size_t)binding->sends, sizeof *r->end,
                            "the window of an exchange");
    if (!r->end || !binding->arrived) {
        return HX_ERR_MEMORY;
    }
    const hx_status timed = hxi_watchdog_make(&r->deadline, binding->options);
    if (timed != HX_OK) {
        return timed;
    }
    for (int i = 0; i < binding->receives + binding->sends; ++i) {
        hxi_rma_end *e = &r->end[r->ends++];
        e->message = i < r->receives ? &binding->receive[i] : &binding->send[i - r->receives];
        e->peer = e->message->peer;
        e->request[0] = e->request[1] = MPI_REQUEST_NULL;
        if (e->message->bytes > HX_REQUESTS_MOST) {
            return hxi_fail(HX_ERR_LIMIT,
                            "One message has %zu bytes; transport \"%s\" can count %d.  Choose another one.",
                            e->message->bytes, binding->transport->name, HX_REQUESTS_MOST);
        }
        if (!is_exposed(r, i)) {
            void *buffer = NULL;
            const hx_status status = hxi_buffers_take(binding->buffers, e->message->bytes, &buffer);
            e->message->buffer = buffer;
            if (status != HX_OK) {
                return status;
            }
        }
    }
    return manner->prepare ? manner->prepare(binding) : HX_OK;
}

/* ---- what all ranks do together ------------------------------------------------------------------------ */

static size_t window_bytes(const hxi_rma *r)
{
    size_t bytes = HX_LINE + (r->manner->flags ? (size_t)r->ends : 0) * sizeof(hxi_rma_flag);
    for (int i = 0; i < r->ends; ++i) {
        bytes += is_exposed(r, i) ? hxi_whole_lines(r->end[i].message->bytes) : 0;
    }
    return bytes;
}

/*
 * Flags, then buffers, on lines of their own.  Ranks that share a machine share the memory: then nobody has
 * to call MPI so that others' messages come, and windows of Open MPI 4.1 over disjoint communicators, which
 * else may get hold of each other's files, are kept apart.
 */
static hx_status make_window(hxi_binding *binding)
{
    hxi_rma *r = binding->state;
    MPI_Comm comm = binding->topology->comm;
    const int flags = r->manner->flags ? r->ends : 0;
    const size_t bytes = window_bytes(r);
    hx_status fits =
        hxi_node_space_check(binding->topology, bytes, "a window of messages", "choose another transport");
    fits = hxi_topology_agree(comm, fits);
    if (fits != HX_OK) {
        return fits;
    }
    int code = binding->topology->one_machine
                   ? MPI_Win_allocate_shared((MPI_Aint)bytes, 1, MPI_INFO_NULL, comm, &r->base, &r->win)
                   : MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, comm, &r->base, &r->win);
    if (code != MPI_SUCCESS) {
        return hxi_fail_mpi(code, "Making a window of %zu bytes (MPI_Win_allocate%s)", bytes,
                            hxi_topology_window_advice(!binding->topology->one_machine));
    }
    MPI_Win_set_errhandler(r->win, MPI_ERRORS_RETURN);
    const hx_status there = hxi_node_space_touch(r->base, bytes, "a window of messages");
    if (there != HX_OK) {
        return there;
    }
    unsigned char *at = r->base + (HX_LINE - (uintptr_t)r->base % HX_LINE) % HX_LINE;
    for (int i = 0; i < flags; ++i, at += sizeof(hxi_rma_flag)) {
        r->end[i].flag = (hxi_rma_flag *)(void *)at;
        r->end[i].here.flag = at - r->base;
        atomic_init(&r->end[i].flag->start, 0);
    }
    for (int i = 0; i < r->ends; ++i) {
        if (is_exposed(r, i)) {
            r->end[i].message->buffer = at;
            r->end[i].here.buffer = at - r->base;
            at += hxi_whole_lines(r->end[i].message->bytes);
        }
    }
    int *model = NULL;
    int known = 0;
    code = MPI_Win_get_attr(r->win, MPI_WIN_MODEL, &model, &known);
    if (code == MPI_SUCCESS && (!known || *model != MPI_WIN_UNIFIED)) {
        return hxi_fail(HX_ERR_MPI, "MPI's windows have a copy of memory of their own (MPI_WIN_SEPARATE).");
    }
    return hxi_rma_checked(binding, code, "Asking a window for its memory model (MPI_Win_get_attr)");
}

/*
 * Both ends of each message.  Those of two ranks are told apart by their order: first a rank tells where it
 * receives, then from where it sends.
 */
static hx_status tell_places(hxi_binding *binding)
{
    hxi_rma *r = binding->state;
    MPI_Comm comm = binding->topology->comm;
    const int size = (int)sizeof(hxi_rma_address);
    int code = MPI_SUCCESS;
    for (int i = 0; i < r->ends && code == MPI_SUCCESS; ++i) {
        hxi_rma_end *e = &r->end[i];
        code = MPI_Isend(&e->here, size, MPI_BYTE, e->peer, binding->tag, comm, &e->request[0]);
    }
    for (int i = 0; i < r->ends && code == MPI_SUCCESS; ++i) {
        hxi_rma_end *e = &r->end[(i + r->receives) % r->ends]; /* what I send to, the peer receives */
        code = MPI_Irecv(&e->there, size, MPI_BYTE, e->peer, binding->tag, comm, &e->request[1]);
    }
    const double deadline = hxi_clock() + HX_PROBE_SECONDS;
    for (int i = 0; i < r->ends && code == MPI_SUCCESS; ++i) {
        MPI_Status status[2];
        int done = 0;
        while (!done && code == MPI_SUCCESS) {
            code = MPI_Testall(2, r->end[i].request, &done, status);
            if (!done && hxi_clock() > deadline) {
                return hxi_fail(HX_ERR_MPI,
                                "Rank %d did not tell within %d seconds where its window has what.",
                                r->end[i].peer, HX_PROBE_SECONDS);
            }
            hxi_clock_yield();
        }
    }
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "Telling peers where windows have what");
}

/* ---- for the transports -------------------------------------------------------------------------------- */

int hxi_rma_put(const hxi_rma *r, const void *from, size_t bytes, int peer, int64_t at)
{
    return MPI_Put(from, (int)bytes, MPI_BYTE, peer, (MPI_Aint)at, (int)bytes, MPI_BYTE, r->win);
}

hx_status hxi_rma_checked(const hxi_binding *binding, int code, const char *what)
{
    return code == MPI_SUCCESS ? HX_OK : hxi_fail_mpi(code, "%s, on rank %d", what, binding->topology->rank);
}

/* Messages stand by rising peer. */
static void name_peers(const hxi_rma *r, int first, int last, hxi_text *text)
{
    for (int i = first; i < last; ++i) {
        if (i == first || r->end[i].peer != r->end[i - 1].peer) {
            hxi_text_add(text, "%s %d", i == first ? " for rank" : " or", r->end[i].peer);
        }
    }
    hxi_text_add(text, "%s", first == last ? " for all other ranks" : "");
}

void hxi_rma_arm(const hxi_binding *binding, const char *call, int first, int last)
{
    hxi_rma *r = binding->state;
    if (r->deadline.seconds > 0.0) {
        hxi_text text = {r->sentence, sizeof r->sentence, 0};
        hxi_text_add(&text, "Exchange \"%s\": after %g second%s rank %d still waits in %s", binding->exchange,
                     r->deadline.seconds, r->deadline.seconds == 1.0 ? "" : "s", binding->topology->rank,
                     call);
        name_peers(r, first, last, &text);
        hxi_text_add(&text, ".  Do all ranks call this exchange?");
        hxi_watchdog_arm(&r->deadline, r->sentence);
    }
}

void hxi_rma_disarm(const hxi_binding *binding)
{
    hxi_rma *r = binding->state;
    hxi_watchdog_disarm(&r->deadline);
}

/* ---- bind and unbind ----------------------------------------------------------------------------------- */

static void free_group(MPI_Group *group)
{
    if (*group != MPI_GROUP_NULL && hxi_topology_alive()) {
        MPI_Group_free(group);
    }
}

/* What this rank has for itself. */
static void release(hxi_binding *binding, bool abandon)
{
    hxi_rma *r = binding->state;
    for (int i = 0; r && i < r->ends; ++i) {
        if (!is_exposed(r, i)) {
            hxi_buffers_give(binding->buffers, r->end[i].message->buffer, abandon);
        }
    }
    if (r) {
        hxi_watchdog_free(&r->deadline);
        free_group(&r->origins);
        free_group(&r->targets);
    }
    if (r && abandon) { /* MPI may still read from it */
        hxi_memory_keep(&r->kept);
    } else if (r) {
        hxi_memory_free(r->end);
        hxi_memory_free(r);
    }
    hxi_memory_free(binding->arrived);
    binding->arrived = NULL;
    binding->state = NULL;
}

/*
 * MPI_Win_free waits for all ranks, so they first tell each other whether one abandons the window.  That one
 * tells, and goes its way.
 */
void hxi_rma_unbind(hxi_binding *binding, int abandon)
{
    hxi_rma *r = binding->state;
    bool leaves = abandon;
    if (r && r->win != MPI_WIN_NULL && hxi_topology_alive()) {
        MPI_Request request = MPI_REQUEST_NULL;
        r->abandoned[0] = abandon;
        const int code = MPI_Iallreduce(&r->abandoned[0], &r->abandoned[1], 1, MPI_INT, MPI_MAX,
                                        binding->topology->comm, &request);
        if (!abandon && code == MPI_SUCCESS) {
            leaves = MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS || r->abandoned[1];
        }
        if (!leaves) {
            if (r->locked) {
                MPI_Win_unlock_all(r->win);
            }
            MPI_Win_free(&r->win);
        }
    }
    release(binding, leaves);
}

/* All ranks together.  abandon: nothing is known about what MPI still does with the window. */
static hx_status fall_back(hxi_binding *binding, bool abandon)
{
    snprintf(binding->why, sizeof binding->why, "%s", hx_last_error());
    release(binding, abandon);
    binding->under_way = 0;
    binding->transport = &hxi_transport_persistent;
    return binding->transport->bind(binding);
}

hx_status hxi_rma_bind(hxi_binding *binding, const hxi_rma_manner *manner)
{
    MPI_Comm comm = binding->topology->comm;
    hx_status status = hxi_topology_agree(comm, prepare(binding, manner));
    int64_t ends = 0;
    const hxi_rma *r = binding->state;
    status = status == HX_OK
                 ? hxi_topology_agree(comm, hxi_topology_sum(comm, r->ends, "Counting the messages", &ends))
                 : status;
    if (status != HX_OK || ends == 0) { /* nobody has messages: a window would only cost */
        return status;
    }
    status = make_window(binding);
    status = hxi_topology_agree(comm, status == HX_OK && manner->open ? manner->open(binding) : status);
    if (status != HX_OK) {
        return fall_back(binding, r->win != MPI_WIN_NULL);
    }
    status = hxi_topology_agree(comm, tell_places(binding));
    status = status == HX_OK ? hxi_topology_agree(comm, hxi_probe_run(binding, "windows")) : status;
    return status == HX_OK ? HX_OK : fall_back(binding, true);
}
