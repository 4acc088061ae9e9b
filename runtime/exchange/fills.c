/*
 * What fills ghost points that no message brings: functions of the application's for walls, and corners.
 */
#include "base/status.h"
#include "exchange/exchange.h"
#include "exchange/owner.h"
#include "exchange/progress.h"

/* May the function for walls be another one from now on?  suffix: of the emitted function that says so. */
static hx_status check_idle(const hx_handle *handle, const char *suffix)
{
    if (!handle) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "The handle that is to get a function for walls is a null pointer; give one that create "
            "made.");
    }
    const hx_status status = hxi_owner_check(handle, "set a function for walls");
    if (status != HX_OK) {
        return status;
    }
    if (handle->under_way > 0) {
        return hxi_fail(
            HX_ERR_STATE,
            "%s_set_boundary%s on rank %d: %d exchange%s under way; finish what was started first.",
            handle->spec->name, suffix, handle->topology.rank, handle->under_way,
            handle->under_way == 1 ? " is" : "s are");
    }
    return HX_OK;
}

hx_status hx_set_boundary(hx_handle *handle, hx_wall_fn *fill, void *context)
{
    const hx_status status = check_idle(handle, "");
    if (status == HX_OK) {
        handle->hook = fill;
        handle->hook_context = context;
    }
    return status;
}

hx_status hx_set_boundary_on(hx_handle *handle, hx_wall_on_fn *fill, void *context)
{
    const hx_status status = check_idle(handle, "_on");
    if (status == HX_OK) {
        handle->hook_on = (hxi_device_hook){fill, context};
    }
    return status;
}

/* Is there such a fill, and is what it reads in place? */
hx_status hxi_exchange_may_fill(const hx_handle *handle, const hxi_plan *plan, int fill)
{
    if (fill < 0 || fill >= plan->exchange->corner_fills) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s:%d: exchange \"%s\" has %d ways to fill corners, numbered from 0; rank %d asks for fill %d.",
            handle->spec->file, plan->exchange->line, plan->exchange->name, plan->exchange->corner_fills,
            handle->topology.rank, fill);
    }
    return plan->state == HX_PLAN_IDLE
               ? HX_OK
               : hxi_fail(
                     HX_ERR_STATE,
                     "%s:%d: exchange \"%s\" is under way on rank %d, and brings what its corners are filled "
                     "from; finish it first.",
                     handle->spec->file, plan->exchange->line, plan->exchange->name, handle->topology.rank);
}

static hx_status fill_corners(hx_handle *handle, int exchange, int fill, const void *fields)
{
    hxi_plan *plan = NULL;
    hx_status status = hxi_exchange_find(handle, exchange, "corners", false, &plan);
    status = status == HX_OK ? hxi_exchange_may_fill(handle, plan, fill) : status;
    status = status == HX_OK ? hxi_exchange_take_arrays(handle, plan, fields, "corners") : status;
    if (status == HX_OK) {
        hxi_corners_run(&plan->corners, fill, plan->base);
    }
    return status;
}

hx_status hx_fill_corners(hx_handle *handle, int exchange, int fill, const void *fields)
{
    hx_status status = hxi_exchange_hold(handle, "fill corners");
    if (status == HX_OK) {
        status = fill_corners(handle, exchange, fill, fields);
        hxi_progress_release(handle);
    }
    return status;
}
