#include "exchange/alloc.h"

#include "audit/audit.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "comm/arrival.h"
#include "exchange/exchange.h"
#include "exchange/progress.h"
#include "pack/divide.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 64 };

/* What becomes of an array; going: if all ranks agree. */
enum { FREED, USED, GOING };

/* ---- one set ------------------------------------------------------------------------------------------- */

/*
 * Array behind array, each an odd number of cache lines after the one before: equal points of fields of equal
 * shape, which loops read together, then lie in different sets of a cache.  bytes: of those of the host.
 */
static hx_status lay_out(const hx_handle *h, hxi_set *set, size_t *bytes)
{
    *bytes = 0;
    for (int slot = 0; slot < set->slots; ++slot) {
        const int field = slot % h->spec->fields;
        const hxi_block *block = &h->mine.block[slot / h->spec->fields];
        const bool needed = !h->sets.needed || h->sets.needed[field];
        const size_t lines = needed ? (hxi_block_allocated(h->spec, block, field) + LINE - 1) / LINE | 1 : 0;
        size_t *used = h->spec->field[field].on_device ? &set->device_bytes : bytes;
        if (lines > (PTRDIFF_MAX - *used) / LINE) {
            return hxi_fail(HX_ERR_LIMIT,
                            "The fields of %d block%s of %s are more memory than a pointer can reach.",
                            h->mine.blocks, hxi_s(h->mine.blocks), h->spec->name);
        }
        set->offset[slot] = *used;
        set->state[slot] = USED;
        *used += lines * LINE;
    }
    return HX_OK;
}

/* Does any message go straight into an array in memory of a device, or of the host? */
static bool goes_straight(const hx_handle *h, bool on_device)
{
    bool straight = false;
    for (int e = 0; e < h->plans; ++e) {
        for (int p = 0; p < h->plan[e].phases; ++p) {
            const hxi_phase *phase = &h->plan[e].phase[p];
            straight = straight || ((phase->device != NULL) == on_device && hxi_phase_goes_straight(phase));
        }
    }
    return straight;
}

/* Of fields that lie there. */
static hx_status get_device_memory(const hx_handle *h, hxi_set *set, const char *caller)
{
    if (set->device_bytes == 0) {
        return HX_OK;
    }
    void *memory = NULL;
    const bool reached = set->there.partner && goes_straight(h, true);
    const size_t bytes = reached ? hxi_device_shared_bytes(set->device_bytes) : set->device_bytes;
    set->calls = h->device->calls;
    hx_status status = hxi_device_check_current(h->device, caller);
    status = status == HX_OK ? hxi_device_get(h->device, bytes, "the fields of alloc", &memory) : status;
    set->device = memory;
    status = status == HX_OK ? hxi_device_settle(h->device, "the fields of alloc") : status;
    if (status == HX_ERR_DEADLINE) {
        set->device = NULL; /* who frees it would wait on */
    }
    if (status == HX_OK && reached) {
        hxi_device_shared_export(&set->there, set->device);
    }
    return status;
}

/* Where the arrays of a field lie. */
static unsigned char *memory_of(const hxi_set *set, int field)
{
    return set->spec->field[field].on_device ? set->device : set->memory.own;
}

/* Local: all but the memory that ranks may share.  Arrays that are lent outlive the handle that could close
 * those of others. */
static hx_status set_make(const hx_handle *h, const char *caller, hxi_set **made, size_t *bytes)
{
    static const char purpose[] = "a set of fields";
    hxi_set *set = hxi_memory_get(1, sizeof *set, purpose);
    if (!set) {
        return HX_ERR_MEMORY;
    }
    *made = set;
    const size_t slots = (size_t)h->mine.blocks * (size_t)h->spec->fields;
    set->spec = h->spec;
    set->slots = (int)slots;
    set->offset = hxi_memory_get(slots, sizeof *set->offset, purpose);
    set->state = hxi_memory_get(slots, sizeof *set->state, purpose);
    hx_status status = set->offset && set->state ? lay_out(h, set, bytes) : HX_ERR_MEMORY;
    if (status == HX_OK && h->boxes && h->boxes->shared.usable && !h->sets.lent) {
        status = hxi_device_shared_make(h->device, &h->topology, &set->there);
    }
    return status == HX_OK ? get_device_memory(h, set, caller) : status;
}

