#include "grid/cut.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"

#include <string.h>

/* A cut under way. */
typedef struct cutter {
    const hx_spec *spec;
    const hxi_layout *layout;
    const hxi_ghost *ghost;
    const int *first; /* cell of the destination block */
    hxi_box box;      /* the ghost box, counted in the tile */
    bool land;        /* pieces of blocks without an owner are looked for, and no others */
    bool own;         /* the box is of owned points, which are rewritten */
    bool shared;      /* points of blocks without an owner come from others that hold them, too */
    int hops_left;
    hxi_pieces *pieces;
} cutter;

/*
 * Where the points are that are looked for: a box in some tile, and how it is reached from the destination
 * tile.
 */
typedef struct source_box {
    int tile;
    int field;
    int sign;
    bool crossed; /* not the tile that the ghost box belongs to, or it again */
    hxi_map map;
    hxi_box box;
} source_box;

void hxi_cut_points(const hx_spec *spec, int field, const int cells[], int points[])
{
    const int *extra = spec->positions[spec->field[field].positions].extra;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        points[a] = a < spec->axes ? cells[a] + extra[a] : 1;
    }
}

hxi_piece *hxi_cut_piece(hxi_pieces *pieces)
{
    if (pieces->count == pieces->room) {
        const int room = pieces->room ? 2 * pieces->room : 16;
        hxi_piece *more = hxi_memory_grow(pieces->piece, (size_t)pieces->count, (size_t)room, sizeof *more,
                                          "the pieces of a ghost box");
        if (!more) {
            return NULL;
        }
        pieces->piece = more;
        pieces->room = room;
    }
    hxi_piece *fresh = &pieces->piece[pieces->count++];
    *fresh = (hxi_piece){0};
    return fresh;
}

static bool is_land(const cutter *c, int tile, const int index[])
{
    return hxi_layout_is_land(c->layout, tile, hxi_layout_block(c->layout, tile, index));
}

/* A box of points that one block feeds. */
static hx_status add_piece(cutter *c, const source_box *at, const hxi_box *owned, const int index[])
{
    const int block = hxi_layout_block(c->layout, at->tile, index);
    if (hxi_layout_is_land(c->layout, at->tile, block) != c->land) {
        c->pieces->left += hxi_box_volume(owned);
        return HX_OK;
    }
    hxi_piece *piece = hxi_cut_piece(c->pieces);
    if (!piece) {
        return HX_ERR_MEMORY;
    }
    const hxi_tile *tile = &c->layout->tile[at->tile];
    const hxi_box to = hxi_map_box_back(&at->map, owned);
    piece->source_tile = at->tile;
    piece->source_block = block;
    piece->source_field = at->field;
    piece->sign = at->sign;
    piece->crossed = at->crossed;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        piece->to.lo[a] = to.lo[a] - c->first[a];
        piece->to.hi[a] = to.hi[a] - c->first[a];
        piece->axis[a] = at->map.axis[a];
        piece->turn[a] = at->map.turn[a];
        piece->source_first[a] = hxi_map_index(&at->map, a, to.lo) - hxi_tile_cut(tile, a, index[a]);
    }
    return HX_OK;
}

/*
 * Points of a block without an owner that are low faces of it along some axes, by bits: the blocks below hold
 * them, too.  Of these the one feeds them that is the upper one along the last of the axes in which they differ,
 * as in files.
 */
static hx_status add_held(cutter *c, const source_box *at, const hxi_box *points, const int index[],
                          unsigned low)
{
    int holder[HX_MAX_AXES];
    memcpy(holder, index, sizeof holder);
    for (unsigned below = 1; below <= low && is_land(c, at->tile, holder); ++below) {
        const bool possible = (below & ~low) == 0;
        for (int a = 0; a < HX_MAX_AXES && possible; ++a) {
            holder[a] = index[a] - (int)(below >> a & 1);
        }
    }
    return add_piece(c, at, points, holder);
}

