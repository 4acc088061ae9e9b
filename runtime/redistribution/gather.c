/*
 * Selected points of fields in arrays of any ranks, and back: a redistribution in rounds of small pieces, so that no
 * rank needs much memory beside its arrays.  While one round is unpacked, the next one is packed.
 */
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "comm/tell.h"
#include "exchange/alloc.h"
#include "exchange/block_owners.h"
#include "exchange/exchange.h"
#include "redistribution/moving.h"
#include "redistribution/moving_arrays.h"
#include "redistribution/moving_device.h"
#include "redistribution/selected.h"

#include <limits.h>
#include <string.h>

/* Bytes that travel at once to ranks that ask, or from them, and how many ranks these are at most. */
#ifndef HX_GATHER_MOST
#define HX_GATHER_MOST (16 << 20)
#endif
#ifndef HX_GATHER_RANKS
#define HX_GATHER_RANKS 256
#endif

static const char purpose[] = "a gather or a scatter";

/* What each rank tells all others before anything moves, ... */
enum { SELECTIONS, FIELD, ROOT, TOLD };

/* ... and of each of its selections. */
enum { WORDS = 2 + 3 * HX_MAX_AXES };

/* Of a rank with selections: those that have not travelled, and of the first one of them the pieces that have. */
typedef struct queue {
    int next;
    int end;
    int64_t pieces;
} queue;

typedef struct request {
    hxi_selected_call call;
    const void *fields;
    int field; /* of hx_gather and hx_scatter; else -1 */
    int root;
    const hx_strided_array *whole; /* likewise, by tile */
    const hx_selection *given;
    int count;
    hxi_selection *own; /* by number, also those without points */
    hx_strided_array *array;
    int *told; /* by rank */
    int *first;
    hxi_selection *all; /* that have points, by rank */
    int alls;
    hxi_selection *sorted;
    unsigned char *moves; /* by field of the spec */
    int *item;
    int items;
    hxi_layout tiles; /* the grid as blocks that are whole tiles */
    int *cut;
    const hxi_owners *owner; /* of all blocks; NULL: their numbers */
    queue *queue;
    int queues;
    int left;              /* queues that are not empty */
    hxi_selected_box *box; /* that travel in a round */
    int boxes;
    int boxes_room;
} request;

/* A round under way; it may have to outlive the call. */
typedef struct flight {
    hxi_kept kept;
    hxi_moving moving;
} flight;

/* ---- may it be done? ------------------------------------------------------------------------------------ */

/* A whole tile, as hx_gather has it. */
static hx_selection tile_of(const request *r, int tile)
{
    hx_selection s = {.field = r->field, .tile = tile, .array = r->whole[tile]};
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        s.n[a] = HX_REST;
    }
    return s;
}

static hx_status take_own(request *r)
{
    r->own = hxi_memory_get((size_t)r->count, sizeof *r->own, purpose);
    r->array = hxi_memory_get((size_t)r->count, sizeof *r->array, purpose);
    hx_status status = r->own && r->array ? HX_OK : HX_ERR_MEMORY;
    for (int i = 0; i < r->count && status == HX_OK; ++i) {
        const hx_selection s = r->whole ? tile_of(r, i) : r->given[i];
        status = hxi_selected_take(&r->call, &s, i, &r->own[i], &r->array[i]);
    }
    return status;
}

/* Of hx_gather and hx_scatter: one field, one rank, and there an array for each tile. */
static hx_status check_whole(request *r)
{
    const hx_handle *h = r->call.handle;
    hx_status status = hxi_selected_check_field(&r->call, r->field);
    if (status == HX_OK && (r->root < 0 || r->root >= h->topology.ranks)) {
        return hxi_fail(HX_ERR_ARGUMENT, "%s: there is no rank %d; the handle has %d, numbered from 0.",
                        r->call.caller, r->root, h->topology.ranks);
    }
    status = status == HX_OK ? hxi_selected_check_blocks(&r->call, r->fields, r->field) : status;
    if (status == HX_OK && r->root == h->topology.rank && !r->whole) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s: the arrays given on rank %d are a null pointer; give one for each tile.",
                        r->call.caller, r->root);
    }
    const bool asks = status == HX_OK && r->root == h->topology.rank;
    r->count = asks ? h->spec->tiles : 0;
    return status;
}

