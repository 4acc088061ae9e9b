#include "origin.h"

#include <stdlib.h>
#include <string.h>

int origin_offset(const random_field *f, int axis)
{
    static const int offset[] = {[AT_CENTER] = 1, [AT_LOW] = 0, [AT_HIGH] = 2, [AT_BOTH] = 0};
    return offset[f->at[axis]];
}

static bool is_outside(const world *w, const random_field *f, int block, int axis, int at)
{
    return at < 0 || at >= world_points(w, block, f, axis);
}

/*
 * The cell, counted in the tile, with which a block sees one of its points: the one above a face that blocks
 * share, but the one below it at the end of the block, or of the tile.
 */
static int cell_of(const world *w, const random_field *f, int block, int axis, int at)
{
    const int cell = world_first(w, block, axis) + at;
    if (f->at[axis] != AT_BOTH) {
        return cell;
    }
    const bool last = is_outside(w, f, block, axis, at) ? cell >= w->cells[w->tile[block]][axis]
                                                        : at == world_cells(w, block, axis);
    return last ? cell - 1 : cell;
}

/* Half cells from the low end of that cell. */
static int inset_of(const world *w, const random_field *f, int block, int axis, int at)
{
    const int position = 2 * (world_first(w, block, axis) + at) + origin_offset(f, axis);
    return position - 2 * cell_of(w, f, block, axis, at);
}

/*
 * A point along one axis of a tile.  seen: the cell that the asking block sees it with, or -1 where the block
 * met in that direction has it: of a face that two blocks store the one of which it is the low face.
 */
typedef struct line_point {
    int tile, axis, index, seen;
} line_point;

/* Sets the source's part and index along that axis. */
static void settle(const world *w, const random_field *f, const line_point *p, int part[], origin *from)
{
    const int tile = p->tile, axis = p->axis, index = p->index, seen = p->seen;
    const int cells = w->cells[tile][axis];
    int cell = f->at[axis] != AT_BOTH || seen < 0 ? index : seen;
    cell = cell < cells ? cell : cells - 1;
    part[axis] = world_part_of_cell(w, tile, axis, cell);
    from->at[axis] = index - w->cut[tile][axis][part[axis]];
}

/* ---- a box ----------------------------------------------------------------------------------- */

/* Positions modulo the extents along periodic axes; nothing beyond walls. */
static bool find_in_box(const world *w, int field, int block, const int at[], origin *from)
{
    const random_field *f = &w->spec->field[field];
    int part[AXES];
    for (int a = 0; a < w->spec->axes; ++a) {
        const int points = w->cells[0][a] + (f->at[a] == AT_BOTH);
        const bool outside = is_outside(w, f, block, a, at[a]);
        int index = world_first(w, block, a) + at[a];
        if (!w->spec->periodic[a] && (index < 0 || index >= points)) {
            return false;
        }
        while (outside && (index < 0 || index >= points)) {
            index += index < 0 ? w->cells[0][a] : -w->cells[0][a];
        }
        settle(w, f, &(line_point){0, a, index, outside ? -1 : cell_of(w, f, block, a, at[a])}, part, from);
    }
    from->block = world_block(w, 0, part);
    return true;
}

/* ---- connected tiles ------------------------------------------------------------------------- */

/* A cell, and where the axes of the tile that one comes from go on there. */
typedef struct walker {
    int tile;
    int cell[AXES];
    int axis[AXES];
    int sign[AXES];
} walker;

/* To the next cell along an axis of the tile that one comes from; false: a wall. */
static bool walk_step(const world *w, walker *k, int axis, int sense)
{
    const int across = k->axis[axis];
    const int onward = sense * k->sign[axis];
    k->cell[across] += onward;
    if (k->cell[across] >= 0 && k->cell[across] < w->cells[k->tile][across]) {
        return true;
    }
    const random_side *side = &w->spec->side[k->tile][across][onward > 0];
    if (side->tile < 0) {
        return false;
    }
    walker there = {.tile = side->tile};
    for (int a = 0; a < w->spec->axes; ++a) {
        const int to = side->to[a];
        const int last = w->cells[side->tile][to] - 1;
        if (a == across) {
            there.cell[to] = onward * side->sign[a] > 0 ? 0 : last;
        } else {
            there.cell[to] = side->sign[a] > 0 ? k->cell[a] : last - k->cell[a];
        }
        there.axis[a] = side->to[k->axis[a]];
        there.sign[a] = side->sign[k->axis[a]] * k->sign[a];
    }
    *k = there;
    return true;
}

/*
 * Goes the steps along all axes, one axis after the other, in all orders; false: one of them meets a wall, or
 * two end at different places, since other than four tiles meet where they go around.
 */
