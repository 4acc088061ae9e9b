/*
 * Plain nonblocking messages: the reference that every other transport is compared with.
 */
#include "transport/requests.h"

static hx_status start(hxi_binding *binding)
{
    binding->arrivals = 0;
    hx_status status = HX_OK;
    for (int i = 0; i < binding->receives && status == HX_OK; ++i) {
        status = hxi_requests_receive(binding, i);
    }
    return status;
}

const hxi_transport hxi_transport_p2p = {
    .name = "p2p",
    .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_DEVICE,
    .about = "one nonblocking message",
    .in_place = HX_REQUESTS_MOST,
    .bind = hxi_requests_bind,
    .start = start,
    .send = hxi_requests_send,
    .progress = hxi_requests_progress,
    .unbind = hxi_requests_unbind,
};
