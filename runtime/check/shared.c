#include "check/shared.h"

#include "check/compare.h"
#include "check/sums.h"

enum { MOST_PLACES = 64, MOST_HOLDERS = 256 };

/* ---- places that have a point -------------------------------------------------------------------------- */

typedef struct place_list {
    check_place at[MOST_PLACES];
    int count;
} place_list;

/* By tile and index, the first axis first; with equal indices those on faces across an axis come before others. */
static int compare_places(const check_run *r, const check_place *a, const check_place *b)
{
    int sign = a->tile - b->tile;
    for (int axis = 0; axis < r->spec->axes && sign == 0; ++axis) {
        sign = a->index[axis] - b->index[axis];
    }
    for (int axis = 0; axis < r->spec->axes && sign == 0; ++axis) {
        sign = hxi_check_faces(r, b->field, axis) - hxi_check_faces(r, a->field, axis);
    }
    return sign;
}

static void add_place(const check_run *r, place_list *list, const check_place *place)
{
    for (int k = 0; k < list->count; ++k) {
        if (compare_places(r, &list->at[k], place) == 0) {
            return;
        }
    }
    if (list->count < MOST_PLACES) {
        list->at[list->count++] = *place;
    }
}

static void sort_places(const check_run *r, place_list *list)
{
    for (int i = 1; i < list->count; ++i) {
        for (int k = i; k > 0 && compare_places(r, &list->at[k], &list->at[k - 1]) < 0; --k) {
            const check_place next = list->at[k];
            list->at[k] = list->at[k - 1];
            list->at[k - 1] = next;
        }
    }
}

/*
 * All places that have an owned point, sorted: found across sides, first around, then where the grid turns.
 */
static void find_places(const check_run *r, const check_spot *spot, place_list *list)
{
    const check_grid *grid = hxi_check_grid_of(r);
    const int axes = r->spec->axes;
    list->count = 1;
    list->at[0] = (check_place){.tile = spot->part->tile, .field = spot->field};
    for (int a = 0; a < axes; ++a) {
        list->at[0].index[a] = spot->part->first[a] + spot->point[a];
    }
    for (int i = 0; i < list->count; ++i) {
        for (int side = 0; side < 4 * axes; ++side) {
            check_place there;
            const int wanted = 1 + (side >= 2 * axes);
            if (grid->see_across(r, &list->at[i], side / 2 % axes, side % 2, &there) == wanted) {
                add_place(r, list, &there);
            }
        }
    }
    sort_places(r, list);
}

/* ---- blocks that hold it ------------------------------------------------------------------------------- */

typedef struct holder {
    const check_place *at; /* which of the places */
    hx_part part;
    check_spot spot;
    int first_faces; /* axes along which it is the block's first face */
    bool last;       /* of the blocks that have it at the place, the one with the highest number */
} holder;

/* By rising place and number of the block. */
typedef struct holder_list {
    holder at[MOST_HOLDERS];
    int count;
    int own; /* which of them is the block that asks */
} holder_list;

static bool holds_place(const check_run *r, const check_place *at, holder *h)
{
    bool inside = true;
    h->at = at;
    h->first_faces = 0;
    h->last = false;
    h->spot = (check_spot){.part = &h->part, .field = at->field};
    for (int a = 0; a < r->spec->axes; ++a) {
        const int point = at->index[a] - h->part.first[a];
        h->spot.point[a] = point;
        h->first_faces += hxi_check_faces(r, at->field, a) && point == 0;
        inside = inside && point >= 0 && point < hxi_check_owned(r, &h->part, at->field, a);
    }
    return inside;
}

static bool is_same(const check_run *r, const holder *h, const check_spot *spot)
{
    bool same = h->part.tile == spot->part->tile && h->at->field == spot->field;
    for (int a = 0; a < r->spec->axes; ++a) {
        same = same && h->part.first[a] == spot->part->first[a] && h->spot.point[a] == spot->point[a];
    }
    return same;
}

static void add_holders(const check_run *r, const check_spot *spot, const check_place *place,
                        holder_list *list)
{
    const int before = list->count;
    for (int block = 0; block < hxi_check_blocks_of(r, place->tile) && list->count < MOST_HOLDERS; ++block) {
        holder *h = &list->at[list->count];
        hxi_check_must(hx_part_of(&r->grid[place->tile], place->tile, block, &h->part));
        if (holds_place(r, place, h) && !hxi_check_lacks_owner(r, place->tile, block)) {
            list->own = is_same(r, h, spot) ? list->count : list->own;
            ++list->count;
        }
    }
    if (list->count > before) {
        list->at[list->count - 1].last = true;
    }
}

static void find_holders(const check_run *r, const check_spot *spot, const place_list *places,
                         holder_list *list)
{
    list->count = list->own = 0;
    for (int i = 0; i < places->count; ++i) {
        add_holders(r, spot, &places->at[i], list);
    }
}

/* Who decides, of those that are last at their places: on a fold what is kept, by HX_SHARED_GREATER whose low
 * faces are most. */
