#include "pack/selection.h"

#include "base/memory.h"
#include "base/status.h"
#include "grid/overlap.h"
#include "pack/redistribution.h"

#include <string.h>

static const char purpose[] = "a gather or a scatter";

enum { ALL_BLOCKS = -1 };

typedef struct finder {
    const hxi_redistribution_task *task;
    const hxi_selected *what;
    const hxi_redistribution_side *blocks; /* the other side */
    hxi_redistribution *r;
    int views_room;
    hxi_pieces pieces;
    int number; /* of the box that is looked at, ... */
    const hxi_selection *s;
    hxi_box points; /* ... its points in the selection, ... */
    hxi_box grid;   /* ... and the box of the tile from its first to its last one */
    int own;        /* the view of its array; -1: another rank's */
    int only;       /* the block that feeds; ALL_BLOCKS */
    size_t fed;     /* points that have a source so far, or stay as only land has them */
} finder;

/* ---- arrays that take part ----------------------------------------------------------------------------- */

static hxi_view *add_view(finder *f)
{
    hxi_redistribution *r = f->r;
    if (r->views == f->views_room) {
        const int room = 2 * f->views_room + 16;
        hxi_view *more = hxi_memory_grow(r->view, (size_t)r->views, (size_t)room, sizeof *more, purpose);
        if (!more) {
            return NULL;
        }
        r->view = more;
        f->views_room = room;
    }
    hxi_view *fresh = &r->view[r->views++];
    *fresh = (hxi_view){.block = -1, .selection = -1};
    return fresh;
}

/* Those of this rank's blocks come first, in their order. */
static hx_status add_blocks(finder *f)
{
    for (int b = 0; b < f->blocks->mine->blocks; ++b) {
        hxi_view *view = add_view(f);
        if (!view) {
            return HX_ERR_MEMORY;
        }
        view->block = b;
    }
    return HX_OK;
}

/* Of a field in memory where the halo is behind the owned points, or where there is none, indices begin at its pointer. */
static ptrdiff_t halo_below(const hx_field *field, int axis)
{
    return field->behind ? 0 : field->halo_lo[axis];
}

/* The array of the selection, which begins where it would if it had the field's halo around it: kernels look behind that. */
static hx_status add_selection(finder *f)
{
    const hxi_selection *s = f->s;
    const hx_spec *spec = f->task->spec;
    const hx_field *field = &spec->field[s->field];
    hxi_view *view = add_view(f);
    if (!view) {
        return HX_ERR_MEMORY;
    }
    f->own = f->r->views - 1;
    view->selection = f->what->box[f->number].selection;
    view->field = s->field;
    view->apart =
        field->components_after > 0 && field->components > 1 ? s->array->component_stride / field->size : 0;
    for (int a = 0; a < spec->axes; ++a) {
        view->stride[a] = s->n[a] > 1 ? s->array->stride[a] / field->size : 0;
        view->bytes_on -= halo_below(field, a) * view->stride[a] * field->size;
    }
    return HX_OK;
}

/* Points of a block as if nothing lay between them, such that `first` is where it is in the block's own array. */
static hx_status add_steps(finder *f, int block, int number_of_field, const int first[], const int step[],
                           int *number)
{
    const hx_spec *spec = f->task->spec;
    const hx_field *field = &spec->field[number_of_field];
    const hxi_block *b = &f->blocks->mine->block[block];
    bool apart = false;
    for (int a = 0; a < spec->axes; ++a) {
        apart = apart || step[a] != 1;
    }
    *number = block;
    if (!apart) {
        return HX_OK;
    }
    hxi_view *view = add_view(f);
    if (!view) {
        return HX_ERR_MEMORY;
    }
    *number = f->r->views - 1;
    view->block = block;
    view->field = number_of_field;
    view->apart = b->apart[number_of_field];
    for (int a = 0; a < spec->axes; ++a) {
        const ptrdiff_t stride = b->stride[(size_t)number_of_field * HX_MAX_AXES + (size_t)a];
        view->stride[a] = stride * step[a];
        view->bytes_on += (first[a] + halo_below(field, a)) * (stride - view->stride[a]) * field->size;
    }
    return HX_OK;
}

