/*
 * Partitioned communication of MPI 4: the threads that pack a message mark what of it is ready, and MPI may send
 * that while others still pack.
 *
 * Both ends cut a message by its length alone, into portions of one size; its buffer ends where the last one
 * does.  Threads tell which bytes they have packed, and whoever packs the last of a portion marks it.  What
 * nobody has told of, as points that turn, is marked when the message is sent; so is everything where threads may
 * not call MPI at the same time.
 */
#include "transport/probe.h"
#include "transport/requests.h"

#include "base/hardware.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdatomic.h>

/* The least bytes of a portion, where there are several; tests cut shorter messages, too. */
#ifndef HX_PORTION_LEAST
#define HX_PORTION_LEAST (32 << 10)
#endif

enum { MOST_PORTIONS = 32 };

/* What a binding has beside requests. */
typedef struct portions {
    atomic_int code;      /* of the last mark that failed; MPI_SUCCESS: none */
    atomic_size_t left[]; /* bytes that nobody has told of, by portion; MOST_PORTIONS for each message sent */
} portions;

/* ---- MPI ----------------------------------------------------------------------------------------------- */

#ifdef HX_MPI_PARTITIONED
enum { ABSENT = 0 };

static int make(const hxi_binding *binding, int number)
{
    hxi_requests *r = binding->state;
    const bool sent = number >= binding->receives;
    const hxi_message *message =
        sent ? &binding->send[number - binding->receives] : &binding->receive[number];
    const int count = r->mpi_count[number].count;
    MPI_Comm comm = binding->topology->comm;
    return sent ? MPI_Psend_init(message->buffer, count, 1, r->type[number], message->peer, binding->tag,
                                 comm, MPI_INFO_NULL, &r->request[number])
                : MPI_Precv_init(message->buffer, count, 1, r->type[number], message->peer, binding->tag,
                                 comm, MPI_INFO_NULL, &r->request[number]);
}

static int mark(int portion, MPI_Request request)
{
    return MPI_Pready(portion, request);
}
#else
enum { ABSENT = HX_TRANSPORT_ABSENT };

static int make(const hxi_binding *binding, int number)
{
    (void)binding;
    (void)number;
    return MPI_ERR_OTHER;
}

static int mark(int portion, MPI_Request request)
{
    (void)portion;
    (void)request;
    return MPI_ERR_OTHER;
}
#endif

/* ---- portions ---------------------------------------------------------------------------------------- */

/* count portions of unit bytes. */
static hx_status cut(size_t bytes, int most, hxi_mpi_count *mpi_count)
{
    size_t count = bytes / HX_PORTION_LEAST;
    count = count < 1 ? 1 : count > MOST_PORTIONS ? MOST_PORTIONS : count;
    const size_t unit = hxi_whole_lines((bytes + count - 1) / count);
    if (unit > (size_t)most) {
        return hxi_fail(HX_ERR_LIMIT,
                        "A message of %zu bytes has portions of %zu, and MPI can count %d.  Choose another "
                        "transport than \"partitioned\".",
                        bytes, unit, most);
    }
    *mpi_count = (hxi_mpi_count){(int)((bytes + unit - 1) / unit), (int)unit};
    return HX_OK;
}

static portions *portions_of(const hxi_binding *binding)
{
    const hxi_requests *r = binding->state;
    return r->more;
}

static void mark_one(const hxi_binding *binding, int number, int portion)
{
    const hxi_requests *r = binding->state;
    const int code = mark(portion, r->request[binding->receives + number]);
    if (code != MPI_SUCCESS) {
        atomic_store(&portions_of(binding)->code, code);
    }
}

/* By any thread of the team. */
static void packed(hxi_binding *binding, int number, size_t from, size_t bytes)
{
    const hxi_requests *r = binding->state;
    atomic_size_t *left = &portions_of(binding)->left[number * MOST_PORTIONS];
    const size_t unit = (size_t)r->mpi_count[binding->receives + number].unit;
    if (binding->topology->serial) {
        return;
    }
    hxi_order_stores();
    for (const size_t end = from + bytes; from < end;) {
        const size_t next = (from / unit + 1) * unit;
        const size_t here = (next < end ? next : end) - from;
        if (atomic_fetch_sub(&left[from / unit], here) == here) {
            mark_one(binding, number, (int)(from / unit));
        }
        from += here;
    }
}

