#include "oracle.h"

#include "origin.h"
#include "sharing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arrays ---------------------------------------------------------------------------------- */

static void *allocate(size_t size)
{
    void *memory = calloc(1, size);
    if (memory == NULL) {
        fprintf(stderr, "the test is out of memory\n");
        abort();
    }
    return memory;
}

unsigned char *arrays_element(unsigned char *array, const random_field *f, ptrdiff_t element)
{
    return array + (element + GUARD) * (ptrdiff_t)f->size;
}

static size_t bytes_of(const arrays *s, int block, int field)
{
    return (s->place[block][field].elements + 2 * GUARD) * s->world->spec->field[field].size;
}

int arrays_make(arrays *s, const world *w, int padding, unsigned variant)
{
    *s = (arrays){.world = w};
    for (int b = 0; b < w->blocks; ++b) {
        if (w->owner[b] == w->rank) {
            s->local[s->locals++] = b;
        }
    }
    for (int i = 0; variant % 2 == 1 && i < s->locals / 2; ++i) { /* in any order */
        const int other = s->local[s->locals - 1 - i];
        s->local[s->locals - 1 - i] = s->local[i];
        s->local[i] = other;
    }
    for (int f = 0; f < w->spec->fields; ++f) {
        uint64_t state = variant * 64u + (unsigned)f;
        uint64_t numbers = GUARD;
        for (int b = 0; b < w->blocks; ++b) {
            s->place[b][f] = place_make(w, b, &w->spec->field[f], padding, &state);
            s->base[b][f] = numbers;
            numbers += s->place[b][f].elements + 2 * GUARD;
        }
        if (numbers > VALUE_NUMBERS / 8) {
            return 0;
        }
    }
    for (int i = 0; i < s->locals; ++i) {
        for (int f = 0; f < w->spec->fields; ++f) {
            s->actual[s->local[i]][f] = allocate(bytes_of(s, s->local[i], f));
            s->expected[s->local[i]][f] = allocate(bytes_of(s, s->local[i], f));
        }
    }
    return 1;
}

void arrays_free(arrays *s)
{
    for (int i = 0; i < s->locals; ++i) {
        for (int f = 0; f < s->world->spec->fields; ++f) {
            free(s->actual[s->local[i]][f]);
            free(s->expected[s->local[i]][f]);
        }
    }
}

void arrays_initial(const arrays *s, int block, int field, ptrdiff_t element, void *value)
{
    const random_field *f = &s->world->spec->field[field];
    const uint64_t number = (uint64_t)((ptrdiff_t)s->base[block][field] + element);
    const uint64_t numbers = VALUE_NUMBERS / 8;
    value_make(f->kind, f->size, value, (uint64_t)(field % 6) * numbers + number, s->salt, s->small);
    if (f->wire != WIRE_NONE && !s->small) {
        value_suit(f->kind, f->size, f->has_sign, f->wire, value);
    }
}

void oracle_hook_value(const arrays *s, const oracle_wall *wall, const int at[], int component, void *value)
{
    const int block = wall->block, field = wall->field;
    const random_field *f = &s->world->spec->field[field];
    const uint64_t element = (uint64_t)(place_of(&s->place[block][field], f, at, component) + 1);
    const uint64_t numbers = VALUE_NUMBERS / 8;
    const uint64_t mixed = (s->base[block][field] + element) * 5 + (uint64_t)(wall->axis * 2 + wall->side);
    value_make(f->kind, f->size, value, 6 * numbers + mixed % (2 * numbers), s->salt, s->small);
}

void arrays_fill(arrays *s, unsigned salt, bool small)
{
    s->salt = salt;
    s->small = small;
    for (int i = 0; i < s->locals; ++i) {
        const int b = s->local[i];
        for (int f = 0; f < s->world->spec->fields; ++f) {
            const random_field *field = &s->world->spec->field[f];
            const ptrdiff_t elements = (ptrdiff_t)s->place[b][f].elements;
            for (ptrdiff_t e = -GUARD; e < elements + GUARD; ++e) {
                arrays_initial(s, b, f, e, arrays_element(s->expected[b][f], field, e));
            }
            memcpy(s->actual[b][f], s->expected[b][f], bytes_of(s, b, f));
        }
    }
}

/* ---- where points come from ------------------------------------------------------------------ */