/* Splits points of a block without an owner by the blocks that hold them, axis after axis. */
static hx_status split_held(cutter *c, const source_box *at, int axis, hxi_box points, const int index[],
                            unsigned low)
{
    if (axis == c->spec->axes) {
        return add_held(c, at, &points, index, low);
    }
    hx_status status = HX_OK;
    const hx_positions *positions = &c->spec->positions[c->spec->field[at->field].positions];
    const int first = hxi_tile_cut(&c->layout->tile[at->tile], axis, index[axis]);
    if (positions->extra[axis] && index[axis] > 0 && points.lo[axis] == first) {
        hxi_box face = points;
        face.hi[axis] = points.lo[axis] = first + 1;
        status = split_held(c, at, axis + 1, face, index, low | 1U << axis);
    }
    return status == HX_OK && !hxi_box_empty(&points) ? split_held(c, at, axis + 1, points, index, low)
                                                      : status;
}

static hx_status add_owned(cutter *c, const source_box *at, const hxi_box *owned, const int index[])
{
    return c->shared && !at->crossed && is_land(c, at->tile, index) ? split_held(c, at, 0, *owned, index, 0)
                                                                    : add_piece(c, at, owned, index);
}

static int within(int cell, int last)
{
    return cell < 0 ? 0 : cell > last ? last : cell;
}

/*
 * Which cells own the points of a box, along an axis: point i goes with cell i - shift, held within first and
 * last.
 */
typedef struct owners {
    int shift;
    int first;
    int last;
} owners;

/*
 * A point goes with the cell of which it is the center or the low face.  Where both faces are stored there is
 * one face more than cells.  Across the ghost box, the last face of the tile goes with the last cell of the
 * tile.  Along it, faces go with the cells of the box as the destination sees them, and its last face with
 * its last cell: where the source runs the other way, a face goes with the cell below it.
 */
static owners owners_of(const cutter *c, const source_box *at, int axis)
{
    const hx_positions *positions = &c->spec->positions[c->spec->field[at->field].positions];
    const int last_cell = c->layout->tile[at->tile].cells[axis] - 1;
    const int to_axis = at->map.axis[axis];
    const hxi_box all = hxi_map_box(&at->map, &c->box);
    const bool along = axis < c->spec->axes && c->ghost->direction[to_axis] == 0 && positions->extra[axis];
    if (along && all.hi[axis] - all.lo[axis] > 1) {
        return (owners){at->map.turn[axis] < 0, within(all.lo[axis], last_cell),
                        within(all.hi[axis] - 2, last_cell)};
    }
    return (owners){0, 0, last_cell};
}

static int cell_of(const owners *o, int point)
{
    const int cell = point - o->shift;
    return cell < o->first ? o->first : cell > o->last ? o->last : cell;
}

/* Splits a box that lies within a tile among the blocks, axis after axis. */
static hx_status split(cutter *c, const source_box *at, int axis, hxi_box *owned, int index[])
{
    if (axis == HX_MAX_AXES) {
        return add_owned(c, at, owned, index);
    }
    const owners o = owners_of(c, at, axis);
    int next = at->box.lo[axis];
    while (next < at->box.hi[axis]) {
        index[axis] = hxi_layout_part(c->layout, at->tile, axis, cell_of(&o, next));
        const int end =
            hxi_tile_cut(&c->layout->tile[at->tile], axis, index[axis] + 1); /* the next block's first cell */
        owned->lo[axis] = next;
        owned->hi[axis] =
            end <= o.last && end + o.shift < at->box.hi[axis] ? end + o.shift : at->box.hi[axis];
        next = owned->hi[axis];
        const hx_status status = split(c, at, axis + 1, owned, index);
        if (status != HX_OK) {
            return status;
        }
    }
    return HX_OK;
}

const hx_tile_link *hxi_cut_link(const hx_spec *spec, int field, int tile, const signed char direction[])
{
    const hx_positions *positions = &spec->positions[spec->field[field].positions];
    for (int i = 0; i < positions->links; ++i) {
        const hx_tile_link *link = &positions->link[i];
        if (link->tile == tile && memcmp(link->direction, direction, (size_t)spec->axes) == 0) {
            return link;
        }
    }
    return NULL;
}

