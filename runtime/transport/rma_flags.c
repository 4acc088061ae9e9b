/*
 * One-sided messages: puts into the receiver's window, or gets from the sender's, and flags that tell.
 *
 * Windows are locked for all targets from bind to unbind.  Each message has a flag at either end, into which
 * the other end puts the number of the start:
 *
 *     rma       The receiver, in start, tells that its buffer may be written.  The sender puts the message,
 *               flushes, and tells that it came.
 *     rma-get   The sender tells that the message is packed.  The receiver gets it, and tells that it has it.
 *
 * Nothing is flushed by start and send, since a flush may wait for a peer.  Not all libraries of MPI progress
 * while a rank looks at its own memory, so whoever looks calls MPI, too.
 *
 * MPI orders a put behind its own calls, but not behind what a rank stores and loads itself: a flag could be
 * seen before the message that was packed, or before the last one was read.  So this rank settles its
 * accesses before it tells of them.
 */
#include "transport/rma.h"

static hx_status lock(hxi_binding *binding)
{
    hxi_rma *r = binding->state;
    const int code = MPI_Win_lock_all(0, r->win);
    r->locked = code == MPI_SUCCESS;
    return hxi_rma_checked(binding, code, "Locking a window (MPI_Win_lock_all)");
}

/* ---- an exchange --------------------------------------------------------------------------------------- */

/*
 * What this rank packed or unpacked is done for whoever is told next.  By the rules of MPI that takes
 * MPI_Win_sync; where a library only makes progress there, the fence does it.
 */
static int settle(const hxi_rma *r)
{
    hxi_order_stores();
    atomic_thread_fence(memory_order_release);
    return MPI_Win_sync(r->win);
}

/* Sets the flag of the other end. */
static int tell(const hxi_rma *r, const hxi_rma_end *e)
{
    return hxi_rma_put(r, &r->start, sizeof r->start, e->peer, e->there.flag);
}

static bool is_told(const hxi_rma *r, const hxi_rma_end *e)
{
    return atomic_load_explicit(&e->flag->start, memory_order_acquire) >= r->start;
}

static hx_status start(hxi_binding *binding)
{
    hxi_rma *r = binding->state;
    binding->arrivals = 0;
    binding->under_way = r->ends;
    r->start++;
    int code = r->manner->pulls || r->receives == 0 ? MPI_SUCCESS : settle(r);
    for (int i = 0; i < r->ends && code == MPI_SUCCESS; ++i) {
        r->end[i].step = HX_RMA_WAITING;
        if (!r->manner->pulls && i < r->receives) {
            code = tell(r, &r->end[i]);
            r->unflushed = true;
        }
    }
    return hxi_rma_checked(binding, code, "Telling that a message may come (MPI_Win_sync, MPI_Put)");
}

static hx_status send(hxi_binding *binding, int number)
{
    hxi_rma *r = binding->state;
    r->end[r->receives + number].step = HX_RMA_PACKED;
    return HX_OK;
}

/* Completes what start, or a step of progress, has begun with some of the ends. */
static int flush(const hxi_binding *binding, int first, int last, hxi_rma_step which)
{
    const hxi_rma *r = binding->state;
    int code = MPI_SUCCESS;
    for (int i = first; i < last && code == MPI_SUCCESS; ++i) {
        if (r->end[i].step == which) {
            hxi_rma_arm(binding, "MPI_Win_flush", i, i + 1);
            code = MPI_Win_flush(r->end[i].peer, r->win);
            hxi_rma_disarm(binding);
        }
    }
    return code;
}

/* Tells the other end of all messages that were moving, and is through with them. */
static int conclude(hxi_binding *binding, int first, int last)
{
    hxi_rma *r = binding->state;
    int code = flush(binding, first, last, HX_RMA_MOVING);
    for (int i = first; i < last && code == MPI_SUCCESS; ++i) {
        code = r->end[i].step == HX_RMA_MOVING ? tell(r, &r->end[i]) : MPI_SUCCESS;
    }
    code = code == MPI_SUCCESS ? flush(binding, first, last, HX_RMA_MOVING) : code;
    for (int i = first; i < last && code == MPI_SUCCESS; ++i) {
        if (r->end[i].step == HX_RMA_MOVING) {
            r->end[i].step = HX_RMA_OVER;
            binding->under_way--;
            if (i < r->receives) {
                binding->arrived[binding->arrivals++] = i;
            }
        }
    }
    return code;
}

