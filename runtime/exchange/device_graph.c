#include "exchange/device_graph.h"

#include "base/status.h"
#include "base/text.h"
#include "exchange/device_buffers.h"
#include "exchange/exchange.h"

#include <stdio.h>

static const char *name_of(const hxi_plan *plan, const char *verb, char buffer[HX_CALL])
{
    return hxi_call(plan->spec, plan->exchange, verb, buffer);
}

hx_status hxi_device_graph_asked(const hx_handle *handle, int exchange, hx_stream stream, const char *verb,
                                 uint64_t *capture)
{
    *capture = 0;
    const bool known = handle && exchange >= 0 && exchange < handle->plans;
    if (!known || !handle->plan[exchange].device || handle->broken != HX_OK) {
        return HX_OK;
    }
    const hxi_plan *plan = &handle->plan[exchange];
    const int error = plan->device->calls->capture(stream, capture);
    char caller[HX_CALL];
    return error == 0
               ? HX_OK
               : hxi_device_fail(plan->device->calls, error, "%s: asking whether the stream is captured",
                                 name_of(plan, verb, caller));
}

/* A transport that has messages of this phase, which only the host moves; NULL: there is none. */
static const hxi_binding *by_host(const hxi_phase *phase)
{
    for (int t = HX_FIRST_TRANSPORT; t < phase->bindings; ++t) {
        const hxi_binding *binding = &phase->binding[t];
        if (binding->sends + binding->receives > 0 && !binding->signals && !binding->transport->put) {
            return binding;
        }
    }
    return NULL;
}

hx_status hxi_device_graph_check(const hx_handle *handle, const hxi_plan *plan, const char *verb)
{
    const hxi_phase *phase = &plan->phase[0];
    const bool alone = phase->sends + phase->receives == 0;
    char why[HX_SENTENCE / 4] = "";
    const hxi_binding *binding = by_host(phase);
    if (phase->mixed) {
        snprintf(why, sizeof why, "it has fields of the host, too");
    } else if (handle->options.check && !alone) {
        snprintf(why, sizeof why, "with the option check the host looks at each message");
    } else if (binding) {
        snprintf(why, sizeof why, "messages to rank %d go by the host, by transport \"%s\"",
                 binding->sends > 0 ? binding->send[0].peer : binding->receive[0].peer,
                 binding->transport->name);
    }
    char caller[HX_CALL];
    return why[0] == '\0'
               ? HX_OK
               : hxi_fail(HX_ERR_STATE,
                          "%s:%d: %s: the stream is being captured, and exchange \"%s\" cannot be part of a "
                          "graph on rank %d: %s.  Capture %s_%s_pack and %s_%s_unpack, and call send and "
                          "receive between the two graphs.",
                          plan->spec->file, plan->exchange->line, name_of(plan, verb, caller),
                          plan->exchange->name, handle->topology.rank, why, plan->spec->name,
                          plan->exchange->name, plan->spec->name, plan->exchange->name);
}

hx_status hxi_device_graph_step(hxi_plan *plan, int step, hx_stream stream)
{
    hxi_phase *phase = &plan->phase[0];
    hxi_device_buffers_in_graph(phase);
    hx_status status = HX_OK;
    for (int t = HX_FIRST_TRANSPORT; t < phase->bindings && status == HX_OK; ++t) {
        const hxi_device_signals *signals = phase->binding[t].signals;
        status = signals ? hxi_device_signals_run(signals, step, stream) : HX_OK;
    }
    return status;
}

hx_status hxi_device_graph_look(hx_handle *handle, const hxi_plan *plan)
{
    const hxi_phase *phase = &plan->phase[0];
    for (int t = HX_FIRST_TRANSPORT; t < phase->bindings; ++t) {
        hxi_late_link late;
        if (!hxi_device_signals_late(phase->binding[t].signals, &late)) {
            continue;
        }
        handle->broken = HX_ERR_DEADLINE;
        return hxi_fail(HX_ERR_DEADLINE,
                        "%s:%d: exchange \"%s\": after %g seconds device %d of rank %d still waited, in a "
                        "graph, for rank %d to %s.  All ranks have to launch graphs with this exchange "
                        "equally often.  The handle can only be destroyed now.",
                        plan->spec->file, plan->exchange->line, plan->exchange->name,
                        handle->options.deadline, plan->device->number, handle->topology.rank,
                        phase->binding[t].receive[late.link].peer,
                        late.message ? "send its message" : "come to the same exchange");
    }
    return HX_OK;
}
