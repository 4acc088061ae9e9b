/*
 * Fields in arrays of whole tiles on one rank, and back: a redistribution to blocks that are tiles, in pieces, so
 * that the rank needs little memory beside the arrays.
 */
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "exchange/alloc.h"
#include "exchange/exchange.h"
#include "exchange/moving.h"
#include "exchange/moving_arrays.h"
#include "exchange/redistribute.h"

#include <string.h>

/* Bytes of a field that travel at once. */
#ifndef HX_GATHER_MOST
#define HX_GATHER_MOST (32 << 20)
#endif

static const char purpose[] = "a gather or a scatter";

/* The grid as blocks that are whole tiles, all of one rank. */
typedef struct whole_tiles {
    hxi_layout layout;
    hxi_block_list blocks; /* of the root; else none */
    int *owner;
    int *cut;
} whole_tiles;

typedef struct request {
    bool scatters;
    const void *fields;
    int field;
    int root;
    const hx_strided_array *whole;
    whole_tiles tiles;
    bool under_way; /* a piece has travelled */
} request;

/* A redistribution of some points; it may have to outlive the call. */
typedef struct piece {
    hxi_kept kept;
    hxi_moving moving;
} piece;

/* Along an axis with one point callers give any stride. */
static ptrdiff_t stride_of(const hx_handle *h, const request *r, int tile, int axis)
{
    int points[HX_MAX_AXES];
    hxi_cut_points(h->spec, r->field, h->layout.tile[tile].cells, points);
    return points[axis] > 1 ? r->whole[tile].stride[axis] : 0;
}

/* ---- may it be done? ------------------------------------------------------------------------------------ */

static hx_status check_whole(const hx_handle *h, const request *r, int tile, const char *caller)
{
    const hx_field *f = &h->spec->field[r->field];
    const hx_strided_array *w = &r->whole[tile];
    const size_t bytes = (size_t)(f->size / hxi_block_elements(f));
    const int components = f->components > 0 ? f->components : 1;
    if (!w->base || w->bytes != bytes || (uintptr_t)w->base % (uintptr_t)f->alignment != 0) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s: the array of tile %d on rank %d begins at %p and has elements of %zu bytes; field "
            "%s needs an address that is a multiple of %d, and elements of %zu bytes.",
            caller, tile, h->topology.rank, w->base, w->bytes, f->name, f->alignment, bytes);
    }
    if (w->components != components ||
        (components > 1 && (f->place > 0 ? w->component_stride % (ptrdiff_t)bytes != 0
                                         : w->component_stride != (ptrdiff_t)bytes))) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s: the array of tile %d has %td component%s, %td bytes apart; field %s has %d%s.",
                        caller, tile, w->components, hxi_s(w->components), w->component_stride, f->name,
                        components, f->place > 0 ? "" : ", side by side");
    }
    for (int a = 0; a < h->spec->axes; ++a) {
        int points[HX_MAX_AXES];
        hxi_cut_points(h->spec, r->field, h->layout.tile[tile].cells, points);
        const ptrdiff_t stride = stride_of(h, r, tile, a);
        if (w->extent[a] < points[a] || stride % f->size != 0 || (stride == 0 && points[a] > 1)) {
            return hxi_fail(
                HX_ERR_ARGUMENT,
                "%s: along axis %s the array of tile %d has %td point%s, %td bytes apart; field %s "
                "has %d there, of %d bytes, and steps are a multiple of that.",
                caller, h->spec->axis[a], tile, w->extent[a], hxi_s(w->extent[a]), w->stride[a], f->name,
                points[a], f->size);
        }
    }
    return HX_OK;
}