bool hxi_cut_wraps(const hx_spec *spec, const hx_tile_link *link)
{
    bool same = link->source == link->tile;
    for (int a = 0; a < spec->axes; ++a) {
        same = same && link->map[a].axis == a && link->map[a].sign > 0;
    }
    return same;
}

/* The same points seen from the tile that lies in one direction. */
static source_box cross(const cutter *c, const source_box *from, const hx_tile_link *link, const hxi_box *box)
{
    const hxi_tile *tile = c->layout->tile;
    const hxi_map step =
        hxi_map_of_link(link, c->spec->axes, tile[link->tile].cells, tile[link->source].cells);
    return (source_box){
        .tile = link->source,
        .field = link->component < 0 ? from->field : c->spec->field[from->field].vector[link->component],
        .sign = from->sign * link->sign,
        .crossed = true,
        .map = hxi_map_compose(&step, &from->map),
        .box = hxi_map_box(&step, box),
    };
}

/* Puts the next of all directions {-1, 0, 1}^axes into `direction`; false after the last. */
static bool next_direction(signed char direction[], int axes)
{
    for (int a = axes - 1; a >= 0; --a) {
        if (++direction[a] <= 1) {
            return true;
        }
        direction[a] = -1;
    }
    return false;
}

/*
 * Of a tile that was left in a direction: the axis along which it is too short, and does not close on itself.
 */
static int axis_beyond(const cutter *c, int tile, int field, const signed char direction[])
{
    int first = -1;
    for (int a = 0; a < c->spec->axes; ++a) {
        signed char side[HX_MAX_AXES] = {0};
        side[a] = direction[a];
        const hx_tile_link *link = side[a] != 0 ? hxi_cut_link(c->spec, field, tile, side) : NULL;
        if (side[a] != 0 && !(link && hxi_cut_wraps(c->spec, link))) {
            return a;
        }
        first = first < 0 && side[a] != 0 ? a : first;
    }
    return first;
}

/*
 * A tile was reached, and some of the points looked for lie beyond it.  Only where the tile closes on itself
 * is there more of it: elsewhere there may be several ways, which need not agree.
 */
static hx_status refuse(const cutter *c, const source_box *at, const signed char direction[])
{
    const int axis = axis_beyond(c, at->tile, at->field, direction);
    const hx_field *field = &c->spec->field[c->ghost->field];
    return hxi_fail(
        HX_ERR_PARTITION,
        "%s:%d: the halo of field %s of block %d of tile %d reaches across tile %d, which has %d cell%s "
        "along "
        "axis %s, and beyond it.  Tiles need as many cells as the width, up to two more across a fold, and "
        "the "
        "same number where they meet.",
        c->spec->file, field->line, field->name, c->ghost->block, c->ghost->tile, at->tile,
        c->layout->tile[at->tile].cells[axis], hxi_s(c->layout->tile[at->tile].cells[axis]),
        c->spec->axis[axis]);
}

static hx_status follow(cutter *c, const source_box *at);
static hx_status settle(cutter *c, const source_box *at, int number);

/* What is left of a box without a box within it. */
static hx_status settle_rest(cutter *c, const source_box *at, const hxi_box *without, int number)
{
    hx_status status = HX_OK;
    source_box rest = *at;
    for (int a = 0; a < HX_MAX_AXES && status == HX_OK; ++a) {
        source_box below = rest;
        source_box above = rest;
        below.box.hi[a] = without->lo[a];
        above.box.lo[a] = without->hi[a];
        status = hxi_box_empty(&below.box) ? HX_OK : settle(c, &below, number);
        if (status == HX_OK && !hxi_box_empty(&above.box)) {
            status = settle(c, &above, number);
        }
        rest.box.lo[a] = without->lo[a];
        rest.box.hi[a] = without->hi[a];
    }
    return status;
}

/*
 * Rewritten points that a block without an owner would feed stand for themselves: their own block feeds those
 * who look for them, and they stay as they are.
 */
