#include "exchange/device_buffers.h"

#include "exchange/phase_run.h"

static bool takes_turns(const hxi_phase *phase, int transport)
{
    return phase->binding[transport].transport->turn != NULL;
}

static int transport_of(const hxi_phase *phase, int number)
{
    return number < phase->sends ? phase->send[number].transport
                                 : phase->receive[number - phase->sends].transport;
}

static size_t bytes_of(const hxi_phase *phase, int number)
{
    return number < phase->sends ? phase->send[number].bytes : phase->receive[number - phase->sends].bytes;
}

void hxi_device_buffers_bind(const hxi_phase *phase)
{
    for (int m = 0; m < phase->sends + phase->receives; ++m) {
        hxi_device_message *message = &phase->device->message[m];
        message->buffer = takes_turns(phase, transport_of(phase, m)) ? NULL : phase->buffer[m];
        message->bytes = bytes_of(phase, m);
    }
}

void hxi_device_buffers_turn(hxi_phase *phase)
{
    hxi_phase_turn(phase);
    for (int m = 0; m < phase->sends + phase->receives; ++m) {
        if (takes_turns(phase, transport_of(phase, m))) {
            hxi_device_work_lay(phase->device, m, phase->message[m].there);
        }
    }
}

void hxi_device_buffers_halfway(hxi_phase *phase)
{
    for (int m = 0; m < phase->sends + phase->receives; ++m) {
        if (takes_turns(phase, transport_of(phase, m))) {
            hxi_device_work_lay(phase->device, m, phase->message[m].halfway);
        }
    }
}

void hxi_device_buffers_in_graph(hxi_phase *phase)
{
    for (int m = 0; m < phase->sends + phase->receives; ++m) {
        if (phase->message[m].in_graph) {
            hxi_device_work_lay(phase->device, m, phase->message[m].in_graph);
        }
    }
}

hx_status hxi_device_buffers_send(const hxi_phase *phase, hx_stream stream)
{
    hx_status status = HX_OK;
    for (int m = 0; m < phase->sends && status == HX_OK; ++m) {
        const hxi_message *message = &phase->message[m];
        if (takes_turns(phase, transport_of(phase, m))) {
            status = hxi_device_work_copy(phase->device, message->there, message->halfway, bytes_of(phase, m),
                                          stream);
        }
    }
    return status;
}

hx_status hxi_device_buffers_receive(const hxi_phase *phase, hx_stream stream, bool *copies)
{
    hx_status status = HX_OK;
    *copies = false;
    for (int m = phase->sends; m < phase->sends + phase->receives && status == HX_OK; ++m) {
        const hxi_message *message = &phase->message[m];
        if (takes_turns(phase, transport_of(phase, m)) && !message->direct) {
            *copies = true;
            status = hxi_device_work_copy(phase->device, message->halfway, message->there, bytes_of(phase, m),
                                          stream);
        }
    }
    return status;
}