static hx_status check_count(const request *r)
{
    const bool null = r->count > 0 && !r->given;
    return r->count >= 0 && r->count <= INT_MAX / WORDS && !null
               ? HX_OK
               : hxi_fail(HX_ERR_ARGUMENT, "%s on rank %d: there are %d selections%s; give 0 to %d of them.",
                          r->call.caller, r->call.handle->topology.rank, r->count,
                          null ? ", and their pointer is null" : "", INT_MAX / WORDS);
}

static hx_status make_tiles(request *r)
{
    const hx_handle *h = r->call.handle;
    const size_t tiles = (size_t)h->spec->tiles;
    r->tiles = h->layout;
    r->tiles.blocks = h->spec->tiles;
    r->tiles.land = 0;
    r->tiles.owners = (hxi_owners){0};
    r->tiles.tile = hxi_memory_get(tiles, sizeof *r->tiles.tile, purpose);
    r->cut = hxi_memory_get(tiles * 2 * HX_MAX_AXES, sizeof *r->cut, purpose);
    if (!r->tiles.tile || !r->cut) {
        return HX_ERR_MEMORY;
    }
    for (int t = 0; t < h->spec->tiles; ++t) {
        hxi_tile *tile = &r->tiles.tile[t];
        *tile = h->layout.tile[t];
        tile->first_block = t;
        for (int a = 0; a < HX_MAX_AXES; ++a) {
            int *cut = &r->cut[2 * (t * HX_MAX_AXES + a)];
            cut[1] = tile->cells[a];
            tile->cuts[a] = cut;
            tile->parts[a] = 1;
        }
    }
    return HX_OK;
}

/* Local: all that needs no other rank. */
static hx_status check(request *r)
{
    const hx_handle *h = r->call.handle;
    const hx_spec *spec = h->spec;
    if (spec->list || !spec->any) {
        return hxi_fail(HX_ERR_ARGUMENT, "%s: %s is %s; fields of boxes are moved.", r->call.caller,
                        spec->file, spec->list ? "a list of points" : "not a spec that halogen emitted");
    }
    hx_status status = r->call.whole ? check_whole(r) : check_count(r);
    status = status == HX_OK ? take_own(r) : status;
    status = status == HX_OK ? make_tiles(r) : status;
    const size_t ranks = (size_t)h->topology.ranks;
    r->told = hxi_memory_get(ranks * TOLD, sizeof *r->told, purpose);
    r->first = hxi_memory_get(ranks * 2, sizeof *r->first, purpose);
    r->moves = hxi_memory_get((size_t)spec->fields, 1, purpose);
    r->item = hxi_memory_get((size_t)spec->fields, sizeof *r->item, purpose);
    return status == HX_OK && !(r->told && r->first && r->moves && r->item) ? HX_ERR_MEMORY : status;
}

/* ---- what all ranks ask for ----------------------------------------------------------------------------- */

/* Of hx_gather: do all ranks mean the same? */
static hx_status compare(const request *r)
{
    int least[TOLD];
    int most[TOLD];
    memcpy(least, r->told, sizeof least);
    memcpy(most, r->told, sizeof most);
    for (int i = 0; i < r->call.handle->topology.ranks; ++i) {
        for (int k = FIELD; k < TOLD; ++k) {
            const int told = r->told[i * TOLD + k];
            least[k] = told < least[k] ? told : least[k];
            most[k] = told > most[k] ? told : most[k];
        }
    }
    return least[FIELD] == most[FIELD] && least[ROOT] == most[ROOT]
               ? HX_OK
               : hxi_fail(
                     HX_ERR_MISMATCH,
                     "%s was called for fields %d to %d and ranks %d to %d; call it for one field and one "
                     "rank on all ranks.",
                     r->call.caller, least[FIELD], most[FIELD], least[ROOT], most[ROOT]);
}

