/*
 * One-sided messages between calls of MPI that wait for others: puts into the receiver's window,
 *
 *     rma-fence   between two calls of MPI_Win_fence, in which all ranks take part,
 *     rma-pscw    between MPI_Win_start and MPI_Win_complete of the sender, and MPI_Win_post and MPI_Win_wait
 * of the receiver, which concern peers only.
 *
 * start posts, which waits for nobody; all else happens in one call of progress, which waits until all
 * messages are there.  Nothing else moves meanwhile: HX_TRANSPORT_ORDERED.
 *
 * A call that failed is no reason to leave out those that peers wait for.
 */
#include "transport/rma.h"

#include "base/memory.h"

static hx_status start(hxi_binding *binding)
{
    const hxi_rma *r = binding->state;
    binding->arrivals = 0;
    binding->under_way = r->win != MPI_WIN_NULL; /* the epoch */
    return HX_OK;
}

/* All are packed when progress is called. */
static hx_status send(hxi_binding *binding, int number)
{
    (void)binding;
    (void)number;
    return HX_OK;
}

static int put_all(const hxi_rma *r)
{
    int code = MPI_SUCCESS;
    for (int i = r->receives; i < r->ends && code == MPI_SUCCESS; ++i) {
        const hxi_rma_end *e = &r->end[i];
        code = hxi_rma_put(r, e->message->buffer, e->message->bytes, e->peer, e->there.buffer);
    }
    return code;
}

static void note_arrivals(hxi_binding *binding)
{
    binding->under_way = 0;
    while (binding->arrivals < binding->receives) {
        binding->arrived[binding->arrivals] = binding->arrivals;
        binding->arrivals++;
    }
}

static int first_of(int code, int later)
{
    return code == MPI_SUCCESS ? later : code;
}

/* ---- fence --------------------------------------------------------------------------------------------- */

static int fence(const hxi_binding *binding, int assertions)
{
    const hxi_rma *r = binding->state;
    hxi_rma_arm(binding, "MPI_Win_fence", 0, 0);
    const int code = MPI_Win_fence(assertions, r->win);
    hxi_rma_disarm(binding);
    return code;
}

/* Nobody stores into a window, and it is put into only between the first fence and the second. */
static hx_status progress_fence(hxi_binding *binding)
{
    const hxi_rma *r = binding->state;
    const int nothing_comes = r->receives == 0 ? MPI_MODE_NOPUT : 0;
    int code = fence(binding, MPI_MODE_NOPRECEDE | MPI_MODE_NOSTORE | nothing_comes);
    code = first_of(code, put_all(r));
    code = first_of(code, fence(binding, MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE | MPI_MODE_NOPUT));
    note_arrivals(binding);
    return hxi_rma_checked(binding, code, "Putting messages into windows (MPI_Win_fence)");
}

static hx_status bind_fence(hxi_binding *binding)
{
    static const hxi_rma_manner manner = {0};
    return hxi_rma_bind(binding, &manner);
}

/* ---- post, start, complete, wait ----------------------------------------------------------------------- */

/* The peers of some ends, which stand by rising peer; `all` has the ranks of the communicator. */
static int make_group(const hxi_rma *r, int first, int last, MPI_Group all, int *peer, MPI_Group *group)
{
    int peers = 0;
    for (int i = first; i < last; ++i) {
        if (i == first || r->end[i].peer != r->end[i - 1].peer) {
            peer[peers++] = r->end[i].peer;
        }
    }
    return MPI_Group_incl(all, peers, peer, group);
}

static hx_status make_groups(hxi_binding *binding)
{
    hxi_rma *r = binding->state;
    MPI_Group all = MPI_GROUP_NULL;
    int *peer = hxi_memory_get((size_t)r->ends, sizeof *peer, "the peers of a window");
    if (!peer) {
        return HX_ERR_MEMORY;
    }
    int code = MPI_Comm_group(binding->topology->comm, &all);
    if (code == MPI_SUCCESS) {
        code = make_group(r, 0, r->receives, all, peer, &r->origins);
        code = first_of(code, make_group(r, r->receives, r->ends, all, peer, &r->targets));
        MPI_Group_free(&all);
    }
    hxi_memory_free(peer);
    return hxi_rma_checked(binding, code, "Grouping the peers of a window (MPI_Group_incl)");
}

static hx_status post(hxi_binding *binding)
{
    const hxi_rma *r = binding->state;
    const hx_status status = start(binding);
    if (status != HX_OK || binding->under_way == 0 || r->receives == 0) {
        return status;
    }
    const int code = MPI_Win_post(r->origins, MPI_MODE_NOSTORE, r->win);
    return hxi_rma_checked(binding, code, "Letting messages come into a window (MPI_Win_post)");
}

static int put_between(const hxi_binding *binding)
{
    const hxi_rma *r = binding->state;
    hxi_rma_arm(binding, "MPI_Win_start", r->receives, r->ends);
    int code = MPI_Win_start(r->targets, 0, r->win);
    hxi_rma_disarm(binding);
    code = first_of(code, put_all(r));
    hxi_rma_arm(binding, "MPI_Win_complete", r->receives, r->ends);
    code = first_of(code, MPI_Win_complete(r->win));
    hxi_rma_disarm(binding);
    return code;
}

static int wait_for_all(const hxi_binding *binding)
{
    const hxi_rma *r = binding->state;
    hxi_rma_arm(binding, "MPI_Win_wait", 0, r->receives);
    const int code = MPI_Win_wait(r->win);
    hxi_rma_disarm(binding);
    return code;
}

static hx_status progress_pscw(hxi_binding *binding)
{
    const hxi_rma *r = binding->state;
    int code = r->ends > r->receives ? put_between(binding) : MPI_SUCCESS;
    code = first_of(code, r->receives > 0 ? wait_for_all(binding) : MPI_SUCCESS);
    note_arrivals(binding);
    return hxi_rma_checked(binding, code, "Putting messages into windows (MPI_Win_complete, MPI_Win_wait)");
}

static hx_status bind_pscw(hxi_binding *binding)
{
    static const hxi_rma_manner manner = {.prepare = make_groups};
    return hxi_rma_bind(binding, &manner);
}

/* ---- the transports ------------------------------------------------------------------------------------ */

const hxi_transport hxi_transport_rma_fence = {
    .name = "rma-fence",
    .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_ORDERED | HX_TRANSPORT_TOGETHER,
    .about = "one message put into its window, between fences",
    .bind = bind_fence,
    .start = start,
    .send = send,
    .progress = progress_fence,
    .unbind = hxi_rma_unbind,
};

const hxi_transport hxi_transport_rma_pscw = {
    .name = "rma-pscw",
    .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_ORDERED | HX_TRANSPORT_TOGETHER,
    .about = "one message put into its window, when it has posted",
    .bind = bind_pscw,
    .start = post,
    .send = send,
    .progress = progress_pscw,
    .unbind = hxi_rma_unbind,
};