/* What operations know of these arrays. */
static hx_status join_views(finder *f)
{
    hxi_redistribution *r = f->r;
    const size_t fields = (size_t)f->task->spec->fields;
    const size_t mine = (size_t)f->blocks->mine->blocks;
    const size_t others = (size_t)r->views - mine;
    r->blocks.block = hxi_memory_get((size_t)r->views, sizeof *r->blocks.block, purpose);
    r->blocks.stride = hxi_memory_get(others * fields * HX_MAX_AXES, sizeof *r->blocks.stride, purpose);
    r->blocks.apart = hxi_memory_get(others * fields, sizeof *r->blocks.apart, purpose);
    if (!r->blocks.block || !r->blocks.stride || !r->blocks.apart) {
        return HX_ERR_MEMORY;
    }
    r->blocks.blocks = r->views;
    for (int i = 0; i < r->views; ++i) {
        const hxi_view *view = &r->view[i];
        hxi_block *block = &r->blocks.block[i];
        if (view->block >= 0) {
            *block = f->blocks->mine->block[view->block];
        } else {
            memcpy(block->cells, f->what->selection[view->selection].n, sizeof block->cells);
            block->on_host = true;
        }
        if ((size_t)i >= mine) {
            block->stride = r->blocks.stride + ((size_t)i - mine) * fields * HX_MAX_AXES;
            block->apart = r->blocks.apart + ((size_t)i - mine) * fields;
            memcpy(block->stride + (size_t)view->field * HX_MAX_AXES, view->stride, sizeof view->stride);
            block->apart[view->field] = view->apart;
        }
    }
    return HX_OK;
}

/* ---- segments ------------------------------------------------------------------------------------------ */

/* Steps until a place, which may lie between two of them. */
static int steps_to(int place, int step)
{
    return place > 0 ? (place - 1) / step + 1 : 0;
}

/* Of a box of the tile the points that are selected and move now, as the selection counts them. */
static hxi_box chosen(const finder *f, const hxi_box *box)
{
    const hxi_box inside = hxi_box_intersect(box, &f->grid);
    hxi_box points = {{0}, {0}};
    for (int a = 0; a < HX_MAX_AXES && !hxi_box_empty(&inside); ++a) {
        points.lo[a] = steps_to(inside.lo[a] - f->s->first[a], f->s->step[a]);
        points.hi[a] = steps_to(inside.hi[a] - f->s->first[a], f->s->step[a]);
    }
    return hxi_box_intersect(&points, &f->points);
}

/* A new segment of a piece; ends that are not on this rank: -1. */
typedef struct ends {
    int to;
    int from;
    int peer_to; /* the ranks that have them */
    int peer_from;
} ends;

static hx_status add_end(finder *f, const hxi_piece *piece, const ends *e, const hx_link *link)
{
    hxi_segment *s = hxi_segments_add(&f->r->segments);
    if (!s) {
        return HX_ERR_MEMORY;
    }
    const hx_field *field = &f->task->spec->field[link->field];
    s->kind = e->to >= 0 && e->from >= 0 ? HX_WITHIN : e->from >= 0 ? HX_SENT : HX_RECEIVED;
    s->item = f->r->slot_of[link->field];
    s->to = e->to;
    s->from = e->from;
    s->link = *link;
    s->link.incoming = s->kind != HX_SENT;
    s->link.peer = s->kind == HX_SENT ? e->peer_to : e->peer_from;
    s->link.sign = piece->sign;
    s->link.components = field->components > 0 ? field->components : 1;
    s->bytes = (size_t)field->size * (field->components_after > 0 ? (size_t)field->components : 1);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        s->link.axis[a] = piece->axis[a];
        s->link.turn[a] = piece->turn[a];
        s->bytes *= (size_t)(link->hi[a] - link->lo[a]);
    }
    return HX_OK;
}