static void write_words(const hxi_selection *s, int words[])
{
    words[0] = s->field;
    words[1] = s->tile;
    memcpy(words + 2, s->first, sizeof s->first);
    memcpy(words + 2 + HX_MAX_AXES, s->n, sizeof s->n);
    memcpy(words + 2 + 2 * HX_MAX_AXES, s->step, sizeof s->step);
}

static void read_words(const int words[], hxi_selection *s)
{
    s->field = words[0];
    s->tile = words[1];
    memcpy(s->first, words + 2, sizeof s->first);
    memcpy(s->n, words + 2 + HX_MAX_AXES, sizeof s->n);
    memcpy(s->step, words + 2 + 2 * HX_MAX_AXES, sizeof s->step);
}

/* Local: room for all selections, and where those of each rank begin, in words. */
static hx_status count_all(request *r, int *counts, int **words)
{
    const int ranks = r->call.handle->topology.ranks;
    int64_t all = 0;
    for (int i = 0; i < ranks; ++i) {
        const int count = r->told[i * TOLD + SELECTIONS];
        counts[i] = count * WORDS;
        r->first[i] = (int)(all < INT_MAX / WORDS ? all * WORDS : 0);
        r->queues += count > 0;
        all += count;
    }
    if (all > INT_MAX / WORDS) {
        return hxi_fail(HX_ERR_LIMIT, "%s: all ranks give %lld selections; there may be %d.", r->call.caller,
                        (long long)all, INT_MAX / WORDS);
    }
    r->alls = (int)all;
    r->all = hxi_memory_get((size_t)all, sizeof *r->all, purpose);
    r->sorted = hxi_memory_get(r->call.scatters ? (size_t)all : 0, sizeof *r->sorted, purpose);
    r->queue = hxi_memory_get((size_t)r->queues, sizeof *r->queue, purpose);
    *words = hxi_memory_get((size_t)all * WORDS, sizeof **words, purpose);
    return r->all && r->sorted && r->queue && *words ? compare(r) : HX_ERR_MEMORY;
}

/* Local: all selections, and one queue for each rank that has some. */
static void take_all(request *r, const int words[])
{
    const hx_handle *h = r->call.handle;
    int number = 0;
    int queues = 0;
    for (int i = 0; i < h->topology.ranks; ++i) {
        const int begin = number;
        int own = -1;
        for (int k = 0; k < r->told[i * TOLD + SELECTIONS]; ++k) {
            hxi_selection *s = &r->all[number];
            read_words(words + (size_t)number++ * WORDS, s);
            s->rank = i;
            do {
                ++own;
            } while (i == h->topology.rank && hxi_selection_is_empty(&r->own[own]));
            s->array = i == h->topology.rank ? &r->array[own] : NULL;
            r->moves[s->field] = 1;
        }
        if (number > begin) {
            r->queue[queues++] = (queue){begin, number, 0};
        }
    }
    r->left = r->queues;
    for (int f = 0; f < h->spec->fields; ++f) {
        if (r->moves[f]) {
            r->item[r->items++] = f;
        }
    }
}

/* Collective: what each rank has selected, but for selections without points. */
static hx_status tell(request *r)
{
    const hx_handle *h = r->call.handle;
    const int ranks = h->topology.ranks;
    int mine[TOLD] = {0, r->field, r->root};
    for (int i = 0; i < r->count; ++i) {
        mine[SELECTIONS] += !hxi_selection_is_empty(&r->own[i]);
    }
    hx_status status = hxi_tell_each(h->topology.comm, mine, TOLD, r->told);
    if (status != HX_OK) {
        return status;
    }
    int *words = NULL;
    int *counts = r->first + ranks;
    status = hxi_topology_agree(h->topology.comm, count_all(r, counts, &words));
    if (status == HX_OK) {
        int *own = words + r->first[h->topology.rank];
        for (int i = 0; i < r->count; ++i) {
            if (!hxi_selection_is_empty(&r->own[i])) {
                write_words(&r->own[i], own);
                own += WORDS;
            }
        }
        status = hxi_tell_lists(h->topology.comm, words, counts, r->first);
    }
    if (status == HX_OK) {
        take_all(r, words);
    }
    hxi_memory_free(words);
    return status;
}

