#include "sharing.h"

#include "origin.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COPIES = 96, MOST_HOLDERS = 192, LARGEST = 64 };

/* ---- who has a point ------------------------------------------------------------------------- */

/* A place where a tile has the point, and whether its value has the opposite sign there. */
typedef struct copy {
    int tile;
    int field;
    int at[AXES];  /* counted in the tile */
    int end[AXES]; /* of the tile, that it lies on: -1, 1, or 0 where none */
    bool negated;
} copy;

/* Across a side that the point lies on; false: a wall. */
static bool cross(const world *w, copy *c, int axis, int side)
{
    const random_spec *spec = w->spec;
    if (spec->side == NULL) {
        c->at[axis] = side > 0 ? 0 : w->cells[0][axis];
        return spec->periodic[axis];
    }
    const random_side *beyond = &spec->side[c->tile][axis][side];
    if (beyond->tile < 0) {
        return false;
    }
    const random_field *f = &spec->field[c->field];
    copy there = {.tile = beyond->tile, .field = c->field};
    there.field = f->normal < 0 ? c->field : f->sister[beyond->to[f->normal]];
    there.negated = c->negated ^ origin_negates(spec, f, beyond->to, beyond->sign);
    for (int a = 0; a < spec->axes; ++a) {
        const int to = beyond->to[a];
        const int end = 2 * w->cells[beyond->tile][to];
        const int position = 2 * c->at[a] + origin_offset(f, a);
        int turned = beyond->sign[a] > 0 ? position : end - position;
        if (a == axis) {
            turned = (side > 0) == (beyond->sign[a] > 0) ? 0 : end;
        }
        there.at[to] = (turned - origin_offset(&spec->field[there.field], to)) / 2;
    }
    *c = there;
    return true;
}

static int compare(const void *left, const void *right)
{
    const copy *a = left;
    const copy *b = right;
    int order = a->tile - b->tile;
    for (int axis = 0; axis < AXES && order == 0; ++axis) {
        order = a->end[axis] != b->end[axis] ? a->end[axis] - b->end[axis] : a->at[axis] - b->at[axis];
    }
    return order;
}

static int add_copy(const world *w, copy found[], int count, copy *c)
{
    for (int a = 0; a < w->spec->axes; ++a) {
        const bool faces = w->spec->field[c->field].at[a] == AT_BOTH;
        c->end[a] = faces ? (c->at[a] == w->cells[c->tile][a]) - (c->at[a] == 0) : 0;
    }
    for (int i = 0; i < count; ++i) {
        if (compare(&found[i], c) == 0) {
            return count;
        }
    }
    if (count == MOST_COPIES) {
        abort();
    }
    found[count] = *c;
    return count + 1;
}

/* All that one comes to by crossing sides, by rising tile and place: low ends of a tile come first. */
static int find_copies(const world *w, copy *point, copy found[])
{
    int count = add_copy(w, found, 0, point);
    for (int i = 0; i < count; ++i) {
        const random_field *f = &w->spec->field[found[i].field];
        for (int k = 0; k < 2 * w->spec->axes; ++k) {
            const int axis = k / 2;
            copy there = found[i];
            const int end = k % 2 > 0 ? w->cells[there.tile][axis] : 0;
            if (f->at[axis] == AT_BOTH && there.at[axis] == end && cross(w, &there, axis, k % 2)) {
                count = add_copy(w, found, count, &there);
            }
        }
    }
    qsort(found, (size_t)count, sizeof *found, compare);
    return count;
}

/* A block that has one of the copies. */
typedef struct holder {
    const copy *copy;
    int block;
    int at[AXES]; /* counted in the block */
    int low;      /* axes along which it is the block's first face */
} holder;

static bool holds(const world *w, const copy *c, int block, holder *h)
{
    const random_field *f = &w->spec->field[c->field];
    bool has = w->tile[block] == c->tile;
    *h = (holder){.copy = c, .block = block};
    for (int a = 0; a < w->spec->axes && has; ++a) {
        h->at[a] = c->at[a] - world_first(w, block, a);
        has = h->at[a] >= 0 && h->at[a] < world_points(w, block, f, a);
        h->low += f->at[a] == AT_BOTH && h->at[a] == 0;
    }
    return has;
}

/* By rising copy and block. */
static int find_holders(const world *w, const copy copies[], int count, holder found[])
{
    int holders = 0;
    for (int c = 0; c < count; ++c) {
        for (int b = 0; b < w->blocks; ++b) {
            holders += holders < MOST_HOLDERS && holds(w, &copies[c], b, &found[holders]);
        }
    }
    return holders;
}

