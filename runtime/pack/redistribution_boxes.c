#include "pack/redistribution_segments.h"

#include "base/memory.h"
#include "base/status.h"
#include "grid/overlap.h"

#include <string.h>

typedef struct finder {
    const hxi_redistribution_task *task;
    hxi_redistribution *r;
    hxi_pieces pieces;
    int item;   /* of the fields that move: the one that is looked at */
    size_t fed; /* points of a block that have a source so far, or stay as only land has them */
} finder;

/* ---- what a block of mine gets -------------------------------------------------------------------------- */

/* Layers of the halo that move with the owned points: below a block, -1, or above, +1. */
static int halo_of(const finder *f, int side, int axis)
{
    const hx_field *field = &f->task->spec->field[f->task->field[f->item]];
    return !f->task->halos || axis >= f->task->spec->axes ? 0
           : side < 0                                     ? field->halo_lo[axis]
                                                          : field->halo_hi[axis];
}

/* The points of a block with its halo. */
static hxi_box with_halo(const finder *f, const hxi_box *points)
{
    hxi_box box = *points;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        box.lo[a] -= halo_of(f, -1, a);
        box.hi[a] += halo_of(f, +1, a);
    }
    return box;
}

/* All points of a tile. */
static hxi_box points_of_tile(const finder *f, int tile)
{
    const hxi_redistribution_task *w = f->task;
    hxi_box all = {{0}, {0}};
    hxi_cut_points(w->spec, w->field[f->item], w->from.layout->tile[tile].cells, all.hi);
    return all;
}

/* The points of a tile in blocks whose halos reach these. */
static hxi_box reaching(const finder *f, int tile, const hxi_box *points)
{
    hxi_box box = *points;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        box.lo[a] -= halo_of(f, +1, a);
        box.hi[a] += halo_of(f, -1, a);
    }
    const hxi_box all = points_of_tile(f, tile);
    return hxi_box_intersect(&box, &all);
}

/* Where a piece goes: a block of the target, and its first cell. */
typedef struct destination {
    int tile;
    int block;
    int mine; /* its number among mine, -1: another rank's */
    int first[HX_MAX_AXES];
} destination;

/* At a fold a component of a vector may come from another one. */
hx_status hxi_redistribution_refuse_source(const hx_spec *spec, int field, int source)
{
    const hx_field *f = &spec->field[field];
    return hxi_fail(HX_ERR_ARGUMENT,
                    "%s:%d: some points of field %s come from field %s, where the grid is folded; move both, "
                    "or none of them.",
                    spec->file, f->line, f->name, spec->field[source].name);
}

/* Of this piece the points that lie in `to`, which is counted in the tile. */
static hx_status add_segment(finder *f, const destination *d, const hxi_piece *piece, const hxi_box *to)
{
    const hxi_redistribution_task *w = f->task;
    const int from = hxi_blocks_find(w->from.mine, piece->source_tile, piece->source_block);
    const int owner = hxi_redistribution_owner(&w->from, piece->source_tile, piece->source_block);
    if (f->r->slot_of[piece->source_field] < 0) {
        return hxi_redistribution_refuse_source(w->spec, w->field[f->item], piece->source_field);
    }
    hxi_segment *s = owner < 0 ? NULL : hxi_segments_add(&f->r->segments);
    if (!s) {
        return owner < 0 ? HX_OK : HX_ERR_MEMORY;
    }
    const hx_field *field = &w->spec->field[w->field[f->item]];
    s->kind = d->mine >= 0 && from >= 0 ? HX_WITHIN : from >= 0 ? HX_SENT : HX_RECEIVED;
    s->item = f->item;
    s->to = d->mine;
    s->from = from < 0 ? -1 : w->to.mine->blocks + from;
    s->link = (hx_link){
        .field = w->field[f->item],
        .incoming = s->kind != HX_SENT,
        .peer = s->kind == HX_SENT ? hxi_redistribution_owner(&w->to, d->tile, d->block) : owner,
        .tile = d->tile,
        .block = d->block,
        .source_tile = piece->source_tile,
        .source_block = piece->source_block,
        .source_field = piece->source_field,
        .sign = piece->sign,
        .components = field->components > 0 ? field->components : 1,
    };
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int axis = piece->axis[a];
        s->link.lo[a] = to->lo[a] - d->first[a];
        s->link.hi[a] = to->hi[a] - d->first[a];
        s->link.axis[a] = axis;
        s->link.turn[a] = piece->turn[a];
        s->link.source_first[a] =
            piece->source_first[a] + piece->turn[a] * (to->lo[axis] - piece->to.lo[axis]);
    }
    s->bytes = hxi_box_volume(to) * hxi_redistribution_point_bytes(field);
    return HX_OK;
}

