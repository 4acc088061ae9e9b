#include "exchange/audits.h"

#include "audit/audit.h"
#include "base/clock.h"
#include "base/devices.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "exchange/alloc.h"
#include "exchange/asked.h"
#include "exchange/exchange.h"

#include <string.h>

/* Seconds that an owner has to answer, or the deadline where that is less.  Tests, which no clock decides, set more. */
#ifndef HX_AUDIT_PATIENCE
#define HX_AUDIT_PATIENCE 2.0
#endif

/* Somebody asked for it: not a matter of log_level. */
static void tell(const hx_handle *handle)
{
    const hx_options loud = {
        .log_level = HX_LOG_WARNING, .log = handle->options.log, .log_context = handle->options.log_context};
    hxi_log(&loud, HX_LOG_WARNING, "%s", hx_last_error());
}

/* ---- what is asked for --------------------------------------------------------------------------------- */

/* Where alloc has put the array of a block, if it did. */
static uint64_t mark_of(const void *context, int block, const void *array)
{
    const hx_handle *h = context;
    for (const hxi_set *set = h->sets.first; set; set = set->next) {
        for (int f = 0; f < h->spec->fields && set->slots > 0; ++f) {
            const unsigned char *memory = h->spec->field[f].on_device ? set->device : set->memory.own;
            if (memory && array == memory + set->offset[block * h->spec->fields + f]) {
                return hxi_mark(set->number, f);
            }
        }
    }
    return 0;
}

static hx_status open(hx_handle *handle, unsigned asked)
{
    const hxi_audited whose = {handle->spec,      &handle->layout, &handle->mine,
                               &handle->topology, mark_of,         handle};
    const hx_status status = hxi_audits_open(&whose, asked, &handle->audits);
    if (status != HX_OK) {
        hxi_audits_close(handle->audits, false);
        handle->audits = NULL;
    }
    return status;
}

/* Nobody is to take such an exchange for one without faults. */
static void tell_of_unaudited(const hx_handle *handle, const hx_exchange *exchange)
{
    const hx_spec *spec = handle->spec;
    hxi_fail(
        HX_ERR_ARGUMENT,
        "%s:%d: exchange \"%s\" is not audited: finish of one with fields in the memory of a device does not "
        "wait for what a stream does, and start does not poison.%s",
        spec->file, exchange->line, exchange->name, hxi_audit_can(exchange) ? "  Audit it by a call." : "");
    tell(handle);
}

void hxi_audits_begin(hx_handle *handle)
{
    const hx_spec *spec = handle->spec;
    const unsigned asked = ((handle->asked & HX_ASKED_AUDIT) != 0 ? HX_AUDIT_RUNS : 0u) |
                           ((handle->asked & HX_ASKED_POISON) != 0 ? HX_AUDIT_POISON : 0u);
    if (asked == 0) {
        return;
    }
    if (open(handle, asked) != HX_OK) {
        tell(handle);
    }
    for (int e = 0; e < spec->exchanges && handle->topology.rank == 0 && handle->audits; ++e) {
        if (!hxi_audit_can_follow(spec, &spec->exchange[e])) {
            tell_of_unaudited(handle, &spec->exchange[e]);
        }
    }
}

/* ---- each run ------------------------------------------------------------------------------------------ */

hx_status hxi_audits_answer(hx_handle *handle)
{
    return hxi_audits_serve(handle->audits);
}

static hx_status test_vote(hxi_audits *audits, int exchange, bool *done)
{
    (void)exchange;
    return hxi_audits_voted(audits, done);
}

/* Until a test says so; meanwhile exchanges go on, which others may wait for. */
static hx_status wait_until(hx_handle *handle, int exchange,
                            hx_status test(hxi_audits *audits, int exchange, bool *done))
{
    const double deadline = handle->options.deadline > 0.0 ? hxi_clock() + handle->options.deadline : 0.0;
    bool done = false;
    hx_status status = test(handle->audits, exchange, &done);
    while (status == HX_OK && !done) {
        hxi_exchange_advance(handle);
        status = handle->broken; /* maybe by another exchange: nothing may go on */
        status = status == HX_OK ? test(handle->audits, exchange, &done) : status;
        if (status == HX_OK && !done && deadline > 0.0 && hxi_clock() > deadline) {
            status = hxi_fail(HX_ERR_DEADLINE,
                              "after %g seconds the audit on rank %d still waits for what other ranks had at "
                              "the start, or have found",
                              handle->options.deadline, handle->topology.rank);
        }
    }
    if (handle->broken == HX_OK) {
        handle->broken = hxi_plan_prefix(&handle->plan[exchange], status);
    }
    return handle->broken;
}

