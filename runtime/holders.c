#include "holders.h"

#include "memory.h"

#include <stdlib.h>

/* The points as one tile has them. */
typedef struct view {
    int tile;
    int field;
    int sign;
    hx_map map; /* from the indices of the tile of the side */
} view;

/* A block that holds points of a cell. */
typedef struct holder {
    int view; /* number */
    int tile;
    int block;
    int index[HX_MAX_AXES]; /* of the block in its tile */
    hx_box box;             /* the points, counted in its tile */
    int low;                /* axes along which they are the first of the block */
} holder;

/* Where a box of points is to be divided along one axis. */
typedef struct breaks {
    int *at;
    int count;
    int room;
} breaks;

/*
 * A cell is a part of the side whose points are held by the same blocks.  Seen from any of its holders it is
 * the same: where it ends depends on the cuts of all tiles that have the points.
 */
typedef struct finder {
    const hx_spec *spec;
    const hx_layout *layout;
    const hx_ghost *side;
    hx_shared decides;
    bool all;
    hx_pieces *pieces;
    int first[HX_MAX_AXES]; /* cell of the block */
    hx_box box;             /* the side, counted in the tile */
    view *view;
    int views;
    int room;
    breaks breaks[HX_MAX_AXES];
    holder *holder;
    int holders;
    int holder_room;
} finder;

static const char purpose[] = "the shared points of a block";

static bool has_faces(const finder *f, int field, int axis)
{
    return axis < f->spec->axes && f->spec->positions[f->spec->field[field].positions].extra[axis] != 0;
}

/* ---- views --------------------------------------------------------------------------------------------- */

/* Do two maps take every point of a box to the same place? */
static bool same_on(const hx_box *box, const hx_map *a, const hx_map *b)
{
    int last[HX_MAX_AXES];
    for (int axis = 0; axis < HX_MAX_AXES; ++axis) {
        last[axis] = box->hi[axis] - 1;
    }
    bool same = true;
    for (int s = 0; s < HX_MAX_AXES; ++s) {
        const bool long_one = box->hi[a->axis[s]] - box->lo[a->axis[s]] > 1;
        same = same && hx_map_index(a, s, box->lo) == hx_map_index(b, s, box->lo) &&
               hx_map_index(a, s, last) == hx_map_index(b, s, last) &&
               (!long_one || a->axis[s] == b->axis[s]);
    }
    return same;
}

static hx_status add_view(finder *f, const view *fresh)
{
    for (int v = 0; v < f->views; ++v) {
        if (f->view[v].tile == fresh->tile && same_on(&f->box, &f->view[v].map, &fresh->map)) {
            return HX_OK;
        }
    }
    if (f->views == f->room) {
        const int room = f->room ? 2 * f->room : 8;
        view *more = hx_memory_grow(f->view, (size_t)f->views, (size_t)room, sizeof *more, purpose);
        if (!more) {
            return HX_ERR_MEMORY;
        }
        f->view = more;
        f->room = room;
    }
    f->view[f->views++] = *fresh;
    return HX_OK;
}

/* On which side of its tile a view has the points along an axis: -1, 1, or 0 for neither. */
static int side_of_tile(const finder *f, const view *v, int axis)
{
    const hx_box box = hx_map_box(&v->map, &f->box);
    if (!has_faces(f, v->field, axis) || box.hi[axis] - box.lo[axis] > 1) {
        return 0;
    }
    return box.lo[axis] == 0 ? -1 : box.lo[axis] == f->layout->tile[v->tile].cells[axis] ? 1 : 0;
}