/*
 * What blocks of the source feed at the same place of the same tile; all of them, or the one of this number.
 * Both ends cut just these points, so that both find the same pieces.
 */
enum { ALL_BLOCKS = -1 };
static hx_status add_kept(finder *f, const destination *d, const hxi_box *points, int block)
{
    const hxi_redistribution_task *w = f->task;
    if (hxi_box_empty(points)) {
        return HX_OK;
    }
    hx_status status = hxi_cut_owned(w->spec, w->from.layout, d->tile, w->field[f->item], points, &f->pieces);
    for (int i = 0; i < f->pieces.count && status == HX_OK; ++i) {
        const hxi_piece *piece = &f->pieces.piece[i];
        const bool other = block != ALL_BLOCKS && piece->source_block != block;
        status = piece->crossed || other ? HX_OK : add_segment(f, d, piece, &piece->to);
        f->fed += piece->crossed ? 0 : hxi_box_volume(&piece->to);
    }
    f->fed += f->pieces.left;
    return status;
}

/* The points of a rewrite, as far as the tile has them. */
static hxi_box rewritten(const finder *f, const hx_rewrite *rewrite)
{
    const hxi_redistribution_task *w = f->task;
    const int *cells = w->from.layout->tile[rewrite->link.tile].cells;
    const hxi_box box = hxi_box_of_rewrite(rewrite, w->spec->axes, cells);
    const hxi_box all = points_of_tile(f, rewrite->link.tile);
    return hxi_box_intersect(&box, &all);
}

/* At a fold: those points of a block of mine that come from others of the grid. */
static hx_status receive_rewritten(finder *f, const destination *d, const hxi_box *held)
{
    const hxi_redistribution_task *w = f->task;
    const int field = w->field[f->item];
    const hx_positions *positions = &w->spec->positions[w->spec->field[field].positions];
    hx_status status = HX_OK;
    for (int k = 0; k < positions->rewrites && status == HX_OK; ++k) {
        const hxi_box all = rewritten(f, &positions->rewrite[k]);
        const hxi_box points = hxi_box_intersect(&all, held);
        if (positions->rewrite[k].link.tile != d->tile || hxi_box_empty(&points)) {
            continue;
        }
        status = hxi_cut_owned(w->spec, w->from.layout, d->tile, field, &points, &f->pieces);
        for (int i = 0; i < f->pieces.count && status == HX_OK; ++i) {
            const hxi_piece *piece = &f->pieces.piece[i];
            status = piece->crossed ? add_segment(f, d, piece, &piece->to) : HX_OK;
            f->fed += piece->crossed ? hxi_box_volume(&piece->to) : 0;
        }
    }
    return status;
}

/* ---- ghost points beyond a tile ------------------------------------------------------------------------- */

/*
 * A point beyond a tile comes from the ghost points of the block that has the nearest point of the tile.  So with its
 * halo a tile is divided as it is without, and each point has one source.
 */

/* From the lowest corner on through all directions {-1, 0, 1}^axes but the middle; false after the last. */
static bool next_side(signed char side[], int axes)
{
    static const signed char middle[HX_MAX_AXES] = {0};
    do {
        int a = axes - 1;
        while (a >= 0 && ++side[a] > 1) {
            side[a--] = -1;
        }
        if (a < 0) {
            return false;
        }
    } while (memcmp(side, middle, sizeof middle) == 0);
    return true;
}

static void first_side(signed char side[], int axes)
{
    memset(side, 0, HX_MAX_AXES);
    memset(side, -1, (size_t)axes);
}