/* The direction in which a point lies outside of its block; 0: it is owned. */
static int direction_of(const world *w, const random_field *f, int block, const int at[], int direction[])
{
    int axes = 0;
    for (int a = 0; a < w->spec->axes; ++a) {
        direction[a] = at[a] < 0 ? -1 : at[a] >= world_points(w, block, f, a) ? 1 : 0;
        axes += direction[a] != 0;
    }
    return axes;
}

static int in_stencil(const random_exchange *x, int axes, const int direction[])
{
    int outside = 0;
    for (int a = 0; a < axes; ++a) {
        outside += direction[a] != 0;
    }
    if (x->stencil != STENCIL_LIST) {
        return outside > 0 && (outside == 1 || x->stencil == STENCIL_BOX);
    }
    for (int d = 0; d < x->directions; ++d) {
        if (memcmp(x->direction[d], direction, (size_t)axes * sizeof *direction) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Whether a component travels into the ghost box in a direction. */
static int travels(const world *w, const random_field *f, int component, const int direction[])
{
    int along = 0;
    int outside = 0;
    for (int a = 0; a < w->spec->axes && f->directions > 0; ++a) {
        along -= direction[a] * f->direction[component][a];
        outside += direction[a] != 0;
    }
    return along == outside;
}

/* ---- copying and adding ---------------------------------------------------------------------- */

/* All points that an exchange may fill, owned ones included. */
static void reach_of(const world *w, const random_exchange *x, int item, int block, int lo[], int hi[])
{
    const random_field *f = &w->spec->field[x->field[item]];
    for (int a = 0; a < w->spec->axes; ++a) {
        lo[a] = -x->width[item][0][a];
        hi[a] = world_points(w, block, f, a) + x->width[item][1][a];
    }
}

/* One component of one ghost point and of the point that feeds it. */
typedef struct ghost_point {
    int field, block;
    const int *at;
} ghost_point;

static void expect_element(arrays *s, const random_exchange *x, const ghost_point *p, const origin *from,
                           int component)
{
    const int field = p->field, block = p->block;
    const random_field *f = &s->world->spec->field[field];
    const random_field *source = &s->world->spec->field[from->field];
    const ptrdiff_t there = place_of(&s->place[from->block][from->field], source, from->at, component);
    const ptrdiff_t here = place_of(&s->place[block][field], f, p->at, component);
    unsigned char *ghost = s->expected[block][field];
    unsigned char *owned = s->expected[from->block][from->field];
    _Alignas(16) unsigned char value[64];
    if (x->add) {
        arrays_initial(s, block, field, here, value);
    } else {
        arrays_initial(s, from->block, from->field, there, value);
    }
    if ((!x->add || x->rounds) && f->wire != WIRE_NONE) {
        value_round(f->kind, f->wire, value);
    }
    if (from->negated) {
        value_negate(f->kind, f->size, value);
    }
    if (x->add && owned != NULL) {
        void *sum = arrays_element(owned, source, there);
        if (x->extreme) {
            value_take(f->kind, f->has_sign, f->size, x->extreme, sum, value);
        } else {
            value_add(f->kind, f->size, sum, value);
        }
    }
    if (x->add) {
        value_zero(f->size, value);
    }
    if (ghost != NULL && !x->keeps) {
        memcpy(arrays_element(ghost, f, here), value, f->size);
    }
}

/* Whether an exchange reaches straight across the fold, which makes owned points that lie on others equal to
 * them. */
static int rewrites(const world *w, const random_exchange *x, int item, int block, const int at[])
{
    const random_fold *fold = w->spec->fold;
    int across[AXES] = {0};
    if (fold != NULL) {
        across[fold->across] = fold->side > 0 ? 1 : -1;
    }
    return fold != NULL && x->width[item][fold->side][fold->across] > 0 &&
           in_stencil(x, w->spec->axes, across) && origin_is_rewritten(w, x->field[item], block, at);
}

static void expect_point(arrays *s, const random_exchange *x, int item, int block, const int at[])
{
    const world *w = s->world;
    const int field = x->field[item];
    const random_field *f = &w->spec->field[field];
    int direction[AXES];
    origin from;
    const int owned = direction_of(w, f, block, at, direction) == 0;
    const int written = owned ? rewrites(w, x, item, block, at) : in_stencil(x, w->spec->axes, direction);
    if (!written || !origin_find(w, field, block, at, &from)) {
        return;
    }
    for (int c = 0; c < f->components; ++c) {
        if (travels(w, f, c, direction)) {
            expect_element(s, x, &(ghost_point){field, block, at}, &from, c);
        }
    }
}

static void expect_moves(arrays *s, const random_exchange *x)
{
    const world *w = s->world;
    for (int b = 0; b < w->blocks; ++b) {
        for (int i = 0; i < x->fields; ++i) {
            int lo[AXES] = {0};
            int hi[AXES] = {0};
            int at[AXES];
            reach_of(w, x, i, b, lo, hi);
            memcpy(at, lo, sizeof at);
            do {
                expect_point(s, x, i, b, at);
            } while (box_next(w->spec->axes, lo, hi, at));
        }
    }
}

/* ---- walls ----------------------------------------------------------------------------------- */

/* A wall and a block's ghost points of one field beyond it. */
typedef struct wall {
    int block, item, axis, side;
    fill fill;
    int lo[AXES], hi[AXES];
} wall;

static bool is_wall(const random_spec *spec, int axis, int side)
{
    const random_fold *fold = spec->fold;
    return !spec->periodic[axis] && !(fold != NULL && fold->across == axis && fold->side == side);
}

/* Points of the whole grid along an axis. */
static int grid_points(const world *w, const random_field *f, int axis)
{
    return w->cells[0][axis] + (f->at[axis] == AT_BOTH);
}

/*
 * How far a fill goes along another axis: beyond the owned points where the stencil is a box that all
 * components take, to wherever there is a neighbor, and beyond walls that were filled before.
 */
static void extend(const world *w, const random_exchange *x, const random_field *f, wall *v, int axis)
{
    const int first = world_first(w, v->block, axis);
    const int points = world_points(w, v->block, f, axis);
    const int *const width[2] = {x->width[v->item][0], x->width[v->item][1]};
    int lo = -width[0][axis];
    int hi = points + width[1][axis];
    if (is_wall(w->spec, axis, 0) && (axis > v->axis || x->fill[axis][0] == FILL_NONE)) {
        lo = lo < -first ? -first : lo; /* not beyond the low wall */
    }
    if (is_wall(w->spec, axis, 1) && (axis > v->axis || x->fill[axis][1] == FILL_NONE)) {
        const int end = grid_points(w, f, axis) - first;
        hi = hi > end ? end : hi;
    }
    const int needs_source = v->fill != FILL_ZERO && v->fill != FILL_HOOK;
    const int corners = x->stencil == STENCIL_BOX && !(f->directions > 0 && needs_source);
    v->lo[axis] = corners ? lo : 0;
    v->hi[axis] = corners ? hi : points;
}

/* The points beyond a wall, of which block, item, axis and side are given; 0: there are none. */
static int wall_make(const world *w, const random_exchange *x, wall *v)
{
    const int item = v->item, block = v->block, axis = v->axis, side = v->side;
    const random_field *f = &w->spec->field[x->field[item]];
    const int points = world_points(w, block, f, axis);
    const int first = world_first(w, block, axis);
    v->fill = x->fill[axis][side];
    if (!is_wall(w->spec, axis, side) || v->fill == FILL_NONE) {
        return 0;
    }
    if (side == 0) {
        v->lo[axis] = -x->width[item][0][axis];
        v->hi[axis] = -first;
    } else {
        v->lo[axis] = grid_points(w, f, axis) - first;
        v->hi[axis] = points + x->width[item][1][axis];
    }
    for (int a = 0; a < w->spec->axes; ++a) {
        if (a != axis) {
            extend(w, x, f, v, a);
        }
    }
    return v->lo[axis] < v->hi[axis];
}

/* The index that a ghost point beyond a wall is filled from, counted in the block. */
static int image_of(const world *w, const random_field *f, const wall *v, int at)
{
    static const int twice[] = {[AT_CENTER] = 1, [AT_LOW] = 0, [AT_HIGH] = 2, [AT_BOTH] = 0};
    const int first = world_first(w, v->block, v->axis);
    const int last = grid_points(w, f, v->axis) - 1;
    if (v->fill == FILL_COPY) {
        return (v->side == 0 ? 0 : last) - first;
    }
    /* Twice the position of index i is 2 i + twice; the wall lies at 0 or twice the cells. */
    const int position = 2 * (at + first) + twice[f->at[v->axis]];
    const int mirrored = (v->side == 0 ? 0 : 4 * w->cells[0][v->axis]) - position;
    return (mirrored - twice[f->at[v->axis]]) / 2 - first;
}

/* Whether a field changes its sign in a mirror across an axis. */
static bool mirror_negates(const world *w, const random_field *f, int across)
{
    int axis[AXES];
    int sign[AXES];
    for (int a = 0; a < AXES; ++a) {
        axis[a] = a;
        sign[a] = a == across ? -1 : 1;
    }
    return origin_negates(w->spec, f, axis, sign);
}

static void fill_point(arrays *s, const random_exchange *x, const wall *v, const int at[])
{
    const world *w = s->world;
    const int field = x->field[v->item];
    const random_field *f = &w->spec->field[field];
    const place *p = &s->place[v->block][field];
    unsigned char *array = s->expected[v->block][field];
    int image[AXES];
    memcpy(image, at, sizeof image);
    image[v->axis] = image_of(w, f, v, at[v->axis]);
    const bool reflects = v->fill == FILL_MIRROR || v->fill == FILL_ANTIMIRROR;
    const bool opposite = reflects && (v->fill == FILL_ANTIMIRROR) != mirror_negates(w, f, v->axis);
    for (int c = 0; c < f->components; ++c) {
        unsigned char *to = arrays_element(array, f, place_of(p, f, at, c));
        if (v->fill == FILL_HOOK) {
            oracle_hook_value(s, &(oracle_wall){v->block, field, v->axis, v->side}, at, c, to);
        } else if (v->fill == FILL_ZERO || (opposite && image[v->axis] == at[v->axis])) {
            value_zero(f->size, to);
        } else if (image[v->axis] != at[v->axis]) {
            memcpy(to, arrays_element(array, f, place_of(p, f, image, c)), f->size);
            if (opposite) {
                value_negate(f->kind, f->size, to);
            }
        }
    }
}

static void expect_fills(arrays *s, const random_exchange *x, int block, int item)
{
    for (int a = 0; a < s->world->spec->axes; ++a) {
        for (int side = 0; side < 2; ++side) {
            wall v = {.block = block, .item = item, .axis = a, .side = side};
            if (wall_make(s->world, x, &v)) {
                int at[AXES];
                memcpy(at, v.lo, sizeof at);
                do {
                    fill_point(s, x, &v, at);
                } while (box_next(s->world->spec->axes, v.lo, v.hi, at));
            }
        }
    }
}

void oracle_expect(arrays *s, int exchange)
{
    const random_exchange *x = &s->world->spec->exchange[exchange];
    if (x->agree != AGREE_NONE) {
        sharing_expect(s, x);
        return;
    }
    expect_moves(s, x);
    for (int i = 0; i < s->locals; ++i) {
        for (int item = 0; item < x->fields; ++item) {
            expect_fills(s, x, s->local[i], item);
        }
    }
}

/* ---- what must be refused -------------------------------------------------------------------- */

/* Whether the points that a wall's fill reads are there: owned, or ghosts that were filled. */
static int images_are_there(const world *w, const random_exchange *x, const wall *v)
{
    const random_field *f = &w->spec->field[x->field[v->item]];
    const int points = world_points(w, v->block, f, v->axis);
    const int first = world_first(w, v->block, v->axis);
    const int needed = v->fill == FILL_COPY || v->fill == FILL_MIRROR || v->fill == FILL_ANTIMIRROR;
    for (int at = v->lo[v->axis]; needed && at < v->hi[v->axis]; ++at) {
        const int image = image_of(w, f, v, at);
        int direction[AXES] = {0};
        direction[v->axis] = image < 0 ? -1 : 1;
        if (image == at || (image >= 0 && image < points)) {
            continue;
        }
        if (image + first < 0 || image + first >= grid_points(w, f, v->axis) ||
            image < -x->width[v->item][0][v->axis] || image >= points + x->width[v->item][1][v->axis] ||
            !in_stencil(x, w->spec->axes, direction)) {
            return 0;
        }
    }
    return 1;
}

int oracle_accepts(const world *w, char *text, size_t room)
{
    for (int i = 0; i < w->spec->exchanges; ++i) {
        const random_exchange *x = &w->spec->exchange[i];
        for (int k = 0; k < w->blocks * x->fields * w->spec->axes * 2; ++k) {
            const int side = k % 2;
            const int axis = k / 2 % w->spec->axes;
            const int item = k / 2 / w->spec->axes % x->fields;
            const int block = k / 2 / w->spec->axes / x->fields;
            wall v = {.block = block, .item = item, .axis = axis, .side = side};
            if (wall_make(w, x, &v) && !images_are_there(w, x, &v)) {
                snprintf(text, room,
                         "field %s of block %d lacks what exchange %s needs at a wall across axis %d",
                         w->spec->field[x->field[item]].name, v.block, x->name, axis);
                return 0;
            }
        }
    }
    return 1;
}
