/*
 * What needs windows, which the stand-in for MPI does not have: transports find that, and messages go by
 * persistent requests; there are none to register.
 */
#include "base/status.h"
#include "transport/transport.h"

#include <stdio.h>

static hx_status bind(hxi_binding *binding)
{
    snprintf(binding->why, sizeof binding->why, "The stand-in for MPI has no windows.");
    binding->transport = &hxi_transport_persistent;
    return binding->transport->bind(binding);
}

const hxi_transport hxi_transport_rma = {.name = "rma", .flags = HX_TRANSPORT_CHOICE, .bind = bind};
const hxi_transport hxi_transport_rma_get = {.name = "rma-get", .flags = HX_TRANSPORT_CHOICE, .bind = bind};
const hxi_transport hxi_transport_rma_fence = {
    .name = "rma-fence", .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_ORDERED, .bind = bind};
const hxi_transport hxi_transport_rma_pscw = {
    .name = "rma-pscw", .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_ORDERED, .bind = bind};

hx_status hx_register(hx_handle *handle, hx_window *window)
{
    (void)handle;
    (void)window;
    return hxi_fail(HX_ERR_STATE, "The stand-in for MPI has no windows.");
}

hx_status hx_unregister(hx_handle *handle, hx_window *window)
{
    (void)handle;
    (void)window;
    return HX_OK;
}