/* ---- the transport ------------------------------------------------------------------------------------- */

static hx_status prepare(hxi_binding *binding)
{
    const hx_status status = hxi_requests_bind_apart(binding, cut);
    if (status != HX_OK) {
        return status;
    }
    hxi_requests *r = binding->state;
    const size_t portions_sent = (size_t)binding->sends * MOST_PORTIONS;
    r->more = hxi_memory_get(1, sizeof(portions) + portions_sent * sizeof(atomic_size_t),
                             "the portions of an exchange");
    return r->more ? HX_OK : HX_ERR_MEMORY;
}

static hx_status make_requests(const hxi_binding *binding)
{
    const int count = binding->receives + binding->sends;
    if (ABSENT != 0 && count > 0) {
        return hxi_fail(HX_ERR_MPI,
                        "libhx was built with an MPI of version %d.%d that has no partitioned communication "
                        "(MPI_Psend_init of version 4.0).  Build it with MPICH 4 or Open MPI 5, or choose "
                        "another transport than \"partitioned\".",
                        MPI_VERSION, MPI_SUBVERSION);
    }
    for (int i = 0; i < count; ++i) {
        const int code = make(binding, i);
        if (code != MPI_SUCCESS) {
            return hxi_fail_mpi(code, "%s", i < binding->receives ? "MPI_Precv_init" : "MPI_Psend_init");
        }
    }
    return HX_OK;
}

static hx_status bind(hxi_binding *binding)
{
    MPI_Comm comm = binding->topology->comm;
    hx_status status = hxi_topology_agree(comm, prepare(binding));
    if (status != HX_OK) {
        return status;
    }
    status = hxi_topology_agree(comm, make_requests(binding));
    if (status != HX_OK) {
        return hxi_probe_fall_back(binding, 0);
    }
    hxi_probe_clear(binding);
    status = hxi_topology_agree(comm, hxi_probe_run(binding, "partitioned communication"));
    return status == HX_OK ? HX_OK : hxi_probe_fall_back(binding, 1);
}

static void expect_all(const hxi_binding *binding, int number)
{
    const hxi_requests *r = binding->state;
    const hxi_mpi_count *count = &r->mpi_count[binding->receives + number];
    size_t bytes = binding->send[number].bytes;
    for (int i = 0; i < count->count; ++i) {
        const size_t here = bytes < (size_t)count->unit ? bytes : (size_t)count->unit;
        atomic_store(&portions_of(binding)->left[number * MOST_PORTIONS + i], here);
        bytes -= here;
    }
}

/* Requests of sends, too: threads mark portions before the whole message is sent. */
static hx_status start(hxi_binding *binding)
{
    hxi_requests *r = binding->state;
    binding->arrivals = 0;
    for (int i = 0; i < binding->sends; ++i) {
        expect_all(binding, i);
    }
    for (int i = 0; i < r->count; ++i) {
        const int code = MPI_Start(&r->request[i]);
        if (code != MPI_SUCCESS) {
            return hxi_fail_mpi(code, "MPI_Start of a partitioned message on rank %d",
                                binding->topology->rank);
        }
        binding->under_way++;
    }
    return HX_OK;
}

static hx_status send(hxi_binding *binding, int number)
{
    const hxi_requests *r = binding->state;
    portions *p = portions_of(binding);
    for (int i = 0; i < r->mpi_count[binding->receives + number].count; ++i) {
        if (atomic_load(&p->left[number * MOST_PORTIONS + i]) > 0) {
            mark_one(binding, number, i);
        }
    }
    const int code = atomic_load(&p->code);
    return code == MPI_SUCCESS ? HX_OK
                               : hxi_fail_mpi(code, "MPI_Pready on rank %d of the message to rank %d",
                                              binding->topology->rank, binding->send[number].peer);
}

const hxi_transport hxi_transport_partitioned = {
    .name = "partitioned",
    .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_TOGETHER | ABSENT,
    .about = "one partitioned message",
    .bind = bind,
    .start = start,
    .packed = packed,
    .send = send,
    .progress = hxi_requests_progress,
    .unbind = hxi_requests_unbind,
};