static bool walk_all(const world *w, const walker *start, const int steps[], walker *end, bool *ended)
{
    bool there = true;
    for (int a = 0; a < w->spec->axes; ++a) {
        if (steps[a] != 0) {
            walker k = *start;
            int rest[AXES];
            there = false;
            memcpy(rest, steps, sizeof rest);
            for (rest[a] = 0; rest[a] < abs(steps[a]); ++rest[a]) {
                if (!walk_step(w, &k, a, steps[a] < 0 ? -1 : 1)) {
                    return false;
                }
            }
            rest[a] = 0;
            if (!walk_all(w, &k, rest, end, ended)) {
                return false;
            }
        }
    }
    if (!there) {
        return true;
    }
    if (!*ended) {
        *end = *start;
        *ended = true;
    }
    return memcmp(start, end, sizeof *end) == 0;
}

bool origin_negates(const random_spec *spec, const random_field *f, const int axis[], const int sign[])
{
    if (f->normal < 0 || f->turns == VECTOR_UNSIGNED) {
        return false;
    }
    bool negated = sign[f->normal] < 0;
    for (int a = 0; a < spec->axes && f->turns == VECTOR_PSEUDO; ++a) { /* where space is mirrored, too */
        negated ^= sign[a] < 0;
        for (int b = 0; b < a; ++b) {
            negated ^= axis[b] > axis[a];
        }
    }
    return negated;
}

static bool find_in_tiles(const world *w, int field, int block, const int at[], origin *from)
{
    const random_spec *spec = w->spec;
    const random_field *f = &spec->field[field];
    walker start = {.tile = w->tile[block]};
    walker end;
    int steps[AXES] = {0};
    int part[AXES];
    bool ended = false;
    for (int a = 0; a < spec->axes; ++a) {
        const int cell = cell_of(w, f, block, a, at[a]);
        const int last = w->cells[start.tile][a] - 1;
        start.cell[a] = cell < 0 ? 0 : cell > last ? last : cell;
        start.axis[a] = a;
        start.sign[a] = 1;
        steps[a] = cell - start.cell[a];
    }
    if (!walk_all(w, &start, steps, &end, &ended)) {
        return false;
    }
    from->field = f->normal < 0 ? field : f->sister[end.axis[f->normal]];
    from->negated = origin_negates(spec, f, end.axis, end.sign);
    for (int a = 0; a < spec->axes; ++a) {
        const random_field *source = &spec->field[from->field];
        const int b = end.axis[a];
        const int inset = inset_of(w, f, block, a, at[a]);
        const int position = 2 * end.cell[b] + (end.sign[a] > 0 ? inset : 2 - inset);
        const bool outside = is_outside(w, f, block, a, at[a]);
        settle(
            w, source,
            &(line_point){end.tile, b, (position - origin_offset(source, b)) / 2, outside ? -1 : end.cell[b]},
            part, from);
    }
    from->block = world_block(w, end.tile, part);
    return true;
}

/* ---- a fold ---------------------------------------------------------------------------------- */

/* Half cells from the low end of the grid to the line about which it is folded. */
static int line_of(const world *w)
{
    const random_fold *fold = w->spec->fold;
    return fold->side > 0 ? 2 * w->cells[0][fold->across] - fold->inset : fold->inset;
}

static int modulo(int value, int n)
{
    return (value % n + n) % n;
}

/* Whether an exchange has layers of a field across the fold, in a direction of its list if it has one. */
static bool takes_across(const random_spec *spec, const random_exchange *x, int item)
{
    const random_fold *fold = spec->fold;
    bool takes = x->stencil != STENCIL_LIST && x->width[item][fold->side][fold->across] > 0;
    for (int d = 0; d < x->directions && x->stencil == STENCIL_LIST; ++d) {
        const int *direction = x->direction[d];
        bool reaches = direction[fold->across] == (fold->side > 0 ? 1 : -1);
        for (int a = 0; a < spec->axes; ++a) {
            reaches = reaches && (direction[a] == 0 || x->width[item][direction[a] > 0][a] > 0);
        }
        takes = takes || reaches;
    }
    return takes;
}

/* Whether some exchange of the spec takes a field across the fold; the points of others are all their own. */
static bool goes_across(const random_spec *spec, int field)
{
    bool goes = false;
    for (int i = 0; i < spec->exchanges; ++i) {
        const random_exchange *x = &spec->exchange[i];
        for (int k = 0; k < x->fields && x->agree == AGREE_NONE; ++k) {
            goes = goes || (x->field[k] == field && takes_across(spec, x, k));
        }
    }
    return goes;
}

