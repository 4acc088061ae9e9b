#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "exchange/alloc.h"
#include "exchange/block_owners.h"
#include "exchange/exchange.h"
#include "exchange/owner.h"
#include "redistribution/moving.h"
#include "redistribution/moving_arrays.h"
#include "redistribution/moving_device.h"
#include "redistribution/moving_lists.h"

#include <string.h>

static const char purpose[] = "a redistribution";

enum {
    PLANS = 8,   /* that a handle keeps */
    AT_ONCE = 64 /* numbers that ranks tell each other in one call of MPI */
};

/* Behind two numbers for each field, what ranks tell each other. */
enum {
    LAYOUT,   /* of the source, ... */
    NEGATIVE, /* ... and once more, negative */
    HALOS,    /* 1: ghost points move, too; ... */
    NO_HALOS, /* ... and once more, negative */
    FAILED,   /* 1: this rank has something to say first */
    USELESS,  /* for each plan that is kept, 1: it is not from this source */
    TOLD = USELESS + PLANS
};

/* A plan is for one source and one set of fields. */
typedef struct kept_plan {
    hxi_kept kept; /* after messages were abandoned */
    struct kept_plan *next;
    uint64_t source; /* the number of that handle */
    uint64_t ids;    /* a number for those of its points, and of the target's; 0: of boxes */
    bool halos;
    unsigned char *moves;
    hxi_lists lists;
    hxi_moving moving;
} kept_plan;

struct hxi_redistributions {
    kept_plan *first; /* the one that was used last */
};

/* What the application asks for, and what became of it so far. */
typedef struct request {
    hx_handle *from;
    const void *source; /* its fields */
    const void *target;
    bool by_ids;
    const hx_ids *source_ids; /* of lists of points */
    const hx_ids *target_ids;
    uint64_t ids;         /* a number for both */
    bool halos;           /* ghost points move, too */
    hx_stream stream;     /* behind which fields of a device are moved */
    unsigned char *moves; /* by field: 1: it moves */
    int64_t *told;        /* what this rank says of each field, ... */
    int64_t *heard;       /* ... and the largest that any rank says */
} request;

/* ---- plans ---------------------------------------------------------------------------------------------- */

static void free_plan(kept_plan *plan)
{
    hxi_moving_free(&plan->moving);
    hxi_lists_free(&plan->lists);
    hxi_memory_free(plan->moves);
    hxi_memory_free(plan);
}

static void free_plans(hx_handle *handle)
{
    while (handle->redistributions->first) {
        kept_plan *plan = handle->redistributions->first;
        handle->redistributions->first = plan->next;
        if (handle->broken != HX_OK && plan->moving.device) {
            hxi_memory_keep(&plan->kept); /* nothing is freed on a device that may still be at work */
        } else {
            free_plan(plan);
        }
    }
    hxi_memory_free(handle->redistributions);
}

/* The same on all ranks: one for these fields, and on each rank for this source.  NULL: there is none. */
static kept_plan *find_kept(const hx_handle *h, const request *r)
{
    const size_t fields = (size_t)h->spec->fields;
    kept_plan *plan = h->redistributions ? h->redistributions->first : NULL;
    for (size_t i = 0;
         plan && (r->heard[2 * fields + USELESS + i] || memcmp(plan->moves, r->moves, fields) != 0); ++i) {
        plan = plan->next;
    }
    return plan;
}

static void take_out(const hx_handle *h, const kept_plan *plan)
{
    kept_plan **link = &h->redistributions->first;
    while (*link != plan) {
        link = &(*link)->next;
    }
    *link = plan->next;
}

/* Puts it first; the one that was used longest ago goes, where there are too many. */
static void keep(hx_handle *h, kept_plan *plan)
{
    plan->next = h->redistributions->first;
    h->redistributions->first = plan;
    kept_plan *last = plan;
    for (int i = 1; i < PLANS && last; ++i) {
        last = last->next;
    }
    while (last && last->next) {
        kept_plan *gone = last->next;
        last->next = gone->next;
        free_plan(gone);
    }
}

