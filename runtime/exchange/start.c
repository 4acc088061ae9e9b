/*
 * Start: looks at the call, opens all phases, and packs and sends the first one.
 */
#include "exchange/exchange.h"

#include "base/status.h"
#include "exchange/audits.h"
#include "exchange/observe.h"
#include "exchange/phase_run.h"
#include "exchange/progress.h"

hx_status hxi_exchange_enter(hx_handle *handle, hxi_plan *plan)
{
    if (!plan->device && handle->buffers.shares) {
        const hx_status status = hxi_buffers_claim(&handle->buffers, &plan->sharer);
        if (status != HX_OK) {
            return status;
        }
    }
    plan->state = HX_PLAN_UNDER_WAY;
    plan->started = handle->starts++;
    handle->under_way++;
    if (plan->steps) {
        hxi_progress_add(handle);
    }
    return HX_OK;
}

static hx_status start(hx_handle *handle, int exchange, const void *fields)
{
    hxi_plan *plan = NULL;
    hx_status status = hxi_exchange_admit(handle, exchange, fields, &plan);
    status = status == HX_OK ? hxi_exchange_enter(handle, plan) : status;
    if (status != HX_OK) {
        return status;
    }
    if (handle->audits) {
        status = hxi_audits_start(handle, exchange, fields);
    }
    status = status == HX_OK ? hxi_phases_open(plan) : status;
    if (plan->posting.posted) {
        hxi_posting_tell(&plan->posting, &handle->sets, plan->base, plan->sequence + 1);
    }
    status = status == HX_OK ? hxi_phases_begin(handle, plan) : status;
    if (status != HX_OK) {
        handle->broken = hxi_plan_prefix(plan, status);
    }
    return status;
}

hx_status hx_start(hx_handle *handle, int exchange, const void *fields)
{
    hx_status status = hxi_exchange_hold(handle, "start an exchange");
    if (status == HX_OK) {
        hxi_observe_call(handle, exchange, HX_EVENT_START, HX_OK);
        status = start(handle, exchange, fields);
        hxi_observe_call(handle, exchange, HX_EVENT_STARTED, status);
        if (handle && handle->shared) {
            hxi_progress_release(handle);
        }
    }
    return status;
}
