/*
 * What is asked of a call before it does anything: may this thread use the handle, can it be used at all, is there
 * such an exchange, may these be its arrays?
 */
#include "exchange/exchange.h"

#include "base/status.h"
#include "base/text.h"
#include "exchange/array_room.h"
#include "exchange/owner.h"
#include "exchange/progress.h"

#include <string.h>

hx_status hxi_exchange_hold(hx_handle *handle, const char *purpose)
{
    const hx_status status =
        handle && handle->maker != hxi_owner_here ? hxi_owner_look(handle, purpose) : HX_OK;
    if (status == HX_OK && handle && handle->shared) {
        hxi_progress_hold(handle);
    }
    return status;
}

/* MPI was initialised, or there would be no handle. */
static bool is_ready(const hx_handle *handle)
{
    int finalized = 0;
    MPI_Finalized(&finalized);
    return handle->broken == HX_OK && !handle->filling && !finalized;
}

/* Can this handle do anything with that exchange?  verb: as for hxi_call. */
static hx_status check_call(const hx_handle *handle, int exchange, const char *verb)
{
    if (!handle) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The handle given to %s an exchange is a null pointer; give one that create made.",
                        verb);
    }
    const hx_spec *spec = handle->spec;
    if (exchange < 0 || exchange >= spec->exchanges) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "Rank %d cannot %s: there is no exchange %d; %s has %d, numbered from 0.",
                        handle->topology.rank, verb, exchange, spec->file, spec->exchanges);
    }
    /* The name of the call is made only for a sentence: it takes as long as a small exchange. */
    if (is_ready(handle)) {
        return HX_OK;
    }
    char buffer[HX_CALL];
    return hxi_exchange_ready(handle, hxi_call(spec, &spec->exchange[exchange], verb, buffer));
}

hx_status hxi_exchange_ready(const hx_handle *handle, const char *caller)
{
    const char *name = handle->spec->name;
    if (handle->broken != HX_OK) {
        return hxi_fail(
            handle->broken,
            "%s on rank %d: an earlier call ended with %s, and messages may still travel; this handle of "
            "%s can only be destroyed.",
            caller, handle->topology.rank, hx_status_name(handle->broken), name);
    }
    if (handle->filling) {
        return hxi_fail(
            HX_ERR_STATE,
            "%s on rank %d: called from the function that fills ghost points beyond walls; finish is not "
            "through with this handle of %s yet.  Call it after finish, or for another handle.",
            caller, handle->topology.rank, name);
    }
    return hxi_topology_running(caller);
}

hx_status hxi_exchange_find(const hx_handle *handle, int exchange, const char *verb, bool on_device,
                            hxi_plan **plan)
{
    const hx_status status = check_call(handle, exchange, verb);
    if (status != HX_OK) {
        return status;
    }
    *plan = &handle->plan[exchange];
    const hx_exchange *x = (*plan)->exchange;
    if (((*plan)->device != NULL) == on_device) {
        return HX_OK;
    }
    char caller[HX_CALL];
    return hxi_fail(
        HX_ERR_ARGUMENT,
        "%s:%d: exchange \"%s\" has %s in the memory of a device, and rank %d called %s %s a stream.",
        handle->spec->file, x->line, x->name, on_device ? "no field" : "fields", handle->topology.rank,
        hxi_call(handle->spec, x, verb, caller), on_device ? "with" : "without");
}

static hx_status refuse_array(const hx_handle *handle, const hxi_plan *plan, const hxi_slot *slot,
                              const void *array, const char *verb)
{
    const hx_field *field = &handle->spec->field[slot->field];
    char fault[HX_SENTENCE / 4];
    hxi_text text = {fault, sizeof fault, 0};
    if (array) {
        hxi_text_add(&text, "%p, which is not aligned for %s; give an address that is a multiple of %d",
                     array, field->type, field->alignment);
    } else {
        hxi_text_add(&text, "null; set it to the field's array");
    }
    char caller[HX_CALL];
    return hxi_fail(
        HX_ERR_ARGUMENT,
        "%s:%d: exchange \"%s\" needs field %s (line %d) of block %d of the blocks given to create; among "
        "the fields that rank %d gave to %s its pointer is %s.",
        handle->spec->file, plan->exchange->line, plan->exchange->name, field->name, field->line, slot->block,
        handle->topology.rank, hxi_call(handle->spec, plan->exchange, verb, caller), fault);
}

static hx_status refuse_twin(const hx_handle *handle, const hxi_plan *plan, int one, int other,
                             const char *verb)
{
    const hx_spec *spec = handle->spec;
    char caller[HX_CALL];
    return hxi_fail(
        HX_ERR_ARGUMENT,
        "%s:%d: rank %d gave %s one array, %p, for field %s of block %d and for field %s of block "
        "%d; give each its own.",
        spec->file, plan->exchange->line, handle->topology.rank, hxi_call(spec, plan->exchange, verb, caller),
        plan->base[one], spec->field[plan->slot[one].field].name, plan->slot[one].block,
        spec->field[plan->slot[other].field].name, plan->slot[other].block);
}

