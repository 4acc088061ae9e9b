/*
 * Transports of windows, which the stand-in for MPI does not have: they find that, and messages go by
 * persistent requests.
 */
#include "transport/transport.h"

#include <stdio.h>

static hx_status bind(hx_binding *binding)
{
    snprintf(binding->why, sizeof binding->why, "The stand-in for MPI has no windows.");
    binding->transport = &hx_transport_persistent;
    return binding->transport->bind(binding);
}

const hx_transport hx_transport_rma = {.name = "rma", .flags = HX_TRANSPORT_CHOICE, .bind = bind};
const hx_transport hx_transport_rma_get = {.name = "rma-get", .flags = HX_TRANSPORT_CHOICE, .bind = bind};
const hx_transport hx_transport_rma_fence = {
    .name = "rma-fence", .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_ORDERED, .bind = bind};
const hx_transport hx_transport_rma_pscw = {
    .name = "rma-pscw", .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_ORDERED, .bind = bind};
