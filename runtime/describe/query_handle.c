/*
 * What programs ask about an exchange of a handle by number: its traffic, links and message buffers.
 */
#include "base/status.h"
#include "exchange/handle.h"
#include "exchange/owner.h"
#include "exchange/progress.h"

static hx_status check_exchange(const hx_handle *handle, int exchange, const void *out, const char *what)
{
    if (!handle || !out) {
        return hxi_fail(HX_ERR_ARGUMENT, "Asked to %s of an exchange, %s is a null pointer.", what,
                        handle ? "the place for the answer" : "the handle");
    }
    const hx_status status = hxi_owner_check(handle, what);
    if (status != HX_OK) {
        return status;
    }
    if (exchange < 0 || exchange >= handle->plans) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "Rank %d was asked to %s of exchange %d; %s has %d, numbered from 0.",
                        handle->topology.rank, what, exchange, handle->spec->file, handle->plans);
    }
    return HX_OK;
}

hx_status hx_traffic_of(const hx_handle *handle, int exchange, hx_traffic *traffic)
{
    const hx_status status = check_exchange(handle, exchange, traffic, "tell the traffic");
    if (status == HX_OK) {
        hx_handle *locked = (hx_handle *)handle; /* whose locks are no part of its value */
        hxi_progress_hold(locked);
        *traffic = handle->plan[exchange].traffic;
        hxi_progress_release(locked);
    }
    return status;
}

hx_status hx_links(const hx_handle *handle, int exchange, hx_link *link, int *count)
{
    const hx_status status = check_exchange(handle, exchange, count, "tell the links");
    if (status != HX_OK) {
        return status;
    }
    const hxi_plan *plan = &handle->plan[exchange];
    int found = 0;
    for (int p = 0; p < plan->phases; ++p) {
        const hxi_segments *segments = &plan->phase[p].segments;
        for (int i = 0; i < segments->count; ++i, ++found) {
            if (link) {
                link[found] = segments->segment[i].link;
            }
        }
    }
    *count = found;
    return HX_OK;
}

hx_status hx_message_buffers(const hx_handle *handle, int exchange, hx_message_buffer *buffer, int *count)
{
    const hx_status status = check_exchange(handle, exchange, count, "tell the message buffers");
    if (status != HX_OK) {
        return status;
    }
    const hxi_plan *plan = &handle->plan[exchange];
    /* Messages moved by hand have one phase, and one transport. */
    const hxi_binding *binding = &plan->phase[0].binding[plan->phase[0].bindings - 1];
    if ((binding->transport->flags & HX_TRANSPORT_BY_HAND) == 0) {
        return hxi_fail(HX_ERR_STATE,
                        "%s:%d: the messages of exchange \"%s\" travel by %s; to move them yourself, create "
                        "with the option transport \"%s\".",
                        plan->spec->file, plan->exchange->line, plan->exchange->name,
                        binding->transport->name, hxi_transport_manual.name);
    }
    *count = binding->sends + binding->receives;
    for (int m = 0; buffer && m < *count; ++m) {
        const bool sent = m < binding->sends;
        const hxi_message *message = sent ? &binding->send[m] : &binding->receive[m - binding->sends];
        buffer[m] = (hx_message_buffer){message->peer, !sent, message->bytes, message->buffer};
    }
    return HX_OK;
}
