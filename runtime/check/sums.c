#include "check/sums.h"

#include <stdlib.h>

uint64_t hxi_check_block_value(const check_run *r, const check_spot *spot, int component)
{
    int key[HX_MAX_AXES];
    for (int a = 0; a < r->spec->axes; ++a) {
        key[a] = spot->point[a] + 1000 * spot->part->index[a];
    }
    return hxi_check_mix(spot->field + r->spec->fields * spot->part->tile, key, r->spec->axes, component);
}

int64_t hxi_check_addend(const check_run *r, const check_spot *spot, int component)
{
    return (int64_t)(hxi_check_block_value(r, spot, component) % 8);
}

int64_t hxi_check_unit(const hx_exchange_field *item)
{
    static const int64_t unit[] = {
        [HX_WIRE_FLOAT] = (1 << 24) + 1, [HX_WIRE_HALF] = (1 << 11) + 1, [HX_WIRE_BFLOAT16] = (1 << 8) + 1};
    const bool rounds = item->wire >= HX_WIRE_FLOAT && item->wire <= HX_WIRE_BFLOAT16;
    return rounds ? unit[item->wire] : 1;
}

/* What a ghost point or an owned one of an exchange that adds starts with. */
static int64_t held(const check_run *r, const hx_exchange_field *item, const check_spot *spot, int component)
{
    return hxi_check_addend(r, spot, component) * hxi_check_unit(item);
}

/* What comes of it. */
static int64_t sent(const check_run *r, const hx_exchange_field *item, const check_spot *spot, int component)
{
    return (int64_t)hxi_check_rounded((double)held(r, item, spot, component), item->wire);
}

void hxi_check_store_addends(const check_run *r, const check_block *b, const hx_exchange *exchange)
{
    for (int i = 0; i < exchange->fields; ++i) {
        const int field = exchange->field[i].field;
        check_spot spot = hxi_check_first_spot(r, b->part, field);
        do {
            for (int c = 0; c < hxi_check_components(r, field); ++c) {
                hxi_check_store_number(&r->type[field], hxi_check_element(r, b, &spot, c),
                                       held(r, &exchange->field[i], &spot, c));
            }
        } while (hxi_check_next_spot(r, &spot));
    }
}

/* ---- what is added to what ----------------------------------------------------------------------------- */

/* Does an exchange add a point to another one, that at a place?  Ghost points, and owned ones that lie on
 * others. */
static bool is_added(const check_run *r, const check_step *step, const check_spot *spot, check_place *at)
{
    const bool ghost = spot->sides > 0;
    return (!ghost || hxi_check_claims(r, step, spot)) && hxi_check_find(r, spot, at) &&
           (ghost || (at->turned && hxi_check_rewrites(r, step)));
}

/*
 * Where blocks have common points on a fold, it depends on the cuts which of them gets a sum.  All in all
 * nothing may be lost.  Of minima and maxima only ghost points are compared there.
 */
static bool is_open(const check_run *r, int field)
{
    bool faces = false;
    for (int a = 0; a < r->spec->axes; ++a) {
        faces = faces || hxi_check_faces(r, field, a);
    }
    return faces && r->program->fold;
}

/* What an exchange makes of its fields: sums by block of this rank and field, NULL of other fields. */
typedef struct sums {
    int exchange;
    hx_operation operation;
    int64_t **of;
} sums;

static int64_t **sums_of(const check_run *r, const sums *s, int block, int field)
{
    return &s->of[block * r->spec->fields + field];
}

/*
 * Points that are added to others become 0, unless the exchange keeps them; all others start with what they
 * hold.
 */
static int64_t *begin_sums(const check_run *r, const check_block *b, const check_step *step)
{
    const int field = step->item->field;
    int64_t *out = hxi_check_allocate(hx_points(r->spec, b->shape, field), sizeof *out);
    check_spot spot = hxi_check_first_spot(r, b->part, field);
    do {
        check_place at;
        const bool added = is_added(r, step, &spot, &at);
        for (int c = 0; c < hxi_check_components(r, field); ++c) {
            const bool goes = added && !step->exchange->keeps && hxi_check_comes_from(r, &spot, c);
            out[hxi_check_index(r, b, &spot, c)] = goes ? 0 : held(r, step->item, &spot, c);
        }
    } while (hxi_check_next_spot(r, &spot));
    return out;
}

/* Adds a point to the one at a place, if one of this rank's blocks owns that. */
static void add_point(const check_run *r, const sums *s, const check_spot *spot, const check_place *at)
{
    const hx_exchange_field *item = hxi_check_step_of(r, s->exchange, spot->field).item;
    for (int b = 0; b < r->blocks; ++b) {
        check_spot owner = {.part = r->block[b].part, .field = at->field};
        if (!hxi_check_grid_of(r)->owner_index(r, owner.part, spot, at, owner.point)) {
            continue;
        }
        for (int c = 0; c < hxi_check_components(r, spot->field); ++c) {
            if (hxi_check_comes_from(r, spot, c)) {
                const int64_t number = sent(r, item, spot, c);
                int64_t *sum = *sums_of(r, s, b, at->field) + hxi_check_index(r, &r->block[b], &owner, c);
                const int64_t seen = at->opposite ? -number : number;
                *sum = hxi_check_joined(s->operation, *sum, seen);
            }
        }
    }
}