static hx_status settle_unfed(cutter *c, const source_box *at, const source_box *source)
{
    hxi_pieces unfed = {0};
    cutter land = *c;
    land.land = true;
    land.pieces = &unfed;
    hx_status status = follow(&land, source);
    for (int i = 0; i < unfed.count && status == HX_OK && !c->own; ++i) {
        hxi_box to = unfed.piece[i].to;
        for (int a = 0; a < HX_MAX_AXES; ++a) {
            to.lo[a] += c->first[a];
            to.hi[a] += c->first[a];
        }
        source_box stays = *at;
        stays.box = hxi_map_box(&at->map, &to);
        hxi_box owned;
        int index[HX_MAX_AXES];
        c->pieces->left -= c->land ? 0 : hxi_box_volume(&to);
        status = split(c, &stays, 0, &owned, index);
    }
    hxi_memory_free(unfed.piece);
    return status;
}

/* Points that are rewritten are looked for where they come from: nobody reads them. */
static hx_status settle_rewritten(cutter *c, const source_box *at, const hx_tile_link *link,
                                  const hxi_box *met)
{
    const source_box source = cross(c, at, link, met);
    const hx_status status = c->land ? HX_OK : follow(c, &source);
    return status == HX_OK && c->layout->land > 0 ? settle_unfed(c, at, &source) : status;
}

/* Points of a tile: those that are rewritten, and owned ones.  number: of the first rewrite that the box may
 * meet. */
static hx_status settle(cutter *c, const source_box *at, int number)
{
    const hx_positions *positions = &c->spec->positions[c->spec->field[at->field].positions];
    for (; number < positions->rewrites; ++number) {
        const hx_rewrite *rewrite = &positions->rewrite[number];
        const hxi_box all = hxi_box_of_rewrite(rewrite, c->spec->axes, c->layout->tile[at->tile].cells);
        const hxi_box met = hxi_box_intersect(&at->box, &all);
        if (rewrite->link.tile == at->tile && !hxi_box_empty(&met)) {
            const hx_status status = settle_rewritten(c, at, &rewrite->link, &met);
            return status == HX_OK ? settle_rest(c, at, &met, number + 1) : status;
        }
    }
    hxi_box owned;
    int index[HX_MAX_AXES];
    c->pieces->claimed += hxi_box_volume(&at->box);
    return split(c, at, 0, &owned, index);
}

/*
 * Splits a box into what lies within the tile and what lies beyond it, and follows the links of the latter.
 */
static hx_status follow(cutter *c, const source_box *at)
{
    if (c->hops_left == 0) {
        return hxi_fail(HX_ERR_INTERNAL,
                        "%s:%d: the links of field %s lead from tile to tile without an end.", c->spec->file,
                        c->spec->field[c->ghost->field].line, c->spec->field[c->ghost->field].name);
    }
    int points[HX_MAX_AXES];
    hxi_cut_points(c->spec, at->field, c->layout->tile[at->tile].cells, points);
    hx_status status = HX_OK;
    signed char direction[HX_MAX_AXES] = {0};
    memset(direction, -1, (size_t)c->spec->axes);
    c->hops_left--;
    do {
        source_box part = *at;
        part.box = hxi_box_part(&at->box, points, direction);
        if (hxi_box_empty(&part.box)) {
            continue;
        }
        static const signed char inside[HX_MAX_AXES] = {0};
        if (memcmp(direction, inside, sizeof inside) == 0) {
            status = settle(c, &part, 0);
            continue;
        }
        const hx_tile_link *link = hxi_cut_link(c->spec, at->field, at->tile, direction);
        if (link && (!at->crossed || hxi_cut_wraps(c->spec, link))) {
            const source_box beyond = cross(c, at, link, &part.box);
            status = follow(c, &beyond);
        } else if (at->crossed) {
            status = refuse(c, at, direction);
        }
    } while (status == HX_OK && next_direction(direction, c->spec->axes));
    c->hops_left++;
    return status;
}