/* Until what is to be compared has come. */
static hx_status wait_for(hx_handle *handle, int exchange)
{
    return wait_until(handle, exchange, hxi_audit_test);
}

/* An owner answers when it waits in libhx, or comes to the next start: usually soon, but nobody may count on it. */
static void wait_for_answers(hx_handle *handle, int exchange)
{
    const double deadline = handle->options.deadline;
    const double patience = deadline > 0.0 && deadline < HX_AUDIT_PATIENCE ? deadline : HX_AUDIT_PATIENCE;
    const double end = hxi_clock() + patience;
    bool done = false;
    handle->broken = hxi_audit_ask(handle->audits, exchange);
    while (handle->broken == HX_OK && !done && hxi_clock() < end) {
        handle->broken = hxi_audit_answered(handle->audits, exchange, &done);
        if (handle->broken == HX_OK && !done) {
            hxi_exchange_advance(handle);
        }
    }
}

static bool share_field(const hx_exchange *x, const hx_exchange *y)
{
    bool shares = false;
    for (int i = 0; i < x->fields * y->fields; ++i) {
        shares = shares || x->field[i / y->fields].field == y->field[i % y->fields].field;
    }
    return shares;
}

/* Is a field of it in another exchange that is under way?  Then ghost points may hold what that one has brought, and
 * what either of them adds cannot be told. */
static bool meets_others(hx_handle *handle, int exchange)
{
    bool meets = false;
    for (int e = 0; e < handle->plans; ++e) {
        const bool runs = e != exchange && handle->plan[e].state == HX_PLAN_UNDER_WAY;
        if (runs && share_field(handle->plan[exchange].exchange, handle->plan[e].exchange)) {
            hxi_audit_blur(handle->audits, e, true);
            meets = true;
        }
    }
    return meets;
}

hx_status hxi_audits_start(hx_handle *handle, int exchange, const void *fields)
{
    const bool meets = meets_others(handle, exchange);
    hxi_audit_blur(handle->audits, exchange, meets);
    if (!hxi_audits_watch(handle->audits, exchange)) {
        return HX_OK;
    }
    if (!meets) {
        hxi_audit_poison(handle->audits, exchange, fields);
    }
    const hx_status status = hxi_audits_serve(handle->audits);
    return status == HX_OK ? hxi_audit_start(handle->audits, exchange, &(hxi_given){fields, fields, NULL},
                                             HX_AUDIT_FINISH)
                           : status;
}

void hxi_audits_before_finish(hx_handle *handle, int exchange)
{
    const bool runs = handle->plan[exchange].state == HX_PLAN_UNDER_WAY;
    if (runs && hxi_audits_watch(handle->audits, exchange)) {
        hxi_audit_before_finish(handle->audits, exchange, handle->plan[exchange].sequence);
    }
}

hx_status hxi_audits_finish(hx_handle *handle, int exchange)
{
    if (!hxi_audits_watch(handle->audits, exchange)) {
        return HX_OK;
    }
    hx_status status = wait_for(handle, exchange);
    if (status == HX_OK && hxi_audit_swapped(handle->audits, exchange)) {
        tell(handle);
    }
    if (status == HX_OK && hxi_audit_look(handle->audits, exchange)) {
        wait_for_answers(handle, exchange);
        status = handle->broken;
    }
    if (status == HX_OK) {
        status = hxi_audit_finish(handle->audits, exchange, handle->plan[exchange].sequence);
        if (status != HX_OK) {
            tell(handle);
        }
    }
    return status;
}

/* ---- where the application asks ------------------------------------------------------------------------ */

typedef struct request {
    int exchange;
    const void *fields;
    void **last_given;     /* by block and field */
    struct copies *copies; /* of what lies in the memory of a device; NULL: nothing does */
} request;

/* One behind the other, behind pointers to them in the structs that the application gave. */
typedef struct copies {
    hxi_kept kept; /* of a device that was not waited for any longer */
    unsigned char *fields;
    unsigned char *bytes;
} copies;

enum { LINE = 64 };

