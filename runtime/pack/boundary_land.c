#include "pack/boundary_land.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "grid/cut.h"

#include <stdlib.h>
#include <string.h>

typedef hxi_boundary_maker maker;
typedef hxi_wall_box wall_box;

static const char purpose[] = "the walls beside blocks without an owner";

/* A box of ghost points that a block feeds, or would if it had an owner. */
typedef struct patch {
    hxi_box box;
    bool fed;
} patch;

/* What is known of the points of a cell. */
enum { NOTHING, WALL, KNOWN, FILLED_NOW };

/*
 * The block and its halo, divided along each axis wherever a patch, the block or the tile ends.  All points of
 * a cell of this grid are alike.
 */
typedef struct finder {
    maker *m;
    wall_box p;
    bool (*is_wall)[2];
    patch *patch;
    int patches;
    int room;
    bool any_land;
    int *at[HX_MAX_AXES]; /* where cells begin, and where the last one ends */
    int count[HX_MAX_AXES];
    unsigned char *state; /* by cell, the last axis fastest */
} finder;

/* ---- patches ------------------------------------------------------------------------------------------- */

static hx_status add_patches(finder *f, const hxi_pieces *pieces, bool fed)
{
    if (f->patches + pieces->count > f->room) {
        const int room = 2 * (f->patches + pieces->count);
        patch *more = hxi_memory_grow(f->patch, (size_t)f->patches, (size_t)room, sizeof *more, purpose);
        if (!more) {
            return HX_ERR_MEMORY;
        }
        f->patch = more;
        f->room = room;
    }
    for (int i = 0; i < pieces->count; ++i) {
        f->patch[f->patches++] = (patch){pieces->piece[i].to, fed};
    }
    f->any_land = f->any_land || (!fed && pieces->count > 0);
    return HX_OK;
}

/* All ghost points with a neighbor count, also those that no component reaches. */
static hx_status find_patches_in(finder *f, const signed char direction[], hxi_pieces *pieces)
{
    const maker *m = f->m;
    const hxi_block *block = &m->mine->block[f->p.block];
    const hxi_ghost ghost = {block->tile,         block->number,       f->p.item->field,
                             f->p.item->width_lo, f->p.item->width_hi, direction};
    hx_status status = hxi_cut_land(m->spec, m->layout, &ghost, pieces);
    status = status == HX_OK ? add_patches(f, pieces, false) : status;
    status = status == HX_OK ? hxi_cut(m->spec, m->layout, &ghost, pieces) : status;
    return status == HX_OK ? add_patches(f, pieces, true) : status;
}

/* Walls are filled across corners only if the stencil is a box. */
static hx_status find_patches(finder *f)
{
    const int axes = f->m->spec->axes;
    int directions = 1;
    for (int a = 0; a < axes; ++a) {
        directions *= 3;
    }
    hxi_pieces pieces = {0};
    hx_status status = HX_OK;
    for (int d = 0; d < directions && status == HX_OK; ++d) {
        signed char direction[HX_MAX_AXES] = {0};
        int sides = 0;
        for (int a = 0, rest = d; a < axes; ++a, rest /= 3) {
            direction[a] = (signed char)(rest % 3 - 1);
            sides += direction[a] != 0;
        }
        if (sides == 1 || (sides > 1 && f->m->exchange->box)) {
            status = find_patches_in(f, direction, &pieces);
        }
    }
    hxi_memory_free(pieces.piece);
    return status;
}

/* ---- cells --------------------------------------------------------------------------------------------- */

static int compare_numbers(const void *left, const void *right)
{
    const int *a = left;
    const int *b = right;
    return (*a > *b) - (*a < *b);
}

/* The places where cells begin and end along an axis; those beyond the halo do not count. */
static hx_status divide(finder *f, int axis)
{
    const bool given = axis < f->m->spec->axes;
    const int lo = given ? -f->p.item->width_lo[axis] : 0;
    const int hi = f->p.points[axis] + (given ? f->p.item->width_hi[axis] : 0);
    int *at = hxi_memory_get(2 * (size_t)f->patches + 6, sizeof *at, purpose);
    if (!at) {
        return HX_ERR_MEMORY;
    }
    f->at[axis] = at;
    int count = 0;
    const int ends[] = {lo, 0, f->p.points[axis], hi, f->p.start[axis], f->p.end[axis]};
    memcpy(at, ends, sizeof ends);
    count += (int)(sizeof ends / sizeof ends[0]);
    for (int i = 0; i < f->patches; ++i) {
        at[count++] = f->patch[i].box.lo[axis];
        at[count++] = f->patch[i].box.hi[axis];
    }
    qsort(at, (size_t)count, sizeof *at, compare_numbers);
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        if (at[i] >= lo && at[i] <= hi && (kept == 0 || at[i] != at[kept - 1])) {
            at[kept++] = at[i];
        }
    }
    f->count[axis] = kept - 1;
    return HX_OK;
}