/* What lies across one side of a view's tile, if it is on that side and there is something. */
static hx_status cross(finder *f, int number, int axis)
{
    const view from = f->view[number];
    signed char direction[HX_MAX_AXES] = {0};
    direction[axis] = (signed char)side_of_tile(f, &from, axis);
    const hx_tile_link *link =
        direction[axis] != 0 ? hx_cut_link(f->spec, from.field, from.tile, direction) : NULL;
    if (!link) {
        return HX_OK;
    }
    const hx_tile *tile = f->layout->tile;
    const hx_map step = hx_map_of_link(link, f->spec->axes, tile[link->tile].cells, tile[link->source].cells);
    const view beyond = {
        .tile = link->source,
        .field = link->component < 0 ? from.field : f->spec->field[from.field].vector[link->component],
        .sign = from.sign * link->sign,
        .map = hx_map_compose(&step, &from.map),
    };
    return add_view(f, &beyond);
}

/* All tiles that have the points: across sides, and from there across sides again. */
static hx_status find_views(finder *f)
{
    const view own = {f->side->tile, f->side->field, 1, hx_map_identity()};
    f->views = 0;
    hx_status status = add_view(f, &own);
    for (int v = 0; v < f->views && status == HX_OK; ++v) {
        for (int a = 0; a < f->spec->axes && status == HX_OK; ++a) {
            status = cross(f, v, a);
        }
    }
    return status;
}

/* ---- cells --------------------------------------------------------------------------------------------- */

/* Points from `at` on are another cell than those before, if both are of the side. */
static hx_status add_break(finder *f, int axis, int at)
{
    breaks *b = &f->breaks[axis];
    if (at <= f->box.lo[axis] || at >= f->box.hi[axis]) {
        return HX_OK;
    }
    if (b->count == b->room) {
        const int room = b->room ? 2 * b->room : 16;
        int *more = hx_memory_grow(b->at, (size_t)b->count, (size_t)room, sizeof *more, purpose);
        if (!more) {
            return HX_ERR_MEMORY;
        }
        b->at = more;
        b->room = room;
    }
    b->at[b->count++] = at;
    return HX_OK;
}

/* At the cuts of a view's tile along axis s; a face there is a cell of its own. */
static hx_status break_at_cuts(finder *f, const view *v, int s)
{
    const hx_tile *tile = &f->layout->tile[v->tile];
    const int axis = v->map.axis[s];
    const int turn = v->map.turn[s];
    hx_status status = HX_OK;
    for (int p = 1; p < tile->parts[s] && status == HX_OK; ++p) {
        const int at = turn * (tile->cuts[s][p] - v->map.offset[s]); /* face or cell, here */
        if (has_faces(f, v->field, s)) {
            status = add_break(f, axis, at);
            status = status == HX_OK ? add_break(f, axis, at + 1) : status;
        } else {
            status = add_break(f, axis, turn > 0 ? at : at + 1);
        }
    }
    return status;
}

/* Where two views of one tile run against each other: in the middle they pass. */
static hx_status break_in_middle(finder *f, const view *a, const view *b, int s)
{
    if (a->tile != b->tile || a->map.axis[s] != b->map.axis[s] || a->map.turn[s] == b->map.turn[s]) {
        return HX_OK;
    }
    const int twice = a->map.turn[s] * (b->map.offset[s] - a->map.offset[s]); /* the index where they do */
    const int below = twice >= 0 ? twice / 2 : -((1 - twice) / 2);
    const hx_status status = twice % 2 == 0 ? add_break(f, a->map.axis[s], below) : HX_OK;
    return status == HX_OK ? add_break(f, a->map.axis[s], below + 1) : status;
}

static int compare_numbers(const void *left, const void *right)
{
    const int *a = left;
    const int *b = right;
    return (*a > *b) - (*a < *b);
}

static hx_status find_breaks(finder *f)
{
    hx_status status = HX_OK;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        f->breaks[a].count = 0;
    }
    for (int v = 0; v < f->views; ++v) {
        for (int s = 0; s < f->spec->axes && status == HX_OK; ++s) {
            status = break_at_cuts(f, &f->view[v], s);
            for (int u = 0; u < v && status == HX_OK; ++u) {
                status = break_in_middle(f, &f->view[u], &f->view[v], s);
            }
        }
    }
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        if (f->breaks[a].count > 0) {
            qsort(f->breaks[a].at, (size_t)f->breaks[a].count, sizeof(int), compare_numbers);
        }
    }
    return status;
}

