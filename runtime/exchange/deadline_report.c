#include "exchange/deadline_report.h"

#include "base/status.h"
#include "base/text.h"
#include "exchange/phase_run.h"

/* What this rank has sent and nobody has taken yet.  missing: messages that the current phase waits for. */
static void add_unsent(const hxi_plan *plan, int missing, hxi_text *text)
{
    const char *before = missing > 0 ? ", and for " : "";
    for (int p = 0; p <= plan->current; ++p) {
        const hxi_phase *phase = &plan->phase[p];
        const int unsent = hxi_phase_under_way(phase) - (p == plan->current ? missing : 0);
        if (unsent > 0) {
            hxi_text_add(text, "%s%d of %d message%s to be taken by rank", before, unsent, phase->sends,
                         hxi_s(phase->sends));
            for (int m = 0; m < phase->sends; ++m) {
                if (m == 0 || phase->send[m].peer != phase->send[m - 1].peer) {
                    hxi_text_add(text, "%s %d", m == 0 ? "" : " or", phase->send[m].peer);
                }
            }
            before = ", and for ";
        }
    }
}

hx_status hxi_deadline_report(const hx_handle *handle, const hxi_plan *plan)
{
    const hxi_phase *phase = &plan->phase[plan->current];
    const bool pushing = phase->straight && phase->straight->under_way;
    if (plan->packing || pushing) {
        return hxi_fail(HX_ERR_DEADLINE,
                        "%s:%d: exchange \"%s\": after %g second%s rank %d still waits for device %d to %s "
                        "its messages, after what its stream was given before.  Do kernels there wait for "
                        "something?  The handle can only be destroyed now.",
                        handle->spec->file, plan->exchange->line, plan->exchange->name,
                        handle->options.deadline, handle->options.deadline == 1.0 ? "" : "s",
                        handle->topology.rank, plan->device->number, pushing ? "write" : "pack");
    }
    char waiting[HX_SENTENCE / 2] = "";
    hxi_text text = {waiting, sizeof waiting, 0};
    int missing = 0;
    for (int m = 0; m < phase->receives; ++m) {
        if (!phase->arrived[m]) {
            hxi_text_add(&text, "%s%d (%zu bytes)", missing++ == 0 ? "messages from rank " : ", rank ",
                         phase->receive[m].peer, phase->receive[m].bytes);
        }
    }
    char place[HX_SENTENCE / 4] = "";
    if (plan->phases > 1) {
        hxi_text at = {place, sizeof place, 0};
        hxi_text_add(&at, " in phase %d of %d, along %s,", plan->current + 1, plan->phases,
                     handle->spec->axis[plan->schedule.axis[plan->current]]);
    }
    add_unsent(plan, missing, &text);
    return hxi_fail(
        HX_ERR_DEADLINE,
        "%s:%d: exchange \"%s\": after %g second%s rank %d still waits%s for %s.  Do all ranks call this "
        "exchange?  The handle can only be destroyed now.",
        handle->spec->file, plan->exchange->line, plan->exchange->name, handle->options.deadline,
        handle->options.deadline == 1.0 ? "" : "s", handle->topology.rank, place, waiting);
}