static size_t number_of(const finder *f, const int index[])
{
    size_t number = 0;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        number = number * (size_t)f->count[a] + (size_t)index[a];
    }
    return number;
}

/* Goes to the next cell; false behind the last one, with the index of the first. */
static bool next_cell(const finder *f, int index[])
{
    for (int a = HX_MAX_AXES - 1; a >= 0; --a) {
        if (++index[a] < f->count[a]) {
            return true;
        }
        index[a] = 0;
    }
    return false;
}

/* On which side of the block does a cell lie: -1, 0 or 1? */
static int side_of(const finder *f, const int index[], int axis)
{
    const int at = f->at[axis][index[axis]];
    return (at >= f->p.points[axis]) - (at < 0);
}

static int sides_of(const finder *f, const int index[])
{
    int sides = 0;
    for (int a = 0; a < f->m->spec->axes; ++a) {
        sides += side_of(f, index, a) != 0;
    }
    return sides;
}

static bool is_beyond_tile(const finder *f, const int index[])
{
    bool beyond = false;
    for (int a = 0; a < f->m->spec->axes; ++a) {
        const int at = f->at[a][index[a]];
        beyond =
            beyond || (at < f->p.start[a] && f->is_wall[a][0]) || (at >= f->p.end[a] && f->is_wall[a][1]);
    }
    return beyond;
}

static const patch *patch_at(const finder *f, const int index[])
{
    for (int i = 0; i < f->patches; ++i) {
        bool inside = true;
        for (int a = 0; a < HX_MAX_AXES; ++a) {
            const int at = f->at[a][index[a]];
            inside = inside && at >= f->patch[i].box.lo[a] && at < f->patch[i].box.hi[a];
        }
        if (inside) {
            return &f->patch[i];
        }
    }
    return NULL;
}

static hx_status make_cells(finder *f)
{
    size_t cells = 1;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        const hx_status status = divide(f, a);
        if (status != HX_OK) {
            return status;
        }
        cells *= (size_t)f->count[a];
    }
    f->state = hxi_memory_get(cells, sizeof *f->state, purpose);
    if (!f->state) {
        return HX_ERR_MEMORY;
    }
    int index[HX_MAX_AXES] = {0};
    do {
        const patch *found = patch_at(f, index);
        const bool known = sides_of(f, index) == 0 || (found && found->fed);
        const bool wall = found != NULL || is_beyond_tile(f, index);
        f->state[number_of(f, index)] = known ? KNOWN : wall ? WALL : NOTHING;
    } while (next_cell(f, index));
    return HX_OK;
}

/* ---- filling ------------------------------------------------------------------------------------------- */

static hx_status refuse(const finder *f, const wall_box *p)
{
    const hxi_block *block = &f->m->mine->block[p->block];
    const int layers = p->box.hi[p->axis] - p->box.lo[p->axis];
    return hxi_fail(
        HX_ERR_PARTITION,
        "%s:%d: exchange \"%s\" mirrors %d layer%s of field %s (line %d) across axis %s, at a block without "
        "an "
        "owner, and block %d of tile %d beside it, with %d cell%s there, does not know all their images.  "
        "Make "
        "blocks as thick as the width.",
        f->m->spec->file, f->m->exchange->line, f->m->exchange->name, layers, hxi_s(layers), p->field->name,
        p->field->line, f->m->spec->axis[p->axis], block->number, block->tile, block->cells[p->axis],
        hxi_s(block->cells[p->axis]));
}

/* Does the wall lie where the block's own cells end, or the tile?  Else a face there may be either block's. */
static bool is_at_end(const finder *f, const wall_box *p)
{
    const int a = p->axis;
    const bool faces = f->m->spec->positions[p->field->positions].extra[a] != 0;
    const int at = p->side == 0 ? p->start[a] : p->end[a];
    const int own = p->side == 0 ? 0 : p->points[a];
    const int last = p->side == 0 ? f->p.start[a] : f->p.end[a];
    return !faces || at == own || at == last;
}

