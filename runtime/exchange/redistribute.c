#include "exchange/redistribute.h"

#include "audit/mail.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "exchange/alloc.h"
#include "exchange/exchange.h"
#include "exchange/moving.h"
#include "exchange/owner.h"

#include <stdlib.h>
#include <string.h>

static const char purpose[] = "a redistribution";

enum { PLANS = 8 }; /* that a handle keeps */

/* A plan is for one source and one set of fields. */
typedef struct kept_plan {
    hxi_kept kept; /* after messages were abandoned */
    struct kept_plan *next;
    uint64_t source; /* the number of that handle */
    unsigned char *moves;
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
    unsigned char *moves; /* by field: 1: it moves */
    int64_t *told;        /* what this rank says of each field, ... */
    int64_t *heard;       /* ... and the largest that any rank says */
} request;

/* ---- plans ---------------------------------------------------------------------------------------------- */

static void free_plan(kept_plan *plan)
{
    hxi_moving_free(&plan->moving);
    hxi_memory_free(plan->moves);
    hxi_memory_free(plan);
}

void hxi_redistributions_free(hx_handle *handle)
{
    hxi_memory_free(handle->owner_of);
    while (handle->redistributions && handle->redistributions->first) {
        kept_plan *plan = handle->redistributions->first;
        handle->redistributions->first = plan->next;
        free_plan(plan);
    }
    hxi_memory_free(handle->redistributions);
}

/* The plan for this source and these fields, taken out of the list; NULL: there is none. */
static kept_plan *take_kept(hx_handle *h, const request *r)
{
    kept_plan **link = h->redistributions ? &h->redistributions->first : NULL;
    while (link && *link) {
        kept_plan *plan = *link;
        if (plan->source == r->from->number && memcmp(plan->moves, r->moves, (size_t)h->spec->fields) == 0) {
            *link = plan->next;
            return plan;
        }
        link = &plan->next;
    }
    return NULL;
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

hx_status hxi_redistribute_owners(hx_handle *handle, const hx_handle *with, const int **owner)
{
    const hxi_layout *layout = &handle->layout;
    *owner = handle->owner_of;
    if (*owner || (!layout->owner && !layout->owners)) {
        return HX_OK;
    }
    int *made = hxi_memory_get((size_t)layout->blocks, sizeof *made, purpose);
    int *mine = hxi_memory_get((size_t)handle->mine.blocks, sizeof *mine, purpose);
    hx_status status = hxi_topology_agree(with->topology.comm, made && mine ? HX_OK : HX_ERR_MEMORY);
    if (status == HX_OK) {
        for (int b = 0; b < handle->mine.blocks; ++b) {
            const hxi_block *block = &handle->mine.block[b];
            mine[b] = layout->tile[block->tile].first_block + block->number;
        }
        for (int b = 0; b < layout->blocks; ++b) {
            made[b] = -1;
        }
        status = hxi_mail_tell_owners(with->topology.comm, mine, handle->mine.blocks, made, layout->blocks);
    }
    hxi_memory_free(mine);
    if (status == HX_OK) {
        *owner = handle->owner_of = made;
    } else {
        hxi_memory_free(made);
    }
    return status;
}

static hx_status make_local(hx_handle *h, const request *r, const hxi_redistribution_task *task,
                            kept_plan **made)
{
    kept_plan *plan = hxi_memory_get(1, sizeof *plan, purpose);
    *made = plan;
    if (!h->redistributions) {
        h->redistributions = hxi_memory_get(1, sizeof *h->redistributions, purpose);
    }
    if (!plan || !h->redistributions) {
        return HX_ERR_MEMORY;
    }
    plan->source = r->from->number;
    plan->moves = hxi_memory_get((size_t)h->spec->fields, 1, purpose);
    if (!plan->moves) {
        return HX_ERR_MEMORY;
    }
    memcpy(plan->moves, r->moves, (size_t)h->spec->fields);
    return hxi_moving_make(h, task, &plan->moving);
}

/* Collective. */
static hx_status make_plan(hx_handle *h, const request *r, kept_plan **made)
{
    const int *from = NULL;
    const int *to = NULL;
    hx_status status = hxi_redistribute_owners(r->from, h, &from);
    status = status == HX_OK ? hxi_redistribute_owners(h, h, &to) : status;
    if (status != HX_OK) {
        return status;
    }
    int *field = hxi_memory_get((size_t)h->spec->fields, sizeof *field, purpose);
    hxi_redistribution_task task = {.spec = h->spec,
                                    .from = {&r->from->layout, &r->from->mine, from},
                                    .to = {&h->layout, &h->mine, to},
                                    .field = field,
                                    .rank = h->topology.rank};
    for (int f = 0; f < h->spec->fields && field; ++f) {
        if (r->moves[f]) {
            field[task.fields++] = f;
        }
    }
    status = hxi_topology_agree(h->topology.comm, field ? make_local(h, r, &task, made) : HX_ERR_MEMORY);
    hxi_memory_free(field);
    return status == HX_OK ? hxi_moving_confirm(h, &(*made)->moving.r) : status;
}

/* ---- may it be done? ------------------------------------------------------------------------------------ */

void *hxi_redistribute_array(const hx_spec *spec, const void *fields, int block, int field)
{
    void *array;
    memcpy(&array, (const char *)fields + (size_t)block * spec->fields_size + spec->field[field].pointer,
           sizeof array);
    return array;
}

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

/* Are the two handles of one kind, and of the same ranks? */
static hx_status check_source(const hx_handle *h, const hx_handle *from, const char *caller)
{
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
    if (h->spec->list || !h->spec->any) {
        return hxi_fail(HX_ERR_ARGUMENT, "%s: %s is %s; fields of boxes are moved.", caller, h->spec->file,
                        h->spec->list ? "a list of points" : "not a spec that halogen emitted");
    }
    if (!hxi_topology_alike(&from->topology, &h->topology)) {
        return hxi_fail(HX_ERR_MISMATCH,
                        "%s: the source has %d rank%s and the target %d, or they are in another order.  Make "
                        "both handles with one communicator; ranks may own no block.",
                        caller, from->topology.ranks, hxi_s(from->topology.ranks), h->topology.ranks);
    }
    return check_cells(h, from, caller);
}

/* Where an array is, for sentences. */
typedef struct array_place {
    const hx_handle *handle;
    const char *end; /* "source" */
    int block;
    int field;
} array_place;

static hx_status check_array(const array_place *p, const void *array, const char *caller)
{
    const hx_field *field = &p->handle->spec->field[p->field];
    const int rank = p->handle->topology.rank;
    if (field->on_device) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s on rank %d: field %s lies in the memory of a device, and redistribution moves "
                        "fields of the host; give a null pointer for it, in source and target.",
                        caller, rank, field->name);
    }
    if ((uintptr_t)array % (uintptr_t)field->alignment != 0) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s on rank %d: the array of field %s of block %d of the %s, %p, is not aligned for "
                        "%s; give an address that is a multiple of %d.",
                        caller, rank, field->name, p->block, p->end, array, field->type, field->alignment);
    }
    const hxi_block *block = &p->handle->mine.block[p->block];
    const hx_exchange *user =
        hxi_exchange_using(p->handle, array, hxi_block_bytes(p->handle->spec, block, p->field));
    if (user) {
        return hxi_fail(HX_ERR_STATE,
                        "%s:%d: exchange \"%s\" is under way on rank %d and uses field %s of block %d of the "
                        "%s; finish it before %s.",
                        p->handle->spec->file, user->line, user->name, rank, field->name, p->block, p->end,
                        caller);
    }
    return HX_OK;
}