/* Adds what a block, of this rank or another, brings to the owned points of others. */
static void add_block(const check_run *r, const sums *s, const hx_part *other, int field)
{
    const check_step step = hxi_check_step_of(r, s->exchange, field);
    check_spot spot = hxi_check_first_spot(r, other, field);
    do {
        check_place at;
        if (is_added(r, &step, &spot, &at)) {
            add_point(r, s, &spot, &at);
        }
    } while (hxi_check_next_spot(r, &spot));
}

static void add_blocks(const check_run *r, const sums *s, int field)
{
    for (int tile = 0; tile < r->spec->tiles && !is_open(r, field); ++tile) {
        for (int block = 0; block < hxi_check_blocks_of(r, tile); ++block) {
            hx_part other;
            hxi_check_must(hx_part_of(&r->grid[tile], tile, block, &other));
            if (!hxi_check_lacks_owner(r, tile, block)) {
                add_block(r, s, &other, field);
            }
        }
    }
}

/* ---- what is found ------------------------------------------------------------------------------------- */

/* What is lost of a block's points, each counted for what it is worth where it is kept. */
static int64_t lost_of(const check_run *r, const check_block *b, const check_step *step)
{
    const int field = step->item->field;
    int64_t lost = 0;
    check_spot spot = hxi_check_first_spot(r, b->part, field);
    do {
        check_place at = {.opposite = false};
        const bool added = is_added(r, step, &spot, &at);
        const int sign = at.opposite ? -1 : 1;
        for (int c = 0; c < hxi_check_components(r, field) && (added || spot.sides == 0); ++c) {
            lost += sign * (added ? sent : held)(r, step->item, &spot, c);
            if (!added || !step->exchange->keeps) {
                lost -= sign * hxi_check_number_at(&r->type[field], hxi_check_element(r, b, &spot, c));
            }
        }
    } while (hxi_check_next_spot(r, &spot));
    return lost;
}

/* Collective. */
static void compare_balance(check_run *r, const check_step *step)
{
    const int field = step->item->field;
    int64_t lost = 0, all = 0;
    for (int b = 0; b < r->blocks; ++b) {
        lost += lost_of(r, &r->block[b], step);
    }
    MPI_Allreduce(&lost, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (!hxi_check_is_nothing(&r->type[field], all)) {
        const check_spot first = hxi_check_first_spot(r, r->block[0].part, field);
        hxi_check_report(r, step->exchange, field, first.point, 0);
    }
}

static void compare_block(check_run *r, const check_block *b, const check_step *step, const int64_t *wanted)
{
    const int field = step->item->field;
    check_spot spot = hxi_check_first_spot(r, b->part, field);
    do {
        const bool open = is_open(r, field) && spot.sides == 0;
        for (int c = 0; c < hxi_check_components(r, field) && !open; ++c) {
            const int64_t sum = wanted[hxi_check_index(r, b, &spot, c)];
            if (!hxi_check_holds_number(&r->type[field], hxi_check_element(r, b, &spot, c), sum)) {
                hxi_check_report(r, step->exchange, field, spot.point, c);
            }
        }
    } while (hxi_check_next_spot(r, &spot));
}

void hxi_check_compare_sums(check_run *r, int exchange)
{
    const hx_exchange *x = &r->spec->exchange[exchange];
    sums s = {.exchange = exchange, .operation = x->operation};
    s.of = hxi_check_allocate((size_t)(r->blocks * r->spec->fields + 1), sizeof *s.of);
    for (int i = 0; i < x->fields; ++i) {
        const check_step step = hxi_check_step_of(r, exchange, x->field[i].field);
        for (int b = 0; b < r->blocks; ++b) {
            *sums_of(r, &s, b, x->field[i].field) = begin_sums(r, &r->block[b], &step);
        }
    }
    for (int i = 0; i < x->fields; ++i) {
        add_blocks(r, &s, x->field[i].field);
    }
    for (int i = 0; i < x->fields; ++i) {
        const check_step step = hxi_check_step_of(r, exchange, x->field[i].field);
        for (int b = 0; b < r->blocks; ++b) {
            int64_t *sum = *sums_of(r, &s, b, x->field[i].field);
            compare_block(r, &r->block[b], &step, sum);
            free(sum);
        }
        if (is_open(r, x->field[i].field) && x->operation == HX_ADD) {
            compare_balance(r, &step);
        }
    }
    free(s.of);
}
