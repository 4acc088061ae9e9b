/*
 * Within a rank: emitted sweeps and copies from array to array; no buffer, no MPI.
 */
#include "transport/transport.h"

static void copy(hxi_binding *binding, void *const *base)
{
    hxi_sweeps_run(&binding->ops->sweeps, base);
    hxi_ops_copy(binding->ops->copy, binding->ops->copies, base);
}

const hxi_transport hxi_transport_self = {
    .name = "self",
    .flags = HX_TRANSPORT_COPIES,
    .about = "copied from array to array, without a buffer",
    .copy = copy,
};