/* Local, when all is known: arrays, points that come from other fields, memory and points that are used twice. */
static hx_status look(request *r)
{
    const hx_handle *h = r->call.handle;
    hx_status status = HX_OK;
    bool on_device = false;
    for (int i = 0; i < r->items && status == HX_OK; ++i) {
        status = hxi_selected_check_blocks(&r->call, r->fields, r->item[i]);
        on_device = on_device || h->spec->field[r->item[i]].on_device;
    }
    if (on_device && status == HX_OK) {
        status = hxi_moving_device_check(h, NULL, r->call.caller);
    }
    for (int i = 0; i < r->count && status == HX_OK; ++i) {
        if (!hxi_selection_is_empty(&r->own[i])) {
            status = hxi_selection_check(h->spec, &r->tiles, &r->own[i], r->moves);
        }
    }
    status =
        status == HX_OK ? hxi_selected_check_memory(&r->call, r->fields, r->own, r->count, r->moves) : status;
    if (status == HX_OK && r->call.scatters && r->alls > 0) {
        memcpy(r->sorted, r->all, (size_t)r->alls * sizeof *r->sorted);
        status = hxi_selected_check_apart(&r->call, r->sorted, r->alls);
    }
    return status;
}

/* ---- rounds --------------------------------------------------------------------------------------------- */

/*
 * How a selection is cut into pieces: `thick` points across one axis, all points along those that lie denser in the
 * memory of the field, and one along the others.
 */
typedef struct slices {
    int place; /* of the axis in the field's order */
    int thick;
    size_t bytes; /* of a piece, at most */
    int64_t pieces;
} slices;

static slices slice(const hx_spec *spec, const hxi_selection *s, size_t most)
{
    const hx_field *f = &spec->field[s->field];
    slices c = {.bytes = (size_t)f->size * (f->components_after > 0 ? (size_t)f->components : 1),
                .pieces = 1};
    while (c.place + 1 < spec->axes && c.bytes * (size_t)s->n[f->order[c.place]] <= most) {
        c.bytes *= (size_t)s->n[f->order[c.place++]];
    }
    const int n = s->n[f->order[c.place]];
    const size_t fit = most / c.bytes;
    c.thick = fit < 1 ? 1 : fit < (size_t)n ? (int)fit : n;
    c.bytes *= (size_t)c.thick;
    for (int place = c.place; place < spec->axes; ++place) {
        const int thick = place == c.place ? c.thick : 1;
        c.pieces *= (s->n[f->order[place]] - 1) / thick + 1;
    }
    return c;
}

static hxi_box piece_of(const hx_spec *spec, const hxi_selection *s, const slices *c, int64_t number)
{
    hxi_box box = {{0}, {0}};
    memcpy(box.hi, s->n, sizeof box.hi);
    for (int place = c->place; place < spec->axes; ++place) {
        const int axis = spec->field[s->field].order[place];
        const int thick = place == c->place ? c->thick : 1;
        const int pieces = (s->n[axis] - 1) / thick + 1;
        box.lo[axis] = (int)(number % pieces) * thick;
        box.hi[axis] = s->n[axis] - box.lo[axis] > thick ? box.lo[axis] + thick : s->n[axis];
        number /= pieces;
    }
    return box;
}