/* Those that messages go straight to, or come from. */
static void find_partners(const hx_handle *h, hxi_set *set)
{
    for (int e = 0; e < h->plans; ++e) {
        const hxi_phase *phase = &h->plan[e].phase[0];
        for (int m = 0; phase->device && m < phase->sends + phase->receives; ++m) {
            const bool sent = m < phase->sends;
            const hxi_contents *contents = sent ? &phase->send[m] : &phase->receive[m - phase->sends];
            if (contents->delivery == HX_PUSHED) {
                hxi_device_partner *partner =
                    &set->there.partner[hxi_topology_node_rank(&h->topology, contents->peer)];
                partner->is_written = partner->is_written || sent;
                partner->writes = partner->writes || !sent;
            }
        }
    }
    for (int r = 0; r < h->topology.node_ranks; ++r) {
        hxi_device_partner *partner = &set->there.partner[r];
        if (partner->is_written || partner->writes || (r == h->topology.node_rank && set->shown.own)) {
            partner->shown = (hxi_shown_memory *)(void *)hxi_node_memory_of(&set->shown, r);
        }
    }
}

/* Collective over the node, which does without where that fails. */
static void open_there(const hx_handle *h, hxi_set *set)
{
    if (set->shown.shared) {
        find_partners(h, set);
        hxi_device_shared_open(&set->there);
    } else {
        snprintf(set->there.why, sizeof set->there.why, "%s", set->shown.why);
    }
    if (set->there.why[0] != '\0') {
        hxi_log(&h->options, HX_LOG_WARNING,
                "%s_alloc: messages between devices of this node are not written straight into these arrays: "
                "%s",
                h->spec->name, set->there.why);
    }
}

/* Collective: what ranks of the node show each other of memory of their devices. */
static hx_status open_shown(const hx_handle *h, hxi_set *set)
{
    const bool reached = set->there.partner && goes_straight(h, true);
    return set->there.partner ? hxi_node_memory_open(&h->topology, reached ? sizeof(hxi_shown_memory) : 0,
                                                     reached, &set->shown)
                              : HX_OK;
}

/*
 * Others of the node have to reach these arrays only where messages go straight into them or from them.
 * Memory that is this rank's alone is the faster for all else: the system gives it huge pages more often.
 */
static hx_status open_here(const hx_handle *h, hxi_set *set, size_t bytes)
{
    return h->sets.lent ? hxi_node_memory_open_over(&h->topology, bytes, h->sets.real, &set->memory)
                        : hxi_node_memory_open(&h->topology, bytes, goes_straight(h, false), &set->memory);
}

/* Collective. */
static hx_status set_open(const hx_handle *h, hxi_set *set, size_t bytes)
{
    hxi_first first = {0};
    hxi_first_note(&first, open_here(h, set, bytes));
    hxi_first_note(&first, open_shown(h, set));
    hx_status status = hxi_first_tell(&first);
    set->shared = set->memory.map;
    set->bytes = set->memory.mapped;
    if (status == HX_OK && !set->memory.shared && set->memory.why[0] != '\0') {
        hxi_log(&h->options, HX_LOG_WARNING, "%s_alloc: the ranks of this node do not share these arrays: %s",
                h->spec->name, set->memory.why);
    }
    status = hxi_topology_agree(h->topology.comm, status);
    if (status == HX_OK && set->there.partner) {
        open_there(h, set);
    }
    return status;
}

typedef struct touching {
    const hx_handle *handle;
    const hxi_set *set;
} touching;

/* The same part of each array that the thread will pack and unpack: slabs across the slowest axis. */
static void touch_part(void *data, int part, int parts)
{
    enum { PAGE = 4096 };
    const touching *t = data;
    const hx_spec *spec = t->handle->spec;
    for (int slot = 0; slot < t->set->slots; ++slot) {
        const int field = slot % spec->fields;
        if (spec->field[field].on_device) {
            continue;
        }
        const size_t bytes = hxi_block_bytes(spec, &t->handle->mine.block[slot / spec->fields], field);
        const size_t end = bytes / (size_t)parts * (size_t)(part + 1);
        volatile unsigned char *array = memory_of(t->set, field) + t->set->offset[slot];
        for (size_t at = bytes / (size_t)parts * (size_t)part; at < end; at += PAGE) {
            array[at] = 0; /* which it is: the system now puts the page where this thread runs */
        }
    }
}

static void touch(const hx_handle *h, const hxi_set *set)
{
    touching t = {h, set};
    if (!h->sets.lent && hxi_divide_pays(h->team, set->bytes)) {
        if (!set->memory.shared) {
            hxi_memory_place_anew(set->memory.own, set->memory.bytes);
        }
        hxi_team_run(h->team, touch_part, &t);
    }
}

/* ---- calls --------------------------------------------------------------------------------------------- */

static void advance(void *handle)
{
    hxi_exchange_advance(handle);
}

