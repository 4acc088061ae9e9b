#include "create/tune_rounds.h"

#include "base/clock.h"
#include "device/device.h"
#include "exchange/exchange.h"
#include "exchange/handle.h"

#include <stdlib.h>
#include <string.h>

enum { WARM_ROUNDS = 2 };

static const char purpose[] = "measuring";

/* As after a step of the application's: whoever owns points has written them. */
static hx_status touch_arrays(const hx_handle *trial)
{
    int error = 0;
    for (const hxi_set *set = trial->sets.first; set; set = set->next) {
        if (set->memory.own) {
            memset(set->memory.own, 0,
                   set->memory.bytes < set->memory.real ? set->memory.bytes : set->memory.real);
        }
        if (set->device && error == 0) {
            error = set->calls->zero(set->device, set->device_bytes, trial->device->stream);
        }
    }
    if (error != 0) {
        return hxi_device_fail(trial->device->calls, error, "Setting arrays on device %d to zero",
                               trial->device->number);
    }
    return trial->device ? hxi_device_settle(trial->device, purpose) : HX_OK;
}

/* Where a device takes part, until it has done all. */
static hx_status exchange_once(hx_handle *trial, int exchange, const void *fields)
{
    hx_status status = HX_OK;
    if (!trial->plan[exchange].device) {
        status = hx_start(trial, exchange, fields);
        return status == HX_OK ? hx_finish(trial, exchange) : status;
    }
    const hx_stream stream = trial->device->stream;
    status = hx_start_on(trial, exchange, fields, stream);
    status = status == HX_OK ? hx_finish_on(trial, exchange, stream) : status;
    return status == HX_OK ? hxi_device_settle(trial->device, purpose) : status;
}

/*
 * Collective.  Nanoseconds of this rank; all ranks begin each round together, and end with the same status.
 */
static hx_status run(const hxi_tune_rounds *t, hx_handle *trial, int exchange, int rounds,
                     int64_t nanoseconds[])
{
    hx_status status = HX_OK;
    for (int i = 0; i < rounds; ++i) {
        status = status == HX_OK ? touch_arrays(trial) : status;
        status = hxi_topology_agree(t->topology->comm, status);
        if (status != HX_OK) {
            return status;
        }
        const double before = hxi_clock();
        status = exchange_once(trial, exchange, t->fields);
        nanoseconds[i] = 1 + (int64_t)(1e9 * (hxi_clock() - before));
    }
    return hxi_topology_agree(t->topology->comm, status);
}

static int compare_figures(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

hx_status hxi_tune_measure(const hxi_tune_rounds *t, hx_handle *trial, int exchange, int64_t share,
                           int64_t *figure)
{
    const hxi_topology *topology = t->topology;
    const double before = hxi_clock();
    hx_status status = run(t, trial, exchange, WARM_ROUNDS, t->mine);
    t->mine[0] = 1 + (int64_t)(1e9 * (hxi_clock() - before) / WARM_ROUNDS);
    if (status == HX_OK) {
        status = hxi_topology_agree(topology->comm, hxi_topology_most(topology, t->mine, t->most, 1));
    }
    if (status != HX_OK) {
        return status;
    }
    int64_t rounds = share / t->most[0] - WARM_ROUNDS;
    rounds = rounds < 1 ? 1 : rounds;
    rounds = rounds > HX_TUNE_ROUNDS ? HX_TUNE_ROUNDS : rounds;
    status = run(t, trial, exchange, (int)rounds, t->mine);
    if (status == HX_OK) {
        status =
            hxi_topology_agree(topology->comm, hxi_topology_most(topology, t->mine, t->most, (int)rounds));
    }
    if (status == HX_OK) {
        qsort(t->most, (size_t)rounds, sizeof *t->most, compare_figures);
        *figure = t->most[rounds / 2];
    }
    return status;
}
