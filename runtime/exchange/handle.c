/*
 * Making handles.
 *
 * It is staged, so that it fails on all ranks or on none: each rank does what it can alone and remembers
 * how that went; takes part in every collective call regardless; and all agree before any of them goes on to
 * messages.
 */
#include "exchange/handle.h"
#include "base/memory.h"
#include "base/status.h"
#include "comm/arrival.h"
#include "exchange/alike.h"
#include "exchange/asked.h"
#include "exchange/block_owners.h"
#include "exchange/owner.h"
#include "exchange/prepare.h"
#include "exchange/progress.h"

/* Is there a name to be read? */
static bool is_named(const hx_spec *spec)
{
    return spec && spec->abi == HX_ABI && spec->name;
}

const char *hxi_handle_call(const hx_spec *spec, char buffer[HX_CALL])
{
    return is_named(spec) ? hxi_call(spec, NULL, "create", buffer) : "hx_create";
}

/* Before plans are made known: what these say of lists that do not fit is not the reason. */
static hx_status confirm_lists(hx_handle *h, MPI_Comm comm)
{
    return h->spec->list ? hxi_topology_agree(comm, hxi_topology_confirm(&h->topology, 0, &h->promises))
                         : HX_OK;
}

static hx_status confirm_plans(hx_handle *h)
{
    hxi_first first = {0};
    for (int i = 0; i < h->plans; ++i) {
        hxi_first_note(&first, hxi_plan_confirm(&h->plan[i], &h->topology));
    }
    return hxi_first_tell(&first);
}

static hx_status bind_plans(hx_handle *h)
{
    const hxi_resources resources = {.mine = &h->mine,
                                     .topology = &h->topology,
                                     .team = h->team,
                                     .buffers = &h->buffers,
                                     .board = &h->board,
                                     .boxes = h->boxes,
                                     .nccl = h->nccl,
                                     .sets = &h->sets,
                                     .options = &h->options};
    hxi_first first = {0};
    for (int i = 0; i < h->plans; ++i) {
        hxi_first_note(&first, hxi_plan_bind(&h->plan[i], &resources));
    }
    return hxi_first_tell(&first);
}

/* Collective over the node, and may fail alone: where blocks may move, the board of the next handle, which is made like this one. */
static hx_status make_spare(hx_handle *h)
{
    const bool may_move = h->topology.node_ranks > 1 && h->layout.blocks > h->topology.ranks;
    return h->like || h->spec->list || !may_move
               ? HX_OK
               : hxi_node_spare_make(&h->topology, h->board.needed ? h->board.bytes : 0, &h->spare);
}

/* Collective over the node; also of ranks that have made no exchanges, and so have nothing to show. */
static hx_status show(hx_handle *h, bool made)
{
    const hx_status met = h->device ? hxi_device_meet(h->device, &h->topology) : HX_OK;
    const hx_status shown = hxi_board_show(&h->topology, h->spare, &h->board);
    hx_status status = met == HX_OK ? shown : met;
    if (shown == HX_OK && h->device && made) {
        hxi_device_boxes_open(h->boxes, &h->board);
    } else if (shown == HX_OK && h->device) {
        hxi_device_boxes_open_without(&h->board);
    }
    if (shown == HX_OK) {
        const hx_status spared = make_spare(h);
        status = status == HX_OK ? spared : status;
    }
    return status;
}

/* What this rank has to do with each other one, in exchanges with fields on a device. */
static unsigned char *find_talks(const hx_handle *h)
{
    unsigned char *talks = hxi_memory_get((size_t)h->topology.ranks, 1, "the peers of exchanges");
    for (int e = 0; e < h->plans && talks; ++e) {
        const hxi_routes *routes = &h->plan[e].routes;
        for (int i = 0; i < routes->routes && h->plan[e].device; ++i) {
            const hxi_route *route = &routes->route[i];
            talks[route->peer] |= (unsigned char)((route->sends ? HX_NCCL_SENDS : 0) |
                                                  (route->receives ? HX_NCCL_RECEIVES : 0));
        }
    }
    return talks;
}

hx_status hxi_handle_open_nccl(hx_handle *h)
{
    unsigned char *talks = find_talks(h);
    const hx_status status =
        hxi_nccl_open(h->device, &h->topology, talks, talks ? HX_OK : HX_ERR_MEMORY, &h->nccl);
    hxi_memory_free(talks);
    return status;
}

static hx_status open_nccl(hx_handle *h)
{
    bool wanted = false;
    for (int e = 0; e < h->plans; ++e) {
        wanted = wanted || (h->plan[e].device && hxi_plan_wants_stream(&h->plan[e]));
    }
    return wanted && !h->nccl ? hxi_handle_open_nccl(h) : HX_OK;
}

/* All ranks are here before any of them waits in a call of MPI.  Trials come after that. */
static hx_status arrive(const hx_handle *h, const hx_blocks *blocks, const hx_options *options)
{
    hx_options wanted;
    hxi_reasons why;
    char buffer[HX_CALL];
    if (h->options.size != 0) {
        return HX_OK;
    }
    const bool known = hxi_options_resolve(options, &wanted, &why) == HX_OK;
    return hxi_arrival_wait(blocks->comm, hxi_handle_call(h->spec, buffer), is_named(h->spec),
                            known ? wanted.deadline : 0.0);
}