static hx_status add_box(request *r, int selection, const hxi_box *box)
{
    if (r->boxes == r->boxes_room) {
        const int room = 2 * r->boxes_room + 16;
        hxi_selected_box *more =
            hxi_memory_grow(r->box, (size_t)r->boxes, (size_t)room, sizeof *more, purpose);
        if (!more) {
            return HX_ERR_MEMORY;
        }
        r->box = more;
        r->boxes_room = room;
    }
    r->box[r->boxes++] = (hxi_selected_box){selection, *box};
    return HX_OK;
}

/* Of one rank's selections as many pieces as one round has room for, and at least one. */
static hx_status fill_from(request *r, queue *q, size_t most)
{
    const hx_spec *spec = r->call.handle->spec;
    size_t bytes = 0;
    hx_status status = HX_OK;
    while (q->next < q->end && status == HX_OK) {
        const slices c = slice(spec, &r->all[q->next], most);
        if (bytes > 0 && bytes + c.bytes > most) {
            return HX_OK;
        }
        const hxi_box box = piece_of(spec, &r->all[q->next], &c, q->pieces);
        bytes += c.bytes;
        status = add_box(r, q->next, &box);
        if (++q->pieces == c.pieces) {
            q->pieces = 0;
            ++q->next;
        }
    }
    r->left -= q->next == q->end;
    return status;
}

/* Local, and the same on all ranks: what travels in the next round.  Of many ranks the first ones have their turn first. */
static hx_status fill_round(request *r)
{
    int turns = r->queues < HX_GATHER_RANKS ? r->queues : HX_GATHER_RANKS;
    const size_t most = (size_t)HX_GATHER_MOST / (size_t)turns;
    hx_status status = HX_OK;
    r->boxes = 0;
    for (int i = 0; i < r->queues && turns > 0 && status == HX_OK; ++i) {
        if (r->queue[i].next < r->queue[i].end) {
            status = fill_from(r, &r->queue[i], most);
            --turns;
        }
    }
    return status;
}

/* Local. */
static hx_status make_round(const request *r, flight *made)
{
    const hx_handle *h = r->call.handle;
    const hxi_selected selected = {r->call.scatters, r->all, r->box, r->boxes, &r->tiles};
    const hxi_redistribution_side blocks = {&h->layout, &h->mine, r->owner};
    const hxi_redistribution_task task = {.spec = h->spec,
                                          .from = blocks,
                                          .to = blocks,
                                          .field = r->item,
                                          .fields = r->items,
                                          .rank = h->topology.rank,
                                          .selected = &selected};
    return hxi_moving_make(h, &task, &made->moving);
}

static void set_arrays(const request *r, hxi_moving *moving)
{
    const hxi_redistribution *p = &moving->r;
    for (int i = 0; i < p->views * r->items; ++i) {
        const hxi_view *view = &p->view[i / r->items];
        void *array = view->block >= 0 ? hxi_moving_array(r->call.handle->spec, r->fields, view->block,
                                                          r->item[i % r->items])
                                       : r->all[view->selection].array->base;
        moving->base[i] = (void *)((uintptr_t)array + (uintptr_t)view->bytes_on);
    }
}

/* Collective: the next round is under way.  *begun is NULL where no memory has to be kept for it. */
static hx_status begin_round(hx_handle *h, request *r, hx_status met, int number, flight **begun)
{
    flight *f = hxi_memory_get(1, sizeof *f, purpose);
    hxi_first first = {0};
    hxi_first_note(&first, met);
    hxi_first_note(&first, f ? fill_round(r) : HX_ERR_MEMORY);
    if (first.status == HX_OK) {
        hxi_first_note(&first, make_round(r, f));
    }
    hx_status status = hxi_topology_agree(h->topology.comm, hxi_first_tell(&first));
    if (status == HX_OK) {
        f->moving.which = number % 2;
        status = hxi_moving_open(h, &f->moving);
        if (status == HX_OK) {
            set_arrays(r, &f->moving);
            *begun = f;
            return hxi_moving_start(h, &f->moving, r->call.caller);
        }
        hxi_moving_let_go(h, &f->moving);
    }
    if (f) {
        hxi_moving_free(&f->moving);
        hxi_memory_free(f);
    }
    return status;
}

