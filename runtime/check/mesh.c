/*
 * The points of the whole mesh lie around a ring, numbered one after the other, and are dealt to the ranks as
 * if by chance.  A rank has in its halo what is one or five steps from its own, and of its own points every third again.
 */
#include "check/mesh.h"

#include "check/sums.h"

#include <stdlib.h>

static int owner_of(const check_run *r, int number)
{
    return (int)(((uint64_t)number + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 40) % r->ranks;
}

static bool is_in_halo(const check_run *r, int number, int rank)
{
    static const int steps[] = {-5, -1, 1, 5};
    const int all = r->mesh.all;
    bool found = false;
    for (int s = 0; s < 4; ++s) {
        found = found || owner_of(r, (number + steps[s] % all + all) % all) == rank;
    }
    return found && owner_of(r, number) != rank;
}

/* Of these its owner has a ghost point, too. */
static bool is_doubled(int number)
{
    return number % 3 == 1;
}

/* ---- the points of this rank --------------------------------------------------------------------------- */

static void shuffle(check_mesh *m)
{
    for (int i = 0; i < m->points; ++i) {
        const int other = (7 * i + 3) % m->points;
        const int64_t next = m->id[i];
        m->id[i] = m->id[other];
        m->id[other] = next;
    }
}

void hxi_check_make_mesh(check_run *r, int points)
{
    check_mesh *m = &r->mesh;
    *m = (check_mesh){.all = points};
    m->id = hxi_check_allocate(2 * (size_t)points, sizeof *m->id);
    m->owned = hxi_check_allocate(2 * (size_t)points, 1);
    for (int number = 0; number < points; ++number) {
        const bool mine = owner_of(r, number) == r->rank;
        if (mine) {
            m->id[m->points++] = number;
        }
        if (mine ? is_doubled(number) : is_in_halo(r, number, r->rank)) {
            m->id[m->points++] = -1 - number; /* a ghost point, until all are shuffled */
        }
    }
    shuffle(m);
    for (int i = 0; i < m->points; ++i) {
        m->owned[i] = m->id[i] >= 0;
        m->id[i] = m->owned[i] ? m->id[i] : -1 - m->id[i];
    }
}

void hxi_check_free_mesh(check_run *r)
{
    free(r->mesh.id);
    free(r->mesh.owned);
}

/* ---- what they hold ------------------------------------------------------------------------------------ */

/* What tells a point of the mesh: its number, and its index along the other axis. */
static void place_of(const check_run *r, const check_spot *spot, int place[])
{
    for (int a = 0; a < r->spec->axes; ++a) {
        place[a] = a == 0 ? (int)r->mesh.id[spot->point[0]] : spot->point[a];
    }
}

static uint64_t value_of(const check_run *r, const check_spot *spot, int component)
{
    int place[HX_MAX_AXES];
    place_of(r, spot, place);
    return hxi_check_mix(spot->field, place, r->spec->axes, component);
}

/* What a point of a rank holds before it is added: a small number, so that sums are exact in every type, of units. */
static int64_t addend(const check_run *r, int rank, const hx_exchange_field *item, const check_spot *spot,
                      int component)
{
    const int key = spot->field + r->spec->fields * (1 + rank);
    int place[HX_MAX_AXES];
    place_of(r, spot, place);
    return (int64_t)(hxi_check_mix(key, place, r->spec->axes, component) % 8) * hxi_check_unit(item);
}

/* What comes of it where it is added. */
static int64_t sent(const check_run *r, int rank, const hx_exchange_field *item, const check_spot *spot,
                    int component)
{
    return (int64_t)hxi_check_rounded((double)addend(r, rank, item, spot, component), item->wire);
}

/* What becomes of it: an owner has the sum of all, or their minimum or maximum, a halo nothing, or what it
 * had. */
static int64_t joined_at(const check_run *r, const check_step *step, const check_spot *spot, int component)
{
    const hx_exchange *exchange = step->exchange;
    const int number = (int)r->mesh.id[spot->point[0]];
    const bool mine = r->mesh.owned[spot->point[0]];
    int64_t sum = mine || exchange->keeps ? addend(r, r->rank, step->item, spot, component) : 0;
    for (int rank = 0; rank < r->ranks && mine; ++rank) {
        if (rank == r->rank ? is_doubled(number) : is_in_halo(r, number, rank)) {
            const int64_t came = sent(r, rank, step->item, spot, component);
            sum = hxi_check_joined(exchange->operation, sum, came);
        }
    }
    return sum;
}

static bool holds_after(const check_run *r, const check_step *step, const check_spot *spot, int component,
                        const void *element)
{
    const check_type *type = &r->type[spot->field];
    if (HX_RETURNS(step->exchange->operation) && step->item) {
        return hxi_check_holds_number(type, element, joined_at(r, step, spot, component));
    }
    const bool known = r->mesh.owned[spot->point[0]] || step->item;
    const uint64_t bits = known ? value_of(r, spot, component) : HX_CHECK_UNTOUCHED;
    const bool comes = step->item && !r->mesh.owned[spot->point[0]];
    const check_value value = {.bits = bits, .wire = comes ? step->item->wire : HX_WIRE_NOT};
    return hxi_check_holds(type, element, value);
}

void hxi_check_begin_mesh(const check_run *r, const check_block *b)
{
    for (int field = 0; field < r->spec->fields && r->mesh.points > 0; ++field) {
        check_spot spot = hxi_check_first_spot(r, b->part, field);
        do {
            const bool owned = r->mesh.owned[spot.point[0]];
            for (int c = 0; c < hxi_check_components(r, field); ++c) {
                const uint64_t bits = owned ? value_of(r, &spot, c) : HX_CHECK_UNTOUCHED;
                hxi_check_store(&r->type[field], hxi_check_element(r, b, &spot, c), bits);
            }
        } while (hxi_check_next_spot(r, &spot));
    }
}

void hxi_check_prepare_mesh(const check_run *r, const check_block *b, int exchange)
{
    const hx_exchange *x = &r->spec->exchange[exchange];
    for (int i = 0; i < x->fields && HX_RETURNS(x->operation) && r->mesh.points > 0; ++i) {
        const int field = x->field[i].field;
        check_spot spot = hxi_check_first_spot(r, b->part, field);
        do {
            for (int c = 0; c < hxi_check_components(r, field); ++c) {
                hxi_check_store_number(&r->type[field], hxi_check_element(r, b, &spot, c),
                                       addend(r, r->rank, &x->field[i], &spot, c));
            }
        } while (hxi_check_next_spot(r, &spot));
    }
}

void hxi_check_compare_mesh(check_run *r, int exchange)
{
    const check_block *b = &r->block[0]; /* there is one */
    for (int field = 0; field < r->spec->fields && r->mesh.points > 0; ++field) {
        const check_step step = hxi_check_step_of(r, exchange, field);
        check_spot spot = hxi_check_first_spot(r, b->part, field);
        do {
            for (int c = 0; c < hxi_check_components(r, field); ++c) {
                if (!holds_after(r, &step, &spot, c, hxi_check_element(r, b, &spot, c))) {
                    hxi_check_report(r, step.exchange, field, spot.point, c);
                }
            }
        } while (hxi_check_next_spot(r, &spot));
    }
}
