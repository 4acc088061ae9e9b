/*
 * No handles like others on the stand-in: it has neither the calls of MPI by which ranks tell each other their blocks, nor
 * rounds of peers.
 */
#include "exchange/block_owners.h"

#include "base/status.h"

static const char nothing[] = "The stand-in for MPI has no redistribution, and no handles like others.";

hx_status hxi_block_owners(hx_handle *handle, const hx_handle *with, const hxi_owners **owner)
{
    (void)handle;
    (void)with;
    *owner = NULL;
    return hxi_fail(HX_ERR_STATE, nothing);
}

hx_status hxi_inherit_make(const hx_handle *h, hx_status ready, hxi_inheritance **made, bool *together)
{
    (void)h;
    (void)ready;
    *made = NULL;
    *together = true;
    return hxi_fail(HX_ERR_STATE, nothing);
}

hx_status hxi_inherit_segments(const hxi_inheritance *inherits, const hxi_neighborhood *n, int exchange,
                               int phase, hxi_segments *found)
{
    (void)inherits;
    (void)n;
    (void)exchange;
    (void)phase;
    (void)found;
    return hxi_fail(HX_ERR_STATE, nothing);
}

bool hxi_inherit_ops(const hxi_inheritance *inherits, int exchange, int phase, const int slot_of[],
                     hxi_kept_ops *kept)
{
    (void)inherits;
    (void)exchange;
    (void)phase;
    (void)slot_of;
    (void)kept;
    return false;
}

void hxi_inherit_free(hxi_inheritance *inherits)
{
    (void)inherits;
}

hx_status hx_rebalance(hx_handle *handle, const double work[], int owners[], int *moved)
{
    (void)handle;
    (void)work;
    (void)owners;
    (void)moved;
    return hxi_fail(HX_ERR_STATE, nothing);
}

hx_status hx_redistribute(hx_handle *from, const void *source, hx_handle *to, const void *target)
{
    (void)from;
    (void)source;
    (void)to;
    (void)target;
    return hxi_fail(HX_ERR_STATE, nothing);
}

hx_status hx_redistribute_with(hx_handle *from, const void *source, hx_handle *to, const void *target,
                               const hx_redistribution *how)
{
    (void)how;
    return hx_redistribute(from, source, to, target);
}

hx_status hx_gather_selected(hx_handle *handle, const void *fields, const hx_selection list[], int count)
{
    (void)handle;
    (void)fields;
    (void)list;
    (void)count;
    return hxi_fail(HX_ERR_STATE, nothing);
}

hx_status hx_scatter_selected(hx_handle *handle, const void *fields, const hx_selection list[], int count)
{
    return hx_gather_selected(handle, fields, list, count);
}

hx_status hx_gather(hx_handle *handle, const void *fields, int field, int root, const hx_strided_array *whole)
{
    (void)handle;
    (void)fields;
    (void)field;
    (void)root;
    (void)whole;
    return hxi_fail(HX_ERR_STATE, nothing);
}

hx_status hx_scatter(hx_handle *handle, const void *fields, int field, int root,
                     const hx_strided_array *whole)
{
    return hx_gather(handle, fields, field, root, whole);
}
