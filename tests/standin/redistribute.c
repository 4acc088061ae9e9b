/*
 * No redistribution on the stand-in: it has neither the audits' messages, by which ranks tell each other their
 * blocks, nor those of rounds of peers.
 */
#include "exchange/redistribute.h"

#include "base/status.h"

void hxi_redistributions_free(hx_handle *handle)
{
    (void)handle;
}

hx_status hx_redistribute(hx_handle *from, const void *source, hx_handle *to, const void *target)
{
    (void)from;
    (void)source;
    (void)to;
    (void)target;
    return hxi_fail(HX_ERR_STATE, "The stand-in for MPI has no redistribution.");
}

hx_status hx_redistribute_ids(hx_handle *from, const void *source, const hx_ids *source_ids, hx_handle *to,
                              const void *target, const hx_ids *target_ids)
{
    (void)source_ids;
    (void)target_ids;
    return hx_redistribute(from, source, to, target);
}

hx_status hx_gather(hx_handle *handle, const void *fields, int field, int root, const hx_strided_array *whole)
{
    (void)handle;
    (void)fields;
    (void)field;
    (void)root;
    (void)whole;
    return hxi_fail(HX_ERR_STATE, "The stand-in for MPI has no redistribution.");
}

hx_status hx_scatter(hx_handle *handle, const void *fields, int field, int root,
                     const hx_strided_array *whole)
{
    return hx_gather(handle, fields, field, root, whole);
}
