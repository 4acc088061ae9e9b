/*
 * What became of one exchange, in words and numbers.
 */
#include "describe/describe_plan.h"

#include "audit/value.h"
#include "exchange/plan.h"
#include "exchange/tuned.h"

#include <stdbool.h>
#include <string.h>

/* ops: all but the sweeps. */
static void add_kernels(hxi_text *text, const char *what, int sweeps, int ops, const hxi_op_counts *counts)
{
    const int calls = sweeps + ops;
    if (calls == 0) {
        return;
    }
    const struct {
        int count;
        const char *kind;
    } kinds[] = {{sweeps, "for whole halos in one walk"},
                 {counts->pairs, "of both halos of the fastest axis at once"},
                 {counts->strips, "of a depth that is literal in the code"},
                 {counts->general, "of any depth"},
                 {counts->turned, "of sources that lie turned"},
                 {counts->picked, "of some components of each point"},
                 {counts->listed, "of runs of a list"}};
    hxi_text_add(text, "    %s: %d call%s of kernels", what, calls, hxi_s(calls));
    const char *before = ":";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (kinds[i].count > 0) {
            hxi_text_add(text, "%s %d %s", before, kinds[i].count, kinds[i].kind);
            before = ",";
        }
    }
    hxi_text_add(text, "\n");
}

/*
 * How often the message to a peer went another way than through a buffer, or may go; the legend says which.
 */
static void add_sent_straight(const hxi_phase *phase, const hxi_contents *sent, hxi_text *text)
{
    if (sent->delivery == HX_PUSHED && phase->push) {
        const uint64_t runs = phase->push[sent - phase->send].partners.partner->runs;
        hxi_text_add(text, ", straight into its arrays %llu time%s", (unsigned long long)runs,
                     hxi_s((int64_t)runs));
    } else if (sent->delivery == HX_PUSHED && phase->straight) {
        const uint64_t runs = hxi_device_direct_runs(phase->straight, sent->peer);
        hxi_text_add(text, ", straight into arrays of its device %llu time%s", (unsigned long long)runs,
                     hxi_s((int64_t)runs));
    }
}

/* The messages of one binding, by peer. */
static void add_messages(const hxi_phase *phase, const hxi_binding *binding, hxi_text *text)
{
    int out = (int)(binding->send - phase->message);
    int in = (int)(binding->receive - phase->message) - phase->sends;
    const int outs = out + binding->sends;
    const int ins = in + binding->receives;
    while (out < outs || in < ins) {
        const hxi_contents *sent = out < outs ? &phase->send[out] : NULL;
        const hxi_contents *received = in < ins ? &phase->receive[in] : NULL;
        const bool takes_sent = sent && (!received || sent->peer <= received->peer);
        const bool takes_received = received && (!sent || received->peer <= sent->peer);
        hxi_text_add(text, "    rank %d, by %s:", takes_sent ? sent->peer : received->peer,
                     binding->transport->name);
        if (takes_sent) {
            hxi_text_add(text, " %zu bytes in %d segment%s to it%s", sent->bytes, sent->segments,
                         hxi_s(sent->segments), sent->slot >= 0 ? " in place" : "");
            add_sent_straight(phase, sent, text);
            hxi_text_add(text, "%s", takes_received ? "," : "");
            ++out;
        }
        if (takes_received) {
            hxi_text_add(text, " %zu bytes in %d segment%s from it%s", received->bytes, received->segments,
                         hxi_s(received->segments), received->slot >= 0 ? " in place" : "");
            ++in;
        }
        hxi_text_add(text, "\n");
    }
}

static void add_phase(const hxi_phase *phase, hxi_text *text)
{
    const hxi_binding *self = &phase->binding[HX_SELF_TRANSPORT];
    for (int transport = HX_FIRST_TRANSPORT; transport < phase->bindings; ++transport) {
        const hxi_binding *binding = &phase->binding[transport];
        add_messages(phase, binding, text);
        if (binding->why[0] != '\0') {
            hxi_text_add(text, "    by %s, not as chosen: %s\n", binding->transport->name, binding->why);
        }
    }
    if (phase->bytes_copied > 0) {
        hxi_text_add(text, "    this rank, by %s: %zu bytes, %s\n", self->transport->name,
                     phase->bytes_copied, self->transport->about);
    }
    add_kernels(text, "packing", 0, phase->ops.packs, &phase->ops.packing);
    add_kernels(text, "copying", phase->ops.sweeps.count, phase->ops.copies, &phase->ops.copying);
    add_kernels(text, "unpacking", 0, phase->ops.unpacks, &phase->ops.unpacking);
    if (phase->additions.sums > 0 || phase->additions.zeros > 0) {
        hxi_text_add(
            text,
            "    adding: %d call%s of kernels when all messages are in, in an order that depends on the "
            "partition only",
            phase->additions.sums, hxi_s(phase->additions.sums));
        if (phase->additions.zeros > 0) {
            hxi_text_add(text, ", and %d to zero the ghost points that were sent or added",
                         phase->additions.zeros);
        }
        hxi_text_add(text, "\n");
    }
    if (phase->combining.ops > 0) {
        hxi_text_add(
            text,
            "    combining: %d call%s of kernels when all messages are in, over numbers in an order that "
            "depends on the partition only\n",
            phase->combining.ops, hxi_s(phase->combining.ops));
    }
}