/* From nothing: until ranks are known to want the same. */
static hx_status begin(hx_handle *h, const hx_blocks *blocks, const void *shapes, const hx_options *options,
                       hx_status ready, int64_t *given)
{
    hxi_first first = {0};
    hxi_first_note(&first, ready);
    hxi_first_note(&first, hxi_topology_open(blocks->comm, &h->topology));
    hxi_first_note(&first, hxi_topology_find_node(blocks->comm, &h->topology));
    /* Before ranks are compared: what they say about each other when one of them failed is not the reason. */
    hxi_first_note(&first,
                   first.status == HX_OK ? hxi_prepare_blocks(h, blocks, shapes, options) : first.status);
    hxi_first_note(&first, hxi_asked_read(h));
    return hxi_alike_compare(h, blocks, hxi_first_tell(&first), given);
}

/* The same, like another handle: options need not be compared, and its exchanges are made. */
static hx_status begin_like(hx_handle *h, const hx_blocks *blocks, const void *shapes, hx_status ready)
{
    const hxi_owners *owner = NULL;
    hxi_first first = {0};
    hxi_first_note(&first, ready);
    hxi_first_note(&first, hxi_block_owners(h->like, h->like, &owner));
    hxi_first_note(&first, hxi_topology_copy(&h->like->topology, &h->topology));
    hxi_first_note(&first,
                   first.status == HX_OK ? hxi_prepare_blocks(h, blocks, shapes, NULL) : first.status);
    h->spare = hxi_node_spare_join(&h->like->spare);
    hxi_first_note(&first, h->spare ? HX_OK : HX_ERR_MEMORY);
    hx_status status = hxi_topology_agree(blocks->comm, hxi_first_tell(&first));
    if (status == HX_OK) {
        const hx_status same = hxi_alike_compare_like(h, blocks);
        bool together = true;
        status = hxi_inherit_make(h, same, &h->inherits, &together);
        if (!together) {
            h->broken = status;
            return status;
        }
        status = hxi_topology_agree(blocks->comm, status == HX_OK ? hxi_prepare_exchanges(h) : status);
        hxi_inherit_free(h->inherits);
        h->inherits = NULL;
    }
    return status;
}

/* How it went on this rank, step by step: each goes on where another one failed, and all agree in the end. */
typedef struct steps {
    hxi_first made;
    hxi_first shown;
    hxi_first bound;
} steps;

/* The same on all ranks: does binding take calls that all ranks make? */
static bool binds_together(const hx_handle *h)
{
    const hxi_transport *asked = hxi_transport_named(h->options.transport);
    bool together = !asked || (asked->flags & HX_TRANSPORT_TOGETHER) != 0;
    for (int e = 0; h->tuned && e < h->spec->exchanges; ++e) {
        const hxi_transport *tuned = h->tuned[e].taken.transport;
        together = together || (tuned && (tuned->flags & HX_TRANSPORT_TOGETHER) != 0);
    }
    return together;
}

/*
 * Local.  Where a function says who owns what it is asked about blocks that are near.  But where ranks gave the shapes of
 * fewer blocks than there are, each asks about all: some may have no owner.
 */
static hx_status check_given(hx_handle *h, int64_t given)
{
    const bool few = h->layout.asks && given != h->layout.blocks;
    const hx_status status = few ? hxi_layout_find_land(&h->layout) : HX_OK;
    const int owned = h->layout.blocks - h->layout.land;
    if (status != HX_OK || given == owned) {
        return status;
    }
    return hxi_fail(
        HX_ERR_PARTITION,
        "All ranks together gave the shapes of %lld block%s; the partition has %d%s.  Each rank gives the "
        "shapes of all blocks it owns.",
        (long long)given, hxi_s(given), owned, h->layout.land > 0 ? " with an owner" : "");
}

/* What all ranks make from there: each may fail alone. */
static hx_status make_alone(hx_handle *h, int64_t given)
{
    const hx_status status = hxi_topology_meet_node(&h->topology);
    const hx_status checked = status == HX_OK ? check_given(h, given) : status;
    return checked == HX_OK ? hxi_prepare_exchanges(h) : checked;
}

/* Collective, where something is wrong somewhere: what, in the order in which it came. */
static hx_status find_reason(hx_handle *h, MPI_Comm comm, const steps *s)
{
    hx_status status = hxi_topology_agree(comm, hxi_first_tell(&s->made));
    status = status == HX_OK ? confirm_lists(h, comm) : status;
    status = status == HX_OK ? hxi_topology_agree(comm, confirm_plans(h)) : status;
    status = status == HX_OK ? hxi_topology_agree(comm, hxi_first_tell(&s->shown)) : status;
    return status == HX_OK ? hxi_topology_agree(comm, hxi_first_tell(&s->bound)) : status;
}