/* An exchange of this rank may fail meanwhile, of which the others know nothing: then it takes part all the same. */
hx_status hxi_sets_meet(hx_handle *h, const char *caller, bool *together)
{
    const hx_status met = hxi_meeting_wait(&h->meeting, caller, h->options.deadline, advance, h);
    *together = !hxi_arrival_failed(met);
    h->broken = met == HX_ERR_DEADLINE ? met : h->broken;
    return met == HX_OK ? h->broken : met;
}

static hx_status check_fields(const hx_handle *h, const void *fields, const char *caller)
{
    if (!fields && h->mine.blocks > 0) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The fields given to %s are a null pointer; give one %s_fields a block.", caller,
                        h->spec->name);
    }
    return HX_OK;
}

/* The pointer of a slot, among the structs of pointers. */
static unsigned char *pointer_at(const hx_handle *h, const void *fields, int slot)
{
    const int field = slot % h->spec->fields;
    const int block = slot / h->spec->fields;
    return (unsigned char *)fields + (size_t)block * h->spec->fields_size + h->spec->field[field].pointer;
}

static hx_status alloc(hx_handle *h, void *fields, const char *caller, hx_status met)
{
    hxi_set *set = NULL;
    size_t bytes = 0;
    hxi_first first = {0};
    hxi_first_note(&first, met);
    hxi_first_note(&first, check_fields(h, fields, caller));
    if (first.status == HX_OK) {
        hxi_first_note(&first, set_make(h, caller, &set, &bytes));
    }
    hx_status status = hxi_topology_agree(h->topology.comm, hxi_first_tell(&first));
    status = status == HX_OK ? set_open(h, set, bytes) : status;
    if (status != HX_OK) {
        hxi_sets_drop(set);
        return status;
    }
    for (int slot = 0; slot < set->slots; ++slot) {
        void *array = memory_of(set, slot % h->spec->fields) + set->offset[slot];
        memcpy(pointer_at(h, fields, slot), &array, sizeof array);
    }
    touch(h, set);
    if (h->audits) {
        hxi_audits_poison(h->audits, fields);
    }
    hxi_sets_add(&h->sets, set);
    return HX_OK;
}

/* ---- free ------------------------------------------------------------------------------------------- */