/* Messages that lie in boxes on other devices, and in buffers. */
static void count_places(const hxi_phase *phase, int *boxes, int *buffers)
{
    *boxes = 0;
    *buffers = 0;
    for (int transport = HX_FIRST_TRANSPORT; transport < phase->bindings; ++transport) {
        const hxi_binding *binding = &phase->binding[transport];
        *(binding->transport->turn ? boxes : buffers) += binding->sends + binding->receives;
    }
}

/* Are there any that a stream moves, and so all of them? */
static bool is_in_stream(const hxi_phase *phase)
{
    bool found = false;
    for (int transport = HX_FIRST_TRANSPORT; transport < phase->bindings; ++transport) {
        found = found || (phase->binding[transport].transport->flags & HX_TRANSPORT_STREAM) != 0;
    }
    return found;
}

/* Those in buffers: where they lie for it, and what MPI is given. */
static void add_buffers_of_device(const hxi_plan *plan, bool boxes, hxi_text *text)
{
    const hxi_staging *staging = &plan->phase[0].device->staging;
    const size_t bytes = hxi_plan_buffer_bytes(plan, boxes);
    if (is_in_stream(&plan->phase[0])) {
        hxi_text_add(
            text,
            "    messages by nccl: device %d writes and reads them in %zu bytes of its memory, which "
            "NCCL moves in the stream\n",
            plan->device->number, bytes);
        return;
    }
    hxi_text_add(text, "    messages %s: device %d writes and reads them in ",
                 hxi_messages_name(plan->placing.messages), plan->device->number);
    if (plan->placing.messages == HX_MESSAGES_COPIED) {
        hxi_text_add(
            text,
            "%zu bytes of its memory, %d cop%s to pinned memory of the host, which MPI sends, and %d "
            "back (%s)\n",
            bytes, staging->outs, staging->outs == 1 ? "y" : "ies", staging->ins, plan->placing.why);
    } else if (plan->placing.messages == HX_MESSAGES_AWARE) {
        hxi_text_add(text, "%zu bytes of its memory, which MPI is given (%s)\n", bytes, plan->placing.why);
    } else {
        const bool by_hand = plan->routes.transport[plan->routes.transports - 1] == &hxi_transport_manual;
        hxi_text_add(text, "%zu bytes of pinned memory of the host, which %s (%s)\n", bytes,
                     by_hand ? "the application moves" : "MPI sends", plan->placing.why);
    }
}

static void add_messages_of_device(const hxi_plan *plan, hxi_text *text)
{
    int boxes;
    int buffers;
    count_places(&plan->phase[0], &boxes, &buffers);
    if (boxes > 0) {
        hxi_text_add(
            text,
            "    messages by ipc: device %d writes them into the memory of the receiver's device, and "
            "reads those that came in its own; graphs have copies of them\n",
            plan->device->number);
    }
    if (buffers > 0 || boxes == 0) {
        add_buffers_of_device(plan, boxes > 0, text);
    }
}

/* Why a whole exchange goes by another transport than the one of the options; NULL: it does not. */
static const char *why_other(const hxi_plan *plan, const hx_options *options)
{
    const hxi_transport *asked = hxi_transport_named(options->transport);
    const hxi_transport *taken = plan->routes.transport[plan->routes.transports - 1];
    if (!plan->device) {
        return asked == &hxi_transport_ipc || asked == &hxi_transport_nccl ? "no field of it lies on a device"
                                                                           : NULL;
    }
    if (!asked || taken == asked || hxi_plan_wants_stream(plan)) { /* what was measured is told elsewhere */
        return NULL;
    }
    if (asked == &hxi_transport_nccl) {
        return options->check ? "with option check the host writes and reads headers of messages"
                              : "the same messages carry fields of the host";
    }
    return taken == &hxi_transport_ipc ? "fields of it lie on a device" : "that has the host pack in start";
}

