#include "transport/probe.h"

#include "base/clock.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* Byte `at` of the message from one rank to another; never 0. */
static unsigned char known_byte(int from, int to, size_t at)
{
    return (unsigned char)(1 + ((uint64_t)from * 31 + (uint64_t)to * 7 + at) % 251);
}

void hxi_probe_clear(const hxi_binding *binding)
{
    for (int m = 0; m < binding->receives; ++m) {
        memset(binding->receive[m].buffer, 0, binding->receive[m].bytes);
    }
}

static hx_status send(hxi_binding *binding, int number)
{
    const hxi_message *message = &binding->send[number];
    for (size_t i = 0; i < message->bytes; ++i) {
        message->buffer[i] = known_byte(binding->topology->rank, message->peer, i);
    }
    return binding->transport->send(binding, number);
}

static hx_status check(const hxi_binding *binding, const char *what)
{
    const int rank = binding->topology->rank;
    for (int m = 0; m < binding->receives; ++m) {
        const hxi_message *message = &binding->receive[m];
        for (size_t i = 0; i < message->bytes; ++i) {
            const unsigned char known = known_byte(message->peer, rank, i);
            if (message->buffer[i] != known) {
                return hxi_fail(HX_ERR_MPI,
                                "The probe of %s got %d for byte %zu of the %zu from rank %d, which sent %d.",
                                what, message->buffer[i], i, message->bytes, message->peer, known);
            }
        }
    }
    return HX_OK;
}

hx_status hxi_probe_run(hxi_binding *binding, const char *what)
{
    const hxi_transport *transport = binding->transport;
    hx_status status = transport->start(binding);
    for (int m = 0; m < binding->sends && status == HX_OK; ++m) {
        status = send(binding, m);
    }
    const double deadline = hxi_clock() + HX_PROBE_SECONDS;
    while (status == HX_OK && binding->under_way > 0) {
        status = transport->progress(binding);
        if (status == HX_OK && binding->under_way > 0 && hxi_clock() > deadline) {
            status =
                hxi_fail(HX_ERR_MPI, "The probe of %s took more than %d seconds.", what, HX_PROBE_SECONDS);
        }
        hxi_clock_yield();
    }
    return status == HX_OK ? check(binding, what) : status;
}

hx_status hxi_probe_fall_back(hxi_binding *binding, int probed)
{
    snprintf(binding->why, sizeof binding->why, "%s", hx_last_error());
    binding->transport->unbind(binding, probed);
    binding->under_way = 0;
    binding->transport = &hxi_transport_persistent;
    return binding->transport->bind(binding);
}