/* Between a device and an array of the host nothing is copied at once: what stays on the rank is a message to itself. */
static hx_status add_segment(finder *f, const hxi_piece *piece, const ends *e, const hx_link *link)
{
    if (e->to < 0 || e->from < 0 || !f->task->spec->field[link->field].on_device) {
        return add_end(f, piece, e, link);
    }
    const ends sent = {-1, e->from, e->peer_to, e->peer_from};
    const ends received = {e->to, -1, e->peer_to, e->peer_from};
    const hx_status status = add_end(f, piece, &sent, link);
    return status == HX_OK ? add_end(f, piece, &received, link) : status;
}

/* Selected points that a piece has, from its block, if one of the two is here. */
static hx_status gather_piece(finder *f, const hxi_piece *piece)
{
    const hxi_selection *s = f->s;
    const hxi_box points = chosen(f, &piece->to);
    const int owner = hxi_redistribution_owner(f->blocks, piece->source_tile, piece->source_block);
    const int block = hxi_blocks_find(f->blocks->mine, piece->source_tile, piece->source_block);
    f->fed += hxi_box_volume(&points);
    if (hxi_box_empty(&points) || owner < 0 || (block < 0 && f->own < 0)) {
        return HX_OK;
    }
    ends e = {f->own, block, s->rank, owner};
    hx_link link = {.field = s->field,
                    .tile = s->tile,
                    .block = f->number,
                    .source_tile = piece->source_tile,
                    .source_block = piece->source_block,
                    .source_field = piece->source_field};
    int step[HX_MAX_AXES];
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int axis = piece->axis[a];
        const int first = s->first[axis] + points.lo[axis] * s->step[axis];
        link.lo[a] = points.lo[a];
        link.hi[a] = points.hi[a];
        link.source_first[a] = piece->source_first[a] + piece->turn[a] * (first - piece->to.lo[axis]);
        step[a] = s->step[axis];
    }
    const hx_status status =
        block >= 0 ? add_steps(f, block, piece->source_field, link.source_first, step, &e.from) : HX_OK;
    return status == HX_OK ? add_segment(f, piece, &e, &link) : status;
}

/* A block that points go to, and its first one in the tile. */
typedef struct destination {
    int field;
    int tile;
    int block;
    int mine; /* its number among mine, -1: another rank's */
    const int *first;
} destination;

/* Along one axis of the source, what feeds points from `low` to `high` of the tile. */
static void source_of(const hxi_piece *piece, const hxi_box *to, int axis, hxi_box *source)
{
    const int there = piece->axis[axis];
    const int turn = piece->turn[axis];
    const int first = piece->source_first[axis] + turn * (to->lo[there] - piece->to.lo[there]);
    const int last = piece->source_first[axis] + turn * (to->hi[there] - 1 - piece->to.lo[there]);
    source->lo[axis] = first < last ? first : last;
    source->hi[axis] = (first < last ? last : first) + 1;
}

/* Points `to` of a piece, whose source is a tile, to a block, as far as they are selected there. */
static hx_status scatter_piece(finder *f, const destination *d, const hxi_piece *piece, const hxi_box *to)
{
    const hxi_selection *s = f->s;
    const int owner = hxi_redistribution_owner(f->blocks, d->tile, d->block);
    hxi_box source;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        source_of(piece, to, a, &source);
    }
    const hxi_box points = chosen(f, &source);
    if (hxi_box_empty(&points) || owner < 0 || (d->mine < 0 && f->own < 0)) {
        return HX_OK;
    }
    ends e = {d->mine, f->own, owner, s->rank};
    hx_link link = {.field = d->field,
                    .tile = d->tile,
                    .block = d->block,
                    .source_tile = s->tile,
                    .source_block = f->number,
                    .source_field = s->field};
    int step[HX_MAX_AXES];
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int there = piece->axis[a];
        const int turn = piece->turn[a];
        link.source_first[a] = turn > 0 ? points.lo[a] : points.hi[a] - 1;
        const int first = s->first[a] + link.source_first[a] * s->step[a];
        link.lo[there] = piece->to.lo[there] + turn * (first - piece->source_first[a]) - d->first[there];
        link.hi[there] = link.lo[there] + points.hi[a] - points.lo[a];
        step[there] = s->step[a];
    }
    const hx_status status = d->mine >= 0 ? add_steps(f, d->mine, d->field, link.lo, step, &e.to) : HX_OK;
    return status == HX_OK ? add_segment(f, piece, &e, &link) : status;
}