static hx_status check_exchange(const hx_handle *h, const request *r, const char *caller)
{
    const hx_spec *spec = h->spec;
    if (r->exchange < 0 || r->exchange >= spec->exchanges) {
        return hxi_fail(HX_ERR_ARGUMENT, "Rank %d gave %s exchange %d; %s has %d, numbered from 0.",
                        h->topology.rank, caller, r->exchange, spec->file, spec->exchanges);
    }
    const hx_exchange *x = &spec->exchange[r->exchange];
    if (!hxi_audit_can(x)) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s:%d: %s cannot audit exchange \"%s\": behind it nobody has what its ghost points were.  "
            "Set HX_AUDIT=1: then finish looks at it.",
            spec->file, x->line, caller, x->name);
    }
    for (int e = 0; e < h->plans; ++e) {
        if (h->plan[e].state == HX_PLAN_UNDER_WAY) {
            return hxi_fail(HX_ERR_STATE,
                            "%s:%d: exchange \"%s\" is under way on rank %d; finish it before %s, which "
                            "looks at ghost points.",
                            spec->file, h->plan[e].exchange->line, h->plan[e].exchange->name,
                            h->topology.rank, caller);
        }
    }
    return HX_OK;
}

/* The arrays of the last run, and those that are to be looked at. */
static hx_status take(hx_handle *h, request *r)
{
    hxi_plan *plan = &h->plan[r->exchange];
    const size_t arrays = (size_t)h->mine.blocks * (size_t)h->spec->fields;
    r->last_given = hxi_memory_get(arrays + 1, sizeof *r->last_given, "an audit");
    void **base = hxi_memory_get((size_t)plan->slots + 1, sizeof *base, "an audit");
    hx_status status = r->last_given && base ? HX_OK : HX_ERR_MEMORY;
    if (status == HX_OK) {
        memcpy(base, plan->base, (size_t)plan->slots * sizeof *base);
        for (int i = 0; i < plan->slots && plan->sequence > 0; ++i) {
            r->last_given[plan->slot[i].block * h->spec->fields + plan->slot[i].field] = base[i];
        }
        status = hxi_exchange_take_arrays(h, plan, r->fields, "audit");
        memcpy(plan->base, base, (size_t)plan->slots * sizeof *base);
        plan->distinct = false;
    }
    hxi_memory_free(base);
    return status;
}