static const holder *find_owner(const check_run *r, const hx_exchange *exchange, const holder_list *list)
{
    const check_grid *grid = hxi_check_grid_of(r);
    const holder *best = NULL;
    for (int i = 0; i < list->count; ++i) {
        const holder *h = &list->at[i];
        if (!h->last) {
            continue;
        }
        const bool kept = grid->is_kept(r, h->at);
        const bool greater =
            best && exchange->shared == HX_SHARED_GREATER && h->first_faces > best->first_faces;
        if (!best || (kept != grid->is_kept(r, best->at) ? kept : greater)) {
            best = h;
        }
    }
    return best;
}

/* ---- what they make of it ------------------------------------------------------------------------------ */

/* Such that halves, and means of up to ten places, are whole. */
static const int64_t mean_unit = 16 * 2520;

static int64_t number_of(const check_run *r, const hx_exchange *exchange, const check_spot *spot,
                         int component)
{
    return (exchange->operation == HX_MEAN ? mean_unit : 1) * hxi_check_addend(r, spot, component);
}

/* What a holder has, seen from the point that is asked about. */
static int64_t number_held(const check_run *r, const hx_exchange *exchange, const holder *h, int component)
{
    const int64_t number = number_of(r, exchange, &h->spot, component);
    return h->at->opposite ? -number : number;
}

/* The mean of the means of the copies that each place has. */
static int64_t mean_of(const check_run *r, const hx_exchange *exchange, const holder_list *list,
                       int component)
{
    int64_t sum = 0, sum_here = 0;
    int places = 0, copies = 0;
    for (int i = 0; i < list->count; ++i) {
        sum_here += number_held(r, exchange, &list->at[i], component);
        ++copies;
        if (list->at[i].last) {
            sum += sum_here / copies;
            ++places;
            sum_here = copies = 0;
        }
    }
    return sum / places;
}

static int64_t joined_of(const check_run *r, const hx_exchange *exchange, const holder_list *list,
                         int component)
{
    int64_t sum = number_held(r, exchange, &list->at[0], component);
    for (int i = 1; i < list->count; ++i) {
        sum = hxi_check_joined(exchange->operation, sum, number_held(r, exchange, &list->at[i], component));
    }
    return sum;
}

/* The number that the block of a list that asks should hold. */
static int64_t number_after(const check_run *r, const hx_exchange *exchange, const holder_list *list,
                            int component)
{
    const holder *own = &list->at[list->own];
    if (exchange->operation == HX_MEAN) {
        return mean_of(r, exchange, list, component);
    }
    if (HX_RETURNS(exchange->operation) && find_owner(r, exchange, list) != own) {
        return exchange->keeps ? hxi_check_addend(r, &own->spot, component) : 0;
    }
    return joined_of(r, exchange, list, component);
}

static bool holds_agreed(const check_run *r, const check_block *b, const check_step *step,
                         const check_spot *spot, const holder_list *list, int component)
{
    const check_type *type = &r->type[spot->field];
    const void *element = hxi_check_element(r, b, spot, component);
    if (step->exchange->operation != HX_COPY) {
        return hxi_check_holds_number(type, element, number_after(r, step->exchange, list, component));
    }
    const holder *owner = find_owner(r, step->exchange, list);
    const uint64_t bits = hxi_check_block_value(r, &owner->spot, component);
    return hxi_check_holds(type, element, (check_value){.bits = bits, .opposite = owner->at->opposite});
}

/* ---- what the program calls ---------------------------------------------------------------------------- */

void hxi_check_store_shared(const check_run *r, const check_block *b, const hx_exchange *exchange)
{
    for (int i = 0; i < exchange->fields; ++i) {
        const int field = exchange->field[i].field;
        check_spot spot = hxi_check_first_spot(r, b->part, field);
        do {
            for (int c = 0; c < hxi_check_components(r, field) && spot.sides == 0; ++c) {
                void *element = hxi_check_element(r, b, &spot, c);
                if (exchange->operation == HX_COPY) {
                    hxi_check_store(&r->type[field], element, hxi_check_block_value(r, &spot, c));
                } else {
                    hxi_check_store_number(&r->type[field], element, number_of(r, exchange, &spot, c));
                }
            }
        } while (hxi_check_next_spot(r, &spot));
    }
}

static void compare_owned(check_run *r, const check_block *b, const check_step *step, const check_spot *spot)
{
    static place_list places;
    static holder_list holders;
    find_places(r, spot, &places);
    find_holders(r, spot, &places, &holders);
    for (int c = 0; c < hxi_check_components(r, spot->field); ++c) {
        if (!holds_agreed(r, b, step, spot, &holders, c)) {
            hxi_check_report(r, step->exchange, spot->field, spot->point, c);
        }
    }
}

void hxi_check_compare_shared(check_run *r, const check_block *b, const check_step *step)
{
    check_spot spot = hxi_check_first_spot(r, b->part, step->item->field);
    do {
        if (spot.sides > 0) {
            hxi_check_compare_spot(r, b, step, &spot);
        } else {
            compare_owned(r, b, step, &spot);
        }
    } while (hxi_check_next_spot(r, &spot));
}