/* All arrays of one end; told[f]: 1: field f has some here, told[fields + f]: it has not all. */
static hx_status check_end(const hx_handle *h, const void *fields, const char *end, int64_t *told,
                           const char *caller)
{
    const hx_spec *spec = h->spec;
    if (!fields && h->mine.blocks > 0) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s on rank %d: the fields of the %s are a null pointer; give one %s_fields a block.",
                        caller, h->topology.rank, end, spec->name);
    }
    for (int b = 0; b < h->mine.blocks; ++b) {
        for (int f = 0; f < spec->fields; ++f) {
            const void *array = hxi_redistribute_array(spec, fields, b, f);
            told[array ? f : spec->fields + f] = 1;
            const array_place place = {h, end, b, f};
            const hx_status status = array ? check_array(&place, array, caller) : HX_OK;
            if (status != HX_OK) {
                return status;
            }
        }
    }
    return HX_OK;
}

/* An array of one of the two ends. */
typedef struct given_array {
    const void *array;
    const char *end;
    int field;
} given_array;

static int compare_given(const void *left, const void *right)
{
    const uintptr_t a = (uintptr_t)((const given_array *)left)->array;
    const uintptr_t b = (uintptr_t)((const given_array *)right)->array;
    return (a > b) - (a < b);
}

static size_t list_given(const hx_handle *h, const void *fields, const char *end, given_array *given)
{
    size_t count = 0;
    for (int i = 0; i < h->mine.blocks * h->spec->fields; ++i) {
        const int field = i % h->spec->fields;
        const void *array = hxi_redistribute_array(h->spec, fields, i / h->spec->fields, field);
        if (array) {
            given[count++] = (given_array){array, end, field};
        }
    }
    return count;
}