static hx_status check_blocks(const hx_handle *h, const request *r, const char *caller)
{
    const hx_field *f = &h->spec->field[r->field];
    for (int b = 0; b < h->mine.blocks; ++b) {
        const void *array = r->fields ? hxi_moving_array(h->spec, r->fields, b, r->field) : NULL;
        if (!array || (uintptr_t)array % (uintptr_t)f->alignment != 0) {
            return hxi_fail(
                HX_ERR_ARGUMENT,
                "%s on rank %d: the array of field %s of block %d is %p; give an address that is a "
                "multiple of %d.",
                caller, h->topology.rank, f->name, b, array, f->alignment);
        }
        const hx_exchange *user =
            hxi_exchange_using(h, array, hxi_block_bytes(h->spec, &h->mine.block[b], r->field));
        if (user) {
            return hxi_fail(
                HX_ERR_STATE,
                "%s:%d: exchange \"%s\" is under way on rank %d and uses field %s; finish it before "
                "%s.",
                h->spec->file, user->line, user->name, h->topology.rank, f->name, caller);
        }
    }
    return HX_OK;
}

static hx_status check(const hx_handle *h, const request *r, const char *caller)
{
    const hx_spec *spec = h->spec;
    if (spec->list || !spec->any) {
        return hxi_fail(HX_ERR_ARGUMENT, "%s: %s is %s; fields of boxes are moved.", caller, spec->file,
                        spec->list ? "a list of points" : "not a spec that halogen emitted");
    }
    if (r->field < 0 || r->field >= spec->fields || spec->field[r->field].on_device) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "%s: field %d is none of the %d of %s that lie in memory of the host, numbered from 0.", caller,
            r->field, spec->fields, spec->file);
    }
    if (r->root < 0 || r->root >= h->topology.ranks) {
        return hxi_fail(HX_ERR_ARGUMENT, "%s: there is no rank %d; the handle has %d, numbered from 0.",
                        caller, r->root, h->topology.ranks);
    }
    hx_status status = check_blocks(h, r, caller);
    if (status == HX_OK && r->root == h->topology.rank && !r->whole) {
        status = hxi_fail(HX_ERR_ARGUMENT,
                          "%s: the arrays given on rank %d are a null pointer; give one for each tile.",
                          caller, r->root);
    }
    for (int t = 0; t < spec->tiles && status == HX_OK && r->root == h->topology.rank; ++t) {
        status = check_whole(h, r, t, caller);
    }
    return status;
}

/* Collective: do all ranks mean the same? */
static hx_status compare(const hx_handle *h, const request *r, const char *caller)
{
    const int64_t mine[] = {r->field, -(int64_t)r->field, r->root, -(int64_t)r->root};
    int64_t most[4] = {0};
    const hx_status status = hxi_topology_most(&h->topology, mine, most, 4);
    if (status == HX_OK && (most[0] != -most[1] || most[2] != -most[3])) {
        return hxi_fail(HX_ERR_MISMATCH,
                        "%s was called for fields %d to %d and ranks %d to %d; call it for one field and one "
                        "rank on all ranks.",
                        caller, (int)-most[1], (int)most[0], (int)-most[3], (int)most[2]);
    }
    return status;
}

/* ---- tiles as blocks ------------------------------------------------------------------------------------ */

static void set_block(const hx_handle *h, request *r, int tile)
{
    const hx_field *f = &h->spec->field[r->field];
    const hx_strided_array *w = &r->whole[tile];
    hxi_block *block = &r->tiles.blocks.block[tile];
    block->tile = tile;
    memcpy(block->cells, h->layout.tile[tile].cells, sizeof block->cells);
    for (int a = 0; a < h->spec->axes; ++a) {
        block->stride[r->field * HX_MAX_AXES + a] = stride_of(h, r, tile, a) / f->size;
    }
    block->apart[r->field] = f->place > 0 && w->components > 1 ? w->component_stride / f->size : 0;
}