/* rma: what is packed and may go is put; what came is noted. */
static int push(hxi_binding *binding)
{
    hxi_rma *r = binding->state;
    int code = r->unflushed ? flush(binding, 0, r->receives, HX_RMA_WAITING) : MPI_SUCCESS;
    r->unflushed = r->unflushed && code != MPI_SUCCESS;
    for (int i = r->receives; i < r->ends && code == MPI_SUCCESS; ++i) {
        hxi_rma_end *e = &r->end[i];
        if (e->step == HX_RMA_PACKED && is_told(r, e)) {
            e->step = HX_RMA_MOVING;
            code = hxi_rma_put(r, e->message->buffer, e->message->bytes, e->peer, e->there.buffer);
        }
    }
    code = code == MPI_SUCCESS ? conclude(binding, r->receives, r->ends) : code;
    for (int i = 0; i < r->receives && code == MPI_SUCCESS; ++i) {
        hxi_rma_end *e = &r->end[i];
        if (e->step == HX_RMA_WAITING && is_told(r, e)) {
            e->step = HX_RMA_OVER;
            binding->under_way--;
            binding->arrived[binding->arrivals++] = i;
        }
    }
    return code;
}

/* Tells receivers of what is packed. */
static int tell_packed(const hxi_binding *binding)
{
    const hxi_rma *r = binding->state;
    bool settled = false;
    int code = MPI_SUCCESS;
    for (int i = r->receives; i < r->ends && code == MPI_SUCCESS; ++i) {
        if (r->end[i].step == HX_RMA_PACKED) {
            code = settled ? MPI_SUCCESS : settle(r);
            settled = true;
            code = code == MPI_SUCCESS ? tell(r, &r->end[i]) : code;
        }
    }
    return code == MPI_SUCCESS ? flush(binding, r->receives, r->ends, HX_RMA_PACKED) : code;
}

/* rma-get: receivers of what is packed are told; what they are told of here is got. */
static int pull(hxi_binding *binding)
{
    hxi_rma *r = binding->state;
    int code = tell_packed(binding);
    for (int i = r->receives; i < r->ends && code == MPI_SUCCESS; ++i) {
        hxi_rma_end *e = &r->end[i];
        e->step = e->step == HX_RMA_PACKED ? HX_RMA_MOVING : e->step;
        if (e->step == HX_RMA_MOVING && is_told(r, e)) {
            e->step = HX_RMA_OVER;
            binding->under_way--;
        }
    }
    for (int i = 0; i < r->receives && code == MPI_SUCCESS; ++i) {
        hxi_rma_end *e = &r->end[i];
        if (e->step == HX_RMA_WAITING && is_told(r, e)) {
            e->step = HX_RMA_MOVING;
            const int bytes = (int)e->message->bytes;
            code = MPI_Get(e->message->buffer, bytes, MPI_BYTE, e->peer, (MPI_Aint)e->there.buffer, bytes,
                           MPI_BYTE, r->win);
        }
    }
    return code == MPI_SUCCESS ? conclude(binding, 0, r->receives) : code;
}

static hx_status progress(hxi_binding *binding)
{
    const hxi_rma *r = binding->state;
    const int before = binding->under_way;
    int code = r->manner->pulls ? pull(binding) : push(binding);
    if (code == MPI_SUCCESS && binding->under_way == before) {
        int waiting = 0;
        MPI_Comm comm = binding->topology->comm;
        code = MPI_Iprobe(MPI_ANY_SOURCE, binding->tag, comm, &waiting, MPI_STATUS_IGNORE);
    }
    return hxi_rma_checked(binding, code, "Moving messages through windows");
}

static hx_status bind_push(hxi_binding *binding)
{
    static const hxi_rma_manner manner = {.flags = true, .open = lock};
    return hxi_rma_bind(binding, &manner);
}

static hx_status bind_pull(hxi_binding *binding)
{
    static const hxi_rma_manner manner = {.pulls = true, .flags = true, .open = lock};
    return hxi_rma_bind(binding, &manner);
}

const hxi_transport hxi_transport_rma = {
    .name = "rma",
    .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_STEPS | HX_TRANSPORT_TOGETHER,
    .about = "one message put into its window",
    .bind = bind_push,
    .start = start,
    .send = send,
    .progress = progress,
    .unbind = hxi_rma_unbind,
};

const hxi_transport hxi_transport_rma_get = {
    .name = "rma-get",
    .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_STEPS | HX_TRANSPORT_TOGETHER,
    .about = "one message that it gets from here",
    .bind = bind_pull,
    .start = start,
    .send = send,
    .progress = progress,
    .unbind = hxi_rma_unbind,
};