/* The slot of a field whose array starts there; -1: none. */
static int slot_of_field(const hxi_set *set, int field, const unsigned char *array)
{
    const int fields = set->spec->fields;
    const uintptr_t offset = (uintptr_t)array - (uintptr_t)memory_of(set, field);
    const int blocks = set->slots / fields;
    int low = 0;
    int high = blocks;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (set->offset[middle * fields + field] < offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const int slot = low * fields + field;
    return low < blocks && set->offset[slot] == offset ? slot : -1;
}

/* Likewise, of any field. */
static int slot_at(const hxi_set *set, const unsigned char *array)
{
    int slot = -1;
    for (int f = 0; set->slots > 0 && f < set->spec->fields && slot < 0; ++f) {
        slot = slot_of_field(set, f, array);
    }
    return slot;
}

/* Where an array's state is kept; NULL: it is in no set. */
static unsigned char *state_of(const hxi_sets *sets, const unsigned char *array)
{
    for (const hxi_set *set = sets->first; set; set = set->next) {
        const int slot = slot_at(set, array);
        if (slot >= 0) {
            return &set->state[slot];
        }
    }
    return NULL;
}

static hx_status refuse(const hx_handle *h, const char *caller, int slot, const void *array, const char *why)
{
    return hxi_fail(HX_ERR_ARGUMENT, "The array of field %s of block %d given to %s, %p, %s.",
                    h->spec->field[slot % h->spec->fields].name, slot / h->spec->fields, caller, array, why);
}

/* Notes which arrays are to go. */
static hx_status choose(const hx_handle *h, const void *fields, const char *caller)
{
    const int slots = h->mine.blocks * h->spec->fields;
    for (int slot = 0; slot < slots; ++slot) {
        unsigned char *array;
        memcpy(&array, pointer_at(h, fields, slot), sizeof array);
        unsigned char *state = array ? state_of(&h->sets, array) : NULL;
        const hxi_block *block = &h->mine.block[slot / h->spec->fields];
        const size_t bytes = hxi_block_bytes(h->spec, block, slot % h->spec->fields);
        const hx_exchange *user = array ? hxi_exchange_using(h, array, bytes) : NULL;
        if (array && (!state || *state == FREED)) {
            return refuse(h, caller, slot, array,
                          "is not one that this handle allocated and did not free yet; set pointers to "
                          "other arrays to NULL before");
        }
        if (array && *state == GOING) {
            return refuse(h, caller, slot, array, "is there twice; give each array once");
        }
        if (user) {
            return hxi_fail(
                HX_ERR_STATE,
                "%s:%d: exchange \"%s\" is under way and uses field %s of block %d, which %s is to "
                "free; finish it first.",
                h->spec->file, user->line, user->name, h->spec->field[slot % h->spec->fields].name,
                slot / h->spec->fields, caller);
        }
        if (array) {
            *state = GOING;
        }
    }
    return HX_OK;
}

/*
 * Collective, also where choosing failed.  Of which sets does no rank keep any array?  Ranks without blocks
 * keep none of any.
 */
static hx_status find_ends(const hx_handle *h)
{
    hxi_first first = {0};
    for (hxi_set *set = h->sets.first; set; set = set->next) {
        if (set->window) {
            continue; /* unregister ends it */
        }
        int kept = 0;
        for (int slot = 0; slot < set->slots; ++slot) {
            kept = kept || set->state[slot] == USED;
        }
        int64_t keepers = 1;
        hxi_first_note(&first, hxi_topology_sum(h->topology.comm, kept, "Counting arrays in use", &keepers));
        set->ends = keepers == 0;
    }
    return hxi_first_tell(&first);
}

/* What was chosen goes, or not. */
static void settle(const hxi_set *set, bool agreed)
{
    for (int slot = 0; slot < set->slots; ++slot) {
        if (set->state[slot] == GOING) {
            set->state[slot] = agreed ? FREED : USED;
        }
    }
}

/* Collective, for sets that end: no rank frees memory that another one of its node has open. */
static void close_ends(const hx_handle *h)
{
    bool any = false;
    for (hxi_set *set = h->sets.first; set; set = set->next) {
        if (set->ends && set->there.usable) {
            any = true;
            if (hxi_device_shared_leave(&set->there, 0) != HX_OK) {
                hxi_log(&h->options, HX_LOG_WARNING,
                        "%s_free on rank %d: %s  It stays until that process ends.", h->spec->name,
                        h->topology.rank, hx_last_error());
            }
        }
    }
    if (any) {
        hxi_topology_node_agree(&h->topology, HX_OK); /* who does not see that others have left keeps it */
    }
}

static void remove_ends(hxi_sets *sets)
{
    for (hxi_set **link = &sets->first; *link;) {
        hxi_set *set = *link;
        if (set->ends) {
            *link = set->next;
            hxi_sets_drop(set);
        } else {
            link = &set->next;
        }
    }
}

static hx_status give_back(hx_handle *h, void *fields, const char *caller, hx_status met)
{
    hxi_first first = {0};
    hxi_first_note(&first, met);
    hxi_first_note(&first, check_fields(h, fields, caller));
    if (first.status == HX_OK) {
        hxi_first_note(&first, choose(h, fields, caller));
    }
    hxi_first_note(&first, find_ends(h));
    const hx_status status = hxi_topology_agree(h->topology.comm, hxi_first_tell(&first));
    for (const hxi_set *set = h->sets.first; set; set = set->next) {
        settle(set, status == HX_OK);
    }
    if (status != HX_OK) {
        return status;
    }
    const hxi_device_guard guard = hxi_device_enter(h->device);
    close_ends(h);
    remove_ends(&h->sets);
    hxi_device_return(&guard);
    h->sets.changes++;
    void *const nothing = NULL;
    for (int slot = 0; slot < h->mine.blocks * h->spec->fields; ++slot) {
        memcpy(pointer_at(h, fields, slot), &nothing, sizeof nothing);
    }
    return HX_OK;
}

/* ---- the interface ------------------------------------------------------------------------------------- */

static void tell_call(const hx_handle *h, const char *caller)
{
    if (h->tell_call) {
        h->tell_call(h->tell_call_context, caller);
    }
}

hx_status hxi_sets_call(hx_handle *handle, void *what, const char *verb, hxi_sets_action *action)
{
    if (!handle) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The handle given to %s is a null pointer; give one that create made.", verb);
    }
    hx_status status = hxi_exchange_hold(handle, verb);
    if (status != HX_OK) {
        return status;
    }
    char buffer[HX_CALL];
    const char *caller = hxi_call(handle->spec, NULL, verb, buffer);
    status = hxi_exchange_ready(handle, caller);
    if (status == HX_OK) {
        bool together = false;
        tell_call(handle, caller);
        status = hxi_sets_meet(handle, caller, &together);
        status = together ? action(handle, what, caller, status) : status;
        tell_call(handle, NULL);
    }
    hxi_progress_release(handle);
    return status;
}

hx_status hx_alloc(hx_handle *handle, void *fields)
{
    return hxi_sets_call(handle, fields, "alloc", alloc);
}

hx_status hx_free(hx_handle *handle, void *fields)
{
    return hxi_sets_call(handle, fields, "free", give_back);
}