/* Ghost points of a block of the source, and of one of the target, that lie at one place. */
static hx_status add_beyond(finder *f, const destination *d, const int index[], const hxi_box *points)
{
    const hxi_redistribution_task *w = f->task;
    hxi_piece piece = {.to = *points,
                       .source_tile = d->tile,
                       .source_block = hxi_layout_block(w->from.layout, d->tile, index),
                       .source_field = w->field[f->item],
                       .sign = 1};
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        piece.axis[a] = a;
        piece.turn[a] = 1;
        piece.source_first[a] = points->lo[a] - hxi_tile_cut(&w->from.layout->tile[d->tile], a, index[a]);
    }
    f->fed += hxi_box_volume(points);
    return add_segment(f, d, &piece, points);
}

/* Those of a block of mine that lie on one side. */
static hx_status receive_side(finder *f, const destination *d, const signed char side[],
                              const hxi_box *beyond)
{
    const hxi_redistribution_task *w = f->task;
    const int field = w->field[f->item];
    const hxi_box tile = points_of_tile(f, d->tile);
    hxi_box nearest = *beyond;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        if (side[a] != 0) {
            nearest.lo[a] = side[a] < 0 ? 0 : tile.hi[a] - 1;
            nearest.hi[a] = nearest.lo[a] + 1;
        }
    }
    hxi_parts parts = hxi_overlap_parts(w->spec, w->from.layout, d->tile, field, &nearest);
    hx_status status = HX_OK;
    do {
        const hxi_box feeding = hxi_overlap_feeding(w->spec, w->from.layout, d->tile, field, parts.index);
        hxi_box points = *beyond;
        for (int a = 0; a < HX_MAX_AXES; ++a) {
            if (side[a] == 0) {
                points.lo[a] = points.lo[a] > feeding.lo[a] ? points.lo[a] : feeding.lo[a];
                points.hi[a] = points.hi[a] < feeding.hi[a] ? points.hi[a] : feeding.hi[a];
            }
        }
        status = hxi_box_empty(&points) ? HX_OK : add_beyond(f, d, parts.index, &points);
    } while (status == HX_OK && hxi_overlap_next(&parts));
    return status;
}

/* reach: the block with its halo. */
static hx_status receive_beyond(finder *f, const destination *d, const hxi_box *reach)
{
    const hxi_box tile = points_of_tile(f, d->tile);
    const int axes = f->task->spec->axes;
    signed char side[HX_MAX_AXES];
    hx_status status = HX_OK;
    first_side(side, axes);
    do {
        const hxi_box beyond = hxi_box_part(reach, tile.hi, side);
        status = hxi_box_empty(&beyond) ? HX_OK : receive_side(f, d, side, &beyond);
    } while (status == HX_OK && next_side(side, axes));
    return status;
}

/* Each point of a block of mine has one source, or stays as it is: only blocks without an owner have it. */
static hx_status check_fed(const finder *f, const destination *d, size_t points)
{
    if (f->fed == points) {
        return HX_OK;
    }
    const hx_field *field = &f->task->spec->field[f->task->field[f->item]];
    return hxi_fail(
        HX_ERR_INTERNAL,
        "%s:%d: of field %s of block %d of tile %d a redistribution would feed %zu points of %zu.",
        f->task->spec->file, field->line, field->name, d->block, d->tile, f->fed, points);
}

/* All that comes into a block of mine. */
static hx_status find_received(finder *f, int number)
{
    const hxi_redistribution_task *w = f->task;
    const hxi_block *block = &w->to.mine->block[number];
    const int field = w->field[f->item];
    int index[HX_MAX_AXES];
    hxi_layout_index(w->to.layout, block->tile, block->number, index);
    const hxi_box all = hxi_overlap_held(w->spec, w->to.layout, block->tile, field, index);
    const hxi_box reach = with_halo(f, &all);
    const hxi_box tile = points_of_tile(f, block->tile);
    const hxi_box held = hxi_box_intersect(&reach, &tile);
    destination d = {block->tile, block->number, number, {0}};
    memcpy(d.first, all.lo, sizeof d.first);
    hxi_parts parts = hxi_overlap_parts(w->spec, w->from.layout, block->tile, field, &held);
    hx_status status = HX_OK;
    f->fed = 0;
    do {
        const hxi_box feeding = hxi_overlap_feeding(w->spec, w->from.layout, block->tile, field, parts.index);
        const hxi_box points = hxi_box_intersect(&feeding, &held);
        status = add_kept(f, &d, &points, ALL_BLOCKS);
    } while (status == HX_OK && hxi_overlap_next(&parts));
    status = status == HX_OK ? receive_rewritten(f, &d, &held) : status;
    status = status == HX_OK && w->halos ? receive_beyond(f, &d, &reach) : status;
    const size_t beyond = hxi_box_volume(&reach) - hxi_box_volume(&held);
    return status == HX_OK ? check_fed(f, &d, hxi_box_volume(&held) + beyond) : status;
}