/* ---- from blocks --------------------------------------------------------------------------------------- */

/* What a block feeds at the same place, of those points that other layouts get from the block at `index`. */
static hx_status gather_from(finder *f, const int index[])
{
    const hx_spec *spec = f->task->spec;
    const hxi_layout *layout = f->blocks->layout;
    const hxi_box feeding = hxi_overlap_feeding(spec, layout, f->s->tile, f->s->field, index);
    const hxi_box points = hxi_box_intersect(&feeding, &f->grid);
    if (hxi_box_empty(&points)) {
        return HX_OK;
    }
    hx_status status = hxi_cut_owned(spec, layout, f->s->tile, f->s->field, &points, &f->pieces);
    for (int i = 0; i < f->pieces.count && status == HX_OK; ++i) {
        const hxi_piece *piece = &f->pieces.piece[i];
        const bool other = f->only != ALL_BLOCKS && piece->source_block != f->only;
        status = piece->crossed || other ? HX_OK : gather_piece(f, piece);
    }
    f->fed += f->pieces.left;
    return status;
}

/* From a block of mine to another rank; also what it feeds in place of blocks without an owner. */
static hx_status gather_from_mine(finder *f, const hxi_block *block)
{
    const hxi_layout *layout = f->blocks->layout;
    int index[HX_MAX_AXES];
    int above[HX_MAX_AXES];
    hxi_layout_index(layout, block->tile, block->number, index);
    const hxi_overlap_owner at = {f->task->spec, layout, block->tile, f->s->field, index};
    f->only = block->number;
    hx_status status = gather_from(f, index);
    for (unsigned axes = 1; axes < 1U << HX_MAX_AXES && status == HX_OK && layout->land > 0; ++axes) {
        if (hxi_overlap_land_above(&at, axes, above)) {
            status = gather_from(f, above);
        }
    }
    f->only = ALL_BLOCKS;
    return status;
}

/* The points of a rewrite, as far as the tile has them. */
static hxi_box rewritten(const hx_spec *spec, const hxi_layout *layout, int field, const hx_rewrite *rewrite)
{
    const int *cells = layout->tile[rewrite->link.tile].cells;
    const hxi_box box = hxi_box_of_rewrite(rewrite, spec->axes, cells);
    hxi_box all = {{0}, {0}};
    hxi_cut_points(spec, field, cells, all.hi);
    return hxi_box_intersect(&box, &all);
}

/* At a fold: those points of the selection that come from others of the grid. */
static hx_status gather_rewritten(finder *f)
{
    const hx_spec *spec = f->task->spec;
    const hxi_layout *layout = f->blocks->layout;
    const hx_positions *positions = &spec->positions[spec->field[f->s->field].positions];
    hx_status status = HX_OK;
    for (int k = 0; k < positions->rewrites && status == HX_OK; ++k) {
        const hxi_box all = rewritten(spec, layout, f->s->field, &positions->rewrite[k]);
        const hxi_box points = hxi_box_intersect(&all, &f->grid);
        if (positions->rewrite[k].link.tile != f->s->tile || hxi_box_empty(&points)) {
            continue;
        }
        status = hxi_cut_owned(spec, layout, f->s->tile, f->s->field, &points, &f->pieces);
        for (int i = 0; i < f->pieces.count && status == HX_OK; ++i) {
            status = f->pieces.piece[i].crossed ? gather_piece(f, &f->pieces.piece[i]) : HX_OK;
        }
    }
    return status;
}