/* ---- holders ------------------------------------------------------------------------------------------- */

static hx_status add_holder(finder *f, const holder *fresh)
{
    if (f->holders == f->holder_room) {
        const int room = f->holder_room ? 2 * f->holder_room : 16;
        holder *more = hx_memory_grow(f->holder, (size_t)f->holders, (size_t)room, sizeof *more, purpose);
        if (!more) {
            return HX_ERR_MEMORY;
        }
        f->holder = more;
        f->holder_room = room;
    }
    f->holder[f->holders++] = *fresh;
    return HX_OK;
}

/* All blocks of a view's tile that have the points of h->box; h->index is known along axes before this one.
 */
static hx_status add_holders(finder *f, holder *h, int axis)
{
    if (axis == HX_MAX_AXES) {
        h->block = hx_layout_block(f->layout, h->tile, h->index);
        return add_holder(f, h);
    }
    const hx_tile *tile = &f->layout->tile[h->tile];
    const int point = h->box.lo[axis];
    const int last = tile->cells[axis] - 1;
    const int part = hx_layout_part(f->layout, h->tile, axis, point < last ? point : last);
    const bool faces = has_faces(f, f->view[h->view].field, axis);
    const bool first = faces && point == tile->cuts[axis][part];
    const int low = h->low;
    h->index[axis] = part;
    h->low = low + first;
    hx_status status = add_holders(f, h, axis + 1);
    if (status == HX_OK && first && part > 0) {
        h->index[axis] = part - 1;
        h->low = low;
        status = add_holders(f, h, axis + 1);
    }
    h->low = low;
    return status;
}

/* By tile, place in it and block: nothing in it depends on who looks. */
static int compare_holders(const void *left, const void *right)
{
    const holder *a = left;
    const holder *b = right;
    if (a->tile != b->tile) {
        return a->tile < b->tile ? -1 : 1;
    }
    for (int axis = 0; axis < HX_MAX_AXES; ++axis) {
        if (a->box.lo[axis] != b->box.lo[axis]) {
            return a->box.lo[axis] < b->box.lo[axis] ? -1 : 1;
        }
    }
    return (a->block > b->block) - (a->block < b->block);
}

static hx_status find_holders(finder *f, const hx_box *cell)
{
    hx_status status = HX_OK;
    f->holders = 0;
    for (int v = 0; v < f->views && status == HX_OK; ++v) {
        bool seen = false;
        for (int u = 0; u < v; ++u) {
            seen = seen ||
                   (f->view[u].tile == f->view[v].tile && same_on(cell, &f->view[u].map, &f->view[v].map));
        }
        if (!seen) {
            holder h = {.view = v, .tile = f->view[v].tile, .box = hx_map_box(&f->view[v].map, cell)};
            status = add_holders(f, &h, 0);
        }
    }
    if (status == HX_OK) {
        qsort(f->holder, (size_t)f->holders, sizeof *f->holder, compare_holders);
    }
    return status;
}

/* Is it the last holder of its group: in its tile, the block of highest number? */
static bool ends_group(const finder *f, int number)
{
    return number + 1 == f->holders || f->holder[number + 1].view != f->holder[number].view;
}

