/*
 * Messages that the application moves: start packs them, finish unpacks what the application has brought.
 */
#include "transport/transport.h"

#include "base/memory.h"

static hx_status take_buffers(hxi_buffers *buffers, hxi_message *message, int messages)
{
    hx_status status = HX_OK;
    for (int m = 0; m < messages && status == HX_OK; ++m) {
        void *buffer = NULL;
        status = hxi_buffers_take_shared(buffers, message[m].bytes, &buffer);
        message[m].buffer = buffer;
    }
    return status;
}

static hx_status bind(hxi_binding *binding)
{
    binding->arrived =
        hxi_memory_get((size_t)binding->receives, sizeof *binding->arrived, "the messages of an exchange");
    hx_status status = binding->arrived ? HX_OK : HX_ERR_MEMORY;
    status = status == HX_OK ? take_buffers(binding->buffers, binding->send, binding->sends) : status;
    return status == HX_OK ? take_buffers(binding->buffers, binding->receive, binding->receives) : status;
}

/* As if all were there: nobody looks at them before finish, and by then they are. */
static hx_status start(hxi_binding *binding)
{
    for (binding->arrivals = 0; binding->arrivals < binding->receives; ++binding->arrivals) {
        binding->arrived[binding->arrivals] = binding->arrivals;
    }
    return HX_OK;
}

static hx_status send(hxi_binding *binding, int number)
{
    (void)binding;
    (void)number;
    return HX_OK;
}

static void unbind(hxi_binding *binding, int abandon)
{
    for (int m = 0; m < binding->sends; ++m) {
        hxi_buffers_give_shared(binding->buffers, binding->send[m].buffer, abandon);
    }
    for (int m = 0; m < binding->receives; ++m) {
        hxi_buffers_give_shared(binding->buffers, binding->receive[m].buffer, abandon);
    }
    hxi_memory_free(binding->arrived);
    binding->arrived = NULL;
}

const hxi_transport hxi_transport_manual = {
    .name = "manual",
    .flags = HX_TRANSPORT_CHOICE | HX_TRANSPORT_BY_HAND | HX_TRANSPORT_DEVICE,
    .about = "one message that the application moves",
    .bind = bind,
    .start = start,
    .send = send,
    .unbind = unbind,
};
