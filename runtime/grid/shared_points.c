#include "grid/shared_points.h"

#include "base/memory.h"

#include <stdlib.h>

/* The points as one tile has them; some of them may lie outside of it, and are not meant. */
typedef struct view {
    int tile;
    int field;
    int sign;
    hxi_map map; /* from the indices of the tile of the side */
} view;

/* A block that holds points of a cell. */
typedef struct holder {
    int view; /* number */
    int tile;
    int block;
    int index[HX_MAX_AXES]; /* of the block in its tile */
    hxi_box box;            /* the points, counted in its tile */
    int end[HX_MAX_AXES];   /* of the tile, see end_of */
    int low;                /* axes along which they are the first of the block */
    bool rewritten;         /* they lie on others, which are kept (hx_rewrite) */
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
    const hxi_layout *layout;
    const hxi_ghost *side;
    hx_shared decides;
    bool all;
    hxi_pieces *pieces;
    int first[HX_MAX_AXES]; /* cell of the block */
    hxi_box box;            /* the side, counted in the tile */
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
static bool same_on(const hxi_box *box, const hxi_map *a, const hxi_map *b)
{
    int last[HX_MAX_AXES];
    for (int axis = 0; axis < HX_MAX_AXES; ++axis) {
        last[axis] = box->hi[axis] - 1;
    }
    bool same = true;
    for (int s = 0; s < HX_MAX_AXES; ++s) {
        const bool long_one = box->hi[a->axis[s]] - box->lo[a->axis[s]] > 1;
        same = same && hxi_map_index(a, s, box->lo) == hxi_map_index(b, s, box->lo) &&
               hxi_map_index(a, s, last) == hxi_map_index(b, s, last) &&
               (!long_one || a->axis[s] == b->axis[s]);
    }
    return same;
}

/*
 * Are the points of a box the same in two views?  Where one side of a tile meets another one of it, components of
 * a vector on faces across different axes have equal indices and are different points.
 */
static bool same_points(const finder *f, const hxi_box *box, const view *a, const view *b)
{
    bool same = a->tile == b->tile && same_on(box, &a->map, &b->map);
    for (int axis = 0; axis < f->spec->axes; ++axis) {
        same = same && has_faces(f, a->field, axis) == has_faces(f, b->field, axis);
    }
    return same;
}

static hx_status add_view(finder *f, const view *fresh)
{
    for (int v = 0; v < f->views; ++v) {
        if (same_points(f, &f->box, &f->view[v], fresh)) {
            return HX_OK;
        }
    }
    if (f->views == f->room) {
        const int room = f->room ? 2 * f->room : 8;
        view *more = hxi_memory_grow(f->view, (size_t)f->views, (size_t)room, sizeof *more, purpose);
        if (!more) {
            return HX_ERR_MEMORY;
        }
        f->view = more;
        f->room = room;
    }
    f->view[f->views++] = *fresh;
    return HX_OK;
}

/* Do two ranges of indices have one in common? */
static bool meet(int lo, int hi, int first, int end)
{
    return lo < end && hi > first;
}

/* The axis of a link's source that runs along one of its destination. */
static int source_axis(const hx_tile_link *link, int axis)
{
    int s = 0;
    while (link->map[s].axis != axis) {
        ++s;
    }
    return s;
}

/* The points of a tile, at some positions. */
static hxi_box tile_box(const finder *f, int tile, int field)
{
    hxi_box box = {{0}, {0}};
    hxi_cut_points(f->spec, field, f->layout->tile[tile].cells, box.hi);
    return box;
}

/*
 * What lies across one side of a view's tile.  A link maps what lies beyond the side; where it maps some of
 * the points into its source, they are there, too.  Who comes out far behind the end of a ring goes around.
 */
static hx_status cross(finder *f, const view *from, const hx_tile_link *link, int axis)
{
    const hxi_tile *tile = f->layout->tile;
    const hxi_map step =
        hxi_map_of_link(link, f->spec->axes, tile[link->tile].cells, tile[link->source].cells);
    const view beyond = {
        .tile = link->source,
        .field = link->component < 0 ? from->field : f->spec->field[from->field].vector[link->component],
        .sign = from->sign * link->sign,
        .map = hxi_map_compose(&step, &from->map),
    };
    const int s = source_axis(link, axis);
    const hxi_box there = hxi_map_box(&beyond.map, &f->box);
    const hxi_box all = tile_box(f, beyond.tile, beyond.field);
    const int end = link->direction[axis];
    const bool far = hxi_cut_wraps(f->spec, link) && (end < 0 ? there.hi[s] <= 0 : there.lo[s] >= all.hi[s]);
    return far || meet(there.lo[s], there.hi[s], all.lo[s], all.hi[s]) ? add_view(f, &beyond) : HX_OK;
}

/*
 * Across all sides of a view's tile.  Those behind which it begins again come first: where a point has an
 * image of either sign, at the end of the ring and on a fold at once, it agrees with itself around the ring.
 */
static hx_status cross_sides(finder *f, int number)
{
    hx_status status = HX_OK;
    for (int way = 0; way < 4 * f->spec->axes && status == HX_OK; ++way) {
        const view from = f->view[number];
        const int axis = way % (2 * f->spec->axes) / 2;
        signed char direction[HX_MAX_AXES] = {0};
        direction[axis] = way % 2 ? 1 : -1;
        const hx_tile_link *link = hxi_cut_link(f->spec, from.field, from.tile, direction);
        if (link && hxi_cut_wraps(f->spec, link) == (way < 2 * f->spec->axes)) {
            status = cross(f, &from, link, axis);
        }
    }
    return status;
}

/* All tiles that have the points: across sides, and from there across sides again. */
static hx_status find_views(finder *f)
{
    const view own = {f->side->tile, f->side->field, 1, hxi_map_identity()};
    f->views = 0;
    hx_status status = add_view(f, &own);
    for (int v = 0; v < f->views && status == HX_OK; ++v) {
        status = cross_sides(f, v);
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
        int *more = hxi_memory_grow(b->at, (size_t)b->count, (size_t)room, sizeof *more, purpose);
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
    const hxi_tile *tile = &f->layout->tile[v->tile];
    const int axis = v->map.axis[s];
    const int turn = v->map.turn[s];
    hx_status status = HX_OK;
    for (int p = 1; p < tile->parts[s] && status == HX_OK; ++p) {
        const int at = turn * (hxi_tile_cut(tile, s, p) - v->map.offset[s]); /* face or cell, here */
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

/* Where a view goes into a box of its tile, or out of it. */
static hx_status break_at_box(finder *f, const view *v, const hxi_box *box)
{
    const hxi_box here = hxi_map_box_back(&v->map, box);
    hx_status status = HX_OK;
    for (int a = 0; a < f->spec->axes && status == HX_OK && !hxi_box_empty(box); ++a) {
        status = add_break(f, a, here.lo[a]);
        status = status == HX_OK ? add_break(f, a, here.hi[a]) : status;
    }
    return status;
}

static hxi_box rewritten_box(const finder *f, const view *v, int number)
{
    const hx_positions *positions = &f->spec->positions[f->spec->field[v->field].positions];
    return hxi_box_of_rewrite(&positions->rewrite[number], f->spec->axes, f->layout->tile[v->tile].cells);
}

/* At the ends of a view's tile, and of what is rewritten there. */
static hx_status break_at_ends(finder *f, const view *v)
{
    const hxi_box all = tile_box(f, v->tile, v->field);
    hx_status status = break_at_box(f, v, &all);
    for (int r = 0; r < f->spec->positions[f->spec->field[v->field].positions].rewrites; ++r) {
        const hxi_box box = rewritten_box(f, v, r);
        status = status == HX_OK ? break_at_box(f, v, &box) : status;
    }
    return status;
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
    for (int v = 0; v < f->views && status == HX_OK; ++v) {
        status = break_at_ends(f, &f->view[v]);
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
        holder *more = hxi_memory_grow(f->holder, (size_t)f->holders, (size_t)room, sizeof *more, purpose);
        if (!more) {
            return HX_ERR_MEMORY;
        }
        f->holder = more;
        f->holder_room = room;
    }
    f->holder[f->holders++] = *fresh;
    return HX_OK;
}

/*
 * All blocks of a view's tile that have the points of h->box; h->index is known along axes before this one.
 */
static hx_status add_holders(finder *f, holder *h, int axis)
{
    if (axis == HX_MAX_AXES) {
        h->block = hxi_layout_block(f->layout, h->tile, h->index);
        return hxi_layout_is_land(f->layout, h->tile, h->block) ? HX_OK : add_holder(f, h);
    }
    const hxi_tile *tile = &f->layout->tile[h->tile];
    const int point = h->box.lo[axis];
    const int last = tile->cells[axis] - 1;
    const int part = hxi_layout_part(f->layout, h->tile, axis, point < last ? point : last);
    const bool faces = has_faces(f, f->view[h->view].field, axis);
    const bool first = faces && point == hxi_tile_cut(tile, axis, part);
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

/*
 * Which end of its tile a holder's points lie on, along an axis: 0 low, 2 high, 1 neither.  That is the same
 * for all points of a cell, as their indices along an axis that runs along another side are not.
 */
static int end_of(const finder *f, const holder *h, int axis)
{
    const int field = f->view[h->view].field;
    const hxi_box all = tile_box(f, h->tile, field);
    const bool faces = has_faces(f, field, axis);
    return faces && h->box.lo[axis] <= 0 ? 0 : faces && h->box.hi[axis] >= all.hi[axis] ? 2 : 1;
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
        if (a->end[axis] != b->end[axis]) {
            return a->end[axis] < b->end[axis] ? -1 : 1;
        }
        if (a->box.lo[axis] != b->box.lo[axis]) {
            return a->box.lo[axis] < b->box.lo[axis] ? -1 : 1;
        }
    }
    return (a->block > b->block) - (a->block < b->block);
}

/* Does a view add holders of a cell: is it within the tile, and no view before it the same? */
static bool is_another(const finder *f, const hxi_box *cell, int number)
{
    const view *v = &f->view[number];
    const hxi_box there = hxi_map_box(&v->map, cell);
    const hxi_box all = tile_box(f, v->tile, v->field);
    const hxi_box within = hxi_box_intersect(&there, &all);
    bool another = !hxi_box_empty(&within);
    for (int u = 0; u < number; ++u) {
        another = another && !same_points(f, cell, &f->view[u], v);
    }
    return another;
}

static bool is_rewritten(const finder *f, const view *v, const hxi_box *box)
{
    bool found = false;
    for (int r = 0; r < f->spec->positions[f->spec->field[v->field].positions].rewrites; ++r) {
        const hxi_box all = rewritten_box(f, v, r);
        const hxi_box met = hxi_box_intersect(&all, box);
        found = found || !hxi_box_empty(&met);
    }
    return found;
}

static hx_status find_holders(finder *f, const hxi_box *cell)
{
    hx_status status = HX_OK;
    f->holders = 0;
    for (int v = 0; v < f->views && status == HX_OK; ++v) {
        if (is_another(f, cell, v)) {
            holder h = {.view = v, .tile = f->view[v].tile, .box = hxi_map_box(&f->view[v].map, cell)};
            for (int a = 0; a < HX_MAX_AXES; ++a) {
                h.end[a] = end_of(f, &h, a);
            }
            h.rewritten = is_rewritten(f, &f->view[v], &h.box);
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

/* Is one holder to feed rather than one before it?  What lies on others never is. */
static bool feeds_rather(const finder *f, const holder *one, const holder *before)
{
    if (one->rewritten != before->rewritten) {
        return before->rewritten;
    }
    return f->decides == HX_SHARED_GREATER && one->low > before->low;
}

/* The holder that feeds the others. */
static int find_feeder(const finder *f)
{
    int found = -1;
    for (int h = 0; h < f->holders; ++h) {
        if (ends_group(f, h) && (found < 0 || feeds_rather(f, &f->holder[h], &f->holder[found]))) {
            found = h;
        }
    }
    return found;
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

static hxi_term term_of(const finder *f, int number)
{
    hxi_term term = {number, 0};
    for (int h = 0; h < number; ++h) {
        term.group += ends_group(f, h);
    }
    return term;
}

static hx_status add_piece(finder *f, const hxi_box *cell, int own, int source)
{
    hxi_piece *piece = hxi_cut_piece(f->pieces);
    if (!piece) {
        return HX_ERR_MEMORY;
    }
    const holder *h = &f->holder[source];
    const view *v = &f->view[h->view];
    *piece = (hxi_piece){.source_tile = h->tile,
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
            hxi_map_index(&v->map, a, cell->lo) - hxi_tile_cut(&f->layout->tile[h->tile], a, h->index[a]);
    }
    f->pieces->claimed += hxi_box_volume(cell);
    return HX_OK;
}

static hx_status add_cell(finder *f, const hxi_box *cell)
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
static hx_status add_cells(finder *f, hxi_box *cell, int axis)
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

/*
 * Points next to an end of the side's tile, along an axis, that the link there maps into its source: those on
 * the end itself, and where the grid is folded also what lies on the line, or behind it.
 */
static int points_doubled(const finder *f, int axis, int end)
{
    signed char direction[HX_MAX_AXES] = {0};
    direction[axis] = (signed char)end;
    const hx_tile_link *link = hxi_cut_link(f->spec, f->side->field, f->side->tile, direction);
    if (!link) {
        return 0;
    }
    const hxi_tile *tile = f->layout->tile;
    const hxi_map map =
        hxi_map_of_link(link, f->spec->axes, tile[link->tile].cells, tile[link->source].cells);
    const int source_field =
        link->component < 0 ? f->side->field : f->spec->field[f->side->field].vector[link->component];
    const int s = source_axis(link, axis);
    const int there = tile_box(f, link->source, source_field).hi[s];
    const int here = tile_box(f, link->tile, f->side->field).hi[axis];
    int count = 0;
    for (;; ++count) {
        int point[HX_MAX_AXES] = {0};
        point[axis] = end < 0 ? count : here - 1 - count;
        const int image = hxi_map_index(&map, s, point);
        if (count == here || image < 0 || image >= there) {
            return count;
        }
    }
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/*
 * Along an axis, how many of the points [first, end) of the block are on its low side, and how many on its
 * high side: each is on one.
 */
static void find_sides(const finder *f, int axis, int first, int end, int *low, int *high)
{
    const int faces = has_faces(f, f->side->field, axis);
    const int all = tile_box(f, f->side->tile, f->side->field).hi[axis];
    *low = *high = 0;
    if (axis < f->spec->axes) {
        *low = larger(faces, points_doubled(f, axis, -1) - first);
        *high = larger(faces, end - (all - points_doubled(f, axis, 1)));
        *low = smaller(*low, end - first - (*high > 0));
        *high = smaller(*high, end - first - *low);
    }
}

/* The points on a side of the block, without those on its edges: these are sides of their own. */
static bool find_side(finder *f)
{
    int index[HX_MAX_AXES];
    hxi_layout_index(f->layout, f->side->tile, f->side->block, index);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const hxi_tile *tile = &f->layout->tile[f->side->tile];
        const int d = a < f->spec->axes ? f->side->direction[a] : 0;
        const int first = hxi_tile_cut(tile, a, index[a]);
        const int end = hxi_tile_cut(tile, a, index[a] + 1) + has_faces(f, f->side->field, a);
        int low, high;
        find_sides(f, a, first, end, &low, &high);
        f->first[a] = first;
        f->box.lo[a] = d < 0 ? first : d > 0 ? end - high : first + low;
        f->box.hi[a] = d < 0 ? first + low : d > 0 ? end : end - high;
    }
    return !hxi_box_empty(&f->box);
}

bool hxi_shared_points_combine(const hx_exchange *exchange)
{
    return exchange->operation == HX_MEAN || exchange->operation == HX_SUM;
}

hx_status hxi_shared_points_find(const hx_spec *spec, const hxi_layout *layout, const hxi_ghost *side,
                                 hx_shared decides, bool all, hxi_pieces *pieces)
{
    finder f = {
        .spec = spec, .layout = layout, .side = side, .decides = decides, .all = all, .pieces = pieces};
    pieces->count = 0;
    pieces->claimed = pieces->left = 0;
    if (!find_side(&f)) {
        return HX_OK;
    }
    hx_status status = find_views(&f);
    if (status == HX_OK) {
        status = find_breaks(&f);
    }
    hxi_box cell;
    if (status == HX_OK) {
        status = add_cells(&f, &cell, 0);
    }
    hxi_memory_free(f.view);
    hxi_memory_free(f.holder);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        hxi_memory_free(f.breaks[a].at);
    }
    return status;
}