static hx_status make_local(hx_handle *h, const request *r, const hxi_redistribution_task *task,
                            kept_plan *plan)
{
    if (!h->redistributions) {
        h->redistributions = hxi_memory_get(1, sizeof *h->redistributions, purpose);
        h->free_redistributions = h->redistributions ? free_plans : NULL;
    }
    if (!h->redistributions) {
        return HX_ERR_MEMORY;
    }
    plan->source = r->from->number;
    plan->ids = r->ids;
    plan->halos = r->halos;
    plan->moves = hxi_memory_get((size_t)h->spec->fields, 1, purpose);
    if (!plan->moves) {
        return HX_ERR_MEMORY;
    }
    memcpy(plan->moves, r->moves, (size_t)h->spec->fields);
    return hxi_moving_make(h, task, &plan->moving);
}

/* Collective: who has which block, or which point. */
static hx_status find_owners(hx_handle *h, const request *r, hxi_lists *lists, const hxi_owners **from,
                             const hxi_owners **to)
{
    if (h->spec->list) {
        return hxi_moving_lists_make(h, r->source_ids, r->target_ids, lists);
    }
    const hx_status status = hxi_block_owners(r->from, h, from);
    return status == HX_OK ? hxi_block_owners(h, h, to) : status;
}

/* Collective. */
static hx_status make_plan(hx_handle *h, const request *r, kept_plan **made)
{
    const hxi_owners *from = NULL;
    const hxi_owners *to = NULL;
    *made = hxi_memory_get(1, sizeof **made, purpose);
    hx_status status = hxi_topology_agree(h->topology.comm, *made ? HX_OK : HX_ERR_MEMORY);
    status = status == HX_OK ? find_owners(h, r, &(*made)->lists, &from, &to) : status;
    if (status != HX_OK) {
        return status;
    }
    int *field = hxi_memory_get((size_t)h->spec->fields, sizeof *field, purpose);
    hxi_redistribution_task task = {.spec = h->spec,
                                    .from = {&r->from->layout, &r->from->mine, from},
                                    .to = {&h->layout, &h->mine, to},
                                    .lists = h->spec->list ? &(*made)->lists : NULL,
                                    .field = field,
                                    .rank = h->topology.rank,
                                    .halos = r->halos};
    for (int f = 0; f < h->spec->fields && field; ++f) {
        if (r->moves[f]) {
            field[task.fields++] = f;
        }
    }
    status = hxi_topology_agree(h->topology.comm, field ? make_local(h, r, &task, *made) : HX_ERR_MEMORY);
    hxi_memory_free(field);
    return status == HX_OK ? hxi_moving_open(h, &(*made)->moving) : status;
}

/* ---- may it be done? ------------------------------------------------------------------------------------ */

static hx_status check_cells(const hx_handle *h, const hx_handle *from, const char *caller)
{
    for (int t = 0; t < h->spec->tiles; ++t) {
        for (int a = 0; a < h->spec->axes; ++a) {
            const int here = h->layout.tile[t].cells[a];
            const int there = from->layout.tile[t].cells[a];
            if (here != there) {
                return hxi_fail(HX_ERR_PARTITION,
                                "%s: along axis %s of tile %d the source has %d cell%s and the target %d; "
                                "both divide the same grid.",
                                caller, h->spec->axis[a], t, there, hxi_s(there), here);
            }
        }
    }
    return HX_OK;
}

static hx_status check_ids(const hx_handle *h, const request *r, const char *caller)
{
    for (int a = 1; a < h->spec->axes; ++a) {
        const int here = h->mine.block[0].cells[a];
        const int there = r->from->mine.block[0].cells[a];
        if (here != there) {
            return hxi_fail(
                HX_ERR_PARTITION,
                "%s on rank %d: along axis %s the source has %d cell%s and the target %d; give both as many.",
                caller, h->topology.rank, h->spec->axis[a], there, hxi_s(there), here);
        }
    }
    const hx_status status = hxi_moving_ids_check(r->from, r->source_ids, "source", caller);
    return status == HX_OK ? hxi_moving_ids_check(h, r->target_ids, "target", caller) : status;
}