/* Does a block of the target belong to another rank, and to which place of the tile? */
static bool is_sent(const finder *f, int tile, const int index[], destination *d, hxi_box *held)
{
    const hxi_redistribution_task *w = f->task;
    const hxi_box all = hxi_overlap_held(w->spec, w->to.layout, tile, w->field[f->item], index);
    const hxi_box reach = with_halo(f, &all);
    const hxi_box points = points_of_tile(f, tile);
    *held = hxi_box_intersect(&reach, &points);
    *d = (destination){tile, hxi_layout_block(w->to.layout, tile, index), -1, {0}};
    memcpy(d->first, all.lo, sizeof d->first);
    const int owner = hxi_redistribution_owner(&w->to, tile, d->block);
    return owner >= 0 && owner != w->rank;
}

/*
 * What a block of mine feeds at the same place of the same tile, of the points that another layout gets from the
 * block at `index`: the same one, or one without an owner that shares faces with it.
 */
static hx_status send_kept(finder *f, const hxi_block *block, const int index[])
{
    const hxi_redistribution_task *w = f->task;
    const int field = w->field[f->item];
    int own[HX_MAX_AXES];
    hxi_layout_index(w->from.layout, block->tile, block->number, own);
    const hxi_box feeding = hxi_overlap_feeding(w->spec, w->from.layout, block->tile, field, index);
    const hxi_box has = hxi_overlap_held(w->spec, w->from.layout, block->tile, field, own);
    const hxi_box both = hxi_box_intersect(&feeding, &has);
    const hxi_box near = reaching(f, block->tile, &both);
    hxi_parts parts = hxi_overlap_parts(w->spec, w->to.layout, block->tile, field, &near);
    hx_status status = HX_OK;
    do {
        destination d;
        hxi_box held;
        if (is_sent(f, block->tile, parts.index, &d, &held)) {
            const hxi_box points = hxi_box_intersect(&feeding, &held);
            status = add_kept(f, &d, &points, block->number);
        }
    } while (status == HX_OK && hxi_overlap_next(&parts));
    return status;
}

/* The ghost points of a block of mine on one side of its tile, if it lies there. */
static bool find_beyond(const finder *f, int tile, const int index[], const signed char side[],
                        hxi_box *beyond)
{
    const hxi_redistribution_task *w = f->task;
    const hxi_box all = points_of_tile(f, tile);
    *beyond = hxi_overlap_feeding(w->spec, w->from.layout, tile, w->field[f->item], index);
    bool lies = true;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int last = w->from.layout->tile[tile].parts[a] - 1;
        if (side[a] != 0) {
            lies = lies && index[a] == (side[a] < 0 ? 0 : last);
            beyond->lo[a] = side[a] < 0 ? -halo_of(f, -1, a) : all.hi[a];
            beyond->hi[a] = side[a] < 0 ? 0 : all.hi[a] + halo_of(f, +1, a);
        }
    }
    return lies && !hxi_box_empty(beyond);
}

static hx_status send_side(finder *f, int tile, const int index[], const hxi_box *beyond)
{
    const hxi_redistribution_task *w = f->task;
    const hxi_box near = reaching(f, tile, beyond);
    hxi_parts parts = hxi_overlap_parts(w->spec, w->to.layout, tile, w->field[f->item], &near);
    hx_status status = HX_OK;
    do {
        destination d;
        hxi_box held;
        if (is_sent(f, tile, parts.index, &d, &held)) {
            const hxi_box all = hxi_overlap_held(w->spec, w->to.layout, tile, w->field[f->item], parts.index);
            const hxi_box reach = with_halo(f, &all);
            const hxi_box points = hxi_box_intersect(beyond, &reach);
            status = hxi_box_empty(&points) ? HX_OK : add_beyond(f, &d, index, &points);
        }
    } while (status == HX_OK && hxi_overlap_next(&parts));
    return status;
}