static hx_status make_tiles(const hx_handle *h, request *r)
{
    const size_t tiles = (size_t)h->spec->tiles;
    const size_t fields = (size_t)h->spec->fields;
    whole_tiles *w = &r->tiles;
    w->layout = h->layout;
    w->layout.blocks = h->spec->tiles;
    w->layout.land = 0;
    w->layout.is_land = NULL;
    w->layout.tile = hxi_memory_get(tiles, sizeof *w->layout.tile, purpose);
    w->cut = hxi_memory_get(tiles * 2 * HX_MAX_AXES, sizeof *w->cut, purpose);
    w->owner = hxi_memory_get(tiles, sizeof *w->owner, purpose);
    w->blocks.block = hxi_memory_get(tiles, sizeof *w->blocks.block, purpose);
    w->blocks.sorted = hxi_memory_get(tiles, sizeof *w->blocks.sorted, purpose);
    w->blocks.stride = hxi_memory_get(tiles * fields * HX_MAX_AXES, sizeof *w->blocks.stride, purpose);
    w->blocks.apart = hxi_memory_get(tiles * fields, sizeof *w->blocks.apart, purpose);
    if (!w->layout.tile || !w->cut || !w->owner || !w->blocks.block || !w->blocks.sorted ||
        !w->blocks.stride || !w->blocks.apart) {
        return HX_ERR_MEMORY;
    }
    for (int t = 0; t < h->spec->tiles; ++t) {
        hxi_tile *tile = &w->layout.tile[t];
        *tile = h->layout.tile[t];
        tile->first_block = t;
        for (int a = 0; a < HX_MAX_AXES; ++a) {
            int *cut = &w->cut[2 * (t * HX_MAX_AXES + a)];
            cut[1] = tile->cells[a];
            tile->cuts[a] = cut;
            tile->parts[a] = 1;
        }
        w->owner[t] = r->root;
        w->blocks.sorted[t] = t;
        w->blocks.block[t].stride = w->blocks.stride + (size_t)t * fields * HX_MAX_AXES;
        w->blocks.block[t].apart = w->blocks.apart + (size_t)t * fields;
        if (h->topology.rank == r->root) {
            set_block(h, r, t);
        }
    }
    w->blocks.blocks = h->topology.rank == r->root ? h->spec->tiles : 0;
    return HX_OK;
}

static void free_tiles(whole_tiles *w)
{
    hxi_memory_free(w->layout.tile);
    hxi_memory_free(w->cut);
    hxi_memory_free(w->owner);
    hxi_blocks_free(&w->blocks);
}

/* Where the array of a block would begin that had the field's halo around the tile: kernels look behind that. */
static void *begin_of(const hx_handle *h, const request *r, int tile)
{
    const hx_field *f = &h->spec->field[r->field];
    uintptr_t at = (uintptr_t)r->whole[tile].base;
    for (int a = 0; a < h->spec->axes && !f->behind; ++a) {
        at -= (uintptr_t)(f->halo_lo[a] * stride_of(h, r, tile, a));
    }
    return (void *)at;
}

/* ---- moving --------------------------------------------------------------------------------------------- */

static void set_arrays(const hx_handle *h, const request *r, hxi_moving *moving)
{
    const int tiles = r->tiles.blocks.blocks;
    const int mine = h->mine.blocks;
    for (int b = 0; b < tiles; ++b) {
        moving->base[r->scatters ? mine + b : b] = begin_of(h, r, b);
    }
    for (int b = 0; b < mine; ++b) {
        moving->base[r->scatters ? b : tiles + b] = hxi_moving_array(h->spec, r->fields, b, r->field);
    }
}

/*
 * Collective.  A rank whose deadline passes in a piece leaves alone, so no other one may wait for it in a call of
 * MPI: between pieces all meet.
 */