/* Behind the line; or on it, on the way from the second pivot around to the first. */
static bool lies_on_another(const world *w, int field, int block, const int at[])
{
    const random_fold *fold = w->spec->fold;
    const random_field *f = &w->spec->field[field];
    const int across =
        2 * (world_first(w, block, fold->across) + at[fold->across]) + origin_offset(f, fold->across);
    const int along =
        2 * (world_first(w, block, fold->along) + at[fold->along]) + origin_offset(f, fold->along);
    const int behind = fold->side > 0 ? across - line_of(w) : line_of(w) - across;
    const int ring = 2 * w->cells[0][fold->along];
    return behind > 0 || (behind == 0 && modulo(along - fold->pivot, ring) > ring / 2);
}

bool origin_is_rewritten(const world *w, int field, int block, const int at[])
{
    return w->spec->fold != NULL && lies_on_another(w, field, block, at);
}

static int around(int index, int cells, int points)
{
    while (index < 0 || index >= points) {
        index += index < 0 ? cells : -cells;
    }
    return index;
}

/*
 * Along the ring.  Where it closes two faces are one, and that one feeds which turning gives: about the
 * second pivot, or from beyond both the fold and an end of the axis about the pivots that are nearer there.
 */
typedef struct fold_point {
    int block;
    const int *at;
    bool turned, owned;
} fold_point;

static void settle_along(const world *w, const random_field *f, const fold_point *p, int part[], origin *from)
{
    const int block = p->block, *at = p->at;
    const bool turned = p->turned;
    const random_fold *fold = w->spec->fold;
    const int axis = fold->along;
    const int cells = w->cells[0][axis];
    const int points = cells + (f->at[axis] == AT_BOTH);
    const int row = world_first(w, block, fold->across) + at[fold->across];
    const bool beyond = row < 0 || row >= w->cells[0][fold->across] + (f->at[fold->across] == AT_BOTH);
    int index = world_first(w, block, axis) + at[axis];
    const bool above = index == cell_of(w, f, block, axis, at[axis]); /* the cell that it is seen with */
    index = beyond ? index : around(index, cells, points);
    if (turned) {
        const int rings = index < 0 ? 0 : index >= points ? 2 : 1;
        index = fold->pivot + rings * cells - index - origin_offset(f, axis);
    }
    index = around(index, cells, points);
    const int cell = above == turned && index > 0 ? index - 1 : index;
    settle(w, f, &(line_point){0, axis, index, is_outside(w, f, block, axis, at[axis]) ? -1 : cell}, part,
           from);
}

/* Across the fold, or along an axis that it does not turn; false: a wall. */
static bool settle_across(const world *w, const random_field *f, const fold_point *p, int axis, int part[],
                          origin *from)
{
    const int block = p->block, at = p->at[axis];
    /* A ghost point of that direction, as are owned ones that are rewritten. */
    const bool rewritten = p->owned && axis == w->spec->fold->across;
    const bool outside = rewritten || is_outside(w, f, block, axis, at);
    const int cells = w->cells[0][axis];
    int index = world_first(w, block, axis) + at;
    int cell = cell_of(w, f, block, axis, at);
    if (p->turned && axis == w->spec->fold->across) {
        cell = line_of(w) - 1 - cell;
        cell = cell < 0 ? 0 : cell < cells ? cell : cells - 1;
        index = line_of(w) - index - origin_offset(f, axis);
    } else if (index < 0 || index >= cells + (f->at[axis] == AT_BOTH)) {
        return false;
    }
    settle(w, f, &(line_point){0, axis, index, outside ? -1 : cell}, part, from);
    return true;
}

static bool find_in_fold(const world *w, int field, int block, const int at[], origin *from)
{
    const random_spec *spec = w->spec;
    const random_field *f = &spec->field[field];
    const bool turned = goes_across(spec, field) && lies_on_another(w, field, block, at);
    fold_point p = {.block = block, .at = at, .turned = turned, .owned = true};
    int part[AXES];
    int axis[AXES];
    int sign[AXES];
    for (int a = 0; a < spec->axes; ++a) {
        p.owned = p.owned && !is_outside(w, f, block, a, at[a]);
    }
    for (int a = 0; a < spec->axes; ++a) {
        axis[a] = a;
        sign[a] = turned && (a == spec->fold->along || a == spec->fold->across) ? -1 : 1;
        if (a == spec->fold->along) {
            settle_along(w, f, &p, part, from);
        } else if (!settle_across(w, f, &p, a, part, from)) {
            return false;
        }
    }
    from->negated = origin_negates(spec, f, axis, sign);
    from->block = world_block(w, 0, part);
    return true;
}

bool origin_find(const world *w, int field, int block, const int at[], origin *from)
{
    *from = (origin){.field = field};
    return w->spec->side != NULL   ? find_in_tiles(w, field, block, at, from)
           : w->spec->fold != NULL ? find_in_fold(w, field, block, at, from)
                                   : find_in_box(w, field, block, at, from);
}
