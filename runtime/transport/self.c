/*
 * Within a rank: emitted copies from array to array; no buffer, no MPI.
 */
#include "transport.h"

static void copy(hx_binding *binding, void *const *base)
{
    hx_ops_copy(binding->copy, binding->copies, base);
}

const hx_transport hx_transport_self = {
    .name = "self",
    .flags = HX_TRANSPORT_COPIES,
    .about = "copied from array to array, without a buffer",
    .copy = copy,
};