/* Each point has one source, or stays as it is.  Where points are some steps apart, those of land are not counted. */
static hx_status check_fed(const finder *f)
{
    const hx_field *field = &f->task->spec->field[f->s->field];
    const size_t points = hxi_box_volume(&f->points);
    const bool apart = hxi_box_volume(&f->grid) > points;
    if (f->fed == points || (apart && f->blocks->layout->land > 0)) {
        return HX_OK;
    }
    return hxi_fail(HX_ERR_INTERNAL, "%s:%d: of field %s a gather would feed %zu points of %zu.",
                    f->task->spec->file, field->line, field->name, f->fed, points);
}

static hx_status gather_box(finder *f)
{
    const hxi_redistribution_task *w = f->task;
    hx_status status = HX_OK;
    f->fed = 0;
    if (f->own >= 0) {
        hxi_parts parts = hxi_overlap_parts(w->spec, f->blocks->layout, f->s->tile, f->s->field, &f->grid);
        do {
            status = gather_from(f, parts.index);
        } while (status == HX_OK && hxi_overlap_next(&parts));
    }
    for (int b = 0; b < f->blocks->mine->blocks && status == HX_OK && f->own < 0; ++b) {
        const hxi_block *block = &f->blocks->mine->block[b];
        status = block->tile == f->s->tile ? gather_from_mine(f, block) : HX_OK;
    }
    status = status == HX_OK ? gather_rewritten(f) : status;
    return status == HX_OK && f->own >= 0 ? check_fed(f) : status;
}

/* ---- to blocks ----------------------------------------------------------------------------------------- */

/* Blocks that points may go to, one after the other: all that hold some of them, or those of this rank. */
typedef struct targets {
    bool mine;
    int next; /* of mine */
    hxi_parts parts;
} targets;

/* The box that a block holds, in `held`; false: there is none left. */
static bool next_target(const finder *f, targets *t, destination *d, hxi_box *held)
{
    const hxi_layout *layout = f->blocks->layout;
    int index[HX_MAX_AXES];
    if (t->mine) {
        const hxi_block_list *mine = f->blocks->mine;
        while (t->next < mine->blocks && mine->block[t->next].tile != d->tile) {
            ++t->next;
        }
        if (t->next == mine->blocks) {
            return false;
        }
        hxi_layout_index(layout, d->tile, mine->block[t->next].number, index);
        ++t->next;
    } else if (t->next++ > 0 && !hxi_overlap_next(&t->parts)) {
        return false;
    } else {
        memcpy(index, t->parts.index, sizeof index);
    }
    d->block = hxi_layout_block(layout, d->tile, index);
    d->mine = hxi_blocks_find(f->blocks->mine, d->tile, d->block);
    *held = hxi_overlap_held(f->task->spec, layout, d->tile, d->field, index);
    d->first = held->lo;
    return true;
}

static targets targets_of(const finder *f, const destination *d, const hxi_box *points)
{
    targets t = {.mine = f->own < 0};
    if (!t.mine) {
        t.parts = hxi_overlap_parts(f->task->spec, f->blocks->layout, d->tile, d->field, points);
    }
    return t;
}

/* To the same places of the same tile. */
static hx_status scatter_kept(finder *f)
{
    const hx_spec *spec = f->task->spec;
    destination d = {.field = f->s->field, .tile = f->s->tile};
    targets t = targets_of(f, &d, &f->grid);
    hx_status status = HX_OK;
    hxi_box held;
    while (status == HX_OK && next_target(f, &t, &d, &held)) {
        const hxi_box points = hxi_box_intersect(&held, &f->grid);
        if (hxi_box_empty(&points)) {
            continue;
        }
        status = hxi_cut_owned(spec, f->what->tiles, d.tile, d.field, &points, &f->pieces);
        for (int i = 0; i < f->pieces.count && status == HX_OK; ++i) {
            const hxi_piece *piece = &f->pieces.piece[i];
            status = piece->crossed ? HX_OK : scatter_piece(f, &d, piece, &piece->to);
        }
    }
    return status;
}