/*
 * Collective.  No rank has failed, and what each promises to send the others expect.  One sum says so; only where it says
 * otherwise the ranks talk.
 */
static hx_status settle(hx_handle *h, MPI_Comm comm, const steps *s)
{
    enum { FAILED, BALANCE, SUMS };
    const bool failed = s->made.status != HX_OK || s->shown.status != HX_OK || s->bound.status != HX_OK;
    uint64_t mine[SUMS] = {failed, 0};
    uint64_t sum[SUMS] = {0};
    for (int i = 0; i < h->plans && !failed; ++i) {
        mine[BALANCE] += hxi_confirmation_balance(&h->plan[i].confirmation, h->topology.rank, i);
    }
    mine[BALANCE] += hxi_confirmation_balance(&h->promises, h->topology.rank, -1);
    const hx_status status = hxi_topology_add_up(comm, mine, sum, SUMS);
    return status == HX_OK && (sum[FAILED] != 0 || sum[BALANCE] != 0) ? find_reason(h, comm, s) : status;
}

/* Collective, one after the other: each step may call all ranks together. */
static hx_status bind_together(hx_handle *h, MPI_Comm comm, steps *s)
{
    hx_status status = settle(h, comm, s);
    status = status == HX_OK ? hxi_topology_agree(comm, open_nccl(h)) : status;
    return status == HX_OK ? hxi_topology_agree(comm, bind_plans(h)) : status;
}

/* Collective: from exchanges, which a rank may have failed to make, to a handle. */
static hx_status complete(hx_handle *h, MPI_Comm comm, steps *s)
{
    hxi_first_note(&s->shown, show(h, s->made.status == HX_OK));
    if (binds_together(h)) {
        return bind_together(h, comm, s);
    }
    if (s->made.status == HX_OK && s->shown.status == HX_OK) {
        hxi_first_note(&s->bound, bind_plans(h));
    }
    return settle(h, comm, s);
}

/* No more is promised. */
static void free_promises(hx_handle *h)
{
    for (int i = 0; i < h->plans; ++i) {
        hxi_confirmation_free(&h->plan[i].confirmation);
    }
    hxi_confirmation_free(&h->promises);
}

/*
 * The calls of MPI that all ranks make, where nothing fails: two of arrive, MPI_Comm_dup, MPI_Comm_split_type, and the
 * reductions of hxi_alike_compare and settle.  tests/exchange/counted.c counts them.
 */
static hx_status create(hx_handle *h, const hx_blocks *blocks, const void *shapes, const hx_options *options,
                        hx_status ready)
{
    steps s = {0};
    int64_t given = 0;
    hxi_first first = {0};
    hxi_first_note(&first, ready);
    const hx_status here = arrive(h, blocks, options);
    if (hxi_arrival_failed(here)) {
        return here;
    }
    hxi_first_note(&first, here);
    const hx_status early = hxi_first_tell(&first);
    hx_status status =
        h->like ? begin_like(h, blocks, shapes, early) : begin(h, blocks, shapes, options, early, &given);
    if (status == HX_OK && !h->like) {
        hxi_first_note(&s.made, make_alone(h, given));
        h->layout.asks = false; /* the function is the application's again */
    }
    status = status == HX_OK ? complete(h, blocks->comm, &s) : status;
    free_promises(h);
    return status;
}

/* A rank without memory for a handle takes part all the same. */
hx_status hxi_handle_make(const hx_handle *model, const hx_blocks *blocks, const void *shapes,
                          const hx_options *options, hx_status ready, hx_handle **made)
{
    hx_handle *handle = ready == HX_OK ? hxi_memory_get(1, sizeof *handle, "a handle") : NULL;
    hx_handle none = *model;
    if (handle) {
        *handle = *model;
    }
    hx_status status = ready == HX_OK && !handle ? HX_ERR_MEMORY : ready;
    status = create(handle ? handle : &none, blocks, shapes, options, status);
    if (status != HX_OK) {
        hxi_first first = {0};
        hxi_first_note(&first, status); /* a device that is lost fails again when it is left */
        hxi_handle_release(handle ? handle : &none);
        hxi_memory_free(handle);
        return hxi_first_tell(&first);
    }
    static _Atomic uint64_t handles;
    handle->number = atomic_fetch_add(&handles, 1) + 1;
    hxi_progress_open(handle);
    hxi_owner_take(handle, handle->topology.one_thread);
    static const hxi_meeting_of of = {"handle", "The handle can only be destroyed now."};
    hxi_meeting_open(&handle->meeting, &handle->topology, &of);
    *made = handle;
    return HX_OK;
}

hx_status hxi_handle_make_like(const hx_handle *model, const hx_blocks *blocks, const void *shapes,
                               hx_handle **made)
{
    const hx_handle clean = {.spec = model->spec,
                             .options = model->options,
                             .why = model->why,
                             .tuned = model->tuned,
                             .given = model->given,
                             .nccl = hxi_nccl_share(model->nccl),
                             .topology = hxi_topology_none()};
    return hxi_handle_make(&clean, blocks, shapes, NULL, HX_OK, made);
}