/* The block's own points that are rewritten by an exchange that reaches in the direction of the ghost box. */
static hx_status follow_rewritten(cutter *c, const source_box *start, const int points[])
{
    const hx_positions *positions = &c->spec->positions[c->spec->field[start->field].positions];
    hxi_box own;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        own.lo[a] = c->first[a];
        own.hi[a] = c->first[a] + points[a];
    }
    hx_status status = HX_OK;
    for (int i = 0; i < positions->rewrites && status == HX_OK; ++i) {
        const hx_rewrite *rewrite = &positions->rewrite[i];
        const hxi_box all = hxi_box_of_rewrite(rewrite, c->spec->axes, c->layout->tile[start->tile].cells);
        source_box part = *start;
        part.box = hxi_box_intersect(&own, &all);
        if (rewrite->link.tile == start->tile && !hxi_box_empty(&part.box) &&
            memcmp(rewrite->link.direction, c->ghost->direction, (size_t)c->spec->axes) == 0) {
            status = settle(c, &part, i);
        }
    }
    return status;
}

/* The ghost box, counted in the tile. */
static hxi_box ghost_box(const cutter *c, const int points[])
{
    const hxi_ghost *g = c->ghost;
    hxi_box box;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const int d = a < c->spec->axes ? g->direction[a] : 0;
        box.lo[a] = c->first[a] + (d < 0 ? -g->width_lo[a] : d > 0 ? points[a] : 0);
        box.hi[a] = c->first[a] + (d < 0 ? 0 : d > 0 ? points[a] + g->width_hi[a] : points[a]);
    }
    return box;
}

static hx_status cut(const hx_spec *spec, const hxi_layout *layout, const hxi_ghost *ghost, bool land,
                     hxi_pieces *pieces)
{
    int index[HX_MAX_AXES];
    int first[HX_MAX_AXES];
    int cells[HX_MAX_AXES];
    int points[HX_MAX_AXES];
    /* Each hop comes at least a cell nearer along some axis, but for the first, and three at a fold: across
     * it, around it and from what is rewritten. */
    int hops = 5;
    hxi_layout_index(layout, ghost->tile, ghost->block, index);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        first[a] = hxi_tile_cut(&layout->tile[ghost->tile], a, index[a]);
        cells[a] = hxi_tile_cut(&layout->tile[ghost->tile], a, index[a] + 1) - first[a];
        hops += a < spec->axes ? ghost->width_lo[a] + ghost->width_hi[a] : 0;
    }
    hxi_cut_points(spec, ghost->field, cells, points);
    pieces->count = 0;
    pieces->claimed = pieces->left = 0;
    cutter c = {.spec = spec,
                .layout = layout,
                .ghost = ghost,
                .first = first,
                .land = land,
                .hops_left = hops,
                .pieces = pieces};
    c.box = ghost_box(&c, points);
    const source_box start = {
        .tile = ghost->tile, .field = ghost->field, .sign = 1, .map = hxi_map_identity(), .box = c.box};
    if (hxi_box_empty(&start.box)) {
        return HX_OK;
    }
    const hx_status status = follow(&c, &start);
    c.own = true;
    return status == HX_OK && !land ? follow_rewritten(&c, &start, points) : status;
}

hx_status hxi_cut(const hx_spec *spec, const hxi_layout *layout, const hxi_ghost *ghost, hxi_pieces *pieces)
{
    return cut(spec, layout, ghost, false, pieces);
}

hx_status hxi_cut_land(const hx_spec *spec, const hxi_layout *layout, const hxi_ghost *ghost,
                       hxi_pieces *pieces)
{
    return cut(spec, layout, ghost, true, pieces);
}

hx_status hxi_cut_owned(const hx_spec *spec, const hxi_layout *layout, int tile, int field,
                        const hxi_box *points, hxi_pieces *pieces)
{
    static const int first[HX_MAX_AXES] = {0};
    /* Nothing lies along a ghost box here: each face goes with the cell of which it is the low one. */
    static const signed char across[HX_MAX_AXES] = {1, 1, 1, 1};
    const hxi_ghost whole = {tile, 0, field, first, first, across};
    pieces->count = 0;
    pieces->claimed = pieces->left = 0;
    cutter c = {.spec = spec,
                .layout = layout,
                .ghost = &whole,
                .first = first,
                .box = *points,
                .shared = true,
                .hops_left = 5,
                .pieces = pieces};
    const source_box start = {
        .tile = tile, .field = field, .sign = 1, .map = hxi_map_identity(), .box = *points};
    return hxi_box_empty(points) ? HX_OK : settle(&c, &start, 0);
}