/* At a fold: to points of some field that are rewritten from those of the selection. */
static hx_status scatter_rewrite(finder *f, int field, const hx_rewrite *rewrite)
{
    const hx_spec *spec = f->task->spec;
    const hxi_box all = rewritten(spec, f->what->tiles, field, rewrite);
    hx_status status = hxi_cut_owned(spec, f->what->tiles, rewrite->link.tile, field, &all, &f->pieces);
    for (int i = 0; i < f->pieces.count && status == HX_OK; ++i) {
        const hxi_piece *piece = &f->pieces.piece[i];
        if (!piece->crossed || piece->source_tile != f->s->tile || piece->source_field != f->s->field) {
            continue;
        }
        destination d = {.field = field, .tile = rewrite->link.tile};
        targets t = targets_of(f, &d, &piece->to);
        hxi_box held;
        while (status == HX_OK && next_target(f, &t, &d, &held)) {
            const hxi_box to = hxi_box_intersect(&held, &piece->to);
            status = hxi_box_empty(&to) ? HX_OK : scatter_piece(f, &d, piece, &to);
        }
    }
    return status;
}

static hx_status scatter_box(finder *f)
{
    const hx_spec *spec = f->task->spec;
    hx_status status = scatter_kept(f);
    for (int i = 0; i < f->task->fields && status == HX_OK; ++i) {
        const int field = f->task->field[i];
        const hx_positions *positions = &spec->positions[spec->field[field].positions];
        for (int k = 0; k < positions->rewrites && status == HX_OK; ++k) {
            status = scatter_rewrite(f, field, &positions->rewrite[k]);
        }
    }
    return status;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

/* The box of the tile from the first to the last point of some of a selection. */
static hxi_box grid_of(const hxi_selection *s, const hxi_box *points)
{
    hxi_box grid;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        grid.lo[a] = s->first[a] + points->lo[a] * s->step[a];
        grid.hi[a] = s->first[a] + (points->hi[a] - 1) * s->step[a] + 1;
    }
    return grid;
}

static hx_status find_box(finder *f)
{
    const hxi_selected_box *box = &f->what->box[f->number];
    f->s = &f->what->selection[box->selection];
    f->points = box->box;
    f->grid = grid_of(f->s, &f->points);
    f->own = -1;
    f->only = ALL_BLOCKS;
    const hx_status status = f->s->rank == f->task->rank ? add_selection(f) : HX_OK;
    return status != HX_OK ? status : f->what->scatters ? scatter_box(f) : gather_box(f);
}

hx_status hxi_selections_find(const hxi_redistribution_task *task, hxi_redistribution *r)
{
    const hxi_selected *what = task->selected;
    finder f = {.task = task, .what = what, .blocks = what->scatters ? &task->to : &task->from, .r = r};
    hx_status status = add_blocks(&f);
    for (f.number = 0; f.number < what->boxes && status == HX_OK; ++f.number) {
        status = find_box(&f);
    }
    status = status == HX_OK ? join_views(&f) : status;
    hxi_memory_free(f.pieces.piece);
    hxi_segments_sort(&r->segments);
    return status;
}

hx_status hxi_selection_check(const hx_spec *spec, const hxi_layout *tiles, const hxi_selection *s,
                              const unsigned char *moves)
{
    const hx_field *field = &spec->field[s->field];
    const hx_positions *positions = &spec->positions[field->positions];
    const hxi_box whole = {{0}, {s->n[0], s->n[1], s->n[2], s->n[3]}};
    const hxi_box grid = grid_of(s, &whole);
    hxi_pieces pieces = {0};
    hx_status status = HX_OK;
    for (int k = 0; k < positions->rewrites && status == HX_OK; ++k) {
        const hxi_box all = rewritten(spec, tiles, s->field, &positions->rewrite[k]);
        const hxi_box points = hxi_box_intersect(&all, &grid);
        pieces.count = 0;
        if (positions->rewrite[k].link.tile == s->tile && !hxi_box_empty(&points)) {
            status = hxi_cut_owned(spec, tiles, s->tile, s->field, &points, &pieces);
        }
        for (int i = 0; i < pieces.count && status == HX_OK; ++i) {
            const int source = pieces.piece[i].source_field;
            status = moves[source] ? HX_OK : hxi_redistribution_refuse_source(spec, s->field, source);
        }
    }
    hxi_memory_free(pieces.piece);
    return status;
}