/* Are the two handles of one kind, and of the same ranks? */
static hx_status check_source(const hx_handle *h, const request *r, const char *caller)
{
    const hx_handle *from = r->from;
    if (!from) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s: the handle of the source is a null pointer; give one that create made.", caller);
    }
    hx_status status = hxi_owner_look(from, "redistribute from it");
    status = status == HX_OK ? hxi_exchange_ready(from, caller) : status;
    if (status != HX_OK) {
        return status;
    }
    if (from->spec->hash != h->spec->hash) {
        return hxi_fail(HX_ERR_MISMATCH,
                        "%s: the source is of spec %s, model %016llx, and the target of spec %s, model "
                        "%016llx; both have to be of one.",
                        caller, from->spec->name, (unsigned long long)from->spec->hash, h->spec->name,
                        (unsigned long long)h->spec->hash);
    }
    const bool list = h->spec->list != 0;
    if (list != r->by_ids || (!list && !h->spec->any)) {
        return hxi_fail(HX_ERR_ARGUMENT, "%s: %s is %s.", caller, h->spec->file,
                        list        ? "a list of points, which are moved by ids: give those of both handles"
                        : r->by_ids ? "a grid of boxes, which are moved without ids: give none"
                                    : "not a spec that halogen emitted");
    }
    if (!hxi_topology_alike(&from->topology, &h->topology)) {
        return hxi_fail(HX_ERR_MISMATCH,
                        "%s: the source has %d rank%s and the target %d, or they are in another order.  Make "
                        "both handles with one communicator; ranks may own no block.",
                        caller, from->topology.ranks, hxi_s(from->topology.ranks), h->topology.ranks);
    }
    return list ? check_ids(h, r, caller) : check_cells(h, from, caller);
}

/* Fields of a device are moved on that of the handles, in a stream of it. */
static hx_status check_device(const hx_handle *h, const request *r, const char *caller)
{
    bool moves = false;
    for (int f = 0; f < h->spec->fields; ++f) {
        moves = moves || (h->spec->field[f].on_device && r->told[f]);
    }
    if (!moves) {
        return HX_OK;
    }
    if (r->from->device->number != h->device->number) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s on rank %d: the source was made on device %d and the target on device %d; make "
                        "both on one.",
                        caller, h->topology.rank, r->from->device->number, h->device->number);
    }
    return hxi_moving_device_check(h, r->stream, caller);
}

/* Are ghost points where those of boxes are, around the owned ones? */
static hx_status check_halos(const hx_handle *h, const request *r, const char *caller)
{
    if (r->halos && h->spec->list) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s: %s is a list of points, whose ghost points are not moved; exchange them "
                        "afterwards.",
                        caller, h->spec->file);
    }
    for (int f = 0; f < h->spec->fields && r->halos; ++f) {
        const hx_field *field = &h->spec->field[f];
        if (field->behind && r->told[f]) {
            return hxi_fail(
                HX_ERR_ARGUMENT,
                "%s: %s:%d: ghost points of field %s lie behind its owned ones, and are not moved; "
                "give null pointers for it, or move without halos and exchange afterwards.",
                caller, h->spec->file, field->line, field->name);
        }
    }
    return HX_OK;
}

