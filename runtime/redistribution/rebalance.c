/*
 * Other owners for the blocks of a handle, from the work that each of them makes.
 */
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "comm/tell.h"
#include "exchange/alloc.h"
#include "exchange/block_owners.h"
#include "grid/balance.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char purpose[] = "balancing the work of ranks";

typedef struct request {
    const double *work;
    int *owners;
    int *moved;
    int *made;    /* what owners gets */
    double *mine; /* the work of this rank's blocks, by number */
    /* On rank 0: */
    int *counts;
    int *first;
    double *all;      /* by rank, */
    double *by_block; /* and by number */
} request;

/* ---- may it be done? ----------------------------------------------------------------------------------------- */

static hx_status check_work(const hx_handle *h, const request *r, const char *caller)
{
    for (int b = 0; b < h->mine.blocks; ++b) {
        if (!(r->work[b] >= 0.0) || isinf(r->work[b])) {
            return hxi_fail(
                HX_ERR_ARGUMENT,
                "%s on rank %d: the work of block %d is %g; give 0 or more, in any unit, such as seconds.",
                caller, h->topology.rank, b, r->work[b]);
        }
    }
    return HX_OK;
}

static hx_status check(const hx_handle *h, const request *r, const char *caller)
{
    if (h->spec->list) {
        return hxi_fail(HX_ERR_ARGUMENT, "%s: %s is a list of points; blocks of boxes are moved.", caller,
                        h->spec->file);
    }
    if ((!r->work && h->mine.blocks > 0) || !r->owners || !r->moved) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s on rank %d: %s a null pointer; give the work of each block, room for the owners of all %d "
            "blocks, and the address of an int.",
            caller, h->topology.rank,
            !r->owners ? "the owners are"
            : r->moved ? "the work is"
                       : "the place for how many move is",
            h->layout.blocks);
    }
    if ((size_t)h->layout.blocks > INT_MAX / sizeof *r->owners) {
        return hxi_fail(HX_ERR_LIMIT,
                        "%s: the grid has %d blocks; owners of up to %zu can be told to all ranks.", caller,
                        h->layout.blocks, INT_MAX / sizeof *r->owners);
    }
    return check_work(h, r, caller);
}

static hx_status make_room(const hx_handle *h, request *r)
{
    const size_t blocks = (size_t)h->layout.blocks;
    const size_t ranks = h->topology.rank == 0 ? (size_t)h->topology.ranks : 0;
    const size_t heard = h->topology.rank == 0 ? blocks : 0;
    r->made = hxi_memory_get(blocks, sizeof *r->made, purpose);
    r->mine = hxi_memory_get((size_t)h->mine.blocks, sizeof *r->mine, purpose);
    r->counts = hxi_memory_get(ranks, sizeof *r->counts, purpose);
    r->first = hxi_memory_get(ranks + 1, sizeof *r->first, purpose);
    r->all = hxi_memory_get(heard, sizeof *r->all, purpose);
    r->by_block = hxi_memory_get(heard, sizeof *r->by_block, purpose);
    return r->made && r->mine && r->counts && r->first && r->all && r->by_block ? HX_OK : HX_ERR_MEMORY;
}

static void release(request *r)
{
    hxi_memory_free(r->made);
    hxi_memory_free(r->mine);
    hxi_memory_free(r->counts);
    hxi_memory_free(r->first);
    hxi_memory_free(r->all);
    hxi_memory_free(r->by_block);
}

/* ---- together ------------------------------------------------------------------------------------------------ */

/* Collective: rank 0 gets the work of all blocks. */
static hx_status tell_work(const hx_handle *h, request *r, const hxi_owners *owner)
{
    const int blocks = h->layout.blocks;
    for (int b = 0; b < h->mine.blocks; ++b) {
        r->mine[b] = r->work[h->mine.sorted[b]];
    }
    for (int b = 0; b < blocks; ++b) {
        r->made[b] = owner ? hxi_owners_of(owner, b) : b;
    }
    const bool hears = h->topology.rank == 0;
    for (int b = 0; b < blocks && hears; ++b) {
        r->counts[r->made[b] < 0 ? 0 : r->made[b]] += r->made[b] >= 0;
    }
    for (int i = 0; i < h->topology.ranks && hears; ++i) {
        r->first[i + 1] = r->first[i] + r->counts[i];
    }
    const hx_status status =
        hxi_tell_first(h->topology.comm, r->mine, h->mine.blocks, r->all, r->counts, r->first);
    for (int b = 0; b < blocks && hears && status == HX_OK; ++b) {
        const int rank = r->made[b];
        r->by_block[b] = rank < 0 ? 0.0 : r->all[r->first[rank]++];
    }
    return status;
}

/* On rank 0. */
static hx_status balance(const hx_handle *h, request *r, const char *caller)
{
    double all = 0.0;
    for (int b = 0; b < h->layout.blocks; ++b) {
        all += r->by_block[b];
    }
    if (!(all > 0.0) || isinf(all)) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s: the work of all %d blocks together is %g; give what each of them took, in any unit.", caller,
            h->layout.blocks - h->layout.land, all);
    }
    return hxi_balance(h->spec, &h->layout, r->by_block, r->made);
}

/* Collective. */
static hx_status rebalance(hx_handle *h, request *r, const char *caller)
{
    const hxi_owners *owner = NULL;
    hx_status status = hxi_block_owners(h, h, &owner);
    if (status != HX_OK) {
        return status;
    }
    hxi_first first = {0};
    hxi_first_note(&first, tell_work(h, r, owner));
    if (first.status == HX_OK && h->topology.rank == 0) {
        hxi_first_note(&first, balance(h, r, caller));
    }
    status = hxi_topology_agree(h->topology.comm, hxi_first_tell(&first));
    if (status == HX_OK) {
        const size_t bytes = (size_t)h->layout.blocks * sizeof *r->made;
        status = hxi_topology_agree(h->topology.comm, hxi_topology_tell(&h->topology, r->made, bytes));
    }
    if (status == HX_OK) {
        *r->moved = 0;
        for (int b = 0; b < h->layout.blocks; ++b) {
            *r->moved += r->made[b] != (owner ? hxi_owners_of(owner, b) : b);
            r->owners[b] = r->made[b];
        }
    }
    return status;
}

static hx_status begin(hx_handle *h, void *what, const char *caller, hx_status met)
{
    request *r = what;
    hxi_first first = {0};
    hxi_first_note(&first, met);
    hxi_first_note(&first, check(h, r, caller));
    hxi_first_note(&first, first.status == HX_OK ? make_room(h, r) : first.status);
    hx_status status = hxi_topology_agree(h->topology.comm, hxi_first_tell(&first));
    status = status == HX_OK ? rebalance(h, r, caller) : status;
    release(r);
    return status;
}

hx_status hx_rebalance(hx_handle *handle, const double work[], int owners[], int *moved)
{
    request r = {.work = work, .owners = owners, .moved = moved};
    return hxi_sets_call(handle, &r, "rebalance", begin);
}