static size_t rounded(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

/* Room for what lies on a device, with pointers to it. */
static copies *make_copies(const hx_handle *h, const request *r)
{
    const hxi_plan *plan = &h->plan[r->exchange];
    const size_t structs = rounded((size_t)h->mine.blocks * h->spec->fields_size);
    size_t bytes = rounded(sizeof(copies)) + structs;
    for (int i = 0; i < plan->slots; ++i) {
        bytes += h->spec->field[plan->slot[i].field].on_device ? rounded(plan->slot[i].bytes) : 0;
    }
    copies *made = hxi_memory_get(bytes, 1, "values of a device in an audit");
    if (made) {
        made->fields = (unsigned char *)made + rounded(sizeof(copies));
        made->bytes = made->fields + structs;
        memcpy(made->fields, r->fields, (size_t)h->mine.blocks * h->spec->fields_size);
    }
    return made;
}

/* Puts copies into the stream of the handle. */
static int copy_all(const hx_handle *h, const request *r)
{
    const hxi_plan *plan = &h->plan[r->exchange];
    unsigned char *to = r->copies->bytes;
    int error = 0;
    for (int i = 0; i < plan->slots && error == 0; ++i) {
        const hxi_slot *slot = &plan->slot[i];
        void *from;
        if (!h->spec->field[slot->field].on_device) {
            continue;
        }
        memcpy(&from, (const unsigned char *)r->fields + slot->pointer, sizeof from);
        error = slot->bytes > 0 ? h->device->calls->copy(to, from, slot->bytes, h->device->stream) : 0;
        memcpy(r->copies->fields + slot->pointer, &to, sizeof to);
        to += rounded(slot->bytes);
    }
    return error;
}

/* Local: brings here what lies in the memory of a device. */
static hx_status fetch(const hx_handle *h, request *r)
{
    if (!hxi_device_has(h->spec, h->plan[r->exchange].exchange)) {
        return HX_OK;
    }
    r->copies = make_copies(h, r);
    if (!r->copies) {
        return HX_ERR_MEMORY;
    }
    const hxi_device_guard guard = hxi_device_enter(h->device);
    const int error = copy_all(h, r);
    const hx_status status = hxi_device_settle(h->device, "what an audit looks at");
    hxi_device_return(&guard);
    if (status == HX_ERR_DEADLINE) {
        hxi_memory_keep(&r->copies->kept); /* the device may still write there */
        r->copies = NULL;
    }
    return error != 0 ? hxi_device_fail(h->device->calls, error, "Copying from device %d for an audit",
                                        h->device->number)
                      : status;
}

/* Do all ranks mean the same exchange? */
static hx_status compare(const hx_handle *h, const request *r, const char *caller)
{
    const int64_t mine[] = {r->exchange, -(int64_t)r->exchange};
    int64_t most[2] = {0};
    const hx_status status = hxi_topology_most(&h->topology, mine, most, 2);
    if (status == HX_OK && most[0] != -most[1]) {
        return hxi_fail(HX_ERR_MISMATCH,
                        "%s was called for exchange %d on one rank and for exchange %d on another; call it "
                        "for one on all.",
                        caller, (int)-most[1], (int)most[0]);
    }
    return status;
}

/* Collective: of each of two numbers the greatest of all ranks. */
static hx_status vote(hx_handle *h, int exchange, int64_t first, int64_t second)
{
    const hx_status status = hxi_audits_vote(h->audits, first, second);
    return status == HX_OK ? wait_until(h, exchange, test_vote) : status;
}

/* Collective: what the lowest rank met that met something.  Who gave up waiting takes part in nothing any more. */
static hx_status agree(hx_handle *h, int exchange, hx_status met)
{
    const int ranks = h->topology.ranks;
    if (met == HX_ERR_DEADLINE) {
        return met;
    }
    const hx_status status = vote(h, exchange, met == HX_OK ? -ranks : -h->topology.rank, 0);
    const int lowest = status == HX_OK ? -(int)hxi_audits_most(h->audits)[0] : ranks;
    if (lowest == ranks) {
        return status;
    }
    const hx_status told = hxi_audits_tell(h->audits, met, lowest);
    const hx_status waited = told == HX_OK ? wait_until(h, exchange, test_vote) : told;
    return waited == HX_OK ? hxi_audits_told(h->audits) : waited;
}

/* Collective, with what a rank has met so far: if digests differ somewhere, owners tell what they have. */
static hx_status fetch_values(hx_handle *h, int exchange, hx_status met)
{
    if (met == HX_ERR_DEADLINE) {
        return met;
    }
    hx_status status = vote(h, exchange, met == HX_OK && hxi_audit_look(h->audits, exchange), met != HX_OK);
    status = met == HX_OK ? status : met;
    const int64_t *any = hxi_audits_most(h->audits);
    if (status == HX_OK && any[0] != 0 && any[1] == 0) {
        status = hxi_audit_send_values(h->audits, exchange);
        status = status == HX_OK ? wait_for(h, exchange) : status;
    }
    return status;
}

/* Collective, when all ranks have what they need. */
static hx_status look(hx_handle *h, const request *r)
{
    const hxi_given given = {r->fields, r->copies ? r->copies->fields : r->fields, r->last_given};
    hx_status status = hxi_audit_start(h->audits, r->exchange, &given, HX_AUDIT_CALL);
    status = status == HX_OK ? wait_for(h, r->exchange) : status;
    status = fetch_values(h, r->exchange, status);
    if (status == HX_OK) {
        status = hxi_audit_finish(h->audits, r->exchange, h->plan[r->exchange].sequence);
    }
    return agree(h, r->exchange, status);
}

static hx_status audit(hx_handle *h, void *what, const char *caller, hx_status met)
{
    request *r = what;
    hxi_first first = {0};
    hxi_first_note(&first, met);
    hxi_first_note(&first, check_exchange(h, r, caller));
    if (first.status == HX_OK) {
        hxi_first_note(&first, take(h, r));
    }
    if (first.status == HX_OK) {
        hxi_first_note(&first, fetch(h, r));
    }
    hxi_first_note(&first, compare(h, r, caller));
    hx_status status = hxi_topology_agree(h->topology.comm, hxi_first_tell(&first));
    status = status == HX_OK && !h->audits ? open(h, 0) : status;
    status = status == HX_OK ? hxi_audits_add(h->audits, r->exchange, HX_AUDIT_CALL) : status;
    status = status == HX_OK ? look(h, r) : status;
    hxi_memory_free(r->last_given);
    hxi_memory_free(r->copies);
    return status;
}

hx_status hx_audit(hx_handle *handle, int exchange, const void *fields)
{
    request r = {.exchange = exchange, .fields = fields};
    return hxi_sets_call(handle, &r, "audit", audit);
}