/* What is done on a device. */
static void add_device(const hxi_plan *plan, hxi_text *text)
{
    static const char *const names[HX_DEVICE_TASKS] = {
        [HX_DEVICE_PACK] = "packing", [HX_DEVICE_COPY] = "copying", [HX_DEVICE_UNPACK] = "unpacking",
        [HX_DEVICE_SUM] = "adding",   [HX_DEVICE_ZERO] = "zeroing", [HX_DEVICE_COMBINE] = "combining",
    };
    add_messages_of_device(plan, text);
    hxi_text_add(text, "    device %d", plan->device->number);
    const char *before = ": launches for ";
    for (int task = 0; task < HX_DEVICE_TASKS; ++task) {
        const int launches = hxi_device_work_launches(plan->phase[0].device, (hxi_device_task)task);
        if (launches > 0 && names[task]) {
            hxi_text_add(text, "%s%s %d", before, names[task], launches);
            before = ", ";
        }
    }
    hxi_text_add(text, "\n");
}

/* Does a route give the reason of another one? */
static bool is_alike(const hxi_route *a, const hxi_route *b)
{
    return a->why && b->why && a->transport == b->transport && strcmp(a->why, b->why) == 0;
}

/* Peers that go another way than the one that was chosen, for a reason that is said once. */
static void add_reason(const hxi_routes *routes, const hxi_route *reason, hxi_text *text)
{
    const char *before = " ";
    int ranks = 0;
    for (int i = 0; i < routes->routes; ++i) {
        ranks += is_alike(&routes->route[i], reason);
    }
    hxi_text_add(text, "    rank%s", hxi_s(ranks));
    for (int i = 0; i < routes->routes; ++i) {
        if (is_alike(&routes->route[i], reason)) {
            hxi_text_add(text, "%s%d", before, routes->route[i].peer);
            before = ", ";
        }
    }
    hxi_text_add(text, " %s by %s: %s\n", ranks == 1 ? "goes" : "go",
                 routes->transport[reason->transport]->name, reason->why);
}

static void add_reasons(const hxi_routes *routes, hxi_text *text)
{
    for (int i = 0; i < routes->routes; ++i) {
        bool said = !routes->route[i].why;
        for (int j = 0; j < i && !said; ++j) {
            said = is_alike(&routes->route[i], &routes->route[j]);
        }
        if (!said) {
            add_reason(routes, &routes->route[i], text);
        }
    }
}

/* Fields whose numbers travel shorter than they are. */
static void add_wires(const hxi_plan *plan, hxi_text *text)
{
    const char *before = "    numbers travel shorter than they are: ";
    for (int i = 0; i < plan->exchange->fields; ++i) {
        const hx_exchange_field *item = &plan->exchange->field[i];
        if (item->wire != HX_WIRE_NOT) {
            hxi_text_add(text, "%s%s as %s", before, plan->spec->field[item->field].name,
                         hxi_wire_name(item->wire));
            before = ", ";
        }
    }
    hxi_text_add(text, "%s", before[0] == ',' ? "\n" : "");
}

void hxi_describe_plan(const hxi_plan *plan, const hx_options *options, const hxi_tuned *tuned,
                       hxi_text *text)
{
    hxi_text_add(text, "  exchange %s (%s:%d)\n", plan->exchange->name, plan->spec->file,
                 plan->exchange->line);
    hxi_text_add(text, "    %s: %s\n", plan->schedule.by_dimension ? "by dimension" : "one phase",
                 plan->schedule.why);
    if (tuned && tuned->about[0] != '\0') {
        hxi_text_add(text, "    %s\n", tuned->about);
    }
    add_wires(plan, text);
    if (plan->device) {
        add_device(plan, text);
    }
    if (why_other(plan, options)) {
        hxi_text_add(text, "    by %s in place of %s: %s\n",
                     plan->routes.transport[plan->routes.transports - 1]->name, options->transport,
                     why_other(plan, options));
    }
    add_reasons(&plan->routes, text);
    for (int p = 0; p < plan->phases; ++p) {
        if (plan->schedule.by_dimension) {
            hxi_text_add(text, "    phase %d of %d, along %s:\n", p + 1, plan->phases,
                         plan->spec->axis[plan->schedule.axis[p]]);
        }
        add_phase(&plan->phase[p], text);
    }
    if (plan->boundary.ops > 0) {
        const int calls = plan->boundary.ops - plan->boundary.hooks - plan->boundary.on_device;
        const int launches = hxi_device_fills_launches(plan->fills);
        hxi_text_add(text, "    walls: ");
        if (launches > 0) {
            hxi_text_add(text, "%d launch%s on the device, ", launches, launches == 1 ? "" : "es");
        }
        hxi_text_add(text, "%d call%s of kernels and %d of the application's function, axis by axis\n", calls,
                     hxi_s(calls), plan->boundary.hooks);
    }
}