static hx_status check(hx_handle *h, request *r, const char *caller)
{
    hx_status status = check_source(h, r, caller);
    if (status != HX_OK) {
        return status;
    }
    const size_t fields = (size_t)h->spec->fields;
    r->moves = hxi_memory_get(fields, 1, purpose);
    r->told = hxi_memory_get(2 * fields + TOLD, sizeof *r->told, purpose);
    r->heard = hxi_memory_get(2 * fields + TOLD, sizeof *r->heard, purpose);
    if (!r->moves || !r->told || !r->heard) {
        return HX_ERR_MEMORY;
    }
    const hxi_moving_end source = {r->from, r->source, "source", r->halos};
    const hxi_moving_end target = {h, r->target, "target", r->halos};
    status = hxi_moving_arrays_check(&source, r->told, caller);
    status = status == HX_OK ? hxi_moving_arrays_check(&target, r->told, caller) : status;
    status = status == HX_OK ? check_halos(h, r, caller) : status;
    status = status == HX_OK ? check_device(h, r, caller) : status;
    return status == HX_OK ? hxi_moving_arrays_apart(&source, &target, caller) : status;
}

/* Of cuts, and of owners as far as they are known: where a function says who they are, ranks have yet to ask. */
static uint64_t fingerprint(const hxi_layout *layout)
{
    const bool asks = layout->owners.blocks == 0 && layout->owner;
    return hxi_hash(hxi_hash(hxi_layout_hash(layout), (int64_t)layout->owners.hash), asks);
}

static void tell(const hx_handle *h, request *r)
{
    int64_t *told = r->told + 2 * h->spec->fields;
    const int64_t hash = r->by_ids ? 0 : (int64_t)(fingerprint(&r->from->layout) >> 1);
    if (r->by_ids) {
        r->ids = hxi_moving_ids_hash(hxi_moving_ids_hash(HX_HASH_SEED, r->source_ids), r->target_ids);
    }
    told[LAYOUT] = hash;
    told[NEGATIVE] = -hash;
    told[HALOS] = r->halos;
    told[NO_HALOS] = -(int64_t)r->halos;
    const kept_plan *plan = h->redistributions ? h->redistributions->first : NULL;
    for (int i = 0; i < PLANS; ++i) {
        told[USELESS + i] =
            !plan || plan->source != r->from->number || plan->ids != r->ids || plan->halos != r->halos;
        plan = plan ? plan->next : NULL;
    }
}

/* Collective, also for a rank that failed: the largest numbers that any rank tells. */
static hx_status hear(const hx_handle *h, const request *r, bool failed)
{
    hxi_first first = {0};
    const int count = 2 * h->spec->fields + TOLD;
    for (int at = 0; at < count; at += AT_ONCE) {
        int64_t mine[AT_ONCE] = {0};
        int64_t most[AT_ONCE];
        const int some = count - at < AT_ONCE ? count - at : AT_ONCE;
        for (int i = 0; i < some; ++i) {
            mine[i] = failed ? at + i == 2 * h->spec->fields + FAILED : r->told[at + i];
        }
        hxi_first_note(&first, hxi_topology_most(&h->topology, mine, most, some));
        if (!failed && first.status == HX_OK) {
            memcpy(r->heard + at, most, (size_t)some * sizeof *most);
        }
    }
    return hxi_first_tell(&first);
}

/* Which fields move, for all ranks alike. */
static hx_status agree_on_fields(const hx_handle *h, const request *r, const char *caller)
{
    const int fields = h->spec->fields;
    const int64_t *heard = r->heard + 2 * fields;
    if (heard[LAYOUT] != -heard[NEGATIVE]) {
        return hxi_fail(
            HX_ERR_MISMATCH,
            "%s: ranks gave sources that divide the grid differently, or give its blocks to other "
            "ranks; give the same handle on all.",
            caller);
    }
    if (heard[HALOS] != -heard[NO_HALOS]) {
        return hxi_fail(HX_ERR_MISMATCH,
                        "%s: some ranks want ghost points to move, too, and others not; say the same in "
                        "hx_redistribution.halos on all.",
                        caller);
    }
    for (int f = 0; f < fields; ++f) {
        if (r->heard[f] && r->heard[fields + f]) {
            return hxi_fail(HX_ERR_ARGUMENT,
                            "%s: field %s has arrays in some blocks or on some ranks, and null pointers in "
                            "others; give an array for each block of source and target, or none at all for "
                            "a field that is not to move.",
                            caller, h->spec->field[f].name);
        }
        r->moves[f] = r->heard[f] != 0;
    }
    return HX_OK;
}