static hx_status move_box(hx_handle *h, request *r, const hxi_redistribution_task *task, const char *caller)
{
    bool together = true;
    const hx_status met = r->under_way ? hxi_sets_meet(h, caller, &together) : HX_OK;
    if (!together) {
        return met;
    }
    r->under_way = true;
    piece *p = hxi_memory_get(1, sizeof *p, purpose);
    hxi_first first = {0};
    hxi_first_note(&first, met);
    hxi_first_note(&first, p ? hxi_moving_make(h, task, &p->moving) : HX_ERR_MEMORY);
    hx_status status = hxi_topology_agree(h->topology.comm, hxi_first_tell(&first));
    if (status == HX_OK) {
        status = hxi_moving_open(h, &p->moving);
        set_arrays(h, r, &p->moving);
        status = status == HX_OK ? hxi_moving_run(h, &p->moving, caller) : status;
        hxi_moving_let_go(h, &p->moving);
    }
    if (p && h->broken != HX_OK) {
        hxi_memory_keep(&p->kept);
    } else if (p) {
        hxi_moving_free(&p->moving);
        hxi_memory_free(p);
    }
    return status;
}

/* Cuts a box across the axis that is the slowest in memory, until its points are few enough. */
static hx_status move_pieces(hx_handle *h, request *r, hxi_redistribution_task *task, hxi_box box,
                             const char *caller)
{
    const hx_field *f = &h->spec->field[r->field];
    const size_t bytes = (size_t)f->size * (size_t)(f->place > 0 ? f->components : 1);
    int axis = h->spec->axes - 1;
    while (axis > 0 && box.hi[f->order[axis]] - box.lo[f->order[axis]] == 1) {
        --axis;
    }
    const int across = f->order[axis];
    const int points = box.hi[across] - box.lo[across];
    if (hxi_box_volume(&box) * bytes <= HX_GATHER_MOST || points == 1) {
        task->only = &box;
        return move_box(h, r, task, caller);
    }
    hxi_box low = box;
    hxi_box high = box;
    low.hi[across] = high.lo[across] = box.lo[across] + points / 2;
    const hx_status status = move_pieces(h, r, task, low, caller);
    return status == HX_OK ? move_pieces(h, r, task, high, caller) : status;
}

static hx_status move(hx_handle *h, request *r, const char *caller)
{
    const int *owner = NULL;
    hx_status status = hxi_redistribute_owners(h, h, &owner);
    const hxi_redistribution_side blocks = {&h->layout, &h->mine, owner};
    const hxi_redistribution_side tiles = {&r->tiles.layout, &r->tiles.blocks, r->tiles.owner};
    hxi_redistribution_task task = {.spec = h->spec,
                                    .from = r->scatters ? tiles : blocks,
                                    .to = r->scatters ? blocks : tiles,
                                    .field = &r->field,
                                    .fields = 1,
                                    .rank = h->topology.rank,
                                    .any_strides = true};
    for (int t = 0; t < h->spec->tiles && status == HX_OK; ++t) {
        hxi_box box = {{0}, {0}};
        hxi_cut_points(h->spec, r->field, h->layout.tile[t].cells, box.hi);
        task.only_tile = t;
        status = move_pieces(h, r, &task, box, caller);
    }
    return status;
}

static hx_status begin(hx_handle *h, void *what, const char *caller, hx_status met)
{
    request *r = what;
    hxi_first first = {0};
    hxi_first_note(&first, met);
    hxi_first_note(&first, check(h, r, caller));
    hxi_first_note(&first, compare(h, r, caller));
    if (first.status == HX_OK) {
        hxi_first_note(&first, make_tiles(h, r));
    }
    const hx_status status = hxi_topology_agree(h->topology.comm, hxi_first_tell(&first));
    const hx_status moved = status == HX_OK ? move(h, r, caller) : status;
    free_tiles(&r->tiles);
    return moved;
}

hx_status hx_gather(hx_handle *handle, const void *fields, int field, int root, const hx_strided_array *whole)
{
    request r = {.fields = fields, .field = field, .root = root, .whole = whole};
    return hxi_sets_call(handle, &r, "gather", begin);
}

hx_status hx_scatter(hx_handle *handle, const void *fields, int field, int root,
                     const hx_strided_array *whole)
{
    request r = {.scatters = true, .fields = fields, .field = field, .root = root, .whole = whole};
    return hxi_sets_call(handle, &r, "scatter", begin);
}