/* The slot that was seen with the same array, or -1, and then this one is seen; `seen` has slots plus 1. */
static int see(hxi_plan *plan, int slot)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15); /* spreads what differs in few bits */
    const uint64_t last = (UINT64_C(1) << plan->seen_bits) - 1;
    uint64_t at = (uint64_t)(uintptr_t)plan->base[slot] * golden >> (64 - plan->seen_bits);
    while (plan->seen[at] != 0) {
        const int other = plan->seen[at] - 1;
        if (plan->base[other] == plan->base[slot]) {
            return other;
        }
        at = (at + 1) & last;
    }
    plan->seen[at] = slot + 1;
    return -1;
}

/* No two fields, and no two blocks, share an array: each would spoil the other's ghost points. */
static hx_status compare_arrays(const hx_handle *handle, hxi_plan *plan, const char *verb)
{
    memset(plan->seen, 0, sizeof *plan->seen << plan->seen_bits);
    for (int i = 0; i < plan->slots; ++i) {
        const int twin = plan->slot[i].bytes > 0 ? see(plan, i) : -1;
        if (twin >= 0) {
            return refuse_twin(handle, plan, twin, i, verb);
        }
    }
    plan->distinct = true;
    return HX_OK;
}

hx_status hxi_exchange_take_arrays(const hx_handle *handle, hxi_plan *plan, const void *fields,
                                   const char *verb)
{
    const hx_spec *spec = handle->spec;
    if (!fields && plan->slots > 0) {
        char caller[HX_CALL];
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s:%d: the fields that rank %d gave to %s are a null pointer; give one %s_fields a block.",
            spec->file, plan->exchange->line, handle->topology.rank,
            hxi_call(spec, plan->exchange, verb, caller), spec->name);
    }
    for (int i = 0; i < plan->slots; ++i) {
        const hxi_slot *slot = &plan->slot[i];
        void *array;
        memcpy(&array, (const char *)fields + slot->pointer, sizeof array);
        if (array && array == plan->base[i]) {
            continue; /* it was looked at when it was new */
        }
        const bool missing = !array && slot->bytes > 0; /* of a list a rank may have no points */
        if (missing || (uintptr_t)array % (uintptr_t)spec->field[slot->field].alignment != 0) {
            return refuse_array(handle, plan, slot, array, verb);
        }
        plan->base[i] = array;
        plan->distinct = false;
    }
    if (plan->distinct) {
        return HX_OK;
    }
    const hx_status status = compare_arrays(handle, plan, verb);
    if (status == HX_OK && handle->audits) {
        plan->distinct = false; /* until there is room for them, too */
        const hx_status room = hxi_array_room_check(handle, plan, verb);
        plan->distinct = room == HX_OK;
        return room;
    }
    return status;
}

/* Whoever counts on a function of their own for walls has given one. */
static hx_status check_hook(const hx_handle *handle, const hxi_plan *plan)
{
    const bool lacks = !handle->hook && plan->boundary.needs_hook;
    const bool lacks_on = !handle->hook_on.fill && plan->boundary.needs_hook_on;
    if (!lacks && !lacks_on) {
        return HX_OK;
    }
    return hxi_fail(
        HX_ERR_STATE,
        "%s:%d: exchange \"%s\" fills ghost points beyond walls%s by a function of the application's, and "
        "rank %d has set none; call %s_set_boundary%s first.",
        handle->spec->file, plan->exchange->line, plan->exchange->name,
        lacks ? "" : " in the memory of a device", handle->topology.rank, handle->spec->name,
        lacks ? "" : "_on");
}

hx_status hxi_exchange_take(const hx_handle *handle, hxi_plan *plan, const void *fields, const char *verb)
{
    if (plan->state != HX_PLAN_IDLE) {
        return hxi_fail(
            HX_ERR_STATE,
            "%s:%d: exchange \"%s\" was started again on rank %d before it was finished; finish it first, "
            "or make a second handle.",
            handle->spec->file, plan->exchange->line, plan->exchange->name, handle->topology.rank);
    }
    const hx_status status = check_hook(handle, plan);
    return status == HX_OK ? hxi_exchange_take_arrays(handle, plan, fields, verb) : status;
}

hx_status hxi_exchange_admit(const hx_handle *handle, int exchange, const void *fields, hxi_plan **plan)
{
    const hx_status status = hxi_exchange_find(handle, exchange, "start", false, plan);
    return status == HX_OK ? hxi_exchange_take(handle, *plan, fields, "start") : status;
}
