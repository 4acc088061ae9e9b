/*
 * Between devices, by NCCL: all messages of an exchange are one group of sends and receives, in the stream that packs, behind
 * that.  They lie in memory of the device, and the host moves nothing.
 *
 * The host asks an event whether the group is through.  A message is received into memory that was unpacked: both the
 * unpacking and the next group are in order behind each other.
 *
 * A rank shares its communicator among the exchanges of a handle, so all ranks start them in the same order.  NCCL
 * leaves nothing to a rank that does not come but to be waited for: the deadline gives the communicator up.
 */
#include "base/memory.h"
#include "base/status.h"
#include "transport/transport.h"

#include <stdio.h>

static const char purpose[] = "the messages of an exchange";

typedef struct group {
    hxi_nccl_message *message; /* those sent, then those received */
    hx_device_event *through;
} group;

static void give_buffers(const hxi_binding *binding, hxi_message *message, int count, int abandon)
{
    for (int i = 0; i < count; ++i) {
        hxi_buffers_give_shared(binding->buffers, message[i].buffer, abandon);
    }
}

static void unbind(hxi_binding *binding, int abandon)
{
    group *g = binding->state;
    if (!g) {
        return;
    }
    give_buffers(binding, binding->send, binding->sends, abandon);
    give_buffers(binding, binding->receive, binding->receives, abandon);
    if (g->through && !abandon) {
        binding->boxes->device->calls->event_close(g->through);
    }
    hxi_memory_free(g->message);
    hxi_memory_free(g);
    hxi_memory_free(binding->arrived);
    binding->arrived = NULL;
    binding->state = NULL;
}

/* All ranks together. */
static hx_status fall_back(hxi_binding *binding)
{
    snprintf(binding->why, sizeof binding->why, "%s", hxi_nccl_why(binding->nccl));
    binding->transport = &hxi_transport_persistent;
    return binding->transport->bind(binding);
}

static hx_status take_buffers(hxi_binding *binding, hxi_message *message, int count, hxi_nccl_message *moved)
{
    hx_status status = HX_OK;
    for (int i = 0; i < count && status == HX_OK; ++i) {
        void *buffer = NULL;
        status = hxi_buffers_take_shared(binding->buffers, message[i].bytes, &buffer);
        message[i].buffer = status == HX_OK ? buffer : NULL;
        moved[i] = (hxi_nccl_message){.peer = message[i].peer, .bytes = message[i].bytes, .memory = buffer};
    }
    return status;
}

static hx_status make_group(hxi_binding *binding)
{
    group *g = binding->state = hxi_memory_get(1, sizeof *g, purpose);
    if (!g) {
        return HX_ERR_MEMORY;
    }
    const size_t messages = (size_t)binding->sends + (size_t)binding->receives;
    g->message = hxi_memory_get(messages, sizeof *g->message, purpose);
    binding->arrived = hxi_memory_get((size_t)binding->receives, sizeof *binding->arrived, purpose);
    if (!g->message || !binding->arrived) {
        return HX_ERR_MEMORY;
    }
    const hx_device *calls = binding->boxes->device->calls;
    const int error = calls->event_open(&g->through);
    if (error != 0) {
        return hxi_device_fail(calls, error, "Making an event");
    }
    const hx_status status = take_buffers(binding, binding->send, binding->sends, g->message);
    return status == HX_OK
               ? take_buffers(binding, binding->receive, binding->receives, g->message + binding->sends)
               : status;
}

static hx_status bind(hxi_binding *binding)
{
    return hxi_nccl_usable(binding->nccl) ? make_group(binding) : fall_back(binding);
}

static hx_status put(hxi_binding *binding, hx_stream stream)
{
    const group *g = binding->state;
    return binding->sends + binding->receives == 0
               ? HX_OK
               : hxi_nccl_put(binding->nccl, g->message, binding->sends, binding->receives, stream);
}

static hx_status mark(hxi_binding *binding, hx_stream stream)
{
    const group *g = binding->state;
    const hx_device *calls = binding->boxes->device->calls;
    const int error = calls->event_record(g->through, stream);
    return error == 0 ? HX_OK : hxi_device_fail(calls, error, "Recording an event");
}

static hx_status start(hxi_binding *binding)
{
    binding->arrivals = 0;
    binding->under_way = binding->receives > 0 ? binding->receives : binding->sends;
    return HX_OK;
}

/* It is in the group. */
static hx_status send(hxi_binding *binding, int number)
{
    (void)binding;
    (void)number;
    return HX_OK;
}

static hx_status progress(hxi_binding *binding)
{
    const group *g = binding->state;
    const hx_device *calls = binding->boxes->device->calls;
    bool through = false;
    const int error = calls->event_done(g->through, &through);
    if (error != 0) {
        return hxi_device_fail(calls, error, "Moving messages on device %d", binding->boxes->device->number);
    }
    if (!through) {
        return hxi_nccl_check(binding->nccl);
    }
    while (binding->arrivals < binding->receives) {
        binding->arrived[binding->arrivals] = binding->arrivals;
        binding->arrivals++;
    }
    binding->under_way = 0;
    return HX_OK;
}

const hxi_transport hxi_transport_nccl = {
    .name = "nccl",
    .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_DEVICE | HX_TRANSPORT_STREAM | HX_TRANSPORT_TOGETHER,
    .about = "one message, in a group of NCCL's,",
    .bind = bind,
    .put = put,
    .mark = mark,
    .start = start,
    .send = send,
    .progress = progress,
    .unbind = unbind,
};