/* ---- moving --------------------------------------------------------------------------------------------- */

static void set_arrays(const hx_handle *h, const request *r, kept_plan *plan)
{
    const hxi_redistribution *p = &plan->moving.r;
    plan->moving.stream = r->stream;
    for (int b = 0; b < p->blocks.blocks; ++b) {
        const bool target = b < h->mine.blocks;
        for (int i = 0; i < p->exchange.fields; ++i) {
            plan->moving.base[b * p->exchange.fields + i] = hxi_moving_array(
                h->spec, target ? r->target : r->source, target ? b : b - h->mine.blocks, p->item[i].field);
        }
    }
}

static hx_status run(hx_handle *h, request *r, kept_plan *plan, const char *caller)
{
    set_arrays(h, r, plan);
    const hx_status status = hxi_moving_run(h, &plan->moving, caller);
    if (status == HX_OK) {
        keep(h, plan);
    } else {
        hxi_memory_keep(&plan->kept);
    }
    return status;
}

/* Collective. */
static hx_status run_new(hx_handle *h, request *r, const char *caller)
{
    kept_plan *plan = NULL;
    const hx_status status = make_plan(h, r, &plan);
    if (status == HX_OK) {
        return run(h, r, plan, caller);
    }
    if (plan) {
        hxi_moving_let_go(h, &plan->moving);
        free_plan(plan);
    }
    return status;
}

/*
 * What ranks tell each other before anything moves takes two calls of MPI: one for what each of them has, and one
 * for whether all can go on.
 */
static hx_status redistribute(hx_handle *h, request *r, hxi_first *first, const char *caller)
{
    const bool failed = first->status != HX_OK;
    if (!failed) {
        tell(h, r);
    }
    hxi_first_note(first, hear(h, r, failed));
    const bool all = first->status == HX_OK && !r->heard[2 * h->spec->fields + FAILED];
    if (all) {
        hxi_first_note(first, agree_on_fields(h, r, caller));
    }
    kept_plan *plan = all && first->status == HX_OK ? find_kept(h, r) : NULL;
    if (plan) {
        hxi_first_note(first, hxi_moving_hold(h, &plan->moving));
    }
    const hx_status status = hxi_topology_agree(h->topology.comm, hxi_first_tell(first));
    if (status != HX_OK && plan) {
        hxi_moving_let_go(h, &plan->moving);
    }
    if (status != HX_OK || !memchr(r->moves, 1, (size_t)h->spec->fields)) {
        return status;
    }
    if (!plan) {
        return run_new(h, r, caller);
    }
    take_out(h, plan);
    return run(h, r, plan, caller);
}

static hx_status begin(hx_handle *h, void *what, const char *caller, hx_status met)
{
    request *r = what;
    hxi_first first = {0};
    hxi_first_note(&first, met);
    hxi_first_note(&first, check(h, r, caller));
    const hx_status status = redistribute(h, r, &first, caller);
    hxi_memory_free(r->moves);
    hxi_memory_free(r->told);
    hxi_memory_free(r->heard);
    return status;
}

hx_status hx_redistribute_with(hx_handle *from, const void *source, hx_handle *to, const void *target,
                               const hx_redistribution *how)
{
    static const hx_redistribution usual;
    const hx_redistribution *asked = how ? how : &usual;
    request r = {.from = from,
                 .source = source,
                 .target = target,
                 .by_ids = asked->source_ids || asked->target_ids,
                 .source_ids = asked->source_ids,
                 .target_ids = asked->target_ids,
                 .halos = asked->halos != 0,
                 .stream = asked->stream};
    return hxi_sets_call(to, &r, "redistribute", begin);
}

hx_status hx_redistribute(hx_handle *from, const void *source, hx_handle *to, const void *target)
{
    return hx_redistribute_with(from, source, to, target, NULL);
}