/* The owner is the last block of the first copy; the greater one has it as its low face along most axes. */
static const holder *decides(const holder h[], int holders, agreement agree)
{
    const holder *best = &h[0];
    for (int i = 1; i < holders; ++i) {
        const bool owner = h[i].copy == best->copy;
        if (agree == AGREE_GREATER && h[i].low != best->low ? h[i].low > best->low : owner) {
            best = &h[i];
        }
    }
    return best;
}

/* ---- what it becomes ------------------------------------------------------------------------- */

/* What a holder had before, as the point that asks sees it. */
static void value_of(const arrays *s, const holder *h, int component, void *value)
{
    const int field = h->copy->field;
    const random_field *f = &s->world->spec->field[field];
    arrays_initial(s, h->block, field, place_of(&s->place[h->block][field], f, h->at, component), value);
    if (h->copy->negated) {
        value_negate(f->kind, f->size, value);
    }
}

static void sum_of(const arrays *s, const random_field *f, const holder h[], int holders, int component,
                   void *value)
{
    value_zero(f->size, value);
    for (int i = 0; i < holders; ++i) {
        _Alignas(16) unsigned char other[LARGEST];
        value_of(s, &h[i], component, other);
        value_add(f->kind, f->size, value, other);
    }
}

/* The greatest, or with a sense of -1 the least. */
static void extreme_of(const arrays *s, const holder h[], int holders, int component, int sense, void *value)
{
    const random_field *f = &s->world->spec->field[h->copy->field];
    value_of(s, &h[0], component, value);
    for (int i = 1; i < holders; ++i) {
        _Alignas(16) unsigned char other[LARGEST];
        value_of(s, &h[i], component, other);
        value_take(f->kind, f->has_sign, f->size, sense, value, other);
    }
}

/* The mean of the places, each of which is the mean of its blocks. */
static void mean_of(const arrays *s, const random_field *f, const holder h[], int holders, int component,
                    void *value)
{
    int places = 0;
    value_zero(f->size, value);
    for (int i = 0, next = 0; i < holders; i = next) {
        _Alignas(16) unsigned char sum[LARGEST];
        while (next < holders && h[next].copy == h[i].copy) {
            ++next;
        }
        sum_of(s, f, h + i, next - i, component, sum);
        value_divide(f->kind, sum, next - i);
        value_add(f->kind, f->size, value, sum);
        ++places;
    }
    value_divide(f->kind, value, places);
}

static void expect_point(arrays *s, const random_exchange *x, int field, int block, const int at[])
{
    const world *w = s->world;
    const random_field *f = &w->spec->field[field];
    copy copies[MOST_COPIES];
    holder h[MOST_HOLDERS];
    copy point = {.tile = w->tile[block], .field = field};
    for (int a = 0; a < w->spec->axes; ++a) {
        point.at[a] = world_first(w, block, a) + at[a];
    }
    const int holders = find_holders(w, copies, find_copies(w, &point, copies), h);
    const holder *best = decides(h, holders, x->agree);
    const bool itself =
        best->block == block && best->copy->field == field && memcmp(best->at, at, sizeof best->at) == 0;
    for (int c = 0; c < f->components && holders > 1; ++c) {
        const ptrdiff_t element = place_of(&s->place[block][field], f, at, c);
        unsigned char *value = arrays_element(s->expected[block][field], f, element);
        if (x->agree == AGREE_MEAN) {
            mean_of(s, f, h, holders, c, value);
        } else if (x->agree == AGREE_SUM) {
            sum_of(s, f, h, holders, c, value);
        } else if (!x->add) {
            value_of(s, best, c, value);
        } else if (itself && x->extreme) {
            extreme_of(s, h, holders, c, x->extreme, value);
        } else if (itself) {
            sum_of(s, f, h, holders, c, value);
        } else if (!x->keeps) {
            value_zero(f->size, value);
        }
    }
}

/* Whether a point lies on a face of its block that another block may store, too. */
static bool is_on_face(const world *w, const random_field *f, int block, const int at[])
{
    bool on_face = false;
    for (int a = 0; a < w->spec->axes; ++a) {
        on_face = on_face || (f->at[a] == AT_BOTH && (at[a] == 0 || at[a] == world_cells(w, block, a)));
    }
    return on_face;
}

void sharing_expect(arrays *s, const random_exchange *x)
{
    const world *w = s->world;
    for (int k = 0; k < s->locals * x->fields; ++k) {
        const int block = s->local[k / x->fields];
        const int field = x->field[k % x->fields];
        const random_field *f = &w->spec->field[field];
        int lo[AXES] = {0};
        int hi[AXES] = {0};
        int at[AXES] = {0};
        for (int a = 0; a < w->spec->axes; ++a) {
            hi[a] = world_points(w, block, f, a);
        }
        do {
            if (is_on_face(w, f, block, at)) {
                expect_point(s, x, field, block, at);
            }
        } while (box_next(w->spec->axes, lo, hi, at));
    }
}