static bool knows_images(const finder *f, const wall_box *p, const int index[])
{
    int lo, hi;
    hxi_boundary_images(f->m, p, &lo, &hi);
    const int a = p->axis;
    int cell[HX_MAX_AXES];
    memcpy(cell, index, sizeof cell);
    bool known = lo >= f->at[a][0] && hi <= f->at[a][f->count[a]];
    for (cell[a] = 0; cell[a] < f->count[a]; ++cell[a]) {
        const bool met = f->at[a][cell[a]] < hi && f->at[a][cell[a] + 1] > lo;
        known = known && (!met || f->state[number_of(f, cell)] == KNOWN);
    }
    return known;
}

/* The nearest known cell towards the block along an axis; -1: there is none. */
static int known_towards(const finder *f, const int index[], int axis)
{
    const int side = side_of(f, index, axis);
    int cell[HX_MAX_AXES];
    memcpy(cell, index, sizeof cell);
    while (side_of(f, cell, axis) == side) {
        cell[axis] -= side;
        if (f->state[number_of(f, cell)] == KNOWN) {
            return cell[axis];
        }
    }
    return -1;
}

/* Do images of a cell lack components, which do not come the way of its corner?  Then nothing is copied. */
static bool lacks_source(const finder *f, const int index[], hx_fill fill)
{
    return sides_of(f, index) > 1 && f->p.item->picks && fill != HX_FILL_ZERO && fill != HX_FILL_HOOK;
}

static hx_status fill_cell(finder *f, const int index[], int axis)
{
    const int side = side_of(f, index, axis);
    unsigned char *state = &f->state[number_of(f, index)];
    const hx_fill fill = side == 0 ? HX_FILL_NONE : f->m->exchange->wall[axis][side > 0];
    if (*state != WALL || fill == HX_FILL_NONE || (sides_of(f, index) > 1 && !f->m->exchange->box)) {
        return HX_OK;
    }
    const int from = known_towards(f, index, axis);
    if (from < 0) {
        return HX_OK;
    }
    wall_box p = f->p;
    p.axis = axis;
    p.side = side > 0;
    p.fill = fill;
    p.checked = true;
    p.start[axis] = side < 0 ? f->at[axis][from] : p.start[axis];
    p.end[axis] = side > 0 ? f->at[axis][from + 1] : p.end[axis];
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        p.box.lo[a] = f->at[a][index[a]];
        p.box.hi[a] = f->at[a][index[a] + 1];
    }
    *state = FILLED_NOW;
    if (lacks_source(f, index, fill)) {
        return HX_OK;
    }
    const bool mirrors = fill == HX_FILL_MIRROR || fill == HX_FILL_ANTIMIRROR;
    return mirrors && !(is_at_end(f, &p) && knows_images(f, &p, index)) ? refuse(f, &p)
                                                                        : hxi_boundary_add(f->m, &p);
}

/* What is filled across one axis reads nothing else that is. */
static hx_status fill_across(finder *f, int axis)
{
    int index[HX_MAX_AXES] = {0};
    hx_status status = HX_OK;
    do {
        status = fill_cell(f, index, axis);
    } while (status == HX_OK && next_cell(f, index));
    memset(index, 0, sizeof index);
    do {
        unsigned char *state = &f->state[number_of(f, index)];
        *state = *state == FILLED_NOW ? KNOWN : *state;
    } while (next_cell(f, index));
    return status;
}

hx_status hxi_boundary_at_land(hxi_boundary_maker *m, const hxi_wall_box *p, bool (*is_wall)[2], bool *found)
{
    finder f = {.m = m, .p = *p, .is_wall = is_wall};
    *found = false;
    hx_status status = m->layout->land > 0 ? find_patches(&f) : HX_OK;
    if (status == HX_OK && f.any_land) {
        *found = true;
        status = make_cells(&f);
        for (int a = 0; a < m->spec->axes && status == HX_OK; ++a) {
            status = fill_across(&f, a);
        }
    }
    hxi_memory_free(f.patch);
    hxi_memory_free(f.state);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        hxi_memory_free(f.at[a]);
    }
    return status;
}