/* Local.  Nothing is known about what MPI still holds of a handle that is broken. */
static hx_status end_round(hx_handle *h, const request *r, flight *f)
{
    const hx_status status =
        h->broken == HX_OK ? hxi_moving_finish(h, &f->moving, r->call.caller) : h->broken;
    if (h->broken != HX_OK) {
        hxi_moving_let_go(h, &f->moving);
        hxi_memory_keep(&f->kept);
    } else {
        hxi_moving_free(&f->moving);
        hxi_memory_free(f);
    }
    return status;
}

/*
 * Collective.  A rank whose deadline passes leaves alone, so no other one may wait for it in a call of MPI: before each
 * round all meet.  Two are under way at a time.
 */
static hx_status move(hx_handle *h, request *r)
{
    hx_status status = hxi_block_owners(h, h, &r->owner);
    flight *before = NULL;
    for (int number = 0; r->left > 0 && status == HX_OK; ++number) {
        bool together = true;
        flight *now = NULL;
        status = number > 0 ? hxi_sets_meet(h, r->call.caller, &together) : HX_OK;
        status = together ? begin_round(h, r, status, number, &now) : status;
        const hx_status ended = before ? end_round(h, r, before) : HX_OK;
        status = status == HX_OK ? ended : status;
        before = now;
    }
    const hx_status ended = before ? end_round(h, r, before) : HX_OK;
    return status == HX_OK ? ended : status;
}

/* ---- the calls ------------------------------------------------------------------------------------------ */

static void release(request *r)
{
    hxi_memory_free(r->own);
    hxi_memory_free(r->array);
    hxi_memory_free(r->told);
    hxi_memory_free(r->first);
    hxi_memory_free(r->all);
    hxi_memory_free(r->sorted);
    hxi_memory_free(r->moves);
    hxi_memory_free(r->item);
    hxi_memory_free(r->tiles.tile);
    hxi_memory_free(r->cut);
    hxi_memory_free(r->queue);
    hxi_memory_free(r->box);
}

static hx_status begin(hx_handle *h, void *what, const char *caller, hx_status met)
{
    request *r = what;
    r->call.handle = h;
    r->call.caller = caller;
    hxi_first first = {0};
    hxi_first_note(&first, met);
    hxi_first_note(&first, check(r));
    hx_status status = hxi_topology_agree(h->topology.comm, hxi_first_tell(&first));
    status = status == HX_OK ? tell(r) : status;
    status = status == HX_OK ? hxi_topology_agree(h->topology.comm, look(r)) : status;
    status = status == HX_OK ? move(h, r) : status;
    release(r);
    return status;
}

hx_status hx_gather(hx_handle *handle, const void *fields, int field, int root, const hx_strided_array *whole)
{
    request r = {.call = {.whole = true}, .fields = fields, .field = field, .root = root, .whole = whole};
    return hxi_sets_call(handle, &r, "gather", begin);
}

hx_status hx_scatter(hx_handle *handle, const void *fields, int field, int root,
                     const hx_strided_array *whole)
{
    request r = {.call = {.whole = true, .scatters = true},
                 .fields = fields,
                 .field = field,
                 .root = root,
                 .whole = whole};
    return hxi_sets_call(handle, &r, "scatter", begin);
}

hx_status hx_gather_selected(hx_handle *handle, const void *fields, const hx_selection *wanted, int count)
{
    request r = {.fields = fields, .field = -1, .root = -1, .given = wanted, .count = count};
    return hxi_sets_call(handle, &r, "gather_selected", begin);
}

hx_status hx_scatter_selected(hx_handle *handle, const void *fields, const hx_selection *given, int count)
{
    request r = {.call = {.scatters = true},
                 .fields = fields,
                 .field = -1,
                 .root = -1,
                 .given = given,
                 .count = count};
    return hxi_sets_call(handle, &r, "scatter_selected", begin);
}