/* No two fields share an array: a point would be read after it was written, or written twice. */
static hx_status check_twins(const hx_handle *h, const request *r, const char *caller)
{
    const size_t most = ((size_t)h->mine.blocks + (size_t)r->from->mine.blocks) * (size_t)h->spec->fields;
    given_array *given = hxi_memory_get(most, sizeof *given, purpose);
    if (!given) {
        return HX_ERR_MEMORY;
    }
    size_t count = list_given(h, r->target, "target", given);
    count += list_given(r->from, r->source, "source", given + count);
    qsort(given, count, sizeof *given, compare_given);
    hx_status status = HX_OK;
    for (size_t i = 1; i < count && status == HX_OK; ++i) {
        const given_array *a = &given[i - 1];
        const given_array *b = &given[i];
        if (a->array == b->array) {
            status =
                hxi_fail(HX_ERR_ARGUMENT,
                         "%s on rank %d: one array, %p, is that of field %s in the %s and of field %s in "
                         "the %s; give each its own.",
                         caller, h->topology.rank, a->array, h->spec->field[a->field].name, a->end,
                         h->spec->field[b->field].name, b->end);
        }
    }
    hxi_memory_free(given);
    return status;
}

static hx_status check(hx_handle *h, request *r, const char *caller)
{
    hx_status status = check_source(h, r->from, caller);
    if (status != HX_OK) {
        return status;
    }
    const size_t fields = (size_t)h->spec->fields;
    r->moves = hxi_memory_get(fields, 1, purpose);
    r->told = hxi_memory_get(2 * fields + 3, sizeof *r->told, purpose);
    r->heard = hxi_memory_get(2 * fields + 3, sizeof *r->heard, purpose);
    if (!r->moves || !r->told || !r->heard) {
        return HX_ERR_MEMORY;
    }
    status = check_end(r->from, r->source, "source", r->told, caller);
    status = status == HX_OK ? check_end(h, r->target, "target", r->told, caller) : status;
    return status == HX_OK ? check_twins(h, r, caller) : status;
}

/* Collective: the largest numbers that any rank gives, or a failure for all. */
static hx_status most(const hx_handle *h, const int64_t mine[], int64_t all[], int count)
{
    return hxi_topology_agree(h->topology.comm, hxi_topology_most(&h->topology, mine, all, count));
}

/* Collective: which fields move, for all ranks alike. */
static hx_status agree_on_fields(const hx_handle *h, request *r, const char *caller)
{
    const int fields = h->spec->fields;
    const uint64_t hash = hxi_layout_hash(&r->from->layout);
    r->told[2 * fields] = (int64_t)(hash >> 1);
    r->told[2 * fields + 1] = -(int64_t)(hash >> 1);
    const hx_status status = most(h, r->told, r->heard, 2 * fields + 2);
    if (status != HX_OK) {
        return status;
    }
    if (r->heard[2 * fields] != -r->heard[2 * fields + 1]) {
        return hxi_fail(HX_ERR_MISMATCH,
                        "%s: ranks gave sources that divide the grid differently; give the same handle on "
                        "all.",
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
    for (int b = 0; b < p->blocks.blocks; ++b) {
        const bool target = b < h->mine.blocks;
        for (int i = 0; i < p->exchange.fields; ++i) {
            plan->moving.base[b * p->exchange.fields + i] = hxi_redistribute_array(
                h->spec, target ? r->target : r->source, target ? b : b - h->mine.blocks, p->item[i].field);
        }
    }
}

static hx_status redistribute(hx_handle *h, request *r, const char *caller)
{
    const int fields = h->spec->fields;
    hx_status status = agree_on_fields(h, r, caller);
    if (status != HX_OK || !memchr(r->moves, 1, (size_t)fields)) {
        return status;
    }
    kept_plan *plan = take_kept(h, r);
    const int64_t new = plan == NULL;
    int64_t any_new = 0;
    status = most(h, &new, &any_new, 1);
    if (status == HX_OK && any_new && plan) {
        free_plan(plan);
        plan = NULL;
    }
    status = status == HX_OK && !plan ? make_plan(h, r, &plan) : status;
    if (status == HX_OK) {
        set_arrays(h, r, plan);
        status = hxi_moving_run(h, &plan->moving, caller);
    }
    if (status == HX_OK) {
        keep(h, plan);
    } else if (plan && h->broken != HX_OK) {
        hxi_memory_keep(&plan->kept);
    } else if (plan) {
        free_plan(plan);
    }
    return status;
}

static hx_status begin(hx_handle *h, void *what, const char *caller, hx_status met)
{
    request *r = what;
    hxi_first first = {0};
    hxi_first_note(&first, met);
    hxi_first_note(&first, check(h, r, caller));
    hx_status status = hxi_topology_agree(h->topology.comm, hxi_first_tell(&first));
    status = status == HX_OK ? redistribute(h, r, caller) : status;
    hxi_memory_free(r->moves);
    hxi_memory_free(r->told);
    hxi_memory_free(r->heard);
    return status;
}

hx_status hx_redistribute(hx_handle *from, const void *source, hx_handle *to, const void *target)
{
    request r = {.from = from, .source = source, .target = target};
    return hxi_sets_call(to, &r, "redistribute", begin);
}