/* The holder that feeds the others. */
static int find_feeder(const finder *f)
{
    int found = -1;
    for (int h = 0; h < f->holders; ++h) {
        if (ends_group(f, h) &&
            (found < 0 || (f->decides == HX_SHARED_GREATER && f->holder[h].low > f->holder[found].low))) {
            found = h;
        }
    }
    return found;
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

static hx_term term_of(const finder *f, int number)
{
    hx_term term = {number, 0};
    for (int h = 0; h < number; ++h) {
        term.group += ends_group(f, h);
    }
    return term;
}

static hx_status add_piece(finder *f, const hx_box *cell, int own, int source)
{
    hx_piece *piece = hx_cut_piece(f->pieces);
    if (!piece) {
        return HX_ERR_MEMORY;
    }
    const holder *h = &f->holder[source];
    const view *v = &f->view[h->view];
    *piece = (hx_piece){.source_tile = h->tile,
                        .source_block = h->block,
                        .source_field = v->field,
                        .sign = v->sign,
                        .term = term_of(f, source),
                        .own_term = term_of(f, own)};
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        piece->to.lo[a] = cell->lo[a] - f->first[a];
        piece->to.hi[a] = cell->hi[a] - f->first[a];
        piece->axis[a] = v->map.axis[a];
        piece->turn[a] = v->map.turn[a];
        piece->source_first[a] =
            hx_map_index(&v->map, a, cell->lo) - f->layout->tile[h->tile].cuts[a][h->index[a]];
    }
    f->pieces->claimed += hx_box_volume(cell);
    return HX_OK;
}

static hx_status add_cell(finder *f, const hx_box *cell)
{
    hx_status status = find_holders(f, cell);
    if (status != HX_OK) {
        return status;
    }
    const int feeder = find_feeder(f);
    int own = 0;
    while (f->holder[own].view != 0 || f->holder[own].block != f->side->block) {
        ++own;
    }
    for (int h = 0; h < f->holders && status == HX_OK; ++h) {
        if (h != own && (f->all || h == feeder) && (f->all || own != feeder)) {
            status = add_piece(f, cell, own, h);
        }
    }
    return status;
}

/* Divides the side along one axis after another. */
static hx_status add_cells(finder *f, hx_box *cell, int axis)
{
    if (axis == HX_MAX_AXES) {
        return add_cell(f, cell);
    }
    const breaks *b = &f->breaks[axis];
    hx_status status = HX_OK;
    int next = f->box.lo[axis];
    for (int i = 0; i <= b->count && status == HX_OK; ++i) {
        const int end = i < b->count ? b->at[i] : f->box.hi[axis];
        if (end > next) {
            cell->lo[axis] = next;
            cell->hi[axis] = end;
            next = end;
            status = add_cells(f, cell, axis + 1);
        }
    }
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* The points on a side of the block, without those on its edges: these are sides of their own. */
static bool find_side(finder *f)
{
    int index[HX_MAX_AXES];
    hx_layout_index(f->layout, f->side->tile, f->side->block, index);
    bool found = true;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int *cuts = f->layout->tile[f->side->tile].cuts[a];
        const bool faces = has_faces(f, f->side->field, a);
        const int d = a < f->spec->axes ? f->side->direction[a] : 0;
        f->first[a] = cuts[index[a]];
        f->box.lo[a] = cuts[index[a]] + (faces && d == 0);
        f->box.hi[a] = cuts[index[a] + 1];
        if (d != 0) {
            found = found && faces;
            f->box.lo[a] = cuts[index[a] + (d > 0)];
            f->box.hi[a] = f->box.lo[a] + 1;
        }
    }
    return found && !hx_box_empty(&f->box);
}

hx_status hx_holders_find(const hx_spec *spec, const hx_layout *layout, const hx_ghost *side,
                          hx_shared decides, bool all, hx_pieces *pieces)
{
    finder f = {
        .spec = spec, .layout = layout, .side = side, .decides = decides, .all = all, .pieces = pieces};
    pieces->count = 0;
    pieces->claimed = 0;
    if (!find_side(&f)) {
        return HX_OK;
    }
    hx_status status = find_views(&f);
    if (status == HX_OK) {
        status = find_breaks(&f);
    }
    hx_box cell;
    if (status == HX_OK) {
        status = add_cells(&f, &cell, 0);
    }
    hx_memory_free(f.view);
    hx_memory_free(f.holder);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        hx_memory_free(f.breaks[a].at);
    }
    return status;
}