/* What ghost points of a block of mine feed of those beyond its tile. */
static hx_status send_beyond(finder *f, const hxi_block *block, const int index[])
{
    signed char side[HX_MAX_AXES];
    hx_status status = HX_OK;
    first_side(side, f->task->spec->axes);
    do {
        hxi_box beyond;
        if (find_beyond(f, block->tile, index, side, &beyond)) {
            status = send_side(f, block->tile, index, &beyond);
        }
    } while (status == HX_OK && next_side(side, f->task->spec->axes));
    return status;
}

static hx_status find_sent(finder *f, int number)
{
    const hxi_redistribution_task *w = f->task;
    const hxi_block *block = &w->from.mine->block[number];
    int index[HX_MAX_AXES];
    int above[HX_MAX_AXES];
    hxi_layout_index(w->from.layout, block->tile, block->number, index);
    const hxi_overlap_owner at = {w->spec, w->from.layout, block->tile, w->field[f->item], index};
    hx_status status = send_kept(f, block, index);
    status = status == HX_OK && w->halos ? send_beyond(f, block, index) : status;
    for (unsigned axes = 1; axes < 1U << HX_MAX_AXES && status == HX_OK && w->from.layout->land > 0; ++axes) {
        if (hxi_overlap_land_above(&at, axes, above)) {
            status = send_kept(f, block, above);
        }
    }
    return status;
}

/* Of a piece of rewritten points that a block of mine feeds: what goes to blocks of other ranks. */
static hx_status send_piece(finder *f, int tile, const hxi_piece *piece)
{
    const hxi_redistribution_task *w = f->task;
    const hxi_box near = reaching(f, tile, &piece->to);
    hxi_parts parts = hxi_overlap_parts(w->spec, w->to.layout, tile, w->field[f->item], &near);
    hx_status status = HX_OK;
    do {
        destination d;
        hxi_box held;
        if (is_sent(f, tile, parts.index, &d, &held)) {
            const hxi_box to = hxi_box_intersect(&held, &piece->to);
            status = hxi_box_empty(&to) ? HX_OK : add_segment(f, &d, piece, &to);
        }
    } while (status == HX_OK && hxi_overlap_next(&parts));
    return status;
}

/* At a fold: what blocks of mine feed of the points that are rewritten.  These are a row of the grid at most. */
static hx_status find_rewritten(finder *f)
{
    const hxi_redistribution_task *w = f->task;
    const int field = w->field[f->item];
    const hx_positions *positions = &w->spec->positions[w->spec->field[field].positions];
    hx_status status = HX_OK;
    for (int k = 0; k < positions->rewrites && status == HX_OK; ++k) {
        const int tile = positions->rewrite[k].link.tile;
        const hxi_box all = rewritten(f, &positions->rewrite[k]);
        status = hxi_cut_owned(w->spec, w->from.layout, tile, field, &all, &f->pieces);
        for (int i = 0; i < f->pieces.count && status == HX_OK; ++i) {
            const hxi_piece *piece = &f->pieces.piece[i];
            if (piece->crossed &&
                hxi_blocks_find(w->from.mine, piece->source_tile, piece->source_block) >= 0) {
                status = send_piece(f, tile, piece);
            }
        }
    }
    return status;
}

hx_status hxi_redistribution_find_boxes(const hxi_redistribution_task *task, hxi_redistribution *r)
{
    finder f = {.task = task, .r = r};
    hx_status status = HX_OK;
    for (f.item = 0; f.item < task->fields && status == HX_OK; ++f.item) {
        for (int b = 0; b < task->to.mine->blocks && status == HX_OK; ++b) {
            status = find_received(&f, b);
        }
        for (int b = 0; b < task->from.mine->blocks && status == HX_OK; ++b) {
            status = find_sent(&f, b);
        }
        status = status == HX_OK ? find_rewritten(&f) : status;
    }
    hxi_memory_free(f.pieces.piece);
    return status;
}
